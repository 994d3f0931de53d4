//! Where lattices and sines lie: one frame or more for every row of a scope.

use super::seed::Seed;
use crate::frame::Frame;
use crate::graph::{Axis, Coordinate, Fractal, Hash, Hexagonal, Hill, Simplex, Spectral, Transform, Turbulence};
use glam::{DAffine3, DMat3, DVec3};
use std::f64::consts::TAU;

/// Seeded lattice offsets, in cells, and seeded octave offsets, in world units: powers of two, so that they stay exact.
const LATTICE_REACH: f64 = 4096.0;
const OCTAVE_REACH: f64 = 131_072.0;

/// One row of a scope: where its positions lie in the world, and what its seeds depend on.
#[derive(Clone, Copy)]
pub(super) struct Row {
    /// World position → the scope's own position.
    pub map: DAffine3,
    /// The same for displacements. The two differ inside a slice and the like, where displacements and gradients are measured in
    /// a space of its own and no longer in the world.
    pub local: DMat3,
    /// World units per cell where positions are centres of cells: the world is then that of the innermost quantise.
    pub quantum: Option<DVec3>,
    /// Own units after which everything repeats along each axis: 0 for never, NaN where a turn or a mirror has broken it.
    pub period: DVec3,
    /// The same in world units, and as the periodic node asks for it.
    pub repeat: DVec3,
    pub asked: DVec3,
    /// Factor of the fourth axis.
    pub fourth: f64,
    pub seed: Seed,
    /// Bound of the displacement by warps further out.
    pub reach: DVec3,
}

impl Row {
    /// The program's own row.
    pub fn root() -> Row {
        Row {
            map: DAffine3::IDENTITY,
            local: DMat3::IDENTITY,
            quantum: None,
            period: DVec3::ZERO,
            repeat: DVec3::ZERO,
            asked: DVec3::ZERO,
            fourth: 1.0,
            seed: Seed::default(),
            reach: DVec3::ZERO,
        }
    }

    /// The row after a further step: own position → new own position.
    fn then(&self, step: DAffine3) -> Row {
        let period =
            if self.period == DVec3::ZERO || is_diagonal(step.matrix3) { diagonal(step.matrix3).abs() * self.period } else { DVec3::NAN };
        Row { map: step * self.map, local: step.matrix3 * self.local, period, ..*self }
    }

    /// The row of what repeats after a period; none if positions are turned or quantised here, or repeat already.
    pub fn repeated(&self, period: [f64; 3]) -> Option<Row> {
        let asked = DVec3::from(period);
        if !is_diagonal(self.map.matrix3) || self.quantum.is_some() || self.period != DVec3::ZERO {
            return None;
        }
        // An axis along which the position is the same everywhere, or all displacement, is not counted in samples.
        let scale = diagonal(self.map.matrix3).abs();
        let repeat = DVec3::from([0, 1, 2].map(|a| if scale[a] > 0.0 { asked[a] / scale[a] } else { 0.0 }));
        Some(Row { period: asked, repeat, asked, ..*self })
    }

    /// Whether anything repeats here.
    pub fn is_periodic(&self) -> bool {
        self.period != DVec3::ZERO
    }

    /// The frame of lattice coordinates `to_lattice · own position + cells`.
    pub fn frame(&self, to_lattice: DMat3, cells: DVec3, seed: u32) -> Frame {
        Frame {
            linear: to_lattice * self.map.matrix3,
            offset: to_lattice * self.map.translation + cells,
            local: to_lattice * self.local,
            quantum: self.quantum,
            repeat: if self.quantum.is_some() { DVec3::ZERO } else { self.repeat },
            period: [0; 3],
            seed,
        }
    }

    /// The frame of a matrix for displacements and gradients only.
    pub fn matrix(&self, local: DMat3) -> Frame {
        Frame { linear: DMat3::ZERO, offset: DVec3::ZERO, local, quantum: self.quantum, repeat: DVec3::ZERO, period: [0; 3], seed: 0 }
    }

    /// The rows of a fractal's body, one per octave.
    pub fn octaves(&self, n: &Fractal) -> Vec<Row> {
        let turn = turn(n.axis, n.rotation);
        let mut rows = Vec::new();
        let mut matrix = DMat3::IDENTITY;
        let mut fourth = self.fourth;
        for k in 0..n.octaves as usize {
            let seed = Seed::default().with(n.seed).with(k as u64);
            let offset = n.offsets.as_ref().map_or_else(|| seed.offset(OCTAVE_REACH), |offsets| offsets[k]);
            let step = DAffine3::from_mat3(matrix) * DAffine3::from_translation(DVec3::from(offset) + DVec3::from(n.offset));
            rows.push(Row { seed: self.seed.with(n.seed).with(k as u64), fourth, ..self.then(step) });
            matrix = turn.map_or(matrix, |turn| turn * matrix) * n.lacunarity;
            fourth *= n.lacunarity;
        }
        rows
    }

    /// The rows of what displaces a turbulence, three (x, y, z) per octave.
    pub fn displacements(&self, n: &Turbulence) -> Vec<Row> {
        let mut rows = Vec::new();
        let mut factor = 1.0;
        for k in 0..u64::from(n.octaves) {
            for axis in 0..3 {
                let seed = self.seed.with(n.seed).with(k).with(axis);
                rows.push(Row { seed, fourth: self.fourth * factor, ..self.then(DAffine3::from_scale(DVec3::splat(factor))) });
            }
            factor *= n.lacunarity;
        }
        rows
    }

    /// The row of what a transform is applied to.
    pub fn transformed(&self, n: &Transform) -> Row {
        let matrix = DMat3::from_diagonal(DVec3::from(n.scale)) * turn(n.axis, n.rotation).unwrap_or(DMat3::IDENTITY);
        self.then(DAffine3::from_mat3(matrix) * DAffine3::from_translation(DVec3::from(n.offset)))
    }

    /// The row of a slice, and what takes a displacement there: from now on displacements and gradients are the slice's own.
    pub fn sliced(&self, axis: Axis, at: f64) -> (Row, DMat3) {
        let across = direction(axis);
        let flat = DAffine3 { matrix3: DMat3::from_diagonal(DVec3::ONE - across), translation: across * at };
        let row = self.then(flat);
        (Row { local: DMat3::IDENTITY, reach: absolute(row.local) * self.reach, ..row }, row.local)
    }

    /// The row on the near side of a mirror.
    pub fn mirrored(&self, axis: Axis, at: f64) -> Row {
        let across = direction(axis);
        let row = self.then(DAffine3 { matrix3: DMat3::from_diagonal(DVec3::ONE - 2.0 * across), translation: across * (2.0 * at) });
        // What is mirrored on one side only does not repeat.
        Row { period: if across.dot(self.period) == 0.0 { self.period } else { DVec3::NAN }, ..row }
    }

    /// Whether a whole number of cells of this size fits into the period.
    pub fn fit_cells(&self, size: [f64; 3]) -> Result<(), Misfit> {
        (0..3).try_for_each(|axis| {
            let wavelength = size[axis];
            let skew = DMat3::from_diagonal(DVec3::AXES[axis]);
            Place { skew, wavelength, seed: None, offset: None, multiples: [1.0; 3], points: [1.0; 3], fourth: 0.0, fourth_skew: 0.0 }
                .fit(self)
        })
    }

    /// The frame of the cells themselves.
    pub fn cells(&self, size: [f64; 3]) -> Frame {
        let frame = around([0.0; 3], DVec3::from(size).recip(), self);
        Frame { period: (self.period / DVec3::from(size)).round().to_array().map(|cells| cells as i32), ..frame }
    }

    /// The row at the centres of cells of this size.
    pub fn quantised(&self, size: [f64; 3]) -> Row {
        let Row { period, asked, .. } = *self;
        Row { quantum: Some(DVec3::from(size)), map: DAffine3::IDENTITY, period, asked, ..self.placed(DVec3::ZERO) }
    }

    /// The row at a position that is all displacement, at most `reach` from the origin.
    pub fn placed(&self, reach: DVec3) -> Row {
        let map = DAffine3 { matrix3: DMat3::ZERO, translation: DVec3::ZERO };
        // What comes from outside repeats because the values that give the position do.
        let still = DVec3::ZERO;
        Row { map, local: DMat3::IDENTITY, quantum: None, period: still, repeat: still, asked: still, reach, ..*self }
    }
}

/// The rotation by this many degrees; none for 0, so that matrices then stay exactly diagonal.
fn turn(axis: [f64; 3], degrees: f64) -> Option<DMat3> {
    (degrees != 0.0).then(|| DMat3::from_axis_angle(DVec3::from(axis).normalize_or(DVec3::Z), degrees.to_radians()))
}

pub(super) fn direction(axis: Axis) -> DVec3 {
    match axis {
        Axis::X => DVec3::X,
        Axis::Y => DVec3::Y,
        Axis::Z => DVec3::Z,
    }
}

pub(super) fn absolute(m: DMat3) -> DMat3 {
    DMat3::from_cols(m.x_axis.abs(), m.y_axis.abs(), m.z_axis.abs())
}

fn diagonal(m: DMat3) -> DVec3 {
    DVec3::new(m.x_axis.x, m.y_axis.y, m.z_axis.z)
}

fn is_diagonal(m: DMat3) -> bool {
    m == DMat3::from_diagonal(diagonal(m))
}

/// The matrix with these rows.
fn rows(rows: [DVec3; 3]) -> DMat3 {
    DMat3::from_cols(rows[0], rows[1], rows[2]).transpose()
}

/// The coordinate along one axis, from `at` on, as the first lattice axis.
pub(super) fn along(axis: Axis, at: f64, unit: f64, row: &Row) -> Frame {
    let pick = rows([direction(axis), DVec3::ZERO, DVec3::ZERO]) * (1.0 / unit);
    row.frame(pick, DVec3::new(-at / unit, 0.0, 0.0), 0)
}

pub(super) fn coordinate_frame(n: &Coordinate, row: &Row) -> Frame {
    along(n.axis, 0.0, n.unit, row)
}

/// The position relative to a point, stretched along each axis.
pub(super) fn around(centre: [f64; 3], scale: DVec3, row: &Row) -> Frame {
    let stretch = DMat3::from_diagonal(scale);
    row.frame(stretch, stretch * -DVec3::from(centre), 0)
}

/// Where a basis has its lattice in its own scope.
pub(super) struct Place {
    /// Cartesian → lattice axes; rows that the basis does not read are 0.
    pub skew: DMat3,
    pub wavelength: f64,
    /// Seed of hash and lattice offset; without one the lattice lies at the origin.
    pub seed: Option<u64>,
    /// World units, instead of the seed's offset.
    pub offset: Option<[f64; 3]>,
    /// For periods: the cells along each axis of which they must be multiples.
    pub multiples: [f64; 3],
    /// And how many lattice points that is to a cell.
    pub points: [f64; 3],
    /// World position along the fourth axis, and what that axis' lattice coordinate gains from each of the others.
    pub fourth: f64,
    pub fourth_skew: f64,
}

impl Place {
    /// On the cubic lattice.
    pub fn cubic(dimensions: u32, wavelength: f64, seed: u64, offset: Option<[f64; 3]>) -> Place {
        Place {
            skew: cubic(dimensions),
            wavelength,
            seed: Some(seed),
            offset,
            multiples: [1.0; 3],
            points: [1.0; 3],
            fourth: 0.0,
            fourth_skew: 0.0,
        }
    }

    pub fn simplex(n: &Simplex) -> Place {
        // The permutation polynomial has no seed: a seed that is given acts through the offset only.
        let seed = if n.hash == Hash::Integer { Some(n.seed.unwrap_or(0)) } else { n.seed };
        let multiples = if n.dimensions == 2 { [1.0, 2.0, 1.0] } else { [3.0; 3] };
        Place {
            skew: skew(n.dimensions),
            wavelength: n.wavelength,
            seed,
            offset: n.offset,
            multiples,
            points: [1.0; 3],
            fourth: n.w,
            fourth_skew: if n.dimensions == 4 { SKEW_4 } else { 0.0 },
        }
    }

    /// Hexagons that stand on a corner, in axial coordinates; two rows repeat.
    pub fn hexagonal(n: &Hexagonal) -> Place {
        let root = 3f64.sqrt();
        let axial = rows([DVec3::new(1.0, -1.0 / root, 0.0), DVec3::new(0.0, 2.0 / root, 0.0), DVec3::ZERO]);
        let (multiples, points) = ([1.0, root, 1.0], [1.0, 2.0 / root, 1.0]);
        Place {
            skew: axial,
            wavelength: n.wavelength,
            seed: Some(n.seed),
            offset: Some(n.offset),
            multiples,
            points,
            fourth: 0.0,
            fourth_skew: 0.0,
        }
    }

    /// Whether the lattice can repeat as its row asks; else the axis, the period asked for and what would fit.
    pub fn fit(&self, row: &Row) -> Result<(), Misfit> {
        for axis in (0..3).filter(|&axis| self.reads(axis)) {
            let cells = row.period[axis] / self.wavelength;
            if cells.is_nan() {
                return Err(Misfit { axis, asked: row.asked[axis], unit: None });
            }
            let times = cells / self.multiples[axis];
            if cells != 0.0 && (!(1.0..MOST_CELLS).contains(&times.round()) || (times - times.round()).abs() > 1e-9 * times) {
                // In the units of the periodic node, which octaves and transforms between it and here have scaled.
                let unit = self.multiples[axis] * self.wavelength * row.asked[axis] / row.period[axis];
                return Err(Misfit { axis, asked: row.asked[axis], unit: Some(unit) });
            }
        }
        Ok(())
    }

    fn reads(&self, axis: usize) -> bool {
        self.skew.row(axis) != DVec3::ZERO
    }

    pub fn frame(&self, row: &Row) -> Frame {
        let seed = row.seed.with(self.seed.unwrap_or(0));
        let skew = match (row.is_periodic(), self.fourth_skew > 0.0) {
            (true, false) if self.multiples[1] == 2.0 => STAGGERED,
            (true, true) => skewed(PERIODIC_SKEW_4, DVec3::ONE),
            _ => self.skew,
        };
        let to_lattice = skew * (1.0 / self.wavelength);
        let world = self.offset.map_or(DVec3::ZERO, DVec3::from);
        let cells = match (self.offset, self.seed) {
            (None, Some(_)) => DVec3::from(seed.offset(LATTICE_REACH)),
            _ => DVec3::ZERO,
        };
        // Only the axes that the basis reads carry an offset.
        let read = DVec3::from([0, 1, 2].map(|axis| if self.reads(axis) { 1.0 } else { 0.0 }));
        let period = (row.period / self.wavelength * DVec3::from(self.points)).round() * read;
        let skewed = DVec3::splat(self.fourth_skew(row) * self.fourth * row.fourth / self.wavelength);
        let frame = row.frame(to_lattice, to_lattice * world + cells * read + skewed, seed.bits());
        Frame { period: period.to_array().map(|cells| cells as i32), ..frame }
    }
}

impl Place {
    fn fourth_skew(&self, row: &Row) -> f64 {
        if row.is_periodic() && self.fourth_skew > 0.0 { PERIODIC_SKEW_4 } else { self.fourth_skew }
    }

    /// The frame of the fourth lattice coordinate, as its first axis.
    pub fn fourth(&self, row: &Row) -> Frame {
        let seed = row.seed.with(self.seed.unwrap_or(0));
        let across = rows([DVec3::splat(self.fourth_skew(row) / self.wavelength), DVec3::ZERO, DVec3::ZERO]);
        let own = (1.0 + self.fourth_skew(row)) * self.fourth * row.fourth / self.wavelength;
        let cells = if self.offset.is_none() { seed.with(4).offset(LATTICE_REACH)[0] } else { 0.0 };
        let world = self.offset.map_or(DVec3::ZERO, DVec3::from);
        row.frame(across, across * world + DVec3::new(own + cells, 0.0, 0.0), seed.bits())
    }
}

/// A period that a lattice cannot hold: the axis, the period, and of what it should be a multiple (nothing fits a lattice that
/// is turned or mirrored).
pub(super) struct Misfit {
    pub axis: usize,
    pub asked: f64,
    pub unit: Option<f64>,
}

/// Cells of the longest period.
const MOST_CELLS: f64 = 16_777_216.0;

/// Cartesian → simplex lattice in 2D, where that has to repeat along x and y: rows one cell apart, points one cell apart in each,
/// every second row shifted by half a cell (the lattice of Gustavson and McEwan 2022, "Tiling simplex noise and flow noise in two
/// and three dimensions"). The equilateral one repeats along no axis.
const STAGGERED: DMat3 = DMat3::from_cols(DVec3::X, DVec3::new(0.5, 1.0, 0.0), DVec3::ZERO);

/// The first axes as they are.
fn cubic(dimensions: u32) -> DMat3 {
    DMat3::from_diagonal(DVec3::from([0, 1, 2].map(|axis| if axis < dimensions { 1.0 } else { 0.0 })))
}

/// Cartesian → simplex lattice: every axis gains the sum of the axes times F = (√(n+1) − 1) / n (Gustavson 2005).
fn skew(dimensions: u32) -> DMat3 {
    match dimensions {
        2 => skewed((3f64.sqrt() - 1.0) / 2.0, DVec3::new(1.0, 1.0, 0.0)),
        4 => skewed(SKEW_4, DVec3::ONE),
        _ => skewed(1.0 / 3.0, DVec3::ONE),
    }
}

/// The axes, each with f times their sum.
fn skewed(f: f64, axes: DVec3) -> DMat3 {
    DMat3::from_cols(axes * f * axes.x, axes * f * axes.y, axes * f * axes.z) + DMat3::from_diagonal(axes)
}

/// F = (√5 − 1) / 4.
const SKEW_4: f64 = 0.309_016_994_374_947_45;
/// The same where a lattice has to repeat: with a third, three cells along an axis are whole steps along all of them. Stretches the
/// simplex by 4 % along its diagonal.
const PERIODIC_SKEW_4: f64 = 1.0 / 3.0;

/// One sine, or a pair or triple along the axes of an orthonormal basis: its frame counts turns.
struct Wave {
    /// Turns per world unit along each of its axes; 0 where it has none.
    axes: [DVec3; 3],
    /// Turns at the origin.
    phases: DVec3,
}

impl Wave {
    /// Under a period every wave vector is moved to the nearest that repeats: whole turns along each axis that does.
    fn frame(&self, row: &Row) -> Frame {
        let snapped = self.axes.map(|axis| {
            let turns = |a: usize| if row.period[a] > 0.0 { (axis[a] * row.period[a]).round() / row.period[a] } else { axis[a] };
            DVec3::from([0, 1, 2].map(turns))
        });
        row.frame(rows(snapped), self.phases, 0)
    }
}

impl Row {
    /// The axis along which even the longest of some waves, of these world units, does not fit into the period.
    pub fn too_short(&self, longest: f64, dimensions: u32) -> Option<Misfit> {
        let short = |&axis: &usize| self.period[axis].is_nan() || (self.period[axis] > 0.0 && self.period[axis] < longest);
        let axis = (0..dimensions as usize).find(short)?;
        let unit = (!self.period[axis].is_nan()).then(|| longest * self.asked[axis] / self.period[axis]);
        Some(Misfit { axis, asked: self.asked[axis], unit })
    }
}

/// Phases as they are given, in radians, or as the seed has them.
fn phases(given: Option<&Vec<f64>>, i: usize, dimensions: usize, seed: Seed) -> DVec3 {
    match given {
        Some(radians) => DVec3::from(std::array::from_fn(|d| if d < dimensions { radians[i * dimensions + d] / TAU } else { 0.0 })),
        None => DVec3::from(seed.with(i as u64).offset(1.0)),
    }
}

impl Hill {
    /// The size of every sine.
    pub(crate) fn all_sizes(&self) -> Vec<f64> {
        let count = f64::from(self.sines);
        let exponent = -libm::log(self.smoothness);
        let size = |i: u32| libm::pow((f64::from(i) + 0.5) / (count + 1.0), exponent);
        self.sizes.clone().unwrap_or_else(|| (0..self.sines).map(size).collect())
    }

    /// The amplitude of every sine, of which each dimension has as many: together they reach 1.
    pub(crate) fn amplitudes(&self) -> Vec<f64> {
        let order = self.order();
        let sizes = self.all_sizes();
        let total = sizes.iter().sum::<f64>() * f64::from(self.dimensions);
        order.iter().map(|&i| sizes[i] / total).collect()
    }

    /// Which size each direction takes: shuffled in 3D, so that neighbouring directions have different sizes (Schretter, Kobbelt
    /// and Dehaye 2012, as the article uses it).
    fn order(&self) -> Vec<usize> {
        let count = self.all_sizes().len();
        if self.dimensions < 3 {
            return (0..count).collect();
        }
        let golden = (5f64.sqrt() + 1.0) / 2.0;
        let index = (libm::log((count as f64 - 1.0) * 5f64.sqrt() + 0.5) / libm::log(golden)).floor();
        let down = (0.5 + libm::pow(golden, index) / 5f64.sqrt()).floor() as usize;
        let up = (0.5 + down as f64 / golden).floor() as usize;
        let mut j = 0;
        let step = |_| {
            if j >= down {
                j -= down;
            } else {
                j += up;
                if j >= count {
                    j -= down;
                }
            }
            j
        };
        (0..count).map(step).collect()
    }

    /// The frames of one row, sine by sine.
    pub(super) fn frames(&self, row: &Row) -> Vec<Frame> {
        let seed = row.seed.with(self.seed);
        let sizes = self.all_sizes();
        let wave = |(i, &j): (usize, &usize)| {
            let per_unit = 1.0 / (TAU * sizes[j] * self.unit);
            let mut phases = phases(self.offsets.as_ref(), i, self.dimensions as usize, seed);
            if self.dimensions == 3 {
                // The article's third form takes cosines.
                phases += DVec3::splat(0.25);
            }
            Wave { axes: directions(self.dimensions, i, j, self.spread / 360.0).map(|axis| axis * per_unit), phases }.frame(row)
        };
        self.order().iter().enumerate().map(wave).collect()
    }
}

/// The axes of sine i: x; or turned by the golden ratio; or a basis around a direction that follows it over the sphere, with
/// the polar angle from j. (The article's 3D code exchanges the two angles where it forms the basis.)
fn directions(dimensions: u32, i: usize, j: usize, spread: f64) -> [DVec3; 3] {
    let golden = (5f64.sqrt() + 1.0) / 2.0;
    let turns = |k: usize| (k as f64 * golden).fract();
    let angle = TAU * turns(i) * if dimensions == 2 { spread } else { 1.0 };
    let (sin, cos) = (libm::sin(angle), libm::cos(angle));
    match dimensions {
        1 => [DVec3::X, DVec3::ZERO, DVec3::ZERO],
        2 => [DVec3::new(cos, -sin, 0.0), DVec3::new(-sin, -cos, 0.0), DVec3::ZERO],
        _ => {
            let height = -1.0 + 2.0 * turns(j);
            let across = (1.0 - height * height).sqrt();
            let outward = DVec3::new(across * cos, across * sin, height);
            let down = DVec3::new(height * cos, height * sin, -across);
            [outward, down, outward.cross(down)]
        }
    }
}

impl Spectral {
    /// The frequency of every sine.
    pub(crate) fn all_frequencies(&self) -> Vec<f64> {
        self.frequencies.clone().unwrap_or_else(|| (1..=self.count).map(f64::from).collect())
    }

    /// The amplitude of every sine, normalisation included.
    pub(crate) fn all_amplitudes(&self) -> Vec<f64> {
        let power = |f: f64| libm::pow(f, self.exponent);
        let plain = self.amplitudes.clone().unwrap_or_else(|| self.all_frequencies().into_iter().map(power).collect());
        let total: f64 = plain.iter().map(|a| a.abs()).sum();
        let divide = self.normalise && total > 0.0;
        plain.into_iter().map(|a| if divide { a / total } else { a }).collect()
    }

    /// The frames of one row, sine by sine.
    pub(super) fn frames(&self, row: &Row) -> Vec<Frame> {
        let seed = row.seed.with(self.seed);
        let wave = |(i, f): (usize, f64)| {
            let phases = phases(self.phases.as_ref(), i, 1, seed);
            Wave { axes: [DVec3::X * (f / self.length), DVec3::ZERO, DVec3::ZERO], phases: DVec3::new(phases.x, 0.0, 0.0) }.frame(row)
        };
        self.all_frequencies().into_iter().enumerate().map(wave).collect()
    }
}

impl Hexagonal {
    /// The permutation and the gradients, given or from the seed: shuffled by Fisher and Yates, and points of a cube scaled to
    /// length 1 as in the article.
    pub(super) fn tables(&self) -> Vec<f64> {
        let seed = Seed::default().with(self.seed);
        let share = |stream: u64, i: u64| seed.with(stream).with(i).offset(1.0);
        let shuffled = || {
            let mut order: Vec<f64> = (0..256).map(f64::from).collect();
            for i in (1..256usize).rev() {
                let j = ((share(0, i as u64)[0] * 0.5 + 0.5) * (i as f64 + 1.0)) as usize;
                order.swap(i, j.min(i));
            }
            order
        };
        let random = || (0..32).map(|i| DVec3::from(share(1, i)).normalize_or(DVec3::X).to_array()).collect();
        let mut tables = self.permutation.clone().unwrap_or_else(shuffled);
        let gradients: Vec<[f64; 3]> = self.gradients.clone().unwrap_or_else(random);
        tables.extend(gradients.as_flattened());
        tables
    }
}
