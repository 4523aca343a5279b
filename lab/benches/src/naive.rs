//! The baselines: Karney's algorithm and a 64-bit CDT as one would first write them, from the
//! papers' step lists, over the same bits.

use samplez::{BitSource, DiscreteGaussian, Int, RangeError};
use samplez_core::table::Shape;
use samplez_tables::CdtOptions;
use std::error::Error;

/// A uniform in [0, 1) as 32-bit digits, drawn when they are needed.
struct Lazy {
    digits: [u32; 8],
    len: usize,
}

impl Lazy {
    fn new() -> Self {
        Lazy { digits: [0; 8], len: 0 }
    }

    fn digit<B: BitSource>(&mut self, i: usize, bits: &mut B) -> u32 {
        while self.len <= i {
            self.digits[self.len] = bits.bits(32) as u32;
            self.len += 1;
        }
        self.digits[i]
    }

    fn below<B: BitSource>(&mut self, other: &mut Lazy, bits: &mut B) -> bool {
        for i in 0..8 {
            let (a, b) = (self.digit(i, bits), other.digit(i, bits));
            if a != b {
                return a < b;
            }
        }
        false
    }

    fn below_rational<B: BitSource>(&mut self, num: u64, den: u64, bits: &mut B) -> bool {
        let mut rest = u128::from(num);
        for i in 0..8 {
            rest <<= 32;
            let place = (rest / u128::from(den)) as u64;
            rest %= u128::from(den);
            let digit = u64::from(self.digit(i, bits));
            if digit != place {
                return digit < place;
            }
        }
        false
    }

    fn below_half<B: BitSource>(&mut self, bits: &mut B) -> bool {
        self.digit(0, bits) >> 31 == 0
    }
}

/// A uniform integer below m, by rejection.
fn uniform<B: BitSource>(m: u64, bits: &mut B) -> u64 {
    let n = 64 - (m - 1).leading_zeros();
    loop {
        let x = if n == 0 { 0 } else { bits.bits(n) };
        if x < m {
            return x;
        }
    }
}

/// \[Kar16\], Algorithm D, transcribed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Karney {
    /// σ = a/b, c = e/d.
    pub(crate) sigma: (u64, u64),
    pub(crate) center: (i64, u64),
}

impl Karney {
    fn coin_h<B: BitSource>(bits: &mut B) -> bool {
        let mut u = Lazy::new();
        if !u.below_half(bits) {
            return true;
        }
        loop {
            let mut v = Lazy::new();
            if !v.below(&mut u, bits) {
                return false;
            }
            let mut w = Lazy::new();
            if !w.below(&mut v, bits) {
                return true;
            }
            u = w;
        }
    }

    /// -1, 0 or 1 with probabilities 1/m, 1/m, 1 - 2/m.
    fn coin_c<B: BitSource>(m: u64, bits: &mut B) -> i32 {
        match uniform(m, bits) {
            0 => -1,
            1 => 0,
            _ => 1,
        }
    }

    fn coin_b<B: BitSource>(k: u64, x: (u64, u64), bits: &mut B) -> bool {
        let mut y: Option<Lazy> = None;
        let mut n = 0;
        loop {
            let mut z = Lazy::new();
            let below = match &mut y {
                None => z.below_rational(x.0, x.1, bits),
                Some(y) => z.below(y, bits),
            };
            if !below {
                break;
            }
            let f = Self::coin_c(2 * k + 2, bits);
            if f < 0 || (f == 0 && !Lazy::new().below_rational(x.0, x.1, bits)) {
                break;
            }
            y = Some(z);
            n += 1;
        }
        n % 2 == 0
    }

    pub(crate) fn sample<B: BitSource>(&self, bits: &mut B) -> i64 {
        let ((a, b), (e, d)) = (self.sigma, self.center);
        let (unit, grid) = ((a * d) as i128, (b * d) as i128);
        'start: loop {
            let mut k = 0;
            while Self::coin_h(bits) {
                k += 1;
            }
            for _ in 0..k * (k.max(1) - 1) {
                if !Self::coin_h(bits) {
                    continue 'start;
                }
            }
            let s = if bits.bits(1) == 0 { 1 } else { -1_i64 };
            let point = i128::from(k) * unit + i128::from(s * e) * b as i128;
            let i0 = -(-point).div_euclid(grid);
            let j = uniform(a.div_ceil(b), bits);
            let x = (i0 + i128::from(j)) * grid - point;
            if x >= unit || (x == 0 && k == 0 && s < 0) {
                continue 'start;
            }
            for _ in 0..=k {
                if !Self::coin_b(k, (x as u64, unit as u64), bits) {
                    continue 'start;
                }
            }
            return s * (i0 as i64 + j as i64);
        }
    }
}

/// A table of 64-bit cumulative thresholds of |X|, falling; binary search, then a sign bit.
#[derive(Clone, Debug)]
pub(crate) struct Cdt64(Vec<u64>);

impl Cdt64 {
    /// The thresholds of the library's own table of 64 bits, as whole words.
    pub(crate) fn new(law: &DiscreteGaussian) -> Result<Self, Box<dyn Error>> {
        let table = samplez_tables::build_cdt(law, &CdtOptions { precision: 64, ..CdtOptions::default() })?;
        assert_eq!(table.shape(), Shape::Folded);
        let (heads, tails) = table.digits().split_at(table.len());
        Ok(Cdt64(heads.iter().zip(tails).map(|(head, tail)| u64::from(*head) << 32 | u64::from(*tail)).collect()))
    }

    pub(crate) fn sample<B: BitSource>(&self, bits: &mut B) -> i64 {
        let u = bits.bits(64);
        let (mut low, mut high) = (0, self.0.len());
        while low < high {
            let middle = (low + high) / 2;
            if u < self.0[middle] {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if bits.bits(1) == 0 { low as i64 } else { -(low as i64) }
    }
}

/// \[DW18\], Algorithm 5 with BIN, corrected, one bit at a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DuWei5 {
    pub(crate) k: u64,
}

impl DuWei5 {
    fn bin<B: BitSource>(bits: &mut B) -> u64 {
        'start: loop {
            if bits.bits(1) == 0 {
                return 0;
            }
            for i in 1.. {
                for _ in 0..2 * i - 2 {
                    if bits.bits(1) == 1 {
                        continue 'start;
                    }
                }
                if bits.bits(1) == 0 {
                    return i;
                }
            }
        }
    }

    /// 64 places of ln 2 are enough for a baseline.
    fn below_ln2<B: BitSource>(bits: &mut B) -> bool {
        let places = 0xb172_17f7_d1cf_79ab_u64;
        for i in (0..64).rev() {
            let (bit, place) = (bits.bits(1), places >> i & 1);
            if bit != place {
                return bit < place;
            }
        }
        false
    }

    /// True with probability 2^(-z/q).
    fn coin<B: BitSource>(z: u64, q: u64, bits: &mut B) -> bool {
        let mut y = Lazy::new();
        let mut n = 0;
        loop {
            let mut w = Lazy::new();
            let below = if n == 0 { w.below_rational(z, q, bits) } else { w.below(&mut y, bits) };
            if !below || !Self::below_ln2(bits) {
                return n % 2 == 0;
            }
            y = w;
            n += 1;
        }
    }

    pub(crate) fn sample<B: BitSource>(&self, bits: &mut B) -> i64 {
        'start: loop {
            let x = Self::bin(bits);
            let negative = bits.bits(1) == 1;
            let y = uniform(self.k, bits) + u64::from(negative);
            let (i, q) = (y * y + 2 * self.k * x * y, self.k * self.k);
            for _ in 0..i / q {
                if bits.bits(1) == 0 {
                    continue 'start;
                }
            }
            if Self::coin(i % q, q, bits) {
                let value = (self.k * x + y) as i64;
                return if negative { -value } else { value };
            }
        }
    }
}

/// Fills an array sample by sample.
pub(crate) fn fill<T: Int>(out: &mut [T], mut sample: impl FnMut() -> i64) -> Result<(), RangeError> {
    for slot in out {
        let value = sample();
        *slot = T::narrow(value).ok_or(RangeError::of::<T>())?;
    }
    Ok(())
}
