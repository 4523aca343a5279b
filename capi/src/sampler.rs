//! Samplers.

use crate::status::{Failed, behind, create, free, guard, place, samplez_status, text};
use samplez::tables::Law;
use samplez::{Built, Exactness, Noise, Recipe, Timing};
use std::ffi::{CString, c_char};
use std::ptr;

/// A sampler of one law: immutable, and safe to use from many threads at once.
pub struct samplez_sampler {
    built: Built,
    method: CString,
    recipe: CString,
    reason: CString,
    certificate: CString,
    certificate_json: CString,
}

/// What a sampler declares about itself, the figures of `samplez_sampler_certificate_json`. The bounds
/// are upper bounds of log2 of what they name, and minus infinity for an exact sampler.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct samplez_profile {
    /// 1 if the law is D_{Z,sigma,c} itself, given ideal random bits.
    pub exact: i32,
    /// 0 constant, 1 isochronous, 2 variable.
    pub timing: i32,
    /// Statistical distance from D_{Z,sigma,c}.
    pub log2_sd: f64,
    /// R_256 - 1, the Renyi divergence of order 256.
    pub log2_renyi_256: f64,
    /// R_infinity - 1.
    pub log2_renyi_inf: f64,
    /// Mass of D_{Z,sigma,c} outside of the support.
    pub log2_tail: f64,
    /// The least value of the sampler's table. An exact sampler also returns values outside of the support, at the default
    /// precision with a probability below 2^-100. samplez_fill_i8 states which types are wide enough.
    pub support_min: i64,
    /// The largest value of the sampler's table.
    pub support_max: i64,
    /// Bytes that a sample reads besides the code.
    pub table_bytes: u64,
    /// Expected random bits per sample.
    pub expected_bits: f64,
    /// Expected trials per sample.
    pub expected_trials: f64,
}

/// Builds the sampler of a recipe.
///
/// `recipe` is a text such as "sigma=3.2,center=1/3,precision=72": names and values, between two of them
/// a comma. A width is needed: sigma, sigma_squared, k_sigma2 or s. The rest may be left out: center
/// (0), method (auto, the planner's choice) and the options of the command line, with underscores for
/// its dashes. Numbers are taken exactly: 3.2 is 16/5. What the method would ignore is refused.
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
        let recipe: Recipe = unsafe { text("recipe", recipe) }?.parse().map_err(Failed::argument)?;
        let built = recipe.build().map_err(Failed::argument)?;
        let certificate = built.certificate();
        // None of them has a zero byte, at which a C text would end.
        let words = |text: &str| CString::new(text).unwrap_or_default();
        Ok(samplez_sampler {
            method: words(built.method().name()),
            recipe: words(&built.recipe().to_string()),
            reason: words(built.reason()),
            certificate: words(&certificate.to_string()),
            certificate_json: words(&certificate.to_json()),
            built,
        })
    };
    // SAFETY: a place for a pointer by the function's condition.
    unsafe { create(out, make) }
}

/// A text of a sampler; NULL for NULL.
///
/// # Safety
///
/// Null, or a live handle.
unsafe fn words(sampler: *const samplez_sampler, which: impl FnOnce(&samplez_sampler) -> &CString) -> *const c_char {
    // SAFETY: by this function's own condition.
    match unsafe { behind("sampler", sampler) } {
        Ok(sampler) => which(sampler).as_ptr(),
        Err(_) => ptr::null(), // the message is kept
    }
}

/// The name of the method in use. As all texts of a sampler, it lives as long as the sampler; NULL for a
/// sampler that is NULL.
///
/// # Safety
///
/// `sampler` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_sampler_method(sampler: *const samplez_sampler) -> *const c_char {
    // SAFETY: the same condition.
    unsafe { words(sampler, |sampler| &sampler.method) }
}

/// The recipe that names the method and the options in use: it builds the same sampler, on any machine.
///
/// # Safety
///
/// `sampler` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_sampler_recipe(sampler: *const samplez_sampler) -> *const c_char {
    // SAFETY: the same condition.
    unsafe { words(sampler, |sampler| &sampler.recipe) }
}

/// Why this method: a sentence of the planner, or "named" if the recipe named it.
///
/// # Safety
///
/// `sampler` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_sampler_reason(sampler: *const samplez_sampler) -> *const c_char {
    // SAFETY: the same condition.
    unsafe { words(sampler, |sampler| &sampler.reason) }
}

/// The certificate for people: the text of `samplez certify`.
///
/// # Safety
///
/// `sampler` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_sampler_certificate(sampler: *const samplez_sampler) -> *const c_char {
    // SAFETY: the same condition.
    unsafe { words(sampler, |sampler| &sampler.certificate) }
}

/// The certificate for programs: one line of JSON, with the fields of `samplez certify --json`.
///
/// # Safety
///
/// `sampler` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_sampler_certificate_json(sampler: *const samplez_sampler) -> *const c_char {
    // SAFETY: the same condition.
    unsafe { words(sampler, |sampler| &sampler.certificate_json) }
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
    Ok(unsafe { behind("sampler", sampler) }?.built.sampler())
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
        let sampler = unsafe { behind("sampler", sampler) }?;
        let out = place("out", out)?;
        let profile = sampler.built.profile();
        let bound = match &profile.exactness {
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
            log2_sd: log2(bound.map(|b| b.log2_sd)),
            log2_renyi_256: log2(bound.and_then(|b| b.renyi(256))),
            log2_renyi_inf: log2(bound.map(|b| b.log2_rinf)),
            log2_tail: log2(bound.map(|b| b.log2_tail)),
            support_min: *profile.support.start(),
            support_max: *profile.support.end(),
            table_bytes: profile.table_bytes as u64,
            expected_bits: profile.expected_bits,
            expected_trials: profile.expected_trials,
        };
        // SAFETY: not null, aligned, and a place for a profile by the function's condition.
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
        let sampler = unsafe { behind("sampler", sampler) }?;
        let out = place("out", out)?;
        // SAFETY: not null, aligned, and a place for a double by the function's condition.
        unsafe { out.write(Law::new(&sampler.built.recipe().law).pmf(x)) };
        Ok(())
    })
}
