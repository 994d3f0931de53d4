//! The examples run without a window and draw the right pictures.

use crate::support::{Scratch, gpu, text};
use std::collections::HashSet;
use std::path::Path;
use std::process::Command;

/// Builds and runs an example; its picture and what it printed.
fn run(name: &str, scratch: &Scratch) -> (image::RgbImage, String) {
    let cargo = option_env!("CARGO").unwrap_or("cargo");
    let folder = Path::new(env!("CARGO_BIN_EXE_orogen")).parent().expect("a folder");
    // A build script of `ring` would use cargo's variables about this package, and recompile everything that depends on it.
    let told = std::env::vars_os().map(|(name, _)| name).filter(|name| {
        let name = name.to_string_lossy();
        name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")
    });
    let mut build = Command::new(cargo);
    told.for_each(|name| {
        build.env_remove(name);
    });
    let built = build
        .args(["build", "--quiet", "--locked", "--workspace", "--all-features", "--example", name, "--manifest-path"])
        .arg(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join("Cargo.toml"))
        .args(if folder.ends_with("release") { &["--release"][..] } else { &[] })
        .output()
        .expect("cargo runs");
    assert!(built.status.success(), "{name}: {}", text(&built.stderr));
    let picture = scratch.0.join(format!("{name}.png"));
    let output = Command::new(folder.join("examples").join(name)).arg(&picture).output().expect("the example starts");
    assert!(output.status.success(), "{name}: {}{}", text(&output.stdout), text(&output.stderr));
    let printed = text(&output.stdout);
    assert!(printed.contains(&*picture.to_string_lossy()), "{name} prints the path of its picture: {printed}");
    (image::open(&picture).expect(name).to_rgb8(), printed)
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn every_example_runs_and_draws() {
    gpu();
    let scratch = Scratch::new("examples");
    for (name, size, colours) in [
        ("01_texture", (512, 512), 20_000),
        ("02_own_device", (768, 768), 10_000),
        ("03_live_parameters", (6 * 192, 192), 200),
        ("04_volume", (512, 224), 500),
        ("05_terrain", (1280, 640), 20_000),
        ("06_tiles", (512, 512), 100),
        ("07_streaming", (4 * 448, 252), 20_000),
        ("09_particles", (960, 540), 3_000),
        ("heightfield", (512, 512), 100),
    ] {
        let (picture, printed) = run(name, &scratch);
        assert_eq!(picture.dimensions(), size, "{name}");
        let seen: HashSet<_> = picture.pixels().map(|pixel| pixel.0).collect();
        assert!(seen.len() >= colours, "{name}: only {} colours", seen.len());
        // No quarter of the picture is left unpainted.
        let (width, height) = size;
        for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let quarter = image::imageops::crop_imm(&picture, x * width / 2, y * height / 2, width / 2, height / 2).to_image();
            let seen: HashSet<_> = quarter.pixels().map(|pixel| pixel.0).collect();
            assert!(seen.len() > 20, "{name}: quarter {x}, {y} has {} colours", seen.len());
        }
        if name == "07_streaming" {
            // Frame times depend on the machine. Complete frames, and no allocations after warm-up, do not.
            let complete = |line: &str| line.contains("; 0 allocations median; 0 frames incomplete");
            let flights: Vec<&str> = printed.lines().filter(|line| line.starts_with("on ")).collect();
            assert!(flights.len() == 2 && flights.into_iter().all(complete), "{printed}");
        }
        if name == "03_live_parameters" {
            assert!(printed.contains("ms each") && printed.contains(" 0 kernels compiled"), "{printed}");
        }
    }
}
