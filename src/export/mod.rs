//! Exports a noise as source code for other engines: one file with the noise as a function of position.
//!
//! ```
//! use orogen::export::{ExportOptions, Language, export};
//! use orogen::Noise;
//! use orogen::node::Simplex;
//!
//! let hills = Noise::simplex(Simplex { wavelength: 300.0, ..Default::default() });
//! let exported = export(&hills, &ExportOptions { language: Language::Hlsl, prefix: "hills".into(), ..Default::default() })?;
//! assert!(exported.text().is_some_and(|text| text.contains("float hills_value(float3 position")));
//! # Ok::<(), orogen::export::ExportError>(())
//! ```
//!
//! ```text
//! Program (anchored) ─→ WGSL of all it may need ─→ what is reached ─→ names prefixed ─┬→ WGSL
//!                                    tables: constants or buffers                     └→ naga ─→ GLSL, HLSL, MSL, SPIR-V, JavaScript
//! ```
//!
//! | function | gives |
//! |---|---|
//! | `orogen_value(position: vec3<f32>) -> f32` | the value |
//! | `orogen_jet(position: vec3<f32>) -> vec4<f32>` | the value, then its gradient per world unit |
//!
//! `position` is in world units relative to the anchor, where the noise is exact. Positions are f32, so their error is up to 2⁻²⁴
//! of their distance from the anchor. SPIR-V and JavaScript compute the bits of
//! [`Engine::sample_near`](crate::Engine::sample_near). The other languages, as compilers translate them, are within 10⁻⁴ (values) and
//! 10⁻³ (gradients) of the largest magnitude: the bounds of [`fast_bounds`](crate::fast_bounds) for displaced positions.

mod header;
mod javascript;
mod plane;
mod source;
mod table;
mod translate;

pub use plane::{PlaneBinding, PlaneShader};
pub use table::Table;

use crate::gpu::{KernelMemory, Output, TableMemory};
use crate::graph::Noise;
use crate::not_allowed::NotAllowed;
use crate::program::{Program, ProgramError};
use crate::region::RegionError;
use crate::texel::FormatError;
use naga::Module;
use source::{Declaration, declarations, reachable, renamed, with_members};
use std::collections::HashSet;
use table::ConstantStyle;
use translate::Code;

/// A shading language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[non_exhaustive]
pub enum Language {
    /// WebGPU Shading Language.
    #[default]
    Wgsl,
    /// Direct3D, shader model 5.1 and later.
    Hlsl,
    /// Vulkan's GLSL, version 450.
    Glsl,
    /// Metal 2.1 and later.
    Msl,
    /// GLSL ES 3.00: WebGL 2, three.js, mobile GPUs. Functions only, parameters in the source.
    GlslEs,
    /// Godot's shading language, from 4.4 on: a `.gdshaderinc`. Functions only, parameters in the source.
    Godot,
    /// HLSL for Unity: a custom function of Shader Graph (URP and HDRP), and functions for other shaders. Parameters in the source.
    Unity,
    /// HLSL for Unreal Engine: a `.ush` for custom nodes of materials. Parameters in the source.
    Unreal,
    /// SPIR-V 1.3 for Vulkan 1.1, whose float operations must not be contracted: the same bits as the CPU.
    Spirv,
    /// A module of JavaScript (ES2020) without imports: the same bits as the CPU. Functions only, parameters in the source.
    Js,
}

impl Language {
    /// Its name, if its shaders support neither storage buffers nor our entry point.
    fn holds_all(self) -> Option<&'static str> {
        match self {
            Language::GlslEs => Some("GLSL ES 3.00"),
            Language::Godot => Some("Godot's shading language"),
            Language::Unity => Some("Unity's HLSL"),
            Language::Unreal => Some("Unreal's HLSL"),
            Language::Js => Some("JavaScript"),
            Language::Wgsl | Language::Hlsl | Language::Glsl | Language::Msl | Language::Spirv => None,
        }
    }

    /// Whether it is HLSL, for any program.
    fn is_hlsl(self) -> bool {
        matches!(self, Language::Hlsl | Language::Unity | Language::Unreal)
    }
}

/// The storage of an exported shader's parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Storage {
    /// As constants in the source.
    #[default]
    Inline,
    /// In storage buffers: seeds, wavelengths, curves and the anchor can change without another export.
    Buffer,
}

/// Options of an export.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportOptions {
    /// The language of the file.
    pub language: Language,
    /// World position to which positions are relative.
    pub anchor: [f64; 3],
    /// The storage of parameters.
    pub storage: Storage,
    /// Whether to add a compute entry point that evaluates a buffer of positions. SPIR-V always has one.
    pub entry: bool,
    /// Prefix of the names of all functions, structures and variables: 1 to 32 letters, digits and single underscores. It begins
    /// with a letter and does not end with an underscore. The part before the first underscore must not be `gl`, `webgl` or
    /// `naga`.
    pub prefix: String,
    /// Name of the recipe, for the comment at the top of the file.
    pub name: String,
}

impl Default for ExportOptions {
    fn default() -> Self {
        ExportOptions {
            language: Language::Wgsl,
            anchor: [0.0; 3],
            storage: Storage::Inline,
            entry: false,
            prefix: "orogen".to_owned(),
            name: "noise".to_owned(),
        }
    }
}

/// An exported noise.
#[derive(Clone, Debug, PartialEq)]
pub struct Exported {
    /// The file: text, or SPIR-V in little-endian words.
    pub file: Vec<u8>,
    /// The contents of the storage buffers; empty for [`Storage::Inline`].
    pub tables: Vec<Table>,
    /// Identifies the shape: tables of exports with the same shape fit each other's files.
    pub shape: String,
}

impl Exported {
    /// The file as text; `None` for SPIR-V.
    pub fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.file).ok().filter(|_| !self.file.starts_with(&SPIRV_MAGIC))
    }
}

/// Maximum number of raster samples in the source: 1 MB of text.
const MOST_INLINE: usize = 65_536;
/// The same limit for GLSL ES.
const MOST_INLINE_ES: usize = 4_096;
/// Maximum number of elements of a table in the source of SPIR-V, whose instructions have at most 2¹⁶ − 1 words: an
/// `OpConstantComposite` has three besides its elements.
const MOST_INLINE_SPIRV: usize = 65_532;

/// The first bytes of every SPIR-V file.
const SPIRV_MAGIC: [u8; 4] = 0x0723_0203u32.to_le_bytes();

/// The reason why a noise cannot be exported.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The noise cannot be evaluated, or not at the anchor.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The anchor is not a position.
    #[error(transparent)]
    Anchor(NotAllowed),
    /// The prefix is invalid.
    #[error(transparent)]
    Prefix(NotAllowed),
    /// A feature that the language does not support.
    #[error("{what} is not allowed in {language}; allowed: {allowed}")]
    Language {
        /// The language.
        language: &'static str,
        /// The requested feature.
        what: &'static str,
        /// The supported alternative.
        allowed: &'static str,
    },
    /// The rasters have too many samples for constants in the source.
    #[error(
        "{samples} samples of rasters in the source are not allowed; allowed: up to {most}, or a language with tables in buffers (--tables buffer)"
    )]
    Rasters {
        /// Number of samples.
        samples: usize,
        /// Maximum number of samples.
        most: usize,
    },
    /// The region of a plane is invalid.
    #[error(transparent)]
    Region(#[from] RegionError),
    /// The format of a plane cannot hold the content.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The shader library or a translator failed: a bug in Orogen.
    #[error("cannot write {language:?}: {message}")]
    Translation {
        /// The language.
        language: Language,
        /// The error message.
        message: String,
    },
}

/// Exports a noise as source code.
///
/// # Errors
/// Returns an error if the noise, the anchor or the prefix is invalid.
pub fn export(noise: &Noise, options: &ExportOptions) -> Result<Exported, ExportError> {
    let ExportOptions { language, anchor, storage, entry, ref prefix, name: _ } = *options;
    if !anchor.iter().all(|x| x.abs() <= crate::region::FARTHEST) {
        return Err(ExportError::Anchor(NotAllowed::new(
            "anchor",
            format!("{anchor:?}"),
            "finite numbers of magnitude up to 2^53 world units",
        )));
    }
    if !is_prefix(prefix) {
        let allowed = "1 to 32 letters, digits and single underscores, beginning with a letter and not ending with an underscore; the part before the first underscore must not be gl, webgl or naga";
        return Err(ExportError::Prefix(NotAllowed::new("prefix", format!("'{prefix}'"), allowed)));
    }
    if let Some(name) = language.holds_all() {
        let refused = |what, allowed| Err(ExportError::Language { language: name, what, allowed });
        if entry {
            return refused("a compute entry point", "the two functions alone");
        }
        if storage == Storage::Buffer {
            return refused("a table in a buffer", "tables in the source (inline)");
        }
    }
    let failed = |message: String| ExportError::Translation { language, message };
    let program = Program::anchored(noise.graph())?;
    let samples: usize = program.tables.rasters.iter().map(|raster| raster.values.len()).sum();
    // Browsers refuse longer arrays in the source, and other compilers of GLSL ES may do so as well.
    let most = match language {
        Language::GlslEs | Language::Godot => MOST_INLINE_ES,
        Language::Spirv => MOST_INLINE_SPIRV,
        Language::Wgsl | Language::Glsl | Language::Hlsl | Language::Unity | Language::Unreal | Language::Msl | Language::Js => MOST_INLINE,
    };
    if storage == Storage::Inline && samples > most {
        return Err(ExportError::Rasters { samples, most });
    }
    let entry = entry || language == Language::Spirv;
    let mut whole = library(&program).map_err(failed)?;
    let shape = header::shape(&whole);
    if entry {
        whole.push_str(ENTRY);
    }
    let all = declarations(&whole);
    // The memory layout of tables is read from a module of their declarations only, because functions take long to parse.
    let variables: Vec<&str> = all.iter().filter(|one| one.kind == "var").map(|one| one.name.as_str()).collect();
    let declared = joined(&reachable(&all, &variables));
    let module = naga::front::wgsl::parse_str(&declared).map_err(|error| failed(error.emit_to_string(&declared)))?;
    let tables = table::all(&program, anchor, &module)?;

    let roots: &[&str] = if entry { &["main", "export_value"] } else { &["export_value", "export_jet"] };
    let mut kept = reachable(&all, roots);
    let read: Vec<Table> = tables.into_iter().filter(|table| kept.iter().any(|declaration| declaration.name == table.name)).collect();
    let is_long = |table: &&Table| table.words.len() / (table.stride as usize / 4).max(1) > MOST_INLINE_SPIRV;
    if language == Language::Spirv && storage == Storage::Inline && read.iter().any(|table| is_long(&table)) {
        let allowed = "tables in buffers (--tables buffer)";
        return Err(ExportError::Language { language: "SPIR-V", what: "a table of more than 65532 elements in the source", allowed });
    }
    let mut constants = Vec::new();
    // A module has tables as arrays of words.
    if storage == Storage::Inline && language != Language::Js {
        constants = inline(&mut kept, &read, &module, language).ok_or_else(|| failed("a table has no literal".to_owned()))?;
        // A structure may have been needed only by removed members.
        kept = reachable(&kept, roots);
    }
    let names: HashSet<String> = kept.iter().map(|declaration| declaration.name.clone()).collect();
    let ours = |name: &str| match name.strip_prefix("export_") {
        Some(rest) => Some(format!("{prefix}_{rest}")),
        None => (name != "main" && names.contains(name)).then(|| format!("{prefix}_{name}")),
    };
    let text = renamed(&joined(&kept), ours);

    let file = match translate::translate(&text, options, &read).map_err(failed)? {
        Code::Words(words) => words.into_iter().flat_map(u32::to_le_bytes).collect(),
        Code::Text(mut text) => {
            for (table, constant) in constants {
                let declared = format!(" {prefix}_{table}[");
                text = replaced_line(&text, "static ", &declared, &renamed(&constant, ours))
                    .ok_or_else(|| failed(format!("no line declares{declared}")))?;
            }
            let (range, gradient) = (program.range, !program.structure.has_derivatives());
            let head = header::ShaderHeader { options, range, gradient, tables: &read, module: &module, shape: &shape };
            header::around(&head, &text).into_bytes()
        }
    };
    let tables = match storage {
        Storage::Inline => Vec::new(),
        Storage::Buffer => read.into_iter().map(|table| Table { name: format!("{prefix}_{}", table.name), ..table }).collect(),
    };
    Ok(Exported { file, tables, shape })
}

/// Declarations as one text.
fn joined(declarations: &[Declaration]) -> String {
    declarations.iter().map(|declaration| declaration.text.as_str()).collect::<Vec<_>>().join("\n")
}

fn is_prefix(prefix: &str) -> bool {
    let words = || prefix.split('_');
    // Names of shader languages, and of the translator.
    let taken = ["gl", "webgl", "naga"];
    prefix.len() <= 32
        && words().next().is_some_and(|first| !taken.contains(&first))
        && prefix.starts_with(|c: char| c.is_ascii_alphabetic())
        && words().all(|word| !word.is_empty() && word.bytes().all(|c| c.is_ascii_alphanumeric()))
}

/// The WGSL of an anchored program with the exported functions; final names are assigned later.
fn library(program: &Program) -> Result<String, String> {
    let structure = &*program.structure;
    let memory = KernelMemory { place: TableMemory::Storage, rasters: structure.has_rasters() };
    let tables = memory.declarations(Output::Anchored { gradient: true });
    let mut text = crate::gpu::emit_program(structure, &program.outputs, None, 1, &["dispatch", "real"], &tables)
        .map_err(|error| error.to_string())?;
    let call = crate::gpu::anchored_call(structure, "position");
    let gradient = if structure.has_derivatives() { "vec3<f32>(0.0)" } else { "jet.gradient" };
    text.push_str(&format!(
        "
// The noise at a position relative to the anchor.
fn export_value(position: vec3<f32>) -> f32 {{
    return real_unsigned_zero({call}.value);
}}

// The noise and its gradient per world unit.
fn export_jet(position: vec3<f32>) -> vec4<f32> {{
    let jet = {call};
    let gradient = {gradient};
    return vec4<f32>(
        real_unsigned_zero(jet.value),
        real_unsigned_zero(gradient.x),
        real_unsigned_zero(gradient.y),
        real_unsigned_zero(gradient.z),
    );
}}
"
    ));
    Ok(text)
}

/// The entry point that evaluates a buffer of positions.
const ENTRY: &str = "
@group(1) @binding(0) var<storage, read_write> export_output: array<vec4<f32>>;
@group(1) @binding(1) var<storage, read> export_positions: array<vec4<f32>>;
@group(1) @binding(2) var<uniform> export_count: u32;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < export_count {
        export_output[id.x] = export_jet(export_positions[id.x].xyz);
    }
}
";

/// Replaces buffers by constants that contain only the data that is read. Constants that the translation must insert itself are
/// returned by name.
///
/// naga initialises an array in HLSL by a function with one argument per element, which is hard to read, and which glslang refuses
/// as recursive. There, the line that declares the variable is replaced. SPIR-V can index variables, but copies constants at every
/// use to index them, which takes lavapipe minutes to compile. The same holds for the output of glslang for GLSL.
fn inline(kept: &mut [Declaration], tables: &[Table], module: &Module, language: Language) -> Option<Vec<(String, String)>> {
    let members: HashSet<String> = kept.iter().flat_map(|declaration| source::members(&declaration.text)).collect();
    // Shaders never construct these two structures, which would name all of their members.
    let keep = |structure: &str, member: &str| !matches!(structure, "Frame" | "Origin") || members.contains(member);
    let mut later = Vec::new();
    for declaration in kept {
        let Some(table) = tables.iter().find(|table| table.name == declaration.name) else {
            if declaration.kind == "struct" {
                declaration.text = with_members(&declaration.text, |member| keep(&declaration.name, member));
            }
            continue;
        };
        let keyword = match language {
            Language::Wgsl | Language::Msl => "const",
            Language::Hlsl | Language::Unity | Language::Unreal => "var<private>",
            Language::Glsl | Language::GlslEs | Language::Godot | Language::Spirv | Language::Js => "var<private>",
        };
        declaration.text = table::constant(module, table, ConstantStyle::Wgsl(keyword), &keep)?;
        if language.is_hlsl() {
            later.push((table.name.clone(), table::constant(module, table, ConstantStyle::Hlsl, &keep)?));
            let ends = declaration.text.find(" = ")?;
            declaration.text.replace_range(ends.., ";\n");
        }
    }
    Some(later)
}

/// The text with a line replaced that begins with one string and contains another; `None` if there is no such line.
fn replaced_line(text: &str, begins: &str, holds: &str, by: &str) -> Option<String> {
    let is_it = |line: &str| line.starts_with(begins) && line.contains(holds);
    text.lines().any(is_it).then(|| text.lines().map(|line| if is_it(line) { by.to_owned() } else { format!("{line}\n") }).collect())
}
