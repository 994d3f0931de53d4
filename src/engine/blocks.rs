//! Layers of regions, evaluated in blocks that fit the memory.

use crate::cpu;
#[cfg(feature = "bake")]
use crate::engine::graded::KEPT;
use crate::engine::join::{blank, check_finite, check_plane, joined, paste};
use crate::engine::measured::{Cut, Measured};
use crate::engine::run::{BlockRun, Supplied};
use crate::engine::widest::widest;
use crate::engine::{Engine, Inner};
use crate::error::LayersError;
use crate::field::{Field, Gradient, Layer};
use crate::gpu::PASSES;
use crate::region::Region;
use crate::schedule::{SampleBlock, Schedule};
#[cfg(feature = "bake")]
use crate::stage::PreparedPipeline;
use crate::stage::lower;

/// The smallest edge of a block's wanted part that is worth its halo; a smaller region is one block.
const LEAST: u32 = 64;
/// The largest edge of a block on the CPU, where samples are counted by signed words.
const LARGEST: u64 = 46_340;
/// Samples along each edge of the blocks in which a single noise is computed ahead.
pub(super) const AHEAD: u32 = 1024;

impl Engine {
    /// The best division for regions of a size: the halo of the outputs, and the largest blocks that fit.
    pub(crate) fn cut(&self, measured: &Measured, outputs: &[impl AsRef<str>], region: &Region) -> Result<Cut, LayersError> {
        Ok(self.planned(measured, outputs, region)?.0)
    }

    /// The division for regions whose layers are held while tiles are made of them: a block, its layers, and what the engine keeps fit
    /// the memory together. A block is at least as wide as its halos, even if it does not fit then: smaller ones would repeat most of
    /// the work.
    #[cfg(feature = "bake")]
    pub(crate) fn group_cut(&self, measured: &Measured, outputs: &[impl AsRef<str>], region: &Region) -> Result<Cut, LayersError> {
        let (cut, schedule) = self.planned(measured, outputs, region)?;
        let (room, halos) = (self.memory - self.kept_for(&measured.prepared), 2 * cut.halo);
        let layers = (size_of::<f32>() * schedule.outputs.iter().map(Vec::len).sum::<usize>()) as u64;
        let bytes = |edge: u64| self.bytes_of(&schedule, [edge + u64::from(halos); 2]).saturating_add(edge * edge * layers);
        let edge = largest(u64::from(cut.edge), |edge| bytes(edge) <= room) as u32;
        Ok(Cut { edge: edge.max(halos).max(LEAST).min(cut.edge), ..cut })
    }

    /// Memory for tables of stages and answers about water, and half of all for traced squares: those that are kept, and those that
    /// are traced at a time. Heights of squares take a sixteenth. At most three quarters of all.
    #[cfg(feature = "bake")]
    fn kept_for(&self, prepared: &PreparedPipeline) -> u64 {
        let tiles = prepared.tiles.values().map(|tile| size_of_val(&tile[..]) as u64);
        let landscapes = prepared.landscapes.values().map(|landscape| landscape.bytes());
        let answers = prepared.drained.values().map(|drained| drained.memory());
        let is_graded = prepared.drained.values().any(|drained| drained.answers.grading().is_some());
        let heights = if is_graded { self.memory / KEPT } else { 0 };
        let squares = heights + if prepared.drained.is_empty() { 0 } else { self.memory / 2 };
        (tiles.chain(landscapes).chain(answers).sum::<u64>() + squares).min(self.memory / 4 * 3)
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
            Inner::Oracle(_) => (8, false),
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
            return joined(self, outputs, region, self.block(&schedule, &block, Supplied::prepared(self, &measured.prepared))?);
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
            let found = self.block(&schedule, &block, Supplied::prepared(self, &measured.prepared))?;
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
        let supplied = Supplied { given: Some(field), ..Supplied::prepared(self, &measured.prepared) };
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

    /// Layers of each square. Neighbours in a row are evaluated together, so that they share the halo of the stages before.
    pub(crate) fn layers_of_squares(
        &self,
        measured: &Measured,
        names: &[impl AsRef<str>],
        squares: &[Region],
    ) -> Result<Vec<Layer>, LayersError> {
        let end = |square: &Region| square.origin[0] + i64::from(square.size[0]);
        let is_next = |a: &Region, b: &Region| a.origin[1] == b.origin[1] && (a.origin[0]..=end(a)).contains(&b.origin[0]);
        let mut layers = Vec::new();
        for row in squares.chunk_by(is_next) {
            let ([first, ..], [.., last]) = (row, row) else { continue };
            let width = u32::try_from(end(last) - first.origin[0]).unwrap_or(u32::MAX);
            let region = Region { size: [width, first.size[1], 1], ..*first };
            let whole = self.layers_in_blocks(measured, names, &region, self.cut(measured, names, &region)?)?;
            layers.extend(row.iter().flat_map(|square| whole.iter().map(|layer| layer.part(square))));
            self.keep(whole.into_iter().map(|layer| layer.values));
        }
        Ok(layers)
    }

    /// Evaluates layers of a region and passes them on in blocks. For a single noise, blocks are smaller, so that a GPU computes
    /// ahead.
    pub(crate) fn each_block(
        &self,
        measured: &Measured,
        names: &[impl AsRef<str>],
        region: &Region,
        cut: Cut,
        hand: &mut dyn FnMut(Vec<Layer>) -> Result<(), LayersError>,
    ) -> Result<(), LayersError> {
        if let ([name], true) = (names, region.samples() > u64::from(AHEAD) * u64::from(AHEAD))
            && measured.pipeline.is_noise(name.as_ref())
        {
            let regions: Vec<Region> = region.split(AHEAD).map(|(part, _)| part).collect();
            let noise = measured.pipeline.noise(name.as_ref());
            return self.fields(&noise, regions, Gradient::Without, |_, field| {
                let layers = vec![Layer { name: name.as_ref().to_owned(), ..field.into() }];
                check_finite(&layers, &self.pool)?;
                hand(layers)
            });
        }
        for (part, _) in region.split(cut.edge) {
            hand(self.layers_in_blocks(measured, names, &part, cut)?)?;
        }
        Ok(())
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

#[cfg(all(test, feature = "bake"))]
mod tests {
    use super::*;
    use crate::engine::measured::as_if_prepared;
    use crate::engine::{Backend, EngineOptions};
    use crate::graph::Noise;
    use crate::stage::{Drainage, Gaussian, Pipeline};

    #[test]
    fn groups_of_tiles_follow_the_memory() {
        let hills = || Noise::simplex(Default::default()).fractal(Default::default());
        let smooth = || Pipeline::from(hills()).named("smooth", Gaussian { sigma: 30.0, ..Default::default() });
        let rivers = || Pipeline::from(hills()).named("rivers", Drainage::default());
        // The largest edge of a group for each memory in MiB.
        for (pipeline, layer, expected) in [
            (smooth(), "smooth", [(32, 1311), (512, 5657), (4096, 16_248)]),
            (rivers(), "rivers.area", [(32, 1182), (512, 4729), (4096, 13_377)]),
        ] {
            for (memory, edge) in expected {
                let options = EngineOptions { backend: Backend::Cpu, memory: Some(memory << 20), ..Default::default() };
                let engine = Engine::open(&options).expect("an engine");
                let measured = as_if_prepared(&pipeline);
                let found = engine.group_cut(&measured, &[layer], &Region::plane(512, 512)).expect("a cut");
                let alone = engine.cut(&measured, &[layer], &Region::plane(512, 512)).expect("a cut");
                assert_eq!((found.edge, found.halo), (edge, alone.halo), "'{layer}' with {memory} MiB");
                assert!(found.edge < alone.edge);
            }
        }
        // A block is not smaller than its halos.
        let options = EngineOptions { backend: Backend::Cpu, memory: Some(1_600_000), ..Default::default() };
        let engine = Engine::open(&options).expect("an engine");
        let cut = engine.group_cut(&as_if_prepared(&smooth()), &["smooth"], &Region::plane(512, 512)).expect("a cut");
        assert_eq!((cut.edge, cut.halo), (180, 90));
    }
}
