// FastNoiseLite's cellular noise: the nine or 27 points around a sample. Its shape goes as constants, so that a kernel holds only
// what its shape needs.
// requires: exact fastnoise jet root tables

const FASTNOISE_CELLULAR_EUCLIDEAN: u32 = 0u;
const FASTNOISE_CELLULAR_EUCLIDEAN_SQUARED: u32 = 1u;
const FASTNOISE_CELLULAR_MANHATTAN: u32 = 2u;
const FASTNOISE_CELLULAR_HYBRID: u32 = 3u;

const FASTNOISE_CELLULAR_CELL_VALUE: u32 = 0u;
const FASTNOISE_CELLULAR_DISTANCE: u32 = 1u;
const FASTNOISE_CELLULAR_DISTANCE2: u32 = 2u;
const FASTNOISE_CELLULAR_DISTANCE2_ADD: u32 = 3u;
const FASTNOISE_CELLULAR_DISTANCE2_SUB: u32 = 4u;
const FASTNOISE_CELLULAR_DISTANCE2_MUL: u32 = 5u;
const FASTNOISE_CELLULAR_DISTANCE2_DIV: u32 = 6u;

// The structural part of the noise.
struct FastnoiseCellular {
    dimensions: u32,
    distance: u32,
    output: u32,
    // Whether square roots are one step of Newton's method.
    rough: bool,
}

// The components of a vector, added. In 2D, the third one is not part of the sum.
fn fastnoise_cellular_sum(v: vec3<f32>, plane_only: bool) -> f32 {
    let plane = v.x + v.y;
    if plane_only {
        return plane;
    }
    return plane + v.z;
}

// The distance along an offset, and its gradient: the point stays, the sample moves.
fn fastnoise_cellular_length(shape: FastnoiseCellular, v: vec3<f32>) -> Jet {
    let plane = shape.dimensions == 2u;
    let squares = Jet(fastnoise_cellular_sum(v * v, plane), -2.0 * v);
    if shape.distance <= FASTNOISE_CELLULAR_EUCLIDEAN_SQUARED {
        return squares;
    }
    let signs = select(vec3<f32>(-1.0), vec3<f32>(1.0), v < vec3<f32>(0.0));
    let magnitudes = Jet(fastnoise_cellular_sum(abs(v), plane), signs);
    if shape.distance == FASTNOISE_CELLULAR_MANHATTAN {
        return magnitudes;
    }
    return jet_add(magnitudes, squares);
}

fn fastnoise_cellular_root(shape: FastnoiseCellular, square: Jet) -> Jet {
    let slope = 0.5 * root_inverse(square.value);
    if shape.rough {
        return jet_through(exact_rough_root(square.value), slope, square);
    }
    return jet_through(exact_root(square.value), slope, square);
}

// `vectors` is the index of the random vectors in the series: 256 in 2D, then 256 in 3D.
fn fastnoise_cellular(seed: i32, at: vec3<f32>, shape: FastnoiseCellular, jitter: f32, vectors: u32) -> Jet {
    let plane = shape.dimensions == 2u;
    let low = fastnoise_round(at) - 1;
    var nearest = jet_constant(3.4028234663852886e38);
    var second = nearest;
    var closest = 0;
    let deep = select(3, 1, plane);
    for (var i = 0; i < 3; i++) {
        for (var j = 0; j < 3; j++) {
            for (var k = 0; k < deep; k++) {
                let point = low + vec3<i32>(i, j, k);
                let primed = point * FASTNOISE_PRIMES;
                var hash: i32;
                var vector: vec3<f32>;
                if plane {
                    hash = fastnoise_hash_2(seed, primed.xy);
                    let index = vectors + u32(hash & 0x1fe);
                    vector = vec3<f32>(table_series(index), table_series(index + 1u), 0.0);
                } else {
                    hash = fastnoise_hash_3(seed, primed);
                    let index = vectors + 512u + u32((hash >> 2u) & 0xff) * 3u;
                    vector = vec3<f32>(table_series(index), table_series(index + 1u), table_series(index + 2u));
                }
                let found = fastnoise_cellular_length(shape, fastnoise_numbers(point) - at + vector * jitter);
                second = jet_max(jet_min(second, found), nearest);
                if found.value < nearest.value {
                    nearest = found;
                    closest = hash;
                }
            }
        }
    }
    if shape.distance == FASTNOISE_CELLULAR_EUCLIDEAN && shape.output != FASTNOISE_CELLULAR_CELL_VALUE {
        nearest = fastnoise_cellular_root(shape, nearest);
        second = fastnoise_cellular_root(shape, second);
    }
    if shape.output == FASTNOISE_CELLULAR_CELL_VALUE {
        return jet_constant(fastnoise_number(closest) * 4.656612873077393e-10);
    }
    return fastnoise_cellular_result(shape.output, nearest, second);
}

// The result, from the distances to the two nearest points.
fn fastnoise_cellular_result(output: u32, a: Jet, b: Jet) -> Jet {
    switch output {
        case FASTNOISE_CELLULAR_DISTANCE: {
            return Jet(a.value - 1.0, a.gradient);
        }
        case FASTNOISE_CELLULAR_DISTANCE2: {
            return Jet(b.value - 1.0, b.gradient);
        }
        case FASTNOISE_CELLULAR_DISTANCE2_ADD: {
            return Jet((b.value + a.value) * 0.5 - 1.0, (b.gradient + a.gradient) * 0.5);
        }
        case FASTNOISE_CELLULAR_DISTANCE2_SUB: {
            return Jet(b.value - a.value - 1.0, b.gradient - a.gradient);
        }
        case FASTNOISE_CELLULAR_DISTANCE2_MUL: {
            return Jet(b.value * a.value * 0.5 - 1.0, (b.gradient * a.value + b.value * a.gradient) * 0.5);
        }
        default: {
            let quotient = exact_quotient(a.value, b.value);
            let root = root_inverse(b.value);
            return Jet(quotient - 1.0, (a.gradient - quotient * b.gradient) * (root * root));
        }
    }
}
