//! Twin of `shaders/lib/worley.wgsl`: cellular noise (Worley 1996), one implementation for 2D and 3D.
//!
//! The shader searches for one sample, this file for a block of them: cells are visited in the same order, each for every
//! lane at once. A lane that did not need a cell is not changed by it, so what is skipped never shows in a result, and
//! skipping may be decided for the block as a whole.

use crate::cpu::eval::coordinates::{Cells, Linear};
use crate::cpu::lib::frame::world;
use crate::cpu::lib::hash::{FACTORS, TURNS, mix};
use crate::cpu::lib::jet::Jet;
use crate::cpu::lib::point::HashKey;
use crate::cpu::lib::{jet, lattice};
use crate::cpu::simd::block::{Block, LANES, Lanes};
use crate::cpu::simd::number::Number;
use crate::cpu::simd::real::{max, min, select};
use crate::cpu::simd::{Dispatch, Real, vectorised};
use crate::graph::{Metric, WorleyOutput};
use crate::program::WorleyShape;

/// More than rounding can change a coordinate between a sample and a point at most 7 cells away.
pub const SLACK: f64 = 0.000_030_517_578_125;
pub const FAR: f64 = 1e18;

/// Keys are squared Euclidean distances.
const SQUARES: u8 = 0;
/// Keys are distances by another metric.
const LENGTHS: u8 = 1;
/// Keys are distances to borders.
const BORDERS: u8 = 2;

/// What is looked for in every lane.
struct Search<R, const N: usize, const KEY: u8, const W: bool> {
    /// Cells; without periods every coordinate is already multiplied for the hash.
    cell: [[u32; LANES]; N],
    /// The samples from the middle of their cells, less half a step of the points' random coordinates.
    at: [Lanes<R>; N],
    key: HashKey<W>,
    metric: Metric,
    nearest: usize,
    step: R,
    reach: R,
    /// For borders: the point inside as seen from the sample, its distance, and which cell's it is.
    inside: [Lanes<R>; N],
    distance: Lanes<R>,
    inside_id: [u32; LANES],
}

/// The `K` smallest keys so far in order, and, if `TRACK`, whose they are. Apart from the search, so that the compiler sees that
/// writing the one changes nothing in the other.
struct Found<R, const K: usize, const TRACK: bool> {
    key: [Lanes<R>; K],
    id: [[u32; LANES]; K],
}

impl<R: Real, const K: usize, const TRACK: bool> Found<R, K, TRACK> {
    #[inline(always)]
    fn new() -> Self {
        Found { key: [[R::of(FAR); LANES]; K], id: [[0; LANES]; K] }
    }

    #[inline(always)]
    fn get(&self, l: usize) -> Best<R> {
        let mut best = Best { key: [R::of(FAR); 4], id: [0; 4] };
        for k in 0..K {
            (best.key[k], best.id[k]) = (self.key[k][l], if TRACK { self.id[k][l] } else { 0 });
        }
        best
    }

    #[inline(always)]
    fn set(&mut self, l: usize, best: Best<R>) {
        for k in 0..K {
            self.key[k][l] = best.key[k];
            if TRACK {
                self.id[k][l] = best.id[k];
            }
        }
    }
}

/// One lane of it. Always four: the compiler takes an array of one for an integer and then does not vectorise.
#[derive(Clone, Copy)]
struct Best<R> {
    key: [R; 4],
    id: [u32; 4],
}

impl<R: Real> Best<R> {
    /// Of equal keys the one that came first stays the nearer.
    #[inline(always)]
    fn insert<const K: usize, const TRACK: bool>(mut self, key: R, id: u32) -> Self {
        for k in (0..K).rev() {
            let closer = key < self.key[k];
            let moved = k > 0 && key < self.key[k.saturating_sub(1)];
            self.key[k] = select(select(self.key[k], key, closer), self.key[k.saturating_sub(1)], moved);
            if TRACK {
                self.id[k] = select(select(self.id[k], id, closer), self.id[k.saturating_sub(1)], moved);
            }
        }
        self
    }
}

/// A cell by its steps from the sample's own, as one number.
#[inline(always)]
fn id<const N: usize>(o: [i32; N]) -> u32 {
    let mut id = 0;
    for i in 0..N {
        id |= ((o[i] + 4) as u32) << (4 * i);
    }
    id
}

#[inline(always)]
fn cell<const N: usize>(id: u32) -> [i32; N] {
    std::array::from_fn(|i| (id >> (4 * i) & 15) as i32 - 4)
}

/// A point's random coordinates: signed numbers of 16 bits in 2D, 10 in 3D.
#[inline(always)]
fn random<R: Real, const N: usize>(h: u32) -> [R; N] {
    let bits = if N == 2 { 16 } else { 10 };
    std::array::from_fn(|i| R::of_i32((h << (bits * i)) as i32 >> (32 - bits)))
}

#[inline(always)]
fn square<R: Real, const N: usize>(v: [R; N]) -> R {
    dot(v, v)
}

#[inline(always)]
fn dot<R: Real, const N: usize>(a: [R; N], b: [R; N]) -> R {
    let rest = a[1] * b[1];
    a[0] * b[0] + if N > 2 { rest + a[2] * b[2] } else { rest }
}

/// The length of a vector, squared where the metric is built on squares.
#[inline(always)]
fn length<R: Real, const N: usize, const KEY: u8>(metric: Metric, v: [R; N]) -> R {
    if KEY != LENGTHS {
        return square(v);
    }
    let a = v.map(Number::abs);
    let (mut rest, mut largest) = (a[1], max(a[0], a[1]));
    if N > 2 {
        (rest, largest) = (rest + a[2], max(largest, a[2]));
    }
    select(a[0] + rest, largest, metric == Metric::Chebyshev)
}

/// Against the signs of v.
#[inline(always)]
fn away<R: Real>(v: R) -> R {
    let (zero, one) = (R::of(0.0), R::of(1.0));
    select(zero, one, v < zero) - select(zero, one, v > zero)
}

/// The distance from the sample to the plane halfway between two points.
#[inline(always)]
fn border<R: Real, const N: usize>(inside: [R; N], outside: [R; N]) -> R {
    let across: [R; N] = std::array::from_fn(|i| outside[i] - inside[i]);
    let middle = std::array::from_fn(|i| R::of(0.5) * (outside[i] + inside[i]));
    dot(middle, across) * square(across).inverse_root()
}

/// `best` of all lanes, in pairs so that it compiles to vector instructions.
#[inline(always)]
fn fold<R: Real>(mut lanes: Lanes<R>, best: impl Fn(R, R) -> R) -> R {
    let mut half = LANES / 2;
    while half > 0 {
        for l in 0..half {
            lanes[l] = best(lanes[l], lanes[l + half]);
        }
        half /= 2;
    }
    lanes[0]
}

impl<R: Real, const N: usize, const KEY: u8, const W: bool> Search<R, N, KEY, W> {
    #[inline(always)]
    fn new(at: &Cells<R>, key: HashKey<W>, shape: WorleyShape, jitter: R) -> Self {
        let step = jitter * R::of(if N == 2 { 1.0 / 65536.0 } else { 1.0 / 1024.0 });
        let half_step = R::of(0.5) * step;
        Search {
            cell: std::array::from_fn(|i| std::array::from_fn(|l| if W { at.cell[i][l] } else { at.cell[i][l].wrapping_mul(FACTORS[i]) })),
            at: std::array::from_fn(|i| std::array::from_fn(|l| (at.fraction[i][l] - R::of(0.5)) - half_step)),
            key,
            metric: shape.metric,
            nearest: shape.nearest as usize,
            step,
            reach: R::of(0.5) * jitter + R::of(SLACK),
            inside: [[R::default(); LANES]; N],
            distance: [R::default(); LANES],
            inside_id: [0; LANES],
        }
    }

    #[inline(always)]
    fn hash(&self, l: usize, o: [i32; N]) -> u32 {
        if W {
            return self.key.cubic::<u32, N>(std::array::from_fn(|i| self.cell[i][l].wrapping_add(o[i] as u32)));
        }
        let mut h = self.key.seed;
        for i in 0..N {
            h ^= self.cell[i][l].wrapping_add((o[i] as u32).wrapping_mul(FACTORS[i])).rotate_left(TURNS[i]);
        }
        mix(h)
    }

    /// The point of a cell as seen from the sample.
    #[inline(always)]
    fn point(&self, l: usize, o: [i32; N]) -> [R; N] {
        let random = random::<R, N>(self.hash(l, o));
        std::array::from_fn(|i| random[i] * self.step - (self.at[i][l] - R::of_i32(o[i])))
    }

    /// A lower bound of the distance along one axis to any point of a cell so many steps away, for all samples between two.
    #[inline(always)]
    fn gap(&self, lo: R, hi: R, o: i32) -> R {
        let o = R::of_i32(o);
        max(max(o - hi, lo - o) - self.reach, R::of(0.0))
    }

    /// Points at this distance or further change nothing.
    #[inline(always)]
    fn limit<const K: usize, const TRACK: bool>(&self, found: &Found<R, K, TRACK>, l: usize) -> R {
        if KEY == BORDERS {
            // The border with a point at distance d is at least (d − distance) / 2 away.
            let d = R::of(2.0) * found.key[0][l] + self.distance[l];
            return d * d;
        }
        found.key[self.nearest - 1][l]
    }

    #[inline(always)]
    fn visited<const K: usize, const TRACK: bool>(&self, l: usize, o: [i32; N], best: Best<R>) -> Best<R> {
        let own = id(o);
        let v = self.point(l, o);
        let candidate = if KEY == BORDERS {
            let inside = std::array::from_fn(|i| self.inside[i][l]);
            select(border(inside, v), R::of(FAR), own == self.inside_id[l])
        } else {
            length::<R, N, KEY>(self.metric, v)
        };
        best.insert::<K, TRACK>(candidate, own)
    }

    /// Visits one cell, or three along x, in every lane.
    #[inline(always)]
    fn visit<const K: usize, const TRACK: bool, const THREE: bool>(&self, found: &mut Found<R, K, TRACK>, first: [i32; N]) {
        let along = |x: i32| {
            let mut o = first;
            o[0] += x;
            o
        };
        for l in 0..LANES {
            let mut best = found.get(l);
            // Written out: the compiler vectorises the loop over lanes only if there is none inside it.
            best = self.visited::<K, TRACK>(l, along(0), best);
            if THREE {
                best = self.visited::<K, TRACK>(l, along(1), best);
                best = self.visited::<K, TRACK>(l, along(2), best);
            }
            found.set(l, best);
        }
    }

    /// Ring 3 is the last that can hold one of four nearest points, ring `N + 1` the last that can bound a Voronoi cell.
    #[inline(always)]
    fn run<const K: usize, const TRACK: bool>(&self) -> Found<R, K, TRACK> {
        let mut found = Found::new();
        let depth = i32::from(N > 2);
        for z in -depth..=depth {
            for y in -1..=1 {
                self.visit::<K, TRACK, true>(&mut found, std::array::from_fn(|i| [-1, y, z][i]));
            }
        }
        for ring in 2..=N as i32 + 1 {
            if !self.needs(&found, ring) {
                break;
            }
            self.ring(&mut found, ring);
        }
        found
    }

    /// Whether a point of this ring, or of one further out, may matter to any sample.
    #[inline(always)]
    fn needs<const K: usize, const TRACK: bool>(&self, found: &Found<R, K, TRACK>, ring: i32) -> bool {
        let mut count = 0u32;
        for l in 0..LANES {
            let mut furthest = max(self.at[0][l].abs(), self.at[1][l].abs());
            if N > 2 {
                furthest = max(furthest, self.at[N - 1][l].abs());
            }
            let gap = (R::of_i32(ring) - furthest) - self.reach;
            let key = if KEY == LENGTHS { gap } else { gap * gap };
            count += u32::from(key < self.limit(found, l));
        }
        count > 0
    }

    /// Visits the cells of a ring that may matter to any sample.
    #[inline(always)]
    fn ring<const K: usize, const TRACK: bool>(&self, found: &mut Found<R, K, TRACK>, ring: i32) {
        let lo: [R; N] = std::array::from_fn(|i| fold(self.at[i], min));
        let hi: [R; N] = std::array::from_fn(|i| fold(self.at[i], max));
        let mut limit = fold(std::array::from_fn(|l| self.limit(found, l)), max);
        let depth = if N > 2 { ring } else { 0 };
        for z in -depth..=depth {
            for y in -ring..=ring {
                // Rows inside the ring's faces belong to it with their ends only.
                let whole = y.abs() == ring || z.abs() == ring;
                for x in (-ring..=ring).step_by(if whole { 1 } else { 2 * ring as usize }) {
                    let o = std::array::from_fn(|i| [x, y, z][i]);
                    let gap = std::array::from_fn(|i| self.gap(lo[i], hi[i], o[i]));
                    if length::<R, N, KEY>(self.metric, gap) < limit {
                        self.visit::<K, TRACK, false>(found, o);
                        limit = fold(std::array::from_fn(|l| self.limit(found, l)), max);
                    }
                }
            }
        }
    }

    /// The distance to a point that was found, and its gradient.
    #[inline(always)]
    fn measure<const K: usize, const TRACK: bool>(&self, found: &Found<R, K, TRACK>, l: usize, k: usize) -> Jet<R> {
        let key = found.key[k][l];
        let v = if TRACK { self.point(l, cell(found.id[k][l])) } else { [R::default(); N] };
        let mut gradient = [R::default(); 3];
        let value = if KEY == LENGTHS {
            let a = v.map(Number::abs);
            let y = a[1] > a[0];
            let z = N > 2 && a[N - 1] > max(a[0], a[1]);
            let largest = [!y & !z, y & !z, z];
            for i in 0..N {
                gradient[i] = select(R::of(0.0), away(v[i]), self.metric == Metric::Manhattan || largest[i]);
            }
            key
        } else {
            let plain = self.metric == Metric::Squared;
            let scale = select(-key.inverse_root(), R::of(-2.0), plain);
            for i in 0..N {
                gradient[i] = v[i] * scale;
            }
            select(key.root(), key, plain)
        };
        Jet { value, gradient }
    }
}

#[inline(always)]
fn weighted<R: Real>(x: Jet<R>, weight: R) -> Jet<R> {
    Jet { value: x.value * weight, gradient: x.gradient.map(|g| g * weight) }
}

/// The weighted sum of the distances to the nearest points.
#[inline(always)]
fn distance<R: Real, const G: bool, const W: bool, const N: usize, const K: usize, const KEY: u8>(
    at: &Cells<R>,
    linear: &Linear<R>,
    shape: WorleyShape,
    (jitter, weights): (R, [R; 4]),
    out: &mut Block<R>,
) {
    let search = Search::<R, N, KEY, W>::new(at, linear.hash_key(), shape, jitter);
    let found = search.run::<K, G>();
    for l in 0..LANES {
        // More than were asked for have weight 0.
        let mut total = weighted(search.measure(&found, l, 0), weights[0]);
        for k in 1..K {
            total = jet::add(total, weighted(search.measure(&found, l, k), weights[k]));
        }
        out.set::<G>(l, world(&linear.columns, total));
    }
}

/// A number in [−1, 1] for the cell of the nearest point.
#[inline(always)]
fn value<R: Real, const G: bool, const W: bool, const N: usize, const KEY: u8>(
    at: &Cells<R>,
    linear: &Linear<R>,
    shape: WorleyShape,
    (jitter, _): (R, [R; 4]),
    out: &mut Block<R>,
) {
    let search = Search::<R, N, KEY, W>::new(at, linear.hash_key(), shape, jitter);
    let found = search.run::<1, true>();
    for l in 0..LANES {
        out.set::<G>(l, jet::constant(lattice::value(mix(search.hash(l, cell(found.id[0][l]))))));
    }
}

/// The Euclidean distance to the nearest border of the Voronoi cell.
#[inline(always)]
fn edge<R: Real, const G: bool, const W: bool, const N: usize>(
    at: &Cells<R>,
    linear: &Linear<R>,
    shape: WorleyShape,
    (jitter, _): (R, [R; 4]),
    out: &mut Block<R>,
) {
    let points = Search::<R, N, SQUARES, W>::new(at, linear.hash_key(), shape, jitter);
    let nearest = points.run::<1, true>();
    let mut search = Search::<R, N, BORDERS, W>::new(at, linear.hash_key(), shape, jitter);
    for l in 0..LANES {
        let point = points.point(l, cell(nearest.id[0][l]));
        for i in 0..N {
            search.inside[i][l] = point[i];
        }
        search.distance[l] = nearest.key[0][l].root();
    }
    search.inside_id = nearest.id[0];
    let found = search.run::<1, true>();
    for l in 0..LANES {
        let outside = search.point(l, cell(found.id[0][l]));
        let across: [R; N] = std::array::from_fn(|i| outside[i] - search.inside[i][l]);
        let inverse = square(across).inverse_root();
        let mut gradient = [R::default(); 3];
        for i in 0..N {
            gradient[i] = across[i] * -inverse;
        }
        out.set::<G>(l, world(&linear.columns, Jet { value: max(found.key[0][l], R::of(0.0)), gradient }));
    }
}

/// Worley noise for a block; `numbers` are the jitter and the weights.
pub fn block<R: Real, const G: bool, const W: bool>(
    simd: Dispatch,
    at: &Cells<R>,
    linear: &Linear<R>,
    shape: WorleyShape,
    numbers: &[R],
    out: &mut Block<R>,
) {
    let numbers = (numbers[0], std::array::from_fn(|k| numbers.get(k + 1).copied().unwrap_or_default()));
    // The search goes over all lanes, however few are wanted.
    let simd = simd.whole();
    let squares = matches!(shape.metric, Metric::Euclidean | Metric::Squared);
    // Usual combinations are compiled on their own; rarer ones look for more than they need.
    if const { !W } && !simd.is_plain::<R>() {
        macro_rules! run {
            ($n:literal, $k:literal) => {
                vectorised!(R, simd, plain: false, wide: true, _token => distance::<R, G, W, $n, $k, SQUARES>(at, linear, shape, numbers, out))
            };
        }
        match (shape.output, shape.dimensions, squares, shape.nearest) {
            (WorleyOutput::Distance, 2, true, 1) => return run!(2, 1),
            (WorleyOutput::Distance, 2, true, 2) => return run!(2, 2),
            (WorleyOutput::Distance, 3, true, 1) => return run!(3, 1),
            (WorleyOutput::Distance, 3, true, 2) => return run!(3, 2),
            _ => {}
        }
    }
    rare::<R, W>(simd, at, linear, (shape, squares), numbers, out);
}

/// The other combinations: compiled with gradients only, and not for the widest instruction set.
fn rare<R: Real, const W: bool>(
    simd: Dispatch,
    at: &Cells<R>,
    linear: &Linear<R>,
    (shape, squares): (WorleyShape, bool),
    numbers: (R, [R; 4]),
    out: &mut Block<R>,
) {
    macro_rules! run {
        ($($function:tt)+) => {
            vectorised!(R, simd, plain: true, wide: false, _token => $($function)+(at, linear, shape, numbers, out))
        };
    }
    match (shape.output, shape.dimensions, squares) {
        (WorleyOutput::Distance, 2, true) => run!(distance::<R, true, W, 2, 4, SQUARES>),
        (WorleyOutput::Distance, 2, false) => run!(distance::<R, true, W, 2, 4, LENGTHS>),
        (WorleyOutput::Distance, _, true) => run!(distance::<R, true, W, 3, 4, SQUARES>),
        (WorleyOutput::Distance, _, false) => run!(distance::<R, true, W, 3, 4, LENGTHS>),
        (WorleyOutput::Cell, 2, true) => run!(value::<R, true, W, 2, SQUARES>),
        (WorleyOutput::Cell, 2, false) => run!(value::<R, true, W, 2, LENGTHS>),
        (WorleyOutput::Cell, _, true) => run!(value::<R, true, W, 3, SQUARES>),
        (WorleyOutput::Cell, _, false) => run!(value::<R, true, W, 3, LENGTHS>),
        (WorleyOutput::Edge, 2, _) => run!(edge::<R, true, W, 2>),
        (WorleyOutput::Edge, ..) => run!(edge::<R, true, W, 3>),
    }
}
