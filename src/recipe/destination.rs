//! Destinations of a bake. Their requirements are in `bake::preset`.

use serde::{Deserialize, Serialize};

/// A program that imports a bake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Destination {
    /// Unreal Engine 5: one landscape from tiles, as World Partition imports them.
    Unreal,
    /// Unreal Engine 4: World Composition, one landscape per tile.
    UnrealComposition,
    /// Unity: one terrain per tile.
    Unity,
    /// Terrain3D in Godot: one region per tile.
    Terrain3d,
    /// HTerrain in Godot: one terrain per tile.
    Hterrain,
    /// Godot without plugins: pictures for a shader or a HeightMapShape3D.
    Godot,
    /// Blender: one mesh per tile, built by `import.py`.
    Blender,
    /// Houdini: one height field per tile.
    Houdini,
    /// Any program that reads 32-bit floats.
    Raw,
}

impl Destination {
    /// All destinations.
    pub(crate) const ALL: [Destination; 9] = [
        Destination::Unreal,
        Destination::UnrealComposition,
        Destination::Unity,
        Destination::Terrain3d,
        Destination::Hterrain,
        Destination::Godot,
        Destination::Blender,
        Destination::Houdini,
        Destination::Raw,
    ];

    /// Its name on the command line and in recipes.
    pub fn name(self) -> &'static str {
        match self {
            Destination::Unreal => "unreal",
            Destination::UnrealComposition => "unreal-composition",
            Destination::Unity => "unity",
            Destination::Terrain3d => "terrain3d",
            Destination::Hterrain => "hterrain",
            Destination::Godot => "godot",
            Destination::Blender => "blender",
            Destination::Houdini => "houdini",
            Destination::Raw => "raw",
        }
    }
}

impl std::fmt::Display for Destination {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
