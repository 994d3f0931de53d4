//! Recipes.

use crate::error::{raised, refused, shown};
use crate::heights;
use crate::noise;
use crate::pipeline;
use crate::region::{Region, held, whole};
use orogen::{Bake, RecipeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A pipeline as text, and how `orogen bake` bakes it unless told otherwise: `Recipe(noise_or_pipeline, tile=512, tiles=(4, 4), spacing=1.0,
/// z=0.0, layers=(), for_=…)`. Immutable.
#[pyclass(frozen, module = "orogen")]
pub(crate) struct Recipe(orogen::Recipe);

/// What reads a pickled recipe, and what it is read from.
type Pickled<'py> = (Py<PyAny>, (String, Vec<heights::Kept<'py>>));

/// A file that cannot be read is Python's own error.
fn of_file(error: RecipeError) -> PyErr {
    match error {
        RecipeError::Read { path, error } => io::Error::new(error.kind(), format!("{}: {error}", path.display())).into(),
        error => raised(error),
    }
}

fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("json"))
}

/// A setting as JSON can hold it: NumPy's numbers and arrays as Python's.
fn plain<'py>(what: &str, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if value.hasattr("tolist")? {
        return plain(what, &value.call_method0("tolist")?);
    }
    if value.extract::<f64>().is_ok_and(|x| !x.is_finite()) {
        return Err(refused(what, shown(value), "a finite number"));
    }
    if value.is_instance_of::<PyTuple>() || value.is_instance_of::<PyList>() {
        let parts: Vec<_> = value.try_iter()?.map(|part| plain(what, &part?)).collect::<PyResult<_>>()?;
        return Ok(PyList::new(value.py(), parts)?.into_any());
    }
    Ok(value.clone())
}

/// Writes a file: all of it or nothing, whatever stood there before. What is no file is written to as it is.
fn replace(path: &Path, text: &[u8]) -> io::Result<()> {
    let path = &path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let old = path.metadata().ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        return std::fs::write(path, text);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut unfinished = tempfile::Builder::new();
    unfinished.prefix(".orogen-").suffix(".partial");
    // What files get that are made in the ordinary way.
    #[cfg(unix)]
    unfinished.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = unfinished.tempfile_in(folder)?;
    file.write_all(text)?;
    if let Some(old) = old {
        file.as_file().set_permissions(old.permissions())?;
    }
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
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
            // `for` is a word of Python's.
            let name = if name == "for_" { "for" } else { &name };
            numbers.set_item(name, plain(&format!("bake: {name}"), &value)?)?;
        }
        let text: String = py.import("json")?.call_method1("dumps", (numbers,)).and_then(|text| text.extract()).map_err(raised)?;
        let bake = Bake::from_json(&text, "Recipe").map_err(raised)?;
        let recipe = orogen::Recipe { pipeline, bake };
        // Writing is what checks it whole.
        recipe.to_toml().map_err(raised)?;
        Ok(Recipe(recipe))
    }

    /// Reads a file: JSON if its name ends in `.json`, else TOML.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        Ok(Recipe(py.detach(|| orogen::Recipe::load(path)).map_err(of_file)?))
    }

    /// Reads TOML, or JSON if the text begins with a brace. `file` is the name used in messages.
    #[staticmethod]
    #[pyo3(signature = (text, *, file = "recipe"))]
    fn parse(text: &str, file: &str) -> PyResult<Self> {
        let read = if text.trim_start_matches('\u{feff}').trim_start().starts_with('{') {
            orogen::Recipe::from_json
        } else {
            orogen::Recipe::from_toml
        };
        Ok(Recipe(read(text, file).map_err(raised)?))
    }

    /// What was pickled: the recipe as JSON, and the heights that its nodes have read.
    #[staticmethod]
    fn _unpickled(text: &str, kept: Vec<heights::Kept<'_>>) -> PyResult<Self> {
        let mut recipe = orogen::Recipe::from_json(text, "recipe").map_err(raised)?;
        heights::restore(recipe.pipeline.node.iter_mut(), &kept)?;
        Ok(Recipe(recipe))
    }

    /// Writes it: as JSON if the name ends in `.json`, else as TOML.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        let text = if is_json(&path) { self.to_json()? } else { self.to_toml()? };
        replace(&path, text.as_bytes()).map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())).into())
    }

    /// The recipe as TOML.
    fn to_toml(&self) -> PyResult<String> {
        self.0.to_toml().map_err(raised)
    }

    /// The recipe as JSON.
    fn to_json(&self) -> PyResult<String> {
        self.0.to_json().map_err(raised)
    }

    /// The program that makes it: `recipe`, out of a noise for each node and a pipeline for each stage. A raster's file is named as the recipe
    /// does, which means beside it.
    fn to_python(&self) -> String {
        self.0.to_python()
    }

    /// The output as a noise, where it is a node. Of a recipe with stages, `pipeline.noise_of()` has the noise under them.
    #[getter]
    fn noise<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        noise::to_python(py, self.0.noise().map_err(raised)?)
    }

    /// The nodes, the stages after them, and which of them is the result.
    #[getter]
    fn pipeline<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        pipeline::to_python(py, self.0.pipeline.clone())
    }

    /// How it is baked unless told otherwise, by name: `tile`, `tiles`, `spacing`, `z`, `layers`.
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
        region.check().map_err(raised)?;
        Ok(Region(region))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Recipe>().is_ok_and(|other| self.0 == other.get().0)
    }

    fn __repr__(&self) -> String {
        let orogen::Recipe { pipeline, bake } = &self.0;
        let [columns, rows] = bake.tiles;
        let (nodes, stages) = (pipeline.node.len(), pipeline.stage.len());
        format!("<orogen.Recipe '{}': {nodes} nodes, {stages} stages, {columns} × {rows} tiles of {}²>", pipeline.output, bake.tile)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Pickled<'py>> {
        let kept = heights::kept(slf.py(), slf.get().0.pipeline.node.iter())?;
        Ok((slf.get_type().getattr("_unpickled")?.unbind(), (slf.get().to_json()?, kept)))
    }
}
