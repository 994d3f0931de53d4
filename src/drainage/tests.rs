//! Compares squares of any size with textbook algorithms over the whole world in memory.

use super::down::{DIAGONAL, Downstream, STRAIGHT, Sums};
use super::downward::Planes;
use super::flow::amounts;
use super::grid::{Grid, OUTLET, PIT, Rect, STEPS};
use super::levels::{self, Unjoined};
use super::order::{Rank, Weight, hash, height, key};
use super::passes::Undrained;
use super::rain::parts;
use super::record::{Entering, Flow};
use super::route::Routed;
use super::square::Square;
use super::surface::Outlets;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::convert::Infallible;

mod breach;
mod grade;
mod rules;

/// The drainage of each cell of the world, in rows.
#[derive(Debug, PartialEq)]
struct Drainage {
    /// The bits of the water's surface.
    filled: Vec<u32>,
    directions: Vec<u8>,
    areas: Vec<u64>,
    rains: Vec<u64>,
    orders: Vec<u8>,
    distances: Vec<u64>,
    outlets: Vec<u64>,
}

/// Everything that a drainage is traced from.
#[derive(Clone, Copy)]
struct Given<'a> {
    heights: &'a [f32],
    mask: Option<&'a [f32]>,
    rain: Option<&'a [f32]>,
    breach: f32,
    /// Squares along the edge of a group; `None` if all are joined at once.
    factor: Option<u32>,
}

impl<'a> Given<'a> {
    fn new(heights: &'a [f32]) -> Self {
        Given { heights, mask: None, rain: None, breach: 0.0, factor: None }
    }
}

/// The planes of all squares, from heights alone.
pub(crate) fn squares(grid: &Grid, heights: &[f32], outlets: &Outlets) -> Result<Vec<(Rect, Planes)>, Undrained> {
    squares_of(grid, &Given::new(heights), outlets)
}

/// The planes of all squares.
fn squares_of(grid: &Grid, given: &Given<'_>, outlets: &Outlets) -> Result<Vec<(Rect, Planes)>, Undrained> {
    let window = |number: u32, layer: &[f32]| -> Vec<f32> {
        let Rect { first: [x, y], size: [width, height] } = grid.square(number).with_halo(grid);
        (y..y + height).flat_map(|y| layer[grid.index([x, y]) as usize..][..width as usize].iter().copied()).collect()
    };
    let square = |number: u32| {
        let mask = given.mask.map(|mask| window(number, mask));
        Square::new(grid, grid.square(number), &window(number, given.heights), mask.as_deref(), outlets)
    };
    let rain = |number: u32| given.rain.map(|rain| window(number, rain));
    let factor = given.factor.unwrap_or(u32::MAX);
    // Every level reads records again.
    let passes: Vec<_> = (0..grid.count()).map(|number| square(number).passes()).collect();
    let joined = levels::join_all(grid, factor, &|number| Ok::<_, Infallible>(passes[number as usize].clone()));
    let routings = match joined {
        Ok(routings) => routings,
        Err(Unjoined::Records(undrained)) => return Err(undrained),
        Err(Unjoined::Storage(never)) => match never {},
    };
    let routed = |number: u32| Routed::new(square(number), &routings[number as usize]);
    let sums = |routed: &Routed<'_>, number: u32, enters: &[Entering]| {
        let (directions, offsets) = (&routed.directions, routed.square.surface.offsets());
        let down = Downstream::new(directions, offsets);
        let sums = Sums::new(&down, directions, offsets, amounts(routed, rain(number).as_deref(), enters));
        (down, sums)
    };
    let flow = |number: u32| {
        let routed = routed(number);
        let (down, sums) = sums(&routed, number, &[]);
        Flow::new(&routed, &down, &sums, given.breach)
    };
    let flows: Vec<_> = (0..grid.count()).map(flow).collect();
    let flow = |number: u32| Ok::<_, Infallible>(flows[number as usize].clone());
    let throughs = levels::join_all(grid, factor, &flow).expect("records of one world");
    let planes = |number: u32| {
        let (routed, through) = (routed(number), &throughs[number as usize]);
        let (down, sums) = sums(&routed, number, &through.enters);
        Planes::new(&routed, &down, sums, through, given.breach)
    };
    Ok((0..grid.count()).map(|number| (grid.square(number), planes(number))).collect())
}

/// By squares.
fn by_squares(grid: &Grid, given: &Given<'_>, outlets: &Outlets) -> Result<Drainage, Undrained> {
    let count = given.heights.len();
    let (filled, directions, areas) = (vec![0; count], vec![PIT; count], vec![0; count]);
    let rains = vec![0; if given.rain.is_some() { count } else { 0 }];
    let mut all = Drainage { filled, directions, areas, rains, orders: vec![0; count], distances: vec![0; count], outlets: vec![0; count] };
    for (rect, planes) in squares_of(grid, given, outlets)? {
        for local in 0..rect.cells() {
            let at = grid.index(rect.position(local as u32)) as usize;
            all.filled[at] = planes.filled[local].to_bits();
            all.directions[at] = planes.directions[local];
            all.areas[at] = planes.areas[local];
            if let Some(rain) = planes.rains.get(local) {
                all.rains[at] = *rain;
            }
            all.orders[at] = planes.orders[local];
            all.distances[at] = planes.distances[local];
            all.outlets[at] = planes.outlets[local];
        }
    }
    Ok(all)
}

/// The whole world in memory.
struct World<'a> {
    grid: &'a Grid,
    heights: &'a [f32],
    outlets: &'a Outlets,
    mask: Option<&'a [f32]>,
}

impl World<'_> {
    fn rank(&self, cell: usize) -> Rank {
        Rank { key: key(self.heights[cell]), hash: hash(self.grid.seed, cell as u64), index: cell as u64 }
    }

    fn is_outlet(&self, cell: usize) -> bool {
        let [width, height] = self.grid.size.map(|size| size as usize);
        let (x, y) = (cell % width, cell / width);
        let edge = x == 0 || y == 0 || x + 1 == width || y + 1 == height;
        self.mask.is_some_and(|mask| mask[cell] > 0.5)
            || self.outlets.edge && edge
            || self.outlets.sea.is_some_and(|sea| self.heights[cell] <= sea)
    }

    /// The neighbours with their directions.
    fn neighbours(&self, cell: usize) -> impl Iterator<Item = (u8, usize)> {
        let [width, height] = self.grid.size.map(|size| size as i32);
        let (x, y) = (cell as i32 % width, cell as i32 / width);
        (0..).zip(STEPS).filter_map(move |(direction, [dx, dy])| {
            let inside = (0..width).contains(&(x + dx)) && (0..height).contains(&(y + dy));
            inside.then(|| (direction, ((y + dy) * width + x + dx) as usize))
        })
    }

    fn next(&self, cell: usize, direction: u8) -> Option<usize> {
        self.neighbours(cell).find(|(other, _)| *other == direction).map(|(_, next)| next)
    }

    /// Priority flood; `None` if it does not reach every cell.
    fn flood(&self) -> Option<Vec<u32>> {
        let count = self.heights.len();
        let (mut levels, mut queue) = (vec![None; count], BinaryHeap::new());
        for cell in (0..count).filter(|cell| self.is_outlet(*cell)) {
            levels[cell] = Some(key(self.heights[cell]));
            queue.push(Reverse((key(self.heights[cell]), cell)));
        }
        while let Some(Reverse((level, cell))) = queue.pop() {
            for (_, next) in self.neighbours(cell) {
                if levels[next].is_none() {
                    let level = level.max(key(self.heights[next]));
                    levels[next] = Some(level);
                    queue.push(Reverse((level, next)));
                }
            }
        }
        levels.into_iter().map(|level| level.map(|level| height(level).to_bits())).collect()
    }

    fn receivers(&self) -> Vec<u8> {
        let receiver = |cell: usize| {
            if self.is_outlet(cell) {
                return OUTLET;
            }
            let mut best: Option<(f32, Rank, u8)> = None;
            for (direction, next) in self.neighbours(cell).filter(|(_, next)| self.rank(*next) < self.rank(cell)) {
                let longer = if [0, 2, 5, 7].contains(&direction) { 0.707_106_77 } else { 1.0 };
                let (slope, rank) = ((self.heights[cell] - self.heights[next]) * longer, self.rank(next));
                if best.is_none_or(|(steepest, lowest, _)| slope > steepest || slope == steepest && rank < lowest) {
                    best = Some((slope, rank, direction));
                }
            }
            best.map_or(PIT, |(_, _, direction)| direction)
        };
        (0..self.heights.len()).map(receiver).collect()
    }

    /// The end of each cell's water. All outlets are one.
    fn basins(&self, directions: &[u8]) -> Vec<usize> {
        let (outside, mut basins) = (self.heights.len(), vec![0; self.heights.len()]);
        let mut upwards: Vec<usize> = (0..self.heights.len()).collect();
        upwards.sort_by_key(|cell| self.rank(*cell));
        for cell in upwards {
            basins[cell] = match directions[cell] {
                OUTLET => outside,
                PIT => cell,
                direction => basins[self.next(cell, direction).expect("a receiver")],
            };
        }
        basins
    }

    /// Reverses the way from each pit to its lowest pass: Prim's algorithm, from the outside.
    fn carve(&self, directions: &mut [u8]) {
        let basins = self.basins(directions);
        type Pass = (Weight, usize, usize);
        let mut lowest: BTreeMap<(usize, usize), Pass> = BTreeMap::new();
        for a in 0..basins.len() {
            for (_, b) in self.neighbours(a).filter(|(_, b)| basins[a] != basins[*b]) {
                let (high, low) = (self.rank(a).max(self.rank(b)), self.rank(a).min(self.rank(b)));
                let pass = (Weight { high, low }, a, b);
                let known = lowest.entry((basins[a], basins[b])).or_insert(pass);
                *known = (*known).min(pass);
            }
        }
        let outside = basins.len();
        let (mut reached, mut queue) = (BTreeSet::from([outside]), BinaryHeap::new());
        let open = |basin: usize, queue: &mut BinaryHeap<Reverse<Pass>>| {
            queue.extend(lowest.range((basin, 0)..=(basin, outside)).map(|(_, pass)| Reverse(*pass)));
        };
        open(outside, &mut queue);
        while let Some(Reverse((_, from, to))) = queue.pop() {
            if !reached.insert(basins[to]) {
                continue;
            }
            let (mut way, mut last) = (vec![from, to], to);
            while let Some(next) = self.next(last, directions[last]) {
                way.push(next);
                last = next;
            }
            for pair in way.windows(2) {
                let back = self.neighbours(pair[1]).find(|(_, next)| *next == pair[0]);
                directions[pair[1]] = back.expect("neighbours").0;
            }
            open(basins[to], &mut queue);
        }
    }

    fn drainage(&self, rain: Option<&[f32]>) -> Option<Drainage> {
        let (filled, mut directions) = (self.flood()?, self.receivers());
        self.carve(&mut directions);
        let count = directions.len();
        let next: Vec<Option<usize>> = (0..count).map(|cell| self.next(cell, directions[cell])).collect();
        let mut donors = vec![0; count];
        next.iter().flatten().for_each(|next| donors[*next] += 1);
        let mut order: Vec<usize> = (0..count).filter(|cell| donors[*cell] == 0).collect();
        let mut rains: Vec<u64> =
            rain.unwrap_or_default().iter().map(|rain| (f64::from(*rain).clamp(0.0, 65_535.0) * 65_536.0).round() as u64).collect();
        let (mut areas, mut done) = (vec![1; count], 0);
        while let Some(&cell) = order.get(done) {
            done += 1;
            let Some(next) = next[cell] else { continue };
            areas[next] += areas[cell];
            if rain.is_some() {
                rains[next] += rains[cell];
            }
            donors[next] -= 1;
            if donors[next] == 0 {
                order.push(next);
            }
        }
        assert_eq!(order.len(), count, "water runs in circles");
        let (mut distances, mut outlets) = (vec![0; count], vec![0; count]);
        for &cell in order.iter().rev() {
            (distances[cell], outlets[cell]) = match next[cell] {
                Some(next) if [0, 2, 5, 7].contains(&directions[cell]) => (distances[next] + DIAGONAL, outlets[next]),
                Some(next) => (distances[next] + STRAIGHT, outlets[next]),
                None => (0, cell as u64),
            };
        }
        // The two largest orders that reach a cell.
        let (mut arriving, mut orders) = (vec![[0_u8; 2]; count], vec![0; count]);
        for &cell in &order {
            let [first, second] = arriving[cell];
            orders[cell] = if first == 0 { 1 } else { first + u8::from(first == second) };
            if let Some(next) = next[cell] {
                let mut all = [arriving[next][0], arriving[next][1], orders[cell]];
                all.sort_unstable_by(|a, b| b.cmp(a));
                arriving[next] = [all[0], all[1]];
            }
        }
        Some(Drainage { filled, directions, areas, rains, orders, distances, outlets })
    }
}

/// A number from 0 to 1 for each cell of a lattice.
pub(crate) fn random(x: u32, y: u32, seed: u32) -> f32 {
    (hash(seed, u64::from(x) << 32 | u64::from(y)) >> 8) as f32 / 16_777_216.0
}

/// Hills of five octaves.
fn hills(x: u32, y: u32) -> f32 {
    let octave = |octave: u32| {
        let wave = 40 >> octave;
        let ([x, fx], [y, fy]) = ([x / wave, x % wave], [y / wave, y % wave]);
        let share = |f: u32| f as f32 / wave as f32;
        let along = |y: u32| random(x, y, octave) + (random(x + 1, y, octave) - random(x, y, octave)) * share(fx);
        (along(y) + (along(y + 1) - along(y)) * share(fy)) * wave as f32
    };
    (0..5).map(octave).sum()
}

/// A channel that winds through the whole world between walls, with the number of each of its cells.
fn spiral([width, height]: [u32; 2]) -> Vec<Option<u32>> {
    let mut cells = vec![None; (width * height) as usize];
    let inside = |[x, y]: [i32; 2]| (0..width as i32).contains(&x) && (0..height as i32).contains(&y);
    let index = |[x, y]: [i32; 2]| (y * width as i32 + x) as usize;
    let (mut at, mut step, mut turned) = ([0, 0], [1, 0], 0);
    cells[0] = Some(0);
    let mut count = 0;
    while turned < 2 {
        let [next, after] = [1, 2].map(|far| [at[0] + far * step[0], at[1] + far * step[1]]);
        let is_used = |at: [i32; 2]| inside(at) && cells[index(at)].is_some();
        if !inside(next) || is_used(next) || is_used(after) {
            (step, turned) = ([-step[1], step[0]], turned + 1);
            continue;
        }
        (at, turned, count) = (next, 0, count + 1);
        cells[index(at)] = Some(count);
    }
    cells
}

/// Worlds in which something is hard: names, heights and outlets.
pub(crate) fn worlds([width, height]: [u32; 2]) -> Vec<(&'static str, Vec<f32>, Outlets)> {
    let edge = Outlets { edge: true, sea: None };
    let sea = |sea: f32| Outlets { edge: false, sea: Some(sea) };
    let of = |height_at: &dyn Fn(u32, u32) -> f32| {
        (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| height_at(x, y)).collect::<Vec<f32>>()
    };
    let winding = |down: &dyn Fn(u32) -> f32| spiral([width, height]).into_iter().map(|cell| cell.map_or(1e6, down)).collect::<Vec<f32>>();
    let middle = [width / 2, height / 2];
    let squared = |at: u32, size: u32| {
        let far = at as f32 - size as f32 / 2.0;
        far * far
    };
    let at_middle = |x: u32, y: u32| [x, y] == middle;
    vec![
        ("a constant plane", of(&|_, _| 3.0), edge),
        ("both zeros", of(&|x, y| if (x ^ y) & 1 == 0 { 0.0 } else { -0.0 }), edge),
        ("a staircase", of(&|x, _| (x / 5) as f32), edge),
        ("terraces", of(&|x, y| ((x * 7 + y * 3) / 40 % 4) as f32), edge),
        (
            "a comb",
            of(&|x, y| {
                if x % 2 == 0 {
                    10.0
                } else if y + 2 == height {
                    -5.0
                } else {
                    y as f32 * 0.01
                }
            }),
            edge,
        ),
        ("a spiral down to its beginning", winding(&|cell| cell as f32), sea(0.0)),
        ("a spiral without an outlet at its end", winding(&|cell| 1e5 - cell as f32), edge),
        ("pits of few heights", of(&|x, y| ((x ^ y) & 1) as f32 + (random(x, y, 5) * 3.0).floor() * 0.1), edge),
        ("a checkerboard of equal pits", of(&|x, y| if x % 3 == 1 && y % 3 == 1 { 0.0 } else { 1.0 }), edge),
        ("one lake", of(&|x, y| squared(x, width) + squared(y, height)), edge),
        ("white noise", of(&|x, y| random(x, y, 77)), edge),
        ("white noise of four heights", of(&|x, y| (random(x, y, 77) * 4.0).floor()), edge),
        ("hills", of(&hills), edge),
        ("hills in a sea", of(&hills), Outlets { sea: Some(35.0), ..edge }),
        ("hills around a sea", of(&hills), sea(28.0)),
        ("hills in steps", of(&|x, y| (hills(x, y) / 4.0).floor()), edge),
        ("hills with one outlet", of(&|x, y| if at_middle(x, y) { -1.0 } else { hills(x, y) }), sea(-1.0)),
        ("a plane with one outlet", of(&|x, y| if at_middle(x, y) { 0.0 } else { 1.0 }), sea(0.0)),
    ]
}

/// Edges of squares, and of groups of them.
const CUTS: [(u32, Option<u32>); 12] = [
    (1, None),
    (1, Some(2)),
    (2, None),
    (2, Some(3)),
    (3, None),
    (3, Some(2)),
    (8, None),
    (8, Some(2)),
    (8, Some(5)),
    (16, Some(2)),
    (50, None),
    (1000, None),
];

#[test]
fn squares_of_any_size_give_the_drainage_of_the_whole_world() {
    let mut refused = 0;
    for size in [[1, 1], [1, 9], [9, 1], [2, 2], [37, 53], [64, 64], [101, 40]] {
        for (name, heights, outlets) in worlds(size) {
            let grid = |edge| Grid { size, edge, seed: 11 };
            let expected =
                World { grid: &grid(1), heights: &heights, outlets: &outlets, mask: None }.drainage(None).ok_or(Undrained::NoOutlet);
            refused += u32::from(expected.is_err());
            for (edge, factor) in CUTS {
                let found = by_squares(&grid(edge), &Given { factor, ..Given::new(&heights) }, &outlets);
                let cut = format!("in squares of {edge}, groups of {factor:?}");
                assert!(found == expected, "{name}, {size:?}, {cut}: {}", first_difference(&found, &expected));
            }
            let Ok(drainage) = expected else { continue };
            let at_outlets = drainage.directions.iter().zip(&drainage.areas).filter(|(code, _)| **code == OUTLET);
            assert_eq!(at_outlets.map(|(_, area)| area).sum::<u64>(), heights.len() as u64, "{name}");
        }
    }
    assert!(refused < 6, "{refused} worlds without an outlet");
}

#[test]
fn masks_of_outlets_and_rain_give_the_drainage_of_the_whole_world() {
    for size in [[1, 9], [37, 53], [101, 40]] {
        let cells = || (0..size[1]).flat_map(|y| (0..size[0]).map(move |x| (x, y)));
        let mask: Vec<f32> = cells().map(|(x, y)| if random(x, y, 91) < 0.01 || [x, y] == [0, 5] { 0.6 } else { 0.5 }).collect();
        let rain: Vec<f32> = cells().map(|(x, y)| random(x / 9, y / 9, 8) * 5.0 - 1.0 + random(x, y, 9) * 1e-5).collect();
        for (name, heights, outlets) in worlds(size) {
            let (grid, outlets) = (|edge| Grid { size, edge, seed: 11 }, Outlets { edge: false, ..outlets });
            let given = Given { mask: Some(&mask), rain: Some(&rain), ..Given::new(&heights) };
            let world = World { grid: &grid(1), heights: &heights, outlets: &outlets, mask: given.mask };
            let expected = world.drainage(given.rain).ok_or(Undrained::NoOutlet);
            for (edge, factor) in CUTS {
                let found = by_squares(&grid(edge), &Given { factor, ..given }, &outlets);
                let cut = format!("in squares of {edge}, groups of {factor:?}");
                assert!(found == expected, "{name}, {size:?}, {cut}: {}", first_difference(&found, &expected));
            }
            let drainage = expected.expect("the mask has outlets");
            let at_outlets = drainage.directions.iter().zip(&drainage.rains).filter(|(code, _)| **code == OUTLET);
            let fallen: u64 = rain.iter().map(|rain| u64::from(parts(f64::from(*rain)))).sum();
            assert_eq!(at_outlets.map(|(_, rain)| rain).sum::<u64>(), fallen, "{name}");
            assert!(mask.iter().zip(&drainage.directions).all(|(mask, code)| *mask <= 0.5 || *code == OUTLET));
        }
    }
    // Values outside the range count as the nearest.
    assert_eq!([f64::NAN, -3.0, 0.0, 1.0, 1e9].map(parts), [0, 0, 0, 65_536, 65_535 << 16]);
}

fn first_difference(found: &Result<Drainage, Undrained>, expected: &Result<Drainage, Undrained>) -> String {
    let (Ok(found), Ok(expected)) = (found, expected) else {
        return format!("{:?}, expected {:?}", found.as_ref().err(), expected.as_ref().err());
    };
    let of = |what: &str, at: Option<usize>| at.map(|at| format!("{what} of cell {at}"));
    fn other<T: PartialEq>(a: &[T], b: &[T]) -> Option<usize> {
        a.iter().zip(b).position(|(a, b)| a != b)
    }
    of("surface", other(&found.filled, &expected.filled))
        .or_else(|| of("direction", other(&found.directions, &expected.directions)))
        .or_else(|| of("area", other(&found.areas, &expected.areas)))
        .or_else(|| of("rain", other(&found.rains, &expected.rains)))
        .or_else(|| of("order", other(&found.orders, &expected.orders)))
        .or_else(|| of("distance", other(&found.distances, &expected.distances)))
        .or_else(|| of("outlet", other(&found.outlets, &expected.outlets)))
        .unwrap_or_default()
}
