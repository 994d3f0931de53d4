// The terrain shader's 3D simplex: permutation polynomial mod 289, 7×7 gradients on an octahedron, falloff (0.6 − r²)⁴.
// McEwan, Sheets, Gustavson and Richardson 2012, "Efficient computational noise in GLSL".
// requires: jet skewed

// Everything is a whole number below 2^24 as a float: exact, sums and products too, and processors are fastest at it. Numbers of the four
// corners stand side by side: their chains of operations are long, and nothing in one waits for another.

// Whole numbers modulo 289, from -145 to 145: rounding may choose which of two numbers half-way stands for a remainder.
fn permutation289_remainder(x: vec4<f32>) -> vec4<f32> {
    return x - floor(x * (1.0 / 289.0) + 0.5) * 289.0;
}

// A cell likewise, by its halves: 2^16 mod 289 = 222.
fn permutation289_reduce(cell: vec3<i32>) -> vec3<f32> {
    let halves = vec3<f32>(cell >> vec3<u32>(16u)) * 222.0 + vec3<f32>(cell & vec3<i32>(0xffff));
    return permutation289_remainder(vec4<f32>(halves, 0.0)).xyz;
}

// x lies from -290 to 291.
fn permutation289_permute(x: vec4<f32>) -> vec4<f32> {
    return permutation289_remainder((x * 34.0 + 1.0) * x);
}

// Quotient of an integer from 0 to 288 and a divisor of at most 49, given 1 / the divisor.
fn permutation289_quotient(x: vec4<f32>, inverse: f32) -> vec4<f32> {
    return floor((x + 0.5) * inverse);
}

struct Permutation289Gradients {
    x: vec4<f32>,
    y: vec4<f32>,
    z: vec4<f32>,
}

// In units of 1/14 the 7×7 grid and the octahedron are whole numbers. The listing's `h <= 0` meets grid points that lie
// exactly on the fold; in whole numbers they fold on every machine, in rounded arithmetic only on some.
fn permutation289_gradients(x: vec4<f32>, y: vec4<f32>, z: vec4<f32>) -> Permutation289Gradients {
    let r = permutation289_permute(permutation289_permute(permutation289_permute(z) + y) + x);
    let p = select(r, r + 289.0, r < vec4<f32>(0.0));
    let j = p - permutation289_quotient(p, 1.0 / 49.0) * 49.0;
    let row = permutation289_quotient(j, 1.0 / 7.0);
    let gx = row * 4.0 - 13.0;
    let gy = (j - row * 7.0) * 4.0 - 13.0;
    let h = 14.0 - abs(gx) - abs(gy);
    // Beyond the square's diagonals its corners fold over to the octahedron's lower half.
    let fold = h <= vec4<f32>(0.0);
    let fx = select(gx, gx - select(vec4<f32>(14.0), vec4<f32>(-14.0), gx < vec4<f32>(0.0)), fold);
    let fy = select(gy, gy - select(vec4<f32>(14.0), vec4<f32>(-14.0), gy < vec4<f32>(0.0)), fold);
    // First terms of 1/sqrt around 0.7, divided by 14.
    let normal = 0.12806020814297073 - 0.00031112781375843294 * (fx * fx + fy * fy + h * h);
    return Permutation289Gradients(fx * normal, fy * normal, h * normal);
}

fn permutation289_sum(corners: SkewedCorners, g: Permutation289Gradients) -> Jet {
    let n0 = skewed_corner_3(0.6, vec3<f32>(g.x.x, g.y.x, g.z.x), corners.d0);
    let n1 = skewed_corner_3(0.6, vec3<f32>(g.x.y, g.y.y, g.z.y), corners.d1);
    let n2 = skewed_corner_3(0.6, vec3<f32>(g.x.z, g.y.z, g.z.z), corners.d2);
    let n3 = skewed_corner_3(0.6, vec3<f32>(g.x.w, g.y.w, g.z.w), corners.d3);
    return skewed_unskew_3(42.0 * (n0 + n1 + n2 + n3));
}

fn permutation289_simplex(cell: vec3<i32>, f: vec3<f32>) -> Jet {
    let corners = skewed_corners_3(f);
    let c = permutation289_reduce(cell);
    let x = c.x + vec4<f32>(0.0, corners.second.x, corners.third.x, 1.0);
    let y = c.y + vec4<f32>(0.0, corners.second.y, corners.third.y, 1.0);
    let z = c.z + vec4<f32>(0.0, corners.second.z, corners.third.z, 1.0);
    return permutation289_sum(corners, permutation289_gradients(x, y, z));
}
