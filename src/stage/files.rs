//! The files that a pipeline's nodes name.

use super::Pipeline;
use crate::graph::{GraphError, Node, Raster};
use crate::raster::{Heights, HeightsError};
use std::collections::HashMap;

impl Pipeline {
    /// Reads the files that its nodes name and that have not been read, each once; `read` gives what a name means.
    /// [`Recipe::load`](crate::Recipe::load) does it for files beside the recipe. Hashes that are not given are filled in.
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
    /// A file that cannot be read, is in no known format, or has another hash than its node says.
    pub fn read_files(&mut self, mut read: impl FnMut(&str) -> Result<Heights, HeightsError>) -> Result<(), GraphError> {
        let mut known: HashMap<String, Heights> = HashMap::new();
        for (node, raster) in rasters(self) {
            let name = raster.heights.name();
            if raster.heights.is_missing() || raster.heights.size().is_some() {
                continue;
            }
            let refused = |error| GraphError::parameter(node, "heights", format!("\"{name}\""), format!("a file of heights ({error})"));
            let found = match known.get(&name) {
                Some(found) => found.clone(),
                None => read(&name).map_err(refused)?.named(&name),
            };
            raster.check_digest(node, &found)?;
            (raster.sha256, raster.heights) = (found.digest(), found.clone());
            known.insert(name, found);
        }
        Ok(())
    }

    /// Takes the files that another pipeline has read.
    #[cfg(feature = "bake")]
    pub(crate) fn share_files(&mut self, from: &Pipeline) {
        let read: HashMap<String, &Heights> =
            from.heights().filter(|heights| heights.size().is_some()).map(|read| (read.name(), read)).collect();
        for (_, raster) in rasters(self) {
            if raster.heights.size().is_none()
                && let Some(&found) = read.get(&raster.heights.name())
            {
                raster.heights = found.clone();
            }
        }
    }

    /// The heights that its nodes have, read or not.
    #[cfg(feature = "bake")]
    pub(crate) fn heights(&self) -> impl Iterator<Item = &Heights> {
        self.node.values().filter_map(|node| if let Node::Raster(raster) = node { Some(&raster.heights) } else { None })
    }

    /// As [`heights`](Self::heights), to be replaced, with their hashes as far as they are known.
    #[cfg(feature = "bake")]
    pub(crate) fn heights_mut(&mut self) -> impl Iterator<Item = (&mut Heights, Option<crate::raster::Digest>)> {
        rasters(self).map(|(_, raster)| {
            let digest = raster.sha256.or_else(|| raster.heights.name().strip_prefix("sha256:")?.parse().ok());
            (&mut raster.heights, digest)
        })
    }
}

fn rasters(pipeline: &mut Pipeline) -> impl Iterator<Item = (&str, &mut Raster)> {
    pipeline.node.iter_mut().filter_map(|(name, node)| if let Node::Raster(raster) = node { Some((name.as_str(), raster)) } else { None })
}
