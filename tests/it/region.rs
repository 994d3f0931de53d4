//! Regions: what they hold, and that none makes anything panic.

use crate::support::cpu;
use orogen::{EngineError, Noise, Region};

#[test]
fn chunks_share_their_edges_at_every_level() {
    let noise = Noise::simplex(Default::default());
    for levels in [0, 1, 3, 7] {
        let [left, right] = [0, 1].map(|x| Region::chunk(x, -2, 128).coarser_chunk(levels));
        assert_eq!(left.size, [(128 >> levels) + 1, (128 >> levels) + 1, 1]);
        let width = left.size[0] as usize;
        let [left, right] = [left, right].map(|chunk| cpu().field(&noise, &chunk).expect("a chunk").values);
        for (a, b) in left.chunks_exact(width).zip(right.chunks_exact(width)) {
            assert_eq!(a[width - 1].to_bits(), b[0].to_bits());
        }
    }
    assert_eq!(Region::plane(129, 128).coarser(1).size, [64, 64, 1], "as mip levels have it");
    assert_eq!(Region::plane(129, 128).coarser_chunk(1).size, [65, 64, 1]);
    assert_eq!(Region::plane(5, 3).coarser_chunk(40).size, [1, 1, 1]);
}

#[test]
fn impossible_regions_are_errors() {
    let plane = Region::plane(4, 4);
    for region in [
        Region { size: [0, 4, 1], ..plane },
        Region { size: [0; 3], ..plane }.coarser(3),
        Region { size: [0; 3], ..plane }.coarser_chunk(3),
        Region { size: [u32::MAX; 3], ..plane },
        Region { spacing: f64::NAN, ..plane },
        Region { spacing: 0.0, ..plane },
        Region { spacing: -1.0, ..plane },
        Region { spacing: f64::INFINITY, ..plane },
        Region { anchor: [0.0, f64::NAN, 0.0], ..plane },
        Region { anchor: [f64::INFINITY, 0.0, 0.0], ..plane },
        Region { level: 41, ..plane },
        plane.coarser(u32::MAX),
        plane.coarser_chunk(u32::MAX).coarser_chunk(u32::MAX),
        Region { origin: [i64::MAX, 0, 0], spacing: 1e-9, ..plane },
        Region { origin: [0, i64::MIN, 0], spacing: 1e-9, ..plane },
        // Tiles whose index no 64 bits hold.
        Region { spacing: 1e-9, ..Region::tile(i64::MAX, i64::MIN, 512) },
        Region { spacing: 1e-9, ..Region::chunk(i64::MIN / 2, 0, u32::MAX) },
        Region::tile(0, 0, 0),
    ] {
        let error = cpu().field(&Noise::constant(1.0), &region).expect_err("an error");
        assert!(matches!(error, EngineError::Region(_)), "{region:?}: {error}");
        assert!(error.to_string().contains("allowed"), "{error}");
    }
}

#[test]
fn ranges_of_noises_that_mean_nothing_are_errors() {
    for noise in [
        Noise::constant(f64::NAN),
        Noise::constant(f64::INFINITY),
        Noise::constant(1.0).clamp(1.0, -1.0),
        Noise::constant(1.0).clamp(f64::NAN, f64::NAN),
        Noise::constant(1.0).smoothstep(1.0, 1.0),
        Noise::constant(1.0).terrace(0.0, 0.0),
        Noise::constant(1.0).power(f64::NAN),
        Noise::constant(1.0).spline([]),
        Noise::constant(1.0).quantise([0.0; 3]),
        Noise::simplex(orogen::node::Simplex { wavelength: 0.0, ..Default::default() }),
        Noise::worley(orogen::node::Worley { weights: Vec::new(), ..Default::default() }),
        Noise::hexagonal(orogen::node::Hexagonal { gradients: Some(Vec::new()), ..Default::default() }),
    ] {
        assert!(noise.range().is_err(), "{:?}", noise.graph());
    }
}
