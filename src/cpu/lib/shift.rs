//! Twin of `shaders/lib/shift.wgsl`: a displacement that accumulates step by step, with its derivatives.

use crate::cpu::lib::frame::{MatrixColumns, linear};
use crate::cpu::lib::jet::{Jet, axes};
use crate::cpu::simd::Real;
use crate::cpu::simd::lanes::Lanes;

/// A displacement for each lane, and its derivatives along x, y and z.
pub struct Shift<R> {
    pub value: [Lanes<R>; 3],
    by: [[Lanes<R>; 3]; 3],
}

impl<R: Real> Shift<R> {
    pub fn zero() -> Self {
        let zero = [Lanes::of(R::default()); 3];
        Shift { value: zero, by: [zero; 3] }
    }

    /// Sets it to zero.
    pub fn reset(&mut self) {
        self.value.iter_mut().chain(self.by.as_flattened_mut()).for_each(|lanes| *lanes = Lanes::of(R::default()));
    }

    /// Chain rule for a noise that is sampled at the shifted position.
    #[inline(always)]
    pub fn jet(&self, lane: usize, inner: Jet<R>) -> Jet<R> {
        let g = inner.gradient;
        let gradient = axes(|a| g[a] + (g[0] * self.by[a][0][lane] + (g[1] * self.by[a][1][lane] + g[2] * self.by[a][2][lane])));
        Jet { value: inner.value, gradient }
    }

    /// Adds a step: the vector, transformed by a frame's matrix to the space of the shift.
    #[inline(always)]
    pub fn add<const GRADIENT: bool>(&mut self, lane: usize, columns: &MatrixColumns<R>, [x, y, z]: [Jet<R>; 3]) {
        let step = linear(columns, [x.value, y.value, z.value]);
        for d in 0..3 {
            self.value[d][lane] = self.value[d][lane] + step[d];
        }
        if GRADIENT {
            for a in 0..3 {
                let step = linear(columns, [x.gradient[a], y.gradient[a], z.gradient[a]]);
                for d in 0..3 {
                    self.by[a][d][lane] = self.by[a][d][lane] + step[d];
                }
            }
        }
    }
}
