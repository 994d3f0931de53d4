// Cellular noise (Worley 1996): one feature point per cell of the cubic lattice, and the distances to the nearest ones.
//
// Exact: the block of cells around the sample is visited, then larger and larger rings, as long as any point in them could still
// be among the nearest. Skipping a cell therefore never changes a result. Cells are visited in raster order, ring by ring; of
// equally distant points, the first visited counts as the nearer.
//
// 2D is 3D with a depth of one cell; 1D also has a height of one cell. Points are ordered by keys: squared distances for metrics
// based on squares (Euclidean and squared), otherwise distances.
// requires: hash jet point real root

const WORLEY_EUCLIDEAN: u32 = 0u;
const WORLEY_SQUARED: u32 = 1u;
const WORLEY_MANHATTAN: u32 = 2u;
const WORLEY_CHEBYSHEV: u32 = 3u;

// More than rounding can change a coordinate between a sample and a point at most 7 cells away.
const WORLEY_SLACK: f32 = 3.0517578125e-5;
const WORLEY_FAR: f32 = 1e18;

// The query, the same for every visited cell.
struct Worley {
    cell: vec3<u32>,
    // The sample from the middle of its cell, less half a step of the points' random coordinates.
    at: vec3<f32>,
    key: Key,
    dimensions: u32,
    metric: u32,
    // The number of nearest points to find.
    nearest: u32,
    // One step of the random coordinates, and how far they lead from the middle of a cell.
    step: f32,
    reach: f32,
    // If a border is looked for instead: the point inside it as seen from the sample, its distance, and which cell's it is.
    borders: bool,
    inside: vec3<f32>,
    distance: f32,
    inside_id: u32,
}

// The smallest keys found so far in order, and whose they are.
struct WorleyFound {
    key: vec4<f32>,
    id: vec4<u32>,
}

fn worley_new(cell: vec3<i32>, f: vec3<f32>, key: Key, dimensions: u32, metric: u32, nearest: u32, jitter: f32) -> Worley {
    let flat = dimensions < 3u;
    let step = jitter * select(0.0009765625, 0.0000152587890625, flat);
    let at = (f - 0.5) - 0.5 * step;
    return Worley(
        vec3<u32>(cell),
        vec3<f32>(at.x, select(at.y, 0.0, dimensions == 1u), select(at.z, 0.0, flat)),
        key,
        dimensions,
        metric,
        nearest,
        step,
        0.5 * jitter + WORLEY_SLACK,
        false,
        vec3<f32>(0.0),
        0.0,
        0u,
    );
}

// A cell by its steps from the sample's own, as one number.
fn worley_id(o: vec3<i32>) -> u32 {
    let u = vec3<u32>(o + 4);
    return u.x | (u.y << 4u) | (u.z << 8u);
}

fn worley_cell(id: u32) -> vec3<i32> {
    return vec3<i32>(vec3<u32>(id & 15u, (id >> 4u) & 15u, id >> 8u)) - 4;
}

fn worley_hash(w: Worley, o: vec3<i32>) -> u32 {
    let c = w.cell + vec3<u32>(o);
    if w.dimensions == 1u {
        return point_cubic_1(c.x, w.key);
    }
    if w.dimensions == 2u {
        return point_cubic_2(c.x, c.y, w.key);
    }
    return point_cubic_3(c.x, c.y, c.z, w.key);
}

// The point of a cell as seen from the sample.
fn worley_point(w: Worley, o: vec3<i32>) -> vec3<f32> {
    return worley_point_of(w, worley_hash(w, o), o);
}

// The point of a cell with a known hash. A point's random coordinates are signed numbers of 16 bits, in 3D of 10.
fn worley_point_of(w: Worley, h: u32, o: vec3<i32>) -> vec3<f32> {
    let away = w.at - vec3<f32>(o);
    if w.dimensions == 1u {
        return vec3<f32>(f32(bitcast<i32>(h) >> 16u) * w.step - away.x, 0.0, 0.0);
    }
    if w.dimensions == 2u {
        let random = vec2<f32>(vec2<i32>(bitcast<i32>(h) >> 16u, bitcast<i32>(h << 16u) >> 16u));
        return vec3<f32>(random * w.step - away.xy, 0.0);
    }
    let random = vec3<i32>(bitcast<i32>(h) >> 22u, bitcast<i32>(h << 10u) >> 22u, bitcast<i32>(h << 20u) >> 22u);
    return vec3<f32>(random) * w.step - away;
}

// The length of a vector, squared where the metric is built on squares.
fn worley_length(metric: u32, v: vec3<f32>) -> f32 {
    if metric == WORLEY_EUCLIDEAN || metric == WORLEY_SQUARED {
        return v.x * v.x + (v.y * v.y + v.z * v.z);
    }
    let a = abs(v);
    if metric == WORLEY_MANHATTAN {
        return a.x + (a.y + a.z);
    }
    return real_max(real_max(a.x, a.y), a.z);
}

// A lower bound of the distance to any point of a cell.
fn worley_gap(w: Worley, o: vec3<i32>) -> f32 {
    let gap = abs(w.at - vec3<f32>(o)) - w.reach;
    return worley_length(w.metric, select(vec3<f32>(0.0), gap, gap > vec3<f32>(0.0)));
}

// A lower bound of the distance to any point of a ring or of one further out.
fn worley_ring_gap(w: Worley, ring: i32) -> f32 {
    let a = abs(w.at);
    let gap = (f32(ring) - real_max(real_max(a.x, a.y), a.z)) - w.reach;
    return worley_length(w.metric, vec3<f32>(gap, 0.0, 0.0));
}

// Points at this distance or further change nothing.
fn worley_limit(w: Worley, found: WorleyFound) -> f32 {
    if w.borders {
        // The border with a point at distance d is at least (d - distance) / 2 away.
        let d = 2.0 * found.key.x + w.distance;
        return d * d;
    }
    switch w.nearest {
        case 1u: { return found.key.x; }
        case 2u: { return found.key.y; }
        case 3u: { return found.key.z; }
        default: { return found.key.w; }
    }
}

// The distance from the sample to the plane halfway between two points.
fn worley_border(inside: vec3<f32>, outside: vec3<f32>) -> f32 {
    let across = outside - inside;
    let middle = 0.5 * (outside + inside);
    let along = middle.x * across.x + (middle.y * across.y + middle.z * across.z);
    return along * root_inverse(across.x * across.x + (across.y * across.y + across.z * across.z));
}

// The key of a point.
fn worley_key(w: Worley, v: vec3<f32>, id: u32) -> f32 {
    if w.borders {
        return select(worley_border(w.inside, v), WORLEY_FAR, id == w.inside_id);
    }
    return worley_length(w.metric, v);
}

// Puts a point among those found. Of the keys only the `nearest` first are kept.
fn worley_insert(w: Worley, found: WorleyFound, key: f32, id: u32) -> WorleyFound {
    let closer = vec4<f32>(key) < found.key;
    if w.borders || w.nearest == 1u {
        return WorleyFound(
            vec4<f32>(select(found.key.x, key, closer.x), found.key.yzw),
            vec4<u32>(select(found.id.x, id, closer.x), found.id.yzw),
        );
    }
    let moved = vec4<bool>(false, closer.xyz);
    return WorleyFound(
        select(select(found.key, vec4<f32>(key), closer), vec4<f32>(key, found.key.xyz), moved),
        select(select(found.id, vec4<u32>(id), closer), vec4<u32>(id, found.id.xyz), moved),
    );
}

// The nearest points of the block of cells around the sample. No point is skipped: samples that a device computes together rarely
// agree on which ones could be. The hash of a point is made of parts that rows and columns of cells have in common.
fn worley_block(w: Worley) -> WorleyFound {
    var found = WorleyFound(vec4<f32>(WORLEY_FAR), vec4<u32>(0u));
    let height = select(0, 1, w.dimensions > 1u);
    let depth = select(0, 1, w.dimensions > 2u);
    let x = point_begin_x(w.cell.x);
    let columns = vec3<u32>(
        hash_fold(point_end_x(x - POINT_STEP_X, w.key)),
        hash_fold(point_end_x(x, w.key)),
        hash_fold(point_end_x(x + POINT_STEP_X, w.key)),
    );
    for (var z = -depth; z <= depth; z++) {
        for (var y = -height; y <= height; y++) {
            var row = 0u;
            if w.dimensions > 1u {
                row = point_end_y(point_begin_y(w.cell.y + u32(y)), w.key);
            }
            if w.dimensions > 2u {
                row ^= point_end_z(point_begin_z(w.cell.z + u32(z)), w.key);
            }
            row = hash_fold(row);
            for (var i = 0; i < 3; i++) {
                let o = vec3<i32>(i - 1, y, z);
                let id = worley_id(o);
                found = worley_insert(w, found, worley_key(w, worley_point_of(w, hash_mixed(columns[i] ^ row), o), id), id);
            }
        }
    }
    return found;
}

// Ring 3 is the last that can hold one of four nearest points, ring `dimensions + 1` the last that can bound a Voronoi cell.
fn worley_search(w: Worley) -> WorleyFound {
    var found = worley_block(w);
    for (var ring = 2; ring <= select(3, 4, w.dimensions == 3u); ring++) {
        if worley_ring_gap(w, ring) >= worley_limit(w, found) {
            break;
        }
        let height = select(0, ring, w.dimensions > 1u);
        let depth = select(0, ring, w.dimensions > 2u);
        for (var z = -depth; z <= depth; z++) {
            for (var y = -height; y <= height; y++) {
                // Rows inside the faces of a ring have only their ends in common with them.
                let whole = abs(y) == ring || abs(z) == ring;
                for (var x = -ring; x <= ring; x += select(2 * ring, 1, whole)) {
                    let o = vec3<i32>(x, y, z);
                    if worley_gap(w, o) < worley_limit(w, found) {
                        let id = worley_id(o);
                        found = worley_insert(w, found, worley_key(w, worley_point(w, o), id), id);
                    }
                }
            }
        }
    }
    return found;
}

// The distance that a key stands for, and its gradient, given the point's cell.
fn worley_measure(w: Worley, key: f32, id: u32) -> Jet {
    let v = worley_point(w, worley_cell(id));
    switch w.metric {
        case WORLEY_EUCLIDEAN: {
            return Jet(root_sqrt(key), v * -root_inverse(key));
        }
        case WORLEY_SQUARED: {
            return Jet(key, v * -2.0);
        }
        case WORLEY_MANHATTAN: {
            return Jet(key, worley_away(v));
        }
        default: {
            let a = abs(v);
            let y = a.y > a.x;
            let z = a.z > real_max(a.x, a.y);
            return Jet(key, worley_away(select(vec3<f32>(0.0), v, vec3<bool>(!y && !z, y && !z, z))));
        }
    }
}

// Against the signs of v.
fn worley_away(v: vec3<f32>) -> vec3<f32> {
    let zero = vec3<f32>(0.0);
    return select(zero, vec3<f32>(1.0), v < zero) - select(zero, vec3<f32>(1.0), v > zero);
}

// The weighted sum of the distances to the nearest points.
fn worley_distance(w: Worley, weights: vec4<f32>) -> Jet {
    let found = worley_search(w);
    var total = worley_weighted(worley_measure(w, found.key.x, found.id.x), weights.x);
    if w.nearest > 1u {
        total = jet_add(total, worley_weighted(worley_measure(w, found.key.y, found.id.y), weights.y));
    }
    if w.nearest > 2u {
        total = jet_add(total, worley_weighted(worley_measure(w, found.key.z, found.id.z), weights.z));
    }
    if w.nearest > 3u {
        total = jet_add(total, worley_weighted(worley_measure(w, found.key.w, found.id.w), weights.w));
    }
    return total;
}

fn worley_weighted(x: Jet, weight: f32) -> Jet {
    return Jet(x.value * weight, x.gradient * weight);
}

// A number in [-1, 1] for the cell of the nearest point.
fn worley_value(w: Worley) -> Jet {
    let found = worley_search(w);
    return jet_constant(hash_signed(hash_mix(worley_hash(w, worley_cell(found.id.x)))));
}

// The Euclidean distance to the nearest border of the Voronoi cell.
fn worley_edge(plain: Worley) -> Jet {
    let nearest = worley_search(plain);
    var w = plain;
    w.borders = true;
    w.inside = worley_point(w, worley_cell(nearest.id.x));
    w.distance = root_sqrt(nearest.key.x);
    w.inside_id = nearest.id.x;
    let found = worley_search(w);
    let across = worley_point(w, worley_cell(found.id.x)) - w.inside;
    let inverse = root_inverse(across.x * across.x + (across.y * across.y + across.z * across.z));
    return Jet(real_max(found.key.x, 0.0), across * -inverse);
}
