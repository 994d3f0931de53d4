//! File names and orientation of a bake, which depend on its destination.

#[cfg(feature = "zarr")]
use crate::bake::arrays;
use crate::bake::hash::hex;
use crate::bake::names::{beside_tile, tile_of};
use crate::bake::{Format, Plan, Product};
use crate::field::Layer;
use serde::{Deserialize, Serialize};
use std::fmt::Display;

/// File names and orientation. The default is used when no destination is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Layout {
    /// File names.
    pub names: Names,
    /// Whether files without a header have the extension `.raw` instead of their format's.
    pub raw: bool,
    /// The first row of files without a header.
    pub rows: RowOrder,
    /// The direction of green in normal maps. Omitted from records if it is the default.
    #[serde(skip_serializing_if = "Green::is_down")]
    pub green: Green,
}

/// File names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Names {
    /// The tile, and the layer's name for all but the first layer: `x3_y-1.png`, `x3_y-1.snow.png`.
    #[default]
    Tile,
    /// The layer and the tile, `alps_x3_y-1.png`. In the layer's name every ASCII character other than letters and digits becomes
    /// `_`. Unreal reads the tile from x, y, u or v before a digit, so `_` separates these. Other letters are omitted, and eight
    /// hexadecimal digits of the name's SHA-256 are added: `layer_1f4c9a0b_x3_y-1.png`.
    Layer,
    /// With feature `zarr`: the path of a file in a Zarr array, `world.zarr/0/snow/c/4/3`. Row and column count from this tile,
    /// the first of the world.
    #[cfg(feature = "zarr")]
    Array([i64; 2]),
}

/// The first row of files without a header. Pictures always begin with the smallest y.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RowOrder {
    /// The first row has the smallest y.
    #[default]
    Down,
    /// The first row has the largest y.
    Up,
}

/// The direction of green in normal maps, whose first row has the smallest y.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Green {
    /// Down, towards larger y, as in the world's normals: DirectX's convention.
    #[default]
    Down,
    /// Up: OpenGL's convention.
    Up,
}

impl Green {
    fn is_down(&self) -> bool {
        *self == Green::Down
    }
}

impl Layout {
    /// The layout of these products without a destination.
    #[cfg_attr(not(feature = "zarr"), expect(unused_variables, reason = "only arrays begin somewhere"))]
    pub(super) fn of(plan: &Plan, products: &[Product]) -> Self {
        let names = match products.iter().any(|product| product.format.is_array()) {
            #[cfg(feature = "zarr")]
            true => Names::Array([plan.tiles.x.start, plan.tiles.y.start]),
            _ => Names::default(),
        };
        Layout { names, ..Layout::default() }
    }

    /// Whether tiles are files of arrays.
    pub(super) fn is_array(self) -> bool {
        !matches!(self.names, Names::Tile | Names::Layer)
    }

    /// Whether a name belongs to a tile, in a folder of tiles or of arrays, and does not point outside the folder.
    pub(super) fn is_of(self, (x, y): (i64, i64), name: &str) -> bool {
        match self.names {
            Names::Tile | Names::Layer => tile_of(name) == Some((x, y)) && !name.contains(['/', '\\']),
            #[cfg(feature = "zarr")]
            Names::Array(first) => arrays::is_tile_file(name, since(first, (x, y))),
        }
    }

    /// Whether this is the layout without a destination.
    pub(super) fn is_plain(&self) -> bool {
        *self == Layout::default()
    }

    /// The file name of a tile's k-th product.
    pub(super) fn file_name(self, at: (i64, i64), product: &Product, k: usize) -> String {
        self.file_of(at, product, k, 1)
    }

    /// The file name of a tile's k-th product with a number of channels, which are an axis of its array.
    #[cfg_attr(not(feature = "zarr"), expect(unused_variables, reason = "only arrays have axes"))]
    pub(super) fn file_of(self, at: (i64, i64), product: &Product, k: usize, channels: usize) -> String {
        match self.names {
            #[cfg(feature = "zarr")]
            Names::Array(first) => arrays::tile_file(&product.layer, channels, since(first, at)),
            _ => self.named(at.0, at.1, product, k),
        }
    }

    /// The parts of file names besides the tile, for the products' files and the files that describe them.
    pub(super) fn beside_tiles(self, products: &[Product]) -> impl Iterator<Item = String> {
        products.iter().enumerate().flat_map(move |(k, product)| {
            let name = self.file_name((0, 0), product, k);
            let sidecar = product.format.has_sidecar().then(|| format!("{name}.json"));
            [Some(name), sidecar].into_iter().flatten().filter_map(|name| beside_tile(&name))
        })
    }

    /// The file name of the k-th product with `{x}` and `{y}` in place of the tile's numbers.
    pub(super) fn pattern(self, product: &Product, k: usize) -> String {
        self.named("{x}", "{y}", product, k)
    }

    fn named(self, x: impl Display, y: impl Display, product: &Product, k: usize) -> String {
        let extension = if self.raw && product.format.has_sidecar() { "raw" } else { product.format.extension() };
        match self.names {
            Names::Layer => format!("{}_x{x}_y{y}.{extension}", without_tiles(&product.layer)),
            _ if k > 0 => format!("x{x}_y{y}.{}.{extension}", as_name(&product.layer)),
            _ => format!("x{x}_y{y}.{extension}"),
        }
    }

    /// Whether y is mirrored in normal maps of a format.
    pub(super) fn mirrors(self, format: Format, channels: usize) -> bool {
        self.green == Green::Up && channels == 3 && format.is_integer()
    }

    /// Whether files of a format begin with the largest y.
    pub(super) fn turns(self, format: Format) -> bool {
        self.rows == RowOrder::Up && format.has_sidecar()
    }
}

/// Columns and rows counted from a tile. It wraps, since a damaged record may name any tile.
#[cfg(feature = "zarr")]
fn since(first: [i64; 2], (x, y): (i64, i64)) -> [i64; 2] {
    [x.wrapping_sub(first[0]), y.wrapping_sub(first[1])]
}

/// Turns a layer's name, which is free text, into part of a file name.
pub(crate) fn as_name(layer: &str) -> String {
    let safe = |c: char| if c.is_alphanumeric() || "._-".contains(c) { c } else { '_' };
    layer.chars().map(safe).collect()
}

/// A layer's name in ASCII, in which Unreal finds no tile. A name with other letters ends with digits of its SHA-256, so that
/// different names stay different.
fn without_tiles(name: &str) -> String {
    if !name.is_ascii() {
        let ascii: String = name.chars().filter(char::is_ascii).collect();
        let hash = &hex(name.as_bytes())[..8];
        return without_tiles(&if ascii.is_empty() { format!("layer_{hash}") } else { format!("{ascii}_{hash}") });
    }
    let mut safe = String::new();
    for c in name.chars() {
        let c = if c.is_ascii_alphanumeric() { c } else { '_' };
        if c.is_ascii_digit() && safe.ends_with(['x', 'y', 'u', 'v', 'X', 'Y', 'U', 'V']) {
            safe.push('_');
        }
        safe.push(c);
    }
    safe
}

/// Reverses the order of rows.
pub(super) fn turn(values: &[f32], row: usize) -> Vec<f32> {
    values.chunks(row.max(1)).rev().flatten().copied().collect()
}

/// Negates the y of normals.
pub(super) fn mirror(values: &mut [f32]) {
    values.as_chunks_mut::<3>().0.iter_mut().for_each(|[_, y, _]| *y = -*y);
}

impl Layout {
    /// A layer as files of a format store it; `None` if that is its layout in memory.
    pub(super) fn laid(self, format: Format, layer: &Layer) -> Option<Layer> {
        let (turns, mirrors) = (self.turns(format), self.mirrors(format, layer.channels));
        if !turns && !mirrors {
            return None;
        }
        let row = layer.region.size[0] as usize * layer.channels;
        let mut values = if turns { turn(&layer.values, row) } else { layer.values.clone() };
        if mirrors {
            mirror(&mut values);
        }
        Some(Layer { values, name: layer.name.clone(), ..*layer })
    }
}
