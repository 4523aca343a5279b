library(samplez)
test <- function(name, code) { force(code); cat("ok:", name, "\n") }
fails <- function(code, kind) {
    e <- tryCatch({ code; NULL }, samplez_error = identity)
    if (is.null(e) || e$kind != kind) stop("expected an error of kind ", kind, ": ", deparse(substitute(code)), " gave ", if (is.null(e)) "none" else e$kind)
    conditionMessage(e)
}

test("seeds decide, set.seed does not", {
    drawn <- function(...) rdgauss(50, 1000, stream = samplez_stream(...))
    stopifnot(identical(drawn(seed = 1), drawn(seed = "1")), !identical(drawn(seed = 1), drawn(seed = 2)), !identical(drawn(), drawn()))
    stopifnot(!identical(drawn("chacha20", 1), drawn("chacha8", 1)))
    set.seed(1); first <- rdgauss(50, 1000); set.seed(1)
    stopifnot(!identical(first, rdgauss(50, 1000)))
    before <- .Random.seed
    rdgauss(1000, 3.2)
    stopifnot(identical(before, .Random.seed))
})

test("R's generator as a source", {
    for (kind in c("Mersenne-Twister", "Wichmann-Hill", "Knuth-TAOCP-2002", "L'Ecuyer-CMRG")) {
        drawn <- function() { set.seed(7, kind = kind); s <- samplez_stream("R"); c(rdgauss(20000, 3.2, stream = s), rdgauss(10, 1:10, stream = s)) }
        stopifnot(identical(x <- drawn(), drawn()), samplez_verify(x[1:20000], "sigma=3.2")$consistent)
        before <- .Random.seed
        rdgauss(5000, 3.2, stream = samplez_stream("R"))
        stopifnot(!identical(before, .Random.seed))
    }
    RNGkind("default")
})

test("types hold every integer", {
    stopifnot(is.integer(rtuniform(100, 30)), is.double(rtuniform(100, 31)), is.double(x <- rdgauss(100, 1e14)), x == floor(x), max(abs(x)) > 1e13)
    # Both lengths of a tail are drawn, and neither is NA.
    wide <- rtuniform(100000, 31, stream = samplez_stream(seed = 1))
    stopifnot(!anyNA(wide), max(wide) > 2147000000, min(wide) < -2147000000, max(wide) <= 2^31)
    if (requireNamespace("bit64", quietly = TRUE)) {
        big <- rtuniform(1000, 62, stream = samplez_stream(seed = 1))
        stopifnot(inherits(big, "integer64"), samplez_verify(big, "tuniform=62")$consistent, !anyNA(big))
        mixed <- rtuniform(4, c(2, 62), stream = samplez_stream(seed = 1))
        stopifnot(inherits(mixed, "integer64"), abs(as.double(mixed[c(1, 3)])) <= 4)
        far <- rdgauss(3, 1, c(0, 2^60, -2^60), stream = samplez_stream(seed = 1))
        stopifnot(inherits(far, "integer64"), abs(as.double(far - bit64::as.integer64(c(0, 2^60, -2^60)))) < 10)
    }
    far <- rdgauss(2, 1, c(0, 2^40))
    stopifnot(is.double(far), abs(far - c(0, 2^40)) < 10)
})

test("closed and saved streams are refused", {
    s <- samplez_stream(seed = 1)
    file <- tempfile()
    saveRDS(s, file)
    stopifnot(grepl("stream = a closed stream: expected an open stream of samplez_stream()", fails(rdgauss(1, 3.2, stream = readRDS(file)), "other"), fixed = TRUE))
    rdgauss(1, 3.2, stream = s)
    close(s); close(s)
    stopifnot(capture.output(print(s)) == "<closed stream of samplez>")
    fails(rdgauss(1, 3.2, stream = s), "other")
    fails(rdgauss(1, c(1, 2), stream = s), "other")
})

if (.Platform$OS.type == "unix") test("a fork repeats nothing", {
    s <- samplez_stream(seed = 1)
    rdgauss(1, 3.2)
    children <- parallel::mclapply(1:2, function(i) list(rdgauss(20, 1000), tryCatch(rdgauss(20, 1000, stream = s), samplez_error = function(e) e$kind)),
        mc.cores = 2, mc.preschedule = FALSE)
    for (source in c("os", "R")) for (new in c(TRUE, FALSE)) {
        s <- samplez_stream(source)
        drawn <- parallel::mclapply(1:2, function(i) rdgauss(20, 1000, stream = s), mc.cores = 2, mc.set.seed = new)
        stopifnot(is.integer(drawn[[1]]), identical(drawn[[1]], drawn[[2]]) == (source == "R" && !new))
    }
    stopifnot(!identical(children[[1]][[1]], children[[2]][[1]]), is.integer(children[[1]][[1]]), children[[1]][[2]] == "entropy")
})

# A generator of the user's: it counts, then raises an R error, or repeats itself.
test("failing sources", {
    folder <- tempfile(); dir.create(folder)
    writeLines(c("#include <R.h>", "static double u; static int calls, last, stuck;", "void limits(int *l, int *s) { calls = 0; last = *l; stuck = *s; }",
        "double *user_unif_rand(void) { if (++calls > last) error(\"no more numbers\"); u = stuck ? 0.5 : (calls * 7919 % 65536 + 0.5) / 65536; return &u; }"),
        file.path(folder, "user.c"))
    Sys.setenv(R_TESTS = "") # of R CMD check, which names a file that is elsewhere
    old <- setwd(folder)
    stopifnot(system2(file.path(R.home("bin"), "R"), c("CMD", "SHLIB", "user.c"), stdout = FALSE) == 0)
    dll <- dyn.load(paste0("user", .Platform$dynlib.ext))
    setwd(old)
    limits <- function(last, stuck) .C(getNativeSymbolInfo("limits", dll), as.integer(last), as.integer(stuck))
    RNGkind("user-supplied")
    s <- samplez_stream("R")
    limits(1e6, 0)
    stopifnot(length(rdgauss(10, 3.2, stream = s)) == 10)
    # Every function that takes a stream, with vectors and without, over a generator that fails at once, after some numbers, or is stuck.
    arguments <- list(n = 1e5, sigma = 3.2, center = 0, eta = 2, b = 3, variance = 2.5, scale = 3)
    takers <- Filter(function(name) "stream" %in% names(formals(name)), getNamespaceExports("samplez"))
    stopifnot(setequal(takers, grep("^r", getNamespaceExports("samplez"), value = TRUE)), length(takers) == 6)
    for (name in takers) for (last in c(0, 1, 100, 5000, Inf)) for (many in c(FALSE, TRUE)) {
        given <- setdiff(names(formals(name)), c("stream", "..."))
        stopifnot(given %in% names(arguments))
        given <- arguments[given]
        if (many && length(given) > 1L) given[[2]] <- c(given[[2]], given[[2]] + 1)
        limits(if (last == Inf) 2e9 else last, last == Inf)
        fails(do.call(name, c(given, list(stream = s))), "entropy")
    }
    limits(1e6, 0)
    stopifnot(length(rdgauss(1000, 3.2, stream = samplez_stream("R"))) == 1000)
    RNGkind("default")
    dyn.unload(dll[["path"]])
})
