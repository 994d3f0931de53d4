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

/// Heights as they are pickled: the node's name, the hash, the numbers. One file may have been read twice, with other numbers.
pub(crate) type Kept<'py> = (String, String, Bound<'py, PyArray2<f32>>);

/// The nodes that have read something, and what.
fn rasters<'a>(nodes: impl Iterator<Item = (&'a String, &'a Node)>) -> impl Iterator<Item = (&'a String, &'a Heights)> {
    nodes.filter_map(|(name, node)| match node {
        Node::Raster(raster) => Some((name, &raster.heights)),
        _ => None,
    })
}

/// What a graph's nodes have read.
pub(crate) fn kept<'py, 'a>(py: Python<'py>, nodes: impl Iterator<Item = (&'a String, &'a Node)>) -> PyResult<Vec<Kept<'py>>> {
    let mut all: Vec<Kept<'py>> = Vec::new();
    for (node, heights) in rasters(nodes) {
        let (Some(digest), Some(values), Some([columns, rows])) = (heights.digest(), heights.values(), heights.size()) else { continue };
        let digest = digest.to_string();
        let array = match all.iter().find(|(_, known, _)| *known == digest) {
            Some((.., array)) => array.clone(),
            None => numpy::PyArray1::from_slice(py, values).reshape([rows as usize, columns as usize])?,
        };
        all.push((node.clone(), digest, array));
    }
    Ok(all)
}

/// The nodes that have read something, and the hash of that: what their names in a text do not say.
pub(crate) fn digests<'a>(nodes: impl Iterator<Item = (&'a String, &'a Node)>) -> Vec<(String, String)> {
    rasters(nodes).filter_map(|(node, heights)| Some((node.clone(), heights.digest()?.to_string()))).collect()
}

/// Gives nodes that were read from text the heights that were pickled with it.
pub(crate) fn restore<'a>(nodes: impl Iterator<Item = (&'a String, &'a mut Node)>, kept: &[Kept<'_>]) -> PyResult<()> {
    for (node, found) in nodes {
        let Node::Raster(raster) = found else { continue };
        if let Some((_, digest, array)) = kept.iter().find(|(known, ..)| known == node) {
            let (values, size) = numbers(&array.readonly());
            let digest = digest.parse().map_err(|error: String| raised(error))?;
            raster.heights = Heights::kept(&raster.heights.name(), digest, values, size).map_err(raised)?;
        }
    }
    Ok(())
}
