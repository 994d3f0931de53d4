//! What a pipeline does to a block of samples: passes over planes, in single-assignment form, and how far each must reach.
//!
//! Both backends run the same schedule. A pass reads planes (its neighbours too) and writes planes; what a stage is to one is in
//! [`super::lower`].

use crate::graph::Noise;
use std::sync::Arc;

/// One number for each sample of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlaneId(pub usize);

/// A plane as a pass reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Read {
    pub plane: PlaneId,
    /// How many samples away.
    pub reach: u32,
}

/// Where the first planes come from.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// What is brought along.
    Given { stage: String, plane: PlaneId },
    /// The values of a noise.
    Values { noise: Noise, plane: PlaneId },
    /// The values of a noise and their gradient along x and y.
    Jets { noise: Noise, planes: [PlaneId; 3] },
}

/// One pass over a block.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    pub pass: Pass,
    pub reads: Vec<Read>,
    pub writes: Vec<PlaneId>,
    /// At most [`NUMBERS`].
    pub numbers: Vec<f64>,
    /// A list of numbers, where the pass has one.
    pub table: Option<Arc<Vec<f64>>>,
}

/// Numbers that a pass can have beside its table.
pub const NUMBERS: usize = 16;

/// Sources, then steps in order; what is wanted in the end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schedule {
    pub planes: usize,
    pub sources: Vec<Source>,
    pub steps: Vec<Step>,
    /// Planes of every output, one for each channel.
    pub outputs: Vec<Vec<PlaneId>>,
}

/// What there is to know of a pass.
#[derive(Clone, Copy, Debug)]
pub struct PassInfo {
    /// The file in `shaders/filter/`.
    pub file: &'static str,
    /// The function in it.
    pub function: &'static str,
    pub reads: usize,
    pub writes: usize,
    /// Whether it has a table.
    pub table: bool,
    /// Reads that are 0 beyond the edges.
    pub zero: &'static [usize],
    /// Reads of the own sample only, that the writes of the same place in the list may overwrite: (read, write).
    pub overwrites: &'static [(usize, usize)],
}

macro_rules! passes {
    ($( $(#[doc = $doc:literal])* $pass:ident: $file:literal $function:literal, $reads:literal => $writes:literal
        $(, table $table:literal)? $(, zero [$($zero:literal),+])? $(, over [$($over:expr),+])?; )+) => {
        /// Every pass there is: a function of the same name in `shaders/filter/` and in `src/filter/`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Pass { $( $(#[doc = $doc])* $pass, )+ }

        impl Pass {
            /// All of them.
            pub const ALL: &'static [Pass] = &[ $( Pass::$pass, )+ ];

            pub fn info(self) -> PassInfo {
                match self {
                    $( Pass::$pass => PassInfo {
                        file: $file,
                        function: $function,
                        reads: $reads,
                        writes: $writes,
                        table: false $(|| $table)?,
                        zero: &[$($($zero),+)?],
                        overwrites: &[$($($over),+)?],
                    }, )+
                }
            }
        }
    };
}

passes! {
    /// The same number everywhere.
    Fill: "point" "point_fill", 0 => 1;
    /// Scaled, shifted and held.
    Scale: "point" "point_scale", 1 => 1;
    /// From one range to another, its ends exactly.
    Stretch: "point" "point_stretch", 1 => 1;
    /// Where among quantiles a value stands.
    Rank: "point" "point_rank", 1 => 1, table true;
    /// A smooth step.
    Mask: "point" "point_mask", 1 => 1;
    Add: "point" "point_add", 2 => 1;
    Subtract: "point" "point_subtract", 2 => 1;
    Multiply: "point" "point_multiply", 2 => 1;
    Minimum: "point" "point_minimum", 2 => 1;
    Maximum: "point" "point_maximum", 2 => 1;
    Blend: "point" "point_blend", 3 => 1;
    /// Surface, depth, mask and shore.
    Ocean: "point" "point_ocean", 1 => 4;
    /// Neighbours ahead.
    AdjacentMinimum: "adjacent" "adjacent_minimum", 1 => 1;
    AdjacentMaximum: "adjacent" "adjacent_maximum", 1 => 1;
    AdjacentMean: "adjacent" "adjacent_mean", 1 => 1;
    AdjacentDifference: "adjacent" "adjacent_difference", 1 => 1;
    /// Along one axis.
    Gaussian: "window" "window_gaussian", 1 => 1, table true;
    Median: "window" "window_median", 1 => 1;
    Occlusion: "window" "window_occlusion", 1 => 1, table true;
    Slope: "surface" "surface_slope", 1 => 1;
    SlopeDegrees: "surface" "surface_degrees", 1 => 1;
    CurvatureMean: "surface" "surface_mean", 1 => 1;
    CurvaturePlan: "surface" "surface_plan", 1 => 1;
    CurvatureProfile: "surface" "surface_profile", 1 => 1;
    Normal: "surface" "surface_normal", 1 => 3;
    Hillshade: "surface" "surface_hillshade", 1 => 1;
    /// Slopes along x and y.
    Gradient: "surface" "surface_gradient", 1 => 2;
    Thermal: "thermal" "thermal_slide", 1 => 1;
    /// Soil, water, four flows → the four flows.
    HydraulicFlow: "hydraulic" "hydraulic_flow", 6 => 4, over [(2, 0), (3, 1), (4, 2), (5, 3)];
    /// Four flows, water, sediment → sediment.
    HydraulicCarry: "hydraulic" "hydraulic_carry", 6 => 1, zero [0, 1, 2, 3];
    /// Four flows, water, mean discharge → water, mean discharge, speed.
    HydraulicWater: "hydraulic" "hydraulic_water", 6 => 3, zero [0, 1, 2, 3], over [(4, 0), (5, 1)];
    /// Soil, speed, hardness, rain, water, sediment → soil, water, sediment.
    HydraulicSoil: "hydraulic" "hydraulic_soil", 6 => 3, over [(4, 1), (5, 2)];
    /// Height and its slopes → height and ridge.
    Gully: "gully" "gully_carve", 3 => 2, table true;
    /// A ramp of stops.
    Colour: "colour" "colour_ramp", 1 => 4, table true;
    /// A number for every index.
    White: "lattice" "lattice_white", 0 => 1;
    /// Random values at the corners of cells.
    Corners: "lattice" "lattice_corners", 0 => 1;
    /// The middles of cells.
    Diamond: "lattice" "lattice_diamond", 1 => 1;
    /// The middles of edges.
    Square: "lattice" "lattice_square", 1 => 1;
    /// The middles of both, from the corners.
    Midpoint: "lattice" "lattice_midpoint", 1 => 1;
    Voss: "lattice" "lattice_voss", 0 => 1;
    /// A square that repeats.
    Tile: "lattice" "lattice_tile", 0 => 1, table true;
    /// One round of a Fourier transform: real and imaginary part.
    Fourier: "fourier" "fourier_round", 2 => 2, table true;
    /// Amplitudes by frequency.
    Spectrum: "fourier" "fourier_shape", 1 => 1, table true;
}

impl Schedule {
    pub fn plane(&mut self) -> PlaneId {
        self.planes += 1;
        PlaneId(self.planes - 1)
    }

    /// One more pass; its results.
    pub fn run<const N: usize>(&mut self, pass: Pass, reads: &[Read], numbers: &[f64], table: Option<Arc<Vec<f64>>>) -> [PlaneId; N] {
        let writes = [(); N].map(|()| self.plane());
        debug_assert!(N == pass.info().writes && reads.len() == pass.info().reads && numbers.len() <= NUMBERS);
        self.steps.push(Step { pass, reads: reads.to_vec(), writes: writes.to_vec(), numbers: numbers.to_vec(), table });
        writes
    }

    /// How many samples beyond the wanted ones every plane is needed, and `None` of what is not needed at all.
    pub fn margins(&self) -> Vec<Option<u32>> {
        let mut margins: Vec<Option<u32>> = vec![None; self.planes];
        for plane in self.outputs.iter().flatten() {
            margins[plane.0] = Some(0);
        }
        for step in self.steps.iter().rev() {
            let Some(margin) = step.writes.iter().filter_map(|plane| margins[plane.0]).max() else { continue };
            for read in &step.reads {
                let needed = margin.saturating_add(read.reach);
                margins[read.plane.0] = margins[read.plane.0].max(Some(needed));
            }
        }
        margins
    }

    /// How many samples beyond the wanted ones each step computes.
    pub fn step_margins(&self) -> Vec<u32> {
        let margins = self.margins();
        let widest = |step: &Step| step.writes.iter().filter_map(|plane| margins[plane.0]).max().unwrap_or(0);
        self.steps.iter().map(widest).collect()
    }

    /// Samples beyond the wanted ones that any plane is needed.
    pub fn halo(&self) -> u32 {
        self.margins().into_iter().flatten().max().unwrap_or(0)
    }

    /// Planes' worth of numbers that sources take beside their planes.
    pub fn beside(&self) -> usize {
        if self.sources.iter().any(|source| matches!(source, Source::Jets { .. })) { 4 } else { 0 }
    }

    /// Drops the steps and sources whose results nobody reads.
    pub fn prune(&mut self) {
        let margins = self.margins();
        let needed = |plane: &PlaneId| margins[plane.0].is_some();
        self.steps.retain(|step| step.writes.iter().any(needed));
        self.sources.retain(|source| match source {
            Source::Given { plane, .. } | Source::Values { plane, .. } => needed(plane),
            Source::Jets { planes, .. } => planes.iter().any(needed),
        });
    }

    /// After which step every plane is read for the last time; outputs are kept to the end.
    pub fn last_reads(&self) -> Vec<usize> {
        let mut last = vec![0; self.planes];
        for (i, step) in self.steps.iter().enumerate() {
            for plane in step.reads.iter().map(|read| read.plane).chain(step.writes.iter().copied()) {
                last[plane.0] = i;
            }
        }
        for plane in self.outputs.iter().flatten() {
            last[plane.0] = usize::MAX;
        }
        last
    }

    /// Gives every plane a place to lie in, used again as soon as what lies there is not read any more: place of each plane, and
    /// how many places there are. `in_place` lets a pass write where it reads, if it may.
    pub fn places(&self, in_place: bool) -> (Vec<usize>, usize) {
        const NONE: usize = usize::MAX;
        let last = self.last_reads();
        let (mut place, mut free, mut count) = (vec![NONE; self.planes], Vec::new(), 0);
        let mut take = |free: &mut Vec<usize>| {
            free.pop().unwrap_or_else(|| {
                count += 1;
                count - 1
            })
        };
        for source in &self.sources {
            match source {
                Source::Given { plane, .. } | Source::Values { plane, .. } => place[plane.0] = take(&mut free),
                Source::Jets { planes, .. } => planes.iter().for_each(|plane| place[plane.0] = take(&mut free)),
            }
        }
        for (i, step) in self.steps.iter().enumerate() {
            let mut kept = Vec::new();
            if in_place {
                for &(read, write) in step.pass.info().overwrites {
                    let from = step.reads[read].plane;
                    let once = step.reads.iter().filter(|other| other.plane == from).count() == 1;
                    if last[from.0] == i && once {
                        place[step.writes[write].0] = place[from.0];
                        kept.push(from);
                    }
                }
            }
            for plane in &step.writes {
                if place[plane.0] == NONE {
                    place[plane.0] = take(&mut free);
                }
            }
            let mut done: Vec<PlaneId> = step.reads.iter().map(|read| read.plane).chain(step.writes.iter().copied()).collect();
            done.sort_by_key(|plane| plane.0);
            done.dedup();
            free.extend(done.iter().filter(|plane| last[plane.0] == i && !kept.contains(plane)).map(|plane| place[plane.0]));
        }
        (place, count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_fit_the_fewest_buffers_that_every_device_can_bind() {
        for pass in Pass::ALL {
            let info = pass.info();
            let buffers = info.reads + info.writes + usize::from(info.table) - info.overwrites.len();
            assert!(buffers <= 8, "{pass:?} needs {buffers}");
        }
    }

    #[test]
    fn margins_add_up_along_the_longest_way_and_places_are_used_again() {
        let mut schedule = Schedule::default();
        let first = schedule.plane();
        schedule.sources.push(Source::Values { noise: Noise::constant(0.0), plane: first });
        let mut last = first;
        for _ in 0..5 {
            [last] = schedule.run(Pass::Thermal, &[Read { plane: last, reach: 1 }], &[], None);
        }
        let [sum] = schedule.run(Pass::Add, &[Read { plane: last, reach: 0 }, Read { plane: first, reach: 3 }], &[], None);
        let [_unused] = schedule.run::<1>(Pass::Thermal, &[Read { plane: sum, reach: 1 }], &[], None);
        schedule.outputs = vec![vec![sum]];
        schedule.prune();
        assert_eq!((schedule.steps.len(), schedule.halo()), (6, 5));
        assert_eq!(schedule.margins()[last.0], Some(0));
        let (place, count) = schedule.places(true);
        assert_eq!(count, 3);
        assert_ne!(place[first.0], place[last.0]);
    }
}
