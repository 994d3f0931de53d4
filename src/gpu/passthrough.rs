//! The one place with unsafe code: handing our own SPIR-V to the driver, and its own pipelines back to it.
//!
//! wgpu has no safe way to ask for exact float arithmetic; decorating the SPIR-V by hand and passing it through is the
//! only one. What makes it sound: the words come from naga's own validated module (see [`crate::gpu::spirv`]), decorations
//! change no behaviour but rounding, and the bind group layouts are made from the same lists as the module's declarations.
//!
//! What wgpu would have put in and this does not: checks of indices, bounds of loops, checks of divisors. Why kernels do without is
//! said where each is left out, in [`module`] and in [`crate::gpu::spirv`].
//!
//! And asking the driver what float operations it can be held to, which wgpu tells nobody.
#![allow(unsafe_code, reason = "wgpu's shader passthrough, its feature token and what lies under its devices are unsafe functions")]

use crate::gpu::spirv::FloatControls;

/// What the device can be held to in float operations. Nothing where it is not reached through Vulkan 1.2.
#[cfg(any(windows, target_os = "linux", target_os = "android", target_os = "freebsd"))]
pub(crate) fn float_controls(device: &wgpu::Device) -> FloatControls {
    use ash::vk;
    // SAFETY: the handle is used for questions only, and not kept.
    let Some(device) = (unsafe { device.as_hal::<wgpu::hal::api::Vulkan>() }) else { return FloatControls::default() };
    let (instance, physical) = (device.shared_instance(), device.raw_physical_device());
    // SAFETY: the physical device is of this instance, which lives as long as the device.
    let version = unsafe { instance.raw_instance().get_physical_device_properties(physical) }.api_version;
    if version.min(instance.instance_api_version()) < vk::API_VERSION_1_2 {
        return FloatControls::default();
    }
    let mut controls = vk::PhysicalDeviceFloatControlsProperties::default();
    let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut controls);
    // SAFETY: as above; the chain is of one structure, which Vulkan 1.2 knows.
    unsafe { instance.raw_instance().get_physical_device_properties2(physical, &mut properties) };
    // Some can be told only for all widths of floats together.
    let apart = |independence| independence != vk::ShaderFloatControlsIndependence::NONE;
    FloatControls {
        subnormal: controls.shader_denorm_preserve_float32 == vk::TRUE && apart(controls.denorm_behavior_independence),
        special: controls.shader_signed_zero_inf_nan_preserve_float32 == vk::TRUE,
        nearest: controls.shader_rounding_mode_rte_float32 == vk::TRUE && apart(controls.rounding_mode_independence),
    }
}

/// Elsewhere exact arithmetic is not to be had.
#[cfg(not(any(windows, target_os = "linux", target_os = "android", target_os = "freebsd")))]
pub(crate) fn float_controls(_: &wgpu::Device) -> FloatControls {
    FloatControls::default()
}

/// The token without which wgpu gives no device that takes SPIR-V as it is.
pub(crate) fn experimental_features() -> wgpu::ExperimentalFeatures {
    // SAFETY: the token says that its holder accepts what experimental features may still get wrong. The only one that this library
    // asks for is shader passthrough, which `module` alone uses. The token also goes into `Engine::device_descriptor`: a caller who
    // adds experimental features of their own to that descriptor accepts theirs.
    unsafe { wgpu::ExperimentalFeatures::enabled() }
}

/// A shader module from SPIR-V words made by [`crate::gpu::spirv::exact`], entry point `main`.
pub(crate) fn module(device: &wgpu::Device, words: &[u32], workgroup: (u32, u32, u32)) -> wgpu::ShaderModule {
    let entry = wgpu::PassthroughShaderEntryPoint { name: "main".into(), workgroup_size: workgroup };
    // SAFETY: the words are naga's translation of a validated module, and their bindings match the pipeline's layout (declarations
    // and layouts come from one list; a test in `crate::gpu::tables` compares them). Every index is below the length of what it
    // reads or writes: those into tables are counted by the lowering that fills them, those into outputs, positions and textures
    // are held below the size of the dispatch, and targets refuse dispatches that do not fit. `testing::sabotage` can break this;
    // it is hidden, and for tests.
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
    // SAFETY: the data is what `get_data` returned when it was saved: the file is named by the adapter's key, the hash before the
    // data finds damage, and wgpu drops what another driver made. The hash is no signature: that nobody forges a file, hash
    // included, rests on the folder, which must be one that only its owner can write.
    unsafe { device.create_pipeline_cache(&descriptor) }
}
