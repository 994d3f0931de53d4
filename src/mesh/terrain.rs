//! Heights as a mesh, in chunks without cracks between them.

use super::thin::{HeightGrid, Thinned};
use super::{Mesh, MeshError};
use crate::field::Layer;
use crate::not_allowed::NotAllowed;
use crate::region::RegionError;
use crate::stop::Stop;

/// Maximum number of cells along an edge.
const LARGEST: u32 = 4096;

/// Options of [`terrain`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Terrain {
    /// Maximum distance of a sample above or below the triangles, in world units. With 0, every sample is a vertex.
    pub error: f64,
    /// Depth of the walls around the chunk, in world units; 0 for no walls. They hide the gaps between chunks of different
    /// levels.
    pub skirt: f64,
}

impl Terrain {
    pub(crate) fn check(&self) -> Result<(), MeshError> {
        for (what, number) in [("error", self.error), ("skirt", self.skirt)] {
            if !(0.0..=1e9).contains(&number) {
                return Err(MeshError::Terrain(NotAllowed::new(what, number, "0 to 1e9 world units")));
            }
        }
        Ok(())
    }
}

/// Heights as a mesh. The outermost samples of the layer only determine the normals at the border.
///
/// With an allowed error, flat ground has few triangles and steep ground many: no sample lies farther from the mesh than the
/// error. The vertices of a border depend only on the samples along it. Neighbouring chunks
/// ([`terrain_chunk`](super::terrain_chunk)) therefore have the same vertices and normals on their common border, without cracks.
/// This holds for chunks of one level.
///
/// A finer chunk and a coarser one ([`coarser_terrain_chunk`](super::coarser_terrain_chunk)) both end at their common border. The
/// finer one has additional samples there, so there are gaps. `skirt` closes them if it is deep enough: the steepest slope along
/// the border times the step of the coarser level, plus both errors, is always sufficient.
///
/// The mesh is the same on every machine. The cost is proportional to the number of samples. With an error, each sample is
/// visited again whenever its triangle is split: for 256² cells, with a fifth of the triangles left, that takes about 0.1 s
/// without optimisation.
///
/// ```
/// use orogen::mesh::{Terrain, terrain, terrain_chunk};
/// use orogen::node::Simplex;
/// use orogen::{Backend, Engine, EngineOptions, Noise};
/// let engine = Engine::open(&EngineOptions { backend: Backend::Cpu, ..Default::default() })?;
/// let hills = Noise::simplex(Simplex { wavelength: 40.0, ..Default::default() }).scale_offset(10.0, 0.0);
/// let heights = engine.field(&hills, &terrain_chunk([0, 0], 64))?.into();
/// let fine = terrain(&heights, &Terrain::default())?;
/// let thin = terrain(&heights, &Terrain { error: 0.5, ..Terrain::default() })?;
/// assert_eq!(fine.triangles.len(), 2 * 64 * 64);
/// assert!(thin.triangles.len() < fine.triangles.len() / 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if the layer is not a plane of one channel with 4 to 4099 samples along each axis. It also fails if the error
/// or the skirt is negative or not finite, or if a height is not finite.
pub fn terrain(heights: &Layer, how: &Terrain) -> Result<Mesh, MeshError> {
    terrain_until(heights, how, &Stop::default())
}

/// As [`terrain`], with cancellation.
///
/// # Errors
/// Returns the errors of [`terrain`], and [`EngineError::Stopped`](crate::EngineError::Stopped) a few milliseconds after
/// cancellation.
pub fn terrain_until(heights: &Layer, how: &Terrain, stop: &Stop) -> Result<Mesh, MeshError> {
    how.check()?;
    let Terrain { error, skirt } = how;
    let region = &heights.region;
    region.check()?;
    let refuse = |what, value: String, allowed| Err(MeshError::Terrain(NotAllowed::new(what, value, allowed)));
    let [width, height, depth] = region.size;
    if depth != 1 || [width, height].iter().any(|edge| !(4..=LARGEST + 3).contains(edge)) {
        let allowed = "a plane of 4 to 4099 samples along each axis: the vertices with a margin of one sample";
        return Err(RegionError::new("size", format!("{:?}", region.size), allowed).into());
    }
    if heights.channels != 1 || heights.values.len() as u64 != region.samples() {
        let value = format!("of {} channels with {} numbers for {} samples", heights.channels, heights.values.len(), region.samples());
        return refuse("a layer", value, "one channel with a number for each sample");
    }
    if let Some(value) = heights.values.iter().find(|value| !value.is_finite()) {
        return refuse("a height of", value.to_string(), "finite numbers");
    }
    let stride = width as usize;
    let grid = HeightGrid { heights: &heights.values[stride + 1..], stride, size: [width, height].map(|n| n as usize - 2) };
    let Thinned { vertices, triangles, border } = grid.thinned(*error, stop)?;
    let step = region.step();
    let around = |[x, y]: [usize; 2]| {
        // Relative to the first sample of the layer.
        let at = |dx: usize, dy: usize| f64::from(heights.values[(y + dy) * stride + x + dx]);
        [at(2, 1) - at(0, 1), at(1, 2) - at(1, 0)].map(|rise| rise / (2.0 * step))
    };
    let mut mesh = Mesh {
        anchor: {
            let [x, y, _] = region.position([1, 1, 0]);
            [x, 0.0, y]
        },
        positions: stop.map(&vertices, |&[x, y]| [(x as f64 * step) as f32, grid.height([x, y]) as f32, (y as f64 * step) as f32])?,
        normals: stop.map(&vertices, |&at| upright(around(at)))?,
        // With y and z exchanged, anticlockwise becomes clockwise.
        triangles: stop.map(&triangles, |&[a, b, c]| [a, c, b])?,
    };
    if *skirt > 0.0 {
        hang(&mut mesh, &border, *skirt as f32);
    }
    Ok(mesh)
}

/// The unit normal of a slope, y up.
fn upright([x, y]: [f64; 2]) -> [f32; 3] {
    let length = libm::sqrt(x * x + y * y + 1.0);
    [-x / length, 1.0 / length, -y / length].map(|c| c as f32)
}

/// Walls that hang down from the border and face outwards.
fn hang(mesh: &mut Mesh, border: &[u32], depth: f32) {
    let first = mesh.positions.len() as u32;
    for &top in border {
        let [x, y, z] = mesh.positions[top as usize];
        mesh.positions.push([x, y - depth, z]);
        mesh.normals.push(mesh.normals[top as usize]);
    }
    for (i, &a) in border.iter().enumerate() {
        let next = (i + 1) % border.len();
        let (b, below_a, below_b) = (border[next], first + i as u32, first + next as u32);
        mesh.triangles.extend([[a, below_b, below_a], [a, b, below_b]]);
    }
}
