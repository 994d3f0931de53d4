//! Nodes that are a curve of one value, and the control points that such curves go through.

use super::{Lowering, Open};
use crate::graph::{Distribution, Equalise, GraphError, Node, Quantile, Spline};
use crate::params::Input;
use crate::program::computed::{Kind, computed};
use crate::program::distribution::{pieces_of_quantiles, pieces_of_table};
use crate::program::{Curve, Op, ProgramError, Reg, Span, SplinePoint};

impl Lowering<'_> {
    pub(super) fn quantile(&mut self, name: &str, n: &Quantile, open: &mut Open) -> Result<Op, ProgramError> {
        match n.distribution {
            Distribution::Normal => self.curve(Curve::NormalQuantile, &n.of, [n.location, n.scale, 0.0, 0.0], open, name),
            Distribution::Weibull => self.curve(Curve::WeibullQuantile, &n.of, [n.location, n.scale, 1.0 / n.shape, 0.0], open, name),
            Distribution::Exponential => self.curve(Curve::WeibullQuantile, &n.of, [n.location, n.scale, 1.0, 0.0], open, name),
            Distribution::Table => {
                let x = self.input(&n.of, open, name)?;
                let numbers: Vec<f64> = n.table.iter().flat_map(|point| [point.probability, point.value]).collect();
                let curve = computed(Kind::Table, &numbers, || pieces_of_table(&n.table));
                Ok(Op::Spline { x, points: self.points(&curve) })
            }
        }
    }

    pub(super) fn equalise(&mut self, name: &str, n: &Equalise, open: &mut Open) -> Result<Op, ProgramError> {
        if n.quantiles.is_empty() {
            let allowed = "measured ones: `orogen equalise RECIPE` writes them into the recipe";
            return Err(GraphError::parameter(name, "quantiles", "none", allowed).into());
        }
        let x = self.input(&n.of, open, name)?;
        let curve = computed(Kind::Quantiles, &n.quantiles, || pieces_of_quantiles(&n.quantiles));
        Ok(Op::Spline { x, points: self.points(&curve) })
    }

    pub(super) fn curve(&mut self, curve: Curve, of: &Input, numbers: [f64; 4], open: &mut Open, name: &str) -> Result<Op, ProgramError> {
        Ok(Op::Curve { curve, x: self.input(of, open, name)?, numbers: self.numbers(numbers) })
    }

    pub(super) fn smoothstep(&mut self, x: Reg, low: f64, high: f64) -> Op {
        // Edges that coincide make a jump; 1e18 keeps products finite.
        let numbers = [low, (1.0 / (high - low)).min(1e18), 0.0, 0.0];
        Op::Curve { curve: Curve::Smoothstep, x, numbers: self.numbers(numbers) }
    }

    /// The points of a spline. Those of a table lie there once, however many splines share them.
    pub(super) fn control_points(&mut self, n: &Spline) -> Span {
        let graph = self.graph;
        let own = graph.points(n);
        let Some((name, Node::PointTable(table))) =
            (if let Some(Input::Node(name)) = &n.table { graph.node.get_key_value(name) } else { None })
        else {
            return self.points(&SplinePoint::pieces(own).collect::<Vec<_>>());
        };
        let tables = &mut self.tables;
        let first = *self.point_tables.entry(name).or_insert_with(|| {
            let first = tables.points.len();
            tables.points.extend(SplinePoint::pieces(&table.points));
            first
        });
        self.span(first + n.start as usize, own.len())
    }

    pub(super) fn points(&mut self, points: &[SplinePoint]) -> Span {
        let start = self.tables.points.len();
        self.tables.points.extend_from_slice(points);
        self.span(start, points.len())
    }
}

#[cfg(test)]
mod tests {
    use crate::graph::{Noise, PointTable, Simplex, Spline};
    use crate::params::ControlPoint;
    use crate::program::Program;

    #[test]
    fn points_that_splines_share_are_there_once() {
        let points = (0..9).map(|i| ControlPoint { at: f64::from(i % 3), value: f64::from(i), ..Default::default() }).collect();
        let table = Noise::point_table(PointTable { points });
        let of = |seed, start| {
            let basis = Noise::simplex(Simplex { seed: Some(seed), ..Default::default() });
            basis.spline_from(&table, Spline { start, end: Some(start + 3), ..Default::default() })
        };
        let noise = of(1, 0).add(of(2, 3)).add(of(3, 3)).add(of(4, 6));
        let tables = Program::new(noise.graph()).expect("a noise").tables;
        assert_eq!(tables.points.len(), 9);
    }
}
