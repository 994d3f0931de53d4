//! Recipes ready to be saved: with their heights as files.

use super::Recipe;
use crate::codec::HeightEncoding;
use crate::node::Node;
use crate::raster::{Digest, Heights};
use std::fs::File;
use std::path::Path;

/// A recipe whose every raster that has been read names a file and has its hash, and the files that are still to be written for that.
#[derive(Clone, Debug, PartialEq)]
pub struct Saved {
    /// The recipe to write as text.
    pub recipe: Recipe,
    /// Files to write beside it before the text: their names, and their bytes.
    pub files: Vec<(String, Vec<u8>)>,
}

impl Recipe {
    /// This recipe as it is saved in a folder, so that [`load`](Self::load) finds the same numbers there.
    ///
    /// A raster keeps the name of the file that it was read from if that name, looked up beside the recipe, still leads to the same
    /// bytes; `sha256` then pins them. The numbers of every other raster that has been read, from memory for instance, become a NumPy array
    /// `heights-….npy`, which is named by its hash. It is not among [`files`](Saved::files) if the folder has it already. Rasters that were never
    /// read stay as they are.
    ///
    /// Reads and hashes the files that it finds, writes nothing. Takes as much memory as the numbers.
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
                // An array says itself how its numbers are stored.
                (raster.heights, raster.encoding, raster.columns) = (heights, HeightEncoding::File, None);
            }
            raster.sha256 = raster.heights.digest();
        }
        saved
    }
}

/// Whether the name of heights, beside a recipe in this folder, is that of a file with their hash.
fn is_there(folder: &Path, heights: &Heights) -> bool {
    let (Some(name), Some(digest)) = (heights.file_name(), heights.digest()) else { return false };
    let path = folder.join(name);
    // Anything else, a pipe for instance, might never end.
    let is_file = path.metadata().is_ok_and(|found| found.is_file());
    is_file && File::open(path).and_then(Digest::of_reader).is_ok_and(|found| found == digest)
}
