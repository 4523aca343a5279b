//! A report as JSON, by the names that its parts have in JavaScript.

use crate::json;
use samplez_stats::{ALPHA, Comparison, Power, Report, Test, Verdict};

pub(crate) fn to_json(law: &str, report: &Report) -> String {
    json::object([
        ("law", json::text(law)),
        ("n", report.n.to_string()),
        ("consistent", report.consistent.to_string()),
        ("alpha", json::number(ALPHA)),
        ("tests", json::array(report.tests.iter().map(test))),
        ("power", power(&report.power)),
        ("modulus", or_null(report.modulus, whole)),
    ])
}

/// A number, from 2^53 on as a text.
fn whole(n: u128) -> String {
    if n < 1 << 53 { n.to_string() } else { json::text(&n.to_string()) }
}

/// The same of two samples against each other.
pub(crate) fn of_pair(of: &Comparison) -> String {
    let shared =
        |(sequences, of): (u64, u64)| json::object([("sequences", sequences.to_string()), ("of", of.to_string())]);
    json::object([
        ("n", json::array(of.n.iter().map(u64::to_string))),
        ("consistent", of.consistent.to_string()),
        ("alpha", json::number(ALPHA)),
        ("shared", or_null(of.shared, shared)),
        ("tests", json::array(of.tests.iter().map(test))),
        ("power", power(&of.power)),
    ])
}

fn test(test: &Test) -> String {
    let (verdict, reason) = match test.verdict {
        Verdict::Pass => ("pass", None),
        Verdict::Reject => ("reject", None),
        Verdict::NotApplicable(reason) => ("not applicable", Some(reason)),
    };
    json::object([
        ("name", json::text(&test.name)),
        ("tests", test.members.to_string()),
        ("at", or_null(test.at.as_deref(), json::text)),
        ("statistic", or_null(test.statistic, json::number)),
        ("dof", or_null(test.dof, |dof| dof.to_string())),
        ("pValue", or_null(test.p_value, json::number)),
        ("verdict", json::text(verdict)),
        ("reason", or_null(reason, json::text)),
    ])
}

fn power(power: &Power) -> String {
    let Power { sigma, mean, zero, sign, parity, correlation, magnitudes, place, wave, repeat, total_variation } =
        *power;
    let sizes = [
        ("sigma", sigma),
        ("mean", mean),
        ("zero", zero),
        ("sign", sign),
        ("parity", parity),
        ("correlation", correlation),
        ("magnitudes", magnitudes),
        ("place", place),
        ("wave", wave),
        ("repeat", repeat),
        ("totalVariation", total_variation),
    ];
    json::object(sizes.map(|(name, size)| (name, or_null(size, json::number))))
}

fn or_null<T>(value: Option<T>, json: impl FnOnce(T) -> String) -> String {
    value.map_or_else(|| "null".into(), json)
}
