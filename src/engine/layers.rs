//! Pipelines on the engine: layers of a region, computed in blocks of any size.

use crate::cpu::simd::Real;
use crate::cpu::threads::Pool;
use crate::cpu::{self, Evaluation, Out};
use crate::engine::drained::check_inside;
use crate::engine::job::{BlockRun, Supplied};
use crate::engine::sources::{Blocks, Brought};
use crate::engine::widest::widest;
use crate::engine::{Engine, Inner};
use crate::error::LayersError;
use crate::field::{Field, Layer};
use crate::gpu::PASSES;
use crate::region::{Region, RegionError};
use crate::schedule::{PlaneSource, SampleBlock, Schedule};
use crate::stage::{Pipeline, PreparedPipeline, lower};
use crate::stop::PIECE;
use crate::world::one::{Checkpoint, answer_all};
use crate::world::questions::Questions;
use rayon::prelude::*;
use std::sync::Arc;

/// Default memory limit for blocks: 1 GiB.
pub(crate) const MEMORY: u64 = 1 << 30;
/// The smallest edge of a block's wanted part that is worth its halo; a smaller region is one block.
const LEAST: u32 = 64;
/// The largest edge of a block on the CPU, where samples are counted by signed words.
const LARGEST: u64 = 46_340;
/// The layers whose ranges are used by default.
const NO_RANGES: [&str; 0] = [];
/// Number of texels interleaved per thread at a time.
const SHARED: usize = 1 << 14;

/// A pipeline with measured whole-world stages.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    pub pipeline: Pipeline,
    pub prepared: PreparedPipeline,
}

/// The division of a region into blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cut {
    /// Width of the halo in samples.
    pub halo: u32,
    /// Maximum edge of a block's wanted part in samples.
    pub edge: u32,
}

impl Engine {
    /// Evaluates layers of a pipeline on a region: stages (`eroded`), other outputs of stages (`eroded.water`) or nodes.
    ///
    /// Stages that depend on the whole world and have not been [measured](Self::measure) use the region as the world. The region
    /// is computed in blocks with halos, as large as [`EngineOptions::memory`](crate::EngineOptions::memory) allows; the bits do
    /// not depend on that.
    ///
    /// # Errors
    /// Returns an error if the pipeline or the region is invalid, if a halo is too wide for the memory, or if the device failed.
    pub fn layers(&self, pipeline: &Pipeline, outputs: &[impl AsRef<str>], region: &Region) -> Result<Vec<Layer>, LayersError> {
        region.check()?;
        let measured = self.measured(pipeline, outputs, &[*region])?;
        check_inside(&measured.prepared, region)?;
        self.measured_layers(&measured, outputs, region)
    }

    /// The pipeline's output on a region.
    ///
    /// # Errors
    /// Returns the errors of [`layers`](Self::layers).
    pub fn layer(&self, pipeline: &Pipeline, region: &Region) -> Result<Layer, LayersError> {
        let mut layers = self.layers(pipeline, &[&pipeline.output], region)?;
        Ok(layers.remove(0))
    }

    /// Runs the stages of a pipeline on a field of the caller, which replaces [`Given`](crate::stage::Given). There is nothing
    /// beyond its edges: no water flows out, and filters use the nearest sample.
    ///
    /// # Errors
    /// Returns the errors of [`layers`](Self::layers). It also fails if a value of the field is not finite, if the number of
    /// values differs from that of the region's samples, or if the field exceeds the memory. The field is one block.
    pub fn apply(&self, pipeline: &Pipeline, outputs: &[impl AsRef<str>], field: &Field) -> Result<Vec<Layer>, LayersError> {
        check_plane(&field.region)?;
        if field.values.len() as u64 != field.region.samples() {
            let value = format!("{} values on {:?}", field.values.len(), field.region.size);
            return Err(RegionError::new("size", value, "one value per sample").into());
        }
        if let Some(index) = not_finite(&field.values, &self.pool) {
            return Err(LayersError::NotFinite { what: "the given field".to_owned(), index });
        }
        let mut questions = Questions::new(pipeline.clone(), outputs, &NO_RANGES);
        questions.set_world(&[field.region]);
        let mut source = Brought::new(self, field);
        answer_all(&self.pool, &mut questions, &mut source, &mut (), &())?;
        let measured = source.into_measured(questions, outputs)?;
        self.in_place(&measured, outputs, field)
    }

    /// A pipeline in which the whole-world measurements of every stage are filled in, so that tiles can be computed in any order
    /// and by any process. `world` lists the regions that make it up, with each sample once.
    ///
    /// # Errors
    /// Returns the errors of [`layers`](Self::layers), and an error if there are no regions but one is needed.
    pub fn measure(&self, pipeline: &Pipeline, outputs: &[impl AsRef<str>], world: &[Region]) -> Result<Pipeline, LayersError> {
        self.measure_noting(pipeline, outputs, world, &mut ())
    }

    /// [`measure`](Self::measure) with a checkpoint, which stores the answers and how far the next one is.
    ///
    /// # Errors
    /// Returns the errors of [`measure`](Self::measure).
    pub fn measure_noting(
        &self,
        pipeline: &Pipeline,
        outputs: &[impl AsRef<str>],
        world: &[Region],
        checkpoint: &mut dyn Checkpoint,
    ) -> Result<Pipeline, LayersError> {
        Ok(self.measured_noting(pipeline, outputs, world, checkpoint)?.pipeline)
    }

    pub(crate) fn measured(&self, pipeline: &Pipeline, outputs: &[impl AsRef<str>], world: &[Region]) -> Result<Measured, LayersError> {
        self.measured_noting(pipeline, outputs, world, &mut ())
    }

    /// As [`measured`](Self::measured), with a checkpoint.
    pub(crate) fn measured_noting(
        &self,
        pipeline: &Pipeline,
        outputs: &[impl AsRef<str>],
        world: &[Region],
        checkpoint: &mut dyn Checkpoint,
    ) -> Result<Measured, LayersError> {
        world.iter().try_for_each(check_plane)?;
        let mut questions = Questions::new(pipeline.clone(), outputs, &NO_RANGES);
        questions.set_world(world);
        let mut source = Blocks::new(self, world, &[]);
        answer_all(&self.pool, &mut questions, &mut source, checkpoint, &())?;
        source.into_measured(questions, outputs)
    }

    /// The best division for regions of a size: the halo of the outputs, and the largest blocks that fit.
    pub(crate) fn cut(&self, measured: &Measured, outputs: &[impl AsRef<str>], region: &Region) -> Result<Cut, LayersError> {
        Ok(self.planned(measured, outputs, region)?.0)
    }

    /// The best division of a region, and its schedule without a halo.
    fn planned(&self, measured: &Measured, outputs: &[impl AsRef<str>], region: &Region) -> Result<(Cut, Schedule), LayersError> {
        let schedule = lower(&measured.pipeline, outputs, region, &measured.prepared)?;
        let halo = schedule.halo();
        let least = u64::from(LEAST.min(region.size[0].max(region.size[1])));
        let whole = least + 2 * u64::from(halo);
        let most = self.fits(&schedule, halo, whole).map_err(|error| error.because_of(widest(&measured.pipeline, outputs, region)))?;
        let largest = most.saturating_sub(2 * u64::from(halo));
        Ok((Cut { halo, edge: largest.min(1 << 20) as u32 }, schedule))
    }

    /// Memory per sample of a block in bytes.
    pub(crate) fn bytes_per_sample(&self, schedule: &Schedule) -> u64 {
        let (bytes, on_gpu) = match &*self.inner {
            Inner::Gpu(_) => (4, true),
            Inner::Cpu => (4, false),
            Inner::Oracle => (8, false),
        };
        // The planes in use, the results, and gradients before they are separated.
        let in_use = if on_gpu { schedule.places(true).1 } else { cpu::passes::most_planes(schedule) };
        let planes = in_use + schedule.outputs.iter().map(Vec::len).sum::<usize>() + schedule.beside();
        bytes * planes.max(1) as u64
    }

    /// Memory in bytes of a schedule on a block of this size, and of those on coarser grids that it reads.
    pub(crate) fn bytes(&self, schedule: &Schedule, size: [u32; 3]) -> u64 {
        self.bytes_of(schedule, [u64::from(size[0]), u64::from(size[1])])
    }

    fn bytes_of(&self, schedule: &Schedule, size: [u64; 2]) -> u64 {
        // Halos may be as wide as a reach is allowed to be.
        let bytes = |(schedule, [width, height]): (&Schedule, [u64; 2])| {
            width.saturating_mul(height).saturating_mul(self.bytes_per_sample(schedule))
        };
        schedule.grids(size).into_iter().map(bytes).fold(0, u64::saturating_add)
    }

    /// The edge of the largest square block that fits, if one with this many samples along each edge fits.
    pub(crate) fn fits(&self, schedule: &Schedule, halo: u32, edge: u64) -> Result<u64, LayersError> {
        let per_sample = self.bytes_per_sample(schedule);
        let most = largest((self.memory / per_sample).isqrt(), |edge| self.bytes_of(schedule, [edge; 2]) <= self.memory);
        if most < edge {
            let needed = self.bytes_of(schedule, [edge; 2]);
            return Err(LayersError::Memory { halo, edge, needed, allowed: self.memory, widest: None });
        }
        let Inner::Gpu(context) = &*self.inner else {
            return if edge > LARGEST {
                let [needed, allowed] = [edge, LARGEST].map(|edge| edge * edge * per_sample);
                Err(LayersError::Memory { halo, edge, needed, allowed, widest: None })
            } else {
                Ok(most.min(LARGEST))
            };
        };
        let allowed = context.largest_block(schedule);
        // The maximum number of samples along an axis that a kernel can count.
        let most = largest(most.min(allowed.isqrt()).min(65_535), |edge| {
            let fits = |(schedule, [width, height]): (&Schedule, [u64; 2])| width.saturating_mul(height) <= context.largest_block(schedule);
            schedule.grids([edge; 2]).into_iter().all(fits)
        });
        if most < edge { Err(LayersError::Device { halo, edge, allowed, widest: None }) } else { Ok(most) }
    }

    /// Layers of a measured pipeline.
    pub(crate) fn measured_layers(
        &self,
        measured: &Measured,
        outputs: &[impl AsRef<str>],
        region: &Region,
    ) -> Result<Vec<Layer>, LayersError> {
        check_plane(region)?;
        let (cut, schedule) = self.planned(measured, outputs, region)?;
        // Without a halo, a region that fits is a single block.
        if cut.halo == 0 && region.size[0].max(region.size[1]) <= cut.edge {
            let block = SampleBlock { region: *region, halo: 0 };
            return joined(self, outputs, region, self.block(&schedule, &block, Supplied::prepared(&measured.prepared))?);
        }
        self.layers_in_blocks(measured, outputs, region, cut)
    }

    /// Layers of a measured pipeline, on a plane with this division.
    pub(crate) fn layers_in_blocks(
        &self,
        measured: &Measured,
        outputs: &[impl AsRef<str>],
        region: &Region,
        cut: Cut,
    ) -> Result<Vec<Layer>, LayersError> {
        let mut layers = Vec::new();
        for (part, at) in region.split(cut.edge) {
            let block = SampleBlock::around(&part, cut.halo);
            block.region.check()?;
            let schedule = lower(&measured.pipeline, outputs, &block.region, &measured.prepared)?;
            let found = self.block(&schedule, &block, Supplied::prepared(&measured.prepared))?;
            if part == *region {
                return joined(self, outputs, region, found);
            }
            if layers.is_empty() {
                layers = blank(outputs, region, &found);
            }
            for (layer, channels) in layers.iter_mut().zip(&found) {
                paste(layer, &part, at, channels);
            }
            self.keep(found.into_iter().flatten());
        }
        check_finite(&layers, &self.pool)?;
        Ok(layers)
    }

    /// Layers of a field as one block without a halo.
    pub(crate) fn in_place(&self, measured: &Measured, outputs: &[impl AsRef<str>], field: &Field) -> Result<Vec<Layer>, LayersError> {
        let block = SampleBlock { region: field.region, halo: 0 };
        let schedule = lower(&measured.pipeline, outputs, &block.region, &measured.prepared)?;
        let (samples, per_sample) = (field.region.samples(), self.bytes_per_sample(&schedule));
        let (needed, allowed) = (self.bytes(&schedule, field.region.size), self.memory.min(LARGEST * LARGEST * per_sample));
        if needed > allowed {
            return Err(LayersError::Memory { halo: 0, edge: samples.isqrt(), needed, allowed, widest: None });
        }
        if let Inner::Gpu(context) = &*self.inner {
            for (schedule, [width, height]) in schedule.grids([0, 1].map(|a| u64::from(field.region.size[a]))) {
                let allowed = context.largest_block(schedule);
                let samples = width.saturating_mul(height);
                if samples > allowed {
                    return Err(LayersError::Device { halo: 0, edge: samples.isqrt(), allowed, widest: None });
                }
            }
        }
        let supplied = Supplied { given: Some(field), prepared: &measured.prepared };
        joined(self, outputs, &field.region, self.block(&schedule, &block, supplied)?)
    }

    /// Runs a schedule on a block and returns the wanted samples of each channel of each output.
    pub(super) fn block(
        &self,
        schedule: &Schedule,
        block: &SampleBlock,
        supplied: Supplied<'_>,
    ) -> Result<Vec<Vec<Vec<f32>>>, LayersError> {
        let mut part = BlockRun::new(self, schedule, block, supplied.given, PASSES)?;
        self.pool.install(|| {
            while part.advance(self, schedule, supplied)? {}
            part.outputs(schedule)
        })
    }
}

/// The largest number up to `most` that fits, if all smaller ones do.
fn largest(most: u64, fits: impl Fn(u64) -> bool) -> u64 {
    let (mut low, mut high) = (0, most);
    while low < high {
        let middle = high - (high - low) / 2;
        if fits(middle) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    low
}

/// The planes of a source, on the CPU, in memory from `plane`.
pub(super) fn planes<R: Real>(
    engine: &Engine,
    source: &PlaneSource,
    block: &SampleBlock,
    supplied: Supplied<'_>,
    plane: impl Fn() -> Vec<R>,
) -> Result<Vec<Vec<R>>, LayersError> {
    let pool = &engine.pool;
    match source {
        PlaneSource::Given { .. } => {
            let given = supplied.given(engine, &block.region)?;
            let mut values = plane();
            for (values, given) in values.chunks_mut(PIECE).zip(given.chunks(PIECE)) {
                engine.go_on()?;
                values.iter_mut().zip(given).for_each(|(to, &x)| *to = R::exactly(x));
            }
            Ok(vec![values])
        }
        PlaneSource::Values { program, .. } => {
            let mut values = plane();
            let out = Out { values: &mut values, gradients: None };
            Evaluation::new(Arc::clone(program), pool.clone()).field_into(&block.region, 0.0, out)?;
            Ok(vec![values])
        }
        PlaneSource::Jets { program, .. } => {
            let mut values = plane();
            let mut gradients = vec![[R::default(); 3]; values.len()];
            let out = Out { values: &mut values, gradients: Some(&mut gradients) };
            Evaluation::new(Arc::clone(program), pool.clone()).field_into(&block.region, 0.0, out)?;
            let along = |axis: usize| {
                let mut along = plane();
                along.iter_mut().zip(&gradients).for_each(|(to, gradient)| *to = gradient[axis]);
                along
            };
            Ok(vec![values, along(0), along(1)])
        }
        PlaneSource::Coarser(_) => unreachable!("invariant: a schedule on the coarser grid is a run of its own"),
        PlaneSource::Drained { stage, holds, .. } => {
            let widened = |found: Vec<f32>| {
                let mut values = plane();
                values.iter_mut().zip(&found).for_each(|(to, &x)| *to = R::exactly(x));
                values
            };
            Ok(engine.drained_planes(supplied.drained(stage), holds, &block.region)?.into_iter().map(widened).collect())
        }
    }
}

pub(super) fn check_plane(region: &Region) -> Result<(), LayersError> {
    region.check()?;
    if region.size[2] != 1 {
        return Err(RegionError::new("size", format!("{:?}", region.size), "1 sample along z: stages work on planes").into());
    }
    Ok(())
}

/// Interleaves planes.
fn interleaved(engine: &Engine, channels: Vec<Vec<f32>>) -> Vec<f32> {
    fn woven<const N: usize>(pool: &Pool, channels: [&[f32]; N]) -> Vec<f32> {
        let count = channels.iter().map(|channel| channel.len()).min().unwrap_or(0);
        let channels = channels.map(|channel| &channel[..count]);
        let mut texels = vec![[0.0; N]; count];
        let weave = |(part, texels): (usize, &mut [[f32; N]])| {
            let channels = channels.map(|channel| &channel[part * SHARED..][..texels.len()]);
            for (i, texel) in texels.iter_mut().enumerate() {
                *texel = channels.map(|channel| channel[i]);
            }
        };
        if pool.is_parallel() {
            pool.install(|| texels.par_chunks_mut(SHARED).enumerate().for_each(weave));
        } else {
            texels.chunks_mut(SHARED).enumerate().for_each(weave);
        }
        texels.into_flattened()
    }
    let texels = match &channels[..] {
        [_] => return channels.into_iter().next().expect("invariant: there is one"),
        [a, b] => woven(&engine.pool, [a, b]),
        [a, b, c] => woven(&engine.pool, [a, b, c]),
        [a, b, c, d] => woven(&engine.pool, [a, b, c, d]),
        _ => unreachable!("invariant: an output has one to four channels"),
    };
    engine.keep(channels.into_iter());
    texels
}

/// Layers from the results of each channel of each output.
fn joined<S: AsRef<str>>(engine: &Engine, outputs: &[S], region: &Region, found: Vec<Vec<Vec<f32>>>) -> Result<Vec<Layer>, LayersError> {
    let layer = |(name, channels): (&S, Vec<Vec<f32>>)| Layer {
        name: name.as_ref().to_owned(),
        region: *region,
        channels: channels.len(),
        values: interleaved(engine, channels),
    };
    let layers: Vec<Layer> = outputs.iter().zip(found).map(layer).collect();
    check_finite(&layers, &engine.pool)?;
    Ok(layers)
}

pub(super) fn blank<S: AsRef<str>>(outputs: &[S], region: &Region, like: &[Vec<Vec<f32>>]) -> Vec<Layer> {
    let layer = |(name, channels): (&S, &Vec<Vec<f32>>)| Layer {
        name: name.as_ref().to_owned(),
        region: *region,
        channels: channels.len(),
        values: vec![f32::NAN; region.samples() as usize * channels.len()],
    };
    outputs.iter().zip(like).map(layer).collect()
}

pub(super) fn paste(layer: &mut Layer, part: &Region, [x, y, _]: [u32; 3], channels: &[Vec<f32>]) {
    let [width, part_width] = [layer.region.size[0] as usize, part.size[0] as usize];
    for (k, channel) in channels.iter().enumerate() {
        for (j, row) in channel.chunks_exact(part_width).enumerate() {
            let first = ((y as usize + j) * width + x as usize) * layer.channels + k;
            for (to, from) in layer.values[first..].iter_mut().step_by(layer.channels).zip(row) {
                *to = *from;
            }
        }
    }
}

pub(crate) fn check_finite(layers: &[Layer], pool: &Pool) -> Result<(), LayersError> {
    for layer in layers {
        if let Some(index) = not_finite(&layer.values, pool) {
            return Err(LayersError::NotFinite { what: format!("'{}'", layer.name), index: index / layer.channels.max(1) });
        }
    }
    Ok(())
}

/// The index of the first value that is not finite. Large arrays are checked on all threads of a pool.
fn not_finite(values: &[f32], pool: &Pool) -> Option<usize> {
    // Without an early exit, in vectors: 0 · x is 0 for finite x and NaN otherwise, so summing 0 · x detects NaN and infinity.
    let finite = |chunk: &[f32]| {
        let (whole, rest) = chunk.as_chunks::<16>();
        let mut sums = [0.0; 16];
        for numbers in whole {
            for lane in 0..16 {
                sums[lane] += numbers[lane] * 0.0;
            }
        }
        sums.iter().chain(rest).all(|x| x.is_finite())
    };
    let all = pool.parts(values, |part| part.chunks(1024).all(finite)).into_iter().all(|finite| finite);
    if all { None } else { values.iter().position(|x| !x.is_finite()) }
}
