//! Every error of the library as one of Python's.

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::fmt::Display;

create_exception!(
    orogen,
    OrogenError,
    PyValueError,
    "What Orogen refuses. The message names the node, the parameter, its value and what is allowed."
);

/// An error of the library, as Python raises it.
pub(crate) fn raised(error: impl Display) -> PyErr {
    OrogenError::new_err(error.to_string())
}

/// `what = value is not allowed; allowed: …`, as the library says it.
pub(crate) fn refused(what: &str, value: impl Display, allowed: &str) -> PyErr {
    OrogenError::new_err(format!("{what} = {value} is not allowed; allowed: {allowed}"))
}

/// A Python value in a message: its `repr`, cut short.
pub(crate) fn shown(value: &Bound<'_, PyAny>) -> String {
    const LONGEST: usize = 80;
    let text = value.repr().map_or_else(|_| value.get_type().to_string(), |text| text.to_string_lossy().into_owned());
    if text.chars().count() <= LONGEST { text } else { text.chars().take(LONGEST).chain("…".chars()).collect() }
}
