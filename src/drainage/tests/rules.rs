//! Breaks each rule of drainage once.

use super::*;
use crate::drainage::rules::{Broken, Kept, Rules};

const GRID: Grid = Grid { size: [53, 37], edge: 16, seed: 3 };

fn check(spoil: impl Fn(&Grid, &Rect, &mut Planes)) -> (Kept, u64) {
    let [width, height] = GRID.size;
    let heights: Vec<f32> = (0..height).flat_map(|y| (0..width).map(move |x| hills(x, y))).collect();
    let mut rules = Rules::default();
    for (rect, mut planes) in
        squares_of(&GRID, &Given { breach: 2.0, ..Given::new(&heights) }, &Outlets { edge: true, sea: None }).expect("outlets")
    {
        spoil(&GRID, &rect, &mut planes);
        rules.add(&GRID, &rect, &planes);
        // The rims of two rows, each cell with its water.
        let row = GRID.squares()[0] * 4 * GRID.edge;
        assert!(rules.held() <= 4 * row as usize, "{} cells", rules.held());
    }
    let outlets = rules.outlets;
    (rules.finish(&GRID), outlets)
}

/// Changes the planes of one cell.
fn at(cell: [u32; 2], change: impl Fn(&mut Planes, usize)) -> impl Fn(&Grid, &Rect, &mut Planes) {
    move |_, rect, planes| {
        if let Some(local) = rect.local(cell) {
            change(planes, local as usize);
        }
    }
}

#[test]
fn each_rule_of_drainage_is_found_broken() {
    let (kept, outlets) = check(|_, _, _| ());
    assert_eq!((kept, outlets), (Kept::All, 2 * (53 + 37) - 4));
    // Inside a square, and on both sides of a rim.
    for cell in [[20, 20], [31, 20], [32, 21], [15, 16]] {
        let index = GRID.index(cell);
        let (kept, _) = check(at(cell, |planes, local| planes.filled[local] = planes.beds[local].next_down()));
        assert!(matches!(kept, Kept::But(at, Broken::Dug { .. } | Broken::Rises { .. }) if at == index), "{kept:?}");
        let (kept, _) = check(at(cell, |planes, local| planes.filled[local] += 1e6));
        assert!(matches!(kept, Kept::But(at, Broken::Rises { .. }) if at != index), "{kept:?}");
        let (kept, _) = check(at(cell, |planes, local| planes.filled[local] = f32::NAN));
        assert!(matches!(kept, Kept::But(_, Broken::Dug { .. } | Broken::Rises { .. })), "{kept:?}");
        for code in [PIT, OUTLET] {
            let (kept, _) = check(at(cell, |planes, local| planes.directions[local] = code));
            assert_eq!(kept, Kept::But(index, Broken::Lost));
        }
        let (kept, _) = check(at(cell, |planes, local| planes.outlets[local] += 1));
        assert!(matches!(kept, Kept::But(_, Broken::Lost)), "{kept:?}");
        // Two cells that drain to each other.
        let (kept, _) = check(at(cell, |planes, local| planes.directions[local] = 7 - planes.directions[local]));
        assert!(matches!(kept, Kept::But(_, Broken::Lost)), "{kept:?}");
    }
    let (kept, _) = check(at([0, 9], |planes, local| planes.areas[local] += 1));
    assert_eq!(kept, Kept::Sum { drained: 53 * 37 + 1, cells: 53 * 37 });
}
