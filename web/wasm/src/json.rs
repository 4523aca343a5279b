//! JSON, written.

/// A string.
pub(crate) fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A number; null if it is none.
pub(crate) fn number(value: f64) -> String {
    if value.is_finite() { value.to_string() } else { "null".into() }
}

/// An array of values that are JSON already.
pub(crate) fn array(values: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", values.into_iter().collect::<Vec<_>>().join(","))
}

/// An object whose values are JSON already.
pub(crate) fn object<'a>(members: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let members = members.into_iter().map(|(key, value)| format!("{}:{value}", text(key)));
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values() {
        assert_eq!(text("a\"b\\c\n√"), "\"a\\\"b\\\\c\\u000a√\"");
        assert_eq!(array([number(1.5), number(f64::INFINITY), number(-2.0)]), "[1.5,null,-2]");
        assert_eq!(object([("a", text("x")), ("b", array([]))]), "{\"a\":\"x\",\"b\":[]}");
    }
}
