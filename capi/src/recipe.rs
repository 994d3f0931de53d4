//! Recipes: noises and what comes after them, as text.

use crate::args::{Buffer, Place, optional_text, slice, text};
use crate::guard::guard;
use crate::handle::{Kind, borrow, free, give};
use crate::open::OrogenEngine;
use crate::region::{OrogenRegion, plane};
use crate::shared::Shared;
use crate::status::{Fault, OrogenError, OrogenStatus};
use engine::{Pipeline, Recipe, RecipeReader, Region};
use std::ffi::c_char;
use std::path::Path;

/// A recipe: named nodes, the stages applied to them, and the name of the result.
pub struct OrogenRecipe {
    _opaque: [u8; 0],
}

impl Kind for OrogenRecipe {
    const MAGIC: u64 = u64::from_le_bytes(*b"orogenRE");
    const NAME: &'static str = "recipe";
    type Value = Shared<Recipe>;
}

/// Parses and checks a recipe and stores it in `*recipe`; stores NULL after a failure. The text is JSON if its first character that is not
/// white space is `{`, otherwise TOML. The caller frees the recipe with `orogen_recipe_free`.
///
/// `folder` is the folder of the files that `raster` and `recipe` nodes name; a name may be a path that leads out of it. If `folder`
/// is NULL, no file is read: a `raster` node cannot be evaluated until `orogen_recipe_set_heights` gives it heights, and a `recipe`
/// node that names a file is an error.
///
/// Errors: NULL (`text`, `recipe`), UTF8, RECIPE (an invalid recipe, with line and column; or one of its files cannot be read).
///
/// Thread safety: any thread.
///
/// # Safety
/// Strings end in 0. Each pointer is NULL or points to a value of its type.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_recipe_parse(
    text: *const c_char,
    folder: *const c_char,
    recipe: *mut *mut OrogenRecipe,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
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
    let json = text.trim_start_matches('\u{feff}').trim_start().starts_with('{');
    let file = if json { "recipe.json" } else { "recipe.toml" };
    let reader = folder.map_or_else(RecipeReader::new, |folder| RecipeReader::new().folder(folder));
    let read = if json { reader.json(text, file)? } else { reader.toml(text, file)? };
    Ok(read.recipe)
}

/// Reads and checks a recipe file and stores it in `*recipe`; stores NULL after a failure. The file is JSON if its name ends in `.json`,
/// otherwise TOML. Files that `raster` and `recipe` nodes name are read from the recipe file's folder. The caller frees the recipe with
/// `orogen_recipe_free`.
///
/// Errors: NULL, UTF8 (`path`), FILE (the recipe file cannot be read), RECIPE (as in `orogen_recipe_parse`).
///
/// Thread safety: any thread.
///
/// # Safety
/// `path` ends in 0. Each pointer is NULL or points to a value of its type.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_recipe_load(path: *const c_char, recipe: *mut *mut OrogenRecipe, error: *mut OrogenError) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let place = Place::new("recipe", recipe)?;
            place.set(std::ptr::null_mut());
            place.set(give(Shared::new(Recipe::load(text("path", path)?)?)));
            Ok(())
        })
    }
}

/// Writes the recipe in its current state as TOML, from which `orogen_recipe_parse` reads the same recipe. The buffer works as in
/// `orogen_engine_describe`.
///
/// Errors: NULL, HANDLE, SIZE, RECIPE (a value in the recipe is not allowed, such as a number that is not finite).
///
/// Thread safety: any thread.
///
/// # Safety
/// The handle has not been freed. Each pointer is NULL or points to memory of the stated size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_recipe_toml(
    recipe: *const OrogenRecipe,
    text: *mut c_char,
    size: usize,
    length: *mut usize,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let (recipe, buffer) = (borrow(recipe)?, Buffer::new(text.cast(), size, length)?);
            buffer.text(&recipe.get().to_toml()?)
        })
    }
}

/// Writes the recipe in its current state as JSON. Otherwise as `orogen_recipe_toml`.
///
/// # Safety
/// The handle has not been freed. Each pointer is NULL or points to memory of the stated size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_recipe_json(
    recipe: *const OrogenRecipe,
    text: *mut c_char,
    size: usize,
    length: *mut usize,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let (recipe, buffer) = (borrow(recipe)?, Buffer::new(text.cast(), size, length)?);
            buffer.text(&recipe.get().to_json()?)
        })
    }
}

/// Writes the name of the recipe's result: a node, a stage, or one output of a stage (`stage.output`). The buffer works as in
/// `orogen_engine_describe`.
///
/// Errors: NULL, HANDLE, SIZE.
///
/// Thread safety: any thread.
///
/// # Safety
/// The handle has not been freed. Each pointer is NULL or points to memory of the stated size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_recipe_output(
    recipe: *const OrogenRecipe,
    text: *mut c_char,
    size: usize,
    length: *mut usize,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let (recipe, buffer) = (borrow(recipe)?, Buffer::new(text.cast(), size, length)?);
            buffer.text(&recipe.get().pipeline.output)
        })
    }
}

/// The names of all layers: outputs of stages, the main one by the stage's own name, then nodes.
fn layers(pipeline: &Pipeline) -> Vec<String> {
    let full = |stage: &String, output: &str| if output.is_empty() { stage.clone() } else { format!("{stage}.{output}") };
    let stages = pipeline.stage.iter().flat_map(|(name, stage)| stage.outputs().iter().map(move |output| full(name, output.name)));
    stages.chain(pipeline.node.keys().cloned()).collect()
}

/// Stores the number of layers in `*count`. Every output of a stage is a layer, and every node.
///
/// Errors: NULL, HANDLE, ARGUMENT (an unaligned pointer).
///
/// Thread safety: any thread.
///
/// # Safety
/// The handle has not been freed. Each pointer is NULL or points to a value of its type.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_recipe_layer_count(
    recipe: *const OrogenRecipe,
    count: *mut usize,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let (recipe, place) = (borrow(recipe)?, Place::new("count", count)?);
            place.set(layers(&recipe.get().pipeline).len());
            Ok(())
        })
    }
}

/// Writes the name of layer `index`, counted from 0: first the outputs of stages, then the nodes, both in the recipe's order. The buffer
/// works as in `orogen_engine_describe`.
///
/// Errors: NULL, HANDLE, ARGUMENT (`index` is not less than the number of layers), SIZE.
///
/// Thread safety: any thread.
///
/// # Safety
/// The handle has not been freed. Each pointer is NULL or points to memory of the stated size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_recipe_layer_name(
    recipe: *const OrogenRecipe,
    index: usize,
    text: *mut c_char,
    size: usize,
    length: *mut usize,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let (recipe, buffer) = (borrow(recipe)?, Buffer::new(text.cast(), size, length)?);
            let all = layers(&recipe.get().pipeline);
            let refuse = || Fault::new(OrogenStatus::Argument, format!("index = {index} is not allowed; allowed: less than {}", all.len()));
            buffer.text(all.get(index).ok_or_else(refuse)?)
        })
    }
}

/// Stores the number of channels of a layer in `*channels`: 1 for most layers, 3 for normals, 4 for colours (linear red, green, blue,
/// opacity). `layer` may be NULL for the recipe's output.
///
/// Errors: NULL, HANDLE, UTF8, RECIPE (no such layer), ARGUMENT (an unaligned pointer).
///
/// Thread safety: any thread.
///
/// # Safety
/// The handle has not been freed. Strings end in 0. Each pointer is NULL or points to a value of its type.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_recipe_channels(
    recipe: *const OrogenRecipe,
    layer: *const c_char,
    channels: *mut usize,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let (recipe, place) = (borrow(recipe)?.get(), Place::new("channels", channels)?);
            let layer = optional_text("layer", layer)?.unwrap_or(&recipe.pipeline.output);
            place.set(recipe.pipeline.channels(layer)?);
            Ok(())
        })
    }
}

/// Measures the whole world for the stages that depend on it, such as `normalise`, and stores a recipe that contains the measurements in
/// `*measured`; stores NULL after a failure. Tiles of the measured recipe can be computed in any order and match at their borders.
/// `world` is an array of `count` regions that contain each sample of the world once. The recipe's output and the layers that its `bake`
/// section names are measured. The caller frees `*measured` with `orogen_recipe_free`.
///
/// Cost: the whole world is computed if a stage needs it.
///
/// Errors: NULL, HANDLE, REGION, RECIPE, NOISE, MEMORY, DEVICE.
///
/// Thread safety: any thread.
///
/// # Safety
/// The handles have not been freed. Each pointer is NULL or points to memory of the stated size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_recipe_measure(
    engine: *const OrogenEngine,
    recipe: *const OrogenRecipe,
    world: *const OrogenRegion,
    count: usize,
    measured: *mut *mut OrogenRecipe,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let place = Place::new("measured", measured)?;
            place.set(std::ptr::null_mut());
            let (engine, recipe, world) = (borrow(engine)?, borrow(recipe)?.get(), slice("world", world, count)?);
            let world = world.iter().map(plane).collect::<Result<Vec<Region>, _>>()?;
            let mut outputs = vec![&recipe.pipeline.output];
            outputs.extend(recipe.bake.layers.iter().filter(|layer| **layer != recipe.pipeline.output));
            let pipeline = engine.measure(&recipe.pipeline, &outputs, &world)?;
            place.set(give(Shared::new(Recipe { pipeline, bake: recipe.bake.clone() })));
            Ok(())
        })
    }
}

/// Reads the `bake` section of the recipe: stores tile (0, 0) of its world in `*tile`, with its size, spacing and z, and the number of
/// tiles along x and y in `tiles[0]` and `tiles[1]`. Either pointer may be NULL.
///
/// Errors: NULL (`recipe`), HANDLE, ARGUMENT (an unaligned pointer).
///
/// Thread safety: any thread.
///
/// # Safety
/// The handle has not been freed. `tile` is NULL or points to a region, `tiles` is NULL or points to two numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_recipe_bake(
    recipe: *const OrogenRecipe,
    tile: *mut OrogenRegion,
    tiles: *mut u32,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
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

/// Frees a recipe. `recipe` may be NULL. Noises that were prepared from it stay valid.
///
/// Errors: HANDLE (the handle was freed before, as far as that can be detected, or is of another kind; nothing is freed then).
///
/// Thread safety: any thread, as the last use of the handle.
///
/// # Safety
/// No other call uses the handle, now or later.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_recipe_free(recipe: *mut OrogenRecipe) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointer.
    unsafe { guard(std::ptr::null_mut(), || free(recipe)) }
}
