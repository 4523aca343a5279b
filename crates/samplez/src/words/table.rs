//! The table of words. `web/src/words.ts` is written from it.

/// Words for one quantity.
///
/// ```
/// let words = samplez::bindings::WORDS;
/// assert!(words.iter().any(|word| word.words.contains(&"stddev") && word.names().eq(["sigma"])));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// The words, in lower case without `-` and `_`.
    pub words: &'static [&'static str],
    /// The arguments that state this quantity, as a recipe spells them, each with the quantity in a suggestion. A front suggests the
    /// first one that it has.
    pub same: &'static [(&'static str, &'static str)],
    /// The advice for a front that has none of these arguments. It may be empty.
    pub otherwise: &'static str,
    /// The argument beside which the word has this meaning, if it has another one elsewhere: α is a noise rate beside `precision`, and a level in a test.
    pub beside: Option<&'static str>,
}

impl Word {
    /// Returns the names of the arguments that state this quantity.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.same.iter().map(|(name, _)| *name)
    }
}

type Same = &'static [(&'static str, &'static str)];

const fn word(words: &'static [&'static str], same: Same, otherwise: &'static str) -> Word {
    Word { words, same, otherwise, beside: None }
}

const SENSITIVITY: &str = "Gaussian noise needs the L2 sensitivity, Laplace noise the L1 sensitivity, Skellam noise the largest change of a value";
const FIXED: &str = "the significance level of each test is fixed, so that verdicts compare";
const UNCUT: &str = "only laplace is cut, as in the recipe laplace=4,clip=20; where a sample of another law exceeds your bound, draw it again";
const PRIVACY: &str = "for a privacy guarantee, samplez.dp.sigma_squared in Python computes the width";
const WIDTH: &str = "σ, which is nearly the standard deviation";
const SQUARE: &str = "σ², which is nearly the variance";
const LAPLACE: &str = "the scale of discrete Laplace noise";

/// Every word, each of which has one place.
#[rustfmt::skip]
pub const WORDS: &[Word] = &[
    word(&["std", "stddev", "stdev", "sd", "sig", "standarddeviation", "width"], &[("sigma", WIDTH)], ""),
    word(&["scale"], &[("sigma", WIDTH), ("discrete_laplace", LAPLACE), ("laplace", LAPLACE)], ""),
    word(&["sigma2", "s2", "sigmasq", "sigmasqr", "sigma^2"], &[("sigma_squared", SQUARE)], ""),
    word(&["variance", "var"], &[("sigma_squared", SQUARE), ("skellam", "the variance of Skellam noise")], ""),
    word(&["gaussianparameter", "widthparameter"], &[("s", "σ·sqrt(2π)")], ""),
    word(&["lambda", "lam", "r", "beta", "gamma"], &[], "papers use this letter for several quantities, so write the name of yours"),
    word(&["mean", "mu", "loc", "location", "centre", "c", "expectation"], &[("center", "the centre")], ""),
    word(
        &["n", "num", "number", "size", "shape", "count", "nsamples", "numsamples", "total", "draws", "dim", "dimension"],
        &[("count", "the number of samples"), ("size", "the number of samples")],
        "the number of samples belongs to the call that draws",
    ),
    word(
        &["samples"],
        &[("data", "the samples"), ("count", "the number of samples"), ("size", "the number of samples")],
        "the number of samples belongs to the call that draws",
    ),
    word(&["data", "values", "array"], &[("data", "the samples"), ("values", "the integers")], ""),
    word(&["k", "outcome", "point"], &[("x", "the point")], ""),
    word(
        &["seed", "randomseed", "randomstate", "seedsequence", "key", "entropy"],
        &[("seed", "the seed"), ("rng", "the seed")],
        "the seed belongs to the call that draws",
    ),
    word(
        &["rng", "generator", "prng", "csprng", "bitgenerator", "randomsource", "source"],
        &[("rng", "the source of random bits"), ("source", "the source of random bits")],
        "the source of random bits belongs to the call that draws",
    ),
    word(&["prec", "bits", "nbits", "bitprecision"], &[("precision", "the bits of a table")], ""),
    word(&["tailcut", "tau", "tailbound"], &[("tail", "where the support ends, in σ")], ""),
    word(&["clip", "bound", "cutoff", "truncate", "truncation", "limit"], &[("clip", "the largest distance from the centre")], UNCUT),
    word(&["range", "max", "maximum", "bounds"], &[("range", "the least and the largest value")], UNCUT),
    word(
        &["threads", "jobs", "njobs", "workers", "nthreads", "numthreads", "cores", "parallel"],
        &[("threads", "the number of threads")],
        "the number of threads belongs to the call that draws",
    ),
    word(&["type", "datatype", "inttype", "outtype"], &[("dtype", "the integer type")], ""),
    word(&["method", "algorithm", "algo", "sampler"], &[("method", "the method")], "the method cannot be chosen here, so leave it out"),
    word(&["output", "o", "outfile"], &[("out", "the output")], ""),
    word(
        &["config", "conf", "configuration", "params", "parameters", "settings"],
        &[("recipe", "distribution and options in one text")],
        "",
    ),
    word(&["mem", "maxmemory", "maxtablebytes", "tablebytes"], &[("memory", "the maximum memory in bytes")], ""),
    word(&["ct", "consttime"], &[("constant_time", "constant time")], ""),
    word(
        &["cbd", "binomial", "eta"],
        &[("centered_binomial", "centred binomial noise")],
        "centred binomial noise is a distribution of its own, in the place of the width",
    ),
    word(
        &["laplace", "geometric", "doublegeometric"],
        &[("discrete_laplace", LAPLACE), ("laplace", LAPLACE)],
        "discrete Laplace noise is a distribution of its own, in the place of the width",
    ),
    word(
        &["isochronous", "secure", "timingsafe"],
        &[],
        "in native code the default's running time is independent of the samples, and WebAssembly promises none, so leave it out",
    ),
    word(&["vartime", "nonconstanttime"], &[("variable_time", "variable time")], ""),
    word(
        &["q"],
        &[("modulus", "the modulus"), ("sampling_rate", "the probability that a release includes a record")],
        "samples are integers; reduce them modulo q afterwards",
    ),
    word(&["mod", "modq", "modulus"], &[("modulus", "the modulus")], "samples are integers; reduce them modulo q afterwards"),
    word(
        &["samplerate", "samplingrate", "samplingprobability", "samplingprob", "samplingratio", "subsampling"],
        &[("sampling_rate", "the probability that a release includes a record")],
        "",
    ),
    word(
        &["steps", "nsteps", "numsteps", "rounds", "iterations", "compositions", "numcompositions", "queries", "numqueries"],
        &[("releases", "the number of releases")],
        "",
    ),
    word(&["eps", "epsilon", "targetepsilon"], &[("epsilon", "the privacy parameter ε")], PRIVACY),
    word(&["rho", "zcdp"], &[("rho", "the privacy parameter ρ")], PRIVACY),
    word(
        &["delta", "targetdelta"],
        &[("delta", "the privacy parameter δ")],
        "δ belongs to Gaussian noise with a guarantee, samplez.dp in Python; leave it out elsewhere",
    ),
    word(&["l2sensitivity", "l2norm"], &[("l2_sensitivity", "the L2 sensitivity")], SENSITIVITY),
    word(&["linfsensitivity", "linfnorm"], &[("linf_sensitivity", "the largest change of a value")], SENSITIVITY),
    word(&["l1sensitivity", "l1norm"], &[("l1_sensitivity", "the L1 sensitivity")], SENSITIVITY),
    word(
        &["sens", "sensitivity", "globalsensitivity"],
        &[("sensitivity", "the sensitivity")],
        "σ is proportional to the sensitivity, so multiply by it",
    ),
    word(&["noisemultiplier"], &[], "the width σ is the noise multiplier times the L2 sensitivity"),
    word(
        &["json"],
        &[("json", "JSON")],
        "the commands verify, watch, certify, plan, methods, sources, bench and scheme print JSON",
    ),
    word(&["plot", "histogram"], &[], "the command plot draws a file of samples"),
    word(
        &["avx2", "avx512", "avx", "sse2", "neon", "simd", "native"],
        &[("simd", "SIMD instructions")],
        "the processor's instructions are found at run time, so leave it out",
    ),
    word(&["verbose", "v", "debug"], &[], "there is no more to print than by default, so leave it out"),
    word(&["silent"], &[("quiet", "no summary and no progress bar")], ""),
    word(
        &["fmt", "fileformat", "format"],
        &[("format", "the format of the file"), ("emit", "the format of the text"), ("json", "JSON")],
        "",
    ),
    word(&["col", "field"], &[("column", "the column of a CSV file")], ""),
    Word {
        beside: Some("precision"),
        ..word(&["alpha"], &[("s", "α·q, where α is the noise rate of LWE")], FIXED)
    },
    word(&["significance", "pvalue", "confidence"], &[], FIXED),
    word(
        &["alphaq", "noiserate", "errorrate"],
        &[("s", "α·q, where α is the noise rate of LWE")],
        "the width s is α·q, where α is the noise rate of LWE",
    ),
    word(&["log2sigma", "logsigma", "log2std", "logstd"], &[], "pass the width itself, not its logarithm"),
    word(
        &["gaussian", "normal", "gauss", "discretegaussian"],
        &[("sigma", "the width of the discrete Gaussian")],
        "",
    ),
    word(
        &["law", "distribution", "dist", "family"],
        &[],
        "a width alone means the discrete Gaussian, and each other distribution has an option of its own; verify judges rounded laws, as by the recipe law=rounded,sigma=3.2",
    ),
    word(
        &["hw", "hammingweight", "weight", "sparse"],
        &[("sparse_ternary", "the entries that are not 0")],
        "",
    ),
    word(
        &["trials", "reps", "repetitions", "runs"],
        &[],
        "one call draws the samples of all trials, or run it again with another seed",
    ),
    word(
        &["security", "seclevel", "securitylevel", "securitybits", "secparam", "targetbits", "targetsecurity"],
        &[],
        "samplez takes no security level; a certificate bounds how many bits an attack gains from a sampler",
    ),
    word(&["compare", "reference", "other", "file2"], &[("against", "the other file")], ""),
    word(
        &["force", "overwrite", "clobber", "f", "y"],
        &[],
        "a file of this name is replaced without a question, so leave it out",
    ),
    word(&["append"], &[], "a file is written whole, so write another one, or append the standard output"),
    word(
        &["delimiter", "delim", "sep", "separator"],
        &[],
        "commas, semicolons, tabs and blanks are recognized in a file, so leave it out",
    ),
    word(&["in", "input", "i", "infile"], &[], "give the input without an option's name"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Recipe;
    use crate::bindings::way_out;
    use std::collections::BTreeSet;

    #[test]
    fn every_word_has_one_place_and_leads_to_its_own_quantity() {
        let mut seen = BTreeSet::new();
        let all: Vec<&str> = WORDS.iter().flat_map(Word::names).chain(Recipe::names()).collect();
        for word in WORDS {
            assert!(!word.same.is_empty() || !word.otherwise.is_empty(), "{word:?}");
            for spelling in word.words {
                assert!(seen.insert(spelling), "{spelling}: twice");
                assert!(!spelling.contains(['-', '_']) && *spelling == spelling.to_lowercase(), "{spelling}");
                // Where every argument is known, and where one is.
                for known in [all.clone()].into_iter().chain(all.iter().map(|one| vec![*one])) {
                    let told = way_out(spelling, &known).unwrap_or_default();
                    let named: Vec<&str> = told.split('`').skip(1).step_by(2).collect();
                    let is_own =
                        |name: &&str| word.names().any(|same| same == *name) || name.replace('_', "") == *spelling;
                    assert!(named.iter().all(is_own) && named.len() <= 1, "{spelling}: {told}");
                    let is_meant = word.beside.is_none_or(|beside| known.contains(&beside));
                    let has = is_meant && known.iter().any(|name| word.names().any(|same| same == *name));
                    assert_eq!(!named.is_empty(), has, "{spelling} of {known:?}: {told}");
                }
            }
        }
        assert!(seen.len() > 90);
    }

    #[test]
    fn slips_of_one_letter_alone_are_near() {
        let known: Vec<&str> = Recipe::names().collect();
        for (name, told) in [
            ("Sigma", "did you mean `sigma`?"),
            ("sigmaSquared", "did you mean `sigma_squared`?"),
            ("sgima", "did you mean `sigma`?"),
            ("precison", "did you mean `precision`?"),
            ("constan_time", "did you mean `constant_time`?"),
            ("stdde", "did you mean `sigma`?"),
            ("variace", "did you mean `sigma_squared`?"),
            ("no_exact", "leave `exact` out instead"),
            ("var", "write `sigma_squared` for σ², which is nearly the variance"),
        ] {
            assert_eq!(way_out(name, &known).as_deref(), Some(told), "{name}");
        }
        // Another quantity, or nothing.
        for name in ["sigma1", "sigma3", "k_sigma", "t", "ss", "sx", "colour", "variable", "exactly not", ""] {
            assert_eq!(way_out(name, &known), None, "{name}");
        }
        assert_eq!(way_out("chord", &["no_chord"]).as_deref(), Some("it is the default; `no_chord` turns it off"));
    }
}
