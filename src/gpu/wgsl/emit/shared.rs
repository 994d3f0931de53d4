//! Noises whose samples share lattice points along a row.
//!
//! A row is *close* in a frame if it lies along the lattice's first axis and spans less than a cell, or two cells if it is long. No
//! period may end within it.
//! Its samples then share the other coordinates and a few lattice points. Each point is computed once, and every sample selects
//! those that it needs. Whether rows are close depends on numbers that may change at any time, so a kernel decides at run time,
//! for all samples together. The bits are the same in both cases.

use super::Printer;
use super::lattice::weight;
use crate::program::{Close, Interpolation, Op, Scope, ScopeId, Span, Specialisation, Structure};

/// The number of cells that a close row spans less than: one per four samples. It is at most two, since more would add a third
/// point per line for simplex noise.
fn cells(row: u32) -> u32 {
    (row / 4).min(2)
}

/// Whether octaves of a scope have a separate function for close rows. Rows of fewer than four samples gain nothing. If a kernel
/// is specialised to lattices with other axes, no row is close.
pub(super) fn shares(structure: &Structure, specialisation: Option<&Specialisation>, ScopeId(id): ScopeId, row: u32) -> bool {
    let scope = &structure.scopes[id as usize];
    let apart = scope.displaced || scope.quantised || structure.anchored();
    let octaves = |op: &Op| matches!(*op, Op::Fractal { body: ScopeId(body), .. } if body == id);
    let may_be_close = |(Span(s), _): (Span, u32)| specialisation.is_none_or(|known| known.aligned[s as usize]);
    cells(row) > 0
        && !apart
        && sharing(scope).next().is_some()
        && sharing(scope).all(may_be_close)
        && structure.scopes.iter().flat_map(|scope| &scope.ops).any(octaves)
}

/// The frames of a scope's noises that can share points, and the number of frames of each instance: in 4D, w has one, too.
fn sharing(scope: &Scope) -> impl Iterator<Item = (Span, u32)> {
    scope.ops.iter().filter_map(|op| match *op {
        Op::Lattice(basis, frames) => match basis.facts(false).close {
            Close::Apart => None,
            Close::Points { dimensions: 4, .. } => Some((frames, 2)),
            Close::Points { .. } | Close::Lines2 | Close::Lines3 => Some((frames, 1)),
        },
        _ => None,
    })
}

impl Printer<'_> {
    /// Whether rows are close in all frames of a scope's instance.
    pub(super) fn is_close(&self, ScopeId(id): ScopeId, instance: &str) -> String {
        // Only the upper half of a step's 64 fractional bits is compared; the lower half is less than one unit of it.
        let most = (u64::from(cells(self.row)) << 32) / u64::from(self.row - 1) - 1;
        let close = |(frames, of_each): (Span, u32)| {
            let index = match of_each {
                1 => format!("{} + {instance}", self.first(frames)),
                _ => format!("{} + {of_each}u * {instance}", self.first(frames)),
            };
            let frame = format!("frames[{index}]");
            let in_line = if self.aligned(frames) { String::new() } else { format!("frame_in_line({frame}) && ") };
            let within = if self.structure.periodic { format!(" && !table_ends(site, {}u, {index})", self.row - 1) } else { String::new() };
            format!("{in_line}frame_close({frame}, {most}u){within}")
        };
        sharing(&self.structure.scopes[id as usize]).map(close).collect::<Vec<_>>().join(" && ")
    }

    /// A noise at all samples of a close row, if they share points.
    pub(super) fn shared(&self, close: Close, frames: Span) -> Option<String> {
        let together = match close {
            Close::Apart => return None,
            Close::Lines2 => self.lines_2(),
            Close::Lines3 => self.lines_3(),
            Close::Points { slopes, dimensions, interpolation } => self.points(slopes, dimensions, interpolation),
        };
        let first = Printer { sample: 0, ..*self };
        let (frame, first) = match close {
            // The fourth coordinate is that of the whole region.
            Close::Points { dimensions: 4, .. } => {
                (self.frame_4(frames), first.cell() + &first.cell_in("fourth", &format!("frame{} + 1u", self.i)))
            }
            _ => (self.frame(frames), first.cell()),
        };
        Some(frame + &first + &self.along_x() + &together)
    }

    /// The lines for all coordinates along x, `x{i}_{s}`, and their fractions, `f{i}_{s}`.
    fn along_x(&self) -> String {
        let i = self.i;
        let first = format!(
            "    let key{i} = table_key(frame{i});
    let step{i} = frame_axis_x(frames[frame{i}].step_x);
    let x{i}_0 = frame_axis_x(at_fixed{i}_0);
"
        );
        first
            + &self.each(|sample| {
                let own = sample.own();
                let step = sample.before().map_or(String::new(), |before| format!("    let x{own} = frame_add_x(x{before}, step{i});\n"));
                format!("{step}    let f{own} = frame_fraction_x(x{own});\n")
            })
    }

    /// Noise on a cubic lattice. The points at each x are blended along the other axes, and a sample blends two of the results.
    fn points(&self, slopes: bool, dimensions: u32, interpolation: Interpolation) -> String {
        let (i, weight, cells) = (self.i, weight(interpolation), cells(self.row));
        let axes = [format!("at{i}_0.fraction.y"), format!("at{i}_0.fraction.z"), format!("fourth{i}_0.fraction.x")];
        let weights: String = axes.iter().take(dimensions as usize - 1).map(|f| format!(", interpolate_{weight}({f})")).collect();
        let fourth =
            if dimensions == 4 { format!(", point_fourth(fourth{i}_0.cell.x, key{i}), fourth{i}_0.fraction.x") } else { String::new() };
        let (noise, along) = if slopes { ("perlin", "lattice_along_x") } else { ("value", "lattice_values_along_x") };
        let corner = format!("    let corner{i} = point_cell(at{i}_0.cell, key{i});\n    let next{i} = point_after(corner{i}, key{i});\n");
        let point = |k: u32| {
            // Points of a lattice with a period follow each other up to its last one.
            let x = match (self.structure.periodic, k) {
                (true, 0) => format!("corner{i}.x"),
                (true, 1) => format!("next{i}.x"),
                (true, k) => format!("{}next{i}{}.x", "point_after(".repeat(k as usize - 1), format!(", key{i})").repeat(k as usize - 1)),
                (false, k) => format!("x{i}_0.x + {k}u"),
            };
            let arguments = format!("{x}, corner{i}, next{i}, at{i}_0.fraction{fourth}, key{i}{weights}");
            format!("    let point{i}_{k} = lattice_{noise}_at_{dimensions}({arguments});\n")
        };
        let points: String = (0..cells + 2).map(point).collect();
        let blends = self.each(|sample| {
            let own = sample.own();
            let ends = format!("    var lower{own} = point{i}_0;\n    var upper{own} = point{i}_1;\n");
            // Later cells that may contain the sample.
            let further = (1..=cells.min(sample.sample)).map(|k| {
                format!(
                    "    if x{own}.x == x{i}_0.x + {k}u {{
        lower{own} = point{i}_{k};
        upper{own} = point{i}_{};
    }}
",
                    k + 1
                )
            });
            let fraction = if slopes { format!("f{own}, ") } else { String::new() };
            let jet = format!("{along}(lower{own}, upper{own}, {fraction}interpolate_{weight}(f{own}))");
            ends + &further.collect::<String>() + &sample.result(&format!("table_world(frame{i}, {jet})"))
        });
        corner + &points + &blends
    }

    /// Simplex noise in 2D: at most four lines of points are within reach.
    fn lines_2(&self) -> String {
        let i = self.i;
        let line = |k: u32| format!("    {{\n{}    }}\n", self.line(2, &format!("at{i}_0.cell, at{i}_0.fraction, {k}u")));
        self.sums(2, &(0..4).map(line).collect::<String>())
    }

    /// In 3D, two to six of twelve candidates are within reach.
    fn lines_3(&self) -> String {
        let i = self.i;
        let lines = format!(
            "    let place{i} = simplex_place(at{i}_0.cell, at{i}_0.fraction);
    var lines{i} = simplex_lines_3(place{i});
    loop {{
        let candidate = firstTrailingBit(lines{i});
        lines{i} &= lines{i} - 1u;
{}        if lines{i} == 0u {{
            break;
        }}
    }}
",
            self.line(3, &format!("place{i}, candidate"))
        );
        self.sums(3, &lines)
    }

    /// Adds one lattice line's contribution to each sample; `which` selects the line. At most two of its points are nearest to a
    /// sample of a close row.
    fn line(&self, dimensions: u32, which: &str) -> String {
        let i = self.i;
        let line = format!(
            "        let line{i} = simplex_line_{dimensions}({which}, key{i});
        let nearer{i}_0 = simplex_nearer(x{i}_0.x, line{i});
        let x{i} = x{i}_0.x + nearer{i}_0;
        let first{i} = simplex_on_{dimensions}(x{i}, line{i}, key{i});
        let second{i} = simplex_on_{dimensions}(x{i} + 2u, line{i}, key{i});
"
        );
        line + &self.each(|sample| {
            let own = sample.own();
            let nearest = match sample.sample {
                0 => format!("        let point{own} = first{i};\n"),
                _ => format!(
                    "        let nearer{own} = simplex_nearer(x{own}.x, line{i});
        var point{own} = first{i};
        if x{own}.x + nearer{own} != x{i} {{
            point{own} = second{i};
        }}
"
                ),
            };
            let part = format!("simplex_part(point{own}, line{i}.across, f{own} - f32(nearer{own}))");
            format!("{nearest}        sum{own} = jet_add(sum{own}, {part});\n")
        })
    }

    /// The sum of the contributions of `lines` for each sample.
    fn sums(&self, dimensions: u32, lines: &str) -> String {
        let start = self.each(|sample| format!("    var sum{} = jet_constant(0.0);\n", sample.own()));
        let end = self.each(|sample| {
            let jet = format!("simplex_jet_{dimensions}(sum{})", sample.own());
            sample.result(&format!("table_world(frame{}, {jet})", self.i))
        });
        start + lines + &end
    }
}
