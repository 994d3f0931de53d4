//! Heights that come in: numbers on a grid that a `raster` node looks up, whether they are mountains or masks.
//!
//! | file | holds |
//! |---|---|
//! | here | the numbers |
//! | `named` | what a recipe says of them, and their hash |
//! | `write` | NumPy arrays, as which numbers from memory are saved |
//! | `spline` | the coefficients of the smooth surface through them |

mod named;
mod spline;
mod write;

#[cfg(feature = "bake")]
pub use write::{npy, npy_header};

pub use named::{Digest, HeightsFile};

use crate::codec::{Declared, Format, Georeference, Grid};
use crate::field::Field;
use crate::limits::{self, EDGE};
use sha2::{Digest as _, Sha256};
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// What the names of numbers begin with that came from no file.
const MEMORY: &str = "sha256:";

/// Numbers on a grid, in rows along x, the first row at the node's `position`; or the name of a file that holds them. Cloning shares them.
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

/// Numbers that have been read. NaN is a cell without a height.
struct Data {
    values: Arc<[f32]>,
    size: [u32; 2],
    holes: Option<Holes>,
    place: Option<Georeference>,
    /// The declared encoding of the file.
    declared: Declared,
    /// Of the file's bytes, else of the size and the numbers.
    digest: OnceLock<Digest>,
    /// The same with its holes filled, as last asked for: the bits of the number that they took.
    filled: Mutex<Option<(u32, Arc<Data>)>>,
    /// What nodes look up, once one has: the numbers as they are; coefficients that go on mirrored, repeated.
    surfaces: [OnceLock<Surface>; 3],
}

/// Cells without a height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Holes {
    /// How many there are.
    pub count: usize,
    /// Column of the first.
    pub column: usize,
    /// Row of the first.
    pub row: usize,
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
    /// A number that is infinite or too large.
    #[error(
        "height {value} at column {column} of row {row} is not allowed; allowed: finite numbers of magnitude up to 1e15, and NaN for none"
    )]
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
    /// Numbers in rows along x, of a number of columns and rows. NaN is a cell without a height: a node with such cells needs `holes`.
    ///
    /// # Errors
    /// Returns an error if `size` is not the number of values, an edge is not 1 to 16384, or a number is infinite or beyond 1e15.
    pub fn new(values: Vec<f32>, size: [u32; 2]) -> Result<Self, HeightsError> {
        Ok(Heights { file: None, data: Some(Data::new(Grid { size, values, place: None }, Declared::default(), None)?) })
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

    /// A file's bytes as heights: the name's ending says how they are stored. [`HeightsFile`] reads files that need more to be said.
    ///
    /// | ending | feature | heights |
    /// |---|---|---|
    /// | `png` | `png` | grey, colours as their luminance: 0 to 1 |
    /// | `exr` | `exr` | the channel `Y`, else `R`, also after a layer's name, else the only one |
    /// | `tif`, `tiff` | `tiff` | the first channel: unsigned integers of up to 16 bits 0 to 1, others as they are; GDAL's scale and offset applied |
    /// | `npy` | | an array (rows, columns): unsigned integers of 8 and 16 bits 0 to 1, others as they are |
    /// | `r16`, `r32` | | squares of little-endian 16-bit integers (0 to 1) and 32-bit floats |
    /// | `hgt` | | SRTM: metres |
    /// | `asc` | | ESRI's ASCII grid |
    ///
    /// # Errors
    /// Returns an error if the ending is unknown, the file is damaged or of a kind that is not read, or a number is infinite or beyond 1e15.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self, HeightsError> {
        Heights::decode(name, bytes, Declared::default())
    }

    /// Reads a file; see [`from_bytes`](Self::from_bytes).
    ///
    /// # Errors
    /// Returns an error if the name ends in no known format, if the file cannot be read, is not a regular file, is larger than
    /// [`limits::HEIGHTS`](crate::limits::HEIGHTS), or holds no heights.
    pub fn read(path: impl AsRef<std::path::Path>) -> Result<Self, HeightsError> {
        Heights::load(path.as_ref(), Declared::default())
    }

    fn load(path: &std::path::Path, declared: Declared) -> Result<Self, HeightsError> {
        let name = path.display().to_string();
        // A file of an unknown format is not read at all.
        Format::of(&name).and_then(|format| format.check(declared)).map_err(HeightsError::Format)?;
        Heights::decode(&name, &limits::read(path, limits::HEIGHTS)?, declared)
    }

    fn decode(name: &str, bytes: &[u8], declared: Declared) -> Result<Self, HeightsError> {
        let grid = Format::of(name).and_then(|format| format.decode(name, bytes, declared)).map_err(HeightsError::Format)?;
        let digest = Digest::of(Sha256::digest(bytes));
        Ok(Heights { file: Some(name.into()), data: Some(Data::new(grid, declared, Some(digest))?) })
    }

    /// The same numbers by the name that a recipe has for them, and as read by what it declares.
    pub(crate) fn named(self, file: &HeightsFile) -> Self {
        let declared = file.declared();
        let data = self.data.map(|data| if data.declared == declared { data } else { Arc::new(data.as_declared(declared)) });
        Heights { file: Some(file.name.as_str().into()), data }
    }

    /// The declared encoding; `None` before the file is read.
    pub(crate) fn declared(&self) -> Option<Declared> {
        self.data.as_ref().map(|data| data.declared)
    }

    /// Numbers that were read from a file before and kept elsewhere, by the name and the hash that it had.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn kept(file: &HeightsFile, digest: Digest, values: Vec<f32>, size: [u32; 2]) -> Result<Self, HeightsError> {
        let declared = file.declared();
        let file = (!file.name.starts_with(MEMORY)).then(|| file.name.as_str().into());
        Ok(Heights { file, data: Some(Data::new(Grid { size, values, place: None }, declared, Some(digest))?) })
    }

    /// The same numbers as a file of their own, named by its content, and the file's bytes; `None` before they are read.
    pub(crate) fn as_file(&self) -> Option<(Self, Vec<u8>)> {
        let data = self.data.as_ref()?;
        let [columns, rows] = data.size.map(|edge| edge as usize);
        let bytes = write::npy(&[rows, columns], &data.values);
        let digest = Digest::of(Sha256::digest(&bytes));
        let name = format!("heights-{:.16}.npy", digest.to_string());
        let data = Data { digest: digest.into(), ..data.as_declared(Declared::default()) };
        Some((Heights { file: Some(name.into()), data: Some(Arc::new(data)) }, bytes))
    }

    /// The same of a NumPy array.
    #[cfg(feature = "bake")]
    pub(crate) fn kept_array(file: &HeightsFile, digest: Digest, array: &[u8]) -> Result<Self, HeightsError> {
        let Grid { size, values, .. } = Format::Npy.decode("kept.npy", array, Declared::default()).map_err(HeightsError::Format)?;
        Heights::kept(file, digest, values, size)
    }

    /// A word for the numbers: their hash, and what was declared of the file, since that makes other numbers of the same bytes. `None` before
    /// they are read.
    pub fn key(&self) -> Option<String> {
        let data = self.data.as_ref()?;
        Some(key(data.digest(), data.declared))
    }

    /// The cells without a height; `None` if there are none, or before they are read.
    pub fn holes(&self) -> Option<Holes> {
        self.data.as_ref()?.holes
    }

    /// Where the file says that the samples lie. `None` before they are read, and of files that do not say.
    pub fn place(&self) -> Option<Georeference> {
        self.data.as_ref()?.place
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

    /// The numbers a node looks up, with `holes` in cells without a height; `None` before the file is read, or if `holes` is missing and needed.
    pub(crate) fn surface(&self, form: Form, holes: Option<f64>) -> Option<Surface> {
        let data = self.data.as_ref()?;
        if data.holes.is_some() { Some(data.filled(holes?)?.surface(form)) } else { Some(data.surface(form)) }
    }
}

/// The key by which equal numbers are shared.
pub(crate) fn key(digest: Digest, declared: Declared) -> String {
    let Declared { encoding, columns } = declared;
    if declared == Declared::default() {
        return digest.to_string();
    }
    format!("{digest}-{encoding}{}", columns.map_or(String::new(), |columns| format!("-{columns}")))
}

impl Data {
    fn surface(&self, form: Form) -> Surface {
        let found = self.surfaces[form as usize].get_or_init(|| {
            let (values, size) = (&self.values, self.size);
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
        });
        found.clone()
    }

    /// These numbers, given for a file of which this is declared.
    fn as_declared(&self, declared: Declared) -> Self {
        let (filled, surfaces) = Default::default();
        let Data { size, holes, place, .. } = *self;
        Data { values: Arc::clone(&self.values), size, holes, place, declared, digest: self.digest().into(), filled, surfaces }
    }

    /// These numbers with a height everywhere; `None` of one that is not allowed.
    fn filled(&self, holes: f64) -> Option<Arc<Data>> {
        let height = holes as f32;
        let mut last = self.filled.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, filled)) = last.as_ref().filter(|(bits, _)| *bits == height.to_bits()) {
            return Some(Arc::clone(filled));
        }
        let values = self.values.iter().map(|value| if value.is_nan() { height } else { *value }).collect();
        let filled =
            Data::new(Grid { size: self.size, values, place: None }, self.declared, None).ok().filter(|data| data.holes.is_none())?;
        *last = Some((height.to_bits(), Arc::clone(&filled)));
        Some(filled)
    }

    fn new(grid: Grid, declared: Declared, digest: Option<Digest>) -> Result<Arc<Self>, HeightsError> {
        let Grid { size, mut values, place } = grid;
        let fits = size.iter().all(|edge| (1..=EDGE).contains(edge)) && values.len() == size[0] as usize * size[1] as usize;
        if !fits {
            return Err(HeightsError::Size { size, value: values.len() });
        }
        let columns = size[0] as usize;
        let mut holes: Option<Holes> = None;
        for (at, value) in values.iter_mut().enumerate() {
            let (column, row) = (at % columns, at / columns);
            if value.is_nan() {
                // Of all the bits that mean it, the same ones.
                *value = f32::NAN;
                holes.get_or_insert(Holes { count: 0, column, row }).count += 1;
            } else if f64::from(value.abs()) > crate::params::LARGEST {
                return Err(HeightsError::Value { column, row, value: *value });
            }
        }
        let digest = digest.map_or_else(OnceLock::new, OnceLock::from);
        let (filled, surfaces) = Default::default();
        Ok(Arc::new(Data { values: values.into(), size, holes, place, declared, digest, filled, surfaces }))
    }

    fn digest(&self) -> Digest {
        *self.digest.get_or_init(|| {
            let mut hash = Sha256::new();
            self.size.iter().for_each(|edge| hash.update(edge.to_le_bytes()));
            for chunk in self.values.chunks(4096) {
                hash.update(chunk.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>());
            }
            Digest::of(hash.finalize())
        })
    }
}

impl Digest {
    /// Of the bytes that a reader gives.
    pub(crate) fn of_reader(mut reader: impl std::io::Read) -> std::io::Result<Self> {
        let (mut hash, mut buffer) = (Sha256::new(), vec![0; 1 << 16]);
        loop {
            match reader.read(&mut buffer)? {
                0 => return Ok(Digest::of(hash.finalize())),
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
            (Some(a), Some(b)) => self.file == other.file && a.declared == b.declared && a.digest() == b.digest(),
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
