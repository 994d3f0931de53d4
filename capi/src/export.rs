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
    /// SPIR-V 1.3 for Vulkan 1.1, in little-endian words. Results have the same bits as on the CPU.
    Spirv = 4,
    /// GLSL ES 3.00, for WebGL 2. This and the following languages support functions only, with constants in the source.
    GlslEs = 5,
    /// Godot's shading language, for Godot 4.4 and later.
    Godot = 6,
    /// HLSL for Unity, as a custom function of Shader Graph.
    Unity = 7,
    /// HLSL for Unreal Engine, for custom nodes of materials.
    Unreal = 8,
    /// A module of JavaScript, with the same bits as on the CPU.
    Js = 9,
}

const LANGUAGES: [Language; 10] = [
    Language::Wgsl,
    Language::Hlsl,
    Language::Glsl,
    Language::Msl,
    Language::Spirv,
    Language::GlslEs,
    Language::Godot,
    Language::Unity,
    Language::Unreal,
    Language::Js,
];

/// The storage of an exported shader's parameters: `OrogenExportOptions.storage`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrogenStorage {
    /// As constants in the source.
    Inline = 0,
    /// In storage buffers, whose contents `orogen_noise_export_tables` returns. Parameters can then change without another export.
    Buffer = 1,
}

const STORAGES: [Storage; 2] = [Storage::Inline, Storage::Buffer];

/// Options for `orogen_noise_export`. All zeros are the defaults, which `orogen_export_options` returns.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct OrogenExportOptions {
    /// A value of `OrogenLanguage`.
    pub language: i32,
    /// A value of `OrogenStorage`.
    pub storage: i32,
    /// 1: with a compute entry point that evaluates a buffer of positions. 0: without. SPIR-V always has one.
    pub entry: i32,
    /// Must be 0.
    pub reserved: i32,
    /// World position that the shader's positions are relative to.
    pub anchor: [f64; 3],
    /// Prefix of all names: 1 to 32 letters, digits and single underscores. It begins with a letter and does not end in an underscore. The
    /// part before the first underscore is not `gl`, `webgl` or `naga`. NULL: `orogen`.
    pub prefix: *const c_char,
    /// Name of the noise in the comment at the top. NULL: `noise`.
    pub name: *const c_char,
}

/// Returns the default options: WGSL, constants in the source, no entry point, anchor at the world's origin, prefix `orogen`.
///
/// Thread safety: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn orogen_export_options() -> OrogenExportOptions {
    let none = std::ptr::null();
    OrogenExportOptions { language: 0, storage: 0, entry: 0, reserved: 0, anchor: [0.0; 3], prefix: none, name: none }
}

/// # Safety
/// The handle has not been freed. Each pointer is NULL or points to a value of its type. Strings end in 0.
unsafe fn exported(noise: *const OrogenNoise, options: *const OrogenExportOptions) -> Result<Exported, Fault> {
    let default = orogen_export_options();
    // SAFETY: guaranteed by the caller.
    let (noise, options) = unsafe { (borrow(noise)?.get(), optional_value("options", options)?.unwrap_or(&default)) };
    // SAFETY: guaranteed by the caller.
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

/// Writes the noise in its current state as source code of a shading language: functions `PREFIX_value(position)` and
/// `PREFIX_jet(position)`. `options` may be NULL for the defaults.
///
/// `file` is a buffer of `size` bytes. `*length` receives the length of the file in bytes. No terminating 0 is added, because SPIR-V is
/// binary. If `file` is NULL and `size` is 0, only `*length` is written. Cost: every call does the whole export, also one that only returns
/// the length.
///
/// Errors: NULL, HANDLE, UTF8, ARGUMENT (invalid language, storage, entry or prefix, or a combination that the language does not support),
/// REGION (invalid anchor), NOISE, SIZE (`file` is too small, or rasters are too large for constants in the source).
///
/// Thread safety: any thread.
///
/// # Safety
/// The handle has not been freed. Strings end in 0. Each pointer is NULL or points to memory of the stated size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_noise_export(
    noise: *const OrogenNoise,
    options: *const OrogenExportOptions,
    file: *mut u8,
    size: usize,
    length: *mut usize,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let buffer = Buffer::new(file, size, length)?;
            buffer.bytes(&exported(noise, options)?.file)
        })
    }
}

/// Writes the contents of the storage buffers for an export with the same options, as a JSON object: `shape` and `tables`. Each table has
/// `name`, `group`, `binding`, `stride` in bytes and `words` of 32 bits. `tables` is empty for constants in the source. Exports with equal
/// `shape` can use each other's tables. The buffer works as in `orogen_engine_describe`.
///
/// Errors: as `orogen_noise_export`.
///
/// Thread safety: any thread.
///
/// # Safety
/// The handle has not been freed. Strings end in 0. Each pointer is NULL or points to memory of the stated size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_noise_export_tables(
    noise: *const OrogenNoise,
    options: *const OrogenExportOptions,
    text: *mut c_char,
    size: usize,
    length: *mut usize,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let buffer = Buffer::new(text.cast(), size, length)?;
            let exported = exported(noise, options)?;
            buffer.text(&serde_json::json!({ "shape": exported.shape, "tables": exported.tables }).to_string())
        })
    }
}
