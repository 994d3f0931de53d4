//! Program structure → WGSL. What is printed is the glue between functions; the noise itself stands in `shaders/lib`.
//!
//! | file | prints |
//! |---|---|
//! | here | functions, numbers, sums and curves |
//! | `lattice` | noises on lattices |
//! | `elsewhere` | operations that evaluate another scope at other positions |

mod elsewhere;
mod lattice;

use crate::gpu::wgsl::library::{LibraryError, closure};
use crate::graph::Accumulate;
use crate::program::{Basis, Curve, Op, Part, Polar, Reg, Scalar, Scope, ScopeId, Span, Specialisation, Structure};

/// The most evaluations that a specialised kernel holds without loops: drivers take time for each.
pub const STRAIGHT: usize = 64;

/// Whether a specialised kernel repeats its text instead of looping.
pub fn unrolls(specialisation: &Specialisation) -> bool {
    specialisation.evaluations <= STRAIGHT
}

/// The library files that a program and `roots` need, and the program's functions: scope `n` is `scope_n`, the last is the
/// program. `tables` declares what they read. With `specialisation`, what that knows is printed as numbers.
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
            Op::Lattice(Basis::Simplex1 | Basis::Simplex2 | Basis::Simplex3, _) => names.push("simplex"),
            Op::Lattice(Basis::Simplex4, _) => names.push("skewed"),
            Op::Lattice(Basis::Permutation289, _) => {
                names.push(if structure.periodic { "permutation289_periodic" } else { "permutation289" });
            }
            Op::Lattice(Basis::Value(..) | Basis::ValueTable(..) | Basis::Perlin(..), _) => names.extend(["interpolate", "lattice"]),
            Op::Lattice(Basis::Worley(..), _) => names.push("worley"),
            Op::Lattice(Basis::OneLiner(..), _) => names.push("white"),
            Op::Lattice(Basis::Hexagonal | Basis::HexagonalTables(_), _) => names.push("hexagonal"),
            Op::Power { .. } => names.push("power"),
            Op::Curve { .. } => names.push("curve"),
            Op::Raster { .. } => names.push("raster"),
            Op::Polar(..) => names.push("polar"),
            Op::Sines { .. } => names.push("sine"),
            Op::Turbulence { .. } => names.push("shift"),
            Op::Fractal { accumulate, .. } if !matches!(accumulate, Accumulate::Sum | Accumulate::Lerp) => names.push("fractal"),
            Op::Constant(_)
            | Op::Coordinate(..)
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
        text.push_str(&Printer { structure, specialisation, scope, i, op }.statement());
    }
    let Reg(result) = scope.result;
    text.push_str(&format!("    return v{result};\n}}\n"));
    text
}

/// One operation of a scope, about to be printed; its result is `v{i}`.
struct Printer<'a> {
    structure: &'a Structure,
    specialisation: Option<&'a Specialisation>,
    scope: &'a Scope,
    i: usize,
    op: &'a Op,
}

/// The result of an operation.
fn v(Reg(r): Reg) -> String {
    format!("v{r}")
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
        match *self.op {
            Op::Constant(value) => self.result(&format!("jet_constant({})", number(value))),
            Op::ScaleOffset { x, scale, offset } => {
                self.result(&format!("jet_scale_offset({}, {}, {})", v(x), number(scale), number(offset)))
            }
            Op::Clamp { x, low, high } => self.result(&format!("jet_clamp({}, {}, {})", v(x), number(low), number(high))),
            Op::Abs(x) => self.result(&format!("jet_abs({})", v(x))),
            Op::Power { x, exponent } => self.result(&format!("power_signed({}, {})", v(x), number(exponent))),
            Op::Add(a, b) => self.result(&format!("jet_add({}, {})", v(a), v(b))),
            Op::Multiply(a, b) => self.result(&format!("jet_multiply({}, {})", v(a), v(b))),
            Op::Min(a, b) => self.result(&format!("jet_min({}, {})", v(a), v(b))),
            Op::Max(a, b) => self.result(&format!("jet_max({}, {})", v(a), v(b))),
            Op::Blend { a, b, mask } => self.result(&format!("jet_blend({}, {}, {})", v(a), v(b), v(mask))),
            Op::Spline { x, points } => self.result(&format!("table_spline({}, {})", self.span(points), v(x))),
            Op::Curve { curve, x, numbers } => self.result(&format!("curve_{}({}, {})", curve_name(curve), v(x), four(numbers))),
            Op::Coordinate(part, frames) => {
                let call = match part {
                    Part::Whole => format!("table_coordinate(frame{i}, at{i})"),
                    Part::Fraction => format!("table_fraction(frame{i}, at{i})"),
                };
                self.located(frames) + &self.result(&call)
            }
            Op::Raster { sampling, outside, frames, numbers: [place, size], fill, .. } => {
                let (first, size, fill) = (self.first(place), self.span(size), number(fill));
                let raster = format!("Raster({first}, vec2<i32>({size}), {}u)", outside as u32);
                let call = format!("raster_{sampling}({raster}, at{i}.cell.xy, at{i}.fraction.xy, {fill})");
                self.located(frames) + &self.result(&format!("table_world(frame{i}, {call})"))
            }
            Op::Polar(polar, frames) => {
                let call = format!("table_world(frame{i}, polar_{}(table_position(at{i})))", polar_name(polar));
                self.located(frames) + &self.result(&call)
            }
            Op::Sines { dimensions, frames, amplitudes } => self.sines(dimensions, frames, amplitudes),
            Op::Lattice(basis, frames) => self.lattice(basis, frames),
            Op::Fractal { body, octaves, accumulate, numbers } => self.fractal(body, octaves, accumulate, numbers),
            Op::Warp { body, by, frames } => self.warp(body, by, frames),
            Op::Turbulence { body, by, frames } => self.turbulence(body, by, frames),
            Op::Transform { body } => self.result(&self.call(body, "instance", "displacement")),
            Op::Slice { body, frames } => self.slice(body, frames),
            Op::Mirror { body, frames } => self.mirror(body, frames),
            Op::Quantise { body, frames } => self.quantise(body, frames),
            Op::At { body, by } => self.at(body, by),
        }
    }

    /// The line that gives the operation its result.
    fn result(&self, expression: &str) -> String {
        format!("    let v{} = {expression};\n", self.i)
    }

    /// Where the elements of an operation begin and how many there are, if the kernel is specialised to that.
    fn known(&self, Span(s): Span) -> Option<[u32; 2]> {
        self.specialisation.and_then(|specialisation| specialisation.spans.get(s as usize).copied())
    }

    /// Where they begin.
    fn first(&self, span: Span) -> String {
        self.known(span).map_or_else(|| format!("table_span({}u).x", span.0), |[first, _]| format!("{first}u"))
    }

    /// Both, as a vector.
    fn span(&self, span: Span) -> String {
        self.known(span).map_or_else(|| format!("table_span({}u)", span.0), |[first, count]| format!("vec2<u32>({first}u, {count}u)"))
    }

    /// Lines for every element of `span{i}`, whose number `body` is given.
    fn repeated(&self, span: Span, body: impl Fn(&str) -> String) -> String {
        match self.known(span) {
            Some([_, count]) if self.specialisation.is_some_and(unrolls) => {
                (0..count).map(|k| format!("    {{\n{}    }}\n", body(&format!("{k}u")))).collect()
            }
            _ => format!("    for (var k = 0u; k < span{}.y; k++) {{\n{}    }}\n", self.i, body("k")),
        }
    }

    /// The line for `frame{i}`, the operation's frame in this instance of the scope.
    fn frame(&self, frames: Span) -> String {
        format!("    let frame{} = {} + instance;\n", self.i, self.first(frames))
    }

    /// The lines for `frame{i}` and for `at{i}`, the sample's coordinate in it.
    fn located(&self, frames: Span) -> String {
        self.frame(frames) + &self.cell()
    }

    fn cell(&self) -> String {
        let i = self.i;
        format!("    let at{i} = {};\n", self.cell_at(&format!("frame{i}")))
    }

    /// The sample's coordinate in a frame.
    fn cell_at(&self, frame: &str) -> String {
        let known = |Span(s): Span| self.specialisation.is_some_and(|specialisation| specialisation.aligned[s as usize]);
        let kind = match (self.scope.quantised, self.structure.anchored(), self.structure.periodic) {
            (false, false, false) if self.op.frames().is_some_and(known) => "_aligned(site, ",
            (true, _, _) => "_wide(site, ",
            (false, true, _) => "_anchored(",
            (false, false, true) => "_periodic(site, ",
            (false, false, false) => "(site, ",
        };
        match self.scope.displaced {
            true => format!("frame_displace(frames[{frame}], table_cell{kind}{frame}), displacement)"),
            false => format!("table_cell{kind}{frame})"),
        }
    }

    fn sines(&self, dimensions: u32, frames: Span, amplitudes: Span) -> String {
        let i = self.i;
        let (at, first) = (self.cell_at("own"), self.first(amplitudes));
        let term = |k: &str| {
            format!(
                "        let own = span{i}.x + instance * span{i}.y + {k};
        let at = {at};
        v{i} = jet_accumulate_sum(v{i}, table_world(own, sine_{dimensions}(at.fraction)), table_series({first} + {k}));
"
            )
        };
        let terms = self.repeated(frames, term);
        format!("    let span{i} = {};\n    var v{i} = jet_constant(0.0);\n{terms}", self.span(frames))
    }

    /// The call of a scope at this sample.
    fn call(&self, id: ScopeId, instance: &str, displacement: &str) -> String {
        self.call_at(if sited(self.structure) { "site, " } else { "" }, id, instance, displacement)
    }

    fn call_at(&self, site: &str, ScopeId(id): ScopeId, instance: &str, displacement: &str) -> String {
        let displacement = if self.structure.scopes[id as usize].displaced { format!(", {displacement}") } else { String::new() };
        format!("scope_{id}({site}{instance}{displacement})")
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
