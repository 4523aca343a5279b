//! Trapdoors for lattices: [`Trapdoor`], [`PublicMatrix`], [`Parameters`].

mod bytes;
mod error;
mod factor;
mod matrix;
mod parameters;

pub use error::TrapdoorError;
pub use matrix::PublicMatrix;
pub use parameters::Parameters;

use factor::{Covariance, PLACES};
use matrix::{Small, below};
use num_bigint::BigUint;
use parameters::Checked;
use rand_core::CryptoRng;
use samplez::Refused;
use samplez_core::arch::Backend;
use samplez_core::bits::{BitReader, BitSource, uniform_below};
use samplez_core::samplers::{FilteredIsochronous, StripRounder, StripWidth};

use samplez_core::{Bound, DiscreteGaussian, FixedPoint, Rational, Rounder, Sampler, Width};
use samplez_tables::{ExactHeights, build_isochronous};
use std::fmt;
use zeroize::{Zeroize, Zeroizing};

/// Targets under way, at most.
const CHUNK: usize = 64;
/// A batch of fewer calls makes them one by one, and has large scratch buffers.
const FEW: usize = 16;
/// Bits of fraction of r²/(s² - r²).
const RATIO: u32 = 96;

/// A matrix A over Z_q with a trapdoor R: samples short x with A·x = u (mod q) for any u.
///
/// Papers: \[MP12\], section 5, with the perturbation of \[Pei10\]. The order of its coordinates is that of \[GM18\]. Proof: docs/proofs/trapdoor.md.
///
/// | Law        | within [`bound`](Self::bound) of D_{Λ_u^⊥(A),σ}: P(x) proportional to exp(-‖x‖²/2σ²) over all x with A·x = u |
/// | Memory     | 4·n·m bytes for A, 2·columns·nk for R, 4·columns² for the covariance |
/// | Timing     | key generation: variable. Preimages: nothing is claimed or measured. Their calls are isochronous. Products and reductions of a preimage have no branch and no address that depends on a secret. The gadget's own steps do: see [`Gadget`](crate::Gadget) |
/// | Parameters | [`Parameters`] |
///
/// ```text
/// key       Ā ← uniform; R ← D_{Z,σ_R}; A ← [Ā | G - ĀR]           so that A·[R; I] = G
/// preimage  1  p ← D_{Z^m} with covariance s²I - r²[R; I][Rᵗ I]
///           2  v ← u - A·p; z ← D_{Λ_v^⊥(G), r}                     by the gadget's step 1
///           3  x ← p + [R; I]·z
/// ```
///
/// Step 1 draws the last nk coordinates p₂ independently with σ² = s² - r². Given these, the others have the mean
/// -r²/(s² - r²)·R·p₂ and the covariance s²I - r²s²/(s² - r²)·RRᵗ. They are drawn one after the other, each about a conditional centre in
/// fixed point. No sampler uses floating point.
///
/// The stream of a key is Ā, row by row, then R, row by row. If R is dropped, R is drawn again, and only R. A batch of preimages takes up to 64 targets at a time. It draws p₂ of each
/// target, then each other coordinate of p for all targets, then z for all targets. A batch therefore gives other integers than
/// single calls do.
///
/// `Debug` shows no secret. The buffers of R, of the numbers derived from it and of intermediate results are erased. Registers, the stack
/// and the big integers that a key's σ_j are computed with are not.
///
/// [`to_bytes`](Self::to_bytes) exports a key. The same parameters and the same seed give it again, on every machine with IEEE doubles.
///
/// ```
/// use samplez::Seed;
/// use samplez_lattice::{Parameters, Trapdoor};
/// use samplez_sources::ChaCha20;
/// let mut rng = ChaCha20::new(&Seed::from_bytes([1; 32])); // Seed::from_os()? but in a test
/// let trapdoor = Trapdoor::generate(&Parameters::new(8, 12_289), &mut rng)?;
/// let u = [1, 2, 3, 4, 5, 6, 7, 12_288];
/// let x = trapdoor.preimage(&u, &mut rng)?;
/// assert_eq!(trapdoor.public().apply(&x)?, u);
/// let norm = x.iter().map(|x| (x * x) as f64).sum::<f64>().sqrt();
/// assert!(norm < 1.5 * trapdoor.sigma().to_f64() * (x.len() as f64).sqrt());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Trapdoor {
    public: PublicMatrix,
    checked: Checked,
    secret: Secret,
}

/// The secret part.
struct Secret {
    /// Row by row.
    r: Zeroizing<Vec<i16>>,
    regression: Zeroizing<Vec<i64>>,
    widths: Widths,
    /// For p₁ and p₂. Both depend on s and r only.
    rounder: StripRounder,
    bulk: FilteredIsochronous<ExactHeights>,
    /// r²/(s² - r²) in units of 2^-RATIO.
    ratio: i128,
}

/// The width of each σ_j.
struct Widths {
    all: Vec<StripWidth>,
    /// The width of σ = s, which replaces the others in the end.
    blank: StripWidth,
}

impl Drop for Widths {
    fn drop(&mut self) {
        self.all.fill(self.blank);
        zeroize::optimization_barrier(&self.all);
    }
}

impl fmt::Debug for Trapdoor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Checked { n, sigma, gadget, .. } = &self.checked;
        f.debug_struct("Trapdoor")
            .field("n", n)
            .field("m", &self.public.columns())
            .field("sigma", &sigma.to_string())
            .field("gadget", gadget)
            .finish_non_exhaustive()
    }
}

/// Samples of D_{Z,σ} into 32 bits, which hold 12σ.
fn fill<S: Sampler, B: BitSource + ?Sized>(sampler: &S, bits: &mut B, out: &mut [i32]) {
    if sampler.fill(bits, out).is_err() {
        bits.condemn();
    }
}

/// a·b as a fraction of whole numbers; each is below 2^36.
fn square(x: Rational) -> (i128, i128) {
    (i128::from(x.num()) * i128::from(x.num()), i128::from(x.den()) * i128::from(x.den()))
}

impl Checked {
    /// (s² - r²)·c, r²·c, s²·c and c, the least that makes them whole.
    fn numbers(&self) -> [i128; 4] {
        let ((s, s_den), (r, r_den)) = (square(self.sigma), square(self.gadget.sigma()));
        [s * r_den - r * s_den, r * s_den, s * r_den, s_den * r_den]
    }

    /// The sampler of p₂.
    fn bulk(&self) -> Option<FilteredIsochronous<ExactHeights>> {
        let [difference, .., c] = self.numbers();
        let variance = Rational::new(i64::try_from(difference).ok()?, u64::try_from(c).ok()?)?;
        let law = DiscreteGaussian::new(Rational::ZERO, Width::SigmaSq(variance)).ok()?;
        build_isochronous(&law).ok()
    }

    /// The rounder of p₁: σ from s/2 to s.
    fn rounder(&self) -> Option<(StripRounder, StripWidth)> {
        let half = Rational::new(self.sigma.num(), 2 * self.sigma.den())?;
        let rounder = StripRounder::new(half, self.sigma).ok()?;
        Some((rounder, rounder.width(self.sigma).ok()?))
    }
}

/// The sampler of R.
fn key_sampler(sigma: Rational) -> Option<FilteredIsochronous<ExactHeights>> {
    build_isochronous(&DiscreteGaussian::with_sigma(sigma).ok()?).ok()
}

impl Trapdoor {
    /// Generates a key.
    ///
    /// # Errors
    ///
    /// [`TrapdoorError`] if a parameter is not allowed, or if the generator is stuck.
    pub fn generate(parameters: &Parameters, rng: &mut (impl CryptoRng + ?Sized)) -> Result<Self, TrapdoorError> {
        let checked = parameters.checked()?;
        let small = key_sampler(checked.key_sigma)
            .ok_or_else(|| Refused::new("key_sigma", checked.key_sigma, "expected a fraction of smaller numbers"))?;
        let mut bits = BitReader::new(rng).latching();
        let Checked { n, top, bottom, gadget, .. } = &checked;
        let (q, columns) = (gadget.modulus(), top + bottom);
        let mut entries = vec![0; n * columns];
        for row in entries.chunks_exact_mut(columns) {
            row[..*top].fill_with(|| uniform_below(q, &mut bits));
        }
        for _ in 0..16 {
            let mut r = Zeroizing::new(vec![0_i16; top * bottom]);
            if small.fill(&mut bits, &mut r).is_err() {
                bits.condemn();
            }
            if let Some(fault) = bits.fault() {
                return Err(TrapdoorError::Generator(fault));
            }
            if let Some(trapdoor) = assembled(&checked, &mut entries, r)? {
                return Ok(trapdoor);
            }
        }
        Err(TrapdoorError::Covariance)
    }

    /// Returns the public matrix A.
    pub fn public(&self) -> &PublicMatrix {
        &self.public
    }

    /// Returns the parameter σ of preimages.
    pub fn sigma(&self) -> Rational {
        self.checked.sigma
    }

    /// Returns the bound of the distance of one preimage from D_{Λ_u^⊥(A),σ}: that of [`Parameters::bound`].
    pub fn bound(&self) -> Bound {
        self.checked.bound()
    }

    /// Returns a preimage of this target: m integers x with A·x = u.
    ///
    /// # Errors
    ///
    /// [`TrapdoorError`] unless u has n residues below q, or if the generator is stuck.
    pub fn preimage(&self, target: &[u64], rng: &mut (impl CryptoRng + ?Sized)) -> Result<Vec<i64>, TrapdoorError> {
        let n = self.checked.n;
        if target.len() != n {
            return Err(Refused::new("length of target", target.len(), format!("expected n = {n} residues")).into());
        }
        below("target", target, self.public.modulus())?;
        let mut out = vec![0; self.public.columns()];
        self.fill(target, rng, &mut out)?;
        Ok(out)
    }

    /// Fills `out` with a preimage of each target, m integers each. The targets have n residues each.
    ///
    /// # Errors
    ///
    /// [`TrapdoorError`] for other lengths and for residues that are not below q, and if the generator is stuck. `out` is then all zeros.
    ///
    /// ```
    /// use samplez::Seed;
    /// use samplez_lattice::{Parameters, Trapdoor};
    /// use samplez_sources::ChaCha20;
    /// let mut rng = ChaCha20::new(&Seed::from_bytes([2; 32]));
    /// let trapdoor = Trapdoor::generate(&Parameters::new(4, 256), &mut rng)?;
    /// let targets: Vec<u64> = (0..40).collect();
    /// let mut out = vec![0; 10 * trapdoor.public().columns()];
    /// trapdoor.preimages(&targets, &mut rng, &mut out)?;
    /// for (x, u) in out.chunks(trapdoor.public().columns()).zip(targets.chunks(4)) {
    ///     assert_eq!(trapdoor.public().apply(x)?, u);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn preimages(
        &self,
        targets: &[u64],
        rng: &mut (impl CryptoRng + ?Sized),
        out: &mut [i64],
    ) -> Result<(), TrapdoorError> {
        out.fill(0);
        let (n, m) = (self.checked.n, self.public.columns());
        if !targets.len().is_multiple_of(n) {
            let wanted = format!("expected a multiple of n = {n}");
            return Err(Refused::new("length of targets", targets.len(), wanted).into());
        }
        if (targets.len() / n).checked_mul(m) != Some(out.len()) {
            let wanted = format!("expected m = {m} integers for each of {} targets", targets.len() / n);
            return Err(Refused::new("length of out", out.len(), wanted).into());
        }
        below("targets", targets, self.public.modulus())?;
        self.fill(targets, rng, out)
    }

    fn fill(&self, targets: &[u64], rng: &mut (impl CryptoRng + ?Sized), out: &mut [i64]) -> Result<(), TrapdoorError> {
        let mut bits = BitReader::new(rng).latching();
        let (n, m) = (self.checked.n, self.public.columns());
        for (targets, out) in targets.chunks(CHUNK * n).zip(out.chunks_mut(CHUNK * m)) {
            self.chunk(targets, &mut bits, out);
        }
        match bits.fault() {
            Some(fault) => {
                out.fill(0);
                Err(TrapdoorError::Generator(fault))
            }
            None => Ok(()),
        }
    }

    /// R·x for |x| below `most`.
    fn small_product(&self, x: &[i32], most: i64, narrow: &mut Vec<i16>, out: &mut [i64]) {
        // Entries of R are within 12σ_R + K of 0, K < σ_R.
        let entry = 13 * self.checked.key_sigma.floor() + 13;
        let fits = most < 1 << 15 && entry * most * (x.len() as i64) < 1 << 31;
        narrow.clear();
        if fits {
            narrow.extend(x.iter().map(|x| *x as i16));
        }
        let narrow = fits.then_some(&narrow[..]);
        Backend::current().run(Small { matrix: &self.secret.r, x, narrow, out });
    }

    /// Preimages of at most [`CHUNK`] targets.
    fn chunk<B: BitSource + ?Sized>(&self, targets: &[u64], bits: &mut B, out: &mut [i64]) {
        let Checked { n, top, bottom, gadget, sigma, .. } = &self.checked;
        let (n, top, bottom, m) = (*n, *top, *bottom, top + bottom);
        let count = targets.len() / n;
        let reach = 13 * (sigma.floor() + 1);
        // Step 1: p₂, R·p₂ and p₁.
        let mut p = Zeroizing::new(vec![0_i32; count * m]);
        let mut last = Zeroizing::new(vec![0_i32; count * bottom]);
        fill(&self.secret.bulk, bits, &mut last);
        let mut y = Zeroizing::new(vec![0_i64; count * top]);
        let mut narrow = Zeroizing::new(Vec::with_capacity(bottom));
        for ((p, last), y) in p.chunks_exact_mut(m).zip(last.chunks_exact(bottom)).zip(y.chunks_exact_mut(top)) {
            p[top..].copy_from_slice(last);
            self.small_product(last, reach, &mut narrow, y);
        }
        self.first(&y, bits, &mut p);
        // Step 2.
        let q = self.public.modulus();
        let mut cosets = Zeroizing::new(vec![0_u64; count * n]);
        for ((p, v), u) in p.chunks_exact(m).zip(cosets.chunks_exact_mut(n)).zip(targets.chunks_exact(n)) {
            self.public.product(p, 16 * (sigma.floor() + 1) as u64, v);
            for (v, u) in v.iter_mut().zip(u) {
                let difference = u.wrapping_sub(*v);
                *v = difference.wrapping_add(q & ((difference as i64) >> 63) as u64);
            }
        }
        let mut z = Zeroizing::new(vec![0_i64; count * bottom]);
        gadget.klein(&cosets, bits, &mut z);
        // Step 3.
        let reach = 13 * (gadget.sigma().floor() + 1) * 2;
        for (((p, z), y), x) in
            p.chunks_exact(m).zip(z.chunks_exact(bottom)).zip(y.chunks_exact_mut(top)).zip(out.chunks_exact_mut(m))
        {
            let short = &mut last[..bottom];
            short.iter_mut().zip(z).for_each(|(short, z)| *short = *z as i32);
            self.small_product(short, reach, &mut narrow, y);
            let shifts = y.iter().chain(z);
            x.iter_mut().zip(p.iter().zip(shifts)).for_each(|(x, (p, shift))| *x = i64::from(*p) + shift);
        }
    }

    /// p₁ of each target, for y = R·p₂: coordinate by coordinate.
    fn first<B: BitSource + ?Sized>(&self, y: &[i64], bits: &mut B, p: &mut [i32]) {
        let Checked { top, .. } = &self.checked;
        let (top, m, places) = (*top, self.public.columns(), self.checked.places());
        let count = y.len() / top;
        let secret = &self.secret;
        // p₁ less its mean, in units of 2^-places.
        let mut centred = Zeroizing::new(vec![0_i64; count * top]);
        let mut values = Zeroizing::new(vec![0_i64; count]);
        let mut calls = Vec::with_capacity(count);
        'coordinates: for j in 0..top {
            let regression = factor::row(&secret.regression, j);
            calls.clear();
            for (y, centred) in y.chunks_exact(top).zip(centred.chunks_exact(top)) {
                let inner = regression
                    .iter()
                    .zip(centred)
                    .fold(0_i128, |sum, (k, t)| sum.wrapping_add(i128::from(*k) * i128::from(*t)));
                // In units of 2^-64.
                let center =
                    (inner >> (places + PLACES - 64)) - (i128::from(y[j]).wrapping_mul(secret.ratio) >> (RATIO - 64));
                let center = FixedPoint::from_parts((center >> 64) as i64, center as u64);
                let Some(center) = center else {
                    bits.condemn();
                    break 'coordinates;
                };
                calls.push((center, secret.widths.all[j]));
            }
            if count < FEW {
                values.iter_mut().zip(&calls).for_each(|(value, call)| *value = secret.rounder.round(*call, bits));
            } else {
                secret.rounder.round_batch(&calls, bits, &mut values);
            }
            for (t, value) in values.iter().enumerate() {
                p[t * m + j] = *value as i32;
                let shift = i128::from(y[t * top + j]).wrapping_mul(secret.ratio) >> (RATIO - places);
                centred[t * top + j] = (value << places).wrapping_add(shift as i64);
            }
        }
        if let Some(zero) = FixedPoint::from_parts(0, 0) {
            calls.fill((zero, secret.widths.blank));
            zeroize::optimization_barrier(&calls);
        }
    }
}

/// The key of Ā, the first columns of `entries`, and R. `None` if R's covariance has no precise factor.
fn assembled(
    checked: &Checked,
    entries: &mut [u64],
    r: Zeroizing<Vec<i16>>,
) -> Result<Option<Trapdoor>, TrapdoorError> {
    // Checked parameters have samplers: no error here is expected.
    let refused = || Refused::new("sigma", checked.sigma, "expected a fraction of smaller numbers");
    let bulk = checked.bulk().ok_or_else(refused)?;
    let (rounder, blank) = checked.rounder().ok_or_else(refused)?;
    let numbers = checked.numbers();
    let ratio = ((BigUint::from(numbers[1].unsigned_abs()) << RATIO) / numbers[0].unsigned_abs())
        .try_into()
        .map_err(|_| refused())?;
    let factor = Covariance { r: &r, rows: checked.top, numbers }.factor();
    let Some(mut factor) = factor.filter(|factor| factor.error <= checked.covariance()) else {
        return Ok(None);
    };
    // This memory never moves.
    let mut widths = Widths { all: Vec::with_capacity(checked.top), blank };
    widths.all.extend(factor.sigmas.iter().map_while(|sigma| rounder.width(*sigma).ok()));
    if widths.all.len() < checked.top {
        return Ok(None);
    }
    complete(entries, &r, checked);
    let public = PublicMatrix::new(checked.n, checked.gadget.modulus(), entries)?;
    let regression = std::mem::take(&mut factor.regression);
    let secret = Secret { r, regression, widths, rounder, bulk, ratio };
    Ok(Some(Trapdoor { public, checked: checked.clone(), secret }))
}

/// The columns of A behind Ā: G - ĀR.
fn complete(entries: &mut [u64], r: &[i16], checked: &Checked) {
    let Checked { top, bottom, gadget, .. } = checked;
    let (base, q, digits) = (gadget.base(), gadget.modulus() as i64, gadget.digits());
    for (i, row) in entries.chunks_exact_mut(top + bottom).enumerate() {
        let (first, last) = row.split_at_mut(*top);
        let mut sums = Zeroizing::new(vec![0_i64; *bottom]);
        for (a, r) in first.iter().zip(r.chunks_exact(*bottom)) {
            // 2^12 products below 2^41.
            sums.iter_mut().zip(r).for_each(|(sum, r)| *sum += *a as i64 * i64::from(*r));
        }
        let mut power = 1;
        for (column, (slot, sum)) in last.iter_mut().zip(sums.iter()).enumerate() {
            let own = if column / digits == i { power } else { 0 };
            if column / digits == i {
                power = power * base as i64 % q;
            }
            *slot = (own - sum).rem_euclid(q) as u64;
        }
        sums.zeroize();
    }
}

#[cfg(test)]
mod tests;
