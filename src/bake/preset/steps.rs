//! The values to type at each destination, and the steps to take. `docs/guide/destinations.md` names the pages of the manuals.

use super::landscape::Landscape;
use super::measures::Measures;
use crate::bake::{Format, Plan, Tiles};
use crate::recipe::Destination;
use serde_json::{Value, json};

/// A value to type.
pub(super) struct Fact {
    /// Its name for programs.
    pub key: &'static str,
    /// Its name in the destination's user interface.
    pub what: &'static str,
    pub value: Value,
}

fn fact(key: &'static str, what: &'static str, value: impl Into<Value>) -> Fact {
    Fact { key, what, value: rounded(value.into()) }
}

/// Numbers as people type them.
fn rounded(value: Value) -> Value {
    match value {
        Value::Array(all) => all.into_iter().map(rounded).collect(),
        Value::Number(number) if number.is_f64() => number.as_f64().map_or(Value::Number(number), |x| json!(typed(x, x))),
        value => value,
    }
}

/// A number without rounding noise in its last digits. It keeps twelve significant digits of a number as large as `scale`, finer
/// than any height or place here.
pub(super) fn typed(x: f64, scale: f64) -> f64 {
    let largest = x.abs().max(scale.abs());
    if !(largest > 0.0 && largest.is_finite()) {
        return x;
    }
    let decimals = (11.0 - libm::log10(largest).floor()).clamp(0.0, 300.0) as usize;
    // Adding 0 drops the sign of −0.
    format!("{x:.decimals$}").parse::<f64>().unwrap_or(x) + 0.0
}

/// A program that does the whole import.
pub(super) fn program(destination: Destination) -> Option<&'static str> {
    (destination == Destination::Blender).then_some(include_str!("import.py"))
}

/// The values to type, and the steps in order.
pub(super) fn facts_and_steps(of: &Measures<'_>) -> (Vec<Fact>, Vec<String>) {
    let (facts, mut steps) = match of.preset.destination {
        Destination::Unreal => unreal(of),
        Destination::UnrealComposition => composition(of),
        Destination::Unity => unity(of),
        Destination::Terrain3d => terrain3d(of),
        Destination::Hterrain => hterrain(of),
        Destination::Godot => godot(of),
        Destination::Blender => blender(of),
        Destination::Houdini => houdini(of),
        Destination::Raw => raw(of),
    };
    if of.products.len() > 1 {
        steps.push(beside(of.preset.destination).to_owned());
    }
    (facts, steps)
}

/// The import of the layers other than heights.
fn beside(destination: Destination) -> &'static str {
    match destination {
        Destination::Unreal | Destination::UnrealComposition => {
            "Layers of one channel are weight maps: give each to a target layer of the landscape's material, a mask of holes to its visibility \
             layer. Weights (several layers in one picture), colours and normals do not belong to a landscape: import them as textures."
        }
        Destination::Unity => {
            "The other layers are not imported with heights: add them as textures. A script gives weights to TerrainData.SetAlphamaps, and a mask \
             of holes to TerrainData.SetHoles, true where it is below a half; the first row of a picture is the largest Z."
        }
        Destination::Terrain3d => {
            "Colours are colour maps, images[2] of the same call. Weights and masks are not taken: control maps have a format of Terrain3D's own. \
             Read them in a script that paints, a mask of holes with Terrain3DData.set_control_hole."
        }
        Destination::Hterrain => {
            "Weights are a splat map and colours the colour map, in the same dialogue; where the alpha of colours is 0, there is a hole."
        }
        Destination::Godot => "The other layers are textures for the shader.",
        Destination::Blender => {
            "import.py loads the other layers as images; use them in materials, in colour space Non-Color except for colours."
        }
        Destination::Houdini => "The other layers: a HeightField File each, Type Mask, then HeightField Layer with the layer's name.",
        Destination::Raw => "The other layers have files of the same kind.",
    }
}

/// The scale and location of an Unreal landscape, in centimetres: a word is 1/128 cm times Z scale, counted from 32768.
fn scale(of: &Measures<'_>) -> Vec<Fact> {
    let step = of.height_step();
    let [x, y] = of.origin().map(|metres| metres * 100.0);
    // A difference of numbers that may be much larger than itself.
    let z = typed((of.range[0] + 32768.0 * step) * 100.0, of.range[0] * 100.0);
    vec![
        fact("scale", "Scale X, Y, Z", json!([of.step * 100.0, of.step * 100.0, step * 128.0 * 100.0])),
        fact("location", "Location X, Y, Z", json!([x, y, z])),
    ]
}

fn components(plan: &Plan) -> Vec<Fact> {
    let Some(cut) = Landscape::of(plan) else { return Vec::new() };
    let (section, sections) = (cut.section, cut.sections);
    vec![
        fact("section_size", "Section Size", format!("{section}x{section} Quads")),
        fact("sections", "Sections Per Component", format!("{sections}x{sections}")),
        fact("components", "Number of Components", json!(cut.components)),
        fact("resolution", "Overall Resolution", json!(cut.samples())),
    ]
}

fn unreal(of: &Measures<'_>) -> (Vec<Fact>, Vec<String>) {
    let plan = &of.preset.plan;
    let facts = scale(of).into_iter().chain(components(plan)).chain([fact("samples", "Samples in all files", json!(plan.samples()))]);
    let steps = vec![
        format!("Landscape mode, Manage, New, Import from File: choose any of `{}`, and Yes to a tiled image.", of.files()),
        "Flip Y Axis stays off: Y grows from row to row and from tile to tile.".to_owned(),
        "Type scale, location, section size and components as above. Unreal fills the part of a landscape beyond the files, at its far edges."
            .to_owned(),
        "Heights in metres: (word − 32768) / 128 · Scale Z / 100 + Location Z / 100.".to_owned(),
    ];
    (facts.collect(), steps)
}

fn composition(of: &Measures<'_>) -> (Vec<Fact>, Vec<String>) {
    let plan = &of.preset.plan;
    let one = Plan { tiles: Tiles { x: 0..1, y: 0..1 }, ..plan.clone() };
    let facts = scale(of).into_iter().chain(components(&one)).chain([fact("flip_tile_y", "Flip Tile Y Coordinate", false)]);
    let steps = vec![
        "World Settings: Enable World Composition. Levels window, Levels, Import Tiled Landscape: choose all files of the heights.".to_owned(),
        "Take the tick off Flip Tile Y Coordinate, which is there at first: row numbers grow with Y here, as rows do in each file.".to_owned(),
        "Type the scale as above; the configuration of a tile is the section size and components. A row and a column of each tile are the next one's."
            .to_owned(),
    ];
    (facts.collect(), steps)
}

fn unity(of: &Measures<'_>) -> (Vec<Fact>, Vec<String>) {
    // The importer divides words by 65536, so its height is that of the word 65536.
    let height = (of.range[1] - of.range[0]) * (65536.0 / 65535.0);
    let tile = of.tile;
    let facts = vec![
        fact("depth", "Depth", "Bit 16"),
        fact("resolution", "Resolution", of.edge),
        fact("byte_order", "Byte Order", "Windows"),
        fact("flip_vertically", "Flip Vertically", false),
        fact("terrain_size", "Terrain Size X, Y, Z", json!([tile, height, tile])),
        fact("position_y", "Position Y of every terrain", of.range[0]),
    ];
    let steps = vec![
        "A terrain for each tile. Terrain Settings, Texture Resolutions, Import Raw: choose its file and type the values above.".to_owned(),
        format!(
            "The terrain of tile x, y stands at X = x · {tile}, Z = −(y + 1) · {tile}. Z is −y of the world, so the view from above is that of the overview."
        ),
        "Neighbours have the same heights along their edges; Set Neighbors, or a common Grouping ID with Auto Connect, joins them."
            .to_owned(),
    ];
    (facts, steps)
}

fn terrain3d(of: &Measures<'_>) -> (Vec<Fact>, Vec<String>) {
    let mut facts = vec![
        fact("region_size", "region_size", of.preset.plan.tile),
        fact("vertex_spacing", "vertex_spacing", of.step),
        fact("offset", "offset", 0.0),
        fact("scale", "scale", 1.0),
    ];
    let file = of.files();
    let load = if of.heights() == Format::R16 {
        facts.push(fact("r16_range", "r16_height_range", json!(of.range)));
        facts.push(fact("r16_size", "r16_size", json!([of.edge, of.edge])));
        let ([lo, hi], edge) = (of.range, of.edge);
        format!("Terrain3DUtil.load_image(\"{file}\", ResourceLoader.CACHE_MODE_IGNORE, Vector2({lo}, {hi}), Vector2i({edge}, {edge}))")
    } else {
        format!("Terrain3DUtil.load_image(\"{file}\")")
    };
    let steps = vec![
        "Set region_size and vertex_spacing of the Terrain3D node.".to_owned(),
        format!("For each tile x, y: `terrain.data.import_images([{load}, null, null], Vector3(x * {0}, 0, y * {0}), 0.0, 1.0)`.", of.tile),
        "Heights arrive in metres: neither offset nor scale is needed. X is x and Z is y of the world.".to_owned(),
    ];
    (facts, steps)
}

fn hterrain(of: &Measures<'_>) -> (Vec<Fact>, Vec<String>) {
    let mut facts = vec![fact("resolution", "Resolution", of.edge), fact("map_scale", "map_scale", json!([of.step, 1.0, of.step]))];
    if of.heights().is_integer() {
        facts.push(fact("raw_endianess", "Raw Endianess", "Little Endian"));
        facts.push(fact("min_height", "Min Height", of.range[0]));
        facts.push(fact("max_height", "Max Height", of.range[1]));
    }
    let steps = vec![
        "An HTerrain node for each tile, with a data folder of its own. Terrain, Import maps: choose its file and type the values above."
            .to_owned(),
        format!("The node of tile x, y stands at Vector3(x * {0}, 0, y * {0}), with centered off.", of.tile),
    ];
    (facts, steps)
}

fn godot(of: &Measures<'_>) -> (Vec<Fact>, Vec<String>) {
    let half = f64::from(of.edge - 1) / 2.0;
    let facts = vec![
        fact("height_scale", "Height scale", 1.0),
        fact("map_size", "map_width, map_depth", json!([of.edge, of.edge])),
        fact("collision_scale", "Scale of the CollisionShape3D", json!([of.step, 1.0, of.step])),
        fact("centre", "Middle of tile 0, 0", json!([half * of.step, 0.0, half * of.step])),
    ];
    let steps = vec![
        "Import dock: Import As Image, or Texture2D with Compress Mode Lossless for a shader. Values are metres: in a shader VERTEX.y is the red channel."
            .to_owned(),
        "For a HeightMapShape3D: `image.convert(Image.FORMAT_RF)`, set map_width and map_depth, then `shape.map_data = image.get_data().to_float32_array()`. \
         (update_map_data_from_image expects values from 0 to 1.)"
            .to_owned(),
        format!("A shape is centred on its node's origin, with a unit between samples. Scale it as above, and shift the shape of tile x, y by x * {0}, y * {0} from the middle of tile 0, 0.", of.tile),
    ];
    (facts, steps)
}

fn blender(of: &Measures<'_>) -> (Vec<Fact>, Vec<String>) {
    let size = f64::from(of.edge - 1) * of.step;
    let facts = vec![
        fact("strength", "Displace: Strength", 1.0),
        fact("mid_level", "Displace: Midlevel", 0.0),
        fact("size", "Size of a tile's grid", json!([size, size])),
        fact("subdivisions", "Grid: X and Y Subdivisions", of.edge - 1),
    ];
    let steps = vec![
        "`blender --python import.py`, or open import.py in the Text Editor and run it: a mesh for each tile, a vertex for each sample."
            .to_owned(),
        "By hand, for a tile: a grid of the size above, an image texture of its file (Color Space Non-Color, Clamp off), and Displace along Z with the values above."
            .to_owned(),
        "Z is up, and Y is −y of the world, so the view from above is that of the overview.".to_owned(),
    ];
    (facts, steps)
}

fn houdini(of: &Measures<'_>) -> (Vec<Fact>, Vec<String>) {
    let facts = vec![
        fact("size_method", "Size Method", "Grid Spacing"),
        fact("grid_spacing", "Grid Spacing", of.step),
        fact("height_scale", "Height Scale", 1.0),
        fact("tile_distance", "From tile to tile", of.tile),
    ];
    let mut steps = vec![
        "A HeightField File for each tile, Type Height, Channel Y, with the values above; Clamp Minimum and Clamp Maximum off.".to_owned(),
        format!("The tile x, y begins at x · {0}, y · {0} metres; HeightField Tile Splice joins several.", of.tile),
    ];
    if of.heights() == Format::R32 {
        steps[0] = format!(
            "A Python SOP reads each file: {0} by {0} 32-bit floats, little endian, x fastest (`numpy.fromfile(file, '<f4').reshape({0}, {0})`), into a \
             volume named height.",
            of.edge
        );
    }
    (facts, steps)
}

fn raw(of: &Measures<'_>) -> (Vec<Fact>, Vec<String>) {
    let facts = vec![
        fact("type", "Type", "32-bit float"),
        fact("byte_order", "Byte order", "little endian"),
        fact("size", "Samples along x and y", json!([of.edge, of.edge])),
    ];
    (facts, vec!["The JSON file next to each file holds the same facts.".to_owned()])
}
