//! The affine part of a sum: frames hold it exactly at any distance, where floating-point values would be rounded.

use crate::frame::Frame;
use crate::graph::Graph;
use crate::graph::lower::NodeSite;
use crate::graph::node::{Add, Coordinate, Multiply, Node, ScaleOffset, Sine};
use crate::params::{Input, Role};
use crate::program::instance::{Instance, direction, rows};
use crate::program::{CoordinatePart, Curve, Op, ProgramError};
use glam::DVec3;
use std::collections::HashSet;

/// Maximum number of terms into which a sum is decomposed; longer ones stay unchanged.
const MOST_TERMS: usize = 64;

/// `linear · position + constant`, plus inputs with factors.
#[derive(Clone, Debug, Default)]
pub(super) struct Affine<'a> {
    pub linear: DVec3,
    pub constant: f64,
    /// The number of coordinates in it, and the sum of the magnitudes of their factors.
    coordinates: usize,
    pub weight: f64,
    pub rest: Vec<(f64, &'a Input)>,
}

impl<'a> Affine<'a> {
    /// Decomposes an input: coordinates, numbers, and their sums and multiples. `None` for long sums.
    fn of(graph: &'a Graph, input: &'a Input) -> Option<Self> {
        let (mut sum, mut terms) = (Affine::default(), 0);
        let mut open = vec![(1.0, input)];
        while let Some((factor, input)) = open.pop() {
            terms += 1;
            if terms > MOST_TERMS {
                return None;
            }
            let node = match input {
                Input::Node(name) => match graph.node.get(name) {
                    Some(node) => node,
                    // A plane of a stage.
                    None => {
                        sum.rest.push((factor, input));
                        continue;
                    }
                },
                Input::Value(x) => {
                    sum.constant += factor * x;
                    continue;
                }
                Input::Missing => continue,
            };
            match node {
                Node::Constant(n) => sum.constant += factor * n.value,
                Node::Coordinate(Coordinate { axis, unit }) => {
                    sum.linear += direction(*axis) * (factor / unit);
                    sum.weight += factor.abs();
                    sum.coordinates += 1;
                }
                Node::ScaleOffset(ScaleOffset { of, scale, offset }) => {
                    sum.constant += factor * offset;
                    open.push((factor * scale, of));
                }
                Node::Add(Add { a, b }) => open.extend([(factor, b), (factor, a)]),
                Node::Multiply(Multiply { a, b }) => match (number(graph, a), number(graph, b)) {
                    (Some(x), _) => open.push((factor * x, b)),
                    (_, Some(x)) => open.push((factor * x, a)),
                    (None, None) => sum.rest.push((factor, input)),
                },
                _ => sum.rest.push((factor, input)),
            }
        }
        Some(sum)
    }

    /// `scale · self + offset`.
    fn scaled(self, scale: f64, offset: f64) -> Self {
        let rest = self.rest.into_iter().map(|(factor, input)| (factor * scale, input)).collect();
        let (linear, constant, weight) = (self.linear * scale, self.constant * scale + offset, self.weight * scale.abs());
        Affine { linear, constant, weight, rest, ..self }
    }

    fn plus(mut self, other: Self) -> Self {
        self.rest.extend(other.rest);
        let (linear, constant) = (self.linear + other.linear, self.constant + other.constant);
        let (coordinates, weight) = (self.coordinates + other.coordinates, self.weight + other.weight);
        Affine { linear, constant, coordinates, weight, rest: self.rest }
    }

    /// The affine part as the first lattice axis.
    pub fn frame(&self, instance: &Instance) -> Frame {
        instance.frame(rows([self.linear, DVec3::ZERO, DVec3::ZERO]), DVec3::new(self.constant, 0.0, 0.0), 0)
    }

    /// The mean of the coordinates, weighted by their factors. Like each of them it stays below 2³⁰. The sum is the mean times
    /// all weights, so it stays in its proven range.
    pub fn mean(&self, instance: &Instance) -> Frame {
        let mean = self.linear / self.weight.max(f64::MIN_POSITIVE);
        instance.frame(rows([mean, DVec3::ZERO, DVec3::ZERO]), DVec3::ZERO, 0)
    }
}

/// A node whose coordinates are exact.
pub(super) enum Exact<'a> {
    /// Several coordinates, and numbers.
    Sum(Affine<'a>),
    /// The sine of a number of turns.
    Sine(Affine<'a>),
    /// A position.
    Domain([Affine<'a>; 3], &'a Input),
}

impl<'a> Exact<'a> {
    pub fn of(graph: &'a Graph, node: &'a Node) -> Option<Self> {
        // A single coordinate is lowered by its own node.
        let several = |sum: Affine<'a>| (sum.coordinates > 1 && sum.rest.is_empty()).then_some(Exact::Sum(sum));
        match node {
            Node::ScaleOffset(n) => several(Affine::of(graph, &n.of)?.scaled(n.scale, n.offset)),
            Node::Add(n) => several(Affine::of(graph, &n.a)?.plus(Affine::of(graph, &n.b)?)),
            Node::Multiply(n) => match (number(graph, &n.a), number(graph, &n.b)) {
                (Some(x), _) => several(Affine::of(graph, &n.b)?.scaled(x, 0.0)),
                (_, Some(x)) => several(Affine::of(graph, &n.a)?.scaled(x, 0.0)),
                (None, None) => None,
            },
            Node::Sine(n) => turns(graph, n).map(Exact::Sine),
            Node::Domain(n) => {
                let [x, y, z] = [&n.x, &n.y, &n.z].map(|input| Affine::of(graph, input).filter(|sum| sum.rest.is_empty()));
                let position = [x?, y?, z?];
                position.iter().any(|sum| sum.coordinates > 0).then_some(Exact::Domain(position, &n.of))
            }
            _ => None,
        }
    }

    /// The operation that computes it.
    pub fn lower(self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        site.never_repeats()?;
        Ok(match self {
            Exact::Sum(sum) => {
                let mean = Op::Coordinate(CoordinatePart::Whole, site.frames(true, |instance| [sum.mean(instance)])?);
                let x = site.push(mean)?;
                Op::ScaleOffset { x, scale: site.scalar(sum.weight), offset: site.scalar(sum.constant) }
            }
            Exact::Sine(turns) => {
                // A fraction of a turn is unlimited.
                let fraction = Op::Coordinate(CoordinatePart::Fraction, site.frames(false, |instance| [turns.frame(instance)])?);
                let mut x = site.push(fraction)?;
                for (factor, input) in turns.rest {
                    let scaled = Op::ScaleOffset { x: site.input(input)?, scale: site.scalar(factor), offset: site.scalar(0.0) };
                    let scaled = site.push(scaled)?;
                    x = site.push(Op::Add(x, scaled))?;
                }
                Op::Curve { curve: Curve::Sine, x, numbers: site.numbers([1.0, 0.0, 0.0, 0.0]) }
            }
            Exact::Domain(position, of) => {
                let matrix = rows(position.each_ref().map(|sum| sum.linear));
                let offset = DVec3::from(position.each_ref().map(|sum| sum.constant));
                let frames = site.frames(false, |instance| [instance.matrix(matrix * instance.local)])?;
                let inner = site.context.inner(site.context.each(|instance| instance.moved(matrix, offset)));
                Op::Slice { body: site.body(of, &inner)?, frames }
            }
        })
    }

    /// The inputs that are computed as values, at the node's own position.
    pub fn inputs(&self) -> Vec<&'a Input> {
        match self {
            Exact::Sine(sum) => sum.rest.iter().map(|(_, input)| *input).collect(),
            Exact::Sum(_) | Exact::Domain(..) => Vec::new(),
        }
    }
}

/// A constant in a graph.
fn number(graph: &Graph, input: &Input) -> Option<f64> {
    match input {
        Input::Value(x) => Some(*x),
        Input::Missing => Some(0.0),
        Input::Node(name) => match graph.node.get(name) {
            Some(Node::Constant(n)) => Some(n.value),
            _ => None,
        },
    }
}

/// The inputs that are sampled at the node's own position and needed as values.
pub(super) fn local_inputs<'a>(graph: &'a Graph, node: &'a Node) -> Vec<&'a Input> {
    if let Some(exact) = Exact::of(graph, node) {
        return exact.inputs();
    }
    node.roles().filter(|(.., role)| matches!(role, Role::Here | Role::Slope)).map(|(_, input, _)| input).collect()
}

/// The inputs, with factors, that are added as values to the turns of a sine with exact coordinates. `None` for other sines.
pub(crate) fn added_turns<'a>(graph: &'a Graph, sine: &'a Sine) -> Option<Vec<(f64, &'a Input)>> {
    Some(turns(graph, sine)?.rest)
}

/// The turns of a sine, if it contains a coordinate.
fn turns<'a>(graph: &'a Graph, n: &'a Sine) -> Option<Affine<'a>> {
    Some(Affine::of(graph, &n.of).filter(|sum| sum.coordinates > 0)?.scaled(n.frequency, n.phase))
}

/// The nodes that a graph's output needs as values: all except coordinates, and sums of them, that only occur in exact positions.
pub(crate) fn read_as_numbers(graph: &Graph) -> HashSet<&str> {
    let mut found = HashSet::new();
    let mut open = vec![graph.output.as_str()];
    while let Some(name) = open.pop() {
        if !found.insert(name) {
            continue;
        }
        let node = &graph.node[name];
        let inputs = match Exact::of(graph, node) {
            Some(Exact::Domain(_, of)) => vec![of],
            Some(exact) => exact.inputs(),
            // It reads the samples of its raster, not the raster's values.
            None if matches!(node, Node::ByExample(_)) => Vec::new(),
            None => node.inputs().into_iter().map(|(_, input)| input).collect(),
        };
        open.extend(inputs.into_iter().filter_map(|input| match input {
            Input::Node(name) if !graph.node[name].is_table() => Some(name.as_str()),
            Input::Node(_) | Input::Value(_) | Input::Missing => None,
        }));
    }
    found
}
