//! Parameters by name: of prepared noises, and of recipes.

use crate::args::{Buffer, slice, text};
use crate::guard::guard;
use crate::handle::borrow;
use crate::noise::OrogenNoise;
use crate::recipe::OrogenRecipe;
use crate::status::{Fault, OrogenError, OrogenStatus};
use engine::Setting;
use std::ffi::c_char;

/// A number as a setting: whole numbers become integers, which every numeric parameter accepts.
fn number(value: f64) -> Setting {
    // Below 2^53 every whole number is exact in a double; 2^53 itself may be 2^53 + 1, rounded.
    if value.fract() == 0.0 && value.abs() < 9_007_199_254_740_992.0 { Setting::Integer(value as i128) } else { Setting::Number(value) }
}

/// A parameter and a number to set it to.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct OrogenNumber {
    /// Name of the parameter: `NODE.PARAMETER`.
    pub path: *const c_char,
    /// Its value.
    pub value: f64,
}

/// The parameters and numbers of a list.
///
/// # Safety
/// `numbers` is NULL or unaligned, or points to `count` elements whose strings end in 0, and which stay as they are during `'a`.
pub(crate) unsafe fn numbers<'a>(numbers: *const OrogenNumber, count: usize) -> Result<Vec<(&'a str, Setting)>, Fault> {
    // SAFETY: guaranteed by the caller.
    let all = unsafe { slice("numbers", numbers, count) }?;
    // SAFETY: guaranteed by the caller.
    all.iter().map(|one| Ok((unsafe { text("path", one.path) }?, number(one.value)))).collect()
}

/// A value as written in a JSON recipe.
fn read(path: &str, json: &str) -> Result<Setting, Fault> {
    serde_json::from_str(json).map_err(|_| {
        let short: String = json.chars().take(60).collect();
        let message = format!("{path} = {short} is not allowed; allowed: JSON of a number, true, false, a word or a list");
        Fault::new(OrogenStatus::Parameter, message)
    })
}

/// A value as JSON; `null` if it is not given.
fn written(setting: Option<&Setting>) -> Result<String, Fault> {
    serde_json::to_string(&setting).map_err(|error| Fault::new(OrogenStatus::Parameter, error.to_string()))
}

/// Sets a live parameter of the noise to a number. `path` is `NODE.PARAMETER`, with the name of the recipe's node. Whole numbers
/// are also accepted by integer parameters. No kernel is compiled. Parameters that shape the kernel (most choices, dimensions,
/// inputs that are nodes) are not live: change the recipe's text instead.
///
/// Whole numbers of 2^53 and more are refused for integer parameters, because a double may have rounded them: set such seeds with
/// `orogen_noise_set_json`.
///
/// Errors: NULL, HANDLE, UTF8, PARAMETER (no such parameter, not live, or the value is not allowed), NOISE (the noise cannot be evaluated
/// with this value). After an error the noise is unchanged.
///
/// Thread safety: any thread. Calls that are already running continue with the previous value.
///
/// # Safety
/// The handle has not been freed. Strings end in 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_noise_set_number(
    noise: *mut OrogenNoise,
    path: *const c_char,
    value: f64,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let (shared, path) = (borrow(noise)?, text("path", path)?);
            let value = number(value);
            shared.change(|noise| Ok(noise.set(path, value)?))
        })
    }
}

/// Sets `count` live parameters of the noise to numbers, in order, and prepares the noise once: faster than as many calls of
/// `orogen_noise_set_number`, which states what is allowed. Other threads never see some of the changes without the others.
///
/// Errors: NULL, HANDLE, UTF8, PARAMETER (no such parameter, not live, or a value is not allowed), NOISE (the noise cannot be
/// evaluated with these values). After an error the noise is unchanged.
///
/// Thread safety: any thread. Calls that are already running continue with the previous values.
///
/// # Safety
/// The handle has not been freed. `numbers` has the stated length. Strings end in 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_noise_set_numbers(
    noise: *mut OrogenNoise,
    numbers: *const OrogenNumber,
    count: usize,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let (shared, changes) = (borrow(noise)?, self::numbers(numbers, count)?);
            shared.change(|noise| Ok(noise.set_all(changes)?))
        })
    }
}

/// Sets a seed of the noise. Every number of 64 bits is a seed. A negative seed is passed as its two's complement, `(uint64_t)-1`, which is
/// another seed than 1. Otherwise as `orogen_noise_set_number`.
///
/// Errors: NULL, HANDLE, UTF8, PARAMETER (no such parameter, or a parameter that does not allow this number). After an error the
/// noise is unchanged.
///
/// Thread safety: any thread. Calls that are already running continue with the previous value.
///
/// # Safety
/// The handle has not been freed. Strings end in 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_noise_set_seed(
    noise: *mut OrogenNoise,
    path: *const c_char,
    seed: u64,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let (shared, path) = (borrow(noise)?, text("path", path)?);
            shared.change(|noise| Ok(noise.set(path, seed)?))
        })
    }
}

/// Sets a live parameter of the noise to a word, for parameters with named choices. Otherwise as `orogen_noise_set_number`.
///
/// Errors: NULL, HANDLE, UTF8, PARAMETER (no such parameter, not live, or the value is not allowed), NOISE (the noise cannot be evaluated
/// with this value). After an error the noise is unchanged.
///
/// Thread safety: any thread. Calls that are already running continue with the previous value.
///
/// # Safety
/// The handle has not been freed. Strings end in 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_noise_set_word(
    noise: *mut OrogenNoise,
    path: *const c_char,
    word: *const c_char,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let (shared, path) = (borrow(noise)?, text("path", path)?);
            let value = Setting::from(text("word", word)?);
            shared.change(|noise| Ok(noise.set(path, value)?))
        })
    }
}

/// Sets a live parameter of the noise to a value written as JSON, as in a recipe: `0.5`, `true`, `"smooth"`, `[1, 0, 0]`,
/// `[{"at": 0, "value": 1}]`. Integers are exact, so every seed from 0 to 2^64 - 1 can be set, as a number or as text
/// (`"18446744073709551615"`). Otherwise as `orogen_noise_set_number`.
///
/// Errors: NULL, HANDLE, UTF8, PARAMETER (no such parameter, not live, or the value is not allowed), NOISE (the noise cannot be evaluated
/// with this value). After an error the noise is unchanged.
///
/// Thread safety: any thread. Calls that are already running continue with the previous value.
///
/// # Safety
/// The handle has not been freed. Strings end in 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_noise_set_json(
    noise: *mut OrogenNoise,
    path: *const c_char,
    json: *const c_char,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let (shared, path) = (borrow(noise)?, text("path", path)?);
            let value = read(path, text("json", json)?)?;
            shared.change(|noise| Ok(noise.set(path, value)?))
        })
    }
}

/// Writes the value of a parameter as JSON, live or not: for an input that is a node its name, `null` for a parameter that is not
/// given. The buffer works as in `orogen_engine_describe`.
///
/// Errors: NULL, HANDLE, UTF8, PARAMETER (no such parameter), SIZE.
///
/// Thread safety: any thread.
///
/// # Safety
/// The handle has not been freed. Strings end in 0. Each pointer is NULL or points to memory of the stated size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_noise_get_json(
    noise: *const OrogenNoise,
    path: *const c_char,
    json: *mut c_char,
    size: usize,
    length: *mut usize,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let (shared, path) = (borrow(noise)?, text("path", path)?);
            let buffer = Buffer::new(json.cast(), size, length)?;
            buffer.text(&written(shared.get().noise().get(path)?.as_ref())?)
        })
    }
}

/// Sets a live parameter of the recipe to a number. `path` is `NODE.PARAMETER` or `STAGE.PARAMETER`. Whole numbers are also accepted by
/// integer parameters. Noises that were prepared from the recipe before are unchanged.
///
/// Whole numbers of 2^53 and more are refused for integer parameters, because a double may have rounded them: set such seeds with
/// `orogen_recipe_set_json`.
///
/// Errors: NULL, HANDLE, UTF8, PARAMETER (no such parameter, not live, or the value is not allowed). After an error the recipe is
/// unchanged.
///
/// Thread safety: any thread. Calls that are already running continue with the previous value.
///
/// # Safety
/// The handle has not been freed. Strings end in 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_recipe_set_number(
    recipe: *mut OrogenRecipe,
    path: *const c_char,
    value: f64,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let (shared, path) = (borrow(recipe)?, text("path", path)?);
            let value = number(value);
            shared.change(|recipe| Ok(recipe.pipeline.set(path, value)?))
        })
    }
}

/// Sets a seed of a node or stage of the recipe. Every number of 64 bits is a seed. Otherwise as `orogen_recipe_set_number`.
///
/// Errors: NULL, HANDLE, UTF8, PARAMETER (no such parameter, or a parameter that does not allow this number). After an error the
/// recipe is unchanged.
///
/// Thread safety: any thread. Calls that are already running continue with the previous value.
///
/// # Safety
/// The handle has not been freed. Strings end in 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_recipe_set_seed(
    recipe: *mut OrogenRecipe,
    path: *const c_char,
    seed: u64,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let (shared, path) = (borrow(recipe)?, text("path", path)?);
            shared.change(|recipe| Ok(recipe.pipeline.set(path, seed)?))
        })
    }
}

/// Sets a live parameter of the recipe to a word, for parameters with named choices. Otherwise as `orogen_recipe_set_number`.
///
/// Errors: NULL, HANDLE, UTF8, PARAMETER (no such parameter, not live, or the value is not allowed). After an error the recipe is
/// unchanged.
///
/// Thread safety: any thread. Calls that are already running continue with the previous value.
///
/// # Safety
/// The handle has not been freed. Strings end in 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_recipe_set_word(
    recipe: *mut OrogenRecipe,
    path: *const c_char,
    word: *const c_char,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let (shared, path) = (borrow(recipe)?, text("path", path)?);
            let value = Setting::from(text("word", word)?);
            shared.change(|recipe| Ok(recipe.pipeline.set(path, value)?))
        })
    }
}

/// Sets a live parameter of the recipe to a value written as JSON, as in a recipe: `0.5`, `true`, `"smooth"`, `[1, 0, 0]`,
/// `[{"at": 0, "value": 1}]`. Integers are exact, so every seed from 0 to 2^64 - 1 can be set, as a number or as text
/// (`"18446744073709551615"`). Otherwise as `orogen_recipe_set_number`.
///
/// Errors: NULL, HANDLE, UTF8, PARAMETER (no such parameter, not live, or the value is not allowed). After an error the recipe is
/// unchanged.
///
/// Thread safety: any thread. Calls that are already running continue with the previous value.
///
/// # Safety
/// The handle has not been freed. Strings end in 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_recipe_set_json(
    recipe: *mut OrogenRecipe,
    path: *const c_char,
    json: *const c_char,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let (shared, path) = (borrow(recipe)?, text("path", path)?);
            let value = read(path, text("json", json)?)?;
            shared.change(|recipe| Ok(recipe.pipeline.set(path, value)?))
        })
    }
}

/// Writes the value of a parameter as JSON, live or not: for an input that is a node its name, `null` for a parameter that is not
/// given. The buffer works as in `orogen_engine_describe`.
///
/// Errors: NULL, HANDLE, UTF8, PARAMETER (no such parameter), SIZE.
///
/// Thread safety: any thread.
///
/// # Safety
/// The handle has not been freed. Strings end in 0. Each pointer is NULL or points to memory of the stated size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_recipe_get_json(
    recipe: *const OrogenRecipe,
    path: *const c_char,
    json: *mut c_char,
    size: usize,
    length: *mut usize,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let (shared, path) = (borrow(recipe)?, text("path", path)?);
            let buffer = Buffer::new(json.cast(), size, length)?;
            buffer.text(&written(shared.get().pipeline.get(path)?.as_ref())?)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Pipeline;
    use engine::node::Node;
    use engine::stage::Stage;

    /// Values of every type, for no parameter all right.
    const VALUES: [&str; 14] = [
        "null",
        "true",
        "-1",
        "0.5",
        "1e300",
        "18446744073709551616",
        "\"sea\"",
        "[]",
        "[1]",
        "[[1]]",
        "[1e300, 2, 3]",
        "[{\"at\": 1}]",
        "[{\"at\": 1, \"value\": \"sea\"}]",
        "{\"at\": 1}",
    ];
    /// Words that C has other ones for.
    const FOREIGN: [&str; 11] = ["None", "Some(", "::", "f64", "f32", "u64", "u32", "i64", "usize", "Vec<", " --"];

    #[test]
    fn no_message_of_a_parameter_has_words_of_rust() {
        let node = |kind| Pipeline {
            output: "n".to_owned(),
            node: Node::of_kind(kind).map(|node| ("n".to_owned(), node)).into_iter().collect(),
            stage: Stage::of_kind(kind).map(|stage| ("n".to_owned(), stage)).into_iter().collect(),
        };
        let mut refused = 0;
        for row in Node::TABLE.iter().chain(Stage::TABLE) {
            for param in row.params {
                for json in VALUES {
                    let path = format!("n.{}", param.name);
                    let Err(fault) = read(&path, json).and_then(|value| Ok(node(row.kind).set(&path, value)?)) else { continue };
                    let found = FOREIGN.iter().find(|word| fault.message.contains(**word));
                    assert_eq!(found, None, "{}, {path} = {json}: {}", row.kind, fault.message);
                    refused += 1;
                }
            }
        }
        assert!(refused > 2000, "{refused} values were refused");
    }
}
