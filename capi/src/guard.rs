//! The boundary to C: catches panics and turns errors into a status and a message.

use crate::status::{Fault, OrogenError, OrogenStatus, report};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs the body of a function of the interface and reports its outcome.
///
/// # Safety
/// `error` is NULL, or memory that may be written, of an [`OrogenError`].
pub(crate) unsafe fn guard(error: *mut OrogenError, work: impl FnOnce() -> Result<(), Fault>) -> OrogenStatus {
    // A panic may leave handles in an intermediate state; the manual allows only freeing them. Values in locks are complete.
    let (status, message) = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => (OrogenStatus::Ok, String::new()),
        Ok(Err(fault)) => (fault.status, fault.message),
        Err(panic) => {
            let said = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
            let message = format!("a bug in Orogen: {}", said.unwrap_or("it panicked"));
            // Dropping the payload could panic again, outside of `catch_unwind`.
            std::mem::forget(panic);
            (OrogenStatus::Panic, message)
        }
    };
    // SAFETY: guaranteed by the caller.
    unsafe { report(error, status, &message) };
    status
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::status::OROGEN_MESSAGE_SIZE;
    use std::ffi::CStr;

    fn guarded(work: impl FnOnce() -> Result<(), Fault>) -> (OrogenStatus, OrogenError) {
        let mut error = OrogenError { status: OrogenStatus::Ok, length: 7, message: [1; OROGEN_MESSAGE_SIZE] };
        // SAFETY: it lives until after the call.
        let status = unsafe { guard(&raw mut error, work) };
        (status, error)
    }

    fn text(error: &OrogenError) -> &str {
        // SAFETY: the message ends in 0, which `report` wrote within the array.
        unsafe { CStr::from_ptr(error.message.as_ptr()) }.to_str().expect("the message is UTF-8")
    }

    #[test]
    fn panics_become_a_status() {
        let (status, error) = guarded(|| panic!("invariant: {}", 42));
        assert_eq!((status, error.status), (OrogenStatus::Panic, OrogenStatus::Panic));
        assert_eq!(text(&error), "a bug in Orogen: invariant: 42");
        assert_eq!(guarded(|| std::panic::panic_any(42)).0, OrogenStatus::Panic);
        // SAFETY: NULL is allowed.
        assert_eq!(unsafe { guard(std::ptr::null_mut(), || panic!()) }, OrogenStatus::Panic);
    }

    #[test]
    fn success_leaves_an_empty_message() {
        let (status, error) = guarded(|| Ok(()));
        assert_eq!((status, error.status, error.length, text(&error)), (OrogenStatus::Ok, OrogenStatus::Ok, 0, ""));
    }

    #[test]
    fn long_messages_are_cut_between_characters() {
        let long = format!("a{}", "ü".repeat(600));
        let (_, error) = guarded(|| Err(Fault::new(OrogenStatus::Noise, long.clone())));
        assert_eq!(error.length, 1201);
        assert_eq!(text(&error), &long[..1015]);
        let (_, error) = guarded(|| Err(Fault::new(OrogenStatus::Noise, &long[1..])));
        assert_eq!(text(&error), &long[1..1015]);
    }
}
