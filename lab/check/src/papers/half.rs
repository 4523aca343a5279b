//! Half Gaussians: K, BIN and the walks.

use super::lazy::{Bits, coin_h};
use samplez_core::bits::BitSource;

/// Proposals of k, P(k) ~ e^(-k/2), each accepted with e^(-k(k-1)/2).
pub(super) fn propose_k(bits: &mut Bits) -> Option<u64> {
    propose_k_by(coin_h, bits)
}

/// [`propose_k`] by this coin e^-½.
pub(super) fn propose_k_by(mut coin: impl FnMut(&mut Bits) -> bool, bits: &mut Bits) -> Option<u64> {
    let k = (0..).find(|_| !coin(bits))?;
    (0..k * u64::saturating_sub(k, 1)).all(|_| coin(bits)).then_some(k)
}

/// BLISS's BIN. If `whole`, it draws its 2i - 1 bits before it looks at them.
pub(super) fn bin(whole: bool, bits: &mut Bits) -> u64 {
    loop {
        if !bits.bit() {
            return 0;
        }
        for i in 1.. {
            let mut zeros = true;
            for _ in 0..2 * i - 2 {
                zeros &= !bits.bit();
                if !zeros && !whole {
                    break;
                }
            }
            let last = (zeros || whole) && bits.bit();
            if !zeros {
                break;
            }
            if !last {
                return i;
            }
        }
    }
}

/// Expected bits of BIN: stage i is reached with probability 2^(-(i-1)²-1), and a round succeeds
/// with probability w/2.
pub(super) fn bin_bits(whole: bool) -> f64 {
    let mut bits = 1.0;
    for i in 1..16 {
        let reached = f64::from(-(i - 1) * (i - 1) - 1).exp2();
        let zeros = 2 * i - 2;
        // The first 1 among the zeros stops: Σ_{j<zeros} 2^-j bits; the last bit if there is none.
        let lazy = 2.0 - 2.0 * f64::from(-zeros).exp2() + f64::from(-zeros).exp2();
        bits += reached * if whole { f64::from(zeros + 1) } else { lazy };
    }
    bits / (weight() / 2.0)
}

/// w = Σ 2^(-x²).
pub(super) fn weight() -> f64 {
    (0..16).map(|x| f64::from(-x * x).exp2()).sum()
}

/// Bit i - x² of 1/w: the place of weight 2^-i of P(x) = 2^(-x²)/w.
fn place(x: u32, i: u32) -> bool {
    const INVERSE: u128 = 0xa3a2_446c_95b5_b009_85db_b564_c791_ff8b;
    i.checked_sub(x * x).is_some_and(|i| (1..=128).contains(&i) && INVERSE >> (128 - i) & 1 != 0)
}

/// The probability that a walk goes on after level i.
pub(super) fn alive(i: u32) -> f64 {
    let settled = |x: u32| (1..=i).filter(|i| place(x, *i)).map(|i| 0.5_f64.powi(i as i32)).sum::<f64>();
    1.0 - (0..11).map(settled).sum::<f64>()
}

/// \[DW18\], Algorithm 8: the walk over the binary places of P, from the places of weight ½ on.
pub(super) fn walk(bits: &mut Bits) -> u64 {
    let mut distance = 0_u32;
    for i in 1..=128 {
        distance = 2 * distance + u32::from(!bits.bit());
        for x in (0..11).filter(|x| place(*x, i)) {
            if distance == 0 {
                return x.into();
            }
            distance -= 1;
        }
    }
    0
}

/// \[DW18\], Algorithm 9: three bits, then five, then one at a time; what the walk takes, rounded
/// up. The value does not matter for the count.
pub(super) fn walk_by_tables(bits: &mut Bits) -> u64 {
    let before = bits.count();
    let value = walk(bits);
    let taken = (bits.count() - before) as u32;
    let drawn = if taken <= 3 { 3 } else { taken.max(8) };
    if drawn > taken {
        bits.bits(drawn - taken);
    }
    value
}

/// Expected coins e^-½ for one proposal of k, and the probability that it is accepted: k + 1 coins,
/// then up to k(k-1), each tossed if all before it are heads.
pub(super) fn k_coins() -> (f64, f64) {
    let q = (-0.5_f64).exp();
    let proposals = (0..60).map(|k| (f64::from(k), (1.0 - q) * q.powi(k)));
    proposals.fold((0.0, 0.0), |(coins, accepted), (k, p)| {
        let all = q.powf(k * (k - 1.0));
        (coins + p * (k + 1.0 + (1.0 - all) / (1.0 - q)), accepted + p * all)
    })
}
