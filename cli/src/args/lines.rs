//! Arguments for lines: contours, coasts, edges and rivers.

use super::changes::ChangeArgs;
use super::{EngineArgs, Position, finite, positive, share};
use orogen::rivers::RiverOptions;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub struct ContoursArgs {
    /// The recipe.
    pub recipe: PathBuf,
    #[command(flatten)]
    pub changes: ChangeArgs,
    /// The lines to write: .svg or .geojson.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Values of the lines. Samples of exactly such a value count as below the line.
    #[arg(long, value_name = "VALUE,..", value_delimiter = ',', allow_hyphen_values = true, conflicts_with = "interval", value_parser = finite)]
    pub levels: Vec<f64>,
    /// Difference between the values of successive lines, instead of --levels [default: a tenth of the range of values].
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true, value_parser = finite)]
    pub interval: Option<f64>,
    /// Width and height of the sampled area, in samples.
    #[arg(long, value_name = "W,H", default_value = "512,512")]
    pub size: String,
    /// The node, stage or output of a stage [default: the recipe's output].
    #[arg(long, value_name = "NAME")]
    pub layer: Option<String>,
    #[command(flatten)]
    pub engine: EngineArgs,
}

#[derive(Debug, clap::Args)]
pub struct CoastArgs {
    /// The recipe. Its output is the noise.
    pub recipe: PathBuf,
    #[command(flatten)]
    pub changes: ChangeArgs,
    /// The line to write: .svg or .geojson.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Centre of the island; the noise is sampled at its z [default: 0,0 at the recipe's z].
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    pub centre: Option<Position>,
    /// Distance from the centre to the coast where the noise is 0, in world units.
    #[arg(long, value_name = "UNITS", default_value_t = 100.0, allow_hyphen_values = true, value_parser = positive)]
    pub radius: f64,
    /// Displacement of the coast per 1.0 of the noise, in world units.
    #[arg(long, value_name = "UNITS", default_value_t = 40.0, allow_hyphen_values = true, value_parser = finite)]
    pub amplitude: f64,
    /// Radius of the circle on which the noise is sampled [default: --radius].
    #[arg(long, value_name = "UNITS", value_parser = finite)]
    pub circle: Option<f64>,
    /// Number of points in the line.
    #[arg(long, value_name = "N", default_value_t = 2048, value_parser = clap::value_parser!(u32).range(3..=1 << 24))]
    pub points: u32,
    #[command(flatten)]
    pub engine: EngineArgs,
}

/// A point in the plane.
#[derive(Clone, Copy, Debug)]
pub struct Point(pub [f64; 2]);

impl std::str::FromStr for Point {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers: Option<Vec<f64>> = text.split(',').map(|t| t.trim().parse().ok().filter(|x: &f64| x.abs() <= 1e15)).collect();
        let point = numbers.and_then(|numbers| <[f64; 2]>::try_from(numbers).ok());
        point.map(Point).ok_or_else(|| format!("'{text}' is not X,Y: two numbers of magnitude up to 1e15 world units"))
    }
}

#[derive(Debug, clap::Args)]
pub struct EdgeArgs {
    /// A point on the line. Repeat the option for two or more points, in order.
    #[arg(long, required = true, value_name = "X,Y", allow_hyphen_values = true)]
    pub through: Vec<Point>,
    /// The line to write: .svg or .geojson.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Maximum deviation to either side, in the middle between two points, as a share of their distance.
    #[arg(long, value_name = "SHARE", default_value_t = 0.5, value_parser = share)]
    pub width: f64,
    /// Roughness: 0 is a straight line.
    #[arg(long, value_name = "SHARE", default_value_t = 0.3, value_parser = share)]
    pub roughness: f64,
    /// Length of the longest straight part, in world units [default: 1/256 of the longest distance between points].
    #[arg(long, value_name = "UNITS", value_parser = finite)]
    pub finest: Option<f64>,
    /// Seed of the line.
    #[arg(long, value_name = "N", default_value_t = 0, allow_hyphen_values = true, value_parser = orogen::seed)]
    pub seed: u64,
}

#[derive(Debug, clap::Args)]
pub struct RiversArgs {
    /// The recipe.
    pub recipe: PathBuf,
    #[command(flatten)]
    pub changes: ChangeArgs,
    /// The rivers to write: .svg or .geojson.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Smallest drainage area of a river, in world units² [default: a thousandth of the world's area].
    #[arg(long, value_name = "UNITS²", value_parser = positive)]
    pub area: Option<f64>,
    /// Smallest area of a basin with an outline, in world units²; inf: no basins [default: --area].
    #[arg(long, value_name = "UNITS²", value_parser = area)]
    pub basin: Option<f64>,
    /// Smallest area of a lake with an outline, in world units²; inf: no lakes [default: a hundredth of --area].
    #[arg(long, value_name = "UNITS²", value_parser = area)]
    pub lake: Option<f64>,
    /// Width of a river divided by the square root of its drainage area. A river 5 m wide at 1 m³/s, with 300 mm of runoff a year, has 0.0005.
    #[arg(long, value_name = "RATIO", default_value_t = RiverOptions::new(1.0).width, value_parser = finite)]
    pub width: f64,
    /// Rounds of smoothing of the lines; without any, points are the centres of samples.
    #[arg(long, value_name = "N", default_value_t = RiverOptions::new(1.0).smoothing, value_parser = clap::value_parser!(u32).range(0..=64))]
    pub smoothing: u32,
    /// Width and height of the world, in samples [default: the tiles of the recipe's bake].
    #[arg(long, value_name = "W,H")]
    pub size: Option<String>,
    /// The stage drainage, or heights whose water to trace [default: the recipe's only stage drainage, else its output].
    #[arg(long, value_name = "NAME")]
    pub layer: Option<String>,
    /// Sea level, if the layer is heights: samples at or below it are outlets [default: the edge of the world alone].
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true, value_parser = finite)]
    pub sea: Option<f64>,
    #[command(flatten)]
    pub engine: EngineArgs,
}

/// An area in world units², or infinity.
fn area(text: &str) -> Result<f64, String> {
    let number = text.trim().parse().ok().filter(|x: &f64| *x >= 0.0);
    number.ok_or_else(|| format!("'{text}' is not allowed; allowed: 0 or more, or inf"))
}
