//! Pictures.

use crate::argument::Argument;
use crate::array;
use crate::engine::Engine;
use crate::error::{raised, refused};
use crate::heights;
use crate::noise::Noise;
use crate::pieces::{self, abandonable, watched};
use crate::pipeline;
use crate::process;
use crate::region::Region;
use orogen::Field;
use orogen::draw::{DrawError, Picture, Style, draw as draw_field, draw_layer};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Samples along each edge of a pixel of a noise; stages are drawn with one.
const SUPERSAMPLE: u32 = 2;

fn colour(text: &str) -> PyResult<[u8; 3]> {
    let refuse = || refused("colours", format!("\"{text}\""), "colours such as \"#6A8F4B\"");
    let digits = text
        .strip_prefix('#')
        .filter(|digits| digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
        .ok_or_else(refuse)?;
    let number = u32::from_str_radix(digits, 16).map_err(|_| refuse())?;
    Ok([number >> 16, number >> 8, number].map(|byte| (byte & 255) as u8))
}

/// A picture of a noise or of a pipeline's output on a plane region, one pixel per sample, as the bytes of a PNG file, as drawn
/// by `orogen preview`.
///
/// `relief`: light from the north-west; without it the colour shows the value only. `colours`: `"#RRGGBB"`, evenly spaced from
/// the lowest value to the highest. `sea`: values below it are water. `span`: the range of values that the colours cover.
#[pyfunction]
#[pyo3(signature = (of, region, *, engine, relief = true, colours = Vec::new(), sea = None, span = None))]
#[expect(clippy::too_many_arguments, reason = "one for each keyword that a caller may give")]
pub(crate) fn draw<'py>(
    py: Python<'py>,
    of: &Bound<'py, PyAny>,
    region: Argument<'py, Region>,
    engine: Argument<'py, Engine>,
    relief: bool,
    colours: Vec<String>,
    sea: Option<f32>,
    span: Option<[f32; 2]>,
) -> PyResult<Bound<'py, PyBytes>> {
    let pipeline = pipeline::of_python("of", of)?;
    let colours = colours.iter().map(|text| colour(text)).collect::<PyResult<_>>()?;
    let style = Style { relief, colours, sea, range: span, ..Style::default() };
    let (engine, region) = (engine.get()?, region.samples);
    let [width, height, depth] = region.size;
    if depth != 1 || width.max(height) > 16_384 {
        return Err(refused("region: size", format!("{:?}", region.size), "a plane of up to 16384 samples along each axis"));
    }
    array::check_memory("region: size", &format!("{:?}", region.size), region.samples() * 96)?;
    heights::smooth(py, pipeline.node.iter())?;
    let finer = |size: u32| size * SUPERSAMPLE;
    let png = if let Ok(noise) = of.cast::<Noise>() {
        let noise = noise.get().get();
        let spacing = region.spacing / f64::from(SUPERSAMPLE);
        let origin = region.origin.map(|i| i.saturating_mul(i64::from(SUPERSAMPLE)));
        let finer = orogen::Region { origin, size: [finer(width), finer(height), 1], spacing, ..region };
        let noise = py.detach(|| engine.prepare(&noise)).map_err(raised)?;
        let samples = finer.samples() as usize;
        let (mut values, mut gradients) = (vec![0.0; samples], vec![[0.0; 3]; samples]);
        pieces::field(py, &noise, 0.0, &finer, &mut values, Some(&mut gradients))?;
        let field = Field { region: finer, values, gradients: Some(gradients) };
        abandonable(py, move || png(|| draw_field(&field, SUPERSAMPLE, &style)))?
    } else {
        let layer = watched(py, &engine, |engine| engine.layer(&pipeline, &region))?;
        abandonable(py, move || png(|| draw_layer(&layer, &style)))?
    };
    Ok(PyBytes::new(py, &png.map_err(raised)?))
}

/// Draws and packs a picture.
fn png(draw: impl FnOnce() -> Result<Picture, DrawError> + Send) -> Result<Vec<u8>, String> {
    let picture = process::with_threads(draw).map_err(|error| error.to_string())?.map_err(|error| error.to_string())?;
    picture.to_png().map_err(|error| error.to_string())
}
