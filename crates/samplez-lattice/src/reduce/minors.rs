//! The minors of an integer matrix, exactly: elimination modulo primes, and the Chinese remainder theorem.

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;

/// Primes are the greatest ones below 2^60.
const BITS: u32 = 60;
/// Products below 2^120 that a sum of 128 bits takes, with another summand below 2^124.
const TERMS: usize = 128;
/// Primes that divide a minor. A matrix with more of them counts as singular.
const BAD: usize = 8;

/// d_0, …, d_n, the leading principal minors, and λ_ij for j < i: the determinant of rows 0, …, j - 1, i and columns 0, …, j. `None`
/// if a leading minor is 0.
pub(super) fn of(gram: &[Vec<BigInt>]) -> Option<(Vec<BigInt>, Vec<Vec<BigInt>>)> {
    let counts = primes_needed(gram);
    let mut primes: Vec<Prime> = Vec::new();
    // For each row i, λ_i0, …, λ_i(i-1) and d_(i+1) modulo each prime that column has.
    let mut residues: Vec<Vec<Vec<u64>>> =
        (0..gram.len()).map(|i| counts[..=i].iter().map(|count| Vec::with_capacity(*count)).collect()).collect();
    let (mut candidate, mut bad) = (1_u64 << BITS, 0);
    while primes.len() < *counts.last()? {
        candidate = (0..candidate).rev().find(|p| is_prime(*p))?;
        let prime = Prime::new(candidate);
        if prime.eliminate(gram, primes.len(), &counts, &mut residues).is_some() {
            primes.push(prime);
        } else {
            // Rows may have residues of this prime.
            for (row, count) in residues.iter_mut().flat_map(|row| row.iter_mut().zip(&counts)) {
                row.truncate(primes.len().min(*count));
            }
            bad += 1;
            if bad > BAD {
                return None;
            }
        }
    }
    let (mut minors, mut lambda) = (vec![BigInt::from(1)], vec![Vec::new(); gram.len()]);
    for j in 0..gram.len() {
        let remainders = Remainders::new(&primes[..counts[j]]);
        minors.push(remainders.number(&std::mem::take(&mut residues[j][j])));
        for i in j + 1..gram.len() {
            lambda[i].push(remainders.number(&std::mem::take(&mut residues[i][j])));
        }
    }
    Some((minors, lambda))
}

/// For each column, as many primes as make a product of at least four times its determinants: Hadamard's bound by the norms of rows.
fn primes_needed(gram: &[Vec<BigInt>]) -> Vec<usize> {
    let norms: Vec<BigUint> =
        gram.iter().map(|row| row.iter().map(|x| x.magnitude() * x.magnitude()).sum::<BigUint>() + 1_u8).collect();
    let mut product = BigUint::from(1_u8);
    (0..gram.len())
        .map(|j| {
            let largest = norms[j..].iter().map(BigUint::bits).max().unwrap_or(0);
            let bits = (product.bits() + largest).div_ceil(2) + 2;
            product *= &norms[j];
            // A prime has more than 59.99 bits.
            (bits as usize * 100).div_ceil(5999) + 1
        })
        .collect()
}

/// A prime p from 2^59 to 2^60. Numbers x are held as x·2^64 modulo p.
struct Prime {
    p: u64,
    /// -1/p modulo 2^64.
    inverse: u64,
    /// 2^128 modulo p.
    square: u64,
}

impl Prime {
    fn new(p: u64) -> Prime {
        // Newton's iteration from 3 bits.
        let inverse = (0..5).fold(p, |x, _| x.wrapping_mul(2_u64.wrapping_sub(p.wrapping_mul(x))));
        let square = (u128::MAX % u128::from(p)) as u64 + 1;
        Prime { p, inverse: inverse.wrapping_neg(), square: square % p }
    }

    /// t/2^64 modulo p, for t below 2^64·p.
    fn reduce(&self, t: u128) -> u64 {
        let m = (t as u64).wrapping_mul(self.inverse);
        let u = ((t + u128::from(m) * u128::from(self.p)) >> 64) as u64;
        if u >= self.p { u - self.p } else { u }
    }

    fn multiply(&self, a: u64, b: u64) -> u64 {
        self.reduce(u128::from(a) * u128::from(b))
    }

    fn subtract(&self, a: u64, b: u64) -> u64 {
        if a >= b { a - b } else { a + self.p - b }
    }

    /// Σ a_i·b_i.
    fn dot(&self, a: &[u64], b: &[u64]) -> u64 {
        let mut sum = 0_u128;
        for (a, b) in a.chunks(TERMS).zip(b.chunks(TERMS)) {
            let terms = a.iter().zip(b).map(|(a, b)| u128::from(*a) * u128::from(*b));
            sum = terms.fold(sum, u128::wrapping_add);
            // Below 2^124 again.
            sum = (u128::from((sum >> 64) as u64 % self.p) << 64) + u128::from(sum as u64);
        }
        self.reduce(sum)
    }

    fn hold(&self, x: &BigInt) -> u64 {
        let rest = i128::try_from(x).map_or_else(
            |_| x.mod_floor(&self.p.into()).iter_u64_digits().next().unwrap_or(0),
            |x| match i64::try_from(x) {
                Ok(x) => x.rem_euclid(self.p as i64) as u64,
                Err(_) => x.rem_euclid(i128::from(self.p)) as u64,
            },
        );
        self.multiply(rest, self.square)
    }

    fn invert(&self, x: u64) -> u64 {
        let (mut power, mut out, mut e) = (x, self.reduce(u128::from(self.square)), self.p - 2);
        while e > 0 {
            if e & 1 == 1 {
                out = self.multiply(out, power);
            }
            power = self.multiply(power, power);
            e >>= 1;
        }
        out
    }

    /// Adds the residues of this prime, number `number`, to the columns that need it. `None` if a leading minor is 0.
    fn eliminate(
        &self,
        gram: &[Vec<BigInt>],
        number: usize,
        counts: &[usize],
        residues: &mut [Vec<Vec<u64>>],
    ) -> Option<()> {
        let n = gram.len();
        // L below its diagonal, the d_j, and 1/r_j with r_j = d_(j+1)/d_j.
        let (mut lower, mut d, mut inverses) = (Vec::<Vec<u64>>::with_capacity(n), vec![self.one()], Vec::new());
        for (k, row) in gram.iter().enumerate() {
            // c_j = L_kj·r_j, and λ_kj = d_j·c_j.
            let mut c = Vec::with_capacity(k + 1);
            for (j, l) in lower.iter().enumerate() {
                c.push(self.subtract(self.hold(&row[j]), self.dot(&c[..j], l)));
            }
            let own: Vec<u64> = c.iter().zip(&inverses).map(|(c, inverse)| self.multiply(*c, *inverse)).collect();
            let r = self.subtract(self.hold(&row[k]), self.dot(&c, &own));
            if r == 0 {
                return None;
            }
            c.push(r);
            for (j, c) in c.iter().enumerate().filter(|(j, _)| number < counts[*j]) {
                residues[k][j].push(self.reduce(u128::from(self.multiply(*c, d[j]))));
            }
            d.push(self.multiply(d[k], r));
            inverses.push(self.invert(r));
            lower.push(own);
        }
        Some(())
    }

    fn one(&self) -> u64 {
        self.reduce(u128::from(self.square))
    }
}

/// Whether an odd or even number below 2^64 is prime: Miller and Rabin's test for the first twelve primes is exact there.
fn is_prime(n: u64) -> bool {
    const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    if n < 2 || BASES.iter().any(|p| n.is_multiple_of(*p)) {
        return BASES.contains(&n);
    }
    let multiply = |a: u64, b: u64| (u128::from(a) * u128::from(b) % u128::from(n)) as u64;
    let twos = (n - 1).trailing_zeros();
    BASES.iter().all(|base| {
        let (mut power, mut x, mut e) = (*base, 1, (n - 1) >> twos);
        while e > 0 {
            if e & 1 == 1 {
                x = multiply(x, power);
            }
            power = multiply(power, power);
            e >>= 1;
        }
        x == 1 || std::iter::successors(Some(x), |x| Some(multiply(*x, *x))).take(twos as usize).any(|x| x == n - 1)
    })
}

/// Numbers by their remainders.
struct Remainders<'a> {
    primes: &'a [Prime],
    modulus: BigUint,
    /// For each prime p, the words of M/p, and the inverse of that modulo p.
    parts: Vec<(Vec<u64>, u64)>,
}

impl Remainders<'_> {
    fn new(primes: &[Prime]) -> Remainders<'_> {
        let modulus: BigUint = primes.iter().map(|prime| BigUint::from(prime.p)).product();
        let part = |prime: &Prime| {
            let quotient = &modulus / prime.p;
            let rest = (&quotient % prime.p).iter_u64_digits().next().unwrap_or(0);
            // The inverse is held, so that a product with it is not.
            let inverse = prime.invert(prime.multiply(rest, prime.square));
            (quotient.iter_u64_digits().collect(), inverse)
        };
        let parts = primes.iter().map(part).collect();
        Remainders { primes, modulus, parts }
    }

    /// The number from -M/2 to M/2 that has these remainders.
    fn number(&self, residues: &[u64]) -> BigInt {
        let mut sum = vec![0_u64; self.primes.len() + 1];
        for ((prime, (part, inverse)), residue) in self.primes.iter().zip(&self.parts).zip(residues) {
            let (factor, mut carry) = (u128::from(prime.multiply(*residue, *inverse)), 0_u128);
            let (low, high) = sum.split_at_mut(part.len());
            for (sum, part) in low.iter_mut().zip(part) {
                carry += u128::from(*sum) + factor * u128::from(*part);
                (*sum, carry) = (carry as u64, carry >> 64);
            }
            for sum in high {
                carry += u128::from(*sum);
                (*sum, carry) = (carry as u64, carry >> 64);
            }
        }
        let halves: Vec<u32> = sum.iter().flat_map(|word| [*word as u32, (word >> 32) as u32]).collect();
        let rest = BigUint::new(halves) % &self.modulus;
        if &rest * 2_u8 > self.modulus {
            return BigInt::from_biguint(Sign::Minus, &self.modulus - rest);
        }
        rest.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Primes by trial division, and the greatest one below 2^60.
    #[test]
    fn primes_are_prime() {
        let by_division = |n: u64| n > 1 && (2..n).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d));
        for n in 0..5000 {
            assert_eq!(is_prime(n), by_division(n), "{n}");
        }
        // 2^60 - 93 is the greatest one; 3215031751 is a strong pseudoprime to the bases 2, 3, 5 and 7.
        assert_eq!((0..1_u64 << 60).rev().find(|p| is_prime(*p)), Some((1 << 60) - 93));
        assert!(!is_prime(3_215_031_751));
    }

    /// Matrices that are not symmetric definite, with entries of any size: by the definition of a determinant.
    #[test]
    #[expect(clippy::needless_range_loop, reason = "the formulas have these indices")]
    fn minors_are_determinants() {
        fn determinant(of: &[Vec<BigInt>]) -> BigInt {
            let minor = |column: usize| -> Vec<Vec<BigInt>> {
                let rest = of[1..].iter();
                rest.map(|row| row.iter().enumerate().filter(|(j, _)| *j != column).map(|(_, x)| x.clone()).collect())
                    .collect()
            };
            if of.is_empty() {
                return BigInt::from(1);
            }
            (0..of.len()).map(|j| &of[0][j] * determinant(&minor(j)) * if j % 2 == 0 { 1 } else { -1 }).sum()
        }
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            BigInt::from(state as i64 >> 20)
        };
        for size in [0_u32, 90, 200] {
            let mut a = vec![vec![BigInt::ZERO; 6]; 6];
            for i in 0..6 {
                for j in 0..=i {
                    a[i][j] = (next() << size) + next();
                    a[j][i] = a[i][j].clone();
                }
            }
            let (minors, lambda) = of(&a).unwrap();
            for i in 0..6 {
                let corner = |last: usize, size: usize| -> Vec<Vec<BigInt>> {
                    (0..size).chain([last]).map(|row| a[row][..=size].to_vec()).collect()
                };
                assert_eq!(minors[i + 1], determinant(&corner(i, i)));
                for (j, own) in lambda[i].iter().enumerate() {
                    assert_eq!(*own, determinant(&corner(i, j)), "{i} {j}");
                }
            }
            // A singular one.
            let row = a[4].clone();
            a[5] = row;
            for i in 0..6 {
                a[i][5] = a[i][4].clone();
            }
            assert!(of(&a).is_none());
        }
    }
}
