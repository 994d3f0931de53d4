//! Twin of `shaders/lib/example.wgsl`: blends parts of a raster at the corners of triangles.

use crate::cpu::lib::hash::{mix, signed};
use crate::cpu::lib::jet::Jet;
use crate::cpu::lib::point::HashKey;
use crate::cpu::lib::power::positive;
use crate::cpu::lib::raster::{RasterLookup, raster};
use crate::cpu::lib::turn::whole;
use crate::cpu::simd::Real;
use crate::cpu::simd::real::select;

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
struct Corner<R> {
    value: Jet<R>,
    weight: R,
    weight_slope: [R; 2],
    /// Samples of the raster per unit of the lattice: along its first axis and along its second.
    along: [R; 2],
    across: [R; 2],
}

impl<R: Real> Corner<R> {
    /// The value's gradient per unit of the lattice.
    fn slope(&self) -> [R; 2] {
        let [x, y, _] = self.value.gradient;
        [x * self.along[0] + y * self.along[1], x * self.across[0] + y * self.across[1]]
    }

    /// The slope of the weighted value along an axis.
    fn weighted(&self, axis: usize) -> R {
        self.weight * self.slope()[axis] + self.value.value * self.weight_slope[axis]
    }
}

/// The part at a corner that is `d` away from the sample, with the corner's share of the sample and its slope.
fn part<R: Real, const PERIODIC: bool>(
    place: RasterLookup<'_, R>,
    corner: [u32; 2],
    d: [R; 2],
    (share, slope): (R, [R; 2]),
    key: HashKey<u32, PERIODIC>,
    n: &ExampleNumbers<R>,
) -> Corner<R> {
    let h = key.hexagon(corner[0].wrapping_add(corner[1]), corner[1]);
    let second = mix(h);
    let third = mix(second);
    let (half, height) = (R::of(0.5), R::of(HEIGHT));
    let turns = n.turned * signed(third);
    let (sine, cosine) = whole(turns - turns.floor());
    let along = [n.per_edge[0] * cosine, n.per_edge[1] * sine];
    let across = [n.per_edge[0] * (half * cosine - height * sine), n.per_edge[1] * (half * sine + height * cosine)];
    let words: [R; 2] = [signed(h), signed(second)];
    let axis = |i: usize| (n.first[i] + n.places[i] * (half * words[i] + half)) + (d[0] * along[i] + d[1] * across[i]);
    let at = [axis(0), axis(1)];
    let floors = at.map(R::floor);
    let fraction = [at[0] - floors[0], at[1] - floors[1]];
    let (weight, steep) = positive(share, n.exponent);
    let value = raster(place, floors.map(|x| x.to_signed() as i32), fraction);
    Corner { value, weight, weight_slope: [steep * slope[0], steep * slope[1]], along, across }
}

/// The blend at a sample, with its gradient per unit of the lattice.
pub fn blend<R: Real, const PERIODIC: bool>(
    place: RasterLookup<'_, R>,
    cell: [u32; 2],
    f: [R; 2],
    key: HashKey<u32, PERIODIC>,
    n: &ExampleNumbers<R>,
) -> Jet<R> {
    let (zero, one) = (R::of(0.0), R::of(1.0));
    let upper = f[0] + f[1] >= one;
    let (third, sign) = (u32::from(upper), select(-one, one, upper));
    let corner = |x: u32, y: u32| [cell[0].wrapping_add(x), cell[1].wrapping_add(y)];
    let far = R::of(f64::from(third));
    let shares = [
        (select(f[0], one - f[1], upper), [select(one, zero, upper), select(zero, -one, upper)]),
        (select(f[1], one - f[0], upper), [select(zero, -one, upper), select(one, zero, upper)]),
        (sign * (f[0] + f[1] - one), [sign, sign]),
    ];
    let a = part(place, corner(1, 0), [f[0] - one, f[1] - zero], shares[0], key, n);
    let b = part(place, corner(0, 1), [f[0] - zero, f[1] - one], shares[1], key, n);
    let c = part(place, corner(third, third), [f[0] - far, f[1] - far], shares[2], key, n);
    let sum = a.weight * a.value.value + (b.weight * b.value.value + c.weight * c.value.value);
    let squares = a.weight * a.weight + (b.weight * b.weight + c.weight * c.weight);
    let root = squares.inverse_root();
    let value = sum * root;
    let along = |axis: usize| {
        let pull = a.weight * a.weight_slope[axis] + (b.weight * b.weight_slope[axis] + c.weight * c.weight_slope[axis]);
        root * (a.weighted(axis) + (b.weighted(axis) + c.weighted(axis))) - (value * (root * root)) * pull
    };
    Jet { value, gradient: [along(0), along(1), zero] }
}
