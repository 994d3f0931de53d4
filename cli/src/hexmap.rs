//! `orogen hexmap`.

use super::args::HexmapArgs;
use super::cost::{self, Limited};
use super::counted::Counted;
use super::exit::{Failure, USAGE};
use super::job;
use super::out::{print, write};
use super::output;
use orogen::Gradient;
use orogen::draw::HexMap;
use std::fmt::Write;

/// The encoder of each output.
/// A map and the values of its hexagons, as a file.
type Encode = fn(&HexMap, &[f64], &HexmapArgs) -> Result<Vec<u8>, Failure>;

const OUTPUTS: [(&str, Encode); 3] = [
    ("csv", |map, values, _| Ok(csv(map, values).into_bytes())),
    ("json", |map, values, _| Ok(json(map, values).into_bytes())),
    ("png", png),
];

pub fn run(args: &HexmapArgs) -> Result<(), Failure> {
    let refuse = |what: String| Err(Failure::new(USAGE, anyhow::Error::msg(what)));
    if !(args.wavelength >= 1e-6 && args.wavelength <= 1e12) {
        return refuse(format!("--wavelength {} is not allowed; allowed: 0.000001 to 1e12", args.wavelength));
    }
    if !(4..=512).contains(&args.pixels) {
        return refuse(format!("--pixels {} is not allowed; allowed: 4 to 512", args.pixels));
    }
    let map = HexMap { q: args.q.0.clone(), r: args.r.0.clone(), wavelength: args.wavelength };
    let encode = output::format(&args.output, OUTPUTS)?;
    let (noise, recipe) = job::recipe(&args.recipe, &args.changes)?;
    let engine = job::engine(&args.engine)?;
    let count = args.q.0.len() as f64 * args.r.0.len() as f64;
    cost::estimate(&engine, &noise, count, 64.0)?.allow(&args.engine)?;
    let positions: Vec<[f64; 3]> = map.centres().into_iter().map(|[x, y, _]| [x, y, recipe.bake.z]).collect();
    let values: Vec<f64> = engine.sample(&noise, &positions, Gradient::Without)?.into_iter().map(|sample| sample.value).collect();
    write(&args.output, encode(&map, &values, args)?)?;
    print(format_args!("{}: {} on {}", args.output.display(), Counted(values.len(), "hexagon"), engine.summary()))?;
    Ok(())
}

fn png(map: &HexMap, values: &[f64], args: &HexmapArgs) -> Result<Vec<u8>, Failure> {
    let large = || Failure::message(USAGE, "the picture would have more than 2^26 pixels; fewer --pixels or hexagons");
    let picture = map.draw(values, args.pixels).ok_or_else(large)?;
    picture.to_png().map_err(|error| Failure::file(&args.output, &error))
}

fn json(map: &HexMap, values: &[f64]) -> String {
    let row = |([q, r], value): ([i32; 2], &f64)| format!("{{\"q\":{q},\"r\":{r},\"s\":{},\"value\":{value}}}", -q - r);
    format!("[{}]\n", map.cells().zip(values).map(row).collect::<Vec<_>>().join(",\n"))
}

fn csv(map: &HexMap, values: &[f64]) -> String {
    let mut text = "q,r,s,x,y,value\n".to_owned();
    for (([q, r], [x, y, _]), value) in map.cells().zip(map.centres()).zip(values) {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{q},{r},{},{x},{y},{value}", -q - r);
    }
    text
}
