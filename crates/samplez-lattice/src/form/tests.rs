use super::*;
use samplez::{BitReader, Seed, Source, StreamError};
use samplez_sources::ChaCha20;
use std::collections::HashMap;

fn reader(n: u8) -> BitReader<ChaCha20> {
    BitReader::new(ChaCha20::new(&Seed::from_bytes([n; 32])))
}

fn q(text: &str) -> Rational {
    text.parse().unwrap()
}

/// The probabilities of exp(-(v - c)S(v - c)ᵀ/2) over v = xB for all x in a box: nothing of the code's reduction and walk.
fn brute(basis: &[&[f64]], inverse: &[&[f64]], center: &[f64], reach: i64) -> HashMap<Vec<i64>, f64> {
    let n = basis.len();
    let mut masses = HashMap::new();
    let mut x = vec![-reach; n];
    loop {
        let v: Vec<f64> = (0..center.len()).map(|k| (0..n).map(|i| x[i] as f64 * basis[i][k]).sum()).collect();
        let d: Vec<f64> = v.iter().zip(center).map(|(v, c)| v - c).collect();
        let form: f64 = (0..d.len()).map(|i| (0..d.len()).map(|j| d[i] * inverse[i][j] * d[j]).sum::<f64>()).sum();
        masses.insert(v.iter().map(|v| v.round() as i64).collect(), (-form / 2.0).exp());
        let Some(next) = (0..n).find(|i| x[*i] < reach) else { break };
        x[next] += 1;
        x[..next].fill(-reach);
    }
    let sum: f64 = masses.values().sum();
    masses.values_mut().for_each(|mass| *mass /= sum);
    masses
}

/// χ² of these samples in standard deviations of its normal approximation (Wilson and Hilferty): 4.9 has a probability of 1e-6 to
/// be exceeded. Cells with fewer than 10 expected samples are one cell.
fn chi_square(masses: &HashMap<Vec<i64>, f64>, counts: &HashMap<Vec<i64>, u64>) -> f64 {
    let total: u64 = counts.values().sum();
    let (mut sum, mut cells, mut rest, mut rest_count) = (0.0, 0.0, 0.0, total as f64);
    for (v, mass) in masses {
        let expected = mass * total as f64;
        if expected < 10.0 {
            rest += expected;
            continue;
        }
        let count = counts.get(v).copied().unwrap_or(0) as f64;
        rest_count -= count;
        sum += (count - expected).powi(2) / expected;
        cells += 1.0;
    }
    if rest > 3.0 {
        sum += (rest_count - rest).powi(2) / rest;
        cells += 1.0;
    } else {
        assert!(rest_count < rest + 20.0, "{rest_count} samples where {rest} are expected");
    }
    let df: f64 = cells - 1.0;
    assert!(df >= 2.0, "{df}");
    ((sum / df).powf(1.0 / 3.0) - (1.0 - 2.0 / (9.0 * df))) / (2.0 / (9.0 * df)).sqrt()
}

fn draw(form: &Form, count: usize, seed: u8) -> HashMap<Vec<i64>, u64> {
    let (mut bits, mut counts) = (reader(seed), HashMap::new());
    let mut v = vec![0; form.columns()];
    for _ in 0..count {
        form.sample(&mut bits, &mut v).unwrap();
        *counts.entry(v.clone()).or_default() += 1;
    }
    counts
}

/// Klein's proposals without the decision.
fn draw_without_decision(form: &Form, count: usize, seed: u8) -> HashMap<Vec<i64>, u64> {
    let (mut bits, mut counts) = (reader(seed), HashMap::new());
    let mut v = vec![0; form.columns()];
    for _ in 0..count {
        let (walk, _) = form.target.propose(&form.space, &mut bits).unwrap();
        form.combine(&walk.x, &mut v).unwrap();
        *counts.entry(v.clone()).or_default() += 1;
    }
    counts
}

/// Where Klein's own distribution is far from the ideal: σ_j of 0.29 and 0.26. Without the decision the test fails.
#[test]
fn narrow_forms_have_the_law_of_brute_force_and_klein_alone_has_not() {
    let form = Form::gram(&"12 6\n6 15".parse().unwrap(), q("1")).unwrap();
    let form = form.with_center(&[q("1/3"), q("2/7")]).unwrap();
    let unit: [&[f64]; 2] = [&[1.0, 0.0], &[0.0, 1.0]];
    let masses = brute(&unit, &[&[12.0, 6.0], &[6.0, 15.0]], &[1.0 / 3.0, 2.0 / 7.0], 12);
    let deviation = chi_square(&masses, &draw(&form, 20_000, 1));
    assert!(deviation < 4.9, "{deviation}");
    let deviation = chi_square(&masses, &draw_without_decision(&form, 20_000, 2));
    assert!(deviation > 20.0, "{deviation}");
}

/// Three and four dimensions, a covariance, a coset and centres off the lattice; σ_j from 0.3 to 3.
#[test]
fn forms_have_the_law_of_brute_force() {
    let inverse = |sigma: f64, n: usize| -> Vec<Vec<f64>> {
        (0..n).map(|i| (0..n).map(|j| if i == j { sigma.powi(-2) } else { 0.0 }).collect()).collect()
    };
    let check = |form: &Form, basis: &[&[f64]], inverse: &[Vec<f64>], center: &[f64], reach, seed| {
        let inverse: Vec<&[f64]> = inverse.iter().map(Vec::as_slice).collect();
        let masses = brute(basis, &inverse, center, reach);
        let deviation = chi_square(&masses, &draw(form, 6_000, seed));
        assert!(deviation < 4.9, "{deviation}");
    };
    // Rank 3 in dimension 4, and a centre outside the span.
    let rows = Matrix::new(&[[2, 1, 0, 0], [-1, 2, 1, 0], [1, 0, 3, 1]]).unwrap();
    let center = ["3/5", "1/9", "3/2", "1/2"];
    let form = Form::basis(&rows, q("0.8")).unwrap().with_center(&center.map(q)).unwrap();
    let basis: [&[f64]; 3] = [&[2.0, 1.0, 0.0, 0.0], &[-1.0, 2.0, 1.0, 0.0], &[1.0, 0.0, 3.0, 1.0]];
    let center = [0.6, 1.0 / 9.0, 1.5, 0.5];
    check(&form, &basis, &inverse(0.8, 4), &center, 9, 10);
    // Dimension 4.
    let rows = Matrix::new(&[[2, 1, 1, 0], [0, 2, 1, 1], [1, 0, 2, 1], [1, 1, 0, 3]]).unwrap();
    let form = Form::basis(&rows, q("0.8")).unwrap().with_center(&["1/5", "3/7", "-1/3", "8/11"].map(q)).unwrap();
    let basis: [&[f64]; 4] =
        [&[2.0, 1.0, 1.0, 0.0], &[0.0, 2.0, 1.0, 1.0], &[1.0, 0.0, 2.0, 1.0], &[1.0, 1.0, 0.0, 3.0]];
    check(&form, &basis, &inverse(0.8, 4), &[0.2, 3.0 / 7.0, -1.0 / 3.0, 8.0 / 11.0], 6, 20);
    // A covariance, whose inverse is (2, -1; -1, 3)/5, and the coset (7, -3) of a lattice of determinant 6.
    let rows = Matrix::new(&[[2, 1], [0, 3]]).unwrap();
    let form =
        Form::ellipsoid(&rows, &"3 1\n1 2".parse().unwrap()).unwrap().with_center(&["1/3", "-9/5"].map(q)).unwrap();
    let covariance = [vec![0.4, -0.2], vec![-0.2, 0.6]];
    check(&form, &[&[2.0, 1.0], &[0.0, 3.0]], &covariance, &[1.0 / 3.0, -1.8], 30, 30);
    let form = Form::basis(&rows, q("2.9")).unwrap().coset(&[7, -3]).unwrap();
    let shifted: HashMap<Vec<i64>, f64> =
        brute(&[&[2.0, 1.0], &[0.0, 3.0]], &[&[0.118_906, 0.0], &[0.0, 0.118_906]], &[-7.0, 3.0], 30)
            .into_iter()
            .map(|(v, mass)| (vec![v[0] + 7, v[1] - 3], mass))
            .collect();
    let deviation = chi_square(&shifted, &draw(&form, 6_000, 40));
    assert!(deviation < 4.9, "{deviation}");
    // A q-ary lattice against a basis of it made by hand.
    let form = Form::qary(&Matrix::new(&[[2, 3]]).unwrap(), 6, q("2.3")).unwrap();
    // 2x + 3y = 0 mod 6: x = 0 mod 3, y = 0 mod 2.
    let masses = brute(&[&[3.0, 0.0], &[0.0, 2.0]], &[&[1.0 / 5.29, 0.0], &[0.0, 1.0 / 5.29]], &[0.0, 0.0], 15);
    let deviation = chi_square(&masses, &draw(&form, 6_000, 50));
    assert!(deviation < 4.9, "{deviation}");
}

/// Norms against theta series: of D4 24, 24, 96, 24, 144 vectors of norm 2, 4, 6, 8, 10, of E8 240, 2160, 6720, 17520, 30240.
#[test]
fn norms_of_d4_and_e8_follow_their_theta_series() {
    let d4 = Matrix::new(&[[1, 1, 0, 0], [1, -1, 0, 0], [0, 1, -1, 0], [0, 0, 1, -1]]).unwrap();
    // E8 twice: σ and norms are scaled, by 2 and by 4.
    let e8 = Matrix::new(&[
        [4, 0, 0, 0, 0, 0, 0, 0],
        [-2, 2, 0, 0, 0, 0, 0, 0],
        [0, -2, 2, 0, 0, 0, 0, 0],
        [0, 0, -2, 2, 0, 0, 0, 0],
        [0, 0, 0, -2, 2, 0, 0, 0],
        [0, 0, 0, 0, -2, 2, 0, 0],
        [0, 0, 0, 0, 0, -2, 2, 0],
        [1, 1, 1, 1, 1, 1, 1, 1],
    ])
    .unwrap();
    let check = |matrix: &Matrix, sigma: &str, scale: i64, theta: &[f64], count, seed| {
        let form = Form::basis(matrix, q(sigma)).unwrap();
        let width: f64 = sigma.parse().unwrap();
        let mut masses: HashMap<Vec<i64>, f64> = HashMap::new();
        for (k, coefficient) in theta.iter().enumerate() {
            let norm = 2.0 * k as f64 * scale as f64;
            masses.insert(vec![2 * k as i64], coefficient * (-norm / (2.0 * width * width)).exp());
        }
        let sum: f64 = masses.values().sum();
        masses.values_mut().for_each(|mass| *mass /= sum);
        let mut counts: HashMap<Vec<i64>, u64> = HashMap::new();
        for (v, number) in draw(&form, count, seed) {
            *counts.entry(vec![v.iter().map(|x| x * x).sum::<i64>() / scale]).or_default() += number;
        }
        let deviation = chi_square(&masses, &counts);
        assert!(deviation < 4.9, "{deviation}");
        let mut counts: HashMap<Vec<i64>, u64> = HashMap::new();
        for (v, number) in draw_without_decision(&form, count, seed) {
            *counts.entry(vec![v.iter().map(|x| x * x).sum::<i64>() / scale]).or_default() += number;
        }
        chi_square(&masses, &counts)
    };
    // The divisors d of n, by 24·Σ of the odd ones; by 240·Σ d³.
    let divisors = |n: u32| (1..=n).filter(move |d| n.is_multiple_of(*d)).map(f64::from);
    let of_d4: Vec<f64> = (0..60)
        .map(|n| if n == 0 { 1.0 } else { 24.0 * divisors(n).filter(|d| d % 2.0 == 1.0).sum::<f64>() })
        .collect();
    let of_e8: Vec<f64> =
        (0..60).map(|n| if n == 0 { 1.0 } else { 240.0 * divisors(n).map(|d| d * d * d).sum::<f64>() }).collect();
    assert_eq!((&of_d4[..4], &of_e8[..4]), (&[1.0, 24.0, 24.0, 96.0][..], &[1.0, 240.0, 2160.0, 6720.0][..]));
    check(&d4, "1.3", 1, &of_d4, 6_000, 60);
    let klein = check(&d4, "0.5", 1, &of_d4, 6_000, 61);
    assert!(klein > 10.0, "{klein}");
    check(&e8, "1.7", 4, &of_e8, 6_000, 62);
}

#[test]
fn two_bases_of_a_lattice_give_one_distribution() {
    // (3, 0) and (1, 2) have the determinant 6: rows 33·a + 5·b and 20·a + 3·b, with 33·3 - 5·20 = -1.
    let one = Matrix::new(&[[3, 0], [1, 2]]).unwrap();
    let other = Matrix::new(&[[104, 10], [63, 6]]).unwrap();
    let center = ["1/3", "4/7"].map(q);
    let counts = |matrix: &Matrix, seed| {
        draw(&Form::basis(matrix, q("1.4")).unwrap().with_center(&center).unwrap(), 40_000, seed)
    };
    let (a, b) = (counts(&one, 70), counts(&other, 71));
    let (mut sum, mut df) = (0.0, -1.0);
    for (v, count) in &a {
        let (a, b) = (*count as f64, b.get(v).copied().unwrap_or(0) as f64);
        if a + b >= 20.0 {
            sum += (a - b).powi(2) / (a + b);
            df += 1.0;
        }
    }
    let deviation = ((sum / df).powf(1.0 / 3.0) - (1.0 - 2.0 / (9.0 * df))) / (2.0_f64 / (9.0 * df)).sqrt();
    assert!(df > 10.0 && deviation < 4.9, "{deviation} {df}");
}

/// The filter of the centres and the intervals of the decisions at any precision: the integers are the same.
#[test]
fn the_starting_precision_changes_no_sample() {
    let rows = Matrix::new(&[[5, 1, 0, 2], [-1, 4, 1, 0], [1, 0, 3, 1], [2, 2, 2, -5]]).unwrap();
    let center = ["1/3", "-5/7", "22/9", "1/2"].map(q);
    for sigma in ["1.6", "5", "70000", "1e12"] {
        let samples = |start| {
            let form = Form::basis_with(&rows, q(sigma), start).unwrap().with_center(&center).unwrap();
            let (mut bits, mut v) = (reader(80), [0; 4]);
            let mut all = Vec::new();
            for _ in 0..300 {
                form.sample(&mut bits, &mut v).unwrap();
                all.extend(v);
            }
            all
        };
        let want = samples((DIGITS, START));
        // With 33 digits hardly any centre is settled by the filter.
        for start in [(33, START), (40, 64), (DIGITS, 64), (50, 128), (DIGITS, 256), (33, 512)] {
            assert_eq!(samples(start), want, "{sigma} {start:?}");
        }
    }
}

/// Moments of wide forms, in every range of σ_j: each direction's variance within 6 standard errors.
#[test]
fn wide_forms_have_their_variance() {
    let rows = Matrix::new(&[[3, 1], [-1, 4]]).unwrap();
    for sigma in [3e4_f64, 5e8, 1e15] {
        let form = Form::basis(&rows, q(&format!("{sigma}"))).unwrap();
        let (mut bits, mut v, count) = (reader(90), [0; 2], 20_000);
        let mut sums = [0.0; 3];
        for _ in 0..count {
            form.sample(&mut bits, &mut v).unwrap();
            // A lattice vector: v = xB with integers x.
            assert!((4 * i128::from(v[0]) + i128::from(v[1])) % 13 == 0);
            let [a, b] = v.map(|x| x as f64 / sigma);
            sums = [sums[0] + a * a, sums[1] + b * b, sums[2] + a * b];
        }
        let n = f64::from(count);
        let error = 6.0 * (2.0 / n).sqrt();
        assert!((sums[0] / n - 1.0).abs() < error && (sums[1] / n - 1.0).abs() < error, "{sums:?}");
        assert!((sums[2] / n).abs() < error, "{sums:?}");
    }
}

#[test]
fn bad_forms_are_refused() {
    let matrix = |text: &str| text.parse::<Matrix>().unwrap();
    let message = |form: Result<Form, Refused>| form.unwrap_err().to_string();
    for (got, want) in [
        (
            message(Form::basis(&matrix("1 2 3\n4 5 6\n5 7 9"), q("3"))),
            "basis = 3 rows: expected linearly independent rows; row 3 depends on the rows before it",
        ),
        (
            message(Form::basis(&matrix("1\n2"), q("3"))),
            "basis = 2 rows: expected linearly independent rows; row 2 depends on the rows before it",
        ),
        (
            message(Form::basis(&matrix("1/2 1\n0 1"), q("3"))),
            "basis = entries over 2: expected integers; multiply it and sigma by the denominator",
        ),
        (message(Form::basis(&matrix("1 0\n0 1"), q("0"))), "sigma = 0: expected a number above 0"),
        (message(Form::basis(&matrix("1 0\n0 1"), q("-2"))), "sigma = -2: expected a number above 0"),
        (
            message(Form::basis(&matrix("1000 0\n0 1"), q("1"))),
            "sigma = 1: expected at least 1/256 of the longest Gram-Schmidt vector of the reduced basis; use a larger sigma",
        ),
        (
            message(Form::basis(&matrix("10 3\n0 10"), q("1/2"))),
            "sigma = 0.5: expected an acceptance probability of at least 2^-20 for the reduced basis, where the bound is 2^-71; use a larger sigma",
        ),
        (message(Form::gram(&matrix("1 2 3\n2 5 6"), q("1"))), "gram = 2 x 3: expected as many columns as rows"),
        (message(Form::gram(&matrix("1 2\n3 9"), q("1"))), "gram = 2 x 2: expected a symmetric matrix"),
        (
            message(Form::gram(&matrix("1 2\n2 4"), q("1"))),
            "gram = 2 rows: expected a positive definite matrix; the minor of the first 2 rows is 0",
        ),
        (
            message(Form::ellipsoid(&matrix("1 0\n0 1"), &matrix("1"))),
            "covariance = 1 x 1: expected 2 x 2, as the basis has 2 columns",
        ),
        (
            message(Form::ellipsoid(&matrix("1000 0\n0 1"), &matrix("1 0\n0 1"))),
            "covariance = 2 x 2: expected standard deviations of at least 1/256 of the reduced basis's longest Gram-Schmidt vector; use a larger covariance",
        ),
        (
            message(Form::ellipsoid(
                &matrix("1 0\n0 1"),
                &Matrix::of(vec![vec![BigInt::from(1) << 120]], 1.into()).unwrap(),
            )),
            "covariance = 1 x 1: expected 2 x 2, as the basis has 2 columns",
        ),
        (
            message(Form::ellipsoid(&matrix("1"), &Matrix::of(vec![vec![BigInt::from(1) << 120]], 1.into()).unwrap())),
            "covariance = 1 x 1: expected standard deviations below 2^55 times the reduced basis's shortest Gram-Schmidt vector",
        ),
        (
            message(Form::ellipsoid(&matrix("10 3\n0 10"), &matrix("1/4 0\n0 1/4"))),
            "covariance = 2 x 2: expected an acceptance probability of at least 2^-20 for the reduced basis, where the bound is 2^-71; use a larger covariance",
        ),
        (
            message(Form::ellipsoid(&matrix("1/2 0\n0 1"), &matrix("1 0\n0 1"))),
            "basis = entries over 2: expected integers; multiply it by the denominator and covariance by its square",
        ),
        (message(Form::qary(&matrix("1/2 1"), 5, q("3"))), "a = entries over 2: expected integers"),
        (
            // Within the limit around 0, and beyond it around the deep hole.
            message(Form::basis(&matrix("6 0\n0 6"), q("1/2")).unwrap().with_center(&[q("3"), q("3")])),
            "sigma = as given, with this center: expected an acceptance probability of at least 2^-20 for the reduced basis, where the bound is 2^-49; use a larger sigma",
        ),
        (message(Form::qary(&matrix("1 2"), 1, q("3"))), "q = 1: expected an integer from 2 on"),
        (
            message(Form::basis(&matrix("1 0\n0 1"), q("3")).unwrap().coset(&[1])),
            "shift = 1 entries: expected 2, one for each column",
        ),
    ] {
        assert_eq!(got, want);
    }
}

/// Entries beyond 64 bits are allowed in a basis whose lattice has short vectors. Samples beyond 64 bits are an error.
#[test]
fn large_entries() {
    let big = "1 271828182845904523536028747135\n0 1000000000000000000000000000007".parse().unwrap();
    let form = Form::basis(&big, q("1e16")).unwrap();
    let mut v = [0; 2];
    form.sample(&mut reader(1), &mut v).unwrap();
    assert!(v[0].unsigned_abs() > 1 << 40);
    let rest = (BigInt::from(v[0]) * big.rows[0][1].clone() - v[1]).mod_floor(&big.rows[1][1]);
    assert_eq!(rest, BigInt::ZERO);
    // The shortest vector is too long for σ.
    let long = "1180591620717411303424 0\n0 1180591620717411303424".parse().unwrap();
    assert!(Form::basis(&long, q("1e18")).is_err());
}

/// σ = 0.98·2^63: an entry is beyond 64 bits with probability 0.31, a pair with 0.52.
#[test]
fn entries_beyond_64_bits_are_errors_and_leave_zeros() {
    let form = Form::basis(&Matrix::new(&[[1 << 20, 0], [0, 1 << 20]]).unwrap(), q("9e18")).unwrap();
    let (mut bits, mut failures) = (reader(4), 0.0);
    for _ in 0..2_000 {
        let mut v = [5; 2];
        match form.sample(&mut bits, &mut v) {
            Ok(()) => assert!(v.iter().all(|x| x % (1 << 20) == 0) && v != [0; 2], "{v:?}"),
            Err(e) => {
                assert_eq!(e, RangeError::of::<i64>());
                assert_eq!(v, [0; 2]);
                failures += 1.0;
            }
        }
    }
    // 1 - erf(2^63/(9e18·√2))² = 0.518: six standard errors.
    assert!((failures / 2_000.0_f64 - 0.518).abs() < 0.068, "{failures}");
    let mut all = [5; 200];
    let failed = form.fill(Source::ChaCha20, &Seed::from_bytes([4; 32]), 0, &mut all);
    assert!(matches!(failed, Err(StreamError::Range(_))), "{failed:?}");
    assert_eq!(all, [0; 200]);
}

/// The stream is part of the interface: these change with a breaking version only.
#[test]
fn the_stream_is_pinned() {
    let matrix = |text: &str| text.parse::<Matrix>().unwrap();
    let rows = matrix("[5, 1, 0; -1, 4, 1; 1, 0, 3]");
    let center = ["1/3", "-5/7", "22/9"].map(q);
    let narrow = Form::gram(&matrix("12 6\n6 15"), q("1")).unwrap().with_center(&[q("1/3"), q("2/7")]).unwrap();
    let strips = Form::basis(&rows, q("70")).unwrap().with_center(&center).unwrap();
    let wide = Form::basis(&rows, q("1e12")).unwrap().coset(&[1, 2, 3]).unwrap().with_center(&center).unwrap();
    let qary = Form::qary(&matrix("1 5 8 3\n0 2 4 6"), 12, q("10")).unwrap();
    let drawn = [narrow, strips, wide, qary].map(|form| {
        let mut all = vec![0; 257 * form.columns()];
        form.fill(Source::ChaCha20, &Seed::from_bytes([9; 32]), 0, &mut all).unwrap();
        // The first two of the first block, and the first of the second one.
        [all[..2 * form.columns()].to_vec(), all[256 * form.columns()..].to_vec()]
    });
    let want: [[&[i64]; 2]; 4] = [
        [&[1, 0, 1, 0], &[0, 0]],
        [&[56, 80, 56, 55, 67, -8], &[32, -39, -23]],
        [
            &[
                772_023_832_382,
                -45_942_539_923,
                -1_013_286_034_955,
                -136_372_937_257,
                1_440_983_421_674,
                -422_808_067_219,
            ],
            &[-156_864_884_174, 1_501_279_596_302, 62_661_969_122],
        ],
        [&[2, -20, 4, -2, -4, 7, -11, -17], &[18, -9, 3, 1]],
    ];
    assert_eq!(drawn, want);
}

/// A centre and a coset in either order, by the samples' parities and means, and against each other.
#[test]
fn centers_and_cosets_keep_each_other() {
    let even = Form::basis(&Matrix::new(&[[2, 0], [0, 2]]).unwrap(), q("3")).unwrap();
    let center = ["20", "-41/3"].map(q);
    let one = even.coset(&[1, 0]).unwrap().with_center(&center).unwrap();
    let other = even.with_center(&center).unwrap().coset(&[1, 0]).unwrap();
    let replaced = even.coset(&[0, 1]).unwrap().with_center(&[q("7"), q("1/2")]).unwrap();
    let replaced = replaced.coset(&[1, 0]).unwrap().with_center(&center).unwrap();
    let back = other.coset(&[0, 0]).unwrap();
    for (form, parity) in [(&one, 1), (&other, 1), (&replaced, 1), (&back, 0)] {
        let (mut bits, mut v, mut sums) = (reader(7), [0; 2], [0; 2]);
        for _ in 0..4_000 {
            form.sample(&mut bits, &mut v).unwrap();
            assert!(v[0].rem_euclid(2) == parity && v[1].rem_euclid(2) == 0, "{v:?}");
            sums = [sums[0] + v[0], sums[1] + v[1]];
        }
        // Six standard errors are 0.29.
        let means = sums.map(|sum| sum as f64 / 4_000.0);
        assert!((means[0] - 20.0).abs() < 0.29 && (means[1] + 41.0 / 3.0).abs() < 0.29, "{means:?}");
    }
    assert_eq!(draw(&one, 100, 8), draw(&other, 100, 8));
    let zero = even.with_center(&[q("0"), q("0")]).unwrap().coset(&[1, 1]).unwrap().with_center(&[q("0"), q("0")]);
    let mut v = [0; 2];
    zero.unwrap().sample(&mut reader(1), &mut v).unwrap();
    assert!(v[0] % 2 != 0 && v[1] % 2 != 0, "{v:?}");
}
