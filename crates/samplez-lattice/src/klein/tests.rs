use super::*;
use crate::space::{DIGITS, START};
use samplez::{BitReader, Seed};
use samplez_sources::ChaCha20;

const Q: u32 = UNITS;

/// A reduced Gram matrix, σ² as numerator and denominator, and a centre over 7.
struct Case {
    gram: [[i64; 3]; 3],
    sigma: (BigUint, BigUint),
    center: [i64; 3],
}

/// Narrow, σ_j from below to above 1, wider ones, and two above 2^25: their shifts differ.
fn cases() -> Vec<Case> {
    let gram = [[12, 6, 2], [6, 15, -4], [2, -4, 20]];
    let power = |n: u32| BigUint::from(1_u8) << n;
    let sigmas = [(1_u8.into(), 1_u8.into()), (15_u8.into(), 1_u8.into()), (power(30), 7_u8.into())];
    let sigmas = sigmas.into_iter().chain([(power(61), 3_u8.into()), (power(90), 1_u8.into())]);
    sigmas.map(|sigma| Case { gram, sigma, center: [2, -3, 3] }).collect()
}

fn built(case: &Case) -> (Space, Target) {
    let rows: Vec<Vec<BigInt>> = case.gram.iter().map(|row| row.iter().map(|x| (*x).into()).collect()).collect();
    let unit: Vec<Vec<BigInt>> = (0..3).map(|i| (0..3).map(|j| u8::from(i == j).into()).collect()).collect();
    let scale = (case.sigma.1.clone(), case.sigma.0.clone());
    let space = Space::new(&rows, scale, &unit, &rows, (DIGITS, START)).unwrap();
    assert_eq!(space.reduced.transform, unit);
    let center: Vec<BigInt> = case.center.iter().map(|c| (*c).into()).collect();
    let lambda = space.project(&center);
    let target = Target::new(&space, lambda, 7.into());
    (space, target)
}

/// The walk whose coordinates have this y - ⌊c̃⌋ of the reach, and the upper end of u or the lower one.
fn walk(space: &Space, target: &Target, mut choice: impl FnMut(i64) -> (i64, bool)) -> Walk {
    let zeros = || Zeroizing::new(vec![0_i64; 3]);
    let mut walk = Walk { x: zeros(), y: zeros(), centers: Zeroizing::new(vec![0; 3]) };
    for j in (0..3).rev() {
        let of = &space.coordinates[j];
        let center = target.exact_grid(space, &walk.x, j).unwrap();
        let (z, is_upper) = choice(of.reach);
        let y = (center >> GRID) as i64 + z;
        let half = if of.shift == 0 { 0 } else { 1 << (of.shift - 1) };
        let u = if is_upper && half > 0 { half - 1 } else { -half };
        (walk.centers[j], walk.y[j], walk.x[j]) = (center, y, (y << of.shift) + u);
    }
    walk
}

/// Walks at the ends of the reach and inside it, and real proposals.
fn walks(space: &Space, target: &Target) -> Vec<Walk> {
    let mut all = Vec::new();
    for signs in 0..64_u32 {
        let mut n = 0;
        all.push(walk(space, target, |reach| {
            n += 2;
            (if signs >> n & 1 == 1 { reach } else { -reach }, signs >> (n - 2) >> 1 & 1 == 1)
        }));
        all.push(walk(space, target, |reach| (i64::from(signs) * reach / 64, signs & 1 == 1)));
    }
    let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([3; 32])));
    for _ in 0..40 {
        let (walk, is_near) = target.propose(space, &mut bits).unwrap();
        assert!(is_near);
        for j in 0..3 {
            assert_eq!(walk.centers[j], target.exact_grid(space, &walk.x, j).unwrap());
        }
        all.push(walk);
    }
    all
}

/// The quick decision accepts only numbers below every probability within the reach.
#[test]
fn the_quick_decision_is_below_every_probability() {
    let mut opens = Vec::new();
    for case in cases() {
        let (space, target) = built(&case);
        let sure = BigUint::from(u64::MAX - target.open) << (Q - 64);
        for walk in walks(&space, &target) {
            assert!(target.probability(&space, &walk, Q).0 >= sure, "{:?}", case.sigma);
        }
        opens.push(target.open);
    }
    // The bound says something: it is small for wide coordinates.
    assert!(opens[2..].iter().all(|open| *open < 1 << 50), "{opens:?}");
}

/// The proposal's probability times p is exp(-Q/2) times one constant, with intervals. Q is from the Gram matrix.
#[test]
fn the_decision_turns_the_proposals_into_the_gaussian() {
    for case in cases() {
        let (space, target) = built(&case);
        let kappa: BigUint = space.coordinates.iter().map(|of| &of.slack).sum();
        for walk in walks(&space, &target) {
            // D̃X̃²/2 of all coordinates, and the normalizing sums.
            let mut own = (BigUint::ZERO, BigUint::ZERO);
            let mut theta = (BigUint::from(1_u8) << Q, BigUint::from(1_u8) << Q);
            for (j, of) in space.coordinates.iter().enumerate() {
                let distance = ((BigInt::from(walk.y[j]) << GRID) - walk.centers[j]).into_parts().1;
                let (num, den) = (&of.inverse.0, &of.inverse.1);
                let part = exp::fraction(&(num * &distance * &distance), &(den << (2 * GRID + 1)), Q);
                own = (own.0 + part.0, own.1 + part.1);
                let fraction = walk.centers[j] as u64 & ((1 << GRID) - 1);
                theta = exp::product(&theta, &exp::theta((num, den), fraction, Q), Q);
            }
            let p = target.probability(&space, &walk, Q);
            let left = exp::product(&p, &exp::exp_neg(&own, Q), Q);
            let v: Vec<i128> = (0..3).map(|i| i128::from(walk.x[i]) * 7 - i128::from(case.center[i])).collect();
            let form: BigInt = (0..9).map(|n| BigInt::from(v[n / 3]) * v[n % 3] * case.gram[n / 3][n % 3]).sum();
            let form = exp::fraction(&(form.into_parts().1 * &case.sigma.1), &(&case.sigma.0 * 98_u8), Q);
            let form = (form.0 + (&kappa >> 1), form.1 + (&kappa >> 1) + 1_u8);
            let right = exp::product(&theta, &exp::exp_neg(&form, Q), Q);
            assert!(left.0 <= right.1 && right.0 <= left.1, "{:?}: {left:?} {right:?}", case.sigma);
            assert!(&left.1 - &left.0 < BigUint::from(1_u8) << 12 && &right.1 - &right.0 < BigUint::from(1_u8) << 12);
        }
    }
}
