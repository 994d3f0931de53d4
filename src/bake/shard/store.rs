//! The store of a world of shards: objects by name, created once and never changed. Only state that is no longer needed is
//! removed. It needs no locks, since creating an object fails if another writer was first.

use crate::bake::disk::{Disk, DiskEntry, SystemDisk};
use crate::bake::object::Object;
use std::collections::BTreeSet;
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The storage calls of shards. Names are folders and a file, separated by `/`.
pub trait Store: Send + Sync {
    /// The place, for messages.
    fn path(&self) -> PathBuf;

    /// The content of an object; `None` if it does not exist.
    ///
    /// # Errors
    /// I/O errors.
    fn read(&self, name: &str) -> Result<Option<Vec<u8>>>;

    /// The size of an object in bytes; `None` if it does not exist.
    ///
    /// # Errors
    /// I/O errors.
    fn size(&self, name: &str) -> Result<Option<u64>>;

    /// The names in a folder without unfinished files; empty if there is no such folder.
    ///
    /// # Errors
    /// I/O errors.
    fn names(&self, folder: &str) -> Result<Vec<String>>;

    /// Creates objects that do not exist yet, each completely or not at all. Returns for each whether it was created. When this
    /// returns, all of them survive a power cut.
    ///
    /// # Errors
    /// I/O errors. Some of the objects may have been created.
    fn make(&self, objects: &[Object]) -> Result<Vec<bool>>;

    /// Verifies that an object can be created only once: a place in which writers overwrite each other is refused.
    ///
    /// # Errors
    /// Returns an error for such a place, or if it cannot be written to.
    fn probe(&self) -> Result<()> {
        Ok(())
    }

    /// Removes an object, if it exists.
    ///
    /// # Errors
    /// I/O errors.
    fn remove(&self, name: &str) -> Result<()>;

    /// Removes unfinished files of killed writers from a folder.
    ///
    /// # Errors
    /// I/O errors.
    fn tidy(&self, folder: &str) -> Result<()>;
}

/// A store in a folder.
pub struct Folder {
    root: PathBuf,
    disk: Arc<dyn Disk>,
    /// The common part of the names of this process's unfinished files.
    writer: String,
    written: AtomicU64,
}

/// The ending of the names of unfinished files.
const UNFINISHED: &str = ".unfinished";

impl Folder {
    /// A store in the operating system's file system. The folder is created by the first write.
    pub fn new(root: &Path) -> Self {
        Folder::on(Arc::new(SystemDisk), root)
    }

    /// A store on another file system.
    pub fn on(disk: Arc<dyn Disk>, root: &Path) -> Self {
        Folder { root: root.to_owned(), disk, writer: super::record::attempt(), written: AtomicU64::new(0) }
    }

    /// The folders from the root down to that of a name.
    fn folders(&self, name: &str) -> Vec<PathBuf> {
        let within = Path::new(name).parent().unwrap_or(Path::new(""));
        let mut all: Vec<PathBuf> = within.ancestors().map(|folder| self.root.join(folder)).collect();
        all.reverse();
        all
    }

    fn write(&self, objects: &[Object], unfinished: &[PathBuf]) -> Result<Vec<bool>> {
        let mut folders = BTreeSet::new();
        for (object, path) in objects.iter().zip(unfinished) {
            let within = self.folders(&object.name);
            if let Some(folder) = within.last().filter(|folder| !folders.contains(*folder)) {
                // The root may be a link, but entries in it must not point outside.
                for folder in within.iter().skip(1).filter(|folder| !folders.contains(*folder)) {
                    if self.disk.look(folder)? == DiskEntry::Other {
                        let message = format!("{} is a link, which is not written through; allowed: a folder", folder.display());
                        return Err(Error::new(ErrorKind::InvalidInput, message));
                    }
                }
                self.disk.make_folder(folder)?;
            }
            folders.extend(within);
            self.disk.write_new(path, &object.bytes)?;
        }
        self.disk.sync(&self.root, unfinished)?;
        let mut made = Vec::new();
        for (object, path) in objects.iter().zip(unfinished) {
            made.push(match self.disk.rename_new(path, &self.root.join(&object.name)) {
                Ok(()) => true,
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                    self.disk.remove(path)?;
                    false
                }
                Err(error) => return Err(error),
            });
        }
        // Names are synced from the innermost folder outwards, so that no name points to a missing entry.
        folders.iter().rev().try_for_each(|folder| self.disk.sync(folder, &[]))?;
        Ok(made)
    }
}

impl Store for Folder {
    fn path(&self) -> PathBuf {
        self.root.clone()
    }

    fn read(&self, name: &str) -> Result<Option<Vec<u8>>> {
        match self.disk.read(&self.root.join(name)) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn size(&self, name: &str) -> Result<Option<u64>> {
        Ok(match self.disk.look(&self.root.join(name))? {
            DiskEntry::File { size, .. } => Some(size),
            DiskEntry::Other | DiskEntry::Folder | DiskEntry::Nothing => None,
        })
    }

    fn names(&self, folder: &str) -> Result<Vec<String>> {
        let names = match self.disk.names(&self.root.join(folder)) {
            Ok(names) => names,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut names: Vec<String> = names.into_iter().map(|name| name.to_string_lossy().into_owned()).collect();
        names.retain(|name| !name.ends_with(UNFINISHED));
        names.sort_unstable();
        Ok(names)
    }

    fn make(&self, objects: &[Object]) -> Result<Vec<bool>> {
        let unfinished: Vec<PathBuf> = objects
            .iter()
            .map(|object| {
                let (folders, number) = (self.folders(&object.name), self.written.fetch_add(1, Ordering::Relaxed));
                let folder = folders.last().unwrap_or(&self.root);
                folder.join(format!(".{}-{number}{UNFINISHED}", self.writer))
            })
            .collect();
        let whole = || {
            let result = self.write(objects, &unfinished);
            if result.is_err() {
                unfinished.iter().for_each(|path| drop(self.disk.remove(path)));
            }
            result
        };
        // Sealing removes all unfinished files once, including those of a writer that repeats finished work. So a second attempt
        // succeeds.
        whole().or_else(|error| if error.kind() == ErrorKind::NotFound { whole() } else { Err(error) })
    }

    fn remove(&self, name: &str) -> Result<()> {
        match self.disk.remove(&self.root.join(name)) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn tidy(&self, folder: &str) -> Result<()> {
        let folder = self.root.join(folder);
        let names = match self.disk.names(&folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            names => names?,
        };
        let mut removed = false;
        for name in names.iter().filter(|name| name.to_string_lossy().ends_with(UNFINISHED)) {
            match self.disk.remove(&folder.join(name)) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
                _ => removed = true,
            }
        }
        if removed { self.disk.sync(&folder, &[]) } else { Ok(()) }
    }
}
