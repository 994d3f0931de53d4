//! The results about a recipe that its page shows.

use orogen::stats::{Band, Distribution, Fit, Isotropy, Spectrum};
use orogen::{Interval, Region};

/// All results about a recipe.
pub struct Figures {
    /// The recipe's file name.
    pub name: String,
    /// The recipe as TOML.
    pub text: String,
    /// The engine that evaluated it.
    pub engine: String,
    /// The measured region.
    pub region: Region,
    /// A shaded picture of it, as a PNG file.
    pub picture: Vec<u8>,
    pub values: Distribution,
    pub proven: Interval,
    pub band: Band,
    pub radial: Spectrum,
    pub fit: Option<Fit>,
    /// The fit of the mean spectrum of rows.
    pub along_rows: Option<Fit>,
    pub isotropy: Option<Isotropy>,
    pub costs: Vec<Cost>,
    /// Nodes that the output does not need.
    pub unused: Vec<String>,
}

/// The cost of a node with everything below it.
pub struct Cost {
    pub node: String,
    pub kind: &'static str,
    /// Whether it is the recipe's output.
    pub output: bool,
    /// Median time per sample; `None` if the node cannot be evaluated separately.
    pub nanoseconds: Option<f64>,
    /// Share of the output's time.
    pub share: Option<f64>,
}

impl Figures {
    /// The share of the proven range that the values fill; `None` for a range of a single number, up to rounding.
    pub fn used(&self) -> Option<f64> {
        let [lo, hi] = self.values.extent();
        let rounding = 4.0 * f64::from(f32::EPSILON) * self.proven.lo.abs().max(self.proven.hi.abs());
        (self.proven.width() > rounding).then(|| (hi - lo) / self.proven.width())
    }

    /// Kolmogorov–Smirnov distance from the uniform distribution over the measured range.
    pub fn ks_measured(&self) -> f64 {
        let [lo, hi] = self.values.extent();
        self.values.ks_uniform(lo, hi)
    }
}
