//! Names of files and folders at the top of a map's folder.

use crate::bake::as_name;
use crate::bake::names::ARRAYS;

/// The folder of meshes.
pub(super) const MESHES: &str = "meshes";
/// Files and folders of a pyramid's page.
pub(super) const PAGE: [&str; 2] = ["index.html", "viewer"];

/// Names with one for each layer: `world.tif` is that of the heights, `world.snow.tif` that of another layer.
pub(super) struct LayerNames {
    start: &'static str,
    end: &'static str,
}

/// The tiles of a pyramid.
pub(super) const TILES: LayerNames = LayerNames { start: "tiles", end: "" };
/// Their description.
pub(super) const TILE_JSON: LayerNames = LayerNames { start: "tiles", end: ".json" };
/// One file with all tiles of a pyramid.
pub(super) const ARCHIVE: LayerNames = LayerNames { start: "world", end: ".pmtiles" };
/// Cloud-optimised GeoTIFF.
pub(super) const IMAGE: LayerNames = LayerNames { start: "world", end: ".tif" };

impl LayerNames {
    /// The name with this [`stem`].
    pub fn with(&self, stem: &str) -> String {
        format!("{}{stem}{}", self.start, self.end)
    }

    /// Whether a name is that of a layer.
    fn has(&self, name: &str) -> bool {
        let stem = name.strip_prefix(self.start).and_then(|rest| rest.strip_suffix(self.end));
        stem.is_some_and(|stem| stem.is_empty() || stem.starts_with('.'))
    }
}

/// The part of a layer's names between start and end. It is empty for the heights, which are layer 0.
pub(super) fn stem(layers: &[&str], k: usize) -> String {
    if k == 0 { String::new() } else { format!(".{}", as_name(layers[k])) }
}

/// Whether a name is one that any map uses.
pub(super) fn is_map_name(name: &str) -> bool {
    name == MESHES || name == ARRAYS || PAGE.contains(&name) || [TILES, TILE_JSON, ARCHIVE, IMAGE].iter().any(|names| names.has(name))
}
