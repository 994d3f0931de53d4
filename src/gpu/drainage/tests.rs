//! Compares squares on the device with the CPU's, bit for bit.

use super::*;
use crate::drainage::down::Downstream;
use crate::drainage::grid::STEPS as AROUND;
use crate::drainage::square::Square;
use crate::drainage::surface::Surface;
use crate::drainage::tests::{random, worlds};
use crate::gpu::DeviceOptions;

fn device() -> Context {
    let name = std::env::var("OROGEN_ADAPTER").ok();
    Context::open(name.as_deref(), true, &DeviceOptions::default()).expect("an adapter: apt-get install mesa-vulkan-drivers libvulkan1")
}

/// The values of a square with its halo.
fn window(grid: &Grid, rect: &Rect, layer: &[f32]) -> Vec<f32> {
    let Rect { first: [x, y], size: [width, height] } = rect.with_halo(grid);
    (y..y + height).flat_map(|y| layer[grid.index([x, y]) as usize..][..width as usize].iter().copied()).collect()
}

/// Compares a square; returns the number of its basins.
fn compare(device: &Context, grid: &Grid, rect: &Rect, layers: (&[f32], Option<&[f32]>), outlets: &Outlets, name: &str) -> usize {
    let name = format!("{name}: {rect:?} of {grid:?}, {outlets:?}");
    let (heights, mask) = layers;
    let expected = Square::new(grid, *rect, heights, mask, outlets);
    let found = device.find_basins(grid, rect, layers, outlets).unwrap_or_else(|error| panic!("{name}: {error:?}"));
    assert_eq!(first_difference(&found.directions, &expected.directions), None, "directions, {name}");
    let found = Square::from_found(Surface::new(grid, *rect, heights), found).unwrap_or_else(|| panic!("{name}: no forest"));
    assert_eq!(first_difference(&found.basins, &expected.basins), None, "basins, {name}");
    assert_eq!(found.ends, expected.ends, "{name}");
    let passes = |square: &Square<'_>| square.tree.iter().map(|pair| (pair.key(), pair.high, pair.low)).collect::<Vec<_>>();
    assert_eq!(first_difference(&passes(&found), &passes(&expected)), None, "passes, {name}");
    assert_eq!(found.passes(), expected.passes(), "{name}");

    let (directions, offsets) = (&expected.directions, rect.offsets());
    let down = Downstream::new(directions, offsets);
    // Sums that carry beyond 32 bits.
    let rain = |cell: u32| u64::from(random(cell, 0, 3).to_bits()) << 9;
    let cells = rect.cells() as u32;
    let amounts =
        || Amounts { areas: (0..cells).map(|cell| 1 + u64::from(cell % 7 == 0)).collect(), rains: (0..cells).map(rain).collect() };
    let even = || Amounts { rains: Vec::new(), ..amounts() };
    for amounts in [&amounts as &dyn Fn() -> Amounts, &even] {
        let sums = Sums::new(&down, directions, offsets, amounts());
        let found = device.sum_downwards(rect.size, directions, &amounts()).unwrap_or_else(|error| panic!("{name}: {error:?}"));
        assert_eq!(first_difference(&found.amounts.areas, &sums.amounts.areas), None, "areas, {name}");
        assert_eq!(first_difference(&found.amounts.rains, &sums.amounts.rains), None, "rain, {name}");
        assert_eq!(first_difference(&found.ends, &sums.ends), None, "ends, {name}");
        assert_eq!(first_difference(&found.distances, &sums.distances), None, "distances, {name}");
    }
    expected.ends.len()
}

/// The first place where lists differ, and what they have there.
fn first_difference<T: PartialEq + Copy>(found: &[T], expected: &[T]) -> Option<(usize, Option<T>, Option<T>)> {
    let at = (0..found.len().max(expected.len())).find(|at| found.get(*at) != expected.get(*at))?;
    Some((at, found.get(at).copied(), expected.get(at).copied()))
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn squares_on_the_device_are_those_of_the_cpu() {
    let device = device();
    let mut most = 0;
    for (size, edge) in [([1, 1], 1), ([1, 9], 9), ([9, 1], 4), ([2, 2], 2), ([37, 53], 16), ([64, 64], 64), ([101, 40], 33)] {
        let grid = Grid { size, edge, seed: 11 };
        let mask: Vec<f32> = (0..size[0] * size[1]).map(|cell| if random(cell, 7, 91) < 0.01 { 0.6 } else { 0.5 }).collect();
        for (name, heights, outlets) in worlds(size) {
            for number in 0..grid.count() {
                let rect = grid.square(number);
                let (heights, mask) = (window(&grid, &rect, &heights), window(&grid, &rect, &mask));
                most = most.max(compare(&device, &grid, &rect, (&heights, None), &outlets, name));
                compare(&device, &grid, &rect, (&heights, Some(&mask)), &Outlets { edge: false, ..outlets }, name);
            }
        }
    }
    assert!(most > 400, "{most} basins");
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn large_squares_on_the_device_are_those_of_the_cpu() {
    let device = device();
    for size in [[512, 512], [511, 257]] {
        let grid = Grid { size, edge: 512, seed: 5 };
        let hard = ["a constant plane", "a spiral down to its beginning", "white noise of four heights", "hills with one outlet"];
        for (name, heights, outlets) in worlds(size).into_iter().filter(|(name, ..)| hard.contains(name)) {
            compare(&device, &grid, &grid.square(0), (&heights, None), &outlets, name);
        }
    }
}

/// Indices decide between cells of the same hash. These have indices that differ in their high words.
#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn indices_of_64_bits_are_ordered_as_on_the_cpu() {
    let device = device();
    let rows = (1_u64 << 32) / 1_000_003;
    let grid = Grid { size: [1_000_003, 2_000_000], edge: 64, seed: 9 };
    for y in [0, rows as u32 - 20, 1_999_950] {
        for x in [0, 600_000, 999_950] {
            let rect = grid.square(grid.holder([x, y]));
            let around = rect.with_halo(&grid);
            for (name, heights, outlets) in worlds(around.size) {
                compare(&device, &grid, &rect, (&heights, None), &outlets, name);
            }
        }
    }
}

/// Each replacement changes the result for some world, or is refused.
#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn comparisons_notice_kernels_that_are_wrong() {
    let device = device();
    let size = [37, 53];
    let grid = Grid { size, edge: 40, seed: 11 };
    let rect = grid.square(0);
    let mask: Vec<f32> = (0..size[0] * size[1]).map(|cell| if random(cell, 7, 91) < 0.01 { 0.6 } else { 0.5 }).collect();
    let differs = || {
        let compared = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            for (name, heights, outlets) in worlds(size) {
                let (heights, mask) = (window(&grid, &rect, &heights), window(&grid, &rect, &mask));
                compare(&device, &grid, &rect, (&heights, None), &outlets, name);
                compare(&device, &grid, &rect, (&heights, Some(&mask)), &outlets, name);
            }
        }));
        compared.is_err()
    };
    assert!(!differs());
    for (from, to) in [
        ("0x7feb352du", "0x7feb352fu"),
        ("0.70710677", "0.75"),
        ("<= head.sea", "< head.sea"),
        ("mask[place] > 0.5", "mask[place] >= 0.5"),
        ("|| at.x == last.x", ""),
        ("height <= own && height >= own", "false"),
        ("keys[high], keys[high] < lowest", "keys[high], true"),
        ("atomicMin(&lowest_hashes[group], hashes[high])", "atomicStore(&lowest_hashes[group], hashes[high])"),
        ("groups_is_above(lowest, low)", "groups_is_above(low, lowest)"),
        ("select(0u, 1u, before + value.x < before)", "0u"),
        ("head_wide_sum(distances[cell], distances[next])", "distances[cell]"),
    ] {
        device.sabotage(from, to);
        assert!(differs(), "{from} → {to} went unnoticed");
    }
}

#[test]
fn directions_on_the_device_are_in_the_order_of_steps() {
    let head = include_str!("../../../shaders/drainage/head.wgsl");
    assert!(head.contains("nine % 3u") && AROUND == std::array::from_fn(|d| [(d + d / 4) as i32 % 3 - 1, (d + d / 4) as i32 / 3 - 1]));
    assert_eq!([1, 64, 65, 4096, 4097, 262_145].map(dispatches), [1, 1, 2, 2, 3, 4]);
}
