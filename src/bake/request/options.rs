//! The choices of a request, with their defaults and the text that they are written as.

use crate::bake::{Format, PlanError, Tiles};
use crate::params::meant;
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
    /// The layers to write, heights first. A layer is a node, a stage, an output of a stage (`eroded.water`), or weights
    /// (`grass+rock`). If empty: the recipe's output and the layers that the recipe lists.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<LayerOptions>,
    /// The format of layers that have none of their own. Default: the destination's, or [`Format::Png16`] for values and
    /// [`Format::Png8`] for colours and normals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<Format>,
    /// The range of integer formats, for layers that have none of their own. Default: the proven range, or the measured one if
    /// none can be proven.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<RangeChoice>,
    /// Whether `overview.png`, a shaded picture of all tiles, is drawn. Default: yes.
    pub overview: bool,
    /// Whether to continue if the predicted work or memory exceeds the limits of [`Cost::check`](super::Cost::check). Default: no.
    pub force: bool,
}

impl Options {
    /// The names of the choices, and the values that each may have.
    const FIELDS: [(&'static str, &'static str); 11] = [
        ("tiles", "\"X0..X1,Y0..Y1\", half open, whole numbers"),
        ("tile", "a whole number from 1 to 16384"),
        ("level", "a whole number from 0 on"),
        ("overlap", "a whole number from 0 to the tile size"),
        ("z", "a finite number"),
        ("for", "the name of a program"),
        ("layers", "a list of names, or of {layer, format, range}"),
        ("format", "the name of a format"),
        ("range", "\"proven\", \"measured\", or \"LO,HI\" with finite LO below HI"),
        ("overview", "true, false"),
        ("force", "true, false"),
    ];

    /// Reads an object of choices as JSON, such as `{"tiles": "0..4,0..4", "format": "npy", "layers": ["hills", "hills.water"]}`.
    ///
    /// # Errors
    /// Returns an error if the text is not a JSON object. It also names the first unknown option or invalid value, with the
    /// allowed ones.
    pub fn from_json(text: &str) -> Result<Self, PlanError> {
        let refuse = |what, value: &str, allowed: String| PlanError::not_allowed(what, value, allowed);
        let object = || refuse("options", text, "an object of JSON, {\"tile\": 256}".to_owned());
        let Ok(serde_json::Value::Object(given)) = serde_json::from_str(text) else { return Err(object()) };
        for (name, value) in &given {
            let Some((field, allowed)) = Self::FIELDS.into_iter().find(|(field, _)| field == name) else {
                let instead = meant::instead(name, Self::FIELDS.map(|(field, _)| field));
                return Err(PlanError::Unknown { name: name.clone(), instead });
            };
            // Each option is read by itself, to find the invalid one.
            let alone: serde_json::Map<_, _> = [(name.clone(), value.clone())].into_iter().collect();
            if serde_json::from_value::<Self>(alone.into()).is_err() {
                let allowed = match field {
                    "for" => Destination::ALL.iter().map(|one| one.name()).collect::<Vec<_>>().join(", "),
                    "format" => Format::choices().map(Format::name).collect::<Vec<_>>().join(", "),
                    _ => allowed.to_owned(),
                };
                return Err(refuse(field, &value.to_string(), allowed));
            }
        }
        serde_json::from_value(given.into()).map_err(|_| object())
    }
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
#[non_exhaustive]
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
        self.to_string()
            .parse::<Self>()
            .map(|_| ())
            .map_err(|_| PlanError::not_allowed("range", self, "LO,HI with finite LO below HI, proven, measured"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every choice has a name in the list, and the list names nothing else.
    #[test]
    fn the_list_of_choices_is_complete() {
        let all = Options {
            tiles: Some(Tiles { x: -1..2, y: 0..3 }),
            tile: Some(64),
            level: 1,
            overlap: Some(1),
            z: Some(0.5),
            destination: Some(Destination::Unreal),
            layers: vec!["a".into(), LayerOptions { range: Some(RangeChoice::Declared(-0.1, 1e300)), ..LayerOptions::from("b") }],
            format: Some(Format::Npy),
            range: Some(RangeChoice::Proven),
            overview: false,
            force: true,
        };
        let text = serde_json::to_string(&all).expect("text");
        let serde_json::Value::Object(object) = serde_json::from_str(&text).expect("JSON") else { panic!("an object") };
        assert_eq!(object.keys().map(String::as_str).collect::<Vec<_>>(), Options::FIELDS.map(|(name, _)| name));
        assert_eq!(Options::from_json(&text), Ok(all));
        assert_eq!(Options::from_json("{}"), Ok(Options::default()));
    }

    #[test]
    fn wrong_choices_are_named() {
        let said = |text: &str| Options::from_json(text).expect_err(text).to_string();
        assert_eq!(said("[]"), "options = [] is not allowed; allowed: an object of JSON, {\"tile\": 256}");
        assert!(said("{\"tille\": 3}").starts_with("unknown field 'tille'; did you mean 'tile'?"), "{}", said("{\"tille\": 3}"));
        assert!(said("{\"format\": \"png\"}").contains("png16"), "{}", said("{\"format\": \"png\"}"));
        assert_eq!(said("{\"tile\": -1}"), "tile = -1 is not allowed; allowed: a whole number from 1 to 16384");
        for (name, _) in Options::FIELDS {
            let wrong = said(&format!("{{\"{name}\": {{\"a\": 1}}}}"));
            assert!(wrong.starts_with(&format!("{name} = ")) && !wrong.contains("u32") && !wrong.contains("variant"), "{wrong}");
        }
        for text in ["1", "2,1", "nan,1", "0,inf", "prove"] {
            assert!(text.parse::<RangeChoice>().is_err(), "{text}");
        }
    }
}
