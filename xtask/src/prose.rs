//! `cargo xtask check-prose`: phrases of `docs/style/words.tsv` in documents, doc comments and messages.
//!
//! A line of the list has four columns: rule, phrase, replacement, and exceptions separated by ` / ` (may be missing).
//! A phrase is a sequence of words. `a|b` matches either word, and `*` any word.

use crate::docs::without_code;
use crate::tokens::{Token, tokens};
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
        let judged = if is_rust { of_rust(&text, &phrases) } else { Ok(judged(&text, 1, &phrases)) };
        let at = files::shown(root, &path);
        found.extend(judged.map_err(|error| files::named(&path, &error))?.into_iter().map(|f| format!("{at}:{f}")));
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

/// The findings in Markdown whose first line has this number: of phrases that overlap, the first and longest.
fn judged(markdown: &str, first: usize, phrases: &[Entry]) -> Vec<String> {
    let words = words(&without_code(markdown));
    let matches = |phrase: &Phrase, at: usize| {
        let here = words.get(at..at + phrase.len());
        let fits = |(place, (word, _)): (&Vec<String>, &(String, usize))| {
            place.contains(word) || place[0] == "*" && word.starts_with(char::is_alphanumeric)
        };
        here.is_some_and(|here| phrase.iter().zip(here).all(fits))
    };
    let (mut found, mut at) = (Vec::new(), 0);
    while at < words.len() {
        let covers = |except: &Phrase, end: usize| {
            (end.saturating_sub(except.len())..=at).any(|start| start + except.len() >= end && matches(except, start))
        };
        let fits = |entry: &&Entry| {
            matches(&entry.phrase, at) && !entry.except.iter().any(|except| covers(except, at + entry.phrase.len()))
        };
        let Some(entry) = phrases.iter().filter(fits).max_by_key(|entry| entry.phrase.len()) else {
            at += 1;
            continue;
        };
        let end = at + entry.phrase.len();
        let shown: Vec<&str> = words[at..end].iter().map(|(word, _)| word.as_str()).collect();
        let Entry { rule, write, .. } = entry;
        found.push(format!("{}: {rule}: \"{}\": write {write}", first + words[at].1, shown.join(" ")));
        at = end;
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

/// The findings in a Rust file above its tests: in doc comments, and in messages, which are the string literals of three words or
/// more that are neither markup nor code. An attribute's literal counts where the user reads it.
fn of_rust(text: &str, phrases: &[Entry]) -> io::Result<Vec<String>> {
    let code = tokens(text)?;
    let end = text.find("#[cfg(test)]\nmod tests").map_or(usize::MAX, |at| text[..at].lines().count());
    let of = |line: &str| {
        let line = line.trim_start();
        let comment = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"));
        // A line of an example that a macro writes.
        let comment = comment.or(line.starts_with("#[doc").then_some("x"));
        comment.filter(|text| !text.starts_with('/')).unwrap_or_default().trim_start().to_owned() + "\n"
    };
    let comments: String = text.lines().take(end).map(of).collect();
    let mut found = judged(&comments, 1, phrases);
    for (at, (token, line)) in code.iter().enumerate().filter(|(_, (_, line))| *line < end) {
        let Token::Text(message) = token else { continue };
        let is_reason = at > 1 && code[at - 2].0 == Token::Word("reason");
        let is_word = |chunk: &&str| chunk.chars().filter(|c| c.is_alphabetic()).count() > 1;
        let is_code = message.starts_with('<') || ["::", ");", "];"].iter().any(|mark| message.contains(mark));
        if !is_reason && !is_code && message.split_whitespace().filter(is_word).count() >= 3 {
            let message = message
                .replace("`{", "`")
                .replace("}`", "`")
                .replace("\\n", " ")
                .replace("\\\"", "\"")
                .replace(['{', '}'], "`");
            found.extend(judged(&message.replace("\\\n", "\n"), *line, phrases));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(list: &str, text: &str) -> Vec<String> {
        judged(text, 1, &parsed(list).unwrap())
    }

    #[test]
    fn the_longest_phrase_is_found_once_and_exceptions_are_left_out() {
        let list = "a\tsaid\tx\na\tis|are said\ty\nb\t* tenths\tz\n";
        let all = ["1: a: \"is said\": write y", "1: a: \"said\": write x", "2: b: \"nine tenths\": write z"];
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
            "It uses 128 bits unless told otherwise.",
            "It runs at four to nine tenths of the speed.",
            "| a |\n|---|\n| heeds |\n",
            "# The [house](x.md)\n",
        ] {
            assert_eq!(fired(slip).len(), 1, "{slip}");
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
            let found = of_rust(text, &list).unwrap();
            found.iter().map(|line| line.split(':').next().unwrap().parse().unwrap()).collect::<Vec<usize>>()
        };
        let text = "//! A room.\n// room\n/// ```\n/// room\n/// ```\n//// room\nfn room() { write(\"the room is {room}\") }\n";
        assert_eq!(lines(text), [1, 7]);
        assert_eq!(lines("f(\"a\", \"room\", \"room::new(one, two)\", \"<p room is big>\")\n"), [0; 0]);
        assert_eq!(
            lines("#[expect(x, reason = \"the room is big\")]\n#[arg(help = \"the room is\\\n big\")]\nx: u8\n"),
            [2]
        );
        assert_eq!(lines("#[cfg(test)]\nmod tests {\n/// A room.\nfn f() {}\n}\n"), [0; 0]);
    }
}
