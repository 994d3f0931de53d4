//! Program structure → WGSL: the only file that prints shader code. It prints the glue; the noise stands in `shaders/lib`.

use crate::gpu::wgsl::library::{LibraryError, closure};
use crate::graph::{Accumulate, Interpolation, Metric, WorleyOutput};
use crate::program::{Basis, Curve, Op, Polar, Reg, Scalar, Scope, ScopeId, Span, Specialisation, Structure, WorleyShape};
use std::fmt::Write;

/// The most evaluations that a specialised kernel holds without loops: drivers take time for each.
pub const STRAIGHT: usize = 64;

/// Whether a specialised kernel repeats its text instead of looping.
pub fn unrolls(specialisation: &Specialisation) -> bool {
    specialisation.evaluations <= STRAIGHT
}

/// The library files that a program and `roots` need, and the program's functions: scope `n` is `scope_n`, the last is the
/// program. `tables` declares what they read. With `specialisation`, what those say is printed as numbers.
///
/// # Errors
/// The library does not fit together.
pub fn program(
    structure: &Structure,
    specialisation: Option<&Specialisation>,
    roots: &[&'static str],
    tables: &str,
) -> Result<String, LibraryError> {
    let mut names = libraries(structure);
    names.extend(roots);
    let mut text = closure(&names, structure.periodic)?;
    text.push_str(tables);
    text.push_str("\n// The program.\n");
    for (index, scope) in structure.scopes.iter().enumerate() {
        text.push('\n');
        text.push_str(&function(structure, specialisation, index, scope));
    }
    Ok(text)
}

fn libraries(structure: &Structure) -> Vec<&'static str> {
    let mut names = vec!["tables"];
    for op in structure.scopes.iter().flat_map(|scope| &scope.ops) {
        match op {
            Op::Lattice(Basis::Simplex2 | Basis::Simplex3 | Basis::Simplex4, _) => names.push("simplex"),
            Op::Lattice(Basis::Permutation289, _) => {
                names.push(if structure.periodic { "permutation289_periodic" } else { "permutation289" });
            }
            Op::Lattice(Basis::Value(..) | Basis::Perlin(..), _) => names.extend(["interpolate", "lattice"]),
            Op::Lattice(Basis::Worley(..), _) => names.push("worley"),
            Op::Lattice(Basis::SineHash(_), _) => names.push("white"),
            Op::Lattice(Basis::Hexagonal | Basis::HexagonalTables(_), _) => names.push("hexagonal"),
            Op::Power { .. } => names.push("power"),
            Op::Curve { .. } => names.push("curve"),
            Op::Polar(..) => names.push("polar"),
            Op::Sines { .. } => names.push("sine"),
            Op::Turbulence { .. } => names.push("shift"),
            Op::Fractal { accumulate, .. } if !matches!(accumulate, Accumulate::Sum | Accumulate::Lerp) => names.push("fractal"),
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
            | Op::Warp { .. }
            | Op::Transform { .. }
            | Op::Slice { .. }
            | Op::Mirror { .. }
            | Op::Quantise { .. }
            | Op::At { .. } => (),
        }
    }
    names
}

/// The call of an anchored program at a displacement from its anchor.
pub fn anchored_call(structure: &Structure, displacement: &str) -> String {
    let site = if sited(structure) { "Site(vec3<u32>(0u), 0u, 0u), " } else { "" };
    format!("scope_{}({site}0u, {displacement})", structure.scopes.len() - 1)
}

/// Whether functions take the sample's index: where positions are displacements from an anchor, only centres of cells have any.
fn sited(structure: &Structure) -> bool {
    !structure.anchored() || structure.scopes.iter().any(|scope| scope.quantised)
}

fn function(structure: &Structure, specialisation: Option<&Specialisation>, index: usize, scope: &Scope) -> String {
    let site = if sited(structure) { "site: Site, " } else { "" };
    let displacement = if scope.displaced { ", displacement: vec3<f32>" } else { "" };
    let mut text = format!("fn scope_{index}({site}instance: u32{displacement}) -> Jet {{\n");
    for (i, op) in scope.ops.iter().enumerate() {
        text.push_str(&statement(structure, specialisation, scope, i, op));
    }
    let Reg(result) = scope.result;
    // Writing to a String cannot fail.
    let _ = writeln!(text, "    return v{result};\n}}");
    text
}

/// Prints one operation; its result is `v{i}`.
fn statement(structure: &Structure, specialisation: Option<&Specialisation>, scope: &Scope, i: usize, op: &Op) -> String {
    let v = |Reg(r): Reg| format!("v{r}");
    let number = |Scalar(s): Scalar| format!("table_scalar({s}u)");
    // Where the elements of an operation begin, and how many there are.
    let known = |s: u32| specialisation.and_then(|specialisation| specialisation.spans.get(s as usize));
    let first = |s: u32| known(s).map_or_else(|| format!("table_span({s}u).x"), |[first, _]| format!("{first}u"));
    let span = |s: u32| known(s).map_or_else(|| format!("table_span({s}u)"), |[first, count]| format!("vec2<u32>({first}u, {count}u)"));
    // Something for every one of those elements, their number being `k`.
    let repeated = |s: u32, body: &dyn Fn(&str) -> String| match known(s) {
        Some(&[_, count]) if specialisation.is_some_and(unrolls) => {
            (0..count).map(|k| format!("    {{\n{}    }}\n", body(&format!("{k}u")))).collect()
        }
        _ => format!("    for (var k = 0u; k < span{i}.y; k++) {{\n{}    }}\n", body("k")),
    };
    let frame = |Span(s): Span| format!("    let frame{i} = {} + instance;\n", first(s));
    let aligned = op.frames().is_some_and(|Span(s)| specialisation.is_some_and(|specialisation| specialisation.aligned[s as usize]));
    let kind = match (scope.quantised, structure.anchored(), structure.periodic) {
        (false, false, false) if aligned => "_aligned(site, ",
        (true, _, _) => "_wide(site, ",
        (false, true, _) => "_anchored(",
        (false, false, true) => "_periodic(site, ",
        (false, false, false) => "(site, ",
    };
    let cell_at = |frame: &str| match scope.displaced {
        true => format!("frame_displace(frames[{frame}], table_cell{kind}{frame}), displacement)"),
        false => format!("table_cell{kind}{frame})"),
    };
    let cell = format!("    let at{i} = {};\n", cell_at(&format!("frame{i}")));
    let outer = if scope.displaced { "displacement + " } else { "" };
    let call_at = |site: &str, ScopeId(id): ScopeId, instance: &str, displacement: &str| {
        let displacement = if structure.scopes[id as usize].displaced { format!(", {displacement}") } else { String::new() };
        format!("scope_{id}({site}{instance}{displacement})")
    };
    let passed = if sited(structure) { "site, " } else { "" };
    let call = |id: ScopeId, instance: &str, displacement: &str| call_at(passed, id, instance, displacement);
    let four = |Scalar(s): Scalar| format!("table_numbers({s}u)");
    match *op {
        Op::Constant(value) => format!("    let v{i} = jet_constant({});\n", number(value)),
        Op::Coordinate(frames) => format!("{}{cell}    let v{i} = table_coordinate(frame{i}, at{i});\n", frame(frames)),
        Op::Lattice(basis, frames) => {
            let noise = match basis {
                Basis::Simplex2 => format!("simplex_2(at{i}.cell, at{i}.fraction, table_key(frame{i}))"),
                Basis::Simplex3 => format!("simplex_3(at{i}.cell, at{i}.fraction, table_key(frame{i}))"),
                Basis::Simplex4 => {
                    format!("simplex_4(at{i}.cell, at{i}.fraction, fourth{i}.cell.x, fourth{i}.fraction.x, table_key(frame{i}))")
                }
                Basis::Permutation289 if structure.periodic => {
                    format!("permutation289_periodic(at{i}.cell, at{i}.fraction, table_key(frame{i}))")
                }
                Basis::Permutation289 => format!("permutation289_simplex(at{i}.cell, at{i}.fraction)"),
                Basis::Value(n, interpolation) => lattice("value", n, interpolation, i),
                Basis::Perlin(n, interpolation) => lattice("perlin", n, interpolation, i),
                Basis::Worley(shape, numbers) => worley(shape, numbers, i),
                Basis::SineHash(dimensions) => {
                    let cell = ["x, 0, 0", "xy, 0", "xyz"][dimensions as usize - 1];
                    format!("white_sine(point_cell(vec3<i32>(at{i}.cell.{cell}), table_key(frame{i})))")
                }
                Basis::Hexagonal => format!("hexagonal_hashed(at{i}.cell, at{i}.fraction, table_key(frame{i}))"),
                Basis::HexagonalTables(Span(s)) => {
                    let gradient = |[q, r]: [i32; 2]| {
                        format!("table_hexagonal_gradient({}, hex{i}.x + {q}, hex{i}.y + {r}, table_key(frame{i}))", first(s))
                    };
                    let gradients = [[1, -1], [1, 0], [0, 1], [-1, 1], [-1, 0], [0, -1]].map(gradient).join(", ");
                    return format!(
                        "{}{cell}    let hex{i} = hexagonal_cell(at{i}.cell, at{i}.fraction);\n    let v{i} = hexagonal_sum({gradients});\n",
                        frame(frames)
                    );
                }
            };
            if basis.dimensions() < 4 {
                return format!("{}{cell}    let v{i} = table_world(frame{i}, {noise});\n", frame(frames));
            }
            let Span(s) = frames;
            let fourth = cell_at(&format!("frame{i} + 1u"));
            let both = format!("    let frame{i} = {} + 2u * instance;\n{cell}    let fourth{i} = {fourth};\n", first(s));
            match basis {
                Basis::Simplex4 => {
                    format!("{both}    let n{i} = {noise};\n    let v{i} = table_world_4(frame{i}, n{i}.value, n{i}.gradient);\n")
                }
                _ => format!("{both}    let v{i} = table_world(frame{i}, {noise});\n"),
            }
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
        Op::Spline { x, points: Span(s) } => format!("    let v{i} = table_spline({}, {});\n", span(s), v(x)),
        Op::Curve { curve, x, numbers } => {
            format!("    let v{i} = curve_{}({}, {});\n", curve_name(curve), v(x), four(numbers))
        }
        Op::Polar(polar, frames) => {
            let name = match polar {
                Polar::Radius => "radius",
                Polar::Cosine => "cosine",
                Polar::Sine => "sine",
                Polar::Angle => "angle",
            };
            format!("{}{cell}    let v{i} = table_world(frame{i}, polar_{name}(table_position(at{i})));\n", frame(frames))
        }
        Op::Sines { dimensions, frames: Span(s), amplitudes: Span(a) } => {
            let at = cell_at("own");
            let term = |k: &str| {
                format!(
                    "        let own = span{i}.x + instance * span{i}.y + {k};
        let at = {at};
        v{i} = jet_accumulate_sum(v{i}, table_world(own, sine_{dimensions}(at.fraction)), table_series({} + {k}));
",
                    first(a)
                )
            };
            format!("    let span{i} = {};\n    var v{i} = jet_constant(0.0);\n{}", span(s), repeated(s, &term))
        }
        Op::Fractal { body, octaves: Span(s), accumulate, numbers } => {
            let octave = |k: &str| call(body, &format!("instance * span{i}.y + {k}"), "displacement");
            let amplitude = |k: &str| format!("table_series(span{i}.x + {k})");
            let span = format!("    let span{i} = {};\n", span(s));
            match accumulate_name(accumulate) {
                Ok(plain) => {
                    let start = format!("    var v{i} = jet_constant(0.0);\n");
                    let step = |k: &str| format!("        v{i} = {plain}(v{i}, {}, {});\n", octave(k), amplitude(k));
                    format!("{span}{start}{}", repeated(s, &step))
                }
                Err(kind) => {
                    let start = format!("    let numbers{i} = {};\n    var sum{i} = fractal_start();\n", four(numbers));
                    let step = |k: &str| format!("        sum{i} = fractal_{kind}(sum{i}, {}, {}, numbers{i});\n", octave(k), amplitude(k));
                    format!("{span}{start}{}    let v{i} = sum{i}.total;\n", repeated(s, &step))
                }
            }
        }
        Op::Warp { body, by, frames } => {
            let by = by.map(v).join(", ");
            let inner = call(body, "instance", &format!("moved{i}"));
            format!(
                "{}    let moved{i} = {outer}table_displacement(frame{i}, {by});
    let v{i} = table_displaced(frame{i}, {inner}, {by});
",
                frame(frames)
            )
        }
        Op::Turbulence { body, by, frames: Span(s) } => {
            let step = |axis: u32| format!("shift_jet({}, shift{i})", call(by, &format!("3u * own + {axis}u"), "moved"));
            let inner = call(body, "instance", &format!("{outer}shift{i}.value"));
            let octave = |k: &str| {
                format!(
                    "        let own = instance * span{i}.y + {k};
        let moved = {outer}shift{i}.value;
        let x = {};
        let y = {};
        let z = {};
        shift{i} = shift_add(shift{i}, frames[span{i}.x + own], x, y, z);
",
                    step(0),
                    step(1),
                    step(2)
                )
            };
            let sum = repeated(s, &octave);
            let span = span(s);
            format!("    let span{i} = {span};\n    var shift{i} = shift_none();\n{sum}    let v{i} = shift_jet({inner}, shift{i});\n")
        }
        Op::Transform { body } => format!("    let v{i} = {};\n", call(body, "instance", "displacement")),
        Op::Slice { body, frames } => {
            let inner = call(body, "instance", &format!("table_inward(frame{i}, displacement)"));
            format!("{}    let v{i} = table_world(frame{i}, {inner});\n", frame(frames))
        }
        Op::Mirror { body, frames } => {
            let inner = call(body, &format!("2u * instance + select(0u, 1u, at{i}.cell.x < 0)"), "displacement");
            format!("{}{cell}    let v{i} = {inner};\n", frame(frames))
        }
        Op::Quantise { body, frames } => {
            let inner = call_at(&format!("table_quantised(site, frame{i}, at{i}), "), body, "instance", "");
            format!("{}{cell}    let v{i} = jet_constant({inner}.value);\n", frame(frames))
        }
        Op::At { body, by } => {
            let values = by.map(|reg| format!("{}.value", v(reg))).join(", ");
            let inner = call(body, "instance", &format!("vec3<f32>({values})"));
            format!("    let v{i} = jet_composed({inner}, {});\n", by.map(v).join(", "))
        }
    }
}

fn curve_name(curve: Curve) -> &'static str {
    match curve {
        Curve::Smoothstep => "smoothstep",
        Curve::Terrace => "terrace",
        Curve::Threshold => "threshold",
        Curve::Gain => "gain",
        Curve::Sine => "sine",
        Curve::Normal => "normal",
        Curve::WeibullQuantile => "weibull_quantile",
        Curve::NormalQuantile => "normal_quantile",
    }
}

/// The function that adds an octave to a jet; for kinds that carry a weight, the end of its name.
fn accumulate_name(accumulate: Accumulate) -> Result<&'static str, &'static str> {
    match accumulate {
        Accumulate::Sum => Ok("jet_accumulate_sum"),
        Accumulate::Lerp => Ok("jet_accumulate_lerp"),
        Accumulate::Weighted => Err("weighted"),
        Accumulate::Billow => Err("billow"),
        Accumulate::Ridged => Err("ridged"),
        Accumulate::Pingpong => Err("pingpong"),
        Accumulate::Multifractal => Err("multifractal"),
        Accumulate::Hybrid => Err("hybrid"),
        Accumulate::Heterogeneous => Err("heterogeneous"),
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
        ["x", "y", "z"][..dimensions.min(3) as usize].iter().map(|axis| format!(", interpolate_{weight}(at{i}.fraction.{axis})")).collect();
    if dimensions == 4 {
        let fourth = format!("fourth{i}.cell.x, fourth{i}.fraction.x");
        let weights = format!("{weights}, interpolate_{weight}(fourth{i}.fraction.x)");
        return format!("lattice_{noise}_4(at{i}.cell, at{i}.fraction, {fourth}, table_key(frame{i}){weights})");
    }
    format!("lattice_{noise}_{dimensions}(at{i}.cell, at{i}.fraction, table_key(frame{i}){weights})")
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
    let search = format!(
        "worley_new(at{i}.cell, at{i}.fraction, table_key(frame{i}), {dimensions}u, {metric}u, {nearest}u, table_scalar({first}u))"
    );
    match output {
        WorleyOutput::Distance => {
            let weight = |k| if k <= nearest { format!(", table_scalar({}u)", first + k) } else { ", 0.0".to_owned() };
            let weights: String = (1..=4).map(weight).collect();
            format!("worley_distance({search}, vec4<f32>({}))", &weights[2..])
        }
        WorleyOutput::Cell => format!("worley_value({search})"),
        WorleyOutput::Edge => format!("worley_edge({search})"),
    }
}
