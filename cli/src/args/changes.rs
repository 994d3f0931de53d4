//! Changes of a recipe by arguments.

use crate::exit::{DATA, Failure, USAGE};
use orogen::lines::from_geojson;
use orogen::{ReadRecipe, Recipe, RecipeReader, Setting, limits};
use std::path::Path;
use std::str::FromStr;

/// Changes that apply to the recipe before anything else.
#[derive(Clone, Debug, clap::Args)]
pub struct ChangeArgs {
    /// Change a parameter, as in TOML, or a variable. May be given several times. `road.points=@road.geojson` reads the lines of a
    /// GeoJSON file.
    #[arg(long, value_name = "[NAME.]PARAM=VALUE", allow_hyphen_values = true)]
    pub set: Vec<Assignment>,
    /// Another world of the same kind: every seed depends on this number, too. 0 changes nothing.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub variation: u64,
}

/// A parameter and its value.
#[derive(Clone, Debug)]
pub struct Assignment {
    path: String,
    value: Setting,
}

impl FromStr for Assignment {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (path, value) =
            text.split_once('=').ok_or_else(|| format!("'{text}' has no '='; allowed: NAME.PARAM=VALUE or VARIABLE=VALUE"))?;
        if let Some(file) = value.trim().strip_prefix('@') {
            let text = limits::read_text(Path::new(file), limits::RECIPE).map_err(|error| format!("{file}: {error}"))?;
            let points = from_geojson(&text).map_err(|error| format!("{file}: {error}"))?;
            return Ok(Assignment { path: path.trim().to_owned(), value: points.into() });
        }
        // The name of a node or a choice needs no quotes.
        let value = setting(value).unwrap_or_else(|| Setting::from(value.trim()));
        Ok(Assignment { path: path.trim().to_owned(), value })
    }
}

/// A value as in TOML.
fn setting(text: &str) -> Option<Setting> {
    let value = toml::from_str::<toml::Table>(&format!("value = {text}")).ok()?.remove("value")?;
    value.try_into().ok()
}

impl ChangeArgs {
    /// Whether a recipe stays as it is.
    pub fn is_empty(&self) -> bool {
        self.set.is_empty() && self.variation == 0
    }

    /// Reads a recipe and changes it.
    ///
    /// # Errors
    /// Returns the errors of the recipe; an error for a parameter or a variable that does not exist, or that does not accept the
    /// value.
    pub fn load(&self, path: &Path) -> Result<Recipe, Failure> {
        let reader = self.set.iter().fold(RecipeReader::new(), |reader, Assignment { path, value }| reader.variable(path, value.clone()));
        let ReadRecipe { mut recipe, variables, unknown, .. } = reader.load(path)?;
        recipe.pipeline.vary(self.variation);
        // The others were variables.
        for Assignment { path, value } in self.set.iter().filter(|set| unknown.contains(&set.path)) {
            if !path.contains('.') {
                let known: Vec<&str> = variables.keys().map(String::as_str).collect();
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                let message = format!("--set {path}: there is no such variable; allowed: NAME.PARAM, or a variable ({known})");
                return Err(Failure::message(USAGE, message));
            }
            recipe.pipeline.change(path, value.clone()).map_err(|error| Failure::message(USAGE, format!("--set {path}: {error}")))?;
        }
        if !self.set.is_empty() {
            recipe.pipeline.check().map_err(|error| Failure::message(DATA, format!("{} with --set: {error}", path.display())))?;
        }
        Ok(recipe)
    }
}
