//! Bakes on a disk that fails, fills up, is killed at any call and loses power; `scripts/drills` does the same for longer.

use crate::nodes;
use crate::support::{Random, cpu};
use orogen::Pipeline;
use orogen::bake::check::{Wrong, check};
use orogen::bake::folder::{BakeFolder, Disk, DiskEntry, Report, World, bake_in};
use orogen::bake::manifest::{Product, RangeKind, RangeRecord};
use orogen::bake::plan::Plan;
use orogen::bake::{BakeError, Format, Tiles};
use orogen::stage::Normalise;
use std::any::Any;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A fault, at one call or from it on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The process is gone: nothing more happens, and what has been written is there.
    Kill,
    /// The power is gone: of what was not synced, anything may be there.
    Power,
    /// One call fails.
    Io,
    /// One call is interrupted by a signal.
    Interrupted,
    /// From here on, nothing can be written.
    Full,
    /// One call writes half of what it should, and fails.
    Short,
    /// The process ends while it appends to a file: half of the data is there, and not synced.
    Torn,
}

pub const FAULTS: [Fault; 6] = [Fault::Kill, Fault::Power, Fault::Io, Fault::Interrupted, Fault::Full, Fault::Short];

#[derive(Clone, Default)]
struct File {
    bytes: Vec<u8>,
    /// The state after a power failure; `None` before anything was synced.
    safe: Option<Vec<u8>>,
    written: u64,
}

#[derive(Default)]
struct State {
    names: BTreeMap<PathBuf, usize>,
    safe_names: BTreeMap<PathBuf, usize>,
    /// Since names were synced: what came to mean what.
    since: Vec<(PathBuf, Option<usize>)>,
    files: Vec<File>,
    calls: u64,
    fault: Option<(u64, Fault)>,
    over: bool,
    clock: u64,
}

/// A disk in memory.
#[derive(Clone, Default)]
pub struct Drill {
    state: Arc<Mutex<State>>,
    locked: Arc<AtomicBool>,
}

struct Lock(Arc<AtomicBool>);

impl Drop for Lock {
    fn drop(&mut self) {
        self.0.store(false, Ordering::SeqCst);
    }
}

impl State {
    /// Counts a call; returns its fault.
    fn call(&mut self) -> Result<Option<Fault>> {
        self.calls += 1;
        let gone = || Error::other("the process is gone");
        if self.over {
            return Err(gone());
        }
        match self.fault {
            Some((at, fault @ (Fault::Kill | Fault::Power))) if self.calls >= at => {
                self.over = true;
                // An operation that has begun may still take effect in part.
                Ok(Some(fault))
            }
            Some((at, Fault::Io)) if self.calls == at => Err(Error::other("an I/O error")),
            Some((at, Fault::Interrupted)) if self.calls == at => Err(ErrorKind::Interrupted.into()),
            Some((at, Fault::Short)) if self.calls == at => Ok(Some(Fault::Short)),
            Some((at, Fault::Full)) if self.calls >= at => Ok(Some(Fault::Full)),
            _ => Ok(None),
        }
    }

    fn file(&self, path: &Path) -> Result<usize> {
        self.names.get(path).copied().ok_or_else(|| Error::from(ErrorKind::NotFound))
    }

    fn name(&mut self, path: &Path, file: Option<usize>) {
        match file {
            Some(file) => self.names.insert(path.to_owned(), file),
            None => self.names.remove(path),
        };
        self.since.push((path.to_owned(), file));
    }

    /// Adds bytes as far as the fault lets them through.
    fn add(&mut self, file: usize, bytes: &[u8], fault: Option<Fault>) -> Result<()> {
        let (part, result) = match fault {
            None => (bytes.len(), Ok(())),
            Some(Fault::Full) => (bytes.len() / 3, Err(Error::from(ErrorKind::StorageFull))),
            Some(_) => (bytes.len() / 2, Err(Error::other("cut short"))),
        };
        self.clock += 1;
        self.files[file].written = self.clock;
        self.files[file].bytes.extend(&bytes[..part]);
        result
    }

    /// The state after a power failure: each change of a name since the last sync or not, and for each file something between the
    /// synced and the written content.
    fn cut(&mut self, random: &mut Random) {
        let mut names = std::mem::take(&mut self.safe_names);
        for (path, file) in std::mem::take(&mut self.since) {
            if random.bits().is_multiple_of(2) {
                match file {
                    Some(file) => names.insert(path, file),
                    None => names.remove(&path),
                };
            }
        }
        self.names.clone_from(&names);
        self.safe_names = names;
        for file in &mut self.files {
            let safe = file.safe.clone().unwrap_or_default();
            if safe == file.bytes {
                continue;
            }
            file.bytes = match random.bits() % 4 {
                0 => safe,
                1 => std::mem::take(&mut file.bytes),
                2 => file.bytes[..safe.len().max(file.bytes.len() / 2).min(file.bytes.len())].to_vec(),
                // The length came through, the blocks did not.
                _ => safe.iter().copied().chain(std::iter::repeat(0)).take(file.bytes.len().max(safe.len())).collect(),
            };
            file.safe = Some(file.bytes.clone());
        }
    }
}

impl Drill {
    fn state<T>(&self, f: impl FnOnce(&mut State) -> T) -> T {
        f(&mut self.state.lock().expect("no test panics with the lock held"))
    }

    /// The machine is started anew, after a power cut or not.
    pub fn restart(&self, random: &mut Random, power: bool) {
        self.state(|state| {
            if power {
                state.cut(random);
            }
            (state.over, state.fault, state.calls) = (false, None, 0);
        });
        self.locked.store(false, Ordering::SeqCst);
    }

    /// Sets the next fault, from this call on; returns the number of calls so far.
    pub fn begin(&self, fault: Option<(u64, Fault)>) -> u64 {
        self.state(|state| {
            state.fault = fault;
            std::mem::take(&mut state.calls)
        })
    }

    /// Every file by its name.
    pub fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let name = |path: &PathBuf| path.file_name().expect("a name").to_string_lossy().into_owned();
        self.state(|state| state.names.iter().map(|(path, &file)| (name(path), state.files[file].bytes.clone())).collect())
    }
}

impl Disk for Drill {
    fn look(&self, path: &Path) -> Result<DiskEntry> {
        self.state(|state| {
            state.call()?;
            Ok(state.file(path).map_or(DiskEntry::Nothing, |file| {
                let found = &state.files[file];
                DiskEntry::File { size: found.bytes.len() as u64, stamp: [found.written, file as u64] }
            }))
        })
    }

    fn names(&self, folder: &Path) -> Result<Vec<OsString>> {
        self.state(|state| {
            state.call()?;
            Ok(state
                .names
                .keys()
                .filter(|path| path.parent() == Some(folder))
                .filter_map(|path| path.file_name())
                .map(OsString::from)
                .collect())
        })
    }

    fn read(&self, path: &Path) -> Result<Vec<u8>> {
        self.state(|state| {
            state.call()?;
            Ok(state.files[state.file(path)?].bytes.clone())
        })
    }

    fn make_folder(&self, _: &Path) -> Result<()> {
        self.state(|state| state.call().map(|_| ()))
    }

    fn write_new(&self, path: &Path, bytes: &[u8]) -> Result<()> {
        self.state(|state| {
            let fault = state.call()?;
            if state.names.contains_key(path) {
                return Err(ErrorKind::AlreadyExists.into());
            }
            state.files.push(File::default());
            let file = state.files.len() - 1;
            state.name(path, Some(file));
            state.add(file, bytes, fault)
        })
    }

    fn append(&self, path: &Path, bytes: &[u8]) -> Result<()> {
        self.state(|state| {
            let mut fault = state.call()?;
            if matches!(state.fault, Some((at, Fault::Torn)) if state.calls >= at) {
                (state.over, fault) = (true, Some(Fault::Torn));
            }
            let file = state.file(path)?;
            state.add(file, bytes, fault)?;
            state.files[file].safe = Some(state.files[file].bytes.clone());
            Ok(())
        })
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<()> {
        self.state(|state| {
            let fault = state.call()?;
            let file = state.file(from)?;
            if matches!(fault, Some(Fault::Full | Fault::Short)) {
                return Err(ErrorKind::StorageFull.into());
            }
            state.name(to, Some(file));
            state.name(from, None);
            fault.map_or(Ok(()), |_| Err(Error::other("the process is gone")))
        })
    }

    fn rename_new(&self, from: &Path, to: &Path) -> Result<()> {
        if self.state(|state| state.names.contains_key(to)) {
            return Err(ErrorKind::AlreadyExists.into());
        }
        self.rename(from, to)
    }

    fn remove(&self, path: &Path) -> Result<()> {
        self.state(|state| {
            state.call()?;
            state.file(path)?;
            state.name(path, None);
            Ok(())
        })
    }

    fn sync(&self, _: &Path, files: &[PathBuf]) -> Result<()> {
        self.state(|state| {
            let fault = state.call()?;
            for path in files {
                let file = state.file(path)?;
                state.files[file].safe = Some(state.files[file].bytes.clone());
                if fault.is_some() {
                    return Err(Error::other("only some of it"));
                }
            }
            state.safe_names = state.names.clone();
            state.since.clear();
            fault.map_or(Ok(()), |_| Err(Error::other("an I/O error")))
        })
    }

    fn lock(&self, path: &Path) -> Result<Option<Box<dyn Any + Send + Sync>>> {
        self.state(|state| {
            state.call()?;
            if !state.names.contains_key(path) {
                state.files.push(File::default());
                let file = state.files.len() - 1;
                state.name(path, Some(file));
            }
            Ok::<(), Error>(())
        })?;
        let free = !self.locked.swap(true, Ordering::SeqCst);
        Ok(free.then(|| Box::new(Lock(self.locked.clone())) as Box<dyn Any + Send + Sync>))
    }
}

/// A small world: two layers of a stage that reads the whole world, one with files that describe it, an overview and a note.
struct Small {
    pipeline: Pipeline,
    plan: Plan,
    products: Vec<Product>,
}

impl Small {
    fn new() -> Self {
        let hills = nodes::of_kind("fractal").remove(0).scale_offset(1.0, 0.0).named("m");
        let pipeline = Pipeline::from(hills).named("n", Normalise { low: -1.0, ..Default::default() });
        let plan = Plan { tile: 8, tiles: Tiles { x: -1..2, y: 0..2 }, overlap: 1, level: 0, spacing: 7.0, z: 0.0 };
        let range = Some(RangeRecord { lo: -2.0, hi: 2.0, kind: RangeKind::Declared });
        let product = |format| Product { layer: "n".to_owned(), format, range };
        Small { pipeline, plan, products: vec![product(Format::Png16), product(Format::R32)] }
    }

    fn bake(&self, disk: &Drill, patience: Duration) -> std::result::Result<Report, BakeError> {
        let place = BakeFolder::on(Arc::new(disk.clone()), Path::new("/world"))?;
        let notes = [("IMPORT.md", "What to type.\n".repeat(20))];
        bake_in(&cpu(), &World { patience, notes: &notes, ..World::new(&self.pipeline, &self.plan, &self.products) }, &place, &())
    }
}

/// The number of trials of each kind.
static TRIED: AtomicU64 = AtomicU64::new(0);

/// One life of a bake: faults one after the other until it is done, then a power cut, after which nothing may be missing.
fn life(small: &Small, whole: &BTreeMap<String, Vec<u8>>, faults: &[(u64, Fault)], patience: Duration, random: &mut Random) {
    let disk = Drill::default();
    let what = format!("{faults:?}, patience {patience:?}");
    for &(at, fault) in faults {
        TRIED.fetch_add(1, Ordering::Relaxed);
        disk.state(|state| state.fault = Some((at, fault)));
        let result = small.bake(&disk, patience);
        disk.restart(random, fault == Fault::Power);
        if result.is_ok() {
            let found: BTreeMap<_, _> = disk.files();
            assert_eq!(
                found.len(),
                whole.len(),
                "{what}: done at {at} {fault:?}, and other files are there: {:?} {:?}",
                found.keys(),
                result
            );
        }
    }
    small.bake(&disk, patience).unwrap_or_else(|error| panic!("{what}: cannot go on: {error}"));
    disk.restart(random, true);
    let again = small.bake(&disk, patience).unwrap_or_else(|error| panic!("{what}: after a power cut: {error}"));
    assert_eq!((again.written, again.damaged), (0, Vec::new()), "{what}: lost after success was reported");
    let found = disk.files();
    assert!(found == *whole, "{what}: other files: {:?}", found.keys().collect::<Vec<_>>());
}

pub fn rounds() -> u64 {
    std::env::var("OROGEN_DRILLS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(1)
}

#[test]
fn no_fault_at_any_call_loses_or_damages_anything() {
    let small = Small::new();
    let clean = Drill::default();
    small.bake(&clean, Duration::ZERO).expect("a bake");
    let (whole, calls) = (clean.files(), clean.state(|state| state.calls));
    assert_eq!(whole.len(), 6 * 3 + 5, "six tiles of three files, a manifest, an overview, a note, an answer and a lock");
    let mut random = Random(0x0d11);
    // Every fault at every call, once.
    for patience in [Duration::ZERO, Duration::from_secs(60)] {
        for fault in FAULTS {
            for at in 1..=calls {
                life(&small, &whole, &[(at, fault)], patience, &mut random);
            }
        }
    }
    // Lines of the journal that a kill has left unsynced, and a power cut at every call of the bake that finds them.
    for at in (1..=calls).cycle().take(8 * calls as usize) {
        life(&small, &whole, &[(1, Fault::Torn), (at, Fault::Power)], Duration::from_secs(60), &mut random);
    }
    // Faults after faults, also while a bake goes on after one.
    for _ in 0..300 * rounds() {
        let count = 1 + random.bits() % 6;
        let faults: Vec<(u64, Fault)> =
            (0..count).map(|_| (1 + random.bits() % calls, FAULTS[(random.bits() % FAULTS.len() as u64) as usize])).collect();
        let patience = if random.bits().is_multiple_of(2) { Duration::ZERO } else { Duration::from_secs(60) };
        life(&small, &whole, &faults, patience, &mut random);
    }
    println!("{} bakes with a fault, at {calls} calls each", TRIED.load(Ordering::Relaxed));
}

/// Ways to damage a file.
const DAMAGES: [&str; 6] = ["flipped", "cut", "emptied", "longer", "removed", "swapped"];

fn damage(files: &mut BTreeMap<String, Vec<u8>>, name: &str, kind: &str, random: &mut Random) {
    let bytes = files.get_mut(name).expect("there");
    let at = random.bits() as usize % bytes.len();
    match kind {
        "flipped" => bytes[at] ^= 1 << (random.bits() % 8),
        "cut" => bytes.truncate(at),
        "emptied" => bytes.clear(),
        "longer" => bytes.push(7),
        "removed" => drop(files.remove(name)),
        _ => {
            let ending = |name: &str| name.split_once('.').map(|(_, ending)| ending.to_owned());
            let other = files.keys().find(|other| *other != name && ending(other) == ending(name)).cloned();
            if let Some(other) = other {
                let (a, b) = (files[name].clone(), files[&other].clone());
                files.insert(name.to_owned(), b);
                files.insert(other, a);
            }
        }
    }
}

#[test]
fn every_damage_is_found_by_a_check_and_mended_by_a_bake() {
    let small = Small::new();
    let clean = Drill::default();
    small.bake(&clean, Duration::ZERO).expect("a bake");
    let whole = clean.files();
    let mut random = Random(0xdead);
    let mut tried = 0;
    for name in whole.keys().filter(|name| !name.starts_with('.')) {
        for kind in DAMAGES {
            for _ in 0..if kind == "flipped" || kind == "cut" { 4 * rounds() } else { 1 } {
                let mut files = whole.clone();
                damage(&mut files, name, kind, &mut random);
                if files == whole {
                    continue;
                }
                tried += 1;
                let what = format!("{name} {kind}");
                let disk = Drill::default();
                for (name, bytes) in &files {
                    disk.write_new(&Path::new("/world").join(name), bytes).expect("an empty disk");
                }
                let place = BakeFolder::on(Arc::new(disk.clone()), Path::new("/world")).expect("free");
                let checked = check(&place, None, &()).unwrap_or_else(|error| panic!("{what}: {error}"));
                let found = |f: &orogen::bake::check::Finding| f.file == *name && f.wrong != Wrong::Foreign;
                assert!(checked.findings.iter().any(found), "{what}: not found: {checked:?}");
                if name != "manifest.json" {
                    let others = checked.findings.iter().filter(|f| f.file != *name).count();
                    assert!(others == usize::from(kind == "swapped"), "{what}: more than that: {checked:?}");
                }
                drop(place);
                let report = small.bake(&disk, Duration::ZERO).unwrap_or_else(|error| panic!("{what}: {error}"));
                assert!(report.damaged.iter().any(|said| said.starts_with(name.as_str())), "{what}: not said: {:?}", report.damaged);
                let mut mended = disk.files();
                if let Some(aside) = mended.remove("manifest.json.damaged") {
                    assert_eq!(aside, files["manifest.json"], "{what}: what is set aside is what was there");
                    // Records that still hold are believed; what was cut off is made anew.
                    assert!(kind == "emptied" || kind == "cut" || report.written <= 1, "{what}: {} tiles made anew", report.written);
                }
                if let Some(aside) = mended.remove("IMPORT.md.changed") {
                    assert_eq!(aside, files["IMPORT.md"], "{what}: what is set aside is what was there");
                }
                assert!(mended == whole, "{what}: not mended: {:?}", mended.keys());
            }
        }
    }
    println!("{tried} damages, each found and mended");
    assert!(tried > 200);
}
