//! The `orogen` command: see [`cli`].
#![deny(unsafe_code)]
// What an engine holds is nested deep in wgpu, and every task of the studio asks whether it may be shared.
#![recursion_limit = "256"]
// Both panic where nobody reads: `cli::out` does not.
#![warn(clippy::print_stdout, clippy::print_stderr)]

#[expect(clippy::disallowed_methods, reason = "what is told may differ in a last digit")]
mod cli;
mod memory;
#[cfg(feature = "serve")]
#[expect(clippy::disallowed_methods, reason = "what is shown may differ in a last digit")]
mod serve;

#[global_allocator]
static ALLOCATOR: memory::OrEnd = memory::OrEnd;

fn main() -> std::process::ExitCode {
    cli::main()
}
