//! Arguments of the verbs that bake and inspect worlds.

use super::changes::ChangeArgs;
use super::{AnyFormat, EngineArgs, MapArgs, finite};
use crate::exit::{Failure, USAGE};
use clap::ValueEnum;
use orogen::Destination;
use orogen::bake::request::LayerOptions;
use orogen::bake::{Format, Options, RangeChoice, Request, Tiles};
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, clap::Args)]
pub struct BakeArgs {
    /// The recipe: TOML, or JSON if its name ends in .json. With --shard: the directory of a planned world.
    pub recipe: PathBuf,
    #[command(flatten)]
    pub changes: ChangeArgs,
    /// Bake K worlds of the same kind, variations N to N + K − 1 from --variation N on, each into a folder variation-N of --out.
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..=1_000_000), conflicts_with = "shard")]
    pub variations: Option<u64>,
    /// Directory for tiles, manifest.json and overview.png.
    #[arg(long, value_name = "DIR", required_unless_present_any = ["shard", "dry_run"])]
    pub out: Option<PathBuf>,
    /// Index of the shard to bake, from 0 on, and the number of shards of the planned world; auto takes the index from the
    /// scheduler.
    #[arg(long, value_name = "I/N|auto", conflicts_with_all = ["out", "tile", "tiles", "level", "overlap", "format", "range", "layers", "z", "no_overview", "destination"])]
    pub shard: Option<String>,
    /// Samples along each edge of a tile [default: the recipe's].
    #[arg(long, value_name = "N")]
    pub tile: Option<u32>,
    /// Tiles to bake, half-open ranges [default: the recipe's].
    #[arg(long, value_name = "X0..X1,Y0..Y1", allow_hyphen_values = true)]
    pub tiles: Option<Tiles>,
    /// Level of detail. Each level doubles the spacing.
    #[arg(long, value_name = "L", default_value_t = 0)]
    pub level: u32,
    /// Samples that a tile shares with its right and lower neighbours [default: 0, or the destination's requirement].
    #[arg(long, value_name = "N")]
    pub overlap: Option<u32>,
    /// Program that will import the tiles. Sets formats, names and ranges, and adds instructions: IMPORT.md and import.json
    /// [default: the recipe's].
    #[arg(long = "for", value_enum, value_name = "DESTINATION")]
    pub destination: Option<Destination>,
    /// File format [default: png16; png8 for colours and normals].
    #[arg(long, value_enum)]
    pub format: Option<AnyFormat>,
    /// Range of integer formats: LO,HI, proven or measured [default: proven, or measured if stages have no proven range].
    #[arg(long, value_name = "LO,HI|proven|measured", allow_hyphen_values = true)]
    pub range: Option<RangeChoice>,
    /// Nodes, stages and outputs of stages (eroded.water) to write for every tile; the first replaces the recipe's output. Two
    /// to four masks joined by + (grass+rock) become weights in one picture [default: the recipe's].
    #[arg(long, value_name = "NAME,..", value_delimiter = ',')]
    pub layers: Vec<String>,
    /// World z of the plane [default: the recipe's].
    #[arg(long, value_name = "Z", allow_hyphen_values = true, value_parser = finite)]
    pub z: Option<f64>,
    /// With --shard: wait until the required measurements are complete.
    #[arg(long, requires = "shard")]
    pub wait: bool,
    /// Draw no overview.png.
    #[arg(long)]
    pub no_overview: bool,
    /// Predict work, time, memory and size, and write nothing. One tile is evaluated to predict the time.
    #[arg(long, conflicts_with = "shard")]
    pub dry_run: bool,
    #[command(flatten)]
    pub map: MapArgs,
    #[command(flatten)]
    pub engine: EngineArgs,
    /// Print the report as JSON.
    #[arg(long)]
    pub json: bool,
}

impl BakeArgs {
    /// The output directory.
    ///
    /// # Errors
    /// Returns an error with --shard, whose output goes to the planned world.
    pub fn out(&self) -> Result<&Path, Failure> {
        self.out.as_deref().ok_or_else(|| Failure::message(USAGE, "--shard is not allowed here; allowed: --out DIR"))
    }

    /// The arguments of each world, if several are wanted.
    ///
    /// # Errors
    /// Returns an error if the number of a variation exceeds 2⁶⁴ − 1.
    pub fn each(&self) -> Result<Vec<BakeArgs>, Failure> {
        let first = self.changes.variation;
        let count = self.variations.unwrap_or(1);
        let last = first.checked_add(count - 1).ok_or_else(|| {
            let message = format!("--variations {count} from --variation {first} on; allowed: a last variation of at most {}", u64::MAX);
            Failure::message(USAGE, message)
        })?;
        let one = |variation| BakeArgs {
            out: self.out.as_ref().map(|out| out.join(format!("variation-{variation}"))),
            changes: ChangeArgs { variation, ..self.changes.clone() },
            variations: None,
            ..self.clone()
        };
        Ok((first..=last).map(one).collect())
    }

    /// The bake of tiles described by the arguments.
    ///
    /// # Errors
    /// Returns the errors of the recipe and of [`tile_format`](Self::tile_format).
    pub fn request(&self) -> Result<Request, Failure> {
        let options = Options { format: self.tile_format()?, range: self.range, ..self.options() };
        Ok(Request { recipe: self.changes.load(&self.recipe)?, options })
    }

    /// The samples of the requested map, whose format and range are those of the map.
    ///
    /// # Errors
    /// Returns the errors of the recipe.
    pub fn map_request(&self) -> Result<Request, Failure> {
        Ok(Request { recipe: self.changes.load(&self.recipe)?, options: self.options() })
    }

    /// All options except format and range.
    fn options(&self) -> Options {
        Options {
            tiles: self.tiles.clone(),
            tile: self.tile,
            level: self.level,
            overlap: self.overlap,
            z: self.z,
            destination: self.destination,
            layers: self.layers.iter().map(LayerOptions::from).collect(),
            format: None,
            range: None,
            overview: !self.no_overview,
            force: self.engine.force,
        }
    }

    /// The requested format of tiles, if there is one.
    ///
    /// # Errors
    /// Returns an error for the format of a map, or a flag of maps, where only tiles can be made.
    pub fn tile_format(&self) -> Result<Option<Format>, Failure> {
        self.map.allow(&[])?;
        match self.format {
            None => Ok(None),
            Some(AnyFormat::Tiles(format)) => Ok(Some(format)),
            Some(AnyFormat::Map(_)) => {
                let allowed = "allowed: formats of tiles; maps only by one process into a folder, without --for";
                Err(Failure::message(USAGE, format!("--format: a map cannot be made from shards, in the studio or with --for; {allowed}")))
            }
        }
    }
}

#[derive(Debug, clap::Args)]
pub struct MeasureArgs {
    /// The directory of a planned world.
    pub world: PathBuf,
    /// Index of the shard to measure, from 0 on, and the number of shards of the planned world; auto takes the index from the
    /// scheduler [default: all missing shards].
    #[arg(long, value_name = "I/N|auto")]
    pub shard: Option<String>,
    /// Index of the phase, from 0 on; exit code 75 if an earlier phase is not complete [default: all phases, or with --shard
    /// the first that is not complete].
    #[arg(long, value_name = "K", requires = "shard")]
    pub phase: Option<u32>,
    /// Wait until the earlier phases are complete.
    #[arg(long, requires = "phase")]
    pub wait: bool,
    #[command(flatten)]
    pub engine: EngineArgs,
}

#[derive(Debug, clap::Args)]
pub struct PlanArgs {
    #[command(flatten)]
    pub bake: BakeArgs,
    /// Number of shards: several per machine, so that a slow machine delays little.
    #[arg(long, value_name = "N", conflicts_with = "shard")]
    pub shards: u32,
}

/// The scheduler that starts the shards.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Scheduler {
    /// A job array, and a dependent job that seals: a shell script.
    Slurm,
    /// An Indexed Job, and a dependent job that seals: YAML.
    Kubernetes,
    /// Array jobs for a world in object storage, by the AWS command line: a shell script.
    AwsBatch,
    /// Jobs for a world in object storage, by the Google Cloud command line: a shell script.
    GoogleBatch,
    /// A Python program for dask.distributed.
    Dask,
}

#[derive(Debug, clap::Args)]
pub struct JobsArgs {
    /// Scheduler to write for.
    #[arg(value_enum)]
    pub scheduler: Scheduler,
    /// The directory of a planned world, under the name that all cluster nodes use.
    #[arg(value_name = "WORLD")]
    pub world: PathBuf,
}

#[derive(Debug, clap::Args)]
pub struct StatusArgs {
    /// The directory of a planned world.
    #[arg(value_name = "WORLD")]
    pub world: PathBuf,
    /// Print the status as JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, clap::Args)]
pub struct SealArgs {
    /// The directory of a planned world.
    #[arg(value_name = "WORLD")]
    pub world: PathBuf,
    /// Print the result as JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, clap::Args)]
pub struct CheckArgs {
    /// The directory of a bake.
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    /// Share of the tiles to recompute and compare, 0 to 1; at least one tile. Stages `drainage` are traced again, and their rules
    /// are checked over the whole world.
    #[arg(long, value_name = "SHARE", allow_hyphen_values = true, value_parser = finite)]
    pub recompute: Option<f64>,
    /// Seed that selects the tiles to recompute [default: different each time].
    #[arg(long, value_name = "N", requires = "recompute", allow_hyphen_values = true, value_parser = orogen::seed)]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub engine: EngineArgs,
    /// Print the findings as JSON.
    #[arg(long)]
    pub json: bool,
}
