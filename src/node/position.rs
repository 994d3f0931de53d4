//! The position as a number: along an axis, and as the distance from a point.

use crate::graph::{COORDINATE, GraphError, Interval, Noise};
use crate::node::choices::Axis;
use crate::node::kind::{CheckedNode, InputRanges, NodeKind};
use crate::node::precision::{Magnitudes, Precision, Rounds};
use crate::params::row;
use crate::program::instance::{along, around};
use crate::program::steep::{Rule, Steep};
use crate::program::{CoordinatePart, NodeSite, Op, Polar as Coordinates, ProgramError};
use glam::DVec3;

row! {
    /// The position along one world axis: `position / unit`. The one basis without a bound of 1.
    ///
    /// As a number it is off by up to 2⁻²⁴ of itself in f32, and ends at 2³⁰ units. Sums of several are exact before they become a number; under
    /// a `sine` or `domain`, through sums and multiples, the position is taken exactly, at any distance, so that stripes 10¹² units out are
    /// stripes.
    Coordinate {
        /// Which axis.
        axis: Axis = Axis::X;
        /// World units per 1.0. As a number, positions beyond 2³⁰ units are an error, so far worlds want a large unit.
        unit: f64 = 1.0, [WAVELENGTH], WorldPerOne;
    }

    /// The distance from a point, in units; along the axes whose `axes` are not 0.
    Radius {
        /// The point, in world units.
        centre: [f64; 3] = [0.0; 3], [POSITION], World;
        /// How much the distance along each axis counts: (1, 1, 0) measures in the plane.
        axes: [f64; 3] = [1.0, 1.0, 0.0], [each -1000 to 1000], Unitless;
        /// World units per 1.0.
        unit: f64 = 1.0, [WAVELENGTH], WorldPerOne;
    }
}

impl Noise {
    /// The position along one axis.
    pub fn coordinate(params: Coordinate) -> Self {
        Self::source(params)
    }

    /// The distance from a point.
    pub fn radius(params: Radius) -> Self {
        Self::source(params)
    }
}

impl NodeKind for Coordinate {
    fn check(&self, _: &CheckedNode<'_>) -> Result<(), GraphError> {
        Ok(())
    }

    fn range(&self, _: &InputRanges<'_>) -> Interval {
        Interval::new(-COORDINATE, COORDINATE)
    }

    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        rule.basis(1.0 / self.unit)
    }

    fn precision(&self) -> Precision {
        Precision::of_values(1.2e-7)
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        site.never_repeats()?;
        Ok(Op::Coordinate(CoordinatePart::Whole, site.frames(true, |instance| [along(self.axis, 0.0, self.unit, instance)])?))
    }
}

impl NodeKind for Radius {
    fn check(&self, at: &CheckedNode<'_>) -> Result<(), GraphError> {
        at.has_direction("axes", self.axes)
    }

    fn range(&self, _: &InputRanges<'_>) -> Interval {
        // What the limit holds for are coordinates that are stretched already.
        let farthest = COORDINATE * (self.axes.iter().filter(|a| **a != 0.0).count() as f64).sqrt();
        Interval { lo: 0.0, ..Interval::new(0.0, farthest).widened(8.0) }
    }

    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        rule.basis(self.axes.iter().map(|a| a * a).sum::<f64>().sqrt() / self.unit)
    }

    fn precision(&self) -> Precision {
        Precision::of_values(4e-7)
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        site.never_repeats()?;
        let scale = DVec3::from(self.axes) / self.unit;
        Ok(Op::Polar(Coordinates::Radius, site.frames(true, |instance| [around(self.centre, scale, instance)])?))
    }
}
