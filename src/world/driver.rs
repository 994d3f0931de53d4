//! One reduction over some regions: the same loop for a whole world and for a shard's part of it.

use super::questions::{Question, Questions};
use super::reduction::Reduction;
use crate::cpu::threads::Pool;
use crate::error::{EngineError, LayersError};
use crate::field::Layer;

/// Takes the layers of a block.
pub(crate) type Hand<'a> = dyn FnMut(&[Layer]) -> Result<(), LayersError> + 'a;

/// Evaluates the samples that a question is about, in steps.
pub(crate) trait Source {
    /// Prepares for a question, and returns its number of steps. Continued work must have the same steps in the same order.
    ///
    /// # Errors
    /// Returns an error if the pipeline is invalid, if a halo is too wide for the memory, or if the device fails.
    fn begin(&mut self, questions: &Questions, question: &Question) -> Result<u64, LayersError>;

    /// Bytes of each list of records about water that are held in memory.
    fn held(&self) -> u64 {
        u64::MAX
    }

    /// Whether the blocks of the question before are kept for this one, so that nothing is evaluated again.
    fn keeps(&self) -> bool {
        false
    }

    /// Evaluates the question's layers in one step, and passes each block to `hand`.
    ///
    /// # Errors
    /// As above, and the first error that `hand` returns.
    fn step(&mut self, step: u64, hand: &mut Hand<'_>) -> Result<(), LayersError>;
}

/// Receives progress, and can stop the work.
pub(crate) trait Watch {
    /// The work on a question begins. `kept` states whether the values of the question before are kept for it.
    fn begins(&self, question: &Question, kept: bool);

    /// `done` of `total` steps are done.
    fn done(&self, done: u64, total: u64);

    /// Whether to stop. Asked between blocks.
    fn stops(&self) -> bool;
}

impl Watch for () {
    fn begins(&self, _: &Question, _: bool) {}

    fn done(&self, _: u64, _: u64) {}

    fn stops(&self) -> bool {
        false
    }
}

/// The progress of the work on a question.
pub(crate) struct Begun<P> {
    /// Finished steps.
    pub steps: u64,
    /// Their part; `None` before the first.
    pub part: Option<P>,
}

impl<P> Begun<P> {
    pub const NOTHING: Self = Begun { steps: 0, part: None };
}

/// Whether a part has to be stored now, or may wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    /// The work goes on.
    Maybe,
    /// The work ends before all steps are done.
    Now,
}

/// Stores a part after a number of steps.
pub(crate) type Keeping<'a, P, E> = dyn FnMut(&P, u64, Keep) -> Result<(), E> + 'a;

/// Gathers the part of `total` steps, after the steps that are done. `keep` is called after each step, and before an error is returned.
///
/// Memory: a block of layers, and two parts.
///
/// # Errors
/// [`EngineError::Stopped`] if the watch stops it; those of the source and of `keep`.
pub(crate) fn gather<R: Reduction, E: From<LayersError>>(
    reduction: &R,
    source: &mut dyn Source,
    total: u64,
    Begun { steps: mut done, mut part }: Begun<R::Part>,
    (pool, watch): (&Pool, &dyn Watch),
    keep: &mut Keeping<'_, R::Part, E>,
) -> Result<R::Part, E> {
    while done < total {
        let (mut own, mut blocks) = (reduction.empty(), 0);
        let gathered = source.step(done, &mut |block| {
            if blocks > 0 && watch.stops() {
                return Err(EngineError::Stopped.into());
            }
            blocks += 1;
            reduction.gather(&mut own, block, pool)
        });
        if let Err(error) = gathered {
            // A step that is not whole is not kept.
            part.iter().try_for_each(|part| keep(part, done, Keep::Now))?;
            return Err(error.into());
        }
        let all = match part.take() {
            None => own,
            Some(mut all) => {
                reduction.join(&mut all, own)?;
                all
            }
        };
        done += 1;
        watch.done(done, total);
        let stops = watch.stops();
        keep(&all, done, if stops { Keep::Now } else { Keep::Maybe })?;
        if stops {
            return Err(LayersError::from(EngineError::Stopped).into());
        }
        part = Some(all);
    }
    Ok(part.unwrap_or_else(|| reduction.empty()))
}
