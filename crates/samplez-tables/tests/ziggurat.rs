//! Ziggurat tables: certified bounds against 400-digit arithmetic, partitions, sizes, refusals.

use samplez_core::bits::BitReader;
use samplez_core::samplers::Ziggurat;
use samplez_core::table::Table;
use samplez_core::table::{TableError, ZigguratParts, ZigguratTable};
use samplez_core::{Bound, DiscreteGaussian, Rational, Sampler, Width};
use samplez_sources::{ChaCha20, Seed};
use samplez_tables::{ZigguratOptions, build_ziggurat, certify_ziggurat};

fn law(sigma: &str) -> DiscreteGaussian {
    DiscreteGaussian::with_sigma(sigma.parse().unwrap()).unwrap()
}

fn options(rectangles: u32, precision: u32, omega: u32) -> ZigguratOptions {
    let tail = Rational::from(13);
    ZigguratOptions { rectangles, precision, omega, tail, ..ZigguratOptions::default() }
}

fn bounds(bound: &Bound) -> [f64; 6] {
    let [two, middle, large] = bound.log2_renyi.map(|(_, log2)| log2);
    [bound.log2_sd, two, middle, large, bound.log2_rinf, bound.log2_tail]
}

/// Rows of kat/ziggurat-tables.csv: the words must be these, and the bounds and trials those that
/// kat/gen_ziggurat.py computed from the words alone.
#[test]
fn certificates_agree_with_multiprecision() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../kat/ziggurat-tables.csv");
    let text = std::fs::read_to_string(path).unwrap();
    let mut rows = 0;
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let number = |i: usize| fields[i].parse::<u32>().unwrap();
        let table = build_ziggurat(&law(fields[0]), &options(number(1), number(2), number(3))).unwrap();
        let words: Vec<String> = table.words().iter().map(|word| format!("{word:x}")).collect();
        assert_eq!(words.join(" "), fields[12], "{}", fields[..4].join(","));
        let found = bounds(&table.parts().bound);
        for (i, found) in found.iter().enumerate() {
            let exact: f64 = fields[5 + i].parse().unwrap();
            assert!(
                *found >= exact - 1e-9 && *found <= exact + 0.02,
                "{}, {i}: {found} {exact}",
                fields[..4].join(",")
            );
        }
        let trials: f64 = fields[11].parse().unwrap();
        assert!((table.parts().expected_trials / trials - 1.0).abs() < 1e-9);
        rows += 1;
    }
    assert_eq!(rows, 7);
}

/// Trials mS/(σ sqrt(π/2)), as computed for the paper's partitions.
#[test]
fn trials_are_the_known_ones() {
    let known = [
        ("10", 8, 1.308),
        ("10", 16, 1.172),
        ("10", 32, 1.103),
        ("10", 64, 1.073),
        ("10", 128, 1.059),
        ("32", 8, 1.286),
        ("32", 64, 1.046),
        ("32", 256, 1.0217),
        ("215", 64, 1.037),
        ("215", 256, 1.011),
    ];
    for (sigma, m, trials) in known {
        let found = build_ziggurat(&law(sigma), &options(m, 106, 107)).unwrap().parts().expected_trials;
        assert!((found - trials).abs() < 6e-4, "sigma = {sigma}, m = {m}: {found}, known {trials}");
    }
}

/// y_0 - 1 at the least area, where it cannot be 0; all rectangles of one area between the ends of
/// the search.
#[test]
fn partitions_have_the_least_area() {
    // σ, m, y_0 - 1, and the distance of the printed law, in which column 0 is y_0 high.
    for (sigma, m, excess, printed) in [
        ("10", 63, 0.00485, 1.85e-4), // 2^-12.4
        ("10", 64, 0.0, 0.0),
        ("32", 64, 0.00321, 3.95e-5),
        ("215", 256, 5.8e-4, 1.07e-6),
        ("3.3311", 63, 0.0359, 3.8e-3),
    ] {
        let table = build_ziggurat(&law(sigma), &options(m, 53, 54)).unwrap();
        let y = |i: usize| table.edge_height(i)[0] as f64 / 2_f64.powi(53);
        assert!((y(0) - 1.0 - excess).abs() < 6e-6_f64.max(0.01 * excess), "sigma = {sigma}, m = {m}: {}", y(0));
        let sigma: f64 = sigma.parse().unwrap();
        let zero = 1.0 / (sigma * std::f64::consts::TAU.sqrt());
        let distance = zero * (1.0 - zero) * (y(0) - 1.0) / (1.0 + zero * (y(0) - 1.0));
        assert!((distance - printed).abs() < 1e-9_f64.max(0.01 * printed), "sigma = {sigma}, m = {m}: {distance}");
        let edges = &table.words()[..=m as usize];
        let areas: Vec<f64> = (0..m as usize).map(|i| (y(i) - y(i + 1)) * f64::from(edges[i + 1])).collect();
        for area in &areas {
            assert!((area / areas[0] - 1.0).abs() < 1e-10, "{areas:?}");
            assert!(*area > sigma * (std::f64::consts::FRAC_PI_2).sqrt() / f64::from(m) && *area <= 13.0 * sigma + 1.0);
        }
        // X_i = max{x : ρ(x) >= y_i}
        for (i, edge) in edges.iter().enumerate().take(m as usize).skip(1) {
            let rho = |x: u32| (-(f64::from(x) / sigma).powi(2) / 2.0).exp();
            let x = edge - 1;
            assert!(rho(x) >= y(i) - 1e-12 && rho(x + 1) <= y(i) + 1e-12, "X_{i} = {x}");
        }
    }
}

/// Every number of rectangles: a table, or the reason why there is none.
#[test]
fn the_search_never_fails_silently() {
    let mut refused = Vec::new();
    for sigma in ["1/10", "0.3", "1", "3.3311", "10"] {
        for m in 2..130 {
            match build_ziggurat(&law(sigma), &options(m, 64, 65)) {
                Ok(table) => {
                    let y = |i: usize| table.edge_height(i);
                    assert!(y(0)[1] >= 1 && (y(1)[1] == 0 || y(1) == [0, 1, 0, 0, 0]), "sigma = {sigma}, m = {m}");
                    assert!(table.parts().bound.log2_sd < -60.0, "sigma = {sigma}, m = {m}: {:?}", table.parts());
                }
                Err(error) => {
                    assert!(error.to_string().contains("no area lets so many rectangles"), "{error}");
                    refused.push((sigma, m));
                }
            }
        }
    }
    println!("refused: {refused:?}");
}

/// Rows of kat/ziggurat-partitions.csv, most of them for supports that end within the bell: the edges are those that
/// kat/gen_ziggurat.py finds with 60 digits, y_0 is its y_0 but for the 2^-40 by which the area is raised, and all areas are
/// equal, to 100 bits.
#[test]
fn partitions_agree_with_multiprecision() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../kat/ziggurat-partitions.csv");
    let text = std::fs::read_to_string(path).unwrap();
    let mut rows = 0;
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let (tail, rectangles) = (fields[1].parse().unwrap(), fields[2].parse::<u32>().unwrap());
        let table =
            build_ziggurat(&law(fields[0]), &ZigguratOptions { tail, ..options(rectangles, 100, 120) }).unwrap();
        let edges = &table.words()[..=rectangles as usize];
        let shown: Vec<String> = edges.iter().map(u32::to_string).collect();
        assert_eq!(shown.join(" "), fields[4], "{}", fields[..3].join(","));
        let y = |i: usize| u128::from(table.edge_height(i)[0]) | u128::from(table.edge_height(i)[1]) << 64;
        let y0: f64 = fields[3].parse().unwrap();
        assert!((y(0) as f64 / 2_f64.powi(100) / y0 - 1.0).abs() < 2_f64.powi(-38), "{}", fields[..3].join(","));
        // Heights are rounded down to 2^-100.
        let most = u128::from(edges[rectangles as usize]);
        let areas: Vec<u128> = (0..rectangles as usize).map(|i| (y(i) - y(i + 1)) * u128::from(edges[i + 1])).collect();
        assert!(areas.iter().all(|area| area.abs_diff(areas[0]) <= 2 * most), "{}", fields[..3].join(","));
        assert_eq!(certify_ziggurat(&table), Some(table.parts().bound));
        rows += 1;
    }
    assert_eq!(rows, 12);
}

/// What is cut off is all that such a law lacks, to the precision of its heights.
#[test]
fn a_short_tail_is_a_tail_cut_off() {
    for (sigma, tail, cut) in [("100", "2", 0.045_500), ("100", "1/2", 0.617_075), ("1000", "1/100", 0.992_021)] {
        let short = ZigguratOptions { tail: tail.parse().unwrap(), ..ZigguratOptions::default() };
        let bound = build_ziggurat(&law(sigma), &short).unwrap().parts().bound;
        // The normal law's, but for half a column on either side.
        let (sd, lost) = (bound.log2_sd.exp2(), bound.log2_tail.exp2());
        assert!((lost - cut).abs() < 0.005 && (sd / lost - 1.0).abs() < 1e-9, "{sigma}, {tail}: {sd} {lost}");
    }
}

/// The densities stored are those computed, and the chord changes no other word.
#[test]
fn variants_share_their_integers() {
    let q: Rational = "37/2".parse().unwrap();
    for width in [Width::Sigma(q), Width::SigmaSq(q), Width::KSigma2(q), Width::S(q)] {
        for (m, n) in [(64, 106), (30, 64), (17, 256), (4, 6), (64, 33)] {
            let law = DiscreteGaussian::new(Rational::from(-5), width).unwrap();
            let [plain, with_chord, stored] = [(false, false), (true, false), (true, true)].map(|(chord, stored)| {
                build_ziggurat(&law, &ZigguratOptions { chord, stored, ..options(m, n, n + 9) }).unwrap()
            });
            assert_eq!(plain.words(), with_chord.words());
            assert_eq!(plain.parts().bound, stored.parts().bound);
            assert_eq!((plain.parts().chord, with_chord.parts().chord), (None, stored.parts().chord));
            assert_eq!(plain.support(), stored.support());
            for x in 0..=*plain.support().end() + 5 {
                assert_eq!(plain.height(x as u32), stored.height(x as u32), "{width}, n = {n}, x = {x}");
            }
        }
    }
}

/// Where a chord serves, its decisions follow from the integers; one rectangle more, and they do
/// not.
#[test]
fn chords_are_as_long_as_can_be() {
    for (sigma, m) in [("215", 20), ("1000", 64), ("215", 256)] {
        let table = build_ziggurat(&law(sigma), &options(m, 60, 61)).unwrap();
        let chord = table.parts().chord.unwrap();
        let right = |i: usize, accepts: bool| {
            let (first, end) = (table.words()[i], table.words()[i + 1]);
            let y = |i: usize| i128::from(table.edge_height(i)[0]);
            let (h, w) = (y(i) - y(i + 1), i128::from(end - first));
            (first..end).all(|x| {
                let d = i128::from(table.height(x)[0]) - y(i + 1);
                if accepts { i128::from(end - 1 - x) * h <= w * d } else { i128::from(end - x) * h >= w * d }
            })
        };
        let (accept_to, reject_after) = (chord.accept_to as usize, chord.reject_after as usize);
        assert!((1..accept_to).all(|i| right(i, true)) && (reject_after..m as usize).all(|i| right(i, false)));
        assert!(accept_to == m as usize || !right(accept_to, true));
        assert!(reject_after == 0 || !right(reject_after - 1, false));
        assert!(accept_to > 1 && reject_after < m as usize, "{chord:?}");
    }
}

#[test]
fn a_requested_bound_is_met() {
    for sigma in ["1", "3.3311", "32", "215", "1000"] {
        for log2_sd in [-1, -20, -64, -100, -128, -200] {
            let options = ZigguratOptions::for_bound(&law(sigma), log2_sd).unwrap();
            for rectangles in [8, 256] {
                let table = build_ziggurat(&law(sigma), &ZigguratOptions { rectangles, ..options });
                // Few bits cannot hold many rectangles; that is said.
                let Ok(table) = table else { continue };
                let found = table.parts().bound.log2_sd;
                assert!(found <= f64::from(log2_sd), "sigma = {sigma}, 2^{log2_sd}: {found}");
            }
        }
        assert!(ZigguratOptions::for_bound(&law(sigma), 0).is_err());
    }
    let message = ZigguratOptions::for_bound(&law("10"), -255).unwrap_err().to_string();
    assert_eq!(message, "log2_sd = -255: expected a number between -240 and -1");
}

#[test]
fn a_budget_of_memory_is_kept_and_used() {
    for (sigma, bytes, stored) in
        [("32", 2080, false), ("32", 20_000, true), ("1.6e5", 524_000, false), ("10", 300, false)]
    {
        let base = ZigguratOptions { stored, ..options(2, 106, 138) };
        let fitted = base.within(&law(sigma), bytes).unwrap();
        let used = fitted.bytes(&law(sigma)).unwrap();
        assert!(used <= bytes && bytes - used < 20, "{sigma}: {used} of {bytes}");
        if sigma != "1.6e5" {
            assert_eq!(build_ziggurat(&law(sigma), &fitted).unwrap().bytes() as u64, used);
        }
    }
    assert_eq!(options(2, 32, 32).within(&law("10"), u64::MAX / 2).unwrap().rectangles, 1 << 16);
    assert!(options(2, 106, 138).within(&law("10"), 40).unwrap_err().to_string().contains("40 bytes allowed"));
}

#[test]
fn bad_options_are_refused_by_name() {
    let default = ZigguratOptions::default();
    let message =
        |sigma: &str, options: ZigguratOptions| build_ziggurat(&law(sigma), &options).unwrap_err().to_string();
    for (options, start) in [
        (ZigguratOptions { rectangles: 0, ..default }, "rectangles = 0: expected a number between 2 and 65536"),
        (ZigguratOptions { rectangles: 65537, ..default }, "rectangles = 65537: expected a number between 2 and 65536"),
        (ZigguratOptions { precision: 0, ..default }, "precision = 0: expected a number between 1 and 256"),
        (ZigguratOptions { precision: 10_000, ..default }, "precision = 10000: expected a number between 1 and 256"),
        (ZigguratOptions { omega: 127, ..default }, "omega = 127: expected a number between 128 and 512"),
        (ZigguratOptions { omega: 513, ..default }, "omega = 513: expected a number between 128 and 512"),
        (ZigguratOptions { tail: Rational::ZERO, ..default }, "tail = 0: method ziggurat allows a tail above 0"),
        (ZigguratOptions { tail: Rational::from(41), ..default }, "tail = 41: method ziggurat allows"),
        (ZigguratOptions { precision: 3, omega: 8, ..default }, "precision = 3: rectangle"),
    ] {
        let text = message("10", options);
        assert!(text.starts_with(start), "{text}");
    }
    assert!(message("1e7", default).starts_with("tail = 14: with sigma = 10000000 the support must end between"));
    assert!(message("1/100", default).starts_with("tail = 14"));
    let shifted = DiscreteGaussian::new("1/2".parse().unwrap(), Width::Sigma(Rational::from(3))).unwrap();
    let text = build_ziggurat(&shifted, &default).unwrap_err().to_string();
    assert_eq!(text, "center = 0.5: method ziggurat allows an integer center only");
    let far = DiscreteGaussian::new(Rational::from(i64::MAX), Width::Sigma(Rational::from(3))).unwrap();
    assert!(build_ziggurat(&far, &default).unwrap_err().to_string().contains("the samples exceed 64-bit integers"));
}

/// y_0 = 2 - 2^-n and y_1 below 2^-63: their difference has no successor in 64 bits.
#[test]
fn a_first_rectangle_of_height_two_is_refused() {
    let table = |n: u32, y0: u32, y1: u32| {
        let digits = n.div_ceil(32) as usize;
        let bound = Bound::TRIVIAL;
        let parts = ZigguratParts {
            target: DiscreteGaussian::with_sigma(Rational::from(1)).unwrap(),
            bound,
            expected_trials: 1.0,
            precision: n,
            omega: n,
            rectangles: 2,
            chord: None,
            stored: true,
        };
        let mut words = vec![0, 1, 2];
        words.extend(std::iter::repeat_n(u32::MAX, digits - 1).chain([y0]));
        words.extend(std::iter::repeat_n(0, digits - 1).chain([y1]));
        words.extend(std::iter::repeat_n(1 << 31, 1).chain(std::iter::repeat_n(0, digits - 1)));
        ZigguratTable::new(parts, words)
    };
    assert_eq!(table(128, u32::MAX, 1).unwrap_err(), TableError::TooHigh);
    assert_eq!(table(64, u32::MAX, 1).unwrap_err(), TableError::TooHigh);
    // 2^-63 is enough.
    let sampler = Ziggurat::from_table(table(64, u32::MAX, 2).unwrap());
    let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([1; 32])));
    assert!((0..10_000).all(|_| sampler.sample(&mut bits).abs() <= 1));
}

/// The certificate is that of the builder for its own tables, in every variant, and sees a changed height.
#[test]
fn any_table_is_certified_by_its_words() {
    for (sigma, rectangles, precision) in [("1/2", 2, 8), ("3.2", 16, 64), ("10", 63, 106), ("32", 100, 20)] {
        let law = DiscreteGaussian::with_sigma(sigma.parse().unwrap()).unwrap();
        for (chord, stored) in [(false, false), (true, false), (true, true)] {
            let options =
                ZigguratOptions { rectangles, precision, omega: 110, chord, stored, ..ZigguratOptions::default() };
            let table = build_ziggurat(&law, &options).unwrap();
            assert_eq!(certify_ziggurat(&table), Some(table.parts().bound), "{sigma}, {chord}, {stored}");
        }
    }
    let law = DiscreteGaussian::with_sigma(Rational::from(10)).unwrap();
    let options = ZigguratOptions { chord: false, stored: true, ..ZigguratOptions::default() };
    let table = build_ziggurat(&law, &options).unwrap();
    let mut words = table.words().to_vec();
    let (m, digits) = (256, 4);
    // ρ(21), halved.
    words[m + 1 + m * digits + 20 * digits] >>= 1;
    let changed = ZigguratTable::new(*table.parts(), words).unwrap();
    let bound = certify_ziggurat(&changed).unwrap();
    assert!(bound.log2_sd > -14.0 && table.parts().bound.log2_sd < -100.0, "{bound:?}");
}
