//! Opens a device, or adopts an open one, with a canary dispatch that determines the parity of its bits.

use crate::cpu;
use crate::gpu::record::slot;
use crate::gpu::spirv::FloatControls;
use crate::gpu::{Arithmetic, Context, Failure, GpuError, Parity, RequestError, SamplesPerCall, lock, passthrough, refused, stream};
use crate::graph::Noise;
use crate::graph::node::{Fractal, Simplex};
use crate::program::Program;
use crate::region::{Region, RegionBatch};
use sha2::{Digest, Sha256};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

/// The description of an adapter, as listed by `orogen info`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdapterSummary {
    /// Its name.
    pub name: String,
    /// Its graphics API.
    pub interface: String,
    /// Driver name and version.
    pub driver: String,
    /// Discrete, integrated, virtual or software.
    pub kind: &'static str,
}

fn instance() -> wgpu::Instance {
    wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle())
}

fn adapters() -> Vec<wgpu::Adapter> {
    let mut all = pollster::block_on(instance().enumerate_adapters(wgpu::Backends::PRIMARY));
    all.sort_by_key(|adapter| match adapter.get_info().device_type {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Other => 3,
        wgpu::DeviceType::Cpu => 4,
    });
    all
}

fn summary(info: wgpu::AdapterInfo) -> AdapterSummary {
    let kind = match info.device_type {
        wgpu::DeviceType::DiscreteGpu => "discrete",
        wgpu::DeviceType::IntegratedGpu => "integrated",
        wgpu::DeviceType::VirtualGpu => "virtual",
        wgpu::DeviceType::Cpu => "software",
        wgpu::DeviceType::Other => "other",
    };
    AdapterSummary { name: info.name, interface: info.backend.to_string(), driver: format!("{} {}", info.driver, info.driver_info), kind }
}

/// All adapters of this machine, the best first. None in a browser, where listing them would wait.
pub fn list_adapters() -> Vec<AdapterSummary> {
    if cfg!(target_family = "wasm") {
        return Vec::new();
    }
    adapters().iter().map(|adapter| summary(adapter.get_info())).collect()
}

/// Options for any device.
#[derive(Clone, Debug, Default)]
pub(crate) struct DeviceOptions {
    /// Arithmetic of kernels. `None`: exact if the device supports it.
    pub arithmetic: Option<Arithmetic>,
    /// The folder for compiled pipelines, which later runs reuse.
    pub cache: Option<PathBuf>,
}

/// The optional features that Orogen uses: exact arithmetic, 16-bit formats, a pipeline cache. None is required: without one, a
/// call that needs it returns an error with the alternative.
///
/// [`wgpu::Features::PASSTHROUGH_SHADERS`], on which exact arithmetic is based, also needs
/// [`ExperimentalFeatures`](wgpu::ExperimentalFeatures); [`Engine::device_descriptor`](crate::Engine::device_descriptor) contains
/// both.
pub fn required_features(adapter: &wgpu::Adapter) -> wgpu::Features {
    use wgpu::Features as F;
    let wanted = F::TEXTURE_FORMAT_16BIT_NORM | F::TEXTURE_ADAPTER_SPECIFIC_FORMAT_FEATURES | F::PIPELINE_CACHE;
    let exact = if adapter.get_info().backend == wgpu::Backend::Vulkan { F::PASSTHROUGH_SHADERS } else { F::empty() };
    adapter.features() & (wanted | exact)
}

/// The required minimum limits: eight storage buffers in a compute shader, as WebGPU guarantees.
pub fn required_limits() -> wgpu::Limits {
    wgpu::Limits::default()
}

/// The token for the one experimental feature in [`required_features`].
pub(crate) fn experimental_features(adapter: &wgpu::Adapter) -> wgpu::ExperimentalFeatures {
    if required_features(adapter).contains(wgpu::Features::PASSTHROUGH_SHADERS) {
        passthrough::experimental_features()
    } else {
        wgpu::ExperimentalFeatures::disabled()
    }
}

impl Context {
    /// Opens the best adapter whose name contains `name` (ignoring case); software adapters only with `software`.
    ///
    /// # Errors
    /// Returns an error if there is no such adapter, or if it provides no device.
    pub(crate) fn open(name: Option<&str>, software: bool, wanted: &DeviceOptions) -> Result<Context, Failure> {
        if cfg!(target_family = "wasm") {
            return Err(GpuError::Browser.into());
        }
        let all = adapters();
        let fits = |adapter: &&wgpu::Adapter| {
            let info = adapter.get_info();
            let named = name.is_none_or(|name| info.name.to_lowercase().contains(&name.to_lowercase()));
            named && (software || info.device_type != wgpu::DeviceType::Cpu)
        };
        let Some(adapter) = all.iter().find(fits) else {
            let found = all.iter().map(|adapter| adapter.get_info().name).collect::<Vec<_>>().join(", ");
            return Err(match name {
                None if !found.is_empty() => GpuError::OnlySoftware { found },
                name => GpuError::NoAdapter { wanted: name.map(str::to_owned), found },
            }
            .into());
        };
        let name = adapter.get_info().name;
        let refuse = |message: String| GpuError::NoDevice { adapter: name, message };
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("orogen"),
            required_features: required_features(adapter),
            required_limits: adapter.limits(),
            experimental_features: experimental_features(adapter),
            ..Default::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor)).map_err(|error| refuse(error.to_string()))?;
        let fault = Arc::new(Mutex::new(None));
        let store = Arc::clone(&fault);
        device.set_device_lost_callback(move |reason, message| *lock(&store) = Some(GpuError::Lost(format!("{reason:?}: {message}"))));
        let store = Arc::clone(&fault);
        device.on_uncaptured_error(Arc::new(move |error| {
            lock(&store).get_or_insert_with(|| refused(error));
        }));
        Context::judged(&device, &queue, Some(&fault), wanted)
    }

    /// Adopts a device of the caller. Its callbacks are unchanged.
    ///
    /// # Errors
    /// Returns an error if exact arithmetic is requested but not supported, if the device is lost, or if a limit is too low.
    pub(crate) fn foreign(device: &wgpu::Device, queue: &wgpu::Queue, wanted: &DeviceOptions) -> Result<Context, Failure> {
        if cfg!(target_family = "wasm") {
            return Err(GpuError::Browser.into());
        }
        let (has, needs) = (device.limits().max_storage_buffers_per_shader_stage, required_limits().max_storage_buffers_per_shader_stage);
        if has < needs {
            let allowed = format!("{needs} or more (Engine::required_limits)");
            return Err(RequestError::not_allowed("max_storage_buffers_per_shader_stage", has, allowed).into());
        }
        Context::judged(device, queue, None, wanted)
    }

    /// A context with the requested arithmetic, or the best that the device supports.
    fn judged(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        fault: Option<&Arc<Mutex<Option<GpuError>>>>,
        wanted: &DeviceOptions,
    ) -> Result<Context, Failure> {
        let info = device.adapter_info();
        let passes = device.features().contains(wgpu::Features::PASSTHROUGH_SHADERS);
        let can_pass = info.backend == wgpu::Backend::Vulkan && passes;
        let arithmetic = match wanted.arithmetic {
            Some(Arithmetic::Exact) if !can_pass => {
                return Err(GpuError::NoDevice { adapter: info.name, message: "it does not support exact arithmetic".to_owned() }.into());
            }
            Some(arithmetic) => arithmetic,
            None if can_pass => Arithmetic::Exact,
            None => Arithmetic::Fast,
        };
        let mut context = Context::new(device, queue, fault, arithmetic, wanted)?;
        let canary = context.canary();
        if wanted.arithmetic.is_some() || arithmetic == Arithmetic::Fast {
            // There is no fallback.
            canary.clone()?;
        }
        if canary == Ok(true) {
            context.parity = Parity::Exact;
            context.bounded_because = None;
        } else if arithmetic == Arithmetic::Fast {
            context.bounded_because = Some(match wanted.arithmetic {
                Some(_) => "fast arithmetic was requested",
                None if info.backend != wgpu::Backend::Vulkan => "exact arithmetic requires Vulkan",
                None => "the device was opened without Features::PASSTHROUGH_SHADERS, which Engine::device_descriptor includes",
            });
        } else if arithmetic == Arithmetic::Exact && wanted.arithmetic.is_none() {
            // The driver refuses the decorated kernel, or ignores the decorations: exact arithmetic would have no benefit.
            context = Context::new(device, queue, fault, Arithmetic::Fast, wanted)?;
        }
        context.compiled.store(0, Ordering::Relaxed);
        context.created.store(0, Ordering::Relaxed);
        Ok(context)
    }

    fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        fault: Option<&Arc<Mutex<Option<GpuError>>>>,
        arithmetic: Arithmetic,
        wanted: &DeviceOptions,
    ) -> Result<Context, GpuError> {
        let mut context = Context {
            device: device.clone(),
            queue: queue.clone(),
            summary: summary(device.adapter_info()),
            arithmetic,
            controls: if arithmetic == Arithmetic::Exact { passthrough::float_controls(device) } else { FloatControls::default() },
            rows: Mutex::new(match device.adapter_info().device_type {
                wgpu::DeviceType::Cpu => SamplesPerCall::SOFTWARE,
                wgpu::DeviceType::DiscreteGpu
                | wgpu::DeviceType::IntegratedGpu
                | wgpu::DeviceType::VirtualGpu
                | wgpu::DeviceType::Other => SamplesPerCall::GPU,
            }),
            parity: Parity::Bounded,
            bounded_because: Some("the driver ignores the required rounding"),
            kernels: Mutex::default(),
            passes: Mutex::default(),
            water: Mutex::default(),
            specialised: AtomicBool::new(false),
            cache: None,
            slots: slot::Slots::default(),
            rasters: super::rasters::DeviceRasters::default(),
            spare: super::spare::SpareBuffers::default(),
            poison: OnceLock::new(),
            compiled: AtomicUsize::new(0),
            created: AtomicUsize::new(0),
            fault: fault.cloned().unwrap_or_default(),
            sabotage: Mutex::default(),
        };
        context.alive()?;
        if let Some(folder) = &wanted.cache
            && let Some(path) = context.cache_path(folder)
        {
            // Without a readable file, everything is compiled.
            let data = crate::limits::read(&path, crate::limits::KERNELS).ok().and_then(|bytes| unsealed(&bytes));
            context.cache = Some(context.guarded(|| passthrough::pipeline_cache(device, data.as_deref()))?);
        }
        Ok(context)
    }

    /// The file for pipelines of this adapter; `None` if the device does not support a cache.
    fn cache_path(&self, folder: &Path) -> Option<PathBuf> {
        let kept = self.device.features().contains(wgpu::Features::PIPELINE_CACHE);
        wgpu::util::pipeline_cache_key(&self.device.adapter_info()).filter(|_| kept).map(|key| folder.join(key))
    }

    /// Writes the compiled pipelines to the folder, completely or not at all.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub(crate) fn save_cache(&self, folder: &Path) -> std::io::Result<()> {
        let data = self.cache.as_ref().and_then(wgpu::PipelineCache::get_data);
        let (Some(data), Some(path)) = (data, self.cache_path(folder)) else { return Ok(()) };
        std::fs::create_dir_all(folder)?;
        // Written under a temporary name first, because other processes may write the same file.
        let partial = path.with_extension(format!("{}.partial", std::process::id()));
        let written = std::fs::write(&partial, sealed(&data)).and_then(|()| std::fs::rename(&partial, &path));
        if written.is_err() {
            // The first error is reported; the partial file may not exist.
            let _ = std::fs::remove_file(&partial);
        }
        written
    }

    /// Whether this device's bits equal the CPU's: value and gradient of 8 octaves, 48² samples.
    fn canary(&self) -> Result<bool, Failure> {
        let noise = Noise::simplex(Simplex { wavelength: 37.0, dimensions: 3, ..Simplex::default() })
            .fractal(Fractal { octaves: 8, rotation: 30.0, ..Fractal::default() })
            .power(1.7);
        let program = Arc::new(Program::new(noise.graph())?);
        let region = Region::plane(48, 48);
        let expected = cpu::field::<f32>(&cpu::threads::Pool::caller(), &program, &region, true)?;
        let mut got = None;
        let batch = RegionBatch { first: region, largest: region.samples() };
        stream::regions(self, &program, batch, &mut std::iter::once(region), true, &mut |_, _, samples| {
            got = Some(samples);
            ControlFlow::Continue(())
        })?;
        let bits = |s: &crate::field::Samples<f32>| -> Vec<u32> {
            let gradients = s.gradients.iter().flatten().flatten();
            s.values.iter().chain(gradients).map(|x| x.to_bits()).collect()
        };
        Ok(got.is_some_and(|got| bits(&got) == bits(&expected)))
    }
}

/// Data with its hash: a damaged file must not reach the driver.
fn sealed(data: &[u8]) -> Vec<u8> {
    [Sha256::digest(data).as_slice(), data].concat()
}

fn unsealed(bytes: &[u8]) -> Option<Vec<u8>> {
    let (hash, data) = bytes.split_at_checked(32)?;
    (Sha256::digest(data).as_slice() == hash).then(|| data.to_vec())
}

#[cfg(test)]
mod tests {
    use crate::gpu::open::*;

    #[test]
    fn damaged_caches_are_not_taken() {
        let file = sealed(b"pipelines");
        assert_eq!(unsealed(&file).as_deref(), Some(&b"pipelines"[..]));
        for i in 0..file.len() {
            let mut damaged = file.clone();
            damaged[i] ^= 1;
            assert_eq!(unsealed(&damaged), None);
        }
        assert_eq!(unsealed(&file[..20]), None);
    }
}
