//! Settings that change.

use crate::support::{CELLS, Seen, app, chunks, disc, hills, settings, settle, settle_with, shape};
use orogen_bevy::{Chunk, TerrainSettings};

#[test]
fn another_ground_replaces_the_chunks_and_leaves_no_hole() {
    let (mut app, _) = app(settings());
    settle(&mut app);
    let old = chunks(&mut app);
    let before = shape(&app, old[&[0, 0]]).positions;
    let mut other = hills();
    other.set("hill.wavelength", 55.0).expect("a parameter");
    app.world_mut().resource_mut::<TerrainSettings>().ground = other.into();
    settle_with(&mut app, |app| assert!(chunks(app).keys().eq(disc([0, 0], 4).iter()), "no chunk is missing meanwhile"));
    let new = chunks(&mut app);
    assert!(new.iter().all(|(at, entity)| old[at] != *entity));
    assert_ne!(shape(&app, new[&[0, 0]]).positions, before);
    let versions = app.world_mut().query::<&Chunk>().iter(app.world()).map(|chunk| chunk.version).collect::<Vec<_>>();
    assert!(versions.iter().all(|version| *version == versions[0]));
    assert_eq!(app.world().resource::<Seen>().0.len(), 2 * old.len());
}

#[test]
fn an_error_allowed_makes_other_meshes() {
    let (mut app, _) = app(settings());
    settle(&mut app);
    let count = |app: &mut bevy_app::App| {
        let entities: Vec<_> = chunks(app).into_values().collect();
        entities.into_iter().map(|entity| shape(app, entity).positions.len()).sum::<usize>()
    };
    let all = count(&mut app);
    app.world_mut().resource_mut::<TerrainSettings>().mesh.error = 1.0;
    settle(&mut app);
    assert!(count(&mut app) < all / 2);
}

#[test]
fn budgets_and_radius_rebuild_nothing() {
    let (mut app, _) = app(settings());
    settle(&mut app);
    let old = chunks(&mut app);
    {
        let mut settings = app.world_mut().resource_mut::<TerrainSettings>();
        (settings.tasks, settings.inserts, settings.radius) = (1, 100, 5);
    }
    settle(&mut app);
    let wider = chunks(&mut app);
    assert!(wider.keys().eq(disc([0, 0], 5).iter()));
    assert!(old.iter().all(|(at, entity)| wider[at] == *entity));
    {
        let mut settings = app.world_mut().resource_mut::<TerrainSettings>();
        (settings.radius, settings.margin) = (2, 0);
    }
    settle(&mut app);
    assert!(chunks(&mut app).keys().eq(disc([0, 0], 2).iter()));
}

#[test]
fn another_grid_begins_anew() {
    let (mut app, _) = app(settings());
    settle(&mut app);
    app.world_mut().resource_mut::<TerrainSettings>().cells = 2 * CELLS;
    app.update();
    assert!(chunks(&mut app).is_empty(), "chunks of two grids do not meet");
    settle(&mut app);
    let there = chunks(&mut app);
    assert!(there.keys().eq(disc([0, 0], 4).iter()));
    assert_eq!(shape(&app, there[&[1, 0]]).place.translation.x, 2.0 * CELLS as f32);
}
