//! Changes of a parameter by its name, with checks of type and range.

use super::{Allowed, KindInfo, Param, ParamInfo, ParamType, Setting, meant, refusal, seed};
use crate::not_allowed::NotAllowed;
use std::fmt;

/// The reason why a parameter was not changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SetError {
    /// There is no node or stage with this name.
    #[error("'{path}' does not exist: a path is NAME.PARAMETER, with the name of a node or stage; {known}")]
    Node {
        /// The given path.
        path: String,
        /// The closest names, and the nodes and stages that exist.
        known: String,
    },
    /// There is no parameter with this name.
    #[error("{what} '{node}' has no parameter '{param}'; {known}")]
    Parameter {
        /// Node or stage.
        what: Owner,
        /// Its name.
        node: String,
        /// The given name.
        param: String,
        /// The closest names, and the parameters that it has.
        known: String,
    },
    /// The value is of another type.
    #[error("{what} '{node}': {param} = {value} is not allowed; allowed: {expected}")]
    Kind {
        /// Node or stage.
        what: Owner,
        /// Its name.
        node: String,
        /// The parameter.
        param: String,
        /// The given value.
        value: Setting,
        /// The expected type.
        expected: String,
    },
    /// The value is out of range.
    #[error("{what} '{node}': {wrong}")]
    Value {
        /// Node or stage.
        what: Owner,
        /// Its name.
        node: String,
        /// The parameter and its value.
        wrong: NotAllowed,
    },
    /// The parameter shapes the kernel.
    #[error("{what} '{node}': {param} shapes the kernel and is not live: build another noise")]
    Shape {
        /// Node or stage.
        what: Owner,
        /// Its name.
        node: String,
        /// The parameter.
        param: String,
    },
}

/// The owner of a parameter.
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

/// The extent of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// Only changes that keep the kernel.
    Live,
    /// Any allowed value.
    Any,
}

/// The reason why a setting was not accepted.
pub(crate) enum NotSet {
    /// It is of another type than this.
    Kind(String),
    /// The parameter shapes the kernel, so it cannot change while a kernel is in use.
    Shape,
    /// It is out of range.
    Value(NotAllowed),
    /// There is no such parameter.
    Unknown,
}

/// Sets a parameter, if the setting is valid for it.
#[inline(never)]
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
    let Some(new) = T::of_setting(setting) else { return Err(unfit(setting, T::TYPE, param, allowed)) };
    if let Some(refusal) = refusal(&new, param, allowed) {
        return Err(NotSet::Value(refusal));
    }
    if change == Change::Live && !slot.same_shape(&new, allowed) {
        return Err(NotSet::Shape);
    }
    *slot = new;
    Ok(())
}

/// The reason why a setting is not a value of this type.
fn unfit(setting: &Setting, of: ParamType, param: &'static str, allowed: Allowed) -> NotSet {
    match (setting, allowed) {
        // An integer outside the range of its type is out of range rather than of another type.
        (Setting::Integer(x), Allowed::Between(..) | Allowed::Dimensions(..) | Allowed::Seed) if *x >= 0 => {
            NotSet::Value(NotAllowed::new(param, x, allowed.to_string()))
        }
        (Setting::Integer(_) | Setting::Number(_) | Setting::Word(_), Allowed::Seed) => NotSet::Kind(seed::ALLOWED.to_owned()),
        _ => NotSet::Kind(of.to_string()),
    }
}

/// The description of an unknown parameter for a node or stage (`what`) of this name.
pub(crate) fn unknown_parameter((what, node): (Owner, &str), param: &str, params: &[ParamInfo]) -> SetError {
    let known = meant::param_instead(param, params);
    SetError::Parameter { what, node: node.to_owned(), param: param.to_owned(), known }
}

impl NotSet {
    /// The error for a node or stage (`what`) with this name and of this kind; `None` if it does not exist.
    pub(crate) fn named(self, (what, node): (Owner, &str), param: &str, value: Setting, info: Option<&KindInfo>) -> SetError {
        let (node, param) = (node.to_owned(), param.to_owned());
        let (kind, params) = info.map_or(("", &[][..]), |info| (info.kind, info.params));
        match self {
            NotSet::Kind(expected) => {
                let given = match &value {
                    Setting::Word(text) => text.trim().parse().ok(),
                    value => value.to_string().parse().ok(),
                };
                let advice = given.and_then(|given| seed::advice(kind, &param, given));
                let expected = advice.map_or_else(|| expected.clone(), |advice| format!("{expected} ({advice})"));
                SetError::Kind { what, node, param, value, expected }
            }
            NotSet::Shape => SetError::Shape { what, node, param },
            NotSet::Value(wrong) => SetError::Value { what, node, wrong },
            NotSet::Unknown => unknown_parameter((what, &node), &param, params),
        }
    }
}
