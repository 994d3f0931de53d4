//! Handles: objects that C holds by pointers. Each begins with a number that identifies its kind.

use crate::status::{Fault, OrogenStatus};
use std::sync::atomic::{AtomicU64, Ordering};

/// A kind of handle: an opaque type in C.
pub(crate) trait Kind {
    /// The number at the beginning of each handle of this kind.
    const MAGIC: u64;
    /// The name in messages.
    const NAME: &'static str;
    /// The Rust value of the handle.
    type Value: Send + Sync;
}

/// The number at the beginning of a freed handle.
const FREED: u64 = 0;

/// The memory of a handle.
#[repr(C)]
struct Tagged<T> {
    magic: AtomicU64,
    value: T,
}

/// Creates a handle.
pub(crate) fn give<K: Kind>(value: K::Value) -> *mut K {
    Box::into_raw(Box::new(Tagged { magic: AtomicU64::new(K::MAGIC), value })).cast()
}

/// Refuses pointers that are not handles of this kind. The check is not complete, because freed memory may be in use again.
///
/// # Safety
/// `handle` is NULL, or eight bytes can be read there.
unsafe fn check<K: Kind>(handle: *const K) -> Result<(), Fault> {
    let name = K::NAME;
    if handle.is_null() {
        return Err(Fault::new(OrogenStatus::Null, format!("{name} is NULL; allowed: a handle from a function of Orogen")));
    }
    let refuse = |what| {
        let allowed = "a handle from a function of Orogen that has not been freed";
        Err(Fault::new(OrogenStatus::Handle, format!("{name} {what}; allowed: {allowed}")))
    };
    if !handle.cast::<u64>().is_aligned() {
        return refuse("is not a handle");
    }
    // SAFETY: it is aligned, and the caller guarantees the bytes. The read is volatile because the object may have been freed.
    match unsafe { handle.cast::<u64>().read_volatile() } {
        magic if magic == K::MAGIC => Ok(()),
        FREED => refuse("has been freed"),
        _ => refuse("has been freed, or is a handle of another kind"),
    }
}

/// The value of a handle.
///
/// # Safety
/// `handle` is NULL, a handle of any kind, or one that was freed and whose memory can still be read; and is not freed during `'a`.
pub(crate) unsafe fn borrow<'a, K: Kind>(handle: *const K) -> Result<&'a K::Value, Fault> {
    // SAFETY: guaranteed by the caller.
    unsafe { check(handle) }?;
    // SAFETY: by its number it is a handle from `give`. Only shared references to it exist.
    Ok(unsafe { &(*handle.cast::<Tagged<K::Value>>()).value })
}

/// Frees a handle. Does nothing if it is NULL.
///
/// # Safety
/// As [`borrow`], and it is not used any more.
pub(crate) unsafe fn free<K: Kind>(handle: *mut K) -> Result<(), Fault> {
    if handle.is_null() {
        return Ok(());
    }
    // SAFETY: guaranteed by the caller.
    unsafe { check(handle.cast_const()) }?;
    let tagged = handle.cast::<Tagged<K::Value>>();
    // SAFETY: by its number it is a handle from `give`.
    let magic = unsafe { &(*tagged).magic };
    // If two threads free it at the same time, one of them fails.
    if magic.compare_exchange(K::MAGIC, FREED, Ordering::AcqRel, Ordering::Acquire).is_err() {
        return Err(Fault::new(OrogenStatus::Handle, format!("{} is being freed by another thread", K::NAME)));
    }
    // SAFETY: `give` created it as a box, and only this call has replaced its number.
    drop(unsafe { Box::from_raw(tagged) });
    Ok(())
}
