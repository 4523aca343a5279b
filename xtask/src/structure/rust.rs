//! What each file of a crate imports: its modules, their names, and where these lead.
//!
//! A path counts in a `use` and in the code, and leads to the file that *defines* its name: if the root re-exports `a::b::X`,
//! `crate::X` is an import of `b`'s file. So `mod child;` and `pub use child::X` alone import nothing; a name that a file re-exports
//! and uses too, it imports. A glob imports the file that it names, and those that define the re-exported names which are used.
//! A name that a `pub use …::*` passes on counts as defined by the file with the glob. Code under `#[cfg(test)]` is free.

use super::circles::Imports;
use super::tokens::{Placed, Token, is_for_tests, item, tokens};
use std::collections::{BTreeMap, BTreeSet};
use std::io;

/// The names from the crate's root to a module.
type Place<'a> = Vec<&'a str>;

/// A file or an inline module.
struct Module<'a> {
    file: usize,
    /// The paths that its `use`s give names to. A `mod name;` has the path `extern` until the module's file is read.
    names: BTreeMap<&'a str, Vec<&'a str>>,
    /// Every word outside its `use`s.
    words: BTreeSet<&'a str>,
}

struct Mention<'a> {
    file: usize,
    line: usize,
    module: Place<'a>,
    path: Vec<&'a str>,
    /// The name that a `pub use` gives to the path.
    reexported: Option<&'a str>,
}

#[derive(Default)]
struct Crate<'a> {
    modules: BTreeMap<Place<'a>, Module<'a>>,
    mentions: Vec<Mention<'a>>,
}

/// Adds the imports between the files of one crate. The paths are relative to the folder of the crate's root, shown as `prefix`.
pub(crate) fn add(imports: &mut Imports, prefix: &str, files: &[(String, String)]) -> io::Result<()> {
    let name = |file: usize| format!("{prefix}{}", files[file].0);
    let mut whole = Crate::default();
    for (file, (path, text)) in files.iter().enumerate() {
        let code = tokens(text).map_err(|error| io::Error::other(format!("{}: {error}", name(file))))?;
        whole.read(file, place(path), &code);
    }
    for Mention { file, line, module, path, reexported } in &whole.mentions {
        let words = &whole.modules[module].words;
        if reexported.is_some_and(|name| !words.contains(name)) {
            continue;
        }
        let paths = match path.split_last() {
            Some((&"*", of)) => words.iter().map(|word| [of, &[word]].concat()).collect(),
            _ => vec![path.clone()],
        };
        for to in paths.iter().filter_map(|path| whole.resolve(module, path, 0)) {
            imports.add(&name(*file), &name(to), *line);
        }
    }
    Ok(())
}

/// The module of a file; `lib.rs` and `main.rs` are the root.
fn place(path: &str) -> Place<'_> {
    let mut place: Vec<&str> = path.trim_end_matches(".rs").split('/').collect();
    if place.last() == Some(&"mod") || place == ["lib"] || place == ["main"] {
        place.pop();
    }
    place
}

impl<'a> Crate<'a> {
    fn read(&mut self, file: usize, here: Place<'a>, code: &[Placed<'a>]) {
        let new = || Module { file, names: BTreeMap::new(), words: BTreeSet::new() };
        let mut module = self.modules.remove(&here).unwrap_or_else(new);
        let mut at = 0;
        while let rest @ [(token, line), ..] = &code[at..] {
            at += match (*token, rest.get(1).map(|next| next.0), rest.get(2).map(|next| next.0)) {
                (Token::Mark('#'), ..) if is_for_tests(rest) => item(rest),
                (Token::Word("mod"), Some(Token::Word(name)), Some(Token::Mark('{'))) => {
                    let end = item(rest);
                    self.read(file, [here.as_slice(), &[name]].concat(), &rest[3..end - 1]);
                    end
                }
                (Token::Word("mod"), Some(Token::Word(name)), Some(Token::Mark(';'))) => {
                    module.names.insert(name, vec!["extern"]);
                    3
                }
                (Token::Word("use"), Some(Token::Word(_) | Token::Path), _) => {
                    let is_public = at > 0 && matches!(code[at - 1].0, Token::Word("pub") | Token::Mark(')'));
                    let length = rest.iter().position(|(token, _)| *token == Token::Mark(';')).unwrap_or(rest.len());
                    for (path, name, line) in uses(&rest[1..length]) {
                        if name != "*" {
                            module.names.insert(name, path.clone());
                        }
                        let reexported = is_public.then_some(name);
                        self.mentions.push(Mention { file, line, module: here.clone(), path, reexported });
                    }
                    length
                }
                (Token::Word(word), ..) => {
                    module.words.insert(word);
                    let path = path(rest);
                    // `<T as Trait>::name` and `::std` begin in no module.
                    if path.len() > 1 && (at == 0 || code[at - 1].0 != Token::Path) {
                        self.mentions.push(Mention { file, line: *line, module: here.clone(), path, reexported: None });
                    }
                    1
                }
                _ => 1,
            }
        }
        self.modules.insert(here, module);
    }

    /// The file that defines the item of this path; `None` for a module, and for other crates.
    fn resolve(&self, from: &[&'a str], path: &[&'a str], depth: usize) -> Option<usize> {
        let mut place = from.to_vec();
        for (at, name) in path.iter().copied().enumerate() {
            let inner = [place.as_slice(), &[name]].concat();
            match name {
                "crate" => place.clear(),
                "self" => {}
                "super" => drop(place.pop()?),
                _ if self.modules.contains_key(&inner) => place = inner,
                _ => {
                    let module = self.modules.get(&place)?;
                    return match module.names.get(name) {
                        // `use name;` leads to another crate, or makes a macro an item.
                        Some(used) if *used != [name] && depth < 8 => {
                            self.resolve(&place, &[used, &path[at + 1..]].concat(), depth + 1)
                        }
                        _ => (at > 0).then_some(module.file),
                    };
                }
            }
        }
        None
    }
}

/// The paths of a `use`, each with the name that it gets and its line.
fn uses<'a>(code: &[Placed<'a>]) -> Vec<(Vec<&'a str>, &'a str, usize)> {
    let (mut found, mut path) = (Vec::new(), Vec::new());
    // The length of the path before each open brace.
    let mut outer = vec![0];
    for (token, line) in code.iter().chain([&(Token::Mark(';'), 0)]) {
        match token {
            Token::Word(word) => path.push((*word, *line)),
            Token::Mark('*') => path.push(("*", *line)),
            Token::Mark('{') => outer.push(path.len()),
            Token::Mark(end) => {
                if path.len() > outer[outer.len() - 1] {
                    let (mut names, lines): (Vec<&str>, Vec<usize>) = path.iter().copied().unzip();
                    let (mut name, line) = (names[names.len() - 1], lines[lines.len() - 1]);
                    match names[..] {
                        [_, .., "as", _] => names.truncate(names.len() - 2),
                        [.., module, "self"] => name = module,
                        _ => {}
                    }
                    found.push((names, name, line));
                }
                if *end == '}' {
                    outer.pop();
                }
                path.truncate(outer.last().copied().unwrap_or_default());
            }
            Token::Path | Token::Text(_) => {}
        }
    }
    found
}

/// The names of the path that begins here.
fn path<'a>(mut code: &[Placed<'a>]) -> Vec<&'a str> {
    let mut names = Vec::new();
    while let [(Token::Word(name), _), rest @ ..] = code {
        names.push(*name);
        code = if let [(Token::Path, _), rest @ ..] = rest { rest } else { &[] };
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circles(files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<_> = files.iter().map(|(path, text)| (path.to_string(), text.to_string())).collect();
        let mut imports = Imports::default();
        add(&mut imports, "x/", &files).unwrap();
        imports.circles()
    }

    const ROOT: (&str, &str) = ("lib.rs", "mod a;\nmod b;\nmod c;\npub use a::A;\npub use b::B;\n");

    #[test]
    fn siblings_that_import_each_other_are_found() {
        let back = ("b.rs", "use crate::a::A;\npub struct B(A);");
        for there in [
            "use crate::b::B;",
            "use super::b::{B as C};",
            "use super::b::{self};\nfn f() { b::g() }",
            "use crate::{a::{self, A}, c, b::{B}};",
            "fn f(b: crate::b::B) {}",
            "use crate::b;\nfn f() { b::g() }",
            "use crate::b::{self as d};\nfn f() { d::g() }",
            "use crate::b::*;\nfn f(b: B) {}",
            "use crate::*;\nfn f(b: B) {}",
            "use crate::B;",
            "mod inner { use super::super::b::B; }",
            "pub use crate::b::B;\npub struct C(B);",
            "use crate::c::B;",
            "macro_rules! m { () => { $crate::b::B } }",
        ] {
            let found = circles(&[ROOT, ("a.rs", there), back, ("c.rs", "pub use super::b::B;")]);
            assert_eq!(found.len(), 1, "{there}: {found:?}");
            assert!(found[0].contains("imports x/b.rs") && found[0].contains("x/b.rs:1 imports x/a.rs"), "{found:?}");
        }
        for fine in [
            "// use crate::b::B;\n/// [`crate::b::B`]\nfn f() {}",
            "const T: &str = \"use crate::b::B;\";",
            "#[cfg(test)]\nmod tests { use crate::b::B; }",
            "#[cfg(test)]\nfn f(b: crate::b::B) {}",
            "#[cfg(all(test, unix))]\nuse crate::b::B;",
            "pub use crate::b::B;",
            "use crate::b;",
            "use crate::b as d;\nfn f() { other::d::g() }",
            "pub(crate) use crate::b::*;",
            "use other::b::B;",
            "use b;\nfn f() { b::g() }",
            "pub(in crate::b) struct C;",
            "use crate::A as D;",
        ] {
            assert_eq!(circles(&[ROOT, ("a.rs", fine), back, ("c.rs", "")]), [""; 0], "{fine}");
        }
    }

    #[test]
    fn a_child_and_its_parent_are_found() {
        let root = ("main.rs", "mod a;\n");
        let child = ("a/child.rs", "use super::Noun;\npub fn f(_: Noun) {}");
        let found = |parent: &str| circles(&[root, ("a/mod.rs", parent), child, ("a/noun.rs", "pub struct Noun;")]);
        for parent in
            ["mod child;\npub struct Noun;\nfn g() { child::f(Noun) }", "mod child;\nuse child::f;\nstruct Noun;"]
        {
            assert_eq!(found(parent).len(), 1, "{parent}");
        }
        // The noun below both, or a parent that only re-exports.
        assert_eq!(found("mod child;\nmod noun;\nuse noun::Noun;\nfn g() { child::f(Noun) }"), [""; 0]);
        assert_eq!(found("mod child;\npub struct Noun;\npub use child::f;"), [""; 0]);
    }

    #[test]
    fn a_module_whose_file_is_elsewhere_is_not_the_root() {
        let root = |lines| circles(&[("lib.rs", lines), ("a.rs", "use crate::far;\npub fn f() { far::g() }")]);
        assert_eq!(root("mod a;\n#[path = \"../b.rs\"]\nmod far;\nfn h() { a::f() }"), [""; 0]);
        assert_eq!(root("mod a;\nmacro_rules! far {}\npub(crate) use far;\nfn h() { a::f() }").len(), 1);
        assert_eq!(root("mod a;\nmod far {\n    pub fn g() {}\n}\nfn h() { a::f() }").len(), 1);
    }
}
