//! Makes polygons from the sides of samples.
//!
//! A side lies between a sample of an area and a sample outside it, and is directed so that the area is on its left (if y points
//! up). Corners are numbered as samples are: sample (x, y) has the corners (x, y) to (x + 1, y + 1).

use crate::drainage::grid::Rect;
use std::collections::BTreeMap;

/// A side of a sample of an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Side {
    /// The corner where it begins: y, x.
    from: [u32; 2],
    /// Its direction: 0 for +x, 1 for +y, 2 for −x, 3 for −y.
    towards: u8,
}

impl Side {
    /// The corner where it ends.
    fn end(self) -> [u32; 2] {
        let [y, x] = self.from;
        match self.towards {
            0 => [y, x + 1],
            1 => [y + 1, x],
            2 => [y, x - 1],
            _ => [y - 1, x],
        }
    }

    fn reversed(self) -> Side {
        Side { from: self.end(), towards: (self.towards + 2) % 4 }
    }

    /// The sample on its left: y, x.
    fn inside(self) -> [u32; 2] {
        let [y, x] = self.from;
        match self.towards {
            0 => [y, x],
            1 => [y, x - 1],
            2 => [y - 1, x - 1],
            _ => [y - 1, x],
        }
    }
}

/// The sides of areas, by their numbers.
pub(super) type Sides = BTreeMap<u64, Vec<Side>>;

/// Adds the sides between different areas of a rectangle, and all sides on its edge. Samples have the number of their area, if
/// they are part of one.
pub(super) fn add_sides(sides: &mut Sides, rect: &Rect, area: impl Fn(usize) -> Option<u64>) {
    let [width, height] = rect.size.map(|size| size as usize);
    for cell in 0..rect.cells() {
        let Some(own) = area(cell) else { continue };
        let (column, row) = (cell % width, cell / width);
        let [x, y] = rect.position(cell as u32);
        let differs = |inside: bool, other: usize| !inside || area(other) != Some(own);
        let mut add = |differs: bool, from: [u32; 2], towards: u8| {
            if differs {
                sides.entry(own).or_default().push(Side { from, towards });
            }
        };
        add(differs(row > 0, cell.wrapping_sub(width)), [y, x], 0);
        add(differs(column + 1 < width, cell + 1), [y, x + 1], 1);
        add(differs(row + 1 < height, cell + width), [y + 1, x + 1], 2);
        add(differs(column > 0, cell.wrapping_sub(1)), [y + 1, x], 3);
    }
}

/// A closed line of corners (x, y), the first not repeated.
type Ring = Vec<[u32; 2]>;

/// An area: its border, and the borders of its holes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Outline {
    pub outer: Ring,
    pub holes: Vec<Ring>,
}

/// The outlines of an area. Two sides of the same place, one in each direction, are inside it. Parts that only touch at a corner
/// have an outline each.
pub(super) fn outlines(mut sides: Vec<Side>) -> Vec<Outline> {
    sides.sort_unstable();
    let has = |side: &Side| sides.binary_search(side).is_ok();
    let borders: Vec<Side> = sides.iter().filter(|side| !has(&side.reversed())).copied().collect();
    let mut used = vec![false; borders.len()];
    let (mut outer, mut holes) = (Vec::new(), Vec::new());
    for first in 0..borders.len() {
        if used[first] {
            continue;
        }
        let (mut ring, mut at) = (Vec::new(), first);
        loop {
            used[at] = true;
            let corner = borders[at].end();
            // Left, straight on, right: parts that touch at a corner are walked around one by one.
            let turns = [1, 0, 3].map(|turn| Side { from: corner, towards: (borders[at].towards + turn) % 4 });
            let next = turns.iter().find_map(|side| borders.binary_search(side).ok()).expect("invariant: a border goes on");
            if borders[next].towards != borders[at].towards {
                ring.push([corner[1], corner[0]]);
            }
            if next == first {
                break;
            }
            at = next;
        }
        // From the corner where the first side begins, which is the lowest.
        ring.rotate_right(1);
        let twice = twice_area(&ring);
        if twice > 0 {
            outer.push((twice, Outline { outer: ring, holes: Vec::new() }));
        } else {
            holes.push((borders[first].inside(), ring));
        }
    }
    for ([y, x], hole) in holes {
        let around = outer.iter_mut().filter(|(_, outline)| holds(&outline.outer, [x, y]));
        let (_, outline) = around.min_by_key(|(twice, _)| *twice).expect("invariant: a hole is in an area");
        outline.holes.push(hole);
    }
    outer.into_iter().map(|(_, outline)| outline).collect()
}

/// Twice the area of a ring, negative if it is clockwise (y up).
fn twice_area(ring: &Ring) -> i128 {
    let next = ring.iter().cycle().skip(1);
    let parts = ring.iter().zip(next).map(|([ax, ay], [bx, by])| {
        let [ax, ay, bx, by] = [ax, ay, bx, by].map(|number| i128::from(*number));
        ax * by - bx * ay
    });
    parts.sum()
}

/// Whether a ring is around the middle of a sample.
fn holds(ring: &Ring, [x, y]: [u32; 2]) -> bool {
    let next = ring.iter().cycle().skip(1);
    let right = ring.iter().zip(next).filter(|([ax, ay], [bx, by])| ax == bx && *ax > x && (*ay <= y) != (*by <= y));
    right.count() % 2 == 1
}
