// Sines along the first axes of a lattice that counts turns: their sum, and its gradient per turn.
// requires: jet turn

const SINE_TAU: f32 = 6.2831854820251465;

fn sine_1(turns: vec3<f32>) -> Jet {
    let x = turn_whole(turns.x);
    return Jet(x.x, vec3<f32>(SINE_TAU * x.y, 0.0, 0.0));
}

fn sine_2(turns: vec3<f32>) -> Jet {
    let x = turn_whole(turns.x);
    let y = turn_whole(turns.y);
    return Jet(x.x + y.x, vec3<f32>(SINE_TAU * x.y, SINE_TAU * y.y, 0.0));
}

fn sine_3(turns: vec3<f32>) -> Jet {
    let x = turn_whole(turns.x);
    let y = turn_whole(turns.y);
    let z = turn_whole(turns.z);
    return Jet(x.x + (y.x + z.x), vec3<f32>(SINE_TAU * x.y, SINE_TAU * y.y, SINE_TAU * z.y));
}
