//! The working precision for a table's precision.

/// Limbs for tables of this precision, the integer's included: a fraction with at least 96
/// bits more than the table. Normalizer and recurrence cost less than 2^40 ulp for up to 7 limbs. So a floor is
/// undecided with a probability below 2^-56 per entry. Deviations from the ideal are known to 2^-56 of the table's last
/// bit.
pub(crate) const fn enough(precision: u32) -> usize {
    1 + (precision + 96).div_ceil(64) as usize
}

/// Calls a function generic in the number of limbs, with at least so many: more limbs decide the same. Four sizes of the code serve all
/// tables: with seven, the crate takes 1.5 times as long to compile. A product costs at most (4/3)^2 times that of exactly so many limbs.
/// WebAssembly is downloaded: there it is two sizes.
macro_rules! with_limbs {
    ($limbs:expr, $function:ident ( $($argument:expr),* )) => {
        match $limbs {
            #[cfg(not(target_arch = "wasm32"))]
            0..=4 => $function::<4>($($argument),*),
            0..=5 => $function::<5>($($argument),*),
            #[cfg(not(target_arch = "wasm32"))]
            6..=7 => $function::<7>($($argument),*),
            _ => $function::<9>($($argument),*),
        }
    };
}

pub(crate) use with_limbs;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_96_bits_more_than_a_table_has() {
        let limbs =
            [(1, 3), (32, 3), (33, 4), (96, 4), (97, 5), (128, 5), (160, 5), (161, 6), (224, 6), (225, 7), (256, 7)];
        assert_eq!(limbs.map(|(precision, _)| (precision, enough(precision))), limbs);
    }
}
