# Base R and extraDistr: see census.py.
given <- commandArgs(TRUE)
if (given[4] != "") set.seed(as.integer(given[4]))
draw <- switch(given[1],
  normal = function(n) round(rnorm(n)),
  geometric = function(n) rgeom(n, 1 - exp(-1)) - rgeom(n, 1 - exp(-1)),
  poisson = function(n) rpois(n, 5) - rpois(n, 5),
  binomial = function(n) rbinom(n, 20, 0.5) - 10L,
  sample = function(n) sample(-14:14, n, TRUE, exp(-(-14:14)^2 / 2)),
  dlaplace = function(n) extraDistr::rdlaplace(n, 0, exp(-1)),
  dnorm = function(n) extraDistr::rdnorm(n, 0, 1),
  skellam = function(n) extraDistr::rskellam(n, 5, 5)
)
spent <- system.time(integers <- draw(as.integer(given[2])))
cat("seconds", spent[["user.self"]], "\ntype", paste0(typeof(integers), "\n"))
writeLines(as.character(as.integer(integers)), given[3])
if (as.integer(given[2]) > 1000) {
  child <- parallel::mcparallel(draw(16), mc.set.seed = FALSE)
  cat("fork", paste0(if (identical(parallel::mccollect(child)[[1]], draw(16))) "repeat" else "differ", "\n"))
}
