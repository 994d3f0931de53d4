// Simplex noise on the lattice that is skewed along the diagonal of all axes: the 4D noise, and the geometry of permutation289.
// Input is skewed: cell and fraction of the cubic lattice; gradients are per cell of that lattice.
// requires: gradient jet point real

const SKEWED_UNSKEW_3: f32 = 0.16666666666666666;

// (reach − r²)⁴ · g·d and its derivative by d.
fn skewed_corner_3(reach: f32, g: vec3<f32>, d: vec3<f32>) -> vec4<f32> {
    let t = real_max(reach - (d.x * d.x + d.y * d.y + d.z * d.z), 0.0);
    let t2 = t * t;
    let t4 = t2 * t2;
    let slope = g.x * d.x + g.y * d.y + g.z * d.z;
    let k = -8.0 * (t2 * t) * slope;
    return vec4<f32>(t4 * slope, t4 * g.x + k * d.x, t4 * g.y + k * d.y, t4 * g.z + k * d.z);
}

// The corners of the simplex around a fraction in 3D: the sample relative to each, and the steps from the cell to the second and
// third. The first is the cell itself, and the fourth is one step further along every axis.
struct SkewedCorners {
    d0: vec3<f32>,
    d1: vec3<f32>,
    d2: vec3<f32>,
    d3: vec3<f32>,
    second: vec3<f32>,
    third: vec3<f32>,
}

// By the order of the coordinates. Ties are resolved as in the terrain shader's listing, x before y before z before x. Three equal
// coordinates are taken in the order x, y, z, where the listing's corners collapse.
fn skewed_corners_3(f: vec3<f32>) -> SkewedCorners {
    let xy = f.x >= f.y;
    let yz = f.y >= f.z;
    let zx = f.z >= f.x && !(xy && yz);
    let second = select(vec3<f32>(0.0), vec3<f32>(1.0), vec3<bool>(xy && !zx, yz && !xy, zx && !yz));
    let third = select(vec3<f32>(0.0), vec3<f32>(1.0), vec3<bool>(xy || !zx, yz || !xy, zx || !yz));
    let d0 = f - (f.x + f.y + f.z) * SKEWED_UNSKEW_3;
    return SkewedCorners(
        d0,
        d0 - second + SKEWED_UNSKEW_3,
        d0 - third + 2.0 * SKEWED_UNSKEW_3,
        d0 - 1.0 + 3.0 * SKEWED_UNSKEW_3,
        second,
        third,
    );
}

// Gradient per unskewed cell → per cell of the cubic lattice.
fn skewed_unskew_3(n: vec4<f32>) -> Jet {
    let s = (n.y + n.z + n.w) * SKEWED_UNSKEW_3;
    return Jet(n.x, vec3<f32>(n.y - s, n.z - s, n.w - s));
}

// Value, and gradient per cell of the cubic lattice along all four axes.
struct Skewed4 {
    value: f32,
    gradient: vec4<f32>,
}

fn skewed_corner_4(total: Skewed4, c: vec4<u32>, d: vec4<f32>, key: Key) -> Skewed4 {
    let g = gradient_4(point_skewed_4(c.x, c.y, c.z, c.w, key), 0.5773502691896258);
    return skewed_added_4(total, 0.5, g, d);
}

// The sum with the contribution of a point with this gradient, at an offset.
fn skewed_added_4(total: Skewed4, reach: f32, g: vec4<f32>, d: vec4<f32>) -> Skewed4 {
    let t = real_max(reach - (d.x * d.x + d.y * d.y + d.z * d.z + d.w * d.w), 0.0);
    let t2 = t * t;
    let t4 = t2 * t2;
    let slope = g.x * d.x + g.y * d.y + g.z * d.z + g.w * d.w;
    let k = -8.0 * (t2 * t) * slope;
    return Skewed4(total.value + t4 * slope, total.gradient + (t4 * g + k * d));
}

// For each coordinate, the number of other coordinates that are not larger.
fn skewed_ranks_4(f: vec4<f32>) -> vec4<u32> {
    let xy = u32(f.x >= f.y);
    let xz = u32(f.x >= f.z);
    let xw = u32(f.x >= f.w);
    let yz = u32(f.y >= f.z);
    let yw = u32(f.y >= f.w);
    let zw = u32(f.z >= f.w);
    return vec4<u32>(xy + xz + xw, (1u - xy) + yz + yw, (2u - xz - yz) + zw, 3u - xw - yw - zw);
}

fn skewed_simplex_4(cell: vec3<i32>, f: vec3<f32>, w: i32, fw: f32, key: Key) -> Skewed4 {
    let unskew = 0.1381966011250105;
    let c = vec4<u32>(vec4<i32>(cell, w));
    let ranks = skewed_ranks_4(vec4<f32>(f, fw));
    let d0 = vec4<f32>(f, fw) - (f.x + f.y + f.z + fw) * unskew;
    var total = skewed_corner_4(Skewed4(0.0, vec4<f32>(0.0)), c, d0, key);
    for (var k = 1u; k < 5u; k++) {
        let step = ranks >= vec4<u32>(4u - k);
        let d = d0 - select(vec4<f32>(0.0), vec4<f32>(1.0), step) + f32(k) * unskew;
        total = skewed_corner_4(total, c + select(vec4<u32>(0u), vec4<u32>(1u), step), d, key);
    }
    // 1 / the largest sum that five of the 32 directions can give, less 1e-2, which leaves room for rounding and for the proof.
    let g = 107.6 * total.gradient;
    return Skewed4(107.6 * total.value, g - (g.x + g.y + g.z + g.w) * unskew);
}
