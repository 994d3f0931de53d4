//! `FastNoiseLite` resources of Godot 4, in resource files (`.tres`) and scenes (`.tscn`).
//!
//! Both are sections with headers in brackets, followed by lines `name = value`. Godot omits values that equal the default. Its
//! class contains the C++ source of FastNoiseLite, once for the noise and once for the warp, with the same seed.

use super::Imported;
use orogen::Noise;
use orogen::node::{
    FastnoiseDistance, FastnoiseFractal, FastnoiseLite, FastnoiseReturn, FastnoiseType, FastnoiseWarp, FastnoiseWarpFractal, Transform,
};
use std::collections::BTreeMap;

/// The name of the resource of a resource file.
const MAIN: &str = "resource";
/// The textures that show a noise. Their settings have no equivalent.
const TEXTURES: [&str; 2] = ["NoiseTexture2D", "NoiseTexture3D"];

/// A section: its tag, its attributes, and its properties with the text of their values.
#[derive(Debug, Default)]
struct Section {
    tag: String,
    attributes: BTreeMap<String, String>,
    properties: Vec<(String, String)>,
}

/// A noise of a file.
pub struct GodotNoise {
    /// The id of its section, or [`MAIN`].
    pub name: String,
    properties: Vec<(String, String)>,
    /// Warnings about textures that show it.
    textures: Vec<String>,
}

/// The noises of a file.
///
/// # Errors
/// Returns a message if the file is not of Godot.
pub fn noises(text: &str) -> Result<Vec<GodotNoise>, String> {
    let sections = sections(text)?;
    let Some(first) = sections.first().filter(|first| matches!(first.tag.as_str(), "gd_resource" | "gd_scene")) else {
        return Err("not a text file of Godot: it begins with [gd_resource ...] or [gd_scene ...]".to_owned());
    };
    let main = first.attributes.get("type").cloned().unwrap_or_default();
    let kind = |section: &Section| match section.tag.as_str() {
        "resource" => main.clone(),
        "sub_resource" => section.attributes.get("type").cloned().unwrap_or_default(),
        _ => String::new(),
    };
    let id = |section: &Section| section.attributes.get("id").cloned().unwrap_or_else(|| MAIN.to_owned());
    let mut all = Vec::new();
    for section in sections.iter().filter(|section| kind(section) == "FastNoiseLite") {
        let name = id(section);
        let reference = format!("SubResource(\"{name}\")");
        let shows = |texture: &&Section| texture.properties.iter().any(|(property, value)| property == "noise" && *value == reference);
        let textures = sections.iter().filter(|texture| TEXTURES.contains(&kind(texture).as_str())).filter(shows);
        let settings = textures.flat_map(|texture| {
            let settings = texture.properties.iter().filter(|(property, _)| property != "noise");
            settings.map(|(property, value)| format!("{} '{}': {property} = {} is not imported", kind(texture), id(texture), short(value)))
        });
        all.push(GodotNoise { textures: settings.collect(), properties: section.properties.clone(), name });
    }
    Ok(all)
}

/// A value as a message shows it.
fn short(value: &str) -> String {
    let line: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).take(60).collect();
    if line.len() < value.len() { format!("{line}...") } else { line }
}

/// The sections of a file.
fn sections(text: &str) -> Result<Vec<Section>, String> {
    let mut all: Vec<Section> = Vec::new();
    let mut lines = text.trim_start_matches('\u{feff}').lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let line = line.trim();
        if line.is_empty() || line.starts_with(';') {
            continue;
        }
        // Strings, lists and dictionaries may continue on further lines.
        let mut whole = line.to_owned();
        let mut open = Open::default();
        open.read(line);
        while open.continues() {
            let Some((_, next)) = lines.next() else { return Err(format!("line {}: a value does not end", number + 1)) };
            whole.push('\n');
            whole.push_str(next);
            open.read("\n");
            open.read(next);
        }
        if let Some(header) = whole.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            all.push(header_of(header));
        } else if let (Some((name, value)), Some(section)) = (whole.split_once('='), all.last_mut()) {
            section.properties.push((name.trim().to_owned(), value.trim().to_owned()));
        } else {
            return Err(format!("line {}: neither a section nor a property", number + 1));
        }
    }
    Ok(all)
}

/// Brackets and quotes that are open.
#[derive(Default)]
struct Open {
    depth: usize,
    quoted: bool,
    escaped: bool,
}

impl Open {
    fn read(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                _ if self.escaped => self.escaped = false,
                '\\' if self.quoted => self.escaped = true,
                '"' => self.quoted = !self.quoted,
                _ if self.quoted => (),
                '[' | '{' | '(' => self.depth += 1,
                ']' | '}' | ')' => self.depth = self.depth.saturating_sub(1),
                _ => (),
            }
        }
    }

    fn continues(&self) -> bool {
        self.quoted || self.depth > 0
    }
}

/// The section of a header: its tag, then `name="value"` or `name=value`.
fn header_of(header: &str) -> Section {
    let (tag, mut rest) = header.trim().split_once(char::is_whitespace).unwrap_or((header.trim(), ""));
    let mut attributes = BTreeMap::new();
    while let Some((name, after)) = rest.split_once('=') {
        let value = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"'),
            None => Some(after.split_once(char::is_whitespace).unwrap_or((after, ""))),
        };
        let Some((value, next)) = value else { break };
        attributes.insert(name.trim().to_owned(), value.to_owned());
        rest = next;
    }
    Section { tag: tag.to_owned(), attributes, properties: Vec::new() }
}

/// The variant with an index.
fn indexed<T: Copy>(property: &str, value: &str, all: &[T]) -> Result<T, String> {
    let index = value.parse::<usize>().ok().and_then(|index| all.get(index).copied());
    index.ok_or_else(|| refused(property, value, &format!("0 to {}", all.len() - 1)))
}

/// A finite number.
fn number(property: &str, value: &str) -> Result<f64, String> {
    value.parse::<f64>().ok().filter(|x| x.is_finite()).ok_or_else(|| refused(property, value, "a number"))
}

/// A count.
fn count(property: &str, value: &str) -> Result<u32, String> {
    value.parse().map_err(|_| refused(property, value, "a whole number from 1 on"))
}

fn refused(property: &str, value: &str, allowed: &str) -> String {
    format!("{property} = {} is not allowed; allowed: {allowed}", short(value))
}

/// Three numbers.
fn vector(property: &str, value: &str) -> Result<[f64; 3], String> {
    let inner = value.strip_prefix("Vector3(").and_then(|rest| rest.strip_suffix(')'));
    let parts: Option<Vec<f64>> = inner.and_then(|inner| inner.split(',').map(|part| number(property, part.trim()).ok()).collect());
    parts.and_then(|parts| parts.try_into().ok()).ok_or_else(|| refused(property, value, "Vector3(x, y, z)"))
}

impl GodotNoise {
    /// The noise in 2D (`get_noise_2d`) or 3D.
    ///
    /// # Errors
    /// Returns a message that names a property and its value.
    pub fn import(&self, dimensions: u32) -> Result<Imported, String> {
        use FastnoiseWarp::{BasicGrid, OpenSimplex2, OpenSimplex2Reduced};
        let mut of = FastnoiseLite {
            dimensions,
            noise: FastnoiseType::OpenSimplex2s,
            fractal: FastnoiseFractal::Fbm,
            octaves: 5,
            seed: 0,
            distance: FastnoiseDistance::Euclidean,
            warp_seed: 0,
            warp_amplitude: 30.0,
            warp_frequency: 0.05,
            warp_fractal: FastnoiseWarpFractal::Progressive,
            warp_octaves: 5,
            warp_lacunarity: 6.0,
            ..Default::default()
        };
        let (mut warp, mut warps, mut offset) = (OpenSimplex2, false, [0.0; 3]);
        let mut warnings = self.textures.clone();
        for (property, value) in &self.properties {
            let number = || number(property, value);
            let count = || count(property, value);
            match property.as_str() {
                "noise_type" => of.noise = indexed(property, value, FastnoiseType::ALL)?,
                "seed" => {
                    let seed = value.parse::<i32>().map_err(|_| refused(property, value, "-2147483648 to 2147483647"))?;
                    of.warp_seed = seed.cast_unsigned();
                    of.seed = u64::from(of.warp_seed);
                }
                "frequency" => of.frequency = number()?,
                "offset" => offset = vector(property, value)?,
                "fractal_type" => of.fractal = indexed(property, value, FastnoiseFractal::ALL)?,
                "fractal_octaves" => of.octaves = count()?,
                "fractal_lacunarity" => of.lacunarity = number()?,
                "fractal_gain" => of.gain = number()?,
                "fractal_weighted_strength" => of.weighted_strength = number()?,
                "fractal_ping_pong_strength" => of.ping_pong_strength = number()?,
                "cellular_distance_function" => of.distance = indexed(property, value, FastnoiseDistance::ALL)?,
                "cellular_jitter" => of.jitter = number()?,
                "cellular_return_type" => of.cellular_return = indexed(property, value, FastnoiseReturn::ALL)?,
                "domain_warp_enabled" => warps = value == "true",
                "domain_warp_type" => warp = indexed(property, value, &[OpenSimplex2, OpenSimplex2Reduced, BasicGrid])?,
                "domain_warp_amplitude" => of.warp_amplitude = number()?,
                "domain_warp_frequency" => of.warp_frequency = number()?,
                "domain_warp_fractal_type" => of.warp_fractal = indexed(property, value, FastnoiseWarpFractal::ALL)?,
                "domain_warp_fractal_octaves" => of.warp_octaves = count()?,
                "domain_warp_fractal_lacunarity" => of.warp_lacunarity = number()?,
                "domain_warp_fractal_gain" => of.warp_gain = number()?,
                _ => warnings.push(format!("'{}': {property} = {} is not imported", self.name, short(value))),
            }
        }
        if warps {
            of.warp = warp;
        }
        let noise = Noise::fastnoise_lite(of).named("noise");
        let moved = offset.iter().any(|x| *x != 0.0);
        let noise = if moved { noise.transform(Transform { offset, ..Default::default() }) } else { noise };
        Ok(Imported { noise, warnings })
    }
}
