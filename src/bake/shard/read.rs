//! Reads a sealed world back, like the bake of one process.

use super::Sharded;
use crate::bake::BakeError;
use crate::bake::manifest::Manifest;
use crate::bake::names::MANIFEST;
use crate::bake::read::Baked;
use std::io::{Error, ErrorKind};
use std::sync::Arc;

impl Sharded {
    /// Opens the sealed world for reading. Memory: a record for each tile.
    ///
    /// # Errors
    /// Returns an error if the world is not sealed, a record is damaged, there are more than 2²⁴ tiles, or the store fails.
    pub fn baked(&self) -> Result<Baked, BakeError> {
        let wrong = |what: &str| self.failed(MANIFEST, Error::new(ErrorKind::InvalidData, what));
        self.sealed()?
            .ok_or_else(|| wrong("is not there; orogen seal writes it"))?
            .map_err(|()| wrong("is damaged; orogen check has the details"))?;
        self.part(self.tiles()).check_alone("at most 16777216 tiles in all, whose records are held")?;
        let settled = self.settled()?;
        let mut manifest = Manifest {
            orogen: self.plan.orogen.clone(),
            setting: settled.setting.clone(),
            recipe: self.plan.recipe.clone(),
            backend: String::new(),
            adapter: String::new(),
            overview: None,
            beside: Vec::new(),
            tiles: Vec::new(),
        };
        for shard in 0..self.shards() {
            let recorded = self.recorded(shard)?;
            if let Some(maker) = recorded.makers.last() {
                (manifest.backend, manifest.adapter) = (maker.backend.clone(), maker.adapter.clone());
            }
            if recorded.tiles.len() as u64 != self.tiles_of(shard) {
                return Err(wrong(&format!("lists shard {shard} as complete, but tiles are missing; orogen check has the details")));
            }
            for (mut tile, _) in recorded.tiles.into_values() {
                let names: Vec<String> = tile.files.iter().map(|file| self.file(&tile, &file.is.file)).collect();
                tile.files.iter_mut().zip(names).for_each(|(file, name)| file.is.file = name);
                manifest.tiles.push(tile);
            }
        }
        manifest.tiles.sort_by_key(|tile| (tile.y, tile.x));
        Baked::of(Arc::clone(&self.store), manifest, &settled.pipeline)
    }
}
