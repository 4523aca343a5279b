/* samplez: discrete Gaussian sampling over the integers, D_{Z,sigma,c}.
 *
 * Generated from capi/src by `cargo xtask gen-header`. Do not edit.
 *
 * Build a sampler from a recipe, open a stream, and fill an array:
 *
 *     samplez_sampler *sampler;
 *     samplez_stream *stream;
 *     int8_t noise[1000];
 *     if (samplez_sampler_new("sigma=3.2", &sampler) != SAMPLEZ_OK ||
 *         samplez_stream_new("chacha20", NULL, &stream) != SAMPLEZ_OK ||
 *         samplez_fill_i8(sampler, stream, noise, 1000) != SAMPLEZ_OK) {
 *         fprintf(stderr, "%s\n", samplez_last_error());
 *     }
 *
 *     you need                                       use
 *     ---------------------------------------------  ---------------------------------------------------
 *     samples from a seed or the operating system    samplez_stream_new, then samplez_fill_i8 to _i64
 *     samples from your own generator                samplez_stream_from_callback, then samplez_fill_i8
 *     an array that is a function of its seed        samplez_bulk_i8 to _i64, on any number of threads
 *     a centre and a width with each sample          samplez_round, samplez_round_each, samplez_sample_each
 *     distance from D_{Z,sigma,c}, timing, costs     samplez_sampler_text, samplez_sampler_figure
 *     probabilities, quantiles                       samplez_law_values, samplez_sampler_pmf
 *     tests of integers                              samplez_verify
 *     a sampler over your own table                  samplez_sampler_from_table
 *     sigma or a centre beyond 64 bits               samplez_big_new, samplez_big_fill
 *     ternary, centred binomial, TUniform, Skellam,
 *     discrete Laplace noise                         samplez_sampler_new
 *     ternary vectors of a fixed weight              samplez_fill_sparse_ternary
 *     residues modulo q                              samplez_residues
 *
 * Errors: every function that can fail returns a samplez_status, samplez_last_error() the message, and
 * samplez_last_kind() the kind of a refused argument.
 *
 * Alignment: align arrays and the places of results as their types require, as malloc does. Any other
 * pointer is refused with SAMPLEZ_INVALID_ARGUMENT. Arrays of bytes may begin anywhere.
 *
 * Threads: many threads may use a sampler at once, and one at a time a stream.
 *
 * Fork: in a forked process, a seeded stream of the parent returns SAMPLEZ_ENTROPY: open a new one there,
 * with another seed. Others read new bits. Both processes may use samplers.
 * Do not fork while another thread is in this library.
 */

#ifndef SAMPLEZ_H
#define SAMPLEZ_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define SAMPLEZ_VERSION "0.1.0"

/*
 The status of a call. `samplez_last_error` returns the message, and `samplez_last_kind` why an argument is refused.
 */
typedef enum samplez_status {
  /*
   Done.
   */
  SAMPLEZ_OK = 0,
  /*
   A null pointer, a text that is not UTF-8, or an argument that the library refuses.
   */
  SAMPLEZ_INVALID_ARGUMENT = 1,
  /*
   A sample does not fit the output type, with probability below 2^-128. The contents of the output are
   unspecified. (A type that is too narrow for the distribution is SAMPLEZ_INVALID_ARGUMENT.)
   */
  SAMPLEZ_RANGE = 2,
  /*
   The source of randomness failed, or is stuck. The output is all zeros.
   */
  SAMPLEZ_ENTROPY = 3,
  /*
   A bug in this library, or a self-test that failed.
   */
  SAMPLEZ_INTERNAL = 4,
} samplez_status;

/*
 D_{Z,sigma,c} with a sigma and a centre beyond 64 bits: immutable, and safe to use from many threads at once.
 */
typedef struct samplez_big samplez_big;

/*
 A sampler of one law: immutable, and safe to use from many threads at once.
 */
typedef struct samplez_sampler samplez_sampler;

/*
 A source of random bits with a cursor. One thread at a time.

 In a forked process, a seeded stream of the parent returns SAMPLEZ_ENTROPY. One of the operating system, or
 over a callback, reads new bits, and drops the samples made ahead. A callback that continues from a copy of its state gives the parent's again.
 */
typedef struct samplez_stream samplez_stream;

/*
 A family of tests, judged as one, with fields of `samplez verify --json`. Its texts live as long as the outcome.
 */
typedef struct samplez_test {
  /*
   The family's name, such as "chi-squared".
   */
  const char *name;
  /*
   The test with the least p-value, NULL if there is only one; or why none of its tests applies.
   */
  const char *detail;
  /*
   0 if it passes, 1 if it rejects, 2 if it does not apply.
   */
  int32_t verdict;
  /*
   The statistic of the test with the least p-value; NaN if none applies.
   */
  double statistic;
  /*
   That test's degrees of freedom; NaN if it has none.
   */
  double dof;
  /*
   That test's p-value times the number of the family's tests that apply, at most 1; NaN if none does.
   */
  double p_value;
} samplez_test;

/*
 The outcome of the tests of integers.
 */
typedef struct samplez_verification {
  /*
   The families of tests.
   */
  const struct samplez_test *tests;
  /*
   How many families there are.
   */
  size_t count;
  /*
   How many of them reject. The integers are consistent with the distribution if none does; about one in a million arrays of correct
   samples is rejected.
   */
  size_t rejected;
  /*
   The q modulo which rejected integers look like residues, by the first of them: a power of two, or the greatest integer plus 1, which may
   be below q; 0 if there is none. To judge residues, subtract q from those above q/2.
   */
  uint64_t modulus;
} samplez_verification;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 Returns the message of the last error of this thread, in UTF-8; empty before the first one. It is valid until the
 next call of this library on the thread.
 */
const char *samplez_last_error(void);

/*
 Returns why the last error of this thread, SAMPLEZ_INVALID_ARGUMENT, refuses an argument; for other errors an empty text. The kinds
 stay the same if a message changes: "missing", "no-method" (none samples the distribution under the given options), "not-a-number",
 "out-of-range", "too-long" (`samplez_big_new` allows longer widths and centres), "unknown" (a name), "unsupported" (by the method), or "other".
 It is valid as long as the message.
 */
const char *samplez_last_kind(void);

/*
 Returns the version of the library that the program runs with, in the form of SAMPLEZ_VERSION. The header's
 version may differ.
 */
const char *samplez_version(void);

/*
 Runs known-answer tests of every cryptographic generator and of the tests of live entropy, for programs that
 require self-tests before use. Nothing else runs them. SAMPLEZ_INTERNAL if an answer is wrong, and
 `samplez_last_error` names it: do not use the library then.
 */
enum samplez_status samplez_self_test(void);

/*
 Builds a sampler from a recipe.

 `recipe` is a text such as "sigma=3.2,center=1/3,precision=72": pairs of a name and a value, with commas between
 them. It requires a width: sigma, sigma_squared, k_sigma2 or s. You may leave out the rest: center (0), method
 (auto, the planner's choice) and the options of the command line, with underscores for its dashes. Numbers are
 exact: 3.2 is 16/5. An option that the method would ignore is refused.

 Or the text is one of these other noises, which have one sampler and no method:
 - "ternary": uniform on {-1, 0, 1}, as for the secrets of homomorphic encryption. Isochronous.
 - "centered_binomial=eta", or "cbd=eta": the sum of eta fair bits minus the sum of as many others, for eta from 1 to 2^20. In constant
   time, and from 2*eta random bits.
 - "tuniform=bound_log2": TFHE's TUniform, uniform on -2^b ..= 2^b except that each end has half the mass of the other values, for
   b from 0 to 62. In constant time.
 - "skellam=variance": the difference of two Poisson variables of mean variance/2 each, exactly, for a variance from 2^-16 to 2^20.
   In constant time. Only a remainder, which replaces a sample with a probability below 2^-99, takes another time. Variances of
   independent Skellam variables add: for a larger one, add samples.
 - "laplace=scale": discrete Laplace, P(x) proportional to exp(-|x|/scale), exactly, for a scale from 2^-16 to 2^50. In constant time,
   except with a probability below 2^-53 a sample, when more bits are drawn. With ",clip=bound", from 1 and scale/2 to 2^53, given that
   |x| is at most the bound, by rejection: isochronous.

 On success `*out` is a handle for `samplez_sampler_free`; on failure it is NULL.

 # Safety

 `recipe` ends with a zero byte; `out` points to a pointer.
 */
enum samplez_status samplez_sampler_new(const char *recipe,
                                        struct samplez_sampler **out);

/*
 Builds a constant-time sampler over your own table, such as the table of a specification. Its law is the table's.
 The certificate is the distance from `law`, computed from the entries.

 `law` is the law aimed at: a width and a centre as in a recipe, such as "sigma=2.8". `form` is the form of the
 entries, in the words of `samplez certify --form`: "folded,tail,72", "full,tail,first=-10,64", "mirrored,pmf,16"
 or "frodo", "hawk", "lazer". An entry has `limbs` words of 64 bits, 1 to 5, the least significant first; `entries`
 has count * limbs words. They are copied.

 SAMPLEZ_INVALID_ARGUMENT for entries that are no table of this form: a tail that rises, a sum above 2^precision, a wrong number of
 entries. Also for a form without such a sampler: a half line ("falcon"), a line about a half-integer, draws that no entry covers
 without rest-next or rest-mode.

 The method, recipe and reason of such a sampler are NULL. On success `*out` is a handle for `samplez_sampler_free`; on failure it is
 NULL.

 # Safety

 `law` and `form` end with a zero byte; `entries` has count * limbs words; `out` points to a pointer.
 */
enum samplez_status samplez_sampler_from_table(const char *law,
                                               const char *form,
                                               const uint64_t *entries,
                                               size_t count,
                                               size_t limbs,
                                               struct samplez_sampler **out);

/*
 Returns one of the sampler's texts, which lives as long as the sampler. `name` is one of:

 - "method": the name of the method in use.
 - "recipe": the recipe with the method and the options in use. It builds the same sampler on any machine.
 - "timing": the class of the running time: "constant", "isochronous", "variable", or "unpromised" in WebAssembly.
 - "reason": the reason for the method: a sentence of the planner, or "named" if the recipe named it, or that there is one sampler.
 - "certificate": the certificate, like `samplez certify`.
 - "certificate_json": the same as one line of JSON, with the fields of `samplez certify --json`.

 NULL for a sampler that is NULL or lacks this text, and for another name: only a sampler of a recipe has a recipe and a reason, and
 only a Gaussian one a method.

 # Safety

 `sampler` is NULL or a live handle; `name` ends with a zero byte.
 */
const char *samplez_sampler_text(const struct samplez_sampler *sampler,
                                 const char *name);

/*
 Frees a sampler. NULL is allowed.

 # Safety

 `sampler` is NULL or a handle of `samplez_sampler_new` that nothing uses any more.
 */
void samplez_sampler_free(struct samplez_sampler *sampler);

/*
 Writes one of the sampler's figures to `out`. `name` is one of:

 - "log2_sd": an upper bound of the base-2 logarithm of the statistical distance from D_{Z,sigma,c}; minus infinity for an exact sampler.
 - "support_min", "support_max": the least and the largest value of the sampler's table, rounded to doubles beyond 2^53. An exact sampler
   also returns values outside, at the default precision with a probability below 2^-100. samplez_fill_i8 states which types are wide
   enough.
 - "table_bytes": memory that a sample reads besides the code, in bytes.
 - "expected_bits": expected random bits per sample.

 The text "certificate_json" of `samplez_sampler_text` has more.

 # Safety

 `sampler` is a live handle; `name` ends with a zero byte; `out` points to a double.
 */
enum samplez_status samplez_sampler_figure(const struct samplez_sampler *sampler,
                                           const char *name,
                                           double *out);

/*
 Writes P(X = x), correctly rounded: of D_{Z,sigma,c}, or of the other noises of `samplez_sampler_new` (of "skellam", "laplace" and "cbd" beyond 32 from 2^-900 on).
 For a sampler of a table this is the law aimed at.

 # Safety

 `sampler` is a live handle, `out` points to a double.
 */
enum samplez_status samplez_sampler_pmf(const struct samplez_sampler *sampler,
                                        int64_t x,
                                        double *out);

/*
 Reads a seed from a text: 64 hexadecimal digits, or a whole number below 2^64, a short seed. Every language makes
 the same 32 bytes of a short seed. Use it for reproducible results, not for secrets.

 # Safety

 `text` ends with a zero byte; `seed` has space for 32 bytes, which are written only on success.
 */
enum samplez_status samplez_seed_from_text(const char *text,
                                           uint8_t *seed);

/*
 Opens a named source, such as "chacha20" or "os". `seed` is 32 bytes that are not all equal, or NULL for a
 seed from the operating system (and for a source that takes none).

 On success `*out` is a handle for `samplez_stream_free`; on failure it is NULL.

 # Safety

 `source` ends with a zero byte; `seed` is NULL or 32 bytes; `out` points to a pointer.
 */
enum samplez_status samplez_stream_new(const char *source,
                                       const uint8_t *seed,
                                       struct samplez_stream **out);

/*
 Opens a stream over your own generator. It requests 1040 bytes at a time, and uses the first 1024. The library does not check whether
 the generator is cryptographic.

 `callback` fills all `length` bytes at `out` with random bytes, and returns 0, or another number if it fails. `length` is 16 more than the
 library uses. So if the callback returns 0 and leaves up to 15 bytes at the end as they were, no harm is done; if it leaves more, or makes
 them all equal, the call of the library returns SAMPLEZ_ENTROPY.

 # Safety

 `callback` writes no more than `length` bytes, does not unwind and does not use this stream. `context` is valid
 for it as long as the stream lives. `out` points to a pointer.
 */
enum samplez_status samplez_stream_from_callback(int (*callback)(void *context,
                                                                 uint8_t *out,
                                                                 size_t length),
                                                 void *context,
                                                 struct samplez_stream **out);

/*
 Frees a stream; its state and its buffer are zeroised. NULL is allowed.

 # Safety

 `stream` is NULL or a handle of this library that nothing uses any more.
 */
void samplez_stream_free(struct samplez_stream *stream);

/*
 Fills `out` with the next `count` samples as 8-bit integers. The stream keeps up to 2048 samples for the next short
 fills of the same sampler, so these cost little more per sample than long ones. Fills of other lengths draw other
 integers. The type must hold the sampler's whole support, or
 leave out a mass below 2^-128. Otherwise the call returns SAMPLEZ_INVALID_ARGUMENT, and draws nothing. The same
 holds for the other widths and for samplez_bulk_i8.

 # Safety

 Live handles, the stream used by no other thread; space for `count` values at `out`.
 */
enum samplez_status samplez_fill_i8(const struct samplez_sampler *sampler,
                                    struct samplez_stream *stream,
                                    int8_t *out,
                                    size_t count);

/*
 Fills `out` with the next `count` samples as 16-bit integers.

 # Safety

 Live handles, the stream used by no other thread; space for `count` values at `out`.
 */
enum samplez_status samplez_fill_i16(const struct samplez_sampler *sampler,
                                     struct samplez_stream *stream,
                                     int16_t *out,
                                     size_t count);

/*
 Fills `out` with the next `count` samples as 32-bit integers.

 # Safety

 Live handles, the stream used by no other thread; space for `count` values at `out`.
 */
enum samplez_status samplez_fill_i32(const struct samplez_sampler *sampler,
                                     struct samplez_stream *stream,
                                     int32_t *out,
                                     size_t count);

/*
 Fills `out` with the next `count` samples as 64-bit integers.

 # Safety

 Live handles, the stream used by no other thread; space for `count` values at `out`.
 */
enum samplez_status samplez_fill_i64(const struct samplez_sampler *sampler,
                                     struct samplez_stream *stream,
                                     int64_t *out,
                                     size_t count);

/*
 Fills `out` with a ternary vector: `count` entries in {-1, 0, 1}, of which exactly `weight` are not 0, uniform over all such vectors.
 `weight` is from 1 to `count`. Isochronous: `count` and `weight` are public, and the time is independent of the entries.

 # Safety

 A live handle of a stream that no other thread uses; space for `count` values at `out`.
 */
enum samplez_status samplez_fill_sparse_ternary(struct samplez_stream *stream,
                                                size_t weight,
                                                int8_t *out,
                                                size_t count);

/*
 Fills `out` with the samples number `first`, `first` + 1, … of the array of a sampler, a source and a seed: 8-bit
 integers, on up to `threads` threads.

 Sample number n is the same integer in every range, on any number of threads, on every machine and in every
 language. This is fastest if `first` is a multiple of 8192.

 # Safety

 A live handle; `source` ends with a zero byte; 32 bytes at `seed`; space for `count` values at
 `out`.
 */
enum samplez_status samplez_bulk_i8(const struct samplez_sampler *sampler,
                                    const char *source,
                                    const uint8_t *seed,
                                    uint64_t first,
                                    int8_t *out,
                                    size_t count,
                                    size_t threads);

/*
 Fills `out` with samples of an array as 16-bit integers, like samplez_bulk_i8.

 # Safety

 A live handle; `source` ends with a zero byte; 32 bytes at `seed`; space for `count` values at
 `out`.
 */
enum samplez_status samplez_bulk_i16(const struct samplez_sampler *sampler,
                                     const char *source,
                                     const uint8_t *seed,
                                     uint64_t first,
                                     int16_t *out,
                                     size_t count,
                                     size_t threads);

/*
 Fills `out` with samples of an array as 32-bit integers, like samplez_bulk_i8.

 # Safety

 A live handle; `source` ends with a zero byte; 32 bytes at `seed`; space for `count` values at
 `out`.
 */
enum samplez_status samplez_bulk_i32(const struct samplez_sampler *sampler,
                                     const char *source,
                                     const uint8_t *seed,
                                     uint64_t first,
                                     int32_t *out,
                                     size_t count,
                                     size_t threads);

/*
 Fills `out` with samples of an array as 64-bit integers, like samplez_bulk_i8.

 # Safety

 A live handle; `source` ends with a zero byte; 32 bytes at `seed`; space for `count` values at
 `out`.
 */
enum samplez_status samplez_bulk_i64(const struct samplez_sampler *sampler,
                                     const char *source,
                                     const uint8_t *seed,
                                     uint64_t first,
                                     int64_t *out,
                                     size_t count,
                                     size_t threads);

/*
 Draws a sample of exactly D_{Z,sigma,center}, with its own centre and width.

 Both are exactly these doubles: sigma is from 1 to 2^26, and |center| < 2^62. Isochronous: the number of trials
 may reveal sigma, and is independent of the sample and the centre. The time reveals whether sigma equals that of the
 stream's last call, whose width is kept, so equal ones in succession are faster. Repeated calls draw the integers of
 `samplez_round_each` with the same widths as an array.

 # Safety

 A live stream that no other thread uses; `out` has space for an integer, which is written only on success.
 */
enum samplez_status samplez_round(struct samplez_stream *stream,
                                  double sigma,
                                  double center,
                                  int64_t *out);

/*
 Draws `count` samples of exactly D_{Z,sigma,center}, each with its own centre and width, one after the other. The
 integers are the same as from Rust's `Stream::round_all`; with one sigma, `samplez round --method strips` prints them too.

 `sigmas` has `sigma_count` doubles: `count`, or 1 for all samples. `centers` has `count` doubles. The limits of
 `samplez_round` apply. For a value beyond a limit, the message has the value's index, and `out` becomes all zeros.
 `samplez_sample_each` is faster; in general its integers are others.

 # Safety

 A live stream that no other thread uses; arrays of so many doubles; space for `count` values at `out`.
 */
enum samplez_status samplez_round_each(struct samplez_stream *stream,
                                       const double *sigmas,
                                       size_t sigma_count,
                                       const double *centers,
                                       int64_t *out,
                                       size_t count);

/*
 Draws `count` samples of exactly D_{Z,sigma,center}, each with its own centre and width, in batches: the integers of
 Rust's `Stream::sample_each`. Arguments and errors are those of `samplez_round_each`.

 # Safety

 A live stream that no other thread uses; arrays of so many doubles; space for `count` values at `out`.
 */
enum samplez_status samplez_sample_each(struct samplez_stream *stream,
                                        const double *sigmas,
                                        size_t sigma_count,
                                        const double *centers,
                                        int64_t *out,
                                        size_t count);

/*
 Writes the values of a distribution's function at `count` numbers to `out`, which may be `at`. `law` is a text of `samplez_sampler_new`
 without a method and options, such as "sigma=3.2,center=1/3" or "skellam=2.5". Each call sets the distribution up, which
 may take as long as hundreds of values, so pass many numbers at once.

 With ",law=rounded" it is the integer nearest to a normal variable of this width and centre, or to a Laplace variable, which verifies
 what other programs draw.
 `law` may also be a sum of independent terms: "laplace=4 + 1000*sigma=3.2 - weights=0: 1 2 1", with ",copies=500" in a term for the sum of
 so many samples. Its setup may take seconds.

 `function` is one of:

 - "pmf": P(X = x); 0 if x is not an integer. "cdf": P(X <= x). "sf": P(X > x).
 - "ppf": the least x for which the double nearest to P(X <= x) is at least p. So "ppf" of "cdf" is x, unless the double is
   that of P(X <= x - 1), or 1. "isf": the least x for which that of P(X > x) is at most p. Both return the ends of the distribution for 0 and 1, and NaN outside.
 - "logpmf", "logcdf", "logsf", "logppf", "logisf": the same of the logarithms of these probabilities.

 The probabilities of a sum have a relative error below 2^-18, or below 2^-40 for two terms of a thousand values without factors.
 All others are correctly rounded, as by `samplez_sampler_pmf`. A logarithm of "logcdf" or "logsf" is correctly rounded for
 D_{Z,sigma,c}; for other noises it is the logarithm of the double, so minus infinity below 5e-324. An integer beyond 2^53 is rounded to a double.
 NaN gives NaN, and so does an integer beyond 64 bits if the distribution reaches there.

 # Safety

 `law` and `function` end with a zero byte; `count` doubles at `at`, and space for as many at `out`, in the same place or
 apart from them.
 */
enum samplez_status samplez_law_values(const char *law,
                                       const char *function,
                                       const double *at,
                                       size_t count,
                                       double *out);

/*
 Tests whether 100 or more integers are independent samples of a distribution, as `samplez verify` does. `law` is a text of
 `samplez_law_values`. Go's WebAssembly module omits this function and the next.

 On success `*out` is an outcome for `samplez_verification_free`; on failure it is NULL.

 # Safety

 `law` ends with a zero byte; `count` integers at `integers`; `out` points to a pointer.
 */
enum samplez_status samplez_verify(const char *law,
                                   const int64_t *integers,
                                   size_t count,
                                   struct samplez_verification **out);

/*
 Frees an outcome. NULL is allowed.

 # Safety

 `verification` is NULL or an outcome of `samplez_verify` that nothing uses any more.
 */
void samplez_verification_free(struct samplez_verification *verification);

/*
 Writes the residues of `count` integers modulo q, from 2 to 2^63 - 1: integers from 0 to q - 1. For an RNS basis,
 call it for each of the primes. In constant time. `out` may be the place of the integers themselves.

 # Safety

 `integers` are `count` integers, and `out` has space for as many, in the same place or apart from them.
 */
enum samplez_status samplez_residues(const int64_t *integers,
                                     size_t count,
                                     uint64_t q,
                                     uint64_t *out);

/*
 Builds a sampler of exactly D_{Z,sigma,c} from a text such as "sigma=1e30,center=1/3". The width has a form of
 `samplez_sampler_new`, and up to 4096 bits. The centre is optional.

 On success `*words` is the number of 64-bit words of each sample, and `*out` a handle for `samplez_big_free`; on failure `*out` is NULL.

 # Safety

 `recipe` ends with a zero byte; `words` points to a size_t, and `out` to a pointer.
 */
enum samplez_status samplez_big_new(const char *recipe,
                                    size_t *words,
                                    struct samplez_big **out);

/*
 Fills `out` with the next `count` samples, each an integer of the words of `samplez_big_new` in two's complement, the
 lowest word first. Allocates as much memory as `out` has, and erases it.

 # Safety

 Live handles, the stream used by no other thread; `out` has space for `count` times so many words.
 */
enum samplez_status samplez_big_fill(const struct samplez_big *big,
                                     struct samplez_stream *stream,
                                     uint64_t *out,
                                     size_t count);

/*
 Frees a sampler. NULL is allowed.

 # Safety

 `big` is NULL or a handle of this library that nothing uses any more.
 */
void samplez_big_free(struct samplez_big *big);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SAMPLEZ_H */
