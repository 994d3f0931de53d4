//! FastNoiseLite's noise: a function for each shape in the program, which calls only the library functions that the shape needs. Its
//! text is long, so samples of a row take turns.

use super::Printer;
use crate::program::{
    Basis, BasisCall, FASTNOISE_CELLS, FastnoiseDistance, FastnoiseFractal, FastnoiseNumber as N, FastnoiseReturn, FastnoiseRotation,
    FastnoiseShape, FastnoiseType, FastnoiseVersion, FastnoiseWarp, FastnoiseWarpFractal, Op, Scalar, Span, Structure,
};

/// The shapes of a program, each once.
fn shapes(structure: &Structure) -> Vec<FastnoiseShape> {
    let mut all = Vec::new();
    for op in structure.scopes.iter().flat_map(|scope| &scope.ops) {
        if let Op::Lattice(Basis::Pointwise(noise), _) = op
            && let BasisCall::Fastnoise(shape, ..) = noise.facts(false).call
            && !all.contains(&shape)
        {
            all.push(shape);
        }
    }
    all
}

/// The functions of all shapes.
pub(super) fn functions(structure: &Structure) -> String {
    shapes(structure).into_iter().enumerate().map(|(index, shape)| function(index, shape)).collect()
}

/// The name of a noise's space in `fastnoise.wgsl`.
fn space(shape: FastnoiseShape, simplex: bool) -> &'static str {
    match (shape.dimensions, shape.rotation) {
        (2, _) if simplex => "skewed",
        (2, _) => "same",
        (_, FastnoiseRotation::ImproveXy) => "xy",
        (_, FastnoiseRotation::ImproveXz) => "xz",
        (_, FastnoiseRotation::None) if simplex => "mirrored",
        (_, FastnoiseRotation::None) => "same",
    }
}

/// One of the node's numbers, from the index of the first.
fn number(n: N) -> String {
    format!("table_scalar(first + {}u)", n as usize)
}

/// The function of a shape, of a position in cells of the frame.
fn function(index: usize, shape: FastnoiseShape) -> String {
    let flat = shape.dimensions == 2;
    let simplex = matches!(shape.noise, FastnoiseType::OpenSimplex2 | FastnoiseType::OpenSimplex2s);
    let space = space(shape, simplex);
    let warp = if shape.warp == FastnoiseWarp::None { String::new() } else { warp(shape) };
    format!(
        "
fn fastnoise_shape_{index}(position: vec3<f32>, seed: i32, first: u32, vectors: u32) -> Jet {{
    var to = fastnoise_place(position, {:?}, {flat});
{warp}    let frequency = {};
    var x = fastnoise_into_{space}(fastnoise_values(to) * frequency);
{}    return fastnoise_at(fastnoise_out_of_{space}(found), frequency, to);
}}
",
        1.0 / FASTNOISE_CELLS,
        number(N::Frequency),
        octaves(shape),
    )
}

/// The lines that displace the place `to`.
fn warp(shape: FastnoiseShape) -> String {
    let space = space(shape, shape.warp != FastnoiseWarp::BasicGrid);
    let n = shape.dimensions;
    let by_distance = matches!(shape.version, FastnoiseVersion::Csharp | FastnoiseVersion::Rust);
    let reduced = shape.warp == FastnoiseWarp::OpenSimplex2Reduced;
    let (call, amplitude) = match (shape.warp, n) {
        (FastnoiseWarp::BasicGrid, _) => (format!("fastnoise_warp_grid_{n}(warp_seed, at, vectors)"), "warp_amplitude".to_owned()),
        (_, 2) => (
            format!("fastnoise_warp_simplex_2(warp_seed, at, {reduced}, vectors)"),
            format!("warp_amplitude * {}", if reduced { "FASTNOISE_WARP_REDUCED_2" } else { "FASTNOISE_WARP_SCALE_2" }),
        ),
        _ => (
            format!("fastnoise_warp_simplex_3(warp_seed, at, {by_distance}, {reduced}, vectors)"),
            format!("warp_amplitude * {}", if reduced { "FASTNOISE_WARP_REDUCED_3" } else { "FASTNOISE_WARP_SCALE_3" }),
        ),
    };
    let from = if shape.warp_fractal == FastnoiseWarpFractal::Independent { "original" } else { "to" };
    let count = if shape.warp_fractal == FastnoiseWarpFractal::None { "1".to_owned() } else { format!("i32({})", number(N::WarpOctaves)) };
    let (upper, lower) = (number(N::WarpSeedUpper), number(N::WarpSeedLower));
    let moved = ["x", "y", "z"]
        .map(|axis| format!("fastnoise_warp_displaced(fastnoise_out_of_{space}(off.{axis}), scaled, warp_frequency, source, to.{axis})"));
    format!(
        "    let original = to;
    var warp_seed = (i32({upper}) << 16u) | i32({lower});
    var warp_amplitude = {};
    var warp_frequency = {};
    let warp_count = {count};
    var warp_octave = 0;
    loop {{
        let source = {from};
        let at = fastnoise_within(fastnoise_into_{space}(fastnoise_values(source)) * warp_frequency);
        let off = {call};
        let scaled = {amplitude};
        to = FastnoisePlace({});
        warp_seed += 1;
        warp_amplitude *= {};
        warp_frequency *= {};
        warp_octave += 1;
        if warp_octave >= warp_count {{
            break;
        }}
    }}
",
        number(N::WarpAmplitude),
        number(N::WarpFrequency),
        moved.join(", "),
        number(N::WarpGain),
        number(N::WarpLacunarity),
    )
}

/// The lines that compute `found`, the sum of octaves at the position `x` in the noise's space.
fn octaves(shape: FastnoiseShape) -> String {
    let add = match shape.fractal {
        FastnoiseFractal::None => return format!("    let found = {};\n", single(shape, "seed")),
        FastnoiseFractal::Fbm => format!("fastnoise_add_plain(sum, own, {}, strength, gain)", shape.dimensions == 2),
        FastnoiseFractal::Ridged => "fastnoise_add_ridged(sum, own, strength, gain)".to_owned(),
        FastnoiseFractal::PingPong => format!("fastnoise_add_folded(sum, own, {}, strength, gain)", number(N::PingPongStrength)),
    };
    format!(
        "    let lacunarity = {};
    let gain = {};
    let strength = {};
    let count = i32({});
    var octave = 0;
    var scale = 1.0;
    var sum = fastnoise_sum({});
    loop {{
        let plain = {};
        let own = Jet(plain.value, plain.gradient * scale);
        sum = {add};
        x *= lacunarity;
        scale *= lacunarity;
        octave += 1;
        if octave >= count {{
            break;
        }}
    }}
    let found = sum.total;
",
        number(N::Lacunarity),
        number(N::Gain),
        number(N::WeightedStrength),
        number(N::Octaves),
        number(N::Bounding),
        single(shape, "seed + octave"),
    )
}

/// The call of one octave.
fn single(shape: FastnoiseShape, seed: &str) -> String {
    let at = "fastnoise_within(x)";
    let n = shape.dimensions;
    match shape.noise {
        FastnoiseType::OpenSimplex2 if n == 2 => format!("fastnoise_simplex_2({seed}, {at})"),
        FastnoiseType::OpenSimplex2 => {
            let by_distance = matches!(shape.version, FastnoiseVersion::Csharp | FastnoiseVersion::Rust);
            format!("fastnoise_simplex_3({seed}, {at}, {by_distance}, {})", shape.version == FastnoiseVersion::Rust)
        }
        FastnoiseType::OpenSimplex2s => format!("fastnoise_simplex_smooth_{n}({seed}, {at})"),
        FastnoiseType::Cellular => {
            let rough = shape.version == FastnoiseVersion::C;
            let cells = format!("FastnoiseCellular({n}u, {}, {}, {rough})", distance(shape.distance), output(shape.output));
            format!("fastnoise_cellular({seed}, {at}, {cells}, {}, vectors)", number(N::Jitter))
        }
        FastnoiseType::Perlin => format!("fastnoise_lattice_perlin_{n}({seed}, {at})"),
        FastnoiseType::ValueCubic => format!("fastnoise_lattice_cubic_{n}({seed}, {at}, {})", number(N::CubicScale)),
        FastnoiseType::Value => format!("fastnoise_lattice_value_{n}({seed}, {at})"),
    }
}

/// The constant of `fastnoise_cellular.wgsl` for a distance function.
fn distance(distance: FastnoiseDistance) -> &'static str {
    match distance {
        FastnoiseDistance::Euclidean => "FASTNOISE_CELLULAR_EUCLIDEAN",
        FastnoiseDistance::EuclideanSquared => "FASTNOISE_CELLULAR_EUCLIDEAN_SQUARED",
        FastnoiseDistance::Manhattan => "FASTNOISE_CELLULAR_MANHATTAN",
        FastnoiseDistance::Hybrid => "FASTNOISE_CELLULAR_HYBRID",
    }
}

/// The constant for a return type.
fn output(output: FastnoiseReturn) -> &'static str {
    match output {
        FastnoiseReturn::CellValue => "FASTNOISE_CELLULAR_CELL_VALUE",
        FastnoiseReturn::Distance => "FASTNOISE_CELLULAR_DISTANCE",
        FastnoiseReturn::Distance2 => "FASTNOISE_CELLULAR_DISTANCE2",
        FastnoiseReturn::Distance2Add => "FASTNOISE_CELLULAR_DISTANCE2_ADD",
        FastnoiseReturn::Distance2Sub => "FASTNOISE_CELLULAR_DISTANCE2_SUB",
        FastnoiseReturn::Distance2Mul => "FASTNOISE_CELLULAR_DISTANCE2_MUL",
        FastnoiseReturn::Distance2Div => "FASTNOISE_CELLULAR_DISTANCE2_DIV",
    }
}

impl Printer<'_> {
    /// The call of a noise at `at{i}`.
    fn fastnoise_call(&self, shape: FastnoiseShape, Scalar(first): Scalar, vectors: Span) -> String {
        let i = self.i;
        let index = shapes(self.structure).iter().position(|&other| other == shape);
        let index = index.expect("invariant: the program contains the noise");
        let vectors = if shape.reads_vectors() { self.first(vectors) } else { "0u".to_owned() };
        format!("fastnoise_shape_{index}(table_position(at{i}), i32(key{i}.seed), {first}u, {vectors})")
    }

    /// A noise at one sample, at `at{i}`.
    pub(super) fn fastnoise(&self, shape: FastnoiseShape, numbers: Scalar, vectors: Span) -> String {
        let i = self.i;
        let noise = self.fastnoise_call(shape, numbers, vectors);
        format!("    let key{i} = table_key(frame{i});\n") + &self.result(&format!("table_world(frame{i}, {noise})"))
    }

    /// A noise at all samples of a row.
    pub(super) fn fastnoise_row(&self, shape: FastnoiseShape, numbers: Scalar, vectors: Span, frames: Span) -> String {
        let samples = format!("rest{}", self.i);
        let turns = self.in_turns(frames, &samples, "", &self.fastnoise_call(shape, numbers, vectors));
        self.row_in_turns(frames, &format!("    var {samples} = {}u;\n{turns}", self.all()))
    }
}
