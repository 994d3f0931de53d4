//! Textures and buffers written by kernels hold the bytes that the CPU's twin gives: every format, dimension, level and place.

use crate::nodes;
use crate::support::{cpu, gpu, regions};
use orogen::texture::{Content, TargetOptions, TexelEncoding, TextureOptions};
use orogen::wgpu::{self, TextureDimension, TextureFormat, TextureUsages};
use orogen::{Engine, Noise, Region};

/// Every format with every content that it can hold.
const FORMATS: &[(TextureFormat, &[Content])] = &[
    (TextureFormat::R32Float, &[Content::Value]),
    (TextureFormat::Rg32Float, &[Content::Gradient]),
    (TextureFormat::Rgba32Float, &[Content::Value, Content::Gradient, Content::Jet, Content::Normal]),
    (TextureFormat::R16Float, &[Content::Value]),
    (TextureFormat::Rg16Float, &[Content::Gradient]),
    (TextureFormat::Rgba16Float, &[Content::Value, Content::Gradient, Content::Jet, Content::Normal]),
    (TextureFormat::R8Unorm, &[Content::Value]),
    (TextureFormat::R16Unorm, &[Content::Value]),
    (TextureFormat::Rgba8Unorm, &[Content::Value, Content::Normal]),
];

fn noise() -> Noise {
    nodes::of_kind("warp").remove(0)
}

/// Compares a texture with the bytes of the CPU.
fn assert_same(engine: &Engine, noise: &Noise, region: &Region, options: &TextureOptions, what: &str) {
    let texture = engine.texture(noise, region, options).unwrap_or_else(|error| panic!("{what}: {error}"));
    for mip in 0..options.mips {
        let got = engine.read_texture(&texture, mip).expect(what);
        let expected = cpu().texels(noise, &region.coarser(mip), options.format, &options.encoding).expect(what);
        assert_eq!(got.len(), expected.len(), "{what}, mip {mip}");
        let first = got.iter().zip(&expected).position(|(a, b)| a != b);
        assert_eq!(first, None, "{what}, mip {mip}: first differing byte");
        assert!(got.iter().any(|&byte| byte != got[0]), "{what}: flat");
    }
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn every_format_holds_what_the_cpu_gives_bit_by_bit() {
    let gpu = gpu();
    for &(format, contents) in FORMATS {
        for &content in contents {
            for (place, region) in regions().into_iter().filter(|(_, region)| region.size[2] == 1) {
                for range in [None, Some([-0.3, 0.25])] {
                    let encoding = TexelEncoding { content, range, strength: 20.0 };
                    let options = TextureOptions { format, encoding, ..Default::default() };
                    assert_same(gpu, &noise(), &region, &options, &format!("{format:?}, {content:?}, {range:?}, {place}"));
                }
            }
        }
    }
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn rows_planes_layers_and_volumes() {
    let gpu = gpu();
    let at = Region { origin: [-3, 7, -2], spacing: 5.0, ..Region::plane(1, 1) };
    for (size, dimension) in [
        ([200, 1, 1], Some(TextureDimension::D1)),
        ([70, 33, 1], None),
        ([70, 33, 5], Some(TextureDimension::D2)),
        ([21, 17, 9], None),
        ([21, 17, 1], Some(TextureDimension::D3)),
    ] {
        let options = TextureOptions { dimension, ..Default::default() };
        let noise = nodes::of_kind("simplex").remove(1);
        assert_same(gpu, &noise, &Region { size, ..at }, &options, &format!("{size:?}, {dimension:?}"));
    }
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn mips_are_levels_of_detail() {
    let gpu = gpu();
    let region = Region { origin: [-64, 32, 0], ..Region::plane(64, 32) };
    let options = TextureOptions { mips: 7, ..Default::default() };
    assert_same(gpu, &noise(), &region, &options, "a plane of 7 levels");
    let texture = gpu.texture(&noise(), &region, &options).expect("texture");
    let level = |mip| -> Vec<[u8; 4]> { gpu.read_texture(&texture, mip).expect("bytes").as_chunks().0.to_vec() };
    let (fine, coarse) = (level(0), level(2));
    for (i, texel) in coarse.iter().enumerate() {
        assert_eq!(*texel, fine[(i / 16 * 4) * 64 + i % 16 * 4], "texel {i} of level 2");
    }
    let volume = Region { size: [16, 8, 8], ..region };
    let noise = nodes::of_kind("simplex").remove(1);
    assert_same(gpu, &noise, &volume, &TextureOptions { mips: 4, ..Default::default() }, "a volume of 4 levels");
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn targets_are_written_where_they_say_and_nowhere_else() {
    let gpu = gpu();
    let (device, queue) = gpu.device().expect("a GPU engine");
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: 32, height: 16, depth_or_array_layers: 3 },
        mip_level_count: 2,
        sample_count: 1,
        dimension: TextureDimension::D2,
        format: TextureFormat::R32Float,
        usage: TextureUsages::STORAGE_BINDING | TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    let noise = noise();
    let region = Region { origin: [100, 200, 0], ..Region::plane(5, 4) };
    let target = gpu.target(&texture, &TargetOptions { mip: 1, layer: Some(2), at: [3, 2, 0], ..Default::default() }).expect("target");
    assert_eq!(target.size(), [16, 8, 1]);
    let mut encoder = device.create_command_encoder(&Default::default());
    gpu.encode(&mut encoder, &noise, &region, &target).expect("encode");
    gpu.encode(&mut encoder, &noise, &Region::plane(2, 1), &target.at([14, 7, 0])).expect("encode");
    queue.submit([encoder.finish()]);
    let field = cpu().field(&noise, &region).expect("field");
    let corner = cpu().field(&noise, &Region::plane(2, 1)).expect("field");
    let got: Vec<f32> = gpu.read_texture(&texture, 1).expect("bytes").as_chunks().0.iter().map(|b| f32::from_le_bytes(*b)).collect();
    for (i, value) in got.iter().enumerate() {
        let (x, y, layer) = (i % 16, i / 16 % 8, i / 128);
        let expected = match (x, y, layer) {
            (3..8, 2..6, 2) => field.values[(y - 2) * 5 + x - 3],
            (14..16, 7, 2) => corner.values[x - 14],
            _ => 0.0,
        };
        assert_eq!(value.to_bits(), expected.to_bits(), "texel {x}, {y} of layer {layer}");
    }
    assert!(gpu.read_texture(&texture, 0).expect("bytes").iter().all(|&byte| byte == 0), "mip 0 was not to be touched");
}
