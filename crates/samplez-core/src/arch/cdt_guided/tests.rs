use super::*;
use std::vec;
use std::vec::Vec;

/// A 64-bit xorshift generator, for bytes that no test depends on.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

/// Draw by draw, from the keys themselves.
fn reference(keys: &[u16], folded: bool, bytes: &[u8]) -> (Vec<i8>, usize) {
    let (mut values, mut used) = (vec![], 0);
    while let Some((first, rest)) = bytes[used..].split_first() {
        let (lead, minus) = if folded { (first / 2, first % 2 != 0) } else { (*first, false) };
        let is_open = keys.iter().any(|key| key >> 8 == u16::from(lead));
        let second = match rest.first() {
            Some(_) if !is_open => 0xff,
            Some(second) => *second,
            None if !is_open => 0xff,
            None => break,
        };
        let draw = u16::from(lead) << 8 | u16::from(second);
        if is_open && keys.contains(&draw) {
            break;
        }
        let index = keys.iter().filter(|key| **key > draw).count() as i8;
        values.push(if minus { -index } else { index });
        used += 1 + usize::from(is_open);
    }
    (values, used)
}

/// Keys of every kind that there are codes for: none, one, neighbours, equal ones, many in one lead or two,
/// the smallest and the largest.
fn lists(folded: bool) -> Vec<Vec<u16>> {
    let top: u16 = if folded { 0x7fff } else { 0xffff };
    let gaussian = |sigma: f64| {
        (1..=(8.0 * sigma) as i32)
            .map(|x| f64::from(x) / sigma)
            .map(|x| (f64::from(top) * (-x * x).exp()) as u16)
            .collect()
    };
    vec![
        vec![],
        vec![0],
        vec![top],
        vec![top / 2],
        vec![0x1234; 63],
        vec![0x1234, 0x1233, 0x1200, 0x11ff, 5, 4, 0, 0],
        vec![0x4040, 0x3f80, 0x2000, 0x10ff, 0x1000],
        (0..127).rev().collect(),
        gaussian(1.0),
        gaussian(3.0),
        gaussian(4.5),
    ]
}

fn backends() -> impl Iterator<Item = Backend> {
    Backend::available()
}

/// All decodings of these bytes, from the start on and from behind each hard draw.
fn check(keys: &[u16], folded: bool, bytes: &[u8]) {
    let codes = Codes::new(keys.iter().copied(), folded).unwrap();
    let mut padded = bytes.to_vec();
    // What stands behind the bytes must not matter.
    padded.extend([0x5a; PADDING]);
    let mut from = 0;
    while from < bytes.len() {
        let (values, used) = reference(keys, folded, &bytes[from..]);
        let want = Decoded { used, made: values.len() };
        for backend in backends() {
            let mut out = vec![99; bytes.len() - from + PADDING];
            let decoded = codes.decode(backend, &padded[from..], bytes.len() - from, &mut out);
            assert_eq!(decoded, want, "{backend}, {keys:x?}, {folded}, from {from} of {}", bytes.len());
            assert_eq!(out[..values.len()], values, "{backend}, {keys:x?}, {folded}, from {from}");
        }
        from += used + 1;
    }
}

/// On every backend, for noise of many lengths.
#[test]
fn every_backend_decodes_the_same() {
    let mut noise = Noise(88_172_645_463_325_252);
    for folded in [true, false] {
        for keys in lists(folded) {
            for len in (0..200).chain([512, 1000, 5000]) {
                let bytes: Vec<u8> = (0..len).map(|_| (noise.next() >> 30) as u8).collect();
                check(&keys, folded, &bytes);
            }
        }
    }
}

/// Runs of open bytes, and hard draws, at every place of a group and across the border of two.
#[test]
fn every_place_of_a_group() {
    for folded in [true, false] {
        let shift = u8::from(folded);
        // Leads 0x10 and 0x20 are open, 0x10 for several keys.
        let keys = [0x2080, 0x1040, 0x1020];
        let [open, several] = [0x20 << shift, 0x10 << shift];
        for at in 0..130 {
            for run in 1..8 {
                for (first, last) in
                    [(open, 0x80), (open, 0x7f), (open, 0x81), (several, 0x40), (several, 0x30), (several, 0)]
                {
                    let mut bytes = [0x7e; 140];
                    bytes[at..at + run].fill(first);
                    bytes[at + run] = last;
                    check(&keys, folded, &bytes);
                    check(&keys, folded, &bytes[..=at]);
                    check(&keys, folded, &bytes[..at + run]);
                }
            }
        }
    }
}

#[test]
fn long_draws_have_no_codes() {
    let codes = |keys: &[u16], folded| Codes::new(keys.iter().copied(), folded);
    assert!(codes(&[5; 127], true).is_some() && codes(&[5; 128], true).is_none());
    // One lead in eight, and one more.
    let spread = |len: u16| (0..len).rev().map(|i| i << 8 | 7).collect::<Vec<_>>();
    assert!(codes(&spread(16), true).is_some() && codes(&spread(17), true).is_none());
    assert!(codes(&spread(32), false).is_some() && codes(&spread(33), false).is_none());
    // Two leads that hold several keys, and three.
    assert!(codes(&[0x301, 0x300, 0x201, 0x200], false).is_some());
    assert!(codes(&[0x301, 0x300, 0x201, 0x200, 1, 0], false).is_none());
    // 63 keys above a lead, and 64.
    assert!(codes(&[vec![0x301; 62], vec![0x200]].concat(), true).is_some());
    assert!(codes(&[vec![0x301; 63], vec![0x200]].concat(), true).is_none());
}

#[test]
fn one_draw() {
    for folded in [true, false] {
        for keys in lists(folded) {
            let codes = Codes::new(keys.iter().copied(), folded).unwrap();
            for first in 0..=255 {
                let decided = reference(&keys, folded, &[first]);
                assert_eq!(codes.first(first), decided.0.first().copied());
                for second in 0..=255 {
                    let draw = codes.join(first, second);
                    let (lead, sign) = if folded { (draw >> 1, draw & 1) } else { (draw, 0) };
                    assert_eq!((lead >> 8) as u8, if folded { first >> 1 } else { first });
                    assert_eq!((lead as u8, sign as u8), (second, if folded { first & 1 } else { 0 }));
                }
            }
        }
    }
}
