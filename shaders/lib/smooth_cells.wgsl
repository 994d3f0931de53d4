// Smooth cells: a weighted mean over the points of cellular noise within a reach.
//
// A point at distance d has the weight ((reach - d) / (reach - nearest))^exponent, which is 0 from the reach on: further points
// change nothing. The nearest point's weight is 1. The reach exceeds the distance to any nearest point by 1 or more.
//
// Distances here are keys, as in cellular noise: squared for the Euclidean and squared metrics. Each is multiplied by the size of
// its point.
// requires: hash jet power real root worley

// The ring at which searches end: no reach leads there.
const SMOOTH_CELLS_RINGS: i32 = 8;

struct SmoothCellsNumbers {
    jitter: f32,
    // The sizes of points are from 1 to 1 + this.
    variation: f32,
    reach: f32,
    exponent: f32,
}

// Sums over points: of weights, of weights times values, and of the gradients of both.
struct SmoothCellsSums {
    weight: f32,
    value: f32,
    weight_slope: vec3<f32>,
    value_slope: vec3<f32>,
}

fn smooth_cells(
    cell: vec3<i32>,
    f: vec3<f32>,
    key: Key,
    dimensions: u32,
    metric: u32,
    values: bool,
    n: SmoothCellsNumbers,
) -> Jet {
    let w = worley_new(cell, f, key, dimensions, metric, 1u, n.jitter);
    let root = root_inverse(n.reach - smooth_cells_nearest(w, n.variation));
    let scale = root * root;
    var sums = SmoothCellsSums();
    for (var ring = 1; ring < SMOOTH_CELLS_RINGS; ring++) {
        if ring > 1 && worley_ring_gap(w, ring) >= n.reach {
            break;
        }
        let height = select(0, ring, dimensions > 1u);
        let depth = select(0, ring, dimensions > 2u);
        for (var z = -depth; z <= depth; z++) {
            for (var y = -height; y <= height; y++) {
                let step = smooth_cells_step(ring, y, z);
                for (var x = -ring; x <= ring; x += step) {
                    let o = vec3<i32>(x, y, z);
                    if ring == 1 || worley_gap(w, o) < n.reach {
                        sums = smooth_cells_add(w, sums, o, values, n, scale);
                    }
                }
            }
        }
    }
    let inverse_root = root_inverse(sums.weight);
    let inverse = inverse_root * inverse_root;
    let mean = sums.value * inverse;
    let gradient = (sums.value_slope - mean * sums.weight_slope) * inverse;
    if values {
        // Rounding must not leave the range.
        return Jet(real_max(real_min(mean, 1.0), -1.0), gradient);
    }
    return Jet(mean, gradient);
}

// Steps along x in a ring: rows inside its faces have only their ends in common with it. The first ring is a whole block.
fn smooth_cells_step(ring: i32, y: i32, z: i32) -> i32 {
    return select(2 * ring, 1, ring == 1 || abs(y) == ring || abs(z) == ring);
}

// The smallest key of all points.
fn smooth_cells_nearest(w: Worley, variation: f32) -> f32 {
    var nearest = WORLEY_FAR;
    for (var ring = 1; ring < SMOOTH_CELLS_RINGS; ring++) {
        if ring > 1 && worley_ring_gap(w, ring) >= nearest {
            break;
        }
        let height = select(0, ring, w.dimensions > 1u);
        let depth = select(0, ring, w.dimensions > 2u);
        for (var z = -depth; z <= depth; z++) {
            for (var y = -height; y <= height; y++) {
                let step = smooth_cells_step(ring, y, z);
                for (var x = -ring; x <= ring; x += step) {
                    let o = vec3<i32>(x, y, z);
                    if ring == 1 || worley_gap(w, o) < nearest {
                        let h = worley_hash(w, o);
                        let size = smooth_cells_size(hash_mix(h), variation);
                        nearest = real_min(size * worley_length(w.metric, worley_point_of(w, h, o)), nearest);
                    }
                }
            }
        }
    }
    return nearest;
}

// The size of a point, given the word of its value.
fn smooth_cells_size(word: u32, variation: f32) -> f32 {
    return 1.0 + variation * (0.5 * hash_signed(hash_mix(word)) + 0.5);
}

// Adds the point of a cell.
fn smooth_cells_add(w: Worley, sums: SmoothCellsSums, o: vec3<i32>, values: bool, n: SmoothCellsNumbers, scale: f32) -> SmoothCellsSums {
    let h = worley_hash(w, o);
    let v = worley_point_of(w, h, o);
    let word = hash_mix(h);
    let size = smooth_cells_size(word, n.variation);
    let key = size * worley_length(w.metric, v);
    let rest = real_max((n.reach - key) * scale, 0.0);
    let power = power_positive(rest, n.exponent);
    let slope = smooth_cells_slope(w.metric, v, size);
    let pull = -(power.y * scale) * slope;
    var value = Jet(key, slope);
    if values {
        value = jet_constant(hash_signed(word));
    } else if w.metric == WORLEY_EUCLIDEAN {
        value = Jet(root_sqrt(key), (0.5 * root_inverse(key)) * slope);
    }
    return SmoothCellsSums(
        sums.weight + power.x,
        sums.value + power.x * value.value,
        sums.weight_slope + pull,
        sums.value_slope + (value.value * pull + power.x * value.gradient),
    );
}

// The gradient of a point's key.
fn smooth_cells_slope(metric: u32, v: vec3<f32>, size: f32) -> vec3<f32> {
    if metric == WORLEY_EUCLIDEAN || metric == WORLEY_SQUARED {
        return (-2.0 * size) * v;
    }
    return size * worley_slope(metric, v);
}
