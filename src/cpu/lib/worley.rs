//! Twin of `shaders/lib/worley.wgsl`: cellular noise (Worley 1996), one implementation for 1D, 2D and 3D.
//!
//! The shader searches for one sample, this file for one sample or for the lanes of a vector. Cells are visited in the same order,
//! each for all lanes at once. A cell that a lane does not need does not change that lane. So skipping cells never changes a
//! result, and it can be decided for all lanes together.

use crate::cpu::lib::cell_borders;
use crate::cpu::lib::hash::{mix, signed};
use crate::cpu::lib::jet;
use crate::cpu::lib::jet::Jet;
use crate::cpu::lib::point::HashKey;
use crate::cpu::simd::number::{Bits, Number, Transcendental, max, min};
use crate::cpu::simd::unrolled;
use crate::program::{Metric, WorleyShape};

/// More than the rounding error of a coordinate between a sample and a point at most 7 cells away.
pub const SLACK: f64 = 0.000_030_517_578_125;
pub const FAR: f64 = 1e18;

/// Keys are squared Euclidean distances.
pub const SQUARES: u8 = 0;
/// Keys are distances by the metric, or their squares for the Euclidean and squared metrics.
pub const BY_METRIC: u8 = 1;
/// Keys are distances to borders between points, whose own keys are squared Euclidean distances.
pub const BORDERS: u8 = 2;
/// Keys are distances to borders by the Manhattan or Chebyshev metric.
pub const BORDERS_BY_METRIC: u8 = 3;

/// Whether lengths are by the metric, and not squared Euclidean ones.
const fn by_metric(keys: u8) -> bool {
    matches!(keys, BY_METRIC | BORDERS_BY_METRIC)
}

/// The state of a search.
#[derive(Clone, Copy)]
pub struct Search<R: Transcendental, const DIMENSIONS: usize, const KEYS: u8, const PERIODIC: bool> {
    /// Cells, prepared for the hash.
    cell: [R::Bits; DIMENSIONS],
    /// Offsets of the samples from the middle of their cells, minus half a step of the points' random coordinates.
    pub at: [R; DIMENSIONS],
    key: HashKey<R::Bits, PERIODIC>,
    metric: Metric,
    /// The number of nearest points that are weighted.
    nearest: usize,
    /// One step of the random coordinates, and their largest offset from the middle of a cell.
    step: R,
    pub reach: R,
    /// For borders: the offset from the sample to the point inside, its distance, and the id of its cell.
    inside: [R; DIMENSIONS],
    distance: R,
    inside_id: R::Bits,
}

/// The `NEAREST` smallest keys so far in order, and with `WITH_IDS` the ids of their cells.
#[derive(Clone, Copy)]
pub struct NearestKeys<R: Transcendental, const NEAREST: usize, const WITH_IDS: bool> {
    pub key: [R; NEAREST],
    pub id: [R::Bits; NEAREST],
}

impl<R: Transcendental, const NEAREST: usize, const WITH_IDS: bool> NearestKeys<R, NEAREST, WITH_IDS> {
    #[inline(always)]
    pub fn none(like: R) -> Self {
        NearestKeys { key: [like.constant(FAR); NEAREST], id: [like.to_signed().constant(0); NEAREST] }
    }

    /// Among equal keys, the first one stays the nearer.
    #[inline(always)]
    pub fn insert(mut self, key: R, id: u32) -> Self {
        unrolled!(k in (NEAREST) down to 0 => {
            if WITH_IDS {
                let closer = key.less_than(self.key[k]);
                let id = self.id[k].constant(id);
                if k > 0 {
                    let moved = key.less_than(self.key[k - 1]);
                    self.id[k] = R::Bits::select(R::Bits::select(self.id[k], id, closer), self.id[k - 1], moved);
                } else {
                    self.id[k] = R::Bits::select(self.id[k], id, closer);
                }
            }
            let key = if k > 0 { max(self.key[k - 1], key) } else { key };
            self.key[k] = min(key, self.key[k]);
        });
        self
    }
}

/// The id of a cell: its steps from the sample's own cell, as one number.
#[inline(always)]
pub fn id<const DIMENSIONS: usize>(o: [i32; DIMENSIONS]) -> u32 {
    let mut id = 0;
    unrolled!(i in 0..DIMENSIONS => {
        id |= ((o[i] + 8) as u32) << (4 * i);
    });
    id
}

/// A point's random coordinates: signed numbers of 16 bits, in 3D of 10.
#[inline(always)]
pub fn random<R: Transcendental, const DIMENSIONS: usize>(h: R::Bits, axis: usize) -> R {
    let bits = if DIMENSIONS < 3 { 16 } else { 10 };
    R::of_signed((h << (bits * axis as u32)).signed_down(32 - bits))
}

/// One step of the random coordinates.
#[inline(always)]
pub fn step<R: Transcendental, const DIMENSIONS: usize>(jitter: R) -> R {
    jitter * jitter.constant(if DIMENSIONS < 3 { 1.0 / 65536.0 } else { 1.0 / 1024.0 })
}

/// A coordinate relative to the middle of its cell, as searches use it.
#[inline(always)]
pub fn from_middle<R: Transcendental>(fraction: R, step: R) -> R {
    let half = fraction.constant(0.5);
    (fraction - half) - half * step
}

#[inline(always)]
fn square<R: Transcendental, const DIMENSIONS: usize>(v: [R; DIMENSIONS]) -> R {
    dot(v, v)
}

#[inline(always)]
fn dot<R: Transcendental, const DIMENSIONS: usize>(a: [R; DIMENSIONS], b: [R; DIMENSIONS]) -> R {
    if DIMENSIONS == 1 {
        return a[0] * b[0];
    }
    let rest = a[1] * b[1];
    a[0] * b[0] + if DIMENSIONS > 2 { rest + a[2] * b[2] } else { rest }
}

/// Whether keys are squared distances.
#[inline(always)]
pub fn squared(metric: Metric) -> bool {
    matches!(metric, Metric::Euclidean | Metric::Squared)
}

/// The length of a vector, or its square for the Euclidean and squared metrics. In 1D all other metrics are the same.
#[inline(always)]
pub fn length<R: Transcendental, const DIMENSIONS: usize, const KEYS: u8>(metric: Metric, v: [R; DIMENSIONS]) -> R {
    if !by_metric(KEYS) || squared(metric) {
        return square(v);
    }
    let (x, y) = (v[0].abs(), v[1].abs());
    let (mut rest, mut largest) = (y, max(x, y));
    if DIMENSIONS > 2 {
        (rest, largest) = (rest + v[2].abs(), max(largest, v[2].abs()));
    }
    if metric == Metric::Chebyshev { largest } else { x + rest }
}

/// The opposite of the sign of v.
#[inline(always)]
pub fn away<R: Number>(v: R) -> R {
    let (zero, one) = (v.constant(0.0), v.constant(1.0));
    R::select(zero, one, v.less_than(zero)) - R::select(zero, one, zero.less_than(v))
}

/// The distance from the sample to the plane halfway between two points, and 1 / the distance between the points.
#[inline(always)]
pub fn border<R: Transcendental, const DIMENSIONS: usize>(inside: [R; DIMENSIONS], outside: [R; DIMENSIONS]) -> (R, R) {
    let half = inside[0].constant(0.5);
    let (mut across, mut middle) = (outside, outside);
    unrolled!(i in 0..DIMENSIONS => {
        across[i] = outside[i] - inside[i];
        middle[i] = half * (outside[i] + inside[i]);
    });
    let inverse = square(across).inverse_root();
    (dot(middle, across) * inverse, inverse)
}

impl<R: Transcendental, const DIMENSIONS: usize, const KEYS: u8, const PERIODIC: bool> Search<R, DIMENSIONS, KEYS, PERIODIC> {
    #[inline(always)]
    pub fn new(cell: [R::Bits; 3], fraction: [R; 3], key: HashKey<R::Bits, PERIODIC>, shape: WorleyShape, jitter: R) -> Self {
        let step = step::<R, DIMENSIONS>(jitter);
        let (zero, half) = (jitter.constant(0.0), jitter.constant(0.5));
        let (mut cells, mut at) = ([cell[0]; DIMENSIONS], [zero; DIMENSIONS]);
        unrolled!(i in 0..DIMENSIONS => {
            (cells[i], at[i]) = (key.begin(i, cell[i]), from_middle(fraction[i], step));
        });
        let reach = half * jitter + jitter.constant(SLACK);
        let inside_id = cell[0].constant(0);
        Search {
            cell: cells,
            at,
            key,
            metric: shape.metric,
            nearest: shape.nearest as usize,
            step,
            reach,
            inside: [zero; DIMENSIONS],
            distance: zero,
            inside_id,
        }
    }

    /// The hash of a cell, given the steps to it, prepared for the hash.
    #[inline(always)]
    fn hash(&self, steps: [R::Bits; DIMENSIONS]) -> R::Bits {
        let mut h = self.key.seed;
        unrolled!(i in 0..DIMENSIONS => {
            h = h ^ self.key.end(i, self.cell[i].plus(steps[i]));
        });
        mix(h)
    }

    /// The hash of a cell this number of steps away.
    #[inline(always)]
    fn hash_of(&self, o: [R::Bits; DIMENSIONS]) -> R::Bits {
        let mut steps = o;
        unrolled!(i in 0..DIMENSIONS => {
            steps[i] = o[i].times(HashKey::<R::Bits, PERIODIC>::steps(i, 1));
        });
        self.hash(steps)
    }

    /// The offset from the sample to the point of a cell, given the cell's hash and its steps.
    #[inline(always)]
    fn point(&self, h: R::Bits, o: [R; DIMENSIONS]) -> [R; DIMENSIONS] {
        let mut v = o;
        unrolled!(i in 0..DIMENSIONS => {
            v[i] = random::<R, DIMENSIONS>(h, i) * self.step - (self.at[i] - o[i]);
        });
        v
    }

    /// The steps to the cell with this id.
    #[inline(always)]
    pub fn steps(&self, id: R::Bits) -> [R::Bits; DIMENSIONS] {
        let mut o = [id; DIMENSIONS];
        unrolled!(i in 0..DIMENSIONS => {
            o[i] = ((id >> (4 * i as u32)) & id.constant(15)).minus(id.constant(8));
        });
        o
    }

    /// The offset to the point of the cell with this id.
    #[inline(always)]
    fn point_of(&self, id: R::Bits) -> [R; DIMENSIONS] {
        let o = self.steps(id);
        let mut numbers = self.at;
        unrolled!(i in 0..DIMENSIONS => {
            numbers[i] = R::of_signed(o[i]);
        });
        self.point(self.hash_of(o), numbers)
    }

    /// Points at this distance or farther change nothing.
    #[inline(always)]
    fn limit<const NEAREST: usize, const WITH_IDS: bool>(&self, found: &NearestKeys<R, NEAREST, WITH_IDS>) -> R {
        if matches!(KEYS, BORDERS | BORDERS_BY_METRIC) {
            // The border with a point at distance d is at least (d − distance) / 2 away.
            let d = self.step.constant(2.0) * found.key[0] + self.distance;
            return if KEYS == BORDERS { d * d } else { d };
        }
        self.last(found)
    }

    /// The key of the last requested point; the search may keep more points.
    #[inline(always)]
    fn last<const NEAREST: usize, const WITH_IDS: bool>(&self, found: &NearestKeys<R, NEAREST, WITH_IDS>) -> R {
        let mut last = found.key[NEAREST - 1];
        unrolled!(k in 0..(NEAREST - 1) => {
            if self.nearest == k + 1 {
                last = found.key[k];
            }
        });
        last
    }

    /// The hash of the cell this number of steps away, and the offset from the sample to its point.
    #[inline(always)]
    pub fn seen(&self, o: [i32; DIMENSIONS]) -> (R::Bits, [R; DIMENSIONS]) {
        let (mut bits, mut numbers) = (self.cell, self.at);
        unrolled!(i in 0..DIMENSIONS => {
            (bits[i], numbers[i]) = (bits[i].constant(HashKey::<R::Bits, PERIODIC>::steps(i, o[i])), numbers[i].constant(f64::from(o[i])));
        });
        let h = self.hash(bits);
        (h, self.point(h, numbers))
    }

    /// The hash of the cell this number of steps away, and the place of its point relative to the middle of that cell.
    #[inline(always)]
    pub fn placed(&self, o: [i32; DIMENSIONS]) -> (R::Bits, [R; DIMENSIONS]) {
        let (mut bits, mut place) = (self.cell, self.at);
        unrolled!(i in 0..DIMENSIONS => {
            bits[i] = bits[i].constant(HashKey::<R::Bits, PERIODIC>::steps(i, o[i]));
        });
        let h = self.hash(bits);
        unrolled!(i in 0..DIMENSIONS => {
            place[i] = random::<R, DIMENSIONS>(h, i) * self.step;
        });
        (h, place)
    }

    /// More than half the width of a cell, in which its samples lie.
    #[inline(always)]
    pub fn half_width(&self) -> R {
        self.step.constant(0.5) + self.step + self.step.constant(SLACK)
    }

    /// A lower bound of the length of offsets from the samples of a cell to a point. Its place is relative to the middle of that
    /// cell, and known up to an error.
    #[inline(always)]
    pub fn least(&self, place: [R; DIMENSIONS], error: R) -> R {
        let margin = error.constant(0.5) + self.step + error;
        let mut gap = place;
        unrolled!(i in 0..DIMENSIONS => {
            gap[i] = max(place[i].abs() - margin, margin.constant(0.0));
        });
        self.length(gap)
    }

    /// The metric.
    #[inline(always)]
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// The length of an offset by the metric, or its square for the Euclidean and squared metrics.
    #[inline(always)]
    pub fn length(&self, v: [R; DIMENSIONS]) -> R {
        length::<R, DIMENSIONS, KEYS>(self.metric, v)
    }

    /// Visits the cell this number of steps away.
    #[inline(always)]
    fn visit<const NEAREST: usize, const WITH_IDS: bool>(
        &self,
        found: NearestKeys<R, NEAREST, WITH_IDS>,
        o: [i32; DIMENSIONS],
    ) -> NearestKeys<R, NEAREST, WITH_IDS> {
        let (h, v) = self.seen(o);
        let own = self.inside_id.equals(h.constant(id(o)));
        let candidate = match KEYS {
            BORDERS => R::select(border(self.inside, v).0, self.step.constant(FAR), own),
            BORDERS_BY_METRIC => R::select(cell_borders::border(self.metric, self.inside, v).value, self.step.constant(FAR), own),
            _ => self.length(v),
        };
        // Only a few points change a long list.
        if NEAREST > 2 && !R::Bits::any(candidate.less_than(self.last(&found))) {
            return found;
        }
        found.insert(candidate, id(o))
    }

    /// Searches for the nearest points.
    #[inline(always)]
    pub fn run<const NEAREST: usize, const WITH_IDS: bool>(&self) -> NearestKeys<R, NEAREST, WITH_IDS> {
        let mut found = NearestKeys::none(self.step);
        let (height, depth) = (i32::from(DIMENSIONS > 1), i32::from(DIMENSIONS > 2));
        for z in -depth..=depth {
            for y in -height..=height {
                for x in -1..=1 {
                    found = self.visit(found, first_of([x, y, z]));
                }
            }
        }
        self.rings(found)
    }

    /// The nearest points, given those of the cells around. Ring 3 is the last that can contain one of the four nearest points.
    /// A point whose border matters is at most twice as far away as a nearest point can be. So the last ring is `DIMENSIONS + 1` for
    /// the Euclidean metric, `2 · DIMENSIONS` for Manhattan, and 2 for Chebyshev.
    #[inline(always)]
    pub fn rings<const NEAREST: usize, const WITH_IDS: bool>(
        &self,
        mut found: NearestKeys<R, NEAREST, WITH_IDS>,
    ) -> NearestKeys<R, NEAREST, WITH_IDS> {
        let last = if KEYS == BORDERS_BY_METRIC { 2 * DIMENSIONS as i32 } else { (DIMENSIONS as i32 + 1).max(3) };
        for ring in 2..=last {
            if !self.needs(&found, ring) {
                break;
            }
            found = self.ring(found, ring);
        }
        found
    }

    /// Whether a point of this ring, or of a farther one, may matter.
    #[inline(always)]
    fn needs<const NEAREST: usize, const WITH_IDS: bool>(&self, found: &NearestKeys<R, NEAREST, WITH_IDS>, ring: i32) -> bool {
        R::Bits::any(self.ring_gap(ring).less_than(self.limit(found)))
    }

    /// A lower bound of the distance to any point of a ring or of one farther out.
    #[inline(always)]
    pub fn ring_gap(&self, ring: i32) -> R {
        let mut furthest = self.at[0].abs();
        unrolled!(i in 1..DIMENSIONS => {
            furthest = max(furthest, self.at[i].abs());
        });
        let gap = (self.step.constant(f64::from(ring)) - furthest) - self.reach;
        if !by_metric(KEYS) || squared(self.metric) { gap * gap } else { gap }
    }

    /// Visits the cells of a ring that may matter.
    #[inline(always)]
    fn ring<const NEAREST: usize, const WITH_IDS: bool>(
        &self,
        mut found: NearestKeys<R, NEAREST, WITH_IDS>,
        ring: i32,
    ) -> NearestKeys<R, NEAREST, WITH_IDS> {
        let (height, depth) = (if DIMENSIONS > 1 { ring } else { 0 }, if DIMENSIONS > 2 { ring } else { 0 });
        for z in -depth..=depth {
            for y in -height..=height {
                // Of rows inside the ring's faces, only the ends belong to the ring.
                let whole = y.abs() == ring || z.abs() == ring;
                for x in (-ring..=ring).step_by(if whole { 1 } else { 2 * ring as usize }) {
                    let o = first_of([x, y, z]);
                    if R::Bits::any(self.gap(o).less_than(self.limit(&found))) {
                        found = self.visit(found, o);
                    }
                }
            }
        }
        found
    }

    /// A lower bound of the distance to any point of a cell.
    #[inline(always)]
    pub fn gap(&self, o: [i32; DIMENSIONS]) -> R {
        let mut gap = self.at;
        unrolled!(i in 0..DIMENSIONS => {
            gap[i] = max((self.at[i] - gap[i].constant(f64::from(o[i]))).abs() - self.reach, gap[i].constant(0.0));
        });
        length::<R, DIMENSIONS, KEYS>(self.metric, gap)
    }

    /// The distance to a found point, and its gradient.
    #[inline(always)]
    pub fn measure<const NEAREST: usize, const WITH_IDS: bool>(&self, found: &NearestKeys<R, NEAREST, WITH_IDS>, k: usize) -> Jet<R> {
        let zero = self.step.constant(0.0);
        self.measured(found.key[k], if WITH_IDS { self.point_of(found.id[k]) } else { [zero; DIMENSIONS] })
    }

    /// The distance to a point with this key, and at this offset, and its gradient.
    #[inline(always)]
    pub fn measured(&self, key: R, v: [R; DIMENSIONS]) -> Jet<R> {
        let zero = self.step.constant(0.0);
        if KEYS == BY_METRIC && !squared(self.metric) {
            return Jet { value: key, gradient: self.slope(v) };
        }
        let mut gradient = [zero; 3];
        let scale = if self.metric == Metric::Squared { key.constant(-2.0) } else { -key.inverse_root() };
        unrolled!(i in 0..DIMENSIONS => {
            gradient[i] = v[i] * scale;
        });
        Jet { value: length_of(self.metric, key), gradient }
    }

    /// The distance with this key.
    #[inline(always)]
    pub fn distance(&self, key: R) -> R {
        if squared(self.metric) { length_of(self.metric, key) } else { key }
    }

    /// The gradient of the Manhattan or Chebyshev distance to the point at an offset.
    #[inline(always)]
    pub fn slope(&self, v: [R; DIMENSIONS]) -> [R; 3] {
        let zero = self.step.constant(0.0);
        let (x, y) = (v[0].abs(), v[DIMENSIONS.min(2) - 1].abs());
        let second = x.less_than(y);
        let third = if DIMENSIONS > 2 { max(x, y).less_than(v[DIMENSIONS - 1].abs()) } else { R::Bits::both(second, R::Bits::not(second)) };
        let (not_second, not_third) = (R::Bits::not(second), R::Bits::not(third));
        let largest = [R::Bits::both(not_second, not_third), R::Bits::both(second, not_third), third];
        let mut gradient = [zero; 3];
        unrolled!(i in 0..DIMENSIONS => {
            let slope = away(v[i]);
            gradient[i] = if self.metric == Metric::Manhattan { slope } else { R::select(zero, slope, largest[i]) };
        });
        gradient
    }

    /// The weighted sum of the distances to the nearest points. Points beyond the requested number have weight 0.
    #[inline(always)]
    pub fn weighted<const NEAREST: usize, const WITH_IDS: bool>(
        &self,
        found: &NearestKeys<R, NEAREST, WITH_IDS>,
        weights: [R; 4],
    ) -> Jet<R> {
        let mut measured = [jet::constant(weights[0]); NEAREST];
        unrolled!(k in 0..NEAREST => {
            measured[k] = self.measure(found, k);
        });
        total(&measured, weights)
    }
}

/// The distance from its square, for the Euclidean and squared metrics.
#[inline(always)]
pub fn length_of<R: Transcendental>(metric: Metric, square: R) -> R {
    if metric == Metric::Squared { square } else { square.root() }
}

/// The first `DIMENSIONS` of three steps.
#[inline(always)]
pub fn first_of<const DIMENSIONS: usize>(o: [i32; 3]) -> [i32; DIMENSIONS] {
    let mut first = [0; DIMENSIONS];
    first.copy_from_slice(&o[..DIMENSIONS]);
    first
}

/// The weighted sum of distances.
#[inline(always)]
pub fn total<R: Transcendental, const NEAREST: usize>(measured: &[Jet<R>; NEAREST], weights: [R; 4]) -> Jet<R> {
    let mut total = weighted(measured[0], weights[0]);
    unrolled!(k in 1..NEAREST => {
        total = jet::add(total, weighted(measured[k], weights[k]));
    });
    total
}

#[inline(always)]
fn weighted<R: Transcendental>(x: Jet<R>, weight: R) -> Jet<R> {
    let [gx, gy, gz] = x.gradient;
    Jet { value: x.value * weight, gradient: [gx * weight, gy * weight, gz * weight] }
}

/// A number in [−1, 1] for the cell of the nearest point.
#[inline(always)]
pub fn value<R: Transcendental, const DIMENSIONS: usize, const KEYS: u8, const PERIODIC: bool>(
    search: &Search<R, DIMENSIONS, KEYS, PERIODIC>,
) -> Jet<R> {
    let found = search.run::<1, true>();
    jet::constant(signed(mix(search.hash_of(search.steps(found.id[0])))))
}

/// The distance to the nearest point divided by that to the second.
#[inline(always)]
pub fn ratio<R: Transcendental, const DIMENSIONS: usize, const KEYS: u8, const PERIODIC: bool>(
    search: &Search<R, DIMENSIONS, KEYS, PERIODIC>,
) -> Jet<R> {
    let found = search.run::<2, true>();
    quotient(search.measure(&found, 0), search.measure(&found, 1))
}

/// The first of two distances divided by the second.
#[inline(always)]
pub fn quotient<R: Transcendental>(first: Jet<R>, second: Jet<R>) -> Jet<R> {
    let inverse = (second.value * second.value).inverse_root();
    let quotient = first.value * inverse;
    let mut gradient = first.gradient;
    unrolled!(i in 0..3 => {
        gradient[i] = (first.gradient[i] - quotient * second.gradient[i]) * inverse;
    });
    // Rounding must not leave the range.
    Jet { value: min(quotient, quotient.constant(1.0)), gradient }
}

/// The distance to the nearest border of the Voronoi cell.
#[inline(always)]
pub fn edge<R: Transcendental, const DIMENSIONS: usize, const KEYS: u8, const BORDER_KEYS: u8, const PERIODIC: bool>(
    points: &Search<R, DIMENSIONS, KEYS, PERIODIC>,
) -> Jet<R> {
    let nearest = points.run::<1, true>();
    let Search { cell, at, key, metric, step, reach, .. } = *points;
    let (inside, distance) = (points.point_of(nearest.id[0]), points.distance(nearest.key[0]));
    let search: Search<R, DIMENSIONS, BORDER_KEYS, PERIODIC> =
        Search { cell, at, key, metric, nearest: 1, step, reach, inside, distance, inside_id: nearest.id[0] };
    let found = search.run::<1, true>();
    let outside = search.point_of(found.id[0]);
    if BORDER_KEYS == BORDERS_BY_METRIC {
        return cell_borders::border(metric, inside, outside);
    }
    let (mut across, zero) = (outside, step.constant(0.0));
    unrolled!(i in 0..DIMENSIONS => {
        across[i] = outside[i] - inside[i];
    });
    let inverse = square(across).inverse_root();
    let mut gradient = [zero; 3];
    unrolled!(i in 0..DIMENSIONS => {
        gradient[i] = across[i] * -inverse;
    });
    Jet { value: max(found.key[0], zero), gradient }
}
