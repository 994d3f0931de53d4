// As kernel.wgsl. The noise stands before this text.

layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform OrogenFrame {
    float frequency;
    uint octaves;
    float warp;
    uint unused;
} orogen_frame;
layout(set = 0, binding = 1, GLSL_FORMAT) writeonly uniform image2D orogen_texels;

NUMBER orogen_noise(vec3 p) {
    PRELUDE
    return FUNCTION;
}

NUMBER orogen_sum(vec3 p) {
    NUMBER sum = NUMBER(0.0);
    float scale = 1.0;
    float amplitude = 1.0;
    for (uint octave = 0u; octave < orogen_frame.octaves; octave++) {
        sum += amplitude * STEEPNESS * orogen_noise(p * scale + 17.0 * float(octave));
        scale *= 2.0;
        amplitude *= 0.5;
    }
    return sum;
}

void main() {
    vec3 p = vec3(vec2(gl_GlobalInvocationID.xy) * orogen_frame.frequency, 0.5);
    imageStore(orogen_texels, ivec2(gl_GlobalInvocationID.xy), vec4(BODY));
}
