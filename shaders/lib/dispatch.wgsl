// What one dispatch brings, and the tables of the program it runs.
// requires: tables

struct Dispatch {
    // Samples along x, y and z; for a list of points, their number.
    size: vec3<u32>,
    // A region has 0: all samples share their lattices' origins. A list of points has this many origins for each, or, where
    // points are displacements from an anchor, this many numbers.
    stride: u32,
    // The texel at which a region begins.
    at: vec3<u32>,
    // World units of height per unit of value, in normal maps.
    strength: f32,
    // A value v is written as v · scale + offset.
    scale: f32,
    offset: f32,
}

@group(0) @binding(0) var<uniform> dispatch: Dispatch;
@group(0) @binding(1) var<storage, read> scalars: array<f32>;
@group(0) @binding(2) var<storage, read> spans: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read> frames: array<Frame>;
@group(0) @binding(4) var<storage, read> origins: array<Origin>;
@group(0) @binding(5) var<storage, read> series: array<f32>;
@group(0) @binding(6) var<storage, read> points: array<SplinePoint>;

fn dispatch_site(id: vec3<u32>) -> Site {
    if dispatch.stride == 0u {
        return Site(id, 0u);
    }
    return Site(vec3<u32>(0u), id.x * dispatch.stride);
}
