//! A field supplied by the caller.

use crate::interval::Interval;
use crate::params::{Input, row};
use crate::schedule::PlaneSource;
use crate::stage::StageError;
use crate::stage::kind::StageKind;
use crate::stage::lower::{Outputs, ScheduleError, ScheduleLowering, single};

row! {
    /// A field supplied by the caller: `Engine::apply` runs the following stages on the caller's own samples. Not allowed in
    /// recipes.
    Given {
    }
}

impl StageKind for Given {
    fn check(&self, _: &str) -> Result<(), StageError> {
        Ok(())
    }

    fn ranges(&self, _: &dyn Fn(&Input) -> Option<Interval>) -> Vec<Option<Interval>> {
        // The values of the caller's samples are unknown.
        vec![None]
    }

    fn reach_parameter(&self) -> Option<&'static str> {
        None
    }

    fn lower(&self, name: &str, lowering: &mut ScheduleLowering<'_>) -> Result<Outputs, ScheduleError> {
        let plane = lowering.schedule.plane();
        lowering.schedule.sources.push(PlaneSource::Given { stage: name.to_owned(), plane });
        Ok(single([plane]))
    }
}
