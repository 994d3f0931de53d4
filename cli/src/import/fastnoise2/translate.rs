//! From nodes of FastNoise2 to noises.

use super::composed;
use super::tree::{Hybrid, KINDS, MOST_NODES, Tree};
use orogen::Noise;
use orogen::node::{
    Accumulate, Axis, Coordinate, Fractal, Metric, OpenSimplex2, OpenSimplexVariant, Perlin, Radius, Simplex, Transform, Turbulence, Value,
    Worley, WorleyOutput,
};

/// From nodes of FastNoise2 to noises.
pub struct Translator<'a> {
    nodes: &'a [Tree],
    dimensions: u32,
    pub warnings: Vec<String>,
    made: usize,
}

/// The noise nearest to one of FastNoise2, or to the noise of a warp.
#[derive(Clone, Copy)]
enum Nearest {
    Perlin,
    Simplex,
    SuperSimplex,
}

impl Nearest {
    /// The noise for a kind of node.
    fn of(kind: &str) -> Self {
        match kind {
            "Simplex" | "DomainWarpSimplex" => Nearest::Simplex,
            "SuperSimplex" | "DomainWarpSuperSimplex" => Nearest::SuperSimplex,
            _ => Nearest::Perlin,
        }
    }

    /// Its node, as a warning names it.
    fn word(self) -> &'static str {
        match self {
            Nearest::Perlin => "'perlin'",
            Nearest::Simplex => "'simplex'",
            Nearest::SuperSimplex => "'open_simplex2' with variant = \"smooth\"",
        }
    }

    fn noise(self, dimensions: u32, wavelength: f64, seed: u64) -> Noise {
        match self {
            Nearest::Perlin => Noise::perlin(Perlin { dimensions, wavelength, seed, ..Default::default() }),
            Nearest::Simplex => Noise::simplex(Simplex { dimensions, wavelength, seed: Some(seed), ..Default::default() }),
            Nearest::SuperSimplex => {
                let variant = OpenSimplexVariant::Smooth;
                Noise::open_simplex2(OpenSimplex2 { dimensions, variant, wavelength, seed, ..Default::default() })
            }
        }
    }
}

impl<'a> Translator<'a> {
    pub fn new(nodes: &'a [Tree], dimensions: u32) -> Self {
        Translator { nodes, dimensions, warnings: Vec::new(), made: 0 }
    }

    fn name(&self, node: usize) -> &'static str {
        KINDS[self.nodes[node].kind].name
    }

    /// A variable that is a number.
    fn number(&self, node: usize, at: usize) -> Result<f64, String> {
        let x = f64::from(f32::from_bits(self.nodes[node].variables[at]));
        if x.is_finite() { Ok(x) } else { Err(format!("{}: {x} is not a number", self.name(node))) }
    }

    /// A variable that is an integer, or the index of a word.
    fn integer(&self, node: usize, at: usize) -> i32 {
        self.nodes[node].variables[at].cast_signed()
    }

    /// A hybrid that must be a number.
    fn constant(&self, node: usize, at: usize, what: &str) -> Result<f64, String> {
        match self.nodes[node].hybrids[at] {
            Hybrid::Number(x) if x.is_finite() => Ok(f64::from(x)),
            Hybrid::Number(x) => Err(format!("{}: {what} = {x} is not a number", self.name(node))),
            Hybrid::Node(other) => {
                Err(format!("{}: {what} from the node '{}' has no equivalent: a number has", self.name(node), self.name(other)))
            }
        }
    }

    /// A hybrid as a noise.
    fn hybrid(&mut self, node: usize, at: usize, seed: i32) -> Result<Noise, String> {
        match self.nodes[node].hybrids[at] {
            Hybrid::Number(x) => Ok(Noise::constant(f64::from(x))),
            Hybrid::Node(other) => self.noise(other, seed),
        }
    }

    /// A warning, once for each kind.
    fn warn(&mut self, node: usize, warning: &str) {
        let warning = format!("{}: {warning}", self.name(node));
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// A seed of the tree's own numbers.
    fn seed(&self, node: usize, seed: i32) -> u64 {
        u64::from(seed.wrapping_add(self.integer(node, 1)).cast_unsigned())
    }

    /// A noise of [−1, 1] in the node's range of output.
    fn ranged(&self, node: usize, noise: Noise) -> Result<Noise, String> {
        let last = self.nodes[node].variables.len().min(4);
        let [lo, hi] = [self.number(node, last - 2)?, self.number(node, last - 1)?];
        Ok(if lo == -1.0 && hi == 1.0 { noise } else { noise.scale_offset((hi - lo) / 2.0, f64::midpoint(lo, hi)) })
    }

    pub fn noise(&mut self, node: usize, seed: i32) -> Result<Noise, String> {
        self.made += 1;
        if self.made > MOST_NODES {
            return Err(format!("more than {MOST_NODES} nodes"));
        }
        let source = self.nodes[node].sources.first().copied();
        let of = |translator: &mut Self| translator.noise(source.expect("invariant: the kind has a source"), seed);
        let dimensions = self.dimensions;
        match self.name(node) {
            "Constant" => Ok(Noise::constant(self.number(node, 0)?)),
            "Simplex" | "SuperSimplex" | "Perlin" => {
                let by = Nearest::of(self.name(node));
                self.warn(node, &format!("approximated by {}: other values for the same seed", by.word()));
                let (wavelength, seed) = (self.number(node, 0)?, self.seed(node, seed));
                self.ranged(node, by.noise(dimensions, wavelength, seed))
            }
            "Value" => {
                self.warn(node, "approximated by 'value': other values for the same seed");
                let (wavelength, seed) = (self.number(node, 0)?, self.seed(node, seed));
                self.ranged(node, Noise::value(Value { dimensions, wavelength, seed, ..Default::default() }))
            }
            "CellularValue" | "CellularDistance" => self.cellular(node, seed),
            "FractalFBm" => {
                let body = of(self)?;
                self.fractal(node, body)
            }
            "FractalRidged" => {
                let body = of(self)?.abs().scale_offset(-2.0, 1.0);
                self.fractal(node, body)
            }
            "DomainWarpGradient" | "DomainWarpSimplex" | "DomainWarpSuperSimplex" => self.warp(node, seed, None),
            "DomainWarpFractalProgressive" | "DomainWarpFractalIndependent" => {
                let warp = source.expect("invariant: the kind has a source");
                if !self.name(warp).starts_with("DomainWarp") || self.nodes[warp].hybrids.len() != 1 {
                    return Err(format!("{}: its source is '{}', not a warp", self.name(node), self.name(warp)));
                }
                if self.name(node).ends_with("Independent") {
                    self.warn(node, "approximated by 'turbulence', whose octaves are progressive");
                }
                self.warp(warp, seed, Some(node))
            }
            "SineWave" => self.ranged(node, composed::sine_wave(dimensions, self.number(node, 0)?)),
            "Checkerboard" => self.ranged(node, composed::checkerboard(dimensions, self.number(node, 0)?)),
            "Gradient" => self.gradient(node),
            "DistanceToPoint" => self.distance(node),
            "Add" => Ok(of(self)?.add(self.hybrid(node, 0, seed)?)),
            "Multiply" => Ok(of(self)?.multiply(self.hybrid(node, 0, seed)?)),
            "Min" => Ok(of(self)?.min(self.hybrid(node, 0, seed)?)),
            "Max" => Ok(of(self)?.max(self.hybrid(node, 0, seed)?)),
            "MinSmooth" => {
                let smoothness = self.constant(node, 1, "Smoothness")?.abs();
                Ok(composed::smooth_min(of(self)?, self.hybrid(node, 0, seed)?, smoothness))
            }
            "MaxSmooth" => {
                let smoothness = self.constant(node, 1, "Smoothness")?.abs();
                let [a, b] = [of(self)?, self.hybrid(node, 0, seed)?].map(|noise| noise.scale_offset(-1.0, 0.0));
                Ok(composed::smooth_min(a, b, smoothness).scale_offset(-1.0, 0.0))
            }
            "Subtract" => {
                let (a, b) = (self.hybrid(node, 0, seed)?, self.hybrid(node, 1, seed)?);
                Ok(a.add(b.scale_offset(-1.0, 0.0)))
            }
            "Divide" => {
                let by = self.constant(node, 1, "RHS")?;
                if by == 0.0 {
                    return Err("Divide: division by 0".to_owned());
                }
                Ok(self.hybrid(node, 0, seed)?.scale_offset(1.0 / by, 0.0))
            }
            "Terrace" => {
                let (steps, smoothness) = (self.number(node, 0)?, self.constant(node, 0, "Smoothness")?);
                if steps <= 0.0 {
                    return Err(format!("Terrace: a Step Count of {steps} has no equivalent: one above 0 has"));
                }
                self.warn(node, "approximated by 'terrace', whose steps rise smoothly");
                let smoothness = smoothness.max(0.0);
                let (height, slope) = (1.0 / steps, (smoothness / (1.0 + smoothness)).clamp(0.001, 1.0));
                // Here steps rise at their ends, there in the middle between multiples of their height.
                Ok(of(self)?.scale_offset(1.0, 0.5 * height * (1.0 - slope)).terrace(height, slope))
            }
            "Abs" => Ok(of(self)?.abs()),
            "SignedSquareRoot" => Ok(of(self)?.power(0.5)),
            "PowFloat" => {
                let exponent = self.constant(node, 1, "Pow")?;
                self.warn(node, "negative values keep their sign");
                Ok(self.hybrid(node, 0, seed)?.power(exponent))
            }
            "PowInt" => {
                let (exponent, base) = (self.integer(node, 0), of(self)?);
                let base = if exponent % 2 == 0 { base.abs() } else { base };
                Ok(base.power(f64::from(exponent)))
            }
            "DomainScale" => {
                let scale = [self.number(node, 0)?; 3];
                Ok(of(self)?.transform(Transform { scale, ..Default::default() }))
            }
            "DomainAxisScale" => {
                let scale = [self.number(node, 0)?, self.number(node, 1)?, self.number(node, 2)?];
                Ok(of(self)?.transform(Transform { scale, ..Default::default() }))
            }
            "DomainRotate" => {
                let angles = [self.number(node, 0)?, self.number(node, 1)?, self.number(node, 2)?];
                if dimensions == 2 && angles[1..] != [0.0, 0.0] {
                    return Err("DomainRotate: Pitch and Roll in 2D have no equivalent".to_owned());
                }
                Ok(composed::rotated(of(self)?, angles))
            }
            "DomainOffset" => {
                let offset =
                    [self.constant(node, 0, "X Offset")?, self.constant(node, 1, "Y Offset")?, self.constant(node, 2, "Z Offset")?];
                Ok(of(self)?.transform(Transform { offset, ..Default::default() }))
            }
            "SeedOffset" => {
                let offset = self.integer(node, 0);
                self.noise(source.expect("invariant: the kind has a source"), seed.wrapping_add(offset))
            }
            "GeneratorCache" => of(self),
            "Remap" => self.remap(node, seed),
            "Fade" if self.integer(node, 0) == 0 => self.fade(node, seed),
            "AddDimension" if dimensions == 2 => {
                let at = self.constant(node, 0, "New Dimension Position")?;
                self.dimensions = 3;
                let noise = of(self);
                self.dimensions = 2;
                Ok(noise?.slice(Axis::Z, at))
            }
            other => Err(format!("{other}: no equivalent")),
        }
    }

    /// Octaves: FastNoise2 divides by the sum of amplitudes, too.
    fn fractal(&mut self, node: usize, body: Noise) -> Result<Noise, String> {
        let octaves = u32::try_from(self.integer(node, 0)).map_err(|_| format!("{}: a negative number of octaves", self.name(node)))?;
        let (lacunarity, gain) = (self.number(node, 1)?, self.constant(node, 0, "Gain")?);
        let weight = self.constant(node, 1, "Weighted Strength")?;
        let accumulate = if weight == 0.0 { Accumulate::Sum } else { Accumulate::Weighted };
        Ok(body.fractal(Fractal { octaves, lacunarity, gain, accumulate, weight, ..Default::default() }))
    }

    fn cellular(&mut self, node: usize, seed: i32) -> Result<Noise, String> {
        let metric = match self.integer(node, 4) {
            0 => Metric::Euclidean,
            1 => Metric::Squared,
            2 => Metric::Manhattan,
            4 => Metric::Chebyshev,
            3 => return Err(format!("{}: the distance function Hybrid has no equivalent", self.name(node))),
            _ => return Err(format!("{}: the distance function Minkowski has no equivalent", self.name(node))),
        };
        if self.constant(node, 2, "Size Jitter")? != 0.0 {
            return Err(format!("{}: Size Jitter has no equivalent", self.name(node)));
        }
        let jitter = self.constant(node, 1, "Grid Jitter")?.clamp(0.0, 1.0);
        let of = Worley {
            dimensions: self.dimensions,
            metric,
            jitter,
            wavelength: self.number(node, 0)?,
            seed: self.seed(node, seed),
            ..Default::default()
        };
        if self.name(node) == "CellularValue" {
            if self.integer(node, 5) != 0 {
                return Err("CellularValue: a Value Index above 0 has no equivalent".to_owned());
            }
            self.warn(node, "approximated by 'worley' with output = \"cell\": other cells for the same seed");
            return self.ranged(node, Noise::worley(Worley { output: WorleyOutput::Cell, ..of }));
        }
        let [first, second] = [5, 6].map(|at| self.integer(node, at).clamp(0, 3) as usize);
        let mut weights = vec![0.0; first.max(second) + 1];
        if (self.integer(node, 7), first, second) == (4, 0, 1) {
            self.warn(node, "approximated by 'worley' with output = \"ratio\": other cells for the same seed");
            return self.ranged(node, Noise::worley(Worley { output: WorleyOutput::Ratio, ..of }).scale_offset(2.0, -1.0));
        }
        match self.integer(node, 7) {
            0 => weights[first] = 1.0,
            1 => [first, second].into_iter().for_each(|at| weights[at] += 0.5),
            2 => {
                weights[first] += 1.0;
                weights[second] -= 1.0;
            }
            _ => return Err("CellularDistance: products of distances, and quotients except first / second, have no equivalent".to_owned()),
        }
        self.warn(node, "approximated by 'worley': other cells for the same seed, and distances begin at 0");
        self.ranged(node, Noise::worley(Worley { weights, ..of }).scale_offset(2.0, -1.0))
    }

    /// A warp; `octaves` is the node with its octaves.
    fn warp(&mut self, node: usize, seed: i32, octaves: Option<usize>) -> Result<Noise, String> {
        let displacement = Nearest::of(self.name(node));
        self.warn(node, &format!("approximated by displacements along each axis by {}", displacement.word()));
        let body = self.noise(self.nodes[node].sources[0], seed)?;
        let (wavelength, dimensions) = (self.number(node, 0)?, self.dimensions);
        let scales = [2, 3, 4].map(|at| self.number(node, at));
        let strength = self.constant(node, 0, "Warp Amplitude")?;
        let own = self.seed(node, seed);
        let Some(fractal) = octaves else {
            let mut by = Vec::new();
            for (axis, scale) in scales.into_iter().enumerate() {
                let noise = displacement.noise(dimensions, wavelength, own + 1000 * (axis as u64 + 1));
                by.push(if axis as u32 >= dimensions { Noise::constant(0.0) } else { noise.scale_offset(scale?, 0.0) });
            }
            let by: [Noise; 3] = by.try_into().map_err(|_| "a warp has three axes".to_owned())?;
            return Ok(body.warp(by, strength));
        };
        if scales.into_iter().any(|scale| scale != Ok(1.0)) {
            return Err(format!("{}: Amplitude Scaling with octaves has no equivalent", self.name(node)));
        }
        if self.constant(fractal, 1, "Weighted Strength")? != 0.0 {
            return Err(format!("{}: Weighted Strength has no equivalent", self.name(fractal)));
        }
        let by = displacement.noise(dimensions, wavelength, own);
        let octaves =
            u32::try_from(self.integer(fractal, 0)).map_err(|_| format!("{}: a negative number of octaves", self.name(fractal)))?;
        let (lacunarity, gain) = (self.number(fractal, 1)?, self.constant(fractal, 0, "Gain")?);
        Ok(body.turbulence(by, Turbulence { strength, octaves, gain, lacunarity, ..Default::default() }))
    }

    /// `Σ (position + offset) · multiplier`.
    fn gradient(&mut self, node: usize) -> Result<Noise, String> {
        let mut sum: Option<Noise> = None;
        for (at, axis) in [Axis::X, Axis::Y, Axis::Z].into_iter().enumerate() {
            let multiplier = self.number(node, at)?;
            if multiplier != 0.0 && (at as u32) < self.dimensions {
                let offset = self.constant(node, at, "Offset")?;
                let along = Noise::coordinate(Coordinate { axis, unit: 1.0 }).scale_offset(multiplier, offset * multiplier);
                sum = Some(match sum {
                    Some(sum) => sum.add(along),
                    None => along,
                });
            }
        }
        Ok(sum.unwrap_or_else(|| Noise::constant(0.0)))
    }

    fn distance(&mut self, node: usize) -> Result<Noise, String> {
        if self.integer(node, 0) != 0 {
            return Err("DistanceToPoint: distance functions other than Euclidean have no equivalent".to_owned());
        }
        let centre = [self.constant(node, 0, "X Point")?, self.constant(node, 1, "Y Point")?, self.constant(node, 2, "Z Point")?];
        let axes = [1.0, 1.0, if self.dimensions == 2 { 0.0 } else { 1.0 }];
        Ok(Noise::radius(Radius { centre, axes, unit: 1.0 }))
    }

    fn remap(&mut self, node: usize, seed: i32) -> Result<Noise, String> {
        let names = ["From Min", "From Max", "To Min", "To Max"];
        let mut all = [0.0; 4];
        for (at, name) in names.into_iter().enumerate() {
            all[at] = self.constant(node, at, name)?;
        }
        let [from, to, low, high] = all;
        if from == to {
            return Err("Remap: From Min equals From Max".to_owned());
        }
        let scale = (high - low) / (to - from);
        let noise = self.noise(self.nodes[node].sources[0], seed)?.scale_offset(scale, low - from * scale);
        Ok(if self.integer(node, 0) == 1 { noise.clamp(low.min(high), low.max(high)) } else { noise })
    }

    fn fade(&mut self, node: usize, seed: i32) -> Result<Noise, String> {
        let (least, most) = (self.constant(node, 1, "Fade Min")?, self.constant(node, 2, "Fade Max")?);
        if least == most {
            return Err("Fade: Fade Min equals Fade Max".to_owned());
        }
        let [a, b] = [0, 1].map(|at| self.nodes[node].sources[at]);
        let (a, b) = (self.noise(a, seed)?, self.noise(b, seed)?);
        let scale = 1.0 / (most - least);
        Ok(a.blend(b, self.hybrid(node, 0, seed)?.scale_offset(scale, -least * scale)))
    }
}
