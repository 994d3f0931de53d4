// Craters: one in most cells of several square lattices, each with cells of half the edge. Of the craters of a lattice, the younger ones
// lie over the older ones. Those of finer lattices are added, unless they are older than the surface.
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

// A crater around a sample.
struct CratersOne {
    // Whether it reaches the sample.
    here: bool,
    // From 0, the oldest, to 1.
    age: f32,
    // 1 / radius², for the largest of the class.
    squares: f32,
    // The squared distance from its middle, in radii, and the slope of that.
    t: f32,
    dt: vec2<f32>,
    // The share of the surface that it covers.
    cover: CratersJet,
}

// A class of size: a square lattice around a sample.
struct CratersClass {
    key: Key,
    number: u32,
    cell: vec2<u32>,
    at: vec2<f32>,
    // Cells per cell of the first class, and the random number below which a cell has a crater.
    scale: f32,
    frequent: f32,
    // The depth of its largest craters, and the height of their peaks as a share of it.
    depth: f32,
    peak: f32,
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
    var c = CratersClass(Key(key.seed, vec4<i32>(key.period.xy, 0, 0)), 0u, vec2<u32>(cell.xy), f.xy, 1.0, 0.0, n.depth, n.peak);
    var height = CratersJet(0.0, vec2<f32>(0.0));
    var surface = height;
    for (var k = 0u; k < sizes; k++) {
        c.number = k;
        c.frequent = table_scalar(first + CRATERS_NUMBERS + k);
        // The youth of the surface of coarser classes.
        let ground = surface;
        for (var y = -1; y <= 1; y++) {
            for (var x = -1; x <= 1; x++) {
                let one = craters_one(c, vec2<i32>(x, y), n);
                if one.here {
                    let share = craters_share(c, one, vec2<i32>(x, y), n);
                    height = craters_added(height, share, craters_seen(one, ground, craters_height(one, c, n)));
                    surface = craters_added(surface, share, craters_younger(one, ground));
                }
            }
        }
        // The next class: cells of half the edge.
        let twice = c.at + c.at;
        let steps = floor(twice);
        c.at = twice - steps;
        c.cell = c.cell + c.cell + vec2<u32>(vec2<i32>(steps));
        c.key.period = c.key.period + c.key.period;
        c.depth = 0.5 * c.depth;
        c.scale = c.scale + c.scale;
        c.peak = 0.0;
    }
    if youth {
        return Jet(surface.value, vec3<f32>(surface.slope, 0.0));
    }
    return Jet(height.value, vec3<f32>(height.slope, 0.0));
}

// The crater of a cell this number of steps away.
fn craters_one(c: CratersClass, o: vec2<i32>, n: CratersNumbers) -> CratersOne {
    let p = c.cell + vec2<u32>(o);
    let h = point_cubic_3(p.x, p.y, c.number, c.key);
    let word = hash_mix(h);
    let random = vec2<f32>(vec2<i32>(bitcast<i32>(h) >> 16u, bitcast<i32>(h << 16u) >> 16u));
    let away = (c.at - 0.50000762939453125) - vec2<f32>(o);
    let v = random * 0.0000152587890625 - away;
    let squares = 3.0 * (f32(word >> 16u) * 0.0000152587890625) + 1.0;
    let pull = n.edge * squares;
    let t = pull * (v.x * v.x + v.y * v.y);
    let dt = ((-2.0 * pull) * c.scale) * v;
    let here = f32(word & 0xffffu) < c.frequent && t < n.edge;
    let age = f32(hash_mix(word) >> 8u) * 5.9604644775390625e-8;
    var cover = CratersJet(1.0, vec2<f32>(0.0));
    if t >= 1.0 {
        let y = n.per_ejecta * (t - 1.0);
        let z = real_max(1.0 - y, 0.0);
        cover = CratersJet((z * z) * (3.0 - (z + z)), ((-6.0 * (z * y)) * n.per_ejecta) * dt);
    }
    return CratersOne(here, age, squares, t, dt, cover);
}

// The share of the surface where a crater is on top: what younger ones of its class leave of what it covers. The second of two of
// the same age is the younger.
fn craters_share(c: CratersClass, one: CratersOne, o: vec2<i32>, n: CratersNumbers) -> CratersJet {
    var share = one.cover;
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            let other = craters_one(c, vec2<i32>(x, y), n);
            let second = y > o.y || (y == o.y && x > o.x);
            if other.here && (other.age > one.age || (second && other.age >= one.age)) {
                let rest = 1.0 - other.cover.value;
                share = CratersJet(share.value * rest, share.slope * rest - share.value * other.cover.slope);
            }
        }
    }
    return share;
}

// A sum with one more share of a value.
fn craters_added(sum: CratersJet, share: CratersJet, x: CratersJet) -> CratersJet {
    return CratersJet(sum.value + share.value * x.value, sum.slope + (share.value * x.slope + x.value * share.slope));
}

// The height of a crater over the ground.
fn craters_height(one: CratersOne, c: CratersClass, n: CratersNumbers) -> CratersJet {
    let t = one.t;
    let worn = 1.0 - one.age;
    let fresh = 1.0 - n.wear * (worn * worn);
    let deep = (c.depth * root_inverse(one.squares)) * fresh;
    let high = n.rim * deep;
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
        let tall = (c.peak * deep) * (1.3333333730697632 - 0.3333333432674408 * one.squares);
        let left = real_max(1.0 - 16.0 * t, 0.0);
        return CratersJet((relief * wall - deep) + tall * (left * left), (relief * wall_slope - (32.0 * tall) * left) * one.dt);
    }
    let y = n.per_ejecta * (t - 1.0);
    let z = real_max(1.0 - y, 0.0);
    let fade = (z * z) * (3.0 - (z + z));
    let fade_slope = -6.0 * (z * y);
    let lip = y < CRATERS_LIP;
    let sharp = select(CRATERS_BLANKET * ((z * z) * (z * z)), 1.0 - CRATERS_LIP_ROUND * (y * y), lip);
    let sharp_slope = select((-4.0 * CRATERS_BLANKET) * (z * (z * z)), (-2.0 * CRATERS_LIP_ROUND) * y, lip);
    let slope = (high * (fade_slope + fresh * (sharp_slope - fade_slope))) * n.per_ejecta;
    return CratersJet(high * (fade + fresh * (sharp - fade)), slope * one.dt);
}

// The visible part of a height on the surface of coarser classes: 0 on one that is younger by a quarter.
fn craters_seen(one: CratersOne, ground: CratersJet, height: CratersJet) -> CratersJet {
    let p = real_max(real_min(4.0 * (one.age - ground.value) + 1.0, 1.0), 0.0);
    let seen = (p * p) * (3.0 - (p + p));
    let seen_slope = -24.0 * (p * (1.0 - p));
    return CratersJet(seen * height.value, seen * height.slope + (height.value * seen_slope) * ground.slope);
}

// By how much a crater is younger than the surface of coarser classes; 0 if it is older, with a rounded bend.
fn craters_younger(one: CratersOne, ground: CratersJet) -> CratersJet {
    let younger = real_max(one.age - ground.value, 0.0);
    let small = younger < 0.125;
    let gain = select(younger - 0.0625, 4.0 * (younger * younger), small);
    let rate = select(1.0, 8.0 * younger, small);
    return CratersJet(gain, -rate * ground.slope);
}
