// Phasor and Gabor noise: waves around the points of a lattice, each with a phase of its own and a weight that falls to 0 at its
// reach.
//
// Sources: Tricard et al., "Procedural phasor noise", 2019; Lagae et al., "Procedural noise using sparse Gabor convolution", 2009.
//
// The weight is (1 - r²/reach²)³. Points lie around the middle of their cells. So every sample is within the reach of its own
// cell's point, and no point beyond the neighbouring cells has a weight.
//
// A wave's phase at a sample is the number of waves on the way from its point. If direction or frequency vary, those in the middle
// of the way are the best constants for it (the midpoint rule). Then waves of neighbouring points agree as far as possible.
// requires: hash jet point polar real root turn

const PHASOR_SINE: u32 = 0u;
const PHASOR_SQUARE: u32 = 1u;
const PHASOR_SAW: u32 = 2u;
const PHASOR_GABOR: u32 = 3u;

// In 2D and 3D: 1 / reach², with reaches of 1.25 and 1.3 cells.
const PHASOR_REACH: vec2<f32> = vec2<f32>(0.64, 0.5917159914970398);
// Greatest distance of a point from the middle of its cell along an axis.
const PHASOR_SPREAD: vec2<f32> = vec2<f32>(0.25, 0.2);
// The phase turns around points at which waves cancel each other. This share of the squares of weights takes the waves to 0 there.
const PHASOR_CALM: f32 = 0.015625;
const PHASOR_TURN: f32 = 6.2831854820251465;
const PHASOR_PER_TURN: f32 = 0.15915493667125702;
// Largest factor of the frequency.
const PHASOR_FASTEST: f32 = 16.0;
// Largest component of a direction, so that its square is finite.
const PHASOR_LONGEST: f32 = 1e15;
// 1 / the largest ratio of the sum of weights to the root of the sum of their squares that a search found: √6 in 2D, √12 in 3D.
const PHASOR_EVEN: vec2<f32> = vec2<f32>(0.40824830532073975, 0.28867512941360474);

// Sums over points: of waves as complex numbers, and of squares of weights. Then their derivatives by the sample's position; for
// waves: without those of their phases.
struct PhasorSums {
    wave: vec2<f32>,
    squares: f32,
    real_slope: vec3<f32>,
    imaginary_slope: vec3<f32>,
    squares_slope: vec3<f32>,
}

// A value, and its derivatives by the sums.
struct PhasorProfile {
    value: f32,
    by_wave: vec2<f32>,
    by_squares: f32,
}

// The waves at a sample: their direction, of any length, the factor of their frequency, and their number per cell for a factor of
// 1. If these vary, also half the derivatives of the direction's components and of the factor, per cell.
struct PhasorWaves {
    direction: vec3<f32>,
    frequency: f32,
    per_cell: f32,
    vary: bool,
    x_slope: vec3<f32>,
    y_slope: vec3<f32>,
    z_slope: vec3<f32>,
    frequency_slope: vec3<f32>,
}

fn phasor_bounded(x: f32) -> f32 {
    return real_max(real_min(x, PHASOR_LONGEST), -PHASOR_LONGEST);
}

// The wave vector, in waves per cell. Without a direction it is 0.
fn phasor_vector(direction: vec3<f32>, frequency: f32, per_cell: f32) -> vec3<f32> {
    let d = vec3<f32>(phasor_bounded(direction.x), phasor_bounded(direction.y), phasor_bounded(direction.z));
    let inverse = root_inverse(d.x * d.x + (d.y * d.y + d.z * d.z));
    let factor = real_min(real_max(frequency, 0.0), PHASOR_FASTEST) * per_cell;
    return factor * (d * inverse);
}

fn phasor_dot(a: vec3<f32>, b: vec3<f32>) -> f32 {
    return a.x * b.x + (a.y * b.y + a.z * b.z);
}

// The wave vector halfway to a place at this offset.
fn phasor_halfway(w: PhasorWaves, v: vec3<f32>) -> vec3<f32> {
    let turned = w.direction + vec3<f32>(phasor_dot(w.x_slope, v), phasor_dot(w.y_slope, v), phasor_dot(w.z_slope, v));
    return phasor_vector(turned, w.frequency + phasor_dot(w.frequency_slope, v), w.per_cell);
}

fn phasor_hash(cell: vec3<i32>, dimensions: u32, key: Key) -> u32 {
    let c = vec3<u32>(cell);
    if dimensions > 2u {
        return point_cubic_3(c.x, c.y, c.z, key);
    }
    return point_cubic_2(c.x, c.y, key);
}

// Adds the wave around the point of a cell.
fn phasor_add(s: PhasorSums, cell: vec3<i32>, o: vec3<i32>, f: vec3<f32>, key: Key, dimensions: u32, w: PhasorWaves, own: vec3<f32>) -> PhasorSums {
    let h = phasor_hash(cell + o, dimensions, key);
    let second = hash_mix(h);
    let third = hash_mix(second);
    let spread = select(PHASOR_SPREAD.x, PHASOR_SPREAD.y, dimensions > 2u);
    let inverse = select(PHASOR_REACH.x, PHASOR_REACH.y, dimensions > 2u);
    let middle = vec3<f32>(o) + 0.5 - f;
    let v = vec3<f32>(
        middle.x + spread * hash_signed(h),
        middle.y + spread * hash_signed(second),
        select(0.0, middle.z + spread * hash_signed(hash_mix(third)), dimensions > 2u),
    );
    var k = own;
    if w.vary {
        k = phasor_halfway(w, v);
    }
    let rest = real_max(1.0 - phasor_dot(v, v) * inverse, 0.0);
    let square = rest * rest;
    let weight = square * rest;
    let phase = f32(third >> 8u) * 5.960464477539063e-8;
    let turns = phase - phasor_dot(k, v);
    let turn = turn_whole(turns - floor(turns));
    let pull = ((6.0 * inverse) * square) * v;
    return PhasorSums(
        s.wave + weight * turn.yx,
        s.squares + weight * weight,
        s.real_slope + turn.y * pull,
        s.imaginary_slope + turn.x * pull,
        s.squares_slope + (weight + weight) * pull,
    );
}

// The sine of the phase; it falls to 0 where waves cancel.
fn phasor_sine(s: PhasorSums) -> PhasorProfile {
    let norm = s.wave.x * s.wave.x + s.wave.y * s.wave.y;
    let i = root_inverse(norm + PHASOR_CALM * s.squares);
    let a = s.wave.y * i;
    let b = s.wave.x * i;
    return PhasorProfile(a, vec2<f32>(-(i * (a * b)), i * (1.0 - a * a)), -(0.5 * PHASOR_CALM) * (a * (i * i)));
}

// The sine times a factor, cut off at -1 and 1 with a smooth bend.
fn phasor_square(s: PhasorSums, factor: f32) -> PhasorProfile {
    let sine = phasor_sine(s);
    let x = real_max(real_min(sine.value * factor, 1.0), -1.0);
    let slope = (1.5 - 1.5 * (x * x)) * factor;
    return PhasorProfile(x * (1.5 - 0.5 * (x * x)), slope * sine.by_wave, slope * sine.by_squares);
}

// A line that rises over a share of each turn and falls over the rest, times the magnitude of the wave.
fn phasor_saw(s: PhasorSums, rise: f32, up: f32, down: f32) -> PhasorProfile {
    let norm = s.wave.x * s.wave.x + s.wave.y * s.wave.y;
    let calm = PHASOR_CALM * s.squares;
    let i = root_inverse(norm + calm);
    let magnitude = root_sqrt(norm) * i;
    let inverse = root_inverse(norm);
    let turn = polar_angle(vec3<f32>(s.wave, 0.0)).value + 0.5;
    let rises = turn < rise;
    let line = select(1.0 - down * (turn - rise), up * turn - 1.0, rises);
    let slope = PHASOR_PER_TURN * (select(-down, up, rises) * (inverse * i));
    let steep = (line * (calm * (inverse * i))) * (i * i);
    return PhasorProfile(
        line * magnitude,
        vec2<f32>(steep * s.wave.x - slope * s.wave.y, steep * s.wave.y + slope * s.wave.x),
        -(0.5 * PHASOR_CALM) * ((line * magnitude) * (i * i)),
    );
}

// The sum of the waves, of the same variance everywhere.
fn phasor_gabor(s: PhasorSums, even: f32) -> PhasorProfile {
    let inverse = root_inverse(s.squares);
    let scale = even * inverse;
    let sum = s.wave.y * scale;
    return PhasorProfile(real_max(real_min(sum, 1.0), -1.0), vec2<f32>(0.0, scale), -0.5 * (sum * (inverse * inverse)));
}

// A value, and its gradient by the position in cells. n: the factor of a square; the share of a saw's rise, and its slopes. The
// gradient is that of waves which do not vary.
fn phasor_noise(cell: vec3<i32>, f: vec3<f32>, key: Key, dimensions: u32, profile: u32, w: PhasorWaves, n: vec3<f32>) -> Jet {
    var s = PhasorSums();
    let k = phasor_vector(w.direction, w.frequency, w.per_cell);
    let depth = select(0, 1, dimensions > 2u);
    for (var z = -depth; z <= depth; z++) {
        for (var y = -1; y <= 1; y++) {
            for (var x = -1; x <= 1; x++) {
                s = phasor_add(s, cell, vec3<i32>(x, y, z), f, key, dimensions, w, k);
            }
        }
    }
    var p: PhasorProfile;
    switch profile {
        case PHASOR_SINE: {
            p = phasor_sine(s);
        }
        case PHASOR_SQUARE: {
            p = phasor_square(s, n.x);
        }
        case PHASOR_SAW: {
            p = phasor_saw(s, n.x, n.y, n.z);
        }
        default: {
            p = phasor_gabor(s, select(PHASOR_EVEN.x, PHASOR_EVEN.y, dimensions > 2u));
        }
    }
    let turning = PHASOR_TURN * k;
    let real = s.real_slope - s.wave.y * turning;
    let imaginary = s.imaginary_slope + s.wave.x * turning;
    return Jet(p.value, (p.by_wave.x * real + p.by_wave.y * imaginary) + p.by_squares * s.squares_slope);
}
