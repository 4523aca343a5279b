library(samplez)
test <- function(name, code) { force(code); cat("ok:", name, "\n") }
closed <- samplez_stream(); close(closed)

# A call, its kind, and the message, which has the argument, its value as typed, and the way out.
cases <- list(
    list(quote(rdgauss(-1, 3.2)), "out-of-range", "n = -1: expected a whole number from 0 to 2^53"),
    list(quote(rdgauss(2.5, 3.2)), "out-of-range", "n = 2.5: expected a whole number from 0 to 2^53"),
    list(quote(rdgauss(NA, 3.2)), "out-of-range", "n = NA: expected a whole number"),
    list(quote(rdgauss(NULL, 3.2)), "missing", "n = NULL: expected a whole number"),
    list(quote(rdgauss("3", 3.2)), "out-of-range", "n = \"3\": expected a whole number"),
    list(quote(rdgauss(2, NULL)), "missing", "sigma = NULL: expected a number such as 3.2, or a text such as \"16/5\""),
    list(quote(rdgauss(2, NA)), "not-a-number", "sigma = NA: expected a number such as 3.2"),
    list(quote(rdgauss(2, NaN)), "not-a-number", "sigma = NaN: expected a number such as 3.2"),
    list(quote(rdgauss(2, c(1, NA))), "not-a-number", "sigma[2] = NA: expected a number such as 3.2"),
    list(quote(rdgauss(2, factor("3"))), "not-a-number", "sigma = factor(\"3\"): expected a number such as 3.2, or a text such as \"16/5\"; write as.numeric(as.character(...))"),
    list(quote(rdgauss(2, TRUE)), "not-a-number", "sigma = TRUE: expected a number"),
    list(quote(rdgauss(2, 1i)), "not-a-number", "sigma = 0+1i: expected a number"),
    list(quote(rdgauss(2, list(1))), "not-a-number", "sigma = list(1): expected a number"),
    list(quote(rdgauss(2, "abc")), "not-a-number", "sigma = abc: not a number; allowed are decimals, fractions"),
    list(quote(rdgauss(2, "3,method=cdt")), "not-a-number", "sigma = \"3,method=cdt\": expected a number such as 3.2"),
    list(quote(rdgauss(2, -1)), "out-of-range", "sigma = -1: expected a number greater than 0"),
    list(quote(rdgauss(2, Inf)), "not-a-number", "sigma = Inf: not a number"),
    list(quote(rdgauss(2, 3.2, "x")), "not-a-number", "center = x: not a number"),
    list(quote(rdgauss(4, c(1, 2, 3))), "other", "sigma = c(1, 2, 3): expected a length that divides 4, that of the result"),
    list(quote(pskellam(1:4, 1:3)), "other", "variance = 1:3: expected a length that divides 4, that of the result"),
    list(quote(pskellam(1:2, 1:5)), "other", "length of the parameters = 5L: expected a multiple of 2, that of the first argument"),
    list(quote(rskellam(2, 2e6)), "out-of-range", "variance = 2000000: expected a number from 2^-16 to 2^20; for a larger variance add samples"),
    list(quote(dskellam(1, 0)), "out-of-range", "variance = 0: expected a number from 2^-16 to"),
    list(quote(rtuniform(2, 63)), "out-of-range", "b = 63: expected a whole number from 0 to 62"),
    list(quote(rcentered_binomial(3, c(1000, 0, 2))), "out-of-range", "eta[2] = 0: expected a whole number from 1 to 2^20"),
    list(quote(rcentered_binomial(2, 1.5)), "out-of-range", "eta = 1.5: expected a whole number from 1 to"),
    list(quote(rdiscrete_laplace(2, "1/65537")), "out-of-range", "scale = 1/65537: expected a number from 2^-16 to 2^50"),
    list(quote(samplez_bulk("laplace=5.0,clip=2", 3, 1)), "out-of-range", "clip = 2: expected a whole number from 3 to 2^53, at least half of the scale 5.0"),
    list(quote(rdgauss(2, 3.2, stream = 1)), "other", "stream = 1: expected an open stream of samplez_stream(), or NULL"),
    list(quote(rdgauss(2, 3.2, stream = closed)), "other", "stream = a closed stream: expected an open stream"),
    list(quote(rdgauss(2, 3.2, stream = structure(1, class = "samplez_stream"))), "other", "stream = structure(1, class = \"samplez_stream\"): expected an open stream"),
    list(quote(rdgauss(2, 3.2, stream = structure(samplez:::sampler("sigma=3"), class = "samplez_stream"))), "other", "stream = a"),
    list(quote(rdgauss(4, 3, c(0, 1e19))), "too-long", "center[2] = 1e+19: not representable exactly"),
    list(quote(rdgauss(4, c(3, 0, 1, 1))), "out-of-range", "sigma[2] = 0: expected a number greater than 0"),
    list(quote(rdgauss(4, c(3, 3, -1, 1), 5)), "out-of-range", "sigma[3] = -1: expected a number greater than 0"),
    list(quote(rdgauss(4, 3, c(0, "x"))), "not-a-number", "center[2] = x: not a number"),
    list(quote(ddgauss(1:4, c(3, 0))), "out-of-range", "sigma[2] = 0: expected a number greater than 0"),
    list(quote(pskellam(1:4, c(3, 1, 0, 2))), "out-of-range", "variance[3] = 0: expected a number from 2^-16 to"),
    list(quote(rdiscrete_laplace(2, c(1, 1e16))), "out-of-range", "scale[2] = 1e+16: expected a number from 2^-16 to 2^50"),
    list(quote(rdgauss(2, strrep("3", 5000))), "too-long", paste0("sigma = \"", strrep("3", 79), "... (5002 characters): expected at most 2000 characters")),
    list(quote(rdgauss(2, 3, strrep("3", 2001))), "too-long", paste0("center = \"", strrep("3", 79), "... (2003 characters): expected at most 2000")),
    list(quote(dskellam(1, c("1", strrep("3", 5000)))), "too-long", paste0("variance[2] = \"", strrep("3", 79), "...")),
    list(quote(rdgauss(2)), "missing", "missing sigma: write n = ..., sigma = ..."),
    list(quote(rdgauss(sigma = 3)), "missing", "missing n: write n = ..., sigma = ..."),
    list(quote(rdgauss()), "missing", "missing n: write n = ..., sigma = ..."),
    list(quote(ddgauss(1)), "missing", "missing sigma: write x = ..., sigma = ..."),
    list(quote(pskellam(1)), "missing", "missing variance: write q = ..., variance = ..."),
    list(quote(qternary()), "missing", "missing p: write p = ..."),
    list(quote(samplez_bulk("sigma=3", 5)), "missing", "missing seed: write recipe = ..., n = ..., seed = ..."),
    list(quote(samplez_verify(1:200)), "missing", "missing law: write x = ..., law = ..."),
    list(quote(samplez_stream(rng = 1)), "unknown", "rng: there is no such argument; expected one of source, seed; write source = ..."),
    list(quote(samplez_stream(random_state = 1)), "unknown", "random_state: there is no such argument; expected one of source, seed; write seed = ..."),
    list(quote(samplez_stream("chacha20", 1, 2)), "unknown", "argument 3: there is no such argument; expected one of source, seed"),
    list(quote(samplez_stream(sigma = 3)), "unknown", "sigma: there is no such argument; expected one of source, seed"),
    list(quote(samplez_verify(1:200, sigma = 3)), "unknown", "sigma: there is no such argument; expected one of x, law; write law = \"sigma=...\""),
    list(quote(samplez_verify(1:200, sd = 3)), "unknown", "sd: there is no such argument; expected one of x, law; write law = \"sigma=...\""),
    list(quote(samplez_verify(1:200, "sigma=3", 0.05)), "unknown", "argument 3: there is no such argument; expected one of x, law"),
    list(quote(samplez_bulk(sigma = 3.2, n = 5, seed = 1)), "unknown", "sigma: there is no such argument; expected one of recipe, n, seed, first, source, threads; write recipe = \"sigma=...\""),
    list(quote(samplez_bulk("sigma=3", 5, 1, precision = 72)), "unknown", "precision: there is no such argument; expected one of recipe, n, seed, first, source, threads; write recipe = \"precision=...\""),
    list(quote(samplez_bulk("sigma=3", 5, random_state = 1)), "unknown", "random_state: there is no such argument; expected one of recipe, n, seed, first, source, threads; write seed = ..."),
    list(quote(samplez_bulk("sigma=3", size = 5, 1)), "unknown", "size: there is no such argument; expected one of recipe, n, seed, first, source, threads; write n = ..."),
    list(quote(rdgauss(sigma = 3, count = 5)), "unknown", "count: there is no such argument; expected one of n, sigma, center, stream; write n = ..."),
    list(quote(rdgauss(2, sd = 3.2)), "unknown", "sd: there is no such argument; expected one of n, sigma, center, stream; write sigma for "),
    list(quote(rdgauss(2, 3.2, mean = 1)), "unknown", "mean: there is no such argument; expected one of n, sigma, center, stream; write center for "),
    list(quote(rdgauss(2, 3.2, 0, NULL, 7)), "unknown", "argument 4: there is no such argument; expected one of n, sigma, center, stream; write stream = ..."),
    list(quote(rdgauss(2, s = 8)), "unknown", "s: there is no such argument; expected one of n, sigma, center, stream; samplez_bulk takes s, in a recipe"),
    list(quote(ddgauss(0, s = 8)), "unknown", "s: there is no such argument; expected one of x, sigma, center, log; samplez_bulk takes s, in a recipe"),
    list(quote(do.call(pdgauss, list(0, s = 8))), "unknown", "s: there is no such argument; expected one of q, sigma, center"),
    list(quote(qdgauss(0.5, s = 8)), "unknown", "s: there is no such argument; expected one of p, sigma, center"),
    list(quote(rskellam(2, 3, s = 8)), "unknown", "s: there is no such argument; expected one of n, variance, stream"),
    list(quote(rdgauss(2, sigma_squared = 8)), "unknown", "sigma_squared: there is no such argument; expected one of n, sigma, center, stream; samplez_bulk takes sigma_squared, in a recipe"),
    list(quote(rdgauss(2, sigmaSquared = 8)), "unknown", "sigmaSquared: there is no such argument; expected one of n, sigma, center, stream; samplez_bulk takes sigma_squared, in a recipe"),
    list(quote(rdgauss(2, "sqrt(10)")), "not-a-number", "sigma = sqrt(10): not a number; allowed are decimals, fractions and scientific notation, such as 3.2, 16/5 or 1.6e5; samplez_bulk takes sigma_squared=10, in a recipe"),
    list(quote(rdiscrete_laplace(2, 3, mu = 1)), "unknown", "mu: there is no such argument; expected one of n, scale, stream; laplace is about 0; leave center out"),
    list(quote(samplez_verify(1:200, "sigma=3", alpha = 0.05)), "unknown", "alpha: there is no such argument; expected one of x, law; the significance level of each test is fixed"),
    list(quote(samplez_verify(1:200, "sigma=3", threads = 2)), "unknown", "threads: there is no such argument; expected one of x, law; verify draws nothing, so leave it out"),
    list(quote(samplez_verify(1:200, "sigma=3", seed = 1)), "unknown", "seed: there is no such argument; expected one of x, law; verify draws nothing, so leave it out"),
    list(quote(samplez_verify(1:200, "sigma=3", clip = 9)), "unknown", "clip: there is no such argument; expected one of x, law; write the cut law as weights, such as law = \"weights=-1: 1 2 1\""),
    list(quote(samplez_verify(1:200, "sigma=3,clip=9")), "unsupported", "clip = 9: write the cut law as weights, such as weights=-1: 1 2 1"),
    list(quote(samplez_verify(c(TRUE, FALSE), "sigma=3")), "not-a-number", "x = c(TRUE, FALSE): expected integers; write as.integer(...)"),
    list(quote(samplez_verify(1:200, recipe = "sigma=3")), "unknown", "recipe: there is no such argument; expected one of x, law; write law = ..."),
    list(quote(samplez_verify(as.character(1:200), "sigma=3")), "not-a-number", "x = c(\"1\", \"2\", \"3\", \"4\", \"5\", \"6\", \"7\", \"8\", \"9\", \"10\", \"11\", \"12\",  ...: expected integers; write as.numeric(...)"),
    list(quote(samplez_verify(list(1:200), "sigma=3")), "not-a-number", "x = list(1:200): expected integers; write unlist(...)"),
    list(quote(samplez_stream(seed = as.raw(1:32))), "other", "seed: expected a whole number from 0 to 2^53 or a text, not raw; write paste(seed, collapse = \"\")"),
    list(quote(rdgauss(2, 3.2, seed = 1)), "unknown", "seed: there is no such argument; expected one of n, sigma, center, stream; write stream = samplez_stream(seed = ...)"),
    list(quote(rdgauss(2, 3.2, method = "cdt")), "unknown", "method: there is no such argument; expected one of n, sigma, center, stream; samplez_bulk takes method, in a recipe"),
    list(quote(rdgauss(2, 3.2, var = 3)), "unknown", "var: there is no such argument; expected one of n, sigma, center, stream; samplez_bulk takes sigma_squared, in a recipe"),
    list(quote(qdgauss(0.5, 3.2, sd = 3)), "unknown", "sd: there is no such argument; expected one of p, sigma, center, lower.tail, log.p; write sigma for "),
    list(quote(pdgauss(1, 3, tail = "upper")), "unknown", "tail: there is no such argument; expected one of q, sigma, center, lower.tail, log.p; samplez_bulk takes tail, in a recipe"),
    list(quote(rskellam(2, 3, lambda = 1)), "unknown", "lambda: there is no such argument; expected one of n, variance, stream"),
    list(quote(rternary(2, prob = 1)), "unknown", "prob: there is no such argument; expected one of n, stream"),
    list(quote(samplez_verify(1:200, "")), "missing", "missing law: pass a width, such as sigma="),
    list(quote(samplez_verify(1:200, strrep("3", 5000))), "other", "law = a text of 5000 bytes: a recipe has at most 4096 bytes"),
    list(quote(ddgauss(1, 3.2, log = NA)), "other", "log = NA: expected TRUE or FALSE"),
    list(quote(pdgauss(1, 3.2, lower.tail = "no")), "other", "lower.tail = \"no\": expected TRUE or FALSE"),
    list(quote(qdgauss(0.5, 3.2, log.p = NULL)), "missing", "log.p = NULL: expected TRUE or FALSE"),
    list(quote(ddgauss("a", 3.2)), "not-a-number", "x = \"a\": expected numbers"),
    list(quote(pdgauss(factor(1:2), 3.2)), "not-a-number", "q = factor(c(\"1\", \"2\")): expected numbers; write as.numeric(as.character(...))"),
    list(quote(qdgauss(NULL, 3.2)), "missing", "p = NULL: expected numbers"),
    list(quote(samplez_stream("foo")), "unknown", "source = foo: expected one of chacha20, "),
    list(quote(samplez_stream(1)), "other", "source = 1: expected the name of a source, such as \"chacha20\", or \"R\""),
    list(quote(samplez_stream(seed = -1)), "out-of-range", "seed = -1: expected a whole number from 0 to 2^53"),
    list(quote(samplez_stream(seed = 2^60)), "out-of-range", "seed = 1152921504606846976: expected a whole number from 0 to 2^53, or a text for a larger one below 2^64"),
    list(quote(samplez_stream(seed = "x")), "other", "seed: a seed is 64 hexadecimal digits"),
    list(quote(samplez_stream(seed = strrep("0", 64))), "other", "seed: "),
    list(quote(samplez_stream("R", 1)), "other", "seed = 1: expected NULL, because source = \"R\" takes its seed by set.seed()"),
    list(quote(samplez_bulk(3.2, 5, 1)), "other", "recipe = 3.2: expected one text such as \"sigma=3.2\""),
    list(quote(samplez_bulk("sigma=3.2,method=foo", 5, 1)), "unknown", "method = foo: expected"),
    list(quote(samplez_bulk("sigma=3.2", 5, 1, first = -1)), "out-of-range", "first = -1: expected a whole number"),
    list(quote(samplez_bulk("sigma=3.2", 5, 1, threads = 0)), "out-of-range", "threads = 0: expected a whole number from 1 to 1024"),
    list(quote(samplez_verify(1:10, "sigma=3")), "out-of-range", "x: n = 10 values: a verdict needs at least 100"),
    list(quote(samplez_verify(c(1, NA), "sigma=3")), "not-a-number", "x[2] = NA: expected an integer up to 2^53, or one of bit64"),
    list(quote(samplez_verify(1.5, "sigma=3")), "not-a-number", "x[1] = 1.5: expected an integer up to 2^53, or one of bit64; round first, by round(x)"),
    list(quote(samplez_verify(data.frame(a = 1:200), "sigma=3")), "not-a-number", "x = a data frame: expected integers; pass one of its columns"),
    list(quote(samplez_verify(matrix(1:200, ncol = 2), "sigma=3")), "not-a-number", "x: is a matrix of 100 rows and 2 columns: expected one column, such as x[, 1]; write as.vector(x) to judge all as one sample"),
    list(quote(samplez_verify(table(1:200), "sigma=3")), "not-a-number", "x = a table: expected integers; pass the values that it counts"),
    list(quote(rdgauss(2^53, 3)), "out-of-range", "n = 9007199254740992: "),
    list(quote(samplez_bulk("sigma=3", 2^53, 1)), "out-of-range", "n = 9007199254740992: "),
    list(quote(rdgauss(2^52, c(3, 4))), "out-of-range", "n = 4503599627370496: "),
    list(quote(samplez_verify("a", "sigma=3")), "not-a-number", "x = \"a\": expected integers"),
    list(quote(samplez_verify(1:200, 3)), "other", "law = 3: expected one text such as \"sigma=3.2\""),
    list(quote(samplez_verify(1:200, "sigma=3,method=cdt")), "other", "law = sigma=3,method=cdt: expected a width and a center alone"))

test("an error names its kind, the argument and its value", for (case in cases) {
    e <- tryCatch({ eval(case[[1]]); NULL }, samplez_error = identity)
    if (is.null(e) || e$kind != case[[2]] || !startsWith(conditionMessage(e), case[[3]]))
        stop(deparse(case[[1]]), ": ", if (is.null(e)) "no error" else paste(e$kind, conditionMessage(e)))
})

test("the message has no function of C", stopifnot(endsWith(tryCatch(rdgauss(1, 1e19), samplez_error = conditionMessage), "at most 2^64-1")))

test("an object with the class of a stream is closed", {
    forged <- structure(1, class = "samplez_stream")
    close(forged)
    stopifnot(capture.output(print(forged)) == "<closed stream of samplez>")
})

if (requireNamespace("bit64", quietly = TRUE)) test("64-bit integers are told as typed", {
    told <- function(code) tryCatch(code, samplez_error = conditionMessage)
    stopifnot(startsWith(told(rdgauss(2, bit64::as.integer64(NA))), "sigma = NA: "))
    stopifnot(startsWith(told(samplez_verify(bit64::as.integer64(c(1, NA)), "sigma=3")), "x[2] = NA: "))
    stopifnot(startsWith(told(samplez_stream(seed = bit64::as.integer64("9007199254740995"))), "seed = 9007199254740995: expected a whole number from 0 to 2^53, or a text"))
})

test("warnings name what R's own functions warn of", {
    warned <- function(code) tryCatch({ code; "" }, warning = conditionMessage)
    stopifnot(warned(ddgauss(c(1, 1.5), 3.2)) == "x = 1.5: no integer, so its probability is 0", suppressWarnings(ddgauss(1.5, 3.2)) == 0)
    stopifnot(warned(qdgauss(2, 3.2)) == "p: NaN for values that are no probabilities", warned(qdgauss(c(0.5, NA), 3.2)) == "")
})
