//! Binding group 0: the only list of the tables that a kernel reads. Declarations, layouts, uploads and exports use it, so a new
//! table is an entry here (and its bytes).

use crate::frame::RegionGrid;
use crate::gpu::layout::{self, GpuDispatch, GpuFrame, GpuOrigin, GpuSplinePoint};
use crate::program::Tables;
use encase::ShaderSize;

/// The number of bindings in group 0.
pub const COUNT: usize = 8;

/// A binding of group 0. Its number is its index in [`TABLES`].
pub struct TableBinding {
    /// The variable in WGSL.
    pub name: &'static str,
    /// Its element in WGSL.
    pub element: &'static str,
    /// Bytes of an element.
    pub size: u64,
    /// The number of elements if it is declared in uniform memory. Every adapter can bind 64 KiB of that.
    pub elements: usize,
    /// The packing of elements in uniform memory.
    pub packing: Packing,
    /// The source of its bytes.
    pub source: TableSource,
}

/// The packing of elements in uniform memory, whose arrays have strides of multiples of 16 bytes.
#[derive(Clone, Copy)]
pub enum Packing {
    /// One element per stride.
    Alone,
    /// Two pairs of numbers per vector; the WGSL function of this name extracts one.
    Pairs(&'static str),
    /// Four numbers per vector; the WGSL function of this name extracts one.
    Numbers(&'static str),
}

/// The source of a table's bytes.
#[derive(Clone, Copy)]
pub enum TableSource {
    /// Each dispatch has its own.
    Dispatch(Own),
    /// The program: the number of elements, and their bytes, which all dispatches at one spacing share.
    Program { length: fn(&Tables) -> usize, bytes: fn(&Tables, &[RegionGrid]) -> Vec<u8> },
    /// The program's rasters, which stay on the device as long as they exist on the host.
    Rasters,
}

/// The tables of a single dispatch.
#[derive(Clone, Copy)]
pub enum Own {
    /// The dispatch's head: a structure that `dispatch.wgsl` declares.
    Head,
    /// The lattice origins of the dispatch: one per frame, or in a list of points one per point and frame.
    Origins,
}

/// The bindings of group 0, in order.
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
        // Rasters are in storage, even if all other tables are in uniform memory. This uniform binding is declared if there are no
        // rasters, to save a storage binding.
        elements: 64,
        packing: Packing::Numbers("table_height"),
        source: TableSource::Rasters,
    },
];

impl TableBinding {
    /// The number of elements that a dispatch of a region needs.
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

    /// Whether it is part of the slot of a recorded dispatch; rasters have separate buffers.
    pub fn is_in_slot(&self) -> bool {
        !matches!(self.source, TableSource::Rasters)
    }

    /// Its bytes in uniform memory, at the declared length. Bindings start at multiples of 256 bytes, the largest alignment that a
    /// device may require.
    pub fn uniform_size(&self) -> u64 {
        (self.elements as u64 * self.size).next_multiple_of(256)
    }

    /// The bytes of its binding if `needed` are used. In storage they are powers of two, so buffers still fit after small changes
    /// of the number of octaves or control points.
    pub fn binding_size(&self, uniform: bool, needed: u64) -> u64 {
        if uniform { self.uniform_size() } else { needed.next_power_of_two().max(256) }
    }
}

/// The arrays of a program by their names in the shaders, as bytes; each has at least one element.
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
