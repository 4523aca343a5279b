//! What the files of a Python package and of a TypeScript folder import of each other.
//!
//! Every import that begins a line counts: at the top or in a function, for types alone, or to re-export.

use super::circles::Imports;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Adds the imports between Python files. The paths begin with the package's name, and are shown after `prefix`.
/// A stub (`.pyi`) represents a native module.
pub(crate) fn add_python(imports: &mut Imports, prefix: &str, files: &[(String, String)]) {
    let module =
        |path: &str| PathBuf::from(path.trim_end_matches(".pyi").trim_end_matches(".py").trim_end_matches("/__init__"));
    let modules: BTreeMap<_, _> = files.iter().map(|(path, _)| (module(path), path)).collect();
    for (path, text) in files {
        let mut at = 0;
        for (number, line) in (1..).zip(text.split_inclusive('\n')) {
            let rest = &text[at..];
            at += line.len();
            let bare = |line: &str| line.split('#').next().unwrap_or_default().trim().to_owned();
            let end = if bare(line).ends_with('(') { rest.find(')') } else { None };
            let statement = rest[..end.unwrap_or(line.len())].lines().map(bare).collect::<String>();
            let (from, list) = match statement.split_once("import ") {
                Some(("", list)) => ("", list),
                Some((from, list)) if from.starts_with("from ") => (from[5..].trim(), list),
                _ => continue,
            };
            // `.a` is beside this file, `..a` one folder up.
            let name = from.trim_start_matches('.');
            let base = Path::new(path).ancestors().nth(from.len() - name.len());
            let base = base.filter(|_| name.len() < from.len()).unwrap_or(Path::new("")).join(name.replace('.', "/"));
            for item in list.split([',', '(', ')']).filter_map(|item| item.split_whitespace().next()) {
                // The longest part that is a module; the rest is a name in it.
                let item = base.join(item.replace('.', "/"));
                if let Some(to) = item.ancestors().find_map(|part| modules.get(part)) {
                    imports.add(&format!("{prefix}{path}"), &format!("{prefix}{to}"), number);
                }
            }
        }
    }
}

/// Adds the imports between TypeScript files, by the relative paths in `import … from "…"`, `export … from "…"`, `import "…"` and
/// `import("…")`. The files are shown after `prefix`.
pub(crate) fn add_typescript(imports: &mut Imports, prefix: &str, files: &[(String, String)]) {
    for (path, text) in files {
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim_start().starts_with(['/', '*'])) {
            for pair in line.split(['"', '\'']).collect::<Vec<_>>().windows(2) {
                let is_import = ["from ", "import ", "import("].iter().any(|before| pair[0].ends_with(before));
                let mut parts: Vec<&str> = path.split('/').collect();
                parts.pop();
                for part in pair[1].split('/') {
                    match part {
                        "." => {}
                        ".." => drop(parts.pop()),
                        part => parts.push(part),
                    }
                }
                let to = parts.join("/").trim_end_matches(".js").trim_end_matches(".ts").to_owned() + ".ts";
                if is_import && pair[1].starts_with('.') && files.iter().any(|(path, _)| *path == to) {
                    imports.add(&format!("{prefix}{path}"), &format!("{prefix}{to}"), number);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circles(add: fn(&mut Imports, &str, &[(String, String)]), files: &[(&str, &str)]) -> usize {
        let files: Vec<_> = files.iter().map(|(path, text)| (path.to_string(), text.to_string())).collect();
        let mut imports = Imports::default();
        add(&mut imports, "", &files);
        imports.circles().len()
    }

    #[test]
    fn circles_in_python_are_found() {
        let cases = [
            (1, "from p.b import y"),
            (1, "from p import b"),
            (1, "from .b import (y as z, w)"),
            (1, "from . import c, b"),
            (1, "import os, p.b as q"),
            (1, "def f():\n    import p.b"),
            (1, "from p import (  # c\n    c,  # c\n    b,\n)"),
            (0, "from q.b import y"),
            (0, "import b"),
            (0, "# import p.b"),
            (0, ">>> import p.b"),
            (0, "raise A from b"),
            (0, "from p import x, y as b"),
            (0, "import q.p.b"),
        ];
        for (count, there) in cases {
            let files = [("p/a.py", there), ("p/b.py", "\nfrom p.a import x"), ("p/c.py", "")];
            assert_eq!(circles(add_python, &files), count, "{there}");
        }
        let package =
            |there| circles(add_python, &[("p/__init__.py", "from p.a import x"), ("p/a.py", there), ("p/b.py", "")]);
        assert_eq!((package("from p import x"), package("from p import b")), (1, 0));
        let up = [
            ("p/a.py", "from p._native import y"),
            ("p/_native.pyi", "from p.s.c import z"),
            ("p/s/c.py", "from ..a import x"),
        ];
        assert_eq!(circles(add_python, &up), 1);
    }

    #[test]
    fn circles_in_typescript_are_found() {
        let cases = [
            (1, "import { y } from './b.js';"),
            (1, "import type {\n  Y,\n} from \"./b.ts\";"),
            (1, "export * from './s/../b.js';"),
            (1, "const b = await import('./b.js');"),
            (1, "import './s/c.js';"),
            (0, "// import './b.js'"),
            (0, "import 'b'"),
            (0, "new URL('./b.js', x)"),
        ];
        for (count, there) in cases {
            let back = "import { x } from \"./a.js\";";
            let files = [("a.ts", there), ("b.ts", back), ("s/c.ts", "import '../b.js'")];
            assert_eq!(circles(add_typescript, &files), count, "{there}");
        }
    }
}
