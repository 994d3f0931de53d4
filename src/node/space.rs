//! Sub-graphs in another space: turned, cut, mirrored, in cells, repeated.

use crate::graph::{GraphError, Interval, Noise};
use crate::node::choices::Axis;
use crate::node::kind::{CheckedNode, InputRanges, NodeKind};
use crate::node::precision::{Magnitudes, Precision, Rounds};
use crate::params::{Input, row};
use crate::program::instance::{Instance, along};
use crate::program::steep::{Rule, Steep};
use crate::program::{NodeSite, Op, ProgramError};

row! {
    /// `of`, sampled at `scale · rotation · (position + offset)`.
    Transform {
        /// The sub-graph.
        of: Input => Elsewhere;
        /// World units added to the position.
        offset: [f64; 3] = [0.0; 3], [POSITION], World;
        /// Degrees by which the position is turned.
        rotation: f64 = 0.0, [-360 to 360], Degrees;
        /// The axis of that turn; its length does not matter.
        axis: [f64; 3] = [0.0, 0.0, 1.0], [each -1000000 to 1000000], Unitless;
        /// Factors along x, y and z; 2 makes details half as large.
        scale: [f64; 3] = [1.0; 3], [each -1000000 to 1000000], Unitless;
    }

    /// `of` in a plane: one coordinate is the same everywhere. To animate it, change `at` over time.
    Slice {
        /// The sub-graph.
        of: Input => Elsewhere;
        /// The axis across the plane.
        axis: Axis = Axis::Z;
        /// World position along it.
        at: f64 = 0.0, [COORDINATE], World;
    }

    /// `of` on the far side of a plane, and its mirror image on the near side.
    Mirror {
        /// The sub-graph.
        of: Input => Elsewhere;
        /// The axis across the plane.
        axis: Axis = Axis::X;
        /// World position of the plane along it.
        at: f64 = 0.0, [COORDINATE], World;
    }

    /// `of` at the centre of the cell in which the position lies: blocks of one value each, gradient 0.
    Quantise {
        /// The sub-graph.
        of: Input => Elsewhere;
        /// World units per cell along x, y and z.
        size: [f64; 3] = [8.0; 3], [each 0.000001 to 1e12], World;
    }

    /// `of`, repeated exactly after a period: sample 0 and the sample a period further are the same bits.
    ///
    /// Simplex in 2D and 3D takes any period from one wavelength on, in 3D from two: the lattice is stretched to the nearest whole number of
    /// its units, by less the longer the period is. Every other basis keeps its wavelength, which the period must be a multiple of in every
    /// octave (so lacunarities are whole numbers): simplex in 4D and `permutation289` of three wavelengths along each axis, hexagons of √3
    /// along y. Simplex in 4D is stretched by 4 %. Sines move to the nearest waves that repeat. Nothing repeats along the fourth axis.
    Periodic {
        /// The sub-graph.
        of: Input => Elsewhere;
        /// World units after which it repeats along x, y and z; 0 for never. A period spans up to 2²⁴ − 1 cells of each lattice under it.
        period: [f64; 3] = [0.0; 3], [each 0 to 1e12], World;
    }
}

impl Noise {
    /// This noise, sampled at `scale · rotation · (position + offset)`.
    pub fn transform(self, mut params: Transform) -> Self {
        self.then(|of| {
            params.of = of;
            params
        })
    }

    /// This noise in the plane in which `axis` has the position `at`.
    pub fn slice(self, axis: Axis, at: f64) -> Self {
        self.then(|of| Slice { of, axis, at })
    }

    /// This noise and its mirror image in a plane.
    pub fn mirror(self, axis: Axis, at: f64) -> Self {
        self.then(|of| Mirror { of, axis, at })
    }

    /// This noise in blocks of one value each.
    pub fn quantise(self, size: [f64; 3]) -> Self {
        self.then(|of| Quantise { of, size })
    }

    /// This noise, repeated exactly after a period along each axis; 0 for never. A period spans up to 2²⁴ − 1 cells of each lattice under it and up
    /// to 10¹² world units; one that a lattice cannot hold is an error when the noise is evaluated.
    pub fn periodic(self, period: [f64; 3]) -> Self {
        self.then(|of| Periodic { of, period })
    }
}

/// World units of the coordinate whose sign tells the sides of a mirror apart: it ends at 2³⁰ of them.
const MIRROR_UNIT: f64 = 1024.0;

impl NodeKind for Transform {
    fn check(&self, at: &CheckedNode<'_>) -> Result<(), GraphError> {
        if self.scale.iter().any(|s| s.abs() < 1e-6) {
            return at.refuse("scale", format!("{:?}", self.scale), "magnitudes of 1e-6 or more (a slice makes flat)");
        }
        at.has_direction("axis", self.axis)
    }

    fn range(&self, inputs: &InputRanges<'_>) -> Interval {
        inputs.of(&self.of)
    }

    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        rule.scaled(rule.input(&self.of), self.scale.iter().fold(0.0, |m: f64, s| m.max(s.abs())))
    }

    fn precision(&self) -> Precision {
        Precision::of_values(2e-6)
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        let inner = site.context.inner(site.context.each(|instance| instance.transformed(self)));
        Ok(Op::Transform { body: site.body(&self.of, &inner)? })
    }
}

impl NodeKind for Slice {
    fn check(&self, _: &CheckedNode<'_>) -> Result<(), GraphError> {
        Ok(())
    }

    fn range(&self, inputs: &InputRanges<'_>) -> Interval {
        inputs.of(&self.of)
    }

    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        rule.input(&self.of)
    }

    fn precision(&self) -> Precision {
        Precision::of_values(2e-6)
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        let frames = site.frames(false, |instance| [instance.matrix(instance.sliced(self.axis, self.at).1)])?;
        let inner = site.context.inner(site.context.each(|instance| instance.sliced(self.axis, self.at).0));
        Ok(Op::Slice { body: site.body(&self.of, &inner)?, frames })
    }
}

impl NodeKind for Mirror {
    fn check(&self, _: &CheckedNode<'_>) -> Result<(), GraphError> {
        Ok(())
    }

    fn range(&self, inputs: &InputRanges<'_>) -> Interval {
        inputs.of(&self.of)
    }

    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        rule.input(&self.of)
    }

    fn precision(&self) -> Precision {
        Precision::of_values(2e-6)
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        let frames = site.frames(true, |instance| [along(self.axis, self.at, MIRROR_UNIT, instance)])?;
        let both = |instance: &Instance| [*instance, instance.mirrored(self.axis, self.at)];
        let inner = site.context.inner(site.context.instances.iter().flat_map(both).collect());
        Ok(Op::Mirror { body: site.body(&self.of, &inner)?, frames })
    }
}

impl NodeKind for Quantise {
    fn check(&self, _: &CheckedNode<'_>) -> Result<(), GraphError> {
        Ok(())
    }

    fn range(&self, inputs: &InputRanges<'_>) -> Interval {
        inputs.of(&self.of)
    }

    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        rule.curve(&self.of, 0.0)
    }

    fn precision(&self) -> Precision {
        Precision::of_values(2e-6)
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        let context = site.context;
        for instance in &context.instances {
            instance.fit_cells(self.size).map_err(|mismatch| site.period_mismatch(mismatch))?;
        }
        let before = site.owners();
        let frames = site.frames(false, |instance| [instance.cells(self.size)])?;
        let inner = context.quantised(context.each(|instance| instance.quantised(self.size)));
        let body = site.body(&self.of, &inner)?;
        // Lattices begin anew after 2³² cells. What has a place must not.
        site.reach_coordinates(before, |instance| instance.cells(self.size));
        Ok(Op::Quantise { body, frames })
    }
}

impl NodeKind for Periodic {
    fn check(&self, _: &CheckedNode<'_>) -> Result<(), GraphError> {
        Ok(())
    }

    fn range(&self, inputs: &InputRanges<'_>) -> Interval {
        inputs.of(&self.of)
    }

    /// Lattices are stretched by up to √2, and sines move to the nearest waves that repeat, which are up to twice as short.
    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        rule.scaled(rule.input(&self.of), 2.0)
    }

    fn precision(&self) -> Precision {
        Precision::of_values(2e-6)
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        let allowed = "outside rotations, quantised and other periodic nodes only";
        let rows = site.context.instances.iter().map(|instance| instance.repeated(self.period)).collect::<Option<Vec<Instance>>>();
        let rows = rows.ok_or_else(|| GraphError::parameter(site.name, "period", format!("{:?}", self.period), allowed))?;
        let inner = site.context.inner(rows);
        Ok(Op::Transform { body: site.repeated(&self.of, &inner)? })
    }
}
