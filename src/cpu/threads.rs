//! Which threads the CPU computes with.

use crate::stop::Stop;
use rayon::prelude::*;
use std::sync::Arc;

/// Which threads an engine computes with on the CPU, in calls that take longer than waking them. Shorter ones stay on the caller's thread
/// whatever is said here. No bit depends on it.
///
/// A call waits for its own work only, but a pool does what it is given in order: a chunk that is computed on the pool that another
/// call is filling with a world waits behind that. An engine for each purpose, with threads of its own, keeps them apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Threads {
    /// The pool that rayon has for the whole process: as many as the machine has cores, unless the program or `RAYON_NUM_THREADS` says
    /// otherwise. If that is one, it is left asleep, and the caller's own computes.
    #[default]
    Shared,
    /// So many of the engine's own, from 1 to 1024, for as long as it lives.
    Own(u32),
    /// None: every call computes on the thread that makes it.
    Caller,
}

/// Why there are no threads.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("threads = {count} is not allowed{reason}; allowed: 1 to 1024 of an engine's own")]
pub struct ThreadsError {
    /// How many were asked for.
    pub count: u32,
    /// What the system says, if it refused.
    pub reason: String,
}

/// Threads that there are, and whether they are still wanted.
#[derive(Clone, Debug)]
pub(crate) struct Pool {
    of: Of,
    stop: Stop,
}

/// Whose threads they are.
#[derive(Clone, Debug)]
enum Of {
    Shared,
    Own(Arc<rayon::ThreadPool>),
    Caller,
}

/// Most threads of one engine.
const MOST: u32 = 1024;
/// Numbers up to which looking through them takes no longer than waking other threads.
const FEW: usize = 1 << 16;

impl Pool {
    /// Starts threads of one's own, if that is what is wanted.
    ///
    /// # Errors
    /// None, too many, or more than the system gives.
    pub fn open(threads: Threads) -> Result<Pool, ThreadsError> {
        let of = match threads {
            Threads::Shared => Of::Shared,
            Threads::Caller => Of::Caller,
            Threads::Own(count) => {
                let refuse = |reason| ThreadsError { count, reason };
                if !(1..=MOST).contains(&count) {
                    return Err(refuse(String::new()));
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

    /// The same threads, which leave off when that is called.
    pub fn stopped_by(&self, stop: &Stop) -> Pool {
        Pool { of: self.of.clone(), stop: stop.clone() }
    }

    /// The handle that stops them.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Whether what is being computed is of no use any more.
    pub fn is_stopped(&self) -> bool {
        self.stop.is_stopped()
    }

    /// Whether handing work over may gain anything: a shared pool of one thread takes no less time than the caller's own.
    pub fn is_parallel(&self) -> bool {
        match self.of {
            Of::Shared => rayon::current_num_threads() > 1,
            Of::Own(_) => true,
            Of::Caller => false,
        }
    }

    /// What is found in parts of some numbers, in their order: one part if they are few, else one for each thread.
    pub fn parts<T: Send>(&self, numbers: &[f32], find: impl Fn(&[f32]) -> T + Send + Sync) -> Vec<T> {
        if numbers.len() <= FEW || !self.is_parallel() {
            return vec![find(numbers)];
        }
        self.install(|| {
            let part = numbers.len().div_ceil(rayon::current_num_threads()).max(FEW / 2);
            numbers.par_chunks(part).map(find).collect()
        })
    }

    /// What is found for each number from 0 on, in their order.
    pub fn map<T: Send>(&self, count: usize, find: impl Fn(usize) -> T + Send + Sync) -> Vec<T> {
        if !self.is_parallel() {
            return (0..count).map(find).collect();
        }
        self.install(|| (0..count).into_par_iter().map(find).collect())
    }

    /// Does something in which rayon's calls find these threads. Asked for again inside, it is done at once.
    pub fn install<T: Send>(&self, something: impl FnOnce() -> T + Send) -> T {
        match &self.of {
            Of::Shared | Of::Caller => something(),
            Of::Own(pool) => pool.install(something),
        }
    }
}
