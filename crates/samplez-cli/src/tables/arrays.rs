//! The numbers of a table: a bare list, or the initial value of an array in source code.

use super::numbers::whole;
use super::tokens::{Placed, Token, sized};
use samplez::tables::Whole;

/// A number and its line.
pub(crate) type Number = (Whole, u32);

/// The numbers of a list or an array.
#[derive(Debug, PartialEq)]
pub(crate) struct Numbers {
    /// The array's name; `None` for a bare list.
    pub(crate) name: Option<String>,
    pub(crate) shape: Shape,
    /// Whether there are no brackets, so that lines may be rows.
    pub(crate) is_bare: bool,
}

/// How the numbers are arranged.
#[derive(Debug, PartialEq)]
pub(crate) enum Shape {
    Flat(Vec<Number>),
    /// At least one row, each of the same number of at least two numbers.
    Rows(Vec<Vec<Number>>),
}

impl Numbers {
    /// The name for messages.
    pub(crate) fn shown(&self) -> String {
        self.name.as_ref().map_or("the file".into(), |name| format!("`{name}`"))
    }
}

/// Reads the numbers: of the array with this name, of the only array, or of a file without one.
pub(crate) fn read(tokens: &[Placed<'_>], name: Option<&str>) -> Result<Numbers, String> {
    let mut arrays = arrays(tokens);
    if arrays.is_empty() {
        arrays.extend(comparisons(tokens)?);
    }
    let list = |arrays: &[&Array<'_>]| {
        let names: Vec<String> = arrays.iter().map(|array| format!("`{}` (line {})", array.name, array.line)).collect();
        names.join(", ")
    };
    let all: Vec<&Array<'_>> = arrays.iter().collect();
    let is_meant = |array: &&Array<'_>| name.is_none_or(|name| name == array.name || name == array.placed());
    let mut chosen: Vec<&Array<'_>> = all.iter().copied().filter(is_meant).collect();
    // One table in several places, as in a test of its own.
    if chosen.len() > 1 && chosen.iter().all(|array| array.name == chosen[0].name) {
        let values = |array: &Array<'_>| array.numbers(tokens).ok().map(|numbers| numbers.shape.values());
        let first = values(chosen[0]);
        if first.is_some() && chosen.iter().all(|array| values(array) == first) {
            chosen.truncate(1);
        }
    }
    match (&chosen[..], name) {
        ([array], _) => array.numbers(tokens),
        ([], None) => bare(tokens),
        ([], Some(name)) if all.is_empty() => {
            Err(format!("--array {name}: the file contains no array; remove --array"))
        }
        ([], Some(name)) => Err(format!("--array {name}: not in the file; expected one of {}", list(&all))),
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
fn bare(tokens: &[Placed<'_>]) -> Result<Numbers, String> {
    if let Some(flat) = hexadecimal(tokens) {
        return Ok(Numbers { name: None, shape: Shape::Flat(flat), is_bare: true });
    }
    let mut parser = Parser { tokens, at: 0, is_code: false };
    let (items, _) = parser.items(None, 0).map_err(|error| {
        let is_code = tokens.iter().any(|(token, _)| *token == Token::Equal);
        if is_code {
            format!("contains no array of numbers, such as t[] = {{3, 2}}, and is no list: {error}")
        } else {
            error
        }
    })?;
    let is_bare = !tokens.iter().any(|(token, _)| matches!(token, Token::Open(_)));
    Ok(Numbers { name: None, shape: shape(items)?, is_bare })
}

/// Reads a file of hexadecimal numbers without prefixes, in the format of Verilog's `$readmemh`. All have the same number of digits.
/// At least one contains a letter other than e, because digits with an e may also be a decimal number with an exponent.
fn hexadecimal(tokens: &[Placed<'_>]) -> Option<Vec<Number>> {
    let digits = tokens.iter().map(|(token, line)| match token {
        Token::Word(text) | Token::Number(text) if text.bytes().all(|c| c.is_ascii_hexdigit()) => Some((*text, *line)),
        _ => None,
    });
    let digits: Vec<(&str, u32)> = digits.collect::<Option<_>>()?;
    let (first, has_letter) = (
        digits.first()?.0.len(),
        digits.iter().any(|(text, _)| text.contains(|c: char| c.is_alphabetic() && !"eE".contains(c))),
    );
    if !has_letter || digits.iter().any(|(text, _)| text.len() != first) {
        return None;
    }
    digits.into_iter().map(|(text, line)| Some((format!("0x{text}").parse().ok()?, line))).collect()
}

/// An array with an initial value.
#[derive(Debug)]
struct Array<'a> {
    name: &'a str,
    line: u32,
    /// The token of its first bracket.
    at: usize,
    /// The declared sizes, where they are numbers.
    sizes: Vec<Option<usize>>,
    /// Whether the value follows `=`, after which no bracket closes.
    is_statement: bool,
    /// The numbers, if they are not in brackets.
    compared: Vec<Number>,
}

impl Shape {
    /// The numbers in their rows, without their lines.
    fn values(&self) -> Vec<Vec<Whole>> {
        let of = |row: &Vec<Number>| row.iter().map(|(number, _)| *number).collect();
        match self {
            Shape::Flat(flat) => vec![of(flat)],
            Shape::Rows(rows) => rows.iter().map(of).collect(),
        }
    }
}

impl Array<'_> {
    /// The name with the line.
    fn placed(&self) -> String {
        format!("{}:{}", self.name, self.line)
    }

    fn numbers(&self, tokens: &[Placed<'_>]) -> Result<Numbers, String> {
        let named = |error| format!("`{}`: {error}", self.name);
        if !self.compared.is_empty() {
            return Ok(Numbers {
                name: Some(self.name.into()),
                shape: Shape::Flat(self.compared.clone()),
                is_bare: false,
            });
        }
        let mut parser = Parser { tokens, at: self.at + 1, is_code: true };
        let (open, line) = tokens[self.at];
        let (items, _) = parser.items(Some((open, line)), 0).map_err(named)?;
        if let (true, Some((after, line))) = (self.is_statement, tokens.get(parser.at))
            && closes(open, *after)
        {
            return Err(named(format!("line {line}: `{}` closes no bracket", after.shown())));
        }
        let shape = self.declared(shape(items).map_err(named)?).map_err(named)?;
        Ok(Numbers { name: Some(self.name.into()), shape, is_bare: false })
    }

    /// The same in the rows of the declaration, whose sizes it must have.
    fn declared(&self, mut shape: Shape) -> Result<Shape, String> {
        if let (Shape::Flat(numbers), [_, Some(each @ 2..)]) = (&shape, &self.sizes[..])
            && numbers.len().is_multiple_of(*each)
        {
            shape = Shape::Rows(numbers.chunks(*each).map(<[Number]>::to_vec).collect());
        }
        let (found, each) = match &shape {
            Shape::Flat(numbers) => (numbers.len(), None),
            Shape::Rows(rows) => (rows.len(), rows.first().map(Vec::len)),
        };
        let unlike =
            |found: usize, stated: Option<&Option<usize>>| stated.copied().flatten().filter(|stated| *stated != found);
        let what = if each.is_some() { "rows" } else { "numbers" };
        if let Some(stated) = unlike(found, self.sizes.first()) {
            return Err(format!("has {found} {what}, but is declared with {stated}; is the file truncated?"));
        }
        match each.and_then(|each| Some((each, unlike(each, self.sizes.get(1))?))) {
            Some((each, stated)) => Err(format!("has rows of {each} numbers, but is declared with rows of {stated}")),
            None => Ok(shape),
        }
    }
}

/// All arrays of numbers that the text gives a value.
fn arrays<'a>(tokens: &[Placed<'a>]) -> Vec<Array<'a>> {
    let mut found: Vec<Array<'a>> = Vec::new();
    for i in 1..tokens.len() {
        let array = match tokens[i].0 {
            Token::Equal => {
                let (name, line, sizes, is_typed) = declarator(tokens, i);
                let at = initial(tokens, i, is_typed);
                at.map(|at| Array { name, line, at, sizes, is_statement: true, compared: Vec::new() })
            }
            Token::Colon => match (tokens[i - 1], tokens.get(i + 1)) {
                // A member of an object, as in JSON.
                ((Token::Text(name) | Token::Word(name), line), Some((Token::Open('['), _)))
                    if is_array(tokens, i + 1) =>
                {
                    Some(Array { name, line, at: i + 1, sizes: Vec::new(), is_statement: false, compared: Vec::new() })
                }
                _ => None,
            },
            // uint64_t t[2]{5, 4}, std::vector<uint64_t> t{5, 4}
            Token::Open('{')
                if matches!(tokens[i - 1].0, Token::Word(_) | Token::Close(']')) && is_array(tokens, i) =>
            {
                let (name, line, sizes, _) = declarator(tokens, i);
                Some(Array { name, line, at: i, sizes, is_statement: true, compared: Vec::new() })
            }
            _ => None,
        };
        found.extend(array.filter(|array| !array.name.is_empty() && found.iter().all(|other| other.at != array.at)));
    }
    found
}

/// The thresholds of a circuit that compares with each: `assign NAME[0] = (r < 72'd5) ? 1'b1 : 1'b0;` and so on, in this order.
fn comparisons<'a>(tokens: &[Placed<'a>]) -> Result<Option<Array<'a>>, String> {
    let mut found: Option<Array<'a>> = None;
    for statement in tokens.split(|(token, _)| *token == Token::Semicolon) {
        let Some(begin) = statement.iter().position(|(token, _)| *token == Token::Word("assign")) else { continue };
        let [
            (Token::Word(name), line),
            (Token::Open('['), _),
            (Token::Number(index), _),
            (Token::Close(']'), _),
            value @ ..,
        ] = &statement[begin + 1..]
        else {
            continue;
        };
        // What has one bit is an answer.
        let is_threshold = |text: &&str| sized(text).is_some() && !text.starts_with("1'");
        let numbers =
            value.iter().filter_map(|(token, _)| if let Token::Number(text) = token { Some(*text) } else { None });
        let thresholds: Vec<&str> = numbers.filter(is_threshold).collect();
        let [threshold] = thresholds[..] else { continue };
        let at = |error: String| format!("line {line}: {error}");
        let array = found.get_or_insert_with(|| Array {
            name,
            line: *line,
            at: 0,
            sizes: Vec::new(),
            is_statement: true,
            compared: Vec::new(),
        });
        if array.name != *name || whole(index, true).map_err(at)? != Whole::from(array.compared.len() as u128) {
            let (next, of) = (array.compared.len(), array.name);
            return Err(at(format!(
                "`{name}[{index}]` where {of}[{next}] is next; expected the thresholds in their order"
            )));
        }
        array.compared.push((whole(threshold, true).map_err(at)?, *line));
    }
    Ok(found)
}

/// The name that the tokens before this one declare, its line, its sizes, and whether a colon and a type follow it.
fn declarator<'a>(tokens: &[Placed<'a>], end: usize) -> (&'a str, u32, Vec<Option<usize>>, bool) {
    // Where the statement begins, without the brackets in it.
    let (mut begin, mut depth, mut top) = (end, 0_usize, Vec::new());
    for i in (0..end).rev() {
        match tokens[i].0 {
            Token::Close(')' | ']') => depth += 1,
            Token::Open('(' | '[') if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    top.push(i);
                }
            }
            Token::Semicolon | Token::Comma | Token::Colon if depth > 0 => {}
            Token::Open(_) | Token::Close(_) | Token::Semicolon | Token::Equal => break,
            Token::Comma if depth == 0 => break,
            _ if depth == 0 => top.push(i),
            _ => {}
        }
        begin = i;
    }
    top.reverse();
    let line = tokens[end].1;
    let number = |i: usize| match tokens.get(i) {
        Some((Token::Number(text), _)) => whole(text, false).ok().and_then(|n| usize::try_from(n.limbs()[0]).ok()),
        _ => None,
    };
    let named = |i: usize| match tokens[i] {
        (Token::Word(name), line) => Some((name, line)),
        _ => None,
    };
    // NAME: [[u64; 2]; 31]
    let colon = top.iter().copied().find(|i| tokens[*i].0 == Token::Colon && tokens[*i].1 == line);
    if let Some((colon, (name, at))) = colon.and_then(|colon| Some((colon, named(colon.checked_sub(1)?)?))) {
        let mut sizes: Vec<_> =
            (colon..end).filter(|i| tokens[*i].0 == Token::Semicolon).map(|i| number(i + 1)).collect();
        sizes.reverse();
        return (name, at, sizes, true);
    }
    // Python has no mark between statements: a word that begins the line before `=` is the name.
    let begins_line = |i: usize| i.checked_sub(1).is_none_or(|before| tokens[before].1 < tokens[i].1);
    if let Some((name, at)) = end.checked_sub(1).filter(|last| begins_line(*last)).and_then(named) {
        return (name, at, Vec::new(), false);
    }
    // name[31][2], after the type, which may have brackets too: logic [71:0] name [0:17]
    let is_group = |i: &usize| tokens[*i].0 == Token::Open('[');
    let group = top.iter().rposition(|i| is_group(i) && *i > begin && named(*i - 1).is_some());
    if let Some((first, (name, at))) = group.and_then(|first| Some((first, named(top[first] - 1)?))) {
        let size = |i: &usize| match tokens.get(*i + 2) {
            Some((Token::Close(']'), _)) => number(*i + 1),
            _ => None,
        };
        return (name, at, top[first..].iter().take_while(|i| is_group(i)).map(size).collect(), false);
    }
    let (name, at) = top.iter().rev().find_map(|i| named(*i)).unwrap_or(("", line));
    (name, at, Vec::new(), false)
}

/// The first bracket of the value after `=`. It may follow & or a call, such as np.array([…]), vec![…] or BigUint64Array.of(…). In a
/// typed declaration, braces are a block.
fn initial(tokens: &[Placed<'_>], equal: usize, is_typed: bool) -> Option<usize> {
    const MOST: usize = 16;
    let mut i = equal + 1;
    while i < tokens.len().min(equal + MOST) {
        let before = tokens[i - 1].0;
        match tokens[i].0 {
            Token::Open('[') if matches!(before, Token::Word(word) if word != "mut" && !is_julia(word)) => return None,
            // A type of Go: [31][2]uint64{…}
            Token::Open('[') if !is_typed && go_type(tokens, i).is_some() => i = go_type(tokens, i)?,
            Token::Open('{') if is_typed => return None,
            Token::Open('(') if before == Token::Equal || before == Token::Word("of") => {
                if has_comma(tokens, i) && is_array(tokens, i) {
                    return Some(i);
                }
                i += 1;
            }
            Token::Open('[' | '{') => return Some(i).filter(|i| is_array(tokens, *i)),
            Token::Word(_) | Token::Open('(') | Token::Other("&" | "!" | "." | "::") => i += 1,
            _ => return None,
        }
    }
    None
}

/// Whether a word is a type of Julia's integers, before a list of them.
fn is_julia(word: &str) -> bool {
    let bits = word.strip_prefix('U').unwrap_or(word).strip_prefix("Int");
    word == "BigInt" || bits.is_some_and(|bits| ["8", "16", "32", "64", "128"].contains(&bits))
}

/// The brace after a type of Go.
fn go_type(tokens: &[Placed<'_>], at: usize) -> Option<usize> {
    let mut i = at;
    while tokens.get(i)?.0 == Token::Open('[') {
        i += (i..tokens.len().min(i + 6)).position(|i| tokens[i].0 == Token::Close(']'))? + 1;
    }
    let is_type = matches!((tokens.get(i)?.0, tokens.get(i + 1)?.0), (Token::Word(_), Token::Open('{')));
    if is_type { Some(i + 1) } else { None }
}

/// Whether a comma comes before the bracket closes, of the first tokens.
fn has_comma(tokens: &[Placed<'_>], at: usize) -> bool {
    let inside = tokens.iter().skip(at + 1).take_while(|(token, _)| *token != Token::Close(')'));
    inside.take(16).any(|(token, _)| *token == Token::Comma)
}

/// Whether the first token in brackets is a number, or a gap where one is missing.
fn is_array(tokens: &[Placed<'_>], at: usize) -> bool {
    let inside = tokens[at..].iter().map(|(token, _)| *token).take(DEPTH + 8);
    let mut rest = inside.skip_while(|token| matches!(token, Token::Open(_)));
    let cast = |token: Option<Token<'_>>| matches!(token, Some(Token::Open('(') | Token::Close(')')));
    match rest.next() {
        Some(Token::Number(_) | Token::Comma) => true,
        Some(Token::Text(text)) => text.starts_with(|c: char| c.is_ascii_digit()),
        // UINT64_C(5), (uint64_t)5
        Some(Token::Word(_)) => cast(rest.next()) && matches!(rest.next(), Some(Token::Number(_) | Token::Text(_))),
        _ => false,
    }
}

/// An item of a list.
enum Item {
    One(Number),
    Row(Vec<Item>, u32),
}

/// The deepest nesting that is read.
const DEPTH: usize = 4;

struct Parser<'a, 'b> {
    tokens: &'b [Placed<'a>],
    at: usize,
    /// Source code: commas separate, and a leading zero is an error.
    is_code: bool,
}

fn closes(open: Token<'_>, close: Token<'_>) -> bool {
    matches!((open, close), (Token::Open('('), Token::Close(')')) | (Token::Open('['), Token::Close(']')))
        || matches!((open, close), (Token::Open('{'), Token::Close('}')))
}

impl<'a> Parser<'a, '_> {
    fn peek(&self, ahead: usize) -> Option<Token<'a>> {
        self.tokens.get(self.at + ahead).map(|(token, _)| *token)
    }

    /// The items to the bracket that closes this one, or to the end; and whether there is a comma.
    fn items(&mut self, open: Option<Placed<'_>>, depth: usize) -> Result<(Vec<Item>, bool), String> {
        let (mut items, mut has_comma, mut expects) = (Vec::new(), false, true);
        while let Some(&(token, line)) = self.tokens.get(self.at) {
            match (token, open) {
                (Token::Close(_), Some((open, _))) if closes(open, token) => {
                    self.at += 1;
                    return Ok((items, has_comma));
                }
                (Token::Close(_), Some((open, begin))) => {
                    return Err(format!("line {line}: `{}` closes `{}` of line {begin}", token.shown(), open.shown()));
                }
                (Token::Close(_), None) => return Err(format!("line {line}: `{}` closes no bracket", token.shown())),
                (Token::Comma, _) | (Token::Semicolon, None) if expects => {
                    return Err(format!("line {line}: an empty entry before `{}`; expected a number", token.shown()));
                }
                (Token::Comma, _) | (Token::Semicolon, None) => {
                    (expects, has_comma) = (true, true);
                    self.at += 1;
                }
                _ if self.is_code && !expects => {
                    return Err(format!(
                        "line {line}: `{}`: expected a comma or a closing bracket; expressions are not evaluated",
                        token.shown()
                    ));
                }
                _ => {
                    items.push(self.item(token, line, depth)?);
                    expects = false;
                }
            }
        }
        match open {
            None => Ok((items, has_comma)),
            Some((open, line)) => {
                Err(format!("line {line}: the bracket `{}` is not closed; is the file truncated?", open.shown()))
            }
        }
    }

    fn item(&mut self, token: Token<'a>, line: u32, depth: usize) -> Result<Item, String> {
        let number = |text: &str| match whole(text, self.is_code) {
            Ok(number) => Ok(Item::One((number, line))),
            Err(error) => Err(format!("line {line}: {error}")),
        };
        match (token, self.peek(1), self.peek(2), self.peek(3)) {
            (Token::Number(text) | Token::Text(text), ..) => {
                let number = number(text)?;
                self.at += 1;
                Ok(number)
            }
            // UINT64_C(5), BigInt("5")
            (
                Token::Word(word),
                Some(Token::Open('(')),
                Some(Token::Number(text) | Token::Text(text)),
                Some(Token::Close(')')),
            ) if word.ends_with("_C") || word == "BigInt" => {
                let number = number(text)?;
                self.at += 4;
                Ok(number)
            }
            // (uint64_t)5
            (Token::Open('('), Some(Token::Word(_)), Some(Token::Close(')')), Some(Token::Number(text))) => {
                let number = number(text)?;
                self.at += 4;
                Ok(number)
            }
            (Token::Open(open), ..) => {
                if depth == DEPTH {
                    return Err(format!("line {line}: brackets more than {DEPTH} deep; expected rows of numbers"));
                }
                self.at += 1;
                let (mut items, has_comma) = self.items(Some((token, line)), depth + 1)?;
                match items.pop() {
                    // A number in parentheses.
                    Some(Item::One(one)) if open == '(' && !has_comma && items.is_empty() => return Ok(Item::One(one)),
                    last => items.extend(last),
                }
                Ok(Item::Row(items, line))
            }
            (Token::Word(text), ..) => number(text),
            _ => Err(format!("line {line}: `{}`: expected a number", token.shown())),
        }
    }
}

/// Numbers, or rows of numbers; brackets around all are nothing.
fn shape(mut items: Vec<Item>) -> Result<Shape, String> {
    loop {
        match items.pop() {
            Some(Item::Row(inner, _)) if items.is_empty() => items = inner,
            last => {
                items.extend(last);
                break;
            }
        }
    }
    let (mut flat, mut rows) = (Vec::new(), Vec::<Vec<Number>>::new());
    for item in items {
        match item {
            Item::One((_, line)) if !rows.is_empty() => {
                return Err(format!("line {line}: a number after rows of numbers; expected a row"));
            }
            Item::One(number) => flat.push(number),
            Item::Row(_, line) if !flat.is_empty() => {
                return Err(format!("line {line}: a row after numbers; expected a number"));
            }
            Item::Row(row, line) => {
                let numbers: Option<Vec<Number>> = row
                    .into_iter()
                    .map(|item| if let Item::One(number) = item { Some(number) } else { None })
                    .collect();
                let row = numbers.ok_or_else(|| format!("line {line}: rows of rows; expected rows of numbers"))?;
                let (at, expected) = (rows.len() + 1, rows.first().map(Vec::len));
                if row.is_empty() || expected.is_some_and(|len| len != row.len()) {
                    let expected = expected.map_or("numbers".into(), |len| format!("{len}, as in row 1"));
                    return Err(format!("line {line}: row {at} has {} numbers; expected {expected}", row.len()));
                }
                rows.push(row);
            }
        }
    }
    Ok(match rows.first().map(Vec::len) {
        None => Shape::Flat(flat),
        Some(1) => Shape::Flat(rows.into_iter().flatten().collect()),
        Some(_) => Shape::Rows(rows),
    })
}
