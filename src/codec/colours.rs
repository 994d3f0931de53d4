//! Heights as the colours of pixels, in the encodings that map viewers read.

#[cfg(feature = "maps")]
use super::Encoding;

/// An encoding of heights. The three bytes of a pixel are one number, which counts steps above the lowest height.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Colours {
    /// The height of step 0, in metres.
    lowest: f64,
    /// Metres per step.
    step: f64,
    /// Its word in TileJSON and in the styles of MapLibre and Mapbox.
    #[cfg(feature = "maps")]
    word: &'static str,
}

/// Mapzen's Terrarium tiles.
pub const TERRARIUM: Colours = Colours {
    lowest: -32_768.0,
    step: 1.0 / 256.0,
    #[cfg(feature = "maps")]
    word: "terrarium",
};

/// Mapbox Terrain-RGB.
pub const MAPBOX_RGB: Colours = Colours {
    lowest: -10_000.0,
    step: 0.1,
    #[cfg(feature = "maps")]
    word: "mapbox",
};

/// The largest of the 2²⁴ steps.
#[cfg(feature = "maps")]
const LAST: f64 = 16_777_215.0;

impl Colours {
    /// The height of a pixel, in metres.
    pub fn decode(self, [red, green, blue]: [u8; 3]) -> f64 {
        self.lowest + f64::from(u32::from_be_bytes([0, red, green, blue])) * self.step
    }
}

#[cfg(feature = "maps")]
impl Encoding {
    /// Its word in TileJSON and in the styles of MapLibre and Mapbox.
    pub fn word(self) -> &'static str {
        self.facts().word
    }

    /// The lowest and the highest height that a pixel can encode, in metres.
    pub fn range(self) -> [f64; 2] {
        let Colours { lowest, step, .. } = *self.facts();
        [lowest, lowest + LAST * step]
    }

    /// The pixel of the step nearest to a height. `None` for NaN, and for a height more than half a step outside [`range`](Self::range).
    ///
    /// ```
    /// use orogen::map::Encoding;
    /// assert_eq!(Encoding::Terrarium.encode(0.0), Some([128, 0, 0]));
    /// assert_eq!(Encoding::MapboxRgb.encode(0.0), Some([1, 134, 160]));
    /// assert_eq!(Encoding::Terrarium.encode(40_000.0), None);
    /// ```
    pub fn encode(self, height: f32) -> Option<[u8; 3]> {
        let Colours { lowest, step, .. } = *self.facts();
        let steps = ((f64::from(height) - lowest) / step).round();
        let [_, rgb @ ..] = (0.0..=LAST).contains(&steps).then_some(steps as u32)?.to_be_bytes();
        Some(rgb)
    }

    /// The height of a pixel, in metres.
    pub fn decode(self, rgb: [u8; 3]) -> f64 {
        self.facts().decode(rgb)
    }
}
