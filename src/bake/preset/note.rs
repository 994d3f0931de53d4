//! Notes for a bake's destination: a page for readers, the same facts for programs, and for Blender a program that imports.

use super::Preset;
use super::measures::Measures;
use super::steps::{self, Fact, typed};
use crate::bake::names::{NOTE_MARK, NOTES};
use crate::bake::{Green, NoteFile, Product, RangeRecord, Tiles};
use serde_json::{Value, json};

/// The notes of a bake.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    files: Vec<NoteFile>,
}

impl Note {
    /// The notes of a bake of these products, heights first.
    pub fn new(preset: &Preset, products: &[Product]) -> Note {
        let plan = &preset.plan;
        let step = libm::ldexp(plan.spacing, plan.level as i32);
        let first = products.first().filter(|product| product.format.is_integer()).and_then(|product| product.range);
        let range = first.map_or([0.0, 1.0], |range| [range.lo, range.hi]);
        let tile = step * f64::from(plan.tile);
        let measures = Measures { preset, products, step, tile: typed(tile, tile), edge: plan.tile + plan.overlap, range };
        let (facts, steps) = steps::facts_and_steps(&measures);
        let mut files = vec![(NOTES[0], page(&measures, &facts, &steps)), (NOTES[1], record(&measures, &facts))];
        files.extend(steps::program(preset.destination).map(|program| (NOTES[2], program.to_owned())));
        Note { files }
    }

    /// The names and texts of the notes.
    pub fn files(&self) -> &[NoteFile] {
        &self.files
    }
}

/// `IMPORT.md`.
fn page(of: &Measures<'_>, facts: &[Fact], steps: &[String]) -> String {
    let Measures { preset, products, step, tile, edge, .. } = of;
    let Tiles { x, y } = &preset.plan.tiles;
    let size = [x, y].map(|of| of.end.abs_diff(of.start) as f64 * tile);
    let mut page = format!("# Import into {}\n\nWritten by `{NOTE_MARK}`. A world unit is taken for a metre.\n\n", preset.destination);
    page += "| what to type | value |\n|---|---|\n";
    for Fact { what, value, .. } in facts {
        page += &format!("| {what} | {} |\n", shown(value));
    }
    page += "\n";
    for (i, step) in steps.iter().enumerate() {
        page += &format!("{}. {step}\n", i + 1);
    }
    page += &format!(
        "\n## The world\n\nTiles {}: {} by {} m. A file has {edge} by {edge} samples, {step} m apart; tiles are {tile} m apart{}.\n",
        preset.plan.tiles,
        size[0],
        size[1],
        match preset.plan.overlap {
            0 => String::new(),
            1 => " and share a row and a column with the next".to_owned(),
            many => format!(" and share {many} rows and columns with the next"),
        },
    );
    page += "\n| layer | files | what they hold |\n|---|---|---|\n";
    for (k, product) in products.iter().enumerate() {
        page += &format!("| {} | `{}` | {} |\n", product.layer.replace('|', "\\|"), preset.layout.pattern(product, k), held(of, product));
    }
    page
}

/// The content of a product's files, in words.
fn held(of: &Measures<'_>, product: &Product) -> String {
    let order = if product.format.has_sidecar() { ", little endian, without a header" } else { "" };
    let rows = if of.preset.layout.turns(product.format) { "the first row has the largest y" } else { "the first row has the smallest y" };
    if product.format.is_weights() {
        let channels = ["red", "green", "blue", "alpha"].into_iter().zip(product.parts());
        let channels: Vec<String> = channels.map(|(channel, part)| format!("{channel} {part}")).collect();
        return format!("weights that add up to 255: {}; {rows}", channels.join(", "));
    }
    let green = match of.preset.layout.green {
        Green::Up => "up, to smaller y (OpenGL)",
        Green::Down => "down, to larger y (DirectX)",
    };
    let numbers = match (product.format.largest_step(), product.range) {
        (Some(largest), Some(RangeRecord { lo, hi, .. })) => {
            let [lo, hi] = [typed(lo, hi - lo), typed(hi, hi - lo)];
            format!("0 stands for {lo}, {largest} for {hi}{order}")
        }
        (Some(_), None) => format!("colours in sRGB with opacity, or normals from −1 to 1, whose green points {green}"),
        (None, _) => format!("32-bit floats as they are{order}"),
    };
    format!("{numbers}; {rows}")
}

/// `import.json`.
fn record(of: &Measures<'_>, facts: &[Fact]) -> String {
    let Measures { preset, products, step, edge, .. } = of;
    let plan = &preset.plan;
    let layers = products.iter().enumerate().map(|(k, product)| {
        json!({
            "layer": product.layer, "format": product.format.name(), "files": preset.layout.pattern(product, k),
            "range": product.range.filter(|_| product.format.is_integer()).map(|range| [range.lo, range.hi]),
            "first_row": if preset.layout.turns(product.format) { "largest y" } else { "smallest y" },
            "byte_order": product.format.has_sidecar().then_some("little"),
            "weights": product.format.is_weights().then(|| product.parts().collect::<Vec<_>>()),
        })
    });
    let values: serde_json::Map<String, Value> = facts.iter().map(|fact| (fact.key.to_owned(), fact.value.clone())).collect();
    let record = json!({
        "written_by": NOTE_MARK, "orogen": env!("CARGO_PKG_VERSION"), "for": preset.destination.name(),
        "tiles": { "x": [plan.tiles.x.start, plan.tiles.x.end], "y": [plan.tiles.y.start, plan.tiles.y.end] },
        "tile": plan.tile, "overlap": plan.overlap, "samples": edge, "step": step,
        "green_of_normals": if preset.layout.green == Green::Up { "up" } else { "down" }, "layers": layers.collect::<Vec<_>>(), "values": values,
    });
    format!("{record:#}\n")
}

/// A value as it is typed.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(all) => all.iter().map(shown).collect::<Vec<_>>().join(", "),
        value => value.as_f64().map_or_else(|| value.to_string(), |number| number.to_string()),
    }
}
