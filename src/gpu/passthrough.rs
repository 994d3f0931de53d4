//! The one place with unsafe code: handing our own SPIR-V to the driver, and its own pipelines back to it.
//!
//! wgpu has no safe way to ask for exact float arithmetic; decorating the SPIR-V by hand and passing it through is the
//! only one. What makes it sound: the words come from naga's own validated module (see [`crate::gpu::spirv`]), decorations
//! change no behaviour but rounding, and the bind group layout is the one the same module declares.
#![allow(unsafe_code, reason = "wgpu's shader passthrough and its feature token are unsafe functions")]

/// The token without which wgpu gives no device that takes SPIR-V as it is.
pub(crate) fn experimental_features() -> wgpu::ExperimentalFeatures {
    // SAFETY: the only experimental feature asked for is shader passthrough, used by `module` alone.
    unsafe { wgpu::ExperimentalFeatures::enabled() }
}

/// A shader module from SPIR-V words made by [`crate::gpu::spirv::exact`], entry point `main`.
pub(crate) fn module(device: &wgpu::Device, words: &[u32], workgroup: (u32, u32, u32)) -> wgpu::ShaderModule {
    let entry = wgpu::PassthroughShaderEntryPoint { name: "main".into(), workgroup_size: workgroup };
    // SAFETY: the words are naga's translation of a validated module whose bindings match the pipeline's layout; every
    // index it uses is below the length of its table by construction of the program and the dispatch.
    unsafe {
        device.create_shader_module_passthrough(wgpu::ShaderModuleDescriptorPassthrough {
            label: Some("orogen exact"),
            entry_points: vec![entry].into(),
            spirv: Some(words.into()),
            ..Default::default()
        })
    }
}

/// A pipeline cache, with what was saved of one.
pub(crate) fn pipeline_cache(device: &wgpu::Device, data: Option<&[u8]>) -> wgpu::PipelineCache {
    let descriptor = wgpu::PipelineCacheDescriptor { label: Some("orogen"), data, fallback: true };
    // SAFETY: the data is what `get_data` returned when it was saved, as the hash before it in the file has shown, from a file
    // named by the adapter's key; wgpu drops what another driver made.
    unsafe { device.create_pipeline_cache(&descriptor) }
}
