//! Encoded node trees of FastNoise2 1.x, as its editor copies them.
//!
//! | file | contents |
//! |---|---|
//! | `tree` | reads the text |
//! | `translate` | from nodes to noises |
//! | `composed` | nodes that are several nodes here |

mod composed;
mod translate;
mod tree;

pub use tree::is_tree;

use super::Imported;
use translate::Translator;

/// The noise of an encoded tree.
///
/// # Errors
/// Returns a message that names the node without an equivalent, or the place where the string is invalid.
pub fn import(text: &str, dimensions: u32) -> Result<Imported, String> {
    let (nodes, root) = tree::read(text)?;
    let mut translator = Translator::new(&nodes, dimensions);
    let noise = translator.noise(root, 0)?;
    Ok(Imported { noise, warnings: translator.warnings })
}
