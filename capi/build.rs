//! Gives the shared library the name that programs look for when they start: the soname on Linux and other systems with ELF, the install
//! name on macOS. Its number is that of the interface, so that a library with another interface is not taken for this one. On Linux each
//! function has the soname as its symbol version: a program that loads two libraries with different interfaces calls the right one of each.

#[path = "src/version.rs"]
mod version;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src/version.rs");
    let abi = version::OROGEN_ABI_VERSION;
    let family = std::env::var("CARGO_CFG_TARGET_FAMILY").unwrap_or_default();
    let (system, libc) = (std::env::var("CARGO_CFG_TARGET_OS"), std::env::var("CARGO_CFG_TARGET_ENV"));
    let vendor = std::env::var("CARGO_CFG_TARGET_VENDOR").unwrap_or_default();
    if vendor == "apple" {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-install_name,@rpath/liborogen.{abi}.dylib");
    } else if family == "unix" {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,liborogen.so.{abi}");
        if (system.as_deref(), libc.as_deref()) == (Ok("linux"), Ok("gnu")) {
            // Only GNU's linker can add versions to the symbols that rustc exports.
            println!("cargo:rustc-cdylib-link-arg=-fuse-ld=bfd");
            println!("cargo:rustc-cdylib-link-arg=-Wl,--default-symver");
        }
    }
}
