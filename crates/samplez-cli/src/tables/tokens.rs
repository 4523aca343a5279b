//! The tokens of a table's text, in any of the languages that tables are written in.
//!
//! Comments are `#` and `//` to the end of the line and `/* … */`. Lines of the preprocessors of C and Verilog count as comments, except
//! for a list in braces that C defines.

/// The most tokens of a file: more than 2^20 entries in 16 limbs of 16 bits have.
const MAX_TOKENS: usize = 1 << 26;

/// A token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Token<'a> {
    /// It begins with a digit, or with - and a digit.
    Number(&'a str),
    Word(&'a str),
    /// Without its quotation marks.
    Text(&'a str),
    /// One of ( [ {.
    Open(char),
    /// One of ) ] }.
    Close(char),
    Comma,
    Semicolon,
    Colon,
    Equal,
    Other(&'a str),
}

impl<'a> Token<'a> {
    /// The token as messages show it.
    pub(crate) fn shown(&self) -> String {
        match self {
            Token::Number(text) | Token::Word(text) | Token::Other(text) => short(text),
            Token::Text(text) => format!("\"{}\"", short(text)),
            Token::Open(c) | Token::Close(c) => c.to_string(),
            Token::Comma => ",".into(),
            Token::Semicolon => ";".into(),
            Token::Colon => ":".into(),
            Token::Equal => "=".into(),
        }
    }
}

/// The beginning of a text, for messages.
fn short(text: &str) -> String {
    text.chars().take(80).collect()
}

/// A token and its line, from 1.
pub(crate) type Placed<'a> = (Token<'a>, u32);

/// A text in tokens.
#[derive(Debug, Default)]
pub(crate) struct Tokens<'a> {
    pub(crate) tokens: Vec<Placed<'a>>,
    /// Comments of the form `name: value`.
    facts: Vec<(&'a str, &'a str, u32)>,
}

/// The names of the facts that an audit reads.
const FACTS: [&str; 4] = ["form", "limbs", "law", "entries"];

impl<'a> Tokens<'a> {
    /// Splits a text.
    pub(crate) fn new(text: &'a str) -> Result<Tokens<'a>, String> {
        let mut found = Tokens::default();
        let (mut rest, mut line) = (text, 1_u32);
        while let Some(first) = rest.chars().next() {
            let (token, len) = match first {
                '\n' => {
                    line += 1;
                    (None, 1)
                }
                _ if first.is_whitespace() => (None, first.len_utf8()),
                // A line that goes on.
                '\\' if first_line(&rest[1..]).trim().is_empty() => (None, 1),
                '`' if is_directive(rest) => (None, first_line(rest).len()),
                '#' if list_of(rest).is_some() => (None, list_of(rest).unwrap_or(1)),
                '#' => (None, hash(rest, |comment, at| found.comment(comment, line + at))),
                '/' if rest.starts_with("//") => {
                    let comment = first_line(rest);
                    found.comment(comment, line);
                    (None, comment.len())
                }
                '/' if rest.starts_with("/*") => {
                    let end = rest[2..].find("*/").ok_or_else(|| {
                        format!("line {line}: the comment /* is not closed; expected */ (is the file truncated?)")
                    })?;
                    for (at, comment) in (0..).zip(rest[2..2 + end].lines()) {
                        found.comment(comment, line + at);
                    }
                    (None, end + 4)
                }
                // A list of Verilog.
                '\'' if rest.strip_prefix("'{").is_some_and(|list| sized(list.trim_start()).is_some()) => (None, 1),
                '"' | '\'' | '`' => quoted(rest, first),
                _ => {
                    let (token, len) = plain(rest, first);
                    (Some(token), len)
                }
            };
            if let Some(token) = token {
                if found.tokens.len() == MAX_TOKENS {
                    return Err(format!("line {line}: expected at most {MAX_TOKENS} numbers and signs"));
                }
                found.tokens.push((token, line));
            }
            let (passed, others) = rest.split_at(len);
            if len > 1 {
                line += passed.bytes().filter(|byte| *byte == b'\n').count() as u32;
            }
            rest = others;
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
                Err(format!("line {line}: a second {name}, {}; expected one {name}", short(value)))
            }
            None => Ok(first),
        }
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or(text)
}

/// The length of the text that # begins. It is an attribute of Rust before an item, a line of the C preprocessor with its
/// continuations, or a comment. `take` receives each line of a comment.
fn hash<'a>(text: &'a str, mut take: impl FnMut(&'a str, u32)) -> usize {
    const DIRECTIVES: [&str; 8] = ["define", "if", "ifdef", "ifndef", "elif", "include", "pragma", "error"];
    const ITEMS: [&str; 7] = ["pub", "static", "const", "let", "#[", "mut", "unsafe"];
    let line = first_line(text);
    if line.starts_with("#[") || line.starts_with("#![") {
        let end = line.match_indices(']').find(|(at, _)| {
            let (attribute, item) = (&line[..*at], line[at + 1..].trim_start());
            attribute.matches('[').count() == attribute.matches(']').count() + 1
                && ITEMS.iter().any(|word| item.starts_with(word))
        });
        if let Some((at, _)) = end {
            return at + 1;
        }
    }
    let word = line[1..].trim_start().split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or("");
    if !DIRECTIVES.contains(&word) {
        take(line, 0);
        return line.len();
    }
    let mut len = 0;
    for line in text.split_inclusive('\n') {
        len += line.len();
        if !line.trim_end().ends_with('\\') {
            return len - usize::from(line.ends_with('\n'));
        }
    }
    len
}

/// Where the name begins in `#define NAME { …`.
fn list_of(text: &str) -> Option<usize> {
    let name = text[1..].trim_start_matches([' ', '\t']).strip_prefix("define")?.trim_start_matches([' ', '\t']);
    let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
    let is_list = end > 0 && name[end..].trim_start_matches([' ', '\t', '\\', '\r', '\n']).starts_with('{');
    is_list.then(|| text.len() - name.len())
}

/// Whether a backtick begins a line of Verilog's preprocessor.
fn is_directive(text: &str) -> bool {
    const WORDS: [&str; 9] =
        ["timescale", "include", "define", "undef", "ifdef", "ifndef", "elsif", "default_nettype", "celldefine"];
    const ENDS: [&str; 4] = ["else", "endif", "resetall", "endcelldefine"];
    let word = text[1..].split(|c: char| !c.is_ascii_lowercase() && c != '_').next().unwrap_or("");
    let rest = &first_line(text)[1 + word.len()..];
    WORDS.contains(&word) && rest.starts_with(' ') || ENDS.contains(&word) && rest.trim().is_empty()
}

/// A text in quotation marks; None for a lifetime of Rust or a lone mark.
fn quoted(text: &str, mark: char) -> (Option<Token<'_>>, usize) {
    for triple in ["\"\"\"", "'''"] {
        if text.starts_with(triple) {
            let end = text[3..].find(triple).map_or(text.len() - 3, |end| end);
            return (Some(Token::Text(&text[3..3 + end])), text.len().min(end + 6));
        }
    }
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' if mark != '`' => break,
            _ if c == mark => return (Some(Token::Text(&text[1..at])), at + 1),
            // 'static, and no text of one letter.
            _ if mark == '\'' && !c.is_alphanumeric() && c != '_' && is_lifetime(&text[1..at]) => break,
            _ => {}
        }
    }
    (None, 1)
}

fn is_lifetime(text: &str) -> bool {
    text == "static" || text == "_" || text.len() == 1 && text.starts_with(|c: char| c.is_ascii_lowercase())
}

/// Any other token, and its length.
fn plain(text: &str, first: char) -> (Token<'_>, usize) {
    let second = text[first.len_utf8()..].chars().next();
    let while_ = |is: fn(char) -> bool| text.find(|c: char| !is(c)).unwrap_or(text.len());
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    match first {
        _ if first.is_ascii_digit() || matches!(first, '-' | '.') && is_digit(second) => {
            let len = number(text);
            (Token::Number(&text[..len]), len)
        }
        _ if first.is_alphabetic() || matches!(first, '_' | '$') => {
            let len = while_(|c| c.is_alphanumeric() || c == '_' || c == '$');
            (Token::Word(&text[..len]), len)
        }
        '(' | '[' | '{' => (Token::Open(first), 1),
        ')' | ']' | '}' => (Token::Close(first), 1),
        ',' => (Token::Comma, 1),
        ';' => (Token::Semicolon, 1),
        ':' if second != Some(':') => (Token::Colon, 1),
        '=' if !matches!(second, Some('=' | '>')) => (Token::Equal, 1),
        _ => {
            let double =
                second.is_some_and(|c| c == '=' || c == '>' && "=-".contains(first) || c == ':' && first == ':');
            let len = first.len_utf8() + usize::from(double);
            (Token::Other(&text[..len]), len)
        }
    }
}

/// The length of the width and the base of one of Verilog's numbers, and what follows.
pub(super) fn sized(text: &str) -> Option<(usize, &str)> {
    let width = text.find(|c: char| !c.is_ascii_digit()).filter(|width| *width > 0)?;
    let base = text[width..].strip_prefix('\'')?;
    let digits = base.strip_prefix(['h', 'H', 'd', 'D', 'b', 'B'])?;
    digits.starts_with(|c: char| c.is_ascii_hexdigit()).then(|| (text.len() - digits.len(), digits))
}

/// The length of a number with its suffix; 1e-3 is one, though no whole one. Verilog's numbers, such as 72'hA3F7, are one token too.
fn number(text: &str) -> usize {
    if let Some((width, digits)) = sized(text) {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        return width + digits.find(|c| !is_part(c)).unwrap_or(digits.len());
    }
    let sign = usize::from(text.starts_with('-'));
    let is_hex = text[sign..].starts_with("0x") || text[sign..].starts_with("0X");
    let mut before = '-';
    for (at, c) in text.char_indices().skip(sign) {
        let joins = match c {
            '+' | '-' => !is_hex && matches!(before, 'e' | 'E') && at > 0,
            // The separator of C++.
            '\'' => before != '\'' && text[at + 1..].starts_with(|c: char| c.is_ascii_hexdigit()),
            _ => c.is_alphanumeric() || matches!(c, '_' | '.'),
        };
        if !joins {
            return at;
        }
        before = c;
    }
    text.len()
}
