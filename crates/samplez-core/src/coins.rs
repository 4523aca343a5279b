//! Exact coins for schemes: [`ExpCoin`].

use crate::bits::BitSource;
use crate::params::{ParamError, Rational, Width};

/// The base b of b^-y.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Base {
    E,
    Two,
}

/// Coins of probability e^(-x/f) and 1/cosh(x/f), for one f > 0 and every integer x >= 0.
///
/// A rejection step of a lattice scheme accepts with such a probability. Here the probability is exact, given ideal
/// bits. A coin compares lazily drawn uniforms with fractions, and draws no bit more than each comparison needs.
/// Nothing is rounded and there is no table. Proof: docs/proofs/coins.md.
///
/// The time and the number of bits depend on x/f and on the outcome, hence the names in
/// `_vartime`.
///
/// # Example
///
/// The acceptance of BLISS, 1/(M·exp(-v/2σ²)·cosh(p/σ²)) for v = ‖v‖², p = ⟨z,v⟩ and M =
/// exp(`most`/2σ²):
///
/// ```
/// use samplez_core::{ExpCoin, Width, bits::{BitReader, BitSource}};
/// use samplez_sources::{ChaCha20, Seed};
///
/// fn accept(coin: &ExpCoin, most: u64, v: u64, p: i64, bits: &mut impl BitSource) -> bool {
///     coin.exp_vartime(most - v, bits) && coin.sech_vartime(2 * p.unsigned_abs(), bits)
/// }
///
/// let coin = ExpCoin::of_width(Width::KSigma2("254".parse()?))?; // BLISS-I: 2σ² = 254²/ln 2
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// let accepted = (0..1000).filter(|_| accept(&coin, 17_825, 12_000, -20_000, &mut bits)).count();
/// assert!((800..900).contains(&accepted)); // 0.939·0.911
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExpCoin {
    /// The probability is base^(-x·den/num).
    base: Base,
    num: u64,
    den: u64,
}

impl ExpCoin {
    /// Builds coins of this f.
    ///
    /// # Errors
    ///
    /// [`ParamError::NotPositive`] unless f > 0.
    ///
    /// ```
    /// use samplez_core::{ExpCoin, Rational};
    /// assert!(ExpCoin::new("92450".parse()?).is_ok()); // 2·215²
    /// assert_eq!(ExpCoin::new(Rational::ZERO).unwrap_err().to_string(), "f = 0: expected a number greater than 0");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn new(f: Rational) -> Result<Self, ParamError> {
        Self::with_base(Base::E, "f", f)
    }

    /// Builds the coins of f = q/ln 2: e^(-x/f) is 2^(-x/q).
    ///
    /// # Errors
    ///
    /// [`ParamError::NotPositive`] unless q > 0.
    ///
    /// ```
    /// use samplez_core::{ExpCoin, bits::BitReader};
    /// use samplez_sources::{ChaCha20, Seed};
    /// let coin = ExpCoin::base_two("5".parse()?)?;
    /// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
    /// let quarters = (0..1000).filter(|_| coin.exp_vartime(10, &mut bits)).count();
    /// assert!((200..300).contains(&quarters));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn base_two(q: Rational) -> Result<Self, ParamError> {
        Self::with_base(Base::Two, "q", q)
    }

    /// Builds the coins of f = 2σ², the exponent of a Gaussian of this width.
    ///
    /// # Errors
    ///
    /// [`ParamError::NotPositive`] unless σ > 0. [`ParamError::Unsupported`] for `Width::S`, where neither f nor f·ln
    /// 2 is rational. [`ParamError::Unsupported`] also if 2σ² (2σ² ln 2 for `KSigma2`) does not have a numerator
    /// below 2^63 and a denominator below 2^64.
    ///
    /// ```
    /// use samplez_core::{ExpCoin, Width};
    /// let coin = ExpCoin::of_width(Width::Sigma("215".parse()?))?;
    /// assert_eq!(coin, ExpCoin::new("92450".parse()?)?);
    /// assert_eq!(ExpCoin::of_width(Width::KSigma2("254".parse()?))?, ExpCoin::base_two("64516".parse()?)?);
    /// let e = ExpCoin::of_width(Width::S("8".parse()?)).unwrap_err();
    /// assert!(e.to_string().starts_with("s = 8: method exp-coin allows sigma,"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn of_width(width: Width) -> Result<Self, ParamError> {
        let (argument, value) = (width.name(), width.value());
        if value.num() <= 0 {
            return Err(ParamError::NotPositive { argument, value });
        }
        let (num, den) = (value.num(), value.den());
        let product = match width {
            Width::Sigma(_) => scaled(2, num.checked_mul(num), den.checked_mul(den)),
            Width::SigmaSq(_) => scaled(2, Some(num), Some(den)),
            Width::KSigma2(_) => scaled(1, num.checked_mul(num), den.checked_mul(den)),
            Width::S(_) => None,
        };
        match product {
            Some(f) if matches!(width, Width::KSigma2(_)) => Self::with_base(Base::Two, argument, f),
            Some(f) => Self::with_base(Base::E, argument, f),
            None => Err(ParamError::Unsupported {
                method: "exp-coin",
                argument,
                value,
                allowed: "sigma, sigma_squared or k_sigma2 whose 2*sigma^2 (k^2) has a numerator below 2^63 and a denominator below 2^64",
            }),
        }
    }

    const fn with_base(base: Base, argument: &'static str, f: Rational) -> Result<Self, ParamError> {
        if f.num() <= 0 {
            return Err(ParamError::NotPositive { argument, value: f });
        }
        Ok(ExpCoin { base, num: f.num().unsigned_abs(), den: f.den() })
    }

    /// Returns true with probability e^(-x/f).
    ///
    /// # Law
    ///
    /// Bernoulli(e^(-x/f)), exactly, if `bits` is ideal. x = 0 draws nothing; no x takes more than 5.5
    /// bits on average.
    ///
    /// ```
    /// use samplez_core::{ExpCoin, bits::BitReader};
    /// use samplez_sources::{ChaCha20, Seed};
    /// let coin = ExpCoin::new("1/2".parse()?)?;
    /// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
    /// assert!(coin.exp_vartime(0, &mut bits));
    /// let hits = (0..1000).filter(|_| coin.exp_vartime(1, &mut bits)).count();
    /// assert!((100..170).contains(&hits)); // e^-2 = 0.135
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn exp_vartime<B: BitSource + ?Sized>(&self, x: u64, bits: &mut B) -> bool {
        // Below 2^128.
        let (exponent, num) = (u128::from(x) * u128::from(self.den), u128::from(self.num));
        let (whole, rest) = (exponent / num, exponent % num);
        match self.base {
            Base::E => (0..whole).all(|_| coin_inverse_e(bits)) && coin_exp(rest, num, bits),
            Base::Two => (0..whole).all(|_| bits.bit()) && coin_exp2(rest, num, bits),
        }
    }

    /// Returns true with probability 1/cosh(x/f).
    ///
    /// Each round tosses a coin p of probability e^(-x/f): heads, true. Else a fair coin: heads, a new
    /// round. Else p again: tails, false; heads, a new round.
    ///
    /// # Law
    ///
    /// Bernoulli(1/cosh(x/f)), exactly, if `bits` is ideal: by P = p + (1-p)(1+p)/2·P it is
    /// 2p/(1+p²). At most 2 rounds on average, and 14 bits.
    ///
    /// ```
    /// use samplez_core::{ExpCoin, bits::BitReader};
    /// use samplez_sources::{ChaCha20, Seed};
    /// let coin = ExpCoin::new("10".parse()?)?;
    /// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
    /// let hits = (0..1000).filter(|_| coin.sech_vartime(10, &mut bits)).count();
    /// assert!((600..700).contains(&hits)); // 1/cosh(1) = 0.648
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sech_vartime<B: BitSource + ?Sized>(&self, x: u64, bits: &mut B) -> bool {
        loop {
            if self.exp_vartime(x, bits) {
                return true;
            }
            if !bits.bit() && !self.exp_vartime(x, bits) {
                return false;
            }
        }
    }
}

/// factor·num/den.
const fn scaled(factor: i64, num: Option<i64>, den: Option<u64>) -> Option<Rational> {
    match (num, den) {
        (Some(num), Some(den)) => match num.checked_mul(factor) {
            Some(num) => Rational::new(num, den),
            None => None,
        },
        _ => None,
    }
}

/// True with probability num/den <= 1, 1 <= den <= 2^127. Stops where num/den's places end.
pub(crate) fn coin<B: BitSource + ?Sized>(num: u128, den: u128, bits: &mut B) -> bool {
    let mut rest = num;
    while rest > 0 {
        rest <<= 1;
        let digit = rest >= den;
        rest -= if digit { den } else { 0 };
        if bits.bit() != digit {
            return digit;
        }
    }
    false
}

/// Expected bits of [`coin`], less at most 2^-24: place i is drawn with probability 2^-i, if there is one.
pub(crate) fn coin_bits(num: u128, den: u128) -> f64 {
    let (mut rest, mut reached, mut bits) = (num, 1.0, 0.0);
    while rest > 0 && reached > 1e-7 {
        rest <<= 1;
        rest -= if rest >= den { den } else { 0 };
        bits += reached;
        reached /= 2.0;
    }
    bits
}

/// True with probability e^-(num/den), num < den <= 2^82: the run of coins num/den, num/2den, … is even.
pub(crate) fn coin_exp<B: BitSource + ?Sized>(num: u128, den: u128, bits: &mut B) -> bool {
    let mut heads = 0;
    while coin(num, den * (heads + 1), bits) {
        heads += 1;
    }
    heads.is_multiple_of(2)
}

/// Expected bits of [`coin_exp`].
pub(crate) fn coin_exp_bits(num: u128, den: u128) -> f64 {
    let (mut reached, mut bits, mut n) = (1.0, 0.0, 1);
    while reached > 1e-7 {
        bits += reached * coin_bits(num, den * n);
        reached *= num as f64 / (den * n) as f64;
        n += 1;
    }
    bits
}

/// True with probability 1/e: the run of 1/1, which is certain, 1/2, 1/3, … is even.
fn coin_inverse_e<B: BitSource + ?Sized>(bits: &mut B) -> bool {
    let mut heads = 1;
    while coin(1, heads + 1, bits) {
        heads += 1;
    }
    heads.is_multiple_of(2)
}

/// The probability num/(n·den) of the coin of number n >= 1 for 2^-(z/q): z/q, (1 - z/q)/2, (2 - z/q)/3, …
fn binomial(z: u128, q: u128, n: u128) -> (u128, u128) {
    (if n == 1 { z } else { (n - 1) * q - z }, n * q)
}

/// True with probability 2^-(z/q), z < q <= 2^80.
pub(crate) fn coin_exp2<B: BitSource + ?Sized>(z: u128, q: u128, bits: &mut B) -> bool {
    let mut n = 1;
    loop {
        let (num, den) = binomial(z, q, n);
        if !coin(num, den, bits) {
            return true;
        }
        if bits.bit() {
            return false;
        }
        n += 1;
    }
}

/// Expected bits of [`coin_exp2`].
pub(crate) fn coin_exp2_bits(z: u128, q: u128) -> f64 {
    let (mut reached, mut bits, mut n) = (1.0, 0.0, 1);
    while reached > 1e-7 {
        let (num, den) = binomial(z, q, n);
        let heads = num as f64 / den as f64;
        bits += reached * (coin_bits(num, den) + heads);
        reached *= heads / 2.0;
        n += 1;
    }
    bits
}
