// The parameters of a dispatch.
// requires: tables

struct Dispatch {
    // Samples along x, y and z; for a list of points, their number.
    size: vec3<u32>,
    // A list of points has this many origins for each, or, where points are displacements from an anchor, this many numbers.
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
