/* The C interface, used as a C program uses it. Prints nothing if all is well; the exit code is the line
 * of the first check that fails. */
#include "samplez.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CHECK(condition) do { if (!(condition)) { return __LINE__ % 256 ? __LINE__ % 256 : 1; } } while (0)

/* SplitMix64, as a caller's generator; fails when its budget is used up. */
struct generator {
    uint64_t state;
    int budget;
};

static int next_bytes(void *context, uint8_t *out, size_t length) {
    struct generator *generator = context;
    if (generator->budget-- == 0) {
        return 7;
    }
    for (size_t i = 0; i < length; i++) {
        if (i % 8 == 0) {
            generator->state += 0x9e3779b97f4a7c15u;
        }
        uint64_t z = generator->state;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        out[i] = (uint8_t)((z ^ (z >> 31)) >> (8 * (i % 8)));
    }
    return 0;
}

/* A generator that is stuck at the byte behind the context; with no context, at the same 1024 bytes. */
static int stuck_bytes(void *context, uint8_t *out, size_t length) {
    for (size_t i = 0; i < length; i++) {
        out[i] = context != NULL ? *(uint8_t *)context : (uint8_t)(i * i % 1009);
    }
    return 0;
}

static int says(const char *text) {
    return strstr(samplez_last_error(), text) != NULL;
}

/* A figure of a sampler; NaN after an error. */
static double figure(const samplez_sampler *sampler, const char *name) {
    double value = 0;
    return samplez_sampler_figure(sampler, name, &value) == SAMPLEZ_OK ? value : NAN;
}

int main(void) {
    CHECK(strcmp(samplez_version(), SAMPLEZ_VERSION) == 0);
    CHECK(samplez_self_test() == SAMPLEZ_OK);

    /* Errors name the argument, its value, and what is allowed; the handle is NULL. */
    samplez_sampler *sampler = (samplez_sampler *)1;
    static const struct { const char *recipe, *words; } refused[] = {
        {"sigma=0", "sigma = 0: expected a number greater than 0"},
        {"sigma=abc", "sigma = abc"},
        {"sigma=nan", "sigma = nan"},
        {"radius=1", "radius"},
        {"method=karney", "width"},
        {"", "recipe"},
        {"sigma", "recipe"},
        {"sigma=\xff", "UTF-8"},
        {"sigma=3,sigma=3", "sigma"},
        {"sigma=3,s=8", "s"},
        {"sigma=3,method=dice", "method = dice"},
        {"sigma=3,method=cdt,precision=0", "precision = 0"},
        {"sigma=3,precision=0", "precision = 0"},
        {"sigma=3,precision=257", "precision = 257"},
        {"sigma=3,precision=72,precision=72", "precision"},
        {"sigma=3,method=karney,precision=72", "precision = 72"},
        {"sigma=3,colour=red", "colour = red"},
        {"sigma=1e12,method=cdt", "sigma = 1e12: "},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        sampler = (samplez_sampler *)1;
        if (samplez_sampler_new(refused[i].recipe, &sampler) != SAMPLEZ_INVALID_ARGUMENT || sampler != NULL ||
            !says(refused[i].words)) {
            fprintf(stderr, "%s: %s\n", refused[i].recipe, samplez_last_error());
            return 1;
        }
    }
    static char overlong[5000];
    memset(overlong, '1', sizeof overlong - 1);
    memcpy(overlong, "sigma=", 6);
    CHECK(samplez_sampler_new(overlong, &sampler) == SAMPLEZ_INVALID_ARGUMENT && says("recipe"));
    CHECK(samplez_sampler_new(NULL, &sampler) == SAMPLEZ_INVALID_ARGUMENT && says("recipe"));
    CHECK(samplez_sampler_new("sigma=3", NULL) == SAMPLEZ_INVALID_ARGUMENT && says("out"));

    samplez_sampler *exact = NULL;
    CHECK(samplez_sampler_new("sigma=3.2,method=auto", &sampler) == SAMPLEZ_OK && sampler != NULL);
    CHECK(samplez_sampler_new("sigma=16/5&center=-1/3&method=karney", &exact) == SAMPLEZ_OK);

    /* What was chosen, and the recipe that chooses it again. */
    CHECK(strcmp(samplez_sampler_text(exact, "method"), "karney") == 0 && strcmp(samplez_sampler_text(exact, "reason"), "named") == 0);
    CHECK(strstr(samplez_sampler_text(sampler, "reason"), "million samples a second") != NULL);
    CHECK(strcmp(samplez_sampler_text(exact, "recipe"), "sigma=16/5,center=-1/3,method=karney") == 0);
    samplez_sampler *again = NULL;
    CHECK(samplez_sampler_new(samplez_sampler_text(sampler, "recipe"), &again) == SAMPLEZ_OK);
    CHECK(strcmp(samplez_sampler_text(again, "method"), samplez_sampler_text(sampler, "method")) == 0);
    CHECK(strcmp(samplez_sampler_text(again, "certificate_json"), samplez_sampler_text(sampler, "certificate_json")) == 0);
    samplez_sampler_free(again);
    CHECK(strstr(samplez_sampler_text(exact, "certificate_json"), "\"exact\":true") != NULL);
    CHECK(strstr(samplez_sampler_text(sampler, "certificate"), "exact, given ideal random bits") != NULL);
    CHECK(samplez_sampler_text(NULL, "method") == NULL && says("sampler"));

    CHECK(figure(sampler, "log2_sd") == -INFINITY && figure(sampler, "support_max") == -figure(sampler, "support_min"));
    CHECK(figure(sampler, "table_bytes") > 100 && figure(sampler, "expected_bits") > 3 && figure(exact, "log2_sd") == -INFINITY);
    CHECK(strcmp(samplez_sampler_text(sampler, "timing"), "constant") == 0 && strcmp(samplez_sampler_text(exact, "timing"), "variable") == 0);
    samplez_sampler *near = NULL;
    CHECK(samplez_sampler_new("sigma=3.2,method=cdt,precision=72", &near) == SAMPLEZ_OK);
    CHECK(figure(near, "log2_sd") < -64 && figure(near, "log2_sd") > -80);
    samplez_sampler_free(near);
    double p = 0;
    CHECK(samplez_sampler_pmf(sampler, 0, &p) == SAMPLEZ_OK && fabs(p - 0.12466946) < 1e-6);

    /* Streams: the same seed, the same integers in every width. */
    uint8_t seed[32] = {1, 2, 3};
    samplez_stream *one = NULL, *two = NULL;
    CHECK(samplez_stream_new("chacha20", seed, &one) == SAMPLEZ_OK && samplez_stream_new("chacha20", seed, &two) == SAMPLEZ_OK);
    int8_t a[1000];
    int64_t b[1000];
    CHECK(samplez_fill_i8(sampler, one, a, 1000) == SAMPLEZ_OK && samplez_fill_i64(sampler, two, b, 1000) == SAMPLEZ_OK);
    double sum = 0;
    for (int i = 0; i < 1000; i++) {
        CHECK(a[i] == b[i]);
        sum += (double)a[i] * a[i];
    }
    CHECK(sum > 8000 && sum < 13000);
    CHECK(samplez_fill_i8(sampler, one, NULL, 0) == SAMPLEZ_OK);
    CHECK(samplez_fill_i8(sampler, one, NULL, 1) == SAMPLEZ_INVALID_ARGUMENT && says("out"));
    CHECK(samplez_fill_i8(sampler, NULL, a, 1) == SAMPLEZ_INVALID_ARGUMENT && says("stream"));
    samplez_stream_free(two);
    CHECK(samplez_stream_new("dice", seed, &two) == SAMPLEZ_INVALID_ARGUMENT && two == NULL && says("source = dice"));
    CHECK(samplez_stream_new("os", seed, &two) == SAMPLEZ_INVALID_ARGUMENT && says("seed"));
    CHECK(samplez_stream_new("os", NULL, &two) == SAMPLEZ_OK && samplez_fill_i8(sampler, two, a, 10) == SAMPLEZ_OK);
    samplez_stream_free(two);

    CHECK(samplez_fill_i64(sampler, one, (int64_t *)((char *)b + 1), 1) == SAMPLEZ_INVALID_ARGUMENT && says("multiple of 8"));

    /* Seeds as texts. */
    uint8_t read[32];
    CHECK(samplez_seed_from_text("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f", read) == SAMPLEZ_OK && read[31] == 31);
    CHECK(samplez_seed_from_text("42", read) == SAMPLEZ_OK && read[0] == 0xcd && read[31] == 0xbf);
    static const char *const bad[] = {"-1", "18446744073709551616", "abc", "", "1.5", " 42",
        "2037035976334486086268445688409378161051468393665936250636140449354381299763336706183397376"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK(samplez_seed_from_text(bad[i], read) == SAMPLEZ_INVALID_ARGUMENT && says("seed") && read[0] == 0xcd);
    }
    CHECK(samplez_seed_from_text(NULL, read) == SAMPLEZ_INVALID_ARGUMENT && says("text"));
    CHECK(samplez_seed_from_text("42", NULL) == SAMPLEZ_INVALID_ARGUMENT && says("seed"));

    /* A type that is too narrow. */
    samplez_sampler *wide = NULL;
    CHECK(samplez_sampler_new("sigma=1e4", &wide) == SAMPLEZ_OK);
    CHECK(samplez_fill_i8(wide, one, a, 100) == SAMPLEZ_INVALID_ARGUMENT && says("out = int8_t: the samples range from -"));

    /* A generator of one's own, and its failure. */
    struct generator generator = {1, 2};
    CHECK(samplez_stream_from_callback(next_bytes, &generator, &two) == SAMPLEZ_OK);
    CHECK(samplez_fill_i64(exact, two, b, 20) == SAMPLEZ_OK);
    CHECK(samplez_fill_i64(exact, two, b, 1000) == SAMPLEZ_ENTROPY && says("returned 7"));
    samplez_stream_free(two);
    CHECK(samplez_stream_from_callback(NULL, NULL, &two) == SAMPLEZ_INVALID_ARGUMENT && two == NULL && says("callback"));

    for (int i = 0; i < 1000; i++) {
        CHECK(b[i] == 0);
    }
    uint8_t zeros = 0x00, ones = 0xff;
    CHECK(samplez_stream_from_callback(stuck_bytes, &zeros, &two) == SAMPLEZ_OK);
    CHECK(samplez_fill_i8(sampler, two, a, 1000) == SAMPLEZ_ENTROPY && says("stuck: it gave 1024 bytes, of which the last are all 0x00"));
    CHECK(samplez_fill_i8(sampler, two, a, 1) == SAMPLEZ_ENTROPY);
    samplez_stream_free(two);
    CHECK(samplez_stream_from_callback(stuck_bytes, &ones, &two) == SAMPLEZ_OK);
    CHECK(samplez_fill_i64(exact, two, b, 1000) == SAMPLEZ_ENTROPY && says("stuck: it gave 1024 bytes, of which the last are all 0xff"));
    samplez_stream_free(two);
    static int16_t many[20000];
    many[7] = 7;
    CHECK(samplez_stream_from_callback(stuck_bytes, NULL, &two) == SAMPLEZ_OK);
    CHECK(samplez_fill_i16(exact, two, many, 20000) == SAMPLEZ_ENTROPY && says("stuck: it gave the same bytes again"));
    for (int i = 0; i < 20000; i++) {
        CHECK(many[i] == 0);
    }
    samplez_stream_free(two);

    /* Arrays with addresses: any part, any number of threads. */
    static int16_t all[30000], part[500];
    CHECK(samplez_bulk_i16(sampler, "chacha20", seed, 0, all, 30000, 2) == SAMPLEZ_OK);
    CHECK(samplez_bulk_i16(sampler, "chacha20", seed, 8100, part, 500, 1) == SAMPLEZ_OK);
    CHECK(memcmp(part, all + 8100, sizeof part) == 0);
    CHECK(samplez_bulk_i16(sampler, "os", seed, 0, all, 10, 1) == SAMPLEZ_INVALID_ARGUMENT && says("source = os"));
    CHECK(samplez_bulk_i16(sampler, "chacha20", NULL, 0, all, 10, 1) == SAMPLEZ_INVALID_ARGUMENT && says("seed"));
    CHECK(samplez_bulk_i16(sampler, "chacha20", seed, 0, all, 10, 0) == SAMPLEZ_INVALID_ARGUMENT && says("threads"));
    CHECK(samplez_bulk_i16(sampler, "chacha20", seed, UINT64_MAX, all, 10, 1) == SAMPLEZ_INVALID_ARGUMENT && says("first"));

    samplez_stream_free(one);
    samplez_stream_free(NULL);
    samplez_sampler_free(sampler);
    samplez_sampler_free(exact);
    samplez_sampler_free(wide);
    samplez_sampler_free(NULL);
    return 0;
}
