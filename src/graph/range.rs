//! Proven bounds by interval arithmetic through the graph.
//!
//! Bounds hold for every exact backend and the oracle. f32 rounding is monotonic, so an end point computed exactly and then rounded outward
//! to f32 bounds the f32 result of every operation that is monotonic in each operand (sum, product, minimum, …);
//! operations that are not (lerp, Bézier, power) are widened by a stated number of ulps.

use super::{
    Accumulate, ControlPoint, Fractal, Graph, GraphError, Hash, Input, Interpolation, Metric, Node, Perlin, Simplex, Worley, WorleyOutput,
    evaluation_order,
};
use std::collections::HashMap;

/// Values lie within `lo..=hi`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// No value is below.
    pub lo: f64,
    /// No value is above.
    pub hi: f64,
}

/// A graph whose values have no bounds that f32 could hold.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RangeError {
    /// The graph itself is wrong.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// A node's values may overflow.
    #[error("node '{node}': its values may reach {value:e}; allowed: magnitudes up to 1e30, so that f32 arithmetic stays finite")]
    TooLarge {
        /// Name of the node.
        node: String,
        /// The magnitude that it may reach.
        value: f64,
    },
}

/// Magnitude beyond which a proven bound counts as overflow: f32 ends at 3.4e38, and gradients need room above values.
const LARGEST_VALUE: f64 = 1e30;
/// Largest coordinate in units: the lattice frame has 32 bits of cell, and a displaced one may wrap (2³¹ + 2¹⁵).
const COORDINATE: f64 = 2_147_516_416.0;
/// Proven bound of the `permutation289` simplex: the largest sum over the simplex of each corner's best gradient is
/// 1.03838 (found by search over all six simplexes, confirmed by branch and bound in the tests).
pub(crate) const PERMUTATION289_BOUND: f64 = 1.04;

impl Interval {
    /// The interval between two numbers, in either order.
    pub fn new(a: f64, b: f64) -> Self {
        Interval { lo: a.min(b), hi: a.max(b) }
    }

    /// `hi − lo`.
    pub fn width(self) -> f64 {
        self.hi - self.lo
    }

    /// Whether `x` lies inside.
    pub fn contains(self, x: f64) -> bool {
        x >= self.lo && x <= self.hi
    }

    fn magnitude(self) -> f64 {
        self.lo.abs().max(self.hi.abs())
    }

    /// Ends rounded outward to numbers f32 can hold.
    fn outward(self) -> Self {
        let down = self.lo as f32;
        let up = self.hi as f32;
        Interval {
            lo: f64::from(if f64::from(down) > self.lo { down.next_down() } else { down }),
            hi: f64::from(if f64::from(up) < self.hi { up.next_up() } else { up }),
        }
    }

    /// Widened by `ulps` f32 ulps of the larger end.
    fn widened(self, ulps: f64) -> Self {
        let slack = self.magnitude() * ulps * f64::from(f32::EPSILON);
        Interval { lo: self.lo - slack, hi: self.hi + slack }.outward()
    }

    fn hull(self, other: Self) -> Self {
        Interval { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    fn add(self, other: Self) -> Self {
        Interval { lo: self.lo + other.lo, hi: self.hi + other.hi }.outward()
    }

    fn multiply(self, other: Self) -> Self {
        let ends = [self.lo * other.lo, self.lo * other.hi, self.hi * other.lo, self.hi * other.hi];
        Interval { lo: ends.into_iter().fold(f64::INFINITY, f64::min), hi: ends.into_iter().fold(f64::NEG_INFINITY, f64::max) }.outward()
    }

    fn scale(self, factor: f64) -> Self {
        // The factor itself reaches the kernel rounded to f32.
        self.multiply(Interval::new(factor, factor).outward())
    }

    fn abs(self) -> Self {
        if self.lo >= 0.0 {
            self
        } else if self.hi <= 0.0 {
            Interval { lo: -self.hi, hi: -self.lo }
        } else {
            Interval { lo: 0.0, hi: self.magnitude() }
        }
    }

    fn power(self, exponent: f64) -> Self {
        // The f32 power is exact at 0 and 1, elsewhere its relative error grows with exponent · log2: at most this.
        let end = |x: f64, outward: f64| {
            let exact = libm::pow(x.abs(), exponent).copysign(x);
            if x == 0.0 || x.abs() == 1.0 {
                exact
            } else {
                let relative = 1e-6 * (2.0 + exponent * libm::log2(x.abs()).abs());
                exact + outward * exact.abs() * relative
            }
        };
        Interval { lo: end(self.lo, -1.0), hi: end(self.hi, 1.0) }.outward()
    }

    /// `a + t·(b − a)` for t in `by`; rounding may leave the hull by an ulp or two.
    fn lerp(a: Self, b: Self, by: Self) -> Self {
        if by.lo >= 0.0 && by.hi <= 1.0 {
            // From 0 and all the way, as in the first octave, every step is exact.
            if by == Interval::new(1.0, 1.0) && a == Interval::new(0.0, 0.0) { b } else { a.hull(b).widened(4.0) }
        } else {
            a.add(by.multiply(b.add(a.scale(-1.0)))).widened(4.0)
        }
    }
}

impl Graph {
    /// Proven bounds of the output: no exact backend and not the oracle returns a value outside, at any position. (An adapter
    /// of parity [`Bounded`](crate::Parity::Bounded) may, by its own bound.)
    ///
    /// # Errors
    /// An invalid graph, or one whose values f32 cannot hold.
    pub fn range(&self) -> Result<Interval, RangeError> {
        self.check()?;
        let all = ranges(self)?;
        Ok(all[self.output.as_str()])
    }
}

/// Bounds of every node that the output needs, for a checked graph.
pub(crate) fn ranges(graph: &Graph) -> Result<HashMap<&str, Interval>, RangeError> {
    let mut all: HashMap<&str, Interval> = HashMap::new();
    for name in evaluation_order(graph)? {
        let node = &graph.node[name];
        let of = |input: &Input| match input {
            Input::Node(target) => all[target.as_str()],
            Input::Value(x) => Interval::new(*x, *x).outward(),
            Input::Missing => Interval::new(0.0, 0.0),
        };
        let interval = node_range(node, of);
        if interval.magnitude() > LARGEST_VALUE || interval.magnitude().is_nan() {
            return Err(RangeError::TooLarge { node: name.to_owned(), value: interval.magnitude() });
        }
        all.insert(name, interval);
    }
    Ok(all)
}

fn node_range(node: &Node, of: impl Fn(&Input) -> Interval) -> Interval {
    match node {
        Node::Constant(n) => Interval::new(n.value, n.value).outward(),
        Node::Coordinate(_) => Interval::new(-COORDINATE, COORDINATE),
        Node::Simplex(Simplex { hash: Hash::Integer, .. }) => Interval::new(-1.0, 1.0),
        Node::Simplex(Simplex { hash: Hash::Permutation289, .. }) => Interval::new(-PERMUTATION289_BOUND, PERMUTATION289_BOUND).outward(),
        Node::Perlin(Perlin { interpolation: Interpolation::Truncated, .. }) => Interval::new(-2.0, 2.0),
        Node::Value(_) | Node::Perlin(_) => Interval::new(-1.0, 1.0),
        Node::Worley(n) => worley_range(n),
        Node::Fractal(n) => fractal_range(n, of(&n.of)),
        Node::Spline(n) => spline_range(&n.points, of(&n.of)),
        Node::ScaleOffset(n) => of(&n.of).scale(n.scale).add(Interval::new(n.offset, n.offset).outward()),
        Node::Clamp(n) => {
            let x = of(&n.of);
            Interval { lo: x.lo.clamp(n.low, n.high), hi: x.hi.clamp(n.low, n.high) }.outward()
        }
        Node::Abs(n) => of(&n.of).abs(),
        Node::Power(n) => of(&n.of).power(n.exponent),
        Node::Add(n) => of(&n.a).add(of(&n.b)),
        Node::Multiply(n) => of(&n.a).multiply(of(&n.b)),
        Node::Min(n) => Interval { lo: of(&n.a).lo.min(of(&n.b).lo), hi: of(&n.a).hi.min(of(&n.b).hi) },
        Node::Max(n) => Interval { lo: of(&n.a).lo.max(of(&n.b).lo), hi: of(&n.a).hi.max(of(&n.b).hi) },
        Node::Blend(n) => {
            let mask = of(&n.mask);
            Interval::lerp(of(&n.a), of(&n.b), Interval { lo: mask.lo.clamp(0.0, 1.0), hi: mask.hi.clamp(0.0, 1.0) })
        }
        Node::Warp(n) => of(&n.of),
    }
}

/// Bounds of the Euclidean distances F1 to F4, by dimensions (2, 3), without and with full jitter.
///
/// A point lies within jitter/2 of the middle of its cell along every axis, so no further from the sample than the cell's
/// middle is along each axis, plus jitter/2. Let M be that furthest distance. F_k is at most the k-th smallest M of all cells,
/// and the bound is its maximum over samples: squared, 1/2 1 5/4 25/18 and 2 5/2 13/4 169/50 in 2D, 3/4 1 5/4 5/4 and
/// 3 3 7/2 7/2 in 3D (a corner of the cell, its middle, the middle of a side, or in between). Rounded up to what branch and
/// bound proves in the tests.
const WORLEY_EUCLIDEAN: [[[f64; 4]; 2]; 2] = [
    [[0.7073, 1.0002, 1.1183, 1.1787], [1.4144, 1.5813, 1.8030, 1.8387]],
    [[0.8662, 1.0002, 1.1183, 1.1183], [1.7323, 1.7323, 1.8711, 1.8711]],
];
/// The same for the metrics in which M grows evenly with the jitter: without jitter.
///
/// Chebyshev: the sample's own cell is within 1/2, the others of the 2ⁿ nearest within 1. Manhattan: let 0 ≤ a ≤ b (≤ c) ≤ 1/2 be the
/// sample's distances from the middle of its cell along the axes. In 2D the cells (0, 0), (0, 1), (1, 0) are at a + b ≤ 1,
/// 1 + a − b ≤ 1 and 1 + b − a ≤ 3/2, and of (1, 1) at 2 − a − b and (−1, 0) at 1 + a + b one is at 3/2 or less. In 3D (0, 0, 0),
/// (0, 0, 1) and (0, 1, 0) are at a + b + c, 1 + a + b − c and 1 + a − b + c, and of (1, 0, 0) at 1 − a + b + c and (0, 1, 1) at
/// 2 + a − b − c one is, all of them at most 3/2.
const WORLEY_MANHATTAN: [[f64; 4]; 2] = [[1.0, 1.0, 1.5, 1.5], [1.5; 4]];
const WORLEY_CHEBYSHEV: [f64; 4] = [0.5, 1.0, 1.0, 1.0];

impl Worley {
    /// Bounds of the distances F1 to F4.
    fn furthest(&self) -> [f64; 4] {
        let solid = usize::from(self.dimensions == 3);
        let n = f64::from(self.dimensions);
        // Rounding of coordinates, sums and roots, and of the jitter itself.
        let slack = 1e-5;
        std::array::from_fn(|k| {
            let [rest, full] = WORLEY_EUCLIDEAN[solid].map(|bounds| bounds[k]);
            // Every M, and so the bound, grows with the jitter, by √n/2 at most (the triangle inequality).
            let euclidean = full.min(rest + 0.5 * self.jitter * n.sqrt()) + slack;
            match self.metric {
                Metric::Euclidean => euclidean,
                Metric::Squared => euclidean * euclidean,
                Metric::Manhattan => WORLEY_MANHATTAN[solid][k] + 0.5 * self.jitter * n + slack,
                Metric::Chebyshev => WORLEY_CHEBYSHEV[k] + 0.5 * self.jitter + slack,
            }
        })
    }
}

/// A weighted sum of distances 0 ≤ F1 ≤ F2 ≤ … with bounds that grow likewise: linear, so extreme at a vertex, where every F_k is
/// either the one before it or its bound.
fn worley_range(n: &Worley) -> Interval {
    let bounds = n.furthest();
    match n.output {
        WorleyOutput::Cell => return Interval::new(-1.0, 1.0),
        // Opposite the nearest point a border is no nearer than this, or a sample there would be further from all points than F1's
        // bound.
        WorleyOutput::Edge => return Interval::new(0.0, bounds[0]).outward(),
        WorleyOutput::Distance => (),
    }
    let mut total = Interval::new(0.0, 0.0);
    for corner in 0..1u32 << n.weights.len() {
        let (mut sum, mut distance) = (0.0, 0.0);
        for (k, weight) in n.weights.iter().enumerate() {
            distance = if corner >> k & 1 == 1 { bounds[k] } else { distance };
            sum += weight * distance;
        }
        total = total.hull(Interval::new(sum, sum));
    }
    // One term is monotonic; sums of several are rounded, and roots of nearly equal numbers may change places.
    let terms: f64 = n.weights.iter().zip(bounds).map(|(weight, bound)| weight.abs() * bound).sum();
    let count = n.weights.iter().filter(|weight| **weight != 0.0).count();
    let slack = if count > 1 { terms * 8.0 * f64::from(f32::EPSILON) } else { 0.0 };
    Interval { lo: total.lo - slack, hi: total.hi + slack }.outward()
}

fn fractal_range(fractal: &Fractal, body: Interval) -> Interval {
    let mut total = Interval::new(0.0, 0.0);
    for amplitude in fractal.amplitudes() {
        total = match fractal.accumulate {
            Accumulate::Sum => total.add(body.scale(amplitude)),
            Accumulate::Lerp => {
                let unit = body.scale(0.5).add(Interval::new(0.5, 0.5));
                Interval::lerp(total, unit, Interval::new(amplitude, amplitude))
            }
        };
    }
    total
}

impl Fractal {
    /// The factor of each octave, normalisation included.
    pub(crate) fn amplitudes(&self) -> Vec<f64> {
        let plain = std::iter::successors(Some(1.0), |a| Some(a * self.gain)).take(self.octaves as usize);
        let total: f64 = plain.clone().map(f64::abs).sum();
        let divide = self.accumulate == Accumulate::Sum && self.normalise;
        plain.map(|a| if divide { a / total } else { a }).collect()
    }
}

/// Exact bounds of the Bézier pieces over the inputs that can occur, widened for f32.
fn spline_range(points: &[ControlPoint], input: Interval) -> Interval {
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
        // f32 rounds `at` and the input, which moves t.
        let blur = 4.0 * f64::from(f32::EPSILON) * (1.0 + p.at.abs().max(q.at.abs()) / width);
        let t0 = ((clamped.lo - p.at) / width - blur).clamp(0.0, 1.0);
        let t1 = ((clamped.hi - p.at) / width + blur).clamp(0.0, 1.0);
        let mut piece = Interval::new(bezier(t0), bezier(t1));
        let turn = (p.value - anchor) / (p.value - 2.0 * anchor + q.value);
        if turn > t0 && turn < t1 {
            piece = piece.hull(Interval::new(bezier(turn), bezier(turn)));
        }
        // Rounding scales with the largest number that takes part, the anchor included.
        let slack = 8.0 * f64::from(f32::EPSILON) * anchor.abs().max(p.value.abs()).max(q.value.abs());
        let slack = if p.value == q.value && anchor == p.value { 0.0 } else { slack };
        let piece = Interval { lo: piece.lo - slack, hi: piece.hi + slack };
        total = Some(total.map_or(piece, |t| t.hull(piece)));
    }
    total.unwrap_or(Interval::new(points[0].value, points[0].value)).outward()
}

impl ControlPoint {
    /// The middle anchor of the quadratic Bézier from here to `next`: the mean of the two tangents' ends.
    pub(crate) fn anchor(self, next: ControlPoint) -> f64 {
        let width = next.at - self.at;
        ((self.value + self.slope_out * width) + (next.value - next.slope_in * width)) * 0.5
    }
}
