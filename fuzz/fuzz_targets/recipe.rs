//! Any text is a recipe or an error: `cargo +nightly fuzz run recipe`, seeded with `cargo +nightly fuzz run recipe fuzz/corpus recipes`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use orogen::{Backend, Engine, EngineOptions, Recipe, Region};
use std::sync::LazyLock;

/// More lattices a sample than these would take too long.
const MOST_TERMS: u64 = 200;

static ENGINE: LazyLock<Engine> = LazyLock::new(|| {
    Engine::open(&EngineOptions { backend: Backend::Cpu, ..Default::default() }).expect("an engine without a GPU always opens")
});

fuzz_target!(|text: &str| {
    for recipe in [Recipe::from_toml(text, "r.toml"), Recipe::from_json(text, "r.json")].into_iter().flatten() {
        let again = recipe.to_json().and_then(|text| Recipe::from_json(&text, "again")).expect("a recipe that was read can be written");
        assert_eq!(again, recipe);
        let Ok(noise) = recipe.noise() else { continue };
        let Ok(prepared) = ENGINE.prepare(&noise) else { continue };
        if prepared.terms() <= MOST_TERMS
            && let Ok(field) = prepared.field(&Region::plane(4, 4))
        {
            let range = prepared.range();
            assert!(field.values.iter().all(|x| range.contains(f64::from(*x))), "{:?} is not in {range:?}", field.extent());
        }
    }
});
