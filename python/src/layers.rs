//! Pipelines on the engine.

use crate::argument::Argument;
use crate::array::{self, copied};
use crate::engine::Engine;
use crate::error::{OrogenError, raised, refused};
use crate::heights;
use crate::pieces::{stoppable, watched};
use crate::pipeline::{self, Pipeline};
use crate::region::Region;
use numpy::{IntoPyArray, PyArrayMethods, PyUntypedArrayMethods};
use orogen::rivers::{RiverOptions, RiversError};
use orogen::{EngineError, Field, Layer};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::time::Duration;

/// Time for which passes are submitted one after the other.
const BUDGET: Duration = Duration::from_millis(100);

/// Layers as arrays by name: (rows, columns), with channels (rows, columns, channels). Nothing is copied.
fn arrays(py: Python<'_>, layers: Vec<Layer>) -> PyResult<Bound<'_, PyDict>> {
    let named = PyDict::new(py);
    for Layer { name, region, channels, values } in layers {
        let [columns, rows, _] = region.size.map(|n| n as usize);
        let flat = values.into_pyarray(py);
        let array =
            if channels == 1 { flat.reshape([rows, columns])?.into_any() } else { flat.reshape([rows, columns, channels])?.into_any() };
        named.set_item(name, array)?;
    }
    Ok(named)
}

/// The memory of a region's layers: the results, and the same amount in transit.
fn check_room(pipeline: &orogen::Pipeline, outputs: &[String], region: &orogen::Region) -> PyResult<()> {
    region.check().map_err(raised)?;
    let channels: usize = outputs.iter().map(|name| pipeline.channels(name).unwrap_or(1)).sum();
    let [columns, rows, _] = region.size.map(|edge| edge as usize);
    array::check_room(&[rows, columns], region.samples().saturating_mul(2 * channels as u64))
}

#[pymethods]
impl Engine {
    /// Evaluates layers of a pipeline on a region: a dict of arrays by name. `outputs`: one name or several: a stage
    /// (`"hydraulic"`), another output of a stage (`"hydraulic.water"`) or a node. Arrays have shape (rows, columns), or (rows,
    /// columns, channels) for normals and colours.
    ///
    /// Stages that depend on the whole world use the region as the world, unless they have been measured.
    fn layers<'py>(
        &self,
        py: Python<'py>,
        pipeline: &Bound<'py, PyAny>,
        outputs: &Bound<'py, PyAny>,
        region: Argument<'py, Region>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (engine, region_here) = (self.get()?, region.samples);
        let (pipeline, outputs) = (pipeline::of_python("pipeline", pipeline)?, Pipeline::names(outputs)?);
        check_room(&pipeline, &outputs, &region_here)?;
        heights::smooth(py, pipeline.node.iter())?;
        let pipeline = match pipeline.unmeasured()[..] {
            [] => pipeline,
            _ => watched(py, &engine, |engine| engine.measure(&pipeline, &outputs, &[region_here]))?,
        };
        let layers = watched(py, &engine, |engine| {
            let mut job = engine.job(&pipeline, &outputs, &region_here)?;
            // A busy device answers at once.
            while !job.advance(BUDGET)? {
                std::thread::sleep(Duration::from_millis(1));
            }
            job.finish()
        })?;
        arrays(py, layers)
    }

    /// The pipeline's output on a region, as an array.
    fn layer<'py>(&self, py: Python<'py>, pipeline: &Bound<'py, PyAny>, region: Argument<'py, Region>) -> PyResult<Bound<'py, PyAny>> {
        let output = pipeline::of_python("pipeline", pipeline)?.output;
        let named = self.layers(py, pipeline, &output.clone().into_pyobject(py)?.into_any(), region)?;
        named.get_item(&output)?.ok_or_else(|| OrogenError::new_err(format!("there is no layer '{output}'")))
    }

    /// A pipeline in which the whole-world measurements of every stage are filled in, so that tiles can be computed in any
    /// order. `world`: the regions that make up the world, each sample once.
    fn measure<'py>(
        &self,
        py: Python<'py>,
        pipeline: &Bound<'py, PyAny>,
        outputs: &Bound<'py, PyAny>,
        world: Vec<Argument<'py, Region>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let engine = self.get()?;
        let (pipeline, outputs) = (pipeline::of_python("pipeline", pipeline)?, Pipeline::names(outputs)?);
        let world: Vec<_> = world.iter().map(|region| region.samples).collect();
        heights::smooth(py, pipeline.node.iter())?;
        pipeline::to_python(py, watched(py, &engine, |engine| engine.measure(&pipeline, &outputs, &world))?)
    }

    /// The rivers, lakes and basins of a world, as a GeoJSON dict. `stage`: a stage `drainage` of the pipeline. Features have the
    /// `kind` `"river"`, `"lake"` or `"basin"`; points of rivers are x, y and the level of the water.
    ///
    /// `area`: the smallest drainage area of a river, in world units². `basin` and `lake`: the smallest areas with an outline, by
    /// default `area` and a hundredth of it; infinity for none. `width`: that of a river, divided by the square root of its drainage area.
    /// `smoothing`: rounds of smoothing of the lines. Omitted options take the command's defaults.
    #[pyo3(signature = (pipeline, stage, world, *, area, basin = None, lake = None, width = None, smoothing = None))]
    #[expect(clippy::too_many_arguments, reason = "keywords")]
    fn rivers<'py>(
        &self,
        py: Python<'py>,
        pipeline: &Bound<'py, PyAny>,
        stage: &str,
        world: Argument<'py, Region>,
        area: f64,
        basin: Option<f64>,
        lake: Option<f64>,
        width: Option<f64>,
        smoothing: Option<u32>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (engine, world) = (self.get()?, world.samples);
        let pipeline = pipeline::of_python("pipeline", pipeline)?;
        let usual = RiverOptions::new(area);
        let options = RiverOptions {
            area,
            basin: basin.unwrap_or(usual.basin),
            lake: lake.unwrap_or(usual.lake),
            width: width.unwrap_or(usual.width),
            smoothing: smoothing.unwrap_or(usual.smoothing),
        };
        heights::smooth(py, pipeline.node.iter())?;
        let text = watched(py, &engine, |engine| Ok::<_, RiversError>(engine.rivers(&pipeline, stage, &world, &options)?.geojson()))?;
        py.import("json")?.call_method1("loads", (text,))
    }

    /// Runs the stages of a pipeline on an array of shape (rows, columns), which replaces `orogen.stage.given()` in the
    /// pipeline. `spacing`: world units between samples. There are no values beyond the edges.
    #[pyo3(signature = (pipeline, outputs, values, *, spacing = 1.0))]
    fn apply<'py>(
        &self,
        py: Python<'py>,
        pipeline: &Bound<'py, PyAny>,
        outputs: &Bound<'py, PyAny>,
        values: &Bound<'py, PyAny>,
        spacing: f64,
    ) -> PyResult<Bound<'py, PyDict>> {
        let engine = self.get()?;
        let (pipeline, outputs) = (pipeline::of_python("pipeline", pipeline)?, Pipeline::names(outputs)?);
        let values = array::values(values, "values")?;
        let &[rows, columns] = values.shape() else {
            return Err(refused("values", format!("an array of shape {:?}", values.shape()), "an array of shape (rows, columns)"));
        };
        let edge =
            |count: usize| u32::try_from(count).map_err(|_| refused("values", format!("{count} samples along an axis"), "at most 2^32"));
        let region = orogen::Region { spacing, ..orogen::Region::plane(edge(columns)?, edge(rows)?) };
        check_room(&pipeline, &outputs, &region)?;
        heights::smooth(py, pipeline.node.iter())?;
        let values = values.as_slice().map_err(|_| array::misaligned("values"))?;
        let layers = stoppable(py, |stop| {
            let field = Field { region, values: copied(values, stop).map_err(EngineError::from)?, gradients: None };
            engine.stopped_by(stop).apply(&pipeline, &outputs, &field)
        })?;
        arrays(py, layers)
    }
}
