//! A folder that a bake writes to, held by a lock: nothing in it is read before the lock is had, and nothing is replaced that is not the
//! bake's own.

use crate::bake::disk::{Disk, Entry, Files, in_the_way};
use crate::bake::manifest::{FileHash, Manifest, hex, line, read_line};
use crate::bake::{BakeError, Product};
use crate::engine::world::Checkpoint;
use crate::recipe::Recipe;
use crate::stage::Pipeline;
use serde_json::Value;
use std::any::Any;
use std::collections::BTreeMap;
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The record of a whole bake.
pub(super) const MANIFEST: &str = "manifest.json";
/// The record of a bake that is not done.
pub(super) const JOURNAL: &str = "tiles.jsonl";
/// The picture of the whole.
pub(super) const OVERVIEW: &str = "overview.png";
/// What is to be known of a bake where it goes, to read, for programs, and for Blender.
pub(super) const NOTES: [&str; 3] = ["IMPORT.md", "import.json", "import.py"];
/// What stands in each of them, so that nobody else's are replaced.
pub(super) const NOTE_MARK: &str = "orogen bake";
/// How far a measurement is.
pub(super) const MEASURING: &str = ".orogen.measuring";
const LOCK: &str = ".orogen.lock";

/// A folder of tiles, locked as long as this lives.
pub struct Place {
    folder: PathBuf,
    disk: Arc<dyn Disk>,
    _lock: Box<dyn Any + Send + Sync>,
}

impl std::fmt::Debug for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Place").field("folder", &self.folder).finish_non_exhaustive()
    }
}

/// What an earlier bake measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    /// The pipeline, with it.
    pub pipeline: Pipeline,
    /// The products, with their ranges.
    pub products: Vec<Product>,
}

/// What stands under a name that records have.
pub(super) enum Found {
    Nothing,
    Text(String),
}

impl Place {
    /// Makes the folder, if it is not there, and locks it.
    ///
    /// # Errors
    /// Somebody else holds the lock; the file system's.
    pub fn open(folder: &Path) -> Result<Self, BakeError> {
        Place::on(Arc::new(Files), folder)
    }

    /// The same on another file system.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn on(disk: Arc<dyn Disk>, folder: &Path) -> Result<Self, BakeError> {
        disk.make_folder(folder).map_err(|error| BakeError::file(folder, error))?;
        let path = folder.join(LOCK);
        let failed = |error| BakeError::file(&path, error);
        if disk.look(&path).map_err(failed)? == Entry::Other {
            return Err(failed(in_the_way()));
        }
        let lock = disk.lock(&path).map_err(failed)?.ok_or_else(|| BakeError::Busy { path: folder.to_owned() })?;
        Ok(Place { folder: folder.to_owned(), disk, _lock: lock })
    }

    /// A bake that is there, to be read: no folder is made. It is locked, unless nothing can be written there anyway.
    ///
    /// # Errors
    /// As [`open`](Self::open), and no such folder.
    pub fn reading(folder: &Path) -> Result<Self, BakeError> {
        let failed = |error: Error| BakeError::file(folder, error);
        std::fs::read_dir(folder).map_err(failed)?;
        let lock: Box<dyn Any + Send + Sync> = match Files.lock(&folder.join(LOCK)) {
            Ok(lock) => lock.ok_or_else(|| BakeError::Busy { path: folder.to_owned() })?,
            Err(error) if matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem) => Box::new(()),
            Err(error) => return Err(failed(error)),
        };
        Ok(Place { folder: folder.to_owned(), disk: Arc::new(Files), _lock: lock })
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Refuses notes that are somebody else's.
    ///
    /// # Errors
    /// A file of a note's name that no bake has written; the file system's.
    #[cfg(feature = "exr")]
    pub fn check_notes(&self) -> Result<(), BakeError> {
        let foreign = |name: &&str| Ok::<_, BakeError>(self.look(name)? != Entry::Nothing && !self.is_note(name)?);
        NOTES.iter().try_for_each(|name| if foreign(name)? { Err(self.refuse(name)) } else { Ok(()) })
    }

    /// Writes what is to be known of a bake where it goes, in place of what an earlier one wrote. When this returns, it survives a power cut.
    ///
    /// # Errors
    /// As [`check_notes`](Self::check_notes).
    #[cfg(feature = "exr")]
    pub fn write_note(&self, note: &crate::bake::Note) -> Result<(), BakeError> {
        self.check_notes()?;
        note.files().iter().try_for_each(|(name, text)| self.replace(name, text.as_bytes()))
    }

    /// Whether a file is a note that a bake has written.
    pub(super) fn is_note(&self, name: &str) -> Result<bool, BakeError> {
        Ok(NOTES.contains(&name) && matches!(self.record(name)?, Found::Text(text) if text.contains(NOTE_MARK)))
    }

    /// What a bake here has measured that was asked for the same, as [`World::asked`](crate::bake::World::asked) says. The files that its nodes
    /// name are those of the pipeline that was asked for.
    ///
    /// # Errors
    /// The file system's.
    pub fn known(&self, asked: &str, given: &Pipeline) -> Result<Option<Known>, BakeError> {
        let journal = match self.record(JOURNAL)? {
            Found::Text(text) => text.lines().next().and_then(|line| read_line::<Manifest>("", line)),
            Found::Nothing => None,
        };
        let manifest = match self.record(MANIFEST)? {
            Found::Text(text) => Manifest::read(&text),
            Found::Nothing => None,
        };
        let asked = Some(hex(asked.as_bytes()));
        let of = journal.into_iter().chain(manifest).find(|of| of.asked_sha256 == asked);
        Ok(of.and_then(|of| {
            let mut recipe = Recipe::from_json(&of.recipe.to_string(), MANIFEST).ok()?;
            recipe.pipeline.share_files(given);
            Some(Known { pipeline: recipe.pipeline, products: of.setting.products })
        }))
    }

    /// Notes in this folder how far a measurement is, about once a second, until a bake begins in it. `asked` is what is measured, and by
    /// what: under another name nothing is found.
    pub fn checkpoint(&self, asked: &str) -> Measuring<'_> {
        let text = match self.record(MEASURING) {
            Ok(Found::Text(text)) => text,
            _ => String::new(),
        };
        let states = read_line::<BTreeMap<String, Value>>(asked, text.trim_end()).unwrap_or_default();
        Measuring { place: self, asked: asked.to_owned(), states, saved: Instant::now() }
    }

    /// The text of a record; what is no UTF-8 fails its check.
    pub(super) fn record(&self, name: &str) -> Result<Found, BakeError> {
        match self.look(name)? {
            Entry::Nothing => Ok(Found::Nothing),
            Entry::Other => Err(self.refuse(name)),
            Entry::File { .. } => {
                let bytes = self.disk.read(&self.path(name)).map_err(|error| self.failed(name, error))?;
                Ok(Found::Text(String::from_utf8_lossy(&bytes).into_owned()))
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

    pub(super) fn look(&self, name: &str) -> Result<Entry, BakeError> {
        self.disk.look(&self.path(name)).map_err(|error| self.failed(name, error))
    }

    pub(super) fn names(&self) -> Result<Vec<String>, BakeError> {
        let names = self.disk.names(&self.folder).map_err(|error| BakeError::file(&self.folder, error))?;
        // What is no UTF-8 is no name of a bake's, also with other characters in the place of those that are none.
        let names = names.into_iter().map(|name| name.to_string_lossy().into_owned());
        Ok(names.filter(|name| ![LOCK, MEASURING].contains(&name.as_str())).collect())
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

    /// When this returns, unfinished files survive a power cut, and so do all names that there are.
    pub(super) fn sync(&self, names: &[&str]) -> Result<(), BakeError> {
        let files: Vec<PathBuf> = names.iter().map(|name| self.path(&unfinished(name))).collect();
        self.disk.sync(&self.folder, &files).map_err(|error| BakeError::file(files.first().unwrap_or(&self.folder), error))
    }

    /// When this returns, a file that has its name survives a power cut.
    pub(super) fn settle(&self, name: &str) -> Result<(), BakeError> {
        self.disk.sync(&self.folder, &[self.path(name)]).map_err(|error| self.failed(name, error))
    }

    /// Gives a file its name, in place of what has it.
    pub(super) fn finish(&self, name: &str) -> Result<(), BakeError> {
        self.disk.rename(&self.path(&unfinished(name)), &self.path(name)).map_err(|error| self.failed(name, error))
    }

    /// A small file, whole and safe.
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

    /// Removes a file that is of no use, if it is there; what fails here fails again where it matters.
    pub(super) fn forget(&self, name: &str) {
        let _ = self.disk.remove(&self.path(name));
    }

    /// The same of what has not got its name yet.
    pub(super) fn abandon(&self, name: &str) {
        self.forget(&unfinished(name));
    }

    /// Renames a damaged record, so that nothing of it is lost, and says what it is called now.
    pub(super) fn set_aside(&self, name: &str) -> Result<String, BakeError> {
        for i in 1.. {
            let aside = if i == 1 { format!("{name}{DAMAGED}") } else { format!("{name}{DAMAGED}.{i}") };
            if self.look(&aside)? == Entry::Nothing {
                self.disk.rename(&self.path(name), &self.path(&aside)).map_err(|error| self.failed(name, error))?;
                return Ok(aside);
            }
        }
        Err(self.failed(name, in_the_way()))
    }

    /// Whether a file is what its record says. With a stamp, one that has not been written since is not read again. A file that
    /// was whole when the bake ended, but not yet renamed, is.
    pub(super) fn holds(&self, is: &FileHash, stamp: Option<[u64; 2]>) -> Result<bool, BakeError> {
        if self.is(&is.file, is, stamp)? {
            return Ok(true);
        }
        let whole = self.is(&unfinished(&is.file), is, stamp)?;
        if whole {
            // It may be one that was made anew, and its record the old one: nobody has synced it then.
            self.sync(&[&is.file])?;
            self.finish(&is.file)?;
        }
        Ok(whole)
    }

    /// Whether what has a name is the file that a record means. What cannot be read is not.
    pub(super) fn is(&self, name: &str, is: &FileHash, known: Option<[u64; 2]>) -> Result<bool, BakeError> {
        let Entry::File { size, stamp } = self.look(name)? else { return Ok(false) };
        let same = |bytes: Vec<u8>| hex(&bytes) == is.sha256;
        Ok(size == is.size && (known == Some(stamp) || self.disk.read(&self.path(name)).is_ok_and(same)))
    }

    /// The same of a file that has not got its name yet.
    pub(super) fn is_unfinished(&self, is: &FileHash) -> Result<bool, BakeError> {
        self.is(&unfinished(&is.file), is, None)
    }

    /// When a file was last written, before it has its name.
    pub(super) fn unfinished_stamp(&self, name: &str) -> Result<[u64; 2], BakeError> {
        self.stamp(&unfinished(name))
    }

    /// When a file was last written.
    pub(super) fn stamp(&self, name: &str) -> Result<[u64; 2], BakeError> {
        match self.look(name)? {
            Entry::File { stamp, .. } => Ok(stamp),
            _ => Err(self.failed(name, Error::new(ErrorKind::NotFound, "was removed while it was written"))),
        }
    }
}

/// A measurement on its way.
#[derive(Debug)]
pub struct Measuring<'a> {
    place: &'a Place,
    asked: String,
    states: BTreeMap<String, Value>,
    saved: Instant,
}

impl Checkpoint for Measuring<'_> {
    fn load(&mut self, name: &str) -> Option<Value> {
        self.states.get(name).cloned()
    }

    fn save(&mut self, name: &str, state: &dyn Fn() -> Value) {
        if self.saved.elapsed() < EVERY {
            return;
        }
        self.states.insert(name.to_owned(), state());
        // It is only for speed: where it cannot be written, neither can the tiles, and that will be said.
        let _ = self.place.replace(MEASURING, line(&self.asked, &self.states).as_bytes());
        self.saved = Instant::now();
    }
}

/// How often a measurement is noted.
const EVERY: Duration = Duration::from_secs(1);

/// What the names of damaged records end with.
pub(super) const DAMAGED: &str = ".damaged";

/// The name of a file that is not whole yet.
fn unfinished(name: &str) -> String {
    format!(".{name}.partial")
}

/// The file whose unfinished name this is.
pub(super) fn finished(name: &str) -> Option<&str> {
    name.strip_prefix('.')?
        .strip_suffix(".partial")
        .filter(|name| [MANIFEST, JOURNAL, OVERVIEW, MEASURING].contains(name) || NOTES.contains(name) || tile_of(name).is_some())
}

/// The tile that a file's name says it is of: `x3_y-1.png`, `alps_x3_y-1.png`.
pub(super) fn tile_of(name: &str) -> Option<(i64, i64)> {
    parts(name).map(|(_, at, _)| at)
}

/// What a file's name says beside its tile.
pub(super) fn beside_tile(name: &str) -> Option<String> {
    parts(name).map(|(before, _, after)| format!("{before}.{after}"))
}

/// What stands before a name's tile, the tile, and what stands after it.
fn parts(name: &str) -> Option<(&str, (i64, i64), &str)> {
    let (stem, after) = name.split_once('.')?;
    let (rest, y) = stem.rsplit_once("_y")?;
    let (before, x) = rest.rsplit_once('x')?;
    let number = |text: &str| text.parse::<i64>().ok().filter(|n| n.to_string() == text);
    (before.is_empty() || before.ends_with('_')).then_some((before, (number(x)?, number(y)?), after))
}
