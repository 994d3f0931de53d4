//! Arguments of the package's own classes: messages name the classes as Python does.

use pyo3::PyClass;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::True;
use std::ops::Deref;

/// A class, with the name that programs use for it.
pub(crate) trait Named: PyClass<Frozen = True> + Sync {
    const SHOWN: &'static str;
}

/// An argument of a class.
pub(crate) struct Argument<'py, T>(Bound<'py, T>);

impl<'py, T: Named> FromPyObject<'_, 'py> for Argument<'py, T> {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match value.cast::<T>() {
            Ok(found) => Ok(Argument(found.to_owned())),
            Err(_) => Err(PyTypeError::new_err(format!("expected {}, got {}", T::SHOWN, kind_of(&value)?))),
        }
    }
}

impl<T: Named> Deref for Argument<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.get()
    }
}

/// The class of a value, in Python's words.
fn kind_of(value: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(if value.is_none() { "None".to_owned() } else { value.get_type().name()?.to_string() })
}
