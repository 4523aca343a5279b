/* Calls of the C library for R/samplez.R. No call of the library leaves by a jump: R's errors are raised after it has returned. */
#include <samplez.h>

#include <R.h>
#include <Rinternals.h>
#include <R_ext/Random.h>
#include <R_ext/Rdynload.h>
#include <math.h>
#include <string.h>

/* Raises the library's last error as an R condition. */
static void check(samplez_status status) {
    if (status == SAMPLEZ_OK) {
        return;
    }
    SEXP space = PROTECT(R_FindNamespace(PROTECT(mkString("samplez"))));
    SEXP message = PROTECT(mkString(samplez_last_error()));
    SET_STRING_ELT(message, 0, mkCharCE(samplez_last_error(), CE_UTF8));
    SEXP kind = PROTECT(mkString(status == SAMPLEZ_ENTROPY ? "entropy" : samplez_last_kind()));
    SEXP call = PROTECT(lang3(install("refuse"), message, kind));
    eval(call, space);
    UNPROTECT(5);
}

static const char *text(SEXP value) { return translateCharUTF8(STRING_ELT(value, 0)); }

/* Handles are external pointers. R or `close` frees what they own, and clears the address. */
#define HANDLE(type) static void free_##type(SEXP of) { samplez_##type##_free(R_ExternalPtrAddr(of)); R_ClearExternalPtr(of); }
HANDLE(sampler)
HANDLE(stream)
HANDLE(verification)

/* An empty handle, made before the object that it will own: the allocation may fail. */
static SEXP handle(R_CFinalizer_t end, const char *tag) {
    SEXP made = PROTECT(R_MakeExternalPtr(NULL, install(tag), R_NilValue));
    R_RegisterCFinalizerEx(made, end, TRUE);
    UNPROTECT(1);
    return made;
}

static SEXP sampler_new(SEXP recipe) {
    samplez_sampler *sampler;
    SEXP made = PROTECT(handle(free_sampler, "sampler"));
    check(samplez_sampler_new(text(recipe), &sampler));
    R_SetExternalPtrAddr(made, sampler);
    UNPROTECT(1);
    return made;
}

/* A request of random bytes: two of each of R's uniform numbers. */
typedef struct { uint8_t *out; size_t length; } request;

static void uniform(void *of) {
    request *asked = of;
    unsigned int word = 0;
    for (size_t i = 0; i < asked->length; i++) {
        word = i % 2 == 0 ? (unsigned int)(unif_rand() * 65536) : word >> 8;
        asked->out[i] = word & 255;
    }
}

/* The bytes of R's generator. A jump of a user's own generator ends here. */
static int random_bytes(void *context, uint8_t *out, size_t length) {
    request asked = {out, length};
    return R_ToplevelExec(uniform, &asked) ? 0 : 1;
}

static SEXP stream_new(SEXP source, SEXP seed) {
    samplez_stream *stream;
    uint8_t bytes[32];
    int is_seeded = seed != R_NilValue, is_r = strcmp(text(source), "R") == 0;
    SEXP made = PROTECT(handle(free_stream, is_r ? "R" : "stream"));
    if (is_seeded) {
        check(samplez_seed_from_text(text(seed), bytes));
    }
    check(is_r ? samplez_stream_from_callback(random_bytes, NULL, &stream)
               : samplez_stream_new(text(source), is_seeded ? bytes : NULL, &stream));
    R_SetExternalPtrAddr(made, stream);
    UNPROTECT(1);
    return made;
}

static SEXP stream_close(SEXP stream) {
    free_stream(stream);
    return R_NilValue;
}

/* Whether it is an open stream: the class alone may be set by anyone. */
static SEXP is_open(SEXP of) {
    int is_stream = TYPEOF(of) == EXTPTRSXP && (R_ExternalPtrTag(of) == install("stream") || R_ExternalPtrTag(of) == install("R"));
    return ScalarLogical(is_stream && R_ExternalPtrAddr(of) != NULL);
}

/* Integers of R that hold these limits: integer, double up to 2^53, and bit64's integer64 in the place of doubles. */
static SEXP vector(double low, double high, R_xlen_t count) {
    int is_narrow = low >= -2147483647.0 && high <= 2147483647.0;
    SEXP out = PROTECT(allocVector(is_narrow ? INTSXP : REALSXP, count));
    if (!is_narrow && (low < -9007199254740992.0 || high > 9007199254740992.0)) {
        setAttrib(out, R_ClassSymbol, mkString("integer64"));
    }
    UNPROTECT(1);
    return out;
}

/* Makes doubles of 64-bit integers in the same place, unless they are integer64. */
static void widen(SEXP out) {
    double *values = TYPEOF(out) == REALSXP && !inherits(out, "integer64") ? REAL(out) : NULL;
    for (R_xlen_t i = 0; values && i < XLENGTH(out); i++) {
        int64_t integer;
        memcpy(&integer, values + i, sizeof integer);
        values[i] = (double)integer;
    }
}

static SEXP vector_of(const samplez_sampler *sampler, SEXP count) {
    double low, high;
    check(samplez_sampler_figure(sampler, "support_min", &low));
    check(samplez_sampler_figure(sampler, "support_max", &high));
    return vector(low, high, (R_xlen_t)asReal(count));
}

/* Reads R's generator's state before a draw from it, and writes it afterwards. */
static samplez_status reading(SEXP stream, samplez_status status, int is_done) {
    if (R_ExternalPtrTag(stream) == install("R")) {
        is_done ? PutRNGstate() : GetRNGstate();
    }
    return status;
}

static SEXP draw(SEXP sampler, SEXP stream, SEXP count) {
    samplez_sampler *of = R_ExternalPtrAddr(sampler);
    samplez_stream *from = R_ExternalPtrAddr(stream);
    SEXP out = PROTECT(vector_of(of, count));
    reading(stream, SAMPLEZ_OK, 0);
    check(reading(stream, TYPEOF(out) == INTSXP ? samplez_fill_i32(of, from, INTEGER(out), XLENGTH(out))
                                                : samplez_fill_i64(of, from, (int64_t *)REAL(out), XLENGTH(out)), 1));
    widen(out);
    UNPROTECT(1);
    return out;
}

static SEXP bulk(SEXP sampler, SEXP source, SEXP seed, SEXP first, SEXP count, SEXP threads) {
    samplez_sampler *of = R_ExternalPtrAddr(sampler);
    uint8_t bytes[32];
    check(samplez_seed_from_text(text(seed), bytes));
    SEXP out = PROTECT(vector_of(of, count));
    uint64_t from = (uint64_t)asReal(first);
    size_t many = (size_t)asReal(threads), length = XLENGTH(out);
    check(TYPEOF(out) == INTSXP ? samplez_bulk_i32(of, text(source), bytes, from, INTEGER(out), length, many)
                                : samplez_bulk_i64(of, text(source), bytes, from, (int64_t *)REAL(out), length, many));
    widen(out);
    UNPROTECT(1);
    return out;
}

/* A centre and a width with each sample, of which none is beyond the limit. */
static SEXP each(SEXP stream, SEXP sigmas, SEXP centers, SEXP limit) {
    double end = fmax(asReal(limit), 4294967296.0);
    SEXP out = PROTECT(vector(-end, end, XLENGTH(centers)));
    reading(stream, SAMPLEZ_OK, 0);
    check(reading(stream, samplez_sample_each(R_ExternalPtrAddr(stream), REAL(sigmas), XLENGTH(sigmas), REAL(centers),
                                              (int64_t *)REAL(out), XLENGTH(out)), 1));
    widen(out);
    UNPROTECT(1);
    return out;
}

static SEXP law_values(SEXP law, SEXP function, SEXP at) {
    SEXP out = PROTECT(allocVector(REALSXP, XLENGTH(at)));
    check(samplez_law_values(text(law), text(function), REAL(at), XLENGTH(at), REAL(out)));
    UNPROTECT(1);
    return out;
}

static SEXP verify(SEXP law, SEXP values) {
    static const char *names[] = {"name", "at", "reason", "verdict", "statistic", "dof", "p_value", ""};
    static const char *const verdicts[] = {"pass", "reject", "not applicable"};
    samplez_verification *judged;
    SEXP owner = PROTECT(handle(free_verification, "verification"));
    SEXP integers = PROTECT(duplicate(values));
    for (R_xlen_t i = 0; i < XLENGTH(values) && !inherits(values, "integer64"); i++) {
        int64_t integer = (int64_t)REAL(values)[i];
        memcpy(REAL(integers) + i, &integer, sizeof integer);
    }
    check(samplez_verify(text(law), (const int64_t *)REAL(integers), XLENGTH(values), &judged));
    R_SetExternalPtrAddr(owner, judged);
    size_t tests = judged->count;
    SEXP out = PROTECT(mkNamed(VECSXP, names));
    for (int j = 0; j < 7; j++) {
        SET_VECTOR_ELT(out, j, allocVector(j < 4 ? STRSXP : REALSXP, tests));
    }
    for (size_t i = 0; i < tests; i++) {
        samplez_test test = judged->tests[i];
        const char *words[] = {test.name, test.verdict == 2 ? NULL : test.detail, test.verdict == 2 ? test.detail : NULL, verdicts[test.verdict]};
        double numbers[] = {test.statistic, test.dof, test.p_value};
        for (int j = 0; j < 4; j++) {
            SET_STRING_ELT(VECTOR_ELT(out, j), i, words[j] ? mkCharCE(words[j], CE_UTF8) : NA_STRING);
        }
        for (int j = 0; j < 3; j++) {
            REAL(VECTOR_ELT(out, 4 + j))[i] = ISNAN(numbers[j]) ? NA_REAL : numbers[j];
        }
    }
    setAttrib(out, install("modulus"), ScalarReal(judged->modulus == 0 ? NA_REAL : (double)judged->modulus));
    free_verification(owner);
    UNPROTECT(3);
    return out;
}

static const R_CallMethodDef calls[] = {
    {"sampler_new", (DL_FUNC)&sampler_new, 1}, {"stream_new", (DL_FUNC)&stream_new, 2}, {"stream_close", (DL_FUNC)&stream_close, 1},
    {"is_open", (DL_FUNC)&is_open, 1},         {"draw", (DL_FUNC)&draw, 3},             {"bulk", (DL_FUNC)&bulk, 6},
    {"each", (DL_FUNC)&each, 4},               {"law_values", (DL_FUNC)&law_values, 3}, {"verify", (DL_FUNC)&verify, 2},
    {NULL, NULL, 0},
};

void R_init_samplez(DllInfo *library) {
    R_registerRoutines(library, NULL, calls, NULL, NULL);
    R_useDynamicSymbols(library, FALSE);
}
