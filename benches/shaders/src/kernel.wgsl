// A compute shader around a pasted noise: FUNCTION is its expression for a position `p` in cells.

struct OrogenFrame {
    frequency: f32,
    octaves: u32,
    warp: f32,
    unused: u32,
}

@group(0) @binding(0) var<uniform> orogen_frame: OrogenFrame;
@group(0) @binding(1) var orogen_texels: texture_storage_2d<FORMAT, write>;

fn orogen_noise(p: vec3<f32>) -> NUMBER {
    PRELUDE
    return FUNCTION;
}

fn orogen_sum(p: vec3<f32>) -> NUMBER {
    var sum = NUMBER(0.0);
    var scale = 1.0;
    var amplitude = 1.0;
    for (var octave = 0u; octave < orogen_frame.octaves; octave++) {
        sum += amplitude * STEEPNESS * orogen_noise(p * scale + 17.0 * f32(octave));
        scale *= 2.0;
        amplitude *= 0.5;
    }
    return sum;
}

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let p = vec3<f32>(vec2<f32>(id.xy) * orogen_frame.frequency, 0.5);
    textureStore(orogen_texels, id.xy, vec4<f32>(BODY));
}
