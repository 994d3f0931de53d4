//! Noises on lattices: the call of each basis.

use super::Printer;
use crate::graph::{Interpolation, Metric, WorleyOutput};
use crate::program::{Basis, OneLiner, Scalar, Span, WorleyShape};

impl Printer<'_> {
    /// A basis in the frame of the scope's instance. A fourth coordinate has a frame of its own, after that of the others.
    pub(super) fn lattice(&self, basis: Basis, frames: Span) -> String {
        if self.close
            && let Some(lines) = self.shared(basis, frames)
        {
            return lines;
        }
        if basis.dimensions() < 4 {
            return self.frame(frames) + &self.each(|sample| sample.three(basis));
        }
        let frame = format!("    let frame{} = {} + 2u * instance;\n", self.i, self.first(frames));
        frame + &self.each(|sample| sample.four(basis))
    }

    fn three(&self, basis: Basis) -> String {
        match basis {
            Basis::HexagonalTables(numbers) => self.cell() + &self.hexagonal_tables(numbers),
            _ => self.cell() + &self.result(&format!("table_world(frame{}, {})", self.i, self.basis(basis))),
        }
    }

    fn four(&self, basis: Basis) -> String {
        let (frame, i, noise) = (self.i, self.own(), self.basis(basis));
        let both = self.cell() + &self.cell_in("fourth", &format!("frame{frame} + 1u"));
        match basis {
            Basis::Simplex4 => {
                format!("{both}    let n{i} = {noise};\n    let v{i} = table_world_4(frame{frame}, n{i}.value, n{i}.gradient);\n")
            }
            _ => both + &self.result(&format!("table_world(frame{frame}, {noise})")),
        }
    }

    /// The call of a basis at `at{i}` (and `fourth{i}`).
    fn basis(&self, basis: Basis) -> String {
        let (frame, i) = (self.i, self.own());
        let plain = |function: &str| format!("{function}(at{i}.cell, at{i}.fraction, table_key(frame{frame}))");
        match basis {
            Basis::Simplex1 => plain("simplex_1"),
            Basis::Simplex2 => plain("simplex_2"),
            Basis::Simplex3 => plain("simplex_3"),
            Basis::Simplex4 => {
                format!("skewed_simplex_4(at{i}.cell, at{i}.fraction, fourth{i}.cell.x, fourth{i}.fraction.x, table_key(frame{frame}))")
            }
            Basis::Permutation289 if self.structure.periodic => plain("permutation289_periodic"),
            Basis::Permutation289 => format!("permutation289_simplex(at{i}.cell, at{i}.fraction)"),
            Basis::Value(dimensions, interpolation) => self.cubic("value", dimensions, interpolation),
            Basis::ValueTable(interpolation, numbers) => self.value_table(interpolation, numbers),
            Basis::Perlin(dimensions, interpolation) => self.cubic("perlin", dimensions, interpolation),
            Basis::Worley(shape, numbers) => self.worley(shape, numbers),
            Basis::OneLiner(form, dimensions) => {
                let cell = ["x, 0, 0", "xy, 0", "xyz"][dimensions as usize - 1];
                let cell = format!("point_cell(vec3<i32>(at{i}.cell.{cell}), table_key(frame{frame}))");
                match form {
                    OneLiner::Sine => format!("white_sine({cell})"),
                    OneLiner::NestedSine => format!("white_nested_sine({cell}, {dimensions}u)"),
                    OneLiner::NestedInteger => format!("white_nested_integer({cell}, {dimensions}u)"),
                }
            }
            Basis::Hexagonal | Basis::HexagonalTables(_) => plain("hexagonal_hashed"),
        }
    }

    /// Hexagonal noise by the tables of its article, which are read here: a function of the library cannot be handed a table.
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

    /// The call of a cubic lattice's noise: the weights along its axes are computed by the interpolation that was chosen.
    fn cubic(&self, noise: &str, dimensions: u32, interpolation: Interpolation) -> String {
        let (frame, i) = (self.i, self.own());
        let weight = weight(interpolation);
        let axes = &["x", "y", "z"][..dimensions.min(3) as usize];
        let weights: String = axes.iter().map(|axis| format!(", interpolate_{weight}(at{i}.fraction.{axis})")).collect();
        if dimensions == 4 {
            let fourth = format!("fourth{i}.cell.x, fourth{i}.fraction.x");
            let weights = format!("{weights}, interpolate_{weight}(fourth{i}.fraction.x)");
            return format!("lattice_{noise}_4(at{i}.cell, at{i}.fraction, {fourth}, table_key(frame{frame}){weights})");
        }
        format!("lattice_{noise}_{dimensions}(at{i}.cell, at{i}.fraction, table_key(frame{frame}){weights})")
    }

    /// The call of a Worley noise. Its shape goes as constants, so that a kernel holds only what its shape needs.
    fn worley(&self, shape: WorleyShape, Scalar(first): Scalar) -> String {
        let (frame, i) = (self.i, self.own());
        let WorleyShape { dimensions, metric, output, nearest } = shape;
        // Constants of `worley.wgsl`.
        let metric = match metric {
            Metric::Euclidean => "WORLEY_EUCLIDEAN",
            Metric::Squared => "WORLEY_SQUARED",
            Metric::Manhattan => "WORLEY_MANHATTAN",
            Metric::Chebyshev => "WORLEY_CHEBYSHEV",
        };
        let search = format!(
            "worley_new(at{i}.cell, at{i}.fraction, table_key(frame{frame}), {dimensions}u, {metric}, {nearest}u, table_scalar({first}u))"
        );
        match output {
            WorleyOutput::Distance => {
                let weight = |k| if k <= nearest { format!("table_scalar({}u)", first + k) } else { "0.0".to_owned() };
                format!("worley_distance({search}, vec4<f32>({}))", [1, 2, 3, 4].map(weight).join(", "))
            }
            WorleyOutput::Cell => format!("worley_value({search})"),
            WorleyOutput::Edge => format!("worley_edge({search})"),
        }
    }
}

/// The weight of the upper lattice point: what its function in `interpolate.wgsl` is called.
pub(super) fn weight(interpolation: Interpolation) -> &'static str {
    match interpolation {
        Interpolation::Truncated => "truncated",
        Interpolation::Linear => "linear",
        Interpolation::Cubic => "cubic",
        Interpolation::Quintic => "quintic",
        Interpolation::Cosine => "cosine",
    }
}
