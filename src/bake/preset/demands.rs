//! The demands of each destination, in one table. `docs/guide/destinations.md` has the sources.

use crate::bake::Format;
use crate::bake::layout::{Green, Layout, Names, RowOrder};
use crate::recipe::Destination;

/// The demands of a destination.
pub(super) struct Demands {
    /// Formats of heights; the first is the default.
    pub formats: &'static [Format],
    /// Formats of the other layers: of values, then of colours and normals.
    pub beside: [Format; 2],
    /// Samples that tiles share with the next; the first is the default. If empty, any number is allowed and the default is 0.
    pub overlaps: &'static [u32],
    /// Samples along the edge of a file that it accepts.
    pub sizes: FileSizes,
    /// Tile numbers that it accepts along x and y, half open.
    pub tiles: [i64; 2],
    /// Ranges of heights as integers.
    pub ranges: IntegerRanges,
    /// File names and orientation.
    pub layout: Layout,
}

/// Samples along the edge of a file.
#[derive(Clone, Copy)]
pub(super) enum FileSizes {
    /// At least this number.
    From(u32),
    /// One of these.
    OneOf(&'static [u32]),
    /// For a single tile one of [`LANDSCAPES`]. Several tiles become one landscape, whose components need not fit a tile.
    Landscape,
}

/// Ranges of heights as integers.
#[derive(Clone, Copy)]
pub(super) enum IntegerRanges {
    /// Any.
    Any,
    /// Any. If the range is not declared and heights lie on both sides of 0, the word 32768 stands for 0.
    Around0,
    /// Whole numbers of at most this magnitude.
    Whole(f64),
}

/// Sizes that Unreal's guide recommends, whose components are used completely.
pub(super) const LANDSCAPES: &[u32] = &[127, 253, 505, 1009, 2017, 4033, 8129];
const UNITY: &[u32] = &[33, 65, 129, 257, 513, 1025, 2049, 4097];
const HTERRAIN: &[u32] = &[513, 1025, 2049, 4097];
const REGIONS: &[u32] = &[64, 128, 256, 512, 1024, 2048];

const ANY: [i64; 2] = [i64::MIN, i64::MAX];

impl Demands {
    pub fn of(destination: Destination) -> Demands {
        let plain = Layout { green: Green::Up, ..Layout::default() };
        let demands = Demands {
            formats: &[Format::Exr],
            beside: [Format::Exr, Format::Exr],
            overlaps: &[1, 0],
            sizes: FileSizes::From(2),
            tiles: ANY,
            ranges: IntegerRanges::Any,
            layout: plain,
        };
        let unreal = Layout { names: Names::Layer, green: Green::Down, ..plain };
        match destination {
            Destination::Unreal => Demands {
                formats: &[Format::Png16, Format::R16],
                beside: [Format::Png8, Format::Png8],
                overlaps: &[0],
                sizes: FileSizes::Landscape,
                ranges: IntegerRanges::Around0,
                layout: unreal,
                ..demands
            },
            Destination::UnrealComposition => Demands {
                formats: &[Format::Png16, Format::R16],
                beside: [Format::Png8, Format::Png8],
                overlaps: &[1],
                sizes: FileSizes::OneOf(LANDSCAPES),
                tiles: [0, i64::MAX],
                ranges: IntegerRanges::Around0,
                layout: unreal,
            },
            Destination::Unity => Demands {
                formats: &[Format::R16],
                beside: [Format::Png8, Format::Png8],
                overlaps: &[1],
                sizes: FileSizes::OneOf(UNITY),
                layout: Layout { raw: true, rows: RowOrder::Up, ..plain },
                ..demands
            },
            Destination::Terrain3d => Demands {
                formats: &[Format::Exr, Format::R16],
                beside: [Format::Png8, Format::Png8],
                overlaps: &[0],
                sizes: FileSizes::OneOf(REGIONS),
                tiles: [-16, 16],
                ..demands
            },
            Destination::Hterrain => Demands {
                formats: &[Format::R16, Format::Exr],
                beside: [Format::Png8, Format::Png8],
                overlaps: &[1],
                sizes: FileSizes::OneOf(HTERRAIN),
                ranges: IntegerRanges::Whole(2000.0),
                layout: Layout { raw: true, ..plain },
                ..demands
            },
            Destination::Godot => Demands { beside: [Format::Exr, Format::Png8], ..demands },
            Destination::Blender => demands,
            Destination::Houdini => Demands { formats: &[Format::Exr, Format::R32], overlaps: &[], ..demands },
            Destination::Raw => {
                let layout = Layout::default();
                Demands {
                    formats: &[Format::R32],
                    beside: [Format::R32, Format::R32],
                    overlaps: &[],
                    sizes: FileSizes::From(1),
                    layout,
                    ..demands
                }
            }
        }
    }
}
