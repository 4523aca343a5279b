/* Three processes draw after a fork: no two of them get the same integers. */
#include "samplez.h"

#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(what) do { if (!(what)) return __LINE__ % 256; } while (0)
#define COUNT 64
#define WORKERS 3

static uint8_t counter;

/* A generator whose next bytes are those of this number, which each request raises. */
static int callback(void *context, uint8_t *out, size_t length) {
    (void)context;
    for (size_t i = 0; i < length; i++) {
        out[i] = (uint8_t)(counter + i * i + (i >> 3));
    }
    counter++;
    return 0;
}

static int says(const char *words) {
    return strstr(samplez_last_error(), words) != NULL;
}

int main(void) {
    static const char *const live[] = {"os", "dev-urandom", "dev-random"};
    static const uint8_t seed[32] = {1, 2, 3};
    samplez_sampler *sampler;
    samplez_stream *streams[3], *seeded, *unseeded, *own;
    int64_t out[COUNT], all[3][WORKERS + 1][COUNT];

    CHECK(samplez_sampler_new("sigma=1e9", &sampler) == SAMPLEZ_OK);
    for (int i = 0; i < 3; i++) {
        CHECK(samplez_stream_new(live[i], NULL, &streams[i]) == SAMPLEZ_OK);
        for (int n = 0; n < 2; n++) CHECK(samplez_fill_i64(sampler, streams[i], out, 3) == SAMPLEZ_OK); /* samples are left */
    }
    CHECK(samplez_stream_new("chacha20", seed, &seeded) == SAMPLEZ_OK);
    CHECK(samplez_stream_new("chacha20", NULL, &unseeded) == SAMPLEZ_OK);
    CHECK(samplez_stream_from_callback(callback, NULL, &own) == SAMPLEZ_OK);
    for (int n = 0; n < 2; n++) {
        CHECK(samplez_fill_i64(sampler, seeded, out, 3) == SAMPLEZ_OK && samplez_fill_i64(sampler, unseeded, out, 3) == SAMPLEZ_OK);
        CHECK(samplez_fill_i64(sampler, own, out, 3) == SAMPLEZ_OK);
    }

    for (int worker = 0; worker < WORKERS; worker++) {
        int ends[2], status;
        CHECK(pipe(ends) == 0);
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            for (int i = 0; i < 3; i++) {
                if (samplez_fill_i64(sampler, streams[i], out, COUNT) != SAMPLEZ_OK) _exit(1);
                if (write(ends[1], out, sizeof out) != (ssize_t)sizeof out) _exit(2);
            }
            out[0] = 7;
            if (samplez_fill_i64(sampler, seeded, out, 1) != SAMPLEZ_ENTROPY || out[0] != 0 || !says("forked")) _exit(3);
            if (samplez_fill_i64(sampler, unseeded, out, 1) != SAMPLEZ_ENTROPY || !says("with another seed")) _exit(4);
            samplez_stream_free(seeded);
            if (samplez_stream_new("chacha20", seed, &seeded) != SAMPLEZ_OK) _exit(5);
            if (samplez_fill_i64(sampler, seeded, out, 1) != SAMPLEZ_OK) _exit(6);
            /* The samples made ahead and the bytes that the parent read are dropped: these are of another number. */
            int64_t first, again;
            counter = (uint8_t)(100 + worker);
            if (samplez_fill_i64(sampler, own, &first, 1) != SAMPLEZ_OK) _exit(7);
            samplez_stream *fresh;
            if (samplez_stream_from_callback(callback, NULL, &fresh) != SAMPLEZ_OK) _exit(8);
            counter = (uint8_t)(100 + worker);
            if (samplez_fill_i64(sampler, fresh, &again, 1) != SAMPLEZ_OK || first != again) _exit(9);
            /* An array is a function of its seed in every process. */
            if (samplez_bulk_i64(sampler, "chacha20", seed, 0, out, 1, 1) != SAMPLEZ_OK) _exit(10);
            _exit(0);
        }
        close(ends[1]);
        for (int i = 0; i < 3; i++) {
            size_t got = 0;
            while (got < sizeof out) {
                ssize_t n = read(ends[0], (char *)all[i][worker] + got, sizeof out - got);
                CHECK(n > 0);
                got += (size_t)n;
            }
        }
        close(ends[0]);
        CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    for (int i = 0; i < 3; i++) {
        CHECK(samplez_fill_i64(sampler, streams[i], all[i][WORKERS], COUNT) == SAMPLEZ_OK);
        for (int a = 0; a <= WORKERS; a++) {
            for (int b = 0; b < a; b++) {
                CHECK(memcmp(all[i][a], all[i][b], sizeof out) != 0);
            }
        }
        samplez_stream_free(streams[i]);
    }
    CHECK(samplez_fill_i64(sampler, seeded, out, 1) == SAMPLEZ_OK); /* the parent goes on */
    samplez_stream_free(seeded);
    samplez_stream_free(unseeded);
    samplez_stream_free(own);
    samplez_sampler_free(sampler);
    return 0;
}
