use super::trial::{BASE, base, exp_neg, exponent};
use super::*;
use crate::params::Width;
use std::string::ToString;
use std::vec::Vec;

fn of(sigma: &str, fraction: u64) -> Constants {
    constants(sigma.parse().unwrap(), fraction)
}

#[test]
fn records_are_whole_bytes_and_few_words_are_rejected() {
    for sigma in
        ["1", "1.5", "2", "2.1", "3.2", "17.9", "18.1", "19.5", "215", "1000", "5000", "1.6e5", "67108863", "67108864"]
    {
        let c = of(sigma, 1 << 63);
        assert!(c.record_bits().is_multiple_of(8) && (128..=RECORD_MAX).contains(&c.record_bits()), "{sigma}: {c:?}");
        assert!(c.uniform_bits <= 32 && (48..=63).contains(&c.draw_bits) && c.reject < c.multiplier, "{sigma}: {c:?}");
        assert!(c.draw_bits >= 56 || c.multiplier >= 10, "{sigma}: {c:?}");
        assert!(c.reject << 7 <= 1 << c.uniform_bits && c.multiplier <= 1 << c.uniform_bits, "{sigma}: {c:?}");
    }
    let c = of("215", 0);
    assert_eq!((c.multiplier, c.uniform_bits, c.draw_bits, c.record_bits()), (108, 14, 49, 136));
    assert_eq!((of("19.5", 0).record_bits(), of("2", 0).uniform_bits), (136, 0));
}

/// u runs through 0 … K-1, each as often, over all w that are not rejected.
#[test]
fn the_low_part_is_uniform() {
    for sigma in ["1", "2", "2.1", "3.2", "19.5", "215", "1000", "1234"] {
        let c = of(sigma, 0);
        let mut counts = std::vec![0_u32; c.multiplier as usize];
        for w in 0..1_u64 << c.uniform_bits {
            // v just above T_0: z0 = 0. A draw of 0 accepts whatever is not impossible.
            let record = Record { first: u64::MAX, second: w << 9, last: 0 };
            let (z, accepted) = trial(&c, record);
            counts[-z as usize] += accepted;
        }
        assert!(counts.iter().all(|count| *count == counts[0] && *count > 0), "{sigma}: {counts:?}");
    }
}

#[test]
fn the_base_counts_thresholds() {
    let mut state = 1_u64;
    for i in 0..200_000_usize {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        let near = BASE[i % BASE.len()];
        let (high, low) = match i % 4 {
            0 => (state, state >> 9 & 0xff),
            1 => (near.0, state >> 40 & 0xff),
            2 => (near.0 + 1, near.1),
            _ => (near.0, near.1.wrapping_sub(state >> 60 & 1) & 0xff),
        };
        let v = u128::from(high) << 8 | u128::from(low);
        let want = BASE.iter().filter(|(h, l)| v < u128::from(*h) << 8 | u128::from(*l)).count() as u64;
        assert_eq!(base(high, low), want);
    }
}

/// exp(-E) against the exponential with 60 bits of the rounder, which has its own proof and test.
#[test]
fn the_exponential() {
    let mut worst = 0;
    for i in 0..400_000_u64 {
        let e = (i * 0x0a3d_70a3_d70a) >> 7; // up to 1, where floors do not show
        let (m, s) = crate::samplers::common::fixed_exp::exp_neg(u128::from(e) << 61);
        let difference = exp_neg(e, 63).abs_diff(m >> s) << s; // relative to ½ or more, in 2^-63
        worst = worst.max(difference);
    }
    assert!(worst < 1 << 11, "2^{}", worst.ilog2()); // 2^-52 on ½ or more
    assert!(worst > 1 << 5, "a test that measures nothing");
    assert_eq!(exp_neg(0, 48), (1 << 48) - 1);
    assert_eq!(exp_neg((1 << 63) - 1, 63), 0);
}

/// E against 128-bit arithmetic, up to the largest there is.
#[test]
fn the_exponent() {
    for sigma in ["1", "2", "2.0001", "3.2", "18.1", "19.5", "215", "999.5", "1.6e5", "67108863.5", "67108864"] {
        for fraction in [0, 1, u64::MAX, 1 << 63, u64::MAX / 3] {
            let c = of(sigma, fraction);
            let sigma: Rational = sigma.parse().unwrap();
            // 1/σ in units of 2^-100.
            let inverse = (u128::from(sigma.den()) << 100) / sigma.num() as u128;
            for z0 in 0..=BASE.len() as u64 {
                for u in [0, 1, c.multiplier / 3, c.multiplier - 1].map(|u| u.min(c.multiplier - 1)) {
                    for (side, offsets) in c.offsets.iter().enumerate() {
                        let o = if side == 0 { fraction.into() } else { (1 << 64) - u128::from(fraction) };
                        let distance = (u128::from(c.multiplier * z0 + u) << 64) + o; // 2^-64
                        let y = wide_ratio(distance, inverse);
                        let want = ((y * y) >> 1 >> 61).saturating_sub(u128::from(z0 * z0) << 52);
                        let got = exponent(&c, z0, u, *offsets);
                        assert!(u128::from(got).abs_diff(want) < 12, "{sigma}, {z0}, {u}, {side}: {got}, {want}");
                    }
                }
            }
        }
    }
    /// distance·inverse in units of 2^-58, from units of 2^-64 and 2^-100.
    fn wide_ratio(distance: u128, inverse: u128) -> u128 {
        let (high, low) = (distance >> 32, distance & 0xffff_ffff);
        let (i_high, i_low) = (inverse >> 50, inverse & ((1 << 50) - 1));
        // 2^-106 = 2^-58·2^-48
        ((high * i_high) >> 24) + ((high * i_low) >> 74) + ((low * i_high) >> 56)
    }
}

#[test]
fn parameters_are_refused_by_name() {
    let law = |center: &str, width| DiscreteGaussian::new(center.parse().unwrap(), width).unwrap();
    for width in ["0.999", "67108864.01", "1e12"].map(|text| Width::Sigma(text.parse().unwrap())) {
        assert!(Isochronous::new(&law("0", width)).unwrap_err().to_string().contains("isochronous"));
    }
    assert!(Isochronous::new(&law("0", Width::S(Rational::from(8)))).unwrap_err().to_string().contains("rational"));
    let far = law("9223372036854775807", Width::Sigma(Rational::from(3)));
    assert!(Isochronous::new(&far).unwrap_err().to_string().contains("center"));
}

#[test]
fn supports_are_what_can_come_out() {
    let law = DiscreteGaussian::new("1/2".parse().unwrap(), Width::Sigma("3.2".parse().unwrap())).unwrap();
    let support = Isochronous::new(&law).unwrap().profile().support;
    let c = of("3.2", 1 << 63);
    let ends: Vec<i64> = [0, 1]
        .map(|b| trial(&c, Record { first: 0, second: b << 8 | (((1 << c.uniform_bits) - 1) << 9), last: 0 }))
        .map(|(z, _)| z.into())
        .into();
    assert_eq!(ends, [*support.start(), *support.end()]);
}
