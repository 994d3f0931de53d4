// The terrain shader's 3D simplex: permutation polynomial mod 289, 7×7 gradients on an octahedron, falloff (0.6 − r²)⁴.
// McEwan, Sheets, Gustavson and Richardson 2012, "Efficient computational noise in GLSL".
// requires: jet skewed

// A cell modulo 289. Seen as unsigned, a negative cell is 2^32 too large, and -2^32 mod 289 = 135.
fn permutation289_reduce(cell: vec3<i32>) -> vec3<u32> {
    let shift = select(vec3<u32>(0u), vec3<u32>(135u), cell < vec3<i32>(0));
    return (vec3<u32>(cell) % 289u + shift) % 289u;
}

fn permutation289_permute(x: u32) -> u32 {
    return ((x * 34u + 1u) * x) % 289u;
}

// In units of 1/14 the 7×7 grid and the octahedron are whole numbers. The listing's `h <= 0` meets grid points that lie
// exactly on the fold; in integers they fold on every machine, in rounded arithmetic only on some.
fn permutation289_gradient(c: vec3<u32>) -> vec3<f32> {
    let p = permutation289_permute(permutation289_permute(permutation289_permute(c.z) + c.y) + c.x);
    let j = i32(p % 49u);
    let x = j / 7 * 4 - 13;
    let y = j % 7 * 4 - 13;
    let h = 14 - abs(x) - abs(y);
    // Beyond the square's diagonals its corners fold over to the octahedron's lower half.
    let gx = select(x, x - select(14, -14, x < 0), h <= 0);
    let gy = select(y, y - select(14, -14, y < 0), h <= 0);
    // First terms of 1/sqrt around 0.7, divided by 14.
    let normal = 0.12806020814297073 - 0.00031112781375843294 * f32(gx * gx + gy * gy + h * h);
    return vec3<f32>(f32(gx), f32(gy), f32(h)) * normal;
}

fn permutation289_simplex(cell: vec3<i32>, f: vec3<f32>) -> Jet {
    let corners = skewed_corners_3(f);
    let c = permutation289_reduce(cell);
    let n0 = skewed_corner_3(0.6, permutation289_gradient(c), corners.d0);
    let n1 = skewed_corner_3(0.6, permutation289_gradient(c + corners.second), corners.d1);
    let n2 = skewed_corner_3(0.6, permutation289_gradient(c + corners.third), corners.d2);
    let n3 = skewed_corner_3(0.6, permutation289_gradient(c + 1u), corners.d3);
    return skewed_unskew_3(42.0 * (n0 + n1 + n2 + n3));
}
