//! The tokens of a table's text, the same for every language.
//!
//! Comments are `#` and `//` to the end of the line and `/* … */`. Four things need a rule of their own: an attribute of Rust before an
//! item, `#define`, a directive of Verilog, and a quotation mark that is a lifetime of Rust or begins a list of Verilog.

use super::numbers::sized;

/// The most tokens of a file: more than 2^20 entries in 16 limbs of 16 bits have.
const MAX_TOKENS: usize = 1 << 26;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// It begins with a digit, or with - and a digit.
    Number,
    Word,
    /// Without its quotation marks.
    Text,
    Sign,
    Comment,
    Space,
}

/// A token and its line, from 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'a> {
    pub(super) kind: Kind,
    pub(super) text: &'a str,
    pub(super) line: u32,
}

impl Token<'_> {
    pub(super) fn is(&self, sign: &str) -> bool {
        self.kind == Kind::Sign && self.text == sign
    }

    /// The sign; empty for any other token.
    pub(super) fn sign(&self) -> &str {
        if self.kind == Kind::Sign { self.text } else { "" }
    }

    /// The token as messages show it.
    pub(super) fn shown(&self) -> String {
        let text: String = self.text.chars().take(80).collect();
        if self.kind == Kind::Text { format!("\"{text}\"") } else { text }
    }
}

/// A text in tokens.
#[derive(Debug, Default)]
pub(crate) struct Tokens<'a> {
    pub(crate) tokens: Vec<Token<'a>>,
    /// Comments of the form `name: value`.
    facts: Vec<(&'a str, &'a str, u32)>,
}

/// The names of the facts that an audit reads.
const FACTS: [&str; 4] = ["form", "limbs", "law", "entries"];

impl<'a> Tokens<'a> {
    /// Splits a text.
    pub(crate) fn new(text: &'a str) -> Result<Tokens<'a>, String> {
        let mut found = Tokens::default();
        let (mut at, mut line) = (0, 1_u32);
        while at < text.len() {
            let (kind, len) = next(text, at).map_err(|error| format!("line {line}: {error}"))?;
            let passed = &text[at..at + len];
            match kind {
                Kind::Space => {}
                Kind::Comment => (line..).zip(passed.lines()).for_each(|(line, comment)| found.comment(comment, line)),
                _ if found.tokens.len() == MAX_TOKENS => {
                    return Err(format!("line {line}: expected at most {MAX_TOKENS} numbers and signs"));
                }
                Kind::Text => {
                    let text = passed.trim_matches(|c| passed.starts_with(c));
                    found.tokens.push(Token { kind, text, line });
                }
                _ => found.tokens.push(Token { kind, text: passed, line }),
            }
            line += passed.bytes().filter(|byte| *byte == b'\n').count() as u32;
            at += len;
        }
        Ok(found)
    }

    fn comment(&mut self, comment: &'a str, line: u32) {
        let text = comment.trim_matches(|c: char| c.is_whitespace() || "#/*!".contains(c));
        if let Some((name, value)) = text.split_once(':')
            && FACTS.contains(&name)
        {
            self.facts.push((name, value.trim(), line));
        }
    }

    /// The value of a fact and its line. A second value is an error.
    pub(crate) fn fact(&self, name: &str) -> Result<Option<(&'a str, u32)>, String> {
        let mut all = self.facts.iter().filter(|(other, ..)| *other == name);
        let first = all.next().map(|(_, value, line)| (*value, *line));
        match all.find(|(_, value, _)| first.is_some_and(|(first, _)| first != *value)) {
            Some((_, value, line)) => {
                let value: String = value.chars().take(80).collect();
                Err(format!("line {line}: a second {name}, {value}; expected one {name}"))
            }
            None => Ok(first),
        }
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or(text)
}

/// The token that begins here, and its length.
fn next(text: &str, at: usize) -> Result<(Kind, usize), &'static str> {
    let rest = &text[at..];
    let mut chars = rest.chars();
    let (first, second) = (chars.next().unwrap_or(' '), chars.next().unwrap_or(' '));
    let word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    Ok(match first {
        _ if first.is_whitespace() => (Kind::Space, first.len_utf8()),
        // A line that goes on.
        '\\' if first_line(&rest[1..]).trim().is_empty() => (Kind::Space, 1),
        '#' => hash(rest),
        '/' if second == '/' => (Kind::Comment, first_line(rest).len()),
        '/' if second == '*' => {
            let end =
                rest[2..].find("*/").ok_or("the comment /* is not closed; expected */ (is the file truncated?)")?;
            (Kind::Comment, end + 4)
        }
        '`' if is_directive(text, at) => (Kind::Space, first_line(rest).len()),
        '\'' if second == '{' && sized(rest[2..].trim_start()).is_some() => (Kind::Space, 1),
        '"' | '\'' | '`' => quoted(rest, first),
        _ if first.is_ascii_digit() || "-.".contains(first) && second.is_ascii_digit() => (Kind::Number, number(rest)),
        _ if word(first) => (Kind::Word, rest.find(|c| !word(c)).unwrap_or(rest.len())),
        _ if second == '=' || matches!((first, second), ('=' | '-', '>') | (':', ':')) => {
            (Kind::Sign, first.len_utf8() + 1)
        }
        _ => (Kind::Sign, first.len_utf8()),
    })
}

/// The text that # begins: an attribute of Rust before an item, a macro of C with its continuations, or a comment. Of
/// `#define NAME { …`, only the first word is passed.
fn hash(text: &str) -> (Kind, usize) {
    const ITEMS: [&str; 7] = ["pub", "static", "const", "let", "#[", "mut", "unsafe"];
    let line = first_line(text);
    if line.starts_with("#[")
        && let Some((attribute, item)) = line.split_once(']')
        && ITEMS.iter().any(|word| item.trim_start().starts_with(word))
    {
        return (Kind::Space, attribute.len() + 1);
    }
    let Some(name) = line[1..].trim_start().strip_prefix("define") else { return (Kind::Comment, line.len()) };
    let name = &text[line.len() - name.trim_start().len()..];
    let value = name.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    if value.trim_start_matches([' ', '\t', '\\', '\r', '\n']).starts_with('{') {
        return (Kind::Space, text.len() - name.len());
    }
    let mut lines = text.split_inclusive('\n');
    let going = lines.by_ref().take_while(|line| line.trim_end().ends_with('\\')).map(str::len).sum::<usize>();
    (Kind::Space, going + first_line(&text[going..]).len())
}

/// Whether a backtick begins a line of Verilog's preprocessor, and no text of Go or JavaScript.
fn is_directive(text: &str, at: usize) -> bool {
    let before = text[..at].rsplit('\n').next().unwrap_or("");
    let line = first_line(&text[at + 1..]);
    before.trim().is_empty() && line.starts_with(|c: char| c.is_ascii_lowercase()) && !line.contains('`')
}

/// A text in quotation marks; no token for a lifetime of Rust or a lone mark.
fn quoted(text: &str, mark: char) -> (Kind, usize) {
    for triple in ["\"\"\"", "'''"] {
        if let Some(inside) = text.strip_prefix(triple) {
            return (Kind::Text, inside.find(triple).map_or(text.len(), |end| end + 6));
        }
    }
    let is_lifetime = |text: &str| {
        matches!(text, "static" | "_") || text.len() == 1 && text.starts_with(|c: char| c.is_ascii_lowercase())
    };
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' if mark != '`' => break,
            _ if c == mark => return (Kind::Text, at + 1),
            // 'static, and no text of one letter.
            _ if mark == '\'' && !c.is_alphanumeric() && c != '_' && is_lifetime(&text[1..at]) => break,
            _ => {}
        }
    }
    (Kind::Space, 1)
}

/// The length of a number with its separators and its suffix; 1e-3 is one, though no whole one, and so is 72'hA3F7.
fn number(text: &str) -> usize {
    let sign = usize::from(text.starts_with('-'));
    let is_hex = text[sign..].starts_with("0x") || text[sign..].starts_with("0X");
    let mut before = '-';
    for (at, c) in text.char_indices().skip(sign) {
        let joins = match c {
            '+' | '-' => !is_hex && matches!(before, 'e' | 'E'),
            // The separator of C++, or before the base of Verilog.
            '\'' => before != '\'' && text[at + 1..].starts_with(char::is_alphanumeric),
            _ => c.is_alphanumeric() || matches!(c, '_' | '.'),
        };
        if !joins {
            return at;
        }
        before = c;
    }
    text.len()
}
