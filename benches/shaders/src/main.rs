//! Compares Orogen's GPU kernels with noise shaders that people paste. Times are from time stamps around each kernel on the
//! device; on a software device they are processor time of all threads.
//!
//! `scripts/shaders [ROUNDS [EDGE [WAVELENGTH [CASE]]]]` uses the adapter that `OROGEN_ADAPTER` names, else the best one. Kernels
//! take turns for ROUNDS rounds (9) after one that does not count, and write a texture of EDGE² texels (512). A lattice cell is
//! WAVELENGTH texels wide (64). CASE is a part of the names of the cases to run. Noises of other libraries are listed in
//! `entries.txt`.

mod case;
mod gpu;
mod peer;

use case::{Basis, Shape};
use gpu::{Gpu, Kernel};

/// A kernel, its name and the seconds that it took.
struct Runner {
    name: String,
    kernel: Kernel,
    seconds: Vec<f64>,
}

impl Runner {
    fn median(&self) -> f64 {
        let mut seconds = self.seconds.clone();
        seconds.sort_by(f64::total_cmp);
        seconds.get(seconds.len() / 2).copied().unwrap_or(f64::NAN)
    }
}

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: u32| {
        arguments.get(at).map_or(Ok(default), |text| text.parse().map_err(|_| format!("'{text}' is not a number")))
    };
    let (rounds, edge, wavelength) = (number(0, 9)?, number(1, 512)?, f64::from(number(2, 64)?));
    let part = arguments.get(3).cloned().unwrap_or_default();
    let gpu = Gpu::open(edge)?;
    let peers = peer::peers()?;
    println!("{}, {edge}² texels, {wavelength} texels to a cell, medians of {rounds} rounds", gpu.name);
    println!("{:38} {:>10} {:>12} {:>10}   pasted shaders: ms, pasted / ours", "case", "ours, ms", "best pasted", "ratio");
    let (mut ratios, mut refused) = (Vec::new(), Vec::new());
    for shape in Shape::ALL {
        for (basis, gradient) in Basis::ALL.into_iter().flat_map(|basis| [(basis, false), (basis, true)]) {
            let name = format!("{}{}{}", shape.name(), basis.name(), if gradient { " with gradient" } else { "" });
            let others = peers.iter().filter(|peer| (peer.basis, peer.gradient) == (basis, gradient));
            if !name.contains(&part) || others.clone().next().is_none() || (shape == Shape::Warped && gradient) {
                continue;
            }
            let ours = gpu.ours(shape.noise(basis, wavelength), gradient)?;
            let mut runners = vec![Runner { name: "ours".to_owned(), kernel: ours, seconds: Vec::new() }];
            for peer in others {
                match gpu.pasted(peer, shape, wavelength) {
                    Ok(kernel) => runners.push(Runner { name: peer.file.clone(), kernel, seconds: Vec::new() }),
                    Err(error) => refused.push(format!("{name}: {}: {error}", peer.file)),
                }
            }
            if runners.len() == 1 {
                continue;
            }
            for round in 0..=rounds {
                for runner in &mut runners {
                    let spent = gpu.time(&runner.kernel)?;
                    if round > 0 {
                        runner.seconds.push(spent);
                    }
                }
            }
            let ours = runners[0].median();
            let best = runners[1..].iter().map(Runner::median).fold(f64::INFINITY, f64::min);
            let each: Vec<String> = runners[1..]
                .iter()
                .map(|runner| format!("{} {:.3}, {:.2}", runner.name, runner.median() * 1e3, runner.median() / ours))
                .collect();
            println!("{name:38} {:>10.3} {:>12.3} {:>10.2}   {}", ours * 1e3, best * 1e3, best / ours, each.join("; "));
            ratios.push(best / ours);
        }
    }
    refused.iter().for_each(|error| println!("not compiled: {}", error.lines().take(3).collect::<Vec<_>>().join(" ")));
    if ratios.is_empty() {
        return Err("no case: `npm ci --prefix benches/shaders` installs the packages of other libraries".to_owned());
    }
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    println!("best pasted / ours over {} cases: geometric mean {mean:.2}, least {least:.2}", ratios.len());
    Ok(())
}
