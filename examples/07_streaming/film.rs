//! Draws the camera's view into one picture of a strip.

use crate::clipmap::{LEVELS, RING, TILE};
use orogen::wgpu::{self, TextureFormat, TextureUsages};

/// A strip of pictures, side by side.
pub struct Film {
    pub strip: wgpu::Texture,
    /// Pixels of a picture.
    size: [u32; 2],
    uniform: wgpu::Buffer,
    pipeline: wgpu::ComputePipeline,
    bindings: wgpu::BindGroup,
}

impl Film {
    pub fn new(device: &wgpu::Device, size: [u32; 2], pictures: u32, [heights, normals]: [&wgpu::Texture; 2]) -> Self {
        let strip = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("strip"),
            size: wgpu::Extent3d { width: size[0] * pictures, height: size[1], depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: TextureFormat::Rgba8Unorm,
            usage: TextureUsages::STORAGE_BINDING | TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let uniform = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("view"),
            size: 32 + 2 * 8 * 16,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let module = device.create_shader_module(wgpu::include_wgsl!("film.wgsl"));
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some("film"),
            layout: None,
            module: &module,
            entry_point: Some("film"),
            compilation_options: Default::default(),
            cache: None,
        });
        let [heights, normals, picture] = [heights, normals, &strip].map(|texture| texture.create_view(&Default::default()));
        let texture = |binding, view| wgpu::BindGroupEntry { binding, resource: wgpu::BindingResource::TextureView(view) };
        let bindings = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("film"),
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: uniform.as_entire_binding() },
                texture(1, &heights),
                texture(2, &normals),
                texture(3, &picture),
            ],
        });
        Film { strip, size, uniform, pipeline, bindings }
    }

    /// Draws one picture from a camera with this position, height and direction.
    pub fn draw(&self, device: &wgpu::Device, queue: &wgpu::Queue, picture: u32, camera: [f64; 2], height: f32, forward: [f64; 2]) {
        let [width, rows] = self.size;
        let mut bytes = Vec::new();
        let forward = forward.map(|x| (x as f32).to_bits());
        let head = [width, rows, picture * width, LEVELS as u32, forward[0], forward[1], height.to_bits(), RING as u32 * TILE];
        bytes.extend(head.iter().flat_map(|word| word.to_le_bytes()));
        // Large numbers stay integers, so the camera may be at any distance from the origin.
        let texel = |level: usize, axis: usize| camera[axis] / f64::from(1 << level);
        for level in 0..8 {
            let wrapped = [0, 1].map(|axis| texel(level, axis).floor().rem_euclid(f64::from(RING as u32 * TILE)) as i32);
            bytes.extend([wrapped[0], wrapped[1], 0, 0].iter().flat_map(|word| word.to_le_bytes()));
        }
        for level in 0..8 {
            let part = [0, 1].map(|axis| (texel(level, axis) - texel(level, axis).floor()) as f32);
            bytes.extend([part[0], part[1], 0.0, 0.0].iter().flat_map(|number| number.to_le_bytes()));
        }
        queue.write_buffer(&self.uniform, 0, &bytes);
        let mut encoder = device.create_command_encoder(&Default::default());
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.bindings, &[]);
        pass.dispatch_workgroups(width.div_ceil(8), rows.div_ceil(8), 1);
        drop(pass);
        queue.submit([encoder.finish()]);
    }
}
