// The terrain shader's 3D simplex: permutation polynomial mod 289, 7×7 gradients on an octahedron, falloff (0.6 − r²)⁴.
// McEwan, Sheets, Gustavson and Richardson 2012, "Efficient computational noise in GLSL".
// requires: jet skewed

// Everything is a whole number below 2^24 as a float: exact, sums and products too, and processors are fastest at it. Numbers of the four
// corners stand side by side: their chains of operations are long, and nothing in one waits for another.
//
// The permutation P(u) = 34 u² + u needs no rounds: 34 · 17 is 0 modulo 289, so 34 u² depends on u modulo 17 only, where P(u) is u. Hence
// P(P(P(z) + y) + x) = s + 34 (z² + t² + s²), with t = y + z and s = x + y + z.

// A cell's s, t and z modulo 289, from -145 to 145: rounding may choose which of two numbers half-way stands for a remainder. Halves of
// the coordinates are added, because their sums do not overflow: 2^16 mod 289 = -67.
fn permutation289_reduce(cell: vec3<i32>) -> vec3<f32> {
    let upper = cell >> vec3<u32>(16u);
    let lower = cell & vec3<i32>(0xffff);
    let x = vec3<f32>(permutation289_sums(upper)) * -67.0 + vec3<f32>(permutation289_sums(lower));
    return x - floor(x * (1.0 / 289.0) + 0.5) * 289.0;
}

fn permutation289_sums(v: vec3<i32>) -> vec3<i32> {
    let t = v.y + v.z;
    return vec3<i32>(v.x + t, t, v.z);
}

struct Permutation289Gradients {
    x: vec4<f32>,
    y: vec4<f32>,
    z: vec4<f32>,
}

// Gradients of the points with these sums, from -145 to 148.
//
// In units of 1/14 the 7×7 grid and the octahedron are whole numbers. The listing's `h <= 0` meets grid points that lie
// exactly on the fold; in whole numbers they fold on every machine, in rounded arithmetic only on some.
fn permutation289_gradients(s: vec4<f32>, t: vec4<f32>, z: vec4<f32>) -> Permutation289Gradients {
    // Half a unit more than whole numbers, so that products with inverses never reach the next quotient.
    let u = 34.0 * (z * z + t * t + s * s) + (s + 0.5);
    let p = u - floor(u * (1.0 / 289.0)) * 289.0;
    let rows = floor(p * (1.0 / 7.0));
    let gx = (rows - floor(p * (1.0 / 49.0)) * 7.0) * 4.0 - 13.0;
    let gy = (p - rows * 7.0) * 4.0 - 15.0;
    let ax = abs(gx);
    let ay = abs(gy);
    let h = (14.0 - ax) - ay;
    // Beyond the square's diagonals its corners fold over to the octahedron's lower half.
    let fold = select(vec4<f32>(0.0), vec4<f32>(14.0), h <= vec4<f32>(0.0));
    let mx = ax - fold;
    let my = ay - fold;
    // First terms of 1/sqrt around 0.7, divided by 14.
    let normal = 0.12806020814297073 - 0.00031112781375843294 * (mx * mx + my * my + h * h);
    return Permutation289Gradients(permutation289_signed(mx * normal, gx), permutation289_signed(my * normal, gy), h * normal);
}

// a with its sign flipped where b is negative.
fn permutation289_signed(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    return select(a, -a, b < vec4<f32>(0.0));
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
    let z = c.z + vec4<f32>(0.0, corners.second.z, corners.third.z, 1.0);
    let t = c.y + vec4<f32>(0.0, corners.second.y + corners.second.z, corners.third.y + corners.third.z, 2.0);
    let s = c.x + vec4<f32>(0.0, 1.0, 2.0, 3.0);
    return permutation289_sum(corners, permutation289_gradients(s, t, z));
}
