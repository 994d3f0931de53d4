//! Samples as a pass reads them: a sample and its neighbours in every plane, and the pass's numbers. A pass is written once, for
//! one sample at a time and for a vector of adjacent samples.

use crate::cpu::simd::Real;
use crate::cpu::simd::lanes::CHUNK;
use crate::cpu::simd::number::{Bits, Number, max, min};
use crate::cpu::simd::real::BitsOf;
use crate::cpu::simd::vector::{SimdVector, Token};
use crate::schedule::NUMBERS;
use crate::schedule::pass::{Pass, ReadIndex, View};
use std::marker::PhantomData;

/// The inputs of a pass besides its planes.
#[derive(Clone, Copy, Debug)]
pub struct PassInputs<'a, R> {
    pub pass: Pass,
    /// The largest distance at which it may read each plane, along x and y.
    pub reach: &'a [[u32; 2]],
    /// Its numbers.
    pub numbers: &'a [R; NUMBERS],
    /// Its table.
    pub table: &'a [R],
    /// The index of the block's first sample, wrapping.
    pub index: [u32; 2],
    /// The first sample of the planes in the block.
    pub origin: [i32; 2],
    /// The level of detail.
    pub level: u32,
}

impl<R> PassInputs<'_, R> {
    /// Panics if a pass reads farther than the table of passes allows. The halo would be too narrow, and a vector's neighbours
    /// would be wrong samples.
    #[inline(always)]
    fn check(&self, plane: ReadIndex, x: i32, y: i32) {
        if cfg!(feature = "checks") && (x.unsigned_abs() > self.reach[plane.0][0] || y.unsigned_abs() > self.reach[plane.0][1]) {
            too_far(self.pass, plane, [x, y], self.reach[plane.0]);
        }
    }
}

#[cold]
#[inline(never)]
fn too_far(pass: Pass, plane: ReadIndex, [x, y]: [i32; 2], reach: [u32; 2]) {
    let name = pass.info().reads[plane.0].name;
    unreachable!("invariant: {pass:?} reads '{name}' ({x}, {y}) samples away; the table of passes allows up to {reach:?}");
}

/// Most distinct table entries that are loaded one after the other for all samples that need them. Beyond it, each sample loads
/// its own.
const FEW: usize = 4;
/// Largest difference of ranks in a row of samples for which every rank between is compared.
const NEAR: u32 = 64;

/// A number for each of a stencil's samples.
pub type Each<S> = <<S as Stencil>::Real as Real>::Vector<<S as Stencil>::Token>;
/// A word for each of them.
pub type WordEach<S> = BitsOf<<S as Stencil>::Real, <S as Stencil>::Token>;

/// Adjacent samples; functions in `shaders/passes/` have one of them.
pub trait Stencil: Copy {
    type Real: Real;
    type Token: Token;
    /// The values of a plane at the samples `x` and `y` further on.
    fn field(self, plane: ReadIndex, x: i32, y: i32) -> Each<Self>;
    /// Values of some planes at samples in the block that are `way` from each sample, and at `beyond` further on from those, along
    /// x and y.
    fn fields<const K: usize, const B: usize>(
        self,
        planes: [ReadIndex; K],
        way: [WordEach<Self>; 2],
        beyond: [[u32; 2]; B],
    ) -> [[Each<Self>; K]; B];
    /// The inputs of the pass.
    fn inputs(&self) -> &PassInputs<'_, Self::Real>;
    fn token(self) -> Self::Token;
    /// The first sample, in the block.
    fn first(self) -> [i32; 2];

    /// The value of a plane at this sample.
    #[inline(always)]
    fn here(self, plane: ReadIndex) -> Each<Self> {
        self.field(plane, 0, 0)
    }
    /// The position of this sample in the block.
    #[inline(always)]
    fn at(self) -> [WordEach<Self>; 2] {
        let [x, y] = self.first();
        let lanes: [u32; CHUNK] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
        [Each::<Self>::load_bits(self.token(), &lanes, 0).plus(self.word(x as u32)), self.word(y as u32)]
    }
    /// A number that is the same for all samples.
    #[inline(always)]
    fn number(self, x: Self::Real) -> Each<Self> {
        Each::<Self>::splat(self.token(), x)
    }
    /// A constant, rounded like the shader's.
    #[inline(always)]
    fn constant(self, x: f32) -> Each<Self> {
        self.number(Self::Real::of(f64::from(x)))
    }
    /// A word that is the same for all samples.
    #[inline(always)]
    fn word(self, x: u32) -> WordEach<Self> {
        Each::<Self>::splat_bits(self.token(), x)
    }
    /// A number of the pass that is an integer.
    #[inline(always)]
    fn count(self, x: Each<Self>) -> i32 {
        self.first_of(x.small_to_signed()) as i32
    }
    /// The word of the first sample.
    #[inline(always)]
    fn first_of(self, words: WordEach<Self>) -> u32 {
        words.first()
    }
    /// Whether a word is the same, `as_this`, for all samples.
    #[inline(always)]
    fn is_same(self, words: WordEach<Self>, as_this: u32) -> bool {
        !WordEach::<Self>::any(WordEach::<Self>::not(words.equals(self.word(as_this))))
    }
    /// The word of each sample.
    #[inline(always)]
    fn lanes(self, words: WordEach<Self>) -> [u32; CHUNK] {
        let mut lanes = [0; CHUNK];
        words.store(&mut lanes, 0);
        lanes
    }
    /// An entry of a table for each sample.
    #[inline(always)]
    fn lookup(self, table: &[Self::Real], index: WordEach<Self>) -> Each<Self> {
        let [found] = self.entries(table, index, [0]);
        found
    }
    /// Entries of a table at each of the offsets `beyond` from an index for each sample. It is fast if neighbours use the same
    /// index, consecutive ones, or few different ones.
    #[inline(always)]
    fn entries<const K: usize>(self, table: &[Self::Real], from: WordEach<Self>, beyond: [usize; K]) -> [Each<Self>; K] {
        let mut found = [self.number(Self::Real::default()); K];
        // A constant for the compiler, which then checks bounds once for all offsets.
        let span = beyond.iter().fold(0, |most, &beyond| beyond.max(most)) + 1;
        let at = |first: u32| &table[first as usize..first as usize + span];
        let lanes = self.lanes(from);
        let mut first = lanes[0];
        let mut left = WordEach::<Self>::not(from.equals(self.word(first)));
        let entries = at(first);
        for k in 0..K {
            found[k] = self.number(entries[beyond[k]]);
        }
        if WordEach::<Self>::any(left) {
            if self.is_same(from.minus(self.at()[0]), first.wrapping_sub(self.first()[0] as u32)) {
                for k in 0..K {
                    found[k] = Each::<Self>::load(self.token(), table, first as usize + beyond[k]);
                }
                return found;
            }
            if let Some((first, further)) = self.in_registers(from, lanes, table.len().saturating_sub(span - 1)) {
                for k in 0..K {
                    found[k] = Each::<Self>::look_up(self.token(), table, [first[0] + beyond[k], first[1] + beyond[k]], further);
                }
                return found;
            }
        }
        for _ in 1..FEW {
            if !WordEach::<Self>::any(left) {
                return found;
            }
            first = lanes[WordEach::<Self>::first_lane(left) % CHUNK];
            let entries = at(first);
            for k in 0..K {
                found[k] = Each::<Self>::select(found[k], self.number(entries[beyond[k]]), left);
            }
            left = WordEach::<Self>::both(left, WordEach::<Self>::not(from.equals(self.word(first))));
        }
        if !WordEach::<Self>::any(left) {
            return found;
        }
        self.gather(table, lanes, beyond)
    }
    /// If all samples find their entry in registers: the indices at which to load these, and each sample's place in its register.
    /// `count` is the number of entries.
    #[inline(always)]
    fn in_registers(self, index: WordEach<Self>, lanes: [u32; CHUNK], count: usize) -> Option<([usize; 2], WordEach<Self>)> {
        let register = self.token().register();
        let first = [lanes[0], lanes[CHUNK - register]];
        let most = first[0].max(first[1]) as usize;
        let mut from = self.word(first[0]);
        if register < CHUNK {
            let lane = self.at()[0].minus(self.word(self.first()[0] as u32));
            from = WordEach::<Self>::select(self.word(first[1]), from, lane.less_than(self.word(register as u32)));
        }
        let further = index.minus(from);
        let inside = self.is_same(further & self.word(!(register as u32 - 1)), 0) && most + register <= count;
        if inside { Some(([first[0] as usize, first[1] as usize], further)) } else { None }
    }
    /// Entries of a table at each of the offsets `beyond` from each sample's own index.
    #[inline(always)]
    fn gather<const K: usize>(self, table: &[Self::Real], from: [u32; CHUNK], beyond: [usize; K]) -> [Each<Self>; K] {
        let span = beyond.iter().fold(0, |most, &beyond| beyond.max(most)) + 1;
        let mut each = [[Self::Real::default(); CHUNK]; K];
        for i in 0..Each::<Self>::WIDTH {
            let entries = &table[from[i] as usize..from[i] as usize + span];
            for k in 0..K {
                each[k][i] = entries[beyond[k]];
            }
        }
        let mut found = [self.number(Self::Real::default()); K];
        for k in 0..K {
            found[k] = Each::<Self>::load(self.token(), &each[k], 0);
        }
        found
    }
    /// The rank of each sample's number in a table of quantiles with a guide: the last quantile that is not above the number. It
    /// is searched in at most `steps` steps from the beginning of the sample's part. Returns the rank, the quantile, and the
    /// reciprocal of the distance to the next one.
    #[inline(always)]
    fn guided_rank(
        self,
        table: &[Self::Real],
        last: u32,
        steps: u32,
        part: WordEach<Self>,
        x: Each<Self>,
    ) -> (WordEach<Self>, Each<Self>, Each<Self>) {
        let (quantiles, rest) = table.split_at(last as usize);
        let (ways, guide) = rest[1..].split_at(last as usize);
        let parts = self.lanes(part);
        let (mut lanes, mut begin) = ([Self::Real::default(); CHUNK], [Self::Real::default(); CHUNK]);
        x.store(&mut lanes, 0);
        for i in 0..Each::<Self>::WIDTH {
            begin[i] = guide[parts[i] as usize];
        }
        let begin = self.lanes(Each::<Self>::load(self.token(), &begin, 0).small_to_signed());
        let mut found = [0; CHUNK];
        let (mut from, mut per_way) = ([Self::Real::default(); CHUNK], [Self::Real::default(); CHUNK]);
        for i in 0..Each::<Self>::WIDTH {
            let mut rank = begin[i] as usize;
            for _ in 0..steps {
                // Without branches, since they would be unpredictable.
                let next = (rank + 1).min(quantiles.len() - 1);
                rank += (next - rank) * usize::from(lanes[i] >= quantiles[next]);
            }
            found[i] = rank as u32;
            (from[i], per_way[i]) = (quantiles[rank], ways[rank]);
        }
        let [from, per_way] = [&from, &per_way].map(|lanes| Each::<Self>::load(self.token(), lanes, 0));
        (Each::<Self>::load_bits(self.token(), &found, 0), from, per_way)
    }
    /// The index of the last of `count` ascending entries of a table that is not above a number; 0 if all are above. `stride` is
    /// the distance between entries. It first searches for the smallest and the largest number of the samples. Few entries lie
    /// between the two, since neighbours are similar.
    #[inline(always)]
    fn rank(self, table: &[Self::Real], stride: u32, count: u32, x: Each<Self>) -> WordEach<Self> {
        let mut lanes = [Self::Real::default(); CHUNK];
        x.store(&mut lanes, 0);
        // NaN is ignored.
        let (mut lowest, mut highest) = (Self::Real::exactly(f32::INFINITY), Self::Real::exactly(f32::NEG_INFINITY));
        for &lane in &lanes[..Each::<Self>::WIDTH] {
            (lowest, highest) = (min(lane, lowest), max(lane, highest));
        }
        let entry = |rank: u32| table[(rank * stride) as usize];
        let (mut low, mut high) = (0, 0);
        let mut step = count.next_power_of_two() >> 1;
        while step > 0 {
            // Without branches, since they would be unpredictable.
            let tried = [low, high].map(|rank: u32| (rank + step).min(count - 1));
            low += (tried[0] - low) * u32::from(lowest >= entry(tried[0]));
            high += (tried[1] - high) * u32::from(highest >= entry(tried[1]));
            step >>= 1;
        }
        let mut found = self.word(low);
        if high <= low + NEAR {
            for rank in low + 1..=high {
                found = WordEach::<Self>::select(found, self.word(rank), x.at_least(self.number(entry(rank))));
            }
        } else {
            let mut step = (high - low + 1).next_power_of_two() >> 1;
            while step > 0 {
                let tried = found.plus(self.word(step));
                let there = tried.less_than(self.word(high + 1));
                let index = WordEach::<Self>::select(found, tried, there).times(stride);
                let [entry] = self.gather(table, self.lanes(index), [0]);
                found = WordEach::<Self>::select(found, tried, WordEach::<Self>::both(there, x.at_least(entry)));
                step >>= 1;
            }
        }
        // NaN has rank 0.
        WordEach::<Self>::select(self.word(0), found, x.at_least(x))
    }
}

/// The view of a pass in functions over a stencil's samples.
#[derive(Clone, Copy, Debug)]
pub struct AtSample<'a, S>(PhantomData<&'a S>);

impl<'a, S: Stencil> View for AtSample<'a, S> {
    type Plane = ReadIndex;
    type Number = Each<S>;
    type Table = &'a [S::Real];
}

/// A plane on the CPU, row by row.
#[derive(Clone, Copy, Debug)]
pub struct Plane<'a, R> {
    pub values: &'a [R],
    /// Whether it is 0 beyond its edges; otherwise its edge values continue.
    pub zero: bool,
}

/// Samples of a row. `INSIDE`: the pass reads nothing beyond an edge.
#[derive(Clone, Copy, Debug)]
pub struct RowStencil<'a, R, T, const N: usize, const INSIDE: bool> {
    pub planes: &'a [Plane<'a, R>; N],
    /// Samples of the planes along x and y.
    pub size: [i32; 2],
    /// The first sample, in the planes.
    pub first: [i32; 2],
    pub inputs: &'a PassInputs<'a, R>,
    pub token: T,
}

impl<R: Real, T: Token, const N: usize, const INSIDE: bool> Stencil for RowStencil<'_, R, T, N, INSIDE> {
    type Real = R;
    type Token = T;
    #[inline(always)]
    fn field(self, plane: ReadIndex, x: i32, y: i32) -> R::Vector<T> {
        self.inputs.check(plane, x, y);
        let plane = &self.planes[plane.0];
        let ([width, height], [x, y]) = (self.size, [self.first[0] + x, self.first[1] + y]);
        if INSIDE {
            if cfg!(feature = "checks") {
                assert!((0..height).contains(&y), "invariant: rows of {:?} are those of the block", self.inputs.pass);
            }
            return R::Vector::load(self.token, plane.values, (y * width + x) as usize);
        }
        let row = y.clamp(0, height - 1);
        if plane.zero && row != y {
            return R::Vector::splat(self.token, R::default());
        }
        let row = row as usize * width as usize;
        let inside = || x >= 0 && x as usize + <R::Vector<T> as SimdVector<R, T>>::WIDTH <= width as usize;
        if inside() {
            return R::Vector::load(self.token, plane.values, row + x as usize);
        }
        let row = &plane.values[row..row + width as usize];
        let mut found = [R::default(); CHUNK];
        for i in 0..<R::Vector<T> as SimdVector<R, T>>::WIDTH {
            let x = x + i as i32;
            let held = x.clamp(0, width - 1);
            found[i] = if plane.zero && held != x { R::default() } else { row[held as usize] };
        }
        R::Vector::load(self.token, &found, 0)
    }
    #[inline(always)]
    fn fields<const K: usize, const B: usize>(
        self,
        planes: [ReadIndex; K],
        [x, y]: [WordEach<Self>; 2],
        beyond: [[u32; 2]; B],
    ) -> [[R::Vector<T>; K]; B] {
        let mut found = [[self.number(R::default()); K]; B];
        let width = self.size[0] as u32;
        let here = (self.first[1] * self.size[0] + self.first[0]) as u32;
        let (mut steps, mut count) = ([0; B], usize::MAX);
        for b in 0..B {
            steps[b] = (beyond[b][1] * width + beyond[b][0]) as usize;
            for plane in planes {
                count = count.min(self.planes[plane.0].values.len().saturating_sub(steps[b]));
            }
        }
        let way = y.times(width).plus(x);
        let first = self.first_of(way);
        if self.is_same(way, first) {
            for b in 0..B {
                for k in 0..K {
                    let from = here.wrapping_add(first) as usize + steps[b];
                    found[b][k] = R::Vector::load(self.token, self.planes[planes[k].0].values, from);
                }
            }
            return found;
        }
        let further = self.at()[0].minus(self.word(self.first()[0] as u32));
        let index = way.plus(further).plus(self.word(here));
        let lanes = self.lanes(index);
        if let Some((first, further)) = self.in_registers(index, lanes, count) {
            for b in 0..B {
                for k in 0..K {
                    let from = [first[0] + steps[b], first[1] + steps[b]];
                    found[b][k] = R::Vector::look_up(self.token, self.planes[planes[k].0].values, from, further);
                }
            }
            return found;
        }
        let mut each = [R::default(); CHUNK];
        for b in 0..B {
            for k in 0..K {
                let values = self.planes[planes[k].0].values;
                for i in 0..<R::Vector<T> as SimdVector<R, T>>::WIDTH {
                    each[i] = values[lanes[i] as usize + steps[b]];
                }
                found[b][k] = R::Vector::load(self.token, &each, 0);
            }
        }
        found
    }
    #[inline(always)]
    fn inputs(&self) -> &PassInputs<'_, R> {
        self.inputs
    }
    #[inline(always)]
    fn token(self) -> T {
        self.token
    }
    #[inline(always)]
    fn first(self) -> [i32; 2] {
        [0, 1].map(|a| self.inputs.origin[a] + self.first[a])
    }
}

/// Samples of a row for a pass that reads only adjacent samples, none of them beyond the left or right edge.
#[derive(Clone, Copy, Debug)]
pub struct CloseStencil<'a, R, T, const N: usize> {
    /// For each plane the row above, the sample's own row, and the row below. All have the same length, which lets the compiler
    /// omit checks.
    pub lines: &'a [[&'a [R]; 3]; N],
    /// The first sample's index in the rows.
    pub x: usize,
    pub y: i32,
    pub inputs: &'a PassInputs<'a, R>,
    pub token: T,
}

impl<R: Real, T: Token, const N: usize> Stencil for CloseStencil<'_, R, T, N> {
    type Real = R;
    type Token = T;
    #[inline(always)]
    fn field(self, plane: ReadIndex, x: i32, y: i32) -> R::Vector<T> {
        self.inputs.check(plane, x, y);
        let [above, own, below] = self.lines[plane.0];
        let line = if y < 0 {
            above
        } else if y > 0 {
            below
        } else {
            own
        };
        R::Vector::load(self.token, line, self.x.wrapping_add_signed(x as isize))
    }
    #[inline(always)]
    fn fields<const K: usize, const B: usize>(self, _: [ReadIndex; K], _: [WordEach<Self>; 2], _: [[u32; 2]; B]) -> [[R::Vector<T>; K]; B] {
        unreachable!("invariant: what is read anywhere has no reach of one sample")
    }
    #[inline(always)]
    fn inputs(&self) -> &PassInputs<'_, R> {
        self.inputs
    }
    #[inline(always)]
    fn token(self) -> T {
        self.token
    }
    #[inline(always)]
    fn first(self) -> [i32; 2] {
        [self.inputs.origin[0] + self.x as i32, self.inputs.origin[1] + self.y]
    }
}
