//! Noises on the cubic lattice: numbers or gradients at its points, interpolated.

use crate::graph::{GraphError, Interval, Noise};
use crate::node::choices::{Interpolation, ValueHash};
use crate::node::kind::{CheckedNode, InputRanges, NodeKind};
use crate::node::precision::{Magnitudes, Precision, Rounds};
use crate::params::row;
use crate::program::lattice::Lattice;
use crate::program::steep::{INTERPOLATION, Rule, Steep};
use crate::program::{Basis, NodeSite, Op, ProgramError, Seed};

row! {
    /// Value noise: a number per point of the cubic lattice, interpolated; signed, within [−1, 1].
    ///
    /// `truncated` makes it white noise, one number per cell; `linear` is the "blurry" and `cosine` the smooth noise of the
    /// articles on the subject. With `table` it is the one of the article on hill noise, 1D only: lattice point i has number
    /// `i mod 256` of a table, so it repeats after 256 cells, and octaves are the same noise, each with an offset of its own.
    Value {
        /// 1 (reads x), 2 (x and y), 3, or 4 (also `w`).
        dimensions: u32 = 2, [dimensions 1 to 4], Unitless;
        /// Position along the fourth axis, in world units: time, say.
        w: f64 = 0.0, [COORDINATE], World;
        /// From one lattice point to the next.
        interpolation: Interpolation = Interpolation::Quintic, [structural];
        /// How lattice points become numbers; `table` is 1D only.
        hash: ValueHash = ValueHash::Integer, [structural];
        /// World units per lattice cell.
        wavelength: f64 = 100.0, [WAVELENGTH], World;
        /// Seed of hash and lattice offset, and of a table that is not given.
        seed: u64 = 0, [seed], Unitless;
        /// World units added to the position, instead of the offset that the seed gives.
        offset: Option<[f64; 3]> = None, [POSITION], World;
        /// For `table`: its 256 numbers. The noise keeps to their range.
        values: Option<Vec<f64>> = None, [list 256 of -1e15 to 1e15], Value;
    }

    /// Perlin noise: a gradient per point of the cubic lattice, the offsets' products with them interpolated; signed.
    ///
    /// Unit gradients (any slope in 1D, 16 directions in 2D, 48 in 3D, 32 in 4D), scaled by 2/√dimensions: proven within [−1, 1], and
    /// within ±2 when `truncated`. Unlike most implementations it is not 0 at integer positions: the seed moves the lattice.
    Perlin {
        /// 1 (reads x), 2 (x and y), 3, or 4 (also `w`).
        dimensions: u32 = 2, [dimensions 1 to 4], Unitless;
        /// Position along the fourth axis, in world units: time, say.
        w: f64 = 0.0, [COORDINATE], World;
        /// From one lattice point to the next.
        interpolation: Interpolation = Interpolation::Quintic, [structural];
        /// World units per lattice cell.
        wavelength: f64 = 100.0, [WAVELENGTH], World;
        /// Seed of hash and lattice offset.
        seed: u64 = 0, [seed], Unitless;
        /// World units added to the position, instead of the offset that the seed gives.
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

/// The steepest gradient of Perlin noise per cell, a quarter above what a search finds.
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

    /// The quintic weight is a small difference of large numbers near its upper end.
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
            ValueHash::Table => Basis::ValueTable(self.interpolation, site.series(self.table())),
        };
        site.lattice(basis, &lattice)
    }
}

impl Value {
    /// The numbers of lattice points, given or from the seed: those are short of ±1 by 1e-6 for the rounding of what lies between them.
    fn table(&self) -> Vec<f64> {
        let seed = Seed::default().with(self.seed);
        let seeded = || (0..256).map(|i| seed.with(i).offset(1.0 - 1e-6)[0]).collect();
        self.values.clone().unwrap_or_else(seeded)
    }
}

impl NodeKind for Perlin {
    fn check(&self, _: &CheckedNode<'_>) -> Result<(), GraphError> {
        Ok(())
    }

    fn range(&self, _: &InputRanges<'_>) -> Interval {
        if self.interpolation == Interpolation::Truncated { Interval::new(-2.0, 2.0) } else { Interval::new(-1.0, 1.0) }
    }

    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        rule.basis(STEEPEST / self.wavelength)
    }

    /// The quintic weight is a small difference of large numbers near its upper end.
    fn precision(&self) -> Precision {
        Precision::of_lattice(4e-6, self.wavelength)
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        let lattice = Lattice { fourth: self.w, ..Lattice::cubic(self.dimensions, self.wavelength, self.seed, self.offset) };
        site.lattice(Basis::Perlin(self.dimensions, self.interpolation), &lattice)
    }
}
