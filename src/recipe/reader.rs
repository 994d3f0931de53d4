//! Reading a recipe together with the other parts of its text: variables, expressions, other recipes.

use super::include::{Includes, ReadText, RecipeUse};
use super::read::{ReadHeights, RecipeLanguage, RecipeText, RecipeTree, WrittenExpression};
use super::variables::{Given, Variable};
use super::{Location, Recipe, RecipeError};
use crate::limits;
use crate::params::Setting;
use crate::raster::{Heights, HeightsError, HeightsFile};
use crate::text;
use indexmap::IndexMap;
use std::path::Path;

/// A recipe as read from text. The recipe itself has plain numbers and only nodes of its own: expressions are computed, and
/// recipes in it are expanded.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ReadRecipe {
    /// The recipe.
    pub recipe: Recipe,
    /// The variables, in the order of the text.
    pub variables: IndexMap<String, Variable>,
    /// The numbers that are written as expressions.
    pub expressions: Vec<WrittenExpression>,
    /// The nodes that are other recipes, by name.
    pub uses: IndexMap<String, RecipeUse>,
    /// Names that were given to [`RecipeReader::variable`] and that are not those of variables. `hills.gain` may be a parameter,
    /// which [`Pipeline::set`](crate::Pipeline::set) changes.
    pub unknown: Vec<String>,
}

/// Reads recipes: with values for their variables, and with the files that they name.
///
/// ```
/// use orogen::RecipeReader;
/// let text = "
/// output = 'hills'
/// [variables]
/// width = 300.0
/// [node.hills]
/// kind = 'simplex'
/// wavelength = 'width * 2'
/// ";
/// let read = RecipeReader::new().variable("width", 50.0).toml(text, "hills.toml")?;
/// assert_eq!(read.recipe.pipeline.get("hills.wavelength")?, Some(100.0.into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct RecipeReader<'a> {
    given: Given,
    heights: Option<Box<ReadHeights<'a>>>,
    recipes: Option<Box<ReadText<'a>>>,
}

impl<'a> RecipeReader<'a> {
    /// A reader of texts alone: files of heights stay unread, and recipes of files are refused.
    pub fn new() -> Self {
        RecipeReader::default()
    }

    /// Gives a variable another value: a number, or an expression of other variables as text. The name of a variable of a recipe
    /// in the recipe is `node.variable`; `node.seed` is the variation of that recipe.
    #[must_use]
    pub fn variable(mut self, name: impl Into<String>, value: impl Into<Setting>) -> Self {
        self.given.insert(name.into(), value.into());
        self
    }

    /// Reads files of heights by this function.
    #[must_use]
    pub fn heights(mut self, read: impl FnMut(&HeightsFile) -> Result<Heights, HeightsError> + 'a) -> Self {
        self.heights = Some(Box::new(read));
        self
    }

    /// Reads the texts of other recipes by this function, from names relative to the recipe. Its errors are messages.
    #[must_use]
    pub fn recipes(mut self, read: impl FnMut(&str) -> Result<String, String> + 'a) -> Self {
        self.recipes = Some(Box::new(read));
        self
    }

    /// Reads all files from a folder. Absolute names do not depend on it.
    #[must_use]
    pub fn folder(self, folder: &'a Path) -> Self {
        self.heights(move |file| file.read(folder))
            .recipes(move |name| limits::read_text(&folder.join(name), limits::RECIPE).map_err(|error| error.to_string()))
    }

    /// Reads and checks TOML. `file` is the name used in messages.
    ///
    /// # Errors
    /// Returns an error if the text is not a recipe, if its graph is invalid, or if a file that it names cannot be read or is not
    /// allowed. It also fails if a variable does not accept its given value.
    pub fn toml(self, text: &str, file: &str) -> Result<ReadRecipe, RecipeError> {
        self.read(&RecipeText::new(file, text, RecipeLanguage::Toml))
    }

    /// Reads and checks JSON. `file` is the name used in messages.
    ///
    /// # Errors
    /// Returns the errors of [`toml`](Self::toml).
    pub fn json(self, text: &str, file: &str) -> Result<ReadRecipe, RecipeError> {
        self.read(&RecipeText::new(file, text, RecipeLanguage::Json))
    }

    /// Reads and checks a file, JSON if its name ends in `.json`, else TOML. Files that it names are read from its folder, unless
    /// the reader has functions for them.
    ///
    /// # Errors
    /// Returns the errors of [`toml`](Self::toml), and an error if the file cannot be read or is too large.
    pub fn load(mut self, path: impl AsRef<Path>) -> Result<ReadRecipe, RecipeError> {
        let path = path.as_ref();
        let file = path.display().to_string();
        let wrong = |message: String| RecipeError::Text { at: Location::start(&file).into(), message };
        let bytes = limits::read_stream(path, limits::RECIPE).map_err(|error| match error.kind() {
            std::io::ErrorKind::FileTooLarge => wrong(error.to_string()),
            _ => RecipeError::Read { path: path.to_owned(), error },
        })?;
        let text = text::decode(&bytes).map_err(|why| wrong(why.to_owned()))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let RecipeReader { heights, recipes, .. } = RecipeReader::new().folder(folder);
        let mut reader = RecipeReader { given: std::mem::take(&mut self.given), heights, recipes };
        reader.heights = self.heights.take().or(reader.heights);
        reader.recipes = self.recipes.take().or(reader.recipes);
        reader.read(&RecipeText::new(&file, text, RecipeLanguage::of(path)))
    }

    fn read(mut self, text: &RecipeText<'_>) -> Result<ReadRecipe, RecipeError> {
        let mut includes = Includes::new(self.recipes.as_deref_mut());
        let tree = text.read(&self.given, &mut includes, self.heights.as_deref_mut())?;
        let RecipeTree { recipe, variables, expressions, uses, not_taken, .. } = tree;
        Ok(ReadRecipe { recipe, variables, expressions, uses, unknown: not_taken.unknown })
    }
}
