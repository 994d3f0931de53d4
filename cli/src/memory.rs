//! Turns memory exhaustion into an exit code and a message instead of an abort.
#![allow(unsafe_code, reason = "an allocator requires unsafe code; this one only forwards to the system's")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;

/// The system's allocator.
pub struct OrEnd;

/// Equal to `cli::exit::TRANSIENT`: with more free memory the same command may succeed.
const CODE: i32 = 75;

// Safety: every call is forwarded unchanged to the system's allocator.
unsafe impl GlobalAlloc for OrEnd {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // Safety: the caller guarantees the same contract.
        there(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // Safety: as above.
        there(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Safety: as above.
        there(unsafe { System.realloc(old, layout, size) }, size)
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        // Safety: as above.
        unsafe { System.dealloc(old, layout) }
    }
}

fn there(memory: *mut u8, size: usize) -> *mut u8 {
    if memory.is_null() {
        // Standard error is unbuffered, so this needs no memory.
        let _ = writeln!(std::io::stderr(), "orogen: out of memory: the system refused {size} bytes");
        std::process::exit(CODE);
    }
    memory
}
