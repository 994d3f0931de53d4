//! Flying over endless ground in Bevy.
//!
//! `cargo run --release --features window --manifest-path examples/bevy/Cargo.toml [RECIPE]`: W and S for faster and slower, A
//! and D to turn, Q and E for lower and higher, Esc to quit. The default recipe is `recipes/alps.toml`.
#![allow(clippy::disallowed_methods, reason = "displayed pictures may differ in a last digit")]

use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::mesh::VertexAttributeValues;
use bevy::prelude::*;
use orogen::mesh::Terrain;
use orogen::{Backend, Engine, EngineOptions, Prepared, Recipe, Threads};
use orogen_bevy::{Chunk, Finish, TerrainPlugin, TerrainQueue, TerrainSettings, Viewer, WorldOrigin};
use std::error::Error;

/// The sky.
const SKY: Color = Color::srgb(0.62, 0.74, 0.88);

/// Radius of the ground, in chunks of 64 cells, and the spacing of its samples.
const RADIUS: u32 = 16;
const SPACING: f64 = 8.0;

/// The ground under the camera.
#[derive(Resource)]
struct Under(Prepared);

/// The material of all chunks.
#[derive(Resource)]
struct Rock(Handle<StandardMaterial>);

/// The pilot.
#[derive(Component)]
struct Pilot {
    /// Radians from east towards south.
    heading: f64,
    /// World units above the ground, and per second.
    above: f64,
    speed: f64,
    /// The smoothed height of the ground, so that the camera does not follow every bump.
    eye: Option<f64>,
}

fn main() -> Result<AppExit, Box<dyn Error>> {
    let recipe = match std::env::args().nth(1) {
        Some(path) => Recipe::load(path)?,
        None => Recipe::from_toml(include_str!("../../../recipes/alps.toml"), "alps.toml")?,
    };
    let options = EngineOptions { backend: Backend::Cpu, threads: Threads::Caller, ..Default::default() };
    let ground = Engine::open(&options)?.prepare(&recipe.noise()?)?;
    let range = ground.range();
    let settings = TerrainSettings {
        spacing: SPACING,
        radius: RADIUS,
        mesh: Terrain { error: 1.0, skirt: 0.0 },
        finish: Some(Finish::new(move |mesh, _| paint(mesh, [range.lo, range.hi]))),
        ..TerrainSettings::new(ground.clone())
    };
    let window = Window { title: "Orogen".to_owned(), ..default() };
    Ok(App::new()
        .add_plugins(DefaultPlugins.set(WindowPlugin { primary_window: Some(window), ..default() }))
        .add_plugins(TerrainPlugin)
        .insert_resource(settings)
        .insert_resource(Under(ground))
        .insert_resource(ClearColor(SKY))
        .insert_resource(GlobalAmbientLight { color: SKY, brightness: 400.0, ..default() })
        .add_observer(dress)
        .add_systems(Startup, begin)
        .add_systems(Update, (fly, tell))
        .run())
}

/// Grass below, snow above, rock on steep slopes. Computed in the background, like the mesh.
fn paint(mesh: &mut Mesh, [low, high]: [f64; 2]) {
    let (Some(VertexAttributeValues::Float32x3(positions)), Some(VertexAttributeValues::Float32x3(normals))) =
        (mesh.attribute(Mesh::ATTRIBUTE_POSITION), mesh.attribute(Mesh::ATTRIBUTE_NORMAL))
    else {
        return;
    };
    let [grass, rock, snow] = [Vec3::new(0.10, 0.17, 0.05), Vec3::new(0.17, 0.15, 0.13), Vec3::new(0.80, 0.83, 0.88)];
    let step = |from: f32, to: f32, x: f32| ((x - from) / (to - from)).clamp(0.0, 1.0);
    let colour = |position: &[f32; 3], normal: &[f32; 3]| {
        let height = ((f64::from(position[1]) - low) / (high - low).max(1.0)) as f32;
        let flat = grass.lerp(snow, step(0.35, 0.45, height));
        rock.lerp(flat, step(0.62, 0.78, normal[1])).extend(1.0).to_array()
    };
    let colours: Vec<[f32; 4]> = positions.iter().zip(normals).map(|(position, normal)| colour(position, normal)).collect();
    mesh.insert_attribute(Mesh::ATTRIBUTE_COLOR, colours);
}

fn begin(mut commands: Commands, mut materials: ResMut<Assets<StandardMaterial>>) {
    let rock = StandardMaterial { perceptual_roughness: 0.95, reflectance: 0.1, ..default() };
    commands.insert_resource(Rock(materials.add(rock)));
    let reach = (f64::from(RADIUS) * 64.0 * SPACING) as f32;
    commands.spawn((
        Viewer,
        Pilot { heading: 0.6, above: 250.0, speed: 120.0, eye: None },
        Camera3d::default(),
        Projection::Perspective(PerspectiveProjection { far: 1.2 * reach, ..default() }),
        // The default one needs a lookup table that is a separate feature.
        Tonemapping::AcesFitted,
        DistanceFog { color: SKY, falloff: FogFalloff::Linear { start: 0.4 * reach, end: reach }, ..default() },
    ));
    let sun = DirectionalLight { illuminance: 9_000.0, color: Color::srgb(1.0, 0.95, 0.86), ..default() };
    commands.spawn((sun, Transform::default().looking_to(Vec3::new(-0.5, -0.55, -0.35), Vec3::Y)));
}

/// Gives every new chunk its material.
fn dress(added: On<Add, Chunk>, rock: Res<Rock>, mut commands: Commands) {
    commands.entity(added.entity).insert(MeshMaterial3d(rock.0.clone()));
}

fn fly(
    time: Res<Time>,
    keys: Res<ButtonInput<KeyCode>>,
    under: Res<Under>,
    settings: Res<TerrainSettings>,
    origin: Res<WorldOrigin>,
    pilot: Single<(&mut Pilot, &mut Transform)>,
    mut exit: MessageWriter<AppExit>,
) {
    if keys.just_pressed(KeyCode::Escape) {
        exit.write(AppExit::Success);
    }
    let (mut pilot, mut transform) = pilot.into_inner();
    let seconds = time.delta_secs_f64();
    let between = |less, more| f64::from(u8::from(keys.pressed(more))) - f64::from(u8::from(keys.pressed(less)));
    pilot.heading += 0.9 * between(KeyCode::KeyA, KeyCode::KeyD) * seconds;
    pilot.above = (pilot.above * (1.2 * between(KeyCode::KeyQ, KeyCode::KeyE) * seconds).exp()).clamp(4.0, 4_000.0);
    pilot.speed = (pilot.speed * (1.5 * between(KeyCode::KeyS, KeyCode::KeyW) * seconds).exp()).clamp(4.0, 5_000.0);
    let (ahead, aside) = (pilot.heading.cos(), pilot.heading.sin());
    transform.translation.x += (ahead * pilot.speed * seconds) as f32;
    transform.translation.z += (aside * pilot.speed * seconds) as f32;
    let [x, y] = origin.world(transform.translation, settings.edge());
    // Beyond the end of the world the last height is kept.
    if let Ok(height) = under.0.value([x, y, 0.0]) {
        let wanted = height + pilot.above;
        let eye = pilot.eye.map_or(wanted, |eye| eye + (wanted - eye) * (1.0 - (-2.0 * seconds).exp()));
        pilot.eye = Some(eye.max(height + 2.0));
        transform.translation.y = eye.max(height + 2.0) as f32;
    }
    transform.look_to(Vec3::new(ahead as f32, -0.22, aside as f32), Vec3::Y);
}

/// The state of the queue, in the title.
fn tell(time: Res<Time>, queue: Res<TerrainQueue>, origin: Res<WorldOrigin>, mut window: Single<&mut Window>, mut last: Local<f32>) {
    if time.elapsed_secs() - *last < 0.5 {
        return;
    }
    *last = time.elapsed_secs();
    let (made, running, waiting, [x, y]) = (queue.made(), queue.running(), queue.waiting(), origin.chunk);
    let frame = 1e3 * time.delta_secs();
    window.title = format!("Orogen: {made} chunks, {running} on their way, {waiting} wait; origin {x}, {y}; {frame:.1} ms");
}
