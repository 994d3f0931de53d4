//! Bounds of gradients. Values are bounded so that f32 arithmetic stays finite (`graph/range`); gradients need bounds of their own, since octaves,
//! displacements and steep curves multiply them.
//!
//! Every bound is a length per unit of the node's own space: the chain rule with magnitudes. A fractal or a transform
//! scales everything under it, so besides a node's own gradient the greatest one under it is kept: kernels compute that one, too.

use super::computed::{Kind, computed};
use super::distribution::{distribution_of_sines, pieces_of_quantiles, pieces_of_table};
use super::{ProgramError, SplinePoint};
use crate::graph::{
    Accumulate, Blend, Distribution, Fractal, Graph, Hill, Interpolation, Interval, LARGEST_VALUE, Metric, Node, Quantile, Sampling,
    Spectral, Turbulence, Uniform, Value, ValueHash, Warp, WorleyOutput, evaluation_order, ranges,
};
use crate::params::Input;
use std::collections::HashMap;
use std::f64::consts::{SQRT_2, TAU};

/// Steepest gradients per cell, a quarter above what a search finds.
const SIMPLEX: f64 = 9.5;
const PERLIN: f64 = 12.0;
/// The steepest slope of the quintic between two points, and of every other interpolation.
const INTERPOLATION: f64 = 1.875;
/// Weights of a cubic spline change by up to this much per cell, times the filter's gain along both axes.
const CUBIC: f64 = 27.0;
/// Powers treat magnitudes below 2⁻⁴⁰ as 0.
const SMALLEST: f64 = 9.094_947_017_729_282e-13;
/// Distances from the centre of a polar node are 0 below 2⁻⁵⁰ of its size.
const NEAREST: f64 = 1_125_899_906_842_624.0;

/// Bounds of the gradients of a sub-graph.
#[derive(Clone, Copy, Debug)]
struct Steep<'a> {
    /// Of its output.
    gradient: f64,
    /// The greatest of all that are computed for it, and whose that is.
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

    /// Under a node that makes everything this many times as steep. The node at fault is the one that makes it too steep.
    fn scaled(self, by: &'a str, factor: f64) -> Self {
        let peak = times(self.peak, factor);
        let node = if peak > LARGEST_VALUE && self.peak <= LARGEST_VALUE { by } else { self.node };
        Steep { gradient: times(self.gradient, factor), peak, node }
    }
}

/// A product of magnitudes in which 0 wins against infinity.
fn times(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 { 0.0 } else { a * b }
}

/// Whether f32 can hold the gradients of a graph, and all that are computed on the way.
///
/// # Errors
/// As [`ranges`], or the node whose gradient may be too large.
pub(crate) fn check_gradients(graph: &Graph) -> Result<(), ProgramError> {
    let Steep { peak, node, .. } = steepest(graph)?;
    // Written so that NaN is refused.
    if peak <= LARGEST_VALUE { Ok(()) } else { Err(ProgramError::Steep { node: node.to_owned(), value: peak }) }
}

/// The length that gradients of a graph's output do not exceed.
///
/// # Errors
/// As [`ranges`].
pub(crate) fn gradient_bound(graph: &Graph) -> Result<f64, ProgramError> {
    Ok(steepest(graph)?.gradient)
}

fn steepest(graph: &Graph) -> Result<Steep<'_>, ProgramError> {
    let ranges = ranges(graph)?;
    let mut all: HashMap<&str, Steep<'_>> = HashMap::new();
    for name in evaluation_order(graph)? {
        let node = &graph.node[name];
        if !node.is_table() {
            let found = Rule { graph, name, ranges: &ranges, all: &all }.node(node);
            all.insert(name, found);
        }
    }
    Ok(all[graph.output.as_str()])
}

/// The chain rule at one node; its inputs are known.
struct Rule<'r, 'a> {
    graph: &'a Graph,
    name: &'a str,
    ranges: &'r HashMap<&'a str, Interval>,
    all: &'r HashMap<&'a str, Steep<'a>>,
}

impl<'a> Rule<'_, 'a> {
    fn input(&self, input: &Input) -> Steep<'a> {
        match input {
            Input::Node(name) => self.all[name.as_str()],
            Input::Value(_) | Input::Missing => Steep { gradient: 0.0, peak: 0.0, node: self.name },
        }
    }

    fn range(&self, input: &Input) -> Interval {
        match input {
            Input::Node(name) => self.ranges[name.as_str()],
            Input::Value(x) => Interval::new(*x, *x),
            Input::Missing => Interval::new(0.0, 0.0),
        }
    }

    fn magnitude(&self, input: &Input) -> f64 {
        self.range(input).magnitude()
    }

    /// Without inputs.
    fn basis(&self, gradient: f64) -> Steep<'a> {
        Steep::of(self.name, gradient, &[])
    }

    /// A curve of one value, no steeper than this.
    fn curve(&self, of: &Input, slope: f64) -> Steep<'a> {
        let x = self.input(of);
        Steep::of(self.name, times(slope, x.gradient), &[x])
    }

    /// A curve through points.
    fn points(&self, of: &Input, points: &[SplinePoint]) -> Steep<'a> {
        self.curve(of, steepest_piece(points))
    }

    /// The larger or the sum of both.
    fn both(&self, a: &Input, b: &Input, gradient: impl Fn(f64, f64) -> f64) -> Steep<'a> {
        let (a, b) = (self.input(a), self.input(b));
        Steep::of(self.name, gradient(a.gradient, b.gradient), &[a, b])
    }

    /// Between two values by a mask, whose weight is no steeper than this in the mask's values.
    fn blend(&self, Blend { a, b, mask }: &Blend, slope: f64) -> Steep<'a> {
        let apart = self.magnitude(a) + self.magnitude(b);
        let [a, b, mask] = [a, b, mask].map(|input| self.input(input));
        Steep::of(self.name, a.gradient + b.gradient + times(apart, times(slope, mask.gradient)), &[a, b, mask])
    }

    /// The length of the gradients of three values together.
    fn jacobian(&self, inputs: [&Input; 3]) -> (f64, [Steep<'a>; 3]) {
        let by = inputs.map(|input| self.input(input));
        (by.iter().map(|by| by.gradient * by.gradient).sum::<f64>().sqrt(), by)
    }

    /// One arm for each kind.
    fn node(&self, node: &Node) -> Steep<'a> {
        match node {
            Node::Constant(_) | Node::White(_) | Node::Hexagonal(_) => self.basis(0.0),
            Node::Coordinate(n) => self.basis(1.0 / n.unit),
            Node::Simplex(n) => self.basis(SIMPLEX / n.wavelength),
            Node::Perlin(n) => self.basis(PERLIN / n.wavelength),
            Node::Value(n) => self.basis(value(n)),
            Node::Worley(n) => {
                let slope = match (n.output, n.metric) {
                    (WorleyOutput::Cell, _) => 0.0,
                    (WorleyOutput::Edge, _) => 1.0,
                    (WorleyOutput::Distance, Metric::Euclidean | Metric::Chebyshev) => n.weights.iter().map(|w| w.abs()).sum(),
                    (WorleyOutput::Distance, Metric::Manhattan) => 3_f64.sqrt() * n.weights.iter().map(|w| w.abs()).sum::<f64>(),
                    // Twice the distance to one of the four nearest points, which is less than 3.
                    (WorleyOutput::Distance, Metric::Squared) => 6.0 * n.weights.iter().map(|w| w.abs()).sum::<f64>(),
                };
                self.basis(slope / n.wavelength)
            }
            Node::Hill(n) => self.basis(hill(n)),
            Node::Spectral(n) => self.basis(spectral(n)),
            Node::Radius(n) => self.basis(n.axes.iter().map(|a| a * a).sum::<f64>().sqrt() / n.unit),
            Node::Raster(n) => {
                let spacing = n.spacing[0].abs().min(n.spacing[1].abs());
                let slope = match n.sampling {
                    Sampling::Nearest => 0.0,
                    Sampling::Linear => 2.0 * SQRT_2,
                    Sampling::Cubic => CUBIC,
                };
                let magnitude = n.surface().map_or(0.0, |s| f64::from(s.range[0].abs().max(s.range[1].abs())));
                self.basis(times(slope, magnitude) / spacing)
            }
            Node::Fractal(n) => self.fractal(n),
            Node::Spline(n) => self.points(&n.of, &SplinePoint::pieces(self.graph.points(n)).collect::<Vec<_>>()),
            Node::ScaleOffset(n) => self.curve(&n.of, n.scale.abs()),
            Node::Clamp(n) => self.curve(&n.of, 1.0),
            Node::Abs(n) => self.curve(&n.of, 1.0),
            Node::Power(n) => self.curve(&n.of, power(n.exponent, self.range(&n.of))),
            Node::Bias(n) => self.curve(&n.of, power(n.exponent(), self.range(&n.of).clamped(0.0, 1.0))),
            Node::Gain(n) => self.curve(&n.of, power(n.exponent(), Interval::new(0.0, 1.0))),
            Node::Add(n) => self.both(&n.a, &n.b, |a, b| a + b),
            Node::Multiply(n) => {
                let [a, b] = [&n.a, &n.b].map(|input| self.magnitude(input));
                self.both(&n.a, &n.b, |slope_a, slope_b| times(b, slope_a) + times(a, slope_b))
            }
            Node::Min(n) => self.both(&n.a, &n.b, f64::max),
            Node::Max(n) => self.both(&n.a, &n.b, f64::max),
            Node::Blend(n) => self.blend(n, 1.0),
            Node::Select(n) => {
                let blend = Blend { a: n.a.clone(), b: n.b.clone(), mask: n.mask.clone() };
                self.blend(&blend, INTERPOLATION * (0.5 / n.falloff).min(1e18))
            }
            Node::Smoothstep(n) => self.curve(&n.of, INTERPOLATION * (1.0 / (n.high - n.low)).min(1e18)),
            Node::Terrace(n) => self.curve(&n.of, INTERPOLATION / n.slope),
            Node::Threshold(n) => self.curve(&n.of, 0.0),
            Node::Sine(n) => self.curve(&n.of, TAU * n.frequency.abs()),
            Node::Quantile(n) => self.quantile(n),
            Node::Equalise(n) => {
                let points = computed(Kind::Quantiles, &n.quantiles, || pieces_of_quantiles(&n.quantiles));
                self.points(&n.of, &points)
            }
            Node::Transform(n) => self.input(&n.of).scaled(self.name, n.scale.iter().fold(0.0, |m: f64, s| m.max(s.abs()))),
            Node::Slice(n) => self.input(&n.of),
            Node::Mirror(n) => self.input(&n.of),
            // Lattices are stretched by up to √2, and sines move to the nearest waves that repeat, which are up to twice as short.
            Node::Periodic(n) => self.input(&n.of).scaled(self.name, 2.0),
            Node::Quantise(n) => self.curve(&n.of, 0.0),
            Node::Domain(n) => {
                let (jacobian, [x, y, z]) = self.jacobian([&n.x, &n.y, &n.z]);
                let of = self.input(&n.of);
                Steep::of(self.name, times(of.gradient, jacobian), &[of, x, y, z])
            }
            Node::Polar(n) => {
                let of = self.input(&n.of);
                Steep::of(self.name, times(of.gradient, NEAREST * SQRT_2), &[of])
            }
            Node::Warp(n) => self.warp(n),
            Node::Turbulence(n) => self.turbulence(n),
            Node::OctaveTable(_) | Node::PointTable(_) => unreachable!("invariant: tables have no values"),
        }
    }

    fn warp(&self, n: &Warp) -> Steep<'a> {
        let (jacobian, [x, y, z]) = self.jacobian([&n.x, &n.y, &n.z]);
        let of = self.input(&n.of);
        let pulled = times(n.strength.abs(), of.gradient);
        let most = Steep::of(self.name, pulled, &[of, x, y, z]);
        Steep::of(self.name, of.gradient + times(pulled, jacobian), &[most])
    }

    /// Each octave is sampled where the ones before have led, so that they multiply.
    fn turbulence(&self, n: &Turbulence) -> Steep<'a> {
        let (of, by) = (self.input(&n.of), self.input(&n.by));
        let (mut strength, mut factor, mut spread) = (n.strength.abs(), 1.0, 1.0);
        let mut most = of;
        for _ in 0..n.octaves {
            let octave = by.scaled(self.name, factor * spread);
            most = Steep::of(self.name, times(strength, octave.gradient), &[most, octave]);
            spread += 3_f64.sqrt() * times(strength, octave.gradient);
            strength *= n.gain.abs();
            factor *= n.lacunarity.abs();
        }
        Steep::of(self.name, times(of.gradient, spread), &[most, of.scaled(self.name, spread)])
    }

    fn quantile(&self, n: &Quantile) -> Steep<'a> {
        match n.distribution {
            // Probabilities are held 2⁻²⁰ away from 0 and 1: there the densities are no less than these.
            Distribution::Normal => self.curve(&n.of, 2e5 * n.scale),
            Distribution::Exponential => self.curve(&n.of, 1e6 * n.scale),
            Distribution::Weibull => {
                let slope = power(1.0 / n.shape, Interval::new(5e-7, 14.0));
                self.curve(&n.of, 1e6 * n.scale * slope)
            }
            Distribution::Table => {
                let numbers: Vec<f64> = n.table.iter().flat_map(|point| [point.probability, point.value]).collect();
                self.points(&n.of, &computed(Kind::Table, &numbers, || pieces_of_table(&n.table)))
            }
        }
    }

    /// Octave by octave, as `shaders/lib/fractal.wgsl` adds them up: magnitudes of values beside those of gradients.
    fn fractal(&self, n: &Fractal) -> Steep<'a> {
        let (body, range) = (self.input(&n.of), self.range(&n.of));
        let (level, largest) = (Interval::new(n.level, n.level), range.magnitude());
        let mut most = body;
        // (value, gradient) of the sum, and of the weight for the next octave.
        let (mut total, mut weight, mut factor) = ([0.0_f64; 2], [1.0_f64, 0.0], 1.0);
        let product = |a: [f64; 2], b: [f64; 2]| [times(a[0], b[0]), times(a[0], b[1]) + times(a[1], b[0])];
        let scaled = |a: [f64; 2], by: f64| a.map(|x| times(x, by));
        let sum = |a: [f64; 2], b: [f64; 2]| [a[0] + b[0], a[1] + b[1]];
        for amplitude in n.amplitudes() {
            let amplitude = amplitude.abs();
            let scaled_body = body.scaled(self.name, factor);
            let octave = [largest, scaled_body.gradient];
            let held_back = |weight: [f64; 2], slope: f64| [weight[0], weight[1] + times(weight[0], n.weight * slope)];
            (total, weight) = match n.accumulate {
                Accumulate::Sum => (sum(total, scaled(octave, amplitude)), weight),
                Accumulate::Lerp => {
                    let towards = scaled([0.0, octave[1]], 0.5 * amplitude);
                    (sum(scaled(total, (1.0 - amplitude).abs()), towards), weight)
                }
                Accumulate::Weighted => (sum(total, scaled(product(weight, octave), amplitude)), held_back(weight, 0.5 * octave[1])),
                Accumulate::Billow => {
                    let billow = [2.0 * largest + 1.0, 2.0 * octave[1]];
                    (sum(total, scaled(product(weight, billow), amplitude)), held_back(weight, octave[1]))
                }
                Accumulate::Pingpong => {
                    let slope = n.folds * octave[1];
                    (sum(total, scaled(product(weight, [1.0, 2.0 * slope]), amplitude)), held_back(weight, slope))
                }
                Accumulate::Ridged => {
                    let distance = [level.add(range.abs().scale(-1.0)).magnitude(), octave[1]];
                    let ridge = product(product(distance, distance), weight);
                    (sum(total, scaled(ridge, amplitude)), [1.0, n.sharpness * ridge[1]])
                }
                Accumulate::Multifractal => {
                    let grown = product(weight, [level.add(range.scale(amplitude)).magnitude(), times(amplitude, octave[1])]);
                    (grown, grown)
                }
                Accumulate::Heterogeneous => {
                    let signal = scaled([range.add(level).magnitude(), octave[1]], amplitude);
                    let grown = sum(total, product(signal, weight));
                    (grown, grown)
                }
                Accumulate::Hybrid => {
                    let signal = product(scaled([range.add(level).magnitude(), octave[1]], amplitude), weight);
                    (sum(total, signal), signal)
                }
            };
            most = Steep::of(self.name, total[1].max(weight[1]), &[most, scaled_body]);
            factor *= n.lacunarity.abs();
        }
        Steep::of(self.name, total[1], &[most])
    }
}

/// The steepest slope of the pieces of a curve: each is steepest at an end.
fn steepest_piece(points: &[SplinePoint]) -> f64 {
    let slopes = points.windows(2).flat_map(|pair| {
        let [from, to] = [&pair[0], &pair[1]];
        [from.anchor - from.value, to.value - from.anchor].map(|rise| 2.0 * rise.abs() * from.inverse_width)
    });
    slopes.fold(0.0, f64::max)
}

/// The steepest slope of a power of magnitudes in a range.
fn power(exponent: f64, x: Interval) -> f64 {
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

fn value(n: &Value) -> f64 {
    let apart = match (&n.values, n.hash) {
        (Some(values), ValueHash::Table) => 2.0 * values.iter().fold(0.0, |m: f64, x| m.max(x.abs())),
        _ => 2.0,
    };
    let slope = if n.interpolation == Interpolation::Truncated { 0.0 } else { INTERPOLATION };
    slope * apart * f64::from(n.dimensions.min(3)).sqrt() / n.wavelength
}

/// Of a sum of sines, each with an amplitude and turns per unit along each of its axes.
fn sines(amplitudes: &[f64], turns: impl Iterator<Item = f64>, dimensions: u32) -> f64 {
    let each = amplitudes.iter().zip(turns).map(|(amplitude, turns)| amplitude.abs() * TAU * turns);
    each.sum::<f64>() * f64::from(dimensions).sqrt()
}

fn hill(n: &Hill) -> f64 {
    let amplitudes = n.amplitudes();
    let shortest = n.all_sizes().into_iter().fold(f64::INFINITY, f64::min);
    let plain = sines(&amplitudes, std::iter::repeat(1.0 / (TAU * shortest * n.unit)), n.dimensions);
    plain
        * match n.uniform {
            Uniform::None => 1.0,
            // The normal distribution is steepest in the middle.
            Uniform::Normal => {
                let square = amplitudes.iter().map(|a| a * a).sum::<f64>() * f64::from(n.dimensions) / 2.0;
                1.0 / square.sqrt()
            }
            Uniform::Exact => {
                let curve = computed(Kind::Sines(n.dimensions), &amplitudes, || distribution_of_sines(&amplitudes, n.dimensions));
                steepest_piece(&curve)
            }
        }
}

fn spectral(n: &Spectral) -> f64 {
    sines(&n.all_amplitudes(), n.all_frequencies().into_iter().map(|f| f / n.length), 1)
}
