//! Exported shaders in a browser: WGSL by WebGPU and GLSL ES 3.00 by WebGL 2 give the noise. `scripts/browser` runs these.

use crate::export::{NEAR, exported, jets, options, positions};
use crate::support::Scratch;
use crate::{gallery, nodes};
use orogen::Noise;
use orogen::export::{ExportError, Language, Storage, export};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/measured/browsers.md");

/// Bounds for values and gradients, relative to the largest magnitude: those of fast arithmetic for displaced positions.
const FAST: [f64; 2] = [1e-4, 1e-3];
/// The cases of every run: a recipe, a lattice of each sort, octaves, a raster.
const SHORT: [&str; 6] = ["alps", "simplex 0", "perlin 0", "worley 0", "fractal 0", "raster 0"];
/// The message of studio/shaders/run.mjs for a case that takes too long.
const LATE: &str = "gave up after a minute";

/// The difference between two lists of jets: the share of values with the same bits, and the largest differences of values and
/// gradients, relative to the largest magnitude.
fn nearness(found: &[[f32; 4]], expected: &[[f32; 4]]) -> (f64, [f64; 2]) {
    assert_eq!(found.len(), expected.len());
    let same = found.iter().zip(expected).filter(|(a, b)| a[0].to_bits() == b[0].to_bits()).count();
    let worst = [0..1, 1..4].map(|numbers| {
        let of = |jets: &[[f32; 4]]| jets.iter().flat_map(|jet| jet[numbers.clone()].to_vec()).map(f64::from).collect::<Vec<_>>();
        let (found, expected) = (of(found), of(expected));
        let largest = expected.iter().fold(f64::from(f32::MIN_POSITIVE), |m, x| m.max(x.abs()));
        // NaN counts as a large difference.
        found.iter().zip(&expected).map(|(a, b)| if a.is_finite() { (a - b).abs() / largest } else { f64::INFINITY }).fold(0.0, f64::max)
    });
    (same as f64 / expected.len() as f64, worst)
}

fn jets_of(bits: &[Value]) -> Vec<[f32; 4]> {
    let numbers: Vec<f32> = bits.iter().map(|bits| f32::from_bits(bits.as_u64().expect("32 bits") as u32)).collect();
    numbers.chunks_exact(4).map(|four| [four[0], four[1], four[2], four[3]]).collect()
}

/// Whether an export to a browser's GLSL refuses a noise: for a raster that is too large for a source.
fn refuses(noise: &Noise) -> bool {
    export(noise, &options(Language::GlslEs, Storage::Inline, false, NEAR)).is_err()
}

#[test]
#[ignore = "needs Node and Chromium: scripts/browser"]
fn exports_give_the_noise_in_a_browser() {
    let recipes = gallery::recipes().into_iter().map(|(name, _, recipe)| (name, gallery::noise(&recipe)));
    let examples = nodes::all().into_iter().filter(|(name, _)| name.ends_with(" 0"));
    let short = std::env::var("OROGEN_BROWSER").is_ok_and(|form| form == "short");
    let asked = |(name, _): &(String, Noise)| !short || SHORT.contains(&name.as_str());
    let cases: Vec<(String, Noise)> = recipes.chain(examples).filter(asked).collect();
    assert!(!short || cases.len() == SHORT.len(), "{} of {SHORT:?}", cases.len());
    let places: Vec<f32> = positions().iter().flat_map(|&[x, y, z]| [x, y, z, 0.0]).collect();
    let case = |(name, noise): &(String, Noise)| {
        let wgsl = exported(noise, &options(Language::Wgsl, Storage::Buffer, true, NEAR), name);
        // Refused where a raster is too large for a source of GLSL ES.
        let es = export(noise, &options(Language::GlslEs, Storage::Inline, false, NEAR));
        let es = es.as_ref().map(|es| es.text());
        assert!(es.is_ok() || matches!(es, Err(ExportError::Rasters { .. })), "{name}: {es:?}");
        json!({ "name": name, "wgsl": wgsl.text(), "tables": wgsl.tables, "es": es.ok(), "positions": places })
    };
    let scratch = Scratch::new("browser");
    scratch.file("cases.json", &json!(cases.iter().map(case).collect::<Vec<_>>()).to_string());
    let studio = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join("studio");
    let run = Command::new("node").arg("shaders/run.mjs").arg(&scratch.0).current_dir(studio).status().expect("node");
    assert!(run.success(), "the browser did not run");
    let found: Value = serde_json::from_slice(&std::fs::read(scratch.0.join("found.json")).expect("found.json")).expect("JSON");

    let mut page = format!(
        "# In browsers\n\
         \n\
         <!-- Written by scripts/browser (OROGEN_FREEZE=1). -->\n\
         \n\
         Exports of every recipe of the gallery, and of the first example of every node, in headless Chromium {} (SwiftShader, a\n\
         software GPU), at 96 positions up to 300 units from the anchor, compared with `Engine::sample_near` on the CPU.\n\
         \n\
         | cell | meaning |\n\
         |---|---|\n\
         | same bits | the share of values with the CPU's bits |\n\
         | values, gradients | the largest difference, relative to the largest magnitude |\n\
         | not run | SwiftShader compiles it for more than a minute |\n\
         | too large | a raster of more than 4096 samples, which exports to GLSL ES refuse |\n\
         \n\
         Browsers compile with arithmetic that may contract. The bounds are 1e-4 for values and 1e-3 for gradients. WGSL has its\n\
         tables in buffers, GLSL ES in the source.\n\
         \n\
         | noise | WebGPU: same bits | values | gradients | WebGL 2: same bits | values | gradients |\n\
         |---|---|---|---|---|---|---|\n",
        found["browser"].as_str().unwrap_or("of unknown version")
    );
    let (mut wrong, mut late) = (Vec::new(), Vec::new());
    for (name, noise) in &cases {
        let expected = jets(noise, NEAR);
        let mut row = format!("| {name} |");
        for api in ["webgpu", "webgl"] {
            match &found[name][api] {
                Value::Array(bits) => {
                    let (same, [values, gradients]) = nearness(&jets_of(bits), &expected);
                    if values > FAST[0] || gradients > FAST[1] {
                        wrong.push(format!("{name}, {api}: values {values:e}, gradients {gradients:e}"));
                    }
                    write!(row, " {:.0} % | {values:.0e} | {gradients:.0e} |", 100.0 * same).expect("text");
                }
                // SwiftShader alone takes so long, with tables that stand in the source: counted, and named on the page.
                Value::Null if api == "webgl" && refuses(noise) => row.push_str(" too large | | |"),
                Value::String(why) if why == LATE && api == "webgl" => {
                    late.push(name.as_str());
                    row.push_str(" not run | | |");
                }
                other => {
                    wrong.push(format!("{name}, {api}: {other}"));
                    row.push_str(" — | — | — |");
                }
            }
        }
        page.push_str(&row);
        page.push('\n');
    }
    if !late.is_empty() {
        eprintln!("not run by WebGL 2, as their shaders take more than a minute to compile: {}", late.join(", "));
    }
    assert!(late.len() * 5 <= cases.len(), "too many are not run: {}", late.join(", "));
    if std::env::var_os("OROGEN_FREEZE").is_some() && !short {
        std::fs::write(PAGE, &page).expect("written");
    }
    assert!(!cases.is_empty() && wrong.is_empty(), "{} noises: {}", cases.len(), wrong.join("\n"));
    let known = std::fs::read_to_string(PAGE).expect("the page");
    for (name, _) in &cases {
        assert!(known.contains(&format!("| {name} |")), "{name} is not on the page: OROGEN_FREEZE=1 scripts/browser");
    }
}
