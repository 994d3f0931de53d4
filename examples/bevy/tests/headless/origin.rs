//! Bevy's origin follows the viewer.

use crate::support::{CELLS, Seen, app, chunks, disc, hills, settings, settle, settle_with, shape};
use bevy_ecs::prelude::{ChildOf, Messages};
use bevy_math::Vec3;
use bevy_transform::components::{GlobalTransform, Transform};
use orogen::Region;
use orogen_bevy::{InTerrain, OriginMoved, TerrainSettings, Viewer, WorldOrigin};

const EDGE: f32 = CELLS as f32;

#[test]
fn far_out_heights_are_those_of_the_world() {
    let far = [1 << 42, -(1 << 41) - 5];
    let (mut app, _) = app(TerrainSettings { radius: 1, ..settings() });
    app.insert_resource(WorldOrigin { chunk: far });
    settle(&mut app);
    let there = chunks(&mut app);
    assert!(there.keys().eq(disc(far, 1).iter()));
    for (&[x, y], &entity) in &there {
        let found = shape(&app, entity);
        assert_eq!(found.place.translation, Vec3::new((x - far[0]) as f32 * EDGE, 0.0, (y - far[1]) as f32 * EDGE));
        let heights = hills().field(&Region::chunk(x, y, CELLS)).expect("heights").values;
        for position in found.positions {
            let [column, row] = [position[0] as usize, position[2] as usize];
            assert_eq!(position[1].to_bits(), heights[row * (CELLS as usize + 1) + column].to_bits());
        }
    }
}

#[test]
fn the_origin_moves_and_nothing_else_seems_to() {
    let (mut app, viewer) = app(TerrainSettings { rebase: 3, ..settings() });
    let tree = app.world_mut().spawn((InTerrain, Transform::from_xyz(7.0, 1.0, 9.0))).id();
    let hand = app.world_mut().spawn(Transform::from_xyz(1.0, 0.0, 0.0)).id();
    app.world_mut().spawn((InTerrain, Transform::default(), ChildOf(hand)));
    let menu = app.world_mut().spawn(Transform::from_xyz(7.0, 1.0, 9.0)).id();
    settle(&mut app);
    assert_eq!(*app.world().resource::<WorldOrigin>(), WorldOrigin::default());
    let stayed = chunks(&mut app)[&[3, 0]];
    app.world_mut().get_mut::<Transform>(viewer).expect("a viewer").translation.x += 5.0 * EDGE;
    app.update();
    assert_eq!(app.world().resource::<WorldOrigin>().chunk, [5, 0]);
    let by = Vec3::new(-5.0 * EDGE, 0.0, 0.0);
    let moved: Vec<_> = app.world_mut().resource_mut::<Messages<OriginMoved>>().drain().collect();
    assert_eq!(moved, [OriginMoved { chunks: [5, 0], by }]);
    let at = |entity| app.world().get::<GlobalTransform>(entity).expect("a place").translation();
    assert_eq!(at(viewer), Vec3::new(3.0, 50.0, 5.0), "in the same frame, propagated");
    assert_eq!(at(tree), Vec3::new(7.0, 1.0, 9.0) + by);
    assert_eq!(at(hand), Vec3::new(1.0, 0.0, 0.0) + by, "its child is marked");
    assert_eq!(at(menu), Vec3::new(7.0, 1.0, 9.0), "an unmarked entity stays");
    assert_eq!(at(stayed), Vec3::new(-2.0 * EDGE, 0.0, 0.0));
    let world = app.world().resource::<WorldOrigin>().world(at(viewer), f64::from(EDGE));
    assert_eq!(world, [f64::from(3.0 + 5.0 * EDGE), 5.0]);
    settle(&mut app);
    assert_eq!(chunks(&mut app)[&[3, 0]], stayed);
    assert!(disc([5, 0], 4).iter().all(|at| chunks(&mut app).contains_key(at)));
}

#[test]
fn a_long_way_in_small_steps_makes_every_chunk_once() {
    let (mut app, viewer) = app(TerrainSettings { radius: 1, margin: 0, rebase: 2, ..settings() });
    for _ in 0..200 {
        app.world_mut().get_mut::<Transform>(viewer).expect("a viewer").translation.x += EDGE / 4.0;
        settle_with(&mut app, |app| {
            let edge = f64::from(EDGE);
            let origin = *app.world().resource::<WorldOrigin>();
            for (at, entity) in chunks(app) {
                let place = app.world().get::<Transform>(entity).expect("a place").translation;
                assert_eq!(origin.world(place, edge), at.map(|i| i as f64 * edge), "a chunk is where it belongs in every frame");
            }
        });
    }
    assert!(chunks(&mut app).keys().eq(disc([50, 0], 1).iter()));
    let seen = app.world().resource::<Seen>().0.clone();
    // Three for each step along x, and the two ends.
    assert_eq!(seen.len(), 3 * 51 + 2);
}

#[test]
fn a_viewer_that_is_carried_moves_who_carries_it() {
    let (mut app, viewer) = app(TerrainSettings { rebase: 2, ..settings() });
    app.world_mut().despawn(viewer);
    let carriage = app.world_mut().spawn(Transform::from_xyz(6.0 * EDGE, 0.0, 0.0)).id();
    let eye = app.world_mut().spawn((Viewer, Transform::from_xyz(1.0, 2.0, 1.0), ChildOf(carriage))).id();
    settle(&mut app);
    assert!(chunks(&mut app).keys().eq(disc([6, 0], 4).iter()));
    assert_eq!(app.world().get::<Transform>(carriage).expect("a place").translation, Vec3::ZERO);
    assert_eq!(app.world().get::<Transform>(eye).expect("a place").translation, Vec3::new(1.0, 2.0, 1.0));
}
