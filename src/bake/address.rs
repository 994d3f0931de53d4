//! Addresses of worlds: folders of this machine, and URLs of object storage.

use crate::bake::shard::{Folder, PLAN, Sharded, Store};
use crate::bake::{BakeError, BakeFolder, CheckReport, Progress, Recompute, check, check_world};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// The address of a world to read or to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Address<'a> {
    /// A folder.
    Folder(&'a Path),
    /// A folder that was given as a `file://` URL. Only worlds of shards have URLs.
    FileUrl(&'a Path),
    /// Object storage: an `s3://`, `gs://` or `az://` URL.
    Bucket(&'a str),
}

impl<'a> Address<'a> {
    /// Reads a path or a URL. Any text that contains `://` is a URL.
    pub fn of(path: &'a Path) -> Self {
        match path.to_str().filter(|text| text.contains("://")) {
            None => Address::Folder(path),
            Some(url) => url.strip_prefix("file://").map_or(Address::Bucket(url), |path| Address::FileUrl(Path::new(path))),
        }
    }

    /// The folder, if it is one of this machine.
    pub fn folder(&self) -> Option<&'a Path> {
        match *self {
            Address::Folder(folder) | Address::FileUrl(folder) => Some(folder),
            Address::Bucket(_) => None,
        }
    }

    /// The store of a world of shards at this address.
    ///
    /// # Errors
    /// Returns an error if the URL is invalid, or if it names object storage and feature `cloud` is off.
    pub fn store(&self) -> Result<Arc<dyn Store>, BakeError> {
        match *self {
            Address::Folder(folder) | Address::FileUrl(folder) => Ok(Arc::new(Folder::new(folder))),
            #[cfg(feature = "cloud")]
            Address::Bucket(url) => {
                let bucket = crate::bake::shard::Bucket::open(url).map_err(|error| self.refuse(error.to_string()))?;
                Ok(Arc::new(bucket))
            }
            #[cfg(not(feature = "cloud"))]
            Address::Bucket(_) => {
                Err(self.refuse("object storage is not supported by this build; allowed: one with feature cloud".to_owned()))
            }
        }
    }

    /// Whether the address holds a world of shards: its plan, or files that its shards have written. A URL always counts as one.
    pub fn is_planned(&self) -> bool {
        match *self {
            Address::FileUrl(_) | Address::Bucket(_) => true,
            Address::Folder(folder) => {
                let store: Arc<dyn Store> = Arc::new(Folder::new(folder));
                // An unreadable folder counts as one without a plan; writing to it reports the reason.
                folder.join(PLAN).is_file() || Sharded::has_traces(&store).unwrap_or(false)
            }
        }
    }

    /// Reads every file of the bake or world of shards and compares it with its record.
    ///
    /// # Errors
    /// Returns an error if the address holds no bake, if a file cannot be read, or if the engine fails. Findings are part of the result.
    pub fn check(&self, recompute: Option<&Recompute<'_>>, progress: &dyn Progress) -> Result<CheckReport, BakeError> {
        match *self {
            Address::Folder(folder) if !self.is_planned() => check(&BakeFolder::reading(folder)?, recompute, progress),
            Address::Folder(_) | Address::FileUrl(_) | Address::Bucket(_) => check_world(self.store()?, recompute, progress),
        }
    }

    /// An error about this address.
    pub(crate) fn refuse(&self, why: String) -> BakeError {
        BakeError::Place { place: self.to_string(), why }
    }
}

impl fmt::Display for Address<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Address::Folder(folder) | Address::FileUrl(folder) => write!(f, "{}", folder.display()),
            Address::Bucket(url) => f.write_str(url),
        }
    }
}
