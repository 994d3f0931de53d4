//! The memory of a kernel's tables. Values that all threads read are fastest in uniform memory, which is small; larger tables are
//! in storage.

use crate::gpu::tables::{COUNT, Own, Packing, TABLES, TableBinding, TableSource};
use crate::gpu::wgsl::output::Output;
use crate::program::Tables;

/// The memory of a kernel's tables: part of the key of the kernel cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KernelMemory {
    /// The tables of numbers.
    pub place: TableMemory,
    /// Whether there are rasters, which are in storage.
    pub rasters: bool,
}

/// The memory of the tables of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TableMemory {
    /// Tables that fit, in uniform memory.
    Uniform,
    /// Tables of any length, in storage.
    Storage,
}

impl KernelMemory {
    /// The memory of these tables on a device that can bind `most` bytes of uniform memory.
    pub fn of(tables: &Tables, most: u64) -> Self {
        let fits = |table: &TableBinding| table.length(tables) <= table.elements && table.uniform_size() <= most;
        let place = if TABLES.iter().filter(|table| table.is_in_slot()).all(fits) { TableMemory::Uniform } else { TableMemory::Storage };
        KernelMemory { place, rasters: !tables.rasters.is_empty() }
    }

    /// Whether a table is in uniform memory. Origins are, unless each point has its own.
    pub fn is_uniform(self, table: &TableBinding, output: Output) -> bool {
        match table.source {
            TableSource::Dispatch(Own::Head) => true,
            TableSource::Dispatch(Own::Origins) => self.place == TableMemory::Uniform && !matches!(output, Output::Points { .. }),
            TableSource::Program { .. } => self.place == TableMemory::Uniform,
            TableSource::Rasters => !self.rasters,
        }
    }

    /// For each binding of group 0, whether it is uniform.
    pub fn uniform(self, output: Output) -> [bool; COUNT] {
        std::array::from_fn(|binding| self.is_uniform(&TABLES[binding], output))
    }

    /// The declarations of tables in WGSL, and the functions that read an element of each table that may be packed.
    pub fn declarations(self, output: Output) -> String {
        let mut all = "\n".to_owned();
        for (binding, table) in TABLES.iter().enumerate() {
            all.push_str(&declaration(table, binding, self.is_uniform(table, output)));
        }
        for table in &TABLES {
            all.push_str(&reader(table, self.is_uniform(table, output)));
        }
        all
    }
}

fn declaration(table: &TableBinding, binding: usize, uniform: bool) -> String {
    let TableBinding { name, element, elements, .. } = table;
    let (packed, count) = match table.packing {
        Packing::Alone => (*element, *elements),
        Packing::Pairs(_) => ("vec4<u32>", elements / 2),
        Packing::Numbers(_) => ("vec4<f32>", elements / 4),
    };
    match table.source {
        // Declared in `dispatch.wgsl`.
        TableSource::Dispatch(Own::Head) => String::new(),
        _ if uniform => format!("@group(0) @binding({binding}) var<uniform> {name}: array<{packed}, {count}>;\n"),
        TableSource::Dispatch(Own::Origins) | TableSource::Program { .. } | TableSource::Rasters => {
            format!("@group(0) @binding({binding}) var<storage, read> {name}: array<{element}>;\n")
        }
    }
}

/// The function that reads an element, if that depends on the memory.
fn reader(table: &TableBinding, uniform: bool) -> String {
    let TableBinding { name, element, .. } = table;
    let (function, body) = match table.packing {
        Packing::Alone => return String::new(),
        Packing::Pairs(function) | Packing::Numbers(function) if !uniform => (function, format!("    return {name}[i];\n")),
        Packing::Pairs(function) => {
            let two = format!("    let two = {name}[i >> 1u];\n");
            (function, two + "    return select(two.xy, two.zw, (i & 1u) != 0u);\n")
        }
        Packing::Numbers(function) => (function, format!("    return {name}[i >> 2u][i & 3u];\n")),
    };
    format!("\nfn {function}(i: u32) -> {element} {{\n{body}}}\n")
}
