//! Memory that has run out ends the command with an exit code and a message instead of an abort.
#![allow(unsafe_code, reason = "an allocator cannot be written without; this one only passes on what the system's gives")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;

/// The system's allocator.
pub struct OrEnd;

/// As `cli::exit::TRANSIENT`: with more memory, or less beside it, the same command may succeed.
const CODE: i32 = 75;

// Safety: every call goes to the system's allocator as it came.
unsafe impl GlobalAlloc for OrEnd {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // Safety: the caller's promise is the one that is asked for.
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
        // Standard error is not buffered: this needs no memory.
        let _ = writeln!(std::io::stderr(), "orogen: out of memory: the system refused {size} bytes");
        std::process::exit(CODE);
    }
    memory
}
