//! Noises: prepared on an engine, for many calls.

use crate::args::{Place, check_count, optional_text, slice, slice_mut, value};
use crate::guard::guard;
use crate::handle::{Kind, borrow, free, give};
use crate::open::OrogenEngine;
use crate::recipe::OrogenRecipe;
use crate::region::OrogenRegion;
use crate::shared::Shared;
use crate::status::{Fault, OrogenError, OrogenStatus};
use engine::{Gradient, Prepared, Region};
use std::ffi::c_char;

/// A noise of a recipe on an engine, lowered once: what a program keeps for as long as it asks about that noise.
pub struct OrogenNoise {
    _opaque: [u8; 0],
}

impl Kind for OrogenNoise {
    const MAGIC: u64 = u64::from_le_bytes(*b"orogenNO");
    const NAME: &'static str = "noise";
    type Value = Shared<Prepared>;
}

/// Prepares the noise of a recipe's node into `*noise`, which is NULL after a failure. `node` may be NULL for the recipe's output, which
/// must be a node then: what stages give is no function of position, and `orogen_layers` has it. The noise keeps what it needs of engine and
/// recipe, which may be freed before it. The caller frees it with `orogen_noise_free`.
///
/// Fails with NULL, HANDLE, UTF8, RECIPE (no such node, or a stage), NOISE (it cannot be evaluated).
///
/// Any thread.
///
/// # Safety
/// The handles have not been freed, strings end in 0, and the pointers are NULL or point at what their types say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_noise_prepare(
    engine: *const OrogenEngine,
    recipe: *const OrogenRecipe,
    node: *const c_char,
    noise: *mut *mut OrogenNoise,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the pointers are the caller's, as the header asks for them.
    unsafe {
        guard(error, || {
            let place = Place::new("noise", noise)?;
            place.set(std::ptr::null_mut());
            let (engine, recipe, node) = (borrow(engine)?, borrow(recipe)?.get(), optional_text("node", node)?);
            let node = node.unwrap_or(&recipe.pipeline.output);
            place.set(give(Shared::new(engine.prepare(&recipe.pipeline.noise_of(node)?)?)));
            Ok(())
        })
    }
}

/// The proven range: no value that any function here gives is below `*low` or above `*high`. They are infinite where nothing is proven.
///
/// Fails with NULL, HANDLE, ARGUMENT (unaligned).
///
/// Any thread.
///
/// # Safety
/// The handle has not been freed, and the pointers are NULL or point at what their types say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_noise_range(
    noise: *const OrogenNoise,
    low: *mut f64,
    high: *mut f64,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the pointers are the caller's, as the header asks for them.
    unsafe {
        guard(error, || {
            let (noise, low, high) = (borrow(noise)?, Place::new("low", low)?, Place::new("high", high)?);
            let range = noise.get().range();
            low.set(range.lo);
            high.set(range.hi);
            Ok(())
        })
    }
}

/// Values on a region, x fastest, then y, then z, into `values`, which holds `value_count` numbers: as many as the region has samples.
/// With `gradients` not NULL also gradients per world unit, three numbers for each sample, of which it holds `gradient_count`; without,
/// `gradient_count` is 0. Values cost a third to two thirds more with gradients. On the CPU nothing of the region's size is allocated; other
/// backends hold the region once more.
///
/// Fails with NULL, HANDLE, REGION, SIZE (other numbers of numbers), NOISE (it cannot be evaluated there), DEVICE. What is in the buffers
/// after a failure means nothing.
///
/// Any thread; several at once, of one noise too.
///
/// # Safety
/// The handle has not been freed; the buffers hold as much as is said, do not overlap, and nobody else uses them during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_noise_field(
    noise: *const OrogenNoise,
    region: *const OrogenRegion,
    values: *mut f32,
    value_count: usize,
    gradients: *mut f32,
    gradient_count: usize,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the pointers are the caller's, as the header asks for them.
    unsafe {
        guard(error, || {
            let (noise, region) = (borrow(noise)?.get(), Region::from(value("region", region)?));
            region.check()?;
            check_counts(region.samples(), value_count, gradients, gradient_count)?;
            let values = slice_mut("values", values, value_count)?;
            if gradients.is_null() {
                return Ok(noise.field_into(&region, values)?);
            }
            let gradients = slice_mut("gradients", gradients, gradient_count)?.as_chunks_mut::<3>().0;
            Ok(noise.field_with_gradient_into(&region, values, gradients)?)
        })
    }
}

/// Refuses buffers that do not hold as much as so many samples need.
fn check_counts(samples: u64, values: usize, gradients: *const f32, gradient_count: usize) -> Result<(), Fault> {
    check_count("values", values, samples)?;
    check_count("gradients", gradient_count, if gradients.is_null() { 0 } else { samples.saturating_mul(3) })
}

/// Values at `point_count` positions, three numbers each (x, y, z) in world units, into `values`, which holds `value_count` numbers: as many
/// as there are points. Gradients as in `orogen_noise_field`.
///
/// Fails with NULL, HANDLE, SIZE, REGION (a position that is not finite or beyond 2^53), NOISE, DEVICE.
///
/// Any thread; several at once, of one noise too.
///
/// # Safety
/// The handle has not been freed; the buffers hold as much as is said, do not overlap, and nobody else uses them during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_noise_points(
    noise: *const OrogenNoise,
    positions: *const f64,
    point_count: usize,
    values: *mut f32,
    value_count: usize,
    gradients: *mut f32,
    gradient_count: usize,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the pointers are the caller's, as the header asks for them.
    unsafe {
        guard(error, || {
            let noise = borrow(noise)?.get();
            check_counts(point_count as u64, value_count, gradients, gradient_count)?;
            let positions = slice("positions", positions.cast::<[f64; 3]>(), point_count)?;
            let values = slice_mut("values", values, value_count)?;
            if gradients.is_null() {
                return Ok(noise.sample_into(positions, values)?);
            }
            let gradients = slice_mut("gradients", gradients, gradient_count)?.as_chunks_mut::<3>().0;
            let found = noise.sample(positions, Gradient::With)?;
            for ((value, gradient), sample) in values.iter_mut().zip(gradients).zip(found) {
                *value = sample.value as f32;
                *gradient = sample.gradient.unwrap_or([f64::NAN; 3]).map(|x| x as f32);
            }
            Ok(())
        })
    }
}

/// The value at one position, into `*value`: an f32 widened, except from the oracle. On a GPU's engine the CPU answers: for one point the
/// device is too far away.
///
/// Fails with NULL, HANDLE, ARGUMENT (unaligned), REGION (a position that is not finite or beyond 2^53), NOISE.
///
/// Any thread; several at once, of one noise too.
///
/// # Safety
/// The handle has not been freed, and the pointers are NULL or point at what their types say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_noise_value(
    noise: *const OrogenNoise,
    x: f64,
    y: f64,
    z: f64,
    value: *mut f64,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the pointers are the caller's, as the header asks for them.
    unsafe {
        guard(error, || {
            let (noise, place) = (borrow(noise)?, Place::new("value", value)?);
            place.set(noise.get().value([x, y, z])?);
            Ok(())
        })
    }
}

/// Frees a noise. NULL is allowed.
///
/// Fails with HANDLE: it has been freed before, as far as that can be seen, or is another kind of handle; nothing is freed then.
///
/// Any thread; no other call may be using the handle.
///
/// # Safety
/// No other call uses the handle, now or later.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_noise_free(noise: *mut OrogenNoise) -> OrogenStatus {
    // SAFETY: the pointer is the caller's, as the header asks for it.
    unsafe { guard(std::ptr::null_mut(), || free(noise)) }
}
