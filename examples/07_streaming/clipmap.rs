//! A clipmap (Losasso and Hoppe 2004): squares of samples around the camera, each level twice as coarse as the previous one.
//! Every level is a ring buffer of tiles in both directions: tiles that come into reach replace those that are left behind.

use orogen::Region;

/// Samples along the edge of a tile.
pub const TILE: u32 = 32;
/// Tiles along the edge of a level: four are needed, plus one on either side that is made in advance.
pub const RING: usize = 6;
/// Levels; the coarsest reaches 2^(LEVELS + 5) world units.
pub const LEVELS: usize = 6;

/// A tile of a level, by its number along x and y.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    pub level: u32,
    pub at: [i64; 2],
}

impl Tile {
    /// Its samples.
    pub fn region(self) -> Region {
        let [x, y] = self.at.map(|tile| tile * i64::from(TILE));
        Region { origin: [x, y, 0], level: self.level, ..Region::plane(TILE, TILE) }
    }

    /// Its slot in the ring.
    pub fn slot(self) -> [usize; 2] {
        self.at.map(|tile| tile.rem_euclid(RING as i64) as usize)
    }
}

/// The existing tiles.
#[derive(Default)]
pub struct Clipmap {
    have: [[[Option<[i64; 2]>; RING]; RING]; LEVELS],
    /// The missing tiles, most urgent first; kept to reuse its memory.
    missing: Vec<(u64, Tile)>,
}

impl Clipmap {
    /// The next tiles to make for a camera with this position and direction: up to a maximum, required tiles before those needed
    /// later. They count as made. Also returns the number of required tiles that are left out.
    pub fn advance(&mut self, camera: [f64; 2], heading: [f64; 2], at_most: usize, make: &mut Vec<Tile>) -> usize {
        self.missing.clear();
        for level in 0..LEVELS as u32 {
            let edge = f64::from(TILE << level);
            // The corner of four tiles that is next to the camera.
            let centre = camera.map(|x| (x / edge).round() as i64);
            for (dx, dy) in (-3..3).flat_map(|dy| (-3..3).map(move |dx| (dx, dy))) {
                let tile = Tile { level, at: [centre[0] + dx, centre[1] + dy] };
                let [x, y] = tile.slot();
                if self.have[level as usize][y][x] == Some(tile.at) {
                    continue;
                }
                let needed = (-2..2).contains(&dx) && (-2..2).contains(&dy);
                // Tiles ahead come first, and fine levels, which are left behind soonest.
                let ahead = (dx as f64 + 0.5) * heading[0] + (dy as f64 + 0.5) * heading[1];
                let urgency = u64::from(!needed) * 1_000_000 + u64::from(level) * 1000 + (500.0 - 50.0 * ahead) as u64;
                self.missing.push((urgency, tile));
            }
        }
        self.missing.sort_unstable_by_key(|&(urgency, tile)| (urgency, tile.at));
        make.clear();
        for &(_, tile) in self.missing.iter().take(at_most) {
            let [x, y] = tile.slot();
            self.have[tile.level as usize][y][x] = Some(tile.at);
            make.push(tile);
        }
        self.missing.iter().skip(at_most).filter(|&&(urgency, _)| urgency < 1_000_000).count()
    }
}
