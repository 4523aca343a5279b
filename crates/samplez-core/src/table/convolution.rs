//! The base table of a convolution, and the legs that widen it.

use super::MAX_LEVELS;
use super::{CdtTable, Shape, Table, TableError};
use crate::params::{DiscreteGaussian, Rational, Width};
use crate::profile::Bound;

/// A base table and the legs by which samples of it are added up to a wide law.
///
/// A level takes two samples Y1, Y2 of width s to z1·Y1 + z2·Y2 with coprime legs z1, z2: its width is sM, M² = z1² + z2².
/// The first level takes samples of the base table, the next ones the sums of the level before. The base's width is the
/// target's, divided by the M of every level. If the product of these is whole, as with right triangles, the base's
/// width keeps the target's form. If not, the target's must be σ or σ², and the base's is σ² ([`narrowed_by`]).
///
/// ```
/// use samplez_core::table::Table;
/// use samplez_core::{Bound, DiscreteGaussian, Rational};
/// use samplez_core::table::{CdtTable, ConvolutionTable, Shape};
/// # let bound = Bound::TRIVIAL;
/// let base = DiscreteGaussian::with_sigma(Rational::from(1))?;
/// let base = CdtTable::new(base, bound, Shape::Folded, 0, 8, [140 << 24])?;
/// // 3² + 4² = 5²
/// let law = DiscreteGaussian::with_sigma(Rational::from(5))?;
/// let table = ConvolutionTable::new(law, bound, base, &[(3, 4)])?;
/// assert_eq!((table.support(), table.levels(), table.target()), (-7..=7, &[(3, 4)][..], &law));
/// assert_eq!((table.base().len(), table.bound()), (1, bound));
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

/// z1² + z2² for coprime z1, z2 from 1 to 2^32 - 1, if it is below 2^64.
///
/// ```
/// use samplez_core::table::norm;
/// assert_eq!((norm(3, 4), norm(6, 8), norm(4, 9)), (Some(25), None, Some(97)));
/// ```
pub const fn norm(z1: u64, z2: u64) -> Option<u64> {
    if z1 == 0 || z2 == 0 || z1 >= 1 << 32 || z2 >= 1 << 32 {
        return None;
    }
    if gcd(z1 as u128, z2 as u128) == 1 { (z1 * z1).checked_add(z2 * z2) } else { None }
}

/// The greatest common divisor.
const fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// D_{Z,σ/m,0}, if its parameter is a [`Rational`].
pub(crate) fn narrowed(law: &DiscreteGaussian, m: u64) -> Option<DiscreteGaussian> {
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

/// D_{Z,σ/sqrt(norm),0}, if its parameter is a [`Rational`]: in the law's form where the root is whole, or else as σ².
///
/// ```
/// use samplez_core::{DiscreteGaussian, Rational, Width};
/// use samplez_core::table::narrowed_by;
/// let law = DiscreteGaussian::with_sigma("215".parse()?)?;
/// assert_eq!(narrowed_by(&law, 25), Some(DiscreteGaussian::with_sigma("43".parse()?)?));
/// let square = Width::SigmaSq("46225/97".parse()?);
/// assert_eq!(narrowed_by(&law, 97), Some(DiscreteGaussian::new(Rational::ZERO, square)?));
/// // The square of 215·sqrt(1/(2 ln 2)) is no rational.
/// assert_eq!(narrowed_by(&DiscreteGaussian::new(Rational::ZERO, Width::KSigma2("215".parse()?))?, 97), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn narrowed_by(law: &DiscreteGaussian, norm: u128) -> Option<DiscreteGaussian> {
    let root = norm.isqrt();
    if root * root == norm {
        return narrowed(law, u64::try_from(root).ok()?);
    }
    let square = |n: u64| u128::from(n) * u128::from(n);
    let (num, den) = match law.width() {
        Width::Sigma(q) => (square(q.num().unsigned_abs()), square(q.den())),
        Width::SigmaSq(q) => (q.num().unsigned_abs().into(), q.den().into()),
        Width::KSigma2(_) | Width::S(_) => return None,
    };
    // num and den have no common divisor, and then have none any more.
    let common = gcd(num, norm);
    let den = den.checked_mul(norm / common)?;
    let square = Rational::new(i64::try_from(num / common).ok()?, u64::try_from(den).ok()?)?;
    DiscreteGaussian::new(Rational::ZERO, Width::SigmaSq(square)).ok()
}

impl<S: AsRef<[u32]>> ConvolutionTable<S> {
    /// Builds a convolution over this base. `bound` is taken on trust: `samplez-tables` computes it.
    ///
    /// # Errors
    ///
    /// [`TableError`].
    ///
    /// ```
    /// # use samplez_core::{Bound, DiscreteGaussian, Rational};
    /// # use samplez_core::table::{CdtTable, ConvolutionTable, Shape, TableError};
    /// # let bound = Bound::TRIVIAL;
    /// # let base = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
    /// # let base = CdtTable::new(base, bound, Shape::Folded, 0, 8, [140 << 24]).unwrap();
    /// let law = DiscreteGaussian::with_sigma(Rational::from(6)).unwrap();
    /// let wrong = ConvolutionTable::new(law, bound, base, &[(3, 4)]);
    /// assert_eq!(wrong.unwrap_err(), TableError::Base);
    /// ```
    pub fn new(
        target: DiscreteGaussian,
        bound: Bound,
        base: CdtTable<S>,
        levels: &[(u64, u64)],
    ) -> Result<Self, TableError> {
        let count = levels.len();
        if !(1..=MAX_LEVELS).contains(&count) {
            return Err(TableError::Levels { levels: count });
        }
        if !target.center().is_integer() {
            return Err(TableError::Center { center: target.center() });
        }
        let mut product = Some(1_u128);
        for (i, (z1, z2)) in levels.iter().enumerate() {
            let norm = norm(*z1, *z2).ok_or(TableError::Legs { level: i + 1 })?;
            product = product.and_then(|product| product.checked_mul(norm.into()));
        }
        let narrow = product.and_then(|product| narrowed_by(&target, product));
        if base.shape() != Shape::Folded || base.first() != 0 || narrow != Some(*base.target()) {
            return Err(TableError::Base);
        }
        let mut table = ConvolutionTable { target, bound, base, levels: [(0, 0); MAX_LEVELS], count };
        table.levels[..count].copy_from_slice(levels);
        let reach =
            levels.iter().try_fold(table.base.len() as u128, |reach, (z1, z2)| reach.checked_mul((z1 + z2).into()));
        let reach = reach.and_then(|reach| i64::try_from(reach).ok());
        let center = target.center().num();
        let fits = reach.is_some_and(|r| center.checked_add(r).is_some() && center.checked_sub(r).is_some());
        if fits { Ok(table) } else { Err(TableError::Support { of: "convolution" }) }
    }
}

impl<S> ConvolutionTable<S> {
    /// Returns the table of the samples that are added up.
    pub const fn base(&self) -> &CdtTable<S> {
        &self.base
    }
    /// Returns the legs (z1, z2) of each level, from the base up.
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

    /// The samplers' base: the parts of the table.
    pub(crate) fn into_base(self) -> CdtTable<S> {
        self.base
    }
}

impl<S> Table for ConvolutionTable<S> {
    fn target(&self) -> &DiscreteGaussian {
        &self.target
    }

    fn bound(&self) -> Bound {
        self.bound
    }

    fn support(&self) -> core::ops::RangeInclusive<i64> {
        let reach = self.levels().iter().fold(self.base.len() as i64, |sum, (z1, z2)| sum * (z1 + z2) as i64);
        let center = self.target.center().num();
        center - reach..=center + reach
    }

    fn bytes(&self) -> usize {
        self.base.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{BOUND, digits};
    use std::vec;
    use std::vec::Vec;

    fn law(width: &str, center: &str) -> DiscreteGaussian {
        let (name, value) = width.split_once('=').unwrap();
        let value = value.parse().unwrap();
        let width = match name {
            "sigma" => Width::Sigma(value),
            "sigma_sq" => Width::SigmaSq(value),
            "k_sigma2" => Width::KSigma2(value),
            _ => Width::S(value),
        };
        DiscreteGaussian::new(center.parse().unwrap(), width).unwrap()
    }

    fn base(law: DiscreteGaussian, shape: Shape, first: i64, len: usize) -> CdtTable<Vec<u32>> {
        CdtTable::new(law, BOUND, shape, first, 8, digits(&vec![5; len], 8)).unwrap()
    }

    fn made(
        width: &str,
        center: &str,
        base: CdtTable<Vec<u32>>,
        levels: &[(u64, u64)],
    ) -> Result<ConvolutionTable<Vec<u32>>, TableError> {
        ConvolutionTable::new(law(width, center), BOUND, base, levels)
    }

    #[test]
    fn legs_and_their_squares() {
        const TOP: u64 = (1 << 32) - 1;
        for (z1, z2) in [(0, 1), (1, 0), (0, 0), (2, 4), (9, 6), (1 << 32, 1), (1, 1 << 32), (TOP, TOP - 1)] {
            assert_eq!(norm(z1, z2), None, "{z1}, {z2}");
        }
        assert_eq!((norm(1, 1), norm(5, 12), norm(12, 5), norm(35, 12)), (Some(2), Some(169), Some(169), Some(1369)));
        assert_eq!(norm(TOP, 1), Some(TOP * TOP + 1));
        assert_eq!((gcd(0, 7), gcd(7, 0), gcd(84, 30), gcd(30, 84)), (7, 7, 6, 6));
    }

    #[test]
    fn each_width_is_narrowed_in_its_form() {
        for (wide, m, narrow) in [
            ("sigma=15/2", 5, "sigma=3/2"),
            ("sigma=7", 3, "sigma=7/3"),
            ("sigma_sq=50", 5, "sigma_sq=2"),
            ("sigma_sq=7/2", 3, "sigma_sq=7/18"),
            ("k_sigma2=254", 127, "k_sigma2=2"),
            ("s=10", 4, "s=5/2"),
        ] {
            let of_zero = law(narrow, "0");
            assert_eq!(narrowed(&law(wide, "3"), m), Some(of_zero), "{wide}");
            assert_eq!(narrowed_by(&law(wide, "3"), u128::from(m * m)), Some(of_zero), "{wide}");
        }
        for (wide, norm, narrow) in [
            ("sigma=215", 97, Some("sigma_sq=46225/97")),
            ("sigma=15/2", 6, Some("sigma_sq=75/8")),
            ("sigma_sq=10/3", 2, Some("sigma_sq=5/3")),
            ("sigma_sq=10/3", 5, Some("sigma_sq=2/3")),
            ("s=10", 2, None),
            ("k_sigma2=254", 2, None),
        ] {
            assert_eq!(narrowed_by(&law(wide, "0"), norm), narrow.map(|narrow| law(narrow, "0")), "{wide}");
        }
        // What has no room in a Rational.
        assert_eq!(narrowed(&law("sigma=1/18446744073709551615", "0"), 2), None);
        assert_eq!(narrowed_by(&law("sigma=1", "0"), 1 << 65), None);
        assert_eq!(narrowed_by(&law("sigma=1", "0"), u128::MAX), None);
    }

    #[test]
    fn factors_and_supports() {
        let base = base(law("sigma=1", "0"), Shape::Folded, 0, 3);
        let table = made("sigma=65", "-7", base.clone(), &[(3, 4), (5, 12)]).unwrap();
        // Every product of a leg of each level; the first level's changes fastest.
        assert_eq!(table.factors()[..4], [15, 20, 36, 48]);
        assert_eq!((table.levels(), table.support()), (&[(3, 4), (5, 12)][..], -7 - 3 * 7 * 17..=-7 + 3 * 7 * 17));
        assert_eq!((table.target(), table.bound()), (&law("sigma=65", "-7"), BOUND));
        assert_eq!((table.base().len(), table.clone().into_base().digits()), (3, base.digits()));
        let four = made("sigma=625", "0", base, &[(3, 4); 4]).unwrap();
        assert_eq!((four.factors()[0], four.factors()[15], four.factors()[1]), (81, 256, 108));
    }

    #[test]
    fn what_is_no_convolution_is_refused() {
        let one = |len| base(law("sigma=1", "0"), Shape::Folded, 0, len);
        let refused = |width, center, base, levels: &[_]| made(width, center, base, levels).unwrap_err();
        for levels in [vec![], vec![(3, 4); 5]] {
            let wrong = TableError::Levels { levels: levels.len() };
            assert_eq!(refused("sigma=5", "0", one(1), &levels), wrong);
        }
        let half = Rational::new(1, 2).unwrap();
        assert_eq!(refused("sigma=5", "1/2", one(1), &[(3, 4)]), TableError::Center { center: half });
        assert_eq!(refused("sigma=25", "0", one(1), &[(3, 4), (3, 6)]), TableError::Legs { level: 2 });
        assert_eq!(refused("sigma=6", "0", one(1), &[(3, 4)]), TableError::Base);
        let (full, moved) =
            (base(law("sigma=1", "0"), Shape::Full, 0, 1), base(law("sigma=1", "0"), Shape::Folded, 1, 1));
        assert_eq!(refused("sigma=5", "0", full, &[(3, 4)]), TableError::Base);
        assert_eq!(refused("sigma=5", "0", moved, &[(3, 4)]), TableError::Base);
        // 1·7 beyond the centre, on both sides.
        for (center, fits) in [("9223372036854775800", true), ("9223372036854775801", false)] {
            assert_eq!(made("sigma=5", center, one(1), &[(3, 4)]).is_ok(), fits, "{center}");
        }
        for (center, fits) in [("-9223372036854775801", true), ("-9223372036854775802", false)] {
            assert_eq!(made("sigma=5", center, one(1), &[(3, 4)]).is_ok(), fits, "{center}");
        }
        assert_eq!(
            refused("sigma=5", "9223372036854775801", one(1), &[(3, 4)]),
            TableError::Support { of: "convolution" }
        );
    }
}
