//! `orogen sample`.

use super::args::SampleArgs;
use super::exit::{DATA, Failure};
use super::job;
use super::out::stdout_failed;
use orogen::scatter::{PointReader, PointsError};
use orogen::{Engine, Gradient, Noise, Sample};
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;

/// Number of points evaluated at a time: memory does not grow with the file.
const CHUNK: usize = 1 << 15;

pub fn run(args: &SampleArgs) -> Result<(), Failure> {
    let (noise, recipe) = job::recipe(&args.recipe, &args.changes)?;
    let engine = job::engine(&args.engine)?;
    let input: Box<dyn BufRead> = if args.points == Path::new("-") {
        Box::new(BufReader::new(std::io::stdin()))
    } else {
        Box::new(BufReader::new(File::open(&args.points).map_err(|error| Failure::file(&args.points, &error))?))
    };
    let mut out = BufWriter::new(std::io::stdout().lock());
    let (mut points, mut sum) = (Vec::new(), 0.0);
    for point in PointReader::new(input, recipe.bake.z) {
        points.push(point.map_err(|error| match error {
            PointsError::Read(error) => Failure::file(&args.points, &error),
            PointsError::Line { line, message } => Failure::message(DATA, format!("{}:{line}: {message}", args.points.display())),
            error => Failure::new(DATA, error),
        })?);
        if points.len() == CHUNK {
            flush(args, &engine, &noise, &mut points, &mut sum, &mut out)?;
        }
    }
    flush(args, &engine, &noise, &mut points, &mut sum, &mut out)?;
    out.flush().map_err(|error| stdout_failed(&error))
}

/// Prints the values at points; `sum` carries the running sum.
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
    // Sums are computed in f64.
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
