//! Lattice coordinates of a block of samples: what `frame_cell` of `shaders/lib/frame.wgsl` does for one.

use crate::cpu::eval::abreast::{Abreast, Linears};
use crate::cpu::eval::evaluate::Call;
use crate::cpu::eval::positions::{self, Lines, OneAxis, Positions};
use crate::cpu::eval::strip;
use crate::cpu::lib::frame::{self, Columns};
use crate::cpu::lib::jet::axes;
use crate::cpu::lib::point::HashKey;
use crate::cpu::simd::block::{CHUNK, CHUNKS, LANES, Lanes, boxed, for_vectors};
use crate::cpu::simd::number::{Bits, Number};
use crate::cpu::simd::vector::{BitsOf, Position, SimdVector, Token};
use crate::cpu::simd::{Dispatch, Real, vectorised};
use crate::frame::{Fixed, Frame, Grid};

/// The parts of a frame that depend on neither region nor point, in the backend's own numbers.
#[derive(Clone, Copy, Debug)]
pub struct Linear<R> {
    /// Cells per world unit along world x, y and z.
    pub columns: Columns<R>,
    /// Seed of the lattice's hash.
    pub seed: u32,
    /// Cells after which the lattice repeats along each axis; 0 for never.
    pub period: [i32; 3],
    /// Whether every lattice axis depends on one axis of the world alone, its own.
    pub diagonal: bool,
}

impl<R: Real> Linear<R> {
    /// The columns, the same in every lane.
    #[inline(always)]
    pub fn splat<T: Token>(&self, token: T) -> Columns<R::Vector<T>> {
        axes(|axis| axes(|d| R::Vector::splat(token, self.columns[axis][d])))
    }

    /// What the lattice's points are hashed with, the same in every lane.
    #[inline(always)]
    pub fn key<T: Token, const W: bool>(&self, token: T) -> HashKey<BitsOf<R, T>, W> {
        HashKey { seed: R::Vector::<T>::splat_bits(token, self.seed), period: self.period }
    }
}

impl<R> Linear<R> {
    /// What the lattice's points are hashed with.
    pub fn hash_key<const W: bool>(&self) -> HashKey<u32, W> {
        HashKey { seed: self.seed, period: self.period }
    }
}

/// Which samples a block holds.
#[derive(Clone, Copy)]
pub enum Site<'a> {
    /// Neighbours along x in a region, the first at this index; in a narrow one, as many whole rows as its tracks have.
    Region { grids: &'a [Grid], tracks: &'a [Track], index: [u32; 3] },
    /// Any positions.
    Points { grids: &'a [Grid], frames: &'a [Frame], lines: &'a Lines, positions: &'a Positions },
    /// Centres of cells, by their numbers plus 2³¹.
    Cells { grids: &'a [Grid], index: &'a [Lanes<u32>; 3] },
}

impl<'a> Site<'a> {
    /// The frames' integers.
    pub fn grids(&self) -> &'a [Grid] {
        match *self {
            Site::Region { grids, .. } | Site::Points { grids, .. } | Site::Cells { grids, .. } => grids,
        }
    }
}

/// Lattice coordinates of a block.
pub struct Cells<R> {
    pub cell: [Lanes<u32>; 3],
    pub fraction: [Lanes<R>; 3],
}

impl<R: Real> Cells<R> {
    pub fn new() -> Self {
        Cells { cell: [Lanes::of(0); 3], fraction: [Lanes::of(R::default()); 3] }
    }

    #[inline(always)]
    pub fn cell(&self, lane: usize) -> [u32; 3] {
        [self.cell[0][lane], self.cell[1][lane], self.cell[2][lane]]
    }

    #[inline(always)]
    pub fn fraction(&self, lane: usize) -> [R; 3] {
        [self.fraction[0][lane], self.fraction[1][lane], self.fraction[2][lane]]
    }

    /// The first `D` coordinates from a lane on; what is above is 0.
    #[inline(always)]
    pub fn vectors<T: Token, const D: usize>(&self, token: T, at: usize) -> Position<R, T, 3> {
        let mut cell = [R::Vector::<T>::splat_bits(token, 0); 3];
        let mut fraction = [R::Vector::splat(token, R::default()); 3];
        for d in 0..D {
            (cell[d], fraction[d]) = self.vector(token, d, at);
        }
        (cell, fraction)
    }

    /// One coordinate from a lane on.
    #[inline(always)]
    pub fn vector<T: Token>(&self, token: T, d: usize, at: usize) -> (BitsOf<R, T>, R::Vector<T>) {
        (R::Vector::<T>::load_bits(token, &self.cell[d], at), R::Vector::load(token, &self.fraction[d], at))
    }

    #[inline(always)]
    fn put<T: Token>(&mut self, d: usize, at: usize, (cell, fraction): (BitsOf<R, T>, R::Vector<T>)) {
        cell.store(&mut self.cell[d], at);
        fraction.store(&mut self.fraction[d], at);
    }

    /// The first `dimensions` coordinates of a call's lanes in a frame. `kept` is what the frame's rows share.
    pub fn fill(&mut self, call: Call<'_, R>, (frame, linears): (usize, Linears<'_, R>), dimensions: usize, kept: &mut Kept<R>) {
        let Call { simd, site, displacement, abreast, .. } = call;
        let mut along = [Along::Stored; 3];
        match (*site, abreast) {
            (_, Some(abreast)) => self.fill_abreast(simd, site, abreast, frame, dimensions),
            (Site::Region { grids, tracks, index }, None) => {
                let (grid, track, index) = (&grids[frame], &tracks[frame], within(&grids[frame], index));
                if grid.samples[0] != 0 && index[0] as usize + simd.lanes > grid.samples[0] as usize {
                    self.fill_across(simd.lanes, grid, index, dimensions);
                } else {
                    let columns = kept.columns(simd, grid, track, index);
                    for d in 0..dimensions {
                        along[d] = match columns {
                            _ if track.still[d] => Along::Still(start(grid, d, index)),
                            Some(columns) if track.columns[d] => Along::Columns(columns),
                            _ if track.rows[d] => Along::Rows(&track.ramps[d], start(grid, d, index), track.width),
                            _ => Along::Ramp(&track.ramps[d], start(grid, d, index)),
                        };
                    }
                }
            }
            (Site::Points { frames, lines, positions, .. }, None) => {
                positions::fill(simd, (&frames[frame], &lines.of[frame]), dimensions, positions, self);
            }
            (Site::Cells { grids, index }, None) => {
                for d in 0..dimensions {
                    let mut out = self.axis(d);
                    for lane in 0..simd.lanes.min(LANES) {
                        out.put(lane, start(&grids[frame], d, axes(|axis| index[axis][lane])));
                    }
                }
            }
        }
        let displacement = match (displacement, abreast) {
            (None, _) => Displacement::None,
            (Some(by), None) => Displacement::Each(by),
            (Some(by), Some(Abreast { sample, .. })) => Displacement::Same(axes(|axis| by[axis][sample])),
        };
        vectorised!(R, simd, token => {
            let columns = linears.columns(token);
            for d in 0..dimensions {
                self.place(token, d, (&along[d], displacement), (&columns, linears.diagonal()));
            }
        });
    }

    /// Coordinates along one axis, from where they are, displaced.
    #[inline(always)]
    fn place<T: Token>(
        &mut self,
        token: T,
        d: usize,
        (along, displacement): (&Along<'_, R>, Displacement<'_, R>),
        (columns, diagonal): (&Columns<R::Vector<T>>, bool),
    ) {
        macro_rules! each {
            ($at:ident => $from:expr) => {
                match displacement {
                    Displacement::None => for_vectors!(R, token, $at => self.put::<T>(d, $at, $from)),
                    // Products with 0 and their sums change no bit.
                    Displacement::Each(by) if diagonal => for_vectors!(R, token, $at => {
                        self.put::<T>(d, $at, moved::<R, T>($from, columns[d][d] * R::Vector::load(token, &by[d], $at)));
                    }),
                    Displacement::Each(by) => for_vectors!(R, token, $at => {
                        let by = [
                            R::Vector::load(token, &by[0], $at),
                            R::Vector::load(token, &by[1], $at),
                            R::Vector::load(token, &by[2], $at),
                        ];
                        self.put::<T>(d, $at, moved::<R, T>($from, frame::along(columns, d, by)));
                    }),
                    Displacement::Same(by) => {
                        let by = [R::Vector::splat(token, by[0]), R::Vector::splat(token, by[1]), R::Vector::splat(token, by[2])];
                        for_vectors!(R, token, $at => self.put::<T>(d, $at, moved::<R, T>($from, frame::along(columns, d, by))));
                    }
                }
            };
        }
        match *along {
            Along::Stored if matches!(displacement, Displacement::None) => {}
            Along::Stored => each!(at => self.vector(token, d, at)),
            Along::Columns(columns) => each!(at => columns.vector(token, d, at)),
            Along::Ramp(ramp, start) => each!(at => ramp.vectors::<R, T>(token, start, at)),
            Along::Rows(ramp, start, width) => {
                let (mut still, mut end) = (place::<R, T>(token, start), width);
                each!(at => {
                    if at == end {
                        (still, end) = (place::<R, T>(token, ramp.lane(start, at)), end + width);
                    }
                    still
                });
            }
            Along::Still(start) => {
                let still = place::<R, T>(token, start);
                each!(_at => still);
            }
        }
    }

    /// Those of one sample in neighbouring frames.
    fn fill_abreast(&mut self, simd: Dispatch, site: &Site<'_>, Abreast { sample, count }: Abreast, frame: usize, dimensions: usize) {
        let all = frame..frame + count;
        let index = match *site {
            Site::Points { frames, lines, positions, .. } => {
                return positions::fill_abreast(simd, (&frames[all], lines, frame), dimensions, positions.get(sample), self);
            }
            Site::Region { index: [x, y, z], .. } => [x + sample as u32, y, z],
            Site::Cells { index, .. } => axes(|axis| index[axis][sample]),
        };
        for d in 0..dimensions {
            let mut out = self.axis(d);
            for (lane, grid) in site.grids()[all.clone()].iter().enumerate() {
                out.put(lane, start(grid, d, index));
            }
        }
    }

    /// Those of a row that a period ends in, from an index within it on.
    fn fill_across(&mut self, lanes: usize, grid: &Grid, index: [u32; 3], dimensions: usize) {
        for d in 0..dimensions {
            let (first, mut at) = (start(grid, d, [0, index[1], index[2]]), start(grid, d, index));
            let mut x = index[0];
            let mut out = self.axis(d);
            for lane in 0..lanes.min(LANES) {
                out.put(lane, at);
                x += 1;
                at = at.wrapping_add(grid.step[0][d]);
                if x == grid.samples[0] {
                    (x, at) = (0, first);
                }
            }
        }
    }

    /// What is stored along a lattice axis.
    #[inline(always)]
    pub fn axis(&mut self, d: usize) -> OneAxis<'_, R> {
        OneAxis { cell: &mut self.cell[d], fraction: &mut self.fraction[d] }
    }
}

/// Where coordinates along an axis come from.
#[derive(Clone, Copy)]
enum Along<'a, R> {
    /// They are there already.
    Stored,
    /// Those of every row.
    Columns(&'a Cells<R>),
    /// A start, and steps from there.
    Ramp(&'a Ramp, Fixed),
    /// Likewise where all lanes of a row are at one place; so many lanes in a row, in whole vectors.
    Rows(&'a Ramp, Fixed, usize),
    /// One place.
    Still(Fixed),
}

/// What coordinates are displaced by, along the axes of the world.
#[derive(Clone, Copy)]
enum Displacement<'a, R> {
    None,
    Each(&'a [Lanes<R>; 3]),
    /// The same for all lanes.
    Same([R; 3]),
}

/// One place in every lane.
#[inline(always)]
fn place<R: Real, T: Token>(token: T, at: Fixed) -> (BitsOf<R, T>, R::Vector<T>) {
    let [cell, high, low] = split(at);
    (R::Vector::<T>::splat_bits(token, cell), R::Vector::splat(token, R::fraction(high, low)))
}

/// A coordinate that is moved by so many cells.
#[inline(always)]
pub fn moved<R: Real, T: Token>((cell, fraction): (BitsOf<R, T>, R::Vector<T>), by: R::Vector<T>) -> (BitsOf<R, T>, R::Vector<T>) {
    let moved = fraction + by;
    let whole = moved.floor();
    (cell.plus(whole.to_signed()), moved - whole)
}

/// Where the rows of a block are along y, for each of its chunks.
pub struct Rows<R> {
    cell: [u32; CHUNKS],
    fraction: [R; CHUNKS],
}

impl<R: Real> Rows<R> {
    fn new() -> Self {
        Rows { cell: [0; CHUNKS], fraction: [R::default(); CHUNKS] }
    }

    /// Those of a block whose first row is there; every chunk lies in one row, or all rows at one place.
    fn fill(&mut self, track: &Track, start: Fixed) {
        for first in (0..LANES).step_by(track.width) {
            let [cell, high, low] = split(track.ramps[1].lane(start, first));
            let chunks = first / CHUNK..(first + track.width).min(LANES) / CHUNK;
            self.cell[chunks.clone()].fill(cell);
            self.fraction[chunks].fill(R::fraction(high, low));
        }
    }

    /// Where the row of a chunk is.
    #[inline(always)]
    pub fn place<T: Token>(&self, token: T, chunk: usize) -> (BitsOf<R, T>, R::Vector<T>) {
        (R::Vector::<T>::splat_bits(token, self.cell[chunk]), R::Vector::splat(token, self.fraction[chunk]))
    }
}

/// What rows below each other share in one frame: coordinates that change with x alone.
pub struct Kept<R> {
    /// The first sample of the rows, and how many of their lanes.
    of: Option<(u32, usize)>,
    columns: Option<Box<Cells<R>>>,
    /// Those of the last block that was displaced.
    rows: Rows<R>,
}

impl<R: Real> Kept<R> {
    /// Nothing yet.
    pub fn new() -> Self {
        Kept { of: None, columns: None, rows: Rows::new() }
    }

    /// Makes room for another region.
    pub fn forget(&mut self) {
        self.of = None;
    }

    /// The coordinates of a block that change with x alone, if there are any, and where its rows are along y.
    pub fn apart(&mut self, simd: Dispatch, grid: &Grid, track: &Track, index: [u32; 3]) -> Option<(&Cells<R>, &Rows<R>)> {
        self.rows.fill(track, start(grid, 1, index));
        self.columns(simd, grid, track, index)?;
        Some((self.columns.as_deref()?, &self.rows))
    }

    /// The coordinates that change with x alone, if there are any.
    fn columns(&mut self, simd: Dispatch, grid: &Grid, track: &Track, index: [u32; 3]) -> Option<&Cells<R>> {
        if track.columns == [false; 3] {
            return None;
        }
        let columns = self.columns.get_or_insert_with(|| boxed(Cells::new));
        let of = Some((index[0], simd.lanes));
        if self.of != of {
            self.of = of;
            vectorised!(R, simd, token => for d in 0..3 {
                if track.columns[d] {
                    for_vectors!(R, token, at => {
                        let place = track.ramps[d].vectors::<R, _>(token, start(grid, d, index), at);
                        columns.put(d, at, place);
                    });
                }
            });
        }
        Some(columns)
    }
}

/// The index of a sample within the periods of a grid, of those axes that have one.
fn within(grid: &Grid, index: [u32; 3]) -> [u32; 3] {
    axes(|axis| match grid.samples[axis] {
        0 => index[axis],
        samples => ((u64::from(grid.first[axis]) + u64::from(index[axis])) % u64::from(samples)) as u32,
    })
}

/// The lattice coordinate of a sample of a region, without periods.
#[inline(always)]
pub fn start(grid: &Grid, d: usize, index: [u32; 3]) -> Fixed {
    let along = |axis: usize| grid.step[axis][d].wrapping_mul(i128::from(index[axis]));
    grid.origin[d].wrapping_add(along(0)).wrapping_add(along(1)).wrapping_add(along(2))
}

/// How far the lanes of a block lie from its first one along a lattice axis, as limbs of 32 bits: cells, and the halves of the
/// fraction.
pub struct Ramp {
    limbs: [Lanes<u32>; 3],
}

impl Ramp {
    /// Of lanes in rows of so many, given what one more along x and along y adds.
    pub fn new([x, y]: [Fixed; 2], width: usize) -> Self {
        let mut limbs = [Lanes::of(0); 3];
        let mut row: Fixed = 0;
        for first in (0..LANES).step_by(width.max(1)) {
            let mut far = row;
            for lane in first..LANES.min(first + width) {
                let [cell, high, low] = split(far);
                (limbs[0][lane], limbs[1][lane], limbs[2][lane]) = (cell, high, low);
                far = far.wrapping_add(x);
            }
            row = row.wrapping_add(y);
        }
        Ramp { limbs }
    }

    /// `start + step · lane` for one lane.
    #[inline(always)]
    fn lane(&self, start: Fixed, lane: usize) -> Fixed {
        let [cell, high, low] = axes(|limb| Fixed::from(self.limbs[limb][lane]));
        start.wrapping_add(cell << 64 | high << 32 | low)
    }

    /// `start + step · lane` from a lane on: limbs with carries, so that it is plain arithmetic of 32 bits.
    #[inline(always)]
    pub fn vectors<R: Real, T: Token>(&self, token: T, start: Fixed, at: usize) -> (BitsOf<R, T>, R::Vector<T>) {
        let [cells, highs, lows] = axes(|limb| R::Vector::<T>::load_bits(token, &self.limbs[limb], at));
        let start = split(start);
        let [c, h, l] = axes(|limb| R::Vector::<T>::splat_bits(token, start[limb]));
        let low = lows.plus(l);
        let partial = highs.plus(h);
        let high = one_more(partial, low.less_than(l));
        // At most one of the two additions can have carried.
        let cell = one_more(one_more(cells.plus(c), partial.less_than(h)), high.less_than(partial));
        (cell, R::Vector::<T>::fraction(high, low))
    }
}

/// A frame along the rows of a region.
pub struct Track {
    steps: [[Fixed; 2]; 3],
    /// Lanes in a row of a block.
    pub width: usize,
    pub ramps: [Ramp; 3],
    /// Of several rows in a block, what the first ramp is for one of them.
    row: Option<Box<Ramp>>,
    /// Axes along which all lanes of a block are at one place.
    pub still: [bool; 3],
    /// Axes along which those of a row are, and vectors hold lanes of one row.
    pub rows: [bool; 3],
    /// Axes along which they move with x alone.
    pub columns: [bool; 3],
    /// How many of the lattice's axes, from the first on, make a lattice of which rows share columns.
    pub coherent: u32,
}

impl Track {
    fn new() -> Self {
        Track {
            steps: [[0; 2]; 3],
            still: [true; 3],
            rows: [false; 3],
            columns: [false; 3],
            width: LANES,
            ramps: [0; 3].map(|_| Ramp::new([0; 2], LANES)),
            row: None,
            coherent: 0,
        }
    }

    /// One for every frame of a region of that width. Those of frames that advance as before stay as they are. How many rows of the region
    /// make a block: several where they are narrow.
    pub fn update(all: &mut Vec<Self>, grids: &[Grid], width: usize) -> usize {
        all.resize_with(grids.len(), Track::new);
        let narrow = 2 * width <= LANES && grids.iter().all(|grid| grid.samples == [0; 3]);
        let shared = grids.iter().any(strip::shares_points);
        // Rows of at most a vector are packed into full vectors, and share nothing. Wider ones are computed row by row in whole vectors: the block keeps
        // room for what hangs over the end of the last row.
        let by_rows = shared && width > CHUNK;
        let end = if by_rows && !width.is_multiple_of(CHUNK) { CHUNK } else { 0 };
        let rows = if narrow { (LANES - end) / width } else { 1 };
        let width = if rows > 1 { width } else { LANES };
        for (track, grid) in all.iter_mut().zip(grids) {
            for d in 0..3 {
                // A row does not know of the one below.
                let steps = [grid.step[0][d], if rows > 1 { grid.step[1][d] } else { 0 }];
                if (track.steps[d], track.width) != (steps, width) {
                    if d == 0 {
                        track.row = None;
                    }
                    (track.steps[d], track.ramps[d], track.still[d]) = (steps, Ramp::new(steps, width), steps == [0; 2]);
                }
            }
            track.width = width;
            track.rows = axes(|d| grid.step[0][d] == 0 && width.is_multiple_of(CHUNK));
            track.columns = axes(|d| !track.still[d] && grid.step[1][d] == 0 && grid.step[2][d] == 0);
            track.coherent = if rows > 1 && !by_rows { 0 } else { strip::coherent(grid) };
            if rows > 1 && track.coherent > 0 {
                track.row.get_or_insert_with(|| boxed(|| Ramp::new([grid.step[0][0], 0], LANES)));
            }
        }
        rows
    }

    /// How far the samples of one row lie from its first along the first axis of the lattice.
    pub fn along_row(&self) -> &Ramp {
        self.row.as_deref().unwrap_or(&self.ramps[0])
    }
}

/// One more where the mask holds.
#[inline(always)]
fn one_more<B: Bits>(x: B, mask: B::Mask) -> B {
    B::select(x, x.plus(x.constant(1)), mask)
}

/// Cell, upper and lower half of the fraction.
#[inline(always)]
fn split(q: Fixed) -> [u32; 3] {
    [(q >> 64) as u32, (q >> 32) as u32, q as u32]
}
