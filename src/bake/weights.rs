//! Layers as products: several masks are one file of weights, every other layer is a file by itself.

use crate::bake::{BakeError, Format, PlanError, Product};
use crate::error::LayersError;
use crate::field::Layer;
use crate::stage::Pipeline;

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
        if k == 0 && self.format.is_weights() {
            let allowed = "weights after a layer of another kind, which comes first";
            return Err(PlanError::not_allowed("layers", format!("'{}'", self.layer), allowed).into());
        }
        self.channels(pipeline).map(|_| ())
    }

    /// The numbers of a sample.
    ///
    /// # Errors
    /// A layer that the pipeline does not have, or numbers of channels that the format does not hold.
    pub(super) fn channels(&self, pipeline: &Pipeline) -> Result<usize, BakeError> {
        let parts = self.parts().map(|part| pipeline.channels(part)).collect::<Result<Vec<usize>, _>>().map_err(LayersError::from)?;
        let (channels, format) = (parts.iter().sum(), self.format);
        let is_held = format.channels().contains(&channels);
        if format.is_weights() {
            if !(is_held && parts.iter().all(|&channels| channels == 1)) {
                let allowed = "two to four layers of one channel, as in grass+rock+snow";
                return Err(PlanError::not_allowed("weights", format!("of '{}'", self.layer), allowed).into());
            }
        } else if !is_held {
            let value = format!("{} of '{}', which has {channels} channels,", format.name(), self.layer);
            let allowed =
                Format::choices().filter(|format| format.channels().contains(&channels)).map(Format::name).collect::<Vec<_>>().join(", ");
            return Err(PlanError::not_allowed("format", value, allowed).into());
        }
        Ok(channels)
    }
}

/// The layers that a file of a format contains: the masks of weights, or the one layer.
pub(super) fn parts(format: Format, layer: &str) -> impl Iterator<Item = &str> {
    let most = if format.is_weights() { usize::MAX } else { 1 };
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
