// Powers by exponent bits and a polynomial each way; no built-in exp or log, which differ from driver to driver.
// requires: jet real

// log2 of a positive normal number: exponent + polynomial of the mantissa in [√½, √2), error below 6e-8.
fn power_log2(x: f32) -> f32 {
    // 0x3f3504f3 is √½: subtracting it moves the mantissa's range so that 1 lies inside and log2(1) is exactly 0.
    let bits = bitcast<i32>(x) - 0x3f3504f3;
    let exponent = bits >> 23u;
    let m = bitcast<f32>((bits & 0x007fffff) + 0x3f3504f3) - 1.0;
    var p = 0.09481864422559738;
    p = p * m - 0.1676505208015442;
    p = p * m + 0.17234259843826294;
    p = p * m - 0.17919456958770752;
    p = p * m + 0.20504002273082733;
    p = p * m - 0.24044756591320038;
    p = p * m + 0.28857558965682983;
    p = p * m - 0.360674649477005;
    p = p * m + 0.4808979034423828;
    p = p * m - 0.7213475108146667;
    p = p * m + 1.4426950216293335;
    return f32(exponent) + p * m;
}

// 2^x for x in [-126, 126]; beyond, the result of the nearer end. Relative error below 2e-7.
fn power_exp2(x: f32) -> f32 {
    let held = real_min(real_max(x, -126.0), 126.0);
    let whole = floor(held + 0.5);
    let f = held - whole;
    var p = 1.5303699910873547e-5;
    p = p * f + 0.00015469729260075837;
    p = p * f + 0.0013333478709682822;
    p = p * f + 0.00961802527308464;
    p = p * f + 0.05550410971045494;
    p = p * f + 0.24022650718688965;
    p = p * f + 0.6931471824645996;
    p = p * f + 1.0;
    return p * bitcast<f32>((i32(whole) + 127) << 23u);
}

// (x^exponent, its slope) for x of 0 or more; below 2^-40 both are 0.
fn power_positive(x: f32, exponent: f32) -> vec2<f32> {
    let l = power_log2(real_max(x, 9.094947017729282e-13));
    let value = power_exp2(exponent * l);
    let slope = exponent * power_exp2((exponent - 1.0) * l);
    return select(vec2<f32>(value, slope), vec2<f32>(0.0), x < 9.094947017729282e-13);
}

// sign(x) · |x|^exponent.
fn power_signed(x: Jet, exponent: f32) -> Jet {
    let w = power_positive(abs(x.value), exponent);
    return jet_through(select(w.x, -w.x, x.value < 0.0), w.y, x);
}
