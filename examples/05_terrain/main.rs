//! Terrain in a renderer: heights and normals stay on the GPU as textures. A vertex shader displaces a grid by the heights, and a
//! fragment shader lights it by the normals.
//!
//! `cargo run --release --example 05_terrain -- terrain.png`

use glam::Vec3;
use glam::camera::rh::{proj::directx::perspective, view::look_at_mat4};
use orogen::node::Transform;
use orogen::texture::{Content, TexelEncoding, TextureOptions};
use orogen::wgpu::util::DeviceExt;
use orogen::wgpu::{self, TextureFormat, TextureUsages};
use orogen::{Backend, Engine, EngineOptions, Recipe, Region};

/// Quads along the edge of the grid.
const GRID: u32 = 640;
const SIZE: [u32; 2] = [1280, 640];
/// World units between vertices.
const SPACING: f64 = 4.0;
const SAMPLES: u32 = 4;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "05_terrain.png".to_owned());
    let engine = Engine::open(&EngineOptions { backend: Backend::Gpu, ..Default::default() })?;
    let (device, queue) = engine.device().ok_or("no device")?;

    let recipe = Recipe::load(concat!(env!("CARGO_MANIFEST_DIR"), "/recipes/alps.toml"))?;
    // The recipe is in metres; a unit of the picture is 16 m.
    let unit = Transform { scale: [16.0; 3], ..Default::default() };
    let noise = recipe.noise()?.transform(unit).scale_offset(1.0 / 16.0, -30.0);
    let region = Region { origin: [-700, 150, 0], spacing: SPACING, ..Region::plane(GRID + 1, GRID + 1) };
    let heights = engine.texture(&noise, &region, &TextureOptions::default())?;
    // Normals have detail between the vertices: two levels finer.
    let fine = Region { origin: region.origin.map(|i| 4 * i), size: [4 * GRID, 4 * GRID, 1], spacing: SPACING / 4.0, ..region };
    let encoding = TexelEncoding::from(Content::Normal);
    let normals = engine.texture(&noise, &fine, &TextureOptions { format: TextureFormat::Rgba8Unorm, encoding, ..Default::default() })?;

    let [width, height] = SIZE;
    let extent = f64::from(GRID) as f32 * SPACING as f32;
    let eye = Vec3::new(0.52 * extent, 0.93 * extent, 420.0);
    let view = look_at_mat4(eye, Vec3::new(0.47 * extent, 0.4 * extent, 60.0), Vec3::Z);
    let projection = perspective(0.62, width as f32 / height as f32, 10.0, 10_000.0);
    let matrix = (projection * view).to_cols_array();
    let rest = [eye.x, eye.y, eye.z, SPACING as f32, GRID as f32, 0.0, 0.0, 0.0];
    let uniform = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
        label: Some("scene"),
        contents: bytemuck::cast_slice(&[&matrix[..], &rest[..]].concat()),
        usage: wgpu::BufferUsages::UNIFORM,
    });

    let attachment = |format, sample_count, usage| {
        device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: TextureUsages::RENDER_ATTACHMENT | usage,
            view_formats: &[],
        })
    };
    let picture = attachment(TextureFormat::Rgba8UnormSrgb, 1, TextureUsages::COPY_SRC);
    let smooth = attachment(TextureFormat::Rgba8UnormSrgb, SAMPLES, TextureUsages::empty());
    let depth = attachment(TextureFormat::Depth32Float, SAMPLES, TextureUsages::empty());
    let [picture_view, smooth_view, depth_view, heights_view, normals_view] =
        [&picture, &smooth, &depth, &heights, &normals].map(|texture| texture.create_view(&wgpu::TextureViewDescriptor::default()));

    let module = device.create_shader_module(wgpu::include_wgsl!("terrain.wgsl"));
    let pipeline = |vertex, fragment, depth_compare| {
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(fragment),
            layout: None,
            vertex: wgpu::VertexState { module: &module, entry_point: Some(vertex), compilation_options: Default::default(), buffers: &[] },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: Some(wgpu::DepthStencilState {
                format: TextureFormat::Depth32Float,
                depth_write_enabled: Some(true),
                depth_compare: Some(depth_compare),
                stencil: Default::default(),
                bias: Default::default(),
            }),
            multisample: wgpu::MultisampleState { count: SAMPLES, ..Default::default() },
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some(fragment),
                compilation_options: Default::default(),
                targets: &[Some(TextureFormat::Rgba8UnormSrgb.into())],
            }),
            multiview_mask: None,
            cache: None,
        })
    };
    let ground = pipeline("lift", "ground", wgpu::CompareFunction::Less);
    let sky = pipeline("screen", "sky", wgpu::CompareFunction::LessEqual);
    let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        ..Default::default()
    });
    let entry = |binding, resource| wgpu::BindGroupEntry { binding, resource };
    let bindings = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("terrain"),
        layout: &ground.get_bind_group_layout(0),
        entries: &[
            entry(0, uniform.as_entire_binding()),
            entry(1, wgpu::BindingResource::TextureView(&heights_view)),
            entry(2, wgpu::BindingResource::TextureView(&normals_view)),
            entry(3, wgpu::BindingResource::Sampler(&sampler)),
        ],
    });

    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("terrain"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &smooth_view,
                depth_slice: None,
                resolve_target: Some(&picture_view),
                ops: wgpu::Operations::default(),
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &depth_view,
                depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(1.0), store: wgpu::StoreOp::Discard }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        pass.set_pipeline(&ground);
        pass.set_bind_group(0, &bindings, &[]);
        pass.draw(0..6 * GRID * GRID, 0..1);
        pass.set_pipeline(&sky);
        pass.draw(0..3, 0..1);
    }
    queue.submit([encoder.finish()]);

    image::save_buffer(&path, &engine.read_texture(&picture, 0)?, width, height, image::ColorType::Rgba8)?;
    println!("{path}: {} triangles on {}", 2 * GRID * GRID, engine.describe().adapter);
    Ok(())
}
