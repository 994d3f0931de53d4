//! Noises at a fourth coordinate, such as time.

use crate::args::{Place, check_count, slice, slice_mut, value};
use crate::guard::guard;
use crate::handle::borrow;
use crate::noise::{OrogenNoise, check_counts};
use crate::region::OrogenRegion;
use crate::status::{OrogenError, OrogenStatus};
use engine::Region;

/// Evaluates the noise at one position and at a fourth coordinate. Stores the value in `*value` and, if `gradient` is not NULL,
/// the gradient per world unit along x, y and z in its three numbers. `w` is added to the parameter `w` of every 4D node: time,
/// for example. With `w` = 0 the value is that of `orogen_noise_value`. A noise without 4D nodes is the same at every `w`.
///
/// Engines on a GPU evaluate single positions on the CPU, which is faster for one point.
///
/// Errors: NULL, HANDLE, ARGUMENT (an unaligned pointer), REGION (a coordinate is not finite, the magnitude of x, y or z exceeds
/// 2^53 or that of w 10^12), NOISE.
///
/// Thread safety: any thread, also several at once with the same noise.
///
/// # Safety
/// The handle has not been freed. `gradient` is NULL or points to three numbers. The other pointers are NULL or point to a value
/// of their type.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_noise_value_at(
    noise: *const OrogenNoise,
    x: f64,
    y: f64,
    z: f64,
    w: f64,
    value: *mut f64,
    gradient: *mut f64,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let (noise, place) = (borrow(noise)?.get(), Place::new("value", value)?);
            if gradient.is_null() {
                place.set(noise.at(w).value([x, y, z])?);
                return Ok(());
            }
            let slope = Place::new("gradient", gradient.cast::<[f64; 3]>())?;
            let (value, gradient) = noise.at(w).value_with_gradient([x, y, z])?;
            place.set(value);
            slope.set(gradient);
            Ok(())
        })
    }
}

/// Evaluates the noise at every sample of a region, at a fourth coordinate as in `orogen_noise_value_at`. Otherwise as
/// `orogen_noise_field`. A change of `w` does not prepare the noise again, so use it for animation.
///
/// Errors: NULL, HANDLE, REGION (the region, or the magnitude of w exceeds 10^12), SIZE (a count is not the required one), NOISE,
/// DEVICE. After a failure the contents of the buffers are unspecified.
///
/// Thread safety: any thread, also several at once with the same noise.
///
/// # Safety
/// The handle has not been freed. The buffers have the stated sizes, do not overlap, and are not used by other threads during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_noise_field_at(
    noise: *const OrogenNoise,
    region: *const OrogenRegion,
    w: f64,
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
                return Ok(noise.at(w).field_into(&region, values)?);
            }
            let gradients = slice_mut("gradients", gradients, gradient_count)?.as_chunks_mut::<3>().0;
            Ok(noise.at(w).field_with_gradient_into(&region, values, gradients)?)
        })
    }
}

/// Evaluates the noise at `point_count` positions with a fourth coordinate each. `positions` contains four numbers per point: x,
/// y and z in world units, and w as in `orogen_noise_value_at`. `values` receives one number per point; `value_count` is its
/// length and must be `point_count`.
///
/// Cost: neighbouring points with the same w are evaluated together, so sort points by w where possible.
///
/// Errors: NULL, HANDLE, SIZE (a count is not the required one), REGION (a coordinate is not finite, the magnitude of x, y or z
/// exceeds 2^53 or that of w 10^12), NOISE, DEVICE. After a failure the contents of the buffer are unspecified.
///
/// Thread safety: any thread, also several at once with the same noise.
///
/// # Safety
/// The handle has not been freed. The buffers have the stated sizes, do not overlap, and are not used by other threads during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_noise_points_4d(
    noise: *const OrogenNoise,
    positions: *const f64,
    point_count: usize,
    values: *mut f32,
    value_count: usize,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let noise = borrow(noise)?.get();
            check_count("values", value_count, point_count as u64)?;
            let positions = slice("positions", positions.cast::<[f64; 4]>(), point_count)?;
            Ok(noise.sample_4d_into(positions, slice_mut("values", values, value_count)?)?)
        })
    }
}
