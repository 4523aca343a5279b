//! Raw bytes of the sources: in bulk by requests of 64 KiB and of 1 KiB (what a `BitReader` asks
//! for), and in draws of 8 bytes.

use crate::contest::{Clock, Contestant, contest, seed};
use ctr::Ctr128BE;
use ctr::cipher::{KeyIvInit, StreamCipher};
use rand_core::Rng;
use samplez::sources::{
    Aes256, Aes256Soft, ChaCha20, CtrDrbg, Drbg, DrbgStream, HashDrbg, Mechanism, Seed, Sha256, Sha512,
};
use std::error::Error;

const BYTES: usize = 1 << 24;
const DRAWS: usize = 1 << 20;

/// The seed of every contestant but OpenSSL, which has its bytes as a key.
fn key() -> Seed {
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
fn bulk<'a, R: Rng + 'a>(name: &str, request: usize, mut rng: R) -> Contestant<'a> {
    let mut buffer = vec![0; 1 << 16];
    (name.into(), Box::new(move |_| requests(&mut buffer, request, |out| rng.fill_bytes(out))))
}

fn stream<M: Mechanism>() -> DrbgStream<M> {
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

#[cfg(feature = "openssl")]
mod openssl_ctr {
    use super::{BYTES, Contestant, DRAWS, key, requests};
    use openssl::error::ErrorStack;
    use openssl::rand::rand_bytes;
    use openssl::symm::{Cipher, Crypter, Mode};

    fn ctr() -> Result<Crypter, ErrorStack> {
        Crypter::new(Cipher::aes_256_ctr(), Mode::Encrypt, key().expose(), Some(&[0; 16]))
    }

    /// OpenSSL's own CTR_DRBG, and its AES-256 in counter mode, which is the baseline.
    pub(super) fn bulk<'a>(request: usize) -> Result<[Contestant<'a>; 2], ErrorStack> {
        let mut ctr = ctr()?;
        let (mut out, zeros) = (vec![0; 1 << 16], vec![0; 1 << 16]);
        let mut random = out.clone();
        Ok([
            (
                "OpenSSL RAND_bytes".into(),
                Box::new(move |_| requests(&mut random, request, |out| rand_bytes(out).expect("OpenSSL is seeded"))),
            ),
            (
                "OpenSSL AES-256-CTR".into(),
                Box::new(move |_| {
                    requests(&mut out, request, |out| {
                        ctr.update(&zeros[..out.len()], out).expect("the lengths agree");
                    })
                }),
            ),
        ])
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

    /// The baseline computes what the aes crate does.
    pub(super) fn check(expected: &[u8]) -> Result<(), ErrorStack> {
        let (mut out, zeros) = (vec![0; expected.len()], vec![0; expected.len()]);
        ctr()?.update(&zeros, &mut out)?;
        assert!(out == expected, "AES-256-CTR of OpenSSL and of the aes crate");
        assert!(BYTES.is_multiple_of(out.len()));
        Ok(())
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
    #[cfg(feature = "openssl")]
    {
        Ctr128BE::<aes::Aes256Enc>::new(key().expose().into(), &[0; 16].into()).write_keystream(&mut a);
        openssl_ctr::check(&a)?;
    }
    Ok(())
}

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    check()?;
    for request in [1 << 16, 1 << 10] {
        #[cfg_attr(not(feature = "openssl"), allow(unused_mut))]
        let mut contestants = vec![
            bulk("ctr-drbg-aes256", request, stream::<CtrDrbg<Aes256>>()),
            generate::<CtrDrbg<Aes256>>("ctr-drbg-aes256", request),
            bulk("ctr-drbg-aes256-soft", request, stream::<CtrDrbg<Aes256Soft>>()),
            bulk("hash-drbg-sha256", request, stream::<HashDrbg<Sha256>>()),
            bulk("hash-drbg-sha512", request, stream::<HashDrbg<Sha512>>()),
            bulk("chacha20", request, ChaCha20::new(&key())),
            cipher(request),
        ];
        #[cfg(feature = "openssl")]
        contestants.extend(openssl_ctr::bulk(request)?);
        let title = format!("Sources by requests of {request} bytes, per 1000 bytes: millions are GB");
        contest(&title, BYTES / 1000, Clock::Processor, contestants);
    }
    #[cfg_attr(not(feature = "openssl"), allow(unused_mut))]
    let mut contestants = vec![
        draws("ctr-drbg-aes256", stream::<CtrDrbg<Aes256>>()),
        draws("ctr-drbg-aes256-soft", stream::<CtrDrbg<Aes256Soft>>()),
        draws("hash-drbg-sha256", stream::<HashDrbg<Sha256>>()),
        draws("hash-drbg-sha512", stream::<HashDrbg<Sha512>>()),
        draws("chacha20", ChaCha20::new(&key())),
    ];
    #[cfg(feature = "openssl")]
    contestants.push(openssl_ctr::draws());
    contest("Sources, next_u64, per draw", DRAWS, Clock::Processor, contestants);
    Ok(())
}
