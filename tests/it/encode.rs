//! Recording into a caller's encoders, on a caller's device: nothing hidden, nothing shared, nothing created once warm.

use crate::support::{Random, Scratch, bits, cpu, device, devices, gpu, own_gpu, regions};
use crate::{nodes, ten};
use orogen::node::{Heights, Raster, Simplex};
use orogen::texture::{Content, KernelKind, TargetOptions, TexelEncoding, TextureOptions};
use orogen::wgpu::{self, BufferUsages, TextureFormat, TextureUsages};
use orogen::{Arithmetic, Engine, EngineError, EngineOptions, GpuError, Gradient, Noise, Parity, Region, RequestError, testing};
use std::task::{Context, Waker};

fn texture(device: &wgpu::Device, edge: u32, format: TextureFormat) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: edge, height: edge, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: TextureUsages::STORAGE_BINDING | TextureUsages::COPY_SRC,
        view_formats: &[],
    })
}

fn buffer(device: &wgpu::Device, bytes: u64) -> wgpu::Buffer {
    let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
    device.create_buffer(&wgpu::BufferDescriptor { label: None, size: bytes, usage, mapped_at_creation: false })
}

pub fn read(device: &wgpu::Device, queue: &wgpu::Queue, from: &wgpu::Buffer) -> Vec<f32> {
    let usage = BufferUsages::MAP_READ | BufferUsages::COPY_DST;
    let back = device.create_buffer(&wgpu::BufferDescriptor { label: None, size: from.size(), usage, mapped_at_creation: false });
    let mut encoder = device.create_command_encoder(&Default::default());
    encoder.copy_buffer_to_buffer(from, 0, &back, 0, from.size());
    encoder.map_buffer_on_submit(&back, wgpu::MapMode::Read, .., |result| result.expect("mapped"));
    queue.submit([encoder.finish()]);
    device.poll(wgpu::PollType::wait_indefinitely()).expect("the device goes on");
    bytemuck::pod_collect_to_vec(&back.get_mapped_range(..).expect("mapped"))
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn frames_create_nothing_and_compile_nothing_once_warm() {
    let (device, queue) = device(|_| ());
    let engine = Engine::from_device(&device, &queue, &EngineOptions::default()).expect("an engine on it");
    let target = engine.target(&texture(&device, 32, TextureFormat::R32Float), &TargetOptions::default()).expect("target");
    let normals = TargetOptions { encoding: Content::Normal.into(), ..Default::default() };
    let normals = engine.target(&texture(&device, 32, TextureFormat::Rgba8Unorm), &normals).expect("target");
    let mut noise = ten::nodes();
    let region = Region::plane(32, 32);
    let mut frame = |k: u32| {
        assert!(ten::change(&mut noise, f64::from(k) / 100.0) > 15, "many numbers");
        noise.set("fractal.octaves", 2 + k % 4).expect("octaves");
        let mut encoder = device.create_command_encoder(&Default::default());
        for target in [&target, &normals] {
            engine.encode(&mut encoder, &noise, &Region { origin: [i64::from(k), 0, 0], ..region }, target).expect("encode");
        }
        queue.submit([encoder.finish()]);
        device.poll(wgpu::PollType::wait_indefinitely()).expect("the device goes on");
    };
    (0..8).for_each(&mut frame);
    let live = || {
        let c = device.get_internal_counters().hal;
        let things = [&c.buffers, &c.texture_views, &c.bind_groups, &c.bind_group_layouts];
        let compiled = [&c.pipeline_layouts, &c.compute_pipelines, &c.shader_modules];
        let memory = [&c.textures, &c.memory_allocations, &c.buffer_memory];
        let mut counts = Vec::new();
        for counter in things.into_iter().chain(compiled).chain(memory) {
            counts.push(counter.read());
        }
        counts
    };
    let (before, compiled, created) = (live(), engine.compilations(), testing::created(&engine));
    assert!(before.iter().take(7).all(|&count| count > 0), "the counters count: {before:?}");
    (8..60).for_each(&mut frame);
    assert_eq!((live(), engine.compilations(), testing::created(&engine)), (before, compiled, created));
    assert_eq!(compiled, 2, "one kernel per kind of target");
    // And the last frame is what its numbers say.
    let expected = cpu().texels(&noise, &Region { origin: [59, 0, 0], ..region }, TextureFormat::R32Float, &TexelEncoding::default());
    let last = engine.texels(&noise, &Region { origin: [59, 0, 0], ..region }, TextureFormat::R32Float, &TexelEncoding::default());
    assert_eq!(last, expected);
}

/// A caller that paints heights has another raster each frame.
#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn rasters_that_nobody_has_any_more_leave_the_device() {
    let (device, queue) = device(|_| ());
    let engine = Engine::from_device(&device, &queue, &EngineOptions::default()).expect("an engine on it");
    let target = engine.target(&texture(&device, 32, TextureFormat::R32Float), &TargetOptions::default()).expect("target");
    let buffers = || device.get_internal_counters().hal.buffers.read();
    let mut painted = |k: u16| {
        let heights = Heights::new(vec![f32::from(k); 64 * 64], [64, 64]).expect("heights");
        let noise = Noise::raster(Raster { heights, ..Default::default() });
        engine.generate(&noise, &Region::plane(32, 32), &target).expect("a picture");
        device.poll(wgpu::PollType::wait_indefinitely()).expect("the device goes on");
    };
    (0..4).for_each(&mut painted);
    let before = buffers();
    assert!(before > 0, "the counter counts");
    (4..40).for_each(&mut painted);
    assert_eq!(buffers(), before);
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn every_call_of_a_submission_has_its_own_numbers() {
    let gpu = gpu();
    let (device, queue) = gpu.device().expect("a GPU engine");
    let mut noise = ten::nodes();
    let region = Region { spacing: 3.0, ..Region::plane(16, 16) };
    let mut encoder = device.create_command_encoder(&Default::default());
    let all: Vec<_> = (0..40u32)
        .map(|k| {
            noise.set("scale_offset.offset", f64::from(k)).expect("offset");
            noise.set("simplex.seed", k).expect("seed");
            let texture = texture(device, 16, TextureFormat::R32Float);
            let target = gpu.target(&texture, &TargetOptions::default()).expect("target");
            gpu.encode(&mut encoder, &noise, &region, &target).expect("encode");
            (texture, noise.clone())
        })
        .collect();
    queue.submit([encoder.finish()]);
    for (k, (texture, noise)) in all.iter().enumerate() {
        let expected = cpu().texels(noise, &region, TextureFormat::R32Float, &TexelEncoding::default()).expect("texels");
        assert_eq!(gpu.read_texture(texture, 0).expect("bytes"), expected, "call {k}");
    }
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn an_encoder_that_is_never_submitted_takes_nothing_with_it() {
    let gpu = own_gpu(None);
    let (device, _) = gpu.device().expect("a GPU engine");
    let (noise, region) = (ten::nodes(), Region::plane(8, 8));
    let target_of = texture(device, 8, TextureFormat::R32Float);
    let target = gpu.target(&target_of, &TargetOptions::default()).expect("target");
    for _ in 0..3 {
        let mut encoder = device.create_command_encoder(&Default::default());
        gpu.encode(&mut encoder, &noise, &region, &target).expect("encode");
    }
    gpu.generate(&noise, &region, &target).expect("generate");
    let expected = cpu().texels(&noise, &region, TextureFormat::R32Float, &TexelEncoding::default()).expect("texels");
    assert_eq!(gpu.read_texture(&target_of, 0).expect("bytes"), expected);
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn buffers_hold_values_and_jets() {
    let gpu = gpu();
    let (device, queue) = gpu.device().expect("a GPU engine");
    for (name, noise) in nodes::all().into_iter().filter(|(_, noise)| noise.has_gradient()).step_by(5) {
        for (place, region) in regions() {
            let samples = region.samples();
            let what = format!("{name}, {place}");
            let values = buffer(device, 256 + samples * 4);
            gpu.generate(&noise, &region, &gpu.buffer_target(&values, 256, Gradient::Without).expect("target")).expect(&what);
            let jets = buffer(device, samples * 16);
            gpu.generate(&noise, &region, &gpu.buffer_target(&jets, 0, Gradient::With).expect("target")).expect(&what);
            let field = cpu().field_with_gradient(&noise, &region).expect(&what);
            assert_eq!(bits(&read(device, queue, &values)[64..]), bits(&field.values), "{what}");
            let expected: Vec<f32> =
                field.values.iter().zip(field.gradients.iter().flatten()).flat_map(|(v, g)| [*v, g[0], g[1], g[2]]).collect();
            assert_eq!(bits(&read(device, queue, &jets)), bits(&expected), "{what}, jets");
        }
    }
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn points_around_an_anchor_are_the_cpus_and_the_regions() {
    let gpu = gpu();
    let (device, queue) = gpu.device().expect("a GPU engine");
    let mut random = Random(11);
    // Positions in an instance buffer of five numbers each.
    let (count, stride) = (150, 5);
    let mut near = |reach: f64| -> Vec<[f32; 3]> { (0..count).map(|_| [0; 3].map(|_| random.between(-reach, reach) as f32)).collect() };
    for (name, noise) in nodes::all() {
        for (anchor, reach) in [([0.0; 3], 500.0), ([-1e6, 3.5e5, 77.7], 40.0), ([1e9 + 0.5, -1e9, 0.0], 1000.0)] {
            let displacements = near(reach);
            let words: Vec<f32> = displacements.iter().flat_map(|d| [d[0], d[1], d[2], f32::NAN, 7.0]).collect();
            let positions = buffer(device, words.len() as u64 * 4);
            queue.write_buffer(&positions, 0, bytemuck::cast_slice(&words));
            for gradient in [Gradient::Without, Gradient::With] {
                // One kernel for each example is enough, and two for the first of a node's.
                if !gradient.is_wanted() && !name.ends_with(" 0") || gradient.is_wanted() && !noise.has_gradient() {
                    continue;
                }
                let what = format!("{name} around {anchor:?}, {gradient:?}");
                let found = buffer(device, count as u64 * if gradient.is_wanted() { 16 } else { 4 });
                let target = gpu.points_target(&positions, stride, &found, gradient).expect(&what);
                let mut encoder = device.create_command_encoder(&Default::default());
                let on_cpu = match cpu().sample_near(&noise, anchor, &displacements, gradient) {
                    // A coordinate that ends before the anchor ends there on every backend.
                    Err(error) => {
                        let same = gpu.encode_points(&mut encoder, &noise, anchor, &target, count);
                        assert_eq!(same.expect_err(&what).to_string(), error.to_string());
                        continue;
                    }
                    Ok(samples) => samples,
                };
                gpu.encode_points(&mut encoder, &noise, anchor, &target, count).expect(&what);
                queue.submit([encoder.finish()]);
                let expected: Vec<f32> = on_cpu
                    .iter()
                    .flat_map(|s| std::iter::once(s.value).chain(s.gradient.into_iter().flatten()).map(|x| x as f32).collect::<Vec<_>>())
                    .collect();
                assert_eq!(bits(&read(device, queue, &found)), bits(&expected), "{what}");
            }
        }
    }
    // Displacements that f32 holds exactly are the region's own samples.
    let noise = ten::nodes();
    let region = Region { origin: [1 << 30, -(1 << 29), 0], spacing: 0.5, ..Region::plane(20, 20) };
    let anchor = region.position([0; 3]);
    let displacements: Vec<[f32; 3]> = (0..400).map(|i| [0.5 * (i % 20) as f32, 0.5 * (i / 20) as f32, 0.0]).collect();
    let field = cpu().field(&noise, &region).expect("field");
    for (value, sample) in field.values.iter().zip(cpu().sample_near(&noise, anchor, &displacements, Gradient::Without).expect("samples")) {
        assert!((f64::from(*value) - sample.value).abs() < 2e-3, "{value} {}", sample.value);
    }
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn many_threads_share_an_engine() {
    let gpu = own_gpu(None);
    let (device, queue) = gpu.device().expect("a GPU engine");
    let noises: Vec<Noise> = ["warp", "worley", "simplex", "spline"].map(|kind| nodes::of_kind(kind).remove(0)).into();
    std::thread::scope(|scope| {
        for thread in 0..6i64 {
            let (gpu, noises) = (gpu.clone(), &noises);
            scope.spawn(move || {
                for k in 0..12i64 {
                    let noise = &noises[(thread + k) as usize % noises.len()];
                    let region = Region { origin: [1000 * thread + k, k, 0], ..Region::plane(17, 13) };
                    let texture = texture(device, 17, TextureFormat::R32Float);
                    let target = gpu.target(&texture, &TargetOptions::default()).expect("target");
                    let mut encoder = device.create_command_encoder(&Default::default());
                    gpu.encode(&mut encoder, noise, &region, &target).expect("encode");
                    queue.submit([encoder.finish()]);
                    let got = gpu.read_texture(&texture, 0).expect("bytes");
                    let expected = cpu().texels(noise, &region, TextureFormat::R32Float, &TexelEncoding::default()).expect("texels");
                    assert_eq!(&got[..expected.len()], &expected[..], "thread {thread}, frame {k}");
                    let field = gpu.field(noise, &region).expect("field");
                    assert_eq!(bytemuck::cast_slice::<f32, u8>(&field.values), &expected[..], "thread {thread}, field {k}");
                }
            });
        }
    });
    assert_eq!(gpu.compilations(), 2 * noises.len(), "threads that ask for one kernel at a time wait for it instead of compiling it again");
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn what_is_prepared_is_not_compiled_again() {
    let gpu = own_gpu(None);
    let (device, _) = gpu.device().expect("a GPU engine");
    let noise = ten::nodes();
    let target_of = texture(device, 8, TextureFormat::R32Float);
    let target = gpu.target(&target_of, &TargetOptions::default()).expect("target");
    gpu.compile(&noise, &target).expect("compile");
    assert_eq!(gpu.compilations(), 1);
    gpu.generate(&noise, &Region::plane(8, 8), &target).expect("generate");
    assert_eq!(gpu.compilations(), 1);
    let preparation = gpu.compile_async(&noise, KernelKind::field(Gradient::With));
    pollster::block_on(preparation).expect("prepared");
    assert_eq!(gpu.compilations(), 2);
    gpu.field_with_gradient(&noise, &Region::plane(8, 8)).expect("field");
    assert_eq!(gpu.compilations(), 2);
    let mut wrong = Box::pin(gpu.compile_async(&Noise::simplex(Simplex { wavelength: -1.0, ..Default::default() }), &target));
    while !wrong.is_done() {
        std::thread::yield_now();
    }
    let polled = wrong.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    assert!(matches!(polled, std::task::Poll::Ready(Err(EngineError::Program(_)))), "{polled:?}");
    assert_eq!(cpu().compile(&noise, KernelKind::field(Gradient::Without)), Ok(()), "the CPU has nothing to compile");
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn pipelines_are_kept_and_damaged_ones_are_not_taken() {
    gpu();
    let folder = Scratch::new("pipelines");
    let options = EngineOptions { backend: orogen::Backend::Gpu, cache: Some(folder.0.join("cache")), ..Default::default() };
    let (noise, region) = (ten::nodes(), Region::plane(8, 8));
    let expected = cpu().field(&noise, &region).expect("field");
    let run = || {
        let engine = Engine::open(&options).expect("engine");
        assert_eq!(engine.field(&noise, &region).expect("field"), expected);
        engine.save_cache().expect("saved");
    };
    run();
    let files: Vec<_> = std::fs::read_dir(folder.0.join("cache")).expect("the folder").flatten().map(|entry| entry.path()).collect();
    assert_eq!(files.len(), 1, "one file per adapter: {files:?}");
    run();
    std::fs::write(&files[0], b"nonsense").expect("writable");
    run();
    let unwritable = EngineOptions { cache: Some(folder.file("a file", "")), ..options.clone() };
    assert!(Engine::open(&unwritable).expect("engine").save_cache().is_err());
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn a_device_without_passthrough_is_fast_and_says_so() {
    let without = |descriptor: &mut wgpu::DeviceDescriptor<'_>| {
        descriptor.required_features = wgpu::Features::empty();
        descriptor.experimental_features = wgpu::ExperimentalFeatures::disabled();
    };
    let (device, queue) = device(without);
    let exact = Engine::from_device(&device, &queue, &EngineOptions { arithmetic: Some(Arithmetic::Exact), ..Default::default() });
    assert!(matches!(exact.map(|_| ()), Err(EngineError::Gpu(GpuError::NoDevice { .. }))));
    let engine = Engine::from_device(&device, &queue, &EngineOptions::default()).expect("an engine");
    assert_eq!(engine.describe().parity, Some(Parity::Bounded));
    let noise = ten::nodes();
    let texture = engine.texture(&noise, &Region::plane(16, 16), &TextureOptions::default()).expect("texture");
    let got: Vec<f32> = bytemuck::pod_collect_to_vec(&engine.read_texture(&texture, 0).expect("bytes"));
    let expected = cpu().field(&noise, &Region::plane(16, 16)).expect("field").values;
    let worst = got.iter().zip(&expected).fold(0.0f32, |m, (a, b)| m.max((a - b).abs()));
    assert!(f64::from(worst) <= orogen::fast_bounds(&noise)[0] * 40.0, "{worst}");
    // A format that needs a feature the device was opened without.
    let error = engine.texture(&noise, &Region::plane(16, 16), &TextureOptions { format: TextureFormat::R16Unorm, ..Default::default() });
    let message = error.expect_err("no such format").to_string();
    assert!(message.contains("R16Unorm") && message.contains("instead: R32Float"), "{message}");
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn what_does_not_fit_is_an_error_that_says_what_would() {
    let gpu = gpu();
    let (device, _) = gpu.device().expect("a GPU engine");
    let told = |result: Result<(), EngineError>, what: &str| {
        let message = result.expect_err(what).to_string();
        assert!(message.contains(what), "'{what}' is not in: {message}");
    };
    let plain = texture(device, 16, TextureFormat::R32Float);
    let target = |texture: &wgpu::Texture, options: TargetOptions| gpu.target(texture, &options).map(|_| ());
    let content = |content: Content| TargetOptions { encoding: content.into(), ..Default::default() };
    told(target(&plain, content(Content::Jet)), "Jet cannot be written to R32Float; instead: Rgba32Float, Rgba16Float");
    told(target(&texture(device, 4, TextureFormat::R32Uint), TargetOptions::default()), "Value cannot be written to R32Uint");
    told(target(&plain, TargetOptions { mip: 1, ..Default::default() }), "mip level = 1 is not allowed; allowed: mip levels 0 to 0");
    told(target(&plain, TargetOptions { layer: Some(1), ..Default::default() }), "layers 0 to 0");
    let range = TexelEncoding { range: Some([0.0, f64::NAN]), ..Default::default() };
    told(target(&plain, TargetOptions { encoding: range, ..Default::default() }), "range = NaN is not allowed");
    let unusable = device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: 4, height: 4, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: TextureFormat::R32Float,
        usage: TextureUsages::TEXTURE_BINDING,
        view_formats: &[],
    });
    told(target(&unusable, TargetOptions::default()), "the texture lacks the usage STORAGE_BINDING");
    told(gpu.read_texture(&unusable, 0).map(|_| ()), "the texture lacks the usage COPY_SRC");
    let fits = gpu.target(&plain, &TargetOptions::default()).expect("target");
    let noise = ten::nodes();
    told(gpu.generate(&noise, &Region::plane(17, 4), &fits), "[17, 4, 1] at [0, 0, 0] is not allowed; allowed: [16, 16, 1] texels");
    told(gpu.generate(&noise, &Region::plane(4, 4), &fits.at([13, 0, 0])), "at [13, 0, 0] is not allowed");
    told(gpu.generate(&noise, &Region::plane(4, 4), &fits.at([u32::MAX, 0, 0])), "is not allowed");
    told(gpu.generate(&noise, &Region { spacing: -1.0, ..Region::plane(4, 4) }, &fits), "spacing");
    let small = buffer(device, 64);
    told(
        gpu.buffer_target(&small, 64, Gradient::Without).map(|_| ()),
        "0 bytes from 64 is not allowed; allowed: offsets below the buffer's 64",
    );
    told(gpu.buffer_target(&small, 3, Gradient::Without).map(|_| ()), "multiples of");
    let samples = gpu.buffer_target(&small, 0, Gradient::Without).expect("target");
    told(gpu.generate(&noise, &Region::plane(5, 4), &samples), "16 samples in all");
    told(gpu.points_target(&small, 2, &small, Gradient::Without).map(|_| ()), "stride of positions = 2 is not allowed");
    let found = buffer(device, 8);
    let points = gpu.points_target(&small, 3, &found, Gradient::Without).expect("target");
    let mut encoder = device.create_command_encoder(&Default::default());
    told(gpu.encode_points(&mut encoder, &noise, [0.0; 3], &points, 3), "number of points = 3 is not allowed; allowed: at most 2");
    told(gpu.encode_points(&mut encoder, &noise, [f64::NAN, 0.0, 0.0], &points, 2), "NaN");
    let huge = Region { size: [100_000, 4, 1], ..Region::plane(1, 1) };
    told(gpu.texture(&noise, &huge, &TextureOptions::default()).map(|_| ()), "refused");
    told(gpu.texture(&noise, &Region::plane(8, 8), &TextureOptions { mips: 5, ..Default::default() }).map(|_| ()), "allowed: 1 to 4");
    told(cpu().texture(&noise, &Region::plane(8, 8), &TextureOptions::default()).map(|_| ()), "this engine runs on the cpu");
    // Nothing of all that has harmed the engine.
    gpu.generate(&noise, &Region::plane(4, 4), &fits).expect("generate");
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn fields_take_the_buffers_of_those_before() {
    let (device, queue) = device(|_| ());
    let engine = Engine::from_device(&device, &queue, &EngineOptions::default()).expect("an engine on it");
    let noise = nodes::of_kind("white").remove(0);
    let made = |rows: u32| {
        engine.field_with_gradient(&noise, &Region::plane(2048, rows)).expect("field");
        device.poll(wgpu::PollType::wait_indefinitely()).expect("the device goes on");
        let counters = device.get_internal_counters().hal;
        [counters.buffers.read(), counters.buffer_memory.read()]
    };
    let [count, bytes] = made(20);
    assert!(bytes >= 2 * 20 * 2048 * 16, "the output and the readback buffer are kept: {bytes} bytes");
    // As large, and a little smaller.
    assert_eq!([20, 15, 20].map(made), [[count, bytes]; 3]);
    // Larger ones are new, and the kept memory is limited.
    let [more, _] = made(1000);
    assert_eq!(more, count + 2);
    for rows in [1500, 2048] {
        let [_, bytes] = made(rows);
        assert!(bytes < (256 << 20) + (8 << 20), "{bytes} bytes");
    }
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn more_memory_than_there_is_is_an_error() {
    let gpu = own_gpu(None);
    let most = gpu.device().expect("a GPU engine").0.limits().max_texture_dimension_3d.min(2048);
    let region = Region { size: [most, most, most / 2], ..Region::plane(1, 1) };
    let options = TextureOptions { format: TextureFormat::Rgba32Float, encoding: Content::Jet.into(), ..Default::default() };
    // 64 GiB each; the largest devices can hold only a few of them.
    let mut held = Vec::new();
    let mut made = (0..64).map(|_| gpu.texture(&ten::nodes(), &region, &options).map(|texture| held.push(texture)));
    let error = made.find_map(Result::err).expect("4 TiB of textures");
    assert!(matches!(error, EngineError::Gpu(GpuError::OutOfMemory(_))), "{error}");
    // Sizes that fit still work.
    gpu.texture(&ten::nodes(), &Region::plane(8, 8), &options).expect("a small one");
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn what_belongs_to_another_device_is_refused() {
    let [(ours, queue), (other, _)] = devices(|_| ());
    let gpu = Engine::from_device(&ours, &queue, &EngineOptions::default()).expect("an engine");
    let foreign = texture(&other, 8, TextureFormat::R32Float);
    let error = gpu.target(&foreign, &TargetOptions::default()).map(|_| ()).expect_err("another device's texture");
    assert!(matches!(&error, EngineError::Request(RequestError::Foreign(_))), "{error}");
    let error = gpu.buffer_target(&buffer(&other, 64), 0, Gradient::Without).map(|_| ()).expect_err("another device's buffer");
    assert!(matches!(&error, EngineError::Request(RequestError::Foreign(_))), "{error}");
    let error = gpu.read_texture(&foreign, 0).expect_err("another device's texture");
    assert!(matches!(&error, EngineError::Request(RequestError::Foreign(_))), "{error}");
    // A device of another instance, which wgpu cannot identify.
    let (stranger, _) = device(|_| ());
    let error = gpu.target(&texture(&stranger, 8, TextureFormat::R32Float), &TargetOptions::default()).map(|_| ());
    assert!(matches!(&error, Err(EngineError::Request(RequestError::Foreign(_)))), "{error:?}");
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn a_lost_device_is_an_error_and_no_panic_whoever_opened_it() {
    let (device, queue) = device(|_| ());
    lose(&Engine::from_device(&device, &queue, &EngineOptions::default()).expect("an engine"));
    assert!(Engine::from_device(&device, &queue, &EngineOptions::default()).is_err(), "no engine on a lost device");
    let own = own_gpu(None);
    lose(&own);
}

fn lose(engine: &Engine) {
    let (device, _) = engine.device().expect("a GPU engine");
    let noise = ten::nodes();
    let plain = texture(device, 16, TextureFormat::R32Float);
    let target = engine.target(&plain, &TargetOptions::default()).expect("target");
    engine.generate(&noise, &Region::plane(8, 8), &target).expect("before");
    device.destroy();
    let region = Region::plane(8, 8);
    for k in 0..2 {
        let lost = |error: EngineError, what: &str| assert!(matches!(error, EngineError::Gpu(GpuError::Lost(_))), "{what}, {k}: {error}");
        lost(engine.field(&noise, &region).expect_err("field"), "field");
        lost(engine.generate(&noise, &region, &target).expect_err("generate"), "generate");
        lost(engine.target(&plain, &TargetOptions::default()).map(|_| ()).expect_err("target"), "target");
        lost(engine.texture(&noise, &region, &TextureOptions::default()).map(|_| ()).expect_err("texture"), "texture");
        lost(engine.read_texture(&plain, 0).expect_err("read"), "read");
    }
}
