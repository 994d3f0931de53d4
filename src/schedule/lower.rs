//! From stages to passes.

use crate::frame::fixed_product;
use crate::graph::{Noise, Radius};
use crate::params::Input;
use crate::program::Seed;
use crate::region::Region;
use crate::schedule::colour::ramp;
use crate::schedule::{Pass, PlaneId, Read, Schedule, Source};
use crate::stage::{
    Adjacent, AdjacentFilter, AngleUnit, Axes, CombineBy, CurvatureForm, DiamondSquare, Dropoff, Gully, Hydraulic, Midpoint, Pipeline,
    Stage, StageError, Voss, order, stem,
};
use std::collections::HashMap;
use std::sync::Arc;

/// Squares that repeat, of [`Stage::Frequency`], by the stage's name: computed before anything else is.
pub type Tiles = HashMap<String, Arc<Vec<f64>>>;

/// The passes that make outputs of a pipeline from a block of samples.
///
/// # Errors
/// An invalid pipeline, or a stage that needs the whole world and has not been measured.
pub fn lower(pipeline: &Pipeline, outputs: &[impl AsRef<str>], block: &Region, tiles: &Tiles) -> Result<Schedule, StageError> {
    let mut lowering = Lowering {
        pipeline,
        tiles,
        block,
        step: block.step(),
        schedule: Schedule::default(),
        planes: HashMap::new(),
        fills: HashMap::new(),
    };
    for output in outputs {
        for name in order(pipeline, output.as_ref())? {
            lowering.stage(name)?;
        }
        let planes = lowering.named("", "output", output.as_ref())?;
        lowering.schedule.outputs.push(planes);
    }
    lowering.schedule.prune();
    Ok(lowering.schedule)
}

struct Lowering<'a> {
    pipeline: &'a Pipeline,
    tiles: &'a Tiles,
    block: &'a Region,
    /// World units from sample to sample.
    step: f64,
    schedule: Schedule,
    /// Planes of nodes, and of all outputs of a stage, by name.
    planes: HashMap<String, Vec<Vec<PlaneId>>>,
    /// Planes that are the same everywhere, by the bits of their number.
    fills: HashMap<u64, PlaneId>,
}

/// The own sample only.
fn here(plane: PlaneId) -> Read {
    Read { plane, reach: 0 }
}

fn around(plane: PlaneId, reach: u32) -> Read {
    Read { plane, reach }
}

/// A number of 32 bits as two that f32 holds.
fn halves(bits: u32) -> [f64; 2] {
    [f64::from(bits & 0xffff), f64::from(bits >> 16)]
}

/// The seed of a stage's random numbers.
pub fn seed(seed: u64) -> [f64; 2] {
    halves(Seed::default().with(seed).bits())
}

/// The upper half of a lattice coordinate, Q32.32.
fn q32(a: f64, b: f64) -> u64 {
    (fixed_product(a, b) >> 32) as u64
}

/// A number of 64 bits as four that f32 holds.
fn limbs(q: u64) -> [f64; 4] {
    [0, 16, 32, 48].map(|shift| ((q >> shift) & 0xffff) as f64)
}

impl Lowering<'_> {
    fn run<const N: usize>(&mut self, pass: Pass, reads: &[Read], numbers: &[f64]) -> [PlaneId; N] {
        self.schedule.run(pass, reads, numbers, None)
    }

    fn run_with<const N: usize>(&mut self, pass: Pass, reads: &[Read], numbers: &[f64], table: Vec<f64>) -> [PlaneId; N] {
        self.schedule.run(pass, reads, numbers, Some(Arc::new(table)))
    }

    fn fill(&mut self, value: f64) -> PlaneId {
        if let Some(&plane) = self.fills.get(&value.to_bits()) {
            return plane;
        }
        let [plane] = self.run(Pass::Fill, &[], &[value]);
        self.fills.insert(value.to_bits(), plane);
        plane
    }

    fn noise(&mut self, noise: Noise) -> PlaneId {
        let plane = self.schedule.plane();
        self.schedule.sources.push(Source::Values { noise, plane });
        plane
    }

    /// The planes of what a name means.
    fn named(&mut self, by: &str, param: &'static str, name: &str) -> Result<Vec<PlaneId>, StageError> {
        match self.pipeline.find(by, param, name)? {
            Some((_, index)) => Ok(self.planes[stem(name)][index].clone()),
            None => {
                if !self.planes.contains_key(name) {
                    let plane = self.noise(self.pipeline.noise(name));
                    self.planes.insert(name.to_owned(), vec![vec![plane]]);
                }
                Ok(self.planes[name][0].clone())
            }
        }
    }

    /// The plane of a scalar input.
    fn plane(&mut self, by: &str, param: &'static str, input: &Input) -> Result<PlaneId, StageError> {
        match input {
            Input::Missing => Err(StageError::MissingInput { stage: by.to_owned(), param }),
            Input::Value(x) => Ok(self.fill(*x)),
            Input::Node(name) => Ok(self.named(by, param, name)?[0]),
        }
    }

    /// Heights, multiplied.
    fn exaggerated(&mut self, plane: PlaneId, by: f64) -> PlaneId {
        if by == 1.0 { plane } else { self.scale(plane, by, 0.0, [f64::MIN, f64::MAX]) }
    }

    fn scale(&mut self, plane: PlaneId, scale: f64, offset: f64, [lo, hi]: [f64; 2]) -> PlaneId {
        let [plane] = self.run(Pass::Scale, &[here(plane)], &[scale, offset, lo, hi]);
        plane
    }

    fn stage(&mut self, name: &str) -> Result<(), StageError> {
        if self.planes.contains_key(name) {
            return Ok(());
        }
        let stage = &self.pipeline.stage[name];
        // Most stages read one field, the first of their inputs.
        let first = match stage.inputs().first() {
            Some((param, input)) => Some(self.plane(name, param, input)?),
            None => None,
        };
        let of = first.unwrap_or(PlaneId(0));
        let (per_step, per_two) = (1.0 / (self.step * self.step), 0.5 / self.step);
        let one = |plane: PlaneId| vec![vec![plane]];
        let unmeasured = || StageError::parameter(name, "measured", "none", "what Engine::measure finds for the whole world");
        let planes = match stage {
            Stage::Given(_) => {
                let plane = self.schedule.plane();
                self.schedule.sources.push(Source::Given { stage: name.to_owned(), plane });
                one(plane)
            }
            Stage::Normalise(n) => {
                let [lo, hi] = n.measured.ok_or_else(unmeasured)?;
                // A hair too large, so that the largest value is held at its end and not rounded to something just below.
                let scale = if hi > lo { (n.high - n.low) / (hi - lo) * (1.0 + 2.384_185_791_015_625e-7) } else { 0.0 };
                let [plane] = self.run(Pass::Stretch, &[here(of)], &[lo, scale, n.low, n.low.min(n.high), n.low.max(n.high)]);
                one(plane)
            }
            Stage::Equalise(n) => {
                let (&[_, ..], last) = (&n.measured[..], n.measured.len().saturating_sub(1)) else { return Err(unmeasured()) };
                let ways = n.measured.windows(2).map(|pair| if pair[1] > pair[0] { 1.0 / (pair[1] - pair[0]) } else { 0.0 });
                let table = n.measured.iter().copied().chain(ways).collect();
                let [plane] = self.run_with(Pass::Rank, &[here(of)], &[last as f64, (n.high - n.low) / last as f64, n.low], table);
                one(plane)
            }
            Stage::Ocean(n) => {
                let level = if n.share.is_some() { n.measured.ok_or_else(unmeasured)? } else { n.level };
                let planes: [PlaneId; 4] = self.run(Pass::Ocean, &[here(of)], &[level, 1.0 / n.width]);
                planes.map(|plane| vec![plane]).to_vec()
            }
            Stage::Dropoff(n) => self.dropoff(n, of),
            Stage::Mask(n) => {
                let [plane] = self.run(Pass::Mask, &[here(of)], &[n.from, 1.0 / (n.to - n.from)]);
                one(plane)
            }
            Stage::Combine(n) => {
                let b = self.plane(name, "b", &n.b)?;
                let pass = match n.by {
                    CombineBy::Add => Pass::Add,
                    CombineBy::Subtract => Pass::Subtract,
                    CombineBy::Multiply => Pass::Multiply,
                    CombineBy::Minimum => Pass::Minimum,
                    CombineBy::Maximum => Pass::Maximum,
                    CombineBy::Blend => Pass::Blend,
                };
                let [plane] = if n.by == CombineBy::Blend {
                    let mask = self.plane(name, "mask", &n.mask)?;
                    self.run(pass, &[here(of), here(b), here(mask)], &[])
                } else {
                    self.run(pass, &[here(of), here(b)], &[])
                };
                one(plane)
            }
            Stage::AdjacentFilter(n) => one(self.adjacent(n, of)),
            Stage::Gaussian(n) => one(self.gaussian(n.sigma, of)),
            Stage::Median(n) => {
                let [plane] = self.run(Pass::Median, &[around(of, n.radius)], &[f64::from(n.radius)]);
                one(plane)
            }
            Stage::Slope(n) => {
                let pass = if n.unit == AngleUnit::Ratio { Pass::Slope } else { Pass::SlopeDegrees };
                let [plane] = self.run(pass, &[around(of, 1)], &[per_two]);
                one(plane)
            }
            Stage::Curvature(n) => {
                let pass = match n.form {
                    CurvatureForm::Mean => Pass::CurvatureMean,
                    CurvatureForm::Plan => Pass::CurvaturePlan,
                    CurvatureForm::Profile => Pass::CurvatureProfile,
                };
                let [plane] = self.run(pass, &[around(of, 1)], &[per_two, per_step]);
                one(plane)
            }
            Stage::Normal(n) => {
                let planes: [PlaneId; 3] = self.run(Pass::Normal, &[around(of, 1)], &[per_two * n.exaggeration]);
                vec![planes.to_vec()]
            }
            Stage::Hillshade(n) => {
                let (azimuth, altitude) = (n.azimuth.to_radians(), n.altitude.to_radians());
                let light = [libm::sin(azimuth) * libm::cos(altitude), -libm::cos(azimuth) * libm::cos(altitude), libm::sin(altitude)];
                let [plane] = self.run(Pass::Hillshade, &[around(of, 1)], &[per_two * n.exaggeration, light[0], light[1], light[2]]);
                one(plane)
            }
            Stage::Occlusion(n) => {
                let heights = self.exaggerated(of, n.exaggeration);
                one(self.occlusion(n.radius, heights))
            }
            Stage::Thermal(n) => {
                let diagonal = n.talus * self.step * std::f64::consts::SQRT_2;
                let numbers = [n.talus * self.step, diagonal, n.rate / 16.0];
                let mut plane = of;
                for _ in 0..n.iterations {
                    [plane] = self.run(Pass::Thermal, &[around(plane, 1)], &numbers);
                }
                one(plane)
            }
            Stage::Hydraulic(n) => self.hydraulic(name, n, of)?,
            Stage::Gully(n) => self.gully(n, of),
            Stage::Colour(n) => {
                let (stops, lab, table) = ramp(n);
                let mut colour: [PlaneId; 4] = self.run_with(Pass::Colour, &[here(of)], &[stops, lab], table);
                if n.light != Input::Value(1.0) {
                    let light = self.plane(name, "light", &n.light)?;
                    for channel in &mut colour[..3] {
                        [*channel] = self.run(Pass::Multiply, &[here(*channel), here(light)], &[]);
                    }
                }
                if let Input::Node(under) = &n.under {
                    let under = self.named(name, "under", under)?;
                    let mask = self.plane(name, "mask", &n.mask)?;
                    for (channel, under) in colour.iter_mut().zip(under) {
                        [*channel] = self.run(Pass::Blend, &[here(under), here(*channel), here(mask)], &[]);
                    }
                }
                vec![colour.to_vec()]
            }
            Stage::Frequency(n) => {
                let tile = self.tiles.get(name).ok_or_else(unmeasured)?;
                let [plane] = self.schedule.run(Pass::Tile, &[], &[0.0, 0.0, f64::from(n.size)], Some(Arc::clone(tile)));
                one(plane)
            }
            Stage::DiamondSquare(n) => one(self.diamond_square(n)),
            Stage::Midpoint(n) => one(self.midpoint(n)),
            Stage::Voss(Voss { dimensions, rows, seed: number }) => {
                let [low, high] = seed(*number);
                let rows = f64::from(*rows);
                let [plane] = self.run(Pass::Voss, &[], &[low, high, rows, 1.0 / rows, f64::from(u8::from(*dimensions == 1))]);
                one(plane)
            }
        };
        self.planes.insert(name.to_owned(), planes);
        Ok(())
    }

    fn dropoff(&mut self, n: &Dropoff, of: PlaneId) -> Vec<Vec<PlaneId>> {
        let far = Noise::radius(Radius { centre: n.centre, axes: n.axes, unit: 1.0 }).smoothstep(n.radius, n.radius + n.width);
        let mask = self.noise(far.scale_offset(-1.0, 1.0));
        let floor = self.fill(n.floor);
        let [plane] = self.run(Pass::Blend, &[here(floor), here(of), here(mask)], &[]);
        vec![vec![plane], vec![mask]]
    }

    fn adjacent(&mut self, n: &AdjacentFilter, of: PlaneId) -> PlaneId {
        let pass = match n.filter {
            Adjacent::Minimum => Pass::AdjacentMinimum,
            Adjacent::Maximum => Pass::AdjacentMaximum,
            Adjacent::Mean => Pass::AdjacentMean,
            Adjacent::Difference => Pass::AdjacentDifference,
        };
        let mut plane = of;
        for _ in 0..n.times {
            if n.axes != Axes::Y {
                [plane] = self.run(pass, &[around(plane, 1)], &[1.0, 0.0]);
            }
            if n.axes != Axes::X {
                [plane] = self.run(pass, &[around(plane, 1)], &[0.0, 1.0]);
            }
        }
        plane
    }

    fn gaussian(&mut self, sigma: f64, of: PlaneId) -> PlaneId {
        let radius = libm::ceil(3.0 * sigma) as u32;
        let weight = |i: u32| libm::exp(-0.5 * (f64::from(i) / sigma) * (f64::from(i) / sigma));
        let sum = 1.0 + 2.0 * (1..=radius).map(weight).sum::<f64>();
        let table = Arc::new((0..=radius).map(|i| weight(i) / sum).collect::<Vec<_>>());
        let mut plane = of;
        for [x, y] in [[1.0, 0.0], [0.0, 1.0]] {
            [plane] = self.schedule.run(Pass::Gaussian, &[around(plane, radius)], &[x, y, f64::from(radius)], Some(Arc::clone(&table)));
        }
        plane
    }

    fn occlusion(&mut self, radius: u32, of: PlaneId) -> PlaneId {
        const DIRECTIONS: u32 = 16;
        let mut table = Vec::new();
        for d in 0..DIRECTIONS {
            let angle = f64::from(d) / f64::from(DIRECTIONS) * std::f64::consts::TAU;
            for s in 1..=radius {
                let [x, y] = [libm::cos(angle), libm::sin(angle)].map(|c| libm::round(c * f64::from(s)));
                table.extend([x, y, 1.0 / (libm::hypot(x, y) * self.step)]);
            }
        }
        let numbers = [f64::from(DIRECTIONS), f64::from(radius), 1.0 / f64::from(DIRECTIONS)];
        let [plane] = self.run_with(Pass::Occlusion, &[around(of, radius)], &numbers, table);
        plane
    }

    fn hydraulic(&mut self, name: &str, n: &Hydraulic, of: PlaneId) -> Result<Vec<Vec<PlaneId>>, StageError> {
        let rain = self.plane(name, "rain_on", &n.rain_on)?;
        let hardness = self.plane(name, "hardness", &n.hardness)?;
        // Of their own, since they are written over. The first rain falls before the first flow.
        let mut soil = of;
        let [mut water] = self.run(Pass::Scale, &[here(rain)], &[n.rain * self.step, 0.0, f64::MIN, f64::MAX]);
        let mut zero = || -> PlaneId {
            let [plane] = self.schedule.run(Pass::Fill, &[], &[0.0], None);
            plane
        };
        let (mut sediment, mut discharge) = (zero(), zero());
        let mut flows = [(); 4].map(|()| zero());
        let depth = 10.0 * n.rain.max(1e-6) * self.step;
        let numbers =
            [0.5 / self.step, n.capacity * self.step, n.least_slope, n.dissolve, n.deposit, 1.0 - n.evaporation, n.rain * self.step, depth];
        for _ in 0..n.iterations {
            let mut reads = vec![around(soil, 1), around(water, 1)];
            reads.extend(flows.map(here));
            flows = self.run(Pass::HydraulicFlow, &reads, &[1.0 - n.friction, n.gravity]);
            let [w, e, north, s] = flows.map(|plane| around(plane, 1));
            [sediment] = self.run(Pass::HydraulicCarry, &[w, e, north, s, around(water, 1), around(sediment, 1)], &[]);
            let share = 1.0 / f64::from(n.iterations);
            let speed;
            [water, discharge, speed] = self.run(Pass::HydraulicWater, &[w, e, north, s, here(water), here(discharge)], &[share]);
            let reads = [around(soil, 1), here(speed), here(hardness), here(rain), here(water), here(sediment)];
            [soil, water, sediment] = self.run(Pass::HydraulicSoil, &reads, &numbers);
        }
        Ok([soil, water, sediment, discharge].map(|plane| vec![plane]).to_vec())
    }

    fn gully(&mut self, n: &Gully, of: PlaneId) -> Vec<Vec<PlaneId>> {
        // Of a node the gradient is known, of a field it is measured.
        let jets = match &n.of {
            Input::Node(name) if self.pipeline.node.contains_key(name) => {
                let planes = [(); 3].map(|()| self.schedule.plane());
                self.schedule.sources.push(Source::Jets { noise: self.pipeline.noise(name), planes });
                planes
            }
            _ => {
                let [x, y] = self.run(Pass::Gradient, &[around(of, 1)], &[0.5 / self.step]);
                [of, x, y]
            }
        };
        let mut table = Vec::new();
        for k in 0..n.octaves {
            let wavelength = n.wavelength / n.lacunarity.powi(k as i32);
            let step = q32(self.step, 1.0 / wavelength);
            for axis in 0..2 {
                let first = q32(self.block.anchor[axis], 1.0 / wavelength);
                table.extend(limbs(first.wrapping_add(step.wrapping_mul(self.block.origin[axis] as u64))));
            }
            table.extend(limbs(step));
            table.extend(halves(Seed::default().with(n.seed).with(u64::from(k)).bits()));
            let depth = n.strength * n.wavelength * n.gain.powi(k as i32);
            table.extend([depth, depth * std::f64::consts::TAU / wavelength]);
        }
        let numbers = [f64::from(n.octaves), n.onset * n.onset];
        let planes: [PlaneId; 2] = self.run_with(Pass::Gully, &jets.map(here), &numbers, table);
        planes.map(|plane| vec![plane]).to_vec()
    }

    /// Samples of this level from the middle of a cell of level 0 to its edge; `None` if they are finer than this level.
    fn half(&self, edge: u32) -> Option<u32> {
        let half = (edge / 2).checked_shr(self.block.level).unwrap_or(0);
        (half > 0).then_some(half)
    }

    /// Amplitudes of the halvings of a cell, the corners' first: they sum up to 1.
    fn amplitudes(cell: u32, roughness: f64) -> Vec<f64> {
        let all: Vec<f64> = (0..=cell.ilog2()).map(|k| roughness.powi(k as i32)).collect();
        let sum: f64 = all.iter().sum();
        all.iter().map(|a| a / sum).collect()
    }

    fn diamond_square(&mut self, n: &DiamondSquare) -> PlaneId {
        let [low, high] = seed(n.seed);
        let amplitudes = Self::amplitudes(n.cell, n.roughness);
        let [mut plane] = self.run(Pass::Corners, &[], &[low, high, f64::from(n.cell), amplitudes[0], 0.0]);
        for (k, amplitude) in (0..n.cell.ilog2()).zip(&amplitudes[1..]) {
            let edge = n.cell >> k;
            let Some(half) = self.half(edge) else { break };
            let numbers = [low, high, f64::from(edge), *amplitude, 0.0, f64::from(half)];
            [plane] = self.run(Pass::Diamond, &[around(plane, half)], &numbers);
            [plane] = self.run(Pass::Square, &[around(plane, half)], &numbers);
        }
        plane
    }

    fn midpoint(&mut self, n: &Midpoint) -> PlaneId {
        let [low, high] = seed(n.seed);
        let row = f64::from(u8::from(n.dimensions == 1));
        let amplitudes = Self::amplitudes(n.cell, n.roughness);
        let [mut plane] = self.run(Pass::Corners, &[], &[low, high, f64::from(n.cell), amplitudes[0], row]);
        for (k, amplitude) in (0..n.cell.ilog2()).zip(&amplitudes[1..]) {
            let edge = n.cell >> k;
            let Some(half) = self.half(edge) else { break };
            [plane] = self.run(Pass::Midpoint, &[around(plane, half)], &[low, high, f64::from(edge), *amplitude, row, f64::from(half)]);
        }
        plane
    }
}
