// Simplex noise in 1D to 3D, on a lattice along the world's axes: points are integers with X ≡ Y mod 2, and in 3D Y ≡ Z mod 3; squared
// distances are X² + Y²/3 + Z²/6 in units of the reach. Gradients are per lattice unit.
// requires: gradient hash jet point real

// Just short of the height of a simplex, so that rounding never lets a point that is no corner contribute anything but 0.
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

// What the point with this hash contributes.
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

// What the point with this hash contributes to a sample at this offset from it: (reach − r²)⁴ · g·d, and the derivative by d.
fn simplex_point_2(h: u32, d: vec2<f32>) -> vec3<f32> {
    let g = gradient_2(h, SIMPLEX_X_2, SIMPLEX_Y_2);
    let pull = d.y * SIMPLEX_THIRD;
    let t = real_max((SIMPLEX_REACH - d.y * pull) - d.x * d.x, 0.0);
    let t2 = t * t;
    let t4 = t2 * t2;
    let slope = g.x * d.x + g.y * d.y;
    let k = -8.0 * (t2 * t) * slope;
    return vec3<f32>(t4 * slope, t4 * g.x + k * d.x, t4 * g.y + k * pull);
}

// The point with these coordinates, ready for their end.
fn simplex_point_3(p: vec3<u32>, d: vec3<f32>, key: Key) -> vec4<f32> {
    let h = hash_mix_upper((point_end_x(p.x, key) ^ point_end_z(p.z, key)) ^ point_end_y(p.y, key));
    let g = gradient_3(h, SIMPLEX_X_3, SIMPLEX_Y_3, SIMPLEX_Z_3);
    let pull = d.yz * vec2<f32>(SIMPLEX_THIRD, SIMPLEX_SIXTH);
    let t = real_max(((SIMPLEX_REACH - d.z * pull.y) - d.y * pull.x) - d.x * d.x, 0.0);
    let t2 = t * t;
    let t4 = t2 * t2;
    let slope = g.x * d.x + (g.y * d.y + g.z * d.z);
    let k = -8.0 * (t2 * t) * slope;
    return vec4<f32>(t4 * slope, t4 * g.x + k * d.x, t4 * g.y + k * pull.x, t4 * g.z + k * pull.y);
}

// The corners, on the line at or below the sample, on the next one, and the third, on the line below or above those.
fn simplex_2(cell: vec3<i32>, f: vec3<f32>, key: Key) -> Jet {
    let c = vec2<u32>(cell.xy);
    let odd = ((c.x ^ c.y) & 1u) != 0u;
    let near = select(f.x, f.x - 1.0, odd);
    let far = select(f.x - 1.0, f.x, odd);
    // What x brings to the hashes is found before it is chosen: samples of a column have it in common.
    let x = point_begin_x(c.x);
    let left = point_end_x(x, key);
    let right = point_end_x(x + POINT_STEP_X, key);
    let own = select(left, right, odd);
    let other = select(right, left, odd);
    let below = f.y < abs(near);
    let y = point_begin_y(c.y);
    let last = select(y + 2u * POINT_STEP_Y, y - POINT_STEP_Y, below);
    let n0 = simplex_point_2(hash_mix_upper(own ^ point_end_y(y, key)), vec2<f32>(near, f.y));
    let n1 = simplex_point_2(hash_mix_upper(other ^ point_end_y(y + POINT_STEP_Y, key)), vec2<f32>(far, f.y - 1.0));
    let third = vec2<f32>(select(near, far, below), f.y + select(-2.0, 1.0, below));
    let n2 = simplex_point_2(hash_mix_upper(select(own, other, below) ^ point_end_y(last, key)), third);
    let n = n0 + n1 + n2;
    return Jet(n.x, vec3<f32>(n.y, n.z, 0.0));
}

// Frames count lattice units in threes along y and z, so that the lattice goes on where their cells wrap.
fn simplex_3(cell: vec3<i32>, fraction: vec3<f32>, key: Key) -> Jet {
    let units = fraction.yz * 3.0;
    let remainder = floor(units);
    let f = vec3<f32>(fraction.x, units - remainder);
    let c = vec3<u32>(cell) * vec3<u32>(1u, 3u, 3u) + vec3<u32>(vec3<i32>(0, vec2<i32>(remainder)));
    // A lattice point at or below the sample along every axis: so many steps back.
    let apart = remainder.x - remainder.y;
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
    let n0 = simplex_point_3(c0, f - p0, key);
    let n1 = simplex_point_3(c1, f - p1, key);
    let n2 = simplex_point_3(c2, f - p2, key);
    let n3 = simplex_point_3(vec3<u32>(c0.xy, c2.z + POINT_STEP_Z), f - p3, key);
    let n = n0 + n1 + n2 + n3;
    return Jet(n.x, vec3<f32>(n.y, 3.0 * n.z, 3.0 * n.w));
}
