//! Where kernels find the tables. What all threads read alike is read once for all of them from uniform memory, of which there is
//! little: larger tables lie in storage.

use crate::gpu::layout::{frame_size, origin_size, point_size};
use crate::gpu::wgsl::entry::Output;
use crate::program::Tables;

/// Where a kernel finds the tables of its program: part of the key of the kernel cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Memory {
    /// Tables that fit, in uniform memory.
    Uniform,
    /// Tables of any length, in storage.
    Storage,
}

/// A binding of group 0.
struct Table {
    binding: u32,
    name: &'static str,
    /// What an element is in WGSL.
    element: &'static str,
    /// How many elements uniform memory is declared with; every adapter binds 64 KiB of it.
    elements: usize,
    /// What stands there in four numbers, and how many elements that is.
    packed: (&'static str, usize),
}

const fn table(binding: u32, name: &'static str, element: &'static str, elements: usize, packed: (&'static str, usize)) -> Table {
    Table { binding, name, element, elements, packed }
}

const TABLES: [Table; 6] = [
    table(1, "scalars", "f32", 1024, ("vec4<f32>", 4)),
    table(2, "spans", "vec2<u32>", 512, ("vec4<u32>", 2)),
    table(3, "frames", "Frame", 256, ("Frame", 1)),
    table(4, "origins", "Origin", 256, ("Origin", 1)),
    table(5, "series", "f32", 2048, ("vec4<f32>", 4)),
    table(6, "points", "SplinePoint", 512, ("SplinePoint", 1)),
];

impl Table {
    /// Bytes of it in uniform memory.
    fn size(&self) -> u64 {
        let element = match self.binding {
            1 | 5 => 4,
            2 => 8,
            3 => frame_size(),
            4 => origin_size(),
            _ => point_size(),
        };
        self.elements as u64 * element
    }

    fn declaration(&self, uniform: bool) -> String {
        let Table { binding, name, element, elements, packed: (packed, of) } = self;
        if uniform {
            format!("@group(0) @binding({binding}) var<uniform> {name}: array<{packed}, {}>;\n", elements / of)
        } else {
            format!("@group(0) @binding({binding}) var<storage, read> {name}: array<{element}>;\n")
        }
    }
}

/// How elements are read where they stand alone.
const READ_STORAGE: &str = "
fn table_scalar(i: u32) -> f32 {
    return scalars[i];
}

fn table_span(i: u32) -> vec2<u32> {
    return spans[i];
}

fn table_series(i: u32) -> f32 {
    return series[i];
}
";

/// How elements are read in uniform memory, whose elements are of four numbers.
const READ_UNIFORM: &str = "
fn table_scalar(i: u32) -> f32 {
    return scalars[i >> 2u][i & 3u];
}

fn table_span(i: u32) -> vec2<u32> {
    let two = spans[i >> 1u];
    return select(two.xy, two.zw, (i & 1u) != 0u);
}

fn table_series(i: u32) -> f32 {
    return series[i >> 2u][i & 3u];
}
";

impl Memory {
    /// Where these tables lie on a device that binds so many bytes of uniform memory.
    pub fn of(tables: &Tables, most: u64) -> Self {
        let Tables { scalars, spans, frames, series, points } = tables;
        let lengths = [scalars.len(), spans.len(), frames.len(), frames.len(), series.len(), points.len()];
        let fit = TABLES.iter().zip(lengths).all(|(table, length)| length <= table.elements && table.size() <= most);
        if fit { Memory::Uniform } else { Memory::Storage }
    }

    /// Whether a binding of group 0 is uniform. Origins are where all samples share them.
    pub fn is_uniform(self, binding: u32, output: Output) -> bool {
        binding == 0 || self == Memory::Uniform && !(binding == 4 && matches!(output, Output::Points { .. }))
    }

    /// The tables in WGSL.
    pub fn declarations(self, output: Output) -> String {
        let read = if self == Memory::Uniform { READ_UNIFORM } else { READ_STORAGE };
        let all: String = TABLES.iter().map(|table| table.declaration(self.is_uniform(table.binding, output))).collect();
        format!("\n{all}{read}")
    }
}

/// Bytes of a binding of group 0 for a table of so many: uniform ones are as long as they are declared.
pub fn binding_size(binding: u32, uniform: bool, length: u64) -> u64 {
    match TABLES.iter().find(|table| uniform && table.binding == binding) {
        Some(table) => table.size(),
        // Bindings start at multiples of 256 bytes, the largest alignment a device may ask for.
        None => length.next_power_of_two().max(256),
    }
}

#[cfg(test)]
mod tests {
    use crate::gpu::wgsl::tables::*;

    #[test]
    fn uniform_tables_start_where_they_may_and_are_no_longer_than_may_be_bound() {
        for table in TABLES {
            assert_eq!(table.size() % 256, 0, "{}", table.name);
            assert!(table.size() <= 65536, "{}", table.name);
        }
    }
}
