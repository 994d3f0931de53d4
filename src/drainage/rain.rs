//! Water that falls on cells, in whole parts, so that sums are exact.

/// The parts of a rain of 1.
pub(crate) const PARTS: f64 = 65_536.0;
/// The largest rain.
pub(crate) const MOST: f64 = 65_535.0;

/// The rain over a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) enum Rain {
    /// One amount for all cells, in parts.
    Even(u32),
    /// A layer has the amount of each cell.
    Layer,
}

/// Rain in parts, rounded. Values outside 0 to [`MOST`] count as the nearest of them.
pub(crate) fn parts(rain: f64) -> u32 {
    (rain.clamp(0.0, MOST) * PARTS).round() as u32
}
