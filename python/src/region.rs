//! Regions.

use crate::argument::Named;
use crate::error::{OrogenError, raised, refused, refused_because, refused_value};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// A box of samples: sample (i, j, k) lies at `anchor + (origin + (i, j, k)) · spacing · 2^level`, in world units.
///
/// Two regions with the same spacing and anchor share samples bit for bit, at any origin and size. Immutable.
///
/// `size`: samples along x and y, or along x, y and z. With three numbers it is a volume, whose fields have the axes (z, y, x)
/// even if it is one sample deep. `origin`: index of the first sample along each axis. `level`: level of detail, 0 to 40; each
/// doubles the spacing. `spacing`: world units between samples at level 0. `anchor`: world position of sample (0, 0, 0).
#[pyclass(frozen, module = "orogen", eq, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Region {
    pub(crate) samples: orogen::Region,
    /// Whether its size has three numbers.
    is_volume: bool,
}

/// The allowed integers of a type, for messages.
fn allowed<T: TryFrom<i128>>() -> &'static str {
    if T::try_from(-1).is_ok() { "a whole number that is not too large" } else { "a whole number of 0 or more that is not too large" }
}

/// An integer of some type. One outside the type's range is refused like any other invalid value.
pub(crate) fn whole<T: TryFrom<i128>>(what: &str, value: &Bound<'_, PyAny>) -> PyResult<T> {
    let refuse = |reason| refused_because(reason, what, value, allowed::<T>());
    let index = value.call_method0("__index__").map_err(refuse)?;
    T::try_from(index.extract::<i128>().map_err(refuse)?).map_err(|_| refused_value(what, value, allowed::<T>()))
}

/// As above, with a default.
pub(crate) fn held<T: TryFrom<i128>>(what: &str, value: i128) -> PyResult<T> {
    T::try_from(value).map_err(|_| refused(what, value, allowed::<T>()))
}

/// Two or three values along the axes.
fn along<T>(what: &str, value: &Bound<'_, PyAny>, missing: T, read: impl Fn(&Bound<'_, PyAny>) -> PyResult<T>) -> PyResult<[T; 3]> {
    const ALLOWED: &str = "2 or 3 numbers";
    let all = value.try_iter().map_err(|reason| refused_because(reason, what, value, ALLOWED))?;
    let parts: Vec<Bound<'_, PyAny>> = all.take(4).collect::<PyResult<_>>()?;
    match &parts[..] {
        [x, y] => Ok([read(x)?, read(y)?, missing]),
        [x, y, z] => Ok([read(x)?, read(y)?, read(z)?]),
        _ => Err(refused_value(what, value, ALLOWED)),
    }
}

fn wholes<T: TryFrom<i128>>(what: &str, value: &Bound<'_, PyAny>, missing: T) -> PyResult<[T; 3]> {
    along(what, value, missing, |part| whole(what, part))
}

/// A number; errors contain its name.
pub(crate) fn number(what: &str, value: &Bound<'_, PyAny>) -> PyResult<f64> {
    value.extract().map_err(|reason| refused_because(reason, what, value, "a number"))
}

/// A position of two or three numbers.
pub(crate) fn position(what: &str, value: &Bound<'_, PyAny>) -> PyResult<[f64; 3]> {
    along(what, value, 0.0, |part| number(what, part))
}

impl Named for Region {
    const SHOWN: &'static str = "a Region";
}

impl Region {
    /// A region of two axes.
    pub(crate) fn plane_of(samples: orogen::Region) -> PyResult<Self> {
        Region { samples, is_volume: false }.checked()
    }

    /// A region of three axes.
    pub(crate) fn volume_of(samples: orogen::Region) -> PyResult<Self> {
        Region { samples, is_volume: true }.checked()
    }

    pub(crate) fn checked(self) -> PyResult<Self> {
        self.samples.check().map_err(raised)?;
        Ok(self)
    }

    /// The shape of its fields.
    pub(crate) fn shape(&self) -> Vec<usize> {
        let [x, y, z] = self.samples.size.map(|n| n as usize);
        if self.is_volume { vec![z, y, x] } else { vec![y, x] }
    }

    /// Samples along each of its axes.
    fn edges(&self) -> &[u32] {
        if self.is_volume { &self.samples.size } else { &self.samples.size[..2] }
    }

    fn resize(&mut self, size: &Bound<'_, PyAny>) -> PyResult<()> {
        // A plane is one sample deep; no region is 0 samples deep.
        let [x, y, z] = wholes("size", size, 0)?;
        self.is_volume = size.len()? == 3;
        self.samples.size = [x, y, if self.is_volume { z } else { 1 }];
        Ok(())
    }

    /// The region with some of its numbers replaced.
    fn with(mut self, numbers: &Bound<'_, PyDict>) -> PyResult<Self> {
        for (name, value) in numbers {
            match &*name.extract::<String>()? {
                "size" => self.resize(&value)?,
                "origin" => self.samples.origin = wholes("origin", &value, 0)?,
                "level" => self.samples.level = whole("level", &value)?,
                "spacing" => self.samples.spacing = number("spacing", &value)?,
                "anchor" => self.samples.anchor = position("anchor", &value)?,
                name => return Err(OrogenError::new_err(format!("a region has no {name}; allowed: size, origin, level, spacing, anchor"))),
            }
        }
        self.checked()
    }
}

#[pymethods]
impl Region {
    #[new]
    #[pyo3(signature = (size, **numbers))]
    fn new(size: &Bound<'_, PyAny>, numbers: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut region = Region { samples: orogen::Region::plane(1, 1), is_volume: false };
        region.resize(size)?;
        numbers.map_or_else(|| region.checked(), |numbers| region.with(numbers))
    }

    /// `width` × `height` samples from the world's origin on, one world unit apart, in the plane z = 0.
    #[staticmethod]
    fn plane(width: &Bound<'_, PyAny>, height: &Bound<'_, PyAny>) -> PyResult<Self> {
        Region::plane_of(orogen::Region::plane(whole("width", width)?, whole("height", height)?))
    }

    /// `width` × `height` × `depth` samples from the world's origin on, one world unit apart.
    #[staticmethod]
    fn volume(width: &Bound<'_, PyAny>, height: &Bound<'_, PyAny>, depth: &Bound<'_, PyAny>) -> PyResult<Self> {
        let size = [whole("width", width)?, whole("height", height)?, whole("depth", depth)?];
        Region::volume_of(orogen::Region { size, ..orogen::Region::plane(1, 1) })
    }

    /// Tile (x, y) of a world of tiles of `size`² samples, one world unit apart.
    #[staticmethod]
    fn tile(x: &Bound<'_, PyAny>, y: &Bound<'_, PyAny>, size: &Bound<'_, PyAny>) -> PyResult<Self> {
        Region::plane_of(orogen::Region::tile(whole("x", x)?, whole("y", y)?, whole("size", size)?))
    }

    /// Chunk (x, y) of a world of chunks of `cells`² cells: `cells + 1` samples along each axis; the last ones are the first of
    /// the next chunk.
    #[staticmethod]
    fn chunk(x: &Bound<'_, PyAny>, y: &Bound<'_, PyAny>, cells: &Bound<'_, PyAny>) -> PyResult<Self> {
        Region::plane_of(orogen::Region::chunk(whole("x", x)?, whole("y", y)?, whole("cells", cells)?))
    }

    /// A copy of this region with other values: `region.replace(spacing=0.5, anchor=(0, 0, 10))`.
    #[pyo3(signature = (**numbers))]
    fn replace(&self, numbers: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        numbers.map_or(Ok(*self), |numbers| self.with(numbers))
    }

    /// The same area at a coarser level of detail: each level halves the number of samples, rounded down.
    fn coarser(&self, levels: &Bound<'_, PyAny>) -> PyResult<Self> {
        Region { samples: self.samples.coarser(whole("levels", levels)?), ..*self }.checked()
    }

    /// The same chunk at a coarser level of detail, with both edges: 129 samples become 65.
    fn coarser_chunk(&self, levels: &Bound<'_, PyAny>) -> PyResult<Self> {
        Region { samples: self.samples.coarser_chunk(whole("levels", levels)?), ..*self }.checked()
    }

    /// World position of sample (i, j, k) of this box.
    #[pyo3(signature = (i, j, k = 0))]
    fn position(&self, i: u32, j: u32, k: u32) -> (f64, f64, f64) {
        self.samples.position([i, j, k]).into()
    }

    /// Number of samples along x and y, or along x, y and z, as in the constructor.
    #[getter]
    fn size<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.edges())
    }

    /// Index of the first sample along x, y and z.
    #[getter]
    fn origin(&self) -> (i64, i64, i64) {
        self.samples.origin.into()
    }

    /// Level of detail.
    #[getter]
    fn level(&self) -> u32 {
        self.samples.level
    }

    /// World units between samples at level 0.
    #[getter]
    fn spacing(&self) -> f64 {
        self.samples.spacing
    }

    /// World position of sample (0, 0, 0).
    #[getter]
    fn anchor(&self) -> (f64, f64, f64) {
        self.samples.anchor.into()
    }

    /// World units between samples at this region's level.
    #[getter]
    fn step(&self) -> f64 {
        self.samples.step()
    }

    /// Number of samples.
    #[getter]
    fn samples(&self) -> u64 {
        self.samples.samples()
    }

    /// The shape of its fields: (rows, columns), or (z, y, x) for a volume.
    #[getter(shape)]
    fn shape_of_fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.shape())
    }

    fn __repr__(&self) -> String {
        let orogen::Region { origin, level, spacing, anchor, .. } = self.samples;
        let tuple = |text: String| text.replace('[', "(").replace(']', ")");
        let (size, origin, anchor) = (tuple(format!("{:?}", self.edges())), tuple(format!("{origin:?}")), tuple(format!("{anchor:?}")));
        format!("Region({size}, origin={origin}, level={level}, spacing={spacing:?}, anchor={anchor})")
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((Vec<u32>,), Bound<'py, PyDict>)> {
        let numbers = PyDict::new(py);
        numbers.set_item("origin", self.origin())?;
        numbers.set_item("level", self.level())?;
        numbers.set_item("spacing", self.spacing())?;
        numbers.set_item("anchor", self.anchor())?;
        Ok(((self.edges().to_vec(),), numbers))
    }
}
