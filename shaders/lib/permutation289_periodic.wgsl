// The terrain shader's 3D simplex in kernels with periods: every corner's point is reduced on its own.
// requires: permutation289 point

fn permutation289_periodic(cell: vec3<i32>, f: vec3<f32>, key: Key) -> Jet {
    let corners = skewed_corners_3(f);
    let p0 = permutation289_point(cell, key);
    let p1 = permutation289_point(cell + vec3<i32>(corners.second), key);
    let p2 = permutation289_point(cell + vec3<i32>(corners.third), key);
    let p3 = permutation289_point(cell + 1, key);
    let s = vec4<f32>(p0.x, p1.x, p2.x, p3.x);
    let t = vec4<f32>(p0.y, p1.y, p2.y, p3.y);
    let z = vec4<f32>(p0.z, p1.z, p2.z, p3.z);
    return permutation289_sum(corners, permutation289_gradients(s, t, z));
}

fn permutation289_point(cell: vec3<i32>, key: Key) -> vec3<f32> {
    return permutation289_reduce(point_representative(cell, key.period.xyz));
}
