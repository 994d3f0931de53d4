// Sine and cosine of turns, by polynomials: the built-in ones differ from driver to driver.

// (sin πx, cos πx) for x in [-1/2, 1/2], absolute error below 2e-7.
fn turn_half(x: f32) -> vec2<f32> {
    let z = x * x;
    var s = -0.00702838646247983;
    s = s * z + 0.08205040544271469;
    s = s * z - 0.5992522239685059;
    s = s * z + 2.5501632690429688;
    s = s * z - 5.167712688446045;
    s = s * z + 3.1415927410125732;
    var c = -0.024396324530243874;
    c = c * z + 0.23493731021881104;
    c = c * z - 1.335211992263794;
    c = c * z + 4.058709144592285;
    c = c * z - 4.934802055358887;
    c = c * z + 1.0;
    return vec2<f32>(s * x, c);
}

// (sin 2πt, cos 2πt) for t in [0, 1].
fn turn_whole(t: f32) -> vec2<f32> {
    let twice = t + t;
    let back = t >= 0.25 && t < 0.75;
    let half = turn_half(select(select(twice, twice - 2.0, t >= 0.75), 1.0 - twice, back));
    return vec2<f32>(half.x, select(half.y, -half.y, back));
}
