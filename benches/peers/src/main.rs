//! Compares Orogen's CPU backend with other libraries in one run: `cargo run --release [--features fastnoise2] -- [FLAGS]`.
//!
//! Rounds are interleaved, one call of every library each, so that other load on the machine affects all alike. Prints medians in
//! M samples/s, and the ratio of Orogen to the fastest other library. Compare figures of one run only.

mod case;
#[cfg(feature = "fastnoise2")]
mod fastnoise2;
mod peer;

use case::{Case, Fill};
use peer::PEERS;
use rayon::prelude::*;
use std::time::Instant;

const USAGE: &str = "flags: --wavelength N (50)  --rounds N (15)  --threads N (1; 0 for all)  --only PART-OF-A-NAME  --avx2 true: no wider instruction set (of Orogen)";

struct Flags {
    wavelength: f64,
    rounds: usize,
    threads: usize,
    only: String,
    avx2: bool,
}

fn flags() -> Result<Flags, String> {
    let mut flags = Flags { wavelength: 50.0, rounds: 15, threads: 1, only: String::new(), avx2: false };
    let mut args = std::env::args().skip(1);
    while let Some(flag) = args.next() {
        let value = args.next().ok_or(USAGE)?;
        let wrong = |error: &dyn std::fmt::Display| format!("{flag} {value}: {error}\n{USAGE}");
        match flag.as_str() {
            "--wavelength" => flags.wavelength = value.parse().map_err(|e| wrong(&e))?,
            "--rounds" => flags.rounds = value.parse().map_err(|e| wrong(&e))?,
            "--threads" => flags.threads = value.parse().map_err(|e| wrong(&e))?,
            "--only" => flags.only = value,
            "--avx2" => flags.avx2 = value.parse().map_err(|e| wrong(&e))?,
            _ => return Err(USAGE.to_owned()),
        }
    }
    Ok(flags)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let flags = flags()?;
    if flags.avx2 {
        orogen::testing::narrow();
    }
    // The pool is Orogen's own, so with one thread it is alone like the others.
    rayon::ThreadPoolBuilder::new().num_threads(flags.threads).build_global()?;
    let threads = rayon::current_num_threads();
    println!("wavelength {} samples, {threads} thread(s), median of {} rounds, M samples/s\n", flags.wavelength, flags.rounds);
    #[cfg(feature = "fastnoise2")]
    println!("FastNoise2 computes with {}", fastnoise2::level());
    let names: Vec<&str> = PEERS.iter().map(|(name, _)| *name).collect();
    println!("| case | {} | orogen / best |", names.join(" | "));
    println!("|---|{}---|", "---|".repeat(names.len()));
    let mut ratios = Vec::new();
    for case in Case::all(flags.wavelength).iter().filter(|case| case.name().contains(&flags.only)) {
        let medians = measure(case, flags.rounds);
        let cell = |m: &Option<f64>| m.map_or("–".to_owned(), |m| if m < 10.0 { format!("{m:.1}") } else { format!("{m:.0}") });
        let best = medians[1..].iter().flatten().copied().fold(f64::MIN_POSITIVE, f64::max);
        let ratio = medians[0].map_or(f64::NAN, |ours| ours / best);
        println!("| {} | {} | {ratio:.2} |", case.name(), medians.iter().map(cell).collect::<Vec<_>>().join(" | "));
        ratios.push(ratio);
    }
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
    println!("\ngeometric mean of orogen / best over {} cases: {mean:.2}", ratios.len());
    Ok(())
}

/// The median speed of every library, in M samples/s.
fn measure(case: &Case, rounds: usize) -> Vec<Option<f64>> {
    let fills: Vec<Option<Fill>> = PEERS.iter().map(|(_, peer)| peer(case)).collect();
    let mut out = vec![0.0f32; case.samples()];
    let mut times = vec![Vec::with_capacity(rounds); PEERS.len()];
    // One round to warm up.
    for round in 0..=rounds {
        for (index, fill) in fills.iter().enumerate() {
            let Some(fill) = fill else { continue };
            out.fill(f32::NAN);
            let start = Instant::now();
            run(case, fill, index == 0, &mut out);
            let time = start.elapsed().as_secs_f64();
            assert!(out.iter().all(|x| x.is_finite()), "{} leaves samples out of {}", PEERS[index].0, case.name());
            if round > 0 {
                times[index].push(time);
            }
        }
    }
    times
        .into_iter()
        .map(|mut times| {
            times.sort_by(f64::total_cmp);
            times.get(times.len() / 2).map(|median| case.samples() as f64 / median / 1e6)
        })
        .collect()
}

/// One field. Orogen distributes rows itself; the other libraries get some rows per thread.
fn run(case: &Case, fill: &Fill, whole: bool, out: &mut [f32]) {
    let [_, height, depth] = case.size();
    let rows = if depth > 1 { depth } else { height };
    let threads = rayon::current_num_threads();
    if whole || threads == 1 {
        return fill(0..rows, out);
    }
    let per_row = case.samples() / rows;
    let each = rows.div_ceil(4 * threads);
    out.par_chunks_mut(each * per_row).enumerate().for_each(|(i, part)| {
        let start = i * each;
        fill(start..start + part.len() / per_row, part);
    });
}
