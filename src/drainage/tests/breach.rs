//! Compares passes that are cut in squares of any size with the definition over the whole world.

use super::*;

/// A world whose water has found its way.
struct Carved<'a> {
    world: World<'a>,
    breach: f32,
    /// The pit of each cell, before water finds its way out of pits.
    pits: Vec<usize>,
    receivers: Vec<Option<usize>>,
    donors: Vec<Vec<usize>>,
    spills: Vec<u32>,
}

impl<'a> Carved<'a> {
    /// `None` without an outlet.
    fn new(world: World<'a>, breach: f32) -> Option<Self> {
        let (spills, mut directions) = (world.flood()?, world.receivers());
        let pits = world.basins(&directions);
        world.carve(&mut directions);
        let receivers: Vec<Option<usize>> = directions.iter().enumerate().map(|(cell, way)| world.next(cell, *way)).collect();
        let mut donors = vec![Vec::new(); receivers.len()];
        receivers.iter().enumerate().filter_map(|(cell, to)| Some((cell, (*to)?))).for_each(|(cell, to)| donors[to].push(cell));
        Some(Carved { world, breach, pits, receivers, donors, spills })
    }

    /// The cut of a cell, after those of all cells whose water it gets.
    fn cut(&self, cell: usize, cuts: &mut [Option<f32>]) {
        self.donors[cell].iter().for_each(|donor| self.cut(*donor, cuts));
        let heights = self.world.heights;
        let received = self.donors[cell].iter().filter_map(|donor| cuts[*donor]).filter(|cut| *cut < heights[cell]).reduce(f32::min);
        cuts[cell] = match self.receivers[cell] {
            Some(to) if self.world.rank(to) > self.world.rank(cell) => {
                let pit = self.pits[cell];
                let is_cut = f32::from_bits(self.spills[pit]) - heights[pit] < self.breach;
                is_cut.then(|| received.map_or(heights[pit], |cut| heights[pit].min(cut)))
            }
            _ => received,
        };
    }

    /// The level of the water at a cell, before those of all cells whose water it gets.
    fn level(&self, cell: usize, below: f32, beds: &[f32], levels: &mut [f32]) {
        levels[cell] = if beds[cell] > below { beds[cell] } else { below };
        self.donors[cell].iter().for_each(|donor| self.level(*donor, levels[cell], beds, levels));
    }

    /// The beds and the levels of the water.
    fn beds(&self) -> (Vec<f32>, Vec<f32>) {
        let outlets = || (0..self.receivers.len()).filter(|cell| self.receivers[*cell].is_none());
        let mut cuts = vec![None; self.receivers.len()];
        outlets().for_each(|outlet| self.cut(outlet, &mut cuts));
        let beds: Vec<f32> = self.world.heights.iter().zip(&cuts).map(|(height, cut)| height.min(cut.unwrap_or(*height)) + 0.0).collect();
        let mut levels = vec![f32::NAN; beds.len()];
        outlets().for_each(|outlet| self.level(outlet, f32::NEG_INFINITY, &beds, &mut levels));
        (beds, levels)
    }
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

/// Compares the planes of squares with the definition.
fn compare(size: [u32; 2], heights: &[f32], outlets: &Outlets, breach: f32, cuts: &[(u32, Option<u32>)], name: &str) {
    let cells = Grid { size, edge: 1, seed: 11 };
    let carved = Carved::new(World { grid: &cells, heights, outlets, mask: None }, breach).expect("an outlet");
    let (beds, levels) = carved.beds();
    for &(edge, factor) in cuts {
        let (mut found, mut surface) = (vec![f32::NAN; heights.len()], vec![f32::NAN; heights.len()]);
        let given = Given { breach, factor, ..Given::new(heights) };
        for (rect, planes) in squares_of(&Grid { edge, ..cells }, &given, outlets).expect("an outlet") {
            for local in 0..rect.cells() {
                let at = cells.index(rect.position(local as u32)) as usize;
                (found[at], surface[at]) = (planes.beds[local], planes.filled[local]);
            }
        }
        for (what, found, expected) in [("bed", &found, &beds), ("level", &surface, &levels)] {
            let other = (0..heights.len()).find(|cell| found[*cell].to_bits() != expected[*cell].to_bits());
            let shown = other.map(|cell| (cell, found[cell], expected[cell], heights[cell]));
            assert_eq!(shown, None, "{what} of {name}, {size:?}, breach {breach}, in squares of {edge}, groups of {factor:?}");
        }
    }
}

#[test]
fn passes_are_cut_as_over_the_whole_world() {
    let (mut cut, mut kept) = (0, 0);
    for size in [[1, 9], [9, 1], [2, 2], [37, 53], [64, 64], [101, 40]] {
        for (name, heights, outlets) in worlds(size) {
            let cells = Grid { size, edge: 1, seed: 11 };
            for breach in [f32::MIN_POSITIVE, 0.15, 1.2, 6.0, 1e15] {
                let Some(carved) = Carved::new(World { grid: &cells, heights: &heights, outlets: &outlets, mask: None }, breach) else {
                    continue;
                };
                let (beds, levels) = carved.beds();
                for cell in 0..heights.len() {
                    assert!(
                        beds[cell] <= heights[cell] && levels[cell] >= beds[cell] && levels[cell] <= f32::from_bits(carved.spills[cell])
                    );
                    assert!(carved.receivers[cell].is_none_or(|to| levels[to] <= levels[cell]), "{name}: water rises at {cell}");
                    cut += usize::from(beds[cell] < heights[cell]);
                    assert!(breach < 1e9 || levels[cell] == beds[cell], "{name}: water stands at {cell}, although every pass is cut");
                    kept += usize::from(breach < 1e9 && levels[cell] > beds[cell]);
                }
                if breach < 0.1 {
                    assert_eq!((&beds, bits(&levels)), (&heights, carved.spills.clone()), "{name}: nothing is cut");
                }
                // Thousands of squares take most of the time: one breach is enough for them.
                let least_edge = if size[0] * size[1] > 2000 && breach != 1.2 { 3 } else { 1 };
                let cuts: Vec<_> = CUTS.into_iter().filter(|(edge, _)| *edge >= least_edge).collect();
                compare(size, &heights, &outlets, breach, &cuts, name);
            }
        }
    }
    // Compound depressions, whose cuts meet on climbs through several squares.
    for seed in 0..12 {
        let (size, outlets) = ([90, 64], Outlets { edge: true, sea: None });
        let cells = (0..size[1]).flat_map(|y| (0..size[0]).map(move |x| (x, y)));
        let heights: Vec<f32> =
            cells.map(|(x, y)| hills(x, y) * 0.2 + random(x / 2, y / 2, seed) * 6.0 + random(x, y, seed) * 2.0).collect();
        for breach in [2.5, 1e15] {
            compare(
                size,
                &heights,
                &outlets,
                breach,
                &[(8, None), (8, Some(2)), (3, Some(3)), (20, None), (33, Some(2))],
                &format!("compound depressions {seed}"),
            );
        }
    }
    println!("{cut} cells are cut, {kept} cells stay under water");
    assert!(cut > 10_000 && kept > 10_000);
}
