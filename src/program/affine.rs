//! What of a sum is an affine function of the position: frames hold it exactly, however far out, where numbers would round it.

use crate::frame::Frame;
use crate::graph::{Add, Coordinate, Domain, Graph, Multiply, Node, ScaleOffset, Warp};
use crate::params::Input;
use crate::program::instance::{Instance, direction, rows};
use glam::DVec3;

/// Terms into which a sum is taken apart; longer ones stay as they are.
const MOST_TERMS: usize = 64;

/// `linear · position + constant`, and what is added to it: inputs with factors.
#[derive(Clone, Debug, Default)]
pub(super) struct Affine<'a> {
    pub linear: DVec3,
    pub constant: f64,
    pub rest: Vec<(f64, &'a Input)>,
}

impl<'a> Affine<'a> {
    /// Takes an input apart: coordinates, numbers, and their sums and multiples; whether there was a coordinate. `None` of long sums.
    fn taken(graph: &'a Graph, input: &'a Input) -> Option<(Self, bool)> {
        let (mut sum, mut found, mut terms) = (Affine::default(), false, 0);
        let mut open = vec![(1.0, input)];
        while let Some((factor, input)) = open.pop() {
            terms += 1;
            if terms > MOST_TERMS {
                return None;
            }
            let node = match input {
                Input::Node(name) => &graph.node[name],
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
                    found = true;
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
        Some((sum, found))
    }

    /// With a coordinate in it.
    fn of(graph: &'a Graph, input: &'a Input) -> Option<Self> {
        Affine::taken(graph, input).and_then(|(sum, found)| found.then_some(sum))
    }

    /// With nothing else in it.
    fn alone(graph: &'a Graph, input: &'a Input) -> Option<Self> {
        Affine::of(graph, input).filter(|sum| sum.rest.is_empty())
    }

    /// `scale · self + offset`.
    fn scaled(self, scale: f64, offset: f64) -> Self {
        let rest = self.rest.into_iter().map(|(factor, input)| (factor * scale, input)).collect();
        Affine { linear: self.linear * scale, constant: self.constant * scale + offset, rest }
    }

    /// The affine part as the first lattice axis.
    pub fn frame(&self, instance: &Instance) -> Frame {
        instance.frame(rows([self.linear, DVec3::ZERO, DVec3::ZERO]), DVec3::new(self.constant, 0.0, 0.0), 0)
    }
}

/// A node whose coordinates are taken exactly: what numbers are left is small, or comes last.
pub(super) enum Exact<'a> {
    /// Coordinates and numbers.
    Sum(Affine<'a>),
    /// The sine of so many turns.
    Sine(Affine<'a>),
    /// Whether a sum is below 0.
    Threshold { sum: Affine<'a>, below: f64, above: f64 },
    /// Steps of so many heights.
    Terrace { steps: Affine<'a>, height: f64, slope: f64 },
    /// A position.
    Domain([Affine<'a>; 3], &'a Input),
}

impl<'a> Exact<'a> {
    pub fn of(graph: &'a Graph, node: &'a Node) -> Option<Self> {
        let multiplied = |a: &'a Input, b: &'a Input| match (number(graph, a), number(graph, b)) {
            (Some(x), _) => Affine::alone(graph, b).map(|sum| sum.scaled(x, 0.0)),
            (_, Some(x)) => Affine::alone(graph, a).map(|sum| sum.scaled(x, 0.0)),
            (None, None) => None,
        };
        let added = |a: &'a Input, b: &'a Input| {
            let ((a, in_a), (b, in_b)) = (Affine::taken(graph, a)?, Affine::taken(graph, b)?);
            let alone = a.rest.is_empty() && b.rest.is_empty();
            let sum = Affine { linear: a.linear + b.linear, constant: a.constant + b.constant, rest: Vec::new() };
            (alone && (in_a || in_b)).then_some(sum)
        };
        match node {
            Node::ScaleOffset(n) => Affine::alone(graph, &n.of).map(|sum| Exact::Sum(sum.scaled(n.scale, n.offset))),
            Node::Add(n) => added(&n.a, &n.b).map(Exact::Sum),
            Node::Multiply(n) => multiplied(&n.a, &n.b).map(Exact::Sum),
            Node::Sine(n) => Affine::of(graph, &n.of).map(|sum| Exact::Sine(sum.scaled(n.frequency, n.phase))),
            Node::Threshold(n) => {
                let (below, above) = (n.below, n.above);
                Affine::of(graph, &n.of).map(|sum| Exact::Threshold { sum: sum.scaled(1.0, -n.at), below, above })
            }
            Node::Terrace(n) => {
                let (height, slope) = (n.height, n.slope);
                Affine::alone(graph, &n.of).map(|sum| Exact::Terrace { steps: sum.scaled(1.0 / height, 0.0), height, slope })
            }
            Node::Domain(n) => {
                let all = [&n.x, &n.y, &n.z].map(|input| Affine::taken(graph, input).filter(|(sum, _)| sum.rest.is_empty()));
                let [Some((x, in_x)), Some((y, in_y)), Some((z, in_z))] = all else { return None };
                (in_x || in_y || in_z).then_some(Exact::Domain([x, y, z], &n.of))
            }
            _ => None,
        }
    }

    /// The inputs that are computed as numbers, at the node's own position.
    pub fn inputs(&self) -> Vec<&'a Input> {
        match self {
            Exact::Sine(sum) | Exact::Threshold { sum, .. } => sum.rest.iter().map(|(_, input)| *input).collect(),
            Exact::Sum(_) | Exact::Terrace { .. } | Exact::Domain(..) => Vec::new(),
        }
    }
}

/// A number that stands in a graph.
fn number(graph: &Graph, input: &Input) -> Option<f64> {
    match input {
        Input::Value(x) => Some(*x),
        Input::Missing => Some(0.0),
        Input::Node(name) => match &graph.node[name] {
            Node::Constant(n) => Some(n.value),
            _ => None,
        },
    }
}

/// The inputs that are sampled at the node's own position and needed as numbers.
pub(super) fn local_inputs<'a>(graph: &'a Graph, node: &'a Node) -> Vec<&'a Input> {
    if let Some(exact) = Exact::of(graph, node) {
        return exact.inputs();
    }
    match node {
        Node::Fractal(_)
        | Node::Turbulence(_)
        | Node::Transform(_)
        | Node::Slice(_)
        | Node::Mirror(_)
        | Node::Quantise(_)
        | Node::Polar(_)
        | Node::Periodic(_) => Vec::new(),
        Node::Warp(Warp { x, y, z, .. }) | Node::Domain(Domain { x, y, z, .. }) => vec![x, y, z],
        Node::Constant(_)
        | Node::Coordinate(_)
        | Node::Simplex(_)
        | Node::Value(_)
        | Node::White(_)
        | Node::Perlin(_)
        | Node::Worley(_)
        | Node::Hexagonal(_)
        | Node::Spline(_)
        | Node::ScaleOffset(_)
        | Node::Clamp(_)
        | Node::Abs(_)
        | Node::Power(_)
        | Node::Add(_)
        | Node::Multiply(_)
        | Node::Min(_)
        | Node::Max(_)
        | Node::Blend(_)
        | Node::Hill(_)
        | Node::Spectral(_)
        | Node::Radius(_)
        | Node::Smoothstep(_)
        | Node::Terrace(_)
        | Node::Threshold(_)
        | Node::Bias(_)
        | Node::Gain(_)
        | Node::Sine(_)
        | Node::Quantile(_)
        | Node::Equalise(_)
        | Node::Select(_) => node.inputs().into_iter().map(|(_, input)| input).collect(),
    }
}
