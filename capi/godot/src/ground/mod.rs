//! A recipe and what is asked of it, without Godot. Every error is a sentence.

mod parameters;
mod queue;
mod surface;

pub(crate) use queue::{Done, Queue};
pub(crate) use surface::{Shape, Surface};

use orogen::{Backend, Engine, EngineOptions, Layer, Pipeline, Prepared, Recipe, Region, Threads};
use std::path::Path;

/// Longest edge of an image or array, in samples: what Godot's images hold.
const LONGEST: i64 = 16_384;

/// A recipe, ready to be evaluated.
#[derive(Clone)]
pub(crate) struct Ground {
    engine: Engine,
    pipeline: Pipeline,
    /// The output if it is a node; `None` if it is a stage.
    noise: Option<Prepared>,
}

/// A grid of samples. Sample i of a row lies at (x + i) · spacing: samples at the same place have the same bits in every grid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    /// Indices of the first sample.
    pub(crate) at: [i64; 2],
    /// Samples along each axis.
    pub(crate) size: [i64; 2],
    /// World units from sample to sample.
    pub(crate) spacing: f64,
}

impl Window {
    fn region(&self) -> Result<Region, String> {
        let edge = |what: &str, size: i64| match u32::try_from(size) {
            Ok(edge) if (1..=LONGEST).contains(&size) => Ok(edge),
            _ => Err(format!("{what} = {size} is not allowed; allowed: 1 to {LONGEST}")),
        };
        let size = [edge("width", self.size[0])?, edge("height", self.size[1])?];
        Ok(Region { origin: [self.at[0], self.at[1], 0], spacing: self.spacing, ..Region::plane(size[0], size[1]) })
    }
}

impl Ground {
    /// A recipe as text: JSON if it begins with a brace, else TOML. Files that its nodes name are not read: there is no folder.
    pub(crate) fn from_text(text: &str) -> Result<Self, String> {
        let recipe = if text.trim_start().starts_with('{') { Recipe::from_json(text, "recipe") } else { Recipe::from_toml(text, "recipe") };
        Ground::new(recipe.map_err(|error| error.to_string())?.pipeline, Threads::Shared)
    }

    /// Loads a recipe from a file, with the files that its nodes name, relative to it.
    pub(crate) fn load(path: &Path) -> Result<Self, String> {
        Ground::new(Recipe::load(path).map_err(|error| error.to_string())?.pipeline, Threads::Shared)
    }

    fn new(pipeline: Pipeline, threads: Threads) -> Result<Self, String> {
        let options = EngineOptions { backend: Backend::Cpu, threads, ..Default::default() };
        Ground::over(Engine::open(&options).map_err(|error| error.to_string())?, pipeline)
    }

    fn over(engine: Engine, pipeline: Pipeline) -> Result<Self, String> {
        pipeline.check().map_err(|error| error.to_string())?;
        let noise = pipeline.noise_of(&pipeline.output).ok();
        let noise = noise.map(|noise| engine.prepare(&noise)).transpose().map_err(|error| error.to_string())?;
        Ok(Ground { engine, pipeline, noise })
    }

    /// A copy that computes on the calling thread, for concurrent threads.
    pub(crate) fn alone(&self) -> Result<Self, String> {
        Ground::new(self.pipeline.clone(), Threads::Caller)
    }

    /// The recipe as TOML, with parameters as they stand.
    pub(crate) fn to_toml(&self) -> Result<String, String> {
        Recipe::new(self.pipeline.clone()).to_toml().map_err(|error| error.to_string())
    }

    /// The height at a position.
    pub(crate) fn height(&self, [x, y]: [f64; 2]) -> Result<f64, String> {
        let Some(noise) = &self.noise else {
            let output = &self.pipeline.output;
            return Err(format!(
                "the output '{output}' is a stage, whose heights depend on their neighbours; allowed: heights, image, mesh"
            ));
        };
        noise.value([x, y, 0.0]).map_err(|error| error.to_string())
    }

    /// Heights on a grid, row by row.
    pub(crate) fn heights(&self, window: &Window) -> Result<Vec<f32>, String> {
        Ok(self.layer(&window.region()?)?.values)
    }

    /// The same from 0 at the lower end of the range to 1 at the upper.
    pub(crate) fn normalised(&self, window: &Window) -> Result<Vec<f32>, String> {
        let [low, high] = self.range()?;
        // Of a range without extent, everything is at its lower end.
        let scale = if high > low { 1.0 / (high - low) } else { 0.0 };
        let unit = |height: f32| ((f64::from(height) - low) * scale).clamp(0.0, 1.0) as f32;
        Ok(self.heights(window)?.into_iter().map(unit).collect())
    }

    /// Proven lower and upper bounds of the heights.
    pub(crate) fn range(&self) -> Result<[f64; 2], String> {
        let unknown = || format!("no range is proven for the output '{}'", self.pipeline.output);
        let range = self.noise.as_ref().map_or_else(|| self.pipeline.range(&self.pipeline.output), |noise| Some(noise.range()));
        range.map(|range| [range.lo, range.hi]).ok_or_else(unknown)
    }

    fn layer(&self, region: &Region) -> Result<Layer, String> {
        let layer = match &self.noise {
            Some(noise) => noise.field(region).map_err(|error| error.to_string())?.into(),
            None => self.engine.layer(&self.pipeline, region).map_err(|error| error.to_string())?,
        };
        if layer.channels == 1 {
            return Ok(layer);
        }
        Err(format!("the output '{}' has {} numbers for each sample; allowed: one, a height", self.pipeline.output, layer.channels))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A recipe whose heights lie between 0 and 100.
    pub(crate) const HILLS: &str = r#"
        output = "height"
        [node.basis]
        kind = "simplex"
        wavelength = 80.0
        [node.raw]
        kind = "fractal"
        of = "basis"
        octaves = 4
        [node.height]
        kind = "spline"
        of = "raw"
        points = [{ at = -1.0, value = 0.0 }, { at = 1.0, value = 100.0 }]
    "#;

    const ERODED: &str = r#"
        output = "smooth"
        [node.basis]
        kind = "simplex"
        wavelength = 20.0
        [stage.smooth]
        kind = "thermal"
        of = "basis"
        iterations = 3
    "#;

    fn hills() -> Ground {
        Ground::from_text(HILLS).expect("a recipe")
    }

    fn window(at: [i64; 2], size: [i64; 2]) -> Window {
        Window { at, size, spacing: 1.0 }
    }

    #[test]
    fn heights_are_heights_wherever_the_window_is() {
        let ground = hills();
        let all = ground.heights(&window([-4, 9], [8, 6])).expect("heights");
        assert_eq!(all.len(), 48);
        let part = ground.heights(&window([-2, 12], [3, 2])).expect("heights");
        assert_eq!(part[..3], all[3 * 8 + 2..][..3]);
        assert_eq!(ground.height([-2.0, 12.0]), Ok(f64::from(part[0])));
        let coarse = ground.heights(&Window { spacing: 2.0, ..window([-2, 5], [4, 1]) }).expect("heights");
        assert_eq!(coarse[1], all[8 + 2], "sample -1 at two units a sample lies at -2");
    }

    #[test]
    fn the_range_is_kept_and_images_can_be_from_0_to_1() {
        let ground = hills();
        let [low, high] = ground.range().expect("a range");
        let everything = window([0, 0], [300, 300]);
        let (heights, unit) = (ground.heights(&everything).expect("heights"), ground.normalised(&everything).expect("heights"));
        assert!(heights.iter().all(|&height| (low..=high).contains(&f64::from(height))));
        assert!(unit.iter().all(|height| (0.0..=1.0).contains(height)));
        let back = f64::from(unit[1234]) * (high - low) + low;
        assert!((back - f64::from(heights[1234])).abs() < 1e-3);
        let flat = Ground::from_text("output = \"c\"\n[node.c]\nkind = \"constant\"\nvalue = 3.0").expect("a recipe");
        assert!(flat.normalised(&window([0, 0], [2, 2])).expect("heights").iter().all(|height| (0.0..=1.0).contains(height)));
    }

    #[test]
    fn recipes_are_read_as_toml_json_and_files() {
        let recipe = Recipe::from_toml(HILLS, "").expect("a recipe");
        let json = Ground::from_text(&recipe.to_json().expect("JSON")).expect("a recipe");
        assert_eq!(json.height([3.0, 4.0]), hills().height([3.0, 4.0]));
        let again = Ground::from_text(&hills().to_toml().expect("TOML")).expect("a recipe");
        assert_eq!(again.height([3.0, 4.0]), hills().height([3.0, 4.0]));
        // With a file next to it, which a recipe from text cannot name.
        let recipes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../recipes");
        let painted = Ground::load(&recipes.join("painted.toml")).expect("a recipe and its picture");
        assert!(painted.heights(&window([0, 0], [4, 4])).is_ok());
        assert!(Ground::load(&recipes.join("nothing.toml")).is_err_and(|error| error.contains("nothing.toml")));
    }

    #[test]
    fn stages_have_heights_on_grids_only() {
        let ground = Ground::from_text(ERODED).expect("a recipe");
        let all = ground.heights(&window([0, 0], [20, 20])).expect("heights");
        let part = ground.heights(&window([7, 8], [2, 2])).expect("heights");
        assert_eq!(part[..2], all[8 * 20 + 7..][..2]);
        assert!(ground.height([0.0, 0.0]).is_err_and(|error| error.contains("'smooth' is a stage")));
        let colour = format!("{ERODED}\n[stage.map]\nkind = \"colour\"\nby = \"smooth\"\nmap = \"viridis\"")
            .replace("output = \"smooth\"", "output = \"map\"");
        let colour = Ground::from_text(&colour).expect("a recipe");
        assert!(colour.heights(&window([0, 0], [4, 4])).is_err_and(|error| error.contains("one, a height")));
    }

    #[test]
    fn what_makes_no_sense_is_said() {
        let said = |text: &str| Ground::from_text(text).err().expect("an error");
        assert!(said("").contains("output"));
        assert!(said("{").starts_with("recipe:1:"));
        assert!(said(&HILLS.replace("80.0", "-5")).contains("wavelength = -5 is not allowed"), "{}", said(&HILLS.replace("80.0", "-5")));
        for size in [[0, 1], [1, -1], [1, LONGEST + 1], [i64::MIN, i64::MAX]] {
            assert!(hills().heights(&window([0, 0], size)).is_err_and(|error| error.contains("1 to 16384")));
        }
        for spacing in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(hills().heights(&Window { spacing, ..window([0, 0], [2, 2]) }).is_err_and(|error| error.contains("spacing")));
        }
        assert!(hills().heights(&window([i64::MAX, i64::MIN], [2, 2])).is_err());
        assert!(hills().height([f64::NAN, 0.0]).is_err() && hills().height([1e300, 0.0]).is_err());
    }
}
