//! Operations that evaluate another scope: at other positions, in another space or in other instances.

use super::{Printer, four, v};
use crate::graph::Accumulate;
use crate::program::{Reg, Scalar, ScopeId, Span};

impl Printer<'_> {
    pub(super) fn fractal(&self, body: ScopeId, octaves: Span, accumulate: Accumulate, numbers: Scalar) -> String {
        let i = self.i;
        let octave = |k: &str| self.call(body, &format!("instance * span{i}.y + {k}"), "displacement");
        let amplitude = |k: &str| format!("table_series(span{i}.x + {k})");
        let span = format!("    let span{i} = {};\n", self.span(octaves));
        match sum(accumulate) {
            Sum::Plain(function) => {
                let start = format!("    var v{i} = jet_constant(0.0);\n");
                let step = |k: &str| format!("        v{i} = {function}(v{i}, {}, {});\n", octave(k), amplitude(k));
                format!("{span}{start}{}", self.repeated(octaves, step))
            }
            Sum::Weighted(function) => {
                let start = format!("    let numbers{i} = {};\n    var sum{i} = fractal_start();\n", four(numbers));
                let step = |k: &str| format!("        sum{i} = {function}(sum{i}, {}, {}, numbers{i});\n", octave(k), amplitude(k));
                format!("{span}{start}{}    let v{i} = sum{i}.total;\n", self.repeated(octaves, step))
            }
        }
    }

    pub(super) fn warp(&self, body: ScopeId, by: [Reg; 3], frames: Span) -> String {
        let i = self.i;
        let (frame, outer, by) = (self.frame(frames), self.outer(), by.map(v).join(", "));
        let inner = self.call(body, "instance", &format!("moved{i}"));
        format!(
            "{frame}    let moved{i} = {outer}table_displacement(frame{i}, {by});
    let v{i} = table_displaced(frame{i}, {inner}, {by});
"
        )
    }

    pub(super) fn turbulence(&self, body: ScopeId, by: ScopeId, frames: Span) -> String {
        let (i, outer) = (self.i, self.outer());
        let step = |axis: u32| format!("shift_jet({}, shift{i})", self.call(by, &format!("3u * own + {axis}u"), "moved"));
        let [x, y, z] = [0, 1, 2].map(step);
        let octave = |k: &str| {
            format!(
                "        let own = instance * span{i}.y + {k};
        let moved = {outer}shift{i}.value;
        let x = {x};
        let y = {y};
        let z = {z};
        shift{i} = shift_add(shift{i}, frames[span{i}.x + own], x, y, z);
"
            )
        };
        let (span, sum) = (self.span(frames), self.repeated(frames, octave));
        let inner = self.call(body, "instance", &format!("{outer}shift{i}.value"));
        format!("    let span{i} = {span};\n    var shift{i} = shift_none();\n{sum}    let v{i} = shift_jet({inner}, shift{i});\n")
    }

    pub(super) fn slice(&self, body: ScopeId, frames: Span) -> String {
        let i = self.i;
        let inner = self.call(body, "instance", &format!("table_inward(frame{i}, displacement)"));
        self.frame(frames) + &self.result(&format!("table_world(frame{i}, {inner})"))
    }

    pub(super) fn mirror(&self, body: ScopeId, frames: Span) -> String {
        let instance = format!("2u * instance + select(0u, 1u, at{}.cell.x < 0)", self.i);
        self.located(frames) + &self.result(&self.call(body, &instance, "displacement"))
    }

    pub(super) fn quantise(&self, body: ScopeId, frames: Span) -> String {
        let i = self.i;
        let inner = self.call_at(&format!("table_quantised(site, frame{i}, at{i}), "), body, "instance", "");
        self.located(frames) + &self.result(&format!("jet_constant({inner}.value)"))
    }

    pub(super) fn at(&self, body: ScopeId, by: [Reg; 3]) -> String {
        let values = by.map(|reg| format!("{}.value", v(reg))).join(", ");
        let inner = self.call(body, "instance", &format!("vec3<f32>({values})"));
        self.result(&format!("jet_composed({inner}, {})", by.map(v).join(", ")))
    }

    /// The displacement that the scope itself is under, to which that of what it evaluates is added.
    fn outer(&self) -> &'static str {
        if self.scope.displaced { "displacement + " } else { "" }
    }
}

/// How octaves add up.
enum Sum {
    /// By a function of the sum so far, an octave and its amplitude.
    Plain(&'static str),
    /// By a function that also carries a weight from octave to octave and reads the fractal's four numbers.
    Weighted(&'static str),
}

fn sum(accumulate: Accumulate) -> Sum {
    match accumulate {
        Accumulate::Sum => Sum::Plain("jet_accumulate_sum"),
        Accumulate::Lerp => Sum::Plain("jet_accumulate_lerp"),
        Accumulate::Weighted => Sum::Weighted("fractal_weighted"),
        Accumulate::Billow => Sum::Weighted("fractal_billow"),
        Accumulate::Ridged => Sum::Weighted("fractal_ridged"),
        Accumulate::Pingpong => Sum::Weighted("fractal_pingpong"),
        Accumulate::Multifractal => Sum::Weighted("fractal_multifractal"),
        Accumulate::Hybrid => Sum::Weighted("fractal_hybrid"),
        Accumulate::Heterogeneous => Sum::Weighted("fractal_heterogeneous"),
    }
}
