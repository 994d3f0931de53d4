//! Twin of `shaders/passes/displace.wgsl`: planes at displaced positions.

use crate::cpu::passes::stencil::{AtSample, Each, Stencil};
use crate::cpu::simd::number::{Number, max, min};
use crate::schedule::pass::Displace;

#[inline(always)]
pub fn bilinear<S: Stencil>(at: S, pass: Displace<AtSample<'_, S>>) -> [Each<S>; 1] {
    let one = at.constant(1.0);
    let [(x, right), (y, below)] = [pass.x, pass.y].map(|way| {
        let way = min(max(at.here(way) * pass.per_step, -pass.most), pass.most);
        let whole = way.floor();
        (whole.small_to_signed(), way - whole)
    });
    let [[a], [b], [c], [d]] = at.fields([pass.value], [x, y], [[0, 0], [1, 0], [0, 1], [1, 1]]);
    let upper = a * (one - right) + b * right;
    let lower = c * (one - right) + d * right;
    [upper * (one - below) + lower * below]
}
