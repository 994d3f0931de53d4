//! Where kernels find the tables. What all threads read alike is read once for all of them from uniform memory, of which there is
//! little: larger tables lie in storage.

use super::entry::Output;
use super::layout::{frame_size, origin_size, point_size};
use crate::program::Tables;

/// Where a kernel finds the tables of its program: part of the key of the kernel cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Memory {
    /// Tables that fit, in uniform memory.
    Uniform,
    /// Tables of any length, in storage.
    Storage,
}

/// The bindings of group 0 by name; what a row of each is in WGSL, how many rows uniform memory is declared with (every adapter binds
/// 64 KiB of it), and how many of those stand in four numbers.
const TABLES: [(u32, &str, &str, usize, usize); 6] = [
    (1, "scalars", "f32", 1024, 4),
    (2, "spans", "vec2<u32>", 512, 2),
    (3, "frames", "Frame", 256, 1),
    (4, "origins", "Origin", 256, 1),
    (5, "series", "f32", 2048, 4),
    (6, "points", "SplinePoint", 512, 1),
];

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

/// How elements are read in uniform memory, whose rows are of four numbers.
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
        let fit = TABLES.iter().zip(lengths).all(|(&(binding, _, _, rows, _), length)| length <= rows && declared(binding) <= most);
        if fit { Memory::Uniform } else { Memory::Storage }
    }

    /// Whether a binding of group 0 is uniform. Origins are where all samples share them.
    pub fn is_uniform(self, binding: u32, output: Output) -> bool {
        binding == 0 || self == Memory::Uniform && !(binding == 4 && matches!(output, Output::Points { .. }))
    }

    /// The tables in WGSL.
    pub fn declarations(self, output: Output) -> String {
        let table = |&(binding, name, row, rows, packed): &(u32, &str, &str, usize, usize)| match self.is_uniform(binding, output) {
            true => {
                let row = match packed {
                    1 => row,
                    2 => "vec4<u32>",
                    _ => "vec4<f32>",
                };
                format!("@group(0) @binding({binding}) var<uniform> {name}: array<{row}, {}>;\n", rows / packed)
            }
            false => format!("@group(0) @binding({binding}) var<storage, read> {name}: array<{row}>;\n"),
        };
        let read = if self == Memory::Uniform { READ_UNIFORM } else { READ_STORAGE };
        format!("\n{}{read}", TABLES.iter().map(table).collect::<String>())
    }
}

/// Bytes of a table that is declared as uniform memory.
fn declared(binding: u32) -> u64 {
    let size = |&(_, _, row, rows, _): &(u32, &str, &str, usize, usize)| {
        let of_row = match row {
            "f32" => 4,
            "vec2<u32>" => 8,
            "Frame" => frame_size(),
            "Origin" => origin_size(),
            _ => point_size(),
        };
        rows as u64 * of_row
    };
    TABLES.iter().find(|table| table.0 == binding).map_or(0, size)
}

/// Bytes of a binding of group 0 for a table of so many: uniform ones are as long as they are declared.
pub fn binding_size(binding: u32, uniform: bool, length: u64) -> u64 {
    // Bindings start at multiples of 256 bytes, the largest alignment a device may ask for.
    let whole = |length: u64| length.next_power_of_two().max(256);
    if uniform && binding > 0 { declared(binding) } else { whole(length) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uniform_tables_start_where_they_may_and_are_no_longer_than_may_be_bound() {
        for (binding, name, ..) in TABLES {
            assert_eq!(declared(binding) % 256, 0, "{name}");
            assert!(declared(binding) <= 65536, "{name}");
        }
    }
}
