//! Times of the schemes' operations over `cdt-guided` and ChaCha20, in microseconds, medians:
//! `cargo run --release -p samplez-lattice --example speed`.

use samplez_core::noise::Noise;
use samplez_core::samplers::cdt_guided::CdtGuided;
use samplez_lattice::bliss::{B, Classic, Hash, Kind, Profile, Set, Signer, SigningKey};
use samplez_sources::{ChaCha20, Seed};
use samplez_tables::{CdtGuidedOptions, build_guided};
use std::time::Instant;

type Failure = Box<dyn std::error::Error>;

/// The median of `count` times, in microseconds.
fn median(count: usize, mut run: impl FnMut() -> Result<(), Failure>) -> Result<f64, Failure> {
    let mut times = Vec::with_capacity(count);
    for _ in 0..count {
        let start = Instant::now();
        run()?;
        times.push(start.elapsed().as_nanos());
    }
    times.sort_unstable();
    Ok(times[count / 2] as f64 / 1000.0)
}

fn bliss<K: Kind>(set: Set, noise: &dyn Noise, profile: Profile) -> Result<(), Failure> {
    let mut rng = ChaCha20::new(&Seed::from_bytes([1; 32]));
    let keygen = median(200, || SigningKey::<K>::generate(set, &mut rng).map(drop).map_err(Into::into))?;
    let key = SigningKey::<K>::generate(set, &mut rng)?;
    let signer = Signer::new(&key, profile, noise)?;
    let (mut attempts, count) = (0, 2000);
    let sign = median(count, || {
        let (_, tries) = signer.sign_counted(b"message", &mut rng)?;
        attempts += tries;
        Ok(())
    })?;
    let signature = signer.sign(b"message", &mut rng)?;
    let verify = median(count, || Ok(key.public_key().verify(profile, b"message", &signature)?))?;
    let mut y = vec![0_i16; 2 * 512];
    let mut bits = samplez_core::bits::BitReader::new(&mut rng);
    let sampling = median(count, || Ok(noise.fill(&mut bits, &mut y)?))?;
    println!(
        "{:<8} {:>3}  keygen {keygen:7.1}  sign {sign:7.1}  verify {verify:6.1}  attempts {:.3}  1024 samples {sampling:.1}",
        K::VARIANT.to_string(),
        set.name(),
        attempts as f64 / count as f64
    );
    Ok(())
}

fn main() -> Result<(), Failure> {
    for set in [Set::I, Set::II, Set::III, Set::IV] {
        let noise = CdtGuided::from_table(build_guided(&set.noise_law(), &CdtGuidedOptions::default())?);
        let profile = Profile::Strongswan(Hash::Sha2_512);
        bliss::<B>(set, &noise, profile)?;
        bliss::<Classic>(set, &noise, profile)?;
    }
    Ok(())
}
