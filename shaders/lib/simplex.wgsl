// Simplex noise: the corner nearest in each direction contributes its gradient's slope times a falloff.
// Input is skewed: cell and fraction of the cubic lattice; gradients are per cell of that lattice.
// requires: hash jet point real

const SIMPLEX_UNSKEW_2: f32 = 0.21132486540518713;
const SIMPLEX_UNSKEW_3: f32 = 0.16666666666666666;

// One of 16 directions, evenly spaced from 11.25 degrees on.
fn simplex_gradient_2(h: u32) -> vec2<f32> {
    let steep = (h & 0x80000000u) != 0u;
    let long = select(0.9807852804032304, 0.8314696123025452, steep);
    let short = select(0.19509032201612825, 0.5555702330196022, steep);
    let swap = (h & 0x40000000u) != 0u;
    return vec2<f32>(hash_sign(select(long, short, swap), h, 29u), hash_sign(select(short, long, swap), h, 28u));
}

// One of 48 directions: the permutations of (1, 1 + √2, 1 + 2√2) with all signs, normalised.
fn simplex_gradient_3(h: u32) -> vec3<f32> {
    let long = 0.8259425910209562;
    let swap = (h & 1u) != 0u;
    let u = select(0.5208409981466113, 0.21573940527226648, swap);
    let v = select(0.21573940527226648, 0.5208409981466113, swap);
    let axis = ((h >> 8u) * 3u) >> 24u;
    let x = select(u, long, axis == 0u);
    let y = select(select(v, u, axis == 0u), long, axis == 1u);
    let z = select(v, long, axis == 2u);
    return vec3<f32>(hash_sign(x, h, 1u), hash_sign(y, h, 2u), hash_sign(z, h, 3u));
}

// One of 32 directions: (0, ±1, ±1, ±1) with the 0 in any place, normalised. Three signs for three axes: the last takes that of
// the one which is empty.
fn simplex_gradient_4(h: u32) -> vec4<f32> {
    let third = 0.5773502691896258;
    let place = h >> 30u;
    return vec4<f32>(
        select(hash_sign(third, h, 0u), 0.0, place == 0u),
        select(hash_sign(third, h, 1u), 0.0, place == 1u),
        select(hash_sign(third, h, 2u), 0.0, place == 2u),
        select(hash_sign(third, h, select(0u, place, place < 3u)), 0.0, place == 3u),
    );
}

// (reach − r²)⁴ · g·d and its derivative by d.
fn simplex_corner_2(reach: f32, g: vec2<f32>, d: vec2<f32>) -> vec3<f32> {
    let t = real_max(reach - (d.x * d.x + d.y * d.y), 0.0);
    let t2 = t * t;
    let t4 = t2 * t2;
    let slope = g.x * d.x + g.y * d.y;
    let k = -8.0 * (t2 * t) * slope;
    return vec3<f32>(t4 * slope, t4 * g.x + k * d.x, t4 * g.y + k * d.y);
}

fn simplex_corner_3(reach: f32, g: vec3<f32>, d: vec3<f32>) -> vec4<f32> {
    let t = real_max(reach - (d.x * d.x + d.y * d.y + d.z * d.z), 0.0);
    let t2 = t * t;
    let t4 = t2 * t2;
    let slope = g.x * d.x + g.y * d.y + g.z * d.z;
    let k = -8.0 * (t2 * t) * slope;
    return vec4<f32>(t4 * slope, t4 * g.x + k * d.x, t4 * g.y + k * d.y, t4 * g.z + k * d.z);
}

// The corners of the simplex around a fraction in 3D: the sample as seen from each, and the steps from the cell to the
// second and third (the first is the cell itself, the fourth lies one further along every axis).
struct SimplexCorners {
    d0: vec3<f32>,
    d1: vec3<f32>,
    d2: vec3<f32>,
    d3: vec3<f32>,
    second: vec3<u32>,
    third: vec3<u32>,
}

// By the order of the coordinates. Ties as in the terrain shader's listing, x before y before z before x, except that
// three equal coordinates are taken in the order x, y, z: the listing's corners collapse there.
fn simplex_corners_3(f: vec3<f32>) -> SimplexCorners {
    let xy = f.x >= f.y;
    let yz = f.y >= f.z;
    let zx = f.z >= f.x && !(xy && yz);
    let second = vec3<bool>(xy && !zx, yz && !xy, zx && !yz);
    let third = vec3<bool>(xy || !zx, yz || !xy, zx || !yz);
    let d0 = f - (f.x + f.y + f.z) * SIMPLEX_UNSKEW_3;
    return SimplexCorners(
        d0,
        d0 - select(vec3<f32>(0.0), vec3<f32>(1.0), second) + SIMPLEX_UNSKEW_3,
        d0 - select(vec3<f32>(0.0), vec3<f32>(1.0), third) + 2.0 * SIMPLEX_UNSKEW_3,
        d0 - 1.0 + 3.0 * SIMPLEX_UNSKEW_3,
        select(vec3<u32>(0u), vec3<u32>(1u), second),
        select(vec3<u32>(0u), vec3<u32>(1u), third),
    );
}

fn simplex_2(cell: vec3<i32>, fraction: vec3<f32>, key: Key) -> Jet {
    let f = fraction.xy;
    let c = vec2<u32>(cell.xy);
    let d0 = f - (f.x + f.y) * SIMPLEX_UNSKEW_2;
    let xy = f.x >= f.y;
    let i1 = vec2<f32>(select(0.0, 1.0, xy), select(1.0, 0.0, xy));
    let d1 = d0 - i1 + SIMPLEX_UNSKEW_2;
    let d2 = d0 - 1.0 + 2.0 * SIMPLEX_UNSKEW_2;
    let c1 = c + select(vec2<u32>(0u, 1u), vec2<u32>(1u, 0u), xy);
    let n0 = simplex_corner_2(0.5, simplex_gradient_2(point_simplex_2(c.x, c.y, key)), d0);
    let n1 = simplex_corner_2(0.5, simplex_gradient_2(point_simplex_2(c1.x, c1.y, key)), d1);
    let n2 = simplex_corner_2(0.5, simplex_gradient_2(point_simplex_2(c.x + 1u, c.y + 1u, key)), d2);
    // 1 / the largest sum that three of the 16 directions can give, less 6e-4, which leaves room for rounding and for the proof.
    let n = 99.36 * (n0 + n1 + n2);
    let s = (n.y + n.z) * SIMPLEX_UNSKEW_2;
    return Jet(n.x, vec3<f32>(n.y - s, n.z - s, 0.0));
}

fn simplex_3(cell: vec3<i32>, f: vec3<f32>, key: Key) -> Jet {
    let corners = simplex_corners_3(f);
    let c0 = vec3<u32>(cell);
    let c1 = c0 + corners.second;
    let c2 = c0 + corners.third;
    let n0 = simplex_corner_3(0.5, simplex_gradient_3(point_simplex_3(c0.x, c0.y, c0.z, key)), corners.d0);
    let n1 = simplex_corner_3(0.5, simplex_gradient_3(point_simplex_3(c1.x, c1.y, c1.z, key)), corners.d1);
    let n2 = simplex_corner_3(0.5, simplex_gradient_3(point_simplex_3(c2.x, c2.y, c2.z, key)), corners.d2);
    let n3 = simplex_corner_3(0.5, simplex_gradient_3(point_simplex_3(c0.x + 1u, c0.y + 1u, c0.z + 1u, key)), corners.d3);
    // 1 / the largest sum that four of the 48 directions can give, less 1.3e-3, likewise.
    return simplex_unskew_3(108.3 * (n0 + n1 + n2 + n3));
}

// Gradient per unskewed cell → per cell of the cubic lattice.
fn simplex_unskew_3(n: vec4<f32>) -> Jet {
    let s = (n.y + n.z + n.w) * SIMPLEX_UNSKEW_3;
    return Jet(n.x, vec3<f32>(n.y - s, n.z - s, n.w - s));
}

// Value, and gradient per cell of the cubic lattice along all four axes.
struct Simplex4 {
    value: f32,
    gradient: vec4<f32>,
}

fn simplex_corner_4(total: Simplex4, c: vec4<u32>, d: vec4<f32>, key: Key) -> Simplex4 {
    let g = simplex_gradient_4(point_simplex_4(c.x, c.y, c.z, c.w, key));
    let t = real_max(0.5 - (d.x * d.x + d.y * d.y + d.z * d.z + d.w * d.w), 0.0);
    let t2 = t * t;
    let t4 = t2 * t2;
    let slope = g.x * d.x + g.y * d.y + g.z * d.z + g.w * d.w;
    let k = -8.0 * (t2 * t) * slope;
    return Simplex4(total.value + t4 * slope, total.gradient + (t4 * g + k * d));
}

fn simplex_4(cell: vec3<i32>, f: vec3<f32>, w: i32, fw: f32, key: Key) -> Simplex4 {
    let unskew = 0.1381966011250105;
    let c = vec4<u32>(vec4<i32>(cell, w));
    let xy = u32(f.x >= f.y);
    let xz = u32(f.x >= f.z);
    let xw = u32(f.x >= fw);
    let yz = u32(f.y >= f.z);
    let yw = u32(f.y >= fw);
    let zw = u32(f.z >= fw);
    let ranks = vec4<u32>(xy + xz + xw, (1u - xy) + yz + yw, (2u - xz - yz) + zw, 3u - xw - yw - zw);
    let d0 = vec4<f32>(f, fw) - (f.x + f.y + f.z + fw) * unskew;
    var total = simplex_corner_4(Simplex4(0.0, vec4<f32>(0.0)), c, d0, key);
    for (var k = 1u; k < 5u; k++) {
        let step = ranks >= vec4<u32>(4u - k);
        let d = d0 - select(vec4<f32>(0.0), vec4<f32>(1.0), step) + f32(k) * unskew;
        total = simplex_corner_4(total, c + select(vec4<u32>(0u), vec4<u32>(1u), step), d, key);
    }
    // 1 / the largest sum that five of the 32 directions can give, less 1e-2, which leaves room for rounding and for the proof.
    let g = 107.6 * total.gradient;
    return Simplex4(107.6 * total.value, g - (g.x + g.y + g.z + g.w) * unskew);
}
