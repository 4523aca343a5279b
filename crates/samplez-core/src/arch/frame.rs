//! The alignment of a function's frame.

use core::mem::MaybeUninit;

/// Aligns the frame of the function that this is inlined into as a T is aligned; T is a vector register's type.
///
/// The stack is aligned by 16 bytes only. A function that spills wider registers has spills that straddle two pages at
/// some positions of the stack. ChaCha20 by AVX2 took up to 2.8 times as long at one position in 14, and the position
/// stays for the life of the process. The compiler aligns a frame, and every spill in it, if a local variable asks for it.
#[inline(always)]
pub fn align_frame<T>() {
    let anchor = MaybeUninit::<T>::uninit();
    // SAFETY: no instruction is emitted. The compiler has to place `anchor`, because it does not know what is done with
    // its address. Neither memory nor the stack nor the flags change.
    #[cfg(not(miri))]
    unsafe {
        core::arch::asm!("/* {} */", in(reg) anchor.as_ptr(), options(nostack, preserves_flags, readonly));
    }
    #[cfg(miri)]
    let _ = anchor;
}
