//! Files that recipes name: heights, cached, and other recipes.

use crate::serve::Studio;
use orogen::limits;
use orogen::node::{Heights, HeightsError, HeightsFile};
use orogen_studio::{Recent, Waits};
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// Maximum number of cached samples: 1 GiB.
const FILES: usize = 1 << 28;

/// The files that were read lately.
pub type Cache = Recent<Heights>;

/// A cache of that size.
pub fn cache() -> Cache {
    Recent::new(FILES, |heights: &Heights| heights.values().map_or(0, <[f32]>::len))
}

impl Studio {
    /// The heights in a file within the recipe's folder, read again only if the file has changed, and only while the client
    /// waits.
    pub fn heights(&self, folder: &Path, file: &HeightsFile, waits: &Waits) -> Result<Heights, HeightsError> {
        let path = &within(folder, &file.name)?;
        file.check()?;
        let about = std::fs::metadata(path)?;
        let key = format!("{} {} {:?} {} {:?}", path.display(), about.len(), about.modified().ok(), file.encoding, file.columns);
        if let Some(heights) = self.heights.get(&key) {
            return Ok(heights);
        }
        let bytes = read(path, waits)?;
        let heights = file.decode(&bytes)?;
        self.heights.insert(key, heights.clone());
        Ok(heights)
    }
}

/// The text of a recipe within the recipe's folder.
pub fn recipe_text(folder: &Path, name: &str) -> Result<String, String> {
    let path = within(folder, name).map_err(|error| error.to_string())?;
    limits::read_text(&path, limits::RECIPE).map_err(|error| error.to_string())
}

/// Resolves the path of a file named in a recipe, including links. The recipe may come from anyone: opening a shared link must
/// not make the server read other files of the user.
fn within(folder: &Path, name: &str) -> Result<PathBuf, HeightsError> {
    let outside = || HeightsError::Format("the studio only reads files within the recipe's folder".to_owned());
    if !Path::new(name).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
        return Err(outside());
    }
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder }.canonicalize()?;
    let path = folder.join(name).canonicalize()?;
    if path.starts_with(&folder) { Ok(path) } else { Err(outside()) }
}

/// Bytes read between checks whether the client still waits.
const PIECE: u64 = 1 << 20;

/// A file's bytes.
fn read(path: &Path, waits: &Waits) -> std::io::Result<Vec<u8>> {
    let mut file = limits::open(path, limits::HEIGHTS)?;
    let mut bytes = Vec::new();
    loop {
        waits.check().map_err(|refusal| std::io::Error::other(refusal.reason.message.clone()))?;
        if file.by_ref().take(PIECE).read_to_end(&mut bytes)? == 0 {
            return Ok(bytes);
        }
    }
}
