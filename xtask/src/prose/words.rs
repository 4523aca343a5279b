//! The word lists of `docs/style/words.tsv`, and where a text has one of their phrases.
//!
//! A line has four columns: rule, phrase, replacement, and exceptions separated by ` / ` (may be missing).
//! A phrase is a sequence of words. `a|b` matches either word, `*` any word, and `^` at the front the start of a clause.

use super::text::Token;
use std::io;
use std::ops::Range;
use std::path::Path;
use xtask::files;

const FILE: &str = "docs/style/words.tsv";

/// The marks after which a clause starts, beside the start of a sentence.
const OPENING: [&str; 6] = [";", ":", "(", "–", "—", "«"];

#[derive(Debug)]
pub(crate) struct Phrases(Vec<Entry>);

#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) rule: String,
    pub(crate) write: String,
    phrase: Phrase,
    except: Vec<Phrase>,
}

#[derive(Debug)]
struct Phrase {
    opens: bool,
    /// Each place's alternatives; none for any word.
    words: Vec<Vec<String>>,
}

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
            entries.push(Entry {
                rule: rule.to_owned(),
                write: write.to_owned(),
                phrase: Phrase::parse(phrase),
                except,
            });
        }
        Ok(Self(entries))
    }

    /// The longest phrases from left to right that do not overlap, as ranges of tokens.
    /// `starts` says whether a sentence starts at a token.
    pub(crate) fn find(&self, tokens: &[Token], starts: impl Fn(usize) -> bool) -> Vec<(Range<usize>, &Entry)> {
        let opens = |at: usize| starts(at) || at > 0 && OPENING.contains(&tokens[at - 1].text.as_str());
        let mut found = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            let longest = (self.0.iter())
                .filter(|entry| entry.phrase.matches(tokens, at, &opens))
                .filter(|entry| !entry.is_excepted(tokens, at, &opens))
                .max_by_key(|entry| (entry.phrase.words.len(), !entry.phrase.opens));
            let length = longest.map_or(1, |entry| entry.phrase.words.len().max(1));
            found.extend(longest.map(|entry| (at..at + length, entry)));
            at += length;
        }
        found
    }
}

impl Entry {
    /// Whether one of the exceptions covers the phrase here.
    fn is_excepted(&self, tokens: &[Token], at: usize, opens: &impl Fn(usize) -> bool) -> bool {
        let end = at + self.phrase.words.len();
        self.except.iter().any(|phrase| {
            let earliest = end.saturating_sub(phrase.words.len());
            (earliest..=at).any(|start| start + phrase.words.len() >= end && phrase.matches(tokens, start, opens))
        })
    }
}

impl Phrase {
    fn parse(text: &str) -> Self {
        let alternatives = |word: &str| match word {
            "*" => Vec::new(),
            _ => word.split('|').map(str::to_owned).collect(),
        };
        let bare = text.strip_prefix("^ ");
        let words = bare.unwrap_or(text).split_whitespace().map(alternatives).collect();
        Self { opens: bare.is_some(), words }
    }

    fn matches(&self, tokens: &[Token], at: usize, opens: &impl Fn(usize) -> bool) -> bool {
        let Some(here) = tokens.get(at..at + self.words.len()) else { return false };
        let is_word = |token: &Token| token.text.starts_with(char::is_alphanumeric);
        let fits = |(word, token): (&Vec<String>, &Token)| {
            if word.is_empty() { is_word(token) } else { word.contains(&token.text) }
        };
        self.words.iter().zip(here).all(fits) && (!self.opens || opens(at))
    }
}

#[cfg(test)]
mod tests {
    use super::super::text::{Kind, Piece};
    use super::*;

    fn found(list: &str, text: &str) -> Vec<String> {
        let mut piece = Piece::new(Kind::Paragraph);
        piece.push(text, 1);
        let tokens = piece.tokens();
        let phrases = Phrases::parse(list).unwrap();
        let found = phrases.find(&tokens, |at| at == 0);
        found
            .iter()
            .map(|(at, _)| text[tokens[at.start].place.start..tokens[at.end - 1].place.end].to_owned())
            .collect()
    }

    #[test]
    fn the_longest_phrase_is_found_once() {
        assert_eq!(found("a\tsaid\tx\na\tis|are said\ty\n", "It is said, or said."), ["is said", "said"]);
        assert_eq!(found("a\t* tenths\tx\n", "Nine tenths, tenths."), ["Nine tenths"]);
    }

    #[test]
    fn clauses_are_told_from_the_rest() {
        let list = "relative\t^ what\tx\n";
        assert_eq!(found(list, "What runs: what stops"), ["What", "what"]);
        assert_eq!(found(list, "It shows what runs."), [""; 0]);
    }

    #[test]
    fn exceptions_are_left_out() {
        let list = "a\tstands\tis\tstands for\na\ttrip\tx\tround trip / trip count\n";
        assert_eq!(found(list, "It stands for a round trip."), [""; 0]);
        assert_eq!(found(list, "It stands on a trip."), ["stands", "trip"]);
    }

    #[test]
    fn a_line_without_a_replacement_is_an_error() {
        assert_eq!(
            Phrases::parse("# comment\n\na\tb\n").unwrap_err().to_string(),
            "docs/style/words.tsv:3: expected rule, phrase, replacement, exceptions"
        );
    }
}
