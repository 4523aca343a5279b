mod pini;

use super::columns::Columns;
use super::*;
use crate::plain::{TableForm, build_plain};
use crate::{CdtOptions, ConvolutionOptions, Rounding, build_cdt, build_convolution};
use alloc::collections::BTreeMap;
use alloc::string::ToString;
use samplez_core::table::{ConvolutionTable, Table};
use samplez_core::{Bound, DiscreteGaussian, Width};

fn law(sigma: &str, center: &str) -> DiscreteGaussian {
    DiscreteGaussian::new(center.parse().unwrap(), Width::Sigma(sigma.parse().unwrap())).unwrap()
}

fn table(sigma: &str, center: &str, form: &str) -> PlainTable {
    build_plain(&law(sigma, center), &form.parse().unwrap()).unwrap()
}

/// A table of these masses, with 2^bits in sum.
fn weights(masses: &[u128], bits: u32) -> PlainTable {
    let form = format!("full,pmf,first=0,{bits}");
    PlainTable::new(&law("1", "1"), &form.parse().unwrap(), masses.iter().map(|mass| Whole::from(*mass)).collect())
        .unwrap()
}

/// A small generator, for inputs.
fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

/// The words of inputs 64·block to 64·block + 63, whose bit i is input i.
fn counted(block: u64, inputs: u32) -> Vec<u64> {
    const LOW: [u64; 6] = [
        0xaaaa_aaaa_aaaa_aaaa,
        0xcccc_cccc_cccc_cccc,
        0xf0f0_f0f0_f0f0_f0f0,
        0xff00_ff00_ff00_ff00,
        0xffff_0000_ffff_0000,
        0xffff_ffff_0000_0000,
    ];
    let high = |i: u32| (block >> (i - 6) & 1).wrapping_neg();
    (0..inputs).map(|i| LOW.get(i as usize).copied().unwrap_or_else(|| high(i))).collect()
}

/// The outputs as numbers, for each of 64 evaluations.
fn numbers(outputs: &[u64]) -> [u64; 64] {
    core::array::from_fn(|lane| (0..).zip(outputs).map(|(j, word)| (word >> lane & 1) << j).sum())
}

/// How often each output occurs over all inputs, of which there are at least 64.
fn occurrences(netlist: &Netlist) -> BTreeMap<u64, u128> {
    let mut found = BTreeMap::new();
    for block in 0..1_u64 << (netlist.inputs() - 6) {
        let outputs = netlist.evaluate(&counted(block, netlist.inputs())).unwrap();
        numbers(&outputs).into_iter().for_each(|number| *found.entry(number).or_insert(0) += 1);
    }
    found
}

const SMALL: [(&str, &str, &str); 11] = [
    ("1.278", "0", "folded,tail,floor-weights,10"),
    ("3.2", "-7", "folded,tail,floor-weights,11"),
    ("0.8", "0", "folded,pmf,rest-mode,7"),
    ("1.278", "1/2", "folded,tail,10"),
    ("1.5", "-5/2", "mirrored,pmf,rest-next,9"),
    ("2", "4", "mirrored,tail,nearest,8"),
    ("1.8205", "0", "half,tail,floor-weights,9"),
    ("2", "1/3", "full,tail,floor-weights,10"),
    ("5", "-1/3", "full,tail,floor-weights,12"),
    ("1.4", "7", "full,head,nearest,inclusive,rest-next,8"),
    ("0.5", "1/2", "full,pmf,rest-mode,6"),
];

/// All inputs of small circuits: each sample occurs exactly as often as the table's integer states.
#[test]
fn the_law_of_all_inputs_is_the_table() {
    for (sigma, center, form) in SMALL {
        let table = table(sigma, center, form);
        let (line, bits) = (table.form().line, table.form().precision);
        let (masses, _) = table.weights(table.rest().unwrap_or(Rest::Next));
        let is_folded = matches!(line, Line::Folded | Line::Mirrored);
        let has_zero = table.target().center().is_integer();
        // Twice the centre, so that halves are integers.
        let twice = table.target().center().num() * 2 / table.target().center().den() as i64;
        let depths = [Depth::Linear, Depth::Logarithmic];
        let encodings = [Encoding::Index, Encoding::Sign, Encoding::Integer];
        for (encoding, depth) in encodings.into_iter().flat_map(|encoding| depths.map(|depth| (encoding, depth))) {
            let circuit = match Circuit::new(table.clone(), encoding, depth) {
                Err(CircuitError::Sign { .. }) if encoding == Encoding::Sign && !is_folded => continue,
                circuit => circuit.unwrap(),
            };
            let mut wanted: BTreeMap<i64, u128> = BTreeMap::new();
            for (index, mass) in (0_i64..).zip(&masses).filter(|(_, mass)| **mass != Whole::ZERO) {
                let mass = u128::from(mass.limbs()[0]);
                let values = match (line, encoding) {
                    (Line::Full, _) => vec![table.form().first.unwrap() + index],
                    (Line::Half, _) => vec![(twice + 1).div_euclid(2) + index],
                    (_, Encoding::Index) => vec![index],
                    _ if has_zero => vec![twice / 2 + index, twice / 2 - index],
                    _ => vec![(twice + 1) / 2 + index, (twice - 1) / 2 - index],
                };
                values.into_iter().for_each(|value| *wanted.entry(value).or_insert(0) += mass);
            }
            let count = circuit.netlist().outputs().len();
            let value = |number: u64| match encoding {
                Encoding::Index if is_folded => number as i64,
                Encoding::Sign => {
                    let (index, sign) = (number as i64 & ((1 << (count - 1)) - 1), number >> (count - 1));
                    let below = circuit.base() - i64::from(!has_zero);
                    if sign == 0 { circuit.base() + index } else { below - index }
                }
                _ if circuit.is_signed() && number >> (count - 1) == 1 => circuit.base() + number as i64 - (1 << count),
                _ => circuit.base() + number as i64,
            };
            let mut found = BTreeMap::new();
            occurrences(circuit.netlist())
                .into_iter()
                .for_each(|(number, n)| *found.entry(value(number)).or_insert(0) += n);
            assert_eq!(found, wanted, "{sigma} {center} {form} {encoding} {depth}");
            let inputs = circuit.netlist().inputs();
            assert_eq!(inputs, bits + u32::from(is_folded && encoding != Encoding::Index));
            assert_eq!(circuit.check(), Ok(()), "{sigma} {center} {form} {encoding} {depth}");
        }
    }
}

/// The columns share out the masses; at each threshold and at random, the netlist is their rule.
#[test]
fn large_circuits_are_the_rule_of_their_columns() {
    let mut state = 58;
    for (sigma, center, bits, depth, ands) in [
        ("1.278", "0", 78, Depth::Linear, 89),
        ("1.278", "0", 64, Depth::Linear, 75),
        ("1.8205", "0", 72, Depth::Linear, 98),
        ("3.2", "0", 64, Depth::Linear, 90),
        ("3.2", "0", 128, Depth::Linear, 185),
        ("3.2", "1/3", 200, Depth::Linear, 320),
        ("20", "0", 64, Depth::Linear, 250),
        ("1.278", "0", 78, Depth::Logarithmic, 162),
        ("3.2", "0", 128, Depth::Logarithmic, 312),
        ("3.2", "1/3", 200, Depth::Logarithmic, 524),
        ("20", "0", 64, Depth::Logarithmic, 355),
    ] {
        let form = if center == "0" { TableForm::folded_cdt(bits) } else { TableForm::full_cdt(bits) };
        let table = build_plain(&law(sigma, center), &form).unwrap();
        let (masses, one) = table.weights(Rest::Next);
        let circuit = Circuit::new(table, Encoding::Index, depth).unwrap();
        assert_eq!(circuit.check(), Ok(()), "{sigma} {bits} {depth}");
        let netlist = circuit.netlist();
        let columns = Columns::best(&masses, bits, netlist.outputs().len() as u32, depth).unwrap();
        let mut left = masses.clone();
        let rules: Vec<_> = (0..1 << columns.choice).map(|column| columns.rule(column)).collect();
        for rule in &rules {
            let mut start = Whole::ZERO;
            for (value, end) in rule {
                let mass = end.minus(&start).unwrap();
                left[*value as usize] = left[*value as usize].minus(&mass).unwrap();
                start = *end;
            }
            assert_eq!(start, Whole::power(bits - columns.choice));
        }
        assert!(left.iter().all(|mass| *mass == Whole::ZERO));
        assert_eq!(masses.iter().fold(Whole::ZERO, |sum, mass| sum.plus(mass)), one);
        assert!(netlist.counts().and <= ands, "{sigma} {bits}: {}", netlist.counts().and);
        let most = match depth {
            Depth::Linear => bits + 8,
            Depth::Logarithmic => 2 * bits.next_power_of_two().ilog2() + 3,
        };
        assert!(netlist.counts().depth <= most, "{sigma} {bits} {depth}: {:?}", netlist.counts());

        let mut cases = Vec::new();
        for (c, rule) in (0..).zip(&rules) {
            for (_, end) in rule {
                let near = [end.minus(&Whole::from(1)), Some(*end), Some(end.plus(&Whole::from(1)))];
                cases.extend(near.into_iter().flatten().map(|u| (c, u)));
            }
            cases.extend((0..8).map(|_| (c, Whole::new(core::array::from_fn(|_| random(&mut state))))));
        }
        for cases in cases.chunks(64) {
            let mut inputs = vec![0; bits as usize];
            for (lane, (c, u)) in cases.iter().enumerate() {
                for i in 0..bits {
                    let is_set = if i < columns.choice { c >> i & 1 == 1 } else { u.bit(i - columns.choice) };
                    inputs[i as usize] |= u64::from(is_set) << lane;
                }
            }
            let found = numbers(&netlist.evaluate(&inputs).unwrap());
            for (lane, (c, u)) in cases.iter().enumerate() {
                let bit = |i: u32| if u.bit(i) { Whole::power(i) } else { Whole::ZERO };
                let u = (0..bits - columns.choice).fold(Whole::ZERO, |sum, i| sum.plus(&bit(i)));
                let wanted = rules[*c as usize].iter().find(|(_, end)| u < *end).unwrap().0;
                assert_eq!(found[lane], u64::from(wanted), "{sigma} {bits} {c} {u}");
            }
        }
    }
}

/// Where no column has a threshold to spare, each gate matters: the outputs show another kind of gate in its place, or its first operand.
#[test]
fn every_changed_gate_changes_the_outputs() {
    let mut seen = 0;
    let depths = [Depth::Linear, Depth::Logarithmic];
    for ((sigma, center, form), depth) in SMALL.into_iter().flat_map(|law| depths.map(|depth| (law, depth))) {
        let circuit = Circuit::new(table(sigma, center, form), Encoding::Integer, depth).unwrap();
        // The threshold of σ = 0.5 has equal bits, so that a comparison in blocks has substitutes for two gates.
        if circuit.thresholds() > 1 || (sigma, depth) == ("0.5", Depth::Logarithmic) {
            continue;
        }
        seen += 1;
        let netlist = circuit.netlist();
        let blocks = 1_u64 << (netlist.inputs() - 6);
        let outputs = |netlist: &Netlist| -> Vec<_> {
            (0..blocks).map(|block| netlist.evaluate(&counted(block, netlist.inputs())).unwrap()).collect()
        };
        let wanted = outputs(netlist);
        for i in 0..netlist.gates().len() {
            let (a, others) = match netlist.gates()[i] {
                Gate::Xor(a, b) => (a, vec![Gate::And(a, b)]),
                Gate::And(a, b) => (a, vec![Gate::Xor(a, b)]),
                Gate::Not(a) => (a, vec![]),
            };
            let is_seen = others.into_iter().chain([Gate::And(a, a)]).any(|gate| {
                let mut changed = netlist.clone();
                changed.gates[i] = gate;
                outputs(&changed) != wanted
            });
            assert!(is_seen, "{sigma} {center} {form} {depth}: gate {i}");
        }
    }
    assert!(seen > 12, "{seen}");
}

/// The count over all inputs of a large circuit sees an XOR in place of any AND. Of the other changes it sees most: some only replace a
/// uniform bit by its complement, which leaves the distribution as it is.
#[test]
fn the_count_sees_changed_gates() {
    for (sigma, bits, encoding, depth) in [
        ("1.278", 78, Encoding::Integer, Depth::Linear),
        ("1.278", 78, Encoding::Integer, Depth::Logarithmic),
        ("3.2", 64, Encoding::Sign, Depth::Linear),
    ] {
        let table = build_plain(&law(sigma, "0"), &TableForm::folded_cdt(bits)).unwrap();
        let mut circuit = Circuit::new(table, encoding, depth).unwrap();
        let (mut changes, mut seen) = (0, 0);
        for i in 0..circuit.netlist.gates.len() {
            let gate = circuit.netlist.gates[i];
            let (a, other) = match gate {
                Gate::Xor(a, b) => (a, Gate::And(a, b)),
                Gate::And(a, b) => (a, Gate::Xor(a, b)),
                Gate::Not(a) => (a, Gate::And(a, a)),
            };
            for other in [other, Gate::And(a, a)] {
                circuit.netlist.gates[i] = other;
                let is_seen = circuit.check().is_err();
                assert!(is_seen || !matches!(other, Gate::Xor(..)), "{sigma} {encoding} {depth}: gate {i} {gate:?}");
                changes += 1;
                seen += usize::from(is_seen);
            }
            circuit.netlist.gates[i] = gate;
        }
        assert!(4 * seen > 3 * changes, "{sigma} {encoding} {depth}: {seen} of {changes}");
    }
}

/// The diagrams of circuits with one changed gate count what an evaluation on all inputs counts, whichever inputs are fixed.
#[test]
fn diagrams_count_what_all_inputs_give() {
    for (sigma, center, form) in [SMALL[0], SMALL[4], SMALL[9]] {
        let mut circuit = Circuit::new(table(sigma, center, form), Encoding::Integer, Depth::Logarithmic).unwrap();
        let inputs = circuit.netlist.inputs;
        for i in 0..circuit.netlist.gates.len() {
            let gate = circuit.netlist.gates[i];
            let [a, b] = gate.operands();
            let earlier = (i as u32 * 7 + 3) % (inputs + i as u32);
            for other in [gate, Gate::And(a, b), Gate::Xor(a, b), Gate::Not(b), Gate::And(a, earlier)] {
                circuit.netlist.gates[i] = other;
                let found = counting::occurrences(&circuit.netlist, [0, circuit.columns.choice][i % 2]);
                let found: BTreeMap<u64, u128> = found.iter().map(|(x, n)| (*x, n.limbs()[0].into())).collect();
                assert_eq!(found, occurrences(&circuit.netlist), "{sigma} {center} {form}: gate {i} {other:?}");
            }
            circuit.netlist.gates[i] = gate;
        }
    }
}

/// The table, its line and the encoding state the samples: a wrong base, or a netlist without the sign, is seen.
#[test]
fn the_count_sees_a_wrong_base_and_a_missing_sign() {
    for (sigma, center, form) in SMALL {
        for encoding in [Encoding::Sign, Encoding::Integer] {
            let Ok(mut circuit) = Circuit::new(table(sigma, center, form), encoding, Depth::Linear) else { continue };
            circuit.base += 1;
            assert!(circuit.check().is_err(), "{sigma} {center} {form} {encoding}");
        }
        let mut circuit = Circuit::new(table(sigma, center, form), Encoding::Index, Depth::Linear).unwrap();
        circuit.encoding = Encoding::Integer;
        let is_seen = circuit.check().is_err();
        assert_eq!(is_seen, form.starts_with("folded") || form.starts_with("mirrored"), "{sigma} {center} {form}");
    }
}

/// Over all sums of outputs, against the probabilities counted on all inputs.
#[test]
fn the_lower_bound_is_that_of_the_best_sum_of_outputs() {
    let mut seen = [0; 2];
    let tables = SMALL.iter().map(|(sigma, center, form)| table(sigma, center, form));
    // No sum of outputs has an odd mass, and no sum has a mass that is no multiple of 2^5.
    for table in tables.chain([weights(&[13, 17, 1, 33], 6), weights(&[32, 32], 6)]) {
        for encoding in [Encoding::Index, Encoding::Sign, Encoding::Integer] {
            let Ok(circuit) = Circuit::new(table.clone(), encoding, Depth::Linear) else { continue };
            let (netlist, bound) = (circuit.netlist(), circuit.lower_bound());
            let law = occurrences(netlist);
            let needed = |outputs: u64| {
                let is_one = |number: &u64| (number & outputs).count_ones() % 2 == 1;
                let mass: u128 = law.iter().filter(|(number, _)| is_one(number)).map(|(_, mass)| mass).sum();
                (netlist.inputs() - 1).saturating_sub(mass.trailing_zeros())
            };
            let best = (1..1 << netlist.outputs().len()).map(needed).max().unwrap();
            assert_eq!(bound.ands, best);
            assert!(best == 0 || needed(bound.outputs) == best);
            assert!(netlist.counts().and >= best as usize, "{} below {best}", netlist.counts().and);
            seen[usize::from(best + 1 == netlist.inputs())] += 1;
        }
    }
    assert!(seen[0] > 3 && seen[1] > 3, "{seen:?}");
}

#[test]
fn shares_add_up_to_the_outputs() {
    let mut state = 3;
    for (sigma, center, form) in [SMALL[0], SMALL[7], ("3.2", "0", "folded,tail,floor-weights,64")] {
        let circuit = Circuit::new(table(sigma, center, form), Encoding::Integer, Depth::Logarithmic).unwrap();
        let plain = circuit.netlist();
        for order in 0..=3 {
            let (masked, shares) = (plain.masked(order), order as usize + 1);
            let ands = plain.counts().and;
            assert_eq!(masked.inputs() as usize, plain.inputs() as usize * shares + ands * shares * (shares - 1) / 2);
            assert_eq!(masked.counts().and, ands * shares * (2 * shares - 1));
            for _ in 0..4 {
                let inputs: Vec<u64> = (0..masked.inputs()).map(|_| random(&mut state)).collect();
                let sums = |words: &[u64]| -> Vec<u64> {
                    words.chunks(shares).map(|shares| shares.iter().fold(0, |sum, share| sum ^ share)).collect()
                };
                let found = sums(&masked.evaluate(&inputs).unwrap());
                assert_eq!(Some(found), plain.evaluate(&sums(&inputs[..plain.inputs() as usize * shares])));
            }
        }
        assert_eq!(plain.masked(0).counts(), plain.counts());
        assert_eq!(plain.evaluate(&[0; 3]), None);
    }
}

/// The sets of one or two wires whose joint distribution depends on the unshared inputs, by enumeration of all shares and fresh bits; the
/// AND gates share the first `most` fresh bits.
fn leaks(plain: &Netlist, order: u32, most: u32) -> usize {
    let (masked, shares, secrets) = (plain.masked(order), order + 1, plain.inputs());
    let fresh = masked.inputs() - secrets * shares;
    // The randomness in the low bits of a count, the secrets above.
    let randomness = (secrets * order + fresh.min(most)).max(6);
    let wires = masked.inputs() as usize + masked.gates().len();
    let pairs = if order == 1 { 0 } else { wires };
    let tally = |secret: u64| -> Vec<u32> {
        let mut counts = vec![0; wires + pairs * wires];
        for block in 0..1_u64 << (randomness - 6) {
            let random = counted(block, randomness);
            let (others, fresh_words) = random.split_at((secrets * order) as usize);
            let mut inputs = Vec::new();
            for (i, others) in others.chunks(order as usize).enumerate() {
                inputs.push(others.iter().fold((secret >> i & 1).wrapping_neg(), |sum, other| sum ^ other));
                inputs.extend(others);
            }
            let fresh_words = &fresh_words[..fresh.min(most) as usize];
            inputs.extend(fresh_words.iter().cycle().take(fresh as usize));
            inputs.resize(masked.inputs() as usize, 0);
            let values = masked.wires(&inputs);
            for (i, a) in values.iter().enumerate() {
                counts[i] += a.count_ones();
                for (j, b) in values.iter().enumerate().take(pairs).skip(i + 1) {
                    counts[wires + i * pairs + j] += (a & b).count_ones();
                }
            }
        }
        counts
    };
    let first = tally(0);
    let others: Vec<Vec<u32>> = (1..1 << secrets).map(tally).collect();
    (0..first.len()).filter(|i| others.iter().any(|other| other[*i] != first[*i])).count()
}

/// Probing of all wires of small tables: none leaks, but some do without fresh bits, or if AND gates share them.
#[test]
fn small_masked_circuits_leak_nothing_to_probes() {
    for (masses, bits, order) in
        [(&[13, 11, 5, 3][..], 5, 1), (&[25, 19, 13, 7], 6, 1), (&[7, 6, 3], 4, 1), (&[5, 3], 3, 2), (&[2, 1, 1], 2, 2)]
    {
        let circuit = Circuit::new(weights(masses, bits), Encoding::Index, Depth::Linear).unwrap();
        let plain = circuit.netlist();
        assert!(plain.counts().and > 0);
        assert_eq!(leaks(plain, order, u32::MAX), 0, "{masses:?} order {order}");
        // Without fresh bits, and with those of one gate for all gates.
        let reused = (plain.counts().and > 1).then_some(order * (order + 1) / 2);
        for fresh in [Some(0), reused].into_iter().flatten() {
            assert!(leaks(plain, order, fresh) > 0, "{masses:?} order {order} with {fresh} fresh bits");
        }
    }
}

#[test]
fn tables_without_a_circuit_are_refused() {
    let new = |table, encoding| Circuit::new(table, encoding, Depth::Linear).map(|_| ()).unwrap_err();
    assert_eq!(new(weights(&[0, 64], 6), Encoding::Index), CircuitError::Single);
    for form in ["folded,pmf,rest-again,8", "folded,pmf,8"] {
        assert!(matches!(new(table("3", "0", form), Encoding::Index), CircuitError::Uncovered { .. }), "{form}");
    }
    assert_eq!(new(table("3", "0", "half,tail,8"), Encoding::Sign), CircuitError::Sign { line: Line::Half });
    let wide = new(table("1000", "0", "folded,tail,floor-weights,64"), Encoding::Index);
    assert!(matches!(wide, CircuitError::TooMany { values: 8_000..10_000, ands: 1_500..2_500, .. }), "{wide:?}");
}

/// The largest tables take no more than the stated estimate and a few thresholds.
#[test]
fn the_estimate_is_below_a_circuit_and_near_it() {
    for (sigma, bits) in [("1.278", 78), ("20", 64), ("100", 64)] {
        let circuit =
            Circuit::new(table(sigma, "0", &TableForm::folded_cdt(bits).to_string()), Encoding::Index, Depth::Linear)
                .unwrap();
        let (masses, _) = circuit.table().weights(Rest::Next);
        let (least, found) = (estimate(masses.len(), bits) as usize, circuit.netlist().counts().and);
        assert!(least <= found + 8 && found <= least + least / 4, "{sigma}: {least} {found}");
    }
}

/// The circuit of a sum of two samples, and its table.
fn sum(sigma: &str, bits: u32, depth: Depth) -> (Circuit, ConvolutionTable<Vec<u32>>) {
    let options = ConvolutionOptions {
        precision: bits,
        bound: bits,
        base_sigma: u32::MAX,
        ..ConvolutionOptions::constant_time()
    };
    let table = build_convolution(&law(sigma, "5"), &options).unwrap();
    (Circuit::sum(&table, depth).unwrap(), table)
}

/// Over all inputs of a small sum: each sample is as frequent as the products of the table's integers state.
#[test]
fn the_law_of_a_sum_is_a_convolution() {
    for (sigma, bits) in [("3", 7), ("4.4", 8)] {
        for depth in [Depth::Linear, Depth::Logarithmic] {
            let (circuit, table) = sum(sigma, bits, depth);
            assert_eq!(circuit.check(), Ok(()), "{sigma}");
            let (masses, _) = circuit.table().weights(Rest::Next);
            let samples = || (0_i64..).zip(&masses).flat_map(|(y, mass)| [(y, mass), (-y, mass)]);
            let (z1, z2) = table.levels()[0];
            let mut wanted: BTreeMap<i64, u128> = BTreeMap::new();
            for ((y1, m1), (y2, m2)) in samples().flat_map(|one| samples().map(move |two| (one, two))) {
                let ways = u128::from(m1.limbs()[0]) * u128::from(m2.limbs()[0]);
                *wanted.entry(5 + z1 as i64 * y1 + z2 as i64 * y2).or_insert(0) += ways;
            }
            wanted.retain(|_, ways| *ways > 0);
            let width = 64 - circuit.netlist().outputs().len();
            let found = occurrences(circuit.netlist()).into_iter();
            let found = found.map(|(n, ways)| (circuit.base() + ((n << width) as i64 >> width), ways)).collect();
            assert_eq!(wanted, found, "{sigma} {depth}");
        }
    }
}

/// A sum's check sees another kind of gate in either sample and, but for gates that no sum shows, in the adders; and a swapped wire.
#[test]
fn the_check_of_a_sum_sees_changed_gates() {
    let (mut circuit, table) = sum("6", 12, Depth::Linear);
    let (mut seen, len) = ([0; 2], circuit.netlist.gates.len());
    for i in 0..len {
        let gate = circuit.netlist.gates[i];
        let Gate::And(a, b) = gate else { continue };
        circuit.netlist.gates[i] = Gate::Xor(a, b);
        assert!(circuit.check().is_err(), "gate {i}");
        // A wire of the other sample.
        circuit.netlist.gates[i] =
            Gate::And(a, if a < circuit.netlist.inputs / 2 { circuit.netlist.inputs - 1 } else { 0 });
        assert!(circuit.check().is_err(), "gate {i}");
        circuit.netlist.gates[i] = gate;
        seen[usize::from(2 * i > len)] += 1;
    }
    assert!(seen[0] > 20 && seen[1] > 20, "{seen:?}");
    assert_eq!(circuit.check(), Ok(()));
    circuit.base += 1;
    assert!(circuit.check().is_err());
    // Tables of other convolutions.
    let options = ConvolutionOptions { precision: 24, bound: 24, base_sigma: 1, ..ConvolutionOptions::constant_time() };
    let levels = build_convolution(&law("1000", "0"), &options).unwrap();
    assert!(levels.levels().len() > 1);
    assert_eq!(Circuit::sum(&levels, Depth::Linear).map(|_| ()), Err(CircuitError::Sum));
    let nearest = CdtOptions { precision: 12, rounding: Rounding::Nearest, ..CdtOptions::default() };
    let nearest = build_cdt(table.base().target(), &nearest).unwrap();
    let other = ConvolutionTable::new(*table.target(), Bound::TRIVIAL, nearest, table.levels()).unwrap();
    assert_eq!(Circuit::sum(&other, Depth::Linear).map(|_| ()), Err(CircuitError::Sum));
}

/// σ = 1000 at 128 bits, counted, with the convolution's bound.
#[test]
fn wide_laws_are_sums() {
    let (circuit, table) = sum("1000", 128, Depth::Linear);
    assert_eq!((circuit.check(), circuit.bound(), circuit.target()), (Ok(()), table.bound(), table.target()));
    assert!(circuit.bound().log2_sd < -110.0 && circuit.bound().log2_rinf < -105.0, "{:?}", circuit.bound());
    let text = circuit.emit(Format::C, 0, "NOISE", "an example");
    assert!(
        text.contains(" * law: D_Z(sigma = 1000, center = 5)\n * sum: ") && text.contains("the sample is 5 + x"),
        "{text}"
    );
    let counts = circuit.netlist().counts();
    assert!(counts.and < 2000, "{counts:?}");
}
