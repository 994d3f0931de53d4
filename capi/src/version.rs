//! Which Orogen this is.

use std::ffi::c_char;

/// The number of this interface. It goes up when something that programs rely on changes or goes; additions leave it as it is.
///
/// Compare it with what `orogen_abi_version` returns when the library is loaded at run time.
pub const OROGEN_ABI_VERSION: u32 = 1;

/// The number of the interface that the library has: compare it with `OROGEN_ABI_VERSION`, with which the program was compiled.
///
/// Any thread, at any time.
#[unsafe(no_mangle)]
pub extern "C" fn orogen_abi_version() -> u32 {
    OROGEN_ABI_VERSION
}

/// The library's version as text, such as "0.1.0". It lives as long as the library; do not free it.
///
/// Any thread, at any time.
#[unsafe(no_mangle)]
pub extern "C" fn orogen_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}
