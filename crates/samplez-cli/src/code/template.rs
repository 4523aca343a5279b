//! Texts with places.

/// Fills the places `@name@` of a text. A line that begins with `@?name@` stays only if the flag of that name is set.
pub(super) fn filled(template: &str, flags: &[(&str, bool)], values: &[(&str, String)]) -> String {
    let mut text = String::new();
    for line in template.lines() {
        let (flag, rest) = match line.strip_prefix("@?").and_then(|line| line.split_once('@')) {
            Some((flag, rest)) => (flags.iter().any(|(name, is_set)| *is_set && *name == flag), rest),
            None => (true, line),
        };
        if flag {
            text += rest;
            text.push('\n');
        }
    }
    values.iter().fold(text, |text, (name, value)| text.replace(&format!("@{name}@"), value))
}

#[cfg(test)]
mod tests {
    use super::filled;

    #[test]
    fn places_are_filled_and_lines_chosen() {
        let template = "a @x@ @y@@x@\n@?yes@b\n@?no@c\n";
        let text = filled(template, &[("yes", true), ("no", false)], &[("x", "1".into()), ("y", "2".into())]);
        assert_eq!(text, "a 1 21\nb\n");
    }
}
