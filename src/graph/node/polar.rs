//! Sub-graphs in polar coordinates.

use crate::graph::lower::steep::{Rule, Steep, times};
use crate::graph::lower::{NodeSite, around_circle};
use crate::graph::node::choices::PolarForm;
use crate::graph::node::kind::{CheckedNode, InputRanges, NodeKind};
use crate::graph::node::precision::{Magnitudes, Precision, Rounds, fast};
use crate::graph::{COORDINATE, Noise};
use crate::interval::Interval;
use crate::params::{Input, row};
use crate::program::instance::{along, around};
use crate::program::{Axis, CoordinatePart, GraphError, Op, Polar as Coordinates, ProgramError, Reg};
use glam::DVec3;
use std::f64::consts::SQRT_2;

row! {
    /// `of` in polar coordinates around a point of the plane. `circle`: the same value along every ray. `strip`: the angle
    /// replaces x and the distance replaces y.
    ///
    /// Both are measured from the centre, so another centre gives another noise. Positions farther than 2³⁰ · `size` from the
    /// centre are an error.
    Polar {
        /// The sub-graph.
        of: Input => Elsewhere;
        /// The centre, in world units.
        centre: [f64; 3] = [0.0; 3], [POSITION], World;
        /// The position at which `of` is sampled.
        form: PolarForm = PolarForm::Circle, [structural];
        /// The radius of the circle, or the length of the strip that covers one turn, in world units.
        size: f64 = 100.0, [WAVELENGTH], World;
    }
}

impl Noise {
    /// This noise in polar coordinates around a point.
    pub fn polar(self, mut params: Polar) -> Self {
        self.then(|of| {
            params.of = of;
            params
        })
    }
}

/// Distances from the centre that are below this share of the size, 2⁻⁵⁰, count as 0.
const NEAREST: f64 = 1_125_899_906_842_624.0;

impl NodeKind for Polar {
    fn check(&self, _: &CheckedNode<'_>) -> Result<(), GraphError> {
        Ok(())
    }

    fn range(&self, inputs: &InputRanges<'_>) -> Interval {
        inputs.of(&self.of)
    }

    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        let of = rule.input(&self.of);
        rule.of(times(of.gradient, NEAREST * SQRT_2), &[of])
    }

    /// Directions and distances are those of a position in units of `size`.
    fn precision(&self) -> Precision {
        Precision { fast: fast::CIRCLES, ..Precision::of_lattice(2e-6, self.size) }
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        site.never_repeats()?;
        // In units of the size, so that the centre may be as far away as a coordinate of that unit.
        let flat = DVec3::new(1.0, 1.0, 0.0) / self.size;
        let frames = site.frames(true, |instance| [around(self.centre, flat, instance)])?;
        let height = site.frames(true, |instance| [along(Axis::Z, 0.0, self.size, instance)])?;
        let reach = site.polar_reach().unwrap_or_else(|| around_circle(self.form, 2.0 * COORDINATE, COORDINATE));
        let (first, second) = match self.form {
            PolarForm::Circle => (Coordinates::Cosine, Coordinates::Sine),
            PolarForm::Strip => (Coordinates::Angle, Coordinates::Radius),
        };
        let mut by = [Reg(0); 3];
        for (reg, op) in
            by.iter_mut().zip([Op::Polar(first, frames), Op::Polar(second, frames), Op::Coordinate(CoordinatePart::Whole, height)])
        {
            let x = site.push(op)?;
            let scale = Op::ScaleOffset { x, scale: site.scalar(self.size), offset: site.scalar(0.0) };
            *reg = site.push(scale)?;
        }
        let inner = site.context.each(|instance| instance.placed(DVec3::new(self.centre[0], self.centre[1], 0.0), reach * self.size));
        site.at(&self.of, by, inner)
    }
}
