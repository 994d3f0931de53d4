//! Mountains and valleys in balance: heights at which rivers remove as much as uplift adds.
//!
//! By the stream power law with a slope exponent of 1, a river in balance has the slope U / (K·Aᵐ): uplift over erodibility and a
//! power of the drainage area. So heights are sums of slope times length along the water, from the outlets upwards (Steer 2021;
//! Tzathas, Gailleton, Steer and Cordonnier 2024). Slopes depend on the way of the water, which depends on the heights. Rounds of
//! routing and summing approach a fixed point. Each level starts from the heights of a level of half its resolution, so large
//! valleys are found where a round costs little.
//!
//! Every number is computed by one process in one order, so equal inputs have equal bits.

mod level;
mod refine;
mod slopes;

use level::Level;
use refine::refine;

/// Cells along the longer edge of the coarsest level, at most.
const COARSEST: u32 = 64;
/// Rounds at the coarsest level, where they cost little.
const FIRST_ROUNDS: u32 = 32;
/// Rounds at every other level.
const ROUNDS: u32 = 4;

/// The laws of a landscape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Laws {
    /// The exponent of the drainage area.
    pub concavity: f64,
    /// The largest slope, as height per distance.
    pub slope: f64,
    /// The distance over which crests are rounded, in world units.
    pub crest: f64,
    /// Largest random displacement of rivers at each level, in cells of that level.
    pub meander: f64,
    /// The height of the water where there is no uplift, in world units.
    pub sea: f64,
    pub seed: u32,
}

/// The ground that laws apply to: numbers of the cells of a grid, in rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ground<'a> {
    /// Cells along x and y, each 2 to 2¹⁶.
    pub size: [u32; 2],
    /// World units between cells.
    pub spacing: f64,
    /// World units per time. Cells without uplift are outlets.
    pub uplift: &'a [f32],
    /// World units per time that are removed at a drainage area of 1 and a slope of 1.
    pub erodibility: &'a [f32],
    /// The heights of outlets.
    pub base: &'a [f32],
}

/// A landscape in balance, in rows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Landscape {
    /// Heights without pits: the water of every cell reaches an outlet downhill.
    pub heights: Vec<f32>,
    /// The number of cells that drain through each cell, itself included.
    pub areas: Vec<u64>,
}

impl Laws {
    /// The landscape in balance; `None` if `stops` said so, which is asked between rounds.
    ///
    /// Time: about 0.5 µs per cell. Memory: [`BYTES`] per cell.
    pub fn balance(&self, ground: &Ground<'_>, stops: &dyn Fn() -> bool) -> Option<Landscape> {
        let longest = ground.size[0].max(ground.size[1]);
        let coarsest = (0..32).find(|level| (longest - 1) >> level < COARSEST).unwrap_or(0);
        let mut level = Level::new(self, ground, coarsest);
        let mut heights = level.flat();
        let mut rounds = FIRST_ROUNDS;
        loop {
            level.hold_outlets(&mut heights);
            for _ in 0..rounds {
                if stops() {
                    return None;
                }
                level.round(&mut heights);
            }
            level.limit_slopes(&mut heights);
            level.round_crests(&mut heights);
            if level.number == 0 {
                let areas = level.carve(&mut heights);
                return Some(Landscape { heights, areas });
            }
            let finer = Level::new(self, ground, level.number - 1);
            heights = refine(&heights, level.grid.size, finer.grid.size, &finer.chance());
            (level, rounds) = (finer, ROUNDS);
        }
    }
}

/// Bytes of memory per cell that [`Laws::balance`] takes at most, besides the ground.
pub(crate) const BYTES: u64 = 96;
