//! How samplers that take turns are timed, as the arguments have it.

use crate::args::Timing;
use samplez_lab::Race;

impl From<&Timing> for Race {
    fn from(timing: &Timing) -> Self {
        Race { source: timing.source, rounds: timing.rounds, turn: f64::from(timing.turn) / 1e3 }
    }
}
