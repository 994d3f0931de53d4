//! Kernels: compiled once per structure and output, and kept for the lifetime of the context.

use crate::gpu::tables::COUNT;
use crate::gpu::wgsl::entry::EntryError;
use crate::gpu::wgsl::entry::kernel;
use crate::gpu::wgsl::memory::KernelMemory;
use crate::gpu::wgsl::output::Output;
use crate::gpu::{Arithmetic, Context, Failure, GpuError, lock, passthrough, refused, spirv};
use crate::program::{Program, Reg, Specialisation, Structure};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The key of a kernel in the cache.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct KernelKey {
    structure: Arc<Structure>,
    /// Results of the structure's last scope that the kernel writes.
    outputs: Vec<Reg>,
    output: Output,
    memory: KernelMemory,
    /// The specialisation of a specialised kernel.
    specialisation: Option<Specialisation>,
}

impl From<EntryError> for Failure {
    fn from(error: EntryError) -> Self {
        match error {
            EntryError::Library(error) => GpuError::Refused(error.to_string()).into(),
            EntryError::Format(error) => error.into(),
        }
    }
}

/// A compiled kernel.
#[derive(Debug)]
pub(crate) struct Kernel {
    pub pipeline: wgpu::ComputePipeline,
    /// The layout of binding group 0.
    pub layout: wgpu::BindGroupLayout,
    /// For each of its bindings, whether it is uniform.
    pub uniform: [bool; COUNT],
    /// Samples per workgroup along each axis.
    block: [u32; 3],
}

impl Kernel {
    /// Workgroups for a region of this size.
    pub fn groups(&self, size: [u32; 3]) -> [u32; 3] {
        std::array::from_fn(|axis| size[axis].div_ceil(self.block[axis]))
    }
}

/// The layout of binding group 0, the tables.
fn tables_layout(device: &wgpu::Device, uniform: [bool; COUNT]) -> wgpu::BindGroupLayout {
    let types = uniform.map(|uniform| match uniform {
        true => buffer(wgpu::BufferBindingType::Uniform),
        false => buffer(wgpu::BufferBindingType::Storage { read_only: true }),
    });
    layout(device, "orogen tables", &types)
}

/// The layout of binding group 1: the output, and the positions if they are read from a buffer.
pub(crate) fn output_layout(device: &wgpu::Device, output: Output) -> wgpu::BindGroupLayout {
    let storage = |read_only| buffer(wgpu::BufferBindingType::Storage { read_only });
    let types = match output {
        Output::Samples { .. } | Output::Points { .. } => vec![storage(false)],
        Output::Anchored { .. } => vec![storage(false), storage(true)],
        Output::Texels { format, dimension, .. } => {
            vec![wgpu::BindingType::StorageTexture { access: wgpu::StorageTextureAccess::WriteOnly, format, view_dimension: dimension }]
        }
    };
    layout(device, output.label(), &types)
}

fn buffer(ty: wgpu::BufferBindingType) -> wgpu::BindingType {
    wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None }
}

fn layout(device: &wgpu::Device, label: &str, types: &[wgpu::BindingType]) -> wgpu::BindGroupLayout {
    let entry = |(binding, &ty)| wgpu::BindGroupLayoutEntry { binding, visibility: wgpu::ShaderStages::COMPUTE, ty, count: None };
    let entries: Vec<_> = (0..).zip(types).map(entry).collect();
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries: &entries })
}

impl Context {
    /// The kernel for a program: the specialised one if it exists, else the one for all programs of its shape. The latter is
    /// compiled on the first call. Concurrent calls wait for it.
    pub(crate) fn kernel(&self, program: &Program, output: Output) -> Result<Arc<Kernel>, Failure> {
        let specialised = self.specialised.load(Ordering::Relaxed).then(|| Specialisation::of(program));
        if specialised.is_some() {
            let key = self.key(program, output, specialised);
            let compiled = lock(&self.kernels).get(&key).cloned();
            if let Some(Ok(kernel)) = compiled.as_ref().and_then(|compiled| compiled.get()) {
                return Ok(Arc::clone(kernel));
            }
        }
        self.compiled(&self.key(program, output, None))
    }

    /// Compiles a kernel that is specialised for a program. The program uses it from then on.
    pub(crate) fn specialise(&self, program: &Program, output: Output) -> Result<(), Failure> {
        self.compiled(&self.key(program, output, Some(Specialisation::of(program))))?;
        self.specialised.store(true, Ordering::Relaxed);
        Ok(())
    }

    fn key(&self, program: &Program, output: Output, specialisation: Option<Specialisation>) -> KernelKey {
        // A caller's device may have been opened with lower limits than its adapter has.
        let memory = KernelMemory::of(&program.tables, self.device.limits().max_uniform_buffer_binding_size);
        KernelKey { structure: Arc::clone(&program.structure), outputs: program.outputs.clone(), output, memory, specialisation }
    }

    fn compiled(&self, key: &KernelKey) -> Result<Arc<Kernel>, Failure> {
        let compiled = Arc::clone(lock(&self.kernels).entry(key.clone()).or_default());
        let result = compiled.get_or_init(|| self.compile(key).map(Arc::new)).clone();
        if result.is_err() {
            // The next call tries again.
            lock(&self.kernels).remove(key);
        }
        result
    }

    fn compile(&self, key: &KernelKey) -> Result<Kernel, Failure> {
        let KernelKey { structure, outputs, output, memory, specialisation } = key;
        let output = *output;
        let rows = *lock(&self.rows);
        let source = kernel(structure, outputs, output, *memory, specialisation.as_ref(), rows)?;
        let module = self.module(source, output.label(), output.workgroup())?;
        let uniform = memory.uniform(output);
        let [x, y, z] = output.workgroup();
        let block = [x * output.along_x(structure, specialisation.as_ref(), rows), y, z];
        let kernel = self.guarded(|| {
            let tables = tables_layout(&self.device, uniform);
            let layout = self.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(output.label()),
                bind_group_layouts: &[Some(&tables), Some(&output_layout(&self.device, output))],
                ..Default::default()
            });
            let pipeline = self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some(output.label()),
                layout: Some(&layout),
                module: &module,
                entry_point: Some("main"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                cache: self.cache.as_ref(),
            });
            Kernel { pipeline, layout: tables, uniform, block }
        })?;
        Ok(kernel)
    }

    /// A shader whose entry point is `main`, in this context's arithmetic.
    pub(crate) fn module(&self, source: String, label: &str, workgroup: [u32; 3]) -> Result<wgpu::ShaderModule, GpuError> {
        let source = match &*lock(&self.sabotage) {
            Some((from, to)) => source.replace(from, to),
            None => source,
        };
        self.compiled.fetch_add(1, Ordering::Relaxed);
        match self.arithmetic {
            Arithmetic::Exact => {
                let words = spirv::exact(&source, self.controls).map_err(GpuError::Refused)?;
                self.guarded(|| passthrough::module(&self.device, &words, workgroup.into()))
            }
            Arithmetic::Fast => {
                let source = wgpu::ShaderSource::Wgsl(source.into());
                self.guarded(|| self.device.create_shader_module(wgpu::ShaderModuleDescriptor { label: Some(label), source }))
            }
        }
    }

    /// Runs a function that creates objects on the device. An error of the device is returned, and does not reach the handler of
    /// the device's owner.
    pub(crate) fn guarded<T>(&self, create: impl FnOnce() -> T) -> Result<T, GpuError> {
        guarded(&self.device, create).map_err(|error| self.blamed(error))
    }

    /// The error itself, or the loss of the device if that is the cause.
    pub(crate) fn blamed(&self, error: GpuError) -> GpuError {
        // A device of our own reports its loss during a poll.
        let _ = self.device.poll(wgpu::PollType::Poll);
        self.alive().err().unwrap_or(error)
    }

    /// Checks that the device is not lost. Creating objects on a lost device fails silently. A caller's device reports its loss
    /// only to its owner, and ours only after all its work is done. So this writes four bytes and checks the result.
    pub(crate) fn alive(&self) -> Result<(), GpuError> {
        self.check()?;
        let usage = wgpu::BufferUsages::COPY_DST;
        let tried = guarded(&self.device, || self.queue.write_buffer(&self.buffer("orogen probe", 4, usage), 0, &[0; 4]));
        tried.map_err(|error| match error {
            GpuError::OutOfMemory(_) => error,
            error => GpuError::Lost(error.to_string()),
        })
    }
}

/// Runs something under error scopes.
fn guarded<T>(device: &wgpu::Device, run: impl FnOnce() -> T) -> Result<T, GpuError> {
    use wgpu::ErrorFilter as Filter;
    let scopes = [Filter::Internal, Filter::OutOfMemory, Filter::Validation].map(|filter| device.push_error_scope(filter));
    let made = run();
    let mut failed = None;
    // In reverse order, since scopes are a stack.
    for scope in scopes.into_iter().rev() {
        failed = failed.or(pollster::block_on(scope.pop()));
    }
    failed.map_or(Ok(made), |error| Err(refused(error)))
}
