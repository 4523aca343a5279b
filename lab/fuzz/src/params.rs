//! Texts to parameters, parameters to samplers: no panic, and no silent rounding.

use samplez_core::bits::BitReader;
use samplez_core::samplers::{Cdt, Cks, DuWei4, DuWei5, Karney};
use samplez_core::table::Table;
use samplez_core::{DiscreteGaussian, Rational, Sampler, Width};
use samplez_sources::{ChaCha20, Seed};
use samplez_tables::{CdtOptions, build_cdt};

/// The first byte chooses what the others are: a text, a float, or the parameters of a law.
pub fn params(data: &[u8]) {
    let Some((choice, rest)) = data.split_first() else { return };
    match choice % 3 {
        0 => text(&String::from_utf8_lossy(rest)),
        1 => rest.first_chunk().map_or((), |bytes| float(f64::from_le_bytes(*bytes))),
        _ => samplers(rest),
    }
}

fn text(text: &str) {
    if let Ok(q) = text.parse::<Rational>() {
        assert_eq!(q.to_string().parse(), Ok(q), "{text}");
        // The standard library's parser is the outside judge of decimals.
        if let Ok(float) = text.parse::<f64>() {
            assert!((q.to_f64() - float).abs() <= 1e-15 * float.abs(), "{text} became {q}");
        }
    }
    if let Ok(seed) = text.parse::<Seed>() {
        // 64 digits are the seed itself; anything else is the number of a short one.
        if text.len() == 64 {
            let hex: String = seed.expose().iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(hex, text.to_lowercase());
        } else {
            assert_eq!(
                text.parse().map(|number| Seed::from_number(number).expose() == seed.expose()),
                Ok(true),
                "{text}"
            );
        }
    }
}

fn float(value: f64) {
    if let Ok(q) = Rational::try_from(value) {
        assert_eq!(q.to_f64(), value);
        assert_eq!(q.to_string().parse(), Ok(q));
    }
}

/// One byte for the form of the width, one for the precision, then the numerators and
/// denominators of width and centre.
pub(crate) fn law(bytes: &[u8]) -> Option<DiscreteGaussian> {
    let ([form, _], rest) = bytes.split_first_chunk::<2>()?;
    let words = rest.first_chunk::<32>()?;
    let word = |i: usize| i64::from_le_bytes(words.as_chunks::<8>().0[i]);
    let (width, center) = (Rational::new(word(0), word(1) as u64)?, Rational::new(word(2), word(3) as u64)?);
    let width = match form % 4 {
        0 => Width::Sigma(width),
        1 => Width::SigmaSq(width),
        2 => Width::KSigma2(width),
        _ => Width::S(width),
    };
    DiscreteGaussian::new(center, width).ok()
}

fn samplers(bytes: &[u8]) {
    let (Some(precision), Some(law)) = (bytes.get(1), law(bytes)) else { return };
    let _ = Karney::new(&law).map(|sampler| draw(&sampler));
    let _ = Cks::new(&law).map(|sampler| draw(&sampler));
    let _ = DuWei4::new(&law).map(|sampler| draw(&sampler));
    let _ = DuWei5::new(&law).map(|sampler| draw(&sampler));
    let options = CdtOptions { precision: u32::from(*precision), max_bytes: 1 << 14, ..CdtOptions::default() };
    if let Ok(table) = build_cdt(&law, &options) {
        assert!(table.bytes() <= 1 << 14);
        draw(&Cdt::from_table(table));
    }
}

pub(crate) fn draw(sampler: &impl Sampler) {
    let profile = sampler.profile();
    // A sampler that would not return in practice has to be refused, not built.
    assert!(profile.expected_trials < 1e5, "{}: {} trials", profile.target, profile.expected_trials);
    let support = profile.support;
    let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([5; 32])));
    for _ in 0..8 {
        assert!(support.contains(&sampler.sample(&mut bits)));
    }
}
