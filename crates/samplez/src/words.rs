//! The words of other libraries, with the arguments that state the same: data for every front, and the search in it.
//!
//! An error about an unknown name leads to an argument of the same quantity, or to none. So [`way_out`] accepts no similarity beyond
//! one wrong letter.

#[cfg(feature = "words")]
pub(crate) mod table;

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
