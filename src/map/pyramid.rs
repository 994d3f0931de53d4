//! Pyramids of tiles `{z}/{x}/{y}.png` or `.webp` for map viewers in the browser, each with a TileJSON and as one PMTiles file.

use crate::bake::{BakeError, Baked, Plan, PlanError, Progress, Tiles};
use crate::codec::{Channels, Encoding, TileFormat};
use crate::draw::{Style, draw_layer, look_of};
use crate::field::Layer;
use crate::map::mercator::Mercator;
use crate::map::names::{ARCHIVE, PAGE, TILE_JSON, TILES, stem};
use crate::map::record::Draft;
use crate::map::samples::Samples;
use crate::map::{Placed, page};
use crate::region::Region;
use pmtiles::{PmTilesStreamWriter, PmTilesWriter, TileCoord, TileId};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::Error;

/// Tiles per batch.
const BATCH: usize = 64;
/// Samples along the edge of the area whose slopes set the shading of a zoom.
const LOOK: u32 = 1024;

/// A pyramid of the heights, and one of each further layer: colours unchanged, values as greys.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pyramid {
    /// The encoding of heights as pixels.
    pub encoding: Encoding,
    /// Pixels along the edge of a tile, 256 or 512.
    pub pixels: u32,
    /// The zoom whose pixels are the samples of the bake, 0 to 24. `None` selects the zoom whose pixel size is closest to the spacing.
    pub zoom: Option<u32>,
    /// Whether to add a shaded relief of the heights, for viewers that do not shade.
    pub relief: bool,
    /// The format of tiles.
    pub format: TileFormat,
    /// Degrees east and north of the world's position (0, 0), rounded so that the pixels of every zoom are samples.
    pub origin: [f64; 2],
}

/// One layer's pyramid.
struct Sheet<'a> {
    /// Stem of its file names.
    stem: String,
    layer: &'a str,
    product: usize,
    ink: Ink,
}

/// The conversion of numbers to pixels.
#[derive(Clone, Copy, PartialEq)]
enum Ink {
    Heights(Encoding),
    Relief,
    Plain,
}

/// The coordinates of a tile and its file.
type Tile = (TileCoord, Vec<u8>);

impl Pyramid {
    pub(super) fn check(&self, plan: &Plan) -> Result<(), BakeError> {
        if ![256, 512].contains(&self.pixels) {
            return Err(PlanError::map("pixels", self.pixels, "256, 512").into());
        }
        self.on_the_map(plan).map(|_| ())
    }

    fn on_the_map(&self, plan: &Plan) -> Result<Mercator, BakeError> {
        Mercator::new(plan, self.pixels, self.zoom, self.origin)
    }

    pub(super) fn placed(&self, plan: &Plan) -> Result<Placed, BakeError> {
        let map = self.on_the_map(plan)?;
        Ok(Placed { zooms: [map.shallowest, map.deepest], stretch: map.stretch, origin: map.origin() })
    }

    fn sheets<'a>(&self, layers: &[&'a str]) -> Vec<Sheet<'a>> {
        let sheet = |(product, &layer): (usize, &&'a str)| {
            let stem = stem(layers, product);
            Sheet { stem, layer, product, ink: if product == 0 { Ink::Heights(self.encoding) } else { Ink::Plain } }
        };
        let mut sheets: Vec<Sheet> = layers.iter().enumerate().map(sheet).collect();
        if self.relief {
            sheets.extend(layers.first().map(|&layer| Sheet { stem: ".relief".to_owned(), layer, product: 0, ink: Ink::Relief }));
        }
        sheets
    }

    pub(super) fn names(&self, layers: &[&str]) -> Vec<String> {
        let sheets = self.sheets(layers).into_iter().flat_map(|sheet| [sheet.folder(), sheet.json(), sheet.archive()]);
        sheets.chain(PAGE.map(str::to_owned)).collect()
    }

    pub(super) fn write(
        &self,
        baked: &Baked,
        tiles: &Tiles,
        range: [f64; 2],
        draft: &mut Draft<'_>,
        progress: &dyn Progress,
    ) -> Result<(), BakeError> {
        let plan = baked.plan(tiles.clone());
        let map = self.on_the_map(&plan)?;
        let layers: Vec<&str> = baked.manifest().setting.products.iter().map(|product| product.layer.as_str()).collect();
        let sheets = self.sheets(&layers);
        let zooms = map.shallowest..=map.deepest;
        let count: u64 = zooms.map(|zoom| map.tiles(zoom).iter().map(|range| (range.end - range.start) as u64).product::<u64>()).sum();
        let (mut done, total) = (0, count * sheets.len() as u64);
        for sheet in &sheets {
            let level = map.level(map.shallowest);
            let samples = Samples::new(baked, sheet.product, tiles, [0, 0], level, &draft.scratch(), progress)?;
            let drawing = Drawing::new(sheet, &samples, &map, &plan, range[0], self.format)?;
            let mut archive = drawing.archive(draft, range)?;
            for zoom in map.shallowest..=map.deepest {
                for batch in along_hilbert(&map, zoom)?.chunks(BATCH) {
                    if progress.stops() {
                        return Err(BakeError::Stopped);
                    }
                    let drawn: Vec<Tile> = batch.par_iter().map(|&at| Ok((at, drawing.tile(at)?))).collect::<Result<_, BakeError>>()?;
                    let name = |at: TileCoord| format!("{}/{}/{}/{}.{}", sheet.folder(), at.z(), at.x(), at.y(), self.format.name());
                    let files: Vec<(String, &[u8])> = drawn.iter().map(|(at, png)| (name(*at), &png[..])).collect();
                    draft.write(&files)?;
                    for (at, png) in &drawn {
                        archive.add_tile(*at, png).map_err(|error| drawing.failed(error))?;
                        done += 1;
                        progress.tile(done, total);
                    }
                }
            }
            archive.finalize().map_err(|error| drawing.failed(error))?;
            draft.add(&sheet.archive())?;
            let text = format!("{:#}\n", drawing.tilejson(range, &sheets));
            draft.write(&[(sheet.json(), text.as_bytes())])?;
        }
        page::write(draft)
    }
}

/// The tiles of a zoom in the order of PMTiles, which is a Hilbert curve.
fn along_hilbert(map: &Mercator, zoom: u32) -> Result<Vec<TileCoord>, BakeError> {
    let [columns, rows] = map.tiles(zoom);
    let coordinates = rows.flat_map(|y| columns.clone().map(move |x| (x, y)));
    let number = |(x, y): (i64, i64)| TileCoord::new(zoom as u8, x as u32, y as u32);
    let mut all =
        coordinates.map(number).collect::<Result<Vec<_>, _>>().map_err(|error| BakeError::file("tiles".as_ref(), Error::other(error)))?;
    all.sort_by_key(|&at| TileId::from(at));
    Ok(all)
}

impl Sheet<'_> {
    fn folder(&self) -> String {
        TILES.with(&self.stem)
    }

    fn json(&self) -> String {
        TILE_JSON.with(&self.stem)
    }

    fn archive(&self) -> String {
        ARCHIVE.with(&self.stem)
    }
}

/// A sheet during drawing.
struct Drawing<'a> {
    sheet: &'a Sheet<'a>,
    samples: &'a Samples<'a>,
    map: &'a Mercator,
    plan: &'a Plan,
    lowest: f32,
    format: TileFormat,
    /// One style for all tiles of a zoom, beginning with the shallowest zoom.
    styles: Vec<Style>,
}

impl<'a> Drawing<'a> {
    fn new(
        sheet: &'a Sheet<'a>,
        samples: &'a Samples<'a>,
        map: &'a Mercator,
        plan: &'a Plan,
        lowest: f64,
        format: TileFormat,
    ) -> Result<Self, BakeError> {
        let mut drawing = Drawing { sheet, samples, map, plan, lowest: lowest as f32, format, styles: Vec::new() };
        if samples.channels == 1 && !matches!(sheet.ink, Ink::Heights(_)) {
            let mut range = None;
            for zoom in map.shallowest..=map.deepest {
                let all = map.samples(zoom);
                let size = all.clone().map(|all| (all.end - all.start).min(i64::from(LOOK)) as u32);
                let from = [0, 1].map(|axis| (all[axis].start + all[axis].end - i64::from(size[axis])) / 2);
                let values = samples.window(map.level(zoom), from, size)?;
                let (ends, slope) = look_of(&drawing.layer(zoom, size, values)).map_err(|error| drawing.failed(error))?;
                // The shallowest zoom shows the whole world.
                let range = *range.get_or_insert(ends);
                drawing.styles.push(Style { relief: sheet.ink == Ink::Relief, range: Some(range), slope: Some(slope), ..Style::default() });
            }
        }
        Ok(drawing)
    }

    fn failed(&self, error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> BakeError {
        BakeError::file(self.sheet.archive().as_ref(), Error::other(error))
    }

    fn layer(&self, zoom: u32, size: [u32; 2], values: Vec<f32>) -> Layer {
        let level = self.plan.level + self.map.level(zoom);
        let region = Region { origin: [0; 3], size: [size[0], size[1], 1], level, spacing: self.plan.spacing, anchor: [0.0; 3] };
        Layer { name: self.sheet.layer.to_owned(), region, channels: self.samples.channels, values }
    }

    /// Draws a tile as a file, beginning with the northernmost row.
    fn tile(&self, at: TileCoord) -> Result<Vec<u8>, BakeError> {
        let zoom = u32::from(at.z());
        let corner = self.map.corner(zoom, i64::from(at.x()), i64::from(at.y()));
        let pixels = self.map.pixels;
        let level = self.map.level(zoom);
        if let Ink::Heights(encoding) = self.sheet.ink {
            let values = self.samples.window(level, corner, [pixels; 2])?;
            let [columns, rows] = self.map.samples(zoom);
            let mut rgb = Vec::with_capacity(values.len() * 3);
            for (row, y) in values.chunks_exact(pixels as usize).rev().zip((corner[1]..corner[1] + i64::from(pixels)).rev()) {
                for (&height, x) in row.iter().zip(corner[0]..) {
                    // The encodings lack a nodata value. Fill outside the world with the lowest height.
                    let inside = columns.contains(&x) && rows.contains(&y);
                    let height = if inside { height } else { self.lowest };
                    let outside = || self.failed(format!("a height of {height} m does not fit"));
                    rgb.extend(encoding.encode(height).ok_or_else(outside)?);
                }
            }
            return self.encoded(&rgb, Channels::Rgb);
        }
        // A border of one sample, for slopes.
        let wide = pixels + 2;
        let values = self.samples.window(level, corner.map(|at| at - 1), [wide; 2])?;
        let north_first = values.chunks_exact(wide as usize * self.samples.channels).rev().flatten().copied().collect();
        let style = self.styles.get((zoom - self.map.shallowest) as usize).cloned().unwrap_or_default();
        let drawn = draw_layer(&self.layer(zoom, [wide; 2], north_first), &style)?;
        // Pixels outside the world are transparent.
        let [columns, rows] = self.map.samples(zoom);
        let mut rgba = Vec::with_capacity(pixels as usize * pixels as usize * 4);
        for (row, y) in drawn.rgb.chunks_exact(wide as usize * 3).skip(1).zip((corner[1]..corner[1] + i64::from(pixels)).rev()) {
            for (rgb, x) in row.as_chunks::<3>().0[1..].iter().zip(corner[0]..corner[0] + i64::from(pixels)) {
                let inside = columns.contains(&x) && rows.contains(&y);
                rgba.extend(if inside { [rgb[0], rgb[1], rgb[2], 255] } else { [0; 4] });
            }
        }
        self.encoded(&rgba, Channels::Rgba)
    }

    fn encoded(&self, bytes: &[u8], channels: Channels) -> Result<Vec<u8>, BakeError> {
        self.format.encode(bytes, [self.map.pixels; 2], channels).map_err(|error| self.failed(error))
    }

    fn archive(&self, draft: &Draft<'_>, range: [f64; 2]) -> Result<PmTilesStreamWriter<File>, BakeError> {
        let path = draft.path(&self.sheet.archive());
        let file = File::create(&path).map_err(|error| BakeError::file(&path, error))?;
        let [west, south, east, north] = self.map.bounds();
        let [lon, lat] = self.centre();
        let metadata = serde_json::json!({
            "name": self.sheet.layer, "format": self.format.name(), "type": if self.encoding().is_some() { "baselayer" } else { "overlay" },
            "encoding": self.encoding(), "tileSize": self.map.pixels, "range": range,
        });
        let writer = PmTilesWriter::new(self.format.archived())
            .min_zoom(self.map.shallowest as u8)
            .max_zoom(self.map.deepest as u8)
            .bounds(west, south, east, north)
            .center(lon, lat)
            .center_zoom(self.map.shallowest as u8)
            .metadata(metadata.to_string());
        writer.create(file).map_err(|error| self.failed(error))
    }

    fn encoding(&self) -> Option<&'static str> {
        if let Ink::Heights(encoding) = self.sheet.ink { Some(encoding.word()) } else { None }
    }

    fn centre(&self) -> [f64; 2] {
        let [west, south, east, north] = self.map.bounds();
        [(west + east) / 2.0, (south + north) / 2.0]
    }

    /// TileJSON 3.0.0. Viewers require full addresses, so a server of the tiles must insert its own before these.
    fn tilejson(&self, range: [f64; 2], sheets: &[Sheet<'_>]) -> serde_json::Value {
        let [lon, lat] = self.centre();
        let mut text = serde_json::json!({
            "tilejson": "3.0.0", "name": self.sheet.layer, "scheme": "xyz",
            "tiles": [format!("{}/{{z}}/{{x}}/{{y}}.{}", self.sheet.folder(), self.format.name())],
            "minzoom": self.map.shallowest, "maxzoom": self.map.deepest,
            "bounds": self.map.bounds(), "center": [lon, lat, f64::from(self.map.shallowest)],
            "format": self.format.name(), "tileSize": self.map.pixels,
        });
        if let Some(encoding) = self.encoding() {
            text["encoding"] = encoding.into();
            text["orogen"] = serde_json::json!({
                "range": range, "stretch": self.map.stretch, "origin": self.map.origin(), "layers": sheets[1..].iter().map(Sheet::json).collect::<Vec<_>>(),
            });
        }
        text
    }
}
