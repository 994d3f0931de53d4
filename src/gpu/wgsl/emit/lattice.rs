//! Noises on lattices: the call of each basis.

use super::{Printer, four};
use crate::program::{Basis, BasisCall, BedOutput, Interpolation, OneLiner, Span};

impl Printer<'_> {
    /// A basis in the frame of the scope's instance. A fourth coordinate has its own frame, after the others.
    pub(super) fn lattice(&self, basis: Basis, frames: Span) -> String {
        let facts = basis.facts(self.structure.periodic);
        if self.close
            && let Some(lines) = self.shared(facts.close, frames)
        {
            return lines;
        }
        match facts.call {
            BasisCall::Worley(shape, numbers) if self.row > 1 => return self.cellular_row(shape, numbers, frames),
            BasisCall::SmoothCells(shape, numbers) if self.row > 1 => return self.looped_row(&self.smooth_cells(shape, numbers), frames),
            BasisCall::Craters(shape, numbers) if self.row > 1 => return self.looped_row(&self.craters(shape, numbers), frames),
            BasisCall::Fastnoise(shape, numbers, vectors) if self.row > 1 => return self.fastnoise_row(shape, numbers, vectors, frames),
            _ => (),
        }
        let i = self.i;
        if !facts.fourth {
            return self.frame(frames) + &self.each(|sample| sample.cell() + &sample.noise(facts.call));
        }
        let fourth = format!("frame{i} + 1u");
        self.frame_4(frames) + &self.each(|sample| sample.cell() + &sample.cell_in("fourth", &fourth) + &sample.noise(facts.call))
    }

    /// The line for `frame{i}` of a noise with a fourth coordinate, which has two frames in each instance of the scope.
    pub(super) fn frame_4(&self, frames: Span) -> String {
        format!("    let frame{} = {} + 2u * instance;\n", self.i, self.first(frames))
    }

    /// The lines that compute a noise at `at{i}` (and `fourth{i}`).
    fn noise(&self, call: BasisCall) -> String {
        let (frame, i) = (self.i, self.own());
        let world = |noise: String| self.result(&format!("table_world(frame{frame}, {noise})"));
        match call {
            BasisCall::Plain(function) => world(format!("{function}(at{i}.cell, at{i}.fraction, table_key(frame{frame}))")),
            BasisCall::Unseeded(function) => world(format!("{function}(at{i}.cell, at{i}.fraction)")),
            BasisCall::Four(function) => format!(
                "    let n{i} = {function}(at{i}.cell, at{i}.fraction, fourth{i}.cell.x, fourth{i}.fraction.x, table_key(frame{frame}));
    let v{i} = table_world_4(frame{frame}, n{i}.value, n{i}.gradient);
"
            ),
            BasisCall::Cubic(noise, dimensions, interpolation) => world(self.cubic(noise, dimensions, interpolation)),
            BasisCall::TurningSimplex(dimensions) => {
                world(format!("flow_simplex_{dimensions}(at{i}.cell, at{i}.fraction, fourth{i}.fraction.x, table_key(frame{frame}))"))
            }
            BasisCall::TurningPerlin(dimensions, interpolation) => {
                let weights = self.weights(dimensions, interpolation);
                world(format!(
                    "flow_perlin_{dimensions}(at{i}.cell, at{i}.fraction, fourth{i}.fraction.x, table_key(frame{frame}){weights})"
                ))
            }
            BasisCall::ValueTable(interpolation, numbers) => world(self.value_table(interpolation, numbers)),
            BasisCall::Worley(shape, numbers) => self.cellular(shape, numbers),
            BasisCall::SmoothCells(shape, numbers) => self.looped(&self.smooth_cells(shape, numbers)),
            BasisCall::Beds(output, numbers) => {
                let (hardness, numbers) = (output == BedOutput::Hardness, four(numbers));
                world(format!("beds(at{i}.cell, at{i}.fraction, table_key(frame{frame}), {hardness}, {numbers})"))
            }
            BasisCall::Craters(shape, numbers) => self.looped(&self.craters(shape, numbers)),
            BasisCall::Fastnoise(shape, numbers, vectors) => self.fastnoise(shape, numbers, vectors),
            BasisCall::OneLiner(form, dimensions) => {
                let cell = ["x, 0, 0", "xy, 0", "xyz"][dimensions as usize - 1];
                let cell = format!("point_cell(vec3<i32>(at{i}.cell.{cell}), table_key(frame{frame}))");
                world(match form {
                    OneLiner::Sine => format!("white_sine({cell})"),
                    OneLiner::NestedSine => format!("white_nested_sine({cell}, {dimensions}u)"),
                    OneLiner::NestedInteger => format!("white_nested_integer({cell}, {dimensions}u)"),
                })
            }
            BasisCall::HexagonalTables(numbers) => self.hexagonal_tables(numbers),
        }
    }

    /// Hexagonal noise by the tables of its article. They are read here, since a library function cannot have a table as
    /// parameter.
    fn hexagonal_tables(&self, numbers: Span) -> String {
        let (frame, i) = (self.i, self.own());
        let first = self.first(numbers);
        let gradient =
            |[q, r]: [i32; 2]| format!("table_hexagonal_gradient({first}, hex{i}.x + {q}, hex{i}.y + {r}, table_key(frame{frame}))");
        let gradients = [[1, -1], [1, 0], [0, 1], [-1, 1], [-1, 0], [0, -1]].map(gradient).join(", ");
        let cell = format!("    let hex{i} = hexagonal_cell(at{i}.cell, at{i}.fraction);\n");
        cell + &self.result(&format!("hexagonal_sum({gradients})"))
    }

    /// Value noise between two numbers of a table, which are read here.
    fn value_table(&self, interpolation: Interpolation, numbers: Span) -> String {
        let (frame, i, first, weight) = (self.i, self.own(), self.first(numbers), weight(interpolation));
        let number = |cell: &str| format!("table_value({first}, {cell}, table_key(frame{frame}))");
        let (a, b) = (number(&format!("at{i}.cell")), number(&format!("at{i}.cell + vec3<i32>(1, 0, 0)")));
        format!("lattice_between_1({a}, {b}, interpolate_{weight}(at{i}.fraction.x))")
    }

    /// The call of a cubic lattice's noise. The weights along its axes use the chosen interpolation.
    fn cubic(&self, noise: &str, dimensions: u32, interpolation: Interpolation) -> String {
        let (frame, i) = (self.i, self.own());
        let weights = self.weights(dimensions, interpolation);
        if dimensions == 4 {
            let fourth = format!("fourth{i}.cell.x, fourth{i}.fraction.x");
            let weights = format!("{weights}, interpolate_{}(fourth{i}.fraction.x)", weight(interpolation));
            return format!("lattice_{noise}_4(at{i}.cell, at{i}.fraction, {fourth}, table_key(frame{frame}){weights})");
        }
        format!("lattice_{noise}_{dimensions}(at{i}.cell, at{i}.fraction, table_key(frame{frame}){weights})")
    }

    /// The weights along the axes of the world, as further arguments of a call.
    fn weights(&self, dimensions: u32, interpolation: Interpolation) -> String {
        let (i, weight) = (self.own(), weight(interpolation));
        let axes = &["x", "y", "z"][..dimensions.min(3) as usize];
        axes.iter().map(|axis| format!(", interpolate_{weight}(at{i}.fraction.{axis})")).collect()
    }
}

/// The name of an interpolation's function in `interpolate.wgsl`, which gives the weight of the upper lattice point.
pub(super) fn weight(interpolation: Interpolation) -> &'static str {
    match interpolation {
        Interpolation::Truncated => "truncated",
        Interpolation::Linear => "linear",
        Interpolation::Cubic => "cubic",
        Interpolation::Quintic => "quintic",
        Interpolation::Cosine => "cosine",
    }
}
