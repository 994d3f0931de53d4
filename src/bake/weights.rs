//! Weights: up to four masks in one picture, which sum to 255, as terrain engines read splat maps.

use crate::bake::{BakeError, Format, PlanError, Product};
use crate::engine::layers::LayersError;
use crate::field::Layer;
use crate::stage::Pipeline;
use image::{ExtendedColorType, ImageEncoder, codecs::png};
use std::io::{Error, ErrorKind};

/// Most masks in a picture: red, green, blue and alpha.
const MOST: usize = 4;

/// The character between the names of masks.
const JOINT: char = '+';

impl Product {
    /// The layers of the product: the masks of weights, or the one layer.
    pub fn parts(&self) -> impl Iterator<Item = &str> {
        parts(self.format, &self.layer)
    }

    /// Refuses weights as the first product, and weights of layers that cannot be masks.
    ///
    /// # Errors
    /// Returns an error in these cases, and if the pipeline does not have a layer.
    pub fn check(&self, pipeline: &Pipeline, k: usize) -> Result<(), BakeError> {
        if k == 0 && self.format == Format::Weights {
            let allowed = "weights after another layer, which comes first";
            return Err(PlanError::not_allowed("layers", format!("'{}'", self.layer), allowed).into());
        }
        self.channels(pipeline).map(|_| ())
    }

    /// The number of channels of a sample.
    ///
    /// # Errors
    /// Returns an error if the pipeline does not have a layer, a mask has more than one channel, or weights have fewer than two or
    /// more than four masks.
    pub(super) fn channels(&self, pipeline: &Pipeline) -> Result<usize, BakeError> {
        let parts = self.parts().map(|part| pipeline.channels(part)).collect::<Result<Vec<usize>, _>>().map_err(LayersError::from)?;
        if self.format == Format::Weights && !((2..=MOST).contains(&parts.len()) && parts.iter().all(|&channels| channels == 1)) {
            let allowed = "two to four layers of one channel, as in grass+rock+snow";
            return Err(PlanError::not_allowed("weights", format!("of '{}'", self.layer), allowed).into());
        }
        Ok(parts.into_iter().sum())
    }
}

/// The layers that a file of a format contains: the masks of weights, or the one layer.
pub(super) fn parts(format: Format, layer: &str) -> impl Iterator<Item = &str> {
    let most = if format == Format::Weights { usize::MAX } else { 1 };
    layer.splitn(most, JOINT)
}

/// The layers to evaluate for these products, in order.
pub(super) fn layers_of(products: &[Product]) -> Vec<&str> {
    products.iter().flat_map(Product::parts).collect()
}

/// Joins evaluated layers into one layer for each product.
pub(super) fn joined(products: &[Product], layers: Vec<Layer>) -> Vec<Layer> {
    let mut layers = layers.into_iter();
    let mut joined = Vec::new();
    for product in products {
        let mut parts: Vec<Layer> = layers.by_ref().take(product.parts().count()).collect();
        joined.extend(match parts.len() {
            0 | 1 => parts.pop(),
            channels => {
                let samples = parts[0].values.len();
                let values = (0..samples).flat_map(|i| parts.iter().map(move |part| part.values[i])).collect();
                Some(Layer { name: product.layer.clone(), region: parts[0].region, channels, values })
            }
        });
    }
    joined
}

/// Normalises the masks of a sample to sum to 255, by largest-remainder rounding. Negative values count as 0. If all masks are 0,
/// the first one gets everything.
fn shares(masks: &[f32]) -> [u8; MOST] {
    let masks: [f64; MOST] = std::array::from_fn(|k| masks.get(k).map_or(0.0, |&mask| f64::from(mask).max(0.0)));
    let whole: f64 = masks.iter().sum();
    if whole <= 0.0 {
        return [255, 0, 0, 0];
    }
    let exact = masks.map(|mask| mask / whole * 255.0);
    let mut shares = exact.map(|share| share as u8);
    // The remainder goes to the masks with the largest fractions, the first one among equals.
    let left = 255 - shares.iter().map(|&share| i32::from(share)).sum::<i32>();
    for _ in 0..left.max(0) {
        let lost = |k: usize| exact[k] - f64::from(shares[k]);
        let most = (1..MOST).fold(0, |most, k| if lost(k) > lost(most) { k } else { most });
        shares[most] += 1;
    }
    shares
}

/// Encodes a layer of two to four masks as a picture.
pub(super) fn encode(layer: &Layer) -> Result<Vec<u8>, Error> {
    let [width, height, _] = layer.region.size;
    let bytes: Vec<u8> = layer.values.chunks_exact(layer.channels).flat_map(shares).collect();
    let mut out = Vec::new();
    png::PngEncoder::new_with_quality(&mut out, png::CompressionType::Fast, png::FilterType::Adaptive)
        .write_image(&bytes, width, height, ExtendedColorType::Rgba8)
        .map_err(Error::other)?;
    Ok(out)
}

/// Decodes the weights of `masks` masks, as shares of 1.
pub(super) fn decode(bytes: &[u8], masks: usize) -> Result<Vec<f32>, Error> {
    let picture = image::load_from_memory_with_format(bytes, image::ImageFormat::Png).map_err(Error::other)?;
    let image::DynamicImage::ImageRgba8(picture) = picture else {
        return Err(Error::new(ErrorKind::InvalidData, "a PNG file of another kind"));
    };
    let shares = |pixel: &image::Rgba<u8>| pixel.0.into_iter().take(masks).map(|share| f32::from(share) / 255.0).collect::<Vec<_>>();
    Ok(picture.pixels().flat_map(shares).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up_to_255_and_are_as_near_as_they_can_be() {
        assert_eq!(shares(&[1.0, 1.0, 1.0]), [85, 85, 85, 0]);
        assert_eq!(shares(&[1.0, 1.0]), [128, 127, 0, 0]);
        assert_eq!(shares(&[0.0, 0.0, 0.0, 0.0]), [255, 0, 0, 0]);
        assert_eq!(shares(&[-1.0, 0.25]), [0, 255, 0, 0]);
        assert_eq!(shares(&[f32::MAX, f32::MAX, 1e-30, 0.0]), [128, 127, 0, 0]);
        for i in 0..4096_u32 {
            let masks: [f32; 4] = std::array::from_fn(|k| (i >> (3 * k) & 7) as f32 * [0.1, 1.0, 3.7, 0.01][k]);
            let found = shares(&masks);
            assert_eq!(found.iter().map(|&share| u32::from(share)).sum::<u32>(), 255, "{masks:?}");
            let whole: f32 = masks.iter().sum();
            let near = |k: usize| (f32::from(found[k]) - masks[k] / whole * 255.0).abs() < 1.0;
            assert!(whole == 0.0 || (0..4).all(near), "{masks:?}: {found:?}");
        }
    }
}
