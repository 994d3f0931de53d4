//! Python values as settings of parameters, and back.

use crate::error::{refused, shown};
use orogen::Setting;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};
use serde_json::{Map, Number, Value};

/// What a setting can be made of, for messages.
const ALLOWED: &str = "a number, True or False, a word, a sequence of numbers, of vectors of 3 numbers, or of points as dictionaries";

/// A Python value as a setting; `what` names the parameter in messages.
pub(crate) fn of_python(what: &str, value: &Bound<'_, PyAny>) -> PyResult<Setting> {
    let refuse = || refused(what, shown(value), ALLOWED);
    if let Ok(word) = value.cast::<PyString>() {
        return Ok(word.to_str().map_err(|_| refuse())?.into());
    }
    if value.is_instance_of::<PyBool>() {
        return Ok(value.is_truthy()?.into());
    }
    if value.is_instance_of::<PyFloat>() {
        return Ok(value.extract::<f64>().map_err(|_| refuse())?.into());
    }
    if value.is_instance_of::<PyInt>() {
        return Ok(value.extract::<i128>().map_err(|_| refuse())?.into());
    }
    if value.len().is_ok() {
        return list(value).ok_or_else(refuse);
    }
    // NumPy's numbers: whole ones are an index, others a float.
    if let Ok(flag) = value.extract::<bool>() {
        return Ok(flag.into());
    }
    match value.call_method0("__index__") {
        Ok(index) => Ok(index.extract::<i128>().map_err(|_| refuse())?.into()),
        Err(_) => Ok(value.extract::<f64>().map_err(|_| refuse())?.into()),
    }
}

fn list(value: &Bound<'_, PyAny>) -> Option<Setting> {
    if value.is_instance_of::<PyDict>() {
        return None;
    }
    if let Ok(numbers) = value.extract::<Vec<f64>>() {
        return Some(numbers.into());
    }
    if let Ok(vectors) = value.extract::<Vec<[f64; 3]>>() {
        return Some(vectors.into());
    }
    let points = value.try_iter().ok()?.map(|point| fields(point.ok()?.cast::<PyDict>().ok()?)).collect::<Option<Vec<Value>>>()?;
    serde_json::from_value(Value::Array(points)).ok()
}

/// A point: numbers and words by name.
fn fields(point: &Bound<'_, PyDict>) -> Option<Value> {
    let field = |(name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        let value = match value.cast::<PyString>() {
            Ok(word) => Value::String(word.to_str().ok()?.to_owned()),
            Err(_) => Value::Number(Number::from_f64(value.extract::<f64>().ok()?)?),
        };
        Some((name.extract::<String>().ok()?, value))
    };
    point.iter().map(field).collect::<Option<Map<String, Value>>>().map(Value::Object)
}

/// A setting as a Python value: what `of_python` reads.
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
