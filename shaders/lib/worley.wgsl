// Cellular noise (Worley 1996): one feature point per cell of the cubic lattice, and the distances to the nearest ones.
//
// Exact: the block of cells around the sample is visited, then larger and larger rings, as long as any point in them could still
// be among the nearest. Skipping a cell therefore never changes a result. Cells are visited in raster order, ring by ring; of
// equally distant points, the first visited counts as the nearer.
//
// 2D is 3D with a depth of one cell; 1D also has a height of one cell. Points are ordered by keys: squared distances for metrics
// based on squares (Euclidean and squared), otherwise distances.
// requires: cell_borders hash jet point real root

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
    let u = vec3<u32>(o + 8);
    return u.x | (u.y << 4u) | (u.z << 8u);
}

fn worley_cell(id: u32) -> vec3<i32> {
    return vec3<i32>(vec3<u32>(id & 15u, (id >> 4u) & 15u, id >> 8u)) - 8;
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
        return select(d, d * d, w.metric == WORLEY_EUCLIDEAN);
    }
    switch w.nearest {
        case 1u: { return found.key.x; }
        case 2u: { return found.key.y; }
        case 3u: { return found.key.z; }
        default: { return found.key.w; }
    }
}

// The distance from the sample to the border between the point inside and another one: for the Euclidean metric, the plane
// halfway between them.
fn worley_border(w: Worley, outside: vec3<f32>) -> f32 {
    if w.metric != WORLEY_EUCLIDEAN {
        return worley_border_by_metric(w, outside).value;
    }
    let across = outside - w.inside;
    let middle = 0.5 * (outside + w.inside);
    let along = middle.x * across.x + (middle.y * across.y + middle.z * across.z);
    return along * root_inverse(across.x * across.x + (across.y * across.y + across.z * across.z));
}

fn worley_border_by_metric(w: Worley, outside: vec3<f32>) -> Jet {
    if w.metric == WORLEY_CHEBYSHEV {
        return cell_border_chebyshev(w.inside, outside);
    }
    return cell_border_manhattan(w.inside, outside);
}

// The key of a point.
fn worley_key(w: Worley, v: vec3<f32>, id: u32) -> f32 {
    if w.borders {
        return select(worley_border(w, v), WORLEY_FAR, id == w.inside_id);
    }
    return worley_length(w.metric, v);
}

// Puts a point among those found. Of the keys only the `nearest` first are kept.
fn worley_insert(w: Worley, found: WorleyFound, key: f32, id: u32) -> WorleyFound {
    let closer = vec4<f32>(key) < found.key;
    let first = select(found.key.x, key, closer.x);
    if w.borders || w.nearest == 1u {
        return WorleyFound(vec4<f32>(first, found.key.yzw), vec4<u32>(select(found.id.x, id, closer.x), found.id.yzw));
    }
    // The larger one of the point and the key before moves up.
    let before = select(vec3<f32>(key), found.key.xyz, found.key.xyz > vec3<f32>(key));
    let further = select(found.key.yzw, before, before < found.key.yzw);
    let moved = vec4<bool>(false, closer.xyz);
    return WorleyFound(
        vec4<f32>(first, further),
        select(select(found.id, vec4<u32>(id), closer), vec4<u32>(id, found.id.xyz), moved),
    );
}

// The block of cells around a sample, as columns of points along x. Every point is visited: samples that a device computes together
// rarely agree on points that could be left out. Samples of a row along the lattice's first axis have the same y and z. So they share
// columns.

// The cells of a layer, by y: their contributions to the hashes, and the samples from their middles along y and z.
struct WorleyLines {
    hash: vec3<u32>,
    y: vec3<f32>,
    z: f32,
}

// The points of a layer at one x, by y: from the middles of their cells along x, and what the other axes add to their distances.
struct WorleyColumn {
    x: vec3<f32>,
    across: vec3<f32>,
}

// The points around a cell.
struct WorleyLayer {
    left: WorleyColumn,
    middle: WorleyColumn,
    right: WorleyColumn,
}

// The layers below, at and above the sample. In 2D only the middle one counts, in 1D only its middle line.
struct WorleyBlock {
    below: WorleyLayer,
    level: WorleyLayer,
    above: WorleyLayer,
}

// The cells of all layers.
struct WorleyCells {
    below: WorleyLines,
    level: WorleyLines,
    above: WorleyLines,
}

fn worley_cells(w: Worley) -> WorleyCells {
    return WorleyCells(worley_lines(w, -1), worley_lines(w, 0), worley_lines(w, 1));
}

fn worley_lines(w: Worley, layer: i32) -> WorleyLines {
    var hash = vec3<u32>(0u);
    if w.dimensions > 1u {
        let y = point_begin_y(w.cell.y);
        hash = vec3<u32>(point_end_y(y - POINT_STEP_Y, w.key), point_end_y(y, w.key), point_end_y(y + POINT_STEP_Y, w.key));
    }
    if w.dimensions > 2u {
        hash ^= vec3<u32>(point_end_z(point_begin_z(w.cell.z + u32(layer)), w.key));
    }
    let folded = vec3<u32>(hash_fold(hash.x), hash_fold(hash.y), hash_fold(hash.z));
    return WorleyLines(folded, w.at.y - vec3<f32>(-1.0, 0.0, 1.0), w.at.z - f32(layer));
}

fn worley_column(w: Worley, lines: WorleyLines, x: u32) -> WorleyColumn {
    let column = hash_fold(point_end_x(point_begin_x(x), w.key));
    let h = bitcast<vec3<i32>>(vec3<u32>(
        hash_mixed(column ^ lines.hash.x),
        hash_mixed(column ^ lines.hash.y),
        hash_mixed(column ^ lines.hash.z),
    ));
    if w.dimensions == 1u {
        return WorleyColumn(vec3<f32>(h >> vec3<u32>(16u)) * w.step, vec3<f32>(0.0));
    }
    if w.dimensions == 2u {
        let y = vec3<f32>((h << vec3<u32>(16u)) >> vec3<u32>(16u)) * w.step - lines.y;
        return WorleyColumn(vec3<f32>(h >> vec3<u32>(16u)) * w.step, worley_along_one(w.metric, y));
    }
    let y = vec3<f32>((h << vec3<u32>(10u)) >> vec3<u32>(22u)) * w.step - lines.y;
    let z = vec3<f32>((h << vec3<u32>(20u)) >> vec3<u32>(22u)) * w.step - lines.z;
    return WorleyColumn(vec3<f32>(h >> vec3<u32>(22u)) * w.step, worley_joined(w.metric, worley_along_one(w.metric, y), worley_along_one(w.metric, z)));
}

// `worley_length` of several vectors, axis by axis.

fn worley_along_one(metric: u32, v: vec3<f32>) -> vec3<f32> {
    if metric == WORLEY_EUCLIDEAN || metric == WORLEY_SQUARED {
        return v * v;
    }
    return abs(v);
}

fn worley_joined(metric: u32, a: vec3<f32>, b: vec3<f32>) -> vec3<f32> {
    if metric == WORLEY_CHEBYSHEV {
        return select(b, a, a > b);
    }
    return a + b;
}

// Of a layer whose cells lie in these lines.
fn worley_layer(w: Worley, lines: WorleyLines) -> WorleyLayer {
    return WorleyLayer(worley_column(w, lines, w.cell.x - 1u), worley_column(w, lines, w.cell.x), worley_column(w, lines, w.cell.x + 1u));
}

fn worley_block(w: Worley, cells: WorleyCells) -> WorleyBlock {
    var block = WorleyBlock();
    block.level = worley_layer(w, cells.level);
    if w.dimensions > 2u {
        block.below = worley_layer(w, cells.below);
        block.above = worley_layer(w, cells.above);
    }
    return block;
}

// A layer of the block one cell further along x. Two of its columns are known.
fn worley_next_layer(w: Worley, layer: WorleyLayer, lines: WorleyLines, x: u32) -> WorleyLayer {
    return WorleyLayer(layer.middle, layer.right, worley_column(w, lines, x + 1u));
}

fn worley_next_block(w: Worley, block: WorleyBlock, cells: WorleyCells, x: u32) -> WorleyBlock {
    var next = block;
    next.level = worley_next_layer(w, block.level, cells.level, x);
    if w.dimensions > 2u {
        next.below = worley_next_layer(w, block.below, cells.below, x);
        next.above = worley_next_layer(w, block.above, cells.above, x);
    }
    return next;
}

// The query of another sample of the row, by its coordinate along x.
fn worley_along_x(row: Worley, cell: u32, f: f32) -> Worley {
    var w = row;
    w.cell.x = cell;
    w.at.x = (f - 0.5) - 0.5 * w.step;
    return w;
}

// The nearest points of a block.
fn worley_nearest(w: Worley, block: WorleyBlock) -> WorleyFound {
    var found = WorleyFound(vec4<f32>(WORLEY_FAR), vec4<u32>(0u));
    if w.dimensions > 2u {
        found = worley_visit_layer(w, found, block.below, -1);
    }
    found = worley_visit_layer(w, found, block.level, 0);
    if w.dimensions > 2u {
        found = worley_visit_layer(w, found, block.above, 1);
    }
    return found;
}

fn worley_visit_layer(w: Worley, found: WorleyFound, layer: WorleyLayer, z: i32) -> WorleyFound {
    let a = layer.left;
    let b = layer.middle;
    let c = layer.right;
    if w.dimensions == 1u {
        return worley_visit(w, found, vec3<f32>(a.x.y, b.x.y, c.x.y), vec3<f32>(0.0), vec2<i32>(0, z));
    }
    let below = worley_visit(w, found, vec3<f32>(a.x.x, b.x.x, c.x.x), vec3<f32>(a.across.x, b.across.x, c.across.x), vec2<i32>(-1, z));
    let own = worley_visit(w, below, vec3<f32>(a.x.y, b.x.y, c.x.y), vec3<f32>(a.across.y, b.across.y, c.across.y), vec2<i32>(0, z));
    return worley_visit(w, own, vec3<f32>(a.x.z, b.x.z, c.x.z), vec3<f32>(a.across.z, b.across.z, c.across.z), vec2<i32>(1, z));
}

// Three points next to each other along x.
fn worley_visit(w: Worley, found: WorleyFound, x: vec3<f32>, across: vec3<f32>, line: vec2<i32>) -> WorleyFound {
    let v = x - (w.at.x - vec3<f32>(-1.0, 0.0, 1.0));
    let lengths = worley_joined(w.metric, worley_along_one(w.metric, v), across);
    let one = worley_insert(w, found, lengths.x, worley_id(vec3<i32>(-1, line)));
    let two = worley_insert(w, one, lengths.y, worley_id(vec3<i32>(0, line)));
    return worley_insert(w, two, lengths.z, worley_id(vec3<i32>(1, line)));
}

// The nearest borders around a sample: a point's length is not enough for these.
fn worley_borders(w: Worley) -> WorleyFound {
    var found = WorleyFound(vec4<f32>(WORLEY_FAR), vec4<u32>(0u));
    let height = select(0, 1, w.dimensions > 1u);
    let depth = select(0, 1, w.dimensions > 2u);
    for (var z = -depth; z <= depth; z++) {
        for (var y = -height; y <= height; y++) {
            for (var x = -1; x <= 1; x++) {
                let o = vec3<i32>(x, y, z);
                found = worley_insert(w, found, worley_key(w, worley_point(w, o), worley_id(o)), worley_id(o));
            }
        }
    }
    return found;
}

// Whether a point of this ring, or of one further out, may matter.
fn worley_needs(w: Worley, found: WorleyFound, ring: i32) -> bool {
    return worley_ring_gap(w, ring) < worley_limit(w, found);
}

// Cells of a layer that may hold a point of ring 2 below a limit: one bit for each, line by line.
fn worley_candidates(w: Worley, limit: f32, z: i32) -> u32 {
    let x = worley_gaps(w, w.at.x, true);
    let y = worley_gaps(w, w.at.y, w.dimensions > 1u);
    let layer = worley_along_one(w.metric, vec3<f32>(worley_positive(abs(w.at.z - f32(z)) - w.reach))).x;
    var bits = worley_line_bits(w, x, y.upper.x, layer, limit) << 10u;
    if w.dimensions > 1u {
        bits |= worley_line_bits(w, x, y.lower.x, layer, limit) | (worley_line_bits(w, x, y.lower.y, layer, limit) << 5u);
        bits |= (worley_line_bits(w, x, y.upper.y, layer, limit) << 15u) | (worley_line_bits(w, x, y.upper.z, layer, limit) << 20u);
    }
    // Without the nine cells in the middle, which are the block's.
    return bits & select(0x1f8c63fu, 0x1ffffffu, abs(z) == 2);
}

// Lower bounds of an axis's part of the distance to points -2 to 0, and 0 to 2 cells away.
struct WorleyGaps {
    lower: vec3<f32>,
    upper: vec3<f32>,
}

fn worley_gaps(w: Worley, at: f32, used: bool) -> WorleyGaps {
    if !used {
        return WorleyGaps();
    }
    let lower = abs(at - vec3<f32>(-2.0, -1.0, 0.0)) - w.reach;
    let upper = abs(at - vec3<f32>(0.0, 1.0, 2.0)) - w.reach;
    let zero = vec3<f32>(0.0);
    return WorleyGaps(
        worley_along_one(w.metric, select(zero, lower, lower > zero)),
        worley_along_one(w.metric, select(zero, upper, upper > zero)),
    );
}

fn worley_positive(x: f32) -> f32 {
    return real_max(x, 0.0);
}

fn worley_line_bits(w: Worley, x: WorleyGaps, y: f32, z: f32, limit: f32) -> u32 {
    let across = worley_joined(w.metric, vec3<f32>(y), vec3<f32>(z));
    let none = vec3<u32>(0u);
    let lower = select(none, vec3<u32>(1u, 2u, 4u), worley_joined(w.metric, x.lower, across) < vec3<f32>(limit));
    let upper = select(none, vec3<u32>(4u, 8u, 16u), worley_joined(w.metric, x.upper, across) < vec3<f32>(limit));
    return (lower.x | lower.y) | (upper.x | (upper.y | upper.z));
}

// The number of the lowest one of 25 bits, by the exponent of its value: GLSL ES has no function for it.
fn worley_lowest(bits: u32) -> u32 {
    return (bitcast<u32>(f32(i32(bits & (~bits + 1u)))) >> 23u) - 127u;
}

// Ring 2: few of its points matter. Both loops test at their ends, because lavapipe goes through the rest of a loop that it leaves.
fn worley_second_ring(w: Worley, nearest: WorleyFound) -> WorleyFound {
    var found = nearest;
    let depth = select(0, 2, w.dimensions > 2u);
    var z = -depth;
    loop {
        var bits = worley_candidates(w, worley_limit(w, found), z);
        if bits != 0u {
            loop {
                let cell = worley_lowest(bits);
                bits &= bits - 1u;
                // 13 / 64 is as good as a fifth below 25.
                let line = (cell * 13u) >> 6u;
                let o = vec3<i32>(i32(cell - line * 5u) - 2, i32(line) - 2, z);
                let id = worley_id(o);
                found = worley_insert(w, found, worley_key(w, worley_point(w, o), id), id);
                if bits == 0u {
                    break;
                }
            }
        }
        z += 1;
        if z > depth {
            break;
        }
    }
    return found;
}

// Ring 3 is the last that can hold one of four nearest points. A point whose border matters is at most twice as far away as a
// nearest point can be. So the last ring is `dimensions + 1` for the Euclidean metric, `2 dimensions` for Manhattan, 2 for Chebyshev.
fn worley_search(w: Worley) -> WorleyFound {
    var found = WorleyFound();
    if w.borders {
        found = worley_borders(w);
    } else {
        found = worley_nearest(w, worley_block(w, worley_cells(w)));
    }
    if !worley_needs(w, found, 2) {
        return found;
    }
    found = worley_second_ring(w, found);
    let last = select(select(3, 4, w.dimensions == 3u), 2 * i32(w.dimensions), w.borders && w.metric == WORLEY_MANHATTAN);
    for (var ring = 3; ring <= last; ring++) {
        if !worley_needs(w, found, ring) {
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
        default: {
            return Jet(key, worley_slope(w.metric, v));
        }
    }
}

// The gradient of the Manhattan or Chebyshev distance to a point.
fn worley_slope(metric: u32, v: vec3<f32>) -> vec3<f32> {
    if metric == WORLEY_MANHATTAN {
        return cell_border_away(v);
    }
    let a = abs(v);
    let y = a.y > a.x;
    let z = a.z > real_max(a.x, a.y);
    return cell_border_away(select(vec3<f32>(0.0), v, vec3<bool>(!y && !z, y && !z, z)));
}

// The weighted sum of the distances to the nearest points.
fn worley_distance(w: Worley, found: WorleyFound, weights: vec4<f32>) -> Jet {
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
fn worley_value(w: Worley, found: WorleyFound) -> Jet {
    return jet_constant(hash_signed(hash_mix(worley_hash(w, worley_cell(found.id.x)))));
}

// The distance to the nearest point divided by that to the second.
fn worley_ratio(w: Worley, found: WorleyFound) -> Jet {
    let first = worley_measure(w, found.key.x, found.id.x);
    let second = worley_measure(w, found.key.y, found.id.y);
    let inverse = root_inverse(second.value * second.value);
    let quotient = first.value * inverse;
    // Rounding must not leave the range.
    return Jet(real_min(quotient, 1.0), (first.gradient - quotient * second.gradient) * inverse);
}

// The distance to the nearest border of the Voronoi cell.
fn worley_edge(plain: Worley, nearest: WorleyFound) -> Jet {
    var w = plain;
    w.borders = true;
    w.inside = worley_point(w, worley_cell(nearest.id.x));
    w.distance = nearest.key.x;
    if w.metric == WORLEY_EUCLIDEAN {
        w.distance = root_sqrt(nearest.key.x);
    }
    w.inside_id = nearest.id.x;
    let found = worley_search(w);
    let outside = worley_point(w, worley_cell(found.id.x));
    if w.metric != WORLEY_EUCLIDEAN {
        return worley_border_by_metric(w, outside);
    }
    let across = outside - w.inside;
    let inverse = root_inverse(across.x * across.x + (across.y * across.y + across.z * across.z));
    return Jet(real_max(found.key.x, 0.0), across * -inverse);
}
