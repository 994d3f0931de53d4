//! `orogen volume`.

use super::args::VolumeArgs;
use super::cost::{self, Limited};
use super::counted::Counted;
use super::exit::{DATA, Failure, USAGE};
use super::job;
use super::out::{print, write};
use super::output;
use orogen::Region;
use orogen::bake::format::{VolumeFormat, volume};
use orogen::mesh::{Mesh, MeshError, solid, surface};

/// The format of an output.
enum Output {
    Samples(VolumeFormat),
    /// Triangles, and their encoder.
    Surface(fn(&Mesh) -> Result<Vec<u8>, MeshError>),
}

fn outputs() -> impl Iterator<Item = (&'static str, Output)> {
    let samples = VolumeFormat::ALL.iter().map(|&format| (format.name(), Output::Samples(format)));
    samples.chain([("glb", Output::Surface(Mesh::glb)), ("obj", Output::Surface(|mesh| Ok(mesh.obj().into_bytes())))])
}

pub fn run(args: &VolumeArgs) -> Result<(), Failure> {
    let (noise, recipe) = job::recipe(&args.recipe, &args.changes)?;
    let kind = output::format(&args.output, outputs())?;
    let number = |t: &str| t.trim().parse::<u32>().ok().filter(|n| (1..=4096).contains(n));
    let size: Option<Vec<u32>> = args.size.split(',').map(number).collect();
    let size = size.and_then(|size| <[u32; 3]>::try_from(size).ok());
    let size = size.ok_or_else(|| {
        Failure::message(USAGE, format!("--size {} is not allowed; allowed: X,Y,Z from 1 to 4096 samples each", args.size))
    })?;
    let engine = job::engine(&args.engine)?;
    let anchor = args.origin.map_or([0.0, 0.0, recipe.bake.z], |origin| origin.0);
    let region = Region { origin: [0; 3], size, level: 0, spacing: args.spacing.unwrap_or(recipe.bake.spacing), anchor };
    cost::estimate(&engine, &noise, region.samples() as f64, 16.0)?.allow(&args.engine)?;
    let (bytes, what) = match kind {
        Output::Surface(encode) => {
            // Two samples form one cell, and a surface needs several.
            if !args.walls && size.iter().any(|&n| n < 3) {
                let message =
                    format!("--size {} is not allowed for a surface; allowed: 3 samples or more along each axis, or --walls", args.size);
                return Err(Failure::message(USAGE, message));
            }
            let at = args.at.unwrap_or_default();
            let mesh = if args.walls { solid } else { surface }(&engine, &noise, &region, at)?;
            if mesh.triangles.is_empty() {
                return Err(Failure::message(DATA, nothing(at, engine.field(&noise, &region)?.extent())));
            }
            let what = Counted(mesh.triangles.len(), "triangle").to_string();
            (encode(&mesh)?, what)
        }
        Output::Samples(format) if args.walls || args.at.is_some() => {
            let option = if args.walls { "--walls" } else { "--at" };
            let message =
                format!("{option} is not allowed for samples; allowed: with a surface, an output of .glb or .obj, not .{}", format.name());
            return Err(Failure::message(USAGE, message));
        }
        Output::Samples(format) => {
            let field = engine.field(&noise, &region)?;
            (volume(&field, format), Counted(field.values.len(), "sample").to_string())
        }
    };
    write(&args.output, bytes)?;
    print(format_args!("{}: {what}", args.output.display()))?;
    Ok(())
}

/// The reason why there is no surface at a level, for the range of densities.
fn nothing(at: f64, [lo, hi]: [f32; 2]) -> String {
    let densities = format!("the densities there are {lo} to {hi}");
    if f64::from(hi) < at {
        format!("nothing is solid: {densities}, nowhere {at} or more; allowed: --at above {lo} and up to {hi}")
    } else if f64::from(lo) >= at {
        format!("all is solid: {densities}, nowhere less than {at}; allowed: --at above {lo} and up to {hi}")
    } else {
        format!("the surface at {at} passes only through the outermost cells; allowed: a larger --size, or --walls")
    }
}
