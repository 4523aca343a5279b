//! The word lists of `docs/style/words.tsv`, and where a text has one of their phrases.
//!
//! A line has four columns: rule, phrase, replacement, and exceptions separated by ` / ` (may be missing).
//! A phrase is a sequence of words. `a|b` matches either word, and `*` any word.

use super::text::{Piece, Token};
use std::io;
use std::path::Path;
use xtask::files;

const FILE: &str = "docs/style/words.tsv";

#[derive(Debug)]
pub(crate) struct Phrases(Vec<Entry>);

#[derive(Debug)]
struct Entry {
    rule: String,
    write: String,
    phrase: Phrase,
    except: Vec<Phrase>,
}

/// Each place's alternatives; none for any word.
#[derive(Debug)]
struct Phrase(Vec<Vec<String>>);

impl Phrases {
    pub(crate) fn read(root: &Path) -> io::Result<Self> {
        Self::parse(&files::read(&root.join(FILE))?)
    }

    pub(crate) fn parse(text: &str) -> io::Result<Self> {
        let mut entries = Vec::new();
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
            let columns: Vec<&str> = line.split('\t').collect();
            let (&[rule, phrase, write] | &[rule, phrase, write, _]) = &columns[..] else {
                let message = format!("{}:{}: expected rule, phrase, replacement, exceptions", FILE, number + 1);
                return Err(io::Error::other(message));
            };
            let except = columns.get(3).map_or(Vec::new(), |all| all.split(" / ").map(Phrase::parse).collect());
            let (rule, write) = (rule.to_owned(), write.to_owned());
            entries.push(Entry { rule, write, phrase: Phrase::parse(phrase), except });
        }
        Ok(Self(entries))
    }

    /// The longest phrases from left to right that do not overlap: each one's line, and a finding with the way out.
    pub(crate) fn judge(&self, piece: &Piece) -> Vec<(usize, String)> {
        let tokens = piece.tokens();
        let mut found = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            let fitting = self.0.iter().filter(|entry| entry.fits(&tokens, at));
            let Some(Entry { rule, write, phrase, .. }) = fitting.max_by_key(|entry| entry.phrase.0.len()) else {
                at += 1;
                continue;
            };
            let here = &tokens[at..at + phrase.0.len()];
            let words: Vec<&str> = here.iter().map(|token| token.text.as_str()).collect();
            found.push((here[0].line, format!("{rule}: \"{}\": write {write}", words.join(" "))));
            at += here.len();
        }
        found
    }
}

impl Entry {
    /// Whether the phrase is here, and none of its exceptions covers it.
    fn fits(&self, tokens: &[Token], at: usize) -> bool {
        let end = at + self.phrase.0.len();
        let covers = |phrase: &Phrase| {
            let earliest = end.saturating_sub(phrase.0.len());
            (earliest..=at).any(|start| start + phrase.0.len() >= end && phrase.matches(tokens, start))
        };
        self.phrase.matches(tokens, at) && !self.except.iter().any(covers)
    }
}

impl Phrase {
    fn parse(text: &str) -> Self {
        let alternatives = |word: &str| match word {
            "*" => Vec::new(),
            _ => word.split('|').map(str::to_owned).collect(),
        };
        Self(text.split_whitespace().map(alternatives).collect())
    }

    fn matches(&self, tokens: &[Token], at: usize) -> bool {
        let Some(here) = tokens.get(at..at + self.0.len()) else { return false };
        let fits = |(word, token): (&Vec<String>, &Token)| match &word[..] {
            [] => token.text.starts_with(char::is_alphanumeric),
            _ => word.contains(&token.text),
        };
        self.0.iter().zip(here).all(fits)
    }
}

#[cfg(test)]
mod tests {
    use super::super::markdown;
    use super::*;

    /// The findings in a text by a list, as rule and words.
    fn found(list: &str, text: &str) -> Vec<String> {
        let phrases = Phrases::parse(list).unwrap();
        let found = markdown::pieces(text, 1).into_iter().flat_map(|piece| phrases.judge(&piece));
        found.map(|(_, finding)| finding.split("\": write ").next().unwrap().replace("\"", "")).collect()
    }

    #[test]
    fn the_longest_phrase_is_found_once() {
        assert_eq!(found("a\tsaid\tx\na\tis|are said\ty\n", "It is said, or said."), ["a: is said", "a: said"]);
        assert_eq!(found("a\t* tenths\tx\n", "Nine tenths, tenths."), ["a: nine tenths"]);
    }

    #[test]
    fn exceptions_are_left_out() {
        let list = "a\tstands\tis\tstands for\na\ttrip\tx\tround trip / trip count\n";
        assert_eq!(found(list, "It stands for a round trip."), [""; 0]);
        assert_eq!(found(list, "It stands on a trip."), ["a: stands", "a: trip"]);
    }

    #[test]
    fn a_line_without_a_replacement_is_an_error() {
        assert_eq!(
            Phrases::parse("# comment\n\na\tb\n").unwrap_err().to_string(),
            "docs/style/words.tsv:3: expected rule, phrase, replacement, exceptions"
        );
    }

    #[test]
    fn the_committed_list_finds_slips_outside_code() {
        let fired = |text: &str| found(include_str!("../../../docs/style/words.tsv"), text);
        for (expected, planted) in [
            ("verb: tells", "The method tells its size."),
            ("verb: is said", "The size is said twice."),
            ("glossary: unless told", "It uses 128 bits unless told otherwise."),
            ("glossary: tenths", "It runs at four to nine tenths of the speed."),
            ("glossary: heeds", "| a |\n|---|\n| heeds |\n"),
            ("metaphor: house", "# The house\n"),
        ] {
            assert_eq!(fired(planted), [expected], "{planted}");
        }
        for clean in [
            "- You tell two laws apart: σ stands for the width.\n",
            "```text\nThis tells; heeds; stands.\n```\n",
            "    This tells; heeds; stands.\n",
            "See `this tells; heeds; stands`.",
            "See [the page](house/told.md).",
            "<!-- This tells; heeds; stands. -->\n",
        ] {
            assert_eq!(fired(clean), [""; 0], "{clean}");
        }
    }
}
