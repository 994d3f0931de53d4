//! Several noises, prepared together.

use crate::args::{Place, check_count, optional_text, slice, slice_mut, value};
use crate::guard::guard;
use crate::handle::{Kind, borrow, free, give};
use crate::open::OrogenEngine;
use crate::params::{OrogenNumber, numbers};
use crate::recipe::OrogenRecipe;
use crate::region::OrogenRegion;
use crate::shared::Shared;
use crate::status::{Fault, OrogenError, OrogenStatus};
use engine::{Noise, PreparedSeveral, Region};
use std::ffi::c_char;

/// Several noises of a recipe, prepared together on an engine. One call evaluates all of them, and nodes that several of them have are
/// evaluated once.
pub struct OrogenNoises {
    _opaque: [u8; 0],
}

impl Kind for OrogenNoises {
    const MAGIC: u64 = u64::from_le_bytes(*b"orogenNS");
    const NAME: &'static str = "noises";
    type Value = Shared<PreparedSeveral>;
}

/// Maximum number of noises that are prepared together.
pub const OROGEN_MOST_NOISES: usize = 1024;

/// Prepares the noises of `node_count` nodes together and stores them in `*noises`; stores NULL after a failure. An element of
/// `nodes` may be NULL for the recipe's output, if that is a node. Otherwise as `orogen_noise_prepare`. The caller frees the
/// result with `orogen_noises_free`.
///
/// Errors: NULL, HANDLE, UTF8, SIZE (no nodes, or more than OROGEN_MOST_NOISES), RECIPE (no such node, or the name of a stage),
/// NOISE (a noise cannot be evaluated).
///
/// Thread safety: any thread.
///
/// # Safety
/// The handles have not been freed. `nodes` has the stated length. Strings end in 0. `noises` is NULL or points to a value of its type.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_noises_prepare(
    engine: *const OrogenEngine,
    recipe: *const OrogenRecipe,
    nodes: *const *const c_char,
    node_count: usize,
    noises: *mut *mut OrogenNoises,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let place = Place::new("noises", noises)?;
            place.set(std::ptr::null_mut());
            let (engine, recipe) = (borrow(engine)?, borrow(recipe)?.get());
            if node_count == 0 || node_count > OROGEN_MOST_NOISES {
                let message = format!("{node_count} noises together are not allowed; allowed: 1 to {OROGEN_MOST_NOISES}");
                return Err(Fault::new(OrogenStatus::Size, message));
            }
            let mut all: Vec<Noise> = Vec::new();
            for &node in slice("nodes", nodes, node_count)? {
                let node = optional_text("name of a node", node)?.unwrap_or(&recipe.pipeline.output);
                all.push(recipe.pipeline.noise_of(node)?);
            }
            place.set(give(Shared::new(engine.prepare_several(&all.iter().collect::<Vec<_>>())?)));
            Ok(())
        })
    }
}

/// Evaluates all noises at every sample of a region. `values` receives one number for each noise, in the order in which they were
/// prepared, then those of the next sample: x fastest, then y, then z. `value_count` is the length of `values` and must be the
/// number of samples times the number of noises.
///
/// Errors: NULL, HANDLE, REGION, SIZE (a count is not the required one), NOISE (a noise cannot be evaluated in this region),
/// DEVICE. After a failure the contents of the buffer are unspecified.
///
/// Thread safety: any thread, also several at once with the same noises.
///
/// # Safety
/// The handle has not been freed. The buffer has the stated size and is not used by other threads during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_noises_field(
    noises: *const OrogenNoises,
    region: *const OrogenRegion,
    values: *mut f32,
    value_count: usize,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let (noises, region) = (borrow(noises)?.get(), Region::from(value("region", region)?));
            region.check()?;
            check_count("values", value_count, region.samples().saturating_mul(noises.outputs() as u64))?;
            Ok(noises.field_into(&region, slice_mut("values", values, value_count)?)?)
        })
    }
}

/// Evaluates all noises at `point_count` positions. `positions` contains three numbers per point: x, y and z in world units.
/// `values` receives one number for each noise, then those of the next point. `value_count` is the length of `values` and must be
/// the number of points times the number of noises.
///
/// Errors: NULL, HANDLE, SIZE (a count is not the required one), REGION (a coordinate is not finite or its magnitude exceeds 2^53), NOISE,
/// DEVICE. After a failure the contents of the buffer are unspecified.
///
/// Thread safety: any thread, also several at once with the same noises.
///
/// # Safety
/// The handle has not been freed. The buffers have the stated sizes, do not overlap, and are not used by other threads during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_noises_points(
    noises: *const OrogenNoises,
    positions: *const f64,
    point_count: usize,
    values: *mut f32,
    value_count: usize,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let noises = borrow(noises)?.get();
            check_count("values", value_count, (point_count as u64).saturating_mul(noises.outputs() as u64))?;
            let positions = slice("positions", positions.cast::<[f64; 3]>(), point_count)?;
            Ok(noises.sample_into(positions, slice_mut("values", values, value_count)?)?)
        })
    }
}

/// Sets several live parameters of the noises, as `orogen_noise_set_numbers` does. A node that several noises have is changed for
/// all of them.
///
/// Errors: NULL, HANDLE, UTF8, PARAMETER (no such parameter, not live, or a value is not allowed), NOISE (a noise cannot be
/// evaluated with these values). After an error all noises are unchanged.
///
/// Thread safety: any thread. Calls that are already running continue with the previous values.
///
/// # Safety
/// The handle has not been freed. `numbers` has the stated length. Strings end in 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_noises_set_numbers(
    noises: *mut OrogenNoises,
    numbers: *const OrogenNumber,
    count: usize,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let (shared, changes) = (borrow(noises)?, self::numbers(numbers, count)?);
            shared.change(|noises| Ok(noises.set_all(changes)?))
        })
    }
}

/// Frees noises that were prepared together. `noises` may be NULL.
///
/// Errors: HANDLE (the handle was freed before, as far as that can be detected, or is of another kind; nothing is freed then).
///
/// Thread safety: any thread, as the last use of the handle.
///
/// # Safety
/// No other call uses the handle, now or later.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_noises_free(noises: *mut OrogenNoises) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointer.
    unsafe { guard(std::ptr::null_mut(), || free(noises)) }
}
