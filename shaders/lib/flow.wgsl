// Flow noise (Perlin and Neyret 2001): simplex and Perlin noise whose gradients turn together, by t turns. In 3D each has its own
// plane (Gustavson and McEwan 2022).
//
// requires: gradient hash jet lattice point simplex turn

// The parts of the directions, which are turned before they are scaled.
const FLOW_PARTS_2: vec4<f32> = vec4<f32>(0.9807852804032304, 0.8314696123025452, 0.19509032201612825, 0.5555702330196022);
const FLOW_PARTS_3: vec3<f32> = vec3<f32>(0.8259425910209562, 0.5208409981466113, 0.21573940527226648);
// Between the middle and the short part.
const FLOW_SHORT: f32 = 0.4;
// 1 / the length of a direction without its short part.
const FLOW_ACROSS: f32 = 1.0241169544875766;

const FLOW_SLOPE_2: f32 = 1.4141;
const FLOW_SLOPE_3: f32 = 1.15469;
const FLOW_SCALE_2: vec2<f32> = vec2<f32>(4.379642625974178, 2.5285878490605516);
const FLOW_SCALE_3: vec3<f32> = vec3<f32>(4.7526414530500825, 2.74393882228024, 1.9402577483953862);

// The direction with this hash, turned: turn = (sine, cosine).
fn flow_direction_2(h: u32, turn: vec2<f32>) -> vec2<f32> {
    let g = gradient_2(h, FLOW_PARTS_2, FLOW_PARTS_2);
    return vec2<f32>(g.x * turn.y - g.y * turn.x, g.y * turn.y + g.x * turn.x);
}

// It turns towards the direction at right angles to it, in the plane of its longer parts.
fn flow_direction_3(h: u32, turn: vec2<f32>) -> vec3<f32> {
    let g = gradient_3(h, FLOW_PARTS_3, FLOW_PARTS_3, FLOW_PARTS_3);
    let short_x = abs(g.x) < FLOW_SHORT;
    let short_y = abs(g.y) < FLOW_SHORT;
    let across = vec3<f32>(
        select(select(-g.y, g.z, short_y), 0.0, short_x),
        select(select(g.x, 0.0, short_y), -g.z, short_x),
        select(select(0.0, -g.x, short_y), g.y, short_x),
    );
    let sine = turn.x * FLOW_ACROSS;
    return vec3<f32>(g.x * turn.y + across.x * sine, g.y * turn.y + across.y * sine, g.z * turn.y + across.z * sine);
}

fn flow_slopes_2(x: u32, y: u32, turn: vec2<f32>, key: Key) -> LatticePlane {
    return lattice_flat(flow_direction_2(hash_mixed_upper(hash_parts_2(x, y, key.seed)), turn) * FLOW_SLOPE_2);
}

fn flow_slopes_3(x: u32, y: u32, z: u32, turn: vec2<f32>, key: Key) -> vec4<f32> {
    return vec4<f32>(flow_direction_3(hash_mixed_upper(hash_parts_3(x, y, z, key.seed)), turn) * FLOW_SLOPE_3, 0.0);
}

fn flow_perlin_2(cell: vec3<i32>, f: vec3<f32>, t: f32, key: Key, wx: vec2<f32>, wy: vec2<f32>) -> Jet {
    let turn = turn_whole(t);
    let c = point_cell(cell, key);
    let n = point_after(c, key);
    let a = lattice_along_y(flow_slopes_2(c.x, c.y, turn, key), flow_slopes_2(c.x, n.y, turn, key), f.y, wy);
    let b = lattice_along_y(flow_slopes_2(n.x, c.y, turn, key), flow_slopes_2(n.x, n.y, turn, key), f.y, wy);
    return lattice_along_x(a, b, f.x, wx);
}

// The column of lattice points at one x and y, blended along z.
fn flow_column_3(x: u32, y: u32, z: vec2<u32>, fz: f32, turn: vec2<f32>, key: Key, wz: vec2<f32>) -> LatticePlane {
    return lattice_along_z(flow_slopes_3(x, y, z.x, turn, key), flow_slopes_3(x, y, z.y, turn, key), fz, wz);
}

fn flow_perlin_3(cell: vec3<i32>, f: vec3<f32>, t: f32, key: Key, wx: vec2<f32>, wy: vec2<f32>, wz: vec2<f32>) -> Jet {
    let turn = turn_whole(t);
    let c = point_cell(cell, key);
    let n = point_after(c, key);
    let z = vec2<u32>(c.z, n.z);
    let lower = flow_column_3(c.x, c.y, z, f.z, turn, key, wz);
    let upper = flow_column_3(n.x, c.y, z, f.z, turn, key, wz);
    let a = lattice_along_y(lower, flow_column_3(c.x, n.y, z, f.z, turn, key, wz), f.y, wy);
    let b = lattice_along_y(upper, flow_column_3(n.x, n.y, z, f.z, turn, key, wz), f.y, wy);
    return lattice_along_x(a, b, f.x, wx);
}

fn flow_corner_2(h: u32, d: vec2<f32>, turn: vec2<f32>) -> Jet {
    let across = simplex_across_2(d.y);
    let g = flow_direction_2(h, turn) * FLOW_SCALE_2;
    return simplex_part(SimplexPoint(vec3<f32>(g, 0.0), g.y * across.d.x), across, d.x);
}

fn flow_simplex_2(cell: vec3<i32>, f: vec3<f32>, t: f32, key: Key) -> Jet {
    let turn = turn_whole(t);
    let c = simplex_corners_2(cell, f, key);
    let n0 = flow_corner_2(c.h.x, c.d0, turn);
    let n1 = flow_corner_2(c.h.y, c.d1, turn);
    let n2 = flow_corner_2(c.h.z, c.d2, turn);
    return simplex_jet_2(jet_add(jet_add(n0, n1), n2));
}

fn flow_corner_3(h: u32, d: vec3<f32>, turn: vec2<f32>) -> Jet {
    let across = simplex_across_3(d.yz);
    let g = flow_direction_3(h, turn) * FLOW_SCALE_3;
    return simplex_part(SimplexPoint(g, g.y * across.d.x + g.z * across.d.y), across, d.x);
}

fn flow_simplex_3(cell: vec3<i32>, f: vec3<f32>, t: f32, key: Key) -> Jet {
    let turn = turn_whole(t);
    let c = simplex_corners_3(cell, f, key);
    let n0 = flow_corner_3(c.h.x, c.d0, turn);
    let n1 = flow_corner_3(c.h.y, c.d1, turn);
    let n2 = flow_corner_3(c.h.z, c.d2, turn);
    let n3 = flow_corner_3(c.h.w, c.d3, turn);
    return simplex_jet_3(jet_add(jet_add(jet_add(n0, n1), n2), n3));
}
