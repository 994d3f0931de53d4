//! Colours: ramps as tables, of stops and maps, in the space in which they are mixed; light, and colours over colours.

use crate::params::Input;
use crate::schedule::PlaneId;
use crate::schedule::lower::{Lowering, Outputs, ScheduleError, flag};
use crate::schedule::pass::{self, Blend, Multiply};
use crate::stage::{Colour, ColourMap, ColourSpace, ColourStop, StageError};
use colorgrad::Gradient;
use std::sync::Arc;

/// Entries that a map is sampled at: between two of them, a straight line is off by less than a step of eight bits.
const ENTRIES: u32 = 64;

fn linear(srgb: f64) -> f64 {
    if srgb <= 0.040_45 { srgb / 12.92 } else { libm::pow((srgb + 0.055) / 1.055, 2.4) }
}

/// Linear light as OKLab (Ottosson 2020).
fn oklab([r, g, b]: [f64; 3]) -> [f64; 3] {
    let l = libm::cbrt(0.412_221_470_8 * r + 0.536_332_536_3 * g + 0.051_445_992_9 * b);
    let m = libm::cbrt(0.211_903_498_2 * r + 0.680_699_545_1 * g + 0.107_396_956_6 * b);
    let s = libm::cbrt(0.088_302_461_9 * r + 0.281_718_837_6 * g + 0.629_978_700_5 * b);
    [
        0.210_454_255_3 * l + 0.793_617_785_0 * m - 0.004_072_046_8 * s,
        1.977_998_495_1 * l - 2.428_592_205_0 * m + 0.450_593_709_9 * s,
        0.025_904_037_1 * l + 0.782_771_766_2 * m - 0.808_675_766_0 * s,
    ]
}

/// A map's colour from 0 to 1, in sRGB. Maps are opaque; the splines through their colours give an opacity that is off by rounding.
fn of_map(map: ColourMap, t: f32) -> [f64; 4] {
    use colorgrad::preset;
    let colour = match map {
        ColourMap::Viridis => preset::viridis().at(t),
        ColourMap::Magma => preset::magma().at(t),
        ColourMap::Inferno => preset::inferno().at(t),
        ColourMap::Plasma => preset::plasma().at(t),
        ColourMap::Cividis => preset::cividis().at(t),
        ColourMap::Turbo => preset::turbo().at(t),
        ColourMap::Cubehelix => preset::cubehelix_default().at(t),
        ColourMap::Spectral => preset::spectral().at(t),
        ColourMap::Rdbu => preset::rd_bu().at(t),
        ColourMap::Greys => preset::greys().at(t),
        ColourMap::Blues => preset::blues().at(t),
        ColourMap::Greens => preset::greens().at(t),
    };
    [colour.r, colour.g, colour.b, 1.0].map(f64::from)
}

/// How many stops, and the table of the pass.
fn ramp(name: &str, colour: &Colour) -> Result<(usize, Vec<f64>), ScheduleError> {
    let stops: Vec<(f64, [f64; 4])> = match colour.map {
        Some(map) => {
            let share = |i: u32| f64::from(i) / f64::from(ENTRIES - 1);
            let at = |t: f64| colour.range[0] + t * (colour.range[1] - colour.range[0]);
            (0..ENTRIES).map(|i| (at(share(i)), of_map(map, share(i) as f32))).collect()
        }
        None => {
            let wrong = |stop: &ColourStop| {
                StageError::parameter(name, "stops", format!("{:?}", stop.colour), "colours as \"#RRGGBB\" or \"#RRGGBBAA\"")
            };
            let stops = colour.stops.iter().map(|stop| Ok((stop.at, stop.srgb().ok_or_else(|| wrong(stop))?)));
            stops.collect::<Result<_, StageError>>()?
        }
    };
    let lab = colour.space == ColourSpace::Oklab;
    let mut table = Vec::with_capacity(stops.len() * 6);
    for (i, &(at, [r, g, b, opacity])) in stops.iter().enumerate() {
        let rgb = [r, g, b].map(linear);
        let next = stops.get(i + 1).map_or(at, |next| next.0);
        table.push(at);
        table.extend(if lab { oklab(rgb) } else { rgb });
        table.extend([opacity, if next > at { 1.0 / (next - at) } else { 0.0 }]);
    }
    Ok((stops.len(), table))
}

impl Lowering<'_> {
    pub fn colour(&mut self, name: &str, n: &Colour) -> Result<Outputs, ScheduleError> {
        let value = self.plane(name, "by", &n.by)?;
        let (stops, table) = ramp(name, n)?;
        let ramp = pass::Colour { value, stops: stops as f64, oklab: flag(n.space == ColourSpace::Oklab), table: Arc::new(table) };
        let mut colour: [PlaneId; 4] = self.run(ramp).into();
        if n.light != Input::Value(1.0) {
            let b = self.plane(name, "light", &n.light)?;
            for channel in &mut colour[..3] {
                *channel = self.run(Multiply { a: *channel, b }).value;
            }
        }
        if let Input::Node(under) = &n.under {
            let under = self.named(name, "under", under)?;
            let mask = self.plane(name, "mask", &n.mask)?;
            for (channel, under) in colour.iter_mut().zip(under) {
                *channel = self.run(Blend { a: under, b: *channel, mask }).value;
            }
        }
        Ok(vec![colour.to_vec()])
    }
}
