//! Entry points: what a kernel does with the jets of its program.

use super::emit::{anchored_call, program};
use super::library::LibraryError;
use crate::program::Structure;
use crate::texels::{Content, FormatError, Storage};
use wgpu::{TextureFormat, TextureViewDimension};

/// Where a kernel's results go, and where its positions come from: with the structure, the key of the kernel cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Output {
    /// A region or a list of points → a buffer: one value per sample, or value and gradient (4 numbers).
    Samples { gradient: bool },
    /// Displacements from an anchor, in a buffer → a buffer like that.
    Anchored { gradient: bool },
    /// A region → a storage texture.
    Texels { content: Content, format: TextureFormat, dimension: TextureViewDimension },
}

/// A kernel that cannot be printed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EntryError {
    #[error(transparent)]
    Library(#[from] LibraryError),
    #[error(transparent)]
    Format(#[from] FormatError),
}

/// Points along x in one dispatch of displacements: the most workgroups of 64 that every adapter takes.
pub const POINTS_ALONG: u32 = 64 * 65535;

impl Output {
    /// Samples that one workgroup computes.
    pub fn workgroup(self) -> [u32; 3] {
        match self {
            Output::Anchored { .. } | Output::Texels { dimension: TextureViewDimension::D1, .. } => [64, 1, 1],
            Output::Samples { .. } | Output::Texels { .. } => [8, 8, 1],
        }
    }

    /// The other name of the same kernel.
    pub fn label(self) -> &'static str {
        match self {
            Output::Samples { .. } => "orogen samples",
            Output::Anchored { .. } => "orogen points",
            Output::Texels { .. } => "orogen texels",
        }
    }
}

/// The whole text of a kernel.
///
/// # Errors
/// The library does not fit together, or the format cannot hold the content.
pub fn kernel(structure: &Structure, output: Output) -> Result<String, EntryError> {
    let mut roots = vec!["dispatch"];
    if matches!(output, Output::Texels { .. }) {
        roots.push("texel");
    }
    let mut text = program(structure, &roots)?;
    let [x, y, z] = output.workgroup();
    let root = structure.scopes.len() - 1;
    text.push_str(&declarations(output)?);
    text.push_str(&format!("\n@compute @workgroup_size({x}, {y}, {z})\nfn main(@builtin(global_invocation_id) id: vec3<u32>) {{\n"));
    text.push_str(&match output {
        Output::Samples { gradient } => format!(
            "    if any(id >= dispatch.size) {{
        return;
    }}
    let result = scope_{root}(dispatch_site(id), 0u);
    let sample = (id.z * dispatch.size.y + id.y) * dispatch.size.x + id.x;
{}",
            stores(gradient)
        ),
        Output::Anchored { gradient } => format!(
            "    let sample = id.y * {POINTS_ALONG}u + id.x;
    if sample >= dispatch.size.x {{
        return;
    }}
    let first = dispatch.stride * sample;
    let displacement = vec3<f32>(positions[first], positions[first + 1u], positions[first + 2u]);
    let result = {};
{}",
            anchored_call(structure, "displacement"),
            stores(gradient)
        ),
        Output::Texels { content, format, dimension } => format!(
            "    if any(id >= dispatch.size) {{
        return;
    }}
    let result = scope_{root}(dispatch_site(id), 0u);
    let at = id + dispatch.at;
    textureStore(texels, {}, {});
",
            match dimension {
                TextureViewDimension::D1 => "at.x",
                TextureViewDimension::D3 => "at",
                TextureViewDimension::D2Array => "at.xy, at.z",
                TextureViewDimension::D2 | TextureViewDimension::Cube | TextureViewDimension::CubeArray => "at.xy",
            },
            texel(content, format)?
        ),
    });
    text.push_str("}\n");
    Ok(text)
}

fn stores(gradient: bool) -> String {
    let numbers = if gradient { &["value", "gradient.x", "gradient.y", "gradient.z"][..] } else { &["value"] };
    let count = numbers.len();
    let store = |(i, number)| format!("    output[{count}u * sample + {i}u] = real_unsigned_zero(result.{number});\n");
    numbers.iter().enumerate().map(store).collect()
}

fn declarations(output: Output) -> Result<String, FormatError> {
    Ok(match output {
        Output::Samples { .. } => "\n@group(1) @binding(0) var<storage, read_write> output: array<f32>;\n".to_owned(),
        Output::Anchored { .. } => "\n@group(1) @binding(0) var<storage, read_write> output: array<f32>;
@group(1) @binding(1) var<storage, read> positions: array<f32>;\n"
            .to_owned(),
        Output::Texels { content, format, dimension } => {
            let kind = match dimension {
                TextureViewDimension::D1 => "1d",
                TextureViewDimension::D3 => "3d",
                TextureViewDimension::D2Array => "2d_array",
                TextureViewDimension::D2 | TextureViewDimension::Cube | TextureViewDimension::CubeArray => "2d",
            };
            let format = content.layout(format)?.name;
            format!("\n@group(1) @binding(0) var texels: texture_storage_{kind}<{format}, write>;\n")
        }
    })
}

/// The four numbers of `result`, as the format stores them.
fn texel(content: Content, format: TextureFormat) -> Result<String, FormatError> {
    let layout = content.layout(format)?;
    let numbers = match content {
        Content::Value => "texel_value(result, dispatch.scale, dispatch.offset)",
        Content::Gradient => "texel_gradient(result, dispatch.scale)",
        Content::Jet => "texel_jet(result, dispatch.scale, dispatch.offset)",
        Content::Normal => "texel_normal(result, dispatch.strength)",
    };
    Ok(match layout.storage {
        Storage::Single => format!("texel_single({numbers})"),
        Storage::Half => format!("texel_half({numbers})"),
        Storage::Unorm(levels) => {
            let numbers = if content == Content::Normal { format!("texel_biased({numbers})") } else { numbers.to_owned() };
            // Printed in full, so that it is the f32 that the CPU has.
            format!("texel_unorm({numbers}, {levels}.0, {:?})", 1.0 / f32::from(levels))
        }
    })
}
