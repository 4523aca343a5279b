//! Rust as the checks read it: words, texts and marks in one list, without comments. The lexer is `proc-macro2`.

use proc_macro2::{LexError, TokenStream, TokenTree};
use std::io;

/// A piece of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// A name, a keyword, or a literal that is no string.
    Word(&'a str),
    /// The characters between the quotes of a string, as they are written.
    Text(&'a str),
    /// Any other character.
    Mark(char),
}

/// The tokens of a file with their lines, in order.
pub(crate) fn tokens(text: &str) -> io::Result<Vec<(Token<'_>, usize)>> {
    let stream = text.parse().map_err(|error: LexError| {
        io::Error::new(io::ErrorKind::InvalidData, format!("line {}: no Rust: {error}", error.span().start().line))
    })?;
    let mut found = Vec::new();
    flatten(text, stream, &mut found);
    // Otherwise the lexer keeps every text until the thread ends.
    proc_macro2::extra::invalidate_current_thread_spans();
    Ok(found)
}

fn flatten<'a>(text: &'a str, stream: TokenStream, found: &mut Vec<(Token<'a>, usize)>) {
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
            TokenTree::Punct(punct) if punct.as_char() == '\'' => {} // a lifetime's
            TokenTree::Punct(punct) => found.push((Token::Mark(punct.as_char()), line)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rust_is_read() {
        let shown = |text: &str| {
            let shown = tokens(text).unwrap().into_iter().map(|(token, line)| match token {
                Token::Word(word) => format!("{line}{word}"),
                Token::Text(text) => format!("{line}«{text}»"),
                Token::Mark(mark) => mark.to_string(),
            });
            shown.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(shown("a::b // c\n/* d /* e */ f */ g"), "1a : : 1b 2g");
        assert_eq!(shown("//! d\n/// e\n/** h */ f"), "3f");
        assert_eq!(shown("'x' '\\'' &'a b"), "1'x' 1'\\'' & 1a 1b");
        assert_eq!(shown(r##"x("a\"//b", r#"c"d"#, b"e")"##), r#"1x ( 1«a\"//b» , 1«c"d» , 1«e» )"#);
        assert_eq!(shown("{\n\"ü\nb\" c\n}"), "{ 2«ü\nb» 3c }");
        assert_eq!(tokens("a\n}").unwrap_err().to_string().split(": ").next(), Some("line 2"));
    }
}
