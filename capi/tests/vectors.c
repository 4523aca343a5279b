/* Prints samples of a bulk array as text: RECIPE SOURCE SEED FIRST COUNT. */
#include "samplez.h"

#include <inttypes.h>
#include <stdio.h>

int main(int argc, char **argv) {
    if (argc != 6) {
        return 2;
    }
    uint8_t seed[32];
    if (samplez_seed_from_text(argv[3], seed)) {
        fprintf(stderr, "%s\n", samplez_last_error());
        return 1;
    }
    samplez_sampler *sampler;
    size_t count = strtoull(argv[5], NULL, 10);
    int64_t *out = malloc(count * sizeof *out);
    samplez_status status = samplez_sampler_new(argv[1], &sampler);
    if (!status) {
        status = samplez_bulk_i64(sampler, argv[2], seed, strtoull(argv[4], NULL, 10), out, count, 1);
    }
    if (status) {
        fprintf(stderr, "%s\n", samplez_last_error());
        return 1;
    }
    for (size_t i = 0; i < count; i++) {
        printf("%" PRId64 "\n", out[i]);
    }
    free(out);
    samplez_sampler_free(sampler);
    return 0;
}
