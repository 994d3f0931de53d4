//! The law of slopes along the water, and the squares that it grades.

use crate::drainage::grade::{Given, GradedSquare, HIGHEST, TooHigh};
use crate::stage::DrainedWorld;

/// The parameters of a stage `grade`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grading {
    /// That of all cells; `None` if a layer has that of each.
    pub steepness: Option<f32>,
    /// The exponent of the drainage area. With 0, areas are not read.
    pub concavity: f64,
    /// The limit of slopes.
    pub slope: Option<f64>,
}

/// The largest area whose power is in a table, in cells.
const TABLE: u32 = 256;

impl Grading {
    /// Whether areas are read.
    pub fn has_areas(&self) -> bool {
        self.concavity > 0.0
    }

    /// The number of layers that are read.
    pub fn layers(&self) -> usize {
        3 + usize::from(self.has_areas()) + usize::from(self.steepness.is_none())
    }

    /// A square without a halo, from its layers: the surface of the water, its direction along x and y, then areas and steepness if they
    /// are read. `None` if a layer is missing.
    ///
    /// # Errors
    /// The reason why a value cannot be used, with what is allowed.
    pub fn square<'a>(
        &self,
        world: &'a DrainedWorld,
        number: u32,
        mut layers: impl Iterator<Item = &'a [f32]>,
    ) -> Option<Result<GradedSquare<'a>, String>> {
        let (water, flow) = (layers.next()?, [layers.next()?, layers.next()?]);
        let areas = if self.has_areas() { Some(layers.next()?) } else { None };
        let steepness = if self.steepness.is_none() { Some(layers.next()?) } else { None };
        let (slopes, step) = (self.slopes(water.len(), world, areas, steepness), world.region.step());
        let given = Given { water, flow, sea: world.tracing.outlets.sea };
        let square = GradedSquare::new(&world.grid, world.grid.square(number), given, &slopes, step);
        Some(square.map_err(|TooHigh(height, [x, y])| {
            let [x, y] = [(0, x), (1, y)].map(|(axis, cell)| world.region.origin[axis] + i64::from(cell));
            format!("the height of the outlet at sample {x}, {y} is {height}; allowed: -{HIGHEST:e} to {HIGHEST:e}")
        }))
    }

    /// The slopes of a number of cells.
    fn slopes(&self, cells: usize, world: &DrainedWorld, areas: Option<&[f32]>, steepness: Option<&[f32]>) -> Vec<f32> {
        let cell = world.region.step() * world.region.step();
        let power = |area: f32| libm::pow(f64::from(area), self.concavity);
        // Most cells drain few others.
        let table: Vec<f64> = (0..=TABLE).map(|cells| power((f64::from(cells) * cell) as f32)).collect();
        let power = |area: f32| {
            let cells = (f64::from(area) / cell).round() as usize;
            match table.get(cells) {
                Some(found) if (cells as f64 * cell) as f32 == area => *found,
                _ => power(area),
            }
        };
        let slope = |at: usize| {
            let steepness = self.steepness.or_else(|| steepness?.get(at).copied()).unwrap_or(0.0);
            let steep = f64::from(steepness.max(0.0)) / areas.map_or(1.0, |areas| power(areas[at]));
            let slope = self.slope.map_or(steep, |limit| steep / (1.0 + (steep / limit) * (steep / limit)).sqrt());
            slope as f32
        };
        (0..cells).map(slope).collect()
    }
}
