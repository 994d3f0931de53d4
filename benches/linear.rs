//! Tests whether the cost is linear in samples and in octaves.
//!
//! `cargo bench --bench linear [-- ROUNDS]` evaluates Perlin fractals on the CPU and prints the best-fitting lines with the
//! residuals of the measured times. Settings take turns, and medians count.
#![allow(clippy::disallowed_methods, reason = "results of measurements")]
#![allow(clippy::expect_used, reason = "a bench that cannot run panics with the reason")]

use orogen::node::{Fractal, Perlin};
use orogen::{Backend, Engine, EngineOptions, Noise, Region};
use std::time::Instant;

/// A setting: its position on the line, and the evaluation.
struct Setting {
    at: f64,
    noise: Noise,
    region: Region,
    seconds: Vec<f64>,
}

fn setting(at: f64, octaves: u32, edge: u32) -> Setting {
    // Octaves of one wavelength, because the cost of an octave depends on how many samples share its cells.
    let noise = Noise::perlin(Perlin { wavelength: 256.0, ..Default::default() }).fractal(Fractal {
        octaves,
        lacunarity: 1.0,
        ..Default::default()
    });
    Setting { at, noise, region: Region::plane(edge, edge), seconds: Vec::new() }
}

fn median(seconds: &mut [f64]) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}

/// Least squares, and the share of the variance that the line explains.
fn fit(points: &[(f64, f64)]) -> (f64, f64, f64) {
    let count = points.len() as f64;
    let mean = |f: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(f).sum::<f64>() / count;
    let (x, y) = (mean(&|p| p.0), mean(&|p| p.1));
    let slope = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum::<f64>() / points.iter().map(|p| (p.0 - x).powi(2)).sum::<f64>();
    let start = y - slope * x;
    let left = points.iter().map(|p| (p.1 - start - slope * p.0).powi(2)).sum::<f64>();
    (start, slope, 1.0 - left / points.iter().map(|p| (p.1 - y).powi(2)).sum::<f64>())
}

fn line(title: &str, unit: &str, rounds: usize, mut settings: Vec<Setting>) {
    let engine = Engine::open(&EngineOptions { backend: Backend::Cpu, ..Default::default() }).expect("the CPU is always there");
    for _ in 0..rounds {
        for setting in &mut settings {
            let mut values = vec![0.0; setting.region.samples() as usize];
            let start = Instant::now();
            engine.field_into(&setting.noise, &setting.region, &mut values).expect("a field");
            setting.seconds.push(start.elapsed().as_secs_f64());
        }
    }
    let points: Vec<(f64, f64)> = settings.iter_mut().map(|setting| (setting.at, median(&mut setting.seconds) * 1e3)).collect();
    let (start, slope, explained) = fit(&points);
    println!("{title}: {start:.3} ms + {slope:.4} ms per {unit}, R² = {explained:.5}");
    for (at, ms) in points {
        println!("  {at:6.2} {ms:9.3} ms, line {:9.3} ms", start + slope * at);
    }
}

fn main() {
    let rounds = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(21);
    let edges = [256, 512, 768, 1024, 1536, 2048];
    let samples = edges.map(|edge| setting(f64::from(edge * edge) / 1e6, 8, edge)).into();
    line("samples, 8 octaves", "million samples", rounds, samples);
    let octaves = (1..=16).map(|octaves| setting(f64::from(octaves), octaves, 1024)).collect();
    line("octaves, 1024²", "octave", rounds, octaves);
}
