//! Tables of arbitrary words: refused, or a sampler that draws within its support and its bits.
//!
//! A built table with some bits flipped, or the input's own words, together with parameters that may be others. What is
//! accepted gives values within its support, and takes no more bits than the method may; it can be certified; a guide, parts or a
//! first table that are accepted are those of the table.

use crate::input::{Input, Tape};
use crate::params;
use samplez_core::samplers::{
    Bernoulli, Cdt, CdtCt, CdtGuided, Convolution, ConvolutionCt, KnuthYao, TableRejection, Ziggurat,
};
use samplez_core::table::Table;
use samplez_core::table::{
    BernoulliTable, CdtTable, Chord, ConvolutionTable, GuidedTable, KnuthYaoParts, KnuthYaoTable, LazyTable,
    RejectionTable, Shape, ZigguratParts, ZigguratTable,
};
use samplez_core::testing::Attempt;
use samplez_core::{Bound, DiscreteGaussian, Exactness, Rational, Sampler, Width};
use samplez_tables::{
    BernoulliOptions, CdtOptions, KnuthYaoOptions, PlainTable, RejectionOptions, TableForm, Whole, ZigguratOptions,
    audit, build_bernoulli, build_cdt, build_knuth_yao, build_plain, build_rejection, build_ziggurat, certify,
    certify_bernoulli, certify_convolution, certify_rejection, certify_ziggurat, guide,
};
use std::sync::LazyLock;

/// The longest table: more words show nothing more, and take longer.
const MOST_WORDS: usize = 1 << 12;

/// Samples or attempts of each.
const DRAWS: usize = 16;

/// One byte for the kind of table, then its parameters and words; the whole input is the random bits as well.
pub fn tables(data: &[u8]) {
    let mut input = Input(data);
    let tape = Tape::new(data);
    match input.byte() % 9 {
        0 => drop(cdt(&mut input).map(|table| inversions(&table, tape))),
        1 => drop(cdt(&mut input).map(|table| guided(table, &mut input, tape))),
        2 => drop(cdt(&mut input).map(|table| lazy(table, &mut input))),
        3 => drop(convolution(&mut input, tape)),
        4 => knuth_yao(&mut input, tape),
        5 => ziggurat(&mut input, tape),
        6 => rejection(&mut input, tape),
        7 => bernoulli(&mut input, tape),
        _ => plain(&mut input),
    }
}

struct Built {
    cdts: Vec<CdtTable<Vec<u32>>>,
    trees: Vec<KnuthYaoTable<Vec<u32>>>,
    ziggurats: Vec<ZigguratTable<Vec<u32>>>,
    heights: Vec<RejectionTable<Vec<u32>>>,
    coins: Vec<BernoulliTable<Vec<u32>>>,
    plain: Vec<PlainTable>,
}

static BUILT: LazyLock<Built> = LazyLock::new(|| {
    let cdt = |precision| CdtOptions { precision, ..CdtOptions::default() };
    let law = |sigma: &str, center: &str| {
        let width = Width::Sigma(sigma.parse().expect("a number"));
        DiscreteGaussian::new(center.parse().expect("a number"), width).expect("a width above 0")
    };
    let tree = |precision, first_levels| KnuthYaoOptions { cdt: cdt(precision), first_levels };
    let ziggurat = |rectangles, precision, chord, stored| ZigguratOptions {
        rectangles,
        precision,
        omega: precision,
        chord,
        stored,
        ..ZigguratOptions::default()
    };
    Built {
        cdts: [("3.2", "0", 64), ("3.2", "1/3", 128), ("0.4", "0", 8), ("1", "-5", 20)]
            .map(|(sigma, center, precision)| build_cdt(&law(sigma, center), &cdt(precision)).expect("a table"))
            .into(),
        trees: [
            ("1", "0", tree(8, Some(2))),
            ("3.2", "1/3", tree(40, Some(4))),
            ("0.4", "5", tree(8, Some(0))),
            ("3.2", "-1/2", tree(128, Some(0))),
        ]
        .map(|(sigma, center, options)| build_knuth_yao(&law(sigma, center), &options).expect("a table"))
        .into(),
        ziggurats: [
            ("3.2", "0", ziggurat(4, 64, true, false)),
            ("3.2", "-9", ziggurat(8, 128, false, true)),
            ("19.5", "0", ziggurat(16, 20, true, false)),
        ]
        .map(|(sigma, center, options)| build_ziggurat(&law(sigma, center), &options).expect("a table"))
        .into(),
        heights: [("3.2", "0", 128), ("0.4", "-5", 8)]
            .map(|(sigma, center, precision)| {
                let options = RejectionOptions { precision, ..RejectionOptions::default() };
                build_rejection(&law(sigma, center), &options).expect("a table")
            })
            .into(),
        coins: [(1, 128), (9, 8), (254, 40)]
            .map(|(k, precision)| {
                let law = DiscreteGaussian::new(Rational::from(3), Width::KSigma2(Rational::from(k))).expect("above 0");
                let options = BernoulliOptions { precision, ..BernoulliOptions::default() };
                build_bernoulli(&law, &options).expect("a table")
            })
            .into(),
        plain: [
            ("1.8205", "falcon".parse().expect("a published form")),
            ("3.2", TableForm::folded_cdt(20)),
            ("1.278", "hawk".parse().expect("a published form")),
        ]
        .map(|(sigma, form)| build_plain(&law(sigma, "0"), &form).expect("a table"))
        .into(),
    }
});

/// What stands there, or something of the input's instead, seldom enough that what follows is reached.
fn other<T>(input: &mut Input<'_>, there: T, new: impl FnOnce(&mut Input<'_>) -> T) -> T {
    if input.byte() < 240 { there } else { new(input) }
}

fn any_law(input: &mut Input<'_>, there: &DiscreteGaussian) -> DiscreteGaussian {
    other(input, *there, |input| params::law(input.bytes(34)).unwrap_or(*there))
}

fn any_shape(input: &mut Input<'_>) -> Shape {
    *input.of(&[Shape::Folded, Shape::Full])
}

/// These words with some of their bits flipped, more or fewer of them; or words of the input.
fn edited(input: &mut Input<'_>, words: &[u32]) -> Vec<u32> {
    let (how, edits) = (input.byte(), input.byte() % 8);
    let mut words = words.to_vec();
    match how {
        0..200 => {}
        200..220 => words.resize(usize::from(input.u16()) % MOST_WORDS, 0),
        _ => words = (0..usize::from(input.u16()) % MOST_WORDS).map(|_| input.u32()).collect(),
    }
    for _ in 0..edits {
        let (at, flip) = (usize::from(input.u16()), input.u32());
        if let Some(at) = at.checked_rem(words.len()) {
            words[at] ^= flip;
        }
    }
    words
}

fn unknown() -> Bound {
    Bound::TRIVIAL
}

/// A bound that says something: no distance is above 1, and none is no number.
fn certified(bound: &Bound) {
    let divergences = bound.log2_renyi.iter().map(|(_, log2)| *log2).chain([bound.log2_rinf, bound.log2_tail]);
    assert!(bound.log2_sd <= 1e-9 && divergences.into_iter().all(|log2| !log2.is_nan()), "{bound:?}");
}

/// Samples within the support, each from at most so many bits.
fn draws(sampler: &impl Sampler, most: u32, mut tape: Tape<'_>) {
    let profile = sampler.profile();
    assert!(profile.expected_bits >= 0.0 && profile.expected_bits <= f64::from(most), "{}", profile.expected_bits);
    for _ in 0..DRAWS {
        tape = tape.at_most(most as usize);
        let from = tape.at;
        let x = sampler.sample(&mut tape);
        assert!(profile.support.contains(&x), "{x} is outside of {:?}", profile.support);
        assert!(tape.at - from <= most as usize, "{} bits", tape.at - from);
    }
}

/// Attempts, each from at most so many bits besides those that the input has: it may reject forever.
fn attempts(sampler: &(impl Sampler + Attempt), most: usize, tape: Tape<'_>) {
    let profile = sampler.profile();
    assert!(!profile.expected_bits.is_nan() && !profile.expected_trials.is_nan());
    let mut tape = tape;
    for _ in 0..DRAWS {
        tape = tape.at_most(tape.given() + most);
        if let Some(x) = sampler.attempt(&mut tape) {
            assert!(profile.support.contains(&x), "{x} is outside of {:?}", profile.support);
        }
    }
}

fn cdt(input: &mut Input<'_>) -> Option<CdtTable<Vec<u32>>> {
    let there = input.of(&BUILT.cdts);
    let law = any_law(input, there.target());
    let shape = other(input, there.shape(), any_shape);
    let first = other(input, there.first(), |input| input.i64());
    let precision = other(input, there.precision(), |input| input.u16().into());
    let digits = edited(input, there.digits());
    let table = CdtTable::new(law, unknown(), shape, first, precision, digits.clone());
    if (shape, first, precision) == (there.shape(), there.first(), there.precision()) && digits == there.digits() {
        assert!(table.is_ok(), "a built table");
    }
    let view = CdtTable::from_slice(law, unknown(), shape, first, precision, &digits);
    assert_eq!(table.as_ref().err(), view.as_ref().err());
    table.ok()
}

fn inversions(table: &CdtTable<Vec<u32>>, tape: Tape<'_>) {
    let whole = table.precision() + u32::from(table.shape() == Shape::Folded);
    draws(&Cdt::from_table(table.clone()), whole, tape);
    if let Ok(sampler) = CdtCt::from_table(table.clone()) {
        draws(&sampler, whole, tape);
    }
    certified(&certify(table));
}

fn guided(table: CdtTable<Vec<u32>>, input: &mut Input<'_>, tape: Tape<'_>) {
    let whole = table.precision() + u32::from(table.shape() == Shape::Folded);
    let bits = u32::from(input.byte()) % 14;
    let made = GuidedTable::with_guide_in(table.clone(), vec![0; 1 << bits]).map(|table| table.guide().to_vec());
    let given = edited(input, made.as_deref().unwrap_or(&[0; 8]));
    match GuidedTable::new(table.clone(), given.clone()) {
        Ok(guided) => {
            let again = GuidedTable::with_guide_in(table, vec![0; given.len()]).expect("one that is accepted");
            assert_eq!(again.guide(), given, "accepted is the table's own guide alone");
            draws(&CdtGuided::from_table(guided), whole, tape);
        }
        Err(_) => assert_ne!(made.ok(), Some(given), "its own guide is accepted"),
    }
}

fn lazy(table: CdtTable<Vec<u32>>, input: &mut Input<'_>) {
    let Ok(made) = LazyTable::with_parts_in(table.clone(), |len| vec![0; len]) else { return };
    let (made, len) = (made.parts().clone(), made.parts().len());
    let mut given = made.clone();
    for _ in 0..input.byte() % 4 {
        let (at, flip) = (usize::from(input.u16()) % len, input.byte());
        given[at] ^= flip.cast_signed();
    }
    given.resize(other(input, len, |input| input.u16().into()), 0);
    let right = given == made;
    let split = LazyTable::new(table, given);
    assert_eq!(split.is_ok(), right, "accepted are the table's own parts alone");
    if let Ok(split) = split {
        assert!(split.bound() == split.table().bound() && split.log2_overflow() < 0);
    }
}

/// Whether this input of the target builds a convolution, which is then drawn from.
pub fn is_convolution(seed: &[u8]) -> bool {
    let mut input = Input(seed);
    input.byte() % 9 == 3 && convolution(&mut input, Tape::new(seed))
}

/// Whether the table is one.
fn convolution(input: &mut Input<'_>, tape: Tape<'_>) -> bool {
    let there = input.of(&BUILT.cdts);
    let levels: Vec<(u64, u64)> = (0..input.byte() % 6)
        .map(|_| {
            let legs = *input.of(&[(3, 4), (5, 12), (1, 1), (1, 2), (65_535, 4), (4_294_967_295, 2)]);
            other(input, legs, |input| (input.u64(), input.u64()))
        })
        .collect();
    let norm = levels
        .iter()
        .try_fold(1_u64, |all, (a, b)| all.checked_mul(a.checked_mul(*a)?.checked_add(b.checked_mul(*b)?)?));
    // The law whose width divided by the levels' is the base's.
    let wide = norm.and_then(|norm| Rational::new(256 * i64::try_from(norm).ok().filter(|n| *n < 1 << 54)?, 25));
    let law = wide.and_then(|square| DiscreteGaussian::new(Rational::from(-7), Width::SigmaSq(square)).ok());
    let law = any_law(input, &law.unwrap_or(*there.target()));
    let Ok(table) = ConvolutionTable::new(law, unknown(), there.clone(), &levels) else { return false };
    let (count, whole) = (1 << levels.len(), there.precision() + 1);
    let guide = guide(there, 1 << 12).expect("a guide fits");
    draws(&Convolution::from_table(table.clone(), guide).expect("a guide to its base"), count * whole, tape);
    if let Ok(lazy) = LazyTable::with_parts_in(there.clone(), |len| vec![0; len]) {
        let sampler = ConvolutionCt::from_table(table.clone(), lazy.parts().clone()).expect("parts of its base");
        let (mut out, mut bits) = ([0_i64; 100], tape);
        sampler.fill(&mut bits, &mut out).expect("64 bits hold every sample");
        assert!(out.iter().all(|x| table.support().contains(x)));
    }
    // What its levels add to the base's bound may come to more than 1.
    assert!(!certify_convolution(&table).log2_sd.is_nan());
    true
}

fn knuth_yao(input: &mut Input<'_>, tape: Tape<'_>) {
    let there = input.of(&BUILT.trees);
    let KnuthYaoParts { shape, first, precision, rows, first_levels, digits } = there.parts();
    let parts = KnuthYaoParts {
        shape: other(input, *shape, any_shape),
        first: other(input, *first, |input| input.i64()),
        precision: other(input, *precision, |input| input.u16().into()),
        rows: other(input, *rows, |input| input.u32() as usize),
        first_levels: other(input, *first_levels, |input| input.byte().into()),
        digits: edited(input, digits),
    };
    let built = parts == *there.parts();
    match KnuthYaoTable::new(*there.target(), unknown(), parts) {
        Ok(table) => {
            let (levels, words) = (table.parts().first_levels, &table.parts().digits);
            if levels > 0 {
                assert!(table.first_table(levels).eq(words[words.len() - (1 << levels)..].iter().copied()));
            }
            let most = table.parts().precision + 1;
            draws(&KnuthYao::from_table(table), most, tape);
        }
        Err(error) => assert!(!built, "{error}"),
    }
}

fn ziggurat(input: &mut Input<'_>, tape: Tape<'_>) {
    let there = input.of(&BUILT.ziggurats);
    let parts = there.parts();
    let parts = ZigguratParts {
        target: any_law(input, &parts.target),
        precision: other(input, parts.precision, |input| input.u16().into()),
        omega: other(input, parts.omega, |input| input.u16().into()),
        rectangles: other(input, parts.rectangles, |input| input.u16().into()),
        chord: other(input, parts.chord, |input| {
            Some(Chord { accept_to: input.u16().into(), reject_after: input.byte().into() })
        }),
        stored: other(input, parts.stored, |input| input.byte() & 1 != 0),
        ..*parts
    };
    let words = edited(input, there.words());
    let built = parts == *there.parts() && words == there.words();
    match ZigguratTable::new(parts, words) {
        Ok(table) => {
            if table.support().end() - table.support().start() < 1 << 8
                && let Some(bound) = certify_ziggurat(&table)
            {
                certified(&bound);
            }
            attempts(&Ziggurat::from_table(table), 64 + 512 + 64 * 32, tape);
        }
        Err(error) => assert!(!built, "{error}"),
    }
}

fn rejection(input: &mut Input<'_>, tape: Tape<'_>) {
    let there = input.of(&BUILT.heights);
    let law = any_law(input, there.target());
    let center = other(input, there.center(), |input| input.i64());
    let precision = other(input, there.precision(), |input| input.u16().into());
    let digits = edited(input, there.digits());
    let built = law == *there.target()
        && (center, precision) == (there.center(), there.precision())
        && digits == there.digits();
    let table = match RejectionTable::new(law, unknown(), center, precision, digits) {
        Ok(table) => table,
        Err(error) => return assert!(!built, "{error}"),
    };
    if law.center() == Rational::from(center) {
        certified(&certify_rejection(&table));
    }
    attempts(&TableRejection::from_table(table).expect("a short table"), 64 + 256 + 64 * 32, tape);
}

fn bernoulli(input: &mut Input<'_>, tape: Tape<'_>) {
    let there = input.of(&BUILT.coins);
    let law = any_law(input, there.target());
    let precision = other(input, there.precision(), |input| input.u16().into());
    let digits = edited(input, there.digits());
    let built = law == *there.target() && precision == there.precision() && digits == there.digits();
    match BernoulliTable::new(law, unknown(), precision, digits) {
        Ok(table) => {
            certified(&certify_bernoulli(&table));
            attempts(&Bernoulli::from_table(table), 1 << 12, tape);
        }
        Err(error) => assert!(!built, "{error}"),
    }
}

/// Tables as schemes publish them: forms as texts, entries, and the audit.
fn plain(input: &mut Input<'_>) {
    let there = input.of(&BUILT.plain);
    let text = there.form().to_string();
    let form = other(input, text, |input| String::from_utf8_lossy(input.bytes(60)).into_owned());
    let form = match form.parse::<TableForm>() {
        Ok(form) => form,
        Err(error) => {
            assert!(error.to_string().starts_with("form = "), "{error}");
            return;
        }
    };
    assert_eq!(form.to_string().parse(), Ok(form), "{form}");
    let law = any_law(input, there.target());
    let mut entries = other(input, there.entries().to_vec(), |input| {
        (0..input.byte()).map(|_| Whole::from(u128::from(input.u64()) << (input.byte() % 64))).collect()
    });
    for _ in 0..input.byte() % 4 {
        let (at, new) = (usize::from(input.byte()), String::from_utf8_lossy(input.bytes(20)).into_owned());
        if let (Some(at), Ok(new)) = (at.checked_rem(entries.len()), new.parse::<Whole>()) {
            assert_eq!(new.to_string().parse(), Ok(new));
            assert_eq!(format!("{new:#x}").parse(), Ok(new));
            entries[at] = new;
        }
    }
    let built = law == *there.target() && form == *there.form() && entries == there.entries();
    let table = match PlainTable::new(&law, &form, entries) {
        Ok(table) => table,
        Err(error) => return assert!(!built, "{error}"),
    };
    let found = audit(&table);
    certified(&found.bound);
    if let Some(cdt) = table.to_cdt() {
        let profile = Cdt::from_table(cdt).profile();
        let Exactness::Within(bound) = profile.exactness else { panic!("a table has a bound") };
        certified(&bound);
        let (of, all) = (&found.support, &profile.support);
        assert!(of.start() >= all.start() && of.end() <= all.end(), "{of:?} is not within {all:?}");
    }
}
