//! Pairs of values in windows, counted for bets on order.

use super::cells::{Cells, KIND_BITS};

/// Values of a window.
pub(super) const WINDOW: usize = 4096;

/// The first windows are all counted, and one in [`ONE_IN`] of the others.
const FIRST: u64 = 64;
const ONE_IN: u64 = 64;

/// How many places before its follower a value is.
pub(super) const LAGS: [usize; 23] =
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 32, 64, 128, 256, 512, 1024, 2048];

/// What a value's kind is bet on from: the kind of the value at each lag, that of the last two together, and the place modulo 16.
pub(super) const CONTEXTS: usize = LAGS.len() + 2;

/// Classes of values by their probability, for bets on equal values.
pub(super) const CLASSES: usize = 16;

/// Counters of a context: for each bit of the context and each of the value, how often they are 00, 01, 10, 11.
pub(super) const KIND_COUNTERS: usize = KIND_BITS * KIND_BITS * 4;

/// Counters of a lag: for each class of the earlier value, how often its follower differs, and how often it is equal.
pub(super) const EQUAL_COUNTERS: usize = CLASSES * 2;

/// All counters of pairs.
pub(super) const COUNTERS: usize = CONTEXTS * KIND_COUNTERS + LAGS.len() * EQUAL_COUNTERS;

/// The name of a context.
pub(super) fn context(number: usize) -> String {
    match LAGS.get(number) {
        Some(lag) => format!("x at lag {lag}"),
        None if number == LAGS.len() => "x at lags 1 and 2 together".into(),
        None => "the place modulo 16".into(),
    }
}

/// The window that is being read.
#[derive(Clone, Debug, Default)]
pub(super) struct Window {
    /// The place of the first value, modulo 16.
    place: u8,
    cells: Vec<u16>,
    kinds: Vec<u8>,
    /// The values whose pairs are counted.
    counted: usize,
}

/// Whether the window with this place is counted: a rule that never looks at values.
pub(super) const fn is_counted(place: u64) -> bool {
    let number = place / WINDOW as u64;
    number < FIRST || number.is_multiple_of(ONE_IN)
}

impl Window {
    /// Adds the value at this place of the stream.
    #[inline]
    pub(super) fn push(&mut self, place: u64, index: usize, kind: u8) {
        if self.cells.is_empty() {
            self.place = (place % 16) as u8;
        }
        self.cells.push(index as u16);
        self.kinds.push(kind);
    }

    /// Counts the pairs whose second value is new.
    pub(super) fn count(&mut self, classes: &[u8], counters: &mut [u64]) {
        let (cells, kinds, from) = (&self.cells, &self.kinds, self.counted);
        let (of_kinds, of_equal) = counters.split_at_mut(CONTEXTS * KIND_COUNTERS);
        if from == cells.len() {
            return;
        }
        for (number, lag) in LAGS.into_iter().enumerate() {
            let new = from.max(lag)..cells.len();
            fold(
                &mut of_kinds[number * KIND_COUNTERS..][..KIND_COUNTERS],
                new.clone().map(|i| (kinds[i - lag], kinds[i])),
            );
            let equal = &mut of_equal[number * EQUAL_COUNTERS..][..EQUAL_COUNTERS];
            for i in new {
                let before = cells[i - lag];
                equal[usize::from(classes[usize::from(before)]) * 2 + usize::from(before == cells[i])] += 1;
            }
        }
        let [both, place] = [0, 1].map(|more| (LAGS.len() + more) * KIND_COUNTERS);
        let two = (from.max(2)..cells.len()).map(|i| (kinds[i - 1] ^ kinds[i - 2], kinds[i]));
        fold(&mut of_kinds[both..][..KIND_COUNTERS], two);
        let places = (from..cells.len()).map(|i| (self.place.wrapping_add(i as u8) % 16, kinds[i]));
        fold(&mut of_kinds[place..][..KIND_COUNTERS], places);
        self.counted = self.cells.len();
    }

    /// Forgets its values, all of whose pairs are counted.
    pub(super) fn clear(&mut self) {
        (self.counted, self.place) = (0, 0);
        self.cells.clear();
        self.kinds.clear();
    }
}

/// Adds pairs of kinds to the counters of their bits.
fn fold(counters: &mut [u64], pairs: impl Iterator<Item = (u8, u8)>) {
    let mut table = [0_u64; 1 << (2 * KIND_BITS)];
    pairs.for_each(|(from, to)| table[usize::from(from) << KIND_BITS | usize::from(to)] += 1);
    for (pair, count) in table.into_iter().enumerate().filter(|(_, count)| *count > 0) {
        for from in 0..KIND_BITS {
            for to in 0..KIND_BITS {
                let bits = (pair >> KIND_BITS >> from & 1) * 2 + (pair >> to & 1);
                counters[(from * KIND_BITS + to) * 4 + bits] += count;
            }
        }
    }
}

/// The class of each cell: steps of √2 of its probability below the largest.
pub(super) fn classes(cells: &Cells) -> Vec<u8> {
    let most = cells.above.iter().copied().fold(0.0, f64::max);
    let class = |p: &f64| ((2.0 * libm::log2(most / p)) as usize).min(CLASSES - 1) as u8;
    cells.above.iter().map(class).collect()
}
