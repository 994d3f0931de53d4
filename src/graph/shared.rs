//! Tables that nodes share: the octaves of fractals and the control points of splines, each node with entries of its own out of one list,
//! as the terrain shader's samplers have theirs.

use super::{Fractal, Graph, GraphError, Node, Spline};
use crate::params::{ControlPoint, Input, short};

impl Node {
    /// Whether it holds a table, and so has no values of its own.
    pub(crate) fn is_table(&self) -> bool {
        self.info().outputs.is_empty()
    }
}

impl Graph {
    /// The offsets of a fractal's octaves, its own or those of a table; `None` where its seed gives them. Of a checked graph.
    pub(crate) fn offsets<'a>(&'a self, n: &'a Fractal) -> Option<&'a [[f64; 3]]> {
        let Some(Node::OctaveTable(table)) = self.table(n.table.as_ref()) else { return n.offsets.as_deref() };
        table.offsets.get(n.start as usize..)
    }

    /// The control points of a spline, its own or those of a table. Of a checked graph.
    pub(crate) fn points<'a>(&'a self, n: &'a Spline) -> &'a [ControlPoint] {
        let Some(Node::PointTable(table)) = self.table(n.table.as_ref()) else { return &n.points };
        table.points.get(n.start as usize..n.end.map_or(table.points.len(), |end| end as usize)).unwrap_or_default()
    }

    fn table(&self, input: Option<&Input>) -> Option<&Node> {
        if let Some(Input::Node(name)) = input { self.node.get(name) } else { None }
    }

    /// Checks what a node takes from a table, and that no other input reads one.
    pub(super) fn check_shared(&self, name: &str, node: &Node) -> Result<(), GraphError> {
        let refuse = |param, value: String, allowed: &str| Err(GraphError::parameter(name, param, value, allowed));
        for (param, input) in node.inputs() {
            let found = self.table(Some(input));
            let wanted = match (node, param) {
                (Node::Fractal(_), "table") => Some("octave_table"),
                (Node::Spline(_), "table") => Some("point_table"),
                _ => None,
            };
            match (wanted, found) {
                (Some(kind), found) if found.is_none_or(|table| table.info().kind != kind) => {
                    return refuse(param, told(input), &format!("the name of a node of kind \"{kind}\""));
                }
                (None, Some(table)) if table.is_table() => {
                    return refuse(param, told(input), "nodes that have values: this one is a table");
                }
                _ => (),
            }
        }
        match node {
            Node::Fractal(n) if n.table.is_some() && n.offsets.is_some() => {
                refuse("offsets", "given beside a table".to_owned(), "one of the two")
            }
            Node::Fractal(n) if n.table.is_some() => {
                let entries = self.offsets(n).map_or(0, <[_]>::len);
                let allowed = format!("as many octaves as the table has entries from start = {} on ({entries})", n.start);
                if entries < n.octaves as usize { refuse("octaves", n.octaves.to_string(), &allowed) } else { Ok(()) }
            }
            Node::Spline(n) if n.table.is_some() && !n.points.is_empty() => {
                refuse("points", "given beside a table".to_owned(), "one of the two")
            }
            Node::Spline(n) if n.table.is_none() && n.points.is_empty() => refuse("points", "none".to_owned(), "two and more, or a table"),
            Node::Spline(n) if n.table.is_some() => self.check_points(name, n),
            _ => Ok(()),
        }
    }

    fn check_points(&self, name: &str, n: &Spline) -> Result<(), GraphError> {
        let points = self.points(n);
        if points.len() < 2 {
            let end = n.end.map_or("the end".to_owned(), |end| end.to_string());
            let value = format!("{} (up to {end})", n.start);
            return Err(GraphError::parameter(name, "start", value, "two entries of the table and more"));
        }
        let falls = points.windows(2).position(|pair| pair[1].at <= pair[0].at);
        falls.map_or(Ok(()), |i| {
            let entry = n.start as usize + i;
            let value = format!("at = {} after at = {} (entries {entry} and {})", short(points[i + 1].at), short(points[i].at), entry + 1);
            Err(GraphError::parameter(name, "table", value, "`at` strictly increasing from start to end"))
        })
    }
}

fn told(input: &Input) -> String {
    match input {
        Input::Missing => "none".to_owned(),
        Input::Node(name) => format!("'{name}'"),
        Input::Value(x) => short(*x),
    }
}
