/* Bad inputs: of each call the status, and words of the message. A row that is answered otherwise is printed; if all are answered
 * as they say, how many rows there are.
 *
 * Not here is what no library can see: a handle that was freed, a text without an end, a buffer that is too short. */
#include "samplez.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INVALID SAMPLEZ_INVALID_ARGUMENT

static int rows = 0, wrong = 0;

/* One row. Words that are NULL: an answer without a message. */
static void row(const char *call, int status, int expected, const char *words) {
    rows++;
    if (status != expected || (words != NULL && strstr(samplez_last_error(), words) == NULL)) {
        wrong++;
        printf("%s\n  is %d: %s\n  and should be %d: %s\n", call, status, samplez_last_error(), expected, words ? words : "");
    }
}
#define ROW(call, status, words) row(#call, call, status, words)

/* The kind of the last error. */
static void kind(const char *call, const char *expected) {
    rows++;
    if (strcmp(samplez_last_kind(), expected) != 0) {
        wrong++;
        printf("%s\n  has the kind %s\n  and should have %s\n", call, samplez_last_kind(), expected);
    }
}

/* Recipes with the kinds of their errors. */
static const struct { const char *recipe, *kind; } KINDS[] = {
    {"", "missing"}, {"center=1", "missing"}, {"sigma=3,memory=1", "no-method"}, {"sigma=three", "not-a-number"},
    {"tuniform=x", "not-a-number"}, {"sigma=-1", "out-of-range"}, {"skellam=2e6", "out-of-range"}, {"centered_binomial=1048577", "out-of-range"},
    {"sigma=3,center=1e-30", "too-long"}, {"sigma=1e400", "too-long"}, {"skellam=1e40", "out-of-range"}, {"sigma=3,method=dice", "unknown"}, {"radius=1", "unknown"},
    {"sigma=1e12,method=cdt", "unsupported"}, {"sigma=3,setup_time=1e300", "out-of-range"}, {"centered_binomial=-3", "out-of-range"}, {"binomial=3", "unknown"}, {"sigma=3,method=karney,precision=72", "unsupported"}, {"sigma=3,sigma=3", "other"},
    {"sigma=\xff", "other"},
};

/* A text that is NULL, with words of the message. */
static void none(const char *call, const char *text, const char *words) {
    row(call, text == NULL ? INVALID : SAMPLEZ_OK, INVALID, words);
}
#define NONE(call, words) none(#call, call, words)

/* Recipes, which samplez_sampler_new refuses. */
static const struct { const char *recipe, *words; } RECIPES[] = {
    {"", "recipe"},
    {",", "recipe"},
    {"=", " = : expected one of sigma"},
    {"sigma", "recipe"},
    {"sigma=", "sigma = : "},
    {"sigma=0", "sigma = 0: expected a number greater than 0"},
    {"sigma=-0", "sigma = -0: expected a number greater than 0"},
    {"sigma=-1", "sigma = -1: expected a number greater than 0"},
    {"sigma_squared=0", "sigma_squared = 0: expected a number greater than 0"},
    {"k_sigma2=-3", "k_sigma2 = -3: expected a number greater than 0"},
    {"s=-8", "s = -8: expected a number greater than 0"},
    {"sigma=nan", "sigma = nan: "},
    {"sigma=inf", "sigma = inf: "},
    {"sigma=-inf", "sigma = -inf: "},
    {"sigma=abc", "sigma = abc: "},
    {"sigma=0x10", "sigma = 0x10: "},
    {"sigma=1_000", "sigma = 1_000: "},
    {"sigma=1.2.3", "sigma = 1.2.3: "},
    {"sigma=1e40", "2^63-1"},
    {"sigma=1/0", "denominator is zero"},
    {"sigma=1/-3", "sigma = 1/-3: "},
    {"sigma=3 4", "sigma = 3 4: "},
    {"sigma=\xff", "recipe: expected UTF-8"},
    {"\xf0\x9f\x8e\xb2=6", " = 6: expected one of sigma"},
    {"radius=1", "radius"},
    {"method=karney", "missing width: pass one of sigma, sigma_squared, k_sigma2, s"},
    {"center=1", "missing width: pass one of sigma, sigma_squared, k_sigma2, s"},
    {"sigma=3,sigma=3", "sigma = 3: is given twice"},
    {"sigma=3,s=8", "s = 8: sigma is given too; pass only one of them"},
    {"sigma=3,center=nan", "center = nan: "},
    {"sigma=3,center=1/0", "denominator is zero"},
    {"sigma=3,center=1e40", "2^63-1"},
    {"sigma=3,method=dice", "method = dice"},
    {"sigma=3,method=", "method = "},
    {"sigma=3,colour=red", "colour = red"},
    {"sigma=3,precision=0", "precision = 0: expected a number between 1 and 256"},
    {"sigma=3,precision=257", "precision = 257: expected a number between 1 and 256"},
    {"sigma=3,precision=-1", "precision = -1: expected a number between 1 and 256"},
    {"sigma=3,precision=1.5", "precision = 1.5: expected a whole number between 1 and 256"},
    {"sigma=3,precision=72,precision=72", "precision"},
    {"sigma=3,method=karney,precision=72", "precision = 72"},
    {"sigma=3,exact=maybe", "exact = maybe"},
    {"sigma=3,memory=abc", "memory = abc"},
    {"sigma=3,memory=-1", "memory = -1"},
    {"sigma=3,setup_time=-1", "setup_time = -1"},
    {"sigma=3,threads=2", "threads = 2"},
    {"sigma=1e12,method=cdt", "sigma = 1e12: "},
    {"sigma=0.5,method=isochronous", "sigma = 0.5: "},
    {"sigma=3.2,center=1/3,method=ziggurat", "center = 1/3: "},
    {"sigma=-3.2", "sigma = -3.2: expected a number greater than 0"},
    {"sigma=3.2,method=du-wei-4", "sigma = 3.2: method du-wei-4 allows"},
    {"sigma=3,method=CDT", "; did you mean cdt?"},
    {"sigma=0,5", "sigma = 0,5: not a number; allowed are decimals, fractions and scientific notation, such as 3.2, 16/5 or 1.6e5; write 0.5"},
    {"sigma=1,000", "; write 1000 or 1.000, as you mean the comma"},
    {"sigma=1,000,000,method=cdt", "sigma = 1,000,000: not a number"},
    {"sigma=3,center=2,5", "center = 2,5: not a number"},
    {"sigma=3,center=2&5", "center = 2&5: not a number"},
    {"sigma=3,memory=4,000", "; write 4000"},
    {"sigma=3;method=cdt", "recipe = sigma=3;method=cdt: expected a comma or & between pairs; write sigma=3,method=cdt"},
    {"sigma=3 method=cdt", "expected a comma or & between pairs; write sigma=3,method=cdt"},
    {"sigma:3.2", "recipe = sigma:3.2: expected name=value, such as sigma=3.2; write sigma=3.2"},
    {"sigma=3,exact", "recipe = exact: expected name=value, such as sigma=3.2; write exact=true"},
    {"sigma=3,karney", "; write method=karney"},
    {"ternary:", "recipe = ternary:: expected name=value, such as sigma=3.2; write ternary"},
    {"sigma=1_000", "such as 3.2, 16/5 or 1.6e5; write 1000"},
    {"sigma=sqrt(10)", "; write 10 for sigma_squared"},
    {"sigma=3,setup_time=20ms", "from 0 to 3.2e9; write 20e-3"},
    {"laplace=2^3", "; write 8"},
    {"sigma=3,tail=1_0", "or 1.6e5; write 10"},
    {"sigma=1e18", "a method that you name gives its reason; samplez_big_new takes numbers of up to 4096 bits"},
    {"sigma=3,method=knuth_yao", "; did you mean knuth-yao?"},
    {"std=3.2", "std = 3.2: expected one of sigma, "},
    {"sigma=3,no_exact=true", "; leave exact out instead"},
    {"sgima=3", "; did you mean sigma?"},
    {"sigmaSquared=10", "; did you mean sigma_squared?"},
    {"3.2", "recipe = 3.2: expected name=value, such as sigma=3.2"},
    {"sigma=3,", "recipe = sigma=3,: expected pairs such as sigma=3.2; leave the surplus comma out"},
    {"sigma=1e400", "sigma = 1e400: not representable exactly: in lowest terms the numerator must be at most 2^63-1 and the denominator at most 2^64-1; samplez_big_new takes numbers of up to 4096 bits"},
    {"sigma=3,setup_time=1e300", "setup_time = 1e300: expected a number of seconds from 0 to 3.2e9"},
    {"ternary=1", "ternary = 1: expected no value; write ternary"},
    {"ternary,center=1", "center = 1: ternary is about 0; leave center out"},
    {"ternary,", "recipe = ternary,: expected pairs such as sigma=3.2; leave the surplus comma out"},
    {"Ternary", "recipe = Ternary: expected name=value, such as sigma=3.2; did you mean ternary?"},
    {"Ternary", "; did you mean ternary?"},
    {"binomial=3", "binomial = 3: expected one of sigma, "},
    {"binomial=3", "; write centered_binomial for centred binomial noise"},
    {"geometric=3", "; write laplace for the scale of discrete Laplace noise"},
    {"laplace=5.0,clip=2", "clip = 2: expected a whole number from 3 to 2^53, at least half of the scale 5.0"},
    {"skellam=3,method=cdt", "method = cdt: skellam has one sampler; leave method out"},
    {"laplace=3,precision=72", "precision = 72: laplace has one sampler, which would ignore it; leave precision out"},
    {"ternary,constant_time=true", "constant_time = true: ternary has a sampler of isochronous timing; leave constant_time out"},
    {"skellam=30,memory=100", "memory = 100: skellam has a sampler of 1328 bytes; leave memory out"},
    {"skellam=3,sigma=3", "sigma = 3: skellam is given too; pass only one of them"},
    {"centered-binomial=3", "; did you mean centered_binomial?"},
    {"variance=10", "; write sigma_squared for "},
    {"centered_binomial=0", "centered_binomial = 0: expected a whole number from 1 to 2^20"},
    {"centered_binomial=1048577", "centered_binomial = 1048577: expected a whole number from 1 to 2^20"},
    {"centered_binomial=", "centered_binomial = : expected a whole number from 1 to 2^20"},
    {"centered_binomial", "centered_binomial = : expected a whole number from 1 to 2^20"},
    {"centered_binomial=2.5", "centered_binomial = 2.5: expected a whole number from 1 to 2^20"},
    {"tuniform=63", "tuniform = 63: expected a whole number from 0 to 62"},
    {"tuniform=131072", "tuniform = 131072: expected a whole number from 0 to 62, the binary logarithm of the largest value"},
    {"tuniform=-1", "tuniform = -1: expected a whole number from 0 to 62"},
    {"tuniform=3,center=1", "center = 1: tuniform is about 0; leave center out"},
    {"skellam=0", "skellam = 0: expected a number from 2^-16 to 2^20; for a larger variance add samples"},
    {"skellam=2e6", "skellam = 2e6: expected a number from 2^-16"},
    {"skellam=1048576.1", "skellam = 1048576.1: expected a number"},
    {"skellam=1/65537", "skellam = 1/65537: expected a number"},
    {"skellam=-1", "skellam = -1: expected a number"},
    {"skellam=", "skellam = : "},
    {"skellam=nan", "skellam = nan: "},
    {"skellam=1/0", "denominator is zero"},
    {"skellam=1e40", "skellam = 1e40: "},
    {"laplace=0", "laplace = 0: expected a number from 2^-16 to 2^50"},
    {"laplace=1e16", "laplace = 1e16: expected a number from 2^-16"},
    {"laplace=1125899906842624.1", "laplace = 1125899906842624.1: expected a number"},
    {"laplace=1/65537", "laplace = 1/65537: expected a number"},
    {"laplace=1e30", "laplace = 1e30: expected a number from 2^-16"},
    {"laplace=0.12345678901234567891", "not representable exactly"},
    {"laplace=-1", "laplace = -1: expected a number"},
    {"laplace=", "laplace = : "},
    {"laplace=inf", "laplace = inf: "},
    {"laplace=1/0", "denominator is zero"},
/* The words of other libraries, which c.rs writes. */
#include "words.inc"
};

/* Texts that are no seeds; the message tells nothing of them. */
static const char *const SEEDS[] = {
    "", " ", "-1", "1.5", "1e3", "0x2a", "abc", "18446744073709551616", "deadbeef", "\xff",
    "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e",
    "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20",
    "g00102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
};

static const char *const SOURCES[] = {"", " ", "dice", "CHACHA20", "chacha20 ", "chacha20,os"};

static int fails(void *context, uint8_t *out, size_t length) {
    (void)context;
    memset(out, 0x5a, length);
    return -3;
}

/* The rows of every type. */
#define FILLS(T, bits) \
static void of_##T(samplez_sampler *sampler, samplez_stream *stream, const uint8_t *seed) { \
    static union { int64_t align; T values[64]; uint8_t bytes[64 * sizeof(T) + 1]; } room; \
    T *out = room.values, *odd = (T *)(void *)(room.bytes + 1); \
    samplez_sampler *no_sampler = (samplez_sampler *)(void *)(room.bytes + 1); \
    samplez_stream *no_stream = (samplez_stream *)(void *)(room.bytes + 1); \
    ROW(samplez_fill_i##bits(NULL, stream, out, 8), INVALID, "sampler: expected a pointer, not NULL"); \
    ROW(samplez_fill_i##bits(sampler, NULL, out, 8), INVALID, "stream: expected a pointer, not NULL"); \
    ROW(samplez_fill_i##bits(sampler, stream, NULL, 8), INVALID, "out: expected a pointer, not NULL"); \
    ROW(samplez_fill_i##bits(no_sampler, stream, out, 8), INVALID, "sampler = 0x"); \
    ROW(samplez_fill_i##bits(sampler, no_stream, out, 8), INVALID, "stream = 0x"); \
    ROW(samplez_fill_i##bits(NULL, stream, NULL, 0), INVALID, "sampler: expected a pointer, not NULL"); \
    ROW(samplez_fill_i##bits(sampler, NULL, NULL, 0), INVALID, "stream: expected a pointer, not NULL"); \
    ROW(samplez_fill_i##bits(sampler, stream, NULL, 0), SAMPLEZ_OK, NULL); \
    ROW(samplez_fill_i##bits(sampler, stream, odd, 0), SAMPLEZ_OK, NULL); \
    ROW(samplez_fill_i##bits(sampler, stream, out, SIZE_MAX), INVALID, "count = 18446744073709551615: expected no more than memory can hold"); \
    ROW(samplez_fill_i##bits(sampler, stream, out, SIZE_MAX / 2 / sizeof(T) + 1), INVALID, "more than memory can hold"); \
    ROW(samplez_bulk_i##bits(NULL, "chacha20", seed, 0, out, 8, 1), INVALID, "sampler: expected a pointer, not NULL"); \
    ROW(samplez_bulk_i##bits(no_sampler, "chacha20", seed, 0, out, 8, 1), INVALID, "sampler = 0x"); \
    ROW(samplez_bulk_i##bits(sampler, NULL, seed, 0, out, 8, 1), INVALID, "source: expected a pointer, not NULL"); \
    ROW(samplez_bulk_i##bits(sampler, "dice", seed, 0, out, 8, 1), INVALID, "source = dice"); \
    ROW(samplez_bulk_i##bits(sampler, "\xff", seed, 0, out, 8, 1), INVALID, "source: expected UTF-8"); \
    ROW(samplez_bulk_i##bits(sampler, "os", seed, 0, out, 8, 1), INVALID, "source = os: expected one that takes a seed"); \
    ROW(samplez_bulk_i##bits(sampler, "chacha20", NULL, 0, out, 8, 1), INVALID, "seed: expected a pointer, not NULL"); \
    ROW(samplez_bulk_i##bits(sampler, "chacha20", seed, 0, NULL, 8, 1), INVALID, "out: expected a pointer, not NULL"); \
    ROW(samplez_bulk_i##bits(sampler, "chacha20", seed, 0, out, 8, 0), INVALID, "threads = 0: expected at least 1"); \
    ROW(samplez_bulk_i##bits(sampler, "chacha20", seed, 0, out, 8, SIZE_MAX), SAMPLEZ_OK, NULL); \
    ROW(samplez_bulk_i##bits(sampler, "chacha20", seed, 0, NULL, 0, 1), SAMPLEZ_OK, NULL); \
    ROW(samplez_bulk_i##bits(sampler, "chacha20", seed, UINT64_MAX, out, 2, 1), INVALID, "first = 18446744073709551615: expected at most 18446744073709551614 with 2 samples"); \
    ROW(samplez_bulk_i##bits(sampler, "chacha20", seed, 0, out, SIZE_MAX, 1), INVALID, "count = 18446744073709551615: expected no more than memory"); \
    if (sizeof(T) > 1) { \
        ROW(samplez_fill_i##bits(sampler, stream, odd, 8), INVALID, "as the type asks"); \
        ROW(samplez_bulk_i##bits(sampler, "chacha20", seed, 0, odd, 8, 1), INVALID, "as the type asks"); \
    } \
}
FILLS(int8_t, 8)
FILLS(int16_t, 16)
FILLS(int32_t, 32)
FILLS(int64_t, 64)

int main(void) {
    samplez_sampler *sampler = NULL, *wide = NULL, *handle;
    samplez_stream *stream = NULL, *opened;
    uint8_t seed[32];
    static union { double mass; samplez_sampler *sampler; samplez_stream *stream; uint8_t bytes[256]; } room;
    uint8_t *odd = room.bytes + 1;
    if (samplez_sampler_new("sigma=3.2", &sampler) || samplez_sampler_new("sigma=1000,method=karney", &wide) ||
        samplez_seed_from_text("7", seed) || samplez_stream_new("chacha20", seed, &stream)) {
        return 1;
    }

    for (size_t i = 0; i < sizeof RECIPES / sizeof *RECIPES; i++) {
        handle = sampler;
        row(RECIPES[i].recipe, samplez_sampler_new(RECIPES[i].recipe, &handle), INVALID, RECIPES[i].words);
        row("its handle is NULL", handle == NULL ? SAMPLEZ_OK : INVALID, SAMPLEZ_OK, NULL);
        samplez_sampler_free(handle);
    }
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++) {
        samplez_sampler_new(KINDS[i].recipe, &handle);
        kind(KINDS[i].recipe, KINDS[i].kind);
    }
    static char overlong[5000];
    memset(overlong, '1', sizeof overlong - 1);
    memcpy(overlong, "sigma=", 6);
    ROW(samplez_sampler_new(overlong, &handle), INVALID, "recipe");
    ROW(samplez_sampler_new(NULL, &handle), INVALID, "recipe: expected a pointer, not NULL");
    ROW(samplez_sampler_new("sigma=3", NULL), INVALID, "out: expected a pointer, not NULL");
    ROW(samplez_sampler_new(NULL, NULL), INVALID, "out: expected a pointer, not NULL");
    ROW(samplez_sampler_new("sigma=3", (samplez_sampler **)(void *)odd), INVALID, "expected a multiple of 8");

    /* Tables. */
    static const uint64_t one[] = {140, 200, 0, 0}, heads[] = {140, 90}, rising[] = {5, 0, 6, 0};
#define TABLE(law, form, entries, count, limbs) samplez_sampler_from_table(law, form, entries, count, limbs, &handle)
    ROW(TABLE(NULL, "folded,tail,8", one, 1, 1), INVALID, "law: expected a pointer, not NULL");
    ROW(TABLE("sigma=0", "folded,tail,8", one, 1, 1), INVALID, "sigma = 0: expected a number greater than 0");
    ROW(TABLE("sigma=1,method=auto,precision=8", "folded,tail,8", one, 1, 1), INVALID, "law = sigma=1,method=auto,precision=8: expected a width and a center alone");
    ROW(TABLE("", "frodo", one, 1, 1), INVALID, "missing law: pass a width, such as sigma=2.8");
    ROW(TABLE("2.8", "frodo", one, 1, 1), INVALID, "law = 2.8: expected name=value, such as sigma=3.2");
    ROW(strstr(samplez_last_error(), "recipe") ? INVALID : SAMPLEZ_OK, SAMPLEZ_OK, NULL);
    ROW(TABLE("sigma=1", "Frodo", one, 1, 1), INVALID, "form = Frodo: allowed are folded");
    ROW(strstr(samplez_last_error(), "form: ") ? INVALID : SAMPLEZ_OK, SAMPLEZ_OK, NULL);
    ROW(TABLE("sigma=1", NULL, one, 1, 1), INVALID, "form: expected a pointer, not NULL");
    ROW(TABLE("sigma=1", "folded,tail", one, 1, 1), INVALID, "form = folded,tail: ");
    ROW(TABLE("sigma=1", "folded,tail,257", one, 1, 1), INVALID, "between 1 and 256");
    ROW(TABLE("sigma=1", "folded,tail,8", NULL, 1, 1), INVALID, "entries: expected a pointer, not NULL");
    ROW(TABLE("sigma=1", "folded,tail,8", (uint64_t *)(void *)odd, 1, 1), INVALID, "entries: expected an address that is aligned");
    ROW(TABLE("sigma=1", "folded,tail,8", one, 0, 1), INVALID, "entries: has 0 elements: expected 1 to 2^20");
    ROW(TABLE("sigma=1", "folded,tail,8,len=3", one, 2, 1), INVALID, "entries: has 2 elements: expected 3, which the form states");
    ROW(TABLE("sigma=1", "folded,tail,8", one, 1, 0), INVALID, "limbs = 0: expected a number between 1 and 5");
    ROW(TABLE("sigma=1", "folded,tail,8", one, 1, 6), INVALID, "limbs = 6: expected a number between 1 and 5");
    ROW(TABLE("sigma=1", "folded,tail,8", one, SIZE_MAX, 2), INVALID, "more than memory can hold");
    ROW(TABLE("sigma=1", "folded,tail,8", one, SIZE_MAX, 1), INVALID, "more than memory can hold");
    ROW(TABLE("sigma=1", "folded,tail,8", one, 2, 1), INVALID, "entries[1] = 200: above entry 0 = 140");
    ROW(TABLE("sigma=1", "folded,tail,7", one, 1, 1), INVALID, "entries[0] = 140: more than all");
    ROW(TABLE("sigma=1", "folded,pmf,8", one, 2, 1), INVALID, "entries[1] = 200: with it the sum is above one");
    ROW(TABLE("sigma=1", "folded,head,8", heads, 2, 1), INVALID, "entries[1] = 90: below entry 0 = 140");
    ROW(TABLE("sigma=1", "folded,tail,72", rising, 2, 2), INVALID, "entries[2] (entry 1) = 6: above entry 0 = 5");
    ROW(TABLE("sigma=1", "full,tail,8", one, 1, 1), INVALID, "form: a full line needs the value of its first entry; add first=");
    ROW(TABLE("sigma=1", "folded,pmf,8", one, 1, 1), INVALID, "add rest-next or rest-mode");
    ROW(TABLE("sigma=1", "folded,pmf,rest-again,8", one, 1, 1), INVALID, "has no constant-time sampler");
    ROW(TABLE("sigma=1", "half,tail,8", one, 1, 1), INVALID, "has no constant-time sampler");
    ROW(TABLE("sigma=1", "falcon", one, 1, 1), INVALID, "form = falcon: has no constant-time sampler: a half line has no signs");
    ROW(TABLE("sigma=1,center=1/2", "mirrored,tail,8", heads + 1, 1, 1), INVALID, "has no constant-time sampler");
    ROW(TABLE("sigma=1,center=1/3", "folded,tail,8", one, 1, 1), INVALID, "center = 1/3: ");
    row("the handle is NULL", handle == NULL ? SAMPLEZ_OK : INVALID, SAMPLEZ_OK, NULL);
    ROW(samplez_sampler_from_table("sigma=1", "folded,tail,8", one, 1, 1, NULL), INVALID, "out: expected a pointer, not NULL");

    samplez_sampler *no_sampler = (samplez_sampler *)(void *)odd;
    NONE(samplez_sampler_text(NULL, "method"), "sampler: expected a pointer, not NULL");
    NONE(samplez_sampler_text(no_sampler, "method"), "sampler = 0x");
    NONE(samplez_sampler_text(sampler, NULL), "name: expected a pointer, not NULL");
    static const char *const names[] = {"", "json", "Method", " recipe", "certificate-json", "certificates", "\xff"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        NONE(samplez_sampler_text(sampler, names[i]), i == 6 ? "name: expected UTF-8" : "expected method, recipe, timing, reason, certificate or certificate_json");
        kind("a text's name", i == 6 ? "other" : "unknown");
    }
    ROW(samplez_sampler_figure(NULL, "log2_sd", &room.mass), INVALID, "sampler: expected a pointer, not NULL");
    ROW(samplez_sampler_figure(no_sampler, "log2_sd", &room.mass), INVALID, "sampler = 0x");
    ROW(samplez_sampler_figure(sampler, NULL, &room.mass), INVALID, "name: expected a pointer, not NULL");
    ROW(samplez_sampler_figure(sampler, "log2_sd", NULL), INVALID, "out: expected a pointer, not NULL");
    ROW(samplez_sampler_figure(sampler, "log2_sd", (double *)(void *)odd), INVALID, "expected a multiple of 8, as the type asks");
    static const char *const figures[] = {"", "timing", "Log2_sd", " log2_sd", "log2-sd", "sigma", "\xff"};
    room.mass = 7;
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        row(figures[i], samplez_sampler_figure(sampler, figures[i], &room.mass), INVALID,
            i == 6 ? "name: expected UTF-8" : ": expected log2_sd, support_min, support_max, table_bytes or expected_bits");
        kind("a figure's name", i == 6 ? "other" : "unknown");
    }
    ROW(room.mass == 7 ? SAMPLEZ_OK : INVALID, SAMPLEZ_OK, NULL);
    ROW(samplez_sampler_pmf(NULL, 0, &room.mass), INVALID, "sampler: expected a pointer, not NULL");
    ROW(samplez_sampler_pmf(no_sampler, 0, &room.mass), INVALID, "sampler = 0x");
    ROW(samplez_sampler_pmf(sampler, 0, NULL), INVALID, "out: expected a pointer, not NULL");
    ROW(samplez_sampler_pmf(sampler, 0, (double *)(void *)odd), INVALID, "expected a multiple of 8, as the type asks");
    /* Far from the centre the mass is 0, and no error. */
    ROW(samplez_sampler_pmf(sampler, INT64_MIN, &room.mass), SAMPLEZ_OK, NULL);
    ROW(room.mass == 0 ? SAMPLEZ_OK : INVALID, SAMPLEZ_OK, NULL);
    ROW(samplez_sampler_pmf(sampler, INT64_MAX, &room.mass), SAMPLEZ_OK, NULL);

    for (size_t i = 0; i < sizeof SEEDS / sizeof *SEEDS; i++) {
        uint8_t before[32], after[32];
        memset(before, 0xa5, sizeof before);
        memcpy(after, before, sizeof after);
        row(SEEDS[i], samplez_seed_from_text(SEEDS[i], after), INVALID, i == 9 ? "text: expected UTF-8" : "64 hexadecimal digits");
        row("and nothing is written", memcmp(before, after, sizeof after) ? INVALID : SAMPLEZ_OK, SAMPLEZ_OK, NULL);
        int told = strlen(SEEDS[i]) > 1 && strstr(samplez_last_error(), SEEDS[i]) != NULL;
        row("nor told", told ? INVALID : SAMPLEZ_OK, SAMPLEZ_OK, NULL);
    }
    ROW(samplez_seed_from_text(NULL, seed), INVALID, "text: expected a pointer, not NULL");
    ROW(samplez_seed_from_text("1", NULL), INVALID, "seed: expected a pointer, not NULL");

    for (size_t i = 0; i < sizeof SOURCES / sizeof *SOURCES; i++) {
        opened = stream;
        row(SOURCES[i], samplez_stream_new(SOURCES[i], seed, &opened), INVALID, "source = ");
        row("its handle is NULL", opened == NULL ? SAMPLEZ_OK : INVALID, SAMPLEZ_OK, NULL);
    }
    ROW(samplez_stream_new(NULL, seed, &opened), INVALID, "source: expected a pointer, not NULL");
    ROW(samplez_stream_new("\xff", seed, &opened), INVALID, "source: expected UTF-8");
    ROW(samplez_stream_new("os", seed, &opened), INVALID, "seed: expected NULL, because source = os takes no seed");
    ROW(samplez_stream_new("chacha20", seed, NULL), INVALID, "out: expected a pointer, not NULL");
    ROW(samplez_stream_new("chacha20", seed, (samplez_stream **)(void *)odd), INVALID, "expected a multiple of 8");
    {
        samplez_stream *live;
        int8_t secret[8];
        ROW(samplez_stream_new("chacha20", NULL, &live), SAMPLEZ_OK, NULL);
        ROW(samplez_fill_sparse_ternary(NULL, 1, secret, 8), INVALID, "stream: expected a pointer, not NULL");
        ROW(samplez_fill_sparse_ternary(live, 0, secret, 8), INVALID, "weight = 0: expected a number between 1 and 8");
        ROW(samplez_fill_sparse_ternary(live, 9, secret, 8), INVALID, "weight = 9: expected a number between 1 and 8");
        ROW(samplez_fill_sparse_ternary(live, 1, secret, 0), INVALID, "count = 0: expected a number between 1 and 2^63 - 1");
        ROW(samplez_fill_sparse_ternary(live, 1, NULL, 8), INVALID, "out: expected a pointer, not NULL");
        ROW(samplez_fill_sparse_ternary(live, 1, secret, SIZE_MAX), INVALID, "count = 18446744073709551615: expected");
        samplez_stream_free(live);
    }
    ROW(samplez_stream_from_callback(NULL, NULL, &opened), INVALID, "callback: expected a pointer, not NULL");
    ROW(samplez_stream_from_callback(fails, NULL, NULL), INVALID, "out: expected a pointer, not NULL");
    ROW(samplez_stream_from_callback(fails, NULL, (samplez_stream **)(void *)odd), INVALID, "expected a multiple of 8");

    /* A centre with each sample, residues, samples of any size: pointers and moduli. The values are in each.c. */
    static union { double doubles[9]; int64_t values[9]; uint64_t words[9]; uint8_t bytes[72]; } numbers;
    double *odd_doubles = (double *)(void *)(numbers.bytes + 1);
    int64_t *odd_values = (int64_t *)(void *)(numbers.bytes + 1);
    uint64_t *odd_words = (uint64_t *)(void *)(numbers.bytes + 1), words[9] = {0};
    samplez_stream *no_stream = (samplez_stream *)(void *)odd;
    samplez_big *big = NULL;
    size_t size;
    const double ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    int64_t drawn[8] = {-7, 7, INT64_MIN, INT64_MAX, 0, -1, 1, 2};
    ROW(samplez_round(no_stream, 2, 0, drawn), INVALID, "stream = 0x");
    ROW(samplez_round(stream, 2, 0, odd_values), INVALID, "out = 0x");
    ROW(samplez_round(stream, 0.99, 0, drawn), INVALID, "sigma = 0.99: ");
    ROW(samplez_round(stream, 67108865, 0, drawn), INVALID, "sigma = 67108865: expected a number from 1 to 2^26");
    ROW(samplez_round(stream, NAN, 0, drawn), INVALID, "sigma = NaN: expected a number from 1 to 2^26");
    kind("samplez_round, a width that is no number", "not-a-number");
    ROW(samplez_round(stream, 1e300, 0, drawn), INVALID, "sigma = 1e300: expected a number from 1 to 2^26");
    ROW(samplez_round(stream, 2, -5e18, drawn), INVALID, "center = -5e18: expected a number between -2^62 and 2^62");
    kind("samplez_round, a centre", "out-of-range");
    ROW(samplez_round_each(no_stream, ones, 1, ones, drawn, 8), INVALID, "stream = 0x");
    ROW(samplez_round_each(stream, odd_doubles, 1, ones, drawn, 8), INVALID, "sigmas: expected an address that is aligned");
    ROW(samplez_round_each(stream, ones, 8, odd_doubles, drawn, 8), INVALID, "centers: expected an address that is aligned");
    ROW(samplez_round_each(stream, ones, 8, ones, odd_values, 8), INVALID, "out = 0x");
    ROW(samplez_round_each(stream, ones, 1, ones, drawn, SIZE_MAX), INVALID, "more than memory can hold");
    ROW(samplez_sample_each(no_stream, ones, 1, ones, drawn, 8), INVALID, "stream = 0x");
    ROW(samplez_sample_each(stream, odd_doubles, 1, ones, drawn, 8), INVALID, "sigmas: expected an address that is aligned");
    ROW(samplez_sample_each(stream, ones, 8, odd_doubles, drawn, 8), INVALID, "centers: expected an address that is aligned");
    ROW(samplez_sample_each(stream, ones, 8, ones, odd_values, 8), INVALID, "out = 0x");
    ROW(samplez_sample_each(stream, ones, 1, ones, drawn, SIZE_MAX), INVALID, "more than memory can hold");
    ROW(drawn[0] == -7 ? SAMPLEZ_OK : INVALID, SAMPLEZ_OK, NULL);
    {
        const double small[8] = {1, 1, 0.5, 1, 1, 1, 1, 1}, far[8] = {0, 1e19};
        int64_t lost[8] = {7};
        ROW(samplez_round_each(stream, small, 8, ones, lost, 8), INVALID, "sigmas[2] = 0.5: expected a number from 1 to 2^26");
        kind("samplez_round_each, a width", "out-of-range");
        ROW(lost[0] ? INVALID : SAMPLEZ_OK, SAMPLEZ_OK, NULL);
        lost[0] = 7;
        ROW(samplez_round_each(stream, small + 2, 1, ones, lost, 8), INVALID, "sigmas[0] = 0.5: expected a number from 1 to 2^26");
        ROW(lost[0] ? INVALID : SAMPLEZ_OK, SAMPLEZ_OK, NULL);
        ROW(samplez_sample_each(stream, small + 2, 1, ones, lost, 8), INVALID, "sigmas[0] = 0.5: expected a number from 1 to 2^26");
        ROW(samplez_sample_each(stream, ones, 8, far, lost, 8), INVALID, "centers[1] = 1e19: expected a number between -2^62 and 2^62");
    }
    ROW(samplez_residues(odd_values, 8, 97, words), INVALID, "integers: expected an address that is aligned");
    ROW(samplez_residues(drawn, 8, 97, odd_words), INVALID, "out = 0x");
    ROW(samplez_residues(drawn, SIZE_MAX, 97, words), INVALID, "more than memory can hold");
    ROW(samplez_residues(drawn, 8, 0, words), INVALID, "q = 0: ");
    ROW(samplez_residues(drawn, 8, 1, words), INVALID, "q = 1: ");
    ROW(samplez_residues(drawn, 8, (uint64_t)1 << 63, words), INVALID, "q = 9223372036854775808: ");
    ROW(samplez_residues(drawn, 0, 0, NULL), INVALID, "q = 0: ");
    /* Moduli that are even, and powers of 2. */
    for (int power = 1; power < 63; power++) {
        uint64_t q = (uint64_t)1 << power, even = q + (power > 1 ? 2 : 0);
        ROW(samplez_residues(drawn, 8, q, words), SAMPLEZ_OK, NULL);
        for (int i = 0; i < 8; i++) {
            row("the bits below", words[i] == ((uint64_t)drawn[i] & (q - 1)) ? SAMPLEZ_OK : INVALID, SAMPLEZ_OK, NULL);
        }
        ROW(samplez_residues(drawn, 8, even, words), SAMPLEZ_OK, NULL);
        for (int i = 0; i < 8; i++) {
            int64_t rest = drawn[i] % (int64_t)even;
            uint64_t wanted = rest < 0 ? (uint64_t)rest + even : (uint64_t)rest;
            row("an even modulus", words[i] == wanted ? SAMPLEZ_OK : INVALID, SAMPLEZ_OK, NULL);
        }
    }
    ROW(samplez_big_new("sigma=1e30", &size, (samplez_big **)(void *)odd), INVALID, "out = 0x");
    ROW(samplez_big_new("sigma=1e30", NULL, &big), INVALID, "words: expected a pointer, not NULL");
    ROW(samplez_big_new("sigma=1e30", (size_t *)(void *)odd, &big), INVALID, "words = 0x");
    ROW(samplez_big_new("std=1e30", &size, &big), INVALID, "std = 1e30: expected one of sigma, sigma_squared, k_sigma2, s, center; write sigma for ");
    kind("samplez_big_new, a name", "unknown");
    ROW(samplez_big_new("sigma=1e30,s=8", &size, &big), INVALID, "s = 8: sigma is given too; pass only one of them");
    ROW(samplez_big_new("sigma=1e30,center=1,center=2", &size, &big), INVALID, "center = 2: is given twice");
    ROW(samplez_big_new("sigma=1e30,exact=true", &size, &big), INVALID, "exact = true: expected a width and center alone, for numbers of this size; leave it out");
    kind("samplez_big_new, an option", "unsupported");
    ROW(samplez_big_new("sigma=1e30", &size, &big), SAMPLEZ_OK, NULL);
    ROW(samplez_big_fill((samplez_big *)(void *)odd, stream, words, 1), INVALID, "big = 0x");
    ROW(samplez_big_fill(big, no_stream, words, 1), INVALID, "stream = 0x");
    ROW(samplez_big_fill(big, stream, odd_words, 1), INVALID, "out = 0x");
    samplez_big_free(big);
    ROW(samplez_fill_sparse_ternary(no_stream, 1, (int8_t *)words, 8), INVALID, "stream = 0x");

    of_int8_t(sampler, stream, seed);
    of_int16_t(sampler, stream, seed);
    of_int32_t(sampler, stream, seed);
    of_int64_t(sampler, stream, seed);
    static int8_t narrow[1000];
    ROW(samplez_fill_i8(wide, stream, narrow, 1000), INVALID, "out = int8_t: the samples range from -");
    ROW(samplez_fill_i8(wide, stream, narrow, 1), INVALID, "; use int16_t");
    ROW(samplez_bulk_i8(wide, "chacha20", seed, 0, narrow, 1000, 2), INVALID, "out = int8_t: the samples range from -");
    ROW(narrow[0] | narrow[999] ? INVALID : SAMPLEZ_OK, SAMPLEZ_OK, NULL);

    /* Dead seeds. */
    uint8_t dead[32];
    for (int byte = 0; byte < 256; byte += 15) {
        memset(dead, byte, sizeof dead);
        ROW(samplez_stream_new("chacha20", dead, &opened), INVALID, "seed: 32 equal bytes");
        ROW(samplez_bulk_i64(sampler, "chacha20", dead, 0, (int64_t[1]){0}, 1, 1), INVALID, "seed: 32 equal bytes");
    }
    ROW(samplez_seed_from_text("0000000000000000000000000000000000000000000000000000000000000000", dead), INVALID, "32 equal bytes");

    ROW(samplez_seed_from_text("18446744073709551616", dead), INVALID, "got a larger number");
    kind("samplez_seed_from_text, a large number", "out-of-range");
    ROW(samplez_seed_from_text("-1", dead), INVALID, "got 2 characters");
    kind("samplez_seed_from_text, a negative number", "other");

    /* A seed and a source's name within the output: both are read before it is written. */
    int64_t apart[8], over[8];
    memset(over, 0, sizeof over);
    memcpy(over, seed, 32);
    memcpy((uint8_t *)over + 40, "chacha20", 9);
    ROW(samplez_bulk_i64(sampler, "chacha20", seed, 3, apart, 8, 1), SAMPLEZ_OK, NULL);
    ROW(samplez_bulk_i64(sampler, (const char *)over + 40, (const uint8_t *)over, 3, over, 8, 1), SAMPLEZ_OK, NULL);
    ROW(memcmp(apart, over, sizeof over) ? INVALID : SAMPLEZ_OK, SAMPLEZ_OK, NULL);

    /* What was refused changed nothing: the stream goes on, and NULL may be freed. */
    ROW(samplez_fill_i64(sampler, stream, apart, 8), SAMPLEZ_OK, NULL);
    samplez_sampler_free(sampler);
    samplez_sampler_free(wide);
    samplez_stream_free(stream);
    samplez_sampler_free(NULL);
    samplez_stream_free(NULL);
    if (wrong == 0) {
        printf("%d\n", rows);
    }
    return wrong != 0;
}
