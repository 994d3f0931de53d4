//! White noise: a random number per cell.

use crate::graph::Noise;
use crate::graph::lower::NodeSite;
use crate::graph::lower::steep::{Rule, Steep};
use crate::graph::node::choices::WhiteHash;
use crate::graph::node::kind::{CheckedNode, InputRanges, NodeKind};
use crate::graph::node::precision::{Magnitudes, Precision, Rounds, fast};
use crate::interval::Interval;
use crate::params::row;
use crate::program::lattice::Lattice;
use crate::program::{Basis, GraphError, Interpolation, OneLiner, Op, Pointwise, ProgramError};

row! {
    /// White noise: a random number per cell. Signed, within [−1, 1], with gradient 0.
    ///
    /// Use `integer`. The other hashes reproduce one-line functions of shaders, applied to whole cells. They have no seed:
    /// `seed` determines only the offset. On GPUs `sine` and `nested_sine` usually differ from device to device; here they are
    /// the same everywhere. The rounding of f32, multiplied by 44,000, dominates them: one number in the plane is within 0.01
    /// of its f64 value, and a nested one is unrelated to it. Neighbours far from the origin correlate. `nested_integer` is
    /// exact, but nearly constant along diagonals, as sums of products are.
    White {
        /// Number of dimensions: 1 (reads x), 2 (x and y) or 3.
        dimensions: u32 = 2, [dimensions 1 to 3], Unitless;
        /// Hash from cells to numbers.
        hash: WhiteHash = WhiteHash::Integer, [structural];
        /// Edge of a cell, in world units.
        wavelength: f64 = 1.0, [WAVELENGTH], World;
        /// Seed of the hash and the lattice offset.
        seed: u64 = 0, [seed], Unitless;
        /// Offset added to the position, in world units, instead of the offset derived from the seed.
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
            // The last digit of a sine, times 43758.5, dominates the fraction.
            WhiteHash::Sine | WhiteHash::NestedSine => fast::UNBOUNDED,
        };
        Precision { fast, ..Precision::of_lattice(2e-6, self.wavelength) }
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        let lattice = Lattice::cubic(self.dimensions, self.wavelength, self.seed, self.offset);
        let one_liner = |form| Basis::Pointwise(Pointwise::OneLiner(form, self.dimensions));
        let basis = match self.hash {
            WhiteHash::Integer => Basis::Value(self.dimensions, Interpolation::Truncated),
            WhiteHash::Sine => one_liner(OneLiner::Sine),
            WhiteHash::NestedSine => one_liner(OneLiner::NestedSine),
            WhiteHash::NestedInteger => one_liner(OneLiner::NestedInteger),
        };
        site.lattice(basis, &lattice)
    }
}
