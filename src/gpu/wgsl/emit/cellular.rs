//! Cellular noise. Its text is long, so samples of a row take turns in a loop instead of standing next to each other.
//!
//! Samples of a row that lies along the lattice's first axis, less than a cell apart, share the points around them (`worley_next_block`).
//! A loop of its own finds the nearest among these. A row may or may not be close: that depends on numbers that may change at any time. If
//! it is not, samples find the points around them one by one. Few samples need points further away, and remain for a last loop. The bits
//! are the same.

use super::Printer;
use crate::program::{CraterShape, Metric, Scalar, SmoothOutput, SmoothShape, Span, WorleyOutput, WorleyShape};

/// The most points to look for among those around a sample first: more of them are often further away.
const MOST_AROUND: u32 = 2;

/// The points that a loop visits for each sample whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Points {
    /// Those in the cells around. Samples that need more are left for the next loop.
    Around,
    /// All that may be among the nearest.
    Far,
}

impl Printer<'_> {
    /// The noise at one sample, at `at{i}`.
    pub(super) fn cellular(&self, shape: WorleyShape, numbers: Scalar) -> String {
        let i = self.i;
        let key = format!("    let key{i} = table_key(frame{i});\n");
        let query = self.query(shape, numbers, &format!("w{i}"), &format!("at{i}"));
        let noise = self.searched(shape, numbers, &format!("worley_search(w{i})"));
        key + &query + &self.result(&format!("table_world(frame{i}, {noise})"))
    }

    /// The noise at all samples of a row. One bit for each sample in `rest{i}` stands for those that remain.
    pub(super) fn cellular_row(&self, shape: WorleyShape, numbers: Scalar, frames: Span) -> String {
        let (i, all) = (self.i, self.all());
        let loops = if matches!(shape.output, WorleyOutput::Edge | WorleyOutput::Border) || shape.nearest > MOST_AROUND {
            format!("    var far{i} = {all}u;\n")
        } else {
            let apart = self.scope.displaced || self.structure.periodic || shape.dimensions < 2;
            let close = if apart { String::new() } else { self.by_columns(shape, numbers, frames) };
            let around = self.one_by_one(shape, numbers, frames, Points::Around);
            format!("    var rest{i} = {all}u;\n    var far{i} = 0u;\n{close}{around}")
        };
        let far = self.one_by_one(shape, numbers, frames, Points::Far);
        self.row_in_turns(frames, &(loops + &far))
    }

    /// The call of craters at `at{i}`.
    pub(super) fn craters(&self, CraterShape { youth }: CraterShape, Scalar(first): Scalar) -> String {
        let i = self.i;
        format!("craters(at{i}.cell, at{i}.fraction, key{i}, {youth}, {first}u)")
    }

    /// The call of a noise of smooth cells at `at{i}`.
    pub(super) fn smooth_cells(&self, shape: SmoothShape, Scalar(first): Scalar) -> String {
        let (i, SmoothShape { dimensions, metric, output }) = (self.i, shape);
        let (metric, values) = (metric_name(metric), output == SmoothOutput::Cell);
        let numbers = [0, 1, 2, 3].map(|k| format!("table_scalar({}u)", first + k)).join(", ");
        format!("smooth_cells(at{i}.cell, at{i}.fraction, key{i}, {dimensions}u, {metric}, {values}, SmoothCellsNumbers({numbers}))")
    }

    /// A noise with loops of its own at one sample, given its call at `at{i}`.
    pub(super) fn looped(&self, noise: &str) -> String {
        let i = self.i;
        format!("    let key{i} = table_key(frame{i});\n") + &self.result(&format!("table_world(frame{i}, {noise})"))
    }

    /// Such a noise at all samples of a row.
    pub(super) fn looped_row(&self, noise: &str, frames: Span) -> String {
        let samples = format!("rest{}", self.i);
        let turns = self.in_turns(frames, &samples, "", noise);
        self.row_in_turns(frames, &format!("    var {samples} = {}u;\n{turns}", self.all()))
    }

    /// One bit for each sample of a row.
    pub(super) fn all(&self) -> u32 {
        (1 << self.row) - 1
    }

    /// A row whose loops compute `turn{i}` for each sample.
    pub(super) fn row_in_turns(&self, frames: Span, loops: &str) -> String {
        let i = self.i;
        // Tables are read before the loops: drivers that compute lanes one by one would read them again in each turn.
        let starts = self.each(|sample| format!("    var turn{} = jet_constant(0.0);\n", sample.own()));
        let key = format!("    let key{i} = table_key(frame{i});\n");
        let displaced = match self.scope.displaced {
            true => format!("    let displaced{i} = frames[frame{i}];\n"),
            false => String::new(),
        };
        let step = format!("    let step{i} = frames[frame{i}].step_x;\n");
        let first = match (self.structure.periodic, self.aligned(frames)) {
            (true, _) => String::new(),
            (false, false) => format!("    let fixed{i} = table_fixed(site, frame{i});\n{step}"),
            (false, true) => {
                format!("    let fixed{i} = table_fixed_x(site, frame{i});\n    let across{i} = table_cell_yz(site, frame{i});\n{step}")
            }
        };
        let results = self.each(|sample| sample.result(&format!("table_world(frame{i}, turn{})", sample.own())));
        self.frame(frames) + &starts + &key + &displaced + &first + loops + &results
    }

    /// The loop of close rows, with the points around each sample. Samples that need more are left for the last loop.
    fn by_columns(&self, shape: WorleyShape, numbers: Scalar, frames: Span) -> String {
        let (i, row) = (self.i, self.row);
        let query = self.query(shape, numbers, &format!("first{i}"), &format!("at{i}"));
        // Results move up by one in each turn: that takes no comparisons.
        let moves = self.each(|sample| match sample.before() {
            Some(before) => format!("            turn{before} = turn{};\n", sample.own()),
            None => String::new(),
        });
        let last = Printer { sample: row - 1, ..*self }.own();
        let result = format!("{moves}            turn{last} = {};\n", self.searched(shape, numbers, &format!("found{i}")));
        let in_line = if self.aligned(frames) { String::new() } else { format!("frame_in_line(frames[frame{i}]) && ") };
        let at = self.stepped_cell(frames, &format!("fixed{i}"));
        format!(
            "    if {in_line}frame_close(frames[frame{i}], 0xffffffffu) {{
        rest{i} = 0u;
        let at{i} = {at};
    {query}        let cells{i} = worley_cells(first{i});
        var block{i} = worley_block(first{i}, cells{i});
        var x{i} = frame_axis_x(fixed{i});
        var k{i} = 0u;
        loop {{
            let w{i} = worley_along_x(first{i}, x{i}.x, frame_fraction_x(x{i}));
            let found{i} = worley_nearest(w{i}, block{i});
            far{i} |= select(0u, 1u << k{i}, worley_needs(w{i}, found{i}, 2));
{result}            let next{i} = frame_add_x(x{i}, frame_axis_x(step{i}));
            if next{i}.x != x{i}.x {{
                block{i} = worley_next_block(first{i}, block{i}, cells{i}, next{i}.x);
            }}
            x{i} = next{i};
            k{i} += 1u;
            if k{i} >= {row}u {{
                break;
            }}
        }}
    }}
"
        )
    }

    /// A loop of samples that share nothing.
    fn one_by_one(&self, shape: WorleyShape, numbers: Scalar, frames: Span, points: Points) -> String {
        let i = self.i;
        let query = self.query(shape, numbers, &format!("w{i}"), &format!("at{i}"));
        let (samples, found, mark) = match points {
            Points::Around => (
                format!("rest{i}"),
                format!("worley_nearest(w{i}, worley_block(w{i}, worley_cells(w{i})))"),
                format!("            far{i} |= select(0u, 1u << k, worley_needs(w{i}, found{i}, 2));\n"),
            ),
            Points::Far => (format!("far{i}"), format!("worley_search(w{i})"), String::new()),
        };
        let search = format!("        {query}            let found{i} = {found};\n{mark}");
        self.in_turns(frames, &samples, &search, &self.searched(shape, numbers, &format!("found{i}")))
    }

    /// A loop over those samples of a row that have a bit in `samples`, which computes a noise at `at{i}` after some lines. Like that
    /// of octaves, it tests at its end.
    pub(super) fn in_turns(&self, frames: Span, samples: &str, lines: &str, noise: &str) -> String {
        let (i, row) = (self.i, self.row);
        let cell = match self.structure.periodic {
            true => format!("table_cell_periodic(site, k, frame{i})"),
            false => self.stepped_cell(frames, &format!("frame_advance(fixed{i}, step{i}, k)")),
        };
        let at = if self.scope.displaced {
            let first = format!("            var displacement{i} = displacement.s0;\n");
            let others = (1..row)
                .map(|s| format!("            if k == {s}u {{\n                displacement{i} = displacement.s{s};\n            }}\n"));
            let moved = format!("            let at{i} = frame_displace(displaced{i}, {cell}, displacement{i});\n");
            first + &others.collect::<String>() + &moved
        } else {
            format!("            let at{i} = {cell};\n")
        };
        let result = self.turn(noise, "k");
        format!(
            "    if {samples} != 0u {{
        loop {{
            let k = firstTrailingBit({samples});
            {samples} &= {samples} - 1u;
{at}{lines}{result}            if {samples} == 0u {{
                break;
            }}
        }}
    }}
"
        )
    }

    /// The lattice coordinate at a number of the lattice's axes.
    fn stepped_cell(&self, frames: Span, fixed: &str) -> String {
        match self.aligned(frames) {
            false => format!("frame_cell({fixed})"),
            true => format!("frame_cell_x(across{}, frame_axis_x({fixed}))", self.i),
        }
    }

    /// The lines that give sample `k` its result.
    fn turn(&self, noise: &str, k: &str) -> String {
        let i = self.i;
        let own = self.each(|sample| {
            let (s, own) = (sample.sample, sample.own());
            format!("            if {k} == {s}u {{\n                turn{own} = result{i};\n            }}\n")
        });
        format!("            let result{i} = {noise};\n{own}")
    }

    /// The line for a search from a position. Its shape goes as constants, so that a kernel holds only what its shape needs.
    fn query(&self, shape: WorleyShape, Scalar(first): Scalar, name: &str, at: &str) -> String {
        let WorleyShape { dimensions, metric, nearest, .. } = shape;
        let (i, metric) = (self.i, metric_name(metric));
        format!(
            "    let {name} = worley_new({at}.cell, {at}.fraction, key{i}, {dimensions}u, {metric}, {nearest}u, table_scalar({first}u));\n"
        )
    }

    /// The noise, given the points that the search `w{i}` has found.
    fn searched(&self, shape: WorleyShape, Scalar(first): Scalar, found: &str) -> String {
        let (i, nearest) = (self.i, shape.nearest);
        match shape.output {
            WorleyOutput::Distance => {
                let weight = |k| if k <= nearest { format!("table_scalar({}u)", first + k) } else { "0.0".to_owned() };
                format!("worley_distance(w{i}, {found}, vec4<f32>({}))", [1, 2, 3, 4].map(weight).join(", "))
            }
            WorleyOutput::Cell => format!("worley_value(w{i}, {found})"),
            WorleyOutput::Ratio => format!("worley_ratio(w{i}, {found})"),
            WorleyOutput::Edge | WorleyOutput::Border => format!("worley_edge(w{i}, {found})"),
        }
    }
}

/// The constant of `worley.wgsl` for a metric.
fn metric_name(metric: Metric) -> &'static str {
    match metric {
        Metric::Euclidean => "WORLEY_EUCLIDEAN",
        Metric::Squared => "WORLEY_SQUARED",
        Metric::Manhattan => "WORLEY_MANHATTAN",
        Metric::Chebyshev => "WORLEY_CHEBYSHEV",
    }
}
