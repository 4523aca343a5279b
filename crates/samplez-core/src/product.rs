//! Products of two words.

/// ab.
#[cfg(not(target_arch = "wasm32"))]
#[inline(always)]
pub(crate) const fn full(a: u64, b: u64) -> u128 {
    a as u128 * b as u128
}

/// ab. WebAssembly has no such instruction, and the compiler's own way is a call, through memory,
/// of a function that multiplies numbers of 128 bits.
#[cfg(target_arch = "wasm32")]
#[inline(always)]
pub(crate) const fn full(a: u64, b: u64) -> u128 {
    by_halves(a, b)
}

/// ⌊ab/2^64⌋.
#[inline(always)]
pub(crate) const fn high(a: u64, b: u64) -> u64 {
    (full(a, b) >> 64) as u64
}

/// Returns ab from the products of the halves, the lower half of b taken as a signed number. From unsigned halves the
/// compiler would recognize the product of 128 bits, and call for it again.
///
/// b = 2^32·b1 + b0 with -2^31 <= b0 < 2^31, b1 <= 2^32. Signed, a0·b0 and middle are from
/// -(2^32 - 1)·2^31 - 2^31 = -2^63, which middle reaches, to below 2^63; other is at most (2^32 - 1)·2^32 + 2^32 - 1.
#[cfg(any(test, target_arch = "wasm32"))]
#[inline(always)]
const fn by_halves(a: u64, b: u64) -> u128 {
    const LOW: u64 = u32::MAX as u64;
    let [a0, a1] = [a & LOW, a >> 32];
    let [b0, b1] = [b as i32 as u64, (b >> 32) + (b >> 31 & 1)];
    let middle = a1.wrapping_mul(b0).wrapping_add(upper(a0.wrapping_mul(b0)));
    let other = a0 * b1 + (middle & LOW);
    let top = (a1 * b1 + (other >> 32)).wrapping_add(upper(middle));
    (top as u128) << 64 | a.wrapping_mul(b) as u128
}

/// ⌊x/2^32⌋ of a signed number.
#[cfg(any(test, target_arch = "wasm32"))]
#[inline(always)]
const fn upper(x: u64) -> u64 {
    (x.cast_signed() >> 32).cast_unsigned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_make_the_product() {
        let mut state = 1_u64;
        let mut word = || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            state ^ state >> 29
        };
        // 2^31 - 1 and 2^31 below a full upper half: where the signed half ends.
        let top = u64::MAX << 32;
        let ends = [
            0,
            1,
            1 << 31,
            u32::MAX.into(),
            1 << 32,
            1 << 63,
            top | ((1 << 31) - 1),
            top | 1 << 31,
            u64::MAX - 1,
            u64::MAX,
        ];
        let pairs = ends.into_iter().flat_map(|a| ends.map(|b| (a, b)));
        for (a, b) in pairs.chain(core::iter::repeat_with(|| (word(), word())).take(10_000)) {
            let product = u128::from(a) * u128::from(b);
            assert_eq!(by_halves(a, b), product, "{a:x} * {b:x}");
            assert_eq!((full(a, b), u128::from(high(a, b))), (product, product >> 64));
        }
    }
}
