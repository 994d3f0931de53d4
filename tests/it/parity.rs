//! GPU against CPU: the same bits in exact arithmetic, stated bounds in fast arithmetic.

use crate::nodes;
use crate::support::{assert_same_bits, cpu, gpu, largest, own_gpu, regions};
use orogen::{Arithmetic, Parity, Region, fast_bounds};

#[test]
fn every_node_gives_the_same_bits_on_gpu_and_cpu() {
    let Some(gpu) = gpu("every_node_gives_the_same_bits_on_gpu_and_cpu") else { return };
    assert_eq!(gpu.describe().parity, Some(Parity::Exact), "this adapter is not exact: run the tests on one that is");
    for (name, noise) in nodes::all() {
        for (place, region) in regions() {
            let what = format!("{name}, {place}");
            let with_gradient = gpu.field_with_gradient(&noise, &region).expect(&what);
            assert_same_bits(&with_gradient, &cpu().field_with_gradient(&noise, &region).expect(&what), &what);
            // The kernel without gradients is another kernel.
            let values = gpu.field(&noise, &region).expect(&what);
            assert_same_bits(&values, &cpu().field(&noise, &region).expect(&what), &format!("{what}, values only"));
        }
    }
}

#[test]
fn points_give_the_same_bits_on_gpu_and_cpu_and_as_regions() {
    let Some(gpu) = gpu("points_give_the_same_bits_on_gpu_and_cpu_and_as_regions") else { return };
    for (name, noise) in nodes::all() {
        for (place, region) in regions() {
            let indices: Vec<[u32; 3]> = (0..70).map(|i| [i * 7 % region.size[0], i * 5 % region.size[1], i % region.size[2]]).collect();
            let positions: Vec<[f64; 3]> = indices.iter().map(|&i| region.position(i)).collect();
            let on_gpu = gpu.sample(&noise, &positions, true).expect(&name);
            let on_cpu = cpu().sample(&noise, &positions, true).expect(&name);
            assert_eq!(on_gpu, on_cpu, "{name}, {place}");
            if region.spacing == 1.0 {
                // These positions are exact in f64, so the region's own samples are the same lattice coordinates.
                let field = cpu().field(&noise, &region).expect(&name);
                for (index, sample) in indices.iter().zip(&on_cpu) {
                    let at = (index[2] * region.size[1] + index[1]) * region.size[0] + index[0];
                    assert_eq!(f64::from(field.values[at as usize]), sample.value, "{name}, {place}, sample {index:?}");
                }
            }
        }
    }
}

#[test]
fn whole_tiles_and_regions_larger_than_a_dispatch_give_the_same_bits() {
    let Some(gpu) = gpu("whole_tiles_and_regions_larger_than_a_dispatch_give_the_same_bits") else { return };
    let noise = nodes::of_kind("spline").remove(0);
    let tile = Region::tile(-7, 3, 256);
    assert_same_bits(
        &gpu.field_with_gradient(&noise, &tile).expect("tile"),
        &cpu().field_with_gradient(&noise, &tile).expect("tile"),
        "tile",
    );
    // Wider than the 2048 samples of one dispatch, and a volume deeper than one.
    let plain = nodes::of_kind("simplex").remove(0);
    for size in [[4500, 3, 1], [5, 4099, 1], [3, 2, 4100]] {
        let region = Region { origin: [-100, 50, 0], size, ..Region::plane(1, 1) };
        assert_same_bits(&gpu.field(&plain, &region).expect("wide"), &cpu().field(&plain, &region).expect("wide"), &format!("{size:?}"));
    }
}

#[test]
fn fast_arithmetic_stays_within_its_stated_bound() {
    let Some(gpu) = own_gpu("fast_arithmetic_stays_within_its_stated_bound", Some(Arithmetic::Fast)) else { return };
    let (mut worst_value, mut worst_gradient) = (0.0f64, 0.0f64);
    for (name, noise) in nodes::all() {
        for (place, region) in regions() {
            let fast = gpu.field_with_gradient(&noise, &region).expect(&name);
            let exact = cpu().field_with_gradient(&noise, &region).expect(&name);
            let furthest = |a: &[f32], b: &[f32]| a.iter().zip(b).fold(0.0, |m: f64, (a, b)| m.max(f64::from((a - b).abs()))) / largest(b);
            let value = furthest(&fast.values, &exact.values);
            let (ga, gb) = (fast.gradients.unwrap_or_default(), exact.gradients.unwrap_or_default());
            let gradient = furthest(ga.as_flattened(), gb.as_flattened());
            println!("{name:15} {place:25} value {value:.1e} gradient {gradient:.1e}");
            let [most_value, most_gradient] = fast_bounds(&noise);
            assert!(value <= most_value, "{name}, {place}: values {value:e}");
            assert!(gradient <= most_gradient, "{name}, {place}: gradients {gradient:e}");
            worst_value = worst_value.max(value);
            worst_gradient = worst_gradient.max(gradient);
        }
    }
    println!("worst: value {worst_value:.2e}, gradient {worst_gradient:.2e}");
}
