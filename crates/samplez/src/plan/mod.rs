//! The planner: which method serves a law best.
//!
//! Each method's cost is [estimated](estimate), the best candidate is built, and if that fails
//! the next one. So a plan is never one that cannot be built, and what it says of the sampler is
//! the sampler's own declaration.

mod estimate;
mod speed;

use crate::method::BuildError;
use crate::{Method, Options};
use estimate::{Candidate, estimate};
use samplez_core::noise::Noise;
use samplez_core::params::DiscreteGaussian;
use samplez_core::profile::Profile;
use std::fmt;
use std::time::Duration;

/// Without a limit, a setup up to this is as good as none.
const QUICK: f64 = 0.1;
/// As fast as the fastest, for the sake of a smaller table.
const NEARLY: f64 = 0.85;

/// A choice, its reason and what it costs.
///
/// ```
/// use samplez::{DiscreteGaussian, Method, Options};
/// let law = DiscreteGaussian::with_sigma("32".parse()?)?;
/// let plan = samplez::plan(&law, &Options { max_table_bytes: 2080, ..Options::default() })?;
/// assert_eq!((plan.method, plan.options.rectangles), (Method::Ziggurat, Some(102)));
/// assert!(plan.profile.table_bytes <= 2080);
/// println!("{}; {} refused", plan.reason, plan.refused.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Plan {
    /// The method.
    pub method: Method,
    /// The options with which to [build](crate::build) it: those given, and what was left open.
    pub options: Options,
    /// Why, in a sentence.
    pub reason: String,
    /// The sampler's declaration: law, memory, bits, trials, timing.
    pub profile: Profile,
    /// What setting up takes, estimated for the machine of benches/RESULTS.md.
    pub setup: Duration,
    /// Million samples a second, as measured on that machine.
    pub million_per_second: f64,
    /// Every other method, and why it was not taken.
    pub refused: Vec<Refusal>,
}

/// A method that was not taken.
///
/// ```
/// use samplez::{DiscreteGaussian, Method, Options};
/// let law = DiscreteGaussian::with_sigma("3.2".parse()?)?;
/// let plan = samplez::plan(&law, &Options::default())?;
/// let refusal = plan.refused.iter().find(|refusal| refusal.method == Method::DuWei4).unwrap();
/// assert_eq!(refusal.why, "sigma = 16/5: method du-wei-4 allows integers sigma <= 2^40 only");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The method.
    pub method: Method,
    /// Why not.
    pub why: String,
}

/// No method honours the law within the options.
///
/// ```
/// use samplez::{DiscreteGaussian, Options, Rational, Width};
/// let law = DiscreteGaussian::new("1/3".parse()?, Width::S("8.35".parse()?))?;
/// let error = samplez::plan(&law, &Options { exact: true, ..Options::default() }).unwrap_err();
/// assert!(error.to_string().starts_with("no method for D_Z(s = 167/20, center = 1/3), exact: "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanError {
    target: DiscreteGaussian,
    options: Box<Options>,
    refused: Vec<Refusal>,
}

impl PlanError {
    /// Every method, and why it was not taken.
    ///
    /// ```
    /// use samplez::{DiscreteGaussian, Method, Options};
    /// let wide = DiscreteGaussian::with_sigma("1e18".parse()?)?;
    /// let error = samplez::plan(&wide, &Options::default()).unwrap_err();
    /// assert_eq!(error.refused().len(), Method::ALL.len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn refused(&self) -> &[Refusal] {
        &self.refused
    }
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no method for {}", self.target)?;
        write!(f, "{}: ", wishes(&self.options).map_or(String::new(), |words| format!(", {words}")))?;
        // Those out of the question by their declaration go without saying, if there are others.
        let eligible = self.refused.iter().filter(|refusal| refusal.method.check(&self.options).is_ok());
        let each: Vec<String> = eligible.map(|refusal| format!("{}: {}", refusal.method, refusal.why)).collect();
        if each.is_empty() { f.write_str("no method declares as much") } else { f.write_str(&each.join("; ")) }
    }
}

impl std::error::Error for PlanError {}

/// The fastest method that honours `law` and the options, by the measurements in
/// benches/RESULTS.md; among those nearly as fast (85 %), the one with the least memory.
///
/// - The table, fixed ones included, takes at most [`Options::max_table_bytes`].
/// - Setting up takes at most [`Options::max_setup`], by the estimate; without a limit, what
///   takes over a tenth of a second is chosen only if nothing else will do.
/// - [`Options::exact`], [`Options::constant_time`] and [`Options::isochronous`] go by what the methods declare.
/// - The Ziggurat gets as many rectangles as fit, up to 1024; it and the two rejections get a tail
///   that the precision deserves, if that is longer than the one given.
///
/// The plan is a function of `law` and `options`, the same on every machine. To be sure, it is
/// built; [`build_planned`] hands on the sampler.
///
/// # Errors
///
/// [`PlanError`], with each method's reason.
///
/// ```
/// use samplez::{DiscreteGaussian, Method, Options};
/// let plan = |sigma: &str, options| -> Result<Method, Box<dyn std::error::Error>> {
///     Ok(samplez::plan(&DiscreteGaussian::with_sigma(sigma.parse()?)?, &options)?.method)
/// };
/// assert_eq!(plan("3.2", Options::default())?, Method::CdtGuided);
/// assert_eq!(plan("3.2", Options { exact: true, ..Options::default() })?, Method::Karney);
/// assert_eq!(plan("1e15", Options::default())?, Method::Convolution);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn plan(law: &DiscreteGaussian, options: &Options) -> Result<Plan, PlanError> {
    build_planned(law, options).map(|(plan, _)| plan)
}

/// The [plan], and the sampler that it is about.
///
/// # Errors
///
/// [`PlanError`].
///
/// ```
/// use samplez::{DiscreteGaussian, Options};
/// let law = DiscreteGaussian::with_sigma("3.2".parse()?)?;
/// let (plan, sampler) = samplez::build_planned(&law, &Options::default())?;
/// assert_eq!(plan.profile, sampler.profile());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn build_planned(law: &DiscreteGaussian, options: &Options) -> Result<(Plan, Box<dyn Noise>), PlanError> {
    let (mut refused, mut candidates) = (Vec::new(), Vec::new());
    for method in Method::ALL {
        match admit(method, law, options) {
            Ok(candidate) => candidates.push(candidate),
            Err(why) => refused.push(Refusal { method, why }),
        }
    }
    while let Some((at, lead)) = best(&candidates, options) {
        let mut chosen = candidates.swap_remove(at);
        match realise(&mut chosen, law) {
            Ok((sampler, profile)) => {
                refused
                    .extend(candidates.iter().map(|other| Refusal { method: other.method, why: lost(other, &chosen) }));
                refused.sort_unstable_by_key(|refusal| Method::ALL.iter().position(|method| *method == refusal.method));
                let reason = format!(
                    "{lead}{}: about {} million samples a second from {} bytes",
                    wishes(options).map_or(String::new(), |words| format!(" of what is {words}")),
                    rounded(chosen.speed),
                    profile.table_bytes
                );
                let setup = Duration::from_secs_f64(chosen.setup);
                let Candidate { method, options, speed, .. } = chosen;
                return Ok((
                    Plan { method, options, reason, profile, setup, million_per_second: speed, refused },
                    sampler,
                ));
            }
            Err(why) => refused.push(Refusal { method: chosen.method, why }),
        }
    }
    refused.sort_unstable_by_key(|refusal| Method::ALL.iter().position(|method| *method == refusal.method));
    Err(PlanError { target: *law, options: Box::new(*options), refused })
}

/// The method as a candidate, if by declaration and estimate it can serve.
fn admit(method: Method, law: &DiscreteGaussian, options: &Options) -> Result<Candidate, String> {
    method.check(options).map_err(|wish| wish.lack(method))?;
    let candidate = estimate(method, law, options)?;
    if candidate.bytes > options.max_table_bytes as f64 {
        return Err(format!(
            "takes about {} bytes, more than the {} allowed",
            rounded(candidate.bytes),
            options.max_table_bytes
        ));
    }
    if let Some(most) = options.max_setup.filter(|most| candidate.setup > most.as_secs_f64()) {
        return Err(format!("takes about {} to set up, more than the {most:?} allowed", seconds(candidate.setup)));
    }
    Ok(candidate)
}

/// The number of the best candidate, and what makes it so.
fn best(candidates: &[Candidate], options: &Options) -> Option<(usize, String)> {
    let is_quick = |candidate: &Candidate| options.max_setup.is_some() || candidate.setup <= QUICK;
    let quick = || candidates.iter().enumerate().filter(|(_, candidate)| is_quick(candidate));
    let Some((_, fastest)) = quick().max_by(|(_, a), (_, b)| a.speed.total_cmp(&b.speed)) else {
        let slow = candidates.iter().enumerate().min_by(|(_, a), (_, b)| a.setup.total_cmp(&b.setup));
        return slow.map(|(at, _)| (at, "the quickest to set up".into()));
    };
    let near = quick().filter(|(_, candidate)| candidate.speed >= NEARLY * fastest.speed);
    near.min_by(|(_, a), (_, b)| a.bytes.total_cmp(&b.bytes).then(b.speed.total_cmp(&a.speed))).map(|(at, found)| {
        let lead = match found.method == fastest.method {
            true => "the fastest".to_string(),
            false => format!("nearly as fast as {}, with a smaller table", fastest.method),
        };
        (at, lead)
    })
}

/// Why the other one was not taken.
fn lost(other: &Candidate, chosen: &Candidate) -> String {
    let speed = format!("about {} million samples a second", rounded(other.speed));
    if other.speed <= chosen.speed {
        format!("slower: {speed}")
    } else if other.setup > QUICK {
        format!("{speed}, but takes about {} to set up", seconds(other.setup))
    } else {
        format!("{speed}, but from about {} bytes", rounded(other.bytes))
    }
}

/// Builds the candidate and holds it to its options. A Ziggurat that has no partition into so many
/// rectangles gets fewer, unless their number was given.
fn realise(chosen: &mut Candidate, law: &DiscreteGaussian) -> Result<(Box<dyn Noise>, Profile), String> {
    let sampler = loop {
        match crate::build(law, Some(chosen.method), &chosen.options) {
            Ok(sampler) => break sampler,
            Err(BuildError::Ziggurat(_)) if chosen.options.rectangles > Some(2) && chosen.fewer_will_do => {
                chosen.options.rectangles = chosen.options.rectangles.map(|m| (3 * m / 4).max(2));
            }
            Err(error) => return Err(error.to_string()),
        }
    };
    let profile = sampler.profile();
    if profile.table_bytes as u64 > chosen.options.max_table_bytes {
        return Err(format!(
            "takes {} bytes, more than the {} allowed",
            profile.table_bytes, chosen.options.max_table_bytes
        ));
    }
    Ok((sampler, profile))
}

/// What was wished for, in words.
fn wishes(options: &Options) -> Option<String> {
    let mut words = Vec::new();
    if options.exact {
        words.push("exact".to_string());
    }
    if options.constant_time {
        words.push("constant-time".into());
    }
    if options.isochronous {
        words.push("constant-time or isochronous".into());
    }
    if options.max_table_bytes < Options::default().max_table_bytes {
        words.push(format!("in at most {} bytes", options.max_table_bytes));
    }
    if let Some(most) = options.max_setup {
        words.push(format!("set up within {most:?}"));
    }
    (!words.is_empty()).then(|| words.join(", "))
}

fn rounded(number: f64) -> String {
    if number < 10.0 { format!("{number:.1}") } else { format!("{number:.0}") }
}

fn seconds(seconds: f64) -> String {
    if seconds < 1.0 { format!("{:.1} ms", 1e3 * seconds) } else { format!("{seconds:.1} s") }
}

#[cfg(test)]
mod tests;
