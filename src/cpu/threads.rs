//! The threads of the CPU backend.

use crate::stop::Stop;
use rayon::prelude::*;
use std::sync::Arc;

/// The threads that an engine uses on the CPU, for calls that take longer than waking threads. Shorter calls always stay on the
/// caller's thread. No bit depends on this choice.
///
/// A call waits for its own work only, but a pool works in order of submission. If one call fills a pool with a whole world, a
/// chunk of another call waits behind it. To separate them, use an engine with its own threads for each purpose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Threads {
    /// Rayon's global pool: one thread per core, unless the program or `RAYON_NUM_THREADS` sets another number. With one thread
    /// the pool is not used, and the caller's thread computes.
    #[default]
    Shared,
    /// A number of the engine's own threads, from 1 to 1024, for the engine's lifetime.
    Own(u32),
    /// No threads: every call computes on the calling thread.
    Caller,
}

/// The error of starting threads.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("threads = {count} is not allowed{reason}; allowed: 1 to 1024 of an engine's own")]
pub struct ThreadsError {
    /// The requested number.
    pub count: u32,
    /// The system's message, if it refused.
    pub reason: String,
}

/// A set of threads, and whether their work is still needed.
#[derive(Clone, Debug)]
pub(crate) struct Pool {
    of: Of,
    stop: Stop,
}

/// The kind of threads.
#[derive(Clone, Debug)]
enum Of {
    Shared,
    Own(Arc<rayon::ThreadPool>),
    Caller,
}

/// Most threads of one engine.
const MOST: u32 = 1024;
/// Numbers up to which a search takes no longer than waking other threads.
const FEW: usize = 1 << 16;

impl Pool {
    /// Starts threads if the engine is to have its own.
    ///
    /// # Errors
    /// Returns an error if the number is 0 or too large, or the system cannot start the threads.
    pub fn open(threads: Threads) -> Result<Pool, ThreadsError> {
        let of = match threads {
            Threads::Shared => Of::Shared,
            Threads::Caller => Of::Caller,
            Threads::Own(count) => {
                let refuse = |reason| ThreadsError { count, reason };
                if !(1..=MOST).contains(&count) {
                    return Err(refuse(String::new()));
                }
                if cfg!(target_family = "wasm") {
                    return Err(refuse(": WebAssembly has no threads".to_owned()));
                }
                let builder = rayon::ThreadPoolBuilder::new().num_threads(count as usize).thread_name(|i| format!("orogen-{i}"));
                let pool = builder.build().map_err(|error| refuse(format!(": {error}")))?;
                Of::Own(Arc::new(pool))
            }
        };
        Ok(Pool { of, stop: Stop::default() })
    }

    /// The caller's thread alone.
    pub fn caller() -> Pool {
        Pool { of: Of::Caller, stop: Stop::default() }
    }

    /// The same threads, which stop early when `stop` is called.
    pub fn stopped_by(&self, stop: &Stop) -> Pool {
        Pool { of: self.of.clone(), stop: stop.clone() }
    }

    /// The handle that stops them.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Whether the results are not needed any more.
    pub fn is_stopped(&self) -> bool {
        self.stop.is_stopped()
    }

    /// Whether handing work over may save time: a shared pool of one thread takes as long as the caller's thread.
    pub fn is_parallel(&self) -> bool {
        // Known to the compiler, so that the module for browsers does without rayon.
        if cfg!(target_family = "wasm") {
            return false;
        }
        match self.of {
            Of::Shared => rayon::current_num_threads() > 1,
            Of::Own(_) => true,
            Of::Caller => false,
        }
    }

    /// Whether all work is done on the calling thread.
    #[cfg(feature = "bake")]
    pub fn is_caller(&self) -> bool {
        matches!(self.of, Of::Caller)
    }

    /// Applies a function to parts of some numbers and returns the results in order: one part if they are few, else one for each
    /// thread.
    pub fn parts<T: Send>(&self, numbers: &[f32], find: impl Fn(&[f32]) -> T + Send + Sync) -> Vec<T> {
        if numbers.len() <= FEW || !self.is_parallel() {
            return vec![find(numbers)];
        }
        self.install(|| {
            let part = numbers.len().div_ceil(rayon::current_num_threads()).max(FEW / 2);
            numbers.par_chunks(part).map(find).collect()
        })
    }

    /// Applies a function to each number from 0 on and returns the results in order.
    pub fn map<T: Send>(&self, count: usize, find: impl Fn(usize) -> T + Send + Sync) -> Vec<T> {
        if !self.is_parallel() {
            return (0..count).map(find).collect();
        }
        self.install(|| (0..count).into_par_iter().map(find).collect())
    }

    /// Runs a function in which rayon's calls use these threads. A nested call runs immediately.
    pub fn install<T: Send>(&self, something: impl FnOnce() -> T + Send) -> T {
        match &self.of {
            Of::Shared | Of::Caller => something(),
            Of::Own(pool) => pool.install(something),
        }
    }
}
