// Simplex noise in 1D to 3D, on a lattice along the world's axes. Points are integers with X ≡ Y mod 2, and in 3D Y ≡ Z mod 3.
// Squared distances are X² + Y²/3 + Z²/6 in units of the reach. Gradients are per lattice unit.
// requires: gradient hash jet point real

// Slightly less than the height of a simplex, so that after rounding a point that is not a corner contributes exactly 0.
const SIMPLEX_REACH: f32 = 0.9999990463256836;
const SIMPLEX_THIRD: f32 = 0.3333333333333333;
const SIMPLEX_SIXTH: f32 = 0.16666666666666666;

// The parts of the directions, times the scale of the sum.
const SIMPLEX_X_2: vec4<f32> = vec4<f32>(4.306758719725268, 3.651093745512109, 0.856667572673538, 2.439582845791952);
const SIMPLEX_Y_2: vec4<f32> = vec4<f32>(2.4865083061681514, 2.107959956807975, 0.49459725368909047, 1.4084938127283768);
const SIMPLEX_X_3: vec3<f32> = vec3<f32>(3.9297892179781497, 2.4781326947523867, 1.0264761715266237);
const SIMPLEX_Y_3: vec3<f32> = vec3<f32>(2.268864862858174, 1.4307505784029035, 0.5926362939476328);
const SIMPLEX_Z_3: vec3<f32> = vec3<f32>(1.6043297301229011, 1.011693436175268, 0.4190571422276353);

const SIMPLEX_SCALE_1: f32 = 3.1604;

// The contribution of the point with this hash.
fn simplex_point_1(h: u32, d: f32) -> vec2<f32> {
    let g = hash_signed(h) * SIMPLEX_SCALE_1;
    let t = real_max(1.0 - d * d, 0.0);
    let t2 = t * t;
    let t4 = t2 * t2;
    let slope = g * d;
    let k = -8.0 * (t2 * t) * slope;
    return vec2<f32>(t4 * slope, t4 * g + k * d);
}

// In one dimension every whole number is a point, and reaches the next.
fn simplex_1(cell: vec3<i32>, f: vec3<f32>, key: Key) -> Jet {
    let c = u32(cell.x);
    let n = simplex_point_1(point_cubic_1(c, key), f.x) + simplex_point_1(point_cubic_1(c + 1u, key), f.x - 1.0);
    return Jet(n.x, vec3<f32>(n.y, 0.0, 0.0));
}

// The common part of a line of points along x for a sample. It is the offset from the line to the sample along y and z, its pull,
// and the remaining reach.
struct SimplexAcross {
    d: vec2<f32>,
    pull: vec2<f32>,
    left: f32,
}

fn simplex_across_2(y: f32) -> SimplexAcross {
    let pull = y * SIMPLEX_THIRD;
    return SimplexAcross(vec2<f32>(y, 0.0), vec2<f32>(pull, 0.0), SIMPLEX_REACH - y * pull);
}

fn simplex_across_3(d: vec2<f32>) -> SimplexAcross {
    let pull = d * vec2<f32>(SIMPLEX_THIRD, SIMPLEX_SIXTH);
    return SimplexAcross(d, pull, (SIMPLEX_REACH - d.y * pull.y) - d.x * pull.x);
}

// A point's gradient, and what y and z add to its product with the offset.
struct SimplexPoint {
    g: vec3<f32>,
    rest: f32,
}

// The point with this hash.

fn simplex_point_2(h: u32, across: SimplexAcross) -> SimplexPoint {
    let g = gradient_2(h, SIMPLEX_X_2, SIMPLEX_Y_2);
    return SimplexPoint(vec3<f32>(g, 0.0), g.y * across.d.x);
}

fn simplex_point_3(h: u32, across: SimplexAcross) -> SimplexPoint {
    let g = gradient_3(h, SIMPLEX_X_3, SIMPLEX_Y_3, SIMPLEX_Z_3);
    return SimplexPoint(g, g.y * across.d.x + g.z * across.d.y);
}

// The contribution of a point to a sample at x from it along its line: (reach − r²)⁴ · g·d, and the derivative by d.
fn simplex_part(point: SimplexPoint, across: SimplexAcross, x: f32) -> Jet {
    let t = real_max(across.left - x * x, 0.0);
    let t2 = t * t;
    let t4 = t2 * t2;
    let slope = point.g.x * x + point.rest;
    let k = -8.0 * (t2 * t) * slope;
    return Jet(t4 * slope, t4 * point.g + k * vec3<f32>(x, across.pull));
}

// The corners of a sample's simplex: their hashes, and the offsets from them to the sample.

struct SimplexCorners2 {
    h: vec3<u32>,
    d0: vec2<f32>,
    d1: vec2<f32>,
    d2: vec2<f32>,
}

struct SimplexCorners3 {
    h: vec4<u32>,
    d0: vec3<f32>,
    d1: vec3<f32>,
    d2: vec3<f32>,
    d3: vec3<f32>,
}

fn simplex_corner_2(h: u32, d: vec2<f32>) -> Jet {
    let across = simplex_across_2(d.y);
    return simplex_part(simplex_point_2(h, across), across, d.x);
}

// The hash of the point with these coordinates, ready for their end.
fn simplex_hash_3(p: vec3<u32>, key: Key) -> u32 {
    return hash_mix_upper((point_end_x(p.x, key) ^ point_end_z(p.z, key)) ^ point_end_y(p.y, key));
}

fn simplex_corner_3(h: u32, d: vec3<f32>) -> Jet {
    let across = simplex_across_3(d.yz);
    return simplex_part(simplex_point_3(h, across), across, d.x);
}

// The sum of what points contribute.

fn simplex_jet_2(sum: Jet) -> Jet {
    return Jet(sum.value, vec3<f32>(sum.gradient.xy, 0.0));
}

fn simplex_jet_3(sum: Jet) -> Jet {
    return Jet(sum.value, vec3<f32>(sum.gradient.x, 3.0 * sum.gradient.yz));
}

// The corners, on the line at or below the sample, on the next one, and the third, on the line below or above those.
fn simplex_corners_2(cell: vec3<i32>, f: vec3<f32>, key: Key) -> SimplexCorners2 {
    let c = vec2<u32>(cell.xy);
    let odd = ((c.x ^ c.y) & 1u) != 0u;
    let near = select(f.x, f.x - 1.0, odd);
    let far = select(f.x - 1.0, f.x, odd);
    // The contribution of x to the hashes is computed before the choice: it is the same for all three.
    let x = point_begin_x(c.x);
    let left = point_end_x(x, key);
    let right = point_end_x(x + POINT_STEP_X, key);
    let own = select(left, right, odd);
    let other = select(right, left, odd);
    let below = f.y < abs(near);
    let y = point_begin_y(c.y);
    let last = select(y + 2u * POINT_STEP_Y, y - POINT_STEP_Y, below);
    let h0 = hash_mix_upper(own ^ point_end_y(y, key));
    let h1 = hash_mix_upper(other ^ point_end_y(y + POINT_STEP_Y, key));
    let h2 = hash_mix_upper(select(own, other, below) ^ point_end_y(last, key));
    let third = vec2<f32>(select(near, far, below), f.y + select(-2.0, 1.0, below));
    return SimplexCorners2(vec3<u32>(h0, h1, h2), vec2<f32>(near, f.y), vec2<f32>(far, f.y - 1.0), third);
}

fn simplex_2(cell: vec3<i32>, f: vec3<f32>, key: Key) -> Jet {
    let c = simplex_corners_2(cell, f, key);
    let n0 = simplex_corner_2(c.h.x, c.d0);
    let n1 = simplex_corner_2(c.h.y, c.d1);
    let n2 = simplex_corner_2(c.h.z, c.d2);
    return simplex_jet_2(jet_add(jet_add(n0, n1), n2));
}

// The position of a sample in lattice units, and the difference of the remainders by three along y and z. Frames count units in
// threes along these axes, so that the lattice continues where their cells wrap.
struct SimplexPlace {
    c: vec3<u32>,
    f: vec3<f32>,
    apart: f32,
}

fn simplex_place(cell: vec3<i32>, fraction: vec3<f32>) -> SimplexPlace {
    let units = fraction.yz * 3.0;
    let remainder = floor(units);
    let c = vec3<u32>(cell) * vec3<u32>(1u, 3u, 3u) + vec3<u32>(vec3<i32>(0, vec2<i32>(remainder)));
    return SimplexPlace(c, vec3<f32>(fraction.x, units - remainder), remainder.x - remainder.y);
}

fn simplex_corners_3(cell: vec3<i32>, fraction: vec3<f32>, key: Key) -> SimplexCorners3 {
    let place = simplex_place(cell, fraction);
    let c = place.c;
    let f = place.f;
    let apart = place.apart;
    // A lattice point at or below the sample along every axis: the number of steps back.
    let back_y = select(apart, apart + 3.0, apart < 0.0);
    let back_x = select(0.0, 1.0, ((c.x ^ c.y ^ u32(i32(back_y))) & 1u) != 0u);
    // The sample from there, along (1, 1, 1), (-1, 1, 1) and (0, -2, 1).
    let rx = f.x + back_x;
    let along = (f.z - (f.y + back_y)) * SIMPLEX_THIRD;
    let rest = f.z - along;
    let skewed = vec3<f32>((rest + rx) * 0.5, (rest - rx) * 0.5, along);
    let b = floor(skewed);
    let s = skewed - b;
    // The other corners are steps along these, in the order of the coordinates, that of the largest one first.
    let xy = s.x >= s.y;
    let yz = s.y >= s.z;
    let zx = s.z >= s.x && !(xy && yz);
    let first = vec3<bool>(xy && !zx, yz && !xy, zx && !yz);
    let last = vec3<bool>(zx && !xy, xy && !yz, yz && !zx);
    let p0 = vec3<f32>((b.x - b.y) - back_x, ((b.x + b.y) - (b.z + b.z)) - back_y, (b.x + b.y) + b.z);
    let p1 = p0 + vec3<f32>(select(select(0.0, -1.0, first.y), 1.0, first.x), select(1.0, -2.0, first.z), 1.0);
    let p2 = p0 + vec3<f32>(select(select(0.0, 1.0, last.y), -1.0, last.x), select(-1.0, 2.0, last.z), 2.0);
    let p3 = p0 + vec3<f32>(0.0, 0.0, 3.0);
    let corner = c + vec3<u32>(vec3<i32>(p0));
    let c0 = vec3<u32>(point_begin_x(corner.x), point_begin_y(corner.y), point_begin_z(corner.z));
    let c1 = vec3<u32>(
        select(select(c0.x, c0.x - POINT_STEP_X, first.y), c0.x + POINT_STEP_X, first.x),
        select(c0.y + POINT_STEP_Y, c0.y - 2u * POINT_STEP_Y, first.z),
        c0.z + POINT_STEP_Z,
    );
    let c2 = vec3<u32>(
        select(select(c0.x, c0.x + POINT_STEP_X, last.y), c0.x - POINT_STEP_X, last.x),
        select(c0.y - POINT_STEP_Y, c0.y + 2u * POINT_STEP_Y, last.z),
        c1.z + POINT_STEP_Z,
    );
    let c3 = vec3<u32>(c0.xy, c2.z + POINT_STEP_Z);
    let h = vec4<u32>(simplex_hash_3(c0, key), simplex_hash_3(c1, key), simplex_hash_3(c2, key), simplex_hash_3(c3, key));
    return SimplexCorners3(h, f - p0, f - p1, f - p2, f - p3);
}

fn simplex_3(cell: vec3<i32>, f: vec3<f32>, key: Key) -> Jet {
    let c = simplex_corners_3(cell, f, key);
    let n0 = simplex_corner_3(c.h.x, c.d0);
    let n1 = simplex_corner_3(c.h.y, c.d1);
    let n2 = simplex_corner_3(c.h.z, c.d2);
    let n3 = simplex_corner_3(c.h.w, c.d3);
    return simplex_jet_3(jet_add(jet_add(jet_add(n0, n1), n2), n3));
}

// Along a row of samples: points lie on lines along x, and at most the nearest point of each line is within reach of a sample. All
// lines that may contain a corner are candidates, in the order of summation; points that are not corners contribute 0.

struct SimplexLine {
    // Its contribution to the hashes of its points.
    hash: u32,
    // 1 where its points along x are odd numbers.
    odd: u32,
    across: SimplexAcross,
}

// Candidate k of four.
fn simplex_line_2(cell: vec3<i32>, f: vec3<f32>, k: u32, key: Key) -> SimplexLine {
    let line = select(i32(k), select(-1, 2, k == 3u), k >= 2u);
    let y = u32(cell.y + line);
    return SimplexLine(point_end_y(point_begin_y(y), key), y & 1u, simplex_across_2(f.y - f32(line)));
}

// Candidate k of twelve: two of each layer along z.
fn simplex_line_3(place: SimplexPlace, k: u32, key: Key) -> SimplexLine {
    let layer = i32(k >> 1u) - 2;
    // From 3 to 12, so 11 / 32 is as good as a third.
    let turn = layer + 7 - i32(place.apart);
    let line = turn - 3 * ((11 * turn) >> 5u) - 1 + 3 * i32(k & 1u);
    let y = place.c.y + u32(line);
    let hash = point_end_y(point_begin_y(y), key) ^ point_end_z(point_begin_z(place.c.z + u32(layer)), key);
    return SimplexLine(hash, y & 1u, simplex_across_3(place.f.yz - vec2<f32>(f32(line), f32(layer))));
}

// Candidates within reach in 3D, one bit for each. Every third layer has its lines at the same places. (The added constant keeps a
// third of a multiple of three from being rounded down.)
fn simplex_lines_3(place: SimplexPlace) -> u32 {
    let turns = vec3<f32>(5.0, 6.0, 7.0) - place.apart;
    let lines = turns - 3.0 * floor(turns * SIMPLEX_THIRD + 0.01) - 1.0;
    let y = place.f.y - lines;
    let next = place.f.y - (lines + 3.0);
    let below = place.f.z + vec3<f32>(2.0, 1.0, 0.0);
    let above = place.f.z - vec3<f32>(1.0, 2.0, 3.0);
    let left_below = SIMPLEX_REACH - below * (below * SIMPLEX_SIXTH);
    let left_above = SIMPLEX_REACH - above * (above * SIMPLEX_SIXTH);
    let pulled = y * (y * SIMPLEX_THIRD);
    let pulled_next = next * (next * SIMPLEX_THIRD);
    let none = vec3<u32>(0u);
    let bits = (select(none, vec3<u32>(1u, 4u, 16u), left_below > pulled) | select(none, vec3<u32>(2u, 8u, 32u), left_below > pulled_next))
        | (select(none, vec3<u32>(64u, 256u, 1024u), left_above > pulled) | select(none, vec3<u32>(128u, 512u, 2048u), left_above > pulled_next));
    return bits.x | (bits.y | bits.z);
}

// The nearer end of a sample's cell that is a point of the line: 0 for the lower one, or 1.
fn simplex_nearer(cell: u32, line: SimplexLine) -> u32 {
    return (cell ^ line.odd) & 1u;
}

// The point at x on a line.

fn simplex_on_2(x: u32, line: SimplexLine, key: Key) -> SimplexPoint {
    return simplex_point_2(hash_mix_upper(point_end_x(point_begin_x(x), key) ^ line.hash), line.across);
}

fn simplex_on_3(x: u32, line: SimplexLine, key: Key) -> SimplexPoint {
    return simplex_point_3(hash_mix_upper(point_end_x(point_begin_x(x), key) ^ line.hash), line.across);
}
