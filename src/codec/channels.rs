//! Channels of a picture's colours as numbers.

use super::HeightEncoding;
#[cfg(feature = "png")]
use super::oklab::linear;
use super::oklab::oklab;

/// A channel of colours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ColourChannel {
    /// Red, green, blue or opacity, by its index.
    Stored(usize),
    /// A coordinate of OKLab, by its index.
    Lab(usize),
}

const CHANNELS: [(HeightEncoding, ColourChannel); 7] = [
    (HeightEncoding::Red, ColourChannel::Stored(0)),
    (HeightEncoding::Green, ColourChannel::Stored(1)),
    (HeightEncoding::Blue, ColourChannel::Stored(2)),
    (HeightEncoding::Opacity, ColourChannel::Stored(3)),
    (HeightEncoding::Lightness, ColourChannel::Lab(0)),
    (HeightEncoding::GreenRed, ColourChannel::Lab(1)),
    (HeightEncoding::BlueYellow, ColourChannel::Lab(2)),
];

/// The channel that an encoding selects; `None` for an encoding of heights.
pub(super) fn channel(encoding: HeightEncoding) -> Option<ColourChannel> {
    CHANNELS.iter().find(|(of, _)| *of == encoding).map(|(_, channel)| *channel)
}

impl ColourChannel {
    /// The number of a colour in linear light.
    pub fn number(self, [red, green, blue, opacity]: [f64; 4]) -> f32 {
        let number = match self {
            ColourChannel::Stored(k) => [red, green, blue, opacity][k],
            ColourChannel::Lab(k) => oklab([red, green, blue])[k],
        };
        number as f32
    }

    /// The numbers of pixels in sRGB with opacity, in steps from 0 to `largest`.
    #[cfg(feature = "png")]
    pub fn numbers<T: Copy + Into<usize>>(self, pixels: &[T], largest: u16) -> Vec<f32> {
        let unit = |step: usize| step as f64 / f64::from(largest);
        let light: Vec<f64> = (0..=usize::from(largest)).map(|step| linear(unit(step))).collect();
        let of = |[red, green, blue, opacity]: &[T; 4]| {
            let [red, green, blue] = [*red, *green, *blue].map(|step| light[step.into()]);
            self.number([red, green, blue, unit((*opacity).into())])
        };
        pixels.as_chunks::<4>().0.iter().map(of).collect()
    }
}
