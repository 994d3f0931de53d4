//! Places of several kinds as text: tables, GeoJSON, and lists of instances for engines.

use crate::params::choice;
use crate::scatter::{Place, PlaceRules};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::fmt::Write;

choice! {
    /// A form in which places of several kinds are written.
    PlaceList {
        /// A table: [`PlaceRules::csv`].
        #[default]
        Csv = "csv",
        /// Points of a map: [`PlaceRules::geojson`].
        Geojson = "geojson",
        /// A data table for Unreal Engine: [`PlaceRules::unreal`].
        Unreal = "unreal",
        /// JSON for Unity: [`PlaceRules::unity`].
        Unity = "unity",
        /// JSON for Godot: [`PlaceRules::godot`].
        Godot = "godot",
    }
}

impl PlaceList {
    /// The ending of its file's name.
    pub const fn ending(self) -> &'static str {
        match self {
            PlaceList::Csv | PlaceList::Unreal => "csv",
            PlaceList::Geojson => "geojson",
            PlaceList::Unity | PlaceList::Godot => "json",
        }
    }
}

impl PlaceRules {
    /// Places in one of the forms.
    pub fn list(&self, places: &[Place], list: PlaceList) -> String {
        match list {
            PlaceList::Csv => self.csv(places),
            PlaceList::Geojson => self.geojson(places),
            PlaceList::Unreal => self.unreal(places),
            PlaceList::Unity => self.unity(places),
            PlaceList::Godot => self.godot(places),
        }
    }

    fn name(&self, place: &Place) -> &str {
        self.kinds.get_index(place.kind).map_or("", |(name, _)| name.as_str())
    }

    /// One line for each place: `kind,id,x,y,height,rotation,scale`, after a line of names. Ids are 16 hexadecimal digits.
    pub fn csv(&self, places: &[Place]) -> String {
        let mut text = "kind,id,x,y,height,rotation,scale\n".to_owned();
        for place in places {
            let Place { id, position: [x, y], height, rotation, scale, .. } = place;
            // Writing to memory cannot fail.
            let _ = writeln!(text, "{},{id:016x},{x},{y},{height},{rotation},{scale}", quoted(self.name(place)));
        }
        text
    }

    /// GeoJSON: a point for each place, with `kind`, `id`, `height`, `rotation` and `scale` as properties.
    pub fn geojson(&self, places: &[Place]) -> String {
        let feature = |place: &Place| {
            let [x, y] = place.position;
            json!({
                "type": "Feature",
                "id": format!("{:016x}", place.id),
                "geometry": { "type": "Point", "coordinates": [x, y, place.height] },
                "properties": { "kind": self.name(place), "rotation": place.rotation, "scale": place.scale },
            })
        };
        json!({ "type": "FeatureCollection", "features": places.iter().map(feature).collect::<Vec<_>>() }).to_string()
    }

    /// A data table for Unreal Engine, in centimetres, x to the east, y to the south, z up. The structure of its rows has a name `Kind`, a
    /// vector `Location`, and numbers `Yaw` (degrees clockwise seen from above) and `Scale`.
    pub fn unreal(&self, places: &[Place]) -> String {
        let mut text = "---,Kind,Location,Yaw,Scale\n".to_owned();
        for place in places {
            let [x, y, z] = [place.position[0], place.position[1], place.height].map(|metres| 100.0 * metres);
            let (id, kind) = (place.id, quoted(self.name(place)));
            let _ = writeln!(text, "{id:016x},{kind},\"(X={x:.3},Y={y:.3},Z={z:.3})\",{:.4},{:.6}", place.rotation, place.scale);
        }
        text
    }

    /// JSON for Unity's `JsonUtility`, in metres, x to the east, y up, z to the north. `rotation` is around y, in degrees.
    pub fn unity(&self, places: &[Place]) -> String {
        let instance = |place: &Place| {
            let [x, y] = place.position;
            let position = json!({ "x": x, "y": place.height, "z": -y });
            self.instance(place, &position, place.rotation)
        };
        json!({ "instances": places.iter().map(instance).collect::<Vec<_>>() }).to_string()
    }

    /// JSON for Godot, in metres, x to the east, y up, z to the south. `rotation` is around y, in radians anticlockwise.
    pub fn godot(&self, places: &[Place]) -> String {
        let instance = |place: &Place| {
            let [x, y] = place.position;
            self.instance(place, &json!([x, place.height, y]), -place.rotation.to_radians())
        };
        json!({ "instances": places.iter().map(instance).collect::<Vec<_>>() }).to_string()
    }

    fn instance(&self, place: &Place, position: &Value, rotation: f64) -> Value {
        let id = format!("{:016x}", place.id);
        json!({ "kind": self.name(place), "id": id, "position": position, "rotation": rotation, "scale": place.scale })
    }
}

/// A field of a table, in quotes if it needs them.
fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}
