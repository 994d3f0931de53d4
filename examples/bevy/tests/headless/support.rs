//! An app without a window, and what is looked at in it.

use bevy_app::{App, TaskPoolPlugin};
use bevy_asset::{AssetPlugin, Assets};
use bevy_ecs::prelude::{Add, Entity, On, Query, ResMut, Resource};
use bevy_mesh::{Mesh, Mesh3d, MeshPlugin, VertexAttributeValues};
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;
use orogen::node::{Fractal, Simplex};
use orogen::{Backend, Engine, EngineOptions, Noise, Prepared, Region, Threads};
use orogen_bevy::{Chunk, Ground, TerrainPlugin, TerrainQueue, TerrainSettings, Viewer};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Longer than anything here takes, on a machine that does much else.
const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) const CELLS: u32 = 16;

/// Hills of which 16 cells are worth a mesh.
pub(crate) fn hills() -> Prepared {
    let noise = Noise::simplex(Simplex { wavelength: 40.0, ..Default::default() }).named("hill");
    let noise = noise.fractal(Fractal { octaves: 4, ..Default::default() }).scale_offset(12.0, 30.0);
    let options = EngineOptions { backend: Backend::Cpu, threads: Threads::Caller, ..Default::default() };
    Engine::open(&options).expect("a CPU").prepare(&noise).expect("a noise")
}

/// Few small chunks of hills.
pub(crate) fn settings() -> TerrainSettings {
    TerrainSettings { cells: CELLS, radius: 4, ..TerrainSettings::new(hills()) }
}

/// Every chunk that has appeared, in order.
#[derive(Resource, Default)]
pub(crate) struct Seen(pub(crate) Vec<[i64; 2]>);

fn see(added: On<Add, Chunk>, chunks: Query<&Chunk>, mut seen: ResMut<Seen>) {
    seen.0.push(chunks.get(added.entity).expect("a chunk").at);
}

/// With a viewer in chunk 0, 0.
pub(crate) fn app(settings: TerrainSettings) -> (App, Entity) {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), AssetPlugin::default(), MeshPlugin, TransformPlugin, TerrainPlugin));
    app.insert_resource(settings).init_resource::<Seen>().add_observer(see);
    let viewer = app.world_mut().spawn((Viewer, Transform::from_xyz(3.0, 50.0, 5.0))).id();
    (app, viewer)
}

/// Frames until nothing is missing, with a look after each.
pub(crate) fn settle_with(app: &mut App, mut look: impl FnMut(&mut App)) {
    let begin = Instant::now();
    loop {
        app.update();
        look(app);
        if app.world().resource::<TerrainQueue>().is_idle() {
            return;
        }
        assert!(begin.elapsed() < PATIENCE, "the queue never empties");
        std::thread::sleep(Duration::from_millis(1));
    }
}

pub(crate) fn settle(app: &mut App) {
    settle_with(app, |_| ());
}

/// The chunks that are entities: no index twice.
pub(crate) fn chunks(app: &mut App) -> BTreeMap<[i64; 2], Entity> {
    let mut found = BTreeMap::new();
    for (entity, chunk) in app.world_mut().query::<(Entity, &Chunk)>().iter(app.world()) {
        assert_eq!(found.insert(chunk.at, entity), None, "{:?} is there twice", chunk.at);
    }
    found
}

/// The indices within a radius of a chunk.
pub(crate) fn disc(at: [i64; 2], radius: i64) -> Vec<[i64; 2]> {
    let all = (-radius..=radius).flat_map(|x| (-radius..=radius).map(move |y| [x, y]));
    let mut all: Vec<_> = all.filter(|[x, y]| x * x + y * y <= radius * radius).map(|[x, y]| [at[0] + x, at[1] + y]).collect();
    all.sort_unstable();
    all
}

/// A ground that notes which chunks it is asked for, in order.
pub(crate) fn noting(ground: impl Into<Ground>) -> (Ground, Arc<Mutex<Vec<[i64; 2]>>>) {
    let (ground, asked) = (ground.into(), Arc::new(Mutex::new(Vec::new())));
    let notes = Arc::clone(&asked);
    let ground = Ground::new(move |region| {
        notes.lock().expect("no panic").push(chunk_of(region));
        ground.heights(region)
    });
    (ground, asked)
}

/// The chunk whose heights a region has.
pub(crate) fn chunk_of(region: &Region) -> [i64; 2] {
    [0, 1].map(|axis| (region.origin[axis] + 1) / i64::from(region.size[axis] - 3))
}

/// A chunk's vertices and their normals, from its corner, and where that is.
pub(crate) struct Shape {
    pub(crate) place: Transform,
    pub(crate) positions: Vec<[f32; 3]>,
    pub(crate) normals: Vec<[f32; 3]>,
}

pub(crate) fn shape(app: &App, entity: Entity) -> Shape {
    let world = app.world();
    let handle = &world.get::<Mesh3d>(entity).expect("a mesh").0;
    let mesh = world.resource::<Assets<Mesh>>().get(handle).expect("the mesh is kept");
    let numbers = |attribute| match mesh.attribute(attribute) {
        Some(VertexAttributeValues::Float32x3(numbers)) => numbers.clone(),
        other => unreachable!("three numbers a vertex, not {other:?}"),
    };
    Shape {
        place: *world.get::<Transform>(entity).expect("a place"),
        positions: numbers(Mesh::ATTRIBUTE_POSITION),
        normals: numbers(Mesh::ATTRIBUTE_NORMAL),
    }
}
