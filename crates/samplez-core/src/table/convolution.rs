//! The base table of a convolution, and the right triangles that widen it.

use super::{CdtTable, Shape};
use crate::params::{DiscreteGaussian, Rational, Width};
use crate::profile::Bound;
use core::fmt;

/// The most levels of a convolution; it adds up 2^levels base samples.
pub const MAX_LEVELS: usize = 3;

/// A base table and the triangles by which samples of it are added up to a wide law.
///
/// A level takes two samples Y1, Y2 of width s to z1·Y1 + z2·Y2, where the coprime legs z1, z2
/// have a whole hypotenuse M = sqrt(z1² + z2²): its width is sM, in any form of [`Width`].
/// The first level takes samples of the base table, the next ones what the level before made.
///
/// ```
/// use samplez_core::{params::{DiscreteGaussian, Rational}, profile::Bound};
/// use samplez_core::table::{CdtTable, ConvolutionTable, Shape};
/// # let bound = Bound { log2_sd: -3.0, log2_renyi: [(2, 0.0), (256, 0.0), (513, 0.0)], log2_rinf: 0.0, log2_tail: -3.0 };
/// let base = DiscreteGaussian::with_sigma(Rational::from(1))?;
/// let base = CdtTable::new(base, bound, Shape::Folded, 0, 8, [140 << 24])?;
/// // 3² + 4² = 5²
/// let law = DiscreteGaussian::with_sigma(Rational::from(5))?;
/// let table = ConvolutionTable::new(law, bound, base, &[(3, 4)])?;
/// assert_eq!((table.support(), table.levels(), table.target()), (-7..=7, &[(3, 4)][..], &law));
/// assert_eq!((table.base().len(), table.bound()), (1, &bound));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ConvolutionTable<S> {
    target: DiscreteGaussian,
    bound: Bound,
    base: CdtTable<S>,
    levels: [(u64, u64); MAX_LEVELS],
    count: usize,
}

/// Why a base table and triangles do not form a [`ConvolutionTable`].
///
/// ```
/// use samplez_core::table::ConvolutionError;
/// assert!(ConvolutionError::Legs { level: 2 }.to_string().contains("level 2"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConvolutionError {
    /// The number of levels is not 1 to 3.
    Levels {
        /// The number given.
        levels: usize,
    },
    /// The pair is not the coprime legs of a right triangle with a whole hypotenuse below 2^32.
    Legs {
        /// Its level, from 1.
        level: usize,
    },
    /// The centre is not an integer.
    Center {
        /// The centre.
        center: Rational,
    },
    /// The base table is not the folded one, around 0, of the target's width over all hypotenuses.
    Base,
    /// A value of the support is not an `i64`.
    Support,
}

impl fmt::Display for ConvolutionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Levels { levels } => write!(f, "levels: got {levels}, must be 1 to {MAX_LEVELS}"),
            Self::Legs { level } => {
                write!(f, "level {level}: must be coprime legs of a right triangle with a whole hypotenuse below 2^32")
            }
            Self::Center { center } => write!(f, "center = {center}: a convolution allows an integer center"),
            Self::Base => {
                f.write_str("the base table must be folded, around 0, of the target's width divided by the hypotenuses")
            }
            Self::Support => f.write_str("the convolution's support exceeds the range of i64"),
        }
    }
}

impl core::error::Error for ConvolutionError {}

/// z1² + z2² = M² for coprime z1, z2: M, if there is one below 2^32.
///
/// ```
/// use samplez_core::table::hypotenuse;
/// assert_eq!((hypotenuse(3, 4), hypotenuse(6, 8), hypotenuse(1, 11)), (Some(5), None, None));
/// ```
pub const fn hypotenuse(z1: u64, z2: u64) -> Option<u64> {
    if z1 == 0 || z2 == 0 || z1 >= 1 << 32 || z2 >= 1 << 32 {
        return None;
    }
    let square = z1 as u128 * z1 as u128 + z2 as u128 * z2 as u128;
    let root = square.isqrt() as u64;
    let (mut a, mut b) = (z1, z2);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    if a == 1 && root as u128 * root as u128 == square && root < 1 << 32 { Some(root) } else { None }
}

/// D_{Z,σ/m,0}, if its parameter is a [`Rational`].
///
/// ```
/// use samplez_core::{params::DiscreteGaussian, table::narrowed};
/// let law = DiscreteGaussian::with_sigma("1e6".parse()?)?;
/// assert_eq!(narrowed(&law, 3), Some(DiscreteGaussian::with_sigma("1e6/3".parse()?)?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn narrowed(law: &DiscreteGaussian, m: u64) -> Option<DiscreteGaussian> {
    let over = |q: Rational| {
        let part = Rational::new(q.num(), m)?;
        Rational::new(part.num(), part.den().checked_mul(q.den())?)
    };
    let width = match law.width() {
        Width::Sigma(q) => Width::Sigma(over(q)?),
        Width::SigmaSq(q) => Width::SigmaSq(over(q).and_then(over)?),
        Width::KSigma2(q) => Width::KSigma2(over(q)?),
        Width::S(q) => Width::S(over(q)?),
    };
    DiscreteGaussian::new(Rational::ZERO, width).ok()
}

impl<S: AsRef<[u32]>> ConvolutionTable<S> {
    /// A convolution over this base. `bound` is taken on trust: `samplez-tables` computes it.
    ///
    /// # Errors
    ///
    /// [`ConvolutionError`].
    ///
    /// ```
    /// # use samplez_core::{params::{DiscreteGaussian, Rational}, profile::Bound};
    /// # use samplez_core::table::{CdtTable, ConvolutionError, ConvolutionTable, Shape};
    /// # let bound = Bound { log2_sd: -3.0, log2_renyi: [(2, 0.0), (256, 0.0), (513, 0.0)], log2_rinf: 0.0, log2_tail: -3.0 };
    /// # let base = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
    /// # let base = CdtTable::new(base, bound, Shape::Folded, 0, 8, [140 << 24]).unwrap();
    /// let law = DiscreteGaussian::with_sigma(Rational::from(6)).unwrap();
    /// let wrong = ConvolutionTable::new(law, bound, base, &[(3, 4)]);
    /// assert_eq!(wrong.unwrap_err(), ConvolutionError::Base);
    /// ```
    pub fn new(
        target: DiscreteGaussian,
        bound: Bound,
        base: CdtTable<S>,
        levels: &[(u64, u64)],
    ) -> Result<Self, ConvolutionError> {
        let count = levels.len();
        if !(1..=MAX_LEVELS).contains(&count) {
            return Err(ConvolutionError::Levels { levels: count });
        }
        if !target.center().is_integer() {
            return Err(ConvolutionError::Center { center: target.center() });
        }
        let mut product = Some(1_u64);
        for (i, (z1, z2)) in levels.iter().enumerate() {
            let m = hypotenuse(*z1, *z2).ok_or(ConvolutionError::Legs { level: i + 1 })?;
            product = product.and_then(|product| product.checked_mul(m));
        }
        let narrow = product.and_then(|product| narrowed(&target, product));
        if base.shape() != Shape::Folded || base.first() != 0 || narrow != Some(*base.target()) {
            return Err(ConvolutionError::Base);
        }
        let mut table = ConvolutionTable { target, bound, base, levels: [(0, 0); MAX_LEVELS], count };
        table.levels[..count].copy_from_slice(levels);
        // The products of legs are below 2^96.
        let reach = levels.iter().fold(1_u128, |sum, (z1, z2)| sum * u128::from(z1 + z2));
        let reach = reach.checked_mul(table.base.len() as u128).and_then(|reach| i64::try_from(reach).ok());
        let center = target.center().num();
        let fits = reach.is_some_and(|r| center.checked_add(r).is_some() && center.checked_sub(r).is_some());
        if fits { Ok(table) } else { Err(ConvolutionError::Support) }
    }

    /// The same convolution with another bound.
    ///
    /// ```
    /// # use samplez_core::{params::{DiscreteGaussian, Rational}, profile::Bound};
    /// # use samplez_core::table::{CdtTable, ConvolutionTable, Shape};
    /// # let bound = Bound { log2_sd: -3.0, log2_renyi: [(2, 0.0), (256, 0.0), (513, 0.0)], log2_rinf: 0.0, log2_tail: -3.0 };
    /// # let base = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
    /// # let base = CdtTable::new(base, bound, Shape::Folded, 0, 8, [140 << 24]).unwrap();
    /// # let law = DiscreteGaussian::with_sigma(Rational::from(5)).unwrap();
    /// let table = ConvolutionTable::new(law, bound, base, &[(3, 4)]).unwrap();
    /// assert_eq!(table.with_bound(Bound { log2_sd: -2.0, ..bound }).bound().log2_sd, -2.0);
    /// ```
    pub fn with_bound(self, bound: Bound) -> Self {
        ConvolutionTable { bound, ..self }
    }
}

impl<S> ConvolutionTable<S> {
    /// The law aimed at.
    pub const fn target(&self) -> &DiscreteGaussian {
        &self.target
    }
    /// The certified distance from it.
    pub const fn bound(&self) -> &Bound {
        &self.bound
    }
    /// The table of the samples that are added up.
    pub const fn base(&self) -> &CdtTable<S> {
        &self.base
    }
    /// The legs (z1, z2) of each level, from the base up.
    pub fn levels(&self) -> &[(u64, u64)] {
        &self.levels[..self.count]
    }
    /// The factors of the 2^levels base samples.
    pub(crate) fn factors(&self) -> [i64; 1 << MAX_LEVELS] {
        core::array::from_fn(|leaf| {
            let legs = self.levels().iter().enumerate();
            legs.map(|(i, (z1, z2))| (if leaf >> i & 1 == 0 { *z1 } else { *z2 }) as i64).product()
        })
    }
    /// The least and the greatest value that can come out.
    pub fn support(&self) -> core::ops::RangeInclusive<i64> {
        let reach = self.levels().iter().fold(self.base.len() as i64, |sum, (z1, z2)| sum * (z1 + z2) as i64);
        let center = self.target.center().num();
        center - reach..=center + reach
    }

    /// The samplers' base: the parts of the table.
    pub(crate) fn into_base(self) -> CdtTable<S> {
        self.base
    }
}
