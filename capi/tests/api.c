/* The C interface, used as a C program uses it. Prints nothing; the exit code is the line of the
 * first check that fails. */
#include "samplez.h"

#include <math.h>
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

int main(void) {
    CHECK(strcmp(samplez_version(), "0.1.0") == 0);

    /* Errors name the argument, its value, and what is allowed; the handle is NULL. */
    samplez_sampler *sampler = (samplez_sampler *)1;
    CHECK(samplez_sampler_new("sigma", "0", NULL, NULL, NULL, &sampler) == SAMPLEZ_INVALID_ARGUMENT);
    CHECK(sampler == NULL && says("sigma = 0: must be greater than 0"));
    CHECK(samplez_sampler_new("sigma", "abc", NULL, NULL, NULL, &sampler) == SAMPLEZ_INVALID_ARGUMENT && says("sigma"));
    CHECK(samplez_sampler_new("sigma", "nan", NULL, NULL, NULL, &sampler) == SAMPLEZ_INVALID_ARGUMENT);
    CHECK(samplez_sampler_new("radius", "1", NULL, NULL, NULL, &sampler) == SAMPLEZ_INVALID_ARGUMENT && says("form = radius"));
    CHECK(samplez_sampler_new("sigma", NULL, NULL, NULL, NULL, &sampler) == SAMPLEZ_INVALID_ARGUMENT && says("width"));
    CHECK(samplez_sampler_new("sigma", "\xff", NULL, NULL, NULL, &sampler) == SAMPLEZ_INVALID_ARGUMENT && says("UTF-8"));
    CHECK(samplez_sampler_new("sigma", "3", NULL, "dice", NULL, &sampler) == SAMPLEZ_INVALID_ARGUMENT && says("method = dice"));
    CHECK(samplez_sampler_new("sigma", "3", NULL, "cdt", "precision=0", &sampler) == SAMPLEZ_INVALID_ARGUMENT && says("precision"));
    CHECK(samplez_sampler_new("sigma", "3", NULL, NULL, "colour=red", &sampler) == SAMPLEZ_INVALID_ARGUMENT && says("colour"));
    CHECK(samplez_sampler_new("sigma", "1e12", NULL, "cdt", NULL, &sampler) == SAMPLEZ_INVALID_ARGUMENT);
    CHECK(samplez_sampler_new("sigma", "3", NULL, NULL, NULL, NULL) == SAMPLEZ_INVALID_ARGUMENT && says("out"));

    samplez_sampler *exact = NULL;
    CHECK(samplez_sampler_new("sigma", "3.2", NULL, "auto", NULL, &sampler) == SAMPLEZ_OK && sampler != NULL);
    CHECK(samplez_sampler_new("sigma", "16/5", "-1/3", "karney", "", &exact) == SAMPLEZ_OK);

    struct samplez_profile profile;
    CHECK(samplez_sampler_profile(sampler, &profile) == SAMPLEZ_OK);
    CHECK(!profile.exact && profile.log2_statistical_distance < -120 && profile.maximum == -profile.minimum);
    CHECK(samplez_sampler_profile(exact, &profile) == SAMPLEZ_OK);
    CHECK(profile.exact && isinf(profile.log2_statistical_distance) && profile.expected_trials > 1);
    CHECK(samplez_sampler_profile(NULL, &profile) == SAMPLEZ_INVALID_ARGUMENT && says("sampler"));
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

    /* A type that is too narrow. */
    samplez_sampler *wide = NULL;
    CHECK(samplez_sampler_new("sigma", "1e4", NULL, NULL, NULL, &wide) == SAMPLEZ_OK);
    CHECK(samplez_fill_i8(wide, one, a, 100) == SAMPLEZ_RANGE && says("does not fit the output type i8"));

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
    CHECK(samplez_fill_i8(sampler, two, a, 1000) == SAMPLEZ_ENTROPY && says("stuck: it gave 1024 bytes that are all 0x00"));
    CHECK(samplez_fill_i8(sampler, two, a, 1) == SAMPLEZ_ENTROPY);
    samplez_stream_free(two);
    CHECK(samplez_stream_from_callback(stuck_bytes, &ones, &two) == SAMPLEZ_OK);
    CHECK(samplez_fill_i64(exact, two, b, 1000) == SAMPLEZ_ENTROPY && says("stuck: it gave 1024 bytes that are all 0xff"));
    samplez_stream_free(two);
    static int16_t many[20000];
    many[7] = 7;
    CHECK(samplez_stream_from_callback(stuck_bytes, NULL, &two) == SAMPLEZ_OK);
    CHECK(samplez_fill_i16(exact, two, many, 20000) == SAMPLEZ_ENTROPY && says("stuck: it gave the same 1024 bytes again"));
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
