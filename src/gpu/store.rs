//! Layers for callers: the last pass of a schedule, which writes a layer's channels to a caller's texture or buffer.

use crate::gpu::wgsl::entry::{rounded, stored, texture};
use crate::gpu::{Output, Target};
use crate::schedule::PassInfo;
use crate::schedule::pass::{Reach, ReadInfo};
use crate::texel::{Content, Mapping};
use std::fmt::Write;
use wgpu::{TextureFormat, TextureViewDimension};

/// A kernel's key: the number of channels and the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct StoreKernel {
    pub channels: usize,
    pub output: Output,
}

const fn channel(name: &'static str) -> ReadInfo {
    ReadInfo { name, reach: Reach::Samples(0), zero: false }
}

const CHANNELS: [ReadInfo; 4] = [channel("x"), channel("y"), channel("z"), channel("w")];
/// The mapping of numbers, the first texel, and in a buffer the samples of a row.
const NUMBERS: [&str; 6] = ["scale", "offset", "at_x", "at_y", "at_z", "width"];

impl StoreKernel {
    /// A kernel of each kind, for tests of the text.
    pub fn all() -> impl Iterator<Item = StoreKernel> {
        let texels = |format, dimension| Output::Texels { content: Content::Value, format, dimension };
        let outputs = [
            texels(TextureFormat::Rgba32Float, TextureViewDimension::D2),
            texels(TextureFormat::Rgba16Float, TextureViewDimension::D2Array),
            texels(TextureFormat::Rgba8Unorm, TextureViewDimension::D3),
            Output::Samples { gradient: false },
        ];
        outputs.into_iter().flat_map(|output| [1, 3, 4].map(|channels| StoreKernel { channels, output }))
    }

    pub fn info(self) -> PassInfo {
        let function = match self.channels {
            1 => "store_one",
            3 => "store_three",
            4 => "store_four",
            other => unreachable!("invariant: the table of stages has outputs of 1, 3 and 4 channels, not {other}"),
        };
        PassInfo { file: "store", function, reads: &CHANNELS[..self.channels], numbers: &NUMBERS, table: false, writes: &[] }
    }

    /// The declaration of the output.
    pub fn declaration(self) -> String {
        match self.output {
            Output::Texels { content, format, dimension } => {
                let layout = content.layout(format).expect("invariant: a target's format holds its content");
                format!("\n{}", texture(layout, dimension))
            }
            _ => "\n@group(1) @binding(0) var<storage, read_write> output: array<f32>;\n".to_owned(),
        }
    }

    /// The lines that write `found`.
    pub fn text(self) -> String {
        let mut out = "    let texel = vec3<u32>(u32(number_at_x()) + id.x, u32(number_at_y()) + id.y, u32(number_at_z()));\n".to_owned();
        let _ = match self.output {
            Output::Texels { content, format, dimension } => {
                let layout = content.layout(format).expect("invariant: a target's format holds its content");
                writeln!(out, "    {}", stored(dimension, &rounded(layout, "found")))
            }
            _ => (0..self.channels).try_for_each(|i| {
                let (count, part) = (self.channels, CHANNELS[i].name);
                writeln!(out, "    output[(texel.y * u32(number_width()) + texel.x) * {count}u + {i}u] = real_unsigned_zero(found.{part});")
            }),
        };
        out
    }
}

/// The part of a layer that is written to a target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LayerStore<'a> {
    pub target: &'a Target,
    pub mapping: Mapping,
    /// The texel of its first sample; in a buffer, its position in the region.
    pub at: [u32; 3],
    /// Samples per row of the region.
    pub width: u32,
}

impl LayerStore<'_> {
    /// The numbers in the order of [`NUMBERS`]. Whole numbers are below 2¹⁶, so they are exact in f32.
    pub fn numbers(&self) -> [f64; 6] {
        let Mapping { scale, offset, .. } = self.mapping;
        let [x, y, z] = self.at.map(f64::from);
        [f64::from(scale), f64::from(offset), x, y, z, f64::from(self.width)]
    }
}
