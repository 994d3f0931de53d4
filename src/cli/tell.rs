//! `orogen info` and `orogen schema`.

use super::args::{BackendArg, EngineArgs, InfoArgs};
use super::exit::Failure;
use super::job;
use super::out::print;
use orogen::list_adapters;

pub fn info(args: &InfoArgs) -> Result<(), Failure> {
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
            |engine| (job::describe(&engine), engine.texture_formats().iter().map(|format| format!("{format:?}")).collect()),
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
            serde_json::json!({ "version": env!("CARGO_PKG_VERSION"), "adapters": list, "chosen": job::describe(&engine) })
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
    print(format_args!("chosen: {}", job::describe(&engine)))?;
    Ok(())
}

pub fn schema() -> Result<(), Failure> {
    print(format_args!("{:#}", orogen::schema()))?;
    Ok(())
}
