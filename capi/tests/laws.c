/* Tables of the caller's, and noises that are no Gaussian. Prints nothing if all is well; the exit code is the line of the first
 * check that fails. */
#include "samplez.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CHECK(condition) do { if (!(condition)) { return __LINE__ % 256 ? __LINE__ % 256 : 1; } } while (0)
#define COUNT 100000

static int32_t draws[COUNT];

/* A sampler's first integers under the seed 1. */
static int draw(const samplez_sampler *sampler, int32_t *out, size_t count) {
    uint8_t seed[32];
    samplez_stream *stream;
    if (samplez_seed_from_text("1", seed) != SAMPLEZ_OK || samplez_stream_new("chacha20", seed, &stream) != SAMPLEZ_OK) {
        return 0;
    }
    samplez_status status = samplez_fill_i32(sampler, stream, out, count);
    samplez_stream_free(stream);
    return status == SAMPLEZ_OK;
}

/* Whether the bulk array of a short seed has these 16 integers from a position on. */
static int is_row(const samplez_sampler *sampler, int number, uint64_t first, const int32_t *wanted) {
    char text[8];
    uint8_t seed[32];
    int32_t found[16];
    snprintf(text, sizeof text, "%d", number);
    return samplez_seed_from_text(text, seed) == SAMPLEZ_OK &&
           samplez_bulk_i32(sampler, "chacha20", seed, first, found, 16, 2) == SAMPLEZ_OK && memcmp(found, wanted, sizeof found) == 0;
}

/* How many of the draws are this integer. */
static int drawn(int32_t value) {
    int count = 0;
    for (size_t i = 0; i < COUNT; i++) {
        count += draws[i] == value;
    }
    return count;
}

/* Whether a count is within 6 deviations of p * COUNT: false with probability below 2e-9. */
static int near(int count, double p) {
    double off = count - p * COUNT;
    return off * off <= 36 * COUNT * p * (1 - p) + 1;
}

/* A function of a law at one number. */
static double at(const char *law, const char *function, double x) {
    double out = -2;
    return samplez_law_values(law, function, &x, 1, &out) == SAMPLEZ_OK ? out : -3;
}

/* Probabilities, quantiles and tests of distributions; 0, or the line of a check that fails. */
static int laws(void) {
    static const char *const texts[] = {"sigma=3.2,center=1/3", "sigma=1e6", "ternary", "centered_binomial=21", "tuniform=4", "skellam=2.5", "laplace=10"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *law = texts[i];
        double sum = at(law, "cdf", -4.5);
        for (int x = -4; x < 5; x++) {
            double p = at(law, "pmf", x), log_p = at(law, "logpmf", x);
            sum += p;
            CHECK(fabs(sum - at(law, "cdf", x)) < 1e-15 && fabs(at(law, "cdf", x + 0.5) + at(law, "sf", x) - 1) < 1e-15);
            CHECK(fabs(exp(at(law, "logcdf", x)) - at(law, "cdf", x)) < 1e-15 && fabs(exp(at(law, "logsf", x)) - at(law, "sf", x)) < 1e-15);
            CHECK(p == 0 ? isinf(log_p) : fabs(log_p - log(p)) < 1e-14);
            /* Where the law has mass a quantile undoes its probability, which the next double above no longer reaches. */
            if (p > 0) {
                CHECK(at(law, "ppf", at(law, "cdf", x)) == x && at(law, "isf", at(law, "sf", x)) == x);
                CHECK(at(law, "logppf", at(law, "logcdf", x)) == x && at(law, "logisf", at(law, "logsf", x)) == x);
                CHECK(at(law, "cdf", x) == 1 || at(law, "ppf", nextafter(at(law, "cdf", x), 2)) > x);
            }
        }
        CHECK(isnan(at(law, "pmf", NAN)) && isnan(at(law, "cdf", NAN)) && isnan(at(law, "ppf", NAN)));
        CHECK(isnan(at(law, "ppf", -0.1)) && isnan(at(law, "isf", 1.1)) && isnan(at(law, "logppf", 0.1)));
        CHECK(at(law, "pmf", 0.5) == 0 && at(law, "pmf", INFINITY) == 0 && at(law, "pmf", 0x1p63) == 0 && at(law, "logpmf", 0.5) == -INFINITY);
        CHECK(at(law, "cdf", INFINITY) == 1 && at(law, "cdf", -INFINITY) == 0 && at(law, "sf", -1e300) == 1 && at(law, "logsf", 1e300) == -INFINITY);
    }

    /* By mpmath, as in kat/law-rounded.csv; far out only logarithms are left. */
    const char *law = "sigma=3.2";
    CHECK(at(law, "pmf", 0) == 0.12466946262544772);
    CHECK(at(law, "logcdf", -1000) == -48830.207089343014 && at(law, "cdf", -1000) == 0 && at(law, "logppf", -48830.207089343014) == -1000);
    CHECK(at(law, "ppf", 0.975) == 6 && at(law, "ppf", 0) == -INFINITY && at(law, "ppf", 1) == INFINITY && at(law, "isf", 1e-300) == 118);
    /* The first probability that is 1 as a double has the end of the distribution as its quantile. */
    CHECK(at(law, "cdf", 25) < 1 && at(law, "ppf", at(law, "cdf", 25)) == 25 && at(law, "cdf", 26) == 1 && at(law, "isf", at(law, "sf", 26)) == 26);
    CHECK(at(law, "logppf", -1e39) == -INFINITY && at(law, "logisf", -1e39) == INFINITY);
    double both[2] = {0, 0.5};
    CHECK(samplez_law_values(law, "pmf", both, 2, both) == SAMPLEZ_OK && both[0] == 0.12466946262544772 && both[1] == 0);
    CHECK(samplez_law_values(law, "pdf", both, 2, both) == SAMPLEZ_INVALID_ARGUMENT && strcmp(samplez_last_kind(), "unknown") == 0);
    CHECK(strcmp(samplez_last_error(), "function = pdf: expected pmf, cdf, sf, ppf or isf, or one of these with log before it") == 0);
    CHECK(samplez_law_values(law, "pmf", NULL, 1, both) == SAMPLEZ_INVALID_ARGUMENT && samplez_law_values(law, "pmf", both, 1, NULL) == SAMPLEZ_INVALID_ARGUMENT);
    CHECK(samplez_law_values(NULL, "pmf", both, 1, both) == SAMPLEZ_INVALID_ARGUMENT && samplez_law_values(law, NULL, both, 1, both) == SAMPLEZ_INVALID_ARGUMENT);
    CHECK(samplez_law_values(law, "pmf", NULL, 0, NULL) == SAMPLEZ_OK);

    /* A distribution beyond 64 bits. */
    const char *wide = "sigma=4e18";
    CHECK(at(wide, "cdf", 0) == 0.5 && isnan(at(wide, "cdf", 9.3e18)));
    CHECK(isnan(at(wide, "sf", -9.3e18)) && isnan(at(wide, "pmf", 9.3e18)) && at(wide, "cdf", INFINITY) == 1 && at(wide, "pmf", 0.5) == 0);

    /* Quantiles of one call are those of several. */
    double each[] = {0.975, 0.5, 1e-300, 0.975, 0, 1, 0.3}, together[7];
    CHECK(samplez_law_values("sigma=215,center=1/3", "ppf", each, 7, together) == SAMPLEZ_OK);
    for (int i = 0; i < 7; i++) {
        CHECK(together[i] == at("sigma=215,center=1/3", "ppf", each[i]));
    }

    /* The rounded normal and the rounded Laplace law. */
    CHECK(at("sigma=3.2,law=rounded", "pmf", 0) == 0.12416403361658973 && at("law=rounded,s=8", "cdf", -1) < 0.5);
    CHECK(at("laplace=2,law=rounded", "pmf", 0) == 0.22119921692859512 && at("law=rounded,laplace=2", "logsf", 1) == log(at("laplace=2,law=rounded", "sf", 1)));
    CHECK(at("skellam=3,law=rounded", "pmf", 0) == -3 && at("law=rounded", "pmf", 0) == -3 && at("sigma=3,law=round", "pmf", 0) == -3);

    /* Sums: probabilities of the convolution, the constant 5, and a wrong term. */
    const char *sum = "cbd=1,copies=2 - 10*weights=0: 1 3";
    CHECK(at(sum, "pmf", -10) == 0.28125 && at(sum, "cdf", -8) == 0.75);
    CHECK(at(sum, "ppf", 0.7) == -9 && at(sum, "pmf", -5) == 0 && at(sum, "ppf", 0) == -12 && at(sum, "ppf", 1) == 2 && at(sum, "logpmf", -5) == -INFINITY);
    CHECK(at("weights=5: 1", "pmf", 5) == 1 && at("weights=5: 1", "ppf", 0.3) == 5);
    CHECK(at("laplace=10 - sigma=20", "ppf", nextafter(1, 0)) < 1000 && at("laplace=10 - sigma=20", "isf", nextafter(1, 0)) > -1000);
    CHECK(samplez_law_values("cbd=1 + 0*ternary", "pmf", both, 1, both) == SAMPLEZ_INVALID_ARGUMENT);
    CHECK(strcmp(samplez_last_error(), "law = 0*ternary: expected a whole number above 0 before the star, such as 1000*sigma=3.2") == 0);

    /* Correct integers pass, a thousand equal ones among them do not. */
    static int64_t integers[COUNT];
    uint8_t seed[32];
    samplez_sampler *sampler;
    samplez_verification *verification;
    CHECK(samplez_sampler_new("sigma=3.2", &sampler) == SAMPLEZ_OK && samplez_seed_from_text("1", seed) == SAMPLEZ_OK);
    CHECK(samplez_bulk_i64(sampler, "chacha20", seed, 0, integers, COUNT, 2) == SAMPLEZ_OK);
    samplez_sampler_free(sampler);
    for (int is_wrong = 0; is_wrong < 2; is_wrong++) {
        for (int i = 0; i < 1000 && is_wrong; i++) {
            integers[i] = 1;
        }
        CHECK(samplez_verify(law, integers, COUNT, &verification) == SAMPLEZ_OK);
        size_t rejected = 0, absent = 0;
        for (size_t i = 0; i < verification->count; i++) {
            const samplez_test *test = &verification->tests[i];
            rejected += test->verdict == 1;
            absent += test->verdict == 2;
            CHECK(test->name != NULL && strlen(test->name) > 0);
            CHECK(test->verdict != 2 ? test->p_value >= 0 && test->p_value <= 1
                                     : strlen(test->detail) > 2 && isnan(test->p_value) && isnan(test->statistic));
            CHECK(i > 0 || (strcmp(test->name, "chi-squared") == 0 && test->detail == NULL && test->statistic > 0 && test->dof > 10));
        }
        CHECK(verification->count > 10 && absent < verification->count && rejected == verification->rejected && (rejected > 0) == is_wrong);
        CHECK(verification->modulus == 0);
        samplez_verification_free(verification);
    }
    for (int i = 0; i < COUNT; i++) {
        integers[i] = i % 2 ? i % 7 : 12288 - i % 5;
    }
    CHECK(samplez_verify(law, integers, COUNT, &verification) == SAMPLEZ_OK && verification->modulus == 12289 && verification->rejected > 0);
    samplez_verification_free(verification);
    CHECK(samplez_verify(law, integers, 99, &verification) == SAMPLEZ_INVALID_ARGUMENT && verification == NULL);
    CHECK(strcmp(samplez_last_error(), "integers: n = 99 values: a verdict needs at least 100") == 0 && strcmp(samplez_last_kind(), "out-of-range") == 0);
    CHECK(samplez_verify(law, NULL, 200, &verification) == SAMPLEZ_INVALID_ARGUMENT && samplez_verify(NULL, integers, 200, &verification) == SAMPLEZ_INVALID_ARGUMENT);
    CHECK(samplez_verify(law, integers, 200, NULL) == SAMPLEZ_INVALID_ARGUMENT && strcmp(samplez_last_error(), "out: expected a pointer, not NULL") == 0);
    samplez_verification_free(NULL);

    static const char *const refused[][2] = {
        {"", "missing law: pass a width, such as sigma=2.8"},
        {"sigma=3.2,method=cdt", "law = sigma=3.2,method=cdt: expected a width and a center alone"},
        {"skellam=0", "skellam = 0: expected a number from 2^-16 to"},
        {"sigma=0", "sigma = 0: expected"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        CHECK(samplez_law_values(refused[i][0], "pmf", both, 1, both) == SAMPLEZ_INVALID_ARGUMENT);
        CHECK(strncmp(samplez_last_error(), refused[i][1], strlen(refused[i][1])) == 0);
        CHECK(samplez_verify(refused[i][0], integers, 200, &verification) == SAMPLEZ_INVALID_ARGUMENT && verification == NULL);
        CHECK(strncmp(samplez_last_error(), refused[i][1], strlen(refused[i][1])) == 0);
    }
    return 0;
}

/* A figure of a sampler; NaN after an error. */
static double figure(const samplez_sampler *sampler, const char *name) {
    double value = 0;
    return samplez_sampler_figure(sampler, name, &value) == SAMPLEZ_OK ? value : NAN;
}

int main(void) {
    samplez_sampler *sampler, *other;

    /* FrodoKEM-640's weights. Twice the weight of both signs, of 2^16. */
    static const uint64_t frodo[] = {9288, 8720, 7216, 5264, 3384, 1918, 958, 422, 164, 56, 17, 4, 1};
    CHECK(samplez_sampler_from_table("sigma=2.8", "frodo", frodo, 13, 1, &sampler) == SAMPLEZ_OK);
    CHECK(figure(sampler, "log2_sd") < -8 && figure(sampler, "support_min") == -12 && figure(sampler, "support_max") == 12);
    CHECK(strcmp(samplez_sampler_text(sampler, "timing"), "constant") == 0);
    CHECK(strstr(samplez_sampler_text(sampler, "certificate"), "form                        mirrored,pmf,") != NULL);
    CHECK(samplez_sampler_text(sampler, "method") == NULL && samplez_sampler_text(sampler, "recipe") == NULL && samplez_sampler_text(sampler, "reason") == NULL);
    CHECK(draw(sampler, draws, COUNT) && near(drawn(0), 9288 / 65536.0));
    for (int x = 1; x < 13; x++) {
        CHECK(near(drawn(x), frodo[x] / 65536.0) && near(drawn(-x), frodo[x] / 65536.0));
    }
    samplez_sampler_free(sampler);

    /* The same law as a tail of |X| with two words for an entry: the same integers. */
    uint64_t tail[24];
    uint64_t above = 65536 - frodo[0];
    for (int k = 0; k < 12; k++) {
        tail[2 * k] = above;
        tail[2 * k + 1] = 0;
        above -= 2 * frodo[k + 1];
    }
    CHECK(above == 0);
    CHECK(samplez_sampler_from_table("sigma=2.8", "folded,tail,16", tail, 12, 2, &other) == SAMPLEZ_OK);
    int32_t again[1000];
    CHECK(draw(other, again, 1000) && memcmp(again, draws, sizeof again) == 0);
    samplez_sampler_free(other);

    /* The first two entries of a table of 80 bits for sigma = 1: word 0 is the least significant. P(|X| > 0) = 0.601…, P(|X| > 1) = 0.117…. */
    static const uint64_t two[] = {0, 39392, 0, 7717};
    CHECK(samplez_sampler_from_table("sigma=1", "folded,tail,80", two, 2, 2, &sampler) == SAMPLEZ_OK);
    CHECK(draw(sampler, draws, COUNT) && near(drawn(0), 1 - 39392 / 65536.0));
    CHECK(near(drawn(-2), 7717 / 131072.0) && near(drawn(2), 7717 / 131072.0));
    samplez_sampler_free(sampler);

    /* Other laws, from the same bits as in Rust. */
    static const int32_t ternary[] = {-1, 0, 1};
    CHECK(samplez_sampler_new("ternary", &sampler) == SAMPLEZ_OK);
    CHECK(draw(sampler, draws, COUNT));
    for (int i = 0; i < 3; i++) {
        CHECK(near(drawn(ternary[i]), 1 / 3.0));
    }
    CHECK(figure(sampler, "log2_sd") == -INFINITY && strcmp(samplez_sampler_text(sampler, "timing"), "isochronous") == 0);
    CHECK(strstr(samplez_sampler_text(sampler, "certificate"), "exact, given ideal random bits") != NULL);
    CHECK(samplez_sampler_text(sampler, "method") == NULL && strstr(samplez_last_error(), "sampler: it does not have the text method") != NULL);
    samplez_sampler_free(sampler);
    CHECK(samplez_sampler_new("centered_binomial=2", &sampler) == SAMPLEZ_OK);
    CHECK(draw(sampler, draws, COUNT) && near(drawn(0), 6 / 16.0) && near(drawn(1), 4 / 16.0) && near(drawn(-2), 1 / 16.0));
    double p;
    CHECK(samplez_sampler_pmf(sampler, 0, &p) == SAMPLEZ_OK && p == 6 / 16.0);
    CHECK(samplez_sampler_pmf(sampler, -3, &p) == SAMPLEZ_OK && p == 0);
    samplez_sampler_free(sampler);
    CHECK(samplez_sampler_new("tuniform=2", &sampler) == SAMPLEZ_OK);
    CHECK(draw(sampler, draws, COUNT) && near(drawn(-4), 1 / 16.0) && near(drawn(4), 1 / 16.0) && near(drawn(3), 2 / 16.0));
    samplez_sampler_free(sampler);

    /* Rows of kat/finite.csv, which another program made of the definitions. */
    static const int32_t coin[] = {0, 1, 1, 1, 0, 0, 0, 0, -1, 0, -1, 1, 1, -1, 0, 0};
    CHECK(samplez_sampler_new("centered_binomial=1", &sampler) == SAMPLEZ_OK && is_row(sampler, 1, 0, coin));
    samplez_sampler_free(sampler);
    static const int32_t uniform[] = {1, -1, 1, 0, -1, 1, -1, 1, 1, 1, 1, 1, -1, 1, 0, -1};
    CHECK(samplez_sampler_new("ternary", &sampler) == SAMPLEZ_OK && is_row(sampler, 7, 8184, uniform));
    samplez_sampler_free(sampler);
    static const int32_t wide[] = {-7359, -64793, -32398, -53597, -117050, -37232, 65560, -94658, 126379, -8439, -5390, 85904, -93601, -7789, -116288, 60747};
    CHECK(samplez_sampler_new("tuniform=17", &sampler) == SAMPLEZ_OK && is_row(sampler, 7, 8184, wide));
    samplez_sampler_free(sampler);
    static const int32_t skellam[] = {-4, 1, 1, -1, -3, 0, -1, 0, 1, 1, 0, 0, -1, 2, -2, -1}, far[] = {57, -51, 18, -48, 36, 0, -10, -22, 34, -35, 13, 3, -33, -4, -3, -17};
    CHECK(samplez_sampler_new("skellam=2.5", &sampler) == SAMPLEZ_OK && is_row(sampler, 1, 0, skellam));
    CHECK(figure(sampler, "log2_sd") == -INFINITY && strcmp(samplez_sampler_text(sampler, "timing"), "constant") == 0);
    CHECK(samplez_sampler_pmf(sampler, 1, &p) == SAMPLEZ_OK && p == 0.20658464953126657); /* e^-2.5 I_1(2.5), by mpmath */
    CHECK(samplez_sampler_pmf(sampler, -1, &p) == SAMPLEZ_OK && p == 0.20658464953126657);
    CHECK(samplez_sampler_text(sampler, "method") == NULL && strcmp(samplez_sampler_text(sampler, "recipe"), "skellam=5/2") == 0);
    CHECK(strcmp(samplez_sampler_text(sampler, "reason"), "the one sampler of this law") == 0);
    CHECK(strstr(samplez_sampler_text(sampler, "certificate_json"), "{\"method\":null,\"law\":\"Skellam(5/2)\",\"center\":\"0\",\"width\":null,") != NULL);
    CHECK(samplez_sampler_new(samplez_sampler_text(sampler, "recipe"), &other) == SAMPLEZ_OK && is_row(other, 1, 0, skellam));
    samplez_sampler_free(other);
    samplez_sampler_free(sampler);
    CHECK(samplez_sampler_new("skellam=1000", &sampler) == SAMPLEZ_OK && is_row(sampler, 7, 8184, far));
    samplez_sampler_free(sampler);

    static const int32_t laplace[] = {2, -5, 12, -3, 4, -15, 6, 5, 7, 1, 7, -11, 24, 0, 8, 12};
    CHECK(samplez_sampler_new("laplace=10", &sampler) == SAMPLEZ_OK && is_row(sampler, 7, 8184, laplace));
    CHECK(figure(sampler, "log2_sd") == -INFINITY && strcmp(samplez_sampler_text(sampler, "timing"), "constant") == 0);
    CHECK(samplez_sampler_pmf(sampler, 3, &p) == SAMPLEZ_OK && p == 0.03701007444444673); /* by mpmath */
    CHECK(samplez_sampler_pmf(sampler, -3, &p) == SAMPLEZ_OK && p == 0.03701007444444673);
    samplez_sampler_free(sampler);

    static const int32_t cut[] = {-9, -13, -6, 1, 15, 6, -18, 8, 7, 1, 0, -11, 8, 0, 2, 4};
    CHECK(samplez_sampler_new("laplace=15/2,clip=20", &sampler) == SAMPLEZ_OK && is_row(sampler, 7, 8184, cut));
    CHECK(strcmp(samplez_sampler_text(sampler, "timing"), "isochronous") == 0 && samplez_sampler_pmf(sampler, 21, &p) == SAMPLEZ_OK && p == 0);
    CHECK(strcmp(samplez_sampler_text(sampler, "recipe"), "laplace=15/2,clip=20") == 0);
    samplez_sampler_free(sampler);

    /* Too narrow a type is refused, with the samples' range. */
    samplez_stream *stream;
    int8_t small[4096];
    CHECK(samplez_stream_new("chacha20", NULL, &stream) == SAMPLEZ_OK);
    CHECK(samplez_sampler_new("tuniform=17", &sampler) == SAMPLEZ_OK);
    CHECK(samplez_fill_i8(sampler, stream, small, 4) == SAMPLEZ_INVALID_ARGUMENT);
    CHECK(strstr(samplez_last_error(), "the samples range from -131072 to 131072; use int32_t") != NULL);
    samplez_sampler_free(sampler);

    /* Sparse ternary vectors: the weight is exact, and entries are spread over the vector and over both signs. */
    int weight[2] = {0, 0}, signs[2] = {0, 0};
    for (int i = 0; i < 50; i++) {
        CHECK(samplez_fill_sparse_ternary(stream, 192, small, 4096) == SAMPLEZ_OK);
        int all = 0;
        for (int j = 0; j < 4096; j++) {
            CHECK(small[j] >= -1 && small[j] <= 1);
            all += small[j] != 0;
            weight[j / 2048] += small[j] != 0;
            signs[0] += small[j] < 0;
            signs[1] += small[j] > 0;
        }
        CHECK(all == 192);
    }
    /* 9600 entries: 6 deviations are 294. The seed is the system's: false with probability below 4e-9. */
    CHECK(weight[0] - 4800 <= 294 && 4800 - weight[0] <= 294 && signs[0] - 4800 <= 294 && 4800 - signs[0] <= 294);
    samplez_stream_free(stream);
    return laws();
}
