//! Twin of `shaders/lib/sine.wgsl`: sines along the first axes of a lattice, whose cells are turns.

use crate::cpu::lib::jet::Jet;
use crate::cpu::lib::turn;
use crate::cpu::simd::Real;
use std::f64::consts::TAU;

/// The sum of the sines, and its gradient per turn.
#[inline(always)]
pub fn sine<R: Real, const DIMENSIONS: usize>(turns: [R; 3]) -> Jet<R> {
    let (zero, tau) = (R::of(0.0), R::of(TAU));
    let x = turn::whole(turns[0]);
    if DIMENSIONS == 1 {
        return Jet { value: x.0, gradient: [tau * x.1, zero, zero] };
    }
    let y = turn::whole(turns[1]);
    if DIMENSIONS == 2 {
        return Jet { value: x.0 + y.0, gradient: [tau * x.1, tau * y.1, zero] };
    }
    let z = turn::whole(turns[2]);
    Jet { value: x.0 + (y.0 + z.0), gradient: [tau * x.1, tau * y.1, tau * z.1] }
}
