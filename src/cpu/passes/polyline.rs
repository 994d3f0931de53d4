//! Twin of `shaders/passes/polyline.wgsl`: the nearest point of polylines, and beds along them.

use crate::cpu::passes::stencil::{AtSample, Each, Stencil, WordEach};
use crate::cpu::simd::Real;
use crate::cpu::simd::lanes::CHUNK;
use crate::cpu::simd::number::{Bits, Number, Transcendental, max, min};
use crate::schedule::pass::{PolylineBed, PolylineNearest, made};

/// An integer entry of the table.
#[inline(always)]
fn entry<R: Real>(table: &[R], k: usize) -> usize {
    table[k].to_i32() as usize
}

/// Samples of a row may lie in several squares; each takes the pieces of its own, in their order.
#[inline(always)]
pub fn nearest<S: Stencil>(at: S, pass: PolylineNearest<AtSample<'_, S>>) -> made::PolylineNearest<Each<S>> {
    let PolylineNearest { columns, shift, most, table } = pass;
    let (zero, one) = (at.constant(0.0), at.constant(1.0));
    let (columns, shift) = (at.count(columns) as usize, at.count(shift) as u32);
    let [x, y] = at.at();
    let own = x >> shift;
    let first = at.first().map(|i| i.max(0) as usize);
    let [left, row] = first.map(|i| i >> shift);
    let right = ((first[0] + CHUNK - 1) >> shift).min(columns - 1);
    let (x, y) = (Each::<S>::of_signed(x), Each::<S>::of_signed(y));
    let (mut square, mut found) = (most, [zero; 3]);
    for column in left..=right {
        let inside = own.equals(at.word(column as u32));
        let part = row * columns + column;
        let (first, count) = (entry(table, 2 * part), entry(table, 2 * part + 1));
        for i in first..first + count {
            let piece = entry(table, i);
            let number = |k: usize| at.number(table[piece + k]);
            let (x, y) = (x - number(0), y - number(1));
            let (along_x, along_y) = (number(2), number(3));
            let t = min(max((x * along_x + y * along_y) * number(4), zero), one);
            let (way_x, way_y) = (x - t * along_x, y - t * along_y);
            let here = way_x * way_x + way_y * way_y;
            let nearer = WordEach::<S>::both(inside, here.less_than(square));
            square = Each::<S>::select(square, here, nearer);
            let there = [way_x, way_y, number(5) + t * number(6)];
            found = [0, 1, 2].map(|k| Each::<S>::select(found[k], there[k], nearer));
        }
    }
    let [x, y, level] = found;
    made::PolylineNearest { square, x, y, level }
}

#[inline(always)]
pub fn bed<S: Stencil>(at: S, pass: PolylineBed<AtSample<'_, S>>) -> made::PolylineBed<Each<S>> {
    let PolylineBed { step, reach, half, per_bank, profile, raise, limit, absolute, .. } = pass;
    let (zero, one) = (at.constant(0.0), at.constant(1.0));
    let distance = min(at.here(pass.square).root() * step, reach);
    let t = min(max((distance - half) * per_bank, zero), one);
    let fall = match at.count(profile) {
        0 => (t * t) * (at.constant(3.0) - (t + t)),
        2 => t * t,
        _ => t,
    };
    let share = one - fall;
    let ground = at.here(pass.height);
    let change = if at.count(absolute) == 1 { at.here(pass.level) - ground } else { zero } + raise;
    let limited = min(max(change, -limit), limit);
    made::PolylineBed { height: ground + share * limited, distance, share }
}
