//! The files that a pipeline's nodes name.

use super::Pipeline;
use crate::graph::node::{Node, Raster};
use crate::program::GraphError;
use crate::raster::{Heights, HeightsError, HeightsFile};
use std::collections::HashMap;

impl Pipeline {
    /// Reads the files that nodes refer to and that have not been read, each once; `read` returns the heights in a file.
    /// [`Recipe::load`](crate::Recipe::load) does this with paths relative to the recipe. Omitted hashes are filled in.
    ///
    /// ```
    /// use orogen::Recipe;
    /// let text = "output = 'scan'\n[node.scan]\nkind = 'raster'\nheights = 'scan.r32'";
    /// let mut recipe = Recipe::from_toml(text, "scan.toml")?;
    /// recipe.pipeline.read_files(|_| orogen::node::Heights::new(vec![1.0, 2.0, 3.0, 4.0], [2, 2]))?;
    /// assert!(recipe.noise()?.range()?.hi > 4.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or has an unknown format. It also fails if its hash differs from the one that its
    /// node specifies, or if it has missing cells that its node does not fill.
    pub fn read_files(&mut self, mut read: impl FnMut(&HeightsFile) -> Result<Heights, HeightsError>) -> Result<(), GraphError> {
        let mut known: HashMap<HeightsFile, Heights> = HashMap::new();
        for (node, raster) in rasters(self) {
            let file = raster.file();
            if raster.heights.is_missing() || raster.heights.size().is_some() {
                continue;
            }
            let refused =
                |error| GraphError::parameter(node, "heights", format!("\"{}\"", file.name), format!("a file of heights ({error})"));
            let found = match known.get(&file) {
                Some(found) => found.clone(),
                None => read(&file).map_err(refused)?.named(&file),
            };
            raster.check_heights(node, &found)?;
            (raster.sha256, raster.heights) = (found.digest(), found.clone());
            known.insert(file, found);
        }
        Ok(())
    }

    /// The heights of its nodes, read or not.
    #[cfg(feature = "bake")]
    pub(crate) fn heights(&self) -> impl Iterator<Item = &Heights> {
        self.node.values().filter_map(|node| if let Node::Raster(raster) = node { Some(&raster.heights) } else { None })
    }

    /// As [`heights`](Self::heights), mutable, with the file names and, as far as known, the hashes.
    #[cfg(feature = "bake")]
    pub(crate) fn heights_mut(&mut self) -> impl Iterator<Item = (&mut Heights, HeightsFile, Option<crate::raster::Digest>)> {
        rasters(self).map(|(_, raster)| {
            let file = raster.file();
            let digest = raster.sha256.or_else(|| file.name.strip_prefix("sha256:")?.parse().ok());
            (&mut raster.heights, file, digest)
        })
    }
}

fn rasters(pipeline: &mut Pipeline) -> impl Iterator<Item = (&str, &mut Raster)> {
    pipeline.node.iter_mut().filter_map(|(name, node)| if let Node::Raster(raster) = node { Some((name.as_str(), raster)) } else { None })
}
