//! Bytes in the registers of WebAssembly's simd128, which code compiled for a module that has them may use.

mod words;

use super::lanes::Bytes;
use super::sixteens::{self, Sixteens};
use super::words::ByteKernel;
use crate::arch::{Backend, Kernel};
use core::arch::wasm32::*;

/// Whether [`run`] has code for this backend here.
#[inline]
pub(super) const fn has(_: Backend) -> bool {
    true
}

/// The kernel's result.
#[inline]
pub(super) fn run<K: ByteKernel>(kernel: K, backend: Backend) -> K::Output {
    backend.run(In(kernel))
}

/// [`Backend::run`] compiles it for the instructions, as all code in the place of portable code. A module that has as many
/// functions as the plain one travels as a small difference from it.
struct In<K>(K);

impl<K: ByteKernel> Kernel for In<K> {
    type Output = K::Output;

    #[inline(always)]
    fn run(self) -> K::Output {
        self.0.run_in_bytes::<Simd128>()
    }
}

/// 16 bytes; tables of 16 entries.
#[derive(Clone, Copy)]
struct Simd128(v128);

impl Bytes for Simd128 {
    type Mask = v128;
    const LANES: usize = 16;
    const INDEX_BITS: usize = 4;

    #[inline(always)]
    fn load(bytes: &[u8]) -> Self {
        // SAFETY: a read of the 16 bytes, which need not be aligned.
        Simd128(unsafe { v128_load(bytes[..16].as_ptr().cast()) })
    }
    #[inline(always)]
    fn store(self, bytes: &mut [u8]) {
        // SAFETY: a write of the 16 bytes, which need not be aligned.
        unsafe { v128_store(bytes[..16].as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn splat(byte: u8) -> Self {
        Simd128(u8x16_splat(byte))
    }
    #[inline(always)]
    fn table(entries: &[u8]) -> Self {
        Self::load(entries)
    }
    #[inline(always)]
    fn index(self) -> Self {
        // The instruction gives 0 from 16 on.
        Simd128(v128_and(self.0, u8x16_splat(0x0f)))
    }
    #[inline(always)]
    fn look_up(self, index: Self) -> Self {
        Simd128(u8x16_swizzle(self.0, index.0))
    }
    #[inline(always)]
    fn look_up_rank(self, rank: Self, first: usize) -> Self {
        Simd128(u8x16_swizzle(self.0, u8x16_sub(rank.0, u8x16_splat(first as u8))))
    }
    #[inline(always)]
    fn below(self, key: Self) -> v128 {
        i8x16_gt(key.0, self.0)
    }
    #[inline(always)]
    fn below_or(self, key: Self, behind: v128) -> v128 {
        v128_or(self.below(key), v128_and(i8x16_eq(self.0, key.0), behind))
    }
    #[inline(always)]
    fn is_zero(self) -> v128 {
        i8x16_eq(self.0, u8x16_splat(0))
    }
    #[inline(always)]
    fn both(a: v128, b: v128) -> v128 {
        v128_and(a, b)
    }
    #[inline(always)]
    fn select(mask: v128, yes: Self, no: Self) -> Self {
        Simd128(v128_bitselect(yes.0, no.0, mask))
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Simd128(v128_or(self.0, other.0))
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Simd128(v128_xor(self.0, other.0))
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Simd128(v128_and(self.0, other.0))
    }
    #[inline(always)]
    fn plus_at_most(self, other: Self) -> Self {
        Simd128(u8x16_add_sat(self.0, other.0))
    }
    #[inline(always)]
    fn negated(self, signs: Self) -> Self {
        let signs = i8x16_shr(signs.0, 7);
        Simd128(u8x16_sub(v128_xor(self.0, signs), signs))
    }
    #[inline(always)]
    fn hand_out<const ENTRIES: usize>(self, open: Self::Mask, tables: &[Self; 16], taken: &mut Self) -> Self {
        sixteens::hand_out::<Self, ENTRIES>(self, open, tables, taken)
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Simd128(u8x16_add(self.0, other.0))
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        Simd128(u8x16_sub(self.0, other.0))
    }
    #[inline(always)]
    fn count(self, mask: v128) -> Self {
        // A mask is -1.
        Simd128(u8x16_sub(self.0, mask))
    }
    #[inline(always)]
    fn double(self) -> Self {
        Simd128(u8x16_add(self.0, self.0))
    }
}

impl Sixteens for Simd128 {
    #[inline(always)]
    fn bit(self, bit: usize) -> v128 {
        // Bits of the byte before come in at the low end, and go out at it again.
        i8x16_shr(i16x8_shl(self.0, 7 - bit as u32), 7)
    }
    #[inline(always)]
    fn sums(self) -> Self {
        let zero = u8x16_splat(0);
        let sums = u8x16_add(
            self.0,
            u8x16_shuffle::<0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30>(zero, self.0),
        );
        let sums =
            u8x16_add(sums, u8x16_shuffle::<0, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29>(zero, sums));
        let sums =
            u8x16_add(sums, u8x16_shuffle::<0, 0, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27>(zero, sums));
        let shifted = u8x16_shuffle::<0, 0, 0, 0, 0, 0, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23>(zero, sums);
        Simd128(u8x16_add(sums, shifted))
    }
    #[inline(always)]
    fn totals(sums: Self) -> [Self; 2] {
        let last = u8x16_shuffle::<15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15>(sums.0, sums.0);
        [Self::splat(0), Simd128(last)]
    }
}
