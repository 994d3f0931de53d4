// A straightforward shader without Orogen, for comparison: positions are floats, and an octave multiplies them. The library's
// noises are inserted before this text. `document` is the terrain shader's simplex as listed, in floats throughout (McEwan,
// Sheets, Gustavson and Richardson 2012); the library uses integers.

struct Naive {
    frequency: f32,
    lacunarity: f32,
    octaves: u32,
    seed: u32,
}

@group(0) @binding(0) var<uniform> naive: Naive;
@group(0) @binding(1) var texels: texture_storage_2d<r32float, write>;

fn document_modulo(x: vec4<f32>) -> vec4<f32> {
    return x - floor(x * (1.0 / 289.0)) * 289.0;
}

fn document_permute(x: vec4<f32>) -> vec4<f32> {
    return document_modulo((x * 34.0 + 1.0) * x);
}

fn document(v: vec3<f32>) -> f32 {
    let cell = floor(v + dot(v, vec3<f32>(1.0 / 3.0)));
    let d0 = v - cell + dot(cell, vec3<f32>(1.0 / 6.0));
    let greater = step(d0.yzx, d0);
    let less = 1.0 - greater;
    let second = min(greater, less.zxy);
    let third = max(greater, less.zxy);
    let d1 = d0 - second + 1.0 / 6.0;
    let d2 = d0 - third + 1.0 / 3.0;
    let d3 = d0 - 0.5;
    let c = document_modulo(vec4<f32>(cell, 0.0));
    let pz = document_permute(c.z + vec4<f32>(0.0, second.z, third.z, 1.0));
    let py = document_permute(pz + c.y + vec4<f32>(0.0, second.y, third.y, 1.0));
    let p = document_permute(py + c.x + vec4<f32>(0.0, second.x, third.x, 1.0));
    let j = p - 49.0 * floor(p * (1.0 / 49.0));
    let row = floor(j * (1.0 / 7.0));
    let x = (row * 2.0 + 0.5) * (1.0 / 7.0) - 1.0;
    let y = ((j - 7.0 * row) * 2.0 + 0.5) * (1.0 / 7.0) - 1.0;
    let h = 1.0 - abs(x) - abs(y);
    let fold = -step(h, vec4<f32>(0.0));
    let gx = x + (floor(x) * 2.0 + 1.0) * fold;
    let gy = y + (floor(y) * 2.0 + 1.0) * fold;
    let normal = 1.79284291400159 - 0.85373472095314 * (gx * gx + gy * gy + h * h);
    let reach = vec4<f32>(dot(d0, d0), dot(d1, d1), dot(d2, d2), dot(d3, d3));
    let m = max(0.6 - reach, vec4<f32>(0.0));
    let m2 = m * m;
    let slopes = normal * vec4<f32>(
        gx.x * d0.x + gy.x * d0.y + h.x * d0.z,
        gx.y * d1.x + gy.y * d1.y + h.y * d1.z,
        gx.z * d2.x + gy.z * d2.y + h.z * d2.z,
        gx.w * d3.x + gy.w * d3.y + h.w * d3.z,
    );
    return 42.0 * dot(m2 * m2, slopes);
}

fn naive_simplex_2(p: vec2<f32>, key: Key) -> f32 {
    let skewed = p + (p.x + p.y) * 0.3660254037844386;
    let cell = floor(skewed);
    return simplex_2(vec3<i32>(vec2<i32>(cell), 0), vec3<f32>(skewed - cell, 0.0), key).value;
}

fn naive_simplex_3(p: vec3<f32>, key: Key) -> f32 {
    let skewed = p + (p.x + p.y + p.z) * (1.0 / 3.0);
    let cell = floor(skewed);
    return simplex_3(vec3<i32>(cell), skewed - cell, key).value;
}

fn naive_perlin_2(p: vec2<f32>, key: Key) -> f32 {
    let cell = floor(p);
    let f = vec3<f32>(p - cell, 0.0);
    return lattice_perlin_2(vec3<i32>(vec2<i32>(cell), 0), f, key, interpolate_quintic(f.x), interpolate_quintic(f.y)).value;
}

fn naive_perlin_3(p: vec3<f32>, key: Key) -> f32 {
    let cell = floor(p);
    let f = p - cell;
    return lattice_perlin_3(vec3<i32>(cell), f, key, interpolate_quintic(f.x), interpolate_quintic(f.y), interpolate_quintic(f.z)).value;
}

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if any(id.xy >= textureDimensions(texels)) {
        return;
    }
    let p = vec3<f32>(id) * naive.frequency;
    var scale = 1.0;
    var amplitude = 0.5;
    var total = 0.0;
    for (var k = 0u; k < naive.octaves; k++) {
        let key = Key(naive.seed + k, vec4<i32>(0));
        total += amplitude * NOISE;
        scale *= naive.lacunarity;
        amplitude *= 0.5;
    }
    textureStore(texels, id.xy, vec4<f32>(total));
}
