/* The GNU Scientific Library: see census.py. */
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static gsl_rng *rng;
static gsl_ran_discrete_t *table;

static long draw(const char *call) {
    if (!strcmp(call, "ziggurat")) return lround(gsl_ran_gaussian_ziggurat(rng, 1));
    if (!strcmp(call, "polar")) return lround(gsl_ran_gaussian(rng, 1));
    if (!strcmp(call, "discrete")) return (long)gsl_ran_discrete(rng, table) - 14;
    if (!strcmp(call, "binomial")) return (long)gsl_ran_binomial(rng, 0.5, 20) - 10;
    if (!strcmp(call, "poisson")) { long x = gsl_ran_poisson(rng, 5); return x - (long)gsl_ran_poisson(rng, 5); }
    long x = gsl_ran_geometric(rng, 1 - exp(-1));
    return x - (long)gsl_ran_geometric(rng, 1 - exp(-1));
}

int main(int argc, char **argv) {
    (void)argc;
    double masses[29];
    for (int x = -14; x <= 14; x++) masses[x + 14] = exp(-x * x / 2.0);
    rng = gsl_rng_alloc(gsl_rng_mt19937);
    table = gsl_ran_discrete_preproc(29, masses);
    if (*argv[4]) gsl_rng_set(rng, strtoul(argv[4], NULL, 10));
    long count = atol(argv[2]), *integers = malloc(sizeof(long) * count);
    clock_t begin = clock();
    for (long i = 0; i < count; i++) integers[i] = draw(argv[1]);
    printf("seconds %f\ntype unsigned int, double\n", (double)(clock() - begin) / CLOCKS_PER_SEC);
    FILE *out = fopen(argv[3], "w");
    for (long i = 0; i < count; i++) fprintf(out, "%ld\n", integers[i]);
    return fclose(out);
}
