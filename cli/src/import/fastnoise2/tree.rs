//! The text of a tree: a string in base64, in which `@` and a digit stand for a run of three A or more. Its bytes are a node: its
//! kind, then members, each after a byte with a type in the lower three bits and an index in the upper five. Members with default
//! values are omitted. A node that occurs again is a reference.

/// The most nodes of a tree, references counted as often as they occur.
pub const MOST_NODES: usize = 1000;
/// The deepest nesting.
const DEEPEST: usize = 64;

/// A kind of node: its name, the defaults of its variables and of its hybrids (numbers or nodes), and the number of its sources.
pub struct Kind {
    pub name: &'static str,
    variables: &'static [Initial],
    sources: usize,
    hybrids: &'static [f32],
}

/// The default value of a variable.
#[derive(Clone, Copy)]
pub enum Initial {
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
pub const KINDS: [Kind; 47] = [
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
pub struct Tree {
    pub kind: usize,
    /// The bits of each variable.
    pub variables: Vec<u32>,
    pub sources: Vec<usize>,
    pub hybrids: Vec<Hybrid>,
}

#[derive(Clone, Copy)]
pub enum Hybrid {
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

/// The nodes of a text, sources first, and the index of its root.
///
/// # Errors
/// Returns a message that names the place where the text is invalid.
pub fn read(text: &str) -> Result<(Vec<Tree>, usize), String> {
    let bytes = bytes(text)?.into_iter();
    let mut reader = Reader { bytes, ends: 0, nodes: Vec::new() };
    let root = reader.node(0)?;
    if reader.bytes.next().is_some() || reader.ends > 0 {
        return Err("the tree continues after its end".to_owned());
    }
    Ok((reader.nodes, root))
}
