//! `incise` against its page: the stream power law, its balance with uplift, and the accounts of its sediment.

use crate::stages::{brought, node};
use crate::support::{bits, cpu};
use orogen::node::{Axis, Coordinate, Fractal, Input, Simplex};
use orogen::stage::{Drainage, Incise, Pipeline};
use orogen::{Field, Layer, Noise, Region};

const OUTPUTS: [&str; 4] = ["incise", "incise.wear", "incise.sediment", "incise.load"];

/// Mountains 200 units high.
fn mountains() -> Noise {
    let simplex = Noise::simplex(Simplex { wavelength: 300.0, seed: Some(5), ..Default::default() });
    simplex.fractal(Fractal { octaves: 6, gain: 0.45, ..Default::default() }).scale_offset(100.0, 0.0).named("ground")
}

/// A field of heights per column and row.
fn field(region: Region, height: impl Fn(u32, u32) -> f32) -> Field {
    let [width, rows, _] = region.size;
    let values = (0..rows).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| height(x, y)).collect();
    Field { region, values, gradients: None }
}

/// All layers of the stage on a field. Nothing leaves it: beyond its edge, the ground continues level.
fn incised(pipeline: &Pipeline, field: &Field) -> [Vec<f32>; 4] {
    let layers = cpu().apply(pipeline, &OUTPUTS, field).expect("layers");
    layers.into_iter().map(|layer| layer.values).collect::<Vec<_>>().try_into().expect("four layers")
}

/// The ground of mountains, drained and incised, as a closed world.
fn closed(incise: Incise, region: Region) -> (Field, [Vec<f32>; 4]) {
    let field = cpu().field(&mountains(), &region).expect("a field");
    let water = brought(Drainage::default());
    let pipeline = water.then(Incise { of: node("given"), area: node("drainage.area"), ..incise });
    let layers = incised(&pipeline, &field);
    (field, layers)
}

fn sum(values: &[f32]) -> f64 {
    values.iter().map(|&x| f64::from(x)).sum()
}

fn near(found: f64, wanted: f64, share: f64, what: &str) {
    assert!((found / wanted - 1.0).abs() < share, "{what}: {found} of {wanted}");
}

#[test]
fn a_river_cuts_by_the_stream_power_law_and_deeper_than_its_banks() {
    // A plane that falls by 0.2 along x, with a river in the middle row.
    let region = Region { spacing: 2.0, ..Region::plane(80, 41) };
    let plane = field(region, |x, _| 32.0 - 0.4 * x as f32);
    // 10000 units² on the river, 4 elsewhere.
    let river = Noise::coordinate(Coordinate { axis: Axis::Y, ..Default::default() }).scale_offset(1.0, -40.0).abs();
    let area = river.smoothstep(0.5, 1.0).scale_offset(-9996.0, 10000.0).named("wet");
    let mut pipeline = Pipeline::from(area).then(Incise::default());
    for concavity in [0.3, 0.5] {
        let incise = Incise {
            of: node("given"),
            area: node("wet"),
            concavity,
            diffusion: 0.0,
            talus: 1e6,
            deposition: 0.0,
            time: 0.05,
            reach: 20.0,
            ..Default::default()
        };
        pipeline.stage.insert("given".to_owned(), orogen::stage::Given {}.into());
        pipeline.stage.insert("incise".to_owned(), incise.into());
        let [height, wear, sediment, _] = incised(&pipeline, &plane);
        // Upstream of the middle, the edge is too far away to matter.
        let expected = |area: f64| 2.0 * area.powf(concavity) * 0.2 * 0.05;
        let (river, bank) = (20 * 80 + 40, 10 * 80 + 40);
        near(f64::from(wear[river]), expected(10000.0), 1e-3, "wear of the river");
        near(f64::from(wear[bank]), expected(4.0), 1e-3, "wear of the bank");
        assert!(height[river] < height[bank] && wear[river] > 5.0 * wear[bank]);
        // Only near the last column, where the ground continues level, is a pit.
        assert!(sediment.chunks(80).all(|row| row[..60].iter().all(|&x| x == 0.0)), "laid down without deposition");
    }
}

#[test]
fn rivers_reach_the_balance_of_uplift_and_incision() {
    // A ridge of 40 samples that drains to a deep sea at its left edge. Areas are those of a strip one sample wide.
    let region = Region { spacing: 3.0, ..Region::plane(40, 5) };
    let x = || Noise::coordinate(Coordinate { axis: Axis::X, ..Default::default() });
    let area = x().scale_offset(-3.0, 360.0).named("upstream");
    let uplift = x().smoothstep(0.0, 1.0).scale_offset(50.0, 0.0).named("rising");
    for deposition in [0.0, 0.5, 2.0] {
        let incise = Incise {
            of: node("given"),
            area: node("upstream"),
            uplift: node("rising"),
            erodibility: Input::Value(3.0),
            concavity: 0.5,
            deposition,
            diffusion: 0.0,
            talus: 1e6,
            time: 40.0,
            reach: 3.0 * 4000.0,
            sea: Some(0.0),
        };
        let mut pipeline = Pipeline::from(area.clone()).then(incise);
        pipeline.node.extend(Pipeline::from(uplift.clone()).node);
        pipeline.stage.insert("given".to_owned(), orogen::stage::Given {}.into());
        let [height, ..] = incised(&pipeline, &field(region, |x, _| if x == 0 { -1e5 } else { 0.0 }));
        for i in 2..39 {
            let cells = 40.0 - i as f64;
            // The uplift of all samples above this one arrives.
            let laid = deposition * (cells - 1.0) / cells;
            let slope = 50.0 * (1.0 + laid) / (3.0 * (9.0 * cells).sqrt());
            near(f64::from(height[80 + i] - height[80 + i - 1]) / 3.0, slope, 2e-3, &format!("slope at {i}, deposition {deposition}"));
        }
    }
}

#[test]
fn sediment_has_the_volume_of_the_rock() {
    let region = Region::plane(160, 120);
    for (deposition, diffusion, sea) in [(0.0, 0.0, None), (1.0, 0.0, None), (4.0, 20.0, None), (1.0, 5.0, Some(-20.0))] {
        let incise = Incise { deposition, diffusion, sea, time: 0.3, reach: 60.0, ..Default::default() };
        let (before, [height, wear, sediment, load]) = closed(incise, region);
        assert!([&wear, &sediment, &load].iter().all(|layer| layer.iter().all(|&x| x >= 0.0)), "less than nothing");
        let [removed, laid, carried] = [&wear, &sediment, &load].map(|layer| sum(layer));
        assert!(removed > 1e4 && (laid > 1e2 || deposition == 0.0), "{removed} removed, {laid} laid down");
        let lost = (removed - laid - carried).abs() / removed;
        assert!(lost < 1e-5, "deposition {deposition}, diffusion {diffusion}: {lost:e} of the rock lost");
        for i in 0..height.len() {
            let off = f64::from(height[i]) - (f64::from(before.values[i]) - f64::from(wear[i]) + f64::from(sediment[i]));
            assert!(off.abs() < 5e-4, "height of {i}: {off:e} apart");
        }
        // A bed in the rock lies under sediment.
        let filled = wear.iter().zip(&sediment).any(|(wear, sediment)| *wear > 0.1 && *sediment > 0.1);
        assert!(filled || deposition == 0.0, "no valley is filled");
    }
}

#[test]
fn no_sample_sinks_below_its_lowest_neighbour() {
    let region = Region::plane(96, 64);
    for (erodibility, diffusion) in [(1e12, 0.0), (1e12, 1.4), (50.0, 1.0), (0.0, 1.5)] {
        // One step. A diffusion of 1.5 is the largest that needs no second one.
        let erodibility = Input::Value(erodibility);
        let incise = Incise { erodibility, diffusion, time: 0.1, reach: 1.0, deposition: 0.0, ..Default::default() };
        let (before, [height, ..]) = closed(incise, region);
        let mut sunk = 0;
        for (i, &after) in height.iter().enumerate() {
            let (x, y) = (i % 96, i / 96);
            let around =
                (y.saturating_sub(1)..(y + 2).min(64)).flat_map(|y| (x.saturating_sub(1)..(x + 2).min(96)).map(move |x| y * 96 + x));
            let lowest = around.map(|i| before.values[i]).fold(f32::INFINITY, f32::min);
            assert!(after >= lowest, "{after} at {x}, {y}; the lowest neighbour has {lowest}");
            sunk += usize::from(after < before.values[i]);
        }
        assert!(sunk > 2000, "{sunk} sank");
    }
}

#[test]
fn the_sea_is_not_cut_and_is_filled_up_to_its_level() {
    let incise = Incise { sea: Some(0.0), diffusion: 0.0, talus: 1e6, time: 0.3, reach: 80.0, ..Default::default() };
    let (before, [height, wear, sediment, _]) = closed(incise, Region::plane(128, 128));
    let mut filled = 0;
    for i in 0..height.len() {
        if before.values[i] < 0.0 {
            assert_eq!(wear[i], 0.0, "the bed of the sea is cut");
            filled += usize::from(sediment[i] > 1.0);
        } else {
            assert!(height[i] >= 0.0, "{} is below the sea", height[i]);
        }
    }
    assert!(filled > 100, "{filled} samples of deltas");
    // Without a sea, rivers cut on.
    let incise = Incise { diffusion: 0.0, talus: 1e6, time: 0.3, reach: 80.0, ..Default::default() };
    let (before, [_, wear, ..]) = closed(incise, Region::plane(128, 128));
    assert!(before.values.iter().zip(&wear).any(|(before, wear)| *before < -5.0 && *wear > 1.0));
}

#[test]
fn valleys_are_alike_at_any_spacing_and_level() {
    // Rivers along the bottoms of a noise: a known area, the same at every spacing.
    let simplex = Noise::simplex(Simplex { wavelength: 160.0, seed: Some(9), ..Default::default() });
    let valley = simplex.fractal(Fractal { octaves: 2, ..Default::default() }).abs();
    let ground = valley.clone().scale_offset(60.0, 0.0).add(Noise::coordinate(Coordinate::default()).scale_offset(-0.15, 0.0));
    let area = valley.smoothstep(0.0, 0.3).scale_offset(-29900.0, 30000.0).named("upstream");
    let incise = Incise { of: node("ground"), area: node("upstream"), time: 0.15, reach: 96.0, diffusion: 60.0, ..Default::default() };
    let mut pipeline = Pipeline::from(area).then(incise);
    pipeline.node.extend(Pipeline::from(ground.named("ground")).node);
    let wear = |spacing: f64, level: u32| -> Vec<f64> {
        let size = (384.0 / (spacing * f64::from(1 << level))) as u32;
        let region = Region { spacing, level, ..Region::plane(size, size) };
        let layers = cpu().layers(&pipeline, &["ground", "incise"], &region).expect("layers");
        layers[0].values.iter().zip(&layers[1].values).map(|(before, after)| f64::from(*before) - f64::from(*after)).collect()
    };
    let fine = wear(1.5, 0);
    let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len() as f64;
    for (spacing, level, off, least) in [(3.0, 0, 0.1, 0.97), (1.5, 1, 0.1, 0.97), (6.0, 0, 0.25, 0.8), (1.5, 2, 0.25, 0.8)] {
        let coarse = wear(spacing, level);
        let (width, every) = ((coarse.len() as f64).sqrt() as usize, (spacing * f64::from(1 << level) / 1.5) as usize);
        let shared: Vec<f64> = (0..coarse.len()).map(|i| fine[(i / width) * every * width * every + (i % width) * every]).collect();
        let (a, b) = (mean(&shared), mean(&coarse));
        let spread = |all: &[f64], m: f64| all.iter().map(|x| (x - m) * (x - m)).sum::<f64>().sqrt();
        let both: f64 = shared.iter().zip(&coarse).map(|(x, y)| (x - a) * (y - b)).sum();
        let alike = both / (spread(&shared, a) * spread(&coarse, b));
        println!("spacing {spacing}, level {level}: mean {:.3}, correlation {alike:.4}", b / a);
        near(b, a, off, "mean wear");
        assert!(a > 1.0 && alike > least, "mean wear {a}, correlation {alike}");
    }
}

#[test]
fn hard_rock_stays_and_a_reach_that_is_too_long_is_refused() {
    let region = Region::plane(48, 32);
    let rock = Incise { erodibility: Input::Value(-1.0), diffusion: 0.0, talus: 1e6, reach: 10.0, ..Default::default() };
    let (before, [height, wear, sediment, load]) = closed(rock, region);
    assert_eq!(bits(&height), bits(&before.values));
    assert!([wear, sediment, load].iter().flatten().all(|&x| x == 0.0));
    let refused = |incise: Incise, spacing: f64| {
        let pipeline = Pipeline::from(mountains()).then(Incise { area: Input::Value(9.0), ..incise });
        cpu().layers(&pipeline, &["incise"], &Region { spacing, ..Region::plane(4, 4) }).expect_err("too many steps").to_string()
    };
    let error = refused(Incise { reach: 3000.0, ..Default::default() }, 0.5);
    assert!(error.contains("stage 'incise': reach = 3000") && error.contains("at most 2048 here"), "{error}");
    let error = refused(Incise { diffusion: 1e5, ..Default::default() }, 0.5);
    assert!(error.contains("stage 'incise': diffusion = 100000") && error.contains("at most 307."), "{error}");
}

#[test]
fn tiles_of_an_incised_world_are_windows_of_the_whole() {
    let pipeline = Pipeline::from(mountains()).named("water", Drainage { breach: 100.0, ..Default::default() });
    let incise = Incise { of: node("water.bed"), area: node("water.area"), reach: 40.0, uplift: Input::Value(100.0), ..Default::default() };
    let pipeline = pipeline.then(incise);
    let world = Region::plane(192, 192);
    let measured = cpu().measure(&pipeline, &OUTPUTS, &[world]).expect("a world");
    let layers = |region: &Region| -> Vec<Layer> { cpu().layers(&measured, &OUTPUTS, region).expect("layers") };
    let whole = layers(&world);
    for (x, y) in [(0, 0), (64, 64), (128, 32)] {
        for (tile, whole) in layers(&Region { origin: [x, y, 0], ..Region::plane(64, 64) }).iter().zip(&whole) {
            crate::stages::assert_part(tile, whole, "a tile");
        }
    }
}
