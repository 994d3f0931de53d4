//! Heights from memory: a caller's numbers in place of the file that a `raster` node names.

use crate::args::{check_count, optional_text, slice};
use crate::guard::guard;
use crate::handle::borrow;
use crate::recipe::OrogenRecipe;
use crate::status::{Fault, OrogenError, OrogenStatus};
use engine::node::{Heights, Node};
use std::ffi::c_char;

/// Gives a `raster` node of the recipe heights from memory, in place of a file. The numbers are copied. `node` may be NULL for the recipe's
/// output.
///
/// `values` contains `rows` rows of `columns` numbers each, along x; `value_count` is its length and must be `columns * rows`. The first
/// number lies at the node's `position`, the others at multiples of its `spacing` from there. NaN marks a cell without a height: such cells
/// get the value of the node's parameter `holes`, and without that parameter the noise cannot be evaluated. These and the node's other
/// parameters stay as they are in the recipe: state them in its text, or set those that are live with `orogen_recipe_set_json`. The
/// parameter `sha256`, which is the hash of a file, is removed.
///
/// In the text of such a recipe the node names a file that is never read, if the recipe is parsed without a folder:
///
///     output = "ground"
///     [node.ground]
///     kind = "raster"
///     heights = "memory"
///     spacing = [4.0, 4.0]
///
/// Noises that were prepared from the recipe before keep their heights. `orogen_recipe_toml` and `orogen_recipe_json` do not write the
/// numbers, only their hash as the name of the file: call this function again after parsing such a text.
///
/// Errors: NULL, HANDLE, UTF8, RECIPE (no such node, or the name of a stage), PARAMETER (the node is not a `raster`), SIZE
/// (`value_count` is not the required one), ARGUMENT (`columns` or `rows` is not from 1 to 16384, or a number is infinite or its
/// magnitude exceeds 1e15; the message states its column and row), MEMORY. After an error the recipe is unchanged.
///
/// Thread safety: any thread. Calls that are already running continue with the previous heights.
///
/// # Safety
/// The handle has not been freed. Strings end in 0. `values` is NULL or has the stated size, and is not written during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_recipe_set_heights(
    recipe: *mut OrogenRecipe,
    node: *const c_char,
    values: *const f32,
    value_count: usize,
    columns: u32,
    rows: u32,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let (shared, node) = (borrow(recipe)?, optional_text("node", node)?);
            check_count("values", value_count, u64::from(columns) * u64::from(rows))?;
            let heights = Heights::new(copied(slice("values", values, value_count)?)?, [columns, rows])?;
            shared.change(|recipe| {
                let name = node.unwrap_or(&recipe.pipeline.output).to_owned();
                recipe.pipeline.noise_of(&name)?;
                match recipe.pipeline.node.get_mut(&name) {
                    Some(Node::Raster(raster)) => {
                        raster.heights = heights;
                        raster.sha256 = None;
                        Ok(())
                    }
                    other => {
                        let kind = other.map_or("unknown", |node| node.info().kind);
                        let message = format!("node '{name}' of kind '{kind}' has no heights; allowed: a node of kind 'raster'");
                        Err(Fault::new(OrogenStatus::Parameter, message))
                    }
                }
            })
        })
    }
}

/// A copy of the numbers. Memory that the system does not give is an error here, because the size is the caller's.
fn copied(values: &[f32]) -> Result<Vec<f32>, Fault> {
    let mut copy = Vec::new();
    let refused = |_| Fault::new(OrogenStatus::Memory, format!("there is no memory for a copy of {} heights", values.len()));
    copy.try_reserve_exact(values.len()).map_err(refused)?;
    copy.extend_from_slice(values);
    Ok(copy)
}
