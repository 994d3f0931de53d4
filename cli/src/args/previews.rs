//! Arguments of `orogen preview`.

use super::{Area, ChangeArgs, Colour, EngineArgs, finite, finite32, positive};
use clap::ValueEnum;
use orogen::draw::{Edge, View};
use std::path::PathBuf;

/// The style in which a picture shows values.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub enum ShadeArg {
    /// As heights with shading.
    Relief,
    /// As colours.
    Flat,
}

#[derive(Debug, clap::Args)]
pub struct PreviewArgs {
    /// The recipe.
    pub recipe: PathBuf,
    #[command(flatten)]
    pub changes: ChangeArgs,
    /// The PNG to write. With --frames: an animation (.webp, .apng, .gif), or a sequence of PNG whose names have the number of the
    /// frame in place of %d or %03d.
    #[arg(short, long, value_name = "FILE.png")]
    pub output: PathBuf,
    /// Width and height in pixels [default: 768,768; with --area but not --fit: its samples; with --relief: 1200,700].
    #[arg(long, value_name = "W,H")]
    pub size: Option<String>,
    /// Area in world units. Stages that need the whole world are measured over the recipe's tiles [default: from 0,0 on; with --fit
    /// or --relief: the recipe's tiles].
    #[arg(long, value_name = "X0,Y0,X1,Y1", allow_hyphen_values = true)]
    pub area: Option<Area>,
    /// Level of detail. Each level doubles the spacing [default: 0; with --fit or --relief: as fine as the picture needs].
    #[arg(long, value_name = "L", value_parser = clap::value_parser!(u32).range(0..=40))]
    pub level: Option<u32>,
    /// Scale the area to the size of the picture, which becomes narrower or lower to keep its proportions.
    #[arg(long, conflicts_with = "relief")]
    pub fit: bool,
    /// The node, stage or output of a stage (eroded.water) to draw [default: the recipe's output].
    #[arg(long, value_name = "NAME")]
    pub layer: Option<String>,
    /// Style of the picture.
    #[arg(long, value_enum, default_value = "relief")]
    pub shade: ShadeArg,
    /// Colours from the lowest value to the highest, as hexadecimal sRGB [default: landscape colours, or greys when flat].
    #[arg(long, value_name = "RRGGBB,..", value_delimiter = ',')]
    pub colours: Vec<Colour>,
    /// Draw values below this one as water.
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true, value_parser = finite32)]
    pub sea: Option<f32>,
    /// Draw rivers and lakes over the map: those of the drawn layer if it is a stage drainage, else of the recipe's first one, else of
    /// the drawn heights. The value is the smallest drainage area of a river [default: a thousandth of the map's area].
    #[arg(long, value_name = "UNITS²", num_args = 0..=1, require_equals = true, conflicts_with = "relief", value_parser = positive)]
    pub rivers: Option<Option<f64>>,
    #[command(flatten)]
    pub animation: FramesArgs,
    #[command(flatten)]
    pub view: ReliefArgs,
    #[command(flatten)]
    pub engine: EngineArgs,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Animation")]
pub struct FramesArgs {
    /// Draw this number of frames, 1 to 1000, in which parameters change. All frames have the same range of colours.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000), conflicts_with_all = ["relief", "rivers", "sea"])]
    pub frames: Option<u32>,
    /// A number of the recipe that changes over the frames. The first frame has the number FROM; TO would be that of the frame after
    /// the last. Whole numbers are rounded. May be given several times [default: `w` of every noise with turning gradients, and of
    /// every one in 4D under a node `periodic`, over its `w_period`].
    #[arg(long, value_name = "NAME.PARAM=FROM..TO", requires = "frames", allow_hyphen_values = true)]
    pub over: Vec<Over>,
    /// Frames per second, 1 to 60. In a GIF, each frame lasts a whole number of hundredths of a second, so 60 gives 50. The command
    /// reports the rate [default: 20].
    #[arg(long, value_name = "N", requires = "frames", value_parser = clap::value_parser!(u16).range(1..=60))]
    pub fps: Option<u16>,
}

/// A parameter and the interval that it passes through.
#[derive(Clone, Debug, PartialEq)]
pub struct Over {
    pub path: String,
    pub from: f64,
    pub to: f64,
}

impl std::str::FromStr for Over {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |t: &str| t.trim().parse().ok().filter(|x: &f64| x.is_finite());
        let parsed = text.split_once('=').and_then(|(path, range)| {
            let (from, to) = range.split_once("..")?;
            Some(Over { path: path.trim().to_owned(), from: number(from)?, to: number(to)? })
        });
        parsed.ok_or_else(|| format!("'{text}' is not allowed; allowed: NAME.PARAM=FROM..TO with finite numbers"))
    }
}

/// The edge of the terrain.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub enum EdgeArg {
    /// A block with sides, in front of a plain background.
    Block,
    /// A landscape below a sky, which ends in haze. The sea continues to the horizon.
    Horizon,
}

impl From<EdgeArg> for Edge {
    fn from(edge: EdgeArg) -> Edge {
        match edge {
            EdgeArg::Block => Edge::Block,
            EdgeArg::Horizon => Edge::Horizon,
        }
    }
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Perspective")]
pub struct ReliefArgs {
    /// Draw the terrain in perspective, with sun, shadows, water and haze. Colours of the recipe are drawn without the light that its
    /// colour stages multiply them by.
    #[arg(long)]
    pub relief: bool,
    /// Layer of heights. A drawn layer with other values colours the ground [default: the drawn layer; if that has colours, the first
    /// layer of the recipe's [bake] with one channel].
    #[arg(long, value_name = "NAME", requires = "relief")]
    pub heights: Option<String>,
    /// Layer of the water's level, such as a stage drainage [default: the heights, if they are a stage drainage].
    #[arg(long, value_name = "NAME", requires = "relief")]
    pub water: Option<String>,
    /// Azimuth in which the camera looks, in degrees clockwise from north.
    #[arg(long, value_name = "DEGREES", requires = "relief", default_value_t = View::default().azimuth, allow_hyphen_values = true, value_parser = finite)]
    pub azimuth: f64,
    /// Angle of the camera below the horizon, 0 to 89 degrees.
    #[arg(long, value_name = "DEGREES", requires = "relief", default_value_t = View::default().pitch, allow_hyphen_values = true, value_parser = finite)]
    pub pitch: f64,
    /// Horizontal field of view, 1 to 120 degrees.
    #[arg(long, value_name = "DEGREES", requires = "relief", default_value_t = View::default().field_of_view, allow_hyphen_values = true, value_parser = finite)]
    pub field_of_view: f64,
    /// Distance of the camera from the middle of the terrain, in world units [default: the nearest that shows the whole terrain].
    #[arg(long, value_name = "UNITS", requires = "relief", allow_hyphen_values = true, value_parser = finite)]
    pub distance: Option<f64>,
    /// Factor of heights [default: 1 if the mean slope is from 0.05 to 1.2, else the factor that makes it 0.5].
    #[arg(long, value_name = "FACTOR", requires = "relief", allow_hyphen_values = true, value_parser = finite)]
    pub exaggeration: Option<f64>,
    /// Azimuth of the sun, in degrees clockwise from north.
    #[arg(long, value_name = "DEGREES", requires = "relief", default_value_t = View::default().sun_azimuth, allow_hyphen_values = true, value_parser = finite)]
    pub sun_azimuth: f64,
    /// Elevation of the sun above the horizon, 1 to 90 degrees.
    #[arg(long, value_name = "DEGREES", requires = "relief", default_value_t = View::default().sun_elevation, allow_hyphen_values = true, value_parser = finite)]
    pub sun_elevation: f64,
    /// Distance at which haze leaves 2 % of the contrast, in world units; inf: no haze [default: 20 diagonals of a block, 6 of a
    /// landscape].
    #[arg(long, value_name = "UNITS", requires = "relief", allow_hyphen_values = true)]
    pub visibility: Option<f64>,
    /// Edge of the terrain.
    #[arg(long, value_enum, requires = "relief", default_value = "block")]
    pub edge: EdgeArg,
    /// Rays along each edge of a pixel, 1 to 8.
    #[arg(long, value_name = "N", requires = "relief", default_value_t = View::default().supersample)]
    pub supersample: u32,
}

impl ReliefArgs {
    /// The view of a picture of `size` pixels.
    pub fn view(&self, size: [u32; 2]) -> View {
        View {
            size,
            azimuth: self.azimuth,
            pitch: self.pitch,
            field_of_view: self.field_of_view,
            distance: self.distance,
            exaggeration: self.exaggeration,
            sun_azimuth: self.sun_azimuth,
            sun_elevation: self.sun_elevation,
            visibility: self.visibility,
            edge: self.edge.into(),
            supersample: self.supersample,
        }
    }
}
