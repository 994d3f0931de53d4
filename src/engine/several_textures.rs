//! Several noises as one texture: a value in each channel.

use crate::engine::several::PreparedSeveral;
use crate::engine::texture::TextureOptions;
use crate::error::EngineError;
use crate::gpu::{RequestError, Target};
use crate::region::Region;
use crate::texel::{Content, TexelEncoding, TexelLayout};
use wgpu::TextureFormat;

impl PreparedSeveral {
    /// A texture of a region with a noise in each channel, such as the components of a flow. It is created, written by one dispatch
    /// in its own submission, and ready for later submissions. The encoding's content is [`Content::Several`]. Channels without a
    /// noise are 0, and the fourth is 1. For formats from 0 to 1, the default range spans the proven ranges of all noises.
    ///
    /// ```
    /// use orogen::node::Axis;
    /// use orogen::prelude::*;
    /// use orogen::texture::{Content, TextureOptions};
    /// use orogen::wgpu::TextureFormat;
    /// let engine = Engine::new()?;
    /// let potential = Noise::simplex(Simplex::default()).scale_offset(40.0, 0.0).named("potential");
    /// let flow = engine.prepare_several(&[&potential.clone().curl(Axis::X), &potential.curl(Axis::Y)])?;
    /// let region = Region::plane(64, 64);
    /// if engine.device().is_some() {
    ///     let options = TextureOptions { format: TextureFormat::Rg32Float, encoding: Content::Several.into(), ..Default::default() };
    ///     let velocities = flow.texture(&region, &options)?;
    ///     assert_eq!(engine.read_texture(&velocities, 0)?.len(), 64 * 64 * 8);
    /// }
    /// # Ok::<(), EngineError>(())
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`Engine::texture`](crate::Engine::texture), and an error for another content, or for more noises than
    /// the format has channels.
    pub fn texture(&self, region: &Region, options: &TextureOptions) -> Result<wgpu::Texture, EngineError> {
        self.channels(options.format, options.encoding.content)?;
        self.engine().texture_of(self.program(), region, options)
    }

    /// Records the evaluation of a region into an encoder of the engine's device, in one dispatch, as
    /// [`Engine::encode`](crate::Engine::encode) does for one noise. The target is a texture with [`Content::Several`].
    ///
    /// # Errors
    /// Returns an error if the region is invalid or does not fit the target, for another target, for more noises than its format has
    /// channels, or if the device failed.
    pub fn encode(&self, encoder: &mut wgpu::CommandEncoder, region: &Region, target: &Target) -> Result<(), EngineError> {
        let context = self.engine().context()?;
        region.check()?;
        let Some(format) = target.format() else {
            let allowed = "a texture with Content::Several".to_owned();
            return Err(RequestError::not_allowed("target of several noises", "a buffer", allowed).into());
        };
        self.channels(format, target.encoding.content)?;
        Ok(context.encode(encoder, self.program(), region, target)?)
    }

    /// The bytes of a texture in this format, as rows without padding, on any backend. On exact adapters they equal the bytes on
    /// the GPU.
    ///
    /// # Errors
    /// Returns an error if the region is invalid, for another content, for more noises than the format has channels, or if the
    /// device failed.
    pub fn texels(&self, region: &Region, format: TextureFormat, encoding: &TexelEncoding) -> Result<Vec<u8>, EngineError> {
        let layout = self.channels(format, encoding.content)?;
        encoding.check().map_err(RequestError::from)?;
        region.check()?;
        let mut values = vec![0.0; region.samples() as usize * self.outputs()];
        self.field_into(region, &mut values)?;
        Ok(encoding.bytes_of_several(&values, self.outputs(), layout, self.program().range))
    }

    /// The layout of a format with a channel for each noise.
    fn channels(&self, format: TextureFormat, content: Content) -> Result<TexelLayout, RequestError> {
        if content != Content::Several {
            let allowed = "Content::Several".to_owned();
            return Err(RequestError::not_allowed("content of several noises", format!("Content::{content:?}"), allowed));
        }
        let layout = content.layout(format)?;
        if self.outputs() > layout.channels {
            let allowed = format!("up to {}, one in each channel of {format:?}", layout.channels);
            return Err(RequestError::not_allowed("number of noises", self.outputs(), allowed));
        }
        Ok(layout)
    }
}
