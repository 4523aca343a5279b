//! Texts that are cut and spoiled: an error or numbers, and never a panic.

use super::arrays::{Numbers, read};
use super::limbs::{Limbs, Order, entries};
use super::tokens::Tokens;

const TEXTS: [&str; 5] = [
    "#define N 3\n/* 1 */\nstatic const uint32_t t[3][2] = {\n  { 0x7fffUL, 2 }, // 4\n  { UINT64_C(9), (int)1 },\n  { 3, 4 },\n};\n",
    "#[rustfmt::skip] pub static T: &'static [[u64; 2]; 2] = &[[1_000_u64, 0x2], [3, 4]];\n",
    "\"\"\"a [1]\"\"\"\nT = np.array([[1, 2], [3, 4]], dtype='O')\n",
    "{\"t\": [\"123\", 4n], 'u': [5, (6)], é: 7}\n",
    "# form: folded,tail,8\n5, 4\n3;2\n",
];

fn numbers(text: &str, name: Option<&str>) -> Result<Numbers, String> {
    read(&Tokens::new(text)?.tokens, name)
}

fn all(text: &str) {
    for name in [None, Some("t")] {
        for limbs in [None, Some(Limbs::Bits(31, None)), Some(Limbs::Bits(7, Some(Order::Least))), Some(Limbs::Cdt)] {
            for column in [None, Some(1), Some(2)] {
                for precision in [1, 62, 256] {
                    let found = numbers(text, name).and_then(|numbers| entries(numbers, limbs, column, precision));
                    assert!(found.is_ok() || !found.unwrap_err().is_empty());
                }
            }
        }
    }
}

#[test]
fn spoiled_texts_do_not_panic() {
    for text in TEXTS {
        for (at, c) in text.char_indices() {
            all(&text[..at]);
            all(&text[at..]);
            for new in ["", "{", "]", "(", ",", "'", "\"", "=", "-", "/*", "#", "9", "\n", ":", "é"] {
                let spoiled = text[..at].to_string() + new + &text[at + c.len_utf8()..];
                let _ = numbers(&spoiled, None);
            }
        }
    }
    all(&"[".repeat(100_000));
    all(&("T = ".to_string() + &"{".repeat(100_000)));
}

/// No beginning of an array is taken for all of it.
#[test]
fn cut_arrays_are_refused() {
    for (text, last) in [(TEXTS[0], "};"), (TEXTS[1], "];"), (TEXTS[2], "],"), ("t = [5, 4]", "]")] {
        let end = text.rfind(last).unwrap();
        assert!(numbers(&text[..=end], None).is_ok(), "{text}");
        let begin = text.find(" = ").unwrap() + 3;
        for at in begin..end {
            assert!(numbers(&text[..at], None).is_err(), "{}", &text[..at]);
        }
    }
}

/// Files of `$readmemh` with addresses: in order, or refused.
#[test]
fn addresses_are_kept() {
    let of = |text: &str| {
        let numbers = numbers(text, None)?.numbers;
        Ok::<_, String>(numbers.iter().map(|(n, _)| n.limbs()[0]).collect::<Vec<_>>())
    };
    for text in ["@0\n0012\n0005\n", "@00000000 // x\n12 5\n", "@0 12\n@1 5\n", "12\n@1\n5\n"] {
        assert_eq!(of(text), Ok(vec![0x12, 5]), "{text:?}");
    }
    for (text, message) in [
        ("@1\n12\n5\n", "line 1: `@1`: expected address 0"),
        ("@0\n12\n@8\n5\n", "line 3: `@8`: expected address 1, because 1 numbers come before"),
        ("@0\nxx\n5\n", "line 2: `xx`: expected hexadecimal digits"),
        ("@0\n12\n@", "line 3: `@`: expected an address"),
    ] {
        let error = of(text).unwrap_err();
        assert!(error.starts_with(message), "{text:?}: {error}");
    }
    // Others have a way out.
    for text in [
        "always @* case (i)\n 2'd0: y = 8'h5;\nendcase\n",
        "t = [big\"5\", big\"4\"]",
        "DATA_RADIX = HEX;\n0 : 5;\n",
        "radix=16;\nvector=\n5,\n4;\n",
    ] {
        let error = of(text).unwrap_err();
        assert!(error.ends_with("write one number in each line, hexadecimal ones behind 0x"), "{text:?}: {error}");
    }
}

#[test]
fn names_sizes_and_shapes() {
    let found = numbers(TEXTS[0], None).unwrap();
    assert_eq!((found.name.as_deref(), found.is_bare), (Some("t"), false));
    let values: Vec<(u64, u32)> = found.numbers.iter().map(|(n, line)| (n.limbs()[0], *line)).collect();
    assert_eq!((found.each, values), (2, vec![(0x7fff, 4), (2, 4), (9, 5), (1, 5), (3, 6), (4, 6)]));
    for (text, name) in [
        ("uint8_t t[2] = {1, 2};", Some("t")),
        ("T: Final[list] = [1, 2]", Some("T")),
        ("self.t = [1, 2]", Some("t")),
        ("a = 3, b = [1, 2];", Some("b")),
        ("a[1] = 3; b = {1, 2};", Some("b")),
        ("const T: [u8; 2] = { let x = [3]; [1, 2] };", Some("x")),
        ("x[3] == 1\nT = (1, 2)", Some("T")),
        ("y = f(3)\nT = vec![1, 2]", Some("T")),
        ("z = w[3]\nT = [1, 2]", Some("T")),
        ("\"t\": [1, 2]", Some("t")),
        ("1, 2", None),
        ("{1, 2}", None),
        ("{1}, {2}", None),
    ] {
        assert_eq!(numbers(text, None).map(|found| found.name), Ok(name.map(String::from)), "{text}");
    }
    // A row for each number is a list, and so are brackets around all; a flat list has the rows that are declared.
    for (text, len, each) in [
        ("t[2][1] = {{1}, {2}}", 2, 1),
        ("t = {{1, 2}}", 2, 1),
        ("t[1][2] = {{1, 2}}", 2, 2),
        ("t = [(1), (2)]", 2, 1),
        ("t[2][2] = {1, 2, 3, 4}", 4, 2),
        ("t = {{{{1, 2}}, {{3, 4}}}}", 4, 2),
    ] {
        let found = numbers(text, None).unwrap();
        assert_eq!((found.numbers.len(), found.each), (len, each), "{text}");
    }
}
