//! White noise: a number for each cell.

use crate::graph::{GraphError, Interval, Noise};
use crate::node::choices::{Interpolation, WhiteHash};
use crate::node::kind::{CheckedNode, InputRanges, NodeKind};
use crate::node::precision::{Magnitudes, Precision, Rounds, fast};
use crate::params::row;
use crate::program::lattice::Lattice;
use crate::program::steep::{Rule, Steep};
use crate::program::{Basis, NodeSite, OneLiner, Op, ProgramError};

row! {
    /// White noise: a number per cell, signed, within [−1, 1], without gradient.
    ///
    /// The others are the shaders' one-liners, of whole cells; use `integer` unless a picture has to look like that. They have no seed: a seed
    /// acts through the offset only. `sine` and `nested_sine` give something else on every GPU, here the same on all of them: f32's grain,
    /// 44,000 times larger, decides (one number in the plane is within 0.01 of what f64 gives; a nested one has nothing to do with it).
    /// Neighbours far from the origin are related. `nested_integer` is exact, and nearly the same along diagonals, as sums of products are.
    White {
        /// 1 (reads x), 2 (x and y) or 3.
        dimensions: u32 = 2, [dimensions 1 to 3], Unitless;
        /// How cells become numbers.
        hash: WhiteHash = WhiteHash::Integer, [structural];
        /// World units per cell.
        wavelength: f64 = 1.0, [WAVELENGTH], World;
        /// Seed of hash and lattice offset.
        seed: u64 = 0, [seed], Unitless;
        /// World units added to the position, instead of the offset that the seed gives.
        offset: Option<[f64; 3]> = None, [POSITION], World;
    }
}

impl Noise {
    /// White noise.
    pub fn white(params: White) -> Self {
        Self::source(params)
    }
}

impl NodeKind for White {
    fn check(&self, _: &CheckedNode<'_>) -> Result<(), GraphError> {
        Ok(())
    }

    fn range(&self, _: &InputRanges<'_>) -> Interval {
        Interval::new(-1.0, 1.0)
    }

    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        rule.basis(0.0)
    }

    fn precision(&self) -> Precision {
        let fast = match self.hash {
            WhiteHash::Integer | WhiteHash::NestedInteger => fast::PLAIN,
            // A sine's last digit, times 43758.5, is most of what comes behind the point.
            WhiteHash::Sine | WhiteHash::NestedSine => fast::UNBOUNDED,
        };
        Precision { fast, ..Precision::of_lattice(2e-6, self.wavelength) }
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        let lattice = Lattice::cubic(self.dimensions, self.wavelength, self.seed, self.offset);
        let basis = match self.hash {
            WhiteHash::Integer => Basis::Value(self.dimensions, Interpolation::Truncated),
            WhiteHash::Sine => Basis::OneLiner(OneLiner::Sine, self.dimensions),
            WhiteHash::NestedSine => Basis::OneLiner(OneLiner::NestedSine, self.dimensions),
            WhiteHash::NestedInteger => Basis::OneLiner(OneLiner::NestedInteger, self.dimensions),
        };
        site.lattice(basis, &lattice)
    }
}
