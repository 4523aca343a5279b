//! The noise of BFV as fhe-util draws it, and as samplez does: from the same generator every integer must be the same.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::time::{Duration, Instant};

/// fhe.rs's default variance, and the coefficients of a polynomial.
const VARIANCE: usize = 10;
const DEGREE: usize = 8192;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    let [before, after] = &paths[..] else { return Err("expected two paths, for the integers before and after".into()) };
    for (variance, size) in (1..=16).flat_map(|variance| [0, 1, 2, 7, 100, 4097].map(|size| (variance, size))) {
        let rng = || ChaCha8Rng::seed_from_u64(variance as u64);
        let theirs = before::sample_vec_cbd(size, variance, &mut rng())?;
        assert_eq!(theirs, after::sample_vec_cbd(size, variance, &mut rng())?, "variance {variance}, {size} integers");
    }
    let mut times = [Duration::MAX; 2];
    let mut texts = [String::new(), String::new()];
    let write = |text: &mut String, noise: Vec<i64>| noise.iter().for_each(|x| *text += &format!("{x}\n"));
    for seed in 0..1000 {
        let (mut theirs, mut ours) = (ChaCha8Rng::seed_from_u64(seed), ChaCha8Rng::seed_from_u64(seed));
        let start = Instant::now();
        let noise = before::sample_vec_cbd(DEGREE, VARIANCE, &mut theirs)?;
        times[0] = times[0].min(start.elapsed());
        let start = Instant::now();
        let replaced = after::sample_vec_cbd(DEGREE, VARIANCE, &mut ours)?;
        times[1] = times[1].min(start.elapsed());
        assert_eq!(noise, replaced, "seed {seed}");
        if seed < 125 {
            write(&mut texts[0], noise);
            write(&mut texts[1], replaced);
        }
    }
    std::fs::write(before, &texts[0])?;
    std::fs::write(after, &texts[1])?;
    let [before, after] = times.map(|time| time.as_secs_f64() * 1e9 / DEGREE as f64);
    println!("  the same integers; at least {before:.2} ns a coefficient before, {after:.2} ns after");
    Ok(())
}
