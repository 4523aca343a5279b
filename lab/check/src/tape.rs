//! Exact laws by bit tape: every bit string that a sampler can consume, walked.
//!
//! A sampler is a deterministic function of the bits it draws. [`enumerate`] runs the real code
//! on a scripted source, [`Tape`], once for every leaf of the tree of bit strings, and adds up
//! the probabilities 2^-length as integers. A sampler of finite depth comes out exactly; for one
//! that may draw for ever, what is left at the budget's end bounds the error of every
//! probability ([`ExactLaw`]).
//!
//! The walk replays: a run follows the script and, where the script ends, goes on with zeros and
//! writes them down; the next run flips the last zero that was written and forgets what
//! followed. So each run gives one leaf. A run that asks for more than the level's limit is
//! undecided; it is fed pseudorandom bits until it ends, and its result is dropped. One that
//! does not end on those either is unwound.
//!
//! ```
//! use samplez_core::bits::uniform_below;
//! use samplez_check::tape::{Budget, enumerate};
//! let law = enumerate(Budget::depth(20), |bits| Some(uniform_below(6, bits) as i64))?;
//! assert!(law.bracket(5).contains(&(1.0 / 6.0)));
//! assert!(law.undecided() < 1e-5);
//! # Ok::<(), samplez_check::tape::TapeError>(())
//! ```

mod law;

pub use law::ExactLaw;

use core::fmt;
use law::Tally;
use samplez_core::bits::BitSource;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// The greatest depth of a walk: masses are u128 multiples of 2^-depth, with 8 bits to spare.
pub const MAX_DEPTH: u32 = 120;

/// The limit on the length of bit strings grows by this much from level to level.
const LEVEL: u32 = 4;

/// Pseudorandom bits that an undecided run may draw before it is unwound.
const PADDING: u32 = 1 << 16;

/// How far a walk goes: it ends at the first of three limits.
///
/// ```
/// use samplez_check::tape::Budget;
/// let budget = Budget::depth(40).runs(1_000_000).undecided(1e-6);
/// assert_eq!(budget, Budget { depth: 40, runs: 1_000_000, undecided: 1e-6 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// No bit string is longer than this; from 1 to [`MAX_DEPTH`].
    pub depth: u32,
    /// Runs of the sampler.
    pub runs: u64,
    /// The walk stops once the undecided mass is at most this.
    pub undecided: f64,
}

impl Budget {
    /// Every bit string up to this length, and at most 2^26 runs.
    ///
    /// ```
    /// assert_eq!(samplez_check::tape::Budget::depth(12).runs, 1 << 26);
    /// ```
    pub const fn depth(depth: u32) -> Self {
        Budget { depth, runs: 1 << 26, undecided: 0.0 }
    }

    /// The same with another limit on runs. Short bit strings, which weigh most, come first.
    ///
    /// ```
    /// assert_eq!(samplez_check::tape::Budget::depth(12).runs(7).runs, 7);
    /// ```
    pub const fn runs(self, runs: u64) -> Self {
        Budget { runs, ..self }
    }

    /// The same with another mass that may stay undecided.
    ///
    /// ```
    /// assert_eq!(samplez_check::tape::Budget::depth(12).undecided(0.1).undecided, 0.1);
    /// ```
    pub const fn undecided(self, undecided: f64) -> Self {
        Budget { undecided, ..self }
    }
}

/// Why there is no law.
///
/// ```
/// use samplez_check::tape::{Budget, TapeError, enumerate};
/// let e = enumerate(Budget::depth(0), |_| None).unwrap_err();
/// assert_eq!(e.to_string(), "depth = 0: expected a number between 1 and 120");
/// // A sampler that remembers its last call has no law.
/// let mut calls = 0;
/// let mut fickle = |bits: &mut samplez_check::tape::Tape| {
///     calls += 1;
///     (0..3 - calls).for_each(|_| { samplez_core::bits::BitSource::bit(bits); });
///     None
/// };
/// assert_eq!(enumerate(Budget::depth(9), &mut fickle), Err(TapeError::NotRepeatable));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TapeError {
    /// The budget's depth is out of range.
    Depth(u32),
    /// Two runs on the same bits drew differently: the closure is no function of its bits.
    NotRepeatable,
}

impl fmt::Display for TapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Depth(depth) => write!(f, "depth = {depth}: expected a number between 1 and {MAX_DEPTH}"),
            Self::NotRepeatable => f.write_str("two runs on the same bits drew different numbers of bits"),
        }
    }
}

impl core::error::Error for TapeError {}

/// The scripted source of a walk; only [`enumerate`] makes it.
///
/// ```
/// use samplez_check::tape::{Budget, Tape, enumerate};
/// use samplez_core::bits::BitSource;
/// fn coin(bits: &mut Tape) -> Option<i64> { Some(bits.bits(1) as i64) }
/// assert_eq!(enumerate(Budget::depth(1), coin)?.numerator(1), 1);
/// # Ok::<(), samplez_check::tape::TapeError>(())
/// ```
#[derive(Debug)]
pub struct Tape {
    /// The script, first bit least significant; zero from `len` on.
    script: u128,
    /// Bits of the script that are settled.
    len: u32,
    /// Bits drawn, at most `limit`.
    pos: u32,
    /// No draw may end beyond this.
    limit: u32,
    /// The width of the draw that crossed the limit, 0 if none has.
    demand: u32,
    /// Bits drawn since.
    padding: u32,
}

/// The payload of the unwinding that ends a run; it never leaves this module.
struct OffTape;

impl Tape {
    const fn new(node: Node, limit: u32) -> Self {
        Tape { script: node.script, len: node.len, pos: 0, limit, demand: 0, padding: 0 }
    }

    #[cold]
    fn pad(&mut self, n: u32) -> u64 {
        if self.demand == 0 {
            self.demand = n;
        }
        self.padding += n;
        if self.padding > PADDING {
            resume_unwind(Box::new(OffTape));
        }
        // SplitMix64's output function on the bit position.
        let mut z = u64::from(self.padding).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ z >> 31) >> (64 - n)
    }
}

impl BitSource for Tape {
    #[inline]
    fn bits(&mut self, n: u32) -> u64 {
        let end = self.pos + n;
        if end > self.limit || self.demand != 0 {
            return self.pad(n);
        }
        let value = (self.script >> self.pos) as u64 & (u64::MAX >> (64 - n));
        self.pos = end;
        self.len = self.len.max(end);
        value
    }
}

/// An inner node: the bits so far, and how many the sampler asks for next.
#[derive(Clone, Copy)]
struct Node {
    script: u128,
    len: u32,
    demand: u32,
}

impl Node {
    /// The next leaf to visit below `root` after this one: the last zero that follows the root's
    /// bits becomes a one.
    fn successor(self, root: Node) -> Option<Node> {
        let beyond = u128::MAX << self.len;
        let zeros = !(self.script | beyond) >> root.len;
        let last = root.len + zeros.checked_ilog2()?;
        let kept = self.script & ((1 << last) - 1);
        Some(Node { script: kept | 1 << last, len: last + 1, demand: 0 })
    }
}

/// The law of what `run` does on ideal bits: a value, or `None` for a rejected attempt.
///
/// For a sampler pass `|bits| Some(sampler.sample(bits))`; for one attempt of a rejection
/// sampler pass `|bits| sampler.attempt(bits)`, and [`ExactLaw::bracket`] is about the sampler
/// that repeats the attempt until it succeeds.
///
/// # Law
///
/// With the masses of the result in units of 2^-depth: `numerator(x)` is the total probability
/// of the visited bit strings on which `run` returns x, `rejected` of those on which it returns
/// `None`, and `undecided` the rest. They add up to 1 exactly. No string is longer than the
/// budget's depth. A draw that crosses the depth leaves all of its string undecided.
///
/// Draws of n bits cost up to 2^n runs: choose samplers or knobs with narrow draws.
///
/// # Errors
///
/// [`TapeError`]. A panic of `run` passes through.
///
/// ```
/// use samplez_check::tape::{Budget, enumerate};
/// use samplez_core::bits::bernoulli;
/// let law = enumerate(Budget::depth(30), |bits| Some(bernoulli(1, 3, bits).into()))?;
/// assert!(law.bracket(1).contains(&(1.0 / 3.0)));
/// assert_eq!(law.undecided(), 0.5_f64.powi(30));
/// # Ok::<(), samplez_check::tape::TapeError>(())
/// ```
pub fn enumerate<F>(budget: Budget, mut run: F) -> Result<ExactLaw, TapeError>
where
    F: FnMut(&mut Tape) -> Option<i64>,
{
    if !(1..=MAX_DEPTH).contains(&budget.depth) {
        return Err(TapeError::Depth(budget.depth));
    }
    let mut tally = Tally::new(budget.depth);
    let mut open = vec![Node { script: 0, len: 0, demand: 0 }];
    while let Some(nearest) = open.iter().map(|node| node.len + node.demand).min() {
        if nearest > budget.depth {
            break;
        }
        // A level: every node whose next draw ends by the limit, and all that lies below it.
        let limit = (nearest + LEVEL).min(budget.depth);
        let mut next = Vec::new();
        for root in open {
            let spent = tally.runs() >= budget.runs || tally.undecided() <= budget.undecided;
            if spent || root.len + root.demand > limit {
                next.push(root);
            } else {
                subtree(root, limit, &budget, &mut run, &mut tally, &mut next)?;
            }
        }
        open = next;
        if tally.runs() >= budget.runs || tally.undecided() <= budget.undecided {
            break;
        }
    }
    Ok(tally.close(open.iter().map(|node| (node.len, node.len + node.demand))))
}

/// Visits the leaves below `root`; the undecided ones, and what the budget leaves out, go to
/// `next` (the latter as the root's remainder, tallied at once).
fn subtree<F>(
    root: Node,
    limit: u32,
    budget: &Budget,
    run: &mut F,
    tally: &mut Tally,
    next: &mut Vec<Node>,
) -> Result<(), TapeError>
where
    F: FnMut(&mut Tape) -> Option<i64>,
{
    let mut rest = tally.weight(root.len);
    let mut node = Some(root);
    while let Some(start) = node {
        if tally.runs() >= budget.runs {
            tally.abandon(rest, root.len + root.demand);
            return Ok(());
        }
        let mut tape = Tape::new(start, limit);
        let outcome = match catch_unwind(AssertUnwindSafe(|| run(&mut tape))) {
            Ok(outcome) => outcome,
            Err(payload) if payload.is::<OffTape>() => None,
            Err(payload) => resume_unwind(payload),
        };
        if tape.pos < start.len {
            return Err(TapeError::NotRepeatable);
        }
        let leaf = Node { script: tape.script, len: tape.pos, demand: tape.demand };
        rest -= tally.weight(leaf.len);
        if leaf.demand == 0 {
            tally.leaf(outcome, leaf.len);
        } else {
            tally.visit();
            next.push(leaf);
        }
        node = leaf.successor(root);
    }
    Ok(())
}
