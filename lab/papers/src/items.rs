//! The experiments: a row for each item that is measured, by the item's name. What has no row says in kat/papers/items.csv
//! what it lacks.

mod bench;
mod blocks;
mod browser;
mod bytewise;
mod centred;
mod counts;
mod derived;
mod in_106_bits;
mod means;
mod partitions;
mod plainly;
mod sizes;
mod sources;
mod split;
mod sweeps;
mod unvectorized;
mod wide;

pub(crate) use bench::{Bench, Measure};

/// Every item that is measured.
const MEASURED: &[(&str, Measure)] = &[
    ("B1", wide::widest),
    ("B2", browser::share_of_signing),
    ("B3", sizes::peikert),
    ("B4", partitions::seven),
    ("B5", partitions::areas),
    ("B6", partitions::search),
    ("B7", partitions::fixed_point),
    ("B8", partitions::saved),
    ("B9", partitions::bound),
    ("B10", partitions::parameters),
    ("B11", wide::single_calls),
    ("B12", wide::seven),
    ("B13", sizes::formulas),
    ("B14", sweeps::memory),
    ("B15a", wide::at_32),
    ("B15b", wide::without_line),
    ("B15c", wide::ratios_at_32),
    ("B16a", wide::half_a_megabyte),
    ("B16b", wide::ratios_at_widest),
    ("B17", wide::eight_rectangles),
    ("B18", sweeps::rise),
    ("B19", sweeps::trades),
    ("B20", sweeps::overlay),
    ("B21", split::figure_5),
    ("B22", partitions::algorithm),
    ("B23", sweeps::line),
    ("B24", sweeps::densities),
    ("B25", plainly::lazy),
    ("B26", partitions::centres),
    ("D1", centred::algorithms),
    ("D2", counts::uniform_rejection),
    ("D3", counts::binary_trials),
    ("D4", counts::bin),
    ("D5", plainly::half),
    ("D6", centred::coins),
    ("D7", centred::binary_method),
    ("D8", centred::karney),
    ("D9", counts::coin),
    ("D10", counts::sum_over_k),
    ("D11", counts::step_7_by_formula),
    ("D12", counts::accepting),
    ("D13", counts::proposals),
    ("D14", counts::walk),
    ("D15", centred::tables),
    ("D16", centred::speeds),
    ("D17", centred::figure_1),
    ("D18", centred::to_20000),
    ("D19", centred::to_2_23),
    ("D20", counts::constant_time),
    ("D21", centred::order),
    ("D22", centred::others),
    ("D23", centred::refused),
    ("D24", centred::algorithm_6),
    ("J1", browser::bliss),
    ("J2", browser::bliss_ii),
    ("J3", browser::regev),
    ("J4", browser::lp11),
    ("J7", browser::differences),
    ("J8", browser::below),
    ("J9", browser::matrix),
    ("J10", browser::walk),
    ("J12", browser::parameters),
    ("J13", browser::table_3),
    ("J14", sizes::table_3),
    ("J15", derived::table_3_ratios),
    ("J16", sizes::earlier_work),
    ("J18", browser::order),
    ("J19", browser::table_4),
    ("J20", browser::table_5),
    ("J23", sweeps::more_precision),
    ("S1", sources::all),
    ("S2", sources::reseeding),
    ("S4", sources::state_of_rand),
    ("S5", sources::seedings),
    ("S6", sources::figure_2),
    ("S7", unvectorized::figure_3),
    ("S8", sources::ratios),
    ("S9", sources::figure_4),
    ("S10", unvectorized::figure_5),
    ("S11", sources::inside),
    ("S12", sources::states),
    ("S13", sources::table_2),
    ("S14", sources::appetite),
    ("S15", sources::ziggurat_beside_cdt),
    ("S16", means::figure_6),
    ("S17", means::figure_7),
    ("S18", means::figure_8),
    ("S19", means::figure_9),
    ("S20", means::figure_10),
    ("S21", means::figure_11),
    ("S22", means::figure_12),
    ("S23", means::zero_seed),
    ("S24", means::other_samplers),
    ("S25", sources::suites),
    ("S26", browser::inside_schemes),
    ("S27", sources::threads),
    ("S28", sources::enough_for_bliss_b),
    ("S29", sources::which),
    ("S30", sources::hierarchy),
    ("E2", derived::one_attempt),
    ("E3", derived::lp11_samples),
    ("E4", derived::regev_samples),
    ("E5", derived::two_rectangles),
    ("E6", derived::outperforms),
    ("E7", derived::factor_558),
    ("E8", derived::doubled_memory),
    ("E9", derived::inversion_memory),
    ("E10", derived::bernoulli_bytes),
    ("E11", derived::bits_for_bytes),
];

/// How this item is measured, if it is.
pub(crate) fn measure_of(item: &str) -> Option<Measure> {
    MEASURED.iter().find(|(known, _)| *known == item).map(|(_, measure)| *measure)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::Answer;
    use crate::data::{Claim, Item};

    /// Every item is measured, or says why not, or is about one that is in the list.
    #[test]
    fn every_item_has_a_row_or_a_reason() {
        let items = Item::all().unwrap();
        for (id, _) in MEASURED {
            assert!(items.iter().any(|item| item.id == *id), "{id} is no item");
            assert_eq!(MEASURED.iter().filter(|(other, _)| other == id).count(), 1, "{id} is there twice");
        }
        for item in &items {
            let rows = [measure_of(&item.id).is_some(), item.lacking.is_some()].into_iter().filter(|row| *row).count();
            match &item.about {
                None => {
                    assert_eq!(rows, 1, "{}: a row in items.rs, or what it lacks in items.csv; not both", item.id)
                }
                Some(about) => assert!(rows <= 1 && items.iter().any(|item| item.id == *about), "{}", item.id),
            }
        }
    }

    /// No row agrees, or differs, whatever comes out: an outcome is the branch of a condition, and a judged number is computed.
    #[test]
    fn every_verdict_can_fail() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let browsers = std::fs::read_to_string(root.join("../../web/bench/claims.mjs")).unwrap();
        let fixed = browsers.lines().filter(|line| line.contains("\"agrees\")")).collect::<Vec<_>>();
        assert!(fixed.is_empty(), "{fixed:#?}");
        let mut fixed = Vec::new();
        for file in std::fs::read_dir(root.join("src/items")).unwrap() {
            let path = file.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            let text: String = text.split("#[cfg(test)]\nmod tests").next().unwrap().split_whitespace().collect();
            for call in ["answer.statement(", "answer.exact(", "answer.within(", "answer.near(", "answer.repeated("] {
                for after in text.split(call).skip(1) {
                    let call = &after[..after.find(")?;").or(after.find(")}")).unwrap_or(after.len())];
                    let is_literal = after.split_once(",(").is_some_and(|(name, number)| {
                        name.starts_with('"')
                            && !name[1..name.len() - 1].contains('"')
                            && number.starts_with(|c: char| c.is_ascii_digit())
                            && number.split_once(',').is_some_and(|(number, _)| number.parse::<f64>().is_ok())
                    });
                    let last = call.trim_end_matches(',');
                    if is_literal || last.ends_with("Outcome::Agrees") || last.contains(",Outcome::Differs(") {
                        fixed.push(format!("{}: {call}", path.display()));
                    }
                }
            }
        }
        assert!(fixed.is_empty(), "{fixed:#?}");
    }

    /// Everything in a hurry: no item fails, and none leaves a claim of its own without an answer.
    #[test]
    #[ignore = "times every sampler over every source for minutes: cargo test --release -p samplez-lab --lib -- --ignored; the exact items are checked in every run"]
    fn every_item_answers_every_claim() {
        let (claims, bench, mut wrong) = (Claim::all().unwrap(), Bench::new(true, None), Vec::new());
        for (id, measure) in MEASURED {
            let (start, mut answer) = (std::time::Instant::now(), Answer::new(id, &claims));
            match measure(&bench, &mut answer) {
                Ok(()) => {
                    wrong.extend(answer.unanswered(id).into_iter().map(|claim| format!("{id}: {}", claim.quantity)))
                }
                Err(why) => wrong.push(format!("{id}: {why}")),
            }
            println!("{id}: {:.2} s", start.elapsed().as_secs_f64());
            for finding in &answer.findings {
                println!(
                    "    {} | {:?} {} | {} | {}",
                    finding.quantity,
                    finding.ours,
                    finding.unit,
                    finding.relation(&claims),
                    finding.outcome
                );
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    /// What is not timed is answered whole; the papers' slips, which are arithmetic, alike each time.
    #[test]
    fn what_is_exact_answers_every_claim() {
        let claims = Claim::all().unwrap();
        let bench = Bench::new(true, None);
        for (id, measure) in MEASURED.iter().filter(|(id, _)| !bench::TIMED.contains(id)) {
            let run = || {
                let mut answer = Answer::new(id, &claims);
                measure(&bench, &mut answer).unwrap_or_else(|why| panic!("{id}: {why}"));
                answer
            };
            let answer = run();
            assert!(answer.unanswered(id).is_empty(), "{id}: {:?}", answer.unanswered(id));
            assert!(!answer.findings.is_empty(), "{id}");
            assert!(!id.starts_with('E') || answer.findings == run().findings, "{id}");
        }
    }
}
