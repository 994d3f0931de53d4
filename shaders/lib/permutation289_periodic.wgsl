// The terrain shader's 3D simplex in kernels with periods: every corner's point is reduced on its own.
// requires: permutation289 point

fn permutation289_periodic(cell: vec3<i32>, f: vec3<f32>, key: Key) -> Jet {
    let corners = skewed_corners_3(f);
    let n0 = skewed_corner_3(0.6, permutation289_point(cell, key), corners.d0);
    let n1 = skewed_corner_3(0.6, permutation289_point(cell + vec3<i32>(corners.second), key), corners.d1);
    let n2 = skewed_corner_3(0.6, permutation289_point(cell + vec3<i32>(corners.third), key), corners.d2);
    let n3 = skewed_corner_3(0.6, permutation289_point(cell + 1, key), corners.d3);
    return skewed_unskew_3(42.0 * (n0 + n1 + n2 + n3));
}

fn permutation289_point(cell: vec3<i32>, key: Key) -> vec3<f32> {
    return permutation289_gradient(permutation289_reduce(point_representative(cell, key.period)));
}
