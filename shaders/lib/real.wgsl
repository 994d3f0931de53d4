// Numbers. The built-in min and max may pick either zero; these say which.

fn real_min(a: f32, b: f32) -> f32 {
    return select(b, a, a < b);
}

fn real_max(a: f32, b: f32) -> f32 {
    return select(b, a, a > b);
}

// Zero without its sign. Drivers treat the sign of zero as they like, and nothing a kernel computes depends on it; so it is
// dropped where a number leaves the kernel.
// Chosen among integers: compilers take the zeros for one and the same, and a choice between them for none.
fn real_unsigned_zero(x: f32) -> f32 {
    let bits = bitcast<u32>(x);
    return bitcast<f32>(select(bits, 0u, bits == 0x80000000u));
}
