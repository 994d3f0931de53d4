//! Simplex noise.

use crate::graph::Noise;
use crate::graph::lower::NodeSite;
use crate::graph::lower::steep::{Rule, Steep};
use crate::graph::node::choices::{Gradients, Hash};
use crate::graph::node::cubic::turning_fits;
use crate::graph::node::kind::{CheckedNode, InputRanges, NodeKind};
use crate::graph::node::precision::{Magnitudes, Precision, Rounds};
use crate::interval::Interval;
use crate::params::row;
use crate::program::lattice::{Lattice, Repeats, SKEW_4, cubic, skew};
use crate::program::{Basis, GraphError, Op, Pointwise, ProgramError};
use glam::{DMat3, DVec3};

row! {
    /// Simplex noise (Perlin 2001; Gustavson 2005), signed.
    ///
    /// With the integer hash it uses unit gradients (any slope in 1D, 16 directions in 2D, 48 in 3D, 32 in 4D) and the
    /// continuous falloff `(1/2 − r²)⁴`, or `(1 − r²)⁴` in 1D. Values are scaled to fill [−1, 1] and never leave it. The
    /// diagonal of the lattice's cubes lies along the last axis, so in 3D all slices across z (which may be time) look alike.
    /// On a CPU, rows of samples along x share most of the work; a rotation or displacement of the lattice disables that and
    /// costs two to three times as much.
    ///
    /// With `gradients = "turning"` it is flow noise (Perlin and Neyret 2001; Gustavson and McEwan 2022): all gradients turn
    /// along the fourth axis, in 3D each in a plane of its own. The noise moves without drifting, and has the same bits after
    /// `w_period`. The noise is negated after half of it.
    ///
    /// With `permutation289` it is the 3D noise of McEwan and Gustavson as listed in the terrain shader, with falloff `(0.6 −
    /// r²)⁴` times 42. That falloff reaches beyond its simplex, so the noise jumps by up to 0.003 at simplex borders. Its
    /// values are proven to lie within ±1.04; the largest found, by climbing from samples of every cell, is ±1.0384.
    Simplex {
        /// Number of dimensions: 1 (reads x), 2 (x and y), 3, or 4 (also `w`).
        dimensions: u32 = 2, [dimensions 1 to 4], Unitless;
        /// Position along the fourth axis, such as time, in world units. Read in 4D, and by turning gradients.
        w: f64 = 0.0, [COORDINATE], World;
        /// Whether gradients turn along the fourth axis (2D and 3D).
        gradients: Gradients = Gradients::Still, [structural];
        /// World units along the fourth axis in which turning gradients turn once. With 1, `w` counts turns. In octaves of a fractal
        /// they turn `lacunarityᵏ` times, rounded to a whole number of at least 1.
        w_period: f64 = 1.0, [WAVELENGTH], World;
        /// Hash from cells to gradients; `permutation289` is 3D only.
        hash: Hash = Hash::Integer, [structural];
        /// Size of a lattice cell in world units: the edge of the cubes that are skewed into simplexes.
        wavelength: f64 = 100.0, [WAVELENGTH], World;
        /// Seed of the hash and the lattice offset. If omitted, it is 0 for the integer hash; `permutation289` then has no
        /// lattice offset.
        seed: Option<u64> = None, [seed], Unitless;
        /// Offset added to the position, in world units, instead of the offset derived from the seed.
        offset: Option<[f64; 3]> = None, [POSITION], World;
    }
}

impl Noise {
    /// Simplex noise.
    pub fn simplex(params: Simplex) -> Self {
        Self::source(params)
    }
}

/// Proven bound with `permutation289`. The largest sum over the simplex of each corner's best gradient is 1.03838 (found by a
/// search over all six simplexes, confirmed by branch and bound in the tests).
const PERMUTATION289_BOUND: f64 = 1.04;
/// The steepest gradient per cell: a quarter above the largest that a search found.
const STEEPEST: f64 = 9.5;
/// With turning gradients, which have any direction, in the same way.
const STEEPEST_TURNING: f64 = 10.0;
/// Units of the simplex lattice along x, y and z per cell, the edge of the cubes that are skewed: √2, √6 and √12. Corners of a
/// simplex are then integers, and reach 1 unit along x.
const PER_CELL: [f64; 3] = [std::f64::consts::SQRT_2, 2.449_489_742_783_178, 3.464_101_615_137_754_6];

impl NodeKind for Simplex {
    fn check(&self, at: &CheckedNode<'_>) -> Result<(), GraphError> {
        turning_fits(self.gradients, self.dimensions, at)?;
        match self.hash {
            Hash::Permutation289 if self.dimensions != 3 => {
                at.refuse("dimensions", self.dimensions.to_string(), format!("3 with hash = \"{}\"", self.hash))
            }
            Hash::Permutation289 if self.gradients == Gradients::Turning => {
                at.refuse("gradients", format!("\"{}\"", self.gradients), format!("\"{}\" with hash = \"{}\"", Gradients::Still, self.hash))
            }
            Hash::Permutation289 | Hash::Integer => Ok(()),
        }
    }

    fn range(&self, _: &InputRanges<'_>) -> Interval {
        match self.hash {
            Hash::Integer => Interval::new(-1.0, 1.0),
            Hash::Permutation289 => Interval::new(-PERMUTATION289_BOUND, PERMUTATION289_BOUND).outward(),
        }
    }

    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        let steepest = if self.gradients == Gradients::Turning { STEEPEST_TURNING } else { STEEPEST };
        rule.basis(steepest / self.wavelength)
    }

    fn precision(&self) -> Precision {
        Precision::of_lattice(2e-6, self.wavelength)
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        let basis = match (self.hash, self.dimensions) {
            (Hash::Integer, dimensions) if self.gradients == Gradients::Turning => Basis::TurningSimplex(dimensions),
            (Hash::Permutation289, _) => Basis::Pointwise(Pointwise::Permutation289),
            (Hash::Integer, 1) => Basis::Pointwise(Pointwise::Simplex1),
            (Hash::Integer, 2) => Basis::Simplex2,
            (Hash::Integer, 4) => Basis::Pointwise(Pointwise::Simplex4),
            (Hash::Integer, _) => Basis::Simplex3,
        };
        site.lattice(basis, &self.lattice())
    }
}

impl Simplex {
    fn lattice(&self) -> Lattice {
        // The permutation polynomial has no seed: a given seed determines only the offset.
        let seed = if self.hash == Hash::Integer { Some(self.seed.unwrap_or(0)) } else { self.seed };
        // In these units, points repeat along x and y after 2; in 3D after 6 along y and 3 along z, and frames count both in
        // threes.
        let [x, y, z] = PER_CELL;
        let (skew, repeats) = match (self.dimensions, self.hash) {
            (1, Hash::Integer) => (cubic(1), Repeats::CELLS),
            (2, Hash::Integer) => {
                let repeats = Repeats::Stretched { multiples: [2.0, 2.0, 1.0], points: [1.0; 3], least: 1.0 };
                (DMat3::from_diagonal(DVec3::new(x, y, 0.0)), repeats)
            }
            (3, Hash::Integer) => {
                let repeats = Repeats::Stretched { multiples: [2.0, 2.0, 1.0], points: [1.0, 3.0, 3.0], least: 2.0 };
                (DMat3::from_diagonal(DVec3::new(x, y / 3.0, z / 3.0)), repeats)
            }
            (dimensions, _) => (skew(dimensions), Repeats::AsItIs { multiples: [3.0; 3], points: [1.0; 3] }),
        };
        Lattice {
            skew,
            wavelength: self.wavelength,
            seed,
            offset: self.offset,
            repeats,
            fourth: self.w,
            fourth_skew: if self.dimensions == 4 { SKEW_4 } else { 0.0 },
            turning: self.gradients.period(self.w_period),
            fourth_turn: None,
            nudge: DVec3::ZERO,
        }
    }
}
