//! Compares `orogen::mesh` with fast-surface-nets in one run: `cargo run --release --bin surfaces [ROUNDS]`.
//!
//! Chunks of 32³ cells on one thread. Rounds are interleaved. Prints medians in microseconds, and the ratio of Orogen to the
//! other.
//!
//! Both create positions, normals and triangles of the same samples in reused memory. In addition, Orogen's mesh is closed and
//! oriented even if a cell contains more than one sheet of the surface. It has no vertex without a triangle, no duplicates in a
//! chunk's border, and unit normals. For a noise, it evaluates the noise's gradient at every vertex.

use fast_surface_nets::ndshape::{ConstShape, ConstShape3u32};
use fast_surface_nets::{SurfaceNetsBuffer, surface_nets};
use orogen::mesh::{Mesh, Surfaces, chunk, surface};
use orogen::node::{Axis, Coordinate, Fractal, Perlin, Simplex, White};
use orogen::{Backend, Engine, EngineOptions, Noise, Threads};
use std::hint::black_box;
use std::time::Instant;

const CELLS: u32 = 32;
type Samples = ConstShape3u32<34, 34, 34>;

fn noises() -> [(&'static str, Noise); 5] {
    let simplex = |wavelength| Noise::simplex(Simplex { dimensions: 3, wavelength, ..Default::default() });
    let perlin = Noise::perlin(Perlin { dimensions: 3, wavelength: 16.0, ..Default::default() });
    let octaves = |octaves| Fractal { octaves, ..Default::default() };
    let below = Noise::coordinate(Coordinate { axis: Axis::Z, ..Default::default() }).scale_offset(-1.0, 16.0);
    [
        ("simplex, wavelength 24", simplex(24.0)),
        ("Perlin, wavelength 16", perlin),
        ("caves: 4 octaves", simplex(40.0).fractal(octaves(4))),
        ("ground: 5 octaves of hills", below.add(simplex(60.0).fractal(octaves(5)).scale_offset(8.0, 0.0))),
        ("white noise", Noise::white(White { dimensions: 3, wavelength: 1.0, ..Default::default() })),
    ]
}

/// Durations of some calls in microseconds, as medians.
fn measure<const N: usize>(rounds: usize, mut calls: [&mut dyn FnMut(); N]) -> [f64; N] {
    let mut times = [(); N].map(|()| Vec::with_capacity(rounds));
    // A tenth of them to warm up.
    for round in 0..rounds + rounds / 10 {
        for (call, times) in calls.iter_mut().zip(&mut times) {
            let start = Instant::now();
            call();
            if round >= rounds / 10 {
                times.push(start.elapsed().as_secs_f64() * 1e6);
            }
        }
    }
    times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[rounds / 2]
    })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rounds = std::env::args().nth(1).map_or(Ok(200), |rounds| rounds.parse())?;
    let engine = Engine::open(&EngineOptions { backend: Backend::Cpu, threads: Threads::Caller, ..Default::default() })?;
    println!("{CELLS}³ cells, one thread, medians of {rounds} rounds, µs\n");
    println!("| surface | triangles | samples: other | Orogen | ratio | noise: samples and other | Orogen | ratio | anew |");
    println!("|---|---|---|---|---|---|---|---|---|");
    for (name, noise) in noises() {
        let (prepared, region) = (engine.prepare(&noise)?, chunk([3, -1, 0], CELLS));
        let densities = prepared.field(&region)?.values;
        let distances: Vec<f32> = densities.iter().map(|density| -density).collect();
        let last = [CELLS + 1; 3];
        let (mut buffer, mut own, mut field) = (SurfaceNetsBuffer::default(), SurfaceNetsBuffer::default(), vec![0.0; Samples::USIZE]);
        let (mut surfaces, mut mesh, mut again, mut other) = (Surfaces::new(), Mesh::default(), Surfaces::new(), Mesh::default());
        let [nets, ours, field_and_nets, of_noise, anew] = measure(
            rounds,
            [
                &mut || surface_nets(black_box(&distances), &Samples {}, [0; 3], last, &mut buffer),
                &mut || surfaces.of_samples(black_box(&densities), &region, 0.0, &mut mesh).expect("a surface"),
                &mut || {
                    prepared.field_into(black_box(&region), &mut field).expect("samples");
                    field.iter_mut().for_each(|density| *density = -*density);
                    surface_nets(&field, &Samples {}, [0; 3], last, &mut own);
                },
                &mut || again.of(black_box(&prepared), &region, 0.0, &mut other).expect("a surface"),
                &mut || drop(black_box(surface(&engine, &noise, &region, 0.0).expect("a surface"))),
            ],
        );
        println!(
            "| {name} | {} | {nets:.0} | {ours:.0} | {:.2} | {field_and_nets:.0} | {of_noise:.0} | {:.2} | {anew:.0} |",
            mesh.triangles.len(),
            ours / nets,
            of_noise / field_and_nets,
        );
    }
    Ok(())
}
