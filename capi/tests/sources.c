/* Every function that takes a stream, over every fault of a callback: SAMPLEZ_ENTROPY, and an output of zeros. Prints the functions' names, which
 * c.rs compares with the header. Exit code 1: something is otherwise, and is printed. */
#include "samplez.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define COUNT 20000

static samplez_sampler *sampler;
static samplez_big *big;
static double sigma = 3.2, centers[COUNT];
static uint64_t out[3 * COUNT];

#define FILL(bits) static samplez_status fill_i##bits(samplez_stream *stream, size_t count) { \
    return samplez_fill_i##bits(sampler, stream, (int##bits##_t *)(void *)out, count); \
}
FILL(8)
FILL(16)
FILL(32)
FILL(64)
static samplez_status sparse(samplez_stream *stream, size_t count) {
    return samplez_fill_sparse_ternary(stream, count / 2, (int8_t *)out, count);
}
static samplez_status round_each(samplez_stream *stream, size_t count) {
    return samplez_round_each(stream, &sigma, 1, centers, (int64_t *)out, count);
}
static samplez_status sample_each(samplez_stream *stream, size_t count) {
    return samplez_sample_each(stream, &sigma, 1, centers, (int64_t *)out, count);
}
static samplez_status big_fill(samplez_stream *stream, size_t count) {
    return samplez_big_fill(big, stream, out, count);
}
/* Its integer is written only on success. */
static samplez_status round_one(samplez_stream *stream, size_t count) {
    samplez_status status = SAMPLEZ_OK;
    int64_t x = 0;
    for (size_t i = 0; i < count && status == SAMPLEZ_OK; i++) {
        x = 0;
        status = samplez_round(stream, sigma, centers[i], &x);
    }
    memset(out, status != SAMPLEZ_OK && x != 0, sizeof out);
    return status;
}

static const struct { const char *name; samplez_status (*draw)(samplez_stream *, size_t); } DRAWS[] = {
    {"samplez_fill_i8", fill_i8}, {"samplez_fill_i16", fill_i16}, {"samplez_fill_i32", fill_i32}, {"samplez_fill_i64", fill_i64},
    {"samplez_fill_sparse_ternary", sparse}, {"samplez_round", round_one}, {"samplez_round_each", round_each},
    {"samplez_sample_each", sample_each}, {"samplez_big_fill", big_fill},
};

/* Random bytes up to byte `good`, and then those of the fault. A short call writes no byte from `there` on. */
enum how {FAILS, ZEROS, REPEATS, PERIOD, SHORT, ZERO_TAIL};
struct source { enum how how; size_t good, there, given; uint64_t state; };

static int give(void *context, uint8_t *bytes, size_t length) {
    struct source *source = context;
    uint64_t again = 7;
    for (size_t i = 0; i < length; i++) {
        int is_good = source->given++ < source->good;
        uint64_t *state = is_good || source->how == SHORT || source->how == ZERO_TAIL ? &source->state : &again;
        *state = *state * 6364136223846793005u + 1442695040888963407u;
        uint8_t byte = (uint8_t)(*state >> 56);
        if (is_good || source->how == REPEATS) {
            bytes[i] = byte;
        } else if (source->how == FAILS) {
            return -3;
        } else if (source->how == SHORT || source->how == ZERO_TAIL) {
            if (i < source->there || source->how == ZERO_TAIL) {
                bytes[i] = i < source->there ? byte : 0;
            }
        } else {
            bytes[i] = source->how == ZEROS ? 0 : (uint8_t)"31415"[i % 5];
        }
    }
    return 0;
}

static int wrong;

/* Draws over the source; `words` are those of the error, or NULL if there must be none. */
static void draw(size_t number, struct source source, size_t count, const char *words) {
    samplez_stream *stream = NULL;
    samplez_stream_from_callback(give, &source, &stream);
    memset(out, 1, sizeof out);
    samplez_status status = DRAWS[number].draw(stream, count);
    size_t size = count * (number < 4 ? (size_t)1 << number : number == 4 ? 1 : number == 8 ? 16 : 8), left = 0;
    for (size_t i = 0; i < size && status != SAMPLEZ_OK; i++) {
        left += ((const uint8_t *)out)[i] != 0;
    }
    if (status != (words == NULL ? SAMPLEZ_OK : SAMPLEZ_ENTROPY) || left > 0 || (words != NULL && strstr(samplez_last_error(), words) == NULL)) {
        printf("%s: fault %d from byte %zu, %zu bytes: status %d, %zu bytes are left: %s\n", DRAWS[number].name, (int)source.how, source.good, source.there, (int)status, left,
            samplez_last_error());
        wrong = 1;
    }
    samplez_stream_free(stream);
}

int main(void) {
    size_t words = 0;
    if (samplez_sampler_new("sigma=3.2", &sampler) != SAMPLEZ_OK || samplez_big_new("sigma=1e30", &words, &big) != SAMPLEZ_OK || words != 2) {
        return 2;
    }
    for (size_t i = 0; i < sizeof DRAWS / sizeof *DRAWS; i++) {
        printf("%s\n", DRAWS[i].name);
        static const size_t GOOD[] = {0, 1, 1039, 3120};
        for (size_t k = 0; k < sizeof GOOD / sizeof *GOOD; k++) {
            for (int how = FAILS; how <= PERIOD; how++) {
                struct source source = {(enum how)how, GOOD[k], 0, 0, 1};
                draw(i, source, COUNT, how == FAILS ? "callback: gave no randomness, and returned -3" : "stuck");
            }
        }
        /* The library uses 1024 of 1040 bytes, so it needs no last 15. */
        static const size_t THERE[] = {0, 1, 500, 960, 992, 993, 1008, 1023, 1024, 1025, 1032, 1039, 1040};
        for (size_t k = 0; k < sizeof THERE / sizeof *THERE; k++) {
            size_t there = THERE[k];
            struct source source = {SHORT, 0, there, 0, 1}, tail = {ZERO_TAIL, 0, there, 0, 1};
            draw(i, source, 64, there > 1024 ? NULL : "callback: returned 0, but did not fill all 1040 bytes");
            draw(i, tail, 64, there > 1024 ? NULL : there > 992 ? "did not fill all 1040 bytes" : "stuck");
        }
    }
    samplez_sampler_free(sampler);
    samplez_big_free(big);
    return wrong;
}
