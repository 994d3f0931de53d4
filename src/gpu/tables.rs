//! Binding group 0: the one list of what a kernel reads there. Declarations, layouts, uploads and exports all go through it, so a
//! new table is one entry here (and its bytes).

use crate::frame::RegionGrid;
use crate::gpu::layout::{self, GpuDispatch, GpuFrame, GpuOrigin, GpuSplinePoint};
use crate::program::Tables;
use encase::ShaderSize;

/// How many bindings group 0 has.
pub const COUNT: usize = 8;

/// A binding of group 0. Its number is its place in [`TABLES`].
pub struct TableBinding {
    /// The variable in WGSL.
    pub name: &'static str,
    /// Its element in WGSL.
    pub element: &'static str,
    /// Bytes of an element.
    pub size: u64,
    /// How many elements it has where it is declared in uniform memory, of which every adapter binds 64 KiB.
    pub elements: usize,
    /// How elements stand in uniform memory.
    pub packing: Packing,
    /// Where its bytes come from.
    pub source: TableSource,
}

/// How elements stand in uniform memory, whose arrays step by multiples of 16 bytes.
#[derive(Clone, Copy)]
pub enum Packing {
    /// Each by itself.
    Alone,
    /// Two pairs of numbers to a vector; the WGSL function of this name takes one out.
    Pairs(&'static str),
    /// Four numbers to a vector; the WGSL function of this name takes one out.
    Numbers(&'static str),
}

/// Where the bytes of a table come from.
#[derive(Clone, Copy)]
pub enum TableSource {
    /// Each dispatch brings its own.
    Dispatch(Own),
    /// The program: how many elements it has, and their bytes, which all dispatches at one spacing share.
    Program { length: fn(&Tables) -> usize, bytes: fn(&Tables, &[RegionGrid]) -> Vec<u8> },
    /// The program's rasters, which lie on the device for as long as anybody has them.
    Rasters,
}

/// What each dispatch brings.
#[derive(Clone, Copy)]
pub enum Own {
    /// The dispatch's head: a structure that `dispatch.wgsl` declares.
    Head,
    /// Where the dispatch's lattices begin: an origin per frame; in a list of points, per point and frame.
    Origins,
}

/// Every binding of group 0, in the order of the bindings.
pub static TABLES: [TableBinding; COUNT] = [
    TableBinding {
        name: "dispatch",
        element: "Dispatch",
        size: GpuDispatch::SHADER_SIZE.get(),
        elements: 1,
        packing: Packing::Alone,
        source: TableSource::Dispatch(Own::Head),
    },
    TableBinding {
        name: "scalars",
        element: "f32",
        size: 4,
        elements: 1024,
        packing: Packing::Numbers("table_scalar"),
        source: TableSource::Program { length: |tables| tables.scalars.len(), bytes: |tables, _| layout::numbers(&tables.scalars) },
    },
    TableBinding {
        name: "spans",
        element: "vec2<u32>",
        size: 8,
        elements: 512,
        packing: Packing::Pairs("table_span"),
        source: TableSource::Program { length: |tables| tables.spans.len(), bytes: |tables, _| layout::spans(&tables.spans) },
    },
    TableBinding {
        name: "frames",
        element: "Frame",
        size: GpuFrame::SHADER_SIZE.get(),
        elements: 256,
        packing: Packing::Alone,
        source: TableSource::Program { length: |tables| tables.frames.len(), bytes: |tables, grids| layout::frames(&tables.frames, grids) },
    },
    TableBinding {
        name: "origins",
        element: "Origin",
        size: GpuOrigin::SHADER_SIZE.get(),
        elements: 256,
        packing: Packing::Alone,
        source: TableSource::Dispatch(Own::Origins),
    },
    TableBinding {
        name: "series",
        element: "f32",
        size: 4,
        elements: 2048,
        packing: Packing::Numbers("table_series"),
        source: TableSource::Program { length: |tables| tables.series.len(), bytes: |tables, _| layout::numbers(&tables.series) },
    },
    TableBinding {
        name: "points",
        element: "SplinePoint",
        size: GpuSplinePoint::SHADER_SIZE.get(),
        elements: 512,
        packing: Packing::Alone,
        source: TableSource::Program { length: |tables| tables.points.len(), bytes: |tables, _| layout::points(&tables.points) },
    },
    TableBinding {
        name: "heights",
        element: "f32",
        size: 4,
        // Rasters lie in storage, even where all the rest is in uniform memory; where there are none, this takes no storage binding.
        elements: 64,
        packing: Packing::Numbers("table_height"),
        source: TableSource::Rasters,
    },
];

impl TableBinding {
    /// How many elements a dispatch of a region needs of it.
    pub fn length(&self, tables: &Tables) -> usize {
        match self.source {
            TableSource::Dispatch(Own::Head) => 1,
            TableSource::Dispatch(Own::Origins) => tables.frames.len(),
            TableSource::Program { length, .. } => length(tables),
            TableSource::Rasters => tables.rasters.iter().map(|raster| raster.values.len()).sum(),
        }
    }

    /// Its bytes for a dispatch.
    pub fn bytes(&self, head: GpuDispatch, tables: &Tables, grids: &[RegionGrid]) -> Vec<u8> {
        match self.source {
            TableSource::Dispatch(Own::Head) => layout::dispatch(head),
            TableSource::Dispatch(Own::Origins) => layout::origins(grids.iter().map(|grid| (grid.origin, grid.first))),
            TableSource::Program { bytes, .. } => bytes(tables, grids),
            TableSource::Rasters => layout::heights(&tables.rasters),
        }
    }

    /// Whether it lies in the slot of a recorded dispatch; rasters have buffers of their own.
    pub fn is_in_slot(&self) -> bool {
        !matches!(self.source, TableSource::Rasters)
    }

    /// Bytes of it in uniform memory, where it is as long as it is declared. Bindings start at multiples of 256 bytes, the largest
    /// alignment that a device may ask for.
    pub fn uniform_size(&self) -> u64 {
        (self.elements as u64 * self.size).next_multiple_of(256)
    }

    /// Bytes of its binding where so many are needed: powers of two, so that buffers still fit when a number of octaves or control
    /// points changes a little.
    pub fn binding_size(&self, uniform: bool, needed: u64) -> u64 {
        if uniform { self.uniform_size() } else { needed.next_power_of_two().max(256) }
    }
}

/// The arrays of a program by their names in the shaders, as bytes: at least one element of each.
#[cfg(feature = "export")]
pub(crate) fn arrays(tables: &Tables, grids: &[RegionGrid]) -> Vec<(&'static str, Vec<u8>)> {
    let array = |table: &TableBinding| {
        let mut bytes = match table.source {
            TableSource::Dispatch(Own::Head) => return None,
            TableSource::Dispatch(Own::Origins) | TableSource::Program { .. } | TableSource::Rasters => {
                table.bytes(GpuDispatch::plain(glam::UVec3::ONE, 0), tables, grids)
            }
        };
        bytes.truncate(table.length(tables).max(1) * table.size as usize);
        Some((table.name, bytes))
    };
    TABLES.iter().filter_map(array).collect()
}

#[cfg(test)]
mod tests {
    use crate::gpu::tables::*;
    use crate::gpu::wgsl::memory::{KernelMemory, TableMemory};
    use crate::gpu::wgsl::output::Output;

    #[test]
    fn uniform_tables_are_no_longer_than_may_be_bound() {
        for table in &TABLES {
            assert!(table.uniform_size() <= 65536, "{}", table.name);
        }
    }

    #[test]
    fn kernels_declare_the_tables_where_and_as_they_are_bound() {
        let all = [TableMemory::Storage, TableMemory::Uniform]
            .into_iter()
            .flat_map(|place| [false, true].map(|rasters| KernelMemory { place, rasters }));
        for memory in all {
            let mut source = crate::gpu::wgsl::library::closure(&["dispatch"], false).expect("library");
            let output = Output::Samples { gradient: false };
            source.push_str(&memory.declarations(output));
            let module = naga::front::wgsl::parse_str(&source).expect("library parses");
            assert_eq!(module.global_variables.len(), COUNT);
            for (binding, table) in (0..).zip(&TABLES) {
                let (_, variable) = module
                    .global_variables
                    .iter()
                    .find(|(_, variable)| variable.name.as_deref() == Some(table.name))
                    .unwrap_or_else(|| panic!("no variable {}", table.name));
                assert_eq!(variable.binding, Some(naga::ResourceBinding { group: 0, binding }), "{}", table.name);
                let uniform = memory.is_uniform(table, output);
                assert_eq!(variable.space == naga::AddressSpace::Uniform, uniform, "{}", table.name);
                match module.types[variable.ty].inner {
                    naga::TypeInner::Array { size: naga::ArraySize::Constant(count), stride, .. } => {
                        assert_eq!(u64::from(count.get() * stride), table.uniform_size(), "{}", table.name);
                    }
                    naga::TypeInner::Array { stride, .. } => assert_eq!(u64::from(stride), table.size, "{}", table.name),
                    naga::TypeInner::Struct { span, .. } => assert_eq!(u64::from(span), table.size, "{}", table.name),
                    ref other => panic!("{}: {other:?}", table.name),
                }
            }
        }
    }
}
