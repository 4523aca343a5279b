//! Verdicts: what is behind the npm package's `verify`.
//!
//! [`open`] takes a law, or [`compare`] the beginnings of two samples. [`push`] takes integers as often as there are any, and [`report()`]
//! answers with the verdict, in JSON. An instance judges once, and JavaScript writes zeros over all of its memory when it has.

mod report;

use crate::recipe::{Said, laws};
use crate::spelling::{Failure, RECIPE};
use crate::state::{Input, state};
use samplez::{Folding, Int, Options, Recipe, Refused, RefusedKind};
use samplez_stats::{Comparer, MIN_SAMPLES, Verifier, VerifyError};
use samplez_tables::TargetLaw;

/// What an instance holds.
#[derive(Default)]
struct Held {
    judge: Option<Judge>,
    /// The state of the other shares.
    shares: Vec<Vec<u64>>,
}

/// What the integers are judged by.
#[allow(clippy::large_enum_variant)] // there is one
enum Judge {
    Law(Law, Verifier),
    /// Two samples against each other.
    Pair(Comparer),
}

/// The law, and the extremes of values that are residues.
struct Law {
    /// The law in words.
    shown: String,
    modulus: Option<u128>,
    /// Whether the integers are those of a law beyond 64 bits, folded.
    is_folded: bool,
    least: i64,
    most: i64,
}

impl Law {
    fn see<T: Int>(&mut self, samples: &[T]) {
        if self.modulus.is_some() {
            for x in samples {
                (self.least, self.most) = (self.least.min(x.widen()), self.most.max(x.widen()));
            }
        }
    }

    /// Whether all are from 0 to q - 1, or from -q/2 to q/2. Beyond 2^63 the caller has seen to it.
    fn check(&self) -> Result<(), Failure> {
        let Some(q) = self.modulus.filter(|q| *q <= 1 << 63).map(|q| q as i128) else { return Ok(()) };
        let (least, most, half) = (i128::from(self.least), i128::from(self.most), q / 2);
        if most >= q || least < -half || least < 0 && most > half {
            let last = q - 1;
            // A value may be a secret sample's.
            let message = format!("samples: expected residues from 0 to {last}, or from -{half} to {half}");
            return Err(Failure::new(RefusedKind::OutOfRange, message));
        }
        Ok(())
    }
}

state!(Held);

fn answer(work: impl FnOnce(&mut Input, &mut Held) -> Result<String, Failure>) -> u32 {
    STATE.with_borrow_mut(|state| state.run(work))
}

/// The law to judge by: lines of `key<TAB>value` in the input's first `len` bytes. Answers with nothing, or for a law beyond 64 bits with
/// how its integers are folded: what is subtracted, a tab, and the bit from which on an integer counts beside its last four.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn open(len: usize) -> u32 {
    answer(|input, held| {
        let (law, shown, modulus, answer) = law(input.taken(len)?)?;
        let verifier = Verifier::new(law).map_err(Refused::from)?;
        let is_folded = !answer.is_empty();
        held.judge = Some(Judge::Law(Law { shown, modulus, is_folded, least: 0, most: 0 }, verifier));
        Ok(answer)
    })
}

/// Two samples, to judge against each other: the input has so many integers of 64 bits of the first one's beginning, and then
/// so many of the second one's. They are not taken in. Answers with nothing.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn compare(first: usize, second: usize) -> u32 {
    answer(|input, held| {
        let heads: &[i64] = input.taken(first.saturating_add(second))?;
        let (first, second) = heads.split_at(first);
        held.judge = Some(Judge::Pair(Comparer::new(first, second)));
        Ok(String::new())
    })
}

/// Takes in the integers of the input, so many with this many bits each, of the first (0) or the second sample. Answers with nothing.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn push(bits: u32, len: usize, of: u32) -> u32 {
    answer(|input, held| {
        let judge = held.judge.as_mut().ok_or(UNOPENED)?;
        match bits {
            8 => judge.push::<i8>(input.taken(len)?, of),
            16 => judge.push::<i16>(input.taken(len)?, of),
            32 => judge.push::<i32>(input.taken(len)?, of),
            64 => judge.push::<i64>(input.taken(len)?, of),
            _ => return Err(format!("bits = {bits}: expected one of 8, 16, 32, 64").into()),
        }
        Ok(String::new())
    })
}

impl Judge {
    fn push<T: Int>(&mut self, samples: &[T], of: u32) {
        match (self, of) {
            (Judge::Law(law, verifier), _) => {
                law.see(samples);
                verifier.push(samples);
            }
            (Judge::Pair(comparer), 0) => comparer.push_first(samples),
            (Judge::Pair(comparer), _) => comparer.push_second(samples),
        }
    }
}

/// From now on this instance has one of so many shares of the tests. Each of them takes in all integers.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn share(number: usize, of: usize) {
    STATE.with_borrow_mut(|state| {
        state.held.judge = state.held.judge.take().map(|judge| match judge {
            Judge::Law(law, verifier) => Judge::Law(law, verifier.with_share(number, of)),
            Judge::Pair(comparer) => Judge::Pair(comparer.with_share(number, of)),
        });
    });
}

/// Puts the state of a share that is not the first in the place of the input. Returns how many words it has.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn state() -> usize {
    STATE.with_borrow_mut(|state| {
        let words = match &state.held.judge {
            Some(Judge::Law(_, verifier)) => verifier.share(),
            Some(Judge::Pair(comparer)) => comparer.share(),
            None => Vec::new(),
        };
        state.put(words)
    })
}

/// The state of another share, in the input's first `len` words, for the report of the first one. Answers with nothing.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn join(len: usize) -> u32 {
    answer(|input, held| {
        held.shares.push(input.taken(len)?.to_vec());
        Ok(String::new())
    })
}

const UNOPENED: &str = "no law has been opened, and no samples are compared";

/// Answers with the verdict on what has been pushed.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn report() -> u32 {
    answer(|_, held| match held.judge.as_ref().ok_or(UNOPENED)? {
        Judge::Law(law, verifier) => {
            law.check()?;
            let mut report = verifier.finish_with(&held.shares).map_err(|e| no_verdict("samples", e))?;
            report.modulus = report.modulus.filter(|_| !law.is_folded);
            Ok(report::to_json(&law.shown, &report))
        }
        Judge::Pair(comparer) => {
            let comparison = comparer.finish_with(&held.shares).map_err(|e| no_verdict("samples or against", e))?;
            Ok(report::of_pair(&comparison))
        }
    })
}

/// The error for arguments that allow no verdict.
fn no_verdict(name: &str, error: VerifyError) -> Failure {
    match error {
        VerifyError::TooFew { n } => Failure::new(
            RefusedKind::OutOfRange,
            format!(
                "{name}: has {n} value{}: expected at least {MIN_SAMPLES}, which a verdict needs",
                if n == 1 { "" } else { "s" }
            ),
        ),
        other => other.to_string().into(),
    }
}

/// A law, its words and its modulus, and the answer about its integers.
fn law(text: &[u8]) -> Result<(TargetLaw, String, Option<u128>, String), Failure> {
    let gaussian = || Recipe::WIDTHS.into_iter().chain(["center"]);
    let names = || gaussian().chain(laws());
    let (mut said, mut modulus, mut recipe, mut is_alone) = (Said::default(), None, None, true);
    for line in str::from_utf8(text).map_err(|e| e.to_string())?.lines() {
        let (key, value) = line.split_once('\t').ok_or("a line of a request lacks its value")?;
        match key {
            RECIPE => recipe = Some(value),
            _ => is_alone &= key == MODULUS,
        }
        if key == MODULUS {
            let q = value.parse().ok().filter(|q| (2..=1 << 64).contains(q));
            modulus = Some(q.ok_or_else(|| format!("modulus = {value}: expected a whole number from 2 to 2^64"))?);
        } else if !said.take(names(), key, value)? {
            return Err(Failure::unknown(key, gaussian().chain([RECIPE, MODULUS]).chain(laws())));
        }
    }
    // Another option beside a sum is refused below, as beside a recipe.
    if let Some(text) = recipe.filter(|_| is_alone)
        && let Some(sum) = Recipe::sum(text).map_err(|refused| Failure::in_text(refused, text))?
    {
        return reduced(sum, modulus);
    }
    let pairs = said.typed()?;
    let stated = pairs.iter().copied().filter(|(name, _)| gaussian().any(|known| known == *name));
    // Another law beside the width is refused below, and an unknown name before a width beyond 64 bits.
    let is_known = |name: &str| {
        name == "method" || gaussian().chain(Options::INFO.iter().map(|info| info.name)).any(|known| known == name)
    };
    let other = pairs.iter().find(|(name, _)| !is_known(name));
    if let Some(pair) = other
        && let Err(refused) = Recipe::to_judge([*pair])
        && refused.kind() == RefusedKind::Unknown
    {
        return Err(refused.into());
    }
    if other.is_none()
        && let Ok(Some(folding)) = Folding::from_pairs(stated)
    {
        match modulus {
            None => {
                let answer = format!("{}\t{}", folding.origin(), folding.shift());
                return Ok((folding.law().into(), folding.to_string(), None, answer));
            }
            Some(q) if Recipe::to_judge(pairs.iter().copied()).is_err() => {
                let law = folding.modulo(q).map_err(|e| e.to_string())?;
                return Ok((law, format!("{folding}, modulo {q}"), modulus, String::new()));
            }
            Some(_) => {}
        }
    }
    let judged = Recipe::to_judge(pairs).map_err(|refused| said.refused(refused))?;
    reduced(TargetLaw::finite(&judged.law).map_err(|e| e.to_string())?, modulus)
}

/// A law, modulo q if there is one.
fn reduced(law: TargetLaw, modulus: Option<u128>) -> Result<(TargetLaw, String, Option<u128>, String), Failure> {
    let law = match modulus {
        Some(q) => law.modulo(q).map_err(|e| e.to_string())?,
        None => law,
    };
    Ok((law.clone(), law.to_string(), modulus, String::new()))
}

const MODULUS: &str = "modulus";

#[cfg(test)]
mod tests {
    use super::*;

    fn opened(request: &str) -> Result<String, String> {
        give(request.as_bytes());
        said(|| open(request.len()))
    }

    fn give_words(words: impl IntoIterator<Item = u64>) {
        give(&words.into_iter().flat_map(u64::to_ne_bytes).collect::<Vec<_>>());
    }

    #[test]
    fn judges() {
        assert_eq!(said(|| report()), Err(UNOPENED.into()));
        assert_eq!(opened("sigma\t2\ncenter\t1/2\n"), Ok(String::new()));
        input(1001);
        for (bits, len) in [(8, 1001), (16, 500), (32, 250), (64, 125)] {
            assert_eq!(said(|| push(bits, len, 0)), Ok(String::new()));
        }
        let json = said(|| report()).unwrap();
        assert!(
            json.starts_with(
                "{\"law\":\"D_Z(sigma = 2, center = 1/2)\",\"n\":1876,\"consistent\":false,\"alpha\":0.000001,"
            ),
            "{json}"
        );
        assert_eq!(said(|| push(8, 1009, 0)), Err("the input is shorter than it is said to be".into()));
        assert_eq!(said(|| push(24, 1, 0)), Err("bits = 24: expected one of 8, 16, 32, 64".into()));
    }

    #[test]
    fn residues_and_laws_beyond_64_bits() {
        assert_eq!(opened("sigma\t2\nmodulus\t12289\n"), Ok(String::new()));
        give_words([12289; 200]);
        said(|| push(64, 200, 0)).unwrap();
        assert!(said(|| report()).unwrap_err().contains("expected residues from 0 to 12288"));
        STATE.set(crate::state::State::default());
        opened("sigma\t2\nmodulus\t18446744073709551616\n").unwrap();
        give_words([u64::MAX; 200]);
        said(|| push(64, 200, 0)).unwrap();
        assert!(said(|| report()).unwrap().contains("modulo 18446744073709551616"));
        assert_eq!(opened("sigma\t1e30\ncenter\t5\n"), Ok("5\t49".into()));
        assert_eq!(opened("recipe\tcenter=5,sigma=1e30\n"), Ok("5\t49".into()));
        assert!(said(|| report()).unwrap_err().contains("at least 100"));
    }

    #[test]
    fn shares_are_joined() {
        let judged = |number: Option<usize>, others: &[Vec<u64>]| {
            STATE.set(crate::state::State::default());
            opened("sigma\t2\n").unwrap();
            number.into_iter().for_each(|number| share(number, 2));
            give_words((0..5000).map(|i| i * i % 5));
            said(|| push(64, 5000, 0)).unwrap();
            for words in others {
                give_words(words.iter().copied());
                said(|| join(words.len())).unwrap();
            }
        };
        judged(None, &[]);
        let whole = said(|| report());
        judged(Some(1), &[]);
        let len = state();
        let words = STATE.with_borrow_mut(|state| state.input(8 * len).to_vec());
        assert!(len > 1000);
        judged(Some(0), std::slice::from_ref(&words));
        assert_eq!(said(|| report()), whole);
        judged(Some(0), &[words[1..].to_vec()]);
        assert_eq!(
            said(|| report()),
            Err("shares: expected every share but the first, once each, after the same values".into())
        );
        STATE.set(crate::state::State::default());
        assert_eq!(state(), 0);
    }

    #[test]
    fn compares() {
        give_words((0..1200).map(|i| i * i % 7));
        assert_eq!(said(|| compare(600, 600)), Ok(String::new()));
        assert_eq!(
            said(|| report()),
            Err("samples or against: has 0 values: expected at least 100, which a verdict needs".into())
        );
        for (of, len) in [(0, 600), (1, 500), (0, 600)] {
            assert_eq!(said(|| push(64, len, of)), Ok(String::new()));
        }
        let json = said(|| report()).unwrap();
        assert!(json.starts_with("{\"n\":[1200,500],\"consistent\":false,\"alpha\":0.000001,\"shared\":"), "{json}");
        assert_eq!(said(|| compare(1200, 1)), Err("the input is shorter than it is said to be".into()));
    }

    #[test]
    fn refuses_laws() {
        let cases = [
            ("center\t1\n", "missing width: pass one of sigma, sigmaSquared, kSigma2, s"),
            ("sigma\t3\nmodulus\t1\n", "modulus = 1: expected a whole number from 2 to 2^64"),
            ("sigma\t1e18\nsigma\t3\n", "sigma"),
            (
                "method\tcdt\n",
                "method: no such option; there are sigma, sigmaSquared, kSigma2, s, center, recipe, modulus, ternary, \
                 centeredBinomial, tuniform, skellam, discreteLaplace",
            ),
            ("sigma\t1e30\nternary\ttrue\n", "ternary: sigma is given too; pass only one of them"),
            ("recipe\tsigma=1e30,std=3\n", "std = 3: expected one of sigma, sigma_squared, "),
            ("skellam\t1e8\n", "skellam = 1e8: expected a number from 2^-16 to 2^26; "),
            ("recipe\tsigma=3\ncenter\t1\n", "center = 1: expected in the recipe, which is given"),
            ("recipe\tsigma=3,method=dice\n", "method = dice: expected one of auto, "),
        ];
        for (request, message) in cases {
            let got = opened(request).unwrap_err();
            assert!(got.starts_with(message), "{got}");
        }
    }
}
