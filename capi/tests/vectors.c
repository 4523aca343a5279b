/* Prints samples of a bulk array as text: FORM WIDTH CENTER METHOD OPTIONS SOURCE SEED FIRST COUNT. */
#include "samplez.h"

#include <inttypes.h>
#include <stdio.h>

int main(int argc, char **argv) {
    if (argc != 10) {
        return 2;
    }
    uint8_t seed[32];
    for (int i = 0; i < 32; i++) {
        unsigned byte;
        if (sscanf(argv[7] + 2 * i, "%2x", &byte) != 1) {
            return 2;
        }
        seed[i] = (uint8_t)byte;
    }
    samplez_sampler *sampler;
    size_t count = strtoull(argv[9], NULL, 10);
    int64_t *out = malloc(count * sizeof *out);
    samplez_status status = samplez_sampler_new(argv[1], argv[2], argv[3], argv[4], argv[5], &sampler);
    if (!status) {
        status = samplez_bulk_i64(sampler, argv[6], seed, strtoull(argv[8], NULL, 10), out, count, 1);
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
