//! The bit layer over ChaCha20, beside its keystream alone.

use crate::contest::{Clock, Contestant, contest, seed};
use rand_core::Rng;
use samplez::BitSource;
use samplez_sources::ChaCha20;
use std::error::Error;
use std::hint::black_box;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let draws = 1 << 20;
    let mut contestants: Vec<Contestant<'_>> = [1, 13, 32, 64]
        .into_iter()
        .map(|n| -> Contestant<'_> {
            (format!("bits({n})"), Box::new(move |bits| (0..draws).fold(0, |sum, _| sum ^ bits.bits(n))))
        })
        .collect();
    let mut words = vec![0; draws];
    contestants.push((
        "words, 64 bits".into(),
        Box::new(move |bits| {
            bits.words(&mut words);
            words[0]
        }),
    ));
    let mut bytes = vec![0; 8 * draws];
    for size in [1024, 4096, 16384] {
        let mut buffer = vec![0; size];
        contestants.push((
            format!("keystream in requests of {size} bytes, 8 bytes"),
            Box::new(move |_| {
                let mut rng = ChaCha20::new(&seed(0));
                for _ in 0..8 * draws / size {
                    rng.fill_bytes(&mut buffer);
                    black_box(&mut buffer);
                }
                buffer[0].into()
            }),
        ));
    }
    contestants.push((
        "keystream alone, 8 bytes".into(),
        Box::new(move |_| {
            ChaCha20::new(&seed(0)).fill_bytes(&mut bytes);
            bytes[0].into()
        }),
    ));
    contest("Bit layer over ChaCha20, per draw", draws, Clock::Processor, contestants);
    Ok(())
}
