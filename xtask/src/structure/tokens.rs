//! What the checks need of a language's grammar: words, texts and marks, without comments.

/// A language of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    Rust,
    Python,
    TypeScript,
}

impl Language {
    /// The extension of its files.
    pub(crate) const fn extension(self) -> &'static str {
        match self {
            Language::Rust => "rs",
            Language::Python => "py",
            Language::TypeScript => "ts",
        }
    }
}

/// A piece of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// A name, a keyword or a number.
    Word(&'a str),
    /// What stands between the quotes of a string, as it is written.
    Text(&'a str),
    /// Rust's `::`.
    Path,
    /// Any other character that is no space.
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
pub(crate) fn tokens(text: &str, language: Language) -> Vec<Placed<'_>> {
    let mut reader = Reader { text, at: 0, line: 1, language, found: Vec::new() };
    while reader.at < text.len() {
        reader.step();
    }
    reader.found
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    language: Language,
    found: Vec<Placed<'a>>,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Goes on by so many bytes, and counts the lines.
    fn skip(&mut self, bytes: usize) {
        let end = (self.at + bytes).min(self.text.len());
        self.line += self.text[self.at..end].matches('\n').count();
        self.at = end;
    }

    /// Goes on to the end of what is found, or of the text.
    fn skip_to(&mut self, end: &str) {
        let bytes = self.rest().find(end).map_or(self.rest().len(), |at| at + end.len());
        self.skip(bytes);
    }

    fn push(&mut self, token: Token<'a>, bytes: usize) {
        self.found.push((token, self.line));
        self.skip(bytes);
    }

    fn step(&mut self) {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return };
        let python = self.language == Language::Python;
        if first.is_whitespace() {
            self.skip(first.len_utf8());
        } else if if python { first == '#' } else { rest.starts_with("//") } {
            self.skip(rest.find('\n').unwrap_or(rest.len()));
        } else if !python && rest.starts_with("/*") {
            self.block_comment();
        } else if first.is_alphanumeric() || first == '_' {
            self.word(rest);
        } else if self.language == Language::Rust && first == '\'' {
            self.char_or_lifetime(rest);
        } else if first == '"' || (first == '\'' || first == '`' && !python) && self.language != Language::Rust {
            let triple = if first == '"' { "\"\"\"" } else { "'''" };
            if python && rest.starts_with(triple) { self.quoted(triple) } else { self.quoted(&rest[..1]) }
        } else if self.language == Language::TypeScript && first == '/' && self.opens_regex() {
            self.quoted("/");
            self.found.pop(); // no text
        } else if self.language == Language::Rust && rest.starts_with("::") {
            self.push(Token::Path, 2);
        } else {
            self.push(Token::Mark(first), first.len_utf8());
        }
    }

    /// A comment between `/*` and `*/`; Rust's nest.
    fn block_comment(&mut self) {
        self.skip(2);
        let mut depth = 1;
        while depth > 0 && self.at < self.text.len() {
            let (opens, closes) = (self.rest().find("/*"), self.rest().find("*/"));
            match (opens, closes) {
                (Some(open), Some(close)) if open < close && self.language == Language::Rust => {
                    depth += 1;
                    self.skip(open + 2);
                }
                _ => {
                    depth -= 1;
                    self.skip_to("*/");
                }
            }
        }
    }

    fn word(&mut self, rest: &'a str) {
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let word = &rest[..end];
        let hashes = rest[end..].bytes().take_while(|b| *b == b'#').count();
        if self.language == Language::Rust && matches!(word, "r" | "br" | "cr") && rest[end + hashes..].starts_with('"')
        {
            let (line, start) = (self.line, self.at + end + hashes + 1);
            let close = format!("\"{}", "#".repeat(hashes));
            self.skip(end + hashes + 1);
            self.skip_to(&close);
            let text = &self.text[start..(self.at - close.len()).max(start)];
            self.found.push((Token::Text(text), line));
        } else {
            self.push(Token::Word(word), end);
        }
    }

    fn char_or_lifetime(&mut self, rest: &'a str) {
        let mut chars = rest.char_indices().skip(1);
        let (_, second) = chars.next().unwrap_or((1, ' '));
        match chars.next() {
            _ if second == '\\' => {
                // The escaped character may itself be a quote.
                let end = rest[3..].find('\'').map_or(rest.len(), |at| 3 + at + 1);
                self.skip(end);
            }
            Some((at, '\'')) => self.skip(at + 1),
            _ => self.skip(1), // a lifetime; its name follows as a word
        }
    }

    /// A string up to the same quote; a backslash protects what follows it.
    fn quoted(&mut self, quote: &str) {
        let line = self.line;
        let start = self.at + quote.len();
        self.skip(quote.len());
        loop {
            let rest = self.rest();
            let Some(at) = rest.find(|c| c == '\\' || quote.starts_with(c)) else {
                self.skip(rest.len());
                self.found.push((Token::Text(&self.text[start..]), line));
                return;
            };
            if rest[at..].starts_with('\\') {
                let protected = rest[at + 1..].chars().next().map_or(0, char::len_utf8);
                self.skip(at + 1 + protected);
            } else if rest[at..].starts_with(quote) {
                self.found.push((Token::Text(&self.text[start..self.at + at]), line));
                self.skip(at + quote.len());
                return;
            } else {
                self.skip(at + 1);
            }
        }
    }

    /// Whether a slash here opens a regular expression: after a mark that no value ends with.
    fn opens_regex(&self) -> bool {
        match self.found.last() {
            None => true,
            Some((Token::Mark(mark), _)) => "(,=:[!&|?{};".contains(*mark),
            Some((Token::Word(word), _)) => *word == "return",
            Some(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, language: Language) -> String {
        let shown = tokens(text, language).into_iter().map(|(token, line)| match token {
            Token::Word(word) => format!("{line}{word}"),
            Token::Text(text) => format!("{line}«{text}»"),
            Token::Path => "::".into(),
            Token::Mark(mark) => mark.to_string(),
        });
        shown.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn rust_is_read() {
        let rust = |text| shown(text, Language::Rust);
        assert_eq!(rust("a::b // c\n/* d /* e */ f */ g"), "1a :: 1b 2g");
        assert_eq!(rust("'x' '\\'' '\\u{1}' &'a b"), "& 1a 1b");
        assert_eq!(rust(r##"x("a\"//b", r#"c"d"#, b"e")"##), r#"1x ( 1«a\"//b» , 1«c"d» , 1b 1«e» )"#);
        assert_eq!(rust("\"a\nb\" c"), "1«a\nb» 2c");
    }

    #[test]
    fn python_is_read() {
        let python = |text| shown(text, Language::Python);
        assert_eq!(
            python("a # b\n\"\"\"c\n\"d\" 'e\n\"\"\"\nf('g', \"h#\")"),
            "1a 2«c\n\"d\" 'e\n» 5f ( 5«g» , 5«h#» )"
        );
    }

    #[test]
    fn typescript_is_read() {
        let script = |text| shown(text, Language::TypeScript);
        assert_eq!(script("a = /['\"]/; b / c; `d\n${e}`; // f\n\"g\""), "1a = ; 1b / 1c ; 1«d\n${e}» ; 3«g»");
    }
}
