//! The components of an Unreal landscape: squares of one or four sections. A landscape has at most 1024 components.

use crate::bake::Plan;

/// A landscape's components.
pub(super) struct Landscape {
    /// Quads along the edge of a section.
    pub section: u32,
    /// Sections along the edge of a component.
    pub sections: u32,
    /// Components along x and y.
    pub components: [u32; 2],
}

/// The quads that Unreal allows along the edge of a section.
const SECTIONS: [u32; 6] = [7, 15, 31, 63, 127, 255];
/// Most components.
const MOST: u64 = 1024;
/// Samples along the edge of the largest square: 32 components of two sections of 255 quads, and one more.
pub(super) const LARGEST: u32 = 32 * 510 + 1;

impl Landscape {
    /// The division that wastes the fewest samples, and among those the one with the fewest components; `None` if all have too
    /// many.
    pub fn of(plan: &Plan) -> Option<Landscape> {
        let quads = [&plan.tiles.x, &plan.tiles.y].map(|of| of.end.abs_diff(of.start) * u64::from(plan.tile) + u64::from(plan.overlap) - 1);
        let all = SECTIONS.iter().flat_map(|&section| [1, 2].map(|sections| (section, sections)));
        let cut = |(section, sections): (u32, u32)| {
            let components = quads.map(|quads| quads.div_ceil(u64::from(section * sections)).max(1));
            let few = components[0] * components[1] <= MOST;
            few.then(|| Landscape { section, sections, components: components.map(|n| n as u32) })
        };
        all.filter_map(cut).min_by_key(|of| {
            let [x, y] = of.samples();
            (u64::from(x) * u64::from(y), of.components[0] * of.components[1])
        })
    }

    /// Samples along x and y.
    pub fn samples(&self) -> [u32; 2] {
        self.components.map(|n| n * self.section * self.sections + 1)
    }
}
