//! The command shows nothing, but drivers look for a display all the same.

use std::path::Path;
use std::process::Command;

/// Starts the command again without a Wayland display, if drivers would look for one in vain and say so on standard error.
///
/// wgpu's Vulkan instance asks for `VK_KHR_wayland_surface`, whether anything is shown or not. Mesa's layer `VK_LAYER_MESA_device_select` then asks
/// the display which device it uses, and libwayland complains if `XDG_RUNTIME_DIR` is missing, as in every container and job. A display whose name
/// is a path needs no such directory; at this path there is none, so nothing else changes. The variable is set for the new process alone, since a
/// process with threads cannot change its own environment safely.
#[cfg(target_os = "linux")]
pub fn without() {
    use std::os::unix::process::CommandExt;
    let is_path = |name| std::env::var_os(name).is_some_and(|value| Path::new(&value).is_absolute());
    if is_path("XDG_RUNTIME_DIR") || is_path("WAYLAND_DISPLAY") || std::env::var_os("WAYLAND_SOCKET").is_some() {
        return;
    }
    let mut args = std::env::args_os();
    let Some(name) = args.next() else { return };
    // Returns only if it fails; then the command goes on as it is.
    let _ = Command::new("/proc/self/exe").arg0(name).args(args).env("WAYLAND_DISPLAY", NOWHERE).exec();
}

/// Elsewhere drivers do not ask.
#[cfg(not(target_os = "linux"))]
pub fn without() {}

/// A program that the command starts sees the environment as the user has it.
pub fn restored(command: &mut Command) -> &mut Command {
    if std::env::var_os("WAYLAND_DISPLAY").is_some_and(|name| name == NOWHERE) { command.env_remove("WAYLAND_DISPLAY") } else { command }
}

/// The name of a display that does not exist.
const NOWHERE: &str = "/nonexistent/wayland";
