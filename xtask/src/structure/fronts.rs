//! A front adds no vocabulary of its own: no line of it names a method.

use super::tokens::{Language, Placed, Token, tokens};

/// A front, and why it is not yet held to the rule; empty where it is.
pub(crate) struct Front {
    /// Its folder.
    pub(crate) folder: &'static str,
    /// Folders and files of it that are free.
    pub(crate) free: &'static [&'static str],
    /// False as long as it names methods; a front that no longer does must say so here.
    pub(crate) is_clean: bool,
}

pub(crate) const FRONTS: [Front; 8] = [
    // What papers measured, by their methods' names.
    Front {
        folder: "crates/samplez-cli/src",
        free: &["crates/samplez-cli/src/commands/bench", "crates/samplez-cli/src/args/bench"],
        is_clean: true,
    },
    Front { folder: "python/samplez", free: &[], is_clean: true },
    Front { folder: "python/src", free: &[], is_clean: true },
    // Types of the names, which `cargo tools gen-docs` writes.
    Front { folder: "web/src", free: &["web/src/name-types.ts"], is_clean: true },
    Front { folder: "web/wasm/src", free: &[], is_clean: true },
    Front { folder: "web/verify/src", free: &[], is_clean: true },
    // A module that is downloaded: it carries a few methods, which this one file names.
    Front { folder: "web/schemes/src", free: &["web/schemes/src/noise.rs"], is_clean: true },
    Front { folder: "capi/src", free: &[], is_clean: true },
];

/// What names a method: its line, and the name.
///
/// A text is a name if it is nothing else; names that are an option's or a timing's too are not told
/// apart, and pass.
///
/// `methods` are the methods' names.
pub(crate) fn named(text: &str, language: Language, methods: &[String]) -> Vec<(usize, String)> {
    let code = tokens(text, language);
    // What follows is the test module, by the house's custom.
    let end = if language == Language::Rust { tests_start(&code) } else { code.len() };
    let mut found = Vec::new();
    for (at, (token, line)) in code[..end].iter().enumerate() {
        let method = match token {
            Token::Text(text) => methods.iter().find(|method| method == text && !is_shared(text)),
            Token::Word(word) => {
                let of_method = at > 1 && code[at - 1].0 == Token::Path && code[at - 2].0 == Token::Word("Method");
                methods.iter().find(|method| of_method && variant(method) == *word)
            }
            _ => None,
        };
        found.extend(method.map(|method| (*line, method.clone())));
    }
    found
}

/// A method's name as a variant of `Method`: `du-wei-5-ky` as `DuWei5Ky`.
fn variant(method: &str) -> String {
    let capital = |part: &str| part.chars().take(1).flat_map(char::to_uppercase).chain(part.chars().skip(1)).collect();
    method.split('-').map(capital).collect::<Vec<String>>().concat()
}

/// Whether a method's name is also an option's or a timing's.
fn is_shared(name: &str) -> bool {
    name == "isochronous"
}

fn tests_start(code: &[Placed<'_>]) -> usize {
    let words = |at: usize| code.get(at).and_then(|(token, _)| token.word());
    let is_start =
        |at: &usize| code[*at].0 == Token::Mark('#') && words(at + 2) == Some("cfg") && words(at + 4) == Some("test");
    (0..code.len()).find(is_start).unwrap_or(code.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_methods_are_found() {
        let methods = ["karney", "cdt", "isochronous", "du-wei-5-ky"].map(String::from);
        let lines =
            |text, language| named(text, language, &methods).into_iter().map(|(line, _)| line).collect::<Vec<_>>();
        assert_eq!(lines("Method::DuWei5Ky", Language::Rust), [1]);
        let rust = "// \"karney\"\n/// Method::Karney\nlet a = Method::Karney;\nlet b = [\"cdt\", \"du-wei-5-ky\"];\n";
        assert_eq!(lines(rust, Language::Rust), [3, 4, 4]);
        let fine =
            "Method::ALL; karney(\"isochronous\"); Cdt::new(\"karney's\");\n#[cfg(test)]\nmod tests { \"karney\" }";
        assert_eq!(lines(fine, Language::Rust), [0; 0]);
        assert_eq!(lines("\"\"\"Text.\n\n>>> f(method=\"cdt\")\n\"\"\"\nx == 'karney'", Language::Python), [5]);
        assert_eq!(lines("/** `cdt` */\nx === `cdt` || y.cdt", Language::TypeScript), [2]);
    }
}
