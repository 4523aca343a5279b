//! The timing test: does the time of a case tell a fixed stream of bits from random ones?

use crate::cases::{Case, Claim};
use crate::secret::{Marks, Words, set_marks};
use samplez::{BitReader, BitSource, Seed};
use samplez_ct::welch::Welch;
use samplez_sources::ChaCha20;
use std::hint::black_box;
use std::time::Instant;

/// |t| from which the classes are taken to differ: p = 7e-6 for one normal variable.
const LIMIT: f64 = 4.5;
/// Times that set the limits of cropping.
const PILOT: usize = 10_000;
/// Words of a stream, after which it begins again.
const WORDS: usize = 4 * 540 + 32;

/// |t| after this many measurements. Each writes a stream, the fixed one or a fresh one at the
/// toss of a coin, to the same place, by the same operations, and times the case over it.
fn t(case: &Case, measurements: usize) -> f64 {
    let (work, marks) = case.work(Marks::Accepted);
    set_marks(marks);
    let mut random = BitReader::new(ChaCha20::new(&Seed::from_bytes([3; 32])));
    let (mut fixed, mut fresh, mut place) = (vec![0; WORDS], vec![0; WORDS], vec![0; WORDS]);
    random.words(&mut fixed);
    let mut measure = |pilot: bool| {
        random.words(&mut fresh);
        let class = random.bits(64) & 1;
        // The compiler must not see that it is one of two, lest it copy by a branch.
        let mask = black_box(if pilot { u64::MAX } else { class.wrapping_neg() });
        for ((place, fixed), fresh) in place.iter_mut().zip(&fixed).zip(&fresh) {
            *place = fixed & !mask | fresh & mask;
        }
        let words = Words::Replayed(black_box(&place), 0);
        let start = Instant::now();
        work.run(words);
        let time = start.elapsed().as_nanos() as f64;
        (class as usize, time)
    };
    let mut welch = Welch::new((0..PILOT).map(|_| measure(true).1).collect());
    for _ in 0..measurements {
        let (class, time) = measure(false);
        welch.push(class, time);
    }
    welch.t()
}

/// Times every case whose name holds `name` and prints a line for each; how many are not as
/// claimed. Leaks that show in addresses alone are memcheck's, and so are signatures.
pub(crate) fn all(cases: &[Case], measurements: usize, name: &str) -> usize {
    println!("{measurements} measurements each\n\n| case | backend | largest abs(t) | as claimed |\n|---|---|---|---|");
    let mut wrong = 0;
    for case in cases.iter().filter(|case| case.is_available() && case.name.contains(name) && case.is_timed) {
        let t = t(case, measurements);
        let right = (t < LIMIT) == (case.claim == Claim::Constant);
        wrong += usize::from(!right);
        println!("| {} | {} | {t:.2} | {} |", case.name, case.backend_name(), if right { "yes" } else { "NO" });
    }
    wrong
}
