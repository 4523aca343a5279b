//! `cargo xtask check-prose`: phrases of `docs/style/words.tsv` in documents, doc comments and messages.
//!
//! A line of the list has four columns: rule, phrase, replacement, and exceptions separated by ` / ` (may be missing).
//! A phrase is a sequence of words. `a|b` matches either word, and `*` any word.

use crate::docs::without_code;
use std::io;
use std::path::{Path, PathBuf};
use xtask::files::{self, Findings};

const LIST: &str = "docs/style/words.tsv";

/// The documents that are judged, beside every page of `docs/book`.
const DOCUMENTS: [&str; 5] = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"];

/// The findings in one file; or in the documents and the sources of the published crates without their tests.
pub(crate) fn check(root: &Path, only: Option<&str>) -> Findings {
    let phrases = parsed(&files::read(&root.join(LIST))?)?;
    let mut paths: Vec<PathBuf> = DOCUMENTS.map(|name| root.join(name)).into();
    paths.extend(files::below(&root.join("docs/book"), "md")?);
    let sources = files::below(&root.join("crates"), "rs")?;
    paths.extend(sources.into_iter().filter(|path| {
        let shown = files::shown(root, path);
        shown.contains("/src/") && !shown.ends_with("/tests.rs") && !shown.contains("/tests/")
    }));
    if let Some(only) = only {
        paths = vec![std::path::absolute(only)?];
    }
    let mut found = Vec::new();
    for path in paths {
        let text = files::read(&path)?;
        let is_rust = path.extension().is_some_and(|extension| extension == "rs");
        let at = files::shown(root, &path);
        let findings = judged(&if is_rust { of_rust(&text) } else { text }, &phrases);
        found.extend(findings.into_iter().map(|finding| format!("{at}:{finding}")));
    }
    Ok(found)
}

struct Entry {
    rule: String,
    write: String,
    phrase: Phrase,
    except: Vec<Phrase>,
}

/// Each place's alternatives.
type Phrase = Vec<Vec<String>>;

fn parsed(list: &str) -> io::Result<Vec<Entry>> {
    let phrase = |text: &str| text.split(' ').map(|word| word.split('|').map(str::to_owned).collect()).collect();
    let lines = list.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let entry = |(number, line): (usize, &str)| match line.split('\t').collect::<Vec<_>>()[..] {
        [rule, words, write, ref except @ ..] => {
            let except = except.iter().flat_map(|all| all.split(" / ")).map(phrase).collect();
            Ok(Entry { rule: rule.into(), write: write.into(), phrase: phrase(words), except })
        }
        _ => Err(io::Error::other(format!("{LIST}:{}: expected rule, phrase, replacement, exceptions", number + 1))),
    };
    lines.map(entry).collect()
}

/// The findings in Markdown.
fn judged(markdown: &str, phrases: &[Entry]) -> Vec<String> {
    let words = words(&without_code(markdown));
    let matches = |phrase: &Phrase, at: usize| {
        let fits = |(place, (word, _)): (&Vec<String>, &(String, usize))| {
            place.contains(word) || place[0] == "*" && word.starts_with(char::is_alphanumeric)
        };
        words.get(at..at + phrase.len()).is_some_and(|here| phrase.iter().zip(here).all(fits))
    };
    let mut found = Vec::new();
    for (at, (_, line)) in words.iter().enumerate() {
        for Entry { rule, write, phrase, except } in phrases.iter().filter(|entry| matches(&entry.phrase, at)) {
            let end = at + phrase.len();
            let covers = |except: &Phrase| {
                (end.saturating_sub(except.len())..=at)
                    .any(|start| start + except.len() >= end && matches(except, start))
            };
            if !except.iter().any(covers) {
                let shown: Vec<&str> = words[at..end].iter().map(|(word, _)| word.as_str()).collect();
                found.push(format!("{}: {rule}: \"{}\": write {write}", line + 1, shown.join(" ")));
            }
        }
    }
    found
}

/// The words in lower case and the marks of a text, each with its line from 0. Links have no targets; a blank line is a mark.
fn words(text: &str) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let mut rest = line.trim();
        if rest.is_empty() || rest.starts_with("<!--") {
            found.push((String::new(), number));
            continue;
        }
        while let Some(first) = rest.chars().next() {
            let inside = |c: char| c.is_alphanumeric() || "'’-_".contains(c);
            let end = match first {
                _ if first.is_alphanumeric() => rest.find(|c| !inside(c)).unwrap_or(rest.len()),
                ']' if rest.starts_with("](") => rest.find(')').map_or(rest.len(), |at| at + 1),
                _ => first.len_utf8(),
            };
            if !first.is_whitespace() && !"*[]".contains(first) {
                found.push((rest[..end].to_lowercase().replace('’', "'"), number));
            }
            rest = &rest[end..];
        }
    }
    found
}

/// What is judged of a Rust file above its tests, on its lines: doc comments, and messages, which are the string literals of three words
/// or more on a line that are neither markup nor code. An attribute's literal counts where the user reads it.
fn of_rust(text: &str) -> String {
    let mut quoted = false;
    let judged = |line: &str| {
        let line = line.trim_start();
        if let Some(comment) = line.strip_prefix("///").or_else(|| line.strip_prefix("//!")) {
            quoted = false;
            return comment.strip_prefix('/').map_or(comment, |_| "").trim_start().to_owned() + "\n";
        }
        // A line of an example that a macro writes.
        if line.starts_with("#[doc") {
            return "x\n".into();
        }
        let line =
            line.split("// ").next().unwrap_or_default().replace("'\"'", "").replace("\\\"", "'").replace("\\n", " ");
        let pieces: Vec<&str> = line.split('"').collect();
        let is_message = |text: &&str| {
            let is_word = |chunk: &&str| chunk.chars().filter(|c| c.is_alphabetic()).count() > 1;
            let is_code = text.starts_with('<') || ["::", ");", "];"].iter().any(|mark| text.contains(mark));
            !is_code && text.split_whitespace().filter(is_word).count() >= 3
        };
        let inside = pieces.iter().skip(usize::from(!quoted)).step_by(2).copied();
        let messages: Vec<&str> = inside.filter(is_message).filter(|_| !line.contains("reason = \"")).collect();
        quoted ^= pieces.len().is_multiple_of(2);
        messages
            .join(" . ")
            .replace("`{", "`")
            .replace("}`", "`")
            .replace(['{', '}'], "`")
            .trim_end_matches('\\')
            .to_owned()
            + "\n"
    };
    text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default().lines().map(judged).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(list: &str, text: &str) -> Vec<String> {
        judged(text, &parsed(list).unwrap())
    }

    #[test]
    fn phrases_are_found_and_exceptions_are_left_out() {
        let list = "a\tis|are said\ty\nb\t* tenths\tz\n";
        let all = ["1: a: \"is said\": write y", "2: b: \"nine tenths\": write z"];
        assert_eq!(found(list, "It is said, or said.\nNine tenths, tenths."), all);
        let list = "a\tstands\tis\tstands for\na\ttrip\tx\tround trip / trip count\n";
        assert_eq!(found(list, "It stands for a round trip."), [""; 0]);
        assert_eq!(found(list, "It stands on a trip.").len(), 2);
        assert!(
            parsed("# comment\n\na\tb\n").err().unwrap().to_string().starts_with("docs/style/words.tsv:3: expected")
        );
    }

    #[test]
    fn the_committed_list_finds_slips_outside_code() {
        let fired = |text: &str| found(include_str!("../../docs/style/words.tsv"), text);
        for slip in [
            "The method tells its size.",
            "The size *is\nsaid* twice.",
            "| a |\n|---|\n| heeds |\n",
            "# The [house](x.md)\n",
        ] {
            assert!(!fired(slip).is_empty(), "{slip}");
        }
        for clean in [
            "- You tell two laws apart: σ stands for the width.\n",
            "```text\nThis tells; heeds; stands.\n```\n",
            "See `this tells; heeds; stands` and [the page](house/told.md).",
            "- It has\n- of this\n\n<!-- This tells; heeds; stands. -->\n",
        ] {
            assert_eq!(fired(clean), [""; 0], "{clean}");
        }
    }

    #[test]
    fn comments_and_messages_of_rust_are_judged() {
        let list = parsed("a\troom\tx\n").unwrap();
        let lines = |text: &str| {
            let found = judged(&of_rust(text), &list);
            found.iter().map(|line| line.split(':').next().unwrap().parse().unwrap()).collect::<Vec<usize>>()
        };
        let text = "//! A room.\n// room\n/// ```\n/// room\n/// ```\n//// room\nfn room() { write(\"the room is {room}\") }\n";
        assert_eq!(lines(text), [1, 7]);
        assert_eq!(lines("f(\"a\", \"room\", \"room::new(one, two)\", \"<p room is big>\")\n"), [0; 0]);
        let attributes =
            "#[expect(x, reason = \"the room is big\")]\n#[arg(help = \"the hall is\\\n a very big room\")]\nx: room\n";
        assert_eq!(lines(attributes), [3]);
        assert_eq!(lines("#[cfg(test)]\nmod tests {\n/// A room.\nfn f() {}\n}\n"), [0; 0]);
    }
}
