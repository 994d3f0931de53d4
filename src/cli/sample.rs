//! `orogen sample`.

use super::args::SampleArgs;
use super::exit::{DATA, Failure};
use super::job;
use super::out::stdout_failed;
use orogen::{Engine, Gradient, Noise, Sample};
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;

/// Points evaluated at a time: memory does not grow with the file.
const CHUNK: usize = 1 << 15;

pub fn run(args: &SampleArgs) -> Result<(), Failure> {
    let (noise, _) = job::recipe(&args.recipe)?;
    let engine = job::engine(&args.engine)?;
    let input: Box<dyn BufRead> = if args.points == Path::new("-") {
        Box::new(BufReader::new(std::io::stdin()))
    } else {
        Box::new(BufReader::new(File::open(&args.points).map_err(|error| Failure::file(&args.points, &error))?))
    };
    let mut out = BufWriter::new(std::io::stdout().lock());
    let (mut points, mut sum) = (Vec::new(), 0.0);
    for (number, line) in input.lines().enumerate() {
        let line = line.map_err(|error| Failure::file(&args.points, &error))?;
        if line.trim().is_empty() {
            continue;
        }
        points.push(point(args, number + 1, &line)?);
        if points.len() == CHUNK {
            flush(args, &engine, &noise, &mut points, &mut sum, &mut out)?;
        }
    }
    flush(args, &engine, &noise, &mut points, &mut sum, &mut out)?;
    out.flush().map_err(|error| stdout_failed(&error))
}

/// `x y z`; blanks, tabs or commas between.
fn point(args: &SampleArgs, number: usize, line: &str) -> Result<[f64; 3], Failure> {
    let wrong = || {
        let place = format!("{}:{number}", args.points.display());
        Failure::message(DATA, format!("{place}: point '{line}' is not allowed; allowed: x y z, finite numbers of magnitude up to 2^53"))
    };
    let parts = line.split([' ', '\t', ',']).filter(|part| !part.is_empty());
    let numbers: Vec<f64> = parts.map(|part| part.parse::<f64>().map_err(|_| wrong())).collect::<Result<_, _>>()?;
    let point = <[f64; 3]>::try_from(numbers).map_err(|_| wrong())?;
    if point.iter().all(|x| x.abs() <= 9_007_199_254_740_992.0) { Ok(point) } else { Err(wrong()) }
}

/// Prints what is found at points; `sum` goes on from the points before.
fn flush(
    args: &SampleArgs,
    engine: &Engine,
    noise: &Noise,
    points: &mut Vec<[f64; 3]>,
    sum: &mut f64,
    out: &mut impl Write,
) -> Result<(), Failure> {
    if points.is_empty() {
        return Ok(());
    }
    let samples = engine.sample(noise, points, if args.gradient { Gradient::With } else { Gradient::Without })?;
    // Sums are in f64, whatever their terms.
    let digits = if args.sum || engine.describe().parity.is_none() { 16 } else { 8 };
    for Sample { mut value, gradient } in samples {
        if args.sum {
            *sum += value;
            value = *sum;
        }
        let line = if args.json {
            serde_json::json!({ "value": value, "gradient": gradient }).to_string()
        } else {
            let numbers = std::iter::once(value).chain(gradient.into_iter().flatten());
            numbers.map(|x| format!("{x:.digits$e}")).collect::<Vec<_>>().join(" ")
        };
        writeln!(out, "{line}").map_err(|error| stdout_failed(&error))?;
    }
    points.clear();
    Ok(())
}
