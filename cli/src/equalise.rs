//! `orogen equalise`: measures the quantiles of `equalise` nodes and writes the recipe with them.

use super::args::EqualiseArgs;
use super::counted::Counted;
use super::exit::{Failure, USAGE};
use super::job;
use super::out::{print, write};
use orogen::node::Node;

pub fn run(args: &EqualiseArgs) -> Result<(), Failure> {
    if !(args.extent > 0.0 && args.extent <= 1e12) {
        return Err(Failure::new(USAGE, anyhow::anyhow!("--extent {} is not allowed; allowed: above 0, up to 1e12", args.extent)));
    }
    let (noise, mut recipe) = job::recipe(&args.recipe, &args.changes)?;
    let engine = job::engine(&args.engine)?;
    let missing = |node: &&Node| matches!(node, Node::Equalise(n) if n.quantiles.is_empty());
    let count = recipe.pipeline.node.values().filter(missing).count();
    recipe.pipeline.node = engine.equalise(&noise, args.extent)?.graph().node.clone();
    let json = args.output.extension().is_some_and(|e| e.eq_ignore_ascii_case("json"));
    let text = if json { recipe.to_json()? } else { recipe.to_toml()? };
    write(&args.output, text)?;
    print(format_args!("{}: {} measured on {}", args.output.display(), Counted(count, "node"), engine.summary()))?;
    Ok(())
}
