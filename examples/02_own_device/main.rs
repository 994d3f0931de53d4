//! A renderer with its own device: three noises are recorded into its encoder before the pass that draws with them, all in one
//! submission.
//!
//! `cargo run --release --example 02_own_device -- island.png`

use orogen::node::{Fractal, Radius, Simplex};
use orogen::texture::{Content, TargetOptions, TexelEncoding};
use orogen::wgpu::{self, TextureFormat, TextureUsages};
use orogen::{Engine, EngineOptions, Noise, Region};

const EDGE: u32 = 768;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "02_own_device.png".to_owned());

    // The renderer's own device. The descriptor contains Orogen's requirements; a renderer adds its own.
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()))?;
    let descriptor = wgpu::DeviceDescriptor { label: Some("a renderer"), ..Engine::device_descriptor(&adapter) };
    let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))?;
    let engine = Engine::from_device(&device, &queue, &EngineOptions::default())?;

    // Three noises in three formats: heights, their normals, and the moisture of the land.
    let height = island();
    let moisture = Noise::simplex(Simplex { wavelength: 210.0, seed: Some(7), ..Default::default() })
        .fractal(Fractal { octaves: 4, ..Default::default() });
    let layers = [
        (&height, TextureFormat::R32Float, TexelEncoding::default()),
        (&height, TextureFormat::Rgba8Unorm, TexelEncoding { content: Content::Normal, strength: 90.0, ..Default::default() }),
        (&moisture, TextureFormat::Rgba16Float, TexelEncoding::default()),
    ];
    let textures = layers.map(|(_, format, _)| texture(&device, format, TextureUsages::STORAGE_BINDING | TextureUsages::TEXTURE_BINDING));
    let picture = texture(&device, TextureFormat::Rgba8UnormSrgb, TextureUsages::RENDER_ATTACHMENT | TextureUsages::COPY_SRC);
    // At start-up, targets are bound and kernels compiled, so that no frame waits for either.
    let mut targets = Vec::new();
    for ((noise, _, encoding), texture) in layers.iter().zip(&textures) {
        let target = engine.target(texture, &TargetOptions { encoding: *encoding, ..Default::default() })?;
        engine.compile(noise, &target)?;
        targets.push(target);
    }
    let (pipeline, bindings) = painter(&device, &textures);

    // A frame.
    let region = Region { origin: [-i64::from(EDGE / 2), -i64::from(EDGE / 2), 0], ..Region::plane(EDGE, EDGE) };
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("frame") });
    for ((noise, _, _), target) in layers.iter().zip(&targets) {
        engine.encode(&mut encoder, noise, &region, target)?;
    }
    {
        let view = picture.create_view(&wgpu::TextureViewDescriptor::default());
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("paint"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations::default(),
            })],
            ..Default::default()
        });
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &bindings, &[]);
        pass.draw(0..3, 0..1);
    }
    queue.submit([encoder.finish()]);

    image::save_buffer(&path, &engine.read_texture(&picture, 0)?, EDGE, EDGE, image::ColorType::Rgba8)?;
    println!("{path}: {} noises and a render pass in one submission on {}", layers.len(), engine.describe().adapter);
    Ok(())
}

/// Land that falls off towards the edges of the picture; 0 is the sea.
fn island() -> Noise {
    let fbm = |wavelength, octaves, seed| {
        Noise::simplex(Simplex { wavelength, ..Default::default() }).fractal(Fractal { octaves, seed, ..Default::default() })
    };
    let hills = fbm(260.0, 9, 3).warp([fbm(200.0, 4, 1), fbm(200.0, 4, 2), 0.0.into()], 45.0);
    let falloff = Noise::radius(Radius { unit: f64::from(EDGE) / 2.0, ..Default::default() }).power(2.0).scale_offset(-1.3, 0.55);
    hills.scale_offset(0.8, 0.0).add(falloff)
}

fn texture(device: &wgpu::Device, format: TextureFormat, usage: TextureUsages) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: EDGE, height: EDGE, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage,
        view_formats: &[],
    })
}

/// A pipeline that paints the whole picture from three textures.
fn painter(device: &wgpu::Device, textures: &[wgpu::Texture; 3]) -> (wgpu::RenderPipeline, wgpu::BindGroup) {
    let module = device.create_shader_module(wgpu::include_wgsl!("paint.wgsl"));
    let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("paint"),
        layout: None,
        vertex: wgpu::VertexState { module: &module, entry_point: None, compilation_options: Default::default(), buffers: &[] },
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: None,
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: None,
            compilation_options: Default::default(),
            targets: &[Some(TextureFormat::Rgba8UnormSrgb.into())],
        }),
        multiview_mask: None,
        cache: None,
    });
    let views = textures.each_ref().map(|texture| texture.create_view(&wgpu::TextureViewDescriptor::default()));
    let all = (0..).zip(&views);
    let entries: Vec<_> =
        all.map(|(binding, view)| wgpu::BindGroupEntry { binding, resource: wgpu::BindingResource::TextureView(view) }).collect();
    let bindings = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("paint"),
        layout: &pipeline.get_bind_group_layout(0),
        entries: &entries,
    });
    (pipeline, bindings)
}
