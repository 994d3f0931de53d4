// Colour ramps, and colours of channels.
// requires: real

// Linear light, not negative, from three coordinates in OKLab or in linear light.
fn colour_light(v: vec3<f32>, lab: bool) -> vec3<f32> {
    // Ottosson's OKLab: cubes of cone responses, then linear sRGB.
    let l = (v.x + 0.3963377774 * v.y) + 0.2158037573 * v.z;
    let m = (v.x - 0.1055613458 * v.y) - 0.0638541728 * v.z;
    let s = (v.x - 0.0894841775 * v.y) - 1.2914855480 * v.z;
    let l3 = (l * l) * l;
    let m3 = (m * m) * m;
    let s3 = (s * s) * s;
    let red = (4.0767416621 * l3 - 3.3077115913 * m3) + 0.2309699292 * s3;
    let green = (2.6097574011 * m3 - 1.2684380046 * l3) - 0.3413193965 * s3;
    let blue = (1.7076147010 * s3 - 0.0041960863 * l3) - 0.7034186147 * m3;
    return vec3<f32>(real_max(select(v.x, red, lab), 0.0), real_max(select(v.y, green, lab), 0.0), real_max(select(v.z, blue, lab), 0.0));
}

fn colour_ramp(at: vec2<i32>) -> vec4<f32> {
    let x = field_value(at);
    let stops = u32(number_stops());
    var low = 0u;
    for (var i = 1u; i < stops; i++) {
        if (table(6u * i) <= x) {
            low = i;
        }
    }
    let high = select(low, low + 1u, low + 1u < stops);
    let t = real_min(real_max((x - table(6u * low)) * table(6u * low + 5u), 0.0), 1.0);
    let a = 1.0 - t;
    let p = table(6u * low + 1u) * a + table(6u * high + 1u) * t;
    let q = table(6u * low + 2u) * a + table(6u * high + 2u) * t;
    let r = table(6u * low + 3u) * a + table(6u * high + 3u) * t;
    let opacity = table(6u * low + 4u) * a + table(6u * high + 4u) * t;
    let colour = colour_light(vec3<f32>(p, q, r), number_oklab() > 0.5);
    return vec4<f32>(colour, opacity);
}

fn colour_channels(at: vec2<i32>) -> vec3<f32> {
    return colour_light(vec3<f32>(field_first(at), field_second(at), field_third(at)), number_oklab() > 0.5);
}
