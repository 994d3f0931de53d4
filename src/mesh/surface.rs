//! Surfaces of density: caves and overhangs.

use super::net::{STEPS, SurfaceNet, Volume};
use super::{Mesh, MeshError};
use crate::engine::Engine;
use crate::engine::prepared::Prepared;
use crate::error::EngineError;
use crate::graph::Noise;
use crate::not_allowed::NotAllowed;
use crate::region::{Region, RegionError};
use std::collections::HashMap;

/// Maximum number of samples along an edge of a volume.
const LARGEST: u32 = 1024;

/// Number of samples evaluated at a time.
const SLAB: u32 = 1 << 22;

/// The surface of the solid, where the density is at least `at`, by surface nets (Gibson 1998): one vertex for every sheet of the
/// surface in a cell of samples. Each edge inside the region belongs to two triangles, in opposite directions, so the mesh is
/// closed and oriented. Normals are the density's gradient, evaluated at every vertex. If no surface passes through the region,
/// the mesh is empty.
///
/// Triangles are created inside the region only, because those along its borders need cells on both sides. Use
/// [`chunk`](super::chunk) to divide a world into chunks. For many surfaces, prepare the noise and use [`Surfaces`].
///
/// # Errors
/// Returns an error if the noise, the level or the region is invalid, or if the region is not a volume.
pub fn surface(engine: &Engine, density: &Noise, region: &Region, at: f64) -> Result<Mesh, MeshError> {
    let mut mesh = Mesh::default();
    Surfaces::new().of(&engine.prepare(density)?, region, at, &mut mesh)?;
    Ok(mesh)
}

/// Creates surfaces one after another in the same memory, from a prepared noise or from given samples.
///
/// After a surface of the same size, neither this nor the mesh that it writes to allocates; evaluating a noise on several threads
/// may. Use one instance per thread.
///
/// ```
/// use orogen::mesh::{Mesh, Surfaces, chunk};
/// use orogen::{Backend, Engine, EngineOptions, Noise, node};
/// let engine = Engine::open(&EngineOptions { backend: Backend::Cpu, ..Default::default() })?;
/// let rock = engine.prepare(&Noise::perlin(node::Perlin { dimensions: 3, wavelength: 16.0, ..Default::default() }))?;
/// let (mut surfaces, mut mesh) = (Surfaces::new(), Mesh::default());
/// for x in 0..3 {
///     surfaces.of(&rock, &chunk([x, 0, 0], 32), 0.0, &mut mesh)?;
///     assert!(!mesh.triangles.is_empty());
/// }
/// // The player has dug a hole.
/// let region = chunk([0, 0, 0], 32);
/// let mut densities = rock.field(&region)?.values;
/// densities[(20 * 34 + 20) * 34 + 20] = -1.0;
/// surfaces.of_samples(&densities, &region, 0.0, &mut mesh)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Surfaces {
    net: SurfaceNet,
    densities: Vec<f32>,
    /// Positions of the vertices in the world, and the values of the noise there.
    places: Vec<[f64; 3]>,
    values: Vec<f32>,
    gradients: Vec<[f32; 3]>,
    /// The sum of the triangles around each vertex, for vertices where the density has no slope.
    sums: Vec<[f64; 3]>,
}

impl Surfaces {
    /// Creates an instance; memory is allocated for the first surface.
    pub fn new() -> Self {
        Surfaces::default()
    }

    /// Replaces a mesh by the [`surface`] of a prepared noise.
    ///
    /// # Errors
    /// Returns the errors of [`surface`]; the mesh is then unchanged.
    pub fn of(&mut self, density: &Prepared, region: &Region, at: f64, mesh: &mut Mesh) -> Result<(), MeshError> {
        check(region, at)?;
        let count = region.samples() as usize;
        if self.densities.capacity() < count {
            // The system zeroes new memory as it is used, so a call that is stopped early does not touch all of it.
            self.densities = vec![0.0; count];
        }
        self.densities.resize(count, 0.0);
        evaluate(density, region, &mut self.densities)?;
        let volume = Volume::new(&self.densities, size_of(region), at);
        self.net.find(&volume, false, &|| density.engine().go_on())?;
        self.sample(density, region)?;
        write(&self.net, &self.gradients, region, mesh, &mut self.sums);
        Ok(())
    }

    /// Replaces a mesh by the [`surface`] of given samples, x fastest, then y, then z. The region gives their number along each
    /// axis, their spacing and their position. Normals are the gradient of the samples, interpolated inside each cell.
    /// Neighbouring chunks agree on them, but shading shows the cells of a coarse mesh more than with the gradient of a noise.
    ///
    /// # Errors
    /// Returns the errors of [`surface`], and an error if the number of samples differs from that of the region, or if a sample
    /// is not finite. The mesh is then unchanged.
    pub fn of_samples(&mut self, densities: &[f32], region: &Region, at: f64, mesh: &mut Mesh) -> Result<(), MeshError> {
        check(region, at)?;
        let refuse = |what, value: String, allowed| Err(MeshError::Samples(NotAllowed::new(what, value, allowed)));
        if densities.len() as u64 != region.samples() {
            return refuse(
                "samples",
                format!("{} for a region of {:?}", densities.len(), region.size),
                "one for each sample of the region",
            );
        }
        if let Some(value) = densities.iter().find(|value| !value.is_finite()) {
            return refuse("sample", value.to_string(), "finite numbers");
        }
        let go_on = || Ok::<(), MeshError>(());
        self.net.find(&Volume::new(densities, size_of(region), at), true, &go_on)?;
        write(&self.net, &self.net.gradients, region, mesh, &mut self.sums);
        Ok(())
    }

    /// Evaluates the gradients of a density at the vertices of the net.
    fn sample(&mut self, density: &Prepared, region: &Region) -> Result<(), MeshError> {
        let (anchor, scale) = (region.position([0; 3]), region.step() / f64::from(STEPS));
        self.places.clear();
        self.places
            .extend(self.net.points.iter().map(|point| -> [f64; 3] { std::array::from_fn(|a| anchor[a] + f64::from(point[a]) * scale) }));
        self.values.resize(self.places.len(), 0.0);
        self.gradients.resize(self.places.len(), [0.0; 3]);
        Ok(density.sample_with_gradient_into(&self.places, &mut self.values, &mut self.gradients)?)
    }
}

/// The solid inside a region: its [`surface`], closed by flat walls through the outermost samples at the borders of the region.
/// Use this for display or printing; for chunks that continue next to each other, use `surface`, which has no walls.
///
/// A corner between walls, or between a wall and the surface, has one vertex per side at the same position, each with the normal
/// of its side.
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
/// Returns the errors of [`surface`].
pub fn solid(engine: &Engine, density: &Noise, region: &Region, at: f64) -> Result<Mesh, MeshError> {
    check(region, at)?;
    let density = engine.prepare(density)?;
    let size = size_of(region);
    let mut inner = vec![0.0; region.samples() as usize];
    evaluate(&density, region, &mut inner)?;
    // Adds a layer of air around it, and a second one at the far ends, along which the net has no polygons.
    let padded = size.map(|n| n + 3);
    let mut densities = vec![f32::NEG_INFINITY; padded.iter().product()];
    for (i, row) in inner.chunks_exact(size[0]).enumerate() {
        let [y, z] = [i % size[1] + 1, i / size[1] + 1];
        let from = (z * padded[1] + y) * padded[0] + 1;
        densities[from..from + size[0]].copy_from_slice(row);
    }
    let mut surfaces = Surfaces::new();
    surfaces.net.find(&Volume::new(&densities, padded, at), false, &|| engine.go_on())?;
    for point in &mut surfaces.net.points {
        *point = point.map(|steps| steps - STEPS);
    }
    surfaces.sample(&density, region)?;
    let (net, mut mesh) = (&surfaces.net, Mesh::default());
    write(net, &surfaces.gradients, region, &mut mesh, &mut surfaces.sums);
    let walls: Vec<Option<Wall>> = net.triangles.iter().map(|triangle| wall(triangle.map(|i| net.points[i as usize]), size)).collect();
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

/// The side in which a triangle lies and which it faces. Another part of the surface may touch the side from inside.
fn wall(corners: [[u32; 3]; 3], size: [usize; 3]) -> Option<Wall> {
    let [a, b, c] = corners.map(|corner| corner.map(i64::from));
    // Triangles of a net are clockwise seen from outside in the world's axes.
    let inwards = |axis: usize| {
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        (b[i] - a[i]) * (c[j] - a[j]) - (b[j] - a[j]) * (c[i] - a[i])
    };
    let ends = |axis: usize| [(0, (axis, false)), ((size[axis] as u32 - 1) * STEPS, (axis, true))];
    let lies = |&(end, (axis, far)): &(u32, Wall)| {
        corners.iter().all(|corner| corner[axis] == end) && if far { inwards(axis) <= 0 } else { inwards(axis) >= 0 }
    };
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

fn check(region: &Region, at: f64) -> Result<(), MeshError> {
    if !at.is_finite() {
        return Err(MeshError::Level(NotAllowed::new("at", at, "a finite number")));
    }
    region.check()?;
    if region.size.iter().any(|size| !(2..=LARGEST).contains(size)) {
        let error = RegionError::new("size", format!("{:?}", region.size), "a volume of 2 to 1024 samples along each axis");
        return Err(EngineError::from(error).into());
    }
    Ok(())
}

/// The densities of a volume.
fn evaluate(density: &Prepared, region: &Region, densities: &mut [f32]) -> Result<(), MeshError> {
    let [width, height, depth] = region.size;
    let layers = (SLAB / (width * height)).max(1);
    for (slab, z) in densities.chunks_mut((width * height * layers) as usize).zip((0..depth).step_by(layers as usize)) {
        density.engine().go_on()?;
        let [i, j, k] = region.origin;
        let part = Region { origin: [i, j, k + i64::from(z)], size: [width, height, layers.min(depth - z)], ..*region };
        density.field_into(&part, slab)?;
    }
    Ok(())
}

/// Replaces a mesh by a net. The first sample of the region is the net's origin; `gradients` are those of the density at its
/// vertices. `sums` is memory for vertices without a slope.
fn write(net: &SurfaceNet, gradients: &[[f32; 3]], region: &Region, mesh: &mut Mesh, sums: &mut Vec<[f64; 3]>) {
    let ([x, y, z], scale) = (region.position([0; 3]), region.step() / f64::from(STEPS));
    let Mesh { anchor, positions, normals, triangles } = mesh;
    *anchor = [x, z, y];
    positions.clear();
    positions.extend(net.points.iter().map(|&[x, y, z]| [x, z, y].map(|steps| (f64::from(steps) * scale) as f32)));
    triangles.clear();
    triangles.extend_from_slice(&net.triangles);
    normals.clear();
    let mut flat = false;
    normals.extend(gradients.iter().map(|gradient| {
        let [x, y, z] = gradient.map(f64::from);
        let length = libm::sqrt(x * x + y * y + z * z);
        flat |= length == 0.0;
        [-x / length, -z / length, -y / length].map(|c| c as f32)
    }));
    if flat {
        mesh.lean_on_triangles(sums);
    }
}

impl Mesh {
    /// Replaces undefined normals, where the density has no slope, by the area-weighted mean of the adjacent triangles.
    fn lean_on_triangles(&mut self, sums: &mut Vec<[f64; 3]>) {
        let lost = |normal: &[f32; 3]| normal[0].is_nan();
        sums.clear();
        sums.resize(self.normals.len(), [0.0; 3]);
        for triangle in self.triangles.iter().filter(|corners| corners.iter().any(|&corner| lost(&self.normals[corner as usize]))) {
            let [a, b, c] = triangle.map(|i| self.positions[i as usize].map(f64::from));
            let [u, v] = [b, c].map(|p| [0, 1, 2].map(|axis| p[axis] - a[axis]));
            let across = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
            for &corner in triangle {
                let sum = &mut sums[corner as usize];
                *sum = [0, 1, 2].map(|axis| sum[axis] + across[axis]);
            }
        }
        for (normal, &[x, y, z]) in self.normals.iter_mut().zip(&*sums).filter(|(normal, _)| lost(normal)) {
            let length = libm::sqrt(x * x + y * y + z * z);
            *normal = if length > 0.0 { [x / length, y / length, z / length].map(|c| c as f32) } else { [0.0, 1.0, 0.0] };
        }
    }

    /// Removes vertices without triangles.
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
