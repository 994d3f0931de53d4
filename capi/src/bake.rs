//! Worlds as tiles on disk: bakes into a folder, and worlds of shards.

use crate::args::{Buffer, Place, optional_text, text};
use crate::guard::guard;
use crate::handle::borrow;
use crate::open::OrogenEngine;
use crate::recipe::OrogenRecipe;
use crate::status::{Fault, OrogenError, OrogenStatus};
use engine::bake::check::{CheckReport, Finding, Recompute};
use engine::bake::plan::PlanError;
use engine::bake::shard::Status;
use engine::bake::{Address, BakeError, Options, Outcome, Progress, Request, Sharded};
use std::ffi::{c_char, c_void};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Receives progress: `done` of `total` pieces of the current step are done; for a bake, tiles that survive a power failure.
/// Returns 0 to go on, any other number to stop: unless everything was done, the call returns STOPPED, and the same call
/// continues later. It is called from other threads, one call at a time, and must not unwind or jump out.
pub type OrogenProgress = Option<unsafe extern "C" fn(user: *mut c_void, done: u64, total: u64) -> i32>;

/// Shard number that stands for all shards, one after the other.
pub const OROGEN_ALL_SHARDS: u32 = u32::MAX;

/// Size of `OrogenBaked.root` in bytes, including the terminating 0.
pub const OROGEN_ROOT_SIZE: usize = 65;

/// The result of a bake.
#[repr(C)]
pub struct OrogenBaked {
    /// Tiles in the world, or in the shard.
    pub tiles: u64,
    /// Tiles that this call wrote; the others were there.
    pub written: u64,
    /// Files that did not match their records and were made anew.
    pub damaged: u64,
    /// The hash of all tiles: 64 hexadecimal digits and a terminating 0. Empty for a single shard, and for a folder whose tiles
    /// do not form a rectangle.
    pub root: [c_char; OROGEN_ROOT_SIZE],
}

impl OrogenBaked {
    fn new(tiles: u64, written: u64, damaged: u64, root: &str) -> Self {
        let mut baked = OrogenBaked { tiles, written, damaged, root: [0; OROGEN_ROOT_SIZE] };
        let digits = baked.root.iter_mut().take(OROGEN_ROOT_SIZE - 1).zip(root.bytes());
        digits.for_each(|(digit, byte)| *digit = byte as c_char);
        baked
    }
}

/// The caller's function for progress, with its pointer.
struct Caller {
    function: OrogenProgress,
    /// Locked during a call, so that calls do not overlap.
    user: Mutex<User>,
    stops: AtomicBool,
}

/// A pointer of the caller, which is only passed back to the caller.
struct User(*mut c_void);

// SAFETY: the pointer is never read here, and the header states that the function is called from other threads.
unsafe impl Send for User {}

impl Caller {
    /// # Safety
    /// The function may be called with this pointer, one call at a time, until the value is dropped.
    unsafe fn new(function: OrogenProgress, user: *mut c_void) -> Self {
        Caller { function, user: Mutex::new(User(user)), stops: AtomicBool::new(false) }
    }
}

impl Progress for Caller {
    fn tile(&self, done: u64, total: u64) {
        let Some(function) = self.function else { return };
        let user = self.user.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if self.stops() {
            return;
        }
        // SAFETY: guaranteed by the caller of `new`; the lock keeps calls apart.
        if unsafe { function(user.0, done, total) } != 0 {
            self.stops.store(true, Ordering::Relaxed);
        }
    }

    fn stops(&self) -> bool {
        self.stops.load(Ordering::Relaxed)
    }
}

impl From<BakeError> for Fault {
    fn from(error: BakeError) -> Self {
        let status = match error {
            BakeError::Engine(error) => return error.into(),
            BakeError::Layers(error) => return error.into(),
            BakeError::Range(_) => OrogenStatus::Noise,
            BakeError::UnknownLayer { .. } => OrogenStatus::Recipe,
            BakeError::Plan(_) | BakeError::TooMuch { .. } | BakeError::Place { .. } => OrogenStatus::Argument,
            BakeError::File { .. } => OrogenStatus::File,
            BakeError::Stopped => OrogenStatus::Stopped,
            BakeError::Panicked { .. } => OrogenStatus::Panic,
            _ => OrogenStatus::Bake,
        };
        let message = match &error {
            BakeError::TooMuch { takes, allowed } => format!("this takes {takes}; allowed without \"force\": true: {allowed}"),
            error => error.to_string(),
        };
        Fault::new(status, message)
    }
}

impl From<PlanError> for Fault {
    fn from(error: PlanError) -> Self {
        BakeError::from(error).into()
    }
}

/// The request of a call.
///
/// # Safety
/// As [`borrow`] and [`text`](text()).
unsafe fn request(recipe: *const OrogenRecipe, options: *const c_char) -> Result<Request, Fault> {
    // SAFETY: guaranteed by the caller.
    let (recipe, options) = unsafe { (borrow(recipe)?, optional_text("options", options)?) };
    let options = options.map_or(Ok(Options::default()), Options::from_json)?;
    Ok(Request { recipe: recipe.get().as_ref().clone(), options })
}

/// Opens a world that was planned.
///
/// # Safety
/// As [`text`](text()).
unsafe fn open(world: *const c_char) -> Result<Sharded, Fault> {
    // SAFETY: guaranteed by the caller.
    let world = unsafe { text("world", world) }?;
    Ok(Sharded::open(Address::of(Path::new(world)).store()?)?)
}

/// Bakes the tiles of a recipe into the folder `out`: the same files, byte for byte, as the command `orogen bake`. The same call
/// continues a bake that was interrupted and rewrites damaged files. `baked` receives the result and may be NULL.
///
/// `options` is an object of JSON, or NULL for all defaults: `tiles` ("0..4,0..4", half-open), `tile`, `level`, `overlap`, `z`,
/// `for` (the name of a program), `layers` (a list of names, or of {"layer", "format", "range"}), `format` (of tiles, such
/// as "png16"), `range` ("proven", "measured" or "LO,HI"), `overview` (true, false), `force` (true, false).
/// docs/guide/c.md describes them.
///
/// Cost: memory for some tiles for each processor, and `OrogenEngineOptions.memory` for stages.
///
/// Errors: NULL, HANDLE, UTF8, ARGUMENT (an option that is not allowed), RECIPE, NOISE, MEMORY, DEVICE, FILE, BAKE (the folder
/// holds another bake, a map or other files, or another process is baking there), STOPPED.
///
/// Thread safety: any thread; one bake of a folder at a time.
///
/// # Safety
/// The handles have not been freed. Strings end in 0. `progress` is NULL, or may be called with `user` until the call returns. Each other
/// pointer is NULL or points to memory of its type.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_bake(
    engine: *const OrogenEngine,
    recipe: *const OrogenRecipe,
    options: *const c_char,
    out: *const c_char,
    progress: OrogenProgress,
    user: *mut c_void,
    baked: *mut OrogenBaked,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let (engine, request, out) = (borrow(engine)?, request(recipe, options)?, text("out", out)?);
            let place = optional_place("baked", baked)?;
            let Outcome { root, tiles, written, report, .. } = request.bake(engine, Path::new(out), &Caller::new(progress, user))?;
            if let Some(place) = place {
                let damaged = report.map_or(0, |report| report.damaged.len() as u64);
                place.set(OrogenBaked::new(tiles, written, damaged, &root.unwrap_or_default()));
            }
            Ok(())
        })
    }
}

/// Writes the plan of a world in `shards` pieces to the folder `world`, for any number of processes to measure, bake and seal. The folder
/// may already contain the same plan. `options` are those of `orogen_bake` without `for`.
///
/// Errors: as `orogen_bake`.
///
/// Thread safety: any thread.
///
/// # Safety
/// As `orogen_bake`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_bake_plan(
    engine: *const OrogenEngine,
    recipe: *const OrogenRecipe,
    options: *const c_char,
    world: *const c_char,
    shards: u32,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let (engine, request, world) = (borrow(engine)?, request(recipe, options)?, text("world", world)?);
            request.plan(engine, Path::new(world), shards)?;
            Ok(())
        })
    }
}

/// Measures what needs the whole world, before shards are baked: the part of one shard in the next phase, or with `OROGEN_ALL_SHARDS` all
/// missing parts of all phases. `orogen_bake_status` reports whether a phase is next. Without one, this does nothing.
///
/// Errors: NULL, HANDLE, UTF8, ARGUMENT (no such shard), NOISE, MEMORY, DEVICE, FILE, BAKE (the world has no plan, or another
/// version of Orogen wrote it), STOPPED.
///
/// Thread safety: any thread and any process, also several at once.
///
/// # Safety
/// As `orogen_bake`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_bake_measure(
    engine: *const OrogenEngine,
    world: *const c_char,
    shard: u32,
    progress: OrogenProgress,
    user: *mut c_void,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let (engine, world, caller) = (borrow(engine)?, open(world)?, Caller::new(progress, user));
            if shard == OROGEN_ALL_SHARDS {
                return Ok(world.measure_all(engine, &caller)?);
            }
            world.mend_parts(engine, Some(shard), &caller)?;
            world.measure(engine, shard, None, &caller)?;
            Ok(())
        })
    }
}

/// Bakes the tiles of one shard of a planned world. `baked` receives the shard's tiles and those that were written, and may be NULL.
///
/// Errors: as `orogen_bake_measure`; BAKE also if something has to be measured first.
///
/// Thread safety: any thread and any process, also several at once.
///
/// # Safety
/// As `orogen_bake`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_bake_shard(
    engine: *const OrogenEngine,
    world: *const c_char,
    shard: u32,
    progress: OrogenProgress,
    user: *mut c_void,
    baked: *mut OrogenBaked,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let (engine, world, place) = (borrow(engine)?, open(world)?, optional_place("baked", baked)?);
            let report = world.bake(engine, shard, &Caller::new(progress, user))?;
            if let Some(place) = place {
                place.set(OrogenBaked::new(report.written + report.resumed, report.written, report.mended, ""));
            }
            Ok(())
        })
    }
}

/// Writes the state of a planned world as an object of JSON: `shards`, `tiles`, `done` (tiles on record), `missing` (shards that lack
/// tiles), `phase` (null, or `number`, `of`, `what` and the `missing` shards of what is measured next), `machines` (tiles of each), `rate`
/// (tiles per second), `damaged` (records), `root` (null until it is sealed). The buffer works as in `orogen_engine_describe`.
///
/// Errors: NULL, UTF8, SIZE, FILE, BAKE (the world has no plan, or another version of Orogen wrote it).
///
/// Thread safety: any thread.
///
/// # Safety
/// `world` ends in 0. Each pointer is NULL or points to memory of the stated size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_bake_status(
    world: *const c_char,
    text: *mut c_char,
    size: usize,
    length: *mut usize,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let (world, buffer) = (open(world)?, Buffer::new(text.cast(), size, length)?);
            let Status { phase, tiles, done, missing, machines, rate, damaged, root, .. } = world.status()?;
            let phase = phase
                .map(|phase| serde_json::json!({ "number": phase.number, "of": phase.of, "what": phase.what, "missing": phase.missing }));
            let status = serde_json::json!({
                "shards": world.shards(), "tiles": tiles, "done": done, "missing": missing, "phase": phase, "machines": machines, "rate": rate,
                "damaged": damaged, "root": root,
            });
            buffer.text(&status.to_string())
        })
    }
}

/// Checks that every tile of a world of shards is there, and writes its manifest with the root hash. `baked` may be NULL.
///
/// Errors: NULL, UTF8, FILE, BAKE (shards are missing, or two machines wrote different files), STOPPED.
///
/// Thread safety: any thread.
///
/// # Safety
/// As `orogen_bake`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_bake_seal(
    world: *const c_char,
    progress: OrogenProgress,
    user: *mut c_void,
    baked: *mut OrogenBaked,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let (world, place) = (open(world)?, optional_place("baked", baked)?);
            let sealed = world.seal(&Caller::new(progress, user))?;
            if let Some(place) = place {
                place.set(OrogenBaked::new(sealed.tiles, 0, 0, &sealed.root));
            }
            Ok(())
        })
    }
}

/// Reads every file of a bake, or of a world of shards, compares it with its record, and writes the findings as an object of
/// JSON: `files`, `bytes`, `recomputed` (tiles), `unfinished`, `findings` (a list of `{"file", "wrong"}`, where `wrong` is
/// "missing", "damaged", "foreign", "different" or "unrecorded"), `broken` (rules of drainage that stages break, a sentence each).
/// The buffer works as in `orogen_engine_describe`; filling it checks the files again.
///
/// With an engine, the share `recompute` of the tiles, 0 to 1, is recomputed and compared, at least one tile; `seed` selects which. Without
/// one (NULL), both are ignored.
///
/// Errors: NULL, HANDLE, UTF8, ARGUMENT (`recompute`), SIZE, FILE, BAKE (the folder holds no bake), NOISE, MEMORY, DEVICE,
/// STOPPED. Findings do not make the call fail.
///
/// Thread safety: any thread.
///
/// # Safety
/// As `orogen_bake`; `text` is NULL or points to memory of the stated size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_bake_check(
    engine: *const OrogenEngine,
    world: *const c_char,
    recompute: f64,
    seed: u64,
    progress: OrogenProgress,
    user: *mut c_void,
    text: *mut c_char,
    size: usize,
    length: *mut usize,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let engine = if engine.is_null() { None } else { Some(borrow(engine)?) };
            let (world, buffer) = (Path::new(self::text("world", world)?), Buffer::new(text.cast(), size, length)?);
            if engine.is_some() && !(0.0..=1.0).contains(&recompute) {
                let message = format!("recompute = {recompute} is not allowed; allowed: a share of the tiles, 0 to 1");
                return Err(Fault::new(OrogenStatus::Argument, message));
            }
            let recompute = engine.map(|engine| Recompute { engine, share: recompute, seed });
            buffer.text(&found(world, recompute.as_ref(), &Caller::new(progress, user))?.to_string())
        })
    }
}

/// Checks a folder and returns the findings as JSON.
fn found(world: &Path, recompute: Option<&Recompute<'_>>, progress: &dyn Progress) -> Result<serde_json::Value, Fault> {
    let CheckReport { files, bytes, recomputed, unfinished, findings, broken, .. } = Address::of(world).check(recompute, progress)?;
    let findings: Vec<_> =
        findings.iter().map(|Finding { file, wrong }| serde_json::json!({ "file": file, "wrong": wrong.name() })).collect();
    Ok(serde_json::json!({
        "files": files, "bytes": bytes, "recomputed": recomputed, "unfinished": unfinished, "findings": findings, "broken": broken,
    }))
}

/// Memory for a result that the caller may not want.
///
/// # Safety
/// As [`Place::new`].
unsafe fn optional_place<T>(name: &str, place: *mut T) -> Result<Option<Place<T>>, Fault> {
    // SAFETY: guaranteed by the caller.
    if place.is_null() { Ok(None) } else { Ok(Some(unsafe { Place::new(name, place) }?)) }
}
