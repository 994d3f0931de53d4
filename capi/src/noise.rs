//! Noises: prepared on an engine, for many calls.

use crate::args::{Place, check_count, optional_text, slice, slice_mut, value};
use crate::guard::guard;
use crate::handle::{Kind, borrow, free, give};
use crate::open::OrogenEngine;
use crate::recipe::OrogenRecipe;
use crate::region::OrogenRegion;
use crate::shared::Shared;
use crate::status::{Fault, OrogenError, OrogenStatus};
use engine::{Prepared, Region};
use std::ffi::c_char;

/// A noise of a recipe, prepared for repeated evaluation on an engine. Prepare a noise once and keep it.
pub struct OrogenNoise {
    _opaque: [u8; 0],
}

impl Kind for OrogenNoise {
    const MAGIC: u64 = u64::from_le_bytes(*b"orogenNO");
    const NAME: &'static str = "noise";
    type Value = Shared<Prepared>;
}

/// Prepares the noise of a node and stores it in `*noise`; stores NULL after a failure. `node` may be NULL for the recipe's output, if that
/// is a node. The output of a stage is not a function of position: `orogen_layers` computes it. Engine and recipe may be freed before the
/// noise. Later changes to the recipe do not affect the noise. The caller frees it with `orogen_noise_free`.
///
/// Errors: NULL, HANDLE, UTF8, RECIPE (no such node, or the name of a stage), NOISE (the noise cannot be evaluated).
///
/// Thread safety: any thread.
///
/// # Safety
/// The handles have not been freed. Strings end in 0. Each pointer is NULL or points to a value of its type.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_noise_prepare(
    engine: *const OrogenEngine,
    recipe: *const OrogenRecipe,
    node: *const c_char,
    noise: *mut *mut OrogenNoise,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
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

/// Stores proven bounds of the noise: no value of it is below `*low` or above `*high`. A bound is infinite if none could be proven.
///
/// Errors: NULL, HANDLE, ARGUMENT (an unaligned pointer).
///
/// Thread safety: any thread.
///
/// # Safety
/// The handle has not been freed. Each pointer is NULL or points to a value of its type.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_noise_range(
    noise: *const OrogenNoise,
    low: *mut f64,
    high: *mut f64,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
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

/// Evaluates the noise at every sample of a region. `values` receives one number per sample, x fastest, then y, then z. If `gradients` is
/// not NULL, it receives the gradient at every sample: three numbers, per world unit along x, y and z.
///
/// `value_count` is the length of `values` and must be the number of samples (`orogen_region_check`). `gradient_count` is the length of
/// `gradients` and must be three times that, or 0 if `gradients` is NULL.
///
/// Cost: gradients take a third to two thirds longer. The CPU backend allocates nothing that grows with the region; the other backends
/// allocate a copy of the results.
///
/// Errors: NULL, HANDLE, REGION, SIZE (a count is not the required one), NOISE (the noise cannot be evaluated in this region),
/// DEVICE. After a failure the contents of the buffers are unspecified.
///
/// Thread safety: any thread, also several at once with the same noise.
///
/// # Safety
/// The handle has not been freed. The buffers have the stated sizes, do not overlap, and are not used by other threads during the call.
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
    // SAFETY: the header states the requirements on the pointers.
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

/// Refuses buffers whose lengths do not match the number of samples.
pub(crate) fn check_counts(samples: u64, values: usize, gradients: *const f32, gradient_count: usize) -> Result<(), Fault> {
    check_count("values", values, samples)?;
    check_count("gradients", gradient_count, if gradients.is_null() { 0 } else { samples.saturating_mul(3) })
}

/// Evaluates the noise at `point_count` positions. `positions` contains three numbers per point: x, y and z in world units.
/// `values` receives one number per point; `value_count` is its length and must be `point_count`. Gradients work as in
/// `orogen_noise_field`.
///
/// Errors: NULL, HANDLE, SIZE (a count is not the required one), REGION (a coordinate is not finite or its magnitude exceeds 2^53), NOISE,
/// DEVICE. After a failure the contents of the buffers are unspecified.
///
/// Thread safety: any thread, also several at once with the same noise.
///
/// # Safety
/// The handle has not been freed. The buffers have the stated sizes, do not overlap, and are not used by other threads during the call.
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
    // SAFETY: the header states the requirements on the pointers.
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
            Ok(noise.sample_with_gradient_into(positions, values, gradients)?)
        })
    }
}

/// Evaluates the noise at one position and stores the result in `*value`. Except with the oracle, it is a 32-bit float converted to double.
/// Engines on a GPU evaluate single positions on the CPU, which is faster for one point.
///
/// Errors: NULL, HANDLE, ARGUMENT (an unaligned pointer), REGION (a coordinate is not finite or its magnitude exceeds 2^53), NOISE.
///
/// Thread safety: any thread, also several at once with the same noise.
///
/// # Safety
/// The handle has not been freed. Each pointer is NULL or points to a value of its type.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_noise_value(
    noise: *const OrogenNoise,
    x: f64,
    y: f64,
    z: f64,
    value: *mut f64,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let (noise, place) = (borrow(noise)?, Place::new("value", value)?);
            place.set(noise.get().value([x, y, z])?);
            Ok(())
        })
    }
}

/// Frees a noise. `noise` may be NULL.
///
/// Errors: HANDLE (the handle was freed before, as far as that can be detected, or is of another kind; nothing is freed then).
///
/// Thread safety: any thread, as the last use of the handle.
///
/// # Safety
/// No other call uses the handle, now or later.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_noise_free(noise: *mut OrogenNoise) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointer.
    unsafe { guard(std::ptr::null_mut(), || free(noise)) }
}
