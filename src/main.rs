//! The `orogen` command: see [`cli`].
#![deny(unsafe_code)]
// Both panic where nobody reads: `cli::out` does not.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod cli;
mod memory;
#[cfg(feature = "serve")]
mod serve;

#[global_allocator]
static ALLOCATOR: memory::OrEnd = memory::OrEnd;

fn main() -> std::process::ExitCode {
    cli::main()
}
