//! The parts of every language's text: the limbs of a table, the bytes of a sample, and how they are compared.

use crate::files::Dtype;
use samplez_tables::{Entries, Line, PlainTable, TableForm, Whole};

/// Which entries a draw counts.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Count {
    /// u < T.
    Below,
    /// u <= T.
    NotAbove,
    /// u > T.
    Above,
    /// u >= T.
    NotBelow,
}

impl Count {
    pub(super) fn of(form: &TableForm) -> Count {
        match (form.entries == Entries::Head, form.inclusive) {
            (false, false) => Count::Below,
            (false, true) => Count::NotAbove,
            (true, false) => Count::NotBelow,
            (true, true) => Count::Above,
        }
    }

    pub(super) fn counts(self, draw: &Whole, entry: &Whole) -> bool {
        match self {
            Count::Below => draw < entry,
            Count::NotAbove => draw <= entry,
            Count::Above => draw > entry,
            Count::NotBelow => draw >= entry,
        }
    }

    pub(super) const fn sign(self) -> &'static str {
        match self {
            Count::Below => "<",
            Count::NotAbove => "<=",
            Count::Above => ">",
            Count::NotBelow => ">=",
        }
    }

    /// Whether the entry is what the draw is taken from, T - u.
    pub(super) fn entry_first(self) -> bool {
        matches!(self, Count::NotAbove | Count::Above)
    }

    /// Whether the entries that do not borrow are counted.
    pub(super) fn inverted(self) -> bool {
        matches!(self, Count::NotAbove | Count::NotBelow)
    }
}

/// The bytes of a sample, and their meaning.
pub(super) struct Layout {
    pub(super) precision: u32,
    /// Whether a bit is the sign.
    pub(super) signed: bool,
    /// Whether it comes before the draw, and not after it.
    pub(super) sign_first: bool,
    /// The bytes of a sample.
    pub(super) bytes: usize,
    pub(super) count: Count,
    /// The value of index 0, without a sign.
    pub(super) base: i64,
    /// Whether the centre lies between `base` and the integer below it.
    pub(super) between: bool,
}

impl Layout {
    pub(super) fn new(table: &PlainTable, sign_first: bool) -> Layout {
        let (form, center) = (table.form(), table.target().center());
        let signed = form.line == Line::Folded;
        let floor = i128::from(center.num()).div_euclid(i128::from(center.den())) as i64;
        Layout {
            precision: form.precision,
            signed,
            sign_first,
            bytes: (form.precision + u32::from(signed)).div_ceil(8) as usize,
            count: Count::of(form),
            base: form.first.unwrap_or(floor + i64::from(!center.is_integer())),
            between: signed && !center.is_integer(),
        }
    }

    /// The place of the sign's bit.
    pub(super) fn sign_bit(&self) -> usize {
        if self.sign_first { 0 } else { self.precision as usize }
    }

    /// The bytes that have bits of the draw.
    pub(super) fn draw_bytes(&self) -> usize {
        (self.precision + u32::from(self.sign_first)).div_ceil(8) as usize
    }

    /// The record of a draw, whose bits beyond the precision are ignored, and a sign.
    pub(super) fn record(&self, draw: &[u8], sign: bool) -> Vec<u8> {
        let mut record = vec![0; self.bytes];
        let first = usize::from(self.sign_first);
        let set = (0..self.precision as usize).filter(|i| draw.get(i / 8).is_some_and(|byte| byte >> (i % 8) & 1 == 1));
        for bit in set.map(|i| i + first).chain((self.signed && sign).then_some(self.sign_bit())) {
            record[bit / 8] |= 1 << (bit % 8);
        }
        record
    }
}

/// All of an emitted sampler.
pub(super) struct Model {
    pub(super) name: String,
    pub(super) facts: Vec<String>,
    pub(super) layout: Layout,
    pub(super) limb: u32,
    /// The limbs of each entry, the least significant first.
    pub(super) entries: Vec<Vec<u64>>,
    pub(super) dtype: Dtype,
    pub(super) vectors: Vec<(Vec<u8>, i64)>,
}
