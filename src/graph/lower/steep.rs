//! Bounds of gradients. Bounds of values keep f32 arithmetic finite (`graph/range`); gradients need separate bounds, because
//! octaves, displacements and steep curves multiply them.
//!
//! Every bound is a length per unit of the node's own space, by the chain rule with magnitudes. A fractal or a transform scales
//! everything under it, so the largest gradient under a node is tracked as well: kernels compute that one, too.

use crate::graph::node::kind::InputRanges;
use crate::graph::{Graph, LARGEST_VALUE, evaluation_order, ranges};
use crate::interval::Interval;
use crate::params::Input;
use crate::program::{ProgramError, SplinePoint};
use std::collections::HashMap;

/// The steepest slope of the quintic between two points, and of every other interpolation.
pub(crate) const INTERPOLATION: f64 = 1.875;
/// Powers treat magnitudes below 2⁻⁴⁰ as 0.
const SMALLEST: f64 = 9.094_947_017_729_282e-13;

/// Bounds of the gradients of a sub-graph.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Steep<'a> {
    /// Of its output.
    pub gradient: f64,
    /// The largest of all gradients computed for it, and its node.
    peak: f64,
    node: &'a str,
}

impl<'a> Steep<'a> {
    /// Of a node with this gradient, computed from others.
    fn of(node: &'a str, gradient: f64, from: &[Steep<'a>]) -> Self {
        let own = Steep { gradient, peak: gradient, node };
        let steeper = |a: Steep<'a>, b: &Steep<'a>| if b.peak > a.peak { Steep { gradient, ..*b } } else { a };
        from.iter().fold(own, steeper)
    }

    /// Under a node that multiplies all gradients by this factor. That node is reported if they become too large.
    fn scaled(self, by: &'a str, factor: f64) -> Self {
        let peak = times(self.peak, factor);
        let node = if peak > LARGEST_VALUE && self.peak <= LARGEST_VALUE { by } else { self.node };
        Steep { gradient: times(self.gradient, factor), peak, node }
    }
}

/// A product of magnitudes where 0 · ∞ is 0.
pub(crate) fn times(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 { 0.0 } else { a * b }
}

/// Checks that f32 can represent the gradients of a graph and all intermediate ones.
///
/// # Errors
/// Returns the errors of [`ranges`], a node without a gradient, or the node whose gradient may be too large.
pub(crate) fn check_gradients(graph: &Graph) -> Result<(), ProgramError> {
    if let Some(node) = graph.without_gradient() {
        return Err(ProgramError::NoGradient { node: node.to_owned() });
    }
    let Steep { peak, node, .. } = steepest(graph)?;
    // Written so that NaN is refused.
    if peak <= LARGEST_VALUE { Ok(()) } else { Err(ProgramError::Steep { node: node.to_owned(), value: peak }) }
}

/// An upper bound of the length of the gradients of a graph's output.
///
/// # Errors
/// Returns the errors of [`ranges`].
pub(crate) fn gradient_bound(graph: &Graph) -> Result<f64, ProgramError> {
    Ok(steepest(graph)?.gradient)
}

/// An upper bound of the length of an input's gradients; infinite if f32 cannot represent one of those computed for it.
pub(crate) fn input_slope(graph: &Graph, input: &Input) -> f64 {
    let Input::Node(name) = input else { return 0.0 };
    match steepest(&Graph { output: name.clone(), node: graph.node.clone() }) {
        Ok(Steep { gradient, peak, .. }) if peak <= LARGEST_VALUE => gradient,
        Ok(_) | Err(_) => f64::INFINITY,
    }
}

fn steepest(graph: &Graph) -> Result<Steep<'_>, ProgramError> {
    let ranges = ranges(graph)?;
    let mut all: HashMap<&str, Steep<'_>> = HashMap::new();
    for name in evaluation_order(graph)? {
        let node = &graph.node[name];
        if !node.is_table() {
            let found = node.as_kind().steepness(&Rule { graph, name, ranges: &ranges, all: &all });
            all.insert(name, found);
        }
    }
    Ok(all[graph.output.as_str()])
}

/// The chain rule at one node with known inputs.
pub(crate) struct Rule<'r, 'a> {
    /// The graph that contains the node.
    pub graph: &'a Graph,
    name: &'a str,
    ranges: &'r HashMap<&'a str, Interval>,
    all: &'r HashMap<&'a str, Steep<'a>>,
}

impl<'a> Rule<'_, 'a> {
    /// The bounds of an input.
    pub fn input(&self, input: &Input) -> Steep<'a> {
        match input {
            Input::Node(name) => self.all[name.as_str()],
            Input::Value(_) | Input::Missing => Steep { gradient: 0.0, peak: 0.0, node: self.name },
        }
    }

    /// The range of an input's values.
    pub fn range(&self, input: &Input) -> Interval {
        match input {
            Input::Node(name) => self.ranges[name.as_str()],
            Input::Value(x) => Interval::new(*x, *x),
            Input::Missing => Interval::new(0.0, 0.0),
        }
    }

    /// The largest magnitude of an input's values.
    pub fn magnitude(&self, input: &Input) -> f64 {
        self.range(input).magnitude()
    }

    /// The largest magnitude of an input's values in a cylinder around the z axis with this radius, from 0 up to this height.
    pub fn magnitude_within(&self, input: &Input, cylinder: [f64; 2]) -> f64 {
        InputRanges { graph: self.graph, ranges: &|input| self.range(input) }.within(input, cylinder).magnitude()
    }

    /// Without inputs.
    pub fn basis(&self, gradient: f64) -> Steep<'a> {
        Steep::of(self.name, gradient, &[])
    }

    /// A curve of one value with this maximum slope.
    pub fn curve(&self, of: &Input, slope: f64) -> Steep<'a> {
        let x = self.input(of);
        Steep::of(self.name, times(slope, x.gradient), &[x])
    }

    /// A curve through points.
    pub fn points(&self, of: &Input, points: &[SplinePoint]) -> Steep<'a> {
        self.curve(of, steepest_piece(points))
    }

    /// The larger or the sum of both.
    pub fn both(&self, a: &Input, b: &Input, gradient: impl Fn(f64, f64) -> f64) -> Steep<'a> {
        let (a, b) = (self.input(a), self.input(b));
        Steep::of(self.name, gradient(a.gradient, b.gradient), &[a, b])
    }

    /// A blend of two values by a mask, with this maximum slope of the weight in the mask's values.
    pub fn blend(&self, [a, b]: [&Input; 2], mask: &Input, slope: f64) -> Steep<'a> {
        let apart = self.magnitude(a) + self.magnitude(b);
        let [a, b, mask] = [a, b, mask].map(|input| self.input(input));
        Steep::of(self.name, a.gradient + b.gradient + times(apart, times(slope, mask.gradient)), &[a, b, mask])
    }

    /// The length of the gradients of three values together.
    pub fn jacobian(&self, inputs: [&Input; 3]) -> (f64, [Steep<'a>; 3]) {
        let by = inputs.map(|input| self.input(input));
        (by.iter().map(|by| by.gradient * by.gradient).sum::<f64>().sqrt(), by)
    }

    /// A gradient of the node, computed from others.
    pub fn of(&self, gradient: f64, from: &[Steep<'a>]) -> Steep<'a> {
        Steep::of(self.name, gradient, from)
    }

    /// Gradients under the node, which multiplies them by this factor.
    pub fn scaled(&self, of: Steep<'a>, factor: f64) -> Steep<'a> {
        of.scaled(self.name, factor)
    }
}

/// The steepest slope of the pieces of a curve: each is steepest at an end.
pub(crate) fn steepest_piece(points: &[SplinePoint]) -> f64 {
    let slopes = points.windows(2).flat_map(|pair| {
        let [from, to] = [&pair[0], &pair[1]];
        [from.anchor - from.value, to.value - from.anchor].map(|rise| 2.0 * rise.abs() * from.inverse_width)
    });
    slopes.fold(0.0, f64::max)
}

/// The steepest slope of a power of magnitudes in a range.
pub(crate) fn steepest_power(exponent: f64, x: Interval) -> f64 {
    let least = if x.lo > 0.0 {
        x.lo
    } else if x.hi < 0.0 {
        -x.hi
    } else {
        0.0
    };
    let steepest = if exponent >= 1.0 { x.magnitude() } else { least };
    exponent * libm::pow(steepest.max(SMALLEST), exponent - 1.0)
}
