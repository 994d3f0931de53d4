//! Questions about the whole world, answered by shards in *phases*: every shard does a part of each phase. Parts can be joined in
//! any order, and the result equals the part that one process gathers.
//!
//! [`Questions`] defines the phases and their order. The answer of a phase is part of the next one's pipeline.

use super::{Sharded, order};
use crate::bake::hash::hash;
use crate::bake::manifest::BakeIdentity;
use crate::bake::product::{RangeKind, RangeRecord};
use crate::bake::progress::Watched;
use crate::bake::{BakeError, Plan, Progress, Step, Tiles, stopped};
use crate::cpu::threads::Pool;
use crate::engine::Engine;
use crate::engine::measured::Measured;
use crate::engine::sources::SQUARES;
use crate::error::LayersError;
use crate::field::Layer;
use crate::region::Region;
use crate::stage::{Drained, Pipeline, PreparedPipeline};
use crate::world::driver::{Hand, Keep, Source, gather};
use crate::world::questions::{Ask, Over, Question, Questions};
use crate::world::reduction::Reduction;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The measurements of the whole world that must be made before its tiles can be baked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unmeasured {
    /// Samples along x and y, from sample 0 on, over which stages are measured.
    pub size: [u64; 2],
    /// Layers whose declared range is measured over their tiles.
    pub ranges: Vec<String>,
}

/// A phase of the measurement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phase {
    /// Its number, from 0 on.
    pub number: u32,
    /// The number of phases.
    pub of: u32,
    /// The question, in words.
    pub what: String,
    /// Shards that have not finished their part.
    pub missing: Vec<u32>,
}

/// A world with the answers of all phases.
#[derive(Clone)]
pub(super) struct Settled {
    pub pipeline: Pipeline,
    pub setting: BakeIdentity,
    /// The worlds whose water was traced.
    pub drained: Vec<Arc<Drained>>,
}

/// Samples along the edge of the squares of a part. It is the same on all machines, so that each can continue the work of another.
const SQUARE: u32 = 4096;
/// The interval at which the state of a part is stored. A kill loses at most this much work, or one square if that takes longer.
const PATIENCE: Duration = Duration::from_secs(5);

/// Answers from the store, of the phases before `before`.
struct Stored<'a> {
    sharded: &'a Sharded,
    before: u32,
}

impl Ask for Stored<'_> {
    type Error = BakeError;

    fn ask<R: Reduction>(&mut self, phase: u32, _: &Questions, question: &Question, by: &R) -> Result<Option<R::Answer>, BakeError> {
        if phase < self.before { self.sharded.answer(phase, question, by) } else { Ok(None) }
    }
}

/// Computes a shard's part of a question.
struct Part<'a> {
    sharded: &'a Sharded,
    engine: &'a Engine,
    shard: u32,
    progress: &'a dyn Progress,
    /// Whether the part was computed.
    made: bool,
}

impl Ask for Part<'_> {
    type Error = BakeError;

    fn ask<R: Reduction>(
        &mut self,
        phase: u32,
        questions: &Questions,
        question: &Question,
        by: &R,
    ) -> Result<Option<R::Answer>, BakeError> {
        let Part { sharded, engine, shard, progress, .. } = *self;
        let numbers = sharded.numbers_of(by.units(), shard);
        let steps = numbers.clone().map(|number| Ok(sharded.steps(question, number)?.len() as u64)).sum::<Result<u64, LayersError>>()?;
        let mut source = Squares { engine, squares: Vec::new(), together: question.over() == Over::Squares, asked: None };
        let mut before = 0;
        for number in numbers {
            source.squares = sharded.steps(question, number)?;
            let rest = Rest { of: progress, before, total: steps };
            self.made |= sharded.make_part(by, &mut source, (phase, number), (questions, question), (engine, &rest))?;
            before += source.squares.len() as u64;
        }
        if self.made {
            // The shard that finishes last makes the answer.
            sharded.answer(phase, question, by)?;
        }
        Ok(None)
    }
}

/// The progress of one of several parts.
struct Rest<'a> {
    of: &'a dyn Progress,
    /// The steps of earlier parts.
    before: u64,
    /// The steps of all parts.
    total: u64,
}

impl Progress for Rest<'_> {
    fn tile(&self, done: u64, _: u64) {
        self.of.tile(self.before + done, self.total);
    }

    fn step(&self, step: &Step) {
        self.of.step(step);
    }

    fn stops(&self) -> bool {
        self.of.stops()
    }
}

/// The samples of a part in squares; each square is a step.
struct Squares<'a> {
    engine: &'a Engine,
    squares: Vec<Vec<Region>>,
    /// Whether those of a step are handed over together, and whole.
    together: bool,
    asked: Option<(Measured, Vec<String>)>,
}

impl Source for Squares<'_> {
    fn begin(&mut self, questions: &Questions, question: &Question) -> Result<u64, LayersError> {
        if self.asked.is_some() {
            // The next of several parts.
            return Ok(self.squares.len() as u64);
        }
        let names: Vec<String> = question.layers().into_iter().map(str::to_owned).collect();
        let mut prepared = PreparedPipeline::default();
        self.engine.keep_drained(&questions.drained);
        self.engine.add_tables(&mut prepared, &questions.pipeline, &names)?;
        self.asked = Some((Measured { pipeline: questions.pipeline.clone(), prepared }, names));
        Ok(self.squares.len() as u64)
    }

    fn step(&mut self, step: u64, hand: &mut Hand<'_>) -> Result<(), LayersError> {
        let (measured, names) = self.asked.as_ref().expect("invariant: a step comes after the beginning");
        let squares = &self.squares[usize::try_from(step).expect("invariant: steps are in memory")];
        let mut hand = |block: Vec<Layer>| {
            hand(&block)?;
            self.engine.keep(block.into_iter().map(|layer| layer.values));
            Ok(())
        };
        if self.together {
            return hand(self.engine.layers_of_squares(measured, names, squares)?);
        }
        for square in squares {
            let cut = self.engine.cut(measured, names, square)?;
            self.engine.each_block(measured, names, square, cut, &mut hand)?;
        }
        Ok(())
    }
}

impl Unmeasured {
    /// The questions about a world, one for each phase.
    pub(super) fn questions(&self, pipeline: &Pipeline, layers: &[&str]) -> Result<Vec<Asked>, BakeError> {
        let mut pretend = Pretend::default();
        let mut questions = Questions::new(pipeline.clone(), layers, &self.ranges);
        if let [Ok(width), Ok(height)] = self.size.map(u32::try_from) {
            questions.set_world(&[Region::plane(width, height)]);
        }
        questions.ask(&mut pretend)?;
        Ok(pretend.asked)
    }
}

/// The question of a phase.
pub(super) struct Asked {
    /// In words.
    pub what: String,
    /// The number of [units](Reduction::units) of the world.
    pub units: Option<u32>,
}

/// Answers as if the world had two samples, 0 and 1: the list of questions does not depend on answers.
#[derive(Default)]
struct Pretend {
    asked: Vec<Asked>,
}

impl Ask for Pretend {
    type Error = LayersError;

    fn ask<R: Reduction>(&mut self, _: u32, _: &Questions, question: &Question, by: &R) -> Result<Option<R::Answer>, LayersError> {
        self.asked.push(Asked { what: question.to_string(), units: by.units() });
        let layer = |name: &str| Layer { name: name.to_owned(), region: Region::plane(2, 1), channels: 1, values: vec![0.0, 1.0] };
        let block: Vec<Layer> = question.layers().into_iter().map(layer).collect();
        let mut part = by.empty();
        by.gather(&mut part, &block, &Pool::caller())?;
        by.answer(part).map(Some)
    }
}

impl Sharded {
    /// The next phase and the shards that lack their part; `None` once tiles can be baked.
    ///
    /// # Errors
    /// I/O errors of the store.
    pub fn phase(&self) -> Result<Option<Phase>, BakeError> {
        let (questions, Some(question)) = self.questions(u32::MAX)? else { return Ok(None) };
        let (asked, number) = (self.asked()?, questions.number);
        let missing = self.parts_missing(number, asked.get(number as usize).and_then(|asked| asked.units))?;
        Ok(Some(Phase { number, of: asked.len() as u32, what: question.to_string(), missing }))
    }

    /// The number of phases before tiles.
    ///
    /// # Errors
    /// Returns no error for a plan that [`plan_unmeasured`](Self::plan_unmeasured) wrote.
    pub fn phases(&self) -> Result<u32, BakeError> {
        Ok(self.asked()?.len() as u32)
    }

    /// The questions of the phases.
    pub(super) fn asked(&self) -> Result<Vec<Asked>, BakeError> {
        self.unmeasured().questions(&self.pipeline, &self.layers())
    }

    fn unmeasured(&self) -> Unmeasured {
        self.plan.unmeasured.clone().unwrap_or_default()
    }

    /// The world with all answers, from which tiles are baked.
    ///
    /// # Errors
    /// [`BakeError::Unmeasured`] if a phase is not finished, and errors of the store.
    pub(super) fn settled(&self) -> Result<&Settled, BakeError> {
        if let Some(settled) = self.settled.get() {
            return Ok(settled);
        }
        match self.phase()? {
            Some(Phase { number, of, missing, .. }) => {
                Err(BakeError::Unmeasured { path: self.store.path(), phase: number, of, shards: order::array(&missing) })
            }
            None => {
                let (questions, _) = self.questions(u32::MAX)?;
                Ok(self.settled.get_or_init(|| self.settle(questions)))
            }
        }
    }

    fn settle(&self, questions: Questions) -> Settled {
        let (mut setting, ranges) = (self.plan.setting.clone(), questions.ranges.unwrap_or_default());
        setting.recipe_sha256 = hash(&questions.pipeline);
        for (layer, [lo, hi]) in self.unmeasured().ranges.iter().zip(ranges) {
            for product in setting.products.iter_mut().filter(|product| product.layer == *layer) {
                product.range = Some(RangeRecord { lo, hi, kind: RangeKind::Measured });
            }
        }
        Settled { pipeline: questions.pipeline, setting, drained: questions.drained }
    }

    /// The questions with the answers of finished phases before `before`, and the next question.
    fn questions(&self, before: u32) -> Result<(Questions, Option<Question>), BakeError> {
        let mut questions = Questions::new(self.pipeline.clone(), &self.layers(), &self.unmeasured().ranges);
        questions.set_world(self.world().as_slice());
        let next = questions.ask(&mut Stored { sharded: self, before })?;
        Ok((questions, next))
    }

    /// Does a shard's part of a phase: of the given one, or of the next one. A damaged part is made again. Returns whether the
    /// part was computed.
    ///
    /// Memory: a block of [`EngineOptions::memory`](crate::EngineOptions::memory), and half a megabyte. Water also takes the records of
    /// a group of squares, and the shard that finishes last joins those of all groups. A killed process loses a few seconds of work,
    /// or one square of 4096² samples if that takes longer. The same call continues after the last stored square.
    ///
    /// # Errors
    /// - There is no such shard, or the engine has another parity.
    /// - [`BakeError::Unmeasured`] if a phase before the given one is not finished.
    /// - A part with other values exists.
    /// - Errors of the device and of the store.
    pub fn measure(&self, engine: &Engine, shard: u32, phase: Option<u32>, progress: &dyn Progress) -> Result<bool, BakeError> {
        self.check_shard(shard)?;
        self.check_engine(engine)?;
        let (questions, Some(question)) = self.questions(phase.unwrap_or(u32::MAX))? else { return Ok(false) };
        let mut questions = questions.traced_by(engine.tracer());
        let number = questions.number;
        match phase {
            Some(phase) if phase > number => {
                let Some(Phase { number, of, missing, .. }) = self.phase()? else { return Ok(false) };
                let shards = order::array(&missing);
                return Err(BakeError::Unmeasured { path: self.store.path(), phase: number, of, shards });
            }
            _ => (),
        }
        let mut part = Part { sharded: self, engine, shard, progress, made: false };
        questions.ask_one(&question, &mut part)?;
        Ok(part.made)
    }

    /// Computes a part of a phase unless it exists, continuing after the last stored step. Returns whether it was computed.
    pub(super) fn make_part<R: Reduction>(
        &self,
        by: &R,
        source: &mut dyn Source,
        (phase, number): (u32, u32),
        (questions, question): (&Questions, &Question),
        (engine, progress): (&Engine, &dyn Progress),
    ) -> Result<bool, BakeError> {
        if self.has_part(phase, number)? {
            return Ok(false);
        }
        let total = source.begin(questions, question)?;
        let begun = self.begun(phase, number, by)?;
        let (mut kept, mut since) = (begun.steps, Instant::now());
        let part = gather(by, source, total, begun, (&engine.pool, &Watched(progress)), &mut |part, steps, keep| {
            if kept < steps && (keep == Keep::Now || since.elapsed() >= PATIENCE) {
                self.keep_begun(by, part, (phase, number), steps)?;
                (kept, since) = (steps, Instant::now());
            }
            Ok::<(), BakeError>(())
        });
        self.keep_part(by, &part.map_err(stopped)?, (phase, number))?;
        Ok(true)
    }

    /// The steps of a part: the squares of each.
    fn steps(&self, question: &Question, number: u32) -> Result<Vec<Vec<Region>>, LayersError> {
        if question.over() != Over::Squares {
            return Ok(self.squares(question.over(), number).into_iter().map(|square| vec![square]).collect());
        }
        let squares: Vec<Region> = question.squares_of_unit(number)?.collect();
        Ok(squares.chunks(SQUARES).map(<[Region]>::to_vec).collect())
    }

    /// The samples over which stages are measured, if they are not too many for one region.
    fn world(&self) -> Option<Region> {
        let [width, height] = self.unmeasured().size.map(u32::try_from);
        let first = Plan { overlap: 0, ..self.part(Tiles { x: 0..1, y: 0..1 }) }.region((0, 0));
        let world = Region { size: [width.ok()?, height.ok()?, 1], ..first };
        (world.samples() > 0).then_some(world)
    }

    /// A shard's samples of the world or of its tiles, in squares.
    pub(super) fn squares(&self, over: Over, shard: u32) -> Vec<Region> {
        let regions = match over {
            Over::Tiles => self.pieces(&self.part(self.tiles()), shard),
            Over::World => self.cropped(self.unmeasured().size, shard),
            // Water has squares of its own.
            Over::Squares => Vec::new(),
        };
        regions.iter().flat_map(|region| region.split(SQUARE).map(|(square, _)| square)).collect()
    }

    /// A shard's part of some tiles, in as few regions as possible.
    fn pieces(&self, plan: &Plan, shard: u32) -> Vec<Region> {
        let mut regions = Vec::new();
        for (group, tiles) in order::shard(&plan.tiles, shard, self.shards()) {
            if tiles.len() as u64 == group.count() {
                regions.extend(plan.around(&tiles));
            } else {
                // The part ends within a row, so all its rows but the first and the last are complete.
                regions.extend(tiles.chunk_by(|a, b| a.1 == b.1).filter_map(|row| plan.around(row)));
            }
        }
        regions
    }

    /// A shard's part of a world of `size` samples.
    fn cropped(&self, size: [u64; 2], shard: u32) -> Vec<Region> {
        let tile = u64::from(self.plan.setting.tile);
        let [columns, rows] = size.map(|samples| samples.div_ceil(tile) as i64);
        let plan = Plan { overlap: 0, ..self.part(Tiles { x: 0..columns, y: 0..rows }) };
        let crop = |mut region: Region| {
            for (axis, &samples) in size.iter().enumerate() {
                let left = samples.saturating_sub(region.origin[axis].unsigned_abs());
                region.size[axis] = region.size[axis].min(left.min(u64::from(u32::MAX)) as u32);
            }
            region
        };
        self.pieces(&plan, shard).into_iter().map(crop).collect()
    }
}
