//! Heights that come in: files and arrays for nodes that look numbers up, and what is pickled of them.

use crate::error::{raised, refused, shown};
use numpy::{PyArray2, PyArrayMethods, PyReadonlyArray2};
use orogen::node::{Heights, Node};
use pyo3::prelude::*;
use std::path::PathBuf;

/// What can be heights, for messages.
const ALLOWED: &str = "the path of a file, or a two-dimensional array of numbers (rows, columns)";

/// Gives a node its heights: a file, which is read at once, or an array, which is copied as float32.
pub(crate) fn set(node: &mut Node, what: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let Node::Raster(raster) = node else { return Err(refused(what, shown(value), "nothing of this kind")) };
    if let Ok(path) = value.extract::<PathBuf>() {
        raster.heights = Heights::read(&path).map_err(|error| refused(what, path.display().to_string(), &error.to_string()))?;
        return Ok(());
    }
    let wrong = || refused(what, shown(value), ALLOWED);
    let array = value.py().import("numpy")?.call_method1("ascontiguousarray", (value, "float32")).map_err(|_| wrong())?;
    let array: PyReadonlyArray2<'_, f32> = array.extract().map_err(|_| wrong())?;
    let (values, size) = numbers(&array);
    raster.heights = Heights::new(values, size).map_err(|error| refused(what, shown(value), &error.to_string()))?;
    Ok(())
}

/// An array's numbers in rows, with columns and rows.
fn numbers(array: &PyReadonlyArray2<'_, f32>) -> (Vec<f32>, [u32; 2]) {
    let view = array.as_array();
    (view.iter().copied().collect(), [view.ncols(), view.nrows()].map(|edge| u32::try_from(edge).unwrap_or(u32::MAX)))
}

/// Heights as they are pickled: the name, the hash, the numbers.
pub(crate) type Kept<'py> = (String, String, Bound<'py, PyArray2<f32>>);

/// What a graph's nodes have read.
pub(crate) fn kept<'py, 'a>(py: Python<'py>, nodes: impl Iterator<Item = &'a Node>) -> PyResult<Vec<Kept<'py>>> {
    let mut all: Vec<Kept<'py>> = Vec::new();
    for node in nodes {
        let Node::Raster(raster) = node else { continue };
        let heights = &raster.heights;
        let (Some(digest), Some(values), Some([columns, rows])) = (heights.digest(), heights.values(), heights.size()) else { continue };
        if all.iter().all(|(name, ..)| *name != heights.name()) {
            let array = numpy::PyArray1::from_slice(py, values).reshape([rows as usize, columns as usize])?;
            all.push((heights.name(), digest.to_string(), array));
        }
    }
    Ok(all)
}

/// Gives nodes that were read from text the heights that were pickled with it.
pub(crate) fn restore<'a>(nodes: impl Iterator<Item = &'a mut Node>, kept: &[Kept<'_>]) -> PyResult<()> {
    for node in nodes {
        let Node::Raster(raster) = node else { continue };
        let name = raster.heights.name();
        if let Some((_, digest, array)) = kept.iter().find(|(known, ..)| *known == name) {
            let (values, size) = numbers(&array.readonly());
            let digest = digest.parse().map_err(|error: String| raised(error))?;
            raster.heights = Heights::kept(&name, digest, values, size).map_err(raised)?;
        }
    }
    Ok(())
}
