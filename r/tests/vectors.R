# The vectors of kat/, in the folder SAMPLEZ_KAT of a clone; without it there are none to compare.
library(samplez)
test <- function(name, code) { force(code); cat("ok:", name, "\n") }
kat <- Sys.getenv("SAMPLEZ_KAT")
if (kat == "") quit("no")
rows <- function(file) {
    found <- read.csv(file.path(kat, file), colClasses = "character", check.names = FALSE)
    stopifnot(nrow(found) >= 2)
    found
}

# The SHA-256 of each of these vectors as little-endian 64-bit integers.
sums <- function(vectors) {
    folder <- tempfile(); dir.create(folder)
    files <- file.path(folder, sprintf("%05d", seq_along(vectors)))
    for (i in seq_along(vectors)) {
        x <- vectors[[i]]
        if (is.double(x)) x <- unclass(bit64::as.integer64(x))
        writeBin(as.vector(x), files[i], size = 8, endian = "little")
    }
    substr(system2("sha256sum", files, stdout = TRUE), 1, 64)
}

test("streams.csv", {
    at <- rows("streams.csv")
    drawn <- lapply(seq_len(nrow(at)), function(i) with(at[i, ], samplez_bulk(
        paste0(gsub("-", "_", width), "=", value, ",center=", center, ",method=", method, if (precision != "0") paste0(",precision=", precision)),
        as.double(count), seed, as.double(first), source, 2)))
    stopifnot(nrow(at) > 50, sums(drawn) == at[[10]])
})

test("recipes.csv", {
    at <- rows("recipes.csv")
    for (i in seq_len(nrow(at))) stopifnot(paste(samplez_bulk(at$recipe[i], 16, at$seed[i], source = at$source[i]), collapse = " ") == at[[4]][i])
})

test("finite.csv", {
    at <- rows("finite.csv")
    at <- at[!startsWith(at$law, "SparseTernary"), ]
    names <- c(Ternary = "ternary", CBD = "centered_binomial", TUniform = "tuniform", Skellam = "skellam", DiscreteLaplace = "laplace")
    for (i in seq_len(nrow(at))) {
        law <- strsplit(sub(")", "", at$law[i]), "(", fixed = TRUE)[[1]]
        wanted <- strsplit(at$samples[i], " ")[[1]]
        drawn <- samplez_bulk(paste(c(names[[law[1]]], sub(" within ", ",clip=", law[-1])), collapse = "="), length(wanted), at$seed[i], as.double(at$first[i]))
        if (is.double(drawn) && !inherits(drawn, "integer64")) drawn <- sprintf("%.0f", drawn)
        stopifnot(as.character(drawn) == wanted)
    }
})

test("rounders.csv", {
    at <- rows("rounders.csv")
    at <- at[at$rounder == "strips" & at$sigma_min == at$sigma_max & at$entry == "batch", ]
    stopifnot(nrow(at) == 1)
    i <- seq_len(as.integer(at$count)) - 1
    drawn <- rdgauss(length(i), as.double(at$sigmas), (7919 * i - 4000000) / (997 + i %% 5), stream = samplez_stream(seed = at$seed))
    stopifnot(paste(head(drawn, 16), collapse = " ") == at[[9]], sums(list(drawn)) == at[[8]])
})

test("short-seeds.csv", {
    at <- rows("short-seeds.csv")
    for (i in seq_len(nrow(at))) stopifnot(identical(samplez_bulk("sigma=1000", 20, at$number[i]), samplez_bulk("sigma=1000", 20, at$seed[i])))
})

test("the draws of streams are those of other languages", {
    s <- samplez_stream(seed = 1)
    one <- rdgauss(16, 3.2, stream = s)
    stopifnot(identical(one, rdgauss(16, "3.2", stream = samplez_stream(seed = "1"))))
})

test("the examples of the README run", {
    lines <- readLines(file.path(kat, "../r/README.md"))
    blocks <- cumsum(startsWith(lines, "```"))
    starts <- which(lines == "```r")
    stopifnot(length(starts) == 2)
    grDevices::svg(tempfile())
    for (i in starts) eval(parse(text = lines[blocks == blocks[i]][-1]), new.env())
    grDevices::dev.off()
})
