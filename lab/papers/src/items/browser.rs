//! \[JSDGS17\] natively: its parameters, its samplers with its t and m, its schemes. Browsers have a command of their own.

use super::Bench;
use super::bench::{Timed, build};
use super::sizes;
use crate::answer::Answer;
use crate::error::LabError;
use crate::finding::{Form, Outcome};
use crate::grid::CROSS;
use rand_core::Rng;
use samplez::schemes;
use samplez::{BitReader, Built, DiscreteGaussian, Seed, Source, Width};
use samplez_cli::testing::measure::clock::Clock;
use samplez_cli::testing::measure::rounds::{levelled_time, median};
use samplez_schemes::bliss::{Profile, Set, Signer, SigningKey, Variant};
use samplez_schemes::{lp11, regev};
use samplez_sources::{ChaCha20, CryptoGenerator};
use samplez_tables::ZigguratOptions;
use std::hint::black_box;
use std::rc::Rc;

const WIDTHS: [&str; 3] = ["3.3311", "55.5649", "107"];
/// Its names, with the methods that do the work, its t and its m.
const METHODS: [(&str, &str); 4] = [
    ("Knuth-Yao", "knuth-yao-compact,precision=128"),
    ("Ziggurat", "ziggurat,precision=128,tail=13,rectangles=63"),
    ("inversion", "cdt,precision=128"),
    ("rejection", "rejection-table,precision=128,tail=13"),
];

fn four(bench: &Bench, sigma: &str) -> Result<Rc<Vec<Timed>>, LabError> {
    bench.timed(&METHODS.map(|(_, method)| format!("sigma={sigma},method={method}")))
}

fn generator() -> Result<CryptoGenerator, LabError> {
    let opened = Source::ChaCha20.crypto(&Seed::from_bytes([3; 32]));
    opened.ok_or_else(|| LabError::System("no cryptographic source".into()))
}

fn failed(why: samplez_schemes::Error) -> LabError {
    LabError::System(why.to_string())
}

pub(super) fn bliss(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let (noise, mut rng) = (schemes::noise(&Set::II.demand(), "")?, generator()?);
    let key = SigningKey::generate(Set::II, Variant::Classic, &mut rng).map_err(failed)?;
    let profile = Profile::Strongswan;
    let profile = if profile.supports(Set::II).is_ok() { profile } else { Profile::Hila };
    let signer = Signer::new(&key, profile, noise.sampler()).map_err(failed)?;
    let (signature, _) = signer.sign(b"a text", &mut rng).map_err(failed)?;
    let public = key.public_key();
    let right = public.verify(profile, b"a text", &signature).is_ok();
    let wrong = public.verify(profile, b"another", &signature).is_ok();
    let verdict = if right && !wrong { Outcome::Agrees } else { Outcome::Differs("verification fails".into()) };
    let ours = "a signature of classic BLISS-II verifies, and not for another text";
    let terms = "with the rejection that Table 1 leaves out; q = 12289";
    answer.statement("BLISS", ours, terms, verdict)
}

pub(super) fn bliss_ii(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let (set, of) = (Set::II, Set::II.parameters());
    let terms = "the set's constants";
    answer.exact("n of BLISS-II", (of.n as f64, "count"), terms, "")?;
    let why = "11289 = 3·53·71 is no prime: a misprint of 12289";
    answer.exact("q of BLISS-II", (f64::from(of.q), "count"), terms, why)?;
    answer.exact("κ of BLISS-II", (of.weight as f64, "count"), terms, "")?;
    answer.exact("d of BLISS-II", (f64::from(of.d), "count"), terms, "")?;
    let sigma = sigma_of(&set.demand().law);
    answer.exact("σ of BLISS-II", (sigma.round(), "count"), &format!("k = 126, {sigma:.2}, rounded"), "")?;
    let (ones, twos) = (of.ones, of.twos);
    let density = |entries: usize| entries as f64 / of.n as f64;
    answer.exact("δ₁ of BLISS-II", (density(ones), "count"), &format!("{ones} of {} entries are ±1", of.n), "")?;
    answer.exact("δ₂ of BLISS-II", (density(twos), "count"), &format!("{twos} of {} entries are ±2", of.n), "")?;
    answer.exact("B₂ of BLISS-II", (of.norm as f64, "count"), terms, "")?;
    answer.exact("B∞ of BLISS-II", (f64::from(of.max_norm), "count"), terms, "")?;
    let why = "today's estimates are lower";
    answer.exact("security of BLISS-II", (f64::from(of.security), "bits"), "by today's estimates", why)
}

fn sigma_of(law: &DiscreteGaussian) -> f64 {
    match law.width() {
        Width::Sigma(q) => q.to_f64(),
        Width::SigmaSq(q) => q.to_f64().sqrt(),
        Width::KSigma2(q) => q.to_f64() * (0.5 / std::f64::consts::LN_2).sqrt(),
        Width::S(q) => q.to_f64() / (2.0 * std::f64::consts::PI).sqrt(),
    }
}

fn width(
    answer: &mut Answer<'_>,
    quantity: &str,
    law: &DiscreteGaussian,
    terms: &str,
    why: &str,
) -> Result<(), LabError> {
    answer.exact(quantity, (sigma_of(law), "count"), terms, why)
}

pub(super) fn regev(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let law = regev::Set::Jsdgs17N256.parameters().demand().law;
    width(answer, "σ of Regev's encryption", &law, "the set inferred from it: n = l = 256, q = 32749, m = 4972", "")?;
    let mut rng = generator()?;
    let (public, secret) =
        regev::generate(regev::Set::Jsdgs17N256, noise_by(&law, EXACT)?.sampler(), &mut rng).map_err(failed)?;
    let sent = [0x5a; 32];
    let got = secret.decrypt(&public.encrypt(&sent, &mut rng).map_err(failed)?).map_err(failed)?;
    decrypted(answer, "Regev's encryption", &sent, &got)
}

pub(super) fn lp11(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let law = lp11::Set::Matrix256.demand().law;
    width(answer, "σ of LP11", &law, "matrix-256, s = 8.35: σ = 3.33117, of which the paper cuts the end", "")?;
    let (noise, mut rng) = (noise_by(&law, EXACT)?, generator()?);
    let (public, secret) = lp11::generate(lp11::Set::Matrix256, noise.sampler(), &mut rng).map_err(failed)?;
    let sent = [0x5a; 16];
    let got = secret.decrypt(&public.encrypt(noise.sampler(), &sent, &mut rng).map_err(failed)?).map_err(failed)?;
    decrypted(answer, "LP11", &sent, &got)
}

/// Noise that keeps the schemes' bits of security: more than the paper's 128 bits of precision.
const EXACT: &str = "cdt-guided,precision=160";

/// A decrypted text beside the sent one; either scheme errs in a few bits by design.
fn decrypted(answer: &mut Answer<'_>, name: &str, sent: &[u8], got: &[u8]) -> Result<(), LabError> {
    let wrong: u32 = sent.iter().zip(got).map(|(a, b)| (a ^ b).count_ones()).sum();
    let holds = got.len() == sent.len() && wrong * 50 < 8 * sent.len() as u32;
    let outcome = if holds { Outcome::Agrees } else { Outcome::Differs("the text does not come back".into()) };
    let ours = format!("{wrong} of {} bits wrong after encryption and decryption", 8 * sent.len());
    answer.statement(name, &ours, "one key and one text", outcome)
}

/// The zeros that begin the differences of heights, which Algorithm 3 does not store.
pub(super) fn differences(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let law = DiscreteGaussian::with_sigma(107.into()).map_err(|why| LabError::Input(why.to_string()))?;
    let options = ZigguratOptions { rectangles: 63, tail: 13.into(), ..ZigguratOptions::default() };
    let table = samplez_tables::build_ziggurat(&law, &options).map_err(|why| LabError::Input(why.to_string()))?;
    let m = table.parts().rectangles as usize;
    answer.set_up("rectangles", (m as f64, "count"), "σ = 107, t = 13, 128 bits")?;
    let why = "the Ziggurat here stores heights with all their digits; the browsers' command measures arrays of bits";
    answer.unmeasured("R", why)?;
    answer.unmeasured("what skipping the zeros gains", why)?;
    let scale = (-f64::from(table.parts().precision)).exp2();
    let height =
        |i: usize| table.edge_height(i).iter().rev().fold(0.0, |sum, limb| sum * 2_f64.powi(64) + *limb as f64) * scale;
    let zeros: f64 = (1..=m).map(|i| (-(height(i - 1) - height(i)).log2()).floor().max(0.0)).sum();
    answer.more(
        "leading zeros of a stored difference, mean",
        (zeros / m as f64, "bits"),
        "of 128; what Algorithm 3 does not store",
    );
    Ok(())
}

/// Algorithm 4, with the test of equality where it belongs: digits of a number below the bound, and how many were drawn.
fn below_by_digits(bound: u32, rng: &mut impl Rng) -> (u32, u32) {
    let mut drawn = 0;
    'again: loop {
        let (mut number, mut is_less) = (0, false);
        for place in (0..u32::BITS - bound.leading_zeros()).rev() {
            let (digit, of_bound) = (rng.next_u32() & 1, bound >> place & 1);
            drawn += 1;
            if !is_less && digit > of_bound {
                continue 'again;
            }
            is_less |= digit < of_bound;
            number = 2 * number + digit;
        }
        if is_less {
            return (number, drawn);
        }
    }
}

pub(super) fn below(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let mut rng = ChaCha20::new(&Seed::from_bytes([4; 32]));
    let count = bench.repetitions();
    let (mut seen, mut drawn) = ([0_u32; 6], 0);
    for _ in 0..count {
        let (number, digits) = below_by_digits(6, &mut rng);
        seen[number as usize] += 1;
        drawn += digits;
    }
    let expected = f64::from(count) / 6.0;
    let worst = seen.iter().map(|n| (f64::from(*n) - expected).abs() / expected.sqrt()).fold(0.0, f64::max);
    let outcome = if worst < 5.0 { Outcome::Agrees } else { Outcome::Differs("not uniform".into()) };
    let ours = format!("{:.3} digits for a number below 6", f64::from(drawn) / f64::from(count));
    let terms = "Algorithm 4 with its test of equality put right; as printed it gives 7 below 6 (docs/errata.md)";
    answer.form = Form::AsBuilt;
    answer.statement("uniform below a bound", &ours, terms, outcome)
}

/// Zeros of the probability matrix that the compressed form leaves out.
pub(super) fn matrix(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let sizes::Matrix { columns, beside, whole } = sizes::matrix("107", 128)?;
    answer.more("bytes of the whole matrix", (whole as f64, "bytes"), "σ = 107, 128 bits");
    answer.more("bytes of the columns without their zeros", (columns as f64, "bytes"), "σ = 107, 128 bits");
    answer.more("bytes of offsets and ranks", (beside as f64, "bytes"), "σ = 107, 128 bits");
    let why = "lengths are not told by differences here, but by offsets; the browsers' command measures arrays of bits";
    answer.unmeasured("matrix", why)?;
    answer.unmeasured("what compression gains", why)
}

pub(super) fn walk(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let draw = |method: &str| -> Result<Vec<i32>, LabError> {
        let built = build(&format!("sigma=107,method={method},precision=128"))?;
        let mut out = vec![0_i32; 1 << 14];
        samplez::Bulk::new(built.sampler(), Source::ChaCha20, Seed::from_bytes([0; 32])).fill(0, &mut out)?;
        Ok(out)
    };
    let same = draw("knuth-yao-compact")? == draw("knuth-yao")?;
    let verdict = if same { Outcome::Agrees } else { Outcome::Differs("the walks differ".into()) };
    let ours = "the same samples with and without a table of first levels";
    answer.statement("walk", ours, "σ = 107, 128 bits, 2^14 samples of one seed", verdict)
}

pub(super) fn parameters(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    for sigma in WIDTHS {
        build(&format!("sigma={sigma},method={}", METHODS[1].1))?;
    }
    let terms = "every row of this paper, at σ = 3.3311, 55.5649 and 107";
    answer.set_up("precision", (128.0, "bits"), terms)?;
    answer.set_up("t", (13.0, "count"), terms)?;
    answer.set_up("rectangles", (63.0, "count"), terms)
}

pub(super) fn table_3(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    for sigma in WIDTHS {
        for ((name, _), timed) in METHODS.iter().zip(four(bench, sigma)?.iter()) {
            answer.speed(
                &format!("{name} at {sigma}"),
                timed.single,
                &format!("{}; natively, the paper's in Opera", timed.singly()),
            )?;
        }
    }
    let bars = WIDTHS.iter().flat_map(|sigma| {
        METHODS.iter().map(move |(name, _)| (format!("{name}, {sigma}"), format!("{name} at {sigma}")))
    });
    let caption = "The paper's t and m, 128 bits; single calls natively here, JavaScript in Opera 47 there.";
    let title = ("table-3", "Table 3: speeds of four samplers at three σ", caption);
    answer.bars(title, ("sampler, σ", "samples/ms", true), &bars.collect::<Vec<_>>())
}

pub(super) fn order(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let mut worst: Option<Vec<(&str, f64)>> = None;
    for sigma in WIDTHS {
        let timed = four(bench, sigma)?;
        let speeds: Vec<(&str, f64)> =
            METHODS.iter().map(|(name, _)| *name).zip(timed.iter().map(|timed| timed.bulk)).collect();
        for (name, speed) in &speeds {
            answer.more(
                &format!("{name} at {sigma}, in bulk"),
                (*speed, "million samples/s"),
                "natively, m = 63, t = 13",
            );
        }
        let keeps = speeds.windows(2).all(|pair| pair[0].1 >= 0.9 * pair[1].1);
        if !keeps || worst.is_none() {
            worst = Some(speeds);
        }
    }
    let why = "the Ziggurat and inversion draw only the bits that decide";
    answer.order(
        "who is faster",
        &worst.unwrap_or_default(),
        "a width whose order is not the paper's, or σ = 3.3311; natively, in bulk",
        why,
    )
}

/// Milliseconds of an operation, the median.
fn milliseconds(bench: &Bench, mut run: impl FnMut() -> Result<(), LabError>) -> Result<f64, LabError> {
    let (mut all, start) = (Vec::new(), Clock::now());
    while all.len() < 15 || start.elapsed().as_secs_f64() < bench.length(0.02, 0.3) {
        all.push(levelled_time(&mut run)? * 1e3);
    }
    Ok(median(all))
}

fn walk_noise(law: &DiscreteGaussian) -> Result<Built, LabError> {
    noise_by(law, "knuth-yao-compact,precision=128")
}

fn noise_by(law: &DiscreteGaussian, method: &str) -> Result<Built, LabError> {
    let (name, value) = match law.width() {
        Width::Sigma(q) => ("sigma", q),
        Width::SigmaSq(q) => ("sigma_squared", q),
        Width::KSigma2(q) => ("k_sigma2", q),
        Width::S(q) => ("s", q),
    };
    build(&format!("{name}={value},method={method}"))
}

pub(super) fn table_4(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let (noise, mut rng) = (walk_noise(&Set::II.demand().law)?, generator()?);
    let terms =
        "classic BLISS-II with its rejection, natively over knuth-yao-compact; the median; the paper's in Opera";
    let key =
        milliseconds(bench, || SigningKey::generate(Set::II, Variant::Classic, &mut rng).map(drop).map_err(failed))?;
    answer.time("BLISS-II key", (key, "ms"), terms)?;
    let profile = Profile::Hila;
    let key = SigningKey::generate(Set::II, Variant::Classic, &mut rng).map_err(failed)?;
    let signer = Signer::new(&key, profile, noise.sampler()).map_err(failed)?;
    let sign =
        milliseconds(bench, || signer.sign(b"a text", &mut rng).map(|made| drop(black_box(made))).map_err(failed))?;
    answer.time("BLISS-II signature", (sign, "ms"), terms)?;
    let (signature, _) = signer.sign(b"a text", &mut rng).map_err(failed)?;
    let public = key.public_key();
    let verify = milliseconds(bench, || public.verify(profile, b"a text", &signature).map_err(failed))?;
    answer.time("BLISS-II verification", (verify, "ms"), terms)?;
    let bars = ["key", "signature", "verification"].map(|name| (name.to_owned(), format!("BLISS-II {name}")));
    let caption = "Natively here, JavaScript in Opera 47 there.";
    answer.bars(("table-4", "Table 4: BLISS-II", caption), ("operation", "ms", true), &bars)
}

/// Times of as many samples as an operation takes.
pub(super) fn table_5(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    for (quantity, law, samples, what) in [
        ("sampling in a signature of BLISS-II", Set::II.demand().law, 1024, "one attempt, 2n = 1024 samples"),
        (
            "sampling in a key of Regev",
            regev::Set::Jsdgs17N256.parameters().demand().law,
            4972 * 256,
            "m·l = 1,272,832 samples of the inferred set",
        ),
        (
            "sampling in a key of LP11",
            lp11::Set::Matrix256.demand().law,
            lp11::Set::Matrix256.parameters().key_samples as usize,
            "matrix-256",
        ),
        (
            "sampling in an encryption of LP11",
            lp11::Set::Matrix256.demand().law,
            lp11::Set::Matrix256.parameters().block_samples as usize,
            "matrix-256, a block",
        ),
    ] {
        let noise = walk_noise(&law)?;
        let mut reader = BitReader::new(ChaCha20::new(&Seed::from_bytes([5; 32])));
        let bits: &mut BitReader<dyn Rng + '_> = &mut reader;
        let mut out = vec![0_i16; samples];
        let time = milliseconds(bench, || {
            noise.sampler().fill(bits, &mut out).map_err(|why| LabError::Input(why.to_string()))
        })?;
        answer.time(
            quantity,
            (time, "ms"),
            &format!("{what}; natively over knuth-yao-compact, the paper's in Opera"),
        )?;
    }
    let bars = ["a signature of BLISS-II", "a key of Regev", "a key of LP11", "an encryption of LP11"]
        .map(|name| (name.to_owned(), format!("sampling in {name}")));
    let caption = "Natively here, JavaScript in Opera 47 there.";
    answer.bars(("table-5", "Table 5: the time of sampling in schemes", caption), ("operation", "ms", true), &bars)
}

/// A signature of BLISS-II over each sampler and source.
pub(super) fn inside_schemes(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let law = Set::II.demand().law;
    let methods = ["cdt-guided", "cdt", "knuth-yao-compact", "ziggurat", "bernoulli"];
    let sources = [Source::ChaCha20, Source::CtrDrbgAes256, Source::CtrDrbgAes256Soft, Source::HashDrbgSha256];
    let terms = "By source: a signature of classic BLISS-II with its rejections, natively; medians";
    let key = SigningKey::generate(Set::II, Variant::Classic, &mut generator()?).map_err(failed)?;
    let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
    for method in methods {
        let noise = noise_by(&law, method)?;
        let signer = Signer::new(&key, Profile::Hila, noise.sampler()).map_err(failed)?;
        for source in sources {
            let opened = source.crypto(&Seed::from_bytes([3; 32]));
            let mut rng = opened.ok_or_else(|| LabError::System(format!("{source} is not for schemes")))?;
            let time = milliseconds(bench, || {
                signer.sign(b"a text", &mut rng).map(|made| drop(black_box(made))).map_err(failed)
            })?;
            (least, most) = (least.min(time), most.max(time));
            answer.more(&format!("{method}{CROSS}{source}"), (1e3 * time, "µs"), terms);
        }
    }
    let ours = format!("the slowest pair of sampler and source takes {:.1} times as long as the fastest", most / least);
    answer.statement("samplers inside schemes", &ours, "five samplers over four sources", Outcome::NoClaim)
}

/// \[BCGHW13\] says of another scheme that more than half of signing is sampling.
pub(super) fn share_of_signing(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let mut rng = generator()?;
    let law = Set::II.demand().law;
    let walk = walk_noise(&law)?;
    let key = SigningKey::generate(Set::II, Variant::Classic, &mut rng).map_err(failed)?;
    let signer = Signer::new(&key, Profile::Hila, walk.sampler()).map_err(failed)?;
    let (mut attempts, mut signatures) = (0_u64, 0_u32);
    let sign = milliseconds(bench, || {
        let (_, tries) = signer.sign(b"a text", &mut rng).map_err(failed)?;
        (attempts, signatures) = (attempts + tries, signatures + 1);
        Ok(())
    })?;
    let mut reader = BitReader::new(ChaCha20::new(&Seed::from_bytes([5; 32])));
    let bits: &mut BitReader<dyn Rng + '_> = &mut reader;
    let mut out = vec![0_i16; 1024];
    let attempt =
        milliseconds(bench, || walk.sampler().fill(bits, &mut out).map_err(|why| LabError::Input(why.to_string())))?;
    let share = 100.0 * attempt * attempts as f64 / f64::from(signatures) / sign;
    let why = "BLISS-II, another scheme than [WHCB13]'s, whose widths are far larger";
    answer.beside(
        "share of sampling in signing",
        (share.min(100.0), "%"),
        "classic BLISS-II over knuth-yao-compact, all attempts",
        why,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_noise_has_the_sets_law() {
        for law in
            [Set::II.demand().law, lp11::Set::Matrix256.demand().law, DiscreteGaussian::with_sigma(3.into()).unwrap()]
        {
            assert_eq!(walk_noise(&law).unwrap().recipe().law, law);
        }
    }
}
