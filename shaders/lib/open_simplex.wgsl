// The geometry of OpenSimplex2 (K.jpg): a sum over all lattice points within a reach. In 2D the lattice is that of triangles, skewed.
// In 3D it is the body-centred one: integers, and integers plus one half. In 4D it is the lattice of simplexes, skewed.
//
// Points are hashed by their coordinates along rows of the lattice, so that a period changes one coordinate.
// requires: gradient jet point real skewed

const OPEN_SIMPLEX_UNSKEW_2: f32 = 0.21132486540518713;
const OPEN_SIMPLEX_UNSKEW_4: f32 = 0.1381966011250105;

// The shape of a noise: the square of its reach, less 2^-20 of it, and the parts of its gradients.

const OPEN_SIMPLEX_REACH_2: f32 = 0.4999995231628418;
const OPEN_SIMPLEX_DIRECTIONS_2: vec4<f32> = vec4<f32>(97.29389981600046, 82.48178554041249, 19.352959943999924, 55.112567115544536);
const OPEN_SIMPLEX_SMOOTH_REACH_2: f32 = 0.6666660308837891;
const OPEN_SIMPLEX_SMOOTH_DIRECTIONS_2: vec4<f32> = vec4<f32>(17.840484250534764, 15.124432247783298, 3.548692957473373, 10.105822538626564);

struct OpenSimplex3 {
    reach: f32,
    directions: vec3<f32>,
}

const OPEN_SIMPLEX_PLAIN_3: OpenSimplex3 = OpenSimplex3(0.5999994277954102, vec3<f32>(34.937371600186445, 22.03157422160166, 9.125776843016872));
const OPEN_SIMPLEX_SMOOTH_3: OpenSimplex3 = OpenSimplex3(0.7499992847442627, vec3<f32>(9.79567912950854, 6.17717423801881, 2.55866934652908));

// The contribution in 2D of the point with these coordinates along the rows, at an offset: its value and gradient.
fn open_simplex_point_2(rows: vec2<u32>, d: vec2<f32>, reach: f32, directions: vec4<f32>, key: Key) -> vec3<f32> {
    let g = gradient_2(point_cubic_2(rows.x, rows.y, key), directions, directions);
    let t = real_max(reach - (d.x * d.x + d.y * d.y), 0.0);
    let t2 = t * t;
    let t4 = t2 * t2;
    let slope = g.x * d.x + g.y * d.y;
    let k = -8.0 * (t2 * t) * slope;
    return vec3<f32>(t4 * slope, t4 * g.x + k * d.x, t4 * g.y + k * d.y);
}

// The offset of a sample from a point a step away, given its offset from the first.
fn open_simplex_offset_2(d: vec2<f32>, step: vec2<f32>) -> vec2<f32> {
    return d - step + (step.x + step.y) * OPEN_SIMPLEX_UNSKEW_2;
}

fn open_simplex_unskew_2(n: vec3<f32>) -> Jet {
    let back = (n.y + n.z) * OPEN_SIMPLEX_UNSKEW_2;
    return Jet(n.x, vec3<f32>(n.y - back, n.z - back, 0.0));
}

// OpenSimplex2: the three corners of a triangle.
fn open_simplex_2(cell: vec3<i32>, f: vec3<f32>, key: Key) -> Jet {
    let reach = OPEN_SIMPLEX_REACH_2;
    let directions = OPEN_SIMPLEX_DIRECTIONS_2;
    let c = vec2<u32>(cell.xy);
    let p = c.x - c.y;
    let q = c.x + c.y;
    let d = f.xy - (f.x + f.y) * OPEN_SIMPLEX_UNSKEW_2;
    let right = f.x >= f.y;
    let step = select(vec2<f32>(0.0, 1.0), vec2<f32>(1.0, 0.0), right);
    let rows = vec2<u32>(p + select(0xffffffffu, 1u, right), q + 1u);
    var sum = open_simplex_point_2(vec2<u32>(p, q), d, reach, directions, key);
    sum = sum + open_simplex_point_2(rows, open_simplex_offset_2(d, step), reach, directions, key);
    sum = sum + open_simplex_point_2(vec2<u32>(p, q + 2u), open_simplex_offset_2(d, vec2<f32>(1.0, 1.0)), reach, directions, key);
    return open_simplex_unskew_2(sum);
}

// OpenSimplex2S: four points. The first is the nearer one of the two corners that every sample of the cell shares.
fn open_simplex_smooth_2(cell: vec3<i32>, f: vec3<f32>, key: Key) -> Jet {
    let reach = OPEN_SIMPLEX_SMOOTH_REACH_2;
    let directions = OPEN_SIMPLEX_SMOOTH_DIRECTIONS_2;
    let far = f.x + f.y >= 1.0;
    let c = vec2<u32>(cell.xy) + select(0u, 1u, far);
    let u = f.xy - select(0.0, 1.0, far);
    let p = c.x - c.y;
    let q = c.x + c.y;
    let d = u - (u.x + u.y) * OPEN_SIMPLEX_UNSKEW_2;
    let right = u.x + u.x - u.y >= 0.0;
    let up = u.y + u.y - u.x >= 0.0;
    let opposite = select(1.0, -1.0, far);
    let k = select(0xffffffffu, 1u, right);
    let l = select(0xffffffffu, 1u, up);
    let second = open_simplex_offset_2(d, vec2<f32>(opposite, opposite));
    let third = open_simplex_offset_2(d, vec2<f32>(select(-1.0, 1.0, right), 0.0));
    let fourth = open_simplex_offset_2(d, vec2<f32>(0.0, select(-1.0, 1.0, up)));
    var sum = open_simplex_point_2(vec2<u32>(p, q), d, reach, directions, key);
    sum = sum + open_simplex_point_2(vec2<u32>(p, q + select(2u, 0xfffffffeu, far)), second, reach, directions, key);
    sum = sum + open_simplex_point_2(vec2<u32>(p + k, q + k), third, reach, directions, key);
    sum = sum + open_simplex_point_2(vec2<u32>(p - l, q + l), fourth, reach, directions, key);
    return open_simplex_unskew_2(sum);
}

// One of the two cubic lattices of the body-centred lattice, from its point nearest to the sample.
struct OpenSimplexCubes {
    // The point, without the half of the second lattice, and three times the half, twice.
    point: vec3<u32>,
    halves: u32,
    // The offset from it.
    d: vec3<f32>,
    // The step to the next nearest point along each axis.
    step: vec3<f32>,
}

// The contribution of the nearest point.
fn open_simplex_point_3(at: OpenSimplexCubes, shape: OpenSimplex3, key: Key) -> vec4<f32> {
    let sum = at.point.x + at.point.y;
    let layer = sum + at.point.z;
    let h = point_cubic_3(at.point.x - at.point.y, sum - at.point.z - at.point.z, layer + layer + at.halves, key);
    return skewed_corner_3(shape.reach, gradient_3(h, shape.directions, shape.directions, shape.directions), at.d);
}

// The contribution of the point a step away along some axes.
fn open_simplex_stepped_3(at: OpenSimplexCubes, along: vec3<bool>, shape: OpenSimplex3, key: Key) -> vec4<f32> {
    let step = select(vec3<f32>(0.0), at.step, along);
    let point = at.point + vec3<u32>(vec3<i32>(step));
    return open_simplex_point_3(OpenSimplexCubes(point, at.halves, at.d - step, at.step), shape, key);
}

fn open_simplex_corners_3(cell: vec3<i32>, f: vec3<f32>) -> OpenSimplexCubes {
    let upper = f >= vec3<f32>(0.5);
    let point = vec3<u32>(cell) + select(vec3<u32>(0u), vec3<u32>(1u), upper);
    let d = f - select(vec3<f32>(0.0), vec3<f32>(1.0), upper);
    return OpenSimplexCubes(point, 0u, d, select(vec3<f32>(1.0), vec3<f32>(-1.0), upper));
}

fn open_simplex_centres_3(cell: vec3<i32>, f: vec3<f32>) -> OpenSimplexCubes {
    let step = select(vec3<f32>(-1.0), vec3<f32>(1.0), f >= vec3<f32>(0.5));
    return OpenSimplexCubes(vec3<u32>(cell), 3u, f - 0.5, step);
}

// OpenSimplex2: six points.
fn open_simplex_3(cell: vec3<i32>, f: vec3<f32>, key: Key) -> Jet {
    let shape = OPEN_SIMPLEX_PLAIN_3;
    let corners = open_simplex_corners_3(cell, f);
    let centres = open_simplex_centres_3(cell, f);
    let a = abs(corners.d);
    let xy = a.x >= a.y;
    let xz = a.x >= a.z;
    let yz = a.y >= a.z;
    let most = vec3<bool>(xy && xz, !xy && yz, !xz && !yz);
    let least = vec3<bool>(!xy && !xz, xy && !yz, xz && yz);
    let middle = vec3<bool>(!least.x && !most.x, !least.y && !most.y, !least.z && !most.z);
    var sum = open_simplex_point_3(corners, shape, key);
    sum = sum + open_simplex_stepped_3(corners, most, shape, key);
    sum = sum + open_simplex_point_3(centres, shape, key);
    sum = sum + open_simplex_stepped_3(centres, least, shape, key);
    // Further points are within the reach in one of the two cubic lattices only: steps along the middle axis, or along two.
    let inner = select(select(a.z, a.y, middle.y), a.x, middle.x) >= 0.25;
    var other = centres;
    if inner {
        other = corners;
    }
    let both = vec3<bool>(select(!most.x, !least.x, inner), select(!most.y, !least.y, inner), select(!most.z, !least.z, inner));
    sum = sum + open_simplex_stepped_3(other, middle, shape, key);
    sum = sum + open_simplex_stepped_3(other, both, shape, key);
    return Jet(sum.x, sum.yzw);
}

// OpenSimplex2S: eight points. Of the point a step away along one axis and that away along both others, at most one is within the
// reach.
fn open_simplex_smooth_3(cell: vec3<i32>, f: vec3<f32>, key: Key) -> Jet {
    let shape = OPEN_SIMPLEX_SMOOTH_3;
    let corners = open_simplex_corners_3(cell, f);
    let centres = open_simplex_centres_3(cell, f);
    let a = abs(corners.d);
    let across = vec3<f32>(a.y + a.z - a.x, a.x + a.z - a.y, a.x + a.y - a.z);
    var sum = open_simplex_point_3(corners, shape, key);
    let far = across > vec3<f32>(0.5);
    sum = sum + open_simplex_stepped_3(corners, vec3<bool>(!far.x, far.x, far.x), shape, key);
    sum = sum + open_simplex_stepped_3(corners, vec3<bool>(far.y, !far.y, far.y), shape, key);
    sum = sum + open_simplex_stepped_3(corners, vec3<bool>(far.z, far.z, !far.z), shape, key);
    sum = sum + open_simplex_point_3(centres, shape, key);
    let near = across < vec3<f32>(0.0);
    sum = sum + open_simplex_stepped_3(centres, vec3<bool>(!near.x, near.x, near.x), shape, key);
    sum = sum + open_simplex_stepped_3(centres, vec3<bool>(near.y, !near.y, near.y), shape, key);
    sum = sum + open_simplex_stepped_3(centres, vec3<bool>(near.z, near.z, !near.z), shape, key);
    return Jet(sum.x, sum.yzw);
}

// The sample's place in its cell in 4D.
struct OpenSimplexCell4 {
    cell: vec4<u32>,
    // The offset from the cell, not skewed.
    d: vec4<f32>,
    // The fractions in descending order.
    sorted: vec4<f32>,
    // For each axis, the number of other fractions that are not larger.
    ranks: vec4<u32>,
    reach: f32,
    third: f32,
}

fn open_simplex_cell_4(cell: vec4<i32>, f: vec4<f32>, reach: f32, third: f32) -> OpenSimplexCell4 {
    let a = real_max(f.x, f.y);
    let b = real_min(f.x, f.y);
    let c = real_max(f.z, f.w);
    let d = real_min(f.z, f.w);
    let m = real_min(a, c);
    let n = real_max(b, d);
    let sorted = vec4<f32>(real_max(a, c), real_max(m, n), real_min(m, n), real_min(b, d));
    return OpenSimplexCell4(vec4<u32>(cell), f - (f.x + f.y + f.z + f.w) * OPEN_SIMPLEX_UNSKEW_4, sorted, skewed_ranks_4(f), reach, third);
}

// The steps of a point along the axes in descending order of the fractions, packed in 2 bits each, from -1 to 2.
fn open_simplex_steps_4(packed: u32) -> vec4<i32> {
    return vec4<i32>((vec4<u32>(packed) >> vec4<u32>(0u, 2u, 4u, 6u)) & vec4<u32>(3u)) - 1;
}

// Five times the square of the sample's distance from the cell, less that from a point.
fn open_simplex_nearer_4(f: vec4<f32>, packed: u32) -> f32 {
    let p = open_simplex_steps_4(packed);
    let sum = p.x + p.y + p.z + p.w;
    let squares = p.x * p.x + p.y * p.y + p.z * p.z + p.w * p.w;
    let by = vec4<f32>(10 * p - 2 * sum);
    return f.x * by.x + f.y * by.y + f.z * by.z + f.w * by.w - f32(5 * squares - sum * sum);
}

// The sum with the contribution of the nearest of three points. At most one of them is within the reach.
fn open_simplex_slot_4(total: Skewed4, at: OpenSimplexCell4, slot: vec3<u32>, key: Key) -> Skewed4 {
    var packed = slot.x;
    if slot.y != slot.x {
        let first = open_simplex_nearer_4(at.sorted, slot.x);
        let second = open_simplex_nearer_4(at.sorted, slot.y);
        packed = select(packed, slot.y, first < second);
        if slot.z != slot.y {
            packed = select(packed, slot.z, real_max(first, second) < open_simplex_nearer_4(at.sorted, slot.z));
        }
    }
    let p = open_simplex_steps_4(packed);
    let third = select(vec4<i32>(p.w), vec4<i32>(p.z), at.ranks >= vec4<u32>(1u));
    let second = select(third, vec4<i32>(p.y), at.ranks >= vec4<u32>(2u));
    let steps = select(second, vec4<i32>(p.x), at.ranks == vec4<u32>(3u));
    let c = at.cell + vec4<u32>(steps);
    let d = at.d - vec4<f32>(steps) + f32(steps.x + steps.y + steps.z + steps.w) * OPEN_SIMPLEX_UNSKEW_4;
    let g = gradient_4(point_rows_4(c.x, c.y, c.z, c.w, key), at.third);
    return skewed_added_4(total, at.reach, g, d);
}

fn open_simplex_unskew_4(sum: Skewed4) -> Skewed4 {
    let g = sum.gradient;
    return Skewed4(sum.value, g - (g.x + g.y + g.z + g.w) * OPEN_SIMPLEX_UNSKEW_4);
}

// OpenSimplex2: eight points.
fn open_simplex_4(cell: vec3<i32>, f: vec3<f32>, w: i32, fw: f32, key: Key) -> Skewed4 {
    let at = open_simplex_cell_4(vec4<i32>(cell, w), vec4<f32>(f, fw), 0.5999994277954102, 26.55811238272279);
    var sum = open_simplex_slot_4(Skewed4(0.0, vec4<f32>(0.0)), at, vec3<u32>(85u), key);
    sum = open_simplex_slot_4(sum, at, vec3<u32>(86u), key);
    sum = open_simplex_slot_4(sum, at, vec3<u32>(90u), key);
    sum = open_simplex_slot_4(sum, at, vec3<u32>(106u), key);
    sum = open_simplex_slot_4(sum, at, vec3<u32>(170u), key);
    sum = open_simplex_slot_4(sum, at, vec3<u32>(21u, 171u, 171u), key);
    sum = open_simplex_slot_4(sum, at, vec3<u32>(89u, 102u, 102u), key);
    sum = open_simplex_slot_4(sum, at, vec3<u32>(154u), key);
    return open_simplex_unskew_4(sum);
}

// OpenSimplex2S: ten points.
fn open_simplex_smooth_4(cell: vec3<i32>, f: vec3<f32>, w: i32, fw: f32, key: Key) -> Skewed4 {
    let at = open_simplex_cell_4(vec4<i32>(cell, w), vec4<f32>(f, fw), 0.7999992370605469, 5.369357503463521);
    var sum = open_simplex_slot_4(Skewed4(0.0, vec4<f32>(0.0)), at, vec3<u32>(85u, 110u, 91u), key);
    sum = open_simplex_slot_4(sum, at, vec3<u32>(86u, 191u, 186u), key);
    sum = open_simplex_slot_4(sum, at, vec3<u32>(90u, 149u, 169u), key);
    sum = open_simplex_slot_4(sum, at, vec3<u32>(106u, 70u, 81u), key);
    sum = open_simplex_slot_4(sum, at, vec3<u32>(170u, 26u, 1u), key);
    sum = open_simplex_slot_4(sum, at, vec3<u32>(21u, 175u, 166u), key);
    sum = open_simplex_slot_4(sum, at, vec3<u32>(89u, 22u, 150u), key);
    sum = open_simplex_slot_4(sum, at, vec3<u32>(102u, 174u, 69u), key);
    sum = open_simplex_slot_4(sum, at, vec3<u32>(154u, 107u, 105u), key);
    sum = open_simplex_slot_4(sum, at, vec3<u32>(171u, 5u, 101u), key);
    return open_simplex_unskew_4(sum);
}
