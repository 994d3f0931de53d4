//! The CPU backend: the program's operations over blocks of samples, in f32 (the GPU's twin, SIMD) and f64 (the oracle).
//!
//! Every file beside this one that has a namesake in `shaders/lib/` holds the same functions in the same order of
//! operations, generic over [`Real`]. Plain scalar code in loops over lanes; the compiler vectorises it once per
//! instruction set.

mod block;
mod curve;
mod evaluate;
mod fractal;
mod frame;
mod hash;
mod hexagonal;
mod interpolate;
mod jet;
mod lattice;
mod permutation289;
mod point;
mod polar;
mod power;
mod real;
mod root;
mod row;
mod shift;
mod simplex;
mod sine;
mod spline;
pub mod texel;
mod turn;
mod white;
mod worley;

pub use real::Real;

use crate::program::{Program, ProgramError};
use crate::region::Region;
use block::LANES;
use evaluate::{Evaluator, Registers};
use fearless_simd::Level;
use frame::Site;
use rayon::prelude::*;

/// Values, and gradients if they were asked for, in memory order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Samples<R> {
    /// One value per sample.
    pub values: Vec<R>,
    /// One gradient per sample, per world unit.
    pub gradients: Option<Vec<[R; 3]>>,
}

/// The instruction set that the block loops run with on this machine.
pub fn instruction_set() -> String {
    format!("{:?}", Level::new()).split('(').next().unwrap_or("scalar").to_owned()
}

/// Evaluates a region, rows in parallel.
///
/// # Errors
/// The region does not suit the program's lattices.
pub fn field<R: Real>(program: &Program, region: &Region, gradient: bool) -> Result<Samples<R>, ProgramError> {
    let count = region.samples() as usize;
    let mut samples = Samples { values: vec![R::default(); count], gradients: gradient.then(|| vec![[R::default(); 3]; count]) };
    field_into(program, region, &mut samples.values, samples.gradients.as_deref_mut())?;
    Ok(samples)
}

/// Evaluates a region, rows in parallel, into slices of as many samples.
///
/// # Errors
/// The region does not suit the program's lattices.
pub fn field_into<R: Real>(
    program: &Program,
    region: &Region,
    values: &mut [R],
    gradients: Option<&mut [[R; 3]]>,
) -> Result<(), ProgramError> {
    let grids = program.grids(region)?;
    let evaluator = Evaluator::<R>::new(program);
    let (width, height) = (region.size[0] as usize, region.size[1]);
    let row_index = |row: usize| [0, row as u32 % height, row as u32 / height];
    let fill = |registers: &mut Registers<R>, row: usize, values: &mut [R], mut gradients: Option<&mut [[R; 3]]>| {
        for start in (0..width).step_by(LANES) {
            let end = width.min(start + LANES);
            let [_, y, z] = row_index(row);
            let site = Site::Region { grids: &grids, index: [start as u32, y, z] };
            let part = gradients.as_deref_mut().map(|g| &mut g[start..end]);
            evaluator.block(registers, &site, None, &mut values[start..end], part);
        }
    };
    let rows = values.par_chunks_mut(width).enumerate();
    match gradients {
        None => rows.for_each_init(|| evaluator.registers(), |registers, (row, values)| fill(registers, row, values, None)),
        Some(gradients) => rows
            .zip(gradients.par_chunks_mut(width))
            .for_each_init(|| evaluator.registers(), |registers, ((row, values), gradients)| fill(registers, row, values, Some(gradients))),
    }
    Ok(())
}

/// Evaluates any positions.
///
/// # Errors
/// A position does not suit the program's lattices.
pub fn points<R: Real>(program: &Program, positions: &[[f64; 3]], gradient: bool) -> Result<Samples<R>, ProgramError> {
    positions.iter().try_for_each(|&position| program.check_coordinates(position))?;
    let grids = program.point_grids()?;
    let evaluator = Evaluator::<R>::new(program);
    Ok(blocks(&evaluator, positions, gradient, |registers, positions, values, gradients| {
        let site = Site::Points { grids: &grids, frames: &program.tables.frames, positions };
        evaluator.block(registers, &site, None, values, gradients);
    }))
}

/// Evaluates an anchored program at displacements from its anchor.
///
/// # Errors
/// The anchor does not suit the program's lattices.
pub fn anchored<R: Real>(
    program: &Program,
    anchor: [f64; 3],
    displacements: &[[f32; 3]],
    gradient: bool,
) -> Result<Samples<R>, ProgramError> {
    let grids = program.anchored_grids(anchor)?;
    let evaluator = Evaluator::<R>::new(program);
    let site = Site::Region { grids: &grids, index: [0; 3] };
    Ok(blocks(&evaluator, displacements, gradient, |registers, displacements, values, gradients| {
        let mut lanes = [[R::default(); LANES]; 3];
        for (lane, displacement) in displacements.iter().enumerate() {
            for axis in 0..3 {
                lanes[axis][lane] = R::of(f64::from(displacement[axis]));
            }
        }
        evaluator.block(registers, &site, Some(&lanes), values, gradients);
    }))
}

/// Evaluates a list block by block, in parallel.
fn blocks<R: Real, P: Sync>(
    evaluator: &Evaluator<'_, R>,
    positions: &[P],
    gradient: bool,
    fill: impl Fn(&mut Registers<R>, &[P], &mut [R], Option<&mut [[R; 3]]>) + Sync,
) -> Samples<R> {
    let count = positions.len();
    let mut samples = Samples { values: vec![R::default(); count], gradients: gradient.then(|| vec![[R::default(); 3]; count]) };
    let values = samples.values.par_chunks_mut(LANES).zip(positions.par_chunks(LANES));
    match &mut samples.gradients {
        None => values.for_each_init(|| evaluator.registers(), |registers, (values, positions)| fill(registers, positions, values, None)),
        Some(gradients) => values.zip(gradients.par_chunks_mut(LANES)).for_each_init(
            || evaluator.registers(),
            |registers, ((values, positions), gradients)| fill(registers, positions, values, Some(gradients)),
        ),
    }
    samples
}
