//! Lines as text.

use std::fmt::Write;

/// Lines as GeoJSON: a collection of features, each with its `level` and its lines.
pub fn geojson(lines: &[(f64, Vec<Vec<[f64; 2]>>)]) -> String {
    let mut text = "{\"type\":\"FeatureCollection\",\"features\":[".to_owned();
    for (i, (level, lines)) in lines.iter().enumerate() {
        let level = serde_json::Value::from(*level);
        // Written directly: a tree of JSON values would take several times the memory of the lines.
        let coordinates = serde_json::to_string(lines).expect("invariant: numbers have a text");
        let comma = if i > 0 { "," } else { "" };
        let _ = write!(
            text,
            "{comma}{{\"type\":\"Feature\",\"properties\":{{\"level\":{level}}},\"geometry\":{{\"type\":\"MultiLineString\",\
             \"coordinates\":{coordinates}}}}}"
        );
    }
    text + "]}"
}

/// Number of decimals that resolve a hundred-thousandth of the picture, at least `least`.
pub(crate) fn decimals(least: usize, low: [f64; 2], high: [f64; 2]) -> usize {
    let extent = (high[0] - low[0]).max(high[1] - low[1]).abs();
    // The unit is rarely smaller than 10⁻¹⁵ of the coordinates.
    let mut digits = least;
    let mut parts = extent * libm::pow(10.0, least as f64);
    while parts < 1e5 && digits < 15 {
        (digits, parts) = (digits + 1, parts * 10.0);
    }
    digits
}

/// Lines as SVG, with one unit per world unit and y down as in every picture. `low` and `high` are the corners of the visible
/// part.
pub fn svg(lines: &[(f64, Vec<Vec<[f64; 2]>>)], low: [f64; 2], high: [f64; 2], width: f64) -> String {
    let [w, h] = [0, 1].map(|a| high[a] - low[a]);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{} {} {w} {h}\">\n<g fill=\"none\" stroke=\"#3b3a36\" stroke-width=\"{width}\" \
         stroke-linejoin=\"round\">\n",
        low[0], low[1]
    );
    let digits = decimals(3, low, high);
    for (level, lines) in lines {
        let mut path = String::new();
        for line in lines {
            for (i, [x, y]) in line.iter().enumerate() {
                let _ = write!(path, "{}{x:.digits$} {y:.digits$}", if i == 0 { "M" } else { "L" });
            }
        }
        let _ = writeln!(text, "<path data-level=\"{level}\" d=\"{path}\"/>");
    }
    text.push_str("</g>\n</svg>\n");
    text
}
