# Streams, arguments and errors. R/families.R has the functions of each distribution.

# Samplers by their recipe, the stream of calls that name none, with the process that opened it, and the text of the last parameters.
state <- new.env(parent = emptyenv())
state$samplers <- list()

# Leaves out the library's advice to call a function of C.
refuse <- function(message, kind = "other")
    stop(structure(class = c("samplez_error", "error", "condition"),
        list(message = sub("; samplez_big_new takes numbers of up to 4096 bits$", "", message), call = NULL, kind = kind)))

# Refuses an argument: its name, its value as typed, and what is expected.
expected <- function(name, x, what, kind = "other") {
    typed <- if (typeof(x) == "externalptr") "a closed stream" else if (is.data.frame(x)) "a data frame" else if (is.table(x)) "a table"
        else if (inherits(x, "integer64")) { if (length(x) == 1L) as.character(x) else deparse(as.character(x), width.cutoff = 60L, nlines = 1L) }
        else if (is.factor(x)) sprintf("factor(%s)", deparse(as.character(x), nlines = 1L))
        else if (length(x) == 1L && is.atomic(x) && is.na(x)) as.character(as.vector(x))
        else sub("\n.*", " ...", paste(deparse(x, width.cutoff = 60L, nlines = 2L), collapse = "\n"))
    if (is.na(typed)) typed <- "NA"
    if (nchar(typed) > 80L) typed <- sprintf("%s... (%d characters)", substr(typed, 1L, 80L), nchar(typed))
    is_numbers <- grepl("number|integer", what)
    way_out <- if (is.factor(x)) "; write as.numeric(as.character(...)) for those of a factor" else if (is.data.frame(x)) "; pass one of its columns"
        else if (is.table(x)) "; pass the values that it counts" else if (is_numbers && is.list(x)) "; write unlist(...)"
        else if (name == "x" && is.logical(x) && length(x) > 0L && !anyNA(x)) "; write as.integer(...)"
        else if (is_numbers && is.character(x) && !anyNA(suppressWarnings(as.numeric(x)))) "; write as.numeric(...)" else ""
    refuse(sprintf("%s = %s: expected %s%s", name, typed, what, way_out), if (is.null(x)) "missing" else kind)
}

# Refuses a call, of the caller's caller or so deep, that has an argument that there is not, with the library's advice about its name, or
# lacks one.
complete <- function(law = "", depth = 2L) {
    frame <- parent.frame(depth)
    wanted <- formals(sys.function(sys.parent(depth)))
    known <- setdiff(names(wanted), "...")
    other <- if ("..." %in% names(wanted)) eval(quote(list(...)), frame)
    if (length(other) > 0L) no_argument(names(other)[1L], known, law, match("...", names(wanted)))
    # R takes `s` for the start of sigma, which is another width.
    for (name in setdiff(names(sys.call(sys.parent(depth))), c("", known))) if (is_option(name)) no_argument(name, known, law)
    required <- known[vapply(known, function(name) identical(wanted[[name]], quote(expr = )), NA)]
    for (name in required) if (eval(call("missing", as.name(name)), frame))
        refuse(sprintf("missing %s: write %s", name, paste(required, "= ...", collapse = ", ")), "missing")
}

# What the library answers to this name in a recipe: the kind of the error, and the message.
answer <- function(name, law = "") {
    stated <- c("sigma=3", "ternary", paste0(law, "=1"))[match(law, c("", "ternary"), 3L)]
    tryCatch({ .Call(C_sampler_new, paste0(stated, ",", name, "=auto")); c("", "") }, samplez_error = function(e) c(e$kind, e$message))
}

is_option <- function(name) answer(name)[1L] != "unknown"

no_argument <- function(name, known, law, place = 0L) {
    expected <- sprintf("there is no such argument; expected one of %s", paste(known, collapse = ", "))
    if (is.null(name) || name == "") refuse(sprintf("argument %d: %s%s", place, expected, if (place <= length(known)) sprintf("; write %s = ...", known[place]) else ""), "unknown")
    text <- intersect(c("recipe", "law"), known)
    # The significance of tests is no quantity of a distribution.
    answered <- answer(if (name == "alpha" && "law" %in% text) "significance" else name)
    advice <- if (answered[1L] == "unknown") sub("^[^;]*", "", answered[2L]) else ""
    option <- if (answered[1L] != "unknown") name else sub("^; (write|did you mean) `?([a-z_0-9]+).*$", "\\2", advice)
    if (option == advice) option <- ""
    places <- c("seed ", "source ", "number of threads ", "number of samples ")
    own <- intersect(c("seed", "source", "threads", "n")[startsWith(advice, paste("; the", places))], known)
    advice <- if ("law" %in% known && name == "clip") "; write the cut law as weights, such as law = \"weights=-1: 1 2 1\""
        else if (length(own) > 0L) sprintf("; write %s = ...", own)
        else if ("law" %in% known && grepl("that draws$", advice)) "; verify draws nothing, so leave it out"
        else if ("law" %in% known && startsWith(advice, "; only laplace is cut")) "; write the cut law as weights, such as law = \"weights=-1: 1 2 1\""
        else if (length(text) > 0L && name %in% c("recipe", "law")) sprintf("; write %s = ...", text)
        else if (length(text) > 0L && option != "") sprintf("; write %s = \"%s=...\"", text, option)
        else if ("stream" %in% known && grepl("^; the (seed|source) ", advice)) "; write stream = samplez_stream(seed = ...)"
        else if (option == "" || option %in% known || "source" %in% known) advice
        else if (law == "") sprintf("; samplez_bulk takes %s, in a recipe", option)
        else sub("^[^:]*: (.* is given too.*)?", "; ", answer(option, law)[2L])
    if (advice == "; ") advice <- ""
    refuse(sprintf("%s: %s%s", name, expected, advice), "unknown")
}

is_text <- function(x) is.character(x) && length(x) == 1L && !is.na(x)

flag <- function(x, name) {
    if (!(is.logical(x) || is.numeric(x)) || length(x) != 1L || is.na(x)) expected(name, x, "TRUE or FALSE")
    as.logical(x)
}

whole <- function(x, name, low, high = 2^53, or = "") {
    if (!is.numeric(x) || is.factor(x) || length(x) != 1L || is.na(x) || x < low || x > high || x != floor(x))
        expected(name, x, sprintf("a whole number from %d to %s%s", low, if (high == 2^53) "2^53" else high, or), "out-of-range")
    as.double(x)
}

# Numbers to evaluate at, as doubles that keep the attributes of x.
numbers <- function(x, name) {
    if (is.factor(x) || !(is.numeric(x) || is.logical(x) && all(is.na(x)))) expected(name, x, "numbers", "not-a-number")
    if (inherits(x, "integer64")) x <- as.double(x) else storage.mode(x) <- "double"
    x
}

# The values of a parameter as texts for a recipe: the shortest decimals of a double, and texts as they are.
decimals <- function(x, name) {
    what <- "a number such as 3.2, or a text such as \"16/5\""
    if (is.factor(x) || length(x) == 0L || !(is.numeric(x) || is.character(x))) expected(name, x, what, "not-a-number")
    is_double <- is.double(x) && !inherits(x, "integer64")
    typed <- if (is_double) sprintf("%.15g", x) else as.character(x)
    for (digits in if (is_double) c("%.16g", "%.17g")) {
        known <- which(!is.na(x))
        short <- known[as.numeric(typed[known]) != x[known]]
        typed[short] <- sprintf(digits, x[short])
    }
    refuse_at <- function(wrong, what, kind)
        if (!is.na(wrong)) expected(if (length(x) > 1L) sprintf("%s[%d]", name, wrong) else name, x[wrong], what, kind)
    refuse_at(which(is.na(x) | grepl("[,&=]", typed))[1L], what, "not-a-number")
    refuse_at(which(nchar(typed, "bytes") > 2000L)[1L], "at most 2000 characters", "too-long")
    typed
}

# Refuses lengths that do not divide that of n values.
recycled <- function(parameters, n) {
    most <- max(lengths(parameters), n)
    wrong <- which(most %% lengths(parameters) != 0L)[1L]
    if (!is.na(wrong)) expected(names(parameters)[wrong], parameters[[wrong]], sprintf("a length that divides %.0f, that of the result", most))
}

# The distributions of n values as texts: one, or as many as the longest parameter has values.
texts <- function(law, parameters, n) {
    if (length(parameters) == 0L) return(law)
    asked <- list(law, parameters)
    if (identical(state$asked, asked)) return(state$text)
    typed <- Map(decimals, parameters, names(parameters))
    recycled(parameters, n)
    text <- if (law == "") do.call(paste, c(Map(paste0, names(typed), "=", typed), sep = ",")) else paste0(law, "=", typed[[1L]])
    if (length(text) == 1L) {
        state$asked <- asked
        state$text <- text
    }
    text
}

# Calls the library, with the argument's name of R in a message that begins with the library's.
respelled <- function(from, to, call) withCallingHandlers(call, samplez_error = function(e)
    if (startsWith(e$message, from)) refuse(paste0(to, substring(e$message, nchar(from) + 1L)), e$kind))

named <- function(law, parameters, call) respelled(paste(law, "= "), paste(names(parameters)[1L], "= "), withCallingHandlers(call, samplez_error = function(e)
    if (grepl(form <- "; write ([^ ]+) for (sigma_squared|s)$", e$message)) refuse(sub(form, "; samplez_bulk takes \\2=\\1, in a recipe", e$message), e$kind)))

# Calls the library for element i of the result, with the place in a message about a parameter that is a vector.
placed <- function(parameters, i, call) withCallingHandlers(call, samplez_error = function(e)
    for (name in names(parameters)[lengths(parameters) > 1L]) if (startsWith(e$message, head <- paste(name, "= ")))
        refuse(sprintf("%s[%d] = %s", name, (i - 1L) %% length(parameters[[name]]) + 1L, substring(e$message, nchar(head) + 1L)), e$kind))

sampler <- function(recipe) {
    if (is.null(state$samplers[[recipe]])) {
        if (length(state$samplers) >= 64L) state$samplers <- list()
        state$samplers[[recipe]] <- .Call(C_sampler_new, recipe)
    }
    state$samplers[[recipe]]
}

stream_of <- function(stream) {
    if (is.null(stream) && !identical(state$process, Sys.getpid())) {
        state$stream <- samplez_stream()
        state$process <- Sys.getpid()
    }
    if (is.null(stream)) stream <- state$stream
    if (!inherits(stream, "samplez_stream") || !.Call(C_is_open, stream))
        expected("stream", stream, "an open stream of samplez_stream(), or NULL for the default")
    stream
}

# Draws n integers. Names n if memory does not suffice for many.
fits <- function(n, draw) if (n < 1e6) draw else tryCatch(draw, simpleError = function(e) refuse(sprintf("n = %.16g: %s; draw them in parts", n, conditionMessage(e)), "out-of-range"))

# Integers beyond 2^53 need a package.
integers <- function(out) {
    if (inherits(out, "integer64") && !requireNamespace("bit64", quietly = TRUE))
        refuse("the integers exceed 2^53, which doubles do not hold: install.packages(\"bit64\")", "unsupported")
    out
}

random <- function(law, n, parameters, stream) {
    complete(law)
    n <- if (length(n) > 1L) as.double(length(n)) else whole(n, "n", 0)
    if (n > 0) parameters <- lapply(parameters, function(x) if (length(x) > n) x[seq_len(n)] else x)
    stream <- stream_of(stream)
    fits(n, drawn(law, n, parameters, stream))
}

drawn <- function(law, n, parameters, stream) {
    plain <- function(x) is.numeric(x) && is.null(attr(x, "class")) && length(x) > 0L && all(is.finite(x))
    if (law == "" && n > 0 && any(lengths(parameters) > 1L) && all(vapply(parameters, plain, NA)) && all(parameters$sigma >= 1 & parameters$sigma <= 2^26)
        && all(abs(parameters$center) < 2^62)) {
        recycled(parameters, n)
        # One width for all draws other integers than as many equal ones: those of other languages.
        sigma <- rep_len(as.double(parameters$sigma), if (length(parameters$sigma) == 1L) 1L else n)
        center <- rep_len(as.double(parameters$center), n)
        limit <- max(abs(center)) + 64 * max(sigma)
        out <- integers(.Call(C_each, stream, sigma, center, limit))
        return(if (limit < 2^31) as.integer(out) else out)
    }
    recipes <- texts(law, parameters, n)
    draw <- function(recipe, n) integers(named(law, parameters, .Call(C_draw, sampler(recipe), stream, as.double(n))))
    if (length(recipes) == 1L || n == 0) return(draw(recipes[1L], n))
    recipes <- rep_len(recipes, n)
    places <- split(seq_len(n), factor(recipes, unique(recipes)))
    parts <- lapply(names(places), function(recipe) placed(parameters, places[[recipe]][1L], draw(recipe, length(places[[recipe]]))))
    names(parts) <- names(places)
    if (any(vapply(parts, inherits, NA, "integer64"))) parts <- lapply(parts, bit64::as.integer64)
    out <- rep(parts[[1L]], length.out = n)
    for (recipe in names(places)) out[places[[recipe]]] <- parts[[recipe]]
    out
}

# A function's values at x, with x and the parameters recycled.
values <- function(law, f, x, parameters) {
    recipes <- texts(law, parameters, length(x))
    if (length(x) == 0L) return(numeric(0))
    n <- max(length(x), length(recipes))
    if (n %% length(x) != 0L) expected("length of the parameters", n, sprintf("a multiple of %d, that of the first argument", length(x)))
    out <- if (n > length(x)) rep_len(as.vector(x), n) else x
    recipes <- rep_len(recipes, n)
    for (i in split(seq_len(n), recipes)) out[i] <- placed(parameters, i[1L], named(law, parameters, .Call(C_law_values, recipes[i[1L]], f, as.vector(out[i]))))
    out
}

density_of <- function(law, x, parameters, log) {
    complete(law)
    odd <- which(is.finite(x <- numbers(x, "x")) & x != floor(x))
    if (length(odd) > 0L) warning(sprintf("x = %s: no integer, so its probability is 0", format(x[odd[1L]])), call. = FALSE)
    values(law, if (flag(log, "log")) "logpmf" else "pmf", x, parameters)
}

cumulative <- function(law, q, parameters, lower.tail, log.p) {
    complete(law)
    values(law, paste0(if (flag(log.p, "log.p")) "log", if (flag(lower.tail, "lower.tail")) "cdf" else "sf"), numbers(q, "q"), parameters)
}

quantile_of <- function(law, p, parameters, lower.tail, log.p) {
    complete(law)
    out <- values(law, paste0(if (flag(log.p, "log.p")) "log", if (flag(lower.tail, "lower.tail")) "ppf" else "isf"), p <- numbers(p, "p"), parameters)
    if (any(is.nan(out) & !is.na(rep_len(p, length(out))))) warning("p: NaN for values that are no probabilities", call. = FALSE)
    out
}

samplez_stream <- function(source = "chacha20", seed = NULL, ...) {
    complete(depth = 1L)
    if (!is_text(source)) expected("source", source, "the name of a source, such as \"chacha20\", or \"R\" for R's generator")
    if (source == "R" && !is.null(seed)) expected("seed", seed, "NULL, because source = \"R\" takes its seed by set.seed()")
    if (!is.null(seed)) seed <- seed_of(seed)
    structure(respelled("text: ", "seed: ", .Call(C_stream_new, source, seed)), class = "samplez_stream")
}

seed_of <- function(seed) if (is.raw(seed)) refuse("seed: expected a whole number from 0 to 2^53 or a text, not raw; write paste(seed, collapse = \"\") for 32 bytes") else if (is_text(seed)) seed else sprintf("%.0f", whole(seed, "seed", 0, or = ", or a text for a larger one below 2^64"))

close.samplez_stream <- function(con, ...) invisible(if (.Call(C_is_open, con)) .Call(C_stream_close, con))

print.samplez_stream <- function(x, ...) cat(if (.Call(C_is_open, x)) "<open stream of samplez>\n" else "<closed stream of samplez>\n")

samplez_bulk <- function(recipe, n, seed, first = 0, source = "chacha20", threads = 1, ...) {
    complete(depth = 1L)
    if (!is_text(recipe)) expected("recipe", recipe, "one text such as \"sigma=3.2\"")
    if (!is_text(source)) expected("source", source, "one text such as \"chacha20\"")
    seed <- seed_of(seed)
    first <- whole(first, "first", 0)
    n <- whole(n, "n", 0)
    threads <- whole(threads, "threads", 1, 1024)
    integers(fits(n, respelled("text: ", "seed: ", .Call(C_bulk, sampler(recipe), source, seed, first, n, threads))))
}

samplez_verify <- function(x, law, ...) {
    complete(depth = 1L)
    if (is.factor(x) || !is.numeric(x) || is.table(x)) expected("x", x, "integers", "not-a-number")
    # Few columns and more rows: a table.
    if (length(dim(x)) == 2L && ncol(x) %in% 2:16 && nrow(x) > ncol(x))
        refuse(sprintf("x: is a matrix of %d rows and %d columns: expected one column, such as x[, 1]; write as.vector(x) to judge all as one sample", nrow(x), ncol(x)), "not-a-number")
    is_big <- inherits(x, "integer64")
    if (!is_big) x <- as.double(x)
    wrong <- which(is.na(x) | !is_big & (x != floor(x) | abs(x) > 2^53))[1L]
    way_out <- if (!is.na(wrong) && !is_big && is.finite(x[wrong]) && x[wrong] != floor(x[wrong])) "; round first, by round(x)"
        else if (!is.na(wrong) && is.na(x[wrong])) "; leave out what is missing, by x[!is.na(x)]" else ""
    if (!is.na(wrong)) expected(sprintf("x[%d]", wrong), x[wrong], paste0("an integer up to 2^53, or one of bit64", way_out), "not-a-number")
    if (!is_text(law)) expected("law", law, "one text such as \"sigma=3.2\" or \"skellam=2.5\"")
    judged <- respelled("integers: ", "x: ", respelled("recipe = ", "law = ", .Call(C_verify, law, x)))
    modulus <- attr(judged, "modulus")
    attr(judged, "modulus") <- NULL
    tests <- as.data.frame(judged)
    structure(list(law = law, n = length(x), consistent = !any(tests$verdict == "reject"), modulus = modulus, tests = tests), class = "samplez_verification")
}

print.samplez_verification <- function(x, ...) {
    cat(sprintf("%d values %s %s\n", x$n, if (x$consistent) "are consistent with" else "are NOT from", x$law))
    if (!is.na(x$modulus)) cat(sprintf("The values look like residues modulo %.0f: subtract it from those above its half.\n", x$modulus))
    if (!x$consistent) print(x$tests[x$tests$verdict == "reject", c("name", "at", "statistic", "dof", "p_value")], row.names = FALSE)
    invisible(x)
}
