//! Noises as compute shaders for textures on the page's own device, for `orogen/webgpu`.

use crate::{raised, read, refused};
use js_sys::Function;
use orogen::Region;
use orogen::export::{PlaneShader, Table};
use orogen::texture::Content;
use orogen::wgpu::TextureFormat;
use wasm_bindgen::prelude::*;

/// The formats of textures, and what they hold.
const FORMATS: [(&str, TextureFormat, Content); 3] = [
    ("r32float", TextureFormat::R32Float, Content::Value),
    ("rgba32float", TextureFormat::Rgba32Float, Content::Jet),
    ("rgba16float", TextureFormat::Rgba16Float, Content::Jet),
];

/// A noise as a compute shader that writes planes into textures.
#[wasm_bindgen]
pub struct Plane(PlaneShader);

#[wasm_bindgen]
impl Plane {
    /// Writes the shader of a noise. The noise is JSON; `bytes` returns the bytes of a file of heights that it names.
    #[wasm_bindgen(constructor)]
    pub fn new(noise: &str, bytes: &Function, format: &str) -> Result<Plane, JsError> {
        let found = FORMATS.into_iter().find(|(name, ..)| *name == format);
        let (_, format, content) = found.ok_or_else(|| refused("format", format, &FORMATS.map(|(name, ..)| name).join(", ")))?;
        PlaneShader::new(&read(noise, bytes)?, content, format).map(Plane).map_err(raised)
    }

    /// The shader as WGSL, with the entry point `main`.
    pub fn text(&self) -> String {
        self.0.text().to_owned()
    }

    /// The bindings of group 0, three numbers each: its number, 1 for uniform buffers or 0, its smallest size in bytes.
    pub fn bindings(&self) -> Vec<u32> {
        self.0.bindings().iter().flat_map(|known| [known.binding, u32::from(known.uniform), known.size as u32]).collect()
    }

    /// Numbers of workgroups along x and y for a plane of this size.
    pub fn groups(&self, width: u32, height: u32) -> Vec<u32> {
        self.0.groups([width, height]).to_vec()
    }

    /// Takes the numbers of a noise of the same shape; returns false for a noise of another one.
    pub fn renew(&mut self, noise: &str, bytes: &Function) -> Result<bool, JsError> {
        self.0.renew(&read(noise, bytes)?).map_err(raised)
    }

    /// The contents of buffers for a region, except those of rasters: of each its binding, the number of its words, and these. The
    /// region is eleven numbers: origin, size, level, spacing, anchor.
    pub fn tables(&self, region: &[f64]) -> Result<Vec<u32>, JsError> {
        Ok(packed(&self.0.tables(&plane(region)?).map_err(raised)?))
    }

    /// The contents of the buffer of rasters, in the form of [`tables`](Self::tables); empty if the noise reads no raster.
    pub fn rasters(&self) -> Vec<u32> {
        packed(self.0.rasters().as_slice())
    }
}

fn packed(tables: &[Table]) -> Vec<u32> {
    tables.iter().flat_map(|table| [table.binding, table.words.len() as u32].into_iter().chain(table.words.iter().copied())).collect()
}

/// The largest whole number up to which f64 holds every whole number.
const WHOLE: f64 = 9_007_199_254_740_992.0;

fn plane(numbers: &[f64]) -> Result<Region, JsError> {
    let &[x, y, z, width, height, depth, level, spacing, a, b, c] = numbers else {
        return Err(refused("region: numbers", &numbers.len().to_string(), "11"));
    };
    let whole = |what: &str, value: f64, low: f64, high: f64| match value.fract() == 0.0 && (low..=high).contains(&value) {
        true => Ok(value),
        false => Err(refused(&format!("region: {what}"), &value.to_string(), &format!("whole numbers from {low} to {high}"))),
    };
    let index = |axis, value| whole(axis, value, -WHOLE, WHOLE).map(|value| value as i64);
    let count = |what, value| whole(what, value, 0.0, f64::from(u32::MAX)).map(|value| value as u32);
    Ok(Region {
        origin: [index("x", x)?, index("y", y)?, index("z", z)?],
        size: [count("width", width)?, count("height", height)?, count("depth", depth)?],
        level: count("level", level)?,
        spacing,
        anchor: [a, b, c],
    })
}
