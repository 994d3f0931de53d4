//! Changing a parameter by its name, typed and checked.

use super::{Allowed, Param, ParamInfo, Setting, meant, seed};
use crate::not_allowed::NotAllowed;
use std::fmt;

/// Why a parameter was not changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SetError {
    /// No node or stage of that name.
    #[error("'{path}' names nothing: a path is NAME.PARAMETER, with the name of a node or stage; {known}")]
    Node {
        /// What was given.
        path: String,
        /// What may be meant, and the nodes and stages there are.
        known: String,
    },
    /// No parameter of that name.
    #[error("{what} '{node}' has no parameter '{param}'; {known}")]
    Parameter {
        /// Whose parameter it is.
        what: Owner,
        /// Its name.
        node: String,
        /// What was given.
        param: String,
        /// What may be meant, and the parameters it has.
        known: String,
    },
    /// A value of another type.
    #[error("{what} '{node}': {param} = {value} is not allowed; allowed: {expected}")]
    Kind {
        /// Whose parameter it is.
        what: Owner,
        /// Its name.
        node: String,
        /// The parameter.
        param: String,
        /// What was given.
        value: Setting,
        /// What it takes.
        expected: String,
    },
    /// A value out of range.
    #[error("{what} '{node}': {wrong}")]
    Value {
        /// Whose parameter it is.
        what: Owner,
        /// Its name.
        node: String,
        /// The parameter and its value.
        wrong: NotAllowed,
    },
    /// A parameter that shapes the kernel.
    #[error("{what} '{node}': {param} shapes the kernel and is not live: build another noise")]
    Shape {
        /// Whose parameter it is.
        what: Owner,
        /// Its name.
        node: String,
        /// The parameter.
        param: String,
    },
}

/// What has parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Owner {
    /// A node of a graph.
    Node,
    /// A stage of a pipeline.
    Stage,
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Owner::Node => "node",
            Owner::Stage => "stage",
        })
    }
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
pub(crate) enum NotSet {
    /// It takes something else, as this says.
    Kind(String),
    /// The parameter decides the shape of the kernel, so it cannot change while one is in use.
    Shape,
    /// Not this one.
    Value(NotAllowed),
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
) -> Result<(), NotSet> {
    if change == Change::Live && allowed == Allowed::Structural {
        return Err(NotSet::Shape);
    }
    let Some(new) = T::of_setting(setting) else {
        // A whole number that its type cannot hold is out of range rather than of another type.
        return Err(match (setting, allowed) {
            (Setting::Integer(x), Allowed::Between(..) | Allowed::Dimensions(..) | Allowed::Seed) if *x >= 0 => {
                NotSet::Value(NotAllowed::new(param, x, allowed.to_string()))
            }
            (Setting::Integer(_) | Setting::Number(_), Allowed::Seed) => NotSet::Kind(seed::allowed(&setting.to_string())),
            (Setting::Word(text), Allowed::Seed) => NotSet::Kind(seed::allowed(text)),
            _ => NotSet::Kind(T::TYPE.to_string()),
        });
    };
    if let Some(value) = new.refuse(allowed) {
        return Err(NotSet::Value(NotAllowed::new(param, value, T::told(allowed).to_string())));
    }
    if change == Change::Live && !slot.same_shape(&new, allowed) {
        return Err(NotSet::Shape);
    }
    *slot = new;
    Ok(())
}

/// Of a node or stage, as the word says, of this name.
pub(crate) fn unknown_parameter((what, node): (Owner, &str), param: &str, params: &[ParamInfo]) -> SetError {
    let known = meant::param_instead(param, params);
    SetError::Parameter { what, node: node.to_owned(), param: param.to_owned(), known }
}

impl NotSet {
    /// The error, of a node or stage, as the word says, that has this name and these parameters.
    pub(crate) fn named(self, (what, node): (Owner, &str), param: &str, value: Setting, params: &[ParamInfo]) -> SetError {
        let (node, param) = (node.to_owned(), param.to_owned());
        match self {
            NotSet::Kind(expected) => SetError::Kind { what, node, param, value, expected },
            NotSet::Shape => SetError::Shape { what, node, param },
            NotSet::Value(wrong) => SetError::Value { what, node, wrong },
            NotSet::Unknown => unknown_parameter((what, &node), &param, params),
        }
    }
}
