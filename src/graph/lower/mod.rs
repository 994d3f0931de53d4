//! Graph → program: scopes for sub-graphs that are sampled elsewhere, frames for every instance. Each kind's lowering is in its
//! own file in `src/graph/node`; a [`NodeSite`] gives it the place in the program.

mod affine;
mod bounds;
pub(crate) mod computed;
pub(crate) mod distribution;
mod pointwise;
mod site;
pub(crate) mod steep;

pub(crate) use affine::{added_turns, read_as_numbers};
pub(crate) use bounds::{Bounds, around_circle, bounds_in};
pub(crate) use pointwise::Pointwise;
pub(crate) use site::NodeSite;
pub(crate) use steep::{check_gradients, gradient_bound, input_slope};

use crate::graph::Graph;
use crate::graph::node::Node;
use crate::interval::Interval;
use crate::params::Input;
use crate::program::fourth::FourthAxis;
use crate::program::instance::Instance;
use crate::program::reach::CoordinateFrames;
use crate::program::{Op, Program, ProgramError, Reg, Scope, ScopeId, Structure, Tables};
use affine::{Exact, local_inputs};
use std::collections::HashMap;
use std::sync::Arc;

/// Limits for graphs that unfold exponentially (a warp of a warp of a warp, each used twice).
const MOST_OPS: usize = 4096;
const MOST_POINTS: usize = 1 << 21;
const DEEPEST: usize = 64;

/// The context of a scope.
pub(crate) struct ScopeContext {
    /// The instances in which the scope is called.
    pub instances: Vec<Instance>,
    displaced: bool,
    quantised: bool,
    depth: usize,
}

impl ScopeContext {
    /// An inner scope with other instances.
    pub fn inner(&self, instances: Vec<Instance>) -> ScopeContext {
        ScopeContext { instances, displaced: self.displaced, quantised: self.quantised, depth: self.depth + 1 }
    }

    /// An inner scope that is displaced.
    pub fn displaced(&self, instances: Vec<Instance>) -> ScopeContext {
        ScopeContext { displaced: true, ..self.inner(instances) }
    }

    /// An inner scope whose positions are centres of cells.
    pub fn quantised(&self, instances: Vec<Instance>) -> ScopeContext {
        ScopeContext { displaced: false, quantised: true, ..self.inner(instances) }
    }

    /// An inner scope at positions computed from values.
    pub fn placed(&self, instances: Vec<Instance>) -> ScopeContext {
        ScopeContext { quantised: false, ..self.displaced(instances) }
    }

    /// Replaces each instance by new ones.
    pub fn each(&self, instance: impl Fn(&Instance) -> Instance) -> Vec<Instance> {
        self.instances.iter().map(instance).collect()
    }
}

/// A scope during lowering.
#[derive(Default)]
struct Open {
    ops: Vec<Op>,
    pub done: HashMap<String, Reg>,
}

/// A program during lowering.
struct ProgramLowering<'a> {
    pub graph: &'a Graph,
    pub bounds: Bounds<'a>,
    scopes: Vec<Scope>,
    pub tables: Tables,
    /// The first index of each shared table of spline points.
    pub point_tables: HashMap<&'a str, usize>,
    pub owners: Vec<(usize, String)>,
    pub coordinates: Vec<CoordinateFrames>,
    pub fourths: Vec<FourthAxis>,
    ops: usize,
    pub periodic: bool,
    /// The periodic node whose sub-graph is being lowered.
    pub repeating: Option<&'a str>,
}

impl Program {
    /// Lowers a graph.
    ///
    /// # Errors
    /// Returns an error if the graph is invalid, overflows, or unfolds too far.
    pub fn new(graph: &Graph) -> Result<Program, ProgramError> {
        Program::lower(graph, false, Bounds::everywhere(graph)?)
    }

    /// Lowers nodes of a graph for joint evaluation: shared parts are computed once. There is at least one node.
    ///
    /// # Errors
    /// Returns the errors of [`new`](Self::new).
    pub fn several(graph: &Graph, outputs: &[String]) -> Result<Program, ProgramError> {
        Program::lower_all(graph, outputs, false, Bounds::of_all(graph, outputs)?)
    }

    /// Lowers a graph for positions that are displacements from an anchor, in f32.
    ///
    /// # Errors
    /// Returns the errors of [`new`](Self::new).
    pub fn anchored(graph: &Graph) -> Result<Program, ProgramError> {
        Program::lower(graph, true, Bounds::everywhere(graph)?)
    }

    /// Lowers a checked graph with these bounds.
    fn lower<'a>(graph: &'a Graph, displaced: bool, bounds: Bounds<'a>) -> Result<Program, ProgramError> {
        Program::lower_all(graph, std::slice::from_ref(&graph.output), displaced, bounds)
    }

    fn lower_all<'a>(graph: &'a Graph, names: &[String], displaced: bool, bounds: Bounds<'a>) -> Result<Program, ProgramError> {
        let mut lowering = ProgramLowering::new(graph, bounds);
        let context = ScopeContext { instances: vec![Instance::root()], displaced, quantised: false, depth: 0 };
        let mut open = Open::default();
        let outputs = names.iter().map(|name| lowering.sub_graph(name, &mut open, &context)).collect::<Result<Vec<Reg>, _>>()?;
        lowering.close(open, outputs[0], &context);
        let ranges = names.iter().map(|name| lowering.bounds.ranges[name.as_str()]);
        let range = ranges.reduce(Interval::hull).unwrap_or(Interval::new(0.0, 0.0));
        let structure = Arc::new(Structure::new(lowering.scopes, lowering.periodic));
        let ProgramLowering { tables, owners, coordinates, fourths, .. } = lowering;
        Ok(Program { structure, tables, range, owners, coordinates, fourths, outputs })
    }
}

impl<'a> ProgramLowering<'a> {
    /// Without operations.
    fn new(graph: &'a Graph, bounds: Bounds<'a>) -> Self {
        ProgramLowering {
            graph,
            bounds,
            scopes: Vec::new(),
            tables: Tables::default(),
            point_tables: HashMap::new(),
            owners: Vec::new(),
            coordinates: Vec::new(),
            fourths: Vec::new(),
            ops: 0,
            periodic: false,
            repeating: None,
        }
    }
}

impl ProgramLowering<'_> {
    /// Lowers the sub-graph of a node as a separate scope.
    pub fn scope(&mut self, name: &str, context: &ScopeContext) -> Result<ScopeId, ProgramError> {
        if context.depth > DEEPEST {
            return Err(ProgramError::too_large(name, "nested fractals and warps", context.depth, DEEPEST));
        }
        let mut open = Open::default();
        let result = self.sub_graph(name, &mut open, context)?;
        Ok(self.close(open, result, context))
    }

    /// Completes a scope.
    pub fn close(&mut self, open: Open, result: Reg, context: &ScopeContext) -> ScopeId {
        let sloped = Op::sloped(&open.ops);
        self.scopes.push(Scope { ops: open.ops, sloped, result, displaced: context.displaced, quantised: context.quantised });
        ScopeId(self.scopes.len() as u32 - 1)
    }

    /// Lowers the sub-graph of a node into a scope, except for nodes that it already contains.
    fn sub_graph(&mut self, name: &str, open: &mut Open, context: &ScopeContext) -> Result<Reg, ProgramError> {
        // Inputs before users, with an explicit stack: a long chain of nodes must not overflow the thread's stack.
        let mut stack = vec![name.to_owned()];
        while let Some(name) = stack.last().cloned() {
            if open.done.contains_key(&name) {
                stack.pop();
                continue;
            }
            let node = &self.graph.node[&name];
            let waiting = local_inputs(self.graph, node).into_iter().find_map(|input| match input {
                Input::Node(target) if !open.done.contains_key(target) => Some(target.clone()),
                Input::Node(_) | Input::Missing | Input::Value(_) => None,
            });
            if let Some(target) = waiting {
                stack.push(target);
                continue;
            }
            let reg = self.node(&name, node, open, context)?;
            open.done.insert(name, reg);
            stack.pop();
        }
        Ok(open.done[name])
    }

    fn node(&mut self, name: &str, node: &Node, open: &mut Open, context: &ScopeContext) -> Result<Reg, ProgramError> {
        let graph = self.graph;
        let mut site = NodeSite { lowering: self, name, open, context };
        let op = match Exact::of(graph, node) {
            Some(exact) => exact.lower(&mut site)?,
            None => node.as_kind().lower(&mut site)?,
        };
        site.push(op)
    }

    /// Adds an operation of a node to a scope.
    pub fn push(&mut self, open: &mut Open, op: Op, name: &str) -> Result<Reg, ProgramError> {
        self.ops += 1;
        if self.ops > MOST_OPS {
            return Err(ProgramError::too_large(name, "operations", self.ops, MOST_OPS));
        }
        let points = self.tables.points.len();
        if points > MOST_POINTS {
            return Err(ProgramError::too_large(name, "control points", points, MOST_POINTS));
        }
        open.ops.push(op);
        Ok(Reg(open.ops.len() as u32 - 1))
    }
}
