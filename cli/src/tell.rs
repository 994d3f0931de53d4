//! `orogen info`, `orogen presets` and `orogen schema`.

use super::args::{BackendArg, EngineArgs, InfoArgs, PresetsArgs};
use super::exit::{DATA, Failure, USAGE};
use super::job;
use super::out::print;
use orogen::node::{Heights, HeightsError};
use orogen::{RecipePreset, list_adapters};
use std::path::Path;

pub fn info(args: &InfoArgs) -> Result<(), Failure> {
    if let Some(file) = &args.file {
        return heights(file, args.json);
    }
    let adapters = list_adapters();
    let parity = |name: &str| {
        let args = EngineArgs {
            backend: BackendArg::Gpu,
            adapter: Some(name.to_owned()),
            arithmetic: args.engine.arithmetic,
            ..EngineArgs::default()
        };
        job::engine(&args).map_or_else(
            |failure| (failure.to_string(), Vec::new()),
            |engine| (engine.summary(), engine.texture_formats().iter().map(|format| format!("{format:?}")).collect()),
        )
    };
    let engine = job::engine(&args.engine)?;
    if args.json {
        let list: Vec<_> = adapters
            .iter()
            .map(|a| {
                let (parity, formats) = parity(&a.name);
                serde_json::json!({ "name": a.name, "interface": a.interface, "driver": a.driver, "kind": a.kind, "parity": parity, "formats": formats })
            })
            .collect();
        print(format_args!(
            "{:#}",
            serde_json::json!({ "version": env!("CARGO_PKG_VERSION"), "adapters": list, "chosen": engine.summary() })
        ))?;
        return Ok(());
    }
    print(format_args!("orogen {}", env!("CARGO_PKG_VERSION")))?;
    for a in &adapters {
        let (parity, formats) = parity(&a.name);
        print(format_args!("adapter: {} ({}, {}, {})\n  {parity}", a.name, a.kind, a.interface, a.driver.trim()))?;
        if !formats.is_empty() {
            print(format_args!("  writes textures of {}", formats.join(", ")))?;
        }
    }
    if adapters.is_empty() {
        print(format_args!("adapter: none (a software one: apt-get install mesa-vulkan-drivers libvulkan1)"))?;
    }
    print(format_args!("chosen: {}", engine.summary()))?;
    Ok(())
}

/// Size, range and placement of a file of heights.
fn heights(file: &Path, json: bool) -> Result<(), Failure> {
    let heights = Heights::read(file).map_err(|error| match error {
        HeightsError::Read(error) => Failure::file(file, &error),
        error => Failure::message(DATA, format!("{}: {error}", file.display())),
    })?;
    let (size, values) = heights.size().zip(heights.values()).expect("invariant: they have been read");
    let known = values.iter().filter(|value| !value.is_nan());
    let range = known.fold(None, |range: Option<[f32; 2]>, &x| Some(range.map_or([x, x], |[lo, hi]| [lo.min(x), hi.max(x)])));
    let (holes, place) = (heights.holes(), heights.place());
    if json {
        return print(format_args!(
            "{:#}",
            serde_json::json!({
                "file": file, "size": size, "range": range,
                "holes": holes.map(|holes| serde_json::json!({ "count": holes.count, "column": holes.column, "row": holes.row })),
                "position": place.map(|place| place.position), "spacing": place.map(|place| place.spacing),
            })
        ));
    }
    let told = range.map_or("no heights".to_owned(), |[lo, hi]| format!("{lo} to {hi}"));
    print(format_args!("{}: {} × {} samples, {told}", file.display(), size[0], size[1]))?;
    if let Some(holes) = holes {
        print(format_args!("cells without a height: {}, the first at column {} of row {}", holes.count, holes.column, holes.row))?;
    }
    match place {
        Some(place) => print(format_args!("position = {:?}\nspacing = {:?}", place.position, place.spacing)),
        None => print(format_args!("the file does not say where it lies, or is turned")),
    }
}

pub fn schema() -> Result<(), Failure> {
    print(format_args!("{:#}", orogen::schema()))?;
    Ok(())
}

/// The recipes that come with the program.
pub fn presets(args: &PresetsArgs) -> Result<(), Failure> {
    if let Some(name) = &args.name {
        let known: Vec<&str> = RecipePreset::ALL.iter().map(|preset| preset.name).collect();
        let unknown = || Failure::message(USAGE, format!("unknown preset '{name}'; allowed: {}", known.join(", ")));
        let preset = RecipePreset::find(name).ok_or_else(unknown)?;
        return print(preset.text.trim_end());
    }
    if args.json {
        let one = |preset: &RecipePreset| serde_json::json!({ "name": preset.name, "description": preset.description(), "variables": preset.variables() });
        let all: Vec<_> = RecipePreset::ALL.iter().map(one).collect();
        return print(format_args!("{:#}", serde_json::json!(all)));
    }
    for preset in RecipePreset::ALL {
        print(format_args!("{}: {}", preset.name, preset.description()))?;
        for (name, variable) in preset.variables() {
            let range = variable.range.map_or_else(String::new, |[lo, hi]| format!(" ({lo} to {hi})"));
            let value = variable.expression.unwrap_or_else(|| variable.value.to_string());
            print(format_args!("  {name} = {value}{range}: {}", variable.description))?;
        }
    }
    Ok(())
}
