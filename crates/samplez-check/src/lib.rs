//! The validation lab: exact laws by bit tape, statistical tests, certificates.
