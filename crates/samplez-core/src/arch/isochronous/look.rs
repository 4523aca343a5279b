//! A first look at trials, which decides all of them but one in 256.
//!
//! The leading 16 bits of a trial's v name a cell of its strip. The look computes the trial's goal in 16 bits. The cells
//! below a window around this number accept, and those above it reject. The cells in the window stay open, as do all
//! cells of the strips of weight 1. The windows of a law have 256 cells in all, for every u and b. So an open trial can be forgotten
//! and replaced by a fresh one from the open cells, a *slot*, which has been decided before.

use super::trial::{Envelope, KEYS};
use crate::arch::vector::{ByteVector, Machine, VectorKernel};

/// Trials of a row.
pub(crate) const ROW: usize = 64;
/// Open cells of a law.
pub(crate) const OPEN_CELLS: u32 = 256;
/// The polynomial of degree 3 that is 2^-x for x < 1, all in units of 2^-15: |coefficients| from x^0 up, their signs
/// alternate. With rounded products it is within 3.2 units.
const COEFFICIENTS: [u16; 4] = [0x7fff, 22_666, 7594, 1313];
/// The bit of a strip's byte that marks a rejected trial.
const REJECTED: u8 = 0x40;
/// The bit that marks an open one.
const OPEN: u8 = 0x80;

/// The constants of a law's first look, beside its [`Envelope`]. The arrays have an entry for each strip of weight above 1,
/// and one for the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Look {
    /// The number of open cells beyond each strip, without the cells of the strips of weight 1.
    pub(crate) cells: [u16; KEYS],
    /// Strips of weight above 1.
    pub(crate) wide: u16,
    /// ⌊w/2⌋, less the remainder that is in the first weight.
    pub(crate) halves: [u16; KEYS],
    /// 2cj in units of 2^-t where not all of the strip is open.
    pub(crate) slopes: [u16; KEYS],
    /// The open cells of the strip, m,
    pub(crate) windows: [u16; KEYS],
    /// and where they begin at most: w - m.
    pub(crate) caps: [u16; KEYS],
    /// How far the window begins below the goal.
    pub(crate) margin: u16,
    /// c in units of 2^-t.
    pub(crate) square: u16,
    /// t: 12 to 14.
    pub(crate) unit: u32,
    /// o/K for o = f and o = 1 - f, in units of 2^-15.
    pub(crate) offsets: [u16; 2],
    /// The leading k bits of 16, at most 15.
    pub(crate) mask: u16,
}

/// The strips' lower ends and the law's constants, in registers.
#[derive(Clone, Copy)]
struct Shared<V: ByteVector> {
    keys: V::Keys16,
    ends: V::Table16,
    ones: V,
    wide: V,
    halves: V::Table16,
    slopes: V::Table16,
    windows: V::Table16,
    caps: V::Table16,
    margin: V,
    square: V,
    unit: u32,
    /// The lower side's, and the difference to the upper side's.
    offsets: [V; 2],
    mask: V,
}

/// The strips of P pairs of registers of cells.
struct Found<V, const P: usize> {
    z0: [[V; 2]; P],
    /// The strips' indices among a [`Look`]'s entries.
    index: [[V; 2]; P],
    /// Their lower ends.
    lower: [[V; 2]; P],
}

impl<V: ByteVector> Shared<V> {
    /// For the search among these keys.
    #[inline(always)]
    fn new(keys: &[u16; KEYS], ones: u16, look: &Look) -> Self {
        let [lower, upper] = look.offsets;
        Shared {
            keys: V::keys16(keys),
            ends: V::table16(keys),
            ones: V::splat16(ones),
            wide: V::splat16(look.wide),
            halves: V::table16(&look.halves),
            slopes: V::table16(&look.slopes),
            windows: V::table16(&look.windows),
            caps: V::table16(&look.caps),
            margin: V::splat16(look.margin),
            square: V::splat16(look.square),
            unit: look.unit,
            offsets: [V::splat16(lower), V::splat16(upper.wrapping_sub(lower))],
            mask: V::splat16(look.mask),
        }
    }

    /// The strips of these cells. Here and below each step is taken for all registers before the next one: a step waits for
    /// the one before it.
    #[cfg_attr(samplez_outlined, inline(never))]
    #[cfg_attr(not(samplez_outlined), inline(always))]
    fn find<const P: usize>(&self, cells: [[V; 2]; P]) -> Found<V, P> {
        let (mut z0, mut index, mut lower) = (cells, cells, cells);
        for p in 0..P {
            for half in 0..2 {
                let count = cells[p][half].minus_saturating16(self.ones).keys_above16(&self.keys);
                z0[p][half] = count.plus16(self.ones.minus_saturating16(cells[p][half]));
                index[p][half] = z0[p][half].min16(self.wide);
            }
        }
        for p in 0..P {
            let ends = V::look_up16(index[p], self.ends);
            for half in 0..2 {
                lower[p][half] = cells[p][half].min16(self.ones).plus16(ends[half]);
            }
        }
        Found { z0, index, lower }
    }

    /// Where the windows begin in the strips, for the leading 16 bits of u and numbers whose lowest bit is b.
    #[cfg_attr(samplez_outlined, inline(never))]
    #[cfg_attr(not(samplez_outlined), inline(always))]
    fn windows<const P: usize>(&self, index: [[V; 2]; P], leads: [[V; 2]; P], b: [[V; 2]; P]) -> [[V; 2]; P] {
        let [c0, c1, c2, c3] = COEFFICIENTS.map(V::splat16);
        let (mut y, mut exponent) = (leads, leads);
        for p in 0..P {
            for half in 0..2 {
                let upper = V::splat8(0).minus16(b[p][half].and(V::splat16(1)));
                let offset = self.offsets[0].plus16(self.offsets[1].and(upper));
                // y = (u + o)/K, below 1.
                y[p][half] = leads[p][half].and(self.mask).shr16(1).plus16(offset).min16(V::splat16(0x7fff));
            }
        }
        // D = y(2cj + cy) in units of 2^-t
        for p in 0..P {
            let slopes = V::look_up16(index[p], self.slopes);
            for half in 0..2 {
                exponent[p][half] = slopes[half].plus16(self.square.product16(y[p][half]));
            }
        }
        let (mut x, mut power) = (y, y);
        for p in 0..P {
            for half in 0..2 {
                exponent[p][half] = exponent[p][half].product16(y[p][half]);
                x[p][half] = exponent[p][half].shl16(15 - self.unit).and(V::splat16(0x7fff));
            }
        }
        for p in 0..P {
            for half in 0..2 {
                power[p][half] = c2.minus16(x[p][half].product16(c3));
            }
        }
        for p in 0..P {
            for half in 0..2 {
                power[p][half] = c1.minus16(x[p][half].product16(power[p][half]));
            }
        }
        for p in 0..P {
            for half in 0..2 {
                power[p][half] = c0.minus16(x[p][half].product16(power[p][half]));
            }
        }
        for p in 0..P {
            let halves = V::look_up16(index[p], self.halves);
            for half in 0..2 {
                power[p][half] = halves[half].product16(power[p][half]);
            }
        }
        for p in 0..P {
            let caps = V::look_up16(index[p], self.caps);
            for half in 0..2 {
                let goal = power[p][half].plus16(power[p][half]);
                let goal = goal.shr_each16(exponent[p][half].shr16(self.unit));
                power[p][half] = goal.minus_saturating16(self.margin).min16(caps[half]);
            }
        }
        power
    }
}

/// The leading 16 bits of u, and the byte whose lowest bit is b, as numbers, from up to M planes.
#[inline(always)]
fn places<V: ByteVector, const M: usize>(planes: &Planes<'_, M>, at: usize) -> ([V; 2], [V; 2]) {
    let (mut leads, lowest) = (planes.load::<V>(planes.count() - 1, at).widen(), planes.load::<V>(0, at).widen());
    let next = if planes.count() > 1 { planes.load::<V>(planes.count() - 2, at).widen() } else { [V::splat8(0); 2] };
    for half in 0..2 {
        leads[half] = leads[half].shl16(8).plus16(next[half]);
    }
    (leads, lowest)
}

/// Up to M planes of `len` bytes each.
#[derive(Clone, Copy)]
struct Planes<'a, const M: usize> {
    bytes: &'a [u8],
    len: usize,
}

impl<const M: usize> Planes<'_, M> {
    #[inline(always)]
    const fn count(&self) -> usize {
        if M == 1 { 1 } else { self.bytes.len() / self.len }
    }

    /// A register of plane p, from this place on.
    #[inline(always)]
    fn load<V: ByteVector>(&self, p: usize, at: usize) -> V {
        V::load8(&self.bytes[p * self.len + at..])
    }
}

/// The cells of slots: z0, and the leading 16 bits of a word that lies in that cell.
pub(crate) struct Slots<'a> {
    pub(crate) envelope: &'a Envelope,
    pub(crate) look: &'a Look,
    /// An open cell for each slot: whole rows.
    pub(crate) cells: &'a [u8],
    /// u and b as [`Looks`] has them.
    pub(crate) places: &'a [u8],
    /// As many as cells.
    pub(crate) strips: &'a mut [u8],
    /// Two bytes for each.
    pub(crate) leads: &'a mut [u8],
}

impl Slots<'_> {
    #[inline(always)]
    fn run_in<V: ByteVector>(self) {
        let Slots { envelope, look, cells, places: bytes, strips, leads } = self;
        let shared = Shared::<V>::new(&look.cells, envelope.ones, look);
        let ends = V::table16(&envelope.keys);
        let planes = Planes::<4> { bytes, len: cells.len() };
        for at in (0..cells.len()).step_by(V::LANES) {
            let (tops, lowest) = places(&planes, at);
            let cells = V::load8(&cells[at..]).widen();
            let Found { z0: [z0], index, lower: [lower] } = shared.find([cells]);
            let [windows] = shared.windows(index, [tops], [lowest]);
            let mut ends = V::look_up16(index[0], ends);
            for half in 0..2 {
                let place = cells[half].minus16(lower[half]).plus16(windows[half]);
                ends[half] = cells[half].min16(shared.ones).plus16(ends[half]).plus16(place);
            }
            V::store_pair(ends, &mut leads[2 * at..]);
            V::narrow(z0).store8(&mut strips[at..]);
        }
    }
}

/// Looks at rows of trials. Each trial that stays open takes the next slot.
pub(crate) struct Looks<'a> {
    pub(crate) envelope: &'a Envelope,
    pub(crate) look: &'a Look,
    /// The leading 16 bits of each v: two bytes for each trial.
    pub(crate) leads: &'a [u8],
    /// u and b: 1, 2 or 4 planes of a byte for each trial, the lowest first. Bit 0 is b, and u the leading k bits.
    pub(crate) places: &'a [u8],
    /// For each slot its strip, to which 0x40 is added if it is rejected: a row of them.
    pub(crate) slots: &'a [u8; ROW],
    /// u and b of the slots.
    pub(crate) slot_places: &'a [u8],
    /// The strips of the trials, or of the slots that open trials took. A byte for each trial.
    pub(crate) strips: &'a mut [u8],
    /// u and b of the trials, or of the slots that open trials took.
    pub(crate) decided: &'a mut [u8],
    /// Of each row of trials a bit for each that is accepted.
    pub(crate) accepted: &'a mut [u64],
}

impl Looks<'_> {
    #[inline(always)]
    fn run_in<V: ByteVector, const M: usize>(self) -> u32 {
        let Looks { envelope, look, leads, places: bytes, slots, slot_places, strips, decided, accepted } = self;
        let shared = Shared::<V>::new(&envelope.keys, envelope.ones, look);
        let strip_tables = tables::<V>(slots);
        let mut place_tables = [strip_tables; M];
        for (tables_of, plane) in place_tables.iter_mut().zip(slot_places.as_chunks::<ROW>().0) {
            *tables_of = tables::<V>(plane);
        }
        let len = strips.len();
        let planes = Planes::<M> { bytes, len };
        let mut at = 0;
        while V::PAIRS > 1 && at + 2 * V::LANES <= len {
            shared.look_at::<M, 2>(leads, &planes, at, strips);
            at += 2 * V::LANES;
        }
        while at < len {
            shared.look_at::<M, 1>(leads, &planes, at, strips);
            at += V::LANES;
        }
        let mut taken = V::splat8(0);
        for (r, accepted) in accepted.iter_mut().enumerate() {
            *accepted = 0;
            for lane in (0..ROW).step_by(V::LANES) {
                let (at, first) = (r * ROW + lane, taken);
                let strip = V::load8(&strips[at..]);
                let open = strip.below(V::splat8(0));
                let strip = strip.hand_out::<ROW>(open, &strip_tables, &mut taken);
                strip.store8(&mut strips[at..]);
                *accepted |= V::bits(strip.below(V::splat8(REJECTED))) << lane;
                for (p, tables) in place_tables.iter().enumerate().take(planes.count()) {
                    let plane = planes.load::<V>(p, at).hand_out::<ROW>(open, tables, &mut { first });
                    plane.store8(&mut decided[p * len + at..]);
                }
            }
        }
        let mut open = [0; ROW];
        taken.store8(&mut open);
        open[0].into()
    }
}

impl<V: ByteVector> Shared<V> {
    /// Looks at P registers of trials from this place on: their strips, with [`REJECTED`] and [`OPEN`].
    #[cfg_attr(samplez_outlined, inline(never))]
    #[cfg_attr(not(samplez_outlined), inline(always))]
    fn look_at<const M: usize, const P: usize>(
        &self,
        leads: &[u8],
        planes: &Planes<'_, M>,
        at: usize,
        strips: &mut [u8],
    ) {
        let zero = [V::splat8(0); 2];
        let (mut tops, mut lowest, mut cells) = ([zero; P], [zero; P], [zero; P]);
        for p in 0..P {
            let at = at + p * V::LANES;
            (tops[p], lowest[p]) = places(planes, at);
            cells[p] = V::load_pair(&leads[2 * at..]);
        }
        let Found { z0, index, lower } = self.find(cells);
        let windows = self.windows(index, tops, lowest);
        for p in 0..P {
            let (lengths, mut verdicts) = (V::look_up16(index[p], self.windows), z0[p]);
            for half in 0..2 {
                let rest = cells[p][half].minus16(lower[p][half]);
                let open = rest.minus16(windows[p][half]).below16(lengths[half]);
                let accepted = V::splat16(REJECTED.into()).where16(rest.below16(windows[p][half]));
                let verdict = V::splat16(OPEN.into()).where16(open).plus16(V::splat16(REJECTED.into()));
                verdicts[half] = verdicts[half].plus16(verdict.minus16(accepted));
            }
            V::narrow(verdicts).store8(&mut strips[at + p * V::LANES..]);
        }
    }
}

/// A row of bytes in registers.
#[inline(always)]
fn tables<V: ByteVector>(row: &[u8; ROW]) -> [V; 16] {
    let mut tables = [V::splat8(0); 16];
    for (table, entries) in tables.iter_mut().zip(row.chunks_exact(1 << V::INDEX_BITS)) {
        *table = V::table(entries);
    }
    tables
}

/// The bytes of every plane whose bit is set, at the plane's head.
pub(crate) struct Accepted<'a> {
    /// For each row.
    pub(crate) accepted: &'a [u64],
    /// Planes of a byte for each of `len` trials.
    pub(crate) planes: &'a mut [u8],
    pub(crate) len: usize,
}

impl VectorKernel for Slots<'_> {
    const BYTES: bool = true;
    type Output = ();

    #[inline(always)]
    fn run<M: Machine>(self) {
        self.run_in::<M::Bytes>();
    }
}

impl VectorKernel for Looks<'_> {
    const BYTES: bool = true;
    /// How many trials were open, or 255 if there were more. Those beyond the slots have no meaning.
    type Output = u32;

    #[inline(always)]
    fn run<M: Machine>(self) -> u32 {
        // One plane is the usual case, whose text vector code has apart.
        if M::Bytes::PAIRS > 1 && self.places.len() == self.strips.len() {
            self.run_in::<M::Bytes, 1>()
        } else {
            self.run_in::<M::Bytes, 4>()
        }
    }
}

impl VectorKernel for Accepted<'_> {
    const BYTES: bool = true;
    /// How many there are in each plane.
    type Output = usize;

    #[inline(always)]
    fn run<M: Machine>(self) -> usize {
        let mut made = 0;
        for plane in self.planes.chunks_exact_mut(self.len) {
            made = 0;
            for (r, mask) in self.accepted.iter().enumerate() {
                let Some(row) = plane[r * ROW..].first_chunk().copied() else { break };
                // Not behind the row: made <= 64r.
                let Some(out) = plane[made..].first_chunk_mut() else { break };
                M::Bytes::compress8(row, *mask, out);
                made += mask.count_ones() as usize;
            }
        }
        made
    }
}
