//! Positions of viewers.

use crate::origin::WorldOrigin;
use crate::plugin::Viewer;
use crate::settings::TerrainSettings;
use bevy_ecs::prelude::{Entity, Query, Res, ResMut, Resource, With};
use bevy_transform::helper::TransformHelper;

/// The viewers' positions in the world.
#[derive(Resource, Default)]
pub(crate) struct Focus {
    places: Vec<Place>,
}

/// A position in the world.
struct Place {
    chunk: [i64; 2],
    /// In the chunk, from 0 to 1.
    within: [f64; 2],
}

impl Focus {
    /// The chunks that contain viewers.
    pub(crate) fn chunks(&self) -> impl Iterator<Item = [i64; 2]> {
        self.places.iter().map(|place| place.chunk)
    }

    /// The chunk in the middle of them; `None` without viewers.
    pub(crate) fn middle(&self) -> Option<[i64; 2]> {
        let count = self.places.len() as i128;
        let mean = |axis: usize| self.chunks().map(|chunk| i128::from(chunk[axis])).sum::<i128>().checked_div(count);
        // A mean lies between its terms.
        Some([mean(0)? as i64, mean(1)? as i64])
    }

    /// Squared distance from the nearest viewer to the middle of a chunk, in chunks.
    pub(crate) fn distance(&self, chunk: [i64; 2]) -> f64 {
        let to = |place: &Place| {
            let [x, y] = [0, 1].map(|axis| apart(chunk[axis], place.chunk[axis]) as f64 + 0.5 - place.within[axis]);
            x * x + y * y
        };
        self.places.iter().map(to).fold(f64::INFINITY, f64::min)
    }

    /// Whether a chunk is within this many chunks of a viewer's chunk.
    pub(crate) fn reaches(&self, chunk: [i64; 2], radius: u32) -> bool {
        let radius = u64::from(radius);
        self.chunks().any(|from| {
            let [x, y] = [0, 1].map(|axis| chunk[axis].abs_diff(from[axis]));
            // Each axis is checked first, because the square of a large distance does not fit 64 bits.
            x <= radius && y <= radius && x * x <= radius * radius - y * y
        })
    }
}

fn apart(a: i64, b: i64) -> i128 {
    i128::from(a) - i128::from(b)
}

/// Finds the viewers, by their transforms and those of their parents in this frame.
pub(crate) fn locate(
    settings: Res<TerrainSettings>,
    origin: Res<WorldOrigin>,
    viewers: Query<Entity, With<Viewer>>,
    transforms: TransformHelper,
    mut focus: ResMut<Focus>,
) {
    let edge = settings.edge();
    focus.places.clear();
    for viewer in &viewers {
        let Ok(at) = transforms.compute_global_transform(viewer) else { continue };
        let at = [at.translation().x, at.translation().z].map(|x| f64::from(x) / edge);
        let chunk = [0, 1].map(|axis| origin.chunk[axis].saturating_add(at[axis].floor() as i64));
        focus.places.push(Place { chunk, within: at.map(|x| x - x.floor()) });
    }
}
