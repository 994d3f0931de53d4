//! Layers of pipelines that stay on the device: every format and place holds the bytes that the CPU's twin gives.

use crate::support::{cpu, gpu};
use orogen::stage::{Colour, ColourStop, Hydraulic, Normal, Pipeline, Thermal};
use orogen::texture::{Content, TargetOptions, TexelEncoding, TextureOptions};
use orogen::wgpu::{self, TextureDimension, TextureFormat, TextureUsages};
use orogen::{Engine, EngineOptions, Gradient, LayersError, Noise, Region};
use std::time::Duration;

/// Eroded heights, their normals, and colours by height.
fn pipeline() -> Pipeline {
    let hills = Noise::simplex(orogen::node::Simplex { wavelength: 40.0, ..Default::default() }).fractal(Default::default());
    let stop = |at, colour: &str| ColourStop { at, colour: colour.to_owned() };
    let stops = vec![stop(-20.0, "#1a338040"), stop(0.0, "#669933"), stop(20.0, "#e6e6ff80")];
    Pipeline::from(&hills.scale_offset(20.0, 0.0))
        .then(Hydraulic { iterations: 6, ..Default::default() })
        .then(Normal::default())
        .then(Colour { by: "hydraulic".into(), stops, ..Default::default() })
}

const LAYERS: [&str; 3] = ["hydraulic", "normal", "colour"];
const FORMATS: [TextureFormat; 7] = [
    TextureFormat::R32Float,
    TextureFormat::Rgba32Float,
    TextureFormat::R16Float,
    TextureFormat::Rgba16Float,
    TextureFormat::R8Unorm,
    TextureFormat::R16Unorm,
    TextureFormat::Rgba8Unorm,
];

fn region() -> Region {
    Region { origin: [-31, 1 << 33, 0], spacing: 0.75, ..Region::plane(45, 29) }
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn every_format_holds_the_layers_of_the_cpu() {
    let pipeline = pipeline();
    let mut held = 0;
    for (layer, channels) in LAYERS.into_iter().zip([1, 3, 4]) {
        for format in FORMATS {
            for range in [None, Some([-8.0, 12.5])] {
                let (what, encoding) = (format!("{layer} as {format:?}, range {range:?}"), TexelEncoding { range, ..Default::default() });
                let options = TextureOptions { format, encoding, ..Default::default() };
                let texture = gpu().layer_texture(&pipeline, layer, &region(), &options);
                let expected = cpu().layer_texels(&pipeline, layer, &region(), format, &encoding);
                let Ok(expected) = expected else {
                    // No range is proven of erosion, and one channel holds no normal.
                    let integer = matches!(format, TextureFormat::R8Unorm | TextureFormat::R16Unorm | TextureFormat::Rgba8Unorm);
                    assert!(channels > format.components() || (channels == 1 && range.is_none() && integer), "{what}: {expected:?}");
                    assert_eq!(texture.expect_err(&what), expected.expect_err(&what));
                    continue;
                };
                let found = gpu().read_texture(&texture.expect(&what), 0).expect(&what);
                let first = found.iter().zip(&expected).position(|(a, b)| a != b);
                assert_eq!((found.len(), first), (expected.len(), None), "{what}: first differing byte");
                assert!(found.iter().any(|&byte| byte != found[0]), "{what}: flat");
                held += 1;
            }
        }
    }
    assert_eq!(held, 11 + 6 + 6);
}

/// As little memory as lets several blocks make up the region.
fn in_blocks() -> Engine {
    let (device, queue) = gpu().device().expect("a device");
    let options = EngineOptions { memory: Some(1 << 20), ..Default::default() };
    Engine::from_device(device, queue, &options).expect("an engine")
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn jobs_write_block_by_block_where_they_are_told_and_nowhere_else() {
    let engine = in_blocks();
    let (pipeline, region) = (pipeline(), Region { origin: [5, -70, 0], ..Region::plane(150, 90) });
    assert!(engine.estimate(&pipeline, &LAYERS, &region).expect("an estimate").blocks > 2);
    let (device, queue) = engine.device().expect("a device");
    let format = TextureFormat::Rgba32Float;
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: 160, height: 100, depth_or_array_layers: 3 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: TextureDimension::D2,
        format,
        usage: TextureUsages::STORAGE_BINDING | TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: region.samples() * 16,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    });
    let layer = engine.target(&texture, &TargetOptions { layer: Some(1), at: [7, 3, 0], ..Default::default() }).expect("a target");
    let numbers = engine.buffer_target(&buffer, 0, Gradient::Without).expect("a target");
    let mut job = engine.job_into(&pipeline, &[("normal", &layer), ("colour", &numbers)], &region).expect("a job");
    let mut progress = 0.0;
    while !job.advance(Duration::ZERO).expect("a step") {
        assert!(job.progress() >= progress);
        progress = job.progress();
    }
    assert!(job.finish().expect("done").is_empty());
    let expected = cpu().layers(&pipeline, &["normal", "colour"], &region).expect("layers");
    let texels: Vec<f32> = bytemuck::pod_collect_to_vec(&engine.read_texture(&texture, 0).expect("texels"));
    for (i, texel) in texels.chunks_exact(4).enumerate() {
        let (x, y, z) = ((i % 160) as i64 - 7, (i / 160 % 100) as i64 - 3, i / 16_000);
        let inside = z == 1 && (0..150).contains(&x) && (0..90).contains(&y);
        let sample = (y * 150 + x) as usize;
        let wanted = if inside { [0, 1, 2].map(|k| expected[0].values[3 * sample + k]) } else { [0.0; 3] };
        assert_eq!(texel, [wanted[0], wanted[1], wanted[2], f32::from(u8::from(inside))], "texel {i}");
    }
    assert_eq!(crate::support::bits(&crate::encode::read(device, queue, &buffer)), crate::support::bits(&expected[1].values));
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn layers_are_recorded_beside_everything_else_of_a_frame() {
    let (pipeline, region) = (pipeline().then(Thermal { of: "hydraulic".into(), iterations: 3, ..Default::default() }), region());
    let options = TextureOptions::default();
    let plain = Noise::constant(1.0);
    let [eroded, noise] = [0, 1].map(|_| gpu().texture(&plain, &region, &options).expect("a texture"));
    let [to_eroded, to_noise] = [&eroded, &noise].map(|texture| gpu().target(texture, &Default::default()).expect("a target"));
    let (device, queue) = gpu().device().expect("a device");
    let simplex = Noise::simplex(Default::default());
    let mut encoder = device.create_command_encoder(&Default::default());
    gpu().encode(&mut encoder, &simplex, &region, &to_noise).expect("recorded");
    gpu().encode_layers(&mut encoder, &pipeline, &[("thermal", &to_eroded)], &region).expect("recorded");
    queue.submit([encoder.finish()]);
    let heights = |texture| bytemuck::pod_collect_to_vec::<u8, f32>(&gpu().read_texture(texture, 0).expect("texels"));
    assert_eq!(heights(&eroded), cpu().layers(&pipeline, &["thermal"], &region).expect("layers")[0].values);
    assert_eq!(heights(&noise), cpu().field(&simplex, &region).expect("a field").values);
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn what_cannot_be_handed_over_is_an_error_that_says_what_could() {
    let (pipeline, region) = (pipeline(), region());
    let refused = |options: &TextureOptions, says: &str| {
        let told = gpu().layer_texture(&pipeline, "hydraulic", &region, options).expect_err(says).to_string();
        assert!(told.contains(says), "{told}");
    };
    refused(&TextureOptions { mips: 2, ..Default::default() }, "mip levels of a layer = 2 is not allowed; allowed: 1");
    refused(&TextureOptions { dimension: Some(TextureDimension::D3), ..Default::default() }, "allowed: 2D");
    let normal = TexelEncoding::from(Content::Normal);
    refused(&TextureOptions { format: TextureFormat::Rgba32Float, encoding: normal, ..Default::default() }, "of a stage `normal`");
    let small = gpu().texture(&Noise::constant(0.0), &Region::plane(8, 8), &Default::default()).expect("a texture");
    let target = gpu().target(&small, &Default::default()).expect("a target");
    let (device, _) = gpu().device().expect("a device");
    let mut encoder = device.create_command_encoder(&Default::default());
    let told = gpu().encode_layers(&mut encoder, &pipeline, &[("hydraulic", &target)], &region).expect_err("too large");
    assert!(told.to_string().contains("[8, 8, 1] texels"), "{told}");
    let wide = Region::plane(3000, 3000);
    let large = gpu().texture(&Noise::constant(0.0), &wide, &Default::default()).expect("a texture");
    let engine = in_blocks();
    let target = engine.target(&large, &Default::default()).expect("a target");
    let told = engine.encode_layers(&mut encoder, &pipeline, &[("hydraulic", &target)], &wide).expect_err("several blocks");
    assert!(told.to_string().contains("Engine::job_into has no such limit"), "{told}");
    assert!(matches!(cpu().job_into(&pipeline, &[("hydraulic", &target)], &wide), Err(LayersError::Engine(_))));
}
