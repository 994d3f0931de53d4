//! Exported JavaScript, run by Node.

use crate::export::{NEAR, assert_same, exported, far, jets, options, positions, some};
use crate::support::{Scratch, text};
use orogen::export::{ExportError, ExportOptions, Language, Storage, export};
use orogen::node::Simplex;
use orogen::{Noise, Recipe};
use std::path::Path;
use std::process::Command;

/// Writes the bits of the values and jets of each module at all positions, as one line per module.
const DRIVER: &str = "
import { readFileSync } from 'node:fs';
const [folder, count] = process.argv.slice(2);
const positions = JSON.parse(readFileSync(`${folder}/positions.json`));
const bits = (numbers) => [...new Uint32Array(Float32Array.from(numbers).buffer)];
for (let i = 0; i < Number(count); i++) {
    const { orogen_value, orogen_jet } = await import(`${folder}/${i}.mjs`);
    const kept = new Float32Array(4);
    const jets = positions.map(([x, y, z]) => {
        const jet = orogen_jet(x, y, z);
        if (jet.some((number) => Math.fround(number) !== number)) throw new Error(`${i}: a number is no f32`);
        if (orogen_jet(x, y, z, kept) !== kept || kept.some((number, at) => number !== jet[at])) throw new Error(`${i}: given array`);
        if (!Object.is(orogen_value(x, y, z), jet[0])) throw new Error(`${i}: value and jet differ`);
        return bits(jet);
    });
    console.log(JSON.stringify(jets));
}
";

/// Runs modules in Node. Returns the jets of each at all positions.
fn run_in_node(folder: &Path, count: usize) -> Vec<Vec<[f32; 4]>> {
    let driver = folder.join("driver.mjs");
    std::fs::write(&driver, DRIVER).expect("writable");
    std::fs::write(folder.join("positions.json"), serde_json::to_string(&positions()).expect("JSON")).expect("writable");
    let ran = Command::new("node").arg(&driver).arg(folder).arg(count.to_string()).output().expect("node");
    assert!(ran.status.success(), "{}", text(&ran.stderr));
    let jets = |line: &str| -> Vec<[f32; 4]> {
        let bits: Vec<[u32; 4]> = serde_json::from_str(line).expect("numbers");
        bits.into_iter().map(|jet| jet.map(f32::from_bits)).collect()
    };
    text(&ran.stdout).lines().map(jets).collect()
}

#[test]
fn every_noise_has_the_bits_of_the_cpu_in_javascript() {
    let scratch = Scratch::new("export-js");
    let mut expected = Vec::new();
    for (name, noise) in &some() {
        for anchor in [NEAR, far(noise)] {
            let module = match export(noise, &options(Language::Js, Storage::Inline, false, anchor)) {
                // A recipe with large rasters.
                Err(ExportError::Rasters { .. }) => continue,
                module => module.unwrap_or_else(|error| panic!("{name}: {error}")),
            };
            scratch.file(&format!("{}.mjs", expected.len()), module.text().expect("text"));
            expected.push((format!("{name} at {anchor:?}"), jets(noise, anchor)));
        }
    }
    assert!(expected.len() > 2 * some().len() - 4, "{} modules", expected.len());
    let got = run_in_node(&scratch.0, expected.len());
    assert_eq!(got.len(), expected.len());
    for (got, (what, expected)) in got.iter().zip(&expected) {
        assert_same(got, expected, what);
    }
}

#[test]
fn javascript_refuses_what_it_cannot_hold() {
    let noise = Noise::simplex(Simplex::default());
    for (options, names) in [
        (options(Language::Js, Storage::Buffer, false, NEAR), ["a table in a buffer", "JavaScript"]),
        (options(Language::Js, Storage::Inline, true, NEAR), ["entry point", "JavaScript"]),
    ] {
        let message = export(&noise, &options).expect_err("refused").to_string();
        assert!(names.iter().all(|name| message.contains(name)), "{message}");
    }
}

#[test]
fn names_of_a_recipe_are_no_code() {
    let recipe = Recipe::from_toml("output = \"n\"\n[node.n]\nkind = \"simplex\"\n", "r.toml").expect("a recipe");
    let noise = recipe.noise().expect("a noise");
    let options = ExportOptions { name: "a\u{2028}throw 1\n*/ throw 2".into(), ..options(Language::Js, Storage::Inline, false, NEAR) };
    let module = exported(&noise, &options, "a name with breaks");
    let code = module.text().expect("text").lines().filter(|line| line.contains("throw") && !line.starts_with("//")).count();
    assert_eq!(code, 0);
    assert!(!module.text().expect("text").contains('\u{2028}'));
}
