// Written by `cargo tools gen-docs`.

/** Lines of words of other libraries, the options that state the same, and the advice where there are none. */
export const WORDS = `std stddev stdev sd sig standarddeviation width scale|sigma
sigma2 variance var sigmasq sigmasqr sigma^2|sigmaSquared
gaussianparameter widthparameter|s
mean mu loc location centre c expectation|center
n num number size shape count samples nsamples numsamples total draws||the number of samples belongs to the call that draws
seed randomseed randomstate key|seed|the seed belongs to the call that draws
rng generator prng csprng bitgenerator randomsource source|source|the source of random bits belongs to the call that draws
prec bits nbits bitprecision|precision
tailcut tau tailbound|tail
threads jobs njobs workers nthreads numthreads cores parallel|threads|the number of threads belongs to the call that draws
algorithm algo sampler|method
config conf configuration params parameters settings|recipe
mem maxmemory maxtablebytes tablebytes|memory
ct consttime|constantTime
vartime nonconstanttime|variableTime
avx2 avx512 avx sse2 neon simd native|simd`;
