//! Noise as textures: recorded into a caller's encoder, generated at once, or as bytes.

use crate::engine::{Engine, check_anchor};
use crate::error::EngineError;
use crate::field::Gradient;
use crate::gpu::{
    Context, Failure, GpuError, KernelMemory, Output, PointsTarget, RequestError, SamplesPerCall, Target, TargetOptions, emit_kernel,
};
use crate::graph::Noise;
use crate::graph::lower;
use crate::program::{Program, ProgramError, Specialisation};
use crate::region::Region;
use crate::texel::{Content, TexelEncoding};
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Poll, Waker};
use wgpu::{TextureDimension, TextureFormat, TextureUsages, TextureViewDimension};

/// Options of [`Engine::texture`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextureOptions {
    /// Its format.
    pub format: TextureFormat,
    /// The content of its texels.
    pub encoding: TexelEncoding,
    /// Number of mip levels. Level k is the region at k levels of detail coarser: its texel (i, j) is texel (i·2ᵏ, j·2ᵏ) of the
    /// first level, not a filtered image. (Regions should begin at multiples of 2ᵏ.)
    pub mips: u32,
    /// `None`: 3D for regions with several samples along z, else 2D. A 2D texture has a layer per sample along z.
    pub dimension: Option<TextureDimension>,
    /// Usages in addition to `STORAGE_BINDING`, `TEXTURE_BINDING` and `COPY_SRC`.
    pub usage: TextureUsages,
}

impl Default for TextureOptions {
    fn default() -> Self {
        TextureOptions {
            format: TextureFormat::R32Float,
            encoding: TexelEncoding::default(),
            mips: 1,
            dimension: None,
            usage: TextureUsages::empty(),
        }
    }
}

/// The use for which a kernel is compiled: a [`Target`], a [`PointsTarget`], or fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelKind(Output);

impl KernelKind {
    /// [`Engine::field`], or [`Engine::field_with_gradient`].
    pub fn field(gradient: Gradient) -> KernelKind {
        KernelKind(Output::Samples { gradient: gradient.is_wanted() })
    }

    /// [`Engine::sample`].
    pub fn sample(gradient: Gradient) -> KernelKind {
        KernelKind(Output::Points { gradient: gradient.is_wanted() })
    }

    /// A texture, which need not exist yet, with this dimension of its view.
    pub fn texture(format: TextureFormat, dimension: TextureViewDimension, content: Content) -> KernelKind {
        KernelKind(Output::Texels { content, format, dimension })
    }

    /// The program of a noise for this use.
    fn program(self, noise: &Noise) -> Result<Program, ProgramError> {
        match self.0 {
            Output::Anchored { .. } => Program::anchored(noise.graph()),
            Output::Samples { .. } | Output::Points { .. } | Output::Texels { .. } => Program::new(noise.graph()),
        }
    }
}

impl From<&Target> for KernelKind {
    fn from(target: &Target) -> KernelKind {
        KernelKind(target.output())
    }
}

impl From<&PointsTarget> for KernelKind {
    fn from(target: &PointsTarget) -> KernelKind {
        KernelKind(target.output())
    }
}

/// The kernel of a noise on the GPU as WGSL: library, tables and the program's own functions. It is the same for every noise of
/// the same shape, with any numbers; software adapters use one with more samples per thread. ([`export`](crate::export) writes it
/// for other programs.)
///
/// # Errors
/// Returns an error if the noise is invalid, or if the format cannot hold the content.
pub fn wgsl(noise: &Noise, kind: impl Into<KernelKind>) -> Result<String, EngineError> {
    printed(noise, kind.into(), |_| None)
}

/// The kernel that [`Engine::specialise`] compiles for a noise, as WGSL.
///
/// # Errors
/// Returns the errors of [`wgsl`].
pub fn wgsl_specialised(noise: &Noise, kind: impl Into<KernelKind>) -> Result<String, EngineError> {
    printed(noise, kind.into(), |program| Some(Specialisation::of(program)))
}

fn printed(noise: &Noise, kind: KernelKind, specialisation: impl Fn(&Program) -> Option<Specialisation>) -> Result<String, EngineError> {
    let program = kind.program(noise)?;
    let memory = KernelMemory::of(&program.tables, Engine::required_limits().max_uniform_buffer_binding_size);
    emit_kernel(&program.structure, &program.outputs, kind.0, memory, specialisation(&program).as_ref(), SamplesPerCall::GPU)
        .map_err(|error| Failure::from(error).into())
}

/// Refuses gradients that f32 cannot hold, if a kernel computes gradients.
fn check_gradients(noise: &Noise, output: Output) -> Result<(), ProgramError> {
    if output.gradient().is_wanted() { lower::check_gradients(noise.graph()) } else { Ok(()) }
}

impl Engine {
    /// Device and queue of this engine; `None` on the CPU.
    pub fn device(&self) -> Option<(&wgpu::Device, &wgpu::Queue)> {
        self.gpu().map(Context::handles)
    }

    /// The texture formats that this engine can write; empty on the CPU.
    pub fn texture_formats(&self) -> Vec<TextureFormat> {
        self.gpu().map_or_else(Vec::new, Context::formats)
    }

    pub(super) fn context(&self) -> Result<&Context, EngineError> {
        self.gpu().ok_or_else(|| RequestError::None(self.describe().backend.name()).into())
    }

    /// Makes a texture of this engine's device, or one mip level or layer of it, a target. It is checked and bound once, so keep
    /// the target as long as the texture.
    ///
    /// # Errors
    /// Returns an error if its format, usage or size is unsuitable, or if it belongs to another device.
    pub fn target(&self, texture: &wgpu::Texture, options: &TargetOptions) -> Result<Target, EngineError> {
        Ok(self.context()?.target(texture, options)?)
    }

    /// Makes a storage buffer a target, beginning at a byte offset: f32 values in memory order (x fastest), or, with gradients,
    /// four f32 per sample.
    ///
    /// # Errors
    /// Returns an error if its usage or size is unsuitable, or if it belongs to another device.
    pub fn buffer_target(&self, buffer: &wgpu::Buffer, offset: u64, gradient: Gradient) -> Result<Target, EngineError> {
        Ok(self.context()?.buffer_target(buffer, offset, gradient.is_wanted())?)
    }

    /// Makes two storage buffers a target for points. `positions` contains displacements from an anchor in world units, three f32
    /// each with a distance of `stride` f32 (so vertex and instance buffers can be used). `found` receives a value, or value and
    /// gradient (four f32), for each point.
    ///
    /// # Errors
    /// Returns an error if the usage or size of a buffer is unsuitable, or if it belongs to another device.
    pub fn points_target(
        &self,
        positions: &wgpu::Buffer,
        stride: u32,
        found: &wgpu::Buffer,
        gradient: Gradient,
    ) -> Result<PointsTarget, EngineError> {
        Ok(self.context()?.points_target(positions, stride, found, gradient.is_wanted())?)
    }

    /// Records the evaluation of a region into an encoder of this engine's device.
    ///
    /// Nothing is submitted or waited for. The first call for a shape of noise and kind of target compiles a kernel, unless
    /// [`compile`](Self::compile) has already. A call creates two small buffers unless earlier ones are free, which they are once
    /// the device has finished the submissions that use them. Any number of calls may go into one submission, each with its own
    /// numbers.
    ///
    /// Errors of the encoder itself (wrong device, or already finished) are reported by wgpu when you finish it.
    ///
    /// # Errors
    /// Returns an error if the noise or the region is invalid, if the region does not fit the target, or if the device failed.
    pub fn encode(&self, encoder: &mut wgpu::CommandEncoder, noise: &Noise, region: &Region, target: &Target) -> Result<(), EngineError> {
        let context = self.context()?;
        region.check()?;
        check_gradients(noise, target.output())?;
        Ok(context.encode(encoder, &Program::new(noise.graph())?, region, target)?)
    }

    /// Records the evaluation of the first `count` points of a target, around an anchor in world units. Otherwise like
    /// [`encode`](Self::encode). Positions that are NaN give NaN.
    ///
    /// # Errors
    /// Returns an error if the noise or the anchor is invalid, if there are more points than the buffers hold, or if the device
    /// failed.
    pub fn encode_points(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        noise: &Noise,
        anchor: [f64; 3],
        target: &PointsTarget,
        count: u32,
    ) -> Result<(), EngineError> {
        let context = self.context()?;
        check_anchor(anchor)?;
        check_gradients(noise, target.output())?;
        Ok(context.encode_points(encoder, &Program::anchored(noise.graph())?, anchor, target, count)?)
    }

    /// Evaluates a region into a target now: [`encode`](Self::encode) with its own submission. Does not wait.
    ///
    /// # Errors
    /// Returns the errors of [`encode`](Self::encode).
    pub fn generate(&self, noise: &Noise, region: &Region, target: &Target) -> Result<(), EngineError> {
        let mut encoder = self.context()?.encoder();
        self.encode(&mut encoder, noise, region, target)?;
        self.context()?.submit(encoder)?;
        Ok(())
    }

    /// A texture of a region: created, written by its own submission, and ready for later submissions.
    ///
    /// # Errors
    /// Returns the errors of [`target`](Self::target) and [`encode`](Self::encode), and an error for a size that the device does
    /// not support.
    pub fn texture(&self, noise: &Noise, region: &Region, options: &TextureOptions) -> Result<wgpu::Texture, EngineError> {
        self.context()?;
        if options.encoding.content.has_gradient() {
            lower::check_gradients(noise.graph())?;
        }
        self.texture_of(&Program::new(noise.graph())?, region, options)
    }

    /// A texture of a program's outputs.
    pub(super) fn texture_of(&self, program: &Program, region: &Region, options: &TextureOptions) -> Result<wgpu::Texture, EngineError> {
        let context = self.context()?;
        region.check()?;
        let volume = region.size[2] > 1;
        let dimension = options.dimension.unwrap_or(if volume { TextureDimension::D3 } else { TextureDimension::D2 });
        let most = region.size.iter().take(if dimension == TextureDimension::D3 { 3 } else { 2 }).max().map_or(0, |size| size.ilog2() + 1);
        let layers = volume && dimension == TextureDimension::D2;
        if options.mips == 0 || options.mips > most || (options.mips > 1 && layers) {
            let allowed = if layers { "1: layers share their z, levels of detail do not".to_owned() } else { format!("1 to {most}") };
            return Err(RequestError::not_allowed("mip levels", options.mips, allowed).into());
        }
        let texture = context.create_texture(&wgpu::TextureDescriptor {
            label: Some("orogen texture"),
            size: wgpu::Extent3d { width: region.size[0], height: region.size[1], depth_or_array_layers: region.size[2] },
            mip_level_count: options.mips,
            sample_count: 1,
            dimension,
            format: options.format,
            usage: TextureUsages::STORAGE_BINDING | TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_SRC | options.usage,
            view_formats: &[],
        })?;
        let mut encoder = context.encoder();
        for mip in 0..options.mips {
            let target = context.target(&texture, &TargetOptions { encoding: options.encoding, mip, ..Default::default() })?;
            let coarse = region.coarser(mip);
            coarse.check()?;
            context.encode(&mut encoder, program, &coarse, &target)?;
        }
        context.submit(encoder)?;
        Ok(texture)
    }

    /// The bytes of a texture in this format, as rows without padding, on any backend. On exact adapters they equal the bytes on
    /// the GPU.
    ///
    /// # Errors
    /// Returns an error if the noise or the region is invalid, if the format cannot hold the content, or if the device failed.
    pub fn texels(&self, noise: &Noise, region: &Region, format: TextureFormat, encoding: &TexelEncoding) -> Result<Vec<u8>, EngineError> {
        let layout = encoding.content.layout(format).map_err(RequestError::from)?;
        encoding.check().map_err(RequestError::from)?;
        let gradient = encoding.content.has_gradient();
        let field = if gradient { self.field_with_gradient(noise, region)? } else { self.field(noise, region)? };
        Ok(encoding.bytes(&field, layout, Program::new(noise.graph())?.range))
    }

    /// The bytes of one mip level of a texture with usage `COPY_SRC`, as rows without padding. Waits for the device.
    ///
    /// # Errors
    /// Returns an error if the device failed.
    pub fn read_texture(&self, texture: &wgpu::Texture, mip: u32) -> Result<Vec<u8>, EngineError> {
        Ok(self.context()?.read_texture(texture, mip)?)
    }

    /// Compiles the kernel for a noise of this shape in advance. Numbers do not matter: all noises of one shape share it. Does
    /// nothing on the CPU.
    ///
    /// # Errors
    /// Returns an error if the noise is invalid, or if the device failed.
    pub fn compile(&self, noise: &Noise, kind: impl Into<KernelKind>) -> Result<(), EngineError> {
        let kind = kind.into();
        let program = kind.program(noise)?;
        Ok(self.gpu().map_or(Ok(()), |context| context.compile_now(&program, kind.0))?)
    }

    /// Compiles a specialised kernel for the noise's current numbers of octaves, sines and control points, and for the orientation
    /// of its lattices (parallel to the world's axes or not).
    ///
    /// From then on this noise uses that kernel, and so does every other of the same shape and specialisation. The bits are the
    /// same, and it takes up to two fifths less time. All other numbers stay live. A noise whose specialisation changes uses the
    /// kernel of its shape again.
    ///
    /// Compilation takes as long as in [`compile`](Self::compile). For noises with a Worley noise, which spend their time in its
    /// loops, this is the same as `compile`. Does nothing on the CPU.
    ///
    /// # Errors
    /// Returns an error if the noise is invalid, or if the device failed.
    pub fn specialise(&self, noise: &Noise, kind: impl Into<KernelKind>) -> Result<(), EngineError> {
        let kind = kind.into();
        let program = kind.program(noise)?;
        Ok(self.gpu().map_or(Ok(()), |context| context.specialise(&program, kind.0))?)
    }

    /// As [`compile`](Self::compile), on a separate thread: await it, or poll [`is_done`](Compilation::is_done).
    pub fn compile_async(&self, noise: &Noise, kind: impl Into<KernelKind>) -> Compilation {
        let state = Arc::<Mutex<CompilationState>>::default();
        let (engine, noise, kind, theirs) = (self.clone(), noise.clone(), kind.into(), Arc::clone(&state));
        let work = move || {
            let result = engine.compile(&noise, kind);
            let waker: Option<Waker> = {
                let mut state = theirs.lock().unwrap_or_else(PoisonError::into_inner);
                state.result = Some(result);
                state.waker.take()
            };
            if let Some(waker) = waker {
                waker.wake();
            }
        };
        if let Err(error) = std::thread::Builder::new().name("orogen compile".to_owned()).spawn(work) {
            let failed = GpuError::Refused(format!("no thread to compile on: {error}"));
            state.lock().unwrap_or_else(PoisonError::into_inner).result = Some(Err(failed.into()));
        }
        Compilation { state }
    }
}

/// A kernel during compilation.
#[derive(Debug)]
#[must_use = "the result shows whether the kernel compiled"]
pub struct Compilation {
    state: Arc<Mutex<CompilationState>>,
}

/// The result, and the waker to notify.
#[derive(Debug, Default)]
struct CompilationState {
    result: Option<Result<(), EngineError>>,
    waker: Option<Waker>,
}

impl Compilation {
    /// Whether awaiting it would return immediately.
    pub fn is_done(&self) -> bool {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).result.is_some()
    }
}

impl Future for Compilation {
    type Output = Result<(), EngineError>;

    fn poll(self: Pin<&mut Self>, context: &mut std::task::Context<'_>) -> Poll<Self::Output> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match &state.result {
            Some(result) => Poll::Ready(result.clone()),
            None => {
                state.waker = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}
