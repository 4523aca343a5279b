//! A piece of text that is judged as a whole, and its words.

/// The character that replaces inline code and placeholders.
pub(crate) const CODE: char = '\u{fffc}';

/// A paragraph, a list item, a heading, a table cell or a message.
#[derive(Debug, Default)]
pub(crate) struct Piece {
    pub(crate) text: String,
    /// Where a line of the file begins in the text, and its number.
    lines: Vec<(usize, usize)>,
}

/// A word in lower case or a punctuation mark, with its line of the file.
#[derive(Debug)]
pub(crate) struct Token {
    pub(crate) text: String,
    pub(crate) line: usize,
}

impl Piece {
    /// Appends text of this line of the file.
    pub(crate) fn push(&mut self, text: &str, line: usize) {
        self.lines.push((self.text.len(), line));
        self.text += text;
    }

    /// The line of the file that has this byte of the text.
    pub(crate) fn line(&self, at: usize) -> usize {
        self.lines.iter().take_while(|(start, _)| *start <= at).last().map_or(1, |(_, line)| *line)
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
                found.push(Token { text: rest[..end].to_lowercase().replace('’', "'"), line: self.line(at) });
            }
            at += end;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_words_and_marks_with_their_lines() {
        let mut piece = Piece::default();
        piece.push("Constant-time: ", 7);
        piece.push("it’s", 9);
        let found: Vec<_> = piece.tokens().into_iter().map(|token| (token.text, token.line)).collect();
        assert_eq!(found, [("constant-time", 7), (":", 7), ("it's", 9)].map(|(text, line)| (text.to_owned(), line)));
    }
}
