//! Bytes of tables beside the papers' bytes.

use super::Bench;
use crate::answer::Answer;
use crate::error::LabError;
use crate::finding::{Form, Outcome};
use samplez::DiscreteGaussian;
use samplez_cli::testing::text::grouped;
use samplez_core::table::Table;
use samplez_tables::{CdtOptions, KnuthYaoOptions, build_knuth_yao};

/// How much the form of a table may change its bytes: a tenth, for entries more or less at its end.
const FORM: f64 = 0.1;

/// Bytes of a compressed matrix.
pub(super) struct Matrix {
    /// Of the columns' bits.
    pub(super) columns: usize,
    /// Of their offsets, ranks and hints, which the paper does not have or does not count.
    pub(super) beside: usize,
    /// Of the matrix as it is not compressed, a bit for each row in each column.
    pub(super) whole: usize,
}

/// The matrix without a table of first levels.
pub(super) fn matrix(sigma: &str, precision: u32) -> Result<Matrix, LabError> {
    let law = sigma.parse().ok().and_then(|sigma| DiscreteGaussian::with_sigma(sigma).ok());
    let law = law.ok_or_else(|| LabError::Input(format!("sigma = {sigma}")))?;
    let cdt = CdtOptions { precision, ..CdtOptions::default() };
    let options = KnuthYaoOptions { cdt, first_levels: Some(0) };
    let table = build_knuth_yao(&law, &options).map_err(|why| LabError::Input(why.to_string()))?;
    let (columns, all) = (table.column_bytes(), table.bytes());
    Ok(Matrix { columns, beside: all - columns, whole: 4 * precision as usize * table.parts().rows.div_ceil(32) })
}

pub(super) fn peikert(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let recipe = "sigma=1.6e5,method=cdt,precision=106";
    let why = "its parameters are not printed; ours is inversion at σ = 1.6e5";
    answer.beside("memory of Peikert's sampler", (bench.bytes(recipe)?, "bytes"), recipe, why)
}

/// The paper's formulas, and what is built here.
pub(super) fn formulas(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let model = 16.0 * 13.0 * 10.0;
    answer.exact("memory of inversion at 10", (model, "bytes"), "the paper's model 16·t·σ", "")?;
    let law = DiscreteGaussian::with_sigma(10.into()).map_err(|why| LabError::Input(why.to_string()))?;
    let options = |rectangles| samplez_tables::ZigguratOptions {
        rectangles,
        precision: 106,
        omega: 107,
        tail: 13.into(),
        ..samplez_tables::ZigguratOptions::default()
    };
    let of = |m| options(m).bytes(&law).map_err(|why| LabError::Input(why.to_string()));
    let (few, many) = (of(63)?, of(64)?);
    let ours = format!("{} bytes for each rectangle, and {} beside them", many - few, few - 63 * (many - few));
    let why = "heights here have 4·⌈n/32⌉ bytes and abscissae 4, where the paper has 16 for each".to_owned();
    let quantity = "memory of the Ziggurat with m rectangles";
    answer.statement(quantity, &ours, "ziggurat, precision 106", Outcome::Beside(why))?;
    for sigma in ["10", "32", "1000", "1.6e5"] {
        for method in ["cdt", "rejection-table", "ziggurat", "knuth-yao"] {
            let tail = if method == "ziggurat" { ",tail=13" } else { "" };
            let recipe = format!("sigma={sigma},method={method},precision=106{tail}");
            answer.more(&format!("memory of {method} at {sigma}"), (bench.bytes(&recipe)?, "bytes"), &recipe);
        }
    }
    Ok(())
}

/// \[JSDGS17\]'s bytes, of the same four methods with the paper's t and m.
pub(super) fn table_3(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    for sigma in ["3.3311", "55.5649", "107"] {
        for (name, recipe) in [
            ("rejection", format!("sigma={sigma},method=rejection-table,precision=128,tail=13")),
            ("inversion", format!("sigma={sigma},method=cdt,precision=128")),
            (
                "the Ziggurat",
                format!("sigma={sigma},method=ziggurat,precision=128,tail=13,rectangles=63,pdf_table=true"),
            ),
        ] {
            let why = "the paper has 16 bytes for every number; here heights have 16 and abscissae 4";
            answer.near(
                &format!("memory of {name} at {sigma}"),
                (bench.bytes(&recipe)?, "bytes"),
                FORM,
                &recipe,
                why,
            )?;
        }
        // 16 bytes for every number: as many densities as table rejection has, and two for each rectangle and for its end.
        let densities = bench.bytes(&format!("sigma={sigma},method=rejection-table,precision=128,tail=13"))?;
        answer.form = Form::AsBuilt;
        let terms = "16 bytes a number: the densities, and abscissa and height of 63 rectangles and the end";
        let built = (densities + 16.0 * 2.0 * 64.0, "bytes");
        answer.near(&format!("memory of the Ziggurat at {sigma}"), built, FORM, terms, "another form")?;
        answer.form = Form::Ours;
        let Matrix { columns, beside, .. } = matrix(sigma, 128)?;
        let terms =
            format!("compressed matrix of 128 bits without its {} bytes of offsets and ranks", grouped(beside as i128));
        answer.near(&format!("memory of Knuth-Yao at {sigma}"), (columns as f64, "bytes"), FORM, &terms, "")?;
    }
    let bars = ["3.3311", "55.5649", "107"].into_iter().flat_map(|sigma| {
        let name = |name: &str| (format!("{name}, {sigma}"), format!("memory of {name} at {sigma}"));
        ["Knuth-Yao", "the Ziggurat", "inversion", "rejection"].map(name)
    });
    let caption = "The paper's t and m, 128 bits; as the paper built it, all numbers have 16 bytes.";
    let title = ("table-3-memory", "Table 3: memory of four samplers at three σ", caption);
    answer.bars(title, ("sampler, σ", "KiB", false), &bars.collect::<Vec<_>>())
}

pub(super) fn earlier_work(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let Matrix { columns, beside, .. } = matrix("107", 128)?;
    let terms =
        format!("compressed matrix of 128 bits without its {} bytes of offsets and ranks", grouped(beside as i128));
    answer.near("memory of Knuth-Yao at 107", (columns as f64, "bytes"), FORM, &terms, "")?;
    let recipe = "sigma=107,method=knuth-yao-compact,precision=128";
    let why = "the earlier work's table is not at hand";
    answer.beside("memory of Knuth-Yao in earlier work at 107", (bench.bytes(recipe)?, "bytes"), recipe, why)
}
