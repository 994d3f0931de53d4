//! Sub-graphs sampled at positions that other sub-graphs compute.

use crate::graph::Noise;
use crate::graph::lower::NodeSite;
use crate::graph::lower::steep::{Rule, Steep, times};
use crate::graph::node::kind::{CheckedNode, InputRanges, NodeKind};
use crate::graph::node::precision::{Magnitudes, Precision, Rounds, fast};
use crate::interval::Interval;
use crate::params::{Input, row};
use crate::program::instance::{Instance, absolute};
use crate::program::{GraphError, Op, ProgramError};
use glam::{DAffine3, DVec3};

row! {
    /// `of`, sampled at `position + strength · (x, y, z)`.
    ///
    /// Positions are exact at any distance; displacements are f32. A displacement of 2¹⁶ cells of the finest lattice under the
    /// warp still resolves 2⁻⁸ of a cell; one of 2²⁴ cells resolves nothing.
    Warp {
        /// The sub-graph that is displaced.
        of: Input => Elsewhere;
        /// Displacement along x before `strength`.
        x: Input = Input::Value(0.0) => Here;
        /// Displacement along y before `strength`.
        y: Input = Input::Value(0.0) => Here;
        /// Displacement along z before `strength`.
        z: Input = Input::Value(0.0) => Here;
        /// World units per 1.0 of displacement.
        strength: f64 = 1.0, [-1000000000 to 1000000000], WorldPerOne;
    }

    /// `of`, sampled at the position whose coordinates are the values of three nodes, in world units. Values are f32, so the
    /// position has a relative error of up to 2⁻²⁴.
    Domain {
        /// The sub-graph.
        of: Input => Elsewhere;
        /// World position along x.
        x: Input = Input::Value(0.0) => Here;
        /// World position along y.
        y: Input = Input::Value(0.0) => Here;
        /// World position along z.
        z: Input = Input::Value(0.0) => Here;
    }

    /// Displaces `of` along every axis by another sub-graph, with a separate seed for each axis. With more than one octave the
    /// displacements add up: each octave is sampled at the position displaced so far (a progressive domain warp).
    Turbulence {
        /// The sub-graph that is displaced.
        of: Input => Elsewhere;
        /// The sub-graph that displaces it.
        by: Input => Elsewhere;
        /// World units per 1.0 of displacement.
        strength: f64 = 50.0, [-1000000000 to 1000000000], WorldPerOne;
        /// Number of displacements, one after the other.
        octaves: u32 = 1, [1 to 32], Unitless;
        /// Frequency ratio of an octave of `by` to the previous one.
        lacunarity: f64 = 2.0, [0.015625 to 64], Unitless;
        /// Strength ratio of an octave to the previous one.
        gain: f64 = 0.5, [-16 to 16], Unitless;
        /// Seed from which the seeds of the axes and octaves are derived.
        seed: u64 = 0, [seed], Unitless;
    }
}

impl Noise {
    /// This noise sampled at `position + strength · (x, y, z)`.
    pub fn warp(mut self, by: [impl Into<Noise>; 3], strength: f64) -> Self {
        let of = Input::Node(self.graph().output.clone());
        let [x, y, z] = by.map(|noise| Input::Node(self.absorb(&noise.into())));
        self.push(Warp { of, x, y, z, strength })
    }

    /// This noise at the position given by three other noises.
    pub fn domain(mut self, at: [impl Into<Noise>; 3]) -> Self {
        let of = Input::Node(self.graph().output.clone());
        let [x, y, z] = at.map(|noise| Input::Node(self.absorb(&noise.into())));
        self.push(Domain { of, x, y, z })
    }

    /// This noise, displaced by another noise with a separate seed for every axis.
    pub fn turbulence(self, by: impl Into<Noise>, mut params: Turbulence) -> Self {
        self.with(&by.into(), |of, by| {
            (params.of, params.by) = (of, by);
            params
        })
    }
}

impl NodeKind for Warp {
    fn check(&self, _: &CheckedNode<'_>) -> Result<(), GraphError> {
        Ok(())
    }

    fn range(&self, inputs: &InputRanges<'_>) -> Interval {
        inputs.of(&self.of)
    }

    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        let (jacobian, [x, y, z]) = rule.jacobian([&self.x, &self.y, &self.z]);
        let of = rule.input(&self.of);
        let pulled = times(self.strength.abs(), of.gradient);
        let most = rule.of(pulled, &[of, x, y, z]);
        rule.of(of.gradient + times(pulled, jacobian), &[most])
    }

    fn precision(&self) -> Precision {
        let position_unit = self.strength.abs();
        Precision { positions: &["x", "y", "z"], position_unit, fast: fast::DISPLACED, ..Precision::of_values(2e-6) }
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        let (by, reach) = site.inputs([&self.x, &self.y, &self.z])?;
        // The displacement is in the scope's own units; `local` converts it to the units in which displacements are measured.
        let back = |instance: &Instance| instance.local.inverse() * self.strength;
        let frames = site.frames(false, |instance| [instance.matrix(back(instance))])?;
        let moved = |instance: &Instance| Instance { reach: instance.reach + absolute(back(instance)) * reach, ..*instance };
        let inner = site.context.displaced(site.context.each(moved));
        Ok(Op::Warp { body: site.body(&self.of, &inner)?, by, frames })
    }
}

impl NodeKind for Domain {
    fn check(&self, _: &CheckedNode<'_>) -> Result<(), GraphError> {
        Ok(())
    }

    fn range(&self, inputs: &InputRanges<'_>) -> Interval {
        inputs.of(&self.of)
    }

    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        let (jacobian, [x, y, z]) = rule.jacobian([&self.x, &self.y, &self.z]);
        let of = rule.input(&self.of);
        rule.of(times(of.gradient, jacobian), &[of, x, y, z])
    }

    fn precision(&self) -> Precision {
        Precision { positions: &["x", "y", "z"], fast: fast::DISPLACED, ..Precision::of_values(2e-6) }
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        let (by, reach) = site.inputs([&self.x, &self.y, &self.z])?;
        site.at(&self.of, by, site.context.each(|instance| instance.placed(DVec3::ZERO, reach)))
    }
}

impl NodeKind for Turbulence {
    fn check(&self, _: &CheckedNode<'_>) -> Result<(), GraphError> {
        Ok(())
    }

    fn range(&self, inputs: &InputRanges<'_>) -> Interval {
        inputs.of(&self.of)
    }

    /// Each octave is sampled at the position displaced so far, so their slopes multiply.
    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        let (of, by) = (rule.input(&self.of), rule.input(&self.by));
        let (mut strength, mut factor, mut spread) = (self.strength.abs(), 1.0, 1.0);
        let mut most = of;
        for _ in 0..self.octaves {
            let octave = rule.scaled(by, factor * spread);
            most = rule.of(times(strength, octave.gradient), &[most, octave]);
            spread += 3_f64.sqrt() * times(strength, octave.gradient);
            strength *= self.gain.abs();
            factor *= self.lacunarity.abs();
        }
        rule.of(times(of.gradient, spread), &[most, rule.scaled(of, spread)])
    }

    fn precision(&self) -> Precision {
        let position_unit = self.strength.abs();
        Precision { positions: &["by"], position_unit, fast: fast::DISPLACED, ..Precision::of_values(2e-6) }
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        let range = site.range(&self.by);
        let largest = DVec3::splat(range.lo.abs().max(range.hi.abs()));
        let strengths: Vec<f64> = self.strengths().collect();
        let back = |instance: &Instance, strength: f64| instance.local.inverse() * strength;
        let frames = site.frames(false, |instance| strengths.iter().map(|&s| instance.matrix(back(instance, s))).collect::<Vec<_>>())?;
        let total: f64 = strengths.iter().map(|s| s.abs()).sum();
        let moved = |instance: &Instance| Instance { reach: instance.reach + absolute(back(instance, total)) * largest, ..*instance };
        let context = site.context;
        site.count_instances(context.instances.len() * 3 * self.octaves as usize)?;
        let by = context.displaced(context.instances.iter().flat_map(|instance| self.displacements_in(&moved(instance))).collect());
        let by = site.body(&self.by, &by)?;
        let body = site.body(&self.of, &context.displaced(context.each(moved)))?;
        Ok(Op::Turbulence { body, by, frames })
    }
}

impl Turbulence {
    /// The strength of each octave.
    pub(super) fn strengths(&self) -> impl Iterator<Item = f64> {
        std::iter::successors(Some(self.strength), |s| Some(s * self.gain)).take(self.octaves as usize)
    }

    /// The instances of its displacements inside one of its own, three (x, y, z) per octave.
    fn displacements_in(&self, outer: &Instance) -> Vec<Instance> {
        let mut all = Vec::new();
        let mut factor = 1.0;
        for k in 0..u64::from(self.octaves) {
            for axis in 0..3 {
                let seed = outer.seed.with(self.seed).with(k).with(axis);
                all.push(Instance { seed, fourth: outer.fourth * factor, ..outer.then(DAffine3::from_scale(DVec3::splat(factor))) });
            }
            factor *= self.lacunarity;
        }
        all
    }
}
