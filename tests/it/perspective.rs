//! `orogen preview`: terrain in perspective, areas, levels and fit.

use crate::support::{Scratch, expect, path, run, text};

/// Hills, and a colour stage over them.
const RECIPE: &str = "output = \"map\"\n[node.x]\nkind = \"simplex\"\nwavelength = 20.0\n[node.h]\nkind = \"scale_offset\"\nof = \"x\"\nscale = 8.0\n\
    [stage.map]\nkind = \"colour\"\nby = \"h\"\nstops = [{ at = -8.0, colour = \"#ff0000\" }, { at = 8.0, colour = \"#00ff00\" }]\n\
    [bake]\ntile = 32\ntiles = [2, 2]\nlayers = [\"h\"]\n";

#[test]
fn pictures_in_perspective_have_the_same_bytes_on_any_number_of_threads() {
    let scratch = Scratch::new("perspective");
    let recipe = scratch.file("r.toml", RECIPE);
    let draw = |threads: &str| {
        let picture = scratch.0.join(format!("{threads}.png"));
        let args = ["preview", path(&recipe), "--relief", "--sea", "0", "-o", path(&picture), "--size", "120,70", "--backend", "cpu"];
        let output = run(&[&args[..], &["--threads", threads]].concat(), "");
        expect(&output, 0, &[]);
        let said = text(&output.stdout);
        assert!(said.contains("120×70 pixels") && said.contains("64×64 samples, exaggeration 0.392"), "{said}");
        std::fs::read(&picture).expect("a picture")
    };
    let one = draw("1");
    assert!(one == draw("2"), "1 and 2 threads differ");
    let picture = image::load_from_memory(&one).expect("PNG").into_rgb8();
    assert_eq!(picture.dimensions(), (120, 70));
    let count = |holds: fn([u8; 3]) -> bool| picture.pixels().filter(|pixel| holds(pixel.0)).count();
    assert!(count(|[r, g, b]| g > r && g > b) > 200, "green hills");
    assert!(count(|[r, g, b]| b > g && b > r) > 1000, "water and background");
}

#[test]
fn other_values_than_the_heights_colour_the_ground() {
    let scratch = Scratch::new("perspective-values");
    // The eastern half.
    let mask = "[node.east]\nkind = \"coordinate\"\nunit = 64.0\n[stage.half]\nkind = \"mask\"\nof = \"east\"\nfrom = 0.49\nto = 0.51\n";
    let recipe = scratch.file("r.toml", &RECIPE.replacen("[stage.map]", &format!("{mask}[stage.map]"), 1));
    let picture = scratch.0.join("p.png");
    let straight_down = ["--relief", "--heights", "h", "--azimuth", "0", "--pitch", "89", "--size", "100,100", "--backend", "cpu"];
    let draw = |flags: &[&str]| {
        let args = [&["preview", path(&recipe), "-o", path(&picture)], &straight_down[..], flags].concat();
        expect(&run(&args, ""), 0, &[]);
        image::open(&picture).expect("PNG").into_rgb8()
    };
    // The mean colours of the middles of the western and of the eastern half.
    let halves = |picture: &image::RgbImage| {
        [25, 60].map(|west| {
            let part = (west..west + 15).flat_map(|x| (35..65).map(move |y| (x, y)));
            [0, 1, 2].map(|c| part.clone().map(|(x, y)| u32::from(picture.get_pixel(x, y).0[c])).sum::<u32>() / 450)
        })
    };
    let [west, east] = halves(&draw(&["--layer", "half"]));
    assert!(east[0] > 2 * west[0] && east.iter().all(|c| c.abs_diff(east[0]) < 30), "greys: {west:?}, {east:?}");
    let [west, east] = halves(&draw(&["--layer", "half", "--colours", "ff0000,0000ff"]));
    assert!(west[0] > 4 * west[2] && east[2] > 4 * east[0], "red and blue: {west:?}, {east:?}");
}

#[test]
fn options_of_perspective_are_checked() {
    let scratch = Scratch::new("perspective-options");
    let recipe = scratch.file("r.toml", RECIPE);
    let picture = scratch.0.join("p.png");
    let draw = |flags: &[&str]| run(&[&["preview", path(&recipe), "-o", path(&picture), "--backend", "cpu"], flags].concat(), "");
    for (flags, parts) in [
        (&["--relief", "--pitch", "95"][..], &["pitch = 95", "0 to 89 degrees"][..]),
        (&["--relief", "--azimuth", "nan"], &["--azimuth", "finite number"]),
        (&["--relief", "--field-of-view", "0"], &["field_of_view = 0", "1 to 120"]),
        (&["--relief", "--distance", "-1"], &["distance = -1", "above 0"]),
        (&["--relief", "--exaggeration", "0"], &["exaggeration = 0", "above 0"]),
        (&["--relief", "--visibility", "nan"], &["visibility = NaN", "above 0"]),
        (&["--relief", "--sun-elevation", "0"], &["sun_elevation = 0", "1 to 90"]),
        (&["--relief", "--supersample", "9"], &["supersample = 9", "1 to 8"]),
        (&["--relief", "--heights", "map"], &["--heights map has 4 channels", "one channel"]),
        (&["--relief", "--water", "lake"], &["--water lake", "allowed"]),
        (&["--relief", "--fit"], &["--fit"]),
        (&["--pitch", "20"], &["--relief"]),
        (&["--area", "0,0,9000,9000"], &["9000×9000", "up to 4096"]),
        (&["--area", "0,0,10,10", "--size", "10,10"], &["--size", "--fit"]),
        (&["--area", "5,5,4,9"], &["X0,Y0,X1,Y1"]),
        (&["--level", "41"], &["--level"]),
    ] {
        expect(&draw(flags), 2, parts);
        assert!(!picture.exists(), "{flags:?} wrote a picture");
    }
}

#[test]
fn a_preview_shows_an_area_at_a_level_and_fits_it() {
    let scratch = Scratch::new("preview-area");
    let recipe = scratch.file("r.toml", RECIPE);
    let draw = |flags: &[&str]| {
        let picture = scratch.0.join("p.png");
        expect(&run(&[&["preview", path(&recipe), "-o", path(&picture), "--backend", "cpu"], flags].concat(), ""), 0, &[]);
        image::open(&picture).expect("PNG").into_rgb8()
    };
    let all = draw(&["--size", "64,64"]);
    let part = draw(&["--area", "8,16,40,32"]);
    assert_eq!(part.dimensions(), (32, 16));
    let agrees = |x: u32, y: u32| part.get_pixel(x, y) == all.get_pixel(x + 8, y + 16);
    assert!((0..16).all(|y| (0..32).all(|x| agrees(x, y))), "the part differs from the whole");
    assert_eq!(draw(&["--area", "8,16,40,32", "--level", "1"]).dimensions(), (16, 8));
    assert_eq!(draw(&["--area", "8,16,40,32", "--fit", "--size", "100,100"]).dimensions(), (100, 50));
    assert_eq!(draw(&["--fit", "--size", "100,40"]).dimensions(), (40, 40));
}
