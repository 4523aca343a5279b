//! Samplers.

use crate::status::{Failed, create, free, guard, null, samplez_status, text, text_or};
use samplez::tables::Law;
use samplez::{Exactness, Noise, Recipe, Timing};
use std::ffi::c_char;

/// A sampler of one law: immutable, and safe to use from many threads at once.
pub struct samplez_sampler(pub(crate) Box<dyn Noise>);

/// What a sampler declares about itself. The bounds are upper bounds of log2 of what they name,
/// and minus infinity for an exact sampler.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct samplez_profile {
    /// 1 if the law is D_{Z,sigma,c} itself, given ideal random bits.
    pub exact: i32,
    /// 0 constant, 1 isochronous, 2 variable.
    pub timing: i32,
    /// Statistical distance from D_{Z,sigma,c}.
    pub log2_statistical_distance: f64,
    /// R_256 - 1, the Renyi divergence of order 256.
    pub log2_renyi_256: f64,
    /// R_infinity - 1.
    pub log2_renyi_infinity: f64,
    /// Mass of D_{Z,sigma,c} outside of the support.
    pub log2_tail: f64,
    /// The least value that can come out.
    pub minimum: i64,
    /// The largest value that can come out.
    pub maximum: i64,
    /// Bytes that a sample reads besides the code.
    pub table_bytes: u64,
    /// Expected random bits per sample.
    pub expected_bits: f64,
    /// Expected trials per sample.
    pub expected_trials: f64,
}

/// Builds a sampler of D_{Z,sigma,c}.
///
/// `form` is "sigma", "sigma_squared", "k_sigma2" or "s"; `width` and `center` are numbers as
/// texts, taken exactly: "3.2", "16/5", "1.6e5". `center` may be NULL for 0; `method` may be NULL
/// or "auto" for the planner's choice; `options` may be NULL or as "precision=72,exact=true".
///
/// On success `*out` is a handle for `samplez_sampler_free`; on failure it is NULL.
///
/// # Safety
///
/// Each text is NULL or ends with a zero byte; `out` points to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_sampler_new(
    form: *const c_char,
    width: *const c_char,
    center: *const c_char,
    method: *const c_char,
    options: *const c_char,
    out: *mut *mut samplez_sampler,
) -> samplez_status {
    let make = || {
        // SAFETY: texts by the function's condition.
        let (form, width, center, method, options) = unsafe {
            (
                text("form", form)?,
                text("width", width)?,
                text_or("center", center, "0")?,
                text_or("method", method, "auto")?,
                text_or("options", options, "")?,
            )
        };
        let mut text = format!("{form}={width},center={center},method={method}");
        if !options.trim().is_empty() {
            text += &format!(",{options}");
        }
        let recipe = text.parse::<Recipe>().map_err(Failed::argument)?;
        Ok(samplez_sampler(recipe.build().map_err(Failed::argument)?.into_sampler()))
    };
    // SAFETY: a place for a pointer by the function's condition.
    unsafe { create(out, make) }
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
    unsafe { sampler.as_ref() }.map(|sampler| &*sampler.0).ok_or_else(|| null("sampler"))
}

/// Writes what the sampler declares.
///
/// # Safety
///
/// `sampler` is a live handle, `out` points to a samplez_profile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_sampler_profile(
    sampler: *const samplez_sampler,
    out: *mut samplez_profile,
) -> samplez_status {
    guard(|| {
        // SAFETY: by the function's condition.
        let sampler = unsafe { sampler_of(sampler) }?;
        if out.is_null() {
            return Err(null("out"));
        }
        let profile = sampler.profile();
        let bound = match profile.exactness {
            Exactness::Exact => None,
            Exactness::Within(bound) => Some(bound),
        };
        let log2 = |value: Option<f64>| value.unwrap_or(f64::NEG_INFINITY);
        let written = samplez_profile {
            exact: bound.is_none().into(),
            timing: match profile.timing {
                Timing::Constant => 0,
                Timing::Isochronous => 1,
                Timing::Variable => 2,
            },
            log2_statistical_distance: log2(bound.map(|b| b.log2_sd)),
            log2_renyi_256: log2(bound.and_then(|b| b.renyi(256))),
            log2_renyi_infinity: log2(bound.map(|b| b.log2_rinf)),
            log2_tail: log2(bound.map(|b| b.log2_tail)),
            minimum: *profile.support.start(),
            maximum: *profile.support.end(),
            table_bytes: profile.table_bytes as u64,
            expected_bits: profile.expected_bits,
            expected_trials: profile.expected_trials,
        };
        // SAFETY: not null, and a place for a profile by the function's condition.
        unsafe { out.write(written) };
        Ok(())
    })
}

/// Writes P(X = x) of the ideal law D_{Z,sigma,c}, correctly rounded.
///
/// # Safety
///
/// `sampler` is a live handle, `out` points to a double.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_sampler_pmf(sampler: *const samplez_sampler, x: i64, out: *mut f64) -> samplez_status {
    guard(|| {
        // SAFETY: by the function's condition.
        let sampler = unsafe { sampler_of(sampler) }?;
        if out.is_null() {
            return Err(null("out"));
        }
        // SAFETY: not null, and a place for a double by the function's condition.
        unsafe { out.write(Law::new(&sampler.profile().target).pmf(x)) };
        Ok(())
    })
}
