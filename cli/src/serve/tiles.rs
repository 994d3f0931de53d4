//! The saved recipe as map tiles: at zoom 0 one tile covers all tiles of the recipe; each zoom doubles the number of samples
//! along an edge.

use super::Studio;
use super::refusal::ErrorResponse;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use orogen::bake::format::npy;
use orogen::draw::{Picture, Style, draw_layer, look_of};
use orogen::map::Encoding;
use orogen::{Engine, Layer, Region};
use orogen_studio::{Ended, OpenRecipe, Priority, Recent, Refusal, Waits, layer};
use std::sync::Arc;

/// Samples along each edge of a tile.
const TILE: u32 = 256;
/// Maximum size of cached tiles in bytes.
const KEPT: usize = 128 << 20;

/// Recently requested tiles, by their ETags.
pub type Cache = Recent<Bytes>;

/// A cache of that size.
pub fn cache() -> Cache {
    Recent::new(KEPT, Bytes::len)
}

/// The format of a tile.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Picture,
    Terrarium,
    Npy,
}

impl Kind {
    const ALL: [(&'static str, Kind, &'static str); 3] = [
        (".terrarium.png", Kind::Terrarium, "image/png"),
        (".png", Kind::Picture, "image/png"),
        (".npy", Kind::Npy, "application/octet-stream"),
    ];
}

/// `GET /tiles/{layer}/{z}/{x}/{y}.{png|terrarium.png|npy}`.
pub async fn tile(
    State(studio): State<Arc<Studio>>,
    Path((name, z, x, file)): Path<(String, u32, i64, String)>,
    headers: HeaderMap,
) -> Result<Response, ErrorResponse> {
    let known = studio.blocking(Studio::saved).await?;
    let found = Kind::ALL.into_iter().find_map(|(ending, kind, mime)| Some((file.strip_suffix(ending)?, kind, mime)));
    let wrong = || {
        let allowed: Vec<String> = Kind::ALL.iter().map(|(ending, ..)| format!("Y{ending}")).collect();
        ErrorResponse::missing(format!("tile '{file}' is not allowed; allowed: {}", allowed.join(", ")))
    };
    let (y, kind, mime) = found.ok_or_else(wrong)?;
    let y: i64 = y.parse().map_err(|_| wrong())?;
    let tag = format!("\"{}/{name}/{z}/{x}/{file}\"", known.id);
    let answer_headers = [(CONTENT_TYPE, mime.to_owned()), (CACHE_CONTROL, "no-cache".to_owned()), (ETAG, tag.clone())];
    if headers.get_all(IF_NONE_MATCH).iter().any(|value| value.to_str().is_ok_and(|tags| tags.contains(&tag))) {
        return Ok((StatusCode::NOT_MODIFIED, answer_headers).into_response());
    }
    if let Some(bytes) = studio.tiles.get(&tag) {
        return Ok((answer_headers, bytes).into_response());
    }
    let bytes = studio
        .compute(Priority::Normal, move |engine, waits| Ok(Bytes::from(write(engine, &known, &name, (z, x, y), kind, waits)?)))
        .await?;
    studio.tiles.insert(tag, bytes.clone());
    Ok((answer_headers, bytes).into_response())
}

/// The samples of a tile, with a margin of one sample on each side.
fn region(known: &OpenRecipe, name: &str, (zoom, x, y): (u32, i64, i64)) -> Result<Region, Refusal> {
    let bake = &known.recipe.bake;
    let across = bake.tiles.iter().map(|&tiles| u64::from(tiles) * u64::from(bake.tile)).max().unwrap_or(1);
    // Zoom 0 is the level at which everything fits into one tile.
    let coarsest = (across as f64 / f64::from(TILE)).log2().ceil().max(0.0) as u32;
    let refuse = |allowed: String| Refusal::missing(format!("zoom {zoom} is not allowed; allowed: {allowed}"));
    let (level, spacing) = match coarsest.checked_sub(zoom) {
        Some(level) => (level, bake.spacing),
        // A noise can be sampled between samples; stages cannot.
        None if known.is_noise(name) && zoom - coarsest <= 24 => (0, bake.spacing / f64::from(1_u32 << (zoom - coarsest))),
        None => return Err(refuse(format!("0 to {}", if known.is_noise(name) { coarsest + 24 } else { coarsest }))),
    };
    let inside = |at: i64| (-(1_i64 << 40)..1 << 40).contains(&at);
    if !inside(x) || !inside(y) {
        return Err(Refusal::missing(format!("tile {x}, {y} is not allowed; allowed: magnitudes below 2^40")));
    }
    let origin = [x, y].map(|at| at * i64::from(TILE) - 1);
    Ok(Region { origin: [origin[0], origin[1], 0], size: [TILE + 2, TILE + 2, 1], level, spacing, anchor: [0.0, 0.0, bake.z] })
}

fn write(engine: &Engine, known: &OpenRecipe, name: &str, at: (u32, i64, i64), kind: Kind, waits: &Waits) -> Result<Vec<u8>, Ended> {
    let wide = layer(engine, known, name, &region(known, name, at)?, waits)?;
    let one = |what: &str| {
        Refusal::bad(format!("{what} of '{name}', which has {} channels, are not allowed; allowed: layers of one", wide.channels))
    };
    match kind {
        Kind::Picture => Ok(picture(engine, known, name, &wide, waits)?),
        Kind::Terrarium | Kind::Npy if wide.channels != 1 => Err(one("heights").into()),
        Kind::Terrarium => {
            // A tile is always drawn: values outside the range are clamped.
            let [lo, hi] = Encoding::Terrarium.range().map(|end| end as f32);
            let terrarium = |height: f32| Encoding::Terrarium.encode(height.clamp(lo, hi)).unwrap_or([255; 3]);
            let rgb: Vec<u8> = inner(&wide.values, 1).into_iter().flat_map(terrarium).collect();
            Ok(png(&Picture { width: TILE, height: TILE, rgb })?)
        }
        Kind::Npy => Ok(npy(&[TILE as usize; 2], &inner(&wide.values, 1))),
    }
}

/// Without the margin.
fn inner<T: Copy>(wide: &[T], channels: usize) -> Vec<T> {
    let row = (TILE as usize + 2) * channels;
    let rows = wide.chunks_exact(row).skip(1).take(TILE as usize);
    rows.flat_map(|row| row[channels..row.len() - channels].iter().copied()).collect()
}

/// Drawn like its neighbours: one block determines the range and the slopes of all tiles.
fn picture(engine: &Engine, known: &OpenRecipe, name: &str, wide: &Layer, waits: &Waits) -> Result<Vec<u8>, Ended> {
    let mut style = Style::default();
    if wide.channels == 1 {
        let (range, slope) = known.look(name, || {
            let bake = &known.recipe.bake;
            let block = if known.is_noise(name) {
                region(known, name, (0, 0, 0))?
            } else {
                let centre = bake.tiles.map(|tiles| i64::from(tiles) * i64::from(bake.tile) / 2 - i64::from(TILE / 2));
                Region { origin: [centre[0], centre[1], 0], level: 0, ..wide.region }
            };
            Ok::<_, Ended>(look_of(&layer(engine, known, name, &block, waits)?).map_err(Refusal::bad)?)
        })?;
        style = Style { range: Some(range), slope: Some(slope), ..style };
    }
    let drawn = draw_layer(wide, &style).map_err(Refusal::bad)?;
    Ok(png(&Picture { width: TILE, height: TILE, rgb: inner(&drawn.rgb, 3) })?)
}

fn png(picture: &Picture) -> Result<Vec<u8>, Refusal> {
    picture.to_png().map_err(|error| Refusal::new(Refusal::UNEXPECTED, error))
}
