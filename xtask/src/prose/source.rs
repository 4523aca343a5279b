//! The pieces of a Rust file that are judged: its doc comments as Markdown, and its messages.
//!
//! A message is a string literal of three words or more that is neither markup nor code. Literals in attributes count only in clap's, where they are help.
//! Code for tests has no pieces.

use super::markdown;
use super::text::{CODE, Piece};
use crate::structure::{Placed, Token, is_for_tests, item, tokens};
use std::io;
use std::ops::RangeInclusive;

/// The attributes whose literals the user reads.
const HELP: [&str; 3] = ["arg", "command", "value"];
/// A literal with fewer words is a name.
const SHORTEST: usize = 3;

pub(crate) fn pieces(text: &str) -> io::Result<Vec<Piece>> {
    let code = tokens(text)?;
    let (messages, mut silent) = messages(&code);
    silent.extend(code.iter().filter_map(|(token, line)| match token {
        Token::Text(text) => Some(line + 1..=line + text.matches('\n').count()),
        _ => None,
    }));
    let mut found = messages;
    for (first, comment) in comments(text, &silent) {
        found.extend(markdown::pieces(&comment, first));
    }
    Ok(found)
}

/// The doc comments, each with its first line.
fn comments(text: &str, silent: &[RangeInclusive<usize>]) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut before = None;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim_start();
        let mark = ["///", "//!"].into_iter().find(|mark| line.starts_with(mark) && !line.starts_with("////"));
        let mark = mark.filter(|_| !silent.iter().any(|lines| lines.contains(&number)));
        // A line of an example that a macro writes.
        let mark = if line.starts_with("#[doc =") { before } else { mark };
        if let Some(mark) = mark {
            let comment = line.strip_prefix(mark).unwrap_or_default();
            if before != Some(mark) {
                found.push((number, String::new()));
            }
            if let Some((_, text)) = found.last_mut() {
                text.extend([comment.strip_prefix(' ').unwrap_or(comment), "\n"]);
            }
        }
        before = mark;
    }
    found
}

/// The messages, and the lines of code for tests.
fn messages(code: &[Placed<'_>]) -> (Vec<Piece>, Vec<RangeInclusive<usize>>) {
    let (mut found, mut tests) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < code.len() {
        let rest = &code[at..];
        if starts_attribute(rest) {
            let length = if is_for_tests(rest) { item(rest) } else { attribute(rest) };
            let inside = &rest[..length];
            if is_for_tests(rest) {
                tests.extend(inside.last().map(|(_, line)| rest[0].1..=*line));
            } else if inside.iter().find_map(|(token, _)| token.word()).is_some_and(|word| HELP.contains(&word)) {
                found.extend(inside.iter().filter_map(message));
            }
            at += length;
        } else {
            found.extend(message(&rest[0]));
            at += 1;
        }
    }
    (found, tests)
}

fn starts_attribute(code: &[Placed<'_>]) -> bool {
    let mark = |at: usize| code.get(at).map(|(token, _)| *token);
    let inner = usize::from(mark(1) == Some(Token::Mark('!')));
    mark(0) == Some(Token::Mark('#')) && mark(1 + inner) == Some(Token::Mark('['))
}

/// The tokens of the attribute that begins here.
fn attribute(code: &[Placed<'_>]) -> usize {
    let mut depth = 0;
    for (at, (token, _)) in code.iter().enumerate() {
        match token {
            Token::Mark('[') => depth += 1,
            Token::Mark(']') if depth == 1 => return at + 1,
            Token::Mark(']') => depth -= 1,
            _ => {}
        }
    }
    code.len()
}

fn message((token, line): &Placed<'_>) -> Option<Piece> {
    let Token::Text(text) = token else { return None };
    let mut piece = Piece::default();
    for (number, part) in (*line..).zip(text.split('\n')) {
        piece.push(&readable(part.strip_suffix('\\').unwrap_or(part).trim()), number);
        piece.push(" ", number);
    }
    let is_word = |chunk: &&str| chunk.chars().filter(|c| c.is_alphabetic()).count() > 1;
    let is_code =
        piece.text.trim_start().starts_with('<') || ["::", ");", "];"].iter().any(|mark| piece.text.contains(mark));
    (!is_code && piece.text.split_whitespace().filter(is_word).count() >= SHORTEST).then_some(piece)
}

/// The text with escapes resolved, and placeholders and code between backticks as one word each.
fn readable(text: &str) -> String {
    let text = text.replace("\\n", " ").replace("\\t", " ").replace("\\\"", "\"");
    let mut out = String::new();
    let mut rest = text.replace("{{", "(").replace("}}", ")");
    while let Some(at) = rest.find(['{', '`']) {
        let close = if rest[at..].starts_with('{') { '}' } else { '`' };
        let Some(length) = rest[at + 1..].find(close) else { break };
        out += &rest[..at];
        out.push(CODE);
        rest = rest[at + length + 2..].to_owned();
    }
    out + &rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<(usize, String)> {
        pieces(text).unwrap().iter().map(|piece| (piece.line(0), piece.text.trim_end().to_owned())).collect()
    }

    fn expected<const N: usize>(list: [(usize, &str); N]) -> Vec<(usize, String)> {
        list.map(|(line, text)| (line, text.to_owned())).into()
    }

    #[test]
    fn doc_comments_are_joined_and_examples_left_out() {
        let text =
            "//! One\n//! two.\n\n// no\n    /// three\n    ///\n    /// ```\n    /// four\n    /// ```\n//// no\n";
        assert_eq!(of(text), expected([(1, "One two."), (5, "three")]));
        assert_eq!(of("const A: &str = \"\n/// b\n\";\n"), []);
        assert_eq!(of("/// ```\n#[doc = \"b\"]\n/// let a = 1;\n/// ```\nfn f() {}\n"), []);
    }

    #[test]
    fn messages_are_the_literals_of_three_words() {
        let text = "fn fmt() {\n  write!(f, \"the {name:?} is `a b` wrong\");\n  x(\"a name\");\n  \"<svg is no message>\"\n}\n";
        assert_eq!(of(text), expected([(2, "the \u{fffc} is \u{fffc} wrong")]));
        assert_eq!(of("f(\"let the_value = T::new(one, two, three)\")"), []);
        assert_eq!(of("f(\"one two \\\n   three\")"), expected([(1, "one two three")]));
    }

    #[test]
    fn attributes_are_judged_where_they_are_help() {
        assert_eq!(of("#[expect(x, reason = \"three words here\")]\nfn f() {}\n"), []);
        assert_eq!(of("#[arg(help = \"three words here\")]\nx: u8,\n"), expected([(1, "three words here")]));
    }

    #[test]
    fn tests_are_not_judged() {
        let text = "#[cfg(test)]\nmod tests {\n    /// A doc comment.\n    fn f() { g(\"three words here\") }\n}\n/// After.\n";
        assert_eq!(of(text), expected([(6, "After.")]));
    }
}
