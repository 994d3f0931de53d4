//! The file system as a bake uses it. Tests replace it with one that fails, fills up and loses power.

use std::any::Any;
use std::ffi::OsString;
use std::fs::{File, TryLockError};
use std::io::{Error, ErrorKind, Result, Write};
use std::path::{Path, PathBuf};

/// From this number of files on, one `syncfs` is cheaper than an `fsync` for each file.
#[cfg(target_os = "linux")]
const MANY: usize = 16;

/// The kind of entry at a path. Links are not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiskEntry {
    /// A file.
    File {
        /// Size in bytes.
        size: u64,
        /// Modification time in nanoseconds and inode number, as far as the system provides them. While both are the same, so is
        /// the content.
        stamp: [u64; 2],
    },
    /// A folder.
    Folder,
    /// Anything else: a link, a pipe.
    Other,
    /// No entry.
    Nothing,
}

/// The file system calls of a bake. All paths lie in the folder that it writes to.
pub trait Disk: Send + Sync {
    /// The kind of entry at a path.
    ///
    /// # Errors
    /// I/O errors. A missing file is `Ok(DiskEntry::Nothing)`, not an error.
    fn look(&self, path: &Path) -> Result<DiskEntry>;

    /// The names in a folder, in any order.
    ///
    /// # Errors
    /// I/O errors.
    fn names(&self, folder: &Path) -> Result<Vec<OsString>>;

    /// Reads a whole file.
    ///
    /// # Errors
    /// I/O errors. [`SystemDisk`] also refuses a file that is not regular or is larger than [`BAKED`](crate::limits::BAKED).
    fn read(&self, path: &Path) -> Result<Vec<u8>>;

    /// Creates a folder and its parents, unless they exist.
    ///
    /// # Errors
    /// I/O errors.
    fn make_folder(&self, folder: &Path) -> Result<()>;

    /// Writes a new file.
    ///
    /// # Errors
    /// I/O errors, also if the path exists.
    fn write_new(&self, path: &Path, bytes: &[u8]) -> Result<()>;

    /// Appends to an existing file and syncs it.
    ///
    /// # Errors
    /// I/O errors.
    fn append(&self, path: &Path, bytes: &[u8]) -> Result<()>;

    /// Renames a file, replacing an existing one.
    ///
    /// # Errors
    /// I/O errors.
    fn rename(&self, from: &Path, to: &Path) -> Result<()>;

    /// Renames a file unless the new name exists. If several processes try at once, one succeeds.
    ///
    /// # Errors
    /// [`AlreadyExists`](ErrorKind::AlreadyExists) if the new name exists, and other I/O errors.
    fn rename_new(&self, from: &Path, to: &Path) -> Result<()>;

    /// Removes a file.
    ///
    /// # Errors
    /// I/O errors.
    fn remove(&self, path: &Path) -> Result<()>;

    /// Removes an empty folder. A disk without folders does nothing.
    ///
    /// # Errors
    /// I/O errors, also if the folder is not empty.
    fn remove_folder(&self, _folder: &Path) -> Result<()> {
        Ok(())
    }

    /// Syncs these files of a folder and all names in it, so that they survive a power cut once this returns.
    ///
    /// # Errors
    /// I/O errors.
    fn sync(&self, folder: &Path, files: &[PathBuf]) -> Result<()>;

    /// Locks a file, creating it if necessary. The lock ends when the returned value is dropped or the process ends. `None` if
    /// another process holds the lock.
    ///
    /// # Errors
    /// I/O errors.
    fn lock(&self, path: &Path) -> Result<Option<Box<dyn Any + Send + Sync>>>;
}

/// The operating system's file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemDisk;

impl Disk for SystemDisk {
    fn look(&self, path: &Path) -> Result<DiskEntry> {
        let found = match std::fs::symlink_metadata(path) {
            Ok(found) => found,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(DiskEntry::Nothing),
            Err(error) => return Err(error),
        };
        if !found.is_file() {
            return Ok(if found.is_dir() { DiskEntry::Folder } else { DiskEntry::Other });
        }
        let written = found.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        #[cfg(unix)]
        let which = std::os::unix::fs::MetadataExt::ino(&found);
        #[cfg(not(unix))]
        let which = 0;
        Ok(DiskEntry::File { size: found.len(), stamp: [written.map_or(0, |time| time.as_nanos() as u64), which] })
    }

    fn names(&self, folder: &Path) -> Result<Vec<OsString>> {
        std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.file_name())).collect()
    }

    fn read(&self, path: &Path) -> Result<Vec<u8>> {
        crate::limits::read(path, crate::limits::BAKED)
    }

    fn make_folder(&self, folder: &Path) -> Result<()> {
        std::fs::create_dir_all(folder)
    }

    fn write_new(&self, path: &Path, bytes: &[u8]) -> Result<()> {
        File::options().write(true).create_new(true).open(path)?.write_all(bytes)
    }

    fn append(&self, path: &Path, bytes: &[u8]) -> Result<()> {
        let mut file = File::options().append(true).open(path)?;
        file.write_all(bytes)?;
        file.sync_data()
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<()> {
        std::fs::rename(from, to)
    }

    fn rename_new(&self, from: &Path, to: &Path) -> Result<()> {
        // A hard link fails if the name exists, on every system; a rename replaces it.
        std::fs::hard_link(from, to)?;
        std::fs::remove_file(from)
    }

    fn remove(&self, path: &Path) -> Result<()> {
        std::fs::remove_file(path)
    }

    fn remove_folder(&self, folder: &Path) -> Result<()> {
        std::fs::remove_dir(folder)
    }

    fn sync(&self, folder: &Path, files: &[PathBuf]) -> Result<()> {
        #[cfg(target_os = "linux")]
        if files.len() >= MANY {
            return rustix::fs::syncfs(File::open(folder)?).map_err(Error::from);
        }
        for file in files {
            // Opened for writing, which some systems require for a sync.
            File::options().write(true).open(file)?.sync_all()?;
        }
        sync_names(folder)
    }

    fn lock(&self, path: &Path) -> Result<Option<Box<dyn Any + Send + Sync>>> {
        loop {
            let file = File::options().create(true).read(true).write(true).truncate(false).open(path)?;
            match file.try_lock() {
                // The previous holder of the lock may have removed the file.
                Ok(()) if is_at(&file, path) => return Ok(Some(Box::new(Lock(file)))),
                Ok(()) => (),
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
    }
}

/// Whether an open file is still the one at a path.
pub(crate) fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let which = |found: std::fs::Metadata| (found.dev(), found.ino());
        file.metadata().is_ok_and(|open| std::fs::metadata(path).is_ok_and(|named| which(open) == which(named)))
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        path.exists()
    }
}

/// A lock that is released when it is dropped. Closing the file is not enough: a child process inherits it between `fork` and
/// `exec`.
struct Lock(File);

impl Drop for Lock {
    fn drop(&mut self) {
        // If unlocking fails, closing the file releases the lock.
        let _ = self.0.unlock();
    }
}

/// Syncs the names in a folder, on systems that can open folders as files.
fn sync_names(folder: &Path) -> Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// The error for an entry that the bake did not write and must not replace.
pub(super) fn in_the_way() -> Error {
    Error::new(ErrorKind::AlreadyExists, "is there already and is not this bake's")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_ends_though_another_process_has_the_file() {
        let path = std::env::temp_dir().join(format!("orogen-lock-{}", std::process::id()));
        let lock = SystemDisk.lock(&path).expect("a file").expect("a free lock").downcast::<Lock>().expect("a lock");
        // As a child process holds it between `fork` and `exec`.
        let copy = lock.0.try_clone().expect("another");
        assert!(SystemDisk.lock(&path).expect("a file").is_none());
        drop(lock);
        assert!(SystemDisk.lock(&path).expect("a file").is_some());
        drop(copy);
        std::fs::remove_file(&path).expect("there");
    }
}
