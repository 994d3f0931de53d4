// The clipmap as the camera sees it: rays that march over heights, each point in the finest level that holds it.

struct View {
    // Pixels of a picture; the first pixel's column.
    size: vec2<u32>,
    column: u32,
    levels: u32,
    // Forwards, to the right, and the height of the eye.
    forward: vec2<f32>,
    height: f32,
    ring: i32,
    // For each level: the texel that the camera is in, and where in it.
    texel: array<vec4<i32>, 8>,
    part: array<vec4<f32>, 8>,
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var heights: texture_2d_array<f32>;
@group(0) @binding(2) var normals: texture_2d_array<f32>;
@group(0) @binding(3) var picture: texture_storage_2d<rgba8unorm, write>;

const SUN = vec3<f32>(-0.62, -0.45, 0.45);

// The level that holds a point, relative to the camera; with half a tile to spare at its edge.
fn level_of(p: vec2<f32>) -> u32 {
    let far = max(abs(p.x), abs(p.y));
    var level = 0u;
    while (level + 1u < view.levels && far > 44.0 * f32(1u << level)) {
        level += 1u;
    }
    return level;
}

fn wrapped(texel: vec2<i32>) -> vec2<i32> {
    return ((texel % view.ring) + view.ring) % view.ring;
}

// Four texels around a point of a level, and how far it lies between them.
struct Corners {
    first: vec2<i32>,
    t: vec2<f32>,
}

fn corners(p: vec2<f32>, level: u32) -> Corners {
    let at = p / f32(1u << level) + view.part[level].xy;
    return Corners(view.texel[level].xy + vec2<i32>(floor(at)), at - floor(at));
}

fn height_at(p: vec2<f32>, level: u32) -> f32 {
    let around = corners(p, level);
    var rows: array<f32, 2>;
    for (var y = 0; y < 2; y++) {
        let left = textureLoad(heights, wrapped(around.first + vec2<i32>(0, y)), level, 0).x;
        let right = textureLoad(heights, wrapped(around.first + vec2<i32>(1, y)), level, 0).x;
        rows[y] = mix(left, right, around.t.x);
    }
    return mix(rows[0], rows[1], around.t.y);
}

fn normal_at(p: vec2<f32>, level: u32) -> vec3<f32> {
    let around = corners(p, level);
    var rows: array<vec3<f32>, 2>;
    for (var y = 0; y < 2; y++) {
        let left = textureLoad(normals, wrapped(around.first + vec2<i32>(0, y)), level, 0).xyz;
        let right = textureLoad(normals, wrapped(around.first + vec2<i32>(1, y)), level, 0).xyz;
        rows[y] = mix(left, right, around.t.x);
    }
    return normalize(mix(rows[0], rows[1], around.t.y) * 2.0 - 1.0);
}

fn air(direction: vec3<f32>) -> vec3<f32> {
    let up = clamp(direction.z * 2.0 + 0.12, 0.0, 1.0);
    let glow = pow(clamp(dot(direction, normalize(SUN)), 0.0, 1.0), 8.0);
    return mix(vec3<f32>(0.66, 0.72, 0.8), vec3<f32>(0.16, 0.33, 0.62), up) + vec3<f32>(0.35, 0.22, 0.1) * glow;
}

fn lit(p: vec3<f32>, normal: vec3<f32>) -> vec3<f32> {
    let steep = 1.0 - normal.z;
    let grass = mix(vec3<f32>(0.1, 0.15, 0.045), vec3<f32>(0.22, 0.2, 0.09), smoothstep(40.0, 220.0, p.z));
    let rock = mix(vec3<f32>(0.17, 0.15, 0.13), vec3<f32>(0.3, 0.28, 0.26), smoothstep(40.0, 240.0, p.z));
    let snow = smoothstep(0.45, 0.25, steep) * smoothstep(95.0, 150.0, p.z);
    let albedo = mix(mix(grass, rock, smoothstep(0.12, 0.36, steep + 0.0006 * p.z)), vec3<f32>(0.86, 0.89, 0.94), snow);
    let sun = clamp(dot(normal, normalize(SUN)), 0.0, 1.0);
    return albedo * (vec3<f32>(1.8, 1.55, 1.25) * sun + vec3<f32>(0.26, 0.34, 0.48) * (0.5 + 0.5 * normal.z));
}

@compute @workgroup_size(8, 8)
fn film(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= view.size.x || id.y >= view.size.y) {
        return;
    }
    let screen = (vec2<f32>(id.xy) + 0.5 - 0.5 * vec2<f32>(view.size)) / f32(view.size.y);
    let right = vec2<f32>(-view.forward.y, view.forward.x);
    let direction = normalize(vec3<f32>(view.forward + 1.1 * screen.x * right, -1.1 * screen.y - 0.22));
    var near = 0.0;
    var far = 1.0;
    var hit = false;
    let reach = 60.0 * f32(1u << (view.levels - 1u));
    while (far < reach) {
        let p = far * direction;
        if (view.height + p.z < height_at(p.xy, level_of(p.xy))) {
            hit = true;
            break;
        }
        near = far;
        far = far * 1.012 + 0.2;
    }
    var colour = air(direction);
    if (hit) {
        for (var k = 0; k < 10; k++) {
            let middle = 0.5 * (near + far);
            let p = middle * direction;
            if (view.height + p.z < height_at(p.xy, level_of(p.xy))) {
                far = middle;
            } else {
                near = middle;
            }
        }
        let p = far * direction;
        let haze = 1.0 - exp(-0.0000014 * far * far);
        colour = mix(lit(vec3<f32>(p.xy, view.height + p.z), normal_at(p.xy, level_of(p.xy))), colour, haze);
    }
    let shown = pow(clamp(colour, vec3<f32>(0.0), vec3<f32>(1.0)), vec3<f32>(1.0 / 2.2));
    textureStore(picture, vec2<i32>(i32(id.x + view.column), i32(id.y)), vec4<f32>(shown, 1.0));
}
