//! Places and lines as text, and as what a renderer draws instances from.

use crate::scatter::Place;
use std::fmt::Write;

/// One line for each place: `x,y,threshold,random`, after a line of names.
pub fn places_csv(places: &[Place]) -> String {
    let mut text = "x,y,threshold,random\n".to_owned();
    for Place { position: [x, y], threshold, random } in places {
        // Writing to memory cannot fail.
        let _ = writeln!(text, "{x},{y},{threshold},{random}");
    }
    text
}

/// An array of objects with `x`, `y`, `threshold` and `random`.
pub fn places_json(places: &[Place]) -> String {
    let object = |place: &Place| {
        let [x, y] = place.position;
        serde_json::json!({ "x": x, "y": y, "threshold": place.threshold, "random": place.random })
    };
    serde_json::Value::from(places.iter().map(object).collect::<Vec<_>>()).to_string()
}

/// Places as dots in SVG, y down as in every picture: `low` and `high` are the corners of what is shown. Dots are as large as their random
/// numbers say, up to `radius`.
pub fn places_svg(places: &[Place], low: [f64; 2], high: [f64; 2], radius: f64) -> String {
    let [w, h] = [0, 1].map(|a| high[a] - low[a]);
    let mut text = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{} {} {w} {h}\">\n<g fill=\"#3b5b36\">\n", low[0], low[1]);
    for Place { position: [x, y], random, .. } in places {
        let _ = writeln!(text, "<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{:.2}\"/>", radius * (0.5 + 0.5 * random));
    }
    text.push_str("</g>\n</svg>\n");
    text
}

/// Four f32 for each place, ready for a vertex buffer of instances: x and y relative to an anchor, threshold, random.
pub fn instances(places: &[Place], anchor: [f64; 2]) -> Vec<[f32; 4]> {
    let record = |place: &Place| {
        let [x, y] = [0, 1].map(|a| (place.position[a] - anchor[a]) as f32);
        [x, y, place.threshold as f32, place.random as f32]
    };
    places.iter().map(record).collect()
}

/// Lines as GeoJSON: a collection of features, each with its `level` and its lines.
pub fn lines_geojson(lines: &[(f64, Vec<Vec<[f64; 2]>>)]) -> String {
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
pub fn lines_svg(lines: &[(f64, Vec<Vec<[f64; 2]>>)], low: [f64; 2], high: [f64; 2], width: f64) -> String {
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
