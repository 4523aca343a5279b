"""Cutoffs and false alarms of SP 800-90B's health tests, by exact integers: python3 kat/gen_health.py > kat/health.csv"""

from math import comb, log2

WINDOW = 512  # of samples that are no single bits, §4.4.2


def repetition_cutoff(h, a):
    """1 + ceil(a / h), §4.4.1"""
    return 1 + -(-a // h)


def tail(n, h, k):
    """2^(h n) P(X >= k), X binomial of n trials with probability 2^-h."""
    return sum(comb(n, j) * (2**h - 1) ** (n - j) for j in range(k, n + 1))


def proportion_cutoff(h, a):
    """1 + critbinom(W, 2^-h, 1 - 2^-a): critbinom is the least k with P(X <= k) >= 1 - 2^-a, §4.4.2"""
    k = 0
    while tail(WINDOW, h, k + 1) << a > 2 ** (h * WINDOW):
        k += 1
    return 1 + k


def window_log2(h, cutoff):
    """log2 of the probability that a window alarms whose first sample has probability 2^-h, as every other one that equals it"""
    n = WINDOW - 1
    weight = tail(n, h, cutoff - 1)
    shift = max(weight.bit_length() - 60, 0)
    return log2(weight >> shift) + shift - h * n


def main():
    print("min-entropy,alpha,repetition,proportion,repetition rate,window rate,repetition rate ideal,window rate ideal")
    for h in range(1, 9):
        for a in range(20, 41):
            r, p = repetition_cutoff(h, a), proportion_cutoff(h, a)
            rates = [-h * (r - 1), window_log2(h, p), -8 * (r - 1), window_log2(8, p)]
            print(h, a, r, p, *(f"{rate:.2f}" for rate in rates), sep=",")


main()
