//! Requests: lines of `key<TAB>value`, with the names that the npm package's options have.

use samplez_schemes::Error;

/// Why a call failed.
#[derive(Debug)]
pub(crate) struct Failure {
    /// The name of the library's kind, for JavaScript's `kind`.
    kind: &'static str,
    pub(crate) message: String,
}

impl Failure {
    pub(crate) fn new(kind: &'static str, message: impl ToString) -> Self {
        Failure { kind, message: message.to_string() }
    }

    /// The answer of a call that failed: the kind's name, a tab, and the message.
    pub(crate) fn answer(&self) -> Vec<u8> {
        format!("{}\t{}", self.kind, self.message).into_bytes()
    }
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Failure::new("other", message)
    }
}

impl From<&str> for Failure {
    fn from(message: &str) -> Self {
        Failure::new("other", message)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        // The argument is named as JavaScript has it.
        match error {
            Error::Malformed { what, .. } => {
                let argument = if what.ends_with("key") { "key" } else { what };
                Failure::new("other", format!("{argument}: {error}"))
            }
            _ => Failure::new("other", error),
        }
    }
}

/// What was asked for, in the order in which it was.
pub(crate) struct Request<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Request<'a> {
    pub(crate) fn parse(text: &'a [u8]) -> Result<Self, Failure> {
        let text = str::from_utf8(text).map_err(|e| e.to_string())?;
        let pair = |line: &'a str| line.split_once('\t').ok_or("a line of a request lacks its value");
        Ok(Request(text.lines().map(pair).collect::<Result<_, _>>()?))
    }

    /// The value of this name, if it was said.
    pub(crate) fn get(&self, name: &str) -> Option<&'a str> {
        self.0.iter().find(|(key, _)| *key == name).map(|(_, value)| *value)
    }

    /// The value of a name that has to be said.
    pub(crate) fn need(&self, name: &str) -> Result<&'a str, Failure> {
        self.get(name).ok_or_else(|| Failure::new("missing", format!("missing {name}: pass one that sets() lists")))
    }

    /// That nothing else was said.
    pub(crate) fn only(&self, names: &[&str]) -> Result<(), Failure> {
        match self.0.iter().find(|(key, _)| !names.contains(key)) {
            Some((key, _)) => {
                Err(Failure::new("unknown", format!("{key}: no such option; there are {}", names.join(", "))))
            }
            None => Ok(()),
        }
    }
}
