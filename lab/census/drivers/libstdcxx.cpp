// The distributions of the C++ standard library, as GCC's library or Boost has them: see census.py.
#include <cmath>
#include <ctime>
#include <fstream>
#include <functional>
#include <iostream>
#include <thread>
#include <vector>
#ifdef BOOST
#include <boost/random.hpp>
namespace from = boost::random;
#else
#include <random>
namespace from = std;
#endif

template <class Law> std::function<long()> drawn(const std::string &seed, Law law, bool two, long shift) {
    from::mt19937_64 rng;
    if (!seed.empty()) rng.seed(std::stoul(seed));
    return [=]() mutable { long x = std::lround(law(rng)); return x - (two ? std::lround(law(rng)) : shift); };
}

std::function<long()> make(const std::string &call, const std::string &seed) {
    if (call == "normal") return drawn(seed, from::normal_distribution<double>(std::getenv("CENSUS_CENTER") ? 0.5 : 0, 1), false, 0);
    if (call == "geometric") return drawn(seed, from::geometric_distribution<long>(1 - std::exp(-1)), true, 0);
    if (call == "poisson") return drawn(seed, from::poisson_distribution<long>(5), true, 0);
    if (call == "binomial") return drawn(seed, from::binomial_distribution<long>(20, 0.5), false, 10);
    std::vector<double> masses;
    for (int x = -14; x <= 14; x++) masses.push_back(std::exp(-x * x / 2.0));
    return drawn(seed, from::discrete_distribution<long>(masses.begin(), masses.end()), false, 14);
}

int main(int, char **argv) {
    std::vector<long> integers(std::stoul(argv[2])), threads[2] = {std::vector<long>(16), std::vector<long>(16)};
    auto fill = [&](std::vector<long> &xs, const char *seed) { auto draw = make(argv[1], seed); for (long &x : xs) x = draw(); };
    auto begin = std::clock();
    fill(integers, argv[4]);
    std::cout << "seconds " << double(std::clock() - begin) / CLOCKS_PER_SEC << "\ntype long\n";
    std::ofstream out(argv[3]);
    for (long x : integers) out << x << '\n';
    for (auto &xs : threads) std::thread(fill, std::ref(xs), "").join();
    std::cout << "thread " << (threads[0] == threads[1] ? "repeat" : "differ") << '\n';
}
