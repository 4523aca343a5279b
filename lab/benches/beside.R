# Speed and law of rdgauss beside extraDistr's rdnorm and round(rnorm()): Rscript lab/benches/beside.R, after `make r` and
# install.packages("extraDistr"). Processor time in ns a sample, the least of nine runs; the law by samplez_verify.
library(samplez)
n <- 1e6
ns <- function(draw) {
    five <- function() { t <- proc.time(); for (i in 1:5) draw(); sum((proc.time() - t)[1:2]) }
    five()
    min(replicate(9, five())) / (5 * n) * 1e9
}
set.seed(1)
for (sigma in c(0.7, 3.2, 215, 2^20)) {
    draws <- list(rdgauss = function() rdgauss(n, sigma, stream = s), rdnorm = function() extraDistr::rdnorm(n, 0, sigma),
        "rdnorm about 1/2" = function() extraDistr::rdnorm(n, 0.5, sigma), "round(rnorm())" = function() round(rnorm(n, sd = sigma)))
    for (name in names(draws)) {
        s <- samplez_stream(seed = 1)
        rejected <- with(samplez_verify(draws[[name]](), sprintf("sigma=%.0f/10", 10 * sigma))$tests, name[verdict == "reject"])
        cat(sprintf("%-9g %-17s %6.2f ns  %s\n", sigma, name, ns(draws[[name]]), if (length(rejected)) paste("rejected by", toString(rejected)) else "passes"))
    }
}
