//! Texts with places.

/// Fills the places `@name@` of a text. A line that begins with `@?name@` stays only if the flag of that name is set. One with `@*@` is
/// repeated `times` times, with the place `@i@`.
pub(super) fn filled(template: &str, flags: &[(&str, bool)], values: &[(&str, String)], times: usize) -> String {
    let filled = |line: &str| {
        values.iter().fold(line.to_string(), |line, (name, value)| line.replace(&format!("@{name}@"), value))
    };
    let mut text = String::new();
    for line in template.lines() {
        let (is_there, line) = match line.strip_prefix("@?").and_then(|line| line.split_once('@')) {
            Some((flag, rest)) => (flags.contains(&(flag, true)), rest),
            None => (true, line),
        };
        let (times, line) = line.strip_prefix("@*@").map_or((1, line), |line| (times, line));
        for i in 0..if is_there { times } else { 0 } {
            text += &filled(line).replace("@i@", &i.to_string());
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::filled;

    #[test]
    fn places_are_filled_and_lines_chosen_and_repeated() {
        let template = "a @x@ @y@@x@\n@?yes@b\n@?no@c\n@?yes@@*@@x@@i@\n";
        let text = filled(template, &[("yes", true), ("no", false)], &[("x", "1".into()), ("y", "2".into())], 2);
        assert_eq!(text, "a 1 21\nb\n10\n11\n");
    }
}
