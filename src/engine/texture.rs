//! Noise as textures: recorded into a caller's encoder, generated at once, or as bytes.

use crate::engine::{Engine, EngineError, check_anchor};
use crate::field::Gradient;
use crate::gpu::{
    Context, Failure, GpuError, KernelMemory, Output, PointsTarget, RequestError, SamplesPerCall, Target, TargetOptions, emit_kernel,
};
use crate::graph::Noise;
use crate::program::{self, Program, ProgramError, Specialisation};
use crate::region::Region;
use crate::texel::{Content, TexelEncoding};
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Poll, Waker};
use wgpu::{TextureDimension, TextureFormat, TextureUsages, TextureViewDimension};

/// How [`Engine::texture`] makes a texture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextureOptions {
    /// Its format.
    pub format: TextureFormat,
    /// What its texels hold.
    pub encoding: TexelEncoding,
    /// Number of mip levels. Level k is the region's own level of detail k further up: texel (i, j) of it is texel
    /// (i·2ᵏ, j·2ᵏ) of the first, not a filtered image. (Begin regions at multiples of 2ᵏ.)
    pub mips: u32,
    /// Not given: 3D for regions of several samples along z, else 2D. A 2D texture has a layer for each sample along z.
    pub dimension: Option<TextureDimension>,
    /// Usages beside `STORAGE_BINDING`, `TEXTURE_BINDING` and `COPY_SRC`.
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

/// What a kernel is prepared for: a [`Target`], a [`PointsTarget`], or fields.
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

    /// A texture that there may not be yet, seen as a view of this dimension.
    pub fn texture(format: TextureFormat, dimension: TextureViewDimension, content: Content) -> KernelKind {
        KernelKind(Output::Texels { content, format, dimension })
    }

    /// The program of a noise for this.
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

/// The kernel that a noise runs on the GPU, as WGSL: library, tables and the program's own functions. The same for every noise of
/// the same shape, whatever its numbers; software adapters run one of more samples to a thread. ([`export`](crate::export) gives it for use elsewhere.)
///
/// # Errors
/// An invalid noise, or a format that cannot hold the content.
pub fn wgsl(noise: &Noise, kind: impl Into<KernelKind>) -> Result<String, EngineError> {
    printed(noise, kind.into(), |_| None)
}

/// The kernel that [`Engine::specialise`] compiles for a noise, as WGSL.
///
/// # Errors
/// As [`wgsl`].
pub fn wgsl_specialised(noise: &Noise, kind: impl Into<KernelKind>) -> Result<String, EngineError> {
    printed(noise, kind.into(), Specialisation::of)
}

fn printed(noise: &Noise, kind: KernelKind, specialisation: impl Fn(&Program) -> Option<Specialisation>) -> Result<String, EngineError> {
    let program = kind.program(noise)?;
    let memory = KernelMemory::of(&program.tables, Engine::required_limits().max_uniform_buffer_binding_size);
    emit_kernel(&program.structure, &program.outputs, kind.0, memory, specialisation(&program).as_ref(), SamplesPerCall::GPU)
        .map_err(|error| Failure::from(error).into())
}

/// Refuses gradients that f32 cannot hold, where a kernel computes gradients.
fn check_gradients(noise: &Noise, output: Output) -> Result<(), ProgramError> {
    if output.gradient().is_wanted() { program::check_gradients(noise.graph()) } else { Ok(()) }
}

impl Engine {
    /// Device and queue of this engine; `None` on the CPU.
    pub fn device(&self) -> Option<(&wgpu::Device, &wgpu::Queue)> {
        self.gpu().map(Context::handles)
    }

    /// The texture formats that this engine can write; none on the CPU.
    pub fn texture_formats(&self) -> Vec<TextureFormat> {
        self.gpu().map_or_else(Vec::new, Context::formats)
    }

    pub(super) fn context(&self) -> Result<&Context, EngineError> {
        self.gpu().ok_or_else(|| RequestError::None(self.describe().backend.name()).into())
    }

    /// Makes a texture of this engine's device, or one mip level or layer of it, a target. Checks and binds it once; keep the
    /// target as long as the texture.
    ///
    /// # Errors
    /// Its format, usage or size does not do, or it belongs to another device.
    pub fn target(&self, texture: &wgpu::Texture, options: &TargetOptions) -> Result<Target, EngineError> {
        Ok(self.context()?.target(texture, options)?)
    }

    /// Makes a storage buffer a target, from a byte on: f32 values in memory order (x fastest), or, with gradients, four f32 per
    /// sample.
    ///
    /// # Errors
    /// Its usage or size does not do, or it belongs to another device.
    pub fn buffer_target(&self, buffer: &wgpu::Buffer, offset: u64, gradient: Gradient) -> Result<Target, EngineError> {
        Ok(self.context()?.buffer_target(buffer, offset, gradient.is_wanted())?)
    }

    /// Makes two storage buffers a target for points: `positions` holds displacements from an anchor in world units, three f32
    /// each and `stride` f32 from one to the next (so that a vertex or instance buffer will do), and `found` receives a value,
    /// or value and gradient (four f32), for each.
    ///
    /// # Errors
    /// A buffer's usage or size does not do, or it belongs to another device.
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
    /// [`compile`](Self::compile) has; a call creates two small buffers where no earlier ones are free, which they are as soon as
    /// the device is done with what was submitted. Any number of calls may go into one submission, each with its own numbers.
    ///
    /// What is wrong with the encoder itself (another device's, or finished) wgpu reports when you finish it.
    ///
    /// # Errors
    /// An invalid noise or region, a region that does not fit the target, or the device's.
    pub fn encode(&self, encoder: &mut wgpu::CommandEncoder, noise: &Noise, region: &Region, target: &Target) -> Result<(), EngineError> {
        let context = self.context()?;
        region.check()?;
        check_gradients(noise, target.output())?;
        Ok(context.encode(encoder, &Program::new(noise.graph())?, region, target)?)
    }

    /// Records the evaluation of the first `count` points of a target, around an anchor in world units. As
    /// [`encode`](Self::encode) in everything else. Positions that are no numbers give results that are none.
    ///
    /// # Errors
    /// An invalid noise or anchor, more points than the buffers hold, or the device's.
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

    /// Evaluates a region into a target now: [`encode`](Self::encode) and a submission of its own. Does not wait.
    ///
    /// # Errors
    /// As [`encode`](Self::encode).
    pub fn generate(&self, noise: &Noise, region: &Region, target: &Target) -> Result<(), EngineError> {
        let mut encoder = self.context()?.encoder();
        self.encode(&mut encoder, noise, region, target)?;
        self.context()?.submit(encoder)?;
        Ok(())
    }

    /// A texture of a region: created, written by a submission of its own, and ready for whatever is submitted after.
    ///
    /// # Errors
    /// As [`target`](Self::target) and [`encode`](Self::encode), or a size that the device cannot hold.
    pub fn texture(&self, noise: &Noise, region: &Region, options: &TextureOptions) -> Result<wgpu::Texture, EngineError> {
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
        let program = Program::new(noise.graph())?;
        let mut encoder = context.encoder();
        for mip in 0..options.mips {
            let target = context.target(&texture, &TargetOptions { encoding: options.encoding, mip, ..Default::default() })?;
            let coarse = region.coarser(mip);
            coarse.check()?;
            check_gradients(noise, target.output())?;
            context.encode(&mut encoder, &program, &coarse, &target)?;
        }
        context.submit(encoder)?;
        Ok(texture)
    }

    /// The bytes that a texture of this format would hold: rows one after the other, without padding, on any backend. The same
    /// bytes as on the GPU where the adapter is exact.
    ///
    /// # Errors
    /// An invalid noise or region, a format that cannot hold the content, or the device's.
    pub fn texels(&self, noise: &Noise, region: &Region, format: TextureFormat, encoding: &TexelEncoding) -> Result<Vec<u8>, EngineError> {
        let layout = encoding.content.layout(format).map_err(RequestError::from)?;
        encoding.check().map_err(RequestError::from)?;
        let gradient = encoding.content.has_gradient();
        let field = if gradient { self.field_with_gradient(noise, region)? } else { self.field(noise, region)? };
        Ok(encoding.bytes(&field, layout, Program::new(noise.graph())?.range))
    }

    /// The bytes of one mip level of a texture with usage `COPY_SRC`: rows one after the other, without padding. Waits for the
    /// device.
    ///
    /// # Errors
    /// The device's.
    pub fn read_texture(&self, texture: &wgpu::Texture, mip: u32) -> Result<Vec<u8>, EngineError> {
        Ok(self.context()?.read_texture(texture, mip)?)
    }

    /// Compiles the kernel that a noise of this shape needs, so that no later call has to. Numbers do not matter: all noises of
    /// one shape share it. Does nothing on the CPU.
    ///
    /// # Errors
    /// An invalid noise, or the device's.
    pub fn compile(&self, noise: &Noise, kind: impl Into<KernelKind>) -> Result<(), EngineError> {
        let kind = kind.into();
        let program = kind.program(noise)?;
        Ok(self.gpu().map_or(Ok(()), |context| context.compile_now(&program, kind.0))?)
    }

    /// Compiles a kernel for a noise's specialisation: how many octaves, sines and control points it has now, and which of its lattices lie along
    /// the world's axes. From then on this noise, and every other of the same shape and specialisation, runs on that kernel with the same bits, in
    /// up to two fifths less time; all their other numbers stay free. A noise whose specialisation has changed runs on the kernel of its shape again.
    /// It takes as long to compile as that. The same as [`compile`](Self::compile) for noises with a Worley noise in them, whose time goes
    /// elsewhere. Does nothing on the CPU.
    ///
    /// # Errors
    /// An invalid noise, or the device's.
    pub fn specialise(&self, noise: &Noise, kind: impl Into<KernelKind>) -> Result<(), EngineError> {
        let kind = kind.into();
        let program = kind.program(noise)?;
        Ok(self.gpu().map_or(Ok(()), |context| context.specialise(&program, kind.0))?)
    }

    /// As [`compile`](Self::compile), on a thread of its own: await it, or ask it [whether it is done](Compilation::is_done).
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

/// A kernel that is being compiled.
#[derive(Debug)]
#[must_use = "the result tells whether the kernel compiled"]
pub struct Compilation {
    state: Arc<Mutex<CompilationState>>,
}

/// What has come of it, and who is to be told.
#[derive(Debug, Default)]
struct CompilationState {
    result: Option<Result<(), EngineError>>,
    waker: Option<Waker>,
}

impl Compilation {
    /// Whether awaiting it would return at once.
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
