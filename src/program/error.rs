//! The reasons why a graph does not become a program, or a program does not run in a region.

use crate::frame::StepError;
use crate::not_allowed::NotAllowed;
use crate::params::{NAMES, short};

/// Maximum displacement of a lattice by a warp, in cells: beyond it, f32 arithmetic might overflow.
pub(crate) const FARTHEST_CELLS: f64 = 1e30;

/// The reason why a graph is invalid. Every message contains the node, the parameter, its value and the allowed values.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GraphError {
    /// A number outside its range.
    #[error("{}{wrong}", prefix(node))]
    Parameter {
        /// Name of the node, empty for the graph's output.
        node: String,
        /// The parameter and its value.
        wrong: NotAllowed,
    },
    /// A required input is missing.
    #[error("node '{node}': input {param} is missing; allowed: the name of a node or a number")]
    MissingInput {
        /// Name of the node.
        node: String,
        /// Name of the input.
        param: &'static str,
    },
    /// An input (or the output) names a node that does not exist.
    #[error("{}{}: there is no node '{name}'; {known}", prefix(node), param)]
    UnknownNode {
        /// Name of the node that refers to it; empty for the graph's output.
        node: String,
        /// Name of the input.
        param: &'static str,
        /// The name that is not found.
        name: String,
        /// The closest names, and the nodes that exist.
        known: String,
    },
    /// A node has an invalid name.
    #[error("node '{}': the name is not allowed; allowed: {NAMES}", node.escape_default())]
    Name {
        /// The name.
        node: String,
    },
    /// A node depends on itself.
    #[error("node '{node}': {param} closes a cycle: {path}; allowed: graphs without cycles")]
    Cycle {
        /// A node of the cycle.
        node: String,
        /// The input through which it closes.
        param: &'static str,
        /// The nodes of the cycle in order.
        path: String,
    },
}

/// The node at fault, before the text of the error.
fn prefix(node: &str) -> String {
    if node.is_empty() { String::new() } else { format!("node '{node}': ") }
}

impl GraphError {
    /// The node and the parameter at fault. The node is empty for the graph's `output`.
    pub fn site(&self) -> (&str, &'static str) {
        match self {
            GraphError::Parameter { node, wrong } => (node, wrong.what),
            GraphError::MissingInput { node, param }
            | GraphError::UnknownNode { node, param, .. }
            | GraphError::Cycle { node, param, .. } => (node, param),
            GraphError::Name { node } => (node, "kind"),
        }
    }

    pub(crate) fn parameter(node: &str, param: &'static str, value: impl Into<String>, allowed: impl Into<String>) -> Self {
        GraphError::Parameter { node: node.to_owned(), wrong: NotAllowed::new(param, value.into(), allowed.into()) }
    }
}

/// A graph whose values have no bounds in the range of f32.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RangeError {
    /// The graph itself is invalid.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// A node's values may overflow.
    #[error("node '{node}': its values may reach {value:e}; allowed: magnitudes up to 1e30, so that f32 arithmetic stays finite")]
    TooLarge {
        /// Name of the node.
        node: String,
        /// The largest possible magnitude.
        value: f64,
    },
}

/// The reason why a graph or a region cannot be evaluated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ProgramError {
    /// The graph is invalid.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The values overflow.
    #[error(transparent)]
    Range(#[from] RangeError),
    /// The gradients overflow.
    #[error(
        "node '{node}': its gradient may reach {value:e} per world unit; allowed: magnitudes up to 1e30, so that f32 arithmetic stays finite (fewer octaves, a smaller lacunarity or strength, a longer wavelength), or values without gradients"
    )]
    Steep {
        /// Name of the node.
        node: String,
        /// The largest possible length of its gradient.
        value: f64,
    },
    /// A gradient was requested of a node that is computed from gradients.
    #[error(
        "node '{node}' has no gradient, because it is computed from gradients; allowed here: noises with a gradient, or values without gradients"
    )]
    NoGradient {
        /// Name of the node.
        node: String,
    },
    /// The graph unfolds into too much.
    #[error("node '{node}' unfolds too far: {wrong}")]
    TooLarge {
        /// The node at which the limit was exceeded.
        node: String,
        /// The count that is too large.
        wrong: NotAllowed,
    },
    /// A warp may move a lattice beyond the range of its integers.
    #[error(
        "node '{node}': positions are displaced by up to {cells:e} cells of its lattice; allowed: less than {allowed:e} (less strength, smaller scales or a longer wavelength)"
    )]
    Displacement {
        /// Displacement in cells; not finite if a scale is too large for a lattice.
        node: String,
        /// Cells; not finite where a scale is too large for a lattice at all.
        cells: f64,
        /// The limit.
        allowed: f64,
    },
    /// A lattice that does not support the period.
    #[error("node '{periodic}': period = {value} along {axis} is not allowed: node '{node}' cannot repeat after it; allowed: {allowed}")]
    Period {
        /// The periodic node.
        periodic: String,
        /// The node whose lattice it is.
        node: String,
        /// x, y, z or w.
        axis: char,
        /// The requested period, in world units.
        value: f64,
        /// The supported periods.
        allowed: String,
    },
    /// The region's samples are too far apart for a lattice.
    #[error("node '{node}': {error}")]
    Step {
        /// The node whose lattice it is.
        node: String,
        /// The error of the lattice.
        error: StepError,
    },
    /// A position beyond the range of a node's coordinates.
    #[error(
        "node '{node}': {}; allowed: less than {} (a larger unit or size, or for a mirror a nearer plane)",
        reached(*position, value * unit),
        short(allowed * unit)
    )]
    Coordinate {
        /// The coordinate node.
        node: String,
        /// The position.
        position: [f64; 3],
        /// The largest of its coordinates, in the node's units.
        value: f64,
        /// The limit, in the same units.
        allowed: f64,
        /// World units per unit.
        unit: f64,
    },
}

/// A position that is far from where a node's coordinates begin, in world units.
fn reached(position: [f64; 3], distance: f64) -> String {
    let [x, y, z] = position.map(short);
    format!("along an axis, the position [{x}, {y}, {z}] is {} world units from the node's origin", short(distance))
}

impl ProgramError {
    /// The error of a node that unfolds to more than `allowed` of something.
    pub(crate) fn too_large(node: &str, what: &'static str, value: usize, allowed: usize) -> Self {
        ProgramError::TooLarge { node: node.to_owned(), wrong: NotAllowed::new(what, value, format!("at most {allowed}")) }
    }

    /// The error of a node whose lattice is displaced by more cells than it supports.
    pub(crate) fn too_far(node: &str, cells: f64) -> Self {
        ProgramError::Displacement { node: node.to_owned(), cells, allowed: FARTHEST_CELLS }
    }

    /// The node and the parameter at fault; the parameter is `kind` if no single one is.
    pub fn site(&self) -> (&str, &'static str) {
        match self {
            ProgramError::Graph(error) | ProgramError::Range(RangeError::Graph(error)) => error.site(),
            ProgramError::Period { periodic, axis: 'w', .. } => (periodic, "w_period"),
            ProgramError::Period { periodic, .. } => (periodic, "period"),
            ProgramError::Range(RangeError::TooLarge { node, .. })
            | ProgramError::Steep { node, .. }
            | ProgramError::NoGradient { node }
            | ProgramError::TooLarge { node, .. }
            | ProgramError::Displacement { node, .. }
            | ProgramError::Step { node, .. }
            | ProgramError::Coordinate { node, .. } => (node, "kind"),
        }
    }
}
