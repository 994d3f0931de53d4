//! The cost of `fastnoise_lite` next to the crate whose numbers it gives: `cargo run --release --bin fastnoise [ROUNDS]`.
//!
//! Fields of 512² and 64³ samples on one thread, features of 50 samples. Rounds are interleaved; prints medians in nanoseconds per
//! sample, and the ratio of the crate's to those of Orogen.

use fastnoise_lite::{CellularReturnType, DomainWarpType, FastNoiseLite, FractalType, NoiseType};
use orogen::node::{FastnoiseFractal, FastnoiseLite, FastnoiseReturn, FastnoiseType, FastnoiseVersion, FastnoiseWarp};
use orogen::{Backend, Engine, EngineOptions, Noise, Region, Threads};
use std::time::Instant;

const FREQUENCY: f64 = 0.02;

/// A case: the node, and the crate's noise and warp.
struct Row {
    name: String,
    of: FastnoiseLite,
    noise: FastNoiseLite,
    warp: Option<FastNoiseLite>,
}

fn row(dimensions: u32, (word, own, other): (&str, FastnoiseType, NoiseType)) -> Row {
    let of = FastnoiseLite { dimensions, noise: own, frequency: FREQUENCY, version: FastnoiseVersion::Rust, ..Default::default() };
    let mut noise = FastNoiseLite::with_seed(of.seed as i32);
    noise.set_frequency(Some(FREQUENCY as f32));
    noise.set_noise_type(Some(other));
    Row { name: word.to_owned(), of, noise, warp: None }
}

fn rows() -> Vec<Row> {
    let types = [
        ("value", FastnoiseType::Value, NoiseType::Value),
        ("value_cubic", FastnoiseType::ValueCubic, NoiseType::ValueCubic),
        ("perlin", FastnoiseType::Perlin, NoiseType::Perlin),
        ("opensimplex2", FastnoiseType::OpenSimplex2, NoiseType::OpenSimplex2),
        ("opensimplex2s", FastnoiseType::OpenSimplex2s, NoiseType::OpenSimplex2S),
        ("cellular", FastnoiseType::Cellular, NoiseType::Cellular),
    ];
    let warps = [
        ("opensimplex2", FastnoiseWarp::OpenSimplex2, DomainWarpType::OpenSimplex2),
        ("opensimplex2_reduced", FastnoiseWarp::OpenSimplex2Reduced, DomainWarpType::OpenSimplex2Reduced),
        ("basic_grid", FastnoiseWarp::BasicGrid, DomainWarpType::BasicGrid),
    ];
    let fractals = [
        ("fbm", FastnoiseFractal::Fbm, FractalType::FBm),
        ("ridged", FastnoiseFractal::Ridged, FractalType::Ridged),
        ("ping_pong", FastnoiseFractal::PingPong, FractalType::PingPong),
    ];
    let mut all = Vec::new();
    for dimensions in [2, 3] {
        all.extend(types.map(|kind| row(dimensions, kind)));
        let mut division = row(dimensions, types[5]);
        division.name.push_str(", distance2_div");
        division.of.cellular_return = FastnoiseReturn::Distance2Div;
        division.noise.set_cellular_return_type(Some(CellularReturnType::Distance2Div));
        all.push(division);
        for (word, own, other) in fractals {
            let mut row = row(dimensions, types[if word == "fbm" { 3 } else { 2 }]);
            row.name = format!("{}, {word} of 5", row.name);
            (row.of.fractal, row.of.octaves) = (own, 5);
            row.noise.set_fractal_type(Some(other));
            row.noise.set_fractal_octaves(Some(5));
            all.push(row);
        }
        for (word, own, other) in warps {
            let mut row = row(dimensions, types[0]);
            row.name = format!("{} in warp {word}", row.name);
            (row.of.warp, row.of.warp_frequency, row.of.warp_amplitude) = (own, FREQUENCY, 20.0);
            let mut warp = FastNoiseLite::with_seed(row.of.warp_seed as i32);
            warp.set_frequency(Some(FREQUENCY as f32));
            warp.set_domain_warp_type(Some(other));
            warp.set_domain_warp_amp(Some(20.0));
            row.warp = Some(warp);
            all.push(row);
        }
    }
    all
}

fn size(dimensions: u32) -> [u32; 3] {
    if dimensions < 3 { [512, 512, 1] } else { [64, 64, 64] }
}

/// The crate's field.
fn fill(Row { of, noise, warp, .. }: &Row, out: &mut [f32]) {
    let [width, height, depth] = size(of.dimensions);
    let mut out = out.iter_mut();
    for z in 0..depth {
        for y in 0..height {
            for (x, value) in (0..width).zip(&mut out) {
                let [x, y, z] = [x as f32, y as f32, z as f32];
                *value = match (warp, of.dimensions) {
                    (None, 2) => noise.get_noise_2d(x, y),
                    (None, _) => noise.get_noise_3d(x, y, z),
                    (Some(warp), 2) => {
                        let (x, y) = warp.domain_warp_2d(x, y);
                        noise.get_noise_2d(x, y)
                    }
                    (Some(warp), _) => {
                        let (x, y, z) = warp.domain_warp_3d(x, y, z);
                        noise.get_noise_3d(x, y, z)
                    }
                };
            }
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rounds: usize = std::env::args().nth(1).map_or(Ok(11), |rounds| rounds.parse())?;
    let only = std::env::args().nth(2).unwrap_or_default();
    if std::env::var_os("NARROW").is_some() {
        orogen::testing::narrow();
    }
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global()?;
    let engine = Engine::open(&EngineOptions { backend: Backend::Cpu, threads: Threads::Caller, ..Default::default() })?;
    println!("features of {} samples, one thread, medians of {rounds} rounds, ns per sample; {}\n", 1.0 / FREQUENCY, engine.summary());
    println!("| noise | dimensions | value | with gradient | crate | crate / value |");
    println!("|---|---|---|---|---|---|");
    for row in rows().iter().filter(|row| row.name.contains(&only)) {
        let region = Region { size: size(row.of.dimensions), ..Region::plane(1, 1) };
        let samples = region.size.iter().product::<u32>() as usize;
        let prepared = engine.prepare(&Noise::fastnoise_lite(row.of.clone()))?;
        let (mut out, mut theirs, mut slopes) = (vec![0.0f32; samples], vec![0.0f32; samples], vec![[0.0f32; 3]; samples]);
        let mut times = [const { Vec::new() }; 3];
        // One round to warm up.
        for round in 0..=rounds {
            let mut measure = |k: usize, fill: &mut dyn FnMut()| {
                let start = Instant::now();
                fill();
                if round > 0 {
                    times[k].push(start.elapsed().as_secs_f64() * 1e9 / samples as f64);
                }
            };
            measure(0, &mut || prepared.field_into(&region, &mut out).expect("a field"));
            measure(1, &mut || prepared.field_with_gradient_into(&region, &mut out, &mut slopes).expect("a field"));
            measure(2, &mut || fill(row, &mut theirs));
        }
        assert_eq!(out, theirs, "{}: other numbers", row.name);
        let [value, gradient, other] = times.map(|mut times| {
            times.sort_by(f64::total_cmp);
            times[times.len() / 2]
        });
        println!("| {} | {} | {value:.2} | {gradient:.2} | {other:.2} | {:.2} |", row.name, row.of.dimensions, other / value);
    }
    Ok(())
}
