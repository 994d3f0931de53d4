//! Encoded node trees of FastNoise2 1.x, as its editor copies them.
//!
//! A tree is a string in base64, in which `@` and a digit stand for a run of three A or more. Its bytes are a node: its kind, then
//! members, each after a byte with a type in the lower three bits and an index in the upper five. Members with default values are
//! omitted. A node that occurs again is a reference.

use super::Imported;
use orogen::Noise;
use orogen::node::{
    Accumulate, Axis, Coordinate, Fractal, Metric, Perlin, Radius, Simplex, Transform, Turbulence, Value, Worley, WorleyOutput,
};

/// The most nodes of a tree, references counted as often as they occur.
const MOST_NODES: usize = 1000;
/// The deepest nesting.
const DEEPEST: usize = 64;

/// A kind of node: its name, the defaults of its variables and of its hybrids (numbers or nodes), and the number of its sources.
struct Kind {
    name: &'static str,
    variables: &'static [Initial],
    sources: usize,
    hybrids: &'static [f32],
}

/// The default value of a variable.
#[derive(Clone, Copy)]
enum Initial {
    /// A number.
    F(f32),
    /// An integer, or the index of a word.
    I(i32),
}

use Initial::{F, I};

/// Scale, seed offset and range of output.
const NOISE: &[Initial] = &[F(100.0), I(0), F(-1.0), F(1.0)];
const NOTHING: &[Initial] = &[];
/// Source, then gain and weighted strength.
const OCTAVES: &[Initial] = &[I(3), F(2.0)];

const fn kind(name: &'static str, variables: &'static [Initial], sources: usize, hybrids: &'static [f32]) -> Kind {
    Kind { name, variables, sources, hybrids }
}

/// The kinds in the order of their numbers.
#[rustfmt::skip]
const KINDS: [Kind; 47] = [
    kind("Constant", &[F(1.0)], 0, &[]),
    kind("White", &[I(0), F(-1.0), F(1.0)], 0, &[]),
    kind("Checkerboard", &[F(100.0), F(-1.0), F(1.0)], 0, &[]),
    kind("SineWave", &[F(100.0), F(-1.0), F(1.0)], 0, &[]),
    kind("Gradient", &[F(0.0), F(0.0), F(0.0), F(0.0)], 0, &[0.0; 4]),
    kind("DistanceToPoint", &[I(0)], 0, &[0.0, 0.0, 0.0, 0.0, 1.5]),
    kind("Simplex", NOISE, 0, &[]),
    kind("SuperSimplex", NOISE, 0, &[]),
    kind("Perlin", NOISE, 0, &[]),
    kind("Value", NOISE, 0, &[]),
    kind("CellularValue", &[F(100.0), I(0), F(-1.0), F(1.0), I(1), I(0)], 0, &[1.5, 1.0, 0.0]),
    kind("CellularDistance", &[F(100.0), I(0), F(-1.0), F(1.0), I(1), I(0), I(1), I(0)], 0, &[1.5, 1.0, 0.0]),
    kind("CellularLookup", &[F(100.0), I(0), I(1)], 1, &[1.5, 1.0, 0.0]),
    kind("FractalFBm", OCTAVES, 1, &[0.5, 0.0]),
    kind("PingPong", NOTHING, 1, &[2.0]),
    kind("FractalRidged", OCTAVES, 1, &[0.5, 0.0]),
    kind("DomainWarpSimplex", &[F(100.0), I(0), F(1.0), F(1.0), F(1.0), F(1.0), I(0)], 1, &[50.0]),
    kind("DomainWarpSuperSimplex", &[F(100.0), I(0), F(1.0), F(1.0), F(1.0), F(1.0), I(0)], 1, &[50.0]),
    kind("DomainWarpGradient", &[F(100.0), I(0), F(1.0), F(1.0), F(1.0), F(1.0)], 1, &[50.0]),
    kind("DomainWarpFractalProgressive", OCTAVES, 1, &[0.5, 0.0]),
    kind("DomainWarpFractalIndependent", OCTAVES, 1, &[0.5, 0.0]),
    kind("Add", NOTHING, 1, &[0.0]),
    kind("Subtract", NOTHING, 0, &[0.0, 0.0]),
    kind("Multiply", NOTHING, 1, &[0.0]),
    kind("Divide", NOTHING, 0, &[0.0, 0.0]),
    kind("Abs", NOTHING, 1, &[]),
    kind("Min", NOTHING, 1, &[0.0]),
    kind("Max", NOTHING, 1, &[0.0]),
    kind("MinSmooth", NOTHING, 1, &[0.0, 0.1]),
    kind("MaxSmooth", NOTHING, 1, &[0.0, 0.1]),
    kind("SignedSquareRoot", NOTHING, 1, &[]),
    kind("PowFloat", NOTHING, 0, &[2.0, 2.0]),
    kind("PowInt", &[I(2)], 1, &[]),
    kind("DomainScale", &[F(1.0)], 1, &[]),
    kind("DomainOffset", NOTHING, 1, &[0.0; 4]),
    kind("DomainRotate", &[F(0.0), F(0.0), F(0.0)], 1, &[]),
    kind("DomainAxisScale", &[F(1.0), F(1.0), F(1.0), F(1.0)], 1, &[]),
    kind("SeedOffset", &[I(1)], 1, &[]),
    kind("ConvertRGBA8", &[F(-1.0), F(1.0)], 1, &[]),
    kind("GeneratorCache", NOTHING, 1, &[]),
    kind("Fade", &[I(0)], 2, &[0.0, -1.0, 1.0]),
    kind("Remap", &[I(0)], 1, &[-1.0, 1.0, 0.0, 1.0]),
    kind("Terrace", &[F(1.0)], 1, &[0.0]),
    kind("AddDimension", NOTHING, 1, &[0.0]),
    kind("RemoveDimension", &[I(1)], 1, &[]),
    kind("Modulus", NOTHING, 0, &[0.0, 0.0]),
    kind("DomainRotatePlane", &[I(0)], 1, &[]),
];

/// A decoded node.
struct Tree {
    kind: usize,
    /// The bits of each variable.
    variables: Vec<u32>,
    sources: Vec<usize>,
    hybrids: Vec<Hybrid>,
}

#[derive(Clone, Copy)]
enum Hybrid {
    Number(f32),
    Node(usize),
}

/// Whether a text looks like an encoded tree.
pub fn is_tree(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty() && text.bytes().all(|c| c.is_ascii_alphanumeric() || matches!(c, b'+' | b'/' | b'=' | b'@'))
}

/// The bytes of a string.
fn bytes(text: &str) -> Result<Vec<u8>, String> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => Some(c - b'A'),
        b'a'..=b'z' => Some(c - b'a' + 26),
        b'0'..=b'9' => Some(c - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let mut digits = Vec::new();
    let mut padding = 0;
    let mut all = text.trim().bytes();
    while let Some(c) = all.next() {
        match c {
            b'@' => {
                let run = all.next().and_then(digit).ok_or("a run of A has no length")?;
                digits.extend(std::iter::repeat_n(0u8, usize::from(run) + 3));
            }
            b'=' => padding += 1,
            c => digits.push(digit(c).ok_or_else(|| format!("'{}' is not a digit of base64", char::from(c).escape_default()))?),
        }
        if digits.len() > 1 << 20 {
            return Err("longer than a million digits".to_owned());
        }
    }
    if digits.is_empty() || (digits.len() + padding) % 4 != 0 || padding > 2 {
        return Err("its length is not that of base64".to_owned());
    }
    let whole = digits.len() * 6 / 8;
    let group = |four: &[u8]| four.iter().enumerate().fold(0u32, |word, (i, digit)| word | u32::from(*digit) << (18 - 6 * i));
    let mut out: Vec<u8> = digits.chunks(4).map(group).flat_map(|word| word.to_be_bytes().into_iter().skip(1)).collect();
    out.truncate(whole);
    Ok(out)
}

/// Reads a tree. Nodes are stored after their sources, so that references are indices.
struct Reader {
    bytes: std::vec::IntoIter<u8>,
    /// Ends of nodes that one byte stands for.
    ends: u32,
    nodes: Vec<Tree>,
}

impl Reader {
    fn byte(&mut self) -> Result<u8, String> {
        match self.ends {
            0 => self.bytes.next().ok_or_else(|| "the tree ends early".to_owned()),
            _ => Err("a node ends early".to_owned()),
        }
    }

    fn word(&mut self) -> Result<u32, String> {
        let four = [self.byte()?, self.byte()?, self.byte()?, self.byte()?];
        Ok(u32::from_le_bytes(four))
    }

    /// A member's type and index.
    fn member(&mut self) -> Result<(u8, usize), String> {
        if self.ends > 0 {
            self.ends -= 1;
            return Ok((4, 0));
        }
        let byte = self.byte()?;
        let (kind, index) = (byte & 7, byte >> 3);
        if kind == 4 {
            self.ends = u32::from(index);
        }
        Ok((kind, usize::from(index)))
    }

    fn node(&mut self, depth: usize) -> Result<usize, String> {
        let id = self.byte()?;
        if id == u8::MAX {
            let reference = usize::from(u16::from_le_bytes([self.byte()?, self.byte()?]));
            return if reference < self.nodes.len() { Ok(reference) } else { Err(format!("reference {reference} to no node")) };
        }
        let index = usize::from(id);
        let Some(kind) = KINDS.get(index) else { return Err(format!("kind {id} is unknown; the tree may be of another version than 1.x")) };
        if depth >= DEEPEST || self.nodes.len() >= MOST_NODES {
            return Err(format!("more than {MOST_NODES} nodes or {DEEPEST} levels"));
        }
        let bits = |default: &Initial| match default {
            F(x) => x.to_bits(),
            I(x) => x.cast_unsigned(),
        };
        let mut tree = Tree {
            kind: index,
            variables: kind.variables.iter().map(bits).collect(),
            sources: Vec::new(),
            hybrids: kind.hybrids.iter().map(|&x| Hybrid::Number(x)).collect(),
        };
        let unknown = |index: usize| format!("{}: member {index} is unknown", kind.name);
        loop {
            match self.member()? {
                (0, at) => *tree.variables.get_mut(at).ok_or_else(|| unknown(at))? = self.word()?,
                (1, count) => {
                    for _ in 0..count {
                        let source = self.node(depth + 1)?;
                        tree.sources.push(source);
                    }
                }
                (2, at) => {
                    let node = self.node(depth + 1)?;
                    *tree.hybrids.get_mut(at).ok_or_else(|| unknown(at))? = Hybrid::Node(node);
                }
                (3, at) => *tree.hybrids.get_mut(at).ok_or_else(|| unknown(at))? = Hybrid::Number(f32::from_bits(self.word()?)),
                (4, _) => break,
                (other, _) => return Err(format!("{}: a member of type {other} is unknown", kind.name)),
            }
        }
        if tree.sources.len() != kind.sources {
            return Err(format!("{}: {} sources; allowed: {}", kind.name, tree.sources.len(), kind.sources));
        }
        self.nodes.push(tree);
        Ok(self.nodes.len() - 1)
    }
}

/// The noise of an encoded tree.
///
/// # Errors
/// Returns a message that names the node without an equivalent, or the place where the string is invalid.
pub fn import(text: &str, dimensions: u32) -> Result<Imported, String> {
    let bytes = bytes(text)?.into_iter();
    let mut reader = Reader { bytes, ends: 0, nodes: Vec::new() };
    let root = reader.node(0)?;
    if reader.bytes.next().is_some() || reader.ends > 0 {
        return Err("the tree continues after its end".to_owned());
    }
    let mut translator = Translator { nodes: &reader.nodes, dimensions, warnings: Vec::new(), made: 0 };
    let noise = translator.noise(root, 0)?;
    Ok(Imported { noise, warnings: translator.warnings })
}

/// From nodes of FastNoise2 to noises.
struct Translator<'a> {
    nodes: &'a [Tree],
    dimensions: u32,
    warnings: Vec<String>,
    made: usize,
}

impl Translator<'_> {
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
        let [lo, hi] = [self.number(node, 2)?, self.number(node, 3)?];
        Ok(if lo == -1.0 && hi == 1.0 { noise } else { noise.scale_offset((hi - lo) / 2.0, f64::midpoint(lo, hi)) })
    }

    fn noise(&mut self, node: usize, seed: i32) -> Result<Noise, String> {
        self.made += 1;
        if self.made > MOST_NODES {
            return Err(format!("more than {MOST_NODES} nodes"));
        }
        let source = self.nodes[node].sources.first().copied();
        let of = |translator: &mut Self| translator.noise(source.expect("invariant: the kind has a source"), seed);
        let dimensions = self.dimensions;
        match self.name(node) {
            "Constant" => Ok(Noise::constant(self.number(node, 0)?)),
            "Simplex" | "SuperSimplex" => {
                self.warn(node, "approximated by 'simplex': other values for the same seed");
                let (wavelength, seed) = (self.number(node, 0)?, Some(self.seed(node, seed)));
                self.ranged(node, Noise::simplex(Simplex { dimensions, wavelength, seed, ..Default::default() }))
            }
            "Perlin" => {
                self.warn(node, "approximated by 'perlin': other values for the same seed");
                let (wavelength, seed) = (self.number(node, 0)?, self.seed(node, seed));
                self.ranged(node, Noise::perlin(Perlin { dimensions, wavelength, seed, ..Default::default() }))
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
            "Gradient" => self.gradient(node),
            "DistanceToPoint" => self.distance(node),
            "Add" => Ok(of(self)?.add(self.hybrid(node, 0, seed)?)),
            "Multiply" => Ok(of(self)?.multiply(self.hybrid(node, 0, seed)?)),
            "Min" => Ok(of(self)?.min(self.hybrid(node, 0, seed)?)),
            "Max" => Ok(of(self)?.max(self.hybrid(node, 0, seed)?)),
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
        match self.integer(node, 7) {
            0 => weights[first] = 1.0,
            1 => [first, second].into_iter().for_each(|at| weights[at] += 0.5),
            2 => {
                weights[first] += 1.0;
                weights[second] -= 1.0;
            }
            _ => return Err("CellularDistance: products and quotients of distances have no equivalent".to_owned()),
        }
        self.warn(node, "approximated by 'worley': other cells for the same seed, and distances begin at 0");
        self.ranged(node, Noise::worley(Worley { weights, ..of }).scale_offset(2.0, -1.0))
    }

    /// A warp; `octaves` is the node with its octaves.
    fn warp(&mut self, node: usize, seed: i32, octaves: Option<usize>) -> Result<Noise, String> {
        self.warn(node, "approximated by displacements along each axis by 'perlin'");
        let body = self.noise(self.nodes[node].sources[0], seed)?;
        let (wavelength, dimensions) = (self.number(node, 0)?, self.dimensions);
        let scales = [2, 3, 4].map(|at| self.number(node, at));
        let strength = self.constant(node, 0, "Warp Amplitude")?;
        let own = self.seed(node, seed);
        let Some(fractal) = octaves else {
            let mut by = Vec::new();
            for (axis, scale) in scales.into_iter().enumerate() {
                let noise = Noise::perlin(Perlin { dimensions, wavelength, seed: own + 1000 * (axis as u64 + 1), ..Default::default() });
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
        let by = Noise::perlin(Perlin { dimensions, wavelength, seed: own, ..Default::default() });
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
