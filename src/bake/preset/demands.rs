//! What each destination demands of a bake: the one table of it. `docs/guide/destinations.md` has the sources.

use crate::bake::Format;
use crate::bake::layout::{Green, Layout, Names, RowOrder};
use crate::recipe::Destination;

/// What a destination demands.
pub(super) struct Demands {
    /// Formats of heights, the first unless told otherwise.
    pub formats: &'static [Format],
    /// Formats of layers beside the heights: values, then colours and normals.
    pub beside: [Format; 2],
    /// Samples that tiles share with the next, the first unless told otherwise; empty: any, 0 unless told otherwise.
    pub overlaps: &'static [u32],
    /// Samples along the edge of a file that it takes.
    pub sizes: FileSizes,
    /// Numbers that tiles may have along x and y, half open.
    pub tiles: [i64; 2],
    /// Ranges of heights as integers.
    pub ranges: IntegerRanges,
    /// How files are named and turned.
    pub layout: Layout,
}

/// Samples along the edge of a file.
#[derive(Clone, Copy)]
pub(super) enum FileSizes {
    /// From so many on.
    From(u32),
    /// One of these.
    OneOf(&'static [u32]),
    /// Of a single tile one of [`LANDSCAPES`]; of several, which become one landscape, whatever its components hold.
    Landscape,
}

/// Ranges of heights as integers.
#[derive(Clone, Copy)]
pub(super) enum IntegerRanges {
    /// Any.
    Any,
    /// Any; unless declared, and if heights lie on both sides of 0, one in which the word 32768 stands for 0.
    Around0,
    /// From a whole number to another, of at most this magnitude.
    Whole(f64),
}

/// Sizes that Unreal's guide recommends, in which components are used in full.
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
