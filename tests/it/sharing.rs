//! One world however it is cut: tile sizes, levels, overlaps, at the origin and 10⁶ tiles out, on CPU and GPU.

use crate::nodes;
use crate::support::{bits, cpu, gpu, regions, slopes};
use orogen::bake::Tiles;
use orogen::bake::plan::Plan;
use orogen::node::{Fractal, Simplex};
use orogen::{Backend, Engine, EngineOptions, Gradient, Noise, Region, Threads};

const PLACES: [(i64, i64); 4] = [(0, 0), (-3, 2), (1_000_000, -1_000_000), (-1_000_000, 1_000_000)];

/// Wavelengths that no binary fraction holds, octaves that turn, and a warp.
fn world() -> Noise {
    let noise = Noise::simplex(Simplex { wavelength: 37.3, ..Default::default() }).fractal(Fractal {
        octaves: 3,
        lacunarity: 1.93,
        rotation: 31.0,
        ..Default::default()
    });
    let three = Noise::simplex(Simplex { dimensions: 3, wavelength: 91.7, ..Default::default() });
    noise.warp([three.clone(), Noise::constant(0.5), three], 7.0)
}

fn value(engine: &Engine, noise: &Noise, region: Region) -> Vec<f32> {
    engine.field(noise, &region).expect("field").values
}

/// The square of 512² samples at 512-tile (x, y), from tiles of another size.
fn assembled(engine: &Engine, noise: &Noise, (x, y): (i64, i64), tile: u32) -> Vec<f32> {
    let parts = i64::from(512 / tile);
    let mut whole = vec![f32::NAN; 512 * 512];
    for j in 0..parts {
        for i in 0..parts {
            let values = value(engine, noise, Region { spacing: 0.7, ..Region::tile(x * parts + i, y * parts + j, tile) });
            for (row, line) in values.chunks(tile as usize).enumerate() {
                let start = (j as usize * tile as usize + row) * 512 + i as usize * tile as usize;
                whole[start..start + tile as usize].copy_from_slice(line);
            }
        }
    }
    whole
}

fn tile_sizes_agree(engine: &Engine, places: &[(i64, i64)]) {
    for &place in places {
        let [small, middle, large] = [128, 256, 512].map(|tile| bits(&assembled(engine, &world(), place, tile)));
        assert!(small == middle && middle == large, "tiles of 128, 256 and 512 differ at {place:?}");
        assert!(large.iter().any(|&b| b != large[0]), "a constant world shows nothing");
    }
}

#[test]
fn tiles_of_any_size_hold_the_same_bits_on_the_cpu() {
    tile_sizes_agree(&cpu(), &PLACES);
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn tiles_of_any_size_hold_the_same_bits_on_the_gpu() {
    let gpu = gpu();
    tile_sizes_agree(gpu, &PLACES[2..3]);
}

#[test]
fn tall_regions_hold_the_same_bits_on_one_thread_and_on_several() {
    let open = |threads| Engine::open(&EngineOptions { backend: Backend::Cpu, threads, ..Default::default() }).expect("an engine");
    let [alone, several] = [Threads::Caller, Threads::Own(3)].map(open);
    // Rows that fill blocks and rows that share them, in several planes.
    for size in [[700, 600, 1], [40, 300, 3]] {
        let region = Region { size, ..Region::plane(1, 1) };
        let [alone, several] = [&alone, &several].map(|engine| engine.field_with_gradient(&world(), &region).expect("field"));
        assert!(alone == several, "{size:?}");
        assert!(alone.values.iter().any(|&value| value != alone.values[0]), "a constant world shows nothing");
    }
}

fn levels_agree(engine: &Engine) {
    for (x, y) in PLACES {
        let fine = Region { spacing: 0.7, ..Region::tile(x, y, 128) };
        let level_0 = value(engine, &world(), fine);
        for level in 1..=5u32 {
            let edge = 128 >> level;
            let coarse = Region { origin: fine.origin.map(|i| i >> level), size: [edge, edge, 1], level, ..fine };
            for (k, v) in value(engine, &world(), coarse).iter().enumerate() {
                let at = (k / edge as usize * 128 + k % edge as usize) << level;
                let at = (at & 127) + ((k / edge as usize) << level) * 128;
                assert_eq!(v.to_bits(), level_0[at].to_bits(), "level {level}, sample {k}, tile {x},{y}");
            }
        }
    }
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn levels_hold_every_second_sample_of_the_level_below() {
    levels_agree(&cpu());
    {
        let gpu = gpu();
        levels_agree(gpu);
    }
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn neighbours_share_their_overlap() {
    let gpu = gpu();
    for engine in [&cpu(), gpu] {
        for (x, y) in PLACES {
            let plan = Plan { tile: 64, tiles: Tiles { x: x..x + 2, y: y..y + 2 }, overlap: 1, level: 0, spacing: 0.7, z: 3.0 };
            let tile = |i, j| value(engine, &world(), plan.region((x + i, y + j)));
            let (here, right, below) = (tile(0, 0), tile(1, 0), tile(0, 1));
            for k in 0..65 {
                assert_eq!(here[k * 65 + 64].to_bits(), right[k * 65].to_bits(), "right edge, row {k}, tile {x},{y}");
                assert_eq!(here[64 * 65 + k].to_bits(), below[k].to_bits(), "lower edge, column {k}, tile {x},{y}");
            }
        }
    }
}

#[test]
fn every_node_is_the_same_in_one_piece_and_in_two() {
    for (name, noise) in nodes::all() {
        let whole = Region { origin: [-40, 7, 0], ..Region::plane(80, 2) };
        let all = value(&cpu(), &noise, whole);
        for split in [1u32, 33, 64] {
            let left = value(&cpu(), &noise, Region { size: [split, 2, 1], ..whole });
            let right = value(&cpu(), &noise, Region { origin: [-40 + i64::from(split), 7, 0], size: [80 - split, 2, 1], ..whole });
            for row in 0..2usize {
                let (l, r) = (split as usize, 80 - split as usize);
                let joined = [&left[row * l..row * l + l], &right[row * r..row * r + r]].concat();
                assert_eq!(bits(&joined), bits(&all[row * 80..row * 80 + 80]), "{name}, split at {split}");
            }
        }
    }
}

#[test]
fn a_point_alone_has_the_bits_that_it_has_among_many() {
    for (name, noise) in nodes::all() {
        let prepared = cpu().prepare(&noise).expect(&name);
        for (place, region) in regions() {
            let positions: Vec<[f64; 3]> =
                (0..20).map(|i| region.position([i * 7 % region.size[0], i * 5 % region.size[1], i % region.size[2]])).collect();
            let near: Vec<[f32; 3]> = (0..20).map(|i| [i as f32 * 1.7 - 9.0, i as f32 * -0.3, 0.25 * i as f32]).collect();
            for gradient in [Gradient::Without, slopes(&noise)] {
                let many = prepared.sample(&positions, gradient).expect(&name);
                let around = prepared.sample_near(positions[0], &near, gradient).expect(&name);
                for count in [1, 3] {
                    for (first, all) in many.chunks(count).enumerate() {
                        let first = first * count;
                        let few = prepared.sample(&positions[first..first + all.len()], gradient).expect(&name);
                        assert_eq!(few, all, "{name}, {place}, {count} points, {gradient:?}");
                        let few = prepared.sample_near(positions[0], &near[first..first + all.len()], gradient).expect(&name);
                        assert_eq!(few, around[first..first + all.len()], "{name}, {place}, {count} points near an anchor, {gradient:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_field_in_a_slice_of_the_callers_is_the_same_field() {
    let region = Region { origin: [-5, 9, 2], ..Region::plane(77, 13) };
    for (name, noise) in nodes::all().into_iter().step_by(3) {
        let field = cpu().field(&noise, &region).expect(&name);
        let mut values = vec![f32::NAN; 77 * 13];
        cpu().field_into(&noise, &region, &mut values).expect(&name);
        assert_eq!(bits(&values), bits(&field.values), "{name}");
        let short = cpu().field_into(&noise, &region, &mut values[1..]).expect_err("one sample too few").to_string();
        assert!(short.contains("in a slice of 1000"), "{short}");
    }
}
