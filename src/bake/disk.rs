//! What a bake asks of a file system, so that another can stand in for it: in tests one that fails, fills up and loses power.

use std::any::Any;
use std::ffi::OsString;
use std::fs::{File, TryLockError};
use std::io::{Error, ErrorKind, Result, Write};
use std::path::{Path, PathBuf};

/// From so many files on, the whole file system is synced at once: each by itself costs a turn of the disk.
#[cfg(target_os = "linux")]
const MANY: usize = 16;

/// What stands at a path, links not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiskEntry {
    /// A file.
    File {
        /// Bytes.
        size: u64,
        /// Which file it is and when it was last written, as far as the system tells: as long as this is the same, so is what is in it.
        stamp: [u64; 2],
    },
    /// A folder.
    Folder,
    /// Anything else: a link, a pipe.
    Other,
    /// Nothing.
    Nothing,
}

/// The calls a bake makes. Paths lie in the folder that it writes to.
pub trait Disk: Send + Sync {
    /// What is there.
    ///
    /// # Errors
    /// The system's. That nothing is there is none.
    fn look(&self, path: &Path) -> Result<DiskEntry>;

    /// Names in a folder, in any order.
    ///
    /// # Errors
    /// The system's.
    fn names(&self, folder: &Path) -> Result<Vec<OsString>>;

    /// The bytes of a file.
    ///
    /// # Errors
    /// The system's; on the system's own files also that it is not a regular file, or larger than [`BAKED`](crate::limits::BAKED).
    fn read(&self, path: &Path) -> Result<Vec<u8>>;

    /// Makes a folder and those it lies in, unless it is there.
    ///
    /// # Errors
    /// The system's.
    fn make_folder(&self, folder: &Path) -> Result<()>;

    /// Writes a file that is not there yet.
    ///
    /// # Errors
    /// The system's; something is there already.
    fn write_new(&self, path: &Path, bytes: &[u8]) -> Result<()>;

    /// Adds to the end of a file that is there, and syncs it.
    ///
    /// # Errors
    /// The system's.
    fn append(&self, path: &Path, bytes: &[u8]) -> Result<()>;

    /// Gives a file another name, in place of what has that name.
    ///
    /// # Errors
    /// The system's.
    fn rename(&self, from: &Path, to: &Path) -> Result<()>;

    /// Gives a file another name, unless something has it: of several at once, one succeeds.
    ///
    /// # Errors
    /// [`AlreadyExists`](ErrorKind::AlreadyExists); the system's.
    fn rename_new(&self, from: &Path, to: &Path) -> Result<()>;

    /// Removes a file.
    ///
    /// # Errors
    /// The system's.
    fn remove(&self, path: &Path) -> Result<()>;

    /// Removes a folder that is empty. A disk without folders has nothing to do.
    ///
    /// # Errors
    /// I/O errors; the folder is not empty.
    fn remove_folder(&self, _folder: &Path) -> Result<()> {
        Ok(())
    }

    /// When this returns, these files of a folder and the names in it survive a power cut.
    ///
    /// # Errors
    /// The system's.
    fn sync(&self, folder: &Path, files: &[PathBuf]) -> Result<()>;

    /// Locks a file, which is made if it is not there, until what is returned is dropped or the process ends, however it ends. `None`: somebody
    /// else holds the lock.
    ///
    /// # Errors
    /// The system's.
    fn lock(&self, path: &Path) -> Result<Option<Box<dyn Any + Send + Sync>>>;
}

/// The system's own files.
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
        // A second name is refused where there is one, on every system; a move is not.
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
            // Writing, as some systems ask for it.
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

/// Whether an open file is still the one that has a name.
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

/// A lock that ends when it is dropped. To close its file would not always be enough: a process that another thread is starting has the file, too,
/// until it runs its own program.
struct Lock(File);

impl Drop for Lock {
    fn drop(&mut self) {
        // A lock that cannot be given back goes with the file.
        let _ = self.0.unlock();
    }
}

/// Folders are synced like files where they can be opened like files.
fn sync_names(folder: &Path) -> Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// An error that says that something in the way is not the bake's to replace.
pub(super) fn in_the_way() -> Error {
    Error::new(ErrorKind::AlreadyExists, "is there already and is not this bake's")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_ends_though_another_process_has_the_file() {
        let path = std::env::temp_dir().join(format!("orogen-lock-{}", std::process::id()));
        let lock = SystemDisk.lock(&path).expect("a file").expect("nobody has it").downcast::<Lock>().expect("a lock");
        // As a process has it between its beginning and its program.
        let copy = lock.0.try_clone().expect("another");
        assert!(SystemDisk.lock(&path).expect("a file").is_none());
        drop(lock);
        assert!(SystemDisk.lock(&path).expect("a file").is_some());
        drop(copy);
        std::fs::remove_file(&path).expect("there");
    }
}
