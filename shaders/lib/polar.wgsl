// Polar coordinates of a position relative to a centre, and their gradients.
// requires: jet real root

fn polar_radius(c: vec3<f32>) -> Jet {
    let s = c.x * c.x + (c.y * c.y + c.z * c.z);
    return Jet(root_sqrt(s), c * root_inverse(s));
}

// 1 / distance in the plane.
fn polar_inverse(c: vec3<f32>) -> f32 {
    return root_inverse(c.x * c.x + c.y * c.y);
}

fn polar_cosine(c: vec3<f32>) -> Jet {
    let i = polar_inverse(c);
    let v = c.xy * i;
    return Jet(v.x, vec3<f32>(v.y * (v.y * i), -(v.x * (v.y * i)), 0.0));
}

fn polar_sine(c: vec3<f32>) -> Jet {
    let i = polar_inverse(c);
    let v = c.xy * i;
    return Jet(v.y, vec3<f32>(-(v.x * (v.y * i)), v.x * (v.x * i), 0.0));
}

// Arc sine in turns for magnitudes up to √½, absolute error below 3e-8.
fn polar_asin(s: f32) -> f32 {
    let z = s * s;
    var p = 0.017915720120072365;
    p = p * z - 0.015125046484172344;
    p = p * z + 0.01255032792687416;
    p = p * z + 0.0024878678377717733;
    p = p * z + 0.007427356205880642;
    p = p * z + 0.011915314011275768;
    p = p * z + 0.026526354253292084;
    p = p * z + 0.15915493667125702;
    return p * s;
}

// Turns from the x axis towards y, -1/2 to 1/2.
fn polar_angle(c: vec3<f32>) -> Jet {
    let i = polar_inverse(c);
    let v = c.xy * i;
    let steep = abs(v.y) > abs(v.x);
    let a = polar_asin(select(v.y, v.x, steep));
    let up = select(0.25 - a, -0.25 + a, v.y < 0.0);
    let back = select(0.5 - a, -0.5 - a, v.y < 0.0);
    let angle = select(select(a, back, v.x < 0.0), up, steep);
    return Jet(angle, vec3<f32>(-0.15915493667125702 * (v.y * i), 0.15915493667125702 * (v.x * i), 0.0));
}
