//! The cost of every noise, for docs/noises.md: `cargo run --release [--features fastnoise2] --bin noises [ROUNDS [NAME [avx2]]]`,
//! where NAME is the beginning of the names of the noises that run. `avx2`: without AVX-512.
//!
//! Fields of 512² and 64³ samples on one thread, features of 50 samples. Rounds are interleaved; prints medians in nanoseconds per
//! sample, next to those of the same noise of other libraries.

use fastnoise_lite::{CellularDistanceFunction, CellularReturnType, FastNoiseLite, NoiseType};
use orogen::node::{
    Advect, Axis, Beds, ByExample, CraterOutput, Craters, FastnoiseLite, FastnoiseType, Fractal, Gradients, Heights, Hexagonal, Hill, Metric, OpenSimplex2, OpenSimplexVariant, Perlin, Phasor,
    PhasorProfile, Raster, Simplex, SmoothCells, Stamps, Value, White, Worley, WorleyOutput,
};
use orogen::{Backend, Engine, EngineOptions, Noise, Region, Threads};
use std::time::Instant;

const WAVELENGTH: f64 = 50.0;

/// A field of the library: values for every sample.
type Fill = Box<dyn Fn(&mut [f32])>;

/// A noise, its number of dimensions, and the same noise of FastNoiseLite and FastNoise2, by its name in FastNoiseLite.
struct Row {
    name: &'static str,
    dimensions: u32,
    noise: Noise,
    lite: Option<NoiseType>,
    two: Option<NoiseType>,
}

fn size(dimensions: u32) -> [u32; 3] {
    if dimensions < 3 { [512, 512, 1] } else { [64, 64, 64] }
}

fn row(name: &'static str, dimensions: u32, noise: Noise, others: Option<NoiseType>) -> Row {
    Row { name, dimensions, noise, lite: others, two: others }
}

/// The node of FastNoise2 for the noise of FastNoiseLite.
#[cfg(feature = "fastnoise2")]
fn node(lite: Option<NoiseType>) -> Option<fastnoise2::SafeNode> {
    use fastnoise2::generator::DistanceFunction;
    use fastnoise2::generator::cellular::CellularDistanceReturnType::Index0;
    use fastnoise2::generator::prelude::*;
    Some(match lite? {
        NoiseType::Value => value().build().0,
        NoiseType::Perlin => perlin().build().0,
        NoiseType::OpenSimplex2 => simplex().build().0,
        NoiseType::OpenSimplex2S => supersimplex().build().0,
        NoiseType::Cellular => cellular_distance(1.0, DistanceFunction::Euclidean, 0, 1, Index0).build().0,
        NoiseType::ValueCubic => return None,
    })
}

fn rows() -> Vec<Row> {
    let wavelength = WAVELENGTH;
    let simplex = |dimensions| Noise::simplex(Simplex { dimensions, wavelength, ..Default::default() });
    let perlin = |dimensions| Noise::perlin(Perlin { dimensions, wavelength, ..Default::default() });
    let value = |dimensions| Noise::value(Value { dimensions, wavelength, ..Default::default() });
    let worley = |dimensions, output| Noise::worley(Worley { dimensions, wavelength, output, ..Default::default() });
    let smooth = |dimensions| Noise::smooth_cells(SmoothCells { dimensions, wavelength, ..Default::default() });
    let phasor = |dimensions, profile| Noise::phasor(Phasor { dimensions, profile, wavelength: 0.4 * wavelength, size: wavelength, ..Default::default() });
    let open = |dimensions, variant| Noise::open_simplex2(OpenSimplex2 { dimensions, variant, wavelength, ..Default::default() });
    let turning = Gradients::Turning;
    let raster = || {
        let heights = Heights::new((0..128 * 128).map(|i| (i * 37 % 101) as f32).collect(), [128, 128]).expect("128² numbers");
        Noise::raster(Raster { heights, ..Default::default() })
    };
    let mut all = Vec::new();
    for dimensions in [2, 3] {
        all.push(row("value", dimensions, value(dimensions), Some(NoiseType::Value)));
        all.push(row("perlin", dimensions, perlin(dimensions), Some(NoiseType::Perlin)));
        let flow = Perlin { dimensions, wavelength, gradients: turning, ..Default::default() };
        all.push(row("perlin, turning", dimensions, Noise::perlin(flow), None));
        // In 3D, FastNoiseLite has only OpenSimplex2, and FastNoise2 only simplex noise.
        let both = Some(NoiseType::OpenSimplex2);
        let plane = both.filter(|_| dimensions == 2);
        all.push(Row { lite: plane, ..row("simplex", dimensions, simplex(dimensions), both) });
        let flow = Simplex { dimensions, wavelength, gradients: turning, ..Default::default() };
        all.push(row("simplex, turning", dimensions, Noise::simplex(flow), None));
        all.push(Row { two: plane, ..row("open_simplex2", dimensions, open(dimensions, OpenSimplexVariant::Fast), both) });
        all.push(row("open_simplex2, smooth", dimensions, open(dimensions, OpenSimplexVariant::Smooth), Some(NoiseType::OpenSimplex2S)));
        all.push(row("worley", dimensions, worley(dimensions, WorleyOutput::Distance), Some(NoiseType::Cellular)));
        all.push(row("worley, ratio", dimensions, worley(dimensions, WorleyOutput::Ratio), None));
        all.push(row("worley, edge", dimensions, worley(dimensions, WorleyOutput::Edge), None));
        let border = Worley { dimensions, wavelength, output: WorleyOutput::Edge, metric: Metric::Manhattan, ..Default::default() };
        all.push(row("worley, edge, Manhattan", dimensions, Noise::worley(border), None));
        all.push(row("smooth_cells", dimensions, smooth(dimensions), None));
        all.push(row("phasor, sine", dimensions, phasor(dimensions, PhasorProfile::Sine), None));
        all.push(row("phasor, gabor", dimensions, phasor(dimensions, PhasorProfile::Gabor), None));
    }
    all.push(row("white", 2, Noise::white(White { wavelength: 1.0, ..Default::default() }), None));
    all.push(row("worley, Manhattan", 2, Noise::worley(Worley { wavelength, metric: Metric::Manhattan, ..Default::default() }), None));
    all.push(row("hexagonal", 2, Noise::hexagonal(Hexagonal { wavelength, ..Default::default() }), None));
    all.push(row("hill, 50 sines", 2, Noise::hill(Hill { sines: 50, ..Default::default() }), None));
    all.push(row("craters", 2, Noise::craters(Craters { wavelength, output: CraterOutput::Height, ..Default::default() }), None));
    all.push(row("stamps of perlin", 2, perlin(2).stamps(Stamps { wavelength, ..Default::default() }), None));
    all.push(row("by_example", 2, raster().by_example(ByExample { tile: Some(wavelength), ..Default::default() }), None));
    all.push(row("raster, cubic", 2, raster(), None));
    all.push(row("beds", 2, Noise::constant(0.0).beds(0.0, Beds::default()), None));
    all.push(row("curl of simplex, one component", 2, simplex(2).curl(Axis::X), None));
    let potential = |dimensions| simplex(dimensions).scale_offset(wavelength * wavelength, 0.0);
    all.push(row("advect, 4 steps", 2, perlin(2).advect(potential(2), Advect { strength: 0.5, ..Default::default() }), None));
    all.push(row("curl of simplex, one component", 3, simplex(3).curl_3d([perlin(3), value(3)], Axis::X), None));
    all.push(row("cross_gradients, one component", 3, simplex(3).cross_gradients(perlin(3), Axis::X), None));
    let lite = |dimensions, noise| FastnoiseLite { dimensions, noise, frequency: 1.0 / wavelength, ..Default::default() };
    for dimensions in [2, 3] {
        let types = [
            ("fastnoise_lite, OpenSimplex2", FastnoiseType::OpenSimplex2, NoiseType::OpenSimplex2),
            ("fastnoise_lite, Perlin", FastnoiseType::Perlin, NoiseType::Perlin),
            ("fastnoise_lite, cellular", FastnoiseType::Cellular, NoiseType::Cellular),
        ];
        for (name, noise, same) in types {
            all.push(Row { two: None, ..row(name, dimensions, Noise::fastnoise_lite(lite(dimensions, noise)), Some(same)) });
        }
    }
    let only_two = |noise| Row { lite: None, ..noise };
    all.push(only_two(row("perlin", 4, perlin(4), Some(NoiseType::Perlin))));
    all.push(only_two(row("simplex", 4, simplex(4), Some(NoiseType::OpenSimplex2))));
    all.push(row("open_simplex2", 4, open(4, OpenSimplexVariant::Fast), None));
    all.push(row("open_simplex2, smooth", 4, open(4, OpenSimplexVariant::Smooth), None));
    all.push(row("fractal, 5 octaves of simplex", 2, simplex(2).fractal(Fractal { octaves: 5, ..Default::default() }), None));
    all
}

/// FastNoiseLite for every sample.
fn lite(noise: NoiseType, dimensions: u32) -> Fill {
    let mut state = FastNoiseLite::new();
    state.set_noise_type(Some(noise));
    state.set_cellular_distance_function(Some(CellularDistanceFunction::Euclidean));
    state.set_cellular_return_type(Some(CellularReturnType::Distance));
    state.set_frequency(Some((1.0 / WAVELENGTH) as f32));
    let [width, height, depth] = size(dimensions);
    Box::new(move |out| {
        let mut out = out.iter_mut();
        for z in 0..depth {
            for y in 0..height {
                for (x, value) in (0..width).zip(&mut out) {
                    let [x, y, z] = [x as f32, y as f32, z as f32];
                    *value = if dimensions < 3 { state.get_noise_2d(x, y) } else { state.get_noise_3d(x, y, z) };
                }
            }
        }
    })
}

#[cfg(feature = "fastnoise2")]
fn grid(node: fastnoise2::SafeNode, dimensions: u32) -> Fill {
    // Units to a cell of its noises.
    let step = 100.0 / WAVELENGTH as f32;
    let [width, height, depth] = size(dimensions).map(|size| size as i32);
    Box::new(move |out| {
        if dimensions < 3 {
            node.gen_uniform_grid_2d(out, 0.0, 0.0, width, height, step, step, 1);
        } else if dimensions == 4 {
            node.gen_uniform_grid_4d(out, 0.0, 0.0, 0.0, 0.0, width, height, depth, 1, step, step, step, step, 1);
        } else {
            node.gen_uniform_grid_3d(out, 0.0, 0.0, 0.0, width, height, depth, step, step, step, 1);
        }
    })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rounds: usize = std::env::args().nth(1).map_or(Ok(11), |rounds| rounds.parse())?;
    if std::env::args().nth(3).is_some_and(|set| set == "avx2") {
        orogen::testing::narrow();
    }
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global()?;
    let engine = Engine::open(&EngineOptions { backend: Backend::Cpu, threads: Threads::Caller, ..Default::default() })?;
    println!("features of {WAVELENGTH} samples, one thread, medians of {rounds} rounds, ns per sample; {}\n", engine.summary());
    println!("| noise | dimensions | value | with gradient | FastNoiseLite | FastNoise2 |");
    println!("|---|---|---|---|---|---|");
    let only = std::env::args().nth(2).unwrap_or_default();
    for Row { name, dimensions, noise, lite: in_lite, two } in rows().iter().filter(|row| row.name.starts_with(&only)) {
        let region = Region { size: size(*dimensions), ..Region::plane(1, 1) };
        let samples = size(*dimensions).iter().product::<u32>() as usize;
        let prepared = engine.prepare(noise)?;
        let mut fills: Vec<Option<Fill>> = Vec::new();
        let (plain, sloped, at) = (prepared.clone(), prepared, region);
        fills.push(Some(Box::new(move |out| plain.field_into(&at, out).expect("a field"))));
        let has_gradient = sloped.field_with_gradient(&at).is_ok();
        let slopes = std::cell::RefCell::new(vec![[0.0f32; 3]; samples]);
        fills.push(has_gradient.then(|| {
            Box::new(move |out: &mut [f32]| {
                sloped.field_with_gradient_into(&at, out, &mut slopes.borrow_mut()).expect("a field");
            }) as Fill
        }));
        fills.push(in_lite.map(|noise| lite(noise, *dimensions)));
        fills.push(peer(*dimensions, *two));
        let mut out = vec![0.0f32; samples];
        let mut times = vec![Vec::new(); fills.len()];
        // One round to warm up.
        for round in 0..=rounds {
            for (fill, times) in fills.iter().zip(&mut times) {
                let Some(fill) = fill else { continue };
                let start = Instant::now();
                fill(&mut out);
                if round > 0 {
                    times.push(start.elapsed().as_secs_f64() * 1e9 / samples as f64);
                }
            }
        }
        let cell = |times: &mut Vec<f64>| {
            times.sort_by(f64::total_cmp);
            times.get(times.len() / 2).map_or("–".to_owned(), |ns| if *ns < 10.0 { format!("{ns:.2}") } else { format!("{ns:.1}") })
        };
        println!("| {name} | {dimensions} | {} |", times.iter_mut().map(cell).collect::<Vec<_>>().join(" | "));
    }
    Ok(())
}

#[cfg(feature = "fastnoise2")]
fn peer(dimensions: u32, noise: Option<NoiseType>) -> Option<Fill> {
    node(noise).map(|node| grid(node, dimensions))
}

#[cfg(not(feature = "fastnoise2"))]
fn peer(_: u32, _: Option<NoiseType>) -> Option<Fill> {
    None
}
