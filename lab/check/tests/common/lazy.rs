//! Lazy inversion by its definition, in plain integers, with nothing of the library: a table of fewer than 120 bits split
//! in two, and batches of any size made of given draws.

use samplez_core::table::{CdtTable, Shape};

pub(crate) struct Model {
    pub(crate) folded: bool,
    pub(crate) first: i64,
    /// m.
    pub(crate) spare_bits: u32,
    /// D_0, D_1, …, and F_0, F_1, …
    pub(crate) d: Vec<u128>,
    pub(crate) f: Vec<u128>,
    /// Bits of w.
    pub(crate) fine_bits: u32,
}

impl Model {
    /// `t` are T_1, T_2, … of `precision` bits.
    pub(crate) fn new(folded: bool, first: i64, lead_bits: u32, precision: u32, t: &[u128]) -> Self {
        let shift = lead_bits.saturating_sub(precision);
        let unit = precision + shift - lead_bits;
        let mut t: Vec<u128> = t.iter().map(|t| t << shift).collect();
        t.insert(0, 1 << (precision + shift));
        let mass: Vec<u128> = (0..t.len()).map(|j| t[j] - t.get(j + 1).copied().unwrap_or(0)).collect();
        let mut cells: Vec<u128> = mass.iter().map(|p| p >> unit).collect();
        let left = (1_u128 << lead_bits) - cells.iter().sum::<u128>();
        let spare_bits = (0..).find(|m| 1_u128 << m >= left.max(1)).unwrap();
        let mut surplus = (1 << spare_bits) - left;
        for cells in cells.iter_mut().rev() {
            let taken = surplus.min(*cells);
            (*cells, surplus) = (*cells - taken, surplus - taken);
        }
        let d: Vec<u128> = (0..cells.len()).map(|j| cells[j..].iter().sum()).collect();
        let f = t.iter().zip(&d).map(|(t, d)| t - (d << unit)).collect();
        Model { folded, first, spare_bits, d, f, fine_bits: unit + spare_bits }
    }

    pub(crate) fn of_table(table: &CdtTable<Vec<u32>>) -> Self {
        let precision = table.precision();
        assert!(precision < 120);
        let (heads, tails) = table.digits().split_at(table.len());
        let more = precision.div_ceil(32) as usize - 1;
        let t: Vec<u128> = (0..table.len())
            .map(|j| {
                let digits = std::iter::once(&heads[j]).chain(&tails[j * more..][..more]);
                digits.fold(0, |t, digit| t << 32 | u128::from(*digit)) >> (32 * (more as u32 + 1) - precision)
            })
            .collect();
        let folded = table.shape() == Shape::Folded;
        Model::new(folded, table.first(), if folded { 15 } else { 16 }, precision, &t)
    }

    /// The index of v, if it decides.
    pub(crate) fn decided(&self, v: u128) -> Option<usize> {
        (v < self.d[0]).then(|| self.d[1..].iter().filter(|d| v < **d).count())
    }

    pub(crate) fn index(&self, w: u128) -> usize {
        self.f[1..].iter().filter(|f| w < **f).count()
    }

    /// The samples of these (sign, v), in rows of `columns`, and slots' w. Open samples beyond the last slot take further w of `more`.
    pub(crate) fn batch(
        &self,
        columns: usize,
        draws: &[(bool, u128)],
        slots: &[u128],
        more: impl FnMut() -> u128,
    ) -> Vec<i64> {
        let mut out = vec![0; draws.len()];
        let mut slots = slots.iter().copied().chain(std::iter::repeat_with(more));
        for column in 0..columns {
            for at in (column..draws.len()).step_by(columns) {
                let (negative, v) = draws[at];
                let index = match self.decided(v) {
                    Some(index) => index,
                    None => self.index(slots.next().expect("there is always one more")),
                } as i64;
                out[at] = self.first + if self.folded && negative { -index } else { index };
            }
        }
        out
    }
}
