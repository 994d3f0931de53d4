//! `orogen hexmap`.

use super::args::HexmapArgs;
use super::cost::{self, Limited};
use super::exit::{Failure, USAGE};
use super::job;
use super::out::{print, write};
use orogen::Gradient;
use orogen::draw::HexMap;
use std::fmt::Write;

pub fn run(args: &HexmapArgs) -> Result<(), Failure> {
    let refuse = |what: String| Err(Failure::new(USAGE, anyhow::Error::msg(what)));
    if !(args.wavelength >= 1e-6 && args.wavelength <= 1e12) {
        return refuse(format!("--wavelength {} is not allowed; allowed: 0.000001 to 1e12", args.wavelength));
    }
    if !(4..=512).contains(&args.pixels) {
        return refuse(format!("--pixels {} is not allowed; allowed: 4 to 512", args.pixels));
    }
    let map = HexMap { q: args.q.0.clone(), r: args.r.0.clone(), wavelength: args.wavelength };
    let extension = args.output.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
    if !["csv", "json", "png"].contains(&extension.as_str()) {
        return refuse(format!("{} is not allowed; allowed: names that end in .csv, .json or .png", args.output.display()));
    }
    let (noise, recipe) = job::recipe(&args.recipe)?;
    let engine = job::engine(&args.engine)?;
    let count = args.q.0.len() as f64 * args.r.0.len() as f64;
    cost::estimate(&engine, &noise, count, 64.0)?.allow(&args.engine)?;
    let positions: Vec<[f64; 3]> = map.centres().into_iter().map(|[x, y, _]| [x, y, recipe.bake.z]).collect();
    let values: Vec<f64> = engine.sample(&noise, &positions, Gradient::Without)?.into_iter().map(|sample| sample.value).collect();
    let bytes = match extension.as_str() {
        "png" => match map.draw(&values, args.pixels) {
            Some(picture) => picture.to_png().map_err(|error| Failure::file(&args.output, &error))?,
            None => return refuse("the picture would have more than 2^26 pixels; fewer --pixels or hexagons".to_owned()),
        },
        "json" => {
            let rows =
                map.cells().zip(&values).map(|([q, r], value)| format!("{{\"q\":{q},\"r\":{r},\"s\":{},\"value\":{value}}}", -q - r));
            format!("[{}]\n", rows.collect::<Vec<_>>().join(",\n")).into_bytes()
        }
        _ => {
            let mut text = "q,r,s,x,y,value\n".to_owned();
            for (([q, r], [x, y, _]), value) in map.cells().zip(map.centres()).zip(&values) {
                // Writing to a String cannot fail.
                let _ = writeln!(text, "{q},{r},{},{x},{y},{value}", -q - r);
            }
            text.into_bytes()
        }
    };
    write(&args.output, bytes)?;
    print(format_args!("{}: {} hexagons on {}", args.output.display(), values.len(), engine.summary()))?;
    Ok(())
}
