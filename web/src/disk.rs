//! The folder of a bake in a page: the page receives each file once it is finished, and memory holds unfinished ones.

use js_sys::{Function, Uint8Array};
use orogen::bake::folder::{Disk, DiskEntry};
use std::any::Any;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use wasm_bindgen::JsValue;

/// The functions of the page that a bake calls.
pub struct Page {
    /// Called with a name and bytes, or with the name of a removed file.
    pub file: Function,
    /// Called with the text of a message.
    pub message: Function,
}

thread_local! {
    // Disks and progress are shared between threads, and functions of JavaScript belong to one.
    static PAGE: RefCell<Option<Page>> = const { RefCell::new(None) };
}

impl Page {
    /// Runs a bake, which calls these functions.
    pub fn serve(self, bake: impl FnOnce()) {
        PAGE.set(Some(self));
        bake();
        PAGE.set(None);
    }

    /// Sends a message.
    pub fn tell(text: &str) {
        // A message that cannot be sent changes no file.
        let _ = Page::call(|page| page.message.call1(&JsValue::UNDEFINED, &text.into()));
    }

    fn call(call: impl FnOnce(&Page) -> std::result::Result<JsValue, JsValue>) -> Result<()> {
        let called = PAGE.with_borrow(|page| page.as_ref().map(call));
        match called {
            Some(Ok(_)) => Ok(()),
            Some(Err(_)) | None => Err(Error::other("the page does not take files")),
        }
    }
}

/// A file of the folder.
enum Kept {
    /// Unfinished, or for the bake alone.
    Here(Vec<u8>),
    /// Handed over to the page; its size.
    Handed(u64),
}

/// The folder.
#[derive(Default)]
pub struct PageDisk(Mutex<BTreeMap<PathBuf, Kept>>);

impl PageDisk {
    fn files(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Kept>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The name of a file for the page; `None` for locks and states of measurements, which begin with a dot.
    fn shown(path: &Path) -> Option<&str> {
        path.file_name()?.to_str().filter(|name| !name.starts_with('.'))
    }
}

impl Disk for PageDisk {
    fn look(&self, path: &Path) -> Result<DiskEntry> {
        Ok(match self.files().get(path) {
            Some(Kept::Here(bytes)) => DiskEntry::File { size: bytes.len() as u64, stamp: [0; 2] },
            Some(Kept::Handed(size)) => DiskEntry::File { size: *size, stamp: [0; 2] },
            None => DiskEntry::Nothing,
        })
    }

    fn names(&self, folder: &Path) -> Result<Vec<OsString>> {
        let files = self.files();
        Ok(files.keys().filter(|path| path.parent() == Some(folder)).filter_map(|path| path.file_name()).map(OsString::from).collect())
    }

    fn read(&self, path: &Path) -> Result<Vec<u8>> {
        match self.files().get(path) {
            Some(Kept::Here(bytes)) => Ok(bytes.clone()),
            Some(Kept::Handed(_)) => Err(Error::new(ErrorKind::Unsupported, "the page has this file")),
            None => Err(ErrorKind::NotFound.into()),
        }
    }

    fn make_folder(&self, _: &Path) -> Result<()> {
        Ok(())
    }

    fn write_new(&self, path: &Path, bytes: &[u8]) -> Result<()> {
        let mut files = self.files();
        if files.contains_key(path) {
            return Err(ErrorKind::AlreadyExists.into());
        }
        files.insert(path.to_owned(), Kept::Here(bytes.to_vec()));
        Ok(())
    }

    /// Only the journal grows. It is not read before the bake ends.
    fn append(&self, path: &Path, bytes: &[u8]) -> Result<()> {
        match self.files().get_mut(path) {
            Some(Kept::Here(all)) => all.extend_from_slice(bytes),
            Some(Kept::Handed(size)) => *size += bytes.len() as u64,
            None => return Err(ErrorKind::NotFound.into()),
        }
        Ok(())
    }

    /// A file with its final name is handed over.
    fn rename(&self, from: &Path, to: &Path) -> Result<()> {
        let file = self.files().remove(from).ok_or(ErrorKind::NotFound)?;
        let file = match (file, PageDisk::shown(to)) {
            (Kept::Here(bytes), Some(name)) => {
                Page::call(|page| page.file.call2(&JsValue::UNDEFINED, &name.into(), &Uint8Array::from(&bytes[..])))?;
                Kept::Handed(bytes.len() as u64)
            }
            (file, _) => file,
        };
        self.files().insert(to.to_owned(), file);
        Ok(())
    }

    fn rename_new(&self, from: &Path, to: &Path) -> Result<()> {
        if self.files().contains_key(to) { Err(ErrorKind::AlreadyExists.into()) } else { self.rename(from, to) }
    }

    fn remove(&self, path: &Path) -> Result<()> {
        match (self.files().remove(path), PageDisk::shown(path)) {
            (None, _) => Err(ErrorKind::NotFound.into()),
            (Some(Kept::Handed(_)), Some(name)) => Page::call(|page| page.file.call1(&JsValue::UNDEFINED, &name.into())),
            _ => Ok(()),
        }
    }

    fn sync(&self, _: &Path, _: &[PathBuf]) -> Result<()> {
        Ok(())
    }

    fn lock(&self, _: &Path) -> Result<Option<Box<dyn Any + Send + Sync>>> {
        Ok(Some(Box::new(())))
    }
}
