//! Position as a value: along an axis, and as the distance from a point.

use crate::graph::lower::NodeSite;
use crate::graph::lower::steep::{Rule, Steep};
use crate::graph::node::kind::{CheckedNode, InputRanges, NodeKind};
use crate::graph::node::near::Near;
use crate::graph::node::precision::{Magnitudes, Precision, Rounds};
use crate::graph::{COORDINATE, Noise};
use crate::interval::Interval;
use crate::params::row;
use crate::program::instance::{along, around, direction};
use crate::program::{Axis, CoordinatePart, GraphError, Op, Polar as Coordinates, ProgramError};
use glam::DVec3;

row! {
    /// The position along one world axis: `position / unit`. It is the one basis whose values are not within ±1.
    ///
    /// As a value it has a relative error of up to 2⁻²⁴ in f32, and positions beyond 2³⁰ units are an error. Sums of several
    /// coordinates are exact until they become a value. Under a `sine` or `domain`, also through sums and multiples, the
    /// position is exact at any distance, so stripes stay regular 10¹² units from the origin.
    Coordinate {
        /// The axis.
        axis: Axis = Axis::X;
        /// World units per 1.0. As a value, positions beyond 2³⁰ units are an error, so far worlds need a large unit.
        unit: f64 = 1.0, [WAVELENGTH], WorldPerOne;
    }

    /// The distance from a point, along the axes whose weight in `axes` is not 0.
    Radius {
        /// The point, in world units.
        centre: [f64; 3] = [0.0; 3], [POSITION], World;
        /// Weight of the distance along each axis: (1, 1, 0) measures in the plane.
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
        // The limit applies to coordinates that are already stretched.
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

impl Coordinate {
    /// Bounds near a point.
    pub(super) fn range_near(&self, near: Near) -> Interval {
        let along = direction(self.axis) / self.unit;
        let (middle, reach) = (along.dot(near.centre), along.dot(near.reach));
        Interval::new(middle - reach, middle + reach).loosened(64.0, middle.abs() + reach)
    }
}

impl Radius {
    /// Bounds near a point, by its distance from the centre.
    pub(super) fn range_near(&self, near: Near) -> Interval {
        let scale = DVec3::from(self.axes).abs() / self.unit;
        let middle = (scale * (near.centre - DVec3::from(self.centre))).length();
        let reach = (scale * near.reach).length().min(scale.max_element() * near.distance);
        let largest = (scale * near.centre).length() + (scale * DVec3::from(self.centre)).length() + reach;
        let all = Interval::new(middle - reach, middle + reach).loosened(64.0, largest);
        Interval { lo: all.lo.max(0.0), ..all }
    }
}
