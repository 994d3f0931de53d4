//! `orogen inspect`: a page that stands by itself, and figures that are what they should be for fields whose are known.

use crate::support::{Scratch, run, text};
use serde_json::Value;
use std::path::Path;

const CONSTANT: &str = "output = \"c\"\n[node.c]\nkind = \"constant\"\nvalue = 0.3\n";
const WHITE: &str = "output = \"w\"\n[node.w]\nkind = \"value\"\ninterpolation = \"truncated\"\nwavelength = 1.0\n";
const RAMP: &str = "output = \"x\"\n[node.x]\nkind = \"coordinate\"\nunit = 64.0\n";
/// Names and comments that would be markup if they were not escaped, and a node that nothing reads.
const ODD: &str = "# <script>alert(1)</script> & more\noutput = \"a<b>&\\\"\"\n[node.s]\nkind = \"simplex\"\nwavelength = 40.0\n\
                   [node.\"a<b>&\\\"\"]\nkind = \"fractal\"\nof = \"s\"\n[node.idle]\nkind = \"constant\"\n";

fn path(p: &Path) -> &str {
    p.to_str().expect("UTF-8")
}

/// The page and the figures of a recipe.
fn inspect(name: &str, recipe: &str, more: &[&str]) -> (String, Value) {
    let scratch = Scratch::new(&format!("inspect-{name}"));
    let (recipe, page) = (scratch.file("r.toml", recipe), scratch.0.join("r.html"));
    let output = run(&[&["inspect", path(&recipe), "-o", path(&page), "--json"], more].concat(), "");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let figures = serde_json::from_slice(&output.stdout).expect("JSON");
    (std::fs::read_to_string(page).expect("the page is written"), figures)
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is not a number"))
}

/// Every element that is opened is closed, in order.
fn assert_nested(page: &str) {
    let mut open = Vec::new();
    for tag in page.split('<').skip(1) {
        let tag = tag.split('>').next().expect("a tag ends");
        let name = tag.split([' ', '\n', '/']).find(|part| !part.is_empty()).expect("a tag has a name");
        if tag.starts_with('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "closed out of order");
        } else if !(tag.ends_with('/') || ["!DOCTYPE", "meta", "img"].contains(&name)) {
            open.push(name.to_owned());
        }
    }
    assert!(open.is_empty(), "left open: {open:?}");
}

fn assert_stands_alone(page: &str) {
    assert_nested(page);
    // The picture's letters may spell anything.
    let (before, picture) = page.split_once("data:image/png;base64,").expect("a picture");
    let page = [before, picture.split_once('"').expect("the picture ends").1].concat();
    for wrong in ["NaN", "inf ", "<script", "<link", "@import", "url(", "https:"] {
        assert!(!page.contains(wrong), "the page contains {wrong}");
    }
    let namespaces = page.matches("xmlns=\"http://www.w3.org/2000/svg\"").count();
    assert_eq!(page.matches("http:").count(), namespaces, "a reference to another file");
    for part in ["name=\"viewport\"", "prefers-color-scheme: dark", "<svg", "Histogram", "Cost by node", "<pre>"] {
        assert!(page.contains(part), "{part} is missing");
    }
}

#[test]
fn the_page_stands_alone_and_escapes_what_it_quotes() {
    let (page, figures) = inspect("page", ODD, &["--backend", "cpu", "--size", "256"]);
    assert_stands_alone(&page);
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt; &amp; more") && page.contains("a&lt;b&gt;&amp;&quot;"));
    let cost = figures["cost"].as_array().expect("a list");
    assert_eq!(cost.iter().map(|c| c["kind"].as_str().expect("a kind")).collect::<Vec<_>>(), ["simplex", "fractal"]);
    assert!(cost.iter().all(|c| number(&c["ns_per_sample"]) > 0.0));
    assert_eq!(number(&cost[1]["share"]), 1.0);
    assert_eq!(figures["unused"], serde_json::json!(["idle"]));
    let measured: Vec<f64> = figures["range"]["measured"].as_array().expect("two").iter().map(number).collect();
    assert!(
        measured[0] >= -1.0 && measured[1] <= 1.0 && (number(&figures["range"]["used"]) - (measured[1] - measured[0]) / 2.0).abs() < 1e-3
    );
    // Octaves that halve in amplitude and double in frequency: amplitudes as f⁻², power along rings as f⁻⁴.
    let slope = number(&figures["spectrum"]["radial"]["slope"]);
    assert!((-4.6..-3.4).contains(&slope), "{slope}");
    assert_eq!(number(&figures["spectrum"]["radial"]["amplitude_exponent"]), slope / 2.0);
}

#[test]
fn a_constant_has_no_spectrum_and_breaks_nothing() {
    let (page, figures) = inspect("constant", CONSTANT, &["--backend", "cpu", "--size", "128"]);
    assert_stands_alone(&page);
    assert!(page.contains("no power at any frequency"));
    assert_eq!(number(&figures["values"]["deviation"]), 0.0);
    for (part, field) in [("spectrum", "radial"), ("spectrum", "along_rows"), ("range", "used")] {
        assert!(figures[part][field].is_null(), "{part}.{field} = {}", figures[part][field]);
    }
    assert!(figures["isotropy"].is_null());
}

#[test]
fn white_noise_is_uniform_flat_and_the_same_in_all_directions() {
    let (page, figures) = inspect("white", WHITE, &["--backend", "cpu", "--size", "1024", "--band", "0.02,0.45"]);
    assert_stands_alone(&page);
    assert!(number(&figures["uniform"]["ks_proven"]) < 1.63 / 1024.0);
    let (radial, rows) = (&figures["spectrum"]["radial"], &figures["spectrum"]["along_rows"]);
    assert!(number(&radial["slope"]).abs() < 0.05 && number(&rows["slope"]).abs() < 0.05, "{radial} {rows}");
    // Uniform on [−1, 1]: a variance of 1/3, at every frequency.
    let rings = figures["spectrum"]["rings"].as_array().expect("a list");
    let mean = rings.iter().map(|ring| number(&ring[1])).sum::<f64>() / rings.len() as f64;
    assert!((mean - 1.0 / 3.0).abs() < 0.01, "{mean}");
    let isotropy = &figures["isotropy"];
    assert!(number(&isotropy["deviation"]) < 1.7 * number(&isotropy["chance"]), "{isotropy}");
}

#[test]
fn a_ramp_is_uniform_and_points_along_x() {
    let (page, figures) = inspect("ramp", RAMP, &["--backend", "cpu", "--spacing", "0.5", "--size", "256"]);
    assert_stands_alone(&page);
    assert_eq!(figures["range"]["measured"], serde_json::json!([0.0, 255.0 / 128.0]));
    assert!(number(&figures["uniform"]["ks_measured"]) < 1.01 / 256.0);
    assert!((number(&figures["values"]["mean"]) - 255.0 / 256.0).abs() < 1e-9);
    // All power lies in the first sector, if the window leaks none into the others.
    let sectors: Vec<f64> = figures["isotropy"]["sectors"].as_array().expect("a list").iter().map(number).collect();
    assert!(sectors[0] > 1e6 * sectors[8], "{sectors:?}");
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn a_gpu_gives_the_same_figures() {
    let (_, a) = inspect("gpu", ODD, &["--backend", "gpu", "--size", "64"]);
    let (_, b) = inspect("cpu", ODD, &["--backend", "cpu", "--size", "64"]);
    for part in ["values", "range", "uniform", "spectrum", "isotropy"] {
        assert_eq!(a[part], b[part], "{part}");
    }
}

#[test]
fn what_cannot_be_inspected_is_said() {
    let scratch = Scratch::new("inspect-bad");
    let recipe = scratch.file("r.toml", WHITE);
    let page = scratch.0.join("r.html");
    let code = |recipe: &Path, more: &[&str]| {
        let output = run(&[&["inspect", path(recipe), "--backend", "cpu"], more].concat(), "");
        (output.status.code(), text(&output.stderr))
    };
    for flags in [
        ["--size", "63"],
        ["--size", "2049"],
        ["--spacing", "-1"],
        ["--spacing", "nan"],
        ["--band", "0.1"],
        ["--band", "0.3,0.2"],
        ["--band", "nan,1"],
    ] {
        let (code, error) = code(&recipe, &[&["-o", path(&page)], &flags[..]].concat());
        assert_eq!(code, Some(2), "{flags:?}: {error}");
        assert!(error.contains("allowed") && !page.exists(), "{flags:?}: {error}");
    }
    assert_eq!(code(&recipe, &[]).0, Some(2), "neither a page nor JSON");
    assert_eq!(code(&scratch.0.join("none.toml"), &["--json"]).0, Some(74));
    assert_eq!(code(&scratch.file("bad.toml", "output = 1"), &["--json"]).0, Some(65));
    assert_eq!(code(&recipe, &["--size", "64", "-o", "/dev/full"]).0, Some(74));
}
