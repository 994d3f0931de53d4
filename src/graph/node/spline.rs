//! Curves through control points, and tables of control points.

use crate::graph::lower::NodeSite;
use crate::graph::lower::steep::{Rule, Steep};
use crate::graph::node::Node;
use crate::graph::node::kind::{CheckedNode, EntryTable, InputRanges, NodeKind};
use crate::graph::node::precision::{Magnitudes, Precision, Rounds};
use crate::graph::{Graph, Noise};
use crate::interval::Interval;
use crate::params::{ControlPoint, Input, row, short};
use crate::program::{GraphError, Op, ProgramError, SplinePoint};

row! {
    /// A curve through control points: between two of them, the quadratic Bézier curve whose middle anchor is the mean of the
    /// points' tangents, as in the terrain shader's `interpolateValue`. Inputs beyond the ends give the end values.
    Spline {
        /// The input value.
        of: Input => Here;
        /// The control points.
        points: Vec<ControlPoint> = Vec::new(), [increasing];
        /// A `point_table` that holds the control points instead, which several splines may share.
        table: Option<Input> = None, [structural] => Table("point_table");
        /// Index of the table's entry that is the first control point.
        start: u32 = 0, [ENTRY], Unitless;
        /// Index of the table's entry after the last control point. If omitted, the end of the table.
        end: Option<u32> = None, [ENTRY], Unitless;
    }

    /// A table of control points for any number of splines. Each spline reads the entries from its `start` up to its `end`. The
    /// device holds the table once, however many splines read it.
    ///
    /// A table has no values: only the `table` parameter of a spline can refer to it.
    PointTable -> &[], {
        /// The control points, one curve after another; `at` increases within the entries of a spline.
        points: Vec<ControlPoint> = Vec::new();
    }
}

impl Noise {
    /// Remaps this noise by a curve through control points.
    pub fn spline(self, points: impl Into<Vec<ControlPoint>>) -> Self {
        let points = points.into();
        self.then(|of| Spline { of, points, ..Default::default() })
    }

    /// Remaps this noise by a curve whose control points are entries of a [table](Self::point_table), from `params.start` up to
    /// `params.end`.
    pub fn spline_from(self, table: &Noise, params: Spline) -> Self {
        self.with(table, |of, table| Spline { of, table: Some(table), ..params })
    }

    /// A table of control points for [`spline_from`](Self::spline_from). It has no values.
    pub fn point_table(params: PointTable) -> Self {
        Self::source(params)
    }
}

impl NodeKind for Spline {
    fn check(&self, at: &CheckedNode<'_>) -> Result<(), GraphError> {
        match (&self.table, &self.points[..]) {
            (Some(_), [_, ..]) => at.refuse("points", "given together with a table", "one of the two"),
            (None, []) => at.refuse("points", "[]", "two or more, or a table"),
            (Some(_), []) => self.check_entries(at),
            (None, [_, ..]) => Ok(()),
        }
    }

    fn range(&self, inputs: &InputRanges<'_>) -> Interval {
        curve_range(inputs.graph.points(self), inputs.of(&self.of))
    }

    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        rule.points(&self.of, &SplinePoint::pieces(rule.graph.points(self)).collect::<Vec<_>>())
    }

    fn precision(&self) -> Precision {
        Precision::of_values(2e-6)
    }

    fn rounds(&self, inputs: &Magnitudes<'_>) -> Rounds {
        inputs.argument(&self.of, inputs.graph.points(self).iter().fold(0.0, |m, point| m.max(point.at.abs())))
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        let x = site.input(&self.of)?;
        let own = site.graph().points(self);
        let entries = match &self.table {
            Some(Input::Node(name)) => site.shared_points(name),
            Some(Input::Value(_) | Input::Missing) | None => None,
        };
        let points = match entries {
            // The points of a table are stored once, however many splines share them.
            Some(first) => site.span(first + self.start as usize, own.len()),
            None => site.points(&SplinePoint::pieces(own).collect::<Vec<_>>()),
        };
        Ok(Op::Spline { x, points })
    }
}

/// Exact bounds of the Bézier pieces between control points over the possible inputs, widened for rounding in f32.
pub(crate) fn curve_range(points: &[ControlPoint], input: Interval) -> Interval {
    let clamped = Interval {
        lo: input.lo.clamp(points[0].at, points[points.len() - 1].at),
        hi: input.hi.clamp(points[0].at, points[points.len() - 1].at),
    };
    let mut total: Option<Interval> = None;
    for pair in points.windows(2) {
        let (p, q) = (pair[0], pair[1]);
        if clamped.hi < p.at || clamped.lo > q.at {
            continue;
        }
        let width = q.at - p.at;
        let anchor = p.anchor(q);
        let bezier = |t: f64| {
            let (a, b) = (p.value + t * (anchor - p.value), anchor + t * (q.value - anchor));
            a + t * (b - a)
        };
        // f32 rounds `at` and the input, which changes t.
        let blur = 4.0 * f64::from(f32::EPSILON) * (1.0 + p.at.abs().max(q.at.abs()) / width);
        let t0 = ((clamped.lo - p.at) / width - blur).clamp(0.0, 1.0);
        let t1 = ((clamped.hi - p.at) / width + blur).clamp(0.0, 1.0);
        let mut piece = Interval::new(bezier(t0), bezier(t1));
        let turn = (p.value - anchor) / (p.value - 2.0 * anchor + q.value);
        if turn > t0 && turn < t1 {
            piece = piece.hull(Interval::new(bezier(turn), bezier(turn)));
        }
        // Rounding scales with the largest of the numbers involved, including the anchor.
        let slack = 8.0 * f64::from(f32::EPSILON) * anchor.abs().max(p.value.abs()).max(q.value.abs());
        let slack = if p.value == q.value && anchor == p.value { 0.0 } else { slack };
        let piece = Interval { lo: piece.lo - slack, hi: piece.hi + slack };
        total = Some(total.map_or(piece, |t| t.hull(piece)));
    }
    total.unwrap_or(Interval::new(points[0].value, points[0].value)).outward()
}

impl Spline {
    /// Checks the entries that it reads from a table.
    fn check_entries(&self, at: &CheckedNode<'_>) -> Result<(), GraphError> {
        let points = at.graph.points(self);
        if points.len() < 2 {
            let end = self.end.map_or("the end".to_owned(), |end| end.to_string());
            return at.refuse("start", format!("{} (up to {end})", self.start), "two or more entries of the table");
        }
        let falls = points.windows(2).position(|pair| pair[1].at <= pair[0].at);
        falls.map_or(Ok(()), |i| {
            let entry = self.start as usize + i;
            let value = format!("at = {} after at = {} (entries {entry} and {})", short(points[i + 1].at), short(points[i].at), entry + 1);
            at.refuse("table", value, "`at` strictly increasing from start to end")
        })
    }
}

impl Graph {
    /// The control points of a spline, its own or those of a table. The graph must be checked.
    fn points<'a>(&'a self, n: &'a Spline) -> &'a [ControlPoint] {
        let Some(Node::PointTable(table)) = self.table(n.table.as_ref()) else { return &n.points };
        table.points.get(n.start as usize..n.end.map_or(table.points.len(), |end| end as usize)).unwrap_or_default()
    }
}

impl EntryTable for PointTable {}

#[cfg(test)]
mod tests {
    use crate::graph::Noise;
    use crate::graph::node::{PointTable, Simplex, Spline};
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
