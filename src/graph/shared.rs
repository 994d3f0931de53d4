//! Tables that nodes share: the octave offsets of fractals and the control points of splines. Each node reads its own entries of
//! a common list, as the terrain shader's samplers do.

use super::Graph;
use crate::graph::node::Node;
use crate::graph::node::kind::CheckedNode;
use crate::params::{Input, Role, short};
use crate::program::GraphError;

impl Graph {
    /// The node that an input names.
    pub(crate) fn table(&self, input: Option<&Input>) -> Option<&Node> {
        if let Some(Input::Node(name)) = input { self.node.get(name) } else { None }
    }

    /// Checks that table inputs refer to a table of the right kind, and that no other input refers to a table.
    pub(super) fn check_roles(&self, at: &CheckedNode<'_>, node: &Node) -> Result<(), GraphError> {
        for (param, input, role) in node.roles() {
            match (role, self.table(Some(input))) {
                (Role::Table(kind), found) if found.is_none_or(|table| table.info().kind != kind) => {
                    return at.refuse(param, told(input), format!("the name of a node of kind \"{kind}\""));
                }
                (Role::Here | Role::Slope | Role::Elsewhere, Some(found)) if found.is_table() => {
                    return at.refuse(param, told(input), "nodes that have values: this one is a table");
                }
                (Role::Table(_) | Role::Here | Role::Slope | Role::Elsewhere, Some(_) | None) => (),
            }
        }
        Ok(())
    }
}

fn told(input: &Input) -> String {
    match input {
        Input::Missing => "none".to_owned(),
        Input::Node(name) => format!("'{name}'"),
        Input::Value(x) => short(*x),
    }
}
