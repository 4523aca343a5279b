// Written by `cargo tools gen-docs`.

/** Lines of words of other libraries, the options that state the same, the advice where there are none, and an option beside which alone
 * the words mean these options. */
export const WORDS = `std stddev stdev sd sig standarddeviation width|sigma
scale|sigma discreteLaplace
sigma2 s2 sigmasq sigmasqr sigma^2|sigmaSquared
variance var|sigmaSquared skellam
gaussianparameter widthparameter|s
lambda lam r beta gamma||papers use this letter for several quantities, so write the name of yours
mean mu loc location centre c expectation|center
n num number size shape count nsamples numsamples total draws dim dimension|count|the number of samples belongs to the call that draws
samples|count|the number of samples belongs to the call that draws
seed randomseed randomstate seedsequence key entropy|seed|the seed belongs to the call that draws
rng generator prng csprng bitgenerator randomsource source|source|the source of random bits belongs to the call that draws
prec bits nbits bitprecision|precision
tailcut tau tailbound|tail
clip bound cutoff truncate truncation limit||only laplace is cut, as in the recipe laplace=4,clip=20; where a sample of another law exceeds your bound, draw it again
range max maximum bounds||only laplace is cut, as in the recipe laplace=4,clip=20; where a sample of another law exceeds your bound, draw it again
threads jobs njobs workers nthreads numthreads cores parallel|threads|the number of threads belongs to the call that draws
type datatype inttype outtype dtype
method algorithm algo sampler|method|the method cannot be chosen here, so leave it out
output o outfile|out
config conf configuration params parameters settings|recipe
mem maxmemory maxtablebytes tablebytes|memory
ct consttime|constantTime
cbd binomial eta|centeredBinomial|centred binomial noise is a distribution of its own, in the place of the width
laplace geometric doublegeometric|discreteLaplace|discrete Laplace noise is a distribution of its own, in the place of the width
isochronous secure timingsafe||in native code the default's running time is independent of the samples, and WebAssembly promises none, so leave it out
vartime nonconstanttime|variableTime
q|modulus|samples are integers; reduce them modulo q afterwards
mod modq modulus|modulus|samples are integers; reduce them modulo q afterwards
eps epsilon targetepsilon||for a privacy guarantee, samplez.dp.sigma_squared in Python computes the width
rho zcdp||for a privacy guarantee, samplez.dp.sigma_squared in Python computes the width
delta targetdelta||δ belongs to Gaussian noise with a guarantee, samplez.dp in Python; leave it out elsewhere
l2sensitivity l2norm||Gaussian noise needs the L2 sensitivity, Laplace noise the L1 sensitivity, Skellam noise the largest change of a value
linfsensitivity linfnorm||Gaussian noise needs the L2 sensitivity, Laplace noise the L1 sensitivity, Skellam noise the largest change of a value
l1sensitivity l1norm||Gaussian noise needs the L2 sensitivity, Laplace noise the L1 sensitivity, Skellam noise the largest change of a value
sens sensitivity globalsensitivity||σ is proportional to the sensitivity, so multiply by it
noisemultiplier||the width σ is the noise multiplier times the L2 sensitivity
json||the commands verify, watch, certify, plan, methods, sources, bench and scheme print JSON
plot histogram||the command plot draws a file of samples
avx2 avx512 avx sse2 neon simd native|simd|the processor's instructions are found at run time, so leave it out
verbose v debug||there is no more to print than by default, so leave it out
alpha|s|the significance level of each test is fixed, so that verdicts compare|precision
significance pvalue confidence||the significance level of each test is fixed, so that verdicts compare
alphaq noiserate errorrate|s|the width s is α·q, where α is the noise rate of LWE
log2sigma logsigma log2std logstd||pass the width itself, not its logarithm
gaussian normal gauss discretegaussian|sigma
law distribution dist family||a width alone means the discrete Gaussian, and each other distribution has an option of its own; verify judges rounded laws, as by the recipe law=rounded,sigma=3.2
trials reps repetitions runs||one call draws the samples of all trials, or run it again with another seed
security seclevel securitylevel securitybits secparam targetbits targetsecurity||samplez takes no security level; a certificate bounds how many bits an attack gains from a sampler
force overwrite clobber f y||a file of this name is replaced without a question, so leave it out
append||a file is written whole, so write another one, or append the standard output
delimiter delim sep separator||commas, semicolons, tabs and blanks are recognized in a file, so leave it out
in input i infile||give the input without an option's name`;
