//! Answers of a program that fills arrays under valgrind, and the verdict on them.

/// The errors that valgrind must count in the fills of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// As many errors as there are batches that may overflow, in each fill.
    Batches([u32; 3]),
    /// More than one in the first fill: the control is variable-time.
    Leak,
}

impl Expected {
    /// Whether these errors of each fill are as claimed.
    pub fn allows(self, errors: &[u32]) -> bool {
        match self {
            Expected::Batches(batches) => errors == batches,
            Expected::Leak => errors.len() == 3 && errors[0] > 1,
        }
    }
}

/// The errors in each fill of each line of the program's answer.
pub fn answered(text: &str) -> Result<Vec<Vec<u32>>, String> {
    let number = |word: &str| word.parse::<u32>().map_err(|e| format!("{word}: {e}"));
    text.lines().map(|line| line.split_whitespace().map(number).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_judged() {
        for batches in [[0, 0, 0], [1, 0, 0], [1, 1, 0], [2, 1, 0]] {
            let expected = Expected::Batches(batches);
            assert!(expected.allows(&batches) && !expected.allows(&[batches[0] + 1, batches[1], batches[2]]));
            assert!(!expected.allows(&[batches[0], batches[1], batches[2] + 1]) && !expected.allows(&batches[..2]));
        }
        assert!(Expected::Leak.allows(&[500, 0, 0]));
        assert!(!Expected::Leak.allows(&[0, 0, 0]) && !Expected::Leak.allows(&[]));
        assert_eq!(answered("1 0 0 \n12 3\n"), Ok(vec![vec![1, 0, 0], vec![12, 3]]));
        assert!(answered("1 x").is_err());
    }
}
