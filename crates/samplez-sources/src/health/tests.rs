use super::*;
use crate::{ChaCha20, Seed};
use rand_core::Rng;
use std::string::ToString;
use std::vec;
use std::vec::Vec;

fn random(name: &str) -> ChaCha20 {
    ChaCha20::new(&Seed::from_bytes([0x90; 32]).stream(name))
}

fn with(repetition: u32, proportion: u32) -> HealthTests {
    HealthTests::with("a test", Cutoffs { repetition, proportion })
}

/// Every cutoff that can be asked for, against exact integers (`kat/gen_health.py`).
#[test]
fn the_cutoffs() {
    let mut rows = 0;
    for line in include_str!("../../../../kat/health.csv").lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [h, a, repetition, proportion] = [0, 1, 2, 3].map(|i| fields[i].parse::<u32>().unwrap());
        let tests = HealthTests::new("a test", h, a).unwrap();
        assert_eq!(
            (tests.cutoffs.repetition, tests.cutoffs.proportion),
            (repetition, proportion),
            "H = {h}, alpha = {a}"
        );
        rows += 1;
        if (h, a) == (4, 40) {
            assert_eq!(HealthTests::live("a test").cutoffs, tests.cutoffs);
            assert_eq!(fields[4..], ["-40.00", "-39.59", "-80.00", "-310.26"], "what the head says");
        }
    }
    assert_eq!(rows, 8 * 21);
}

#[test]
fn claims_are_checked() {
    for (h, a) in [(0, 30), (9, 30), (u32::MAX, 30)] {
        assert_eq!(HealthTests::new("a test", h, a).unwrap_err(), HealthParamError::MinEntropy(h));
    }
    for a in [0, 19, 41, u32::MAX] {
        assert_eq!(HealthTests::new("a test", 8, a).unwrap_err(), HealthParamError::Alpha(a));
    }
}

/// The standard's algorithms by their letter: the number of bytes up to the first alarm, and its test.
fn plain(bytes: &[u8], repetition: u32, proportion: u32) -> Option<(usize, HealthTest)> {
    let (mut run, mut equal) = (0, 0);
    for (i, byte) in bytes.iter().enumerate() {
        run = if i > 0 && bytes[i - 1] == *byte { run + 1 } else { 1 };
        if run >= repetition {
            return Some((i + 1, HealthTest::RepetitionCount));
        }
        if i % WINDOW == 0 {
            equal = 0;
        }
        equal += u32::from(*byte == bytes[i / WINDOW * WINDOW]);
        if equal >= proportion {
            return Some((i + 1, HealthTest::AdaptiveProportion));
        }
    }
    None
}

/// Requests of every size give the alarm in the request whose bytes have it, from bytes of which few are different.
#[test]
#[cfg_attr(miri, ignore = "Miri takes minutes")]
fn alarms_are_those_of_the_letter() {
    let mut rng = random("letter");
    let (mut alarms, mut silent) = ([0, 0], 0);
    for case in 0..3000_u32 {
        let mut bytes = vec![0; 2000];
        rng.fill_bytes(&mut bytes);
        let kinds = [2, 3, 4, 16, 250][case as usize % 5];
        bytes.iter_mut().for_each(|byte| *byte %= kinds);
        let (repetition, proportion) = ([3, 4, 6, 11, 13, 41][case as usize % 6], 1 + (rng.next_u32() % 400).max(1));
        let expected = plain(&bytes, repetition, proportion);
        let mut tests = with(repetition, proportion);
        let (mut at, mut found) = (0, None);
        while at < bytes.len() && found.is_none() {
            let size = [1, 8, 13, 100, 511, 512, 513, 2000][rng.next_u32() as usize % 8].min(bytes.len() - at);
            if let Err(alarm) = tests.check(&bytes[at..at + size]) {
                found = Some((at + 1..=at + size, alarm));
            }
            at += size;
        }
        match (expected, found) {
            (None, None) => silent += 1,
            (Some((place, test)), Some((range, alarm))) => {
                assert!(range.contains(&place), "case {case}: {range:?}, expected {place}");
                // Two alarms within one request: the runs are told first.
                if alarm.test != test {
                    assert!(
                        range.end() - range.start() > 0 && alarm.test == HealthTest::RepetitionCount,
                        "case {case}"
                    );
                }
                alarms[usize::from(test == HealthTest::RepetitionCount)] += 1;
            }
            other => panic!("case {case}: {other:?}"),
        }
    }
    assert!(silent > 100 && alarms.iter().all(|count| *count > 100), "{silent} {alarms:?}");
}

/// What a live source may become is found within a window.
#[test]
fn broken_sources_are_caught() {
    let mut rng = random("broken");
    let mut random = [0; WINDOW];
    rng.fill_bytes(&mut random);
    let caught = |bytes: [u8; WINDOW]| HealthTests::live("a test").check(&bytes).map_err(|alarm| alarm.test);
    assert_eq!(caught(random), Ok(()));
    assert_eq!(caught([0; WINDOW]), Err(HealthTest::RepetitionCount), "stuck");
    let alternating = core::array::from_fn(|i| if i % 2 == 0 { 0x55 } else { 0xaa });
    assert_eq!(caught(alternating), Err(HealthTest::AdaptiveProportion), "alternating");
    // One byte has probability 0.26, which is a min-entropy of 1.9 bits. The window begins with it, or the next one that does alarms.
    let biased = core::array::from_fn(|i| if i == 0 || random[i] < 64 { 7 } else { random[i] });
    assert_eq!(caught(biased), Err(HealthTest::AdaptiveProportion), "biased");
    let dies = core::array::from_fn(|i| if i < WINDOW - 11 { random[i] } else { 0xff });
    assert_eq!(caught(dies), Err(HealthTest::RepetitionCount), "dies at the end");
}

/// 40,000 windows from ChaCha20 raise alarms as often as was computed, at cutoffs where that is often enough to count.
#[test]
#[cfg_attr(miri, ignore = "Miri takes hours")]
fn false_alarms_come_at_their_rate() {
    const WINDOWS: usize = 40_000;
    // P(Bin(511, 1/256) >= 6): sum(comb(511, j) * 255**(511 - j) for j in range(6, 512)) / 256**511
    const RATE: f64 = 0.016212646620717728;
    let (mut rng, mut bytes) = (random("rate"), [0; WINDOW]);
    let (mut windows, mut runs) = (0_u32, 0_u32);
    let mut repetition = with(3, u32::MAX);
    for _ in 0..WINDOWS {
        rng.fill_bytes(&mut bytes);
        windows += u32::from(with(u32::MAX >> 16, 7).check(&bytes).is_err());
        for byte in bytes {
            if repetition.check(&[byte]).is_err() {
                runs += 1;
                repetition.restart();
            }
        }
    }
    // Six standard deviations of the binomial: false with probability 2e-9.
    let near = |count: u32, mean: f64| (f64::from(count) - mean).abs() < 6.0 * mean.sqrt();
    assert!(near(windows, RATE * WINDOWS as f64), "{windows} windows");
    // It begins anew after each: one byte, and as many as two successes in a row of probability 2^-8 take.
    let mean = (1.0 + 256.0 + 256.0_f64.powi(2)).recip();
    assert!(near(runs, mean * (WINDOWS * WINDOW) as f64), "{runs} runs");
}

/// Bytes of a script, and how many requests there were.
struct Script(Vec<u8>, usize);

impl TryRng for Script {
    type Error = fmt::Error;
    fn try_next_u32(&mut self) -> Result<u32, fmt::Error> {
        unreachable!("bytes are asked for")
    }
    fn try_next_u64(&mut self) -> Result<u64, fmt::Error> {
        unreachable!("bytes are asked for")
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), fmt::Error> {
        self.1 += 1;
        if out.len() > self.0.len() {
            return Err(fmt::Error);
        }
        let rest = self.0.split_off(out.len());
        out.copy_from_slice(&core::mem::replace(&mut self.0, rest));
        Ok(())
    }
}

#[test]
fn a_tested_source() {
    let mut bytes = vec![0; 3000];
    random("tested").fill_bytes(&mut bytes);
    let tested = |bytes: &[u8]| HealthTested::new(Script(bytes.to_vec(), 0), HealthTests::live("a script"));

    // The first 1,024 bytes are for the start, and the others come in order.
    let mut good = tested(&bytes);
    let mut out = [0; 100];
    good.try_fill_bytes(&mut out).unwrap();
    assert_eq!(out, bytes[1024..1124]);
    assert_eq!(good.try_next_u64().unwrap().to_le_bytes(), bytes[1124..1132]);

    // An alarm wipes what was asked for, and asks no more.
    let mut dying = bytes.clone();
    dying[1100..1111].fill(0x5a);
    let mut rng = tested(&dying);
    let HealthTestedError::Alarm(alarm) = rng.try_fill_bytes(&mut out).unwrap_err() else {
        panic!("the source did not fail")
    };
    assert_eq!((alarm.source, alarm.cutoff), ("a script", 11));
    assert_eq!(out, [0; 100]);
    let told = "a script failed the repetition count test of SP 800-90B: 11 or more equal bytes in a row";
    assert_eq!(HealthTestedError::<fmt::Error>::from(alarm).to_string(), told);
    let asked = rng.source.1;
    assert_eq!(rng.try_next_u32(), Err(alarm.into()));
    assert_eq!(rng.source.1, asked);

    // A source that is dead from the start gives nothing; one that ends in the midst of the start begins anew.
    dying[..20].fill(0);
    assert!(matches!(tested(&dying).try_next_u64(), Err(HealthTestedError::Alarm(_))));
    let mut short = tested(&bytes[..1000]);
    assert_eq!(short.try_next_u64(), Err(HealthTestedError::Source(fmt::Error)));
    short.source.0 = bytes.clone();
    assert_eq!(short.try_next_u64().unwrap().to_le_bytes(), bytes[1024..1032]);
}
