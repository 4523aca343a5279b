//! The gadget of an AND gate, by enumeration: is it PINI, as \[CS20\] defines it?
//!
//! The values of t1 inner wires and of some output shares, t1 + t2 <= order in all, must depend on no input shares but those with the
//! numbers of these output shares and t1 further numbers.

use super::{BTreeMap, Gate, Netlist, Vec, counted, vec};

/// The masked product of inputs 0 and 1.
fn gadget(order: u32) -> Netlist {
    Netlist { inputs: 2, gates: vec![Gate::And(0, 1)], outputs: vec![2] }.masked(order)
}

/// A gadget of two shares whose cross products a_i·b_j are wires by themselves.
fn unblinded() -> Netlist {
    let (a, b, r) = ([0, 1], [2, 3], 4);
    let gates = vec![
        Gate::And(a[0], b[0]),
        Gate::Xor(5, r),
        Gate::And(a[0], b[1]),
        Gate::Xor(r, 7),
        Gate::And(a[1], b[0]),
        Gate::Xor(8, 9),
        Gate::And(a[1], b[1]),
        Gate::Xor(11, 10),
    ];
    Netlist { inputs: 5, gates, outputs: vec![6, 12] }
}

/// How many sets of at most `order` wires violate the definition. Fresh bit i of the gadget is bit `fresh(i)`, or 0.
fn violations(gadget: &Netlist, order: u32, fresh: impl Fn(u32) -> Option<u32>) -> usize {
    let shares = order + 1;
    let inputs = 2 * shares;
    let count = gadget.inputs() - inputs;
    // Bits of randomness, below those of the input shares; at least 64 values, which are a word.
    let random = count.max(6);
    let (words, total) = (1_usize << (random - 6), 1_u64 << (random + inputs - 6));
    let mut wires: Vec<Vec<u64>> = Vec::new();
    for block in 0..total {
        let bits = counted(block, random + inputs);
        let mut given = bits[random as usize..].to_vec();
        given.extend((0..count).map(|i| fresh(i).map_or(0, |i| bits[i as usize])));
        let values = gadget.wires(&given);
        wires.resize(values.len(), Vec::new());
        wires.iter_mut().zip(values).for_each(|(wire, value)| wire.push(value));
    }
    // A wire and its complement, and equal wires, are one probe; output shares are probes of their own.
    let output = |wire: usize| gadget.outputs().iter().position(|output| *output as usize == wire);
    let mut probes: Vec<(Vec<u64>, Option<usize>)> = Vec::new();
    for (i, wire) in wires.into_iter().enumerate() {
        let plain: Vec<u64> = wire.iter().map(|word| word ^ (wire[0] & 1).wrapping_neg()).collect();
        if output(i).is_some() || probes.iter().all(|(known, _)| *known != plain) {
            probes.push((plain, output(i)));
        }
    }
    // The numbers of the input shares on which the mean of a sum of probes depends.
    let mut known: BTreeMap<Vec<usize>, u32> = BTreeMap::new();
    let mut depends = |summed: Vec<usize>| -> u32 {
        *known.entry(summed).or_insert_with_key(|summed| {
            let sum = |i: usize| summed.iter().fold(0, |sum, probe| sum ^ probes[*probe].0[i]);
            let given =
                (0..1 << inputs).map(|input| (input * words..(input + 1) * words).map(|i| sum(i).count_ones()).sum());
            let ones: Vec<u32> = given.collect();
            if ones.iter().all(|n| *n == ones[0]) {
                return 0;
            }
            let on = |bit: u32| (0..ones.len()).any(|i| ones[i] != ones[i ^ 1 << bit]);
            (0..inputs).filter(|bit| on(*bit)).fold(0, |set, bit| set | 1 << (bit % shares))
        })
    };
    // Sets of probes, and the numbers on which their joint distribution depends: that of the sums over all their subsets.
    let mut wrong = 0;
    let mut stack: Vec<(Vec<usize>, u32)> = vec![(Vec::new(), 0)];
    while let Some((set, before)) = stack.pop() {
        for next in set.last().map_or(0, |last| last + 1)..probes.len() {
            let of =
                |subset: usize| (0..set.len()).filter(|i| subset >> i & 1 == 1).map(|i| set[i]).chain([next]).collect();
            let found = (0..1_usize << set.len()).fold(before, |found, subset| found | depends(of(subset)));
            let set: Vec<usize> = set.iter().copied().chain([next]).collect();
            let outputs = set.iter().filter_map(|probe| probes[*probe].1).fold(0_u32, |set, share| set | 1 << share);
            let inner = set.len() as u32 - outputs.count_ones();
            wrong += usize::from((found & !outputs).count_ones() > inner);
            if set.len() < order as usize {
                stack.push((set, found));
            }
        }
    }
    wrong
}

#[test]
fn the_gadget_of_an_and_gate_is_pini() {
    for order in 1..=2 {
        assert_eq!(violations(&gadget(order), order, Some), 0, "order {order}");
    }
}

/// 80,000 sets of wires, each for all 2^14 values of shares and fresh bits: some seconds.
#[test]
fn the_gadget_of_order_3_is_pini() {
    assert_eq!(violations(&gadget(3), 3, Some), 0);
}

#[test]
fn gadgets_that_are_not_pini_are_seen() {
    for order in 1..=2 {
        assert!(violations(&gadget(order), order, |_| None) > 0, "order {order} without fresh bits");
    }
    assert!(violations(&gadget(2), 2, |_| Some(0)) > 0, "one fresh bit for all pairs");
    assert!(violations(&unblinded(), 1, Some) > 0);
}
