//! Formats of output files. Each verb has one list of endings, which its refusal names, and writes every format of the list. The
//! tests of the formats themselves are next to their tables, in src/codec/formats.rs.

use crate::support::{RECIPE, Scratch, expect, path, root, run, text};
use orogen::bake::Format;
use orogen::bake::format::VolumeFormat;
use orogen::node::HeightsFile;

/// The first bytes of a file with this ending.
fn beginning(ending: &str) -> &'static [u8] {
    match ending {
        "png" => b"\x89PNG\r\n\x1a\n",
        "npy" => b"\x93NUMPY",
        "glb" => b"glTF",
        "obj" => b"# ",
        "svg" => b"<svg",
        "geojson" => b"{\"type\":\"FeatureCollection\"",
        "json" | "csv" | "raw" | "bin" => b"",
        ending => panic!("no example of a file that ends in .{ending}"),
    }
}

/// Whether the rest of a file suits its ending.
fn is_of(ending: &str, file: &[u8]) -> bool {
    let is_text = |begins: &dyn Fn(char) -> bool| std::str::from_utf8(file).is_ok_and(|text| text.starts_with(begins));
    match ending {
        "json" | "geojson" => serde_json::from_slice::<serde_json::Value>(file).is_ok(),
        "csv" => is_text(&|c| c.is_ascii_lowercase()),
        "svg" | "obj" => is_text(&|_| true),
        "raw" | "bin" => !file.is_empty() && file.len().is_multiple_of(4) && serde_json::from_slice::<serde_json::Value>(file).is_err(),
        _ => true,
    }
}

#[test]
fn endings_of_outputs_are_the_tables() {
    let scratch = Scratch::new("endings");
    let recipe = scratch.file("r.toml", RECIPE);
    let recipe = path(&recipe);
    let verbs: [(&[&str], &[&str]); 9] = [
        (&["preview", recipe, "--size", "8,8", "--backend", "cpu"], &["png"]),
        (&["hexmap", recipe, "--q", "0..4", "--r", "0..4", "--backend", "cpu"], &["csv", "json", "png"]),
        (&["spectrum", recipe, "--size", "64", "--backend", "cpu"], &["csv", "json", "svg"]),
        (&["places", recipe, "--area=0,0,50,50", "--density", "none", "--backend", "cpu"], &["csv", "json", "svg", "bin"]),
        (&["contours", recipe, "--size", "32,32", "--backend", "cpu"], &["svg", "geojson"]),
        (&["coast", recipe, "--points", "64", "--backend", "cpu"], &["svg", "geojson"]),
        (&["edge", "--through", "0,0", "--through", "10,5"], &["svg", "geojson"]),
        (&["volume", recipe, "--size", "8,8,8", "--backend", "cpu"], &["npy", "raw", "glb", "obj"]),
        (&["rivers", recipe, "--size", "32,32", "--backend", "cpu"], &["svg", "geojson"]),
    ];
    let volumes: Vec<&str> = VolumeFormat::ALL.iter().map(|format| format.name()).collect();
    assert_eq!(verbs[7].1[..volumes.len()], volumes, "the first formats of a volume are the library's");
    for (args, endings) in verbs {
        let write = |name: &str| {
            let out = scratch.0.join(name);
            let surface: &[&str] = if name.ends_with(".glb") || name.ends_with(".OBJ") { &["--walls"] } else { &[] };
            let output = run(&[args, surface, &["-o", path(&out)]].concat(), "");
            (output, std::fs::read(&out))
        };
        let allowed = endings.iter().map(|ending| format!(".{ending}")).collect::<Vec<_>>().join(", ");
        let (refused, nothing) = write("x.tga");
        expect(&refused, 2, &["x.tga: the ending .tga is not allowed", &format!("allowed: {allowed}\n")]);
        assert!(nothing.is_err(), "{}: a file", args[0]);
        if args[0] != "preview" {
            // `preview` also writes to devices, whose names have no ending.
            expect(&write("x").0, 2, &["x: a name without an ending is not allowed", &format!("allowed: {allowed}\n")]);
        }
        for ending in endings {
            // Capitals do not matter.
            let name = if *ending == "obj" { "x.OBJ".to_owned() } else { format!("x.{ending}") };
            let (output, file) = write(&name);
            expect(&output, 0, &[]);
            let file = file.expect("a file");
            let head = text(&file[..file.len().min(40)]);
            assert!(file.starts_with(beginning(ending)) && is_of(ending, &file), "{} -o {name}: {head}", args[0]);
        }
    }
}

/// A bake writes each format of the table with the ending of the table. Its refusal of other words names all formats.
#[test]
fn formats_of_bakes_are_the_tables() {
    let scratch = Scratch::new("bake-formats");
    let recipe = scratch.file("r.toml", RECIPE);
    let bake = |format: &str, out: &str| {
        let out = scratch.0.join(out);
        run(&["bake", path(&recipe), "--out", path(&out), "--tiles", "0..1,0..1", "--format", format, "--backend", "cpu"], "")
    };
    let names: Vec<&str> = Format::choices().map(Format::name).collect();
    expect(&bake("weights", "none"), 2, &names);
    for format in Format::choices().filter(|format| !format.is_array()) {
        let folder = format.name();
        expect(&bake(folder, folder), 0, &[]);
        let tile = scratch.0.join(folder).join(format!("x0_y0.{}", format.extension()));
        assert!(tile.is_file(), "{} is missing", tile.display());
    }
}

/// The first cells of the table below a heading of a page.
fn first_cells(page: &str, heading: &str) -> Vec<String> {
    let page = std::fs::read_to_string(root().join(page)).expect("the page");
    let section = page.split_once(&format!("\n{heading}\n")).expect(heading).1;
    let rows = section.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|')).skip(2);
    rows.map(|row| row.split('|').nth(1).expect("a cell").trim().to_owned()).collect()
}

#[test]
fn pages_list_the_formats_of_the_tables() {
    let written = first_cells("docs/reference/formats.md", "## What bakes write").join(", ");
    for format in Format::choices() {
        assert!(written.contains(&format!("`{}`", format.name())), "docs/reference/formats.md lacks {}", format.name());
    }
    let refusal = HeightsFile::new("heights.none").check().expect_err("an unknown ending").to_string();
    let mut allowed: Vec<String> = refusal.split_once("allowed: ").expect("the endings").1.split(", ").map(|e| format!("`{e}`")).collect();
    let cells = first_cells("docs/guide/rasters.md", "## Files");
    let mut read: Vec<String> =
        cells.iter().filter(|cell| cell.starts_with('`')).flat_map(|cell| cell.split(", ")).map(str::to_owned).collect();
    allowed.sort_unstable();
    read.sort_unstable();
    assert_eq!(read, allowed, "docs/guide/rasters.md has the endings of the table");
}
