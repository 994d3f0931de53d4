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

/// A layer that is asked for, and where its numbers go.
#[repr(C)]
pub struct OrogenLayer {
    /// A stage, an output of one (`stage.output`) or a node; NULL for the recipe's output.
    pub name: *const c_char,
    /// Memory for `count` numbers, which gets the channels of a sample side by side, x fastest.
    pub values: *mut f32,
    /// As many as the region's samples times the layer's channels (`orogen_recipe_channels`).
    pub count: usize,
}

/// Most layers of one call.
pub const OROGEN_MOST_LAYERS: usize = 1024;

/// Computes `layer_count` layers of a recipe on a region, of one sample along z, in one go: stages that several of them need run once.
/// Every layer's memory is checked before anything is computed. Stages that read the whole world take the region for it, unless the recipe
/// has been measured (`orogen_recipe_measure`). While it computes, as much memory is in use as the layers hold, and what stages need beside.
///
/// Fails with NULL, HANDLE, UTF8, REGION, RECIPE (no such layer), SIZE (another number of numbers; too many layers), NOISE, MEMORY, DEVICE.
/// After a failure the layers' memory is as it was.
///
/// Any thread; several at once, of one engine and recipe too.
///
/// # Safety
/// The handles have not been freed, strings end in 0; the buffers hold as much as is said, do not overlap, and nobody else uses them
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
    // SAFETY: the pointers are the caller's, as the header asks for them.
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
