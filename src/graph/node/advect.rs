//! Sub-graphs carried along by a flow.

use crate::graph::lower::steep::{Rule, Steep, times};
use crate::graph::lower::{NodeSite, input_slope};
use crate::graph::node::curl::{Flow, frames, have_gradients};
use crate::graph::node::kind::{CheckedNode, InputRanges, NodeKind};
use crate::graph::node::precision::{Magnitudes, Precision, Rounds, fast};
use crate::graph::{Graph, LARGEST_VALUE, Noise};
use crate::interval::Interval;
use crate::params::{Input, row};
use crate::program::instance::{Instance, absolute};
use crate::program::{Axis, GraphError, Op, ProgramError};
use glam::DVec3;

row! {
    /// `of`, carried along by the flow that `curl` computes from potentials: smoke, marble or clouds that eddies draw out.
    ///
    /// A sample traces the flow backwards in equal steps of Euler's method, and reads `of` where it ends. (Semi-Lagrangian
    /// advection: Stam, "Stable fluids", 1999.) In the plane, the flow follows the contours of `by`. With `x` and `y` as well, the
    /// potential is the vector `(x, y, by)`, and the flow is one in space. One step is the same as `warp` by the components of
    /// `curl`, with `-strength`. More steps follow the contours closer, and the pattern tears less.
    ///
    /// Velocities are slopes of the potential. Those of a noise from −1 to 1 are about 2 / `wavelength`. So if the potential is a
    /// noise times half its wavelength, samples move by about `strength`, in world units.
    ///
    /// Values stay in the range of `of`. The node has no gradient. Each step costs the potentials with their gradients.
    Advect {
        /// The sub-graph that is carried along.
        of: Input => Elsewhere;
        /// The potential in the plane; its third component in space. Requires a gradient.
        by: Input => Slope;
        /// First component of the potential in space. Requires a gradient.
        x: Input = Input::Value(0.0) => Slope;
        /// Second component of the potential in space. Requires a gradient.
        y: Input = Input::Value(0.0) => Slope;
        /// World units per 1.0 of velocity, of all steps together.
        strength: f64 = 1.0, [-1000000000 to 1000000000], WorldPerOne;
        /// Number of steps.
        steps: u32 = 4, [dimensions 1 to 16], Unitless;
    }
}

impl Noise {
    /// This noise, carried along by the flow of a potential in the plane.
    pub fn advect(self, by: impl Into<Noise>, mut params: Advect) -> Self {
        self.with(&by.into(), |of, by| {
            (params.of, params.by) = (of, by);
            params
        })
    }

    /// This noise, carried along by the flow of a vector potential.
    pub fn advect_3d(mut self, by: [impl Into<Noise>; 3], mut params: Advect) -> Self {
        params.of = Input::Node(self.graph().output.clone());
        [params.x, params.y, params.by] = by.map(|noise| Input::Node(self.absorb(&noise.into())));
        self.push(params)
    }
}

/// Rounding of a velocity, as a share of its largest magnitude.
const ROUNDING: f64 = 1e-5;

impl NodeKind for Advect {
    fn check(&self, at: &CheckedNode<'_>) -> Result<(), GraphError> {
        have_gradients(at, &[("by", &self.by), ("x", &self.x), ("y", &self.y)])
    }

    fn range(&self, inputs: &InputRanges<'_>) -> Interval {
        inputs.of(&self.of)
    }

    /// Second derivatives of potentials are not computed.
    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        rule.basis(f64::INFINITY)
    }

    fn precision(&self) -> Precision {
        Precision { fast: fast::SLOPES, ..Precision::of_values(ROUNDING) }
    }

    /// A velocity that is off moves the position at which `of` is read. It is off by its whole range at most.
    fn rounds(&self, inputs: &Magnitudes<'_>) -> Rounds {
        let moved = self.reach(inputs.graph, self.strength).length();
        let off = times(input_slope(inputs.graph, &self.of), moved);
        Rounds { largest: off.min(2.0 * inputs.of(&self.of) / ROUNDING), argument: None }
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        self.step(site, self.steps)
    }
}

impl Advect {
    fn flow(&self) -> Flow<'_> {
        Flow([&self.x, &self.y, &self.by])
    }

    /// The largest displacement along each axis at this strength.
    fn reach(&self, graph: &Graph, strength: f64) -> DVec3 {
        DVec3::from([Axis::X, Axis::Y, Axis::Z].map(|axis| times(strength.abs(), self.flow().range(graph, axis).magnitude())))
    }

    /// The last steps: the scope of each is displaced by the one before.
    fn step(&self, site: &mut NodeSite<'_, '_>, left: u32) -> Result<Op, ProgramError> {
        let strength = -self.strength / f64::from(self.steps);
        let reach = self.reach(site.graph(), 1.0);
        // Velocities are computed before they are multiplied by the strength.
        if reach.max_element() > LARGEST_VALUE {
            return Err(ProgramError::too_far(site.name, f64::INFINITY));
        }
        let slopes = frames(site)?;
        let by = [Axis::X, Axis::Y, Axis::Z].map(|axis| {
            let component = self.flow().component(site, axis, slopes)?;
            site.push(component)
        });
        let [x, y, z] = by;
        let by = [x?, y?, z?];
        let back = |instance: &Instance| instance.local.inverse() * strength;
        let frames = site.frames(false, |instance| [instance.matrix(back(instance))])?;
        let moved = |instance: &Instance| Instance { reach: instance.reach + absolute(back(instance)) * reach, ..*instance };
        let inner = site.context.displaced(site.context.each(moved));
        let body = match left {
            0 | 1 => site.body(&self.of, &inner)?,
            _ => site.own_scope(&inner, |site| {
                site.evaluate([&self.x, &self.y, &self.by])?;
                self.step(site, left - 1)
            })?,
        };
        Ok(Op::Warp { body, by, frames })
    }
}
