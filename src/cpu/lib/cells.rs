//! Cellular noise from lists of points: those that may be among the nearest of the samples of a cell, and the borders around a
//! point. Both are known for many samples, which then need no hash.
//!
//! The bits are those of [`Search`]: offsets and keys are computed by the same operations, and a point that is left out cannot
//! change a result. Among equal keys, the point that a search visits first is the nearer.

use crate::cpu::lib::cell_borders;
use crate::cpu::lib::hash::{mix, signed};
use crate::cpu::lib::jet::Jet;
use crate::cpu::lib::worley::{BY_METRIC, FAR, NearestKeys, SLACK, SQUARES, Search, border, first_of, id, length, squared};
use crate::cpu::simd::lanes::CHUNK;
use crate::cpu::simd::number::{Bits, Number, Transcendental, max, min};
use crate::cpu::simd::vector::{SimdVector, Token};
use crate::cpu::simd::{Real, unrolled};
use crate::program::{Metric, WorleyShape};

/// More than the rounding errors of two squared distances, or of two distances by another metric, between a sample and points that
/// may be among its nearest.
const KEY_SLACK: f64 = 8.0 * SLACK;
/// A multiple of the rounding error of coordinates, which moves borders between points at a distance of 1 by twice as much.
const ERROR: f64 = 0.25 * SLACK;
/// Most points with which others are compared.
const MOST_COMPARED: usize = 16;
/// Most listed borders of a point.
pub const MOST_BORDERS: usize = 48;
/// Borders that are compared before it is checked whether others may be nearer.
const TOGETHER: u32 = 4;

/// A point that may be among the nearest of a cell's samples.
#[derive(Clone, Copy)]
pub struct NearPoint<R> {
    /// The id of its own cell, and the steps to it.
    pub id: u32,
    steps: [R; 3],
    /// Its place relative to the middle of that cell.
    place: [R; 3],
    /// A lower bound of its key for samples of the cell.
    least: R,
    /// The number in [−1, 1] of its cell.
    number: R,
}

/// The border between two points, and the second of them. By the Euclidean metric it is a plane.
#[derive(Clone, Copy)]
struct Border<R> {
    /// The direction from the first point, for the Euclidean metric.
    normal: [R; 3],
    /// The distance from the first point to the border, by the metric.
    half: R,
    /// The steps from the first point's cell to the second's, and the second's place relative to the middle of its cell.
    steps: [R; 3],
    place: [R; 3],
}

/// The borders between a point and those around it, nearest first.
pub struct Borders<R> {
    place: [R; 3],
    /// A lower bound of `half` of borders that are not listed.
    end: R,
    /// The most by which rounding moves the distance to a border, as it is computed here or in a search.
    error: R,
    all: Vec<Border<R>>,
}

impl<R: Real> Borders<R> {
    pub fn none() -> Self {
        Borders { place: [R::default(); 3], end: R::default(), error: R::default(), all: Vec::new() }
    }
}

/// The largest length of offsets from the samples of a cell to a point, by the metric, or its square. Its place is relative to the
/// middle of that cell.
#[inline(always)]
fn most<R: Real, const DIMENSIONS: usize, const KEYS: u8>(search: &Search<R, DIMENSIONS, KEYS, true>, place: [R; DIMENSIONS]) -> R {
    let mut far = place;
    unrolled!(i in 0..DIMENSIONS => {
        far[i] = place[i].abs() + search.half_width();
    });
    search.length(far)
}

/// Calls a function with the cells of a ring, in the order of a search. The first ring is a whole block.
#[inline(always)]
fn each_cell<const DIMENSIONS: usize>(ring: i32, mut call: impl FnMut([i32; DIMENSIONS])) {
    let (height, depth) = (if DIMENSIONS > 1 { ring } else { 0 }, if DIMENSIONS > 2 { ring } else { 0 });
    for z in -depth..=depth {
        for y in -height..=height {
            let whole = ring == 1 || y.abs() == ring || z.abs() == ring;
            let mut x = -ring;
            while x <= ring {
                call(first_of([x, y, z]));
                x += if whole { 1 } else { 2 * ring };
            }
        }
    }
}

/// A point from the middle of a cell.
#[inline(always)]
fn from_middle<R: Real, const DIMENSIONS: usize>(steps: [R; 3], place: [R; 3]) -> [R; DIMENSIONS] {
    let mut from = [R::default(); DIMENSIONS];
    unrolled!(i in 0..DIMENSIONS => {
        from[i] = place[i] + steps[i];
    });
    from
}

/// Lists the points that may be among the nearest of a sample of the search's cell, in the order of a search.
pub fn list_points<R: Real, const DIMENSIONS: usize, const KEYS: u8>(
    search: &Search<R, DIMENSIONS, KEYS, true>,
    shape: WorleyShape,
    points: &mut Vec<NearPoint<R>>,
) {
    // Borders are those of the nearest point.
    let nearest = if KEYS == SQUARES { 1 } else { shape.nearest as usize };
    points.clear();
    // Upper bounds of the smallest keys of all samples.
    let mut bounds = NearestKeys::<R, 4, false>::none(R::default());
    for ring in 1..=(DIMENSIONS as i32 + 1).max(3) {
        let mut is_near = ring == 1;
        each_cell::<DIMENSIONS>(ring, |o| {
            let (mut steps, mut place) = ([R::default(); 3], [R::default(); 3]);
            unrolled!(i in 0..DIMENSIONS => {
                steps[i] = R::of_i32(o[i]);
            });
            if ring > 1 && bounds.key[nearest - 1] < search.least(from_middle(steps, place), search.reach) {
                return;
            }
            is_near = true;
            let (h, in_cell) = search.placed(o);
            unrolled!(i in 0..DIMENSIONS => {
                place[i] = in_cell[i];
            });
            let from = from_middle(steps, place);
            let least = search.least(from, R::of(SLACK));
            if least < bounds.key[nearest - 1] {
                bounds = bounds.insert(most(search, from) + R::of(KEY_SLACK), 0);
                points.push(NearPoint { id: id(o), steps, place, least, number: signed(mix(h)) });
            }
        });
        if !is_near {
            break;
        }
    }
    let bound = bounds.key[nearest - 1];
    points.retain(|point| point.least < bound);
    if KEYS == BY_METRIC && !squared(shape.metric) {
        return;
    }
    // A point is left out if this many points are nearer to all samples of the cell. Only points near the cell are compared.
    let mut others = [[R::default(); DIMENSIONS]; MOST_COMPARED];
    let mut count = 0;
    for point in points.iter().filter(|point| point.least < R::of(0.25) * bound).take(MOST_COMPARED) {
        others[count] = from_middle(point.steps, point.place);
        count += 1;
    }
    points.retain(|point| {
        let own = from_middle(point.steps, point.place);
        let nearer = |&&other: &&[R; DIMENSIONS]| farther(other, own, search.half_width()) < R::of(-KEY_SLACK);
        others[..count].iter().filter(nearer).take(nearest).count() < nearest
    });
}

/// The largest difference of the squared distances to two points for the samples of a cell.
#[inline(always)]
fn farther<R: Real, const DIMENSIONS: usize>(a: [R; DIMENSIONS], b: [R; DIMENSIONS], half: R) -> R {
    let mut most = R::default();
    unrolled!(i in 0..DIMENSIONS => {
        most = most + ((a[i] + b[i]) * (a[i] - b[i]) + (half + half) * (a[i] - b[i]).abs());
    });
    most
}

/// Lists the borders of the point of the search's cell.
pub fn list_borders<R: Real, const DIMENSIONS: usize, const KEYS: u8>(
    search: &Search<R, DIMENSIONS, KEYS, true>,
    borders: &mut Borders<R>,
) {
    let (_, own) = search.placed([0; DIMENSIONS]);
    // Distances by the Manhattan metric are the longest.
    let around = if DIMENSIONS > 2 && search.metric() == Metric::Manhattan { 3 } else { 2 };
    let mut aside = R::default();
    unrolled!(i in 0..DIMENSIONS => {
        borders.place[i] = own[i];
        aside = max(own[i].abs(), aside);
    });
    // All points less than this far away by any metric lie at most that many cells away.
    let farthest = (R::of_i32(around + 1) - search.reach) - aside;
    borders.all.clear();
    let (mut end, mut error) = (R::of(0.5) * farthest, R::of(2.0 * ERROR));
    let depth = if DIMENSIONS > 2 { around } else { 0 };
    for z in -depth..=depth {
        for y in -around..=around {
            for x in -around..=around {
                let o: [i32; DIMENSIONS] = first_of([x, y, z]);
                let (_, in_cell) = search.placed(o);
                let (mut steps, mut place, mut normal) = ([R::default(); 3], [R::default(); 3], [R::default(); 3]);
                let mut across = in_cell;
                unrolled!(i in 0..DIMENSIONS => {
                    (steps[i], place[i]) = (R::of_i32(o[i]), in_cell[i]);
                    across[i] = (in_cell[i] - own[i]) + steps[i];
                });
                let length = search.length(across);
                if o == [0; DIMENSIONS] || length >= (if KEYS == SQUARES { farthest * farthest } else { farthest }) {
                    continue;
                }
                let mut half = R::of(0.5) * length;
                if KEYS == SQUARES {
                    let inverse = length.inverse_root();
                    unrolled!(i in 0..DIMENSIONS => {
                        normal[i] = across[i] * inverse;
                    });
                    half = half * inverse;
                    error = max(R::of(ERROR) + R::of(ERROR) * inverse, error);
                }
                let mut at = borders.all.len();
                while at > 0 && half < borders.all[at - 1].half {
                    at -= 1;
                }
                borders.all.insert(at, Border { normal, half, steps, place });
                if borders.all.len() > MOST_BORDERS {
                    let last = borders.all.pop();
                    end = min(end, last.map_or(end, |last| last.half));
                }
            }
        }
    }
    (borders.end, borders.error) = (end, error);
}

/// The samples of a vector, and the points on both sides of their nearest borders.
#[derive(Clone, Copy)]
pub struct Bordered<R, const DIMENSIONS: usize> {
    /// Offsets of the samples from the middle of their cells, as in [`Search`].
    pub at: [R; DIMENSIONS],
    /// The keys of the nearest points.
    pub key: R,
    /// The steps to the cells of the nearest points.
    pub steps: [R; DIMENSIONS],
    /// The offsets to the nearest points.
    inside: [R; DIMENSIONS],
    /// The steps to the cells of the points beyond the borders, and their places relative to the middles of those.
    beyond: [R; DIMENSIONS],
    place: [R; DIMENSIONS],
}

/// The order in which a search visits cells: ring by ring, and each of them by ids.
#[inline(always)]
fn order<R: Number, const DIMENSIONS: usize>(o: [R; DIMENSIONS]) -> R {
    let (mut ring, mut id) = (max(o[0].abs(), o[0].constant(1.0)), o[0]);
    unrolled!(i in 1..DIMENSIONS => {
        ring = max(ring, o[i].abs());
        id = id + o[i].constant(f64::from(1 << (4 * i))) * o[i];
    });
    ring.constant(4096.0) * ring + id
}

impl<R: Transcendental, const DIMENSIONS: usize> Bordered<R, DIMENSIONS> {
    /// Samples whose borders are not known yet.
    #[inline(always)]
    pub fn new(at: [R; DIMENSIONS], key: R, steps: [R; DIMENSIONS]) -> Self {
        Bordered { at, key, steps, inside: at, beyond: steps, place: at }
    }

    /// The distances to the nearest borders, and their gradients.
    #[inline(always)]
    pub fn measure<const KEYS: u8>(&self, metric: Metric) -> Jet<R> {
        let (zero, mut across) = (self.key.constant(0.0), self.at);
        let outside = self.outside(self.beyond, self.place);
        if KEYS != SQUARES {
            return cell_borders::border(metric, self.inside, outside);
        }
        let (distance, inverse) = border(self.inside, outside);
        let mut gradient = [zero; 3];
        unrolled!(i in 0..DIMENSIONS => {
            across[i] = outside[i] - self.inside[i];
            gradient[i] = across[i] * -inverse;
        });
        Jet { value: max(distance, zero), gradient }
    }

    /// The offset to a point, given the steps to its cell and its place there.
    #[inline(always)]
    fn outside(&self, steps: [R; DIMENSIONS], place: [R; DIMENSIONS]) -> [R; DIMENSIONS] {
        let mut v = place;
        unrolled!(i in 0..DIMENSIONS => {
            v[i] = place[i] - (self.at[i] - steps[i]);
        });
        v
    }

    /// Finds the nearest borders of the lanes whose nearest point has these borders. Returns whether it could.
    #[inline(always)]
    pub fn find<N: Real, T: Token>(&mut self, token: T, borders: &Borders<N>, lanes: R::Mask) -> bool
    where
        R: SimdVector<N, T>,
    {
        let splat = |x: N| R::splat(token, x);
        let all = &borders.all[..borders.all.len().min(MOST_BORDERS)];
        let (zero, first) = (self.key.constant(0.0), R::Bits::constant(self.key.to_signed(), 0));
        let mut inside = self.at;
        unrolled!(i in 0..DIMENSIONS => {
            inside[i] = splat(borders.place[i]) - (self.at[i] - self.steps[i]);
        });
        // A border at `half` from the nearest point is at least that less the point's distance away.
        let distance = R::select(self.key.constant(-1.0), self.key + self.key.constant(SLACK * SLACK), lanes);
        let error = splat(borders.error + borders.error);
        let (mut nearest, mut second, mut index) = (self.key.constant(FAR), self.key.constant(FAR), first);
        macro_rules! may_be_nearer {
            ($half:expr) => {{
                let rest = max(splat($half) - (nearest + error), zero);
                R::Bits::any((rest * rest).less_than(distance))
            }};
        }
        let (mut count, mut complete) = (0u32, false);
        for border in all {
            if count % TOGETHER == 0 && count > 0 && !may_be_nearer!(border.half) {
                complete = true;
                break;
            }
            let mut plane = splat(border.normal[0]) * inside[0];
            unrolled!(i in 1..DIMENSIONS => {
                plane = plane + splat(border.normal[i]) * inside[i];
            });
            plane = plane + splat(border.half);
            index = R::Bits::select(index, first.constant(count), plane.less_than(nearest));
            second = min(max(plane, nearest), second);
            nearest = min(plane, nearest);
            count += 1;
        }
        if !complete && may_be_nearer!(borders.end) {
            return false;
        }
        // Rounding decides between borders that are almost equally near, and the order of a search between equal ones.
        let close = R::Bits::both(second.less_than(nearest + error), lanes);
        if R::Bits::any(close) {
            let (mut found, mut found_steps) = (self.key.constant(FAR), self.at);
            for (j, other) in all[..count as usize].iter().enumerate() {
                let (mut steps, mut place) = (self.steps, self.at);
                unrolled!(i in 0..DIMENSIONS => {
                    (steps[i], place[i]) = (self.steps[i] + splat(other.steps[i]), splat(other.place[i]));
                });
                let (candidate, _) = border(inside, self.outside(steps, place));
                let equal = R::Bits::both(candidate.at_least(found), found.at_least(candidate));
                let earlier = R::Bits::both(equal, order(steps).less_than(order(found_steps)));
                let nearer = R::Bits::either(candidate.less_than(found), earlier);
                found = R::select(found, candidate, nearer);
                index = R::Bits::select(index, first.constant(j as u32), nearer);
                unrolled!(i in 0..DIMENSIONS => {
                    found_steps[i] = R::select(found_steps[i], steps[i], nearer);
                });
            }
        }
        let mut each = [0; CHUNK];
        index.store(&mut each, 0);
        let mut left = R::Bits::lanes(lanes);
        while left != 0 {
            let number = each[left.trailing_zeros() as usize % CHUNK];
            let same = R::Bits::both(index.equals(index.constant(number)), lanes);
            let other = &all[number as usize % MOST_BORDERS];
            unrolled!(i in 0..DIMENSIONS => {
                self.beyond[i] = R::select(self.beyond[i], splat(other.steps[i]), same);
                self.place[i] = R::select(self.place[i], splat(other.place[i]), same);
            });
            left &= !R::Bits::lanes(same);
        }
        unrolled!(i in 0..DIMENSIONS => {
            self.beyond[i] = R::select(self.beyond[i], self.steps[i] + self.beyond[i], lanes);
            self.inside[i] = R::select(self.inside[i], inside[i], lanes);
        });
        true
    }
}

impl<R: Transcendental, const DIMENSIONS: usize> Bordered<R, DIMENSIONS> {
    /// [`find`](Self::find) for a metric that is not Euclidean.
    #[inline(always)]
    pub fn find_by_metric<N: Real, T: Token>(&mut self, token: T, metric: Metric, borders: &Borders<N>, lanes: R::Mask) -> bool
    where
        R: SimdVector<N, T>,
    {
        let splat = |x: N| R::splat(token, x);
        let mut inside = self.at;
        unrolled!(i in 0..DIMENSIONS => {
            inside[i] = splat(borders.place[i]) - (self.at[i] - self.steps[i]);
        });
        // A border at `half` from the nearest point is at least that less the point's distance away.
        let distance = R::select(self.key.constant(-FAR), self.key + self.key.constant(SLACK), lanes);
        let (mut nearest, mut beyond, mut place) = (self.key.constant(FAR), self.steps, self.at);
        macro_rules! may_be_nearer {
            ($half:expr) => {
                R::Bits::any((splat($half) - nearest).less_than(distance))
            };
        }
        let (mut count, mut complete) = (0u32, false);
        for border in &borders.all {
            if count % TOGETHER == 0 && count > 0 && !may_be_nearer!(border.half) {
                complete = true;
                break;
            }
            let (mut steps, mut other) = (self.steps, self.at);
            unrolled!(i in 0..DIMENSIONS => {
                (steps[i], other[i]) = (self.steps[i] + splat(border.steps[i]), splat(border.place[i]));
            });
            let outside = self.outside(steps, other);
            // No border is nearer than half of what the second point is farther away.
            let least = self.key.constant(0.5) * (length::<R, DIMENSIONS, BY_METRIC>(metric, outside) - self.key);
            count += 1;
            if !R::Bits::any(R::Bits::both(nearest.at_least(least), lanes)) {
                continue;
            }
            let candidate = cell_borders::border(metric, inside, outside).value;
            let mut nearer = candidate.less_than(nearest);
            // Of equal ones, the first of a search.
            let equal = R::Bits::both(candidate.at_least(nearest), nearest.at_least(candidate));
            if R::Bits::any(equal) {
                nearer = R::Bits::either(nearer, R::Bits::both(equal, order(steps).less_than(order(beyond))));
            }
            nearest = R::select(nearest, candidate, nearer);
            unrolled!(i in 0..DIMENSIONS => {
                (beyond[i], place[i]) = (R::select(beyond[i], steps[i], nearer), R::select(place[i], other[i], nearer));
            });
        }
        if !complete && may_be_nearer!(borders.end) {
            return false;
        }
        unrolled!(i in 0..DIMENSIONS => {
            self.inside[i] = R::select(self.inside[i], inside[i], lanes);
            self.beyond[i] = R::select(self.beyond[i], beyond[i], lanes);
            self.place[i] = R::select(self.place[i], place[i], lanes);
        });
        true
    }
}

/// Adds the points of a cell to the nearest of its samples, by their offsets from the middle of the cell.
#[inline(always)]
pub fn nearest_of<R: Real, T: Token, const DIMENSIONS: usize, const KEYS: u8, const PERIODIC: bool, const NEAREST: usize>(
    token: T,
    search: &Search<R::Vector<T>, DIMENSIONS, KEYS, PERIODIC>,
    points: &[NearPoint<R>],
) -> NearestKeys<R::Vector<T>, NEAREST, true> {
    let mut found = NearestKeys::none(search.at[0]);
    for point in points {
        let key = search.length(offset(token, search.at, point));
        if NEAREST > 2 && !<R::Vector<T> as Number>::Bits::any(key.less_than(found.key[NEAREST - 1])) {
            continue;
        }
        found = found.insert(key, point.id);
    }
    found
}

/// The offset from samples to a point.
#[inline(always)]
pub fn offset<R: Real, T: Token, const DIMENSIONS: usize>(
    token: T,
    at: [R::Vector<T>; DIMENSIONS],
    point: &NearPoint<R>,
) -> [R::Vector<T>; DIMENSIONS] {
    let mut v = at;
    unrolled!(i in 0..DIMENSIONS => {
        v[i] = R::Vector::splat(token, point.place[i]) - (at[i] - R::Vector::splat(token, point.steps[i]));
    });
    v
}

/// The offset from each sample to the point with an id.
#[inline(always)]
pub fn offset_of<R: Real, T: Token, const DIMENSIONS: usize>(
    token: T,
    at: [R::Vector<T>; DIMENSIONS],
    points: &[NearPoint<R>],
    id: <R::Vector<T> as Number>::Bits,
) -> [R::Vector<T>; DIMENSIONS] {
    let mut v = at;
    for point in points {
        let own = id.equals(id.constant(point.id));
        // In 2D, lists are so short that a branch takes longer.
        if DIMENSIONS < 3 || <R::Vector<T> as Number>::Bits::any(own) {
            let offset = offset(token, at, point);
            unrolled!(i in 0..DIMENSIONS => {
                v[i] = R::Vector::<T>::select(v[i], offset[i], own);
            });
        }
    }
    v
}

/// The number of the point with an id.
#[inline(always)]
pub fn number_of<R: Real, T: Token>(token: T, points: &[NearPoint<R>], id: <R::Vector<T> as Number>::Bits) -> R::Vector<T> {
    let mut number = R::Vector::splat(token, R::default());
    for point in points {
        number = R::Vector::<T>::select(number, R::Vector::splat(token, point.number), id.equals(id.constant(point.id)));
    }
    number
}
