//! Noises as source code. The server and a page have different translators, since that of a page is a module of its own.

use crate::open_recipe::OpenRecipe;
use crate::refusal::{Reason, Refusal};
use orogen::Noise;

/// The languages of exports: those of `orogen export` that are text.
pub const TARGETS: [&str; 9] = ["wgsl", "hlsl", "glsl", "msl", "glsl-es", "godot", "unity", "unreal", "js"];

/// Writes a noise in one of [`TARGETS`]. The last argument is the name in the comment at the top.
pub type Translate<'a> = &'a dyn Fn(&Noise, &str, &str) -> Result<String, String>;

/// A layer's noise as source code.
pub(crate) fn exported(known: &OpenRecipe, layer: &str, target: &str, translate: Translate<'_>) -> Result<String, Refusal> {
    if !TARGETS.contains(&target) {
        return Err(Refusal::bad(format!("target '{target}' is not allowed; allowed: {}", TARGETS.join(", "))));
    }
    let noise = known.recipe.pipeline.noise_of(layer).map_err(Refusal::bad)?;
    translate(&noise, target, layer).map_err(|error| Reason::new(error).into())
}
