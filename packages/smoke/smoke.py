"""Draws the vectors of a file such as kat/recipes.csv from the installed package."""

import csv
import sys
from importlib.metadata import metadata, version

import samplez

with open(sys.argv[1], newline="") as file:
    rows = list(csv.DictReader(file))
for row in rows:
    drawn = samplez.DiscreteGaussian.from_recipe(row["recipe"]).sample(16, rng=row["seed"], source=row["source"])
    assert drawn.tolist() == [int(x) for x in row["the first samples"].split()], (row, drawn)
assert "site-packages" in samplez.__file__, samplez.__file__
assert version("samplez") == samplez.__version__, (version("samplez"), samplez.__version__)
assert metadata("samplez").get_all("License-File") == ["LICENSE-APACHE", "LICENSE-MIT"], metadata("samplez")
print(len(rows), "rows")
