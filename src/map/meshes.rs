//! Heights as triangles: a mesh for each chunk of the world, in a given number of levels of detail. Chunks of a level have the same
//! vertices on shared borders; see [`crate::mesh::terrain`].
//!
//! ```text
//! meshes/meshes.json     position and number of triangles of each chunk
//!   0/x0_y0.glb          level k has every 2ᵏth sample, beginning with the first one
//! ```

use crate::bake::{BakeError, Baked, Plan, PlanError, Progress, Tiles};
use crate::field::Layer;
use crate::map::names::MESHES;
use crate::map::record::Draft;
use crate::map::samples::Samples;
use crate::mesh::{MeshError, Terrain, terrain};
use crate::region::Region;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::io::Error;

/// Chunks per batch.
const BATCH: usize = 16;

/// Meshes of the heights, which are the first layer. Meshes omit other layers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Meshes {
    /// The file format.
    pub format: MeshFormat,
    /// Cells along the edge of a chunk, from 8 to 4096. Chunks at the end of the world may be smaller.
    pub cells: u32,
    /// Number of levels of detail, one or more.
    pub levels: u32,
    /// The largest vertical distance of a sample from the triangles of level 0, in world units. It doubles with each level.
    pub error: f64,
    /// Height of the walls around chunks, in world units. 0 omits the walls.
    pub skirt: f64,
}

/// File formats of meshes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum MeshFormat {
    /// Binary glTF 2.0, y up, relative to the first sample of the bake.
    Glb,
    /// Binary PLY, z up, in world positions.
    Ply,
}

impl MeshFormat {
    fn name(self) -> &'static str {
        match self {
            MeshFormat::Glb => "glb",
            MeshFormat::Ply => "ply",
        }
    }
}

/// A chunk of a level.
#[derive(Clone, Copy)]
struct Chunk {
    level: u32,
    /// Its index along x and y.
    at: [u64; 2],
    /// Index of its first sample in the level.
    from: [u64; 2],
    cells: [u32; 2],
}

impl Meshes {
    pub(super) fn check(&self, plan: &Plan) -> Result<(), BakeError> {
        let refuse = |what, value: String, allowed: &str| Err(PlanError::map(what, value, allowed.to_owned()).into());
        if !(8..=4096).contains(&self.cells) {
            return refuse("cells", self.cells.to_string(), "8 to 4096");
        }
        let shortest = plan.samples().into_iter().min().unwrap_or_default();
        if shortest < 2 {
            return refuse("samples", shortest.to_string(), "2 or more along each axis: meshes have cells between them");
        }
        // The last level has at least one cell.
        let most = shortest.ilog2();
        if !(1..=most).contains(&self.levels) {
            return refuse("levels", self.levels.to_string(), &format!("1 to {most} for {shortest} samples"));
        }
        match self.terrain(self.levels - 1).check() {
            Err(MeshError::Terrain(wrong)) => Err(PlanError::Map(wrong).into()),
            _ => Ok(()),
        }
    }

    fn chunks(&self, plan: &Plan) -> Vec<Chunk> {
        let of_level = |level: u32| {
            let cells = plan.samples().map(|samples| samples.div_ceil(1 << level) - 1);
            let [columns, rows] = cells.map(|cells| cells.div_ceil(u64::from(self.cells)));
            (0..rows).flat_map(move |y| (0..columns).map(move |x| [x, y])).map(move |at| {
                let from = at.map(|i| i * u64::from(self.cells));
                let left = [0, 1].map(|axis| (cells[axis] - from[axis]).min(u64::from(self.cells)) as u32);
                Chunk { level, at, from, cells: left }
            })
        };
        (0..self.levels).flat_map(of_level).collect()
    }

    pub(super) fn write(&self, baked: &Baked, tiles: &Tiles, draft: &mut Draft<'_>, progress: &dyn Progress) -> Result<(), BakeError> {
        let plan = baked.plan(tiles.clone());
        let first = plan.region((plan.tiles.x.start, plan.tiles.y.start));
        let corner = [&plan.tiles.x, &plan.tiles.y].map(|range| range.start * i64::from(plan.tile));
        let samples = Samples::new(baked, 0, tiles, corner, self.levels - 1, &draft.scratch(), progress)?;
        let chunks = self.chunks(&plan);
        let (mut done, total) = (0, chunks.len() as u64);
        let [x, y, _] = first.position([0; 3]);
        let mut all: Vec<Value> = Vec::new();
        for batch in chunks.chunks(BATCH) {
            if progress.stops() {
                return Err(BakeError::Stopped);
            }
            let made = batch.par_iter().map(|chunk| self.file(chunk, &samples, first.step(), [x, y])).collect::<Result<Vec<_>, _>>()?;
            let files: Vec<(String, &[u8])> = made.iter().map(|(name, bytes, _)| (name.clone(), &bytes[..])).collect();
            draft.write(&files)?;
            all.extend(made.into_iter().map(|(.., about)| about));
            done += batch.len() as u64;
            progress.tile(done, total);
        }
        let manifest = baked.manifest();
        let index = json!({
            "orogen": manifest.orogen, "recipe_sha256": manifest.setting.recipe_sha256,
            "corner": [x, y], "spacing": first.step(), "settings": self, "meshes": all,
        });
        draft.write(&[(format!("{MESHES}/meshes.json"), format!("{index:#}\n").as_bytes())])
    }

    /// The file of a chunk, and its entry in the list.
    fn file(&self, chunk: &Chunk, samples: &Samples<'_>, spacing: f64, corner: [f64; 2]) -> Result<(String, Vec<u8>, Value), BakeError> {
        let Chunk { level, at: [x, y], cells, .. } = *chunk;
        let format = self.format.name();
        let name = format!("{MESHES}/{level}/x{x}_y{y}.{format}");
        let failed = |error: MeshError| BakeError::file(name.as_ref(), Error::other(error));
        let mut mesh = terrain(&Self::heights(chunk, samples, spacing)?, &self.terrain(level)).map_err(failed)?;
        let [east, _, south] = mesh.anchor;
        let bytes = match self.format {
            // Positions are f32, so they are relative to the first sample.
            MeshFormat::Glb => mesh.glb().map_err(failed)?,
            MeshFormat::Ply => {
                mesh.anchor = [corner[0] + east, 0.0, corner[1] + south];
                mesh.ply()
            }
        };
        let heights = mesh.positions.iter().map(|[_, height, _]| *height);
        let range = heights.fold([f32::INFINITY, f32::NEG_INFINITY], |[lo, hi], height| [lo.min(height), hi.max(height)]);
        let about = json!({
            "file": name.trim_start_matches("meshes/"), "level": level, "x": x, "y": y, "from": [east, south],
            "size": cells.map(|n| f64::from(n) * spacing * f64::from(1_u32 << level)),
            "heights": range, "vertices": mesh.positions.len(), "triangles": mesh.triangles.len(),
        });
        Ok((name, bytes, about))
    }

    fn terrain(&self, level: u32) -> Terrain {
        Terrain { error: self.error * f64::from(1_u32 << level), skirt: self.skirt }
    }

    /// The samples of a chunk and a border of one sample, in units from the first sample of the bake.
    fn heights(chunk: &Chunk, samples: &Samples<'_>, spacing: f64) -> Result<Layer, BakeError> {
        let origin = chunk.from.map(|index| index as i64 - 1);
        let size = chunk.cells.map(|cells| cells + 3);
        let values = samples.window(chunk.level, origin, size)?;
        let region =
            Region { origin: [origin[0], origin[1], 0], size: [size[0], size[1], 1], level: chunk.level, spacing, anchor: [0.0; 3] };
        Ok(Layer { name: String::new(), region, channels: 1, values })
    }
}
