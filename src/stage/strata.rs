//! Strata: layers of rock, and the hardness that erosion meets.

use crate::interval::Interval;
use crate::params::{Input, OutputInfo, row};
use crate::schedule::PlaneId;
use crate::schedule::pass::{StrataLayers, made};
use crate::stage::kind::{StageKind, about};
use crate::stage::lower::{Outputs, ScheduleError, ScheduleLowering, limbs, q32, seed, single};
use crate::stage::{Stage, StageError};
use std::sync::Arc;

row! {
    /// Layers of rock, alternately hard and soft, tilted and folded. The main output is the hardness of the layer that lies at the height
    /// `of`.
    ///
    /// They can be the `hardness` of `hydraulic` or `erosion`. If `of` is the same in both stages, every iteration meets the layer at the
    /// height that the ground has then. So hard layers stand out as benches and scarps. Strata that reach the erosion through another node
    /// or stage have the hardness of the ground before the erosion.
    ///
    /// A further output is `layer`: a random number of each layer from 0 to 1, for colours. The layers of the eroded ground are those of a
    /// second stage with the same parameters, whose `of` is the eroded ground.
    Strata -> &[OutputInfo::main(1), OutputInfo::further("layer")], {
        /// The heights.
        of: Input;
        /// Mean thickness of a layer.
        thickness: f64 = 20.0, [1e-6 to 1e12], Value;
        /// Differences between thicknesses: with 0 all layers are equal, with 1 the thinnest vanish and the thickest are double.
        irregular: f64 = 0.6, [SHARE], Unitless;
        /// Hardness of the softest layers.
        soft: f64 = 0.1, [SHARE], Unitless;
        /// Hardness of the hardest layers.
        hard: f64 = 0.95, [SHARE], Unitless;
        /// Differences between layers of a kind: with 0 all hard layers are equally hard, with 1 some are as hard as the mean.
        variation: f64 = 0.5, [SHARE], Unitless;
        /// Height over which two layers blend, as a share of `thickness`.
        blend: f64 = 0.15, [0.001 to 1], Unitless;
        /// Slope of the layers, as height per distance.
        dip: f64 = 0.0, [0 to 1000], Unitless;
        /// Direction in which the layers descend, in degrees clockwise from north (y points down in a picture).
        direction: f64 = 90.0, [-360 to 360], Degrees;
        /// Height by which the layers are raised, for example a noise with long waves that folds them.
        fold: Input = Input::Value(0.0);
        /// Seed of the layers.
        seed: u64 = 0, [seed], Unitless;
    }
}

impl Strata {
    /// The layers at these heights.
    fn layers(&self, lowering: &mut ScheduleLowering<'_>, height: PlaneId, fold: PlaneId) -> made::StrataLayers<PlaneId> {
        let [seed_low, seed_high] = seed(self.seed);
        // In layers, which are numbered exactly at any distance.
        let direction = self.direction.to_radians();
        let tilt = [-libm::sin(direction), libm::cos(direction)].map(|part| part * self.dip / self.thickness);
        let steps = tilt.map(|tilt| q32(lowering.step, tilt));
        let first = [0, 1].map(|axis| {
            let (anchor, origin) = (lowering.block.anchor[axis], lowering.block.origin[axis] as u64);
            q32(anchor, tilt[axis]).wrapping_add(steps[axis].wrapping_mul(origin))
        });
        let table = [first[0].wrapping_add(first[1]), steps[0], steps[1]].map(limbs).concat();
        lowering.run(StrataLayers {
            height,
            fold,
            per_thickness: 1.0 / self.thickness,
            irregular: self.irregular,
            per_blend: 1.0 / self.blend,
            soft: self.soft,
            harder: self.hard - self.soft,
            vary: 0.5 * self.variation,
            seed_low,
            seed_high,
            table: Arc::new(table),
        })
    }
}

impl StageKind for Strata {
    fn check(&self, _: &str) -> Result<(), StageError> {
        Ok(())
    }

    fn ranges(&self, _: &dyn Fn(&Input) -> Option<Interval>) -> Vec<Option<Interval>> {
        vec![about(self.soft.min(self.hard), self.soft.max(self.hard), 16.0), about(0.0, 1.0, 16.0)]
    }

    fn reach_parameter(&self) -> Option<&'static str> {
        None
    }

    fn lower(&self, name: &str, lowering: &mut ScheduleLowering<'_>) -> Result<Outputs, ScheduleError> {
        let height = lowering.plane(name, "of", &self.of)?;
        let fold = lowering.plane(name, "fold", &self.fold)?;
        Ok(single(self.layers(lowering, height, fold).into()))
    }
}

/// The hardness of ground that changes.
pub(super) enum Hardness<'a> {
    /// It stays as it is.
    Fixed(PlaneId),
    /// That of the layer at the height of the ground. The plane is the fold.
    Layers(&'a Strata, PlaneId),
}

impl<'a> Hardness<'a> {
    /// That of the input `hardness` of a stage that erodes `of`.
    pub fn of(name: &str, lowering: &mut ScheduleLowering<'a>, hardness: &Input, of: &Input) -> Result<Self, ScheduleError> {
        let pipeline = lowering.pipeline;
        if let Input::Node(strata) = hardness
            && let Some(Stage::Strata(layers)) = pipeline.stage.get(strata)
            && layers.of == *of
        {
            return Ok(Hardness::Layers(layers, lowering.plane(strata, "fold", &layers.fold)?));
        }
        Ok(Hardness::Fixed(lowering.plane(name, "hardness", hardness)?))
    }

    /// The hardness of ground with these heights.
    pub fn at(&self, lowering: &mut ScheduleLowering<'_>, height: PlaneId) -> PlaneId {
        match self {
            Hardness::Fixed(plane) => *plane,
            Hardness::Layers(strata, fold) => strata.layers(lowering, height, *fold).hardness,
        }
    }
}
