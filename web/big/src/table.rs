//! Tables for `samplez/core`, as bytes.

use crate::head;
use samplez::{Method, Recipe, Refused};
use samplez_core::table::{Shape, Table};
use samplez_tables::{CdtOptions, Remainder, build_cdt};

/// Builds the table of a recipe, from the ninth byte on, as `web/core/src/table.rs` reads it. The recipe follows.
pub(crate) fn table(text: &str) -> Result<Vec<u8>, Refused> {
    let recipe: Recipe = text.parse()?;
    if recipe.options.exact == Some(false) {
        return Err(Refused::new("exact", "false", "samplez/core is exact; leave it out"));
    }
    // A method that this module has not would be refused for that alone.
    recipe.method.map_or(Ok(0), kernel)?;
    let law = &recipe.gaussian()?;
    let built = recipe.exact(true).build_gaussian()?;
    let (kind, range) = (built.method().map_or(Ok(0), kernel)?, built.typical_range());
    let ends = [*range.start(), *range.end()].map(i16::try_from);
    let [Ok(low), Ok(high)] = ends else {
        let allowed = "samplez/core has samples from -32768 to 32767; use DiscreteGaussian";
        return Err(Refused::new("center", law.center(), allowed));
    };
    let options = CdtOptions { precision: built.options().precision(), ..CdtOptions::default() };
    let table = build_cdt(law, &options)?;
    let tosses = Remainder::of_cdt(law, &options, &table.bound())?.tosses();
    // Blocks of 2^13 samples share a draw.
    if tosses < 14 {
        return Err(Refused::new(
            "precision",
            options.precision,
            "too few bits for samplez/core; leave it out for 128",
        ));
    }
    let digits = table.digits();
    let mut bytes = vec![kind, u8::from(table.shape() == Shape::Full)];
    bytes.extend((table.precision() as u16).to_le_bytes());
    bytes.extend(tosses.to_le_bytes());
    bytes.extend((digits.len() as u32).to_le_bytes());
    bytes.extend([low, high].into_iter().flat_map(|end| i32::from(end).to_le_bytes()));
    bytes.extend((table.first() as i32).to_le_bytes());
    bytes.extend(head::VERSION.to_le_bytes());
    debug_assert_eq!(bytes.len() + 8, head::LEN);
    bytes.extend(digits.iter().flat_map(|digit| digit.to_le_bytes()));
    bytes.extend(built.recipe().to_string().bytes());
    Ok(bytes)
}

/// The number of the kernel in a table.
fn kernel(method: Method) -> Result<u8, Refused> {
    match method {
        Method::KnuthYaoCt => Ok(0),
        Method::CdtLazyCt => Ok(1),
        other => {
            let allowed = format!(
                "samplez/core has only {} and {}; name one of them for sigma up to about 150, or use DiscreteGaussian",
                Method::KnuthYaoCt,
                Method::CdtLazyCt
            );
            Err(Refused::new("method", other, allowed))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_its_recipe_and_its_numbers() {
        let bytes = table("sigma=3.2").unwrap();
        // Folded, 128 bits, t = 120, 42 thresholds of four digits, 41 or 42 values on each side.
        assert_eq!(bytes[..16], [0, 0, 128, 0, 120, 0, 0, 0, 168, 0, 0, 0, 0xd6, 0xff, 0xff, 0xff]);
        assert!(bytes.ends_with(b"sigma=16/5,method=knuth-yao-ct,precision=128,exact=true"));
    }

    #[test]
    fn refuses_other_methods_and_sizes() {
        let error = |text: &str| crate::spelling::Failure::from(table(text).unwrap_err()).message;
        let larger = error("sigma=1000");
        assert_eq!(
            larger,
            "method = isochronous: samplez/core has only knuth-yao-ct and cdt-lazy-ct; name one of them for sigma up to about 150, or use DiscreteGaussian"
        );
        for method in ["karney", "cdt", "cdt-ct", "isochronous"] {
            let other = error(&format!("sigma=3,method={method}"));
            assert!(
                other.starts_with(&format!("method = {method}: samplez/core has only knuth-yao-ct and")),
                "{other}"
            );
        }
        assert_eq!(error("sigma=3,exact=false"), "exact = false: samplez/core is exact; leave it out");
        assert!(error("sigma=3,center=1e6").starts_with("center = 1000000: samplez/core has samples from -32768"));
        assert!(error("sigma=3,method=knuth-yao-ct,precision=12").starts_with("precision = 12: too few bits for "));
        assert_eq!(error("sigma_squared=-1"), "sigmaSquared = -1: expected a number greater than 0");
    }
}
