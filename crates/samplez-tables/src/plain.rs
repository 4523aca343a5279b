//! Tables as they are published: lists of whole numbers, in one of many forms.

mod audit;
mod build;
mod emit;
mod form;
mod ideal;
mod table;
mod whole;

pub use audit::{Audit, Uncovered, audit, audit_against};
pub use build::build_plain;
pub(crate) use emit::facts;
pub use emit::{Language, emit};
pub use form::{Entries, EntryRounding, Line, ParseFormError, Rest, TableForm};
pub use table::{PlainError, PlainTable, WrongEntry};
pub use whole::{ParseWholeError, Whole};
