//! The operations of a single node at one sample, whose inputs have values already: planes of stages and noises.

use super::{Bounds, Open, ProgramLowering, ScopeContext};
use crate::graph::lower::NodeSite;
use crate::graph::{Graph, LARGEST_VALUE};
use crate::interval::Interval;
use crate::params::{Input, Role};
use crate::program::instance::Instance;
use crate::program::{Op, ProgramError, Reg, Scalar, Tables};

/// A node as operations. The first ones stand for its inputs.
pub(crate) struct Pointwise {
    /// The inputs that are nodes or stages, each once, in the order of the operations that stand for them.
    pub inputs: Vec<String>,
    /// The operations; each reads only earlier results. The last is the node's.
    pub ops: Vec<Op>,
    /// The numbers of the operations.
    pub tables: Tables,
}

impl Pointwise {
    /// The operations of a node of a graph, which needs to contain that node and the tables that it reads.
    ///
    /// # Errors
    /// Returns an error if the node cannot be evaluated.
    pub fn of(graph: &Graph, name: &str) -> Result<Self, ProgramError> {
        let node = &graph.node[name];
        let everything = Interval::new(-LARGEST_VALUE, LARGEST_VALUE);
        let mut lowering = ProgramLowering::new(graph, Bounds::default());
        let (mut open, mut inputs) = (Open::default(), Vec::new());
        lowering.tables.scalars.push(0.0);
        for (_, input, role) in node.roles() {
            let (Role::Here, Input::Node(input)) = (role, input) else { continue };
            if !open.done.contains_key(input) {
                open.done.insert(input.clone(), Reg(inputs.len() as u32));
                open.ops.push(Op::Constant(Scalar(0)));
                lowering.bounds.ranges.insert(input, everything);
                inputs.push(input.clone());
            }
        }
        let context = ScopeContext { instances: vec![Instance::root()], displaced: false, quantised: false, depth: 0 };
        let mut site = NodeSite { lowering: &mut lowering, name, open: &mut open, context: &context };
        let op = node.as_kind().lower(&mut site)?;
        site.push(op)?;
        Ok(Pointwise { inputs, ops: open.ops, tables: lowering.tables })
    }
}
