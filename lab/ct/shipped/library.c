/* Fills through the C library over undefined bits. Each line of the input is a recipe, a type and counts of samples, with spaces
   between them; the answer is how many errors valgrind found in each of the fills, one after the other in one stream. */

#include "secret.h"

#include <samplez.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 2048

static enum samplez_status fill(const char *type, struct samplez_sampler *sampler, struct samplez_stream *stream, size_t count)
{
    static union {
        int8_t i8[MOST];
        int16_t i16[MOST];
        int32_t i32[MOST];
        int64_t i64[MOST];
    } out;
    if (!strcmp(type, "int8"))
        return samplez_fill_i8(sampler, stream, out.i8, count);
    if (!strcmp(type, "int16"))
        return samplez_fill_i16(sampler, stream, out.i16, count);
    if (!strcmp(type, "int32"))
        return samplez_fill_i32(sampler, stream, out.i32, count);
    return samplez_fill_i64(sampler, stream, out.i64, count);
}

int main(void)
{
    char line[400];
    while (fgets(line, sizeof line, stdin)) {
        const char *recipe = strtok(line, " \n"), *type = strtok(NULL, " \n"), *count;
        struct secret secret = {1, 0};
        struct samplez_sampler *sampler;
        struct samplez_stream *stream;
        if (!type || samplez_sampler_new(recipe, &sampler) || samplez_stream_from_callback(secret_bytes, &secret, &stream)) {
            fprintf(stderr, "%s: %s\n", recipe, samplez_last_error());
            return 1;
        }
        while ((count = strtok(NULL, " \n"))) {
            size_t n = strtoul(count, NULL, 10);
            unsigned before = secret_errors();
            if (n > MOST || fill(type, sampler, stream, n)) {
                fprintf(stderr, "%s: %s\n", recipe, samplez_last_error());
                return 1;
            }
            printf("%u ", secret_errors() - before);
        }
        printf("\n");
        samplez_stream_free(stream);
        samplez_sampler_free(sampler);
    }
    return 0;
}
