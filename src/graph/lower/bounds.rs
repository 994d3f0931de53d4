//! Bounds of the values and coordinates that a region's samples read, after octaves, transforms and warps.

use super::affine::Exact;
use crate::graph::node::{Node, PolarForm};
use crate::graph::{Graph, ranges, ranges_within};
use crate::interval::Interval;
use crate::program::{Program, ProgramError};
use crate::region::Region;
use glam::DVec3;
use std::collections::HashMap;

/// Number of refinements of the bounds of coordinates, each from the bounds of the coordinates that displace them. Every
/// iteration is valid.
const ROUNDS: usize = 4;

/// Bounds of the values and positions of nodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Bounds<'a> {
    /// Bounds of every node's values.
    pub ranges: HashMap<&'a str, Interval>,
    /// The largest coordinates that polar nodes read along each axis, in sizes. `None` if unknown.
    pub polar: HashMap<&'a str, DVec3>,
    /// The largest positions that nodes with f32 positions read, in cells of their frames.
    pub positions: HashMap<&'a str, f64>,
}

impl<'a> Bounds<'a> {
    /// The bounds at every position, for a checked graph.
    pub fn everywhere(graph: &'a Graph) -> Result<Self, ProgramError> {
        graph.check()?;
        Ok(Bounds { ranges: ranges(graph)?, ..Bounds::default() })
    }

    /// The bounds at every position, for everything that these outputs need.
    pub fn of_all(graph: &'a Graph, outputs: &[String]) -> Result<Self, ProgramError> {
        let mut all = HashMap::new();
        for output in outputs {
            let own = Graph { output: output.clone(), node: graph.node.clone() };
            let known = |(name, range): (&str, Interval)| Some((graph.node.get_key_value(name)?.0.as_str(), range));
            all.extend(Bounds::everywhere(&own)?.ranges.into_iter().filter_map(known));
        }
        Ok(Bounds { ranges: all, ..Bounds::default() })
    }
}

/// The largest coordinates that a polar node reads, in sizes, for samples at this distance from its centre and this height.
pub(crate) fn around_circle(form: PolarForm, distance: f64, height: f64) -> DVec3 {
    match form {
        PolarForm::Circle => DVec3::new(1.0, 1.0, height),
        PolarForm::Strip => DVec3::new(0.5, distance, height),
    }
}

/// Bounds in a region. They differ from the general bounds by the region's range of coordinates, which are limited to 2³⁰ units.
///
/// # Errors
/// Returns the errors of [`Program::new`].
pub(crate) fn bounds_in<'a>(graph: &'a Graph, region: &Region) -> Result<Bounds<'a>, ProgramError> {
    let mut bounds = Bounds::everywhere(graph)?;
    for _ in 0..ROUNDS {
        let program = Program::lower(graph, false, bounds.clone())?;
        let (mut known, mut polar, mut positions) = (HashMap::new(), HashMap::new(), HashMap::new());
        for (name, all) in program.farthest(region) {
            let (name, node) = graph.node.get_key_value(name).expect("invariant: nodes own frames");
            let name = name.as_str();
            let farthest = all.iter().copied().fold(0.0, f64::max);
            let range = match (node, Exact::of(graph, node)) {
                (Node::Coordinate(_), _) => Interval::new(-farthest, farthest),
                (Node::Radius(_), _) => Interval::new(0.0, farthest),
                (_, Some(Exact::Sum(sum))) => {
                    let most = sum.weight * farthest;
                    Interval::new(sum.constant - most, sum.constant + most)
                }
                (Node::Polar(n), _) => {
                    // It has two frames: of the first two axes, and of the third.
                    let reach = all.chunks_exact(2).map(|pair| around_circle(n.form, pair[0], pair[1]));
                    polar.insert(name, reach.fold(DVec3::ZERO, DVec3::max));
                    continue;
                }
                (Node::FastnoiseLite(n), _) => {
                    positions.insert(name, farthest + n.displaced_cells());
                    continue;
                }
                _ => continue,
            };
            known.insert(name, range);
        }
        let next = Bounds { ranges: ranges_within(graph, &known)?, polar, positions };
        if next == bounds {
            break;
        }
        bounds = next;
    }
    Ok(bounds)
}
