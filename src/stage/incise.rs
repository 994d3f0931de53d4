//! Incision of any terrain by rivers whose drainage area is known.

use crate::interval::Interval;
use crate::params::{Input, OutputInfo, row};
use crate::schedule::pass::{Fill, InciseCarve, IncisePower, InciseSettle, made};
use crate::stage::StageError;
use crate::stage::kind::StageKind;
use crate::stage::lower::{Outputs, ScheduleError, ScheduleLowering, single};

row! {
    /// Incision by rivers whose drainage area is known: fine valleys in any landscape, however large. `area` is an output of `drainage`
    /// or `stream_power`.
    ///
    /// Each step removes `erodibility · area^concavity · slope` per time, where the slope is that to the steepest of the eight neighbours
    /// (the stream power law; Schott et al. 2024). Rivers carry what they remove, and lay down `deposition` times the load over the area
    /// (Davy and Lague 2009). Slopes creep by `diffusion` times their curvature, and slide where they are steeper than
    /// `talus`. Pits and the sea keep their load and are filled.
    ///
    /// Further outputs: `wear` (rock that was removed), `sediment` (that lies on the rock) and `load` (that rivers carry at the end, as a
    /// height). The change of a height is `uplift · time` − `wear` + `sediment`.
    ///
    /// Sediment and the heads of valleys move by at most one sample in a step, and by `reach` in all. So the number of steps is `reach`
    /// over the distance between samples, or `diffusion · time / 0.15` over its square if that is more. The halo is one sample for each
    /// step. A sample never sinks below its lowest neighbour in a step. Rivers for which `erodibility · area^concavity` exceeds
    /// `reach / time` cut more slowly.
    Incise -> &[OutputInfo::main(1), OutputInfo::further("wear"), OutputInfo::further("sediment"), OutputInfo::further("load")], {
        /// The heights.
        of: Input;
        /// The area that drains through a sample, in world units²: the output `area` of `drainage` or `stream_power`.
        area: Input;
        /// Removal by rivers at an area of 1 and a slope of 1, in world units per time. Below 0 counts as 0.
        erodibility: Input = Input::Value(2.0);
        /// Uplift, in world units per time.
        uplift: Input = Input::Value(0.0);
        /// The exponent of the area: the larger it is, the more large rivers cut.
        concavity: f64 = 0.45, [0 to 1], Unitless;
        /// Inclination of rivers to lay down their load: 0 carries all away, 1 is usual in nature.
        deposition: f64 = 1.0, [0 to 1000], Unitless;
        /// Creep of slopes, in world units² per time. It rounds crests, and limits how fine valleys are.
        diffusion: f64 = 5.0, [0 to 1e12], Unitless;
        /// Steepest stable slope, as height per distance. Steeper ground slides.
        talus: f64 = 1.0, [0 to 1000000], Unitless;
        /// Duration. With the defaults, the unit is a million years if world units are metres.
        time: f64 = 0.5, [0 to 1e6], Unitless;
        /// Largest distance that sediment and the heads of valleys move, in world units.
        reach: f64 = 100.0, [WAVELENGTH], World;
        /// The sea level. Rivers do not cut ground below it, and their sediment fills the sea up to it. If omitted, there is no sea.
        sea: Option<f64> = None, [SAMPLE], Value;
    }
}

/// The largest number of steps.
const MOST: f64 = 4096.0;
/// The largest diffusion of a step, in distances between samples squared. Above 0.3 the sum of the neighbours' shares exceeds 1, and
/// heights would oscillate.
const CREEP: f64 = 0.15;
/// The height by which ground that fills may exceed its neighbours, as a slope.
const RISE: f64 = 0.001;
/// The share of the excess of a slope that slides in one step.
const SLIDE: f64 = 1.0 / 32.0;

impl Incise {
    /// The number of steps.
    fn steps(&self, name: &str, step: f64) -> Result<u32, StageError> {
        let moving = libm::ceil(self.reach / step);
        if moving > MOST {
            let allowed = format!("at most {} here, {MOST} distances between samples", MOST * step);
            return Err(StageError::parameter(name, "reach", self.reach.to_string(), allowed));
        }
        let creeping = libm::ceil(self.diffusion * self.time / (CREEP * step * step));
        if creeping > MOST {
            let most = MOST * CREEP * step * step / self.time;
            return Err(StageError::parameter(
                name,
                "diffusion",
                self.diffusion.to_string(),
                format!("at most {most} at this spacing and time"),
            ));
        }
        Ok(moving.max(creeping).max(1.0) as u32)
    }
}

impl StageKind for Incise {
    fn check(&self, _: &str) -> Result<(), StageError> {
        Ok(())
    }

    fn ranges(&self, _: &dyn Fn(&Input) -> Option<Interval>) -> Vec<Option<Interval>> {
        vec![None, None, None, None]
    }

    fn reach_parameter(&self) -> Option<&'static str> {
        Some("reach")
    }

    fn lower(&self, name: &str, lowering: &mut ScheduleLowering<'_>) -> Result<Outputs, ScheduleError> {
        let step = lowering.step;
        let steps = self.steps(name, step)?;
        let time = self.time / f64::from(steps);
        // In the nine-point Laplacian, a straight neighbour counts four times as much as a diagonal one.
        let diagonal = self.diffusion * time / (6.0 * step * step);
        let mut height = lowering.plane(name, "of", &self.of)?;
        let area = lowering.plane(name, "area", &self.area)?;
        let erodibility = lowering.plane(name, "erodibility", &self.erodibility)?;
        let uplift = lowering.plane(name, "uplift", &self.uplift)?;
        let made::IncisePower { cut, settle } = lowering.run(IncisePower {
            area,
            erodibility,
            least: step * step,
            concavity: self.concavity,
            time: time / step,
            // With creep and slides, the height after a step is a mean of the heights around.
            most: 1.0 - 20.0 * diagonal - 8.0 * SLIDE,
            settling: self.deposition * step * step,
        });
        // These planes are owned because they are overwritten.
        let mut filled = |value| lowering.schedule.run(Fill { value }).value;
        let (mut load, mut to, mut sediment, mut wear) = (filled(0.0), filled(8.0), filled(0.0), filled(0.0));
        for _ in 0..steps {
            let before = height;
            let sea = self.sea.unwrap_or(f64::from(f32::MIN));
            let carve = InciseCarve {
                height,
                load,
                to,
                cut,
                settle,
                sea,
                rise: RISE * step,
                straight: 4.0 * diagonal,
                diagonal,
                holds: self.talus * step,
                slide: SLIDE,
            };
            made::InciseCarve { height, load, to } = lowering.run(carve);
            made::InciseSettle { height, sediment, wear } = lowering.run(InciseSettle { before, height, uplift, sediment, wear, time });
        }
        Ok(single([height, wear, sediment, load]))
    }
}
