//! Erosion: what slides, what water carries, and gullies.

use crate::params::Input;
use crate::program::Seed;
use crate::schedule::lower::{Lowering, Outputs, ScheduleError, halves, limbs, power, q32, single};
use crate::schedule::pass::{self, Fill, Gradient, HydraulicCarry, HydraulicFlow, HydraulicSoil, HydraulicWater, made};
use crate::schedule::{PlaneId, Source};
use crate::stage::{Gully, Hydraulic, Thermal};
use std::sync::Arc;

impl Lowering<'_> {
    pub fn thermal(&mut self, name: &str, n: &Thermal) -> Result<Outputs, ScheduleError> {
        let mut height = self.plane(name, "of", &n.of)?;
        let straight = n.talus * self.step;
        let diagonal = n.talus * self.step * std::f64::consts::SQRT_2;
        for _ in 0..n.iterations {
            height = self.run(pass::Thermal { height, straight, diagonal, rate: n.rate / 16.0 }).height;
        }
        Ok(single([height]))
    }

    pub fn hydraulic(&mut self, name: &str, n: &Hydraulic) -> Result<Outputs, ScheduleError> {
        let mut soil = self.plane(name, "of", &n.of)?;
        let rain = self.plane(name, "rain_on", &n.rain_on)?;
        let hardness = self.plane(name, "hardness", &n.hardness)?;
        // Planes of their own, since they are written over. The first rain falls before the first flow.
        let mut water = self.scaled(rain, n.rain * self.step);
        let mut zero = || self.schedule.run(Fill { value: 0.0 }).value;
        let (mut sediment, mut load, mut discharge) = (zero(), zero(), zero());
        let mut flows = made::HydraulicFlow { west: zero(), east: zero(), north: zero(), south: zero() };
        for _ in 0..n.iterations {
            let made::HydraulicFlow { west, east, north, south } = flows;
            flows = self.run(HydraulicFlow { soil, water, west, east, north, south, kept: 1.0 - n.friction, gravity: n.gravity });
            let made::HydraulicFlow { west, east, north, south } = flows;
            sediment = self.run(HydraulicCarry { west, east, north, south, sediment, load }).sediment;
            let share = 1.0 / f64::from(n.iterations);
            let speed;
            made::HydraulicWater { water, discharge, speed } =
                self.run(HydraulicWater { west, east, north, south, water, discharge, share });
            made::HydraulicSoil { soil, water, sediment, load } = self.run(HydraulicSoil {
                soil,
                speed,
                hardness,
                rain,
                water,
                sediment,
                per_two_steps: self.per_two_steps(),
                capacity: n.capacity * self.step,
                least_slope: n.least_slope,
                dissolve: n.dissolve,
                deposit: n.deposit,
                kept: 1.0 - n.evaporation,
                rainfall: n.rain * self.step,
                shallow: 10.0 * n.rain.max(1e-6) * self.step,
            });
        }
        Ok(single([soil, water, sediment, discharge]))
    }

    pub fn gully(&mut self, name: &str, n: &Gully) -> Result<Outputs, ScheduleError> {
        let [height, slope_x, slope_y] = self.slopes(name, &n.of)?;
        let mut table = Vec::new();
        for k in 0..n.octaves {
            let wavelength = n.wavelength / power(n.lacunarity, k);
            let step = q32(self.step, 1.0 / wavelength);
            for axis in 0..2 {
                let first = q32(self.block.anchor[axis], 1.0 / wavelength);
                table.extend(limbs(first.wrapping_add(step.wrapping_mul(self.block.origin[axis] as u64))));
            }
            table.extend(limbs(step));
            table.extend(halves(Seed::default().with(n.seed).with(u64::from(k)).bits()));
            let depth = n.strength * n.wavelength * power(n.gain, k);
            table.extend([depth, depth * std::f64::consts::TAU / wavelength]);
        }
        let gully = pass::Gully {
            height,
            slope_x,
            slope_y,
            octaves: f64::from(n.octaves),
            onset_squared: n.onset * n.onset,
            table: Arc::new(table),
        };
        Ok(single(self.run(gully).into()))
    }

    /// Heights and their slopes along x and y: of a node the gradient is known, of a field it is measured.
    fn slopes(&mut self, name: &str, of: &Input) -> Result<[PlaneId; 3], ScheduleError> {
        match of {
            Input::Node(node) if self.pipeline.node.contains_key(node) => {
                let program = self.program(node, || self.pipeline.noise(node))?;
                self.check_gradients(node)?;
                let planes = [(); 3].map(|()| self.schedule.plane());
                self.schedule.sources.push(Source::Jets { program, planes });
                Ok(planes)
            }
            of => {
                let height = self.plane(name, "of", of)?;
                let made::Gradient { x, y } = self.run(Gradient { height, per_two_steps: self.per_two_steps() });
                Ok([height, x, y])
            }
        }
    }
}
