//! Python values as settings of parameters, and back.

use crate::error::{refused_because, refused_value, tried};
use orogen::Setting;
use orogen::node::{Allowed, ParamInfo};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};
use serde_json::{Map, Number, Value};

/// The values that a setting can be made of, for messages.
const ALLOWED: &str = "a number, True or False, a word, a sequence of numbers, of vectors of 3 numbers, or of points as dictionaries";

/// A Python value as a setting; `what` names the parameter in messages.
pub(crate) fn of_python(what: &str, value: &Bound<'_, PyAny>) -> PyResult<Setting> {
    of_parameter(what, value, ALLOWED)
}

/// The allowed values of a parameter, for messages.
pub(crate) fn allowed(info: &ParamInfo) -> String {
    let of_type = info.param_type.to_string();
    // Words, and values that are not numbers, have no range.
    match info.allowed {
        Allowed::Between(..) => format!("{of_type}, {}", info.allowed),
        _ => of_type,
    }
}

/// As `of_python`; `allowed` is the parameter's range.
pub(crate) fn of_parameter(what: &str, value: &Bound<'_, PyAny>, allowed: &str) -> PyResult<Setting> {
    let py = value.py();
    let allowed = if allowed.is_empty() { ALLOWED } else { allowed };
    let refuse = |reason| refused_because(reason, what, value, allowed);
    if let Ok(word) = value.cast::<PyString>() {
        return Ok(word.to_str().map_err(refuse)?.into());
    }
    if value.is_instance_of::<PyBool>() {
        return Ok(value.is_truthy()?.into());
    }
    if value.is_instance_of::<PyFloat>() {
        return Ok(value.extract::<f64>().map_err(refuse)?.into());
    }
    if value.is_instance_of::<PyInt>() {
        return Ok(value.extract::<i128>().map_err(refuse)?.into());
    }
    if value.is_none() {
        return Err(refused_value(what, value, allowed));
    }
    if tried(py, value.len())?.is_ok() {
        return list(value).map_err(refuse);
    }
    // NumPy numbers: integers have an index, others are floats.
    if let Ok(flag) = tried(py, value.extract::<bool>())? {
        return Ok(flag.into());
    }
    match tried(py, value.call_method0("__index__"))? {
        Ok(index) => Ok(index.extract::<i128>().map_err(refuse)?.into()),
        Err(_) => Ok(value.extract::<f64>().map_err(refuse)?.into()),
    }
}

/// Number of list elements read before Python may interrupt.
const PIECE: usize = 1 << 12;

fn list(value: &Bound<'_, PyAny>) -> PyResult<Setting> {
    let py = value.py();
    if value.is_instance_of::<PyDict>() || !value.hasattr("__getitem__")? {
        return Err(PyTypeError::new_err("not a sequence"));
    }
    let mut parts = Vec::new();
    for part in value.try_iter()? {
        if parts.len().is_multiple_of(PIECE) {
            py.check_signals()?;
        }
        parts.push(part?);
    }
    if let Ok(numbers) = tried(py, each(py, &parts, |part| part.extract::<f64>()))? {
        return Ok(numbers.into());
    }
    if let Ok(vectors) = tried(py, each(py, &parts, |part| part.extract::<[f64; 3]>()))? {
        return Ok(vectors.into());
    }
    let points = each(py, &parts, |part| fields(part.cast::<PyDict>()?))?;
    serde_json::from_value(Value::Array(points)).map_err(|error| PyTypeError::new_err(error.to_string()))
}

/// Converts elements one after the other, with interrupts in between.
fn each<'py, T>(py: Python<'py>, parts: &[Bound<'py, PyAny>], convert: impl Fn(&Bound<'py, PyAny>) -> PyResult<T>) -> PyResult<Vec<T>> {
    let one = |(i, part): (usize, &Bound<'py, PyAny>)| {
        if i.is_multiple_of(PIECE) {
            py.check_signals()?;
        }
        convert(part)
    };
    parts.iter().enumerate().map(one).collect()
}

/// A point: numbers and words by name.
fn fields(point: &Bound<'_, PyDict>) -> PyResult<Value> {
    let mut named = Map::new();
    for (name, value) in point {
        let value = match value.cast::<PyString>() {
            Ok(word) => Value::String(word.to_str()?.to_owned()),
            Err(_) => Number::from_f64(value.extract::<f64>()?).map_or(Value::Null, Value::Number),
        };
        named.insert(name.extract()?, value);
    }
    Ok(Value::Object(named))
}

/// A setting as a Python value, which `of_python` reads back.
pub(crate) fn to_python<'py>(py: Python<'py>, setting: &Setting) -> PyResult<Bound<'py, PyAny>> {
    match setting {
        Setting::Flag(x) => Ok(PyBool::new(py, *x).to_owned().into_any()),
        Setting::Integer(x) => Ok(x.into_pyobject(py)?.into_any()),
        Setting::Number(x) => Ok(PyFloat::new(py, *x).into_any()),
        Setting::Word(x) => Ok(PyString::new(py, x).into_any()),
        // As text every other one is a list.
        points => {
            let text = serde_json::to_string(points).map_err(crate::error::raised)?;
            py.import("json")?.call_method1("loads", (text,))
        }
    }
}
