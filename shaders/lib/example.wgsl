// Noise by example. Around each corner of a grid of triangles lies a part of a raster, from a random place and turned at random. A
// sample blends the parts of three corners.
//
// Sources: Heitz and Neyret, "High-performance by-example noise using a histogram-preserving blending operator", 2018; Mikkelsen,
// "Practical real-time hex-tiling", 2022.
//
// The raster's numbers have a normal distribution. So has a weighted sum, divided by the root of the sum of squared weights.
// requires: hash jet point power root turn

// The height of a triangle with edges of 1.
const EXAMPLE_HEIGHT: f32 = 0.8660253882408142;

struct ExampleNumbers {
    // Samples of the raster per edge of a triangle.
    per_edge: vec2<f32>,
    // The first place of a corner in the raster, and the lengths to the last.
    first: vec2<f32>,
    places: vec2<f32>,
    // Half the range of turns, and the exponent of weights.
    turned: f32,
    exponent: f32,
}

fn example_numbers(a: vec4<f32>, b: vec4<f32>) -> ExampleNumbers {
    return ExampleNumbers(a.xy, a.zw, b.xy, b.z, b.w);
}

// The part of the raster at a corner.
struct ExampleCorner {
    cell: vec2<i32>,
    fraction: vec2<f32>,
    // The weight, and its slopes.
    weight: f32,
    weight_slope: vec2<f32>,
    // Samples of the raster per unit of the lattice: along its first axis and along its second.
    along: vec2<f32>,
    across: vec2<f32>,
}

struct ExampleTriangle {
    a: ExampleCorner,
    b: ExampleCorner,
    c: ExampleCorner,
}

// The corner at these coordinates of the lattice, which is this far from the sample. The slope is that of the corner's share.
fn example_corner(corner: vec2<i32>, d: vec2<f32>, share: f32, slope: vec2<f32>, key: Key, n: ExampleNumbers) -> ExampleCorner {
    let h = point_hexagon(u32(corner.x + corner.y), u32(corner.y), key);
    let second = hash_mix(h);
    let third = hash_mix(second);
    let turns = n.turned * hash_signed(third);
    let turn = turn_whole(turns - floor(turns));
    let along = vec2<f32>(n.per_edge.x * turn.y, n.per_edge.y * turn.x);
    let across = vec2<f32>(
        n.per_edge.x * (0.5 * turn.y - EXAMPLE_HEIGHT * turn.x),
        n.per_edge.y * (0.5 * turn.x + EXAMPLE_HEIGHT * turn.y),
    );
    let place = vec2<f32>(
        n.first.x + n.places.x * (0.5 * hash_signed(h) + 0.5),
        n.first.y + n.places.y * (0.5 * hash_signed(second) + 0.5),
    );
    let at = place + (d.x * along + d.y * across);
    let whole = floor(at);
    let power = power_positive(share, n.exponent);
    return ExampleCorner(vec2<i32>(whole), at - whole, power.x, power.y * slope, along, across);
}

fn example_triangle(cell: vec3<i32>, f: vec3<f32>, key: Key, n: ExampleNumbers) -> ExampleTriangle {
    let upper = f.x + f.y >= 1.0;
    let third = select(0, 1, upper);
    let sign = select(-1.0, 1.0, upper);
    let x = f.xy - vec2<f32>(1.0, 0.0);
    let y = f.xy - vec2<f32>(0.0, 1.0);
    let z = f.xy - f32(third);
    let own = sign * (f.x + f.y - 1.0);
    return ExampleTriangle(
        example_corner(cell.xy + vec2<i32>(1, 0), x, select(f.x, 1.0 - f.y, upper), select(vec2<f32>(1.0, 0.0), vec2<f32>(0.0, -1.0), upper), key, n),
        example_corner(cell.xy + vec2<i32>(0, 1), y, select(f.y, 1.0 - f.x, upper), select(vec2<f32>(0.0, 1.0), vec2<f32>(-1.0, 0.0), upper), key, n),
        example_corner(cell.xy + third, z, own, vec2<f32>(sign), key, n),
    );
}

// A value of the raster with its gradient per sample → per unit of the lattice.
fn example_slope(corner: ExampleCorner, value: Jet) -> vec2<f32> {
    return vec2<f32>(
        value.gradient.x * corner.along.x + value.gradient.y * corner.along.y,
        value.gradient.x * corner.across.x + value.gradient.y * corner.across.y,
    );
}

fn example_blend(t: ExampleTriangle, a: Jet, b: Jet, c: Jet) -> Jet {
    let sum = t.a.weight * a.value + (t.b.weight * b.value + t.c.weight * c.value);
    let squares = t.a.weight * t.a.weight + (t.b.weight * t.b.weight + t.c.weight * t.c.weight);
    let root = root_inverse(squares);
    let first = t.a.weight * example_slope(t.a, a) + a.value * t.a.weight_slope;
    let second = t.b.weight * example_slope(t.b, b) + b.value * t.b.weight_slope;
    let third = t.c.weight * example_slope(t.c, c) + c.value * t.c.weight_slope;
    let pull = t.a.weight * t.a.weight_slope + (t.b.weight * t.b.weight_slope + t.c.weight * t.c.weight_slope);
    let value = sum * root;
    let gradient = root * (first + (second + third)) - (value * (root * root)) * pull;
    return Jet(value, vec3<f32>(gradient, 0.0));
}
