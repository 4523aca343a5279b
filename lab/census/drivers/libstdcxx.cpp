// The C++ standard library's distributions, as GCC's library has them: see census.py.
#include <cmath>
#include <ctime>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <random>
#include <vector>

int main(int, char **argv) {
    std::mt19937_64 rng;
    if (*argv[4]) rng.seed(std::stoul(argv[4]));
    std::normal_distribution<double> normal(0, 1);
    std::geometric_distribution<long> geometric(1 - std::exp(-1));
    std::poisson_distribution<long> poisson(5);
    std::binomial_distribution<long> binomial(20, 0.5);
    std::vector<double> masses;
    for (int x = -14; x <= 14; x++) masses.push_back(std::exp(-x * x / 2.0));
    std::discrete_distribution<long> discrete(masses.begin(), masses.end());
    std::map<std::string, std::function<long()>> draws{
        {"normal", [&] { return std::lround(normal(rng)); }},
        {"geometric", [&] { long x = geometric(rng); return x - geometric(rng); }},
        {"poisson", [&] { long x = poisson(rng); return x - poisson(rng); }},
        {"binomial", [&] { return binomial(rng) - 10; }},
        {"discrete", [&] { return discrete(rng) - 14; }},
    };
    auto draw = draws.at(argv[1]);
    std::vector<long> integers(std::stoul(argv[2]));
    auto begin = std::clock();
    for (long &x : integers) x = draw();
    std::cout << "seconds " << double(std::clock() - begin) / CLOCKS_PER_SEC << "\ntype long\n";
    std::ofstream out(argv[3]);
    for (long x : integers) out << x << '\n';
}
