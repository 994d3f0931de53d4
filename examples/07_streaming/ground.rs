//! The ground: tiles of the clipmap, on the device or in memory.

use crate::clipmap::{LEVELS, RING, TILE, Tile};
use orogen::texture::{Content, Target, TargetOptions, TexelEncoding};
use orogen::wgpu::{self, TextureFormat, TextureUsages};
use orogen::{Engine, Prepared};
use std::error::Error;

/// Storage of the clipmap's tiles.
pub enum Ground {
    /// Textures with a layer for each level, on the device.
    Textures { heights: wgpu::Texture, normals: wgpu::Texture, targets: Vec<[Target; 2]> },
    /// Heights and gradients, tile after tile.
    Memory { heights: Vec<f32>, gradients: Vec<[f32; 3]> },
}

impl Ground {
    pub fn new(engine: &Engine) -> Result<Self, Box<dyn Error>> {
        let (edge, texels) = (RING as u32 * TILE, LEVELS * (RING * TILE as usize).pow(2));
        let Some((device, _)) = engine.device() else {
            return Ok(Ground::Memory { heights: vec![0.0; texels], gradients: vec![[0.0; 3]; texels] });
        };
        let texture = |format| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: Some("clipmap"),
                size: wgpu::Extent3d { width: edge, height: edge, depth_or_array_layers: LEVELS as u32 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: TextureUsages::STORAGE_BINDING | TextureUsages::TEXTURE_BINDING,
                view_formats: &[],
            })
        };
        let (heights, normals) = (texture(TextureFormat::R32Float), texture(TextureFormat::Rgba8Unorm));
        let mut targets = Vec::new();
        for level in 0..LEVELS as u32 {
            let of = |texture, content| {
                let options = TargetOptions { encoding: TexelEncoding::from(content), layer: Some(level), ..Default::default() };
                engine.target(texture, &options)
            };
            targets.push([of(&heights, Content::Value)?, of(&normals, Content::Normal)?]);
        }
        Ok(Ground::Textures { heights, normals, targets })
    }

    /// Makes tiles: recorded and submitted on the device, computed on the caller's thread on the CPU.
    pub fn make(&mut self, noise: &Prepared, tiles: &[Tile]) -> Result<(), Box<dyn Error>> {
        match self {
            Ground::Textures { targets, .. } => {
                let (device, queue) = noise.engine().device().ok_or("no device")?;
                let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
                for tile in tiles {
                    let at = tile.slot().map(|slot| slot as u32 * TILE);
                    for target in &targets[tile.level as usize] {
                        noise.encode(&mut encoder, &tile.region(), &target.at([at[0], at[1], 0]))?;
                    }
                }
                queue.submit([encoder.finish()]);
            }
            Ground::Memory { heights, gradients } => {
                let samples = (TILE * TILE) as usize;
                for tile in tiles {
                    let [x, y] = tile.slot();
                    let first = ((tile.level as usize * RING + y) * RING + x) * samples;
                    let (heights, gradients) = (&mut heights[first..first + samples], &mut gradients[first..first + samples]);
                    noise.field_with_gradient_into(&tile.region(), heights, gradients)?;
                }
            }
        }
        Ok(())
    }
}
