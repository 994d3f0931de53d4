//! The comment at the top of an exported file, and the wrapping around the code.

use crate::export::table::Table;
use crate::export::translate::slot;
use crate::export::{ExportOptions, Language, Storage, table};
use crate::interval::Interval;
use crate::params::is_harmful;
use naga::Module;
use sha2::{Digest, Sha256};

/// The content of the comment.
pub struct ShaderHeader<'a> {
    /// The export options.
    pub options: &'a ExportOptions,
    /// Proven bounds of the values.
    pub range: Interval,
    /// Whether it has a gradient.
    pub gradient: bool,
    /// The tables that the shader reads.
    pub tables: &'a [Table],
    /// The module that declares their types.
    pub module: &'a Module,
    /// The shape that tables must have.
    pub shape: &'a str,
}

/// Replaces each number in a hash of the program, so that only the shape counts.
pub fn shape(wgsl: &str) -> String {
    Sha256::digest(wgsl).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// The complete file: comment, version or include guard, code.
pub fn around(header: &ShaderHeader<'_>, code: &str) -> String {
    let ExportOptions { language, entry, ref prefix, .. } = *header.options;
    let comment: String = lines(header).iter().map(|line| format!("// {line}").trim_end().to_owned() + "\n").collect();
    match (language, entry) {
        (Language::Glsl, true) => format!("#version 450\n{comment}\n{code}"),
        (Language::Wgsl | Language::Spirv | Language::Js, _) | (_, true) => format!("{comment}\n{code}"),
        (_, false) => {
            let guard = format!("{}_NOISE_INCLUDED", prefix.to_ascii_uppercase());
            format!("{comment}\n#ifndef {guard}\n#define {guard}\n\n{code}\n#endif\n")
        }
    }
}

fn lines(header: &ShaderHeader<'_>) -> Vec<String> {
    let ShaderHeader { options, range, gradient, tables, module, shape } = header;
    let ExportOptions { language, anchor, storage, entry, ref prefix, ref name } = **options;
    // A backslash at the end of a line would continue the comment in the next line.
    let name: String = name.chars().map(|c| if is_harmful(c) { ' ' } else { c }).collect();
    let (value, jet, position) = match language {
        Language::Wgsl | Language::Spirv => ("(vec3<f32> position) -> f32", "(vec3<f32> position) -> vec4<f32>", "position"),
        Language::Glsl | Language::GlslEs | Language::Godot => ("(vec3 position) -> float", "(vec3 position) -> vec4", "position"),
        Language::Hlsl | Language::Unity | Language::Unreal | Language::Msl => {
            ("(float3 position) -> float", "(float3 position) -> float4", "position")
        }
        Language::Js => ("(x, y, z)", "(x, y, z, jet?)", "x, y, z"),
    };
    let slopes = match gradient {
        true => "its gradient along x, y and z per world unit",
        false => "three times 0: a noise that is computed from gradients has none",
    };
    let [x, y, z] = anchor;
    let mut lines = vec![
        format!("{name}: procedural noise, exported by Orogen {}.", env!("CARGO_PKG_VERSION")),
        String::new(),
        format!("  {prefix}_value{value}: the noise, {:?} to {:?} (proven)", range.lo, range.hi),
        format!("  {prefix}_jet{jet}: the noise, then {slopes}"),
        String::new(),
        format!("{position}: world units from the anchor ({x:?}, {y:?}, {z:?}). The anchor is exact; a position, being f32, is off by up"),
        "to 2^-24 of its distance from there.".to_owned(),
    ];
    if language != Language::Js {
        lines.push("All other names begin with the same prefix; export with another one to use several noises in one shader.".to_owned());
    }
    let uses = match (language, entry) {
        (Language::Glsl, false) => "For Vulkan GLSL, #version 450: include it where functions may stand.".to_owned(),
        (Language::Hlsl, false) => "For shader model 5.1 and later.".to_owned(),
        (Language::Hlsl, true) => "For shader model 5.1 and later: dxc -T cs_6_0 -E main.".to_owned(),
        (Language::Msl, false) => "For Metal 2.1 and later.".to_owned(),
        (Language::GlslEs, _) => {
            "For #version 300 es with precision highp float and highp int (WebGL 2, three.js): put it before what calls it.".to_owned()
        }
        (Language::Godot, _) => format!("For Godot 4.4 and later: save it as {prefix}.gdshaderinc and #include it after shader_type."),
        (Language::Unity, _) => format!(
            "For Unity: a Custom Function node of Shader Graph, type File, name {prefix}_noise, with the input position (Vector 3) and the outputs\n\
             value (Float) and gradient (Vector 3); URP and HDRP. Other shaders #include it and call the two functions above."
        ),
        (Language::Unreal, _) => format!(
            "For Unreal Engine: save it as {prefix}.ush in the project's Shaders folder and name /Project/{prefix}.ush under Include File Paths of a\n\
             Custom node, whose code is then: return {prefix}_value(Position); Unreal counts in centimetres, z up: pass Position / 100."
        ),
        (Language::Js, _) => {
            "A module of ES2020 without imports. Every number is an f32; bundlers remove the function that is not used.".to_owned()
        }
        _ => String::new(),
    };
    lines.extend(uses.lines().map(str::to_owned));
    if storage == Storage::Buffer {
        lines.push(String::new());
        lines.push(format!("Parameters are in buffers (shape {shape}), which the tables exported with this file fill:"));
        for table in *tables {
            let (array, layout) = table::layout(module, &table.name);
            lines.push(format!("  {}: {prefix}_{}, {array}", slot(language, table.group, table.binding, false), table.name));
            lines.extend(layout.iter().map(|line| format!("  {line}")));
        }
        if language == Language::Msl && !entry {
            lines.push("Both functions take those they read as arguments after the position, in this order.".into());
        }
    }
    if entry {
        lines.push(String::new());
        let kernel = if language == Language::Msl { "main_" } else { "main" };
        lines.push(format!("Compute entry point {kernel}: ceil(count / 64) workgroups of 64, at most 65535."));
        lines.push(format!("  {}: output, 4 numbers f32 per point, value and gradient", slot(language, 1, 0, true)));
        lines.push(format!("  {}: positions, 4 numbers f32 per point, the last one unused", slot(language, 1, 1, false)));
        lines.push(format!("  {}: count, one u32, uniform", slot(language, 1, 2, false)));
    }
    lines
}
