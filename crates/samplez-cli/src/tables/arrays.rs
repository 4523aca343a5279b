//! The numbers of a table: all whole numbers between the brackets that give a name its value, or a bare list.
//!
//! One rule reads every language: after `=`, after `name:` or after a name, the first brackets that begin with a number. The rest is
//! the rules that keep other brackets out: an index (`w[3]`), a call (`f(3)`), a type (`[31]uint64`) and a block. Three forms
//! have a rule of their own: casts and wrappers of one number ([`entry`]), the lines of a circuit ([`comparisons`]), and a file
//! of hexadecimal digits alone ([`hexadecimal`]).

use super::numbers::{sized, whole};
use super::tokens::{Kind, Token};
use samplez_tables::Whole;

/// A number and its line.
pub(crate) type Number = (Whole, u32);

/// The numbers of a list or an array.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Numbers {
    /// The array's name; `None` for a bare list.
    pub(crate) name: Option<String>,
    pub(crate) numbers: Vec<Number>,
    /// The numbers of each row; 1 for a list.
    pub(crate) each: usize,
    /// Whether there are no brackets, so that lines may be rows.
    pub(crate) is_bare: bool,
}

impl Numbers {
    /// The name for messages.
    pub(crate) fn shown(&self) -> String {
        self.name.as_ref().map_or("the file".into(), |name| format!("`{name}`"))
    }
}

/// An array with an initial value, and its numbers.
struct Array<'a> {
    name: &'a str,
    line: u32,
    numbers: Result<Numbers, String>,
}

impl Array<'_> {
    /// The name with the line.
    fn placed(&self) -> String {
        format!("{}:{}", self.name, self.line)
    }

    /// Whether both have the same numbers in the same rows.
    fn is_like(&self, other: &Array<'_>) -> bool {
        let values = |array: &Numbers| array.numbers.iter().map(|(number, _)| *number).collect::<Vec<_>>();
        let same = |a: &Numbers, b: &Numbers| a.each == b.each && values(a) == values(b);
        matches!((&self.numbers, &other.numbers), (Ok(a), Ok(b)) if self.name == other.name && same(a, b))
    }
}

/// Reads the numbers: of the array with this name, of the only array, or of a file without one.
pub(crate) fn read(tokens: &[Token<'_>], name: Option<&str>) -> Result<Numbers, String> {
    let mut all = arrays(tokens);
    if all.is_empty() {
        all.extend(comparisons(tokens)?);
    }
    let list = |arrays: &[&Array<'_>]| {
        let names: Vec<String> = arrays.iter().map(|array| format!("`{}` (line {})", array.name, array.line)).collect();
        names.join(", ")
    };
    let is_meant = |array: &&Array<'_>| name.is_none_or(|name| name == array.name || name == array.placed());
    let mut chosen: Vec<&Array<'_>> = all.iter().filter(is_meant).collect();
    // One table in several places, as in a test of its own.
    if chosen.iter().all(|array| array.is_like(chosen[0])) {
        chosen.truncate(1);
    }
    match (&chosen[..], name) {
        ([array], _) => array.numbers.as_ref().map_err(|error| format!("`{}`: {error}", array.name)).cloned(),
        ([], None) => bare(tokens),
        ([], Some(name)) if all.is_empty() => {
            Err(format!("--array {name}: the file contains no array; remove --array"))
        }
        ([], Some(name)) => {
            let all: Vec<&Array<'_>> = all.iter().collect();
            Err(format!("--array {name}: not in the file; expected one of {}", list(&all)))
        }
        (several, name) => {
            let head = name.map_or(String::new(), |name| format!("--array {name}: "));
            let is_double = several.iter().filter(|array| array.name == several[0].name).count() > 1;
            let example = if is_double { several[0].placed() } else { several[0].name.into() };
            let (count, all) = (several.len(), list(several));
            Err(format!("{head}contains {count} arrays, {all}; choose one by --array, such as --array {example}"))
        }
    }
}

/// The whole text as a list, with or without brackets.
fn bare(tokens: &[Token<'_>]) -> Result<Numbers, String> {
    if let Some(numbers) = hexadecimal(tokens)? {
        return Ok(Numbers { name: None, numbers, each: 1, is_bare: true });
    }
    let (numbers, each, _) = between(tokens, 0, false).map_err(|error| {
        let is_code = tokens.iter().any(|token| matches!(token.sign(), "=" | ":"));
        let head = "contains no array of numbers, such as t[] = {3, 2}, and is no list: ";
        let way = "; write one number in each line, hexadecimal ones behind 0x";
        if is_code { format!("{head}{error}{way}") } else { error }
    })?;
    let is_bare = !tokens.iter().any(|token| "([{".contains(token.sign()) && token.kind == Kind::Sign);
    Ok(Numbers { name: None, numbers, each, is_bare })
}

/// Reads a file of hexadecimal numbers without prefixes, in the format of Verilog's `$readmemh`. All have the same number of digits.
/// At least one contains a letter other than e, because digits with an e may also be a decimal number with an exponent. With addresses such
/// as `@0`, digits are hexadecimal, and the numbers have to be in their order.
fn hexadecimal(tokens: &[Token<'_>]) -> Result<Option<Vec<Number>>, String> {
    // A module has events and statements.
    if !tokens.iter().any(|token| token.is("@")) || tokens.iter().any(|token| token.is(";")) {
        return Ok(digits(tokens));
    }
    let of = |token: &Token<'_>| {
        let number = format!("0x{}", token.text).parse::<Whole>().ok();
        number.ok_or_else(|| {
            format!("line {}: `{}`: expected hexadecimal digits, as in a file of $readmemh", token.line, token.shown())
        })
    };
    let mut numbers = Vec::new();
    let mut rest = tokens.iter();
    while let Some(token) = rest.next() {
        if !token.is("@") {
            numbers.push((of(token)?, token.line));
            continue;
        }
        let address = rest.next().ok_or_else(|| format!("line {}: `@`: expected an address", token.line))?;
        if of(address)? != Whole::from(numbers.len() as u128) {
            let (line, next) = (address.line, numbers.len());
            return Err(format!(
                "line {line}: `@{}`: expected address {next:x}, because {next} numbers come before",
                address.text
            ));
        }
    }
    Ok(Some(numbers))
}

/// The same without addresses.
fn digits(tokens: &[Token<'_>]) -> Option<Vec<Number>> {
    let len = tokens.first()?.text.len();
    let is_hex = |token: &Token<'_>| token.text.len() == len && token.text.bytes().all(|c| c.is_ascii_hexdigit());
    let has_letter = |token: &Token<'_>| token.text.contains(|c: char| c.is_alphabetic() && !"eE".contains(c));
    if !tokens.iter().all(|token| token.kind != Kind::Text && is_hex(token)) || !tokens.iter().any(has_letter) {
        return None;
    }
    tokens.iter().map(|token| Some((format!("0x{}", token.text).parse().ok()?, token.line))).collect()
}

/// All arrays of numbers that the text gives a value.
fn arrays<'a>(tokens: &[Token<'a>]) -> Vec<Array<'a>> {
    let (mut found, mut last) = (Vec::new(), 0);
    for i in 1..tokens.len() {
        let before = tokens[i - 1];
        let at = match tokens[i].sign() {
            "=" => value(tokens, i),
            // A member of an object, as in JSON.
            ":" if matches!(before.kind, Kind::Text | Kind::Word) => Some(i + 1).filter(|at| is_sign(tokens, *at, "[")),
            // uint64_t t[2]{5, 4}, std::vector<uint64_t> t{5, 4}, and a list that C defines
            "{" if before.kind == Kind::Word || before.is("]") => Some(i),
            _ => None,
        };
        let Some(at) = at.filter(|at| *at > last && begins_with_number(tokens, *at)) else { continue };
        let is_member = tokens[i].is(":");
        let Some((name, sizes)) = (if is_member { Some((before, Vec::new())) } else { declared(tokens, i) }) else {
            continue;
        };
        let numbers = between(tokens, at, true).and_then(|(numbers, each, end)| match tokens.get(end) {
            Some(after) if !is_member && closes(tokens[at].text, after.text) => {
                Err(format!("line {}: `{}` closes no bracket", after.line, after.text))
            }
            _ => match tokens[end..].iter().find(|after| !after.is(")")) {
                Some(after) if matches!(after.sign(), "+" | "-" | "*" | "/" | "%" | "<" | ">" | "|" | "&" | "^") => {
                    Err(format!("line {}: `{}` after the array; expressions are not evaluated", after.line, after.text))
                }
                _ => sized_as(numbers, each, &sizes),
            },
        });
        let numbers =
            numbers.map(|(numbers, each)| Numbers { name: Some(name.text.into()), numbers, each, is_bare: false });
        found.push(Array { name: name.text, line: name.line, numbers });
        last = at;
    }
    found
}

/// The numbers in the rows of the declaration, whose sizes they must have.
fn sized_as(numbers: Vec<Number>, each: usize, sizes: &[Option<usize>]) -> Result<(Vec<Number>, usize), String> {
    let each = match sizes {
        [_, Some(declared @ 2..)] if each == 1 && numbers.len().is_multiple_of(*declared) => *declared,
        _ => each,
    };
    let (found, what) = (numbers.len() / each, if each > 1 { "rows" } else { "numbers" });
    match sizes {
        [Some(size), ..] if *size != found => {
            Err(format!("has {found} {what}, but is declared with {size}; is the file truncated?"))
        }
        [_, Some(size), ..] if each > 1 && *size != each => {
            Err(format!("has rows of {each} numbers, but is declared with rows of {size}"))
        }
        _ => Ok((numbers, each)),
    }
}

/// The thresholds of a circuit that compares with each: `assign NAME[0] = (r < 72'd5) ? 1'b1 : 1'b0;` and so on, in this order.
fn comparisons<'a>(tokens: &[Token<'a>]) -> Result<Option<Array<'a>>, String> {
    let (mut first, mut numbers): (Option<Token<'a>>, Vec<Number>) = (None, Vec::new());
    for statement in tokens.split(|token| token.is(";")) {
        let Some(begin) = statement.iter().position(|token| token.text == "assign") else { continue };
        let [name, open, index, _, value @ ..] = &statement[begin + 1..] else { continue };
        // A number of one bit is an answer.
        let thresholds = value.iter().filter(|token| sized(token.text).is_some_and(|(width, ..)| width != "1"));
        let [threshold] = thresholds.collect::<Vec<_>>()[..] else { continue };
        if !open.is("[") || index.kind != Kind::Number {
            continue;
        }
        let at = |error: String| format!("line {}: {error}", name.line);
        let of = first.get_or_insert(*name).text;
        let next = numbers.len();
        if of != name.text || whole(index.text, true).map_err(at)? != Whole::from(next as u128) {
            let (name, index) = (name.text, index.text);
            return Err(at(format!(
                "`{name}[{index}]` where {of}[{next}] is next; expected the thresholds in their order"
            )));
        }
        numbers.push((whole(threshold.text, true).map_err(at)?, name.line));
    }
    Ok(first.map(|Token { text: name, line, .. }| {
        let numbers = Numbers { name: Some(name.into()), numbers, each: 1, is_bare: false };
        Array { name, line, numbers: Ok(numbers) }
    }))
}

/// The name that the tokens before this one declare, and its sizes where they are numbers.
fn declared<'a>(tokens: &[Token<'a>], end: usize) -> Option<(Token<'a>, Vec<Option<usize>>)> {
    let (mut begin, mut depth) = (end, 0_usize);
    while let Some(before) = begin.checked_sub(1) {
        // Python has no mark between statements: a word that begins the line is the name.
        if begin + 1 == end && tokens[begin].kind == Kind::Word && tokens[before].line < tokens[begin].line {
            break;
        }
        match tokens[before].sign() {
            ")" | "]" => depth += 1,
            "(" | "[" if depth > 0 => depth -= 1,
            "(" | "[" | "{" | "}" | "=" => break,
            ";" | "," if depth == 0 => break,
            _ => {}
        }
        begin = before;
    }
    // The statement without what is in brackets.
    let mut top = Vec::new();
    for (i, token) in tokens.iter().enumerate().take(end).skip(begin) {
        if depth == 0 {
            top.push(i);
        }
        match token.sign() {
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    let is_named = |i: &&usize| **i > begin && tokens[**i - 1].kind == Kind::Word;
    let size = |i: usize| whole(tokens.get(i)?.text, false).ok().and_then(|n| usize::try_from(n.limbs()[0]).ok());
    // NAME: [[u64; 2]; 31]
    if let Some(colon) = colon(tokens, &top, end).filter(|colon| is_named(&colon)) {
        let sizes = (colon..end).rev().filter(|i| tokens[*i].is(";")).map(|i| size(i + 1));
        return Some((tokens[colon - 1], sizes.collect()));
    }
    // name[31][2], after the type, which may have brackets too: logic [71:0] name [0:17]
    let is_group = |i: &&usize| tokens[**i].is("[");
    if let Some(first) = top.iter().rposition(|i| is_group(&i) && is_named(&i)) {
        let size = |i: &usize| size(*i + 1).filter(|_| is_sign(tokens, *i + 2, "]"));
        return Some((tokens[top[first] - 1], top[first..].iter().take_while(is_group).map(size).collect()));
    }
    top.iter().rev().find(|i| tokens[**i].kind == Kind::Word).map(|i| (tokens[*i], Vec::new()))
}

/// The colon after a name, before its type.
fn colon(tokens: &[Token<'_>], top: &[usize], end: usize) -> Option<usize> {
    top.iter().copied().find(|i| tokens[*i].is(":") && tokens[*i].line == tokens[end].line)
}

/// The first bracket of the value after `=`. It may follow & or a call, such as np.array([…]), vec![…] or BigUint64Array.of(…).
fn value(tokens: &[Token<'_>], equal: usize) -> Option<usize> {
    const MOST: usize = 16;
    let begin =
        if is_sign(tokens, equal + 1, "[") { go_type(tokens, equal + 1).unwrap_or(equal + 1) } else { equal + 1 };
    for i in begin..tokens.len().min(equal + MOST) {
        let (token, before) = (tokens[i], tokens[i - 1]);
        let is_call = before.kind == Kind::Word;
        match token.sign() {
            // An index, and no list of Julia, such as UInt128[…].
            "[" if is_call && before.text != "mut" && !before.text.contains("Int") => return None,
            "[" | "{" => return Some(i),
            "(" if (!is_call || before.text == "of") && has_comma(tokens, i) && begins_with_number(tokens, i) => {
                return Some(i);
            }
            "(" | "&" | "!" | "." | "::" => {}
            _ if token.kind == Kind::Word => {}
            _ => return None,
        }
    }
    None
}

/// The brace after a type of Go, such as [31][2]uint64.
fn go_type(tokens: &[Token<'_>], mut at: usize) -> Option<usize> {
    while is_sign(tokens, at, "[") {
        at += tokens[at..].iter().take(6).position(|token| token.is("]"))? + 1;
    }
    (tokens.get(at)?.kind == Kind::Word && is_sign(tokens, at + 1, "{")).then_some(at + 1)
}

fn is_sign(tokens: &[Token<'_>], at: usize, sign: &str) -> bool {
    tokens.get(at).is_some_and(|token| token.is(sign))
}

/// Whether a comma comes before the bracket closes, of the first tokens.
fn has_comma(tokens: &[Token<'_>], at: usize) -> bool {
    tokens[at + 1..].iter().take(16).take_while(|token| !token.is(")")).any(|token| token.is(","))
}

/// Whether the first token in brackets is a number, or a gap where one is missing.
fn begins_with_number(tokens: &[Token<'_>], at: usize) -> bool {
    let opened = tokens[at..].iter().take(12).take_while(|token| is_open(token)).count();
    let first = at + opened;
    is_sign(tokens, first, ",")
        // A cast begins at its bracket.
        || [first - 1, first].iter().any(|i| {
            entry(tokens.get(*i..).unwrap_or(&[])).is_some_and(|(text, _)| text.starts_with(|c: char| c.is_ascii_digit() || "-.".contains(c)))
        })
}

fn is_open(token: &Token<'_>) -> bool {
    matches!(token.sign(), "(" | "[" | "{")
}

fn closes(open: &str, close: &str) -> bool {
    matches!((open, close), ("(", ")") | ("[", "]") | ("{", "}"))
}

/// The text of the entry that begins here, and its tokens: 5, UINT64_C(5), BigInt("5"), uint64(5), (uint64_t)5 or (5).
fn entry<'a>(tokens: &[Token<'a>]) -> Option<(&'a str, usize)> {
    let of =
        |i: usize, kinds: &[Kind]| tokens.get(i).filter(|token| kinds.contains(&token.kind)).map(|token| token.text);
    let number = |i: usize| of(i, &[Kind::Number, Kind::Text]);
    let is_wrapper = |word: &str| word.ends_with("_C") || word.to_ascii_lowercase().contains("int");
    let is = |i: usize, sign: &str| is_sign(tokens, i, sign);
    match of(0, &[Kind::Word]) {
        Some(word) if is_wrapper(word) && is(1, "(") && is(3, ")") => Some((number(2)?, 4)),
        Some(word) => Some((word, 1)),
        None if is(0, "(") && of(1, &[Kind::Word]).is_some() && is(2, ")") => Some((number(3)?, 4)),
        None if is(0, "(") && is(2, ")") => Some((number(1)?, 3)),
        None => Some((number(0)?, 1)),
    }
}

/// Brackets that are open: where their numbers begin, the lengths of their rows, and whether those are in brackets of their own.
#[derive(Default)]
struct Level<'a> {
    open: Option<Token<'a>>,
    from: usize,
    rows: Vec<usize>,
    is_nested: bool,
}

/// All numbers between this bracket and the one that closes it, or of the whole text; the numbers of a row, and the token after.
/// Brackets around all are nothing.
fn between(tokens: &[Token<'_>], mut i: usize, is_code: bool) -> Result<(Vec<Number>, usize, usize), String> {
    let (mut levels, mut level) = (Vec::new(), Level::default());
    let (mut numbers, mut expects) = (Vec::new(), true);
    while let Some(token) = tokens.get(i) {
        let (line, shown) = (token.line, token.shown());
        let error = |what: String| format!("line {line}: {what}");
        i += 1;
        match token.sign() {
            ")" | "]" | "}" => {
                let (Some(open), Some(outer)) = (level.open, levels.pop()) else {
                    return Err(error(format!("`{shown}` closes no bracket")));
                };
                if !closes(open.text, token.text) {
                    return Err(error(format!("`{shown}` closes `{}` of line {}", open.text, open.line)));
                }
                let inner = std::mem::replace(&mut level, outer);
                add(&mut level, inner, numbers.len()).map_err(error)?;
                expects = false;
                if is_code && levels.is_empty() {
                    break;
                }
            }
            "," | ";" if expects && (token.is(",") || level.open.is_none()) => {
                return Err(error(format!("an empty entry before `{shown}`; expected a number")));
            }
            ";" if level.open.is_none() => expects = true,
            "," => expects = true,
            _ if is_code && !expects => {
                return Err(error(format!(
                    "`{shown}`: expected a comma or a closing bracket; expressions are not evaluated"
                )));
            }
            _ => {
                expects = false;
                if let Some((text, len)) = entry(&tokens[i - 1..]) {
                    if !level.rows.is_empty() {
                        return Err(error("a number after rows of numbers; expected a row".into()));
                    }
                    numbers.push((whole(text, is_code).map_err(error)?, line));
                    i += len - 1;
                } else if is_open(token) {
                    if level.rows.is_empty() && level.from < numbers.len() {
                        return Err(error("a row after numbers; expected a number".into()));
                    }
                    let inner = Level { open: Some(*token), from: numbers.len(), ..Level::default() };
                    levels.push(std::mem::replace(&mut level, inner));
                    expects = true;
                } else {
                    return Err(error(format!("`{shown}`: expected a number")));
                }
            }
        }
    }
    match level.open {
        Some(open) => {
            Err(format!("line {}: the bracket `{}` is not closed; is the file truncated?", open.line, open.text))
        }
        None if level.rows.len() < 2 => Ok((numbers, 1, i)),
        None => Ok((numbers, level.rows[0].max(1), i)),
    }
}

/// Adds a closed pair of brackets to the pair around it: as one row, or as all rows if it contains rows itself.
fn add(outer: &mut Level<'_>, inner: Level<'_>, end: usize) -> Result<(), String> {
    let is_rows = inner.rows.len() > 1;
    if outer.is_nested || is_rows && !outer.rows.is_empty() {
        return Err("rows of rows; expected rows of numbers".into());
    }
    if is_rows {
        (outer.rows, outer.is_nested) = (inner.rows, true);
        return Ok(());
    }
    let len = inner.rows.first().copied().unwrap_or(end - inner.from);
    let at = outer.rows.len() + 1;
    if let Some(first) = outer.rows.first()
        && *first != len
    {
        return Err(format!("row {at} has {len} numbers; expected {first}, as in row 1"));
    }
    outer.rows.push(len);
    Ok(())
}
