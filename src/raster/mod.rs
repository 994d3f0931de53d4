//! Heights that come in: numbers on a grid that a `raster` node looks up, whether they are mountains or masks.
//!
//! | file | holds |
//! |---|---|
//! | here | the numbers, and what a recipe says of them |
//! | `read` | file formats |
//! | `write` | NumPy arrays, as which numbers from memory are saved |
//! | `spline` | the coefficients of the smooth surface through them |

mod read;
mod spline;
mod write;

pub use write::npy;
#[cfg(feature = "bake")]
pub use write::npy_header;

use crate::field::Field;
use crate::limits::{self, EDGE};
use crate::params::{Allowed, Param, ParamType, Setting};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::{Digest as _, Sha256};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// What the names of numbers begin with that came from no file.
const MEMORY: &str = "sha256:";

/// Numbers on a grid, in rows along x, the first row that of the smallest y; or the name of a file that holds them. Cloning shares them.
///
/// In a recipe it is the file's name. [`Recipe::load`](crate::Recipe::load) reads what lies beside the recipe; a recipe read from text names
/// files until [`Pipeline::read_files`](crate::Pipeline::read_files) reads them.
///
/// ```
/// use orogen::node::{Heights, Raster};
/// use orogen::{Engine, Gradient, Noise};
/// let heights = Heights::new(vec![0.0, 1.0, 2.0, 3.0], [2, 2])?;
/// let noise = Noise::raster(Raster { heights, spacing: [100.0, 100.0], ..Default::default() });
/// let corner = Engine::new()?.sample(&noise, &[[100.0, 100.0, 0.0]], Gradient::Without)?;
/// assert!((corner[0].value - 3.0).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct Heights {
    file: Option<Arc<str>>,
    data: Option<Arc<Data>>,
}

/// Numbers that have been read.
struct Data {
    values: Arc<[f32]>,
    size: [u32; 2],
    /// Of the file's bytes, else of the size and the numbers.
    digest: OnceLock<Digest>,
    /// What nodes look up, once one has: the numbers as they are; coefficients that go on mirrored, repeated.
    surfaces: [OnceLock<Surface>; 3],
}

/// What of the heights a node looks up: the numbers as they are, or the coefficients of the smooth surface through them, which goes on beyond
/// the edges mirrored or repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Plain,
    Mirrored,
    Repeated,
}

/// What a node looks up.
#[derive(Clone, Debug)]
pub(crate) struct Surface {
    /// Numbers in rows.
    pub values: Arc<[f32]>,
    /// Columns and rows.
    pub size: [u32; 2],
    /// What lies between: the smallest and the largest number, of coefficients that of the surface.
    pub range: [f32; 2],
}

/// The SHA-256 hash of a file, or of numbers that are none.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest([u8; 32]);

/// Why there are no heights.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HeightsError {
    /// Another number of values than the size says.
    #[error("{value} heights for {size:?} samples; allowed: columns × rows, 1 to {EDGE} each")]
    Size {
        /// Columns and rows.
        size: [u32; 2],
        /// How many there are.
        value: usize,
    },
    /// A number that is none.
    #[error("height {value} at column {column} of row {row} is not allowed; allowed: finite numbers of magnitude up to 1e15")]
    Value {
        /// Along x.
        column: usize,
        /// Along y.
        row: usize,
        /// The number.
        value: f32,
    },
    /// A file that holds no heights.
    #[error("{0}")]
    Format(String),
    /// A file that cannot be read.
    #[error(transparent)]
    Read(#[from] std::io::Error),
}

impl Heights {
    /// Numbers in rows along x, of so many columns and rows.
    ///
    /// # Errors
    /// Another number of them, a size beyond 16384, or one that is not finite.
    pub fn new(values: Vec<f32>, size: [u32; 2]) -> Result<Self, HeightsError> {
        Ok(Heights { file: None, data: Some(Data::new(values, size, None)?) })
    }

    /// The values of a field of one layer along z: what an engine has computed, to be sampled anywhere.
    ///
    /// # Errors
    /// A field of several layers, or larger than 16384 along an edge.
    pub fn from_field(field: &Field) -> Result<Self, HeightsError> {
        let [columns, rows, layers] = field.region.size;
        if layers != 1 {
            return Err(HeightsError::Format(format!("a field of {layers} layers along z is not allowed; allowed: 1")));
        }
        Heights::new(field.values.clone(), [columns, rows])
    }

    /// The name of a file, which has not been read.
    pub fn file(name: impl Into<String>) -> Self {
        Heights { file: Some(name.into().into()), data: None }
    }

    /// A file's bytes as heights: the name's ending says how they are stored. With feature `png` PNG (grey; colours count as their
    /// luminance; 0 to 1), with `exr` OpenEXR (channel `Y`, else the first), with `tiff` TIFF and GeoTIFF (the first channel; unsigned
    /// integers of 8 and 16 bits 0 to 1, others as they are); always NumPy arrays (`npy`, of 8- and 16-bit integers, 0 to 1, and of floats), and squares of little-endian 16-bit integers (`r16`, 0 to 1) and 32-bit
    /// floats (`r32`).
    ///
    /// # Errors
    /// Another format, no square, or numbers that are not finite.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self, HeightsError> {
        let (values, size) = read::Format::of(name)?.read(bytes)?;
        let digest = Digest(Sha256::digest(bytes).into());
        Ok(Heights { file: Some(name.into()), data: Some(Data::new(values, size, Some(digest))?) })
    }

    /// Reads a file; see [`from_bytes`](Self::from_bytes).
    ///
    /// # Errors
    /// Returns an error if the name ends in no known format, if the file cannot be read, is not a regular file, is larger than
    /// [`limits::HEIGHTS`](crate::limits::HEIGHTS), or holds no heights.
    pub fn read(path: impl AsRef<std::path::Path>) -> Result<Self, HeightsError> {
        let (path, name) = (path.as_ref(), path.as_ref().display().to_string());
        // What it cannot be read as is not read at all.
        read::Format::of(&name)?;
        Heights::from_bytes(&name, &limits::read(path, limits::HEIGHTS)?)
    }

    /// The same numbers by the name that a recipe has for them.
    pub(crate) fn named(self, name: &str) -> Self {
        Heights { file: Some(name.into()), ..self }
    }

    /// Numbers that were read from a file before and kept elsewhere, by the name and the hash that it had.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn kept(name: &str, digest: Digest, values: Vec<f32>, size: [u32; 2]) -> Result<Self, HeightsError> {
        let file = (!name.starts_with(MEMORY)).then(|| name.into());
        Ok(Heights { file, data: Some(Data::new(values, size, Some(digest))?) })
    }

    /// The same numbers as a file of their own, named by its content, and the file's bytes; `None` before they are read.
    pub(crate) fn as_file(&self) -> Option<(Self, Vec<u8>)> {
        let data = self.data.as_ref()?;
        let [columns, rows] = data.size.map(|edge| edge as usize);
        let bytes = write::npy(&[rows, columns], &data.values);
        let digest = Digest(Sha256::digest(&bytes).into());
        let name = format!("heights-{:.16}.npy", digest.to_string());
        let (values, size) = (Arc::clone(&data.values), data.size);
        let data = Data { values, size, digest: OnceLock::from(digest), surfaces: Default::default() };
        Some((Heights { file: Some(name.into()), data: Some(Arc::new(data)) }, bytes))
    }

    /// The same of a NumPy array.
    #[cfg(feature = "bake")]
    pub(crate) fn kept_array(name: &str, digest: Digest, array: &[u8]) -> Result<Self, HeightsError> {
        let (values, size) = read::Format::Npy.read(array)?;
        Heights::kept(name, digest, values, size)
    }

    /// Columns and rows; `None` before they are read.
    pub fn size(&self) -> Option<[u32; 2]> {
        self.data.as_ref().map(|data| data.size)
    }

    /// The numbers in rows; `None` before they are read.
    pub fn values(&self) -> Option<&[f32]> {
        self.data.as_ref().map(|data| &*data.values)
    }

    /// The hash of the file, or of numbers that came from none; `None` before they are read.
    pub fn digest(&self) -> Option<Digest> {
        self.data.as_ref().map(|data| data.digest())
    }

    /// The file's name; of numbers that came from none `sha256:` and their hash; empty where nothing is given.
    pub fn name(&self) -> String {
        match (&self.file, &self.data) {
            (Some(file), _) => file.to_string(),
            (None, Some(data)) => format!("{MEMORY}{}", data.digest()),
            (None, None) => String::new(),
        }
    }

    /// Whether they have the name of a file, read or not.
    pub fn is_from_file(&self) -> bool {
        self.file.is_some()
    }

    /// The file's name; `None` of numbers from memory.
    pub(crate) fn file_name(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// Whether neither numbers nor a file are given.
    pub(crate) fn is_missing(&self) -> bool {
        self.file.is_none() && self.data.is_none()
    }

    /// What a node looks up; `None` before it is read.
    pub(crate) fn surface(&self, form: Form) -> Option<&Surface> {
        let data = self.data.as_ref()?;
        Some(data.surfaces[form as usize].get_or_init(|| {
            let (values, size) = (&data.values, data.size);
            let smooth = |repeats| {
                let values = spline::coefficients(values, size, repeats);
                Surface { range: spline::bounds(&values, size, repeats), values: values.into(), size }
            };
            match form {
                Form::Plain => {
                    let range = values.iter().fold([f32::INFINITY, f32::NEG_INFINITY], |[lo, hi], &value| [lo.min(value), hi.max(value)]);
                    Surface { values: Arc::clone(values), size, range }
                }
                Form::Mirrored => smooth(false),
                Form::Repeated => smooth(true),
            }
        }))
    }
}

impl Data {
    fn new(values: Vec<f32>, size: [u32; 2], digest: Option<Digest>) -> Result<Arc<Self>, HeightsError> {
        let fits = size.iter().all(|edge| (1..=EDGE).contains(edge)) && values.len() == size[0] as usize * size[1] as usize;
        if !fits {
            return Err(HeightsError::Size { size, value: values.len() });
        }
        if let Some(at) = values.iter().position(|value| value.is_nan() || f64::from(value.abs()) > crate::params::LARGEST) {
            let columns = size[0] as usize;
            return Err(HeightsError::Value { column: at % columns, row: at / columns, value: values[at] });
        }
        let digest = digest.map_or_else(OnceLock::new, OnceLock::from);
        Ok(Arc::new(Data { values: values.into(), size, digest, surfaces: Default::default() }))
    }

    fn digest(&self) -> Digest {
        *self.digest.get_or_init(|| {
            let mut hash = Sha256::new();
            self.size.iter().for_each(|edge| hash.update(edge.to_le_bytes()));
            for chunk in self.values.chunks(4096) {
                hash.update(chunk.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>());
            }
            Digest(hash.finalize().into())
        })
    }
}

impl Digest {
    /// Of the bytes that a reader gives.
    pub(crate) fn of_reader(mut reader: impl std::io::Read) -> std::io::Result<Self> {
        let (mut hash, mut buffer) = (Sha256::new(), vec![0; 1 << 16]);
        loop {
            match reader.read(&mut buffer)? {
                0 => return Ok(Digest(hash.finalize().into())),
                count => hash.update(&buffer[..count]),
            }
        }
    }
}

impl PartialEq for Surface {
    fn eq(&self, other: &Self) -> bool {
        self.size == other.size && (Arc::ptr_eq(&self.values, &other.values) || self.values == other.values)
    }
}

/// The same name, and the same numbers as far as both have been read.
impl PartialEq for Heights {
    fn eq(&self, other: &Self) -> bool {
        match (&self.data, &other.data) {
            (Some(a), Some(b)) if Arc::ptr_eq(a, b) => self.file == other.file,
            (Some(a), Some(b)) => self.file == other.file && a.digest() == b.digest(),
            _ => self.name() == other.name(),
        }
    }
}

impl fmt::Debug for Heights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if self.data.is_some() { "read" } else { "not read" };
        write!(f, "Heights({:?}, {what})", self.name())
    }
}

impl Serialize for Heights {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.name())
    }
}

impl<'de> Deserialize<'de> for Heights {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Ok(if name.is_empty() { Heights::default() } else { Heights::file(name) })
    }
}

impl Param for Heights {
    const TYPE: ParamType = ParamType::File;

    fn refuse(&self, _: Allowed) -> Option<String> {
        None
    }
    fn of_setting(setting: &Setting) -> Option<Self> {
        let Setting::Word(name) = setting else { return None };
        Some(if name.is_empty() { Heights::default() } else { Heights::file(name.clone()) })
    }
    fn setting(&self) -> Option<Setting> {
        (!self.is_missing()).then(|| Setting::Word(self.name()))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::str::FromStr for Digest {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("'{text}' is no hash");
        let digits =
            Some(text.as_bytes()).filter(|digits| digits.len() == 64 && digits.iter().all(u8::is_ascii_hexdigit)).ok_or_else(wrong)?;
        let digit = |byte: u8| char::from(byte).to_digit(16).expect("invariant: it was found to be one") as u8;
        let mut digest = [0; 32];
        for (byte, two) in digest.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = digit(two[0]) << 4 | digit(two[1]);
        }
        Ok(Digest(digest))
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

impl Param for Digest {
    const TYPE: ParamType = ParamType::Hash;

    fn refuse(&self, _: Allowed) -> Option<String> {
        None
    }
    fn of_setting(setting: &Setting) -> Option<Self> {
        if let Setting::Word(word) = setting { word.parse().ok() } else { None }
    }
    fn setting(&self) -> Option<Setting> {
        Some(Setting::Word(self.to_string()))
    }
}

/// As they stand in the JSON Schema: text.
#[cfg(feature = "cli")]
mod schema {
    use super::{Digest, Heights};
    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
    use std::borrow::Cow;

    impl JsonSchema for Heights {
        fn inline_schema() -> bool {
            true
        }
        fn schema_name() -> Cow<'static, str> {
            "Heights".into()
        }
        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            json_schema!({ "type": "string" })
        }
    }

    impl JsonSchema for Digest {
        fn inline_schema() -> bool {
            true
        }
        fn schema_name() -> Cow<'static, str> {
            "Digest".into()
        }
        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            json_schema!({ "type": "string", "pattern": "^[0-9a-fA-F]{64}$" })
        }
    }
}
