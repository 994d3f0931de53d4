//! The smallest and the largest value of each of some layers.

use super::encoding::{put, take};
use super::reduction::Reduction;
use crate::cpu::threads::Pool;
use crate::error::LayersError;
use crate::field::Layer;

/// Smallest and largest of some values, and how many there are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extremes {
    lo: f32,
    hi: f32,
    pub count: u64,
}

impl Extremes {
    const NONE: Extremes = Extremes { lo: f32::INFINITY, hi: f32::NEG_INFINITY, count: 0 };

    /// Both ends; −0 is 0, as the order in which they come would decide between them.
    pub fn ends(&self) -> [f64; 2] {
        [self.lo, self.hi].map(|end| f64::from(end) + 0.0)
    }

    fn join(&mut self, [lo, hi]: [f32; 2], count: u64) {
        (self.lo, self.hi) = (self.lo.min(lo), self.hi.max(hi));
        self.count += count;
    }
}

/// The reduction to the [`Extremes`] of each layer.
pub(crate) struct Ends {
    /// The number of layers.
    pub layers: usize,
}

impl Reduction for Ends {
    type Part = Vec<Extremes>;
    type Answer = Vec<Extremes>;

    fn empty(&self) -> Vec<Extremes> {
        vec![Extremes::NONE; self.layers]
    }

    fn gather(&self, part: &mut Vec<Extremes>, block: &[Layer], pool: &Pool) -> Result<(), LayersError> {
        for (own, layer) in part.iter_mut().zip(block) {
            pool.parts(&layer.values, ends).into_iter().for_each(|ends| own.join(ends, 0));
            own.count += layer.values.len() as u64;
        }
        Ok(())
    }

    fn join(&self, part: &mut Vec<Extremes>, other: Vec<Extremes>) -> Result<(), LayersError> {
        part.iter_mut().zip(other).for_each(|(own, Extremes { lo, hi, count })| own.join([lo, hi], count));
        Ok(())
    }

    fn answer(&self, whole: Vec<Extremes>) -> Result<Vec<Extremes>, LayersError> {
        Ok(whole)
    }

    fn encode(&self, part: &Vec<Extremes>) -> Vec<u8> {
        let mut bytes = Vec::new();
        for extremes in part {
            bytes.extend([extremes.lo, extremes.hi].into_iter().flat_map(|end| (end + 0.0).to_le_bytes()));
            put(&mut bytes, extremes.count);
        }
        bytes
    }

    fn decode(&self, mut bytes: &[u8]) -> Option<Vec<Extremes>> {
        let mut part = Vec::new();
        for _ in 0..self.layers {
            let mut end = || {
                let (end, rest) = bytes.split_first_chunk()?;
                bytes = rest;
                Some(f32::from_le_bytes(*end))
            };
            let (lo, hi) = (end()?, end()?);
            part.push(Extremes { lo, hi, count: take(&mut bytes)? });
        }
        bytes.is_empty().then_some(part)
    }

    fn encode_answer(&self, answer: &Vec<Extremes>) -> Vec<u8> {
        self.encode(answer)
    }

    fn decode_answer(&self, bytes: &[u8]) -> Option<Vec<Extremes>> {
        self.decode(bytes)
    }
}

/// The lowest and the highest of some values.
fn ends(values: &[f32]) -> [f32; 2] {
    // Sixteen at a time: each waits for the one before it.
    let (mut lo, mut hi) = ([f32::INFINITY; 16], [f32::NEG_INFINITY; 16]);
    for values in values.chunks(16) {
        for ((lo, hi), &x) in lo.iter_mut().zip(&mut hi).zip(values) {
            (*lo, *hi) = (lo.min(x), hi.max(x));
        }
    }
    [lo.into_iter().fold(f32::INFINITY, f32::min), hi.into_iter().fold(f32::NEG_INFINITY, f32::max)]
}
