#!/usr/bin/env bash
# Polars 2.1.0, narwhals 2.29.0 and NumPy 2.4.6 (2026-11-30).
# Guess: hist with the edges 0, 1, 2 and 3 counts 0, 1, 2, 3 and 3 as NumPy does: each integer in the bin that it
# begins, and the last edge in the last bin, so 1, 1 and 3.
# Seen: bins are closed on the right, and the first on both sides, so 2, 1 and 2: 0 and 1 share a bin. bin_count=3 has
# the same counts. narwhals counts so for pandas and pyarrow as well.
# A user meets it on histograms of integer samples with edges at the integers: they differ from NumPy's by one bin.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    polars==2.1.0 narwhals==2.29.0 pandas==3.1.1 pyarrow==26.0.1 numpy==2.4.6

cat >"$tmp/look.py" <<'PYTHON'
import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

samples = [0, 1, 2, 3, 3]
print("NumPy", np.histogram(samples, [0, 1, 2, 3])[0].tolist(), np.histogram(samples, 3)[0].tolist())
series = pl.Series(samples)
print("Polars", series.hist([0, 1, 2, 3])["count"].to_list(), series.hist(bin_count=3)["count"].to_list())
print("categories", *series.hist([0, 1, 2, 3], include_category=True)["category"].to_list())
for name, native in (("pandas", pd.Series(samples)), ("pyarrow", pa.chunked_array([samples]))):
    column = nw.from_native(native, series_only=True)
    edges, bins = column.hist(bins=[0, 1, 2, 3]), column.hist(bin_count=3)
    print("narwhals of", name, edges["count"].to_list(), bins["count"].to_list())
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
NumPy [1, 1, 3] [1, 1, 3]
Polars [2, 1, 2] [2, 1, 2]
categories [0.0, 1.0] (1.0, 2.0] (2.0, 3.0]
narwhals of pandas [2, 1, 2] [2, 1, 2]
narwhals of pyarrow [2, 1, 2] [2, 1, 2]
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
