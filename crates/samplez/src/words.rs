//! The words of other libraries, with the arguments that state the same: data for every front, and the search in it.
//!
//! An error about an unknown name leads to an argument of the same quantity, or to none. So [`way_out`] accepts no similarity beyond
//! one wrong letter.

#[cfg(feature = "words")]
pub(crate) mod table;

#[cfg(feature = "words")]
use crate::Rational;
#[cfg(feature = "words")]
use table::WORDS;

/// Returns what to write instead of an unknown argument `name`, with arguments in backticks, where `known` are the arguments that
/// there are. `None` if nothing of the same quantity is known.
///
/// ```
/// use samplez::bindings::way_out;
/// assert_eq!(way_out("std", &["sigma", "s"]).unwrap(), "write `sigma` for σ, which is nearly the standard deviation");
/// assert_eq!(way_out("sgima", &["sigma", "s"]).unwrap(), "did you mean `sigma`?");
/// assert_eq!(way_out("variance", &["sigma", "variable_time"]), None);
/// ```
#[cfg(feature = "words")]
pub fn way_out(name: &str, known: &[&str]) -> Option<String> {
    let typed = plain(name);
    let has = |wanted: &str| known.iter().find(|name| plain(name) == wanted);
    if let Some(same) = has(&typed) {
        return Some(format!("did you mean `{same}`?"));
    }
    if let Some(word) = WORDS.iter().find(|word| word.words.contains(&typed.as_str())) {
        let is_meant = word.beside.is_none_or(|beside| known.contains(&beside));
        return match word.same.iter().find(|(name, _)| is_meant && known.contains(name)) {
            Some((name, what)) => Some(format!("write `{name}` for {what}")),
            None => (!word.otherwise.is_empty()).then(|| word.otherwise.into()),
        };
    }
    if let Some(off) = typed.strip_prefix("no").and_then(has) {
        return Some(format!("leave `{off}` out instead"));
    }
    if let Some(no) = has(&format!("no{typed}")) {
        return Some(format!("it is the default; `{no}` turns it off"));
    }
    // A word of the table that is nearly this one stands for its argument.
    let words = WORDS.iter().filter(|word| word.beside.is_none()).flat_map(|word| {
        let same = word.names().find(|same| known.contains(same));
        word.words.iter().map(move |spelling| (*spelling, same))
    });
    let mut meant = known.iter().map(|name| (*name, Some(*name))).chain(words);
    let mut meant = meant.by_ref().filter(|(name, _)| is_near(&typed, &plain(name))).map(|(_, meant)| meant);
    let first = meant.next()??;
    meant.all(|other| other == Some(first)).then(|| format!("did you mean `{first}`?"))
}

/// The arguments whose values are whole numbers, so that a comma is no decimal point.
#[cfg(feature = "words")]
const WHOLE: [&str; 15] = [
    "clip",
    "precision",
    "memory",
    "rectangles",
    "omega",
    "distance",
    "count",
    "block",
    "modulus",
    "threads",
    "samples_per_time",
    "limbs",
    "centered_binomial",
    "cbd",
    "tuniform",
];

/// Returns how to write a number of another notation, if its meaning is plain, with arguments in backticks. `name` is the argument.
///
/// ```
/// use samplez::bindings::meant;
/// assert_eq!(meant("center", "0,5").unwrap(), "write 0.5");
/// assert_eq!(meant("sigma", "8/sqrt(2*pi)").unwrap(), "write 8 for `s`");
/// assert_eq!(meant("setup_time", "20ms").unwrap(), "write 20e-3");
/// ```
#[cfg(feature = "words")]
pub fn meant(name: &str, value: &str) -> Option<String> {
    let is = |text: &str| text.parse::<Rational>().is_ok();
    let (typed, value) = (value, value.trim());
    if is(value) {
        return (typed != value).then(|| format!("write {value}"));
    }
    let write = |text: String| is(&text).then(|| format!("write {text}"));
    if let Some(bits) = value.strip_prefix("2^-").or_else(|| value.strip_prefix("2**-")).filter(|_| name == "distance")
    {
        return bits.parse::<u32>().is_ok_and(|bits| (1..=240).contains(&bits)).then(|| format!("write {bits}"));
    }
    if let Some((base, power)) = value.split_once("**").or_else(|| value.split_once('^')) {
        let (base, power) = (base.trim().parse::<u128>().ok()?, power.trim().parse().ok()?);
        return base.checked_pow(power).map(|number| format!("write {number}"));
    }
    if let Some(digits) = value.strip_prefix("0x").or_else(|| value.strip_prefix("0X")) {
        return u128::from_str_radix(digits, 16).ok().map(|number| format!("write {number}"));
    }
    if name == "setup_time" {
        let powers = [("ms", "e-3"), ("us", "e-6"), ("µs", "e-6"), ("ns", "e-9"), ("s", "")];
        let (number, power) =
            powers.iter().find_map(|(unit, power)| Some((value.strip_suffix(unit)?.trim_end(), power)))?;
        let is_plain = is(number) && !number.contains('/');
        return is_plain.then(|| write(format!("{number}{power}"))).flatten();
    }
    // The width of lattice papers, in its own form.
    if name == "sigma" {
        let plain: String = value.chars().filter(|c| !c.is_whitespace() && *c != '*').collect();
        let squared = plain.strip_prefix("sqrt(").and_then(|rest| rest.strip_suffix(')')).filter(|text| is(text));
        if let Some(squared) = squared {
            return Some(format!("write {squared} for `sigma_squared`"));
        }
        let s = plain.strip_suffix("/sqrt(2pi)").or_else(|| plain.strip_suffix("/√(2π)")).filter(|text| is(text));
        if let Some(s) = s {
            return Some(format!("write {s} for `s`"));
        }
    }
    if name == "count"
        && let Some((digits, zeros)) = [("k", "000"), ("K", "000"), ("M", "000000")]
            .iter()
            .find_map(|(unit, zeros)| Some((value.strip_suffix(unit)?, zeros)))
    {
        let is_plain = is(digits) && digits.bytes().all(|c| c.is_ascii_digit());
        return is_plain.then(|| write(format!("{digits}{zeros}"))).flatten();
    }
    let joined: String = value.chars().filter(|c| !c.is_whitespace() && *c != '_').collect();
    let joined = joined.replace('−', "-");
    let Some((whole, rest)) = joined.split_once(',') else { return write(joined) };
    let is_whole = WHOLE.contains(&name);
    match rest.split(',').all(|group| group.len() == 3) {
        true if is_whole => write(joined.replace(',', "")),
        false if is_whole => None,
        // One comma before three digits is a separator of thousands to some, and a decimal point to others.
        true if !rest.contains(',') && whole.trim_start_matches('-') != "0" && is(&format!("{whole}.{rest}")) => {
            Some(format!("write {whole}{rest} or {whole}.{rest}, as you mean the comma"))
        }
        true if rest.contains(',') => write(joined.replace(',', "")),
        _ => write(format!("{whole}.{rest}")),
    }
}

/// The end of an error about this value of an argument: how to write the number.
#[cfg(feature = "words")]
pub(crate) fn rewritten(name: &str, value: &str) -> String {
    meant(name, value).map_or(String::new(), |way| format!("; {way}"))
}

/// Without the search in words.
#[cfg(not(feature = "words"))]
pub(crate) fn rewritten(_: &str, _: &str) -> String {
    String::new()
}

/// Returns the one of these names that a misspelt name means, or `None` if there are several or none. The names may differ in capitals,
/// hyphens and underscores, or else in one letter.
///
/// ```
/// use samplez::bindings::near;
/// let names = ["karney", "cdt", "cdt-ct", "du-wei-4", "du-wei-5"];
/// assert_eq!((near("CDT_CT", &names), near("karny", &names), near("du-wei-6", &names)), (Some("cdt-ct"), Some("karney"), None));
/// ```
pub fn near<'a>(name: &str, names: &[&'a str]) -> Option<&'a str> {
    let typed = plain(name);
    let only = |is_it: &dyn Fn(&str) -> bool| {
        let mut found = names.iter().filter(|name| is_it(&plain(name)));
        found.next().filter(|_| found.next().is_none()).copied()
    };
    only(&|name| name == typed).or_else(|| only(&|name| is_near(&typed, name)))
}

/// The name without capitals, hyphens and underscores.
fn plain(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '-' | '_')).map(|c| c.to_ascii_lowercase()).collect()
}

/// The length from which on a name with one wrong letter is surely a slip: `form` and `from` are two words.
const SLIP: usize = 5;

/// Whether the names differ in one letter: another one, one too many or too few, or two neighbours in the wrong order. Digits are no
/// letters: `sigma2` is another quantity than `sigma`.
fn is_near(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().max(b.len()) < SLIP || a.len().abs_diff(b.len()) > 1 {
        return false;
    }
    let head = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    if head == 0 {
        return false; // k_sigma is no sigma
    }
    let (a, b) = (&a[head..], &b[head..]);
    let tail = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[..a.len() - tail], &b[..b.len() - tail]);
    let are_letters = a.iter().chain(b).all(|c| c.is_ascii_alphabetic());
    are_letters
        && match (a, b) {
            ([_], [_]) | ([_], []) | ([], [_]) => true,
            ([x, y], [z, w]) => (x, y) == (w, z),
            _ => false,
        }
}

#[cfg(all(test, feature = "words"))]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_other_notations() {
        for (value, way) in [
            ("2^64", Some("write 18446744073709551616")),
            ("2**10", Some("write 1024")),
            ("10^3", Some("write 1000")),
            ("1_000", Some("write 1000")),
            ("1 000", Some("write 1000")),
            ("16 / 5", Some("write 16/5")),
            ("1,000,000", Some("write 1000000")),
            ("3,2", Some("write 3.2")),
            ("0,125", Some("write 0.125")),
            ("1,000", Some("write 1000 or 1.000, as you mean the comma")),
            ("−1", Some("write -1")),
            ("0x10", Some("write 16")),
            ("sqrt(10)", Some("write 10 for `sigma_squared`")),
            ("8/sqrt(2*pi)", Some("write 8 for `s`")),
            ("3.2", None),
            ("nan", None),
            ("abc", None),
            ("", None),
            ("2^x", None),
            ("2^999", None),
            ("1,2,3", None),
            ("--count", None),
        ] {
            assert_eq!(meant("sigma", value).as_deref(), way, "{value}");
        }
        assert_eq!(meant("distance", "2^-100").as_deref(), Some("write 100"));
        assert_eq!(meant("center", "sqrt(10)"), None);
        assert_eq!(meant("sigma", " 3.2").as_deref(), Some("write 3.2"));
        for (value, way) in [
            ("1,000", Some("write 1000")),
            ("1,000,000", Some("write 1000000")),
            ("2,5", None),
            ("10k", Some("write 10000")),
            ("5M", Some("write 5000000")),
            ("1.5k", None),
            ("k", None),
        ] {
            assert_eq!(meant("count", value).as_deref(), way, "{value}");
        }
        for (value, way) in [
            ("1ms", Some("write 1e-3")),
            ("2.5 s", Some("write 2.5")),
            ("10µs", Some("write 10e-6")),
            ("1/3ms", None),
            ("ms", None),
            ("1h", None),
        ] {
            assert_eq!(meant("setup_time", value).as_deref(), way, "{value}");
        }
    }
}
