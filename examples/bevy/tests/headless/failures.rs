//! Ground that cannot be made.

use crate::support::{app, chunk_of, chunks, disc, settings, settle, settle_with};
use bevy_ecs::prelude::Messages;
use orogen_bevy::{ChunkFailed, Ground, TerrainSettings, WorldOrigin};

#[test]
fn a_chunk_that_fails_is_told_once_and_tried_again_with_other_settings() {
    let hills = settings().ground;
    let good = hills.clone();
    let ground = Ground::new(move |region| if chunk_of(region) == [1, 1] { Err("no ground here".into()) } else { hills.heights(region) });
    let (mut app, _) = app(TerrainSettings { ground, ..settings() });
    let mut told = Vec::new();
    settle_with(&mut app, |app| told.extend(app.world_mut().resource_mut::<Messages<ChunkFailed>>().drain()));
    assert_eq!(told, [ChunkFailed { at: [1, 1], error: "no ground here".to_owned() }]);
    assert!(chunks(&mut app).keys().eq(disc([0, 0], 4).iter().filter(|at| **at != [1, 1])));
    for _ in 0..20 {
        app.update();
    }
    assert_eq!(app.world().resource::<Messages<ChunkFailed>>().len(), 0, "it is not tried in every frame");
    app.world_mut().resource_mut::<TerrainSettings>().ground = good;
    settle(&mut app);
    assert!(chunks(&mut app).keys().eq(disc([0, 0], 4).iter()));
}

#[test]
fn settings_that_make_no_sense_are_told() {
    for wrong in [
        TerrainSettings { cells: 0, ..settings() },
        TerrainSettings { spacing: 0.0, ..settings() },
        TerrainSettings { spacing: f64::NAN, ..settings() },
        TerrainSettings { mesh: orogen::mesh::Terrain { error: -1.0, skirt: 0.0 }, ..settings() },
    ] {
        let (mut app, _) = app(TerrainSettings { radius: 0, ..wrong });
        let mut told = Vec::new();
        settle_with(&mut app, |app| told.extend(app.world_mut().resource_mut::<Messages<ChunkFailed>>().drain()));
        assert!(told.len() == 1 && told[0].error.contains("is not allowed"), "{told:?}");
        assert!(chunks(&mut app).is_empty());
    }
}

#[test]
fn at_the_end_of_the_world_nothing_breaks() {
    let (mut app, _) = app(TerrainSettings { radius: 2, ..settings() });
    app.insert_resource(WorldOrigin { chunk: [i64::MAX, i64::MIN] });
    settle(&mut app);
    assert!(chunks(&mut app).is_empty());
    // A region other than the requested one is refused.
    let ground = Ground::new(|_| settings().ground.heights(&orogen::Region::plane(8, 8)));
    app.insert_resource(WorldOrigin::default());
    app.insert_resource(TerrainSettings { ground, radius: 0, ..settings() });
    let mut told = Vec::new();
    settle_with(&mut app, |app| told.extend(app.world_mut().resource_mut::<Messages<ChunkFailed>>().drain()));
    assert!(told.iter().any(|failed| failed.error.contains("was requested")), "{told:?}");
}
