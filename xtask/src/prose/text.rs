//! A piece of text that is judged as a whole, its lines, tokens and sentences.

use std::ops::Range;

/// The character that replaces inline code and placeholders. It counts as one word.
pub(crate) const CODE: char = '\u{fffc}';

/// Words that end in a full stop without ending a sentence.
const ABBREVIATIONS: [&str; 11] =
    ["e.g.", "i.e.", "cf.", "vs.", "fig.", "resp.", "approx.", "sect.", "eq.", "alg.", "thm."];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A paragraph or a list item: every rule applies.
    Paragraph,
    /// A heading or a table cell: no sentence, but its words are judged.
    Fragment,
    /// A string literal: every rule applies, and a line break ends a sentence.
    Message,
}

#[derive(Debug)]
pub(crate) struct Piece {
    pub(crate) kind: Kind,
    pub(crate) text: String,
    /// Where a line of the file begins in the text, and its number.
    lines: Vec<(usize, usize)>,
}

/// A word in lower case or a punctuation mark, with its place in the text.
#[derive(Debug)]
pub(crate) struct Token {
    pub(crate) text: String,
    pub(crate) place: Range<usize>,
}

impl Piece {
    pub(crate) const fn new(kind: Kind) -> Self {
        Self { kind, text: String::new(), lines: Vec::new() }
    }

    /// Appends text of this line of the file.
    pub(crate) fn push(&mut self, text: &str, line: usize) {
        self.lines.push((self.text.len(), line));
        self.text += text;
    }

    /// The line of the file that has this byte of the text.
    pub(crate) fn line(&self, at: usize) -> usize {
        self.lines.iter().take_while(|(start, _)| *start <= at).last().map_or(1, |(_, line)| *line)
    }

    /// The words between spaces, as places.
    fn chunks(&self) -> Vec<Range<usize>> {
        let base = self.text.as_ptr() as usize;
        let place = |chunk: &str| chunk.as_ptr() as usize - base..chunk.as_ptr() as usize - base + chunk.len();
        self.text.split_whitespace().map(place).collect()
    }

    /// The sentences with the number of their words.
    pub(crate) fn sentences(&self) -> Vec<(Range<usize>, usize)> {
        let chunks = self.chunks();
        let mut found = Vec::new();
        let (mut start, mut words) = (None, 0);
        for (at, chunk) in chunks.iter().enumerate() {
            let from = *start.get_or_insert(chunk.start);
            words += usize::from(self.text[chunk.clone()].chars().any(|c| c.is_alphanumeric() || c == CODE));
            let next = chunks.get(at + 1);
            let breaks = |next: &Range<usize>| {
                let ends_line = self.kind == Kind::Message && self.text[chunk.end..next.start].contains('\n');
                ends_line || ends_sentence(&self.text[chunk.clone()], &self.text[next.clone()])
            };
            if next.is_none_or(breaks) {
                found.push((from..chunk.end, words));
                (start, words) = (None, 0);
            }
        }
        found
    }

    pub(crate) fn tokens(&self) -> Vec<Token> {
        let inside = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '’' | '-' | '_');
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(first) = self.text[at..].chars().next() {
            let rest = &self.text[at..];
            let end = match first {
                _ if first.is_alphanumeric() => rest.find(|c| !inside(c)).unwrap_or(rest.len()),
                _ => first.len_utf8(),
            };
            if !first.is_whitespace() {
                let text = rest[..end].to_lowercase().replace('’', "'");
                found.push(Token { text, place: at..at + end });
            }
            at += end;
        }
        found
    }
}

fn ends_sentence(chunk: &str, next: &str) -> bool {
    let bare = chunk.trim_end_matches([')', '"', '\'', '”', '»', ']']);
    let opened = bare.trim_start_matches(['(', '"', '“', '«', '[']);
    let initial = opened.chars().count() == 2 && opened.starts_with(char::is_uppercase) && opened.ends_with('.');
    let goes_on = next.trim_start_matches(['(', '"', '“', '«', '[']).starts_with(char::is_lowercase);
    bare.ends_with(['.', '!', '?']) && !initial && !goes_on && !ABBREVIATIONS.contains(&opened.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentences(text: &str, kind: Kind) -> Vec<(String, usize)> {
        let mut piece = Piece::new(kind);
        piece.push(text, 1);
        piece.sentences().into_iter().map(|(place, words)| (text[place].to_owned(), words)).collect()
    }

    #[test]
    fn sentences_end_at_full_stops_alone() {
        let text = "A sum, e.g. 3.2 of D. Knuth's. Is it (so?) Yes: it is!";
        let found = sentences(text, Kind::Paragraph);
        let texts: Vec<&str> = found.iter().map(|(text, _)| text.as_str()).collect();
        assert_eq!(texts, ["A sum, e.g. 3.2 of D. Knuth's.", "Is it (so?)", "Yes: it is!"]);
    }

    #[test]
    fn words_are_counted_and_marks_are_not() {
        assert_eq!(sentences("σ = 3.2 – so\nmany", Kind::Paragraph)[0].1, 4);
        assert_eq!(sentences("σ is\nlarge", Kind::Message).len(), 2);
    }

    #[test]
    fn tokens_are_words_and_marks() {
        let mut piece = Piece::new(Kind::Paragraph);
        piece.push("Constant-time: it’s", 1);
        let texts: Vec<String> = piece.tokens().into_iter().map(|token| token.text).collect();
        assert_eq!(texts, ["constant-time", ":", "it's"]);
    }

    #[test]
    fn lines_are_those_of_the_file() {
        let mut piece = Piece::new(Kind::Paragraph);
        piece.push("one ", 7);
        piece.push("two", 9);
        assert_eq!([0, 3, 4].map(|at| piece.line(at)), [7, 7, 9]);
    }
}
