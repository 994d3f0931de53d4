//! Recipes: noises and what comes after them, as text.

use crate::args::{Buffer, Place, optional_text, slice, text};
use crate::guard::guard;
use crate::handle::{Kind, borrow, free, give};
use crate::open::OrogenEngine;
use crate::region::OrogenRegion;
use crate::shared::Shared;
use crate::status::{Fault, OrogenError, OrogenStatus};
use engine::node::Heights;
use engine::{Pipeline, Recipe, Region};
use std::ffi::c_char;
use std::path::Path;

/// A recipe: a graph of named nodes, the stages after them, and which of them is the result.
pub struct OrogenRecipe {
    _opaque: [u8; 0],
}

impl Kind for OrogenRecipe {
    const MAGIC: u64 = u64::from_le_bytes(*b"orogenRE");
    const NAME: &'static str = "recipe";
    type Value = Shared<Recipe>;
}

/// Reads and checks a recipe into `*recipe`, which is NULL after a failure: JSON if the text's first visible character is `{`, else TOML.
///
/// `folder` is where the files lie that the recipe's nodes name (rasters); names may lead out of it, as paths do. With NULL no file is
/// read, and a node that names one cannot be evaluated. Nothing of the text is kept. The caller frees the recipe with
/// `orogen_recipe_free`.
///
/// Fails with NULL (`text`, `recipe`), UTF8, RECIPE (with line and column; also a file that cannot be read).
///
/// Any thread.
///
/// # Safety
/// The strings end in 0, and the pointers are NULL or point at what their types say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_recipe_parse(
    text: *const c_char,
    folder: *const c_char,
    recipe: *mut *mut OrogenRecipe,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the pointers are the caller's, as the header asks for them.
    unsafe {
        guard(error, || {
            let place = Place::new("recipe", recipe)?;
            place.set(std::ptr::null_mut());
            let (text, folder) = (self::text("text", text)?, optional_text("folder", folder)?);
            place.set(give(Shared::new(parse(text, folder.map(Path::new))?)));
            Ok(())
        })
    }
}

fn parse(text: &str, folder: Option<&Path>) -> Result<Recipe, Fault> {
    let json = text.trim_start().starts_with('{');
    let file = if json { "recipe.json" } else { "recipe.toml" };
    Ok(match (json, folder) {
        (false, None) => Recipe::from_toml(text, file)?,
        (false, Some(folder)) => Recipe::from_toml_with(text, file, |name| Heights::read(folder.join(name)))?,
        (true, None) => Recipe::from_json(text, file)?,
        (true, Some(folder)) => Recipe::from_json_with(text, file, |name| Heights::read(folder.join(name)))?,
    })
}

/// Reads and checks a file into `*recipe`, which is NULL after a failure: JSON if its name ends in `.json`, else TOML; and the files that
/// its nodes name, which lie beside it. The caller frees the recipe with `orogen_recipe_free`.
///
/// Fails with NULL, UTF8 (`path`), FILE (the file cannot be read), RECIPE (as `orogen_recipe_parse`).
///
/// Any thread.
///
/// # Safety
/// `path` ends in 0, and the pointers are NULL or point at what their types say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_recipe_load(path: *const c_char, recipe: *mut *mut OrogenRecipe, error: *mut OrogenError) -> OrogenStatus {
    // SAFETY: the pointers are the caller's, as the header asks for them.
    unsafe {
        guard(error, || {
            let place = Place::new("recipe", recipe)?;
            place.set(std::ptr::null_mut());
            place.set(give(Shared::new(Recipe::load(text("path", path)?)?)));
            Ok(())
        })
    }
}

/// The recipe as TOML, as it stands: `orogen_recipe_parse` reads the same recipe from it. Writes as `orogen_engine_describe` does.
///
/// Fails with NULL, HANDLE, SIZE, RECIPE (something in it is not allowed: a number that is not finite).
///
/// Any thread.
///
/// # Safety
/// The handle has not been freed, and the pointers are NULL or point at as much as is said.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_recipe_toml(
    recipe: *const OrogenRecipe,
    text: *mut c_char,
    size: usize,
    length: *mut usize,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the pointers are the caller's, as the header asks for them.
    unsafe {
        guard(error, || {
            let (recipe, buffer) = (borrow(recipe)?, Buffer::new(text.cast(), size, length)?);
            buffer.text(&recipe.get().to_toml()?)
        })
    }
}

/// The recipe as JSON; otherwise as `orogen_recipe_toml`.
///
/// # Safety
/// The handle has not been freed, and the pointers are NULL or point at as much as is said.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_recipe_json(
    recipe: *const OrogenRecipe,
    text: *mut c_char,
    size: usize,
    length: *mut usize,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the pointers are the caller's, as the header asks for them.
    unsafe {
        guard(error, || {
            let (recipe, buffer) = (borrow(recipe)?, Buffer::new(text.cast(), size, length)?);
            buffer.text(&recipe.get().to_json()?)
        })
    }
}

/// The name of the recipe's result: a node, a stage, or an output of one (`stage.output`). Writes as `orogen_engine_describe` does.
///
/// Fails with NULL, HANDLE, SIZE.
///
/// Any thread.
///
/// # Safety
/// The handle has not been freed, and the pointers are NULL or point at as much as is said.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_recipe_output(
    recipe: *const OrogenRecipe,
    text: *mut c_char,
    size: usize,
    length: *mut usize,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the pointers are the caller's, as the header asks for them.
    unsafe {
        guard(error, || {
            let (recipe, buffer) = (borrow(recipe)?, Buffer::new(text.cast(), size, length)?);
            buffer.text(&recipe.get().pipeline.output)
        })
    }
}

/// Everything that can be asked for as a layer: outputs of stages, the main one by the stage's own name, then nodes.
fn layers(pipeline: &Pipeline) -> Vec<String> {
    let full = |stage: &String, output: &str| if output.is_empty() { stage.clone() } else { format!("{stage}.{output}") };
    let stages = pipeline.stage.iter().flat_map(|(name, stage)| stage.outputs().iter().map(move |output| full(name, output.name)));
    stages.chain(pipeline.node.keys().cloned()).collect()
}

/// How many names can be asked for as layers: outputs of stages, and nodes.
///
/// Fails with NULL, HANDLE, ARGUMENT (unaligned).
///
/// Any thread.
///
/// # Safety
/// The handle has not been freed, and the pointers are NULL or point at what their types say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_recipe_layer_count(
    recipe: *const OrogenRecipe,
    count: *mut usize,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the pointers are the caller's, as the header asks for them.
    unsafe {
        guard(error, || {
            let (recipe, place) = (borrow(recipe)?, Place::new("count", count)?);
            place.set(layers(&recipe.get().pipeline).len());
            Ok(())
        })
    }
}

/// The name of layer `index`, from 0: outputs of stages first, then nodes, each in the recipe's order. Writes as
/// `orogen_engine_describe` does.
///
/// Fails with NULL, HANDLE, ARGUMENT (an index that is too large), SIZE.
///
/// Any thread.
///
/// # Safety
/// The handle has not been freed, and the pointers are NULL or point at as much as is said.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_recipe_layer_name(
    recipe: *const OrogenRecipe,
    index: usize,
    text: *mut c_char,
    size: usize,
    length: *mut usize,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the pointers are the caller's, as the header asks for them.
    unsafe {
        guard(error, || {
            let (recipe, buffer) = (borrow(recipe)?, Buffer::new(text.cast(), size, length)?);
            let all = layers(&recipe.get().pipeline);
            let refuse = || Fault::new(OrogenStatus::Argument, format!("index = {index} is not allowed; allowed: less than {}", all.len()));
            buffer.text(all.get(index).ok_or_else(refuse)?)
        })
    }
}

/// How many numbers a sample of a layer has: 1, 3 of a normal, 4 of a colour (linear red, green, blue, opacity). `layer` may be NULL for
/// the recipe's output.
///
/// Fails with NULL, HANDLE, UTF8, RECIPE (no such layer), ARGUMENT (unaligned).
///
/// Any thread.
///
/// # Safety
/// The handle has not been freed, strings end in 0, and the pointers are NULL or point at what their types say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_recipe_channels(
    recipe: *const OrogenRecipe,
    layer: *const c_char,
    channels: *mut usize,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the pointers are the caller's, as the header asks for them.
    unsafe {
        guard(error, || {
            let (recipe, place) = (borrow(recipe)?.get(), Place::new("channels", channels)?);
            let layer = optional_text("layer", layer)?.unwrap_or(&recipe.pipeline.output);
            place.set(recipe.pipeline.channels(layer)?);
            Ok(())
        })
    }
}

/// Another recipe, into `*measured`, in which every stage that reads the whole world (`normalise`, say) knows what it needs of it: from
/// then on its tiles can be computed in any order and fit together. `world` are the `count` regions that make the world up, each sample
/// once. The recipe's output and the layers that it bakes are measured. The caller frees `*measured` with `orogen_recipe_free`; it is
/// NULL after a failure.
///
/// Fails with NULL, HANDLE, REGION, RECIPE, NOISE, MEMORY, DEVICE.
///
/// Any thread. Computes the whole world, where a stage needs it.
///
/// # Safety
/// The handles have not been freed, and the pointers are NULL or point at as much as is said.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_recipe_measure(
    engine: *const OrogenEngine,
    recipe: *const OrogenRecipe,
    world: *const OrogenRegion,
    count: usize,
    measured: *mut *mut OrogenRecipe,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the pointers are the caller's, as the header asks for them.
    unsafe {
        guard(error, || {
            let place = Place::new("measured", measured)?;
            place.set(std::ptr::null_mut());
            let (engine, recipe, world) = (borrow(engine)?, borrow(recipe)?.get(), slice("world", world, count)?);
            let world: Vec<Region> = world.iter().map(Region::from).collect();
            world.iter().try_for_each(Region::check)?;
            if let Some(region) = world.iter().find(|region| region.size[2] != 1) {
                let message = format!("region: size = {:?} is not allowed; allowed: 1 sample along z: stages work on planes", region.size);
                return Err(Fault::new(OrogenStatus::Region, message));
            }
            let mut outputs = vec![&recipe.pipeline.output];
            outputs.extend(recipe.bake.layers.iter().filter(|layer| **layer != recipe.pipeline.output));
            let pipeline = engine.measure(&recipe.pipeline, &outputs, &world)?;
            place.set(give(Shared::new(Recipe { pipeline, bake: recipe.bake.clone() })));
            Ok(())
        })
    }
}

/// What the recipe says of its bake: the tile (0, 0) of its world into `*tile` (its size, spacing and height), and how many tiles there are
/// along x and y into `tiles`. Either may be NULL.
///
/// Fails with NULL (`recipe`), HANDLE, ARGUMENT (unaligned).
///
/// Any thread.
///
/// # Safety
/// The handle has not been freed, and the pointers are NULL or point at what their types say, `tiles` at two numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_recipe_bake(
    recipe: *const OrogenRecipe,
    tile: *mut OrogenRegion,
    tiles: *mut u32,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the pointers are the caller's, as the header asks for them.
    unsafe {
        guard(error, || {
            let recipe = borrow(recipe)?.get();
            let bake = &recipe.bake;
            if !tile.is_null() {
                let region = Region { spacing: bake.spacing, anchor: [0.0, 0.0, bake.z], ..Region::tile(0, 0, bake.tile) };
                Place::new("tile", tile)?.set(region.into());
            }
            if !tiles.is_null() {
                Place::new("tiles", tiles.cast::<[u32; 2]>())?.set(bake.tiles);
            }
            Ok(())
        })
    }
}

/// Frees a recipe. NULL is allowed. Noises that were prepared of it stay.
///
/// Fails with HANDLE: it has been freed before, as far as that can be seen, or is another kind of handle; nothing is freed then.
///
/// Any thread; no other call may be using the handle.
///
/// # Safety
/// No other call uses the handle, now or later.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_recipe_free(recipe: *mut OrogenRecipe) -> OrogenStatus {
    // SAFETY: the pointer is the caller's, as the header asks for it.
    unsafe { guard(std::ptr::null_mut(), || free(recipe)) }
}
