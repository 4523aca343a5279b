//! Rare paths: for each place where an outcome becomes public, the outcome that hardly ever occurs, and cases that take it.
//!
//! The outcome of a place is replaced, so that the program goes on as after the rare event, over undefined bits. A path that
//! may reveal a sample has a window: from the replaced outcome to the next mark at the same place. Findings within it are
//! allowed, and none elsewhere.

use crate::subjects::{Dtype, Entry};

/// A place, and its rare outcome.
pub struct Place {
    /// The file, from the root of the repository.
    pub file: &'static str,
    /// A piece of its line, which stands once in the file.
    pub piece: &'static str,
    /// What the outcome becomes,
    pub outcome: u32,
    /// so many times.
    pub times: u32,
}

/// A case of a path: the subject, its law, the entry, the type and the length.
pub type Run = (&'static str, &'static str, Entry, Dtype, usize);

/// A rare path.
pub struct Path {
    /// What happens.
    pub name: &'static str,
    /// All of its places must be met, or the case fails.
    pub places: &'static [Place],
    /// Whether it may reveal a sample: the window ends at the mark of the first place after so many others of it.
    pub window: Option<u32>,
    /// Its cases.
    pub runs: &'static [Run],
}

/// Far more often than any case meets a place.
const ALWAYS: u32 = u32::MAX;

const fn place(file: &'static str, piece: &'static str, outcome: u32, times: u32) -> Place {
    Place { file, piece, outcome, times }
}

const STRIPS: &str = "crates/samplez-core/src/samplers/isochronous.rs";
const BATCH: &str = "crates/samplez-core/src/samplers/isochronous/batch.rs";
const ROUNDER: &str = "crates/samplez-core/src/samplers/strip_rounder.rs";
const CLOSE: &str = "crates/samplez-core/src/samplers/strip_rounder/close.rs";
const PASSES: &str = "crates/samplez-core/src/samplers/strip_rounder/batch.rs";
const WIDE: &str = "crates/samplez-core/src/samplers/wide.rs";
const TRIAL: &str = "crates/samplez-core/src/samplers/wide/trial.rs";
const FALCON: &str = "crates/samplez-core/src/samplers/sampler_z/batch.rs";
const STORE: &str = "crates/samplez-core/src/samplers/common/store.rs";
const FALCON_STORE: &str = "crates/samplez-core/src/samplers/sampler_z/store.rs";
const STRIP_STORE: &str = "crates/samplez-core/src/samplers/strip_rounder/store.rs";
const LAZY: &str = "crates/samplez-core/src/samplers/cdt_lazy_ct.rs";
const POOLED: &str = "crates/samplez-core/src/samplers/knuth_yao_ct.rs";
const DRAWS: &str = "crates/samplez-core/src/bits/draws.rs";
const EXACT: &str = "crates/samplez/src/exact.rs";
const LAPLACE: &str = "crates/samplez-core/src/samplers/discrete_laplace_ct.rs";
const NEAR: &str = "crates/samplez/src/big/near.rs";

const CLOSE_SINGLE: &[Place] = &[place(STRIPS, "u32::from(!close)", 0, ALWAYS)];
const CLOSE_SLOT: &[Place] = &[
    place(BATCH, "u32::from(close == 0)", 0, ALWAYS),
    place(BATCH, "[close as u32, (close >> 32) as u32]", u32::MAX, ALWAYS),
];
const FEW_SLOTS: &[Place] = &[place(BATCH, "open as usize > size.slots", 1, ALWAYS)];
const CLOSE_CALL: &[Place] = &[
    place(ROUNDER, "bits.declassify(first)", 0, 1),
    place(ROUNDER, "bits.declassify(close) == 0", 1, ALWAYS),
    place(ROUNDER, "is_close.into()", 1, ALWAYS),
];
const CLOSE_PASS: &[Place] =
    &[place(PASSES, "u32::from(any == 0)", 0, ALWAYS), place(PASSES, "*mask & trials", u32::MAX, 3)];
const FORCED_HIT: &[Place] = &[place(DRAWS, "is_high.into()", 0, 1), place(DRAWS, "is_below.into()", 1, 1)];

use Dtype::{I8, I16, I32, I64};
use Entry::{
    BatchRefined, Draw, Fill, Inside, OwnFill, OwnSample, RandSample, Round, RoundAll, RoundBatch, RoundRefined,
    Sample, Short, StreamEach, StreamFill, StreamRound, StreamRoundAll, StreamSample, Whole,
};

const FALCON_WIDTHS: &str = "1.2778336969128337 1.8205";
const WIDE_WIDTHS: &str = "150 215";

/// All of them.
pub const PATHS: &[Path] = &[
    Path {
        name: "a close trial, alone",
        places: CLOSE_SINGLE,
        window: None,
        runs: &[
            ("Isochronous", "sigma=3.2", OwnSample, I64, 17),
            ("Isochronous", "sigma=1e6", OwnSample, I64, 17),
            ("isochronous", "sigma=215,center=1/3", Sample, I64, 17),
            ("isochronous", "sigma=215,center=1/3", StreamSample, I64, 17),
            ("isochronous", "sigma=215,center=1/3", RandSample, I64, 17),
        ],
    },
    Path {
        name: "close slots",
        places: CLOSE_SLOT,
        window: None,
        runs: &[
            ("Isochronous", "sigma=3.2", OwnFill, I8, 520),
            ("Isochronous", "sigma=1e6", OwnFill, I64, 2125),
            ("isochronous", "sigma=215,center=1/3", Fill, I16, 17),
            ("isochronous", "sigma=215,center=1/3", StreamFill, I32, 2125),
            ("isochronous", "sigma=1,center=-1/3", Whole, I8, 17),
            ("isochronous", "sigma=215,center=1/3", Short, I64, 64),
        ],
    },
    Path {
        name: "more open trials than slots",
        places: FEW_SLOTS,
        window: None,
        runs: &[
            ("Isochronous", "sigma=3.2", OwnFill, I8, 2125),
            ("Isochronous", "sigma=1e6", OwnFill, I64, 520),
            ("FilteredIsochronous", "sigma=1000,center=1/3", OwnFill, I16, 520),
            ("isochronous", "sigma=215,center=1/3", Inside, I32, 64),
        ],
    },
    Path {
        name: "a close trial, refined",
        places: &[place(STRIPS, "u32::from(!close)", 0, 1)],
        window: Some(0),
        runs: &[
            ("FilteredIsochronous", "sigma=3.2", OwnSample, I64, 17),
            ("isochronous", "sigma=215,center=1/3,exact=true", Sample, I64, 17),
        ],
    },
    Path {
        name: "close slots, refined",
        places: &[
            place(BATCH, "u32::from(close == 0)", 0, 1),
            place(BATCH, "[close as u32, (close >> 32) as u32]", u32::MAX, 2),
        ],
        window: Some(0),
        runs: &[
            ("FilteredIsochronous", "sigma=3.2", OwnFill, I8, 4173),
            ("isochronous", "sigma=215,center=1/3,exact=true", StreamFill, I16, 4173),
        ],
    },
    Path {
        name: "coins that need more bits",
        places: &[place(LAPLACE, "(equal > 1).into()", 1, 1)],
        window: Some(0),
        runs: &[("discrete-laplace", "1", Sample, I64, 17), ("discrete-laplace", "7/10", StreamFill, I8, 520)],
    },
    Path {
        name: "a close call",
        places: CLOSE_CALL,
        window: None,
        runs: &[
            ("StripRounder", FALCON_WIDTHS, Round, I64, 17),
            ("StripRounder", WIDE_WIDTHS, Round, I64, 17),
            ("StripRounder", FALCON_WIDTHS, RoundAll, I64, 17),
        ],
    },
    Path {
        name: "close calls of a batch",
        places: CLOSE_PASS,
        window: None,
        runs: &[
            ("StripRounder", FALCON_WIDTHS, RoundBatch, I64, 520),
            ("StripRounder", WIDE_WIDTHS, RoundBatch, I64, 64),
            ("StripRounder", FALCON_WIDTHS, RoundBatch, I64, 64),
        ],
    },
    Path {
        name: "a close call, refined",
        places: &[place(ROUNDER, "bits.declassify(close) == 0", 1, 1), place(ROUNDER, "is_close.into()", 1, 1)],
        window: Some(0),
        runs: &[
            ("StripRounder", FALCON_WIDTHS, RoundRefined, I64, 17),
            ("RoundMethod::Strips", "3.2", StreamRound, I64, 17),
            ("RoundMethod::Strips", "215", StreamRoundAll, I64, 17),
        ],
    },
    Path {
        name: "close calls of a batch, refined",
        places: &[place(PASSES, "u32::from(any == 0)", 0, 1), place(PASSES, "*mask & trials", u32::MAX, 1)],
        window: Some(0),
        runs: &[
            ("StripRounder", FALCON_WIDTHS, BatchRefined, I64, 520),
            ("RoundMethod::Strips", "3.2", StreamEach, I64, 520),
        ],
    },
    Path {
        name: "a group of proposals one by one",
        places: &[place(WIDE, "all.into()", 0, ALWAYS), place(TRIAL, "verdict.accepted.into()", 0, 1)],
        window: None,
        runs: &[
            ("wide", "sigma=1e8,center=1/3", Fill, I64, 520),
            ("wide", "sigma=1e15,center=-7/2", StreamFill, I64, 2125),
            ("wide", "sigma=1e8,center=1/3", Whole, I32, 17),
            ("wide", "sigma=1e8,center=1/3", Inside, I64, 17),
        ],
    },
    Path {
        name: "a rejected proposal",
        places: &[place(TRIAL, "verdict.accepted.into()", 0, 3)],
        window: None,
        runs: &[
            ("wide", "sigma=1e15,center=-7/2", Sample, I64, 17),
            ("wide", "sigma=1e8,center=1/3", RandSample, I64, 17),
            ("BigGaussian", "sigma=1e30,center=1/3", Draw, I64, 64),
        ],
    },
    Path {
        name: "a close proposal",
        places: &[place(TRIAL, "verdict.close.into()", 1, 1)],
        window: Some(0),
        runs: &[
            ("wide", "sigma=1e15,center=-7/2", Sample, I64, 17),
            ("BigGaussian", "sigma=1e30,center=1/3", Draw, I64, 64),
        ],
    },
    Path {
        name: "a decision of a law nearby",
        places: &[place(NEAR, "is_kept as u32 & 1", 0, 1)],
        window: Some(0),
        runs: &[("BigGaussian", "sigma=3.2000000000000000000000000000000001,center=1/3", Draw, I64, 64)],
    },
    Path {
        name: "equal leading bits",
        places: &[place(FALCON, "(draw == goal).into()", 1, ALWAYS)],
        window: None,
        runs: &[("SamplerZ", "1.7", RoundBatch, I64, 333)],
    },
    Path {
        name: "a close proposal of the store",
        places: &[
            place(STORE, "open & open.wrapping_neg()", 0, 1),
            place(STORE, "is_close as u32", 1, ALWAYS),
            place(FALCON_STORE, "u32::from(draw == goal)", 1, ALWAYS),
        ],
        window: None,
        runs: &[("ProposalStore", "1.7", Round, I64, 205)],
    },
    Path {
        name: "a close proposal of strips",
        places: &[
            place(STORE, "open & open.wrapping_neg()", 0, 1),
            place(STORE, "is_close as u32", 1, ALWAYS),
            place(STRIP_STORE, "is_close.into()", 1, ALWAYS),
        ],
        window: None,
        runs: &[("ProposalStore", FALCON_WIDTHS, Round, I64, 205), ("ProposalStore", WIDE_WIDTHS, Round, I64, 205)],
    },
    Path {
        name: "a batch that overflows its slots",
        places: &[place(LAZY, "bits.declassify(overflow)", 1, 1)],
        window: Some(0),
        runs: &[
            ("CdtLazyCt", "sigma=3.2,center=1/3,precision=128", OwnFill, I8, 4173),
            ("cdt-lazy-ct", "sigma=100,center=1/3,precision=72", StreamFill, I16, 4173),
            ("convolution-ct", "sigma=215,precision=72", Fill, I16, 4173),
        ],
    },
    Path {
        name: "a batch that overflows its pools",
        places: &[place(POOLED, "bits.declassify(overflow)", 1, 1)],
        window: Some(0),
        runs: &[
            ("KnuthYaoCt", "sigma=3.2,precision=72", OwnFill, I8, 16461),
            ("knuth-yao-ct", "sigma=8,center=1/3,precision=128", StreamFill, I16, 16461),
        ],
    },
    Path {
        name: "the remainder, in a fill",
        places: FORCED_HIT,
        window: Some(2),
        runs: &[
            ("cdt-ct", "sigma=3.2,precision=128,exact=true", Fill, I8, 16461),
            ("cdt-lazy-ct", "sigma=3.2,precision=128,exact=true", StreamFill, I16, 16461),
            ("isochronous", "sigma=3.2,exact=true", Fill, I8, 16461),
        ],
    },
    Path {
        name: "the remainder, in single samples",
        places: &[place(EXACT, "tails.into()", 0, 13)],
        window: Some(0),
        runs: &[
            ("isochronous", "sigma=3.2,exact=true", Sample, I64, 17),
            ("isochronous", "sigma=3.2,exact=true", RandSample, I64, 17),
        ],
    },
];

/// Marks with two ordinary outcomes, or none that is rare: the file, a piece of the line, and the reason.
pub const ORDINARY: &[(&str, &str, &str)] = &[
    ("crates/samplez-core/src/finite.rs", "(trial != 3).into()", "one of four trials is rejected"),
    ("crates/samplez-core/src/finite.rs", "(word & 3 != 3).into()", "one of four trials is rejected"),
    ("crates/samplez-core/src/finite.rs", "(u < remain).into()", "up to half of the draws are rejected"),
    (LAPLACE, "is_narrow.into()", "the fill ends with an error"),
    ("crates/samplez/src/laplace.rs", "<= self.bound).into()", "trials are accepted and rejected"),
    ("crates/samplez/src/laplace.rs", "is_none().into()", "the fill ends with an error"),
    (STRIPS, "u32::from(accepted)", "trials are accepted and rejected"),
    (BATCH, "[*mask as u32, (*mask >> 32) as u32]", "trials are accepted and rejected"),
    (CLOSE, "(number < estimate(trial)).into()", "behind a close call"),
    (CLOSE, "bits.declassify(accepted.into())", "behind a close call"),
    (ROUNDER, "is_below.into()", "trials are accepted and rejected"),
    (PASSES, "below & trials", "trials are accepted and rejected"),
    (FALCON, "accepted.into()", "trials are accepted and rejected"),
    (FALCON_STORE, "accepted.into()", "behind a close proposal"),
    (STRIP_STORE, "is_below.into()", "behind a close proposal"),
];

/// The outcomes of a path, while a case runs.
pub struct Forcing {
    path: &'static Path,
    /// Of each place the line, and how often it was met and forced.
    places: Vec<(u32, u32)>,
    /// Errors when the window began, and marks of its place since.
    open: Option<(u64, u32)>,
    is_over: bool,
    excused: u64,
}

impl Forcing {
    /// # Panics
    ///
    /// If a piece of a place does not stand once in its file.
    pub fn new(path: &'static Path) -> Self {
        let places = path.places.iter().map(|place| (line(place.file, place.piece), 0)).collect();
        Forcing { path, places, open: None, is_over: false, excused: 0 }
    }

    /// The outcome of a mark.
    pub fn mark(&mut self, outcome: u32, file: &str, line: u32, errors: impl Fn() -> u64) -> u32 {
        let is_at = |place: &Place, at: u32| at == line && place.file.ends_with(file.trim_start_matches("./"));
        let found = self.path.places.iter().zip(&self.places).position(|(place, (at, _))| is_at(place, *at));
        let Some(i) = found else { return outcome };
        let (place, forced) = (&self.path.places[i], &mut self.places[i].1);
        if *forced < place.times {
            *forced += 1;
            if i == 0 && self.path.window.is_some() && self.open.is_none() {
                self.open = Some((errors(), 0));
            }
            return place.outcome;
        }
        if let (0, Some(window), Some((_, others)), false) = (i, self.path.window, &mut self.open, self.is_over) {
            if *others == window {
                self.close(&errors);
            } else {
                *others += 1;
            }
        }
        outcome
    }

    /// Ends the window.
    fn close(&mut self, errors: impl Fn() -> u64) {
        if let (Some((before, _)), false) = (self.open, self.is_over) {
            self.excused = errors() - before;
            self.is_over = true;
        }
    }

    /// Findings within the window, which ends here at the latest; or else the first place that was not met, or the window that did not end.
    pub fn end(mut self) -> Result<u64, &'static str> {
        if let Some((place, _)) = self.path.places.iter().zip(&self.places).find(|(_, (_, forced))| *forced == 0) {
            return Err(place.piece);
        }
        if self.path.window.is_some() && !self.is_over {
            return Err("the end of the window");
        }
        self.close(|| 0);
        Ok(self.excused)
    }
}

/// The line of a piece, from 1 on.
fn line(file: &str, piece: &str) -> u32 {
    let path = format!("{}/../../{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    let lines = text.lines().enumerate().filter(|(_, line)| line.contains("declassify(") && line.contains(piece));
    match lines.collect::<Vec<_>>()[..] {
        [(i, _)] => i as u32 + 1,
        ref found => panic!("{file}: {} lines have `{piece}`, of one mark", found.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::{Path as File, PathBuf};

    fn below(folder: &File, files: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let is_test = path.file_stem().is_some_and(|stem| stem == "tests" || stem == "fixtures");
            if path.is_dir() && !is_test {
                below(&path, files);
            } else if path.extension().is_some_and(|extension| extension == "rs") && !is_test {
                files.push(path);
            }
        }
    }

    /// Whatever a sampler marks as public is forced by a case, or has two ordinary outcomes.
    #[test]
    fn every_mark_has_a_case_or_a_reason() {
        let root = File::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        let mut known: Vec<(&str, u32)> = ORDINARY.iter().map(|(file, piece, _)| (*file, line(file, piece))).collect();
        known
            .extend(PATHS.iter().flat_map(|path| path.places).map(|place| (place.file, line(place.file, place.piece))));
        let mut files = Vec::new();
        for name in ["samplez", "samplez-core", "samplez-lattice", "samplez-schemes", "samplez-tables"] {
            below(&root.join("crates").join(name).join("src"), &mut files);
        }
        let mut found = 0;
        for path in files {
            let text = std::fs::read_to_string(&path).expect("a text");
            let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
            for (i, line) in text.lines().enumerate() {
                let line = line.trim();
                let forwards = line.contains("fn declassify(") || line.ends_with(".declassify(outcome)");
                if line.contains("declassify(") && !line.starts_with("//") && !forwards {
                    let at = (path.strip_prefix(root).expect("below it").to_string_lossy().into_owned(), i as u32 + 1);
                    assert!(known.contains(&(&at.0, at.1)), "{}:{}: no rare path and no reason", at.0, at.1);
                    found += 1;
                }
            }
        }
        known.sort_unstable();
        known.dedup();
        assert_eq!(known.len(), found);
    }

    #[test]
    fn a_path_is_met_or_not() {
        static PATH: Path = Path {
            name: "of a test",
            places: &[place(STRIPS, "u32::from(!close)", 7, 1), place(STRIPS, "u32::from(accepted)", 1, 2)],
            window: Some(1),
            runs: &[],
        };
        let [first, second] = [0, 1].map(|i| line(PATH.places[i].file, PATH.places[i].piece));
        let mut forcing = Forcing::new(&PATH);
        let mut mark = |outcome, file, line, errors| forcing.mark(outcome, file, line, || errors);
        assert_eq!(mark(3, "samplers/other.rs", first, 0), 3);
        assert_eq!(mark(3, STRIPS, first, 10), 7);
        assert_eq!([mark(0, STRIPS, second, 11), mark(0, STRIPS, second, 12), mark(0, STRIPS, second, 13)], [1, 1, 0]);
        assert_eq!([mark(3, STRIPS, first, 14), mark(4, STRIPS, first, 15), mark(5, STRIPS, first, 99)], [3, 4, 5]);
        assert_eq!(forcing.end(), Ok(5));
        assert_eq!(Forcing::new(&PATH).end(), Err("u32::from(!close)"));
        let mut forcing = Forcing::new(&PATH);
        (0..2).for_each(|_| _ = forcing.mark(0, STRIPS, first, || 0));
        assert_eq!(forcing.end(), Err("u32::from(accepted)"));
    }
}
