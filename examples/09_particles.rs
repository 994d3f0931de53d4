//! Particles that drift in curl noise around a rock: a stream and eddies as one potential, whose curl is their velocity.
//!
//! `cargo run --release --features png --example 09_particles -- particles.png`

use orogen::draw::Picture;
use orogen::node::{Axis, ControlPoint, Coordinate, Fractal, Perlin, Radius};
use orogen::{Engine, Noise, PreparedSeveral, Region};

const SIZE: [u32; 2] = [960, 540];
/// Radius of the rock, and the distance at which the flow no longer feels it, in world units. It stands at the origin.
const ROCK: f64 = 60.0;
const REACH: f64 = 45.0;
const STEPS: usize = 420;
const PARTICLES: usize = 12_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "particles.png".to_owned());
    // A potential that rises along y is a stream along x; eddies bend it.
    let stream = Noise::coordinate(Coordinate { axis: Axis::Y, unit: 1.0 });
    let eddies = Noise::perlin(Perlin { dimensions: 2, wavelength: 110.0, seed: 6, ..Default::default() })
        .fractal(Fractal { octaves: 3, gain: 0.4, ..Default::default() })
        .scale_offset(55.0, 0.0);
    // No flow crosses a line on which the potential is constant, so it becomes 0 at the rock. Its slope there lets the flow slip by.
    let away = Noise::radius(Radius::default()).scale_offset(1.0 / REACH, -ROCK / REACH);
    let point = |at, value, slope_out| ControlPoint { at, value, slope_in: 0.0, slope_out };
    let ramp = away.spline(vec![point(-1.0, 0.0, 0.0), point(0.0, 0.0, 1.875), point(1.0, 1.0, 0.0)]);
    let potential = stream.add(eddies).multiply(ramp);

    let engine = Engine::new()?;
    // Both components share the potential.
    let flow = engine.prepare_several(&[&potential.clone().curl(Axis::X), &potential.curl(Axis::Y)])?;
    let picture = trails(&flow)?;
    std::fs::write(&path, picture.to_png()?)?;

    let region = Region { origin: [-480, -270, 0], ..Region::plane(SIZE[0], SIZE[1]) };
    let mut velocities = vec![0.0; 2 * region.samples() as usize];
    flow.field_into(&region, &mut velocities)?;
    let fastest = velocities.chunks_exact(2).map(|v| (v[0] * v[0] + v[1] * v[1]).sqrt()).fold(0.0, f32::max);
    println!("{path}: {PARTICLES} particles, {STEPS} steps on {:?}; the fastest flow is {fastest:.2}", engine.describe().backend);
    Ok(())
}

/// The paths of all particles, brighter where they are many and fast.
fn trails(flow: &PreparedSeveral) -> Result<Picture, Box<dyn std::error::Error>> {
    let mut light = vec![[0.0_f32; 3]; (SIZE[0] * SIZE[1]) as usize];
    // A sequence that fills the plane evenly, to the left and right of the picture as well.
    let mut at: Vec<[f64; 3]> = (0..PARTICLES)
        .map(|i| [(i as f64 * 0.754_877).fract() * 1400.0 - 900.0, (i as f64 * 0.569_84).fract() * 640.0 - 320.0, 0.0])
        .collect();
    at.retain(|p| (p[0] * p[0] + p[1] * p[1]).sqrt() > ROCK + 0.5);
    let mut found = [vec![0.0; 2 * at.len()], vec![0.0; 2 * at.len()]];
    for _ in 0..STEPS {
        // A step of the midpoint method.
        let [first, middle] = &mut found;
        flow.sample_into(&at, first)?;
        let half: Vec<[f64; 3]> = at.iter().zip(first.as_chunks::<2>().0).map(|(&p, v)| moved(p, v, 0.5)).collect();
        flow.sample_into(&half, middle)?;
        for (p, v) in at.iter_mut().zip(middle.as_chunks::<2>().0) {
            *p = moved(*p, v, 1.0);
            let [x, y] = [p[0] + f64::from(SIZE[0]) / 2.0, p[1] + f64::from(SIZE[1]) / 2.0];
            if x >= 0.0 && y >= 0.0 && x < f64::from(SIZE[0]) && y < f64::from(SIZE[1]) {
                let fast = ((v[0] * v[0] + v[1] * v[1]).sqrt() / 2.5).min(1.0);
                let colour = [0.05 + 0.9 * fast * fast, 0.14 + 0.36 * fast, 0.24];
                let pixel = &mut light[y as usize * SIZE[0] as usize + x as usize];
                *pixel = std::array::from_fn(|i| pixel[i] + 0.34 * colour[i]);
            }
        }
    }
    let bytes = light.iter().flat_map(|pixel| pixel.map(|x| (255.0 * libm::powf(1.0 - libm::expf(-x), 0.7)) as u8));
    Ok(Picture { width: SIZE[0], height: SIZE[1], rgb: bytes.collect() })
}

fn moved([x, y, z]: [f64; 3], [u, v]: &[f32; 2], time: f64) -> [f64; 3] {
    [x + time * f64::from(*u), y + time * f64::from(*v), z]
}
