//! `orogen export`.

use super::args::ExportArgs;
use super::exit::{Failure, USAGE};
use super::job;
use super::out::{stdout_failed, write};
use orogen::export::{ExportOptions, Exported, Language, Storage, export};
use std::io::{IsTerminal, Write};
use std::path::PathBuf;

pub fn run(args: &ExportArgs) -> Result<(), Failure> {
    let tables_out = tables_out(args)?;
    if args.lang == Language::Spirv && args.output.is_none() && std::io::stdout().is_terminal() {
        return Err(Failure::message(USAGE, "--lang spirv writes binary data; set a file with -o or redirect standard output"));
    }
    let (noise, _) = job::recipe(&args.recipe, &args.changes)?;
    let name = args.recipe.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let options = ExportOptions {
        language: args.lang,
        anchor: args.anchor.0,
        storage: args.tables,
        entry: args.entry,
        prefix: args.prefix.clone(),
        name: name.clone(),
    };
    let exported = export(&noise, &options)?;
    if let Some(path) = tables_out {
        write(&path, json(&name, &options, &exported))?;
    }
    match &args.output {
        Some(path) => write(path, &exported.file),
        None => {
            let mut out = std::io::stdout().lock();
            out.write_all(&exported.file).and_then(|()| out.flush()).map_err(|error| stdout_failed(&error))
        }
    }
}

/// The file for the contents of the buffers, if there are any.
fn tables_out(args: &ExportArgs) -> Result<Option<PathBuf>, Failure> {
    match (args.tables, &args.tables_out, &args.output) {
        (Storage::Inline, None, _) => Ok(None),
        (Storage::Inline, Some(_), _) => {
            Err(Failure::message(USAGE, "--tables-out requires --tables buffer: inline tables are in the output file"))
        }
        (Storage::Buffer, Some(path), _) => Ok(Some(path.clone())),
        (Storage::Buffer, None, Some(output)) => {
            let mut path = output.clone().into_os_string();
            path.push(".json");
            Ok(Some(path.into()))
        }
        (Storage::Buffer, None, None) => Err(Failure::message(USAGE, "--tables buffer requires --tables-out FILE.json, or -o FILE")),
    }
}

/// One line per buffer, because they are long.
fn json(name: &str, options: &ExportOptions, exported: &Exported) -> String {
    let head = serde_json::json!({
        "orogen": env!("CARGO_PKG_VERSION"), "recipe": name, "anchor": options.anchor, "shape": exported.shape
    });
    let tables: Vec<String> = exported.tables.iter().map(|table| serde_json::json!(table).to_string()).collect();
    let head = head.to_string();
    format!("{},\"tables\":[\n{}\n]}}\n", head.trim_end_matches('}'), tables.join(",\n"))
}
