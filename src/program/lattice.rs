//! The placement of a lattice: one frame for every instance of its scope, two in 4D.

use super::instance::{Instance, LATTICE_REACH, rows};
use crate::frame::Frame;
use crate::params::short;
use crate::program::ProgramError;
use glam::{DMat3, DMat4, DVec3, DVec4};

/// The placement of a basis' lattice in its scope.
#[derive(Clone, Debug)]
pub(crate) struct Lattice {
    /// Cartesian → lattice axes; unused rows are 0.
    pub skew: DMat3,
    pub wavelength: f64,
    /// Seed of the hash and the lattice offset; without a seed the lattice lies at the origin.
    pub seed: Option<u64>,
    /// Offset in world units, instead of the seed's.
    pub offset: Option<[f64; 3]>,
    /// The periods that the lattice supports.
    pub repeats: Repeats,
    /// World position along the fourth axis, and the contribution of each other axis to that axis' lattice coordinate.
    pub fourth: f64,
    pub fourth_skew: f64,
    /// World units along the fourth axis in which gradients turn once. The fourth coordinate then counts turns instead of cells.
    pub turning: Option<f64>,
    /// The fourth coordinate of a lattice that is turned in 4D, instead of `fourth_skew`.
    pub fourth_turn: Option<FourthTurn>,
    /// Cells added to every position, so that samples on a border are on the same side regardless of rounding.
    pub nudge: DVec3,
}

/// The periods that a lattice supports, with a number for each axis.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Repeats {
    /// Unmodified, for multiples of this many cells with this many lattice points each.
    AsItIs { multiples: [f64; 3], points: [f64; 3] },
    /// Stretched to whole multiples of this many cells of its frame with this many lattice points each, from this many
    /// wavelengths on.
    Stretched { multiples: [f64; 3], points: [f64; 3], least: f64 },
    /// The lattice is turned until its rows lie along the axes, and stretched along them.
    Rows(Rows),
    /// None, and the reason.
    Never(&'static str),
}

/// A lattice with rows of points along the world's axes, for periods.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows {
    /// World axes → lattice axes, per wavelength.
    pub matrix: DMat4,
    /// Wavelengths between the points of a row along each world axis.
    pub units: [f64; 4],
    /// The world axis of each coordinate that is hashed, and its change from one point of the row to the next.
    pub hashed: [(usize, f64); 4],
    /// Minimum period, in wavelengths.
    pub least: f64,
}

/// The coefficients of the fourth axis in the map from the world's axes to those of a lattice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FourthTurn {
    /// The fourth lattice coordinate, by the first three world axes.
    pub across: DVec3,
    /// The first three lattice coordinates, by the fourth world axis.
    pub from: DVec3,
    /// The fourth lattice coordinate, by the fourth world axis.
    pub own: f64,
}

impl FourthTurn {
    /// That of a matrix.
    pub fn of(matrix: DMat4) -> FourthTurn {
        let (across, from) = (matrix.row(3), matrix.col(3));
        FourthTurn { across: across.truncate(), from: from.truncate(), own: from.w }
    }
}

impl Rows {
    /// The number of units in the instance's period along each world axis; 0 without a period.
    fn counts(&self, instance: &Instance, wavelength: f64) -> DVec4 {
        let cells = Self::cells(instance, wavelength);
        DVec4::from([0, 1, 2, 3].map(|axis| if cells[axis] > 0.0 { (cells[axis] / self.units[axis]).round().max(1.0) } else { 0.0 }))
    }

    /// The period in wavelengths.
    fn cells(instance: &Instance, wavelength: f64) -> DVec4 {
        instance.period.extend(instance.w_period * instance.fourth.abs()) / wavelength
    }

    /// World axes → lattice axes, per wavelength, stretched to the period.
    fn stretched(&self, instance: &Instance, wavelength: f64) -> DMat4 {
        let (cells, counts) = (Self::cells(instance, wavelength), self.counts(instance, wavelength));
        let stretch = [0, 1, 2, 3].map(|axis| if cells[axis] > 0.0 { counts[axis] * self.units[axis] / cells[axis] } else { 1.0 });
        self.matrix * DMat4::from_diagonal(DVec4::from(stretch))
    }

    /// The period of each coordinate that is hashed.
    fn period(&self, instance: &Instance, wavelength: f64) -> [i32; 4] {
        let counts = self.counts(instance, wavelength);
        self.hashed.map(|(axis, step)| (counts[axis] * step) as i32)
    }
}

impl Repeats {
    /// Whole cells.
    pub const CELLS: Repeats = Repeats::AsItIs { multiples: [1.0; 3], points: [1.0; 3] };
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
            turning: None,
            fourth_turn: None,
            nudge: DVec3::ZERO,
        }
    }

    /// Checks whether the lattice supports the instance's period; otherwise returns the axis, the period and the supported
    /// periods.
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
            // In the units of the periodic node; octaves and transforms in between have scaled them.
            let wavelength = self.wavelength * instance.asked[axis] / instance.period[axis];
            match self.repeats {
                Repeats::AsItIs { multiples, .. } => {
                    let times = cells / multiples[axis];
                    if !(1.0..=MOST_CELLS).contains(&times.round()) || (times - times.round()).abs() > 1e-9 * times {
                        return mismatch(Periods::Multiples(multiples[axis] * wavelength));
                    }
                }
                Repeats::Stretched { least, .. } | Repeats::Rows(Rows { least, .. }) => {
                    if !(least..=MOST_CELLS).contains(&cells) {
                        return mismatch(Periods::Between(least * wavelength, MOST_CELLS * wavelength));
                    }
                }
                Repeats::Never(reason) => return mismatch(Periods::Never(reason)),
            }
        }
        Ok(())
    }

    /// Checks whether the fourth axis supports the instance's period, like [`fit`](Self::fit).
    pub fn fit_fourth(&self, instance: &Instance) -> Result<(), PeriodMismatch> {
        let asked = instance.w_period;
        let mismatch = |allowed| Err(PeriodMismatch { axis: 3, asked, allowed });
        match self.repeats {
            Repeats::Rows(Rows { least, .. }) if asked > 0.0 => {
                let wavelength = self.wavelength / instance.fourth.abs();
                let fits = (least..=MOST_CELLS).contains(&(asked / wavelength));
                return if fits { Ok(()) } else { mismatch(Periods::Between(least * wavelength, MOST_CELLS * wavelength)) };
            }
            Repeats::Never(reason) if asked > 0.0 => return mismatch(Periods::Never(reason)),
            _ => (),
        }
        let unit = self.turning.unwrap_or_else(|| self.multiple_of_w() * self.wavelength / instance.fourth.abs());
        let times = asked / unit;
        if asked == 0.0 || ((1.0..=MOST_CELLS).contains(&times.round()) && (times - times.round()).abs() <= 1e-9 * times) {
            return Ok(());
        }
        mismatch(Periods::Multiples(unit))
    }

    /// The number of cells that a period along the fourth axis is a multiple of.
    fn multiple_of_w(&self) -> f64 {
        match self.repeats {
            Repeats::AsItIs { multiples, .. } | Repeats::Stretched { multiples, .. } => multiples[0],
            Repeats::Rows(_) | Repeats::Never(_) => 1.0,
        }
    }

    /// The position along the fourth axis, within its period if it has one.
    fn reduced_fourth(&self, instance: &Instance) -> f64 {
        if instance.w_period > 0.0 { self.fourth.rem_euclid(instance.w_period) } else { self.fourth }
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
        // Only axes that the basis reads have an offset.
        let read = DVec3::from([0, 1, 2].map(|axis| if self.reads(axis) { 1.0 } else { 0.0 }));
        let from = self.fourth_turn(instance).from;
        let skewed = from * (self.reduced_fourth(instance) * instance.fourth / self.wavelength);
        let frame = instance.frame(to_lattice, to_lattice * world + cells * read + skewed + self.nudge, seed.bits());
        let (whole, points) = match self.repeats {
            Repeats::AsItIs { points, .. } => (instance.period / self.wavelength, points),
            Repeats::Stretched { points, .. } => (to_lattice * instance.period, points),
            Repeats::Rows(rows) => return Frame { period: rows.period(instance, self.wavelength), ..frame },
            Repeats::Never(_) => return frame,
        };
        let [x, y, z] = ((whole * DVec3::from(points)).round() * read).to_array().map(|cells| cells as i32);
        let w = if self.turning.is_some() { 0.0 } else { (instance.w_period * instance.fourth.abs() / self.wavelength).round() };
        Frame { period: [x, y, z, w as i32], ..frame }
    }
}

impl Lattice {
    /// Own position → lattice axes: stretched if the period requires it.
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
            Repeats::Rows(rows) => DMat3::from_mat4(rows.stretched(instance, self.wavelength)) * (1.0 / self.wavelength),
            Repeats::AsItIs { .. } | Repeats::Never(_) => plain,
        }
    }

    /// The coefficients of the fourth axis for an instance.
    fn fourth_turn(&self, instance: &Instance) -> FourthTurn {
        match (self.repeats, self.fourth_turn) {
            (Repeats::Rows(rows), Some(_)) if instance.is_periodic() => FourthTurn::of(rows.stretched(instance, self.wavelength)),
            (_, Some(turn)) => turn,
            (_, None) => {
                let skew = self.fourth_skew(instance);
                FourthTurn { across: DVec3::splat(skew), from: DVec3::splat(skew), own: 1.0 + skew }
            }
        }
    }

    fn fourth_skew(&self, instance: &Instance) -> f64 {
        if instance.is_periodic() && self.fourth_skew > 0.0 { PERIODIC_SKEW_4 } else { self.fourth_skew }
    }

    /// The frame of the fourth lattice coordinate, as its first axis.
    pub fn fourth(&self, instance: &Instance) -> Frame {
        if let Some(period) = self.turning {
            // Whole turns in a period, so that every octave is the same after it.
            let turns = instance.fourth.abs().round().max(1.0) * self.reduced_fourth(instance) / period;
            return instance.frame(DMat3::ZERO, DVec3::new(turns, 0.0, 0.0), 0);
        }
        let seed = instance.seed.with(self.seed.unwrap_or(0));
        let turn = self.fourth_turn(instance);
        let across = rows([turn.across / self.wavelength, DVec3::ZERO, DVec3::ZERO]);
        let own = turn.own * self.reduced_fourth(instance) * instance.fourth / self.wavelength;
        let cells = if self.offset.is_none() { seed.with(4).offset(LATTICE_REACH)[0] } else { 0.0 };
        let world = self.offset.map_or(DVec3::ZERO, DVec3::from);
        instance.frame(across, across * world + DVec3::new(own + cells, 0.0, 0.0), seed.bits())
    }
}

impl Instance {
    /// Whether a whole number of cells of this size fits into the period.
    pub fn fit_cells(&self, size: [f64; 3]) -> Result<(), PeriodMismatch> {
        (0..3).try_for_each(|axis| {
            let wavelength = size[axis];
            let skew = DMat3::from_diagonal(DVec3::AXES[axis]);
            Lattice { skew, seed: None, ..Lattice::cubic(3, wavelength, 0, None) }.fit(self)
        })
    }
}

/// A period that a lattice does not support: the axis, the period, and the supported ones.
pub(crate) struct PeriodMismatch {
    pub axis: usize,
    pub asked: f64,
    pub allowed: Periods,
}

/// Periods that a lattice supports, in world units.
pub(crate) enum Periods {
    /// None, because it is rotated or mirrored.
    None,
    /// Multiples of this, up to [`MOST_CELLS`] of them.
    Multiples(f64),
    /// Any in this range.
    Between(f64, f64),
    /// None, and the reason.
    Never(&'static str),
}

impl PeriodMismatch {
    /// The error with the names of the periodic node and of the node that cannot repeat.
    pub fn error(self, periodic: &str, node: &str) -> ProgramError {
        let allowed = match self.allowed {
            Periods::Never(reason) => format!("no period: {reason}"),
            Periods::None => "no period: nodes that are rotated, mirrored or relative to a point do not repeat".to_owned(),
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
        ProgramError::Period { periodic, node, axis: ['x', 'y', 'z', 'w'][self.axis], value: self.asked, allowed }
    }
}

/// Maximum number of cells in a period: below 2²⁴.
const MOST_CELLS: f64 = 16_777_215.0;

/// The first axes as they are.
pub(crate) fn cubic(dimensions: u32) -> DMat3 {
    DMat3::from_diagonal(DVec3::from([0, 1, 2].map(|axis| if axis < dimensions { 1.0 } else { 0.0 })))
}

/// Cartesian → skewed simplex lattice: the sum of the axes times F = (√(n+1) − 1) / n is added to every axis (Gustavson 2005).
pub(crate) fn skew(dimensions: u32) -> DMat3 {
    match dimensions {
        4 => skewed(SKEW_4, DVec3::ONE),
        _ => skewed(1.0 / 3.0, DVec3::ONE),
    }
}

/// The axes, each plus f times their sum.
fn skewed(f: f64, axes: DVec3) -> DMat3 {
    DMat3::from_cols(axes * f * axes.x, axes * f * axes.y, axes * f * axes.z) + DMat3::from_diagonal(axes)
}

/// F = (√5 − 1) / 4.
pub(crate) const SKEW_4: f64 = 0.309_016_994_374_947_45;
/// F for a periodic lattice: with one third, three cells along an axis are whole steps along all axes. Stretches the simplex by 4
/// % along its diagonal.
const PERIODIC_SKEW_4: f64 = 1.0 / 3.0;
