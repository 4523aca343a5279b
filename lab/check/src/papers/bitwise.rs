//! \[DW18\]'s samplers and those it compares, all a bit at a time in one arithmetic, at σ = 215 or k = 254.

use super::algorithms::{First, accept_1, accept_4, accept_5, accepted_k, simple};
use super::half::{bin, walk_by_tables};
use super::lazy::{Bits, Lazy};
use samplez_core::bits::{BitReader, BitSource, uniform_below};
use samplez_core::testing::Counted;
use samplez_sources::{ChaCha20, Seed};

const SIGMA: u64 = 215;
/// The multiple of sqrt(1/(2 ln 2)) next to it.
const K: u64 = 254;

/// A sampler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bitwise {
    /// \[DW18\]'s Algorithm 1, which is \[Kar16\]'s D.
    Karney,
    /// Algorithm 4.
    Four,
    /// Algorithm 5 over BIN.
    FiveByBin,
    /// Algorithm 5 over Algorithm 9.
    FiveByTables,
    /// \[DDLL13\]: BIN, and a coin of 53 bits for each set bit of the exponent.
    Ddll13,
}

/// The bits that they draw, and the coins of \[DDLL13\].
pub struct Tape {
    bits: Bits,
    coins: Vec<u64>,
}

impl Tape {
    /// A tape from a seed.
    ///
    /// ```
    /// use samplez_check::papers::{Bitwise, Tape};
    /// let mut tape = Tape::new([1; 32]);
    /// assert!(Bitwise::Four.sample(&mut tape).abs() < 215 * 40);
    /// ```
    pub fn new(seed: [u8; 32]) -> Tape {
        let bits = Counted::new(BitReader::new(ChaCha20::new(&Seed::from_bytes(seed))));
        let square = (K * K) as f64;
        let coin = |i: i32| (2_f64.powf(-2_f64.powi(i) / square) * 2_f64.powi(53)) as u64;
        Tape { bits, coins: (0..24).map(coin).collect() }
    }
}

impl Bitwise {
    /// All of them.
    pub const ALL: [Bitwise; 5] =
        [Bitwise::Karney, Bitwise::Four, Bitwise::FiveByBin, Bitwise::FiveByTables, Bitwise::Ddll13];

    /// A sample.
    ///
    /// ```
    /// use samplez_check::papers::{Bitwise, Tape};
    /// let mut tape = Tape::new([2; 32]);
    /// let mean: f64 = (0..10_000).map(|_| Bitwise::Karney.sample(&mut tape) as f64).sum::<f64>() / 1e4;
    /// assert!(mean.abs() < 5.0 * 215.0 / 100.0);
    /// ```
    pub fn sample(self, Tape { bits, coins }: &mut Tape) -> i64 {
        loop {
            let of_sigma = matches!(self, Bitwise::Karney | Bitwise::Four);
            let side = if of_sigma { SIGMA } else { K };
            let block = match self {
                Bitwise::Karney | Bitwise::Four => accepted_k(bits),
                Bitwise::FiveByBin | Bitwise::Ddll13 => bin(false, bits),
                Bitwise::FiveByTables => walk_by_tables(bits),
            };
            let (is_positive, mut place) = (bits.bit(), uniform_below(side, bits));
            // Algorithms 4 and 5 shift one of the signs; the others reject one of the zeros.
            let is_shifted = !matches!(self, Bitwise::Karney | Bitwise::Ddll13);
            place += u64::from(is_shifted && is_positive);
            if !is_shifted && block == 0 && place == 0 && is_positive {
                continue;
            }
            let is_accepted = match self {
                Bitwise::Karney => accept_1(block, place, SIGMA, First::Choice, bits),
                Bitwise::Four => accept_4(block, place, SIGMA, bits),
                Bitwise::FiveByBin | Bitwise::FiveByTables => accept_5(block, place, K, simple, bits),
                Bitwise::Ddll13 => coin_by_coin(place * (place + 2 * K * block), coins, bits),
            };
            if is_accepted {
                let x = (block * side + place) as i64;
                return if is_positive { x } else { -x };
            }
        }
    }
}

/// 2^(-exponent/k²): a coin for each set bit, from the greatest on.
fn coin_by_coin(exponent: u64, coins: &[u64], bits: &mut Bits) -> bool {
    (0..coins.len())
        .rev()
        .filter(|i| exponent >> i & 1 == 1)
        .all(|i| Lazy::default().is_below_rational(coins[i], 1 << 53, bits))
}
