//! Changing a parameter by its name, typed and checked.

use super::{Allowed, Param, ParamInfo, Refusal, Setting};

/// Why a parameter was not changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SetError {
    /// No node of that name.
    #[error("'{path}' names no node; allowed: NODE.PARAMETER, with one of the nodes {known}")]
    Node {
        /// What was given.
        path: String,
        /// The nodes there are.
        known: String,
    },
    /// No parameter of that name.
    #[error("node '{node}' has no parameter '{param}'; allowed: {known}")]
    Parameter {
        /// The node.
        node: String,
        /// What was given.
        param: String,
        /// The parameters it has.
        known: String,
    },
    /// A value of another type.
    #[error("node '{node}': {param} = {value} is not allowed; allowed: {expected}")]
    Kind {
        /// The node.
        node: String,
        /// The parameter.
        param: String,
        /// What was given.
        value: Setting,
        /// What it takes.
        expected: String,
    },
    /// A value out of range.
    #[error("node '{node}': {param} = {value} is not allowed; allowed: {allowed}")]
    Value {
        /// The node.
        node: String,
        /// The parameter.
        param: String,
        /// What of it is out of range.
        value: String,
        /// The range.
        allowed: String,
    },
    /// A parameter that shapes the kernel.
    #[error("node '{node}': {param} shapes the kernel and is not live: build another noise")]
    Shape {
        /// The node.
        node: String,
        /// The parameter.
        param: String,
    },
}

/// How far a change may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// Only so far that the same kernel will do.
    Live,
    /// To anything that the parameter may be.
    Any,
}

/// What a parameter says to a setting.
pub(crate) enum Unset {
    /// It takes something else, as this says.
    Kind(String),
    /// It is none of those that are live.
    Shape,
    /// Not this one.
    Value(Refusal),
    /// There is no such parameter.
    Unknown,
}

/// Gives a parameter another value, if that is one for it.
pub(crate) fn assign<T: Param>(
    slot: &mut T,
    param: &'static str,
    setting: &Setting,
    allowed: Allowed,
    change: Change,
) -> Result<(), Unset> {
    if change == Change::Live && allowed == Allowed::Structural {
        return Err(Unset::Shape);
    }
    let Some(new) = T::of_setting(setting) else {
        // A whole number that its type cannot hold is out of range rather than of another type.
        return Err(match (setting, allowed) {
            (Setting::Integer(x), Allowed::Between(..) | Allowed::Dimensions(..)) if *x >= 0 => {
                Unset::Value(Refusal { param, value: x.to_string(), allowed })
            }
            _ => Unset::Kind(T::TYPE.to_string()),
        });
    };
    if let Some(value) = new.refuse(allowed) {
        return Err(Unset::Value(Refusal { param, value, allowed }));
    }
    if change == Change::Live && !slot.same_shape(&new, allowed) {
        return Err(Unset::Shape);
    }
    *slot = new;
    Ok(())
}

pub(crate) fn unknown_parameter(node: &str, param: &str, params: &[ParamInfo]) -> SetError {
    let known = params.iter().map(|param| param.name).collect::<Vec<_>>().join(", ");
    SetError::Parameter { node: node.to_owned(), param: param.to_owned(), known }
}

impl Unset {
    /// The error, of a node or stage that has these parameters.
    pub(crate) fn named(self, node: &str, param: &str, value: Setting, params: &[ParamInfo]) -> SetError {
        let (node, param) = (node.to_owned(), param.to_owned());
        match self {
            Unset::Kind(expected) => SetError::Kind { node, param, value, expected },
            Unset::Shape => SetError::Shape { node, param },
            Unset::Value(Refusal { value, allowed, .. }) => SetError::Value { node, param, value, allowed: allowed.to_string() },
            Unset::Unknown => unknown_parameter(&node, &param, params),
        }
    }
}
