//! Entry points: the code of a kernel around its program.

use crate::gpu::wgsl::emit::{SamplesPerCall, anchored_call, program};
use crate::gpu::wgsl::library::LibraryError;
use crate::gpu::wgsl::memory::KernelMemory;
use crate::gpu::wgsl::output::{Output, POINTS_ALONG};
use crate::program::{Reg, Specialisation, Structure};
use crate::texel::{ChannelStorage, Content, FormatError, TexelLayout};
use wgpu::{TextureFormat, TextureViewDimension};

/// The reason why a kernel cannot be printed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EntryError {
    /// The shader library is broken: a defect of this library.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// The texture's format cannot hold the content.
    #[error(transparent)]
    Format(#[from] FormatError),
}

/// The complete text of a kernel that writes the outputs of a program, with a `specialisation` if there is one. More than one
/// output goes to a buffer, where those of a sample are adjacent, or as [`Content::Several`] to the channels of a texture.
///
/// # Errors
/// Returns an error if a library file requires an unknown file or itself, or if the format cannot hold the content.
pub fn kernel(
    structure: &Structure,
    outputs: &[Reg],
    output: Output,
    memory: KernelMemory,
    specialisation: Option<&Specialisation>,
    rows: SamplesPerCall,
) -> Result<String, EntryError> {
    let mut roots = vec!["dispatch"];
    if matches!(output, Output::Texels { .. }) {
        roots.push("texel");
    }
    let along_x = output.along_x(structure, specialisation, rows);
    let mut text = program(structure, outputs, specialisation, along_x, &roots, &memory.declarations(output))?;
    let results = Results(outputs.len());
    let [x, y, z] = output.workgroup();
    text.push_str(&declarations(output)?);
    text.push_str(&format!("\n@compute @workgroup_size({x}, {y}, {z})\nfn main(@builtin(global_invocation_id) id: vec3<u32>) {{\n"));
    text.push_str(&match output {
        Output::Points { gradient } => format!(
            "    let sample = id.x;
    if sample >= dispatch.size.x {{
        return;
    }}
{}{}",
            results.at_one(&format!("scope_{}(Site(vec3<u32>(0u), sample * dispatch.stride), 0u)", structure.scopes.len() - 1)),
            results.stores(gradient)
        ),
        Output::Anchored { gradient } => format!(
            "    let sample = id.y * {POINTS_ALONG}u + id.x;
    if sample >= dispatch.size.x {{
        return;
    }}
    let first = dispatch.stride * sample;
    let displacement = vec3<f32>(positions[first], positions[first + 1u], positions[first + 2u]);
{}{}",
            results.at_one(&anchored_call(structure, "displacement")),
            results.stores(gradient)
        ),
        Output::Samples { gradient } => {
            let store = format!("    let sample = (at.z * dispatch.size.y + at.y) * dispatch.size.x + at.x;\n{}", results.stores(gradient));
            region(structure, results, false, along_x, &store)
        }
        Output::Texels { content, format, dimension } => {
            let store = format!("    let texel = at + dispatch.at;\n    {}\n", stored(dimension, &texel(content, format, results)?));
            let flat = !matches!(dimension, TextureViewDimension::D3 | TextureViewDimension::D2Array);
            region(structure, results, flat, along_x, &store)
        }
    });
    text.push_str("}\n");
    Ok(text)
}

/// A thread's part of a region: consecutive samples along x. All are computed before any is stored, so that drivers find shared
/// computations.
fn region(structure: &Structure, results: Results, flat: bool, along_x: u32, store: &str) -> String {
    let root = structure.scopes.len() - 1;
    if along_x == 1 {
        // A flat region costs nothing along z.
        let at = if flat { "vec3<u32>(id.xy, 0u)" } else { "id" };
        return format!(
            "    let at = {at};
    if any(at >= dispatch.size) {{
        return;
    }}
{}{store}",
            results.at_one(&format!("scope_{root}(Site(at, 0u), 0u)"))
        );
    }
    let store = |k: u32| {
        format!(
            "    if first.x + {k}u < dispatch.size.x {{\n    let at = first + vec3<u32>({k}u, 0u, 0u);\n{}{store}    }}\n",
            results.bound("results", &format!(".s{k}"))
        )
    };
    let z = if flat { "0u" } else { "id.z" };
    format!(
        "    let first = vec3<u32>({along_x}u * id.x, id.y, {z});
    if any(first >= dispatch.size) {{
        return;
    }}
    let results = scope_{root}(Site(first, 0u), 0u);
{}",
        (0..along_x).map(store).collect::<String>()
    )
}

/// The number of jets that the program's function returns, and their names in an entry point.
#[derive(Clone, Copy)]
struct Results(usize);

impl Results {
    /// The names of the jets of one sample.
    fn names(self) -> Vec<String> {
        if self.0 == 1 { vec!["result".to_owned()] } else { (0..self.0).map(|k| format!("result_{k}")).collect() }
    }

    /// Lines that name the jets of one sample, from a call of the program for that sample.
    fn at_one(self, call: &str) -> String {
        if self.0 == 1 { self.bound(call, "") } else { format!("    let results = {call};\n") + &self.bound("results", "") }
    }

    /// Lines that name the jets of one of several samples that the program returned.
    fn bound(self, all: &str, sample: &str) -> String {
        let output = |k: usize| if self.0 == 1 { String::new() } else { format!(".o{k}") };
        self.names().iter().enumerate().map(|(k, name)| format!("    let {name} = {all}{}{sample};\n", output(k))).collect()
    }

    /// The values of up to four jets as the four numbers of a texel.
    fn several(self) -> String {
        let mut values: Vec<String> = self.names().iter().map(|name| format!("{name}.value")).collect();
        values.resize(4, "0.0".to_owned());
        format!("texel_several(vec4<f32>({}), {}u, dispatch.scale, dispatch.offset)", values.join(", "), self.0)
    }

    /// Lines that write the jets to a buffer.
    fn stores(self, gradient: bool) -> String {
        let numbers = if gradient { &["value", "gradient.x", "gradient.y", "gradient.z"][..] } else { &["value"] };
        let count = numbers.len() * self.0;
        let names = self.names();
        let all = names.iter().flat_map(|name| numbers.iter().map(move |number| format!("{name}.{number}")));
        all.enumerate().map(|(i, number)| format!("    output[{count}u * sample + {i}u] = real_unsigned_zero({number});\n")).collect()
    }
}

fn declarations(output: Output) -> Result<String, FormatError> {
    Ok(match output {
        Output::Samples { .. } | Output::Points { .. } => {
            "\n@group(1) @binding(0) var<storage, read_write> output: array<f32>;\n".to_owned()
        }
        Output::Anchored { .. } => "\n@group(1) @binding(0) var<storage, read_write> output: array<f32>;
@group(1) @binding(1) var<storage, read> positions: array<f32>;\n"
            .to_owned(),
        Output::Texels { content, format, dimension } => format!("\n{}", texture(content.layout(format)?, dimension)),
    })
}

/// The declaration of the texture that a kernel writes, in its second group.
pub(in crate::gpu) fn texture(layout: TexelLayout, dimension: TextureViewDimension) -> String {
    let kind = match dimension {
        TextureViewDimension::D1 => "1d",
        TextureViewDimension::D3 => "3d",
        TextureViewDimension::D2Array => "2d_array",
        TextureViewDimension::D2 | TextureViewDimension::Cube | TextureViewDimension::CubeArray => "2d",
    };
    format!("@group(1) @binding(0) var texels: texture_storage_{kind}<{}, write>;\n", layout.name)
}

/// A line that stores four numbers as the texel `texel`, a `vec3<u32>`.
pub(in crate::gpu) fn stored(dimension: TextureViewDimension, numbers: &str) -> String {
    let place = match dimension {
        TextureViewDimension::D1 => "texel.x",
        TextureViewDimension::D3 => "texel",
        TextureViewDimension::D2Array => "texel.xy, texel.z",
        TextureViewDimension::D2 | TextureViewDimension::Cube | TextureViewDimension::CubeArray => "texel.xy",
    };
    format!("textureStore(texels, {place}, {numbers});")
}

/// The four numbers of the results, as the format stores them.
fn texel(content: Content, format: TextureFormat, results: Results) -> Result<String, FormatError> {
    let layout = content.layout(format)?;
    let numbers = match content {
        Content::Value => "texel_value(result, dispatch.scale, dispatch.offset)",
        Content::Several => &results.several(),
        Content::Gradient => "texel_gradient(result, dispatch.scale)",
        Content::Jet => "texel_jet(result, dispatch.scale, dispatch.offset)",
        Content::Normal => "texel_normal(result, dispatch.strength)",
    };
    let biased = content == Content::Normal && matches!(layout.storage, ChannelStorage::Unorm(_));
    Ok(rounded(layout, &if biased { format!("texel_biased({numbers})") } else { numbers.to_owned() }))
}

/// Four numbers, rounded to those that a format represents.
pub(in crate::gpu) fn rounded(layout: TexelLayout, numbers: &str) -> String {
    match layout.storage {
        ChannelStorage::Single => format!("texel_single({numbers})"),
        ChannelStorage::Half => format!("texel_half({numbers})"),
        // Printed with all digits, to get the same f32 as on the CPU.
        ChannelStorage::Unorm(levels) => format!("texel_unorm({numbers}, {levels}.0, {:?})", 1.0 / f32::from(levels)),
    }
}
