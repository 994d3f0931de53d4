//! Layers of pipelines as textures: computed on the device and left there.

use crate::engine::job::{BlockRun, Job, LayerTarget};
use crate::engine::layers::{LayersError, check_plane};
use crate::engine::texture::TextureOptions;
use crate::engine::{Engine, EngineError, Inner};
use crate::gpu::{Context, RequestError, Target};
use crate::region::Region;
use crate::schedule::{SampleBlock, lower};
use crate::stage::Pipeline;
use crate::texel::{Content, TexelEncoding};
use std::sync::Arc;
use wgpu::{TextureDimension, TextureFormat, TextureUsages};

impl Engine {
    /// Records layers of a region into an encoder of this engine's device, each into its target: a stage, another output of one
    /// (`eroded.water`) or a node. Nothing is submitted, waited for or read back.
    ///
    /// A texel holds the layer's channels: a value (or grey), a normal, a colour with opacity. The encoding's content is
    /// [`Content::Value`]; a range maps values to 0 to 1, and formats that hold nothing else take the proven range where none is given. A
    /// buffer takes the numbers as they are. The same bytes as [`layer_texels`](Self::layer_texels) where the adapter is exact.
    ///
    /// The region is one block, with its halo: what is too large for [`EngineOptions::memory`](crate::EngineOptions::memory) is for
    /// [`job_into`](Self::job_into), and so are hundreds of passes beside a frame. Stages that read the whole world are
    /// [measured](Self::measure) beforehand.
    ///
    /// # Errors
    /// As [`layers`](Self::layers), an engine without a GPU, a target of another size, or a format that cannot hold the layer.
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
        while part.advance(self, &schedule, None)? {}
        part.store(&schedule, &destinations, region, [0; 3])
    }

    /// Begins layers of a region that go to targets on the device, a few passes at a time: [`job`](Self::job), with nothing read back. What
    /// is submitted after the job is [done](Job::is_done) finds the targets written. Texels are those of
    /// [`encode_layers`](Self::encode_layers).
    ///
    /// # Errors
    /// As [`job`](Self::job) and [`encode_layers`](Self::encode_layers).
    pub fn job_into(&self, pipeline: &Pipeline, outputs: &[(&str, &Target)], region: &Region) -> Result<Job, LayersError> {
        self.shared_context()?;
        let (names, destinations) = destinations(pipeline, outputs, region)?;
        let measured = self.measured(pipeline, &names, &[])?;
        self.job_of(measured, names, region, destinations)
    }

    /// A texture of a layer: created, written by submissions of its own, and ready for whatever is submitted after. Stages that read the
    /// whole world take the region for it, unless they are [measured](Self::measure).
    ///
    /// # Errors
    /// As [`encode_layers`](Self::encode_layers); more than one mip level, as levels of detail of stages are fields of their own; another
    /// dimension than 2D.
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

    /// The bytes that [`layer_texture`](Self::layer_texture) writes, on any backend: rows one after the other, without padding.
    ///
    /// # Errors
    /// As [`layers`](Self::layers), or a format that cannot hold the layer.
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
            Inner::Cpu | Inner::Oracle => Err(RequestError::None(self.describe().backend.name()).into()),
        }
    }
}

/// The outputs' names, and where they go.
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
