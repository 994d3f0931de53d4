// Craters: one in most cells of several square lattices, each with cells of half the edge. Craters of a lattice replace what they cover,
// unless it is younger. Those of finer lattices are added.
//
// Distances are squared and in radii: 1 at the crest of the rim.
// requires: hash jet point real root tables

// The wall of a fresh crater is straight up to this distance, and rounded from there to the crest.
const CRATERS_CREST: f32 = 0.875;
const CRATERS_WALL: f32 = 1.0666667222976685;
const CRATERS_ROUND: f32 = 4.266666889190674;
// The fresh blanket of ejecta: rounded up to this share of its width, then a fourth power.
const CRATERS_LIP: f32 = 0.015625;
const CRATERS_LIP_ROUND: f32 = 126.03076934814453;
const CRATERS_BLANKET: f32 = 1.0322500467300415;
// The number of numbers before the first class'.
const CRATERS_NUMBERS: u32 = 7u;

struct CratersNumbers {
    depth: f32,
    rim: f32,
    // The squared distance at which ejecta end, and 1 / (that - 1).
    edge: f32,
    per_ejecta: f32,
    wear: f32,
    peak: f32,
}

// A value and its slope.
struct CratersJet {
    value: f32,
    slope: vec2<f32>,
}

// A surface: heights over the ground of coarser classes, and how young it is.
struct CratersSurface {
    height: CratersJet,
    youth: CratersJet,
}

fn craters(cell: vec3<i32>, f: vec3<f32>, key: Key, youth: bool, first: u32) -> Jet {
    let n = CratersNumbers(
        table_scalar(first),
        table_scalar(first + 1u),
        table_scalar(first + 2u),
        table_scalar(first + 3u),
        table_scalar(first + 4u),
        table_scalar(first + 5u),
    );
    let sizes = u32(table_scalar(first + 6u));
    var c = vec2<u32>(cell.xy);
    var at = f.xy;
    var period = key.period.xy;
    var depth = n.depth;
    var peak = n.peak;
    var scale = 1.0;
    let flat = CratersJet(0.0, vec2<f32>(0.0));
    var height = flat;
    var surface = CratersSurface(flat, flat);
    for (var k = 0u; k < sizes; k++) {
        let own = Key(key.seed, vec4<i32>(period, 0, 0));
        let frequent = table_scalar(first + CRATERS_NUMBERS + k);
        surface.height = flat;
        for (var y = -1; y <= 1; y++) {
            for (var x = -1; x <= 1; x++) {
                let o = vec2<i32>(x, y);
                let p = c + vec2<u32>(o);
                let h = point_cubic_3(p.x, p.y, k, own);
                let word = hash_mix(h);
                let random = vec2<f32>(vec2<i32>(bitcast<i32>(h) >> 16u, bitcast<i32>(h << 16u) >> 16u));
                let away = (at - 0.50000762939453125) - vec2<f32>(o);
                let v = random * 0.0000152587890625 - away;
                let squares = 3.0 * (f32(word >> 16u) * 0.0000152587890625) + 1.0;
                let pull = n.edge * squares;
                let t = pull * (v.x * v.x + v.y * v.y);
                if f32(word & 0xffffu) < frequent && t < n.edge {
                    let dt = ((-2.0 * pull) * scale) * v;
                    surface = craters_add(surface, word, squares, t, dt, depth, peak, n);
                }
            }
        }
        height = CratersJet(height.value + surface.height.value, height.slope + surface.height.slope);
        // The next class: cells of half the edge.
        let twice = at + at;
        let steps = floor(twice);
        at = twice - steps;
        c = c + c + vec2<u32>(vec2<i32>(steps));
        period = period + period;
        depth = 0.5 * depth;
        scale = scale + scale;
        peak = 0.0;
    }
    if youth {
        return Jet(surface.youth.value, vec3<f32>(surface.youth.slope, 0.0));
    }
    return Jet(height.value, vec3<f32>(height.slope, 0.0));
}

// A surface with one more crater. `t` is the squared distance from its middle, in radii, `dt` the slope of that.
fn craters_add(
    s: CratersSurface,
    word: u32,
    squares: f32,
    t: f32,
    dt: vec2<f32>,
    depth: f32,
    peak: f32,
    n: CratersNumbers,
) -> CratersSurface {
    let age = f32(hash_mix(word) >> 8u) * 5.9604644775390625e-8;
    let worn = 1.0 - age;
    let fresh = 1.0 - n.wear * (worn * worn);
    let deep = (depth * root_inverse(squares)) * fresh;
    let high = n.rim * deep;
    var target_value = 0.0;
    var target_slope = 0.0;
    var weight = 1.0;
    var weight_slope = 0.0;
    if t < 1.0 {
        let rest = 1.0 - t;
        let soft = (t * t) * (3.0 - (t + t));
        let soft_slope = 6.0 * (t * rest);
        let straight = t < CRATERS_CREST;
        let sharp = select(1.0 - CRATERS_ROUND * (rest * rest), CRATERS_WALL * t, straight);
        let sharp_slope = select((2.0 * CRATERS_ROUND) * rest, CRATERS_WALL, straight);
        let wall = soft + fresh * (sharp - soft);
        let wall_slope = soft_slope + fresh * (sharp_slope - soft_slope);
        let relief = deep + high;
        let tall = (peak * deep) * (1.3333333730697632 - 0.3333333432674408 * squares);
        let left = real_max(1.0 - 16.0 * t, 0.0);
        target_value = (relief * wall - deep) + tall * (left * left);
        target_slope = relief * wall_slope - (32.0 * tall) * left;
    } else {
        let y = n.per_ejecta * (t - 1.0);
        let z = real_max(1.0 - y, 0.0);
        let fade = (z * z) * (3.0 - (z + z));
        let fade_slope = -6.0 * (z * y);
        let lip = y < CRATERS_LIP;
        let sharp = select(CRATERS_BLANKET * ((z * z) * (z * z)), 1.0 - CRATERS_LIP_ROUND * (y * y), lip);
        let sharp_slope = select((-4.0 * CRATERS_BLANKET) * (z * (z * z)), (-2.0 * CRATERS_LIP_ROUND) * y, lip);
        target_value = high * (fade + fresh * (sharp - fade));
        target_slope = (high * (fade_slope + fresh * (sharp_slope - fade_slope))) * n.per_ejecta;
        weight = fade;
        weight_slope = fade_slope * n.per_ejecta;
    }
    // Nothing shows on a surface that is younger by a quarter.
    let p = real_max(real_min(4.0 * (age - s.youth.value) + 1.0, 1.0), 0.0);
    let seen = (p * p) * (3.0 - (p + p));
    let seen_slope = -24.0 * (p * (1.0 - p));
    let m = weight * seen;
    let dm = (seen * weight_slope) * dt + (weight * seen_slope) * s.youth.slope;
    let gap = target_value - s.height.value;
    let height = CratersJet(s.height.value + m * gap, s.height.slope + (m * (target_slope * dt - s.height.slope) + gap * dm));
    // The larger of two ages, rounded.
    let younger = real_max(age - s.youth.value, 0.0);
    let small = younger < 0.125;
    let gain = select(younger - 0.0625, 4.0 * (younger * younger), small);
    let rate = select(1.0, 8.0 * younger, small);
    let youth = CratersJet(
        s.youth.value + weight * gain,
        s.youth.slope + ((gain * weight_slope) * dt - (weight * rate) * s.youth.slope),
    );
    return CratersSurface(height, youth);
}
