//! Stages against their definitions: what erosion conserves, the formulas of articles, spectra, and surfaces of known shapes.

use crate::stages::{brought, field};
use crate::support::cpu;
use orogen::node::Input;
use orogen::stage::{
    Adjacent, AdjacentFilter, AngleUnit, Axes, Curvature, CurvatureForm, DiamondSquare, EqualiseWorld, Frequency, Hillshade, Hydraulic,
    Median, Midpoint, Normal, Normalise, Occlusion, Ocean, Pipeline, RadialPoint, Slope, Stage, Thermal, Voss,
};
use orogen::stats::{Band, Periodogram, Spectrum, Window};
use orogen::{Field, Noise, Region};

/// Sum of a layer's numbers.
fn sum(values: &[f32]) -> f64 {
    values.iter().map(|&x| f64::from(x)).sum()
}

/// Potential energy of heights, in units of their own.
fn energy(values: &[f32]) -> f64 {
    values.iter().map(|&x| 0.5 * f64::from(x) * f64::from(x)).sum()
}

#[test]
fn thermal_erosion_conserves_material_and_ends_at_the_talus() {
    let region = Region { spacing: 0.5, ..Region::plane(64, 56) };
    let field = field(&region);
    let steepest = |values: &[f32]| {
        let at = |x: usize, y: usize| values[y * 64 + x];
        let along = (0..56).flat_map(|y| (0..63).map(move |x| (at(x + 1, y) - at(x, y)).abs()));
        along.fold(0.0, f32::max) / 0.5
    };
    for (iterations, holds) in [(1, f32::MAX), (20, f32::MAX), (4000, 0.31)] {
        let stage = Thermal { iterations, talus: 0.3, rate: 1.0, ..Default::default() };
        let eroded = cpu().apply(&brought(stage), &["thermal"], &field).expect("layers").remove(0).values;
        let (before, after) = (sum(&field.values), sum(&eroded));
        let share = (after - before).abs() / field.values.iter().map(|x| f64::from(x.abs())).sum::<f64>();
        // Every iteration rounds every sample once more, by up to 6·10⁻⁸ of it.
        assert!(share < 3e-8 * f64::from(iterations), "{iterations} iterations: {share:e} of the material");
        assert!(steepest(&eroded) <= holds, "{iterations} iterations: slope {}", steepest(&eroded));
        assert!(energy(&eroded) < energy(&field.values), "{iterations} iterations: material went uphill");
    }
    assert!(steepest(&field.values) > 1.0);
}

#[test]
fn hydraulic_erosion_conserves_soil_and_water() {
    let region = Region::plane(96, 80);
    let field = field(&region);
    let all = ["hydraulic", "hydraulic.sediment", "hydraulic.water"];
    let volume: f64 = field.values.iter().map(|x| f64::from(x.abs())).sum();
    for iterations in [1, 2, 10, 100] {
        let stage = Hydraulic { iterations, rain: 0.01, evaporation: 0.02, ..Default::default() };
        let layers = cpu().apply(&brought(stage.clone()), &all, &field).expect("layers");
        let [soil, sediment, water] = [0, 1, 2].map(|i| sum(&layers[i].values));
        let lost = (soil + sediment - sum(&field.values)).abs() / volume;
        assert!(lost < 3e-8 * f64::from(iterations), "{iterations} iterations: {lost:e} of the soil lost");
        // All water comes as rain and leaves as vapour, a share of what there is in every iteration.
        let (rain, kept) = (0.01 * 96.0 * 80.0, 1.0 - 0.02);
        let expected = rain * (f64::powi(kept, iterations as i32) + (0..iterations).map(|i| f64::powi(kept, i as i32)).sum::<f64>());
        assert!((water / expected - 1.0).abs() < 1e-6 * f64::from(iterations), "{iterations} iterations: {water} of {expected} water");
        assert!(layers[1].values.iter().chain(&layers[2].values).all(|&x| x >= 0.0), "less than nothing");
        // Dissolved soil counts where it is carried: including it, the ground has sunk, never risen.
        let ground: Vec<f32> = layers[0].values.iter().zip(&layers[1].values).map(|(soil, sediment)| soil + sediment).collect();
        assert!(energy(&ground) <= energy(&field.values) * (1.0 + 1e-7), "{iterations} iterations: soil went uphill");
        if iterations == 100 {
            let moved: f64 = layers[0].values.iter().zip(&field.values).map(|(a, b)| f64::from((a - b).abs())).sum();
            assert!(moved / volume > 0.02, "next to nothing was eroded: {}", moved / volume);
        }
    }
}

#[test]
fn hardness_one_erodes_nothing_and_rain_falls_where_it_is_told() {
    let region = Region::plane(64, 64);
    let rock = brought(Hydraulic { iterations: 30, hardness: Input::Value(1.0), ..Default::default() });
    let layers = cpu().apply(&rock, &["hydraulic", "hydraulic.sediment"], &field(&region)).expect("layers");
    assert_eq!(layers[0].values, field(&region).values);
    assert!(layers[1].values.iter().all(|&x| x == 0.0));
    let dry = brought(Hydraulic { iterations: 30, rain_on: Input::Value(0.0), ..Default::default() });
    let layers = cpu().apply(&dry, &["hydraulic", "hydraulic.water"], &field(&region)).expect("layers");
    assert!(layers[0].values == field(&region).values && layers[1].values.iter().all(|&x| x == 0.0));
}

/// The largest distance between the distribution of values and the even one from `lo` to `hi`.
fn kolmogorov(values: &[f32], lo: f64, hi: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f32::total_cmp);
    let count = sorted.len() as f64;
    let even = |x: f32| (f64::from(x) - lo) / (hi - lo);
    sorted
        .iter()
        .enumerate()
        .fold(0.0, |m, (i, &x)| m.max((even(x) - i as f64 / count).abs()).max((even(x) - (i + 1) as f64 / count).abs()))
}

#[test]
fn whole_world_stages_do_what_they_say() {
    let region = Region::plane(300, 200);
    let field = field(&region);
    let even = cpu()
        .apply(&brought(EqualiseWorld { low: 2.0, high: 6.0, ..Default::default() }), &["equalise"], &field)
        .expect("layers")
        .remove(0);
    let distance = kolmogorov(&even.values, 2.0, 6.0);
    assert!(distance < 0.0005, "Kolmogorov-Smirnov distance {distance}");
    let normal =
        cpu().apply(&brought(Normalise { low: -1.0, high: 3.0, ..Default::default() }), &["normalise"], &field).expect("layers").remove(0);
    assert_eq!(normal.extent(), [-1.0, 3.0]);
    let clipped = cpu().apply(&brought(Normalise { clip: 0.1, ..Default::default() }), &["normalise"], &field).expect("layers").remove(0);
    let ends = [0.0, 1.0].map(|end| clipped.values.iter().filter(|&&x| x == end).count() as f64 / clipped.values.len() as f64);
    assert!(ends.iter().all(|share| (share - 0.1).abs() < 0.001), "{ends:?}");
    for share in [0.0, 0.3, 0.85, 1.0] {
        let layers =
            cpu().apply(&brought(Ocean { share: Some(share), ..Default::default() }), &["ocean.mask", "ocean", "ocean.depth"], &field);
        let layers = layers.expect("layers");
        let covered = sum(&layers[0].values) / layers[0].values.len() as f64;
        assert!((covered - share).abs() < 0.0005, "{covered} covered of {share}");
        let rebuilt = layers[1].values.iter().zip(&layers[2].values).map(|(surface, depth)| surface - depth);
        assert!(rebuilt.zip(&field.values).all(|(a, b)| (a - b).abs() < 2e-6), "surface − depth is the ground");
    }
}

#[test]
fn adjacent_filters_are_the_articles() {
    // adjacent_min([1, 5, 2]) = [1, 2], smoother and rougher likewise; the last sample, which has no neighbour here, is left out.
    let given = Field { region: Region::plane(3, 1), values: vec![1.0, 5.0, 2.0], gradients: None };
    let run = |filter, times| {
        let stage = AdjacentFilter { filter, times, axes: Axes::X, ..Default::default() };
        cpu().apply(&brought(stage), &["adjacent"], &given).expect("layers").remove(0).values
    };
    assert_eq!(run(Adjacent::Minimum, 1)[..2], [1.0, 2.0]);
    assert_eq!(run(Adjacent::Minimum, 2)[..1], [1.0]);
    assert_eq!(run(Adjacent::Maximum, 1)[..2], [5.0, 5.0]);
    assert_eq!(run(Adjacent::Mean, 1)[..2], [3.0, 3.5]);
    assert_eq!(run(Adjacent::Difference, 1)[..2], [-2.0, 1.5]);
}

/// The exponent of the amplitudes of a periodic square, over frequencies that enough waves have.
fn exponent(values: &[f32], edge: usize) -> f64 {
    let spectrum = Periodogram::of(values, edge, Window::Rectangle).expect("a square").radial();
    spectrum.fit(Band::new(4.0 / edge as f64, 0.45)).expect("rings").amplitude_exponent()
}

#[test]
fn frequency_synthesis_has_the_exponent_that_was_asked_for() {
    for wanted in [-3.0, -2.0, -1.0, -0.5, 0.0, 1.0, 2.0] {
        for seed in [0, 7] {
            let pipeline = Pipeline::source(Frequency { size: 256, exponent: wanted, seed, ..Default::default() });
            let layer = cpu().layer(&pipeline, &Region::plane(256, 256)).expect("layer");
            let found = exponent(&layer.values, 256);
            assert!((found - wanted).abs() < 0.05, "f^{wanted}, seed {seed}: measured f^{found}");
            let mean = sum(&layer.values) / 65536.0;
            let square = layer.values.iter().map(|&x| f64::from(x) * f64::from(x)).sum::<f64>() / 65536.0;
            assert!(mean.abs() < 1e-5 && (square - 1.0).abs() < 1e-5, "mean {mean}, mean square {square}");
        }
    }
    // It repeats, bit for bit, on both sides of the origin.
    let pipeline = Pipeline::source(Frequency { size: 64, ..Default::default() });
    let [here, there] = [[0, 0], [-640, 64 << 40]]
        .map(|[x, y]| cpu().layer(&pipeline, &Region { origin: [x, y, 0], ..Region::plane(64, 64) }).expect("layer").values);
    assert_eq!(here, there);
}

#[test]
fn the_fourier_passes_are_a_fourier_transform() {
    // A table that lets one ring through: what comes out has no other frequencies, as rustfft finds.
    let radial = [0.0, 0.1, 0.11, 0.12, 0.13, 0.8].iter().zip([0.0, 0.0, 1.0, 1.0, 0.0, 0.0]);
    let radial = radial.map(|(&frequency, amplitude)| RadialPoint { frequency, amplitude }).collect();
    let pipeline = Pipeline::source(Frequency { size: 128, radial, ..Default::default() });
    let layer = cpu().layer(&pipeline, &Region::plane(128, 128)).expect("layer");
    let spectrum = Periodogram::of(&layer.values, 128, Window::Rectangle).expect("a square").radial();
    let inside = |ring: &orogen::stats::Ring| ring.frequency > 0.09 && ring.frequency < 0.14;
    let power =
        |wanted: bool| spectrum.rings.iter().filter(|ring| inside(ring) == wanted).map(|ring| ring.power * ring.bins as f64).sum::<f64>();
    assert!(power(false) < 1e-9 * power(true), "{:e} of {:e} lies outside", power(false), power(true));
}

#[test]
fn smoothing_makes_noise_red_and_differences_blue() {
    let edge = 256;
    let noise = cpu().field(&Noise::white(orogen::node::White::default()), &Region::plane(edge, edge)).expect("white noise");
    let run = |filter| {
        let stage = AdjacentFilter { filter, ..Default::default() };
        exponent(&cpu().apply(&brought(stage), &["adjacent"], &noise).expect("layers").remove(0).values, edge as usize)
    };
    let plain = exponent(&noise.values, edge as usize);
    assert!(plain.abs() < 0.05 && run(Adjacent::Mean) < -0.4 && run(Adjacent::Difference) > 0.8);
    // Voss's sum of rows is pink: 1/f in power, −1/2 in amplitude.
    let voss = Pipeline::source(Voss { rows: 14, ..Default::default() });
    let rows = cpu().layer(&voss, &Region { origin: [5, 0, 0], ..Region::plane(1 << 18, 1) }).expect("layer");
    let fit = Spectrum::of_rows(&rows.values, 1 << 14, Window::Hann).expect("rows").fit(Band::new(0.001, 0.1)).expect("rings");
    assert!((fit.amplitude_exponent() + 0.5).abs() < 0.05, "Voss: f^{}", fit.amplitude_exponent());
}

#[test]
fn surfaces_of_known_shapes_are_measured_right() {
    // A paraboloid: z = (x² + 2y²) / 200 about the middle.
    let region = Region { spacing: 0.5, ..Region::plane(41, 41) };
    let at = |i: u32| f64::from(i) * 0.5 - 10.0;
    let height = |x: f64, y: f64| (x * x + 2.0 * y * y) / 200.0;
    let values = (0..41).flat_map(|y| (0..41).map(move |x| height(at(x), at(y)) as f32)).collect();
    let field = Field { region, values, gradients: None };
    let one = |stage: Stage| {
        let pipeline = brought(stage);
        cpu().apply(&pipeline, &[&pipeline.output], &field).expect("layers").remove(0).values
    };
    let close = |found: f32, wanted: f64, what: &str| assert!((f64::from(found) - wanted).abs() < 2e-4, "{what}: {found} of {wanted}");
    let (x, y) = (at(30), at(12));
    let (p, q) = (x / 100.0, y / 50.0);
    let i = 12 * 41 + 30;
    let steep = p.hypot(q);
    close(one(Slope::default().into())[i], steep, "slope");
    close(one(Slope { unit: AngleUnit::Degrees, ..Default::default() }.into())[i], steep.atan().to_degrees(), "degrees");
    close(one(Curvature::default().into())[i], -(0.01 + 0.02) / 2.0, "mean");
    let profile = -(0.01 * p * p + 0.02 * q * q) / (p * p + q * q);
    close(one(Curvature { form: CurvatureForm::Profile, ..Default::default() }.into())[i], profile, "profile");
    let plan = -(0.01 * q * q + 0.02 * p * p) / (p * p + q * q);
    close(one(Curvature { form: CurvatureForm::Plan, ..Default::default() }.into())[i], plan, "plan");
    let length = (1.0 + steep * steep).sqrt();
    let normal = one(Normal::default().into());
    for (found, wanted) in normal[3 * i..3 * i + 3].iter().zip([-p / length, -q / length, 1.0 / length]) {
        close(*found, wanted, "normal");
    }
    // Light from the east, 30 degrees high.
    let light = [30.0_f64.to_radians().cos(), 0.0, 30.0_f64.to_radians().sin()];
    let lit = (-p * light[0] + light[2]) / length;
    close(one(Hillshade { azimuth: 90.0, altitude: 30.0, ..Default::default() }.into())[i], lit, "hillshade");
    // In the middle of the bowl the sky ends, in each direction, where the bowl's edge stands.
    let open = one(Occlusion { radius: 20, ..Default::default() }.into())[20 * 41 + 20];
    assert!(open > 0.85 && open < 0.93, "{open}");
    // The median of a 3 × 3 square, by sorting.
    let median = one(Median::default().into())[i];
    let mut square: Vec<f32> = (11..14).flat_map(|y| (29..32).map(move |x| (x, y))).map(|(x, y)| field.values[y * 41 + x]).collect();
    square.sort_by(f32::total_cmp);
    assert_eq!(median, square[4]);
}

#[test]
fn halvings_pass_through_their_corners_and_keep_their_range() {
    for stage in [
        Stage::from(DiamondSquare { cell: 64, roughness: 0.9, seed: 2 }),
        Midpoint { cell: 64, roughness: 0.9, ..Default::default() }.into(),
    ] {
        let pipeline = Pipeline::source(stage);
        let fine = cpu().layer(&pipeline, &Region::plane(129, 129)).expect("layer");
        assert!(fine.values.iter().all(|x| x.abs() <= 1.0));
        // A coarser level has the same samples, where they meet: levels only leave halvings out.
        let coarse = cpu().layer(&pipeline, &Region { level: 2, ..Region::plane(33, 33) }).expect("layer");
        for (i, x) in coarse.values.iter().enumerate() {
            assert_eq!(*x, fine.values[i / 33 * 4 * 129 + i % 33 * 4], "{}", pipeline.output);
        }
    }
}
