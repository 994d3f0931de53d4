//! The CPU backend: the program's operations over blocks of samples, in f32 (the GPU's twin, SIMD) and f64 (the oracle).
//!
//! Every file beside this one that has a namesake in `shaders/lib/` holds the same functions in the same order of
//! operations. The lattices are generic over [`number::Number`], one number or sixteen in a register ([`vector`]), compiled once per
//! instruction set ([`level`]); the rest is generic over [`Real`], plain code in loops over lanes, which the compiler vectorises.

mod eval;
pub(crate) mod lib;
pub(crate) mod passes;
pub(crate) mod simd;

use crate::field::Samples;
use crate::program::{Program, ProgramError};
use crate::region::Region;
use eval::coordinates::{Site, Track};
use eval::evaluate::{Evaluator, Registers};
use fearless_simd::Level;
use rayon::prelude::*;
use simd::Real;
use simd::block::LANES;

/// The instruction set that the block loops run with on this token.
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
    field_by(Level::new(), program, region, values, gradients)
}

/// With an instruction set.
fn field_by<R: Real>(
    simd: Level,
    program: &Program,
    region: &Region,
    values: &mut [R],
    gradients: Option<&mut [[R; 3]]>,
) -> Result<(), ProgramError> {
    let grids = program.grids(region)?;
    let tracks = Track::all(&grids);
    let evaluator = Evaluator::<R>::new(simd, program);
    let (width, height) = (region.size[0] as usize, region.size[1] as usize);
    // Down a strip as wide as a block, then the next strip: neighbouring rows share what depends on x alone.
    let fill = |registers: &mut Registers<R>, first: usize, values: &mut [R], mut gradients: Option<&mut [[R; 3]]>| {
        for x in (0..width).step_by(LANES) {
            for (row, values) in values.chunks_mut(width).enumerate() {
                let end = width.min(x + LANES);
                let index = [x, (first + row) % height, (first + row) / height].map(|i| i as u32);
                let site = Site::Region { grids: &grids, tracks: &tracks, index };
                let part = gradients.as_deref_mut().map(|g| &mut g[row * width..][x..end]);
                evaluator.block(registers, &site, None, &mut values[x..end], part);
            }
        }
    };
    let rows = rows_per_job(region.size);
    let jobs = values.par_chunks_mut(rows * width).enumerate();
    match gradients {
        None => jobs.for_each_init(|| evaluator.registers(), |registers, (job, values)| fill(registers, job * rows, values, None)),
        Some(gradients) => {
            jobs.zip(gradients.par_chunks_mut(rows * width)).for_each_init(
                || evaluator.registers(),
                |registers, ((job, values), gradients)| fill(registers, job * rows, values, Some(gradients)),
            );
        }
    }
    Ok(())
}

/// Rows that one thread evaluates in one go: many, since neighbours share work, but some jobs for every thread.
fn rows_per_job(size: [u32; 3]) -> usize {
    let rows = size[1] as usize * size[2] as usize;
    (rows / (4 * rayon::current_num_threads())).clamp(1, 64)
}

/// Evaluates any positions.
///
/// # Errors
/// A position does not suit the program's lattices.
pub fn points<R: Real>(program: &Program, positions: &[[f64; 3]], gradient: bool) -> Result<Samples<R>, ProgramError> {
    positions.iter().try_for_each(|&position| program.check_coordinates(position))?;
    let grids = program.point_grids()?;
    let evaluator = Evaluator::<R>::new(Level::new(), program);
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
    let evaluator = Evaluator::<R>::new(Level::new(), program);
    let tracks = Track::all(&grids);
    let site = Site::Region { grids: &grids, tracks: &tracks, index: [0; 3] };
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]

    use crate::cpu::*;
    use crate::graph::{Graph, Noise, Perlin, Value};
    use crate::recipe::Recipe;
    use crate::stage::Pipeline;

    /// Every instruction set of this token, down to none.
    fn levels() -> Vec<Level> {
        let level = Level::new();
        #[cfg(target_arch = "x86_64")]
        let lower = [level.as_avx2().map(Level::Avx2), level.as_sse2().map(Level::Sse2)];
        #[cfg(not(target_arch = "x86_64"))]
        let lower = [None::<Level>; 2];
        lower.into_iter().flatten().chain([level]).collect()
    }

    #[test]
    fn instruction_sets_agree_bit_for_bit() {
        let recipes = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/recipes")).unwrap();
        let recipes = recipes.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|e| e == "toml"));
        let noise = |pipeline: &Pipeline| pipeline.noise_of(pipeline.underneath().unwrap()).unwrap().graph().clone();
        let mut all: Vec<(String, Graph)> =
            recipes.map(|path| (path.display().to_string(), noise(&Recipe::load(&path).unwrap().pipeline))).collect();
        assert!(all.len() > 20);
        // Cells smaller than a sample to much larger than a block: each has another way of looking its columns up.
        for (dimensions, wavelength) in (1..=3).flat_map(|d| [0.55, 0.7, 1.1, 1.7, 3.0, 20.0, 500.0].map(|w| (d, w))) {
            let name = format!("{dimensions}D, wavelength {wavelength}");
            let value = Noise::value(Value { dimensions, wavelength, ..Default::default() });
            let perlin = Noise::perlin(Perlin { dimensions, wavelength, ..Default::default() });
            all.extend([value, perlin].map(|noise| (name.clone(), noise.graph().clone())));
        }
        for (name, graph) in all {
            let program = Program::new(&graph).unwrap();
            // Wider than a block, and no multiple of a chunk; far from the origin, where cells are large.
            let region = Region { origin: [1_000_003, -7, 0], ..Region::plane(150, 5) };
            let sets = levels().into_iter().map(|level| {
                let (mut values, mut gradients) = (vec![f32::NAN; 750], vec![[f32::NAN; 3]; 750]);
                field_by(level, &program, &region, &mut values, None).unwrap();
                let alone: Vec<u32> = values.iter().map(|v| v.to_bits()).collect();
                field_by(level, &program, &region, &mut values, Some(&mut gradients)).unwrap();
                let beside: Vec<u32> = values.iter().chain(gradients.as_flattened()).map(|v| v.to_bits()).collect();
                assert_eq!(alone, beside[..750], "{name}");
                beside
            });
            let sets: Vec<Vec<u32>> = sets.collect();
            assert!(sets.windows(2).all(|pair| pair[0] == pair[1]), "{name}");
        }
    }
}
