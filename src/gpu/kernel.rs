//! Kernels: compiled once per structure, kept as long as the context.

use super::emit::{WORKGROUP, kernel};
use super::{Arithmetic, Context, GpuError, lock, passthrough, refused, spirv};
use crate::program::Structure;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A compiled kernel.
pub(super) struct Kernel {
    pub pipeline: wgpu::ComputePipeline,
}

/// Bindings of every kernel: 0 the dispatch, 1 to 6 tables, 7 the output.
pub(super) fn layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let entry = |binding| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer {
            ty: if binding == 0 { wgpu::BufferBindingType::Uniform } else { wgpu::BufferBindingType::Storage { read_only: binding < 7 } },
            has_dynamic_offset: false,
            min_binding_size: None,
        },
        count: None,
    };
    let entries: Vec<_> = (0..8).map(entry).collect();
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some("orogen kernel"), entries: &entries })
}

impl Context {
    /// The kernel for a structure, compiled if this is the first time it is asked for.
    pub(super) fn kernel(&self, structure: &Arc<Structure>, gradient: bool) -> Result<Arc<Kernel>, GpuError> {
        let key = (Arc::clone(structure), gradient);
        if let Some(kernel) = lock(&self.kernels).get(&key) {
            return Ok(Arc::clone(kernel));
        }
        let kernel = Arc::new(self.compile(structure, gradient)?);
        lock(&self.kernels).insert(key, Arc::clone(&kernel));
        Ok(kernel)
    }

    fn compile(&self, structure: &Structure, gradient: bool) -> Result<Kernel, GpuError> {
        let mut source = kernel(structure, gradient).map_err(|error| GpuError::Refused(error.to_string()))?;
        if let Some((from, to)) = &*lock(&self.sabotage) {
            source = source.replace(from, to);
        }
        self.compiled.fetch_add(1, Ordering::Relaxed);
        let scope = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let module = match self.arithmetic {
            Arithmetic::Exact => {
                let words = spirv::exact(&source).map_err(GpuError::Refused)?;
                passthrough::module(&self.device, &words, (WORKGROUP, WORKGROUP, 1))
            }
            Arithmetic::Fast => self.device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some("orogen fast"),
                source: wgpu::ShaderSource::Wgsl(source.into()),
            }),
        };
        let layout = self.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("orogen kernel"),
            bind_group_layouts: &[Some(&self.layout)],
            ..Default::default()
        });
        let pipeline = self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some("orogen kernel"),
            layout: Some(&layout),
            module: &module,
            entry_point: Some("main"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        match pollster::block_on(scope.pop()) {
            Some(error) => Err(refused(error)),
            None => Ok(Kernel { pipeline }),
        }
    }
}
