//! `TableRejection`: its exact law is its heights', its trials and bits are the declared ones, its
//! certificate is the distance of that law.

use crate::common::{law, rejecting, verify};
use samplez_check::tape::{Budget, ExactLaw, enumerate};
use samplez_core::bits::BitReader;
use samplez_core::samplers::TableRejection;
use samplez_core::table::RejectionTable;
use samplez_core::table::Table as _;
use samplez_core::testing::{Attempt, Counted};
use samplez_core::{DiscreteGaussian, Rational, Sampler, Width};
use samplez_sources::{ChaCha20, Seed};
use samplez_tables::{Law, RejectionOptions, build_rejection};

fn built(sigma: &str, center: &str, precision: u32, tail: u32) -> TableRejection<Vec<u32>> {
    let options = RejectionOptions { precision, tail, ..RejectionOptions::default() };
    TableRejection::from_table(build_rejection(&law(sigma, center), &options).unwrap()).unwrap()
}

fn reader(number: u8) -> BitReader<ChaCha20> {
    BitReader::new(ChaCha20::new(&Seed::from_bytes([number; 32])))
}

/// The heights, in units of 2^-B; B <= 32.
fn heights(table: &RejectionTable<Vec<u32>>) -> Vec<u32> {
    table.digits().iter().map(|digit| digit >> (32 - table.precision())).collect()
}

/// Exact masses of one trial: 2^B : P_s : P_s, where a draw of s repeats itself for ever in a
/// part below 2^-depth.
fn has_law_of(walked: &ExactLaw, center: i64, precision: u32, heights: &[u32]) {
    let proposals = heights.len() as f64 + 1.0;
    for (s, height) in (0..).zip(std::iter::once(1 << precision).chain(heights.iter().copied())) {
        for x in [center + s, center - s] {
            let want = f64::from(height) / f64::from(2 << precision) / proposals;
            let got = walked.numerator(x) as f64 / 2_f64.powi(walked.log2_denominator() as i32);
            assert!(got <= want + 1e-12 && want <= got + walked.undecided() + 1e-12, "{x}: {got}, {want}");
        }
    }
    assert_eq!(walked.values().count(), 2 * heights.iter().filter(|h| **h > 0).count() + 1);
}

#[test]
fn a_trial_has_the_law_of_its_heights() {
    for (sigma, center, precision, tail) in
        [("1", "0", 6, 3), ("1.5", "-7", 7, 2), ("2", "3", 5, 4), ("0.7", "0", 8, 9)]
    {
        let sampler = built(sigma, center, precision, tail);
        let table = sampler.table();
        for head_bits in [1, 3, precision] {
            let walked =
                enumerate(Budget::depth(precision + 16), |bits| sampler.attempt_narrow::<5, _>(head_bits, bits));
            let walked = walked.unwrap();
            assert!(walked.undecided() < 1e-3, "{}", walked.undecided());
            has_law_of(&walked, table.center(), precision, &heights(table));
        }
    }
}

/// The certificate against the law that the heights define, in doubles.
#[test]
fn the_certificate_is_the_distance_of_the_law() {
    for (sigma, precision, tail) in [("1", 8, 13), ("3.2", 12, 13), ("3.2", 20, 2), ("10", 24, 4)] {
        let sampler = built(sigma, "0", precision, tail);
        let (bound, heights) = (sampler.table().bound(), heights(sampler.table()));
        let ideal = Law::new(&law(sigma, "0"));
        let unit = f64::from(1 << precision);
        let z = 1.0 + 2.0 * heights.iter().map(|h| f64::from(*h) / unit).sum::<f64>();
        let pairs = (1..).zip(&heights).map(|(s, h)| (2.0, f64::from(*h) / unit / z, ideal.pmf(s)));
        let pairs: Vec<_> = std::iter::once((1.0, 1.0 / z, ideal.pmf(0))).chain(pairs).collect();
        let sd: f64 = pairs.iter().map(|(n, q, p)| n * (q - p).max(0.0)).sum();
        let rinf = pairs.iter().map(|(_, q, p)| q / p - 1.0).fold(0.0, f64::max);
        let tail = 1.0 - pairs.iter().map(|(n, _, p)| n * p).sum::<f64>();
        for (name, exact, bound) in
            [("sd", sd, bound.log2_sd), ("rinf", rinf, bound.log2_rinf), ("tail", tail, bound.log2_tail)]
        {
            if exact > 1e-12 {
                assert!((exact.log2() - bound).abs() < 1e-3, "{sigma}, {precision}: {name} {} {bound}", exact.log2());
            }
        }
        let r2: f64 = pairs.iter().map(|(n, q, p)| n * q * q / p).sum::<f64>() - 1.0;
        if r2 > 1e-12 {
            assert!((r2.log2() - bound.renyi(2).unwrap()).abs() < 1e-2, "{sigma}: {} {bound:?}", r2.log2());
        }
    }
}

#[test]
fn trials_and_bits_are_the_declared_ones() {
    let trials = |sigma| built(sigma, "0", 128, 13).profile().expected_trials;
    assert!((trials("3.33") - 10.54).abs() < 0.005);
    let limit = 13.0 / (std::f64::consts::PI / 2.0).sqrt();
    assert!((trials("10000") - limit).abs() < 0.001 && (limit - 10.37).abs() < 0.005);
    for (sigma, precision) in [("3.33", 128), ("215", 64), ("2", 9)] {
        let sampler = built(sigma, "0", precision, 13);
        let (mut bits, n) = (Counted::new(reader(3)), 100_000);
        let mut tried = 0;
        for _ in 0..n {
            while {
                tried += 1;
                sampler.attempt(&mut bits).is_none()
            } {}
        }
        let profile = sampler.profile();
        let (bits, tried) = (bits.count() as f64 / f64::from(n), f64::from(tried) / f64::from(n));
        assert!((bits / profile.expected_bits - 1.0).abs() < 0.01, "{sigma}: {bits}, {profile:?}");
        assert!((tried / profile.expected_trials - 1.0).abs() < 0.01, "{sigma}: {tried}, {profile:?}");
    }
}

#[test]
fn fill_is_repeated_sample() {
    for (sigma, precision) in [("3.2", 128), ("215", 20)] {
        let sampler = built(sigma, "5", precision, 13);
        let (mut a, mut b, mut out) = (Counted::new(reader(4)), Counted::new(reader(4)), [0_i16; 3000]);
        sampler.fill(&mut a, &mut out).unwrap();
        assert!(out.iter().all(|x| i64::from(*x) == sampler.sample(&mut b)));
        assert_eq!(a.count(), b.count());
    }
    let error = built("215", "0", 64, 13).fill(&mut reader(1), &mut [0_i8; 1000]).unwrap_err();
    assert_eq!(error.dtype, "i8");
}

#[test]
fn table_rejection_is_consistent() {
    let wide = DiscreteGaussian::new(Rational::ZERO, Width::S("8.35".parse().unwrap())).unwrap();
    for target in [law("0.6", "0"), law("3.2", "0"), law("215", "-5"), wide] {
        let table = build_rejection(&target, &RejectionOptions::default()).unwrap();
        let mut out = vec![0_i64; 2_000_000];
        TableRejection::from_table(table).unwrap().fill(&mut reader(17), &mut out).unwrap();
        let report = verify(&target, &out);
        assert!(rejecting(&report).is_empty(), "{target}: {report:?}");
    }
}

/// ρ(k) = 1/2, ρ(2k) = 1/16, … exactly: no interval decides their last places.
#[test]
fn heights_that_are_powers_of_two_are_exact() {
    // (s/k)² at the least s for which it is whole.
    for (k, least, square) in [("254", 254, 1), ("10", 10, 1), ("7/2", 7, 4), ("1", 1, 1), ("1/2", 1, 4)] {
        let target = DiscreteGaussian::new(Rational::ZERO, Width::KSigma2(k.parse().unwrap())).unwrap();
        for precision in [4, 32, 64, 128, 256] {
            let options = RejectionOptions { precision, ..RejectionOptions::default() };
            let table = build_rejection(&target, &options).unwrap();
            let (len, each) = (table.count(), precision.div_ceil(32) as usize);
            for (multiple, s) in (1_usize..).zip((least..=len).step_by(least)) {
                let place = multiple * multiple * square - 1;
                let mut digits = vec![0_u32; each];
                digits[place / 32] = 1 << (31 - place % 32);
                let others = &table.digits()[len + (s - 1) * (each - 1)..][..each - 1];
                assert_eq!([&[table.digits()[s - 1]], others].concat(), digits, "k = {k}, {precision} bits, s = {s}");
            }
        }
        let sampler =
            TableRejection::from_table(build_rejection(&target, &RejectionOptions::default()).unwrap()).unwrap();
        let mut out = vec![0_i64; 300_000];
        sampler.fill(&mut reader(18), &mut out).unwrap();
        let report = verify(&target, &out);
        assert!(rejecting(&report).is_empty(), "{target}: {report:?}");
    }
}

#[test]
fn bad_parameters_are_refused() {
    let refusal = |sigma, center, precision, tail, max_bytes| {
        build_rejection(&law(sigma, center), &RejectionOptions { precision, tail, max_bytes }).unwrap_err().to_string()
    };
    assert_eq!(refusal("3.2", "0", 0, 13, 1 << 20), "precision = 0: expected a number between 1 and 256");
    assert_eq!(refusal("3.2", "0", 10_000, 13, 1 << 20), "precision = 10000: expected a number between 1 and 256");
    assert_eq!(refusal("3.2", "0", 128, 0, 1 << 20), "tail = 0: expected a number between 1 and 64");
    assert_eq!(refusal("3.2", "1/2", 128, 13, 1 << 20), "center = 0.5: method rejection-table allows an integer only");
    assert_eq!(
        refusal("1/100", "0", 128, 13, 1 << 20),
        "sigma = 0.01: only one value is left to propose; choose a larger width or another method"
    );
    let message = "sigma = 1000000: the heights take 198 MiB, more than the 1.00 MiB allowed; raise max_bytes";
    assert_eq!(refusal("1e6", "0", 128, 13, 1 << 20), message);
}
