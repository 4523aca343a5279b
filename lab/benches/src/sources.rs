//! Raw bytes of the sources: in bulk by requests of 64 KiB and of 1 KiB (what a `BitReader` asks
//! for), and in draws of 8 bytes; and what they are worth to the fastest samplers.

use crate::contest::{Clock, Contestant, SAMPLES, contest, seed, taken};
use chacha20::cipher::StreamCipherCoreWrapper;
use chacha20::variants::Legacy;
use chacha20::{ChaChaCore, R20};
use ctr::Ctr128BE;
use ctr::cipher::{KeyIvInit, StreamCipher};
use rand_core::{Rng, SeedableRng, TryRng};
use samplez::{BitReader, DiscreteGaussian, Sampler};
use samplez_core::samplers::{CdtGuided, CdtLazyCt};
use samplez_sources::{
    Aes128Ctr, Aes256, Aes256Ctr, Aes256Soft, ChaCha8, ChaCha12, ChaCha20, CtrDrbg, Drbg, DrbgStream, HashDrbg,
    Mechanism, Seed, Sha256, Sha512,
};
use samplez_tables::{CdtGuidedOptions, CdtOptions, build_guided, build_lazy};
use std::convert::Infallible;
use std::error::Error;

pub(crate) const BYTES: usize = 1 << 24;
const DRAWS: usize = 1 << 20;

/// The seed of every contestant but OpenSSL, which has its bytes as a key.
pub(crate) fn key() -> Seed {
    seed(0)
}

/// Fills `buffer` again and again, `BYTES` in all, by requests of `request` bytes.
fn requests(buffer: &mut [u8], request: usize, mut fill: impl FnMut(&mut [u8])) -> u64 {
    let mut sum = 0;
    for _ in 0..BYTES / buffer.len() {
        buffer.chunks_mut(request).for_each(&mut fill);
        sum ^= u64::from(buffer[0]);
    }
    sum
}

/// A generator in bulk.
pub(crate) fn bulk<'a, R: Rng + 'a>(name: &str, request: usize, mut rng: R) -> Contestant<'a> {
    let mut buffer = vec![0; 1 << 16];
    (name.into(), Box::new(move |_| requests(&mut buffer, request, |out| rng.fill_bytes(out))))
}

fn stream<M: Mechanism>() -> DrbgStream<Drbg<M>> {
    DrbgStream::from_seed(&key())
}

/// The DRBG's own requests, each of which changes the state.
fn generate<'a, M: Mechanism + 'a>(name: &str, request: usize) -> Contestant<'a> {
    let mut drbg = Drbg::<M>::from_seed(&key());
    let mut buffer = vec![0; 1 << 16];
    let name = format!("{name}, generate");
    (name, Box::new(move |_| requests(&mut buffer, request, |out| drbg.generate(out, &[]).expect("within limits"))))
}

fn draws<'a, R: Rng + 'a>(name: &str, mut rng: R) -> Contestant<'a> {
    (name.into(), Box::new(move |_| (0..DRAWS).fold(0, |sum, _| sum ^ rng.next_u64())))
}

/// RustCrypto's AES-256 in counter mode, without a DRBG around it.
fn cipher<'a>(request: usize) -> Contestant<'a> {
    let mut ctr = Ctr128BE::<aes::Aes256Enc>::new(key().expose().into(), &[0; 16].into());
    let mut buffer = vec![0; 1 << 16];
    (
        "AES-256-CTR of the aes crate".into(),
        Box::new(move |_| requests(&mut buffer, request, |out| ctr.write_keystream(out))),
    )
}

/// ChaCha20 of the `chacha20` crate, under the seed of the sources.
struct CrateChaCha20(StreamCipherCoreWrapper<ChaChaCore<R20, Legacy>>);

impl CrateChaCha20 {
    fn new(seed: &Seed) -> Self {
        CrateChaCha20(StreamCipherCoreWrapper::from_core(ChaChaCore::from_seed(*seed.expose())))
    }
}

impl TryRng for CrateChaCha20 {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let mut bytes = [0; 4];
        self.0.write_keystream(&mut bytes);
        Ok(u32::from_le_bytes(bytes))
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = [0; 8];
        self.0.write_keystream(&mut bytes);
        Ok(u64::from_le_bytes(bytes))
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        self.0.write_keystream(out);
        Ok(())
    }
}

#[cfg(feature = "openssl")]
mod openssl_ctr {
    use super::{BYTES, Contestant, DRAWS, key, requests};
    use openssl::error::ErrorStack;
    use openssl::rand::rand_bytes;
    use openssl::symm::{Cipher, Crypter, Mode};

    /// The keystream of a cipher whose nonce has 16 bytes, zero.
    fn cipher<'a>(name: &str, cipher: Cipher, request: usize) -> Result<Contestant<'a>, ErrorStack> {
        let mut cipher = Crypter::new(cipher, Mode::Encrypt, &key().expose()[..cipher.key_len()], Some(&[0; 16]))?;
        let (mut out, zeros) = (vec![0; 1 << 16], vec![0; 1 << 16]);
        let fill = move |_: &mut _| {
            requests(&mut out, request, |out| {
                cipher.update(&zeros[..out.len()], out).expect("the lengths agree");
            })
        };
        Ok((name.into(), Box::new(fill)))
    }

    /// OpenSSL's own CTR_DRBG, and AES in counter mode; AES-256 is the baseline.
    pub(super) fn bulk<'a>(request: usize) -> Result<[Contestant<'a>; 3], ErrorStack> {
        let mut random = vec![0; 1 << 16];
        Ok([
            (
                "OpenSSL RAND_bytes".into(),
                Box::new(move |_| requests(&mut random, request, |out| rand_bytes(out).expect("OpenSSL is seeded"))),
            ),
            cipher("OpenSSL AES-128-CTR", Cipher::aes_128_ctr(), request)?,
            cipher("OpenSSL AES-256-CTR", Cipher::aes_256_ctr(), request)?,
        ])
    }

    /// The baseline of ChaCha.
    pub(super) fn chacha<'a>(request: usize) -> Result<Contestant<'a>, ErrorStack> {
        cipher("OpenSSL ChaCha20", Cipher::chacha20(), request)
    }

    pub(super) fn draws<'a>() -> Contestant<'a> {
        let mut bytes = [0; 8];
        (
            "OpenSSL RAND_bytes".into(),
            Box::new(move |_| {
                (0..DRAWS).fold(0, |sum, _| {
                    rand_bytes(&mut bytes).expect("OpenSSL is seeded");
                    sum ^ u64::from_le_bytes(bytes)
                })
            }),
        )
    }

    /// The baselines compute these keystreams.
    pub(super) fn check(aes: &[u8], chacha: &[u8]) -> Result<(), ErrorStack> {
        for (cipher, expected) in [(Cipher::aes_256_ctr(), aes), (Cipher::chacha20(), chacha)] {
            let (mut out, zeros) = (vec![0; expected.len()], vec![0; expected.len()]);
            Crypter::new(cipher, Mode::Encrypt, key().expose(), Some(&[0; 16]))?.update(&zeros, &mut out)?;
            assert!(out == expected, "the keystreams of OpenSSL and of the sources");
            assert!(BYTES.is_multiple_of(out.len()));
        }
        Ok(())
    }
}

/// OpenSSL's ChaCha20 and AES-256 in counter mode, where they were asked for.
pub(crate) fn baselines<'a>() -> Result<Vec<Contestant<'a>>, Box<dyn Error>> {
    #[cfg(not(feature = "openssl"))]
    return Ok(Vec::new());
    #[cfg(feature = "openssl")]
    {
        let [_, _, aes] = openssl_ctr::bulk(1 << 16)?;
        Ok(vec![openssl_ctr::chacha(1 << 16)?, aes])
    }
}

/// Contestants agree where they compute the same.
fn check() -> Result<(), Box<dyn Error>> {
    let (mut a, mut b) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    stream::<CtrDrbg<Aes256>>().fill_bytes(&mut a);
    stream::<CtrDrbg<Aes256Soft>>().fill_bytes(&mut b);
    assert!(a == b, "the software's stream is the hardware's");
    Drbg::<CtrDrbg<Aes256>>::from_seed(&key()).generate(&mut b, &[])?;
    assert!(a == b, "the stream is the requests'");
    Aes256Ctr::new(&key()).fill_bytes(&mut a);
    Ctr128BE::<aes::Aes256Enc>::new(key().expose().into(), &[0; 16].into()).write_keystream(&mut b);
    assert!(a == b, "AES-256-CTR is the aes crate's");
    ChaCha20::new(&key()).fill_bytes(&mut b);
    #[cfg(feature = "openssl")]
    openssl_ctr::check(&a, &b)?;
    CrateChaCha20::new(&key()).fill_bytes(&mut a);
    assert!(a == b, "ChaCha20 is the chacha20 crate's");
    Ok(())
}

/// A sampler over each of the keystreams; the last contestant is ChaCha20 as it was, by the `chacha20` crate.
fn samplers() -> Result<(), Box<dyn Error>> {
    fn over<'a, R: Rng + 'a>(name: &str, sampler: &'a impl Sampler, rng: R) -> Contestant<'a> {
        let (mut bits, mut out) = (BitReader::new(rng), vec![0_i8; 8192]);
        let fill = move |_: &mut _| {
            let parts = (0..SAMPLES / out.len()).try_for_each(|_| sampler.fill(&mut bits, &mut out));
            parts.map_or(0, |()| taken(&out))
        };
        (name.into(), Box::new(fill))
    }
    fn all(title: &str, sampler: &impl Sampler) {
        let contestants = vec![
            over("aes128-ctr", sampler, Aes128Ctr::new(&key())),
            over("aes256-ctr", sampler, Aes256Ctr::new(&key())),
            over("ctr-drbg-aes256", sampler, stream::<CtrDrbg<Aes256>>()),
            over("chacha8", sampler, ChaCha8::new(&key())),
            over("chacha12", sampler, ChaCha12::new(&key())),
            over("chacha20", sampler, ChaCha20::new(&key())),
            over("ChaCha20 of the chacha20 crate", sampler, CrateChaCha20::new(&key())),
        ];
        contest(title, SAMPLES, Clock::Processor, contestants);
    }
    let law = DiscreteGaussian::with_sigma("3.2".parse()?)?;
    let guided = CdtGuided::from_table(build_guided(&law, &CdtGuidedOptions::default())?);
    let lazy = CdtLazyCt::from_table(build_lazy(&law, &CdtOptions::default())?);
    all("Over keystreams: cdt-guided, sigma = 3.2, 128 bits, to i8", &guided);
    all("Over keystreams: cdt-lazy-ct, sigma = 3.2, 128 bits, to i8", &lazy);
    Ok(())
}

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    check()?;
    for request in [1 << 16, 1 << 10] {
        #[cfg_attr(not(feature = "openssl"), allow(unused_mut))]
        let mut contestants = vec![
            bulk("aes128-ctr", request, Aes128Ctr::new(&key())),
            bulk("aes256-ctr", request, Aes256Ctr::new(&key())),
            bulk("ctr-drbg-aes256", request, stream::<CtrDrbg<Aes256>>()),
            generate::<CtrDrbg<Aes256>>("ctr-drbg-aes256", request),
            bulk("ctr-drbg-aes256-soft", request, stream::<CtrDrbg<Aes256Soft>>()),
            bulk("hash-drbg-sha256", request, stream::<HashDrbg<Sha256>>()),
            bulk("hash-drbg-sha512", request, stream::<HashDrbg<Sha512>>()),
            cipher(request),
        ];
        #[cfg(feature = "openssl")]
        contestants.extend(openssl_ctr::bulk(request)?);
        let title = format!("Sources by requests of {request} bytes, per 1000 bytes: millions are GB");
        contest(&title, BYTES / 1000, Clock::Processor, contestants);
        #[cfg_attr(not(feature = "openssl"), allow(unused_mut))]
        let mut contestants = vec![
            bulk("chacha8", request, ChaCha8::new(&key())),
            bulk("chacha12", request, ChaCha12::new(&key())),
            bulk("chacha20", request, ChaCha20::new(&key())),
            bulk("ChaCha20 of the chacha20 crate", request, CrateChaCha20::new(&key())),
        ];
        #[cfg(feature = "openssl")]
        contestants.push(openssl_ctr::chacha(request)?);
        let title = format!("ChaCha by requests of {request} bytes, per 1000 bytes: millions are GB");
        contest(&title, BYTES / 1000, Clock::Processor, contestants);
    }
    #[cfg_attr(not(feature = "openssl"), allow(unused_mut))]
    let mut contestants = vec![
        draws("aes256-ctr", Aes256Ctr::new(&key())),
        draws("ctr-drbg-aes256", stream::<CtrDrbg<Aes256>>()),
        draws("ctr-drbg-aes256-soft", stream::<CtrDrbg<Aes256Soft>>()),
        draws("hash-drbg-sha256", stream::<HashDrbg<Sha256>>()),
        draws("hash-drbg-sha512", stream::<HashDrbg<Sha512>>()),
        draws("chacha20", ChaCha20::new(&key())),
    ];
    #[cfg(feature = "openssl")]
    contestants.push(openssl_ctr::draws());
    contest("Sources, next_u64, per draw", DRAWS, Clock::Processor, contestants);
    samplers()
}
