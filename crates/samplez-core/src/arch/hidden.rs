//! [`hidden`]: a word without a known value.

/// Returns the word, whose value is then unknown to the compiler. The compiler may turn a mask into a branch, if it can show that the mask is 0 or
/// all ones. LLVM does this for processors without conditional moves, such as RISC-V.
///
/// The barrier takes no instruction, but keeps loops from being vectorized. Without a stable `asm!` it is
/// [`black_box`](core::hint::black_box), which documents no guarantee. In WebAssembly, which promises no timing, it does nothing.
#[inline(always)]
#[allow(unused_mut)]
pub(crate) fn hidden(mut word: u64) -> u64 {
    #[cfg(all(
        not(miri),
        any(
            target_arch = "x86_64",
            target_arch = "aarch64",
            target_arch = "riscv64",
            target_arch = "loongarch64",
            target_arch = "s390x"
        )
    ))]
    // SAFETY: no instruction; the register keeps its value.
    unsafe {
        core::arch::asm!("/* {0} */", inout(reg) word, options(pure, nomem, nostack, preserves_flags));
    }
    #[cfg(all(not(miri), any(target_arch = "x86", target_arch = "arm", target_arch = "riscv32")))]
    {
        let (mut low, mut high) = (word as u32, (word >> 32) as u32);
        // SAFETY: no instruction; the registers keep their values.
        unsafe {
            core::arch::asm!("/* {0} {1} */", inout(reg) low, inout(reg) high, options(pure, nomem, nostack, preserves_flags));
        }
        word = u64::from(high) << 32 | u64::from(low);
    }
    #[cfg(all(
        not(target_family = "wasm"),
        any(
            miri,
            not(any(
                target_arch = "x86_64",
                target_arch = "aarch64",
                target_arch = "riscv64",
                target_arch = "loongarch64",
                target_arch = "s390x",
                target_arch = "x86",
                target_arch = "arm",
                target_arch = "riscv32"
            ))
        )
    ))]
    {
        word = core::hint::black_box(word);
    }
    word
}
