//! The range of each kind of node, from those of its inputs.

use super::{COORDINATE, Interval, PERMUTATION289_BOUND};
use crate::graph::{
    Bias, Distribution, Gain, Graph, Hash, HexHash, Hexagonal, Hill, Interpolation, Node, Outside, Perlin, Quantile, Raster, Sampling,
    Simplex, Terrace, Uniform, Value, ValueHash,
};
use crate::params::{ControlPoint, Input};
use crate::raster::{Form, Surface};

/// The range of a node of a graph whose inputs have the ranges that `of` says.
pub(super) fn node_range(graph: &Graph, node: &Node, of: impl Fn(&Input) -> Interval) -> Interval {
    match node {
        Node::Constant(n) => Interval::new(n.value, n.value).outward(),
        Node::Coordinate(_) => Interval::new(-COORDINATE, COORDINATE),
        Node::Simplex(Simplex { hash: Hash::Integer, .. }) => Interval::new(-1.0, 1.0),
        Node::Simplex(Simplex { hash: Hash::Permutation289, .. }) => Interval::new(-PERMUTATION289_BOUND, PERMUTATION289_BOUND).outward(),
        Node::Perlin(Perlin { interpolation: Interpolation::Truncated, .. }) => Interval::new(-2.0, 2.0),
        Node::Value(Value { hash: ValueHash::Table, values: Some(values), .. }) => {
            let ends = values.iter().fold(Interval::new(values[0], values[0]), |all, &x| all.hull(Interval::new(x, x)));
            ends.outward().widened(4.0)
        }
        Node::Value(_) | Node::Perlin(_) => Interval::new(-1.0, 1.0),
        Node::Worley(n) => n.range(),
        Node::White(_) => Interval::new(-1.0, 1.0),
        // Six products of a unit gradient with a vector of length √2, over 7; the 48 directions give at most 1.34679 each.
        Node::Hexagonal(n) => match n.hash {
            HexHash::Integer => Interval::new(-1.1544, 1.1544),
            HexHash::Tables => n.tables_range(),
        },
        Node::Fractal(n) => n.range(of(&n.of)),
        Node::Spline(n) => spline_range(graph.points(n), of(&n.of)),
        Node::ScaleOffset(n) => of(&n.of).scale(n.scale).add(Interval::new(n.offset, n.offset).outward()),
        Node::Clamp(n) => {
            let x = of(&n.of);
            Interval { lo: x.lo.clamp(n.low, n.high), hi: x.hi.clamp(n.low, n.high) }.outward()
        }
        Node::Abs(n) => of(&n.of).abs(),
        Node::Power(n) => of(&n.of).power(n.exponent),
        Node::Add(n) => of(&n.a).add(of(&n.b)),
        Node::Multiply(n) if n.a == n.b => of(&n.a).squared(),
        Node::Multiply(n) => of(&n.a).multiply(of(&n.b)),
        Node::Min(n) => Interval { lo: of(&n.a).lo.min(of(&n.b).lo), hi: of(&n.a).hi.min(of(&n.b).hi) },
        Node::Max(n) => Interval { lo: of(&n.a).lo.max(of(&n.b).lo), hi: of(&n.a).hi.max(of(&n.b).hi) },
        Node::Blend(n) => {
            let mask = of(&n.mask);
            Interval::lerp(of(&n.a), of(&n.b), Interval { lo: mask.lo.clamp(0.0, 1.0), hi: mask.hi.clamp(0.0, 1.0) })
        }
        Node::Warp(n) => of(&n.of),
        Node::Turbulence(n) => of(&n.of),
        Node::Transform(n) => of(&n.of),
        Node::Slice(n) => of(&n.of),
        Node::Mirror(n) => of(&n.of),
        Node::Quantise(n) => of(&n.of),
        Node::Periodic(n) => of(&n.of),
        Node::Domain(n) => of(&n.of),
        Node::Polar(n) => of(&n.of),
        Node::Hill(n) => hill_range(n),
        Node::Spectral(n) => sines_range(&n.all_amplitudes()),
        Node::Radius(n) => {
            // What the limit holds for are coordinates that are stretched already.
            let farthest = COORDINATE * (n.axes.iter().filter(|a| **a != 0.0).count() as f64).sqrt();
            Interval { lo: 0.0, ..Interval::new(0.0, farthest).widened(8.0) }
        }
        Node::Raster(n) => raster_range(n),
        Node::Smoothstep(n) => {
            // The kernel's factor is at most 10¹⁸.
            let edge = |x: f64| smoothstep((x - n.low) / (n.high - n.low).max(1e-18));
            // The quintic's value rounds more than once near its upper end.
            monotonic(of(&n.of), 4.0 * ulps(n.low, n.high), edge).loosened(16.0, 1.0).clamped(0.0, 1.0)
        }
        Node::Terrace(n) => {
            let x = of(&n.of);
            monotonic(x, 4.0 * ulps(x.lo, x.hi), |x| n.terrace(x)).widened(4.0).loosened(16.0, n.height)
        }
        Node::Threshold(n) => {
            let (x, at) = (of(&n.of), Interval::new(n.at, n.at).outward());
            let (below, above) = (Interval::new(n.below, n.below).outward(), Interval::new(n.above, n.above).outward());
            if x.hi < at.lo {
                below
            } else if x.lo >= at.hi {
                above
            } else {
                below.hull(above)
            }
        }
        Node::Bias(n) => of(&n.of).clamped(0.0, 1.0).power(n.exponent()),
        Node::Gain(n) => {
            let x = of(&n.of).clamped(0.0, 1.0);
            // Twice a number less 1 is rounded to steps of f32 near 1, near the ends a whole share of what is left.
            let far = Interval { lo: 2.0 * x.lo - 1.0 - f64::from(f32::EPSILON), hi: 2.0 * x.hi - 1.0 + f64::from(f32::EPSILON) };
            let far = far.clamped(-1.0, 1.0);
            // 1 − m^e for the distance m from the nearer end, with the sign of the distance from the middle.
            let end = |t: f64, outward: f64| 0.5 + (0.5 - 0.5 * libm::pow(1.0 - t.abs(), n.exponent())).copysign(t) + outward * 2e-6;
            Interval { lo: end(far.lo, -1.0), hi: end(far.hi, 1.0) }.outward().clamped(0.0, 1.0)
        }
        Node::Sine(_) => Interval::new(-1.0, 1.0).widened(4.0),
        Node::Quantile(n) => quantile_range(n, of(&n.of)),
        Node::Equalise(_) => Interval::new(-1.0, 1.0).widened(8.0),
        Node::Select(n) => Interval::lerp(of(&n.a), of(&n.b), Interval::new(0.0, 1.0)),
        Node::OctaveTable(_) | Node::PointTable(_) => unreachable!("invariant: tables have no values"),
    }
}

/// Every value is a mean of samples, or of a surface's Bézier points: weights are not negative and add up to 1, but for rounding. That is relative
/// to the coefficients, of which none is more than nine times as far from 0 as the samples (their filter's gain is 3 along an axis).
fn raster_range(n: &Raster) -> Interval {
    let Some(Surface { range: [lo, hi], .. }) = n.surface() else { return Interval::new(0.0, 0.0) };
    let within = Interval::new(f64::from(lo), f64::from(hi));
    let ulps = if n.sampling == Sampling::Cubic { 9.0 * 16.0 } else { 16.0 };
    let within = within.loosened(ulps, within.magnitude());
    if n.outside == Outside::Constant { within.hull(Interval::new(n.fill, n.fill).outward()) } else { within }
}

/// A rising function over an interval whose ends rounding may have moved by `slack`.
fn monotonic(x: Interval, slack: f64, f: impl Fn(f64) -> f64) -> Interval {
    Interval { lo: f(x.lo - slack), hi: f(x.hi + slack) }.outward()
}

/// One f32 ulp of the larger number.
fn ulps(a: f64, b: f64) -> f64 {
    a.abs().max(b.abs()) * f64::from(f32::EPSILON)
}

fn smoothstep(t: f64) -> f64 {
    let t = t.clamp(0.0, 1.0);
    t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
}

impl Terrace {
    fn terrace(&self, x: f64) -> f64 {
        let t = x / self.height;
        let rise = (t - t.floor() - (1.0 - self.slope)) / self.slope;
        (t.floor() + smoothstep(rise)) * self.height
    }
}

impl Raster {
    /// The numbers it looks up; `None` before they are read, or if holes are not filled.
    pub(crate) fn surface(&self) -> Option<Surface> {
        let form = match (self.sampling, self.outside) {
            (Sampling::Nearest | Sampling::Linear, _) => Form::Plain,
            (Sampling::Cubic, Outside::Repeat) => Form::Repeated,
            (Sampling::Cubic, Outside::Clamp | Outside::Mirror | Outside::Constant) => Form::Mirrored,
        };
        self.heights.surface(form, self.holes)
    }
}

impl Bias {
    /// The power that takes 1/2 to the bias.
    pub(crate) fn exponent(&self) -> f64 {
        -libm::log2(self.bias)
    }
}

impl Gain {
    /// The power of the distance from the nearer end.
    pub(crate) fn exponent(&self) -> f64 {
        -libm::log2(1.0 - self.gain)
    }
}

impl Hexagonal {
    /// Six products of the gradient that suits each neighbour best.
    fn tables_range(&self) -> Interval {
        let gradients = self.gradients.clone().unwrap_or_else(|| vec![[1.0, 0.0, 0.0]]);
        let best = |d: [f64; 3]| gradients.iter().map(|g| g[0] * d[0] + g[1] * d[1] + g[2] * d[2]).fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = HEXAGON_NEIGHBOURS.iter().map(|&d| best(d)).sum();
        // Seeded gradients may point anywhere.
        let most = if self.gradients.is_some() { sum / 7.0 } else { 6.0 * 2f64.sqrt() / 7.0 };
        // The neighbours come in opposite pairs, but the best of finitely many gradients need not.
        let worst = |d: [f64; 3]| gradients.iter().map(|g| g[0] * d[0] + g[1] * d[1] + g[2] * d[2]).fold(f64::INFINITY, f64::min);
        let least: f64 = HEXAGON_NEIGHBOURS.iter().map(|&d| worst(d)).sum::<f64>() / 7.0;
        Interval { lo: if self.gradients.is_some() { least } else { -most }, hi: most }.loosened(16.0, 2.0)
    }
}

/// From a hexagon's neighbours to it, in cubic coordinates, in the order in which they are summed.
const HEXAGON_NEIGHBOURS: [[f64; 3]; 6] =
    [[-1.0, 1.0, 0.0], [-1.0, 0.0, 1.0], [0.0, -1.0, 1.0], [1.0, -1.0, 0.0], [1.0, 0.0, -1.0], [0.0, 1.0, -1.0]];

/// Sines reach ±1 to a few ulps; sums of them round once per term.
fn sines_range(amplitudes: &[f64]) -> Interval {
    let total: f64 = amplitudes.iter().map(|a| a.abs()).sum();
    Interval::new(-total, total).widened(4.0 + amplitudes.len() as f64)
}

fn hill_range(n: &Hill) -> Interval {
    match n.uniform {
        Uniform::None => sines_range(&n.amplitudes().repeat(n.dimensions as usize)),
        Uniform::Normal | Uniform::Exact => Interval::new(-1.0, 1.0).widened(8.0),
    }
}

/// Probabilities are held this far from 0 and 1.
const TAIL: f64 = 1.0 / 1_048_576.0;

fn quantile_range(n: &Quantile, x: Interval) -> Interval {
    let tail = |p: f64| p.clamp(TAIL, 1.0 - TAIL);
    let p = Interval { lo: (x.lo + 1.0) * 0.5, hi: (x.hi + 1.0) * 0.5 };
    let weibull = |p: f64, shape: f64, outward: f64| {
        let v = n.scale * libm::pow(-libm::log1p(-tail(p)), 1.0 / shape);
        // The logarithm of a probability near 0 is as coarse as the probability in f32.
        n.location + v + outward * (v * 2e-5 + n.scale * 1e-5)
    };
    let normal = |p: f64, outward: f64| {
        let v = normal_quantile(tail(p));
        n.location + n.scale * v + outward * n.scale * (1e-4 + 2e-5 * v.abs())
    };
    match n.distribution {
        Distribution::Normal => Interval { lo: normal(p.lo, -1.0), hi: normal(p.hi, 1.0) }.widened(4.0),
        Distribution::Weibull => {
            Interval { lo: weibull(p.lo, n.shape, -1.0).max(n.location), hi: weibull(p.hi, n.shape, 1.0) }.widened(4.0)
        }
        Distribution::Exponential => Interval { lo: weibull(p.lo, 1.0, -1.0).max(n.location), hi: weibull(p.hi, 1.0, 1.0) }.widened(4.0),
        Distribution::Table => {
            let ends = n.table.first().zip(n.table.last()).map_or((0.0, 0.0), |(a, b)| (a.value, b.value));
            Interval::new(ends.0, ends.1).widened(8.0)
        }
    }
}

/// Φ⁻¹ by bisection of the error function: slow and good enough for bounds.
fn normal_quantile(p: f64) -> f64 {
    let (mut lo, mut hi) = (-8.0f64, 8.0f64);
    for _ in 0..60 {
        let middle = 0.5 * (lo + hi);
        if 0.5 * libm::erfc(-middle * std::f64::consts::FRAC_1_SQRT_2) < p { lo = middle } else { hi = middle }
    }
    0.5 * (lo + hi)
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
