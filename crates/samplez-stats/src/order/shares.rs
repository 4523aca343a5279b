//! Shares of the tests of order, for verifiers without common memory: tasks, and their state as words.

use super::lags::{Lags, Sum};
use super::longest::Longest;
use super::patterns::Patterns;
use super::spectrum::Spectrum;
use super::stretches::Stretches;
use crate::MAX_SHARES;

/// The tasks of the order of values.
pub(super) const TASKS: usize = 11;

/// All tasks.
pub(super) const ALL: u32 = (1 << TASKS) - 1;

/// The time of each task, about, as measured in WebAssembly; 0 for one that only the first share has. The state of the others is a fixed
/// number of words.
const TIMES: [u32; TASKS] = [0, 1, 1, 1, 1, 0, 0, 1, 0, 1, 1];

/// The time of the first share's own tasks together.
const FIXED: u32 = 8;

/// Bit i: whether a share, one of so many, has the i-th task. The longest tasks go first, each to the share with the least time.
pub(super) fn tasks(share: usize, of: usize) -> u32 {
    let of = of.clamp(1, MAX_SHARES);
    let mut times = [u32::MAX; MAX_SHARES];
    times[..of].fill(0);
    times[0] = FIXED;
    let mut order: [usize; TASKS] = core::array::from_fn(|i| i);
    order.sort_by_key(|task| (u32::MAX - TIMES[*task], *task));
    let mut bits = 0;
    for task in order {
        let to = match TIMES[task] {
            0 => 0,
            _ => (0..of).min_by_key(|share| times[*share]).unwrap_or(0),
        };
        times[to] += TIMES[task];
        bits |= u32::from(to == share) << task;
    }
    bits
}

/// The parts whose state moves.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) lags: Lags,
    pub(super) patterns: Patterns,
    pub(super) spectrum: Spectrum,
    pub(super) stretches: Stretches,
    pub(super) longest: Longest,
}

impl Parts {
    /// Calls `visit` with each number of the state, in a fixed order. It may change the number.
    pub(super) fn each(&mut self, visit: &mut dyn FnMut(&mut u64)) {
        let Lags { products, equal, alike } = &mut self.lags;
        for sum in products.as_flattened_mut().iter_mut().chain(equal).chain([alike]) {
            let Sum { total, pairs, links } = sum;
            signed(total, visit);
            visit(pairs);
            visit(links);
        }
        self.patterns.each(visit);
        self.longest.each(visit);
        let Stretches { most, count } = &mut self.stretches;
        let mut word = u64::from(*most);
        visit(&mut word);
        *most = word as u16;
        visit(count);
        let Spectrum { walsh, fourier, windows, sums, summed } = &mut self.spectrum;
        let energies = walsh.iter_mut().flat_map(|each| each.iter_mut());
        for energy in energies.chain(fourier.iter_mut().flat_map(|each| each.iter_mut())) {
            let mut word = energy.to_bits();
            visit(&mut word);
            *energy = f64::from_bits(word);
        }
        visit(windows);
        visit(summed);
        for sum in sums {
            signed(&mut sum.total, visit);
            let [mut low, mut high] = [sum.squares as u64, (sum.squares >> 64) as u64];
            visit(&mut low);
            visit(&mut high);
            sum.squares = (u128::from(high) << 64 | u128::from(low)) as i128;
            let (mut least, mut greatest) = sum.extremes.unwrap_or_default();
            let mut any = u64::from(sum.extremes.is_some());
            visit(&mut any);
            signed(&mut least, visit);
            signed(&mut greatest, visit);
            sum.extremes = (any == 1).then_some((least, greatest));
        }
    }
}

fn signed(x: &mut i64, visit: &mut dyn FnMut(&mut u64)) {
    let mut word = *x as u64;
    visit(&mut word);
    *x = word as i64;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_task_has_one_share() {
        for of in 1..10 {
            let shares: Vec<u32> = (0..of).map(|share| tasks(share, of)).collect();
            assert_eq!(shares.iter().map(|bits| bits.count_ones()).sum::<u32>() as usize, TASKS, "{of}");
            assert_eq!(shares.iter().fold(0, |all, bits| all | bits), ALL);
            assert!(shares.iter().take(MAX_SHARES).all(|bits| *bits > 0), "{of}: {shares:?}");
        }
    }

    /// Numbers of every size come back.
    #[test]
    fn words_are_the_state() {
        let (mut parts, mut state) = (Parts::default(), 1_u64);
        let mut given = Vec::new();
        parts.each(&mut |word| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            given.push(state);
            *word = state;
        });
        let mut words = Vec::new();
        parts.each(&mut |word| words.push(*word));
        // A 16-bit number, and flags that are not 1 with their two numbers.
        let changed = given.iter().zip(&words).filter(|(a, b)| a != b).count();
        assert!(words.len() == given.len() && changed <= 1 + 3 * 3, "{changed}");
        let mut again = Parts::default();
        let mut rest = words.iter();
        again.each(&mut |word| *word = *rest.next().unwrap());
        let mut back = Vec::new();
        again.each(&mut |word| back.push(*word));
        assert_eq!(back, words);
    }
}
