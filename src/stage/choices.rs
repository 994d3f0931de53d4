//! What parameters of stages may be, beside those that nodes have too.

use crate::params::{Allowed, LARGEST, Param, Setting, Unset, choice, outside, short};
use serde::{Deserialize, Serialize};

choice! {
    /// What becomes of neighbours.
    Adjacent {
        /// The smaller of each two: valleys grow.
        Minimum,
        /// The larger of each two: hills grow.
        Maximum,
        /// The mean of each two: smoother.
        #[default]
        Mean,
        /// Half the difference of each two: rougher.
        Difference,
    }
}

choice! {
    /// Axes along which a filter works.
    Axes {
        /// Along rows.
        X,
        /// Along columns.
        Y,
        /// Along rows, then columns.
        #[default]
        Both,
    }
}

choice! {
    /// How two fields become one.
    CombineBy {
        /// `a + b`.
        #[default]
        Add,
        /// `a − b`.
        Subtract,
        /// `a · b`.
        Multiply,
        /// The smaller.
        Minimum,
        /// The larger.
        Maximum,
        /// `a + mask · (b − a)`.
        Blend,
    }
}

choice! {
    /// How steepness is written.
    AngleUnit {
        /// Height per distance.
        #[default]
        Ratio,
        /// Degrees.
        Degrees,
    }
}

choice! {
    /// Which bend is meant (Zevenbergen and Thorne 1987).
    CurvatureForm {
        /// In all directions: minus half the sum of second derivatives.
        #[default]
        Mean,
        /// Along the contour line: where water gathers.
        Plan,
        /// Along the slope: where water speeds up.
        Profile,
    }
}

choice! {
    /// Where colours between two stops are mixed.
    ColourSpace {
        /// Ottosson's OKLab: even steps to the eye, no dark band between complements.
        #[default]
        Oklab,
        /// Linear light: as light mixes.
        Linear,
    }
}

choice! {
    /// Colour maps by name.
    ColourMap {
        /// matplotlib's default: dark blue, green, yellow; even for every eye.
        #[default]
        Viridis,
        /// Black, purple, orange, pale yellow.
        Magma,
        /// Black, purple, red, yellow.
        Inferno,
        /// Blue, purple, orange, yellow.
        Plasma,
        /// Dark blue to yellow, for the colour-blind.
        Cividis,
        /// Google's better rainbow.
        Turbo,
        /// Dave Green's cube helix: brightness rises evenly.
        Cubehelix,
        /// Red, yellow, blue: diverging.
        Spectral,
        /// Blue, white, red: diverging.
        Rdbu,
        /// Greys.
        Greys,
        /// Blues.
        Blues,
        /// Greens.
        Greens,
    }
}

/// A colour and the value at which it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ColourStop {
    /// The value.
    pub at: f64,
    /// sRGB as `#RRGGBB`, or `#RRGGBBAA` with opacity.
    pub colour: String,
}

impl ColourStop {
    /// At a value, the colour `#RRGGBB` or `#RRGGBBAA`.
    pub fn new(at: f64, colour: impl Into<String>) -> Self {
        ColourStop { at, colour: colour.into() }
    }

    /// Red, green, blue and opacity from 0 to 1, in sRGB.
    pub(crate) fn srgb(&self) -> Option<[f64; 4]> {
        let digits = self.colour.strip_prefix('#').filter(|d| matches!(d.len(), 6 | 8) && d.bytes().all(|c| c.is_ascii_hexdigit()))?;
        let channel = |i: usize| digits.get(2 * i..2 * i + 2).and_then(|d| u8::from_str_radix(d, 16).ok());
        Some([0, 1, 2, 3].map(|i| f64::from(channel(i).unwrap_or(255)) / 255.0))
    }
}

/// An amplitude and the frequency at which it stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RadialPoint {
    /// Cycles per sample.
    pub frequency: f64,
    /// The amplitude.
    pub amplitude: f64,
}

/// Lists that settings cannot hold: changed by building anew.
macro_rules! fixed_list {
    ($type:ty, $refuse:expr) => {
        impl Param for Vec<$type> {
            fn refuse(&self, _: Allowed) -> Option<String> {
                let refuse: fn(&[$type]) -> Option<String> = $refuse;
                refuse(self)
            }
            fn of_setting(_: Option<&Self>, _: &Setting) -> Result<Self, Unset> {
                Err(Unset::Shape)
            }
            fn setting(&self) -> Option<Setting> {
                None
            }
        }
    };
}

/// Most stops of a colour ramp.
const MOST_STOPS: usize = 256;

fixed_list!(ColourStop, |stops| {
    if stops.len() > MOST_STOPS {
        return Some(format!("{} stops", stops.len()));
    }
    if let Some((i, stop)) = stops.iter().enumerate().find(|(_, stop)| stop.srgb().is_none()) {
        return Some(format!("colour \"{}\" in stop {i}", stop.colour));
    }
    if let Some((i, text)) = stops.iter().enumerate().find_map(|(i, stop)| outside(stop.at, -LARGEST, LARGEST).map(|text| (i, text))) {
        return Some(format!("at = {text} in stop {i}"));
    }
    let i = stops.windows(2).position(|pair| pair[1].at < pair[0].at)?;
    Some(format!("at = {} after at = {} (stops {i} and {})", short(stops[i + 1].at), short(stops[i].at), i + 1))
});

fixed_list!(RadialPoint, |points| {
    let wrong = |p: &RadialPoint| outside(p.frequency, 0.0, 1.0).is_some() || outside(p.amplitude, -LARGEST, LARGEST).is_some();
    if let Some(i) = points.iter().position(wrong) {
        return Some(format!("frequency = {}, amplitude = {} in point {i}", short(points[i].frequency), short(points[i].amplitude)));
    }
    let i = points.windows(2).position(|pair| pair[1].frequency <= pair[0].frequency)?;
    Some(format!("frequency {} after {} (points {i} and {})", short(points[i + 1].frequency), short(points[i].frequency), i + 1))
});
