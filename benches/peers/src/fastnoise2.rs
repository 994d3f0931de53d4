//! FastNoise2: its node graph as it recommends it, one call for a whole grid.

use crate::case::{Basis, Case, Fill, GAIN, LACUNARITY, OCTAVES, Shape};
use fastnoise2::SafeNode;
use fastnoise2::generator::DistanceFunction;
use fastnoise2::generator::cellular::CellularDistanceReturnType;
use fastnoise2::generator::prelude::*;

/// Units to a cell of its noises.
const SCALE: f32 = 100.0;

/// The instruction set that it has taken: the widest it was built with that the machine has.
pub fn level() -> &'static str {
    // A bit for each set: Scalar, x86, SSE to SSE4.2, AVX, AVX2, and then the four of AVX-512.
    match value().build().0.get_simd_level() {
        set if set >> 10 & 1 == 1 => "AVX-512",
        set if set >> 9 & 1 == 1 => "AVX2",
        _ => "less than AVX2",
    }
}

pub fn fill(case: &Case) -> Option<Fill> {
    macro_rules! shaped {
        ($basis:expr) => {
            match case.shape {
                Shape::Single => $basis.build(),
                Shape::Fbm => $basis.fbm(GAIN as f32, 0.0, OCTAVES as i32, LACUNARITY as f32).build(),
                Shape::Ridged => $basis.ridged(GAIN as f32, 0.0, OCTAVES as i32, LACUNARITY as f32).build(),
                Shape::Warped => {
                    let fbm = $basis.fbm(GAIN as f32, 0.0, OCTAVES as i32, LACUNARITY as f32);
                    fbm.domain_warp_gradient(0.4 * SCALE, SCALE).build()
                }
            }
        };
    }
    let node: SafeNode = match case.basis {
        Basis::Value => shaped!(value()).0,
        Basis::Perlin => shaped!(perlin()).0,
        Basis::Simplex => shaped!(simplex()).0,
        Basis::Cellular => cellular_distance(1.0, DistanceFunction::Euclidean, 0, 1, CellularDistanceReturnType::Index0).build().0,
    };
    let [width, height, depth] = case.size().map(|size| size as i32);
    let step = SCALE * case.frequency() as f32;
    Some(Box::new(move |rows, out| {
        let (start, count) = (rows.start as f32 * step, rows.len() as i32);
        if depth == 1 {
            node.gen_uniform_grid_2d(out, 0.0, start, width, count, step, step, 1);
        } else {
            node.gen_uniform_grid_3d(out, 0.0, 0.0, start, width, height, count, step, step, step, 1);
        }
    }))
}
