//! Flying over endless terrain: the clipmap of `examples/07_streaming` around the camera, in a window.
//!
//! `cargo run --release --manifest-path examples/flight/Cargo.toml`: W and S for faster and slower, A and D (or the mouse, while a
//! button is held) to turn. Q and E are for lower and higher, Esc to quit. Every frame makes at most a few tiles; the title shows
//! frame times.
#![allow(clippy::disallowed_methods, reason = "displayed pictures may differ in a last digit")]

#[path = "../../07_streaming/clipmap.rs"]
mod clipmap;
#[path = "../../07_streaming/film.rs"]
mod film;
#[path = "../../07_streaming/ground.rs"]
mod ground;

use clipmap::{Clipmap, TILE};
use film::Film;
use ground::Ground;
use orogen::node::Transform;
use orogen::wgpu::{self, CurrentSurfaceTexture};
use orogen::{Backend, Engine, EngineOptions, Prepared, Recipe, Threads};
use std::collections::HashSet;
use std::error::Error;
use std::sync::Arc;
use std::time::Instant;
use winit::application::ApplicationHandler;
use winit::dpi::LogicalSize;
use winit::event::{DeviceEvent, DeviceId, ElementState, WindowEvent};
use winit::event_loop::{ActiveEventLoop, EventLoop};
use winit::keyboard::{KeyCode, PhysicalKey};
use winit::window::{Window, WindowId};

/// Maximum number of tiles made per frame.
const BUDGET: usize = 4;
/// Resolution of the ray marching, and on a software device; the window scales it.
const SIZE: [u32; 2] = [1280, 720];
const SMALL: [u32; 2] = [320, 180];

/// Position and movement of the camera.
struct Camera {
    at: [f64; 2],
    /// Radians from the x axis towards y.
    heading: f64,
    /// World units above the ground, and per second.
    above: f64,
    speed: f64,
    /// The smoothed height of the ground, so that the camera does not follow every bump.
    eye: Option<f64>,
}

impl Camera {
    fn forward(&self) -> [f64; 2] {
        [self.heading.cos(), self.heading.sin()]
    }

    fn advance(&mut self, held: &HashSet<KeyCode>, seconds: f64) {
        let pressed = |key| f64::from(u8::from(held.contains(&key)));
        let (turn, climb) = (pressed(KeyCode::KeyD) - pressed(KeyCode::KeyA), pressed(KeyCode::KeyE) - pressed(KeyCode::KeyQ));
        self.heading += 0.9 * turn * seconds;
        self.above = (self.above * (1.2 * climb * seconds).exp()).clamp(4.0, 600.0);
        self.speed = (self.speed * (1.5 * (pressed(KeyCode::KeyW) - pressed(KeyCode::KeyS)) * seconds).exp()).clamp(4.0, 2000.0);
        self.at = [0, 1].map(|axis| self.at[axis] + self.forward()[axis] * self.speed * seconds);
    }
}

/// State that exists once there is a window.
struct Stage {
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    noise: Prepared,
    ground: Ground,
    film: Film,
    blitter: wgpu::util::TextureBlitter,
}

impl Stage {
    fn new(events: &ActiveEventLoop, noise: &orogen::Noise) -> Result<Self, Box<dyn Error>> {
        let window = Arc::new(
            events.create_window(Window::default_attributes().with_title("Orogen").with_inner_size(LogicalSize::new(SIZE[0], SIZE[1])))?,
        );
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
        let surface = instance.create_surface(Arc::clone(&window))?;
        let options = wgpu::RequestAdapterOptions { compatible_surface: Some(&surface), ..Default::default() };
        let adapter = pollster::block_on(instance.request_adapter(&options))?;
        let (device, queue) = pollster::block_on(adapter.request_device(&Engine::device_descriptor(&adapter)))?;
        let engine = Engine::from_device(&device, &queue, &EngineOptions::default())?;
        let size = window.inner_size();
        let config = surface.get_default_config(&adapter, size.width.max(1), size.height.max(1)).ok_or("no format for this window")?;
        // The film is in sRGB already.
        let config = wgpu::SurfaceConfiguration { format: config.format.remove_srgb_suffix(), ..config };
        surface.configure(&device, &config);
        let (ground, noise) = (Ground::new(&engine)?, engine.prepare(noise)?);
        let Ground::Textures { heights, normals, .. } = &ground else { return Err("no textures".into()) };
        let size = if adapter.get_info().device_type == wgpu::DeviceType::Cpu { SMALL } else { SIZE };
        let film = Film::new(&device, size, 1, [heights, normals]);
        let blitter = wgpu::util::TextureBlitterBuilder::new(&device, config.format).sample_type(wgpu::FilterMode::Linear).build();
        Ok(Stage { window, surface, config, noise, ground, film, blitter })
    }

    fn resize(&mut self, width: u32, height: u32) -> Result<(), Box<dyn Error>> {
        let (device, _) = self.noise.engine().device().ok_or("no device")?;
        (self.config.width, self.config.height) = (width.max(1), height.max(1));
        self.surface.configure(device, &self.config);
        Ok(())
    }

    /// Shows the film, if the window is ready.
    fn show(&mut self) -> Result<(), Box<dyn Error>> {
        let frame = match self.surface.get_current_texture() {
            CurrentSurfaceTexture::Success(frame) => frame,
            CurrentSurfaceTexture::Suboptimal(_) | CurrentSurfaceTexture::Outdated | CurrentSurfaceTexture::Lost => {
                return self.resize(self.config.width, self.config.height);
            }
            _ => return Ok(()),
        };
        let (device, queue) = self.noise.engine().device().ok_or("no device")?;
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let [from, to] = [&self.film.strip, &frame.texture].map(|texture| texture.create_view(&wgpu::TextureViewDescriptor::default()));
        self.blitter.copy(device, &mut encoder, &from, &to);
        queue.submit([encoder.finish()]);
        queue.present(frame);
        Ok(())
    }
}

/// The flight.
struct Flight {
    noise: orogen::Noise,
    /// The height of the ground below the camera, computed on the CPU.
    things: Prepared,
    stage: Option<Stage>,
    camera: Camera,
    clipmap: Clipmap,
    tiles: Vec<clipmap::Tile>,
    held: HashSet<KeyCode>,
    steering: bool,
    last: Instant,
    /// Frames since the title was set, the time of that, and the longest frame in seconds.
    counted: (u32, Instant, f64),
    /// Number of frames to fly, if limited, for automatic tests.
    frames: Option<u32>,
    failed: Option<Box<dyn Error>>,
}

impl Flight {
    fn frame(&mut self) -> Result<(), Box<dyn Error>> {
        let Some(stage) = &mut self.stage else { return Ok(()) };
        let seconds = self.last.elapsed().as_secs_f64();
        self.last = Instant::now();
        self.camera.advance(&self.held, seconds.min(0.1));
        let Camera { at, above, .. } = self.camera;
        let forward = self.camera.forward();
        self.clipmap.advance(at, forward, BUDGET, &mut self.tiles);
        if !self.tiles.is_empty() {
            stage.ground.make(&stage.noise, &self.tiles)?;
        }
        let below = self.things.value([at[0], at[1], 0.0])?;
        let eye = self.camera.eye.map_or(below + above, |eye| eye + (below + above - eye) * (1.0 - (-3.0 * seconds).exp()));
        self.camera.eye = Some(eye.max(below + 2.0));
        let (device, queue) = stage.noise.engine().device().ok_or("no device")?;
        stage.film.draw(device, queue, 0, at, eye.max(below + 2.0) as f32, forward);
        stage.show()?;
        let (frames, since, longest) = &mut self.counted;
        (*frames, *longest) = (*frames + 1, longest.max(seconds));
        let elapsed = since.elapsed().as_secs_f64();
        if elapsed > 1.0 {
            let each = 1e3 * elapsed / f64::from(*frames);
            let title = format!(
                "Orogen: {each:.1} ms a frame, {:.1} the longest; {} tiles of {TILE}² in this one",
                1e3 * *longest,
                self.tiles.len()
            );
            stage.window.set_title(&title);
            println!("{title}");
            self.counted = (0, Instant::now(), 0.0);
        }
        Ok(())
    }

    /// Ends the flight with an error, which `main` returns.
    fn check(&mut self, events: &ActiveEventLoop, result: Result<(), Box<dyn Error>>) {
        if let Err(error) = result {
            self.failed = Some(error);
            events.exit();
        }
    }
}

impl ApplicationHandler for Flight {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        let made = Stage::new(events, &self.noise).and_then(|mut stage| {
            // Work of a loading screen; kernels are compiled here, too.
            while self.clipmap.advance(self.camera.at, self.camera.forward(), 16, &mut self.tiles) > 0 || !self.tiles.is_empty() {
                stage.ground.make(&stage.noise, &self.tiles)?;
            }
            self.stage = Some(stage);
            Ok(())
        });
        self.last = Instant::now();
        self.check(events, made);
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        match event {
            WindowEvent::CloseRequested => events.exit(),
            WindowEvent::Resized(size) => {
                let resized = self.stage.as_mut().map_or(Ok(()), |stage| stage.resize(size.width, size.height));
                self.check(events, resized);
            }
            WindowEvent::MouseInput { state, .. } => self.steering = state == ElementState::Pressed,
            WindowEvent::KeyboardInput { event, .. } => match (event.physical_key, event.state) {
                (PhysicalKey::Code(KeyCode::Escape), _) => events.exit(),
                (PhysicalKey::Code(key), ElementState::Pressed) => {
                    self.held.insert(key);
                }
                (PhysicalKey::Code(key), ElementState::Released) => {
                    self.held.remove(&key);
                }
                _ => {}
            },
            WindowEvent::RedrawRequested => {
                let drawn = self.frame();
                self.check(events, drawn);
                self.frames = self.frames.map(|frames| frames.saturating_sub(1));
                if self.frames == Some(0) {
                    events.exit();
                }
                if let Some(stage) = &self.stage {
                    stage.window.request_redraw();
                }
            }
            _ => {}
        }
    }

    fn device_event(&mut self, _: &ActiveEventLoop, _: DeviceId, event: DeviceEvent) {
        if let (DeviceEvent::MouseMotion { delta: (x, _) }, true) = (event, self.steering) {
            self.camera.heading += 0.003 * x;
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let recipe = Recipe::load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../recipes/alps.toml"))?;
    // The recipe is in metres; a unit of the picture is 16 m.
    let unit = Transform { scale: [16.0; 3], ..Default::default() };
    let noise = recipe.noise()?.transform(unit).scale_offset(1.0 / 16.0, -30.0);
    let cpu = EngineOptions { backend: Backend::Cpu, threads: Threads::Caller, ..Default::default() };
    let frames = std::env::args().nth(1).map(|count| count.parse()).transpose()?;
    let mut flight = Flight {
        things: Engine::open(&cpu)?.prepare(&noise)?,
        noise,
        stage: None,
        camera: Camera { at: [10_000_000.0, -3_000_000.0], heading: -0.6, above: 45.0, speed: 60.0, eye: None },
        clipmap: Clipmap::default(),
        tiles: Vec::new(),
        held: HashSet::new(),
        steering: false,
        last: Instant::now(),
        counted: (0, Instant::now(), 0.0),
        frames,
        failed: None,
    };
    EventLoop::new()?.run_app(&mut flight)?;
    flight.failed.map_or(Ok(()), Err)
}
