//! The program's allocator: the system's, except that it can keep freed blocks for good.
//!
//! A search for erased secrets must see what a drop left in memory. The system's allocator writes its own lists into freed blocks,
//! and hands the blocks out again. After [`keep`] it does neither: a freed block stays as it was, and no later block overlaps it.
#![allow(unsafe_code)] // an allocator is an unsafe trait

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

static KEEPS: AtomicBool = AtomicBool::new(false);

/// Keeps every block that is freed from here on until the process ends.
pub(crate) fn keep() {
    KEEPS.store(true, Relaxed);
}

/// The allocator. Its reallocations are those of the trait: a new block, a copy, and the old block freed.
pub(crate) struct Allocator;

// SAFETY: every block is one of `System`'s for the same layout, which the caller's promises hold for. A block that is not given
// back to `System` is never handed out again.
unsafe impl GlobalAlloc for Allocator {
    // SAFETY: the caller keeps to the trait's conditions, which are `System`'s. Zeros are as good as any contents; they make certain
    // that a block has nothing of what was in this memory before.
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        unsafe { if KEEPS.load(Relaxed) { System.alloc_zeroed(layout) } else { System.alloc(layout) } }
    }

    // SAFETY: the caller keeps to the trait's conditions, which are `System`'s.
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    // SAFETY: the caller keeps to the trait's conditions, which are `System`'s: the block is one of its own.
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if !KEEPS.load(Relaxed) {
            // SAFETY: as above.
            unsafe { System.dealloc(block, layout) }
        }
    }
}
