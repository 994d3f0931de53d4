// A grid lifted by a texture of heights, lit by a texture of normals, in front of a sky.

struct Scene {
    projection: mat4x4<f32>,
    eye: vec3<f32>,
    // World units from vertex to vertex.
    spacing: f32,
    // Quads along an edge.
    grid: f32,
}

@group(0) @binding(0) var<uniform> scene: Scene;
@group(0) @binding(1) var heights: texture_2d<f32>;
@group(0) @binding(2) var normals: texture_2d<f32>;
@group(0) @binding(3) var smooth_sampler: sampler;

const SUN = vec3<f32>(-0.72, -0.25, 0.42);

struct Point {
    @builtin(position) position: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) at: vec2<f32>,
}

@vertex
fn lift(@builtin(vertex_index) index: u32) -> Point {
    let grid = u32(scene.grid);
    let quad = index / 6u;
    // Two triangles to a quad: corners 0 1 2, 2 1 3.
    let corner = select(index % 6u, array<u32, 3>(2u, 1u, 3u)[index % 3u], index % 6u > 2u);
    let vertex = vec2<u32>(quad % grid + (corner & 1u), quad / grid + (corner >> 1u));
    let height = textureLoad(heights, vec2<i32>(vertex), 0).x;
    let world = vec3<f32>(vec2<f32>(vertex) * scene.spacing, height);
    return Point(scene.projection * vec4<f32>(world, 1.0), world, vec2<f32>(vertex) / scene.grid);
}

// Colour of the sky in a direction.
fn air(direction: vec3<f32>) -> vec3<f32> {
    let up = clamp(direction.z * 2.2 + 0.1, 0.0, 1.0);
    let glow = pow(clamp(dot(direction, normalize(SUN)), 0.0, 1.0), 6.0);
    return mix(vec3<f32>(0.6, 0.68, 0.78), vec3<f32>(0.13, 0.29, 0.58), up) + vec3<f32>(0.4, 0.25, 0.12) * glow;
}

@fragment
fn ground(point: Point) -> @location(0) vec4<f32> {
    let normal = normalize(textureSample(normals, smooth_sampler, point.at).xyz * 2.0 - 1.0);
    let steep = 1.0 - normal.z;
    let height = point.world.z;
    var rock = mix(vec3<f32>(0.23, 0.2, 0.18), vec3<f32>(0.34, 0.31, 0.29), smoothstep(60.0, 240.0, height));
    let grass = mix(vec3<f32>(0.1, 0.15, 0.045), vec3<f32>(0.2, 0.19, 0.08), smoothstep(60.0, 260.0, height));
    rock = mix(grass, rock, smoothstep(0.1, 0.26, steep + 0.0008 * height));
    let snow = smoothstep(0.5, 0.28, steep) * smoothstep(85.0, 150.0, height);
    let albedo = mix(rock, vec3<f32>(0.86, 0.89, 0.94), snow);

    let sun = clamp(dot(normal, normalize(SUN)), 0.0, 1.0);
    let lit = albedo * (vec3<f32>(1.75, 1.5, 1.2) * sun + vec3<f32>(0.26, 0.34, 0.48) * (0.5 + 0.5 * normal.z));
    let away = point.world - scene.eye;
    let haze = 1.0 - exp(-0.00000006 * dot(away, away));
    return vec4<f32>(mix(lit, air(normalize(away)), haze), 1.0);
}

struct Ray {
    @builtin(position) position: vec4<f32>,
    @location(0) at: vec2<f32>,
}

@vertex
fn screen(@builtin(vertex_index) index: u32) -> Ray {
    let at = vec2<f32>(f32(index & 1u), f32(index >> 1u)) * 4.0 - 1.0;
    return Ray(vec4<f32>(at, 1.0, 1.0), at);
}

@fragment
fn sky(ray: Ray) -> @location(0) vec4<f32> {
    return vec4<f32>(air(normalize(vec3<f32>(0.6 * ray.at.x, -1.0, 0.32 * ray.at.y - 0.32))), 1.0);
}
