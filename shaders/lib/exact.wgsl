// Correctly rounded square roots and quotients, from estimates that integers correct: the built-in ones differ from driver to driver.
//
// An estimate is within a few units of the result's last place. Its remainder fits a 32-bit word, in which products wrap, and decides
// the last units.
// requires: root

// The 24 bits of a normal number's significand.
fn exact_significand(x: f32) -> u32 {
    return (bitcast<u32>(x) & 0x7fffffu) | 0x800000u;
}

// The number from 1 to 2 with this significand.
fn exact_unit(x: f32) -> f32 {
    return bitcast<f32>((bitcast<u32>(x) & 0x7fffffu) | 0x3f800000u);
}

// A significand from 2^23 to 2^24 as an integer, with an exponent. A carry out of the significand moves into the exponent.
fn exact_packed(exponent: u32, significand: u32) -> f32 {
    return bitcast<f32>((exponent << 23u) + significand - 0x800000u);
}

// √x; 0 below 2^-100.
fn exact_root(x: f32) -> f32 {
    let bits = bitcast<u32>(x);
    let exponent = bits >> 23u;
    // x = f · 4^e with f from 1 to 4.
    let odd = (exponent & 1u) ^ 1u;
    let f = bitcast<f32>(((bits & 0x7fffffu) | 0x3f800000u) + (odd << 23u));
    let m = u32(i32(root_sqrt(f) * 8388608.0));
    let r = i32((exact_significand(x) << (23u + odd)) - m * m);
    // √x rounds to m while (m - 1/2)² < x < (m + 1/2)².
    let up = select(0u, 1u, r > i32(m));
    let down = select(0u, 1u, r <= -i32(m));
    let found = exact_packed((exponent + 127u - odd) >> 1u, m + up - down);
    return select(found, 0.0, x < 7.888609052210118e-31);
}

// a / b for numbers that are not negative; 0 if b is 0 or the quotient is below 2^-100.
fn exact_quotient(a: f32, b: f32) -> f32 {
    let ma = exact_significand(a);
    let mb = exact_significand(b);
    // From 1 to 2 by one more bit if a is smaller than b.
    let more = select(0u, 1u, ma < mb);
    let root = root_inverse(exact_unit(b));
    let inverse = root * root;
    let estimate = u32(i32((exact_unit(a) * inverse) * (8388608.0 * f32(1u << more))));
    let r = i32((ma << (23u + more)) - estimate * mb);
    let off = i32(floor(f32(r) * (inverse * 1.1920929e-7)));
    let rest = r - off * i32(mb);
    // Half-way cases do not occur: they would need a quotient of 25 bits times a significand.
    let below = select(0, 1, rest < 0);
    let least = rest + below * i32(mb);
    let above = select(0, 1, least >= i32(mb));
    let last = least - above * i32(mb);
    let half = select(0, 1, 2 * last > i32(mb));
    let m = estimate + u32(off - below + above + half);
    let exponent = i32(bitcast<u32>(a) >> 23u) - i32(bitcast<u32>(b) >> 23u) + 127 - i32(more);
    return select(exact_packed(u32(exponent), m), 0.0, a <= 0.0 || b <= 0.0 || exponent < 27);
}

// x / √x by one step of Newton's method from the estimate by exponent bits; 0 for 0.
fn exact_rough_root(x: f32) -> f32 {
    let a = bitcast<f32>(0x5f3759dfu - (bitcast<u32>(x) >> 1u));
    let half = 0.5 * x;
    return x * (a * (1.5 - half * a * a));
}
