//! The libraries: each turns a case into a function that fills rows, or has no such noise.

use crate::case::{Basis, Case, Fill, GAIN, LACUNARITY, OCTAVES, Shape};

/// A library: its name, and its implementation of a case.
pub type Peer = (&'static str, fn(&Case) -> Option<Fill>);

pub const PEERS: &[Peer] = &[
    ("orogen", orogen),
    #[cfg(feature = "fastnoise2")]
    ("FastNoise2", crate::fastnoise2::fill),
    ("simdnoise", simdnoise),
    ("noise-functions", noise_functions),
    ("fastnoise-lite", fastnoise_lite),
    ("libnoise", libnoise),
    ("noise-rs", noise_rs),
];

/// A function of a position, in samples, called for each of them.
fn each(case: &Case, sample: impl Fn([f64; 3]) -> f32 + Send + Sync + 'static) -> Option<Fill> {
    let [width, height, depth] = case.size();
    Some(Box::new(move |rows, out| {
        for (at, row) in rows.zip(out.chunks_exact_mut(if depth > 1 { width * height } else { width })) {
            if depth > 1 {
                for (y, line) in row.chunks_exact_mut(width).enumerate() {
                    for (x, value) in line.iter_mut().enumerate() {
                        *value = sample([x as f64, y as f64, at as f64]);
                    }
                }
            } else {
                for (x, value) in row.iter_mut().enumerate() {
                    *value = sample([x as f64, at as f64, 0.0]);
                }
            }
        }
    }))
}

fn orogen(case: &Case) -> Option<Fill> {
    use orogen::node::{Accumulate, Fractal, Perlin, Simplex, Value, Worley};
    use orogen::{Backend, Engine, EngineOptions, Noise, Region};
    let Case { dimensions, wavelength, .. } = *case;
    let simplex = |seed| Noise::simplex(Simplex { dimensions, wavelength, seed: Some(seed), ..Default::default() });
    let basis = match case.basis {
        Basis::Value => Noise::value(Value { dimensions, wavelength, ..Default::default() }),
        Basis::Perlin => Noise::perlin(Perlin { dimensions, wavelength, ..Default::default() }),
        Basis::Simplex => simplex(0),
        Basis::Cellular => Noise::worley(Worley { dimensions, wavelength, ..Default::default() }),
    };
    let octaves = |accumulate| Fractal { octaves: OCTAVES, lacunarity: LACUNARITY, gain: GAIN, accumulate, ..Default::default() };
    let noise = match case.shape {
        Shape::Single => basis,
        Shape::Fbm => basis.fractal(octaves(Accumulate::Sum)),
        // The plain ridged sum that the others compute: 1 − 2|v| in every octave, independent of the previous one.
        Shape::Ridged => basis.fractal(Fractal { weight: 0.0, ..octaves(Accumulate::Billow) }).scale_offset(-1.0, 0.0),
        Shape::Warped => basis.fractal(octaves(Accumulate::Sum)).warp([simplex(1), simplex(2), 0.0.into()], case.warp()),
    };
    let engine = Engine::open(&EngineOptions { backend: Backend::Cpu, ..Default::default() }).ok()?;
    // Prepared once, like FastNoise2's node trees.
    let noise = engine.prepare(&noise).ok()?;
    let [width, height, depth] = case.size();
    Some(Box::new(move |rows, out| {
        let (start, count) = (rows.start as i64, rows.len() as u32);
        let plane = Region::plane(width as u32, height as u32);
        let region = match depth {
            1 => Region { origin: [0, start, 0], size: [width as u32, count, 1], ..plane },
            _ => Region { origin: [0, 0, start], size: [width as u32, height as u32, count], ..plane },
        };
        noise.field_into(&region, out).expect("a case is a noise");
    }))
}

fn simdnoise(case: &Case) -> Option<Fill> {
    use simdnoise::{CellDistanceFunction, NoiseBuilder};
    let [width, height, depth] = case.size();
    let case = *case;
    let known =
        matches!((case.basis, case.shape), (Basis::Simplex, Shape::Single | Shape::Fbm | Shape::Ridged) | (Basis::Cellular, Shape::Single));
    known.then(|| -> Fill {
        Box::new(move |rows, out| {
            let (at, count, frequency) = (rows.start as f32, rows.len(), case.frequency() as f32);
            macro_rules! fractal {
                ($settings:expr) => {{
                    let mut settings = $settings;
                    settings.with_freq(frequency).with_octaves(OCTAVES as u8).with_gain(GAIN as f32).with_lacunarity(LACUNARITY as f32);
                    settings.generate().0
                }};
            }
            macro_rules! plain {
                ($settings:expr) => {{
                    let mut settings = $settings;
                    settings.with_freq(frequency);
                    settings.generate().0
                }};
            }
            let values = match (case.basis, case.shape, depth) {
                (Basis::Cellular, _, 1) => {
                    let mut settings = NoiseBuilder::cellular_2d_offset(0.0, width, at, count);
                    // Its own unit: at 0.5, points stay in their cells.
                    settings.with_freq(frequency).with_jitter(0.5).with_distance_function(CellDistanceFunction::Euclidean);
                    settings.generate().0
                }
                (Basis::Cellular, ..) => {
                    let mut settings = NoiseBuilder::cellular_3d_offset(0.0, width, 0.0, height, at, count);
                    settings.with_freq(frequency).with_jitter(0.5).with_distance_function(CellDistanceFunction::Euclidean);
                    settings.generate().0
                }
                (_, Shape::Single, 1) => plain!(NoiseBuilder::gradient_2d_offset(0.0, width, at, count)),
                (_, Shape::Single, _) => plain!(NoiseBuilder::gradient_3d_offset(0.0, width, 0.0, height, at, count)),
                (_, Shape::Ridged, _) => fractal!(NoiseBuilder::ridge_2d_offset(0.0, width, at, count)),
                (_, _, 1) => fractal!(NoiseBuilder::fbm_2d_offset(0.0, width, at, count)),
                _ => fractal!(NoiseBuilder::fbm_3d_offset(0.0, width, 0.0, height, at, count)),
            };
            out.copy_from_slice(&values);
        })
    })
}

fn noise_functions(case: &Case) -> Option<Fill> {
    use noise_functions::{CellDistance, Noise, Perlin, Simplex, Value};
    let frequency = case.frequency() as f32;
    macro_rules! sampled {
        ($noise:expr) => {{
            let noise = $noise;
            if case.dimensions == 2 {
                each(case, move |[x, y, _]| noise.sample2([x as f32, y as f32]))
            } else {
                each(case, move |[x, y, z]| noise.sample3([x as f32, y as f32, z as f32]))
            }
        }};
    }
    macro_rules! shaped {
        ($basis:expr) => {
            match case.shape {
                Shape::Single => sampled!($basis.frequency(frequency)),
                Shape::Fbm => sampled!($basis.fbm(OCTAVES, GAIN as f32, LACUNARITY as f32).frequency(frequency)),
                Shape::Ridged => sampled!($basis.ridged().fbm(OCTAVES, GAIN as f32, LACUNARITY as f32).frequency(frequency)),
                Shape::Warped => {
                    let by = |seed| $basis.seed(seed).mul(0.4);
                    let noise = $basis.fbm(OCTAVES, GAIN as f32, LACUNARITY as f32).translate_xy(by(1), by(2)).frequency(frequency);
                    each(case, move |[x, y, _]| noise.sample2([x as f32, y as f32]))
                }
            }
        };
    }
    match case.basis {
        Basis::Value => shaped!(Value),
        Basis::Perlin => shaped!(Perlin),
        Basis::Simplex => shaped!(Simplex),
        Basis::Cellular => sampled!(CellDistance::default().frequency(frequency)),
    }
}

fn fastnoise_lite(case: &Case) -> Option<Fill> {
    use fastnoise_lite::{CellularDistanceFunction, CellularReturnType, DomainWarpType, FastNoiseLite, FractalType, NoiseType};
    let mut noise = FastNoiseLite::new();
    noise.set_noise_type(Some(match case.basis {
        Basis::Value => NoiseType::Value,
        Basis::Perlin => NoiseType::Perlin,
        Basis::Simplex => NoiseType::OpenSimplex2,
        Basis::Cellular => NoiseType::Cellular,
    }));
    noise.set_cellular_distance_function(Some(CellularDistanceFunction::Euclidean));
    noise.set_cellular_return_type(Some(CellularReturnType::Distance));
    noise.set_frequency(Some(case.frequency() as f32));
    noise.set_fractal_type(Some(match case.shape {
        Shape::Single => FractalType::None,
        Shape::Fbm | Shape::Warped => FractalType::FBm,
        Shape::Ridged => FractalType::Ridged,
    }));
    noise.set_fractal_octaves(Some(OCTAVES as i32));
    noise.set_fractal_lacunarity(Some(LACUNARITY as f32));
    noise.set_fractal_gain(Some(GAIN as f32));
    match (case.shape, case.dimensions) {
        (Shape::Warped, _) => {
            let mut warp = FastNoiseLite::new();
            warp.set_frequency(Some(case.frequency() as f32));
            warp.set_domain_warp_type(Some(DomainWarpType::OpenSimplex2));
            warp.set_domain_warp_amp(Some(case.warp() as f32));
            each(case, move |[x, y, _]| {
                let (x, y) = warp.domain_warp_2d(x as f32, y as f32);
                noise.get_noise_2d(x, y)
            })
        }
        (_, 2) => each(case, move |[x, y, _]| noise.get_noise_2d(x as f32, y as f32)),
        _ => each(case, move |[x, y, z]| noise.get_noise_3d(x as f32, y as f32, z as f32)),
    }
}

fn libnoise(case: &Case) -> Option<Fill> {
    use libnoise::{Generator, Source};
    let f = case.frequency();
    macro_rules! shaped {
        ($source:ident, $basis:expr, $point:expr) => {{
            let basis = $basis;
            match case.shape {
                Shape::Single => each(case, move |p| basis.sample($point(p, f)) as f32),
                Shape::Fbm => {
                    let noise = basis.fbm(OCTAVES, f, LACUNARITY, GAIN);
                    each(case, move |p| noise.sample($point(p, 1.0)) as f32)
                }
                Shape::Ridged => {
                    let noise = basis.ridgedmulti(OCTAVES, f, LACUNARITY, GAIN);
                    each(case, move |p| noise.sample($point(p, 1.0)) as f32)
                }
                Shape::Warped => None,
            }
        }};
    }
    let plane = |[x, y, _]: [f64; 3], f: f64| [x * f, y * f];
    let space = |p: [f64; 3], f: f64| p.map(|x| x * f);
    match (case.basis, case.dimensions) {
        (Basis::Value, 2) => shaped!(Source, Source::<2>::value(1), plane),
        (Basis::Value, _) => shaped!(Source, Source::<3>::value(1), space),
        (Basis::Perlin, 2) => shaped!(Source, Source::<2>::perlin(1), plane),
        (Basis::Perlin, _) => shaped!(Source, Source::<3>::perlin(1), space),
        (Basis::Simplex, 2) => shaped!(Source, Source::<2>::simplex(1), plane),
        (Basis::Simplex, _) => shaped!(Source, Source::<3>::simplex(1), space),
        (Basis::Cellular, 2) => shaped!(Source, Source::<2>::worley(1), plane),
        (Basis::Cellular, _) => shaped!(Source, Source::<3>::worley(1), space),
    }
}

fn noise_rs(case: &Case) -> Option<Fill> {
    use noise::core::worley::ReturnType;
    use noise::{Fbm, MultiFractal, NoiseFn, Perlin, RidgedMulti, Simplex, Value, Worley};
    let f = case.frequency();
    macro_rules! sampled {
        ($noise:expr, $f:expr) => {{
            let noise = $noise;
            let f = $f;
            if case.dimensions == 2 {
                each(case, move |[x, y, _]| noise.get([x * f, y * f]) as f32)
            } else {
                each(case, move |[x, y, z]| noise.get([x * f, y * f, z * f]) as f32)
            }
        }};
    }
    macro_rules! fractal {
        ($fractal:expr) => {
            sampled!($fractal.set_octaves(OCTAVES as usize).set_frequency(f).set_lacunarity(LACUNARITY).set_persistence(GAIN), 1.0)
        };
    }
    match (case.basis, case.shape) {
        (_, Shape::Warped) => None,
        (Basis::Value, Shape::Single) => sampled!(Value::new(1), f),
        (Basis::Value, Shape::Fbm) => fractal!(Fbm::<Value>::new(1)),
        (Basis::Value, Shape::Ridged) => fractal!(RidgedMulti::<Value>::new(1)),
        (Basis::Perlin, Shape::Single) => sampled!(Perlin::new(1), f),
        (Basis::Perlin, Shape::Fbm) => fractal!(Fbm::<Perlin>::new(1)),
        (Basis::Perlin, Shape::Ridged) => fractal!(RidgedMulti::<Perlin>::new(1)),
        (Basis::Simplex, Shape::Single) => sampled!(Simplex::new(1), f),
        (Basis::Simplex, Shape::Fbm) => fractal!(Fbm::<Simplex>::new(1)),
        (Basis::Simplex, Shape::Ridged) => fractal!(RidgedMulti::<Simplex>::new(1)),
        // Its cells are not Sync: every thread would need its own.
        (Basis::Cellular, _) => {
            let (dimensions, make) = (case.dimensions, || Worley::new(1).set_return_type(ReturnType::Distance));
            let [width, height, _] = case.size();
            Some(Box::new(move |rows, out| {
                let noise = make();
                let plane = if dimensions == 2 { width } else { width * height };
                for (at, row) in rows.zip(out.chunks_exact_mut(plane)) {
                    for (i, value) in row.iter_mut().enumerate() {
                        let (x, y) = ((i % width) as f64 * f, (i / width) as f64 * f);
                        let at = at as f64 * f;
                        *value = if dimensions == 2 { noise.get([x, at]) } else { noise.get([x, y, at]) } as f32;
                    }
                }
            }))
        }
    }
}
