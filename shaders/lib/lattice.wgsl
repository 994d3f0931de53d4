// Noise on the cubic lattice: every lattice point contributes an affine function of the offset from it (a constant in value noise, a
// slope in Perlin noise). They are blended along the axes, last axis first. After an axis is blended, the result is affine in the
// previous axes. So along a row of samples, everything except the last blend depends on the cell alone.
//
// requires: gradient hash jet point

// The components of the slopes' directions, scaled. For every weight between the fraction and the nearer end, unit gradients reach at
// most √N/2, so slopes times this fill [-1, 1], less 1e-5 or more for rounding.
const LATTICE_SLOPE_1: f32 = 1.99998;
const LATTICE_SLOPES_2: vec4<f32> = vec4<f32>(1.386928465018208, 1.1757811787570291, 0.27587722436300693, 0.7856318665130194);
const LATTICE_SLOPES_3: vec3<f32> = vec3<f32>(0.9537076504259879, 0.6014098921499106, 0.24911213387383338);
const LATTICE_SLOPE_4: f32 = 0.577344495686934;

// Blends two numbers and returns the slope of the blend along its axis. The numbers are a at the lower point and b at the upper,
// each already moved along the axis, with slopes sa and sb there. Weight w = (weight, slope of the weight).
fn lattice_slope(a: f32, b: f32, sa: f32, sb: f32, w: vec2<f32>) -> f32 {
    return (sa + w.x * (sb - sa)) + w.y * (b - a);
}

fn lattice_lerp(a: f32, b: f32, w: vec2<f32>) -> f32 {
    return a + w.x * (b - a);
}

// An affine function of x: slope and constant; its derivatives by y and z are such functions too.
struct LatticeLine {
    s: f32,
    k: f32,
    sy: f32,
    ky: f32,
    sz: f32,
    kz: f32,
}

// The last blend, along x.
fn lattice_along_x(a: LatticeLine, b: LatticeLine, f: f32, w: vec2<f32>) -> Jet {
    let g = f - 1.0;
    let va = a.k + a.s * f;
    let vb = b.k + b.s * g;
    return Jet(
        lattice_lerp(va, vb, w),
        vec3<f32>(
            lattice_slope(va, vb, a.s, b.s, w),
            lattice_lerp(a.ky + a.sy * f, b.ky + b.sy * g, w),
            lattice_lerp(a.kz + a.sz * f, b.kz + b.sz * g, w),
        ),
    );
}

// An affine function of x and y: slopes and constant; its derivative by z is such a function too.
struct LatticePlane {
    x: f32,
    y: f32,
    k: f32,
    xz: f32,
    yz: f32,
    kz: f32,
}

// The blend along y.
fn lattice_along_y(a: LatticePlane, b: LatticePlane, f: f32, w: vec2<f32>) -> LatticeLine {
    let g = f - 1.0;
    let va = a.k + a.y * f;
    let vb = b.k + b.y * g;
    return LatticeLine(
        lattice_lerp(a.x, b.x, w),
        lattice_lerp(va, vb, w),
        w.y * (b.x - a.x),
        lattice_slope(va, vb, a.y, b.y, w),
        lattice_lerp(a.xz, b.xz, w),
        lattice_lerp(a.kz + a.yz * f, b.kz + b.yz * g, w),
    );
}

// The blend along z of two affine functions of x, y and z: slopes, and the constant in w.
fn lattice_along_z(a: vec4<f32>, b: vec4<f32>, f: f32, w: vec2<f32>) -> LatticePlane {
    let va = a.w + a.z * f;
    let vb = b.w + b.z * (f - 1.0);
    return LatticePlane(
        lattice_lerp(a.x, b.x, w),
        lattice_lerp(a.y, b.y, w),
        lattice_lerp(va, vb, w),
        w.y * (b.x - a.x),
        w.y * (b.y - a.y),
        lattice_slope(va, vb, a.z, b.z, w),
    );
}

fn lattice_flat(g: vec2<f32>) -> LatticePlane {
    return LatticePlane(g.x, g.y, 0.0, 0.0, 0.0, 0.0);
}

fn lattice_slopes_2(x: u32, y: u32, key: Key) -> LatticePlane {
    return lattice_flat(gradient_2(hash_mixed_upper(hash_parts_2(x, y, key.seed)), LATTICE_SLOPES_2, LATTICE_SLOPES_2));
}

fn lattice_slopes_3(x: u32, y: u32, z: u32, key: Key) -> vec4<f32> {
    let h = hash_mixed_upper(hash_parts_3(x, y, z, key.seed));
    return vec4<f32>(gradient_3(h, LATTICE_SLOPES_3, LATTICE_SLOPES_3, LATTICE_SLOPES_3), 0.0);
}

fn lattice_perlin_1(cell: vec3<i32>, f: vec3<f32>, key: Key, wx: vec2<f32>) -> Jet {
    let c = point_cell(cell, key);
    let n = point_after(c, key);
    let a = LatticeLine(hash_signed(hash_1(c.x, key.seed)) * LATTICE_SLOPE_1, 0.0, 0.0, 0.0, 0.0, 0.0);
    let b = LatticeLine(hash_signed(hash_1(n.x, key.seed)) * LATTICE_SLOPE_1, 0.0, 0.0, 0.0, 0.0, 0.0);
    return lattice_along_x(a, b, f.x, wx);
}

// The lattice points at one x, blended along y.
fn lattice_perlin_at_2(x: u32, c: vec3<u32>, n: vec3<u32>, f: vec3<f32>, key: Key, wy: vec2<f32>) -> LatticeLine {
    return lattice_along_y(lattice_slopes_2(x, c.y, key), lattice_slopes_2(x, n.y, key), f.y, wy);
}

fn lattice_perlin_2(cell: vec3<i32>, f: vec3<f32>, key: Key, wx: vec2<f32>, wy: vec2<f32>) -> Jet {
    let c = point_cell(cell, key);
    let n = point_after(c, key);
    return lattice_along_x(lattice_perlin_at_2(c.x, c, n, f, key, wy), lattice_perlin_at_2(n.x, c, n, f, key, wy), f.x, wx);
}

// The column of lattice points at one x and y, blended along z, where they lie at these two coordinates.
fn lattice_column_3(x: u32, y: u32, z: vec2<u32>, fz: f32, key: Key, wz: vec2<f32>) -> LatticePlane {
    let a = lattice_slopes_3(x, y, z.x, key);
    let b = lattice_slopes_3(x, y, z.y, key);
    return lattice_along_z(a, b, fz, wz);
}

// The lattice points at one x, blended along z and y.
fn lattice_perlin_at_3(
    x: u32,
    c: vec3<u32>,
    n: vec3<u32>,
    f: vec3<f32>,
    key: Key,
    wy: vec2<f32>,
    wz: vec2<f32>,
) -> LatticeLine {
    let z = vec2<u32>(c.z, n.z);
    return lattice_along_y(lattice_column_3(x, c.y, z, f.z, key, wz), lattice_column_3(x, n.y, z, f.z, key, wz), f.y, wy);
}

fn lattice_perlin_3(cell: vec3<i32>, f: vec3<f32>, key: Key, wx: vec2<f32>, wy: vec2<f32>, wz: vec2<f32>) -> Jet {
    let c = point_cell(cell, key);
    let n = point_after(c, key);
    let a = lattice_perlin_at_3(c.x, c, n, f, key, wy, wz);
    let b = lattice_perlin_at_3(n.x, c, n, f, key, wy, wz);
    return lattice_along_x(a, b, f.x, wx);
}

// Value noise: constants instead of slopes. Pairs are (value, derivative by z), triples (value, by y, by z).

fn lattice_between_1(a: f32, b: f32, wx: vec2<f32>) -> Jet {
    return Jet(lattice_lerp(a, b, wx), vec3<f32>(wx.y * (b - a), 0.0, 0.0));
}

fn lattice_value_1(cell: vec3<i32>, f: vec3<f32>, key: Key, wx: vec2<f32>) -> Jet {
    let c = point_cell(cell, key);
    let n = point_after(c, key);
    return lattice_between_1(hash_signed(hash_1(c.x, key.seed)), hash_signed(hash_1(n.x, key.seed)), wx);
}

fn lattice_values_along_z(a: f32, b: f32, w: vec2<f32>) -> vec2<f32> {
    return vec2<f32>(lattice_lerp(a, b, w), w.y * (b - a));
}

fn lattice_values_along_y(a: vec2<f32>, b: vec2<f32>, w: vec2<f32>) -> vec3<f32> {
    return vec3<f32>(lattice_lerp(a.x, b.x, w), w.y * (b.x - a.x), lattice_lerp(a.y, b.y, w));
}

fn lattice_values_along_x(a: vec3<f32>, b: vec3<f32>, w: vec2<f32>) -> Jet {
    return Jet(lattice_lerp(a.x, b.x, w), vec3<f32>(w.y * (b.x - a.x), lattice_lerp(a.y, b.y, w), lattice_lerp(a.z, b.z, w)));
}

// The lattice points at one x, blended along y.
fn lattice_value_at_2(x: u32, c: vec3<u32>, n: vec3<u32>, f: vec3<f32>, key: Key, wy: vec2<f32>) -> vec3<f32> {
    let lower = vec2<f32>(hash_signed(hash_2(x, c.y, key.seed)), 0.0);
    let upper = vec2<f32>(hash_signed(hash_2(x, n.y, key.seed)), 0.0);
    return lattice_values_along_y(lower, upper, wy);
}

fn lattice_value_2(cell: vec3<i32>, f: vec3<f32>, key: Key, wx: vec2<f32>, wy: vec2<f32>) -> Jet {
    let c = point_cell(cell, key);
    let n = point_after(c, key);
    return lattice_values_along_x(lattice_value_at_2(c.x, c, n, f, key, wy), lattice_value_at_2(n.x, c, n, f, key, wy), wx);
}

fn lattice_values_3(x: u32, y: u32, z: vec2<u32>, key: Key, w: vec2<f32>) -> vec2<f32> {
    return lattice_values_along_z(hash_signed(hash_3(x, y, z.x, key.seed)), hash_signed(hash_3(x, y, z.y, key.seed)), w);
}

// The lattice points at one x, blended along z and y.
fn lattice_value_at_3(
    x: u32,
    c: vec3<u32>,
    n: vec3<u32>,
    f: vec3<f32>,
    key: Key,
    wy: vec2<f32>,
    wz: vec2<f32>,
) -> vec3<f32> {
    let z = vec2<u32>(c.z, n.z);
    return lattice_values_along_y(lattice_values_3(x, c.y, z, key, wz), lattice_values_3(x, n.y, z, key, wz), wy);
}

fn lattice_value_3(cell: vec3<i32>, f: vec3<f32>, key: Key, wx: vec2<f32>, wy: vec2<f32>, wz: vec2<f32>) -> Jet {
    let c = point_cell(cell, key);
    let n = point_after(c, key);
    let a = lattice_value_at_3(c.x, c, n, f, key, wy, wz);
    let b = lattice_value_at_3(n.x, c, n, f, key, wy, wz);
    return lattice_values_along_x(a, b, wx);
}

// In 4D: the pair of lattice points along w, already blended, as (slopes along x, y and z; constant). The derivative by w is not
// computed, because w is not a direction of the world.
fn lattice_perlin_along_w(x: u32, y: u32, z: u32, w: vec2<u32>, fw: f32, key: Key, ww: vec2<f32>) -> vec4<f32> {
    let a = gradient_4(hash_4(x, y, z, w.x, key.seed), LATTICE_SLOPE_4);
    let b = gradient_4(hash_4(x, y, z, w.y, key.seed), LATTICE_SLOPE_4);
    return vec4<f32>(
        lattice_lerp(a.x, b.x, ww),
        lattice_lerp(a.y, b.y, ww),
        lattice_lerp(a.z, b.z, ww),
        lattice_lerp(a.w * fw, b.w * (fw - 1.0), ww),
    );
}

fn lattice_column_4(x: u32, y: u32, z: vec2<u32>, w: vec2<u32>, fz: f32, fw: f32, key: Key, wz: vec2<f32>, ww: vec2<f32>) -> LatticePlane {
    let a = lattice_perlin_along_w(x, y, z.x, w, fw, key, ww);
    let b = lattice_perlin_along_w(x, y, z.y, w, fw, key, ww);
    return lattice_along_z(a, b, fz, wz);
}

// The lattice points at one x, blended along w, z and y.
fn lattice_perlin_at_4(
    x: u32,
    c: vec3<u32>,
    n: vec3<u32>,
    f: vec3<f32>,
    w: vec2<u32>,
    fw: f32,
    key: Key,
    wy: vec2<f32>,
    wz: vec2<f32>,
    ww: vec2<f32>,
) -> LatticeLine {
    let z = vec2<u32>(c.z, n.z);
    let a = lattice_column_4(x, c.y, z, w, f.z, fw, key, wz, ww);
    let b = lattice_column_4(x, n.y, z, w, f.z, fw, key, wz, ww);
    return lattice_along_y(a, b, f.y, wy);
}

fn lattice_perlin_4(
    cell: vec3<i32>,
    f: vec3<f32>,
    w: i32,
    fw: f32,
    key: Key,
    wx: vec2<f32>,
    wy: vec2<f32>,
    wz: vec2<f32>,
    ww: vec2<f32>,
) -> Jet {
    let c = point_cell(cell, key);
    let n = point_after(c, key);
    let around = point_fourth(w, key);
    let a = lattice_perlin_at_4(c.x, c, n, f, around, fw, key, wy, wz, ww);
    let b = lattice_perlin_at_4(n.x, c, n, f, around, fw, key, wy, wz, ww);
    return lattice_along_x(a, b, f.x, wx);
}

fn lattice_value_along_w(x: u32, y: u32, z: u32, w: vec2<u32>, key: Key, ww: vec2<f32>) -> f32 {
    return lattice_lerp(hash_signed(hash_4(x, y, z, w.x, key.seed)), hash_signed(hash_4(x, y, z, w.y, key.seed)), ww);
}

fn lattice_values_4(x: u32, y: u32, z: vec2<u32>, w: vec2<u32>, key: Key, wz: vec2<f32>, ww: vec2<f32>) -> vec2<f32> {
    let a = lattice_value_along_w(x, y, z.x, w, key, ww);
    let b = lattice_value_along_w(x, y, z.y, w, key, ww);
    return lattice_values_along_z(a, b, wz);
}

// The lattice points at one x, blended along w, z and y.
fn lattice_value_at_4(
    x: u32,
    c: vec3<u32>,
    n: vec3<u32>,
    f: vec3<f32>,
    w: vec2<u32>,
    fw: f32,
    key: Key,
    wy: vec2<f32>,
    wz: vec2<f32>,
    ww: vec2<f32>,
) -> vec3<f32> {
    let z = vec2<u32>(c.z, n.z);
    return lattice_values_along_y(lattice_values_4(x, c.y, z, w, key, wz, ww), lattice_values_4(x, n.y, z, w, key, wz, ww), wy);
}

fn lattice_value_4(
    cell: vec3<i32>,
    f: vec3<f32>,
    w: i32,
    fw: f32,
    key: Key,
    wx: vec2<f32>,
    wy: vec2<f32>,
    wz: vec2<f32>,
    ww: vec2<f32>,
) -> Jet {
    let c = point_cell(cell, key);
    let n = point_after(c, key);
    let around = point_fourth(w, key);
    let a = lattice_value_at_4(c.x, c, n, f, around, fw, key, wy, wz, ww);
    let b = lattice_value_at_4(n.x, c, n, f, around, fw, key, wy, wz, ww);
    return lattice_values_along_x(a, b, wx);
}
