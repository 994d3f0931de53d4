//! Surfaces of density: caves and overhangs.

use super::net::{Net, Point, Volume};
use super::{Mesh, MeshError};
use crate::engine::prepared::Prepared;
use crate::engine::{Engine, EngineError};
use crate::field::{Gradient, Sample};
use crate::graph::Noise;
use crate::region::{Region, RegionError};
use std::collections::HashMap;

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
    let density = engine.prepare(density)?;
    let distances = distances(engine, &density, region, at)?;
    let Net { points, triangles } = Volume { distances: &distances, size: size_of(region) }.net(&|| engine.go_on())?;
    mesh(&density, region, points, triangles)
}

/// What is solid inside a region: its [`surface`], and flat walls through the outermost samples where the region cuts it off. The mesh is closed,
/// as what is looked at or printed has to be; to go on beside it, take `surface`, which has no walls.
///
/// A corner between walls, or between a wall and the surface, is as many vertices at one place, each with the normal of its side.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use orogen::{Engine, Noise, Region, mesh, node};
/// let noise = Noise::perlin(node::Perlin { dimensions: 3, wavelength: 8.0, ..Default::default() });
/// let rock = mesh::solid(&Engine::new()?, &noise, &Region { size: [16; 3], ..Region::plane(1, 1) }, 0.0)?;
/// assert!(rock.positions.iter().flatten().all(|x| (0.0..=15.0).contains(x)));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// An invalid noise or region, or one that is no volume.
pub fn solid(engine: &Engine, density: &Noise, region: &Region, at: f64) -> Result<Mesh, MeshError> {
    let density = engine.prepare(density)?;
    let inner = distances(engine, &density, region, at)?;
    let size = size_of(region);
    // A layer of air around it, so far from any surface that it crosses every edge at the sample which is inside; a second one at the ends, along
    // which the net has no polygons.
    let padded = size.map(|n| n + 3);
    let mut distances = vec![f32::MAX; padded.iter().product()];
    for (i, row) in inner.chunks_exact(size[0]).enumerate() {
        let [y, z] = [i % size[1] + 1, i / size[1] + 1];
        let from = (z * padded[1] + y) * padded[0] + 1;
        distances[from..from + size[0]].copy_from_slice(row);
    }
    let Net { points, triangles } = Volume { distances: &distances, size: padded }.net(&|| engine.go_on())?;
    let points: Vec<Point> = points.into_iter().map(|point| point.map(|x| x - 1.0)).collect();
    let walls: Vec<Option<Wall>> = triangles.iter().map(|triangle| wall(triangle.map(|i| points[i as usize]), size)).collect();
    let mut mesh = mesh(&density, region, points, triangles)?;
    let mut own = HashMap::new();
    for (triangle, wall) in mesh.triangles.iter_mut().zip(walls) {
        let Some(wall) = wall else { continue };
        for corner in triangle {
            *corner = *own.entry((*corner, wall)).or_insert_with(|| {
                mesh.positions.push(mesh.positions[*corner as usize]);
                mesh.normals.push(outwards(wall));
                mesh.positions.len() as u32 - 1
            });
        }
    }
    Ok(mesh.without_unused())
}

/// A side of a region: an axis of the world, and whether it is the far one.
type Wall = (usize, bool);

/// The side that a triangle lies in.
fn wall(corners: [Point; 3], size: [usize; 3]) -> Option<Wall> {
    let ends = |axis: usize| [(0.0, (axis, false)), ((size[axis] - 1) as f64, (axis, true))];
    let lies = |&(end, (axis, _)): &(f64, Wall)| corners.iter().all(|corner| corner[axis] == end);
    (0..3).flat_map(ends).find(lies).map(|(_, wall)| wall)
}

/// A wall's normal, y up.
fn outwards((axis, far): Wall) -> [f32; 3] {
    let mut normal = [0.0; 3];
    normal[[0, 2, 1][axis]] = if far { 1.0 } else { -1.0 };
    normal
}

fn size_of(region: &Region) -> [usize; 3] {
    region.size.map(|n| n as usize)
}

/// How far from solid the samples of a volume are: below 0 inside.
fn distances(engine: &Engine, density: &Prepared, region: &Region, at: f64) -> Result<Vec<f32>, MeshError> {
    if !at.is_finite() {
        return Err(MeshError::Level { value: at });
    }
    if region.size.iter().any(|size| !(2..=LARGEST).contains(size)) {
        let error =
            RegionError { what: "size", value: format!("{:?}", region.size), allowed: "a volume of 2 to 1024 samples along each axis" };
        return Err(EngineError::from(error).into());
    }
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
    Ok(distances)
}

/// The mesh of a net whose points are measured from a region's first sample, with the density's gradient for normals.
fn mesh(density: &Prepared, region: &Region, points: Vec<Point>, triangles: Vec<[u32; 3]>) -> Result<Mesh, MeshError> {
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

impl Mesh {
    /// Without vertices that no triangle has.
    fn without_unused(mut self) -> Self {
        let mut numbers = vec![u32::MAX; self.positions.len()];
        let mut kept = Vec::new();
        for corner in self.triangles.iter_mut().flatten() {
            let number = &mut numbers[*corner as usize];
            if *number == u32::MAX {
                *number = kept.len() as u32;
                kept.push(*corner as usize);
            }
            *corner = *number;
        }
        self.positions = kept.iter().map(|&i| self.positions[i]).collect();
        self.normals = kept.iter().map(|&i| self.normals[i]).collect();
        self
    }
}
