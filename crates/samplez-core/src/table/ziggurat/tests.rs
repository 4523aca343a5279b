//! What a partition's words say, and which are none.

use super::*;
use crate::fixtures::BOUND;
use crate::params::{DiscreteGaussian, Rational};
use std::string::ToString;
use std::vec::Vec;

/// The words of a height, a number of 0 to 1 without its integer bit, in units of 2^-n for n <= 120.
fn left_aligned(height: u128, n: u32) -> Vec<u32> {
    let each = n.div_ceil(32);
    (1..=each).map(|i| (height << (32 * each - n) >> (32 * (each - i))) as u32).collect()
}

/// Three rectangles over the columns 0, 1 to 2 and 3 to 4, with heights stored in n bits.
struct Small {
    n: u32,
    /// X_i + 1.
    columns: [u32; 4],
    /// y_0 - 1, y_1, y_2; R(1) to R(4).
    edges: [u128; 3],
    heights: [u128; 4],
}

impl Small {
    fn new(n: u32) -> Self {
        let part = |sixteenths: u128| (sixteenths << n >> 4) + u128::from(n > 9) * sixteenths;
        Small { n, columns: [0, 1, 3, 5], edges: [part(2), part(11), part(5)], heights: [14, 10, 6, 1].map(part) }
    }

    fn words(&self) -> Vec<u32> {
        let heights = self.edges.iter().chain(&self.heights).flat_map(|height| left_aligned(*height, self.n));
        self.columns.into_iter().chain(heights).collect()
    }

    fn parts(&self) -> ZigguratParts {
        ZigguratParts {
            target: DiscreteGaussian::with_sigma(Rational::from(2)).unwrap(),
            bound: BOUND,
            expected_trials: 1.5,
            precision: self.n,
            omega: self.n + 1,
            rectangles: 3,
            chord: None,
            stored: true,
        }
    }

    fn made(&self) -> Result<ZigguratTable<Vec<u32>>, TableError> {
        ZigguratTable::new(self.parts(), self.words())
    }
}

/// A height as an integer.
fn whole(height: Height) -> u128 {
    u128::from(height[0]) | u128::from(height[1]) << 64
}

#[test]
fn words_are_read_back() {
    for n in [4, 31, 32, 33, 63, 64, 65, 96, 100, 120] {
        let small = Small::new(n);
        let table = small.made().unwrap();
        let (view, one, each) = (table.view(), 1_u128 << n, n.div_ceil(32) as usize);
        let edges = [small.edges[0] + one, small.edges[1], small.edges[2], 0, 0];
        for (i, edge) in edges.into_iter().enumerate() {
            assert_eq!(whole(view.edge_height(i)), edge, "{n} bits, edge {i}");
            // In units of 2^-63.
            let head = if n > 63 { edge >> (n - 63) } else { edge << (63 - n) };
            assert_eq!(u128::from(view.edge_head(i)), head, "{n} bits, edge {i}");
        }
        assert_eq!((whole(view.height(0)), view.height_bracket(0)), (one, (1 << 63, 1 << 63)));
        for (x, height) in (1..).zip(small.heights) {
            let head = (if n > 63 { height >> (n - 63) } else { height << (63 - n) }) as u64;
            assert_eq!((whole(view.height(x)), view.height_bracket(x)), (height, (head, head)), "{n} bits, {x}");
        }
        assert_eq!((view.columns(0), view.columns(2), view.support()), ((0, 1), (3, 5), -4..=4));
        assert_eq!((view.bytes(), view.words()), (4 * (4 + 7 * each), &small.words()[..]));
        assert_eq!((view.center(), view.chords(), view.head_bits()), (0, (0, 3), (n + 1).min(64)));
        assert_eq!((view.parts(), table.clone().with_head_bits(3).head_bits()), (&small.parts(), 3));
    }
}

#[test]
fn heights_are_computed_from_the_constant() {
    let small = Small::new(70);
    // log2(e)/(2·2²)
    let constant = std::f64::consts::LOG2_E / 8.0;
    let fraction = (constant * 2_f64.powi(52)) as u128;
    let mut words = small.words()[..4 + 9].to_vec();
    words.push(0);
    words.extend(left_aligned(fraction, 52));
    words.resize(4 + 9 + kappa_words(70), 0);
    assert_eq!(kappa_words(70), 1 + 6);
    let parts = ZigguratParts { stored: false, ..small.parts() };
    let table = ZigguratTable::new(parts, words.clone()).unwrap();
    for x in 0..5 {
        let (height, exact) = (whole(table.height(x)) as f64 / 2_f64.powi(70), (-f64::from(x * x) / 8.0).exp());
        assert!((height - exact).abs() < 1e-12, "{x}: {height}");
        let (low, high) = table.height_bracket(x);
        assert!(u128::from(low) <= whole(table.height(x)) >> 7 && u128::from(high) >= whole(table.height(x)) >> 7);
        assert!((low as f64 / 2_f64.powi(63) - exact).abs() < 1e-12 && high - low < 1 << 20, "{x}");
    }
    words[13..].fill(0);
    assert_eq!(ZigguratTable::new(parts, words.clone()).unwrap_err(), TableError::Constant);
    words.push(0);
    let wrong = TableError::Length { part: "words", given: 21, unit: "", expected: 20 };
    assert_eq!(ZigguratTable::new(parts, words).unwrap_err(), wrong);
}

#[test]
fn parts_out_of_range_are_refused() {
    let small = Small::new(40);
    let with = |parts: ZigguratParts| match ZigguratTable::new(parts, small.words()).unwrap_err() {
        TableError::Param(error) => error.to_string(),
        other => other.to_string(),
    };
    for (parts, words) in [
        (ZigguratParts { precision: 0, ..small.parts() }, "precision"),
        (ZigguratParts { precision: 257, omega: 300, ..small.parts() }, "precision"),
        (ZigguratParts { omega: 39, ..small.parts() }, "omega"),
        (ZigguratParts { omega: 513, ..small.parts() }, "omega"),
        (ZigguratParts { rectangles: 1, ..small.parts() }, "rectangles"),
        (ZigguratParts { rectangles: (1 << 16) + 1, ..small.parts() }, "rectangles"),
        (ZigguratParts { chord: Some(Chord { accept_to: 4, reject_after: 1 }), ..small.parts() }, "chord"),
        (ZigguratParts { chord: Some(Chord { accept_to: 1, reject_after: 4 }), ..small.parts() }, "chord"),
    ] {
        assert!(with(parts).starts_with(words), "{}", with(parts));
    }
    let half = DiscreteGaussian::new(Rational::new(1, 2).unwrap(), small.parts().target.width()).unwrap();
    assert!(with(ZigguratParts { target: half, ..small.parts() }).contains("center"));
    let chord = Chord { accept_to: 3, reject_after: 2 };
    let parts = ZigguratParts { chord: Some(chord), omega: 512, ..small.parts() };
    let table = ZigguratTable::new(parts, small.words()).unwrap();
    assert_eq!((table.chords(), table.head_bits()), ((3, 2), 64));
    let most = ZigguratParts { rectangles: 1 << 16, ..small.parts() };
    assert!(with(most).starts_with("words: got 18, expected"), "{}", with(most));
}

#[test]
fn supports_at_the_ends() {
    let small = Small::new(40);
    let at = |center: &str| {
        let target = DiscreteGaussian::new(center.parse().unwrap(), small.parts().target.width()).unwrap();
        ZigguratTable::new(ZigguratParts { target, ..small.parts() }, small.words())
            .map(|table| (table.center(), table.support()))
    };
    assert_eq!(at("9223372036854775803").unwrap(), (i64::MAX - 4, i64::MAX - 8..=i64::MAX));
    assert_eq!(at("9223372036854775804").unwrap_err(), TableError::Support { of: "table" });
    assert_eq!(at("-9223372036854775804").unwrap(), (i64::MIN + 4, i64::MIN..=i64::MIN + 8));
    assert_eq!(at("-9223372036854775805").unwrap_err(), TableError::Support { of: "table" });
}

#[test]
fn words_that_are_no_table_are_refused_at_their_place() {
    let small = Small::new(40);
    let edges = |columns| Small { columns, ..Small::new(40) }.made().unwrap_err();
    assert_eq!(edges([1, 1, 3, 5]), TableError::Edges { index: 0 });
    assert_eq!(edges([0, 0, 3, 5]), TableError::Edges { index: 1 });
    assert_eq!(edges([0, 3, 2, 5]), TableError::Edges { index: 2 });
    assert_eq!(edges([0, 1, 6, 5]), TableError::Edges { index: 3 });
    assert!(Small { columns: [0, 3, 3, 5], ..Small::new(40) }.made().is_ok());
    for columns in [0_u32, 4, 6] {
        let columns = [0, 1, 3, columns];
        let expected = 4 + 2 * (3 + columns[3].saturating_sub(1) as usize);
        assert_eq!(edges(columns), TableError::Length { part: "words", given: 18, unit: "", expected });
    }
    // As many columns as there can be, and one more.
    let many = |columns| {
        let mut words = small.words();
        words[3] = columns;
        words.resize(4 + 2 * (3 + columns as usize - 1), 0);
        ZigguratTable::new(small.parts(), words).map(|table| table.support())
    };
    assert_eq!(many(MAX_COLUMNS), Ok(1 - i64::from(MAX_COLUMNS)..=i64::from(MAX_COLUMNS) - 1));
    assert_eq!(many(MAX_COLUMNS + 1), Err(TableError::Edges { index: 3 }));
    for (i, place) in [5, 7, 9, 11, 13, 15, 17].into_iter().enumerate() {
        let mut words = small.words();
        words[place] |= 1;
        let refused = ZigguratTable::new(small.parts(), words.clone()).unwrap_err();
        assert_eq!(refused, TableError::LooseBits { entry: "height", index: i });
        words[place] = small.words()[place] ^ 1 << 24;
        assert!(ZigguratTable::new(small.parts(), words).is_ok());
    }
    for (edges, refused) in [
        ([0, small.edges[2], small.edges[2]], Some(TableError::Heights { index: 1 })),
        ([0, small.edges[2], small.edges[1]], Some(TableError::Heights { index: 1 })),
        ([0, small.edges[1], 0], Some(TableError::Heights { index: 2 })),
        ([0, (1 << 40) - 1, 1], None),
    ] {
        assert_eq!(Small { edges, ..Small::new(40) }.made().err(), refused);
    }
    // 2 - 2^-n above nothing.
    let high = |n: u32, below: u128| {
        let edges = [(1 << n) - 1, below, 0];
        let parts = ZigguratParts { rectangles: 2, ..Small::new(n).parts() };
        let small = Small::new(n);
        let heights = edges[..2].iter().chain(&small.heights[..2]);
        let words = [0, 1, 3].into_iter().chain(heights.flat_map(|height| left_aligned(*height, n)));
        ZigguratTable::new(parts, words.collect::<Vec<_>>()).map(|table| table.edge_head(0))
    };
    assert_eq!((high(70, 1), high(63, 1)), (Err(TableError::TooHigh), Ok(u64::MAX)));
    assert_eq!(high(70, 1 << 7), Ok(u64::MAX));
}
