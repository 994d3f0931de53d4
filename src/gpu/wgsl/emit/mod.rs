//! Prints a program's structure as WGSL: the calls between functions. The noises themselves are in `shaders/lib`.
//!
//! | file | prints |
//! |---|---|
//! | this file | functions, numbers, sums and curves |
//! | `row` | nothing: the number of samples per function |
//! | `coordinate` | lattice coordinates |
//! | `lattice` | noises on lattices |
//! | `cellular` | cellular noise, whose samples take turns |
//! | `shared` | those whose samples share lattice points along a row |
//! | `elsewhere` | operations that evaluate another scope at other positions |

mod cellular;
mod coordinate;
mod elsewhere;
mod fastnoise;
mod lattice;
mod row;
mod shared;

pub use row::SamplesPerCall;

use crate::gpu::wgsl::library::{LibraryError, closure};
use crate::program::{Accumulate, CoordinatePart, Curve, Op, Polar, Reg, Scalar, Scope, ScopeId, Span, Specialisation, Structure};

/// Prints the library files that a program and `roots` need, and the program's functions. Scope `n` is `scope_n`, and `close_n`
/// for close rows; the last one is the program. `tables` declares the tables that they read. With `specialisation`, its numbers
/// are printed as constants. Functions compute a row of consecutive samples along x, as `Jets`, or a `Jet` for one sample. The
/// program returns its `outputs`, several as a structure.
///
/// # Errors
/// Returns an error if a library file requires an unknown file or itself.
pub fn program(
    structure: &Structure,
    outputs: &[Reg],
    specialisation: Option<&Specialisation>,
    row: u32,
    roots: &[&'static str],
    tables: &str,
) -> Result<String, LibraryError> {
    let mut names = libraries(structure);
    names.extend(roots);
    let mut text = closure(&names, structure.periodic)?;
    text.push_str(tables);
    text.push_str("\n// The program.\n");
    if row > 1 {
        text.push_str(&row_types(structure, row));
    }
    if outputs.len() > 1 {
        text.push_str(&members("Outputs", "o", jets(row), outputs.len()));
    }
    text.push_str(&fastnoise::functions(structure));
    for (index, scope) in structure.scopes.iter().enumerate() {
        let results = if index + 1 == structure.scopes.len() { outputs } else { std::slice::from_ref(&scope.result) };
        text.push('\n');
        text.push_str(&function(structure, specialisation, row, index, results, false));
        if shared::shares(structure, specialisation, ScopeId(index as u32), row) {
            text.push('\n');
            text.push_str(&function(structure, specialisation, row, index, results, true));
        }
    }
    Ok(text)
}

fn libraries(structure: &Structure) -> Vec<&'static str> {
    let mut names = vec!["tables"];
    for op in structure.scopes.iter().flat_map(|scope| &scope.ops) {
        match op {
            Op::Lattice(basis, _) => names.extend(basis.facts(structure.periodic).libraries),
            Op::Power { .. } => names.push("power"),
            Op::Curve { .. } => names.push("curve"),
            Op::Raster { .. } => names.push("raster"),
            Op::Example { .. } => names.extend(["example", "raster"]),
            Op::Polar(..) => names.push("polar"),
            Op::Phasor { .. } => names.push("phasor"),
            Op::Sines { .. } => names.push("sine"),
            Op::Turbulence { .. } => names.push("shift"),
            Op::Stamps { .. } => names.push("stamps"),
            Op::Fractal { accumulate, .. } if !matches!(accumulate, Accumulate::Sum | Accumulate::Lerp) => names.push("fractal"),
            Op::Constant(_)
            | Op::Coordinate(..)
            | Op::Derivative { .. }
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
    let site = if sited(structure) { "Site(vec3<u32>(0u), 0u), " } else { "" };
    format!("scope_{}({site}0u, {displacement})", structure.scopes.len() - 1)
}

/// Whether functions have the sample's index as parameter. If positions are displacements from an anchor, only centres of cells
/// have an index.
fn sited(structure: &Structure) -> bool {
    !structure.anchored() || structure.scopes.iter().any(|scope| scope.quantised)
}

/// The parameter and result types of functions of several samples.
fn row_types(structure: &Structure, row: u32) -> String {
    let of = |name: &str, element: &str| members(name, "s", element, row as usize);
    let displaced = structure.scopes.iter().any(|scope| scope.displaced);
    of("Jets", "Jet") + &if displaced { of("Displacements", "vec3<f32>") } else { String::new() }
}

/// A structure with `count` members of one type, named by a letter and their number.
fn members(name: &str, letter: &str, element: &str, count: usize) -> String {
    let members: String = (0..count).map(|k| format!("    {letter}{k}: {element},\n")).collect();
    format!("\nstruct {name} {{\n{members}}}\n")
}

/// The type of one output at the samples of a row.
fn jets(row: u32) -> &'static str {
    if row > 1 { "Jets" } else { "Jet" }
}

/// The function of a scope that returns these results.
fn function(
    structure: &Structure,
    specialisation: Option<&Specialisation>,
    row: u32,
    index: usize,
    results: &[Reg],
    close: bool,
) -> String {
    let scope = &structure.scopes[index];
    let displacements = if row > 1 { "Displacements" } else { "vec3<f32>" };
    let returned = if results.len() > 1 { "Outputs" } else { jets(row) };
    let site = if sited(structure) { "site: Site, " } else { "" };
    let displacement = if scope.displaced { format!(", displacement: {displacements}") } else { String::new() };
    let name = if close { "close" } else { "scope" };
    let mut text = format!("fn {name}_{index}({site}instance: u32{displacement}) -> {returned} {{\n");
    for (i, op) in scope.ops.iter().enumerate() {
        text.push_str(&Printer { structure, specialisation, scope, i, op, row, sample: 0, close }.statement());
    }
    let output = |&Reg(result): &Reg| {
        let samples: Vec<String> = (0..row).map(|sample| format!("v{result}{}", of_sample(row, sample))).collect();
        if row > 1 { format!("Jets({})", samples.join(", ")) } else { samples.concat() }
    };
    let all: Vec<String> = results.iter().map(output).collect();
    let all = if all.len() > 1 { format!("Outputs({})", all.join(", ")) } else { all.concat() };
    text.push_str(&format!("    return {all};\n}}\n"));
    text
}

/// The suffix of a sample's names in a function of `row` samples.
fn of_sample(row: u32, sample: u32) -> String {
    if row > 1 { format!("_{sample}") } else { String::new() }
}

/// An operation of a scope to print. Its result is `v{own}`, one for each sample of the function's row.
#[derive(Clone, Copy)]
struct Printer<'a> {
    structure: &'a Structure,
    specialisation: Option<&'a Specialisation>,
    scope: &'a Scope,
    i: usize,
    op: &'a Op,
    /// Consecutive samples along x, and the one that lines are printed for.
    row: u32,
    sample: u32,
    /// Whether the function is for close rows.
    close: bool,
}

fn number(Scalar(s): Scalar) -> String {
    format!("table_scalar({s}u)")
}

fn four(Scalar(s): Scalar) -> String {
    format!("table_numbers({s}u)")
}

impl Printer<'_> {
    fn statement(&self) -> String {
        let i = self.i;
        let each = |expression: &dyn Fn(&Self) -> String| self.each(|sample| sample.result(&expression(sample)));
        let one = |function: &str, x: Reg, more: &str| each(&|sample| format!("{function}({}{more})", sample.v(x)));
        let two = |function: &str, a: Reg, b: Reg| each(&|sample| format!("{function}({}, {})", sample.v(a), sample.v(b)));
        let located = |frames: Span, expression: &dyn Fn(&str) -> String| {
            self.frame(frames) + &self.each(|sample| sample.cell() + &sample.result(&expression(&format!("at{}", sample.own()))))
        };
        match *self.op {
            Op::Constant(value) => each(&|_| format!("jet_constant({})", number(value))),
            Op::ScaleOffset { x, scale, offset } => one("jet_scale_offset", x, &format!(", {}, {}", number(scale), number(offset))),
            Op::Clamp { x, low, high } => one("jet_clamp", x, &format!(", {}, {}", number(low), number(high))),
            Op::Abs(x) => one("jet_abs", x, ""),
            Op::Power { x, exponent } => one("power_signed", x, &format!(", {}", number(exponent))),
            Op::Add(a, b) => two("jet_add", a, b),
            Op::Multiply(a, b) => two("jet_multiply", a, b),
            Op::Min(a, b) => two("jet_min", a, b),
            Op::Max(a, b) => two("jet_max", a, b),
            Op::Blend { a, b, mask } => each(&|sample| format!("jet_blend({}, {}, {})", sample.v(a), sample.v(b), sample.v(mask))),
            Op::Spline { x, points } => each(&|sample| format!("table_spline({}, {})", self.span(points), sample.v(x))),
            Op::Curve { curve, x, numbers } => one(&format!("curve_{}", curve_name(curve)), x, &format!(", {}", four(numbers))),
            Op::Coordinate(part, frames) => {
                let function = match part {
                    CoordinatePart::Whole => "table_coordinate",
                    CoordinatePart::Fraction => "table_fraction",
                };
                located(frames, &|at| format!("{function}(frame{i}, {at})"))
            }
            Op::Raster { sampling, outside, frames, numbers: [place, size], fill, .. } => {
                let (first, size, fill) = (self.first(place), self.span(size), number(fill));
                let raster = format!("Raster({first}, vec2<i32>({size}), {}u)", outside as u32);
                located(frames, &|at| format!("table_world(frame{i}, raster_{sampling}({raster}, {at}.cell.xy, {at}.fraction.xy, {fill}))"))
            }
            Op::Example { sampling, frames, spans: [place, size], numbers: Scalar(numbers), .. } => {
                let raster = format!("Raster({}, vec2<i32>({}), 0u)", self.first(place), self.span(size));
                let numbers = format!("{}, {}", four(Scalar(numbers)), four(Scalar(numbers + 4)));
                self.frame(frames)
                    + &self.each(|sample| {
                        let (own, cell) = (sample.own(), sample.cell());
                        let part = |corner: &str| format!("raster_{sampling}({raster}, t{own}.{corner}.cell, t{own}.{corner}.fraction, 0.0)");
                        let parts = ["a", "b", "c"].map(part).join(", ");
                        let result = sample.result(&format!("table_world(frame{i}, example_blend(t{own}, {parts}))"));
                        format!(
                            "{cell}    let t{own} = example_triangle(at{own}.cell, at{own}.fraction, table_key(frame{i}), example_numbers({numbers}));
{result}"
                        )
                    })
            }
            Op::Polar(polar, frames) => {
                located(frames, &|at| format!("table_world(frame{i}, polar_{}(table_position({at})))", polar_name(polar)))
            }
            Op::Phasor { dimensions, profile, frames, along, frequency, slopes, numbers } => {
                let profile = format!("PHASOR_{}", profile.name().to_uppercase());
                self.frame(frames) + &self.each(|sample| {
                    let own = sample.own();
                    let value = |input: Reg| format!("{}.value", sample.v(input));
                    let vector = |of: [Reg; 3]| format!("vec3<f32>({})", of.map(value).join(", "));
                    let rest = match slopes {
                        Some(slopes) => format!("true, {}", slopes.map(vector).join(", ")),
                        None => format!("false, {}", ["vec3<f32>(0.0)"; 4].join(", ")),
                    };
                    let cell = sample.cell();
                    let waves = format!("PhasorWaves({}, {}, p{own}.x, {rest})", vector(along), value(frequency));
                    let noise = format!(
                        "phasor_noise(at{own}.cell, at{own}.fraction, table_key(frame{i}), {dimensions}u, {profile}, w{own}, p{own}.yzw)"
                    );
                    let result = sample.result(&format!("table_world(frame{i}, {noise})"));
                    format!("{cell}    let p{own} = {};\n    let w{own} = {waves};\n{result}", four(numbers))
                })
            }
            Op::Sines { dimensions, frames, amplitudes } => self.sines(dimensions, frames, amplitudes),
            Op::Lattice(basis, frames) => self.lattice(basis, frames),
            Op::Derivative { x, axis, frames } => {
                let along = |sample: &Self| format!("jet_constant(table_derivatives(frame{i}, {}).{axis})", sample.v(x));
                self.frame(frames) + &each(&|sample| along(sample))
            }
            Op::Fractal { body, octaves, accumulate, numbers } => self.fractal(body, octaves, accumulate, numbers),
            Op::Warp { body, by, frames } => self.warp(body, by, frames),
            Op::Turbulence { body, by, frames } => self.turbulence(body, by, frames),
            Op::Transform { body } => self.transform(body),
            Op::Slice { body, frames } => self.slice(body, frames),
            Op::Mirror { body, frames } => self.mirror(body, frames),
            Op::Quantise { body, frames } => self.quantise(body, frames),
            Op::Stamps { body, combine, priority, frames, numbers } => self.stamps(body, combine, priority, frames, numbers),
            Op::At { body, by } => self.at(body, by),
        }
    }

    /// Lines for every sample of the row.
    fn each(&self, lines: impl Fn(&Self) -> String) -> String {
        (0..self.row).map(|sample| lines(&Printer { sample, ..*self })).collect()
    }

    /// The suffix of the sample's names for this operation.
    fn own(&self) -> String {
        format!("{}{}", self.i, of_sample(self.row, self.sample))
    }

    /// The suffix of the previous sample's names.
    fn before(&self) -> Option<String> {
        self.sample.checked_sub(1).map(|sample| Printer { sample, ..*self }.own())
    }

    /// The result of an operation at the sample.
    fn v(&self, Reg(r): Reg) -> String {
        format!("v{r}{}", of_sample(self.row, self.sample))
    }

    /// The sample's component of a name that holds the whole row.
    fn of(&self, name: &str) -> String {
        if self.row > 1 { format!("{name}.s{}", self.sample) } else { name.to_owned() }
    }

    /// The sample's displacement.
    fn displacement(&self) -> String {
        self.of("displacement")
    }

    /// The line that assigns the operation's result at the sample.
    fn result(&self, expression: &str) -> String {
        format!("    let v{} = {expression};\n", self.own())
    }

    /// The first index and number of an operation's elements, if the kernel is specialised to them.
    fn known(&self, Span(s): Span) -> Option<[u32; 2]> {
        self.specialisation.and_then(|specialisation| specialisation.spans.get(s as usize).copied())
    }

    /// The first index of an operation's elements.
    fn first(&self, span: Span) -> String {
        self.known(span).map_or_else(|| format!("table_span({}u).x", span.0), |[first, _]| format!("{first}u"))
    }

    /// The first index and number, as a vector.
    fn span(&self, span: Span) -> String {
        self.known(span).map_or_else(|| format!("table_span({}u)", span.0), |[first, count]| format!("vec2<u32>({first}u, {count}u)"))
    }

    /// Lines for every element of `span{i}`, whose number is `k`; there is at least one. They are a loop even if the count is known:
    /// drivers took up to ten times as long for unrolled text, and the result was slower. The loop tests at its end, because lavapipe
    /// goes through the rest of a loop that it leaves.
    fn repeated(&self, body: &str) -> String {
        let i = self.i;
        format!(
            "    var k{i} = 0u;
    loop {{
        let k = k{i};
{body}        k{i} += 1u;
        if k{i} >= span{i}.y {{
            break;
        }}
    }}
"
        )
    }

    /// The line for `frame{i}`, the operation's frame in this instance of the scope.
    fn frame(&self, frames: Span) -> String {
        format!("    let frame{} = {} + instance;\n", self.i, self.first(frames))
    }

    fn sines(&self, dimensions: u32, frames: Span, amplitudes: Span) -> String {
        let (i, first) = (self.i, self.first(amplitudes));
        let shared =
            format!("        let own = span{i}.x + instance * span{i}.y + k;\n        let amplitude = table_series({first} + k);\n");
        let terms = self.each(|sample| {
            let (sum, cell) = (format!("sum{}", sample.own()), sample.cell_in("at", "own"));
            let term = format!("table_world(own, sine_{dimensions}(at{}.fraction))", sample.own());
            format!("{cell}        {sum} = jet_accumulate_sum({sum}, {term}, amplitude);\n")
        });
        let start = self.each(|sample| format!("    var sum{} = jet_constant(0.0);\n", sample.own()));
        let end = self.each(|sample| sample.result(&format!("sum{}", sample.own())));
        // lavapipe unrolls a short loop that tests first.
        let sum = format!("    for (var k = 0u; k < span{i}.y; k++) {{\n{shared}{terms}    }}\n");
        format!("    let span{i} = {};\n{start}{sum}{end}", self.span(frames))
    }

    /// The line for `name`: a scope at every sample of the row, each with a displacement.
    fn call(&self, name: &str, id: ScopeId, instance: &str, displacement: impl Fn(&Self) -> String) -> String {
        self.call_at(if sited(self.structure) { "site, " } else { "" }, name, id, instance, displacement)
    }

    fn call_at(&self, site: &str, name: &str, ScopeId(id): ScopeId, instance: &str, displacement: impl Fn(&Self) -> String) -> String {
        let displacement = match (self.structure.scopes[id as usize].displaced, self.row) {
            (false, _) => String::new(),
            (true, 1) => format!(", {}", displacement(self)),
            (true, row) => {
                let all: Vec<String> = (0..row).map(|sample| displacement(&Printer { sample, ..*self })).collect();
                format!(", Displacements({})", all.join(", "))
            }
        };
        format!("    let {name} = scope_{id}({site}{instance}{displacement});\n")
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

fn polar_name(polar: Polar) -> &'static str {
    match polar {
        Polar::Radius => "radius",
        Polar::Cosine => "cosine",
        Polar::Sine => "sine",
        Polar::Angle => "angle",
    }
}
