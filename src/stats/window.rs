//! Windows: factors applied to a piece of a field before its spectrum is computed.

use crate::stop::{PIECE, Stop, Stopped};

/// The treatment of a piece's borders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Window {
    /// No window: exact for periodic fields and for white noise. For other fields, the jump between opposite borders leaks into
    /// all frequencies, as f⁻² along the axes.
    Rectangle,
    /// A raised cosine: leaks at most two bins, and correlates bins at that distance.
    Hann,
}

impl Window {
    /// The factors for `length` samples.
    pub(super) fn factors(self, length: usize) -> Vec<f64> {
        match self {
            Window::Rectangle => vec![1.0; length],
            Window::Hann => (0..length).map(|i| 0.5 - 0.5 * (std::f64::consts::TAU * (i as f64 + 0.5) / length as f64).cos()).collect(),
        }
    }

    /// The number of neighbouring bins of a spectrum in `dimensions` dimensions that carry the information of one: the sum of the
    /// squared correlations of a bin's amplitude with all others'. (Hann: 2/3 with the next bin, 1/6 with the second next.)
    pub(super) fn shared(self, dimensions: i32) -> f64 {
        match self {
            Window::Rectangle => 1.0,
            Window::Hann => (1.0f64 + 2.0 * (4.0 / 9.0 + 1.0 / 36.0)).powi(dimensions),
        }
    }
}

/// Subtracts the mean of `values` under the window, and multiplies by the window, given as the factor of each sample. Constant
/// values give exact zeros.
pub(super) fn apply(values: &[f32], factor: impl Fn(usize) -> f64, stop: &Stop) -> Result<Vec<f64>, Stopped> {
    let first = values.first().copied().unwrap_or_default();
    let above = |i: usize| f64::from(values[i]) - f64::from(first);
    let pieces = || (0..values.len()).step_by(PIECE).map(|from| from..values.len().min(from + PIECE));
    let (mut sum, mut weight) = (0.0, 0.0);
    for piece in pieces() {
        stop.check()?;
        for i in piece {
            sum += factor(i) * above(i);
            weight += factor(i);
        }
    }
    let mean = if weight > 0.0 { sum / weight } else { 0.0 };
    let mut windowed = Vec::with_capacity(values.len());
    for piece in pieces() {
        stop.check()?;
        windowed.extend(piece.map(|i| factor(i) * (above(i) - mean)));
    }
    Ok(windowed)
}
