//! Samplers.

use crate::law::gaussian;
use crate::status::{Failed, array, behind, create, free, guard, place, samplez_status, text};
use samplez::bindings::{SamplerNumber, promised};
use samplez::table_sampler;
use samplez::{BigGaussian, Built, Certificate, Exactness, Noise, Profile, Recipe, Refused, RefusedKind};
use samplez_tables::{PlainError, PlainTable, TableForm, TargetLaw, Whole};
use std::borrow::Cow;
use std::ffi::{CString, c_char};
use std::ptr;
use std::sync::OnceLock;

/// A sampler of one law: immutable, and safe to use from many threads at once.
pub struct samplez_sampler {
    origin: Origin,
    pub(crate) number: SamplerNumber,
    /// In the order of [`TEXTS`]: each of the first call for it.
    texts: [OnceLock<Option<CString>>; TEXTS.len()],
    /// Of the first call of `samplez_sampler_pmf`.
    law: OnceLock<TargetLaw>,
}

/// What a sampler was built from.
enum Origin {
    Recipe(Box<Built>),
    Table { sampler: Box<dyn Noise>, profile: Box<Profile>, certificate: Box<Certificate> },
}

const TEXTS: [&str; 6] = ["method", "recipe", "timing", "reason", "certificate", "certificate_json"];

impl samplez_sampler {
    fn new(origin: Origin) -> Self {
        let texts = [const { OnceLock::new() }; TEXTS.len()];
        samplez_sampler { origin, number: SamplerNumber::unique(), texts, law: OnceLock::new() }
    }

    pub(crate) fn noise(&self) -> &dyn Noise {
        match &self.origin {
            Origin::Recipe(built) => built.sampler(),
            Origin::Table { sampler, .. } => &**sampler,
        }
    }

    fn profile(&self) -> &Profile {
        match &self.origin {
            Origin::Recipe(built) => built.profile(),
            Origin::Table { profile, .. } => profile,
        }
    }

    /// One of [`TEXTS`], if the sampler has it.
    fn text(&self, name: &str) -> Option<String> {
        let built = match &self.origin {
            Origin::Recipe(built) => Some(&**built),
            Origin::Table { .. } => None,
        };
        let certificate = || match &self.origin {
            Origin::Recipe(built) => Cow::Owned(built.certificate()),
            Origin::Table { certificate, .. } => Cow::Borrowed(&**certificate),
        };
        Some(match name {
            "method" => built?.method()?.to_string(),
            "recipe" => built?.recipe().to_string(),
            "timing" => promised(self.profile().timing).to_string(),
            "reason" => built?.reason().to_owned(),
            "certificate" => certificate().to_string(),
            _ => certificate().to_json(),
        })
    }
}

/// Builds a sampler from a recipe.
///
/// `recipe` is a text such as "sigma=3.2,center=1/3,precision=72": pairs of a name and a value, with commas between
/// them. It requires a width: sigma, sigma_squared, k_sigma2 or s. You may leave out the rest: center (0), method
/// (auto, the planner's choice) and the options of the command line, with underscores for its dashes. Numbers are
/// exact: 3.2 is 16/5. An option that the method would ignore is refused.
///
/// Or the text is one of these other noises, which have one sampler and no method:
/// - "ternary": uniform on {-1, 0, 1}, as for the secrets of homomorphic encryption. Isochronous.
/// - "centered_binomial=eta", or "cbd=eta": the sum of eta fair bits minus the sum of as many others, for eta from 1 to 2^20. In constant
///   time, and from 2*eta random bits.
/// - "tuniform=bound_log2": TFHE's TUniform, uniform on -2^b ..= 2^b except that each end has half the mass of the other values, for
///   b from 0 to 62. In constant time.
/// - "skellam=variance": the difference of two Poisson variables of mean variance/2 each, exactly, for a variance from 2^-16 to 2^20.
///   In constant time. Only a remainder, which replaces a sample with a probability below 2^-99, takes another time. Variances of
///   independent Skellam variables add: for a larger one, add samples.
/// - "laplace=scale": discrete Laplace, P(x) proportional to exp(-|x|/scale), exactly, for a scale from 2^-16 to 2^50. In constant time,
///   except with a probability below 2^-53 a sample, when more bits are drawn. With ",clip=bound", from 1 and scale/2 to 2^53, given that
///   |x| is at most the bound, by rejection: isochronous.
///
/// On success `*out` is a handle for `samplez_sampler_free`; on failure it is NULL.
///
/// # Safety
///
/// `recipe` ends with a zero byte; `out` points to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_sampler_new(recipe: *const c_char, out: *mut *mut samplez_sampler) -> samplez_status {
    let make = || {
        // SAFETY: a text by the function's condition.
        let typed = unsafe { text("recipe", recipe) }?;
        let recipe: Recipe = typed.parse().map_err(|e| longer(e, typed))?;
        let as_typed = |e: Refused| e.as_typed(Recipe::pairs(typed).unwrap_or_default());
        let built = recipe.build().map_err(|e| longer(as_typed(e), typed))?;
        Ok(samplez_sampler::new(Origin::Recipe(Box::new(built))))
    };
    // SAFETY: a place for a pointer by the function's condition.
    unsafe { create(out, make) }
}

/// Builds a constant-time sampler over your own table, such as the table of a specification. Its law is the table's.
/// The certificate is the distance from `law`, computed from the entries.
///
/// `law` is the law aimed at: a width and a centre as in a recipe, such as "sigma=2.8". `form` is the form of the
/// entries, in the words of `samplez certify --form`: "folded,tail,72", "full,tail,first=-10,64", "mirrored,pmf,16"
/// or "frodo", "hawk", "lazer". An entry has `limbs` words of 64 bits, 1 to 5, the least significant first; `entries`
/// has count * limbs words. They are copied.
///
/// SAMPLEZ_INVALID_ARGUMENT for entries that are no table of this form: a tail that rises, a sum above 2^precision, a wrong number of
/// entries. Also for a form without such a sampler: a half line ("falcon"), a line about a half-integer, draws that no entry covers
/// without rest-next or rest-mode.
///
/// The method, recipe and reason of such a sampler are NULL. On success `*out` is a handle for `samplez_sampler_free`; on failure it is
/// NULL.
///
/// # Safety
///
/// `law` and `form` end with a zero byte; `entries` has count * limbs words; `out` points to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_sampler_from_table(
    law: *const c_char,
    form: *const c_char,
    entries: *const u64,
    count: usize,
    limbs: usize,
    out: *mut *mut samplez_sampler,
) -> samplez_status {
    let make = || {
        // SAFETY: a text by the function's condition.
        let typed = unsafe { text("law", law) }?;
        let law = gaussian("law", typed, "; the precision belongs to the form")?;
        // SAFETY: a text by the function's condition.
        let named = unsafe { text("form", form) }?;
        let form: TableForm = named.parse().map_err(Failed::refused)?;
        if !(1..=5).contains(&limbs) {
            return Err(Failed::range(format_args!("limbs = {limbs}: expected a number between 1 and 5")));
        }
        let words = count.checked_mul(limbs);
        let words = words
            .ok_or_else(|| Failed::range(format_args!("count = {count}: expected no more than memory can hold")))?;
        // SAFETY: so many words by the function's condition.
        let entries = unsafe { array("entries", entries, words) }?;
        let whole = |entry: &[u64]| Whole::new(std::array::from_fn(|i| entry.get(i).copied().unwrap_or(0)));
        let entries = entries.chunks_exact(limbs).map(whole).collect();
        // The entry's first word, and for several words the entry too, by which the message calls another one.
        let refuse = |error: PlainError| {
            let refused = Refused::from(error);
            let Some(place) = refused.place() else { return Failed::refused(refused) };
            let entry = if limbs == 1 { String::new() } else { format!(" (entry {place})") };
            let word = refused.at(place * limbs).to_string().replacen("] = ", &format!("]{entry} = "), 1);
            Failed::range(word)
        };
        let table = PlainTable::new(&law, &form, entries).map_err(refuse)?;
        // As typed: "falcon", and not the form that it means.
        let as_typed = |e: Refused| if e.argument() == "form" { Refused::new("form", named, e.allowed()) } else { e };
        let sampler = table_sampler(&table).map_err(|e| Failed::refused(as_typed(e)))?;
        let (profile, certificate) = (Box::new(sampler.profile()), Box::new(Certificate::of_table(&table)));
        Ok(samplez_sampler::new(Origin::Table { sampler, profile, certificate }))
    };
    // SAFETY: a place for a pointer by the function's condition.
    unsafe { create(out, make) }
}

/// The refusal of a recipe, with the way out for laws that only `samplez_big_new` allows.
fn longer(refused: Refused, typed: &str) -> Failed {
    let is_kind = matches!(refused.kind(), RefusedKind::TooLong | RefusedKind::NoMethod);
    let is_big = is_kind && typed.parse::<BigGaussian>().is_ok();
    let way = if is_big { "; samplez_big_new takes numbers of up to 4096 bits" } else { "" };
    Failed::of_kind(refused.kind(), format_args!("{refused}{way}"))
}

/// Returns one of the sampler's texts, which lives as long as the sampler. `name` is one of:
///
/// - "method": the name of the method in use.
/// - "recipe": the recipe with the method and the options in use. It builds the same sampler on any machine.
/// - "timing": the class of the running time: "constant", "isochronous", "variable", or "unpromised" in WebAssembly.
/// - "reason": the reason for the method: a sentence of the planner, or "named" if the recipe named it, or that there is one sampler.
/// - "certificate": the certificate, like `samplez certify`.
/// - "certificate_json": the same as one line of JSON, with the fields of `samplez certify --json`.
///
/// NULL for a sampler that is NULL or lacks this text, and for another name: only a sampler of a recipe has a recipe and a reason, and
/// only a Gaussian one a method.
///
/// # Safety
///
/// `sampler` is NULL or a live handle; `name` ends with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_sampler_text(sampler: *const samplez_sampler, name: *const c_char) -> *const c_char {
    let mut found = ptr::null();
    guard(|| {
        // SAFETY: by the function's condition.
        let (sampler, name) = unsafe { (behind("sampler", sampler)?, text("name", name)?) };
        let Some(place) = TEXTS.iter().position(|text| *text == name) else {
            let message =
                format!("name = {name}: expected method, recipe, timing, reason, certificate or certificate_json");
            return Err(Failed::of_kind(RefusedKind::Unknown, message));
        };
        // None of the library's texts has a zero byte, at which it would end.
        let kept = sampler.texts[place].get_or_init(|| CString::new(sampler.text(name)?).ok());
        let missing = || Failed::argument(format_args!("sampler: it does not have the text {name}"));
        found = kept.as_ref().ok_or_else(missing)?.as_ptr();
        Ok(())
    });
    found
}

/// Frees a sampler. NULL is allowed.
///
/// # Safety
///
/// `sampler` is NULL or a handle of `samplez_sampler_new` that nothing uses any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_sampler_free(sampler: *mut samplez_sampler) {
    // SAFETY: the same condition.
    unsafe { free(sampler) }
}

/// The sampler behind a handle.
///
/// # Safety
///
/// Null, or a live handle.
pub(crate) unsafe fn sampler_of<'a>(sampler: *const samplez_sampler) -> Result<&'a dyn Noise, Failed> {
    // SAFETY: by this function's own condition.
    Ok(unsafe { behind("sampler", sampler) }?.noise())
}

/// Writes one of the sampler's figures to `out`. `name` is one of:
///
/// - "log2_sd": an upper bound of the base-2 logarithm of the statistical distance from D_{Z,sigma,c}; minus infinity for an exact sampler.
/// - "support_min", "support_max": the least and the largest value of the sampler's table, rounded to doubles beyond 2^53. An exact sampler
///   also returns values outside, at the default precision with a probability below 2^-100. samplez_fill_i8 states which types are wide
///   enough.
/// - "table_bytes": memory that a sample reads besides the code, in bytes.
/// - "expected_bits": expected random bits per sample.
///
/// The text "certificate_json" of `samplez_sampler_text` has more.
///
/// # Safety
///
/// `sampler` is a live handle; `name` ends with a zero byte; `out` points to a double.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_sampler_figure(
    sampler: *const samplez_sampler,
    name: *const c_char,
    out: *mut f64,
) -> samplez_status {
    guard(|| {
        // SAFETY: by the function's condition.
        let (sampler, name) = unsafe { (behind("sampler", sampler)?, text("name", name)?) };
        let out = place("out", out)?;
        let profile = sampler.profile();
        let figure = match (name, &profile.exactness) {
            ("log2_sd", Exactness::Exact) => f64::NEG_INFINITY,
            ("log2_sd", Exactness::Within(bound)) => bound.log2_sd,
            ("support_min", _) => *profile.support.start() as f64,
            ("support_max", _) => *profile.support.end() as f64,
            ("table_bytes", _) => profile.table_bytes as f64,
            ("expected_bits", _) => profile.expected_bits,
            _ => {
                let message =
                    format!("name = {name}: expected log2_sd, support_min, support_max, table_bytes or expected_bits");
                return Err(Failed::of_kind(RefusedKind::Unknown, message));
            }
        };
        // SAFETY: not null, aligned, and a place for a double by the function's condition.
        unsafe { out.write(figure) };
        Ok(())
    })
}

/// Writes P(X = x), correctly rounded: of D_{Z,sigma,c}, or of the other noises of `samplez_sampler_new` (of "skellam", "laplace" and "cbd" beyond 32 from 2^-900 on).
/// For a sampler of a table this is the law aimed at.
///
/// # Safety
///
/// `sampler` is a live handle, `out` points to a double.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_sampler_pmf(sampler: *const samplez_sampler, x: i64, out: *mut f64) -> samplez_status {
    guard(|| {
        // SAFETY: by the function's condition.
        let sampler = unsafe { behind("sampler", sampler) }?;
        let out = place("out", out)?;
        let law = match sampler.law.get() {
            Some(law) => law,
            None => {
                let law = TargetLaw::finite(&sampler.profile().target).map_err(Failed::argument)?;
                sampler.law.get_or_init(|| law)
            }
        };
        // SAFETY: not null, aligned, and a place for a double by the function's condition.
        unsafe { out.write(law.pmf(x)) };
        Ok(())
    })
}
