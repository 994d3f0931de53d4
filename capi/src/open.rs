//! Engines.

use crate::args::{Buffer, Place, choice, optional_text, optional_value};
use crate::guard::guard;
use crate::handle::{Kind, borrow, free, give};
use crate::status::{OrogenError, OrogenStatus};
use engine::{Backend, Engine, EngineOptions, Parity, Threads};
use std::ffi::c_char;

/// What evaluates noise: a GPU, or the threads of the CPU. Opening one costs time; keep it.
pub struct OrogenEngine {
    _opaque: [u8; 0],
}

impl Kind for OrogenEngine {
    const MAGIC: u64 = u64::from_le_bytes(*b"orogenEN");
    const NAME: &'static str = "engine";
    type Value = Engine;
}

/// Where noise is evaluated: `OrogenEngineOptions.backend`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrogenBackend {
    /// The best hardware GPU; without one, the CPU.
    Auto = 0,
    /// The best adapter, software ones included.
    Gpu = 1,
    /// The CPU in 32-bit floats.
    Cpu = 2,
    /// The CPU in 64-bit floats: slow, and what the others are measured against. Buffers get its values rounded to 32 bits.
    Oracle = 3,
}

const BACKENDS: [Backend; 4] = [Backend::Auto, Backend::Gpu, Backend::Cpu, Backend::Oracle];

/// `OrogenEngineOptions.threads`: one pool for all the engines of the process, with a thread for each core.
pub const OROGEN_THREADS_SHARED: u32 = 0;
/// `OrogenEngineOptions.threads`: none; every call computes on the thread that makes it.
pub const OROGEN_THREADS_CALLER: u32 = 0xffff_ffff;

/// How to open an engine. All zeros are the defaults, and what `orogen_engine_options` gives.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct OrogenEngineOptions {
    /// Where to evaluate: one of `OrogenBackend`.
    pub backend: i32,
    /// The threads of long calls on the CPU: 1 to 1024 of the engine's own, `OROGEN_THREADS_SHARED` or `OROGEN_THREADS_CALLER`. No bit
    /// depends on it.
    pub threads: u32,
    /// Bytes that the stages of a recipe may take at a time; 0 is 1 GiB.
    pub memory: u64,
    /// Part of the name of the GPU's adapter; NULL takes the variable OROGEN_ADAPTER, then the best one.
    pub adapter: *const c_char,
    /// A folder where compiled GPU kernels are kept for the next run; NULL keeps none.
    pub cache: *const c_char,
}

/// The defaults: the best there is, shared threads, 1 GiB.
///
/// Any thread, at any time.
#[unsafe(no_mangle)]
pub extern "C" fn orogen_engine_options() -> OrogenEngineOptions {
    let none = std::ptr::null();
    OrogenEngineOptions { backend: OrogenBackend::Auto as i32, threads: OROGEN_THREADS_SHARED, memory: 0, adapter: none, cache: none }
}

/// Opens an engine into `*engine`, which is NULL after a failure. `options` may be NULL for the defaults. The strings of the options are
/// copied. The caller frees the engine with `orogen_engine_free`.
///
/// Fails with NULL (`engine`), ARGUMENT (a backend or number of threads that there is not), UTF8, DEVICE (no adapter that fits).
///
/// Any thread.
///
/// # Safety
/// The pointers are NULL or point at what their types say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_engine_open(
    options: *const OrogenEngineOptions,
    engine: *mut *mut OrogenEngine,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the pointers are the caller's, as the header asks for them.
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
                ..Default::default()
            };
            place.set(give(Engine::open(&options)?));
            Ok(())
        })
    }
}

/// What an engine runs on, as JSON: `backend` ("gpu", "cpu" or "oracle"), `adapter` (its name, or the CPU's instruction set), `parity`
/// ("exact": the CPU's bits; "bounded": a few units in the last place off; null for the oracle), `gpu_refused` and `bounded_because` (why, or
/// null).
///
/// Writes as every function does that gives text: at most `size` bytes with a closing 0 to `text`, and to `*length` how many the text
/// has without it. With `text` NULL and `size` 0 it only says how long the text is. `length` may be NULL if `text` is not.
///
/// Fails with NULL, HANDLE, SIZE (too small: `*length` is set, nothing is written to `text`).
///
/// Any thread.
///
/// # Safety
/// The handle has not been freed, and the pointers are NULL or point at as much as is said.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_engine_describe(
    engine: *const OrogenEngine,
    text: *mut c_char,
    size: usize,
    length: *mut usize,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the pointers are the caller's, as the header asks for them.
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

/// Frees an engine. NULL is allowed. Noises that were prepared on it keep what they need and go on.
///
/// Fails with HANDLE: it has been freed before, as far as that can be seen, or is another kind of handle; nothing is freed then.
///
/// Any thread; no other call may be using the handle.
///
/// # Safety
/// No other call uses the handle, now or later.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_engine_free(engine: *mut OrogenEngine) -> OrogenStatus {
    // SAFETY: the pointer is the caller's, as the header asks for it.
    unsafe { guard(std::ptr::null_mut(), || free(engine)) }
}
