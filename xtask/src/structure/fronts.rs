//! A front adds no vocabulary of its own: no line of it names a method, or steers by the words of an error.

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

/// Folders beside the fronts whose errors have kinds.
pub(crate) const STEERED: [&str; 5] =
    ["crates/samplez/src", "crates/samplez-lattice/src", "web/page/src", "go", "java"];

/// Files that may look into an error's text.
pub(crate) const READERS: [&str; 2] = [
    // Cuts the path of a temporary file, which nobody named, off another crate's message.
    "crates/samplez-cli/src/failure.rs",
    // Messages of tables, whose argument `max_bytes` is a recipe's `memory`.
    "crates/samplez/src/table_errors.rs",
];

/// The names that errors have.
const ERRORS: [&str; 7] = ["cause", "e", "err", "error", "fault", "refused", "why"];
/// What compares a text or takes it apart.
const COMPARES: [&str; 26] = [
    " in str(",
    ".contains(",
    ".ends_with(",
    ".endswith(",
    ".endsWith(",
    ".exec(",
    ".includes(",
    ".indexOf(",
    ".match(",
    ".partition(",
    ".replace(",
    ".rsplit",
    ".search(",
    ".split(",
    ".split_once(",
    ".starts_with(",
    ".startsWith(",
    ".startswith(",
    ".strip_prefix(",
    ".strip_suffix(",
    ".sub(",
    ".test(",
    "strings.Contains(",
    "strings.Cut(",
    "strings.HasPrefix(",
    "strings.Index(",
];
/// How a line begins or goes on where a function does: what a variable held before is forgotten.
const FUNCTIONS: [&str; 4] = ["fn ", "def ", "func ", "function "];

/// The start of a line in a comment.
const COMMENTS: [&str; 4] = ["//", "/*", "*", "# "];
const DOCSTRING: &str = "\"\"\"";

/// A method's name that is also an option's or a timing's.
const SHARED: &str = "isochronous";

/// The lines that compare the text of an error, or of a variable that holds one. The error's kind is for that.
pub(crate) fn compared(text: &str) -> Vec<usize> {
    let mut held: Vec<&str> = Vec::new();
    lines_of_code(text, |line| {
        if FUNCTIONS.iter().any(|start| line.contains(start)) {
            held.clear();
        }
        let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
        let reads = reads_error(line);
        let is_text = reads || words.any(|word| held.contains(&word));
        let is_sought = |name: &&str| !line.starts_with("for ") && line.contains(&format!(" in {name}"));
        let compares = COMPARES.iter().any(|part| line.contains(part)) || held.iter().any(is_sought);
        if let (true, Some((name, _))) = (reads, line.split_once(" = ")) {
            held.extend(name.split(' ').next_back());
        }
        is_text && compares
    })
}

/// Whether a line of Rust, Python, TypeScript or Go takes the text of an error.
fn reads_error(line: &str) -> bool {
    let is_error = |text: &str| ERRORS.contains(&text);
    let last = |text: &str| text.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().is_some_and(is_error);
    let before = |part: &str| line.match_indices(part).any(|(at, _)| last(&line[..at]));
    let first = |text: &str| text.split_once(')').is_some_and(|(inside, _)| is_error(inside));
    before(".to_string()")
        || before(".message")
        || before(".Error()")
        || line.contains("messageOf(")
        || line.match_indices("str(").any(|(at, call)| first(&line[at + call.len()..]))
}

/// The lines that name a method: as a string that is nothing else, or as a variant of `Method`.
pub(crate) fn named(text: &str, methods: &[String]) -> Vec<usize> {
    let is_method = |text: &str| text != SHARED && methods.iter().any(|method| method == text);
    lines_of_code(text, |line| {
        let is_quoted = |quote: char| line.split(quote).skip(1).any(is_method);
        // A constant of `Method` is in capitals, a function begins with a small letter.
        let is_variant = |(at, _): (usize, &str)| {
            let (before, mut after) = (&line[..at], line[at + "Method::".len()..].chars());
            !before.ends_with(char::is_alphanumeric)
                && after.next().is_some_and(char::is_uppercase)
                && after.next().is_some_and(|second| !second.is_uppercase())
        };
        ['"', '\'', '`'].into_iter().any(is_quoted) || line.match_indices("Method::").any(is_variant)
    })
}

/// The numbers of these lines, without comments and tests.
fn lines_of_code<'a>(text: &'a str, mut is_found: impl FnMut(&'a str) -> bool) -> Vec<usize> {
    // In Rust the test module is the last item.
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let mut is_docstring = false;
    let mut found = Vec::new();
    for (number, line) in (1..).zip(code.lines()) {
        let line = line.trim();
        let is_mark = line.starts_with(DOCSTRING) || line.ends_with(DOCSTRING);
        is_docstring ^= is_mark && line.matches(DOCSTRING).count() == 1;
        let is_code = !is_mark && !is_docstring && !COMMENTS.iter().any(|mark| line.starts_with(mark));
        if is_code && is_found(line) {
            found.push(number);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_of_messages_are_found() {
        let rust = "// error.to_string().contains(x)\nerror.to_string().contains(x);\nerror.to_string();\n#[cfg(test)]\ne.to_string().contains(x)";
        assert_eq!(compared(rust), [2]);
        assert_eq!(compared("message = str(error)\nif 'no method' in message:\nfor word in message:"), [2]);
        let held =
            "let why = error.to_string();\nlet n = why.len();\nwhy.split(' ');\nfn other(why: &str) {\nwhy.split(' ');";
        assert_eq!(compared(held), [3]);
        assert_eq!(compared("if 'no method' in str(error):\n    raise ValueError(str(error))"), [1]);
        assert_eq!(compared("name, _, rest = str(error).partition(' = ')\nlaw in str(law)"), [1]);
        assert_eq!(compared("/^x/.exec(messageOf(cause))\nmessageOf(cause)\nerror.message.startsWith('s')"), [1, 3]);
        assert_eq!(compared("if strings.Contains(err.Error(), name) {\nstrings.Contains(name, path)"), [1]);
        let spelled =
            "the_error.to_string().contains(x)\nother.to_string().contains(x)\nshape_of(str(e_law)).partition(x)";
        assert_eq!(compared(spelled), [0; 0]);
    }

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
