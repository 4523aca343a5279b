//! The exact law of a Ziggurat's trial, against the integers of its table.

use samplez_check::tape::{Budget, ExactLaw, Tape, enumerate};
use samplez_core::table::{Chord, ZigguratParts, ZigguratTable};
use samplez_core::{Bound, DiscreteGaussian, Rational};
use samplez_tables::{ZigguratOptions, build_ziggurat};

pub(crate) type Table = ZigguratTable<Vec<u32>>;

/// X_i + 1, 2^n y_i and R(x) of a table with n <= 60.
pub(crate) struct Integers {
    pub(crate) edges: Vec<u64>,
    pub(crate) heights: Vec<i128>,
    pub(crate) rho: Vec<i128>,
    pub(crate) omega: u32,
}

impl Integers {
    pub(crate) fn of(table: &Table) -> Self {
        let m = table.parts().rectangles as usize;
        let low = |height: [u64; 5]| i128::from(height[0]);
        let edges: Vec<u64> = table.words()[..=m].iter().map(|word| u64::from(*word)).collect();
        Integers {
            heights: (0..=m).map(|i| low(table.edge_height(i))).collect(),
            rho: (0..edges[m] as u32).map(|x| low(table.height(x))).collect(),
            edges,
            omega: table.parts().omega,
        }
    }

    pub(crate) fn m(&self) -> usize {
        self.edges.len() - 1
    }

    /// The probability that a trial returns x (or -x): summed over rectangles and all y'.
    fn trial(&self, x: u64) -> f64 {
        let share = |i: usize| {
            if x >= self.edges[i + 1] {
                return 0.0;
            }
            let (h, d) = (self.heights[i] - self.heights[i + 1], self.rho[x as usize] - self.heights[i + 1]);
            let seen = x >= self.edges[i];
            let accepting = (0..1_i128 << self.omega).filter(|y| !seen || y * h < d << self.omega).count();
            accepting as f64 / (1_u64 << self.omega) as f64 / self.edges[i + 1] as f64
        };
        (0..self.m()).map(share).sum::<f64>() / (2 * self.m()) as f64
    }
}

/// Whether a trial has the law of the integers: the walk leaves 1e-6 undecided at most.
pub(crate) fn has_law_of(
    integers: &Integers,
    center: i64,
    run: impl FnMut(&mut Tape) -> Option<i64>,
) -> Result<ExactLaw, String> {
    let law = enumerate(Budget::depth(60).undecided(1e-6), run).map_err(|e| e.to_string())?;
    let open = law.undecided();
    if open > 1e-6 {
        return Err(format!("{open} undecided"));
    }
    let reach = *integers.edges.last().unwrap() as i64 - 1;
    if let Some(x) = law.values().find(|x| (x - center).abs() > reach) {
        return Err(format!("{x} is outside"));
    }
    let mut rejected = 1.0;
    for x in -reach..=reach {
        let ideal = integers.trial(x.unsigned_abs());
        let found = law.numerator(center + x) as f64 / (1_u128 << law.log2_denominator()) as f64;
        if !(found - 1e-12..=found + open + 1e-12).contains(&ideal) {
            return Err(format!("{x} has {found} instead of {ideal}"));
        }
        rejected -= ideal;
    }
    if (law.rejected() - rejected).abs() > open + 1e-12 {
        return Err(format!("{} rejected instead of {rejected}", law.rejected()));
    }
    Ok(law)
}

/// σ, tail, m, n, ω of tables that can be walked.
pub(crate) const SMALL: [(&str, &str, u32, u32, u32); 6] = [
    ("2", "5/2", 3, 5, 7),
    ("1", "3", 2, 4, 4),
    ("3", "2", 4, 6, 8),
    ("1.7", "3", 3, 6, 6),
    ("6", "2", 5, 7, 7),
    ("1/2", "4", 2, 6, 6),
];

/// Plain, O, P and OP of the same options.
pub(crate) fn variants(law: &DiscreteGaussian, options: &ZigguratOptions) -> [Table; 4] {
    [(false, false), (true, false), (false, true), (true, true)]
        .map(|(chord, stored)| build_ziggurat(law, &ZigguratOptions { chord, stored, ..*options }).unwrap())
}

/// A table of these small integers, its target and bound for nobody to read.
pub(crate) fn table(
    precision: u32,
    omega: u32,
    chord: Option<Chord>,
    edges: &[u32],
    heights: &[u32],
    rho: &[u32],
) -> Table {
    let bound = Bound::TRIVIAL;
    let parts = ZigguratParts {
        target: DiscreteGaussian::with_sigma(Rational::from(1)).unwrap(),
        bound,
        expected_trials: 1.0,
        precision,
        omega,
        rectangles: heights.len() as u32,
        chord,
        stored: true,
    };
    let mut words = edges.to_vec();
    words.extend(heights.iter().chain(rho).map(|height| height << (32 - precision)));
    ZigguratTable::new(parts, words).unwrap()
}
