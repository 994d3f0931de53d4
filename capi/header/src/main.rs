//! Prints the header of the C interface, as its sources have it.

use cbindgen::{Builder, Config};
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let capi = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let config = Config::from_file(capi.join("cbindgen.toml"))?;
    let mut builder = Builder::new().with_config(config);
    // Sources one by one: finding them by the package would compile nothing, but would need all that it depends on.
    for file in ["version", "status", "open", "region", "recipe", "noise", "params", "layers", "export"] {
        builder = builder.with_src(capi.join("src").join(file).with_extension("rs"));
    }
    let mut header = Vec::new();
    builder.generate()?.write(&mut header);
    // In Rust the heading of what a caller has to see to; to C it needs saying what that means.
    print!("{}", String::from_utf8(header)?.replace(" # Safety\n", " The caller's part, which cannot be checked:\n"));
    Ok(())
}
