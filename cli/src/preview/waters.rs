//! `orogen preview --rivers`: rivers and lakes over a map.

use super::in_world;
use super::relief::first_heights;
use crate::args::PreviewArgs;
use crate::cost::Limited;
use crate::exit::{Failure, USAGE};
use crate::{job, rivers};
use orogen::bake::request::Cost;
use orogen::draw::Picture;
use orogen::rivers::{RiverOptions, Rivers, RiversError};
use orogen::{Engine, Recipe, Region};
use tiny_skia::{Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, Transform};

/// Widths of the narrowest and the widest river, as parts of the longer side.
const NARROWEST: f32 = 0.8 / 800.0;
const WIDEST: f32 = 5.0 / 800.0;
/// Width of the light edge of rivers and lakes, which separates them from dark ground.
const EDGE: f32 = 0.9 / 800.0;

/// The rivers and lakes of the drawn region.
pub fn find(args: &PreviewArgs, engine: &Engine, recipe: &mut Recipe, region: &Region, area: Option<f64>) -> Result<Rivers, Failure> {
    let drawn = job::layer(recipe, &args.layer)?.to_owned();
    let traced = if rivers::is_drainage(&recipe.pipeline, &drawn) {
        Some(drawn.clone())
    } else {
        recipe.pipeline.stage.keys().find(|name| rivers::is_drainage(&recipe.pipeline, name)).cloned()
    };
    let stage = match traced {
        Some(stage) => stage,
        None => {
            let heights = if recipe.pipeline.channels(&drawn).ok() == Some(1) {
                Some(drawn)
            } else {
                first_heights(&recipe.pipeline, &recipe.bake.layers)
            };
            let missing = || {
                Failure::message(
                    USAGE,
                    "--rivers is not allowed here; allowed: a drawn layer of heights, or a recipe with a stage drainage",
                )
            };
            rivers::added(recipe, &heights.ok_or_else(missing)?, args.sea.map(f64::from))?
        }
    };
    Cost::of_layers(engine, &recipe.pipeline, &[&stage], region)?.allow(&args.engine)?;
    let pipeline = in_world(args, engine, recipe, &recipe.pipeline, &[&stage], region.level)?;
    let [width, height] = [0, 1].map(|axis| f64::from(region.size[axis]) * region.step());
    let options = RiverOptions { basin: f64::INFINITY, ..RiverOptions::new(area.unwrap_or(width * height / 1000.0)) };
    engine.rivers(&pipeline, &stage, region, &options).map_err(|error| match error {
        RiversError::Layers(error) => error.into(),
        error => Failure::new(USAGE, error),
    })
}

/// Draws rivers and lakes over a picture of a region.
pub fn draw(picture: &Picture, rivers: &Rivers, region: &Region) -> Result<Picture, Failure> {
    let Picture { width, height, rgb } = picture;
    let nothing = || Failure::message(USAGE, format!("a picture of {width} × {height} pixels is not allowed; allowed: 1 or more"));
    let mut canvas = Pixmap::new(*width, *height).ok_or_else(nothing)?;
    for (pixel, rgb) in canvas.data_mut().as_chunks_mut::<4>().0.iter_mut().zip(rgb.as_chunks::<3>().0) {
        *pixel = [rgb[0], rgb[1], rgb[2], u8::MAX];
    }
    // The corner of the picture is that of the first sample.
    let (first, step) = (region.position([0; 3]), region.step());
    let [across, down] = [(0, *width), (1, *height)].map(|(axis, pixels)| f64::from(pixels) / (f64::from(region.size[axis]) * step));
    let at = |[x, y]: [f64; 2]| [((x - first[0] + 0.5 * step) * across) as f32, ((y - first[1] + 0.5 * step) * down) as f32];
    let longer = (*width).max(*height) as f32;
    let lakes = rivers.lakes.iter().flat_map(|lake| &lake.polygons).flat_map(|shape| std::iter::once(&shape.outer).chain(&shape.holes));
    let lakes = path(lakes.map(|ring| (ring.iter().copied().map(at).collect(), true)));
    let largest = rivers.segments.iter().fold(f64::MIN_POSITIVE, |largest, segment| largest.max(segment.area));
    let lines: Vec<(f32, Path)> = rivers
        .segments
        .iter()
        .filter_map(|segment| {
            let points = segment.points.iter().map(|[x, y, _]| at([*x, *y])).collect();
            let width = (WIDEST * (segment.area / largest).sqrt() as f32).max(NARROWEST) * longer;
            Some((width, path([(points, false)])?))
        })
        .collect();
    let mut stroke = |path: &Path, width: f32, colour: Color| {
        let stroke = Stroke { width, line_cap: LineCap::Round, line_join: LineJoin::Round, ..Stroke::default() };
        canvas.stroke_path(path, &paint(colour), &stroke, Transform::identity(), None);
    };
    let (light, water) = (Color::from_rgba8(255, 255, 255, 110), Color::from_rgba8(31, 96, 143, 255));
    for (width, line) in &lines {
        stroke(line, width + EDGE * longer, light);
    }
    for (width, line) in &lines {
        stroke(line, *width, water);
    }
    if let Some(lakes) = &lakes {
        stroke(lakes, EDGE * longer, water);
        canvas.fill_path(lakes, &paint(Color::from_rgba8(98, 160, 189, 255)), FillRule::EvenOdd, Transform::identity(), None);
    }
    let rgb = canvas.data().as_chunks::<4>().0.iter().flat_map(|[r, g, b, _]| [*r, *g, *b]).collect();
    Ok(Picture { width: *width, height: *height, rgb })
}

fn paint(colour: Color) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color(colour);
    paint
}

/// Lines, and rings that are closed; `None` if there is nothing to draw.
fn path(lines: impl IntoIterator<Item = (Vec<[f32; 2]>, bool)>) -> Option<Path> {
    let mut path = PathBuilder::new();
    for (points, closed) in lines {
        for (k, [x, y]) in points.into_iter().enumerate() {
            if k == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
        }
        if closed {
            path.close();
        }
    }
    path.finish()
}
