//! The measures of a bake in metres.

use super::Preset;
use crate::bake::{Format, Product, Tiles};

/// A bake in metres; a world unit is a metre.
pub(super) struct Measures<'a> {
    pub preset: &'a Preset,
    pub products: &'a [Product],
    /// Metres between samples.
    pub step: f64,
    /// Metres between tiles.
    pub tile: f64,
    /// Samples along the edge of a file.
    pub edge: u32,
    /// The heights of the words 0 and 65535; 0 and 1 for files that hold metres.
    pub range: [f64; 2],
}

impl Measures<'_> {
    /// The height difference between two successive words.
    pub fn height_step(&self) -> f64 {
        (self.range[1] - self.range[0]) / 65535.0
    }

    /// The corner of the first tile.
    pub fn origin(&self) -> [f64; 2] {
        let Tiles { x, y } = &self.preset.plan.tiles;
        [x.start, y.start].map(|number| number as f64 * self.tile)
    }

    /// The format of heights.
    pub fn heights(&self) -> Format {
        self.preset.heights
    }

    /// The files of heights, with `{x}` and `{y}` in place of a tile's numbers.
    pub fn files(&self) -> String {
        self.products.first().map(|heights| self.preset.layout.pattern(heights, 0)).unwrap_or_default()
    }
}
