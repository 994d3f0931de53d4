//! Layers of pipelines as textures that stay on the device.

use crate::engine::job::Job;
use crate::engine::join::check_plane;
use crate::engine::run::{BlockRun, LayerTarget, Supplied};
use crate::engine::texture::TextureOptions;
use crate::engine::{Engine, Inner};
use crate::error::{EngineError, LayersError};
use crate::gpu::{Context, RequestError, Target};
use crate::region::Region;
use crate::schedule::SampleBlock;
use crate::stage::{Pipeline, lower};
use crate::texel::{Content, TexelEncoding};
use std::sync::Arc;
use wgpu::{TextureDimension, TextureFormat, TextureUsages};

impl Engine {
    /// Records layers of a region into an encoder of this engine's device, each into its target: a stage, another output of a
    /// stage (`eroded.water`) or a node. It does not submit, wait or read back.
    ///
    /// A texel holds the layer's channels: a value (or grey), a normal, or a colour with opacity. The encoding's content is
    /// [`Content::Value`]. A range maps values to 0 to 1; formats limited to 0 to 1 use the proven range by default. A buffer
    /// receives the numbers unchanged. On exact adapters the bytes equal those of [`layer_texels`](Self::layer_texels).
    ///
    /// The region is one block with its halo. Use [`job_into`](Self::job_into) if it exceeds
    /// [`EngineOptions::memory`](crate::EngineOptions::memory), or if hundreds of passes would delay a frame.
    /// [Measure](Self::measure) stages that depend on the whole world in advance.
    ///
    /// # Errors
    /// Returns the errors of [`layers`](Self::layers), and an error for an engine without a GPU, a target of another size, or a
    /// format that cannot hold the layer.
    pub fn encode_layers(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        pipeline: &Pipeline,
        outputs: &[(&str, &Target)],
        region: &Region,
    ) -> Result<(), LayersError> {
        let context = self.shared_context()?;
        let (names, destinations) = destinations(pipeline, outputs, region)?;
        let measured = self.measured(pipeline, &names, &[])?;
        let cut = self.cut(&measured, &names, region)?;
        if region.size[0].max(region.size[1]) > cut.edge {
            let allowed = format!("{0} × {0} samples at a time; Engine::job_into has no such limit", cut.edge);
            let what = "region of layers to record";
            return Err(EngineError::from(RequestError::not_allowed(what, format!("{:?}", region.size), allowed)).into());
        }
        let block = SampleBlock::around(region, cut.halo);
        block.region.check()?;
        let schedule = lower(&measured.pipeline, &names, &block.region, &measured.prepared)?;
        let mut part = BlockRun::recording(context, &schedule, &block, encoder)?;
        while part.advance(self, &schedule, Supplied::prepared(self, &measured.prepared))? {}
        part.store(&schedule, &destinations, region, [0; 3])
    }

    /// Starts a job for layers that go to targets on the device, a few passes at a time: a [`job`](Self::job) without reading
    /// back. Work submitted after the job is [done](Job::is_done) sees the written targets. Texels are those of
    /// [`encode_layers`](Self::encode_layers).
    ///
    /// # Errors
    /// Returns the errors of [`job`](Self::job) and [`encode_layers`](Self::encode_layers).
    pub fn job_into(&self, pipeline: &Pipeline, outputs: &[(&str, &Target)], region: &Region) -> Result<Job, LayersError> {
        self.shared_context()?;
        let (names, destinations) = destinations(pipeline, outputs, region)?;
        let measured = self.measured(pipeline, &names, &[])?;
        self.job_of(measured, names, region, destinations)
    }

    /// A texture of a layer: created, written by separate submissions, and ready for later submissions. Stages that depend on the
    /// whole world use the region as the world, unless they are [measured](Self::measure).
    ///
    /// # Errors
    /// Returns the errors of [`encode_layers`](Self::encode_layers), and an error for more than one mip level (levels of detail
    /// of stages are different fields) or a dimension other than 2D.
    pub fn layer_texture(
        &self,
        pipeline: &Pipeline,
        output: &str,
        region: &Region,
        options: &TextureOptions,
    ) -> Result<wgpu::Texture, LayersError> {
        let context = self.shared_context()?;
        check_plane(region)?;
        let refuse = |what, value: String, allowed: &str| {
            Err(LayersError::from(EngineError::from(RequestError::not_allowed(what, value, allowed.to_owned()))))
        };
        if options.mips != 1 {
            return refuse("mip levels of a layer", options.mips.to_string(), "1");
        }
        if !matches!(options.dimension, None | Some(TextureDimension::D2)) {
            return refuse("dimension of a layer's texture", format!("{:?}", options.dimension), "2D");
        }
        let usage = TextureUsages::STORAGE_BINDING | TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_SRC | options.usage;
        let texture = context.create_texture(&wgpu::TextureDescriptor {
            label: Some("orogen layer"),
            size: wgpu::Extent3d { width: region.size[0], height: region.size[1], depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: TextureDimension::D2,
            format: options.format,
            usage,
            view_formats: &[],
        });
        let texture = texture.map_err(EngineError::from)?;
        let target = self.target(&texture, &options.encoding.into())?;
        let (names, destinations) = destinations(pipeline, &[(output, &target)], region)?;
        let measured = self.measured(pipeline, &names, &[*region])?;
        self.job_of(measured, names, region, destinations)?.finish()?;
        Ok(texture)
    }

    /// The bytes that [`layer_texture`](Self::layer_texture) writes, on any backend, as rows without padding.
    ///
    /// # Errors
    /// Returns the errors of [`layers`](Self::layers), and an error for a format that cannot hold the layer.
    pub fn layer_texels(
        &self,
        pipeline: &Pipeline,
        output: &str,
        region: &Region,
        format: TextureFormat,
        encoding: &TexelEncoding,
    ) -> Result<Vec<u8>, LayersError> {
        let request = |error| LayersError::from(EngineError::from(RequestError::from(error)));
        let layout = Content::Value.layout(format).map_err(request)?;
        encoding.check().map_err(|error| EngineError::from(RequestError::from(error)))?;
        let channels = pipeline.channels(output)?;
        let mapping = encoding.layer_mapping(format, layout, channels, pipeline.range(output)).map_err(request)?;
        let layers = self.layers(pipeline, &[output], region)?;
        Ok(layout.bytes(&layers[0], mapping))
    }

    fn shared_context(&self) -> Result<&Arc<Context>, EngineError> {
        match &*self.inner {
            Inner::Gpu(context) => Ok(context),
            Inner::Cpu | Inner::Oracle(_) => Err(RequestError::None(self.describe().backend.name()).into()),
        }
    }
}

/// The outputs' names and destinations.
fn destinations(pipeline: &Pipeline, outputs: &[(&str, &Target)], region: &Region) -> Result<(Vec<String>, Vec<LayerTarget>), LayersError> {
    check_plane(region)?;
    pipeline.check()?;
    let all = outputs.iter().map(|&(name, target)| {
        let channels = pipeline.channels(name)?;
        let mapping = target.layer_mapping(channels, pipeline.range(name)).map_err(EngineError::from)?;
        target.fitted_layer(region, channels).map_err(EngineError::from)?;
        Ok((name.to_owned(), LayerTarget { target: target.clone(), mapping }))
    });
    all.collect::<Result<Vec<_>, LayersError>>().map(|all| all.into_iter().unzip())
}
