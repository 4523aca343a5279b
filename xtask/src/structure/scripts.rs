//! What the files of a Python package and of a TypeScript folder import of each other.
//!
//! Every import counts: at the top or in a function, for types alone, or to pass a name on.

use super::circles::Imports;
use super::tokens::{Language, Placed, Token, tokens};
use std::collections::{BTreeMap, BTreeSet};

/// Adds the imports among the files of the Python package of this name, stubs of native modules
/// (`.pyi`) included; the paths are relative to
/// its folder, whose name as shown is `prefix`.
pub(crate) fn add_python(imports: &mut Imports, prefix: &str, package: &str, files: &[(String, String)]) {
    let modules: BTreeMap<&str, &str> =
        files.iter().filter_map(|(path, _)| Some((path.rsplit_once('.')?.0, path.as_str()))).collect();
    for (path, text) in files {
        let folder: Vec<&str> = path.split('/').rev().skip(1).collect::<Vec<_>>().into_iter().rev().collect();
        for (parts, line) in python_imports(&tokens(text, Language::Python), package, &folder) {
            // The longest part of a dotted name that is a module; the rest is a name in it.
            let found = (0..=parts.len()).rev().find_map(|end| {
                let module = parts[..end].join("/");
                let folder = [&parts[..end], &["__init__"]].concat().join("/");
                [module, folder].iter().find_map(|name| modules.get(name.as_str()))
            });
            if let Some(found) = found {
                imports.add(&format!("{prefix}{path}"), &format!("{prefix}{found}"), line);
            }
        }
    }
}

/// The names that a file of the package imports from it, each from the package's root on.
fn python_imports<'a>(code: &[Placed<'a>], package: &str, folder: &[&'a str]) -> Vec<(Vec<&'a str>, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some((token, line)) = code.get(at) {
        at += 1;
        match token {
            Token::Word("from") => {
                let dots = code[at..].iter().take_while(|(token, _)| *token == Token::Mark('.')).count();
                at += dots;
                let mut from = dotted(code, &mut at);
                if !matches!(code.get(at), Some((Token::Word("import"), _))) {
                    continue; // `yield from x`, `raise x from y`
                }
                at += 1;
                if dots == 0 && from.first() != Some(&package) {
                    continue;
                }
                if dots == 0 {
                    from.remove(0);
                } else {
                    from.splice(..0, folder[..(folder.len() + 1).saturating_sub(dots)].iter().copied());
                }
                at += usize::from(matches!(code.get(at), Some((Token::Mark('('), _))));
                while let Some((Token::Word(name), line)) = code.get(at) {
                    found.push(([from.as_slice(), &[*name]].concat(), *line));
                    at += 1;
                    if matches!(code.get(at), Some((Token::Word("as"), _))) {
                        at += 2;
                    }
                    if !matches!(code.get(at), Some((Token::Mark(','), _))) {
                        break;
                    }
                    at += 1;
                }
            }
            Token::Word("import") => {
                while matches!(code.get(at), Some((Token::Word(_), _))) {
                    let name = dotted(code, &mut at);
                    if name[0] == package {
                        found.push((name[1..].to_vec(), *line));
                    }
                    if matches!(code.get(at), Some((Token::Word("as"), _))) {
                        at += 2;
                    }
                    if !matches!(code.get(at), Some((Token::Mark(','), _))) {
                        break;
                    }
                    at += 1;
                }
            }
            _ => {}
        }
    }
    found
}

/// The parts of the dotted name that begins here.
fn dotted<'a>(code: &[Placed<'a>], at: &mut usize) -> Vec<&'a str> {
    let mut parts = Vec::new();
    while let Some((Token::Word(part), _)) = code.get(*at) {
        if *part == "import" {
            break;
        }
        parts.push(*part);
        *at += 1;
        if !matches!(code.get(*at), Some((Token::Mark('.'), _))) {
            break;
        }
        *at += 1;
    }
    parts
}

/// Adds the imports among the files of a TypeScript folder; the paths are relative to the folder,
/// whose name as shown is `prefix`.
pub(crate) fn add_typescript(imports: &mut Imports, prefix: &str, files: &[(String, String)]) {
    let names: BTreeSet<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
    for (path, text) in files {
        for (to, line) in typescript_imports(&tokens(text, Language::TypeScript)) {
            let mut parts: Vec<&str> = path.split('/').collect();
            parts.pop();
            for part in to.split('/') {
                match part {
                    "." => {}
                    ".." => drop(parts.pop()),
                    part => parts.push(part),
                }
            }
            let to = parts.join("/");
            let stem = to.trim_end_matches(".js").trim_end_matches(".ts");
            let file = format!("{stem}.ts");
            if names.contains(file.as_str()) {
                imports.add(&format!("{prefix}{path}"), &format!("{prefix}{file}"), line);
            }
        }
    }
}

/// The relative paths in `import … from "…"`, `export … from "…"`, `import "…"` and `import("…")`.
fn typescript_imports<'a>(code: &[Placed<'a>]) -> Vec<(&'a str, usize)> {
    let mut found = Vec::new();
    for (at, (token, line)) in code.iter().enumerate() {
        let called = usize::from(matches!(code.get(at + 1), Some((Token::Mark('('), _))));
        let text = match token {
            Token::Word("from") => code.get(at + 1),
            Token::Word("import") => code.get(at + 1 + called),
            _ => None,
        };
        if let Some((Token::Text(path), _)) = text
            && path.starts_with('.')
        {
            found.push((*path, *line));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(texts: &[(&str, &str)]) -> Vec<(String, String)> {
        texts.iter().map(|(path, text)| (path.to_string(), text.to_string())).collect()
    }

    fn python(texts: &[(&str, &str)]) -> Vec<String> {
        let mut imports = Imports::default();
        add_python(&mut imports, "p/", "p", &files(texts));
        imports.circles()
    }

    fn script(texts: &[(&str, &str)]) -> Vec<String> {
        let mut imports = Imports::default();
        add_typescript(&mut imports, "w/", &files(texts));
        imports.circles()
    }

    #[test]
    fn circles_in_python_are_found() {
        let back = "\nfrom p.a import x\n";
        let circle = ["a circle: p/a.py:1 imports p/b.py, p/b.py:2 imports p/a.py"];
        for there in [
            "from p.b import y",
            "from p import b",
            "from .b import (y as z, w)",
            "from . import c, b",
            "import os, p.b as q",
            "import p.b",
        ] {
            assert_eq!(python(&[("a.py", there), ("b.py", back)]), circle, "{there}");
        }
        let hidden = [
            "import typing\nif typing.TYPE_CHECKING:\n    from p.b import y",
            "def f():\n    from p.b import y",
            "'''Text.'''\n# more\nfrom p.b import (\n    y,\n)",
        ];
        for there in hidden {
            assert_eq!(python(&[("a.py", there), ("b.py", back)]).len(), 1, "{there}");
        }
        assert_eq!(
            python(&[("__init__.py", "from p.a import x"), ("a.py", "from p import b"), ("b.pyi", "")]),
            [""; 0]
        );
        assert_eq!(python(&[("__init__.py", "from p.a import x"), ("a.py", "from p import x")]).len(), 1);
        assert_eq!(
            python(&[("a.py", "from p.b import y"), ("b.py", "from p.s.c import z"), ("s/c.py", "from ..a import x")])
                .len(),
            1
        );
        let fine = [
            "from q.b import y",
            "import b",
            "'''\nfrom p.b import y\n'''",
            "# import p.b",
            "raise A from b",
            "from p import x",
            "import q.p.b",
        ];
        for there in fine {
            assert_eq!(python(&[("a.py", there), ("b.py", back)]), [""; 0], "{there}");
        }
    }

    #[test]
    fn circles_in_typescript_are_found() {
        let back = "import { x } from \"./a.js\";";
        let there = [
            "import { y } from './b.js';",
            "import type {\n  Y,\n} from \"./b.ts\";",
            "export { y } from './b.js';",
            "const b = await import('./b.js');",
            "import './b.js';",
            "export * from './s/../b.js';",
        ];
        for there in there {
            assert_eq!(script(&[("a.ts", there), ("b.ts", back)]).len(), 1, "{there}");
        }
        assert_eq!(script(&[("a.ts", "import './s/c.js'"), ("s/c.ts", "import '../b.js'"), ("b.ts", back)]).len(), 1);
        for fine in ["// import './b.js'", "import 'b'", "new URL('./b.js', x)", "`import './b.js'`", "import './c.js'"]
        {
            assert_eq!(script(&[("a.ts", fine), ("b.ts", back)]), [""; 0], "{fine}");
        }
    }
}
