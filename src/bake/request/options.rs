//! The choices of a request, with their defaults and the text that they are written as.

use crate::bake::{Format, PlanError, Tiles};
use crate::recipe::Destination;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Choices of a [`Request`](super::Request). Each has a default; most defaults are the recipe's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The tiles to bake, half open. Default: all tiles of the recipe.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tiles: Option<Tiles>,
    /// Samples along each edge of a tile, 1 to 16384. Default: the recipe's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tile: Option<u32>,
    /// Level of detail; each level doubles the distance between samples. Default: 0.
    pub level: u32,
    /// Samples that each tile shares with its neighbours along x and y, 0 to the tile size. Default: the destination's, or 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overlap: Option<u32>,
    /// World height of the plane. Default: the recipe's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub z: Option<f64>,
    /// The program that the files are for, which decides formats, names and allowed sizes. Default: the recipe's.
    #[serde(rename = "for", skip_serializing_if = "Option::is_none")]
    pub destination: Option<Destination>,
    /// The layers to write, heights first: nodes, stages, outputs of stages (`eroded.water`), or weights (`grass+rock`). Empty: the recipe's output
    /// and the layers that the recipe lists.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<LayerOptions>,
    /// The format of layers that have none of their own. Default: the destination's, or [`Format::Png16`] for values and [`Format::Png8`] for
    /// colours and normals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<Format>,
    /// The range of integer formats, for layers that have none of their own. Default: the proven range, or the measured one where nothing is
    /// proven.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<RangeChoice>,
    /// Whether `overview.png`, a shaded picture of all tiles, is drawn. Default: yes.
    pub overview: bool,
    /// Whether to go on where the predicted work or memory exceeds the limits of [`Cost::check`](super::Cost::check). Default: no.
    pub force: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            tiles: None,
            tile: None,
            level: 0,
            overlap: None,
            z: None,
            destination: None,
            layers: Vec::new(),
            format: None,
            range: None,
            overview: true,
            force: false,
        }
    }
}

/// A layer of a request: its name alone, or with a format and a range of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "LayerText", into = "LayerText")]
pub struct LayerOptions {
    /// A node, a stage, the output of a stage, or two to four layers joined by `+`, which are written as weights.
    pub layer: String,
    /// Its format; `None`: that of the request.
    pub format: Option<Format>,
    /// Its range; `None`: that of the request.
    pub range: Option<RangeChoice>,
}

/// The text of a layer: a name, or a table.
#[derive(Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum LayerText {
    Name(String),
    Table {
        layer: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        format: Option<Format>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        range: Option<RangeChoice>,
    },
}

impl From<LayerText> for LayerOptions {
    fn from(text: LayerText) -> Self {
        match text {
            LayerText::Name(layer) => layer.into(),
            LayerText::Table { layer, format, range } => LayerOptions { layer, format, range },
        }
    }
}

impl From<LayerOptions> for LayerText {
    fn from(LayerOptions { layer, format, range }: LayerOptions) -> Self {
        match (format, range) {
            (None, None) => LayerText::Name(layer),
            (format, range) => LayerText::Table { layer, format, range },
        }
    }
}

impl<T: Into<String>> From<T> for LayerOptions {
    fn from(layer: T) -> Self {
        LayerOptions { layer: layer.into(), format: None, range: None }
    }
}

/// The range over which integer formats hold a layer. As text: `proven`, `measured` or `LO,HI`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum RangeChoice {
    /// The range that is proven for the layer.
    Proven,
    /// The smallest and largest value in the baked tiles, found in a pass before the bake.
    Measured,
    /// These two numbers, the first below the second. Values outside are clipped and counted.
    Declared(f64, f64),
}

impl fmt::Display for RangeChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RangeChoice::Proven => f.write_str("proven"),
            RangeChoice::Measured => f.write_str("measured"),
            RangeChoice::Declared(lo, hi) => write!(f, "{lo},{hi}"),
        }
    }
}

impl From<RangeChoice> for String {
    fn from(range: RangeChoice) -> Self {
        range.to_string()
    }
}

impl TryFrom<String> for RangeChoice {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl FromStr for RangeChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let pair = || {
            let (lo, hi) = text.split_once(',')?;
            let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
            let (lo, hi) = (number(lo)?, number(hi)?);
            (lo < hi).then_some(RangeChoice::Declared(lo, hi))
        };
        match text {
            "proven" => Ok(RangeChoice::Proven),
            "measured" => Ok(RangeChoice::Measured),
            _ => pair().ok_or_else(|| format!("'{text}' is not a range; allowed: LO,HI (finite, LO below HI), proven, measured")),
        }
    }
}

impl RangeChoice {
    /// Refuses numbers that text could not have held.
    pub(super) fn check(self) -> Result<(), PlanError> {
        self.to_string().parse::<Self>().map(|_| ()).map_err(|_| PlanError::Number {
            what: "range",
            value: self.to_string(),
            allowed: "LO,HI with finite LO below HI, proven, measured".into(),
        })
    }
}
