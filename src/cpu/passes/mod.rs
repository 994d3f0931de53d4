//! Passes over blocks on the CPU: f32 is the GPU's twin, f64 the oracle.
//!
//! Every file beside this one that has a namesake in `shaders/passes/` holds the same functions in the same order of operations.

mod adjacent;
mod colour;
mod fourier;
mod gully;
mod hydraulic;
mod lattice;
mod point;
mod stencil;
mod surface;
mod thermal;
mod window;

use crate::cpu::simd::dispatch::plain;
use crate::cpu::simd::real::unsigned_zero;
use crate::cpu::simd::{Real, vectorised};
use crate::schedule::Block;
use crate::schedule::{Pass, PlaneId, Schedule, Source, Step};
use fearless_simd::Level;
use rayon::prelude::*;
use stencil::{EdgeStencil, InnerStencil, PassInputs, Plane, Stencil};

/// The numbers of a pass, as many as any can have.
pub fn numbers<R: Real>(step: &Step) -> [R; 16] {
    std::array::from_fn(|i| step.numbers.get(i).map_or(R::default(), |&x| R::of(x)))
}

/// A pass as a function of a sample.
trait Twin<R: Real, const N: usize, const M: usize> {
    /// Whether it reads no further than the eight neighbours.
    const CLOSE: bool;
    fn of(at: impl Stencil<R>) -> [R; M];
}

/// Runs a schedule; `fill` computes the planes of a source. What comes out: for each output, for each channel, the wanted samples.
///
/// # Errors
/// What `fill` returns.
pub fn run<R: Real, E>(
    schedule: &Schedule,
    block: &Block,
    mut fill: impl FnMut(&Source) -> Result<Vec<Vec<R>>, E>,
) -> Result<Vec<Vec<Vec<R>>>, E> {
    let count = block.region.samples() as usize;
    let (place, places) = schedule.places(false);
    let mut planes: Vec<Vec<R>> = vec![Vec::new(); places];
    for source in &schedule.sources {
        let ids = match source {
            Source::Given { plane, .. } | Source::Values { plane, .. } => vec![*plane],
            Source::Jets { planes, .. } => planes.to_vec(),
        };
        for (id, values) in ids.iter().zip(fill(source)?) {
            planes[place[id.0]] = values;
        }
    }
    for (step, margin) in schedule.steps.iter().zip(schedule.step_margins()) {
        let mut written: Vec<Vec<R>> = step.writes.iter().map(|plane| std::mem::take(&mut planes[place[plane.0]])).collect();
        for plane in &mut written {
            // The standard library asks the system for zeros; a plane that is used again keeps what it has.
            if plane.len() != count {
                *plane = vec![R::default(); count];
            }
        }
        let read: Vec<&[R]> = step.reads.iter().map(|read| &planes[place[read.plane.0]][..]).collect();
        pass(step, &read, &mut written, block, margin);
        for (plane, values) in step.writes.iter().zip(written) {
            planes[place[plane.0]] = values;
        }
    }
    let crop = |plane: &PlaneId| cropped(&planes[place[plane.0]], block);
    Ok(schedule.outputs.iter().map(|channels| channels.iter().map(crop).collect()).collect())
}

/// The wanted samples of a plane.
fn cropped<R: Copy>(values: &[R], block: &Block) -> Vec<R> {
    let (first, size) = block.needed(0);
    let width = block.region.size[0] as usize;
    let rows = values.chunks_exact(width).skip(first[1] as usize).take(size[1] as usize);
    rows.flat_map(|row| &row[first[0] as usize..][..size[0] as usize]).copied().collect()
}

macro_rules! twins {
    ($step:expr, $rest:expr; $( $pass:ident: $reads:literal => $writes:literal, $close:literal, $twin:path; )+) => {
        match $step.pass {
            $( Pass::$pass => {
                struct Of;
                impl<R: Real> Twin<R, $reads, $writes> for Of {
                    const CLOSE: bool = $close;
                    #[inline(always)]
                    fn of(at: impl Stencil<R>) -> [R; $writes] {
                        $twin(at)
                    }
                }
                rows($step, $rest, row::<R, Of, $reads, $writes>)
            } )+
        }
    };
}

/// What a pass works on.
struct Over<'a, R> {
    read: &'a [&'a [R]],
    written: &'a mut [Vec<R>],
    block: &'a Block,
    margin: u32,
}

/// Which function is which pass. The last word says whether it reads no further than the eight neighbours.
fn pass<R: Real>(step: &Step, read: &[&[R]], written: &mut [Vec<R>], block: &Block, margin: u32) {
    let over = Over { read, written, block, margin };
    twins! { step, over;
        Fill: 0 => 1, true, point::fill;
        Scale: 1 => 1, true, point::scale;
        Stretch: 1 => 1, true, point::stretch;
        Rank: 1 => 1, false, point::rank;
        Mask: 1 => 1, true, point::mask;
        Add: 2 => 1, true, point::add;
        Subtract: 2 => 1, true, point::subtract;
        Multiply: 2 => 1, true, point::multiply;
        Minimum: 2 => 1, true, point::minimum;
        Maximum: 2 => 1, true, point::maximum;
        Blend: 3 => 1, true, point::blend;
        Ocean: 1 => 4, true, point::ocean;
        AdjacentMinimum: 1 => 1, false, adjacent::minimum;
        AdjacentMaximum: 1 => 1, false, adjacent::maximum;
        AdjacentMean: 1 => 1, false, adjacent::mean;
        AdjacentDifference: 1 => 1, false, adjacent::difference;
        Gaussian: 1 => 1, false, window::gaussian;
        Median: 1 => 1, false, window::median;
        Occlusion: 1 => 1, false, window::occlusion;
        Slope: 1 => 1, true, surface::slope;
        SlopeDegrees: 1 => 1, true, surface::degrees;
        CurvatureMean: 1 => 1, true, surface::mean;
        CurvaturePlan: 1 => 1, true, surface::plan;
        CurvatureProfile: 1 => 1, true, surface::profile;
        Normal: 1 => 3, true, surface::normal;
        Hillshade: 1 => 1, true, surface::hillshade;
        Gradient: 1 => 2, true, surface::gradient;
        Thermal: 1 => 1, true, thermal::slide;
        HydraulicFlow: 6 => 4, true, hydraulic::flow;
        HydraulicCarry: 6 => 1, true, hydraulic::carry;
        HydraulicWater: 6 => 3, true, hydraulic::water;
        HydraulicSoil: 6 => 3, true, hydraulic::soil;
        Gully: 3 => 2, false, gully::carve;
        Colour: 1 => 4, false, colour::ramp;
        White: 0 => 1, false, lattice::white;
        Corners: 0 => 1, false, lattice::corners;
        Diamond: 1 => 1, false, lattice::diamond;
        Square: 1 => 1, false, lattice::square;
        Midpoint: 1 => 1, false, lattice::midpoint;
        Voss: 0 => 1, false, lattice::voss;
        Tile: 0 => 1, false, lattice::tile;
        Fourier: 2 => 2, false, fourier::round;
        Spectrum: 1 => 1, false, fourier::shape;
    }
}

/// A row of a pass: what it reads, and where it writes.
struct Row<'a, R> {
    planes: &'a [Plane<'a, R>],
    inputs: &'a PassInputs<'a, R>,
    size: [usize; 2],
    /// The columns that are needed.
    from: usize,
    to: usize,
    y: usize,
    level: Level,
}

/// The rows that a pass writes, of every plane; there are no more than four.
type Written<'a, R> = [&'a mut [R]; 4];

/// Runs a pass over the rows that are needed, in parallel. Not generic over passes: what runs threads would be compiled for each.
fn rows<R: Real>(step: &Step, over: Over<'_, R>, run: fn(&Row<'_, R>, Written<'_, R>)) {
    let Over { read, written, block, margin } = over;
    let size @ [width, height] = [0, 1].map(|a| block.region.size[a] as usize);
    let ([x, y], [columns, lines]) = block.needed(margin);
    let (from, to) = (x as usize, (x + columns) as usize);
    let zero = step.pass.info().zero;
    let planes: Vec<Plane<'_, R>> = read.iter().enumerate().map(|(i, &values)| Plane { values, zero: zero.contains(&i) }).collect();
    let table: Vec<R> = step.table.iter().flat_map(|table| table.iter().map(|&x| R::of(x))).collect();
    let inputs = PassInputs { numbers: &numbers(step), table: &table, index: block.index(), level: block.region.level };
    let mut all: Vec<_> = written.iter_mut().map(|plane| plane.chunks_exact_mut(width)).collect();
    let mut next = |i: usize| all.get_mut(i).and_then(Iterator::next).map_or(&mut [][..], |row| &mut row[from..to]);
    let out: Vec<Written<'_, R>> = (0..height).map(|_| std::array::from_fn(&mut next)).collect();
    let level = Level::new();
    out.into_par_iter().enumerate().skip(y as usize).take(lines as usize).for_each(|(y, out)| {
        run(&Row { planes: &planes, inputs: &inputs, size, from, to, y, level }, out);
    });
}

/// One row of a pass.
fn row<R: Real, T: Twin<R, N, M>, const N: usize, const M: usize>(row: &Row<'_, R>, written: Written<'_, R>) {
    let &Row { inputs, size: [width, height], from, to, y, level, .. } = row;
    let planes: [Plane<'_, R>; N] = std::array::from_fn(|i| row.planes[i]);
    let mut written = written.into_iter();
    let mut out: [&mut [R]; M] = std::array::from_fn(|_| written.next().unwrap_or_default());
    let size = [width as i32, height as i32];
    let anywhere = |x: usize, out: &mut [&mut [R]; M]| {
        let found = T::of(EdgeStencil { planes: &planes, size, at: [x as i32, y as i32], inputs });
        for (out, value) in out.iter_mut().zip(found) {
            out[x - from] = unsigned_zero(value);
        }
    };
    let (first, last) = (from.max(1), to.min(width.saturating_sub(1)));
    let inner = const { T::CLOSE && size_of::<R>() == 4 } && !plain::<R>(level) && y != 0 && y + 1 < height && last >= first + CHUNK;
    // One loop for both ends: the pass is compiled once for them.
    let mut x = from;
    while x < to {
        if inner && x == first {
            x = last;
            continue;
        }
        anywhere(x, &mut out);
        x += 1;
    }
    if const { T::CLOSE && size_of::<R>() == 4 } {
        if !inner {
            return;
        }
        let around: [[&[R]; 9]; N] = std::array::from_fn(|plane| {
            std::array::from_fn(|k| &planes[plane].values[(y + k / 3 - 1) * width + first + k % 3 - 1..][..last - first])
        });
        let mut out = out.map(|row| &mut row[first - from..last - from]);
        let first = [first as i32, y as i32];
        vectorised!(R, level, plain: false, wide: true, _token => inside::<R, T, N, M>(&around, first, inputs, &mut out));
    }
}

/// Samples that are computed before any is stored: results lie where nothing else can, so the compiler need not fear that a store
/// changes what is read next.
const CHUNK: usize = 64;

/// A row of [`CHUNK`] and more samples none of whose neighbours lies outside.
#[inline(always)]
fn inside<R: Real, T: Twin<R, N, M>, const N: usize, const M: usize>(
    around: &[[&[R]; 9]; N],
    first: [i32; 2],
    inputs: &PassInputs<'_, R>,
    out: &mut [&mut [R]; M],
) {
    let count = out.first().map_or(0, |row| row.len());
    let mut start = 0;
    while start < count {
        // The last chunk goes back, and computes some samples once more.
        let from = start.min(count.saturating_sub(CHUNK));
        let mut near = *around;
        for plane in &mut near {
            for row in plane {
                // The compiler has to see that all slices are as long as the loop.
                *row = &row[from..][..CHUNK];
            }
        }
        let mut found = [[R::default(); CHUNK]; M];
        for i in 0..CHUNK {
            let sample = T::of(InnerStencil { around: &near, i, first: [first[0] + from as i32, first[1]], inputs });
            for k in 0..M {
                found[k][i] = unsigned_zero(sample[k]);
            }
        }
        for k in 0..M {
            out[k][from..][..CHUNK].copy_from_slice(&found[k]);
        }
        start = from + CHUNK;
    }
}
