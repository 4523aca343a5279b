//! Families of tests.

use super::cells::Outcome;

pub(super) const LOW_ENTROPY: &str = "the law's entropy is too small for sequences that never come again";

/// A stream that others were merged into.
pub(super) const ONE_STREAM: &str = "needs one stream";

/// Tests of one kind, judged together.
pub(super) struct Family {
    pub(super) name: String,
    pub(super) members: Vec<Member>,
}

/// A test, and where it looks: nowhere in particular if it is the only one.
pub(super) struct Member {
    pub(super) at: String,
    pub(super) outcome: Outcome,
}

impl Family {
    /// A family of one.
    pub(super) fn single(name: impl Into<String>, outcome: Outcome) -> Self {
        Family { name: name.into(), members: vec![Member { at: String::new(), outcome }] }
    }

    pub(super) fn new(name: impl Into<String>, members: impl IntoIterator<Item = (String, Outcome)>) -> Self {
        let members = members.into_iter().map(|(at, outcome)| Member { at, outcome }).collect();
        Family { name: name.into(), members }
    }
}
