//! The recipes that come with the program.

use super::variables::Variable;
use super::{Recipe, RecipeReader};
use indexmap::IndexMap;

/// A recipe that comes with the program: a starting point, and a part of other recipes (`kind = "recipe"`).
///
/// ```
/// use orogen::{RecipePreset, RecipeReader};
/// let mountain = RecipePreset::find("mountain").ok_or("no such preset")?;
/// assert!(mountain.variables().contains_key("height"));
/// let high = RecipeReader::new().variable("height", 2000.0).toml(mountain.text, "mountain.toml")?;
/// assert_eq!(high.variables["height"].value, 2000.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecipePreset {
    /// Its name in recipes.
    pub name: &'static str,
    /// The recipe as TOML.
    pub text: &'static str,
}

macro_rules! presets {
    ($($name:literal),+ $(,)?) => {
        &[$(RecipePreset { name: $name, text: include_str!(concat!("presets/", $name, ".toml")) }),+]
    };
}

impl RecipePreset {
    /// All presets.
    pub const ALL: &'static [RecipePreset] = presets!["archipelago", "canyon", "dunes", "island", "mesa", "mountain", "plains", "volcano"];

    /// The preset of this name.
    pub fn find(name: &str) -> Option<&'static RecipePreset> {
        RecipePreset::ALL.iter().find(|preset| preset.name == name)
    }

    /// A description in one or two sentences: the first comment of its text.
    pub fn description(&self) -> &'static str {
        self.text.lines().next().unwrap_or("").trim_start_matches(['#', ' '])
    }

    /// Its variables, with their defaults.
    pub fn variables(&self) -> IndexMap<String, Variable> {
        RecipeReader::new().toml(self.text, self.name).map(|read| read.variables).unwrap_or_default()
    }

    /// The recipe with its defaults.
    pub fn recipe(&self) -> Recipe {
        Recipe::from_toml(self.text, self.name).expect("invariant: a test reads every preset")
    }
}
