//! What may go wrong.

/// A text for whoever runs this.
pub(crate) type Failure = Box<dyn std::error::Error>;
