//! Noise as source code for other engines.

use crate::args::{Buffer, choice, optional_text, optional_value};
use crate::guard::guard;
use crate::handle::borrow;
use crate::noise::OrogenNoise;
use crate::status::{Fault, OrogenError, OrogenStatus};
use engine::export::{ExportOptions, Exported, Language, Storage, export};
use std::ffi::c_char;

/// A shading language: `OrogenExportOptions.language`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrogenLanguage {
    /// WebGPU Shading Language.
    Wgsl = 0,
    /// Direct3D, shader model 5.1 and later.
    Hlsl = 1,
    /// Vulkan's GLSL, version 450.
    Glsl = 2,
    /// Metal 2.1 and later.
    Msl = 3,
    /// SPIR-V 1.3 for Vulkan 1.1, in little-endian words: the same bits as the CPU.
    Spirv = 4,
    /// GLSL ES 3.00: WebGL 2. This and what follows: functions only, parameters in the source.
    GlslEs = 5,
    /// Godot's shading language, from 4.4 on.
    Godot = 6,
    /// HLSL for Unity: a custom function of Shader Graph.
    Unity = 7,
    /// HLSL for Unreal Engine: for custom nodes of materials.
    Unreal = 8,
}

const LANGUAGES: [Language; 9] = [
    Language::Wgsl,
    Language::Hlsl,
    Language::Glsl,
    Language::Msl,
    Language::Spirv,
    Language::GlslEs,
    Language::Godot,
    Language::Unity,
    Language::Unreal,
];

/// Where an exported shader has its parameters: `OrogenExportOptions.storage`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrogenStorage {
    /// As constants in the source.
    Inline = 0,
    /// In storage buffers, whose contents `orogen_noise_export_tables` gives: parameters then change without another export.
    Buffer = 1,
}

const STORAGES: [Storage; 2] = [Storage::Inline, Storage::Buffer];

/// What to export. All zeros are the defaults, and what `orogen_export_options` gives.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct OrogenExportOptions {
    /// One of `OrogenLanguage`.
    pub language: i32,
    /// One of `OrogenStorage`.
    pub storage: i32,
    /// 1: with a compute entry point that evaluates a buffer of positions, which SPIR-V always has. 0: without.
    pub entry: i32,
    /// 0.
    pub reserved: i32,
    /// World position from which positions are measured.
    pub anchor: [f64; 3],
    /// What all names begin with: 1 to 32 letters, digits and single underscores, first a letter, last no underscore; not `gl`,
    /// `webgl` or `naga` before the first underscore. NULL: `orogen`.
    pub prefix: *const c_char,
    /// What the comment at the top calls the noise. NULL: `noise`.
    pub name: *const c_char,
}

/// The defaults: WGSL, constants in the source, no entry point, the world's origin, names that begin with `orogen`.
///
/// Any thread, at any time.
#[unsafe(no_mangle)]
pub extern "C" fn orogen_export_options() -> OrogenExportOptions {
    let none = std::ptr::null();
    OrogenExportOptions { language: 0, storage: 0, entry: 0, reserved: 0, anchor: [0.0; 3], prefix: none, name: none }
}

/// # Safety
/// The handle has not been freed, and the pointers are NULL or point at what their types say.
unsafe fn exported(noise: *const OrogenNoise, options: *const OrogenExportOptions) -> Result<Exported, Fault> {
    let default = orogen_export_options();
    // SAFETY: as the caller vouches.
    let (noise, options) = unsafe { (borrow(noise)?.get(), optional_value("options", options)?.unwrap_or(&default)) };
    // SAFETY: as the caller vouches.
    let (prefix, name) = unsafe { (optional_text("prefix", options.prefix)?, optional_text("name", options.name)?) };
    choice("reserved", options.reserved, &[()])?;
    let options = ExportOptions {
        language: choice("language", options.language, &LANGUAGES)?,
        storage: choice("storage", options.storage, &STORAGES)?,
        entry: choice("entry", options.entry, &[false, true])?,
        anchor: options.anchor,
        prefix: prefix.unwrap_or("orogen").to_owned(),
        name: name.unwrap_or("noise").to_owned(),
    };
    Ok(export(noise.noise(), &options)?)
}

/// The noise as source code, as it stands: functions `PREFIX_value(position)` and `PREFIX_jet(position)`. `options` may be NULL for the
/// defaults.
///
/// At most `size` bytes go to `file`, and how many the file has to `*length`; no 0 is added, as SPIR-V is no text. With `file` NULL and
/// `size` 0 it only says how long the file is. Every call exports anew: to ask for the length costs as much as the file.
///
/// Fails with NULL, HANDLE, UTF8, ARGUMENT (a language, storage, entry or prefix that there is not), REGION (the anchor), NOISE, SIZE (too
/// small, or rasters too large for constants).
///
/// Any thread.
///
/// # Safety
/// The handle has not been freed, strings end in 0, and the pointers are NULL or point at as much as is said.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_noise_export(
    noise: *const OrogenNoise,
    options: *const OrogenExportOptions,
    file: *mut u8,
    size: usize,
    length: *mut usize,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the pointers are the caller's, as the header asks for them.
    unsafe {
        guard(error, || {
            let buffer = Buffer::new(file, size, length)?;
            buffer.bytes(&exported(noise, options)?.file)
        })
    }
}

/// What the storage buffers of an export with the same options are to hold, as JSON: `shape`, which exports share whose tables fit each
/// other's files, and `tables`, each with `name`, `group`, `binding`, `stride` in bytes and `words` of 32 bits; none for constants in the
/// source. Writes text as `orogen_engine_describe` does.
///
/// Fails as `orogen_noise_export`.
///
/// Any thread.
///
/// # Safety
/// The handle has not been freed, strings end in 0, and the pointers are NULL or point at as much as is said.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_noise_export_tables(
    noise: *const OrogenNoise,
    options: *const OrogenExportOptions,
    text: *mut c_char,
    size: usize,
    length: *mut usize,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the pointers are the caller's, as the header asks for them.
    unsafe {
        guard(error, || {
            let buffer = Buffer::new(text.cast(), size, length)?;
            let exported = exported(noise, options)?;
            buffer.text(&serde_json::json!({ "shape": exported.shape, "tables": exported.tables }).to_string())
        })
    }
}
