//! Arguments from C: text, numbers and buffers, checked as far as possible.

use crate::status::{Fault, OrogenStatus};
use std::ffi::{CStr, c_char};

fn null(name: &str) -> Fault {
    Fault::new(OrogenStatus::Null, format!("{name} is NULL; allowed: a valid pointer"))
}

fn unaligned(name: &str) -> Fault {
    Fault::new(OrogenStatus::Argument, format!("{name} is not aligned; allowed: an address with the alignment of its type"))
}

/// Text that is required.
///
/// # Safety
/// `text` is NULL, or ends in 0 and stays as it is during `'a`.
pub(crate) unsafe fn text<'a>(name: &str, text: *const c_char) -> Result<&'a str, Fault> {
    // SAFETY: guaranteed by the caller.
    unsafe { optional_text(name, text) }?.ok_or_else(|| null(name))
}

/// Text, or `None` if it is NULL.
///
/// # Safety
/// As [`text`](text()).
pub(crate) unsafe fn optional_text<'a>(name: &str, text: *const c_char) -> Result<Option<&'a str>, Fault> {
    if text.is_null() {
        return Ok(None);
    }
    // SAFETY: it is not NULL, and the caller guarantees that it ends in 0.
    let bytes = unsafe { CStr::from_ptr(text) };
    bytes.to_str().map(Some).map_err(|error| {
        let at = error.valid_up_to();
        Fault::new(OrogenStatus::Utf8, format!("{name} is not UTF-8 from byte {at} on; allowed: UTF-8 that ends in 0"))
    })
}

/// One value that is required.
///
/// # Safety
/// `value` is NULL or unaligned, or a value of this type that stays as it is during `'a`.
pub(crate) unsafe fn value<'a, T>(name: &str, value: *const T) -> Result<&'a T, Fault> {
    // SAFETY: guaranteed by the caller.
    unsafe { optional_value(name, value) }?.ok_or_else(|| null(name))
}

/// One value, or `None` if it is NULL.
///
/// # Safety
/// As [`value`](value()).
pub(crate) unsafe fn optional_value<'a, T>(name: &str, value: *const T) -> Result<Option<&'a T>, Fault> {
    if value.is_null() {
        return Ok(None);
    }
    if !value.is_aligned() {
        return Err(unaligned(name));
    }
    // SAFETY: it is aligned and not NULL, and the caller guarantees its contents.
    Ok(Some(unsafe { &*value }))
}

/// Refuses pointers to `count` elements that cannot exist in memory.
fn check_slice<T>(name: &str, start: *const T, count: usize) -> Result<(), Fault> {
    if start.is_null() {
        return Err(null(name));
    }
    if !start.is_aligned() {
        return Err(unaligned(name));
    }
    let largest = isize::MAX as usize / size_of::<T>().max(1);
    if count > largest {
        let message = format!("{name} of {count} elements is not allowed; allowed: up to {largest}");
        return Err(Fault::new(OrogenStatus::Size, message));
    }
    Ok(())
}

/// Elements to read. The pointer may be NULL if `count` is 0.
///
/// # Safety
/// `start` is NULL or unaligned, or points to `count` elements that do not change during `'a`.
pub(crate) unsafe fn slice<'a, T>(name: &str, start: *const T, count: usize) -> Result<&'a [T], Fault> {
    if count == 0 {
        return Ok(&[]);
    }
    check_slice(name, start, count)?;
    // SAFETY: it is aligned, not NULL and no larger than memory; the caller guarantees its contents.
    Ok(unsafe { std::slice::from_raw_parts(start, count) })
}

/// Elements to write. The pointer may be NULL if `count` is 0.
///
/// # Safety
/// `start` is NULL or unaligned, or points to memory for `count` elements that is not used otherwise during `'a`. Every bit pattern is a
/// value of the type.
pub(crate) unsafe fn slice_mut<'a, T>(name: &str, start: *mut T, count: usize) -> Result<&'a mut [T], Fault> {
    if count == 0 {
        return Ok(&mut []);
    }
    check_slice(name, start, count)?;
    // SAFETY: it is aligned, not NULL and no larger than memory; the caller guarantees exclusive use.
    Ok(unsafe { std::slice::from_raw_parts_mut(start, count) })
}

/// Memory for one result, which may be uninitialised.
pub(crate) struct Place<T>(*mut T);

impl<T> Place<T> {
    /// # Safety
    /// `place` is NULL or unaligned, or may be written until the last use of what is returned.
    pub unsafe fn new(name: &str, place: *mut T) -> Result<Self, Fault> {
        if place.is_null() {
            return Err(null(name));
        }
        if place.is_aligned() { Ok(Place(place)) } else { Err(unaligned(name)) }
    }

    pub fn set(&self, value: T) {
        // SAFETY: guaranteed by the caller of `new`; writing does not read the previous contents.
        unsafe { self.0.write(value) };
    }
}

/// A buffer of the caller, and memory for the length of the whole result.
pub(crate) struct Buffer {
    start: *mut u8,
    size: usize,
    length: Option<Place<usize>>,
}

impl Buffer {
    /// # Safety
    /// `start` is NULL, or `size` bytes may be written there. `length` is NULL or unaligned, or may be written. Both hold until
    /// the last use of the result.
    pub unsafe fn new(start: *mut u8, size: usize, length: *mut usize) -> Result<Self, Fault> {
        // SAFETY: guaranteed by the caller.
        let length = if length.is_null() { None } else { Some(unsafe { Place::new("length", length) }?) };
        if start.is_null() && (size > 0 || length.is_none()) {
            return Err(null("buffer"));
        }
        Ok(Buffer { start, size, length })
    }

    /// Copies text and a terminating 0. Without a buffer, only stores the length.
    pub fn text(&self, text: &str) -> Result<(), Fault> {
        // In C the text would end at the first 0.
        if text.contains('\0') {
            return Err(Fault::new(OrogenStatus::Utf8, "the text contains a byte 0, which ends text in C"));
        }
        self.put(text.as_bytes(), &[0])
    }

    /// Copies bytes. Without a buffer, only stores the length.
    pub fn bytes(&self, bytes: &[u8]) -> Result<(), Fault> {
        self.put(bytes, &[])
    }

    fn put(&self, bytes: &[u8], end: &[u8]) -> Result<(), Fault> {
        if let Some(length) = &self.length {
            length.set(bytes.len());
        }
        if self.start.is_null() {
            return Ok(());
        }
        let needed = bytes.len() + end.len();
        if needed > self.size {
            let message = format!("a buffer of {} bytes is too small; allowed: {needed} or more", self.size);
            return Err(Fault::new(OrogenStatus::Size, message));
        }
        // SAFETY: the caller of `new` guarantees `size` bytes, which are enough.
        unsafe {
            self.start.copy_from(bytes.as_ptr(), bytes.len());
            self.start.add(bytes.len()).copy_from(end.as_ptr(), end.len());
        }
        Ok(())
    }
}

/// The choice that a number stands for.
pub(crate) fn choice<T: Copy>(name: &str, number: i32, all: &[T]) -> Result<T, Fault> {
    let found = usize::try_from(number).ok().and_then(|at| all.get(at)).copied();
    found.ok_or_else(|| {
        let message = format!("{name} = {number} is not allowed; allowed: 0 to {}", all.len().saturating_sub(1));
        Fault::new(OrogenStatus::Argument, message)
    })
}

/// Refuses a buffer whose length is not the required one.
pub(crate) fn check_count(name: &str, count: usize, needed: u64) -> Result<(), Fault> {
    if count as u64 == needed {
        return Ok(());
    }
    Err(Fault::new(OrogenStatus::Size, format!("{name} of {count} numbers is not allowed; allowed: {needed}")))
}
