// White noise by one-line functions of shaders.
// requires: jet turn

// 2 · fract(sin(12.9898 x + 78.233 y + 37.719 z) · 43758.5453) - 1 for whole x, y, z.
fn white_sine(cell: vec3<u32>) -> Jet {
    let turns = cell.x * 289441625u + cell.y * 1937754652u + cell.z * 13594853u;
    return white_signed(white_fract(turn_whole(white_counted(turns)).x * 43758.546875));
}

// 2 · rand(rand(x) + rand(y)) - 1 with rand(x) = fract(sin(x) · 43758.5453123); z is added to what x and y give.
fn white_nested_sine(cell: vec3<u32>, dimensions: u32) -> Jet {
    var found = white_random(cell.x);
    if dimensions > 1u {
        found = white_again(found + white_random(cell.y));
    }
    if dimensions > 2u {
        found = white_again(found + white_random(cell.z));
    }
    return white_signed(found);
}

// The same with rand(x) = (x ^ (x >> 16)) · 0x85ebca6b of integers that wrap, over 2^32.
fn white_nested_integer(cell: vec3<u32>, dimensions: u32) -> Jet {
    var found = white_shifted(cell.x);
    if dimensions > 1u {
        found = white_shifted(found + white_shifted(cell.y));
    }
    if dimensions > 2u {
        found = white_shifted(found + white_shifted(cell.z));
    }
    return white_signed(white_counted(found));
}

// Turns of 2^-32, in which whole multiples wrap by themselves; their first 24 bits.
fn white_counted(turns: u32) -> f32 {
    return f32(turns >> 8u) * 5.9604644775390625e-8;
}

fn white_fract(x: f32) -> f32 {
    return x - floor(x);
}

// Of a whole number, in radians.
fn white_random(x: u32) -> f32 {
    return white_fract(turn_whole(white_counted(x * 683565276u)).x * 43758.546875);
}

// Of a number from 0 to 2.
fn white_again(x: f32) -> f32 {
    return white_fract(turn_whole(x * 0.15915493667125702).x * 43758.546875);
}

fn white_shifted(x: u32) -> u32 {
    return (x ^ (x >> 16u)) * 0x85ebca6bu;
}

fn white_signed(x: f32) -> Jet {
    return jet_constant(2.0 * x - 1.0);
}
