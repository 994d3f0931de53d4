//! Colours from three channels, such as those of a picture.

use crate::interval::Interval;
use crate::params::{Input, OutputInfo, row};
use crate::schedule::pass::{ColourChannels as Joined, Scale, made};
use crate::stage::StageError;
use crate::stage::choices::ColourSpace;
use crate::stage::colour::{Layering, check_under, layered};
use crate::stage::kind::StageKind;
use crate::stage::lower::{Outputs, ScheduleError, ScheduleLowering, flag};

row! {
    /// Joins three channels into colours: four channels with red, green, blue and opacity in linear light. The channels may come
    /// from a picture by way of `by_example`, whose nodes with one seed take the same parts of it.
    ///
    /// A raster reads a channel of a picture with `encoding = "lightness"`, `"green_red"` or `"blue_yellow"` for OKLab, and with
    /// `"red"`, `"green"` or `"blue"` for linear light. OKLab keeps lightness apart from hue, so curves can change either.
    ColourChannels -> &[OutputInfo::main(4)], {
        /// Lightness, from 0 for black to 1 for white. In linear light: red.
        first: Input;
        /// OKLab's a, from green to red; 0 is grey. In linear light: green.
        second: Input;
        /// OKLab's b, from blue to yellow; 0 is grey. In linear light: blue.
        third: Input;
        /// Opacity, from 0 to 1.
        opacity: Input = Input::Value(1.0);
        /// The colour space of the three channels.
        space: ColourSpace = ColourSpace::Oklab;
        /// Another stage of colours, which lies under this one.
        under: Input = Input::Value(0.0), [channels 4];
        /// Opacity of this stage over the one under it, from 0 to 1.
        mask: Input = Input::Value(1.0);
        /// Factor for the brightness, such as a hillshade.
        light: Input = Input::Value(1.0);
    }
}

impl StageKind for ColourChannels {
    fn check(&self, name: &str) -> Result<(), StageError> {
        check_under(name, &self.under, &self.mask)
    }

    fn ranges(&self, _: &dyn Fn(&Input) -> Option<Interval>) -> Vec<Option<Interval>> {
        // Colours have no range of values.
        vec![None]
    }

    fn reach_parameter(&self) -> Option<&'static str> {
        None
    }

    fn lower(&self, name: &str, lowering: &mut ScheduleLowering<'_>) -> Result<Outputs, ScheduleError> {
        let first = lowering.plane(name, "first", &self.first)?;
        let second = lowering.plane(name, "second", &self.second)?;
        let third = lowering.plane(name, "third", &self.third)?;
        let value = lowering.plane(name, "opacity", &self.opacity)?;
        let oklab = flag(self.space == ColourSpace::Oklab);
        let made::ColourChannels { red, green, blue } = lowering.run(Joined { first, second, third, oklab });
        let opacity = lowering.run(Scale { value, scale: 1.0, offset: 0.0, low: 0.0, high: 1.0 }).value;
        layered(name, lowering, [red, green, blue, opacity], Layering { light: &self.light, under: &self.under, mask: &self.mask })
    }
}
