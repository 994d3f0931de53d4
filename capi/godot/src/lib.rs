//! Orogen in Godot 4, as a GDExtension: the class `OrogenNoise`.
//!
//! ```gdscript
//! var noise := OrogenNoise.new()
//! if not noise.load_file("res://alps.toml"):
//!     return # noise.last_error() says why, and so does Godot's output
//! var height := noise.height(12.0, -7.5)
//! $Ground.mesh = noise.mesh(0, 0, 64, 0.5)
//! ```
//!
//! `orogen.gdextension` describes the installation; `example/terrain.gd` is ground around a camera. All that can be done without
//! Godot is in [`ground`], which the tests are of; [`noise`] exposes it to Godot, [`variant`] converts values.
//! It is compiled against Godot's published interface; nothing has been run in Godot.

mod ground;
mod noise;
mod variant;

use godot::init::{ExtensionLibrary, gdextension};

/// The extension that Godot loads.
struct Orogen;

// SAFETY: the trait has no obligations of its own; by `unsafe` a library consents to godot-rust's model, in which Godot calls the
// class on the main thread. Threads of this library never touch a Godot object.
#[gdextension(entry_symbol = orogen_godot_init)]
unsafe impl ExtensionLibrary for Orogen {}
