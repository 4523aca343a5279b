//! Files of CSV: a first line of names, then fields between commas, some of them in quotes, none with a quote or a line's end in it.

use crate::files::{read, write};
use std::io::{Error, Result};
use std::path::{Path, PathBuf};

/// The fields of a line, without their quotes.
pub fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut field, mut quoted) = (Vec::new(), String::new(), false);
    for sign in line.chars() {
        match sign {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(std::mem::take(&mut field)),
            _ => field.push(sign),
        }
    }
    fields.push(field);
    fields
}

/// A line of these fields, in quotes where they need them; quotes of their own are left out.
pub fn line(fields: &[String]) -> String {
    let field = |text: &String| {
        let text = text.replace('"', "");
        if text.contains(',') { format!("\"{text}\"") } else { text }
    };
    fields.iter().map(field).collect::<Vec<_>>().join(",") + "\n"
}

/// A file that is read whole, and written after each new row: a run that is cut off goes on where it was.
pub struct Table {
    path: PathBuf,
    names: Vec<String>,
    /// The rows, each with as many fields as there are names.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// Reads the file.
    pub fn open(root: &Path, file: &str) -> Result<Table> {
        let path = root.join(file);
        let text = read(&path)?;
        let mut rows = text.lines().map(fields);
        let names = rows.next().unwrap_or_default();
        let rows: Vec<_> = rows.collect();
        match rows.iter().find(|row| row.len() != names.len()) {
            None => Ok(Table { path, names, rows }),
            Some(row) => Err(Error::other(format!("{file}: not {} fields: {}", names.len(), line(row).trim_end()))),
        }
    }

    /// The fields below a name.
    pub fn column(&self, name: &str) -> Result<impl Iterator<Item = &str> + Clone> {
        let at = self.names.iter().position(|known| known == name);
        let at = at.ok_or_else(|| Error::other(format!("{}: has no column {name}", self.path.display())))?;
        Ok(self.rows.iter().map(move |row| row[at].as_str()))
    }

    /// The sum of the numbers below a name.
    pub fn sum(&self, name: &str) -> Result<u64> {
        let number =
            |text: &str| text.parse::<u64>().map_err(|_| Error::other(format!("{name} = {text}: expected a number")));
        self.column(name)?.map(number).sum()
    }

    /// Leaves out the rows whose field below a name is not such.
    pub fn only(mut self, name: &str, is: impl Fn(&str) -> bool) -> Result<Table> {
        let such: Vec<bool> = self.column(name)?.map(is).collect();
        let mut such = such.into_iter();
        self.rows.retain(|_| such.next() == Some(true));
        Ok(self)
    }

    /// Whether a row begins with these fields.
    pub fn has(&self, key: &[&str]) -> bool {
        self.rows.iter().any(|row| row.iter().zip(key).all(|(field, key)| field == key))
    }

    /// Keeps a row: in place of the one whose first so many fields are the same, or behind all.
    pub fn put(&mut self, key: usize, row: Vec<String>) -> Result<()> {
        if row.len() != self.names.len() {
            return Err(Error::other(format!("{}: expected {}", line(&row).trim_end(), line(&self.names).trim_end())));
        }
        match self.rows.iter_mut().find(|old| old[..key] == row[..key]) {
            Some(old) => *old = row,
            None => self.rows.push(row),
        }
        write(&self.path, &self.text())
    }

    /// The file's text.
    pub fn text(&self) -> String {
        [&self.names].into_iter().chain(&self.rows).map(|row| line(row)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_in_quotes_end_nothing() {
        assert_eq!(fields("\"a,b\",c,,\"d\""), ["a,b", "c", "", "d"]);
        assert_eq!(fields(""), [""]);
        assert_eq!(line(&["a: b", "a, \"b\""].map(String::from)), "a: b,\"a, b\"\n");
    }

    #[test]
    fn rows_are_kept_by_their_key() {
        let root = std::env::temp_dir().join(format!("samplez-csv-{}", std::process::id()));
        write(&root.join("a.csv"), "of,n\n\"b,c\",1\nd,2\n").unwrap();
        let open = || Table::open(&root, "a.csv").unwrap();
        let row = |of: &str, n: &str| vec![of.to_owned(), n.to_owned()];
        open().put(1, row("d", "3")).unwrap();
        open().put(1, row("e", "4")).unwrap();
        let table = open();
        assert_eq!(table.rows, [row("b,c", "1"), row("d", "3"), row("e", "4")]);
        assert_eq!((table.sum("n").unwrap(), table.has(&["b,c"]), table.has(&["d", "2"])), (8, true, false));
        assert!(open().put(1, row("d", "3")[..1].to_vec()).is_err());
        assert_eq!(open().only("n", |n| n != "3").unwrap().rows.len(), 2);
        assert!(table.sum("of").is_err() && table.column("m").is_err());
        write(&root.join("a.csv"), "of,n\nd\n").unwrap();
        assert!(Table::open(&root, "a.csv").is_err());
        std::fs::remove_dir_all(root).unwrap();
    }
}
