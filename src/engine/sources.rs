//! Sources of samples of a world: blocks that an engine evaluates, or a field of the caller.

use crate::engine::Engine;
use crate::engine::measured::{Cut, Measured};
use crate::error::LayersError;
use crate::field::{Field, Layer};
use crate::region::Region;
use crate::stage::{Drained, DrainedWorld, Grading, Pipeline, PreparedPipeline, Stage, StageError, order};
use crate::world::driver::{Hand, Source};
use crate::world::one::answer_all;
use crate::world::questions::{Over, Question, Questions};
use std::collections::VecDeque;
use std::sync::Arc;

impl Engine {
    /// Adds the tables that `outputs` need to what is prepared: squares that frequency syntheses repeat, landscapes, and traced worlds.
    pub(crate) fn add_tables(
        &self,
        prepared: &mut PreparedPipeline,
        pipeline: &Pipeline,
        outputs: &[impl AsRef<str>],
    ) -> Result<(), LayersError> {
        for output in outputs {
            // Inputs come first, so a landscape finds the tables that it needs. A stage whose table is missing is refused when it is lowered.
            for name in order(pipeline, output.as_ref())? {
                let Some(stage) = pipeline.stage.get(name) else { continue };
                match stage {
                    Stage::Frequency(n) if !prepared.tiles.contains_key(name) => {
                        prepared.tiles.insert(name.to_owned(), self.square(name, n)?);
                    }
                    Stage::StreamPower(n) if !prepared.landscapes.contains_key(name) => {
                        let landscape = self.landscape(name, n, pipeline, prepared)?;
                        prepared.landscapes.insert(name.to_owned(), landscape);
                    }
                    Stage::Drainage(_) | Stage::Grade(_) if !prepared.drained.contains_key(name) => {
                        prepared.drained.extend(self.drained_world(name, stage, pipeline)?.map(|drained| (name.to_owned(), drained)));
                    }
                    _ => (),
                }
            }
        }
        Ok(())
    }

    /// The traced world of a stage, traced again if it is not kept; `None` before the stage is measured.
    fn drained_world(&self, name: &str, stage: &Stage, pipeline: &Pipeline) -> Result<Option<Arc<Drained>>, LayersError> {
        let Some(Origin { world, names, grading }) = Origin::of(name, stage, pipeline)? else { return Ok(None) };
        let inputs = pipeline.needed_by(&names)?;
        let is_same = |drained: &Drained| {
            drained.world == world && drained.names == names && drained.inputs == inputs && drained.answers.grading() == grading
        };
        let drained = self.drained.find(is_same).map_or_else(|| self.trace(pipeline, name, &world), Ok)?;
        if drained.prepared.get().is_none() {
            let mut prepared = PreparedPipeline::default();
            self.add_tables(&mut prepared, &drained.inputs, &drained.names)?;
            drained.prepared.get_or_init(|| prepared);
        }
        Ok(Some(drained))
    }

    /// Traces a world.
    fn trace(&self, pipeline: &Pipeline, name: &str, world: &DrainedWorld) -> Result<Arc<Drained>, LayersError> {
        let mut pipeline = pipeline.clone();
        match pipeline.stage.get_mut(name) {
            Some(Stage::Drainage(stage)) => stage.measured = None,
            Some(Stage::Grade(stage)) => stage.measured = None,
            _ => (),
        }
        let (mut questions, regions) = (self.questions(pipeline, &[name], &[""; 0]), [world.region]);
        questions.set_world(&regions);
        answer_all(&self.pool, &mut questions, &mut Blocks::new(self, &regions, &[]), &mut (), &())?;
        self.keep_drained(&questions.drained);
        let found = questions.drained.iter().find(|drained| drained.stage == name).cloned();
        found.ok_or_else(|| LayersError::Nothing { stage: name.to_owned() })
    }
}

/// The origin of the answers about a stage's world.
struct Origin {
    world: DrainedWorld,
    /// The layers.
    names: Vec<String>,
    grading: Option<Grading>,
}

impl Origin {
    /// `None` for a stage that is not measured, and for one without such a world.
    fn of(name: &str, stage: &Stage, pipeline: &Pipeline) -> Result<Option<Self>, StageError> {
        let (world, names, grading) = match stage {
            Stage::Drainage(row) => (row.measured_world(), row.layers(), None),
            Stage::Grade(row) => (row.measured_world(name, pipeline)?, row.layers(), Some(row.grading())),
            _ => return Ok(None),
        };
        Ok(world.zip(names).map(|(world, names)| Origin { world, names, grading }))
    }
}

/// The samples of one step.
enum Step {
    /// A block.
    Block(Region, Cut),
    /// Whole squares with their halos.
    Squares(Vec<Region>),
}

/// The share of the memory for each list of records about water is one part of this number. Up to three lists exist at a time: the
/// answers about passes, and the parts and the answers about the flow.
const RECORDS: u64 = 16;

/// Squares in one step, and the largest number of threads that trace them.
pub(crate) const SQUARES: usize = 8;

/// The samples of a world as one engine evaluates them: regions in blocks that are as large as its memory allows, each of which is a step.
pub(crate) struct Blocks<'a> {
    engine: &'a Engine,
    /// Each sample of the world once.
    world: &'a [Region],
    /// The samples of tiles.
    tiles: &'a [Region],
    names: Vec<String>,
    prepared: PreparedPipeline,
    measured: Option<Measured>,
    steps: Vec<Step>,
    kept: Kept,
}

/// Blocks that are asked for a second time, by their steps: kept if the whole world is not too large.
#[derive(Default)]
struct Kept {
    blocks: VecDeque<(u64, Vec<Layer>)>,
    samples: u64,
    /// More are to be kept.
    open: bool,
}

impl Kept {
    /// A question begins; gives back the blocks that are of no use for it.
    fn begin(&mut self, question: &Question) -> Vec<Vec<Layer>> {
        let mut spent = Vec::new();
        if !question.repeats_values() {
            spent.extend(std::mem::take(self).blocks.into_iter().map(|(_, block)| block));
            self.open = question.is_followed_by_same();
        }
        self.open &= self.blocks.is_empty();
        spent
    }

    /// The next block of a step, if it was kept.
    fn next(&mut self, step: u64) -> Option<Vec<Layer>> {
        let is_kept = self.blocks.front().is_some_and(|(kept, _)| *kept == step);
        if is_kept { self.blocks.pop_front().map(|(_, block)| block) } else { None }
    }

    /// Keeps a block, unless there are more than `most` samples then; gives back those that are of no more use.
    fn add(&mut self, step: u64, block: Vec<Layer>, most: u64) -> Vec<Vec<Layer>> {
        self.samples += block.iter().map(|layer| layer.values.len() as u64).sum::<u64>();
        if self.open && self.samples <= most {
            self.blocks.push_back((step, block));
            return Vec::new();
        }
        self.open = false;
        self.blocks.drain(..).map(|(_, block)| block).chain([block]).collect()
    }
}

/// Samples of blocks that an engine keeps.
fn most_kept(engine: &Engine) -> u64 {
    engine.memory() / 16
}

/// Gives the memory of blocks back to an engine.
fn recycle(engine: &Engine, blocks: Vec<Vec<Layer>>) {
    engine.keep(blocks.into_iter().flatten().map(|layer| layer.values));
}

impl<'a> Blocks<'a> {
    pub fn new(engine: &'a Engine, world: &'a [Region], tiles: &'a [Region]) -> Self {
        let (names, steps) = (Vec::new(), Vec::new());
        Blocks { engine, world, tiles, names, prepared: PreparedPipeline::default(), measured: None, steps, kept: Kept::default() }
    }

    /// The measured pipeline, with what its outputs need.
    pub fn into_measured(mut self, questions: Questions, outputs: &[impl AsRef<str>]) -> Result<Measured, LayersError> {
        let Questions { pipeline, drained, .. } = questions;
        self.engine.keep_drained(&drained);
        self.engine.add_tables(&mut self.prepared, &pipeline, outputs)?;
        Ok(Measured { pipeline, prepared: self.prepared })
    }
}

impl Source for Blocks<'_> {
    fn begin(&mut self, questions: &Questions, question: &Question) -> Result<u64, LayersError> {
        recycle(self.engine, self.kept.begin(question));
        self.names = question.layers().into_iter().map(str::to_owned).collect();
        self.engine.keep_drained(&questions.drained);
        self.engine.add_tables(&mut self.prepared, &questions.pipeline, &self.names)?;
        let measured = Measured { pipeline: questions.pipeline.clone(), prepared: self.prepared.clone() };
        self.steps.clear();
        let regions = match question.over() {
            Over::World => self.world,
            Over::Tiles => self.tiles,
            Over::Squares => {
                let squares: Vec<Region> = question.squares()?.collect();
                self.steps = squares.chunks(SQUARES).map(|squares| Step::Squares(squares.to_vec())).collect();
                &[]
            }
        };
        for region in regions {
            let cut = self.engine.cut(&measured, &self.names, region)?;
            self.steps.extend(region.split(cut.edge).map(|(part, _)| Step::Block(part, cut)));
        }
        self.measured = Some(measured);
        Ok(self.steps.len() as u64)
    }

    fn held(&self) -> u64 {
        self.engine.memory() / RECORDS
    }

    fn keeps(&self) -> bool {
        !self.kept.blocks.is_empty()
    }

    fn step(&mut self, step: u64, hand: &mut Hand<'_>) -> Result<(), LayersError> {
        let mut again = false;
        while let Some(block) = self.kept.next(step) {
            let handed = hand(&block);
            recycle(self.engine, vec![block]);
            handed?;
            again = true;
        }
        if again {
            return Ok(());
        }
        let Blocks { engine, names, measured, kept, steps, .. } = self;
        let measured = measured.as_ref().expect("invariant: a step comes after the beginning");
        let mut hand = |block: Vec<Layer>| {
            hand(&block)?;
            recycle(engine, kept.add(step, block, most_kept(engine)));
            Ok(())
        };
        match &steps[usize::try_from(step).expect("invariant: steps are in memory")] {
            Step::Block(region, cut) => engine.each_block(measured, names, region, *cut, &mut hand),
            Step::Squares(squares) => hand(engine.layers_of_squares(measured, names, squares)?),
        }
    }
}

/// A field that is brought along, as the whole world: one step.
pub(crate) struct Brought<'a> {
    engine: &'a Engine,
    field: &'a Field,
    asked: Option<(Measured, Vec<String>)>,
    /// The squares that the question is about.
    squares: Option<Vec<Region>>,
    prepared: PreparedPipeline,
    kept: Kept,
}

impl<'a> Brought<'a> {
    pub fn new(engine: &'a Engine, field: &'a Field) -> Self {
        Brought { engine, field, asked: None, squares: None, prepared: PreparedPipeline::default(), kept: Kept::default() }
    }

    /// The measured pipeline, with what its outputs need.
    pub fn into_measured(mut self, questions: Questions, outputs: &[impl AsRef<str>]) -> Result<Measured, LayersError> {
        self.prepare(&questions, outputs)?;
        Ok(Measured { pipeline: questions.pipeline, prepared: self.prepared })
    }

    /// Adds what `outputs` need. Worlds that were traced belong to this field: they are not kept for other calls.
    fn prepare(&mut self, questions: &Questions, outputs: &[impl AsRef<str>]) -> Result<(), LayersError> {
        for drained in &questions.drained {
            if self.prepared.drained.contains_key(&drained.stage) {
                continue;
            }
            self.engine.add_tables(&mut self.prepared, &drained.inputs, &drained.names)?;
            let measured = Measured { pipeline: drained.inputs.clone(), prepared: self.prepared.clone() };
            let layers = self.engine.in_place(&measured, &drained.names, self.field)?;
            drained.given.get_or_init(|| layers.into_iter().map(|layer| layer.values).collect());
            self.prepared.drained.insert(drained.stage.clone(), Arc::clone(drained));
        }
        self.engine.add_tables(&mut self.prepared, &questions.pipeline, outputs)
    }
}

impl Source for Brought<'_> {
    fn begin(&mut self, questions: &Questions, question: &Question) -> Result<u64, LayersError> {
        recycle(self.engine, self.kept.begin(question));
        let names: Vec<String> = question.layers().into_iter().map(str::to_owned).collect();
        self.prepare(questions, &names)?;
        let measured = Measured { pipeline: questions.pipeline.clone(), prepared: self.prepared.clone() };
        self.asked = Some((measured, names));
        self.squares = match question.over() {
            Over::World | Over::Tiles => None,
            Over::Squares => Some(question.squares()?.collect()),
        };
        Ok(1)
    }

    fn keeps(&self) -> bool {
        !self.kept.blocks.is_empty()
    }

    fn step(&mut self, step: u64, hand: &mut Hand<'_>) -> Result<(), LayersError> {
        if let Some(block) = self.kept.next(step) {
            let handed = hand(&block);
            recycle(self.engine, vec![block]);
            return handed;
        }
        let (measured, names) = self.asked.as_ref().expect("invariant: a step comes after the beginning");
        let mut layers = self.engine.in_place(measured, names, self.field)?;
        if let Some(squares) = &self.squares {
            layers = squares.iter().flat_map(|square| layers.iter().map(|layer| layer.part(square))).collect();
        }
        hand(&layers)?;
        recycle(self.engine, self.kept.add(step, layers, most_kept(self.engine)));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::blocks::AHEAD;
    use crate::engine::{Backend, EngineOptions};
    use crate::error::EngineError;
    use crate::graph::Noise;
    use crate::stage::{EqualiseWorld, Frequency, Normalise};
    use crate::world::driver::Watch;
    use crate::world::one::{Checkpoint, answer_all};
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
        fn begins(&self, _: &Question, _: bool) {
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
            answer_all(&engine.pool, questions, &mut Blocks::new(&engine, &world, &tiles), checkpoint, watch)
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
            let state = [&[number, 1, part.len() as u8][..], &part].concat();
            memory.state = Some(state);
            let mut asked = questions();
            run(&mut asked, &mut memory, &Steps { most: u64::MAX, ..Default::default() }).expect("answers");
            assert_eq!(asked.ranges == at_once.ranges, !is_used, "the state of question {number}");
        }
    }

    #[test]
    fn a_noise_that_is_computed_ahead_has_the_extremes_of_its_samples() {
        let engine = Engine::open(&EngineOptions { backend: Backend::Cpu, ..Default::default() }).expect("an engine");
        let pipeline = Pipeline::from(Noise::simplex(Default::default()).named("hills"));
        let region = Region { origin: [-600, 7, 0], ..Region::plane(1100, 1000) };
        assert!(region.samples() > u64::from(AHEAD) * u64::from(AHEAD));
        let mut questions = Questions::new(pipeline.clone(), &["hills"], &["hills"]);
        answer_all(&engine.pool, &mut questions, &mut Blocks::new(&engine, &[], &[region]), &mut (), &()).expect("an answer");
        let expected = engine.layer(&pipeline, &region).expect("a layer").extent().map(f64::from);
        assert_eq!(questions.ranges, Some(vec![expected]));
    }
}
