//! What is put to the tests: every method that claims constant or isochronous time, for each output type, filled and one by
//! one, over tables of several precisions, on every backend; trials and calls of those with a centre per call; controls that leak.

use crate::signers::{self, Leak};
use crate::work::{Dtype, Entry, Subject, Work};
use samplez::bindings::Backend;
use samplez::samplers::{SamplerZ, StripRounder};
use samplez::{Method, Modulus, Rational, Timing};
use std::cell::LazyCell;
use std::rc::Rc;

/// What a case must show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// No finding.
    Constant,
    /// A planted leak: a finding, or the test is blind.
    Leaks,
    /// A planted leak by addresses in the nearest cache: memcheck finds it, no clock does.
    LeaksAddresses,
}

/// A piece of work over secret bits.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) backend: Option<Backend>,
    pub(crate) claim: Claim,
    /// Whether a clock can judge it: a signature's challenge, which is public, tells what is read.
    timed: bool,
    /// Tables are built when a case of theirs runs.
    make: Box<dyn Fn() -> Work>,
}

/// Laws at a precision (none: the method has no such option), with the types that are filled.
pub(crate) type Laws = &'static [(&'static str, &'static str, Option<u32>, &'static [Dtype])];

/// For each method that claims constant or isochronous timing, its laws: every output type, and precisions on both sides
/// of the words of each kernel. Tables of each number of levels that has code of its own.
pub(crate) const METHODS: &[(Method, Laws)] = {
    use Dtype::{I8, I16, I32, I64};
    &[
        (
            Method::CdtCt,
            &[
                ("3.2", "0", Some(72), &[I8, I16, I32, I64]),
                ("1.7", "-5", Some(20), &[I8]),
                ("19.5", "1/3", Some(80), &[I16]),
                ("1.7", "-5", Some(128), &[I16]),
                ("3.2", "0", Some(200), &[I8]),
                ("3.2", "1/3", Some(256), &[I64]),
            ],
        ),
        (
            Method::CdtLazyCt,
            &[
                ("3.2", "0", Some(72), &[I8, I16, I32, I64]),
                ("1.7", "-5", Some(20), &[I8, I64]),
                ("3.2", "1/3", Some(128), &[I8]),
                ("9", "0", Some(128), &[I8]),
                ("19.5", "0", Some(72), &[I16, I32, I64]),
                ("100", "1/3", Some(72), &[I16]),
                ("3.2", "0", Some(200), &[I32]),
                ("3.2", "0", Some(256), &[I16]),
            ],
        ),
        (
            Method::KnuthYaoCt,
            &[
                ("3.2", "0", Some(72), &[I8, I16, I32, I64]),
                ("1.7", "-5", Some(20), &[I8]),
                ("3.2", "1/3", Some(128), &[I8]),
                ("6", "0", Some(128), &[I8]),
                ("8", "1/3", Some(128), &[I16]),
                ("3.2", "0", Some(200), &[I8]),
                ("5", "0", Some(256), &[I32]),
            ],
        ),
        (
            Method::ConvolutionCt,
            &[
                ("215", "0", Some(72), &[I16, I32, I64]),
                ("5", "0", Some(20), &[I8]),
                ("1.6e5", "-7", Some(128), &[I32]),
                ("1e9", "0", Some(200), &[I64]),
                ("100", "0", Some(256), &[I16]),
            ],
        ),
        (
            Method::Isochronous,
            &[
                ("215", "1/3", None, &[I16, I32, I64]),
                ("3.2", "0", None, &[I8, I64]),
                ("1", "-1/3", None, &[I8]),
                ("1000", "1/3", None, &[I16]),
                ("1e6", "0", None, &[I32]),
            ],
        ),
        (Method::Wide, &[("1e8", "1/3", None, &[I32, I64]), ("1e15", "-7/2", None, &[I8, I16, I64])]),
    ]
};

/// Recipes of `BigGaussian`, each with σ of its base: proposals of wide laws, decisions of a law nearby, and neither.
const BIG: [(&str, &str); 4] = [
    ("sigma=1e30,center=1/3", "20000000"),
    ("sigma=1e100,center=1e200", "20000000"),
    ("sigma=3.2000000000000000000000000000000001,center=1/3", "3.2"),
    ("sigma=3.2,center=1e300", "3.2"),
];

/// A sampler that several cases share, built for the first that runs.
type Made = Rc<LazyCell<Rc<Subject>, Box<dyn FnOnce() -> Rc<Subject>>>>;

/// The cases of a method.
fn of_method(method: Method, laws: Laws, cases: &mut Vec<Case>) {
    for (sigma, center, precision, dtypes) in laws.iter().copied() {
        let bits = precision.map_or(String::new(), |bits| format!(", {bits} bits"));
        let subjects = [false, true].map(|small| {
            Rc::new(
                LazyCell::new(Box::new(move || Rc::new(Subject::new(method, small, sigma, center, precision))) as _),
            )
        });
        let mut add = |what: String, backend: Option<Backend>, small: bool, entry: Entry| {
            let subject: Made = Rc::clone(&subjects[usize::from(small)]);
            cases.push(Case {
                name: format!("{method} {what} ({sigma}, {center}{bits})"),
                backend,
                claim: Claim::Constant,
                timed: true,
                make: Box::new(move || Work::Of(Rc::clone(&subject), entry)),
            });
        };
        for (dtype, backend) in dtypes.iter().flat_map(|dtype| Backend::ALL.map(|backend| (*dtype, backend))) {
            add(format!("fill, {dtype:?}"), Some(backend), false, Entry::Fill(dtype, backend));
        }
        if method == Method::CdtCt {
            for backend in Backend::ALL {
                add("in little stack, fill, I64".into(), Some(backend), true, Entry::Fill(Dtype::I64, backend));
            }
        }
        add("sample".into(), None, false, Entry::Sample);
    }
}

fn rational(text: &str) -> Rational {
    text.parse().expect("a rational")
}

/// Every case, in the same order on every machine.
pub(crate) fn all() -> Vec<Case> {
    let mut cases = Vec::new();
    for (method, laws) in METHODS {
        of_method(*method, laws, &mut cases);
    }
    let mut add = |name: String, backend: Option<Backend>, claim, make: Box<dyn Fn() -> Work>| {
        cases.push(Case { name, backend, claim, timed: claim != Claim::LeaksAddresses, make });
    };
    let width = SamplerZ::FALCON_512.width(rational("1.7")).expect("a width allowed");
    add("sampler-z trials (1.7)".into(), None, Claim::Constant, Box::new(move || Work::SmallTrials(width)));
    for backend in Backend::ALL {
        let name = "sampler-z batch trials (1.7)".into();
        add(name, Some(backend), Claim::Constant, Box::new(move || Work::Batch(width, backend)));
    }
    add("sampler-z store (1.7)".into(), None, Claim::Constant, Box::new(move || Work::Stored(width)));
    for (min, max) in [("1.2778336969128337", "1.8205"), ("150", "215")] {
        let rounder = StripRounder::new(rational(min), rational(max)).expect("a range allowed");
        let widths = [min, max].map(|sigma| rounder.width(rational(sigma)).expect("an end of the range"));
        let name = format!("strips calls ({min}, {max})");
        add(name, None, Claim::Constant, Box::new(move || Work::Calls(rounder, widths)));
        for backend in Backend::ALL {
            let name = format!("strips batch ({min}, {max})");
            add(name, Some(backend), Claim::Constant, Box::new(move || Work::CallBatch(rounder, widths, backend)));
        }
    }
    for (recipe, base) in BIG {
        let subject: Made = Rc::new(LazyCell::new(Box::new(|| Rc::new(Subject::big(recipe, base))) as _));
        let name = |what: &str| format!("BigGaussian {what} ({recipe})");
        for backend in Backend::ALL {
            let subject = Rc::clone(&subject);
            let make = move || Work::Of(Rc::clone(&subject), Entry::Fill(Dtype::I64, backend));
            add(name("fill"), Some(backend), Claim::Constant, Box::new(make));
        }
        let make = move || Work::Of(Rc::clone(&subject), Entry::Sample);
        add(name("sample"), None, Claim::Constant, Box::new(make));
    }
    for q in [12289, 65537, (1 << 61) - 1] {
        let modulus = Modulus::new(q).expect("a modulus");
        add(format!("residues ({q})"), None, Claim::Constant, Box::new(move || Work::Residues(modulus)));
    }
    let mut leak = |name: &str, claim, make| add(format!("control: {name}"), None, claim, make);
    let narrow = || Subject::new(Method::CdtCt, false, "3.2", "0", Some(72));
    leak("cdt, variable-time", Claim::LeaksAddresses, Box::new(Work::variable));
    let undeclared = || Work::Undeclared(Subject::new(Method::Isochronous, false, "215", "0", None));
    leak("rejection, not declassified", Claim::Leaks, Box::new(undeclared));
    leak("a branch on a sample", Claim::Leaks, Box::new(move || Work::Branch(narrow())));
    let lines = move || Work::Index(narrow(), Box::new([1; 4096]));
    leak("an index by a sample", Claim::LeaksAddresses, Box::new(lines));
    cases.extend(signers::all().into_iter().map(|signing| Case {
        name: signing.name(),
        backend: None,
        claim: if signing.leak == Leak::None { Claim::Constant } else { Claim::Leaks },
        timed: false,
        make: Box::new(move || Work::Sign(signing)),
    }));
    cases
}

impl Case {
    /// Whether this machine has its backend.
    pub(crate) fn is_available(&self) -> bool {
        self.backend.is_none_or(Backend::is_available)
    }

    /// Whether a clock can judge it.
    pub(crate) fn is_timed(&self) -> bool {
        self.timed
    }

    /// The name of its backend.
    pub(crate) fn backend_name(&self) -> &'static str {
        self.backend.map_or("-", Backend::name)
    }

    /// What it runs, with its tables.
    pub(crate) fn work(&self) -> Work {
        (self.make)()
    }
}

/// Lists the cases that are missing. Each method that claims constant or isochronous timing needs fills of all output types on all
/// backends, and single samples. If it has a precision, it needs both at 20, 72, 128, 200 and 256 bits.
pub(crate) fn missing(cases: &[Case]) -> Vec<String> {
    let mut missing = Vec::new();
    for method in Method::ALL.into_iter().filter(|method| method.timing() != Timing::Variable) {
        let mut need = |words: &[&str], backend: Option<Backend>| {
            let found = cases.iter().any(|case| {
                let is_of = case.name.starts_with(&format!("{method} "));
                let is_claim = case.claim == Claim::Constant && case.backend == backend;
                is_of && is_claim && words.iter().all(|word| case.name.contains(word))
            });
            if !found {
                missing.push(format!("{method}: {}, {}", words.join(", "), backend.map_or("-", Backend::name)));
            }
        };
        for (dtype, backend) in Dtype::ALL.iter().flat_map(|d| Backend::ALL.map(|backend| (d, backend))) {
            need(&[&format!("fill, {dtype:?}")], Some(backend));
        }
        need(&["sample"], None);
        let precisions: &[u32] = if method.row().heeds.contains(&"precision") { &[20, 72, 128, 200, 256] } else { &[] };
        for bits in precisions {
            let bits = format!("{bits} bits");
            Backend::ALL.into_iter().for_each(|backend| need(&["fill", &bits], Some(backend)));
            need(&["sample", &bits], None);
        }
    }
    missing
}
