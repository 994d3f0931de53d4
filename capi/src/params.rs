//! Parameters by name: of prepared noises, and of recipes.

use crate::args::{Buffer, text};
use crate::guard::guard;
use crate::handle::borrow;
use crate::noise::OrogenNoise;
use crate::recipe::OrogenRecipe;
use crate::status::{Fault, OrogenError, OrogenStatus};
use engine::Setting;
use std::ffi::c_char;

/// A number as a parameter takes it: whole numbers suit those that count, too.
fn number(value: f64) -> Setting {
    // Below 2^53 every whole number is itself; 2^53 may be 2^53 + 1, rounded.
    if value.fract() == 0.0 && value.abs() < 9_007_199_254_740_992.0 { Setting::Integer(value as i128) } else { Setting::Number(value) }
}

/// A value as it stands in a JSON recipe.
fn read(path: &str, json: &str) -> Result<Setting, Fault> {
    serde_json::from_str(json).map_err(|_| {
        let short: String = json.chars().take(60).collect();
        let message = format!("{path} = {short} is not allowed; allowed: JSON of a number, true, false, a word or a list");
        Fault::new(OrogenStatus::Parameter, message)
    })
}

/// A value as JSON; `null` for one that is not given.
fn written(setting: Option<&Setting>) -> Result<String, Fault> {
    serde_json::to_string(&setting).map_err(|error| Fault::new(OrogenStatus::Parameter, error.to_string()))
}

/// Changes a live parameter of the noise, `NODE.PARAMETER`, to a number; whole numbers suit parameters that count, too. No kernel is
/// compiled for it. Names are those of the recipe's nodes; what shapes the kernel (most choices, dimensions, which node an input reads) is
/// refused.
///
/// Fails with NULL, HANDLE, UTF8, PARAMETER (no such name, or a value that is not allowed), NOISE (with that value the noise cannot be evaluated). The noise then stays as it was.
///
/// Any thread: calls that are being computed keep the value that they began with.
///
/// # Safety
/// The handle has not been freed, and strings end in 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_noise_set_number(
    noise: *mut OrogenNoise,
    path: *const c_char,
    value: f64,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the pointers are the caller's, as the header asks for them.
    unsafe {
        guard(error, || {
            let (shared, path) = (borrow(noise)?, text("path", path)?);
            let value = number(value);
            shared.change(|noise| Ok(noise.set(path, value)?))
        })
    }
}

/// Changes a live parameter of the noise to a word: a choice's. Otherwise as `orogen_noise_set_number`.
///
/// Fails with NULL, HANDLE, UTF8, PARAMETER (no such name, or a value that is not allowed), NOISE (with that value the noise cannot be evaluated). The noise then stays as it was.
///
/// Any thread: calls that are being computed keep the value that they began with.
///
/// # Safety
/// The handle has not been freed, and strings end in 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_noise_set_word(
    noise: *mut OrogenNoise,
    path: *const c_char,
    word: *const c_char,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the pointers are the caller's, as the header asks for them.
    unsafe {
        guard(error, || {
            let (shared, path) = (borrow(noise)?, text("path", path)?);
            let value = Setting::from(text("word", word)?);
            shared.change(|noise| Ok(noise.set(path, value)?))
        })
    }
}

/// Changes a live parameter of the noise to any value, written as in a JSON recipe: `0.5`, `true`, `"smooth"`, `[1, 0, 0]`,
/// `[{"at": 0, "value": 1}]`; also seeds beyond 2^53, as a number or as text: `"18446744073709551615"`. Otherwise as `orogen_noise_set_number`.
///
/// Fails with NULL, HANDLE, UTF8, PARAMETER (no such name, or a value that is not allowed), NOISE (with that value the noise cannot be evaluated). The noise then stays as it was.
///
/// Any thread: calls that are being computed keep the value that they began with.
///
/// # Safety
/// The handle has not been freed, and strings end in 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_noise_set_json(
    noise: *mut OrogenNoise,
    path: *const c_char,
    json: *const c_char,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the pointers are the caller's, as the header asks for them.
    unsafe {
        guard(error, || {
            let (shared, path) = (borrow(noise)?, text("path", path)?);
            let value = read(path, text("json", json)?)?;
            shared.change(|noise| Ok(noise.set(path, value)?))
        })
    }
}

/// A parameter's value as JSON, live or not: of an input that is a node its name, `null` for one that is not given. Writes as
/// `orogen_engine_describe` does.
///
/// Fails with NULL, HANDLE, UTF8, PARAMETER (no such name), SIZE.
///
/// Any thread.
///
/// # Safety
/// The handle has not been freed, strings end in 0, and the pointers are NULL or point at as much as is said.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_noise_get_json(
    noise: *const OrogenNoise,
    path: *const c_char,
    json: *mut c_char,
    size: usize,
    length: *mut usize,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the pointers are the caller's, as the header asks for them.
    unsafe {
        guard(error, || {
            let (shared, path) = (borrow(noise)?, text("path", path)?);
            let buffer = Buffer::new(json.cast(), size, length)?;
            buffer.text(&written(shared.get().noise().get(path)?.as_ref())?)
        })
    }
}

/// Changes a live parameter of the recipe, `NODE.PARAMETER` or `STAGE.PARAMETER`, to a number; whole numbers suit parameters that count,
/// too. Noises that were prepared of it stay as they are.
///
/// Fails with NULL, HANDLE, UTF8, PARAMETER (no such name, or a value that is not allowed). The recipe then stays as it was.
///
/// Any thread: calls that are being computed keep the value that they began with.
///
/// # Safety
/// The handle has not been freed, and strings end in 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_recipe_set_number(
    recipe: *mut OrogenRecipe,
    path: *const c_char,
    value: f64,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the pointers are the caller's, as the header asks for them.
    unsafe {
        guard(error, || {
            let (shared, path) = (borrow(recipe)?, text("path", path)?);
            let value = number(value);
            shared.change(|recipe| Ok(recipe.pipeline.set(path, value)?))
        })
    }
}

/// Changes a live parameter of the recipe to a word: a choice's. Otherwise as `orogen_recipe_set_number`.
///
/// Fails with NULL, HANDLE, UTF8, PARAMETER (no such name, or a value that is not allowed). The recipe then stays as it was.
///
/// Any thread: calls that are being computed keep the value that they began with.
///
/// # Safety
/// The handle has not been freed, and strings end in 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_recipe_set_word(
    recipe: *mut OrogenRecipe,
    path: *const c_char,
    word: *const c_char,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the pointers are the caller's, as the header asks for them.
    unsafe {
        guard(error, || {
            let (shared, path) = (borrow(recipe)?, text("path", path)?);
            let value = Setting::from(text("word", word)?);
            shared.change(|recipe| Ok(recipe.pipeline.set(path, value)?))
        })
    }
}

/// Changes a live parameter of the recipe to any value, written as in a JSON recipe: `0.5`, `true`, `"smooth"`, `[1, 0, 0]`,
/// `[{"at": 0, "value": 1}]`; also seeds beyond 2^53, as a number or as text: `"18446744073709551615"`. Otherwise as `orogen_recipe_set_number`.
///
/// Fails with NULL, HANDLE, UTF8, PARAMETER (no such name, or a value that is not allowed). The recipe then stays as it was.
///
/// Any thread: calls that are being computed keep the value that they began with.
///
/// # Safety
/// The handle has not been freed, and strings end in 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_recipe_set_json(
    recipe: *mut OrogenRecipe,
    path: *const c_char,
    json: *const c_char,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the pointers are the caller's, as the header asks for them.
    unsafe {
        guard(error, || {
            let (shared, path) = (borrow(recipe)?, text("path", path)?);
            let value = read(path, text("json", json)?)?;
            shared.change(|recipe| Ok(recipe.pipeline.set(path, value)?))
        })
    }
}

/// A parameter's value as JSON, live or not: of an input that is a node its name, `null` for one that is not given. Writes as
/// `orogen_engine_describe` does.
///
/// Fails with NULL, HANDLE, UTF8, PARAMETER (no such name), SIZE.
///
/// Any thread.
///
/// # Safety
/// The handle has not been freed, strings end in 0, and the pointers are NULL or point at as much as is said.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_recipe_get_json(
    recipe: *const OrogenRecipe,
    path: *const c_char,
    json: *mut c_char,
    size: usize,
    length: *mut usize,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the pointers are the caller's, as the header asks for them.
    unsafe {
        guard(error, || {
            let (shared, path) = (borrow(recipe)?, text("path", path)?);
            let buffer = Buffer::new(json.cast(), size, length)?;
            buffer.text(&written(shared.get().pipeline.get(path)?.as_ref())?)
        })
    }
}
