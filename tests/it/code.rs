//! Recipes as Rust code: the code is compiled here, and makes the recipe.

use crate::support::root;
use orogen::Recipe;

/// Recipes whose code is kept, as modules of this test.
macro_rules! kept {
    ($($name:ident),+) => {
        $( #[rustfmt::skip] #[allow(clippy::all, clippy::pedantic, reason = "generated code, which users format")] mod $name { include!(concat!("code/", stringify!($name), ".rs")); } )+

        #[test]
        fn code_makes_the_recipe_it_is_of() {
            for (name, pipeline) in [$( (stringify!($name), $name::pipeline()) ),+] {
                let recipe = Recipe::load(root().join(format!("recipes/{name}.toml"))).expect(name);
                let (file, code) = (root().join(format!("tests/it/code/{name}.rs")), recipe.to_rust());
                if std::env::var_os("OROGEN_FREEZE").is_some() {
                    std::fs::write(&file, &code).expect(name);
                    continue;
                }
                assert!(std::fs::read_to_string(&file).expect(name) == code, "{} is not what the recipe gives: OROGEN_FREEZE=1 writes it anew", file.display());
                assert!(pipeline == recipe.pipeline, "{name}: {code}");
            }
        }
    };
}

kept!(alps, atoll, badlands, blocks, caves, hexmap, kaleidoscope, skyline, watershed);
