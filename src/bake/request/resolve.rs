//! A request with its defaults filled in: the tiles, and the files of each.

use super::options::{LayerOptions, RangeChoice};
use super::{Cost, Request};
use crate::bake::weights::parts;
use crate::bake::{BakeError, Format, Plan, PlanError, Preset, Product, RangeKind, RangeRecord, Tiles};
use crate::engine::Engine;
use crate::error::LayersError;
use crate::interval::Interval;
use crate::region::Region;
use crate::stage::{Asks, Pipeline, StageError};
use serde::Serialize;
use std::ops::Range;

/// A request with its defaults filled in. Nothing is evaluated yet.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// The tiles, with the overlap that the destination takes.
    pub plan: Plan,
    /// The formats, names and ranges of the destination, if there is one.
    pub preset: Option<Preset>,
    /// The files of each tile, heights first.
    pub files: Vec<LayerFile>,
    /// Nodes and stages that no written layer needs.
    pub unused: Vec<String>,
    /// The size of the recipe's world in samples, at the level of the plan. Stages may need this finite world as a whole.
    world: [u64; 2],
}

/// A file of each tile.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LayerFile {
    /// The layer, or the layers of weights joined by `+`.
    pub layer: String,
    /// Its format.
    pub format: Format,
    /// Its declared range.
    pub range: FileRange,
}

/// The origin of a file's declared range.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub enum FileRange {
    /// The file has no declared range.
    None,
    /// The range is known.
    Known(RangeRecord),
    /// The range is measured in a pass over the tiles before the bake.
    Measured,
}

impl LayerFile {
    /// The layers that are evaluated for it: the layer itself, or the masks of weights.
    pub fn parts(&self) -> impl Iterator<Item = &str> {
        parts(self.format, &self.layer)
    }

    /// The range that an integer format declares, if it is known already.
    pub fn declared(&self) -> Option<RangeRecord> {
        match self.range {
            FileRange::Known(range) if self.format.is_integer() => Some(range),
            FileRange::Known(_) | FileRange::None | FileRange::Measured => None,
        }
    }

    /// Whether its range is measured first.
    pub fn is_measured(&self) -> bool {
        matches!(self.range, FileRange::Measured)
    }

    /// The product of the bake; `measured` is its range if that was measured.
    pub(super) fn product(self, measured: Option<RangeRecord>) -> Product {
        let range = match self.range {
            FileRange::None => None,
            FileRange::Known(range) => Some(range),
            FileRange::Measured => measured,
        };
        Product { layer: self.layer, format: self.format, range }
    }
}

impl Request {
    /// Fills in the defaults and checks every choice. Evaluates nothing.
    ///
    /// # Errors
    /// Returns the first invalid choice, with the allowed ones, or a mistake in the recipe's pipeline.
    pub fn resolve(&self) -> Result<Resolved, BakeError> {
        let Request { recipe, options } = self;
        recipe.pipeline.check().map_err(LayersError::from)?;
        let [columns, rows] = recipe.bake.tiles.map(i64::from);
        let plan = Plan {
            tile: options.tile.unwrap_or(recipe.bake.tile),
            tiles: options.tiles.clone().unwrap_or(Tiles { x: 0..columns, y: 0..rows }),
            overlap: options.overlap.unwrap_or(0),
            level: options.level,
            spacing: recipe.bake.spacing,
            z: options.z.unwrap_or(recipe.bake.z),
        };
        plan.check()?;
        let layers = self.layers_or_default();
        let destination = options.destination.or(recipe.bake.destination);
        let heights = layers.first().and_then(|layer| layer.format).or(options.format);
        let preset = destination.map(|destination| Preset::new(destination, &plan, options.overlap, heights)).transpose()?;
        let plan = preset.as_ref().map_or(plan, |preset| preset.plan.clone());
        let files = layers.iter().enumerate().map(|(k, layer)| self.file(k, layer, preset.as_ref())).collect::<Result<Vec<_>, _>>()?;
        let names: Vec<String> = layers.into_iter().map(|layer| layer.layer).collect();
        let unused = recipe.pipeline.unused(&names).into_iter().map(str::to_owned).collect();
        // Above level 62 every world is a single sample.
        let world = recipe.bake.tiles.map(|tiles| ((u64::from(tiles) * u64::from(recipe.bake.tile)) >> plan.level.min(62)).max(1));
        let resolved = Resolved { plan, preset, files, unused, world };
        resolved.check_traced(&recipe.pipeline)?;
        Ok(resolved)
    }

    /// The layers of the request, or those of the recipe.
    fn layers_or_default(&self) -> Vec<LayerOptions> {
        if !self.options.layers.is_empty() {
            return self.options.layers.clone();
        }
        std::iter::once(&self.recipe.pipeline.output).chain(&self.recipe.bake.layers).map(LayerOptions::from).collect()
    }

    /// The file of the k-th layer.
    fn file(&self, k: usize, layer: &LayerOptions, preset: Option<&Preset>) -> Result<LayerFile, BakeError> {
        let LayerOptions { layer, format: own_format, range: own_range } = layer;
        let (pipeline, options) = (&self.recipe.pipeline, &self.options);
        let format = own_format.or(options.format);
        if is_weights(pipeline, layer) {
            if format.is_some_and(Format::is_array) {
                let allowed = "formats with one file for each tile, next to which weights are 8-bit PNG";
                return Err(PlanError::not_allowed("layers", format!("'{layer}' in an array"), allowed).into());
            }
            Product { layer: layer.clone(), format: Format::Weights, range: None }.check(pipeline, k)?;
            return Ok(LayerFile { layer: layer.clone(), format: Format::Weights, range: FileRange::None });
        }
        let channels = channels(pipeline, layer)?;
        let (format, asked) = match preset {
            // The destination decides the formats. A range for the whole request applies to the heights.
            Some(preset) => {
                if k > 0 && own_format.is_some() {
                    let (value, allowed) = (format!("of '{layer}'"), "the heights' alone: the destination decides the others");
                    return Err(PlanError::not_allowed("format", value, allowed).into());
                }
                (preset.format(k == 0, layer, channels)?, own_range.or(options.range.filter(|_| k == 0)))
            }
            None => (format.unwrap_or(if channels == 1 { Format::Png16 } else { Format::Png8 }), own_range.or(options.range)),
        };
        asked.map_or(Ok(()), RangeChoice::check)?;
        if preset.is_none() && asked.is_some() && channels == 1 && !format.is_integer() {
            let integers = Format::choices().filter(|format| format.is_integer()).map(Format::name).collect::<Vec<_>>().join(", ");
            let allowed = format!("with integer formats ({integers}); this one holds the values themselves");
            return Err(PlanError::not_allowed("range", format!("for {}", format.name()), allowed).into());
        }
        let range = if channels == 1 { range(pipeline, layer, format, asked)? } else { FileRange::None };
        let range = match (range, preset) {
            (FileRange::Known(range), Some(preset)) if k == 0 => FileRange::Known(preset.range(range)?),
            (range, _) => range,
        };
        Ok(LayerFile { layer: layer.clone(), format, range })
    }
}

impl Resolved {
    /// The layers that are evaluated.
    pub fn layers(&self) -> Vec<&str> {
        self.files.iter().flat_map(LayerFile::parts).collect()
    }

    /// The predicted cost of all tiles, without measurements: an upper bound, with a halo around each tile.
    ///
    /// # Errors
    /// The errors of [`Engine::estimate`].
    pub fn cost(&self, engine: &Engine, pipeline: &Pipeline) -> Result<Cost, LayersError> {
        let tile = self.plan.region((self.plan.tiles.x.start, self.plan.tiles.y.start));
        Ok(Cost::of_layers(engine, pipeline, &self.layers(), &tile)?.times(self.plan.count()))
    }

    /// Bytes of all files before compression.
    ///
    /// # Errors
    /// Returns an error if the pipeline does not have a layer.
    pub fn bytes(&self, pipeline: &Pipeline) -> Result<f64, BakeError> {
        let edge = f64::from(self.plan.tile + self.plan.overlap);
        let samples = self.plan.count() as f64 * edge * edge;
        let of = |file: &LayerFile| {
            let channels = if file.format.is_weights() { file.parts().count() } else { channels(pipeline, &file.layer)? };
            Ok::<_, BakeError>(samples * file.format.bytes(channels) as f64)
        };
        self.files.iter().map(of).sum()
    }

    /// Refuses tiles beyond the recipe's world if its water is traced.
    fn check_traced(&self, pipeline: &Pipeline) -> Result<(), BakeError> {
        let layers: Vec<String> = self.layers().into_iter().map(str::to_owned).collect();
        let needed = pipeline.needed_by(&layers).map_err(LayersError::from)?;
        let is_traced = needed.stage.values().any(|stage| stage.whole().is_some_and(|whole| whole.asks() == Asks::Drainage));
        let (Plan { tile, tiles, level, .. }, [width, height]) = (&self.plan, self.world);
        let inside =
            |tiles: &Range<i64>, samples: u64| tiles.start >= 0 && i128::from(tiles.end) * i128::from(*tile) <= i128::from(samples);
        if !is_traced || (inside(&tiles.x, width) && inside(&tiles.y, height)) {
            return Ok(());
        }
        let value = format!("{tiles} of {tile}² samples, beyond the {width} × {height} samples at level {level} whose water is traced");
        let fits = u64::from(*tile).min(width).min(height);
        let smaller = if fits < u64::from(*tile) { format!("--tile {fits} ") } else { String::new() };
        let allowed = format!("within {smaller}--tiles 0..{},0..{}, or more tiles in [bake]", width / fits, height / fits);
        Err(PlanError::not_allowed("tiles", value, allowed).into())
    }

    /// Samples of the recipe's world along x and y, at the level of the plan.
    pub(super) fn world(&self) -> [u64; 2] {
        self.world
    }

    /// The recipe's world in as few regions as possible. Blocks are cut from each region, and those at a region's edge are smaller
    /// for the same halo.
    pub(crate) fn world_regions(&self) -> Vec<Region> {
        let [width, height] = self.world.map(|samples| samples as i64);
        let first = Plan { overlap: 0, ..self.plan.clone() }.region((0, 0));
        let strip = ((1 << 32) / width).clamp(1, height);
        let rows = (0..height).step_by(strip as usize).map(|y| Region {
            origin: [0, y, 0],
            size: [width.min(i64::from(u32::MAX)) as u32, strip.min(height - y) as u32, 1],
            ..first
        });
        rows.collect()
    }

    /// The key of the answers about the whole world: everything that decides them.
    pub(super) fn key(&self, engine: &Engine, request: &Request) -> String {
        let Plan { tile, tiles, overlap: _, level, spacing, z } = &self.plan;
        // Measured ranges are those of the baked tiles; all other answers are about the recipe's world.
        let tiles = self.files.iter().any(LayerFile::is_measured).then(|| tiles.to_string());
        let parity = engine.describe().parity.map(|parity| format!("{parity:?}"));
        let bake = &request.recipe.bake;
        let all = (&request.recipe.pipeline, bake.tiles, bake.tile, tile, tiles, level, spacing, z, &self.files, parity);
        // Without a destination the key contains none, so the keys of older bakes stay valid.
        let text = match &self.preset {
            Some(preset) => serde_json::to_string(&(all, preset.destination)),
            None => serde_json::to_string(&all),
        };
        text.expect("invariant: a checked pipeline has finite numbers")
    }
}

/// Whether a layer is several masks, `grass+rock`, and not a layer with this name.
fn is_weights(pipeline: &Pipeline, layer: &str) -> bool {
    layer.contains('+') && pipeline.channels(layer).is_err()
}

/// The channels of a layer of the request.
fn channels(pipeline: &Pipeline, layer: &str) -> Result<usize, BakeError> {
    pipeline.channels(layer).map_err(|error| match error {
        StageError::Unknown { known, .. } => BakeError::UnknownLayer { layer: layer.to_owned(), known },
        error => LayersError::from(error).into(),
    })
}

/// The declared range of a layer of one channel.
fn range(pipeline: &Pipeline, layer: &str, format: Format, asked: Option<RangeChoice>) -> Result<FileRange, BakeError> {
    let proven = |Interval { lo, hi }| FileRange::Known(RangeRecord { lo, hi, kind: RangeKind::Proven });
    match asked {
        Some(RangeChoice::Declared(lo, hi)) => return Ok(FileRange::Known(RangeRecord { lo, hi, kind: RangeKind::Declared })),
        Some(RangeChoice::Measured) => return Ok(FileRange::Measured),
        Some(RangeChoice::Proven) | None => (),
    }
    if pipeline.is_noise(layer) {
        // A noise without a range is an error that names the reason.
        return Ok(proven(pipeline.noise_of(layer).map_err(LayersError::from)?.range()?));
    }
    match (pipeline.range(layer), asked) {
        (Some(range), _) => Ok(proven(range)),
        (None, Some(_)) => {
            let allowed = "measured, LO,HI, or a normalise stage last";
            Err(PlanError::not_allowed("range", format!("proven of '{layer}', which has no proven range,"), allowed).into())
        }
        (None, None) => Ok(if format.is_integer() { FileRange::Measured } else { FileRange::None }),
    }
}
