//! The questions that a pipeline and a bake ask of the whole world, in order. One process and shards use the same list.
//!
//! A stage that needs its input's distribution asks two questions: the extremes of the input, then a histogram. One that needs
//! only the extremes asks one. A stage that traces water asks two: its passes, then the flow through them. One that sums slopes along
//! the water asks one. All layers whose range is measured share one question. Questions about a stage's input come after those of the
//! stages that it depends on. An answer is part of the next question's pipeline.

use super::drainage::{Flowing, Passed, Passing, Rising};
use super::extremes::{Ends, Extremes};
use super::histogram::{Counting, Histogram};
use super::reduction::Reduction;
use super::tracer::{CpuTracer, Tracer};
use crate::drainage::passes::{Routing, Undrained};
use crate::drainage::rain::Rain;
use crate::drainage::shares::Shares;
use crate::error::LayersError;
use crate::params::Input;
use crate::region::Region;
use crate::stage::{Answers, Around, Asks, Drained, DrainedWorld, Found, Grading, Pipeline, Stage, StageError, order};
use std::fmt;
use std::sync::Arc;

/// The largest number of samples whose rain is certain to have a sum below 2⁶⁴ parts.
const WETTEST: u64 = 1 << 32;

/// A question about the whole world.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Question {
    /// The extremes of a stage's input, and whether its distribution is asked for next.
    Extremes { stage: String, of: String, counts: bool },
    /// The distribution of a stage's input between its extremes.
    Counts { stage: String, of: String, extremes: Extremes },
    /// The lowest passes of a stage's heights, which are the first of its layers.
    Passes { stage: String, layers: Vec<String>, world: Option<DrainedWorld> },
    /// The flow over a stage's heights, once the passes are known.
    Flow { stage: String, layers: Vec<String>, world: Option<DrainedWorld>, routings: Shares<Routing> },
    /// The rises along the water that give a stage's heights.
    Rises { stage: String, layers: Vec<String>, world: Option<DrainedWorld>, grading: Grading },
    /// The extremes of layers in all tiles.
    Ranges { layers: Vec<String> },
}

/// The samples that a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Over {
    /// Each sample of the world once.
    World,
    /// The samples in the files of tiles, which may overlap.
    Tiles,
    /// [Squares](Question::squares) of the world. A block is the layers of each of some squares.
    Squares,
}

impl Question {
    pub fn layers(&self) -> Vec<&str> {
        match self {
            Question::Extremes { of, .. } | Question::Counts { of, .. } => vec![of],
            Question::Passes { layers, .. }
            | Question::Flow { layers, .. }
            | Question::Rises { layers, .. }
            | Question::Ranges { layers } => layers.iter().map(String::as_str).collect(),
        }
    }

    /// Whether the next question is about the same values.
    pub fn is_followed_by_same(&self) -> bool {
        match self {
            Question::Extremes { counts, .. } => *counts,
            Question::Passes { .. } => true,
            Question::Counts { .. } | Question::Flow { .. } | Question::Rises { .. } | Question::Ranges { .. } => false,
        }
    }

    /// Whether the question is about the same values as the one before.
    pub fn repeats_values(&self) -> bool {
        match self {
            Question::Counts { .. } | Question::Flow { .. } => true,
            Question::Extremes { .. } | Question::Passes { .. } | Question::Rises { .. } | Question::Ranges { .. } => false,
        }
    }

    /// The squares of a question about water, with the samples around them that it reads. Empty for other questions.
    ///
    /// # Errors
    /// A world without samples.
    pub fn squares(&self) -> Result<impl Iterator<Item = Region>, LayersError> {
        Ok(self.world()?.into_iter().flat_map(|world| world.squares(self.around())))
    }

    /// Those of a [unit](super::units).
    ///
    /// # Errors
    /// A world without samples.
    #[cfg(feature = "bake")]
    pub fn squares_of_unit(&self, unit: u32) -> Result<impl Iterator<Item = Region>, LayersError> {
        Ok(self.world()?.into_iter().flat_map(move |world| world.squares_of_group(unit, self.around())))
    }

    /// The samples around a square that a question about water reads.
    fn around(&self) -> Around {
        if let Question::Rises { .. } = self { Around::Nothing } else { Around::Halo }
    }

    /// The world of a question about water.
    fn world(&self) -> Result<Option<&DrainedWorld>, LayersError> {
        match self {
            Question::Passes { stage, world, .. } | Question::Flow { stage, world, .. } | Question::Rises { stage, world, .. } => {
                world.as_ref().map(Some).ok_or_else(|| LayersError::Nothing { stage: stage.clone() })
            }
            Question::Extremes { .. } | Question::Counts { .. } | Question::Ranges { .. } => Ok(None),
        }
    }

    pub fn over(&self) -> Over {
        match self {
            Question::Extremes { .. } | Question::Counts { .. } => Over::World,
            Question::Passes { .. } | Question::Flow { .. } | Question::Rises { .. } => Over::Squares,
            Question::Ranges { .. } => Over::Tiles,
        }
    }
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Question::Extremes { stage, of, .. } => write!(f, "the extremes of '{of}', for '{stage}'"),
            Question::Counts { stage, of, .. } => write!(f, "the distribution of '{of}', for '{stage}'"),
            Question::Passes { stage, layers, .. } => write!(f, "the passes of '{}', for '{stage}'", layers.join("', '")),
            Question::Flow { stage, layers, .. } => write!(f, "the flow over '{}', for '{stage}'", layers.join("', '")),
            Question::Rises { stage, layers, .. } => write!(f, "the rises along '{}', for '{stage}'", layers.join("', '")),
            Question::Ranges { layers } => write!(f, "the ranges of '{}'", layers.join("', '")),
        }
    }
}

/// Finds answers: by evaluating the world, or where they were stored.
pub(crate) trait Ask {
    /// Why an answer cannot be found.
    type Error: From<LayersError>;

    /// The answer to the question with this number, by this reduction; `None` if it is not available yet.
    fn ask<R: Reduction>(
        &mut self,
        number: u32,
        questions: &Questions,
        question: &Question,
        by: &R,
    ) -> Result<Option<R::Answer>, Self::Error>;
}

/// The questions of a pipeline and a bake, with the answers so far.
#[derive(Clone, Debug)]
pub(crate) struct Questions {
    /// With the answers that its stages need.
    pub pipeline: Pipeline,
    /// The outputs whose stages ask.
    outputs: Vec<String>,
    /// Layers whose ranges are to be measured.
    ranged: Vec<String>,
    /// Their ranges, once they are known.
    pub ranges: Option<Vec<[f64; 2]>>,
    /// Of the input whose distribution is asked for next.
    extremes: Option<Extremes>,
    /// The world, if it is known: all of its samples.
    world: Option<Region>,
    /// Of the heights whose flow is asked for next.
    passed: Option<Passed>,
    /// The worlds that were traced.
    pub drained: Vec<Arc<Drained>>,
    /// Questions that are answered.
    pub number: u32,
    /// Bytes of each list of records about water that are held in memory. Beyond that, they are in a temporary file.
    pub held: u64,
    tracer: Arc<dyn Tracer>,
}

impl Questions {
    pub fn new(pipeline: Pipeline, outputs: &[impl AsRef<str>], ranged: &[impl AsRef<str>]) -> Self {
        let [outputs, ranged] = [owned(outputs), owned(ranged)];
        Questions {
            pipeline,
            outputs,
            ranged,
            ranges: None,
            extremes: None,
            world: None,
            passed: None,
            drained: Vec::new(),
            number: 0,
            held: u64::MAX,
            tracer: Arc::new(CpuTracer),
        }
    }

    /// Lets another tracer trace water. No answer depends on it.
    pub fn traced_by(self, tracer: Arc<dyn Tracer>) -> Self {
        Questions { tracer, ..self }
    }

    /// States the regions that make up the world, with each sample once. Water is traced over the rectangle that they fill.
    pub fn set_world(&mut self, regions: &[Region]) {
        self.world = rectangle(regions);
    }

    /// The next question; inputs that are plain numbers are settled at once.
    ///
    /// # Errors
    /// A pipeline without order; a stage without an input.
    fn next(&mut self) -> Result<Option<Question>, LayersError> {
        while let Some((stage, of, asks)) = self.asking()? {
            if let Stage::Drainage(row) = &self.pipeline.stage[&stage] {
                let world = self.world.and_then(|world| row.world(world));
                let Some(layers) = row.layers() else { return Err(LayersError::Nothing { stage }) };
                if world.as_ref().is_some_and(|world| world.tracing.rain == Rain::Layer && world.region.samples() > WETTEST) {
                    let reason = format!("its world has more than {WETTEST} samples; allowed: fewer, or a number in `rain`");
                    return Err(LayersError::World { stage, reason });
                }
                return Ok(Some(match &self.passed {
                    None => Question::Passes { stage, layers, world },
                    Some(Passed { world, routings }) => {
                        Question::Flow { stage, layers, world: world.clone(), routings: routings.clone().unwrap_or_default() }
                    }
                }));
            }
            if let Stage::Grade(row) = &self.pipeline.stage[&stage] {
                let world = row.water(&stage, &self.pipeline)?.measured_world();
                let Some(layers) = row.layers() else { return Err(LayersError::Nothing { stage }) };
                let grading = row.grading();
                return Ok(Some(Question::Rises { stage, layers, world, grading }));
            }
            match (of, self.extremes) {
                (Input::Node(of), Some(extremes)) => return Ok(Some(Question::Counts { stage, of, extremes })),
                (Input::Node(of), None) => {
                    return Ok(Some(Question::Extremes { stage, of, counts: asks == Asks::Distribution }));
                }
                (Input::Value(x), _) => {
                    let value = f64::from(x as f32) + 0.0;
                    self.settle(&stage, &Histogram::even([value, value]));
                }
                (Input::Missing, _) => return Err(LayersError::Nothing { stage }),
            }
        }
        let ranges = !self.ranged.is_empty() && self.ranges.is_none();
        Ok(ranges.then(|| Question::Ranges { layers: self.ranged.clone() }))
    }

    /// The first stage that asks, its input, and what it asks.
    fn asking(&self) -> Result<Option<(String, Input, Asks)>, StageError> {
        for output in &self.outputs {
            for name in order(&self.pipeline, output)? {
                let Some(whole) = self.pipeline.stage.get(name).and_then(|stage| stage.whole()) else { continue };
                if whole.asks() != Asks::Nothing {
                    return Ok(Some((name.to_owned(), whole.of().clone(), whole.asks())));
                }
            }
        }
        Ok(None)
    }

    fn settle(&mut self, stage: &str, histogram: &Histogram) {
        if let Some(whole) = self.pipeline.stage.get_mut(stage).and_then(|stage| stage.whole_mut()) {
            whole.settle(&Found::Quantiles(&|share| histogram.quantile(share)));
        }
        self.extremes = None;
    }

    /// Asks until a question has no answer yet, which is returned, or all have one.
    ///
    /// # Errors
    /// As [`Ask::ask`]; a stage that reads the world where there are no samples.
    pub fn ask<A: Ask>(&mut self, ask: &mut A) -> Result<Option<Question>, A::Error> {
        while let Some(question) = self.next()? {
            if !self.ask_one(&question, ask)? {
                return Ok(Some(question));
            }
        }
        Ok(None)
    }

    /// Asks the next question; whether it was answered.
    ///
    /// # Errors
    /// As [`ask`](Self::ask).
    pub fn ask_one<A: Ask>(&mut self, question: &Question, ask: &mut A) -> Result<bool, A::Error> {
        match question {
            Question::Extremes { stage, counts, .. } => {
                let Some(found) = ask.ask(self.number, self, question, &Ends { layers: 1 })? else { return Ok(false) };
                let found = found.into_iter().find(|extremes| extremes.count > 0);
                let extremes = found.ok_or_else(|| LayersError::Nothing { stage: stage.clone() })?;
                if *counts {
                    self.extremes = Some(extremes);
                } else {
                    self.settle(stage, &Histogram::even(extremes.ends()));
                }
            }
            Question::Counts { stage, extremes, .. } => {
                let Some(found) = ask.ask(self.number, self, question, &Counting::new(extremes))? else { return Ok(false) };
                self.settle(stage, &found);
            }
            Question::Passes { stage, world, .. } => {
                let tracer = Arc::clone(&self.tracer);
                let passing = Passing { tracer, stage: stage.clone(), world: world.clone(), held: self.held };
                let Some(found) = ask.ask(self.number, self, question, &passing)? else { return Ok(false) };
                if let Err(reason) = &found.routings {
                    let reason = match reason {
                        Undrained::NoOutlet => {
                            "no sample of the world is an outlet; allowed: `edge = true`, or a `sea` above the lowest height, or `outlets` above 0.5"
                        }
                        Undrained::TooLarge => "the world has too many basins; allowed: fewer tiles in [bake]",
                    };
                    return Err(LayersError::World { stage: stage.clone(), reason: reason.to_owned() }.into());
                }
                self.passed = Some(found);
            }
            Question::Flow { stage, layers, world, routings } => {
                let tracer = Arc::clone(&self.tracer);
                let flowing = Flowing { tracer, stage: stage.clone(), world: world.clone(), routings: routings.clone(), held: self.held };
                let Some(throughs) = ask.ask(self.number, self, question, &flowing)? else { return Ok(false) };
                self.keep_traced(stage, layers, world.as_ref(), Answers::Water { routings: routings.clone(), throughs })?;
                self.passed = None;
            }
            Question::Rises { stage, layers, world, grading } => {
                let rising = Rising { stage: stage.clone(), world: world.clone(), grading: *grading, held: self.held };
                let Some(behind) = ask.ask(self.number, self, question, &rising)? else { return Ok(false) };
                self.keep_traced(stage, layers, world.as_ref(), Answers::Grade { grading: *grading, behind })?;
            }
            Question::Ranges { layers } => {
                let Some(found) = ask.ask(self.number, self, question, &Ends { layers: layers.len() })? else { return Ok(false) };
                self.ranges = Some(found.iter().map(Extremes::ends).collect());
            }
        }
        self.number += 1;
        Ok(true)
    }

    /// Stores the answers about a world, of a stage whose last question they answer.
    fn keep_traced(&mut self, stage: &str, layers: &[String], world: Option<&DrainedWorld>, answers: Answers) -> Result<(), LayersError> {
        let world = world.cloned().ok_or_else(|| LayersError::Nothing { stage: stage.to_owned() })?;
        let inputs = (self.pipeline.needed_by(layers)?, layers.to_vec());
        if let Some(whole) = self.pipeline.stage.get_mut(stage).and_then(|stage| stage.whole_mut()) {
            whole.settle(&Found::World(&world.region));
        }
        self.drained.push(Arc::new(Drained::new(stage.to_owned(), world, inputs, answers)));
        Ok(())
    }
}

/// The rectangle that regions fill, in one spacing; `None` if they do not.
fn rectangle(regions: &[Region]) -> Option<Region> {
    let first = regions.first()?;
    let [mut begin, mut end] = [first.origin; 2];
    let mut samples = 0_u64;
    for region in regions {
        if (Region { origin: first.origin, size: first.size, ..*region }) != *first
            || region.origin[2] != first.origin[2]
            || region.size[2] != 1
        {
            return None;
        }
        for axis in 0..3 {
            begin[axis] = begin[axis].min(region.origin[axis]);
            end[axis] = end[axis].max(region.origin[axis].checked_add(i64::from(region.size[axis]))?);
        }
        samples = samples.checked_add(region.samples())?;
    }
    let size = |axis: usize| u32::try_from(end[axis].checked_sub(begin[axis])?).ok();
    let whole = Region { origin: begin, size: [size(0)?, size(1)?, 1], ..*first };
    (whole.samples() == samples).then_some(whole)
}

fn owned(names: &[impl AsRef<str>]) -> Vec<String> {
    names.iter().map(|name| name.as_ref().to_owned()).collect()
}

impl Pipeline {
    /// The stages that have to know the whole world and do not yet: what [`Engine::measure`](crate::Engine::measure) finds out.
    pub fn unmeasured(&self) -> Vec<&str> {
        let asks = |stage: &Stage| stage.whole().is_some_and(|whole| whole.asks() != Asks::Nothing);
        self.stage.iter().filter(|(_, stage)| asks(stage)).map(|(name, _)| name.as_str()).collect()
    }

    /// The pipeline with made-up answers in place of those that are not known: its cost does not depend on them.
    pub(crate) fn as_if_measured(&self) -> Pipeline {
        let (mut pipeline, any) = (self.clone(), Histogram::even([0.0, 1.0]));
        for whole in pipeline.stage.values_mut().filter_map(|stage| stage.whole_mut()) {
            match whole.asks() {
                Asks::Nothing => (),
                Asks::Extremes | Asks::Distribution => whole.settle(&Found::Quantiles(&|share| any.quantile(share))),
                Asks::Drainage => whole.settle(&Found::World(&Region::plane(1, 1))),
            }
        }
        pipeline
    }
}
