//! Meshes in the background, on threads that know nothing of Godot.

use super::{Ground, Shape, Surface};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};

/// Most threads.
const MOST: usize = 8;

/// Meshes that have been asked for, and those that are done. Dropped, it waits for what is being made, some milliseconds: no thread may
/// outlive the library.
pub(crate) struct Queue {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

/// A mesh that is done.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) chunk: [i64; 2],
    pub(crate) surface: Result<Surface, String>,
}

struct Task {
    ground: Arc<Ground>,
    chunk: [i64; 2],
    shape: Shape,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    wake: Condvar,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Task>,
    /// Of what has not been cancelled.
    running: usize,
    done: VecDeque<Done>,
    /// The number of cancellations: results of earlier requests are dropped.
    cancelled: u64,
    closed: bool,
}

impl Shared {
    /// Nothing is left half done by a panic: the state is changed in single steps.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self) {
        let mut state = self.state();
        while !state.closed {
            let Some(task) = state.waiting.pop_front() else {
                state = self.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            state.running += 1;
            let begun = state.cancelled;
            drop(state);
            let surface = catch_unwind(AssertUnwindSafe(|| task.ground.surface(task.chunk, &task.shape)));
            let surface = surface.unwrap_or_else(|_| Err("the mesh could not be made: its thread panicked".to_owned()));
            state = self.state();
            if state.cancelled == begun {
                state.running -= 1;
                state.done.push_back(Done { chunk: task.chunk, surface });
            }
        }
    }
}

impl Queue {
    /// With a thread for every core but one, which is Godot's.
    pub(crate) fn new() -> Result<Self, String> {
        let count = std::thread::available_parallelism().map_or(1, |cores| (cores.get() - 1).clamp(1, MOST));
        let mut queue = Queue { shared: Arc::default(), threads: Vec::with_capacity(count) };
        for i in 0..count {
            let shared = Arc::clone(&queue.shared);
            let thread = Builder::new().name(format!("orogen-mesh-{i}")).spawn(move || shared.work());
            queue.threads.push(thread.map_err(|error| format!("no thread to make meshes on: {error}"))?);
        }
        Ok(queue)
    }

    /// Asks for a mesh. Those that are asked for first are made first.
    pub(crate) fn request(&self, ground: &Arc<Ground>, chunk: [i64; 2], shape: Shape) {
        self.shared.state().waiting.push_back(Task { ground: Arc::clone(ground), chunk, shape });
        self.shared.wake.notify_one();
    }

    /// Returns up to `most` finished meshes.
    pub(crate) fn take(&self, most: usize) -> Vec<Done> {
        let mut state = self.shared.state();
        let count = state.done.len().min(most);
        state.done.drain(..count).collect()
    }

    /// The number of requested meshes that have not been taken.
    pub(crate) fn pending(&self) -> usize {
        let state = self.shared.state();
        state.waiting.len() + state.running + state.done.len()
    }

    /// Forgets a chunk's mesh, unless it is being made just now.
    pub(crate) fn forget(&self, chunk: [i64; 2]) {
        let mut state = self.shared.state();
        state.waiting.retain(|task| task.chunk != chunk);
        state.done.retain(|done| done.chunk != chunk);
    }

    /// Forgets everything that has been asked for and not been taken.
    pub(crate) fn cancel(&self) {
        let mut state = self.shared.state();
        state.waiting.clear();
        state.done.clear();
        state.running = 0;
        state.cancelled += 1;
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        let mut state = self.shared.state();
        state.waiting.clear();
        state.closed = true;
        drop(state);
        self.shared.wake.notify_all();
        for thread in self.threads.drain(..) {
            // It catches panics itself: there is nothing to hear.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::HILLS;
    use super::*;
    use std::time::{Duration, Instant};

    const SHAPE: Shape = Shape { cells: 16, error: 0.5, spacing: 1.0, skirt: 0.0 };

    fn ground() -> Arc<Ground> {
        Arc::new(Ground::from_text(HILLS).and_then(|ground| ground.alone()).expect("a recipe"))
    }

    /// Waits for `count` meshes.
    fn wait(queue: &Queue, count: usize) -> Vec<Done> {
        let (begin, mut done) = (Instant::now(), Vec::new());
        while done.len() < count {
            assert!(begin.elapsed() < Duration::from_secs(60), "{} of {count} meshes", done.len());
            done.extend(queue.take(2));
            std::thread::sleep(Duration::from_millis(1));
        }
        done
    }

    #[test]
    fn every_mesh_comes_once_and_is_the_one_that_was_asked_for() {
        let (ground, queue) = (ground(), Queue::new().expect("threads"));
        let chunks: Vec<[i64; 2]> = (0..30).map(|i| [i % 6 - 3, i / 6]).collect();
        chunks.iter().for_each(|&chunk| queue.request(&ground, chunk, SHAPE));
        let mut done = wait(&queue, chunks.len());
        assert_eq!((queue.pending(), queue.take(9).len()), (0, 0));
        for Done { chunk, surface } in &done {
            assert_eq!(*surface, ground.surface(*chunk, &SHAPE));
        }
        done.sort_by_key(|done| (done.chunk[1], done.chunk[0]));
        assert!(done.iter().map(|done| done.chunk).eq(chunks));
    }

    #[test]
    fn errors_come_like_meshes() {
        let queue = Queue::new().expect("threads");
        queue.request(&ground(), [4, 4], Shape { cells: 0, ..SHAPE });
        let done = wait(&queue, 1);
        assert_eq!(done[0].chunk, [4, 4]);
        assert!(done[0].surface.as_ref().is_err_and(|error| error.contains("cells")));
    }

    #[test]
    fn what_is_cancelled_does_not_come() {
        let (ground, queue) = (ground(), Queue::new().expect("threads"));
        (0..200).for_each(|x| queue.request(&ground, [x, 0], SHAPE));
        queue.cancel();
        queue.request(&ground, [-1, -1], SHAPE);
        assert_eq!(wait(&queue, 1)[0].chunk, [-1, -1]);
        assert_eq!(queue.pending(), 0);
        // Nor does what was being made just then.
        std::thread::sleep(Duration::from_millis(50));
        assert_eq!(queue.take(10).len(), 0);
    }

    #[test]
    fn what_is_forgotten_does_not_come_and_the_rest_does() {
        let (ground, queue) = (ground(), Queue::new().expect("threads"));
        (0..100).for_each(|x| queue.request(&ground, [x, 0], SHAPE));
        // Far behind what is being made by now.
        (90..100).for_each(|x| queue.forget([x, 0]));
        let done = wait(&queue, 90);
        assert_eq!(queue.pending(), 0);
        assert!(done.iter().all(|done| done.chunk[0] < 90));
    }

    #[test]
    fn dropping_waits_for_no_queue() {
        let (ground, queue) = (ground(), Queue::new().expect("threads"));
        (0..10_000).for_each(|x| queue.request(&ground, [x, 0], Shape { cells: 64, ..SHAPE }));
        let begin = Instant::now();
        drop(queue);
        assert!(begin.elapsed() < Duration::from_secs(5));
    }
}
