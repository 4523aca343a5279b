use super::array::TASK;
use super::*;
use crate::{DiscreteGaussian, Method, Noise, RangeError, Recipe, Seed, Source};
use samplez_core::bits::{BitReader, BitSource, Failure};
use samplez_core::{Profile, Sampler, Timing};
use std::num::NonZeroUsize;

fn karney() -> Box<dyn Noise> {
    let law = DiscreteGaussian::with_sigma("3.2".parse().unwrap()).unwrap();
    Recipe::new(law).method(Method::Karney).build().unwrap().into_sampler()
}

/// Values too large for i8, the first of all drawn last.
struct Late(std::sync::atomic::AtomicBool);

impl Sampler for Late {
    const TIMING: Timing = Timing::Variable;
    fn profile(&self) -> Profile {
        karney().profile()
    }
    fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> i64 {
        let value = 1000 + bits.bits(32) as i64;
        // Block 0 begins with this one.
        let first = BitReader::new(samplez_sources::ChaCha20::new(&Seed::from_bytes([5; 32]).block(0)));
        let first = 1000 + { first }.bits(32) as i64;
        if value == first && !self.0.swap(true, std::sync::atomic::Ordering::Relaxed) {
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
        value
    }
}

#[test]
fn the_error_is_that_of_the_lowest_address() {
    let errors = [1, 4].map(|threads| {
        let late = Late(std::sync::atomic::AtomicBool::new(false));
        let bulk = Bulk::new(&late, Source::ChaCha20, Seed::from_bytes([5; 32]));
        let mut out = vec![0_i8; 20 * TASK as usize];
        bulk.par_fill(0, &mut out, NonZeroUsize::new(threads).unwrap()).unwrap_err().to_string()
    });
    assert_eq!(errors[0], errors[1]);
}

/// 2048 samples together.
fn batches() -> Box<dyn Noise> {
    let law = DiscreteGaussian::with_sigma("3.2".parse().unwrap()).unwrap();
    let table = samplez_tables::build_lazy(&law, &samplez_tables::CdtOptions::default()).unwrap();
    Box::new(samplez_core::samplers::CdtLazyCt::from_table(table))
}

/// If every batch of a method takes the same number of bits, `Bulk` reaches a position by dropping bits. The samples equal
/// the samples of the whole block.
#[test]
fn every_position_of_a_block_is_that_of_the_whole() {
    let recipes = [
        ("sigma=3.2,method=cdt-ct,precision=128", true),
        ("sigma=3.2,center=1/3,method=cdt-ct,precision=61", true),
        ("sigma=3.2,method=cdt-lazy-ct", true),
        ("sigma=3.2,method=cdt-lazy-ct,precision=64", true),
        ("sigma=3.2,method=cdt-lazy-ct,precision=16", false),
        ("sigma=3.2,method=cdt-lazy-ct,exact=true", false),
        ("sigma=3.2,method=cdt-ct,precision=16,exact=true", false),
        ("sigma=3.2,method=cdt-guided,precision=9,exact=true", false),
        ("sigma=215,method=convolution-ct", true),
        ("sigma=1e6,method=convolution-ct", true),
        ("sigma=215,method=convolution-ct,precision=16", false),
        ("sigma=3.2,method=cdt", false),
        ("sigma=3.2,method=isochronous", false),
    ];
    for (recipe, even) in recipes {
        let sampler = recipe.parse::<Recipe>().unwrap().build().unwrap().into_sampler();
        let mut reader = BitReader::new(Source::ChaCha20.constructor().unwrap()(&Seed::from_bytes([5; 32])));
        assert_eq!(sampler.skip(&mut reader, 0), even, "{recipe}");
        let bulk = Bulk::new(&*sampler, Source::ChaCha20, Seed::from_bytes([5; 32]));
        let mut whole = vec![0_i64; 3 * 8192];
        bulk.fill(0, &mut whole).unwrap();
        let mut part = [0_i64; 300];
        for first in (0..whole.len() - 300).step_by(if even { 41 } else { 4001 }) {
            bulk.fill(first as u64, &mut part).unwrap();
            assert!(part == whole[first..first + 300], "{recipe}, {first}");
        }
        for (first, len) in [(1023, 1025), (2047, 2050), (2048, 2048), (4096, 5000), (8191, 2), (1, 24_000)] {
            let mut part = vec![0_i64; len];
            bulk.fill(first as u64, &mut part).unwrap();
            assert!(part == whole[first..first + len], "{recipe}, {len} from {first}");
        }
    }
}

#[test]
fn a_block_is_one_fill_of_batches() {
    let sampler = batches();
    let (mut block, mut filled) = ([0_i8; 8192], [0_i8; 8192]);
    Bulk::new(&*sampler, Source::ChaCha20, Seed::from_bytes([5; 32])).fill(8192, &mut block).unwrap();
    let rng = samplez_sources::ChaCha20::new(&Seed::from_bytes([5; 32]).block(1));
    sampler.fill(&mut BitReader::new(rng), &mut filled).unwrap();
    assert_eq!(block, filled);
}

/// Nearly all bits are ones, and no 1024 bytes come twice.
struct Ones(u64);
impl rand_core::TryRng for Ones {
    type Error = std::convert::Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        unreachable!("the reader asks for bytes")
    }
    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        unreachable!("the reader asks for bytes")
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
        out.fill(0xff);
        for word in out.chunks_exact_mut(256) {
            self.0 += 1;
            word[248..].copy_from_slice(&self.0.to_le_bytes());
        }
        Ok(())
    }
}

/// Every batch of this generator overflows, and takes more bits than others. A position is still that of the whole block, as at this
/// precision no batch is skipped.
#[test]
fn positions_behind_an_overflow_are_those_of_the_whole() {
    let sampler =
        "sigma=3.2,method=cdt-lazy-ct,precision=16".parse::<Recipe>().unwrap().build().unwrap().into_sampler();
    let bulk = Bulk::with_generators(&*sampler, |_| Ones(0));
    let mut whole = vec![0_i8; 8192];
    bulk.fill(0, &mut whole).unwrap();
    assert!(whole.iter().any(|x| *x != whole[0]), "they are not all the same");
    for (first, len) in [(3000, 10), (2048, 2049), (8191, 1)] {
        let mut out = vec![1_i8; len];
        bulk.fill(first, &mut out).unwrap();
        assert!(out == whole[first as usize..][..len], "{len} from {first}");
    }
}

#[test]
fn every_split_gives_the_same_integers() {
    every_split_of(&*karney());
    every_split_of(&*batches());
    let law = DiscreteGaussian::with_sigma("3.2".parse().unwrap()).unwrap();
    let table = samplez_tables::build_pooled(&law, &samplez_tables::CdtOptions::default()).unwrap();
    // Whole blocks together.
    every_split_of(&samplez_core::samplers::KnuthYaoCt::from_table(table));
}

fn every_split_of(sampler: &dyn Noise) {
    let bulk = Bulk::new(sampler, Source::ChaCha20, Seed::from_bytes([5; 32]));
    let mut all = vec![0_i8; 40_000];
    bulk.fill(0, &mut all).unwrap();
    for threads in 1..=4 {
        let mut again = vec![0_i32; 40_000];
        bulk.par_fill(0, &mut again, NonZeroUsize::new(threads).unwrap()).unwrap();
        assert!(all.iter().zip(&again).all(|(a, b)| i32::from(*a) == *b), "{threads} threads");
    }
    for (first, len) in [(1, 1), (8191, 2), (8192, 8192), (100, 30_000), (39_999, 1), (5, 0), (2048, 10), (4095, 4098)]
    {
        let mut part = vec![0_i16; len];
        bulk.fill(first as u64, &mut part).unwrap();
        assert!(part.iter().zip(&all[first..]).all(|(a, b)| *a == i16::from(*b)), "{len} from {first}");
    }
}

/// The same again where no thread can be had: their stacks would take 2^46 bytes each.
#[test]
#[cfg(all(unix, target_pointer_width = "64", not(miri)))]
fn without_threads_one_does_it_all() {
    let mut again = std::process::Command::new(std::env::current_exe().unwrap());
    again.args(["--exact", "--test-threads=1", "bulk::tests::every_split_gives_the_same_integers"]);
    again.args(["bulk::tests::blocks_are_the_array_in_order", "bulk::tests::a_panic_comes_back"]);
    let output = again.env("RUST_MIN_STACK", (1_u64 << 46).to_string()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("3 passed"), "{text}");
}

#[test]
fn the_ends_of_the_address_space() {
    let sampler = karney();
    let bulk = Bulk::new(&*sampler, Source::ChaCha20, Seed::from_bytes([5; 32]));
    assert!(bulk.fill(u64::MAX, &mut [0_i8; 1]).is_ok());
    assert!(bulk.fill(u64::MAX, &mut [0_i8; 0]).is_ok());
    for threads in [1, 2] {
        let threads = NonZeroUsize::new(threads).unwrap();
        assert!(matches!(bulk.par_fill(u64::MAX, &mut [0_i8; 2], threads), Err(FillError::Address { .. })));
    }
}

/// A sampler whose samples are 0, 0, …, except one out of range in each block.
struct Wide;
impl Sampler for Wide {
    const TIMING: Timing = Timing::Variable;
    fn profile(&self) -> Profile {
        unreachable!("not asked for")
    }
    fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> i64 {
        i64::from(bits.bits(10) == 0) * 1000
    }
}

/// A generator that is stuck, where the blocks are read.
#[test]
fn a_stuck_generator_is_an_error() {
    struct Stuck;
    impl rand_core::TryRng for Stuck {
        type Error = std::convert::Infallible;
        fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
            Ok(0)
        }
        fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
            Ok(0)
        }
        fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
            out.fill(0);
            Ok(())
        }
    }
    let bulk = Bulk::with_generators(karney(), |_| Stuck);
    for n in [1, 2] {
        let mut out = vec![1_i8; 3 * TASK as usize];
        let filled = bulk.par_fill(8190, &mut out, threads(n));
        assert!(matches!(filled, Err(FillError::Entropy(Failure::Stuck(_)))));
        assert!(out.iter().all(|x| *x == 0), "it is wiped");
        let mut blocks = bulk.blocks::<i8>(8190, 3 * TASK, threads(n)).unwrap();
        assert!(matches!(blocks.next(), Some(Err(FillError::Entropy(Failure::Stuck(_))))) && blocks.next().is_none());
    }
}

#[test]
fn errors_come_back_from_threads() {
    let bulk = Bulk::new(&Wide, Source::ChaCha20, Seed::from_bytes([5; 32]));
    let mut out = vec![0_i8; 1_000_000];
    for threads in [1, 2, 5] {
        let error = bulk.par_fill(0, &mut out, NonZeroUsize::new(threads).unwrap()).unwrap_err();
        assert!(matches!(error, FillError::Range(e) if e == RangeError::of::<i8>()));
    }
}

fn threads(n: usize) -> NonZeroUsize {
    NonZeroUsize::new(n).unwrap()
}

#[test]
fn a_sampler_is_borrowed_or_owned_and_a_generator_any() {
    let (sampler, seed) = (karney(), Seed::from_bytes([5; 32]));
    let mut expected = vec![0_i8; 20_000];
    Bulk::new(&*sampler, Source::ChaCha12, seed.clone()).fill(3, &mut expected).unwrap();
    let shared: std::sync::Arc<dyn Noise> = karney().into();
    let own_seed = seed.clone();
    let late = Late(true.into());
    let bulks = [
        Bulk::new(&late, Source::ChaCha12, seed.clone()).clone(),
        Bulk::new(karney(), Source::ChaCha12, seed.clone()),
        Bulk::new(shared.clone(), Source::ChaCha12, seed.clone()).clone(),
        Bulk::with_generators(shared, move |block| samplez_sources::ChaCha12::new(&own_seed.block(block))),
        Bulk::with_generators(&*sampler, |block| samplez_sources::ChaCha12::new(&seed.block(block))),
    ];
    for (i, bulk) in bulks.iter().enumerate() {
        let mut out = vec![0_i8; 20_000];
        assert_eq!(bulk.par_fill(3, &mut out, threads(2)).is_ok(), i > 0);
        assert_eq!(out == expected, i > 0, "{i}");
    }
}

#[test]
fn progress_rises_to_the_end_or_to_where_it_is_stopped() {
    let sampler = karney();
    let bulk = Bulk::new(&*sampler, Source::ChaCha20, Seed::from_bytes([5; 32]));
    let mut out = vec![0_i8; 7 * TASK as usize + 5];
    let mut expected = out.clone();
    bulk.fill(9, &mut expected).unwrap();
    for n in 1..=3 {
        let mut seen = Vec::new();
        let progress = |done| {
            seen.push(done);
            true
        };
        bulk.par_fill_while(9, &mut out, threads(n), progress).unwrap();
        assert!(seen.is_sorted() && seen.last() == Some(&(out.len() as u64)), "{n} threads: {seen:?}");
        assert!(seen.windows(2).all(|pair| pair[0] < pair[1]) && (n > 1 || seen.len() == 8), "{n} threads: {seen:?}");
        assert_eq!(out, expected);
        let mut calls = 0;
        let stop = |_| {
            calls += 1;
            false
        };
        out.fill(0);
        assert!(matches!(bulk.par_fill_while(9, &mut out, threads(n), stop), Err(FillError::Stopped)));
        assert!(calls == 1 && (n > 1 || out[2 * TASK as usize..].iter().all(|x| *x == 0)), "{n} threads");
        let end = out.len() as u64;
        assert!(matches!(bulk.par_fill_while(9, &mut out, threads(n), |done| done < end), Err(FillError::Stopped)));
    }
    assert!(bulk.par_fill_while(9, &mut [0_i8; 0], threads(2), |done| done == 0).is_ok());
}

#[test]
fn blocks_are_the_array_in_order() {
    let bulk = Bulk::new(karney(), Source::ChaCha20, Seed::from_bytes([5; 32]));
    let cases = [
        (0, 0),
        (7, 1),
        (0, TASK),
        (TASK - 1, 2),
        (5, 3 * TASK),
        (u64::MAX - 10, 11),
        (u64::MAX - TASK - 10, TASK + 11),
        (1 << 40, 2 * TASK + 17),
    ];
    for n in [1, 2, 5] {
        for (first, count) in cases {
            let mut expected = vec![0_i16; count as usize];
            bulk.fill(first, &mut expected).unwrap();
            let mut found = Vec::new();
            for part in bulk.blocks::<i16>(first, count, threads(n)).unwrap() {
                let part = part.unwrap();
                assert_eq!(part.first - first, found.len() as u64);
                assert!(part.samples as usize == part.len() && part.samples <= TASK);
                found.extend_from_slice(&part);
            }
            assert!(found == expected, "{count} from {first}, {n} threads");
            let sums = bulk.blocks_as(first, count, threads(n), |first, part: &[i16], out: &mut Vec<u64>| {
                assert!(out.is_empty());
                out.extend([first, part.len() as u64, part.iter().filter(|x| **x == 0).count() as u64]);
            });
            let zeros: u64 = sums.unwrap().map(|part| part.unwrap()[2]).sum();
            assert_eq!(zeros, expected.iter().filter(|x| **x == 0).count() as u64);
        }
    }
    assert!(matches!(bulk.blocks::<i8>(u64::MAX, 2, threads(2)), Err(FillError::Address { len: 2, .. })));
}

/// Parts before the one that fails come out, and then the same error for any number of threads.
#[test]
fn blocks_end_at_the_lowest_error() {
    for n in [1, 2, 4] {
        let counting = std::sync::Arc::new(std::sync::atomic::AtomicU64::new(0));
        let told = counting.clone();
        // From block 40 on, in the third part, the first sample is out of range.
        let bulk = Bulk::with_generators(Box::new(Wide) as Box<dyn Noise>, move |block| {
            told.fetch_max(block, std::sync::atomic::Ordering::Relaxed);
            Tame { zero: block >= 40, count: 0 }
        });
        let mut blocks = bulk.blocks::<i8>(0, 1000 * TASK, threads(n)).unwrap();
        for first in [0, TASK] {
            let part = blocks.next().unwrap().unwrap();
            assert!(part.first == first && part.iter().all(|x| *x == 0));
        }
        let error = blocks.next().unwrap().unwrap_err();
        assert!(matches!(error, FillError::Range(e) if e == RangeError::of::<i8>()), "{error:?}");
        assert!(blocks.next().is_none() && blocks.next().is_none());
        let most = counting.load(std::sync::atomic::Ordering::Relaxed);
        assert!(most < (2 + 2 * n as u64 + 1) * 16, "{n} threads: block {most} was made");
    }
}

/// Bytes among which no ten bits in a row are zero, but for the first ten where it is told so.
struct Tame {
    zero: bool,
    count: u32,
}
impl rand_core::TryRng for Tame {
    type Error = std::convert::Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        unreachable!("the reader asks for bytes")
    }
    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        unreachable!("the reader asks for bytes")
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
        for byte in out.iter_mut() {
            self.count = self.count.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *byte = 0x81 | (self.count >> 24) as u8;
        }
        if std::mem::take(&mut self.zero) {
            out[..2].fill(0);
        }
        Ok(())
    }
}

/// However slow the consumer: no more than two parts a thread lie ready, and no thread is left behind.
#[test]
fn blocks_are_made_ahead_and_no_further() {
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
    for n in [1_u64, 3] {
        let made = std::sync::Arc::new(AtomicU64::new(0));
        let count = made.clone();
        let bulk = Bulk::new(karney(), Source::ChaCha8, Seed::from_bytes([5; 32]));
        let encode = move |_, _: &[i8], out: &mut Vec<u8>| {
            count.fetch_add(1, Relaxed);
            out.push(1);
        };
        let mut blocks = bulk.blocks_as(0, u64::MAX, threads(n as usize), encode).unwrap();
        for taken in 1..=5 {
            blocks.next().unwrap().unwrap();
            std::thread::sleep(std::time::Duration::from_millis(60));
            assert!((taken..=taken + 2 * n).contains(&made.load(Relaxed)), "{n} threads");
        }
        drop(blocks);
        let end = made.load(Relaxed);
        assert_eq!(std::sync::Arc::strong_count(&made), 1, "every thread has ended");
        assert!(end <= 5 + 3 * n);
    }
}

#[test]
fn parts_are_made_in_the_memory_of_earlier_ones() {
    let bulk = Bulk::new(karney(), Source::ChaCha8, Seed::from_bytes([5; 32]));
    let mut places = std::collections::HashSet::new();
    for part in bulk.blocks::<i8>(0, 40 * TASK, threads(2)).unwrap() {
        places.insert(part.unwrap().as_ptr() as usize);
    }
    assert!(places.len() <= 7, "{}", places.len());
    // Who keeps them all has them all.
    let parts: Vec<_> = bulk.blocks::<i8>(0, 10 * TASK, threads(2)).unwrap().map(Result::unwrap).collect();
    let mut expected = vec![0_i8; 10 * TASK as usize];
    bulk.fill(0, &mut expected).unwrap();
    assert!(parts.iter().flat_map(|part| part.iter()).eq(&expected));
}

#[test]
fn a_panic_comes_back() {
    for n in [1, 3] {
        let bulk = Bulk::new(karney(), Source::ChaCha8, Seed::from_bytes([5; 32]));
        let encode = |first, _: &[i8], _: &mut Vec<u8>| {
            if first == 3 * TASK {
                std::panic::resume_unwind(Box::new("an encoder's own"));
            }
        };
        let mut blocks = bulk.blocks_as(0, 10 * TASK, threads(n), encode).unwrap();
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| blocks.by_ref().count()));
        assert_eq!(caught.unwrap_err().downcast_ref(), Some(&"an encoder's own"));
        assert!(blocks.next().is_none());
    }
}

/// Samples of the array of [`every_split_of`]'s kind, and how many were drawn.
struct Counting<'a>(&'a dyn Noise, std::sync::atomic::AtomicU64);

impl Sampler for Counting<'_> {
    const TIMING: Timing = Timing::Variable;
    fn profile(&self) -> Profile {
        self.0.profile()
    }
    fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> i64 {
        self.1.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        (bits.bits(32) % 100) as i64
    }
}

/// Short fills in order draw each sample of a block once, but for the first block, which takes some parts. Any others draw what they drew before.
#[test]
fn short_fills_in_order_draw_about_once() {
    let karney = karney();
    for len in [16, 128, 1000, 1024] {
        let sampler = Counting(&*karney, 0.into());
        let bulk = Bulk::new(&sampler, Source::ChaCha20, Seed::from_bytes([5; 32]));
        let mut part = vec![0_i16; len];
        for i in 0..3 * 8192 / len as u64 {
            bulk.fill(i * len as u64, &mut part).unwrap();
        }
        let drawn = sampler.1.load(std::sync::atomic::Ordering::Relaxed);
        assert!(drawn <= 4 * 8192 + 2 * len as u64, "{len}: {drawn}");
    }
    // A fill elsewhere makes nothing ahead.
    let sampler = Counting(&*karney, 0.into());
    let bulk = Bulk::new(&sampler, Source::ChaCha20, Seed::from_bytes([5; 32]));
    for first in [0, 8192, 3 * 8192, 0, 0] {
        bulk.fill(first, &mut [0_i8; 10]).unwrap();
    }
    assert_eq!(sampler.1.load(std::sync::atomic::Ordering::Relaxed), 50);
}

/// In any order, by any lengths and types, from several threads and from clones, a short fill gives the array's integers.
#[test]
fn what_is_made_ahead_is_the_array() {
    for sampler in [karney(), batches()] {
        let bulk = Bulk::new(&*sampler, Source::ChaCha20, Seed::from_bytes([6; 32]));
        let mut all = vec![0_i64; 5 * 8192];
        bulk.fill(0, &mut all).unwrap();
        let run = |seed: u64| {
            let (mut state, mut at) = (seed, 0_usize);
            let bulk = bulk.clone();
            let mine = &bulk;
            for _ in 0..400 {
                state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
                let (word, len) = (state >> 33, [1, 16, 128, 999, 1024, 5000, 8191, 8192][(state >> 60) as usize / 2]);
                // Mostly where the last one ended, sometimes there again, sometimes anywhere.
                at = match word % 16 {
                    0 => (word / 16) as usize % all.len(),
                    1 => at.saturating_sub(len),
                    _ => at,
                };
                at = if at + len > all.len() { 0 } else { at };
                if word % 3 == 0 {
                    let mut part = vec![0_i8; len];
                    mine.fill(at as u64, &mut part).unwrap();
                    assert!(part.iter().zip(&all[at..]).all(|(a, b)| i64::from(*a) == *b), "{len} from {at}");
                } else {
                    let mut part = vec![0_i64; len];
                    mine.fill(at as u64, &mut part).unwrap();
                    assert!(part == all[at..at + len], "{len} from {at}");
                }
                at += len;
            }
        };
        run(1);
        let shared = |seed: u64| {
            for i in (seed * 16..8192).step_by(16) {
                let mut part = [0_i32; 16];
                bulk.fill(i, &mut part).unwrap();
                assert!(part.iter().zip(&all[i as usize..]).all(|(a, b)| i64::from(*a) == *b), "{i}");
            }
        };
        std::thread::scope(|scope| (0..3).for_each(|seed| _ = scope.spawn(move || shared(seed))));
    }
}

/// A sample beyond the type is an error, ahead or not, and the next fill of a wider type goes on.
#[test]
fn a_narrow_type_fails_ahead_too() {
    struct Wide;
    impl Sampler for Wide {
        const TIMING: Timing = Timing::Variable;
        fn profile(&self) -> Profile {
            karney().profile()
        }
        fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> i64 {
            (bits.bits(8) << 4) as i64
        }
    }
    let bulk = Bulk::new(&Wide, Source::ChaCha20, Seed::from_bytes([7; 32]));
    let mut all = [0_i16; 300];
    bulk.fill(0, &mut all).unwrap();
    for first in [0, 100, 200] {
        assert!(matches!(bulk.fill(first, &mut [0_i8; 100]), Err(FillError::Range(_))), "{first}");
        let mut part = [0_i16; 100];
        bulk.fill(first, &mut part).unwrap();
        assert_eq!(part, all[first as usize..][..100]);
    }
}
