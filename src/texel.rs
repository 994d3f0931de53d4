//! Texels: their content (values, gradients, jets or normals), and the conversion of numbers to formats.

use crate::cpu::lib::texel;
use crate::field::{Field, Layer};
use crate::interval::Interval;
use crate::program::narrow;
use wgpu::TextureFormat;

/// The content of a texture's channels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Content {
    /// The value, in one channel, or as grey in four. For a layer of a [pipeline](crate::Pipeline): its channels.
    #[default]
    Value,
    /// The values of several noises, one in each channel, such as the components of a flow; see
    /// [`PreparedSeveral::texture`](crate::PreparedSeveral::texture). Channels without a noise are 0, and the fourth is 1.
    Several,
    /// The gradient per world unit: (∂x, ∂y), and ∂z if there are four channels.
    Gradient,
    /// Value and gradient: (value, ∂x, ∂y, ∂z).
    Jet,
    /// The unit normal of a height field: (x, y, z), z up, in world axes (x along rows, y towards later rows). Unsigned formats
    /// store `normal · 0.5 + 0.5`.
    Normal,
}

/// The conversion of jets to texels. Live, except `content`: changing it compiles nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TexelEncoding {
    /// The content of the channels.
    pub content: Content,
    /// The values to write as 0 and as 1; gradients are scaled alike. `None`: values are written unchanged. For formats from 0 to
    /// 1, `None` stands for the proven range of the noise.
    pub range: Option<[f64; 2]>,
    /// World units of height per unit of value, for normals.
    pub strength: f64,
}

impl Default for TexelEncoding {
    fn default() -> Self {
        TexelEncoding { content: Content::Value, range: None, strength: 1.0 }
    }
}

impl From<Content> for TexelEncoding {
    fn from(content: Content) -> Self {
        TexelEncoding { content, ..TexelEncoding::default() }
    }
}

/// An error: kernels cannot write this texture format, or not with this content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{content:?} cannot be written to {format:?}{}; instead: {instead}", because.map_or(String::new(), |b| format!(", {b}")))]
pub struct FormatError {
    /// The requested content.
    pub content: Content,
    /// The requested format.
    pub format: TextureFormat,
    /// The reason, if the format itself is supported.
    pub because: Option<&'static str>,
    /// Formats to use instead.
    pub instead: &'static str,
}

/// The representation of a number in a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChannelStorage {
    Single,
    Half,
    /// Unsigned normalised: this many steps from 0 to 1.
    Unorm(u16),
}

/// A format that kernels can write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TexelLayout {
    /// Its name in WGSL.
    pub name: &'static str,
    pub channels: usize,
    pub storage: ChannelStorage,
}

impl TexelLayout {
    /// Bytes per texel.
    fn push(self, bytes: &mut Vec<u8>, texel: [f32; 4]) {
        match self.storage {
            ChannelStorage::Single => texel::single(texel)[..self.channels].iter().for_each(|x| bytes.extend(x.to_le_bytes())),
            ChannelStorage::Half => {
                texel::half(texel)[..self.channels].iter().for_each(|&x| bytes.extend(texel::half_bits(x).to_le_bytes()));
            }
            ChannelStorage::Unorm(levels) => {
                let levels = f32::from(levels);
                for x in &texel::unorm(texel, levels, 1.0 / levels)[..self.channels] {
                    let step = (x * levels).round() as u16;
                    if levels == 255.0 { bytes.push(step as u8) } else { bytes.extend(step.to_le_bytes()) }
                }
            }
        }
    }

    /// The bytes of a layer as a texture of this format.
    pub fn bytes(self, layer: &Layer, Mapping { scale, offset, .. }: Mapping) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(layer.values.len() * self.channels * 4);
        for sample in layer.values.chunks_exact(layer.channels.max(1)) {
            let texel = match *sample {
                [value] => texel::value(value, scale, offset),
                [x, y, z] => texel::channels([x, y, z, 1.0], scale, offset),
                [x, y, z, w, ..] => texel::channels([x, y, z, w], scale, offset),
                _ => unreachable!("invariant: the table of stages has outputs of 1, 3 and 4 channels"),
            };
            self.push(&mut bytes, texel);
        }
        bytes
    }
}

/// Storage formats, and the layout of each.
const LAYOUTS: &[(TextureFormat, TexelLayout)] = &[
    (TextureFormat::R32Float, TexelLayout { name: "r32float", channels: 1, storage: ChannelStorage::Single }),
    (TextureFormat::Rg32Float, TexelLayout { name: "rg32float", channels: 2, storage: ChannelStorage::Single }),
    (TextureFormat::Rgba32Float, TexelLayout { name: "rgba32float", channels: 4, storage: ChannelStorage::Single }),
    (TextureFormat::R16Float, TexelLayout { name: "r16float", channels: 1, storage: ChannelStorage::Half }),
    (TextureFormat::Rg16Float, TexelLayout { name: "rg16float", channels: 2, storage: ChannelStorage::Half }),
    (TextureFormat::Rgba16Float, TexelLayout { name: "rgba16float", channels: 4, storage: ChannelStorage::Half }),
    (TextureFormat::R8Unorm, TexelLayout { name: "r8unorm", channels: 1, storage: ChannelStorage::Unorm(255) }),
    (TextureFormat::R16Unorm, TexelLayout { name: "r16unorm", channels: 1, storage: ChannelStorage::Unorm(65535) }),
    (TextureFormat::Rgba8Unorm, TexelLayout { name: "rgba8unorm", channels: 4, storage: ChannelStorage::Unorm(255) }),
];

/// All storage formats.
pub(crate) fn formats() -> impl Iterator<Item = TextureFormat> {
    LAYOUTS.iter().map(|(format, _)| *format)
}

impl Content {
    /// Whether gradients must be computed for it.
    pub(crate) fn has_gradient(self) -> bool {
        match self {
            Content::Value | Content::Several => false,
            Content::Gradient | Content::Jet | Content::Normal => true,
        }
    }

    /// The layout of a format that can hold this content.
    ///
    /// # Errors
    /// Returns an error if the format cannot hold it.
    pub(crate) fn layout(self, format: TextureFormat) -> Result<TexelLayout, FormatError> {
        let layout = LAYOUTS.iter().find(|(known, _)| *known == format).map(|(_, layout)| *layout);
        let (fits, instead): (fn(TexelLayout) -> bool, _) = match self {
            Content::Value => (|l| l.channels != 2, "R32Float, R16Unorm, R16Float, Rgba16Float, Rgba8Unorm"),
            Content::Several => (|l| l.channels >= 2, "Rg32Float, Rg16Float, Rgba32Float, Rgba16Float, Rgba8Unorm"),
            Content::Gradient => {
                (|l| l.channels >= 2 && !matches!(l.storage, ChannelStorage::Unorm(_)), "Rg32Float, Rgba32Float, Rgba16Float")
            }
            Content::Jet => (|l| l.channels == 4 && !matches!(l.storage, ChannelStorage::Unorm(_)), "Rgba32Float, Rgba16Float"),
            Content::Normal => (|l| l.channels == 4, "Rgba8Unorm, Rgba16Float, Rgba32Float"),
        };
        layout.filter(|l| fits(*l)).ok_or(FormatError { content: self, format, because: None, instead })
    }
}

/// The numbers of a dispatch derived from [`TexelEncoding`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mapping {
    pub scale: f32,
    pub offset: f32,
    pub strength: f32,
}

/// An error: numbers of the encoding are invalid.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("texels: {what} = {value:?} is not allowed; allowed: finite numbers of magnitude up to 1e15")]
pub struct TexelError {
    /// The name of the number.
    pub what: &'static str,
    /// Its value.
    pub value: f64,
}

impl Field {
    /// Unit normals of the values as heights, with `strength` world units per unit of value: (x, y, z) in world axes, z up, as
    /// [`Content::Normal`](crate::texture::Content::Normal) writes them to textures. `None` for a field without gradients.
    /// Allocates the result; [`normal`](Self::normal) does not.
    pub fn normals(&self, strength: f64) -> Option<Vec<[f32; 3]>> {
        self.gradients.as_ref().map(|gradients| gradients.iter().map(|&gradient| Field::normal(gradient, strength)).collect())
    }

    /// The unit normal of heights with this gradient, as in [`normals`](Self::normals).
    ///
    /// ```
    /// use orogen::prelude::*;
    /// let hills = Engine::new()?.prepare(&Noise::simplex(Simplex { wavelength: 50.0, ..Default::default() }))?;
    /// // Slices that are reused from chunk to chunk: gradients become normals in place.
    /// let (mut heights, mut normals) = (vec![0.0; 33 * 33], vec![[0.0; 3]; 33 * 33]);
    /// hills.field_with_gradient_into(&Region::chunk(4, 5, 32), &mut heights, &mut normals)?;
    /// normals.iter_mut().for_each(|gradient| *gradient = Field::normal(*gradient, 10.0));
    /// # Ok::<(), EngineError>(())
    /// ```
    pub fn normal(gradient: [f32; 3], strength: f64) -> [f32; 3] {
        let [x, y, z, _] = texel::single(texel::normal(gradient, narrow(strength)));
        [x, y, z]
    }
}

impl TexelEncoding {
    /// Checks every number.
    pub(crate) fn check(&self) -> Result<(), TexelError> {
        let numbers = self.range.into_iter().flatten().map(|x| ("range", x)).chain([("strength", self.strength)]);
        for (what, value) in numbers {
            if !value.is_finite() || value.abs() > crate::params::LARGEST {
                return Err(TexelError { what, value });
            }
        }
        Ok(())
    }

    /// The mapping for a noise of the given range.
    pub(crate) fn mapping(&self, layout: TexelLayout, proven: Interval) -> Mapping {
        let range = match layout.storage {
            ChannelStorage::Unorm(_) => Some(self.range.unwrap_or([proven.lo, proven.hi])),
            ChannelStorage::Single | ChannelStorage::Half => self.range,
        };
        let (scale, offset) = range.map_or((1.0, 0.0), |[lo, hi]| {
            // A constant noise has no range to spread.
            let scale = if hi == lo { 0.0 } else { 1.0 / (hi - lo) };
            (narrow(scale), narrow(-lo * scale))
        });
        Mapping { scale, offset, strength: narrow(self.strength) }
    }

    /// The mapping for a layer with this many channels, whose values have a proven range or none. Formats from 0 to 1 map normals
    /// from −1 to 1 and leave colours unchanged, unless a range is given.
    ///
    /// # Errors
    /// Returns an error if the content is not the value, if the format has too few channels, or if it needs a range and none is
    /// known.
    pub(crate) fn layer_mapping(
        &self,
        format: TextureFormat,
        layout: TexelLayout,
        channels: usize,
        proven: Option<Interval>,
    ) -> Result<Mapping, FormatError> {
        let refuse = |because, instead| Err(FormatError { content: self.content, format, because: Some(because), instead });
        if self.content != Content::Value {
            return refuse("because layers have no gradient", "Content::Value, of a stage `normal` for normals");
        }
        if channels > layout.channels {
            return refuse("because the layer has more channels", "Rgba8Unorm, Rgba16Float, Rgba32Float");
        }
        let proven = match channels {
            1 => proven,
            3 => Some(Interval { lo: -1.0, hi: 1.0 }),
            _ => Some(Interval { lo: 0.0, hi: 1.0 }),
        };
        match (proven, self.range, layout.storage) {
            (None, None, ChannelStorage::Unorm(_)) => {
                refuse("because no range is proven for the layer", "TexelEncoding::range, or R32Float, R16Float, Rgba16Float")
            }
            (proven, ..) => Ok(self.mapping(layout, proven.unwrap_or(Interval { lo: 0.0, hi: 1.0 }))),
        }
    }

    /// The bytes of a field as a texture of this format, rows without padding.
    pub(crate) fn bytes(&self, field: &Field, layout: TexelLayout, proven: Interval) -> Vec<u8> {
        let Mapping { scale, offset, strength } = self.mapping(layout, proven);
        let gradient = |i: usize| field.gradients.as_ref().map_or([0.0; 3], |g| g[i]);
        let mut bytes = Vec::with_capacity(field.values.len() * layout.channels * 4);
        for (i, &value) in field.values.iter().enumerate() {
            let texel = match self.content {
                Content::Value => texel::value(value, scale, offset),
                Content::Several => texel::several(&[value], scale, offset),
                Content::Gradient => texel::gradient(gradient(i), scale),
                Content::Jet => texel::jet(value, gradient(i), scale, offset),
                Content::Normal => texel::normal(gradient(i), strength),
            };
            let biased = self.content == Content::Normal && matches!(layout.storage, ChannelStorage::Unorm(_));
            layout.push(&mut bytes, if biased { texel::biased(texel) } else { texel });
        }
        bytes
    }

    /// The bytes of the values of several noises, `count` for each sample, as a texture of this format.
    pub(crate) fn bytes_of_several(&self, values: &[f32], count: usize, layout: TexelLayout, proven: Interval) -> Vec<u8> {
        let Mapping { scale, offset, .. } = self.mapping(layout, proven);
        let mut bytes = Vec::with_capacity(values.len() * layout.channels * 4);
        values.chunks_exact(count).for_each(|values| layout.push(&mut bytes, texel::several(values, scale, offset)));
        bytes
    }
}
