// FastNoiseLite's OpenSimplex2 and OpenSimplex2S, in skewed, mirrored or turned coordinates.
// requires: fastnoise jet

// g is (3 - √3) / 6; each is rounded as f32 arithmetic rounds its formula.
const FASTNOISE_SIMPLEX_G: f32 = 0.21132487058639526;
const FASTNOISE_SIMPLEX_G_LESS_1: f32 = -0.7886751294136047;
const FASTNOISE_SIMPLEX_TWO_G_LESS_1: f32 = -0.5773502588272095;
const FASTNOISE_SIMPLEX_THREE_G_LESS_1: f32 = -0.3660253882408142;
const FASTNOISE_SIMPLEX_THREE_G_LESS_2: f32 = -1.366025447845459;
const FASTNOISE_SIMPLEX_TWO_THIRDS: f32 = 0.6666666865348816;
const FASTNOISE_SIMPLEX_SCALE_2: f32 = 99.83685302734375;
const FASTNOISE_SIMPLEX_SCALE_2S: f32 = 18.241962432861328;
const FASTNOISE_SIMPLEX_SCALE_3: f32 = 32.69428253173828;
const FASTNOISE_SIMPLEX_SCALE_3S: f32 = 9.046026229858398;
// The second lattice's seed is this much more than the first one's.
const FASTNOISE_SIMPLEX_SECOND: i32 = 1293373;

// The pull of a point in 2D.
fn fastnoise_simplex_corner_2(t: f32, seed: i32, point: vec2<i32>, d: vec2<f32>) -> Jet {
    let slope = fastnoise_slope_2(fastnoise_direction_2(fastnoise_index_2(fastnoise_hash_2(seed, point))), d);
    return fastnoise_pull(t, slope, vec3<f32>(d, 0.0));
}

// The pull of a point within reach.
fn fastnoise_simplex_near_2(t: f32, seed: i32, point: vec2<i32>, d: vec2<f32>) -> Jet {
    if t > 0.0 {
        return fastnoise_simplex_corner_2(t, seed, point, d);
    }
    return jet_constant(0.0);
}

fn fastnoise_simplex_corner_3(t: f32, seed: i32, point: vec3<i32>, d: vec3<f32>) -> Jet {
    return fastnoise_pull(t, fastnoise_slope_3(fastnoise_direction_3(fastnoise_index_3(fastnoise_hash_3(seed, point))), d), d);
}

fn fastnoise_simplex_near_3(t: f32, seed: i32, point: vec3<i32>, d: vec3<f32>) -> Jet {
    if t > 0.0 {
        return fastnoise_simplex_corner_3(t, seed, point, d);
    }
    return jet_constant(0.0);
}

// The cell of a skewed position, the offset from its corner, and the part of it along the diagonal.
struct FastnoiseSkewed {
    // The multiplied coordinates of the corner.
    corner: vec2<i32>,
    fraction: vec2<f32>,
    t: f32,
    offset: vec2<f32>,
}

fn fastnoise_simplex_skewed(at: vec3<f32>) -> FastnoiseSkewed {
    let whole = fastnoise_floor(at);
    let fraction = (at - fastnoise_numbers(whole)).xy;
    let t = (fraction.x + fraction.y) * FASTNOISE_SIMPLEX_G;
    return FastnoiseSkewed((whole * FASTNOISE_PRIMES).xy, fraction, t, fraction - t);
}

// A constant less the squared offset.
fn fastnoise_simplex_rest_2(reach: f32, d: vec2<f32>) -> f32 {
    return reach - d.x * d.x - d.y * d.y;
}

// The rest at the far corner, from that at the near one.
fn fastnoise_simplex_rest_far(near: f32, t: f32) -> f32 {
    return 3.154700517654419 * t + (-0.6666666269302368 + near);
}

// The middle one of a triangle's corners: y is the larger offset, or x.
fn fastnoise_simplex_middle_2(d: vec2<f32>) -> vec2<i32> {
    return select(vec2<i32>(1, 0), vec2<i32>(0, 1), d.y > d.x);
}

// The offset from the middle corner.
fn fastnoise_simplex_off_middle_2(d: vec2<f32>) -> vec2<f32> {
    let low = FASTNOISE_SIMPLEX_G;
    let high = FASTNOISE_SIMPLEX_G_LESS_1;
    return d + select(vec2<f32>(high, low), vec2<f32>(low, high), d.y > d.x);
}

// The multiplied coordinates of a point some steps further.
fn fastnoise_simplex_step_2(corner: vec2<i32>, steps: vec2<i32>) -> vec2<i32> {
    return corner + steps * FASTNOISE_PRIMES.xy;
}

// OpenSimplex2 in 2D.
fn fastnoise_simplex_2(seed: i32, at: vec3<f32>) -> Jet {
    let s = fastnoise_simplex_skewed(at);
    let a = fastnoise_simplex_rest_2(0.5, s.offset);
    let near = fastnoise_simplex_near_2(a, seed, s.corner, s.offset);
    let opposite = fastnoise_simplex_step_2(s.corner, vec2<i32>(1));
    let far = fastnoise_simplex_near_2(fastnoise_simplex_rest_far(a, s.t), seed, opposite, s.offset + FASTNOISE_SIMPLEX_TWO_G_LESS_1);
    let d = fastnoise_simplex_off_middle_2(s.offset);
    let beside = fastnoise_simplex_step_2(s.corner, fastnoise_simplex_middle_2(s.offset));
    let middle = fastnoise_simplex_near_2(fastnoise_simplex_rest_2(0.5, d), seed, beside, d);
    return fastnoise_scaled(jet_add(jet_add(near, middle), far), FASTNOISE_SIMPLEX_SCALE_2);
}

// OpenSimplex2S in 2D.
fn fastnoise_simplex_smooth_2(seed: i32, at: vec3<f32>) -> Jet {
    let s = fastnoise_simplex_skewed(at);
    let reach = FASTNOISE_SIMPLEX_TWO_THIRDS;
    let a = fastnoise_simplex_rest_2(reach, s.offset);
    let near = fastnoise_simplex_corner_2(a, seed, s.corner, s.offset);
    let opposite = fastnoise_simplex_step_2(s.corner, vec2<i32>(1));
    let far = fastnoise_simplex_corner_2(fastnoise_simplex_rest_far(a, s.t), seed, opposite, s.offset + FASTNOISE_SIMPLEX_TWO_G_LESS_1);
    let low = FASTNOISE_SIMPLEX_G;
    let high = FASTNOISE_SIMPLEX_G_LESS_1;
    let lower = FASTNOISE_SIMPLEX_THREE_G_LESS_1;
    let higher = FASTNOISE_SIMPLEX_THREE_G_LESS_2;
    let diagonal = s.fraction.x - s.fraction.y;
    let upper = s.t > low;
    // The other corners that may be within reach: two beyond the far corner or next to it, or two before the near corner.
    let first_x = s.fraction.x + diagonal;
    let first_y = s.fraction.y - diagonal;
    let along_x = (upper && first_x > 1.0) || (!upper && 0.0 > first_x);
    let along_y = (upper && first_y > 1.0) || (!upper && diagonal > s.fraction.y);
    let step_x = select(
        select(vec2<i32>(1, 0), vec2<i32>(-1, 0), along_x),
        select(vec2<i32>(0, 1), vec2<i32>(2, 1), along_x),
        upper,
    );
    let off_x = select(
        select(vec2<f32>(high, low), vec2<f32>(-high, -low), along_x),
        select(vec2<f32>(low, high), vec2<f32>(higher, lower), along_x),
        upper,
    );
    let step_y = select(
        select(vec2<i32>(0, 1), vec2<i32>(0, -1), along_y),
        select(vec2<i32>(1, 0), vec2<i32>(1, 2), along_y),
        upper,
    );
    let off_y = select(
        select(vec2<f32>(low, high), vec2<f32>(-low, -high), along_y),
        select(vec2<f32>(high, low), vec2<f32>(lower, higher), along_y),
        upper,
    );
    let x = s.offset + off_x;
    let y = s.offset + off_y;
    let first = fastnoise_simplex_near_2(fastnoise_simplex_rest_2(reach, x), seed, fastnoise_simplex_step_2(s.corner, step_x), x);
    let second = fastnoise_simplex_near_2(fastnoise_simplex_rest_2(reach, y), seed, fastnoise_simplex_step_2(s.corner, step_y), y);
    return fastnoise_scaled(jet_add(jet_add(jet_add(near, far), first), second), FASTNOISE_SIMPLEX_SCALE_2S);
}

// A lattice of two: the nearest point, the offset from it, and the point's pull before it is squared twice.
struct FastnoiseCube {
    // The multiplied coordinates of the nearest point.
    point: vec3<i32>,
    offset: vec3<f32>,
    // -1 or 1 along each axis: away from the second nearest point.
    sign: vec3<i32>,
    // Magnitudes of the offset.
    away: vec3<f32>,
    rest: f32,
}

fn fastnoise_simplex_cube(at: vec3<f32>) -> FastnoiseCube {
    let whole = fastnoise_round(at);
    let d = at - fastnoise_numbers(whole);
    let sign = vec3<i32>(-1.0 - d) | vec3<i32>(1);
    let rest = (0.6 - d.x * d.x) - (d.y * d.y + d.z * d.z);
    return FastnoiseCube(whole * FASTNOISE_PRIMES, d, sign, vec3<f32>(sign) * -d, rest);
}

// The axis along which the second nearest point lies.
fn fastnoise_simplex_axis(away: vec3<f32>) -> vec3<bool> {
    let x = away.x >= away.y && away.x >= away.z;
    let y = !x && away.y > away.x && away.y >= away.z;
    return vec3<bool>(x, y, !x && !y);
}

// The second nearest point of the lattice, the offset from it, and its rest. Sources differ in the formula of the rest.
fn fastnoise_simplex_neighbour(c: FastnoiseCube, by_distance: bool) -> FastnoiseCube {
    let axis = fastnoise_simplex_axis(c.away);
    let point = c.point - select(vec3<i32>(0), c.sign * FASTNOISE_PRIMES, axis);
    let offset = select(c.offset, c.offset + vec3<f32>(c.sign), axis);
    let away = select(select(c.away.z, c.away.y, axis.y), c.away.x, axis.x);
    let sign = select(select(c.sign.z, c.sign.y, axis.y), c.sign.x, axis.x);
    let moved = select(select(offset.z, offset.y, axis.y), offset.x, axis.x);
    let rest = select(c.rest + 1.0 - f32(2 * sign) * moved, c.rest + away + away - 1.0, by_distance);
    return FastnoiseCube(point, offset, c.sign, c.away, rest);
}

// The nearest point of the second lattice, from that of the first. Sources differ in the order of a sum.
fn fastnoise_simplex_other(c: FastnoiseCube, in_turn: bool) -> FastnoiseCube {
    let away = 0.5 - c.away;
    let offset = vec3<f32>(c.sign) * away;
    let rest = select(c.rest + ((0.75 - away.x) - (away.y + away.z)), c.rest + (0.75 - away.x) - (away.y + away.z), in_turn);
    return FastnoiseCube(c.point + ((c.sign >> vec3<u32>(1u)) & FASTNOISE_PRIMES), offset, -c.sign, away, rest);
}

// OpenSimplex2 in 3D: two cubic lattices.
fn fastnoise_simplex_3(seed: i32, at: vec3<f32>, by_distance: bool, in_turn: bool) -> Jet {
    let a = fastnoise_simplex_cube(at);
    let b = fastnoise_simplex_other(a, in_turn);
    var sum = fastnoise_simplex_near_3(a.rest, seed, a.point, a.offset);
    let next = fastnoise_simplex_neighbour(a, by_distance);
    sum = jet_add(sum, fastnoise_simplex_near_3(next.rest, seed, next.point, next.offset));
    sum = jet_add(sum, fastnoise_simplex_near_3(b.rest, ~seed, b.point, b.offset));
    let last = fastnoise_simplex_neighbour(b, by_distance);
    sum = jet_add(sum, fastnoise_simplex_near_3(last.rest, ~seed, last.point, last.offset));
    return fastnoise_scaled(sum, FASTNOISE_SIMPLEX_SCALE_3);
}

// The lattices of OpenSimplex2S around a position.
struct FastnoiseCubes {
    seed: i32,
    // The multiplied coordinates of the cell's corner.
    corner: vec3<i32>,
    // -1 along axes where the upper point is nearer, else 0.
    upper: vec3<i32>,
    side: vec3<f32>,
    // Offsets from the nearest points of both lattices.
    first: vec3<f32>,
    second: vec3<f32>,
}

// The pull of a point of the first lattice, moved to the other side along some axes.
fn fastnoise_simplex_first(t: f32, c: FastnoiseCubes, moved: vec3<bool>) -> Jet {
    let point = c.corner + (select(c.upper, ~c.upper, moved) & FASTNOISE_PRIMES);
    return fastnoise_simplex_near_3(t, c.seed, point, select(c.first, c.first - c.side, moved));
}

// The pull of a point of the second lattice.
fn fastnoise_simplex_second(t: f32, c: FastnoiseCubes, moved: vec3<bool>) -> Jet {
    let point = c.corner + select(FASTNOISE_PRIMES, c.upper & (FASTNOISE_PRIMES * 2), moved);
    return fastnoise_simplex_near_3(t, c.seed + FASTNOISE_SIMPLEX_SECOND, point, select(c.second, c.side + c.second, moved));
}

// OpenSimplex2S in 3D: two cubic lattices, and up to four points of each.
fn fastnoise_simplex_smooth_3(seed: i32, at: vec3<f32>) -> Jet {
    let whole = fastnoise_floor(at);
    let fraction = at - fastnoise_numbers(whole);
    let upper = vec3<i32>(-0.5 - fraction);
    let side = vec3<f32>(upper | vec3<i32>(1));
    let c = FastnoiseCubes(seed, whole * FASTNOISE_PRIMES, upper, side, fraction + vec3<f32>(upper), fraction - 0.5);
    let d0 = c.first;
    let d1 = c.second;
    let a0 = 0.75 - d0.x * d0.x - d0.y * d0.y - d0.z * d0.z;
    let a1 = 0.75 - d1.x * d1.x - d1.y * d1.y - d1.z * d1.z;
    // Changes of the rests from a point to the next one along each axis, in the first lattice and in the second.
    let flip0 = vec3<f32>((upper | vec3<i32>(1)) << vec3<u32>(1u)) * d1;
    let flip1 = vec3<f32>(-2 - (upper << vec3<u32>(2u))) * d1 - 1.0;
    let none = vec3<bool>(false);
    let nearest = fastnoise_simplex_corner_3(a0, seed, c.corner + (upper & FASTNOISE_PRIMES), d0);
    let middle = fastnoise_simplex_corner_3(a1, seed + FASTNOISE_SIMPLEX_SECOND, c.corner + FASTNOISE_PRIMES, d1);
    var sum = jet_add(nearest, middle);
    let along = flip0 + a0;
    let across = vec3<f32>(flip0.y + flip0.z + a0, flip0.x + flip0.z + a0, flip0.x + flip0.y + a0);
    let beyond = flip1 + a1;
    let last = vec3<f32>(flip1.y + flip1.z + a1, flip1.x + flip1.z + a1, flip1.x + flip1.y + a1);
    let x = vec3<bool>(true, false, false);
    let y = vec3<bool>(false, true, false);
    let z = vec3<bool>(false, false, true);
    sum = fastnoise_simplex_along(sum, c, along.x, across.x, beyond.x, x);
    sum = fastnoise_simplex_along(sum, c, along.y, across.y, beyond.y, y);
    sum = fastnoise_simplex_along(sum, c, along.z, across.z, beyond.z, z);
    let skip = (along <= vec3<f32>(0.0)) & (beyond > vec3<f32>(0.0));
    let rest = select(last, vec3<f32>(0.0), skip);
    sum = jet_add(sum, fastnoise_simplex_second(rest.x, c, !x));
    sum = jet_add(sum, fastnoise_simplex_second(rest.y, c, !y));
    sum = jet_add(sum, fastnoise_simplex_second(rest.z, c, !z));
    return fastnoise_scaled(sum, FASTNOISE_SIMPLEX_SCALE_3S);
}

// The points next to the nearest ones along an axis, or across it.
fn fastnoise_simplex_along(sum: Jet, c: FastnoiseCubes, along: f32, across: f32, beyond: f32, axis: vec3<bool>) -> Jet {
    if along > 0.0 {
        return jet_add(sum, fastnoise_simplex_first(along, c, axis));
    }
    return jet_add(jet_add(sum, fastnoise_simplex_first(across, c, !axis)), fastnoise_simplex_second(beyond, c, axis));
}
