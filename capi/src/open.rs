//! Engines.

use crate::args::{Buffer, Place, choice, optional_text, optional_value};
use crate::guard::guard;
use crate::handle::{Kind, borrow, free, give};
use crate::status::{OrogenError, OrogenStatus};
use engine::{Backend, Engine, EngineOptions, Parity, Threads, Water};
use std::ffi::c_char;

/// Evaluates noise on a GPU or on the CPU. Opening an engine is slow; open it once and keep it.
pub struct OrogenEngine {
    _opaque: [u8; 0],
}

impl Kind for OrogenEngine {
    const MAGIC: u64 = u64::from_le_bytes(*b"orogenEN");
    const NAME: &'static str = "engine";
    type Value = Engine;
}

/// The device that evaluates noise: `OrogenEngineOptions.backend`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrogenBackend {
    /// The best hardware GPU, or the CPU if there is none.
    Auto = 0,
    /// The best adapter, including software adapters.
    Gpu = 1,
    /// The CPU in 32-bit floats.
    Cpu = 2,
    /// The CPU in 64-bit floats: slow; the reference for the accuracy of the others. Buffers receive its values rounded to 32 bits.
    Oracle = 3,
}

const BACKENDS: [Backend; 4] = [Backend::Auto, Backend::Gpu, Backend::Cpu, Backend::Oracle];

/// The device that traces water for stages `drainage`: `OrogenEngineOptions.water`. No bit depends on it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrogenWater {
    /// The CPU.
    Cpu = 0,
    /// The engine's GPU, whose parity must be "exact".
    Gpu = 1,
}

const WATERS: [Water; 2] = [Water::Cpu, Water::Gpu];

/// `OrogenEngineOptions.threads`: use the thread pool that all engines of the process share, with one thread per core.
pub const OROGEN_THREADS_SHARED: u32 = 0;
/// `OrogenEngineOptions.threads`: use no other threads; every call computes on the calling thread.
pub const OROGEN_THREADS_CALLER: u32 = 0xffff_ffff;

/// Options for `orogen_engine_open`. All zeros are the defaults, which `orogen_engine_options` returns.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct OrogenEngineOptions {
    /// The device: a value of `OrogenBackend`.
    pub backend: i32,
    /// Threads for long calls on the CPU: `OROGEN_THREADS_SHARED`, `OROGEN_THREADS_CALLER`, or 1 to 1024 threads of the engine's own. The
    /// results do not depend on it.
    pub threads: u32,
    /// Memory limit for the stages of a recipe in bytes; 0 means 1 GiB.
    pub memory: u64,
    /// Part of the name of the GPU adapter to use. NULL: the environment variable OROGEN_ADAPTER, or the best adapter if it is not set.
    pub adapter: *const c_char,
    /// Folder in which compiled GPU kernels are cached for later runs. NULL: no cache.
    pub cache: *const c_char,
    /// The device that traces water: a value of `OrogenWater`.
    pub water: i32,
}

/// Returns the default options: `OROGEN_BACKEND_AUTO`, shared threads, 1 GiB, any adapter, no cache, water
/// traced on the CPU.
///
/// Thread safety: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn orogen_engine_options() -> OrogenEngineOptions {
    let none = std::ptr::null();
    OrogenEngineOptions {
        backend: OrogenBackend::Auto as i32,
        threads: OROGEN_THREADS_SHARED,
        memory: 0,
        adapter: none,
        cache: none,
        water: OrogenWater::Cpu as i32,
    }
}

/// Opens an engine and stores it in `*engine`; stores NULL after a failure. `options` may be NULL for the defaults. The strings of the
/// options are copied. The caller frees the engine with `orogen_engine_free`.
///
/// Errors: NULL (`engine`), ARGUMENT (invalid backend, number of threads or device for water), UTF8, DEVICE (no matching adapter, or none
/// with exact arithmetic for water).
///
/// Thread safety: any thread.
///
/// # Safety
/// Each pointer is NULL or points to a value of its type. Strings end in 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_engine_open(
    options: *const OrogenEngineOptions,
    engine: *mut *mut OrogenEngine,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let place = Place::new("engine", engine)?;
            place.set(std::ptr::null_mut());
            let default = orogen_engine_options();
            let options = optional_value("options", options)?.unwrap_or(&default);
            let threads = match options.threads {
                OROGEN_THREADS_SHARED => Threads::Shared,
                OROGEN_THREADS_CALLER => Threads::Caller,
                count => Threads::Own(count),
            };
            let options = EngineOptions {
                backend: choice("backend", options.backend, &BACKENDS)?,
                adapter: optional_text("adapter", options.adapter)?.map(str::to_owned),
                cache: optional_text("cache", options.cache)?.map(Into::into),
                memory: (options.memory > 0).then_some(options.memory),
                threads,
                water: choice("water", options.water, &WATERS)?,
                ..Default::default()
            };
            place.set(give(Engine::open(&options)?));
            Ok(())
        })
    }
}

/// Describes the device of an engine as a JSON object: `backend` ("gpu", "cpu" or "oracle"), `adapter` (the adapter's name, or the CPU's
/// instruction set), `parity` ("exact": the same bits as the CPU; "bounded": within the documented bounds of them; null for the oracle),
/// `gpu_refused` (why no GPU is used, or null) and `bounded_because` (why parity is bounded, or null).
///
/// All functions that return text work alike. `text` is a buffer of `size` bytes, which receives the text and a terminating 0.
/// `*length` receives the length of the text in bytes without the 0. If `text` is NULL and `size` is 0, only `*length` is
/// written. `length` may be NULL if `text` is not.
///
/// Errors: NULL, HANDLE, SIZE (`text` is too small; `*length` is written, `text` is not).
///
/// Thread safety: any thread.
///
/// # Safety
/// The handle has not been freed. Each pointer is NULL or points to memory of the stated size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_engine_describe(
    engine: *const OrogenEngine,
    text: *mut c_char,
    size: usize,
    length: *mut usize,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let (engine, buffer) = (borrow(engine)?, Buffer::new(text.cast(), size, length)?);
            let is = engine.describe();
            let parity = is.parity.map(|parity| match parity {
                Parity::Exact => "exact",
                Parity::Bounded => "bounded",
            });
            let text = serde_json::json!({
                "backend": is.backend.name(), "adapter": is.adapter, "parity": parity, "gpu_refused": is.gpu_refused,
                "bounded_because": is.bounded_because,
            });
            buffer.text(&text.to_string())
        })
    }
}

/// Frees an engine. `engine` may be NULL. Noises that were prepared on it stay valid.
///
/// Errors: HANDLE (the handle was freed before, as far as that can be detected, or is of another kind; nothing is freed then).
///
/// Thread safety: any thread, as the last use of the handle.
///
/// # Safety
/// No other call uses the handle, now or later.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_engine_free(engine: *mut OrogenEngine) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointer.
    unsafe { guard(std::ptr::null_mut(), || free(engine)) }
}
