//! Where shards write: objects by name, made once and never changed, removed only where they stood for work that went on. No locks: whoever comes second finds the object there.

use crate::bake::disk::{Disk, DiskEntry, SystemDisk};
use std::collections::BTreeSet;
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Something to be written.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its name, folders before it.
    pub name: String,
    /// What it holds.
    pub bytes: Vec<u8>,
}

/// The calls that shards make. Names are folders and a file, with `/` between them.
pub trait Store: Send + Sync {
    /// Where this is, for messages.
    fn path(&self) -> PathBuf;

    /// What an object holds; `None` where there is none.
    ///
    /// # Errors
    /// The system's.
    fn read(&self, name: &str) -> Result<Option<Vec<u8>>>;

    /// How many bytes an object has; `None` where there is none.
    ///
    /// # Errors
    /// The system's.
    fn size(&self, name: &str) -> Result<Option<u64>>;

    /// The names of what lies in a folder, unfinished writes left out; none where there is no folder.
    ///
    /// # Errors
    /// The system's.
    fn names(&self, folder: &str) -> Result<Vec<String>>;

    /// Makes objects that are not there yet, each whole or not at all, and says of each whether it was made. When this returns, all of them
    /// survive a power cut.
    ///
    /// # Errors
    /// The system's; some of them may have been made.
    fn make(&self, objects: &[Object]) -> Result<Vec<bool>>;

    /// Finds out whether objects are really made only once here: a place that lets writers overwrite each other is refused.
    ///
    /// # Errors
    /// It is such a place, or cannot be written to.
    fn probe(&self) -> Result<()> {
        Ok(())
    }

    /// Removes an object, if it is there.
    ///
    /// # Errors
    /// The system's.
    fn remove(&self, name: &str) -> Result<()>;

    /// Removes what killed writers have left unfinished in a folder.
    ///
    /// # Errors
    /// The system's.
    fn tidy(&self, folder: &str) -> Result<()>;
}

/// A folder.
pub struct Folder {
    root: PathBuf,
    disk: Arc<dyn Disk>,
    /// What the names of unfinished files have in common that this process writes.
    writer: String,
    written: AtomicU64,
}

/// What the names of unfinished files end with.
const UNFINISHED: &str = ".unfinished";

impl Folder {
    /// In the system's files. Nothing is made before something is written.
    pub fn new(root: &Path) -> Self {
        Folder::on(Arc::new(SystemDisk), root)
    }

    /// On another file system.
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
                // The root may be a link; what lies in it may not lead out of it.
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
        // Names are safe from the last folder to the first, so that none leads nowhere.
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
        // Whoever seals a world removes what is unfinished in it, once: of a writer, too, that does what others have done already.
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
