//! Where a bake goes: the words for it. What each of them asks for is `bake::preset`'s to know.

use serde::{Deserialize, Serialize};

/// A program that a bake is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Destination {
    /// Unreal Engine 5: one landscape out of tiles, as World Partition imports them.
    Unreal,
    /// Unreal Engine 4: World Composition, a landscape for each tile.
    UnrealComposition,
    /// Unity: a terrain for each tile.
    Unity,
    /// Terrain3D in Godot: a region for each tile.
    Terrain3d,
    /// HTerrain in Godot: a terrain for each tile.
    Hterrain,
    /// Godot by itself: pictures for a shader or a HeightMapShape3D.
    Godot,
    /// Blender: a mesh for each tile, which `import.py` builds.
    Blender,
    /// Houdini: a height field for each tile.
    Houdini,
    /// Whatever reads 32-bit floats.
    Raw,
}

impl Destination {
    /// Every one.
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

    /// The word for it, on the command line and in recipes.
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
