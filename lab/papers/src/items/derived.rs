//! What follows from the papers' own figures: ratios and formulas, computed from the claims.

use super::Bench;
use crate::answer::Answer;
use crate::error::LabError;
use crate::finding::{Form, Outcome};

/// \[JSDGS17\]'s ratios at σ = 3.3311, from its Table 3.
pub(super) fn table_3_ratios(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let table = |answer: &mut Answer<'_>, name: &str| {
        answer.about("J13");
        answer.stated(&format!("{name} at 3.3311"))
    };
    answer.form = Form::Printed;
    let walk = table(answer, "Knuth-Yao")?;
    for (name, other) in [("rejection", "rejection"), ("inversion", "inversion"), ("the Ziggurat", "Ziggurat")] {
        let ratio = walk / table(answer, other)?;
        answer.about("J15");
        let terms = "the ratio of Table 3's own figures";
        let why = "Table 3 has another ratio";
        answer.exact(&format!("Knuth-Yao over {name} at 3.3311"), (ratio, "times"), terms, why)?;
    }
    Ok(())
}

/// The samples that Table 5's times hold at Table 3's speed.
fn held(answer: &mut Answer<'_>, quantity: &str, sigma: &str) -> Result<f64, LabError> {
    answer.about("J20");
    let time = answer.stated(quantity)?;
    Ok(time * rate(answer, sigma)?)
}

/// Table 3's samples a millisecond of Knuth-Yao.
fn rate(answer: &mut Answer<'_>, sigma: &str) -> Result<f64, LabError> {
    answer.about("J13");
    let speed = answer.stated(&format!("Knuth-Yao at {sigma}"));
    answer.about("J20");
    speed
}

/// Table 1's signature has no rejection, so that it draws 2n samples once.
pub(super) fn one_attempt(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let quantity = "sampling in a signature of BLISS-II";
    let samples = held(answer, quantity, "107")?;
    answer.more(
        "samples in Table 5's time at Table 3's speed, a signature of BLISS-II",
        (samples, "count"),
        "862.069 a ms for 1.18 ms",
    );
    let time = 1024.0 / rate(answer, "107")?;
    let terms = "1024/862.069: two polynomials of 512 samples at Table 3's speed, as Table 1 has the signature, without rejection";
    answer.exact(quantity, (time, "ms"), terms, "another number of samples")
}

/// n and l of LP11 that Table 5's two times hold.
const LP11: (f64, f64) = (159.0, 66.0);

pub(super) fn lp11_samples(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let (n, l) = LP11;
    for (quantity, samples, terms) in [
        ("sampling in an encryption of LP11", 2.0 * n + l, "2n + l = 384 samples at Table 3's speed: n = 159, l = 66"),
        ("sampling in a key of LP11", 2.0 * n * l, "2nl = 20,988 samples at Table 3's speed: n = 159, l = 66"),
    ] {
        let holds = held(answer, quantity, "3.3311")?;
        let time = samples / rate(answer, "3.3311")?;
        answer.exact(quantity, (time, "ms"), terms, "another n or l")?;
        answer.more(&format!("samples that Table 5's time holds, {quantity}"), (holds, "count"), "at Table 3's speed");
    }
    Ok(())
}

pub(super) fn regev_samples(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let quantity = "sampling in a key of Regev";
    let holds = held(answer, quantity, "55.5649")?;
    let samples = 4972.0 * 256.0;
    answer.more("samples that Table 5's time holds, a key of Regev", (holds, "count"), "at Table 3's speed");
    let time = samples * answer.stated(quantity)? / holds;
    let terms = "m·l = 1,272,832 samples of the set inferred from σ, at Table 3's speed, within 3 %";
    answer.near(quantity, (time, "ms"), 0.03, terms, "another set")
}

/// The formula 32(m + 2) bytes: of the printed sizes each but one is that of a whole number of rectangles.
pub(super) fn two_rectangles(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    answer.about("B13");
    let sizes = [128, 320, 576, 2080, 1 << 19].map(|bytes: u32| (bytes, bytes / 32 - 2, bytes % 32));
    let whole = sizes.iter().all(|(.., rest)| *rest == 0);
    let outcome = if whole { Outcome::Agrees } else { Outcome::Differs("no whole number of rectangles".into()) };
    let ours = sizes.map(|(bytes, m, _)| format!("{bytes} bytes are m = {m}")).join(", ");
    answer.statement(
        "memory of the Ziggurat with m rectangles",
        &ours,
        "m = bytes/32 - 2 of the printed sizes",
        outcome,
    )?;
    answer.about("B21");
    let why = "the paper's formula 32(m + 2) gives 128 bytes";
    answer.exact("memory of two rectangles", (32.0 * (2.0 + 2.0), "bytes"), "32(m + 2), m = 2", why)
}

pub(super) fn outperforms(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    answer.about("B16b");
    let faster = answer.stated("Knuth-Yao over the Ziggurat at 1.6e5")?;
    answer.about("B1");
    let ours = format!("Knuth-Yao is {faster} % faster at σ = 1.6e5, the widest");
    let why = "by the paper's own figure in §4.2 Knuth-Yao is faster, from more memory".to_owned();
    let outcome = if faster > 0.0 { Outcome::Differs(why) } else { Outcome::Agrees };
    answer.statement("the Ziggurat", &ours, "the paper's figure", outcome)
}

pub(super) fn factor_558(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    answer.about("B15a");
    let (fast, slow) = (1e6 * answer.stated("inversion at 32")?, answer.stated("plain rejection at 32")?);
    // Both are rounded: 1.37 million by up to 0.005 million, 2,500 by up to 50.
    let (ratio, least, most) = (fast / slow, (fast - 5e3) / (slow + 50.0), (fast + 5e3) / (slow - 50.0));
    answer.about("B15c");
    let terms = format!("the ratio of the printed speeds; as rounded they allow {least:.0} to {most:.0}");
    let slack = (ratio - least).max(most - ratio);
    answer.within("inversion over plain rejection at 32", (ratio, "times"), slack, &terms, "another ratio")
}

pub(super) fn doubled_memory(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    answer.about("B15c");
    let (walk, inversion) = (106 * 13 * 32 / 8, 16 * 13 * 32);
    let ours = format!("{walk} bytes by n·t·σ bits, {inversion} of inversion");
    let why = "106 bits of a probability are no more than the 16 bytes of a threshold".to_owned();
    let outcome = if 2 * walk > 3 * inversion { Outcome::Agrees } else { Outcome::Differs(why) };
    let quantity = "memory of Knuth-Yao over inversion's at 32";
    answer.statement(quantity, &ours, "n·t·σ bits and 16·t·σ bytes, n = 106, t = 13", outcome)
}

/// Entries of a table at σ = 1.6e5: 13σ, rounded up to a power of two.
const ENTRIES: u32 = (13_u32 * 160_000).next_power_of_two();

pub(super) fn inversion_memory(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    answer.about("B1");
    answer.form = Form::AsBuilt;
    let terms = "16·2^21: tσ = 2,080,000 entries of 16 bytes, rounded up to a power of two";
    answer.exact("memory of inversion at 1.6e5", (16.0 * f64::from(ENTRIES), "bytes"), terms, "another size")
}

/// Knuth-Yao's 106·2^21 bits over the Ziggurat's 2^19 bytes.
pub(super) fn bits_for_bytes(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let over = |unit: f64| 106.0 * f64::from(ENTRIES) / unit / f64::from(1 << 19);
    for item in ["B1", "B16b"] {
        answer.about(item);
        let (terms, why) = ("106·2^21/8 bytes over 2^19", "106·2^21 bits over 2^19 bytes is 424, bits for bytes");
        answer.exact("memory of Knuth-Yao over the Ziggurat's at 1.6e5", (over(8.0), "times"), terms, why)?;
    }
    answer.more("106·2^21/2^19, bits over bytes", (over(1.0), "times"), "the printed number");
    Ok(())
}

pub(super) fn bernoulli_bytes(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    answer.about("S13");
    let of = |answer: &Answer<'_>, name: &str| answer.stated(&format!("random bytes of 1048576 samples of {name}"));
    let [bernoulli, cdt, ziggurat] = [of(answer, "Bernoulli")?, of(answer, "CDT")?, of(answer, "the Ziggurat")?];
    answer.about("S14");
    let terms = "the ratio of Table 2's own figures";
    answer.exact("random bytes of Bernoulli over CDT's", (bernoulli / cdt, "times"), terms, "less")?;
    let why = "the second half of the statement is wrong by Table 2";
    answer.exact("random bytes of Bernoulli over the Ziggurat's", (bernoulli / ziggurat, "times"), terms, why)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Claim;

    /// Each line of arithmetic by its result: the number that it gives, and whether that is the printed one.
    #[test]
    fn the_papers_figures_have_their_arithmetic() {
        let claims = Claim::all().unwrap();
        let of = |measure: fn(&Bench, &mut Answer<'_>) -> Result<(), LabError>, item: &'static str, quantity: &str| {
            let mut answer = Answer::new("E", &claims);
            measure(&Bench::new(true, None), &mut answer).unwrap();
            let is_it = |finding: &&crate::finding::Finding| finding.item == item && finding.quantity == quantity;
            let finding = answer.findings.iter().find(is_it).unwrap().clone();
            let number = if let crate::finding::Ours::Number(number) = finding.ours { number } else { f64::NAN };
            (number, finding.outcome.name())
        };
        let near = |found: (f64, &'static str), number: f64, outcome: &str| {
            assert!((found.0 / number - 1.0).abs() < 5e-4 && found.1 == outcome, "{found:?}");
        };
        near(of(one_attempt, "J20", "sampling in a signature of BLISS-II"), 1.1878, "agrees");
        near(of(lp11_samples, "J20", "sampling in a key of LP11"), 3.568, "agrees");
        near(of(lp11_samples, "J20", "sampling in an encryption of LP11"), 0.06528, "agrees");
        near(of(table_3_ratios, "J15", "Knuth-Yao over rejection at 3.3311"), 230.238, "differs");
        near(of(inversion_memory, "B1", "memory of inversion at 1.6e5"), 33_554_432.0, "agrees");
        near(of(bits_for_bytes, "B16b", "memory of Knuth-Yao over the Ziggurat's at 1.6e5"), 53.0, "differs");
        near(of(bits_for_bytes, "B16b", "106·2^21/2^19, bits over bytes"), 424.0, "no claim");
        near(of(two_rectangles, "B21", "memory of two rectangles"), 128.0, "differs");
        assert_eq!(of(two_rectangles, "B13", "memory of the Ziggurat with m rectangles").1, "agrees");
        assert_eq!(of(outperforms, "B1", "the Ziggurat").1, "differs");
        assert_eq!(of(doubled_memory, "B15c", "memory of Knuth-Yao over inversion's at 32").1, "differs");
    }
}
