// The hash of FastNoiseLite, its gradients, its coordinates and its sums of octaves.
//
// FastNoiseLite (Jordan Peck, MIT) defines these operations and their order, on f32 coordinates. Slopes are not in the original.
// requires: jet

const FASTNOISE_PRIMES: vec3<i32> = vec3<i32>(501125321, 1136930381, 1720413743);
// Coordinates end at 2^30 cells.
const FASTNOISE_FAR: f32 = 1073741824.0;
const FASTNOISE_PLANE: f32 = 0.21132487058639526;
const FASTNOISE_DEPTH: f32 = 0.5773502588272095;
const FASTNOISE_TWO_THIRDS: f32 = 0.6666666865348816;

fn fastnoise_hash_2(seed: i32, point: vec2<i32>) -> i32 {
    return (seed ^ point.x ^ point.y) * 0x27d4eb2d;
}

fn fastnoise_hash_3(seed: i32, point: vec3<i32>) -> i32 {
    return (seed ^ point.x ^ point.y ^ point.z) * 0x27d4eb2d;
}

// An integer as a number, rounded once.
fn fastnoise_number(i: i32) -> f32 {
    return f32(i >> 16u) * 65536.0 + f32(i & 0xffff);
}

fn fastnoise_numbers(i: vec3<i32>) -> vec3<f32> {
    return vec3<f32>(i >> vec3<u32>(16u)) * 65536.0 + vec3<f32>(i & vec3<i32>(0xffff));
}

// Within the coordinates that have cells.
fn fastnoise_within(x: vec3<f32>) -> vec3<f32> {
    let below = select(vec3<f32>(FASTNOISE_FAR), x, x < vec3<f32>(FASTNOISE_FAR));
    return select(vec3<f32>(-FASTNOISE_FAR), below, below > vec3<f32>(-FASTNOISE_FAR));
}

// The integers below; one less for negative integers.
fn fastnoise_floor(x: vec3<f32>) -> vec3<i32> {
    return vec3<i32>(x) - select(vec3<i32>(1), vec3<i32>(0), x >= vec3<f32>(0.0));
}

// The nearest integers.
fn fastnoise_round(x: vec3<f32>) -> vec3<i32> {
    return vec3<i32>(select(x - 0.5, x + 0.5, x >= vec3<f32>(0.0)));
}

// The number of a lattice point: -1 to 1.
fn fastnoise_value(hash: i32) -> f32 {
    let square = hash * hash;
    return fastnoise_number(square ^ (square << 19u)) * 4.656612873077393e-10;
}

// The sine of an odd multiple of 7.5 degrees: 2k + 1 of them.
fn fastnoise_sine(k: i32) -> f32 {
    let low = select(select(0.608761429786682, 0.38268342614173889, k == 1), 0.13052618503570557, k == 0);
    let high = select(select(0.9914448857307434, 0.9238795042037964, k == 4), 0.7933533191680908, k == 3);
    return select(high, low, k < 3);
}

// The direction with this index, 0 to 127: 24 directions repeated, then eight of them.
fn fastnoise_direction_2(index: i32) -> vec2<f32> {
    let k = select(3 * index - 359, index % 24, index < 120);
    let quarter = k / 6;
    let sixth = k % 6;
    let sine = fastnoise_sine(sixth);
    let cosine = fastnoise_sine(5 - sixth);
    let even = vec2<f32>(sine, cosine);
    let odd = vec2<f32>(cosine, -sine);
    let d = select(even, odd, (quarter & 1) == 1);
    return select(d, -d, quarter >= 2);
}

// The direction with this index, 0 to 63: the twelve edges of a cube repeated, then four of them.
fn fastnoise_direction_3(index: i32) -> vec3<f32> {
    let last = select(select(3, 9, index == 62), select(1, 8, index == 60), index < 62);
    let k = select(last, index % 12, index < 60);
    let first = f32(1 - 2 * (k & 1));
    let second = f32(1 - (k & 2));
    let group = k >> 2u;
    return select(
        select(vec3<f32>(first, second, 0.0), vec3<f32>(first, 0.0, second), group == 1),
        vec3<f32>(0.0, first, second),
        group == 0,
    );
}

// The index of a point's direction, from its hash.
fn fastnoise_index_2(hash: i32) -> i32 {
    return ((hash ^ (hash >> 15u)) >> 1u) & 127;
}

fn fastnoise_index_3(hash: i32) -> i32 {
    return ((hash ^ (hash >> 15u)) >> 2u) & 63;
}

// The slope along a direction: its value at an offset from the point, and its gradient.
fn fastnoise_slope_2(g: vec2<f32>, d: vec2<f32>) -> Jet {
    return Jet(d.x * g.x + d.y * g.y, vec3<f32>(g, 0.0));
}

fn fastnoise_slope_3(g: vec3<f32>, d: vec3<f32>) -> Jet {
    return Jet(d.x * g.x + d.y * g.y + d.z * g.z, g);
}

// t⁴ times a slope, where t is a constant less the squared offset from the point.
fn fastnoise_pull(t: f32, slope: Jet, d: vec3<f32>) -> Jet {
    let square = t * t;
    let t4 = square * square;
    let k = -8.0 * (square * t) * slope.value;
    return Jet(t4 * slope.value, t4 * slope.gradient + k * d);
}

fn fastnoise_scaled(x: Jet, scale: f32) -> Jet {
    return jet_through(x.value * scale, scale, x);
}

// a + t · (b - a) between jets, with a weight along an axis.
fn fastnoise_between(a: Jet, b: Jet, weight: vec2<f32>, axis: vec3<f32>) -> Jet {
    let across = weight.y * (b.value - a.value);
    let gradient = a.gradient + weight.x * (b.gradient - a.gradient);
    return Jet(a.value + weight.x * (b.value - a.value), select(gradient, gradient + across, axis > vec3<f32>(0.0)));
}

// 3t² - 2t³ and its slope.
fn fastnoise_hermite(t: f32) -> vec2<f32> {
    return vec2<f32>(t * t * (3.0 - 2.0 * t), 6.0 * (t - t * t));
}

// 6t⁵ - 15t⁴ + 10t³ and its slope.
fn fastnoise_quintic(t: f32) -> vec2<f32> {
    let rest = t * t - t;
    return vec2<f32>(t * t * t * (t * (t * 6.0 - 15.0) + 10.0), 30.0 * (rest * rest));
}

// A position in the coordinates of a noise, and a gradient back out of them. They are unchanged, skewed along the diagonal of the
// plane, mirrored along the diagonal of the space, or turned for planes along x and y or x and z.

fn fastnoise_into_same(x: vec3<f32>) -> vec3<f32> {
    return x;
}

fn fastnoise_out_of_same(noise: Jet) -> Jet {
    return noise;
}

fn fastnoise_into_skewed(x: vec3<f32>) -> vec3<f32> {
    let t = (x.x + x.y) * 0.3660253882408142;
    return vec3<f32>(x.x + t, x.y + t, x.z);
}

fn fastnoise_out_of_skewed(noise: Jet) -> Jet {
    return noise;
}

fn fastnoise_into_mirrored(x: vec3<f32>) -> vec3<f32> {
    let r = (x.x + x.y + x.z) * FASTNOISE_TWO_THIRDS;
    return vec3<f32>(r - x.x, r - x.y, r - x.z);
}

fn fastnoise_out_of_mirrored(noise: Jet) -> Jet {
    return Jet(noise.value, fastnoise_into_mirrored(noise.gradient));
}

fn fastnoise_into_xy(x: vec3<f32>) -> vec3<f32> {
    let plane = x.x + x.y;
    let s = plane * -FASTNOISE_PLANE;
    let depth = x.z * FASTNOISE_DEPTH;
    return vec3<f32>(x.x + (s - depth), x.y + s - depth, depth + plane * FASTNOISE_DEPTH);
}

fn fastnoise_out_of_xy(noise: Jet) -> Jet {
    let g = noise.gradient;
    let plane = (g.x + g.y) * -FASTNOISE_PLANE + g.z * FASTNOISE_DEPTH;
    return Jet(noise.value, vec3<f32>(g.x + plane, g.y + plane, (g.z - g.x - g.y) * FASTNOISE_DEPTH));
}

fn fastnoise_into_xz(x: vec3<f32>) -> vec3<f32> {
    let plane = x.x + x.z;
    let s = plane * -FASTNOISE_PLANE;
    let depth = x.y * FASTNOISE_DEPTH;
    return vec3<f32>(x.x + (s - depth), depth + plane * FASTNOISE_DEPTH, x.z + (s - depth));
}

fn fastnoise_out_of_xz(noise: Jet) -> Jet {
    let g = noise.gradient;
    let plane = (g.x + g.z) * -FASTNOISE_PLANE + g.y * FASTNOISE_DEPTH;
    return Jet(noise.value, vec3<f32>(g.x + plane, (g.y - g.x - g.z) * FASTNOISE_DEPTH, g.z + plane));
}

// The place where a noise is sampled: coordinates with their gradients.
struct FastnoisePlace {
    x: Jet,
    y: Jet,
    z: Jet,
}

// The coordinates of a position in cells of the frame.
fn fastnoise_place(position: vec3<f32>, unit: f32, plane: bool) -> FastnoisePlace {
    let at = position * unit;
    let x = Jet(at.x, vec3<f32>(unit, 0.0, 0.0));
    let y = Jet(at.y, vec3<f32>(0.0, unit, 0.0));
    let deep = select(unit, 0.0, plane);
    return FastnoisePlace(x, y, Jet(select(at.z, 0.0, plane), vec3<f32>(0.0, 0.0, deep)));
}

fn fastnoise_values(at: FastnoisePlace) -> vec3<f32> {
    return vec3<f32>(at.x.value, at.y.value, at.z.value);
}

// A noise at a place, from its value and gradient in the coordinates times the frequency.
fn fastnoise_at(noise: Jet, frequency: f32, at: FastnoisePlace) -> Jet {
    return jet_composed(Jet(noise.value, noise.gradient * frequency), at.x, at.y, at.z);
}

// A sum of octaves: the sum so far, and the amplitude of the next octave.
struct FastnoiseSum {
    total: Jet,
    amplitude: Jet,
}

fn fastnoise_sum(amplitude: f32) -> FastnoiseSum {
    return FastnoiseSum(jet_constant(0.0), jet_constant(amplitude));
}

// Adds term · amplitude, then multiplies the amplitude by 1 + strength · (weight - 1) and by the gain.
fn fastnoise_add(s: FastnoiseSum, term: Jet, weight: Jet, strength: f32, gain: f32) -> FastnoiseSum {
    let t = s.total;
    let a = s.amplitude;
    let total = Jet(t.value + term.value * a.value, t.gradient + (term.gradient * a.value + term.value * a.gradient));
    let factor = 1.0 + strength * (weight.value - 1.0);
    let slope = (a.gradient * factor + a.value * (strength * weight.gradient)) * gain;
    return FastnoiseSum(total, Jet(a.value * factor * gain, slope));
}

// An octave of plain noise. In 2D, weights are at most 1.
fn fastnoise_add_plain(s: FastnoiseSum, noise: Jet, limited: bool, strength: f32, gain: f32) -> FastnoiseSum {
    let above = noise.value + 1.0;
    let high = limited && above >= 2.0;
    let weight = jet_through(select(above, 2.0, high) * 0.5, select(0.5, 0.0, high), noise);
    return fastnoise_add(s, noise, weight, strength, gain);
}

// An octave of ridges.
fn fastnoise_add_ridged(s: FastnoiseSum, noise: Jet, strength: f32, gain: f32) -> FastnoiseSum {
    let value = abs(noise.value);
    let sign = select(1.0, -1.0, noise.value < 0.0);
    let term = jet_through(value * -2.0 + 1.0, -2.0 * sign, noise);
    return fastnoise_add(s, term, jet_through(1.0 - value, -sign, noise), strength, gain);
}

// An octave folded back and forth.
fn fastnoise_add_folded(s: FastnoiseSum, noise: Jet, folds: f32, strength: f32, gain: f32) -> FastnoiseSum {
    let whole = (noise.value + 1.0) * folds;
    let t = whole - fastnoise_number(i32(whole * 0.5)) * 2.0;
    let rising = t < 1.0;
    let folded = jet_through(select(2.0 - t, t, rising), select(-folds, folds, rising), noise);
    let term = jet_through((folded.value - 0.5) * 2.0, 2.0, folded);
    return fastnoise_add(s, term, folded, strength, gain);
}
