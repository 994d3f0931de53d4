//! The whole world in one process: every question, one after the other, with a checkpoint.

use super::driver::{Begun, Source, Watch, gather};
use super::encoding::{put, put_bytes, take, take_bytes};
use super::questions::{Ask, Question, Questions};
use super::reduction::Reduction;
use crate::cpu::threads::Pool;
use crate::engine::Engine;
use crate::engine::layers::LayersError;

/// Stores how far a measurement is, so that a later call continues from there. `()` stores nothing.
///
/// A state is valid for the same call on an engine with the same backend and memory. The implementation must return a state unchanged, and only for that
/// call.
pub trait Checkpoint {
    /// The state that was stored last.
    fn load(&mut self) -> Option<Vec<u8>>;

    /// Whether states are stored at all: if not, none is made.
    fn keeps(&self) -> bool;

    /// Called after each step; calls `state` if it is time to store one.
    fn save(&mut self, state: &dyn Fn() -> Vec<u8>);
}

impl Checkpoint for () {
    fn load(&mut self) -> Option<Vec<u8>> {
        None
    }

    fn keeps(&self) -> bool {
        false
    }

    fn save(&mut self, _: &dyn Fn() -> Vec<u8>) {}
}

/// A state: the parts of the world for the questions that are answered, and how far the next one is.
#[derive(Default)]
struct State {
    wholes: Vec<Vec<u8>>,
    steps: u64,
    part: Vec<u8>,
}

impl State {
    fn encode(wholes: &[Vec<u8>], steps: u64, part: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        put(&mut bytes, wholes.len() as u64);
        wholes.iter().for_each(|whole| put_bytes(&mut bytes, whole));
        put(&mut bytes, steps);
        put_bytes(&mut bytes, part);
        bytes
    }

    fn decode(mut bytes: &[u8]) -> Option<State> {
        let wholes = (0..take(&mut bytes)?).map(|_| take_bytes(&mut bytes).map(<[u8]>::to_vec)).collect::<Option<_>>()?;
        let (steps, part) = (take(&mut bytes)?, take_bytes(&mut bytes)?.to_vec());
        bytes.is_empty().then_some(State { wholes, steps, part })
    }
}

/// Asks one question after the other of a source.
struct Asking<'a> {
    pool: &'a Pool,
    source: &'a mut dyn Source,
    checkpoint: &'a mut dyn Checkpoint,
    watch: &'a dyn Watch,
    /// What was stored by an earlier call.
    stored: State,
    /// The parts of the world for the questions that are answered, if states are stored.
    wholes: Vec<Vec<u8>>,
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
        let number = number as usize;
        if let Some((bytes, whole)) = self.stored.wholes.get(number).and_then(|bytes| Some((bytes, by.decode(bytes)?))) {
            self.wholes.push(bytes.clone());
            return Ok(Some(by.answer(whole)));
        }
        self.watch.begins(question);
        let total = self.source.begin(questions, question)?;
        let stored = std::mem::take(&mut self.stored);
        let begun = if stored.wholes.len() == number && (1..=total).contains(&stored.steps) { by.decode(&stored.part) } else { None };
        let begun = begun.map_or(Begun::NOTHING, |part| Begun { steps: stored.steps, part: Some(part) });
        let (wholes, checkpoint) = (&self.wholes, &mut *self.checkpoint);
        let whole = gather(by, self.source, total, begun, (self.pool, self.watch), &mut |part, steps, _| {
            checkpoint.save(&|| State::encode(wholes, steps, &by.encode(part)));
            Ok::<(), LayersError>(())
        })?;
        if self.checkpoint.keeps() {
            self.wholes.push(by.encode(&whole));
        }
        Ok(Some(by.answer(whole)))
    }
}

impl Engine {
    /// Answers all questions, from the stored state on.
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
        let stored = checkpoint.load().and_then(|bytes| State::decode(&bytes)).unwrap_or_default();
        let unanswered = questions.ask(&mut Asking { pool: &self.pool, source, checkpoint, watch, stored, wholes: Vec::new() })?;
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

    /// Keeps every state.
    #[derive(Default)]
    struct Memory(Option<Vec<u8>>);

    impl Checkpoint for Memory {
        fn load(&mut self) -> Option<Vec<u8>> {
            self.0.clone()
        }

        fn keeps(&self) -> bool {
            true
        }

        fn save(&mut self, state: &dyn Fn() -> Vec<u8>) {
            self.0 = Some(state());
        }
    }

    /// Stops after so many steps, and counts them and the questions.
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
            match result {
                Ok(()) => break asked,
                Err(error) => assert_eq!(error, EngineError::Stopped.into()),
            }
        };
        assert_eq!((steps, calls), (all.done.get(), all.done.get() + 1));
        assert_eq!((&stopped.pipeline, &stopped.ranges), (&at_once.pipeline, &at_once.ranges));
        assert!(stopped.ranges.is_some() && stopped.pipeline.unmeasured().is_empty());
        // A state that is cut off is no state.
        let state = memory.0.expect("a state");
        for end in [0, 1, state.len() / 2, state.len() - 1] {
            assert!(State::decode(&state[..end]).is_none(), "{end} of {} bytes", state.len());
        }
    }
}
