//! Layers from the samples of blocks.

use crate::cpu::threads::Pool;
use crate::engine::Engine;
use crate::error::LayersError;
use crate::field::Layer;
use crate::region::{Region, RegionError};
use rayon::prelude::*;

/// Number of texels interleaved per thread at a time.
const SHARED: usize = 1 << 14;

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
pub(super) fn joined<S: AsRef<str>>(
    engine: &Engine,
    outputs: &[S],
    region: &Region,
    found: Vec<Vec<Vec<f32>>>,
) -> Result<Vec<Layer>, LayersError> {
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
pub(super) fn not_finite(values: &[f32], pool: &Pool) -> Option<usize> {
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
