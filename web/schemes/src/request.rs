//! Requests: lines of `key<TAB>value`, with the names that the npm package's options have.

/// What was asked for, in the order in which it was.
pub(crate) struct Request<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Request<'a> {
    pub(crate) fn parse(text: &'a [u8]) -> Result<Self, String> {
        let text = str::from_utf8(text).map_err(|e| e.to_string())?;
        let pair = |line: &'a str| line.split_once('\t').ok_or("a line of a request lacks its value");
        Ok(Request(text.lines().map(pair).collect::<Result<_, _>>()?))
    }

    /// The value of this name, if it was said.
    pub(crate) fn get(&self, name: &str) -> Option<&'a str> {
        self.0.iter().find(|(key, _)| *key == name).map(|(_, value)| *value)
    }

    /// The value of a name that has to be said.
    pub(crate) fn need(&self, name: &str) -> Result<&'a str, String> {
        self.get(name).ok_or_else(|| format!("missing {name}: the operation needs it"))
    }

    /// That nothing else was said.
    pub(crate) fn only(&self, names: &[&str]) -> Result<(), String> {
        match self.0.iter().find(|(key, _)| !names.contains(key)) {
            Some((key, _)) => Err(format!("{key}: no such option; there are {}", names.join(", "))),
            None => Ok(()),
        }
    }
}
