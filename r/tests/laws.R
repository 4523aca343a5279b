library(samplez)
test <- function(name, code) { force(code); cat("ok:", name, "\n") }

# The functions of a family, and one set of parameters.
families <- list(
    list("dgauss", list(sigma = 3.2, center = 1/3)), list("dgauss", list(sigma = "16/5")), list("ternary", list()),
    list("centered_binomial", list(eta = 21)), list("centered_binomial", list(eta = 1000)), list("tuniform", list(b = 4)), list("skellam", list(variance = 2.5)),
    list("discrete_laplace", list(scale = 10)))
of <- function(letter, family, ...) do.call(paste0(letter, family[[1]]), c(list(...), family[[2]]))

test("samples have the probabilities that d gives", for (family in families) {
    n <- 100000
    drawn <- of("r", family, n, stream = samplez_stream(seed = 1))
    stopifnot(is.integer(drawn), length(drawn) == n)
    x <- -40:40
    p <- of("d", family, x)
    count <- tabulate(drawn + 41L, 81L)
    # Six deviations: false with a probability below 2e-9 for each of 81 values.
    stopifnot((count - n * p)^2 <= 36 * n * p * (1 - p) + 1)
})

test("p sums d, and q undoes p", for (family in families) {
    x <- -4:4
    p <- of("p", family, x)
    stopifnot(abs(p - of("p", family, -5) - cumsum(of("d", family, x))) < 1e-15, of("p", family, x + 0.5) == p)
    stopifnot(abs(p + of("p", family, x, lower.tail = FALSE) - 1) < 1e-15, abs(exp(of("p", family, x, log.p = TRUE)) - p) < 1e-15)
    has_mass <- of("d", family, x) > 0
    stopifnot((of("q", family, p) == x)[has_mass], (of("q", family, log(0.3), log.p = TRUE) == of("q", family, 0.3)))
    above <- of("p", family, x, lower.tail = FALSE)
    stopifnot((of("q", family, above, lower.tail = FALSE) == x)[has_mass], exp(of("d", family, 1, log = TRUE)) - of("d", family, 1) < 1e-15)
})

test("values of other programs", {
    # By mpmath, as in kat/law-rounded.csv; e^-2.5 I_1(2.5); the quantiles of the normal are at most 1 off.
    stopifnot(ddgauss(0, 3.2) == 0.12466946262544772, dskellam(1, 2.5) == 0.20658464953126657, dcentered_binomial(0, 2) == 6 / 16, abs(dcentered_binomial(-3:3, 1000) / dbinom(997:1003, 2000, 0.5) - 1) < 1e-11)
    stopifnot(ddiscrete_laplace(3, 10) == 0.03701007444444673, dtuniform(4, 2) == 1 / 16, dternary(-1) == 1 / 3)
    stopifnot(pdgauss(-1000, 3.2, log.p = TRUE) == -48830.207089343014, qdgauss(-48830.207089343014, 3.2, log.p = TRUE) == -1000)
    stopifnot(abs(qdgauss(c(0.01, 0.3, 0.99), 1000) - qnorm(c(0.01, 0.3, 0.99), sd = 1000)) <= 1)
    stopifnot(identical(qdgauss(0:1, 3.2), c(-Inf, Inf)), identical(qternary(0:1), c(-1, 1)))
    # The first probability that rounds to 1: a quantile is the end there.
    stopifnot(pdgauss(25:26, 3.2) == c(1 - 6 * 2^-53, 1), qdgauss(pdgauss(25:26, 3.2), 3.2) == c(25, Inf))
    # The default is exact for every width.
    of <- function(...) samplez_bulk(paste(c("sigma=1000", ...), collapse = ","), 1000, seed = 1)
    stopifnot(identical(of(), of("exact=true")), !identical(of(), of("constant_time=true")))
})

test("arguments recycle, and keep their shape", {
    x <- matrix(-2:3, 2)
    stopifnot(identical(dim(ddgauss(x, 3.2)), dim(x)), identical(ddgauss(0, 1:3), vapply(1:3, function(s) ddgauss(0, s), 0)))
    stopifnot(identical(pdgauss(-1:2, c(1, 2)), c(pdgauss(-1, 1), pdgauss(0, 2), pdgauss(1, 1), pdgauss(2, 2))))
    stopifnot(identical(dskellam(c(a = 1, b = NA), 2.5), c(a = dskellam(1, 2.5), b = NA)), identical(ddgauss(NA, 3), NA_real_))
    stopifnot(identical(ddgauss(integer(0), 3.2), numeric(0)), identical(rdgauss(0, 3.2), integer(0)), identical(rdgauss(0, 1:2), integer(0)), length(rdgauss(c(5, 6, 7), 3.2)) == 3)
    stopifnot(ddgauss(-3:3, 0.1 + 0.2) == ddgauss(-3:3, "0.30000000000000004"), ddgauss(1, 1e-3) == 0)
})

test("each sample has its own parameters", {
    s <- samplez_stream(seed = 2)
    sigma <- rep(c(1, 50), 5000)
    for (drawn in list(rdgauss(10000, sigma, 1000, stream = s), rdgauss(10000, as.character(sigma), 1000, stream = s))) {
        # Variances within six deviations, 6 sqrt(2/5000) of them; both ways have the same law, by the library's own calls.
        by <- tapply(drawn, sigma, var) / c(1, 2500)
        stopifnot(is.integer(drawn), abs(by - 1) < 0.12, abs(mean(drawn) - 1000) < 6 * 50 / sqrt(20000))
    }
    wide <- rskellam(1000, c(0.5, 1000), stream = s)
    stopifnot(abs(tapply(wide, rep(1:2, 500), var) / c(0.5, 1000) - 1) < 0.9, max(abs(wide[c(TRUE, FALSE)])) < 12)
})

test("verify tells samples from others", {
    x <- rdgauss(50000, 3.2, stream = samplez_stream(seed = 3))
    right <- samplez_verify(x, "sigma=3.2")
    stopifnot(right$consistent, right$n == 50000, nrow(right$tests) > 10, is.data.frame(right$tests))
    stopifnot(right$tests$verdict %in% c("pass", "not applicable"), !is.na(right$tests$reason[right$tests$verdict == "not applicable"]))
    wrong <- samplez_verify(round(qnorm((1:50000 - 0.5) / 50000, sd = 3.2)), "sigma=3.2")
    stopifnot(!wrong$consistent, "reject" %in% wrong$tests$verdict, !samplez_verify(x, "skellam=9")$consistent)
    set.seed(1)
    rounded <- round(rnorm(20000, sd = 0.7))
    stopifnot(!samplez_verify(rounded, "sigma=0.7")$consistent, samplez_verify(rounded, "sigma=0.7,law=rounded")$consistent)
    residues <- samplez_verify(x %% 12289, "sigma=3.2")
    stopifnot(is.na(right$modulus), is.na(wrong$modulus), !residues$consistent, residues$modulus == 12289)
    stopifnot(grepl("look like residues modulo 12289:", capture.output(print(residues))[2]))
    stopifnot(grepl("are NOT from sigma=3.2", capture.output(print(wrong))[1]), grepl("are consistent with", capture.output(print(right))))
})
