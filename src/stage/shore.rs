//! Shores: beaches and cliffs along the line where the ground has the height of the sea.

use crate::interval::Interval;
use crate::params::{Input, OutputInfo, row};
use crate::schedule::pass::{self, Mask, Slope, made};
use crate::stage::StageError;
use crate::stage::distance::signed_distance;
use crate::stage::kind::{SHARE, StageKind};
use crate::stage::lower::{Outputs, ScheduleError, ScheduleLowering, single};

row! {
    /// A beach along a sea: where the ground is gentle, it becomes a plane that rises evenly from the water, with a smooth transition.
    ///
    /// The shore is the line where the ground has the height of the sea; distances to it are those of the stage `distance`. Sand fills
    /// hollows and covers low rocks. A further output is `sand`: 1 at the shore, 0 away from the beach.
    Beach -> &[OutputInfo::main(1), OutputInfo::further("sand")], {
        /// The heights of the ground.
        of: Input;
        /// Height of the sea.
        level: f64 = 0.0, [SAMPLE], Value;
        /// Distance from the shore to either end of the beach, in world units.
        width: f64 = 24.0, [WAVELENGTH], World;
        /// Slope of the beach, as height per distance.
        slope: f64 = 0.06, [0 to 1000000], Unitless;
        /// Steepest slope of the ground that has a whole beach, as height per distance. From twice this slope on, the ground does not
        /// change.
        steep: f64 = 0.5, [1e-6 to 1e6], Unitless;
    }

    /// A cliff along a sea: waves cut a platform into the land, and behind it the ground rises steeply.
    ///
    /// The land within `retreat` of the shore is not higher than the platform, and behind it not higher than the face of the cliff. Land
    /// higher than the cliff is cut less, so that a slope remains above it. The sea bed does not change. A further output is `cut`, the
    /// height of the rock that is gone.
    Cliff -> &[OutputInfo::main(1), OutputInfo::further("cut")], {
        /// The heights of the ground.
        of: Input;
        /// Height of the sea.
        level: f64 = 0.0, [SAMPLE], Value;
        /// Distance from the shore to the foot of the cliff, in world units.
        retreat: f64 = 16.0, [WAVELENGTH], World;
        /// Slope of the platform, as height per distance.
        slope: f64 = 0.04, [0 to 1000000], Unitless;
        /// Slope of the face, as height per distance.
        face: f64 = 3.0, [1e-6 to 1e6], Unitless;
        /// Largest height of the cliff. The upper half of a higher face is less steep.
        height: f64 = 40.0, [1e-6 to 1e12], Value;
    }
}

impl StageKind for Beach {
    fn check(&self, _: &str) -> Result<(), StageError> {
        Ok(())
    }

    fn ranges(&self, of: &dyn Fn(&Input) -> Option<Interval>) -> Vec<Option<Interval>> {
        let most = self.slope * self.width;
        let sand = Interval::new(self.level - most, self.level + most).outward();
        vec![of(&self.of).map(|ground| ground.hull(sand).widened(8.0)), Some(SHARE)]
    }

    fn reach_parameter(&self) -> Option<&'static str> {
        Some("width")
    }

    fn lower(&self, name: &str, lowering: &mut ScheduleLowering<'_>) -> Result<Outputs, ScheduleError> {
        let height = lowering.plane(name, "of", &self.of)?;
        // A little more than the width, where rounding would leave a share.
        let distance = signed_distance(lowering, height, self.level, 1.001 * self.width);
        let slope = lowering.run(Slope { height, per_two_steps: lowering.per_two_steps() }).slope;
        let gentle = lowering.run(Mask { value: slope, from: 2.0 * self.steep, per_way: -1.0 / self.steep }).mask;
        let beach = pass::Beach { height, distance, gentle, level: self.level, slope: self.slope, per_width: 1.0 / self.width };
        let made::Beach { height, sand } = lowering.run(beach);
        Ok(single([height, sand]))
    }
}

impl StageKind for Cliff {
    fn check(&self, _: &str) -> Result<(), StageError> {
        Ok(())
    }

    fn ranges(&self, of: &dyn Fn(&Input) -> Option<Interval>) -> Vec<Option<Interval>> {
        // Land is cut down to the sea at most.
        let cut = |ground: Interval| Interval { lo: 0.0, hi: (ground.hi - self.level).max(0.0) }.widened(8.0);
        let ground = of(&self.of);
        vec![ground.map(|ground| ground.widened(8.0)), ground.map(cut)]
    }

    fn reach_parameter(&self) -> Option<&'static str> {
        Some("retreat")
    }

    fn lower(&self, name: &str, lowering: &mut ScheduleLowering<'_>) -> Result<Outputs, ScheduleError> {
        let height = lowering.plane(name, "of", &self.of)?;
        // A little more than to the end of the face, where rounding would leave a share.
        let distance = signed_distance(lowering, height, self.level, self.retreat + 1.001 * self.height / self.face);
        let &Cliff { level, retreat, slope, face, .. } = self;
        let cliff = pass::Cliff { height, distance, level, retreat, slope, face, per_height: 1.0 / self.height };
        let made::Cliff { height, cut } = lowering.run(cliff);
        Ok(single([height, cut]))
    }
}
