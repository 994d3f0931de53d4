//! Points as text, and as instances for a renderer.

use crate::scatter::Point;
use std::fmt::Write;

/// One line for each point: `x,y,threshold,random`, after a line of names.
pub fn csv(points: &[Point]) -> String {
    let mut text = "x,y,threshold,random\n".to_owned();
    for Point { position: [x, y], threshold, random } in points {
        // Writing to memory cannot fail.
        let _ = writeln!(text, "{x},{y},{threshold},{random}");
    }
    text
}

/// An array of objects with `x`, `y`, `threshold` and `random`.
pub fn json(points: &[Point]) -> String {
    let object = |point: &Point| {
        let [x, y] = point.position;
        serde_json::json!({ "x": x, "y": y, "threshold": point.threshold, "random": point.random })
    };
    serde_json::Value::from(points.iter().map(object).collect::<Vec<_>>()).to_string()
}

/// Places as dots in SVG, y down as in every picture. `low` and `high` are the corners of the visible part. The random number of
/// a point scales its dot, up to `radius`.
pub fn svg(points: &[Point], low: [f64; 2], high: [f64; 2], radius: f64) -> String {
    let [w, h] = [0, 1].map(|a| high[a] - low[a]);
    let mut text = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{} {} {w} {h}\">\n<g fill=\"#3b5b36\">\n", low[0], low[1]);
    let digits = crate::lines::decimals(2, low, high);
    for Point { position: [x, y], random, .. } in points {
        let _ = writeln!(text, "<circle cx=\"{x:.digits$}\" cy=\"{y:.digits$}\" r=\"{:.digits$}\"/>", radius * (0.5 + 0.5 * random));
    }
    text.push_str("</g>\n</svg>\n");
    text
}

/// Four f32 for each point, ready for a vertex buffer of instances: x and y relative to an anchor, threshold, random.
pub fn instances(points: &[Point], anchor: [f64; 2]) -> Vec<[f32; 4]> {
    let record = |point: &Point| {
        let [x, y] = [0, 1].map(|a| (point.position[a] - anchor[a]) as f32);
        [x, y, point.threshold as f32, point.random as f32]
    };
    points.iter().map(record).collect()
}
