//! Real numbers as 65536 steps over a declared range.

use crate::not_allowed::NotAllowed;

/// The declared range of integer formats: `lo` becomes 0, `hi` 65535.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Quantisation {
    lo: f64,
    hi: f64,
    scale: f64,
}

impl Quantisation {
    /// A quantisation over `lo..=hi`.
    ///
    /// # Errors
    /// Returns an error if a number is not finite, or if `hi` is below `lo`.
    pub fn new(lo: f64, hi: f64) -> Result<Self, NotAllowed> {
        if !(lo.is_finite() && hi.is_finite() && lo <= hi) {
            return Err(NotAllowed::new("range", format!("{lo},{hi}"), "LO,HI with finite LO not above HI"));
        }
        Ok(Quantisation { lo, hi, scale: if hi > lo { 65535.0 / (hi - lo) } else { 0.0 } })
    }

    /// `(lo, hi)`.
    pub fn range(&self) -> (f64, f64) {
        (self.lo, self.hi)
    }

    /// The nearest of the 65536 steps, and whether the value lies outside the range.
    pub fn step(&self, value: f32) -> (u16, bool) {
        let exact = (f64::from(value) - self.lo) * self.scale;
        // `as` saturates: values outside are clipped to the nearer end, and counted. Half a step is rounding, not clipping.
        ((exact + 0.5) as u16, !(-0.5..=65535.5).contains(&exact))
    }

    /// The value of a step.
    pub fn value(&self, step: u16) -> f32 {
        (self.lo + (self.hi - self.lo) * (f64::from(step) / 65535.0)) as f32
    }
}
