//! Sub-graphs in a changed space: transformed, sliced, mirrored, quantised, repeated.

use crate::graph::Noise;
use crate::graph::lower::NodeSite;
use crate::graph::lower::steep::{Rule, Steep};
use crate::graph::node::kind::{CheckedNode, InputRanges, NodeKind};
use crate::graph::node::precision::{Magnitudes, Precision, Rounds};
use crate::interval::Interval;
use crate::params::{Input, row};
use crate::program::instance::{Instance, along, turn};
use crate::program::{Axis, GraphError, Op, ProgramError};
use glam::{DAffine3, DMat3, DVec3};

row! {
    /// `of`, sampled at `scale · rotation · (position + offset)`.
    Transform {
        /// The sub-graph.
        of: Input => Elsewhere;
        /// Offset added to the position, in world units.
        offset: [f64; 3] = [0.0; 3], [POSITION], World;
        /// Rotation of the position, in degrees: around z from the x axis towards y. The picture turns the other way.
        rotation: f64 = 0.0, [-360 to 360], Degrees;
        /// Axis of the rotation. Its length is ignored.
        axis: [f64; 3] = [0.0, 0.0, 1.0], [each -1000000 to 1000000], Unitless;
        /// Factors along x, y and z. A factor of 2 halves the size of details.
        scale: [f64; 3] = [1.0; 3], [each -1000000 to 1000000], Unitless;
    }

    /// `of` in a plane: one coordinate is constant.
    ///
    /// To animate a noise along z, move the region's `anchor` instead of slicing it: the values are the same, and nothing is
    /// prepared again.
    Slice {
        /// The sub-graph.
        of: Input => Elsewhere;
        /// The axis perpendicular to the plane.
        axis: Axis = Axis::Z;
        /// World position of the plane along the axis.
        at: f64 = 0.0, [COORDINATE], World;
    }

    /// Mirrors `of` in a plane: positions below the plane take the values of those above.
    Mirror {
        /// The sub-graph.
        of: Input => Elsewhere;
        /// The axis perpendicular to the plane.
        axis: Axis = Axis::X;
        /// World position of the plane along the axis.
        at: f64 = 0.0, [COORDINATE], World;
    }

    /// `of` at the centre of the cell that contains the position: blocks of constant value, with gradient 0.
    Quantise {
        /// The sub-graph.
        of: Input => Elsewhere;
        /// Size of a cell along x, y and z, in world units.
        size: [f64; 3] = [8.0; 3], [each 0.000001 to 1e12], World;
    }

    /// `of`, repeated exactly after a period: samples one period apart have the same bits.
    ///
    /// Simplex noise in 2D allows any period from one wavelength on, in 3D from two: the lattice is stretched to the nearest
    /// whole number of its units, which changes less the longer the period is. Sines move to the nearest waves that repeat.
    ///
    /// Every other basis keeps its wavelength. In every octave the period must be a multiple of that wavelength, so
    /// lacunarities must be whole numbers. In 4D and with `permutation289`, simplex noise needs a multiple of three wavelengths
    /// along each axis (4D is stretched by 4 %). Hexagons need a multiple of √3 wavelengths along y.
    Periodic {
        /// The sub-graph.
        of: Input => Elsewhere;
        /// Period along x, y and z in world units; 0 for no repetition. A period spans up to 2²⁴ − 1 cells of each lattice
        /// under it.
        period: [f64; 3] = [0.0; 3], [each 0 to 1e12], World;
        /// Period along the fourth axis, such as time, in world units; 0 for no repetition. It is a multiple of the wavelength of
        /// every 4D octave under it (of three wavelengths for simplex noise), and of the period of turning gradients.
        w_period: f64 = 0.0, [0 to 1e12], World;
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

    /// This noise in the plane where `axis` has the position `at`.
    pub fn slice(self, axis: Axis, at: f64) -> Self {
        self.then(|of| Slice { of, axis, at })
    }

    /// This noise, mirrored in a plane.
    pub fn mirror(self, axis: Axis, at: f64) -> Self {
        self.then(|of| Mirror { of, axis, at })
    }

    /// This noise in blocks of constant value.
    pub fn quantise(self, size: [f64; 3]) -> Self {
        self.then(|of| Quantise { of, size })
    }

    /// This noise, repeated exactly after a period along each axis; 0 for no repetition. A period spans up to 2²⁴ − 1 cells of
    /// each lattice under it and up to 10¹² world units. A period that a lattice does not allow is an error when the noise is
    /// evaluated.
    pub fn periodic(self, period: [f64; 3]) -> Self {
        self.periodic_4d(period, 0.0)
    }

    /// This noise, repeated exactly after a period along each axis and along the fourth one, which is that of `w`: an animation
    /// over `w` then loops. See [`periodic`](Self::periodic).
    pub fn periodic_4d(self, period: [f64; 3], w_period: f64) -> Self {
        self.then(|of| Periodic { of, period, w_period })
    }
}

/// Unit, in world units, of the coordinate whose sign separates the sides of a mirror. That coordinate is limited to 2³⁰ units.
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
        rule.scaled(rule.input(&self.of), self.stretch())
    }

    fn precision(&self) -> Precision {
        Precision::of_values(2e-6)
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        let inner = site.context.inner(site.context.each(|instance| self.transformed_in(instance)));
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
        // Lattices wrap around after 2³² cells. Noises that depend on the absolute position must not.
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
        let rows =
            site.context.instances.iter().map(|instance| instance.repeated(self.period, self.w_period)).collect::<Option<Vec<Instance>>>();
        let rows = rows.ok_or_else(|| GraphError::parameter(site.name, "period", format!("{:?}", self.period), allowed))?;
        let inner = site.context.inner(rows);
        Ok(Op::Transform { body: site.repeated(&self.of, &inner)? })
    }
}

impl Transform {
    /// The instance of its sub-graph inside one of its own.
    fn transformed_in(&self, outer: &Instance) -> Instance {
        outer.then(self.map())
    }

    /// The map of positions.
    pub(super) fn map(&self) -> DAffine3 {
        let matrix = DMat3::from_diagonal(DVec3::from(self.scale)) * turn(self.axis, self.rotation).unwrap_or(DMat3::IDENTITY);
        DAffine3::from_mat3(matrix) * DAffine3::from_translation(DVec3::from(self.offset))
    }

    /// The largest factor by which it stretches lengths.
    pub(super) fn stretch(&self) -> f64 {
        DVec3::from(self.scale).abs().max_element()
    }
}
