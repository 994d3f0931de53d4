//! A noise of ten nodes, and a change of all its numbers: what a frame with sliders is like.

use orogen::node::{Fractal, Node, Perlin, Simplex, Worley};
use orogen::{Noise, Setting};

/// A graph of ten nodes, of many kinds.
pub fn nodes() -> Noise {
    let hills = Noise::simplex(Simplex { wavelength: 60.0, ..Default::default() }).fractal(Fractal { octaves: 5, ..Default::default() });
    let cells = Noise::worley(Worley { wavelength: 40.0, ..Default::default() }).smoothstep(0.0, 0.8);
    let bent = hills.warp([Noise::perlin(Perlin { wavelength: 90.0, ..Default::default() }), 0.0.into(), 0.0.into()], 8.0);
    let noise = bent.blend(cells, 0.3).scale_offset(30.0, 10.0);
    assert_eq!(noise.graph().node.len(), 10);
    noise
}

/// Changes every number of a noise a little, and its seeds; `t` from −1 to 1. Returns how many it has changed.
pub fn change(noise: &mut Noise, t: f64) -> usize {
    let params = |(name, node): (&String, &Node)| node.info().params.iter().map(|p| format!("{name}.{}", p.name)).collect::<Vec<_>>();
    let paths: Vec<String> = noise.graph().node.iter().flat_map(params).collect();
    let mut changed = 0;
    for path in paths {
        match noise.get(&path).expect(&path) {
            Some(Setting::Number(x)) => {
                // The other way where the range ends.
                noise.set(&path, x + 0.01 * t).or_else(|_| noise.set(&path, x - 0.01 * t)).expect(&path);
            }
            Some(Setting::Integer(_)) if path.ends_with("seed") => noise.set(&path, (t.abs() * 1000.0) as i64).expect(&path),
            _ => continue,
        }
        changed += 1;
    }
    changed
}
