//! Recipes.

use crate::argument::Named;
use crate::error::{because, of_file, raised, refused_value, tried};
use crate::heights;
use crate::noise;
use crate::pieces::{abandonable, stoppable};
use crate::pipeline;
use crate::region::{Region, held, whole};
use orogen::node::HeightsError;
use orogen::{Bake, ReadRecipe, RecipeError, RecipeReader, Saved, Setting, Stop, Stopped};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A pipeline as text, with the defaults of `orogen bake`: `Recipe(noise_or_pipeline, tile=512, tiles=(4, 4), spacing=1.0,
/// z=0.0, layers=(), for_=…)`. Immutable.
#[pyclass(frozen, module = "orogen")]
pub(crate) struct Recipe(orogen::Recipe);

/// The function that reads a pickled recipe, and its arguments.
type Pickled<'py> = (Py<PyAny>, (String, Vec<heights::Kept<'py>>));

/// The same system error with another message.
fn again(error: &io::Error) -> io::Error {
    error.raw_os_error().map_or_else(|| io::Error::new(error.kind(), error.to_string()), io::Error::from_raw_os_error)
}

fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("json"))
}

/// A setting as a JSON value: NumPy numbers and arrays become Python's.
fn plain<'py>(what: &str, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if value.hasattr("tolist")? {
        return plain(what, &value.call_method0("tolist")?);
    }
    if tried(value.py(), value.extract::<f64>())?.is_ok_and(|x| !x.is_finite()) {
        return Err(refused_value(what, value, "a finite number"));
    }
    if value.is_instance_of::<PyTuple>() || value.is_instance_of::<PyList>() {
        let parts: Vec<_> = value.try_iter()?.map(|part| plain(what, &part?)).collect::<PyResult<_>>()?;
        return Ok(PyList::new(value.py(), parts)?.into_any());
    }
    Ok(value.clone())
}

/// Values of variables, by name.
fn given(variables: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<(String, Setting)>> {
    let one = |(name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        let name: String = name.extract()?;
        let text = tried(value.py(), value.extract::<String>())?;
        let number = tried(value.py(), value.extract::<f64>())?;
        match (text, number) {
            (Ok(text), _) => Ok((name, Setting::from(text))),
            (Err(_), Ok(x)) if x.is_finite() => Ok((name, Setting::from(x))),
            (Err(_), _) => Err(refused_value(&format!("variable '{name}'"), &value, "a finite number, or an expression as text")),
        }
    };
    variables.into_iter().flatten().map(one).collect()
}

fn with_variables<'a>(variables: Vec<(String, Setting)>) -> RecipeReader<'a> {
    variables.into_iter().fold(RecipeReader::new(), |reader, (name, value)| reader.variable(name, value))
}

/// The recipe, if every given variable exists.
fn all_known(read: ReadRecipe) -> PyResult<orogen::Recipe> {
    let Some(name) = read.unknown.first() else { return Ok(read.recipe) };
    let known: Vec<&str> = read.variables.keys().map(String::as_str).collect();
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    Err(raised(format!("variables: the recipe has no variable '{name}'; its variables: {known}")))
}

/// Bytes written before Python may interrupt.
const PIECE: usize = 1 << 22;

/// Writes a file, completely or not at all, replacing an existing one. A path that is not a regular file is written to
/// directly.
fn replace(path: &Path, bytes: &[u8], stop: &Stop) -> io::Result<()> {
    let path = &path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let old = path.metadata().ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        return std::fs::write(path, bytes);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut unfinished = tempfile::Builder::new();
    unfinished.prefix(".orogen-").suffix(".partial");
    // The permissions that new files get by default.
    #[cfg(unix)]
    unfinished.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = unfinished.tempfile_in(folder)?;
    for piece in bytes.chunks(PIECE) {
        stop.check().map_err(io::Error::other)?;
        file.write_all(piece)?;
    }
    if let Some(old) = old {
        file.as_file().set_permissions(old.permissions())?;
    }
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

impl Named for Recipe {
    const SHOWN: &'static str = "orogen.Recipe";
}

impl Recipe {
    /// The library's recipe.
    pub(crate) fn get(&self) -> &orogen::Recipe {
        &self.0
    }
}

#[pymethods]
impl Recipe {
    #[new]
    #[pyo3(signature = (of, /, **bake))]
    fn new(py: Python<'_>, of: &Bound<'_, PyAny>, bake: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let pipeline = pipeline::of_python("of", of)?;
        let numbers = PyDict::new(py);
        for (name, value) in bake.into_iter().flatten() {
            let name: String = name.extract()?;
            // `for` is a keyword of Python.
            let name = if name == "for_" { "for" } else { &name };
            numbers.set_item(name, plain(&format!("bake: {name}"), &value)?)?;
        }
        let text: String = py.import("json")?.call_method1("dumps", (numbers,)).and_then(|text| text.extract()).map_err(|reason| {
            let text = reason.to_string();
            because(py, reason, || raised(format!("bake: {text}")))
        })?;
        let bake = Bake::from_json(&text, "Recipe").map_err(raised)?;
        let recipe = orogen::Recipe { pipeline, bake };
        // Writing checks the whole recipe.
        recipe.to_toml().map_err(raised)?;
        Ok(Recipe(recipe))
    }

    /// Reads a file (JSON if its name ends in `.json`, else TOML) and the files of heights and recipes that it names, relative to
    /// it. `variables` replaces the values of its variables: numbers, or expressions as text.
    #[staticmethod]
    #[pyo3(signature = (path, *, variables = None))]
    fn load(py: Python<'_>, path: PathBuf, variables: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let variables = given(variables)?;
        let (read, missing) = abandonable(py, move || {
            let mut missing = None;
            let folder = path.parent().unwrap_or(Path::new("")).to_owned();
            let reader = with_variables(variables).heights(|file| {
                file.read(&folder).inspect_err(|error| {
                    if let HeightsError::Read(error) = error {
                        missing = Some((folder.join(&file.name), again(error)));
                    }
                })
            });
            let read = reader.load(path);
            (read, missing)
        })?;
        let error = match read {
            Ok(read) => return all_known(read).map(Recipe),
            Err(error) => error,
        };
        Err(match (error, missing) {
            (RecipeError::Read { path, error }, _) => of_file(py, &path, &error),
            // The recipe's own error contains the position of the file's name.
            (error, Some((file, reason))) => {
                let missing = of_file(py, &file, &reason);
                missing.set_cause(py, Some(raised(error)));
                missing
            }
            (error, None) => raised(error),
        })
    }

    /// Reads TOML, or JSON if the text begins with a brace. `file` is the name used in messages. `variables` replaces the values
    /// of its variables: numbers, or expressions as text.
    #[staticmethod]
    #[pyo3(signature = (text, *, file = "recipe", variables = None))]
    fn parse(text: &str, file: &str, variables: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let reader = with_variables(given(variables)?);
        let is_json = text.trim_start_matches('\u{feff}').trim_start().starts_with('{');
        let read = if is_json { reader.json(text, file) } else { reader.toml(text, file) };
        all_known(read.map_err(raised)?).map(Recipe)
    }

    /// The pickled state: the recipe as JSON, and the heights that its nodes have read.
    #[staticmethod]
    fn _unpickled(text: &str, kept: Vec<heights::Kept<'_>>) -> PyResult<Self> {
        let mut recipe = orogen::Recipe::from_json(text, "recipe").map_err(raised)?;
        heights::restore(recipe.pipeline.node.iter_mut(), &kept)?;
        Ok(Recipe(recipe))
    }

    /// Writes the recipe: as JSON if the name ends in `.json`, else as TOML. Rasters are pinned by their hashes. Their samples
    /// are written next to the recipe as NumPy arrays `heights-….npy`, unless the recipe's name for a raster already leads to
    /// the file that it was read from.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let recipe = self.0.clone();
        let Saved { recipe, files } = abandonable(py, move || recipe.to_save(folder))?;
        let text = if is_json(&path) { recipe.to_json() } else { recipe.to_toml() }.map_err(raised)?;
        let mut all: Vec<(PathBuf, &[u8])> = files.iter().map(|(name, bytes)| (path.with_file_name(name), &bytes[..])).collect();
        // Written last, so that a recipe never names a missing file.
        all.push((path.clone(), text.as_bytes()));
        let written = stoppable(py, |stop| {
            let failed = all.iter().find_map(|(path, bytes)| Some((path, replace(path, bytes, stop).err()?)));
            Ok::<_, Stopped>(failed)
        })?;
        written.map_or(Ok(()), |(path, error)| Err(of_file(py, path, &error)))
    }

    /// The recipe as TOML.
    fn to_toml(&self, py: Python<'_>) -> PyResult<String> {
        heights::hash(py, self.0.pipeline.node.iter())?;
        self.0.to_toml().map_err(raised)
    }

    /// The recipe as JSON.
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        heights::hash(py, self.0.pipeline.node.iter())?;
        self.0.to_json().map_err(raised)
    }

    /// A Python program that builds it: `recipe`, from a noise for each node and a pipeline for each stage. The files of
    /// rasters are named relative to the recipe.
    fn to_python(&self, py: Python<'_>) -> PyResult<String> {
        heights::hash(py, self.0.pipeline.node.iter())?;
        Ok(self.0.to_python())
    }

    /// The output as a noise, if it is a node. For a recipe with stages, `pipeline.noise_of()` returns the noise that they
    /// read.
    #[getter]
    fn noise<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        noise::to_python(py, self.0.noise().map_err(raised)?)
    }

    /// The nodes, the stages, and the output.
    #[getter]
    fn pipeline<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        pipeline::to_python(py, self.0.pipeline.clone())
    }

    /// The defaults of a bake, by name: `tile`, `tiles`, `spacing`, `z`, `layers`.
    #[getter]
    fn bake<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let text = serde_json::to_string(&self.0.bake).map_err(raised)?;
        py.import("json")?.call_method1("loads", (text,))
    }

    /// The samples of tile (x, y) of the bake, at a level of detail.
    #[pyo3(signature = (x, y, *, level = 0))]
    fn tile(&self, x: &Bound<'_, PyAny>, y: &Bound<'_, PyAny>, level: i128) -> PyResult<Region> {
        let (x, y, level) = (whole("x", x)?, whole("y", y)?, held("level", level)?);
        let Bake { tile, spacing, z, .. } = self.0.bake;
        let region = orogen::Region { level, spacing, anchor: [0.0, 0.0, z], ..orogen::Region::tile(x, y, tile) };
        Region::plane_of(region)
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<Recipe>() else { return Ok(false) };
        let (here, there) = (&self.0, &other.get().0);
        heights::hash(py, here.pipeline.node.iter().chain(&there.pipeline.node))?;
        Ok(here == there)
    }

    fn __hash__(&self) -> u64 {
        crate::hash::hash(&self.0.pipeline)
    }

    fn __repr__(&self) -> String {
        let orogen::Recipe { pipeline, bake } = &self.0;
        let [columns, rows] = bake.tiles;
        let (nodes, stages) = (pipeline.node.len(), pipeline.stage.len());
        format!("<orogen.Recipe '{}': {nodes} nodes, {stages} stages, {columns} × {rows} tiles of {}²>", pipeline.output, bake.tile)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Pickled<'py>> {
        let kept = heights::kept(slf.py(), slf.get().0.pipeline.node.iter())?;
        Ok((slf.get_type().getattr("_unpickled")?.unbind(), (slf.get().to_json(slf.py())?, kept)))
    }
}
