//! Twin of `shaders/lib/permutation289.wgsl` and, with `W`, of `shaders/lib/permutation289_periodic.wgsl`: the terrain shader's 3D simplex.

use crate::cpu::lib::jet::Jet;
use crate::cpu::lib::point::HashKey;
use crate::cpu::lib::skewed::wide_3;
use crate::cpu::simd::Real;
use crate::cpu::simd::real::select;

/// A cell modulo 289. Seen as unsigned, a negative cell is 2³² too large, and −2³² mod 289 = 135.
#[inline(always)]
fn reduce(cell: u32) -> u32 {
    (cell % 289 + select(0, 135, (cell as i32) < 0)) % 289
}

#[inline(always)]
fn permute(x: u32) -> u32 {
    ((x * 34 + 1) * x) % 289
}

/// In units of 1/14 the 7×7 grid and the octahedron are whole numbers. The listing's `h <= 0` meets grid points that lie
/// exactly on the fold; in integers they fold on every token, in rounded arithmetic only on some.
#[inline(always)]
fn gradient<R: Real>(c: [u32; 3]) -> [R; 3] {
    let p = permute(permute(permute(c[2]) + c[1]) + c[0]);
    let j = (p % 49) as i32;
    let x = j / 7 * 4 - 13;
    let y = j % 7 * 4 - 13;
    let h = 14 - x.abs() - y.abs();
    // Beyond the square's diagonals its corners fold over to the octahedron's lower half.
    let folded = |a: i32| select(a, a - select(14, -14, a < 0), h <= 0);
    let (gx, gy) = (folded(x), folded(y));
    // First terms of 1/sqrt around 0.7, divided by 14.
    let normal = R::of(0.12806020814297073) - R::of(0.00031112781375843294) * R::of_i32(gx * gx + gy * gy + h * h);
    [R::of_i32(gx) * normal, R::of_i32(gy) * normal, R::of_i32(h) * normal]
}

#[inline(always)]
pub fn simplex<R: Real, const W: bool>(cell: [u32; 3], f: [R; 3], key: HashKey<u32, W>) -> Jet<R> {
    let c = cell.map(reduce);
    wide_3(
        f,
        0,
        #[inline(always)]
        |s| {
            if W {
                let point = std::array::from_fn(|a| cell[a].wrapping_add(s[a]));
                gradient(key.representative(point).map(reduce))
            } else {
                gradient([c[0] + s[0], c[1] + s[1], c[2] + s[2]])
            }
        },
    )
}
