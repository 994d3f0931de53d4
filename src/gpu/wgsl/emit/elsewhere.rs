//! Operations that evaluate another scope: at other positions, in another space or in other instances.

use super::{Printer, four, shared};
use crate::program::{Accumulate, Reg, Scalar, ScopeId, Span, StampCombine, StampPriority};

impl Printer<'_> {
    pub(super) fn fractal(&self, body: ScopeId, octaves: Span, accumulate: Accumulate, numbers: Scalar) -> String {
        let i = self.i;
        let Sum { function, weighted } = sum(accumulate);
        let (start, more, total) = match weighted {
            false => ("jet_constant(0.0)", String::new(), ""),
            true => ("fractal_start()", format!(", numbers{i}"), ".total"),
        };
        let amplitude = format!("        let amplitude = table_series(span{i}.x + k);\n");
        let instance = format!("instance * span{i}.y + k");
        let add = |sample: &Self| {
            let sum = format!("sum{}", sample.own());
            format!("        {sum} = {function}({sum}, {}, amplitude{more});\n", sample.of("octave"))
        };
        let mut lines = format!("    let span{i} = {};\n", self.span(octaves));
        if weighted {
            lines.push_str(&format!("    let numbers{i} = {};\n", four(numbers)));
        }
        lines.push_str(&self.each(|sample| format!("    var sum{} = {start};\n", sample.own())));
        let add_up = |octave: &str| format!("{amplitude}{octave}{}", self.each(add));
        let otherwise = add_up(&self.call("octave", body, &instance, Self::displacement));
        lines.push_str(&match shared::shares(self.structure, self.specialisation, body, self.row) {
            false => self.repeated(&otherwise),
            true => {
                let ScopeId(id) = body;
                let close = add_up(&format!("    let octave = close_{id}(site, {instance});\n"));
                self.close_and_otherwise(&self.is_close(body, &format!("({instance})")), &close, &otherwise)
            }
        });
        lines + &self.each(|sample| sample.result(&format!("sum{}{total}", sample.own())))
    }

    /// Lines for every element of `span{i}`: `close` while the condition holds, and `otherwise` from then on. Both loops test at their ends,
    /// as `repeated` does, and run once at least.
    fn close_and_otherwise(&self, is_close: &str, close: &str, otherwise: &str) -> String {
        let i = self.i;
        format!(
            "    var k{i} = 0u;
    var is_close{i} = true;
    loop {{
        let k = k{i};
        is_close{i} = {is_close};
        if is_close{i} {{
{close}            k{i} += 1u;
        }}
        if !is_close{i} || k{i} >= span{i}.y {{
            break;
        }}
    }}
    loop {{
        if k{i} < span{i}.y {{
            let k = k{i};
{otherwise}            k{i} += 1u;
        }}
        if k{i} >= span{i}.y {{
            break;
        }}
    }}
"
        )
    }

    pub(super) fn warp(&self, body: ScopeId, by: [Reg; 3], frames: Span) -> String {
        let frame = self.i;
        let by = |sample: &Self| by.map(|reg| sample.v(reg)).join(", ");
        let moved = self.each(|sample| {
            let (i, outer) = (sample.own(), sample.outer());
            format!("    let moved{i} = {outer}table_displacement(frame{frame}, {});\n", by(sample))
        });
        let inner = self.call(&format!("inner{frame}"), body, "instance", |sample| format!("moved{}", sample.own()));
        let displaced = self.each(|sample| {
            let inner = sample.of(&format!("inner{frame}"));
            sample.result(&format!("table_displaced(frame{frame}, {inner}, {})", by(sample)))
        });
        self.frame(frames) + &moved + &inner + &displaced
    }

    pub(super) fn turbulence(&self, body: ScopeId, by: ScopeId, frames: Span) -> String {
        let i = self.i;
        let moved = |sample: &Self| format!("{}shift{}.value", sample.outer(), sample.own());
        let own = format!("        let own = instance * span{i}.y + k;\n");
        let axes = [("x", "3u * own"), ("y", "3u * own + 1u"), ("z", "3u * own + 2u")];
        let along = axes.map(|(axis, instance)| self.call(axis, by, instance, moved)).concat();
        let add = self.each(|sample| {
            let shift = format!("shift{}", sample.own());
            let [x, y, z] = ["x", "y", "z"].map(|axis| format!("shift_jet({}, {shift})", sample.of(axis)));
            format!("        {shift} = shift_add({shift}, frames[span{i}.x + own], {x}, {y}, {z});\n")
        });
        let span = format!("    let span{i} = {};\n", self.span(frames));
        let start = self.each(|sample| format!("    var shift{} = shift_none();\n", sample.own()));
        let inner = self.call(&format!("inner{i}"), body, "instance", moved);
        let end = self.each(|sample| sample.result(&format!("shift_jet({}, shift{})", sample.of(&format!("inner{i}")), sample.own())));
        span + &start + &self.repeated(&(own + &along + &add)) + &inner + &end
    }

    pub(super) fn transform(&self, body: ScopeId) -> String {
        let inner = format!("inner{}", self.i);
        self.call(&inner, body, "instance", Self::displacement) + &self.each(|sample| sample.result(&sample.of(&inner)))
    }

    pub(super) fn slice(&self, body: ScopeId, frames: Span) -> String {
        let (i, inner) = (self.i, format!("inner{}", self.i));
        let call = self.call(&inner, body, "instance", |sample| format!("table_inward(frame{i}, {})", sample.displacement()));
        let world = self.each(|sample| sample.result(&format!("table_world(frame{i}, {})", sample.of(&inner))));
        self.frame(frames) + &call + &world
    }

    pub(super) fn mirror(&self, body: ScopeId, frames: Span) -> String {
        let inner = format!("inner{}", self.i);
        let instance = format!("2u * instance + select(0u, 1u, at{}.cell.x < 0)", self.own());
        self.frame(frames) + &self.cell() + &self.call(&inner, body, &instance, Self::displacement) + &self.result(&self.of(&inner))
    }

    pub(super) fn quantise(&self, body: ScopeId, frames: Span) -> String {
        let (i, inner) = (self.i, format!("inner{}", self.i));
        let site = format!("table_quantised(site, frame{i}, at{}), ", self.own());
        let call = self.call_at(&site, &inner, body, "instance", |_| String::new());
        self.frame(frames) + &self.cell() + &call + &self.result(&format!("jet_constant({}.value)", self.of(&inner)))
    }

    /// A loop over discs, which tests at its end as `repeated` does. Only those that cover the sample evaluate the scope.
    pub(super) fn stamps(
        &self,
        body: ScopeId,
        combine: StampCombine,
        priority: StampPriority,
        frames: Span,
        Scalar(first): Scalar,
    ) -> String {
        let (i, count) = (self.i, first + 8);
        let priority = match priority {
            StampPriority::Random => 0,
            StampPriority::Largest => 1,
            StampPriority::Smallest => 2,
        };
        let at = format!("stamp{i}.at");
        let inner = self.call(&format!("inner{i}"), body, "instance", |_| at.clone());
        let lines = format!(
            "    let key{i} = table_key(frame{i});
    var stamps{i} = stamps_new();
    var k{i} = 0u;
    loop {{
        let stamp{i} = stamps_disc(at{i}.cell, at{i}.fraction, key{i}, k{i}, {first}u, {priority}u);
        if stamp{i}.t < 1.0 {{
            if stamp_points_stays(at{i}.cell, k{i}, key{i}, {first}u, {priority}u) {{
{inner}                stamps{i} = stamps_{combine}(stamps{i}, stamp{i}, inner{i});
            }}
        }}
        k{i} += 1u;
        if k{i} >= u32(table_scalar({count}u)) {{
            break;
        }}
    }}
"
        );
        self.frame(frames) + &self.cell() + &lines + &self.result(&format!("table_world(frame{i}, stamps_jet(stamps{i}))"))
    }

    pub(super) fn at(&self, body: ScopeId, by: [Reg; 3]) -> String {
        let inner = format!("inner{}", self.i);
        let values = |sample: &Self| format!("vec3<f32>({})", by.map(|reg| format!("{}.value", sample.v(reg))).join(", "));
        let composed = |sample: &Self| {
            let by = by.map(|reg| sample.v(reg)).join(", ");
            sample.result(&format!("jet_composed({}, {by})", sample.of(&inner)))
        };
        self.call(&inner, body, "instance", values) + &self.each(composed)
    }

    /// The sample's displacement, to which those of the evaluated scopes are added.
    fn outer(&self) -> String {
        if self.scope.displaced { format!("{} + ", self.displacement()) } else { String::new() }
    }
}

/// The function that adds an octave to a sum, given the sum, the octave and its amplitude. A weighted one passes a weight from
/// octave to octave and reads the fractal's four numbers.
struct Sum {
    function: &'static str,
    weighted: bool,
}

fn sum(accumulate: Accumulate) -> Sum {
    let (function, weighted) = match accumulate {
        Accumulate::Sum => ("jet_accumulate_sum", false),
        Accumulate::Lerp => ("jet_accumulate_lerp", false),
        Accumulate::Weighted => ("fractal_weighted", true),
        Accumulate::Billow => ("fractal_billow", true),
        Accumulate::Ridged => ("fractal_ridged", true),
        Accumulate::Pingpong => ("fractal_pingpong", true),
        Accumulate::Multifractal => ("fractal_multifractal", true),
        Accumulate::Hybrid => ("fractal_hybrid", true),
        Accumulate::Heterogeneous => ("fractal_heterogeneous", true),
    };
    Sum { function, weighted }
}
