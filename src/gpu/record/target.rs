//! Targets: the destinations of recorded dispatches. Checked and bound once, then used any number of times.

use crate::gpu::kernel::output_layout;
use crate::gpu::wgsl::output::{Output, POINTS_ALONG};
use crate::gpu::{Context, Failure, RequestError, foreign};
use crate::interval::Interval;
use crate::region::Region;
use crate::texel::{Content, FormatError, Mapping, TexelEncoding, TexelLayout, formats};
use wgpu::{BufferUsages, Features, TextureDimension, TextureFormat, TextureUsages, TextureViewDimension};

/// The part of a texture to write, and its content.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TargetOptions {
    /// The content of its texels.
    pub encoding: TexelEncoding,
    /// The mip level to write. A true level of detail is a region of a higher level, not a filtered image.
    pub mip: u32,
    /// The layer of an array to write. `None`: all layers, one for each sample along z.
    pub layer: Option<u32>,
    /// The texel at which regions begin.
    pub at: [u32; 3],
}

/// A texture or buffer to which noise is written, from [`Engine::target`](crate::Engine::target) or
/// [`Engine::buffer_target`](crate::Engine::buffer_target). Creating one creates a bind group; writing to it creates nothing.
#[derive(Clone, Debug)]
pub struct Target {
    pub(crate) bind_group: wgpu::BindGroup,
    pub(crate) output: Output,
    pub(crate) encoding: TexelEncoding,
    /// The storage of texels; `None` for a buffer.
    pub(crate) layout: Option<TexelLayout>,
    /// Size of the texture in texels along each axis; for a buffer, the number of samples along x.
    size: [u32; 3],
    at: [u32; 3],
}

/// Positions in one buffer and results in another, from [`Engine::points_target`](crate::Engine::points_target).
#[derive(Clone, Debug)]
pub struct PointsTarget {
    pub(crate) bind_group: wgpu::BindGroup,
    pub(crate) output: Output,
    pub(crate) stride: u32,
    pub(crate) capacity: u32,
}

impl PointsTarget {
    pub(crate) fn output(&self) -> Output {
        self.output
    }
}

impl From<TexelEncoding> for TargetOptions {
    fn from(encoding: TexelEncoding) -> Self {
        TargetOptions { encoding, ..Default::default() }
    }
}

impl Target {
    pub(crate) fn output(&self) -> Output {
        self.output
    }

    /// The format of the texture; `None` for a buffer.
    pub(crate) fn format(&self) -> Option<TextureFormat> {
        match self.output {
            Output::Texels { format, .. } => Some(format),
            Output::Samples { .. } | Output::Points { .. } | Output::Anchored { .. } => None,
        }
    }

    /// The same target with another first texel for regions.
    #[must_use]
    pub fn at(&self, at: [u32; 3]) -> Target {
        Target { at, ..self.clone() }
    }

    /// The same target with another encoding of texels. Its content stays, because it is part of the kernel. Invalid numbers are
    /// refused when the target is used.
    #[must_use]
    pub fn with_encoding(&self, encoding: TexelEncoding) -> Target {
        Target { encoding: TexelEncoding { content: self.encoding.content, ..encoding }, ..self.clone() }
    }

    /// Writable texels along x, y and z (or layers); for a buffer, its number of samples, 1 and 1.
    pub fn size(&self) -> [u32; 3] {
        self.size
    }

    /// The conversion of a layer's numbers to texels.
    pub(crate) fn layer_mapping(&self, channels: usize, proven: Option<Interval>) -> Result<Mapping, RequestError> {
        self.encoding.check()?;
        match (self.output, self.layout) {
            (Output::Texels { format, .. }, Some(layout)) => Ok(self.encoding.layer_mapping(format, layout, channels, proven)?),
            (Output::Samples { gradient: true }, _) => {
                let allowed = "a buffer target made without gradients: layers have none".to_owned();
                Err(RequestError::not_allowed("layer in a buffer", "with gradients", allowed))
            }
            _ => Ok(Mapping { scale: 1.0, offset: 0.0, strength: 1.0 }),
        }
    }

    /// The first texel of a region of a layer, if the region fits with `channels` numbers for each sample.
    pub(crate) fn fitted_layer(&self, region: &Region, channels: usize) -> Result<[u32; 3], RequestError> {
        if self.layout.is_none() && region.samples() * channels as u64 > u64::from(self.size[0]) {
            let allowed = format!("{} numbers in all", self.size[0]);
            let value = format!("{:?} samples of {channels} channels", region.size);
            return Err(RequestError::not_allowed("layer in a buffer", value, allowed));
        }
        self.fitted(region)
    }

    /// The first texel of a region, if the region fits.
    pub(crate) fn fitted(&self, region: &Region) -> Result<[u32; 3], RequestError> {
        let refuse = |what, allowed: String| Err(RequestError::not_allowed(what, format!("{:?} at {:?}", region.size, self.at), allowed));
        if self.layout.is_none() {
            // Samples are in sequence in a buffer.
            let allowed = || format!("{} samples in all, up to 65535 along each axis", self.size[0]);
            let fits = region.samples() <= u64::from(self.size[0]) && region.size.iter().all(|&s| s <= 65535);
            return if fits { Ok([0; 3]) } else { refuse("region in a buffer", allowed()) };
        }
        let fits = (0..3).all(|a| u64::from(self.at[a]) + u64::from(region.size[a]) <= u64::from(self.size[a]));
        if fits { Ok(self.at) } else { refuse("region in a texture", format!("{:?} texels", self.size)) }
    }
}

impl Context {
    /// Checks and binds a texture.
    pub(crate) fn target(&self, texture: &wgpu::Texture, options: &TargetOptions) -> Result<Target, Failure> {
        let TargetOptions { encoding, mip, layer, at } = *options;
        let layout = self.layout_of(&encoding, texture.format())?;
        encoding.check()?;
        if !texture.usage().contains(TextureUsages::STORAGE_BINDING) {
            return Err(RequestError::Usage { what: "texture", usage: "STORAGE_BINDING" }.into());
        }
        if mip >= texture.mip_level_count() {
            let allowed = format!("mip levels 0 to {}", texture.mip_level_count() - 1);
            return Err(RequestError::not_allowed("mip level", mip, allowed).into());
        }
        let layers = texture.depth_or_array_layers();
        let flat = texture.dimension() == TextureDimension::D2;
        if layer.is_some_and(|layer| !flat || layer >= layers) {
            let allowed = if flat { format!("layers 0 to {}", layers - 1) } else { "no layer: this texture has none".to_owned() };
            return Err(RequestError::not_allowed("layer", format!("{layer:?}"), allowed).into());
        }
        let along = |size: u32| (size >> mip).max(1);
        let (dimension, depth) = match texture.dimension() {
            TextureDimension::D1 => (TextureViewDimension::D1, 1),
            TextureDimension::D3 => (TextureViewDimension::D3, along(layers)),
            TextureDimension::D2 if layers > 1 && layer.is_none() => (TextureViewDimension::D2Array, layers),
            TextureDimension::D2 => (TextureViewDimension::D2, 1),
        };
        let output = Output::Texels { content: encoding.content, format: texture.format(), dimension };
        let bind_group = self.bound(|| {
            let view = texture.create_view(&wgpu::TextureViewDescriptor {
                label: Some("orogen target"),
                dimension: Some(dimension),
                usage: Some(TextureUsages::STORAGE_BINDING),
                base_mip_level: mip,
                mip_level_count: Some(1),
                base_array_layer: layer.unwrap_or(0),
                array_layer_count: flat.then_some(depth),
                ..Default::default()
            });
            self.bind(output, &[wgpu::BindingResource::TextureView(&view)])
        })?;
        self.alive()?;
        let size = [along(texture.width()), along(texture.height()), depth];
        Ok(Target { bind_group, output, encoding, layout: Some(layout), size, at })
    }

    /// Checks and binds a buffer, from a byte offset to its end.
    pub(crate) fn buffer_target(&self, buffer: &wgpu::Buffer, offset: u64, gradient: bool) -> Result<Target, Failure> {
        let output = Output::Samples { gradient };
        let samples = self.room("buffer", buffer, offset, if gradient { 4 } else { 1 })?;
        let bind_group = self.bound(|| self.bind(output, &[bound(buffer, offset)]))?;
        self.alive()?;
        Ok(Target { bind_group, output, encoding: TexelEncoding::default(), layout: None, size: [samples, 1, 1], at: [0; 3] })
    }

    /// Checks and binds positions, `stride` numbers each, and a buffer for the results.
    pub(crate) fn points_target(
        &self,
        positions: &wgpu::Buffer,
        stride: u32,
        found: &wgpu::Buffer,
        gradient: bool,
    ) -> Result<PointsTarget, Failure> {
        let output = Output::Anchored { gradient };
        if !(3..=64).contains(&stride) {
            let allowed = "3 to 64 numbers from one position to the next".to_owned();
            return Err(RequestError::not_allowed("stride of positions", stride, allowed).into());
        }
        let capacity = self.room("positions", positions, 0, stride)?.min(self.room("buffer", found, 0, if gradient { 4 } else { 1 })?);
        let bind_group = self.bound(|| self.bind(output, &[bound(found, 0), bound(positions, 0)]))?;
        self.alive()?;
        Ok(PointsTarget { bind_group, output, stride, capacity: capacity.min(POINTS_ALONG.saturating_mul(512)) })
    }

    /// The formats that this device can write.
    pub(crate) fn formats(&self) -> Vec<TextureFormat> {
        let any = [Content::Value, Content::Several];
        formats().filter(|&format| any.iter().any(|&content| self.layout_of(&content.into(), format).is_ok())).collect()
    }

    /// The format's layout, if this device can write it.
    pub(crate) fn layout_of(&self, encoding: &TexelEncoding, format: TextureFormat) -> Result<TexelLayout, FormatError> {
        let layout = encoding.content.layout(format)?;
        let features = self.device.features();
        let specific = features.contains(Features::TEXTURE_ADAPTER_SPECIFIC_FORMAT_FEATURES);
        let guaranteed = format.guaranteed_format_features(features).allowed_usages.contains(TextureUsages::STORAGE_BINDING);
        let enabled = features.contains(format.required_features());
        if !enabled || !(guaranteed || specific) {
            let because =
                Some("because the device cannot write it (its adapter cannot, or it was opened without Engine::required_features)");
            let instead = "R32Float, Rg32Float, Rgba32Float, Rgba16Float, Rgba8Unorm, which every device supports";
            return Err(FormatError { content: encoding.content, format, because, instead });
        }
        Ok(layout)
    }

    /// The number of records of `numbers` numbers that fit a buffer from a byte offset on.
    fn room(&self, what: &'static str, buffer: &wgpu::Buffer, offset: u64, numbers: u32) -> Result<u32, RequestError> {
        let limits = self.device.limits();
        if !buffer.usage().contains(BufferUsages::STORAGE) {
            return Err(RequestError::Usage { what, usage: "STORAGE" });
        }
        let alignment = u64::from(limits.min_storage_buffer_offset_alignment);
        let bytes = buffer.size().saturating_sub(offset);
        let most = limits.max_storage_buffer_binding_size;
        if !offset.is_multiple_of(alignment) || bytes == 0 || bytes > most {
            let allowed = format!("offsets below the buffer's {} that are multiples of {alignment}, at most {most} bytes", buffer.size());
            return Err(RequestError::not_allowed(what, format!("{bytes} bytes from {offset}"), allowed));
        }
        Ok(u32::try_from(bytes / (4 * u64::from(numbers))).unwrap_or(u32::MAX))
    }

    /// Binds a caller's object. wgpu reports objects of another device, but panics on objects of another instance.
    fn bound(&self, bind: impl FnOnce() -> wgpu::BindGroup) -> Result<wgpu::BindGroup, Failure> {
        let bound = self.guarded(|| std::panic::catch_unwind(std::panic::AssertUnwindSafe(bind))).map_err(foreign)?;
        bound.map_err(|_| RequestError::Foreign("it was created by another wgpu::Instance".to_owned()).into())
    }

    fn bind(&self, output: Output, resources: &[wgpu::BindingResource<'_>]) -> wgpu::BindGroup {
        self.created.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let all = (0..).zip(resources);
        let entries: Vec<_> = all.map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource: resource.clone() }).collect();
        self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(output.label()),
            layout: &output_layout(&self.device, output),
            entries: &entries,
        })
    }
}

fn bound(buffer: &wgpu::Buffer, offset: u64) -> wgpu::BindingResource<'_> {
    wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer, offset, size: None })
}
