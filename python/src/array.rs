//! NumPy arrays: checked arguments, and results.

use crate::error::{refused, refused_because, refused_value};
use numpy::{
    BorrowError, Element, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyReadonlyArray2, PyReadonlyArrayDyn, PyReadwriteArrayDyn,
    PyUntypedArray, PyUntypedArrayMethods, dtype,
};
use orogen::{Stop, Stopped};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PySlice, PyTuple};

/// Arrays smaller than this are created without checking the free memory.
const SMALL: u64 = 64 << 20;

/// Refuses an array that exceeds the free memory, if the system reports it.
pub(crate) fn check_memory(what: &str, value: &str, bytes: u64) -> PyResult<()> {
    let mib = |bytes: u64| bytes as f64 / 1_048_576.0;
    match free_memory() {
        Some(free) if bytes > SMALL && bytes > free => {
            let allowed = format!("an array within the {:.0} MiB of free memory (split it into tiles)", mib(free));
            Err(refused(what, format!("{value}, {:.0} MiB", mib(bytes)), &allowed))
        }
        _ => Ok(()),
    }
}

/// Bytes available without swapping; `None` on systems other than Linux.
fn free_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kib| kib.saturating_mul(1024))
}

/// The memory of an array with this many values.
pub(crate) fn check_room(shape: &[usize], numbers: u64) -> PyResult<()> {
    check_memory("region: size", &format!("shape {shape:?}"), numbers.saturating_mul(4))
}

/// A new array. NumPy allocates it, so that a failure is a Python error and not an abort.
pub(crate) fn blank<'py>(py: Python<'py>, shape: &[usize]) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
    static ZEROS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let zeros = ZEROS.import(py, "numpy", "zeros")?;
    let array = match shape {
        [count] => zeros.call1((*count, dtype::<f32>(py)))?,
        _ => zeros.call1((shape.to_vec(), dtype::<f32>(py)))?,
    };
    Ok(array.cast_into()?)
}

/// The caller's array for results: float32 in memory order, writeable, of this shape.
pub(crate) fn destination<'py>(name: &str, out: &Bound<'py, PyAny>, shape: &[usize]) -> PyResult<PyReadwriteArrayDyn<'py, f32>> {
    let wanted = format!("a writeable, C-contiguous float32 array of shape {shape:?}");
    let Ok(any) = out.cast::<PyUntypedArray>() else { return Err(refused_value(name, out, &wanted)) };
    let Ok(array) = out.cast::<PyArrayDyn<f32>>() else {
        return Err(refused(name, format!("an array of dtype {}", any.dtype()), &wanted));
    };
    if array.shape() != shape {
        return Err(refused(name, format!("an array of shape {:?}", array.shape()), &wanted));
    }
    if !array.is_c_contiguous() {
        return Err(refused(name, "an array that is not C-contiguous", &wanted));
    }
    array.try_readwrite().map_err(|error| {
        let what = match error {
            BorrowError::NotWriteable => "a read-only array",
            _ => "an array that another call is using, or that overlaps another one of this call",
        };
        refused(name, what, &wanted)
    })
}

/// The error for memory that is contiguous and of the right type: it can only be misaligned.
pub(crate) fn misaligned(name: &str) -> PyErr {
    refused(name, "a misaligned array", "an array that is aligned")
}

/// Positions as f64, with one of these numbers of axes: the caller's own array if it already matches, else a copy.
pub(crate) fn positions<'py>(points: &Bound<'py, PyAny>, axes: &[usize]) -> PyResult<PyReadonlyArray2<'py, f64>> {
    // A subclass may interpret its numbers differently, for example as a mask.
    if points.is_exact_instance_of::<PyUntypedArray>()
        && let Ok(array) = points.cast::<numpy::PyArray2<f64>>()
        && array.is_c_contiguous()
        && axes.contains(&array.shape()[1])
        && let Ok(array) = array.try_readonly()
        && array.as_slice().is_ok()
    {
        return Ok(array);
    }
    let array = real::<f64>(points, "points")?;
    let shapes: Vec<String> = axes.iter().map(|axes| format!("(n, {axes})")).collect();
    let wanted = format!("an array of numbers of shape {}", shapes.join(" or "));
    match array.shape() {
        [_, found] if axes.contains(found) => (),
        shape => return Err(refused("points", format!("an array of shape {shape:?}"), &wanted)),
    }
    let array: Bound<'py, numpy::PyArray2<f64>> = array.into_any().cast_into()?;
    array.try_readonly().map_err(|_| refused("points", "an array that another call writes", &wanted))
}

/// Number of values converted or copied before Python may interrupt.
const PIECE: usize = 1 << 19;

/// An array of real numbers as contiguous values of a type: the caller's own array if it already matches, else a copy. Masked
/// values become NaN.
fn real<'py, T: Element>(values: &Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let py = values.py();
    let wanted = "an array of real numbers";
    let refuse = |reason| refused_because(reason, name, values, wanted);
    let numpy = py.import("numpy")?;
    let array = numpy.call_method1("asarray", (values,)).map_err(refuse)?;
    let array: Bound<'py, PyUntypedArray> = array.cast_into().map_err(|_| refused_value(name, values, wanted))?;
    // Booleans, signed, unsigned and real numbers. The types of objects are unknown.
    if !matches!(array.dtype().kind(), b'b' | b'i' | b'u' | b'f') {
        return Err(refused(name, format!("an array of dtype {}", array.dtype()), wanted));
    }
    let is_masked = is_masked(values)?;
    if !is_masked && array.is_c_contiguous() && array.getattr("flags")?.getattr("aligned")?.is_truthy()? {
        // Other types and byte orders are copied.
        if let Ok(same) = array.cast::<PyArrayDyn<T>>() {
            return Ok(same.clone());
        }
    }
    let to = dtype::<T>(py);
    let copy = numpy.call_method1("empty", (PyTuple::new(py, array.shape())?, &to))?;
    let from = if is_masked { values } else { array.as_any() };
    let unsafely = PyDict::new(py);
    unsafely.set_item("casting", "unsafe")?;
    for piece in pieces(py, array.shape())? {
        py.check_signals()?;
        let mut numbers = from.get_item(&piece)?;
        if is_masked {
            numbers = numbers.call_method1("astype", (&to,))?.call_method1("filled", (f64::NAN,))?;
        }
        numpy.call_method("copyto", (copy.get_item(&piece)?, numbers), Some(&unsafely)).map_err(refuse)?;
    }
    Ok(copy.cast_into()?)
}

/// Whether an array masks some of its numbers. NumPy loads the module for masked arrays on first use.
fn is_masked(values: &Bound<'_, PyAny>) -> PyResult<bool> {
    static MODULES: PyOnceLock<Py<PyDict>> = PyOnceLock::new();
    let modules = MODULES.import(values.py(), "sys", "modules")?;
    match modules.get_item("numpy.ma")? {
        Some(module) => values.is_instance(&module.getattr("MaskedArray")?),
        None => Ok(false),
    }
}

/// Indices that split an array along its longest axis.
fn pieces<'py>(py: Python<'py>, shape: &[usize]) -> PyResult<Vec<Bound<'py, PyTuple>>> {
    let Some((axis, &longest)) = shape.iter().enumerate().max_by_key(|(_, edge)| **edge) else {
        return Ok(vec![PyTuple::new(py, [py.Ellipsis()])?]);
    };
    let across = shape.iter().product::<usize>() / longest.max(1);
    let step = (PIECE / across.max(1)).max(1);
    let piece = |first: usize| {
        let end = first.saturating_add(step).min(longest);
        let along = PySlice::new(py, first as isize, end as isize, 1);
        PyTuple::new(py, [vec![PySlice::full(py); axis], vec![along]].concat())
    };
    (0..longest).step_by(step).map(piece).collect()
}

/// Values of any shape as contiguous f32; `name` is what messages call them.
pub(crate) fn values<'py>(values: &Bound<'py, PyAny>, name: &str) -> PyResult<PyReadonlyArrayDyn<'py, f32>> {
    real::<f32>(values, name)?
        .try_readonly()
        .map_err(|_| refused(name, "an array that another call writes", "an array that no other call writes meanwhile"))
}

/// A copy of many numbers.
pub(crate) fn copied(numbers: &[f32], stop: &Stop) -> Result<Vec<f32>, Stopped> {
    let mut copy = Vec::with_capacity(numbers.len());
    for piece in numbers.chunks(PIECE) {
        stop.check()?;
        copy.extend_from_slice(piece);
    }
    Ok(copy)
}
