//! Directories of a TIFF file: entries by their tags, for classic TIFF and BigTIFF of both byte orders.

use crate::limits::DECODER;

/// One directory of a file.
pub struct Directory<'a> {
    file: File<'a>,
    entries: Vec<Entry>,
    /// Offset of the next directory; 0 for the last one.
    pub next: u64,
}

/// The bytes of a file, and the layout of its numbers.
#[derive(Clone, Copy)]
pub struct File<'a> {
    bytes: &'a [u8],
    pub big_endian: bool,
    /// Whether offsets have 64 bits.
    wide: bool,
}

#[derive(Clone, Copy)]
struct Entry {
    tag: u16,
    kind: u16,
    count: u64,
    /// Offset of the values in the file.
    at: u64,
}

impl<'a> File<'a> {
    /// Opens a file. Returns it with the offset of its first directory.
    pub fn open(bytes: &'a [u8]) -> Result<(Self, u64), String> {
        let none = || "is not a TIFF file".to_owned();
        let big_endian = match bytes.first_chunk::<2>() {
            Some(b"II") => false,
            Some(b"MM") => true,
            _ => return Err(none()),
        };
        let file = File { bytes, big_endian, wide: false };
        match file.whole(2, 2).ok_or_else(none)? {
            42 => Ok((file, file.whole(4, 4).ok_or_else(none)?)),
            43 if file.whole(4, 2) == Some(8) => {
                let file = File { wide: true, ..file };
                Ok((file, file.whole(8, 8).ok_or_else(none)?))
            }
            _ => Err(none()),
        }
    }

    /// A range of bytes; `None` if it exceeds the file.
    pub fn slice(&self, at: u64, length: u64) -> Option<&'a [u8]> {
        let at = usize::try_from(at).ok()?;
        self.bytes.get(at..at.checked_add(usize::try_from(length).ok()?)?)
    }

    /// An unsigned integer of 1, 2, 4 or 8 bytes.
    fn whole(&self, at: u64, bytes: u64) -> Option<u64> {
        let push = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
        let bytes = self.slice(at, bytes)?;
        Some(if self.big_endian { bytes.iter().fold(0, push) } else { bytes.iter().rev().fold(0, push) })
    }

    /// Reads the directory at an offset.
    pub fn directory(self, at: u64) -> Result<Directory<'a>, String> {
        let ends = || "ends within a directory".to_owned();
        // Bytes of the number of entries, of an entry, and of a count or inline value.
        let [head, each, inline] = if self.wide { [8, 20, 8] } else { [2, 12, 4] };
        let count = self.whole(at, head).ok_or_else(ends)?;
        let first = at.checked_add(head).ok_or_else(ends)?;
        let length = count.checked_mul(each).ok_or_else(ends)?;
        self.slice(first, length).ok_or_else(ends)?;
        let mut entries = Vec::new();
        for i in 0..count {
            let entry = first + i * each;
            let (tag, kind) = (self.whole(entry, 2).ok_or_else(ends)?, self.whole(entry + 2, 2).ok_or_else(ends)?);
            let count = self.whole(entry + 4, inline).ok_or_else(ends)?;
            let value = entry + 4 + inline;
            let fits = size(kind as u16).checked_mul(count).is_some_and(|bytes| bytes <= inline);
            let at = if fits { value } else { self.whole(value, inline).ok_or_else(ends)? };
            entries.push(Entry { tag: tag as u16, kind: kind as u16, count, at });
        }
        let next = self.whole(first + length, inline).unwrap_or(0);
        Ok(Directory { file: self, entries, next })
    }
}

/// Bytes per value of a type; 0 for an unknown type.
fn size(kind: u16) -> u64 {
    match kind {
        1 | 2 | 6 | 7 => 1,
        3 | 8 => 2,
        4 | 9 | 11 | 13 => 4,
        5 | 10 | 12 | 16 | 17 | 18 => 8,
        _ => 0,
    }
}

impl Directory<'_> {
    /// The entry of a tag and the bytes of its values, if their number is within the limit.
    fn values(&self, tag: u16) -> Result<Option<(Entry, &[u8])>, String> {
        let Some(&entry) = self.entries.iter().find(|entry| entry.tag == tag) else { return Ok(None) };
        let length = size(entry.kind).saturating_mul(entry.count);
        if entry.count > DECODER as u64 / 8 {
            return Err(format!("tag {tag} has {} values; allowed: up to {}", entry.count, DECODER / 8));
        }
        let bytes = self.file.slice(entry.at, length).ok_or_else(|| format!("ends within the values of tag {tag}"))?;
        Ok(Some((entry, bytes)))
    }

    /// The unsigned integers of a tag; `None` if the directory lacks it.
    pub fn wholes(&self, tag: u16) -> Result<Option<Vec<u64>>, String> {
        let Some((entry, _)) = self.values(tag)? else { return Ok(None) };
        if !matches!(entry.kind, 1 | 3 | 4 | 7 | 13 | 16 | 18) {
            return Err(format!("tag {tag} does not hold unsigned integers"));
        }
        let each = size(entry.kind);
        Ok((0..entry.count).map(|i| self.file.whole(entry.at + i * each, each)).collect())
    }

    /// The first unsigned integer of a tag.
    pub fn whole(&self, tag: u16) -> Result<Option<u64>, String> {
        Ok(self.wholes(tag)?.and_then(|all| all.first().copied()))
    }

    /// The floating-point numbers of a tag; `None` if the directory lacks it, or if it has another type.
    pub fn floats(&self, tag: u16) -> Result<Option<Vec<f64>>, String> {
        let Some((entry, _)) = self.values(tag)? else { return Ok(None) };
        let number = |i: u64| {
            let bits = self.file.whole(entry.at + i * size(entry.kind), size(entry.kind))?;
            Some(if entry.kind == 12 { f64::from_bits(bits) } else { f64::from(f32::from_bits(bits as u32)) })
        };
        Ok(if matches!(entry.kind, 11 | 12) { (0..entry.count).map(number).collect() } else { None })
    }

    /// A tag's text, up to its first 0.
    pub fn text(&self, tag: u16) -> Result<Option<String>, String> {
        let text = self.values(tag)?.filter(|(entry, _)| entry.kind == 2).map(|(_, bytes)| bytes);
        Ok(text.map(|bytes| String::from_utf8_lossy(bytes.split(|byte| *byte == 0).next().unwrap_or_default()).into_owned()))
    }
}
