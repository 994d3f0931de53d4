//! Heights as the colours of pixels: the two encodings that map viewers read.

use crate::codec::colours::{Colours, MAPBOX_RGB, TERRARIUM};
use serde::{Deserialize, Serialize};

/// How a pixel's red, green and blue say a height in metres.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Encoding {
    /// Mapzen's Terrarium tiles: red · 256 + green + blue / 256 − 32768, in steps of 1/256 m.
    Terrarium,
    /// Mapbox Terrain-RGB: −10000 + (red · 65536 + green · 256 + blue) · 0.1, in steps of 0.1 m.
    MapboxRgb,
}

/// The largest of the 2²⁴ steps.
const LAST: f64 = 16_777_215.0;

impl Encoding {
    /// The word for it on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Terrarium => "terrarium",
            Encoding::MapboxRgb => "mapbox-rgb",
        }
    }

    /// The word for it in TileJSON and in MapLibre's and Mapbox's styles.
    pub fn word(self) -> &'static str {
        match self {
            Encoding::Terrarium => "terrarium",
            Encoding::MapboxRgb => "mapbox",
        }
    }

    /// The height of the first step, and from one step to the next.
    fn scale(self) -> (f64, f64) {
        let Colours { lowest, step } = self.colours();
        (lowest, step)
    }

    fn colours(self) -> Colours {
        match self {
            Encoding::Terrarium => TERRARIUM,
            Encoding::MapboxRgb => MAPBOX_RGB,
        }
    }

    /// The lowest and the highest height that it holds.
    pub fn range(self) -> [f64; 2] {
        let (lo, step) = self.scale();
        [lo, lo + LAST * step]
    }

    /// The nearest step to a height; `None` of one that lies more than half a step outside of [`range`](Self::range).
    ///
    /// ```
    /// use orogen::map::Encoding;
    /// assert_eq!(Encoding::Terrarium.encode(0.0), Some([128, 0, 0]));
    /// assert_eq!(Encoding::MapboxRgb.encode(0.0), Some([1, 134, 160]));
    /// assert_eq!(Encoding::Terrarium.encode(40_000.0), None);
    /// ```
    pub fn encode(self, height: f32) -> Option<[u8; 3]> {
        let (lo, step) = self.scale();
        let steps = ((f64::from(height) - lo) / step).round();
        let [_, rgb @ ..] = (0.0..=LAST).contains(&steps).then_some(steps as u32)?.to_be_bytes();
        Some(rgb)
    }

    /// The height that a pixel says.
    pub fn decode(self, rgb: [u8; 3]) -> f64 {
        self.colours().decode(rgb)
    }
}
