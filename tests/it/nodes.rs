//! One noise or more per row of the node table; a row without any fails every test that asks for them.

use orogen::{
    Accumulate, Axis, ControlPoint, Coordinate, Fractal, Hash, Interpolation, Metric, Node, Noise, Perlin, Simplex, Value, Worley,
    WorleyOutput,
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

/// Every dimension with every interpolation.
fn lattice() -> impl Iterator<Item = (u32, Interpolation)> {
    use Interpolation::{Cosine, Cubic, Linear, Quintic, Truncated};
    [Quintic, Truncated, Linear, Cubic, Cosine]
        .into_iter()
        .flat_map(|interpolation| (1..=3).map(move |dimensions| (dimensions, interpolation)))
}

/// Both dimensions with every metric, number of neighbours and output.
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
    }
    all.into_iter().map(Noise::worley).collect()
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
            Noise::simplex(Simplex { offset: Some([1.5, -2.0, 7.0]), ..simplex(3) }),
        ],
        "value" => lattice()
            .map(|(dimensions, interpolation)| Noise::value(Value { dimensions, interpolation, wavelength: 23.0, ..Default::default() }))
            .collect(),
        "perlin" => lattice()
            .map(|(dimensions, interpolation)| Noise::perlin(Perlin { dimensions, interpolation, wavelength: 23.0, ..Default::default() }))
            .collect(),
        "worley" => worley(),
        "fractal" => vec![
            fbm(),
            three().fractal(Fractal { octaves: 3, rotation: 40.0, axis: [1.0, 2.0, 3.0], normalise: false, ..Default::default() }),
            document().fractal(Fractal { octaves: 3, accumulate: Accumulate::Lerp, ..Default::default() }),
            // A fractal of a fractal of something that is no basis.
            plain().abs().fractal(Fractal { octaves: 2, seed: 4, ..Default::default() }).fractal(Fractal {
                octaves: 3,
                lacunarity: 1.7,
                gain: -0.6,
                ..Default::default()
            }),
        ],
        "spline" => vec![fbm().spline(points()), plain().spline(&points()[..2])],
        "scale_offset" => vec![fbm().scale_offset(-3.5, 0.25)],
        "clamp" => vec![fbm().clamp(-0.1, 0.2)],
        "abs" => vec![fbm().abs()],
        "power" => vec![fbm().power(2.2), three().power(0.5), plain().power(7.0)],
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
        _ => panic!("no example of node kind '{kind}'"),
    }
}

/// Every example with a name.
pub fn all() -> Vec<(String, Noise)> {
    let named = |kind: &'static str| of_kind(kind).into_iter().enumerate().map(move |(i, noise)| (format!("{kind} {i}"), noise));
    Node::TABLE.iter().flat_map(|row| named(row.kind)).collect()
}
