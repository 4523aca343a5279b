//! Memory that held secrets, after what held them was dropped: `samplez-ct erased`, on Linux.
//!
//! The process reads all of its own writable memory, freed blocks and dead stack too, from /proc/self/mem. It looks for any 16
//! successive bytes, at most one of them zero, of what is secret: of the seed, of the stream to come, of the samples, of the value's
//! own memory as it was while it lived. It must find some then, and none after the drop.
//!
//! Two controls erase nothing: a vector, and an array of a seed's size. The search must find every window of both after the drop.
//!
//! Chance has no part in the verdict:
//!
//! - The program's [allocator] keeps every freed block as it was. The allocator's own lists and later allocations cannot overwrite a
//!   control, and they cannot hide a secret that was not erased, neither in the value nor in a temporary or outgrown block. Stacks
//!   are no such blocks.
//! - New blocks are zeros, so that nothing older is taken for part of a value.
//! - All seeds are fixed, and hashing has no random keys. With a random seed, too few windows of 32 bytes may be free of zeros.
//! - The stack is painted before a value is made. Padding has bytes of the stack, and a drop leaves them: a type with a window's length
//!   of padding and small fields in a row is found out each time, not now and then.
//!
//! Of the secret keys of LP11 and Regev also what the value's own memory points to, as glibc's heap has it; of all schemes' the encoding.
//!
//! Not looked for: what is shorter, such as the memory of health tests, and BLISS's polynomials, whose small entries are mostly zeros.
//! Copies on the stack are counted, and are no error: SECURITY.md promises nothing of what the compiler moves.

use crate::allocator;
use rand_core::Rng;
use samplez::bindings::{SamplerNumber, ShortFills};
use samplez::schemes;
use samplez::{BitReader, BitSource, Bulk, FixedPoint, Method, Noise, Recipe, Seed, Sigmas, Source, Stream};
use samplez_core::samplers::{ProposalStore, SamplerZ, StripRounder};
use samplez_schemes::bliss::{SigningKey, Variant};
use samplez_schemes::{bliss, lp11, regev};
use samplez_sources::{Aes256, CtrDrbg, HashDrbg, Mechanism, Sha512};
use samplez_sources::{ChaCha20, Drbg, Reseeding};
use std::any::Any;
use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::fs::File;
use std::hash::BuildHasherDefault;
use std::io::Read;
use std::os::unix::fs::FileExt;
use std::ptr::from_ref;
use zeroize::Zeroizing;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Successive bytes that are looked for together.
const WINDOW: usize = 16;

/// Windows with more zeros than this are no secret: addresses and small integers are full of them.
const ZEROS: usize = 1;

/// Sizes are multiples of 16, and a rest of 16 is not split off.
const SPARE: usize = 31;

/// The parent of each case's seed, which has the case's name.
const ROOT: [u8; 32] = *b"where secrets were nothing stays";

/// What is looked for is kept under this mask, lest it be found where it is kept.
const MASK: u128 = 0x5bd1_e995_9d1b_873c_c2b2_ae35_27d4_eb2f;

/// Bytes of a generator's stream that count as secret.
const AHEAD: usize = 4096;

/// A value, where it is with its size, and what else is secret in it.
struct Alive {
    value: Box<dyn Any>,
    place: (usize, usize),
    /// Whether all that it points to is secret too.
    deep: bool,
    secrets: Vec<Zeroizing<Vec<u8>>>,
    /// What is no secret, though it stands among them.
    public: Vec<u8>,
}

fn alive<T: 'static>(value: T, secrets: Vec<Zeroizing<Vec<u8>>>) -> Alive {
    let value = Box::new(value);
    let place = (from_ref::<T>(&value).cast::<u8>() as usize, size_of::<T>());
    Alive { value, place, deep: false, secrets, public: Vec::new() }
}

/// Makes a value under a seed.
type Make = Box<dyn Fn(&Seed) -> Result<Alive>>;

/// Types that promise to erase themselves, by name; the controls first.
fn cases() -> Vec<(String, Make)> {
    let mut cases: Vec<(String, Make)> = Vec::new();
    let mut case = |name: &str, make: Make| cases.push((name.to_owned(), make));
    case(CONTROLS[0], Box::new(control));
    case(CONTROLS[1], Box::new(|seed| Ok(alive(*seed.expose(), vec![bytes(seed)]))));
    case("Seed", Box::new(|seed| Ok(alive(seed.clone(), vec![bytes(seed)]))));
    // posix-rand's state is one word: shorter than a window.
    for source in Source::ALL.into_iter().filter(|source| source.is_seeded() && *source != Source::PosixRand) {
        case(&format!("{source}"), Box::new(move |seed| generator(source, seed)));
        case(&format!("BitReader of {source}"), Box::new(move |seed| reader(source, seed)));
    }
    case("Reseeding, CTR_DRBG", Box::new(reseeding::<CtrDrbg<Aes256>>));
    case("Reseeding, Hash_DRBG", Box::new(reseeding::<HashDrbg<Sha512>>));
    case("Stream", Box::new(stream));
    case("Stream, after arrays of widths and of one", Box::new(array));
    case("Stream::samples", Box::new(samples));
    case("ShortFills", Box::new(handed));
    for method in Method::ALL {
        case(&format!("Bulk, {method}"), Box::new(move |seed| bulk(method, seed)));
    }
    case("Bulk, after short fills", Box::new(short_fills));
    case("ProposalStore", Box::new(proposals));
    case("Blocks", Box::new(blocks));
    case("lp11::SecretKey", Box::new(lp11_key));
    case("regev::SecretKey", Box::new(regev_key));
    case("bliss::SigningKey as bytes, classic", Box::new(|seed: &Seed| bliss_bytes(Variant::Classic, seed)));
    case("bliss::SigningKey as bytes, B", Box::new(|seed: &Seed| bliss_bytes(Variant::B, seed)));
    cases
}

const CONTROLS: [&str; 2] = ["control: a vector", "control: an array of 32 bytes"];

/// Nothing erases it.
fn control(seed: &Seed) -> Result<Alive> {
    let secret = ahead(&mut ChaCha20::new(seed));
    Ok(alive(secret.to_vec(), vec![secret]))
}

fn bytes(seed: &Seed) -> Zeroizing<Vec<u8>> {
    Zeroizing::new(seed.expose().to_vec())
}

fn ahead(rng: &mut (impl Rng + ?Sized)) -> Zeroizing<Vec<u8>> {
    let mut bytes = Zeroizing::new(vec![0; AHEAD]);
    rng.fill_bytes(&mut bytes);
    bytes
}

fn generator(source: Source, seed: &Seed) -> Result<Alive> {
    let [mut other, mut rng] = [source.seeded(seed).ok_or("seeded")?, source.seeded(seed).ok_or("seeded")?];
    rng.fill_bytes(&mut [0; 10]);
    let place = (from_ref(&*rng).cast::<u8>() as usize, size_of_val(&*rng));
    let secrets = vec![bytes(seed), ahead(&mut *other)];
    Ok(Alive { value: Box::new(rng), place, deep: false, secrets, public: Vec::new() })
}

fn reader(source: Source, seed: &Seed) -> Result<Alive> {
    let secrets = vec![bytes(seed), ahead(&mut *source.seeded(seed).ok_or("seeded")?)];
    let mut reader = BitReader::new(source.seeded(seed).ok_or("seeded")?);
    reader.bits(3);
    Ok(alive(reader, secrets))
}

fn reseeding<M: Mechanism + 'static>(seed: &Seed) -> Result<Alive> {
    let mut rng = Reseeding::<Drbg<M>, _>::from_entropy(ChaCha20::new(seed), b"erased")?;
    rng.generate(&mut [0; 100], b"")?;
    Ok(alive(rng, vec![bytes(seed), ahead(&mut ChaCha20::new(seed))]))
}

/// Each method's sampler under a law whose samples have few zeros: of a byte, or else of eight.
fn noise(method: Method) -> Result<(Box<dyn Noise>, bool)> {
    for (law, is_narrow) in [("sigma=3.2", true), ("k_sigma2=3", true), ("sigma=1e12", false)] {
        if let Ok(built) = format!("{law},method={method}").parse::<Recipe>()?.build() {
            return Ok((built.into_sampler(), is_narrow));
        }
    }
    Err(format!("{method}: no law is built").into())
}

fn as_bytes(samples: &[i8]) -> Zeroizing<Vec<u8>> {
    Zeroizing::new(samples.iter().map(|x| x.cast_unsigned()).collect())
}

fn stream(seed: &Seed) -> Result<Alive> {
    let mut stream = Stream::new(ChaCha20::new(seed));
    let mut samples = Zeroizing::new(vec![0_i8; AHEAD]);
    stream.fill(&*noise(Method::CdtGuided)?.0, &mut samples)?;
    let secrets = vec![bytes(seed), ahead(&mut ChaCha20::new(seed)), as_bytes(&samples)];
    Ok(alive(stream, secrets))
}

/// The stream keeps the rounder, whose heights are found in the words of its `Debug`, and the scratch buffers of an array, from which
/// the samples and the centres are gone. The samples have no byte of 0 by centres near 2^61, the fixed-point centres by
/// ones below 0 and above -2^-11.
fn array(seed: &Seed) -> Result<Alive> {
    let sigma = "3.2".parse()?;
    let mut stream = Stream::new(ChaCha20::new(seed));
    let (mut rng, signs) = (ChaCha20::new(&seed.stream("centers")), [1084 << 52, 1 << 63 | 1011 << 52]);
    let center = |i: usize| f64::from_bits(signs[i / 64] | rng.next_u64() >> 12);
    let centers = Zeroizing::new((0..128).map(center).collect::<Vec<f64>>());
    let mut drawn = Zeroizing::new([0; 128]);
    // Two octaves, whose samples are drawn in a buffer, in this order.
    let sigmas: [f64; 128] = std::array::from_fn(|i| [1.5, 3.0][i / 64]);
    stream.sample_each(Sigmas::Each(&sigmas), &centers, &mut drawn[..])?;
    let of =
        |words: &mut dyn Iterator<Item = u64>| Zeroizing::new(words.flat_map(u64::to_le_bytes).collect::<Vec<u8>>());
    let mut secrets = vec![of(&mut drawn[..64].iter().map(|x| x.cast_unsigned()))];
    for center in centers[64..].iter().filter_map(|center| FixedPoint::from_f64(*center)) {
        let (floor, fraction) = (center.floor().cast_unsigned(), center.fraction());
        secrets.extend([of(&mut [floor, fraction].into_iter()), of(&mut [fraction, floor].into_iter())]);
    }
    stream.sample_each(Sigmas::One(sigma), &[0.5; 3], &mut [0; 3])?;
    let shown = format!("{:?}", StripRounder::of_sigma(sigma)?);
    let heights = shown.split("heights: [").nth(1).and_then(|rest| rest.split(']').next()).ok_or("heights")?;
    // A vector that grows or is not erased would leave them elsewhere.
    let mut secret = Zeroizing::new(Vec::with_capacity(64));
    for height in heights.split(", ") {
        secret.extend(height.parse::<u64>()?.to_le_bytes());
    }
    secrets.push(secret);
    Ok(alive(stream, secrets))
}

/// Samples of a batch of which some were handed out.
fn samples(seed: &Seed) -> Result<Alive> {
    let noise: &'static dyn Noise = Box::leak("sigma=1e12".parse::<Recipe>()?.build()?.into_sampler());
    let stream = Box::leak(Box::new(Stream::new(ChaCha20::new(seed))));
    let mut samples = stream.samples(noise);
    samples.fill(&mut Zeroizing::new([0_i64; 100])[..])?;
    let mut batch = Zeroizing::new(vec![0_i64; 2048]);
    Stream::new(ChaCha20::new(seed)).samples(noise).fill(&mut batch)?;
    let batch = Zeroizing::new(batch.iter().flat_map(|x| x.to_le_bytes()).collect());
    Ok(alive(samples, vec![batch]))
}

/// The same by fills of samplers that may change.
fn handed(seed: &Seed) -> Result<Alive> {
    let noise = "sigma=1e12".parse::<Recipe>()?.build()?.into_sampler();
    let open = || Stream::new(ChaCha20::new(seed));
    let (mut stream, mut fills, number) = (open(), ShortFills::default(), SamplerNumber::unique());
    for _ in 0..2 {
        fills.fill(&mut stream, &number, &*noise, &mut Zeroizing::new([0_i64; 100])[..])?;
    }
    let (mut stream, mut batch) = (open(), Zeroizing::new(vec![0_i64; 400]));
    stream.fill(&*noise, &mut Zeroizing::new([0_i64; 100])[..])?;
    stream.fill(&*noise, &mut batch)?;
    let batch = Zeroizing::new(batch.iter().flat_map(|x| x.to_le_bytes()).collect());
    Ok(alive(fills, vec![batch]))
}

fn bulk(method: Method, seed: &Seed) -> Result<Alive> {
    let (noise, is_narrow) = noise(method)?;
    let bulk = Bulk::new(noise, Source::ChaCha20, seed.clone());
    let mut secrets = vec![bytes(seed), ahead(&mut ChaCha20::new(&seed.block(0)))];
    if is_narrow {
        let mut samples = Zeroizing::new(vec![0_i8; 3 * AHEAD]);
        bulk.fill(0, &mut samples)?;
        secrets.push(as_bytes(&samples));
        return Ok(alive((bulk, samples), secrets));
    }
    let mut samples = Zeroizing::new(vec![0_i64; 3 * AHEAD]);
    bulk.fill(0, &mut samples)?;
    secrets.push(Zeroizing::new(samples.iter().flat_map(|x| x.to_le_bytes()).collect()));
    Ok(alive((bulk, samples), secrets))
}

/// Samples behind those of two fills are made ahead.
fn short_fills(seed: &Seed) -> Result<Alive> {
    let bulk = || -> Result<_> {
        let noise = "sigma=1e12".parse::<Recipe>()?.build()?.into_sampler();
        Ok(Bulk::new(noise, Source::ChaCha20, seed.clone()))
    };
    let mut array = Zeroizing::new(vec![0_i64; AHEAD]);
    bulk()?.fill(0, &mut array)?;
    let bulk = bulk()?;
    for first in [0, 1000] {
        bulk.fill(first, &mut Zeroizing::new([0_i64; 1000])[..])?;
    }
    let samples = Zeroizing::new(array[2000..].iter().flat_map(|x| x.to_le_bytes()).collect());
    Ok(alive(bulk, vec![bytes(seed), samples]))
}

fn proposals(seed: &Seed) -> Result<Alive> {
    let width = SamplerZ::FALCON_512.width("1.7".parse()?)?;
    let mut store = ProposalStore::new(SamplerZ::FALCON_512, BitReader::new(ChaCha20::new(seed)));
    store.round(FixedPoint::from_f64(0.5).ok_or("a centre")?, width);
    Ok(alive(store, vec![bytes(seed), ahead(&mut ChaCha20::new(seed))]))
}

fn blocks(seed: &Seed) -> Result<Alive> {
    let bulk = Bulk::new(noise(Method::CdtGuided)?.0, Source::ChaCha20, seed.clone());
    let mut blocks = bulk.blocks::<i8>(0, 1_000_000, 2.try_into()?)?;
    let part = blocks.next().ok_or("a part")??;
    // Not the end of a block: its last registers may be left on the stack of the thread that drew it.
    let begin = part.get(..AHEAD).ok_or("a block")?;
    let secrets = vec![bytes(seed), as_bytes(begin)];
    Ok(alive((blocks, part, bulk), secrets))
}

/// A key and a message that it decrypts, the second time but for the end.
fn lp11_key(seed: &Seed) -> Result<Alive> {
    let noise = schemes::noise(&lp11::Set::Ring256.demand(), "")?;
    let mut rng = ChaCha20::new(seed);
    let (public, secret) = lp11::generate(lp11::Set::Ring256, noise.sampler(), &mut rng)?;
    let message = message(seed);
    let ciphertext = public.encrypt(noise.sampler(), &message, &mut rng)?;
    let decrypted = Zeroizing::new(secret.decrypt(&ciphertext)?);
    let (secrets, ciphertext) = (vec![secret.to_bytes(), message], malformed(ciphertext));
    let public = ciphertext.clone();
    let last = AtLast(move || assert!(secret.decrypt(&ciphertext).is_err(), "a residue above q"));
    Ok(Alive { deep: true, public, ..alive((last, decrypted), secrets) })
}

fn regev_key(seed: &Seed) -> Result<Alive> {
    let set = regev::Set::Mr09N136;
    let noise = schemes::noise(&set.parameters().demand(), "")?;
    let mut rng = ChaCha20::new(seed);
    let (public, secret) = regev::generate(set, noise.sampler(), &mut rng)?;
    let message = message(seed);
    let ciphertext = public.encrypt(&message, &mut rng)?;
    let decrypted = Zeroizing::new(secret.decrypt(&ciphertext)?);
    let (secrets, ciphertext) = (vec![secret.to_bytes(), message], malformed(ciphertext));
    let public = ciphertext.clone();
    let last = AtLast(move || assert!(secret.decrypt(&ciphertext).is_err(), "a residue above q"));
    Ok(Alive { deep: true, public, ..alive((last, decrypted), secrets) })
}

/// The last residue of several blocks becomes one that none has: what was decrypted before is no message.
fn malformed(mut ciphertext: Vec<u8>) -> Vec<u8> {
    ciphertext.iter_mut().rev().take(2).for_each(|byte| *byte = 0xff);
    ciphertext
}

/// Does this when it is dropped, before what it holds is: nothing comes between that and the search, and overwrites what is left.
struct AtLast<F: Fn()>(F);

impl<F: Fn()> Drop for AtLast<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// Of several blocks.
fn message(seed: &Seed) -> Zeroizing<Vec<u8>> {
    let mut message = Zeroizing::new(vec![0; 100]);
    ChaCha20::new(&seed.stream("message")).fill_bytes(&mut message);
    message
}

/// Keys, their encodings, and keys that were read from these. Ten of them: of one, a few dozen windows have hardly a zero.
fn bliss_bytes(variant: Variant, seed: &Seed) -> Result<Alive> {
    let (profile, mut rng) = (bliss::Profile::Strongswan, ChaCha20::new(seed));
    let (mut keys, mut secrets, mut public) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..10 {
        let key = SigningKey::generate(bliss::Set::I, variant, &mut rng)?;
        let bytes = key.to_bytes(profile)?;
        let read = SigningKey::from_bytes(profile, &bytes)?;
        // The encoding has the public key in it, which nobody erases.
        public.extend(key.public_key().to_bytes(profile)?);
        secrets.push(bytes.clone());
        keys.push((key, bytes, read));
    }
    Ok(Alive { public, ..alive(keys, secrets) })
}

/// Without random keys, which would stay behind on the stack.
type Set<T> = HashSet<T, BuildHasherDefault<DefaultHasher>>;

/// All windows of what is secret, under the mask.
struct Wanted {
    windows: Set<u128>,
    /// The first two bytes of any.
    starts: Vec<bool>,
}

fn windows(bytes: &[u8]) -> impl Iterator<Item = &[u8; WINDOW]> {
    bytes.windows(WINDOW).filter_map(|window| window.first_chunk())
}

/// The parts of what is secret that are in no public window.
fn without<'a>(secret: &'a [u8], public: &Set<&[u8; WINDOW]>) -> Vec<&'a [u8]> {
    let mut is_public = vec![false; secret.len()];
    for (i, _) in windows(secret).enumerate().filter(|(_, window)| public.contains(window)) {
        is_public[i..i + WINDOW].fill(true);
    }
    let mut rest = secret;
    let parts = is_public.chunk_by(|i, j| i == j).filter_map(|run| {
        let (part, after) = rest.split_at(run.len());
        rest = after;
        (!run[0]).then_some(part)
    });
    parts.collect()
}

impl Wanted {
    fn new() -> Wanted {
        Wanted { windows: Set::default(), starts: vec![false; 1 << 16] }
    }

    /// Keeps its memory: each case's own would be kept for good, and searched.
    fn clear(&mut self) {
        self.windows.clear();
        self.starts.fill(false);
    }

    fn add(&mut self, secret: &[u8]) {
        for window in windows(secret) {
            if window.iter().filter(|byte| **byte == 0).count() <= ZEROS {
                self.windows.insert(u128::from_le_bytes(*window) ^ MASK);
                self.starts[usize::from(u16::from_le_bytes([window[0], window[1]]))] = true;
            }
        }
    }

    fn count(&self, memory: &[u8]) -> usize {
        let wanted = |window: &&[u8; WINDOW]| {
            self.starts[usize::from(u16::from_le_bytes([window[0], window[1]]))]
                && self.windows.contains(&(u128::from_le_bytes(**window) ^ MASK))
        };
        windows(memory).filter(wanted).count()
    }
}

/// How many windows are found on the main thread's stack, and elsewhere.
#[derive(Clone, Copy, Default)]
struct Found {
    stack: usize,
    elsewhere: usize,
}

/// What looks through all of the process's memory that can be written. All that it needs is there before a value is dropped: what is
/// searched after the drop is what was searched before it.
struct Searcher {
    memory: File,
    maps: String,
    /// Erased after each look, as it holds what it read; not looked through itself.
    part: Zeroizing<Vec<u8>>,
}

impl Searcher {
    fn new() -> Result<Searcher> {
        let memory = File::open("/proc/self/mem")?;
        Ok(Searcher { memory, maps: String::with_capacity(1 << 17), part: Zeroizing::new(vec![0; 1 << 20]) })
    }

    fn look(&mut self, wanted: &Wanted) -> Result<Found> {
        let mut found = Found::default();
        self.maps.clear();
        File::open("/proc/self/maps")?.read_to_string(&mut self.maps)?;
        let own = from_ref(&self.part[0]) as u64..=from_ref(&self.part[self.part.len() - 1]) as u64;
        for line in self.maps.lines() {
            let mut fields = line.split_ascii_whitespace();
            let (range, rights) = (fields.next().unwrap_or_default(), fields.next().unwrap_or_default());
            if !rights.starts_with("rw") {
                continue;
            }
            let (start, end) = range.split_once('-').ok_or("a range of addresses")?;
            let (mut at, end) = (u64::from_str_radix(start, 16)?, u64::from_str_radix(end, 16)?);
            while at < end {
                if own.contains(&at) {
                    at = own.end() + 1;
                    continue;
                }
                let stop = if at < *own.start() { end.min(*own.start()) } else { end };
                let length = self.part.len().min(usize::try_from(stop - at)?);
                self.memory.read_exact_at(&mut self.part[..length], at)?;
                let count = wanted.count(&self.part[..length]);
                *(if line.ends_with("[stack]") { &mut found.stack } else { &mut found.elsewhere }) += count;
                // The next part begins with the windows that this one has begun.
                at += if at + (length as u64) < stop { (length - (WINDOW - 1)) as u64 } else { length as u64 };
            }
        }
        self.part.fill(0);
        Ok(found)
    }

    /// The blocks of glibc's heap that the words at this place point to. Before a block is its size, with three flags. It may be larger
    /// than what was asked for by up to [`SPARE`] bytes, which are somebody else's of before.
    fn blocks(&self, place: (usize, usize)) -> Result<Vec<(usize, usize)>> {
        let words = self.own(place)?;
        let words = words.chunks_exact(8).filter_map(|word| Some(u64::from_le_bytes(*word.first_chunk()?)));
        let mut blocks = Vec::new();
        for at in words.filter(|at| at % 16 == 0 && *at > 1 << 16) {
            let mut header = [0; 8];
            if self.memory.read_exact_at(&mut header, at - 8).is_ok() {
                let size = u64::from_le_bytes(header) & !7;
                if (64..1 << 20).contains(&size) {
                    blocks.push((usize::try_from(at)?, usize::try_from(size)? - 8 - SPARE));
                }
            }
        }
        Ok(blocks)
    }

    /// The bytes of the process's memory at this place.
    fn own(&self, (start, length): (usize, usize)) -> Result<Zeroizing<Vec<u8>>> {
        let mut bytes = Zeroizing::new(vec![0; length]);
        self.memory.read_exact_at(&mut bytes, start as u64)?;
        Ok(bytes)
    }
}

/// Bytes of stack that are painted before a value is made.
const PAINTED: usize = 1 << 18;

/// Overwrites the stack below the caller with bytes of which no 16 in a row come twice. What a value has as padding is taken from there, and
/// not from whatever ran before.
#[inline(never)]
fn paint_stack() {
    let mut word = 0_u64;
    let mut paint = [0_u64; PAINTED / 8];
    for painted in &mut paint {
        word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
        *painted = word;
    }
    std::hint::black_box(&mut paint);
}

/// What is found of one case's secrets while the value lives, and after.
fn judge(case: &str, make: &Make, searcher: &mut Searcher, wanted: &mut Wanted) -> Result<(usize, Found, Found)> {
    let seed = Seed::from_bytes(ROOT).stream(case);
    paint_stack();
    let Alive { value, place, deep, secrets, public } = make(&seed)?;
    drop(seed);
    wanted.clear();
    let public = windows(&public).collect();
    let mut want = |secret: &[u8]| without(secret, &public).into_iter().for_each(|part| wanted.add(part));
    secrets.iter().for_each(|secret| want(secret));
    drop(secrets);
    want(&searcher.own(place)?);
    for block in if deep { searcher.blocks(place)? } else { Vec::new() } {
        want(&searcher.own(block)?);
    }
    let before = searcher.look(wanted)?;
    drop(value);
    Ok((wanted.windows.len(), before, searcher.look(wanted)?))
}

/// All cases as lines of CSV, and how many are not as they should be.
pub(crate) fn all(name: &str) -> std::result::Result<usize, String> {
    allocator::keep();
    let (mut searcher, mut wanted) = (Searcher::new().map_err(|error| error.to_string())?, Wanted::new());
    let mut wrong = 0;
    println!("value,windows,found alive,found after the drop,copies on the stack");
    for (case, make) in cases().iter().filter(|(case, _)| case.contains(name) || CONTROLS.contains(&case.as_str())) {
        let judged = judge(case, make, &mut searcher, &mut wanted);
        let (wanted, before, after) = judged.map_err(|error| format!("{case}: {error}"))?;
        println!("\"{case}\",{wanted},{},{},{}", before.elsewhere, after.elsewhere, after.stack);
        // The controls show that what stays is seen, all of it.
        let is_right = if CONTROLS.contains(&case.as_str()) {
            wanted > 0 && before.elsewhere.min(after.elsewhere) >= wanted
        } else {
            before.elsewhere > 0 && after.elsewhere == 0
        };
        wrong += usize::from(!is_right);
    }
    Ok(wrong)
}
