//! Windows: what a piece of a field is multiplied with before its spectrum is taken.

use crate::stop::{PIECE, Stop, Stopped};

/// How the borders of a piece are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Window {
    /// Not at all: exact for fields that repeat at the borders and for white noise; elsewhere the jump from one border to the
    /// other leaks into all frequencies, as f⁻² along the axes.
    Rectangle,
    /// Faded out by a raised cosine: leaks no further than two bins, and correlates the bins that close.
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

    /// How many neighbouring bins of a spectrum in `dimensions` dimensions carry the information of one: the sum of the
    /// squared correlations of a bin's amplitude with all others'. (Hann: 2/3 with the next bin, 1/6 with the second next.)
    pub(super) fn shared(self, dimensions: i32) -> f64 {
        match self {
            Window::Rectangle => 1.0,
            Window::Hann => (1.0f64 + 2.0 * (4.0 / 9.0 + 1.0 / 36.0)).powi(dimensions),
        }
    }
}

/// `values` less their mean under the window, times the window, given as the factor of each sample. Values that are all the
/// same give zeros and no rounding error of their mean.
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
