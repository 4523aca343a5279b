/* A centre and a width for every sample, and samples in words. Exit code 0: all is well; else the line of what is not. */
#include "samplez.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define CHECK(condition) do { if (!(condition)) { return __LINE__; } } while (0)
#define COUNT 20000

static int says(const char *words) {
    return strstr(samplez_last_error(), words) != NULL;
}

typedef samplez_status draw(samplez_stream *, const double *, size_t, const double *, int64_t *, size_t);
static draw *const DRAWS[] = {samplez_round_each, samplez_sample_each};

static double centers[COUNT], sigmas[COUNT];
static int64_t out[COUNT], again[COUNT];

int main(void) {
    uint8_t seed[32];
    samplez_stream *stream = NULL;
    CHECK(samplez_seed_from_text("7", seed) == SAMPLEZ_OK);
    CHECK(samplez_stream_new("chacha20", seed, &stream) == SAMPLEZ_OK);
    for (int i = 0; i < COUNT; i++) {
        centers[i] = (i - 7) / 3.0;
        sigmas[i] = 1.0 + i % 5;
    }

    /* The mean of (x - c)/sigma is 0 and its variance 1: from sigma = 1 on to 1e-7. Six standard deviations of both. */
    for (int how = 0; how < 5; how++) {
        double sum = 0, squares = 0;
        if (how < 2) {
            CHECK(DRAWS[how](stream, sigmas, COUNT, centers, out, COUNT) == SAMPLEZ_OK);
        } else if (how < 4) {
            CHECK(DRAWS[how - 2](stream, sigmas + 4, 1, centers, out, COUNT) == SAMPLEZ_OK);
        } else {
            for (int i = 0; i < COUNT; i++) {
                CHECK(samplez_round(stream, sigmas[i], centers[i], &out[i]) == SAMPLEZ_OK);
            }
        }
        for (int i = 0; i < COUNT; i++) {
            double z = ((double)out[i] - centers[i]) / (how == 2 || how == 3 ? 5.0 : sigmas[i]);
            sum += z;
            squares += z * z;
        }
        CHECK(fabs(sum) < 6 * sqrt(COUNT));
        CHECK(fabs(squares - COUNT) < 6 * sqrt(2.0 * COUNT));
    }

    /* kat/rounders.csv: one call after the other, and in batches. */
    static const int64_t vectors[2][16] = {
        {-4010, -3999, -3989, -3976, -3965, -3975, -3958, -3947, -3933, -3928, -3932, -3921, -3912, -3893, -3891, -3894},
        {-4010, -3997, -3989, -3978, -3963, -3970, -3956, -3955, -3937, -3920, -3936, -3924, -3912, -3893, -3885, -3892}};
    for (int i = 0; i < 5000; i++) {
        centers[i] = (7919 * i - 4000000) / (double)(997 + i % 5);
    }
    double sigma = 3.2;
    for (int d = 0; d < 2; d++) {
        samplez_stream_free(stream);
        CHECK(samplez_seed_from_text("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f", seed) == SAMPLEZ_OK);
        CHECK(samplez_stream_new("chacha20", seed, &stream) == SAMPLEZ_OK);
        CHECK(DRAWS[d](stream, &sigma, 1, centers, out, 5000) == SAMPLEZ_OK && memcmp(out, vectors[d], sizeof vectors[d]) == 0);
    }

    /* Single calls are those with a width for each; no samples; a centre that only a double states. */
    samplez_stream_free(stream);
    CHECK(samplez_stream_new("chacha20", seed, &stream) == SAMPLEZ_OK);
    CHECK(samplez_round_each(stream, sigmas, COUNT, centers, out, COUNT) == SAMPLEZ_OK);
    samplez_stream_free(stream);
    CHECK(samplez_stream_new("chacha20", seed, &stream) == SAMPLEZ_OK);
    for (int i = 0; i < COUNT; i++) {
        CHECK(samplez_round(stream, sigmas[i], centers[i], &again[i]) == SAMPLEZ_OK);
    }
    CHECK(memcmp(out, again, sizeof out) == 0);
    CHECK(samplez_round(stream, 3.2, 1.4901161193847658e-08, out) == SAMPLEZ_OK && out[0] < 60 && out[0] > -60);

    /* What is refused is named, and nothing is kept. */
    static const double bad[] = {0.5, NAN, INFINITY, -1, 67108865};
    static const double far[] = {NAN, -INFINITY, 4.611686018427388e18, -1e300};
    for (int d = 0; d < 2; d++) {
        CHECK(DRAWS[d](stream, NULL, 0, NULL, NULL, 0) == SAMPLEZ_OK);
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            sigmas[3] = bad[i];
            CHECK(DRAWS[d](stream, sigmas, 9, centers, out, 9) == SAMPLEZ_INVALID_ARGUMENT && says("sigmas[3] = "));
            CHECK(out[0] == 0 && out[8] == 0);
            out[0] = out[8] = 4711;
            CHECK(DRAWS[d](stream, sigmas + 3, 1, centers, out, 9) == SAMPLEZ_INVALID_ARGUMENT && says("sigma"));
            CHECK(out[0] == 0 && out[8] == 0);
            CHECK(samplez_round(stream, bad[i], 0, out) == SAMPLEZ_INVALID_ARGUMENT && says("sigma"));
        }
        sigmas[3] = 2;
        for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
            centers[8] = far[i];
            CHECK(DRAWS[d](stream, sigmas, 9, centers, out, 9) == SAMPLEZ_INVALID_ARGUMENT && says("centers[8] = "));
            out[0] = 4711;
            CHECK(samplez_round(stream, 2, far[i], out) == SAMPLEZ_INVALID_ARGUMENT && says("center") && out[0] == 4711);
        }
        centers[8] = 0;
        CHECK(DRAWS[d](stream, sigmas, 2, centers, out, 9) == SAMPLEZ_INVALID_ARGUMENT && says("sigma_count = 2: "));
        CHECK(DRAWS[d](stream, NULL, 9, centers, out, 9) == SAMPLEZ_INVALID_ARGUMENT && says("sigmas"));
        CHECK(DRAWS[d](stream, sigmas, 9, NULL, out, 9) == SAMPLEZ_INVALID_ARGUMENT && says("centers"));
        CHECK(DRAWS[d](stream, sigmas, 9, centers, NULL, 9) == SAMPLEZ_INVALID_ARGUMENT && says("out"));
        CHECK(DRAWS[d](NULL, sigmas, 9, centers, out, 9) == SAMPLEZ_INVALID_ARGUMENT && says("stream"));
        CHECK(DRAWS[d](stream, (double *)(void *)((char *)sigmas + 1), 9, centers, out, 9) == SAMPLEZ_INVALID_ARGUMENT && says("aligned"));
    }
    CHECK(samplez_round(NULL, 2, 0, out) == SAMPLEZ_INVALID_ARGUMENT && says("stream"));
    CHECK(samplez_round(stream, 2, 0, NULL) == SAMPLEZ_INVALID_ARGUMENT && says("out"));

    /* Residues of an RNS basis, against the language's own remainder; what is no modulus is refused. */
    static const uint64_t primes[] = {2, 3, 12289, 0x1fffffffffe00001u, 9223372036854775807u};
    static uint64_t residues[COUNT];
    out[0] = INT64_MIN;
    out[1] = INT64_MAX;
    for (size_t p = 0; p < sizeof primes / sizeof *primes; p++) {
        int64_t q = (int64_t)primes[p];
        CHECK(samplez_residues(out, COUNT, primes[p], residues) == SAMPLEZ_OK);
        for (int i = 0; i < COUNT; i++) {
            int64_t rest = out[i] % q;
            CHECK(residues[i] == (uint64_t)(rest < 0 ? rest + q : rest));
        }
    }
    static const uint64_t none[] = {0, 1, 9223372036854775808u, UINT64_MAX};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        CHECK(samplez_residues(out, COUNT, none[i], residues) == SAMPLEZ_INVALID_ARGUMENT && says("q = "));
    }
    /* In place. */
    CHECK(samplez_residues(out, 9, 3, (uint64_t *)out) == SAMPLEZ_OK);
    for (int i = 0; i < 9; i++) {
        CHECK(out[i] >= 0 && out[i] < 3);
    }
    CHECK(samplez_residues(NULL, 1, 3, residues) == SAMPLEZ_INVALID_ARGUMENT && says("integers"));
    CHECK(samplez_residues(out, 1, 3, NULL) == SAMPLEZ_INVALID_ARGUMENT && says("out"));
    CHECK(samplez_residues(NULL, 0, 3, NULL) == SAMPLEZ_OK);

    /* 2^100: the mean of the high word, whose standard deviation is 2^36. */
    samplez_big *big = NULL;
    size_t size = 0;
    CHECK(samplez_big_new("sigma=1267650600228229401496703205376,center=-1/3", &size, &big) == SAMPLEZ_OK);
    CHECK(size == 2);
    static uint64_t words[2 * COUNT];
    CHECK(samplez_big_fill(big, stream, words, COUNT) == SAMPLEZ_OK);
    double sum = 0, squares = 0;
    for (int i = 0; i < COUNT; i++) {
        double z = ldexp((double)(int64_t)words[2 * i + 1], -36);
        sum += z;
        squares += z * z;
    }
    CHECK(fabs(sum) < 6 * sqrt(COUNT) && fabs(squares - COUNT) < 6 * sqrt(2.0 * COUNT));
    CHECK(samplez_big_fill(big, stream, NULL, 0) == SAMPLEZ_OK);
    CHECK(samplez_big_fill(big, stream, NULL, 1) == SAMPLEZ_INVALID_ARGUMENT && says("out"));
    CHECK(samplez_big_fill(big, NULL, words, 1) == SAMPLEZ_INVALID_ARGUMENT && says("stream"));
    CHECK(samplez_big_fill(NULL, stream, words, 1) == SAMPLEZ_INVALID_ARGUMENT && says("big"));
    CHECK(samplez_big_fill(big, stream, words, SIZE_MAX) == SAMPLEZ_INVALID_ARGUMENT && says("count = "));
    samplez_big_free(big);
    samplez_big_free(NULL);
    static const char *const wrong[] = {"sigma=0", "sigma=-1e30", "sigma=nan", "sigma=1e3000", "sigma=1e30,method=cdt", "", "sigma=\xff"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CHECK(samplez_big_new(wrong[i], &size, &big) == SAMPLEZ_INVALID_ARGUMENT && big == NULL);
    }
    CHECK(samplez_big_new(NULL, &size, &big) == SAMPLEZ_INVALID_ARGUMENT && says("recipe"));
    CHECK(samplez_big_new("sigma=1e30", &size, NULL) == SAMPLEZ_INVALID_ARGUMENT && says("out"));
    samplez_stream_free(stream);
    return 0;
}
