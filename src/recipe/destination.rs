//! Destinations of a bake. Their requirements are in `bake::preset`.

use serde::{Deserialize, Serialize};

/// Defines the enum. Each row has its documentation, a variant and its word.
macro_rules! destinations {
    ($(#[doc = $doc:literal] $variant:ident $word:literal),+ $(,)?) => {
        /// A program that imports a bake.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
        #[non_exhaustive]
        pub enum Destination {
            $(#[doc = $doc] #[serde(rename = $word)] #[cfg_attr(feature = "clap", value(name = $word))] $variant),+
        }

        impl Destination {
            /// All destinations.
            pub const ALL: &'static [Destination] = &[$(Destination::$variant),+];

            /// Its name on the command line and in recipes.
            pub fn name(self) -> &'static str {
                match self { $(Destination::$variant => $word),+ }
            }

            /// A sentence about it.
            pub fn doc(self) -> &'static str {
                match self { $(Destination::$variant => $doc.trim_ascii_start()),+ }
            }
        }
    };
}

destinations! {
    /// Unreal Engine 5: one landscape from tiles, as World Partition imports them.
    Unreal "unreal",
    /// Unreal Engine 4: World Composition, one landscape per tile.
    UnrealComposition "unreal-composition",
    /// Unity: one terrain per tile.
    Unity "unity",
    /// Terrain3D in Godot: one region per tile.
    Terrain3d "terrain3d",
    /// HTerrain in Godot: one terrain per tile.
    Hterrain "hterrain",
    /// Godot without plugins: pictures for a shader or a HeightMapShape3D.
    Godot "godot",
    /// Blender: one mesh per tile, built by `import.py`.
    Blender "blender",
    /// Houdini: one height field per tile.
    Houdini "houdini",
    /// Any program that reads 32-bit floats.
    Raw "raw",
}

impl std::fmt::Display for Destination {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
