//! One noise or more per row of the node table; a row without any fails every test that asks for them.

use orogen::Noise;
use orogen::node::{
    Accumulate, Advect, Axis, BedOutput, Beds, ByExample, ControlPoint, Coordinate, CraterOutput, Craters, FastnoiseDistance,
    FastnoiseFractal, FastnoiseLite, FastnoiseReturn, FastnoiseRotation, FastnoiseType, FastnoiseVersion, FastnoiseWarp,
    FastnoiseWarpFractal, Fractal, Gradients, Hash, Heights, HexHash, Hexagonal, Hill, Interpolation, Metric, Node, OctaveSeeds,
    OctaveTable, OpenSimplex2, OpenSimplexVariant, Orientation, Outside, Perlin, Phasor, PhasorProfile, PointTable, Polar, PolarForm,
    Quantile, QuantileDistribution, QuantilePoint, Radius, Raster, Sampling, Simplex, SmoothCells, SmoothOutput, Spectral, Spline,
    StampCombine, StampPriority, Stamps, Transform, Turbulence, Uniform, Value, ValueHash, White, WhiteHash, Worley, WorleyOutput,
};

pub fn points() -> Vec<ControlPoint> {
    let point = |at, value, slope_in, slope_out| ControlPoint { at, value, slope_in, slope_out };
    vec![point(-0.8, 0.0, 0.0, 0.4), point(-0.1, 0.3, 1.0, 0.2), point(0.2, 0.5, 0.0, 2.5), point(0.7, 1.5, 0.5, 0.0)]
}

fn simplex(dimensions: u32) -> Simplex {
    Simplex { dimensions, wavelength: 23.0, ..Default::default() }
}

fn document() -> Noise {
    Noise::simplex(Simplex { hash: Hash::Permutation289, ..simplex(3) })
}

fn plain() -> Noise {
    Noise::simplex(simplex(2))
}

fn fbm() -> Noise {
    plain().fractal(Fractal { octaves: 4, ..Default::default() })
}

/// In units so large that the positions of tests 10¹² units out are still numbers; near the origin they are within a cell, away from
/// its corners.
fn fastnoise_lite() -> Vec<Noise> {
    use FastnoiseDistance::{Euclidean, Hybrid, Manhattan};
    use FastnoiseReturn::{CellValue, Distance2, Distance2Add, Distance2Div, Distance2Mul, Distance2Sub};
    use FastnoiseType::{Cellular, OpenSimplex2, OpenSimplex2s, Perlin, Value, ValueCubic};
    let of = |dimensions, noise| FastnoiseLite { dimensions, noise, unit: 1e6, frequency: 90.0, ..Default::default() };
    let fbm = |of| FastnoiseLite { fractal: FastnoiseFractal::Fbm, weighted_strength: 0.4, ..of };
    let cells = |dimensions, distance, cellular_return| FastnoiseLite { distance, cellular_return, ..of(dimensions, Cellular) };
    let warped = FastnoiseLite { warp: FastnoiseWarp::OpenSimplex2, warp_amplitude: 0.004, warp_frequency: 70.0, ..of(2, Perlin) };
    let grid = FastnoiseLite { warp: FastnoiseWarp::BasicGrid, warp_fractal: FastnoiseWarpFractal::Progressive, ..warped.clone() };
    let reduced =
        FastnoiseLite { warp: FastnoiseWarp::OpenSimplex2Reduced, warp_fractal: FastnoiseWarpFractal::Independent, ..warped.clone() };
    [
        fbm(of(2, OpenSimplex2)),
        FastnoiseLite { version: FastnoiseVersion::Rust, ..of(3, OpenSimplex2) },
        fbm(of(2, OpenSimplex2s)),
        FastnoiseLite { rotation: FastnoiseRotation::ImproveXy, ..of(3, OpenSimplex2s) },
        cells(2, FastnoiseDistance::EuclideanSquared, Distance2Sub),
        cells(2, Euclidean, Distance2Add),
        cells(2, Hybrid, Distance2Mul),
        cells(3, Manhattan, Distance2),
        cells(2, Euclidean, Distance2Div),
        cells(3, Euclidean, CellValue),
        FastnoiseLite { fractal: FastnoiseFractal::Ridged, rotation: FastnoiseRotation::ImproveXz, ..of(3, Perlin) },
        FastnoiseLite { fractal: FastnoiseFractal::PingPong, ..of(2, Perlin) },
        of(2, ValueCubic),
        FastnoiseLite { version: FastnoiseVersion::C, ..of(3, ValueCubic) },
        of(2, Value),
        of(3, Value),
        warped,
        FastnoiseLite { dimensions: 3, ..grid },
        FastnoiseLite { dimensions: 3, version: FastnoiseVersion::Csharp, ..reduced },
    ]
    .into_iter()
    .map(|of| Noise::fastnoise_lite(of).transform(Transform { offset: [3470.0, 5210.0, 1230.0], ..Default::default() }))
    .collect()
}

/// Every dimension with every interpolation.
fn lattice() -> impl Iterator<Item = (u32, Interpolation)> {
    use Interpolation::{Cosine, Cubic, Linear, Quintic, Truncated};
    [Quintic, Truncated, Linear, Cubic, Cosine]
        .into_iter()
        .flat_map(|interpolation| (1..=4).map(move |dimensions| (dimensions, interpolation)))
}

/// 2D and 3D with every metric, number of neighbours and output; 1D.
fn worley() -> Vec<Noise> {
    let metrics = [Metric::Euclidean, Metric::Squared, Metric::Manhattan, Metric::Chebyshev];
    let weights: [&[f64]; 4] = [&[1.0], &[-1.0, 1.0], &[0.5, -0.25, 1.5], &[0.1, 0.2, -0.3, 0.9]];
    let mut all = Vec::new();
    for dimensions in [2, 3] {
        let base = || Worley { dimensions, wavelength: 23.0, ..Default::default() };
        for (i, metric) in metrics.into_iter().enumerate() {
            // Each metric with two of the weights, 1 to 4 of them in turn.
            for weights in [weights[i], weights[3 - i]] {
                all.push(Worley { metric, weights: weights.into(), ..base() });
            }
            all.push(Worley { metric, output: WorleyOutput::Cell, ..base() });
        }
        all.push(Worley { weights: weights[1].into(), jitter: 0.3, ..base() });
        all.push(Worley { output: WorleyOutput::Edge, ..base() });
        all.push(Worley { output: WorleyOutput::Edge, jitter: 0.3, seed: 5, ..base() });
        all.push(Worley { output: WorleyOutput::Edge, metric: Metric::Manhattan, ..base() });
        all.push(Worley { output: WorleyOutput::Edge, metric: Metric::Chebyshev, ..base() });
    }
    let line = || Worley { dimensions: 1, wavelength: 23.0, ..Default::default() };
    all.push(Worley { weights: weights[3].into(), ..line() });
    all.push(Worley { weights: weights[2].into(), metric: Metric::Squared, ..line() });
    all.push(Worley { output: WorleyOutput::Cell, metric: Metric::Manhattan, ..line() });
    all.push(Worley { output: WorleyOutput::Edge, ..line() });
    all.push(Worley { output: WorleyOutput::Ratio, ..line() });
    all.push(Worley { output: WorleyOutput::Ratio, dimensions: 2, ..line() });
    all.push(Worley { output: WorleyOutput::Ratio, metric: Metric::Squared, dimensions: 2, ..line() });
    all.push(Worley { output: WorleyOutput::Ratio, metric: Metric::Manhattan, dimensions: 3, ..line() });
    all.push(Worley { output: WorleyOutput::Border, dimensions: 2, width: 2.0, bevel: 5.0, ..line() });
    all.push(Worley { output: WorleyOutput::Border, dimensions: 3, width: 2.0, bevel: 9.0, ..line() });
    all.into_iter().map(Noise::worley).collect()
}

/// Smooth cells in every dimension, by every metric, of both quantities.
fn smooth_cells() -> Vec<Noise> {
    let plain = || SmoothCells { wavelength: 23.0, seed: 3, ..Default::default() };
    let of = |metric: &Metric, output: &SmoothOutput| SmoothCells { metric: *metric, output: *output, ..plain() };
    let shapes = Metric::ALL.iter().flat_map(|metric| SmoothOutput::ALL.iter().map(move |output| of(metric, output)));
    let mut all: Vec<_> = shapes.collect();
    all.extend([1, 3].map(|dimensions| SmoothCells { dimensions, ..plain() }));
    all.push(SmoothCells { dimensions: 3, metric: Metric::Chebyshev, jitter: 0.4, ..of(&Metric::Chebyshev, &SmoothOutput::Cell) });
    all.push(SmoothCells { softness: 0.0, variation: 1.0, ..plain() });
    all.push(SmoothCells { softness: 1.0, jitter: 0.0, ..of(&Metric::Euclidean, &SmoothOutput::Cell) });
    all.into_iter().map(Noise::smooth_cells).collect()
}

/// OpenSimplex2 and OpenSimplex2S in every dimension and orientation.
fn open_simplex2() -> Vec<Noise> {
    let of = |dimensions, variant, orientation: &Orientation| {
        Noise::open_simplex2(OpenSimplex2 {
            dimensions,
            variant,
            orientation: *orientation,
            w: 3.7,
            wavelength: 23.0,
            ..Default::default()
        })
    };
    let shapes = [2, 3, 4].into_iter().flat_map(|dimensions| OpenSimplexVariant::ALL.iter().map(move |variant| (dimensions, *variant)));
    shapes.flat_map(|(dimensions, variant)| Orientation::ALL.iter().map(move |turn| of(dimensions, variant, turn))).collect()
}

/// Craters of both outputs, with one class of size, with all, and with extreme shapes.
fn craters() -> Vec<Noise> {
    let plain = || Craters { wavelength: 23.0, seed: 3, ..Default::default() };
    let all = [
        plain(),
        Craters { output: CraterOutput::Youth, classes: 4, ..plain() },
        Craters { classes: 1, density: 1.0, ejecta: 1.2, depth: 30.0, ..plain() },
        Craters { classes: 7, exponent: 3.0, rim: 1.0, peak: 1.0, degradation: 0.0, ejecta: 4.0, ..plain() },
        Craters { classes: 3, rim: 0.0, degradation: 1.0, offset: Some([3.0, -2.0, 0.0]), ..plain() },
    ];
    all.into_iter().map(Noise::craters).collect()
}

/// Stamps of all ways to combine: a raster, a fractal, and in octaves under a warp.
fn stamps() -> Vec<Noise> {
    let base = || Stamps { wavelength: 23.0, radius: 15.0, seed: 3, ..Default::default() };
    let stone = || Noise::raster(Raster { heights: heights(13, 9), position: [-12.0, -8.0], spacing: [2.0; 2], ..Default::default() });
    vec![
        stone().stamps(base()),
        fbm().stamps(Stamps { combine: StampCombine::Add, radius: 23.0, lattices: 2, lift: 0.5, ..base() }),
        fbm().stamps(Stamps { combine: StampCombine::Cover, lattices: 3, density: 0.6, variation: 0.9, ..base() }),
        stone()
            .stamps(Stamps { radius: 9.0, jitter: 0.5, rotation: 0.1, fade: 1.0, variation: 0.0, ..base() })
            .warp([plain(), plain(), plain()], 5.0)
            .fractal(Fractal { octaves: 3, ..Default::default() }),
        stone().stamps(Stamps { priority: StampPriority::Smallest, separation: 23.0, density: 0.9, ..base() }),
        Noise::simplex(simplex(3)).stamps(Stamps { thickness: 20.0, lift: 0.3, ..base() }),
        fbm().stamps(Stamps { combine: StampCombine::Cover, priority: StampPriority::Largest, separation: 12.0, lattices: 2, ..base() }),
    ]
}

/// Beds of both outputs: over ground, folded and tilted, by z alone, and in octaves under a warp.
fn beds() -> Vec<Noise> {
    let base = || Beds { thickness: 7.0, dip: 0.3, direction: 30.0, seed: 3, ..Default::default() };
    let ground = || fbm().scale_offset(25.0, 3.0);
    vec![
        ground().beds(0.0, base()),
        ground().beds(plain().scale_offset(9.0, 0.0), Beds { output: BedOutput::Hardness, blend: 0.6, ..base() }),
        Noise::constant(2.0).beds(0.0, Beds { irregular: 1.0, blend: 1.0, dip: 2.0, offset: Some([3.0, 1.0, 2.0]), ..base() }),
        ground()
            .beds(2.0, Beds { irregular: 0.0, variation: 1.0, output: BedOutput::Hardness, ..base() })
            .warp([plain(), plain(), plain()], 5.0)
            .fractal(Fractal { octaves: 2, rotation: 20.0, ..Default::default() }),
    ]
}

/// Noises whose last node is of this kind.
pub fn of_kind(kind: &str) -> Vec<Noise> {
    let three = || Noise::simplex(Simplex { seed: Some(9), ..simplex(3) });
    match kind {
        "constant" => vec![Noise::constant(0.3)],
        "coordinate" => [Axis::X, Axis::Y, Axis::Z].map(|axis| Noise::coordinate(Coordinate { axis, unit: 3e6 })).into(),
        "simplex" => vec![
            plain(),
            three(),
            document(),
            Noise::simplex(Simplex { hash: Hash::Permutation289, seed: Some(3), ..simplex(3) }),
            Noise::simplex(Simplex { offset: Some([0.0; 3]), ..simplex(2) }),
            Noise::simplex(Simplex { w: 31.0, ..simplex(4) }),
            Noise::simplex(Simplex { w: -7.0, offset: Some([1.0, 2.0, 3.0]), ..simplex(4) })
                .warp([plain(), three(), plain()], 6.0)
                .fractal(Fractal { octaves: 2, rotation: 20.0, ..Default::default() }),
            Noise::simplex(Simplex { offset: Some([1.5, -2.0, 7.0]), ..simplex(3) }),
            Noise::simplex(simplex(1)),
        ]
        .into_iter()
        .chain([2, 3].map(|dimensions| Noise::simplex(Simplex { gradients: Gradients::Turning, w: 0.3, ..simplex(dimensions) })))
        .chain([Noise::simplex(Simplex { gradients: Gradients::Turning, w: -7.1, w_period: 4.0, ..simplex(3) })
            .warp([plain(), three(), plain()], 6.0)
            .fractal(Fractal { octaves: 3, rotation: 20.0, ..Default::default() })])
        .collect(),
        "value" => lattice()
            .map(|(dimensions, interpolation)| Noise::value(Value { dimensions, interpolation, wavelength: 23.0, ..Default::default() }))
            .chain(value_tables())
            .collect(),
        "perlin" => lattice()
            .map(|(dimensions, interpolation)| Noise::perlin(Perlin { dimensions, interpolation, wavelength: 23.0, ..Default::default() }))
            .chain(lattice().filter(|(dimensions, _)| (2..=3).contains(dimensions)).map(|(dimensions, interpolation)| {
                let turning = Perlin { gradients: Gradients::Turning, w: 0.7, ..Default::default() };
                Noise::perlin(Perlin { dimensions, interpolation, wavelength: 23.0, ..turning })
            }))
            .collect(),
        "worley" => worley(),
        "open_simplex2" => open_simplex2(),
        "smooth_cells" => smooth_cells(),
        "craters" => craters(),
        "beds" => beds(),
        "stamps" => stamps(),
        "fastnoise_lite" => fastnoise_lite(),
        "fractal" => vec![
            fbm(),
            three().fractal(Fractal { octaves: 3, rotation: 40.0, axis: [1.0, 2.0, 3.0], normalise: false, ..Default::default() }),
            document().fractal(Fractal { octaves: 3, accumulate: Accumulate::Lerp, ..Default::default() }),
            // A fractal of a fractal of a node that is not a basis.
            plain().abs().fractal(Fractal { octaves: 2, seed: 4, ..Default::default() }).fractal(Fractal {
                octaves: 3,
                lacunarity: 1.7,
                gain: -0.6,
                ..Default::default()
            }),
        ]
        .into_iter()
        .chain(accumulations())
        .chain([plain().fractal(Fractal { octaves: 3, seeds: OctaveSeeds::Same, ..Default::default() })])
        .collect(),
        "spline" => vec![fbm().spline(points()), plain().spline(&points()[..2])],
        "scale_offset" => vec![fbm().scale_offset(-3.5, 0.25)],
        "clamp" => vec![fbm().clamp(-0.1, 0.2)],
        "abs" => vec![fbm().abs()],
        "power" => vec![fbm().power(2.2), three().scale_offset(0.45, 0.5).power(0.5), plain().power(7.0)],
        "add" => vec![fbm().add(three()), plain().add(0.5)],
        "multiply" => vec![fbm().multiply(three()), fbm().multiply(fbm())],
        "min" => vec![fbm().min(three()), plain().min(0.1)],
        "max" => vec![fbm().max(three()), plain().max(-0.1)],
        "blend" => vec![plain().blend(three(), fbm().scale_offset(2.0, 0.5))],
        "warp" => vec![
            plain().warp([fbm(), three(), Noise::constant(0.0)], 9.0),
            three().warp([fbm(), plain(), three()], -4.0).fractal(Fractal { octaves: 3, rotation: 25.0, ..Default::default() }),
            // A warp under a warp, and a coordinate displaced.
            fbm().warp([three(), plain(), fbm()], 6.0).warp([plain(), fbm(), three()], 5.0),
            Noise::coordinate(Coordinate { axis: Axis::X, unit: 3e6 }).warp([plain(), fbm(), three()], 1e5),
        ],
        "white" => WhiteHash::ALL
            .iter()
            .flat_map(|hash| {
                (1..=3).map(move |dimensions| Noise::white(White { dimensions, hash: *hash, wavelength: 5.3, ..Default::default() }))
            })
            .collect(),
        "phasor" => {
            let of = |dimensions, profile| Phasor { dimensions, profile, wavelength: 4.0, size: 13.0, ..Default::default() };
            let mut all: Vec<Noise> = [2, 3]
                .into_iter()
                .flat_map(|dimensions| PhasorProfile::ALL.iter().map(move |profile| Noise::phasor(of(dimensions, *profile))))
                .collect();
            all.push(plain().scale_offset(40.0, 0.0).phasor_rotation(of(2, PhasorProfile::Sine)));
            all.push(
                Noise::join(of(3, PhasorProfile::Saw), &[("elevation", &plain().scale_offset(70.0, 5.0)), ("frequency", &three())])
                    .expect("a noise"),
            );
            all
        }
        "hexagonal" => vec![
            Noise::hexagonal(Hexagonal { wavelength: 5.37, offset: [0.31, 0.17, 0.0], ..Default::default() }),
            Noise::hexagonal(Hexagonal { wavelength: 5.37, offset: [0.31, 0.17, 0.0], hash: HexHash::Tables, ..Default::default() }),
        ],
        "hill" => hills(),
        "spectral" => vec![
            Noise::spectral(Spectral { length: 300.0, ..Default::default() }),
            Noise::spectral(Spectral {
                frequencies: Some(vec![1.0, 2.5, 7.0]),
                amplitudes: Some(vec![1.0, -0.5, 0.25]),
                phases: Some(vec![0.1, 0.2, 5.0]),
                length: 300.0,
                normalise: false,
                ..Default::default()
            }),
        ],
        "radius" => vec![
            Noise::radius(Radius { centre: [3e6, -2e6, 0.0], unit: 1e6, ..Default::default() }),
            Noise::radius(Radius { centre: [-1e6, 5e5, 3e6], axes: [1.0, -2.0, 0.5], unit: 1e6 }),
        ],
        "polar" => [PolarForm::Circle, PolarForm::Strip]
            .map(|form| three().polar(Polar { centre: [1e3, -500.0, 0.0], form, size: 2000.0, ..Default::default() }))
            .into(),
        "transform" => vec![
            fbm().transform(Transform { offset: [3.0, 4.0, 5.0], rotation: 30.0, scale: [2.0, -1.0, 0.5], ..Default::default() }),
            plain().warp([fbm(), three(), plain()], 6.0).transform(Transform {
                axis: [1.0, 1.0, 0.0],
                rotation: 70.0,
                ..Default::default()
            }),
        ],
        "slice" => vec![
            three().slice(Axis::Z, 17.5),
            // A warp inside moves through the volume; a warp outside moves along the plane.
            three().warp([plain(), fbm(), three()], 8.0).slice(Axis::Y, -3.0).warp([fbm(), plain(), fbm()], 5.0),
        ],
        "mirror" => vec![
            fbm().mirror(Axis::X, 3.5),
            three().warp([plain(), fbm(), plain()], 4.0).mirror(Axis::Y, -2.0).warp([fbm(), fbm(), plain()], 5.0),
        ],
        "quantise" => vec![
            fbm().quantise([7.3, 5.55, 3.1]),
            three().warp([plain(), fbm(), plain()], 9.0).quantise([0.53, 0.27, 2.1]).warp([fbm(), fbm(), plain()], 5.0),
        ],
        "domain" => vec![
            three().domain([plain().scale_offset(40.0, 0.0), three().scale_offset(30.0, 9.0), Noise::constant(3.0)]),
            plain().warp([three(), plain(), three()], 4.0).domain([
                three().scale_offset(15.0, 0.0),
                plain().scale_offset(15.0, 0.0),
                plain(),
            ]),
        ],
        "periodic" => {
            // 90 = 30 · 3: what every lattice can hold.
            let three = || Noise::simplex(Simplex { dimensions: 3, wavelength: 15.0, ..Default::default() });
            let plain = || Noise::simplex(Simplex { wavelength: 15.0, ..Default::default() });
            vec![
                plain().fractal(Fractal { octaves: 3, ..Default::default() }).periodic([90.0, 60.0, 0.0]),
                three().warp([plain(), three(), plain()], 9.0).periodic([90.0, 90.0, 0.0]),
                Noise::simplex(Simplex { hash: Hash::Permutation289, dimensions: 3, wavelength: 15.0, ..Default::default() })
                    .periodic([45.0, 90.0, 90.0]),
                Noise::perlin(Perlin { dimensions: 3, wavelength: 15.0, ..Default::default() }).periodic([0.0, 90.0, 30.0]),
                Noise::value(Value { wavelength: 7.3, ..Default::default() })
                    .quantise([29.2 / 12.0, 29.2 / 18.0, 2.53])
                    .periodic([29.2, 29.2, 0.0]),
                Noise::hill(Hill { sines: 9, unit: 2.0, ..Default::default() }).periodic([90.0, 90.0, 0.0]),
                plain()
                    .turbulence(three(), Turbulence { strength: 9.0, octaves: 2, ..Default::default() })
                    .periodic([90.0, 90.0, 0.0])
                    .warp([fbm(), plain(), fbm()], 5.0),
                Noise::perlin(Perlin { dimensions: 4, wavelength: 15.0, w: 50.0, ..Default::default() })
                    .add(Noise::simplex(Simplex { dimensions: 4, wavelength: 5.0, w: -1.0, ..Default::default() }))
                    .periodic_4d([60.0, 0.0, 0.0], 45.0),
            ]
        }
        "turbulence" => vec![
            plain().turbulence(three(), Turbulence { strength: 9.0, ..Default::default() }),
            fbm().turbulence(plain(), Turbulence { strength: 12.0, octaves: 3, ..Default::default() }).warp([plain(), fbm(), three()], 3.0),
            three().turbulence(plain(), Turbulence { strength: 6.0, octaves: 2, gain: -0.7, ..Default::default() }).fractal(Fractal {
                octaves: 2,
                rotation: 25.0,
                ..Default::default()
            }),
        ],
        "smoothstep" => vec![fbm().smoothstep(-0.3, 0.4)],
        "terrace" => vec![fbm().terrace(0.2, 0.4), three().terrace(0.35, 1.0)],
        "threshold" => vec![fbm().threshold(0.1, -2.0, 3.0)],
        "bias" => vec![fbm().scale_offset(0.5, 0.5).bias(0.8), fbm().scale_offset(0.5, 0.5).bias(0.2)],
        "gain" => vec![fbm().scale_offset(0.5, 0.5).gain(0.8), fbm().scale_offset(0.5, 0.5).gain(0.3)],
        "sine" => vec![fbm().sine(3.0, 0.1)],
        "quantile" => quantiles(),
        "equalise" => vec![fbm().equalise(vec![-0.9, -0.4, -0.1, -0.1, 0.0, 0.2, 0.5, 0.95])],
        "select" => vec![plain().select(three(), fbm(), 0.05, 0.2), plain().select(0.5, fbm(), 0.05, 0.0)],
        "raster" => rasters(),
        "by_example" => Sampling::ALL
            .iter()
            .map(|sampling| {
                let heights = Heights::new((0..99).map(|i| (i * 37 % 23) as f32 * 0.25).collect(), [11, 9]).expect("heights");
                let raster = Noise::raster(Raster { heights, sampling: *sampling, spacing: [3.0, -2.0], ..Default::default() });
                raster.by_example(ByExample { tile: Some(7.0), rotation: 30.0, ..Default::default() })
            })
            .collect(),
        "curl" => curls(three),
        "cross_gradients" => [Axis::X, Axis::Y, Axis::Z]
            .map(|axis| three().scale_offset(11.0, 0.0).cross_gradients(fbm().scale_offset(7.0, 0.0), axis))
            .into(),
        "advect" => {
            let [perlin, other] = [5, 6].map(|seed| Noise::perlin(Perlin { dimensions: 3, wavelength: 31.0, seed, ..Default::default() }));
            let potential = || perlin.clone().scale_offset(40.0, 0.0);
            let advect = |steps| Advect { steps, ..Default::default() };
            vec![
                plain().advect(plain().scale_offset(60.0, 0.0), advect(1)),
                fbm().advect(potential(), advect(3)).fractal(Fractal { octaves: 2, rotation: 30.0, ..Default::default() }),
                three().advect_3d([potential(), other.scale_offset(30.0, 0.0), three().scale_offset(40.0, 0.0)], advect(4)),
                plain().advect(potential(), advect(2)).transform(Transform {
                    scale: [2.0, 0.5, 1.5],
                    rotation: 40.0,
                    ..Default::default()
                }),
            ]
        }
        "octave_table" => octave_tables(),
        "point_table" => point_tables(),
        _ => panic!("no example of node kind '{kind}'"),
    }
}

/// In 2D and 3D, of potentials from lattices along rows and displaced ones, in octaves, turned, and as displacements.
fn curls(three: impl Fn() -> Noise) -> Vec<Noise> {
    let perlin = || Noise::perlin(Perlin { wavelength: 31.0, seed: 5, ..Default::default() }).scale_offset(9.0, 0.0);
    let space = |axis| three().scale_offset(9.0, 0.0).curl_3d([perlin(), Noise::simplex(Simplex { seed: Some(2), ..simplex(3) })], axis);
    let bent = fbm().warp([plain(), three(), plain()], 6.0).scale_offset(15.0, 0.0);
    let turned = perlin().curl(Axis::Y).fractal(Fractal { octaves: 3, rotation: 30.0, ..Default::default() });
    let along = |axis| perlin().curl(axis);
    vec![
        plain().scale_offset(23.0, 0.0).curl(Axis::X),
        fbm().curl(Axis::Y),
        perlin().curl(Axis::Z),
        space(Axis::X),
        space(Axis::Y),
        space(Axis::Z),
        bent.curl(Axis::X),
        turned,
        three().curl(Axis::X).transform(Transform { scale: [2.0, 0.5, 1.5], rotation: 40.0, ..Default::default() }),
        plain().warp([along(Axis::X), along(Axis::Y), along(Axis::Z)], 8.0),
    ]
}

/// Value noise by a table, seeded and given.
fn value_tables() -> impl Iterator<Item = Noise> {
    let base = || Value { dimensions: 1, hash: ValueHash::Table, wavelength: 23.0, ..Default::default() };
    let numbers = (0..256u32).map(|i| f64::from((i * 97) % 61) / 20.0 - 1.0).collect();
    [
        Noise::value(base()).fractal(Fractal { octaves: 3, ..Default::default() }),
        Noise::value(Value { interpolation: Interpolation::Cosine, values: Some(numbers), ..base() }),
    ]
    .into_iter()
}

/// Two fractals that share a table of offsets, and some of its entries.
fn octave_tables() -> Vec<Noise> {
    let offsets = (0..6).map(|k| [37.0 * f64::from(k), -11.0 * f64::from(k * k), 5.0]).collect();
    let table = Noise::octave_table(OctaveTable { offsets });
    let three = Noise::simplex(Simplex { seed: Some(9), ..simplex(3) });
    let first = plain().fractal_from(&table, Fractal { octaves: 4, start: 1, ..Default::default() });
    vec![first.add(three.fractal_from(&table, Fractal { octaves: 3, start: 3, accumulate: Accumulate::Lerp, ..Default::default() }))]
}

/// Three splines that share a table of points: two curves of their own, and the first without its last point.
fn point_tables() -> Vec<Noise> {
    let mut all = points();
    all.extend(points().iter().map(|point| ControlPoint { value: 2.0 - point.value, ..*point }));
    let table = Noise::point_table(PointTable { points: all });
    let of = |start, end| fbm().spline_from(&table, Spline { start, end, ..Default::default() });
    vec![of(0, Some(4)).add(of(4, None)).multiply(of(0, Some(3)))]
}

fn accumulations() -> impl Iterator<Item = Noise> {
    use Accumulate::{Billow, Heterogeneous, Hybrid, Multifractal, Pingpong, Ridged, Weighted};
    [Weighted, Billow, Ridged, Pingpong, Multifractal, Hybrid, Heterogeneous]
        .into_iter()
        .map(|accumulate| plain().fractal(Fractal { octaves: 4, accumulate, ..Default::default() }))
}

fn hills() -> Vec<Noise> {
    let hill = |dimensions, sines, uniform| Noise::hill(Hill { dimensions, sines, uniform, unit: 12.0, ..Default::default() });
    let mut all = Vec::new();
    for dimensions in 1..=3 {
        all.extend([Uniform::Exact, Uniform::Normal, Uniform::None].map(|uniform| hill(dimensions, 7, uniform)));
    }
    all.push(hill(1, 1, Uniform::Exact));
    all.push(Noise::hill(Hill { sizes: Some(vec![1.0, 0.3]), offsets: Some(vec![0.0, 1.0, 2.0, 3.0]), unit: 12.0, ..Default::default() }));
    all.push(hill(2, 3, Uniform::Exact).fractal(Fractal { octaves: 2, rotation: 30.0, ..Default::default() }));
    all
}

fn quantiles() -> Vec<Noise> {
    let uniform = || Noise::hill(Hill { sines: 9, unit: 12.0, ..Default::default() });
    let point = |probability, value| QuantilePoint { probability, value };
    let table = vec![point(0.0, -1.0), point(0.3, 0.0), point(0.9, 0.0), point(1.0, 5.0)];
    [QuantileDistribution::Normal, QuantileDistribution::Weibull, QuantileDistribution::Exponential, QuantileDistribution::Table]
        .map(|distribution| {
            uniform().quantile(Quantile {
                distribution,
                table: table.clone(),
                scale: 1.5,
                shape: 1.7,
                location: 0.25,
                ..Default::default()
            })
        })
        .into()
}

/// Numbers on a grid, of no pattern.
pub fn heights(columns: u32, rows: u32) -> Heights {
    let hashed = |i: u32| f64::from((i.wrapping_mul(2_654_435_761) >> 7) % 1000) / 500.0 - 1.0;
    Heights::new((0..columns * rows).map(|i| hashed(i) as f32).collect(), [columns, rows]).expect("heights")
}

/// Every way of sampling with everything that may lie outside.
fn rasters() -> Vec<Noise> {
    let base = || Raster { heights: heights(13, 9), position: [-40.0, 17.0], spacing: [11.3, -7.9], ..Default::default() };
    let mut all = Vec::new();
    for sampling in Sampling::ALL {
        for outside in Outside::ALL {
            all.push(Noise::raster(Raster { sampling: *sampling, outside: *outside, fill: 0.4, ..base() }));
        }
    }
    // Two rasters in one noise, displaced, rotated and in octaves, then a single sample, then a row.
    let other = Noise::raster(Raster { heights: heights(1, 5), spacing: [3.0, 3.0], outside: Outside::Mirror, ..Default::default() });
    let one = Noise::raster(Raster { heights: heights(1, 1), outside: Outside::Repeat, ..Default::default() });
    all.push(Noise::raster(base()).warp([plain(), fbm(), other.clone()], 20.0).add(other));
    all.push(
        Noise::raster(Raster { outside: Outside::Repeat, ..base() })
            .fractal(Fractal { octaves: 3, rotation: 30.0, ..Default::default() })
            .add(one),
    );
    all
}

/// Every example with a name.
pub fn all() -> Vec<(String, Noise)> {
    let named = |kind: &'static str| of_kind(kind).into_iter().enumerate().map(move |(i, noise)| (format!("{kind} {i}"), noise));
    Node::TABLE.iter().flat_map(|row| named(row.kind)).collect()
}
