//! The output of a kernel: the destination of its results, and the source of its positions.

use crate::field::Gradient;
use crate::gpu::wgsl::emit::SamplesPerCall;
use crate::program::{Specialisation, Structure};
use crate::texel::Content;
use wgpu::{TextureFormat, TextureViewDimension};

/// The destination of a kernel's results, and the source of its positions: part of the key of the kernel cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Output {
    /// A region → a buffer: one value per sample, or value and gradient (4 numbers).
    Samples { gradient: bool },
    /// A list of points, each with its own lattice origins → a buffer like that.
    Points { gradient: bool },
    /// Displacements from an anchor, in a buffer → a buffer like that.
    Anchored { gradient: bool },
    /// A region → a storage texture.
    Texels { content: Content, format: TextureFormat, dimension: TextureViewDimension },
}

/// Points along x in one dispatch of displacements: the largest number of workgroups of 64 that every adapter supports.
pub const POINTS_ALONG: u32 = 64 * 65535;

impl Output {
    /// Samples along x that one thread computes.
    pub fn along_x(self, structure: &Structure, specialisation: Option<&Specialisation>, rows: SamplesPerCall) -> u32 {
        match self {
            Output::Texels { dimension: TextureViewDimension::D1, .. } | Output::Points { .. } | Output::Anchored { .. } => 1,
            Output::Samples { .. } | Output::Texels { .. } => rows.samples(structure, specialisation),
        }
    }

    /// Threads of a workgroup.
    pub fn workgroup(self) -> [u32; 3] {
        match self {
            Output::Points { .. } | Output::Anchored { .. } | Output::Texels { dimension: TextureViewDimension::D1, .. } => [64, 1, 1],
            Output::Samples { .. } | Output::Texels { .. } => [8, 8, 1],
        }
    }

    /// Numbers of a sample in a buffer.
    pub fn numbers(self) -> u64 {
        match self {
            Output::Samples { gradient } | Output::Points { gradient } | Output::Anchored { gradient } => 1 + 3 * u64::from(gradient),
            Output::Texels { .. } => 0,
        }
    }

    /// Whether a kernel computes gradients for it.
    pub fn gradient(self) -> Gradient {
        let wanted = match self {
            Output::Samples { gradient } | Output::Points { gradient } | Output::Anchored { gradient } => gradient,
            Output::Texels { content, .. } => content.has_gradient(),
        };
        if wanted { Gradient::With } else { Gradient::Without }
    }

    /// The label of such a kernel's objects in debuggers.
    pub fn label(self) -> &'static str {
        match self {
            Output::Samples { .. } => "orogen samples",
            Output::Points { .. } => "orogen points",
            Output::Anchored { .. } => "orogen displacements",
            Output::Texels { .. } => "orogen texels",
        }
    }
}
