//! Handles: objects that C holds by a pointer, each with a number in front that says what it is.

use crate::status::{Fault, OrogenStatus};
use std::sync::atomic::{AtomicU64, Ordering};

/// A kind of handle: the type that C knows by its name alone.
pub(crate) trait Kind {
    /// What stands in front of each.
    const MAGIC: u64;
    /// What it is called in messages.
    const NAME: &'static str;
    /// What it holds.
    type Value: Send + Sync;
}

/// What stands there once it has been freed.
const FREED: u64 = 0;

/// What a handle points at.
#[repr(C)]
struct Tagged<T> {
    magic: AtomicU64,
    value: T,
}

/// A new handle.
pub(crate) fn give<K: Kind>(value: K::Value) -> *mut K {
    Box::into_raw(Box::new(Tagged { magic: AtomicU64::new(K::MAGIC), value })).cast()
}

/// Refuses what is seen to be no handle of this kind. Whether it is one cannot be seen with certainty: memory that was freed may be in
/// use again.
///
/// # Safety
/// `handle` is NULL, or eight bytes can be read there.
unsafe fn check<K: Kind>(handle: *const K) -> Result<(), Fault> {
    let name = K::NAME;
    if handle.is_null() {
        return Err(Fault::new(OrogenStatus::Null, format!("{name} is NULL; allowed: a handle that a function of Orogen's gave")));
    }
    let refuse = |what| {
        let allowed = "a handle that a function of Orogen's gave, until it is freed";
        Err(Fault::new(OrogenStatus::Handle, format!("{name} {what}; allowed: {allowed}")))
    };
    if !handle.cast::<u64>().is_aligned() {
        return refuse("is no handle");
    }
    // SAFETY: it is aligned, and the caller vouches for the bytes. Volatile: what is read may not be an object any more.
    match unsafe { handle.cast::<u64>().read_volatile() } {
        magic if magic == K::MAGIC => Ok(()),
        FREED => refuse("has been freed"),
        _ => refuse("has been freed, or is a handle of another kind"),
    }
}

/// What a handle holds.
///
/// # Safety
/// `handle` is NULL, a handle of any kind, or one that was freed and whose memory can still be read; and nobody frees it during `'a`.
pub(crate) unsafe fn borrow<'a, K: Kind>(handle: *const K) -> Result<&'a K::Value, Fault> {
    // SAFETY: what the caller vouches for can be read.
    unsafe { check(handle) }?;
    // SAFETY: the number in front says that it is what `give` made; nobody has it exclusively, as all that C gets at are shared references.
    Ok(unsafe { &(*handle.cast::<Tagged<K::Value>>()).value })
}

/// Frees a handle. NULL is none, and needs no freeing.
///
/// # Safety
/// As [`borrow`]; and nobody uses it any more.
pub(crate) unsafe fn free<K: Kind>(handle: *mut K) -> Result<(), Fault> {
    if handle.is_null() {
        return Ok(());
    }
    // SAFETY: what the caller vouches for can be read.
    unsafe { check(handle.cast_const()) }?;
    let tagged = handle.cast::<Tagged<K::Value>>();
    // SAFETY: the number in front says that it is what `give` made.
    let magic = unsafe { &(*tagged).magic };
    // Of two threads that free it, one comes too late.
    if magic.compare_exchange(K::MAGIC, FREED, Ordering::AcqRel, Ordering::Acquire).is_err() {
        return Err(Fault::new(OrogenStatus::Handle, format!("{} is being freed by another thread", K::NAME)));
    }
    // SAFETY: `give` made it as a box, and this is the only call that found its number.
    drop(unsafe { Box::from_raw(tagged) });
    Ok(())
}
