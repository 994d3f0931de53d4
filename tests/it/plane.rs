//! Planes in textures of another program's device, by the shader that `export` writes: the fields of the CPU, near and far, with other
//! numbers and at other places.

use crate::nodes;
use crate::support::{cpu, gpu};
use orogen::export::{ExportError, PlaneShader, Table};
use orogen::node::Simplex;
use orogen::texture::Content;
use orogen::wgpu::{self, TextureFormat, util::DeviceExt};
use orogen::{Noise, Region, fast_bounds};
use rayon::prelude::*;

const VALUES: (Content, TextureFormat) = (Content::Value, TextureFormat::R32Float);
const JETS: (Content, TextureFormat) = (Content::Jet, TextureFormat::Rgba32Float);

fn shader(noise: &Noise, (content, format): (Content, TextureFormat), what: &str) -> PlaneShader {
    PlaneShader::new(noise, content, format).unwrap_or_else(|error| panic!("{what}: {error}"))
}

/// The texels of a region, in rows.
fn drawn(shader: &PlaneShader, format: TextureFormat, region: &Region) -> Vec<f32> {
    let (device, queue) = gpu().device().expect("a GPU");
    let size = wgpu::Extent3d { width: region.size[0], height: region.size[1], depth_or_array_layers: 1 };
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size,
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::STORAGE_BINDING | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    let module =
        device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source: wgpu::ShaderSource::Wgsl(shader.text().into()) });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: None,
        layout: None,
        module: &module,
        entry_point: Some("main"),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    let tables = shader.tables(region).expect("tables");
    let all: Vec<Table> = tables.into_iter().chain(shader.rasters()).collect();
    let buffers: Vec<(u32, wgpu::Buffer)> = shader
        .bindings()
        .iter()
        .map(|known| {
            let words = all.iter().find(|table| table.binding == known.binding).map(|table| &table.words[..]).unwrap_or_default();
            let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            bytes.resize(bytes.len().max(known.size as usize).max(16), 0);
            let usage = if known.uniform { wgpu::BufferUsages::UNIFORM } else { wgpu::BufferUsages::STORAGE };
            (known.binding, device.create_buffer_init(&wgpu::util::BufferInitDescriptor { label: None, contents: &bytes, usage }))
        })
        .collect();
    let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
    let entries: Vec<_> =
        buffers.iter().map(|(binding, buffer)| wgpu::BindGroupEntry { binding: *binding, resource: buffer.as_entire_binding() }).collect();
    let target = [wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(&view) }];
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&pipeline);
        for (index, entries) in [(0, &entries[..]), (1, &target[..])] {
            let layout = pipeline.get_bind_group_layout(index);
            pass.set_bind_group(
                index,
                &device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout: &layout, entries }),
                &[],
            );
        }
        let [x, y] = shader.groups([region.size[0], region.size[1]]);
        pass.dispatch_workgroups(x, y, 1);
    }
    queue.submit([encoder.finish()]);
    bytemuck::pod_collect_to_vec(&gpu().read_texture(&texture, 0).expect("texels"))
}

/// Values, or values and gradients, differ from those of the CPU by no more than the bounds of fast arithmetic. Returns the number
/// that are equal, and that of all.
fn compared(noise: &Noise, kind: (Content, TextureFormat), region: &Region, what: &str) -> [usize; 2] {
    let found = drawn(&shader(noise, kind, what), kind.1, region);
    let expected: Vec<f32> = if kind == VALUES {
        cpu().field(noise, region).expect(what).values
    } else {
        let field = cpu().field_with_gradient(noise, region).expect(what);
        let gradients = field.gradients.expect("gradients");
        field.values.iter().zip(&gradients).flat_map(|(value, [x, y, z])| [*value, *x, *y, *z]).collect()
    };
    assert_eq!(found.len(), expected.len(), "{what}");
    let bounds = fast_bounds(noise);
    let channels = expected.len() / (region.samples() as usize);
    for (i, (a, b)) in found.iter().zip(&expected).enumerate() {
        let most = bounds[usize::from(i % channels > 0)] * 2.0;
        assert!(f64::from((a - b).abs()) <= most, "{what}: number {i}: {a:e} against {b:e}, at most {most:e}");
    }
    [found.iter().zip(&expected).filter(|(a, b)| a.to_bits() == b.to_bits()).count(), expected.len()]
}

fn places() -> [Region; 3] {
    let far = Region { origin: [-70, 1_000_003, 5], spacing: 0.37, anchor: [1e9, -1e9 + 0.25, 1e9], ..Region::plane(1030, 9) };
    [Region::plane(70, 37), Region { level: 3, ..Region::tile(-2, 3, 33) }, far]
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn planes_are_the_fields_of_the_cpu() {
    let mut sum = [0; 2];
    for (name, noise) in nodes::all().into_iter().filter(|(name, _)| name.ends_with(" 0")) {
        for region in places() {
            // Far out only where coordinates reach so far.
            if cpu().field(&noise, &region).is_err() {
                continue;
            }
            let kinds: &[_] = if cpu().field_with_gradient(&noise, &region).is_ok() { &[VALUES, JETS] } else { &[VALUES] };
            for &kind in kinds {
                let [equal, all] = compared(&noise, kind, &region, &format!("{name}, {kind:?}, {region:?}"));
                sum = [sum[0] + equal, sum[1] + all];
            }
        }
    }
    // Drivers that fuse operations change the last bits of more.
    let [equal, all] = sum;
    assert!(all > 1_000_000 && equal * 2 > all, "{equal} of {all}");
}

#[test]
fn shaders_are_valid_and_hold_what_they_need() {
    nodes::all().par_iter().for_each(|(name, noise)| {
        for kind in [VALUES, JETS] {
            let Ok(shader) = PlaneShader::new(noise, kind.0, kind.1) else { continue };
            let module = naga::front::wgsl::parse_str(shader.text()).unwrap_or_else(|error| panic!("{name}: {error}"));
            let mut validator = naga::valid::Validator::new(naga::valid::ValidationFlags::all(), naga::valid::Capabilities::empty());
            validator.validate(&module).unwrap_or_else(|error| panic!("{name}: {error:?}"));
            let declared = |binding| {
                let at = naga::ResourceBinding { group: 0, binding };
                module.global_variables.iter().any(|(_, variable)| variable.binding == Some(at))
            };
            assert!((0..8).all(|binding| declared(binding) == shader.bindings().iter().any(|known| known.binding == binding)), "{name}");
        }
    });
}

fn hills(wavelength: f64) -> Noise {
    Noise::simplex(Simplex { wavelength, ..Default::default() })
}

#[test]
fn numbers_and_places_change_tables_only() {
    let regions = [Region::plane(64, 64), Region::tile(9, -3, 64)];
    let mut live = shader(&hills(300.0), VALUES, "hills");
    let other = shader(&hills(450.0), VALUES, "hills");
    assert_eq!((live.text(), live.shape(), live.bindings()), (other.text(), other.shape(), other.bindings()));
    let of = |shader: &PlaneShader| regions.map(|region| shader.tables(&region).expect("tables"));
    let before = of(&live);
    assert!(before[0] != before[1] && before != of(&other));
    assert!(live.renew(&hills(450.0)).expect("a noise"));
    assert_eq!(of(&live), of(&other));
    // Another shape changes nothing, and neither does an error.
    assert!(!live.renew(&hills(450.0).abs()).expect("a noise"));
    assert!(matches!(live.renew(&hills(-1.0)), Err(ExportError::Program(_))));
    assert_eq!(of(&live), of(&other));
}

#[test]
fn what_is_not_a_plane_or_not_allowed_is_refused() {
    let shader = shader(&hills(300.0), VALUES, "hills");
    let refused = |region: Region| shader.tables(&region).expect_err("refused").to_string();
    assert!(refused(Region { size: [8, 8, 2], ..Region::plane(8, 8) }).contains("[8, 8, 2] is not allowed; allowed: 1 to 65535 samples"));
    assert!(refused(Region::plane(65_536, 1)).contains("65536"));
    assert!(refused(Region::plane(0, 1)).contains("size"));
    assert!(refused(Region { spacing: 1e300, ..Region::plane(8, 8) }).contains("spacing"));
    let error = PlaneShader::new(&hills(300.0), Content::Jet, TextureFormat::R32Float).expect_err("refused");
    assert!(matches!(error, ExportError::Format(_)), "{error}");
}
