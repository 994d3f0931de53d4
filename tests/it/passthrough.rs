//! SPIR-V of other compilers on the device: the tests' only unsafe code.
#![allow(unsafe_code, reason = "only an unsafe function of wgpu passes SPIR-V to the driver unchanged")]

use orogen::wgpu;

/// A compute shader with the entry point `main` and workgroups of 64.
pub fn module(device: &wgpu::Device, words: &[u32]) -> wgpu::ShaderModule {
    let entry = wgpu::PassthroughShaderEntryPoint { name: "main".into(), workgroup_size: (64, 1, 1) };
    // SAFETY: the words are naga's or glslang's translation of an exported shader, whose bindings are those of the pipeline's
    // layout and whose indices stay below the length of its tables.
    unsafe {
        device.create_shader_module_passthrough(wgpu::ShaderModuleDescriptorPassthrough {
            label: Some("export"),
            entry_points: vec![entry].into(),
            spirv: Some(words.into()),
            ..Default::default()
        })
    }
}
