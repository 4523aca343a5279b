//! The planner: which method serves a law best.
//!
//! Each method estimates its memory and setup time, the first one of [`order`] within the limits is built, and if that
//! fails the next one. So a plan is never one that cannot be built, and its statements about the sampler are the sampler's own.

use crate::measured;
use crate::method::{Ask, Cost, Lack, Made, Method};
use crate::options::Options;
use crate::order;
use crate::refused::{Refused, respelled};
use crate::timing::PROMISED;
use samplez_core::{DiscreteGaussian, Rational, Timing};
use std::error::Error;
use std::fmt;
use std::sync::OnceLock;
use std::time::Duration;

/// Few methods take centres beyond 2^62.
const FAR: u64 = 1 << 62;
/// Without a limit, a setup up to this is as good as none.
const QUICK: f64 = 0.1;

/// Whether this build has every method.
const EVERY_METHOD: bool = cfg!(feature = "all-methods");

/// Refuses an option with which the planner of another program might choose a method that this build lacks: a recipe has one plan,
/// everywhere. Without these options the planner chooses an exact method of constant or isochronous time, and every build has those.
fn compares_all(options: &Options) -> Result<(), Refused> {
    let lacks_certified = !cfg!(feature = "convolution-ct");
    let (name, value) = match options {
        _ if options.variable_time() && !EVERY_METHOD => ("variable_time", true),
        _ if options.constant_time() && !options.exact() && lacks_certified => ("constant_time", true),
        Options { exact: Some(false), .. } if lacks_certified => ("exact", false),
        _ => return Ok(()),
    };
    let allowed = "this build lacks methods that the planner would compare; name a method, \
                   or enable the feature all-methods of the crate samplez";
    Err(Refused::new(name, value, allowed))
}

/// The reasons for a choice of a method, its cost, and the reasons against the others.
///
/// The planner excludes a method if
///
/// - its running time reveals samples, unless `variable_time` is set;
/// - it is not exact. Unless `exact` is set, this condition is dropped if it leaves no method, or only methods of the slow part
///   of the order;
/// - the law or an option does not admit it: `constant_time`, the precision, an option that it would ignore;
/// - its tables take more than `memory`, where `cdt-guided` counts with its whole index table;
/// - its estimated setup takes longer than `setup_time`, or, without that option, longer than 0.1 s. If every method takes
///   longer than 0.1 s, the planner chooses the one with the shortest setup.
///
/// Of the others it chooses the first in an order of methods and conditions, which is the same on every machine
/// (docs/methods.md, “The planner's order”). A condition is on the number of entries of the law's inversion
/// table, or on the sampler's memory.
///
/// The order follows speed, and memory where several methods are close. The speeds in a plan are measurements with
/// default options. They do not influence the choice.
///
/// ```
/// let built = "sigma=32,variable_time=true,memory=2080".parse::<samplez::Recipe>()?.build()?;
/// let plan = built.plan().unwrap();
/// assert!(plan.reason.starts_with("the first in the order that all machines share of what is exact, with memory = 2080"));
/// println!("{} million/s; {} others", plan.million_per_second, plan.refused.len());
/// # Ok::<(), samplez::Refused>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Plan {
    /// The reason for the method, in a sentence.
    pub reason: String,
    /// The setup time, estimated for the machine of benches/RESULTS.md.
    pub setup: Duration,
    /// Million samples a second over ChaCha20 on one thread, to the narrowest integers. This was measured on a machine with the
    /// same instructions, with default options and integer centres, and is interpolated between the measured σ. Options that
    /// change the sampler, and other centres, change the speed but not this number.
    pub million_per_second: f64,
    /// The instructions of that machine: `avx512`, `avx2`, `scalar`, `simd128` or `wasm`. `scalar` is the portable
    /// implementation, also on processors other than x86-64, where nothing was measured.
    pub instructions: &'static str,
    /// Every other method, with the reason against it.
    pub refused: Vec<Refusal>,
}

/// A method that the planner did not choose.
///
/// ```
/// use samplez::{Method, Recipe};
/// let built = "sigma=3.2".parse::<Recipe>()?.build()?;
/// let plan = built.plan().unwrap();
/// let refusal = plan.refused.iter().find(|refusal| refusal.method == Method::DuWei4).unwrap();
/// assert_eq!(refusal.why(), "of variable timing; `variable_time` admits it".replace('`', ""));
/// # Ok::<(), samplez::Refused>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refusal {
    /// The method.
    pub method: Method,
    /// With the names of arguments between backticks.
    why: String,
}

impl Refusal {
    /// Returns the reason why the method was not chosen.
    ///
    /// If the method is possible, the reason includes its measured speed, as for [`Plan::million_per_second`]. `slower` means
    /// that this is at most the chosen method's; otherwise the chosen method precedes it in the order of [`Plan`].
    pub fn why(&self) -> String {
        self.respelled(str::to_string)
    }

    /// Returns the reason, with `spell` applied to every argument.
    ///
    /// ```
    /// # use samplez::{Method, Recipe};
    /// let built = "sigma_squared=10,method=auto,variable_time=true,exact=false".parse::<Recipe>()?.build()?;
    /// let refusal = built.plan().unwrap().refused.iter().find(|refusal| refusal.method == Method::Bernoulli).unwrap();
    /// assert!(refusal.respelled(|name| format!("--{}", name.replace('_', "-"))).starts_with("--sigma-squared = 10: "));
    /// # Ok::<(), samplez::Refused>(())
    /// ```
    pub fn respelled(&self, spell: impl Fn(&str) -> String) -> String {
        respelled(&self.why, &spell)
    }
}

/// The error if no method can sample the law within the options: the cause of a [`Refused`] of the planner.
///
/// ```
/// use samplez::{Method, NoMethod, Recipe};
/// let refused = "sigma=3.2,tail=20".parse::<Recipe>()?.build().unwrap_err();
/// assert!(refused.to_string().ends_with("; with variable_time ziggurat is possible"));
/// let none: &NoMethod = refused.cause().unwrap().downcast_ref().unwrap();
/// assert_eq!(none.refused.len(), Method::ALL.len());
/// # Ok::<(), samplez::Refused>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NoMethod {
    /// Every method, with the reason against it.
    pub refused: Vec<Refusal>,
}

impl fmt::Display for NoMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "none of {} methods will do", self.refused.len())
    }
}

impl Error for NoMethod {}

/// A method, its sampler, and the account of the choice.
type Choice = (Method, Made, Account);

/// What a plan is written from when someone asks for it: most programs do not.
pub(crate) struct Account {
    law: DiscreteGaussian,
    /// Those in force: with `exact`, or as they were given.
    options: Options,
    method: Method,
    /// Why it was the first.
    lead: &'static str,
    table_bytes: usize,
    /// The methods before it that could not be built.
    failed: Vec<Refusal>,
    plan: OnceLock<Plan>,
}

impl Account {
    /// Returns the plan.
    pub(crate) fn plan(&self) -> &Plan {
        self.plan.get_or_init(|| self.written())
    }

    fn written(&self) -> Plan {
        let options = &self.options;
        let Admitted { ask, candidates, refused } = admitted(&self.law, options);
        let is_its = |candidate: &&Candidate| candidate.method == self.method;
        let chosen = candidates.iter().find(is_its).expect("it was admitted by the same law and options");
        let has_failed = |method| self.failed.iter().any(|failed| failed.method == method);
        let others = candidates.iter().filter(|other| !is_its(other) && !has_failed(other.method));
        let lost = others.map(|other| Refusal { method: other.method, why: lost(other, chosen, &ask) });
        let mut refused = told(refused, options);
        refused.extend(lost);
        refused.extend_from_slice(&self.failed);
        in_order(&mut refused);
        let speed = measured::here(self.method, ask.sigma);
        let reason = format!(
            "{}{}: {}{} from {} bytes",
            self.lead,
            wishes(options)
                .map_or(String::new(), |words| format!(" of what is {}", respelled(&words, &str::to_string))),
            said(speed, options),
            if as_measured(options) { "" } else { ", here" },
            self.table_bytes
        );
        let setup = Duration::from_secs_f64(chosen.cost.setup);
        Plan { reason, setup, million_per_second: speed, instructions: measured::instructions(), refused }
    }
}

/// A way to sample a law, its cost, and its position in the order.
struct Candidate {
    method: Method,
    cost: Cost,
    position: usize,
}

/// Chooses the first method in the [`order`] that honours `law` and the options, as [`Plan`] describes it.
///
/// - By default, an exact sampler is preferred to every other that is not many times faster. The timing is never given
///   up.
/// - The table, fixed ones included, takes at most `memory`.
/// - The setup takes at most `setup_time`, by the estimate. Without that option, a setup longer than 0.1 s is chosen
///   only if there is no other.
/// - The other constraints go by the methods' declarations. Exact methods meet any precision; any other option admits
///   only the methods that use it.
/// - The Ziggurat gets as many rectangles as fit, up to 1024. It and the two rejections get a longer tail than the one
///   given if the precision requires it.
///
/// The choice is a function of `law` and `options`. The speeds are those [`measured`] with the instructions of the machine.
///
/// # Errors
///
/// [`Refused`] from [`NoMethod`], with each method's reason.
pub(crate) fn choose(law: &DiscreteGaussian, options: &Options) -> Result<Choice, Refused> {
    options.check()?;
    compares_all(options)?;
    preferred(law, options).map_err(|refused| {
        let way = way_out(law, options);
        let wishes = wishes(options).map_or(String::new(), |words| format!(", {words}"));
        Refused::no_method(format!("no method for {law:#}{wishes}: {way}")).because(NoMethod { refused })
    })
}

/// The choice, or every method's reason. Without `exact`, an exact sampler is preferred if it is fast.
fn preferred(law: &DiscreteGaussian, options: &Options) -> Result<Choice, Vec<Refusal>> {
    let exact = options.exact.is_none().then_some(Options { exact: Some(true), ..*options });
    let Some(exact) = exact else {
        return chosen(law, options, admitted(law, options)).map(|(_, choice)| choice);
    };
    let exacts = admitted(law, &exact);
    // No table is built to be thrown away: where an inexact sampler will be chosen, no exact one is built.
    if let Some(least) = exacts.foremost(&exact).filter(|least| !order::is_fast(*least)) {
        let all = admitted(law, options);
        if all.foremost(options).is_some_and(|other| other < least)
            && let Ok((other, choice)) = chosen(law, options, all)
            && other < least
        {
            return Ok(choice);
        }
    }
    match chosen(law, &exact, exacts) {
        Ok((position, choice)) if order::is_fast(position) => Ok(choice),
        Ok((position, choice)) => {
            let all = admitted(law, options);
            // Another is built beside it only if its position is in front of the exact one's.
            let is_before = all.candidates.iter().any(|other| other.position < position);
            let any =
                is_before.then(|| chosen(law, options, all).ok()).flatten().filter(|(other, _)| *other < position);
            Ok(any.map_or(choice, |(_, choice)| choice))
        }
        Err(_) => chosen(law, options, admitted(law, options)).map(|(_, choice)| choice),
    }
}

/// The methods that can serve by declaration and estimate, and the reasons against the others.
struct Admitted<'a> {
    ask: Ask<'a>,
    candidates: Vec<Candidate>,
    refused: Vec<(Method, Why)>,
}

impl Admitted<'_> {
    /// Returns the position of the candidate that is built first.
    fn foremost(&self, options: &Options) -> Option<usize> {
        best(&self.candidates, options).map(|(at, _)| self.candidates[at].position)
    }
}

fn admitted<'a>(law: &'a DiscreteGaussian, options: &'a Options) -> Admitted<'a> {
    let (mut refused, mut candidates) = (Vec::new(), Vec::new());
    let ask = Ask::new(law, options);
    for method in Method::ALL {
        match admit(method, &ask) {
            Ok(cost) => {
                let position = order::position(method, ask.table().entries, cost.bytes);
                candidates.push(Candidate { method, cost, position });
            }
            Err(why) => refused.push((method, why)),
        }
    }
    Admitted { ask, candidates, refused }
}

/// The choice with these options alone and its position in the order, or every method's reason.
fn chosen(law: &DiscreteGaussian, options: &Options, admitted: Admitted<'_>) -> Result<(usize, Choice), Vec<Refusal>> {
    let Admitted { mut candidates, refused, .. } = admitted;
    let mut failed = Vec::new();
    while let Some((at, lead)) = best(&candidates, options) {
        let Candidate { method, cost, position } = candidates.swap_remove(at);
        match realise(method, cost, law) {
            Ok(made) => {
                let (table_bytes, plan) = (made.profile.table_bytes, OnceLock::new());
                let account = Account { law: *law, options: *options, method, lead, table_bytes, failed, plan };
                return Ok((position, (method, made, account)));
            }
            Err(why) => failed.push(Refusal { method, why: why.quoted() }),
        }
    }
    let mut refused = told(refused, options);
    refused.append(&mut failed);
    in_order(&mut refused);
    Err(refused)
}

/// The first option without which a method remains, limits before requirements. A method that `variable_time` admits comes second.
fn way_out(law: &DiscreteGaussian, options: &Options) -> String {
    let limits = Options::INFO.iter().filter(|info| ["memory", "setup_time"].contains(&info.name));
    let shapes = Options::INFO.iter().filter(|info| !info.demand);
    let requirements = Options::INFO.iter().filter(|info| info.demand);
    let mut given = limits.chain(shapes).chain(requirements).filter(|info| options.get(info.name).is_some());
    // Built, not estimated: what is named is possible.
    let possible = |options: &Options| preferred(law, options).ok().map(|(method, ..)| method);
    let fewer = given.find_map(|info| Some((info.name, possible(&without(options, info.name))?)));
    let any_time = Options { constant_time: None, variable_time: Some(true), ..*options };
    let variable = if options.variable_time() || !EVERY_METHOD { None } else { possible(&any_time) };
    let leave = |name, method| format!("leave `{name}` out, and {method} is possible");
    let place = if options.constant_time() { " in place of `constant_time`" } else { "" };
    let add = |method| format!("with `variable_time`{place} {method} is possible");
    match (fewer, variable) {
        (Some((name, method)), Some(other)) if other != method => format!("{}; {}", leave(name, method), add(other)),
        (Some((name, method)), _) => leave(name, method),
        (None, Some(method)) => add(method),
        (None, None) if law.center().floor().unsigned_abs() >= FAR => {
            "subtract an integer from the centre, so that it is \
             between -2^62 and 2^62, and add it to the samples"
                .into()
        }
        (None, None) => "change the width or the centre; a method that you name gives its reason".into(),
    }
}

/// The options except this one.
fn without(options: &Options, name: &str) -> Options {
    let mut fewer = Options::default();
    for info in Options::INFO.iter().filter(|info| info.name != name) {
        if let Some(value) = options.get(info.name) {
            // What was accepted once is accepted again.
            let _ = fewer.set(info.name, &value.to_string());
        }
    }
    fewer
}

fn in_order(refused: &mut [Refusal]) {
    refused.sort_unstable_by_key(|refusal| refusal.method as usize);
}

/// Why a method cannot serve, as far as declaration and estimate show.
enum Why {
    NotHere(Refused),
    /// Its timing is variable.
    Timing,
    Lack(Lack),
    Ignored(&'static str),
    Cost(Refused),
    /// The bytes that the method needs.
    Memory(f64),
    Setup(String),
}

/// The refusals in words.
#[inline(never)]
fn told(refused: Vec<(Method, Why)>, options: &Options) -> Vec<Refusal> {
    let told = refused.into_iter().map(|(method, why)| {
        let why = match why {
            Why::NotHere(why) => why.allowed().to_string(),
            Why::Timing => "of variable timing; `variable_time` admits it".into(),
            Why::Lack(lack) => lack.is(),
            Why::Ignored(name) => format!("has no option `{name}`"),
            // The method's name stands beside it.
            Why::Cost(why) if why.argument() == "method" => why.allowed().to_string(),
            Why::Cost(why) => why.quoted(),
            Why::Memory(bytes) => {
                format!("takes about {} bytes, more than the {} allowed", rounded(bytes), options.memory())
            }
            Why::Setup(why) => why,
        };
        Refusal { method, why }
    });
    told.collect()
}

/// Returns the reason against the method by its declaration: its timing, a requirement, or an option that it would ignore. Exact
/// methods meet any precision.
fn objection(method: Method, options: &Options) -> Option<Why> {
    if let Err(why) = method.is_here() {
        return Some(Why::NotHere(why));
    }
    let is_open = options.variable_time() || options.constant_time() || method.timing() != Timing::Variable;
    if !is_open {
        return Some(Why::Timing);
    }
    let ignored = || method.ignored(&Options { precision: None, ..*options });
    method.lack(options).map(Why::Lack).or_else(|| ignored().map(|(name, _)| Why::Ignored(name)))
}

/// Estimates the method's cost, if by declaration and estimate it can serve.
fn admit(method: Method, ask: &Ask<'_>) -> Result<Cost, Why> {
    objection(method, ask.options).map_or(Ok(()), Err)?;
    let cost = method.cost(ask).map_err(Why::Cost)?;
    if cost.bytes > ask.options.memory() as f64 {
        return Err(Why::Memory(cost.bytes));
    }
    within_time(&cost, ask.options).map_err(Why::Setup)?;
    Ok(cost)
}

fn within_time(cost: &Cost, options: &Options) -> Result<(), String> {
    match options.setup_time.filter(|most| cost.setup > most.as_secs_f64()) {
        Some(most) => Err(format!("takes about {} to set up, more than the {most:?} allowed", seconds(cost.setup))),
        None => Ok(()),
    }
}

/// The way out of a limit that a named method exceeds.
const OTHER: &str = ", or leave `method` out";

/// The sampler of a method that was named, if by estimate it is set up in time.
pub(crate) fn named(method: Method, law: &DiscreteGaussian, options: &Options) -> Result<Made, Refused> {
    if let Some(most) = options.setup_time
        && let Ok(cost) = method.cost(&Ask::new(law, options))
    {
        let refused =
            |why| Refused::new("setup_time", most.as_secs_f64(), format!("{method} {why}; allow more{OTHER}"));
        within_time(&cost, options).map_err(refused)?;
    }
    let is_large = |refused: &Refused| refused.allowed().contains("; raise ");
    method.build(law, options).map_err(|refused| if is_large(&refused) { refused.or(OTHER) } else { refused })
}

/// Returns the index of the best candidate, and the reason for it.
fn best(candidates: &[Candidate], options: &Options) -> Option<(usize, &'static str)> {
    let is_quick = |cost: &Cost| options.setup_time.is_some() || cost.setup <= QUICK;
    let quick = || candidates.iter().enumerate().filter(|(_, candidate)| is_quick(&candidate.cost));
    let Some((at, _)) = quick().min_by_key(|(_, candidate)| candidate.position) else {
        let slow = candidates.iter().enumerate().min_by(|(_, a), (_, b)| a.cost.setup.total_cmp(&b.cost.setup));
        return slow.map(|(at, _)| (at, "the quickest to set up"));
    };
    Some((at, "the first in the order that all machines share"))
}

/// Why the other one was not taken.
fn lost(other: &Candidate, chosen: &Candidate, ask: &Ask<'_>) -> String {
    let [here, best] = [other, chosen].map(|it| measured::here(it.method, ask.sigma));
    let speed = said(here, ask.options);
    if other.position < chosen.position {
        return format!("{speed}, but takes about {} to set up", seconds(other.cost.setup));
    }
    let why = if here <= best { "slower" } else { "not the first in the order that all machines share" };
    format!("{why}: {speed}")
}

/// A speed in words.
fn said(speed: f64, options: &Options) -> String {
    if speed.is_nan() {
        return "no measured speed".into();
    }
    let with = if as_measured(options) { "" } else { " with default options" };
    format!("about {} million samples a second{with}", rounded(speed))
}

/// Whether the options build the samplers whose speeds were measured: all that may change a table or the way of drawing have
/// their defaults.
fn as_measured(options: &Options) -> bool {
    let default = Options::default();
    let shape = |options: &Options| {
        let Options { rectangles, omega, distance, .. } = *options;
        let flags = [options.chord(), options.pdf_table(), options.frugal()];
        (options.precision(), options.memory(), rectangles, options.tail(), omega, distance, flags)
    };
    shape(options) == shape(&default)
}

/// Builds the candidate, or its fallback.
fn realise(method: Method, cost: Cost, law: &DiscreteGaussian) -> Result<Made, Refused> {
    let mut options = cost.options;
    loop {
        match (method.build(law, &method.part_of(&options)), (cost.retreat)(&options)) {
            (Err(_), Some(fewer)) => options = fewer,
            (made, _) => return made,
        }
    }
}

/// Returns the constraints, in words.
fn wishes(options: &Options) -> Option<String> {
    let mut words = Vec::new();
    if options.exact() {
        words.push("exact".to_string());
    }
    if options.constant_time() {
        words.push("constant-time".into());
    }
    if !options.constant_time() && !options.variable_time() {
        let native = if PROMISED { "" } else { " in native code" };
        words.push(format!("constant-time or isochronous{native}"));
    }
    let flags = ["precision", "exact", "constant_time", "variable_time"];
    let is_limit = options.memory() < Options::default().memory();
    let said = options.said().filter(|(name, _)| !flags.contains(name) && (is_limit || *name != "memory"));
    let decimal = |value: String| value.parse::<Rational>().map_or(value, |number| format!("{number:#}"));
    words.extend(said.map(|(name, value)| format!("with `{name}` = {}", decimal(value))));
    (!words.is_empty()).then(|| words.join(", "))
}

fn rounded(number: f64) -> String {
    if number < 10.0 { format!("{number:.1}") } else { format!("{number:.0}") }
}

fn seconds(seconds: f64) -> String {
    if seconds < 1.0 { format!("{:.1} ms", 1e3 * seconds) } else { format!("{seconds:.1} s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A method that is new has no speed, and plans are made all the same.
    #[test]
    fn a_missing_speed_is_no_number() {
        let options = Options::default();
        assert_eq!(said(f64::NAN, &options), "no measured speed");
        assert_eq!(said(16.7, &options), "about 17 million samples a second");
    }
}
