// Noise of a hexagonal map in axial coordinates: one value per hexagon, from the gradients of its six neighbours.
// requires: gradient jet point

// The parts of the directions.
const HEXAGONAL_PARTS: vec3<f32> = vec3<f32>(0.8259425910209562, 0.5208409981466113, 0.21573940527226648);

// The hexagon in which a position lies: cubic coordinates are rounded, and the one that moved furthest follows from the others.
fn hexagonal_cell(cell: vec3<i32>, f: vec3<f32>) -> vec2<i32> {
    let s = -f.x - f.y;
    var q = floor(f.x + 0.5);
    var r = floor(f.y + 0.5);
    let t = floor(s + 0.5);
    let dq = abs(q - f.x);
    let dr = abs(r - f.y);
    let dt = abs(t - s);
    if dq > dr && dq > dt {
        q = -r - t;
    } else if dr > dt {
        r = -q - t;
    }
    return cell.xy + vec2<i32>(i32(q), i32(r));
}

// Products of the neighbours' gradients with (hexagon - neighbour), over 7: to the right, then on downwards around.
fn hexagonal_sum(a: vec3<f32>, b: vec3<f32>, c: vec3<f32>, d: vec3<f32>, e: vec3<f32>, f: vec3<f32>) -> Jet {
    let sum = ((a.y - a.x) + (b.z - b.x)) + (((c.z - c.y) + (d.x - d.y)) + ((e.x - e.z) + (f.y - f.z)));
    return jet_constant(sum * 0.1428571492433548);
}

fn hexagonal_gradient(q: i32, r: i32, key: Key) -> vec3<f32> {
    // In the point's own coordinates rows are half a cell apart.
    return gradient_3(point_hexagon(u32(q + r), u32(r), key), HEXAGONAL_PARTS, HEXAGONAL_PARTS, HEXAGONAL_PARTS);
}

fn hexagonal_hashed(cell: vec3<i32>, fraction: vec3<f32>, key: Key) -> Jet {
    let h = hexagonal_cell(cell, fraction);
    return hexagonal_sum(
        hexagonal_gradient(h.x + 1, h.y - 1, key),
        hexagonal_gradient(h.x + 1, h.y, key),
        hexagonal_gradient(h.x, h.y + 1, key),
        hexagonal_gradient(h.x - 1, h.y + 1, key),
        hexagonal_gradient(h.x - 1, h.y, key),
        hexagonal_gradient(h.x, h.y - 1, key),
    );
}
