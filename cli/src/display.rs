//! Hides the display from drivers, which look for one although the command shows nothing.

use std::path::Path;
use std::process::Command;

/// Restarts the command without a Wayland display, if drivers would fail to find one and report that on standard error.
///
/// wgpu's Vulkan instance requests `VK_KHR_wayland_surface` even without a window. Mesa's layer `VK_LAYER_MESA_device_select`
/// then asks the display which device it uses, and libwayland complains if `XDG_RUNTIME_DIR` is missing, as in every container
/// and job. A display whose name is a path needs no such directory. No display exists at this path, so nothing else changes.
/// The variable is set for the new process only, because a process with threads cannot change its own environment safely.
#[cfg(target_os = "linux")]
pub fn without() {
    use std::os::unix::process::CommandExt;
    let is_path = |name| std::env::var_os(name).is_some_and(|value| Path::new(&value).is_absolute());
    if is_path("XDG_RUNTIME_DIR") || is_path("WAYLAND_DISPLAY") || std::env::var_os("WAYLAND_SOCKET").is_some() {
        return;
    }
    let mut args = std::env::args_os();
    let Some(name) = args.next() else { return };
    // Returns only if it fails; the command then continues unchanged.
    let _ = Command::new("/proc/self/exe").arg0(name).args(args).env("WAYLAND_DISPLAY", NOWHERE).exec();
}

/// Other systems do not need this.
#[cfg(not(target_os = "linux"))]
pub fn without() {}

/// Programs started by the command get the user's own environment.
pub fn restored(command: &mut Command) -> &mut Command {
    if std::env::var_os("WAYLAND_DISPLAY").is_some_and(|name| name == NOWHERE) { command.env_remove("WAYLAND_DISPLAY") } else { command }
}

/// The name of a display that does not exist.
const NOWHERE: &str = "/nonexistent/wayland";
