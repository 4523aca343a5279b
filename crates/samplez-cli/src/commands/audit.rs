//! `samplez certify --table`: the table in a file, whoever made it.

use crate::args::AuditArgs;
use crate::failure::Failure;
use crate::files::npy::is_npy;
use crate::input::open;
use crate::tables::arrays::{self, Number};
use crate::tables::limbs::{self, Limbs};
use crate::tables::tokens::Tokens;
use samplez::{DiscreteGaussian, Recipe};
use samplez_tables::{PlainError, PlainTable, TableForm};
use std::io::Read;
use std::path::Path;

/// The largest file, in bytes.
const MAX_FILE: u64 = 1 << 27;

/// The table in a file. `law` returns the distribution to compare with, for the one that the file states.
pub(super) fn read(
    path: &Path,
    args: &AuditArgs,
    law: impl FnOnce(Option<DiscreteGaussian>) -> Result<DiscreteGaussian, Failure>,
) -> Result<PlainTable, Failure> {
    let opened = open(path)?;
    let mut bytes = Vec::new();
    let refuse = |what: String| Failure::input(&opened.name, what);
    opened
        .stream
        .take(MAX_FILE + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| refuse(format!("cannot read: {error}")))?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(refuse(format!("is longer than {MAX_FILE} bytes, the maximum for a table")));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let array = is_npy(error.as_bytes())
            .then_some("is an array of NumPy; write its entries by np.savetxt(name, x, fmt='%d')");
        let other = "is not text; a table is a list of numbers, JSON, CSV, or an array of a programming language";
        refuse(array.unwrap_or(other).into())
    })?;
    let tokens = Tokens::new(text.trim_start_matches('\u{feff}')).map_err(refuse)?;
    let law = law(stated_law(&tokens))?;
    table(&law, &tokens, args).map_err(refuse)
}

fn table(law: &DiscreteGaussian, tokens: &Tokens<'_>, args: &AuditArgs) -> Result<PlainTable, String> {
    let form = match (args.form, tokens.fact("form")) {
        (Some(form), _) => form,
        (None, stated) => {
            let (form, line) = stated?.ok_or(
                "the form of its numbers is missing: add --form, such as folded,tail,78, or a comment `# form: …`",
            )?;
            form.parse::<TableForm>().map_err(|error| format!("line {line}: {error}"))?
        }
    };
    let numbers = arrays::read(&tokens.tokens, args.array.as_deref())?;
    let limbs = match (args.limbs, args.column) {
        (None, None) => stated_limbs(tokens)?,
        (limbs, _) => limbs,
    };
    let readings = limbs::entries(numbers, limbs, args.column.map(usize::from), form.precision)?;
    let mut tables = Vec::new();
    for (order, entries) in readings {
        if entries.is_empty() {
            return Err(
                "contains no numbers outside of comments; of lines of #define only lists in braces count, such as \
                        #define T {3, 2}"
                    .into(),
            );
        }
        complete(tokens, entries.len())?;
        tables.push((order, of_entries(law, &form, &entries)));
    }
    match tables.len() {
        1 => tables.remove(0).1,
        // The order of the limbs is open.
        _ => match &tables[..] {
            [(_, Ok(table)), (_, Err(_))] | [(_, Err(_)), (_, Ok(table))] => Ok(table.clone()),
            [(Some(one), Ok(_)), (Some(other), Ok(_))] => {
                Err(format!("--limbs: both orders give a table of the form {form}; add ,{one} or ,{other}"))
            }
            tables => {
                let errors = tables.iter().filter_map(|(order, table)| Some((order.as_ref()?, table.as_ref().err()?)));
                let errors: Vec<String> = errors.map(|(order, error)| format!("{order}: {error}")).collect();
                Err(format!("--limbs: no order gives a table of the form {form}; {}", errors.join("; ")))
            }
        },
    }
}

fn of_entries(law: &DiscreteGaussian, form: &TableForm, entries: &[Number]) -> Result<PlainTable, String> {
    PlainTable::new(law, form, entries.iter().map(|(entry, _)| *entry).collect()).map_err(|error| match error {
        PlainError::Entry { index, .. } => format!("line {}: {error}", entries[index].1),
        _ => error.to_string(),
    })
}

/// The comment `limbs: …` of the file.
fn stated_limbs(tokens: &Tokens<'_>) -> Result<Option<Limbs>, String> {
    let Some((text, line)) = tokens.fact("limbs")? else { return Ok(None) };
    limbs::limbs(text).map(Some).map_err(|error| format!("line {line}: limbs: {text}: {error}"))
}

/// A file that states the number of its entries has them all.
fn complete(tokens: &Tokens<'_>, found: usize) -> Result<(), String> {
    match tokens.fact("entries") {
        Ok(Some((text, line))) if text.parse::<usize>().is_ok_and(|stated| stated != found) => {
            Err(format!("has {found} entries, but line {line} states {text}; is the file truncated?"))
        }
        _ => Ok(()),
    }
}

/// The comment `law: …` of the file, as `samplez table` writes it.
fn stated_law(tokens: &Tokens<'_>) -> Option<DiscreteGaussian> {
    let (text, _) = tokens.fact("law").ok()??;
    let (width, center) = text.strip_prefix("D_Z(")?.strip_suffix(')')?.split_once(", center = ")?;
    let (name, value) = width.split_once(" = ")?;
    let (name, value) = match (name, value.strip_suffix(" sqrt(1/(2 ln 2))")) {
        ("sigma", Some(k)) => ("k_sigma2", k),
        ("sigma", None) => ("sigma", value),
        ("sigma^2", None) => ("sigma_squared", value),
        ("s", None) => ("s", value),
        _ => return None,
    };
    Recipe::from_pairs([(name, value), ("center", center)]).and_then(|recipe| recipe.gaussian()).ok()
}
