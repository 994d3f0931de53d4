//! Noises on the cubic lattice: interpolated numbers or gradients of its points.

use crate::graph::Noise;
use crate::graph::lower::NodeSite;
use crate::graph::lower::steep::{INTERPOLATION, Rule, Steep};
use crate::graph::node::choices::{Gradients, ValueHash};
use crate::graph::node::kind::{CheckedNode, InputRanges, NodeKind};
use crate::graph::node::precision::{Magnitudes, Precision, Rounds};
use crate::interval::Interval;
use crate::params::row;
use crate::program::lattice::Lattice;
use crate::program::{Basis, GraphError, Interpolation, Op, Pointwise, ProgramError, Seed};

row! {
    /// Value noise: interpolates a random number per point of the cubic lattice. Signed, within [−1, 1].
    ///
    /// With `interpolation = "truncated"` it is white noise with one number per cell. `linear` and `cosine` are the "blurry"
    /// and the smooth noise of the articles on the subject. With `hash = "table"` (1D only) it is the noise of the article on
    /// hill noise: lattice point i has number `i mod 256` of a table, so the noise repeats after 256 cells. Octaves then share
    /// the table and differ by their offsets.
    Value {
        /// Number of dimensions: 1 (reads x), 2 (x and y), 3, or 4 (also `w`).
        dimensions: u32 = 2, [dimensions 1 to 4], Unitless;
        /// Position along the fourth axis, such as time, in world units.
        w: f64 = 0.0, [COORDINATE], World;
        /// Interpolation between lattice points.
        interpolation: Interpolation = Interpolation::Quintic, [structural];
        /// Source of the lattice points' numbers; `table` is 1D only.
        hash: ValueHash = ValueHash::Integer, [structural];
        /// Edge of a lattice cell, in world units.
        wavelength: f64 = 100.0, [WAVELENGTH], World;
        /// Seed of the hash and the lattice offset, and of the table if `values` is omitted.
        seed: u64 = 0, [seed], Unitless;
        /// Offset added to the position, in world units, instead of the offset derived from the seed.
        offset: Option<[f64; 3]> = None, [POSITION], World;
        /// The 256 numbers of `table`. Values of the noise stay within their range.
        values: Option<Vec<f64>> = None, [list 256 of -1e15 to 1e15], Value;
    }

    /// Perlin noise: interpolates the dot products of offsets with a gradient per point of the cubic lattice. Signed.
    ///
    /// Gradients have unit length (any slope in 1D, 16 directions in 2D, 48 in 3D, 32 in 4D) and are scaled by 2/√dimensions.
    /// Values are proven to lie within [−1, 1], or ±2 when `truncated`. Unlike most implementations, the noise is not 0 at
    /// integer positions, because the seed moves the lattice.
    ///
    /// With `gradients = "turning"` it is flow noise (Perlin and Neyret 2001; Gustavson and McEwan 2022): all gradients turn
    /// along the fourth axis, in 3D each in a plane of its own. The noise moves without drifting, and has the same bits after
    /// `w_period`. The noise is negated after half of it.
    Perlin {
        /// Number of dimensions: 1 (reads x), 2 (x and y), 3, or 4 (also `w`).
        dimensions: u32 = 2, [dimensions 1 to 4], Unitless;
        /// Position along the fourth axis, such as time, in world units. Read in 4D, and by turning gradients.
        w: f64 = 0.0, [COORDINATE], World;
        /// Whether gradients turn along the fourth axis (2D and 3D).
        gradients: Gradients = Gradients::Still, [structural];
        /// World units along the fourth axis in which turning gradients turn once. With 1, `w` counts turns. In octaves of a fractal
        /// they turn `lacunarityᵏ` times, rounded to a whole number of at least 1.
        w_period: f64 = 1.0, [WAVELENGTH], World;
        /// Interpolation between lattice points.
        interpolation: Interpolation = Interpolation::Quintic, [structural];
        /// Edge of a lattice cell, in world units.
        wavelength: f64 = 100.0, [WAVELENGTH], World;
        /// Seed of the hash and the lattice offset.
        seed: u64 = 0, [seed], Unitless;
        /// Offset added to the position, in world units, instead of the offset derived from the seed.
        offset: Option<[f64; 3]> = None, [POSITION], World;
    }
}

impl Noise {
    /// Value noise.
    pub fn value(params: Value) -> Self {
        Self::source(params)
    }

    /// Perlin noise.
    pub fn perlin(params: Perlin) -> Self {
        Self::source(params)
    }
}

/// The steepest gradient of Perlin noise per cell: a quarter above the largest that a search found.
const STEEPEST: f64 = 12.0;

impl NodeKind for Value {
    fn check(&self, at: &CheckedNode<'_>) -> Result<(), GraphError> {
        match (self.hash, &self.values) {
            (ValueHash::Table, _) if self.dimensions != 1 => {
                at.refuse("dimensions", self.dimensions.to_string(), format!("1 with hash = \"{}\"", self.hash))
            }
            (_, Some(values)) if values.len() != 256 => at.refuse("values", format!("{} number(s)", values.len()), "256"),
            (ValueHash::Table | ValueHash::Integer, _) => Ok(()),
        }
    }

    fn range(&self, _: &InputRanges<'_>) -> Interval {
        match (self.hash, &self.values) {
            (ValueHash::Table, Some(values)) => {
                let ends = values.iter().fold(Interval::new(values[0], values[0]), |all, &x| all.hull(Interval::new(x, x)));
                ends.outward().widened(4.0)
            }
            (ValueHash::Table, None) | (ValueHash::Integer, _) => Interval::new(-1.0, 1.0),
        }
    }

    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        let apart = match (&self.values, self.hash) {
            (Some(values), ValueHash::Table) => 2.0 * values.iter().fold(0.0, |m: f64, x| m.max(x.abs())),
            (None, ValueHash::Table) | (_, ValueHash::Integer) => 2.0,
        };
        let slope = if self.interpolation == Interpolation::Truncated { 0.0 } else { INTERPOLATION };
        rule.basis(slope * apart * f64::from(self.dimensions.min(3)).sqrt() / self.wavelength)
    }

    /// Near its upper end, the quintic weight is a small difference of large numbers.
    fn precision(&self) -> Precision {
        Precision::of_lattice(4e-6, self.wavelength)
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        let lattice = Lattice { fourth: self.w, ..Lattice::cubic(self.dimensions, self.wavelength, self.seed, self.offset) };
        let basis = match self.hash {
            ValueHash::Integer => Basis::Value(self.dimensions, self.interpolation),
            ValueHash::Table => Basis::Pointwise(Pointwise::ValueTable(self.interpolation, site.series(self.table()))),
        };
        site.lattice(basis, &lattice)
    }
}

impl Value {
    /// The numbers of lattice points, given or derived from the seed. Derived numbers stay 1e-6 short of ±1, so that
    /// interpolated values round to at most ±1.
    fn table(&self) -> Vec<f64> {
        let seed = Seed::default().with(self.seed);
        let seeded = || (0..256).map(|i| seed.with(i).offset(1.0 - 1e-6)[0]).collect();
        self.values.clone().unwrap_or_else(seeded)
    }
}

impl Gradients {
    /// The period along the fourth axis, if they turn.
    pub(super) fn period(self, w_period: f64) -> Option<f64> {
        (self == Gradients::Turning).then_some(w_period)
    }
}

/// Refuses turning gradients in other dimensions than two and three.
pub(super) fn turning_fits(gradients: Gradients, dimensions: u32, at: &CheckedNode<'_>) -> Result<(), GraphError> {
    if gradients == Gradients::Turning && !(2..=3).contains(&dimensions) {
        return at.refuse("dimensions", dimensions.to_string(), format!("2 and 3 with gradients = \"{gradients}\""));
    }
    Ok(())
}

impl NodeKind for Perlin {
    fn check(&self, at: &CheckedNode<'_>) -> Result<(), GraphError> {
        turning_fits(self.gradients, self.dimensions, at)
    }

    fn range(&self, _: &InputRanges<'_>) -> Interval {
        if self.interpolation == Interpolation::Truncated { Interval::new(-2.0, 2.0) } else { Interval::new(-1.0, 1.0) }
    }

    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        rule.basis(STEEPEST / self.wavelength)
    }

    /// Near its upper end, the quintic weight is a small difference of large numbers.
    fn precision(&self) -> Precision {
        Precision::of_lattice(4e-6, self.wavelength)
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        let turning = self.gradients.period(self.w_period);
        let lattice = Lattice { fourth: self.w, turning, ..Lattice::cubic(self.dimensions, self.wavelength, self.seed, self.offset) };
        let basis = match self.gradients {
            Gradients::Still => Basis::Perlin(self.dimensions, self.interpolation),
            Gradients::Turning => Basis::TurningPerlin(self.dimensions, self.interpolation),
        };
        site.lattice(basis, &lattice)
    }
}
