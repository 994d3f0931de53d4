//! Ranges of nodes near a point, such as those in the disc of a stamp.

use super::Node;
use super::kind::InputRanges;
use crate::interval::Interval;
use crate::params::{Input, Role};
use crate::program::instance::{absolute, direction};
use glam::{DAffine3, DMat3, DVec3};
use std::collections::HashMap;

/// Maximum number of nodes whose ranges are narrowed. The others keep their range at any position.
const MOST: usize = 128;
/// Relative distance by which rounding may move a position outward.
const MARGIN: f64 = 1e-4;

/// The positions within a distance of a centre, and also within a reach of it along each axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Near {
    /// The centre.
    pub centre: DVec3,
    /// The reach along each axis.
    pub reach: DVec3,
    /// The distance from the centre.
    pub distance: f64,
}

impl Near {
    /// A cylinder around the z axis, from 0 up to a height.
    pub fn cylinder([radius, height]: [f64; 2]) -> Self {
        let [across, half] = [radius, 0.5 * height].map(|length| length * (1.0 + MARGIN));
        Near { centre: DVec3::Z * (0.5 * height), reach: DVec3::new(across, across, half), distance: libm::hypot(across, half) }
    }

    /// The positions after a map that stretches lengths by at most a factor.
    fn mapped(self, map: DAffine3, factor: f64) -> Self {
        Near {
            centre: map.transform_point3(self.centre),
            reach: absolute(map.matrix3) * self.reach * (1.0 + MARGIN),
            distance: self.distance * factor * (1.0 + MARGIN),
        }
    }

    /// The positions after displacements of at most these magnitudes along each axis.
    fn displaced(self, most: DVec3) -> Self {
        let most = most * (1.0 + MARGIN);
        Near { reach: self.reach + most, distance: self.distance + most.length(), ..self }
    }
}

/// Narrows the ranges of the nodes under an input.
struct Narrowing<'r, 'a> {
    everywhere: &'r InputRanges<'a>,
    left: usize,
}

/// The range of an input near a point. Coordinates and distances are bounded there, and so are the nodes that compute with them.
pub(super) fn range_near(everywhere: &InputRanges<'_>, input: &Input, at: Near) -> Interval {
    Narrowing { everywhere, left: MOST }.range(input, at, &mut HashMap::new())
}

impl Narrowing<'_, '_> {
    /// The range of an input. `known` holds the ranges of nodes at the same positions.
    fn range(&mut self, input: &Input, at: Near, known: &mut HashMap<String, Interval>) -> Interval {
        let everywhere = self.everywhere.of(input);
        let Input::Node(name) = input else { return everywhere };
        if let Some(known) = known.get(name) {
            return *known;
        }
        let graph = self.everywhere.graph;
        let node = graph.node.get(name).filter(|_| self.left > 0);
        let Some(node) = node else { return everywhere };
        self.left -= 1;
        let own = match node {
            Node::Coordinate(node) => node.range_near(at),
            Node::Radius(node) => node.range_near(at),
            Node::Transform(node) => self.range(&node.of, at.mapped(node.map(), node.stretch()), &mut HashMap::new()),
            Node::Slice(node) => {
                let across = direction(node.axis);
                let flat = DAffine3 { matrix3: DMat3::from_diagonal(DVec3::ONE - across), translation: across * node.at };
                self.range(&node.of, at.mapped(flat, 1.0), &mut HashMap::new())
            }
            Node::Warp(node) => {
                let by = [&node.x, &node.y, &node.z].map(|input| self.range(input, at, known).magnitude());
                self.range(&node.of, at.displaced(DVec3::from(by) * node.strength.abs()), &mut HashMap::new())
            }
            Node::Turbulence(node) => {
                let by = DVec3::splat(self.everywhere.of(&node.by).magnitude() * node.strengths().map(f64::abs).sum::<f64>());
                self.range(&node.of, at.displaced(by), &mut HashMap::new())
            }
            _ => {
                let inputs: Vec<(&Input, Interval)> =
                    inputs_here(node).into_iter().map(|input| (input, self.range(input, at, known))).collect();
                let of = |input: &Input| {
                    let found = inputs.iter().find(|(other, _)| *other == input);
                    found.map_or_else(|| self.everywhere.of(input), |(_, range)| *range)
                };
                if inputs.is_empty() { everywhere } else { node.as_kind().range(&InputRanges { graph, ranges: &of }) }
            }
        };
        // Not a number if a reach is infinite.
        let own = if own.width().is_nan() { everywhere } else { own.clamped(everywhere.lo, everywhere.hi) };
        known.insert(name.clone(), own);
        own
    }
}

/// The inputs that a node reads at its own position only.
fn inputs_here(node: &Node) -> Vec<&Input> {
    let elsewhere: Vec<&Input> = node.roles().filter(|(_, _, role)| *role != Role::Here).map(|(_, input, _)| input).collect();
    node.roles().map(|(_, input, _)| input).filter(|input| !elsewhere.contains(input)).collect()
}
