//! Tables for `samplez/core`, as bytes.

use crate::head;
use samplez::{Built, Method, Recipe, Refused};
use samplez_core::table::{Shape, Table};
use samplez_tables::{CdtOptions, Remainder, build_cdt};

/// Builds the table of a recipe, from the ninth byte on, as `small/table.rs` reads it. The recipe follows.
pub(crate) fn table(text: &str) -> Result<Vec<u8>, Refused> {
    let recipe: Recipe = text.parse()?;
    if recipe.options.exact == Some(false) {
        return Err(Refused::new("exact", "false", "samplez/core is exact; leave it out"));
    }
    // A method that this module has not would be refused for that alone.
    recipe.method.map_or(Ok(0), kernel)?;
    let law = &recipe.gaussian()?;
    let built = built(recipe.exact(true))?;
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

/// The sampler of a recipe: of the first kernel whose table the law fits, unless the recipe names one. The planner would prefer other methods
/// to a wide table.
fn built(recipe: Recipe) -> Result<Built, Refused> {
    if recipe.method.is_some() {
        return recipe.build_gaussian();
    }
    let narrow = recipe.method(Method::KnuthYaoCt).build_gaussian();
    narrow.or_else(|_| recipe.method(Method::CdtLazyCt).build_gaussian())
}

/// The number of the kernel in a table.
fn kernel(method: Method) -> Result<u8, Refused> {
    match method {
        Method::KnuthYaoCt => Ok(0),
        Method::CdtLazyCt => Ok(1),
        other => {
            let (one, two) = (Method::KnuthYaoCt, Method::CdtLazyCt);
            let allowed = format!(
                "samplez/core has only {one} and {two}; name one of them, or leave it out, or use DiscreteGaussian"
            );
            Err(Refused::new("method", other, allowed))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use samplez_core::table::MAX_LAZY_THRESHOLDS;

    #[test]
    fn a_table_has_its_recipe_and_its_numbers() {
        let bytes = table("sigma=3.2").unwrap();
        // Folded, 128 bits, t = 120, 42 thresholds of four digits, 41 or 42 values on each side.
        assert_eq!(bytes[..16], [0, 0, 128, 0, 120, 0, 0, 0, 168, 0, 0, 0, 0xd6, 0xff, 0xff, 0xff]);
        assert!(bytes.ends_with(b"sigma=16/5,method=knuth-yao-ct,precision=128,exact=true"));
    }

    /// The widest tables have as many thresholds as the sampler's search allows, for both shapes. README.md rounds these widths down.
    #[test]
    fn every_table_of_the_kernels_is_built() {
        let count = |bytes: &[u8]| u32::from_le_bytes(bytes[8..12].try_into().unwrap());
        for (center, widest) in [("0", 318), ("1/3", 159)] {
            for sigma in [5, 10, 57, 115, 120, 150, widest] {
                let text = format!("sigma={sigma},center={center}");
                let built = table(&text).unwrap_or_else(|refused| panic!("{text}: {refused}"));
                assert!(built[0] == u8::from(sigma > 9) && count(&built) > 0, "{text}");
                assert_eq!(
                    built,
                    table(&format!("{text},method={}", if sigma > 9 { "cdt-lazy-ct" } else { "knuth-yao-ct" }))
                        .unwrap()
                );
            }
            let thresholds = count(&table(&format!("sigma={widest},center={center}")).unwrap()) / 4;
            assert!(thresholds > MAX_LAZY_THRESHOLDS as u32 * 99 / 100, "{thresholds}");
            let refused = table(&format!("sigma={},center={center}", widest + 2)).unwrap_err().to_string();
            assert!(refused.contains("4095"), "{refused}");
        }
    }

    #[test]
    fn refuses_other_methods_and_sizes() {
        let error = |text: &str| crate::spelling::Failure::in_text(table(text).unwrap_err(), text).message;
        assert_eq!(error("sigma=1000"), "sigma = 1000: cdt-lazy-ct allows at most 4095 thresholds, not about 12774");
        for method in ["karney", "cdt", "cdt-ct", "isochronous"] {
            let other = error(&format!("sigma=3,method={method}"));
            assert!(
                other.starts_with(&format!("method = {method}: samplez/core has only knuth-yao-ct and")),
                "{other}"
            );
        }
        assert_eq!(error("sigma=3,exact=false"), "exact = false: samplez/core is exact; leave it out");
        assert!(error("sigma=3,center=1e6").starts_with("center = 1e6: samplez/core has samples from -32768"));
        assert!(error("sigma=3,method=knuth-yao-ct,precision=12").starts_with("precision = 12: too few bits for "));
        assert_eq!(error("sigma_squared=-1"), "sigma_squared = -1: expected a number greater than 0");
    }
}
