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
    answer.about("J13");
    let speed = answer.stated(&format!("Knuth-Yao at {sigma}"))?;
    answer.about("J20");
    Ok(speed * answer.stated(quantity)?)
}

pub(super) fn one_attempt(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let quantity = "sampling in a signature of BLISS-II";
    let samples = held(answer, quantity, "107")?;
    answer.more(
        "samples in Table 5's time at Table 3's speed, a signature of BLISS-II",
        (samples, "count"),
        "862 a ms for 1.18 ms",
    );
    let attempts = 7.39;
    let time = 1024.0 * attempts / (samples / answer.stated(quantity)?);
    let why = "1.18 ms are 1024 samples, one attempt; classic BLISS-II takes 7.39 attempts";
    answer.exact(quantity, (time, "ms"), "1024 samples for each of 7.39 attempts at Table 3's speed", why)?;
    answer.about("J19");
    let why = "Table 4's time of a signature is shorter than its sampling with rejected attempts counted";
    answer.exact("BLISS-II signature", (time, "ms"), "sampling alone, 7.39 attempts at Table 3's speed", why)
}

pub(super) fn lp11_samples(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    for (quantity, samples, terms) in [
        ("sampling in an encryption of LP11", 384.0, "3·128 samples at Table 3's speed: n = l = 128"),
        ("sampling in a key of LP11", 32_768.0, "2·128² samples at Table 3's speed: n = l = 128"),
    ] {
        let holds = held(answer, quantity, "3.3311")?;
        let time = samples * answer.stated(quantity)? / holds;
        answer.exact(quantity, (time, "ms"), terms, "no n and l fit both times; perhaps a misprint")?;
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

/// The formula 32(m + 2) bytes.
pub(super) fn two_rectangles(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    answer.about("B21");
    let why = "the paper's formula 32(m + 2) gives 128 bytes";
    answer.exact("memory of two rectangles", (32.0 * (2.0 + 2.0), "bytes"), "32(m + 2), m = 2", why)
}

pub(super) fn outperforms(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    answer.about("B16b");
    let faster = answer.stated("Knuth-Yao over the Ziggurat at 1.6e5")?;
    answer.about("B15a");
    let times = 1e3 * answer.stated("Knuth-Yao at 32")? / answer.stated("Ziggurat at 32")?;
    answer.about("B1");
    let ours = format!("Knuth-Yao is {faster} % faster at σ = 1.6e5, and {times:.1} times as fast at 32");
    let why = "by the paper's own figures in §4.2 Knuth-Yao is faster, from more memory".to_owned();
    answer.statement("the Ziggurat", &ours, "the paper's figures", Outcome::Differs(why))
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
    answer.about("B13");
    let walk = answer.stated("memory of Knuth-Yao at 32")?;
    answer.about("B15c");
    let ours = format!("{walk} bytes by the formula, {} of inversion", 32 * 13 * 16);
    let why = "the formula's unit slipped: it gives a thirtieth of inversion's memory".to_owned();
    let quantity = "memory of Knuth-Yao over inversion's at 32";
    answer.statement(quantity, &ours, "the paper's formulas", Outcome::Differs(why))
}

pub(super) fn inversion_memory(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    answer.about("B1");
    let bytes = 16.0 * 13.0 * 160_000.0;
    let why = "33.55 MB are 2^25 bytes; 16·t·σ is 33.28 MB";
    answer.exact("memory of inversion at 1.6e5", (bytes, "bytes"), "16·t·σ, t = 13", why)
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
