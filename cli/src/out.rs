//! Output of the command: lines for people and programs on the two streams, and files that are written completely or not at
//! all.

use super::exit::{Failure, USAGE};
use std::fmt::Display;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Prints a line on standard output.
///
/// # Errors
/// Returns an error if it cannot be written. A closed pipe (`| head`) ends the command quietly.
pub fn print(line: impl Display) -> Result<(), Failure> {
    let line = plain(&line.to_string());
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush()).map_err(|error| stdout_failed(&error))
}

/// The reason why standard output cannot be written.
pub fn stdout_failed(error: &std::io::Error) -> Failure {
    match error.kind() {
        ErrorKind::BrokenPipe => Failure::done(),
        _ => Failure::file(Path::new("standard output"), error),
    }
}

/// Prints a line on standard error. A failure is ignored.
pub fn say(line: impl Display) {
    let _ = writeln!(std::io::stderr().lock(), "{}", plain(&line.to_string()));
}

/// Escapes control characters, because file names may contain them. JSON keeps its meaning.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() && c != '\n' && c != '\t' {
            plain += &format!("\\u{:04x}", u32::from(c));
        } else {
            plain.push(c);
        }
    }
    plain
}

/// Whether a name is a device or a file that the process has open: standard output may be a file, but must not be replaced.
fn is_open(path: &Path) -> bool {
    ["/dev", "/proc"].iter().any(|system| path.starts_with(system)) && !path.starts_with("/dev/shm")
}

/// Writes a file, completely or not at all, replacing an existing one. A pipe, or a file that is already open such as standard
/// output, is written to directly. A link is followed within its folder only.
///
/// # Errors
/// Returns an error if the file cannot be written, or is a link to another folder.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), Failure> {
    let path = &target(path)?;
    let failed = |error: std::io::Error| Failure::file(path, &error);
    let old = std::fs::metadata(path).ok();
    if is_open(path) || old.as_ref().is_some_and(|old| !old.is_file()) {
        // Standard output may be a file with existing content.
        let mut file = std::fs::File::options().append(true).open(path).map_err(failed)?;
        return file.write_all(bytes.as_ref()).map_err(|error| match error.kind() {
            ErrorKind::BrokenPipe => Failure::done(),
            _ => failed(error),
        });
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    tidy(folder);
    let mut file = unfinished(folder).map_err(failed)?;
    file.write_all(bytes.as_ref()).map_err(failed)?;
    if let Some(old) = old {
        // Permissions are kept, where the system allows that.
        let _ = file.as_file().set_permissions(old.permissions());
    }
    file.as_file().sync_all().map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    if cfg!(unix) {
        std::fs::File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)?;
    }
    Ok(())
}

/// Prefix and suffix of the names of unfinished files, and the number of characters that `tempfile` puts in between.
const UNFINISHED: (&str, &str, usize) = (".orogen-", ".partial", 6);

/// A file without its final name, locked while this process writes it.
fn unfinished(folder: &Path) -> std::io::Result<NamedTempFile> {
    let (prefix, suffix, count) = UNFINISHED;
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix).suffix(suffix).rand_bytes(count);
    // The permissions that a newly created file gets.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    loop {
        let file = builder.tempfile_in(folder)?;
        // Another command may have removed it as abandoned before it was locked. On systems without locks, nothing is ever
        // removed.
        if file.as_file().lock().is_err() || file.path().exists() {
            return Ok(file);
        }
    }
}

/// Removes unfinished files of killed commands, whose locks are free. Files that cannot be removed stay.
fn tidy(folder: &Path) {
    let (prefix, suffix, count) = UNFINISHED;
    let is_left = |name: &str| {
        let middle = name.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(suffix));
        middle.is_some_and(|middle| middle.len() == count && middle.chars().all(|c| c.is_ascii_alphanumeric()))
    };
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && is_left(&entry.file_name().to_string_lossy()) {
            let path = entry.path();
            if let Ok(file) = std::fs::File::open(&path)
                && file.try_lock().is_ok()
            {
                let _ = std::fs::remove_file(&path);
            }
        }
    }
}

/// The path to write: the target of a link within the same folder, or of an open file.
fn target(path: &Path) -> Result<PathBuf, Failure> {
    let is_link = std::fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink());
    if !is_link || is_open(path) {
        return Ok(path.to_owned());
    }
    let to = std::fs::read_link(path).map_err(|error| Failure::file(path, &error))?;
    let inside = to.components().count() == 1 && to.file_name().is_some() && !path.with_file_name(&to).is_symlink();
    if inside {
        return Ok(path.with_file_name(to));
    }
    let message = format!("{}: is a link to {}; allowed: a file, or a link within its folder", path.display(), to.display());
    Err(Failure::message(USAGE, message))
}
