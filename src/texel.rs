//! What a texel holds: values, gradients, jets or normals, and how numbers become a format's.

use crate::cpu::lib::texel;
use crate::field::{Field, Layer};
use crate::graph::Interval;
use wgpu::TextureFormat;

/// What the channels of a texture hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Content {
    /// The value, in one channel; as grey where there are four. Of a [pipeline](crate::Pipeline)'s layer: its channels.
    #[default]
    Value,
    /// The gradient per world unit: (∂x, ∂y), and ∂z where there are four channels.
    Gradient,
    /// Value and gradient: (value, ∂x, ∂y, ∂z).
    Jet,
    /// The unit normal of a height field: (x, y, z), z up, in world axes (x along rows, y towards later rows). Formats without
    /// negative numbers hold `normal · 0.5 + 0.5`.
    Normal,
}

/// How jets become texels. Live: changing it compiles nothing, except `content`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TexelEncoding {
    /// What the channels hold.
    pub content: Content,
    /// The values to write as 0 and as 1; gradients are scaled alike. Not given: values are written as they are, or, where the
    /// format holds 0 to 1 only, from the least to the greatest value the noise can have (its proven range).
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

/// A texture format that no kernel can write, or not with this content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{content:?} cannot be written to {format:?}{}; instead: {instead}", because.map_or(String::new(), |b| format!(", {b}")))]
pub struct FormatError {
    /// What was to be written.
    pub content: Content,
    /// Where to.
    pub format: TextureFormat,
    /// Why not, where the format as such would do.
    pub because: Option<&'static str>,
    /// What would do.
    pub instead: &'static str,
}

/// How a channel stores a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChannelStorage {
    Single,
    Half,
    /// Whole steps from 0 to 1, so many.
    Unorm(u16),
}

/// A format that kernels write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TexelLayout {
    /// As WGSL calls it.
    pub name: &'static str,
    pub channels: usize,
    pub storage: ChannelStorage,
}

impl TexelLayout {
    /// A texel's bytes.
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

    /// The bytes of a layer as a texture of the format holds them.
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

/// Every format that a kernel might write.
pub(crate) fn formats() -> impl Iterator<Item = TextureFormat> {
    LAYOUTS.iter().map(|(format, _)| *format)
}

impl Content {
    /// Whether gradients are computed for it.
    pub(crate) fn has_gradient(self) -> bool {
        match self {
            Content::Value => false,
            Content::Gradient | Content::Jet | Content::Normal => true,
        }
    }

    /// The layout of a format that can hold this.
    ///
    /// # Errors
    /// It cannot.
    pub(crate) fn layout(self, format: TextureFormat) -> Result<TexelLayout, FormatError> {
        let layout = LAYOUTS.iter().find(|(known, _)| *known == format).map(|(_, layout)| *layout);
        let (fits, instead): (fn(TexelLayout) -> bool, _) = match self {
            Content::Value => (|l| l.channels != 2, "R32Float, R16Unorm, R16Float, Rgba16Float, Rgba8Unorm"),
            Content::Gradient => {
                (|l| l.channels >= 2 && !matches!(l.storage, ChannelStorage::Unorm(_)), "Rg32Float, Rgba32Float, Rgba16Float")
            }
            Content::Jet => (|l| l.channels == 4 && !matches!(l.storage, ChannelStorage::Unorm(_)), "Rgba32Float, Rgba16Float"),
            Content::Normal => (|l| l.channels == 4, "Rgba8Unorm, Rgba16Float, Rgba32Float"),
        };
        layout.filter(|l| fits(*l)).ok_or(FormatError { content: self, format, because: None, instead })
    }
}

/// The numbers of a dispatch that follow from [`TexelEncoding`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mapping {
    pub scale: f32,
    pub offset: f32,
    pub strength: f32,
}

/// Numbers that no texel can be made with.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("texels: {what} = {value:?} is not allowed; allowed: finite numbers of magnitude up to 1e15")]
pub struct TexelError {
    /// Which number.
    pub what: &'static str,
    /// Its value.
    pub value: f64,
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
        let narrow = crate::program::narrow;
        let (scale, offset) = range.map_or((1.0, 0.0), |[lo, hi]| {
            // A noise of one value only has no range to spread.
            let scale = if hi == lo { 0.0 } else { 1.0 / (hi - lo) };
            (narrow(scale), narrow(-lo * scale))
        });
        Mapping { scale, offset, strength: narrow(self.strength) }
    }

    /// The mapping for a layer of so many channels, whose values are proven to lie in a range, or not. Formats that hold 0 to 1 only take
    /// normals from −1 to 1, and colours as they are, unless a range is given.
    ///
    /// # Errors
    /// The content is not the value, the format has too few channels, or it needs a range and none is known.
    pub(crate) fn layer_mapping(
        &self,
        format: TextureFormat,
        layout: TexelLayout,
        channels: usize,
        proven: Option<Interval>,
    ) -> Result<Mapping, FormatError> {
        let refuse = |because, instead| Err(FormatError { content: self.content, format, because: Some(because), instead });
        if self.content != Content::Value {
            return refuse("as layers have no gradient of their own", "Content::Value, of a stage `normal` for normals");
        }
        if channels > layout.channels {
            return refuse("as the layer has more channels", "Rgba8Unorm, Rgba16Float, Rgba32Float");
        }
        let proven = match channels {
            1 => proven,
            3 => Some(Interval { lo: -1.0, hi: 1.0 }),
            _ => Some(Interval { lo: 0.0, hi: 1.0 }),
        };
        match (proven, self.range, layout.storage) {
            (None, None, ChannelStorage::Unorm(_)) => {
                refuse("as no range is proven for the layer", "TexelEncoding::range, or R32Float, R16Float, Rgba16Float")
            }
            (proven, ..) => Ok(self.mapping(layout, proven.unwrap_or(Interval { lo: 0.0, hi: 1.0 }))),
        }
    }

    /// The bytes of a field as a texture of the format holds them, rows one after the other without padding.
    pub(crate) fn bytes(&self, field: &Field, layout: TexelLayout, proven: Interval) -> Vec<u8> {
        let Mapping { scale, offset, strength } = self.mapping(layout, proven);
        let gradient = |i: usize| field.gradients.as_ref().map_or([0.0; 3], |g| g[i]);
        let mut bytes = Vec::with_capacity(field.values.len() * layout.channels * 4);
        for (i, &value) in field.values.iter().enumerate() {
            let texel = match self.content {
                Content::Value => texel::value(value, scale, offset),
                Content::Gradient => texel::gradient(gradient(i), scale),
                Content::Jet => texel::jet(value, gradient(i), scale, offset),
                Content::Normal => texel::normal(gradient(i), strength),
            };
            let biased = self.content == Content::Normal && matches!(layout.storage, ChannelStorage::Unorm(_));
            layout.push(&mut bytes, if biased { texel::biased(texel) } else { texel });
        }
        bytes
    }
}
