//! A small set of cases that has every pair of values of any two factors.

/// At most so many pairs.
const WORDS: usize = 12;

/// Numbers of values, one for each factor, in which every pair that a valid choice of all factors has stands once at least.
/// Greedy, so that the first choices have the most new pairs: they have every single value soon. The same on every machine.
///
/// # Panics
///
/// If there are more than 768 pairs.
pub fn covering(sizes: &[usize], is_valid: impl Fn(&[usize]) -> bool) -> Vec<Vec<usize>> {
    let mut first = Vec::new();
    let mut count = 0;
    for (i, size) in sizes.iter().enumerate() {
        for other in &sizes[..i] {
            first.push(count);
            count += size * other;
        }
    }
    assert!(count <= 64 * WORDS, "{count} pairs");
    let pairs = |choice: &[usize]| {
        let mut set = [0_u64; WORDS];
        let mut first = first.iter();
        for (i, value) in choice.iter().enumerate() {
            for (other, size) in choice[..i].iter().zip(sizes) {
                let pair = first.next().expect("one for each two factors") + value * size + other;
                set[pair / 64] |= 1 << (pair % 64);
            }
        }
        set
    };
    let mut all = Vec::new();
    let mut choice = vec![0; sizes.len()];
    for number in 0..sizes.iter().product() {
        let mut rest: usize = number;
        for (value, size) in choice.iter_mut().zip(sizes) {
            (*value, rest) = (rest % size, rest / size);
        }
        if is_valid(&choice) {
            all.push((choice.clone(), pairs(&choice)));
        }
    }
    let mut open = [0; WORDS];
    all.iter().for_each(|(_, set)| open.iter_mut().zip(set).for_each(|(open, set)| *open |= set));
    let mut chosen = Vec::new();
    let new = |set: &[u64; WORDS], open: &[u64; WORDS]| -> u32 {
        set.iter().zip(open).map(|(set, open)| (set & open).count_ones()).sum()
    };
    // Of several that have as many new pairs the first.
    while let Some((choice, set)) = all.iter().rev().max_by_key(|(_, set)| new(set, &open))
        && new(set, &open) > 0
    {
        open.iter_mut().zip(set).for_each(|(open, set)| *open &= !set);
        chosen.push(choice.clone());
    }
    chosen
}

/// Whether each of these has a value of some factor that none before it has.
pub fn with_new_values(choices: &[Vec<usize>]) -> Vec<bool> {
    let mut seen = std::collections::HashSet::new();
    let mut is_new = |choice: &Vec<usize>| {
        let new: Vec<_> = choice.iter().copied().enumerate().filter(|value| !seen.contains(value)).collect();
        seen.extend(new.iter().copied());
        !new.is_empty()
    };
    choices.iter().map(&mut is_new).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_that_is_valid_is_there() {
        let sizes = [3, 4, 2, 5];
        let is_valid = |choice: &[usize]| choice[0] != 1 || choice[1] == 2;
        let chosen = covering(&sizes, is_valid);
        assert!(chosen.iter().all(|choice| is_valid(choice)));
        let has = |i: usize, a: usize, j: usize, b: usize| chosen.iter().any(|c| c[i] == a && c[j] == b);
        for (i, j) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
            for (a, b) in (0..sizes[i]).flat_map(|a| (0..sizes[j]).map(move |b| (a, b))) {
                assert_eq!(has(i, a, j, b), i != 0 || j != 1 || a != 1 || b == 2, "{i}: {a}, {j}: {b}");
            }
        }
        // The product has 120, and 4·5 is the least.
        assert!((20..=26).contains(&chosen.len()), "{}", chosen.len());
        let first = with_new_values(&chosen);
        assert!(first[0] && first.iter().filter(|first| **first).count() <= 8);
        for (i, size) in sizes.into_iter().enumerate() {
            assert!((0..size).all(|a| chosen.iter().zip(&first).any(|(c, first)| *first && c[i] == a)));
        }
    }
}
