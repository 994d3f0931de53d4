//! Tests which chunks exist, and the order in which they come and go.

use crate::support::{CELLS, Seen, app, chunks, disc, noting, settings, settle, settle_with};
use bevy_asset::Assets;
use bevy_mesh::Mesh;
use bevy_transform::components::Transform;
use orogen_bevy::{TerrainQueue, TerrainSettings, Viewer};

/// Squared distance from the viewer of these tests to the middle of a chunk.
fn distance([x, y]: [i64; 2]) -> f64 {
    let [x, y] = [(x as f64 + 0.5) * f64::from(CELLS) - 3.0, (y as f64 + 0.5) * f64::from(CELLS) - 5.0];
    x * x + y * y
}

#[test]
fn every_chunk_within_the_radius_comes_once_nearest_first() {
    let (ground, asked) = noting(settings().ground);
    let (mut app, _) = app(TerrainSettings { ground, tasks: 1, inserts: 1, ..settings() });
    settle(&mut app);
    assert!(chunks(&mut app).keys().eq(disc([0, 0], 4).iter()));
    let seen = app.world().resource::<Seen>().0.clone();
    assert_eq!(seen, *asked.lock().expect("no panic"), "the first request appears first");
    assert!(seen.is_sorted_by(|&a, &b| distance(a) <= distance(b)), "{seen:?}");
    for _ in 0..50 {
        app.update();
    }
    assert_eq!(app.world().resource::<Seen>().0.len(), seen.len(), "nothing is made twice");
    assert_eq!(app.world().resource::<Assets<Mesh>>().len(), seen.len());
}

#[test]
fn budgets_hold_in_every_frame() {
    let (ground, asked) = noting(settings().ground);
    let (mut app, _) = app(TerrainSettings { ground, radius: 6, tasks: 5, inserts: 2, ..settings() });
    let mut before = 0;
    settle_with(&mut app, |app| {
        let seen = app.world().resource::<Seen>().0.len();
        assert!(seen - before <= 2, "{} chunks appear in one frame", seen - before);
        assert!(app.world().resource::<TerrainQueue>().running() <= 5);
        before = seen;
    });
    assert!(chunks(&mut app).keys().eq(disc([0, 0], 6).iter()));
    assert_eq!(asked.lock().expect("no panic").len(), disc([0, 0], 6).len());
}

#[test]
fn far_chunks_go_when_the_viewer_does() {
    let (mut app, viewer) = app(settings());
    settle(&mut app);
    let old = chunks(&mut app);
    app.world_mut().get_mut::<Transform>(viewer).expect("a viewer").translation.x += 20.0 * CELLS as f32;
    settle(&mut app);
    assert!(chunks(&mut app).keys().eq(disc([20, 0], 4).iter()));
    assert!(old.values().all(|&entity| app.world().get_entity(entity).is_err()), "entities are despawned");
    app.update(); // unused meshes are freed in the next frame
    assert_eq!(app.world().resource::<Assets<Mesh>>().len(), old.len(), "meshes are freed");
}

#[test]
fn a_step_over_a_border_keeps_what_is_near() {
    let (mut app, viewer) = app(settings());
    settle(&mut app);
    let old = chunks(&mut app);
    for (step, there) in [(CELLS as f32, disc([1, 0], 4)), (-(CELLS as f32), disc([0, 0], 4))] {
        app.world_mut().get_mut::<Transform>(viewer).expect("a viewer").translation.x += step;
        settle(&mut app);
        let now = chunks(&mut app);
        assert!(there.iter().all(|at| now.contains_key(at)));
        assert!(old.iter().all(|(at, entity)| now.get(at) == Some(entity)), "chunks within the margin stay unchanged");
    }
    assert_eq!(app.world().resource::<Seen>().0.len(), chunks(&mut app).len(), "a walk to and fro makes nothing twice");
}

#[test]
fn what_nobody_needs_any_more_is_not_made() {
    let (ground, asked) = noting(settings().ground);
    let (mut app, viewer) = app(TerrainSettings { ground, tasks: 2, ..settings() });
    app.update();
    assert_eq!(app.world().resource::<TerrainQueue>().running(), 2);
    app.world_mut().get_mut::<Transform>(viewer).expect("a viewer").translation.z -= 100.0 * CELLS as f32;
    settle(&mut app);
    assert!(chunks(&mut app).keys().eq(disc([0, -100], 4).iter()));
    assert!(app.world().resource::<Seen>().0.iter().all(|at| at[1] < -90), "chunks that came too late do not appear");
    assert!(asked.lock().expect("no panic").iter().filter(|at| at[1] > -90).count() <= 2);
}

#[test]
fn several_viewers_have_ground_each_and_none_leaves_it() {
    let (mut app, viewer) = app(TerrainSettings { radius: 2, ..settings() });
    let other = app.world_mut().spawn((Viewer, Transform::from_xyz(10.0 * CELLS as f32 + 1.0, 0.0, 1.0))).id();
    settle(&mut app);
    let mut both = [disc([0, 0], 2), disc([10, 0], 2)].concat();
    both.sort_unstable();
    assert!(chunks(&mut app).keys().eq(both.iter()));
    app.world_mut().despawn(other);
    settle(&mut app);
    assert!(chunks(&mut app).keys().eq(disc([0, 0], 2).iter()));
    app.world_mut().despawn(viewer);
    settle(&mut app);
    assert!(chunks(&mut app).keys().eq(disc([0, 0], 2).iter()));
}

#[test]
fn a_chunk_that_is_despawned_comes_again() {
    let (mut app, _) = app(settings());
    settle(&mut app);
    let gone = chunks(&mut app)[&[1, 2]];
    app.world_mut().despawn(gone);
    settle(&mut app);
    let now = chunks(&mut app);
    assert!(now.keys().eq(disc([0, 0], 4).iter()));
    assert_ne!(now[&[1, 2]], gone);
}
