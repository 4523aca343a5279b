//! Memory that held secrets, after what held them was dropped: `samplez-ct erased`, on Linux.
//!
//! The process reads all of its own writable memory, freed blocks and dead stack too, from /proc/self/mem. It looks for any 16
//! successive bytes of what is secret: of the seed or key, of the stream to come, of the value's own memory as it was while it
//! lived. It must find them then, and none after the drop; a control that erases nothing must be found out.
//!
//! Copies on the stack are counted, and are no error: SECURITY.md promises nothing of what the compiler moves.

use rand_core::Rng;
use samplez::samplers::{cdt_ct::CdtCt, cdt_guided::CdtGuided};
use samplez::sources::{Aes256, ChaCha20, CtrDrbg, HashDrbg, Mechanism, Reseeding, Sha512};
use samplez::tables::{CdtGuidedOptions, CdtOptions, build_cdt, build_guided};
use samplez::{BitReader, BitSource, Bulk, DiscreteGaussian, Method, Noise, Recipe, Seed, Source, Stream};
use samplez_lattice::{bliss, lp11, regev};
use std::any::Any;
use std::collections::HashSet;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::ptr::from_ref;
use zeroize::Zeroizing;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Successive bytes that are looked for together.
const WINDOW: usize = 16;

/// Windows with more zeros than this are no secret: addresses and small integers are full of them.
const ZEROS: usize = 1;

/// What is looked for is kept under this mask, lest it be found where it is kept.
const MASK: u128 = 0x5bd1_e995_9d1b_873c_c2b2_ae35_27d4_eb2f;

/// Bytes of a generator's stream that count as secret.
const AHEAD: usize = 4096;

/// A value, where it is with its size, and what else is secret in it.
struct Alive {
    value: Box<dyn Any>,
    place: (usize, usize),
    secrets: Vec<Zeroizing<Vec<u8>>>,
}

fn alive<T: 'static>(value: T, secrets: Vec<Zeroizing<Vec<u8>>>) -> Alive {
    let value = Box::new(value);
    Alive { place: (from_ref::<T>(&value).cast::<u8>() as usize, size_of::<T>()), value, secrets }
}

/// Makes a value under a seed.
type Make = Box<dyn Fn(&Seed) -> Result<Alive>>;

/// Every type that promises to erase itself, by name, and the control first.
fn cases() -> Vec<(String, Make)> {
    let mut cases: Vec<(String, Make)> = Vec::new();
    let mut case = |name: &str, make: Make| cases.push((name.to_owned(), make));
    case(CONTROL, Box::new(control));
    case("Seed", Box::new(|seed| Ok(alive(seed.clone(), vec![bytes(seed)]))));
    // What has no window of state cannot be looked for.
    for source in Source::ALL.into_iter().filter(|source| source.is_seeded() && source.state_bytes() > WINDOW) {
        case(&format!("{source}"), Box::new(move |seed| generator(source, seed)));
        case(&format!("BitReader of {source}"), Box::new(move |seed| reader(source, seed)));
    }
    case("Reseeding, CTR_DRBG", Box::new(reseeding::<CtrDrbg<Aes256>>));
    case("Reseeding, Hash_DRBG", Box::new(reseeding::<HashDrbg<Sha512>>));
    case("Stream", Box::new(stream));
    for method in Method::ALL {
        case(&format!("Bulk, {method}"), Box::new(move |seed| bulk(method, seed)));
    }
    case("Blocks", Box::new(blocks));
    case("bliss::SigningKey", Box::new(bliss_key));
    case("lp11::SecretKey", Box::new(lp11_key));
    case("regev::SecretKey", Box::new(regev_key));
    cases
}

const CONTROL: &str = "control: a vector";

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
    Ok(Alive { value: Box::new(rng), place, secrets })
}

fn reader(source: Source, seed: &Seed) -> Result<Alive> {
    let secrets = vec![bytes(seed), ahead(&mut *source.seeded(seed).ok_or("seeded")?)];
    let mut reader = BitReader::new(source.seeded(seed).ok_or("seeded")?);
    reader.bits(3);
    Ok(alive(reader, secrets))
}

fn reseeding<M: Mechanism + 'static>(seed: &Seed) -> Result<Alive> {
    let mut rng = Reseeding::<M, _>::from_entropy(ChaCha20::new(seed), b"erased")?;
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

fn blocks(seed: &Seed) -> Result<Alive> {
    let bulk = Bulk::new(noise(Method::CdtGuided)?.0, Source::ChaCha20, seed.clone());
    let mut blocks = bulk.blocks::<i8>(0, 1_000_000, 2.try_into()?)?;
    let part = blocks.next().ok_or("a part")??;
    let secrets = vec![bytes(seed), as_bytes(&part)];
    Ok(alive((blocks, part, bulk), secrets))
}

/// A table that is precise enough for any scheme here.
fn guided(law: &DiscreteGaussian) -> Result<CdtGuided<Vec<u32>, Vec<u32>>> {
    let cdt = CdtOptions { precision: 192, ..CdtOptions::default() };
    Ok(CdtGuided::from_table(build_guided(law, &CdtGuidedOptions { cdt, ..CdtGuidedOptions::default() })?))
}

/// A key that has signed, with either signer; and its encoding: the polynomials are full of zeros, and are not looked for.
fn bliss_key(seed: &Seed) -> Result<Alive> {
    let (set, profile, mut rng) = (bliss::Set::II, bliss::Profile::Sri, ChaCha20::new(seed));
    let key = bliss::EitherSigningKey::generate(set, bliss::Variant::B, &mut rng)?;
    key.sign(profile, &guided(&set.noise_law())?, b"message", &mut rng)?;
    let noise = CdtCt::from_table(build_cdt(&set.noise_law(), &CdtOptions::default())?)?;
    key.sign_isochronous(profile, &noise, b"message", &mut rng)?;
    let encoded = key.to_bytes(profile)?;
    let secrets = vec![bytes(seed), encoded.clone()];
    Ok(alive((key, encoded), secrets))
}

/// A key that has decrypted.
fn lp11_key(seed: &Seed) -> Result<Alive> {
    let (set, mut rng) = (lp11::Set::Ring256, ChaCha20::new(seed));
    let noise = guided(&set.noise_law())?;
    let (public, secret) = lp11::generate(set, &noise, &mut rng)?;
    let text = seed.stream("text");
    let opened = Zeroizing::new(secret.decrypt(&public.encrypt(&noise, &text.expose()[..15], &mut rng)?)?);
    let encoded = secret.to_bytes();
    let secrets = vec![bytes(seed), encoded.clone(), opened.clone()];
    Ok(alive((secret, encoded, opened), secrets))
}

fn regev_key(seed: &Seed) -> Result<Alive> {
    let (set, mut rng) = (regev::Set::Mr09N136, ChaCha20::new(seed));
    let (public, secret) = regev::generate(set, &guided(&set.demand().law)?, &mut rng)?;
    let _ = Zeroizing::new(secret.decrypt(&public.encrypt(b"text", &mut rng)?)?);
    let encoded = secret.to_bytes();
    let secrets = vec![bytes(seed), encoded.clone()];
    Ok(alive((secret, encoded), secrets))
}

/// All windows of what is secret, under the mask.
struct Wanted {
    windows: HashSet<u128>,
    /// The first two bytes of any.
    starts: Vec<bool>,
}

impl Wanted {
    fn new() -> Wanted {
        Wanted { windows: HashSet::new(), starts: vec![false; 1 << 16] }
    }

    fn add(&mut self, secret: &[u8]) {
        for window in secret.array_windows::<WINDOW>() {
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
        memory.array_windows().filter(wanted).count()
    }
}

/// How many windows are found on the main thread's stack, and elsewhere.
#[derive(Clone, Copy, Default)]
struct Found {
    stack: usize,
    elsewhere: usize,
}

/// Looks through all of the process's memory that can be written.
fn look(wanted: &Wanted) -> Result<Found> {
    let (memory, mut found) = (File::open("/proc/self/mem")?, Found::default());
    for line in std::fs::read_to_string("/proc/self/maps")?.lines() {
        let mut fields = line.split_ascii_whitespace();
        let (range, rights) = (fields.next().unwrap_or_default(), fields.next().unwrap_or_default());
        if !rights.starts_with("rw") {
            continue;
        }
        let (start, end) = range.split_once('-').ok_or("a range of addresses")?;
        let (mut at, end) = (u64::from_str_radix(start, 16)?, u64::from_str_radix(end, 16)?);
        // Erased, as it holds what it read.
        let mut part = Zeroizing::new(vec![0; 1 << 20]);
        while at < end {
            let length = part.len().min(usize::try_from(end - at)?);
            memory.read_exact_at(&mut part[..length], at)?;
            let count = wanted.count(&part[..length]);
            *(if line.ends_with("[stack]") { &mut found.stack } else { &mut found.elsewhere }) += count;
            // The next part begins with the windows that this one has begun.
            at += if at + (length as u64) < end { (length - (WINDOW - 1)) as u64 } else { length as u64 };
        }
    }
    Ok(found)
}

/// The bytes of the process's memory at this place.
fn own((start, length): (usize, usize)) -> Result<Zeroizing<Vec<u8>>> {
    let mut bytes = Zeroizing::new(vec![0; length]);
    File::open("/proc/self/mem")?.read_exact_at(&mut bytes, start as u64)?;
    Ok(bytes)
}

/// What is found of one case's secrets while the value lives, and after.
fn judge(make: &Make) -> Result<(usize, Found, Found)> {
    let seed = Seed::from_os()?;
    let Alive { value, place, secrets } = make(&seed)?;
    drop(seed);
    let mut wanted = Wanted::new();
    secrets.iter().for_each(|secret| wanted.add(secret));
    drop(secrets);
    wanted.add(&own(place)?);
    let before = look(&wanted)?;
    drop(value);
    Ok((wanted.windows.len(), before, look(&wanted)?))
}

/// All cases as lines of CSV, and how many are not as they should be.
pub(crate) fn all(name: &str) -> std::result::Result<usize, String> {
    let mut wrong = 0;
    println!("value,windows,found alive,found after the drop,copies on the stack");
    for (case, make) in cases().iter().filter(|(case, _)| case.contains(name)) {
        let (wanted, before, after) = judge(make).map_err(|error| format!("{case}: {error}"))?;
        println!("\"{case}\",{wanted},{},{},{}", before.elsewhere, after.elsewhere, after.stack);
        // The control shows that what stays is seen.
        wrong += usize::from(before.elsewhere == 0 || (after.elsewhere == 0) == (case == CONTROL));
    }
    Ok(wrong)
}
