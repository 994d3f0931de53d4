//! Rivers as text.

use super::{Polygon, Rivers};
use crate::lines::decimals;
use serde_json::{Value, json};
use std::fmt::Write;

/// Widths of lines in a picture, as parts of its longer side: the narrowest and the widest river, and divides.
const NARROWEST: f64 = 0.5 / 800.0;
const WIDEST: f64 = 5.0 / 800.0;
const DIVIDE: f64 = 0.6 / 800.0;

impl Rivers {
    /// GeoJSON: a collection of features. Their property `kind` is `basin`, `lake` or `river`, in this order. The other properties
    /// are the fields of [`Basin`](super::Basin), [`Lake`](super::Lake) and [`RiverSegment`](super::RiverSegment). Lines have
    /// three coordinates: x, y and the level of the water.
    pub fn geojson(&self) -> String {
        let mut text = "{\"type\":\"FeatureCollection\",\"features\":[".to_owned();
        let mut add = |properties: Value, shape: &str, coordinates: Result<String, serde_json::Error>| {
            // Written directly: a tree of JSON values would take several times the memory of the lines.
            let coordinates = coordinates.expect("invariant: numbers have a text");
            let comma = if text.ends_with('[') { "" } else { "," };
            let _ = write!(
                text,
                "{comma}\n{{\"type\":\"Feature\",\"properties\":{properties},\"geometry\":{{\"type\":\"{shape}\",\"coordinates\":{coordinates}}}}}"
            );
        };
        for basin in &self.basins {
            let properties = json!({ "kind": "basin", "id": basin.id, "area": basin.area, "outlet": basin.outlet });
            add(properties, "MultiPolygon", rings(&basin.polygons));
        }
        for lake in &self.lakes {
            let properties = json!({ "kind": "lake", "id": lake.id, "level": lake.level, "depth": lake.depth, "area": lake.area });
            add(properties, "MultiPolygon", rings(&lake.polygons));
        }
        for segment in &self.segments {
            let super::RiverSegment { id, into, river, order, area, width, points } = segment;
            let properties = json!({
                "kind": "river", "id": id, "into": into, "river": river, "order": order, "area": area, "width": width
            });
            add(properties, "LineString", serde_json::to_string(points));
        }
        text + "\n]}\n"
    }

    /// SVG with one unit per world unit, and y down as in every picture. Rivers are drawn wider the more water they carry. Their
    /// width in the picture is not that of the world, which would hardly be visible.
    pub fn svg(&self) -> String {
        let [width, height] = [0, 1].map(|axis| self.high[axis] - self.low[axis]);
        let (longer, digits) = (width.max(height), decimals(2, self.low, self.high));
        let [left, top] = self.low;
        let mut text = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{left} {top} {width} {height}\">\n");
        let group = |text: &mut String, style: &str, polygons: &mut dyn Iterator<Item = (u64, &Vec<Polygon>)>| {
            let _ = writeln!(text, "<g {style}>");
            for (id, polygons) in polygons {
                let rings = polygons.iter().flat_map(|polygon| std::iter::once(&polygon.outer).chain(&polygon.holes));
                let _ = writeln!(text, "<path data-id=\"{id}\" d=\"{}\"/>", rings.map(|ring| path(ring, digits) + "Z").collect::<String>());
            }
            text.push_str("</g>\n");
        };
        let style = format!("fill=\"none\" stroke=\"#b9b2a2\" stroke-width=\"{}\" stroke-linejoin=\"round\"", DIVIDE * longer);
        group(&mut text, &style, &mut self.basins.iter().map(|basin| (basin.id, &basin.polygons)));
        let _ = writeln!(text, "<g fill=\"none\" stroke=\"#2f6d90\" stroke-linejoin=\"round\" stroke-linecap=\"round\">");
        let largest = self.segments.iter().fold(0.0_f64, |largest, segment| largest.max(segment.area));
        for segment in &self.segments {
            let width = (WIDEST * (segment.area / largest).sqrt()).max(NARROWEST) * longer;
            let line: Vec<[f64; 2]> = segment.points.iter().map(|[x, y, _]| [*x, *y]).collect();
            let _ = writeln!(text, "<path data-id=\"{}\" stroke-width=\"{width:.digits$}\" d=\"{}\"/>", segment.id, path(&line, digits));
        }
        text.push_str("</g>\n");
        // Over the rivers that cross them.
        group(&mut text, "fill=\"#7fb0c0\" fill-rule=\"evenodd\"", &mut self.lakes.iter().map(|lake| (lake.id, &lake.polygons)));
        text.push_str("</svg>\n");
        text
    }
}

/// Polygons as GeoJSON orders them: each a list of its border and its holes.
fn rings(polygons: &[Polygon]) -> Result<String, serde_json::Error> {
    let rings: Vec<Vec<&Vec<[f64; 2]>>> =
        polygons.iter().map(|polygon| std::iter::once(&polygon.outer).chain(&polygon.holes).collect()).collect();
    serde_json::to_string(&rings)
}

fn path(points: &[[f64; 2]], digits: usize) -> String {
    let mut path = String::new();
    for (i, [x, y]) in points.iter().enumerate() {
        let _ = write!(path, "{}{x:.digits$} {y:.digits$}", if i == 0 { "M" } else { "L" });
    }
    path
}
