//! One trial in 64-bit words: products of 32 bits by 32, comparisons, shifts. Written for one
//! record; a loop over it becomes vector code.

use crate::arch::Kernel;

/// T_j = Σ_{x>j} ⌊2^72·e^(-x²/8)/Σ_{y>=0} e^(-y²/8)⌋, the leading 64 bits and the other 8:
/// z0 = #{j : v < T_j} for uniform v < 2^72.
pub(super) const BASE: [(u64, u64); 19] = [
    (0xaada_d36d_39cf_6444, 0x06),
    (0x5fb6_e322_6f2d_275b, 0xa7),
    (0x2c12_3b9b_f6e4_8f2d, 0x2b),
    (0x106d_b9fb_4da9_58a3, 0x7d),
    (0x04e7_ccbc_f562_6b42, 0x98),
    (0x012a_1948_bafa_2f89, 0x6d),
    (0x0037_f43b_9699_9828, 0x1c),
    (0x0008_45dd_6517_2cb7, 0x7f),
    (0x0000_f5f5_2a07_bc80, 0x22),
    (0x0000_1663_e71b_ea09, 0xcc),
    (0x0000_0198_6154_5fc0, 0x90),
    (0x0000_0016_bed9_db3a, 0xff),
    (0x0000_0000_fd4f_5420, 0xf5),
    (0x0000_0000_0899_f006, 0xfa),
    (0x0000_0000_003a_5488, 0x4e),
    (0x0000_0000_0001_347b, 0x0d),
    (0x0000_0000_0000_04f7, 0xda),
    (0x0000_0000_0000_000f, 0xf6),
    (0x0000_0000_0000_0000, 0x27),
];

/// The polynomial of degree 11 that is exp(-r) at the 12 Chebyshev points of [0, ln 2 + 2^-20], and
/// within 2^-58.6 of it in between. |Coefficients| from r^0 up, in units of 2^-63; their signs
/// alternate.
const COEFFICIENTS: [u64; 9] = [
    0x7fff_ffff_ffff_ffeb,
    0x7fff_ffff_ffff_dea4,
    0x3fff_ffff_fff7_07a2,
    0x1555_5555_5463_5592,
    0x0555_5555_4825_7fa4,
    0x0111_1110_a469_3a17,
    0x002d_82d5_f516_bf38,
    0x0006_8060_5c91_1a70,
    0x0000_cffb_4b2b_a39a,
];
/// The last three, in units of 2^-50, 2^-53 and 2^-56.
const SHORT: [u64; 3] = [0xb815_8366, 0x8d3d_a970, 0x4c42_585e];

/// ⌊2^64·ln 2⌋.
const LN2: u64 = 0xb172_17f7_d1cf_79ab;
/// ⌊2^31/ln 2⌋.
const INV_LN2: u64 = 0xb8aa_3b29;

/// What a trial needs to know about σ and the centre; κ = K²/σ², f = c - ⌊c⌋.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Constants {
    /// K = ⌈σ/2⌉ <= 2^25.
    pub(super) multiplier: u64,
    /// n, the bits of w, at most 32.
    pub(super) uniform_bits: u32,
    /// 2^n mod K.
    pub(super) reject: u64,
    /// Bits of the draw that is compared with the probability, 48 to 63.
    pub(super) draw_bits: u32,
    /// ⌊lg K⌋.
    pub(super) shift: u32,
    /// κ/K in units of 2^-(62 + shift).
    pub(super) slope: u64,
    /// 1/2K in units of 2^-(58 + shift).
    pub(super) half: u64,
    /// κ/2 - 1/8 in units of 2^-64.
    pub(super) square: u64,
    /// κ·o/K in units of 2^-62 and o/2K in units of 2^-58, for o = f and for o = 1 - f.
    pub(super) offsets: [(u64, u64); 2],
}

impl Constants {
    /// Bits of a record: 72 for v, 1 for b, n for w, and the draw's. Whole bytes, 16 to 20.
    pub(super) const fn record_bits(&self) -> usize {
        (73 + self.uniform_bits + self.draw_bits) as usize
    }
}

/// The product of the low halves.
#[inline(always)]
const fn mul(a: u64, b: u64) -> u64 {
    (a & 0xffff_ffff) * (b & 0xffff_ffff)
}

/// ⌊factor·u/2^shift⌋ or one less, for u < 2^26, where it and factor are below 2^63.
#[inline(always)]
const fn scaled(u: u64, factor: u64, shift: u32) -> u64 {
    (mul(u, factor >> 32) << (32 - shift)) + (mul(u, factor) >> shift)
}

/// The step's E in units of 2^-55, for z0, u < K and the offsets of the side.
///
/// E = (z - f)²/2σ² - z0²/8 = (κ/2 - 1/8)·z0² + g·h with |z - f| = K·z0 + t, t = u + o,
/// g = κ·t/K and h = z0 + t/2K. It is short by less than 2^-52.4.
#[inline(always)]
pub(super) const fn exponent(constants: &Constants, z0: u64, u: u64, offsets: (u64, u64)) -> u64 {
    let g = scaled(u, constants.slope, constants.shift) + offsets.0;
    let h = (z0 << 58) + scaled(u, constants.half, constants.shift) + offsets.1;
    let cross = mul(g >> 32, h) + mul(g, h >> 32);
    let product = (mul(g >> 32, h >> 32) >> 1) + (cross >> 33);
    let z0_squared = mul(z0, z0);
    (mul(z0_squared, constants.square >> 32) << 23) + (mul(z0_squared, constants.square) >> 9) + product
}

/// ⌊exp(-E)·2^bits⌋ for E < 2^8 in units of 2^-55, exp(-E) within 2^-51.8 relative.
///
/// E = s·ln 2 + r, s = ⌊E/ln 2⌋ or one less where E/ln 2 is within 2^-22 above a whole number.
#[inline(always)]
pub(super) const fn exp_neg(exponent: u64, bits: u32) -> u64 {
    let s = mul(exponent >> 32, INV_LN2) >> 54;
    let r = (exponent - (mul(s, LN2 >> 32) << 23) - (mul(s, LN2) >> 9)) << 8; // 2^-63
    let (high, low) = (r >> 32, r & 0xffff_ffff);
    // The last terms are small: 32 bits of them and of r will do.
    let m = SHORT[1] - (mul(SHORT[2], high) >> 34);
    let m = SHORT[0] - (mul(m, high) >> 34);
    let mut m = COEFFICIENTS[8] - (mul(m, high) >> 18);
    let mut i = 8;
    while i > 0 {
        i -= 1;
        m = COEFFICIENTS[i] - (mul(m >> 32, high) << 1) - ((mul(m >> 32, low) + mul(m, high)) >> 31);
    }
    let scaled = if s < 64 { m >> s } else { 0 };
    scaled >> (63 - bits)
}

/// z0 of these 64 and 8 bits.
#[inline(always)]
pub(super) const fn base(high: u64, low: u64) -> u64 {
    let (mut z0, mut j) = (0, 0);
    while j < BASE.len() {
        // v < T: the leading bits are less, or equal and the others less.
        z0 += (high < BASE[j].0 + (low < BASE[j].1) as u64) as u64;
        j += 1;
    }
    z0
}

/// A record's first word, the word of its bits 64 … 127, and its last 64 bits.
#[derive(Clone, Copy, Default)]
pub(super) struct Record {
    pub(super) first: u64,
    pub(super) second: u64,
    pub(super) last: u64,
}

/// Steps 1 to 4: z, and 1 if it is accepted, else 0.
#[inline(always)]
pub(super) const fn trial(constants: &Constants, record: Record) -> (i32, u32) {
    // step 1
    let z0 = base(record.first, record.second & 0xff);
    // step 2
    let mask = (1 << constants.uniform_bits) - 1;
    let product = mul(record.second >> 9 & mask, constants.multiplier);
    let u = product >> constants.uniform_bits;
    let is_uniform = product & mask >= constants.reject;
    let x = mul(constants.multiplier, z0) + u;
    // step 3
    let upper = (record.second >> 8 & 1).wrapping_neg(); // 0 or all ones
    let z = upper & (x + 1) | !upper & x.wrapping_neg();
    let [below, above] = constants.offsets;
    let offsets = (upper & above.0 | !upper & below.0, upper & above.1 | !upper & below.1);
    // step 4
    let threshold = exp_neg(exponent(constants, z0, u, offsets), constants.draw_bits);
    let draw = record.last >> (64 - constants.draw_bits);
    (z as i32, ((draw < threshold) & is_uniform) as u32)
}

/// Trials over records that lie one after the other in `bytes`; as many results as fit the
/// slices.
pub(super) struct Trials<'a, const N: usize> {
    pub(super) constants: &'a Constants,
    pub(super) bytes: &'a [u8],
    pub(super) count: usize,
    pub(super) values: &'a mut [i32; N],
    pub(super) accepted: &'a mut [u32; N],
}

impl<const N: usize> Kernel for Trials<'_, N> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let size = self.constants.record_bits() / 8;
        let constants = *self.constants;
        let (mut first, mut second, mut last) = ([0; N], [0; N], [0; N]);
        let places = first.iter_mut().zip(&mut second).zip(&mut last);
        for (record, ((first, second), last)) in self.bytes.chunks_exact(size).zip(places) {
            let word = |at: usize| match record[at..].first_chunk() {
                Some(bytes) => u64::from_le_bytes(*bytes),
                None => 0,
            };
            (*first, *second, *last) = (word(0), word(8), word(size - 8));
        }
        // Whole vectors: what is beyond the records counts for nothing.
        let whole = self.count.next_multiple_of(16).min(N);
        for i in 0..whole {
            let record = Record { first: first[i], second: second[i], last: last[i] };
            (self.values[i], self.accepted[i]) = trial(&constants, record);
        }
    }
}
