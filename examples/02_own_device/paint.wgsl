// A map from heights, normals and moisture.

@group(0) @binding(0) var heights: texture_2d<f32>;
@group(0) @binding(1) var normals: texture_2d<f32>;
@group(0) @binding(2) var moistures: texture_2d<f32>;

@vertex
fn corner(@builtin(vertex_index) i: u32) -> @builtin(position) vec4<f32> {
    // One triangle that covers the picture.
    return vec4<f32>(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

@fragment
fn paint(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    let texel = vec2<i32>(at.xy);
    let height = textureLoad(heights, texel, 0).x;
    let normal = textureLoad(normals, texel, 0).xyz * 2.0 - 1.0;
    let moisture = textureLoad(moistures, texel, 0).x;

    let deep = mix(vec3<f32>(0.02, 0.07, 0.16), vec3<f32>(0.07, 0.32, 0.38), smoothstep(-0.55, 0.0, height));
    let grass = mix(vec3<f32>(0.33, 0.29, 0.12), vec3<f32>(0.09, 0.21, 0.06), smoothstep(-0.35, 0.45, moisture));
    var land = mix(vec3<f32>(0.55, 0.47, 0.3), grass, smoothstep(0.01, 0.05, height));
    land = mix(land, vec3<f32>(0.24, 0.21, 0.19), smoothstep(0.35, 0.6, height + 0.5 * (1.0 - normal.z)));
    land = mix(land, vec3<f32>(0.85, 0.88, 0.92), smoothstep(0.72, 0.85, height - 0.3 * (1.0 - normal.z)));

    // Light from the north-west; row 0 is the north.
    let light = clamp(dot(normal, normalize(vec3<f32>(-0.6, -0.6, 0.9))), 0.0, 1.0);
    let lit = land * (0.25 + 1.25 * light);
    let shore = smoothstep(-0.012, 0.004, height);
    return vec4<f32>(mix(deep, lit, shore), 1.0);
}
