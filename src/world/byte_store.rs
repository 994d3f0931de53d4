//! Strings of bytes by number. Once they exceed a limit, they move from memory to a temporary file, which the system removes when the
//! store is dropped. Without the feature `bake`, all stay in memory.

use std::collections::BTreeMap;
use std::io::{Read, Result, Seek, SeekFrom, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

#[cfg(feature = "bake")]
type File = tempfile::SpooledTempFile;
#[cfg(not(feature = "bake"))]
type File = std::io::Cursor<Vec<u8>>;

/// A store. Besides the strings, it takes a few words of memory for each.
pub(crate) struct ByteStore {
    file: Mutex<File>,
    /// The first byte and the length of each string.
    places: BTreeMap<u32, (u64, usize)>,
    bytes: u64,
    most: u64,
}

impl ByteStore {
    /// Holds up to `most` bytes in memory.
    pub fn new(most: u64) -> Self {
        #[cfg(feature = "bake")]
        let file = tempfile::spooled_tempfile(usize::try_from(most).unwrap_or(usize::MAX));
        #[cfg(not(feature = "bake"))]
        let file = File::default();
        ByteStore { file: Mutex::new(file), places: BTreeMap::new(), bytes: 0, most }
    }

    /// An empty store with the same limit.
    pub fn another(&self) -> Self {
        ByteStore::new(self.most)
    }

    /// Adds a string, in place of an earlier one of this number.
    ///
    /// # Errors
    /// The temporary file cannot be created or written.
    pub fn put(&mut self, number: u32, bytes: &[u8]) -> Result<()> {
        let file = self.file.get_mut().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(self.bytes))?;
        file.write_all(bytes)?;
        self.places.insert(number, (self.bytes, bytes.len()));
        self.bytes += bytes.len() as u64;
        Ok(())
    }

    /// Adds the strings of another store.
    ///
    /// # Errors
    /// As [`put`](Self::put).
    pub fn extend(&mut self, other: &Self) -> Result<()> {
        other.each(|number, bytes| self.put(number, bytes))
    }

    /// The string of a number; `None` if it is missing.
    ///
    /// # Errors
    /// The temporary file cannot be read.
    pub fn get(&self, number: u32) -> Result<Option<Vec<u8>>> {
        let Some((first, length)) = self.places.get(&number) else { return Ok(None) };
        let (mut file, mut bytes) = (self.lock(), vec![0; *length]);
        file.seek(SeekFrom::Start(*first))?;
        file.read_exact(&mut bytes)?;
        Ok(Some(bytes))
    }

    /// Calls `take` with each string, in the order of their numbers.
    ///
    /// # Errors
    /// As [`get`](Self::get), and the first error that `take` returns.
    pub fn each(&self, mut take: impl FnMut(u32, &[u8]) -> Result<()>) -> Result<()> {
        for number in self.places.keys() {
            take(*number, &self.get(*number)?.unwrap_or_default())?;
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, File> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of strings.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Their bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether they are in a temporary file.
    pub fn is_on_disk(&self) -> bool {
        #[cfg(feature = "bake")]
        return self.lock().is_rolled();
        #[cfg(not(feature = "bake"))]
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_come_back_from_memory_and_from_a_file() {
        for most in [0, 10, u64::MAX] {
            let (mut store, mut other) = (ByteStore::new(most), ByteStore::new(u64::MAX));
            other.put(7, b"seven").expect("memory");
            for (number, bytes) in [(3, &b"three"[..]), (1, b""), (9, b"nine"), (3, b"again three")] {
                store.put(number, bytes).expect("a file");
            }
            store.extend(&other).expect("a file");
            assert_eq!(store.is_on_disk(), cfg!(feature = "bake") && most < 11, "{most}");
            let mut all = Vec::new();
            store
                .each(|number, bytes| {
                    all.push((number, bytes.to_vec()));
                    Ok(())
                })
                .expect("a file");
            let expected = [(1, &b""[..]), (3, b"again three"), (7, b"seven"), (9, b"nine")];
            assert_eq!(all, expected.map(|(number, bytes)| (number, bytes.to_vec())));
            assert_eq!((store.len(), store.get(2).expect("a file")), (4, None));
        }
    }
}
