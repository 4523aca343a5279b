//! Coins by uniforms that are drawn place by place.

use samplez_core::bits::{BitReader, BitSource};
use samplez_core::testing::Counted;
use samplez_sources::ChaCha20;
use std::collections::HashMap;

pub(super) type Bits = Counted<BitReader<ChaCha20>>;

/// A uniform in \[0, 1) whose places are drawn when they are needed; 128 of them, then zeros.
#[derive(Clone, Copy, Default)]
pub(super) struct Lazy {
    places: u128,
    len: u32,
}

impl Lazy {
    pub(super) fn place(&mut self, i: u32, bits: &mut Bits) -> bool {
        while self.len <= i && self.len < 128 {
            self.places |= u128::from(bits.bit()) << self.len;
            self.len += 1;
        }
        self.places.checked_shr(i).is_some_and(|rest| rest & 1 != 0)
    }

    pub(super) fn is_below(&mut self, other: &mut Lazy, bits: &mut Bits) -> bool {
        let parted = (0..128).find(|i| self.place(*i, bits) != other.place(*i, bits));
        parted.is_some_and(|i| other.place(i, bits))
    }

    pub(super) fn is_below_rational(&mut self, num: u64, den: u64, bits: &mut Bits) -> bool {
        let mut rest = u128::from(num);
        for i in 0..128 {
            rest *= 2;
            let digit = rest >= den.into();
            rest -= if digit { den.into() } else { 0 };
            if self.place(i, bits) != digit {
                return digit;
            }
            if rest == 0 {
                return false; // all further digits are 0
            }
        }
        false
    }
}

/// \[Kar16\], Algorithm H: e^-½.
pub(super) fn coin_h(bits: &mut Bits) -> bool {
    uniforms_of_h(bits) % 2 == 1
}

/// The uniforms that Algorithm H looks at: a falling run from one that is below ½.
pub(super) fn uniforms_of_h(bits: &mut Bits) -> u32 {
    let mut last = Lazy::default();
    if last.place(0, bits) {
        return 1;
    }
    let mut uniforms = 2;
    loop {
        let mut next = Lazy::default();
        if !next.is_below(&mut last, bits) {
            return uniforms;
        }
        (last, uniforms) = (next, uniforms + 1);
    }
}

/// e^-(p/q), 0 <= p < q: a falling run of uniforms below p/q; of each, `thin` decides whether it
/// counts.
pub(super) fn falling_run(p: u64, q: u64, thin: impl Fn(&mut Bits) -> bool, bits: &mut Bits) -> bool {
    let mut last = Lazy::default();
    if !last.is_below_rational(p, q, bits) || !thin(bits) {
        return true;
    }
    for n in 1.. {
        let mut next = Lazy::default();
        if !next.is_below(&mut last, bits) || !thin(bits) {
            return n % 2 == 0;
        }
        last = next;
    }
    false
}

/// ln 2 · 2^53, rounded down.
pub(super) const LN2: u64 = 6_243_314_768_165_359;

pub(super) fn below_ln2(bits: &mut Bits) -> bool {
    Lazy::default().is_below_rational(LN2, 1 << 53, bits)
}

/// Expected bits of [`coin_h`], summed over what is known of the last uniform: its places so far.
///
/// The next uniform differs from it at place j (from 0) with probability 2^-(j+1), which takes j + 1
/// bits and, of the last one, those up to j that were not known. It is below if the last one has a 1
/// there, and then it is known to have the same places before j and a 0 there. If the two agree in 15
/// places or more, probability 2^-15, what comes after this comparison is left out.
pub(super) fn coin_h_bits() -> f64 {
    const DEPTH: usize = 15;
    fn rest(known: &mut Vec<bool>, memory: &mut HashMap<Vec<bool>, f64>) -> f64 {
        if let Some(bits) = memory.get(known.as_slice()) {
            return *bits;
        }
        let mut bits = 2.0; // of the next uniform: Σ (j + 1) 2^-(j+1)
        let len = known.len();
        for j in 0..len {
            if known[j] {
                let mut next = known[..j].to_vec();
                next.push(false);
                bits += f64::from(-(j as i32) - 1).exp2() * rest(&mut next, memory);
            }
        }
        // Beyond what is known: one bit more of the last one for each place, all of them fair.
        for j in len..DEPTH {
            bits += f64::from(-(j as i32) - 1).exp2() * (j + 1 - len) as f64;
            let ways = 1_u32 << (j - len);
            for way in 0..ways {
                let mut next = known.clone();
                next.extend((0..j - len).map(|i| way >> i & 1 != 0));
                next.push(false);
                let weight = f64::from(-(j as i32) - 2).exp2() / f64::from(ways);
                bits += weight * rest(&mut next, memory);
            }
        }
        // Σ_{j >= DEPTH} (j + 1 - len) 2^-(j+1)
        bits += f64::from(-(DEPTH as i32)).exp2() * (DEPTH + 2 - len) as f64;
        memory.insert(known.clone(), bits);
        bits
    }
    1.0 + 0.5 * rest(&mut vec![false], &mut HashMap::new())
}
