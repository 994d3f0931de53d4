//! Program structure → WGSL: the only file that prints shader code. It prints the glue; the noise stands in `shaders/lib`.

use super::library::{LibraryError, closure};
use crate::graph::{Accumulate, Interpolation, Metric, WorleyOutput};
use crate::program::{Basis, Op, Reg, Scalar, Scope, ScopeId, Span, Structure, WorleyShape};
use std::fmt::Write;

/// Edge of the square of samples that one workgroup computes.
pub const WORKGROUP: u32 = 8;

/// The kernel for a structure: one dispatch fills `output` with one value per sample, or with value and gradient (4
/// numbers) per sample.
///
/// # Errors
/// The library does not fit together.
pub fn kernel(structure: &Structure, gradient: bool) -> Result<String, LibraryError> {
    let mut text = closure(&libraries(structure))?;
    text.push_str("\n// The program.\n\n@group(0) @binding(7) var<storage, read_write> output: array<f32>;\n");
    for (index, scope) in structure.scopes.iter().enumerate() {
        text.push('\n');
        text.push_str(&function(structure, index, scope));
    }
    text.push_str(&entry(structure.scopes.len() - 1, gradient));
    Ok(text)
}

fn libraries(structure: &Structure) -> Vec<&'static str> {
    let mut names = vec!["tables"];
    for op in structure.scopes.iter().flat_map(|scope| &scope.ops) {
        match op {
            Op::Lattice(Basis::Simplex2 | Basis::Simplex3, _) => names.push("simplex"),
            Op::Lattice(Basis::Permutation289, _) => names.push("permutation289"),
            Op::Lattice(Basis::Value(..) | Basis::Perlin(..), _) => names.extend(["interpolate", "lattice"]),
            Op::Lattice(Basis::Worley(..), _) => names.push("worley"),
            Op::Power { .. } => names.push("power"),
            Op::Constant(_)
            | Op::Coordinate(_)
            | Op::ScaleOffset { .. }
            | Op::Clamp { .. }
            | Op::Abs(_)
            | Op::Add(..)
            | Op::Multiply(..)
            | Op::Min(..)
            | Op::Max(..)
            | Op::Blend { .. }
            | Op::Spline { .. }
            | Op::Fractal { .. }
            | Op::Warp { .. } => (),
        }
    }
    names
}

fn entry(root: usize, gradient: bool) -> String {
    let numbers = if gradient { &["value", "gradient.x", "gradient.y", "gradient.z"][..] } else { &["value"] };
    let count = numbers.len();
    let store = |(i, number)| format!("    output[{count}u * sample + {i}u] = real_unsigned_zero(result.{number});\n");
    let stores: String = numbers.iter().enumerate().map(store).collect();
    format!(
        "
@compute @workgroup_size({WORKGROUP}, {WORKGROUP}, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {{
    if any(id >= dispatch.size) {{
        return;
    }}
    let result = scope_{root}(table_site(id), 0u);
    let sample = (id.z * dispatch.size.y + id.y) * dispatch.size.x + id.x;
{stores}}}
"
    )
}

fn function(structure: &Structure, index: usize, scope: &Scope) -> String {
    let displacement = if scope.displaced { ", displacement: vec3<f32>" } else { "" };
    let mut text = format!("fn scope_{index}(site: Site, row: u32{displacement}) -> Jet {{\n");
    for (i, op) in scope.ops.iter().enumerate() {
        text.push_str(&statement(structure, scope, i, op));
    }
    let Reg(result) = scope.result;
    // Writing to a String cannot fail.
    let _ = writeln!(text, "    return v{result};\n}}");
    text
}

/// Prints one operation; its result is `v{i}`.
fn statement(structure: &Structure, scope: &Scope, i: usize, op: &Op) -> String {
    let v = |Reg(r): Reg| format!("v{r}");
    let number = |Scalar(s): Scalar| format!("scalars[{s}]");
    let row = |Span(s): Span| format!("    let row{i} = spans[{s}].x + row;\n");
    let cell = if scope.displaced {
        format!("    let at{i} = table_cell_displaced(site, row{i}, displacement);\n")
    } else {
        format!("    let at{i} = table_cell(site, row{i});\n")
    };
    let call = |ScopeId(id): ScopeId, row: &str, displacement: &str| {
        let displacement = if structure.scopes[id as usize].displaced { format!(", {displacement}") } else { String::new() };
        format!("scope_{id}(site, {row}{displacement})")
    };
    match *op {
        Op::Constant(value) => format!("    let v{i} = jet_constant({});\n", number(value)),
        Op::Coordinate(frames) => format!("{}{cell}    let v{i} = table_coordinate(row{i}, at{i});\n", row(frames)),
        Op::Lattice(basis, frames) => {
            let noise = match basis {
                Basis::Simplex2 => format!("simplex_2(at{i}.cell, at{i}.fraction, frames[row{i}].seed)"),
                Basis::Simplex3 => format!("simplex_3(at{i}.cell, at{i}.fraction, frames[row{i}].seed)"),
                Basis::Permutation289 => format!("permutation289_simplex(at{i}.cell, at{i}.fraction)"),
                Basis::Value(n, interpolation) => lattice("value", n, interpolation, i),
                Basis::Perlin(n, interpolation) => lattice("perlin", n, interpolation, i),
                Basis::Worley(shape, numbers) => worley(shape, numbers, i),
            };
            format!("{}{cell}    let v{i} = table_world(row{i}, {noise});\n", row(frames))
        }
        Op::ScaleOffset { x, scale, offset } => {
            format!("    let v{i} = jet_scale_offset({}, {}, {});\n", v(x), number(scale), number(offset))
        }
        Op::Clamp { x, low, high } => format!("    let v{i} = jet_clamp({}, {}, {});\n", v(x), number(low), number(high)),
        Op::Abs(x) => format!("    let v{i} = jet_abs({});\n", v(x)),
        Op::Power { x, exponent } => format!("    let v{i} = power_signed({}, {});\n", v(x), number(exponent)),
        Op::Add(a, b) => format!("    let v{i} = jet_add({}, {});\n", v(a), v(b)),
        Op::Multiply(a, b) => format!("    let v{i} = jet_multiply({}, {});\n", v(a), v(b)),
        Op::Min(a, b) => format!("    let v{i} = jet_min({}, {});\n", v(a), v(b)),
        Op::Max(a, b) => format!("    let v{i} = jet_max({}, {});\n", v(a), v(b)),
        Op::Blend { a, b, mask } => format!("    let v{i} = jet_blend({}, {}, {});\n", v(a), v(b), v(mask)),
        Op::Spline { x, points: Span(s) } => format!("    let v{i} = table_spline(spans[{s}], {});\n", v(x)),
        Op::Fractal { body, octaves: Span(s), accumulate } => {
            let add = match accumulate {
                Accumulate::Sum => "jet_accumulate_sum",
                Accumulate::Lerp => "jet_accumulate_lerp",
            };
            let octave = call(body, &format!("row * span{i}.y + k"), "displacement");
            format!(
                "    let span{i} = spans[{s}];
    var v{i} = jet_constant(0.0);
    for (var k = 0u; k < span{i}.y; k++) {{
        v{i} = {add}(v{i}, {octave}, octaves[span{i}.x + k]);
    }}
"
            )
        }
        Op::Warp { body, by, frames } => {
            let by = by.map(v).join(", ");
            let outer = if scope.displaced { "displacement + " } else { "" };
            let inner = call(body, "row", &format!("moved{i}"));
            format!(
                "{}    let moved{i} = {outer}table_displacement(row{i}, {by});
    let v{i} = table_displaced(row{i}, {inner}, {by});
",
                row(frames)
            )
        }
    }
}

/// The call of a cubic lattice's noise: the weights along its axes are computed by the interpolation that was chosen.
fn lattice(noise: &str, dimensions: u32, interpolation: Interpolation, i: usize) -> String {
    let weight = match interpolation {
        Interpolation::Truncated => "truncated",
        Interpolation::Linear => "linear",
        Interpolation::Cubic => "cubic",
        Interpolation::Quintic => "quintic",
        Interpolation::Cosine => "cosine",
    };
    let weights: String =
        ["x", "y", "z"][..dimensions as usize].iter().map(|axis| format!(", interpolate_{weight}(at{i}.fraction.{axis})")).collect();
    format!("lattice_{noise}_{dimensions}(at{i}.cell, at{i}.fraction, frames[row{i}].seed{weights})")
}

/// The call of a Worley noise. Its shape goes as literals, so that a kernel holds only what its shape needs.
fn worley(shape: WorleyShape, Scalar(first): Scalar, i: usize) -> String {
    let WorleyShape { dimensions, metric, output, nearest } = shape;
    let metric = match metric {
        Metric::Euclidean => 0,
        Metric::Squared => 1,
        Metric::Manhattan => 2,
        Metric::Chebyshev => 3,
    };
    let search =
        format!("worley_new(at{i}.cell, at{i}.fraction, frames[row{i}].seed, {dimensions}u, {metric}u, {nearest}u, scalars[{first}])");
    match output {
        WorleyOutput::Distance => {
            let weight = |k| if k <= nearest { format!(", scalars[{}]", first + k) } else { ", 0.0".to_owned() };
            let weights: String = (1..=4).map(weight).collect();
            format!("worley_distance({search}, vec4<f32>({}))", &weights[2..])
        }
        WorleyOutput::Cell => format!("worley_value({search})"),
        WorleyOutput::Edge => format!("worley_edge({search})"),
    }
}
