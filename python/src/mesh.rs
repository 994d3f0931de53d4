//! Heights and surfaces of volumes as triangles.

use crate::array;
use crate::engine::Engine;
use crate::error::{raised, refused};
use crate::noise::Noise;
use crate::pieces::watched;
use crate::region::{Region, whole};
use numpy::{IntoPyArray, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use orogen::Layer;
use orogen::mesh::{self, Terrain};
use pyo3::prelude::*;

/// Vertices, faces, normals, anchor.
type Arrays<'py> = (Bound<'py, PyArray2<f32>>, Bound<'py, PyArray2<u32>>, Bound<'py, PyArray2<f32>>, (f64, f64, f64));

/// Bytes that a sample of the volume takes on the way.
const BYTES: u64 = 24;

/// The surface of what is solid, where the density is `at` or more, in the world's axes; with `walls` where the region ends.
#[pyfunction]
pub(crate) fn surface<'py>(
    py: Python<'py>,
    engine: &Engine,
    density: &Noise,
    region: &Region,
    at: f64,
    walls: bool,
) -> PyResult<Arrays<'py>> {
    let (engine, density, region) = (engine.get()?, density.get(), region.0);
    array::check_memory("region: size", &format!("{:?}", region.size), region.samples().saturating_mul(BYTES))?;
    let found = watched(py, &engine, |engine| if walls { mesh::solid } else { mesh::surface }(engine, &density, &region, at))?;
    arrays(py, &found)
}

/// Heights as triangles, in the world's axes: values of a region, the outermost of which tell the normals at the border.
#[pyfunction]
pub(crate) fn terrain<'py>(py: Python<'py>, heights: &Bound<'py, PyAny>, region: &Region, error: f64, skirt: f64) -> PyResult<Arrays<'py>> {
    let heights = array::values(heights)?;
    let [columns, rows, _] = region.0.size.map(|n| n as usize);
    if heights.shape() != [rows, columns] {
        return Err(refused("heights", format!("an array of shape {:?}", heights.shape()), "the shape of the region: (rows, columns)"));
    }
    let values = heights.as_slice().map_err(|_| array::misaligned("heights"))?.to_vec();
    let layer = Layer { name: String::new(), region: region.0, channels: 1, values };
    arrays(py, &py.detach(|| mesh::terrain(&layer, &Terrain { error, skirt })).map_err(raised)?)
}

fn arrays<'py>(py: Python<'py>, found: &mesh::Mesh) -> PyResult<Arrays<'py>> {
    // The library has y up, as glTF. To swap two axes turns every triangle around.
    let upright = |all: &[[f32; 3]]| all.iter().flat_map(|&[x, z, y]| [x, y, z]).collect::<Vec<f32>>();
    let faces: Vec<u32> = found.triangles.iter().flat_map(|&[a, b, c]| [a, c, b]).collect();
    Ok((
        upright(&found.positions).into_pyarray(py).reshape([found.positions.len(), 3])?,
        faces.into_pyarray(py).reshape([found.triangles.len(), 3])?,
        upright(&found.normals).into_pyarray(py).reshape([found.normals.len(), 3])?,
        (found.anchor[0], found.anchor[2], found.anchor[1]),
    ))
}

/// The samples of a chunk of `cells`² cells of the world cut into such chunks, for `terrain`: chunks side by side then meet without a crack.
#[pyfunction]
pub(crate) fn terrain_chunk(x: &Bound<'_, PyAny>, y: &Bound<'_, PyAny>, cells: &Bound<'_, PyAny>) -> PyResult<Region> {
    let region = mesh::terrain_chunk([whole("x", x)?, whole("y", y)?], whole("cells", cells)?);
    region.check().map_err(raised)?;
    Ok(Region(region))
}

/// The samples of a chunk of `cells`³ cells of the world cut into such chunks, for `surface`: chunks side by side then meet without a gap.
#[pyfunction]
pub(crate) fn chunk_volume(x: &Bound<'_, PyAny>, y: &Bound<'_, PyAny>, z: &Bound<'_, PyAny>, cells: &Bound<'_, PyAny>) -> PyResult<Region> {
    let region = mesh::chunk([whole("x", x)?, whole("y", y)?, whole("z", z)?], whole("cells", cells)?);
    region.check().map_err(raised)?;
    Ok(Region(region))
}

/// A `terrain_chunk` some levels of detail further up: cells of 2ᵏ times the size, from edge to edge of the same ground.
#[pyfunction]
pub(crate) fn coarser_terrain_chunk(chunk: &Region, levels: &Bound<'_, PyAny>) -> PyResult<Region> {
    Region::checked(mesh::coarser_terrain_chunk(&chunk.0, whole("levels", levels)?).map_err(raised)?)
}

/// A `chunk_volume` some levels of detail further up: cells of 2ᵏ times the size, which fill the same part of the world.
#[pyfunction]
pub(crate) fn coarser_chunk_volume(chunk: &Region, levels: &Bound<'_, PyAny>) -> PyResult<Region> {
    Region::checked(mesh::coarser_chunk(&chunk.0, whole("levels", levels)?).map_err(raised)?)
}
