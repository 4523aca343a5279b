//! The rules, applied to one piece of text.

use super::text::{CODE, Kind, Piece};
use super::words::{Entry, Phrases, RELATIVE};
use std::fmt;

/// The most words of a sentence.
const LONGEST: usize = 25;
/// The most semicolons of a paragraph.
const SEMICOLONS: usize = 1;
/// The words of a long sentence that a finding quotes.
const QUOTED: usize = 6;

/// What is wrong at one place, and the way out.
#[derive(Debug)]
pub(crate) struct Finding {
    pub(crate) line: usize,
    rule: String,
    words: String,
    write: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: \"{}\": write {}", self.line, self.rule, self.words.replace(CODE, "`…`"), self.write)
    }
}

pub(crate) fn judge(piece: &Piece, phrases: &Phrases) -> Vec<Finding> {
    let mut found = phrases_in(piece, phrases);
    if piece.kind != Kind::Fragment {
        found.extend(long_sentences(piece));
        found.extend(semicolons(piece));
    }
    found
}

fn long_sentences(piece: &Piece) -> impl Iterator<Item = Finding> {
    piece.sentences().into_iter().filter(|(_, words)| *words > LONGEST).map(|(place, words)| {
        let start: Vec<&str> = piece.text[place.clone()].split_whitespace().take(QUOTED).collect();
        Finding {
            line: piece.line(place.start),
            rule: "length".to_owned(),
            words: start.join(" ") + " …",
            write: format!("at most {LONGEST} words a sentence, not {words}"),
        }
    })
}

/// One finding for each semicolon beyond the first, so that each that goes lowers the count.
fn semicolons(piece: &Piece) -> impl Iterator<Item = Finding> {
    piece.text.match_indices(';').skip(SEMICOLONS).map(|(at, _)| {
        let before = piece.text[..at].split_whitespace().next_back().unwrap_or_default();
        Finding {
            line: piece.line(at),
            rule: "semicolons".to_owned(),
            words: format!("{before};"),
            write: "at most one semicolon a paragraph".to_owned(),
        }
    })
}

fn phrases_in(piece: &Piece, phrases: &Phrases) -> Vec<Finding> {
    let (tokens, sentences) = (piece.tokens(), piece.sentences());
    let sentence = |at: usize| {
        let start = tokens[at].place.start;
        sentences.iter().find(|(place, _)| place.contains(&start)).map(|(place, _)| place.clone())
    };
    let accepts = |entry: &Entry, at: usize| {
        let asks = || sentence(at).is_some_and(|place| piece.text[place].contains('?'));
        entry.rule != RELATIVE || piece.kind != Kind::Fragment && !asks()
    };
    // The first word of a sentence: an opening quote may stand before it.
    let starts = |at: usize| {
        sentence(at).is_some_and(|place| {
            !piece.text[place.start..tokens[at].place.start].contains(|c: char| c.is_alphanumeric() || c == CODE)
        })
    };
    let finding = |(at, entry): (std::ops::Range<usize>, &Entry)| {
        let place = tokens[at.start].place.start..tokens[at.end - 1].place.end;
        Finding {
            line: piece.line(place.start),
            rule: entry.rule.clone(),
            words: piece.text[place].to_owned(),
            write: entry.write.clone(),
        }
    };
    phrases.find(&tokens, accepts, starts).into_iter().map(finding).collect()
}

#[cfg(test)]
mod tests {
    use super::super::markdown;
    use super::*;

    /// The rules that fire, by the committed word lists.
    fn fired(markdown: &str) -> Vec<String> {
        let phrases = Phrases::parse(include_str!("../../../docs/style/words.tsv")).unwrap();
        let pieces = markdown::pieces(markdown, 1);
        pieces.iter().flat_map(|piece| judge(piece, &phrases)).map(|finding| finding.rule).collect()
    }

    #[test]
    fn each_rule_fires_on_its_sentence() {
        let long = "One two three four five six seven eight nine ten ".repeat(3);
        for (rule, planted) in [
            ("length", long.as_str()),
            ("semicolons", "The fill reads bits; it writes samples; it ends."),
            ("relative", "What fails is latched."),
            ("relative", "The fill ends, what is left is wiped."),
            ("relative", "Whoever calls it checks the result."),
            ("relative", "Those of the table are smaller."),
            ("relative", "It returns that which was read."),
            ("verb", "The method tells its size."),
            ("verb", "The size is said twice."),
            ("verb", "The table stands below the text."),
            ("verb", "Another law comes out."),
            ("glossary", "The plan heeds the option."),
            ("glossary", "It uses 128 bits unless told otherwise."),
            ("glossary", "The fill writes into a room."),
            ("glossary", "It runs at four to nine tenths of the speed."),
            ("glossary", "Every demand is checked."),
            ("metaphor", "This is the plan of the house."),
            ("metaphor", "The crates on the lowest storey."),
        ] {
            assert_eq!(fired(planted), [rule], "{planted}");
        }
    }

    #[test]
    fn a_clean_paragraph_has_no_finding() {
        let clean = "The fill returns an error if the source fails; then it wipes the output.\n\
            - `Stream` computes 2^-128 exactly, e.g. for σ = 3.2.\n\n\
            What does it cost? You tell two laws apart. The symbol σ stands for the width.\n";
        assert_eq!(fired(clean), [""; 0]);
    }

    #[test]
    fn code_is_not_judged_and_tables_are_by_words_alone() {
        for unjudged in [
            "```text\nWhat tells; heeds; stands.\n```\n",
            "    What tells; heeds; stands.\n",
            "See `what tells; heeds; stands`.",
            "See [the page](house/told.md).",
            "<!-- What tells; heeds; stands. -->\n",
            "# What there is; once; twice",
            "| What is here | a; b; c |\n",
            "| What is here | x |\n|---|---|\n| a; b; c | What is it |\n",
        ] {
            assert_eq!(fired(unjudged), [""; 0], "{unjudged}");
        }
        assert_eq!(fired("| a |\n|---|\n| heeds |\n"), ["glossary"]);
        assert_eq!(fired("# The house\n"), ["metaphor"]);
    }

    #[test]
    fn a_finding_names_line_words_and_replacement() {
        let phrases = Phrases::parse("verb\ttells\treturns\n").unwrap();
        let pieces = markdown::pieces("A\n`b` tells.\n", 1);
        let found: Vec<String> =
            pieces.iter().flat_map(|piece| judge(piece, &phrases)).map(|f| f.to_string()).collect();
        assert_eq!(found, ["2: verb: \"tells\": write returns"]);
    }
}
