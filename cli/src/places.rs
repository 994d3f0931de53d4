//! `orogen places`.

use super::args::{Area, PlacesArgs};
use super::cost::Limited;
use super::counted::Counted;
use super::exit::{Failure, USAGE};
use super::job;
use super::out::{print, write};
use super::output;
use super::place_rules;
use orogen::bake::request::Cost;
use orogen::scatter::{self, Point, Poisson};

/// Places, the rectangle that they lie in, and the distance between them, as a file.
type Encode = fn(&[Point], [[f64; 2]; 2], f64) -> Vec<u8>;

const OUTPUTS: [(&str, Encode); 4] = [
    ("csv", |places, _, _| scatter::csv(places).into_bytes()),
    ("json", |places, _, _| scatter::json(places).into_bytes()),
    ("svg", |places, [low, high], distance| scatter::svg(places, low, high, 0.4 * distance).into_bytes()),
    ("bin", |places, [low, _], _| scatter::instances(places, low).as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect()),
];

pub fn run(args: &PlacesArgs) -> Result<(), Failure> {
    let recipe = args.changes.load(&args.recipe)?;
    let bake = &recipe.bake;
    let all = bake.tiles.map(|tiles| f64::from(tiles) * f64::from(bake.tile) * bake.spacing);
    let Area { low, high } = args.area.unwrap_or(Area { low: [0.0; 2], high: all });
    if let Some(rules) = &args.rules {
        return place_rules::run(args, rules, &recipe, Area { low, high });
    }
    let encode = output::format(&args.output, OUTPUTS)?;
    let poisson = Poisson { distance: args.distance, seed: args.seed, relax: args.relax };
    poisson.check(low, high)?;
    // Maximal Poisson discs: one point per 0.7 squares of the distance, and a few numbers for each during the search.
    let count = poisson.squares(low, high) / 0.7;
    Cost { evaluations: 100.0 * count, bytes: 256.0 * count, ..Cost::default() }.allow(&args.engine)?;
    let places = match args.density.as_deref() {
        Some("none") => poisson.points(low, high)?,
        density => {
            let noise = match density {
                Some(node) => recipe.pipeline.noise_of(node).map_err(|_| {
                    Failure::message(USAGE, format!("--density {node} is not a node; allowed: a node of the recipe, or none"))
                })?,
                None => job::noise(&args.recipe, &recipe)?,
            };
            poisson.scatter(&job::engine(&args.engine)?, &noise, low, high, bake.z)?
        }
    };
    write(&args.output, encode(&places, [low, high], args.distance))?;
    print(format_args!("{}: {}", args.output.display(), Counted(places.len(), "place")))?;
    Ok(())
}
