//! Writes the JavaScript around a WebAssembly module: `orogen-web-bind MODULE FOLDER`.

use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let [module, folder] = &std::env::args().skip(1).collect::<Vec<_>>()[..] else {
        eprintln!("usage: orogen-web-bind MODULE FOLDER");
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).out_name("orogen").typescript(true);
    // lib/load.ts names the module, because bundlers must find its address.
    bindgen.omit_default_module_path(true).remove_name_section(true).remove_producers_section(true);
    match bindgen.web(true).and_then(|bindgen| bindgen.generate(folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{module}: {error:?}");
            ExitCode::FAILURE
        }
    }
}
