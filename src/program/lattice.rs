//! Where a lattice lies: one frame for every instance of its scope, two in 4D.

use super::instance::{Instance, LATTICE_REACH, rows};
use crate::frame::Frame;
use crate::params::short;
use crate::program::ProgramError;
use glam::{DMat3, DVec3};

/// Where a basis has its lattice in its own scope.
#[derive(Clone, Debug)]
pub(crate) struct Lattice {
    /// Cartesian → lattice axes; rows that the basis does not read are 0.
    pub skew: DMat3,
    pub wavelength: f64,
    /// Seed of hash and lattice offset; without one the lattice lies at the origin.
    pub seed: Option<u64>,
    /// World units, instead of the seed's offset.
    pub offset: Option<[f64; 3]>,
    /// How it repeats.
    pub repeats: Repeats,
    /// World position along the fourth axis, and what that axis' lattice coordinate gains from each of the others.
    pub fourth: f64,
    pub fourth_skew: f64,
    /// Cells that are added to every position, where samples on a border would lie on either side as rounding has it.
    pub nudge: DVec3,
}

/// How a lattice repeats after a period, each number for each axis.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Repeats {
    /// As it is, after multiples of so many cells, each of so many lattice points.
    AsItIs { multiples: [f64; 3], points: [f64; 3] },
    /// Stretched to whole multiples of so many cells of its frame, each of so many lattice points; from so many wavelengths on.
    Stretched { multiples: [f64; 3], points: [f64; 3], least: f64 },
}

impl Repeats {
    /// After whole cells.
    pub const CELLS: Repeats = Repeats::AsItIs { multiples: [1.0; 3], points: [1.0; 3] };

    /// Lattice points to a cell of the frame.
    fn points(self) -> [f64; 3] {
        match self {
            Repeats::AsItIs { points, .. } | Repeats::Stretched { points, .. } => points,
        }
    }
}

impl Lattice {
    /// On the cubic lattice.
    pub fn cubic(dimensions: u32, wavelength: f64, seed: u64, offset: Option<[f64; 3]>) -> Lattice {
        Lattice {
            skew: cubic(dimensions),
            wavelength,
            seed: Some(seed),
            offset,
            repeats: Repeats::CELLS,
            fourth: 0.0,
            fourth_skew: 0.0,
            nudge: DVec3::ZERO,
        }
    }

    /// Whether the lattice can repeat as its instance asks; else the axis, the period asked for and what would fit.
    pub fn fit(&self, instance: &Instance) -> Result<(), PeriodMismatch> {
        for axis in (0..3).filter(|&axis| self.reads(axis)) {
            let mismatch = |allowed| Err(PeriodMismatch { axis, asked: instance.asked[axis], allowed });
            let cells = instance.period[axis] / self.wavelength;
            if cells.is_nan() {
                return mismatch(Periods::None);
            }
            if cells == 0.0 {
                continue;
            }
            // In the units of the periodic node, which octaves and transforms between it and here have scaled.
            let wavelength = self.wavelength * instance.asked[axis] / instance.period[axis];
            match self.repeats {
                Repeats::AsItIs { multiples, .. } => {
                    let times = cells / multiples[axis];
                    if !(1.0..=MOST_CELLS).contains(&times.round()) || (times - times.round()).abs() > 1e-9 * times {
                        return mismatch(Periods::Multiples(multiples[axis] * wavelength));
                    }
                }
                Repeats::Stretched { least, .. } => {
                    if !(least..=MOST_CELLS).contains(&cells) {
                        return mismatch(Periods::Between(least * wavelength, MOST_CELLS * wavelength));
                    }
                }
            }
        }
        Ok(())
    }

    fn reads(&self, axis: usize) -> bool {
        self.skew.row(axis) != DVec3::ZERO
    }

    pub fn frame(&self, instance: &Instance) -> Frame {
        let seed = instance.seed.with(self.seed.unwrap_or(0));
        let to_lattice = self.to_lattice(instance);
        let world = self.offset.map_or(DVec3::ZERO, DVec3::from);
        let cells = match (self.offset, self.seed) {
            (None, Some(_)) => DVec3::from(seed.offset(LATTICE_REACH)),
            _ => DVec3::ZERO,
        };
        // Only the axes that the basis reads carry an offset.
        let read = DVec3::from([0, 1, 2].map(|axis| if self.reads(axis) { 1.0 } else { 0.0 }));
        let whole = match self.repeats {
            Repeats::AsItIs { .. } => instance.period / self.wavelength,
            Repeats::Stretched { .. } => to_lattice * instance.period,
        };
        let period = (whole * DVec3::from(self.repeats.points())).round() * read;
        let skewed = DVec3::splat(self.fourth_skew(instance) * self.fourth * instance.fourth / self.wavelength);
        let frame = instance.frame(to_lattice, to_lattice * world + cells * read + skewed + self.nudge, seed.bits());
        Frame { period: period.to_array().map(|cells| cells as i32), ..frame }
    }
}

impl Lattice {
    /// Own position → lattice axes: stretched where that makes it repeat.
    fn to_lattice(&self, instance: &Instance) -> DMat3 {
        let plain = self.skew * (1.0 / self.wavelength);
        match self.repeats {
            _ if !instance.is_periodic() => plain,
            Repeats::Stretched { multiples, .. } => {
                let cells = plain * instance.period;
                let stretched = [0, 1, 2].map(|axis| {
                    let multiple = multiples[axis];
                    if cells[axis] > 0.0 { (cells[axis] / multiple).round().max(1.0) * multiple / cells[axis] } else { 1.0 }
                });
                DMat3::from_diagonal(DVec3::from(stretched)) * plain
            }
            Repeats::AsItIs { .. } if self.fourth_skew > 0.0 => skewed(PERIODIC_SKEW_4, DVec3::ONE) * (1.0 / self.wavelength),
            Repeats::AsItIs { .. } => plain,
        }
    }

    fn fourth_skew(&self, instance: &Instance) -> f64 {
        if instance.is_periodic() && self.fourth_skew > 0.0 { PERIODIC_SKEW_4 } else { self.fourth_skew }
    }

    /// The frame of the fourth lattice coordinate, as its first axis.
    pub fn fourth(&self, instance: &Instance) -> Frame {
        let seed = instance.seed.with(self.seed.unwrap_or(0));
        let across = rows([DVec3::splat(self.fourth_skew(instance) / self.wavelength), DVec3::ZERO, DVec3::ZERO]);
        let own = (1.0 + self.fourth_skew(instance)) * self.fourth * instance.fourth / self.wavelength;
        let cells = if self.offset.is_none() { seed.with(4).offset(LATTICE_REACH)[0] } else { 0.0 };
        let world = self.offset.map_or(DVec3::ZERO, DVec3::from);
        instance.frame(across, across * world + DVec3::new(own + cells, 0.0, 0.0), seed.bits())
    }
}

/// A period that a lattice cannot hold: the axis, the period, and what it can hold.
pub(crate) struct PeriodMismatch {
    pub axis: usize,
    pub asked: f64,
    pub allowed: Periods,
}

/// Periods that a lattice can hold, in world units.
pub(crate) enum Periods {
    /// None: it is turned or mirrored.
    None,
    /// Multiples of this, up to [`MOST_CELLS`] of them.
    Multiples(f64),
    /// Any between these.
    Between(f64, f64),
}

impl PeriodMismatch {
    /// The error that names the periodic node and the one that cannot repeat as it asks.
    pub fn error(self, periodic: &str, node: &str) -> ProgramError {
        let allowed = match self.allowed {
            Periods::None => "no period: what is turned, mirrored or measured from a point does not repeat".to_owned(),
            Periods::Multiples(unit) => {
                let below = (self.asked / unit).floor();
                let nearest = if below < 1.0 {
                    short(unit)
                } else if below >= MOST_CELLS {
                    short(MOST_CELLS * unit)
                } else {
                    format!("{} or {}", short(below * unit), short((below + 1.0) * unit))
                };
                format!("multiples of {} up to {} (nearest: {nearest}), and whole lacunarities", short(unit), short(MOST_CELLS * unit))
            }
            Periods::Between(least, most) => format!("from {} up to {}", short(least), short(most)),
        };
        let (periodic, node) = (periodic.to_owned(), node.to_owned());
        ProgramError::Period { periodic, node, axis: ['x', 'y', 'z'][self.axis], value: self.asked, allowed }
    }
}

/// Cells of the longest period: the whole numbers below 2²⁴.
const MOST_CELLS: f64 = 16_777_215.0;

/// The first axes as they are.
pub(crate) fn cubic(dimensions: u32) -> DMat3 {
    DMat3::from_diagonal(DVec3::from([0, 1, 2].map(|axis| if axis < dimensions { 1.0 } else { 0.0 })))
}

/// Cartesian → skewed simplex lattice: every axis gains the sum of the axes times F = (√(n+1) − 1) / n (Gustavson 2005).
pub(crate) fn skew(dimensions: u32) -> DMat3 {
    match dimensions {
        4 => skewed(SKEW_4, DVec3::ONE),
        _ => skewed(1.0 / 3.0, DVec3::ONE),
    }
}

/// The axes, each with f times their sum.
fn skewed(f: f64, axes: DVec3) -> DMat3 {
    DMat3::from_cols(axes * f * axes.x, axes * f * axes.y, axes * f * axes.z) + DMat3::from_diagonal(axes)
}

/// F = (√5 − 1) / 4.
pub(crate) const SKEW_4: f64 = 0.309_016_994_374_947_45;
/// F where a lattice has to repeat: with a third, three cells along an axis are whole steps along all of them. Stretches the
/// simplex by 4 % along its diagonal.
const PERIODIC_SKEW_4: f64 = 1.0 / 3.0;
