//! Times of BLISS's operations over ChaCha20, in microseconds, medians: `cargo run --release -p samplez-lattice --example speed`.
//!
//! The plain signer over `cdt-guided`, and in turns with it the signer without a timing leak over constant-time samplers, with the ratio.

use samplez_core::bits::BitReader;
use samplez_core::noise::Noise;
use samplez_core::samplers::{
    cdt_ct::CdtCt, cdt_guided::CdtGuided, cdt_lazy_ct::CdtLazyCt, convolution_ct::ConvolutionCt,
};
use samplez_lattice::Error;
use samplez_lattice::bliss::{B, Classic, Hash, IsochronousSigner, Kind, Profile, Set, Signer, SigningKey};
use samplez_sources::{ChaCha20, Seed};
use samplez_tables::{
    CdtGuidedOptions, CdtOptions, ConvolutionOptions, build_cdt, build_convolution, build_guided, build_lazy, parts,
};
use std::time::Instant;

type Failure = Box<dyn std::error::Error>;

/// The medians of `count` times each, taken in turns, in microseconds.
fn medians<const N: usize>(count: usize, mut run: impl FnMut(usize) -> Result<(), Error>) -> Result<[f64; N], Error> {
    let mut times = [const { Vec::new() }; N];
    for _ in 0..count {
        for (i, times) in times.iter_mut().enumerate() {
            let start = Instant::now();
            run(i)?;
            times.push(start.elapsed().as_nanos());
        }
    }
    Ok(times.map(|mut times| {
        times.sort_unstable();
        times[count / 2] as f64 / 1000.0
    }))
}

fn bliss<K: Kind>(set: Set, noises: [&dyn Noise; 4]) -> Result<(), Failure> {
    let (profile, message) = (Profile::Strongswan(Hash::Sha2_512), b"message");
    let mut rng = ChaCha20::new(&Seed::from_bytes([1; 32]));
    let [keygen] = medians(200, |_| SigningKey::<K>::generate(set, &mut rng).map(drop))?;
    let key = SigningKey::<K>::generate(set, &mut rng)?;
    let [fast, quiet @ ..] = noises;
    let signer = Signer::new(&key, profile, fast)?;
    let [one, two, three] = quiet.map(|noise| IsochronousSigner::new(&key, profile, noise));
    let isochronous = [one?, two?, three?];
    let (mut attempts, count) = ([0; 2], 2000);
    let signing: [f64; 4] = medians(count, |i| {
        let tried = match i {
            0 => signer.sign_counted(message, &mut rng),
            i => isochronous[i - 1].sign_counted(message, &mut rng),
        };
        tried.map(|(_, tries)| attempts[usize::from(i > 0)] += tries)
    })?;
    let signature = signer.sign(message, &mut rng)?;
    let [verify] = medians(count, |_| key.public_key().verify(profile, message, &signature))?;
    let mut y = vec![0_i16; 2 * 512];
    let mut bits = BitReader::new(&mut rng);
    let sampling: [f64; 4] = medians(count, |i| noises[i].fill(&mut bits, &mut y).map_err(|_| Error::Invalid))?;
    let attempts = [attempts[0] as f64 / count as f64, attempts[1] as f64 / (3 * count) as f64];
    println!(
        "{:<8} {:>3}  keygen {keygen:7.1}  verify {verify:6.1}  attempts {attempts:.3?}",
        K::VARIANT.to_string(),
        set.name()
    );
    let names = ["plain, cdt-guided", "isochronous, convolution-ct", "isochronous, cdt-ct", "isochronous, cdt-lazy-ct"];
    for (name, (signing_time, sampling)) in names.iter().zip(signing.iter().zip(sampling)) {
        let ratio = signing_time / signing[0];
        println!("    {name:<28} sign {signing_time:7.1} ({ratio:.2})  1024 samples {sampling:6.1}");
    }
    Ok(())
}

fn main() -> Result<(), Failure> {
    for set in [Set::I, Set::II, Set::III, Set::IV] {
        let (law, cdt) = (set.noise_law(), CdtOptions::default());
        let guided = CdtGuided::from_table(build_guided(&law, &CdtGuidedOptions::default())?);
        let table = build_convolution(&law, &ConvolutionOptions::constant_time())?;
        let base = parts(table.base(), 1 << 20)?;
        let convolution = ConvolutionCt::from_table(table, base)?;
        let inversion = CdtCt::from_table(build_cdt(&law, &cdt)?)?;
        let lazy = CdtLazyCt::from_table(build_lazy(&law, &cdt)?);
        let noises: [&dyn Noise; 4] = [&guided, &convolution, &inversion, &lazy];
        bliss::<B>(set, noises)?;
        bliss::<Classic>(set, noises)?;
    }
    Ok(())
}
