//! Traced worlds: the answers about a world's water, and how its heights are computed.

use crate::drainage::grade::Behind;
use crate::drainage::grid::{Grid, Rect};
use crate::drainage::group::Group;
use crate::drainage::levels::FACTOR;
use crate::drainage::passes::Routing;
use crate::drainage::rain::Rain;
use crate::drainage::record::Through;
use crate::drainage::shares::Shares;
use crate::drainage::surface::Outlets;
use crate::region::Region;
use crate::stage::{Grading, Pipeline, PreparedPipeline};
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Cells along each edge of a square. No result depends on it, but parts of shards and their checkpoints do.
pub const SQUARE: u32 = 512;

/// A finite world whose water is traced.
#[derive(Clone, Debug, PartialEq)]
pub struct DrainedWorld {
    /// Its samples.
    pub region: Region,
    pub grid: Grid,
    pub tracing: Tracing,
}

/// The parameters of tracing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tracing {
    pub outlets: Outlets,
    /// Whether a mask names further outlets.
    pub has_mask: bool,
    /// Passes of pits with shallower water are cut.
    pub breach: f32,
    pub rain: Rain,
}

/// Samples around a square that its computation reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Around {
    Nothing,
    /// Those within one sample that the world has.
    Halo,
}

/// The layers of a square with its halo.
#[derive(Clone, Copy)]
pub struct SquareLayers<'a> {
    pub heights: &'a [f32],
    /// Further outlets.
    pub mask: Option<&'a [f32]>,
    pub rain: Option<&'a [f32]>,
}

impl Tracing {
    /// The number of layers that are read.
    pub fn layers(&self) -> usize {
        1 + usize::from(self.has_mask) + usize::from(self.rain == Rain::Layer)
    }

    /// The layers of a square, in their order; `None` if one is missing.
    pub fn of_square<'a>(&self, mut layers: impl Iterator<Item = &'a [f32]>) -> Option<SquareLayers<'a>> {
        let heights = layers.next()?;
        let mask = if self.has_mask { Some(layers.next()?) } else { None };
        let rain = if self.rain == Rain::Layer { Some(layers.next()?) } else { None };
        Some(SquareLayers { heights, mask, rain })
    }
}

impl DrainedWorld {
    /// `None` if the world has no cells, or more squares than there are numbers.
    pub fn new(region: Region, seed: u32, tracing: Tracing) -> Option<Self> {
        let [width, height, depth] = region.size;
        let grid = Grid { size: [width, height], edge: SQUARE, seed };
        let [columns, rows] = grid.squares().map(u64::from);
        (depth == 1 && (1..u64::from(u32::MAX)).contains(&(columns * rows))).then_some(DrainedWorld { region, grid, tracing })
    }

    /// The samples of some cells.
    pub fn samples(&self, rect: &Rect) -> Region {
        let [x, y, z] = self.region.origin;
        let [left, top] = rect.first.map(i64::from);
        Region { origin: [x + left, y + top, z], size: [rect.size[0], rect.size[1], 1], ..self.region }
    }

    /// The samples of each square, with those around it.
    pub fn squares(&self, around: Around) -> impl Iterator<Item = Region> {
        (0..self.grid.count()).map(move |number| self.square(number, around))
    }

    /// The samples of each square of a group, with those around it.
    pub fn squares_of_group(&self, group: u32, around: Around) -> impl Iterator<Item = Region> {
        Group::new(&self.grid, self.grid.coarser(FACTOR).square(group)).numbers().map(move |number| self.square(number, around))
    }

    fn square(&self, number: u32, around: Around) -> Region {
        self.samples(&self.cells(number, around))
    }

    /// The cells of a square, with those around it.
    pub fn cells(&self, number: u32, around: Around) -> Rect {
        let square = self.grid.square(number);
        match around {
            Around::Nothing => square,
            Around::Halo => square.with_halo(&self.grid),
        }
    }

    /// The square whose samples, with those around it, a region has.
    pub fn square_of(&self, region: &Region, around: Around) -> Option<u32> {
        let first = [0, 1].map(|axis| u32::try_from(region.origin[axis].checked_sub(self.region.origin[axis])?).ok());
        let [x, y] = [first[0]?, first[1]?];
        // A halo begins in the square before, or at the edge of the world.
        let inside = |at: u32| if at == 0 || around == Around::Nothing { at } else { at + 1 };
        let number = self.grid.holder([inside(x), inside(y)]);
        let is_square = number < self.grid.count() && self.square(number, around) == *region;
        is_square.then_some(number)
    }

    /// Whether samples lie on those of the world: in the same spacing, level and place.
    pub fn shares_samples(&self, region: &Region) -> bool {
        let origin = [self.region.origin[0], self.region.origin[1], region.origin[2]];
        Region { origin, size: self.region.size, ..*region } == self.region
    }

    /// Whether it holds all samples of a region.
    pub fn holds(&self, region: &Region) -> bool {
        let within = |axis: usize| {
            let before = i128::from(region.origin[axis]) - i128::from(self.region.origin[axis]);
            before >= 0 && before + i128::from(region.size[axis]) <= i128::from(self.region.size[axis])
        };
        self.shares_samples(region) && within(0) && within(1)
    }
}

/// The answers about a world, for each of its squares.
#[derive(Debug)]
pub enum Answers {
    /// Of a stage `drainage`.
    Water { routings: Shares<Routing>, throughs: Shares<Through> },
    /// Of a stage `grade`.
    Grade { grading: Grading, behind: Shares<Behind> },
}

impl Answers {
    /// The parameters of a stage `grade`.
    pub fn grading(&self) -> Option<Grading> {
        match self {
            Answers::Water { .. } => None,
            Answers::Grade { grading, .. } => Some(*grading),
        }
    }

    /// The samples around a square that its computation reads.
    pub fn around(&self) -> Around {
        match self {
            Answers::Water { .. } => Around::Halo,
            Answers::Grade { .. } => Around::Nothing,
        }
    }

    /// Bytes in temporary files.
    fn on_disk(&self) -> u64 {
        match self {
            Answers::Water { routings, throughs } => routings.on_disk() + throughs.on_disk(),
            Answers::Grade { behind, .. } => behind.on_disk(),
        }
    }

    /// Memory in bytes, about.
    fn memory(&self) -> u64 {
        let bytes = match self {
            Answers::Water { routings, throughs } => {
                routings.sum(|routing| 4 * routing.dropped.len() + 20 * routing.roots.len() + 48)
                    + throughs.sum(|through| 32 * through.enters.len() + 32 * through.leaves.len() + 48)
            }
            Answers::Grade { behind, .. } => behind.sum(|behind| 16 * behind.heights.len() + 24),
        };
        bytes as u64
    }
}

/// A world that was traced: the answers for all of its squares, and the layers that it is traced from.
#[derive(Debug)]
pub struct Drained {
    /// The name of the stage.
    pub stage: String,
    pub world: DrainedWorld,
    /// Of `drainage` the heights, and a mask of outlets and rain if there are any. Of `grade` the water with its directions and areas, and
    /// a steepness that differs.
    pub inputs: Pipeline,
    /// Their names.
    pub names: Vec<String>,
    /// Data that they need, prepared at the first use.
    pub prepared: OnceLock<PreparedPipeline>,
    /// Those of the whole world, if they depend on a field of the caller's.
    pub given: OnceLock<Vec<Vec<f32>>>,
    pub answers: Answers,
    /// Different for every world that is traced.
    id: u64,
}

impl Drained {
    pub fn new(stage: String, world: DrainedWorld, (inputs, names): (Pipeline, Vec<String>), answers: Answers) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        Drained { stage, world, inputs, names, prepared: OnceLock::new(), given: OnceLock::new(), answers, id }
    }

    pub fn id(&self) -> u64 {
        self.id
    }

    /// Memory and temporary files in bytes, about.
    pub fn bytes(&self) -> u64 {
        self.memory() + self.answers.on_disk()
    }

    /// Memory in bytes, about.
    pub fn memory(&self) -> u64 {
        self.answers.memory()
    }
}
