//! The whole world in one process: every question, one after the other, with a checkpoint.

use super::driver::{Begun, Source, Watch, gather};
use super::encoding::{put, put_bytes, take, take_bytes};
use super::questions::{Ask, Question, Questions};
use super::reduction::Reduction;
use crate::cpu::threads::Pool;
use crate::engine::Engine;
use crate::engine::layers::LayersError;

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
        self.watch.begins(question);
        let total = self.source.begin(questions, question)?;
        let stored = self.stored.take_if(|stored| stored.number == number).filter(|stored| (1..=total).contains(&stored.steps));
        let begun = stored.and_then(|stored| Some(Begun { steps: stored.steps, part: Some(by.decode(&stored.part)?) }));
        let checkpoint = &mut *self.checkpoint;
        let whole = gather(by, self.source, total, begun.unwrap_or(Begun::NOTHING), (self.pool, self.watch), &mut |part, steps, _| {
            checkpoint.save(&|| State::encode(number, steps, &by.encode(part)));
            Ok::<(), LayersError>(())
        })?;
        let part = if checkpoint.keeps() { by.encode(&whole) } else { Vec::new() };
        let answer = by.answer(whole);
        if checkpoint.keeps() {
            checkpoint.keep(number, &asked, &part, &by.encode_answer(&answer));
        }
        Ok(Some(answer))
    }
}

impl Engine {
    /// Answers all questions, from the stored answers and state on.
    ///
    /// # Errors
    /// An invalid pipeline; those of the source.
    pub(crate) fn answer_all(
        &self,
        questions: &mut Questions,
        source: &mut dyn Source,
        checkpoint: &mut dyn Checkpoint,
        watch: &dyn Watch,
    ) -> Result<(), LayersError> {
        questions.pipeline.check()?;
        let stored = checkpoint.load().and_then(|bytes| State::decode(&bytes));
        let unanswered = questions.ask(&mut Asking { pool: &self.pool, source, checkpoint, watch, stored })?;
        assert_eq!(unanswered, None, "invariant: a source answers every question");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Backend, EngineError, EngineOptions};
    use crate::graph::Noise;
    use crate::region::Region;
    use crate::stage::{EqualiseWorld, Frequency, Normalise, Pipeline};
    use crate::world::source::Blocks;
    use std::cell::Cell;

    /// Keeps every answer, and the last state.
    #[derive(Default)]
    struct Memory {
        answers: Vec<(String, Vec<u8>)>,
        state: Option<Vec<u8>>,
    }

    impl Checkpoint for Memory {
        fn keeps(&self) -> bool {
            true
        }

        fn answer(&mut self, number: u32, question: &str) -> Option<Vec<u8>> {
            self.answers.get(number as usize).filter(|(asked, _)| asked == question).map(|(_, answer)| answer.clone())
        }

        fn keep(&mut self, number: u32, question: &str, _: &[u8], answer: &[u8]) {
            let number = number as usize;
            assert!(number <= self.answers.len(), "answers come in order");
            self.answers.splice(number..self.answers.len().min(number + 1), [(question.to_owned(), answer.to_vec())]);
        }

        fn load(&mut self) -> Option<Vec<u8>> {
            self.state.clone()
        }

        fn save(&mut self, state: &dyn Fn() -> Vec<u8>) {
            self.state = Some(state());
        }
    }

    /// Stops after a number of steps, and counts the steps and the questions.
    #[derive(Default)]
    struct Steps {
        most: u64,
        done: Cell<u64>,
        questions: Cell<u64>,
    }

    impl Watch for Steps {
        fn begins(&self, _: &Question) {
            self.questions.set(self.questions.get() + 1);
        }

        fn done(&self, _: u64, _: u64) {
            self.done.set(self.done.get() + 1);
        }

        fn stops(&self) -> bool {
            self.done.get() >= self.most
        }
    }

    #[test]
    fn a_measurement_that_is_stopped_after_every_step_does_each_step_once() {
        let hills = Pipeline::from(Noise::simplex(Default::default()).named("hills"));
        let pipeline = hills
            .clone()
            .named("even", Normalise { clip: 0.02, ..Default::default() })
            .named("flat", EqualiseWorld::default())
            .named("waves", Frequency { size: 32, ..Default::default() })
            .named("spread", Normalise::default());
        // Blocks of 64² samples at least: three for each region.
        let options = EngineOptions { backend: Backend::Cpu, memory: Some(1 << 17), ..Default::default() };
        let engine = Engine::open(&options).expect("an engine");
        let world: Vec<Region> = (0..3).map(|y| Region { origin: [-70, 40 * y, 0], ..Region::plane(300, 40) }).collect();
        let tiles = [Region { spacing: 0.5, ..Region::plane(500, 30) }];
        let questions = || Questions::new(pipeline.clone(), &["flat", "spread"], &["flat", "hills"]);
        let run = |questions: &mut Questions, checkpoint: &mut dyn Checkpoint, watch: &Steps| {
            engine.answer_all(questions, &mut Blocks::new(&engine, &world, &tiles), checkpoint, watch)
        };
        let (mut at_once, all) = (questions(), Steps { most: u64::MAX, ..Default::default() });
        run(&mut at_once, &mut (), &all).expect("answers");
        assert_eq!(all.questions.get(), 6);
        let (mut memory, mut steps, mut calls) = (Memory::default(), 0, 0);
        let stopped = loop {
            let (mut asked, watch) = (questions(), Steps { most: 1, ..Default::default() });
            let result = run(&mut asked, &mut memory, &watch);
            (steps, calls) = (steps + watch.done.get(), calls + 1);
            assert!(calls <= all.done.get() + 1, "a step is done twice");
            match result {
                Ok(()) => break asked,
                Err(error) => assert_eq!(error, EngineError::Stopped.into()),
            }
        };
        assert_eq!((steps, calls), (all.done.get(), all.done.get() + 1));
        // All steps count: the range of the hills is that of their samples.
        let samples = engine.layer(&hills, &tiles[0]).expect("a layer");
        assert_eq!(at_once.ranges.as_ref().map(|ranges| ranges[1]), Some(samples.extent().map(f64::from)));
        assert_eq!((&stopped.pipeline, &stopped.ranges), (&at_once.pipeline, &at_once.ranges));
        assert!(stopped.ranges.is_some() && stopped.pipeline.unmeasured().is_empty());
        // With its answers, nothing is evaluated again; without one of them, that alone is.
        assert_eq!(memory.answers.len(), 6);
        memory.state = None;
        for (lost, again) in [(None, 0), (Some(3), 1)] {
            let (mut asked, watch) = (questions(), Steps { most: u64::MAX, ..Default::default() });
            if let Some(lost) = lost {
                memory.answers[lost] = (String::new(), Vec::new());
            }
            run(&mut asked, &mut memory, &watch).expect("answers");
            assert_eq!((watch.questions.get(), &asked.pipeline, &asked.ranges), (again, &at_once.pipeline, &at_once.ranges));
            memory.state = None;
        }
        // The state of another question is ignored, even if its part could be one of this question.
        let ends = [(-9.0_f32).to_le_bytes(), 9.0_f32.to_le_bytes()].concat();
        let part = [&ends[..], &[1], &ends[..], &[1]].concat();
        for (number, is_used) in [(4, false), (5, true)] {
            memory.answers[5] = (String::new(), Vec::new());
            memory.state = Some(State::encode(number, 1, &part));
            let mut asked = questions();
            run(&mut asked, &mut memory, &Steps { most: u64::MAX, ..Default::default() }).expect("answers");
            assert_eq!(asked.ranges == at_once.ranges, !is_used, "the state of question {number}");
        }
        // A state that is truncated, or continues, is ignored.
        let state = State::encode(5, 700, b"a part");
        assert!(State::decode(&[&state[..], &[0]].concat()).is_none());
        for end in [0, 1, state.len() / 2, state.len() - 1] {
            assert!(State::decode(&state[..end]).is_none(), "{end} of {} bytes", state.len());
        }
    }
}
