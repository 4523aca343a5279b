//! What each file of a crate imports: its modules, their names, and where these lead.
//!
//! A path counts wherever it stands, in a `use` or in the code, and leads to the file that
//! *defines* what it names: `crate::X` that the root re-exports from `a::b` is an import of `b`'s
//! file. So `mod child;` and `pub use child::X` alone import nothing; a name that a file passes on
//! and uses too, it imports. Code under `#[cfg(test)]` is free.

use super::circles::Imports;
use super::tokens::{Language, Placed, Token, tokens};
use std::collections::{BTreeMap, BTreeSet};

/// The place of a module: the names from the crate's root to it.
type Place<'a> = Vec<&'a str>;

/// A file or an inline module.
struct Module<'a> {
    file: usize,
    /// What the module defines itself.
    defined: BTreeSet<&'a str>,
    /// Its modules with files of their own.
    declared: BTreeSet<&'a str>,
    /// What it names by `use`: the path as written.
    used: BTreeMap<&'a str, Vec<&'a str>>,
    /// The paths of its `use …::*`.
    globs: Vec<Vec<&'a str>>,
    /// Every word outside its `use`s.
    words: BTreeMap<&'a str, usize>,
}

/// A path in a file: where it stands, and whether it is only passed on.
struct Mention<'a> {
    module: Place<'a>,
    path: Vec<&'a str>,
    /// By which name the module knows it.
    name: &'a str,
    line: usize,
    passed_on: bool,
}

/// Where a path leads.
enum Target<'a> {
    Module(Place<'a>),
    /// An item of this file.
    Item(usize),
}

/// A crate's files, read.
#[derive(Default)]
struct Crate<'a> {
    modules: BTreeMap<Place<'a>, Module<'a>>,
    mentions: Vec<Mention<'a>>,
}

/// Adds what the files of one crate import of each other. The paths are relative to the folder
/// of the crate's root, the name before them is `prefix`.
pub(crate) fn add(imports: &mut Imports, prefix: &str, files: &[(String, String)]) {
    let mut whole = Crate::default();
    for (number, (path, text)) in files.iter().enumerate() {
        whole.read(number, place(path), &tokens(text, Language::Rust));
    }
    let name = |file: usize| format!("{prefix}{}", files[file].0);
    for (from, to, line) in whole.edges() {
        imports.add(&name(from), &name(to), line);
    }
}

/// The module that a file holds; `lib.rs` and `main.rs` are the root.
fn place(path: &str) -> Place<'_> {
    let mut place: Vec<&str> = path.trim_end_matches(".rs").split('/').collect();
    if matches!(place.last(), Some(&"mod")) || place == ["lib"] || place == ["main"] {
        place.pop();
    }
    place
}

const DEFINING: [&str; 9] = ["fn", "struct", "enum", "union", "trait", "type", "const", "static", "macro_rules"];

impl<'a> Crate<'a> {
    fn read(&mut self, file: usize, place: Place<'a>, code: &[Placed<'a>]) {
        self.open(file, &place);
        // The modules that are open, each with the depth of braces at which it closes.
        let mut open = vec![(place, 0)];
        let (mut depth, mut at) = (0, 0);
        while at < code.len() {
            let here = open[open.len() - 1].0.clone();
            match code[at].0 {
                Token::Mark('#') if is_for_tests(&code[at..]) => {
                    at += item(&code[at..]);
                    continue;
                }
                Token::Mark('{') => depth += 1,
                Token::Mark('}') => {
                    depth -= 1;
                    if open.len() > 1 && open[open.len() - 1].1 == depth {
                        open.pop();
                    }
                }
                Token::Word("mod") => {
                    if let (Some((Token::Word(name), _)), Some((Token::Mark(';'), _))) =
                        (code.get(at + 1), code.get(at + 2))
                    {
                        self.module(&here).declared.insert(name);
                    }
                    if let (Some((Token::Word(name), _)), Some((Token::Mark('{'), _))) =
                        (code.get(at + 1), code.get(at + 2))
                    {
                        let mut inner = here;
                        inner.push(name);
                        self.open(file, &inner);
                        open.push((inner, depth));
                        depth += 1;
                        at += 3;
                        continue;
                    }
                }
                Token::Word("use") => {
                    let passed_on = at > 0 && matches!(code[at - 1].0, Token::Word("pub") | Token::Mark(')'));
                    at += 1;
                    self.tree(code, &mut at, &here, &mut Vec::new(), passed_on);
                    continue;
                }
                Token::Word(word) => {
                    if let Some((Token::Word(name), _)) = code.get(at + 1 + usize::from(word == "macro_rules"))
                        && DEFINING.contains(&word)
                    {
                        self.module(&here).defined.insert(name);
                    }
                    let end = path_end(code, at);
                    for (token, _) in &code[at..end] {
                        if let Some(word) = token.word() {
                            *self.module(&here).words.entry(word).or_default() += 1;
                        }
                    }
                    let is_visibility =
                        at > 1 && code[at - 1].0 == Token::Word("in") && code[at - 2].0 == Token::Mark('(');
                    if end > at + 1 && !is_visibility {
                        let path: Vec<&str> = code[at..end].iter().filter_map(|(token, _)| token.word()).collect();
                        let name = path[0];
                        self.mentions.push(Mention { module: here, path, name, line: code[at].1, passed_on: false });
                    }
                    at = end;
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
    }

    fn open(&mut self, file: usize, place: &Place<'a>) {
        self.modules.entry(place.clone()).or_insert_with(|| Module {
            file,
            defined: BTreeSet::new(),
            declared: BTreeSet::new(),
            used: BTreeMap::new(),
            globs: Vec::new(),
            words: BTreeMap::new(),
        });
    }

    fn module(&mut self, place: &Place<'a>) -> &mut Module<'a> {
        self.modules.get_mut(place).expect("read() opened it")
    }

    /// One tree of a `use`, `a::{b, c as d, e::*}`, after the path `before`.
    fn tree(
        &mut self,
        code: &[Placed<'a>],
        at: &mut usize,
        here: &Place<'a>,
        before: &mut Vec<&'a str>,
        passed_on: bool,
    ) {
        let outer = before.len();
        while let Some((token, line)) = code.get(*at) {
            *at += 1;
            match token {
                Token::Path => {}
                Token::Word("as") => {
                    let name = code.get(*at).and_then(|(token, _)| token.word()).unwrap_or("_");
                    *at += 1;
                    self.name(here, before, name, *line, passed_on);
                    before.truncate(outer);
                    break;
                }
                Token::Word(word) => {
                    before.push(word);
                    if !matches!(code.get(*at), Some((Token::Path | Token::Word("as"), _))) {
                        if *word == "self" && before.len() > 1 {
                            before.pop();
                        }
                        let name = before[before.len() - 1];
                        self.name(here, before, name, *line, passed_on);
                        break;
                    }
                }
                Token::Mark('*') => {
                    self.module(here).globs.push(before.clone());
                    self.mentions.push(Mention {
                        module: here.clone(),
                        path: before.clone(),
                        name: "*",
                        line: *line,
                        passed_on,
                    });
                    break;
                }
                Token::Mark('{') => {
                    while !matches!(code.get(*at), None | Some((Token::Mark('}'), _))) {
                        self.tree(code, at, here, &mut before.clone(), passed_on);
                        if matches!(code.get(*at), Some((Token::Mark(','), _))) {
                            *at += 1;
                        }
                    }
                    *at += 1;
                    break;
                }
                _ => break,
            }
        }
        before.truncate(outer);
    }

    fn name(&mut self, here: &Place<'a>, path: &[&'a str], name: &'a str, line: usize, passed_on: bool) {
        let path = path.to_vec();
        self.module(here).used.insert(name, path.clone());
        self.mentions.push(Mention { module: here.clone(), path, name, line, passed_on });
    }

    /// Who imports whom, and where.
    fn edges(&self) -> Vec<(usize, usize, usize)> {
        let mut edges = Vec::new();
        for mention in &self.mentions {
            let module = &self.modules[&mention.module];
            if mention.name == "*" {
                if let Some(Target::Module(place)) = self.resolve(&mention.module, &mention.path, 0)
                    && !mention.passed_on
                {
                    // Of all that a glob brings, what is used.
                    for word in module.words.keys().filter(|word| !module.defined.contains(*word)) {
                        if let Some(Target::Item(file)) = self.step(&place, word, 0)
                            && self.known(&place, word, 0)
                        {
                            edges.push((module.file, file, mention.line));
                        }
                    }
                }
                continue;
            }
            if mention.passed_on && !module.words.contains_key(mention.name) {
                continue;
            }
            // A module that is named is imported where something of it is.
            if let Some(Target::Item(file)) = self.resolve(&mention.module, &mention.path, 0) {
                edges.push((module.file, file, mention.line));
            }
        }
        edges
    }

    /// Where a path leads that stands in this module; nothing for other crates.
    fn resolve(&self, from: &Place<'a>, path: &[&'a str], depth: usize) -> Option<Target<'a>> {
        let (first, rest) = path.split_first()?;
        let mut at = match *first {
            "crate" => Target::Module(Vec::new()),
            "self" => Target::Module(from.clone()),
            "super" => Target::Module(from[..from.len().checked_sub(1)?].to_vec()),
            name if self.known(from, name, depth) => self.step(from, name, depth)?,
            _ => return None,
        };
        for name in rest {
            at = match (at, *name) {
                (Target::Module(place), "super") => Target::Module(place[..place.len().checked_sub(1)?].to_vec()),
                (Target::Module(place), name) => self.step(&place, name, depth)?,
                (item, _) => return Some(item),
            };
        }
        Some(at)
    }

    /// Whether a module, as far as it can be seen, has this name.
    fn known(&self, place: &Place<'a>, name: &'a str, depth: usize) -> bool {
        let Some(module) = self.modules.get(place) else { return false };
        module.defined.contains(name)
            || self.modules.contains_key(&[place.as_slice(), &[name]].concat())
            || module.used.get(name).is_some_and(|path| !own(path, name) && self.resolve(place, path, depth + 1).is_some())
            || depth < 8
                && module.globs.iter().any(|path| {
                    matches!(self.resolve(place, path, depth + 1), Some(Target::Module(of)) if of != *place && self.known(&of, name, depth + 1))
                })
    }

    /// What a module has under this name; its own file, where that cannot be seen.
    fn step(&self, place: &Place<'a>, name: &'a str, depth: usize) -> Option<Target<'a>> {
        let module = self.modules.get(place)?;
        let inner = [place.as_slice(), &[name]].concat();
        if depth > 8 {
            return None;
        }
        if self.modules.contains_key(&inner) {
            return Some(Target::Module(inner));
        }
        if module.declared.contains(name) {
            return None; // Its file is elsewhere: `#[path = "…"]`.
        }
        if module.defined.contains(name) {
            return Some(Target::Item(module.file));
        }
        if let Some(path) = module.used.get(name)
            && !own(path, name)
        {
            return self.resolve(place, path, depth + 1);
        }
        for path in &module.globs {
            if let Some(Target::Module(of)) = self.resolve(place, path, depth + 1)
                && of != *place
                && self.known(&of, name, depth + 1)
            {
                return self.step(&of, name, depth + 1);
            }
        }
        Some(Target::Item(module.file))
    }
}

/// A `use name;` leads to another crate, not to itself.
fn own(path: &[&str], name: &str) -> bool {
    path == [name]
}

/// The end of a path that begins here.
fn path_end(code: &[Placed<'_>], start: usize) -> usize {
    let mut end = start + 1;
    if start > 0 && matches!(code[start - 1].0, Token::Path) {
        return end; // `<T as Trait>::name`, `::std`
    }
    while let (Some((Token::Path, _)), Some((Token::Word(_), _))) = (code.get(end), code.get(end + 1)) {
        end += 2;
    }
    end
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

/// The tokens of the item whose attribute begins here: up to its `;` or its closing brace.
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

    fn circles(files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<_> = files.iter().map(|(path, text)| (path.to_string(), text.to_string())).collect();
        let mut imports = Imports::default();
        add(&mut imports, "x/", &files);
        imports.circles()
    }

    const ROOT: (&str, &str) = ("lib.rs", "mod a;\nmod b;\nmod c;\npub use a::A;\npub use b::B;\n");

    #[test]
    fn siblings_that_import_each_other_are_found() {
        let back = ("b.rs", "use crate::a::A;\npub struct B(A);");
        let there = [
            "use crate::b::B;",
            "use super::b::{self, B as C};",
            "use crate::{b::{B}, c};",
            "pub struct A;\nfn f(b: crate::b::B) {}",
            "use crate::b;\nfn f() { b::g() }",
            "use crate::b as d;\nfn f() { d::g() }",
            "use crate::b::*;\nfn f(b: B) {}",
            "use crate::B;",
            "use crate::*;\nfn f(b: B) {}",
            "mod inner { use super::super::b::B; }",
            "pub use crate::b::B;\npub struct A(B);",
            "use crate::c::B;",
            "macro_rules! m { () => { $crate::b::B } }",
        ];
        for there in there {
            let a = format!("{there}\npub struct A;");
            let found = circles(&[ROOT, ("a.rs", &a), back, ("c.rs", "pub use super::b::B;")]);
            assert_eq!(found.len(), 1, "{there}: {found:?}");
            assert!(found[0].contains("imports x/b.rs") && found[0].contains("x/b.rs:1 imports x/a.rs"), "{found:?}");
        }
        let fine = [
            "// use crate::b::B;\n/// [`crate::b::B`]",
            "const T: &str = \"use crate::b::B;\";",
            "#[cfg(test)]\nmod tests { use crate::b::B; }",
            "#[cfg(test)]\nfn f(b: crate::b::B) {}",
            "#[cfg(all(test, unix))]\nuse crate::b::B;",
            "pub use crate::b::B;",
            "use crate::b;",
            "use crate::b::*;",
            "use other::b::B;",
            "pub(in crate::b) struct C;",
            "use crate::A as D;",
        ];
        for there in fine {
            let found = circles(&[ROOT, ("a.rs", &format!("{there}\npub struct A;")), back, ("c.rs", "")]);
            assert_eq!(found, [""; 0], "{there}");
        }
    }

    #[test]
    fn longer_circles_are_found() {
        let found = circles(&[
            ROOT,
            ("a.rs", "use crate::b::B;\npub struct A;"),
            ("b.rs", "use crate::c::d::D;\npub struct B;"),
            ("c/mod.rs", "pub mod d;"),
            ("c/d.rs", "use super::super::a::A;\npub struct D;"),
        ]);
        assert_eq!(found, ["a circle: x/a.rs:1 imports x/b.rs, x/b.rs:1 imports x/c/d.rs, x/c/d.rs:1 imports x/a.rs"]);
    }

    #[test]
    fn a_child_that_needs_its_user_is_found() {
        let root = ("main.rs", "mod a;\n");
        let child = ("a/child.rs", "use super::Noun;\npub fn f(_: Noun) {}");
        let found = |parent: &str| circles(&[root, ("a/mod.rs", parent), child, ("a/noun.rs", "pub struct Noun;")]);
        for parent in
            ["mod child;\npub struct Noun;\nfn g() { child::f(Noun) }", "mod child;\nuse child::f;\nstruct Noun;"]
        {
            assert_eq!(found(parent).len(), 1, "{parent}");
        }
        // The noun below both, or a parent that only passes on.
        assert_eq!(found("mod child;\nmod noun;\nuse noun::Noun;\nfn g() { child::f(Noun) }"), [""; 0]);
        assert_eq!(found("mod child;\npub struct Noun;\npub use child::f;"), [""; 0]);
    }

    #[test]
    fn a_module_whose_file_is_elsewhere_is_not_the_root() {
        let root = |lines| circles(&[("lib.rs", lines), ("a.rs", "use crate::far;\npub fn f() { far::g() }")]);
        assert_eq!(root("mod a;\n#[path = \"../b.rs\"]\nmod far;\npub use a::f;\nfn h() { a::f() }"), [""; 0]);
        assert_eq!(root("mod a;\nmod far {\n    pub fn g() {}\n}\nfn h() { a::f() }").len(), 1);
    }
}
