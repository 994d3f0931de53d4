//! Bounds of the difference between f32 and f64: each node rounds by a known amount, and moving the node by that amount shows the
//! effect on the result.

use super::{Backend, Engine, EngineError, EngineOptions};
use crate::graph::lower::{Bounds, bounds_in, read_as_numbers};
use crate::graph::node::precision::{Magnitudes, Precision, Rounds};
use crate::graph::node::{Add, Constant, Node, ScaleOffset, Warp};
use crate::graph::{Graph, Noise, evaluation_order, names::free_name};
use crate::params::{Input, LARGEST};
use crate::program::ProgramError;
use crate::region::Region;
use std::collections::HashSet;

/// Error of a position in a cell, or of a value that is a position, in steps of an f32's fraction. It is half a step for rounding,
/// and the same for the preceding operations.
const STEPS: f64 = 1.0 / 4_194_304.0;

/// Bounds of the difference between the values of `noise` in f32 and in f64, at each sample of a region. A bound is the sum, to
/// first order, of the effects of rounding in each node and in the positions that nodes compute. Bounds are larger where a curve
/// is steep; at a jump that rounding may cross, they are as large as the jump. Each effect counts with at least its median over
/// the region.
///
/// If a bound is as large as the values, f32 carries no information. An example is the sine of a distance that is rounded by more
/// than a turn.
///
/// The cost is two evaluations of the noise in f64 per node, six more per lattice, and up to five for each input that is a position.
///
/// ```
/// use orogen::node::Simplex;
/// use orogen::{Noise, Region, f32_bounds};
/// let flat = Noise::simplex(Simplex::default());
/// let steep = flat.clone().scale_offset(50.0, 0.0).sine(1.0, 0.0);
/// let region = Region::plane(8, 8);
/// let largest = |noise| f32_bounds(noise, &region).map(|bounds| bounds.into_iter().fold(0.0, f64::max));
/// assert!(largest(&flat)? < 1e-5 && largest(&steep)? > 1e-4);
/// # Ok::<(), orogen::EngineError>(())
/// ```
///
/// # Errors
/// Returns the errors of [`Engine::field`].
pub fn f32_bounds(noise: &Noise, region: &Region) -> Result<Vec<f64>, EngineError> {
    let oracle = Engine::open(&EngineOptions { backend: Backend::Oracle, ..Default::default() })?;
    let evaluate = |graph: Graph| Ok::<_, EngineError>(oracle.field(&Noise::from(graph), region)?.values);
    let graph = noise.graph();
    let exact = evaluate(graph.clone())?;
    // Fields round the oracle's results to f32.
    let mut bounds: Vec<f64> = exact.iter().map(|x| f64::from(x.abs()) * f64::from(f32::EPSILON)).collect();
    for Perturbation { moved: [a, b], counts_unless_equal } in changes(graph, region)? {
        if let Some(other) = counts_unless_equal
            && evaluate(other)? == exact
        {
            continue;
        }
        let (a, b) = (evaluate(a)?, evaluate(b)?);
        let by = |i: usize| [a[i], b[i]].map(|moved| f64::from((moved - exact[i]).abs())).into_iter().fold(0.0, f64::max);
        let by: Vec<f64> = (0..exact.len()).map(by).collect();
        // Octaves are moved together here, but each rounds separately: where their effects cancel, the effects elsewhere count.
        let least = median(&by);
        bounds.iter_mut().zip(by).for_each(|(bound, by)| *bound += by.max(least));
    }
    Ok(bounds)
}

/// The median; 0 for an empty list.
fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}

/// A graph with a single perturbation.
struct Perturbation {
    /// In both directions.
    moved: [Graph; 2],
    /// The change counts only if the values of this graph differ from those of the unchanged one.
    counts_unless_equal: Option<Graph>,
}

/// All perturbations of a graph by rounding.
fn changes(graph: &Graph, region: &Region) -> Result<Vec<Perturbation>, EngineError> {
    // The world limits the range of coordinates and of their results; here the region's share counts.
    let Bounds { ranges, polar, positions: read } = bounds_in(graph, region)?;
    let numbers = read_as_numbers(graph);
    let mut all = Vec::new();
    let both = |graph: &dyn Fn(f64) -> Graph| Perturbation { moved: [graph(1.0), graph(-1.0)], counts_unless_equal: None };
    for name in evaluation_order(graph).map_err(ProgramError::from)? {
        let node = &graph.node[name];
        if !numbers.contains(name) {
            continue;
        }
        let magnitude = |input: &Input| match input {
            Input::Node(name) => ranges[name.as_str()].magnitude(),
            Input::Value(x) => x.abs(),
            Input::Missing => 0.0,
        };
        let own = magnitude(&Input::Node(name.to_owned()));
        let Precision { rounding, cell, positions, position_unit, .. } = node.as_kind().precision();
        let Rounds { largest, argument } = node.as_kind().rounds(&Magnitudes { graph, magnitudes: &magnitude });
        let off = rounding * own.max(largest);
        if off > 0.0 {
            all.push(both(&|sign| with_node(graph, name, |graph, of| shifted(graph, of, sign * off))));
        }
        // A position in a cell has the 24 bits of an f32's fraction.
        // A position that is an f32 has them for its largest cell.
        let farthest = read.get(name).copied().unwrap_or(1.0);
        for axis in (0..3).filter(|&axis| cell[axis] != 0.0) {
            let off = farthest * cell[axis] * STEPS;
            all.push(both(&|sign| with_node(graph, name, |_, of| moved(of, axis, sign * off))));
        }
        // A curve first adds or multiplies its input and its own numbers.
        if let Some((param, size)) = argument {
            let off = size * f64::from(f32::EPSILON);
            all.push(both(&|sign| with_input(graph, name, param, |graph, of| shifted(graph, of, sign * off))));
        }
        // Positions that are values.
        for (param, input) in node.inputs().into_iter().filter(|(param, _)| positions.contains(param)) {
            let off = magnitude(input) * STEPS;
            all.push(both(&|sign| with_input(graph, name, param, |graph, of| shifted(graph, of, sign * off))));
            // A cell or more off, the position may have any value of the noise there, and two samples of it do not bound the rest.
            if off * position_unit >= smallest_cell_under(graph, node) {
                let width = ranges[name].hi - ranges[name].lo;
                let anywhere = both(&|sign| with_node(graph, name, |graph, of| shifted(graph, of, sign * width)));
                let elsewhere = with_input(graph, name, param, |_, _| Constant { value: 0.0 }.into());
                all.push(Perturbation { counts_unless_equal: Some(elsewhere), ..anywhere });
            }
        }
        // A polar node samples its input at a rounded position, in cells of its size.
        if let Some(reach) = polar.get(name) {
            for axis in 0..3 {
                let off = reach[axis] * cell[axis] * STEPS;
                all.push(both(&|sign| with_input(graph, name, "of", |_, of| moved(of, axis, sign * off))));
            }
        }
    }
    Ok(all)
}

/// The smallest cell of a node and of those under its input `of`, in their own world units; infinite if none has a position in a cell.
fn smallest_cell_under(graph: &Graph, node: &Node) -> f64 {
    let of = node.inputs().into_iter().filter(|(param, _)| *param == "of").map(|(_, input)| input);
    let smaller = |smallest: f64, cells: [f64; 3]| cells.into_iter().filter(|&cell| cell > 0.0).fold(smallest, f64::min);
    let (mut open, mut seen) = (of.collect::<Vec<_>>(), HashSet::new());
    let mut smallest = smaller(f64::INFINITY, node.as_kind().precision().cell);
    while let Some(input) = open.pop() {
        if let Input::Node(name) = input
            && seen.insert(name)
        {
            smallest = smaller(smallest, graph.node[name].as_kind().precision().cell);
            open.extend(graph.node[name].inputs().into_iter().map(|(_, input)| input));
        }
    }
    smallest
}

/// Samples `of` at a small offset along an axis. A displacement is added to the fraction of a cell. In the offset of a transform,
/// f64 would lose it far from the lattice's origin.
fn moved(of: Input, axis: usize, by: f64) -> Node {
    let mut by_axis = [0.0; 3].map(Input::Value);
    by_axis[axis] = Input::Value(by);
    let [x, y, z] = by_axis;
    Warp { of, x, y, z, strength: 1.0 }.into()
}

/// `of` plus a number.
fn shifted(graph: &mut Graph, of: Input, by: f64) -> Node {
    if by.abs() <= LARGEST {
        return ScaleOffset { of, scale: 1.0, offset: by }.into();
    }
    // Larger than a parameter may be, so it is the value of a node.
    let name = free_name("shift", |name| graph.node.contains_key(name));
    graph.node.insert(name.clone(), ScaleOffset { of: Input::Value(LARGEST), scale: by / LARGEST, offset: 0.0 }.into());
    Add { a: of, b: Input::Node(name) }.into()
}

/// The graph with a change to the values of a node, for all its readers.
fn with_node(graph: &Graph, name: &str, change: impl FnOnce(&mut Graph, Input) -> Node) -> Graph {
    let mut graph = graph.clone();
    let inner = free_name(name, |name| graph.node.contains_key(name));
    graph.node.insert(inner.clone(), graph.node[name].clone());
    let changed = change(&mut graph, Input::Node(inner));
    graph.node.insert(name.to_owned(), changed);
    graph
}

/// The graph with a change to one input of a node.
fn with_input(graph: &Graph, name: &str, param: &str, change: impl FnOnce(&mut Graph, Input) -> Node) -> Graph {
    let mut graph = graph.clone();
    let inner = free_name(param, |name| graph.node.contains_key(name));
    let node = graph.node.get_mut(name).expect("invariant: it is a node of the graph");
    let old = node.inputs().into_iter().find(|(found, _)| *found == param).map_or(Input::Missing, |(_, input)| input.clone());
    node.set(param, inner.as_str()).expect("invariant: an input takes the name of a node");
    // Takes the name before the change, which may add nodes.
    graph.node.insert(inner.clone(), ScaleOffset { of: old.clone(), scale: 1.0, offset: 0.0 }.into());
    let changed = change(&mut graph, old);
    graph.node.insert(inner, changed);
    graph
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A node with values so large that their rounding error is not an allowed parameter.
    #[test]
    fn bounds_of_the_largest_values_are_found() {
        let large = Noise::simplex(Default::default()).scale_offset(1e15, 0.0).scale_offset(1e10, 0.0);
        let region = Region::plane(4, 4);
        let most = |noise: &Noise| f32_bounds(noise, &region).expect("bounds").into_iter().fold(0.0, f64::max);
        // Rounding is proportional to the value at any size.
        let (of_large, of_small) = (most(&large), most(&Noise::simplex(Default::default())));
        assert!(of_large > 1e18 && of_large / 1e25 < 4.0 * of_small, "{of_large:e} and {of_small:e}");
    }
}
