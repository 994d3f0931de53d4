use orogen::*;
fn main() {
    let e = Engine::open(&EngineOptions { backend: Backend::Gpu, ..Default::default() }).unwrap();
    println!("{:?} {:?}", e.describe(), e.gpu().unwrap().arithmetic());
    let c = Engine::open(&EngineOptions { backend: Backend::Cpu, ..Default::default() }).unwrap();
    println!("{:?}", c.describe());
    let o = Engine::open(&EngineOptions { backend: Backend::Oracle, ..Default::default() }).unwrap();
    for (name, s) in [
        ("s2", Simplex { ..Default::default() }),
        ("s3", Simplex { dimensions: 3, ..Default::default() }),
        ("p", Simplex { dimensions: 3, hash: Hash::Permutation289, ..Default::default() }),
    ] {
        let n = Noise::simplex(Simplex { wavelength: 50.0, ..s }).fractal(Fractal { octaves: 8, rotation: 20.0, ..Default::default() });
        for far in [0i64, 1_000_000_000_000] {
            let r = Region { origin: [far, -far, 0], ..Region::plane(512, 512) };
            let a = e.field_with_gradient(&n, &r).unwrap();
            let t = std::time::Instant::now();
            let b = c.field_with_gradient(&n, &r).unwrap();
            let tg = t.elapsed();
            let t = std::time::Instant::now();
            c.field(&n, &r).unwrap();
            let tv = t.elapsed();
            let f = o.field_with_gradient(&n, &r).unwrap();
            let d = a.values.iter().zip(&b.values).filter(|(a, b)| a.to_bits() != b.to_bits()).count();
            let dg = a
                .gradients
                .as_ref()
                .unwrap()
                .iter()
                .zip(b.gradients.as_ref().unwrap())
                .filter(|(a, b)| a.map(f32::to_bits) != b.map(f32::to_bits))
                .count();
            let err = b.values.iter().zip(&f.values).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            println!(
                "{name} {far}: differ {d} {dg}; oracle {err:e}; extent {:?} cpu {tg:?} grad {tv:?} value = {:.0} Moct/s",
                b.extent(),
                512.0 * 512.0 * 8.0 / tv.as_secs_f64() / 1e6
            );
        }
    }
}
