// Gullies: octaves of stripes that run down the slope, each carved into the result of the previous ones.
// requires: hash real root turn

// A lattice coordinate, Q32.32, from limbs of 16 bits in the table: first + index · step, wrapping.
fn gully_place(first: u32, step: u32, index: u32) -> vec2<u32> {
    let mask = 0xffffu;
    let a = index * u32(table(step)) + u32(table(first));
    let b = index * u32(table(step + 1u)) + u32(table(first + 1u)) + (a >> 16u);
    let c = index * u32(table(step + 2u)) + u32(table(first + 2u)) + (b >> 16u);
    let d = index * u32(table(step + 3u)) + u32(table(first + 3u)) + (c >> 16u);
    return vec2<u32>((d << 16u) | (c & mask), (b << 16u) | (a & mask));
}

// Cosine and sine of stripes across a direction, from the random points of the sixteen cells around. Each contributes waves. Their
// sum is normalised to nearly length 1, or less if they disagree.
fn gully_stripes(cell: vec2<u32>, f: vec2<f32>, across: vec2<f32>, seed: u32) -> vec2<f32> {
    var sum = vec2<f32>(0.0);
    for (var j = -1; j <= 2; j++) {
        for (var i = -1; i <= 2; i++) {
            let h = hash_2(cell.x + u32(i), cell.y + u32(j), seed);
            let x = (f.x - f32(i)) + (f32(h >> 16u) * 0.0000152587890625 - 0.5);
            let y = (f.y - f32(j)) + (f32(h & 0xffffu) * 0.0000152587890625 - 0.5);
            let near = real_max(1.0 - (x * x + y * y) * 0.4444444, 0.0);
            let weight = near * near;
            let turns = x * across.x + y * across.y;
            let wave = turn_whole(turns - floor(turns));
            sum = vec2<f32>(sum.x + wave.y * weight, sum.y + wave.x * weight);
        }
    }
    let i = root_inverse((sum.x * sum.x + sum.y * sum.y) + 0.5);
    return vec2<f32>(sum.x * i, sum.y * i);
}

fn gully_carve(at: vec2<i32>) -> vec2<f32> {
    var height = field_height(at);
    var slope = vec2<f32>(field_slope_x(at), field_slope_y(at));
    var ridge = 0.0;
    var total = 0.0;
    let octaves = u32(number_octaves());
    for (var k = 0u; k < octaves; k++) {
        let row = k * 16u;
        let x = gully_place(row, row + 8u, u32(at.x));
        let y = gully_place(row + 4u, row + 8u, u32(at.y));
        let f = vec2<f32>(f32(x.y >> 8u) * 5.9604644775390625e-8, f32(y.y >> 8u) * 5.9604644775390625e-8);
        let square = slope.x * slope.x + slope.y * slope.y;
        let i = root_inverse(square);
        let across = vec2<f32>(-(slope.y * i), slope.x * i);
        let seed = (u32(table(row + 13u)) << 16u) | u32(table(row + 12u));
        let stripes = gully_stripes(vec2<u32>(x.x, y.x), f, across, seed);
        let r = root_inverse(square + number_onset_squared());
        let fade = (square * r) * r;
        height += (0.5 * (stripes.x - 1.0)) * (fade * table(row + 14u));
        let push = (0.5 * stripes.y) * (fade * table(row + 15u));
        slope = vec2<f32>(slope.x - push * across.x, slope.y - push * across.y);
        ridge += (stripes.x * fade) * table(row + 14u);
        total += table(row + 14u);
    }
    let j = root_inverse(total);
    return vec2<f32>(height, (ridge * j) * j);
}
