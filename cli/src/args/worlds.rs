//! What was typed after the verbs that make worlds, and look after them.

use super::{AnyFormat, EngineArgs, MapArgs, finite};
use crate::exit::{Failure, USAGE};
use clap::ValueEnum;
use orogen::bake::request::LayerOptions;
use orogen::bake::{Format, Options, RangeChoice, Request, Tiles};
use orogen::{Destination, Recipe};
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, clap::Args)]
pub struct BakeArgs {
    /// The recipe: TOML, or JSON if its name ends in .json. With --shard: the directory of a planned world.
    pub recipe: PathBuf,
    /// Directory for tiles, manifest.json and overview.png.
    #[arg(long, value_name = "DIR", required_unless_present = "shard")]
    pub out: Option<PathBuf>,
    /// Which shard of a planned world to bake, from 0 on, of as many as it has; or auto: the one that the scheduler says.
    #[arg(long, value_name = "I/N|auto", conflicts_with_all = ["out", "tile", "tiles", "level", "overlap", "format", "range", "layers", "z", "no_overview", "destination"])]
    pub shard: Option<String>,
    /// Samples along each edge of a tile [default: the recipe's].
    #[arg(long, value_name = "N")]
    pub tile: Option<u32>,
    /// Which tiles, half open [default: the recipe's].
    #[arg(long, value_name = "X0..X1,Y0..Y1", allow_hyphen_values = true)]
    pub tiles: Option<Tiles>,
    /// Level of detail: every level doubles the spacing.
    #[arg(long, value_name = "L", default_value_t = 0)]
    pub level: u32,
    /// Samples that every tile shares with its right and lower neighbours [default: 0, or what the destination wants].
    #[arg(long, value_name = "N")]
    pub overlap: Option<u32>,
    /// For which program: formats, names, ranges and notes of what to type there, IMPORT.md and import.json [default: the recipe's].
    #[arg(long = "for", value_enum, value_name = "DESTINATION")]
    pub destination: Option<Destination>,
    /// File format [default: png16, and png8 for colours and normals].
    #[arg(long, value_enum)]
    pub format: Option<AnyFormat>,
    /// Range of integer formats: LO,HI, proven or measured [default: proven, and measured where stages leave nothing to prove].
    #[arg(long, value_name = "LO,HI|proven|measured", allow_hyphen_values = true)]
    pub range: Option<RangeChoice>,
    /// Nodes, stages and outputs of stages (eroded.water) to write for every tile, the first in place of the recipe's output; two to four masks joined
    /// by + (grass+rock) as weights in one picture [default: the recipe's].
    #[arg(long, value_name = "NAME,..", value_delimiter = ',')]
    pub layers: Vec<String>,
    /// World height of the plane [default: the recipe's].
    #[arg(long, value_name = "Z", allow_hyphen_values = true, value_parser = finite)]
    pub z: Option<f64>,
    /// With --shard: wait until all that has to be measured first is.
    #[arg(long, requires = "shard")]
    pub wait: bool,
    /// Draw no overview.png.
    #[arg(long)]
    pub no_overview: bool,
    #[command(flatten)]
    pub map: MapArgs,
    #[command(flatten)]
    pub engine: EngineArgs,
    /// Print the report as JSON.
    #[arg(long)]
    pub json: bool,
}

impl BakeArgs {
    /// Where it is baked to.
    ///
    /// # Errors
    /// A shard has a place of its own.
    pub fn out(&self) -> Result<&Path, Failure> {
        self.out.as_deref().ok_or_else(|| Failure::message(USAGE, "--shard is not allowed here; allowed: --out DIR"))
    }

    /// The bake of tiles that the arguments ask for.
    ///
    /// # Errors
    /// The recipe's, and as [`tile_format`](Self::tile_format).
    pub fn request(&self) -> Result<Request, Failure> {
        let options = Options { format: self.tile_format()?, range: self.range, ..self.options() };
        Ok(Request { recipe: Recipe::load(&self.recipe)?, options })
    }

    /// The samples of the map that the arguments ask for, whose format and range are the map's.
    ///
    /// # Errors
    /// The recipe's.
    pub fn map_request(&self) -> Result<Request, Failure> {
        Ok(Request { recipe: Recipe::load(&self.recipe)?, options: self.options() })
    }

    /// Everything but format and range.
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

    /// The format of tiles that was asked for, if one was.
    ///
    /// # Errors
    /// That of a map, or a map's flag, where tiles are all that is made.
    pub fn tile_format(&self) -> Result<Option<Format>, Failure> {
        self.map.allow(&[])?;
        match self.format {
            None => Ok(None),
            Some(AnyFormat::Tiles(format)) => Ok(Some(format)),
            Some(AnyFormat::Map(_)) => {
                let allowed = "allowed here: the formats of tiles; a map: by one process into a folder, and not --for a program";
                Err(Failure::message(
                    USAGE,
                    format!("--format: a map is not made out of shards, in the studio or for a program; {allowed}"),
                ))
            }
        }
    }
}

#[derive(Debug, clap::Args)]
pub struct MeasureArgs {
    /// The directory of a planned world.
    pub world: PathBuf,
    /// Which shard's part, from 0 on, of as many as it has; or auto: the one that the scheduler says [default: all that are missing].
    #[arg(long, value_name = "I/N|auto")]
    pub shard: Option<String>,
    /// Which phase, from 0 on; with exit code 75 while one before it is not done [default: with --shard the first that is not done, else all].
    #[arg(long, value_name = "K", requires = "shard")]
    pub phase: Option<u32>,
    /// Wait until the phases before it are done.
    #[arg(long, requires = "phase")]
    pub wait: bool,
    #[command(flatten)]
    pub engine: EngineArgs,
}

#[derive(Debug, clap::Args)]
pub struct PlanArgs {
    #[command(flatten)]
    pub bake: BakeArgs,
    /// Into how many pieces the world is divided: some for each machine, so that one that is slow holds up little.
    #[arg(long, value_name = "N", conflicts_with = "shard")]
    pub shards: u32,
}

/// What starts shards.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Scheduler {
    /// A job array, and a job that waits for it: a shell script.
    Slurm,
    /// An Indexed Job, and a job that waits for it: YAML.
    Kubernetes,
    /// Array jobs of a world in object storage, by AWS's command line: a shell script.
    AwsBatch,
    /// Jobs of a world in object storage, by Google Cloud's command line: a shell script.
    GoogleBatch,
    /// A Python program for dask.distributed.
    Dask,
}

#[derive(Debug, clap::Args)]
pub struct JobsArgs {
    /// For which scheduler.
    #[arg(value_enum)]
    pub scheduler: Scheduler,
    /// The directory of a planned world, which all nodes see under this name.
    #[arg(value_name = "WORLD")]
    pub world: PathBuf,
}

#[derive(Debug, clap::Args)]
pub struct StatusArgs {
    /// The directory of a planned world.
    #[arg(value_name = "WORLD")]
    pub world: PathBuf,
    /// Print it as JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, clap::Args)]
pub struct SealArgs {
    /// The directory of a planned world.
    #[arg(value_name = "WORLD")]
    pub world: PathBuf,
    /// Print it as JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, clap::Args)]
pub struct CheckArgs {
    /// The directory of a bake.
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    /// Share of the tiles to compute anew, 0 to 1; one tile at least.
    #[arg(long, value_name = "SHARE", allow_hyphen_values = true, value_parser = finite)]
    pub recompute: Option<f64>,
    /// Which tiles are computed anew [default: others each time].
    #[arg(long, value_name = "N", requires = "recompute", allow_hyphen_values = true, value_parser = orogen::seed)]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub engine: EngineArgs,
    /// Print the findings as JSON.
    #[arg(long)]
    pub json: bool,
}
