//! Values from displaced positions.

use crate::interval::Interval;
use crate::params::{Input, row};
use crate::schedule::pass;
use crate::stage::StageError;
use crate::stage::kind::StageKind;
use crate::stage::lower::{Outputs, ScheduleError, ScheduleLowering, single};

row! {
    /// Values from displaced positions, such as heights after erosion that a noise bends: the node `warp` for stages.
    ///
    /// The value at a position is that of `of` at the position plus (`x`, `y`), between four samples. Displacements along an axis larger
    /// than `reach` count as that.
    Displace {
        /// The values.
        of: Input;
        /// The displacement along x, in world units.
        x: Input = Input::Value(0.0);
        /// The displacement along y, in world units.
        y: Input = Input::Value(0.0);
        /// The largest displacement along an axis, in world units. The halo is as wide.
        reach: f64 = 32.0, [WAVELENGTH], World;
    }
}

impl StageKind for Displace {
    fn check(&self, _: &str) -> Result<(), StageError> {
        Ok(())
    }

    fn ranges(&self, of: &dyn Fn(&Input) -> Option<Interval>) -> Vec<Option<Interval>> {
        // Two means, each of two products.
        vec![of(&self.of).map(|r| r.widened(8.0))]
    }

    fn reach_parameter(&self) -> Option<&'static str> {
        Some("reach")
    }

    fn lower(&self, name: &str, lowering: &mut ScheduleLowering<'_>) -> Result<Outputs, ScheduleError> {
        let value = lowering.plane(name, "of", &self.of)?;
        let x = lowering.plane(name, "x", &self.x)?;
        let y = lowering.plane(name, "y", &self.y)?;
        let most = self.reach / lowering.step;
        let displaced = pass::Displace { value, x, y, per_step: 1.0 / lowering.step, most, reach: libm::ceil(most) + 1.0 };
        Ok(single([lowering.run(displaced).value]))
    }
}
