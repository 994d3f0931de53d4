//! The chain that builds a graph: `Noise::simplex(…).fractal(…).spline(…)`, one named parameter struct per step.

use crate::graph::{
    Abs, Add, Axis, Bias, Blend, Clamp, Constant, Coordinate, Domain, Equalise, Fractal, Gain, Graph, GraphError, Hexagonal, Hill,
    Interval, Max, Min, Mirror, Multiply, Node, OctaveTable, Periodic, Perlin, PointTable, Polar, Power, Quantile, Quantise, Radius,
    RangeError, Raster, ScaleOffset, Select, Simplex, Sine, Slice, Smoothstep, Spectral, Spline, Terrace, Threshold, Transform, Turbulence,
    Value, Warp, White, Worley,
    names::{free_name, take_in},
};
use crate::params::{ControlPoint, Input, Owner, ParamType, SetError, Setting};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// A noise: a graph with methods that extend it. Cloning is cheap beside evaluating; using one noise twice shares its nodes.
///
/// Every step names its node after its kind, with a number where that is taken; [`named`](Self::named) gives the last one a name of
/// your own. Names stay apart where noises are joined: equal nodes that were given different names remain two, and one whose name the
/// other noise has for something else gets a number appended. As text a noise is its [`Graph`].
///
/// ```
/// use orogen::Noise;
/// use orogen::node::{Fractal, Simplex};
/// let hills = Noise::simplex(Simplex { wavelength: 300.0, ..Default::default() })
///     .fractal(Fractal { octaves: 8, ..Default::default() })
///     .scale_offset(60.0, 60.0);
/// let range = hills.range()?;
/// assert!(range.lo >= -0.001 && range.hi <= 120.001);
/// # Ok::<(), orogen::RangeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Noise {
    graph: Graph,
}

impl From<Graph> for Noise {
    fn from(graph: Graph) -> Self {
        Noise { graph }
    }
}

impl From<f64> for Noise {
    fn from(value: f64) -> Self {
        Noise::constant(value)
    }
}

impl Noise {
    /// The graph that has been built. Its numbers are not checked before it is evaluated or [checked](Graph::check).
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    pub(super) fn node_mut(&mut self, name: &str) -> Option<&mut Node> {
        self.graph.node.get_mut(name)
    }

    /// Checks every node; see [`Graph::check`]. A table passes, since others may read it, though it has no values itself.
    ///
    /// # Errors
    /// The first thing found to be wrong.
    pub fn check(&self) -> Result<(), GraphError> {
        self.graph.check_nodes()
    }

    /// Proven bounds; see [`Graph::range`].
    ///
    /// # Errors
    /// An invalid graph, or one whose values f32 cannot hold.
    pub fn range(&self) -> Result<Interval, RangeError> {
        self.graph.range()
    }

    /// The same number everywhere.
    pub fn constant(value: f64) -> Self {
        Self::source(Constant { value })
    }

    /// The position along one axis.
    pub fn coordinate(params: Coordinate) -> Self {
        Self::source(params)
    }

    /// Simplex noise.
    pub fn simplex(params: Simplex) -> Self {
        Self::source(params)
    }

    /// Value noise.
    pub fn value(params: Value) -> Self {
        Self::source(params)
    }

    /// Perlin noise.
    pub fn perlin(params: Perlin) -> Self {
        Self::source(params)
    }

    /// White noise.
    pub fn white(params: White) -> Self {
        Self::source(params)
    }

    /// Noise of a hexagonal map.
    pub fn hexagonal(params: Hexagonal) -> Self {
        Self::source(params)
    }

    /// Hill noise.
    pub fn hill(params: Hill) -> Self {
        Self::source(params)
    }

    /// A sum of sines along x with a spectrum of choice.
    pub fn spectral(params: Spectral) -> Self {
        Self::source(params)
    }

    /// The distance from a point.
    pub fn radius(params: Radius) -> Self {
        Self::source(params)
    }

    /// Numbers on a grid: a scanned mountain, a painted mask, what another engine has computed.
    pub fn raster(params: Raster) -> Self {
        Self::source(params)
    }

    /// Cellular noise.
    pub fn worley(params: Worley) -> Self {
        Self::source(params)
    }

    /// Offsets of octaves, for [`fractal_from`](Self::fractal_from): a table, which has no values.
    pub fn octave_table(params: OctaveTable) -> Self {
        Self::source(params)
    }

    /// Control points, for [`spline_from`](Self::spline_from): a table, which has no values.
    pub fn point_table(params: PointTable) -> Self {
        Self::source(params)
    }

    /// Gives the output node a name, for recipes, messages and [`set`](Self::set). A name that is taken gets a number appended
    /// (`hills_2`).
    pub fn named(mut self, name: &str) -> Self {
        if self.graph.output != name {
            let old = self.graph.output.clone();
            let free = free_name(name, |name| self.graph.node.contains_key(name));
            self.graph.rename(&old, &free);
        }
        self
    }

    /// Octaves of this noise.
    pub fn fractal(self, params: Fractal) -> Self {
        self.then(|of| Fractal { of, ..params })
    }

    /// Octaves of this noise whose offsets are entries of a [table](Self::octave_table), from `params.start` on.
    ///
    /// ```
    /// use orogen::Noise;
    /// use orogen::node::{Fractal, OctaveTable, Simplex};
    /// let table = Noise::octave_table(OctaveTable { offsets: (0..7).map(|k| [100.0 * f64::from(k), 0.0, 0.0]).collect() });
    /// let octaves = |wavelength, start, octaves| {
    ///     let basis = Noise::simplex(Simplex { wavelength, ..Default::default() });
    ///     basis.fractal_from(&table, Fractal { start, octaves, ..Default::default() })
    /// };
    /// // Entries 0 to 3 are the hills', 4 to 6 the mask's. The table is there once: to change it is to change both.
    /// let mut land = octaves(300.0, 0, 4).multiply(octaves(900.0, 4, 3));
    /// land.set("octave_table.offsets", vec![[0.0; 3]; 7])?;
    /// # Ok::<(), orogen::SetError>(())
    /// ```
    pub fn fractal_from(self, table: &Noise, params: Fractal) -> Self {
        self.with(table, |of, table| Fractal { of, table: Some(table), ..params })
    }

    /// This noise remapped by a curve through control points.
    pub fn spline(self, points: impl Into<Vec<ControlPoint>>) -> Self {
        let points = points.into();
        self.then(|of| Spline { of, points, ..Default::default() })
    }

    /// This noise remapped by a curve through control points that are entries of a [table](Self::point_table), from `params.start` up to
    /// `params.end`.
    pub fn spline_from(self, table: &Noise, params: Spline) -> Self {
        self.with(table, |of, table| Spline { of, table: Some(table), ..params })
    }

    /// `self · scale + offset`.
    pub fn scale_offset(self, scale: f64, offset: f64) -> Self {
        self.then(|of| ScaleOffset { of, scale, offset })
    }

    /// Held between two numbers.
    pub fn clamp(self, low: f64, high: f64) -> Self {
        self.then(|of| Clamp { of, low, high })
    }

    /// Magnitude.
    pub fn abs(self) -> Self {
        self.then(|of| Abs { of })
    }

    /// `sign · magnitude^exponent`.
    pub fn power(self, exponent: f64) -> Self {
        self.then(|of| Power { of, exponent })
    }

    /// Rises from 0 at `low` to 1 at `high`.
    pub fn smoothstep(self, low: f64, high: f64) -> Self {
        self.then(|of| Smoothstep { of, low, high })
    }

    /// Steps of this height; `slope` is the share of each that rises.
    pub fn terrace(self, height: f64, slope: f64) -> Self {
        self.then(|of| Terrace { of, height, slope })
    }

    /// `below` where this noise is less than `at`, else `above`.
    pub fn threshold(self, at: f64, below: f64, above: f64) -> Self {
        self.then(|of| Threshold { of, at, below, above })
    }

    /// Perlin's bias on [0, 1].
    pub fn bias(self, bias: f64) -> Self {
        self.then(|of| Bias { of, bias })
    }

    /// Perlin's gain on [0, 1].
    pub fn gain(self, gain: f64) -> Self {
        self.then(|of| Gain { of, gain })
    }

    /// `sin(2π · (frequency · self + phase))`.
    pub fn sine(self, frequency: f64, phase: f64) -> Self {
        self.then(|of| Sine { of, frequency, phase })
    }

    /// This uniform noise with another distribution.
    pub fn quantile(self, params: Quantile) -> Self {
        self.then(|of| Quantile { of, ..params })
    }

    /// Made uniform through its quantiles; [`Engine::equalise`](crate::Engine::equalise) measures them.
    pub fn equalise(self, quantiles: Vec<f64>) -> Self {
        self.then(|of| Equalise { of, quantiles })
    }

    /// This noise, sampled at `scale · rotation · (position + offset)`.
    pub fn transform(self, mut params: Transform) -> Self {
        self.then(|of| {
            params.of = of;
            params
        })
    }

    /// This noise in the plane in which `axis` has the position `at`.
    pub fn slice(self, axis: Axis, at: f64) -> Self {
        self.then(|of| Slice { of, axis, at })
    }

    /// This noise and its mirror image in a plane.
    pub fn mirror(self, axis: Axis, at: f64) -> Self {
        self.then(|of| Mirror { of, axis, at })
    }

    /// This noise in blocks of one value each.
    pub fn quantise(self, size: [f64; 3]) -> Self {
        self.then(|of| Quantise { of, size })
    }

    /// This noise, repeated exactly after a period along each axis; 0 for never. A period spans up to 2²⁴ − 1 cells of each lattice under it and up
    /// to 10¹² world units; one that a lattice cannot hold is an error when the noise is evaluated.
    pub fn periodic(self, period: [f64; 3]) -> Self {
        self.then(|of| Periodic { of, period })
    }

    /// This noise in polar form around a point.
    pub fn polar(self, mut params: Polar) -> Self {
        self.then(|of| {
            params.of = of;
            params
        })
    }

    /// This noise at the position that three others give.
    pub fn domain(mut self, at: [impl Into<Noise>; 3]) -> Self {
        let of = Input::Node(self.graph.output.clone());
        let [x, y, z] = at.map(|noise| Input::Node(self.absorb(&noise.into())));
        self.push(Domain { of, x, y, z })
    }

    /// This noise, displaced by another that has a seed of its own for every axis.
    pub fn turbulence(self, by: impl Into<Noise>, mut params: Turbulence) -> Self {
        self.with(&by.into(), |of, by| {
            (params.of, params.by) = (of, by);
            params
        })
    }

    /// This noise where `mask` is below `at`, `other` where it is above, both within `falloff` of it.
    pub fn select(mut self, other: impl Into<Noise>, mask: impl Into<Noise>, at: f64, falloff: f64) -> Self {
        let a = self.graph.output.clone();
        let b = self.absorb(&other.into());
        let mask = self.absorb(&mask.into());
        self.push(Select { a: Input::Node(a), b: Input::Node(b), mask: Input::Node(mask), at, falloff })
    }

    /// `self + other`.
    #[expect(clippy::should_implement_trait, reason = "a step of the chain; operators would hide that it takes ownership")]
    pub fn add(self, other: impl Into<Noise>) -> Self {
        self.with(&other.into(), |a, b| Add { a, b })
    }

    /// `self · other`.
    pub fn multiply(self, other: impl Into<Noise>) -> Self {
        self.with(&other.into(), |a, b| Multiply { a, b })
    }

    /// The smaller of the two.
    pub fn min(self, other: impl Into<Noise>) -> Self {
        self.with(&other.into(), |a, b| Min { a, b })
    }

    /// The larger of the two.
    pub fn max(self, other: impl Into<Noise>) -> Self {
        self.with(&other.into(), |a, b| Max { a, b })
    }

    /// This noise where `mask` is 0 or less, `other` where it is 1 or more, linear between.
    pub fn blend(mut self, other: impl Into<Noise>, mask: impl Into<Noise>) -> Self {
        let a = self.graph.output.clone();
        let b = self.absorb(&other.into());
        let mask = self.absorb(&mask.into());
        self.push(Blend { a: Input::Node(a), b: Input::Node(b), mask: Input::Node(mask) })
    }

    /// This noise sampled at `position + strength · (x, y, z)`.
    pub fn warp(mut self, by: [impl Into<Noise>; 3], strength: f64) -> Self {
        let of = Input::Node(self.graph.output.clone());
        let [x, y, z] = by.map(|noise| Input::Node(self.absorb(&noise.into())));
        self.push(Warp { of, x, y, z, strength })
    }

    /// A node over noises, each given by the name of the input that it fills: what the other methods do, for a kind that is known only when
    /// the program runs. The first noise is the one whose names stay as they are.
    ///
    /// ```
    /// use orogen::Noise;
    /// use orogen::node::{Max, Node, Simplex};
    /// let hills = Noise::simplex(Simplex::default());
    /// let node = Node::of_kind("max").ok_or("no such kind")?;
    /// let land = Noise::join(node, &[("a", &hills), ("b", &Noise::constant(0.0))])?;
    /// assert_eq!(land, hills.max(0.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A name that is none of the node's parameters, or of one that is no input. Which inputs lack a noise, [`check`](Self::check) finds.
    pub fn join(node: impl Into<Node>, inputs: &[(&str, &Noise)]) -> Result<Self, SetError> {
        let mut node = node.into();
        let mut noise = inputs.first().map_or_else(Self::nothing, |(_, first)| (*first).clone());
        for (index, (param, input)) in inputs.iter().enumerate() {
            let name = if index == 0 { noise.graph.output.clone() } else { noise.absorb(input) };
            if let Some(info) = node.info().param(param)
                && info.param_type != ParamType::Input
            {
                let (node, param) = (node.info().kind.to_owned(), (*param).to_owned());
                let expected = info.param_type.to_string();
                return Err(SetError::Kind { what: Owner::Node, node, param, value: Setting::Word(name), expected });
            }
            node.set(param, name)?;
        }
        Ok(noise.push(node))
    }

    fn nothing() -> Self {
        Noise { graph: Graph { output: String::new(), node: IndexMap::new() } }
    }

    fn source(node: impl Into<Node>) -> Self {
        Self::nothing().push(node)
    }

    fn then<N: Into<Node>>(self, step: impl FnOnce(Input) -> N) -> Self {
        let of = Input::Node(self.graph.output.clone());
        self.push(step(of))
    }

    fn with<N: Into<Node>>(mut self, other: &Noise, step: impl FnOnce(Input, Input) -> N) -> Self {
        let a = Input::Node(self.graph.output.clone());
        let b = Input::Node(self.absorb(other));
        self.push(step(a, b))
    }

    fn push(mut self, node: impl Into<Node>) -> Self {
        let node = node.into();
        let name = free_name(node.info().kind, |name| self.graph.node.contains_key(name));
        self.graph.node.insert(name.clone(), node);
        self.graph.output = name;
        self
    }

    /// Takes another noise's nodes in and returns the name its output got; [`names`](super::names) says which nodes are shared.
    pub(crate) fn absorb(&mut self, other: &Noise) -> String {
        take_in(&mut self.graph.node, &other.graph, None, |_| false)
    }
}
