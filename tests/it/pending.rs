//! Fields that are evaluated while their caller does other work.

use crate::nodes;
use crate::support::{assert_same_bits, cpu, device, gpu, oracle};
use orogen::node::{Fractal, Worley};
use orogen::texture::TextureOptions;
use orogen::{Backend, Engine, EngineError, EngineOptions, Field, Gradient, Noise, Region, Stop, wgpu};

/// A noise that takes a device long enough to do other work.
fn slow() -> Noise {
    Noise::worley(Worley { dimensions: 3, wavelength: 20.0, ..Default::default() }).fractal(Fractal { octaves: 8, ..Default::default() })
}

/// The field, and how often it was not there yet.
fn meanwhile(engine: &Engine, noise: &Noise, region: &Region, gradient: Gradient, mut work: impl FnMut()) -> (Field, usize) {
    let mut pending = engine.start_field(noise, region, gradient).expect("a field");
    let mut turns = 0;
    while !pending.is_done().expect("no error") {
        work();
        turns += 1;
    }
    assert!(pending.is_done().expect("no error"), "done once, done forever");
    (pending.finish().expect("the field"), turns)
}

fn same_bits(engine: &Engine) {
    let noise = nodes::of_kind("perlin").remove(0);
    for gradient in [Gradient::Without, Gradient::With] {
        // One part of the device's, two, and more than are in flight at once.
        for (width, height) in [(33, 17), (2060, 3), (9000, 2)] {
            let region = Region { origin: [-70, 9, 3], ..Region::plane(width, height) };
            let whole = match gradient {
                Gradient::Without => engine.field(&noise, &region),
                Gradient::With => engine.field_with_gradient(&noise, &region),
            };
            let (found, _) = meanwhile(engine, &noise, &region, gradient, std::thread::yield_now);
            assert_same_bits(&found, &whole.expect("a field"), &format!("{width} × {height}"));
            let at_once = engine.start_field(&noise, &region, gradient).expect("a field").finish().expect("the field");
            assert_same_bits(&at_once, &found, "without asking");
        }
    }
}

#[test]
fn started_fields_have_the_bits_of_others() {
    same_bits(&cpu());
    same_bits(&oracle());
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn a_host_renders_while_the_device_computes_a_field() {
    same_bits(gpu());
    let (device, queue) = device(|_| ());
    let engine = Engine::from_device(&device, &queue, &EngineOptions::default()).expect("an engine on it");
    let (noise, region, cpu_engine) = (slow(), Region::plane(512, 512), cpu());
    let picture = nodes::of_kind("white").remove(0);
    let texture = engine.texture(&picture, &Region::plane(8, 8), &TextureOptions::default()).expect("texture");
    let target = engine.target(&texture, &Default::default()).expect("target");
    // Compiles both kernels.
    let expected = engine.field(&noise, &region).expect("a field");
    engine.generate(&picture, &Region::plane(8, 8), &target).expect("a picture");
    // Work on the host.
    let (found, turns) = meanwhile(&engine, &noise, &region, Gradient::Without, || {
        cpu_engine.field(&picture, &Region::plane(8, 8)).expect("a field");
    });
    assert!(turns > 3, "{turns} turns: `start_field` or `is_done` waited for the device");
    assert_same_bits(&found, &expected, "meanwhile");
    // Frames on the same device. A submission may wait for those before, as on lavapipe.
    let mut frames = 0;
    let (found, _) = meanwhile(&engine, &noise, &region, Gradient::Without, || {
        let mut encoder = device.create_command_encoder(&Default::default());
        engine.encode(&mut encoder, &picture, &Region::plane(8, 8), &target).expect("recorded");
        queue.submit([encoder.finish()]);
        frames += 1;
    });
    assert!(frames > 0, "`start_field` waited for the device");
    assert_same_bits(&found, &expected, "between frames");
    // The buffers are those of the field before.
    let buffers = || {
        device.poll(wgpu::PollType::wait_indefinitely()).expect("the device goes on");
        device.get_internal_counters().hal.buffers.read()
    };
    let count = buffers();
    for _ in 0..2 {
        engine.start_field(&noise, &region, Gradient::Without).expect("a field").finish().expect("the field");
        assert_eq!(buffers(), count);
    }
    // One that is dropped leaves the engine as it was.
    drop(engine.start_field(&noise, &region, Gradient::Without).expect("a field"));
    assert_same_bits(&engine.field(&noise, &region).expect("a field"), &expected, "after a dropped one");
}

#[test]
fn refusals_come_at_the_start_and_stops_at_the_end() {
    let error = cpu().start_field(&slow(), &Region::plane(0, 4), Gradient::Without).expect_err("no samples");
    assert!(matches!(error, EngineError::Region(_)), "{error}");
    let stop = Stop::default();
    let engine = Engine::open(&EngineOptions { backend: Backend::Cpu, ..Default::default() }).expect("the CPU").stopped_by(&stop);
    let pending = engine.start_field(&slow(), &Region::plane(4096, 4096), Gradient::Without).expect("a field");
    stop.stop();
    assert!(matches!(pending.finish(), Err(EngineError::Stopped)));
}
