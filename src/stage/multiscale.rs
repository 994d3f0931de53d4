//! Erosion in world units: large valleys on coarse grids, smaller ones on finer grids.

use crate::interval::Interval;
use crate::params::{Input, OutputInfo, row};
use crate::schedule::PlaneId;
use crate::schedule::pass::{ErosionBury, ErosionCarve, ErosionRefine, ErosionRoute, Fill, Subtract, made};
use crate::stage::StageError;
use crate::stage::kind::StageKind;
use crate::stage::lower::{Outputs, ScheduleError, ScheduleLowering, power, single};
use crate::stage::strata::Hardness;
use std::f64::consts::{FRAC_1_SQRT_2, SQRT_2};

row! {
    /// Erosion by rivers and by slides, in world units. Valleys branch at every size, from `size` down to the distance between samples.
    /// Rivers lay down their load where they slow down, and fill pits.
    ///
    /// Further outputs: `wear` and `deposit` (the height that was removed or added) and `flow` (the area in square world units whose rain
    /// flows through a sample).
    ///
    /// Large valleys are carved first, on a grid whose step is at most 1/16 of `size`. The finer grids continue, each with half the step,
    /// down to the samples. All grids are parts of one ladder, so spacings and levels that differ by powers of two give the same world:
    /// only the finest valleys are missing. Other spacings give similar worlds. `of`, `rain` and `hardness` are evaluated on every grid.
    /// Stages before this one that count in samples, such as `median`, change with the grid.
    ///
    /// A river cuts by its discharge to the power 0.5 times its slope (the stream power law; Schott et al. 2024 use several scales, too).
    /// It lays down a share of its load (Davy and Lague 2009). The cost is about that of 40 passes over the samples, at any `size`.
    Erosion -> &[OutputInfo::main(1), OutputInfo::further("wear"), OutputInfo::further("deposit"), OutputInfo::further("flow")], {
        /// The heights.
        of: Input;
        /// Length of the largest valleys, in world units.
        size: f64 = 1000.0, [WAVELENGTH], World;
        /// Depth of the valleys: 0.1 scratches slopes, 2 wears mountains down.
        strength: f64 = 0.6, [0 to 100], Unitless;
        /// Strength of each size of valleys as a share of that of the next larger size.
        detail: f64 = 0.7, [SHARE], Unitless;
        /// Inclination of rivers to lay down their load: 0 carries all away, 10 fills valley floors.
        deposition: f64 = 2.0, [0 to 1000], Unitless;
        /// Steepest stable slope, as height per distance. What is steeper slides.
        talus: f64 = 1.2, [0 to 1000000], Unitless;
        /// Rain relative to 1, at least 0. More rain cuts deeper.
        rain: Input = Input::Value(1.0);
        /// Resistance of the ground to rivers, from 0 to 1: 1 is rock that they do not cut. A `strata` stage of the same heights is found
        /// anew in every iteration.
        hardness: Input = Input::Value(0.0);
    }
}

/// The least number of steps of the coarsest grid in `size`.
const STEPS: f64 = 16.0;
/// The largest number of grids coarser than the samples.
const MOST: u32 = 24;
/// Iterations on the coarsest grid: water comes from as many steps away.
const FIRST: u32 = 32;
/// Iterations on every other grid.
const ITERATIONS: u32 = 8;
/// The slope that water overcomes, so that it leaves shallow pits.
const EASE: f64 = 0.1;
/// The height by which ground that fills may exceed its neighbours, as a slope.
const RISE: f64 = 0.01;
/// The thickness, in distances between samples, that buries what the coarser grid lacks.
const BURIES: f64 = 0.5;
/// Share of the excess of a slope that slides in one iteration.
const SLIDE: f64 = 0.5;

/// The planes of a grid after erosion.
struct Eroded {
    /// The ground before.
    before: PlaneId,
    height: PlaneId,
    /// In samples of rain.
    discharge: PlaneId,
    /// As height.
    load: PlaneId,
}

impl Erosion {
    /// The number of grids that are coarser than one with this step.
    fn coarser(&self, name: &str, step: f64) -> Result<u32, StageError> {
        let mut next = 2.0 * step;
        let mut count = 0;
        while next <= self.size / STEPS {
            next *= 2.0;
            count += 1;
        }
        if count > MOST {
            return Err(StageError::parameter(name, "size", self.size.to_string(), "at most 2^28 distances between samples"));
        }
        Ok(count)
    }

    /// Iterations on the grid that follows `coarser` others.
    fn iterations(coarser: u32) -> u32 {
        if coarser == 0 { FIRST } else { ITERATIONS }
    }

    /// Erodes the grid of a lowering, which follows `coarser` others. The finest one also erodes for the next
    /// one, which is missing.
    fn erode(&self, name: &str, lowering: &mut ScheduleLowering<'_>, coarser: u32, finest: bool) -> Result<Eroded, ScheduleError> {
        let before = lowering.plane(name, "of", &self.of)?;
        let rain = lowering.plane(name, "rain", &self.rain)?;
        let layers = Hardness::of(name, lowering, &self.hardness, &self.of)?;
        let mut eroded = match coarser.checked_sub(1) {
            // These planes are owned because they are overwritten.
            None => {
                let (discharge, load) = (lowering.at_least_zero(rain), lowering.run(Fill { value: 0.0 }).value);
                Eroded { before, height: before, discharge, load }
            }
            Some(coarser) => {
                let spread = lowering.coarser(name, &|lowering| {
                    let Eroded { before, height, discharge, load } = self.erode(name, lowering, coarser, false)?;
                    Ok(vec![before, lowering.run(Subtract { a: height, b: before }).value, discharge, load])
                })?;
                // A river of one coarse sample's width is two fine ones wide until it has found its bed. The load is that of one iteration.
                let slower = self.detail * f64::from(Self::iterations(coarser)) / f64::from(ITERATIONS);
                let refined = spread.into_iter().zip([1.0, 1.0, 2.0, 2.0 * slower]);
                let mut refined = refined.map(|(value, scale)| lowering.run(ErosionRefine { value, scale }).value);
                let mut next = || refined.next().expect("invariant: four planes were spread");
                let [coarse, change, discharge, load] = [next(), next(), next(), next()];
                let bury = ErosionBury { before, coarse, change, per_depth: 1.0 / (BURIES * lowering.step) };
                Eroded { before, height: lowering.run(bury).height, discharge, load }
            }
        };
        let step = lowering.step;
        let iterations = Self::iterations(coarser);
        let more = if finest { 1.0 + 0.5 * self.detail } else { 1.0 };
        let strength = self.strength * power(self.detail, coarser) * more / f64::from(iterations);
        let [per_step, per_diagonal] = [1.0, FRAC_1_SQRT_2].map(|per_way| per_way / step);
        for _ in 0..iterations {
            let Eroded { height, discharge, load, .. } = eroded;
            let made::ErosionRoute { discharge, load } =
                lowering.run(ErosionRoute { height, discharge, load, per_step, per_diagonal, ease: EASE });
            let hardness = layers.at(lowering, height);
            let made::ErosionCarve { height, discharge, load } = lowering.run(ErosionCarve {
                height,
                discharge,
                load,
                rain,
                hardness,
                per_step,
                per_diagonal,
                ease: EASE,
                step,
                rise: RISE * step,
                talus: self.talus,
                slide: SLIDE / 16.0 * step,
                slide_diagonal: SLIDE / 16.0 * SQRT_2 * step,
                strength,
                settling: self.deposition,
            });
            eroded = Eroded { before, height, discharge, load };
        }
        Ok(eroded)
    }
}

impl StageKind for Erosion {
    fn check(&self, _: &str) -> Result<(), StageError> {
        Ok(())
    }

    fn ranges(&self, _: &dyn Fn(&Input) -> Option<Interval>) -> Vec<Option<Interval>> {
        vec![None, None, None, None]
    }

    fn reach_parameter(&self) -> Option<&'static str> {
        None
    }

    fn lower(&self, name: &str, lowering: &mut ScheduleLowering<'_>) -> Result<Outputs, ScheduleError> {
        let coarser = self.coarser(name, lowering.step)?;
        let Eroded { before, height, discharge, .. } = self.erode(name, lowering, coarser, true)?;
        let mut positive = |a, b| {
            let value = lowering.run(Subtract { a, b }).value;
            lowering.at_least_zero(value)
        };
        let (wear, deposit) = (positive(before, height), positive(height, before));
        let flow = lowering.scaled(discharge, lowering.step * lowering.step);
        Ok(single([height, wear, deposit, flow]))
    }
}
