//! The header of the C interface is what its sources give.

use cbindgen::{Builder, Config};
use std::path::Path;

/// The header, as the sources have it.
fn header(capi: &Path) -> String {
    let config = Config::from_file(capi.join("cbindgen.toml")).expect("a configuration");
    let mut builder = Builder::new().with_config(config);
    // Sources one by one: finding them by the package would compile nothing, but would need all that it depends on.
    for file in [
        "version", "status", "open", "region", "recipe", "noise", "at", "noises", "heights", "params", "layers", "rivers", "bake", "export",
    ] {
        builder = builder.with_src(capi.join("src").join(file).with_extension("rs"));
    }
    let mut header = Vec::new();
    builder.generate().expect("a header").write(&mut header);
    // Rust's heading for requirements on the caller. C readers need it spelt out.
    String::from_utf8(header).expect("a header of UTF-8").replace(" # Safety\n", " Requirements that are not checked:\n")
}

#[test]
fn the_header_is_what_the_sources_give() {
    let capi = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (file, given) = (capi.join("include/orogen.h"), header(capi));
    if std::env::var_os("OROGEN_FREEZE").is_some() {
        std::fs::write(&file, &given).expect("the header is written");
    }
    let found = std::fs::read_to_string(&file).expect("the header");
    assert!(found == given, "capi/include/orogen.h is not up to date: scripts/capi --header");
}
