//! `orogen info` and `orogen schema`.

use super::args::{BackendArg, EngineArgs, InfoArgs};
use super::exit::Failure;
use super::job;
use orogen::list_adapters;

pub fn info(args: &InfoArgs) -> Result<(), Failure> {
    let adapters = list_adapters();
    let parity = |name: &str| {
        let args = EngineArgs { backend: BackendArg::Gpu, adapter: Some(name.to_owned()), arithmetic: args.engine.arithmetic };
        job::engine(&args).map_or_else(|failure| failure.to_string(), |engine| job::describe(&engine))
    };
    let engine = job::engine(&args.engine)?;
    if args.json {
        let list: Vec<_> = adapters
            .iter()
            .map(|a| serde_json::json!({ "name": a.name, "interface": a.interface, "driver": a.driver, "kind": a.kind, "parity": parity(&a.name) }))
            .collect();
        println!("{:#}", serde_json::json!({ "version": env!("CARGO_PKG_VERSION"), "adapters": list, "chosen": job::describe(&engine) }));
        return Ok(());
    }
    println!("orogen {}", env!("CARGO_PKG_VERSION"));
    for a in &adapters {
        println!("adapter: {} ({}, {}, {})\n  {}", a.name, a.kind, a.interface, a.driver.trim(), parity(&a.name));
    }
    if adapters.is_empty() {
        println!("adapter: none (a software one: apt-get install mesa-vulkan-drivers libvulkan1)");
    }
    println!("chosen: {}", job::describe(&engine));
    Ok(())
}

pub fn schema() -> Result<(), Failure> {
    println!("{:#}", orogen::schema());
    Ok(())
}
