//! The noise of a scheme: the few methods that this module carries, by the names that they have in every language.

use crate::request::Failure;
use rand_core::Rng;
use samplez_core::bits::BitReader;
use samplez_core::samplers::{CdtGuided, CdtLazyCt, KnuthYao};
use samplez_core::{DiscreteGaussian, Noise, Profile, RangeError, Slots, Timing};
use samplez_schemes::{Demand, Error};
use samplez_tables::{CdtGuidedOptions, CdtOptions, KnuthYaoOptions};

/// Of a law and a precision.
type Builder = fn(&DiscreteGaussian, u32) -> Result<Box<dyn Noise>, Failure>;

/// A method of the library, with a builder of its own: the library's list of methods would bring them all.
struct Method {
    name: &'static str,
    build: Builder,
}

/// The first is what a scheme takes unless another is named: in constant time.
const METHODS: [Method; 3] = [
    Method { name: "cdt-lazy-ct", build: lazy },
    Method { name: "cdt-guided", build: guided },
    Method { name: "knuth-yao-compact", build: walk },
];

/// Precisions tried where none is said, as in the library.
const LADDER: [u32; 8] = [64, 72, 96, 128, 136, 160, 192, 256];

fn table(precision: u32) -> CdtOptions {
    CdtOptions { precision, ..CdtOptions::default() }
}

fn lazy(law: &DiscreteGaussian, precision: u32) -> Result<Box<dyn Noise>, Failure> {
    let table = samplez_tables::build_lazy(law, &table(precision)).map_err(|e| e.to_string())?;
    Ok(Box::new(CdtLazyCt::from_table(table)))
}

fn guided(law: &DiscreteGaussian, precision: u32) -> Result<Box<dyn Noise>, Failure> {
    let options = CdtGuidedOptions { cdt: table(precision), ..CdtGuidedOptions::default() };
    let table = samplez_tables::build_guided(law, &options).map_err(|e| e.to_string())?;
    Ok(Box::new(CdtGuided::from_table(table)))
}

fn walk(law: &DiscreteGaussian, precision: u32) -> Result<Box<dyn Noise>, Failure> {
    let options = KnuthYaoOptions { cdt: table(precision), ..KnuthYaoOptions::default() };
    let table = samplez_tables::build_knuth_yao(law, &options).map_err(|e| e.to_string())?;
    Ok(Box::new(KnuthYao::from_table(table)))
}

/// A sampler whose declaration was computed once: a signer looks at it before each signature, and it takes a walk through the table.
struct Declared {
    noise: Box<dyn Noise>,
    profile: Profile,
}

impl Noise for Declared {
    fn noise_profile(&self) -> Profile {
        self.profile.clone()
    }
    fn noise_timing(&self) -> Timing {
        self.noise.noise_timing()
    }
    fn noise_batch(&self) -> usize {
        self.noise.noise_batch()
    }
    fn noise_sample(&self, bits: &mut BitReader<dyn Rng + '_>) -> i64 {
        self.noise.noise_sample(bits)
    }
    fn noise_fill(&self, bits: &mut BitReader<dyn Rng + '_>, out: Slots<'_>) -> Result<(), RangeError> {
        self.noise.noise_fill(bits, out)
    }
}

/// A sampler for a scheme, and the recipe's pairs, without the law, that make it again.
pub(crate) struct Built {
    pub(crate) noise: Box<dyn Noise>,
    pub(crate) recipe: String,
}

/// What a text such as `method=cdt-guided,precision=192` says; nothing of what it leaves open.
#[derive(Default)]
struct Said {
    method: Option<&'static Method>,
    precision: Option<u32>,
}

fn read(text: &str, law: &DiscreteGaussian) -> Result<Said, Failure> {
    let (width, own) = (law.width().name(), law.width().value().to_string());
    let mut said = Said::default();
    let mut names = Vec::new();
    for pair in text.split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').ok_or_else(|| format!("noise = {pair}: expected name=value"))?;
        let (name, value) = (name.trim(), value.trim());
        match name {
            _ if names.contains(&name) => return Err(format!("{name} = {value}: is given twice").into()),
            "method" if value == "auto" => {}
            "method" => said.method = Some(method(value)?),
            "precision" => said.precision = Some(precision(value)?),
            // What the library's recipes say of a law, in their own words.
            "center" if value == "0" => {}
            _ if (name, value) == (width, own.as_str()) => {}
            _ => {
                let message = format!("{name} = {value}: expected a method or a precision; the scheme's law is {law}");
                return Err(Failure::new("unsupported", message));
            }
        }
        names.push(name);
    }
    Ok(said)
}

fn method(name: &str) -> Result<&'static Method, Failure> {
    METHODS.iter().find(|method| method.name == name).ok_or_else(|| {
        let names: Vec<_> = METHODS.iter().map(|method| method.name).collect();
        Failure::new("unknown", format!("method = {name}: expected one of auto, {}", names.join(", ")))
    })
}

fn precision(text: &str) -> Result<u32, Failure> {
    let bits = text.parse().ok().filter(|bits| (1..=256).contains(bits));
    bits.ok_or_else(|| {
        Failure::new("out-of-range", format!("precision = {text}: expected a number between 1 and 256 bits"))
    })
}

/// A sampler that meets the demand, by the method and with the precision that the text names; where it names none, by the first
/// method, and with the least precision that will do.
pub(crate) fn build(demand: &Demand, text: &str) -> Result<Built, Failure> {
    let said = read(text, &demand.law)?;
    let method = said.method.unwrap_or(&METHODS[0]);
    let made = |precision: u32| -> Result<Built, Failure> {
        let noise = (method.build)(&demand.law, precision)?;
        let noise = Box::new(Declared { profile: noise.profile(), noise });
        // The noise is the table's, whose precision is what can be changed.
        demand.check(&*noise).map_err(|e| match e {
            Error::Refused { allowed, .. } => {
                Failure::new("unsupported", format!("precision = {precision}: {allowed}"))
            }
            other => other.into(),
        })?;
        Ok(Built { noise, recipe: format!("method={},precision={precision}", method.name) })
    };
    let mut refusal = Failure::from("no precision");
    for precision in said.precision.as_ref().map_or(&LADDER[..], std::slice::from_ref) {
        match made(*precision) {
            Ok(built) => return Ok(built),
            Err(why) => refusal = why,
        }
    }
    Err(refusal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use samplez::Method as Known;
    use samplez::schemes;
    use samplez_schemes::{bliss, lp11, regev};

    /// By the same name, and with what is left open, the library builds noise of the same law and table.
    #[test]
    fn noise_is_the_librarys() {
        assert_eq!(LADDER, schemes::PRECISIONS);
        for demand in [bliss::Set::II.demand(), lp11::Set::Ring256.demand(), regev::Set::Mr09N136.parameters().demand()]
        {
            for method in METHODS {
                let here = build(&demand, &format!("method={}", method.name)).unwrap();
                let there = schemes::noise(&demand, &here.recipe).unwrap();
                assert_eq!(here.noise.profile(), *there.profile());
                let open = schemes::noise(&demand, &format!("method={}", method.name)).unwrap();
                assert_eq!(open.recipe(), there.recipe());
                assert!(build(&demand, &there.recipe().to_string()).is_ok_and(|again| again.recipe == here.recipe));
            }
        }
        assert!(METHODS.iter().all(|method| method.name.parse::<Known>().is_ok()));
        let bliss = bliss::Set::ALL.map(|set| set.demand());
        let lp11 = lp11::Set::ALL.map(|set| set.demand());
        let regev = regev::Set::ALL.map(|set| set.parameters().demand());
        for demand in bliss.iter().chain(&lp11).chain(&regev) {
            let default = build(demand, "").unwrap();
            assert_eq!(default.noise.timing(), Timing::Constant);
            assert!(default.recipe.starts_with("method=cdt-lazy-ct,"), "{}", default.recipe);
        }
    }

    #[test]
    fn what_is_not_allowed_is_said() {
        let demand = lp11::Set::Ring256.demand();
        let error = |text: &str| build(&demand, text).map(|built| built.recipe).unwrap_err().message;
        assert_eq!(
            error("method=dice"),
            "method = dice: expected one of auto, cdt-lazy-ct, cdt-guided, knuth-yao-compact"
        );
        assert!(
            error("precision=64")
                .starts_with("precision = 64: its certificate must keep 126 of 128 bits of a decision problem")
        );
        assert_eq!(error("precision=257"), "precision = 257: expected a number between 1 and 256 bits");
        assert_eq!(error("method=cdt-lazy-ct, method=auto"), "method = auto: is given twice");
        assert_eq!(error("method"), "noise = method: expected name=value");
        let law = "expected a method or a precision; the scheme's law is D_Z(s = 1131/100, center = 0)";
        assert_eq!(error("sigma=3"), format!("sigma = 3: {law}"));
        assert_eq!(error("exact=true"), format!("exact = true: {law}"));
    }
}
