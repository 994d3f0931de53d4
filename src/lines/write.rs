//! Lines as text.

use std::fmt::Write;

/// Lines as GeoJSON: a collection of features, each with its `level` and its lines.
pub fn geojson(lines: &[(f64, Vec<Vec<[f64; 2]>>)]) -> String {
    let feature = |(level, lines): &(f64, Vec<Vec<[f64; 2]>>)| {
        serde_json::json!({
            "type": "Feature",
            "properties": { "level": level },
            "geometry": { "type": "MultiLineString", "coordinates": lines },
        })
    };
    let features: Vec<_> = lines.iter().map(feature).collect();
    serde_json::json!({ "type": "FeatureCollection", "features": features }).to_string()
}

/// Lines as SVG, one world unit to a unit, y down as in every picture: `low` and `high` are the corners of what is shown.
pub fn svg(lines: &[(f64, Vec<Vec<[f64; 2]>>)], low: [f64; 2], high: [f64; 2], width: f64) -> String {
    let [w, h] = [0, 1].map(|a| high[a] - low[a]);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{} {} {w} {h}\">\n<g fill=\"none\" stroke=\"#3b3a36\" stroke-width=\"{width}\" \
         stroke-linejoin=\"round\">\n",
        low[0], low[1]
    );
    for (level, lines) in lines {
        let mut path = String::new();
        for line in lines {
            for (i, [x, y]) in line.iter().enumerate() {
                let _ = write!(path, "{}{x:.3} {y:.3}", if i == 0 { "M" } else { "L" });
            }
        }
        let _ = writeln!(text, "<path data-level=\"{level}\" d=\"{path}\"/>");
    }
    text.push_str("</g>\n</svg>\n");
    text
}
