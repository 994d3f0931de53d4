//! Translates WGSL to the other languages by naga, and adapts the output for use in other shaders: it prefixes names, removes
//! unused padding, and writes bindings as in the language.

use crate::export::source::renamed;
use crate::export::{ExportOptions, Language, Table, javascript};
use crate::gpu::FloatControls;
use naga::back::{glsl, hlsl, msl};
use naga::compact::{KeepUnused, compact};
use naga::proc::{BoundsCheckPolicies, BoundsCheckPolicy};
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{Expression, Function, Module, ResourceBinding, ShaderStage};

/// The output of a translator.
pub enum Code {
    /// Source.
    Text(String),
    /// SPIR-V.
    Words(Vec<u32>),
}

/// Translates an export's WGSL, which is a library of functions or, with `entry`, has the entry point `main`.
///
/// # Errors
/// Returns naga's message.
pub fn translate(wgsl: &str, options: &ExportOptions, tables: &[Table]) -> Result<Code, String> {
    let ExportOptions { language, entry, ref prefix, .. } = *options;
    if language == Language::Spirv {
        return crate::gpu::exact(wgsl, FloatControls::default()).map(Code::Words);
    }
    let (module, info) = parse(wgsl)?;
    let text = match language {
        Language::Wgsl | Language::Spirv => return Ok(Code::Text(wgsl.to_owned())),
        Language::Glsl => to_glsl(wgsl, prefix, entry)?,
        Language::GlslEs | Language::Godot => to_glsl_es(wgsl, prefix)?,
        Language::Hlsl => to_hlsl(&module, &info)?,
        Language::Unity | Language::Unreal => to_hlsl(&module, &info)? + &custom(language, prefix),
        Language::Msl => to_msl(&module, &info)?,
        Language::Js => return javascript::to_javascript(&module, &info, tables, prefix).map(Code::Text),
    };
    Ok(Code::Text(renamed(&text, |name| prefixed(name, prefix, &module))))
}

/// A buffer's binding in the syntax of a language.
pub fn slot(language: Language, group: u32, binding: u32, writable: bool) -> String {
    match language {
        Language::Wgsl | Language::Spirv | Language::Js => format!("@group({group}) @binding({binding})"),
        Language::Glsl | Language::GlslEs | Language::Godot => format!("set = {group}, binding = {binding}"),
        Language::Hlsl | Language::Unity | Language::Unreal => {
            // The only uniform is the number of points.
            let kind = if writable {
                'u'
            } else if (group, binding) == (1, 2) {
                'b'
            } else {
                't'
            };
            format!("register({kind}{binding}, space{group})")
        }
        Language::Msl => format!("buffer({})", metal_buffer(group, binding)),
    }
}

/// Metal has one list of buffers: the tables, then the buffers of the entry point.
fn metal_buffer(group: u32, binding: u32) -> u8 {
    (group * 8 + binding) as u8
}

fn parse(wgsl: &str) -> Result<(Module, ModuleInfo), String> {
    let mut module = naga::front::wgsl::parse_str(wgsl).map_err(|error| error.emit_to_string(wgsl))?;
    validate(&module)?;
    // Constants at fixed places have been folded into expressions; without names, naga removes the rest.
    compact(&mut module, KeepUnused::Yes);
    let functions = || module.functions.iter().map(|(_, function)| function).chain(module.entry_points.iter().map(|entry| &entry.function));
    let reads =
        |function: &Function, constant| function.expressions.iter().any(|(_, e)| matches!(e, Expression::Constant(c) if *c == constant));
    let unread: Vec<_> =
        module.constants.iter().map(|(constant, _)| constant).filter(|&constant| !functions().any(|f| reads(f, constant))).collect();
    for constant in unread {
        module.constants[constant].name = None;
    }
    compact(&mut module, KeepUnused::Yes);
    let info = validate(&module)?;
    Ok((module, info))
}

fn validate(module: &Module) -> Result<ModuleInfo, String> {
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
    validator.validate(module).map_err(|error| format!("{:?}", error.into_inner()))
}

/// Prefixes names that naga has generated.
fn prefixed(name: &str, prefix: &str, module: &Module) -> Option<String> {
    // One of our names may contain a prefix of naga's.
    if name.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('_')) {
        return None;
    }
    if let Some(of) = name.strip_prefix("Construct") {
        return Some(format!("{prefix}_make_{}", of.strip_prefix(prefix).unwrap_or(of).trim_start_matches('_')));
    }
    if name.starts_with("_group_") {
        let numbers: Vec<u32> = name.split('_').filter_map(|part| part.parse().ok()).collect();
        let binding = ResourceBinding { group: *numbers.first()?, binding: *numbers.get(1)? };
        let variable = module.global_variables.iter().find(|(_, variable)| variable.binding == Some(binding))?;
        return variable.1.name.clone();
    }
    if let Some((_, number)) = name.split_once("_block_") {
        return Some(format!("{prefix}_block_{}", number.trim_end_matches("Compute")));
    }
    let made_up = ["naga_", "type_", "ZeroValue", "main_Input"].iter().any(|start| name.starts_with(start));
    made_up.then(|| format!("{prefix}_{name}"))
}

/// Every index is below the length of its table by construction of the program.
const UNCHECKED: BoundsCheckPolicies = BoundsCheckPolicies {
    index: BoundsCheckPolicy::Unchecked,
    buffer: BoundsCheckPolicy::Unchecked,
    image_load: BoundsCheckPolicy::Unchecked,
    binding_array: BoundsCheckPolicy::Unchecked,
};

/// naga writes GLSL only for an entry point: for a library, one is added and removed again.
fn to_glsl(wgsl: &str, prefix: &str, entry: bool) -> Result<String, String> {
    let probe = format!(
        "{wgsl}\n@compute @workgroup_size(1) fn main() {{ _ = {prefix}_value(vec3<f32>(0.0)); _ = {prefix}_jet(vec3<f32>(0.0)); }}\n"
    );
    let (module, info) = parse(if entry { wgsl } else { &probe })?;
    let bound = |(_, variable): (_, &naga::GlobalVariable)| variable.binding;
    // naga does not support sets: both numbers are combined in one.
    let binding_map = module.global_variables.iter().filter_map(bound).map(|at| (at, (at.group * 16 + at.binding) as u8)).collect();
    let options =
        glsl::Options { version: glsl::Version::Desktop(450), writer_flags: glsl::WriterFlags::empty(), binding_map, ..Default::default() };
    let pipeline = glsl::PipelineOptions { shader_stage: ShaderStage::Compute, entry_point: "main".to_owned(), multiview: None };
    let mut text = String::new();
    glsl::Writer::new(&mut text, &module, &info, &options, &pipeline, UNCHECKED)
        .and_then(|mut writer| writer.write())
        .map_err(|error| error.to_string())?;
    for at in module.global_variables.iter().filter_map(bound) {
        let set = slot(Language::Glsl, at.group, at.binding, false);
        text = text.replace(&format!("binding = {})", at.group * 16 + at.binding), &format!("{set})"));
    }
    if !entry {
        text.truncate(text.find("void main()").ok_or("naga wrote no entry point")?);
    }
    let wanted =
        |line: &&str| !line.starts_with("#version") && !line.starts_with("#extension") && (entry || !line.starts_with("layout(local_size"));
    Ok(text.lines().filter(wanted).map(broken).collect::<String>().trim().to_owned() + "\n")
}

/// GLSL for fragment shaders of WebGL 2. naga writes it only for an entry point, which is removed again. Its choice by a vector
/// of conditions is not available for integers there, so functions of ours replace it.
fn to_glsl_es(wgsl: &str, prefix: &str) -> Result<String, String> {
    let probe = format!(
        "{wgsl}\n@fragment fn main() -> @location(0) vec4<f32> {{ return {prefix}_jet(vec3<f32>(0.0)) + {prefix}_value(vec3<f32>(0.0)); }}\n"
    );
    let (module, info) = parse(&probe)?;
    let version = glsl::Version::Embedded { version: 300, is_webgl: true };
    let options = glsl::Options { version, writer_flags: glsl::WriterFlags::empty(), ..Default::default() };
    let pipeline = glsl::PipelineOptions { shader_stage: ShaderStage::Fragment, entry_point: "main".to_owned(), multiview: None };
    let mut text = String::new();
    glsl::Writer::new(&mut text, &module, &info, &options, &pipeline, UNCHECKED)
        .and_then(|mut writer| writer.write())
        .map_err(|error| error.to_string())?;
    text.truncate(text.find("void main()").ok_or("naga wrote no entry point")?);
    let wanted = |line: &&str| !["#version", "precision", "layout("].iter().any(|start| line.starts_with(start));
    let table = |line: &str| if line.starts_with(&format!("{prefix}_")) && line.contains("] = ") { "const " } else { "" }.to_owned() + line;
    let text: String = text.lines().filter(wanted).map(|line| broken(&table(line))).collect();
    let pick = format!("{prefix}_pick");
    let text = renamed(text.trim(), |name| (name == "mix").then(|| pick.clone()));
    let mut picks = String::new();
    for (n, axes) in [(2, "xy"), (3, "xyz"), (4, "xyzw")] {
        for kind in ["vec", "ivec", "uvec"] {
            let each: Vec<String> = axes.chars().map(|axis| format!("t.{axis} ? b.{axis} : a.{axis}")).collect();
            picks.push_str(&format!(
                "{kind}{n} {pick}({kind}{n} a, {kind}{n} b, bvec{n} t) {{\n    return {kind}{n}({});\n}}\n",
                each.join(", ")
            ));
        }
    }
    let used = text.contains(&format!("{pick}("));
    Ok(if used { format!("{picks}\n{text}\n") } else { text + "\n" })
}

/// The functions by which material editors call a noise.
fn custom(language: Language, prefix: &str) -> String {
    if language == Language::Unreal {
        return String::new();
    }
    let each = |scalar: &str| {
        format!(
            "\nvoid {prefix}_noise_{scalar}({scalar}3 position, out {scalar} value, out {scalar}3 gradient)\n{{\n    float4 jet = \
             {prefix}_jet(float3(position));\n    value = jet.x;\n    gradient = jet.yzw;\n}}\n"
        )
    };
    each("float") + &each("half")
}

/// A line; a table is written with one element per line.
fn broken(line: &str) -> String {
    let table = !line.starts_with(' ') && line.len() > 140;
    let elements = line.split_once("{{").or_else(|| line.split_once("]("));
    let element = elements.and_then(|(_, first)| first.find(['(', ' ', ',']).map(|end| &first[..end]));
    match element {
        Some(element) if table && element.starts_with(|c: char| c.is_ascii_alphabetic()) => {
            line.replace(&format!(", {element}"), &format!(",\n    {element}")) + "\n"
        }
        _ => format!("{line}\n"),
    }
}

fn to_hlsl(module: &Module, info: &ModuleInfo) -> Result<String, String> {
    let options = hlsl::Options { restrict_indexing: false, force_loop_bounding: false, ..Default::default() };
    let pipeline = hlsl::PipelineOptions { entry_point: None };
    let mut text = String::new();
    hlsl::Writer::new(&mut text, &options, &pipeline).write(module, info, None).map_err(|error| error.to_string())?;
    // Structures are padded like buffers, but these buffers are read by byte.
    let padding = |line: &str| line.starts_with("    int _pad") || line.starts_with("    int _end_pad");
    Ok(text.lines().filter(|line| !padding(line)).flat_map(|line| [line, "\n"]).collect())
}

fn to_msl(module: &Module, info: &ModuleInfo) -> Result<String, String> {
    let bound = |(_, variable): (_, &naga::GlobalVariable)| variable.binding;
    let target = |at: ResourceBinding| {
        let buffer = Some(metal_buffer(at.group, at.binding));
        (at, msl::BindTarget { buffer, mutable: (at.group, at.binding) == (1, 0), ..Default::default() })
    };
    let resources = msl::EntryPointResources {
        resources: module.global_variables.iter().filter_map(bound).map(target).collect(),
        sizes_buffer: Some(30),
        ..Default::default()
    };
    let options = msl::Options {
        lang_version: (2, 1),
        per_entry_point_map: [("main".to_owned(), resources)].into(),
        fake_missing_bindings: false,
        bounds_check_policies: UNCHECKED,
        force_loop_bounding: false,
        ..Default::default()
    };
    let (text, _) = msl::write_string(module, info, &options, &msl::PipelineOptions::default()).map_err(|error| error.to_string())?;
    Ok(without_sizes(&text).lines().map(broken).collect())
}

/// naga passes the sizes of all buffers for bounds checks, which are disabled.
fn without_sizes(msl: &str) -> String {
    let argument = "constant _mslBufferSizes& _buffer_sizes";
    let mut text = msl.replace(&format!("\n, {argument} [[buffer(30)]]"), "");
    text = text.replace(&format!(",\n    {argument}"), "").replace(", _buffer_sizes)", ")");
    let Some(start) = text.find("struct _mslBufferSizes {") else { return text };
    let Some(length) = text[start..].find("};\n\n") else { return text };
    text.replace_range(start..start + length + 4, "");
    text
}
