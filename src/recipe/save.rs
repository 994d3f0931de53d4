//! Recipes prepared for saving, with their heights as files.

use super::Recipe;
use crate::codec::HeightEncoding;
use crate::graph::node::Node;
use crate::raster::{Digest, Heights};
use std::fs::File;
use std::path::Path;

/// A recipe in which every raster that has been read names a file with its hash, and the files that must still be written for
/// that.
#[derive(Clone, Debug, PartialEq)]
pub struct Saved {
    /// The recipe to write as text.
    pub recipe: Recipe,
    /// Files to write next to it before the text: their names and contents.
    pub files: Vec<(String, Vec<u8>)>,
}

impl Recipe {
    /// Prepares this recipe for saving in a folder, so that [`load`](Self::load) finds the same heights there.
    ///
    /// A raster keeps the name of its file if that name, relative to the recipe, still leads to the same bytes; `sha256` then
    /// pins them. The samples of every other raster that has been read, for example from memory, become a NumPy array
    /// `heights-….npy`, named by its hash. It is omitted from [`files`](Saved::files) if the folder already contains it. Rasters
    /// that were never read stay unchanged.
    ///
    /// Reads and hashes the files that it finds, and writes nothing. Needs as much memory as the samples.
    ///
    /// ```
    /// use orogen::node::{Heights, Raster};
    /// use orogen::{Noise, Recipe};
    /// let heights = Heights::new(vec![0.0, 1.0, 2.0, 3.0], [2, 2])?;
    /// let saved = Recipe::new(Noise::raster(Raster { heights, ..Default::default() })).to_save("anywhere");
    /// let (name, bytes) = &saved.files[0];
    /// assert!(saved.recipe.to_toml()?.contains(name.as_str()) && bytes.starts_with(b"\x93NUMPY"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_save(&self, folder: impl AsRef<Path>) -> Saved {
        let folder = folder.as_ref();
        let mut saved = Saved { recipe: self.clone(), files: Vec::new() };
        for node in saved.recipe.pipeline.node.values_mut() {
            let Node::Raster(raster) = node else { continue };
            if !is_there(folder, &raster.heights) {
                let Some((heights, bytes)) = raster.heights.as_file() else { continue };
                let name = heights.name();
                if !is_there(folder, &heights) && saved.files.iter().all(|(known, _)| *known != name) {
                    saved.files.push((name, bytes));
                }
                // A NumPy array specifies its own encoding.
                (raster.heights, raster.encoding, raster.columns) = (heights, HeightEncoding::File, None);
            }
            raster.sha256 = raster.heights.digest();
        }
        saved
    }
}

/// Whether the name of heights, relative to a recipe in this folder, is that of a file with their hash.
fn is_there(folder: &Path, heights: &Heights) -> bool {
    let (Some(name), Some(digest)) = (heights.file_name(), heights.digest()) else { return false };
    let path = folder.join(name);
    // Other files, such as a pipe, might never end.
    let is_file = path.metadata().is_ok_and(|found| found.is_file());
    is_file && File::open(path).and_then(Digest::of_reader).is_ok_and(|found| found == digest)
}
