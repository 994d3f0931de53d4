//! Beds of rock.

use crate::graph::Noise;
use crate::graph::lower::NodeSite;
use crate::graph::lower::steep::{Rule, Steep, times};
use crate::graph::node::kind::{CheckedNode, InputRanges, NodeKind};
use crate::graph::node::precision::{Magnitudes, Precision, Rounds, fast};
use crate::interval::Interval;
use crate::params::{Input, row};
use crate::program::instance::{Instance, absolute, rows};
use crate::program::lattice::{Lattice, Repeats};
use crate::program::{Basis, BedOutput, GraphError, Op, Pointwise, ProgramError};
use glam::DVec3;

row! {
    /// Beds of rock that lie on each other along z, tilted and folded: a number for the bed at the height `of`.
    ///
    /// In a map, `of` is the height of the ground. In a volume, `of` is 0 and the height is z; otherwise both add up. Beds are the
    /// same along their strike at any distance. The stage `strata` has such layers for erosion, which meets them as it cuts down.
    Beds {
        /// The height, in world units.
        of: Input = Input::Value(0.0) => Here;
        /// Height by which the beds are raised, in world units, for example a noise with long waves that folds them.
        fold: Input = Input::Value(0.0) => Here;
        /// The quantity: a random number of each bed, or its hardness.
        output: BedOutput = BedOutput::Layer, [structural];
        /// Mean thickness of a bed, in world units.
        thickness: f64 = 20.0, [WAVELENGTH], World;
        /// Differences between thicknesses: with 0 all beds are equal, with 1 the thinnest vanish and the thickest are double.
        irregular: f64 = 0.6, [SHARE], Unitless;
        /// Height over which two beds blend, as a share of `thickness`.
        blend: f64 = 0.15, [0.001 to 1], Unitless;
        /// Differences between hard beds, and between soft ones: with 0 the hardness is 0 or 1, with 1 it reaches 1/2. Only `hardness`
        /// reads it.
        variation: f64 = 0.5, [SHARE], Unitless;
        /// Slope of the beds, as height per distance.
        dip: f64 = 0.0, [0 to 1000], Unitless;
        /// Direction in which the beds descend, in degrees clockwise from north (y points down in a picture).
        direction: f64 = 90.0, [-360 to 360], Degrees;
        /// Seed of the hash and the lattice offset.
        seed: u64 = 0, [seed], Unitless;
        /// Offset added to the position, in world units, instead of the offset derived from the seed.
        offset: Option<[f64; 3]> = None, [POSITION], World;
    }
}

impl Noise {
    /// Beds of rock at heights that are this noise, raised by another one.
    pub fn beds(self, fold: impl Into<Noise>, mut params: Beds) -> Self {
        self.with(&fold.into(), |of, fold| {
            (params.of, params.fold) = (of, fold);
            params
        })
    }
}

impl NodeKind for Beds {
    fn check(&self, _: &CheckedNode<'_>) -> Result<(), GraphError> {
        Ok(())
    }

    /// Means of the numbers of three beds.
    fn range(&self, _: &InputRanges<'_>) -> Interval {
        let lowest = if self.output == BedOutput::Layer { -1.0 } else { 0.0 };
        Interval::new(lowest, 1.0).loosened(8.0, 1.0)
    }

    /// Two boundaries, each with a slope of at most `1.5 / blend` times the difference of its beds.
    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        let difference = if self.output == BedOutput::Layer { 2.0 } else { 1.0 };
        let along = 2.0 * 1.5 * difference / self.blend / self.thickness;
        let (of, fold) = (rule.input(&self.of), rule.input(&self.fold));
        let tilted = times(along, libm::sqrt(1.0 + self.dip * self.dip));
        let own = rule.of(tilted, &[of, fold]);
        rule.of(tilted + times(along, of.gradient + fold.gradient), &[own])
    }

    fn precision(&self) -> Precision {
        // No two values differ by more than 2.
        let rounding = (4e-6 / self.blend).min(2.0);
        let cell = [self.thickness; 3];
        Precision { cell, positions: &["of", "fold"], fast: fast::DISPLACED, ..Precision::of_values(rounding) }
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        site.never_repeats()?;
        let (of, fold) = (site.input(&self.of)?, site.input(&self.fold)?);
        let down = Op::ScaleOffset { x: fold, scale: site.scalar(-1.0), offset: site.scalar(0.0) };
        let down = site.push(down)?;
        let height = site.push(Op::Add(of, down))?;
        let none = Op::Constant(site.scalar(0.0));
        let none = site.push(none)?;
        let most = [&self.of, &self.fold].map(|input| site.range(input).magnitude()).iter().sum::<f64>();
        let frames = site.frames(false, |instance| [instance.matrix(instance.local.inverse())])?;
        let reach = DVec3::new(0.0, 0.0, most);
        let moved = |instance: &Instance| Instance { reach: instance.reach + absolute(instance.local.inverse()) * reach, ..*instance };
        let inner = site.context.displaced(site.context.each(moved));
        let body = site.own_scope(&inner, |site| self.boundaries(site))?;
        Ok(Op::Warp { body, by: [none, none, height], frames })
    }
}

impl Beds {
    /// The beds along z, on a lattice that is tilted.
    fn boundaries(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        let numbers = site.numbers([self.irregular, 1.0 / self.blend, self.variation, 0.0]);
        let direction = self.direction.to_radians();
        let across = DVec3::new(self.dip * libm::sin(direction), -self.dip * libm::cos(direction), 1.0);
        let lattice = Lattice {
            skew: rows([across, DVec3::ZERO, DVec3::ZERO]),
            repeats: Repeats::CELLS,
            ..Lattice::cubic(1, self.thickness, self.seed, self.offset)
        };
        site.lattice(Basis::Pointwise(Pointwise::Beds(self.output, numbers)), &lattice)
    }
}
