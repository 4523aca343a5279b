//! Keystreams and samplers at each position of the stack within a page.
//!
//! A kernel whose spills straddle pages at some positions is slow for as long as the process runs, and only there. So
//! the figure is the worst position's time over the median's.

use crate::contest::seed;
use cpu_time::ThreadTime;
use rand_core::Rng;
use samplez::{BitReader, DiscreteGaussian, Sampler};
use samplez_core::samplers::{CdtGuided, CdtLazyCt, Isochronous};
use samplez_sources::{Aes256Ctr, ChaCha20};
use samplez_tables::{CdtGuidedOptions, CdtOptions, build_guided, build_lazy};
use std::collections::BTreeMap;
use std::error::Error;
use std::hint::black_box;

const ROUNDS: usize = 20;
/// Calls deeper by a small frame each; their addresses cover a page in steps of 16 bytes.
const DEPTH: usize = 1024;

/// Runs `work` this many frames deeper, and returns the stack's address there.
#[inline(never)]
fn deeper(frames: usize, work: &mut dyn FnMut()) -> usize {
    let mut room = [0_u8; 16];
    black_box(&mut room);
    if frames == 0 {
        work();
        return room.as_ptr() as usize;
    }
    let address = deeper(frames - 1, work);
    black_box(&room);
    address
}

/// Prints the worst position's time over the median's; a position's time is the least of all rounds.
fn positions(name: &str, mut work: impl FnMut()) {
    let mut at = BTreeMap::new();
    for frames in 0..DEPTH {
        at.entry(deeper(frames, &mut || ()) % 4096).or_insert((frames, f64::INFINITY));
    }
    for _ in 0..ROUNDS {
        for (frames, least) in at.values_mut() {
            let mut elapsed = f64::INFINITY;
            deeper(*frames, &mut || {
                let start = ThreadTime::now();
                work();
                elapsed = start.elapsed().as_secs_f64();
            });
            *least = least.min(elapsed);
        }
    }
    let mut times: Vec<f64> = at.into_values().map(|(_, least)| least).collect();
    times.sort_by(f64::total_cmp);
    let (median, worst) = (times[times.len() / 2], times[times.len() - 1]);
    let slow = times.iter().filter(|time| **time > 1.1 * median).count();
    println!("| {name} | {} | {slow} | {:.3} |", times.len(), worst / median);
}

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    println!("\n| kernel | positions | slower by a tenth | worst / median |\n|---|---|---|---|");
    let mut buffer = vec![0_u8; 1 << 14];
    let mut chacha = ChaCha20::new(&seed(0));
    positions("chacha20", || {
        for _ in 0..4 {
            chacha.fill_bytes(black_box(&mut buffer));
        }
    });
    let mut aes = Aes256Ctr::new(&seed(0));
    positions("aes256-ctr", || {
        for _ in 0..4 {
            aes.fill_bytes(black_box(&mut buffer));
        }
    });
    let law = DiscreteGaussian::with_sigma("3.2".parse()?)?;
    let wide = DiscreteGaussian::with_sigma("215".parse()?)?;
    let mut out = vec![0_i16; 8192];
    let mut bits = BitReader::new(Aes256Ctr::new(&seed(0)));
    let guided = CdtGuided::from_table(build_guided(&law, &CdtGuidedOptions::default())?);
    positions("cdt-guided, 3.2, over aes256-ctr", || guided.fill(&mut bits, black_box(&mut out)).expect("it fits"));
    let lazy = CdtLazyCt::from_table(build_lazy(&law, &CdtOptions::default())?);
    positions("cdt-lazy-ct, 3.2, over aes256-ctr", || lazy.fill(&mut bits, black_box(&mut out)).expect("it fits"));
    let isochronous = Isochronous::new(&wide)?;
    positions("isochronous, 215, over aes256-ctr", || {
        isochronous.fill(&mut bits, black_box(&mut out)).expect("it fits")
    });
    Ok(())
}
