//! Surfaces of density: caves and overhangs.

use super::net::{Net, Volume};
use super::{Mesh, MeshError};
use crate::engine::{Engine, EngineError};
use crate::field::{Gradient, Sample};
use crate::graph::Noise;
use crate::region::{Region, RegionError};

/// Edge of the largest volume, in samples.
const LARGEST: u32 = 1024;

/// Samples that are evaluated at a time.
const SLAB: u32 = 1 << 22;

/// Steps that a vertex's place in its cell is rounded to: so few that a vertex which two chunks have is the same number in both.
const STEPS: f64 = 4096.0;

/// The samples of a chunk of `cells`³ cells of the world cut into such chunks, for [`surface`]: two more along each axis than cells. Chunks
/// side by side then have every triangle once, and vertices along their borders twice, at the same place: what is closed in the world
/// is closed in their meshes together, with no gap between any two.
///
/// That holds for chunks of one level. Where spacing is a power of two, the places are equal bit for bit, else within a rounding of f32.
///
/// ```
/// let chunk = orogen::mesh::chunk([1, 0, -1], 32);
/// assert_eq!((chunk.origin, chunk.size), ([32, 0, -32], [34; 3]));
/// ```
pub fn chunk(at: [i64; 3], cells: u32) -> Region {
    let size = [cells.saturating_add(2); 3];
    Region { origin: at.map(|i| i.saturating_mul(i64::from(cells))), size, ..Region::plane(1, 1) }
}

/// The surface of what is solid, where the density is more than `at`, by surface nets (Gibson 1998): a vertex for every sheet of the surface in
/// a cell of samples, so that each edge inside the region belongs to two triangles, in opposite directions: the mesh is closed and
/// oriented. Where the surface passes through no cell, a mesh without triangles.
///
/// Triangles are made inside the region: those along its borders need cells on both sides. To cut a world into chunks take
/// [`chunk`].
///
/// # Errors
/// An invalid noise or region, or one that is no volume.
pub fn surface(engine: &Engine, density: &Noise, region: &Region, at: f64) -> Result<Mesh, MeshError> {
    if region.size.iter().any(|size| !(2..=LARGEST).contains(size)) {
        let error =
            RegionError { what: "size", value: format!("{:?}", region.size), allowed: "a volume of 2 to 1024 samples along each axis" };
        return Err(EngineError::from(error).into());
    }
    let density = engine.prepare(density)?;
    let mut distances = vec![0.0; region.samples() as usize];
    let [width, height, depth] = region.size;
    let layers = (SLAB / (width * height)).max(1);
    for (slab, z) in distances.chunks_mut((width * height * layers) as usize).zip((0..depth).step_by(layers as usize)) {
        engine.go_on()?;
        let [i, j, k] = region.origin;
        let part = Region { origin: [i, j, k + i64::from(z)], size: [width, height, layers.min(depth - z)], ..*region };
        density.field_into(&part, slab)?;
        slab.iter_mut().for_each(|value| *value = (at - f64::from(*value)) as f32);
    }
    let volume = Volume { distances: &distances, size: region.size.map(|n| n as usize) };
    let Net { points, triangles } = volume.net(&|| engine.go_on())?;
    let (anchor, step) = (region.position([0; 3]), region.step());
    let vertices: Vec<[f64; 3]> = points.into_iter().map(|point| point.map(|x| (x * STEPS).round() / STEPS * step)).collect();
    let places: Vec<[f64; 3]> = vertices.iter().map(|vertex| std::array::from_fn(|a| anchor[a] + vertex[a])).collect();
    let normal = |sample: &Sample| {
        let [x, y, z] = sample.gradient.unwrap_or_default();
        let length = libm::sqrt(x * x + y * y + z * z).max(f64::MIN_POSITIVE);
        [-x / length, -z / length, -y / length].map(|c| c as f32)
    };
    let normals: Vec<[f32; 3]> = density.sample(&places, Gradient::With)?.iter().map(normal).collect();
    let positions: Vec<[f32; 3]> = vertices.iter().map(|&[x, y, z]| [x, z, y].map(|c| c as f32)).collect();
    // With z up in place of y what was anticlockwise is clockwise.
    let triangles = triangles.into_iter().map(|[a, b, c]| [a, c, b]).collect();
    Ok(Mesh { anchor, positions, normals, triangles })
}
