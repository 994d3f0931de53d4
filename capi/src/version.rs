//! The version of Orogen.

use std::ffi::c_char;

/// Version of this interface. It is increased when something that programs rely on changes or is removed; additions do not change it. The
/// name that programs link against ends in it: `liborogen.so.1` on Linux, `liborogen.1.dylib` on macOS.
///
/// A program that loads the library at run time compares it with the result of `orogen_abi_version`.
pub const OROGEN_ABI_VERSION: u32 = 1;

/// Returns the version of the library's interface. Compare it with `OROGEN_ABI_VERSION`, which the program was compiled with.
///
/// Thread safety: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn orogen_abi_version() -> u32 {
    OROGEN_ABI_VERSION
}

/// Returns the library's version as text, such as "0.1.0". The text is valid as long as the library is loaded; do not free it.
///
/// Thread safety: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn orogen_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}
