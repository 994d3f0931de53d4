//! The tiles of a bake, and the samples of each.

use crate::not_allowed::NotAllowed;
use crate::recipe::Destination;
use crate::region::{LARGEST_TILE, MOST_TILES, Region, RegionError};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::ops::Range;
use std::str::FromStr;

/// Most tiles of a world of shards.
const MOST_TILES_OF_SHARDS: u64 = 1 << 31;

/// A rectangle of tiles, half open. As text: `X0..X1,Y0..Y1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Tiles {
    /// Tile columns.
    pub x: Range<i64>,
    /// Tile rows.
    pub y: Range<i64>,
}

/// Tiles of a world. Neighbours share samples bit for bit, at any tile size.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Samples from one tile's origin to the next.
    pub tile: u32,
    /// The tiles.
    pub tiles: Tiles,
    /// Additional samples of every tile along x and y; 1 shares the edge with the neighbour.
    pub overlap: u32,
    /// Level of detail.
    pub level: u32,
    /// World units between samples at level 0.
    pub spacing: f64,
    /// World height of the plane.
    pub z: f64,
}

/// Neighbouring tiles that are computed together.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Group {
    /// Columns and rows of the tiles.
    pub tiles: Vec<(i64, i64)>,
    /// Their samples.
    pub region: Region,
}

/// The reason why a plan is invalid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// A number is not allowed.
    #[error(transparent)]
    NotAllowed(#[from] NotAllowed),
    /// A choice has an unknown name.
    #[error("unknown field '{name}'; {instead}")]
    Unknown {
        /// The name.
        name: String,
        /// The known names, or the closest one.
        instead: String,
    },
    /// The destination does not support it.
    #[error("for {destination}: {wrong}")]
    Destination {
        /// The destination.
        destination: Destination,
        /// The option and its value.
        wrong: NotAllowed,
    },
    /// A map cannot contain it.
    #[error("for a map: {0}")]
    Map(NotAllowed),
    /// The region of a tile is invalid.
    #[error(transparent)]
    Region(#[from] RegionError),
}

impl PlanError {
    pub(crate) fn not_allowed(what: &'static str, value: impl ToString, allowed: impl Into<Cow<'static, str>>) -> Self {
        PlanError::NotAllowed(NotAllowed::new(what, value, allowed))
    }

    #[cfg(feature = "maps")]
    pub(crate) fn map(what: &'static str, value: impl ToString, allowed: impl Into<Cow<'static, str>>) -> Self {
        PlanError::Map(NotAllowed::new(what, value, allowed))
    }
}

impl Tiles {
    /// The number of tiles.
    pub fn count(&self) -> u64 {
        self.x.end.abs_diff(self.x.start).saturating_mul(self.y.end.abs_diff(self.y.start))
    }

    /// Whether a tile is in the rectangle.
    pub fn holds(&self, (x, y): (i64, i64)) -> bool {
        self.x.contains(&x) && self.y.contains(&y)
    }

    /// Whether all of these tiles are.
    pub fn holds_all(&self, tiles: &Tiles) -> bool {
        let within = |all: &Range<i64>, part: &Range<i64>| all.start <= part.start && part.end <= all.end;
        within(&self.x, &tiles.x) && within(&self.y, &tiles.y)
    }

    /// Columns and rows, rows first.
    pub(crate) fn each(&self) -> impl Iterator<Item = (i64, i64)> + use<> {
        let columns = self.x.clone();
        self.y.clone().flat_map(move |y| columns.clone().map(move |x| (x, y)))
    }

    /// The smallest rectangle that contains these tiles; `None` if there are none.
    pub(crate) fn around(tiles: impl Iterator<Item = (i64, i64)>) -> Option<Tiles> {
        let wider = |all: Range<i64>, i: i64| all.start.min(i)..all.end.max(i + 1);
        let one = |(x, y)| Tiles { x: x..x + 1, y: y..y + 1 };
        tiles.fold(None, |all: Option<Tiles>, at| match all {
            None => Some(one(at)),
            Some(all) => Some(Tiles { x: wider(all.x, at.0), y: wider(all.y, at.1) }),
        })
    }
}

impl Plan {
    /// Samples of all tiles along x and y, without overlap.
    pub fn samples(&self) -> [u64; 2] {
        [&self.tiles.x, &self.tiles.y].map(|tiles| tiles.end.abs_diff(tiles.start).saturating_mul(u64::from(self.tile)))
    }

    /// World units between samples.
    pub fn step(&self) -> f64 {
        self.region((self.tiles.x.start, self.tiles.y.start)).step()
    }

    /// Checks every number, and the regions of the outermost tiles.
    ///
    /// # Errors
    /// Returns the first problem.
    pub fn check(&self) -> Result<(), PlanError> {
        let refuse = |what, value: String, allowed: &'static str| Err(PlanError::not_allowed(what, value, allowed));
        if !(1..=LARGEST_TILE).contains(&self.tile) {
            return refuse("tile", self.tile.to_string(), "1 to 16384 samples");
        }
        if self.overlap > self.tile {
            return refuse("overlap", self.overlap.to_string(), "0 to the tile size");
        }
        if self.tiles.x.is_empty() || self.tiles.y.is_empty() {
            return refuse("tiles", self.tiles.to_string(), "A..B with A below B, along x and y");
        }
        if self.count() > MOST_TILES_OF_SHARDS {
            return Err(self.too_many("at most 2147483648 tiles in all, as a world of shards"));
        }
        if !self.z.is_finite() {
            return refuse("z", self.z.to_string(), "finite world units");
        }
        self.corners().iter().try_for_each(Region::check)?;
        Ok(())
    }

    /// Refuses more tiles than one process can keep records of.
    pub(crate) fn check_alone(&self, allowed: &'static str) -> Result<(), PlanError> {
        if self.count() > MOST_TILES { Err(self.too_many(allowed)) } else { Ok(()) }
    }

    fn too_many(&self, allowed: &'static str) -> PlanError {
        PlanError::not_allowed("tiles", format!("{} ({} tiles)", self.tiles, self.count()), allowed)
    }

    /// The number of tiles.
    pub fn count(&self) -> u64 {
        self.tiles.count()
    }

    /// Whether a tile belongs to the plan.
    pub fn holds(&self, tile: (i64, i64)) -> bool {
        self.tiles.holds(tile)
    }

    /// Column and row of the tile with this number, row by row.
    pub fn tile_at(&self, index: u64) -> (i64, i64) {
        let columns = self.tiles.x.end.abs_diff(self.tiles.x.start).max(1);
        (self.tiles.x.start + (index % columns) as i64, self.tiles.y.start + (index / columns) as i64)
    }

    /// The number of a tile, row by row.
    pub(crate) fn number(&self, (x, y): (i64, i64)) -> u64 {
        let columns = self.tiles.x.end.abs_diff(self.tiles.x.start);
        y.abs_diff(self.tiles.y.start) * columns + x.abs_diff(self.tiles.x.start)
    }

    /// The samples of a tile.
    pub fn region(&self, (x, y): (i64, i64)) -> Region {
        let size = self.tile + self.overlap;
        Region {
            size: [size, size, 1],
            level: self.level,
            spacing: self.spacing,
            anchor: [0.0, 0.0, self.z],
            ..Region::tile(x, y, self.tile)
        }
    }

    /// The regions of the tiles in the four corners.
    pub fn corners(&self) -> [Region; 4] {
        let Tiles { x, y } = &self.tiles;
        [(x.start, y.start), (x.end - 1, y.start), (x.start, y.end - 1), (x.end - 1, y.end - 1)].map(|tile| self.region(tile))
    }

    /// The samples of the smallest rectangle of tiles that contains these; `None` if there are none.
    pub(crate) fn around(&self, tiles: &[(i64, i64)]) -> Option<Region> {
        let Tiles { x, y } = Tiles::around(tiles.iter().copied())?;
        let size = |range: &Range<i64>| (range.end - range.start) as u32 * self.tile + self.overlap;
        Some(Region { size: [size(&x), size(&y), 1], ..self.region((x.start, y.start)) })
    }

    /// The world as regions that do not overlap: every sample once.
    pub(crate) fn world(&self) -> Vec<Region> {
        let own = Plan { overlap: 0, ..self.clone() };
        // Square groups whose edge fits the size of a region.
        let along = (i64::from(u32::MAX) / i64::from(self.tile.max(1))).clamp(1, 1 << 8);
        own.groups_of(along).map(|group| group.region).collect()
    }

    /// The samples of all tiles, including shared ones, as regions of up to 16 × 16 tiles.
    pub(crate) fn squares(&self) -> Vec<Region> {
        self.groups_of(16).map(|group| group.region).collect()
    }

    /// The tiles in square groups. Each group fits a block of `edge` × `edge` samples, or is a single tile that is larger.
    pub(crate) fn groups(&self, edge: u32) -> impl Iterator<Item = Group> + '_ {
        self.groups_of(i64::from(edge.saturating_sub(self.overlap) / self.tile).max(1))
    }

    fn groups_of(&self, along: i64) -> impl Iterator<Item = Group> + '_ {
        let Tiles { x: columns, y: rows } = self.tiles.clone();
        let end = columns.end;
        let starts = move |range: Range<i64>| range.step_by(along as usize);
        starts(rows.clone()).flat_map(move |y| starts(columns.clone()).map(move |x| (x, y))).map(move |(x, y)| {
            let (x_end, y_end) = ((x + along).min(end), (y + along).min(rows.end));
            let tiles = (y..y_end).flat_map(|y| (x..x_end).map(move |x| (x, y))).collect();
            let size = |count: i64| count as u32 * self.tile + self.overlap;
            Group { tiles, region: Region { size: [size(x_end - x), size(y_end - y), 1], ..self.region((x, y)) } }
        })
    }
}

impl std::fmt::Display for Tiles {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}..{},{}..{}", self.x.start, self.x.end, self.y.start, self.y.end)
    }
}

impl From<Tiles> for String {
    fn from(tiles: Tiles) -> Self {
        tiles.to_string()
    }
}

impl TryFrom<String> for Tiles {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl FromStr for Tiles {
    type Err = String;

    /// `X0..X1,Y0..Y1`, half open.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("'{text}' is not X0..X1,Y0..Y1 (half open, whole numbers of magnitude up to 2^53)");
        let range = |text: &str| -> Option<Range<i64>> {
            let (start, end) = text.split_once("..")?;
            let number = |t: &str| t.trim().parse::<i64>().ok().filter(|n| n.unsigned_abs() <= 1 << 53);
            Some(number(start)?..number(end)?)
        };
        let (x, y) = text.split_once(',').ok_or_else(wrong)?;
        Ok(Tiles { x: range(x).ok_or_else(wrong)?, y: range(y).ok_or_else(wrong)? })
    }
}
