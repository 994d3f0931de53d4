//! Gives the shared library the name that programs look for when they start: the soname on Linux and other systems with ELF, the install
//! name on macOS. Its number is that of the interface, so that a library with another interface is not taken for this one.

#[path = "src/version.rs"]
mod version;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src/version.rs");
    let abi = version::OROGEN_ABI_VERSION;
    let family = std::env::var("CARGO_CFG_TARGET_FAMILY").unwrap_or_default();
    let vendor = std::env::var("CARGO_CFG_TARGET_VENDOR").unwrap_or_default();
    if vendor == "apple" {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-install_name,@rpath/liborogen.{abi}.dylib");
    } else if family == "unix" {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,liborogen.so.{abi}");
    }
}
