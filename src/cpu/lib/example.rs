//! Twin of `shaders/lib/example.wgsl`: blends parts of a raster at the corners of triangles.

use crate::cpu::lib::hash::{mix, signed};
use crate::cpu::lib::jet::{Jet, constant};
use crate::cpu::lib::point::HashKey;
use crate::cpu::lib::power::positive;
use crate::cpu::lib::raster::{RasterLookup, raster};
use crate::cpu::lib::turn::whole;
use crate::cpu::simd::number::{Bits, Number, Transcendental};
use crate::cpu::simd::permute::Lookup;
use crate::cpu::simd::{Real, unrolled};

/// The height of a triangle with edges of 1, as f32.
const HEIGHT: f64 = 0.866_025_388_240_814_2;

/// The numbers of a noise.
#[derive(Clone, Copy)]
pub struct ExampleNumbers<R> {
    /// Samples of the raster per edge of a triangle.
    pub per_edge: [R; 2],
    /// The first place of a corner in the raster, and the lengths to the last.
    pub first: [R; 2],
    pub places: [R; 2],
    /// Half the range of turns.
    pub turned: R,
    /// The exponent of weights.
    pub exponent: R,
}

/// The part of the raster at a corner.
#[derive(Clone, Copy)]
struct Corner<V> {
    value: Jet<V>,
    weight: V,
    weight_slope: [V; 2],
    /// Samples of the raster per unit of the lattice: along its first axis and along its second.
    along: [V; 2],
    across: [V; 2],
}

impl<V: Number> Corner<V> {
    /// The value's gradient per unit of the lattice.
    #[inline(always)]
    fn slope(&self) -> [V; 2] {
        let [x, y, _] = self.value.gradient;
        [x * self.along[0] + y * self.along[1], x * self.across[0] + y * self.across[1]]
    }

    /// The slope of the weighted value along an axis.
    #[inline(always)]
    fn weighted(&self, axis: usize) -> V {
        self.weight * self.slope()[axis] + self.value.value * self.weight_slope[axis]
    }
}

/// The part at a corner that is `d` away from the sample, with the corner's share of the sample and its slope.
#[inline(always)]
fn part<R: Real, V: Transcendental + Lookup<Entry = R>, const PERIODIC: bool>(
    place: RasterLookup<'_, R>,
    corner: [V::Bits; 2],
    d: [V; 2],
    (share, slope): (V, [V; 2]),
    key: HashKey<V::Bits, PERIODIC>,
    n: &ExampleNumbers<V>,
) -> Corner<V> {
    let h = key.hexagon(corner[0].plus(corner[1]), corner[1]);
    let second = mix(h);
    let third = mix(second);
    let (half, height) = (share.constant(0.5), share.constant(HEIGHT));
    let turns = n.turned * signed(third);
    let (sine, cosine) = whole(turns - turns.floor());
    let along = [n.per_edge[0] * cosine, n.per_edge[1] * sine];
    let across = [n.per_edge[0] * (half * cosine - height * sine), n.per_edge[1] * (half * sine + height * cosine)];
    let words: [V; 2] = [signed(h), signed(second)];
    let (mut cells, mut fraction) = ([h; 2], d);
    unrolled!(i in 0..2 => {
        let at = (n.first[i] + n.places[i] * (half * words[i] + half)) + (d[0] * along[i] + d[1] * across[i]);
        let floor = at.floor();
        (cells[i], fraction[i]) = (floor.to_signed(), at - floor);
    });
    let (weight, steep) = positive(share, n.exponent);
    let value = raster(place, cells, fraction);
    Corner { value, weight, weight_slope: [steep * slope[0], steep * slope[1]], along, across }
}

/// The blend at a sample, with its gradient per unit of the lattice.
#[inline(always)]
pub fn blend<R: Real, V: Transcendental + Lookup<Entry = R>, const PERIODIC: bool>(
    place: RasterLookup<'_, R>,
    cell: [V::Bits; 2],
    f: [V; 2],
    key: HashKey<V::Bits, PERIODIC>,
    n: &ExampleNumbers<V>,
) -> Jet<V> {
    let (zero, one) = (f[0].constant(0.0), f[0].constant(1.0));
    let upper = (f[0] + f[1]).at_least(one);
    let word = |x: u32| cell[0].constant(x);
    let third = V::Bits::select(word(0), word(1), upper);
    let (far, sign) = (V::select(zero, one, upper), V::select(-one, one, upper));
    let steps = [[word(1), word(0)], [word(0), word(1)], [third, third]];
    let away = [[one, zero], [zero, one], [far, far]];
    let shares = [
        (V::select(f[0], one - f[1], upper), [V::select(one, zero, upper), V::select(zero, -one, upper)]),
        (V::select(f[1], one - f[0], upper), [V::select(zero, -one, upper), V::select(one, zero, upper)]),
        (sign * (f[0] + f[1] - one), [sign, sign]),
    ];
    let none = Corner { value: constant(zero), weight: zero, weight_slope: [zero; 2], along: [zero; 2], across: [zero; 2] };
    let mut corners = [none; 3];
    for k in 0..3 {
        let corner = [cell[0].plus(steps[k][0]), cell[1].plus(steps[k][1])];
        let d = [f[0] - away[k][0], f[1] - away[k][1]];
        corners[k] = part(place, corner, d, shares[k], key, n);
    }
    let [a, b, c] = corners;
    let sum = a.weight * a.value.value + (b.weight * b.value.value + c.weight * c.value.value);
    let squares = a.weight * a.weight + (b.weight * b.weight + c.weight * c.weight);
    let root = squares.inverse_root();
    let value = sum * root;
    let mut gradient = [zero; 3];
    unrolled!(axis in 0..2 => {
        let pull = a.weight * a.weight_slope[axis] + (b.weight * b.weight_slope[axis] + c.weight * c.weight_slope[axis]);
        gradient[axis] = root * (a.weighted(axis) + (b.weighted(axis) + c.weighted(axis))) - (value * (root * root)) * pull;
    });
    Jet { value, gradient }
}
