//! Measures what speeds/ holds, for the class of machines that this program is compiled for and runs on:
//! `lab/tools/speeds.sh` runs it for each. A line is `method,width,value,million samples a second`. Arguments are the methods to
//! measure; without any, all are.

use samplez::{Bulk, Int, Method, Noise, Recipe, Seed, Source};
use std::time::{Duration, Instant};

/// Every method takes some of these.
const LAWS: [(&str, &str); 9] = [
    ("sigma", "3.2"),
    ("sigma", "19.5"),
    ("sigma", "215"),
    ("sigma", "1000"),
    ("sigma", "160000"),
    ("sigma", "1073741824"),
    ("k_sigma2", "4"),
    ("k_sigma2", "254"),
    ("k_sigma2", "188388"),
];

const SAMPLES: usize = 1 << 14;
const TURNS: usize = 7;
const TURN: Duration = Duration::from_millis(20);

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    for method in Method::ALL.into_iter().filter(|of| wanted.is_empty() || wanted.iter().any(|name| name == of.name()))
    {
        for (name, value) in LAWS {
            let pairs = [(name, value), ("method", method.name())];
            let built = Recipe::from_pairs(pairs).and_then(|recipe| recipe.build());
            // What it refuses is not measured.
            let Ok(built) = built else { continue };
            let sampler = built.sampler();
            let speed = if sampler.fits::<i8>() {
                speed::<i8>(sampler)
            } else if sampler.fits::<i16>() {
                speed::<i16>(sampler)
            } else if sampler.fits::<i32>() {
                speed::<i32>(sampler)
            } else {
                speed::<i64>(sampler)
            };
            println!("{method},{name},{value},{speed:.3}");
        }
    }
}

/// The median of a few turns, over ChaCha20, to the narrowest integers.
fn speed<T: Int + Default>(sampler: &dyn Noise) -> f64 {
    let bulk = Bulk::new(sampler, Source::ChaCha20, Seed::from_bytes([0; 32]));
    let mut out = vec![T::default(); SAMPLES];
    let mut turn = || {
        let (start, mut samples) = (Instant::now(), 0);
        loop {
            bulk.fill(0, &mut out).expect("ChaCha20 does not fail, and the samples fit");
            samples += out.len();
            let elapsed = start.elapsed();
            if elapsed >= TURN {
                return samples as f64 / elapsed.as_secs_f64() / 1e6;
            }
        }
    };
    turn();
    let mut turns: Vec<f64> = (0..TURNS).map(|_| turn()).collect();
    turns.sort_by(f64::total_cmp);
    turns[TURNS / 2]
}
