//! Every recipe in `recipes/` works and is in the gallery as it is now.

use crate::support::{Scratch, assert_same_bits, cpu, root, run};
use orogen::draw::{Style, draw};
use orogen::node::{Accumulate, Interpolation, Metric, Node, WorleyOutput};
use orogen::{Field, Noise, Recipe, Region};
use std::path::{Path, PathBuf};

/// Name, text and parsed form of every recipe, by name.
pub fn recipes() -> Vec<(String, String, Recipe)> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(root().join("recipes")).expect("recipes").flatten().map(|file| file.path()).collect();
    // Pictures that recipes name are next to them.
    files.retain(|file| file.extension().is_some_and(|ending| ending == "toml"));
    files.sort();
    let load = |path: PathBuf| {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("a text");
        (name, text, Recipe::load(&path).unwrap_or_else(|error| panic!("{error}")))
    };
    files.into_iter().map(load).collect()
}

/// A recipe's noise: the output, or the node under its stages.
pub fn noise(recipe: &Recipe) -> Noise {
    let node = recipe.pipeline.underneath().expect("a node");
    recipe.pipeline.noise_of(node).expect("a noise")
}

#[test]
fn every_recipe_stays_in_its_proven_range_and_is_not_flat() {
    let engine = cpu();
    for (name, _, recipe) in recipes() {
        let noise = noise(&recipe);
        // The whole of what is baked, coarsely.
        let step = recipe.bake.spacing * f64::from(recipe.bake.tile * recipe.bake.tiles[1]) / 64.0;
        let region = Region { spacing: step, anchor: [0.0, 0.0, recipe.bake.z], ..Region::plane(64, 64) };
        let field = engine.field(&noise, &region).expect(&name);
        let ([lo, hi], range) = (field.extent().map(f64::from), noise.range().expect(&name));
        assert!(range.contains(lo) && range.contains(hi), "{name}: {lo} to {hi} outside {range:?}");
        assert!(hi - lo > 0.02 * range.width(), "{name}: {lo} to {hi} hardly uses {range:?}");
    }
}

#[test]
fn the_gallery_shows_every_recipe_as_it_is() {
    let page = std::fs::read_to_string(root().join("docs/reference/gallery.md")).expect("docs/reference/gallery.md");
    let recipes = recipes();
    for (name, text, _) in &recipes {
        let caption = text.lines().next().and_then(|line| line.strip_prefix("# ")).expect("a recipe begins with a comment");
        let section = format!(
            "\n## {name}\n\n{caption}\n\n![{name}](gallery/{name}.png)\n\n<details><summary><code>recipes/{name}.toml</code></summary>\n\n```toml\n{text}```\n\n</details>\n"
        );
        assert!(page.contains(&section), "docs/reference/gallery.md does not show {name} as it is: run scripts/gallery");
        let picture = image::open(root().join(format!("docs/reference/gallery/{name}.png"))).expect(name);
        assert_eq!((picture.width(), picture.height()), (576, 384), "{name}");
    }
    assert_eq!(page.matches("\n## ").count(), recipes.len(), "the gallery shows what is no longer there: run scripts/gallery");
    let pictures = std::fs::read_dir(root().join("docs/reference/gallery")).expect("pictures").count();
    assert_eq!(pictures, recipes.len(), "pictures without a recipe: run scripts/gallery");
}

#[test]
fn cobbles_repeat_bit_for_bit() {
    let recipe = Recipe::load(root().join("recipes/cobbles.toml")).expect("the recipe");
    let (engine, noise) = (cpu(), recipe.noise().expect("a noise"));
    let at = |x, y| engine.field_with_gradient(&noise, &Region { origin: [x, y, 0], ..Region::plane(80, 80) }).expect("a field");
    for (x, y) in [(192, 0), (0, 192), (-384, 192_000)] {
        assert_same_bits(&at(-40, -40), &at(x - 40, y - 40), "one period on");
    }
}

#[test]
fn a_preview_can_be_flat_coloured_and_flooded() {
    let scratch = Scratch::new("gallery-shade");
    // From 0 at the left to 1 at the right, in one picture of 16 pixels.
    let recipe = scratch.file("slope.toml", "output = \"x\"\n[node.x]\nkind = \"coordinate\"\nunit = 15.5\n");
    let draw = |flags: &[&str]| {
        let picture = scratch.0.join("p.png");
        let mut args = vec!["preview", recipe.to_str().expect("UTF-8"), "-o", picture.to_str().expect("UTF-8"), "--size", "16,2"];
        args.extend(["--backend", "cpu"].iter().chain(flags));
        let output = run(&args, "");
        output.status.success().then(|| image::open(&picture).expect("PNG").into_rgb8())
    };
    let grey = draw(&["--shade", "flat"]).expect("a picture");
    let row: Vec<[u8; 3]> = (0..16).map(|x| grey.get_pixel(x, 0).0).collect();
    assert!(row.windows(2).all(|pair| pair[0][0] < pair[1][0]), "darker to brighter: {row:?}");
    assert!(row.iter().all(|c| c[0] == c[1] && c[1] == c[2]), "grey: {row:?}");
    assert!(row[0][0] < 60 && row[15][0] > 240, "all of black to white: {row:?}");
    let ramp = draw(&["--shade", "flat", "--colours", "ff0000,00FF00"]).expect("a picture");
    let (first, last) = (ramp.get_pixel(0, 0).0, ramp.get_pixel(15, 1).0);
    assert!(first[0] > 240 && last[1] > 240 && first[2] == 0 && last[2] == 0, "red to green: {first:?} {last:?}");
    let sea = draw(&["--sea", "0.5", "--colours", "ff0000"]).expect("a picture");
    let blue = (0..16).filter(|&x| sea.get_pixel(x, 0).0[2] > sea.get_pixel(x, 0).0[0]).count();
    assert_eq!(blue, 8, "the left half is water");
    for wrong in ["ff00", "+f0000", "éé0000", ""] {
        assert!(draw(&["--colours", wrong]).is_none(), "{wrong:?} is not a colour");
    }
}

#[test]
fn pictures_of_flat_fields_hold_no_surprise() {
    let field = cpu().field_with_gradient(&Noise::constant(3.0), &Region::plane(8, 4)).expect("a field");
    for sea in [None, Some(2.0), Some(4.0)] {
        for relief in [true, false] {
            let picture = draw(&field, 2, &Style { relief, sea, ..Style::default() }).expect("a picture");
            assert_eq!((picture.width, picture.height, picture.rgb.len()), (4, 2, 24));
            assert!(picture.rgb.chunks(3).all(|pixel| pixel == &picture.rgb[..3]), "{sea:?} {relief}");
        }
    }
}

#[test]
fn the_page_of_stages_shows_every_kind_as_it_is() {
    let docs = root().join("docs/reference");
    let recipe = Recipe::load(docs.join("stages.toml")).expect("the stages");
    let page = std::fs::read_to_string(docs.join("stages.md")).expect("the page");
    for row in orogen::stage::Stage::TABLE.iter().filter(|row| row.kind != "given") {
        let shown = recipe.pipeline.stage.iter().find(|(_, stage)| stage.info().kind == row.kind);
        let name = shown.unwrap_or_else(|| panic!("{} is not shown", row.kind)).0;
        assert!(page.contains(&format!("stages/{name}.png")), "{name} is not on the page: scripts/gallery");
        assert!(docs.join(format!("stages/{name}.png")).is_file(), "{name} has no picture: scripts/gallery");
    }
}

#[test]
fn the_page_of_nodes_shows_every_word_it_is_there_for() {
    let docs = root().join("docs/reference");
    let recipe = Recipe::load(docs.join("nodes.toml")).expect("the nodes");
    let page = std::fs::read_to_string(docs.join("nodes.md")).expect("the page");
    let shown: Vec<&Node> = recipe
        .pipeline
        .node
        .iter()
        .filter(|(name, _)| page.contains(&format!("](nodes/{name}.png)")))
        .inspect(|(name, _)| assert!(docs.join(format!("nodes/{name}.png")).is_file(), "{name} has no picture: scripts/gallery"))
        .map(|(_, node)| node)
        .collect();
    let pictures = std::fs::read_dir(docs.join("nodes")).expect("pictures").count();
    assert_eq!((page.matches("](nodes/").count(), pictures), (shown.len(), shown.len()), "the page is not of these nodes: scripts/gallery");
    let text = std::fs::read_to_string(docs.join("nodes.toml")).expect("the nodes");
    for caption in text.lines().filter_map(|line| line.strip_prefix("#: ").filter(|caption| !caption.starts_with("--"))) {
        assert!(page.contains(&format!("| {caption} |")), "'{caption}' is not on the page: scripts/gallery");
    }
    for word in Interpolation::ALL {
        assert!(shown.iter().any(|node| matches!(node, Node::Value(n) if n.interpolation == *word)), "{word} value noise is not shown");
        assert!(shown.iter().any(|node| matches!(node, Node::Perlin(n) if n.interpolation == *word)), "{word} Perlin noise is not shown");
    }
    for word in Metric::ALL {
        assert!(shown.iter().any(|node| matches!(node, Node::Worley(n) if n.metric == *word)), "the metric {word} is not shown");
    }
    for word in WorleyOutput::ALL {
        assert!(shown.iter().any(|node| matches!(node, Node::Worley(n) if n.output == *word)), "the output {word} is not shown");
    }
    for word in Accumulate::ALL {
        assert!(shown.iter().any(|node| matches!(node, Node::Fractal(n) if n.accumulate == *word)), "{word} is not shown");
    }
}

#[test]
fn recipes_with_stages_bake_and_are_the_same_computed_anew() {
    for name in ["atoll", "watershed"] {
        let recipe = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join("recipes").join(format!("{name}.toml"));
        let scratch = crate::support::Scratch::new(name);
        let out = scratch.0.join("out").display().to_string();
        let recipe = recipe.display().to_string();
        let flags = ["bake", &recipe, "--out", &out, "--tile", "32", "--tiles", "0..2,0..2", "--backend", "cpu"];
        let output = crate::support::run(&flags, "");
        let said = crate::support::text(&output.stdout);
        assert!(output.status.success() && said.contains("4 tiles written"), "{name}: {}", crate::support::text(&output.stderr));
        assert!(said.contains("halo of"), "{name}: {said}");
        for file in ["x1_y1.png", "overview.png", "manifest.json"] {
            assert!(Path::new(&out).join(file).is_file(), "{name}: {file}");
        }
        let checked = crate::support::run(&["check", &out, "--recompute", "1", "--backend", "cpu"], "");
        assert!(checked.status.success(), "{name}: {}", crate::support::text(&checked.stdout));
        for layer in &Recipe::load(&recipe).expect("recipe").bake.layers {
            assert!(Path::new(&out).join(format!("x0_y0.{layer}.png")).is_file(), "{name}: {layer}");
        }
    }
}

#[test]
fn what_has_no_pixels_is_an_error_and_no_panic() {
    use orogen::Layer;
    use orogen::draw::{draw_layer, shade};
    use orogen::lines::contours;
    let field = |width, values| Field { region: Region::plane(width, 2), values, gradients: None };
    let told = |result: Result<_, orogen::draw::DrawError>| result.map(|_: orogen::draw::Picture| ()).expect_err("refused").to_string();
    assert!(told(shade(&field(2, vec![0.0; 4]), 0)).contains("supersample = 0"));
    assert!(told(shade(&field(0, Vec::new()), 1)).contains("size = [0, 2, 1]"));
    assert!(told(shade(&field(2, vec![0.0; 3]), 1)).contains("3 for 4 samples"));
    let short = Field { gradients: Some(vec![[0.0; 3]]), ..field(2, vec![0.0; 4]) };
    assert!(told(shade(&short, 1)).contains("1 for 4 samples"));
    let layer = |channels, values| Layer { name: "a".to_owned(), region: Region::plane(2, 2), channels, values };
    assert!(told(draw_layer(&layer(4, vec![0.0; 4]), &Style::default())).contains("4 for 4 samples of 4"));
    assert!(told(draw_layer(&layer(2, vec![0.0; 8]), &Style::default())).contains("channels = 2"));
    assert!(contours(&layer(1, Vec::new()), &[0.0]).is_err());
    assert!(draw_layer(&layer(1, vec![0.0; 4]), &Style::default()).is_ok());
}
