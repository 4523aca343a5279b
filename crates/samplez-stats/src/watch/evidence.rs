//! What a watch returns: [`Evidence`], [`WatchError`].

use core::fmt;

/// What a [`Watch`](super::Watch) has found so far.
///
/// ```
/// use samplez_stats::Watch;
/// use samplez_core::DiscreteGaussian;
/// let mut watch = Watch::new(&DiscreteGaussian::with_sigma("3.2".parse()?)?)?;
/// watch.push(&[7_i8; 100]);
/// let evidence = watch.look();
/// assert!(evidence.n == 100 && evidence.is_alarm(1e-6) && evidence.log_e > 14.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Evidence {
    /// The number of values.
    pub n: u64,
    /// ln e now.
    pub log_e: f64,
    /// The greatest ln e of all looks.
    pub highest: f64,
    /// The number of values at that look.
    pub highest_n: u64,
    /// The bet that has gained most.
    pub leader: String,
    /// The logarithm of its gain, with its share of the stake.
    pub leader_log: f64,
    /// The number of values before the stretch of that bet: 0 for a bet on the whole stream.
    pub since: u64,
}

impl Evidence {
    /// Returns true if e has reached 1/α at any look. Draws from the law do this with probability at most α in the whole life of the watch.
    pub fn is_alarm(&self, alpha: f64) -> bool {
        self.highest >= -libm::log(alpha)
    }
}

/// An error of [`Watch::from_state`](super::Watch::from_state) or [`Watch::merge`](super::Watch::merge).
///
/// ```
/// use samplez_core::DiscreteGaussian;
/// use samplez_stats::{Watch, WatchError};
/// let law = DiscreteGaussian::with_sigma("3.2".parse()?)?;
/// assert_eq!(Watch::from_state(&law, b"noise").unwrap_err(), WatchError::NoState);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WatchError {
    /// Bytes of another format.
    NoState,
    /// A state of another version.
    Version {
        /// The version in the state.
        found: String,
    },
    /// A state of another law.
    OtherLaw {
        /// The law in the state.
        found: String,
        /// The law of the watch.
        expected: String,
    },
    /// A state that is truncated or changed.
    Damaged,
    /// The law is refused.
    Law(samplez_core::ParamError),
}

impl fmt::Display for WatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoState => f.write_str("expected a state that samplez watch wrote; name another file, or a new one"),
            Self::Version { found } => {
                write!(f, "version = {found}: expected a state of version 1; begin a new one")
            }
            Self::OtherLaw { found, expected } => {
                write!(f, "law = {found}: expected a state of {expected}; each law needs a state of its own")
            }
            Self::Damaged => f.write_str("the state is truncated or changed: restore a copy, or begin a new one"),
            Self::Law(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for WatchError {}
