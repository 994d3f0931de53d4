//! A frame waits for no chunk.

use crate::support::{app, settings, settle_with};
use orogen_bevy::{Finish, Ground, TerrainSettings};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

#[test]
fn chunks_are_made_on_the_threads_for_tasks() {
    let names = Arc::new(Mutex::new(Vec::new()));
    let note = |names: &Arc<Mutex<Vec<String>>>| {
        let name = std::thread::current().name().unwrap_or_default().to_owned();
        names.lock().expect("no panic").push(name);
    };
    let (heights, finishes) = (Arc::clone(&names), Arc::clone(&names));
    let hills = settings().ground;
    let ground = Ground::new(move |region| {
        note(&heights);
        hills.heights(region)
    });
    let finish = Some(Finish::new(move |_, _| note(&finishes)));
    let (mut app, _) = app(TerrainSettings { ground, finish, ..settings() });
    settle_with(&mut app, |_| ());
    let names = names.lock().expect("no panic");
    assert_eq!(names.len(), 2 * 49);
    assert!(names.iter().all(|name| name.starts_with("Async Compute Task Pool")), "{names:?}");
}

#[test]
fn no_frame_takes_as_long_as_a_chunk() {
    const CHUNK: Duration = Duration::from_millis(300);
    let hills = settings().ground;
    let ground = Ground::new(move |region| {
        std::thread::sleep(CHUNK);
        hills.heights(region)
    });
    let (mut app, _) = app(TerrainSettings { ground, radius: 1, ..settings() });
    let (mut slowest, mut last, mut frames) = (Duration::ZERO, Instant::now(), 0);
    settle_with(&mut app, |_| {
        slowest = slowest.max(last.elapsed());
        frames += 1;
        // Not counted: what waits between frames.
        std::thread::sleep(Duration::from_millis(1));
        last = Instant::now();
    });
    assert!(frames > 100, "{frames} frames while five chunks were made");
    assert!(slowest < CHUNK / 2, "a frame took {slowest:?}");
}
