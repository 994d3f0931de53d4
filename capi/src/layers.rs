//! Layers: what a recipe makes of a region, stages and all.

use crate::args::{check_count, optional_text, slice, slice_mut, value};
use crate::guard::guard;
use crate::handle::borrow;
use crate::open::OrogenEngine;
use crate::recipe::OrogenRecipe;
use crate::region::OrogenRegion;
use crate::status::{Fault, OrogenError, OrogenStatus};
use engine::Region;
use std::ffi::c_char;

/// A requested layer and the memory for it.
#[repr(C)]
pub struct OrogenLayer {
    /// Name of a stage, of an output of a stage (`stage.output`) or of a node. NULL: the recipe's output.
    pub name: *const c_char,
    /// Memory for `count` numbers: the channels of each sample next to each other, x fastest, then y.
    pub values: *mut f32,
    /// Length of `values`: must be the number of samples times the number of channels (`orogen_recipe_channels`).
    pub count: usize,
}

/// Maximum number of layers of one call.
pub const OROGEN_MOST_LAYERS: usize = 1024;

/// Computes `layer_count` layers of a recipe on a region and writes them to the caller's memory. Stages that several layers need run once.
/// The region has one sample along z. All counts are checked before anything is computed. Stages that depend on the whole world use the
/// region as the world, unless the recipe was measured (`orogen_recipe_measure`).
///
/// Cost: memory for a copy of the results and for the stages, at most `OrogenEngineOptions.memory` at a time for the latter.
///
/// Errors: NULL, HANDLE, UTF8, REGION, RECIPE (no such layer), SIZE (a count is not the required one, or there are too many layers), NOISE,
/// MEMORY, DEVICE. After a failure the layers' memory is unchanged.
///
/// Thread safety: any thread, also several at once with the same engine and recipe.
///
/// # Safety
/// The handles have not been freed. Strings end in 0. The buffers have the stated sizes, do not overlap, and are not used by other threads
/// during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_layers(
    engine: *const OrogenEngine,
    recipe: *const OrogenRecipe,
    region: *const OrogenRegion,
    layers: *const OrogenLayer,
    layer_count: usize,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let (engine, recipe, region) = (borrow(engine)?, borrow(recipe)?.get(), Region::from(value("region", region)?));
            region.check()?;
            if layer_count > OROGEN_MOST_LAYERS {
                let message = format!("{layer_count} layers in one call are not allowed; allowed: up to {OROGEN_MOST_LAYERS}");
                return Err(Fault::new(OrogenStatus::Size, message));
            }
            let (mut names, mut buffers) = (Vec::new(), Vec::new());
            for layer in slice("layers", layers, layer_count)? {
                let name = optional_text("name of a layer", layer.name)?.unwrap_or(&recipe.pipeline.output);
                let needed = region.samples().saturating_mul(recipe.pipeline.channels(name)? as u64);
                check_count(&format!("layer '{name}'"), layer.count, needed)?;
                names.push(name);
                buffers.push(slice_mut("values of a layer", layer.values, layer.count)?);
            }
            if names.is_empty() {
                return Ok(());
            }
            let found = engine.layers(&recipe.pipeline, &names, &region)?;
            buffers.into_iter().zip(found).for_each(|(buffer, layer)| buffer.copy_from_slice(&layer.values));
            Ok(())
        })
    }
}
