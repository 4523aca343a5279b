//! The dictionary in an npy header.

use super::super::binary::{Element, Kind};
use super::super::{ReadError, bad};

/// The element type and the number of elements that a header of integers states, and the lengths of a table.
pub(super) fn parse(text: &[u8]) -> Result<(Element, u64, Option<Table>), ReadError> {
    let (descr, shape) = fields(text)?;
    Ok((element(descr)?, shape.count, shape.table))
}

/// Whether the doubles are big-endian, and how many there are.
pub(super) fn parse_doubles(text: &[u8]) -> Result<(bool, u64), ReadError> {
    let (descr, Shape { count, .. }) = fields(text)?;
    match descr {
        Descr::Plain("<f8") => Ok((false, count)),
        Descr::Plain(">f8") => Ok((true, count)),
        Descr::Plain("=f8") => Ok((cfg!(target_endian = "big"), count)),
        Descr::Plain(other) => bad(format!(
            "holds elements of descr '{}'; expected float64, '<f8'; save x.astype('float64') by np.save",
            excerpt(other)
        )),
        Descr::Structured => {
            bad("holds records (a structured type); expected float64; save one field, x['name'], by np.save")
        }
    }
}

/// The element type, and the shape.
fn fields(text: &[u8]) -> Result<(Descr<'_>, Shape), ReadError> {
    let Ok(text) = str::from_utf8(text) else {
        return bad("the npy header is not text");
    };
    let mut rest = Cursor(text);
    let Some(fields) = rest.dictionary() else {
        return bad(format!("the npy header is not a dictionary of descr, fortran_order and shape: {}", excerpt(text)));
    };
    match fields {
        Fields { descr: Some(descr), fortran_order: true, shape: Some(shape) } => Ok((descr, shape?)),
        _ => bad(format!("the npy header must name descr, fortran_order and shape: {}", excerpt(text))),
    }
}

fn excerpt(text: &str) -> String {
    text.trim().chars().take(100).flat_map(char::escape_debug).collect()
}

/// The type that `descr` stands for, if it is one of integers.
fn element(descr: Descr<'_>) -> Result<Element, ReadError> {
    let Descr::Plain(descr) = descr else {
        return bad("holds records (a structured type); expected integers; save one field, x['name'], by np.save");
    };
    let what = match descr.trim_start_matches(['<', '>', '|', '=']).chars().next() {
        Some('i' | 'u' | 'f') => {
            let (order, name) = descr.split_at(usize::from(!descr.starts_with(['i', 'u', 'f'])));
            let kind = match &name[..1] {
                "i" => Kind::Signed,
                "u" => Kind::Unsigned,
                _ => Kind::Float,
            };
            let size = &name[1..];
            let size = ["1", "2", "4", "8"].iter().position(|s| *s == size).map(|power| 1 << power);
            let big_endian = order == ">" || (order == "=" && cfg!(target_endian = "big"));
            match size {
                Some(1) if kind != Kind::Float => return Ok(Element { size: 1, kind, big_endian: false }),
                Some(size @ 2..) if matches!(order, "<" | ">" | "=") => return Ok(Element { size, kind, big_endian }),
                _ if kind == Kind::Float => "floating-point numbers",
                _ => "an unknown type",
            }
        }
        Some('b' | '?') => "booleans",
        Some('c') => "complex numbers",
        Some('O') => "Python objects",
        Some('M' | 'm') => "dates or times",
        Some('S' | 'U' | 'a') => "strings",
        Some('V') => "raw records",
        _ => "an unknown type",
    };
    bad(format!(
        "holds {what} (descr '{}'); expected integers: i1, i2, i4, i8, u1, u2, u4, u8, or f2, f4, f8; save {} by np.save",
        excerpt(descr),
        if what == "raw records" { "one field, x['name']," } else { "x.astype('int64')" }
    ))
}

enum Descr<'a> {
    Plain(&'a str),
    Structured,
}

struct Fields<'a> {
    descr: Option<Descr<'a>>,
    /// Whether the key is there: the value does not matter, for the order of storage is kept.
    fortran_order: bool,
    shape: Option<Result<Shape, ReadError>>,
}

/// The most columns of a table. An array with more is a block of samples.
const COLUMNS: u64 = 16;

/// Rows and columns.
pub(super) type Table = [u64; 2];

#[derive(Clone, Copy, Default)]
struct Shape {
    /// The number of elements.
    count: u64,
    /// Of an array with two axes, few columns, and more rows.
    table: Option<Table>,
}

/// What is left of the header. Every method takes white space and then its item off the front;
/// `None` if the item is not there.
struct Cursor<'a>(&'a str);

impl<'a> Cursor<'a> {
    fn symbol(&mut self, symbol: &str) -> Option<()> {
        self.0 = self.0.trim_ascii_start().strip_prefix(symbol)?;
        Some(())
    }

    /// A string in single or double quotation marks, without escapes.
    fn string(&mut self) -> Option<&'a str> {
        let text = self.0.trim_ascii_start();
        let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
        let (string, rest) = text[1..].split_once(quote)?;
        self.0 = rest;
        (!string.contains('\\')).then_some(string)
    }

    /// A whole number; Python 2 wrote some with a trailing `L`. `Err` if it is above 2^64 - 1.
    fn number(&mut self) -> Option<Result<u64, ReadError>> {
        let text = self.0.trim_ascii_start();
        let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits == 0 {
            return None;
        }
        self.0 = text[digits..].strip_prefix('L').unwrap_or(&text[digits..]);
        Some(text[..digits].parse().or_else(|_| bad("the npy header's shape does not fit 64 bits")))
    }

    /// `(3, 4)`, `(3,)` or `()`, which has one element.
    fn shape(&mut self) -> Option<Result<Shape, ReadError>> {
        self.symbol("(")?;
        let (mut dimensions, mut fits) = (Vec::new(), Ok(()));
        while self.symbol(")").is_none() {
            match self.number()? {
                Ok(dimension) => dimensions.push(dimension),
                Err(error) => fits = Err(error),
            }
            if self.symbol(",").is_none() {
                self.symbol(")")?;
                break;
            }
        }
        if let Err(error) = fits {
            return Some(Err(error));
        }
        if dimensions.contains(&0) {
            return Some(Ok(Shape::default()));
        }
        let table = <[u64; 2]>::try_from(&dimensions[..]).ok();
        let table = table.filter(|[rows, columns]| (2..=COLUMNS).contains(columns) && rows > columns);
        let product = dimensions.iter().try_fold(1_u64, |product, d| product.checked_mul(*d));
        // An element has up to 8 bytes, and their number is a file's length.
        Some(match product.filter(|p| p.checked_mul(8).is_some()) {
            Some(count) => Ok(Shape { count, table }),
            None => bad("the npy header's shape does not fit 64 bits"),
        })
    }

    fn dictionary(&mut self) -> Option<Fields<'a>> {
        let mut fields = Fields { descr: None, fortran_order: false, shape: None };
        self.symbol("{")?;
        while self.symbol("}").is_none() {
            let key = self.string()?;
            self.symbol(":")?;
            match key {
                "descr" if fields.descr.is_none() => {
                    if self.symbol("[").is_some() {
                        fields.descr = Some(Descr::Structured);
                        fields.fortran_order = true;
                        fields.shape = Some(Ok(Shape::default()));
                        return Some(fields); // refused already: no need to understand the rest
                    }
                    fields.descr = Some(Descr::Plain(self.string()?));
                }
                "fortran_order" if !fields.fortran_order => {
                    self.symbol("True").or_else(|| self.symbol("False"))?;
                    fields.fortran_order = true;
                }
                "shape" if fields.shape.is_none() => fields.shape = Some(self.shape()?),
                _ => return None,
            }
            if self.symbol(",").is_none() {
                self.symbol("}")?;
                break;
            }
        }
        self.0.trim_ascii().is_empty().then_some(fields)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(descr: &str, shape: &str) -> Result<(Element, u64), String> {
        let text = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}   \n");
        parse(text.as_bytes()).map(|(element, count, _)| (element, count)).map_err(|e| e.to_string())
    }

    #[test]
    fn types() {
        let element = |size, signed, big_endian| {
            let kind = if signed { Kind::Signed } else { Kind::Unsigned };
            Element { size, kind, big_endian }
        };
        for (descr, expected) in [
            ("'|i1'", element(1, true, false)),
            ("'|u1'", element(1, false, false)),
            ("'>i1'", element(1, true, false)),
            ("'<i2'", element(2, true, false)),
            ("\">u4\"", element(4, false, true)),
            ("'=i8'", element(8, true, cfg!(target_endian = "big"))),
        ] {
            assert_eq!(of(descr, "(2,)"), Ok((expected, 2)), "{descr}");
        }
        for (descr, size) in [("'<f2'", 2), ("'<f4'", 4), ("'<f8'", 8)] {
            let expected = Element { size, kind: Kind::Float, big_endian: false };
            assert_eq!(of(descr, "(2,)"), Ok((expected, 2)), "{descr}");
        }
        for (descr, message) in [
            ("'<f16'", "floating-point numbers"),
            ("'|f1'", "floating-point numbers"),
            ("'|b1'", "booleans"),
            ("'<c16'", "complex numbers"),
            ("'|O'", "Python objects"),
            ("'<M8[ns]'", "dates or times"),
            ("'<U3'", "strings"),
            ("'|V4'", "raw records"),
            ("'<i3'", "an unknown type"),
            ("'|i2'", "an unknown type"),
            ("'<i'", "an unknown type"),
            ("''", "an unknown type"),
            ("'<é4'", "an unknown type"),
            ("[('a', '<i4'), ('b', '<i4')]", "records"),
        ] {
            let error = of(descr, "(2,)").unwrap_err();
            assert!(error.contains(message) && error.contains("expected integers"), "{descr}: {error}");
            assert!(error.ends_with(" by np.save"), "{descr}: {error}");
        }
    }

    #[test]
    fn shapes() {
        for (shape, count) in
            [("()", 1), ("(7,)", 7), ("(7)", 7), ("(2, 3)", 6), ("(2,3,4,)", 24), ("(0, 9)", 0), ("(3L,)", 3)]
        {
            assert_eq!(of("'<i4'", shape).map(|(_, n)| n), Ok(count), "{shape}");
        }
        for shape in ["(18446744073709551616,)", "(4294967296, 4294967296)", "(2305843009213693952,)"] {
            assert!(of("'<i4'", shape).unwrap_err().contains("64 bits"), "{shape}");
        }
        assert_eq!(of("'<i4'", "(18446744073709551615, 0)").map(|(_, n)| n), Ok(0));
        for shape in ["", "7", "(-1,)", "(,)", "(1 2)", "(1,", "[1]", "(1.0,)", "None"] {
            assert!(of("'<i4'", shape).unwrap_err().contains("not a dictionary"), "{shape}");
        }
    }

    #[test]
    fn other_dictionaries_are_refused() {
        for text in [
            "",
            "{}",
            "{'descr': '<i4'}",
            "{'descr': '<i4', 'fortran_order': False}",
            "{'descr': '<i4', 'fortran_order': 0, 'shape': (1,)}",
            "{'descr': '<i4', 'fortran_order': False, 'shape': (1,)} x",
            "{'descr': '<i4', 'descr': '<i4', 'fortran_order': False, 'shape': (1,)}",
            "{'descr': '<i4', 'fortran_order': False, 'shape': (1,), 'more': 1}",
            "{'descr': '<i4' 'fortran_order': False, 'shape': (1,)}",
            "{'descr': '<i\\x34', 'fortran_order': False, 'shape': (1,)}",
            "'descr'",
        ] {
            assert!(parse(text.as_bytes()).is_err(), "{text}");
        }
        assert!(parse(b"\xff\xfe").is_err());
        let ordered = "{\"shape\": (4,), \"fortran_order\": True, \"descr\": \"<i4\"}";
        assert!(matches!(parse(ordered.as_bytes()), Ok((_, 4, None))));
    }
}
