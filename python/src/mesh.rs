//! Heights and surfaces of volumes as triangles.

use crate::argument::Argument;
use crate::array::{self, copied};
use crate::engine::Engine;
use crate::error::{raised, refused};
use crate::heights;
use crate::noise::Noise;
use crate::pieces::{stoppable, watched};
use crate::region::{Region, whole};
use numpy::{IntoPyArray, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use orogen::mesh::{self, Terrain};
use orogen::{EngineError, Layer};
use pyo3::prelude::*;

/// Vertices, faces, normals, anchor.
type Arrays<'py> = (Bound<'py, PyArray2<f32>>, Bound<'py, PyArray2<u32>>, Bound<'py, PyArray2<f32>>, (f64, f64, f64));

/// Bytes per sample of the volume during the computation.
const BYTES: u64 = 24;

/// The surface of the solid part, where the density is at least `at`, in the world's axes; with `walls` at the borders of the
/// region.
#[pyfunction]
pub(crate) fn surface<'py>(
    py: Python<'py>,
    engine: Argument<'py, Engine>,
    density: Argument<'py, Noise>,
    region: Argument<'py, Region>,
    at: f64,
    walls: bool,
) -> PyResult<Arrays<'py>> {
    let (engine, density, region) = (engine.get()?, density.get(), region.samples);
    array::check_memory("region: size", &format!("{:?}", region.size), region.samples().saturating_mul(BYTES))?;
    heights::smooth(py, density.graph().node.iter())?;
    let find = if walls { mesh::solid } else { mesh::surface };
    arrays(py, watched(py, &engine, |engine| find(engine, &density, &region, at).map(Upright::from))?)
}

/// Heights as triangles, in the world's axes. The outermost values of the region only determine the normals at the border.
#[pyfunction]
pub(crate) fn terrain<'py>(
    py: Python<'py>,
    heights: &Bound<'py, PyAny>,
    region: Argument<'py, Region>,
    error: f64,
    skirt: f64,
) -> PyResult<Arrays<'py>> {
    let heights = array::values(heights, "heights")?;
    let region = region.samples;
    let [columns, rows, _] = region.size.map(|n| n as usize);
    if heights.shape() != [rows, columns] {
        return Err(refused("heights", format!("an array of shape {:?}", heights.shape()), "the shape of the region: (rows, columns)"));
    }
    let values = heights.as_slice().map_err(|_| array::misaligned("heights"))?;
    let found = stoppable(py, |stop| {
        let layer = Layer { name: String::new(), region, channels: 1, values: copied(values, stop).map_err(EngineError::from)? };
        mesh::terrain_until(&layer, &Terrain { error, skirt }, stop).map(Upright::from)
    })?;
    arrays(py, found)
}

/// A mesh in the world's axes, as arrays.
struct Upright {
    positions: Vec<f32>,
    faces: Vec<u32>,
    normals: Vec<f32>,
    anchor: [f64; 3],
}

impl From<mesh::Mesh> for Upright {
    fn from(found: mesh::Mesh) -> Self {
        // The library has y up, as glTF. Swapping two axes reverses the orientation of triangles.
        let upright = |all: &[[f32; 3]]| all.iter().flat_map(|&[x, z, y]| [x, y, z]).collect::<Vec<f32>>();
        let faces = found.triangles.iter().flat_map(|&[a, b, c]| [a, c, b]).collect();
        Upright { positions: upright(&found.positions), faces, normals: upright(&found.normals), anchor: found.anchor }
    }
}

fn arrays(py: Python<'_>, found: Upright) -> PyResult<Arrays<'_>> {
    let (vertices, faces) = (found.positions.len() / 3, found.faces.len() / 3);
    Ok((
        found.positions.into_pyarray(py).reshape([vertices, 3])?,
        found.faces.into_pyarray(py).reshape([faces, 3])?,
        found.normals.into_pyarray(py).reshape([vertices, 3])?,
        (found.anchor[0], found.anchor[2], found.anchor[1]),
    ))
}

/// The region of a chunk in a world of chunks of `cells`² cells, for `terrain`. Neighbouring chunks meet without a crack.
#[pyfunction]
pub(crate) fn terrain_chunk(x: &Bound<'_, PyAny>, y: &Bound<'_, PyAny>, cells: &Bound<'_, PyAny>) -> PyResult<Region> {
    let region = mesh::terrain_chunk([whole("x", x)?, whole("y", y)?], whole("cells", cells)?);
    Region::plane_of(region)
}

/// The region of a chunk in a world of chunks of `cells`³ cells, for `surface`. Neighbouring chunks meet without a gap.
#[pyfunction]
pub(crate) fn chunk_volume(x: &Bound<'_, PyAny>, y: &Bound<'_, PyAny>, z: &Bound<'_, PyAny>, cells: &Bound<'_, PyAny>) -> PyResult<Region> {
    let region = mesh::chunk([whole("x", x)?, whole("y", y)?, whole("z", z)?], whole("cells", cells)?);
    Region::volume_of(region)
}

/// A `terrain_chunk` at a coarser level of detail: cells are 2ᵏ times as large, and cover the same ground.
#[pyfunction]
pub(crate) fn coarser_terrain_chunk(chunk: Argument<'_, Region>, levels: &Bound<'_, PyAny>) -> PyResult<Region> {
    Region::plane_of(mesh::coarser_terrain_chunk(&chunk.samples, whole("levels", levels)?).map_err(raised)?)
}

/// A `chunk_volume` at a coarser level of detail: cells are 2ᵏ times as large, and fill the same part of the world.
#[pyfunction]
pub(crate) fn coarser_chunk_volume(chunk: Argument<'_, Region>, levels: &Bound<'_, PyAny>) -> PyResult<Region> {
    Region::volume_of(mesh::coarser_chunk(&chunk.samples, whole("levels", levels)?).map_err(raised)?)
}
