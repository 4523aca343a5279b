//! A recipe as a text: `sigma=16/5,center=1/3,method=cdt,precision=72`.

use crate::recipe::Recipe;
use crate::refused::Refused;
use std::fmt;
use std::str::FromStr;

/// The longest text that is read, in bytes.
const LONGEST: usize = 4096;

impl Recipe {
    /// Returns the names and values of a text, unchecked, so that you can add others before
    /// [`from_pairs`](Self::from_pairs).
    ///
    /// # Errors
    ///
    /// [`Refused`] for a text that is empty or longer than 4096 bytes, and a part that is no pair.
    ///
    /// ```
    /// use samplez::Recipe;
    /// let mut pairs = Recipe::pairs("method=cdt, precision=72")?;
    /// pairs.push(("sigma", "3.2"));
    /// assert_eq!(Recipe::from_pairs(pairs)?.to_string(), "sigma=16/5,method=cdt,precision=72");
    /// # Ok::<(), samplez::Refused>(())
    /// ```
    pub fn pairs(text: &str) -> Result<Vec<(&str, &str)>, Refused> {
        if text.len() > LONGEST {
            let allowed = format!("a recipe has at most {LONGEST} bytes");
            return Err(Refused::new("recipe", format_args!("a text of {} bytes", text.len()), allowed));
        }
        if text.trim().is_empty() {
            return Err(Refused::missing("recipe", "pass pairs such as sigma=3.2,method=cdt"));
        }
        text.split([',', '&']).map(|part| pair(text, part)).collect()
    }
}

/// Writes the law in lowest terms and the options: the width, the centre unless it is 0, the method if it is named, the
/// options.
impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.law.width();
        write!(f, "{}={}", width.name(), width.value())?;
        if self.law.center().num() != 0 {
            write!(f, ",center={}", self.law.center())?;
        }
        if let Some(method) = self.method {
            write!(f, ",method={method}")?;
        }
        self.options.said().try_for_each(|(name, value)| write!(f, ",{name}={value}"))
    }
}

impl FromStr for Recipe {
    type Err = Refused;

    /// Pairs `name=value`, in any order, between commas or ampersands; spaces around names and values do not count.
    ///
    /// # Errors
    ///
    /// [`Refused`] for a text that is empty or longer than 4096 bytes, a part that is no pair, and as
    /// [`Recipe::from_pairs`].
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Recipe::from_pairs(Recipe::pairs(text)?)
    }
}

fn pair<'a>(text: &str, part: &'a str) -> Result<(&'a str, &'a str), Refused> {
    let (value, allowed) = match part.trim() {
        "" => (text.trim(), "expected pairs such as sigma=3.2; leave the surplus comma out"),
        part if text.contains('=') && part.bytes().all(|c| c.is_ascii_digit()) => {
            (part, "expected name=value; a comma ends a value, so write a decimal with a point")
        }
        part => (part, "expected name=value, such as sigma=3.2"),
    };
    let (name, value) = part.split_once('=').ok_or_else(|| Refused::new("recipe", value, allowed))?;
    Ok((name.trim(), value.trim()))
}

/// A recipe is stored as its text.
#[cfg(feature = "serde")]
mod stored {
    use super::Recipe;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
    use std::borrow::Cow;

    impl Serialize for Recipe {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_str(self)
        }
    }

    impl<'de> Deserialize<'de> for Recipe {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            Cow::<str>::deserialize(deserializer)?.parse().map_err(D::Error::custom)
        }
    }
}
