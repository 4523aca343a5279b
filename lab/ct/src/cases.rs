//! The cases of the tests: the choices of [`samplez_ct::subjects`], signatures, and controls that leak.

use crate::secret::Marks;
use crate::signers::{self, Leak};
use crate::work::{Work, noise};
use samplez::bindings::Backend;
use samplez_ct::rare::{PATHS, Path};
use samplez_ct::subjects::{Choice, Entry, Subject, choices};

/// The result that a case must show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// No finding.
    Constant,
    /// A refusal, which the result reveals: at most so many branches.
    Branches(u64),
    /// A planted leak: a finding, or the test is blind.
    Leaks,
    /// A planted leak by addresses in the nearest cache: memcheck finds it, no clock does.
    LeaksAddresses,
}

impl Claim {
    /// Whether so many findings are as claimed.
    pub(crate) fn allows(self, findings: u64) -> bool {
        match self {
            Claim::Constant => findings == 0,
            Claim::Branches(most) => findings <= most,
            Claim::Leaks | Claim::LeaksAddresses => findings > 0,
        }
    }
}

/// A piece of work over secret words.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) backend: Option<Backend>,
    pub(crate) claim: Claim,
    /// Whether what the library marks becomes public.
    pub(crate) is_marked: bool,
    /// Whether the slice of `make test-deep` has it.
    pub(crate) is_quick: bool,
    /// Whether a clock can judge it: a signature's challenge, which is public, tells what is read.
    pub(crate) is_timed: bool,
    /// The rare path that it is forced to take.
    pub(crate) path: Option<&'static Path>,
    /// Tables are built when a case of theirs runs.
    make: Box<dyn Fn() -> Work>,
}

/// Every case, in the same order on every machine.
pub(crate) fn all() -> Vec<Case> {
    let mut cases: Vec<Case> = choices()
        .into_iter()
        .map(|choice| Case {
            name: choice.to_string(),
            backend: Some(choice.backend),
            claim: if choice.entry == Entry::Convert { Claim::Branches(4) } else { Claim::Constant },
            is_marked: true,
            is_quick: choice.quick,
            is_timed: choice.entry != Entry::Convert,
            path: None,
            make: Box::new(move || Work::new(&choice)),
        })
        .collect();
    let mut leak = |name: &str, claim, is_marked, make| {
        let is_timed = claim == Claim::Leaks;
        let name = format!("control: {name}");
        cases.push(Case { name, backend: None, claim, is_marked, is_quick: true, is_timed, path: None, make });
    };
    let narrow = || noise("method=cdt-ct,sigma=3.2,precision=72");
    let variable = || Work::Plain(noise("method=cdt,sigma=3.2,precision=72"));
    leak("cdt, variable-time", Claim::LeaksAddresses, true, Box::new(variable));
    let rejection = || Work::Plain(noise("method=isochronous,sigma=215"));
    leak("rejection, not declassified", Claim::Leaks, false, Box::new(rejection));
    leak("a branch on a sample", Claim::Leaks, true, Box::new(move || Work::Branch(narrow())));
    let lines = move || Work::Index(narrow(), Box::new([1; 4096]));
    leak("an index by a sample", Claim::LeaksAddresses, true, Box::new(lines));
    cases.extend(signers::all().into_iter().map(|signing| Case {
        name: signing.name(),
        backend: None,
        claim: if signing.leak == Leak::None { Claim::Constant } else { Claim::Leaks },
        is_marked: true,
        is_quick: true,
        is_timed: false,
        path: None,
        make: Box::new(move || Work::Sign(signing)),
    }));
    cases.extend(rare());
    cases
}

/// Rare paths, on the backends that memcheck knows. The slice has one backend of each, in turns.
fn rare() -> impl Iterator<Item = Case> {
    let runs = PATHS.iter().flat_map(|path| path.runs.iter().map(move |run| (path, run))).enumerate();
    runs.flat_map(|(number, (path, (name, law, entry, dtype, length)))| {
        let subject = Subject { name, entries: &[], laws: &[], batch: 1 };
        let backends = [Backend::Avx2, Backend::Scalar].into_iter().enumerate();
        backends.map(move |(i, backend)| {
            let is_quick = i == number % 2;
            let choice =
                Choice { subject, law, entry: *entry, dtype: *dtype, length: *length, backend, quick: is_quick };
            Case {
                name: format!("{choice}: {}", path.name),
                backend: Some(backend),
                claim: Claim::Constant,
                is_marked: true,
                is_quick,
                is_timed: false,
                path: Some(path),
                make: Box::new(move || Work::new(&choice)),
            }
        })
    })
}

impl Case {
    /// Whether this machine has its backend.
    pub(crate) fn is_available(&self) -> bool {
        self.backend.is_none_or(Backend::is_available)
    }

    /// The name of its backend.
    pub(crate) fn backend_name(&self) -> &'static str {
        self.backend.map_or("-", Backend::name)
    }

    /// The work with its tables, and the default marks of its run.
    pub(crate) fn work(&self, marked: Marks) -> (Work, Marks) {
        Backend::force(self.backend);
        ((self.make)(), if self.is_marked { marked } else { Marks::Ignored })
    }
}
