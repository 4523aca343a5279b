//! The R package's functions of each distribution, their names and their page, from the table of laws.

use samplez::bindings::{LawInfo, LawRange};

/// A distribution: its law in a recipe, R's name, its parameters as arguments and by name, its description and its values.
struct Family {
    law: &'static str,
    name: &'static str,
    arguments: String,
    parameters: Vec<&'static str>,
    summary: String,
}

fn families() -> impl Iterator<Item = Family> {
    let gaussian = Family {
        law: "",
        name: "dgauss",
        arguments: ", sigma, center = 0".into(),
        parameters: vec!["sigma", "center"],
        summary: "discrete Gaussian, P(x) proportional to exp(-(x-\\code{center})^2/(2 \\code{sigma}^2))".into(),
    };
    let others = LawInfo::ALL.into_iter().map(|info| {
        let parameters: Vec<&str> = Some(info.parameter).filter(|name| !name.is_empty()).into_iter().collect();
        let values = match info.range {
            LawRange::Nothing => String::new(),
            _ => format!("; \\code{{{}}} is {}", info.parameter, info.values(false)),
        };
        Family {
            law: info.name,
            name: info.full_name,
            arguments: parameters.iter().map(|name| format!(", {name}")).collect(),
            parameters,
            summary: info.summary(|name| format!("\\code{{{name}}}")) + &values,
        }
    });
    std::iter::once(gaussian).chain(others)
}

/// The heads of the four functions: letter, arguments, and what they call. A stream is named in full, so that `s = 8` is not short for it.
const FUNCTIONS: [(char, &str, &str, &str, &str); 4] = [
    ('r', "n", "..., stream = NULL", "random", "stream"),
    ('d', "x", "log = FALSE, ...", "density_of", "log"),
    ('p', "q", "lower.tail = TRUE, log.p = FALSE, ...", "cumulative", "lower.tail, log.p"),
    ('q', "p", "lower.tail = TRUE, log.p = FALSE, ...", "quantile_of", "lower.tail, log.p"),
];

const HEAD: &str = "Written by `cargo tools gen-docs` from crates/samplez/src/law.rs.";

/// `R/families.R`.
pub(crate) fn functions() -> String {
    let mut text = format!("# {HEAD}\n");
    for family in families() {
        text += "\n";
        let named: Vec<String> = family.parameters.iter().map(|name| format!("{name} = {name}")).collect();
        for (letter, first, last, calls, passed) in FUNCTIONS {
            let Family { law, name, arguments, .. } = &family;
            text += &format!("{letter}{name} <- function({first}{arguments}, {last})\n");
            text += &format!("    {calls}(\"{law}\", {first}, list({}), {passed})\n", named.join(", "));
        }
    }
    text
}

/// `NAMESPACE`.
pub(crate) fn namespace() -> String {
    let mut text = format!("# {HEAD}\nuseDynLib(samplez, .registration = TRUE, .fixes = \"C_\")\n");
    for Family { name, .. } in families() {
        text += &format!("export(r{name}, d{name}, p{name}, q{name})\n");
    }
    text + "export(samplez_stream, samplez_bulk, samplez_verify)\n\
        S3method(close, samplez_stream)\nS3method(print, samplez_stream)\nS3method(print, samplez_verification)\n"
}

/// `man/families.Rd`.
pub(crate) fn page() -> String {
    let mut aliases = String::new();
    let (mut usage, mut rows) = (String::new(), String::new());
    for Family { name, arguments, summary, .. } in families() {
        for (letter, first, last, ..) in FUNCTIONS {
            aliases += &format!("\\alias{{{letter}{name}}}\n");
            usage += &format!("{letter}{name}({first}{arguments}, {last})\n");
        }
        rows += &format!("  \\item{{\\code{{{name}}}}}{{{summary}.}}\n");
    }
    format!(
        r#"% {HEAD}
\name{{families}}
{aliases}\title{{Distributions over the Integers}}
\description{{
Random integers, probabilities, distribution functions and quantiles, with the arguments of R's own families.
}}
\usage{{
{usage}}}
\arguments{{
  \item{{n}}{{number of integers; a vector stands for its length.}}
  \item{{x, q}}{{numbers.}}
  \item{{p}}{{probabilities.}}
  \item{{sigma, center, eta, b, variance, scale}}{{the parameters: numbers, which mean their decimals (3.2 is 16/5), or exact
    texts such as \code{{"16/5"}}. They are recycled if their lengths divide the length of the result.}}
  \item{{stream}}{{a stream of \code{{\link{{samplez_stream}}}}, or \code{{NULL}} for one that takes its seed from the operating system.}}
  \item{{log, log.p}}{{if true, probabilities are given as logarithms.}}
  \item{{lower.tail}}{{if true, probabilities are \eqn{{P(X \le x)}}{{P(X <= x)}}, otherwise \eqn{{P(X > x)}}{{P(X > x)}}.}}
  \item{{...}}{{arguments that there are not: an error names the one to use.}}
}}
\details{{
\describe{{
{rows}}}

By default the samples of \code{{r}} follow the ideal distribution exactly. They are independent of \code{{\link{{set.seed}}}}.

With several values of \code{{sigma}} or \code{{center}}, all numbers, with \code{{sigma}} from 1 to 2^26 and \code{{center}} between -2^62 and
2^62, \code{{rdgauss}} draws around these exact doubles; otherwise it builds a sampler for each distinct pair.

Probabilities are correctly rounded. \code{{q}} returns the least integer whose rounded probability reaches \code{{p}}, so it undoes
\code{{p}} wherever neighbouring probabilities differ as doubles, and at 0 and 1 it returns the ends of the distribution. For other distributions than the discrete Gaussian the logarithm of a
tail below 5e-324 is \code{{-Inf}}.
}}
\value{{
\code{{r}} returns integers of type integer if the distribution lies within their range. Wider ones are doubles up to 2^53, and beyond
them \code{{integer64}} of package \pkg{{bit64}}. The other functions return doubles.

A refused argument is an error of class \code{{samplez_error}}, with the reason as its \code{{kind}}.
}}
\examples{{
rdgauss(10, 3.2)
ddgauss(-3:3, sigma = 3.2, center = 1/3)
pskellam(qskellam(0.9, 2.5), 2.5)
rdiscrete_laplace(3, c(1, 10, 100))
}}
\seealso{{\code{{\link{{samplez_stream}}}}, \code{{\link{{samplez_verify}}}}, \code{{\link{{samplez_bulk}}}}.}}
\keyword{{distribution}}
"#
    )
}
