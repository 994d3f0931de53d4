//! The inputs of a picture in perspective, and their checks.

use crate::draw::render::{DrawError, check};
use crate::field::Layer;

/// The terrain of a picture in perspective: layers of one region.
#[derive(Clone, Copy, Debug)]
pub struct ViewedTerrain<'a> {
    /// Heights of the ground in world units, one channel.
    pub heights: &'a Layer,
    /// Colours of the ground, four channels, without shading. Or other values, one channel, such as a mask: the colours of the style
    /// from their lowest to their highest, or greys. `None`: by height and slope.
    pub colours: Option<&'a Layer>,
    /// Level of lakes and rivers in world units, one channel, as the stage `drainage` computes it: a sample is wet if its level is
    /// above its height.
    pub water: Option<&'a Layer>,
}

/// The edge of the terrain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Edge {
    /// A block with sides, in front of a plain background.
    #[default]
    Block,
    /// A landscape below a sky. The sea continues to the horizon, and haze hides the end of the land.
    Horizon,
}

impl Edge {
    /// Every value.
    pub const ALL: &[Edge] = &[Edge::Block, Edge::Horizon];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Edge::Block => "block",
            Edge::Horizon => "horizon",
        }
    }
}

/// The view of a picture in perspective. Angles are in degrees, azimuths clockwise from north (up in a map, where y points down).
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// Width and height in pixels, 1 to 8192 each.
    pub size: [u32; 2],
    /// Azimuth in which the camera looks, −360 to 360: 0 looks north.
    pub azimuth: f64,
    /// Angle of the camera below the horizon, 0 to 89.
    pub pitch: f64,
    /// Horizontal field of view, 1 to 120.
    pub field_of_view: f64,
    /// Distance of the camera from the middle of the terrain, in world units, above 0. `None`: the nearest from which the whole
    /// terrain is visible.
    pub distance: Option<f64>,
    /// Factor of heights, above 0 to 1000000. `None`: [`exaggeration`](ViewedTerrain::exaggeration).
    pub exaggeration: Option<f64>,
    /// Azimuth of the sun, −360 to 360.
    pub sun_azimuth: f64,
    /// Elevation of the sun, 1 to 90.
    pub sun_elevation: f64,
    /// Distance at which haze leaves 2 % of the contrast (the meteorological visibility), in world units, above 0. `None`: 20 times
    /// the terrain's diagonal for a block, six for a landscape.
    pub visibility: Option<f64>,
    /// The edge of the terrain.
    pub edge: Edge,
    /// Rays along each edge of a pixel, 1 to 8.
    pub supersample: u32,
}

impl Default for View {
    fn default() -> Self {
        View {
            size: [1200, 700],
            azimuth: 20.0,
            pitch: 32.0,
            field_of_view: 30.0,
            distance: None,
            exaggeration: None,
            sun_azimuth: 292.0,
            sun_elevation: 32.0,
            visibility: None,
            edge: Edge::Block,
            supersample: 2,
        }
    }
}

impl View {
    /// Refuses a number out of its range.
    ///
    /// # Errors
    /// Returns an error for the first number that is not allowed.
    pub fn check(&self) -> Result<(), DrawError> {
        let refuse = |what, value: String, allowed| Err(DrawError::new(what, value, allowed));
        if self.size.iter().any(|edge| !(1..=8192).contains(edge)) {
            return refuse("size", format!("{:?}", self.size), "1 to 8192 pixels along each axis");
        }
        let within = |value: f64, low: f64, high: f64| (low..=high).contains(&value);
        let angles = [
            ("azimuth", self.azimuth, within(self.azimuth, -360.0, 360.0), "-360 to 360 degrees"),
            ("pitch", self.pitch, within(self.pitch, 0.0, 89.0), "0 to 89 degrees"),
            ("field_of_view", self.field_of_view, within(self.field_of_view, 1.0, 120.0), "1 to 120 degrees"),
            ("sun_azimuth", self.sun_azimuth, within(self.sun_azimuth, -360.0, 360.0), "-360 to 360 degrees"),
            ("sun_elevation", self.sun_elevation, within(self.sun_elevation, 1.0, 90.0), "1 to 90 degrees"),
        ];
        if let Some((what, value, _, allowed)) = angles.into_iter().find(|angle| !angle.2) {
            return refuse(what, value.to_string(), allowed);
        }
        let lengths = [
            ("distance", self.distance, 1e18, "above 0 to 1e18 world units"),
            ("exaggeration", self.exaggeration, 1e6, "above 0 to 1000000"),
            ("visibility", self.visibility, f64::INFINITY, "above 0 world units, or infinity"),
        ];
        for (what, value, most, allowed) in lengths {
            if let Some(value) = value.filter(|value| !(*value > 0.0 && *value <= most)) {
                return refuse(what, value.to_string(), allowed);
            }
        }
        if !(1..=8).contains(&self.supersample) {
            return refuse("supersample", self.supersample.to_string(), "1 to 8");
        }
        Ok(())
    }
}

/// The largest magnitude of a height, in world units: its differences and multiples are finite.
const HIGHEST: f32 = 1e30;

impl<'a> ViewedTerrain<'a> {
    /// Heights alone.
    pub fn new(heights: &'a Layer) -> Self {
        ViewedTerrain { heights, colours: None, water: None }
    }

    /// Refuses layers that do not fit each other.
    ///
    /// # Errors
    /// Returns an error if the region has fewer than 2 × 2 samples, if a layer has other samples or another number of channels, or if
    /// a height is not finite.
    pub fn check(&self) -> Result<(), DrawError> {
        let region = &self.heights.region;
        let [width, height, _] = region.size;
        if width < 2 || height < 2 {
            return Err(DrawError::new("size", format!("{:?}", region.size), "2 or more samples along x and y, 1 along z"));
        }
        let heights = (&[1][..], "heights, which have 1 channel");
        let colours = (&[1, 4][..], "colours, which have 4 channels, or values, which have 1");
        let layers = [(Some(self.heights), "heights", heights), (self.colours, "colours", colours), (self.water, "water", heights)];
        for (layer, what, fits) in layers.into_iter().filter_map(|(layer, what, fits)| Some((layer?, what, fits))) {
            let (channels, (fitting, allowed)) = (layer.channels, fits);
            if !fitting.contains(&channels) {
                return Err(DrawError::new(what, format!("a layer of {} channels", layer.channels), allowed));
            }
            if layer.region.size != region.size {
                return Err(DrawError::new(what, format!("a layer of {:?} samples", layer.region.size), "as many samples as the heights"));
            }
            check(layer.region.size, layer.values.len(), channels)?;
            if let Some(at) = layer.values.iter().position(|value| value.is_nan() || value.abs() > HIGHEST) {
                let (x, y) = (at / channels % width as usize, at / channels / width as usize);
                let value = format!("{} at column {x}, row {y}", layer.values[at]);
                return Err(DrawError::new(what, value, "finite numbers of magnitude up to 1e30"));
            }
        }
        Ok(())
    }

    /// The exaggeration with which the terrain is drawn by default. It is 1 if the mean slope of its land is from 0.05 to 1.2.
    /// Otherwise it makes that slope 0.5, so that a noise of any amplitude and wavelength is recognisable as relief.
    pub fn exaggeration(&self, sea: Option<f32>) -> f64 {
        let gradients = crate::draw::render::slopes(&self.heights.region, &self.heights.values);
        let sea = sea.unwrap_or(f32::NEG_INFINITY);
        let mean = f64::from(crate::draw::render::mean_slope(&gradients, &self.heights.values, sea));
        if mean == 0.0 || (0.05..=1.2).contains(&mean) { 1.0 } else { (f64::from(crate::draw::render::RELIEF) / mean).clamp(1e-6, 1e6) }
    }
}
