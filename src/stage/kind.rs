//! The trait that every kind of stage implements, each in its own file. No method has a default: a kind that forgets one does not compile.

use crate::interval::Interval;
use crate::params::Input;
use crate::stage::StageError;
use crate::stage::lower::{Outputs, ScheduleError, ScheduleLowering};

/// The computation of a kind of stage, and bounds of its values.
pub(crate) trait StageKind {
    /// Refuses parameters of the stage with this name that are valid one by one, but not together.
    fn check(&self, name: &str) -> Result<(), StageError>;

    /// Bounds of the values of each output, up to rounding, from those of the inputs; `None` if there are none in advance.
    fn ranges(&self, of: &dyn Fn(&Input) -> Option<Interval>) -> Vec<Option<Interval>>;

    /// The parameter that determines how many samples away the stage reads; `None` if no parameter does.
    fn reach_parameter(&self) -> Option<&'static str>;

    /// Adds the passes that compute the outputs of the stage with this name. The planes of its inputs already exist.
    fn lower(&self, name: &str, lowering: &mut ScheduleLowering<'_>) -> Result<Outputs, ScheduleError>;
}

/// The range of masks.
pub(super) const SHARE: Interval = Interval { lo: 0.0, hi: 1.0 };

/// A range whose ends reach the passes rounded to f32.
pub(super) fn between(a: f64, b: f64) -> Option<Interval> {
    Some(Interval::new(a, b).outward())
}

/// A range widened by some ulps of f32 of its larger end.
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
