//! Compares rivers of squares of any size with definitions that look at the whole world at once.

use super::outline::{Outline, Sides, add_sides, outlines};
use super::survey::Survey;
use super::{Polygon, RiverOptions, Rivers};
use crate::drainage::grid::{Grid, Rect, STEPS};
use crate::drainage::order::hash;
use crate::drainage::rain::Rain;
use crate::drainage::surface::Outlets;
use crate::drainage::tests::squares;
use crate::region::Region;
use crate::stage::{DrainedWorld, Tracing};
use std::collections::{BTreeMap, BTreeSet};

const SIZE: [u32; 2] = [41, 29];
const STEP: f64 = 2.0;

/// Heights in few steps, so that there are lakes with islands, and lakes that touch others across corners.
fn heights(seed: u32, steps: u32) -> Vec<f32> {
    let [width, height] = SIZE;
    let rough = |x: u32, y: u32| hash(seed, u64::from(y) * 1000 + u64::from(x)) >> 8;
    let at = |x: u32, y: u32| (rough(x / 3, y / 3) % steps + rough(x, y) % 3) as f32;
    (0..height).flat_map(|y| (0..width).map(move |x| at(x, y))).collect()
}

fn world(edge: u32, sea: Option<f32>) -> DrainedWorld {
    let outlets = Outlets { edge: true, sea };
    let region = Region { origin: [-7, 12, 0], spacing: STEP, ..Region::plane(SIZE[0], SIZE[1]) };
    DrainedWorld {
        region,
        grid: Grid { size: SIZE, edge, seed: 5 },
        tracing: Tracing { outlets, has_mask: false, breach: 0.0, rain: Rain::Even(65_536) },
    }
}

fn found(world: &DrainedWorld, heights: &[f32], options: &RiverOptions) -> Rivers {
    let mut survey = Survey::new(world, options);
    // The last squares first: their order must not matter.
    for (rect, planes) in squares(&world.grid, heights, &world.tracing.outlets).expect("outlets").iter().rev() {
        survey.add(rect, planes);
    }
    survey.finish()
}

/// Six samples are a river.
fn options(smoothing: u32) -> RiverOptions {
    RiverOptions { smoothing, lake: 0.0, ..RiverOptions::new(5.5 * STEP * STEP) }
}

#[test]
fn rivers_are_the_same_for_squares_of_any_size() {
    for (seed, steps, sea) in [(1, 9, None), (2, 4, None), (3, 20, Some(4.0)), (4, 2, None), (5, 1, None)] {
        let heights = heights(seed, steps);
        let whole = found(&world(64, sea), &heights, &options(4));
        assert!(!whole.segments.is_empty() && !whole.basins.is_empty());
        for edge in [1, 2, 3, 7, 16, 40] {
            assert_eq!(found(&world(edge, sea), &heights, &options(4)), whole, "seed {seed}, squares of {edge}²");
        }
    }
}

#[test]
fn segments_cover_every_channel_once_and_follow_the_water() {
    for seed in 0..20 {
        let (heights, world) = (heights(seed, 12), world(8, None));
        let rivers = found(&world, &heights, &options(0));
        let grid = &world.grid;
        let mut cells = BTreeMap::new();
        for (rect, planes) in squares(grid, &heights, &world.tracing.outlets).expect("outlets") {
            for cell in 0..rect.cells() {
                let at = rect.position(cell as u32);
                let next = grid.neighbour(at, planes.directions[cell].min(7)).filter(|_| planes.directions[cell] < 8);
                cells.insert(at, (next, planes.areas[cell], planes.filled[cell], planes.orders[cell]));
            }
        }
        let is_channel = |at: &[u32; 2]| cells[at].1 >= 6;
        let index = |[x, y]: [f64; 2]| [(x / STEP + 7.0) as u32, (y / STEP - 12.0) as u32];
        let mut links = BTreeSet::new();
        let by_id: BTreeMap<u64, _> = rivers.segments.iter().map(|segment| (segment.id, segment)).collect();
        for segment in &rivers.segments {
            let path: Vec<[u32; 2]> = segment.points.iter().map(|[x, y, _]| index([*x, *y])).collect();
            let [.., last, end] = path[..] else { panic!("a segment has two points") };
            assert_eq!(grid.index(path[0]), segment.id);
            assert_eq!((segment.area, segment.order), (cells[&last].1 as f64 * STEP * STEP, cells[&last].3));
            assert_eq!(segment.width, 0.001 * segment.area.sqrt());
            for (pair, point) in path.windows(2).zip(&segment.points) {
                assert_eq!(cells[&pair[0]].0, Some(pair[1]), "along the water");
                assert!(links.insert(pair[0]), "{:?} is in two segments", pair[0]);
                assert_eq!(point[2], f64::from(cells[&pair[0]].2));
            }
            let donors = |at: [u32; 2]| cells.iter().filter(|(cell, of)| of.0 == Some(at) && is_channel(cell)).count();
            assert!(path[1..path.len() - 1].iter().all(|at| donors(*at) == 1), "a confluence ends a segment");
            match segment.into {
                Some(into) => {
                    assert_eq!(grid.index(end), into);
                    assert!(donors(end) >= 2);
                    let next = by_id[&into];
                    assert!(next.area > segment.area);
                    let largest = rivers.segments.iter().filter(|other| other.into == Some(into)).map(|other| other.area);
                    let largest = largest.fold(0.0, f64::max);
                    assert!(segment.river != next.river || segment.area == largest);
                }
                None => assert_eq!((cells[&end].0, segment.river), (None, segment.id), "a mouth is an outlet"),
            }
        }
        let channels = cells.iter().filter(|(at, cell)| is_channel(at) && cell.0.is_some()).count();
        assert_eq!(links.len(), channels);
        // Each river is one line from a spring to a mouth or a larger river.
        let heads = rivers.segments.iter().filter(|segment| !rivers.segments.iter().any(|other| other.into == Some(segment.id))).count();
        let names: BTreeSet<u64> = rivers.segments.iter().map(|segment| segment.river).collect();
        assert_eq!(names.len(), heads, "as many rivers as springs");
    }
}

/// Samples whose middle is in a polygon, by counting the borders to the right.
fn covered(polygons: &[Polygon]) -> BTreeSet<[u32; 2]> {
    let [width, height] = SIZE;
    let inside = |ring: &Vec<[f64; 2]>, [x, y]: [f64; 2]| {
        ring.windows(2).filter(|ends| ends[0][0] > x && ends[0][0] == ends[1][0] && (ends[0][1] < y) != (ends[1][1] < y)).count() % 2 == 1
    };
    let position = |[x, y]: [u32; 2]| [(f64::from(x) - 7.0) * STEP, (f64::from(y) + 12.0) * STEP];
    let has = |at: [u32; 2]| {
        let within =
            |polygon: &Polygon| inside(&polygon.outer, position(at)) && !polygon.holes.iter().any(|hole| inside(hole, position(at)));
        let count = polygons.iter().filter(|polygon| within(polygon)).count();
        assert!(count <= 1, "{at:?} is in {count} polygons");
        count == 1
    };
    (0..height).flat_map(|y| (0..width).map(move |x| [x, y])).filter(|at| has(*at)).collect()
}

fn signed(ring: &[[f64; 2]]) -> f64 {
    ring.windows(2).map(|ends| ends[0][0] * ends[1][1] - ends[1][0] * ends[0][1]).sum::<f64>() / 2.0
}

/// Checks rings, and that the polygons have an area.
fn check_polygons(polygons: &[Polygon], area: f64) {
    for Polygon { outer, holes } in polygons {
        for ring in holes.iter().chain([outer]) {
            assert!(ring.len() >= 5 && ring.first() == ring.last(), "closed: {ring:?}");
            assert!(ring.windows(3).all(|three| (three[0][0] == three[1][0]) != (three[1][0] == three[2][0])), "corners only: {ring:?}");
        }
        assert!(signed(outer) > 0.0 && holes.iter().all(|hole| signed(hole) < 0.0));
    }
    let sum = polygons.iter().map(|polygon| signed(&polygon.outer) + polygon.holes.iter().map(|hole| signed(hole)).sum::<f64>());
    assert_eq!(sum.sum::<f64>(), area);
}

#[test]
fn lakes_are_the_samples_under_water_that_touch() {
    let (mut islands, mut parts) = (0, 0);
    for seed in 0..40 {
        let (heights, world) = (heights(seed, 3 + seed % 6), world(8, None));
        let rivers = found(&world, &heights, &options(0));
        let mut water = BTreeMap::new();
        for (rect, planes) in squares(&world.grid, &heights, &world.tracing.outlets).expect("outlets") {
            let wet = (0..rect.cells()).filter(|cell| planes.depth(*cell) > 0.0);
            water.extend(wet.map(|cell| (rect.position(cell as u32), (planes.filled[cell], planes.depth(cell)))));
        }
        let mut all = BTreeSet::new();
        for lake in &rivers.lakes {
            let cells = covered(&lake.polygons);
            assert_eq!(lake.area, cells.len() as f64 * STEP * STEP);
            check_polygons(&lake.polygons, lake.area);
            assert_eq!(cells.iter().map(|at| world.grid.index(*at)).min(), Some(lake.id));
            let depth = cells.iter().map(|at| water[at].1).fold(0.0, f32::max);
            assert_eq!(lake.depth, f64::from(depth));
            assert!(cells.iter().all(|at| f64::from(water[at].0) == lake.level));
            // One sample reaches all.
            let (mut reached, mut next) = (BTreeSet::new(), vec![*cells.first().expect("samples")]);
            while let Some([x, y]) = next.pop() {
                if reached.insert([x, y]) {
                    let around = STEPS.map(|[dx, dy]| [x.wrapping_add_signed(dx), y.wrapping_add_signed(dy)]);
                    next.extend(around.iter().filter(|at| cells.contains(*at)));
                    assert!(around.iter().all(|at| cells.contains(at) || !water.contains_key(at)), "a lake ends where water ends");
                }
            }
            assert_eq!(reached, cells);
            assert!(cells.iter().all(|at| all.insert(*at)));
            islands += lake.polygons.iter().map(|polygon| polygon.holes.len()).sum::<usize>();
            parts += lake.polygons.len() - 1;
        }
        assert_eq!(all, water.keys().copied().collect());
    }
    assert!(islands > 5 && parts > 20, "{islands} islands, {parts} lakes with more than one polygon");
}

#[test]
fn an_area_in_a_hole_of_itself_has_an_outline_of_its_own() {
    let rows = ["#######", "#.....#", "#.###.#", "#.#.#.#", "#.###.#", "#.....#", "#######"];
    let rect = Rect { first: [10, 20], size: [7, 7] };
    let mut sides = Sides::new();
    add_sides(&mut sides, &rect, |cell| (rows[cell / 7].as_bytes()[cell % 7] == b'#').then_some(3));
    let square = |from: u32, to: u32| vec![[10 + from, 20 + from], [10 + to, 20 + from], [10 + to, 20 + to], [10 + from, 20 + to]];
    let hole = |from: u32, to: u32| vec![[10 + from, 20 + from], [10 + from, 20 + to], [10 + to, 20 + to], [10 + to, 20 + from]];
    // Rings begin at their lowest corner.
    let expected = [Outline { outer: square(0, 7), holes: vec![hole(1, 6)] }, Outline { outer: square(2, 5), holes: vec![hole(3, 4)] }];
    assert_eq!(outlines(sides.remove(&3).expect("sides")), expected);
}

#[test]
fn basins_are_the_samples_of_an_outlet() {
    for (seed, sea) in [(1, None), (2, Some(5.0)), (3, Some(2.0))] {
        let (heights, world) = (heights(seed, 12), world(8, sea));
        let everything = RiverOptions { basin: 0.0, ..options(0) };
        let rivers = found(&world, &heights, &everything);
        let mut outlets = BTreeMap::<u64, BTreeSet<[u32; 2]>>::new();
        for (rect, planes) in squares(&world.grid, &heights, &world.tracing.outlets).expect("outlets") {
            (0..rect.cells()).for_each(|cell| {
                outlets.entry(planes.outlets[cell]).or_default().insert(rect.position(cell as u32));
            });
        }
        assert_eq!(rivers.basins.iter().map(|basin| basin.id).collect::<Vec<_>>(), outlets.keys().copied().collect::<Vec<_>>());
        for basin in &rivers.basins {
            assert_eq!(covered(&basin.polygons), outlets[&basin.id]);
            check_polygons(&basin.polygons, basin.area);
        }
        // Larger ones alone.
        let some = found(&world, &heights, &RiverOptions { basin: 12.0 * STEP * STEP, ..everything });
        let large: Vec<_> = rivers.basins.iter().filter(|basin| basin.area >= 12.0 * STEP * STEP).cloned().collect();
        assert!(!large.is_empty() && large.len() < rivers.basins.len());
        assert_eq!(some.basins, large);
        assert!(found(&world, &heights, &RiverOptions { basin: f64::INFINITY, lake: f64::INFINITY, ..everything }).basins.is_empty());
    }
}

#[test]
fn smoothing_keeps_ends_and_never_raises_water() {
    let (heights, world) = (heights(9, 20), world(64, None));
    let [rough, smooth] = [0, 8].map(|rounds| found(&world, &heights, &options(rounds)));
    for (rough, smooth) in rough.segments.iter().zip(&smooth.segments) {
        assert_eq!((rough.points.first(), rough.points.last()), (smooth.points.first(), smooth.points.last()));
        assert_eq!(rough.points.len(), smooth.points.len());
        assert!(smooth.points.windows(2).all(|pair| pair[1][2] <= pair[0][2]));
    }
    let bends = |rivers: &Rivers| {
        let turn = |three: &[[f64; 3]]| {
            let [a, b, c] = [three[0], three[1], three[2]];
            ((b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])).abs()
        };
        rivers.segments.iter().flat_map(|segment| segment.points.windows(3).map(turn)).sum::<f64>()
    };
    assert!(bends(&smooth) < 0.5 * bends(&rough), "{} {}", bends(&smooth), bends(&rough));
}

#[test]
fn options_outside_their_range_are_named() {
    let good = RiverOptions::new(1.0);
    assert_eq!(good.check(), Ok(()));
    for (wrong, name) in [
        (RiverOptions { area: 0.0, ..good }, "area = 0 "),
        (RiverOptions { area: f64::NAN, ..good }, "area = NaN "),
        (RiverOptions { area: f64::INFINITY, ..good }, "area = inf "),
        (RiverOptions { basin: -1.0, ..good }, "basin = -1 "),
        (RiverOptions { lake: f64::NAN, ..good }, "lake = NaN "),
        (RiverOptions { width: -0.1, ..good }, "width = -0.1 "),
        (RiverOptions { smoothing: 65, ..good }, "smoothing = 65 "),
    ] {
        let told = wrong.check().expect_err(name).to_string();
        assert!(told.starts_with(name) && told.contains("allowed:"), "{told}");
    }
}
