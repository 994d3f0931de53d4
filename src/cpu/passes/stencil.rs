//! Samples as a pass sees them: themselves and their neighbours in every plane that is read, and the pass's numbers. One sample at a
//! time, or as many next to each other as a vector holds: a pass is written once for both.

use crate::cpu::simd::Real;
use crate::cpu::simd::lanes::CHUNK;
use crate::cpu::simd::number::{Bits, Number, max, min};
use crate::cpu::simd::real::BitsOf;
use crate::cpu::simd::vector::{SimdVector, Token};
use crate::schedule::NUMBERS;
use crate::schedule::pass::{Pass, ReadIndex, View};
use std::marker::PhantomData;

/// What a pass has beside its planes.
#[derive(Clone, Copy, Debug)]
pub struct PassInputs<'a, R> {
    pub pass: Pass,
    /// How far it may read in each plane, along x and y.
    pub reach: &'a [[u32; 2]],
    /// Its numbers.
    pub numbers: &'a [R; NUMBERS],
    /// Its table.
    pub table: &'a [R],
    /// The index of the block's first sample, wrapping.
    pub index: [u32; 2],
    /// Where in the block the planes begin that are read.
    pub origin: [i32; 2],
    /// The level of detail.
    pub level: u32,
}

impl<R> PassInputs<'_, R> {
    /// Stops where a pass reads further than the table of passes says: the halo would be too narrow for it, and samples beside a vector would
    /// be others than it asked for.
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
    unreachable!("invariant: {pass:?} reads '{name}' ({x}, {y}) samples away; the table of passes says: up to {reach:?}");
}

/// How many different entries of a table are taken one after the other, for all samples that ask for them; where there are more, each
/// sample's own.
const FEW: usize = 4;
/// Ranks that a row's samples may lie apart to be compared with each between.
const NEAR: u32 = 64;

/// One number for each of a stencil's samples.
pub type Each<S> = <<S as Stencil>::Real as Real>::Vector<<S as Stencil>::Token>;
/// One word for each of them.
pub type WordEach<S> = BitsOf<<S as Stencil>::Real, <S as Stencil>::Token>;

/// Samples next to each other as `shaders/passes/` sees one.
pub trait Stencil: Copy {
    type Real: Real;
    type Token: Token;
    /// The values that a plane has so many samples further on.
    fn field(self, plane: ReadIndex, x: i32, y: i32) -> Each<Self>;
    /// The same of some planes where each sample has a way of its own, to a sample that is in the block; and so far beyond that one, along x and y.
    fn fields<const K: usize, const B: usize>(
        self,
        planes: [ReadIndex; K],
        way: [WordEach<Self>; 2],
        beyond: [[u32; 2]; B],
    ) -> [[Each<Self>; K]; B];
    /// What the pass has.
    fn inputs(&self) -> &PassInputs<'_, Self::Real>;
    fn token(self) -> Self::Token;
    /// Where in the block the first sample is.
    fn first(self) -> [i32; 2];

    /// The value that a plane has here.
    #[inline(always)]
    fn here(self, plane: ReadIndex) -> Each<Self> {
        self.field(plane, 0, 0)
    }
    /// Where in the block this is.
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
    /// A constant, rounded as the shader's.
    #[inline(always)]
    fn constant(self, x: f32) -> Each<Self> {
        self.number(Self::Real::of(f64::from(x)))
    }
    /// A word that is the same for all samples.
    #[inline(always)]
    fn word(self, x: u32) -> WordEach<Self> {
        Each::<Self>::splat_bits(self.token(), x)
    }
    /// A number of the pass that is a count.
    #[inline(always)]
    fn count(self, x: Each<Self>) -> i32 {
        self.first_of(x.small_to_signed()) as i32
    }
    /// The word of the first sample.
    #[inline(always)]
    fn first_of(self, words: WordEach<Self>) -> u32 {
        words.first()
    }
    /// Whether a word is the same for all samples.
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
    /// Entries of a table that lie so far from another one for each sample; fast where neighbours ask for the same one, for entries one
    /// after the other, or for few different ones.
    #[inline(always)]
    fn entries<const K: usize>(self, table: &[Self::Real], from: WordEach<Self>, beyond: [usize; K]) -> [Each<Self>; K] {
        let mut found = [self.number(Self::Real::default()); K];
        // Known to the compiler, which then checks once for all of them.
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
    /// Where registers are to be loaded from, and each sample's place in its register, if all of them find their entry there: of so many.
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
    /// Entries of a table that lie so far from each sample's own.
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
    /// The same of a table of quantiles, by its guide: for each sample the last quantile that is not above its number, which is one of so many steps
    /// from that of its part on; the quantile, and the reciprocal of the way to the next.
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
                // Without branches, which nobody could predict.
                let next = (rank + 1).min(quantiles.len() - 1);
                rank += (next - rank) * usize::from(lanes[i] >= quantiles[next]);
            }
            found[i] = rank as u32;
            (from[i], per_way[i]) = (quantiles[rank], ways[rank]);
        }
        let [from, per_way] = [&from, &per_way].map(|lanes| Each::<Self>::load(self.token(), lanes, 0));
        (Each::<Self>::load_bits(self.token(), &found, 0), from, per_way)
    }
    /// The last of so many rising entries of a table, `stride` from one to the next, that is not above a number; the first if all are.
    /// Looked for are the lowest and the highest of the samples' numbers; between their entries few are left, as neighbours are alike.
    #[inline(always)]
    fn rank(self, table: &[Self::Real], stride: u32, count: u32, x: Each<Self>) -> WordEach<Self> {
        let mut lanes = [Self::Real::default(); CHUNK];
        x.store(&mut lanes, 0);
        // What is no number is passed over.
        let (mut lowest, mut highest) = (Self::Real::exactly(f32::INFINITY), Self::Real::exactly(f32::NEG_INFINITY));
        for &lane in &lanes[..Each::<Self>::WIDTH] {
            (lowest, highest) = (min(lane, lowest), max(lane, highest));
        }
        let entry = |rank: u32| table[(rank * stride) as usize];
        let (mut low, mut high) = (0, 0);
        let mut step = count.next_power_of_two() >> 1;
        while step > 0 {
            // Without branches, which nobody could predict.
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
        // Nor is it above anything.
        WordEach::<Self>::select(self.word(0), found, x.at_least(x))
    }
}

/// A pass as a function of a stencil's samples sees it.
#[derive(Clone, Copy, Debug)]
pub struct AtSample<'a, S>(PhantomData<&'a S>);

impl<'a, S: Stencil> View for AtSample<'a, S> {
    type Plane = ReadIndex;
    type Number = Each<S>;
    type Table = &'a [S::Real];
}

/// A plane on the CPU, rows from the first on.
#[derive(Clone, Copy, Debug)]
pub struct Plane<'a, R> {
    pub values: &'a [R],
    /// Whether it is 0 beyond its edges, where others go on as they end.
    pub zero: bool,
}

/// Samples of a row. `INSIDE`: none of what the pass reads lies beyond an edge.
#[derive(Clone, Copy, Debug)]
pub struct RowStencil<'a, R, T, const N: usize, const INSIDE: bool> {
    pub planes: &'a [Plane<'a, R>; N],
    /// Of the planes.
    pub size: [i32; 2],
    /// Where in them the first sample is.
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

/// Samples of a row none of whose neighbours lies beyond the left or right edge, of a pass that reads no others.
#[derive(Clone, Copy, Debug)]
pub struct CloseStencil<'a, R, T, const N: usize> {
    /// Of each plane the row above, the own one, and the one below, all of one length: the compiler sees what lies in them.
    pub lines: &'a [[&'a [R]; 3]; N],
    /// Where in the rows the first sample is.
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
