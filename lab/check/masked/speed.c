/*
 * Speed of the C of a circuit, apart from its random bits and with them:
 *
 *   samplez circuit --sigma 1.278 --precision 78 --emit c --order 1 --out noise.c
 *   gcc -O2 -mavx2 [-DLANES=4] speed.c -o speed && ./speed
 *
 * LANES is the number of 64-bit lanes of a word, 1 or 4. The random bits are ChaCha20's, of eight blocks at a time.
 */
#define _POSIX_C_SOURCE 199309L
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#ifndef LANES
#define LANES 1
#endif
#if LANES > 1
typedef uint64_t word __attribute__((vector_size(8 * LANES)));
#define NOISE_WORD word
#define NOISE_KEEP(x) __asm__ volatile("" : "+x"(x))
#endif
#include "noise.c"
#if LANES == 1
typedef uint64_t word;
#endif

typedef uint32_t lanes __attribute__((vector_size(32)));
#define TURN(x, n) ((x) << (n) | (x) >> (32 - (n)))
#define QUARTER(a, b, c, d) \
    (a += b, d = TURN(d ^ a, 16), c += d, b = TURN(b ^ c, 12), a += b, d = TURN(d ^ a, 8), c += d, b = TURN(b ^ c, 7))

/* Fills whole pieces of 512 bytes. */
static void chacha20(lanes *out, size_t pieces, uint32_t *counter) {
    for (; pieces > 0; pieces--, out += 16, *counter += 8) {
        lanes from[16], x[16];
        int i;
        for (i = 0; i < 16; i++) from[i] = (lanes){0} + (uint32_t)(i * 0x9e3779b9u);
        from[12] = (lanes){0, 1, 2, 3, 4, 5, 6, 7} + *counter;
        memcpy(x, from, sizeof x);
        for (i = 0; i < 10; i++) {
            QUARTER(x[0], x[4], x[8], x[12]), QUARTER(x[1], x[5], x[9], x[13]);
            QUARTER(x[2], x[6], x[10], x[14]), QUARTER(x[3], x[7], x[11], x[15]);
            QUARTER(x[0], x[5], x[10], x[15]), QUARTER(x[1], x[6], x[11], x[12]);
            QUARTER(x[2], x[7], x[8], x[13]), QUARTER(x[3], x[4], x[9], x[14]);
        }
        for (i = 0; i < 16; i++) out[i] = x[i] + from[i];
    }
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

int main(void) {
    enum { BYTES = NOISE_INPUTS * sizeof(word), PIECES = (BYTES + 511) / 512, CALLS = 200 };
    static union { lanes of[16 * PIECES]; word r[NOISE_INPUTS]; } bits;
    static word x[NOISE_OUTPUTS], sum;
    uint32_t counter = 0;
    double apart = 1e300, with = 1e300;
    int turn, call, samples = 64 * LANES * CALLS;
    chacha20(bits.of, PIECES, &counter);
    for (turn = 0; turn < 200; turn++) {
        double t = now();
        for (call = 0; call < CALLS; call++) noise_sample(bits.r, x), bits.r[0] ^= x[0], sum ^= x[NOISE_OUTPUTS - 1];
        t = (now() - t) / samples;
        if (t < apart) apart = t;
        t = now();
        for (call = 0; call < CALLS; call++) chacha20(bits.of, PIECES, &counter), noise_sample(bits.r, x), sum ^= x[0];
        t = (now() - t) / samples;
        if (t < with) with = t;
    }
    printf("%d random bits, ns a sample: %.2f apart, %.2f with ChaCha20 (%d)\n", NOISE_INPUTS, apart, with, ((unsigned char *)&sum)[0] & 1);
    return 0;
}
