//! Stages that depend on measurements of the whole world.

use super::{Drainage, EqualiseWorld, Grade, Normalise, Ocean, Stage};
use crate::params::Input;
use crate::region::Region;

/// Number of quantiles that a stage keeps of a distribution.
const QUANTILES: usize = 1025;

/// A measurement of all values of an input that a stage still needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asks {
    Nothing,
    /// The minimum and the maximum.
    Extremes,
    /// The histogram.
    Distribution,
    /// The drainage, or heights along it.
    Drainage,
}

/// The result of a measurement.
pub(crate) enum Found<'a> {
    /// From a share of all values to the value below which that share lies.
    Quantiles(&'a dyn Fn(f64) -> f64),
    /// The world, whose drainage is kept elsewhere.
    World(&'a Region),
}

/// A stage that depends on the whole world.
pub(crate) trait Whole {
    /// The input that is measured.
    fn of(&self) -> &Input;

    /// The measurement that is needed; `Asks::Nothing` once the result is stored.
    fn asks(&self) -> Asks;

    /// Stores the result. One of another kind is ignored.
    fn settle(&mut self, found: &Found<'_>);
}

impl Whole for Normalise {
    fn of(&self) -> &Input {
        &self.of
    }

    fn asks(&self) -> Asks {
        match self.measured {
            Some(_) => Asks::Nothing,
            None if self.clip == 0.0 => Asks::Extremes,
            None => Asks::Distribution,
        }
    }

    fn settle(&mut self, found: &Found<'_>) {
        if let Found::Quantiles(quantile) = found {
            self.measured = Some([quantile(self.clip), quantile(1.0 - self.clip)]);
        }
    }
}

impl Whole for EqualiseWorld {
    fn of(&self) -> &Input {
        &self.of
    }

    fn asks(&self) -> Asks {
        if self.measured.is_empty() { Asks::Distribution } else { Asks::Nothing }
    }

    fn settle(&mut self, found: &Found<'_>) {
        if let Found::Quantiles(quantile) = found {
            self.measured = (0..QUANTILES).map(|i| quantile(i as f64 / (QUANTILES - 1) as f64)).collect();
        }
    }
}

impl Whole for Ocean {
    fn of(&self) -> &Input {
        &self.of
    }

    fn asks(&self) -> Asks {
        if self.share.is_some() && self.measured.is_none() { Asks::Distribution } else { Asks::Nothing }
    }

    fn settle(&mut self, found: &Found<'_>) {
        if let Found::Quantiles(quantile) = found {
            self.measured = self.share.map(quantile);
        }
    }
}

impl Whole for Drainage {
    fn of(&self) -> &Input {
        &self.of
    }

    fn asks(&self) -> Asks {
        if self.measured.is_none() { Asks::Drainage } else { Asks::Nothing }
    }

    fn settle(&mut self, found: &Found<'_>) {
        if let Found::World(region) = found {
            self.settle_world(region);
        }
    }
}

impl Whole for Grade {
    fn of(&self) -> &Input {
        &self.of
    }

    fn asks(&self) -> Asks {
        if self.measured.is_none() { Asks::Drainage } else { Asks::Nothing }
    }

    fn settle(&mut self, found: &Found<'_>) {
        if let Found::World(region) = found {
            self.settle_world(region);
        }
    }
}

/// The complete list of stages: those that depend on the whole world, and those that do not.
macro_rules! whole {
    ($stage:expr) => {
        match $stage {
            Stage::Normalise(n) => Some(n),
            Stage::EqualiseWorld(n) => Some(n),
            Stage::Ocean(n) => Some(n),
            Stage::Drainage(n) => Some(n),
            Stage::Grade(n) => Some(n),
            Stage::Given(_)
            | Stage::Thermal(_)
            | Stage::Hydraulic(_)
            | Stage::AdjacentFilter(_)
            | Stage::Gaussian(_)
            | Stage::Median(_)
            | Stage::Occlusion(_)
            | Stage::DiamondSquare(_)
            | Stage::Midpoint(_)
            | Stage::Dropoff(_)
            | Stage::Mask(_)
            | Stage::Curve(_)
            | Stage::Distance(_)
            | Stage::Beach(_)
            | Stage::Cliff(_)
            | Stage::Line(_)
            | Stage::Displace(_)
            | Stage::Channel(_)
            | Stage::Wetness(_)
            | Stage::Combine(_)
            | Stage::Slope(_)
            | Stage::Curvature(_)
            | Stage::Normal(_)
            | Stage::Hillshade(_)
            | Stage::Erosion(_)
            | Stage::Gully(_)
            | Stage::Debris(_)
            | Stage::Snow(_)
            | Stage::Strata(_)
            | Stage::StreamPower(_)
            | Stage::Incise(_)
            | Stage::Colour(_)
            | Stage::Frequency(_)
            | Stage::Voss(_)
            | Stage::ColourChannels(_) => None,
        }
    };
}

impl Stage {
    /// The measurement of the whole world that it needs; `None` if it needs none.
    pub(crate) fn whole(&self) -> Option<&dyn Whole> {
        whole!(self)
    }

    /// As above, mutable, to store the result.
    pub(crate) fn whole_mut(&mut self) -> Option<&mut dyn Whole> {
        whole!(self)
    }
}
