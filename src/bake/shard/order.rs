//! The order of a world's tiles: groups of 16 × 16 along a Z-order curve (Morton 1966), row by row within each group. Shards are
//! equal pieces of this order, so the tiles of a shard lie close together. The root hash uses this order, too, so it does not
//! depend on the shards.

use crate::bake::Tiles;
use std::ops::Range;

/// Tiles along each edge of a group. A group's first tile is a multiple of it.
const GROUP: i64 = 16;
/// Groups along each edge of the square that one folder contains.
const FOLDER: i64 = 32;

/// Iterates over the non-empty groups in order, and gives the tiles of each.
pub struct Groups {
    all: Tiles,
    /// A stack of squares of groups that are not visited yet, each by its first group and its edge.
    squares: Vec<(i64, i64, i64)>,
}

/// The groups of a world.
pub fn groups(all: &Tiles) -> Groups {
    let of = |range: &Range<i64>| range.start.div_euclid(GROUP)..(range.end - 1).div_euclid(GROUP) + 1;
    let (columns, rows) = (of(&all.x), of(&all.y));
    let edge = columns.end.abs_diff(columns.start).max(rows.end.abs_diff(rows.start)).next_power_of_two() as i64;
    Groups { all: all.clone(), squares: vec![(columns.start, rows.start, edge)] }
}

impl Groups {
    /// The tiles in a square.
    fn within(&self, (x, y, edge): (i64, i64, i64)) -> Tiles {
        let of = |range: &Range<i64>, group: i64| {
            let start = range.start.max(group * GROUP);
            start..range.end.min((group + edge) * GROUP).max(start)
        };
        Tiles { x: of(&self.all.x, x), y: of(&self.all.y, y) }
    }

    fn quarter(&mut self, (x, y, edge): (i64, i64, i64)) {
        let half = edge / 2;
        self.squares.extend([(x + half, y + half, half), (x, y + half, half), (x + half, y, half), (x, y, half)]);
    }

    /// Skips groups that end within the first `tiles` tiles, whole squares at once. Returns the number of skipped tiles.
    fn skip_tiles(&mut self, tiles: u64) -> u64 {
        let mut passed = 0;
        while let Some(square) = self.squares.pop() {
            let count = self.within(square).count();
            if passed + count <= tiles {
                passed += count;
            } else if square.2 > 1 {
                self.quarter(square);
            } else {
                self.squares.push(square);
                break;
            }
        }
        passed
    }
}

impl Iterator for Groups {
    type Item = Tiles;

    fn next(&mut self) -> Option<Tiles> {
        while let Some(square) = self.squares.pop() {
            let tiles = self.within(square);
            if tiles.count() == 0 {
                continue;
            }
            if square.2 == 1 {
                return Some(tiles);
            }
            self.quarter(square);
        }
        None
    }
}

/// The tiles of a shard, as numbers in the order. Empty if there is no such shard.
pub fn range(all: &Tiles, shard: u32, shards: u32) -> Range<u64> {
    let end = |shard: u32| (u128::from(all.count()) * u128::from(shard.min(shards)) / u128::from(shards.max(1))) as u64;
    end(shard)..end(shard.saturating_add(1))
}

/// The tiles of a shard: each group that it has a part of, with the shard's tiles in it.
pub fn shard(all: &Tiles, shard: u32, shards: u32) -> Vec<(Tiles, Vec<(i64, i64)>)> {
    let wanted = range(all, shard, shards);
    let mut groups = groups(all);
    let (mut first, mut found) = (groups.skip_tiles(wanted.start), Vec::new());
    for group in groups {
        let next = first + group.count();
        if next > wanted.start && first < wanted.end {
            let skipped = wanted.start.saturating_sub(first) as usize;
            let taken = (wanted.end.min(next) - first) as usize - skipped;
            found.push((group.clone(), group.each().skip(skipped).take(taken).collect()));
        }
        if next >= wanted.end {
            break;
        }
        first = next;
    }
    found
}

/// The shard of a tile; `None` if the world has no such tile.
pub fn shard_of(all: &Tiles, tile: (i64, i64), shards: u32) -> Option<u32> {
    let mut before = 0;
    for group in groups(all) {
        if let Some(within) = group.holds(tile).then(|| group.each().position(|other| other == tile)).flatten() {
            let number = before + within as u64;
            return (0..shards).find(|shard| range(all, *shard, shards).contains(&number));
        }
        before += group.count();
    }
    None
}

/// The folder of a tile's files. No folder has more than about a thousand entries, for worlds of any size.
pub fn folder((x, y): (i64, i64)) -> String {
    let [x, y] = [x, y].map(|i| i.div_euclid(GROUP));
    let [far_x, far_y] = [x, y].map(|i| i.div_euclid(FOLDER));
    format!("tiles/{far_x}_{far_y}/{x}_{y}")
}

/// The folders of tiles' files, as [`folder`] names them.
pub struct Folders {
    columns: Range<i64>,
    rows: Range<i64>,
}

impl Folders {
    pub fn new(all: &Tiles) -> Self {
        let of = |range: &Range<i64>| range.start.div_euclid(GROUP)..(range.end - 1).div_euclid(GROUP) + 1;
        Folders { columns: of(&all.x), rows: of(&all.y) }
    }

    fn far_of(range: &Range<i64>) -> Range<i64> {
        range.start.div_euclid(FOLDER)..(range.end - 1).div_euclid(FOLDER) + 1
    }

    /// The names of the outer folders.
    pub fn far(&self) -> impl Iterator<Item = String> + use<> {
        let (columns, rows) = (Self::far_of(&self.columns), Self::far_of(&self.rows));
        rows.flat_map(move |y| columns.clone().map(move |x| format!("{x}_{y}")))
    }

    /// Whether this is the name of an outer folder.
    pub fn is_far(&self, name: &str) -> bool {
        numbers(name).is_some_and(|(x, y)| Self::far_of(&self.columns).contains(&x) && Self::far_of(&self.rows).contains(&y))
    }

    /// Whether this is the name of a folder in an outer one.
    pub fn is_in(&self, far: &str, name: &str) -> bool {
        numbers(name).is_some_and(|(x, y)| {
            let outer = (x.div_euclid(FOLDER), y.div_euclid(FOLDER));
            numbers(far) == Some(outer) && self.columns.contains(&x) && self.rows.contains(&y)
        })
    }
}

/// Reads two numbers such as `3_-1`.
fn numbers(name: &str) -> Option<(i64, i64)> {
    let (x, y) = name.split_once('_')?;
    let number = |text: &str| text.parse::<i64>().ok().filter(|n| n.to_string() == text);
    Some((number(x)?, number(y)?))
}

/// Numbers of shards in the notation of schedulers: `0-3,7`.
pub(super) fn array(shards: &[u32]) -> String {
    let mut parts: Vec<(u32, u32)> = Vec::new();
    for &shard in shards {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == shard => *last = shard,
            _ => parts.push((shard, shard)),
        }
    }
    let text = parts.iter().map(|(first, last)| if first == last { first.to_string() } else { format!("{first}-{last}") });
    text.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn shards_share_out_every_tile_once_and_lie_close_together() {
        for all in [Tiles { x: -5..40, y: 3..61 }, Tiles { x: 0..1, y: -7..900 }, Tiles { x: 2..3, y: 5..6 }, Tiles { x: -1..1, y: -1..1 }]
        {
            for shards in [1, 2, 7, 37, 1000] {
                let mut seen = HashSet::new();
                for i in 0..shards {
                    let own: Vec<(i64, i64)> = shard(&all, i, shards).into_iter().flat_map(|(_, tiles)| tiles).collect();
                    assert_eq!(own.len() as u64, range(&all, i, shards).end - range(&all, i, shards).start);
                    assert!(own.iter().all(|tile| seen.insert(*tile)), "{all} {i}/{shards}: a tile twice");
                }
                let whole: HashSet<_> = all.y.clone().flat_map(|y| all.x.clone().map(move |x| (x, y))).collect();
                assert_eq!(seen, whole, "{all} {shards}");
            }
        }
        // A thousand million tiles are divided without visiting each tile or each group.
        let large = Tiles { x: 0..31_623, y: 0..31_623 };
        let far: Vec<_> = (0..1000).map(|i| shard(&large, i * 244, 244_000)).collect();
        assert!(far.iter().enumerate().all(|(i, own)| {
            let tiles = range(&large, i as u32 * 244, 244_000);
            own.iter().map(|(_, tiles)| tiles.len() as u64).sum::<u64>() == tiles.end - tiles.start
        }));
        let own = shard(&large, 777, 1000);
        let (width, height) = own.iter().fold(((i64::MAX, i64::MIN), (i64::MAX, i64::MIN)), |(x, y), (group, _)| {
            ((x.0.min(group.x.start), x.1.max(group.x.end)), (y.0.min(group.y.start), y.1.max(group.y.end)))
        });
        assert!(width.1 - width.0 < 8_192 && height.1 - height.0 < 8_192, "{width:?} {height:?}");
    }
}
