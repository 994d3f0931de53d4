//! Limits for all external input: the size of a file, the length of a line, the memory of a decoder. No reader exceeds the limit
//! that it states, even for a file that grows while it is read.
//!
//! | function | for |
//! |---|---|
//! | [`open`], [`read`], [`read_text`] | a file named by other input: it must be a regular file, which is checked before it is opened |
//! | [`read_stream`] | a file named by the user: it may be a pipe |
//! | [`read_line`] | a line of an unbounded stream |
//!
//! ```
//! let text = orogen::limits::read_text("Cargo.toml".as_ref(), orogen::limits::RECIPE)?;
//! assert!(text.contains("[package]"));
//! let error = orogen::limits::read("src".as_ref(), orogen::limits::HEIGHTS).expect_err("a directory");
//! assert_eq!(error.to_string(), "is a directory; allowed: a regular file");
//! # Ok::<(), std::io::Error>(())
//! ```

use crate::text;
use std::fs::{File, FileType, Metadata};
use std::io::{BufRead, Error, ErrorKind, Read, Result};
use std::path::Path;

/// Maximum size of a recipe's text: 4 MiB.
pub const RECIPE: u64 = 4 << 20;
/// Maximum length of a line in a file of points, including its end: 64 KiB.
pub const LINE: u64 = 64 << 10;
/// Maximum size of a file of heights: 4 GiB, which is four 32-bit numbers for each sample of the largest raster.
pub const HEIGHTS: u64 = 4 << 30;
/// Maximum number of samples along an edge of a raster.
pub const EDGE: u32 = 16_384;
/// Memory that a decoder of a file of heights may allocate besides the samples: 64 MiB. Metadata that would exceed it is not
/// unpacked.
pub const DECODER: usize = 64 << 20;
/// Maximum size of a file of a bake or of a map: 8 GiB. The manifest of the largest bake takes about 5 GiB.
pub const BAKED: u64 = 8 << 30;
/// Maximum size of cached GPU kernels: 1 GiB.
pub const KERNELS: u64 = 1 << 30;

/// A file opened with a limit. Reading past the limit is an error.
#[derive(Debug)]
pub struct Limited<R> {
    from: R,
    limit: u64,
    left: u64,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        // Reading one byte more than the limit detects that there are more.
        let most = usize::try_from(self.left.saturating_add(1)).unwrap_or(usize::MAX).min(buffer.len());
        let count = self.from.read(&mut buffer[..most])?;
        self.left = self.left.checked_sub(count as u64).ok_or_else(|| too_large(None, self.limit))?;
        Ok(count)
    }
}

/// Opens a regular file of at most `limit` bytes. Devices, pipes and directories are refused without opening them.
///
/// # Errors
/// Returns an error if the file does not exist or cannot be read, is not a regular file ([`ErrorKind::InvalidInput`], for a
/// directory [`ErrorKind::IsADirectory`]), or is larger ([`ErrorKind::FileTooLarge`]).
pub fn open(path: &Path, limit: u64) -> Result<Limited<File>> {
    // Opening a pipe waits for a writer, and opening a device may do anything.
    regular(&std::fs::metadata(path)?, limit)?;
    let file = File::open(path)?;
    // Another file may have replaced it in the meantime.
    regular(&file.metadata()?, limit)?;
    Ok(Limited { from: file, limit, left: limit })
}

/// The bytes of a regular file.
///
/// # Errors
/// Returns the errors of [`open`], and an error if the file grows past the limit while it is read, or if memory does not suffice.
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>> {
    let file = open(path, limit)?;
    let length = file.from.metadata()?.len();
    all(file, length)
}

/// The text of a regular file.
///
/// # Errors
/// Returns the errors of [`read`], and an error if the file is not UTF-8 ([`ErrorKind::InvalidData`]).
pub fn read_text(path: &Path, limit: u64) -> Result<String> {
    let bytes = read(path, limit)?;
    text::decode(&bytes).map(str::to_owned).map_err(|why| Error::new(ErrorKind::InvalidData, why))
}

/// As [`read`], for any readable file such as a pipe. Reading ends after `limit` bytes.
///
/// # Errors
/// Returns the errors of [`read`], but allows a pipe or a device.
pub fn read_stream(path: &Path, limit: u64) -> Result<Vec<u8>> {
    let file = File::open(path)?;
    let is = file.metadata()?;
    if is.is_file() || is.is_dir() {
        regular(&is, limit)?;
    }
    all(Limited { from: file, limit, left: limit }, is.len())
}

/// Appends the next line to `line`, with its end, and returns the number of bytes: 0 at the end of the input.
///
/// # Errors
/// Returns an error if the input cannot be read, or if the line has more than [`LINE`] bytes ([`ErrorKind::InvalidData`]).
pub fn read_line(from: &mut impl BufRead, line: &mut Vec<u8>) -> Result<usize> {
    let count = from.take(LINE + 1).read_until(b'\n', line)?;
    if count as u64 > LINE {
        return Err(Error::new(ErrorKind::InvalidData, format!("a line of more than {LINE} bytes; allowed: up to {LINE}")));
    }
    Ok(count)
}

fn all(mut file: Limited<File>, expected: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let expected = usize::try_from(expected.min(file.limit)).unwrap_or(usize::MAX);
    bytes.try_reserve_exact(expected).map_err(|_| Error::new(ErrorKind::OutOfMemory, format!("no memory for {expected} bytes")))?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Refuses what is not a regular file of at most `limit` bytes.
fn regular(is: &Metadata, limit: u64) -> Result<()> {
    if !is.is_file() {
        let kind = if is.is_dir() { ErrorKind::IsADirectory } else { ErrorKind::InvalidInput };
        return Err(Error::new(kind, format!("is {}; allowed: a regular file", word(is.file_type()))));
    }
    if is.len() > limit { Err(too_large(Some(is.len()), limit)) } else { Ok(()) }
}

fn too_large(bytes: Option<u64>, limit: u64) -> Error {
    let bytes = bytes.map_or_else(|| format!("more than {limit}"), |bytes| bytes.to_string());
    Error::new(ErrorKind::FileTooLarge, format!("has {bytes} bytes; allowed: up to {limit}"))
}

fn word(is: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if is.is_fifo() {
            return "a pipe";
        }
        if is.is_char_device() || is.is_block_device() {
            return "a device";
        }
        if is.is_socket() {
            return "a socket";
        }
    }
    if is.is_dir() { "a directory" } else { "not a regular file" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_stops_at_the_limit() {
        let text = |bytes: &[u8], limit| {
            let mut found = Vec::new();
            Limited { from: bytes, limit, left: limit }.read_to_end(&mut found).map(|_| found)
        };
        assert_eq!(text(b"12345", 5).expect("exactly the limit"), b"12345");
        let error = text(b"123456", 5).expect_err("more");
        assert_eq!((error.kind(), error.to_string()), (ErrorKind::FileTooLarge, "has more than 5 bytes; allowed: up to 5".to_owned()));
        // Without end.
        let mut endless = Limited { from: std::io::repeat(0), limit: 1 << 20, left: 1 << 20 };
        assert_eq!(endless.read_to_end(&mut Vec::new()).expect_err("endless").kind(), ErrorKind::FileTooLarge);
    }

    #[test]
    fn lines_are_bounded() {
        let (mut line, mut lines) = (Vec::new(), &b"1 2 3\nrest"[..]);
        assert_eq!((read_line(&mut lines, &mut line).expect("a line"), &line[..]), (6, &b"1 2 3\n"[..]));
        line.clear();
        assert_eq!((read_line(&mut lines, &mut line).expect("a line"), &line[..]), (4, &b"rest"[..]));
        assert_eq!(read_line(&mut lines, &mut line).expect("the end"), 0);
        let mut endless = std::io::BufReader::new(std::io::repeat(b' '));
        let error = read_line(&mut endless, &mut line).expect_err("endless");
        assert_eq!(error.kind(), ErrorKind::InvalidData);
        assert!(line.len() as u64 <= LINE + 5, "{} bytes were read", line.len());
    }
}
