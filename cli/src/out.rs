//! What the command says and writes: lines for people and programs on the two streams, and files that are whole or not there.

use super::exit::{Failure, USAGE};
use std::fmt::Display;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Prints a line on standard output.
///
/// # Errors
/// It cannot be written. That nobody reads any more (`| head`) ends the command quietly.
pub fn print(line: impl Display) -> Result<(), Failure> {
    let line = plain(&line.to_string());
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush()).map_err(|error| stdout_failed(&error))
}

/// Why standard output cannot be written.
pub fn stdout_failed(error: &std::io::Error) -> Failure {
    match error.kind() {
        ErrorKind::BrokenPipe => Failure::done(),
        _ => Failure::file(Path::new("standard output"), error),
    }
}

/// Says something on standard error. If nobody hears it, nothing is lost but that.
pub fn say(line: impl Display) {
    let _ = writeln!(std::io::stderr().lock(), "{}", plain(&line.to_string()));
}

/// Without what would control a terminal; names of files may hold anything. JSON stays the same JSON.
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

/// Whether a name stands for a device or for what a process has open: standard output may be a file, but it is not for replacing.
fn is_open(path: &Path) -> bool {
    ["/dev", "/proc"].iter().any(|system| path.starts_with(system)) && !path.starts_with("/dev/shm")
}

/// Writes a file: all of it or nothing, whatever stood there before. What is no file, such as a pipe, is written to as it is, and so is what is open
/// already, such as standard output; a link is followed within its folder only.
///
/// # Errors
/// It cannot be written, or is a link to somewhere else.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), Failure> {
    let path = &target(path)?;
    let failed = |error: std::io::Error| Failure::file(path, &error);
    let old = std::fs::metadata(path).ok();
    if is_open(path) || old.as_ref().is_some_and(|old| !old.is_file()) {
        // Standard output may be a file that holds something already.
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
        // Who may read it stays as it was, where the system allows that.
        let _ = file.as_file().set_permissions(old.permissions());
    }
    file.as_file().sync_all().map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    if cfg!(unix) {
        std::fs::File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)?;
    }
    Ok(())
}

/// Start and end of the names of unfinished files; between them stand the letters and digits that `tempfile` makes.
const UNFINISHED: (&str, &str, usize) = (".orogen-", ".partial", 6);

/// A file without its name yet, which is locked as long as this process writes it.
fn unfinished(folder: &Path) -> std::io::Result<NamedTempFile> {
    let (prefix, suffix, count) = UNFINISHED;
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix).suffix(suffix).rand_bytes(count);
    // The permissions that a newly created file gets.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    loop {
        let file = builder.tempfile_in(folder)?;
        // Another command may have taken it for one that was left, before it was locked. Where there are no locks, nothing is ever removed.
        if file.as_file().lock().is_err() || file.path().exists() {
            return Ok(file);
        }
    }
}

/// Removes the unfinished files of commands that were killed: nobody holds their locks. What cannot be removed stays.
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

/// What is to be written: a link's target where that lies in the same folder, or where it is open.
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
