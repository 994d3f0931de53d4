//! A refused value: one shape and one text for all errors.

use std::borrow::Cow;

/// A value that is not allowed, as `WHAT = VALUE is not allowed; allowed: ALLOWED`. Errors that know more, such as the node, wrap it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} = {value} is not allowed; allowed: {allowed}")]
#[non_exhaustive]
pub struct NotAllowed {
    /// The parameter or property, as its caller names it.
    pub what: &'static str,
    /// The refused value as text.
    pub value: String,
    /// The allowed values in words, with their unit.
    pub allowed: Cow<'static, str>,
}

impl NotAllowed {
    /// Formats the value with `Display`.
    #[expect(clippy::needless_pass_by_value, reason = "callers give a number or a text as they have it")]
    pub fn new(what: &'static str, value: impl ToString, allowed: impl Into<Cow<'static, str>>) -> Self {
        NotAllowed { what, value: value.to_string(), allowed: allowed.into() }
    }
}
