//! Regions: what they hold, and that none makes anything panic.

use crate::support::{bits, cpu};
use orogen::{EngineError, Gradient, Layer, Noise, Region};
use std::collections::HashMap;

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

#[test]
fn narrow_regions_have_the_bits_of_wide_ones() {
    let simplex = Noise::simplex(orogen::node::Simplex { wavelength: 9.0, ..Default::default() }).fractal(Default::default());
    let perlin = Noise::perlin(orogen::node::Perlin { wavelength: 7.0, dimensions: 3, ..Default::default() });
    let periodic = Noise::simplex(orogen::node::Simplex { wavelength: 8.0, ..Default::default() }).periodic([64.0, 64.0, 0.0]);
    for noise in [simplex, perlin, periodic] {
        let wide = Region { origin: [-100, 7, 3], size: [130, 21, 3], ..Region::plane(1, 1) };
        let all = cpu().field_with_gradient(&noise, &wide).expect("a field");
        // Several rows of these make a block on the CPU, or one, or part of one.
        for width in [1, 2, 7, 8, 16, 33, 64, 65] {
            let narrow = Region { size: [width, 21, 3], ..wide };
            let found = cpu().field_with_gradient(&noise, &narrow).expect("a field");
            for (row, values) in found.values.chunks_exact(width as usize).enumerate() {
                assert_eq!(bits(values), bits(&all.values[row * 130..][..width as usize]), "width {width}, row {row}");
            }
            let (gradients, wide) = (found.gradients.expect("gradients"), all.gradients.as_ref().expect("gradients"));
            for (row, gradients) in gradients.chunks_exact(width as usize).enumerate() {
                assert_eq!(
                    bits(gradients.as_flattened()),
                    bits(wide[row * 130..][..width as usize].as_flattened()),
                    "width {width}, row {row}"
                );
            }
        }
    }
}

#[test]
fn regions_are_keys() {
    let region = Region { spacing: 0.5, anchor: [0.0, 3.0, -1.0], ..Region::tile(3, -4, 64) };
    let mut cache = HashMap::from([(region, 1)]);
    assert_eq!(cache.get(&Region { anchor: [-0.0, 3.0, -1.0], ..region }), Some(&1), "the zeros are one number");
    for other in [
        Region { origin: [192, -255, 0], ..region },
        Region { size: [64, 63, 1], ..region },
        Region { level: 1, ..region },
        Region { spacing: 0.25, ..region },
        Region { anchor: [0.0, 3.0, 1.0], ..region },
        Region { spacing: f64::NAN, ..region },
    ] {
        assert_eq!(cache.insert(other, 2), None);
        assert_eq!(cache.get(&other), Some(&2), "every region equals itself");
    }
}

#[test]
fn fields_have_normals_and_become_layers() {
    let ramp = Noise::coordinate(orogen::node::Coordinate { unit: 2.0, ..Default::default() });
    let field = cpu().field_with_gradient(&ramp, &Region::plane(3, 2)).expect("a field");
    for [x, y, z] in field.normals(4.0).expect("gradients") {
        let length = 5.0_f32.sqrt();
        assert!((x + 2.0 / length).abs() < 1e-6 && y == 0.0 && (z - 1.0 / length).abs() < 1e-6, "{:?}", [x, y, z]);
    }
    assert_eq!(cpu().field(&ramp, &Region::plane(3, 2)).expect("a field").normals(1.0), None);
    let layer = Layer::from(field.clone());
    assert_eq!((layer.channels, layer.region, layer.values), (1, field.region, field.values));
}

#[test]
fn displacements_that_are_none_are_errors() {
    for bad in [f32::INFINITY, f32::NAN, 1e17] {
        let told = cpu().sample_near(&Noise::simplex(Default::default()), [0.0; 3], &[[0.0; 3], [1.0, bad, 0.0]], Gradient::Without);
        assert!(matches!(told, Err(EngineError::Point { index: 1, .. })), "{told:?}");
    }
}
