//! The ideal law D_{Z,sigma,c} of a sampler, as a distribution.

use crate::sampler::{law_of, samplez_sampler};
use crate::status::{Failed, SAMPLEZ_RANGE, guard, null, samplez_status};
use samplez::tables::Law;

/// Writes what a function of the law gives.
///
/// # Safety
///
/// A live handle or null; `out` is null or a place for a value.
unsafe fn figure<T>(
    sampler: *const samplez_sampler,
    out: *mut T,
    figure: impl FnOnce(&Law) -> Result<T, Failed>,
) -> samplez_status {
    guard(|| {
        // SAFETY: by this function's own condition.
        let law = unsafe { law_of(sampler) }?;
        if out.is_null() {
            return Err(null("out"));
        }
        let value = figure(law)?;
        // SAFETY: not null, and a place for the value by this function's own condition.
        unsafe { out.write(value) };
        Ok(())
    })
}

/// A quantile that there is, or why there is none.
fn found<T>(argument: &str, value: f64, inside: bool, allowed: &str, found: Option<T>) -> Result<T, Failed> {
    match found {
        Some(x) => Ok(x),
        None if inside => {
            Err(Failed::new(SAMPLEZ_RANGE, format_args!("{argument} = {value}: the quantile lies beyond 64 bits")))
        }
        None => Err(Failed::argument(format_args!("{argument} = {value}: {allowed}"))),
    }
}

/// Writes P(X = x) of the ideal law D_{Z,sigma,c}, correctly rounded: the double nearest to the exact value.
///
/// # Safety
///
/// `sampler` is a live handle, `out` points to a double.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_sampler_pmf(sampler: *const samplez_sampler, x: i64, out: *mut f64) -> samplez_status {
    // SAFETY: the same conditions.
    unsafe { figure(sampler, out, |law| Ok(law.pmf(x))) }
}

/// Writes the natural logarithm of P(X = x), correctly rounded; it is finite everywhere.
///
/// # Safety
///
/// `sampler` is a live handle, `out` points to a double.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_sampler_logpmf(
    sampler: *const samplez_sampler,
    x: i64,
    out: *mut f64,
) -> samplez_status {
    // SAFETY: the same conditions.
    unsafe { figure(sampler, out, |law| Ok(law.logpmf(x))) }
}

/// Writes P(X <= x), correctly rounded.
///
/// # Safety
///
/// `sampler` is a live handle, `out` points to a double.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_sampler_cdf(sampler: *const samplez_sampler, x: i64, out: *mut f64) -> samplez_status {
    // SAFETY: the same conditions.
    unsafe { figure(sampler, out, |law| Ok(law.cdf(x))) }
}

/// Writes the natural logarithm of P(X <= x), correctly rounded; it is finite everywhere.
///
/// # Safety
///
/// `sampler` is a live handle, `out` points to a double.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_sampler_logcdf(
    sampler: *const samplez_sampler,
    x: i64,
    out: *mut f64,
) -> samplez_status {
    // SAFETY: the same conditions.
    unsafe { figure(sampler, out, |law| Ok(law.logcdf(x))) }
}

/// Writes P(X > x), correctly rounded.
///
/// # Safety
///
/// `sampler` is a live handle, `out` points to a double.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_sampler_sf(sampler: *const samplez_sampler, x: i64, out: *mut f64) -> samplez_status {
    // SAFETY: the same conditions.
    unsafe { figure(sampler, out, |law| Ok(law.sf(x))) }
}

/// Writes the natural logarithm of P(X > x), correctly rounded; it is finite everywhere.
///
/// # Safety
///
/// `sampler` is a live handle, `out` points to a double.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_sampler_logsf(
    sampler: *const samplez_sampler,
    x: i64,
    out: *mut f64,
) -> samplez_status {
    // SAFETY: the same conditions.
    unsafe { figure(sampler, out, |law| Ok(law.logsf(x))) }
}

/// Writes P(low <= X <= high), correctly rounded; 0 if low is above high.
///
/// # Safety
///
/// `sampler` is a live handle, `out` points to a double.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_sampler_mass(
    sampler: *const samplez_sampler,
    low: i64,
    high: i64,
    out: *mut f64,
) -> samplez_status {
    // SAFETY: the same conditions.
    unsafe { figure(sampler, out, |law| Ok(law.mass(low..=high))) }
}

/// Writes the least x with P(X <= x) >= q, of the exact law. `q` must lie between 0 and 1, both excluded; SAMPLEZ_RANGE
/// if x lies beyond 64 bits.
///
/// # Safety
///
/// `sampler` is a live handle, `out` points to an int64_t.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_sampler_ppf(sampler: *const samplez_sampler, q: f64, out: *mut i64) -> samplez_status {
    // SAFETY: the same conditions.
    unsafe {
        figure(sampler, out, |law| {
            found("q", q, q > 0.0 && q < 1.0, "must lie between 0 and 1, both excluded", law.quantile(q))
        })
    }
}

/// Writes the least x with P(X > x) <= q, of the exact law: the quantile of 1 - q for the smallest q, too. Otherwise as
/// samplez_sampler_ppf.
///
/// # Safety
///
/// `sampler` is a live handle, `out` points to an int64_t.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_sampler_isf(sampler: *const samplez_sampler, q: f64, out: *mut i64) -> samplez_status {
    // SAFETY: the same conditions.
    unsafe {
        figure(sampler, out, |law| {
            found("q", q, q > 0.0 && q < 1.0, "must lie between 0 and 1, both excluded", law.isf(q))
        })
    }
}

/// Writes the least x with P(X <= x) >= 1/2.
///
/// # Safety
///
/// `sampler` is a live handle, `out` points to an int64_t.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_sampler_median(sampler: *const samplez_sampler, out: *mut i64) -> samplez_status {
    // SAFETY: the same conditions.
    unsafe { figure(sampler, out, |law| Ok(law.median())) }
}

/// Writes the mean, correctly rounded. It is not the center where sigma is small.
///
/// # Safety
///
/// `sampler` is a live handle, `out` points to a double.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_sampler_mean(sampler: *const samplez_sampler, out: *mut f64) -> samplez_status {
    // SAFETY: the same conditions.
    unsafe { figure(sampler, out, |law| Ok(law.mean())) }
}

/// Writes the variance, correctly rounded. It is not sigma squared where sigma is small.
///
/// # Safety
///
/// `sampler` is a live handle, `out` points to a double.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_sampler_variance(sampler: *const samplez_sampler, out: *mut f64) -> samplez_status {
    // SAFETY: the same conditions.
    unsafe { figure(sampler, out, |law| Ok(law.variance())) }
}

/// Writes the standard deviation, correctly rounded.
///
/// # Safety
///
/// `sampler` is a live handle, `out` points to a double.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_sampler_std(sampler: *const samplez_sampler, out: *mut f64) -> samplez_status {
    // SAFETY: the same conditions.
    unsafe { figure(sampler, out, |law| Ok(law.std_dev())) }
}

/// Writes the skewness; 0 from sigma = 5 on, where it is below 2^-650.
///
/// # Safety
///
/// `sampler` is a live handle, `out` points to a double.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_sampler_skewness(sampler: *const samplez_sampler, out: *mut f64) -> samplez_status {
    // SAFETY: the same conditions.
    unsafe { figure(sampler, out, |law| Ok(law.skewness())) }
}

/// Writes the excess kurtosis, 0 for a normal law; 0 from sigma = 5 on, where it is below 2^-650.
///
/// # Safety
///
/// `sampler` is a live handle, `out` points to a double.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_sampler_excess_kurtosis(
    sampler: *const samplez_sampler,
    out: *mut f64,
) -> samplez_status {
    // SAFETY: the same conditions.
    unsafe { figure(sampler, out, |law| Ok(law.excess_kurtosis())) }
}

/// Writes the raw moment, the mean of X to the power of `order`, correctly rounded but for ties; `order` is at most 32.
///
/// # Safety
///
/// `sampler` is a live handle, `out` points to a double.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_sampler_moment(
    sampler: *const samplez_sampler,
    order: u32,
    out: *mut f64,
) -> samplez_status {
    // SAFETY: the same conditions.
    unsafe {
        figure(sampler, out, |law| {
            law.moment(order).ok_or_else(|| Failed::argument(format_args!("order = {order}: must be at most 32")))
        })
    }
}

/// Writes the entropy in nats, correctly rounded.
///
/// # Safety
///
/// `sampler` is a live handle, `out` points to a double.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_sampler_entropy(sampler: *const samplez_sampler, out: *mut f64) -> samplez_status {
    // SAFETY: the same conditions.
    unsafe { figure(sampler, out, |law| Ok(law.entropy())) }
}

/// Writes the entropy in digits of a base, 2 for bits, correctly rounded. The base must be finite and above 1.
///
/// # Safety
///
/// `sampler` is a live handle, `out` points to a double.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_sampler_entropy_in(
    sampler: *const samplez_sampler,
    base: f64,
    out: *mut f64,
) -> samplez_status {
    // SAFETY: the same conditions.
    unsafe {
        figure(sampler, out, |law| {
            law.entropy_in(base)
                .ok_or_else(|| Failed::argument(format_args!("base = {base}: must be finite and above 1")))
        })
    }
}

/// Writes the ends of the interval in which X lies with at least this probability: the quantiles of (1 - confidence)/2 from
/// below and from above. `confidence` is at least 0 and below 1; SAMPLEZ_RANGE if an end lies beyond 64 bits.
///
/// # Safety
///
/// `sampler` is a live handle, `low` and `high` point to an int64_t each.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_sampler_interval(
    sampler: *const samplez_sampler,
    confidence: f64,
    low: *mut i64,
    high: *mut i64,
) -> samplez_status {
    guard(|| {
        // SAFETY: by the function's condition.
        let law = unsafe { law_of(sampler) }?;
        if low.is_null() || high.is_null() {
            return Err(null(if low.is_null() { "low" } else { "high" }));
        }
        let inside = (0.0..1.0).contains(&confidence);
        let interval = law.interval(confidence);
        let ends = found("confidence", confidence, inside, "must be at least 0 and below 1", interval)?;
        // SAFETY: neither is null, and both are places for a value by the function's condition.
        unsafe {
            low.write(*ends.start());
            high.write(*ends.end());
        }
        Ok(())
    })
}
