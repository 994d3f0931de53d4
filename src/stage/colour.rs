//! Colours: ramps from stops or named maps, mixed in a colour space, shaded, and layered.

use crate::codec::oklab::{linear, oklab};
use crate::interval::Interval;
use crate::params::{ColourStop, Input, OutputInfo, row};
use crate::schedule::PlaneId;
use crate::schedule::pass::{self, Blend, Multiply};
use crate::stage::StageError;
use crate::stage::choices::{ColourMap, ColourSpace};
use crate::stage::kind::StageKind;
use crate::stage::lower::{Outputs, ScheduleError, ScheduleLowering, flag};
use colorgrad::Gradient;
use std::sync::Arc;

row! {
    /// Maps values to colours: four channels with red, green, blue and opacity in linear light.
    Colour -> &[OutputInfo::main(4)], {
        /// The value that selects the colour.
        by: Input;
        /// Colours, each with the value at which it applies, in ascending order. The same value twice makes a hard edge.
        stops: Vec<ColourStop> = Vec::new(), [STOPS];
        /// A named colour map over the values in `range`, instead of stops.
        map: Option<ColourMap> = None;
        /// The values at which `map` begins and ends.
        range: [f64; 2] = [0.0, 1.0], [FINITE], Value;
        /// The colour space in which colours between two stops are mixed.
        space: ColourSpace = ColourSpace::Oklab;
        /// Another colour stage, which lies under this one.
        under: Input = Input::Value(0.0), [channels 4];
        /// Opacity of this stage over the one under it, from 0 to 1.
        mask: Input = Input::Value(1.0);
        /// Factor for the brightness, such as a hillshade.
        light: Input = Input::Value(1.0);
    }
}

/// Number of entries at which a map is sampled. Between two of them, linear interpolation is off by less than one step of 8
/// bits.
const ENTRIES: u32 = 64;

/// A map's colour from 0 to 1, in sRGB. Maps are opaque; the splines through their colours would give an opacity with rounding
/// errors.
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

/// The number of stops, and the table of the pass.
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

/// Inputs that stages of colours share.
pub(super) struct Layering<'a> {
    pub light: &'a Input,
    pub under: &'a Input,
    pub mask: &'a Input,
}

/// Refuses an `under` that is not a stage, and a mask without it.
pub(super) fn check_under(name: &str, under: &Input, mask: &Input) -> Result<(), StageError> {
    let Input::Value(under) = under else { return Ok(()) };
    if *under != 0.0 {
        return Err(StageError::parameter(name, "under", under.to_string(), "the name of a colour stage"));
    }
    if *mask != Input::Value(1.0) {
        return Err(StageError::parameter(name, "mask", "a mask with nothing under it", "a mask together with `under`"));
    }
    Ok(())
}

/// Shades colours, and lays them over those of another stage.
pub(super) fn layered(
    name: &str,
    lowering: &mut ScheduleLowering<'_>,
    mut colour: [PlaneId; 4],
    Layering { light, under, mask }: Layering<'_>,
) -> Result<Outputs, ScheduleError> {
    if *light != Input::Value(1.0) {
        let b = lowering.plane(name, "light", light)?;
        for channel in &mut colour[..3] {
            *channel = lowering.run(Multiply { a: *channel, b }).value;
        }
    }
    if let Input::Node(under) = under {
        let under = lowering.named(name, "under", under)?;
        let mask = lowering.plane(name, "mask", mask)?;
        for (channel, under) in colour.iter_mut().zip(under) {
            *channel = lowering.run(Blend { a: under, b: *channel, mask }).value;
        }
    }
    Ok(vec![colour.to_vec()])
}

impl StageKind for Colour {
    fn check(&self, name: &str) -> Result<(), StageError> {
        check_under(name, &self.under, &self.mask)?;
        match (self.stops.is_empty(), self.map) {
            (true, None) => Err(StageError::parameter(name, "stops", "[]", "one or more stops, or a map")),
            (false, Some(_)) => Err(StageError::parameter(name, "map", "a map together with stops", "one of the two")),
            (true, Some(_)) if self.range[0] >= self.range[1] => {
                Err(StageError::parameter(name, "range", format!("{:?}", self.range), "[LO, HI] with LO below HI"))
            }
            (true, Some(_)) | (false, None) => Ok(()),
        }
    }

    fn ranges(&self, _: &dyn Fn(&Input) -> Option<Interval>) -> Vec<Option<Interval>> {
        // Colours have no range of values.
        vec![None]
    }

    fn reach_parameter(&self) -> Option<&'static str> {
        None
    }

    fn lower(&self, name: &str, lowering: &mut ScheduleLowering<'_>) -> Result<Outputs, ScheduleError> {
        let value = lowering.plane(name, "by", &self.by)?;
        let (stops, table) = ramp(name, self)?;
        let ramp = pass::Colour { value, stops: stops as f64, oklab: flag(self.space == ColourSpace::Oklab), table: Arc::new(table) };
        let colour: [PlaneId; 4] = lowering.run(ramp).into();
        layered(name, lowering, colour, Layering { light: &self.light, under: &self.under, mask: &self.mask })
    }
}
