//! Heights for `raster` nodes: read from files and arrays, pickled, and written into texts.

use crate::array;
use crate::error::{of_file, raised, refused, refused_value, tried};
use crate::pieces::{abandonable, stoppable};
use numpy::{PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use orogen::Stopped;
use orogen::node::{Heights, HeightsError, HeightsFile, Node, Raster};
use pyo3::prelude::*;
use std::path::{Path, PathBuf};

/// Number of values from which operations on heights take long.
const LARGE: usize = 1 << 18;

/// Sets a node's heights: a file, which is read at once and pinned by its hash, or an array, which is copied as float32.
pub(crate) fn set(node: &mut Node, what: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    const ALLOWED: &str = "the path of a file, or a two-dimensional array of numbers (rows, columns)";
    let Node::Raster(raster) = node else { return Err(refused_value(what, value, "a node of kind raster")) };
    let py = value.py();
    if let Ok(path) = tried(py, value.extract::<PathBuf>())? {
        let file = file_of(raster, path.display().to_string());
        let read = abandonable(py, move || file.read(""))?;
        raster.heights = read.map_err(|error| unreadable(py, &path, &error, || raised(format!("{what}: {}: {error}", path.display()))))?;
        return Ok(());
    }
    let array = array::values(value, what)?;
    let &[rows, columns] = array.shape() else {
        return Err(refused(what, format!("an array of shape {:?}", array.shape()), ALLOWED));
    };
    let numbers = array.as_slice().map_err(|_| array::misaligned(what))?;
    let size = [columns, rows].map(|edge| u32::try_from(edge).unwrap_or(u32::MAX));
    let values = stoppable(py, |stop| {
        let mut values = Vec::with_capacity(numbers.len());
        numbers.chunks(LARGE).try_for_each(|piece| stop.check().map(|()| values.extend_from_slice(piece)))?;
        Ok::<_, Stopped>(values)
    })?;
    let made = if values.len() > LARGE { abandonable(py, move || Heights::new(values, size))? } else { Heights::new(values, size) };
    raster.heights = made.map_err(|error| raised(format!("{what}: {error}")))?;
    Ok(())
}

/// The file of a name, with the node's declarations about it.
fn file_of(raster: &Raster, name: String) -> HeightsFile {
    let mut file = HeightsFile::new(name);
    (file.encoding, file.columns) = (raster.encoding, raster.columns);
    file
}

/// The reason why a file has no heights: system errors as in Python, else `refusal`.
pub(crate) fn unreadable(py: Python<'_>, path: &Path, error: &HeightsError, refusal: impl FnOnce() -> PyErr) -> PyErr {
    if let HeightsError::Read(error) = error { of_file(py, path, error) } else { refusal() }
}

/// The rasters among the nodes, by name.
fn rasters<'a>(nodes: impl Iterator<Item = (&'a String, &'a Node)>) -> impl Iterator<Item = (&'a String, &'a Raster)> {
    nodes.filter_map(|(name, node)| if let Node::Raster(raster) = node { Some((name, raster)) } else { None })
}

/// Runs a function for every large raster, with interrupts in between.
fn large<'a>(py: Python<'_>, nodes: impl Iterator<Item = (&'a String, &'a Node)>, find: fn(&Raster)) -> PyResult<()> {
    let is_large = |raster: &&Raster| raster.heights.values().is_some_and(|values| values.len() > LARGE);
    let large: Vec<Raster> = rasters(nodes).map(|(_, raster)| raster).filter(is_large).cloned().collect();
    if large.is_empty() { Ok(()) } else { abandonable(py, move || large.iter().for_each(find)) }
}

/// Computes missing hashes in advance, because names and comparisons of heights need them.
pub(crate) fn hash<'a>(py: Python<'_>, nodes: impl Iterator<Item = (&'a String, &'a Node)>) -> PyResult<()> {
    large(py, nodes, |raster| _ = raster.heights.digest())
}

/// Computes missing surfaces in advance, because evaluation needs them.
pub(crate) fn smooth<'a>(py: Python<'_>, nodes: impl Iterator<Item = (&'a String, &'a Node)>) -> PyResult<()> {
    large(py, nodes, |raster| _ = orogen::Noise::raster(raster.clone()).range())
}

/// Heights as pickled: the node's name, the hash, the numbers. A file may have been read twice with different content.
pub(crate) type Kept<'py> = (String, String, Bound<'py, PyArray2<f32>>);

/// The heights that the nodes of a graph have read.
pub(crate) fn kept<'py, 'a>(py: Python<'py>, nodes: impl Iterator<Item = (&'a String, &'a Node)> + Clone) -> PyResult<Vec<Kept<'py>>> {
    hash(py, nodes.clone())?;
    let mut all: Vec<Kept<'py>> = Vec::new();
    let mut keys = Vec::new();
    for (node, Raster { heights, .. }) in rasters(nodes) {
        let (Some(digest), Some(values), Some([columns, rows])) = (heights.digest(), heights.values(), heights.size()) else { continue };
        let key = heights.key();
        let array = match keys.iter().position(|known| *known == key) {
            Some(k) => all[k].2.clone(),
            None => numpy::PyArray1::from_slice(py, values).reshape([rows as usize, columns as usize])?,
        };
        keys.push(key);
        all.push((node.clone(), digest.to_string(), array));
    }
    Ok(all)
}

/// The nodes that have read heights, with the hashes: their names in a text do not include them.
pub(crate) fn digests<'a>(py: Python<'_>, nodes: impl Iterator<Item = (&'a String, &'a Node)> + Clone) -> PyResult<Vec<(String, String)>> {
    hash(py, nodes.clone())?;
    Ok(rasters(nodes).filter_map(|(node, raster)| Some((node.clone(), raster.heights.digest()?.to_string()))).collect())
}

/// Sets the pickled heights in nodes that were read from text.
pub(crate) fn restore<'a>(nodes: impl Iterator<Item = (&'a String, &'a mut Node)>, kept: &[Kept<'_>]) -> PyResult<()> {
    for (node, found) in nodes {
        let Node::Raster(raster) = found else { continue };
        if let Some((_, digest, array)) = kept.iter().find(|(known, ..)| known == node) {
            let digest = digest.parse().map_err(|error: String| raised(error))?;
            let array = array.readonly();
            let view = array.as_array();
            let size = [view.ncols(), view.nrows()].map(|edge| u32::try_from(edge).unwrap_or(u32::MAX));
            let file = file_of(raster, raster.heights.name());
            raster.heights = Heights::kept(&file, digest, view.iter().copied().collect(), size).map_err(raised)?;
        }
    }
    Ok(())
}
