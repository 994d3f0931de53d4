//! Nodes over stages: nodes that read a stage, directly or through other nodes. They have values at samples only, like stages.
//!
//! A node that reads its inputs at its own position becomes the passes of its operations, the same ones that kernels have. `warp`
//! becomes the pass of the stage `displace`. Other nodes that read an input elsewhere are refused.

use crate::graph::Graph;
use crate::graph::lower::Pointwise;
use crate::graph::node::kind::InputRanges;
use crate::graph::node::{Node, Warp};
use crate::interval::Interval;
use crate::params::{Input, meant, short};
use crate::program::{Curve, GraphError, Op, Reg, Scalar};
use crate::schedule::{PlaneId, pass};
use crate::stage::lower::{Outputs, ScheduleError, ScheduleLowering, single};
use crate::stage::{Pipeline, StageError, order};
use indexmap::{IndexMap, IndexSet};
use std::collections::HashSet;
use std::sync::Arc;

/// The error for an input that is not sampled at the node's own position.
const ELSEWHERE: &str = "noises: this kind reads them away from the sample; to bend a stage, use the node `warp` or the stage `displace`";
/// The error for a node that reads gradients.
const SLOPES: &str = "noises: this kind reads gradients, which stages do not have";
/// The error for a noise on a lattice, which stages are not.
const POSITIONS: &str = "noises: this kind has values at positions, not only at samples";
/// The error for beds of rock.
const BEDS: &str = "noises; over a stage, use the stage `strata`";
/// The error for a node that `orogen equalise` measures.
const MEASURED: &str = "noises; the stage `equalise` measures stages";

impl Pipeline {
    /// Whether a name is that of a node that reads no stage: a noise, with a value at every position. A node that reads a stage,
    /// directly or through other nodes, has values at samples only, like a stage.
    ///
    /// ```
    /// use orogen::Noise;
    /// use orogen::node::{Perlin, Terrace};
    /// use orogen::stage::{Pipeline, Thermal};
    /// let settled = Pipeline::from(Noise::perlin(Perlin::default())).then(Thermal::default());
    /// let terraced = settled.then_node(Terrace::default());
    /// assert!(terraced.is_noise("perlin") && !terraced.is_noise("terrace") && !terraced.is_noise("thermal"));
    /// ```
    pub fn is_noise(&self, name: &str) -> bool {
        self.node.contains_key(name) && !self.is_over(name)
    }

    /// Whether a name is that of a node over stages.
    pub(crate) fn is_over(&self, name: &str) -> bool {
        if self.stage.is_empty() {
            return false;
        }
        let (mut open, mut seen) = (vec![name], HashSet::new());
        while let Some(name) = open.pop() {
            let Some(node) = self.node.get(name).filter(|_| seen.insert(name)) else { continue };
            for (_, input) in node.inputs() {
                match input {
                    Input::Node(target) if self.node.contains_key(target) => open.push(target),
                    Input::Node(target) if self.is_output(target) => return true,
                    Input::Node(_) | Input::Value(_) | Input::Missing => (),
                }
            }
        }
        false
    }

    /// Whether a name that is not a node's is that of an output of a stage.
    fn is_output(&self, name: &str) -> bool {
        matches!(self.find("", "output", name), Ok(Some(_)))
    }

    /// All nodes over stages.
    pub(crate) fn nodes_over(&self) -> HashSet<&str> {
        let mut over = HashSet::new();
        if self.stage.is_empty() {
            return over;
        }
        let mut users: IndexMap<&str, Vec<&str>> = IndexMap::new();
        for (name, node) in &self.node {
            for (_, input) in node.inputs() {
                if let Input::Node(target) = input {
                    users.entry(target).or_default().push(name);
                }
            }
        }
        let outputs = users.keys().copied().filter(|name| !self.node.contains_key(*name) && self.is_output(name));
        let mut open: Vec<&str> = outputs.flat_map(|name| users[name].iter().copied()).collect();
        while let Some(name) = open.pop() {
            if over.insert(name) {
                open.extend(users.get(name).into_iter().flatten());
            }
        }
        over
    }

    /// All nodes over stages, in the order of the nodes.
    pub(crate) fn nodes_over_in_order(&self) -> Vec<&str> {
        let over = self.nodes_over();
        self.node.keys().map(String::as_str).filter(|name| over.contains(name)).collect()
    }

    /// All stages, and all nodes over stages, inputs before users.
    pub(crate) fn steps(&self) -> Vec<&str> {
        let mut done = IndexSet::new();
        for name in self.nodes_over_in_order().into_iter().chain(self.stage.keys().map(String::as_str)) {
            // Parts of a cycle come unchanged: the error is reported when the pipeline is used.
            done.extend(order(self, name).unwrap_or_else(|_| vec![name]));
        }
        done.into_iter().collect()
    }

    /// The nodes that read no stage.
    pub(crate) fn noises(&self) -> IndexMap<String, Node> {
        let over = self.nodes_over();
        if over.is_empty() {
            return self.node.clone();
        }
        self.node.iter().filter(|(name, _)| !over.contains(name.as_str())).map(|(name, node)| (name.clone(), node.clone())).collect()
    }

    /// Checks a node over stages.
    pub(crate) fn check_over(&self, name: &str, node: &Node) -> Result<(), StageError> {
        let find = |param: &'static str, target: &str| match self.find(name, param, target) {
            Ok(None) => Ok(()),
            Ok(Some((stage, output))) => match stage.outputs()[output].channels {
                1 => Ok(()),
                channels => {
                    let allowed = format!("fields of one channel: this one has {channels}");
                    Err(GraphError::parameter(name, param, format!("'{target}'"), allowed))
                }
            },
            Err(_) => {
                let (node, name, known) = (name.to_owned(), target.to_owned(), String::new());
                Err(self.with_stages(GraphError::UnknownNode { node, param, name, known }))
            }
        };
        self.with_its_tables(name, node).check_row_with(name, node, &find)?;
        if let Node::Warp(warp) = node {
            return self.warped(name, warp).map(|_| ());
        }
        if node.info().reads_stages() {
            return Ok(());
        }
        let over = |input: &&Input| matches!(input, Input::Node(target) if !self.is_noise(target));
        let Some((param, input)) = node.inputs().into_iter().find(|(_, input)| over(input)) else { return Ok(()) };
        let allowed = match node {
            Node::Equalise(_) => MEASURED,
            Node::Beds(_) => BEDS,
            Node::Curl(_) | Node::CrossGradients(_) => SLOPES,
            Node::Advect(_) if param != "of" => SLOPES,
            Node::Phasor(_) => POSITIONS,
            _ => ELSEWHERE,
        };
        Err(GraphError::parameter(name, param, told(input), allowed).into())
    }

    /// An error of the noises, where a name may have been meant to be that of a stage.
    pub(crate) fn with_stages(&self, error: GraphError) -> GraphError {
        match error {
            GraphError::UnknownNode { node, param, name, .. } => {
                let known = meant::instead(&name, self.names().iter().map(String::as_str));
                GraphError::UnknownNode { node, param, name, known }
            }
            error => error,
        }
    }

    /// The largest displacement by a warp along an axis, in world units.
    fn warped(&self, name: &str, warp: &Warp) -> Result<f64, StageError> {
        if !matches!(warp.z, Input::Value(0.0) | Input::Missing) {
            return Err(GraphError::parameter(name, "z", told(&warp.z), "0 for nodes that read a stage, which lies in a plane").into());
        }
        let mut most = 0.0_f64;
        for (param, input) in [("x", &warp.x), ("y", &warp.y)] {
            let Some(range) = self.range_of(input) else {
                let allowed =
                    "displacements with a proven range: clamp it with the node `clamp`, or use the stage `displace`, which has a reach";
                return Err(GraphError::parameter(name, param, told(input), allowed).into());
            };
            most = most.max(range.magnitude() * warp.strength.abs());
        }
        Ok(most)
    }

    /// The bounds of an input of a node over stages.
    fn range_of(&self, input: &Input) -> Option<Interval> {
        match input {
            Input::Node(name) => self.range(name),
            Input::Value(x) => Some(Interval::new(*x, *x)),
            Input::Missing => Some(Interval::new(0.0, 0.0)),
        }
    }

    /// The bounds of a node over stages from those of its inputs; `None` if f32 cannot hold them.
    pub(crate) fn range_over(&self, name: &str, of: &dyn Fn(&Input) -> Option<Interval>) -> Option<Interval> {
        let node = &self.node[name];
        if let Node::Warp(warp) = node {
            // Two means, each of two products.
            return of(&warp.of).map(|range| range.widened(8.0));
        }
        // A value that is finite in f32 lies in this range.
        let finite = Interval::new(f64::from(f32::MIN), f64::from(f32::MAX));
        let ranges = |input: &Input| of(input).unwrap_or(finite);
        let graph = self.with_its_tables(name, node);
        let range = node.as_kind().range(&InputRanges { graph: &graph, ranges: &ranges });
        (range.magnitude() <= crate::graph::LARGEST_VALUE).then_some(range)
    }

    /// A graph of one node, and of the tables that it reads.
    fn with_its_tables(&self, name: &str, node: &Node) -> Graph {
        let tables = node.inputs().into_iter().filter_map(|(_, input)| match input {
            Input::Node(table) => self.node.get_key_value(table).filter(|(_, node)| node.is_table()),
            Input::Value(_) | Input::Missing => None,
        });
        let rows = self.node.get_key_value(name).into_iter().chain(tables);
        Graph { output: name.to_owned(), node: rows.map(|(name, node)| (name.clone(), node.clone())).collect() }
    }
}

/// An input as it stands in a recipe.
fn told(input: &Input) -> String {
    match input {
        Input::Node(name) => format!("'{name}'"),
        Input::Value(x) => short(*x),
        Input::Missing => "none".to_owned(),
    }
}

impl ScheduleLowering<'_> {
    /// Adds the passes of a node over stages. The planes of its inputs that are stages or such nodes already exist.
    pub(super) fn node(&mut self, name: &str) -> Result<Outputs, ScheduleError> {
        let pipeline = self.pipeline;
        let node = &pipeline.node[name];
        if let Node::Warp(warp) = node {
            return self.warp(name, warp);
        }
        let graph = pipeline.with_its_tables(name, node);
        let refused = |error| ScheduleError::Noise { node: name.to_owned(), error: Box::new(error) };
        let Pointwise { inputs, ops, tables } = Pointwise::of(&graph, name).map_err(refused)?;
        let mut planes = Vec::with_capacity(ops.len());
        for input in &inputs {
            planes.push(self.named(name, "of", input)?[0]);
        }
        let number = |Scalar(index): Scalar| tables.scalars[index as usize];
        for op in &ops[inputs.len()..] {
            let plane = |Reg(index): Reg| planes[index as usize];
            let value = match *op {
                Op::Constant(value) => self.fill(number(value)),
                Op::ScaleOffset { x, scale, offset } => {
                    let (scale, offset) = (number(scale), number(offset));
                    self.run(pass::Scale { value: plane(x), scale, offset, low: f64::MIN, high: f64::MAX }).value
                }
                Op::Clamp { x, low, high } => {
                    self.run(pass::Scale { value: plane(x), scale: 1.0, offset: 0.0, low: number(low), high: number(high) }).value
                }
                Op::Abs(x) => self.run(pass::NodeAbs { value: plane(x) }).value,
                Op::Power { x, exponent } => self.run(pass::NodePower { value: plane(x), exponent: number(exponent) }).value,
                Op::Add(a, b) => self.run(pass::Add { a: plane(a), b: plane(b) }).value,
                Op::Multiply(a, b) => self.run(pass::Multiply { a: plane(a), b: plane(b) }).value,
                Op::Min(a, b) => self.run(pass::Minimum { a: plane(a), b: plane(b) }).value,
                Op::Max(a, b) => self.run(pass::Maximum { a: plane(a), b: plane(b) }).value,
                Op::Blend { a, b, mask } => self.run(pass::NodeBlend { a: plane(a), b: plane(b), mask: plane(mask) }).value,
                Op::Spline { x, points } => {
                    let [first, count] = tables.spans[points.0 as usize].map(|index| index as usize);
                    let points = &tables.points[first..first + count];
                    let table = points.iter().flat_map(|point| [point.at, point.value, point.anchor, point.inverse_width]);
                    self.run(pass::Curve { value: plane(x), pieces: (count - 1) as f64, table: Arc::new(table.collect()) }).value
                }
                Op::Curve { curve, x, numbers } => {
                    let first = numbers.0 as usize;
                    self.curve(curve, plane(x), [0, 1, 2, 3].map(|k| tables.scalars[first + k]))
                }
                _ => return Err(StageError::from(GraphError::parameter(name, "kind", node.info().kind, ELSEWHERE)).into()),
            };
            planes.push(value);
        }
        let last = planes.pop().unwrap_or_else(|| self.fill(0.0));
        Ok(single([last]))
    }

    fn curve(&mut self, curve: Curve, value: PlaneId, [a, b, c, d]: [f64; 4]) -> PlaneId {
        match curve {
            Curve::Smoothstep => self.run(pass::NodeSmoothstep { value, low: a, per_width: b }).value,
            Curve::Terrace => self.run(pass::NodeTerrace { value, height: a, per_height: b, flat: c, per_slope: d }).value,
            Curve::Threshold => self.run(pass::NodeThreshold { value, edge: a, below: b, above: c }).value,
            Curve::Gain => self.run(pass::NodeGain { value, exponent: a }).value,
            Curve::Sine => self.run(pass::NodeSine { value, frequency: a, phase: b }).value,
            Curve::Normal => self.run(pass::NodeNormal { value, per_deviation: a }).value,
            Curve::WeibullQuantile => self.run(pass::NodeWeibull { value, location: a, scale: b, per_shape: c }).value,
            Curve::NormalQuantile => self.run(pass::NodeQuantile { value, location: a, scale: b }).value,
        }
    }

    /// Values from displaced positions, between four samples.
    fn warp(&mut self, name: &str, warp: &Warp) -> Result<Outputs, ScheduleError> {
        let most = self.pipeline.warped(name, warp)? / self.step;
        let value = self.plane(name, "of", &warp.of)?;
        let x = self.plane(name, "x", &warp.x)?;
        let y = self.plane(name, "y", &warp.y)?;
        let displaced = pass::Displace { value, x, y, per_step: warp.strength / self.step, most, reach: libm::ceil(most) + 1.0 };
        Ok(single([self.run(displaced).value]))
    }
}
