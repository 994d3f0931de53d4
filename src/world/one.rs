//! The whole world in one process: every question, one after the other, with a checkpoint.

use super::driver::{Begun, Source, Watch, gather};
use super::encoding::{put, put_bytes, take, take_bytes};
use super::questions::{Ask, Question, Questions};
use super::reduction::Reduction;
use crate::cpu::threads::Pool;
use crate::error::LayersError;

/// Stores answers about the whole world, and the state of the next one, so that a later call continues from there. `()` stores
/// nothing.
///
/// Stored bytes must come back unchanged, and only for the same call. An answer also requires an engine of the same parity, a
/// state one with the same backend and memory.
pub trait Checkpoint {
    /// Whether anything is stored. If not, no bytes are made.
    fn keeps(&self) -> bool;

    /// The answer to a question, by its number and in words, if it was stored.
    fn answer(&mut self, number: u32, question: &str) -> Option<Vec<u8>>;

    /// Stores an answer; `part` is the joined part of all samples, from which it was made.
    fn keep(&mut self, number: u32, question: &str, part: &[u8], answer: &[u8]);

    /// The state that was stored last.
    fn load(&mut self) -> Option<Vec<u8>>;

    /// Called after each step; calls `state` if it is time to store one.
    fn save(&mut self, state: &dyn Fn() -> Vec<u8>);
}

impl Checkpoint for () {
    fn keeps(&self) -> bool {
        false
    }

    fn answer(&mut self, _: u32, _: &str) -> Option<Vec<u8>> {
        None
    }

    fn keep(&mut self, _: u32, _: &str, _: &[u8], _: &[u8]) {}

    fn load(&mut self) -> Option<Vec<u8>> {
        None
    }

    fn save(&mut self, _: &dyn Fn() -> Vec<u8>) {}
}

/// A state: how far the work on a question is.
struct State {
    number: u32,
    steps: u64,
    part: Vec<u8>,
}

impl State {
    fn encode(number: u32, steps: u64, part: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        put(&mut bytes, u64::from(number));
        put(&mut bytes, steps);
        put_bytes(&mut bytes, part);
        bytes
    }

    fn decode(mut bytes: &[u8]) -> Option<State> {
        let number = u32::try_from(take(&mut bytes)?).ok()?;
        let (steps, part) = (take(&mut bytes)?, take_bytes(&mut bytes)?.to_vec());
        bytes.is_empty().then_some(State { number, steps, part })
    }
}

/// Asks one question after the other of a source.
struct Asking<'a> {
    pool: &'a Pool,
    source: &'a mut dyn Source,
    checkpoint: &'a mut dyn Checkpoint,
    watch: &'a dyn Watch,
    /// The state that an earlier call stored.
    stored: Option<State>,
}

impl Ask for Asking<'_> {
    type Error = LayersError;

    fn ask<R: Reduction>(
        &mut self,
        number: u32,
        questions: &Questions,
        question: &Question,
        by: &R,
    ) -> Result<Option<R::Answer>, LayersError> {
        let asked = question.to_string();
        if let Some(answer) = self.checkpoint.answer(number, &asked).and_then(|bytes| by.decode_answer(&bytes)) {
            return Ok(Some(answer));
        }
        let total = self.source.begin(questions, question)?;
        self.watch.begins(question, self.source.keeps());
        let stored = self.stored.take_if(|stored| stored.number == number).filter(|stored| (1..=total).contains(&stored.steps));
        let begun = stored.and_then(|stored| Some(Begun { steps: stored.steps, part: Some(by.decode(&stored.part)?) }));
        let checkpoint = &mut *self.checkpoint;
        let whole = gather(by, self.source, total, begun.unwrap_or(Begun::NOTHING), (self.pool, self.watch), &mut |part, steps, _| {
            if !by.is_on_disk(part) {
                checkpoint.save(&|| State::encode(number, steps, &by.encode(part)));
            }
            Ok::<(), LayersError>(())
        })?;
        let part = if checkpoint.keeps() && !by.is_on_disk(&whole) { by.encode(&whole) } else { Vec::new() };
        let answer = by.answer(whole)?;
        if checkpoint.keeps() {
            checkpoint.keep(number, &asked, &part, &by.encode_answer(&answer));
        }
        Ok(Some(answer))
    }
}

/// Answers all questions, from the stored answers and state on.
///
/// # Errors
/// An invalid pipeline; those of the source.
pub(crate) fn answer_all(
    pool: &Pool,
    questions: &mut Questions,
    source: &mut dyn Source,
    checkpoint: &mut dyn Checkpoint,
    watch: &dyn Watch,
) -> Result<(), LayersError> {
    questions.pipeline.check()?;
    questions.held = source.held();
    let stored = checkpoint.load().and_then(|bytes| State::decode(&bytes));
    let unanswered = questions.ask(&mut Asking { pool, source, checkpoint, watch, stored })?;
    assert_eq!(unanswered, None, "invariant: a source answers every question");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_that_is_truncated_or_continues_is_ignored() {
        let state = State::encode(5, 700, b"a part");
        assert!(State::decode(&state).is_some_and(|state| state.number == 5 && state.steps == 700 && state.part == b"a part"));
        assert!(State::decode(&[&state[..], &[0]].concat()).is_none());
        for end in [0, 1, state.len() / 2, state.len() - 1] {
            assert!(State::decode(&state[..end]).is_none(), "{end} of {} bytes", state.len());
        }
    }
}
