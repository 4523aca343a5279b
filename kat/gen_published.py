"""Tables as schemes publish them, and how far they are from the discrete Gaussian.

python3 kat/gen_published.py (mpmath 1.3.0; a minute) writes published-built.csv: entries of tables in many forms, by the
definition of each form; and published-bounds.csv: the distances of the tables in published-tables.csv and of some of
those, by the definition of each quantity. It shares nothing with the Rust code.
"""

import csv
from fractions import Fraction
from pathlib import Path

from mpmath import ceil, exp, floor, fsum, inf, log, mp, mpf

HERE = Path(__file__).resolve().parent
mp.prec = 1200

# form, sigma, center
BUILT = [
    ("half,tail,floor-weights,72", "1.8205", "0"),
    ("folded,tail,78", "1.010", "0"),
    ("folded,tail,78", "1.010", "1/2"),
    ("folded,tail,78", "1.278", "0"),
    ("folded,tail,78", "1.278", "1/2"),
    ("folded,tail,78", "1.299", "0"),
    ("folded,tail,78", "1.299", "1/2"),
    ("mirrored,tail,nearest,128", "1.55", "0"),
    ("mirrored,pmf,nearest-weights,16", "2.8", "0"),
    ("mirrored,pmf,nearest-weights,16", "2.8", "1/2"),
    ("mirrored,tail,40", "2.8", "-3/2"),
    ("mirrored,head,nearest,33", "2.3", "5"),
    ("mirrored,head,floor-weights,33", "2.3", "5"),
    ("folded,head,64", "3.2", "0"),
    ("folded,head,inclusive,15", "2.8", "0"),
    ("folded,pmf,floor-weights,64", "3.2", "1/2"),
    ("half,pmf,nearest,65", "0.7", "0"),
    ("half,head,nearest,256", "0.4", "1/2"),
    ("full,tail,floor-weights,72", "3.2", "1/3"),
    ("full,tail,72", "3.2", "1/3"),
    ("full,tail,nearest,1", "3.2", "1/3"),
    ("full,head,nearest,53", "4.5", "-7/3"),
    ("full,head,53", "4.5", "-7/3"),
    ("full,head,64", "2", "1/2"),
    ("full,pmf,nearest-weights,24", "10", "0"),
    ("full,pmf,256", "0.3", "1/7"),
    ("folded,tail,nearest,1", "1", "0"),
]


def rational(text):
    f = Fraction(text)
    return mpf(f.numerator) / f.denominator


class Law:
    """Probabilities of the values, and of the indices of each line."""

    def __init__(self, sigma, center):
        self.sigma, self.c = rational(sigma), rational(center)
        self.mode = int(floor(self.c + mpf(1) / 2))
        self.n = int(40 * self.sigma) + 20
        weights = {x: exp(-((x - self.c) ** 2) / (2 * self.sigma**2)) for x in range(self.mode - self.n, self.mode + self.n + 1)}
        total = fsum(weights.values())
        self.p = {x: w / total for x, w in weights.items()}
        self.whole = Fraction(center).denominator == 1

    def index(self, line, k):
        one = self.p.get(self.mode + k, mpf(0))
        if line == "mirrored":
            return one
        both = one if self.whole and k == 0 else 2 * one
        if line == "half" and self.whole:
            return 2 * one / (1 + self.p[self.mode])
        return both


def parse(form):
    words = form.split(",")
    line = next(w for w in words if w in ("folded", "mirrored", "half", "full"))
    entries = next(w for w in words if w in ("tail", "head", "pmf"))
    rounding = next((w for w in words if w.startswith(("floor", "nearest"))), "floor")
    first = next((int(w[6:]) for w in words if w.startswith("first=")), None)
    return line, entries, rounding, "inclusive" in words, first, int(words[-1])


def build(form, law):
    """(first value, entries), by definition."""
    line, entries, rounding, inclusive, _, bits = parse(form)
    one = 2**bits
    rounded = (lambda x: int(floor(x * one + mpf(1) / 2))) if "nearest" in rounding else (lambda x: int(floor(x * one)))
    if line == "full":
        places = list(range(-law.n, law.n + 1))
        unit = {k: law.p[law.mode + k] for k in places}
    else:
        places = list(range(0, law.n + 1))
        unit = {k: law.index(line, k) for k in places}
    # All sums from outside in, so that nothing cancels.
    above, sum_ = {}, mpf(0)
    for k in reversed(places):
        above[k] = sum_
        sum_ += unit[k]
    upto = {}
    if line == "full":
        sum_ = mpf(0)
        for k in places:
            sum_ += unit[k]
            upto[k] = sum_
    weights = {k: rounded(unit[k]) for k in places}
    if "weights" in rounding:
        whole = one
        others = sum(w for k, w in weights.items() if k != 0)
        if line == "mirrored":
            others, whole = (2 * others, one) if law.whole else (others, one // 2)
        weights[0] = whole - others
        matters = [k for k in places if k == 0 or weights[k] != 0]
    elif entries == "pmf":
        matters = [k for k in places if k == 0 or weights[k] != 0]
    else:
        matters = [k for k in places if k == 0 or rounded(above[k - 1] if k > 0 else upto.get(k, mpf(0))) != 0]
    low, high = min(matters), max(matters)
    # From the side on which the sum is exact enough: 1 - x is rounded by whole numbers.
    half = law.c - law.mode == mpf(-1) / 2

    def tail(k):
        if "weights" in rounding:
            return sum(w for j, w in weights.items() if j > k)
        if k < 0:
            return rounded(mpf(1) / 2) if half and k == -1 else rounded(1 - upto[k])
        return rounded(above[k])

    def head(k):
        if "weights" in rounding:
            beyond = sum(w for j, w in weights.items() if j > k)
            return one - beyond
        if k < 0:
            return rounded(mpf(1) / 2) if half and k == -1 else rounded(upto[k])
        return rounded(1 - above[k])

    if entries == "tail":
        found = [tail(k) for k in range(low, max(high, low + 1))]
    elif entries == "head":
        found = [head(k) for k in range(low, high + 1)]
    else:
        found = [weights[k] for k in range(low, high + 1)]
    return (law.mode + low if line == "full" else None), [e - inclusive for e in found]


def weights_of(form, law, entries):
    """What each index gets, as rationals that sum to 1; draws beyond are repeated."""
    line, kind, _, inclusive, _, bits = parse(form)
    one = 2**bits
    entries = [e + inclusive for e in entries]
    mirrored = line == "mirrored"
    top = one // 2 if mirrored and kind == "tail" else one
    if kind == "tail":
        steps = [top] + entries + [0]
        weights = [a - b for a, b in zip(steps, steps[1:])]
    elif kind == "head":
        steps = [one // 2 if mirrored else 0] + entries
        weights = [b - a for a, b in zip(steps, steps[1:])]
    else:
        weights = entries[:]
    if mirrored:
        weights = [w if kind == "pmf" and law.whole and k == 0 else 2 * w for k, w in enumerate(weights)]
    assert all(w >= 0 for w in weights) and sum(weights) <= one, form
    return [Fraction(w, sum(weights)) for w in weights]


def bounds(form, law, first, entries):
    line = parse(form)[0]
    q = weights_of(form, law, entries)
    p = [law.p[first + k] if line == "full" else law.index("folded" if line == "mirrored" else line, k) for k in range(len(q))]
    q = [mpf(w.numerator) / w.denominator for w in q]
    tail = 1 - fsum(b for a, b in zip(q, p) if a > 0)
    sd = fsum(max(a - b, 0) for a, b in zip(q, p))
    found = [sd]
    for order in (2, 256, 513):
        total = fsum(a**order * b ** (1 - order) for a, b in zip(q, p) if a > 0)
        found.append(total ** (mpf(1) / (order - 1)) - 1)
    found += [max(a / b for a, b in zip(q, p)) - 1, tail]
    return [log(x, 2) if x > 0 else -inf for x in found]


def main():
    with open(HERE / "published-built.csv", "w", newline="") as file:
        out = csv.writer(file, delimiter=";", lineterminator="\n")
        out.writerow(["form", "sigma", "center", "first", "entries"])
        made = []
        for form, sigma, center in BUILT:
            law = Law(sigma, center)
            first, entries = build(form, law)
            made.append((form, sigma, center, first, entries))
            out.writerow([form, sigma, center, "" if first is None else first, " ".join(map(str, entries))])
    with open(HERE / "published-tables.csv", newline="") as file:
        published = list(csv.DictReader(file, delimiter=";"))
    with open(HERE / "published-bounds.csv", "w", newline="") as file:
        out = csv.writer(file, delimiter=";", lineterminator="\n")
        out.writerow(["name", "form", "sigma", "center", "sd", "r2", "r256", "r513", "rinf", "tail"])
        rows = [(r["name"], r["form"], r["sigma"], r["center"], None, [int(e, 0) for e in r["entries"].split()]) for r in published]
        rows += [("", form, sigma, center, first, entries) for form, sigma, center, first, entries in made]
        for name, form, sigma, center, first, entries in rows:
            law = Law(sigma, center)
            found = bounds(form, law, first, entries)
            out.writerow([name, form, sigma, center] + [mp.nstr(x, 12) for x in found])


if __name__ == "__main__":
    main()
