//! Heights as the colours of pixels: the formulas of the two encodings that map viewers read.

/// The three bytes of a pixel as one number count steps above the lowest height.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Colours {
    /// The height of step 0, in metres.
    pub lowest: f64,
    /// From one step to the next, in metres.
    pub step: f64,
}

/// Mapzen's Terrarium tiles.
pub(crate) const TERRARIUM: Colours = Colours { lowest: -32_768.0, step: 1.0 / 256.0 };
/// Mapbox Terrain-RGB.
pub(crate) const MAPBOX_RGB: Colours = Colours { lowest: -10_000.0, step: 0.1 };

impl Colours {
    /// The height that a pixel stands for.
    pub fn decode(self, [red, green, blue]: [u8; 3]) -> f64 {
        self.lowest + f64::from(u32::from_be_bytes([0, red, green, blue])) * self.step
    }
}
