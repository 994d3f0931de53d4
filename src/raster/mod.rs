//! Input heights: numbers on a grid, such as mountains or masks, that a `raster` node looks up.
//!
//! | file | contents |
//! |---|---|
//! | here | the numbers |
//! | `example` | samples with a normal distribution, for noise by example |
//! | `named` | their name in a recipe, and their hash |
//! | `spline` | the coefficients of the smooth surface through them |

mod example;
mod named;
mod spline;

pub(crate) use example::LARGEST as NORMAL;
pub use named::{Digest, HeightsFile};

use crate::codec::{Declared, Georeference, Grid, HeightsFacts, Source, npy};
use crate::field::Field;
use crate::limits::{self, EDGE};
use sha2::{Digest as _, Sha256};
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The prefix of names of numbers from memory.
const MEMORY: &str = "sha256:";

/// Numbers on a grid, in rows along x, or the name of a file that holds them. The first row is at the node's `position`. Clones
/// share the numbers.
///
/// A recipe holds the name of the file. [`Recipe::load`](crate::Recipe::load) reads files relative to the recipe. After reading a
/// recipe from text, call [`Pipeline::read_files`](crate::Pipeline::read_files).
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
    /// Hash of the file, or of the size and the numbers if they are from memory.
    digest: OnceLock<Digest>,
    /// The last result of [`filled`](Self::filled), with the bits of the height in its holes.
    filled: Mutex<Option<(u32, Arc<Data>)>>,
    /// The cached surface of each [`Form`].
    surfaces: [OnceLock<Surface>; 3],
    /// The cached exemplars, without and with a smooth surface.
    examples: [OnceLock<Example>; 2],
}

/// Cells without a height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Holes {
    /// Number of cells.
    pub count: usize,
    /// Column of the first cell.
    pub column: usize,
    /// Row of the first cell.
    pub row: usize,
}

/// The numbers that a node looks up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// The heights themselves.
    Plain,
    /// Coefficients of the smooth surface through the heights, which is mirrored beyond the edges.
    Mirrored,
    /// Coefficients of the smooth surface through the heights, which repeats beyond the edges.
    Repeated,
}

/// The table of a node.
#[derive(Clone, Debug)]
pub(crate) struct Surface {
    /// Numbers in rows.
    pub values: Arc<[f32]>,
    /// Columns and rows.
    pub size: [u32; 2],
    /// Bounds of the values between samples.
    pub range: [f32; 2],
}

/// An exemplar: numbers with a normal distribution in the order of the samples, and the samples' values at evenly spaced normal
/// numbers from −[`NORMAL`] to [`NORMAL`].
#[derive(Clone, Debug)]
pub(crate) struct Example {
    /// The numbers, or the coefficients of the smooth surface through them.
    pub surface: Surface,
    /// The values.
    pub quantiles: Arc<[f64]>,
}

/// An error of reading or checking heights.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HeightsError {
    /// The number of values does not match the size.
    #[error("{value} heights for {size:?} samples; allowed: columns × rows, 1 to {EDGE} each")]
    Size {
        /// Columns and rows.
        size: [u32; 2],
        /// The number of values.
        value: usize,
    },
    /// An infinite or too large number.
    #[error(
        "height {value} at column {column} of row {row} is not allowed; allowed: finite numbers of magnitude up to 1e15, and NaN for none"
    )]
    Value {
        /// Its column.
        column: usize,
        /// Its row.
        row: usize,
        /// The number.
        value: f32,
    },
    /// The file does not hold heights.
    #[error("{0}")]
    Format(String),
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] std::io::Error),
}

impl Heights {
    /// Numbers in rows along x; `size` is columns and rows. NaN is a cell without a height, which requires `holes` of a node.
    ///
    /// # Errors
    /// Returns an error if `size` is not the number of values, an edge is not 1 to 16384, or a number is infinite or beyond 1e15.
    pub fn new(values: Vec<f32>, size: [u32; 2]) -> Result<Self, HeightsError> {
        Ok(Heights { file: None, data: Some(Data::new(Grid { size, values, place: None }, Declared::default(), None)?) })
    }

    /// The values of a computed field, which must have one layer along z.
    ///
    /// # Errors
    /// Returns an error if the field has several layers, or if an edge is longer than 16384 samples.
    pub fn from_field(field: &Field) -> Result<Self, HeightsError> {
        let [columns, rows, layers] = field.region.size;
        if layers != 1 {
            return Err(HeightsError::Format(format!("a field of {layers} layers along z is not allowed; allowed: 1")));
        }
        Heights::new(field.values.clone(), [columns, rows])
    }

    /// The name of a file that has not been read.
    pub fn file(name: impl Into<String>) -> Self {
        Heights { file: Some(name.into().into()), data: None }
    }

    /// Reads heights from the bytes of a file. The ending of the name determines the format. Use [`HeightsFile`] for files that need a
    /// declaration, and for the channels of a picture.
    ///
    /// | ending | feature | heights |
    /// |---|---|---|
    /// | `png` | `png` | grey, or the luminance of colours: 0 to 1 |
    /// | `jpg`, `jpeg` | `jpeg` | the same |
    /// | `exr` | `exr` | the channel `Y`, else `R`, also after a layer's name, else the only one |
    /// | `tif`, `tiff` | `tiff` | the first channel, with GDAL's scale and offset; unsigned integers of up to 16 bits are 0 to 1 |
    /// | `npy` | | an array (rows, columns); unsigned integers of 8 and 16 bits are 0 to 1 |
    /// | `r16`, `r32` | | squares of little-endian 16-bit integers (0 to 1) and 32-bit floats |
    /// | `hgt` | | SRTM: metres |
    /// | `asc` | | ESRI's ASCII grid |
    ///
    /// # Errors
    /// Returns an error if the ending is unknown, the file is damaged or not supported, or a number is infinite or beyond 1e15.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self, HeightsError> {
        Heights::decode(name, bytes, Declared::default())
    }

    /// Reads a file; see [`from_bytes`](Self::from_bytes).
    ///
    /// # Errors
    /// Returns an error if:
    /// - the ending of the name is unknown
    /// - the file cannot be read, or is not a regular file
    /// - the file is larger than [`limits::HEIGHTS`](crate::limits::HEIGHTS)
    /// - the file does not hold heights
    pub fn read(path: impl AsRef<std::path::Path>) -> Result<Self, HeightsError> {
        Heights::load(path.as_ref(), Declared::default())
    }

    fn load(path: &std::path::Path, declared: Declared) -> Result<Self, HeightsError> {
        let name = path.display().to_string();
        // Refuse unknown formats before reading the file.
        HeightsFacts::of(&name).and_then(|format| format.check(declared)).map_err(HeightsError::Format)?;
        Heights::decode(&name, &limits::read(path, limits::HEIGHTS)?, declared)
    }

    fn decode(name: &str, bytes: &[u8], declared: Declared) -> Result<Self, HeightsError> {
        let source = Source { name, bytes, declared };
        let grid = HeightsFacts::of(name).and_then(|format| format.decode(&source)).map_err(HeightsError::Format)?;
        let digest = Digest::of(Sha256::digest(bytes));
        Ok(Heights { file: Some(name.into()), data: Some(Data::new(grid, declared, Some(digest))?) })
    }

    /// The same numbers with the name and the declaration of a recipe.
    pub(crate) fn named(self, file: &HeightsFile) -> Self {
        let declared = file.declared();
        let data = self.data.map(|data| if data.declared == declared { data } else { Arc::new(data.as_declared(declared)) });
        Heights { file: Some(file.name.as_str().into()), data }
    }

    /// The declared encoding; `None` before the file is read.
    pub(crate) fn declared(&self) -> Option<Declared> {
        self.data.as_ref().map(|data| data.declared)
    }

    /// Numbers that an earlier call read from a file, with the name and the hash of the file.
    ///
    /// # Errors
    /// Returns the errors of [`new`](Self::new).
    pub fn kept(file: &HeightsFile, digest: Digest, values: Vec<f32>, size: [u32; 2]) -> Result<Self, HeightsError> {
        let declared = file.declared();
        let file = (!file.name.starts_with(MEMORY)).then(|| file.name.as_str().into());
        Ok(Heights { file, data: Some(Data::new(Grid { size, values, place: None }, declared, Some(digest))?) })
    }

    /// The same numbers as a separate NumPy file, named by its content, and the bytes of that file. `None` before they are read.
    pub(crate) fn as_file(&self) -> Option<(Self, Vec<u8>)> {
        let data = self.data.as_ref()?;
        let [columns, rows] = data.size.map(|edge| edge as usize);
        let bytes = npy::encode(&[rows, columns], &data.values);
        let digest = Digest::of(Sha256::digest(&bytes));
        let name = format!("heights-{:.16}.npy", digest.to_string());
        let data = Data { digest: digest.into(), ..data.as_declared(Declared::default()) };
        Some((Heights { file: Some(name.into()), data: Some(Arc::new(data)) }, bytes))
    }

    /// [`kept`](Self::kept) for numbers in a NumPy file.
    #[cfg(feature = "bake")]
    pub(crate) fn kept_array(file: &HeightsFile, digest: Digest, array: &[u8]) -> Result<Self, HeightsError> {
        let source = Source { name: "kept.npy", bytes: array, declared: Declared::default() };
        let Grid { size, values, .. } = npy::HEIGHTS.decode(&source).map_err(HeightsError::Format)?;
        Heights::kept(file, digest, values, size)
    }

    /// A key of the numbers: the hash of the file and its declaration, because the same bytes with another declaration are other
    /// numbers. `None` before they are read.
    pub fn key(&self) -> Option<String> {
        let data = self.data.as_ref()?;
        Some(key(data.digest(), data.declared))
    }

    /// The cells without a height; `None` if there are none, or before they are read.
    pub fn holes(&self) -> Option<Holes> {
        self.data.as_ref()?.holes
    }

    /// The position of the samples in the file's coordinate system. `None` before they are read, or if the file does not state it.
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

    /// The hash of the file, or of numbers from memory; `None` before they are read.
    pub fn digest(&self) -> Option<Digest> {
        self.data.as_ref().map(|data| data.digest())
    }

    /// The name of the file, or `sha256:` and the hash of numbers from memory. Empty if neither is given.
    pub fn name(&self) -> String {
        match (&self.file, &self.data) {
            (Some(file), _) => file.to_string(),
            (None, Some(data)) => format!("{MEMORY}{}", data.digest()),
            (None, None) => String::new(),
        }
    }

    /// Whether the heights have the name of a file, read or not.
    pub fn is_from_file(&self) -> bool {
        self.file.is_some()
    }

    /// The name of the file; `None` for numbers from memory.
    pub(crate) fn file_name(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// Whether neither numbers nor a file are given.
    pub(crate) fn is_missing(&self) -> bool {
        self.file.is_none() && self.data.is_none()
    }

    /// The table of a node, with `holes` in cells without a height. `None` before the file is read, or if `holes` is needed but missing.
    pub(crate) fn surface(&self, form: Form, holes: Option<f64>) -> Option<Surface> {
        let data = self.data.as_ref()?;
        if data.holes.is_some() { Some(data.filled(holes?)?.surface(form)) } else { Some(data.surface(form)) }
    }

    /// The exemplar of a node, like [`surface`](Self::surface).
    pub(crate) fn example(&self, smooth: bool, holes: Option<f64>) -> Option<Example> {
        let data = self.data.as_ref()?;
        if data.holes.is_some() { Some(data.filled(holes?)?.example(smooth)) } else { Some(data.example(smooth)) }
    }
}

/// The key that identifies equal numbers.
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

    fn example(&self, smooth: bool) -> Example {
        let found = self.examples[usize::from(smooth)].get_or_init(|| {
            let (normal, quantiles) = example::normal(&self.values);
            let size = self.size;
            let surface = if smooth {
                let values = spline::coefficients(&normal, size, false);
                Surface { range: spline::bounds(&values, size, false), values: values.into(), size }
            } else {
                Surface { range: [-NORMAL as f32, NORMAL as f32], values: normal.into(), size }
            };
            Example { surface, quantiles: quantiles.into() }
        });
        found.clone()
    }

    /// The same numbers with another declaration.
    fn as_declared(&self, declared: Declared) -> Self {
        let (filled, surfaces, examples) = Default::default();
        let Data { size, holes, place, .. } = *self;
        Data { values: Arc::clone(&self.values), size, holes, place, declared, digest: self.digest().into(), filled, surfaces, examples }
    }

    /// The same numbers with a height in their holes; `None` if the height is not allowed.
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
                // NaN has many bit patterns. Use one, so that hashes are equal.
                *value = f32::NAN;
                holes.get_or_insert(Holes { count: 0, column, row }).count += 1;
            } else if f64::from(value.abs()) > crate::params::LARGEST {
                return Err(HeightsError::Value { column, row, value: *value });
            }
        }
        let digest = digest.map_or_else(OnceLock::new, OnceLock::from);
        let (filled, surfaces, examples) = Default::default();
        Ok(Arc::new(Data { values: values.into(), size, holes, place, declared, digest, filled, surfaces, examples }))
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
    /// The hash of a reader's bytes.
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

/// Compares names, and numbers if both have been read.
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
