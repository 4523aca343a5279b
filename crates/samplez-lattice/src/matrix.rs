//! Matrices of rationals, and their texts.

use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use samplez::Refused;
use std::fmt;
use std::str::FromStr;

/// The most rows, and the most columns.
const MOST: usize = 2048;
/// The longest number that is read, in bytes.
const LONGEST: usize = 20_000;
/// The characters of an input that a message repeats.
const ECHO: usize = 40;

/// A matrix of exact rationals of any size. Its rows are the vectors of a basis.
///
/// [`FromStr`] reads the forms in which programs print matrices:
///
/// - fpylll: `[[1 2]` and `[3 4]]`
/// - Sage: `[1 2]` and `[3 4]`
/// - JSON and Python: `[[1, 2], [3, 4]]`
/// - PARI and MATLAB: `[1, 2; 3, 4]`
/// - plain: one row in each line
///
/// A semicolon ends a row in every form. An entry is an integer, a decimal or a fraction. Lines that begin with `#` are ignored.
///
/// ```
/// use samplez_lattice::Matrix;
/// let sage: Matrix = "[ 1  2]\n[-3 1/2]".parse()?;
/// assert_eq!((sage.rows(), sage.columns()), (2, 2));
/// assert_eq!(sage, "[[1, 2], [-3, 0.5]]".parse()?);
/// let e = "1 2\n3".parse::<Matrix>().unwrap_err();
/// assert_eq!(e.to_string(), "row 2 = 1 entries: expected 2, as row 1 has");
/// # Ok::<(), samplez::Refused>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Matrix {
    pub(crate) rows: Vec<Vec<BigInt>>,
    /// The positive common denominator, the least one.
    pub(crate) den: BigInt,
}

impl fmt::Debug for Matrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Matrix").field("rows", &self.rows()).field("columns", &self.columns()).finish_non_exhaustive()
    }
}

impl Matrix {
    /// Builds the matrix of these rows.
    ///
    /// # Errors
    ///
    /// [`Refused`] for no rows, empty rows, rows that differ in length, and more than 2048 rows or columns.
    ///
    /// ```
    /// use samplez_lattice::Matrix;
    /// assert_eq!(Matrix::new(&[[2, 0], [1, 1]])?.columns(), 2);
    /// # Ok::<(), samplez::Refused>(())
    /// ```
    pub fn new<R: AsRef<[i64]>>(rows: &[R]) -> Result<Matrix, Refused> {
        let rows = rows.iter().map(|row| row.as_ref().iter().map(|x| BigInt::from(*x)).collect()).collect();
        Matrix::of(rows, BigInt::from(1))
    }

    /// The matrix of these rows over this positive denominator.
    pub(crate) fn of(rows: Vec<Vec<BigInt>>, den: BigInt) -> Result<Matrix, Refused> {
        let Some(columns) = rows.first().map(Vec::len).filter(|columns| *columns > 0) else {
            return Err(Refused::new("matrix", "empty", "expected at least one row and one column"));
        };
        if rows.len().max(columns) > MOST {
            let size = format!("{} x {columns}", rows.len());
            return Err(Refused::new("matrix", size, format!("expected at most {MOST} rows and columns")));
        }
        if let Some((i, row)) = rows.iter().enumerate().find(|(_, row)| row.len() != columns) {
            let allowed = format!("expected {columns}, as row 1 has");
            return Err(Refused::new(format!("row {}", i + 1), format!("{} entries", row.len()), allowed));
        }
        let common = rows.iter().flatten().fold(den.clone(), |common, x| common.gcd(x));
        let rows = rows.into_iter().map(|row| row.into_iter().map(|x| x / &common).collect()).collect();
        Ok(Matrix { rows, den: den / common })
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// Returns the number of columns.
    pub fn columns(&self) -> usize {
        self.rows.first().map_or(0, Vec::len)
    }

    /// Its product with the transpose of another one, numerators alone.
    pub(crate) fn by_transpose(&self, other: &Matrix) -> Vec<Vec<BigInt>> {
        by_transpose(&self.rows, &other.rows)
    }
}

/// The scalar products of all rows of a with all rows of b.
pub(crate) fn by_transpose(a: &[Vec<BigInt>], b: &[Vec<BigInt>]) -> Vec<Vec<BigInt>> {
    let columns = a.first().map_or(0, Vec::len) as u128;
    let words = small(a).zip(small(b));
    if let Some(((a, _), (b, _))) = words.filter(|(a, b)| (a.1 * b.1).saturating_mul(columns) < 1 << 127) {
        let product =
            |a: &[i64], b: &[i64]| -> i128 { a.iter().zip(b).map(|(a, b)| i128::from(*a) * i128::from(*b)).sum() };
        return a.iter().map(|a| b.iter().map(|b| product(a, b).into()).collect()).collect();
    }
    a.iter().map(|a| b.iter().map(|b| dot(a, b)).collect()).collect()
}

/// The rows as words, and the largest magnitude, if every entry has 63 bits.
fn small(rows: &[Vec<BigInt>]) -> Option<(Vec<Vec<i64>>, u128)> {
    let rows: Option<Vec<Vec<i64>>> =
        rows.iter().map(|row| row.iter().map(|x| i64::try_from(x).ok()).collect()).collect();
    let rows = rows?;
    let most = rows.iter().flatten().map(|x| u128::from(x.unsigned_abs())).max().unwrap_or(0);
    Some((rows, most))
}

pub(crate) fn dot(a: &[BigInt], b: &[BigInt]) -> BigInt {
    a.iter().zip(b).filter(|(a, b)| a.sign() != Sign::NoSign && b.sign() != Sign::NoSign).map(|(a, b)| a * b).sum()
}

impl FromStr for Matrix {
    type Err = Refused;

    /// Reads a matrix.
    ///
    /// # Errors
    ///
    /// [`Refused`] for a text that is no matrix, and as [`Matrix::new`].
    fn from_str(text: &str) -> Result<Matrix, Refused> {
        let lines = text.lines().map(|line| if line.trim_start().starts_with('#') { "" } else { line });
        let rows = if lines.clone().any(|line| line.contains('[')) { bracketed(lines)? } else { plain(lines)? };
        let den = rows.iter().flatten().fold(BigInt::from(1), |den, (_, own)| den.lcm(own));
        let whole = |(num, own): (BigInt, BigInt)| num * (&den / own);
        let rows = rows.into_iter().map(|row| row.into_iter().map(whole).collect()).collect();
        Matrix::of(rows, den)
    }
}

type Rows = Vec<Vec<(BigInt, BigInt)>>;

fn is_separator(c: char) -> bool {
    c.is_whitespace() || c == ','
}

/// A text as a message repeats it.
fn echo(text: &str) -> String {
    let text = text.trim();
    match text.char_indices().nth(ECHO) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}

fn plain<'a>(lines: impl Iterator<Item = &'a str>) -> Result<Rows, Refused> {
    let mut rows = Vec::new();
    for (i, part) in lines.enumerate().flat_map(|(i, line)| line.split(';').map(move |part| (i, part))) {
        let numbers = part.split(is_separator).filter(|token| !token.is_empty());
        let row = numbers.map(|token| number(token, i + 1)).collect::<Result<Vec<_>, _>>()?;
        if !row.is_empty() {
            rows.push(row);
        }
    }
    Ok(rows)
}

/// Rows in one bracket or two, all in as many.
fn bracketed<'a>(lines: impl Iterator<Item = &'a str>) -> Result<Rows, Refused> {
    let (mut rows, mut row, mut depth) = (Vec::new(), Vec::new(), 0);
    // The brackets that rows are in, and the line of a pair that is empty.
    let (mut level, mut empty) = (None, None);
    let (mut last, mut opened) = (0, false);
    for (i, line) in lines.enumerate() {
        last = i + 1;
        let refused = |what: &str| Refused::new(format!("line {}", i + 1), echo(line), what);
        let mut rest = line;
        while let Some(c) = rest.chars().next() {
            match c {
                '[' if depth < 2 && row.is_empty() => {
                    depth += 1;
                    opened = true;
                }
                ']' if depth > 0 => {
                    depth -= 1;
                    if opened {
                        empty = empty.or(Some((i, echo(line))));
                    }
                    opened = false;
                    if !row.is_empty() {
                        rows.push(std::mem::take(&mut row));
                    }
                }
                ';' => {
                    if !row.is_empty() {
                        rows.push(std::mem::take(&mut row));
                    }
                }
                '[' | ']' => return Err(refused("expected rows in brackets, such as [1 2]")),
                c if is_separator(c) => {}
                _ if depth == 0 => return Err(refused("expected every number in brackets, such as [1 2]")),
                _ if *level.get_or_insert(depth) != depth => {
                    return Err(refused("expected every row in as many brackets as the first"));
                }
                _ => {
                    let end = rest.find(|c| is_separator(c) || "[];".contains(c)).unwrap_or(rest.len());
                    row.push(number(&rest[..end], i + 1)?);
                    opened = false;
                    rest = &rest[end..];
                    continue;
                }
            }
            rest = &rest[c.len_utf8()..];
        }
    }
    match (depth, empty) {
        (0, Some((i, text))) if !rows.is_empty() => {
            Err(Refused::new(format!("line {}", i + 1), text, "expected a number in every pair of brackets"))
        }
        (0, _) => Ok(rows),
        _ => Err(Refused::new(format!("line {last}"), "end of the matrix", "expected a closing bracket ]")),
    }
}

/// An integer, a decimal or a fraction of these, as numerator and positive denominator.
pub(crate) fn number(token: &str, line: usize) -> Result<(BigInt, BigInt), Refused> {
    let refused = |what: &str| Refused::new(format!("line {line}"), echo(token), what);
    if token.len() > LONGEST {
        return Err(refused("expected numbers of at most 20000 characters"));
    }
    let syntax = || refused("expected a number, such as 3, -16/5 or 3.2");
    let (top, bottom) = token.split_once('/').unwrap_or((token, "1"));
    let ((a, b), (c, d)) = decimal(top).zip(decimal(bottom)).ok_or_else(syntax)?;
    if c.sign() == Sign::NoSign {
        return Err(refused("expected a denominator other than 0"));
    }
    let (num, den) = (a * d, b * c);
    Ok(if den.sign() == Sign::Minus { (-num, -den) } else { (num, den) })
}

/// Digits with at most one point, as numerator and denominator.
fn decimal(text: &str) -> Option<(BigInt, BigInt)> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (whole, places) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let digits = format!("{whole}{places}");
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let size: BigInt = digits.parse().ok()?;
    Some((if text.starts_with('-') { -size } else { size }, BigInt::from(10).pow(places.len() as u32)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_the_same_matrix() {
        let want = Matrix::new(&[[1, -2], [30, 4]]).unwrap();
        for text in [
            "1 -2\n30 4",
            "# a comment\n\n1,-2\n30,4\n",
            "[[1 -2]\n[30 4]]",
            "[[1 -2]\n[30 4]\n]\n",
            "[ 1 -2]\n[30  4]",
            "[[1, -2], [30, 4]]",
            "[[ 1 -2]\n [30 4]]",
            "1.0 -4/2\n60/2 +4",
            "[1, -2; 30, 4]",
            "[1 -2;\n 30 4;]",
            "1 -2; 30 4",
            "1 -2;\n30 4;\n",
            "[[1 -2]; [30 4]]",
            "[1 -2]; [30 4]",
            "# from [GPV08]\n1 -2\n30 4",
            "# from [GPV08]\n[1 -2]\n[30 4]",
        ] {
            assert_eq!(text.parse::<Matrix>().unwrap(), want, "{text}");
        }
    }

    #[test]
    fn bad_texts_are_refused_with_the_place() {
        for (text, message) in [
            ("", "matrix = empty: expected at least one row and one column"),
            ("[]", "matrix = empty: expected at least one row and one column"),
            ("1 2\n3 x", "line 2 = x: expected a number, such as 3, -16/5 or 3.2"),
            ("1 2\n3 1e5", "line 2 = 1e5: expected a number, such as 3, -16/5 or 3.2"),
            ("[1 2\n[3 4]", "line 2 = [3 4]: expected rows in brackets, such as [1 2]"),
            ("[1 2]\n3 4", "line 2 = 3 4: expected every number in brackets, such as [1 2]"),
            ("[[1 2]", "line 1 = end of the matrix: expected a closing bracket ]"),
            ("1/0", "line 1 = 1/0: expected a denominator other than 0"),
            ("[[]]", "matrix = empty: expected at least one row and one column"),
            ("[[1 2] 3 4]", "line 1 = [[1 2] 3 4]: expected every row in as many brackets as the first"),
            ("[1 2; [3 4]]", "line 1 = [1 2; [3 4]]: expected every row in as many brackets as the first"),
            ("[[1 2]]\n[3 4]", "line 2 = [3 4]: expected every row in as many brackets as the first"),
            ("[[], [1 2]]", "line 1 = [[], [1 2]]: expected a number in every pair of brackets"),
            ("[[1 2]\n[]]", "line 2 = []]: expected a number in every pair of brackets"),
            ("[1, 0; 0]", "row 2 = 1 entries: expected 2, as row 1 has"),
            ("[[[1]]]", "line 1 = [[[1]]]: expected rows in brackets, such as [1 2]"),
        ] {
            assert_eq!(text.parse::<Matrix>().unwrap_err().to_string(), message, "{text:?}");
        }
    }

    #[test]
    fn long_inputs_are_repeated_in_part() {
        let message = |text: String| text.parse::<Matrix>().unwrap_err().to_string();
        let part = "é".repeat(40);
        assert_eq!(message("é".repeat(999)), format!("line 1 = {part}…: expected a number, such as 3, -16/5 or 3.2"));
        let line = message(format!("[1]\n{}", "2 ".repeat(999)));
        assert!(line.starts_with("line 2 = 2 2 2 ") && line.len() < 120, "{line}");
        let long = message("9".repeat(LONGEST + 1));
        assert!(long.contains("…: expected numbers of at most 20000") && long.len() < 120, "{long}");
    }

    #[test]
    fn numbers_have_any_size() {
        let big: Matrix = "123456789012345678901234567890".parse().unwrap();
        assert_eq!(big.rows[0][0].to_string(), "123456789012345678901234567890");
        let half: Matrix = "1/2 -.75".parse().unwrap();
        assert_eq!((half.den.to_string(), half.rows[0][1].to_string()), ("4".into(), "-3".into()));
    }
}
