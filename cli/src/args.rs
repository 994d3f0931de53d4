//! Command-line arguments.

mod changes;
mod lines;
mod maps;
mod previews;
mod worlds;

pub use changes::ChangeArgs;
pub use lines::{CoastArgs, ContoursArgs, EdgeArgs, Point, RiversArgs};
pub use maps::{AnyFormat, MapArgs, MapFormat, MapVerbArgs};
pub use previews::{Over, PreviewArgs, ShadeArg};
pub use worlds::{BakeArgs, CheckArgs, JobsArgs, MeasureArgs, PlanArgs, Scheduler, SealArgs, StatusArgs};

use clap::{Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use orogen::export::{Language, Storage};
use std::path::PathBuf;

/// GPU compute noise: one recipe, identical bits on GPU and CPU.
#[derive(Debug, Parser)]
#[command(
    name = "orogen",
    version,
    about,
    after_help = "Exit codes: 0 ok, 1 unexpected, 2 usage (or a folder that holds another bake or files of others), 4 verification or check failed, 65 invalid recipe or points, 69 no adapter, 74 I/O, 75 stopped by a signal, or out of memory or device lost (safe to retry)."
)]
pub struct Args {
    #[command(subcommand)]
    pub verb: Verb,
}

#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Bake a recipe into tiles, a manifest and a shaded overview, or bake a shard of a planned world.
    Bake(BakeArgs),
    /// Plan a world that several processes bake, each one shard.
    Plan(PlanArgs),
    /// Measure the whole-world statistics that a planned world needs before its shards are baked.
    Measure(MeasureArgs),
    /// Report the progress of a planned world and its missing shards.
    Status(StatusArgs),
    /// Print the missing shards of a planned world as a submission to a scheduler.
    Jobs(JobsArgs),
    /// Verify that a planned world is complete, and write its manifest and root hash; exit code 4 if shards are missing.
    Seal(SealArgs),
    /// Make a map from a finished bake, of one process or of shards, as `bake` does with the format of a map.
    Map(MapVerbArgs),
    /// Read every file of a bake and compare it with its record; exit code 4 if one is missing, damaged or foreign.
    Check(CheckArgs),
    /// Print a recipe's values at points.
    Sample(SampleArgs),
    /// Draw a shaded picture of a recipe.
    Preview(PreviewArgs),
    /// Measure a recipe: a page of its values, spectrum, isotropy, range and cost.
    Inspect(InspectArgs),
    /// Measure the quantiles that `equalise` nodes need, and write the recipe with them.
    Equalise(EqualiseArgs),
    /// Sample a recipe at the centres of hexagons: a table or a picture.
    Hexmap(HexmapArgs),
    /// Write the power spectrum of a recipe or one of its layers, as data or as a plot.
    Spectrum(SpectrumArgs),
    /// Scatter points at a minimum distance, with a density: trees, stones, towns.
    Places(PlacesArgs),
    /// Draw the contour lines of a recipe.
    Contours(ContoursArgs),
    /// Draw a closed line around a point, with a noise as its radius: the coast of an island.
    Coast(CoastArgs),
    /// Draw a noisy line through points: a river, a road, a border.
    Edge(EdgeArgs),
    /// Draw the rivers, lakes and basins of a recipe's world.
    Rivers(RiversArgs),
    /// Write a recipe as a volume of samples, or the surface of its solid part as a mesh.
    Volume(VolumeArgs),
    /// Write a recipe as source code for other engines: one file with the noise as a function of position.
    Export(ExportArgs),
    /// Import a noise of another program as a recipe: FastNoiseLite resources of Godot, and node trees of FastNoise2.
    Import(ImportArgs),
    /// Compare backends, tilings and levels of detail; exit code 4 on a mismatch.
    Verify(VerifyArgs),
    /// List adapters and whether their results are exact.
    Info(InfoArgs),
    /// Print the JSON Schema of recipes.
    Schema,
    /// List the recipes that come with the program, with their variables; or print one as TOML.
    Presets(PresetsArgs),
    /// Print the completion script of a shell.
    Completions(CompletionsArgs),
    /// Write the manual pages of all commands into a directory.
    Manual(ManualArgs),
    /// Open the studio: a page in the browser, served on this machine only.
    #[cfg(feature = "serve")]
    Serve(ServeArgs),
}

/// Arguments of `orogen import`.
#[derive(Debug, clap::Args)]
pub struct ImportArgs {
    /// The file: a resource (.tres) or a scene (.tscn) of Godot 4, or text with an encoded node tree of FastNoise2. `-` is standard
    /// input.
    pub file: PathBuf,
    /// The id of the resource, in a file with several [default: the only one].
    #[arg(long, value_name = "ID")]
    pub resource: Option<String>,
    /// Number of dimensions: for Godot, 2 gives the values of get_noise_2d, and 3 those of get_noise_3d.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(2..=3))]
    pub dimensions: u32,
    /// The recipe to write, as TOML or JSON by its extension [default: standard output, as TOML].
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Arguments of `orogen presets`.
#[derive(Debug, clap::Args)]
pub struct PresetsArgs {
    /// The preset to print as TOML [default: a list of all].
    pub name: Option<String>,
    /// Print the list as JSON.
    #[arg(long, conflicts_with = "name")]
    pub json: bool,
}

/// The device that evaluates noise.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum BackendArg {
    /// The best hardware GPU, else the CPU.
    #[default]
    Auto,
    /// The best adapter, including software adapters.
    Gpu,
    /// The CPU in f32.
    Cpu,
    /// The CPU in f64.
    Oracle,
}

/// Arithmetic of GPU kernels.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum ArithmeticArg {
    /// Exact: the same bits as the CPU.
    Exact,
    /// Fast: rounding as the driver chooses.
    Fast,
}

/// The device that traces water.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum WaterArg {
    /// The CPU.
    #[default]
    Cpu,
    /// The GPU that evaluates the recipe. Its arithmetic must be exact.
    Gpu,
}

#[derive(Clone, Debug, Default, clap::Args)]
pub struct EngineArgs {
    /// Device that evaluates the recipe.
    #[arg(long, value_enum, default_value = "auto")]
    pub backend: BackendArg,
    /// Part of the name of the adapter to use (also: the variable OROGEN_ADAPTER).
    #[arg(long, value_name = "NAME")]
    pub adapter: Option<String>,
    /// Arithmetic of GPU kernels [default: exact if the adapter supports it].
    #[arg(long, value_enum)]
    pub arithmetic: Option<ArithmeticArg>,
    /// Memory limit for stages, in MiB. More memory means less repeated work for halos; bits are the same [default: 1024].
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 24))]
    pub memory: Option<u64>,
    /// Device that traces water over squares of the world, for stages `drainage`; bits are the same.
    #[arg(long, value_enum, default_value = "cpu")]
    pub trace_water: WaterArg,
    /// Number of CPU threads [default: one per core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,
    /// Report on standard error the engine, why no GPU is used, and the predicted cost.
    #[arg(short, long)]
    pub verbose: bool,
    /// Start even if the predicted cost is hours or more than 16 GB of memory.
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
    /// The recipe, in TOML: opened, saved to, and watched. It need not exist yet.
    pub recipe: Option<PathBuf>,
    /// Port on 127.0.0.1; 0 chooses a free port.
    #[arg(long, default_value_t = 7373)]
    pub port: u16,
    /// Directory in which the page may bake [default: the recipe's directory].
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Open the page in the browser.
    #[arg(long)]
    pub open: bool,
    /// Report on standard error how long each block of samples took.
    #[arg(long)]
    pub timings: bool,
    #[command(flatten)]
    pub engine: EngineArgs,
}

/// An sRGB colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Colour(pub [u8; 3]);

impl std::str::FromStr for Colour {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digits = (text.len() == 6 && text.bytes().all(|c| c.is_ascii_hexdigit())).then(|| u32::from_str_radix(text, 16).ok());
        let [_, rgb @ ..] = digits.flatten().ok_or_else(|| format!("'{text}' is not a colour of six hexadecimal digits"))?.to_be_bytes();
        Ok(Colour(rgb))
    }
}

#[derive(Debug, clap::Args)]
pub struct SampleArgs {
    /// The recipe.
    pub recipe: PathBuf,
    #[command(flatten)]
    pub changes: ChangeArgs,
    /// File of points in world units, one per line as `x y z`, or a table whose header names the columns x, y and z (without z:
    /// the recipe's z). - reads standard input.
    #[arg(long, value_name = "FILE|-")]
    pub points: PathBuf,
    /// Print the gradient after the value.
    #[arg(long)]
    pub gradient: bool,
    /// Print the running sum of the values: noise as movement.
    #[arg(long, conflicts_with = "gradient")]
    pub sum: bool,
    #[command(flatten)]
    pub engine: EngineArgs,
    /// Print one JSON object per line.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, clap::Args)]
pub struct InspectArgs {
    /// The recipe.
    pub recipe: PathBuf,
    #[command(flatten)]
    pub changes: ChangeArgs,
    /// The page to write: one self-contained file.
    #[arg(short, long, value_name = "FILE.html", required_unless_present = "json")]
    pub output: Option<PathBuf>,
    /// Samples along each edge of the measured square, 64 to 2048.
    #[arg(long, value_name = "N", default_value_t = 512)]
    pub size: u32,
    /// World units between samples [default: the recipe's].
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = finite)]
    pub spacing: Option<f64>,
    /// Frequencies used for slope and isotropy, in cycles per sample [default: 4 per edge to 0.25].
    #[arg(long, value_name = "LO,HI", allow_hyphen_values = true)]
    pub band: Option<String>,
    #[command(flatten)]
    pub engine: EngineArgs,
    /// Print the results as JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, clap::Args)]
pub struct EqualiseArgs {
    /// The recipe.
    pub recipe: PathBuf,
    #[command(flatten)]
    pub changes: ChangeArgs,
    /// The recipe to write: TOML, or JSON if its name ends in .json. Comments are lost.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Distance from the origin, in world units, within which values are measured.
    #[arg(long, value_name = "UNITS", default_value_t = 1e6, allow_hyphen_values = true, value_parser = finite)]
    pub extent: f64,
    #[command(flatten)]
    pub engine: EngineArgs,
}

/// A half-open range of integers, `A..B`.
#[derive(Clone, Debug)]
pub struct Span(pub std::ops::Range<i32>);

impl std::str::FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("'{text}' is not allowed; allowed: A..B with integers from -16777216 to 16777216, B above A by 1 to 4096");
        let (a, b) = text.split_once("..").ok_or_else(wrong)?;
        let number = |t: &str| t.trim().parse::<i32>().ok().filter(|x| x.unsigned_abs() <= 1 << 24).ok_or_else(wrong);
        let (a, b) = (number(a)?, number(b)?);
        if a < b && b - a <= 4096 { Ok(Span(a..b)) } else { Err(wrong()) }
    }
}

#[derive(Debug, clap::Args)]
pub struct HexmapArgs {
    /// The recipe. Hexagons lie at the recipe's z.
    pub recipe: PathBuf,
    #[command(flatten)]
    pub changes: ChangeArgs,
    /// The output: a table of every hexagon (.csv, .json), or a picture (.png).
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Range of axial columns, half-open.
    #[arg(long, value_name = "A..B", default_value = "0..24", allow_hyphen_values = true)]
    pub q: Span,
    /// Range of axial rows, half-open.
    #[arg(long, value_name = "A..B", default_value = "0..24", allow_hyphen_values = true)]
    pub r: Span,
    /// Distance between the centres of neighbours, in world units: the `wavelength` of a hexagonal node.
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
    #[command(flatten)]
    pub changes: ChangeArgs,
    /// The language of the file.
    #[arg(long, value_enum)]
    pub lang: Language,
    /// The file to write [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Origin of the functions, as a world position. Coordinates are relative to it, and most accurate near it.
    #[arg(long, value_name = "X,Y,Z", default_value = "0,0,0", allow_hyphen_values = true)]
    pub anchor: Position,
    /// Storage of parameters: constants in the file, or storage buffers whose contents can change.
    #[arg(long, value_enum, default_value = "inline")]
    pub tables: Storage,
    /// File for the contents of the buffers, as JSON; with --tables buffer only [default: the output file with .json appended].
    #[arg(long, value_name = "FILE.json")]
    pub tables_out: Option<PathBuf>,
    /// Add a compute entry point that evaluates a buffer of positions. SPIR-V always contains it.
    #[arg(long)]
    pub entry: bool,
    /// Prefix of all names. Several noises in one shader need different prefixes.
    #[arg(long, value_name = "NAME", default_value = "orogen")]
    pub prefix: String,
}

#[derive(Debug, clap::Args)]
pub struct VerifyArgs {
    /// The recipe.
    pub recipe: PathBuf,
    #[command(flatten)]
    pub changes: ChangeArgs,
    #[command(flatten)]
    pub engine: EngineArgs,
    /// Print the report as JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, clap::Args)]
pub struct InfoArgs {
    /// A file of heights. Prints its size, its range of values, the number of missing cells and, if the file is georeferenced,
    /// the lines of a `raster` node that place it, in the units of the file.
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

/// An engine that reads a list of instances.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum PlaceListArg {
    /// Unreal Engine: a data table in centimetres.
    Unreal,
    /// Unity: JSON with y up.
    Unity,
    /// Godot: JSON with y up.
    Godot,
}

#[derive(Debug, clap::Args)]
pub struct PlacesArgs {
    /// The recipe. Its output is the density, from 0 (no points) to 1, unless --density names another node.
    pub recipe: PathBuf,
    #[command(flatten)]
    pub changes: ChangeArgs,
    /// The table to write: .csv, .json, .bin (four little-endian f32 per point: x and y relative to the area's corner,
    /// threshold, random number), or .svg for a picture. With --rules: .csv or .geojson.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Minimum distance between any two points, in world units.
    #[arg(long, value_name = "UNITS", default_value_t = 10.0, allow_hyphen_values = true, value_parser = finite)]
    pub distance: f64,
    /// Area in world units [default: the recipe's tiles].
    #[arg(long, value_name = "X0,Y0,X1,Y1", allow_hyphen_values = true)]
    pub area: Option<Area>,
    /// Node whose value is the density, or `none` for the densest set of points.
    #[arg(long, value_name = "NODE")]
    pub density: Option<String>,
    /// Rules of several kinds that keep apart: a TOML file with a table for each, the most important first.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["distance", "density", "seed", "relax"])]
    pub rules: Option<PathBuf>,
    /// With --rules: the layer of the places' heights [default: the recipe's output].
    #[arg(long, value_name = "NAME", requires = "rules")]
    pub heights: Option<String>,
    /// With --rules: a list of instances for an engine, .csv for Unreal and .json for the others.
    #[arg(long = "for", value_name = "ENGINE", value_enum, requires = "rules")]
    pub list: Option<PlaceListArg>,
    /// Seed of the points.
    #[arg(long, value_name = "N", default_value_t = 0, allow_hyphen_values = true, value_parser = orogen::seed)]
    pub seed: u64,
    /// Steps of Lloyd's relaxation. They make the points more even, but the minimum distance is no longer guaranteed.
    #[arg(long, value_name = "STEPS", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=64))]
    pub relax: u32,
    #[command(flatten)]
    pub engine: EngineArgs,
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
        .ok_or_else(|| format!("'{text}' is not allowed; allowed: a finite 32-bit number"))
}

fn share(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|x: &f64| (0.0..=0.5).contains(x));
    number.ok_or_else(|| format!("'{text}' is not a number from 0 to 0.5"))
}

#[derive(Debug, clap::Args)]
pub struct VolumeArgs {
    /// The recipe. Its output must be a node; its values are the density.
    pub recipe: PathBuf,
    #[command(flatten)]
    pub changes: ChangeArgs,
    /// The output: a volume (.npy with shape (z, y, x); .raw, little-endian f32) or the surface in it (.glb, .obj).
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Samples along x, y and z.
    #[arg(long, value_name = "X,Y,Z", default_value = "128,128,64")]
    pub size: String,
    /// World position of the first sample [default: 0, 0 and the recipe's z].
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    pub origin: Option<Position>,
    /// World units between samples [default: the recipe's].
    #[arg(long, value_name = "UNITS", value_parser = finite)]
    pub spacing: Option<f64>,
    /// Densities of at least this value are solid [default: 0].
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true, value_parser = finite)]
    pub at: Option<f64>,
    /// Close the surface with walls at the edges of the volume, for 3D printing.
    #[arg(long)]
    pub walls: bool,
    #[command(flatten)]
    pub engine: EngineArgs,
}

#[derive(Debug, clap::Args)]
pub struct SpectrumArgs {
    /// The recipe.
    pub recipe: PathBuf,
    #[command(flatten)]
    pub changes: ChangeArgs,
    /// The output: mean power by frequency as a table (.csv, .json) or a plot (.svg).
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// The node, stage or output of a stage [default: the recipe's output].
    #[arg(long, value_name = "NAME")]
    pub layer: Option<String>,
    /// Samples along each edge of the measured square, 64 to 2048.
    #[arg(long, value_name = "N", default_value_t = 512)]
    pub size: u32,
    /// Frequencies used for the slope, in cycles per sample [default: 4 per edge to 0.25].
    #[arg(long, value_name = "LO,HI", allow_hyphen_values = true)]
    pub band: Option<String>,
    /// The square is periodic, so no window is applied.
    #[arg(long)]
    pub periodic: bool,
    #[command(flatten)]
    pub engine: EngineArgs,
}
