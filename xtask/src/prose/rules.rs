//! The rules, applied to one piece of text.

use super::text::{CODE, Piece};
use super::words::{Entry, Phrases};
use std::fmt;

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

/// Every phrase of the lists that the piece contains.
pub(crate) fn judge(piece: &Piece, phrases: &Phrases) -> Vec<Finding> {
    let (tokens, sentences) = (piece.tokens(), piece.sentences());
    let sentence = |at: usize| {
        let start = tokens[at].place.start;
        sentences.iter().find(|(place, _)| place.contains(&start)).map(|(place, _)| place.clone())
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
    phrases.find(&tokens, starts).into_iter().map(finding).collect()
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
        for (rule, planted) in [
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
    fn code_is_not_judged_and_tables_are() {
        for unjudged in [
            "```text\nThis tells; heeds; stands.\n```\n",
            "    This tells; heeds; stands.\n",
            "See `this tells; heeds; stands`.",
            "See [the page](house/told.md).",
            "<!-- This tells; heeds; stands. -->\n",
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
