//! Places of several kinds by rules.

use crate::argument::Argument;
use crate::array;
use crate::engine::Engine;
use crate::error::{raised, refused};
use crate::heights;
use crate::pieces::{abandonable, watched};
use crate::recipe::Recipe;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use orogen::Region;
use orogen::scatter::{Place, PlaceList, PlaceRules};
use pyo3::prelude::*;

/// Bytes for each point of the search, including temporary copies.
const BYTES: f64 = 512.0;

/// Kinds, ids, positions (n, 2), heights, rotations, scales.
type Arrays<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<u64>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
);

/// The arrays of a caller, in the order of `Arrays`.
type Given<'py> = (
    PyReadonlyArray1<'py, i64>,
    PyReadonlyArray1<'py, u64>,
    PyReadonlyArray2<'py, f64>,
    PyReadonlyArray1<'py, f64>,
    PyReadonlyArray1<'py, f64>,
    PyReadonlyArray1<'py, f64>,
);

fn read(text: &str) -> PyResult<PlaceRules> {
    PlaceRules::from_toml(text).map_err(raised)
}

/// Checks rules: the names of their kinds.
#[pyfunction]
pub(crate) fn place_kinds(text: &str) -> PyResult<Vec<String>> {
    Ok(read(text)?.kinds.into_keys().collect())
}

/// The places of a rectangle, by default the recipe's tiles.
#[pyfunction]
pub(crate) fn rule_places<'py>(
    py: Python<'py>,
    text: &str,
    engine: Argument<'py, Engine>,
    recipe: Argument<'py, Recipe>,
    low: Option<[f64; 2]>,
    high: Option<[f64; 2]>,
    heights: Option<&str>,
) -> PyResult<Arrays<'py>> {
    let (rules, engine, recipe) = (read(text)?, engine.get()?, (*recipe).get().clone());
    let (pipeline, bake) = (&recipe.pipeline, &recipe.bake);
    let heights = heights.unwrap_or(&pipeline.output);
    let size = bake.tiles.map(|tiles| tiles.saturating_mul(bake.tile));
    let (low, high) = (low.unwrap_or_default(), high.unwrap_or(size.map(|edge| f64::from(edge) * bake.spacing)));
    array::check_memory("area", &format!("{low:?} to {high:?}"), (rules.candidates(low, high) * BYTES) as u64)?;
    heights::smooth(py, pipeline.node.iter())?;
    let world = Region { spacing: bake.spacing, anchor: [0.0, 0.0, bake.z], ..Region::plane(size[0], size[1]) };
    let places = watched(py, &engine, |engine| {
        // Layers that do not exist are refused below, with the kind that names them.
        let layers: Vec<&str> = rules.layers().into_iter().chain([heights]).filter(|name| pipeline.channels(name).is_ok()).collect();
        let measured = engine.measure(pipeline, &layers, &[world]).map_err(|error| error.to_string())?;
        rules.places(engine, &measured, &world, heights, low, high).map_err(|error| error.to_string())
    })?;
    let numbers = |of: fn(&Place) -> f64| places.iter().map(of).collect::<Vec<_>>().into_pyarray(py);
    let positions: Vec<f64> = places.iter().flat_map(|place| place.position).collect();
    Ok((
        places.iter().map(|place| place.kind as i64).collect::<Vec<_>>().into_pyarray(py),
        places.iter().map(|place| place.id).collect::<Vec<_>>().into_pyarray(py),
        positions.into_pyarray(py).reshape([places.len(), 2])?,
        numbers(|place| place.height),
        numbers(|place| place.rotation),
        numbers(|place| place.scale),
    ))
}

/// Places as text.
#[pyfunction]
pub(crate) fn place_list(py: Python<'_>, text: &str, places: Given<'_>, form: &str) -> PyResult<String> {
    let (rules, form) = (read(text)?, form.parse::<PlaceList>().map_err(|error| raised(format!("form {error}")))?);
    let (kind, id, positions, height, rotation, scale) = places;
    let count = kind.len();
    let lengths = [id.len(), positions.shape()[0], height.len(), rotation.len(), scale.len()];
    if lengths.iter().any(|&length| length != count) || positions.shape()[1] != 2 {
        let shapes = format!("arrays of {count}, {lengths:?} rows, positions of {} columns", positions.shape()[1]);
        return Err(refused("places", shapes, "arrays of equal length, positions of two columns"));
    }
    let (kind, id, positions) = (kind.as_array(), id.as_array(), positions.as_array());
    let (height, rotation, scale) = (height.as_array(), rotation.as_array(), scale.as_array());
    let mut places = Vec::with_capacity(count);
    for i in 0..count {
        let known = usize::try_from(kind[i]).ok().filter(|&kind| kind < rules.kinds.len());
        let kind = known.ok_or_else(|| refused("kind", kind[i], &format!("indices of kinds, 0 to {}", rules.kinds.len() - 1)))?;
        let (position, height, rotation, scale) = ([positions[[i, 0]], positions[[i, 1]]], height[i], rotation[i], scale[i]);
        if ![position[0], position[1], height, rotation, scale].iter().all(|x| x.is_finite()) {
            return Err(refused("place", format!("{position:?}, {height}, {rotation}, {scale}"), "finite numbers"));
        }
        places.push(Place { kind, id: id[i], position, height, rotation, scale });
    }
    abandonable(py, move || rules.list(&places, form))
}
