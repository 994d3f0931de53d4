//! `orogen import`: noises of other programs as recipes.

mod fastnoise2;
mod godot;

use super::args::ImportArgs;
use super::exit::{DATA, Failure, USAGE};
use super::out::{print, say, write};
use orogen::{Noise, Recipe};
use std::io::Read;
use std::path::Path;

/// The largest file that is read: scenes may contain meshes and pictures.
const MOST_BYTES: u64 = 1 << 28;

/// A noise that was imported.
struct Imported {
    noise: Noise,
    /// Settings without an equivalent.
    warnings: Vec<String>,
}

pub fn run(args: &ImportArgs) -> Result<(), Failure> {
    let text = read(&args.file)?;
    let wrong = |code: u8, message: String| Failure::message(code, format!("{}: {message}", args.file.display()));
    let imported = match (fastnoise2::is_tree(&text), &args.resource) {
        (true, None) => fastnoise2::import(&text, args.dimensions).map_err(|message| wrong(DATA, format!("encoded node tree: {message}"))),
        (true, Some(_)) => Err(wrong(USAGE, "--resource is for files of Godot; this is an encoded node tree".to_owned())),
        (false, resource) => of_godot(&text, resource.as_deref(), args.dimensions).map_err(|(code, message)| wrong(code, message)),
    };
    let Imported { noise, warnings } = imported?;
    for warning in warnings {
        say(format_args!("warning: {}: {warning}", args.file.display()));
    }
    let recipe = Recipe::new(noise);
    recipe.pipeline.check().map_err(|error| wrong(DATA, error.to_string()))?;
    let is_json = |path: &Path| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
    match &args.output {
        Some(path) => write(path, if is_json(path) { recipe.to_json()? } else { recipe.to_toml()? }),
        None => print(recipe.to_toml()?.trim_end()),
    }
}

/// The chosen resource of a file of Godot; an error has its exit code.
fn of_godot(text: &str, resource: Option<&str>, dimensions: u32) -> Result<Imported, (u8, String)> {
    let found = godot::noises(text).map_err(|message| (DATA, message))?;
    let names = || found.iter().map(|noise| noise.name.as_str()).collect::<Vec<_>>().join(", ");
    let chosen = match (resource, &found[..]) {
        (_, []) => return Err((DATA, "no FastNoiseLite resource; supported: .tres and .tscn files of Godot 4".to_owned())),
        (Some(name), all) => all
            .iter()
            .find(|noise| noise.name == name)
            .ok_or_else(|| (USAGE, format!("--resource '{name}' is not a FastNoiseLite resource of the file; allowed: {}", names())))?,
        (None, [only]) => only,
        (None, _) => return Err((USAGE, format!("several FastNoiseLite resources; choose one with --resource: {}", names()))),
    };
    chosen.import(dimensions).map_err(|message| (DATA, message))
}

/// A text file of limited size; `-` is standard input.
fn read(path: &Path) -> Result<String, Failure> {
    let failed = |error: std::io::Error| Failure::file(path, &error);
    if path == Path::new("-") {
        let mut text = String::new();
        std::io::stdin().lock().take(MOST_BYTES).read_to_string(&mut text).map_err(failed)?;
        return Ok(text);
    }
    let bytes = std::fs::metadata(path).map_err(failed)?.len();
    if bytes > MOST_BYTES {
        return Err(Failure::message(DATA, format!("{}: {bytes} bytes; allowed: up to {MOST_BYTES}", path.display())));
    }
    let bytes = std::fs::read(path).map_err(failed)?;
    String::from_utf8(bytes)
        .map_err(|_| Failure::message(DATA, format!("{}: not text in UTF-8; binary files are not supported", path.display())))
}
