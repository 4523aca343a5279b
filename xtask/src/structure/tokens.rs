//! Rust as the checks read it: words, texts and marks in one list, without comments.
//!
//! The lexer is `proc-macro2`. `syn` would read no path inside a macro's braces.

use proc_macro2::{LexError, Spacing, TokenStream, TokenTree};
use std::io;

/// A piece of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// A name, a keyword, or a literal that is no string.
    Word(&'a str),
    /// The characters between the quotes of a string, as they are written.
    Text(&'a str),
    /// `::`
    Path,
    /// Any other character.
    Mark(char),
}

impl<'a> Token<'a> {
    pub(crate) fn word(self) -> Option<&'a str> {
        match self {
            Token::Word(word) => Some(word),
            _ => None,
        }
    }
}

/// A token and its line, from 1.
pub(crate) type Placed<'a> = (Token<'a>, usize);

/// The tokens of a file, in order.
pub(crate) fn tokens(text: &str) -> io::Result<Vec<Placed<'_>>> {
    let stream = text.parse().map_err(|error: LexError| {
        io::Error::new(io::ErrorKind::InvalidData, format!("line {}: no Rust: {error}", error.span().start().line))
    })?;
    let mut found = Vec::new();
    flatten(text, stream, &mut found);
    // Otherwise the lexer keeps every text until the thread ends.
    proc_macro2::extra::invalidate_current_thread_spans();
    Ok(found)
}

fn flatten<'a>(text: &'a str, stream: TokenStream, found: &mut Vec<Placed<'a>>) {
    for tree in stream {
        let (span, line) = (tree.span(), tree.span().start().line);
        let written = &text[span.byte_range()];
        // A doc comment is parsed as an attribute.
        if written.starts_with("//") || written.starts_with("/*") {
            continue;
        }
        match tree {
            TokenTree::Group(group) => {
                found.extend(written.chars().next().map(|mark| (Token::Mark(mark), line)));
                flatten(text, group.stream(), found);
                found.extend(written.chars().last().map(|mark| (Token::Mark(mark), group.span_close().start().line)));
            }
            TokenTree::Ident(_) => found.push((Token::Word(written), line)),
            TokenTree::Literal(_) => {
                let bare = written.trim_start_matches(['b', 'c', 'r']).trim_matches('#');
                let inside = bare.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
                found.push((inside.map_or(Token::Word(written), Token::Text), line));
            }
            TokenTree::Punct(punct) => match (punct.as_char(), punct.spacing(), found.last()) {
                (':', Spacing::Joint, _) => found.push((Token::Path, line)),
                (':', Spacing::Alone, Some((Token::Path, _))) | ('\'', ..) => {} // its second half; a lifetime's quote
                (mark, ..) => found.push((Token::Mark(mark), line)),
            },
        }
    }
}

/// Whether `#[cfg(test)]` or `#[cfg(all(test, …))]` begins here.
pub(crate) fn is_for_tests(code: &[Placed<'_>]) -> bool {
    let mut words = code.iter().map_while(|(token, _)| (*token != Token::Mark(']')).then(|| token.word())).flatten();
    match (words.next(), words.next()) {
        (Some("cfg"), Some("test")) => true,
        (Some("cfg"), Some("all")) => words.next() == Some("test"),
        _ => false,
    }
}

/// The number of tokens of the item that begins here: up to its `;` or its closing brace.
pub(crate) fn item(code: &[Placed<'_>]) -> usize {
    let mut depth = 0;
    for (at, (token, _)) in code.iter().enumerate() {
        match token {
            Token::Mark('(' | '[' | '{') => depth += 1,
            Token::Mark(closing @ (')' | ']' | '}')) => {
                depth -= 1;
                if depth == 0 && *closing == '}' {
                    return at + 1;
                }
            }
            Token::Mark(';') if depth == 0 => return at + 1,
            _ => {}
        }
    }
    code.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rust_is_read() {
        let rust = |text: &str| {
            let shown = tokens(text).unwrap().into_iter().map(|(token, line)| match token {
                Token::Word(word) => format!("{line}{word}"),
                Token::Text(text) => format!("{line}«{text}»"),
                Token::Path => "::".into(),
                Token::Mark(mark) => mark.to_string(),
            });
            shown.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(rust("a::b // c\n/* d /* e */ f */ g"), "1a :: 1b 2g");
        assert_eq!(rust("//! d\n/// e\n/** h */ f: ::g"), "3f : :: 3g");
        assert_eq!(rust("'x' '\\'' &'a b"), "1'x' 1'\\'' & 1a 1b");
        assert_eq!(rust(r##"x("a\"//b", r#"c"d"#, b"e")"##), r#"1x ( 1«a\"//b» , 1«c"d» , 1«e» )"#);
        assert_eq!(rust("{\n\"ü\nb\" c\n}"), "{ 2«ü\nb» 3c }");
        assert_eq!(tokens("a\n}").unwrap_err().to_string().split(": ").next(), Some("line 2"));
    }
}
