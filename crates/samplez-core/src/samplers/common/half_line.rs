//! x >= 0 with probability proportional to 2^(-x²): the law D_{Z+,σ₂} of \[DDLL13\] and \[DW18\].
//!
//! Its total weight is w = Σ 2^(-x²) = 1.5644684136…. Two ways to it, both exact:
//!
//! - *BIN* of \[DDLL13\] compares a uniform's binary places with the places of w/2 = .1100100001…. Where they
//!   part, the interval that holds the uniform, of length 2^(-x²-1), is x. If there is none, the draw is rejected
//!   (probability 1 - w/2 = 0.218).
//! - *Knuth–Yao*, \[DW18\] Algorithms 8 and 9, walks a tree whose level n settles every x ⌊2^n·2^(-x²)/w⌋ times: no
//!   rejection.
//!
//! Both are entered by a table over the uniform's first p places. Past it the paper's walk would need 1/w without end.
//! Here the walk's remainder is drawn by rejection instead, which needs only w. All binary places of w are known: 1
//! where a square is.
//!
//! Proof: docs/proofs/du-wei.md.

use crate::bits::BitSource;

/// The table's entry for a prefix that does not settle x.
pub(crate) const OPEN: u8 = 0x40;
/// The table's entry for a prefix that is rejected.
pub(crate) const REJECT: u8 = 0x80;
/// ⌊2^64/w⌋.
const INVERSE_W: u64 = 0xa3a2_446c_95b5_b009;
/// No run of coins is longer: x stays below 2^10, which fails with probability 2^-(2^20).
const RUN_MAX: u64 = 1 << 20;
/// All x are below this.
pub(crate) const X_END: u64 = 1 << 10;

/// The half Gaussian D_{Z+,σ₂}: x >= 0 with a probability proportional to 2^(-x²), σ₂ = sqrt(1/(2 ln 2)). Its running time depends on x.
///
/// ```
/// use samplez_core::{bits::BitReader, samplers::HalfLine};
/// use samplez_sources::{ChaCha20, Seed};
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// let zeros = (0..1000).filter(|_| HalfLine::KnuthYao.sample(&mut bits) == 0).count();
/// assert!((550..730).contains(&zeros)); // 1/w = 0.639 of all
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HalfLine {
    /// Algorithm 10 of \[DDLL13\], called BIN in \[DW18\]: 2.557 bits a sample without a table.
    Bin,
    /// Algorithm 8 of \[DW18\], after Knuth and Yao: 2.031 bits a sample without a table.
    KnuthYao,
}

/// w = Σ 2^(-x²), for costs.
pub(crate) const W: f64 = 1.564_468_413_605_938_6;

impl HalfLine {
    /// Draws x bit by bit. The law is exact given that x < 2^10, which fails with probability below 2^-(2^19).
    pub fn sample<B: BitSource + ?Sized>(self, bits: &mut B) -> u64 {
        loop {
            let x = match self {
                HalfLine::Bin => Self::bin(bits),
                HalfLine::KnuthYao => Self::walk::<60, _>(bits),
            };
            if let Some(x) = x {
                return x;
            }
        }
    }

    /// Draws x of the same law by a table over the first eight places of its uniform, which is what Algorithm 9 of \[DW18\] is for. It
    /// uses eight bits, and more where they leave x open.
    pub fn sample_by_table<B: BitSource + ?Sized>(self, bits: &mut B) -> u64 {
        self.by_table::<256, B>(bits)
    }

    /// Draws x by the table over N prefixes.
    fn by_table<const N: usize, B: BitSource + ?Sized>(self, bits: &mut B) -> u64 {
        let p = N.ilog2();
        loop {
            let x = match self.table::<N>()[bits.bits(p) as usize % N] {
                REJECT => None,
                OPEN => self.settle(p, bits),
                x => Some(x.into()),
            };
            if let Some(x) = x {
                return x;
            }
        }
    }

    /// Returns the probability that a draw succeeds.
    pub(crate) const fn acceptance(self) -> f64 {
        match self {
            HalfLine::Bin => W / 2.0,
            HalfLine::KnuthYao => 1.0,
        }
    }

    /// In how many of the 2^p prefixes x is settled: 2^(p-x²-1), or ⌊2^(p-x²)/w⌋. x² < p.
    const fn settled(self, x: u32, p: u32) -> u64 {
        match self {
            HalfLine::Bin => 1 << (p - x * x - 1),
            HalfLine::KnuthYao => INVERSE_W >> (64 + x * x - p),
        }
    }

    /// x, [`OPEN`] or [`REJECT`] for each of N = 2^p prefixes, in this order.
    const fn entries<const N: usize>(self) -> [u8; N] {
        let p = N.ilog2();
        let mut entries = [OPEN; N];
        let (mut i, mut x) = (0, 0);
        while x * x < p {
            let end = i + self.settled(x, p) as usize;
            while i < end {
                entries[i] = x as u8;
                i += 1;
            }
            x += 1;
        }
        if matches!(self, HalfLine::Bin) {
            // One prefix holds the end w/2; those above are rejected.
            i += 1;
            while i < N {
                entries[i] = REJECT;
                i += 1;
            }
        }
        entries
    }

    /// The table over N prefixes.
    pub(crate) const fn table<const N: usize>(self) -> &'static [u8; N] {
        match self {
            HalfLine::Bin => const { &HalfLine::Bin.entries() },
            HalfLine::KnuthYao => const { &HalfLine::KnuthYao.entries() },
        }
    }

    /// x by BIN, bit by bit; `None` in place of an x >= X_END.
    pub(crate) fn bin<B: BitSource + ?Sized>(bits: &mut B) -> Option<u64> {
        loop {
            if !bits.bit() {
                return Some(0);
            }
            // Stage x is through with 2x - 2 zeros, and ends with another: at the place x² of w/2's ones.
            let through = (1..X_END).find_map(|x| match (0..2 * x - 2).any(|_| bits.bit()) {
                true => Some(None),
                false => (!bits.bit()).then_some(Some(x)),
            });
            match through {
                Some(Some(x)) => return Some(x),
                Some(None) => {}
                None => return None,
            }
        }
    }

    /// x by the walk, bit by bit: P <= 60 levels of the tree, then [`settle`](Self::settle).
    pub(crate) fn walk<const P: u32, B: BitSource + ?Sized>(bits: &mut B) -> Option<u64> {
        let mut distance = 0;
        for level in 1..=P {
            distance = 2 * distance + u64::from(bits.bit());
            // Column `level` has the places of weight 2^-level of 2^(-x²)/w.
            let rows = (0..=(level - 1).isqrt()).filter(|x| INVERSE_W >> (64 + x * x - level) & 1 != 0);
            for x in rows {
                match distance {
                    0 => return Some(x.into()),
                    _ => distance -= 1,
                }
            }
        }
        HalfLine::KnuthYao.settle(P, bits)
    }

    /// Returns the expected bits of [`bin`](Self::bin) or of [`walk`](Self::walk) with 60 levels, to 2^-50.
    pub(crate) fn bits(self) -> f64 {
        let half = |n: u32| 1.0 / (1_u64 << n) as f64;
        match self {
            // Stage x is reached with probability 2^(-(x-1)²-1); the zeros end with their first 1.
            HalfLine::Bin => {
                let stage = |x: u32| half((x - 1) * (x - 1) + 1) * (2.0 - half(2 * x - 2));
                (1.0 + (1..8).map(stage).sum::<f64>()) / self.acceptance()
            }
            // A level is reached unless one before it settled x.
            HalfLine::KnuthYao => (0..50).map(|level| self.open(level)).sum(),
        }
    }

    /// The probability that the walk goes on after this level.
    fn open(self, level: u32) -> f64 {
        let settled = |x: u32| self.settled(x, level) as f64 / (1_u64 << level) as f64;
        1.0 - (0..8).take_while(|x| x * x < level).map(settled).sum::<f64>()
    }

    /// x, given that the first p places of its uniform left it open; `None` if it is rejected.
    #[cold]
    #[inline(never)]
    pub(crate) fn settle<B: BitSource + ?Sized>(self, p: u32, bits: &mut B) -> Option<u64> {
        match self {
            HalfLine::Bin => far(p, bits),
            HalfLine::KnuthYao => loop {
                // What the settled prefixes left over: 2^(p-x²) - w⌊2^(p-x²)/w⌋ for x² < p, in
                // units of 1/w, and 2^(p-x²) for the x beyond. Each taken with half of that.
                let rows = u64::from((p - 1).isqrt() + 1);
                let x = crate::bits::uniform_below(rows + 1, bits);
                let taken = if x == rows {
                    far(p, bits)
                } else {
                    is_left_over(p - (x * x) as u32, self.settled(x as u32, p), bits).then_some(x)
                };
                if taken.is_some() {
                    return taken;
                }
            },
        }
    }
}

/// x with probability 2^(p-1-x²) for each x with x² >= p, or `None`.
fn far<B: BitSource + ?Sized>(p: u32, bits: &mut B) -> Option<u64> {
    let run = (1..RUN_MAX).find(|_| bits.bit())?;
    let square = run + u64::from(p) - 1;
    let x = square.isqrt();
    (x * x == square && x < X_END).then_some(x)
}

/// True with probability (2^e - m·w)/2, where 0 <= 2^e - m·w < 2: compares 2U, U uniform, with it
/// place by place.
fn is_left_over<B: BitSource + ?Sized>(e: u32, m: u64, bits: &mut B) -> bool {
    let m = m as i64;
    // After i places: 2^i·(2^e - m·w - 2U), but for the places to come, which take at most m + 2.
    let mut rest = (1_i64 << e) - m;
    let mut i = 1_u64;
    while (1..=m + 1).contains(&rest) {
        let place = i.isqrt().pow(2) == i;
        rest = 2 * rest - if place { m } else { 0 } - if bits.bit() { 2 } else { 0 };
        i += 1;
    }
    rest > 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::Counted;
    use crate::fixtures::{Tape, reader};

    #[test]
    fn tables_hold_what_is_settled() {
        let count = |table: &[u8], entry| table.iter().filter(|e| **e == entry).count();
        let counts = |table: &[u8]| [0, 1, 2, 3, OPEN, REJECT].map(|entry| count(table, entry));
        assert_eq!(counts(HalfLine::Bin.table::<4096>()), [2048, 1024, 128, 4, 1, 891]);
        // 4096/w = 2618.1…
        assert_eq!(counts(HalfLine::KnuthYao.table::<4096>()), [2618, 1309, 163, 5, 1, 0]);
        assert_eq!(counts(HalfLine::KnuthYao.table::<2>()), [1, 0, 0, 0, 1, 0]);
    }

    /// Every prefix of the public table has its x, and the next prefix is drawn where BIN rejects.
    #[test]
    fn the_table_of_256_has_its_places() {
        for (half_line, ends) in [(HalfLine::Bin, [128, 192, 200]), (HalfLine::KnuthYao, [163, 244, 254])] {
            let first =
                |prefix: u64, after: u64| half_line.sample_by_table(&mut Tape::before(&[(prefix, 8), (after, 8)], 1));
            for prefix in 0..ends[2] {
                let x = ends.iter().position(|end| prefix < *end).unwrap() as u64;
                assert_eq!(first(prefix, 0), x, "{half_line:?}, {prefix}");
            }
            if half_line == HalfLine::Bin {
                assert_eq!([(255, 0), (201, 191), (255, 199)].map(|(prefix, after)| first(prefix, after)), [0, 1, 2]);
            }
        }
    }

    /// x over N prefixes has the frequencies 2^(-x²)/w, within 5 deviations.
    fn judge<const N: usize>(half_line: HalfLine) {
        let mut bits = reader(5);
        let (n, mut counts) = (400_000, [0_f64; 4]);
        for _ in 0..n {
            counts[half_line.by_table::<N, _>(&mut bits).min(3) as usize] += 1.0;
        }
        for (x, count) in counts.iter().enumerate() {
            let p = W.recip() / (1_u64 << (x * x)) as f64;
            // Beyond 3 there is 2^-16.6 of it.
            let mean = p * f64::from(n);
            assert!((count - mean).abs() < 5.0 * mean.sqrt() + 5.0, "{half_line:?}, {N}, x = {x}: {counts:?}");
        }
    }

    #[test]
    fn every_entry_leads_to_the_law() {
        for half_line in [HalfLine::Bin, HalfLine::KnuthYao] {
            judge::<2>(half_line);
            judge::<4>(half_line);
            judge::<8>(half_line);
            judge::<16>(half_line);
            judge::<32>(half_line);
            judge::<256>(half_line);
            judge::<1024>(half_line);
        }
    }

    /// Bit by bit the same law, for the bits that are declared.
    #[test]
    fn walks_have_the_law_and_cost_what_they_declare() {
        for half_line in [HalfLine::Bin, HalfLine::KnuthYao] {
            let mut bits = Counted::new(reader(6));
            let (n, mut counts) = (50_000, [0_f64; 4]);
            for _ in 0..n {
                counts[half_line.sample(&mut bits).min(3) as usize] += 1.0;
            }
            for (x, count) in counts.iter().enumerate() {
                let mean = W.recip() / (1_u64 << (x * x)) as f64 * f64::from(n);
                assert!((count - mean).abs() < 6.0 * mean.sqrt() + 5.0, "{half_line:?}, x = {x}: {counts:?}");
            }
            let (measured, declared) = (bits.count() as f64 / f64::from(n), half_line.bits());
            assert!((measured / declared - 1.0).abs() < 0.02, "{half_line:?}: {measured}, {declared}");
        }
        assert_eq!(HalfLine::KnuthYao.acceptance(), 1.0);
        assert!((HalfLine::Bin.acceptance() - 0.782_234).abs() < 1e-6);
        // [DW18], Sections 4.1 and 4.2: the papers' 2.5568 and 2.0309, and what a walk of finite depth spends.
        assert!((HalfLine::Bin.bits() - 2.5568).abs() < 1e-4, "{}", HalfLine::Bin.bits());
        assert!((HalfLine::KnuthYao.bits() - 2.0309).abs() < 1e-4, "{}", HalfLine::KnuthYao.bits());
    }

    /// Runs of zeros without end are given up.
    #[test]
    fn endless_runs_are_none() {
        struct Bits(bool);
        impl BitSource for Bits {
            fn bits(&mut self, n: u32) -> u64 {
                if self.0 { u64::MAX >> (64 - n) } else { 0 }
            }
        }
        assert_eq!((HalfLine::bin(&mut Bits(false)), HalfLine::walk::<60, _>(&mut Bits(false))), (Some(0), Some(0)));
        assert_eq!(far(4, &mut Bits(false)), None);
        // The first place past 4 is x = 2's, the first past 5 nobody's.
        assert_eq!((far(4, &mut Bits(true)), far(5, &mut Bits(true))), (Some(2), None));
        // A shorter run is given up where its place is that of an x which is too large.
        for (x, is_x) in [(X_END - 1, true), (X_END, false)] {
            let mut bits = std::vec![false; (x * x - 4) as usize];
            bits.push(true);
            let mut tape = Tape::new(bits);
            assert_eq!((far(4, &mut tape), tape.read), (is_x.then_some(x), tape.bits.len()));
        }
    }
}
