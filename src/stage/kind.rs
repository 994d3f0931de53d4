//! The trait that every kind of stage implements, each in its own file. No method has a default: a kind that forgets one does not compile.

use crate::graph::Interval;
use crate::params::Input;
use crate::schedule::lower::{Outputs, ScheduleError, ScheduleLowering};
use crate::stage::StageError;

/// The computation of a kind of stage, and its bounds.
pub(crate) trait StageKind {
    /// Refuses parameters of the stage of this name that are allowed one by one, but not together.
    fn check(&self, name: &str) -> Result<(), StageError>;

    /// Bounds that the values of each output cannot leave, up to rounding, from those of inputs; `None` where none are known beforehand.
    fn ranges(&self, of: &dyn Fn(&Input) -> Option<Interval>) -> Vec<Option<Interval>>;

    /// The parameter that decides how many samples away the stage reads; `None` where that is always a sample or less.
    fn reach_parameter(&self) -> Option<&'static str>;

    /// Adds the passes that make the outputs of the stage of this name; the planes of the stages that it names are there.
    fn lower(&self, name: &str, lowering: &mut ScheduleLowering<'_>) -> Result<Outputs, ScheduleError>;
}

/// Bounds of masks.
pub(super) const SHARE: Interval = Interval { lo: 0.0, hi: 1.0 };

/// Between two numbers, which reach the passes rounded to f32.
pub(super) fn between(a: f64, b: f64) -> Option<Interval> {
    Some(Interval::new(a, b).outward())
}

/// Between two numbers, give or take some ulps of f32 of the larger one.
pub(super) fn about(a: f64, b: f64, ulps: f64) -> Option<Interval> {
    Some(Interval::new(a, b).widened(ulps))
}

#[cfg(test)]
mod tests {
    use crate::stage::Stage;

    #[test]
    fn every_output_has_its_range() {
        for row in Stage::TABLE {
            let stage = Stage::of_kind(row.kind).expect("a kind of the table");
            assert_eq!(stage.as_kind().ranges(&|_| None).len(), row.outputs.len(), "{}", row.kind);
        }
    }
}
