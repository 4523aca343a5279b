//! A front adds no vocabulary of its own: no line of it names a method.

/// The folders of the fronts.
pub(crate) const FRONTS: [&str; 10] = [
    "crates/samplez-cli/src",
    "python/samplez",
    "python/src",
    "web/src",
    "web/wasm/src",
    "web/big/src",
    "web/core/src",
    "web/verify/src",
    "web/schemes/src",
    "capi/src",
];

/// Files of fronts that may name methods.
pub(crate) const FREE: [&str; 5] = [
    // What papers measured, by their methods' names.
    "crates/samplez-cli/src/commands/bench",
    "crates/samplez-cli/src/args/bench",
    // Types of the names, which `cargo tools gen-docs` writes.
    "web/src/name-types.ts",
    // A module that is downloaded: it includes a few methods, which this one file names.
    "web/schemes/src/noise.rs",
    // The tables of the two methods that a small download has.
    "web/big/src/table.rs",
];

/// The start of a line in a comment.
const COMMENTS: [&str; 4] = ["//", "/*", "*", "# "];
const DOCSTRING: &str = "\"\"\"";

/// A method's name that is also an option's or a timing's.
const SHARED: &str = "isochronous";

/// The lines that name a method: as a string that is nothing else, or as a variant of `Method`.
pub(crate) fn named(text: &str, methods: &[String]) -> Vec<usize> {
    // In Rust the test module is the last item.
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let mut is_docstring = false;
    let mut found = Vec::new();
    for (number, line) in (1..).zip(code.lines()) {
        let line = line.trim();
        let is_mark = line.starts_with(DOCSTRING) || line.ends_with(DOCSTRING);
        is_docstring ^= is_mark && line.matches(DOCSTRING).count() == 1;
        let is_code = !is_mark && !is_docstring && !COMMENTS.iter().any(|mark| line.starts_with(mark));
        let is_method = |text: &str| text != SHARED && methods.iter().any(|method| method == text);
        let is_quoted = |quote: char| line.split(quote).skip(1).any(is_method);
        // A constant of `Method` is in capitals, a function begins with a small letter.
        let is_variant = |(at, _): (usize, &str)| {
            let (before, mut after) = (&line[..at], line[at + "Method::".len()..].chars());
            !before.ends_with(char::is_alphanumeric)
                && after.next().is_some_and(char::is_uppercase)
                && after.next().is_some_and(|second| !second.is_uppercase())
        };
        if is_code && (['"', '\'', '`'].into_iter().any(is_quoted) || line.match_indices("Method::").any(is_variant)) {
            found.push(number);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_methods_are_found() {
        let methods = ["karney", "cdt", "isochronous", "du-wei-5-ky"].map(String::from);
        let lines = |text| named(text, &methods);
        let rust = "// \"karney\"\n/// Method::Karney\nlet a = samplez::Method::Karney;\nlet b = [\"du-wei-5-ky\"];\n";
        assert_eq!(lines(rust), [3, 4]);
        assert_eq!(lines("#[arg(default_value = \"cdt\")]"), [1]);
        let fine = "Method::ALL; RoundMethod::Karney; Cdt::new(\"karney's\", \"isochronous\");\n#[cfg(test)]\nmod tests { \"karney\" }";
        assert_eq!(lines(fine), [0; 0]);
        let python =
            "\"\"\"Text of 'cdt'.\n\n>>> f(method=\"cdt\")\n'cdt'\n\"\"\"\n\"\"\"'cdt'\"\"\"\n# 'cdt'\nx == 'karney'";
        assert_eq!(lines(python), [8]);
        assert_eq!(lines("/** `cdt`\n * 'cdt' */\nx === `cdt` || y.cdt"), [3]);
    }
}
