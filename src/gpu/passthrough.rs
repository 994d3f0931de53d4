//! The only file with unsafe code: passes SPIR-V and stored pipelines to the driver.
//!
//! wgpu has no safe way to request exact float arithmetic, other than decorating the SPIR-V and passing it through. It is sound
//! for these reasons. The words come from a module that naga has validated (see [`crate::gpu::spirv`]). Decorations change only
//! the rounding. Bind group layouts are built from the same lists as the module's declarations.
//!
//! Passthrough skips checks that wgpu would insert: index bounds, loop bounds, and divisors. [`module`] and [`crate::gpu::spirv`]
//! state, at each omission, why kernels do not need the check.
//!
//! The file also asks the driver for its float controls, which wgpu does not report.
#![allow(unsafe_code, reason = "wgpu's shader passthrough, its feature token and what lies under its devices are unsafe functions")]

use crate::gpu::spirv::FloatControls;

/// The float controls of the device; none unless it is accessed through Vulkan 1.2.
#[cfg(any(windows, target_os = "linux", target_os = "android", target_os = "freebsd"))]
pub(crate) fn float_controls(device: &wgpu::Device) -> FloatControls {
    use ash::vk;
    // SAFETY: the handle is used for queries only, and not kept.
    let Some(device) = (unsafe { device.as_hal::<wgpu::hal::api::Vulkan>() }) else { return FloatControls::default() };
    let (instance, physical) = (device.shared_instance(), device.raw_physical_device());
    // SAFETY: the physical device belongs to this instance, which lives as long as the device.
    let version = unsafe { instance.raw_instance().get_physical_device_properties(physical) }.api_version;
    if version.min(instance.instance_api_version()) < vk::API_VERSION_1_2 {
        return FloatControls::default();
    }
    let mut controls = vk::PhysicalDeviceFloatControlsProperties::default();
    let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut controls);
    // SAFETY: as above; the chain has a single structure, which Vulkan 1.2 defines.
    unsafe { instance.raw_instance().get_physical_device_properties2(physical, &mut properties) };
    // Some drivers can set these controls only for all float widths together.
    let apart = |independence| independence != vk::ShaderFloatControlsIndependence::NONE;
    FloatControls {
        subnormal: controls.shader_denorm_preserve_float32 == vk::TRUE && apart(controls.denorm_behavior_independence),
        special: controls.shader_signed_zero_inf_nan_preserve_float32 == vk::TRUE,
        nearest: controls.shader_rounding_mode_rte_float32 == vk::TRUE && apart(controls.rounding_mode_independence),
    }
}

/// Exact arithmetic requires Vulkan.
#[cfg(not(any(windows, target_os = "linux", target_os = "android", target_os = "freebsd")))]
pub(crate) fn float_controls(_: &wgpu::Device) -> FloatControls {
    FloatControls::default()
}

/// The token that wgpu requires for a device that accepts SPIR-V directly.
pub(crate) fn experimental_features() -> wgpu::ExperimentalFeatures {
    // SAFETY: with the token its holder accepts that experimental features may be faulty. The only one that this library requests
    // is shader passthrough, which only `module` uses. The token is also part of `Engine::device_descriptor`: a caller who adds
    // experimental features to that descriptor accepts theirs.
    unsafe { wgpu::ExperimentalFeatures::enabled() }
}

/// A shader module from SPIR-V words made by [`crate::gpu::spirv::exact`], entry point `main`.
pub(crate) fn module(device: &wgpu::Device, words: &[u32], workgroup: (u32, u32, u32)) -> wgpu::ShaderModule {
    let entry = wgpu::PassthroughShaderEntryPoint { name: "main".into(), workgroup_size: workgroup };
    // SAFETY: the words are naga's translation of a validated module. Their bindings match the pipeline's layout, since
    // declarations and layouts come from one list; a test in `crate::gpu::tables` compares them. Every index is below the length
    // of what it reads or writes. Indices into tables are counted by the lowering that fills them. Indices into outputs, positions
    // and textures are below the size of the dispatch, and targets refuse dispatches that do not fit. `testing::sabotage` can
    // break this; it is hidden, and for tests.
    unsafe {
        device.create_shader_module_passthrough(wgpu::ShaderModuleDescriptorPassthrough {
            label: Some("orogen exact"),
            entry_points: vec![entry].into(),
            spirv: Some(words.into()),
            ..Default::default()
        })
    }
}

/// A pipeline cache, with the stored data of an earlier one.
pub(crate) fn pipeline_cache(device: &wgpu::Device, data: Option<&[u8]>) -> wgpu::PipelineCache {
    let descriptor = wgpu::PipelineCacheDescriptor { label: Some("orogen"), data, fallback: true };
    // SAFETY: the data is what `get_data` returned when it was saved. The file is named by the adapter's key, the hash before the
    // data detects damage, and wgpu discards data of another driver. The hash is not a signature, so a forged file would pass. The
    // folder must therefore be writable by its owner only.
    unsafe { device.create_pipeline_cache(&descriptor) }
}
