//! Errors, with the library's text.

use wasm_bindgen::prelude::*;

/// An error of the library as a JavaScript `Error`.
pub(crate) fn raised(error: impl std::fmt::Display) -> JsError {
    JsError::new(&error.to_string())
}

/// An argument that is refused.
pub(crate) fn refused(what: &str, value: impl std::fmt::Display, allowed: &str) -> JsError {
    JsError::new(&format!("{what} = {value} is not allowed; allowed: {allowed}"))
}

/// Memory for numbers, or an error if the module's memory cannot grow by it.
pub(crate) fn room<T: Clone + Default>(numbers: &mut Vec<T>, count: u64) -> Result<(), JsError> {
    let failed = || JsError::new(&format!("not enough memory for {count} samples; a WebAssembly module has at most 4 GiB"));
    let count_here = usize::try_from(count).map_err(|_| failed())?;
    numbers.try_reserve_exact(count_here.saturating_sub(numbers.len())).map_err(|_| failed())?;
    numbers.resize(count_here, T::default());
    Ok(())
}
