//! The parameter sets: [`Set`].

use super::parameters::{Parameters, Shape};
use crate::Error;
use core::fmt;
use core::str::FromStr;
use samplez_core::{DiscreteGaussian, Rational, Width};

/// A parameter set: the six of \[MR09\], and one that is inferred.
///
/// | set | n = l | m | q | r | t | noise | σ | a letter fails with |
/// |---|---|---|---|---|---|---|---|---|
/// | `mr09-136` | 136 | 2008 | 2003 | 1 | 2 | α = 0.0065 | 5.1940 | 0.84 % |
/// | `mr09-166` | 166 | 1319 | 4093 | 4 | 2 | α = 0.0024 | 3.9189 | 0.54 % |
/// | `mr09-192` | 192 | 1500 | 8191 | 5 | 4 | α = 0.0009959 | 3.2543 | 1.02 % |
/// | `mr09-214` | 214 | 1333 | 16381 | 12 | 4 | α = 0.00045 | 2.9408 | 0.82 % |
/// | `mr09-233` | 233 | 1042 | 32749 | 59 | 2 | α = 0.000217 | 2.8351 | 0.92 % |
/// | `mr09-233-t40` | 233 | 4536 | 32749 | 1 | 40 | α = 0.000217 | 2.8351 | 0.87 % |
/// | `jsdgs17-256` | 256 | 4972 | 32749 | 1 | 2 | σ = 55.5649 | 55.5649 | 1.05 % |
///
/// The last is **inferred**: \[JSDGS17\] samples with σ = 55.5649 for Regev's encryption and does not name the set; it
/// is none of \[MR09\]'s. These numbers fit it, and nobody has confirmed them.
///
/// ```
/// use samplez_schemes::regev::Set;
/// let set: Set = "jsdgs17-256".parse()?;
/// assert_eq!(set.parameters().demand().law.to_string(), "D_Z(sigma = 555649/10000, center = 0)");
/// # Ok::<(), samplez_schemes::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Set {
    /// n = 136.
    Mr09N136,
    /// n = 166.
    Mr09N166,
    /// n = 192.
    Mr09N192,
    /// n = 214.
    Mr09N214,
    /// n = 233 with wide ciphertext coefficients.
    Mr09N233,
    /// n = 233 with letters modulo 40.
    Mr09N233T40,
    /// Inferred from the σ of \[JSDGS17\].
    Jsdgs17N256,
}

struct Row {
    name: &'static str,
    parameters: Parameters,
    security: u32,
}

const fn shape(n: u32, m: u32, q: u32, r: u32, t: u32) -> Shape {
    Shape { n, l: n, m, q, r, t }
}

/// Evaluated when it is compiled: s = αq, α in ten-millionths.
const fn mr09(name: &'static str, shape: Shape, alpha: i64, security: u32) -> Row {
    let Some(s) = Rational::new(alpha * shape.q as i64, 10_000_000) else { panic!("s is a rational") };
    row(name, shape, Width::S(s), security)
}

const fn row(name: &'static str, shape: Shape, width: Width, security: u32) -> Row {
    let Ok(law) = DiscreteGaussian::new(Rational::ZERO, width) else { panic!("the width is positive") };
    Row { name, parameters: Parameters::unchecked(shape, law), security }
}

const JSDGS17: Width = {
    let Some(sigma) = Rational::new(555_649, 10_000) else { panic!("sigma is a rational") };
    Width::Sigma(sigma)
};

static ROWS: [Row; 7] = [
    mr09("mr09-136", shape(136, 2008, 2003, 1, 2), 65_000, 67),
    mr09("mr09-166", shape(166, 1319, 4093, 4, 2), 24_000, 65),
    mr09("mr09-192", shape(192, 1500, 8191, 5, 4), 9959, 64),
    mr09("mr09-214", shape(214, 1333, 16_381, 12, 4), 4500, 63),
    mr09("mr09-233", shape(233, 1042, 32_749, 59, 2), 2170, 62),
    mr09("mr09-233-t40", shape(233, 4536, 32_749, 1, 40), 2170, 62),
    row("jsdgs17-256", shape(256, 4972, 32_749, 1, 2), JSDGS17, 137),
];

impl Set {
    /// Every set.
    pub const ALL: [Set; 7] =
        [Set::Mr09N136, Set::Mr09N166, Set::Mr09N192, Set::Mr09N214, Set::Mr09N233, Set::Mr09N233T40, Set::Jsdgs17N256];

    /// Its numbers.
    pub const fn parameters(self) -> Parameters {
        ROWS[self as usize].parameters
    }

    /// About how many bits of security today's estimates leave: the primal attack's, by the geometric series assumption and sieves in
    /// dimension β for 2^(0.296β + 20.4). The lattice estimator gives the published sets about 65.
    ///
    /// ```
    /// use samplez_schemes::regev::Set;
    /// assert_eq!((Set::Mr09N136.security(), Set::Jsdgs17N256.security()), (67, 137));
    /// ```
    pub const fn security(self) -> u32 {
        ROWS[self as usize].security
    }
}

impl From<Set> for Parameters {
    fn from(set: Set) -> Self {
        set.parameters()
    }
}

/// `mr09-136` and so on, as in the table.
impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(ROWS[*self as usize].name)
    }
}

/// The names that `Display` writes.
impl FromStr for Set {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        let found = Set::ALL.into_iter().find(|set| ROWS[*set as usize].name == text);
        found.ok_or_else(|| {
            let allowed =
                "expected mr09-136, mr09-166, mr09-192, mr09-214, mr09-233, mr09-233-t40 or jsdgs17-256 (inferred)";
            Error::refused("set", text, allowed)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sets_pass_what_one_s_own_parameters_must() {
        for set in Set::ALL {
            let parameters = set.parameters();
            assert_eq!(Parameters::new(parameters.shape(), parameters.noise_law()), Ok(parameters), "{set}");
            let Shape { n, l, m, q, r, t } = parameters.shape();
            // The inferred m is the formula's, rounded up.
            assert_eq!(m, Shape::new(n, l, q, r, t).m + u32::from(set == Set::Jsdgs17N256), "{set}");
        }
    }
}
