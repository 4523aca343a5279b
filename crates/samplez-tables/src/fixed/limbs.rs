//! Fixed-point numbers as plain limbs.

use libm::scalbn;

/// a + b modulo 2^64 (of the integer limb).
pub(crate) fn add<const N: usize>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    let mut sum = [0; N];
    let mut carry = false;
    for i in 0..N {
        (sum[i], carry) = carrying_add(a[i], b[i], carry);
    }
    sum
}

const fn carrying_add(a: u64, b: u64, carry: bool) -> (u64, bool) {
    let (sum, first) = a.overflowing_add(b);
    let (sum, second) = sum.overflowing_add(carry as u64);
    (sum, first | second)
}

const fn borrowing_sub(a: u64, b: u64, borrow: bool) -> (u64, bool) {
    let (difference, first) = a.overflowing_sub(b);
    let (difference, second) = difference.overflowing_sub(borrow as u64);
    (difference, first | second)
}

/// a - b, or `None` if a < b.
pub(crate) fn sub<const N: usize>(a: &[u64; N], b: &[u64; N]) -> Option<[u64; N]> {
    let mut difference = [0; N];
    let mut borrow = false;
    for i in 0..N {
        (difference[i], borrow) = borrowing_sub(a[i], b[i], borrow);
    }
    if borrow { None } else { Some(difference) }
}

/// a < b.
pub(crate) fn less<const N: usize>(a: &[u64; N], b: &[u64; N]) -> bool {
    a.iter().rev().lt(b.iter().rev())
}

/// a + n ulp modulo 2^64, and whether that reached 2^64.
pub(super) fn add_ulps<const N: usize>(a: &[u64; N], n: u64) -> ([u64; N], bool) {
    let mut sum = *a;
    let mut carry = n;
    for limb in &mut sum {
        let (value, over) = limb.overflowing_add(carry);
        (*limb, carry) = (value, u64::from(over));
    }
    (sum, carry != 0)
}

/// a·b rounded down, or `None` if it reaches 2^64.
pub(super) fn mul<const N: usize>(a: &[u64; N], b: &[u64; N]) -> Option<[u64; N]> {
    let product = product(a, b);
    let product = product.as_flattened();
    // Limb N - 1 of the product is the result's limb 0.
    if product[2 * N - 1] == 0 { Some(core::array::from_fn(|i| product[N - 1 + i])) } else { None }
}

/// 1/a rounded down, for a > 1.
pub(super) fn reciprocal<const N: usize>(a: &[u64; N]) -> [u64; N] {
    let (mut one, mut ulp, mut inverse) = ([0; N], [0; N], [0; N]);
    (one[N - 1], ulp[0]) = (1, 1);
    // Newton's method: each step doubles the digits, and the last one is less than an ulp.
    inverse[N - 2] = (scalbn(1.0, 64) / nearest(a)) as u64;
    let mut step = one;
    while step != [0; N] {
        let product = mul(a, &inverse).unwrap_or(one);
        let above = sub(&product, &one);
        step = mul(&inverse, &above.or_else(|| sub(&one, &product)).unwrap_or(one)).unwrap_or(one);
        inverse = if above.is_some() { sub(&inverse, &step).unwrap_or(ulp) } else { add(&inverse, &step) };
    }
    let exceeds = |x: &[u64; N]| {
        let product = product(a, x);
        let (below, top) = product.as_flattened().split_at(2 * N - 2);
        top[1] != 0 || top[0] > 1 || top[0] == 1 && below.iter().any(|limb| *limb != 0)
    };
    while exceeds(&inverse) {
        inverse = sub(&inverse, &ulp).unwrap_or([0; N]);
    }
    while !exceeds(&add(&inverse, &ulp)) {
        inverse = add(&inverse, &ulp);
    }
    inverse
}

/// All limbs of the product.
fn product<const N: usize>(a: &[u64; N], b: &[u64; N]) -> [[u64; N]; 2] {
    #[cfg(not(target_arch = "wasm32"))]
    return by_limbs(a, b);
    #[cfg(target_arch = "wasm32")]
    return by_halves(a, b);
}

/// The product by limbs.
#[cfg(any(test, not(target_arch = "wasm32")))]
fn by_limbs<const N: usize>(a: &[u64; N], b: &[u64; N]) -> [[u64; N]; 2] {
    let mut halves = [[0_u64; N]; 2];
    let product = halves.as_flattened_mut();
    // The terms of a series begin with zeros.
    for (i, digit) in a.iter().enumerate().filter(|(_, digit)| **digit != 0) {
        let mut carry = 0;
        for (limb, factor) in product[i..i + N].iter_mut().zip(b) {
            let double = u128::from(*digit) * u128::from(*factor) + u128::from(*limb) + u128::from(carry);
            (*limb, carry) = (double as u64, (double >> 64) as u64);
        }
        product[i + N] = carry;
    }
    halves
}

/// The same by halves of limbs: WebAssembly has no product of 128 bits, and the compiler's own way is a call.
#[cfg(any(test, target_arch = "wasm32"))]
fn by_halves<const N: usize>(a: &[u64; N], b: &[u64; N]) -> [[u64; N]; 2] {
    let half = |limbs: &[u64; N], i: usize| (limbs[i / 2] >> (32 * (i % 2))) as u32;
    let (mut factors, mut product) = ([[0_u32; N]; 2], [[0_u32; N]; 4]);
    let (factors, product) = (factors.as_flattened_mut(), product.as_flattened_mut());
    (0..2 * N).for_each(|i| factors[i] = half(b, i));
    for i in 0..2 * N {
        let (digit, mut carry) = (u64::from(half(a, i)), 0);
        for (slot, factor) in product[i..i + 2 * N].iter_mut().zip(factors.iter()) {
            let double = digit * u64::from(*factor) + u64::from(*slot) + carry;
            (*slot, carry) = (double as u32, double >> 32);
        }
        product[i + 2 * N] = carry as u32;
    }
    let limb = |i: usize| u64::from(product[2 * i]) | u64::from(product[2 * i + 1]) << 32;
    [0, N].map(|first| core::array::from_fn(|i| limb(first + i)))
}

/// a/divisor rounded down; the divisor is not 0.
pub(super) fn div_small(limbs: &mut [u64], divisor: u64) {
    let mut remainder = 0;
    for limb in limbs.iter_mut().rev() {
        if remainder == 0 && *limb < divisor {
            (remainder, *limb) = (*limb, 0);
            continue;
        }
        if divisor >> 32 == 0 {
            // By halves: a quotient of 128 bits is a call.
            let high = remainder << 32 | *limb >> 32;
            let low = (high % divisor) << 32 | *limb & u64::from(u32::MAX);
            (*limb, remainder) = (((high / divisor) << 32) | (low / divisor), low % divisor);
            continue;
        }
        let double = u128::from(remainder) << 64 | u128::from(*limb);
        *limb = (double / u128::from(divisor)) as u64;
        remainder = (double as u64).wrapping_sub(limb.wrapping_mul(divisor));
    }
}

/// a/2^n rounded down.
pub(super) fn shr<const N: usize>(a: &[u64; N], n: u32) -> [u64; N] {
    let (limbs, bits) = ((n / 64) as usize, n % 64);
    core::array::from_fn(|i| {
        let at = |i: usize| a.get(i).copied().unwrap_or(0);
        let high = if bits == 0 { 0 } else { at(i + limbs + 1) << (64 - bits) };
        at(i + limbs) >> bits | high
    })
}

/// Returns the leading 128 bits (fewer at a limb boundary), their weight, and whether bits follow: a = (bits + [0,
/// 1))·2^exponent.
pub(super) fn leading<const N: usize>(a: &[u64; N]) -> (u128, i32, bool) {
    let Some(top) = a.iter().rposition(|limb| *limb != 0) else { return (0, 0, false) };
    let at = |back: usize| top.checked_sub(back).map_or(0, |i| a[i]);
    let shift = a[top].leading_zeros();
    let mut bits = u128::from(a[top]) << 64 | u128::from(at(1));
    let mut rest = at(2);
    if shift > 0 {
        bits = bits << shift | u128::from(rest >> (64 - shift));
        rest <<= shift;
    }
    let follow = rest != 0 || a[..top.saturating_sub(2)].iter().any(|limb| *limb != 0);
    (bits, 64 * (top as i32 - N as i32) - shift as i32, follow)
}

/// The nearest double (half a unit in the last place, and 2^-74 of one).
pub(crate) fn nearest<const N: usize>(a: &[u64; N]) -> f64 {
    let (bits, exponent, _) = leading(a);
    scalbn(bits as f64, exponent)
}

/// The largest double that is not above a.
pub(crate) fn down<const N: usize>(a: &[u64; N]) -> f64 {
    let (bits, exponent, _) = leading(a);
    scalbn((bits >> 75) as f64, exponent + 75)
}

/// The least double that is not below a.
pub(crate) fn up<const N: usize>(a: &[u64; N]) -> f64 {
    let (bits, exponent, follow) = leading(a);
    let double = scalbn((bits >> 75) as f64, exponent + 75);
    if follow || bits & ((1 << 75) - 1) != 0 { double.next_up() } else { double }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_bracket() {
        for limbs in [[0, 0, 3], [0, 1 << 63, 0], [1, 0, 0], [0, 0, 0]] {
            let value = limbs[2] as f64 + limbs[1] as f64 * exp2(-64) + limbs[0] as f64 * exp2(-128);
            assert_eq!((down(&limbs), nearest(&limbs), up(&limbs)), (value, value, value));
        }
        // 1 + 2^-128, 1 + 2^-53 (a tie, to even), and all ones.
        assert_eq!((down(&[1, 0, 1]), nearest(&[1, 0, 1]), up(&[1, 0, 1])), (1.0, 1.0, 1.0_f64.next_up()));
        let tie = [0, 1 << 11, 1];
        assert_eq!((down(&tie), nearest(&tie), up(&tie)), (1.0, 1.0, 1.0_f64.next_up()));
        let ones = [u64::MAX; 4];
        assert_eq!((down(&ones), up(&ones)), (exp2(64).next_down(), exp2(64)));
    }

    fn exp2(power: i32) -> f64 {
        scalbn(1.0, power)
    }

    #[test]
    fn products_and_quotients_are_floors() {
        let third = [0x5555_5555_5555_5555, 0x5555_5555_5555_5555, 0];
        assert_eq!(mul(&third, &[0, 0, 3]), Some([u64::MAX, u64::MAX, 0]));
        assert_eq!(mul(&third, &third), Some([0xc71c_71c7_1c71_c71c, 0x1c71_c71c_71c7_1c71, 0]));
        assert_eq!(mul(&[0, 0, 1 << 32], &[0, 0, 1 << 32]), None);
        let mut word = 1_u64;
        let mut limbs = || {
            [(); 9].map(|()| {
                word = word.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
                if word.is_multiple_of(5) { u64::MAX } else { word ^ word >> 29 }
            })
        };
        for _ in 0..1000 {
            let (a, b) = (limbs(), limbs());
            assert_eq!(by_halves(&a, &b), by_limbs(&a, &b));
            assert_eq!(by_halves(&[a[0]], &[b[0]]), by_limbs(&[a[0]], &[b[0]]));
        }
        let mut number = [5, 0, 1];
        div_small(&mut number, 3);
        assert_eq!(number, [0x5555_5555_5555_5557, 0x5555_5555_5555_5555, 0]);
        assert_eq!(shr(&[0, 0, 1], 1), [0, 1 << 63, 0]);
        assert_eq!(shr(&[0, 0, 1], 128), [1, 0, 0]);
        assert_eq!(shr(&[u64::MAX; 3], 192), [0; 3]);
    }
}
