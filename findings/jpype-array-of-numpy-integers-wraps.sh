#!/usr/bin/env bash
# JPype 1.7.1 with NumPy 2.4.6 and Java 17 (2026-11-30).
# Guess: a Java int[] made of the NumPy array [2^40 + 5] is refused, as one of the list [2^40 + 5] is.
# Seen: it holds 5, without a warning; a byte[] of uint8 200 holds -56, and an int[] of 2.7 holds 2. The list of 2.7 is
# refused too. Assigning to a slice is as quiet; a double of 10^10 then becomes -2^31.
# A user meets it on passing integer samples or sums from NumPy to a Java library.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    jpype1==1.7.1 numpy==2.4.6

cat >"$tmp/look.py" <<'PYTHON'
import jpype
import numpy as np
from jpype import JArray, JByte, JInt

jpype.startJVM()


def look(kind, numbers):
    try:
        print(f"{kind.__name__}[] of {numbers!r}: {[int(x) for x in JArray(kind)(numbers)]}")
    except (OverflowError, TypeError) as error:
        print(f"{kind.__name__}[] of {numbers!r}: {type(error).__name__}")


look(JInt, [2**40 + 5])
look(JInt, np.array([2**40 + 5]))
look(JByte, [200])
look(JByte, np.array([200], np.uint8))
look(JInt, [2.7])
look(JInt, np.array([2.7]))
array = JArray(JInt)(3)
array[:] = np.array([2**32 + 1, 2**31, 7])
print("slice of int64:", [int(x) for x in array])
array[:] = np.array([1e10, 3e9, -2.7])
print("slice of doubles:", [int(x) for x in array])
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
JInt[] of [1099511627781]: OverflowError
JInt[] of array([1099511627781]): [5]
JByte[] of [200]: OverflowError
JByte[] of array([200], dtype=uint8): [-56]
JInt[] of [2.7]: TypeError
JInt[] of array([2.7]): [2]
slice of int64: [1, -2147483648, 7]
slice of doubles: [-2147483648, -2147483648, -2]
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
