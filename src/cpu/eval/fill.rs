//! Lattice coordinates of a call's samples. For one sample, `frame_cell` in `shaders/lib/frame.wgsl` does the same.

use crate::cpu::eval::advance::{LaneOffsets, RowAdvance, split, start};
use crate::cpu::eval::call::{Abreast, SampleSource, ScopeCall};
use crate::cpu::eval::constants::LaneConstants;
use crate::cpu::eval::coordinates::LatticeCoordinates;
use crate::cpu::eval::positions::{FramedPositions, NeighbourFrames};
use crate::cpu::lib::frame::{self, MatrixColumns};
use crate::cpu::lib::jet::axes;
use crate::cpu::simd::lanes::{CHUNK, CHUNKS, LANES, Lanes, boxed};
use crate::cpu::simd::number::{Bits, Number};
use crate::cpu::simd::real::BitsOf;
use crate::cpu::simd::vector::{SimdVector, Token};
use crate::cpu::simd::{Dispatch, Real, for_vectors, vectorised};
use crate::frame::{Fixed, RegionGrid};

/// A frame, as the lanes of a call use it.
#[derive(Clone, Copy)]
pub struct CallFrame<'a, R> {
    /// Its index; for neighbouring frames, that of the first.
    pub number: usize,
    pub constants: LaneConstants<'a, R>,
}

impl<R: Real> LatticeCoordinates<R> {
    /// Fills in the first `dimensions` coordinates of a call's lanes in a frame. `cache` holds the coordinates that the frame's
    /// rows share.
    pub fn fill(&mut self, call: ScopeCall<'_, R>, frame: CallFrame<'_, R>, dimensions: usize, cache: &mut RowCache<R>) {
        let ScopeCall { simd, source, displacement, abreast, .. } = call;
        let CallFrame { number: frame, constants } = frame;
        let mut along = [AxisSource::Stored; 3];
        match (*source, abreast) {
            (_, Some(abreast)) => self.fill_abreast(call, abreast, frame, dimensions),
            (SampleSource::Region { grids, advances, index }, None) => {
                let (grid, advance, index) = (&grids[frame], &advances[frame], within(&grids[frame], index));
                if grid.samples[0] != 0 && index[0] as usize + simd.lanes > grid.samples[0] as usize {
                    self.fill_across(simd.lanes, grid, index, dimensions);
                } else {
                    let columns = cache.columns(simd, grid, advance, index);
                    for d in 0..dimensions {
                        along[d] = match columns {
                            _ if advance.still[d] => AxisSource::Still(start(grid, d, index)),
                            Some(columns) if advance.columns[d] => AxisSource::Columns(columns),
                            _ if advance.rows[d] => {
                                AxisSource::Rows { offsets: &advance.lane_offsets[d], start: start(grid, d, index), width: advance.width }
                            }
                            _ => AxisSource::Lanes { offsets: &advance.lane_offsets[d], start: start(grid, d, index) },
                        };
                    }
                }
            }
            (SampleSource::Points { frames, lines, positions, .. }, None) => {
                let lines = &lines.of_frames[frame];
                FramedPositions { frame: &frames[frame], lines, positions }.fill(simd, dimensions, self);
            }
            (SampleSource::CellCentres { grids, index }, None) => {
                for d in 0..dimensions {
                    let mut out = self.axis(d);
                    for lane in 0..simd.lanes.min(LANES) {
                        out.set(lane, start(&grids[frame], d, axes(|axis| index[axis][lane])));
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
            let moving = Moving { displacement, columns: constants.columns(token), diagonal: constants.diagonal() };
            for d in 0..dimensions {
                self.place(token, d, along[d], &moving);
            }
        });
    }

    /// Fills in coordinates along one axis, from their source and the displacement.
    #[inline(always)]
    fn place<T: Token>(&mut self, token: T, d: usize, along: AxisSource<'_, R>, moving: &Moving<'_, R, T>) {
        let Moving { displacement, ref columns, diagonal } = *moving;
        macro_rules! each {
            ($at:ident => $from:expr) => {
                match displacement {
                    Displacement::None => for_vectors!(R, token, $at => self.store::<T>(d, $at, $from)),
                    // Products with 0 and their sums change no bit.
                    Displacement::Each(by) if diagonal => for_vectors!(R, token, $at => {
                        self.store::<T>(d, $at, moved::<R, T>($from, columns[d][d] * R::Vector::load(token, &by[d], $at)));
                    }),
                    Displacement::Each(by) => for_vectors!(R, token, $at => {
                        let by = [
                            R::Vector::load(token, &by[0], $at),
                            R::Vector::load(token, &by[1], $at),
                            R::Vector::load(token, &by[2], $at),
                        ];
                        self.store::<T>(d, $at, moved::<R, T>($from, frame::along(columns, d, by)));
                    }),
                    Displacement::Same(by) => {
                        let by = [R::Vector::splat(token, by[0]), R::Vector::splat(token, by[1]), R::Vector::splat(token, by[2])];
                        for_vectors!(R, token, $at => self.store::<T>(d, $at, moved::<R, T>($from, frame::along(columns, d, by))));
                    }
                }
            };
        }
        match along {
            AxisSource::Stored if matches!(displacement, Displacement::None) => {}
            AxisSource::Stored => each!(at => self.vector(token, d, at)),
            AxisSource::Columns(columns) => each!(at => columns.vector(token, d, at)),
            AxisSource::Lanes { offsets, start } => each!(at => offsets.vectors::<R, T>(token, start, at)),
            AxisSource::Rows { offsets, start, width } => {
                let (mut still, mut end) = (place::<R, T>(token, start), width);
                each!(at => {
                    if at == end {
                        (still, end) = (place::<R, T>(token, offsets.lane(start, at)), end + width);
                    }
                    still
                });
            }
            AxisSource::Still(start) => {
                let still = place::<R, T>(token, start);
                each!(_at => still);
            }
        }
    }

    /// Fills in the coordinates of one sample in neighbouring frames.
    fn fill_abreast(
        &mut self,
        ScopeCall { simd, source, .. }: ScopeCall<'_, R>,
        Abreast { sample, count }: Abreast,
        frame: usize,
        dimensions: usize,
    ) {
        let all = frame..frame + count;
        let index = match *source {
            SampleSource::Points { frames, lines, positions, .. } => {
                let neighbours = NeighbourFrames { frames: &frames[all], lines, first: frame };
                return neighbours.fill(simd, dimensions, positions.get(sample), self);
            }
            SampleSource::Region { index: [x, y, z], .. } => [x + sample as u32, y, z],
            SampleSource::CellCentres { index, .. } => axes(|axis| index[axis][sample]),
        };
        for d in 0..dimensions {
            let mut out = self.axis(d);
            for (lane, grid) in source.grids()[all.clone()].iter().enumerate() {
                out.set(lane, start(grid, d, index));
            }
        }
    }

    /// Fills in the coordinates of a row that crosses the end of a period, from an index within it on.
    fn fill_across(&mut self, lanes: usize, grid: &RegionGrid, index: [u32; 3], dimensions: usize) {
        for d in 0..dimensions {
            let (first, mut at) = (start(grid, d, [0, index[1], index[2]]), start(grid, d, index));
            let mut x = index[0];
            let mut out = self.axis(d);
            for lane in 0..lanes.min(LANES) {
                out.set(lane, at);
                x += 1;
                at = at.wrapping_add(grid.step[0][d]);
                if x == grid.samples[0] {
                    (x, at) = (0, first);
                }
            }
        }
    }
}

/// The source of coordinates along an axis.
#[derive(Clone, Copy)]
enum AxisSource<'a, R> {
    /// They are stored already.
    Stored,
    /// Coordinates that all rows share.
    Columns(&'a LatticeCoordinates<R>),
    /// A start, and each lane's offset from it.
    Lanes { offsets: &'a LaneOffsets, start: Fixed },
    /// The same for rows whose lanes have one coordinate. Rows have `width` lanes, in whole vectors.
    Rows { offsets: &'a LaneOffsets, start: Fixed, width: usize },
    /// The same coordinate for all lanes.
    Still(Fixed),
}

/// A displacement, and its conversion to lattice axes.
struct Moving<'a, R: Real, T: Token> {
    displacement: Displacement<'a, R>,
    columns: MatrixColumns<R::Vector<T>>,
    diagonal: bool,
}

/// A displacement along the axes of the world.
#[derive(Clone, Copy)]
enum Displacement<'a, R> {
    None,
    Each(&'a [Lanes<R>; 3]),
    /// The same for all lanes.
    Same([R; 3]),
}

/// The same coordinate in every lane.
#[inline(always)]
fn place<R: Real, T: Token>(token: T, at: Fixed) -> (BitsOf<R, T>, R::Vector<T>) {
    let [cell, high, low] = split(at);
    (R::Vector::<T>::splat_bits(token, cell), R::Vector::splat(token, R::fraction(high, low)))
}

/// A coordinate that is moved by a number of cells.
#[inline(always)]
pub fn moved<R: Real, T: Token>((cell, fraction): (BitsOf<R, T>, R::Vector<T>), by: R::Vector<T>) -> (BitsOf<R, T>, R::Vector<T>) {
    let moved = fraction + by;
    let whole = moved.floor();
    (cell.plus(whole.to_signed()), moved - whole)
}

/// The coordinates of a block's rows along y, for each of its chunks.
pub struct RowPlaces<R> {
    cell: [u32; CHUNKS],
    fraction: [R; CHUNKS],
}

impl<R: Real> RowPlaces<R> {
    fn new() -> Self {
        RowPlaces { cell: [0; CHUNKS], fraction: [R::default(); CHUNKS] }
    }

    /// Fills in the rows of a block, given the first one's coordinate. Each chunk lies in one row, or all rows have the same
    /// coordinate.
    fn fill(&mut self, advance: &RowAdvance, start: Fixed) {
        for first in (0..LANES).step_by(advance.width) {
            let [cell, high, low] = split(advance.lane_offsets[1].lane(start, first));
            let chunks = first / CHUNK..(first + advance.width).min(LANES) / CHUNK;
            self.cell[chunks.clone()].fill(cell);
            self.fraction[chunks].fill(R::fraction(high, low));
        }
    }

    /// The coordinate of a chunk's row.
    #[inline(always)]
    pub fn place<T: Token>(&self, token: T, chunk: usize) -> (BitsOf<R, T>, R::Vector<T>) {
        (R::Vector::<T>::splat_bits(token, self.cell[chunk]), R::Vector::splat(token, self.fraction[chunk]))
    }
}

/// The coordinates that rows share in one frame: those that depend on x alone.
pub struct RowCache<R> {
    /// The first sample of the rows, and the number of their lanes.
    filled_for: Option<(u32, usize)>,
    columns: Option<Box<LatticeCoordinates<R>>>,
    /// The rows of the last displaced block.
    rows: RowPlaces<R>,
}

impl<R: Real> RowCache<R> {
    /// An empty cache.
    pub fn new() -> Self {
        RowCache { filled_for: None, columns: None, rows: RowPlaces::new() }
    }

    /// Clears the cache for another region.
    pub fn forget(&mut self) {
        self.filled_for = None;
    }

    /// The coordinates of a block that depend on x alone, if there are any, and the coordinates of its rows along y.
    pub fn columns_and_rows(
        &mut self,
        simd: Dispatch,
        grid: &RegionGrid,
        advance: &RowAdvance,
        index: [u32; 3],
    ) -> Option<(&LatticeCoordinates<R>, &RowPlaces<R>)> {
        self.rows.fill(advance, start(grid, 1, index));
        self.columns(simd, grid, advance, index)?;
        Some((self.columns.as_deref()?, &self.rows))
    }

    /// The coordinates that depend on x alone, if there are any.
    fn columns(&mut self, simd: Dispatch, grid: &RegionGrid, advance: &RowAdvance, index: [u32; 3]) -> Option<&LatticeCoordinates<R>> {
        if advance.columns == [false; 3] {
            return None;
        }
        let columns = self.columns.get_or_insert_with(|| boxed(LatticeCoordinates::new));
        let wanted = Some((index[0], simd.lanes));
        if self.filled_for != wanted {
            self.filled_for = wanted;
            vectorised!(R, simd, token => for d in 0..3 {
                if advance.columns[d] {
                    for_vectors!(R, token, at => {
                        let place = advance.lane_offsets[d].vectors::<R, _>(token, start(grid, d, index), at);
                        columns.store(d, at, place);
                    });
                }
            });
        }
        Some(columns)
    }
}

/// The index of a sample within the periods of a grid, along the axes that have one.
fn within(grid: &RegionGrid, index: [u32; 3]) -> [u32; 3] {
    axes(|axis| match grid.samples[axis] {
        0 => index[axis],
        samples => ((u64::from(grid.first[axis]) + u64::from(index[axis])) % u64::from(samples)) as u32,
    })
}
