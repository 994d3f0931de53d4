//! Converts every error of the library into a Python error, and handles errors that Python raises during a conversion.

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyMemoryError, PyOSError, PyValueError};
use pyo3::prelude::*;
use std::fmt::Display;
use std::io;
use std::path::Path;

create_exception!(
    orogen,
    OrogenError,
    PyValueError,
    "A value that Orogen refuses. The message names the node, the parameter, its value and the allowed range."
);

/// An error of the library as a Python error.
pub(crate) fn raised(error: impl Display) -> PyErr {
    OrogenError::new_err(error.to_string())
}

/// `what = value is not allowed; allowed: …`, in the format of the library.
pub(crate) fn refused(what: &str, value: impl Display, allowed: &str) -> PyErr {
    OrogenError::new_err(format!("{what} = {value} is not allowed; allowed: {allowed}"))
}

/// As above for a Python value, with its `repr`. An interrupt during that call is raised instead.
pub(crate) fn refused_value(what: &str, value: &Bound<'_, PyAny>, allowed: &str) -> PyErr {
    match shown(value) {
        Ok(text) => refused(what, text, allowed),
        Err(interrupt) => interrupt,
    }
}

/// A value that Python could not convert: the reason becomes the cause, unless it is an interrupt.
pub(crate) fn refused_because(reason: PyErr, what: &str, value: &Bound<'_, PyAny>, allowed: &str) -> PyErr {
    because(value.py(), reason, || refused_value(what, value, allowed))
}

/// An error with another one as its cause (`__cause__`), unless that one is an interrupt, which is raised as it is.
pub(crate) fn because(py: Python<'_>, reason: PyErr, error: impl FnOnce() -> PyErr) -> PyErr {
    if is_interrupt(py, &reason) {
        return reason;
    }
    let error = error();
    if !is_interrupt(py, &error) {
        error.set_cause(py, Some(reason));
    }
    error
}

/// The outcome of a conversion that may fail: interrupts are returned as errors, other errors as the reason why the value does
/// not fit.
pub(crate) fn tried<T>(py: Python<'_>, outcome: PyResult<T>) -> PyResult<Result<T, PyErr>> {
    match outcome {
        Err(error) if is_interrupt(py, &error) => Err(error),
        outcome => Ok(outcome),
    }
}

/// Whether an error is unrelated to a value: Ctrl-C, exit, exhausted memory.
fn is_interrupt(py: Python<'_>, error: &PyErr) -> bool {
    !error.is_instance_of::<PyException>(py) || error.is_instance_of::<PyMemoryError>(py)
}

/// A Python value in a message: its `repr`, truncated.
fn shown(value: &Bound<'_, PyAny>) -> PyResult<String> {
    const LONGEST: usize = 80;
    let text = match tried(value.py(), value.repr())? {
        Ok(text) => text.to_string_lossy().into_owned(),
        Err(_) => format!("a {}", value.get_type().name()?),
    };
    Ok(if text.chars().count() <= LONGEST { text } else { text.chars().take(LONGEST).chain("…".chars()).collect() })
}

/// A system error about a file, as Python's own functions raise it: with `errno`, `strerror` and `filename`.
pub(crate) fn of_file(py: Python<'_>, path: &Path, error: &io::Error) -> PyErr {
    let named = || {
        let (code, text) = match error.raw_os_error() {
            Some(code) => (code, py.import("os")?.call_method1("strerror", (code,))?.extract()?),
            None => (py.import("errno")?.getattr(name_of(error.kind()))?.extract()?, error.to_string()),
        };
        // The class for the code: FileNotFoundError and others.
        py.get_type::<PyOSError>().call1((code, text, path.as_os_str()))
    };
    named().map_or_else(|error| error, PyErr::from_value)
}

/// The system's code for a kind of error that the library detected itself.
fn name_of(kind: io::ErrorKind) -> &'static str {
    match kind {
        io::ErrorKind::NotFound => "ENOENT",
        io::ErrorKind::PermissionDenied => "EACCES",
        io::ErrorKind::IsADirectory => "EISDIR",
        io::ErrorKind::FileTooLarge => "EFBIG",
        io::ErrorKind::OutOfMemory => "ENOMEM",
        io::ErrorKind::InvalidInput => "EINVAL",
        _ => "EIO",
    }
}
