//! Preimages, their covariance, and tiny trapdoors against their exact law.

use super::*;
use samplez_sources::{ChaCha20, Seed};

fn rng(seed: u8) -> ChaCha20 {
    ChaCha20::new(&Seed::from_bytes([seed; 32]))
}

fn trapdoor(parameters: Parameters, seed: u8) -> Trapdoor {
    Trapdoor::generate(&parameters, &mut rng(seed)).unwrap()
}

/// Uniform targets.
fn targets(trapdoor: &Trapdoor, count: usize) -> Vec<u64> {
    let mut bits = BitReader::new(rng(200));
    (0..count * trapdoor.checked.n).map(|_| uniform_below(trapdoor.public.modulus(), &mut bits)).collect()
}

#[test]
fn preimages_are_preimages() {
    let cases = [
        Parameters::new(1, 2),
        Parameters::new(1, 3).columns(1),
        Parameters::new(3, 1 << 10),
        Parameters::new(5, 12_289),
        Parameters::new(5, 12_289).base(16),
        Parameters::new(4, 59_049).base(3),
        Parameters::new(2, 1 << 31).base(2),
        Parameters::new(2, (1 << 31) - 1).base(1000).columns(9),
        Parameters::new(6, 7681).key_sigma("9/2".parse().unwrap()).sigma("123456/5".parse().unwrap()),
        Parameters::new(64, 1 << 14),
    ];
    for (seed, parameters) in cases.into_iter().enumerate() {
        let trapdoor = trapdoor(parameters, seed as u8);
        let (n, m) = (trapdoor.checked.n, trapdoor.public.columns());
        assert_eq!(m, parameters.dimension().unwrap());
        for count in [1, 2, 17, 70] {
            let targets = targets(&trapdoor, count);
            let mut out = vec![0; count * m];
            trapdoor.preimages(&targets, &mut rng(100), &mut out).unwrap();
            for (x, u) in out.chunks_exact(m).zip(targets.chunks_exact(n)) {
                assert_eq!(trapdoor.public.apply(x).unwrap(), u, "{trapdoor:?}");
                // ‖x‖²/s² has mean m and variance 2m.
                let norm = x.iter().map(|x| (*x as f64 / trapdoor.sigma().to_f64()).powi(2)).sum::<f64>();
                let m = m as f64;
                assert!(norm < m + 8.0 * (2.0 * m).sqrt() + 30.0, "{norm} {m} {trapdoor:?}");
            }
            if count == 1 {
                assert_eq!(trapdoor.preimage(&targets, &mut rng(100)).unwrap(), out);
            }
        }
    }
}

/// A is [Ā | G - ĀR] by its definition.
#[test]
fn the_trapdoor_takes_the_public_matrix_to_the_gadget() {
    for parameters in [Parameters::new(3, 1 << 5), Parameters::new(2, 77).base(3)] {
        let trapdoor = trapdoor(parameters, 5);
        let Checked { n, top, bottom, gadget, .. } = &trapdoor.checked;
        for column in 0..*bottom {
            let r = (0..*top).map(|i| i64::from(trapdoor.secret.r[i * bottom + column]));
            let unit = (0..*bottom).map(|i| i64::from(i == column));
            let image = trapdoor.public.apply(&r.chain(unit).collect::<Vec<_>>()).unwrap();
            for (i, found) in image.iter().enumerate() {
                let power = gadget.base().pow((column % gadget.digits()) as u32) % gadget.modulus();
                let want = if i == column / gadget.digits() { power } else { 0 };
                assert_eq!(*found, want, "column {column}, row {i}");
            }
        }
        assert_eq!(trapdoor.public.rows(), *n);
        let wide = trapdoor.secret.r.iter().filter(|r| r.abs() > 24).count();
        assert!(wide == 0 && trapdoor.secret.r.iter().any(|r| *r != 0));
    }
}

/// Faults in place of the preimages.
#[derive(Clone, Copy, PartialEq)]
enum Planted {
    Nothing,
    /// x = [R; I]·z.
    NoPerturbation,
    /// p spherical with σ = s.
    Spherical,
    /// p₁ about -E[p₁].
    Sign,
}

fn draw(trapdoor: &Trapdoor, count: usize, planted: Planted) -> Vec<i64> {
    let (n, m) = (trapdoor.checked.n, trapdoor.public.columns());
    let targets = targets(trapdoor, count);
    let mut out = vec![0; count * m];
    trapdoor.preimages(&targets, &mut rng(50), &mut out).unwrap();
    if planted == Planted::Nothing {
        return out;
    }
    let mut bits = BitReader::new(rng(51));
    let Checked { top, bottom, gadget, sigma, .. } = &trapdoor.checked;
    let spherical = key_sampler(*sigma).unwrap();
    for (x, u) in out.chunks_exact_mut(m).zip(targets.chunks_exact(n)) {
        let mut p = vec![0_i32; m];
        match planted {
            Planted::Spherical => fill(&spherical, &mut bits, &mut p),
            Planted::Sign => {
                fill(&trapdoor.secret.bulk, &mut bits, &mut p[*top..]);
                let mut y = vec![0; *top];
                let negative: Vec<i32> = p[*top..].iter().map(|p| -p).collect();
                trapdoor.small_product(&negative, 1 << 20, &mut vec![], &mut y);
                trapdoor.first(&y, &mut bits, &mut p);
            }
            _ => {}
        }
        let wide: Vec<i64> = p.iter().map(|p| i64::from(*p)).collect();
        let q = trapdoor.public.modulus();
        let image = trapdoor.public.apply(&wide).unwrap();
        let cosets: Vec<u64> = u.iter().zip(&image).map(|(u, v)| (u + q - v) % q).collect();
        let mut z = vec![0; *bottom];
        gadget.klein(&cosets, &mut bits, &mut z);
        for (i, x) in x.iter_mut().enumerate() {
            let shift: i64 = match i.checked_sub(*top) {
                Some(i) => z[i],
                None => (0..*bottom).map(|j| i64::from(trapdoor.secret.r[i * bottom + j]) * z[j]).sum(),
            };
            *x = wide[i] + shift;
        }
    }
    out
}

/// The farthest entry of the empirical covariance from s²I, in standard errors. Then the errors of two variances, for R's greatest
/// singular direction w: along (Rw, w), and along (tRw, w) with both parts of one length.
fn covariance(trapdoor: &Trapdoor, samples: &[i64]) -> [f64; 3] {
    let (m, s) = (trapdoor.public.columns(), trapdoor.sigma().to_f64());
    let count = (samples.len() / m) as f64;
    let mut sums = vec![0.0; m * m];
    for x in samples.chunks_exact(m) {
        for i in 0..m {
            for j in 0..=i {
                sums[i * m + j] += (x[i] * x[j]) as f64;
            }
        }
    }
    let mut farthest = 0.0_f64;
    for i in 0..m {
        for j in 0..=i {
            let (want, spread) = if i == j { (1.0, 2.0) } else { (0.0, 1.0) };
            farthest = farthest.max((sums[i * m + j] / count / s / s - want).abs() * (count / spread).sqrt());
        }
    }
    let Checked { top, bottom, .. } = trapdoor.checked;
    let r = |i: usize, j: usize| f64::from(trapdoor.secret.r[i * bottom + j]);
    let mut v: Vec<f64> = (0..bottom).map(|j| r(0, j)).collect();
    let mut image = vec![0.0; m];
    for _ in 0..50 {
        let norm = v.iter().map(|v| v * v).sum::<f64>().sqrt();
        for (i, image) in image.iter_mut().enumerate() {
            let row = (0..bottom).map(|j| if i < top { r(i, j) } else { f64::from(u8::from(i - top == j)) } * v[j]);
            *image = row.sum::<f64>() / norm;
        }
        v = (0..bottom).map(|j| (0..top).map(|i| r(i, j) * image[i]).sum::<f64>() + image[top + j]).collect();
    }
    let deviation = |image: &[f64]| {
        let norm = image.iter().map(|v| v * v).sum::<f64>();
        let dot = |x: &[i64]| x.iter().zip(image).map(|(x, v)| *x as f64 * v).sum::<f64>();
        let variance = samples.chunks_exact(m).map(|x| dot(x).powi(2)).sum::<f64>() / count / norm / s / s;
        (variance - 1.0).abs() * (count / 2.0).sqrt()
    };
    let along = deviation(&image);
    let length = |part: &[f64]| part.iter().map(|v| v * v).sum::<f64>().sqrt();
    let scale = length(&image[top..]) / length(&image[..top]);
    image[..top].iter_mut().for_each(|v| *v *= scale);
    [farthest, along, deviation(&image)]
}

/// Each standard error is below 6 with probability 1 - 2·10^-9.
#[test]
fn preimages_are_spherical() {
    for parameters in [Parameters::new(3, 64), Parameters::new(3, 61), Parameters::new(2, 12_289).base(8).columns(3)] {
        let trapdoor = trapdoor(parameters, 7);
        let found = covariance(&trapdoor, &draw(&trapdoor, 20_000, Planted::Nothing));
        assert!(found.iter().all(|found| *found < 6.0), "{found:?} {trapdoor:?}");
        for planted in [Planted::NoPerturbation, Planted::Spherical] {
            let found = covariance(&trapdoor, &draw(&trapdoor, 20_000, planted));
            assert!(found[1] > 9.0, "{found:?} {trapdoor:?}");
        }
    }
    // The share of a wrong sign is about 1.5·σ_1(R)/(1 + Λ), 3 %.
    let trapdoor = trapdoor(Parameters::new(2, 8), 8);
    let found = covariance(&trapdoor, &draw(&trapdoor, 150_000, Planted::Nothing));
    assert!(found.iter().all(|found| *found < 6.0), "{found:?} {trapdoor:?}");
    let found = covariance(&trapdoor, &draw(&trapdoor, 150_000, Planted::Sign));
    assert!(found[2] > 6.0, "{found:?} {trapdoor:?}");
}

/// Cov(p) + r²·BBᵗ = s²I, from the numbers that preimages use.
#[test]
fn the_covariances_add_up() {
    let fraction = Parameters::new(2, 77).base(3).sigma("1234/5".parse().unwrap());
    for parameters in [Parameters::new(3, 64), fraction, Parameters::new(2, 12_289).columns(7)] {
        let trapdoor = trapdoor(parameters, 9);
        let Checked { top, bottom, gadget, sigma, .. } = &trapdoor.checked;
        let (top, bottom, numbers) = (*top, *bottom, trapdoor.checked.numbers());
        let factor = Covariance { r: &trapdoor.secret.r, rows: top, numbers }.factor().unwrap();
        assert!(factor.regression == trapdoor.secret.regression && factor.error < trapdoor.checked.covariance());
        let (s, r) = (sigma.to_f64().powi(2), gadget.sigma().to_f64().powi(2));
        let Width::SigmaSq(last) = trapdoor.secret.bulk.profile().target.gaussian().unwrap().width() else { panic!() };
        let (last, ratio) = (last.to_f64(), trapdoor.secret.ratio as f64 / 2_f64.powi(96));
        assert!((last / (s - r) - 1.0).abs() < 1e-14 && (ratio / (r / (s - r)) - 1.0).abs() < 1e-14);
        // L by substitution: t_j = w_j + Σ K_ji·t_i.
        let mut l = vec![0.0; top * top];
        for j in 0..top {
            for i in 0..=j {
                let k = factor::row(&factor.regression, j);
                let inner: f64 = (i..j).map(|m| k[m] as f64 / 2_f64.powi(57) * l[m * top + i]).sum();
                l[j * top + i] = if i == j { 1.0 } else { inner };
            }
        }
        let entry = |i: usize, j: usize| f64::from(trapdoor.secret.r[i * bottom + j]);
        for i in 0..top {
            for j in 0..top {
                let own = |m: usize| l[i * top + m] * l[j * top + m] * factor.sigmas[m].to_f64().powi(2);
                let gram: f64 = (0..bottom).map(|m| entry(i, m) * entry(j, m)).sum();
                let sum = (0..top).map(own).sum::<f64>() + (ratio * ratio * last + r) * gram;
                let want = if i == j { s } else { 0.0 };
                assert!((sum - want).abs() < 1e-11 * s, "{i} {j} {sum} {want}");
            }
            for j in 0..bottom {
                assert!((-ratio * last * entry(i, j) + r * entry(i, j)).abs() < 1e-11 * s);
            }
        }
    }
}

/// The mean of p₁ is -r²/(s² - r²)·y, also where it is 40s from 0. Each standard error is below 6 with probability 1 - 2·10^-9.
#[test]
fn the_mean_follows_the_last_coordinates() {
    let trapdoor = trapdoor(Parameters::new(4, 256), 10);
    let Checked { top, bottom, sigma, gadget, .. } = &trapdoor.checked;
    let (s, r) = (sigma.to_f64(), gadget.sigma().to_f64());
    let y: Vec<i64> = (0..*top as i64).map(|i| (i * i * 7919 % 201 - 100) * 60_000).collect();
    const COUNT: usize = 2000;
    let mut p = vec![0; (top + bottom) * COUNT];
    trapdoor.first(&y.repeat(COUNT), &mut BitReader::new(rng(11)), &mut p);
    for (j, y) in y.iter().enumerate() {
        let mean = -r * r / (s * s - r * r) * *y as f64;
        let sum: f64 = p.iter().skip(j).step_by(top + bottom).map(|p| f64::from(*p) - mean).sum();
        assert!(sum.abs() < 6.0 * s * (COUNT as f64).sqrt(), "{j}: {} of {mean}", sum / COUNT as f64);
    }
    assert!(p.iter().any(|p| f64::from(*p).abs() > 30.0 * s));
}

/// Tiny trapdoors, 2 million preimages: cells of residues modulo q and of ranges, whose exact masses are products of sums over the integers.
#[test]
fn tiny_trapdoors_have_their_exact_law() {
    for (q, columns) in [(4_u64, 1), (3, 1), (4, 2), (2, 2)] {
        let parameters = Parameters::new(1, q).columns(columns).key_sigma(Rational::from(1));
        let trapdoor = trapdoor(parameters, 11);
        let (m, s) = (trapdoor.public.columns(), trapdoor.sigma().to_f64());
        assert!(m == 3 || m == 4, "{m}");
        let a: Vec<u64> = trapdoor.public.row(0).unwrap().collect();
        // Ranges of one coordinate: their ends are quantiles, roughly.
        let range = |x: i64| [-0.7, 0.0, 0.7].iter().filter(|edge| x as f64 > *edge * s).count();
        let mass = |sigma: f64| {
            let mut one = vec![0.0; 4 * q as usize];
            for x in -(9.0 * sigma) as i64..=(9.0 * sigma) as i64 {
                let place = range(x) * q as usize + x.rem_euclid(q as i64) as usize;
                one[place] += (-(x * x) as f64 / 2.0 / sigma / sigma).exp();
            }
            one
        };
        let quantile = |samples: &[i64], u: u64, sigma: f64| {
            let one = mass(sigma);
            let cells = one.len().pow(m as u32);
            let mut counts = vec![0_u32; cells];
            for x in samples.chunks_exact(m) {
                let cell = x
                    .iter()
                    .fold(0, |cell, x| cell * one.len() + range(*x) * q as usize + x.rem_euclid(q as i64) as usize);
                counts[cell] += 1;
            }
            let parts = |mut cell: usize| {
                let mut parts = vec![0; m];
                for part in parts.iter_mut().rev() {
                    *part = cell % one.len();
                    cell /= one.len();
                }
                parts
            };
            let masses: Vec<f64> = (0..cells)
                .map(|cell| {
                    let parts = parts(cell);
                    let image: u64 = parts.iter().zip(&a).map(|(part, a)| a * (*part as u64 % q)).sum();
                    if image % q == u { parts.iter().map(|part| one[*part]).product() } else { 0.0 }
                })
                .collect();
            let (total, count) = (masses.iter().sum::<f64>(), (samples.len() / m) as f64);
            let (mut statistic, mut bins) = (0.0, 0);
            for (mass, seen) in masses.iter().zip(&counts) {
                let wanted = mass / total * count;
                assert!(wanted >= 20.0 || (wanted == 0.0 && *seen == 0), "{wanted} {seen}");
                if wanted > 0.0 {
                    statistic += (f64::from(*seen) - wanted).powi(2) / wanted;
                    bins += 1;
                }
            }
            let df = f64::from(bins - 1);
            let scale = 2.0 / 9.0 / df;
            ((statistic / df).cbrt() - 1.0 + scale) / scale.sqrt()
        };
        for u in [0, q - 1] {
            let count = if m == 4 { 800_000 } else { 150_000 };
            let mut out = vec![0; count * m];
            trapdoor.preimages(&vec![u; count], &mut rng(12), &mut out).unwrap();
            let found = quantile(&out, u, s);
            assert!(found < 5.5, "q = {q}, m = {m}, u = {u}: {found}");
            // A σ that is 5 % larger is seen.
            let wrong = quantile(&out, u, 1.05 * s);
            assert!(wrong > 5.5, "q = {q}, m = {m}, u = {u}: {wrong}");
        }
    }
}

#[test]
fn bad_parameters_are_refused() {
    let refused = |parameters: Parameters| {
        let error = Trapdoor::generate(&parameters, &mut rng(0)).unwrap_err().to_string();
        assert_eq!(parameters.dimension().unwrap_err().to_string(), error);
        error
    };
    let good = Parameters::new(4, 256);
    let rational = |text: &str| text.parse::<Rational>().unwrap();
    assert_eq!(refused(Parameters::new(4, 1)), "q = 1: expected an integer from 2 to 2^31");
    assert_eq!(refused(Parameters::new(0, 256)), "n = 0: expected an integer from 1 to 2048");
    assert_eq!(
        refused(Parameters::new(usize::MAX, 256)),
        format!("n = {}: expected an integer from 1 to 2048", usize::MAX)
    );
    assert_eq!(refused(good.columns(0)), "columns = 0: expected an integer from 1 to 4096");
    assert_eq!(refused(good.base(257)), "base = 257: expected an integer from 2 to 256");
    assert_eq!(refused(good.base(1)), "base = 1: expected an integer from 2 to 256");
    assert_eq!(refused(good.base(1025)), "base = 1025: expected an integer from 2 to 256");
    assert_eq!(refused(Parameters::new(4, 1 << 14).base(1025)), "base = 1025: expected an integer from 2 to 1024");
    assert_eq!(refused(Parameters::new(4, 1 << 14).base(1)), "base = 1: expected an integer from 2 to 1024");
    assert_eq!(refused(good.key_sigma(rational("0.99"))), "key_sigma = 0.99: expected a number from 1 to 64");
    assert_eq!(
        refused(good.sigma(rational("10"))),
        "sigma = 10: expected a number from 134 to 2^25, with a denominator of at most 32"
    );
    assert!(refused(good.sigma(rational("1e9"))).starts_with("sigma = 1000000000: "));
    assert!(refused(good.sigma(rational("20000/33"))).starts_with("sigma = 20000/33: "));
    assert!(refused(good.sigma(rational("3072000001/256"))).starts_with("sigma = 3072000001/256: "));
    let with = |text: &str| format!("for this base and q, and {text}");
    let large = refused(Parameters::new(2048, 1 << 31).columns(4096));
    assert_eq!(large, format!("n = 2048: expected an integer from 1 to 396 {}", with("columns = 4096")));
    let wide = refused(Parameters::new(1024, 1 << 31).columns(4096));
    assert_eq!(wide, format!("columns = 4096: expected an integer from 1 to 1989 {}", with("n = 1024")));
    let long = refused(Parameters::new(2048, 1 << 31));
    assert_eq!(long, format!("n = 2048: expected an integer from 1 to 1008 {}", with("columns = 2n")));
    assert!(Parameters::new(2048, 1 << 31).columns(1).dimension().is_err());
    for allowed in [Parameters::new(396, 1 << 31).columns(4096), Parameters::new(1024, 1 << 31).columns(1989)] {
        assert!(allowed.dimension().is_ok());
    }
    assert!(Parameters::new(4, 256).sigma(good.min_sigma().unwrap()).dimension().is_ok());
}

/// What `dimension` allows, `generate` does not refuse, at the edges of σ and σ_R.
#[test]
fn allowed_parameters_give_keys() {
    let rational = |num: i64, den: u64| Rational::new(num, den).unwrap();
    let shapes = [(2_u64, 16_u64), (2, 17), (3, 9), (1000, 1_000_000), (1000, (1 << 31) - 1), (1024, 1 << 30)];
    for (base, q) in shapes {
        for key_sigma in [rational(1, 1), rational(64, 1), rational(i64::MAX, (1 << 62) - 1), rational(355, 113)] {
            let parameters = Parameters::new(1, q).base(base).key_sigma(key_sigma);
            let least = parameters.min_sigma().unwrap().num();
            let top = 1_i64 << 25;
            for sigma in [
                rational(least, 1),
                rational(32 * least + 1, 32),
                rational(31 * 12_000_000 + 1, 31),
                rational(32 * 12_000_000 + 1, 32),
                rational(256 * 12_000_000 + 1, 256),
                rational(32 * top - 1, 32),
                rational(31 * top - 1, 31),
                rational(33 * top - 1, 33),
                rational(top, 1),
                rational(32 * top + 1, 32),
            ] {
                let parameters = parameters.sigma(sigma);
                let found = Trapdoor::generate(&parameters, &mut rng(13));
                assert_eq!(found.is_ok(), parameters.dimension().is_ok(), "{parameters:?} {found:?}");
                assert_eq!(found.is_ok(), sigma.den() <= 32 && sigma <= Rational::from(top), "{parameters:?}");
                let Ok(trapdoor) = found else { continue };
                let x = trapdoor.preimage(&[1], &mut rng(14)).unwrap();
                assert_eq!(trapdoor.public.apply(&x).unwrap(), [1], "{parameters:?}");
            }
        }
    }
}

/// Coordinates less their means fit into 63 bits while they are below 32s.
#[test]
fn integers_hold_what_the_proof_says() {
    for sigma in [134, 135, 1 << 20, (1 << 25) - 1, 1 << 25] {
        let checked = Parameters::new(4, 256).sigma(Rational::from(sigma)).checked().unwrap();
        let reach = i128::from(32 * sigma) << checked.places();
        assert!((1 << 61..1 << 63).contains(&reach), "{sigma}");
    }
}

#[test]
fn bad_targets_are_refused() {
    let trapdoor = trapdoor(Parameters::new(4, 256), 1);
    let text = |target: &[u64]| trapdoor.preimage(target, &mut rng(1)).unwrap_err().to_string();
    assert_eq!(text(&[1, 2, 3]), "length of target = 3: expected n = 4 residues");
    assert_eq!(text(&[1, 2, 3, 256]), "target[3] = 256: expected an integer below q = 256");
    let m = trapdoor.public.columns();
    let mut out = vec![1; 2 * m];
    let mut text = |targets: &[u64], len: usize| {
        out.fill(1);
        let error = trapdoor.preimages(targets, &mut rng(1), &mut out[..len]).unwrap_err().to_string();
        assert!(out[..len].iter().all(|x| *x == 0));
        error
    };
    assert_eq!(text(&[0; 7], 2 * m), "length of targets = 7: expected a multiple of n = 4");
    assert_eq!(text(&[0; 8], m), format!("length of out = {m}: expected m = {m} integers for each of 2 targets"));
    assert_eq!(text(&[0, 0, 0, 0, 0, 999, 0, 0], 2 * m), "targets[5] = 999: expected an integer below q = 256");
    trapdoor.preimages(&[], &mut rng(1), &mut []).unwrap();
    let a = trapdoor.public();
    assert_eq!(a.apply(&[1]).unwrap_err().to_string(), format!("length of x = 1: expected {m} integers"));
    let matrix = |rows, q, entries: &[u64]| PublicMatrix::new(rows, q, entries).unwrap_err().to_string();
    assert_eq!(matrix(0, 5, &[1]), "number of entries = 1: expected a positive multiple of rows = 0");
    assert_eq!(matrix(2, 5, &[1, 2, 3]), "number of entries = 3: expected a positive multiple of rows = 2");
    assert_eq!(matrix(1, 5, &[1, 5]), "entries[1] = 5: expected an integer below q = 5");
    assert_eq!(matrix(1, 0, &[1]), "q = 0: expected an integer from 2 to 2^31");
}

/// A generator that repeats itself.
struct Stuck;

impl rand_core::TryRng for Stuck {
    type Error = std::convert::Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Ok(5)
    }
    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Ok(5)
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
        out.fill(0x2a);
        Ok(())
    }
}

impl rand_core::TryCryptoRng for Stuck {}

#[test]
fn a_stuck_generator_is_an_error() {
    let parameters = Parameters::new(4, 256);
    assert!(matches!(Trapdoor::generate(&parameters, &mut Stuck), Err(TrapdoorError::Generator(_))));
    let trapdoor = trapdoor(parameters, 1);
    let mut out = vec![1; 20 * trapdoor.public.columns()];
    let error = trapdoor.preimages(&[1; 80], &mut Stuck, &mut out).unwrap_err();
    assert!(matches!(error, TrapdoorError::Generator(_)) && out.iter().all(|x| *x == 0));
}

/// A key that was read draws the preimages of the one that was written, for every shape of the gadget.
#[test]
fn exported_keys_are_the_same() {
    for parameters in [
        Parameters::new(3, 256),
        Parameters::new(4, 12_289).base(3).columns(11).key_sigma("7/3".parse().unwrap()),
        Parameters::new(2, 16).sigma("20001/32".parse().unwrap()),
    ] {
        let key = trapdoor(parameters, 5);
        let bytes = key.to_bytes();
        let again = Trapdoor::from_bytes(&bytes).unwrap();
        assert!(again.public == key.public && again.secret.r == key.secret.r && *again.to_bytes() == *bytes);
        assert_eq!(again.secret.regression, key.secret.regression);
        let target = vec![1; key.checked.n];
        assert_eq!(again.preimage(&target, &mut rng(6)).unwrap(), key.preimage(&target, &mut rng(6)).unwrap());
    }
}

#[test]
fn bad_bytes_are_refused() {
    let bytes = trapdoor(Parameters::new(1, 4), 1).to_bytes();
    let message = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = bytes.to_vec();
        change(&mut bytes);
        Trapdoor::from_bytes(&bytes).unwrap_err().to_string()
    };
    let form = "expected the output of Trapdoor::to_bytes";
    assert_eq!(message(&|bytes| bytes.clear()), format!("bytes = 0 bytes: {form}"));
    assert_eq!(message(&|bytes| bytes[0] ^= 1), format!("bytes = {} bytes: {form}", bytes.len()));
    assert_eq!(message(&|bytes| bytes[8] = 2), "bytes = version 2: expected version 1");
    assert_eq!(message(&|bytes| bytes[12] = 0), "n = 0: expected an integer from 1 to 2048");
    assert_eq!(message(&|bytes| bytes[44..52].fill(0)), format!("bytes = denominator 0: {form}"));
    let length = bytes.len();
    let wanted = format!("expected {length} for these parameters");
    assert_eq!(message(&|bytes| bytes.push(0)), format!("bytes = {} bytes: {wanted}", length + 1));
    assert_eq!(message(&|bytes| bytes.truncate(length - 1)), format!("bytes = {} bytes: {wanted}", length - 1));
    assert_eq!(message(&|bytes| bytes[68] = 4), "entry 0 of row 0 = 4: expected an integer below q = 4");
    let large = message(&|bytes| *bytes.last_mut().unwrap() = 0x7f);
    assert_eq!(large, "bytes = an entry of R: expected integers from -42 to 42");
}

#[test]
fn debug_shows_no_secret() {
    let trapdoor = trapdoor(Parameters::new(1, 4), 1);
    let text = format!("{trapdoor:?}");
    let gadget = "Gadget { base: 2, digits: 2, q: 4, sigma: \"4\" }";
    let sigma = trapdoor.sigma();
    assert_eq!(text, format!("Trapdoor {{ n: 1, m: 4, sigma: \"{sigma}\", gadget: {gadget}, .. }}"));
}

/// The stream is part of the interface.
#[test]
fn a_seed_gives_the_same_integers() {
    let trapdoor = trapdoor(Parameters::new(2, 16), 3);
    let row: Vec<u64> = trapdoor.public.row(1).unwrap().collect();
    let x = trapdoor.preimage(&[3, 14], &mut rng(4)).unwrap();
    assert_eq!(
        (row, x),
        (vec![3, 5, 10, 10, 13, 15, 1, 10, 8, 1, 13, 13], vec![64, 144, -92, 5, 66, 51, -105, 29, 0, -68, -1, 73])
    );
}

/// The numbers of docs/proofs/trapdoor.md.
#[test]
fn the_bound_is_the_proof_s() {
    let parameters = Parameters::new(64, 1 << 14);
    let bound = parameters.bound().unwrap();
    let found = [2, 256, 513].map(|order| bound.renyi(order).unwrap());
    for (found, stated) in found.into_iter().chain([bound.log2_sd]).zip([-92.4, -85.9, -84.9, -47.2]) {
        assert!(found <= stated && found > stated - 0.1, "{found} {stated}");
    }
    assert!(bound.samples_log2(128).unwrap() > 83.0);
    // Another q has 896 further calls, and a larger base fewer columns.
    let odd = Parameters::new(64, 12_289).bound().unwrap();
    assert!(odd.renyi(2).unwrap() > found[0] && odd.renyi(2).unwrap() < -91.0);
    assert!(Parameters::new(64, 1 << 14).base(4).bound().unwrap().renyi(2).unwrap() < -91.0);
}
