//! What was typed.

mod maps;
mod worlds;

pub use maps::{AnyFormat, MapArgs, MapFormat, MapVerbArgs};
pub use worlds::{BakeArgs, CheckArgs, JobsArgs, MeasureArgs, PlanArgs, Scheduler, SealArgs, StatusArgs};

use clap::{Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use orogen::export::{Language, Storage};
use std::path::PathBuf;

/// GPU compute noise: one recipe, the same bits on GPU and CPU.
#[derive(Debug, Parser)]
#[command(
    name = "orogen",
    version,
    about,
    after_help = "Exit codes: 0 ok, 1 unexpected, 2 usage, 4 what was verified or checked is not as it should be, 65 bad recipe or points, 69 no adapter, 74 I/O, 75 stopped by a signal or for want of memory or a device (safe to retry)."
)]
pub struct Args {
    #[command(subcommand)]
    pub verb: Verb,
}

#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Bake a recipe into tiles, a manifest and a shaded overview; or a shard of a world that is planned.
    Bake(BakeArgs),
    /// Plan a world that many processes bake, each a shard.
    Plan(PlanArgs),
    /// Measure what a planned world is needed for as a whole, before its shards are baked.
    Measure(MeasureArgs),
    /// What is done of a planned world, and which shards are missing.
    Status(StatusArgs),
    /// Print a planned world's missing shards as a submission to a scheduler.
    Jobs(JobsArgs),
    /// Find that a planned world is whole, and write its manifest and root hash; exit code 4 if shards are missing.
    Seal(SealArgs),
    /// Make a map out of a bake that is done, by one process or by shards: as `bake` does with the format of a map.
    Map(MapVerbArgs),
    /// Read every file of a bake back and compare it with its record; exit code 4 if one is missing, damaged or foreign.
    Check(CheckArgs),
    /// Print a recipe's values at points.
    Sample(SampleArgs),
    /// Draw a shaded picture of a recipe.
    Preview(PreviewArgs),
    /// Measure a recipe: a page of its values, spectrum, isotropy, range and cost.
    Inspect(InspectArgs),
    /// Measure what `equalise` nodes need, and write the recipe with it.
    Equalise(EqualiseArgs),
    /// Sample a recipe at the centres of hexagons: a table or a picture.
    Hexmap(HexmapArgs),
    /// The power spectrum of a recipe or any of its layers, as data or as a plot.
    Spectrum(SpectrumArgs),
    /// Points with a distance between them, and a density: trees, stones, towns.
    Places(PlacesArgs),
    /// Contour lines of a recipe.
    Contours(ContoursArgs),
    /// A closed line around a point, with a noise for its radius: an island's coast.
    Coast(CoastArgs),
    /// A noisy line through points: a river, a road, a border.
    Edge(EdgeArgs),
    /// A recipe as a volume of samples, or the surface of what is solid in it as a mesh.
    Volume(VolumeArgs),
    /// Write a recipe as source code for other engines: one file with the noise as a function of position.
    Export(ExportArgs),
    /// Compare backends, tilings and levels of detail; exit code 4 on a mismatch.
    Verify(VerifyArgs),
    /// List adapters and what their bits are worth.
    Info(InfoArgs),
    /// Print the JSON Schema of recipes.
    Schema,
    /// Print the completion script of a shell.
    Completions(CompletionsArgs),
    /// Write the manual pages of all commands into a directory.
    Manual(ManualArgs),
    /// Open the studio: a page in the browser, served from this machine to this machine.
    #[cfg(feature = "serve")]
    Serve(ServeArgs),
}

/// Where noise is evaluated.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum BackendArg {
    /// The best hardware GPU, else the CPU.
    #[default]
    Auto,
    /// The best adapter, software ones included.
    Gpu,
    /// The CPU in f32.
    Cpu,
    /// The CPU in f64.
    Oracle,
}

/// How GPU kernels round.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum ArithmeticArg {
    /// The same bits as the CPU.
    Exact,
    /// What the driver makes of it.
    Fast,
}

#[derive(Clone, Debug, Default, clap::Args)]
pub struct EngineArgs {
    /// Where to evaluate.
    #[arg(long, value_enum, default_value = "auto")]
    pub backend: BackendArg,
    /// Part of the name of the adapter to use (also: the variable OROGEN_ADAPTER).
    #[arg(long, value_name = "NAME")]
    pub adapter: Option<String>,
    /// How GPU kernels round [default: exact where the adapter offers it].
    #[arg(long, value_enum)]
    pub arithmetic: Option<ArithmeticArg>,
    /// MiB that stages may take at a time: more means less work for halos, and the same bits [default: 1024].
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 24))]
    pub memory: Option<u64>,
    /// Threads that the CPU computes with [default: one for each core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,
    /// Say on standard error what evaluates, why no GPU does, and what the command is predicted to take.
    #[arg(short, long)]
    pub verbose: bool,
    /// Begin also what is predicted to take hours, or more than 16 GB of memory.
    #[arg(long)]
    pub force: bool,
}

#[derive(Debug, clap::Args)]
pub struct CompletionsArgs {
    /// The shell that reads the script.
    #[arg(value_enum)]
    pub shell: Shell,
}

#[derive(Debug, clap::Args)]
pub struct ManualArgs {
    /// The directory of the pages `orogen.1`, `orogen-bake.1` and so on. It is created if it does not exist.
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
}

#[cfg(feature = "serve")]
#[derive(Debug, clap::Args)]
pub struct ServeArgs {
    /// The recipe, in TOML: opened, saved to, and watched. It need not be there yet.
    pub recipe: Option<PathBuf>,
    /// The port on 127.0.0.1; 0 for any that is free.
    #[arg(long, default_value_t = 7373)]
    pub port: u16,
    /// The directory in which the page may bake [default: the recipe's].
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Open the page in the browser.
    #[arg(long)]
    pub open: bool,
    /// Say on standard error how long each block of samples took.
    #[arg(long)]
    pub timings: bool,
    #[command(flatten)]
    pub engine: EngineArgs,
}

/// How a picture shows values.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub enum ShadeArg {
    /// As heights, under light.
    Relief,
    /// As colours.
    Flat,
}

/// An sRGB colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Colour(pub [u8; 3]);

impl std::str::FromStr for Colour {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digits = (text.len() == 6 && text.bytes().all(|c| c.is_ascii_hexdigit())).then(|| u32::from_str_radix(text, 16).ok());
        let [_, rgb @ ..] = digits.flatten().ok_or_else(|| format!("'{text}' is no colour of six hexadecimal digits"))?.to_be_bytes();
        Ok(Colour(rgb))
    }
}

#[derive(Debug, clap::Args)]
pub struct SampleArgs {
    /// The recipe.
    pub recipe: PathBuf,
    /// File of points in world units, one on a line: `x y z`, or a table whose header names the columns x, y and z (without z: the recipe's z);
    /// - reads standard input.
    #[arg(long, value_name = "FILE|-")]
    pub points: PathBuf,
    /// Print the gradient after the value.
    #[arg(long)]
    pub gradient: bool,
    /// Print the sum of the values so far: noise as movement.
    #[arg(long, conflicts_with = "gradient")]
    pub sum: bool,
    #[command(flatten)]
    pub engine: EngineArgs,
    /// Print one JSON object per line.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, clap::Args)]
pub struct PreviewArgs {
    /// The recipe.
    pub recipe: PathBuf,
    /// The PNG to write.
    #[arg(short, long, value_name = "FILE.png")]
    pub output: PathBuf,
    /// Width and height in pixels.
    #[arg(long, value_name = "W,H", default_value = "768,768")]
    pub size: String,
    /// The node, stage or output of a stage (eroded.water) to draw [default: the recipe's output].
    #[arg(long, value_name = "NAME")]
    pub layer: Option<String>,
    /// How values are drawn.
    #[arg(long, value_enum, default_value = "relief")]
    pub shade: ShadeArg,
    /// Colours from the lowest value to the highest, as hexadecimal sRGB [default: a landscape's, or greys when flat].
    #[arg(long, value_name = "RRGGBB,..", value_delimiter = ',')]
    pub colours: Vec<Colour>,
    /// Water below this value.
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true, value_parser = finite32)]
    pub sea: Option<f32>,
    #[command(flatten)]
    pub engine: EngineArgs,
}

#[derive(Debug, clap::Args)]
pub struct InspectArgs {
    /// The recipe.
    pub recipe: PathBuf,
    /// The page to write: one file that needs no other.
    #[arg(short, long, value_name = "FILE.html", required_unless_present = "json")]
    pub output: Option<PathBuf>,
    /// Samples along each edge of the square that is measured, 64 to 2048.
    #[arg(long, value_name = "N", default_value_t = 512)]
    pub size: u32,
    /// World units from sample to sample [default: the recipe's].
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = finite)]
    pub spacing: Option<f64>,
    /// Frequencies of slope and isotropy, in cycles per sample [default: 4 per edge to 0.25].
    #[arg(long, value_name = "LO,HI", allow_hyphen_values = true)]
    pub band: Option<String>,
    #[command(flatten)]
    pub engine: EngineArgs,
    /// Print the figures as JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, clap::Args)]
pub struct EqualiseArgs {
    /// The recipe.
    pub recipe: PathBuf,
    /// The recipe to write: TOML, or JSON if its name ends in .json. Comments are not kept.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// World units to either side of the origin over which values are measured.
    #[arg(long, value_name = "UNITS", default_value_t = 1e6, allow_hyphen_values = true, value_parser = finite)]
    pub extent: f64,
    #[command(flatten)]
    pub engine: EngineArgs,
}

/// A half-open range of whole numbers, `A..B`.
#[derive(Clone, Debug)]
pub struct Span(pub std::ops::Range<i32>);

impl std::str::FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("'{text}' is not allowed; allowed: A..B of whole numbers from -16777216 to 16777216, B above A by 1 to 4096");
        let (a, b) = text.split_once("..").ok_or_else(wrong)?;
        let number = |t: &str| t.trim().parse::<i32>().ok().filter(|x| x.unsigned_abs() <= 1 << 24).ok_or_else(wrong);
        let (a, b) = (number(a)?, number(b)?);
        if a < b && b - a <= 4096 { Ok(Span(a..b)) } else { Err(wrong()) }
    }
}

#[derive(Debug, clap::Args)]
pub struct HexmapArgs {
    /// The recipe; hexagons lie at its z.
    pub recipe: PathBuf,
    /// What to write: a table (.csv, .json) of every hexagon, or a picture (.png).
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Axial columns, half open.
    #[arg(long, value_name = "A..B", default_value = "0..24", allow_hyphen_values = true)]
    pub q: Span,
    /// Axial rows, half open.
    #[arg(long, value_name = "A..B", default_value = "0..24", allow_hyphen_values = true)]
    pub r: Span,
    /// World units between the centres of neighbours: the `wavelength` of a hexagonal node.
    #[arg(long, value_name = "UNITS", default_value_t = 100.0, allow_hyphen_values = true, value_parser = finite)]
    pub wavelength: f64,
    /// Pixels between the centres of neighbours in a picture.
    #[arg(long, value_name = "N", default_value_t = 24)]
    pub pixels: u32,
    #[command(flatten)]
    pub engine: EngineArgs,
}

/// A position, `X,Y,Z`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Position(pub [f64; 3]);

impl std::str::FromStr for Position {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers: Option<Vec<f64>> = text.split(',').map(|t| t.trim().parse().ok().filter(|x: &f64| x.is_finite())).collect();
        let position = numbers.and_then(|numbers| <[f64; 3]>::try_from(numbers).ok());
        position.map(Position).ok_or_else(|| format!("'{text}' is not X,Y,Z: three finite numbers of magnitude up to 2^53 world units"))
    }
}

#[derive(Debug, clap::Args)]
pub struct ExportArgs {
    /// The recipe.
    pub recipe: PathBuf,
    /// The language of the file.
    #[arg(long, value_enum)]
    pub lang: Language,
    /// The file to write [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// World position from which the functions measure theirs: there they are exact.
    #[arg(long, value_name = "X,Y,Z", default_value = "0,0,0", allow_hyphen_values = true)]
    pub anchor: Position,
    /// Where parameters are: constants in the file, or storage buffers that can be filled anew.
    #[arg(long, value_enum, default_value = "inline")]
    pub tables: Storage,
    /// What the buffers are to hold, as JSON; with --tables buffer only [default: the file's name with .json added].
    #[arg(long, value_name = "FILE.json")]
    pub tables_out: Option<PathBuf>,
    /// Add a compute entry point that evaluates a buffer of positions; SPIR-V always has it.
    #[arg(long)]
    pub entry: bool,
    /// What all names begin with: several noises in one shader need several.
    #[arg(long, value_name = "NAME", default_value = "orogen")]
    pub prefix: String,
}

#[derive(Debug, clap::Args)]
pub struct VerifyArgs {
    /// The recipe.
    pub recipe: PathBuf,
    #[command(flatten)]
    pub engine: EngineArgs,
    /// Print the report as JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, clap::Args)]
pub struct InfoArgs {
    /// A file of heights: prints its size, the range of its numbers, the cells without a height, and, where the file says where it lies, the lines
    /// of a `raster` node that put it there, in the units of the file.
    pub file: Option<PathBuf>,
    #[command(flatten)]
    pub engine: EngineArgs,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// A rectangle of the world, `X0,Y0,X1,Y1`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    pub low: [f64; 2],
    pub high: [f64; 2],
}

impl std::str::FromStr for Area {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers: Option<Vec<f64>> = text.split(',').map(|t| t.trim().parse().ok().filter(|x: &f64| x.is_finite())).collect();
        let corners = numbers.and_then(|numbers| <[f64; 4]>::try_from(numbers).ok()).filter(|[a, b, c, d]| a < c && b < d);
        let [a, b, c, d] =
            corners.ok_or_else(|| format!("'{text}' is not X0,Y0,X1,Y1: finite world units with X0 below X1 and Y0 below Y1"))?;
        Ok(Area { low: [a, b], high: [c, d] })
    }
}

#[derive(Debug, clap::Args)]
pub struct PlacesArgs {
    /// The recipe: its output is the density, from 0 (nothing) to 1, unless --density names another.
    pub recipe: PathBuf,
    /// The table to write: .csv, .json, .bin (four little-endian f32 for each point: x and y from the area's corner, threshold,
    /// random), or .svg for a look at it.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// World units between any two points at least.
    #[arg(long, value_name = "UNITS", default_value_t = 10.0, allow_hyphen_values = true, value_parser = finite)]
    pub distance: f64,
    /// The part of the world [default: the recipe's tiles].
    #[arg(long, value_name = "X0,Y0,X1,Y1", allow_hyphen_values = true)]
    pub area: Option<Area>,
    /// The node whose value is the density, or `none` for as many points as fit.
    #[arg(long, value_name = "NODE")]
    pub density: Option<String>,
    /// Seed of where the points lie.
    #[arg(long, value_name = "N", default_value_t = 0, allow_hyphen_values = true, value_parser = orogen::seed)]
    pub seed: u64,
    /// Steps of Lloyd's relaxation: more even points, whose distance is no longer guaranteed.
    #[arg(long, value_name = "STEPS", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=64))]
    pub relax: u32,
    #[command(flatten)]
    pub engine: EngineArgs,
}

#[derive(Debug, clap::Args)]
pub struct ContoursArgs {
    /// The recipe.
    pub recipe: PathBuf,
    /// The lines to write: .svg or .geojson.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Values of the lines. Samples of exactly such a value count as below the line.
    #[arg(long, value_name = "VALUE,..", value_delimiter = ',', allow_hyphen_values = true, conflicts_with = "interval", value_parser = finite)]
    pub levels: Vec<f64>,
    /// Or from line to line [default: a tenth of what the values reach].
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true, value_parser = finite)]
    pub interval: Option<f64>,
    /// Width and height of the map, in samples.
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
    /// The recipe: its output is the noise.
    pub recipe: PathBuf,
    /// The line to write: .svg or .geojson.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Centre of the island, at whose z the noise is taken [default: 0,0 at the recipe's z].
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    pub centre: Option<Position>,
    /// World units from there to the coast, where the noise is 0.
    #[arg(long, value_name = "UNITS", default_value_t = 100.0, allow_hyphen_values = true, value_parser = positive)]
    pub radius: f64,
    /// World units by which the coast moves for 1.0 of the noise.
    #[arg(long, value_name = "UNITS", default_value_t = 40.0, allow_hyphen_values = true, value_parser = finite)]
    pub amplitude: f64,
    /// Radius of the circle on which the noise is taken [default: the coast's].
    #[arg(long, value_name = "UNITS", value_parser = finite)]
    pub circle: Option<f64>,
    /// Points of the line.
    #[arg(long, value_name = "N", default_value_t = 2048, value_parser = clap::value_parser!(u32).range(3..=1 << 24))]
    pub points: u32,
    #[command(flatten)]
    pub engine: EngineArgs,
}

/// A point of the plane.
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
    /// A point; two or more, in order.
    #[arg(long, required = true, value_name = "X,Y", allow_hyphen_values = true)]
    pub through: Vec<Point>,
    /// The line to write: .svg or .geojson.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// How far the line may go to either side in the middle between two points, as a share of their distance.
    #[arg(long, value_name = "SHARE", default_value_t = 0.5, value_parser = share)]
    pub width: f64,
    /// How uneven it is: 0 is a straight line.
    #[arg(long, value_name = "SHARE", default_value_t = 0.3, value_parser = share)]
    pub roughness: f64,
    /// World units of its longest straight part [default: a 256th of the longest distance].
    #[arg(long, value_name = "UNITS", value_parser = finite)]
    pub finest: Option<f64>,
    /// Seed of its bends.
    #[arg(long, value_name = "N", default_value_t = 0, allow_hyphen_values = true, value_parser = orogen::seed)]
    pub seed: u64,
}

fn finite(text: &str) -> Result<f64, String> {
    text.trim().parse().ok().filter(|x: &f64| x.is_finite()).ok_or_else(|| format!("'{text}' is not allowed; allowed: a finite number"))
}

fn positive(text: &str) -> Result<f64, String> {
    finite(text).ok().filter(|x| *x > 0.0).ok_or_else(|| format!("'{text}' is not allowed; allowed: a finite number above 0"))
}

fn finite32(text: &str) -> Result<f32, String> {
    text.trim()
        .parse()
        .ok()
        .filter(|x: &f32| x.is_finite())
        .ok_or_else(|| format!("'{text}' is not allowed; allowed: a finite number of 32 bits"))
}

fn share(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|x: &f64| (0.0..=0.5).contains(x));
    number.ok_or_else(|| format!("'{text}' is not a share from 0 to 0.5"))
}

#[derive(Debug, clap::Args)]
pub struct VolumeArgs {
    /// The recipe: its output, of a node, is the density.
    pub recipe: PathBuf,
    /// The volume (.npy, shape (z, y, x); .raw, little-endian f32) or the surface in it (.glb, .obj).
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Samples along x, y and z.
    #[arg(long, value_name = "X,Y,Z", default_value = "128,128,64")]
    pub size: String,
    /// World position of the first sample [default: 0, 0 and the recipe's z].
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    pub origin: Option<Position>,
    /// World units from sample to sample [default: the recipe's].
    #[arg(long, value_name = "UNITS", value_parser = finite)]
    pub spacing: Option<f64>,
    /// Densities of this or more are solid [default: 0].
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true, value_parser = finite)]
    pub at: Option<f64>,
    /// Close the surface by walls where the volume ends, for printing.
    #[arg(long)]
    pub walls: bool,
    #[command(flatten)]
    pub engine: EngineArgs,
}

#[derive(Debug, clap::Args)]
pub struct SpectrumArgs {
    /// The recipe.
    pub recipe: PathBuf,
    /// The mean power of rings of frequency: a table (.csv, .json) or a plot (.svg).
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// The node, stage or output of a stage [default: the recipe's output].
    #[arg(long, value_name = "NAME")]
    pub layer: Option<String>,
    /// Samples along each edge of the square that is measured, 64 to 2048.
    #[arg(long, value_name = "N", default_value_t = 512)]
    pub size: u32,
    /// Frequencies of the slope, in cycles per sample [default: 4 per edge to 0.25].
    #[arg(long, value_name = "LO,HI", allow_hyphen_values = true)]
    pub band: Option<String>,
    /// The square repeats: no window is needed.
    #[arg(long)]
    pub periodic: bool,
    #[command(flatten)]
    pub engine: EngineArgs,
}
