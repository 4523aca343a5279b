//! The noise that a scheme of `samplez-schemes` requires, built by a recipe.
//!
//! For research, teaching and reproducing measurements of papers; in production use ML-KEM, ML-DSA or FN-DSA.
//!
//! ```
//! use samplez::Seed;
//! use samplez::schemes;
//! use samplez_schemes::bliss::{Profile, Set, Signer, SigningKey, Variant};
//! use samplez_sources::ChaCha20;
//! let noise = schemes::noise(&Set::I.demand(), "")?; // constant-time, and as precise as the set demands
//! assert_eq!(noise.profile().timing, samplez::Timing::Constant);
//!
//! let mut rng = ChaCha20::new(&Seed::from_os()?);
//! let key = SigningKey::generate(Set::I, Variant::B, &mut rng)?;
//! let profile = Profile::Strongswan;
//! let (signature, _) = Signer::new(&key, profile, noise.sampler())?.sign(b"a text", &mut rng)?;
//! key.public_key().verify(profile, b"a text", &signature)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::law::LawInfo;
use crate::method::Method;
use crate::recipe::{Built, Recipe};
use crate::refused::Refused;
use samplez_schemes::{Demand, Error};

/// The precisions that are tried by default, in bits, the least first.
const LADDER: [u32; 8] = [64, 72, 96, 128, 136, 160, 192, 256];
/// The precisions that [`noise`] tries. For tests: no part of the public interface.
#[cfg(feature = "testing")]
pub const PRECISIONS: [u32; 8] = LADDER;

/// Builds the noise that a scheme requires, as `said` describes it: a recipe's text whose law may be left out,
/// `method=cdt-guided`, `exact=true`, or nothing.
///
/// If it names no method, the planner chooses among the constant-time and isochronous methods. The distribution is certified, not
/// exact, unless `exact=true` is given. Then the default precision is the least of 64, 72, 96, 128, 136, 160, 192 and 256
/// bits whose certificate meets the requirement.
///
/// # Errors
///
/// [`Refused`] as of [`Recipe::set`] and [`Recipe::build`]. [`Refused`] also for another law than the scheme's, and for
/// a method or a precision whose certificate does not meet the requirement.
///
/// ```
/// use samplez::schemes;
/// use samplez_schemes::lp11::Set;
/// let demand = Set::Ring256.demand();
/// let noise = schemes::noise(&demand, "method=cdt-guided")?;
/// assert_eq!(noise.recipe().to_string(), "s=1131/100,method=cdt-guided,precision=136");
/// assert_eq!(schemes::noise(&demand, &noise.recipe().to_string())?.recipe(), noise.recipe());
///
/// let refused = schemes::noise(&demand, "method=cdt-guided,precision=64").unwrap_err();
/// assert_eq!((refused.argument(), refused.value()), ("precision", "64"));
/// assert!(refused.allowed().contains("must keep 126 of 128 bits of a decision problem, and keeps 61."));
/// let refused = schemes::noise(&demand, "sigma=3").unwrap_err();
/// assert_eq!(refused.to_string(), "sigma = 3: the scheme's distribution is D_Z(s = 11.31, center = 0)");
/// # Ok::<(), samplez::Refused>(())
/// ```
pub fn noise(demand: &Demand, said: &str) -> Result<Built, Refused> {
    let (width, center) = (demand.law.width(), demand.law.center());
    let (value, center) = (width.value().to_string(), center.to_string());
    let mut pairs = if said.trim().is_empty() { Vec::new() } else { Recipe::pairs(said)? };
    let is_other = pairs.iter().any(|(name, _)| LawInfo::named(name).is_some());
    if !is_other && !pairs.iter().any(|(name, _)| Recipe::WIDTHS.contains(name)) {
        pairs.push((width.name(), &value));
    }
    if !is_other && !pairs.iter().any(|(name, _)| *name == "center") {
        pairs.push(("center", &center));
    }
    noise_of(demand, &Recipe::from_pairs(pairs)?)
}

/// Builds the same noise from a recipe. The recipe without a method and options is `Recipe::new(demand.law)`.
///
/// # Errors
///
/// As [`noise`].
///
/// ```
/// use samplez::{schemes, Method, Recipe};
/// use samplez_schemes::bliss::Set;
/// let demand = Set::II.demand();
/// let noise = schemes::noise_of(&demand, &Recipe::new(demand.law).method(Method::DuWei5))?;
/// assert!(noise.profile().exactness.is_exact());
/// # Ok::<(), samplez::Refused>(())
/// ```
pub fn noise_of(demand: &Demand, recipe: &Recipe) -> Result<Built, Refused> {
    if recipe.law != demand.law {
        let allowed = format!("the scheme's distribution is {:#}", demand.law);
        return Err(match recipe.law.gaussian() {
            Some(law) if law.center() == demand.law.center() => Refused::width(law.width(), allowed),
            Some(law) => Refused::new("center", law.center(), allowed),
            None => Refused::new("recipe", recipe, allowed),
        });
    }
    let mut recipe = Recipe { law: demand.law.into(), ..*recipe };
    if recipe.method.is_none() {
        recipe.options.exact.get_or_insert(false);
    }
    let heeds = recipe.method.is_none_or(|m| m.row().heeds.contains(&"precision"));
    let open = heeds && recipe.options.precision.is_none() && !recipe.options.exact();
    if !open {
        return meets(demand, &recipe);
    }
    let mut last = Refused::missing("precision", "pass a number of bits");
    for precision in LADDER {
        match meets(demand, &recipe.precision(precision)) {
            Ok(built) => return Ok(built),
            Err(why) => last = why,
        }
    }
    Err(last)
}

fn name(built: &Built) -> &'static str {
    built.method().map_or("auto", Method::name)
}

/// Builds the recipe's sampler, if it meets the requirement.
fn meets(demand: &Demand, recipe: &Recipe) -> Result<Built, Refused> {
    let built = recipe.build_gaussian()?;
    match demand.check(built.sampler()) {
        Ok(()) => Ok(built),
        Err(Error::Refused { argument: "noise", allowed, .. }) => Err(match recipe.options.precision {
            Some(precision) => Refused::new("precision", precision, allowed),
            None => Refused::new("method", name(&built), allowed),
        }),
        Err(other) => Err(Refused::try_from(other)
            .unwrap_or_else(|other| Refused::new("method", name(&built), other.to_string()).because(other))),
    }
}

/// The scheme's refusal of an argument as this crate's. Every other error stays what it is.
///
/// ```
/// use samplez::Refused;
/// use samplez_schemes::{Error, bliss::Set};
/// let error = "V".parse::<Set>().unwrap_err();
/// assert_eq!(Refused::try_from(error)?.argument(), "set");
/// assert_eq!(Refused::try_from(Error::Invalid), Err(Error::Invalid));
/// # Ok::<(), Error>(())
/// ```
impl TryFrom<Error> for Refused {
    type Error = Error;

    fn try_from(error: Error) -> Result<Self, Error> {
        match &error {
            Error::Refused { argument, value, allowed } => {
                Ok(Refused::new(*argument, value, allowed.clone()).because(error))
            }
            _ => Err(error),
        }
    }
}
