//! A folder that a bake writes to, held by a lock. Nothing in it is read before the lock is held, and only the bake's own files
//! are replaced.

use crate::bake::BakeError;
use crate::bake::answers::Collected;
use crate::bake::disk::{Disk, DiskEntry, SystemDisk, in_the_way};
use crate::bake::hash::{FileHash, hex};
use crate::bake::names::{self, JOURNAL, LOCK, MANIFEST, MEASURING, TRACES, is_measuring, unfinished};
use crate::bake::object::Object;
use crate::clock::Instant;
use crate::world::one::Checkpoint;
use std::any::Any;
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// A folder of tiles, locked while this value lives.
pub struct BakeFolder {
    folder: PathBuf,
    disk: Arc<dyn Disk>,
    /// Whether the lock file existed before: a bake has used this folder.
    was_used: bool,
    /// Folders that were created to lock it, the outermost first. They are removed if nothing is written.
    made: Vec<PathBuf>,
    /// Whether it is only read.
    reads: bool,
    _lock: Box<dyn Any + Send + Sync>,
}

impl Drop for BakeFolder {
    fn drop(&mut self) {
        if self.was_used {
            return;
        }
        let traces = |names: Vec<std::ffi::OsString>| {
            names.iter().any(|name| TRACES.iter().any(|trace| name == trace) || is_measuring(&name.to_string_lossy()))
        };
        if !self.reads && self.disk.names(&self.folder).map_or(true, traces) {
            return;
        }
        // If the lock file cannot be removed, it stays without a lock on it.
        let _ = self.disk.remove(&self.folder.join(LOCK));
        self.made.iter().rev().for_each(|folder| drop(self.disk.remove_folder(folder)));
    }
}

impl std::fmt::Debug for BakeFolder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BakeFolder").field("folder", &self.folder).finish_non_exhaustive()
    }
}

/// The text at the name of a record.
pub(super) enum RecordText {
    Nothing,
    Text(String),
}

impl BakeFolder {
    /// Creates the folder, if it does not exist, and locks it.
    ///
    /// # Errors
    /// [`BakeError::Busy`] if another process holds the lock, and I/O errors.
    pub fn open(folder: &Path) -> Result<Self, BakeError> {
        BakeFolder::on(Arc::new(SystemDisk), folder)
    }

    /// The same on another file system.
    ///
    /// # Errors
    /// The errors of [`open`](Self::open).
    pub fn on(disk: Arc<dyn Disk>, folder: &Path) -> Result<Self, BakeError> {
        let inside = |folder: &&Path| !folder.as_os_str().is_empty() && disk.look(folder).is_ok_and(|there| there == DiskEntry::Nothing);
        let mut made: Vec<PathBuf> = folder.ancestors().take_while(inside).map(Path::to_owned).collect();
        made.reverse();
        disk.make_folder(folder).map_err(|error| BakeError::file(folder, error))?;
        let path = folder.join(LOCK);
        let failed = |error| BakeError::file(&path, error);
        let there = disk.look(&path).map_err(failed)?;
        if matches!(there, DiskEntry::Other | DiskEntry::Folder) {
            return Err(failed(in_the_way()));
        }
        let lock = disk.lock(&path).map_err(failed)?.ok_or_else(|| BakeError::Busy { path: folder.to_owned() })?;
        Ok(BakeFolder { folder: folder.to_owned(), disk, was_used: there != DiskEntry::Nothing, made, reads: false, _lock: lock })
    }

    /// Opens an existing bake for reading. No file is left behind. The folder is locked, unless it is read-only.
    ///
    /// # Errors
    /// The errors of [`open`](Self::open), and an error if the folder does not exist or holds no bake.
    pub fn reading(folder: &Path) -> Result<Self, BakeError> {
        let failed = |error: Error| BakeError::file(folder, error);
        std::fs::read_dir(folder).map_err(failed)?;
        let is_there = |name: &str| folder.join(name).symlink_metadata().is_ok();
        let was_used = is_there(LOCK);
        if !was_used && !is_there(MANIFEST) && !is_there(JOURNAL) {
            return Err(BakeError::NoBake { path: folder.to_owned() });
        }
        let lock: Box<dyn Any + Send + Sync> = match SystemDisk.lock(&folder.join(LOCK)) {
            Ok(lock) => lock.ok_or_else(|| BakeError::Busy { path: folder.to_owned() })?,
            Err(error) if matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem) => Box::new(()),
            Err(error) => return Err(failed(error)),
        };
        Ok(BakeFolder { folder: folder.to_owned(), disk: Arc::new(SystemDisk), was_used, made: Vec::new(), reads: true, _lock: lock })
    }

    /// Whether a bake has used this folder before.
    pub(super) fn was_used(&self) -> bool {
        self.was_used
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Stores the answers of a measurement in this folder. Its state is stored about once a second, or less often if that takes
    /// long. `asked` names the measurement, and `by` the engine that makes it.
    pub(super) fn checkpoint(&self, asked: &str, by: &str) -> Measuring<'_> {
        Measuring { place: self, by: format!("{asked} {by}"), collected: Collected::new(asked), due: Instant::now() + EVERY }
    }

    /// The object of an answer; `None` if there is no such file.
    pub(super) fn answer(&self, name: &str) -> Result<Option<Vec<u8>>, BakeError> {
        match self.look(name)? {
            DiskEntry::File { .. } => self.read(name).map(Some),
            DiskEntry::Folder | DiskEntry::Other | DiskEntry::Nothing => Ok(None),
        }
    }

    /// Removes the state of a measurement whose answers are files now.
    pub(super) fn forget_measuring(&self) {
        let names = self.disk.names(&self.folder).unwrap_or_default();
        let names = names.iter().map(|name| name.to_string_lossy()).filter(|name| is_measuring(name));
        names.for_each(|name| self.forget(&name));
    }

    /// The text of a record. Bytes that are not UTF-8 are replaced, so the record fails its check.
    pub(super) fn record(&self, name: &str) -> Result<RecordText, BakeError> {
        match self.look(name)? {
            DiskEntry::Nothing => Ok(RecordText::Nothing),
            DiskEntry::Other | DiskEntry::Folder => Err(self.refuse(name)),
            DiskEntry::File { .. } => {
                let bytes = self.disk.read(&self.path(name)).map_err(|error| self.failed(name, error))?;
                Ok(RecordText::Text(String::from_utf8_lossy(&bytes).into_owned()))
            }
        }
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub(super) fn failed(&self, name: &str, error: impl Into<Error>) -> BakeError {
        BakeError::file(&self.path(name), error)
    }

    pub(super) fn refuse(&self, name: &str) -> BakeError {
        BakeError::NotOurs { path: self.path(name) }
    }

    pub(super) fn look(&self, name: &str) -> Result<DiskEntry, BakeError> {
        self.disk.look(&self.path(name)).map_err(|error| self.failed(name, error))
    }

    pub(super) fn names(&self) -> Result<Vec<String>, BakeError> {
        let names = self.disk.names(&self.folder).map_err(|error| BakeError::file(&self.folder, error))?;
        // A lossy conversion puts U+FFFD into the name, which no file name of a bake contains.
        let names = names.into_iter().map(|name| name.to_string_lossy().into_owned());
        Ok(names.filter(|name| name != LOCK && !is_measuring(name)).collect())
    }

    pub(super) fn read(&self, name: &str) -> Result<Vec<u8>, BakeError> {
        self.disk.read(&self.path(name)).map_err(|error| self.failed(name, error))
    }

    /// Writes a file under its unfinished name.
    pub(super) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), BakeError> {
        let unfinished = unfinished(name);
        self.disk.write_new(&self.path(&unfinished), bytes).map_err(|error| {
            if error.kind() != ErrorKind::AlreadyExists {
                self.abandon(name);
            }
            self.failed(name, error)
        })
    }

    /// Syncs unfinished files and all names in the folder, so that they survive a power cut once this returns.
    pub(super) fn sync(&self, names: &[&str]) -> Result<(), BakeError> {
        let files: Vec<PathBuf> = names.iter().map(|name| self.path(&unfinished(name))).collect();
        self.disk.sync(&self.folder, &files).map_err(|error| BakeError::file(files.first().unwrap_or(&self.folder), error))
    }

    /// Syncs a file under its final name, so that it survives a power cut once this returns.
    pub(super) fn settle(&self, name: &str) -> Result<(), BakeError> {
        self.disk.sync(&self.folder, &[self.path(name)]).map_err(|error| self.failed(name, error))
    }

    /// Gives a file its final name, replacing an existing file.
    pub(super) fn finish(&self, name: &str) -> Result<(), BakeError> {
        self.disk.rename(&self.path(&unfinished(name)), &self.path(name)).map_err(|error| self.failed(name, error))
    }

    /// Writes a small file completely, and syncs it.
    pub(super) fn replace(&self, name: &str, bytes: &[u8]) -> Result<(), BakeError> {
        self.abandon(name);
        self.write(name, bytes)?;
        self.sync(&[name])?;
        self.finish(name)?;
        self.sync(&[])
    }

    pub(super) fn append(&self, name: &str, text: &str) -> Result<(), BakeError> {
        self.disk.append(&self.path(name), text.as_bytes()).map_err(|error| self.failed(name, error))
    }

    pub(super) fn remove(&self, name: &str) -> Result<(), BakeError> {
        self.disk.remove(&self.path(name)).map_err(|error| self.failed(name, error))
    }

    /// Removes a file that is not needed, if it exists. An error is ignored: where it matters, a later call fails again.
    pub(super) fn forget(&self, name: &str) {
        let _ = self.disk.remove(&self.path(name));
    }

    /// Removes the unfinished file of a name, in the same way.
    pub(super) fn abandon(&self, name: &str) {
        self.forget(&unfinished(name));
    }

    /// Renames a damaged or changed file to keep it, and returns the new name.
    pub(crate) fn set_aside(&self, name: &str, ending: &str) -> Result<String, BakeError> {
        for i in 1.. {
            let aside = if i == 1 { format!("{name}{ending}") } else { format!("{name}{ending}.{i}") };
            if self.look(&aside)? == DiskEntry::Nothing {
                self.disk.rename(&self.path(name), &self.path(&aside)).map_err(|error| self.failed(name, error))?;
                return Ok(aside);
            }
        }
        Err(self.failed(name, in_the_way()))
    }

    /// Whether a file matches its record. With a stamp, an unmodified file is not read again. A file that was complete when the
    /// bake ended, but was not renamed, is renamed and matches.
    pub(super) fn holds(&self, is: &FileHash, stamp: Option<[u64; 2]>) -> Result<bool, BakeError> {
        if self.is(&is.file, is, stamp)? {
            return Ok(true);
        }
        let whole = self.is(&unfinished(&is.file), is, stamp)?;
        if whole {
            // An earlier run may have made it again and recorded nothing, so it may not be synced.
            self.sync(&[&is.file])?;
            self.finish(&is.file)?;
        }
        Ok(whole)
    }

    /// Whether the file at a name matches a record. An unreadable file does not.
    pub(super) fn is(&self, name: &str, is: &FileHash, known: Option<[u64; 2]>) -> Result<bool, BakeError> {
        let DiskEntry::File { size, stamp } = self.look(name)? else { return Ok(false) };
        let same = |bytes: Vec<u8>| hex(&bytes) == is.sha256;
        Ok(size == is.size && (known == Some(stamp) || self.disk.read(&self.path(name)).is_ok_and(same)))
    }

    /// Whether the unfinished file of a record matches it.
    pub(super) fn is_unfinished(&self, is: &FileHash) -> Result<bool, BakeError> {
        self.is(&unfinished(&is.file), is, None)
    }

    /// The modification stamp of an unfinished file.
    pub(super) fn unfinished_stamp(&self, name: &str) -> Result<[u64; 2], BakeError> {
        self.stamp(&unfinished(name))
    }

    /// The modification stamp of a file.
    pub(super) fn stamp(&self, name: &str) -> Result<[u64; 2], BakeError> {
        match self.look(name)? {
            DiskEntry::File { stamp, .. } => Ok(stamp),
            _ => Err(self.failed(name, Error::new(ErrorKind::NotFound, "was removed while it was written"))),
        }
    }
}

/// A measurement in progress. Its state is a file that begins with a SHA-256 of the question, the engine and the state. Its
/// answers are objects. They get their final names once a bake begins in the folder.
pub(super) struct Measuring<'a> {
    place: &'a BakeFolder,
    by: String,
    collected: Collected,
    /// The time when the next state is stored.
    due: Instant,
}

impl Measuring<'_> {
    fn head(&self, state: &[u8]) -> String {
        format!("{}\n", hex(&[self.by.as_bytes(), b"\n", state].concat()))
    }

    /// The file of an answer until a bake begins.
    fn file(number: u32) -> String {
        format!("{MEASURING}.{number}")
    }

    /// The answers to all questions so far.
    pub fn into_answers(self) -> Vec<Object> {
        self.collected.answers
    }
}

impl Checkpoint for Measuring<'_> {
    fn keeps(&self) -> bool {
        true
    }

    /// From this bake, or from an earlier measurement in this folder with the same question.
    fn answer(&mut self, number: u32, question: &str) -> Option<Vec<u8>> {
        let mut stored = [names::answer(number), Self::file(number)].into_iter().filter_map(|name| self.place.answer(&name).ok().flatten());
        stored.find_map(|object| self.collected.take_over(number, question, object))
    }

    fn keep(&mut self, number: u32, question: &str, part: &[u8], answer: &[u8]) {
        let object = self.collected.add(number, question, part, answer);
        // An error is ignored, as for states.
        let _ = self.place.replace(&Self::file(number), &object.bytes);
    }

    fn load(&mut self) -> Option<Vec<u8>> {
        let mut bytes = self.place.answer(MEASURING).ok().flatten()?;
        let head = self.head(&[]).len();
        let state = if bytes.len() < head { return None } else { bytes.split_off(head) };
        (bytes == self.head(&state).as_bytes()).then_some(state)
    }

    fn save(&mut self, state: &dyn Fn() -> Vec<u8>) {
        let begun = Instant::now();
        if begun < self.due {
            return;
        }
        let state = state();
        // A state only saves time. If it cannot be written, neither can the tiles, which is an error.
        let _ = self.place.replace(MEASURING, &[self.head(&state).into_bytes(), state].concat());
        self.due = Instant::now() + EVERY.max(begun.elapsed() * SHARE);
    }
}

/// The shortest interval between stored states.
const EVERY: Duration = Duration::from_secs(1);
/// Work between two states takes at least this many times as long as storing one.
const SHARE: u32 = 20;
